/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of names by id, however they came to be.
 */
#include "config.h"

#include "kymo-projections-sts.h"

#include <string.h>

/**
 * kymo_sts_new:
 *
 * Returns: (transfer full): version 11.0 without names
 */
KymoSts *
kymo_sts_new (void)
{
  KymoSts *sts = g_new0 (KymoSts, 1);

  sts->version = 110;
  sts->events = g_new (guint32, KYMO_STS_N_EVENT_IDS);
  memset (sts->events, 0xff, KYMO_STS_N_EVENT_IDS * sizeof (guint32));
  sts->functions = g_hash_table_new (NULL, NULL);
  return sts;
}

/**
 * kymo_sts_free:
 *
 * Frees @sts. %NULL is ignored.
 */
void
kymo_sts_free (KymoSts *sts)
{
  if (sts == NULL)
    return;
  g_free (sts->entries);
  g_free (sts->events);
  g_clear_pointer (&sts->functions, g_hash_table_unref);
  g_free (sts);
}

/**
 * kymo_sts_set_entry:
 * @id: below %KYMO_STS_MAX_ENTRY_ID
 */
void
kymo_sts_set_entry (KymoSts      *sts,
                    gint64        id,
                    KymoStsEntry  entry)
{
  if (id >= sts->n_entries)
    {
      guint n = MAX ((guint) id + 1, sts->n_entries * 2);

      sts->entries = g_renew (KymoStsEntry, sts->entries, n);
      for (guint i = sts->n_entries; i < n; i++)
        sts->entries[i] = (KymoStsEntry) { G_MAXUINT32, -1 };
      sts->n_entries = n;
    }
  sts->entries[id] = entry;
}

/**
 * kymo_sts_add_unknown:
 *
 * Adds the activities of ids that are not in the file; after all others.
 */
void
kymo_sts_add_unknown (KymoSts *sts,
                      KymoRun *run)
{
  sts->unknown_entry = kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, -1, "(unknown entry)",
                                              NULL, NULL);
  sts->unknown_event = kymo_run_add_activity (run, KYMO_ACTIVITY_EVENT, -1,
                                              "(unregistered event)", NULL, NULL);
}

/**
 * kymo_sts_new_nameless:
 * @run: gets the activities of ids without a name
 *
 * Returns: (transfer full): what stands for an .sts that is not there:
 * version 11.0, no names, no number of PEs
 */
KymoSts *
kymo_sts_new_nameless (KymoRun *run)
{
  KymoSts *sts = kymo_sts_new ();

  kymo_sts_add_unknown (sts, run);
  return sts;
}

/**
 * kymo_sts_add_entry:
 * @id: of an entry method that the logs use; one with a name keeps it
 *
 * Adds an activity "entry <id>".
 */
void
kymo_sts_add_entry (KymoSts *sts,
                    KymoRun *run,
                    gint64   id)
{
  g_autofree char *name = g_strdup_printf ("entry %" G_GINT64_FORMAT, id);
  KymoStsEntry entry = { 0, KYMO_STS_DIMENSIONS_UNKNOWN };

  if (id < 0 || id >= KYMO_STS_MAX_ENTRY_ID
      || (id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32))
    return;
  entry.activity = kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, id, name, NULL, NULL);
  kymo_sts_set_entry (sts, id, entry);
}

/**
 * kymo_sts_add_event:
 * @id: of a user event that the logs use; one with a name keeps it
 *
 * Adds an activity "event <id>".
 */
void
kymo_sts_add_event (KymoSts *sts,
                    KymoRun *run,
                    gint64   id)
{
  g_autofree char *name = g_strdup_printf ("event %" G_GINT64_FORMAT, id);

  if (id >= 0 && id < KYMO_STS_N_EVENT_IDS && sts->events[id] == G_MAXUINT32)
    sts->events[id] = kymo_run_add_activity (run, KYMO_ACTIVITY_EVENT, id, name, NULL, NULL);
}

/**
 * kymo_sts_is_worker:
 * @pe: below the number of PEs
 *
 * Returns: %FALSE where the PE is a communication thread
 */
gboolean
kymo_sts_is_worker (const KymoSts *sts,
                    gint64         pe)
{
  gint64 workers = sts->n_workers * sts->n_processes;

  return workers == 0 || sts->n_pes != workers + sts->n_processes || pe < workers;
}

/**
 * kymo_sts_describe_location:
 * @pe: below the number of PEs
 *
 * Workers come first, then one communication thread a process. Without SMP
 * every PE is a process.
 *
 * Returns: id, label (transfer full), kind and process of a PE
 */
KymoLocation
kymo_sts_describe_location (const KymoSts *sts,
                            gint64         pe)
{
  KymoLocation location = { .id = pe, .process = pe };
  gint64 workers = sts->n_workers * sts->n_processes;

  if (!kymo_sts_is_worker (sts, pe))
    {
      location.kind = KYMO_LOCATION_COMM;
      location.process = pe - workers;
      location.label = g_strdup_printf ("Comm %" G_GINT64_FORMAT, pe - workers);
      return location;
    }
  if (workers > 0)
    location.process = pe / sts->n_workers;
  location.label = g_strdup_printf ("PE %" G_GINT64_FORMAT, pe);
  return location;
}
