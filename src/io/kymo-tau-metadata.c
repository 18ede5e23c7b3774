/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What TAU writes about a process at the end of its trace: events named "<key> | <value>",
 * triggered once with the value 1. What all processes agree on is provenance of the run.
 * What is triggered otherwise is a user event with a line in its name.
 */
#include "config.h"

#include "kymo-tau-metadata.h"

#include <string.h>

#define DIVIDER " | "

/* Keys of TAU for what all runs know by one word. */
static const struct
{
  const char *key;
  const char *fact;
} known_keys[] =
{
  { "Executable", "program" },
  { "Command Line", "command_line" },
  { "Username", "user" },
  { "Hostname", "host" },
  { "OS Machine", "machine" },
  { "Local Time", "timestamp" },
  { "TAU Version", "runtime_version" },
};

static const char *
fact_of_key (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (known_keys); i++)
    if (g_str_equal (known_keys[i].key, key))
      return known_keys[i].fact;
  return key;
}

static gboolean
is_metadata (const KymoTauStream *stream,
             const KymoTauSample *sample)
{
  guint first = GPOINTER_TO_UINT (g_hash_table_lookup (stream->sample_of, sample->event));

  return sample->value == 1 && g_array_index (stream->samples, KymoTauSample, first - 1).n == 1;
}

/* While threads are gone through: @values by key, NULL where they do not agree. */
typedef struct
{
  GHashTable *values;
  GPtrArray  *keys;             /* in order of appearance; the table owns them */
  GHashTable *user_events;      /* that are none: by name an event, then its activity */
} Metadata;

static void
take_fact (Metadata   *all,
           const char *name)
{
  const char *divider = strstr (name, DIVIDER), *value = divider + strlen (DIVIDER);
  char *key = g_strndup (name, divider - name);
  gpointer before;

  if (!g_hash_table_lookup_extended (all->values, key, NULL, &before))
    {
      g_ptr_array_add (all->keys, key);
      g_hash_table_insert (all->values, key, g_strdup (value));
      return;
    }
  if (before != NULL && !g_str_equal (before, value))
    g_hash_table_insert (all->values, key, NULL);       /* takes our key and frees it */
  else
    g_free (key);
}

static void
collect (KymoTauTraceReading *reading,
         Metadata       *all)
{
  for (guint i = 0; i < reading->threads->len; i++)
    {
      const KymoTauStream *stream = &kymo_tau_thread (reading, i)->stream;

      for (guint k = 0; k < stream->samples->len; k++)
        {
          const KymoTauSample *sample = &g_array_index (stream->samples, KymoTauSample, k);

          if (is_metadata (stream, sample))
            take_fact (all, sample->event->name);
          else
            g_hash_table_insert (all->user_events, sample->event->name, (gpointer) sample->event);
        }
    }
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
name_user_events (KymoTauTraceReading *reading,
                  Metadata       *all)
{
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (all->user_events, NULL);
  guint n = g_hash_table_size (all->user_events), n_before = reading->run->activities->len;

  qsort (names, n, sizeof *names, compare_names);
  for (guint i = 0; i < n; i++)
    {
      const KymoTauEvent *event = g_hash_table_lookup (all->user_events, names[i]);
      g_autofree char *shown = kymo_tau_dup_shown_name (event->name);
      guint activity = kymo_run_add_activity (reading->run, KYMO_ACTIVITY_EVENT,
                                              n_before - reading->n_functions + i, shown,
                                              event->name, event->group);

      g_hash_table_insert (all->user_events, names[i], GUINT_TO_POINTER (activity));
    }
}

static int
compare_points (gconstpointer a,
                gconstpointer b)
{
  const KymoPoint *x = a, *y = b;

  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Samples that are no metadata become points after all. */
static void
add_points (KymoTauThread  *thread,
            const Metadata *all)
{
  KymoTauStream *stream = &thread->stream;
  GArray *points = thread->segment->points;
  guint n_before = points->len;

  for (guint k = 0; k < stream->samples->len; k++)
    {
      const KymoTauSample *sample = &g_array_index (stream->samples, KymoTauSample, k);
      KymoPoint point = { sample->time_ns, sample->time_ns, KYMO_POINT_USER_VALUE, 0, -1, 0,
                          sample->value, NULL };

      if (is_metadata (stream, sample))
        continue;
      point.activity = GPOINTER_TO_UINT (g_hash_table_lookup (all->user_events,
                                                              sample->event->name));
      g_array_append_val (points, point);
    }
  if (points->len > n_before)
    g_array_sort (points, compare_points);
}

static void
add_facts (KymoRun        *run,
           const Metadata *all)
{
  for (guint i = 0; i < G_N_ELEMENTS (known_keys); i++)
    {
      const char *value = g_hash_table_lookup (all->values, known_keys[i].key);

      if (value != NULL)
        kymo_run_add_fact (run, known_keys[i].fact, value);
    }
  for (guint i = 0; i < all->keys->len; i++)
    {
      const char *key = all->keys->pdata[i], *value = g_hash_table_lookup (all->values, key);

      if (value != NULL && fact_of_key (key) == key)
        {
          g_autofree char *valid = g_utf8_make_valid (key, -1);

          kymo_run_add_fact (run, valid, value);
        }
    }
}

/**
 * kymo_tau_take_metadata:
 *
 * Gives the run its facts, and the segments of the threads the samples that turned out to
 * be no metadata.
 */
void
kymo_tau_take_metadata (KymoTauTraceReading *reading)
{
  Metadata all = { 0 };

  all.values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  all.keys = g_ptr_array_new ();
  all.user_events = g_hash_table_new (g_str_hash, g_str_equal);
  collect (reading, &all);
  name_user_events (reading, &all);
  for (guint i = 0; i < reading->threads->len; i++)
    if (kymo_tau_thread (reading, i)->segment != NULL)
      add_points (kymo_tau_thread (reading, i), &all);
  add_facts (reading->run, &all);
  g_hash_table_unref (all.values);
  g_ptr_array_unref (all.keys);
  g_hash_table_unref (all.user_events);
}
