/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The collectives that the files of a run tell, as sections of its segment file, and back.
 * When they began and ended, and who came last, is not stored: their members tell. They
 * are read and checked when the file is opened, for they are few beside records.
 */
#include "config.h"

#include "kymo-segment-collectives.h"

static gboolean
in_reach (gint64 ns)
{
  return ns > -KYMO_SEGMENT_MAX_NS && ns < KYMO_SEGMENT_MAX_NS;
}

/**
 * kymo_stored_collectives_fit:
 *
 * Returns: whether the format has a place for the collectives of a run, if there are any
 */
gboolean
kymo_stored_collectives_fit (const KymoRun *run)
{
  for (guint i = 0; run->collectives != NULL && i < run->collectives->members->len; i++)
    {
      const KymoCollectiveMember *member = &g_array_index (run->collectives->members,
                                                           KymoCollectiveMember, i);

      if (!in_reach (member->begin_ns) || !in_reach (member->end_ns))
        return FALSE;
    }
  return TRUE;
}

/**
 * kymo_stored_collectives_make:
 * @run: sealed
 * @lists: (out): what the sections hold; kymo_stored_collectives_clear()
 */
void
kymo_stored_collectives_make (const KymoRun              *run,
                              KymoStoredCollectivesLists *lists)
{
  *lists = (KymoStoredCollectivesLists) {
    g_array_new (FALSE, TRUE, sizeof (KymoStoredCollective)),
    g_array_new (FALSE, TRUE, sizeof (KymoStoredMember)),
  };
  for (guint i = 0; run->collectives != NULL && i < run->collectives->list->len; i++)
    {
      const KymoCollective *c = &g_array_index (run->collectives->list, KymoCollective, i);
      KymoStoredCollective stored = { c->activity, c->kind, c->root, c->n_members, c->comm,
                                      c->op, c->level, c->sent_bytes, c->received_bytes };

      g_array_append_val (lists->list, stored);
      for (guint k = 0; k < c->n_members; k++)
        {
          const KymoCollectiveMember *m = kymo_collective_member (run->collectives, c, k);
          KymoCollectiveBytes moved = kymo_collective_bytes (run->collectives, c, k);
          KymoStoredMember member = { m->location, 0, m->begin_ns, m->end_ns, moved.sent,
                                      moved.received };

          g_array_append_val (lists->members, member);
        }
    }
}

/**
 * kymo_stored_collectives_clear:
 *
 * Frees the lists, not the struct itself.
 */
void
kymo_stored_collectives_clear (KymoStoredCollectivesLists *lists)
{
  g_clear_pointer (&lists->list, g_array_unref);
  g_clear_pointer (&lists->members, g_array_unref);
}

/* Its members are locations of the run, each once, in order. */
static gboolean
take_members (const KymoStoredMember *stored,
              guint                   n,
              guint                   n_locations,
              GArray                 *members,
              GArray                 *bytes)
{
  g_array_set_size (members, 0);
  g_array_set_size (bytes, 0);
  for (guint i = 0; i < n; i++)
    {
      KymoCollectiveMember member = { stored[i].location, stored[i].begin_ns, stored[i].end_ns };
      KymoCollectiveBytes moved = { stored[i].sent_bytes, stored[i].received_bytes };

      if (member.location >= n_locations || !in_reach (member.begin_ns)
          || !in_reach (member.end_ns) || member.begin_ns > member.end_ns
          || moved.sent < -1 || moved.received < -1
          || (i > 0 && member.location <= stored[i - 1].location))
        return FALSE;
      g_array_append_val (members, member);
      g_array_append_val (bytes, moved);
    }
  return TRUE;
}

static gboolean
take_one (const KymoStoredCollective *stored,
          const KymoStoredMember     *own,
          guint64                     n_left,
          const KymoRun              *run,
          GArray                     *members,
          GArray                     *bytes)
{
  KymoCollective *made;

  if (stored->activity >= run->activities->len || stored->kind > KYMO_COLLECTIVE_OTHER
      || stored->root < -1 || stored->root >= (gint64) run->locations->len
      || stored->n_members == 0 || stored->n_members > n_left
      || stored->sent_bytes < -1 || stored->received_bytes < -1
      || stored->comm < -1 || stored->op < -1 || stored->op > G_MAXUINT8
      || stored->comm >= (run->definitions != NULL ? (gint64) run->definitions->comms->len : 0)
      || !take_members (own, stored->n_members, run->locations->len, members,
                        bytes))
    return FALSE;
  made = kymo_collectives_add (run->collectives, (KymoCollectiveMember *) members->data,
                               members->len, stored->activity, stored->kind, stored->root);
  made->comm = stored->comm;
  made->op = stored->op;
  made->level = stored->level;
  kymo_collectives_set_bytes (run->collectives, made, (KymoCollectiveBytes *) bytes->data);
  made->sent_bytes = stored->sent_bytes;
  made->received_bytes = stored->received_bytes;
  return TRUE;
}

/**
 * kymo_stored_collectives_take:
 * @bytes: of the whole file
 * @header: whose places lie inside the file
 * @run: with activities and locations; gets the collectives
 *
 * Returns: whether the sections can be believed
 */
gboolean
kymo_stored_collectives_take (const guint8            *bytes,
                              const KymoSegmentHeader *header,
                              KymoRun                 *run)
{
  const KymoStoredCollective *stored = (gconstpointer) (bytes + header->collectives.offset);
  const KymoStoredMember *member = (gconstpointer) (bytes + header->members.offset);
  guint64 n = header->collectives.n_bytes / sizeof *stored;
  guint64 n_left = header->members.n_bytes / sizeof *member;
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (KymoCollectiveMember));
  g_autoptr (GArray) moved = g_array_new (FALSE, FALSE, sizeof (KymoCollectiveBytes));

  if (header->collectives.n_bytes % sizeof *stored != 0
      || header->members.n_bytes % sizeof *member != 0 || n_left >= G_MAXUINT32
      || header->has_collectives > 1 || header->n_collectives_left_out > G_MAXUINT32)
    return FALSE;
  if (header->has_collectives == 0)
    return n == 0 && n_left == 0 && header->n_collectives_left_out == 0;
  run->collectives = kymo_collectives_new ();
  run->collectives->n_left_out = header->n_collectives_left_out;
  for (guint64 i = 0; i < n; i++)
    {
      if (!take_one (&stored[i], member, n_left, run, members, moved))
        return FALSE;
      member += stored[i].n_members;
      n_left -= stored[i].n_members;
    }
  /* They were written in order, so that this moves nothing. */
  kymo_collectives_sort (run->collectives);
  return n_left == 0;
}
