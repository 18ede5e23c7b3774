/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which drafts are given, and when: the known records of each log becomes a row,
 * and all rows a run.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-draft-private.h"

#include "kymo-roles.h"

/* A run that is read in this time needs no draft. */
#define SOON_MS 200
#define LATE_MS 700
#define INTERVAL_MS 200
/* A draft of many rows is given less often. */
#define LOGS_PER_MS 50
/* Plain bytes at the begin of compressed logs that are looked at. */
#define HEAD_BYTES_OF_RUN (4 * 1024 * 1024)
#define LEAST_HEAD_BYTES (8 * 1024)
#define MOST_HEAD_BYTES (64 * 1024)
#define MOST_BINS 256
#define LEAST_BINS 8
/* All rows together. */
#define BINS_OF_RUN (1 << 20)

/* -- giving ---------------------------------------------------------------- */

static guint
bins_of_row (const KymoProjectionsDraft *draft)
{
  return CLAMP (BINS_OF_RUN / draft->files->logs->len, LEAST_BINS, MOST_BINS);
}

static KymoSegment *
new_draft (const KymoProjectionsDraft *draft,
           KymoDraftRow               *row,
           KymoSpan                    span)
{
  guint most = bins_of_row (draft);
  KymoSegment *segment;

  if (row->summary == NULL)
    return kymo_probe_make_segment (&row->probe, span,
                                    KYMO_STATE_ACTIVITY + draft->names->activities->len,
                                    CLAMP (4 * (draft->n_samples + 1), LEAST_BINS, most));
  segment = kymo_segment_new_lent (row->summary);
  segment->span = span;
  return segment;
}

/* The segment that stands for a log that has not been read; it is made again where the time axis
   has changed. */
static KymoSegment *
draft_of (KymoProjectionsDraft *draft,
          guint                 index,
          KymoSpan              axis)
{
  KymoDraftRow *row = &draft->rows[index];
  KymoSpan span = row->probe.kind != KYMO_PROBE_NOTHING ? row->probe.span : axis;

  if (!row->probe.has_end)
    span.end_ns = MAX (span.end_ns, axis.end_ns);
  if (row->summary != NULL)
    span = kymo_span_intersect (span, row->summary->span);
  if (row->draft == NULL || row->drafted.begin_ns != span.begin_ns
      || row->drafted.end_ns != span.end_ns)
    {
      kymo_segment_unref (row->draft);
      row->draft = new_draft (draft, row, span);
      row->draft->location = index;
      row->drafted = span;
    }
  return kymo_segment_ref (row->draft);
}

/* A number of logs and their known records. */
static void
append_words (GString    *text,
              guint       n,
              const char *what)
{
  if (n > 0)
    g_string_append_printf (text, "%s %u %s", text->len > 0 ? "," : "", n, what);
}

static char *
words_of (const KymoProjectionsDraft *draft,
          guint                       n_read)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *samples = g_strdup_printf (_("from %u samples each"), draft->n_samples + 2);
  guint n_summaries = 0, n_samples = 0, n_heads = 0, n_unknown = 0;

  for (guint i = 0; i < draft->files->logs->len; i++)
    {
      const KymoDraftRow *row = &draft->rows[i];

      if (row->exact != NULL)
        continue;
      n_summaries += row->summary != NULL;
      n_samples += row->summary == NULL && row->probe.kind == KYMO_PROBE_SAMPLES;
      n_heads += row->summary == NULL && row->probe.kind == KYMO_PROBE_HEAD;
      n_unknown += row->summary == NULL && row->probe.kind == KYMO_PROBE_NOTHING;
    }
  append_words (text, n_summaries, _("from their summaries"));
  append_words (text, n_samples, samples);
  append_words (text, n_heads, _("known only at the beginning"));
  append_words (text, n_unknown, _("not known yet"));
  return g_strdup_printf (_("%u of %u logs read%s%s"), n_read, draft->files->logs->len,
                          text->len > 0 ? ";" : "", text->str);
}

static KymoRun *
new_snapshot (const KymoProjectionsDraft *draft)
{
  KymoRun *run = kymo_run_new ();

  g_array_unref (run->activities);
  run->activities = g_array_ref (draft->names->activities);
  run->path = g_strdup (draft->names->path);
  run->title = g_strdup (draft->names->title);
  run->format = g_strdup (draft->names->format);
  run->kind = draft->names->kind;
  run->n_locations_original = draft->sts->n_pes;
  return run;
}

static void
add_row (KymoProjectionsDraft *draft,
         guint                 index,
         KymoSpan              axis,
         KymoRun              *run)
{
  KymoDraftRow *row = &draft->rows[index];
  KymoLocation location = kymo_sts_describe_location (
    draft->sts, kymo_projections_file (draft->files->logs, index)->pe);

  location.kept = TRUE;
  kymo_run_add_location (run, &location, row->exact != NULL ? kymo_segment_ref (row->exact)
                         : draft_of (draft, index, axis));
}

/* Times of single logs may lie; sums over all must not overflow. */
static gboolean
can_be_summed (const KymoRun *run)
{
  gint64 sum = 0;

  for (guint i = 0; i < run->locations->len; i++)
    if (__builtin_add_overflow (sum, kymo_span_length (kymo_run_peek_location (run, i)->span),
                                &sum))
      return FALSE;
  return TRUE;
}

/* Gives a draft of the records that are known now; how many logs of it are read. Where nothing is
   known, nothing is given. */
static guint
give (KymoProjectionsDraft *draft)
{
  g_autoptr (KymoRun) run = new_snapshot (draft);
  gboolean known, sure;
  guint n_read;
  KymoSpan axis;

  g_mutex_lock (&draft->giving);
  g_mutex_lock (&draft->mutex);
  n_read = draft->n_read;
  known = kymo_draft_find_axis (draft, &axis, &sure);
  for (guint i = 0; known && i < draft->files->logs->len; i++)
    add_row (draft, i, axis, run);
  run->draft = words_of (draft, n_read);
  g_mutex_unlock (&draft->mutex);
  kymo_run_seal (run);
  if (kymo_span_length (draft->names->selection) > 0)
    kymo_run_select (run, draft->names->selection);
  if (known && can_be_summed (run))
    draft->options.draft (run, draft->options.draft_data);
  g_mutex_unlock (&draft->giving);
  return n_read;
}

/* -- the thread ------------------------------------------------------------ */

/* Waits for a time, or for more than @n_read logs as well; FALSE when there
   is nothing more to be given. */
static gboolean
wait_for (KymoProjectionsDraft *draft,
          gint64                until_us,
          guint                 n_read)
{
  gboolean go_on;

  g_mutex_lock (&draft->mutex);
  while (!draft->stopped && draft->n_read < n_read)
    if (until_us == 0)
      g_cond_wait (&draft->changed, &draft->mutex);
    else if (!g_cond_wait_until (&draft->changed, &draft->mutex, until_us))
      break;
  go_on = !draft->stopped;
  g_mutex_unlock (&draft->mutex);
  return go_on && !kymo_job_is_cancelled (draft->job);
}

static gboolean
pause_for (KymoProjectionsDraft *draft,
           gint64                ms)
{
  return wait_for (draft, g_get_monotonic_time () + ms * 1000, G_MAXUINT);
}

static gboolean
is_soon_done (const KymoProjectionsDraft *draft)
{
  double fraction = draft->job != NULL ? kymo_job_get_fraction (draft->job) : 0;
  double elapsed = kymo_draft_elapsed_ms (draft);

  return fraction > 0 && elapsed * (1 - fraction) / fraction < SOON_MS;
}

static gboolean
is_sure (KymoProjectionsDraft *draft)
{
  gboolean sure;
  KymoSpan axis;

  g_mutex_lock (&draft->mutex);
  kymo_draft_find_axis (draft, &axis, &sure);
  g_mutex_unlock (&draft->mutex);
  return sure;
}

static gpointer
draft_thread (gpointer data)
{
  KymoProjectionsDraft *draft = data;
  gint64 interval_ms = INTERVAL_MS + draft->files->logs->len / LOGS_PER_MS;
  guint n_read;

  if (!pause_for (draft, draft->options.draft_after_ms))
    return NULL;
  kymo_draft_look (draft);
  /* The first log that is read makes the axis sure. */
  if (!is_sure (draft) && !wait_for (draft, draft->start_us + KYMO_DRAFT_FIRST_BY_MS * 1000, 1))
    return NULL;
  while (is_soon_done (draft) && kymo_draft_elapsed_ms (draft) < LATE_MS)
    if (!pause_for (draft, SOON_MS / 4))
      return NULL;
  do
    n_read = kymo_draft_is_stopped (draft) ? 0 : give (draft);
  while (pause_for (draft, interval_ms) && wait_for (draft, 0, n_read + 1));
  return NULL;
}

/* -- begin and end --------------------------------------------------------- */

/* The names of the run with their roles, shared by all drafts. */
static KymoRun *
copy_names (const KymoRun *run,
            const char    *roles)
{
  KymoRun *names = kymo_run_new ();

  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      kymo_run_add_activity (names, activity->kind, activity->id, activity->name,
                             activity->signature, activity->group);
    }
  names->selection = run->selection;
  names->path = g_strdup (run->path);
  names->title = g_strdup (run->title);
  names->format = g_strdup (run->format);
  names->kind = run->kind;
  kymo_roles_apply (names, roles);
  return names;
}

/**
 * kymo_projections_draft_start:
 * @files: of the run; has to outlive the draft, like @sts and @job
 * @run: the run that is being read; its names are known
 * @options: whom to give drafts
 * @job: (nullable): how far reading is
 *
 * Returns: (transfer full) (nullable): the drafts, to be stopped before the
 * run is put together; %NULL where none is wanted
 */
KymoProjectionsDraft *
kymo_projections_draft_start (const KymoProjectionsFiles *files,
                              const KymoSts              *sts,
                              const KymoRun              *run,
                              const KymoOpenOptions      *options,
                              KymoJob                    *job)
{
  KymoProjectionsDraft *draft;

  /* Corrected clocks move whole rows at the end. */
  if (options->draft == NULL || options->correct_clocks || files->logs->len == 0)
    return NULL;
  draft = g_new0 (KymoProjectionsDraft, 1);
  draft->files = files;
  draft->sts = sts;
  draft->options = *options;
  draft->job = job;
  draft->names = copy_names (run, options->roles);
  draft->prober = kymo_prober_new (sts, run->activities->len,
                                   CLAMP (HEAD_BYTES_OF_RUN / files->logs->len,
                                          LEAST_HEAD_BYTES, MOST_HEAD_BYTES));
  draft->rows = g_new0 (KymoDraftRow, files->logs->len);
  draft->start_us = g_get_monotonic_time ();
  g_mutex_init (&draft->giving);
  g_mutex_init (&draft->mutex);
  g_cond_init (&draft->changed);
  if (kymo_draft_is_eager (draft))
    {
      kymo_draft_look (draft);
      give (draft);
    }
  else
    draft->thread = g_thread_new ("kymo-draft", draft_thread, draft);
  return draft;
}

/* Under the mutex. */
static void
set_exact (KymoProjectionsDraft *draft,
           guint                 index,
           KymoSegment          *segment)
{
  KymoDraftRow *row = &draft->rows[index];
  KymoSegment *exact = draft->scarce
    ? kymo_segment_new_thumbnail (segment, bins_of_row (draft),
                                  KYMO_STATE_ACTIVITY + draft->names->activities->len)
    : kymo_segment_new_lent (segment);

  exact->location = index;
  kymo_segment_unref (row->exact);
  row->exact = exact;
}

/**
 * kymo_projections_draft_keep_less:
 * @draft: (nullable): the drafts
 *
 * Memory is short: from here on drafts keep of a log that was read what it
 * looks like from afar, and no columns. Any thread.
 */
void
kymo_projections_draft_keep_less (KymoProjectionsDraft *draft)
{
  if (draft == NULL)
    return;
  g_mutex_lock (&draft->mutex);
  draft->scarce = TRUE;
  for (guint i = 0; i < draft->files->logs->len; i++)
    {
      g_autoptr (KymoSegment) exact = g_steal_pointer (&draft->rows[i].exact);

      if (exact != NULL)
        set_exact (draft, i, exact);
    }
  g_mutex_unlock (&draft->mutex);
}

/**
 * kymo_projections_draft_sealed:
 * @draft: (nullable): the drafts
 * @index: of the log
 * @segment: (nullable): what came of it; shared from now on
 *
 * Any thread; to be called once for each log that was read.
 */
void
kymo_projections_draft_sealed (KymoProjectionsDraft *draft,
                               guint                 index,
                               KymoSegment          *segment)
{
  if (draft == NULL)
    return;
  g_mutex_lock (&draft->mutex);
  if (segment != NULL)
    set_exact (draft, index, segment);
  draft->n_read++;
  g_cond_broadcast (&draft->changed);
  g_mutex_unlock (&draft->mutex);
  if (kymo_draft_is_eager (draft))
    give (draft);
}

/**
 * kymo_projections_draft_stop:
 * @draft: (nullable) (transfer full): the drafts; none is given after
 */
void
kymo_projections_draft_stop (KymoProjectionsDraft *draft)
{
  if (draft == NULL)
    return;
  g_mutex_lock (&draft->mutex);
  draft->stopped = TRUE;
  g_cond_broadcast (&draft->changed);
  g_mutex_unlock (&draft->mutex);
  if (draft->thread != NULL)
    g_thread_join (draft->thread);
  for (guint i = 0; i < draft->files->logs->len; i++)
    {
      kymo_probe_clear (&draft->rows[i].probe);
      kymo_segment_unref (draft->rows[i].summary);
      kymo_segment_unref (draft->rows[i].draft);
      kymo_segment_unref (draft->rows[i].exact);
    }
  g_free (draft->rows);
  kymo_prober_free (draft->prober);
  kymo_run_unref (draft->names);
  g_mutex_clear (&draft->giving);
  g_mutex_clear (&draft->mutex);
  g_cond_clear (&draft->changed);
  g_free (draft);
}
