/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-senders.h"

#include "kymo-memory.h"
#include "kymo-once.h"
#include "kymo-run-index.h"

/* Most blocks open at the time of a send that are looked at. */
#define MOST_AT_ONE_TIME 256

/**
 * Sweep: over the blocks of a segment, from send to send
 * @open: guint: blocks that began before the time and have not ended before it
 * @next: the first block that does not begin before it
 */
typedef struct
{
  const KymoSegment *segment;
  GArray            *open;
  guint              next;
  gint64             time_ns;
} Sweep;

static gint64
end_of_last (const Sweep *sweep)
{
  return kymo_segment_block_end (sweep->segment,
                                 g_array_index (sweep->open, guint, sweep->open->len - 1));
}

static void
go_to (Sweep *sweep,
       gint64 time_ns)
{
  const KymoSegment *segment = sweep->segment;

  /* In bad logs sends may be out of order. */
  sweep->time_ns = MAX (sweep->time_ns, time_ns);
  for (; sweep->next < segment->n_blocks
       && kymo_segment_block_begin (segment, sweep->next) < sweep->time_ns; sweep->next++)
    {
      while (sweep->open->len > 0
             && end_of_last (sweep) <= kymo_segment_block_begin (segment, sweep->next))
        g_array_set_size (sweep->open, sweep->open->len - 1);
      g_array_append_val (sweep->open, sweep->next);
    }
  while (sweep->open->len > 0 && end_of_last (sweep) < sweep->time_ns)
    g_array_set_size (sweep->open, sweep->open->len - 1);
}

/* Blocks that may have created what stands at the time: the innermost of those that began
   before, what lies around it where it ends just then, and those that begin then. */
static guint
find_candidates (const Sweep *sweep,
                 guint32     *candidates)
{
  const KymoSegment *segment = sweep->segment;
  guint n = 0;

  for (guint i = sweep->open->len; i-- > 0 && n < MOST_AT_ONE_TIME;)
    {
      guint block = g_array_index (sweep->open, guint, i);

      candidates[n++] = block;
      if (kymo_segment_block_end (segment, block) > sweep->time_ns)
        break;
    }
  for (guint i = sweep->next; i < segment->n_blocks && n < MOST_AT_ONE_TIME
       && kymo_segment_block_begin (segment, i) == sweep->time_ns; i++)
    candidates[n++] = i;
  return n;
}

static gint64
key_of (guint32 from,
        guint32 to)
{
  return (gint64) ((guint64) from << 32 | to);
}

static gint64
sure_of (GHashTable *sure,
         gint64      key)
{
  const gint64 *count = g_hash_table_lookup (sure, &key);

  return count != NULL ? count[1] : 0;
}

static void
count_sure (GHashTable *sure,
            gint64      key)
{
  gint64 *count = g_hash_table_lookup (sure, &key);

  if (count == NULL)
    {
      count = g_new0 (gint64, 2);
      count[0] = key;
      g_hash_table_add (sure, count);
    }
  count[1]++;
}

/* Of the location at work; until its end those in doubt are UNDECIDED. */
#define UNDECIDED (G_MAXUINT32 - 1)

typedef struct
{
  const KymoAsk     *ask;
  const KymoSegment *segment;
  guint32           *owners;    /* by send */
  GHashTable        *sure;
} Work;

static void
take_sure (const Work *work)
{
  const KymoSegment *segment = work->segment;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  Sweep sweep = { segment, open, 0, G_MININT64 };
  guint32 candidates[MOST_AT_ONE_TIME];

  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (work->ask, i); i++)
    {
      gboolean doubt = FALSE;
      guint32 activity;
      guint n;

      go_to (&sweep, kymo_segment_send_time (segment, i));
      n = find_candidates (&sweep, candidates);
      work->owners[i] = n > 0 ? candidates[0] : KYMO_NO_BLOCK;
      if (n == 0)
        continue;
      activity = segment->block_activity[candidates[0]];
      for (guint k = 1; k < n; k++)
        doubt |= segment->block_activity[candidates[k]] != activity;
      if (doubt)
        work->owners[i] = UNDECIDED;
      else
        count_sure (work->sure, key_of (activity, segment->send_activity[i]));
    }
}

/* There are candidates: nothing else was in doubt. */
static guint32
most_likely (const Work    *work,
             guint          send,
             const guint32 *candidates,
             guint          n)
{
  const KymoSegment *segment = work->segment;
  gint64 most = -1;
  guint32 owner = KYMO_NO_BLOCK;

  for (guint k = 0; k < n; k++)
    {
      gint64 count = sure_of (work->sure, key_of (segment->block_activity[candidates[k]],
                                                  segment->send_activity[send]));

      if (count > most)
        {
          owner = candidates[k];
          most = count;
        }
    }
  return owner;
}

static void
take_likely (const Work *work)
{
  const KymoSegment *segment = work->segment;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  Sweep sweep = { segment, open, 0, G_MININT64 };
  guint32 candidates[MOST_AT_ONE_TIME];

  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (work->ask, i); i++)
    {
      if (work->owners[i] != UNDECIDED)
        continue;
      go_to (&sweep, kymo_segment_send_time (segment, i));
      work->owners[i] = most_likely (work, i, candidates, find_candidates (&sweep, candidates));
    }
}

/* NULL where it was cancelled. */
static guint32 *
make_owners (const KymoAsk     *ask,
             const KymoSegment *segment)
{
  g_autoptr (GHashTable) sure = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                       NULL);
  Work work = { ask, segment, kymo_segment_new_made (segment, segment->n_sends,
                                                     sizeof (guint32)), sure };

  take_sure (&work);
  take_likely (&work);
  if (g_cancellable_is_cancelled (ask->cancellable))
    g_clear_pointer (&work.owners, kymo_scratch_free);
  return work.owners;
}

/* -- once a run ------------------------------------------------------------ */

/** Senders: by location */
typedef struct
{
  guint     n_locations;
  gsize    *once;
  guint32 **owners;
} Senders;

static gpointer
make_senders (gconstpointer   data,
              GError        **error)
{
  const KymoAsk *ask = data;
  Senders *senders = g_new0 (Senders, 1);

  senders->n_locations = ask->run->locations->len;
  senders->once = g_new0 (gsize, senders->n_locations + 1);
  senders->owners = g_new0 (guint32 *, senders->n_locations + 1);
  return senders;
}

static void
senders_free (gpointer data)
{
  Senders *senders = data;

  for (guint i = 0; i < senders->n_locations; i++)
    if (senders->owners[i] != NULL)
      kymo_scratch_free (senders->owners[i]);
  g_free (senders->owners);
  g_free (senders->once);
  g_free (senders);
}

/**
 * kymo_send_owner:
 * @ask: of a question that has the blocks and sends of @segment
 *
 * Any thread.
 *
 * Returns: the block of @segment that created a send, or %KYMO_NO_BLOCK: it was created
 * outside of all; also where the question was cancelled
 */
guint32
kymo_send_owner (const KymoAsk     *ask,
                 const KymoSegment *segment,
                 guint              send)
{
  guint location = segment->location;
  Senders *senders;

  if (segment->exchange != NULL)
    return segment->exchange->send_block[send];
  senders = kymo_made_get (&ask->run->index->senders, make_senders, ask, senders_free, NULL, NULL);
  if (kymo_once_enter (&senders->once[location]))
    {
      senders->owners[location] = make_owners (ask, segment);
      /* After a cancelled walk the next caller begins again. */
      kymo_once_leave (&senders->once[location], senders->owners[location] != NULL);
    }
  return kymo_once_get (&senders->once[location]) != 0 ? senders->owners[location][send]
    : KYMO_NO_BLOCK;
}
