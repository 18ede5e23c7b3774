/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages that begin entry methods. A run has the creation of each, with a number of its
 * sender, and the block that it began; an archive has sends and receives. So the block's begin is
 * a receive, and where its creation is known for sure that is a send, one for each block that it
 * began: both have a tag of their own, for such messages overtake each other.
 */
#include "config.h"

#include "kymo-convert-otf2.h"

#include "kymo-ways.h"

static gboolean
is_counted (const KymoOtf2Out *out,
            gint64             time_ns)
{
  KymoSpan counted = out->choice.counted;

  return out->choice.whole || (time_ns >= counted.begin_ns && time_ns < counted.end_ns);
}

static void
add_end (GArray                   **list,
         const KymoOtf2OutMessage  *end)
{
  if (*list == NULL)
    *list = g_array_new (FALSE, FALSE, sizeof (KymoOtf2OutMessage));
  g_array_append_vals (*list, end, 1);
}

/**
 * kymo_otf2_out_sources_are_ranks:
 *
 * Returns: whether the number of a PE is its rank, also of one without a log; not where
 *   several PEs share a process
 */
gboolean
kymo_otf2_out_sources_are_ranks (const KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;

  for (guint i = 0; i < run->locations->len; i++)
    if (kymo_run_peek_location (run, i)->id != kymo_otf2_out_node (out, i))
      return FALSE;
  return TRUE;
}

/* The rank of who sent it, or -1 where the archive has none of that number. */
static gint64
rank_of_source (const KymoOtf2Out *out,
                gint32             source)
{
  gint location = kymo_run_find_location (out->convert->run, source);
  gint64 rank = location >= 0 ? kymo_otf2_out_node (out, location)
    : out->sources_are_ranks ? source : -1;

  return rank >= 0 && rank < out->n_ranks ? rank : -1;
}

static void
add_message (KymoOtf2Out       *out,
             const KymoSegment *segment,
             guint              location,
             guint              block,
             guint             *hints)
{
  const KymoAsk ask = { .run = out->convert->run };
  KymoSender sender;
  KymoMatch match = kymo_match_block (&ask, segment, block, hints, &sender);
  gint64 source = rank_of_source (out, segment->block_source[block]);
  KymoOtf2OutMessage receive = {
    .time_ns = kymo_segment_block_begin (segment, block), .partner = source,
    .bytes = segment->block_bytes[block], .block = block,
  };
  KymoOtf2OutMessage sent;
  KymoSegment *creator;

  if (source < 0)
    {
      out->n_partners++;
      return;
    }
  if (!is_counted (out, receive.time_ns)
      && (match != KYMO_MATCH_SAME
          || !is_counted (out, sender.sent_ns)))
    return;
  receive.tag = out->n_tags++ & G_MAXINT32;
  add_end (&out->receives[location], &receive);
  if (match != KYMO_MATCH_SAME || !kymo_otf2_out_is_chosen (out, sender.location))
    return;
  creator = kymo_ask_segment_of (&ask, sender.location);
  sent = (KymoOtf2OutMessage) {
    .time_ns = sender.sent_ns,
    .partner = kymo_otf2_out_node (out, location), .tag = receive.tag,
    .bytes = creator->send_bytes[sender.send],
    .block = kymo_segment_peek_send_blocks (creator)[sender.send],
  };
  add_end (&out->sends[sender.location], &sent);
}

static int
compare_times (gconstpointer a,
               gconstpointer b)
{
  const KymoOtf2OutMessage *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return (x->tag > y->tag) - (x->tag < y->tag);
}

/**
 * kymo_otf2_out_find_messages:
 *
 * Finds the messages that begin entry methods, and adds the communicator of all ranks that they
 * are sent on. Nothing is found where the files tell of sends and receives themselves.
 */
void
kymo_otf2_out_find_messages (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  KymoOtf2OutComm comm = { .defined = -1, .name = -1 };
  g_autofree guint *hints = g_new0 (guint, MAX (run->locations->len, 1));

  out->sends = g_new0 (GArray *, MAX (run->locations->len, 1));
  out->receives = g_new0 (GArray *, MAX (run->locations->len, 1));
  if (kymo_run_has_exchanges (run))
    return;
  out->messages = out->comms->len;
  out->sources_are_ranks = kymo_otf2_out_sources_are_ranks (out);
  for (guint i = 0; i < out->convert->places->len; i++)
    {
      guint location = kymo_convert_place (out->convert, i)->location;
      KymoSegment *segment = g_ptr_array_index (run->segments, location);

      for (guint k = 0; k < segment->n_blocks && kymo_convert_goes_on (out->convert, k); k++)
        if (segment->block_event[k] >= 0 && kymo_segment_is_first (segment, k))
          add_message (out, segment, location, k, hints);
    }
  for (guint i = 0; i < run->locations->len; i++)
    {
      if (out->sends[i] != NULL)
        g_array_sort (out->sends[i], compare_times);
      if (out->receives[i] != NULL)
        g_array_sort (out->receives[i], compare_times);
    }
  if (out->n_tags > 0)
    g_array_append_val (out->comms, comm);
}
