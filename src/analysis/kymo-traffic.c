/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-traffic.h"

#include "kymo-exchanges.h"
#include "kymo-messages.h"
#include "kymo-once.h"

/**
 * kymo_traffic_rules_init:
 * @rules: (out): by the keyword "join" of the question, and the run
 */
void
kymo_traffic_rules_init (KymoTrafficRules *rules,
                         const KymoAsk    *ask)
{
  *rules = (KymoTrafficRules) {
    .join = kymo_question_get_flag (ask->question, "join"),
    .exchanges = kymo_run_has_exchanges (ask->run),
  };
  for (guint i = 0; rules->join && i < ask->run->locations->len && !rules->has_ways; i++)
    rules->has_ways = kymo_run_peek_location (ask->run, i)->kind == KYMO_LOCATION_COMM;
}

static void
tell_block (const KymoAsk          *ask,
            const KymoTrafficRules *rules,
            KymoSegment            *segment,
            guint                   block,
            guint                  *hints,
            KymoTrafficFunc         func,
            gpointer                data)
{
  KymoTrafficMessage message = {
    .from = segment->block_source[block],
    .received_ns = kymo_segment_block_begin (segment, block),
    .bytes = segment->block_bytes[block],
    .activity = segment->block_activity[block],
  };
  KymoMatch match;

  if (rules->has_ways)
    {
      KymoWay way;

      if (kymo_block_is_hop (ask, segment, block))
        return;
      kymo_way_of_block (ask, segment, block, &way);
      match = way.match;
      message.from = way.from;
      message.sender = way.sender;
      message.send = way.send;
    }
  else
    match = kymo_match_block (ask, segment, block, hints, &message.sender, &message.send);
  if (match != KYMO_MATCH_SAME)
    message.sender = NULL;
  func (ask, data, segment, &message);
}

static void
tell_receive (const KymoAsk   *ask,
              KymoSegment     *segment,
              guint            i,
              KymoTrafficFunc  func,
              gpointer         data)
{
  KymoReceipt receipt;

  kymo_receipt_of (ask, segment, i, &receipt);
  func (ask, data, segment, &(KymoTrafficMessage) {
    .from = receipt.from,
    .received_ns = receipt.time_ns,
    .bytes = receipt.bytes,
    .activity = receipt.activity,
    .sender = (KymoSegment *) receipt.sender,
    .send = receipt.send,
  });
}

/**
 * kymo_traffic_each_received:
 * @later: those received behind the asked range as well
 * @hints: (nullable): by location of the run, at first 0; see kymo_match_block()
 *
 * Calls @func for each message that the location of @segment received in the asked range.
 * Stops where the question is cancelled.
 */
void
kymo_traffic_each_received (const KymoAsk          *ask,
                            const KymoTrafficRules *rules,
                            KymoSegment            *segment,
                            gboolean                later,
                            guint                  *hints,
                            KymoTrafficFunc         func,
                            gpointer                data)
{
  gint64 end_ns = later ? G_MAXINT64 : kymo_ask_count_end (ask);

  if (rules->exchanges)
    {
      for (guint i = 0; segment->exchange != NULL && i < segment->exchange->n_receives
           && !kymo_ask_is_stopped (ask, i); i++)
        {
          gint64 time_ns = kymo_segment_receive_time (segment, i);

          if (time_ns >= ask->span.begin_ns && time_ns < end_ns)
            tell_receive (ask, segment, i, func, data);
        }
      return;
    }
  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns
       && !kymo_ask_is_stopped (ask, i); i++)
    if (segment->block_event[i] >= 0 && kymo_segment_is_first (segment, i))
      tell_block (ask, rules, segment, i, hints, func, data);
}

/**
 * kymo_traffic_send_is_asked:
 *
 * Returns: whether a send lies in the asked range
 */
gboolean
kymo_traffic_send_is_asked (const KymoAsk     *ask,
                            const KymoSegment *segment,
                            guint              send)
{
  gint64 time_ns = kymo_segment_send_time (segment, send);

  return time_ns >= ask->span.begin_ns && time_ns < kymo_ask_count_end (ask);
}

struct _KymoTrafficSenders
{
  guint     n_locations;
  gsize    *once;               /* by location */
  guint32 **activities;         /* by location, then send */
};

/**
 * kymo_traffic_senders_new:
 *
 * Returns: (transfer full): nothing yet: what is asked for is made, once a location
 */
KymoTrafficSenders *
kymo_traffic_senders_new (const KymoRun *run)
{
  KymoTrafficSenders *senders = g_new0 (KymoTrafficSenders, 1);

  senders->n_locations = run->locations->len;
  senders->once = g_new0 (gsize, senders->n_locations + 1);
  senders->activities = g_new0 (guint32 *, senders->n_locations + 1);
  return senders;
}

/** kymo_traffic_senders_free: */
void
kymo_traffic_senders_free (KymoTrafficSenders *senders)
{
  if (senders == NULL)
    return;
  for (guint i = 0; i < senders->n_locations; i++)
    g_free (senders->activities[i]);
  g_free (senders->activities);
  g_free (senders->once);
  g_free (senders);
}

/* So many blocks that stand at the time of a send are looked at. */
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

      candidates[n++] = segment->block_activity[block];
      if (kymo_segment_block_end (segment, block) > sweep->time_ns)
        break;
    }
  for (guint i = sweep->next; i < segment->n_blocks && n < MOST_AT_ONE_TIME
       && kymo_segment_block_begin (segment, i) == sweep->time_ns; i++)
    candidates[n++] = segment->block_activity[i];
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

/* Clocks are coarse: a creation may stand at the time at which one block ends and others
   begin, and the order of the records is not kept. Those that leave no doubt are taken
   first (but for them all are UNDECIDED); of the others each is that of the candidate which
   surely sent most to the same entry method here, the first one where several did. */
#define UNDECIDED (G_MAXUINT32 - 1)

static void
take_sure (const KymoSegment *segment,
           guint32           *activities,
           GHashTable        *sure)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  Sweep sweep = { segment, open, 0, G_MININT64 };
  guint32 candidates[MOST_AT_ONE_TIME];

  for (guint i = 0; i < segment->n_sends; i++)
    {
      guint n;
      gboolean doubt = FALSE;

      go_to (&sweep, kymo_segment_send_time (segment, i));
      n = find_candidates (&sweep, candidates);
      for (guint k = 1; k < n; k++)
        doubt |= candidates[k] != candidates[0];
      activities[i] = doubt ? UNDECIDED : n > 0 ? candidates[0] : KYMO_OUTSIDE;
      if (!doubt && n > 0)
        count_sure (sure, key_of (candidates[0], segment->send_activity[i]));
    }
}

static void
take_likely (const KymoSegment *segment,
             guint32           *activities,
             GHashTable        *sure)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  Sweep sweep = { segment, open, 0, G_MININT64 };
  guint32 candidates[MOST_AT_ONE_TIME];

  for (guint i = 0; i < segment->n_sends; i++)
    {
      gint64 most = -1;
      guint n;

      if (activities[i] != UNDECIDED)
        continue;
      go_to (&sweep, kymo_segment_send_time (segment, i));
      n = find_candidates (&sweep, candidates);
      /* There are some, unless blocks overlap that should nest. */
      activities[i] = KYMO_OUTSIDE;
      for (guint k = 0; k < n; k++)
        {
          gint64 count = sure_of (sure, key_of (candidates[k], segment->send_activity[i]));

          if (count > most)
            {
              activities[i] = candidates[k];
              most = count;
            }
        }
    }
}

static guint32 *
make_activities (const KymoSegment *segment)
{
  guint32 *activities = g_new (guint32, MAX (segment->n_sends, 1));
  g_autoptr (GHashTable) sure = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                       NULL);

  take_sure (segment, activities, sure);
  take_likely (segment, activities, sure);
  return activities;
}

/**
 * kymo_traffic_senders_get:
 *
 * Returns: the entry method or function whose block created a send: the innermost one
 * around it, or %KYMO_OUTSIDE
 */
guint32
kymo_traffic_senders_get (KymoTrafficSenders *senders,
                          const KymoSegment  *segment,
                          guint               send)
{
  guint location = segment->location;

  if (segment->exchange != NULL)
    {
      guint32 block = segment->exchange->send_block[send];

      return block == KYMO_NO_BLOCK ? KYMO_OUTSIDE : segment->block_activity[block];
    }
  if (kymo_once_enter (&senders->once[location]))
    {
      senders->activities[location] = make_activities (segment);
      kymo_once_leave (&senders->once[location], 1);
    }
  return senders->activities[location][send];
}

/**
 * kymo_traffic_send_bytes:
 *
 * Returns: its size times its destinations. Both numbers come from files: an absurd
 * product stays at the largest number
 */
gint64
kymo_traffic_send_bytes (const KymoSegment *segment,
                         guint              send)
{
  guint64 all = (guint64) segment->send_bytes[send]
    * kymo_segment_send_destinations (segment, send);

  return (gint64) MIN (all, G_MAXINT64);
}

/**
 * kymo_traffic_of:
 *
 * Returns: what a picture of the answer is to show, by the keyword "of": "messages" or
 * "bytes". Figures do not depend on it
 */
const char *
kymo_traffic_of (const KymoQuestion *question)
{
  return g_strcmp0 (kymo_question_get (question, "of"), "messages") == 0 ? "messages" : "bytes";
}
