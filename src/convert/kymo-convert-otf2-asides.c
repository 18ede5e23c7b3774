/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run keeps for archives alone (KymoAsideOp): requests of messages, one-sided operations,
 * and what threads do to each other. They are written as they were recorded.
 *
 * Of a range of time, a request that begins in it, or whose message is written, has all its
 * records, as has a stay in a team, a fork, or a single thread that reaches into the range.
 */
#include "config.h"

#include "kymo-convert-otf2-stream.h"

#include <string.h>

static gboolean
is_of_request (guint op)
{
  return op < KYMO_ASIDE_FORK || op >= KYMO_ASIDE_ATOMIC;
}

static gboolean
is_begin_of_request (guint op)
{
  return op == KYMO_ASIDE_POSTED || op == KYMO_ASIDE_GET || op >= KYMO_ASIDE_ATOMIC;
}

static gboolean
is_of_single_thread (guint op)
{
  return op >= KYMO_ASIDE_THREAD_CREATE && op <= KYMO_ASIDE_THREAD_WAIT;
}

/* -- requests ------------------------------------------------------------------------ */

static guint32
largest (const guint32 *numbers,
         guint          n)
{
  guint32 most = 0;

  for (guint i = 0; numbers != NULL && i < n; i++)
    most = MAX (most, numbers[i]);
  return most;
}

/* Numbers count from 1, one for each request at most; those of a file that was made to deceive
   lead nowhere. */
static guint32
count_numbers (const KymoSegment *segment)
{
  const KymoExchange *x = segment->exchange;
  guint64 bound = segment->n_asides;
  guint32 most = 0;

  for (guint i = 0; i < segment->n_asides; i++)
    if (is_of_request (segment->aside_op[i]))
      most = MAX (most, segment->aside_number[i]);
  if (x != NULL)
    {
      most = MAX (most, largest (x->send_request, x->n_sends));
      most = MAX (most, largest (x->receive_request, x->n_receives));
      bound += (guint64) x->n_sends + x->n_receives;
    }
  return MIN (most, bound);
}

/* (transfer full): by number the record of the message */
static guint32 *
new_index (const KymoOtf2Writing *stream,
           const guint32         *numbers,
           guint                  n)
{
  guint32 *index = g_new (guint32, (gsize) stream->n_numbers + 1);

  memset (index, 0xff, ((gsize) stream->n_numbers + 1) * sizeof *index);
  for (guint i = 0; numbers != NULL && i < n; i++)
    if (numbers[i] <= stream->n_numbers)
      index[numbers[i]] = i;
  return index;
}

static void
find_requests (KymoOtf2Writing *stream)
{
  const KymoSegment *segment = stream->segment;
  const KymoExchange *x = segment->exchange;

  stream->n_numbers = count_numbers (segment);
  stream->send_of = new_index (stream, x != NULL ? x->send_request : NULL,
                               x != NULL ? x->n_sends : 0);
  stream->receive_of = new_index (stream, x != NULL ? x->receive_request : NULL,
                                  x != NULL ? x->n_receives : 0);
  stream->is_atomic = g_new0 (guint8, (gsize) stream->n_numbers + 1);
  for (guint i = 0; i < segment->n_asides; i++)
    if (segment->aside_op[i] >= KYMO_ASIDE_ATOMIC
        && segment->aside_number[i] <= stream->n_numbers)
      stream->is_atomic[segment->aside_number[i]] = TRUE;
}

static void
want_requests (KymoOtf2Writing *stream)
{
  const KymoSegment *segment = stream->segment;
  g_autofree guint8 *numbers = g_new0 (guint8, (gsize) stream->n_numbers + 1);

  for (guint32 i = 1; i <= stream->n_numbers; i++)
    numbers[i] = (stream->send_of[i] != KYMO_UNMATCHED
                  && stream->parts.sends[stream->send_of[i]])
      || (stream->receive_of[i] != KYMO_UNMATCHED
          && stream->parts.receives[stream->receive_of[i]]);
  for (guint i = 0; i < segment->n_asides; i++)
    {
      gint64 time_ns = kymo_segment_aside_time (segment, i);

      if (is_begin_of_request (segment->aside_op[i])
          && segment->aside_number[i] <= stream->n_numbers)
        numbers[segment->aside_number[i]] |= kymo_otf2_is_in_range (stream, time_ns, time_ns);
    }
  for (guint i = 0; i < segment->n_asides; i++)
    if (is_of_request (segment->aside_op[i]) && segment->aside_number[i] <= stream->n_numbers)
      stream->wanted[i] = numbers[segment->aside_number[i]];
}

/* -- threads -------------------------------------------------------------------------- */

static gint64
key_of_thread (const KymoSegment *segment,
               guint              aside)
{
  return (gint64) segment->aside_comm[aside] << 32 | segment->aside_number[aside];
}

/* A thread lives from the first record of it to the last, wherever these are. */
static void
note_life (KymoOtf2Out       *out,
           const KymoSegment *segment,
           guint              aside)
{
  gint64 key = key_of_thread (segment, aside), time_ns = kymo_segment_aside_time (segment, aside);
  KymoSpan *life = g_hash_table_lookup (out->lives, &key);

  if (life == NULL)
    {
      KymoSpan fresh = { time_ns, time_ns };

      g_hash_table_insert (out->lives, g_memdup2 (&key, sizeof key),
                           g_memdup2 (&fresh, sizeof fresh));
      return;
    }
  life->begin_ns = MIN (life->begin_ns, time_ns);
  life->end_ns = MAX (life->end_ns, time_ns);
}

static void
find_lives (KymoOtf2Out *out)
{
  for (guint i = 0; i < out->convert->places->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (
        out->convert->run->segments, kymo_convert_place (out->convert, i)->location);

      for (guint k = 0; k < segment->n_asides && kymo_convert_goes_on (out->convert, k); k++)
        if (is_of_single_thread (segment->aside_op[k]))
          note_life (out, segment, k);
    }
}

/**
 * kymo_otf2_out_find_threads:
 *
 * Finds how long single threads live, and which links between threads the archive will lack.
 */
void
kymo_otf2_out_find_threads (KymoOtf2Out *out)
{
  const GArray *links = out->convert->run->thread_links;
  KymoSpan counted = out->choice.counted;

  out->lives = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  if (out->choice.whole)
    return;
  find_lives (out);
  for (guint i = 0; links != NULL && i < links->len; i++)
    {
      const KymoThreadLink *link = &g_array_index (links, KymoThreadLink, i);

      out->n_links += link->to_ns >= counted.begin_ns && link->from_ns < counted.end_ns
        && kymo_otf2_out_is_chosen (out, link->to) && !kymo_otf2_out_is_chosen (out, link->from);
    }
}

/**
 * Stay: a fork up to its join, or what a thread does in a team
 * @end: aside that ends it, or %KYMO_UNMATCHED
 * @fork: the stay that is the innermost fork around it, or %KYMO_UNMATCHED
 */
typedef struct
{
  guint32  begin, end, fork;
  gboolean wanted;
} Stay;

static guint32
last_of (const GArray *open)
{
  return open->len > 0 ? g_array_index (open, guint32, open->len - 1) : KYMO_UNMATCHED;
}

/* (transfer full): in the order in which they begin */
static GArray *
find_stays (const KymoSegment *segment)
{
  GArray *stays = g_array_new (FALSE, FALSE, sizeof (Stay));
  g_autoptr (GArray) forks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) teams = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < segment->n_asides; i++)
    {
      guint op = segment->aside_op[i];
      GArray *open = op == KYMO_ASIDE_FORK || op == KYMO_ASIDE_JOIN ? forks : teams;
      Stay stay = { i, KYMO_UNMATCHED, last_of (forks), FALSE };

      if (op == KYMO_ASIDE_FORK || op == KYMO_ASIDE_TEAM_BEGIN)
        {
          g_array_append_val (open, stays->len);
          g_array_append_val (stays, stay);
        }
      else if ((op == KYMO_ASIDE_JOIN || op == KYMO_ASIDE_TEAM_END) && open->len > 0)
        {
          g_array_index (stays, Stay, last_of (open)).end = i;
          g_array_set_size (open, open->len - 1);
        }
    }
  return stays;
}

/* Marks the records that begin and end a stay in a team, if the stay reaches into the written range
   or lies in a marked fork. */
static void
want_stays (KymoOtf2Writing *stream)
{
  const KymoSegment *segment = stream->segment;
  g_autoptr (GArray) stays = find_stays (segment);

  for (guint i = 0; i < stays->len; i++)
    {
      Stay *stay = &g_array_index (stays, Stay, i);
      gint64 end_ns = stay->end != KYMO_UNMATCHED ? kymo_segment_aside_time (segment, stay->end)
        : G_MAXINT64;

      stay->wanted = kymo_otf2_is_in_range (
        stream, kymo_segment_aside_time (segment, stay->begin), end_ns)
        || (stay->fork != KYMO_UNMATCHED && segment->aside_op[stay->begin] != KYMO_ASIDE_FORK
            && g_array_index (stays, Stay, stay->fork).wanted);
      stream->wanted[stay->begin] = stay->wanted;
      if (stay->end != KYMO_UNMATCHED)
        stream->wanted[stay->end] = stay->wanted;
    }
}

static void
want_single_threads (KymoOtf2Writing *stream)
{
  const KymoSegment *segment = stream->segment;

  for (guint i = 0; i < segment->n_asides; i++)
    if (is_of_single_thread (segment->aside_op[i]))
      {
        gint64 key = key_of_thread (segment, i);
        const KymoSpan *life = g_hash_table_lookup (stream->out->lives, &key);

        stream->wanted[i] = life != NULL
          && kymo_otf2_is_in_range (stream, life->begin_ns, life->end_ns);
      }
}

/** kymo_otf2_asides_init: finds what is written; the messages are chosen already */
void
kymo_otf2_asides_init (KymoOtf2Writing *stream)
{
  guint n = stream->segment->n_asides;

  if (n == 0)
    return;
  find_requests (stream);
  if (stream->out->choice.whole)
    return;
  stream->wanted = g_new0 (guint8, n);
  want_stays (stream);
  want_single_threads (stream);
  want_requests (stream);
}

void
kymo_otf2_asides_clear (KymoOtf2Writing *stream)
{
  g_free (stream->wanted);
  g_free (stream->send_of);
  g_free (stream->receive_of);
  g_free (stream->is_atomic);
}

/** kymo_otf2_find_aside: Returns: when the next aside is that is written, or %G_MAXINT64 */
gint64
kymo_otf2_find_aside (KymoOtf2Writing *stream)
{
  guint n = stream->segment->n_asides;

  while (stream->next_aside < n && stream->wanted != NULL && !stream->wanted[stream->next_aside])
    stream->next_aside++;
  return stream->next_aside < n
    ? kymo_segment_aside_time (stream->segment, stream->next_aside) : G_MAXINT64;
}

/* -- records ---------------------------------------------------------------------------- */

static gboolean
put_request (KymoOtf2Writing *stream,
             OTF2_TimeStamp   time,
             guint            op,
             guint32          number)
{
  OTF2_EvtWriter *writer = stream->writer;

  switch (op)
    {
    case KYMO_ASIDE_POSTED:
      kymo_otf2_done (stream, OTF2_EvtWriter_MpiIrecvRequest (writer, NULL, time, number));
      return TRUE;
    case KYMO_ASIDE_SENT:
      kymo_otf2_done (stream, OTF2_EvtWriter_MpiIsendComplete (writer, NULL, time, number));
      return TRUE;
    case KYMO_ASIDE_TESTED:
      kymo_otf2_done (stream, OTF2_EvtWriter_MpiRequestTest (writer, NULL, time, number));
      return TRUE;
    case KYMO_ASIDE_CANCELLED:
      kymo_otf2_done (stream, OTF2_EvtWriter_MpiRequestCancelled (writer, NULL, time, number));
      return TRUE;
    default:
      return FALSE;
    }
}

/* The window of a one-sided operation, and the partner's rank, as its message tells them. */
static gboolean
find_target (const KymoOtf2Writing *stream,
             guint32                number,
             guint32               *win,
             guint32               *rank)
{
  const KymoExchange *x = stream->segment->exchange;
  guint32 send = number <= stream->n_numbers ? stream->send_of[number] : KYMO_UNMATCHED;
  guint32 receive = number <= stream->n_numbers ? stream->receive_of[number] : KYMO_UNMATCHED;

  if (send != KYMO_UNMATCHED)
    return kymo_otf2_out_find_partner (stream->out, TRUE, x->send_comm[send], stream->location,
                                       x->send_partner[send], win, rank);
  return receive != KYMO_UNMATCHED
    && kymo_otf2_out_find_partner (stream->out, TRUE, x->receive_comm[receive], stream->location,
                                   x->receive_partner[receive], win, rank);
}

/* Begins a one-sided transfer. A transfer that was never completed brought 0 bytes; the load report
   lists such transfers. */
static OTF2_ErrorCode
begin_transfer (KymoOtf2Writing *stream,
                OTF2_TimeStamp   time,
                guint            op,
                guint32          number,
                guint32          win,
                guint32          rank)
{
  guint32 send = stream->send_of[number], receive = stream->receive_of[number];
  guint64 got = receive != KYMO_UNMATCHED
    ? stream->segment->exchange->receive_bytes[receive] : 0;

  if (op == KYMO_ASIDE_GET)
    return OTF2_EvtWriter_RmaGet (stream->writer, NULL, time, win, rank, got, number);
  return OTF2_EvtWriter_RmaAtomic (stream->writer, NULL, time, win, rank, op - KYMO_ASIDE_ATOMIC,
                                   send != KYMO_UNMATCHED ? stream->segment->send_bytes[send] : 0,
                                   got, number);
}

static void
put_transfer (KymoOtf2Writing *stream,
              OTF2_TimeStamp   time,
              guint            op,
              guint32          number)
{
  OTF2_EvtWriter *writer = stream->writer;
  guint32 win, rank;

  if (!find_target (stream, number, &win, &rank))
    {
      stream->out->n_partners += is_begin_of_request (op);
      return;
    }
  switch (op)
    {
    case KYMO_ASIDE_DONE_BLOCKING:
      kymo_otf2_done (stream, OTF2_EvtWriter_RmaOpCompleteBlocking (writer, NULL, time, win,
                                                                    number));
      break;
    case KYMO_ASIDE_DONE:
      kymo_otf2_done (stream, OTF2_EvtWriter_RmaOpCompleteNonBlocking (writer, NULL, time, win,
                                                                       number));
      break;
    case KYMO_ASIDE_DONE_REMOTE:
      kymo_otf2_done (stream, OTF2_EvtWriter_RmaOpCompleteRemote (writer, NULL, time, win,
                                                                  number));
      break;
    case KYMO_ASIDE_TRIED:
      kymo_otf2_done (stream, OTF2_EvtWriter_RmaOpTest (writer, NULL, time, win, number));
      break;
    default:
      kymo_otf2_done (stream, begin_transfer (stream, time, op, number, win, rank));
    }
}

/* Of teams; FALSE where it is of a single thread. */
static gboolean
put_team (KymoOtf2Writing *stream,
          OTF2_TimeStamp   time,
          guint            op,
          guint32          number,
          guint32          comm,
          guint32          ref)
{
  OTF2_EvtWriter *writer = stream->writer;

  switch (op)
    {
    case KYMO_ASIDE_FORK:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadFork (writer, NULL, time, comm, number));
      return TRUE;
    case KYMO_ASIDE_JOIN:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadJoin (writer, NULL, time, comm));
      return TRUE;
    case KYMO_ASIDE_TEAM_BEGIN:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadTeamBegin (writer, NULL, time, ref));
      return TRUE;
    case KYMO_ASIDE_TEAM_END:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadTeamEnd (writer, NULL, time, ref));
      return TRUE;
    default:
      return FALSE;
    }
}

static void
put_thread (KymoOtf2Writing *stream,
            OTF2_TimeStamp   time,
            guint            op,
            guint32          number,
            guint32          comm)
{
  OTF2_EvtWriter *writer = stream->writer;
  guint32 ref = comm > 0 && comm <= G_MAXINT32
    ? kymo_otf2_out_comm_ref (stream->out, comm - 1) : OTF2_UNDEFINED_COMM;

  if (put_team (stream, time, op, number, comm, ref))
    return;
  switch (op)
    {
    case KYMO_ASIDE_THREAD_CREATE:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadCreate (writer, NULL, time, ref, number));
      break;
    case KYMO_ASIDE_THREAD_BEGIN:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadBegin (writer, NULL, time, ref, number));
      break;
    case KYMO_ASIDE_THREAD_END:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadEnd (writer, NULL, time, ref, number));
      break;
    default:
      kymo_otf2_done (stream, OTF2_EvtWriter_ThreadWait (writer, NULL, time, ref, number));
    }
}

/** kymo_otf2_put_aside: writes the aside that kymo_otf2_find_aside() found */
void
kymo_otf2_put_aside (KymoOtf2Writing *stream,
                     gint64           time_ns)
{
  const KymoSegment *segment = stream->segment;
  guint i = stream->next_aside++;
  guint op = segment->aside_op[i];
  guint32 number = segment->aside_number[i];
  OTF2_TimeStamp time = kymo_otf2_at (stream, time_ns);

  if (put_request (stream, time, op, number))
    return;
  if (is_of_request (op))
    put_transfer (stream, time, op, number);
  else
    put_thread (stream, time, op, number, segment->aside_comm[i]);
}
