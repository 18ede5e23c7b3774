/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a segment: made, lent, fitted, counted, freed. Columns
 * belong to the segment unless it has a backing or a lender.
 */
#include "config.h"

#include "kymo-segment.h"

#include <string.h>

#include "kymo-memory.h"

/* Smaller ones are no relief. */
#define LARGE_BYTES (1 << 16)

static void
make_lists (KymoSegment *segment)
{
  segment->points = g_array_new (FALSE, TRUE, sizeof (KymoPoint));
  segment->stretches = g_array_new (FALSE, FALSE, sizeof (KymoStretch));
  segment->multicasts = g_array_new (FALSE, FALSE, sizeof (KymoMulticast));
  segment->multicast_pes = g_array_new (FALSE, FALSE, sizeof (gint32));
}

/**
 * kymo_segment_new:
 *
 * Returns: (transfer full): a segment without content, to be filled by the caller
 */
KymoSegment *
kymo_segment_new (void)
{
  KymoSegment *segment = g_new0 (KymoSegment, 1);

  g_atomic_ref_count_init (&segment->ref_count);
  make_lists (segment);
  segment->sends_ascend = TRUE;
  segment->unit_ns = 1;
  return segment;
}

static void
point_clear (GArray *points)
{
  for (guint i = 0; i < points->len; i++)
    g_free (g_array_index (points, KymoPoint, i).text);
  g_array_unref (points);
}

static void
free_columns (KymoSegment *segment)
{
  kymo_scratch_free (segment->piece_begin);
  kymo_scratch_free (segment->piece_state);
  kymo_scratch_free (segment->block_begin);
  kymo_scratch_free (segment->block_end);
  kymo_scratch_free (segment->block_activity);
  kymo_scratch_free (segment->block_source);
  kymo_scratch_free (segment->block_event);
  kymo_scratch_free (segment->block_bytes);
  kymo_scratch_free (segment->block_object);
  kymo_scratch_free (segment->block_depth);
  kymo_scratch_free (segment->block_counters);
  kymo_scratch_free (segment->objects);
  kymo_scratch_free (segment->send_time);
  kymo_scratch_free (segment->send_activity);
  kymo_scratch_free (segment->send_event);
  kymo_scratch_free (segment->send_bytes);
  kymo_scratch_free (segment->send_destinations);
  kymo_scratch_free (segment->send_kind);
  kymo_scratch_free (segment->aside_time);
  kymo_scratch_free (segment->aside_block);
  kymo_scratch_free (segment->aside_number);
  kymo_scratch_free (segment->aside_comm);
  kymo_scratch_free (segment->aside_op);
}

static void
free_sends_lists (KymoSegment *segment)
{
  if (segment->lent_lists & KYMO_PART_SENDS)
    {
      g_clear_pointer (&segment->multicasts, g_free);
      g_clear_pointer (&segment->multicast_pes, g_free);
      return;
    }
  g_clear_pointer (&segment->multicasts, g_array_unref);
  g_clear_pointer (&segment->multicast_pes, g_array_unref);
}

static void
free_points_lists (KymoSegment *segment)
{
  if (segment->lent_lists & KYMO_PART_POINTS)
    {
      kymo_scratch_free (segment->points->data);
      kymo_scratch_free (segment->stretches->data);
      g_clear_pointer (&segment->points, g_free);
      g_clear_pointer (&segment->stretches, g_free);
      return;
    }
  g_clear_pointer (&segment->points, point_clear);
  g_clear_pointer (&segment->stretches, g_array_unref);
}

static void
free_lists (KymoSegment *segment)
{
  free_sends_lists (segment);
  free_points_lists (segment);
}

/* An array of GLib's form whose elements are another's, or scratch memory:
   for reading only. */
static GArray *
lent_array (gconstpointer data,
            guint         n)
{
  GArray *array = g_new (GArray, 1);

  *array = (GArray) { (gpointer) data, n };
  return array;
}

/**
 * kymo_segment_lend_points:
 * @segment: with a backing, that has no points yet
 * @points: (transfer full): of kymo_segment_new_made(); their texts are the
 *   backing's
 * @stretches: (transfer full): so, too
 */
void
kymo_segment_lend_points (KymoSegment *segment,
                          KymoPoint   *points,
                          guint        n_points,
                          KymoStretch *stretches,
                          guint        n_stretches)
{
  free_points_lists (segment);
  segment->points = lent_array (points, n_points);
  segment->stretches = lent_array (stretches, n_stretches);
  segment->lent_lists |= KYMO_PART_POINTS;
}

/**
 * kymo_segment_lend_multicasts:
 * @segment: with a backing
 * @multicasts: (array) (element-type KymoMulticast): the backing's
 * @pes: (array) (element-type gint32): the backing's
 */
void
kymo_segment_lend_multicasts (KymoSegment   *segment,
                              gconstpointer  multicasts,
                              guint          n_multicasts,
                              gconstpointer  pes,
                              guint          n_pes)
{
  free_sends_lists (segment);
  segment->multicasts = lent_array (multicasts, n_multicasts);
  segment->multicast_pes = lent_array (pes, n_pes);
  segment->lent_lists |= KYMO_PART_SENDS;
}

/* Frees the indexes that were made on first use; each face of a segment has its own. */
static void
free_made (KymoSegment *segment)
{
  kymo_scratch_free (segment->block_call);
  kymo_scratch_free (segment->call_first_block);
  kymo_scratch_free (segment->sends_by_event);
  kymo_scratch_free (segment->send_block);
  kymo_scratch_free (segment->block_send);
  kymo_totals_clear (segment);
}

static void
clear_made (KymoSegment *segment)
{
  segment->calls_once = 0;
  segment->block_call = NULL;
  segment->call_first_block = NULL;
  segment->n_calls = 0;
  segment->sends_once = 0;
  segment->sends_by_event = NULL;
  segment->send_blocks_once = 0;
  segment->send_block = NULL;
  segment->block_send = NULL;
  if (!segment->totals_lent)
    {
      segment->totals_once = 0;
      segment->totals = (KymoTotals) { 0 };
    }
  memset (segment->used_once, 0, sizeof segment->used_once);
}

/**
 * kymo_segment_new_lent:
 * @lender: a sealed segment, that is not shifted any more
 *
 * A second face of a segment, for a run in which its location has another
 * number. It borrows the columns and keeps the lender alive.
 *
 * Returns: (transfer full): the face
 */
KymoSegment *
kymo_segment_new_lent (KymoSegment *lender)
{
  KymoSegment *segment = g_memdup2 (lender, sizeof *lender);

  g_atomic_ref_count_init (&segment->ref_count);
  segment->lender = kymo_segment_ref (lender);
  clear_made (segment);
  if (segment->backing != NULL)
    {
      /* A backing fills the lists on first use, of each face its own. */
      kymo_backing_ref (segment->backing);
      make_lists (segment);
      segment->lent_lists = 0;
    }
  return segment;
}

/**
 * kymo_segment_ref:
 *
 * Returns: (transfer full): @segment, with one more reference
 */
KymoSegment *
kymo_segment_ref (KymoSegment *segment)
{
  g_atomic_ref_count_inc (&segment->ref_count);
  return segment;
}

static void
free_own (KymoSegment *segment)
{
  if (segment->backing == NULL)
    free_columns (segment);
  kymo_pyramid_free (segment->pyramid);
  kymo_exchange_free (segment->exchange);
  kymo_bins_unref (segment->bins);
}

/**
 * kymo_segment_unref:
 *
 * Drops a reference to @segment and frees it with the last reference. %NULL is ignored. Any
 * thread.
 */
void
kymo_segment_unref (KymoSegment *segment)
{
  if (segment == NULL || !g_atomic_ref_count_dec (&segment->ref_count))
    return;
  if (segment->lender == NULL)
    free_own (segment);
  if (segment->lender == NULL || segment->backing != NULL)
    free_lists (segment);
  free_made (segment);
  g_clear_pointer (&segment->backing, kymo_backing_unref);
  kymo_segment_unref (segment->lender);
  g_free (segment);
}

static int
compare_points (gconstpointer a,
                gconstpointer b)
{
  const KymoPoint *p = a, *q = b;

  if (p->begin_ns != q->begin_ns)
    return p->begin_ns < q->begin_ns ? -1 : 1;
  return p->end_ns > q->end_ns ? -1 : p->end_ns < q->end_ns;
}

static int
compare_stretches (gconstpointer a,
                   gconstpointer b)
{
  const KymoStretch *p = a, *q = b;

  return p->begin_ns < q->begin_ns ? -1 : p->begin_ns > q->begin_ns;
}

/* Scratch memory is no memory to save. */
#define FIT_TO(array, size, n) \
  ((array) = kymo_scratch_owns (array) ? (array) \
   : g_realloc_n ((array), MAX ((gsize) (n), 1), (size)))
#define FIT(array, type, n) FIT_TO (array, sizeof (type), n)
/* A column that is not there stays so. */
#define FIT_ANY(array, type, n) ((array) != NULL ? FIT (array, type, n) : NULL)

static void
fit_exchange (KymoExchange *x,
              gsize         time_size)
{
  FIT (x->send_partner, gint32, x->n_sends);
  FIT (x->send_tag, gint32, x->n_sends);
  FIT (x->send_comm, guint32, x->n_sends);
  FIT (x->send_block, guint32, x->n_sends);
  FIT_ANY (x->send_request, guint32, x->n_sends);
  FIT_TO (x->receive_time, time_size, x->n_receives);
  FIT (x->receive_partner, gint32, x->n_receives);
  FIT (x->receive_tag, gint32, x->n_receives);
  FIT (x->receive_comm, guint32, x->n_receives);
  FIT (x->receive_bytes, guint32, x->n_receives);
  FIT (x->receive_block, guint32, x->n_receives);
  FIT_ANY (x->receive_request, guint32, x->n_receives);
}

static void
fit_asides (KymoSegment *s,
            gsize        time_size)
{
  FIT_TO (s->aside_time, time_size, s->n_asides);
  FIT (s->aside_block, guint32, s->n_asides);
  FIT (s->aside_number, guint32, s->n_asides);
  FIT (s->aside_comm, guint32, s->n_asides);
  FIT (s->aside_op, guint8, s->n_asides);
}

/**
 * kymo_segment_fit:
 *
 * Columns that grew become no larger than they need to be; points and
 * stretches are put in order of time.
 */
void
kymo_segment_fit (KymoSegment *s)
{
  gsize time_size = kymo_times_size (s->wide);

  FIT_TO (s->piece_begin, time_size, (gsize) s->n_pieces + 1);
  FIT (s->piece_state, guint32, s->n_pieces);
  FIT_TO (s->block_begin, time_size, s->n_blocks);
  FIT_TO (s->block_end, time_size, s->n_blocks);
  FIT (s->block_activity, guint32, s->n_blocks);
  FIT (s->block_source, gint32, s->n_blocks);
  FIT (s->block_event, gint32, s->n_blocks);
  FIT (s->block_bytes, guint32, s->n_blocks);
  FIT_ANY (s->block_object, guint32, s->n_blocks);
  FIT_TO (s->send_time, time_size, s->n_sends);
  FIT (s->send_activity, guint32, s->n_sends);
  FIT (s->send_event, gint32, s->n_sends);
  FIT (s->send_bytes, guint32, s->n_sends);
  FIT_ANY (s->send_destinations, guint32, s->n_sends);
  FIT_ANY (s->send_kind, guint8, s->n_sends);
  if (s->n_counters > 0)
    FIT (s->block_counters, gint64, (gsize) s->n_blocks * s->n_counters);
  FIT_ANY (s->block_depth, guint8, s->n_blocks);
  if (s->exchange != NULL)
    fit_exchange (s->exchange, time_size);
  if (s->n_asides > 0)
    fit_asides (s, time_size);
  g_array_sort (s->points, compare_points);
  g_array_sort (s->stretches, compare_stretches);
}

/**
 * kymo_point_text_bytes:
 *
 * Returns: memory of the point's text, with what the allocator adds
 */
gsize
kymo_point_text_bytes (const KymoPoint *point)
{
  return point->text != NULL ? strlen (point->text) + 1 + 2 * sizeof (gsize) : 0;
}

static gsize
count_lists (const KymoSegment *segment)
{
  gsize n = segment->points->len * sizeof (KymoPoint)
    + segment->stretches->len * sizeof (KymoStretch)
    + segment->multicasts->len * sizeof (KymoMulticast)
    + segment->multicast_pes->len * sizeof (gint32);

  for (guint i = 0; i < segment->points->len; i++)
    n += kymo_point_text_bytes (&g_array_index (segment->points, KymoPoint, i));
  return n;
}

typedef gsize (*CountColumn) (gconstpointer column,
                              gsize         n_bytes);

static gsize
count_any (gconstpointer column,
           gsize         n_bytes)
{
  return column != NULL ? n_bytes : 0;
}

static gsize
count_held (gconstpointer column,
            gsize         n_bytes)
{
  return column != NULL && !kymo_scratch_owns (column) ? n_bytes : 0;
}

static gsize
count_columns (const KymoSegment *s,
               CountColumn        count)
{
  gsize time = kymo_times_size (s->wide), blocks = s->n_blocks, sends = s->n_sends;

  return count (s->piece_begin, s->n_pieces * time)
    + count (s->piece_state, 4 * (gsize) s->n_pieces)
    + count (s->block_begin, blocks * time) + count (s->block_end, blocks * time)
    + count (s->block_activity, blocks * 4) + count (s->block_source, blocks * 4)
    + count (s->block_event, blocks * 4) + count (s->block_bytes, blocks * 4)
    + count (s->block_object, blocks * 4) + count (s->block_depth, blocks)
    + count (s->block_counters, blocks * s->n_counters * 8)
    + count (s->send_time, sends * time) + count (s->send_activity, sends * 4)
    + count (s->send_event, sends * 4) + count (s->send_bytes, sends * 4)
    + count (s->send_destinations, sends * 4) + count (s->send_kind, sends);
}

static gsize
count_asides (const KymoSegment *s,
              CountColumn        count)
{
  gsize n = s->n_asides;

  return count (s->aside_time, n * kymo_times_size (s->wide)) + count (s->aside_block, n * 4)
    + count (s->aside_number, n * 4) + count (s->aside_comm, n * 4) + count (s->aside_op, n);
}

static gsize
count_exchange (const KymoSegment *s,
                CountColumn        count)
{
  const KymoExchange *x = s->exchange;
  gsize time = kymo_times_size (s->wide), sends, receives;

  if (x == NULL)
    return 0;
  sends = x->n_sends * 4ul;
  receives = x->n_receives * 4ul;
  return count (x->send_partner, sends) + count (x->send_tag, sends)
    + count (x->send_comm, sends) + count (x->send_block, sends) + count (x->send_request, sends)
    + count (x->send_location, sends) + count (x->send_receive, sends)
    + count (x->receive_time, x->n_receives * time) + count (x->receive_partner, receives)
    + count (x->receive_tag, receives) + count (x->receive_comm, receives)
    + count (x->receive_bytes, receives) + count (x->receive_block, receives)
    + count (x->receive_request, receives)
    + count (x->receive_location, receives) + count (x->receive_send, receives);
}

static gsize
count_segment (const KymoSegment *segment,
               CountColumn        count)
{
  return count_columns (segment, count) + segment->n_objects * sizeof (KymoObject)
    + count_lists (segment) + count_exchange (segment, count) + count_asides (segment, count)
    + (segment->pyramid != NULL ? kymo_pyramid_get_bytes (segment->pyramid) : 0)
    + (segment->bins != NULL ? kymo_bins_get_bytes (segment->bins) : 0) + sizeof *segment;
}

/* Bytes of matches that were found after the segment was written. */
static gsize
count_matches (const KymoSegment *segment)
{
  const KymoExchange *x = segment->exchange;

  return x == NULL || x->send_location == NULL || x->matches_lent ? 0
    : 8 * ((gsize) x->n_sends + x->n_receives);
}

/**
 * kymo_segment_get_bytes:
 *
 * Returns: memory that the columns, points and lists take or would take, for
 * the summary page
 */
gsize
kymo_segment_get_bytes (const KymoSegment *segment)
{
  return segment->backing != NULL ? segment->stored_bytes + count_matches (segment)
    : count_segment (segment, count_any);
}

/**
 * kymo_segment_get_held:
 *
 * Returns: how much of that is neither in a backing nor in scratch memory,
 * for memory limits
 */
gsize
kymo_segment_get_held (const KymoSegment *segment)
{
  return segment->backing != NULL ? sizeof *segment : count_segment (segment, count_held);
}

/**
 * kymo_segment_new_made:
 * @n: how many
 * @size: bytes of one
 *
 * Returns: (transfer full): an array of zeros that is made for a segment:
 * where memory is scarce and it is large in scratch memory, if the disk has
 * room. Freed with kymo_scratch_free().
 */
gpointer
kymo_segment_new_made (const KymoSegment *segment,
                       gsize              n,
                       gsize              size)
{
  gpointer made = segment->scarce && n >= LARGE_BYTES / size && n <= G_MAXSIZE / size
    ? kymo_scratch_new (n * size) : NULL;

  return made != NULL ? made : g_malloc0_n (MAX (n, 1), size);
}
