/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of all nodes together. An event is known by its name, for its id may be
 * another one on each node; activities are in order of names, so that a merged trace and
 * the traces of its threads have the same. Functions come first.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-name.h"
#include "kymo-tau-reading.h"

#include <string.h>
#include <unistd.h>

#include "kymo-share.h"

/* As of logs and OTF2. */
#define MAX_METRICS 64

/* Ids of special events where no .edf tells (include/Profile/TauTrace.h of TAU). */
static const struct
{
  gint64      id;
  const char *name;
  KymoTauKind kind;
} special_events[] =
{
  { 60000, "EV_INIT", KYMO_TAU_INIT },
  { 60001, "FLUSH", KYMO_TAU_FLUSH },
  { 60003, "FLUSH_CLOSE", KYMO_TAU_CLOSE },
  { 60004, "FLUSH_INITM", KYMO_TAU_IGNORED },
  { 60005, "WALL_CLOCK", KYMO_TAU_IGNORED },
  { 60006, "CONT_EVENT", KYMO_TAU_IGNORED },
  { 60007, "MESSAGE_SEND", KYMO_TAU_SEND },
  { 60008, "MESSAGE_RECV", KYMO_TAU_RECEIVE },
};

static gboolean
is_function (KymoTauKind kind)
{
  return kind == KYMO_TAU_FUNCTION || kind == KYMO_TAU_FLUSH;
}

static gboolean
is_user_event (KymoTauKind kind)
{
  return kind == KYMO_TAU_VALUE || kind == KYMO_TAU_CLOCK_OFFSET || kind == KYMO_TAU_ONE_SIDED;
}

static gboolean
is_perhaps_metadata (KymoTauKind kind)
{
  return kind == KYMO_TAU_PERHAPS_METADATA;
}

static void
guess_function (KymoTauEvents       *events,
                const KymoTauRecord *record)
{
  g_autofree char *name = NULL;

  if (record->parameter != -1 || !kymo_tau_events_may_have (record->event)
      || kymo_tau_events_find (events, record->event) != NULL)
    return;
  name = g_strdup_printf ("(event %" G_GINT64_FORMAT ")", record->event);
  kymo_tau_events_add (events, record->event, name, "", KYMO_TAU_FUNCTION);
}

/* Without a list a function is known by its leaving, which no sample of an event has
   twice; where there are enters alone it cannot be told and is left out. */
static void
guess_functions (KymoTauTraceReading *reading,
                 guint                index,
                 KymoTauEvents       *events)
{
  const KymoTauInput *input = &reading->inputs[index];
  g_autofree guint8 *block = kymo_tau_input_new_block (input);
  int fd = kymo_tau_input_open (input);
  guint n;

  for (gint64 at = 0; !kymo_job_is_cancelled (reading->job)
       && (n = kymo_tau_input_read (input, fd, at, input->n_records, block)) > 0; at += n)
    for (guint i = 0; i < n; i++)
      {
        KymoTauRecord record;

        kymo_tau_decode (block + (gsize) i * input->record_bytes, input->layout, &record);
        guess_function (events, &record);
      }
  if (fd >= 0)
    close (fd);
}

static void
guess_events (KymoTauTraceReading *reading,
              guint           node,
              KymoTauEvents  *events)
{
  for (guint i = 0; i < G_N_ELEMENTS (special_events); i++)
    kymo_tau_events_add (events, special_events[i].id, special_events[i].name, "TRACER",
                         special_events[i].kind);
  for (guint i = 0; i < reading->files->traces->len; i++)
    if (kymo_tau_file (reading->files, i)->node == node
        && reading->states[i] == KYMO_TAU_INPUT_FINE)
      guess_functions (reading, i, events);
}

static char *
name_of_edf (const KymoTauTraceReading *reading,
             guint                 node)
{
  return reading->files->merged ? g_strconcat (reading->files->base, ".edf", NULL)
    : g_strdup_printf ("events.%u.edf", node);
}

static KymoTauEvents *
read_node (KymoTauTraceReading *reading,
           guint           node)
{
  const char *path = g_hash_table_lookup (reading->files->edfs, GUINT_TO_POINTER (node));
  KymoTauEvents *events = path != NULL ? kymo_tau_events_read (path, NULL) : NULL;
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : name_of_edf (reading, node);
  KymoReport *report = reading->run->report;

  if (events != NULL && events->n_bad_lines > 0)
    kymo_report_add (report, name, KYMO_SEVERITY_LOST, events->n_bad_lines, events->bad_offset,
                     N_("Lines that are no events were left out"));
  if (events != NULL && events->list->len > 0)
    return events;
  kymo_tau_events_free (events);
  kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1,
                   N_("The file of events is missing or holds none; functions are shown by their "
                      "numbers, user events not at all"));
  events = kymo_tau_events_new ();
  guess_events (reading, node, events);
  return events;
}

typedef struct
{
  KymoTauTraceReading *reading;
  GMutex          lock;
} NodeJobs;

/* Traces are in the order of their nodes: the first one of a node stands for it. */
static void
read_node_of (gpointer data,
              guint    index)
{
  NodeJobs *jobs = data;
  const KymoTauFiles *files = jobs->reading->files;
  guint node = kymo_tau_file (files, index)->node;
  KymoTauEvents *events;

  if (index > 0 && node == kymo_tau_file (files, index - 1)->node)
    return;
  events = read_node (jobs->reading, node);
  g_mutex_lock (&jobs->lock);
  g_hash_table_insert (jobs->reading->node_events, GUINT_TO_POINTER (node), events);
  g_mutex_unlock (&jobs->lock);
}

/**
 * kymo_tau_read_events:
 *
 * Reads the events of each node that has a trace, or makes do without.
 */
void
kymo_tau_read_events (KymoTauTraceReading *reading)
{
  const KymoTauFiles *files = reading->files;
  NodeJobs jobs = { .reading = reading };

  g_mutex_init (&jobs.lock);
  kymo_share_out (files->traces->len, reading->n_cores, read_node_of, &jobs, NULL);
  g_mutex_clear (&jobs.lock);
  for (guint i = 0; i < files->traces->len; i++)
    reading->events[i] = g_hash_table_lookup (reading->node_events,
                                              GUINT_TO_POINTER (kymo_tau_file (files, i)->node));
}

/* Collects each name once; its owner is the first event that has it. */
static void
collect_tau_names (GHashTable    *named,
                   KymoTauEvents *events,
                   gboolean     (*wanted) (KymoTauKind kind))
{
  for (guint i = 0; i < events->list->len; i++)
    {
      KymoTauEvent *event = &g_array_index (events->list, KymoTauEvent, i);

      if (wanted (event->kind) && !g_hash_table_contains (named, event->name))
        g_hash_table_insert (named, event->name, event);
    }
}

static int
compare_events (gconstpointer a,
                gconstpointer b)
{
  return strcmp ((*(KymoTauEvent *const *) a)->name, (*(KymoTauEvent *const *) b)->name);
}

/* (element-type KymoTauEvent): by name */
static GPtrArray *
list_named (const KymoTauTraceReading *reading,
            gboolean            (*wanted) (KymoTauKind kind),
            GHashTable           *named)
{
  GPtrArray *list = g_ptr_array_new ();
  KymoTauEvents *last = NULL;
  GHashTableIter iter;
  gpointer event;

  for (guint i = 0; i < reading->files->traces->len; i++)
    if (reading->events[i] != last)
      {
        last = reading->events[i];
        collect_tau_names (named, last, wanted);
      }
  g_hash_table_iter_init (&iter, named);
  while (g_hash_table_iter_next (&iter, NULL, &event))
    g_ptr_array_add (list, event);
  g_ptr_array_sort (list, compare_events);
  return list;
}

/* Groups as in the file, but for an empty first part. */
static const char *
shown_group (const char *group)
{
  return group + strspn (group, "|");
}

static guint
add_activity (KymoRun            *run,
              const KymoTauEvent *event,
              guint               id)
{
  g_autofree char *shown = kymo_tau_dup_shown_name (event->name);

  return kymo_run_add_activity (run, is_function (event->kind) ? KYMO_ACTIVITY_FUNCTION
                                : KYMO_ACTIVITY_EVENT, id, shown, event->name,
                                shown_group (event->group));
}

static guint
add_metric (KymoRun            *run,
            const KymoTauEvent *event,
            guint               id)
{
  (void) id;
  if (run->metrics->len == MAX_METRICS)
    {
      kymo_report_add (run->report, "events", KYMO_SEVERITY_LOST, 1, -1,
                       N_("Of more than 64 metrics only the first are kept"));
      return G_MAXUINT32;
    }
  g_ptr_array_add (run->metrics, kymo_name_dup (event->name, -1));
  return run->metrics->len - 1;
}

static gboolean
is_metric (KymoTauKind kind)
{
  return kind == KYMO_TAU_METRIC;
}

/* Each wanted event gets the number that the first of its name has in the run. */
static guint
number (KymoTauTraceReading *reading,
        guint         first_id,
        gboolean      (*wanted) (KymoTauKind kind),
        guint         (*add)    (KymoRun            *run,
                                 const KymoTauEvent *event,
                                 guint               id))
{
  g_autoptr (GHashTable) named = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) list = list_named (reading, wanted, named);
  GHashTableIter iter;
  gpointer events;

  for (guint i = 0; i < list->len; i++)
    ((KymoTauEvent *) list->pdata[i])->activity = add (reading->run, list->pdata[i],
                                                     first_id + i);
  g_hash_table_iter_init (&iter, reading->node_events);
  while (g_hash_table_iter_next (&iter, NULL, &events))
    for (guint i = 0; i < ((KymoTauEvents *) events)->list->len; i++)
      {
        KymoTauEvent *event = &g_array_index (((KymoTauEvents *) events)->list, KymoTauEvent, i);

        if (wanted (event->kind))
          event->activity = ((KymoTauEvent *) g_hash_table_lookup (named, event->name))->activity;
      }
  return list->len;
}

/**
 * kymo_tau_name_events:
 *
 * Makes the activities and metrics of the run, and tells the events theirs. Events that
 * may be metadata are the last: kymo_tau_take_metadata() drops those again that are.
 */
void
kymo_tau_name_events (KymoTauTraceReading *reading)
{
  guint n_values;

  reading->n_functions = number (reading, 0, is_function, add_activity);
  n_values = number (reading, 0, is_user_event, add_activity);
  reading->n_known = reading->run->activities->len;
  number (reading, n_values, is_perhaps_metadata, add_activity);
  number (reading, 0, is_metric, add_metric);
}
