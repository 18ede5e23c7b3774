/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time axis of a draft is to be the exact one: the begin and the end of a
 * text log are read, and of others those that were read already are believed,
 * for all PEs of a run end at about the same time.
 *
 * The first look at everything has a deadline; so it goes in rounds, each of
 * them over all logs and twice as fine as the one before, and costs a small
 * part of reading.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-projections-draft-private.h"
#include "kymo-projections-draft.h"
#include "kymo-projections-summary.h"

/* Number of bytes of the logs for each byte that is looked at. */
#define BYTES_PER_PROBED 40
#define BYTES_PER_SAMPLE 2048
#define MOST_ROUNDS 8

/**
 * kymo_draft_is_stopped:
 *
 * Returns: %TRUE if no further draft is wanted. Any thread.
 */
gboolean
kymo_draft_is_stopped (KymoProjectionsDraft *draft)
{
  gboolean stopped;

  g_mutex_lock (&draft->mutex);
  stopped = draft->stopped;
  g_mutex_unlock (&draft->mutex);
  return stopped || kymo_job_is_cancelled (draft->job);
}

/* -- looking --------------------------------------------------------------- */

static gboolean
is_due (KymoProjectionsDraft *draft)
{
  return !kymo_draft_is_eager (draft)
         && (kymo_draft_elapsed_ms (draft) > KYMO_DRAFT_FIRST_BY_MS
             || kymo_draft_is_stopped (draft));
}

static void
look_at_ends (KymoProjectionsDraft *draft)
{
  for (guint i = 0; i < draft->files->logs->len && !is_due (draft); i++)
    kymo_prober_read_ends (draft->prober, kymo_projections_file (draft->files->logs, i)->path,
                           &draft->rows[i].probe);
}

/* A begin or end that lies beyond the middle begin or end by more than this many times the distance
   between these two is cut: a digit of it is wrong, and the log will be found doubtful when it is
   read. */
#define MOST_BEYOND 2

static gint64
middle_of (GArray *times)
{
  g_array_sort (times, kymo_compare_ints);
  return g_array_index (times, gint64, times->len / 2);
}

static gboolean
has_both_ends (const KymoProjectionsDraft *draft,
               guint                       log)
{
  const KymoProbe *probe = &draft->rows[log].probe;

  return probe->kind != KYMO_PROBE_NOTHING && probe->has_end;
}

/* Bounds of begins and ends by the logs that have both; no bounds where fewer than three have. */
static KymoSpan
find_bounds (const KymoProjectionsDraft *draft)
{
  g_autoptr (GArray) begins = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  KymoSpan bounds = { G_MININT64, G_MAXINT64 }, middle;
  gint64 slack_ns;

  for (guint i = 0; i < draft->files->logs->len; i++)
    if (has_both_ends (draft, i))
      {
        g_array_append_val (begins, draft->rows[i].probe.span.begin_ns);
        g_array_append_val (ends, draft->rows[i].probe.span.end_ns);
      }
  if (begins->len < 3)
    return bounds;
  middle = (KymoSpan) { middle_of (begins), middle_of (ends) };
  if (!__builtin_sub_overflow (middle.end_ns, middle.begin_ns, &slack_ns)
      && !__builtin_mul_overflow (slack_ns, MOST_BEYOND, &slack_ns)
      && !__builtin_sub_overflow (middle.begin_ns, slack_ns, &bounds.begin_ns)
      && !__builtin_add_overflow (middle.end_ns, slack_ns, &bounds.end_ns))
    return bounds;
  return (KymoSpan) { G_MININT64, G_MAXINT64 };
}

static void
cut_far_ends (KymoProjectionsDraft *draft)
{
  KymoSpan bounds = find_bounds (draft);

  for (guint i = 0; i < draft->files->logs->len; i++)
    if (has_both_ends (draft, i))
      draft->rows[i].probe.span = kymo_span_intersect (draft->rows[i].probe.span, bounds);
}

/* Round r looks at the odd multiples of 1 / 2^(r + 1). */
static gboolean
look_again (KymoProjectionsDraft *draft,
            guint                 round)
{
  for (guint i = 0; i < draft->files->logs->len; i++)
    {
      KymoProbe *probe = &draft->rows[i].probe;

      if (is_due (draft))
        return FALSE;
      for (guint k = 1; k < 2u << round && probe->kind == KYMO_PROBE_SAMPLES; k += 2)
        kymo_prober_read_sample (draft->prober,
                                 kymo_projections_file (draft->files->logs, i)->path,
                                 (gint64) ((__int128) probe->plain_bytes * k / (2u << round)),
                                 probe);
    }
  return TRUE;
}

static guint
count_rounds (const KymoProjectionsDraft *draft)
{
  gint64 bytes = 0, n = draft->files->logs->len;
  guint rounds = 1;

  for (guint i = 0; i < draft->files->logs->len; i++)
    bytes += kymo_projections_file (draft->files->logs, i)->size_bytes;
  while (rounds < MOST_ROUNDS
         && (gint64) (2u << rounds) * n * BYTES_PER_SAMPLE < bytes / BYTES_PER_PROBED)
    rounds++;
  return rounds;
}

static void
take_sums (KymoProjectionsDraft *draft)
{
  g_autoptr (GPtrArray) sums = kymo_projections_draft_sums (
    draft->files, draft->sts,
    draft->job != NULL ? kymo_job_peek_cancellable (draft->job) : NULL);

  for (guint i = 0; sums != NULL && i < sums->len; i++)
    draft->rows[i].summary = g_steal_pointer (&sums->pdata[i]);
}

/**
 * kymo_draft_look:
 *
 * Looks at all logs, as finely as there is time for. On the draft's thread.
 */
void
kymo_draft_look (KymoProjectionsDraft *draft)
{
  guint n_rounds = count_rounds (draft);

  take_sums (draft);
  look_at_ends (draft);
  cut_far_ends (draft);
  for (guint r = 0; r < n_rounds && look_again (draft, r); r++)
    draft->n_samples = (2u << r) - 1;
}

/* -- the axis -------------------------------------------------------------- */

static void
extend (KymoSpan *span,
        KymoSpan  by)
{
  span->begin_ns = MIN (span->begin_ns, by.begin_ns);
  span->end_ns = MAX (span->end_ns, by.end_ns);
}

/* The end of the run is unknown: the middle of what its logs let expect. */
static void
guess_end (const KymoProjectionsDraft *draft,
           KymoSpan                   *axis)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < draft->files->logs->len; i++)
    if (draft->rows[i].probe.kind == KYMO_PROBE_HEAD)
      {
        gint64 end_ns = kymo_probe_guess_end (&draft->rows[i].probe);

        g_array_append_val (ends, end_ns);
      }
  g_array_sort (ends, kymo_compare_ints);
  if (ends->len > 0)
    axis->end_ns = MAX (axis->end_ns, g_array_index (ends, gint64, ends->len / 2));
}

/**
 * kymo_draft_find_axis:
 * @axis: (out): from the first to the last time that is known
 * @sure: (out): whether an end is among them
 *
 * To be called under the mutex.
 *
 * Returns: whether any time is known
 */
gboolean
kymo_draft_find_axis (const KymoProjectionsDraft *draft,
           KymoSpan                   *axis,
           gboolean                   *sure)
{
  *axis = (KymoSpan) { G_MAXINT64, G_MININT64 };
  *sure = FALSE;
  for (guint i = 0; i < draft->files->logs->len; i++)
    {
      const KymoDraftRow *row = &draft->rows[i];

      if (row->exact != NULL)
        extend (axis, row->exact->span);
      if (row->probe.kind != KYMO_PROBE_NOTHING)
        extend (axis, row->probe.span);
      if (row->summary != NULL)
        axis->end_ns = MAX (axis->end_ns, row->summary->span.end_ns);
      *sure |= row->exact != NULL || row->summary != NULL
        || (row->probe.kind != KYMO_PROBE_NOTHING && row->probe.has_end);
    }
  if (!*sure)
    guess_end (draft, axis);
  return axis->begin_ns <= axis->end_ns;
}

/* The summaries that lie beside logs, as a first look at the logs' run. */

/* More than this is no first look. */
#define MOST_BYTES (64 * 1024 * 1024)

static gint64
sum_sizes (GArray *files)
{
  gint64 bytes = 0;

  for (guint i = 0; i < files->len; i++)
    bytes += kymo_projections_file (files, i)->size_bytes;
  return bytes;
}

/* The states of the summary by the names of the logs. */
static guint32 *
make_map (const KymoRun *summary,
          const KymoSts *sts)
{
  guint32 *state_of = g_new (guint32, KYMO_STATE_ACTIVITY + summary->activities->len);

  for (guint32 s = 0; s < KYMO_STATE_ACTIVITY; s++)
    state_of[s] = s;
  for (guint i = 0; i < summary->activities->len; i++)
    {
      gint64 id = kymo_run_peek_activity (summary, i)->id;
      guint32 activity = sts->unknown_entry;

      if (kymo_run_peek_activity (summary, i)->kind == KYMO_ACTIVITY_ENTRY && id >= 0
          && id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32)
        activity = sts->entries[id].activity;
      state_of[KYMO_STATE_ACTIVITY + i] = KYMO_STATE_ACTIVITY + activity;
    }
  return state_of;
}

/**
 * kymo_projections_draft_sums:
 * @files: of a run of logs
 * @sts: names of the logs' run
 * @cancellable: (nullable): stops it
 *
 * Returns: (transfer full) (nullable) (element-type KymoSegment): by log the
 * bins of its PE, %NULL for a PE without; %NULL where there are none at all
 */
GPtrArray *
kymo_projections_draft_sums (const KymoProjectionsFiles *files,
                             const KymoSts              *sts,
                             GCancellable               *cancellable)
{
  KymoOpenOptions options = { .n_threads = 1, .no_cache = TRUE };
  g_autofree guint32 *state_of = NULL;
  g_autoptr (KymoRun) summary = NULL;
  GPtrArray *segments;

  /* Without the .sumd no bin tells names. */
  if (files->sums->len == 0 || files->details->len == 0
      || sum_sizes (files->sums) + sum_sizes (files->details) > MOST_BYTES)
    return NULL;
  summary = kymo_projections_read_summary (files, files->folder, &options, NULL, NULL);
  if (summary == NULL || g_cancellable_is_cancelled (cancellable))
    return NULL;
  state_of = make_map (summary, sts);
  segments = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_segment_unref);
  for (guint i = 0; i < files->logs->len; i++)
    {
      gint at = kymo_run_find_location (summary, kymo_projections_file (files->logs, i)->pe);
      KymoSegment *segment = NULL;

      if (at >= 0)
        segment = kymo_segment_ref (g_ptr_array_index (summary->segments, at));
      if (segment != NULL && segment->bins->calls != NULL)
        kymo_bins_map_states (segment->bins, state_of);
      else
        g_clear_pointer (&segment, kymo_segment_unref);
      g_ptr_array_add (segments, segment);
    }
  return segments;
}
