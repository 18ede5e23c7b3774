/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question put to a comparison: its keywords, the range of each run, the questions
 * that the runs are asked for it, and the facts of the runs in every answer.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-comparison-private.h"

#include "kymo-error.h"
#include "kymo-phases.h"
#include "kymo-regions.h"

/**
 * kymo_compare_shift:
 *
 * Returns: a time moved by an offset; without limit stays without limit
 */
gint64
kymo_compare_shift (gint64 time_ns,
                    gint64 by_ns)
{
  return time_ns == G_MININT64 || time_ns == G_MAXINT64 ? time_ns
    : kymo_saturating_add (time_ns, by_ns);
}

/* The range that is asked of this run alone, where there is one. */
static gboolean
find_own_range (KymoCompared  *compared,
                guint          run,
                GError       **error)
{
  KymoSpan *asked = &compared->asked[run];
  g_autofree char *begin = g_strdup_printf ("begin-%u", run);
  g_autofree char *end = g_strdup_printf ("end-%u", run);

  return kymo_question_get_int (compared->question, begin, asked->begin_ns, &asked->begin_ns,
                                error)
         && kymo_question_get_int (compared->question, end, asked->end_ns, &asked->end_ns,
                                   error);
}

static gboolean
find_region (KymoCompared  *compared,
             guint          run,
             const char    *region,
             GCancellable  *cancellable,
             GError       **error)
{
  KymoSource *source = kymo_comparison_peek_run (compared->comparison, run);
  g_autofree char *title = NULL;

  if (kymo_regions_ask (source, region, cancellable, &compared->asked[run], error))
    return TRUE;
  title = kymo_source_dup_title (source);
  g_prefix_error (error, "%s: ", title);
  return FALSE;
}

/* The range of each run: its own phase or region, its own range, or the asked one moved by its
   offset. */
static gboolean
find_range (KymoCompared  *compared,
            guint          run,
            GCancellable  *cancellable,
            GError       **error)
{
  KymoSpan span = kymo_question_get_span (compared->question);
  KymoSource *source = kymo_comparison_peek_run (compared->comparison, run);
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) info = NULL;
  const char *region;
  gint64 phase;

  compared->asked[run] = (KymoSpan) { kymo_compare_shift (span.begin_ns, compared->offset_ns[run]),
                                      kymo_compare_shift (span.end_ns, compared->offset_ns[run]) };
  if (!kymo_question_get_int (compared->question, "phase", -1, &phase, error)
      || !find_own_range (compared, run, error))
    return FALSE;
  region = kymo_question_get (compared->question, "region");
  if (region != NULL)
    return find_region (compared, run, region, cancellable, error);
  if (phase < 0)
    return TRUE;
  question = kymo_question_new ("info");
  info = kymo_source_ask (source, question, cancellable, error);
  if (info == NULL)
    return FALSE;
  if (kymo_phases_find (kymo_table_peek_nested (info, "phases", NULL), phase,
                        &compared->asked[run]))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("“%s” has no phase %" PRId64), kymo_table_get_string (info, "title", 0),
               phase);
  return FALSE;
}

static gboolean
find_against (KymoCompared  *compared,
              GError       **error)
{
  gint64 against;

  if (!kymo_question_get_int (compared->question, "against", compared->n_sides - 1, &against,
                              error))
    return FALSE;
  if (against >= 0 && against < compared->n_sides)
    {
      compared->against = against;
      return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("There is no side %" PRId64
               "; there are 0 to %u"), against, compared->n_sides - 1);
  return FALSE;
}

/**
 * kymo_compared_new:
 *
 * Reads the keywords and finds the range of each run; asks for no figures yet. Sets
 * %KYMO_ERROR_USAGE for keywords that are wrong, or the error of a run.
 *
 * Returns: (transfer full) (nullable): what is compared, to be freed before @comparison and
 *   @question
 */
KymoCompared *
kymo_compared_new (KymoComparison  *comparison,
                   KymoQuestion    *question,
                   GCancellable    *cancellable,
                   GError         **error)
{
  g_autoptr (KymoCompared) compared = g_new0 (KymoCompared, 1);

  compared->comparison = comparison;
  compared->question = question;
  compared->n_runs = kymo_comparison_get_n_runs (comparison);
  compared->n_sides = kymo_comparison_get_n_sides (comparison);
  compared->side = kymo_comparison_peek_sides (comparison);
  compared->offset_ns = g_new0 (gint64, compared->n_runs);
  compared->asked = g_new0 (KymoSpan, compared->n_runs);
  compared->runs = g_new0 (KymoComparedRun *, compared->n_runs);
  compared->notes = g_ptr_array_new_with_free_func (g_free);
  compared->per_pe = g_strcmp0 (kymo_question_get (question, "figure"), "per-pe") == 0;
  for (guint i = 0; i < compared->n_runs; i++)
    {
      compared->offset_ns[i] = kymo_comparison_get_offset (comparison, i);
      if (!find_range (compared, i, cancellable, error))
        return NULL;
    }
  return find_against (compared, error) ? g_steal_pointer (&compared) : NULL;
}

/** kymo_compared_free: frees the figures of all runs */
void
kymo_compared_free (KymoCompared *compared)
{
  for (guint i = 0; i < compared->n_runs; i++)
    g_clear_pointer (&compared->runs[i], kymo_compared_run_free);
  g_clear_pointer (&compared->names, g_array_unref);
  g_ptr_array_unref (compared->notes);
  g_free (compared->runs);
  g_free (compared->asked);
  g_free (compared->offset_ns);
  g_free (compared);
}

/* TRUE if a keyword is passed to that run. A keyword for reduced runs goes to the reduced runs
   alone, where any run is reduced; else it goes to all runs, which refuse it. */
static gboolean
is_for_run (const KymoCompared *compared,
            const char         *key,
            guint               run)
{
  gboolean any = FALSE;

  if (g_strcmp0 (key, "extrapolate") != 0)
    return TRUE;
  for (guint i = 0; i < compared->n_runs; i++)
    any |= (kymo_source_get_capabilities (kymo_comparison_peek_run (compared->comparison, i))
            & KYMO_CAN_WEIGHTS) != 0;
  return !any || (kymo_source_get_capabilities (
    kymo_comparison_peek_run (compared->comparison, run)) & KYMO_CAN_WEIGHTS) != 0;
}

/**
 * kymo_compared_question:
 *
 * Returns: (transfer full): a question of that kind about the run's range, with
 * what the person asked for
 */
KymoQuestion *
kymo_compared_question (const KymoCompared *compared,
                        const char         *kind,
                        guint               run)
{
  static const char *const passed[] = { "workers-only", "extrapolate", "once", "metric", "step" };
  KymoQuestion *question = kymo_question_new (kind);

  kymo_question_set_span (question, compared->asked[run]);
  kymo_question_set_locations (question, kymo_question_peek_locations (compared->question));
  for (guint i = 0; i < G_N_ELEMENTS (passed); i++)
    {
      const char *value = kymo_question_get (compared->question, passed[i]);

      if (value != NULL && is_for_run (compared, passed[i], run))
        kymo_question_set (question, passed[i], value);
    }
  return question;
}

/**
 * kymo_compared_note:
 * @answer: of the run
 *
 * Keeps what the run does not know, to be told with the comparison.
 */
void
kymo_compared_note (KymoCompared    *compared,
                    guint            run,
                    const KymoTable *answer)
{
  const KymoTable *notes = kymo_table_peek_nested (answer, "notes", NULL);
  g_autofree char *label = kymo_comparison_dup_label (compared->comparison, run);

  for (guint i = 0; notes != NULL && i < kymo_table_get_n_rows (notes); i++)
    g_ptr_array_add (compared->notes, g_strdup_printf (
      "%s: %s", label, kymo_table_get_string (notes, kymo_table_get_column_name (notes, 0), i)));
}

static void
set_notes (const KymoCompared *compared,
           KymoTable          *answer)
{
  g_autofree char *draft = kymo_source_dup_draft (KYMO_SOURCE (compared->comparison));
  KymoTable *notes;

  if (draft != NULL)
    kymo_table_set_string (answer, "draft", draft);
  if (compared->notes->len == 0)
    return;
  notes = kymo_table_new (KYMO_STYLE_FLAT);
  kymo_table_add_column (notes, "value", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < compared->notes->len; i++)
    kymo_table_append_string (notes, 0, compared->notes->pdata[i]);
  kymo_table_set_table (answer, "notes", notes);
}

/**
 * kymo_compared_set_runs:
 *
 * Adds the facts of the runs to an answer: the table "runs", "align" and "against"; "notes" of
 * what they do not know, and "draft" while one is being read.
 */
void
kymo_compared_set_runs (const KymoCompared *compared,
                        KymoTable          *answer)
{
  static const char *const ints[] = { "pes", "locations", "begin_ns", "end_ns", "offset_ns" };
  KymoTable *table = kymo_table_new_list ("run side label:string");
  guint title = kymo_table_add_column (table, "title", KYMO_COLUMN_STRING, 1), first = 0;
  guint extrapolated = kymo_table_add_column (table, "extrapolated", KYMO_COLUMN_BOOL, 1);
  g_autofree char *align = kymo_comparison_dup_align (compared->comparison);

  for (guint k = 0; k < G_N_ELEMENTS (ints); k++)
    first = kymo_table_add_column (table, ints[k], KYMO_COLUMN_INT, 1);
  first -= G_N_ELEMENTS (ints) - 1;
  for (guint i = 0; i < compared->n_runs; i++)
    {
      const KymoComparedRun *figures = compared->runs[i];
      g_autofree char *own = kymo_comparison_dup_label (compared->comparison, i);
      g_autofree char *words = kymo_source_dup_title (
        kymo_comparison_peek_run (compared->comparison, i));
      const gint64 values[] = { (figures->pes + 500000) / 1000000, figures->n_locations,
                                figures->span.begin_ns, figures->span.end_ns,
                                compared->offset_ns[i] };

      kymo_table_append_row (table, i, compared->side[i], own);
      kymo_table_append_string (table, title, words);
      kymo_table_append_bool (table, extrapolated, figures->extrapolated);
      for (guint k = 0; k < G_N_ELEMENTS (values); k++)
        kymo_table_append_int (table, first + k, values[k]);
    }
  kymo_table_set_table (answer, "runs", table);
  kymo_table_set_string (answer, "align", align);
  kymo_table_set_int (answer, "against", compared->against);
  set_notes (compared, answer);
}
