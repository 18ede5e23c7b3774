/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the bins of each summary are. The length stands once in the header
 * of each file, and a wrong digit in it would stretch the axis of the run. So
 * it is held against the other files. All files of a run tell the same length,
 * but where a PE has more bins than fit: its runtime joins two bins to one, and
 * the length doubles.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-order.h"
#include "kymo-projections-summary.h"

/* Default of +binsize. */
#define DEFAULT_NS (1000 * 1000)

/* Percent of a bin are cut to whole ones. */
static gint64
count_most_busy_percent (const KymoSumList *utilization)
{
  gint64 percent = 0;

  for (guint i = 0; i < utilization->runs->len; i++)
    {
      const KymoSumRun *run = &g_array_index (utilization->runs, KymoSumRun, i);

      percent += MIN (run->count, G_MAXINT32) * (MAX (run->value, 0) + 1);
    }
  return percent;
}

/* Entry methods run within the busy time of the bins. */
static gint64
find_least_length (const KymoSum *sum)
{
  __int128 us = 0;
  gint64 percent, entry = 0;

  if (sum->exe_us.runs == NULL || sum->utilization.runs == NULL
      || sum->exe_us.n_damaged + sum->utilization.n_damaged > 0)
    return 0;
  for (guint i = 0; i < sum->exe_us.runs->len; i++)
    {
      const KymoSumRun *run = &g_array_index (sum->exe_us.runs, KymoSumRun, i);

      if (entry > KYMO_SUM_UNPACK_ENTRY || entry + run->count <= KYMO_SUM_PACK_ENTRY)
        us += (__int128) run->value * run->count;
      entry += run->count;
    }
  percent = count_most_busy_percent (&sum->utilization);
  return percent > 0 ? (gint64) MIN (us * 1000 * 100 / percent, KYMO_SUM_MAX_NS) : 0;
}

/**
 * kymo_summary_take_facts:
 * @sum: (nullable): the .sum of a PE
 * @sumd: (nullable): its .sumd
 * @facts: (inout): what they tell of the length of its bins; the one that counts stays
 */
void
kymo_summary_take_facts (const KymoSum    *sum,
                         const KymoSumd   *sumd,
                         KymoSummaryFacts *facts)
{
  *facts = (KymoSummaryFacts) { .bin_ns = facts->bin_ns };
  if (sum != NULL)
    {
      facts->sum_ns = sum->bin_ns;
      facts->n_bins = sum->utilization.n_values;
      if (sum->n_bins >= 0)
        facts->n_bins = MIN (facts->n_bins, sum->n_bins);
      facts->least_ns = find_least_length (sum);
    }
  if (sumd != NULL)
    {
      facts->sumd_ns = sumd->bin_ns;
      facts->n_bins = sum != NULL ? facts->n_bins : sumd->n_bins;
    }
}

/* By joining bins the one length comes of the other. */
static gboolean
is_joined (gint64 long_ns,
           gint64 short_ns)
{
  gint64 times = short_ns > 0 ? long_ns / short_ns : 0;

  return times > 0 && long_ns % short_ns == 0 && (times & (times - 1)) == 0;
}

/**
 * kymo_summary_find_usual:
 * @values: (element-type gint64): is put in order
 * @unit: of several values that stand there equally often one counts that is this times a
 *   power of two, or else the least
 *
 * Returns: the value that stands there most often; 0 where there is none
 */
gint64
kymo_summary_find_usual (GArray *values,
                         gint64  unit)
{
  gint64 usual = 0;
  guint most = 0;

  g_array_sort (values, kymo_compare_ints);
  for (guint begin = 0, i; begin < values->len; begin = i)
    {
      gint64 value = g_array_index (values, gint64, begin);

      for (i = begin; i < values->len && g_array_index (values, gint64, i) == value; i++)
        ;
      if (i - begin > most
          || (i - begin == most && is_joined (value, unit) && !is_joined (usual, unit)))
        {
          most = i - begin;
          usual = value;
        }
    }
  return usual;
}

static void
collect_lengths (const KymoSummaryFacts *facts,
                 guint                   n,
                 gboolean                all,
                 GArray                 *lengths)
{
  for (guint i = 0; i < n; i++)
    {
      if (facts[i].sum_ns > 0 && (all || facts[i].sum_ns >= facts[i].least_ns))
        g_array_append_val (lengths, facts[i].sum_ns);
      if (facts[i].sumd_ns > 0 && (all || facts[i].sumd_ns >= facts[i].least_ns))
        g_array_append_val (lengths, facts[i].sumd_ns);
    }
}

/* Of those that can hold the time of the entry methods, where there are any. */
static gint64
find_usual_length (const KymoSummaryFacts *facts,
                   guint                   n)
{
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gint64));

  collect_lengths (facts, n, FALSE, lengths);
  if (lengths->len == 0)
    collect_lengths (facts, n, TRUE, lengths);
  return kymo_summary_find_usual (lengths, DEFAULT_NS);
}

static gboolean
is_confirmed (const KymoSummaryFacts *facts,
              gint64                  ns)
{
  return facts->sum_ns == ns || facts->sumd_ns == ns;
}

/* Usual end of PEs whose bins have the usual length: the middle of their ends. */
static gint64
find_usual_end (const KymoSummaryFacts *facts,
                guint                   n,
                gint64                  usual_ns)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < n; i++)
    if (is_confirmed (&facts[i], usual_ns))
      {
        gint64 end = MIN (facts[i].n_bins, KYMO_SUM_MAX_NS / usual_ns) * usual_ns;

        g_array_append_val (ends, end);
      }
  g_array_sort (ends, kymo_compare_ints);
  return ends->len > 0 ? g_array_index (ends, gint64, (ends->len - 1) / 2) : 0;
}

/* Chooses the length of joined bins. A file may be wrong, but two that agree are believed; a single
   file's length is believed where it brings the PE's end nearer to the others'. */
static gint64
choose_length (const KymoSummaryFacts *facts,
               gint64                  usual_ns,
               gint64                  usual_end_ns)
{
  gint64 own_ns = facts->sum_ns > 0 ? facts->sum_ns : facts->sumd_ns;
  __int128 own_end_ns = (__int128) own_ns * facts->n_bins;
  __int128 end_ns = (__int128) usual_ns * facts->n_bins;

  if (facts->sum_ns == facts->sumd_ns)
    return own_ns;
  if (is_confirmed (facts, usual_ns)
      || !is_joined (MAX (own_ns, usual_ns), MIN (own_ns, usual_ns)))
    return usual_ns;
  return ABS (own_end_ns - usual_end_ns) < ABS (end_ns - usual_end_ns) ? own_ns : usual_ns;
}

/**
 * kymo_summary_settle_lengths:
 * @facts: (array length=n): of all PEs; #KymoSummaryFacts.bin_ns is set
 */
void
kymo_summary_settle_lengths (KymoSummaryFacts *facts,
                             guint             n)
{
  gint64 usual_ns = find_usual_length (facts, n);
  gint64 usual_end_ns = usual_ns > 0 ? find_usual_end (facts, n, usual_ns) : 0;

  for (guint i = 0; i < n; i++)
    facts[i].bin_ns = choose_length (&facts[i], usual_ns, usual_end_ns);
}

/**
 * kymo_summary_is_settled:
 * @facts: of a PE, after kymo_summary_settle_lengths()
 *
 * Returns: %FALSE where one of its files tells another length than the one that counts
 */
gboolean
kymo_summary_is_settled (const KymoSummaryFacts *facts)
{
  return (facts->sum_ns == 0 || facts->sum_ns == facts->bin_ns)
    && (facts->sumd_ns == 0 || facts->sumd_ns == facts->bin_ns);
}

/**
 * kymo_summary_correct_length:
 * @facts: of the PE; nothing is done before kymo_summary_settle_lengths()
 * @bin_ns: (inout): length of the bins by the header of a file; becomes the one that counts
 * @name: what the load report calls the file
 * @report: told where the header was wrong
 */
void
kymo_summary_correct_length (const KymoSummaryFacts *facts,
                             gint64                 *bin_ns,
                             const char             *name,
                             KymoReport             *report)
{
  if (facts->bin_ns == 0 || facts->bin_ns == *bin_ns)
    return;
  *bin_ns = facts->bin_ns;
  kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, 0,
                   N_("The length of the bins in the header does not fit the other files; theirs "
                      "counts"));
}
