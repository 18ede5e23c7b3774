/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time profiles of single PEs, sparse: a *cell* is one state in one bar. A
 * cell in which no PE spends more than the bound of its time is left out: there
 * truth and estimate are both between 0 and the bound, whatever the weights.
 * What is left are some entries a PE and bar, each the share of the bar.
 *
 * Where there would be more than fit into memory, neighbouring bars are joined:
 * an error in a joined bar is the mean of those in its parts, so never more
 * than their largest. So the error told here is never more than that of
 * kymo_reducer_measure_bars() but for the rounding of shares, and what is
 * beyond the bound here is beyond it there.
 *
 * Several threads make it, a PE each; then it is immutable.
 */
#include "config.h"

#include "kymo-reducer-bars.h"

#include <math.h>

#include "kymo-fewest.h"
#include "kymo-share.h"
#include "kymo-state-rows.h"

#define NO_CELL G_MAXUINT32

struct _KymoReducerBars
{
  const KymoReducerTruth *truth;
  guint                   n_pes;
  KymoSegment           **segments;     /* by PE */
  double                 *before;       /* by PE: what it stands for itself */
  double                  stands_for;
  guint                   n_bars;
  gint64                 *edges_ns;
  double                  bound;
  guint32               **cell_of;      /* by state: by bar; NULL = none */
  guint                   n_states;
  guint                   n_cells;
  GArray                **entries;      /* by PE: KymoCellEntry */
  KymoCellList           *lists;        /* by PE: the same */
  gint64                  n_entries;    /* atomic */
  gint64                  most_entries;
  double                 *all;          /* by cell: sum over all PEs */
};

typedef struct
{
  KymoReducerBars *bars;
  KymoStateRows   *most;        /* NULL in the second pass */
  gint            *next;        /* atomic: next PE to take */
} Worker;

static gboolean
is_stopped (const KymoReducerBars *bars)
{
  return g_cancellable_is_cancelled (bars->truth->cancellable)
    || __atomic_load_n (&bars->n_entries, __ATOMIC_RELAXED) > bars->most_entries;
}

static void
note_most (KymoStateRows  *most,
           const KymoSums *sums,
           guint           bar)
{
  for (guint i = 0; i < sums->n_touched; i++)
    {
      gint64 *row = kymo_state_rows_get (most, sums->touched[i]);

      row[bar] = MAX (row[bar], sums->ns[sums->touched[i]]);
    }
}

static void
append_entries (const KymoReducerBars *bars,
                GArray                *entries,
                const KymoSums        *sums,
                guint                  bar)
{
  gint64 bar_ns = bars->edges_ns[bar + 1] - bars->edges_ns[bar];

  for (guint i = 0; i < sums->n_touched; i++)
    {
      const guint32 *cells = bars->cell_of[sums->touched[i]];
      KymoCellEntry entry = { cells != NULL ? cells[bar] : NO_CELL,
                      (double) sums->ns[sums->touched[i]] / (double) bar_ns };

      if (entry.cell != NO_CELL)
        g_array_append_val (entries, entry);
    }
}

static void
walk_reducer_bars (const Worker *worker,
                   guint         pe,
                   KymoSums     *sums)
{
  KymoReducerBars *bars = worker->bars;
  guint hint = 0;

  for (guint bar = 0; bar < bars->n_bars; bar++)
    {
      KymoSpan span = { bars->edges_ns[bar], bars->edges_ns[bar + 1] };

      if (kymo_span_length (span) == 0)
        continue;
      kymo_segment_sum (bars->segments[pe], span, &hint, sums);
      if (worker->most != NULL)
        note_most (worker->most, sums, bar);
      else
        append_entries (bars, bars->entries[pe], sums, bar);
      kymo_sums_reset (sums);
    }
  if (worker->most == NULL)
    __atomic_add_fetch (&bars->n_entries, bars->entries[pe]->len, __ATOMIC_RELAXED);
}

static gpointer
reducer_bars_work (gpointer data)
{
  Worker *worker = data;
  KymoSums sums;
  gint pe;

  kymo_sums_init (&sums, worker->bars->n_states);
  while ((pe = g_atomic_int_add (worker->next, 1)) < (gint) worker->bars->n_pes
         && !is_stopped (worker->bars))
    walk_reducer_bars (worker, pe, &sums);
  kymo_sums_clear (&sums);
  return NULL;
}

static void
take_most (KymoStateRows       *into,
           const KymoStateRows *from)
{
  for (guint state = 0; state < from->n_states; state++)
    for (guint i = 0; from->rows[state] != NULL && i < from->n_bins; i++)
      {
        gint64 *row = kymo_state_rows_get (into, state);

        row[i] = MAX (row[i], from->rows[state][i]);
      }
}

/* One pass over all PEs; with @measures the most of each cell comes of it. */
static KymoStateRows *
pass_reducer_bars (KymoReducerBars *bars,
                   gboolean         measures)
{
  guint n = MIN (g_get_num_processors (), bars->n_pes / 16 + 1);
  g_autofree Worker *workers = g_new0 (Worker, n);
  gint next = 0;

  for (guint i = 0; i < n; i++)
    workers[i] = (Worker) { bars, measures ? kymo_state_rows_new (bars->n_states, bars->n_bars)
                            : NULL, &next };
  kymo_share_run ("kymo-bars", n, reducer_bars_work, workers, sizeof *workers);
  for (guint i = 1; i < n && measures; i++)
    {
      take_most (workers[0].most, workers[i].most);
      kymo_state_rows_free (workers[i].most);
    }
  return workers[0].most;
}

/* Untraced time is no part of the error. */
static void
number_cells (KymoReducerBars     *bars,
              const KymoStateRows *most)
{
  bars->n_cells = 0;
  for (guint state = 0; state < bars->n_states; state++)
    for (guint i = 0; most->rows[state] != NULL && state != KYMO_STATE_UNTRACED
         && i < bars->n_bars; i++)
      {
        gint64 bar_ns = bars->edges_ns[i + 1] - bars->edges_ns[i];

        if (bars->cell_of[state] == NULL)
          {
            bars->cell_of[state] = g_new (guint32, bars->n_bars);
            for (guint k = 0; k < bars->n_bars; k++)
              bars->cell_of[state][k] = NO_CELL;
          }
        if (most->rows[state][i] > 0
            && (double) most->rows[state][i] > bars->bound * (double) bar_ns)
          bars->cell_of[state][i] = bars->n_cells++;
      }
}

static void
clear_entries (KymoReducerBars *bars)
{
  for (guint state = 0; bars->cell_of != NULL && state < bars->n_states; state++)
    g_clear_pointer (&bars->cell_of[state], g_free);
  for (guint pe = 0; bars->entries != NULL && pe < bars->n_pes; pe++)
    g_clear_pointer (&bars->entries[pe], g_array_unref);
  g_clear_pointer (&bars->edges_ns, g_free);
  bars->n_entries = 0;
}

static void
join_edges (KymoReducerBars *bars,
            guint            n_bars)
{
  const gint64 *edges = kymo_table_peek_ints (bars->truth->bars, "edges_ns", NULL);

  bars->n_bars = n_bars;
  bars->edges_ns = g_new (gint64, n_bars + 1);
  for (guint i = 0; i <= n_bars; i++)
    bars->edges_ns[i] = edges[i * (KYMO_REDUCER_BARS / n_bars)];
}

/* Returns whether there was room for it. */
static gboolean
fill_reducer_bars (KymoReducerBars *bars,
                   guint            n_bars)
{
  KymoStateRows *most;

  clear_entries (bars);
  join_edges (bars, n_bars);
  most = pass_reducer_bars (bars, TRUE);
  number_cells (bars, most);
  kymo_state_rows_free (most);
  for (guint pe = 0; pe < bars->n_pes; pe++)
    bars->entries[pe] = g_array_new (FALSE, FALSE, sizeof (KymoCellEntry));
  pass_reducer_bars (bars, FALSE);
  return bars->n_entries <= bars->most_entries;
}

static KymoCells
cells_of (const KymoReducerBars *bars)
{
  return (KymoCells) { bars->n_pes, bars->n_cells, bars->lists, bars->before, bars->all,
                       bars->stands_for };
}

static void
sum_all (KymoReducerBars *bars)
{
  KymoCells cells;

  bars->lists = g_new (KymoCellList, MAX (bars->n_pes, 1));
  for (guint pe = 0; pe < bars->n_pes; pe++)
    bars->lists[pe] = (KymoCellList) { (const KymoCellEntry *) bars->entries[pe]->data,
                                       bars->entries[pe]->len };
  bars->all = g_new0 (double, MAX (bars->n_cells, 1));
  cells = cells_of (bars);
  kymo_cells_sum (&cells, bars->all);
}

static void
choose_pes (KymoReducerBars *bars,
            const gint64    *pes)
{
  const KymoReducerTruth *truth = bars->truth;

  bars->segments = g_new (KymoSegment *, bars->n_pes);
  bars->before = g_new (double, bars->n_pes);
  for (guint pe = 0; pe < bars->n_pes; pe++)
    {
      bars->segments[pe] = g_ptr_array_index (truth->run->segments,
                                              kymo_run_find_location (truth->run, pes[pe]));
      bars->before[pe] = truth->before == NULL ? 1
        : (double) kymo_id_weights_get (truth->before, pes[pe]) / KYMO_WEIGHT_ONE;
    }
}

/**
 * kymo_reducer_bars_new:
 * @truth: what is measured against; must outlive the bars
 * @pes: that are compared; readers make one segment a location
 * @bound: below which nothing is of interest
 * @most_entries: of eight bytes each, that there is room for
 * @error: that it was cancelled
 *
 * Returns: (transfer full) (nullable): time profiles of all these PEs
 */
KymoReducerBars *
kymo_reducer_bars_new (const KymoReducerTruth  *truth,
                       const gint64            *pes,
                       guint                    n_pes,
                       double                   bound,
                       gint64                   most_entries,
                       GError                 **error)
{
  static const guint joined[] = { KYMO_REDUCER_BARS, 20, 4, 1 };
  g_autoptr (KymoReducerBars) bars = g_new0 (KymoReducerBars, 1);

  bars->truth = truth;
  bars->n_pes = n_pes;
  bars->stands_for = (double) truth->stands_for / KYMO_WEIGHT_ONE;
  bars->bound = bound;
  bars->most_entries = most_entries;
  bars->n_states = KYMO_STATE_ACTIVITY + truth->run->activities->len;
  bars->cell_of = g_new0 (guint32 *, bars->n_states);
  bars->entries = g_new0 (GArray *, n_pes);
  choose_pes (bars, pes);
  for (guint i = 0; i < G_N_ELEMENTS (joined); i++)
    if (fill_reducer_bars (bars, joined[i]) || g_cancellable_is_cancelled (truth->cancellable))
      break;
  if (g_cancellable_set_error_if_cancelled (truth->cancellable, error))
    return NULL;
  /* Of one bar there may still be too many; then nothing is left out early. */
  if (bars->n_entries > bars->most_entries)
    for (guint pe = 0; pe < n_pes; pe++)
      g_array_set_size (bars->entries[pe], 0);
  sum_all (bars);
  return g_steal_pointer (&bars);
}

void
kymo_reducer_bars_free (KymoReducerBars *bars)
{
  clear_entries (bars);
  g_free (bars->cell_of);
  g_free (bars->entries);
  g_free (bars->segments);
  g_free (bars->before);
  g_free (bars->all);
  g_free (bars->lists);
  g_free (bars);
}

guint
kymo_reducer_bars_n_cells (const KymoReducerBars *bars)
{
  return bars->n_cells;
}

/** kymo_reducer_bars_before: by PE: what it stands for itself */
const double *
kymo_reducer_bars_before (const KymoReducerBars *bars)
{
  return bars->before;
}

/**
 * kymo_reducer_bars_error:
 * @weights: by PE; 0 = it is dropped
 * @cells: (out): room for as many numbers as there are cells
 *
 * Returns: the error of the time profile, or less
 */
double
kymo_reducer_bars_error (const KymoReducerBars *bars,
                         const double          *weights,
                         double                *cells)
{
  const KymoCells of = cells_of (bars);

  return kymo_cells_error (&of, weights, cells);
}
