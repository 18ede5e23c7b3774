/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summaries that lie beside logs, as a first look at the logs' run.
 */
#include "config.h"

#include "kymo-projections-draft.h"

#include "kymo-projections-summary.h"

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
