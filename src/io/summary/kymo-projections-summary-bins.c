/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the lists of .sum and .sumd to bins.
 *
 * Rules. The .sum decides how many bins there are. Busy time of a bin is its
 * utilization, or the sum of its entry methods where that is more (percent
 * are cut to whole ones); what no entry method claims is the unknown
 * activity. Entry methods that exceed their bin are cut in proportion; idle
 * gets at most what is left; overhead is the rest. Where the exact totals of
 * the entry methods are more than the busy time of all bins, the percent
 * hid it: the difference is taken out of overhead, spread over the bins in
 * proportion to it. So the totals never exceed the busy time; if overhead
 * does not suffice, the totals are cut in proportion.
 *
 * Packing and unpacking lie inside entry methods, idle or overhead and are
 * kept apart.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-sts.h"
#include "kymo-projections-summary.h"

#include <string.h>

/* Most bins of a small file, and of any file. */
#define FEW_BINS (1 << 17)
#define MOST_BINS (1 << 22)
#define BINS_PER_BYTE 64
/* Values other than 0 that a .sumd may hold, by its size. */
#define FEW_CELLS (1 << 17)
#define MOST_CELLS (1 << 30)
#define CELLS_PER_BYTE 8
#define NO_PERCENT 0xff

/* (state, value) lists by bin */
typedef struct
{
  guint32 *offsets;
  guint32 *states;
  gint64  *values;
} Cells;

typedef struct
{
  const KymoSum  *sum;
  const KymoSumd *sumd;
  const char     *name;
  gint64          size_bytes;
  KymoReport     *report;
  gint64          bin_ns;
  guint           n_bins;
  guint           n_entries;
  guint8         *utilization;  /* percent by bin, or NO_PERCENT */
  guint8         *idle;
  Cells           times;        /* us by entry; without packing */
  gint64          n_exceeding;  /* bins with more than their time */
  gint64          added_ns;     /* taken out of overhead, see above */
  gint64          overhead_ns;
  KymoBins       *bins;
} Maker;

/* Time of a bin before it is compared with the totals. */
typedef struct
{
  gint64 idle_ns;
  gint64 unknown_ns;
  gint64 overhead_ns;
  gint64 entries_ns;            /* of the entry methods, cut to the bin */
  __int128 claimed_ns;          /* the same as told */
} Parts;

static void
cells_clear (Cells *cells)
{
  g_clear_pointer (&cells->offsets, g_free);
  g_clear_pointer (&cells->states, g_free);
  g_clear_pointer (&cells->values, g_free);
}

static gboolean
is_packing (gint64 entry)
{
  return entry == KYMO_SUM_PACK_ENTRY || entry == KYMO_SUM_UNPACK_ENTRY;
}

/* -- how much is believed -------------------------------------------------- */

static gint64
believable_bins (const Maker *maker)
{
  gint64 most = CLAMP (maker->size_bytes * BINS_PER_BYTE, FEW_BINS, MOST_BINS);

  return MIN (most, KYMO_SUM_MAX_NS / maker->bin_ns);
}

static void
choose_bins (Maker *maker)
{
  const KymoSum *sum = maker->sum;
  gint64 n = sum != NULL ? sum->utilization.n_values : maker->sumd->n_bins;
  gint64 most;

  if (sum != NULL && sum->n_bins >= 0)
    n = MIN (n, sum->n_bins);
  maker->bin_ns = sum != NULL ? sum->bin_ns : maker->sumd->bin_ns;
  most = believable_bins (maker);
  if (n > most)
    {
      kymo_report_add (maker->report, maker->name, KYMO_SEVERITY_LOST, n - most, -1,
                       N_("The file claims more bins than it can hold; the last are left out"));
      n = most;
    }
  maker->n_bins = n;
}

/* A .sumd with other bins cannot be laid over the .sum. */
static void
check_detail (Maker *maker)
{
  const KymoSum *sum = maker->sum;
  const KymoSumd *sumd = maker->sumd;

  if (sumd == NULL || sum == NULL)
    return;
  if (sumd->bin_ns != sum->bin_ns)
    {
      kymo_report_add (maker->report, maker->name, KYMO_SEVERITY_LOST, 1, -1,
                       N_("The .sumd has bins of another length than the .sum; it is left out"));
      maker->sumd = NULL;
    }
  else if (sumd->n_bins > maker->n_bins)
    kymo_report_add (maker->report, maker->name, KYMO_SEVERITY_LOST,
                     sumd->n_bins - maker->n_bins, -1,
                     N_("The .sumd has more bins than the .sum; the last are left out"));
  else if (sumd->n_bins < maker->n_bins)
    kymo_report_add (maker->report, maker->name, KYMO_SEVERITY_LOST,
                     maker->n_bins - sumd->n_bins, -1,
                     N_("The .sumd has fewer bins than the .sum; the entry methods of the last "
                        "are unknown"));
}

/* -- lists by bin ---------------------------------------------------------- */

static guint8 *
expand_percent (const KymoSumList *list,
                guint              n_bins)
{
  guint8 *percent = g_malloc (MAX (n_bins, 1));
  gint64 bin = 0;

  memset (percent, NO_PERCENT, n_bins);
  for (guint i = 0; list->runs != NULL && i < list->runs->len && bin < n_bins; i++)
    {
      const KymoSumRun *run = &g_array_index (list->runs, KymoSumRun, i);
      gint64 n = MIN (run->count, n_bins - bin);

      memset (percent + bin, run->value == KYMO_SUM_DAMAGED ? NO_PERCENT : run->value, n);
      bin += n;
    }
  return percent;
}

typedef void (*CellFunc) (Cells  *cells,
                          gint64  entry,
                          gint64  bin,
                          gint64  value);

static void
count_cell (Cells  *cells,
            gint64  entry,
            gint64  bin,
            gint64  value)
{
  cells->offsets[bin + 1]++;
}

/* offsets[bin] is where the bin's next cell goes. */
static void
put_cell (Cells  *cells,
          gint64  entry,
          gint64  bin,
          gint64  value)
{
  guint32 i = cells->offsets[bin]++;

  cells->states[i] = entry;
  cells->values[i] = value;
}

/* Every value other than 0, up to a budget. Returns how many were left out. */
static gint64
each_cell (const Maker       *maker,
           const KymoSumList *list,
           gboolean           packing,
           Cells             *cells,
           CellFunc           func)
{
  gint64 n_columns = maker->sumd->n_bins;
  gint64 end = MIN (n_columns * MIN (maker->sumd->n_entries, KYMO_STS_MAX_ENTRY_ID),
                    list->n_values);
  gint64 budget = CLAMP (maker->size_bytes * CELLS_PER_BYTE, FEW_CELLS, MOST_CELLS);
  gint64 position = 0, n_left = 0;

  for (guint i = 0; i < list->runs->len && position < end; i++)
    {
      const KymoSumRun *run = &g_array_index (list->runs, KymoSumRun, i);
      gint64 count = MIN (run->count, end - position);
      gint64 taken = run->value > 0 ? MIN (count, budget) : 0;

      for (gint64 p = position; p < position + taken; p++)
        if (p % n_columns < maker->n_bins && is_packing (p / n_columns) == packing)
          func (cells, p / n_columns, p % n_columns, run->value);
      budget -= taken;
      n_left += run->value > 0 ? count - taken : 0;
      position += count;
    }
  return n_left;
}

static Cells
cells_new (const Maker       *maker,
           const KymoSumList *list,
           gboolean           packing)
{
  Cells cells = { g_new0 (guint32, maker->n_bins + 1) };
  gint64 n_left;

  if (maker->sumd == NULL || list->runs == NULL)
    return cells;
  n_left = each_cell (maker, list, packing, &cells, count_cell);
  for (guint i = 0; i < maker->n_bins; i++)
    cells.offsets[i + 1] += cells.offsets[i];
  cells.states = g_new (guint32, MAX (cells.offsets[maker->n_bins], 1));
  cells.values = g_new (gint64, MAX (cells.offsets[maker->n_bins], 1));
  each_cell (maker, list, packing, &cells, put_cell);
  memmove (cells.offsets + 1, cells.offsets, maker->n_bins * sizeof (guint32));
  cells.offsets[0] = 0;
  if (n_left > 0 && !packing)           /* of the same list it was told before */
    kymo_report_add (maker->report, maker->name, KYMO_SEVERITY_LOST, n_left, -1,
                     N_("The .sumd claims more figures than it can hold; the last are left out"));
  return cells;
}

/* -- one bin --------------------------------------------------------------- */

static gint64
of_percent (const Maker *maker,
            guint8       percent)
{
  return percent == NO_PERCENT ? 0
    : (gint64) ((__int128) maker->bin_ns * percent / 100);
}

static gint64
in_proportion (gint64   ns,
               gint64   part_ns,
               __int128 whole_ns)
{
  return whole_ns > 0 ? (gint64) ((__int128) ns * part_ns / whole_ns) : 0;
}

/* The time of one cell of a bin, cut where the bin claims too much. */
static gint64
entry_ns (const Maker *maker,
          const Parts *parts,
          guint32      cell)
{
  gint64 ns = maker->times.values[cell] * 1000;

  return parts->claimed_ns <= maker->bin_ns ? ns
    : in_proportion (ns, maker->bin_ns, parts->claimed_ns);
}

/* Returns whether the parts told fit into the bin. */
static gboolean
share_out (const Maker *maker,
           guint        bin,
           Parts       *parts)
{
  gint64 busy_ns = of_percent (maker, maker->utilization[bin]);
  gint64 idle_ns = of_percent (maker, maker->idle[bin]);

  *parts = (Parts) { 0 };
  for (guint32 i = maker->times.offsets[bin]; i < maker->times.offsets[bin + 1]; i++)
    parts->claimed_ns += maker->times.values[i] * 1000;
  for (guint32 i = maker->times.offsets[bin]; i < maker->times.offsets[bin + 1]; i++)
    parts->entries_ns += entry_ns (maker, parts, i);
  busy_ns = MAX (busy_ns, parts->entries_ns);
  parts->idle_ns = MIN (idle_ns, maker->bin_ns - busy_ns);
  parts->unknown_ns = busy_ns - parts->entries_ns;
  parts->overhead_ns = maker->bin_ns - busy_ns - parts->idle_ns;
  return parts->claimed_ns <= maker->bin_ns && parts->idle_ns == idle_ns;
}

/* -- the whole run --------------------------------------------------------- */

/* The value of one entry, walking along with the ids. */
typedef struct
{
  const KymoSumList *list;
  guint              run;
  gint64             left;
} ListWalk;

static gint64
walk_next (ListWalk *walk)
{
  const GArray *runs = walk->list->runs;
  gint64 value;

  if (runs == NULL || walk->run >= runs->len)
    return 0;
  if (walk->left == 0)
    walk->left = g_array_index (runs, KymoSumRun, walk->run).count;
  value = g_array_index (runs, KymoSumRun, walk->run).value;
  if (--walk->left == 0)
    walk->run++;
  return MAX (value, 0);
}

/* Takes the totals of the run from the bins, because there is no .sum. */
static void
total_from_bins (Maker *maker)
{
  guint n_states = KYMO_SUMMARY_ENTRY + maker->n_entries;
  KymoSums times, calls;

  if (maker->sumd == NULL)
    return;
  kymo_sums_init (&times, n_states);
  kymo_sums_init (&calls, n_states);
  kymo_pyramid_sum_nodes (maker->bins->times, 0, maker->n_bins, &times);
  if (maker->bins->calls != NULL)
    kymo_pyramid_sum_nodes (maker->bins->calls, 0, maker->n_bins, &calls);
  for (guint32 s = KYMO_SUMMARY_ENTRY; s < n_states; s++)
    if (times.ns[s] > 0 || calls.ns[s] > 0)
      {
        KymoBinsTotal total = { s, times.ns[s], calls.ns[s], -1 };

        g_array_append_val (maker->bins->totals, total);
      }
  kymo_sums_clear (&times);
  kymo_sums_clear (&calls);
}

/* Returns the sum of the entries' times. */
static __int128
total_from_sum (Maker *maker)
{
  ListWalk exe = { &maker->sum->exe_us }, calls = { &maker->sum->calls },
           longest = { &maker->sum->max_us };
  __int128 sum_ns = 0;

  for (guint32 entry = 0; entry < maker->n_entries; entry++)
    {
      gint64 ns = walk_next (&exe) * 1000;
      KymoBinsTotal total = { KYMO_SUMMARY_ENTRY + entry, ns, walk_next (&calls),
                              walk_next (&longest) * 1000 };

      if (entry == KYMO_SUM_PACK_ENTRY)
        maker->bins->pack_ns = ns;
      else if (entry == KYMO_SUM_UNPACK_ENTRY)
        maker->bins->unpack_ns = ns;
      else if (total.ns > 0 || total.calls > 0)
        {
          sum_ns += ns;
          g_array_append_val (maker->bins->totals, total);
        }
    }
  return sum_ns;
}

/* Makes room for time that the totals have beyond the bins: it is taken from overhead, and a rest
   beyond that is cut from the totals. */
static void
compare_with_totals (Maker    *maker,
                     __int128  totals_ns,
                     gint64    busy_ns)
{
  __int128 missing_ns = totals_ns - busy_ns;

  if (missing_ns <= 0)
    return;
  maker->added_ns = MIN (missing_ns, maker->overhead_ns);
  if (missing_ns == maker->added_ns)
    return;
  kymo_report_add (maker->report, maker->name, KYMO_SEVERITY_REPAIRED, 1, -1,
                   N_("EPExeTime is more than the bins can hold; it is cut in proportion"));
  for (guint i = 0; i < maker->bins->totals->len; i++)
    {
      KymoBinsTotal *total = &g_array_index (maker->bins->totals, KymoBinsTotal, i);

      total->ns = in_proportion (total->ns, busy_ns + maker->added_ns, totals_ns);
    }
}

/* -- making the bins ------------------------------------------------------- */

static void
append_cell (GArray  *states,
             GArray  *ns,
             guint32  state,
             gint64   value)
{
  if (value <= 0)
    return;
  g_array_append_val (states, state);
  g_array_append_val (ns, value);
}

static gpointer
steal (GArray *array)
{
  return g_array_free (array, FALSE);
}

static void
make_times (Maker *maker)
{
  guint32 *offsets = g_new0 (guint32, maker->n_bins + 1);
  GArray *states = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 overhead_ns = 0, added_ns = 0;

  for (guint bin = 0; bin < maker->n_bins; bin++)
    {
      const Cells *times = &maker->times;
      gint64 until_ns;
      Parts parts;

      share_out (maker, bin, &parts);
      overhead_ns += parts.overhead_ns;
      until_ns = in_proportion (maker->added_ns, overhead_ns, maker->overhead_ns);
      append_cell (states, ns, KYMO_STATE_IDLE, parts.idle_ns);
      append_cell (states, ns, KYMO_SUMMARY_UNKNOWN, parts.unknown_ns + until_ns - added_ns);
      added_ns = until_ns;
      for (guint32 i = times->offsets[bin]; i < times->offsets[bin + 1]; i++)
        append_cell (states, ns, KYMO_SUMMARY_ENTRY + times->states[i],
                     entry_ns (maker, &parts, i));
      offsets[bin + 1] = states->len;
    }
  maker->bins->times = kymo_pyramid_new_from_nodes (offsets, steal (states), steal (ns),
                                                    maker->n_bins,
                                                    KYMO_SUMMARY_ENTRY + maker->n_entries);
}

/* Becomes a pyramid of values in `unit`s, each at most `most`. */
static KymoPyramid *
cells_to_pyramid (const Maker *maker,
                  Cells       *cells,
                  guint32      shift,
                  gint64       unit,
                  gint64       most,
                  guint        n_states)
{
  guint32 n = cells->offsets[maker->n_bins];

  for (guint32 i = 0; i < n; i++)
    {
      cells->states[i] += shift;
      cells->values[i] = MIN (cells->values[i] * unit, most);
    }
  return kymo_pyramid_new_from_nodes (cells->offsets, cells->states, cells->values,
                                      maker->n_bins, n_states);
}

static void
make_details (Maker *maker)
{
  Cells calls, packing;

  if (maker->sumd == NULL)
    return;
  calls = cells_new (maker, &maker->sumd->calls, FALSE);
  packing = cells_new (maker, &maker->sumd->times_us, TRUE);
  maker->bins->calls = cells_to_pyramid (maker, &calls, KYMO_SUMMARY_ENTRY, 1, G_MAXINT32,
                                         KYMO_SUMMARY_ENTRY + maker->n_entries);
  maker->bins->packing = cells_to_pyramid (maker, &packing, -KYMO_SUM_PACK_ENTRY, 1000,
                                           maker->bin_ns, 2);
}

/* Measures all bins and makes them, with the totals between. */
static void
make_projections_summary_bins (Maker *maker)
{
  gint64 busy_ns = 0;
  Parts parts;

  for (guint bin = 0; bin < maker->n_bins; bin++)
    {
      maker->n_exceeding += !share_out (maker, bin, &parts);
      busy_ns += parts.unknown_ns + parts.entries_ns;
      maker->overhead_ns += parts.overhead_ns;
    }
  if (maker->n_exceeding > 0)
    kymo_report_add (maker->report, maker->name, KYMO_SEVERITY_REPAIRED, maker->n_exceeding, -1,
                     N_("Bins hold more than their time; idle gave way, then entry methods were "
                        "cut in proportion"));
  if (maker->sum != NULL && maker->sum->exe_us.runs != NULL)
    compare_with_totals (maker, total_from_sum (maker), busy_ns);
  make_times (maker);
  make_details (maker);
  if (maker->sum == NULL || maker->sum->exe_us.runs == NULL)
    {
      KymoSums sums;

      total_from_bins (maker);
      kymo_sums_init (&sums, 2);
      if (maker->bins->packing != NULL)
        kymo_pyramid_sum_nodes (maker->bins->packing, 0, maker->n_bins, &sums);
      maker->bins->pack_ns = sums.ns[0];
      maker->bins->unpack_ns = sums.ns[1];
      kymo_sums_clear (&sums);
    }
}

/* One past the last value that is not 0. */
static gint64
end_of_values (const KymoSumList *list)
{
  gint64 position = 0, end = 0;

  for (guint i = 0; list->runs != NULL && i < list->runs->len; i++)
    {
      const KymoSumRun *run = &g_array_index (list->runs, KymoSumRun, i);

      position += run->count;
      if (run->value > 0)
        end = position;
    }
  return end;
}

/* One past the highest entry method that has a figure. */
static guint
count_entries (const Maker *maker)
{
  gint64 n = maker->sumd != NULL ? maker->sumd->n_entries : 0;

  if (maker->sum != NULL)
    n = MAX (n, MAX (end_of_values (&maker->sum->exe_us), end_of_values (&maker->sum->calls)));
  if (maker->sum != NULL && maker->sum->n_entries >= 0
      && (maker->sumd == NULL || maker->sumd->n_entries <= maker->sum->n_entries))
    n = MIN (n, maker->sum->n_entries);
  return MIN (n, KYMO_STS_MAX_ENTRY_ID);
}

KymoBins *
kymo_summary_make_bins (const KymoSum  *sum,
                        const KymoSumd *sumd,
                        const char     *name,
                        gint64          size_bytes,
                        KymoReport     *report,
                        guint          *n_entries)
{
  static const KymoSumList none;
  Maker maker = { .sum = sum, .sumd = sumd, .name = name, .size_bytes = size_bytes,
                  .report = report };

  choose_bins (&maker);
  if (maker.n_bins == 0)
    {
      kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1,
                       N_("The summary holds no bins; it is left out"));
      return NULL;
    }
  check_detail (&maker);
  maker.n_entries = count_entries (&maker);
  maker.bins = kymo_bins_new (maker.bin_ns, maker.n_bins);
  maker.bins->unknown = KYMO_SUMMARY_UNKNOWN;
  maker.utilization = expand_percent (sum != NULL ? &sum->utilization : &none, maker.n_bins);
  maker.idle = expand_percent (sum != NULL ? &sum->idle : &none, maker.n_bins);
  maker.times = cells_new (&maker, maker.sumd != NULL ? &maker.sumd->times_us : &none, FALSE);
  make_projections_summary_bins (&maker);
  cells_clear (&maker.times);
  g_free (maker.utilization);
  g_free (maker.idle);
  *n_entries = maker.n_entries;
  return maker.bins;
}
