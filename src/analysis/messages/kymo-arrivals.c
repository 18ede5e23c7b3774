/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Made in three goes, each over all locations at once: the receivers look for their
 * senders and count at them; each sender makes room; the receivers put their messages
 * there. Where a message comes in the list of its send cannot be foretold then, so
 * that those of a broadcast are sorted in the end.
 */
#include "config.h"

#include "kymo-arrivals.h"

#include <stdlib.h>

#include "kymo-memory.h"
#include "kymo-order.h"
#include "kymo-ways.h"
#include "kymo-run-index.h"
#include "kymo-share.h"

/* Items that share an entry of "latest". */
#define CHUNK 64

typedef struct
{
  KymoArrival arrival;
  guint32     sender;
} Found;

typedef struct
{
  const KymoAsk *ask;
  KymoArrivals  *arrivals;
  GArray       **found;         /* by receiver: Found */
} Work;

static void
arrivals_free (gpointer data)
{
  KymoArrivals *arrivals = data;

  for (guint i = 0; i < arrivals->n_locations; i++)
    {
      kymo_scratch_free (arrivals->of[i].items);
      kymo_scratch_free (arrivals->of[i].first);
      g_free (arrivals->of[i].latest);
      g_free (arrivals->of[i].earliest);
      g_clear_pointer (&arrivals->lost[i], g_array_unref);
    }
  g_free (arrivals->of);
  g_free (arrivals->lost);
  g_free (arrivals);
}

/* -- the receivers look for their senders ---------------------------------- */

static void
add_found (Work              *work,
           guint              receiver,
           guint              sender,
           const KymoArrival *arrival)
{
  Found found = { *arrival, sender };

  g_array_append_val (work->found[receiver], found);
  g_atomic_int_inc ((gint *) &work->arrivals->of[sender].first[arrival->send]);
}

static void
add_lost (Work   *work,
          guint   receiver,
          gint64  begin_ns,
          guint   index)
{
  KymoLost lost = { begin_ns, index };

  g_array_append_val (work->arrivals->lost[receiver], lost);
}

static void
find_receives (Work              *work,
               const KymoSegment *segment)
{
  for (guint i = 0; i < segment->exchange->n_receives && !kymo_ask_is_stopped (work->ask, i); i++)
    {
      KymoReceipt receipt;
      KymoArrival arrival;

      kymo_receipt_of (work->ask, segment, i, &receipt);
      arrival = (KymoArrival) { receipt.time_ns, segment->location, FALSE, i,
                                receipt.sender.send, MIN (receipt.bytes, G_MAXUINT32) };
      if (kymo_sender_is_known (&receipt.sender))
        add_found (work, segment->location, receipt.sender.location, &arrival);
      else
        add_lost (work, segment->location, receipt.time_ns, i);
    }
}

/* kymo_way_of_block(), which need not be walked where the message was not passed on. */
static KymoMatch
find_sender (const KymoAsk *ask,
             KymoSegment   *segment,
             guint          block,
             guint         *hints,
             KymoSender    *sender)
{
  KymoMatch match = kymo_match_block (ask, segment, block, hints, sender);
  KymoWay way;

  if (!kymo_sender_is_known (sender) || !kymo_is_comm_thread (ask, sender->location))
    return match;
  kymo_way_of_block (ask, segment, block, &way);
  *sender = way.sender;
  return way.match;
}

static void
find_blocks (Work        *work,
             KymoSegment *segment)
{
  const KymoAsk *ask = work->ask;
  g_autofree guint *hints = g_new0 (guint, ask->run->locations->len);

  for (guint i = 0; i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    {
      KymoArrival arrival = { .location = segment->location, .index = i };
      KymoSender sender;

      if (segment->block_event[i] < 0 || !kymo_segment_is_first (segment, i)
          || kymo_block_is_hop (ask, segment, i))
        continue;
      arrival.begin_ns = kymo_segment_block_begin (segment, i);
      arrival.bytes = segment->block_bytes[i];
      arrival.uncertain = find_sender (ask, segment, i, hints, &sender) != KYMO_MATCH_SAME;
      arrival.send = sender.send;
      if (kymo_sender_is_known (&sender))
        add_found (work, segment->location, sender.location, &arrival);
      else
        add_lost (work, segment->location, arrival.begin_ns, i);
    }
}

static int
compare_lost (gconstpointer a,
              gconstpointer b)
{
  const KymoLost *x = a, *y = b;

  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  return x->index < y->index ? -1 : x->index > y->index;
}

static void
find_senders (gpointer data,
              guint    i)
{
  Work *work = data;
  KymoSegment *segment = kymo_ask_segment_of (work->ask, i);

  if (segment->exchange != NULL)
    find_receives (work, segment);
  else
    find_blocks (work, segment);
  g_array_sort (work->arrivals->lost[i], compare_lost);
}

/* -- the senders make room ------------------------------------------------- */

/* Counts become places: where the messages of each send begin. */
static void
make_room (gpointer data,
           guint    i)
{
  Work *work = data;
  KymoArrivalsOf *of = &work->arrivals->of[i];
  const KymoSegment *segment = kymo_ask_segment_of (work->ask, i);

  for (guint k = 0; k < segment->n_sends; k++)
    {
      guint32 count = of->first[k];

      of->first[k] = of->n;
      of->n += count;
    }
  of->first[segment->n_sends] = of->n;
  of->items = kymo_segment_new_made (segment, of->n, sizeof (KymoArrival));
}

static void
put_arrivals (gpointer data,
              guint    i)
{
  Work *work = data;
  GArray *found = work->found[i];

  for (guint k = 0; k < found->len; k++)
    {
      const Found *one = &g_array_index (found, Found, k);
      KymoArrivalsOf *of = &work->arrivals->of[one->sender];
      guint32 place = g_atomic_int_add ((gint *) &of->first[one->arrival.send], 1);

      of->items[place] = one->arrival;
    }
  g_clear_pointer (&work->found[i], g_array_unref);
}

static int
compare_arrivals (gconstpointer a,
                  gconstpointer b)
{
  const KymoArrival *x = a, *y = b;

  KYMO_ORDER_BY (x->location, y->location);
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Makes bounds of the times of each CHUNK arrivals. */
static void
make_bounds (KymoArrivalsOf    *of,
             const KymoSegment *segment)
{
  gboolean any = FALSE;

  of->latest = g_new (gint64, of->n / CHUNK + 1);
  of->earliest = g_new (gint64, of->n / CHUNK + 1);
  for (guint k = 0; k < of->n; k++)
    {
      const KymoArrival *item = &of->items[k];
      gboolean new = k % CHUNK == 0;

      of->latest[k / CHUNK] = new ? item->begin_ns : MAX (of->latest[k / CHUNK], item->begin_ns);
      of->earliest[k / CHUNK] = new ? item->begin_ns
        : MIN (of->earliest[k / CHUNK], item->begin_ns);
      any |= item->begin_ns < kymo_segment_send_time (segment, item->send);
    }
  if (!any)
    g_clear_pointer (&of->earliest, g_free);
}

/* Each place was moved to the end of its send, where the next one begins. */
static void
settle_arrivals (gpointer data,
                 guint    i)
{
  Work *work = data;
  KymoArrivalsOf *of = &work->arrivals->of[i];
  guint n_sends = kymo_ask_segment_of (work->ask, i)->n_sends;

  for (guint k = n_sends; k > 0; k--)
    of->first[k] = of->first[k - 1];
  of->first[0] = 0;
  for (guint k = 0; k < n_sends; k++)
    if (of->first[k + 1] - of->first[k] > 1)
      qsort (of->items + of->first[k], of->first[k + 1] - of->first[k], sizeof (KymoArrival),
             compare_arrivals);
  make_bounds (of, kymo_ask_segment_of (work->ask, i));
}

/* -- once a run ------------------------------------------------------------ */

static gboolean
make_all (Work *work)
{
  static const KymoShareFunc goes[] = { find_senders, make_room, put_arrivals, settle_arrivals };
  const KymoAsk *ask = work->ask;

  for (guint i = 0; i < G_N_ELEMENTS (goes); i++)
    if (!kymo_share_out (work->arrivals->n_locations, ask->n_threads, goes[i], work,
                         ask->cancellable)
        || g_cancellable_is_cancelled (ask->cancellable))
      return FALSE;
  return TRUE;
}

static gpointer
make_arrivals (gconstpointer   data,
               GError        **error)
{
  const KymoAsk *ask = data;
  guint n = ask->run->locations->len;
  KymoArrivals *arrivals = g_new0 (KymoArrivals, 1);
  g_autofree GArray **found = g_new0 (GArray *, MAX (n, 1));
  Work work = { ask, arrivals, found };
  gboolean ok;

  arrivals->n_locations = n;
  arrivals->of = g_new0 (KymoArrivalsOf, MAX (n, 1));
  arrivals->lost = g_new0 (GArray *, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      const KymoSegment *segment = kymo_ask_segment_of (ask, i);

      arrivals->of[i].first = kymo_segment_new_made (segment, (gsize) segment->n_sends + 1,
                                                     sizeof (guint32));
      arrivals->lost[i] = g_array_new (FALSE, FALSE, sizeof (KymoLost));
      found[i] = g_array_new (FALSE, FALSE, sizeof (Found));
    }
  ok = make_all (&work);
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&found[i], g_array_unref);
  if (ok)
    return arrivals;
  arrivals_free (arrivals);
  g_cancellable_set_error_if_cancelled (ask->cancellable, error);
  return NULL;
}

/**
 * kymo_arrivals_peek:
 *
 * For kinds that need all columns of the run. Any thread.
 *
 * Returns: (transfer none) (nullable): those of the run; %NULL when it was cancelled
 */
const KymoArrivals *
kymo_arrivals_peek (const KymoAsk  *ask,
                    GError        **error)
{
  return kymo_made_get (&ask->run->index->arrivals, make_arrivals, ask, arrivals_free,
                        ask->cancellable,
                        error);
}

/* -- reading --------------------------------------------------------------- */

/**
 * kymo_segment_first_send:
 *
 * Returns: index of the first send at @time_ns or later, or their number
 */
guint
kymo_segment_first_send (const KymoSegment *segment,
                         gint64             time_ns)
{
  return KYMO_FIND_FIRST (i, 0, segment->n_sends, kymo_segment_send_time (segment, i) >= time_ns);
}

/**
 * kymo_arrivals_each:
 * @sender: whose they are
 * @span: a range of time
 * @func: called for each, in order
 *
 * The messages that are under way at some moment of the range: sent before its end, and
 * begun in it or after it; or, where clocks disagree, the other way round. Of those that
 * were sent outside of the range 64 at a time are passed over where none reaches it.
 */
void
kymo_arrivals_each (const KymoArrivalsOf *of,
                    const KymoSegment    *sender,
                    KymoSpan              span,
                    KymoArrivalFunc       func,
                    gpointer              data)
{
  guint inside = of->first[kymo_segment_first_send (sender, span.begin_ns)];
  guint end = of->first[kymo_segment_first_send (sender, span.end_ns)];

  for (guint i = 0; i < inside; i++)
    if (of->latest[i / CHUNK] < span.begin_ns)
      i |= CHUNK - 1;
    else if (of->items[i].begin_ns >= span.begin_ns)
      func (&of->items[i], data);
  for (guint i = inside; i < end; i++)
    func (&of->items[i], data);
  for (guint i = end; of->earliest != NULL && i < of->n; i++)
    if (of->earliest[i / CHUNK] >= span.end_ns)
      i |= CHUNK - 1;
    else if (of->items[i].begin_ns < span.end_ns)
      func (&of->items[i], data);
}

/**
 * kymo_arrivals_find_lost:
 * @lost: (element-type KymoLost): sorted by begin
 *
 * Returns: index of the first that begins at @time_ns or later, or their number
 */
guint
kymo_arrivals_find_lost (const GArray *lost,
                         gint64        time_ns)
{
  return KYMO_FIND_FIRST (i, 0, lost->len, g_array_index (lost, KymoLost, i).begin_ns >= time_ns);
}
