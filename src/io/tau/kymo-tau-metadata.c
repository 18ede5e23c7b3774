/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What TAU writes about a process at the end of its trace: events named "<key> | <value>",
 * triggered once with the value 1. What all processes agree on is provenance of the run.
 * What is triggered otherwise is a user event with a line in its name.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

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

/* While threads are gone through: @values by key, NULL where they do not agree. */
typedef struct
{
  GHashTable *values;
  GPtrArray  *keys;             /* in order of appearance; the table owns them */
  gboolean   *sampled;          /* by activity behind the known ones: it has points */
  gint64      n_lone;           /* samples that look like metadata of an event that is none */
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

/* Which events turned out to have samples; those that have none leave the run, up to the
   last one that has. */
static void
drop_metadata (KymoTauTraceReading *reading,
               Metadata            *all)
{
  guint n = reading->n_known;
  GHashTableIter iter;
  gpointer event, state;

  for (guint i = 0; i < reading->threads->len; i++)
    {
      g_hash_table_iter_init (&iter, kymo_tau_thread (reading, i)->stream.sample_of);
      while (g_hash_table_iter_next (&iter, &event, &state))
        if (GPOINTER_TO_UINT (state) == KYMO_TAU_GIVEN)
          {
            guint activity = ((KymoTauEvent *) event)->activity;

            all->sampled[activity - reading->n_known] = TRUE;
            n = MAX (n, activity + 1);
          }
    }
  g_array_set_size (reading->run->activities, n);
}

static void
collect_tau_metadata (KymoTauTraceReading *reading,
                      Metadata            *all)
{
  for (guint i = 0; i < reading->threads->len; i++)
    {
      GArray *aside = kymo_tau_thread (reading, i)->stream.aside;

      for (guint k = 0; k < aside->len; k++)
        {
          const KymoTauEvent *event = g_array_index (aside, KymoTauSample, k).event;

          if (event == NULL)
            continue;
          if (all->sampled[event->activity - reading->n_known])
            all->n_lone++;
          else
            take_fact (all, event->name);
        }
    }
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
 * Gives the run its facts, and takes the activities of those events from it that have no
 * samples.
 */
void
kymo_tau_take_metadata (KymoTauTraceReading *reading)
{
  Metadata all = { 0 };

  all.values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  all.keys = g_ptr_array_new ();
  all.sampled = g_new0 (gboolean, reading->run->activities->len - reading->n_known + 1);
  drop_metadata (reading, &all);
  collect_tau_metadata (reading, &all);
  add_facts (reading->run, &all);
  if (all.n_lone > 0)
    kymo_report_add (reading->run->report, "events", KYMO_SEVERITY_LOST, all.n_lone, -1,
                     N_("Single samples with the value 1 were taken for notes about the process"));
  g_hash_table_unref (all.values);
  g_ptr_array_unref (all.keys);
  g_free (all.sampled);
}
