/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare: what every activity had on each side, and what the last differs from A.
 */
#include "config.h"

#include "kymo-comparison-private.h"

#include <math.h>
#include <string.h>

#include "kymo-id-weights.h"

/* Less than this share of all time is too little to be called a change, as
   Projections' Multirun has it; and what changes by less than a tenth a side. */
#define INSIGNIFICANT 0.01
#define LEAST_CHANGE 0.1
/* Number of names between two looks for cancelling. */
#define CANCEL_NAMES 64

/**
 * Row: an activity, or a total
 * @name: of the activity, or NULL
 * @total: which total where @name is NULL
 * @ns: by side
 * @per_pe: by side
 * @calls: by side; KYMO_NULL_INT where it is unknown
 * @mean: by side: exclusive per call; KYMO_NULL_INT without calls
 * @by_run: the figure that differences are of, by run
 */
typedef struct
{
  const KymoComparedName *name;
  KymoCompareTotal        total;
  gint64                 *ns;
  gint64                 *per_pe;
  gint64                 *calls;
  gint64                 *mean;
  double                 *by_run;
  gboolean                in_a, in_b;
  gboolean                has_noise;
  gint64                  noise;
  guint                   order;
} Row;

/* Columns of a table of rows. */
typedef struct
{
  KymoTable *table;
  guint      name, kind, group, role, present, calls, ns, mean;
  guint      difference, ratio, mean_difference, mean_ratio, effect, noise, has_noise, is_noise;
  guint      per_pe, difference_per_pe, ratio_per_pe, trend;
} Columns;

typedef struct
{
  const KymoCompared *compared;
  KymoCompareScale   *whole;            /* by side: of all PEs */
  KymoCompareScale   *each;             /* by side: of one PE */
  GArray             *rows;
  gint64              span[2];          /* of A, and of one PE of A */
  gint64              elapsed;          /* of A */
} Work;

static const char *const total_names[KYMO_COMPARE_N_TOTALS] =
  { "elapsed", "span", "busy", "useful", "idle", "overhead", "untraced" };

static void
row_clear (gpointer data)
{
  Row *row = data;

  g_free (row->ns);
  g_free (row->per_pe);
  g_free (row->calls);
  g_free (row->mean);
  g_free (row->by_run);
}

static Row
row_new (const KymoCompared     *compared,
         const KymoComparedName *name)
{
  Row row = { .name = name };

  row.ns = g_new0 (gint64, compared->n_sides);
  row.per_pe = g_new0 (gint64, compared->n_sides);
  row.calls = g_new0 (gint64, compared->n_sides);
  row.mean = g_new0 (gint64, compared->n_sides);
  row.by_run = g_new0 (double, compared->n_runs);
  return row;
}

/* The figure of a run from which differences are made: over all PEs, or the mean of a PE. */
static double
figure_of_run (const KymoCompared *compared,
               guint               run,
               gint64              ns,
               gboolean            of_one_clock)
{
  return compared->per_pe && !of_one_clock
    ? (double) ns * KYMO_WEIGHT_ONE / (double) compared->runs[run]->pes : (double) ns;
}

static const gint64 *
figures_of (const KymoCompared *compared,
            const Row          *row)
{
  return compared->per_pe && !(row->name == NULL && row->total == KYMO_COMPARE_ELAPSED)
    ? row->per_pe : row->ns;
}

/* The difference of a side from A that is explained by noise. */
static gboolean
noise_of (const KymoCompared *compared,
          const Row          *row,
          guint               side,
          gint64             *noise)
{
  g_autofree double *a = g_new (double, compared->n_runs);
  g_autofree double *b = g_new (double, compared->n_runs);
  guint n_a = 0, n_b = 0;
  double half_width = 0;
  gboolean has_noise;

  for (guint i = 0; i < compared->n_runs; i++)
    {
      if (compared->side[i] == 0)
        a[n_a++] = row->by_run[i];
      if (compared->side[i] == side)
        b[n_b++] = row->by_run[i];
    }
  has_noise = side != 0 && kymo_noise_band (a, n_a, b, n_b, &half_width);
  *noise = has_noise ? (gint64) MIN (ceil (half_width), 9e18) : 0;
  return has_noise;
}

static void
set_noise (const KymoCompared *compared,
           Row                *row)
{
  row->has_noise = noise_of (compared, row, compared->against, &row->noise);
}

/* -- activities --------------------------------------------------------------- */

static void
add_run (const Work *work,
         Row        *row,
         guint       run,
         gint64     *sum)
{
  const KymoCompared *compared = work->compared;
  const KymoComparedActivity *activity
    = g_hash_table_lookup (compared->runs[run]->activities, row->name->key);
  guint side = compared->side[run];

  if (activity == NULL)
    return;
  sum[side] = kymo_saturating_add (sum[side], activity->ns);
  row->by_run[run] = figure_of_run (compared, run, activity->ns, FALSE);
  row->calls[side] = activity->calls == KYMO_NULL_INT || row->calls[side] == KYMO_NULL_INT
    ? KYMO_NULL_INT : kymo_saturating_add (row->calls[side], activity->calls);
  row->in_a |= side == 0;
  row->in_b |= side == compared->against;
}

/* Parts of the span come first and in one order on every side; user events lie
   beside it. */
static gboolean
make_rows (Work          *work,
           GCancellable  *cancellable,
           GError       **error)
{
  const KymoCompared *compared = work->compared;
  guint n_sides = compared->n_sides;
  g_autofree gint64 *sum = g_new (gint64, n_sides);
  g_autofree gint64 *before = g_new0 (gint64, n_sides);
  g_autofree gint64 *before_each = g_new0 (gint64, n_sides);

  for (guint i = 0; i < compared->names->len; i++)
    {
      const KymoComparedName *name = &g_array_index (compared->names, KymoComparedName, i);
      Row row;

      if (i % CANCEL_NAMES == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      row = row_new (compared, name);
      memset (sum, 0, n_sides * sizeof *sum);
      for (guint side = 0; strchr ("iou", *name->key) != NULL && side < n_sides; side++)
        row.calls[side] = KYMO_NULL_INT;
      for (guint run = 0; run < compared->n_runs; run++)
        add_run (work, &row, run, sum);
      for (guint side = 0; side < n_sides; side++)
        {
          gint64 nothing = 0;
          gboolean is_part = *name->key != 'v';

          row.ns[side] = kymo_compare_part (is_part ? &before[side] : &nothing, sum[side],
                                            work->whole[side]);
          nothing = 0;
          row.per_pe[side] = kymo_compare_part (is_part ? &before_each[side] : &nothing,
                                                sum[side], work->each[side]);
          row.mean[side] = row.calls[side] != KYMO_NULL_INT && row.calls[side] > 0
            ? sum[side] / row.calls[side] : KYMO_NULL_INT;
          if (row.calls[side] != KYMO_NULL_INT)
            row.calls[side] = kymo_saturating_add (row.calls[side], work->whole[side].parts / 2)
              / work->whole[side].parts;
        }
      row.order = i;
      set_noise (compared, &row);
      g_array_append_val (work->rows, row);
    }
  return TRUE;
}

static gint64
difference_of (const KymoCompared *compared,
               const Row          *row)
{
  const gint64 *figures = figures_of (compared, row);

  return kymo_saturating_add (figures[compared->against], -figures[0]);
}

static int
compare_effects (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  gint64 x = ABS (difference_of (data, a)), y = ABS (difference_of (data, b));

  if (x != y)
    return x > y ? -1 : 1;
  return ((const Row *) a)->order < ((const Row *) b)->order ? -1 : 1;
}

/* -- the table ---------------------------------------------------------------- */

static guint
add_unit_column (const KymoCompared *compared,
                 KymoTable          *table,
                 const char         *name,
                 guint               width)
{
  g_autofree char *whole = g_strconcat (name, compared->runs[0]->is_time ? "_ns" : "", NULL);

  return width > 0 ? kymo_table_add_vector (table, whole, KYMO_COLUMN_INT, width)
    : kymo_table_add_column (table, whole, KYMO_COLUMN_INT, 1);
}

static Columns
columns_new (const KymoCompared *compared,
             gboolean            of_activities)
{
  guint n = compared->n_sides;
  Columns c = { kymo_table_new (KYMO_STYLE_OBJECTS) };

  c.name = kymo_table_add_column (c.table, "name", KYMO_COLUMN_STRING, 1);
  if (of_activities)
    {
      c.kind = kymo_table_add_column (c.table, "kind", KYMO_COLUMN_STRING, 1);
      c.group = kymo_table_add_column (c.table, "group", KYMO_COLUMN_STRING, 1);
      c.role = kymo_table_add_column (c.table, "role", KYMO_COLUMN_STRING, 1);
      c.present = kymo_table_add_column (c.table, "present", KYMO_COLUMN_STRING, 1);
      c.calls = kymo_table_add_vector (c.table, "calls", KYMO_COLUMN_INT, n);
    }
  c.ns = add_unit_column (compared, c.table, of_activities ? "exclusive" : "total", n);
  if (of_activities)
    c.mean = add_unit_column (compared, c.table, "mean", n);
  c.difference = add_unit_column (compared, c.table, "difference", 0);
  c.ratio = kymo_table_add_column (c.table, "ratio", KYMO_COLUMN_DOUBLE, 1);
  if (of_activities)
    {
      c.mean_difference = add_unit_column (compared, c.table, "mean_difference", 0);
      c.mean_ratio = kymo_table_add_column (c.table, "mean_ratio", KYMO_COLUMN_DOUBLE, 1);
    }
  c.effect = kymo_table_add_column (c.table, "effect", KYMO_COLUMN_DOUBLE, 1);
  c.noise = add_unit_column (compared, c.table, "noise", 0);
  c.has_noise = kymo_table_add_column (c.table, "has_noise", KYMO_COLUMN_BOOL, 1);
  c.is_noise = kymo_table_add_column (c.table, "is_noise", KYMO_COLUMN_BOOL, 1);
  if (compared->pes_differ)
    {
      c.per_pe = add_unit_column (compared, c.table, "per_pe", n);
      c.difference_per_pe = add_unit_column (compared, c.table, "difference_per_pe", 0);
      c.ratio_per_pe = kymo_table_add_column (c.table, "ratio_per_pe", KYMO_COLUMN_DOUBLE, 1);
    }
  if (n > 2)
    c.trend = kymo_table_add_column (c.table, "trend", KYMO_COLUMN_STRING, 1);
  return c;
}

static double
ratio_of (gint64 a,
          gint64 b)
{
  return a > 0 && b != KYMO_NULL_INT ? (double) b / (double) a : NAN;
}

/* Up or down in most steps, and by a tenth of the first value a step. */
static const char *
trend_of (const Work *work,
          const Row  *row)
{
  const KymoCompared *compared = work->compared;
  const gint64 *figures = figures_of (compared, row);
  guint n = compared->n_sides, small = 0, up = 0, down = 0;
  double change, first = MAX ((double) figures[0], 1);

  for (guint side = 0; side < n; side++)
    small += (double) figures[side] < INSIGNIFICANT * (double) work->span[compared->per_pe];
  if (row->name != NULL && 2 * small > n)
    return "insignificant";
  for (guint side = 1; side < n; side++)
    {
      up += figures[side] > figures[side - 1];
      down += figures[side] < figures[side - 1];
    }
  change = ((double) figures[n - 1] - (double) figures[0]) / (n - 1);
  if (2 * up > n - 1 && change > LEAST_CHANGE * first)
    return "growing";
  return 2 * down > n - 1 && -change > LEAST_CHANGE * first ? "shrinking" : "steady";
}

static double
effect_of (const Work *work,
           const Row  *row,
           gint64      difference)
{
  gint64 whole = row->name == NULL && row->total == KYMO_COMPARE_ELAPSED ? work->elapsed
    : work->span[work->compared->per_pe];

  return whole > 0 ? (double) difference / (double) whole : NAN;
}

static void
append_means (const KymoCompared *compared,
              Columns            *c,
              const Row          *row)
{
  gint64 a = row->mean[0], b = row->mean[compared->against];

  kymo_table_append_ints (c->table, c->mean, row->mean);
  kymo_table_append_int (c->table, c->mean_difference,
                         a != KYMO_NULL_INT && b != KYMO_NULL_INT
                         ? kymo_saturating_add (b, -a) : KYMO_NULL_INT);
  kymo_table_append_double (c->table, c->mean_ratio, ratio_of (a, b));
}

static void
append_activity (const KymoCompared *compared,
                 Columns            *c,
                 const Row          *row)
{
  const char *present = row->in_a && row->in_b ? "both" : row->in_b ? "new"
    : row->in_a ? "gone" : "between";

  kymo_table_append_string (c->table, c->name, row->name->key + 1);
  kymo_table_append_string (c->table, c->kind, row->name->kind);
  kymo_table_append_string (c->table, c->group, row->name->group);
  kymo_table_append_string (c->table, c->role, row->name->role);
  kymo_table_append_string (c->table, c->present, present);
  kymo_table_append_ints (c->table, c->calls, row->calls);
  append_means (compared, c, row);
}

static void
append_row (const Work *work,
            Columns    *c,
            const Row  *row)
{
  const KymoCompared *compared = work->compared;
  const gint64 *figures = figures_of (compared, row);
  guint b = compared->against;
  gint64 difference = difference_of (compared, row);

  if (row->name != NULL)
    append_activity (compared, c, row);
  else
    kymo_table_append_string (c->table, c->name, total_names[row->total]);
  kymo_table_append_ints (c->table, c->ns, row->ns);
  kymo_table_append_int (c->table, c->difference, difference);
  kymo_table_append_double (c->table, c->ratio, ratio_of (figures[0], figures[b]));
  kymo_table_append_double (c->table, c->effect, effect_of (work, row, difference));
  kymo_table_append_int (c->table, c->noise, row->noise);
  kymo_table_append_bool (c->table, c->has_noise, row->has_noise);
  kymo_table_append_bool (c->table, c->is_noise,
                          row->has_noise && ABS (difference) <= row->noise);
  if (compared->pes_differ)
    {
      kymo_table_append_ints (c->table, c->per_pe, row->per_pe);
      kymo_table_append_int (c->table, c->difference_per_pe,
                             kymo_saturating_add (row->per_pe[b], -row->per_pe[0]));
      kymo_table_append_double (c->table, c->ratio_per_pe,
                                ratio_of (row->per_pe[0], row->per_pe[b]));
    }
  if (compared->n_sides > 2)
    kymo_table_append_string (c->table, c->trend, trend_of (work, row));
}

/* -- totals and sides ----------------------------------------------------------- */

static void
fill_total (const Work       *work,
            Row              *row,
            KymoCompareTotal  which)
{
  const KymoCompared *compared = work->compared;
  gboolean is_part = which == KYMO_COMPARE_BUSY || which >= KYMO_COMPARE_IDLE;

  row->total = which;
  for (guint side = 0; side < compared->n_sides; side++)
    {
      gint64 sum = 0, before = 0, before_each = 0;

      for (guint run = 0; run < compared->n_runs; run++)
        {
          const gint64 *totals = compared->runs[run]->totals;

          if (compared->side[run] != side)
            continue;
          sum = kymo_saturating_add (sum, totals[which]);
          row->by_run[run] = figure_of_run (compared, run, totals[which],
                                            which == KYMO_COMPARE_ELAPSED);
          for (guint k = KYMO_COMPARE_BUSY; is_part && k < which; k++)
            if (k != KYMO_COMPARE_USEFUL)
              before = kymo_saturating_add (before, totals[k]);
        }
      before_each = before;
      row->ns[side] = kymo_compare_part (&before, sum, work->whole[side]);
      row->per_pe[side] = which == KYMO_COMPARE_ELAPSED ? row->ns[side]
        : kymo_compare_part (&before_each, sum, work->each[side]);
    }
  set_noise (compared, row);
}

static KymoTable *
make_totals (Work  *work,
             Row  **rows)
{
  Columns columns = columns_new (work->compared, FALSE);

  *rows = g_new0 (Row, KYMO_COMPARE_N_TOTALS);
  for (guint k = 0; k < KYMO_COMPARE_N_TOTALS; k++)
    {
      (*rows)[k] = row_new (work->compared, NULL);
      fill_total (work, &(*rows)[k], k);
    }
  work->elapsed = (*rows)[KYMO_COMPARE_ELAPSED].ns[0];
  work->span[0] = (*rows)[KYMO_COMPARE_SPAN].ns[0];
  work->span[1] = (*rows)[KYMO_COMPARE_SPAN].per_pe[0];
  for (guint k = 0; k < KYMO_COMPARE_N_TOTALS; k++)
    append_row (work, &columns, &(*rows)[k]);
  return columns.table;
}

/* Speed-up is the time of A over that of a side, efficiency that over how many
   times as many PEs it had; noise is of the time that passed. */
static KymoTable *
list_sides (const Work *work,
            const Row  *totals)
{
  const KymoCompared *compared = work->compared;
  KymoTable *table = kymo_table_new_list ("side label:string n_runs pes:double speed_up:double "
                                          "efficiency:double has_noise:bool is_noise:bool");
  guint elapsed = add_unit_column (compared, table, "elapsed", 0);
  guint noise = add_unit_column (compared, table, "noise", 0);
  const gint64 *passed = totals[KYMO_COMPARE_ELAPSED].ns;
  double first = 0;

  for (guint side = 0; side < compared->n_sides; side++)
    {
      double own = (double) work->each[side].parts / KYMO_WEIGHT_ONE
        / (double) MAX (work->whole[side].parts, 1);
      double faster = ratio_of (passed[side], passed[0]);
      g_autofree char *letter = kymo_comparison_dup_side_label (side);
      gint64 apart, off = kymo_saturating_add (passed[side], -passed[0]);
      gboolean known = noise_of (compared, &totals[KYMO_COMPARE_ELAPSED], side, &apart);

      first = side == 0 ? own : first;
      kymo_table_append_row (table, side, letter, work->whole[side].parts, own, faster,
                             own > 0 ? faster * first / own : NAN, known,
                             known && ABS (off) <= apart);
      kymo_table_append_int (table, elapsed, passed[side]);
      kymo_table_append_int (table, noise, apart);
    }
  return table;
}

static void
work_clear (Work *work)
{
  g_free (work->whole);
  g_free (work->each);
  g_array_unref (work->rows);
}

static void
work_init (Work               *work,
           const KymoCompared *compared)
{
  *work = (Work) { .compared = compared };
  work->whole = g_new (KymoCompareScale, compared->n_sides);
  work->each = g_new (KymoCompareScale, compared->n_sides);
  work->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (work->rows, row_clear);
  for (guint side = 0; side < compared->n_sides; side++)
    {
      work->whole[side] = kymo_compare_scale (compared, side, FALSE);
      work->each[side] = kymo_compare_scale (compared, side, TRUE);
    }
}

/**
 * kymo_compare_activities:
 *
 * Answers "compare": how much time each activity took on each side. Sets the error of a run
 * that cannot tell, or %G_IO_ERROR_CANCELLED.
 *
 * Returns: (transfer full) (nullable): the answer
 */
KymoTable *
kymo_compare_activities (KymoCompared  *compared,
                         GCancellable  *cancellable,
                         GError       **error)
{
  KymoTable *answer, *totals;
  Row *total_rows;
  Columns columns;
  Work work;

  if (!kymo_compared_read (compared, cancellable, error))
    return NULL;
  work_init (&work, compared);
  if (!make_rows (&work, cancellable, error))
    {
      work_clear (&work);
      return NULL;
    }
  g_array_sort_with_data (work.rows, compare_effects, compared);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_compared_set_runs (compared, answer);
  totals = make_totals (&work, &total_rows);
  columns = columns_new (compared, TRUE);
  for (guint i = 0; i < work.rows->len; i++)
    append_row (&work, &columns, &g_array_index (work.rows, Row, i));
  kymo_table_set_string (answer, "unit", compared->runs[0]->unit);
  kymo_table_set_bool (answer, "is_time", compared->runs[0]->is_time);
  kymo_table_set_bool (answer, "is_family", compared->is_family);
  kymo_table_set_bool (answer, "pes_differ", compared->pes_differ);
  kymo_table_set_bool (answer, "per_pe", compared->per_pe);
  kymo_table_set_bool (answer, "has_noise", total_rows[0].has_noise);
  kymo_table_set_table (answer, "sides", list_sides (&work, total_rows));
  kymo_table_set_table (answer, "totals", totals);
  kymo_table_set_table (answer, "activities", columns.table);
  for (guint k = 0; k < KYMO_COMPARE_N_TOTALS; k++)
    row_clear (&total_rows[k]);
  g_free (total_rows);
  work_clear (&work);
  kymo_compare_set_sentences (compared, answer);
  return answer;
}
