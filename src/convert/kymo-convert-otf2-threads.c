/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links between threads. A run keeps of forks, teams and single threads which of them waited
 * for which other one (kymo-thread-links.h), so each link is written as a thread of its own
 * number: the records of the one that went on and of the one that let it. A reader finds the
 * same links.
 */
#include "config.h"

#include "kymo-convert-otf2.h"

enum
{
  CREATE,                       /* by the one */
  BEGIN,                        /* of the other */
  END,                          /* of the one */
  WAIT,                         /* by the other, which goes on */
};

/* Where pointers are short some pairs are taken for one, which changes what a link is written
   as, and not what is read of it. */
static gpointer
pair_of (guint32 from,
         guint32 to)
{
  return GSIZE_TO_POINTER (((gsize) from << (4 * sizeof (gsize))) ^ to);
}

/* By pair of threads the first link from the one to the other, plus one. */
static GHashTable *
find_first_links (const GArray *links)
{
  GHashTable *first = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < links->len; i++)
    {
      const KymoThreadLink *link = &g_array_index (links, KymoThreadLink, i);
      gpointer pair = pair_of (link->from, link->to);

      /* Links to a thread are in order of time. */
      if (!g_hash_table_contains (first, pair))
        g_hash_table_insert (first, pair, GUINT_TO_POINTER (i + 1));
    }
  return first;
}

/* Whether a thread went on because another one, which it had begun, was at its end. */
static gboolean
is_join (const GArray         *links,
         GHashTable           *first,
         const KymoThreadLink *link)
{
  guint began = GPOINTER_TO_UINT (g_hash_table_lookup (first, pair_of (link->to, link->from)));

  return link->from_ns == link->to_ns && began > 0
    && g_array_index (links, KymoThreadLink, began - 1).to_ns <= link->to_ns;
}

static gboolean
is_of_one_process (const KymoOtf2Out *out,
                   const KymoGroup   *group)
{
  for (guint i = 0; i < group->n_members; i++)
    if (group->members[i] == G_MAXUINT32
        || kymo_otf2_out_node (out, group->members[i])
           != kymo_otf2_out_node (out, group->members[0]))
      return FALSE;
  return group->n_members > 0;
}

/* (transfer full): by process the communicators of its threads: indices in the definitions */
static GHashTable *
find_teams (const KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;
  GHashTable *teams = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; definitions != NULL && i < definitions->comms->len; i++)
    {
      const KymoComm *comm = kymo_otf2_out_defined (out, i);
      const KymoGroup *group = comm->kind == KYMO_COMM_GROUP && comm->group >= 0
        ? &g_array_index (definitions->groups, KymoGroup, comm->group) : NULL;
      gpointer process;
      GArray *list;

      if (group == NULL || !is_of_one_process (out, group))
        continue;
      process = GINT_TO_POINTER ((gint) kymo_otf2_out_node (out, group->members[0]));
      list = g_hash_table_lookup (teams, process);
      if (list == NULL)
        {
          list = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (teams, process, list);
        }
      g_array_append_val (list, i);
    }
  return teams;
}

/* The communicator that both threads of a link are in. */
static guint32
team_of (const KymoOtf2Out    *out,
         GHashTable           *teams,
         const KymoThreadLink *link)
{
  const GArray *list = g_hash_table_lookup (
    teams, GINT_TO_POINTER ((gint) kymo_otf2_out_node (out, link->to)));

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      guint at = g_array_index (list, guint, i);
      GHashTable *locations = out->members[kymo_otf2_out_defined (out, at)->group].locations;

      if (g_hash_table_contains (locations, GUINT_TO_POINTER (link->to))
          && g_hash_table_contains (locations, GUINT_TO_POINTER (link->from)))
        return kymo_otf2_out_comm_ref (out, at);
    }
  return OTF2_UNDEFINED_COMM;
}

static void
add_end (KymoOtf2Out *out,
         guint        location,
         gint64       time_ns,
         guint64      sequence,
         guint32      comm,
         guint32      kind)
{
  KymoOtf2OutThread end = { time_ns, sequence, comm, kind };
  GArray **list = &out->threads[location];

  if (*list == NULL)
    *list = g_array_new (FALSE, FALSE, sizeof (KymoOtf2OutThread));
  g_array_append_val (*list, end);
}

/* Whether it is written. */
static gboolean
wants_link (KymoOtf2Out          *out,
            const KymoThreadLink *link)
{
  KymoSpan counted = out->choice.counted;

  if (!out->choice.whole && (link->to_ns < counted.begin_ns || link->from_ns >= counted.end_ns))
    return FALSE;
  if (kymo_otf2_out_is_chosen (out, link->to) && kymo_otf2_out_is_chosen (out, link->from))
    return TRUE;
  out->n_links += kymo_otf2_out_is_chosen (out, link->to);
  return FALSE;
}

static int
compare_times (gconstpointer a,
               gconstpointer b)
{
  const KymoOtf2OutThread *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/**
 * kymo_otf2_out_find_threads:
 *
 * Finds what is written of links between threads; the communicators are found already.
 */
void
kymo_otf2_out_find_threads (KymoOtf2Out *out)
{
  const GArray *links = out->convert->run->thread_links;
  g_autoptr (GHashTable) first = NULL;
  g_autoptr (GHashTable) teams = NULL;

  out->threads = g_new0 (GArray *, MAX (out->convert->run->locations->len, 1));
  if (links == NULL)
    return;
  first = find_first_links (links);
  teams = find_teams (out);
  for (guint i = 0; i < links->len; i++)
    {
      const KymoThreadLink *link = &g_array_index (links, KymoThreadLink, i);
      gboolean join = is_join (links, first, link);
      guint32 comm;

      if (!wants_link (out, link))
        continue;
      comm = team_of (out, teams, link);
      add_end (out, link->from, link->from_ns, i, comm, join ? END : CREATE);
      add_end (out, link->to, link->to_ns, i, comm, join ? WAIT : BEGIN);
    }
  for (guint i = 0; i < out->convert->run->locations->len; i++)
    if (out->threads[i] != NULL)
      g_array_sort (out->threads[i], compare_times);
}

/** kymo_otf2_out_put_thread: writes an end of a link */
void
kymo_otf2_out_put_thread (KymoOtf2Out             *out,
                          OTF2_EvtWriter          *writer,
                          OTF2_TimeStamp           time,
                          const KymoOtf2OutThread *end)
{
  switch (end->kind)
    {
    case CREATE:
      kymo_otf2_out_note (out, OTF2_EvtWriter_ThreadCreate (writer, NULL, time, end->comm,
                                                            end->sequence));
      break;
    case BEGIN:
      kymo_otf2_out_note (out, OTF2_EvtWriter_ThreadBegin (writer, NULL, time, end->comm,
                                                           end->sequence));
      break;
    case END:
      kymo_otf2_out_note (out, OTF2_EvtWriter_ThreadEnd (writer, NULL, time, end->comm,
                                                         end->sequence));
      break;
    default:
      kymo_otf2_out_note (out, OTF2_EvtWriter_ThreadWait (writer, NULL, time, end->comm,
                                                          end->sequence));
    }
}
