/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a question for a timeline asks for: its columns, on the grid of time
 * or equal parts of the range, its rows, and the form of its cells.
 */
#include "config.h"

#include "kymo-run-index.h"
#include "kymo-timeline-private.h"

#define DEFAULT_COLUMNS 1000
#define MAX_COLUMNS 100000
/* Most cells, one for each piece, that are given as a list although a packed number for each
   column was asked for: in a list blocks keep their edges. */
#define MOST_LISTED 150000
/* No answer has more packed cells. */
#define MOST_DENSE (1u << 28)

/**
 * kymo_timeline_row_place:
 * @row: 0 to n_rows_total
 *
 * Returns: the first place of a row: a location, or a folded group
 */
guint
kymo_timeline_row_place (const KymoAsk          *ask,
                         const KymoTimelinePlan *plan,
                         guint                   row)
{
  guint64 n = plan->n_rows_total;

  return plan->on_grid ? MIN ((guint64) row * plan->group, ask->n_places)
    : ((guint64) row * ask->n_places + n - 1) / n;
}

/**
 * kymo_timeline_row_begin:
 * @row: 0 to n_rows_total
 *
 * Returns: the first location of a row, by its number among the asked ones
 */
guint
kymo_timeline_row_begin (const KymoAsk          *ask,
                         const KymoTimelinePlan *plan,
                         guint                   row)
{
  return kymo_ask_place_begin (ask, kymo_timeline_row_place (ask, plan, row));
}

/* Pieces that locations have in a stretch of time, on average. */
static double
pieces_in (const KymoRun *run,
           double         ns)
{
  return kymo_run_get_density (run) * ns;
}

/* The smallest width 2^k ns with which the range has at most n columns; -1
   where there is none. */
static int
choose_width (KymoSpan span,
              guint    n)
{
  for (int k = 0; k < 62; k++)
    if (((span.end_ns - 1) >> k) - (span.begin_ns >> k) < (gint64) n)
      return k;
  return -1;
}

/* Pieces a cell from which on its columns lie on the grid: where fewer meet
   they are as wide as columns, and their edges can be seen; of locations that
   are merged they cannot. */
static double
least_pieces (const KymoTimelinePlan *plan)
{
  return plan->group > 1 ? 0.5 : 1;
}

/**
 * kymo_timeline_is_group:
 * @first: first location of a row, as a place among the asked ones
 * @end: one past the last
 *
 * Returns: whether the row is a group of the mosaic: neighbours in the run, from
 * a multiple of the group on. A choice of locations, and rows in an order of
 * their own, may be none
 */
gboolean
kymo_timeline_is_group (const KymoAsk          *ask,
                        const KymoTimelinePlan *plan,
                        guint                   first,
                        guint                   end)
{
  guint location = ask->locations[first], n = end - first;

  if (n > plan->group || location % plan->group != 0
      || (n < plan->group && location + n < ask->run->segments->len))
    return FALSE;
  for (guint i = first + 1; i < end; i++)
    if (ask->locations[i] != location + (i - first))
      return FALSE;
  return TRUE;
}

/**
 * kymo_timeline_n_walked:
 *
 * Returns: the number of locations in the given rows of which the mosaic knows no cells
 */
guint
kymo_timeline_n_walked (const KymoTimelinePlan *plan)
{
  return plan->by_row ? 0 : plan->n_apart;
}

/* Locations of the given rows, and how many of them are in rows that are no
   group of the mosaic. */
static void
count_locations (const KymoAsk    *ask,
                 KymoTimelinePlan *plan)
{
  guint last = plan->first_row + plan->n_rows;

  plan->n_locations = kymo_timeline_row_begin (ask, plan, last)
    - kymo_timeline_row_begin (ask, plan, plan->first_row);
  if (plan->group == 1 && ask->place_begin == NULL)
    return;
  for (guint row = plan->first_row; row < last; row++)
    {
      guint first = kymo_timeline_row_begin (ask, plan, row);
      guint end = kymo_timeline_row_begin (ask, plan, row + 1);

      if (!kymo_timeline_is_group (ask, plan, first, end))
        plan->n_apart += end - first;
    }
}

/* The mosaic of the run; or the mosaic of the rows, if most of them are no groups of the run's. */
static void
choose_mosaic (const KymoAsk    *ask,
               KymoTimelinePlan *plan)
{
  KymoMosaicPlaces places = { ask->locations, ask->place_begin, ask->n_locations,
                              ask->n_places };
  KymoMosaic *mosaic;

  /* The next draft comes before a mosaic would have paid. */
  if (ask->run->draft != NULL || plan->least_ns > 0 || plan->comms != NULL)
    return;
  if (plan->n_apart > plan->n_locations / 2)
    plan->mosaic = kymo_run_ref_rows_mosaic (ask->run, &places);
  plan->by_row = plan->mosaic != NULL;
  mosaic = plan->by_row ? NULL : kymo_run_peek_mosaic (ask->run);
  if (mosaic != NULL)
    plan->mosaic = kymo_mosaic_ref (mosaic);
}

/* TRUE if cells of this width need a walk, and the walk takes long: a step for each column and
   piece of a location. Where little happens few columns differ, and single blocks are looked at. */
static gboolean
is_slow (const KymoAsk          *ask,
         const KymoTimelinePlan *plan,
         KymoSpan                span,
         int                     k)
{
  double length = (double) kymo_span_length (span), pieces = pieces_in (ask->run, length);
  double columns = length / (double) (G_GINT64_CONSTANT (1) << k);
  gboolean has_level = plan->mosaic != NULL && kymo_mosaic_has (plan->mosaic, plan->j, k);
  double locations = has_level ? kymo_timeline_n_walked (plan) : plan->n_locations;
  double steps = locations * (columns + pieces) / (plan->group > 1 ? 2 : 1);

  return pieces * plan->per_row > columns / (plan->group > 1 ? 4 : 2)
    && steps > ask->run->index->limits.most_steps;
}

/* Puts the columns on the grid of time, where they are wide enough and a cell
   of it can tell all states. */
static void
put_on_grid (const KymoAsk    *ask,
             KymoTimelinePlan *plan)
{
  KymoSpan span = { ask->span.begin_ns, MAX (ask->span.end_ns, ask->span.begin_ns + 1) };
  int k = choose_width (span, plan->n_columns);
  gint64 first;

  if (k < 0 || plan->n_states >= KYMO_MOST_PACKED_STATES)
    return;
  if (is_slow (ask, plan, span, k))
    k++;
  else if (pieces_in (ask->run, (double) (G_GINT64_CONSTANT (1) << k) * plan->per_row)
      < least_pieces (plan))
    return;
  first = span.begin_ns >> k;
  plan->k = k;
  plan->column_ns = G_GINT64_CONSTANT (1) << k;
  plan->n_columns = ((span.end_ns - 1) >> k) - first + 1;
  for (guint i = 0; i <= plan->n_columns; i++)
    plan->edges_ns[i] = (first + i) * plan->column_ns;
  plan->span = (KymoSpan) { plan->edges_ns[0], plan->edges_ns[plan->n_columns] };
}

/* Pieces told apart are few, or a cell each of many. */
static gboolean
wants_dense (const KymoAsk          *ask,
             const KymoTimelinePlan *plan)
{
  double cells = (double) plan->n_rows * plan->n_columns;

  if (!kymo_question_get_flag (ask->question, "dense") || cells > MOST_DENSE
      || plan->n_states >= KYMO_MOST_PACKED_STATES)
    return FALSE;
  if (plan->column_ns > 0 || plan->group > 1)
    return TRUE;
  return MIN (cells, 2 * pieces_in (ask->run, (double) kymo_span_length (plan->span)
                                    * plan->n_rows * plan->per_row)) > MOST_LISTED;
}

static gboolean
plan_rows (const KymoAsk     *ask,
           KymoTimelinePlan  *plan,
           GError           **error)
{
  guint most = kymo_question_get_rows (ask->question);
  gint64 first, n;

  most = most == 0 ? ask->n_places : MIN (most, ask->n_places);
  plan->on_grid = kymo_question_get_flag (ask->question, "grid");
  plan->group = 1;
  while (plan->on_grid && (ask->n_places - 1) / plan->group + 1 > most)
    plan->group = 1u << ++plan->j;
  plan->n_rows_total = plan->on_grid ? (ask->n_places - 1) / plan->group + 1 : most;
  plan->per_row = (double) ask->n_locations / ask->n_places * plan->group;
  if (!plan->on_grid && most < ask->n_places)
    plan->group = 0;
  if (!kymo_question_get_int (ask->question, "first-row", 0, &first, error)
      || !kymo_question_get_int (ask->question, "n-rows", G_MAXUINT, &n, error))
    return FALSE;
  plan->first_row = CLAMP (first, 0, (gint64) plan->n_rows_total);
  plan->n_rows = CLAMP (n, 0, (gint64) (plan->n_rows_total - plan->first_row));
  if (!kymo_question_get_int (ask->question, "least-ns", 0, &plan->least_ns, error))
    return FALSE;
  /* Times by name are then those of locations, for cells lack what is hidden. */
  plan->n_states = ask->n_states + (plan->least_ns > 0)
    + (plan->comms != NULL ? kymo_timeline_comms_count (plan->comms) : 0);
  plan->tells_busy = plan->least_ns > 0 || plan->comms != NULL || plan->group <= 1
    || (guint64) plan->n_rows * plan->group <= ask->run->index->limits.most_busy;
  return TRUE;
}

/* The range of which the rows tell how busy they were: the range of the columns,
   unless the question names what of it can be seen. */
static gboolean
plan_busy (const KymoAsk     *ask,
           KymoTimelinePlan  *plan,
           GError           **error)
{
  return kymo_question_get_int (ask->question, "busy-begin", plan->span.begin_ns,
                                &plan->busy.begin_ns, error)
         && kymo_question_get_int (ask->question, "busy-end", plan->span.end_ns,
                                   &plan->busy.end_ns, error);
}

/**
 * kymo_timeline_plan_new:
 *
 * Returns: (transfer full) (nullable): what the question asks for; %NULL with
 * an error
 */
KymoTimelinePlan *
kymo_timeline_plan_new (const KymoAsk  *ask,
                        GError        **error)
{
  KymoTimelinePlan *plan = g_new0 (KymoTimelinePlan, 1);

  plan->span = ask->span;
  plan->edges_ns = kymo_ask_edges (ask, DEFAULT_COLUMNS, MAX_COLUMNS, &plan->n_columns, error);
  if (plan->edges_ns == NULL || !kymo_timeline_comms_find_all (ask, &plan->comms, error)
      || !plan_rows (ask, plan, error))
    {
      kymo_timeline_plan_free (plan);
      return NULL;
    }
  if (plan->on_grid)
    {
      count_locations (ask, plan);
      choose_mosaic (ask, plan);
      put_on_grid (ask, plan);
      plan->dense = wants_dense (ask, plan);
    }
  if (plan_busy (ask, plan, error))
    return plan;
  kymo_timeline_plan_free (plan);
  return NULL;
}

/** kymo_timeline_plan_free: frees the plan, and drops its reference of the mosaic */
void
kymo_timeline_plan_free (KymoTimelinePlan *plan)
{
  g_clear_pointer (&plan->mosaic, kymo_mosaic_unref);
  g_clear_pointer (&plan->comms, kymo_timeline_comms_free);
  g_free (plan->edges_ns);
  g_free (plan);
}
