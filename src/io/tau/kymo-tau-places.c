/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree that the threads of a TAU trace hang in: the machines that processes noted, the
 * ranks, their threads. It is made where it tells more than the list of threads does.
 */
#include "config.h"

#include "kymo-tau-metadata.h"

#include <string.h>

#define HOST_NOTE "Hostname | "

/* (nullable): the name of the machine, where the thread noted it */
static const char *
host_of (const KymoTauThread *thread)
{
  GArray *aside = thread->stream.aside;

  for (guint i = 0; i < aside->len; i++)
    {
      const KymoTauEvent *event = g_array_index (aside, KymoTauSample, i).event;

      if (event != NULL && g_str_has_prefix (event->name, HOST_NOTE))
        return event->name + strlen (HOST_NOTE);
    }
  return NULL;
}

/* Machine by rank; only one thread of each rank notes it. */
static GHashTable *
find_hosts (const KymoTauTraceReading *reading,
            guint                     *n_hosts)
{
  GHashTable *host_of_rank = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) hosts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < reading->threads->len; i++)
    {
      const KymoTauThread *thread = kymo_tau_thread (reading, i);
      const char *host = host_of (thread);

      if (host == NULL)
        continue;
      g_hash_table_insert (host_of_rank, GUINT_TO_POINTER (thread->node), (gpointer) host);
      g_hash_table_add (hosts, (gpointer) host);
    }
  *n_hosts = g_hash_table_size (hosts);
  return host_of_rank;
}

static gint64
add_host (KymoRun    *run,
          GHashTable *places,
          const char *host)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, host));

  if (place == 0)
    {
      place = kymo_run_add_place (run, "node", host, -1) + 1;
      g_hash_table_insert (places, (gpointer) host, GUINT_TO_POINTER (place));
    }
  return place - 1;
}

/**
 * kymo_tau_add_places:
 * @by_rank: each rank has one thread
 * @places: (array): of each thread what it lies in, or -1; to be filled
 *
 * Ranks of several threads are places, within their machine where that is noted; ranks of
 * one lie in it directly, where there are several machines.
 */
void
kymo_tau_add_places (KymoTauTraceReading *reading,
                     gboolean             by_rank,
                     gint64              *places)
{
  guint n_hosts;
  g_autoptr (GHashTable) host_of_rank = find_hosts (reading, &n_hosts);
  g_autoptr (GHashTable) hosts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < reading->threads->len; i++)
    {
      const KymoTauThread *thread = kymo_tau_thread (reading, i);
      const char *host = g_hash_table_lookup (host_of_rank, GUINT_TO_POINTER (thread->node));

      places[i] = -1;
      if (by_rank && n_hosts > 1 && host != NULL)
        places[i] = add_host (reading->run, hosts, host);
      else if (!by_rank && i > 0 && kymo_tau_thread (reading, i - 1)->node == thread->node)
        places[i] = places[i - 1];
      else if (!by_rank)
        {
          g_autofree char *label = g_strdup_printf ("rank %u", thread->node);
          gint64 above = host != NULL ? add_host (reading->run, hosts, host) : -1;

          places[i] = kymo_run_add_place (reading->run, "process", label, above);
        }
    }
}
