/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of the events of a process (.edf): functions, user events, metrics, and what is
 * noted of the run, which is in the names of events that happen once.
 */
#include "config.h"

#include "kymo-convert-trace-private.h"

#include <string.h>

/* Ids that the special events leave. */
#define FIRST_ID_ABOVE 80000

gint64
kymo_trace_id_of (guint event)
{
  return event + 1 < KYMO_TRACE_INIT ? event + 1 : FIRST_ID_ABOVE + (gint64) event;
}

static const char *
key_of_fact (const char *key)
{
  static const char *const names[][2] = {
    { "program", "Executable" }, { "command_line", "Command Line" }, { "user", "Username" },
    { "host", "Hostname" }, { "machine", "OS Machine" }, { "timestamp", "Local Time" },
    { "runtime_version", "TAU Version" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i][0], key))
      return names[i][1];
  return key;
}

/* (nullable): the machine of a location: by the tree that it hangs in, else the machine of all */
const char *
kymo_trace_host_of (const KymoTraceOut *trace,
                    guint               location)
{
  const KymoRun *run = trace->convert->run;
  gint64 place = kymo_run_peek_location (run, location)->place;

  while (place >= 0 && place < run->places->len)
    {
      const KymoPlace *at = &g_array_index (run->places, KymoPlace, place);

      if (g_str_equal (at->kind, "node"))
        return at->label;
      place = at->parent;
    }
  for (guint i = 0; i < trace->n_facts; i++)
    if (g_str_equal (kymo_trace_fact (trace, i)->key, "host"))
      return kymo_trace_fact (trace, i)->value;
  return NULL;
}

void
kymo_trace_list_hosts (KymoTraceOut *trace)
{
  trace->hosts = g_ptr_array_new ();
  for (guint i = 0; i < trace->convert->places->len; i++)
    {
      const char *name = kymo_trace_host_of (trace,
                                             kymo_convert_place (trace->convert, i)->location);

      if (name != NULL
          && !g_ptr_array_find_with_equal_func (trace->hosts, name, g_str_equal, NULL))
        g_ptr_array_add (trace->hosts, (gpointer) name);
    }
}

/* On one line; blanks divide what stands before the name. */
static char *
dup_plain (const char *text,
           const char *bad,
           char        instead)
{
  return g_strdelimit (g_strdup (text), bad, instead);
}

/* The name as the files had it, where that is the one that is shown. */
const char *
kymo_trace_name_of (const KymoActivity *activity)
{
  g_autofree char *shown = activity->signature != NULL
    ? g_strchomp (g_strdup (activity->signature)) : NULL;

  return g_strcmp0 (shown, activity->name) == 0 ? activity->signature : activity->name;
}

static void
append_event (GString    *text,
              gint64      id,
              const char *group,
              int         tag,
              const char *name,
              const char *kind)
{
  g_autofree char *g = dup_plain (group, " \t\r\n\"", '_');
  g_autofree char *n = dup_plain (name, "\r\n", ' ');

  g_string_append_printf (text, "%" G_GINT64_FORMAT " %s %d \"%s\" %s\n", id, g, tag, n, kind);
}

static void
append_activity (const KymoTraceOut *trace,
                 guint               event,
                 GString            *text)
{
  const KymoActivity *activity = kymo_run_peek_activity (trace->convert->run, event);

  append_event (text, kymo_trace_id_of (event), activity->group, 0, kymo_trace_name_of (activity),
                activity->kind == KYMO_ACTIVITY_EVENT ? "TriggerValue" : "EntryExit");
}

static void
append_other (const KymoTraceOut *trace,
              guint               event,
              GString            *text)
{
  const KymoRun *run = trace->convert->run;
  guint i = event - trace->n_activities;

  if (i < trace->n_metrics)
    append_event (text, kymo_trace_id_of (event), "TAU_METRIC", 1, run->metrics->pdata[i],
                  "TriggerValue");
  else
    {
      guint k = i - trace->n_metrics;
      const KymoFact host = { (char *) "host", k < trace->n_facts ? NULL
        : trace->hosts->pdata[k - trace->n_facts] };
      const KymoFact *fact = k < trace->n_facts ? kymo_trace_fact (trace, k) : &host;
      g_autofree char *name = g_strconcat (key_of_fact (fact->key), " | ", fact->value, NULL);

      append_event (text, kymo_trace_id_of (event), "TAUEVENT", 0, name, "TriggerValue");
    }
}

/* The first process lists all there is, so that functions keep their numbers in a part of
   a run; the others what they have. */
gboolean
kymo_trace_write_events (KymoTraceOut  *trace,
                         gint64         node,
                         gboolean       all,
                         GError       **error)
{
  static const struct { gint64 id; int tag; const char *name, *kind; } special[] = {
    { KYMO_TRACE_INIT, 0, "EV_INIT", "none" }, { KYMO_TRACE_CLOSE, 0, "FLUSH_CLOSE", "none" },
    { KYMO_TRACE_WALL_CLOCK, 0, "WALL_CLOCK", "none" },
    { KYMO_TRACE_SEND, -7, "MESSAGE_SEND", "par" },
    { KYMO_TRACE_RECEIVE, -8, "MESSAGE_RECV", "par" },
  };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("events.%" G_GINT64_FORMAT ".edf", node);
  guint n = G_N_ELEMENTS (special);

  for (guint i = 0; i < trace->n_events; i++)
    n += trace->used[i] |= all && i < trace->n_activities;
  g_string_append_printf (text, "%u dynamic_trace_events\n"
                          "# FunctionId Group Tag \"Name Type\" Parameters\n", n);
  for (guint i = 0; i < trace->n_events; i++)
    if (trace->used[i])
      (i < trace->n_activities ? append_activity : append_other) (trace, i, text);
  for (guint i = 0; i < G_N_ELEMENTS (special); i++)
    append_event (text, special[i].id, "TRACER", special[i].tag, special[i].name,
                  special[i].kind);
  memset (trace->used, FALSE, trace->n_events);
  return kymo_run_writer_add (trace->writer, name, text->str, error);
}
