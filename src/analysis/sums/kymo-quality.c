/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proportionality test: bar by bar of the grain size histogram, the
 * blocks of the reduced run over those of the original. If the kept PEs stand
 * for all, every ratio is the share of the PEs that were kept; the mean tells
 * how far they are from it together, the deviation how unlike they are.
 *
 * Pure functions of two answers; nothing is kept.
 */
#include "config.h"

#include "kymo-quality.h"

#include <math.h>

#include "kymo-proportion.h"

/**
 * kymo_quality_new_question:
 *
 * What is asked of both runs: `histogram` with the preset of the grain, without
 * communication threads, for kymo_quality_count_pes() counts none either.
 *
 * Returns: (transfer full): the question
 */
KymoQuestion *
kymo_quality_new_question (void)
{
  KymoQuestion *question = kymo_question_new ("histogram");

  kymo_question_set (question, "preset", "grain");
  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

static gint64
count_pes (const KymoRun   *run,
           const KymoIdSet *locations,
           gboolean         all)
{
  gint64 n = 0;

  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (run, i);

      n += location->kept && (all || location->kind == KYMO_LOCATION_WORKER)
        && (locations == NULL || kymo_id_set_contains (locations, location->id));
    }
  return n;
}

/**
 * kymo_quality_count_pes:
 * @run: a run
 * @locations: (nullable): those that were asked for
 *
 * The PEs that could have blocks: not those whose logs a reduction cut away,
 * and no communication threads unless there is nothing else.
 *
 * Returns: how many
 */
gint64
kymo_quality_count_pes (const KymoRun   *run,
                        const KymoIdSet *locations)
{
  gint64 n = count_pes (run, locations, FALSE);

  return n > 0 ? n : count_pes (run, locations, TRUE);
}

typedef struct
{
  const gint64 *original, *reduced;
  guint         n;
} Bars;

static double
ratio_of (const Bars *bars,
          guint       i)
{
  return bars->original[i] != 0 ? (double) bars->reduced[i] / (double) bars->original[i] : NAN;
}

/* Of the bars that the original has; the deviation is a population's. */
static void
set_sums (const Bars *bars,
          KymoTable  *answer)
{
  double mean, stddev;

  kymo_table_set_int (answer, "bars_compared",
                      kymo_proportion_test (bars->original, bars->reduced, bars->n, &mean,
                                            &stddev));
  kymo_table_set_double (answer, "mean_ratio", mean);
  kymo_table_set_double (answer, "stddev", stddev);
}

static KymoTable *
list_bars (const Bars   *bars,
           const gint64 *edges)
{
  KymoTable *table = kymo_table_new_list ("begin_ns end_ns original reduced ratio:double");

  for (guint i = 0; i < bars->n; i++)
    {
      kymo_table_append_row (table, edges[i],
                             edges[i + 1] < G_MAXINT64 ? edges[i + 1] : KYMO_NULL_INT,
                             bars->original[i], bars->reduced[i], ratio_of (bars, i));
    }
  return table;
}

/**
 * kymo_quality_compare:
 * @original: answer to kymo_quality_new_question() of the original run
 * @reduced: of the reduced run
 * @pes: PEs of the original
 * @pes_kept: PEs of the reduced run
 *
 * The proportionality test. Where the original has no block of at least
 * 0.1 ms nothing can be compared: then mean and deviation are not numbers.
 *
 * Returns: (transfer full): figures, and the bars
 */
KymoTable *
kymo_quality_compare (const KymoTable *original,
                      const KymoTable *reduced,
                      gint64           pes,
                      gint64           pes_kept)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  guint n = 0, n_reduced = 0;
  Bars bars = { kymo_table_peek_ints (original, "total", &n),
                kymo_table_peek_ints (reduced, "total", &n_reduced), 0 };

  bars.n = MIN (n, n_reduced);
  kymo_table_set_int (answer, "pes", pes);
  kymo_table_set_int (answer, "pes_kept", pes_kept);
  kymo_table_set_double (answer, "share", pes > 0 ? (double) pes_kept / (double) pes : NAN);
  set_sums (&bars, answer);
  kymo_table_set_table (answer, "bars",
                        list_bars (&bars, kymo_table_peek_ints (original, "edges", NULL)));
  return answer;
}
