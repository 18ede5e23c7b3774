/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counter-map: one counter on all locations over time: a value for each row and column,
 * nothing where there was no sample. A row is a location, or 2^j of them together where the
 * question has fewer rows; "members" are then the locations of all rows, in turn.
 *
 * What a value is says "statistic":
 *   max, min  of the samples in the column
 *   mean      of those samples, each counting as much
 *   last      the newest one; of several locations with samples at one time the last's
 *   weighted  a sample holds until the next one of its location: the mean over the part of
 *             the column in which one is known. Of locations together, over the time of all.
 * Unless it is asked for, it is max of what is called memory, as Projections has it (what a peak
 * took is what one looks for), weighted of statistics, which hold until they are set anew, and
 * mean of all else: sizes of messages, and metrics of calls, which do not hold.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"

#include <math.h>
#include <string.h>

#include "kymo-column-sums.h"
#include "kymo-counter-samples.h"
#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-share.h"

#define DEFAULT_COLUMNS 100
#define MOST_COLUMNS 20000

typedef enum
{
  STATISTIC_MAX,
  STATISTIC_MIN,
  STATISTIC_MEAN,
  STATISTIC_LAST,
  STATISTIC_WEIGHTED,
  N_STATISTICS,
} Statistic;

static const char *const statistics[N_STATISTICS] = { "max", "min", "mean", "last", "weighted" };

/** Cell: samples of a row in one column */
typedef struct
{
  gint64 n;
  double min, max, sum, last;
  gint64 last_ns;
  double held;                  /* value times nanoseconds, of known_ns */
  gint64 known_ns;
} Cell;

typedef struct
{
  const KymoAsk *ask;
  const char    *name;
  Statistic      statistic;
  gint64        *edges_ns;
  guint          n_columns;
  guint          group, n_rows;
  double        *values;        /* n_rows times n_columns, NaN = no sample */
  gint64        *samples;       /* by row */
  gint           unfit;         /* atomic */
} Map;

/** Walk: over the samples of one location */
typedef struct
{
  const Map *map;
  Cell      *cells;
  gboolean   known;
  gint64     since_ns;
  double     value;
} Walk;

/* From the newest sample to the next one its value holds. */
static void
hold_counter_map (Walk   *walk,
                  gint64  until_ns)
{
  const Map *map = walk->map;
  const gint64 *edges_ns = map->edges_ns;
  gint64 at = MAX (walk->since_ns, edges_ns[0]);

  if (!walk->known || map->statistic != STATISTIC_WEIGHTED)
    return;
  until_ns = MIN (until_ns, edges_ns[map->n_columns]);
  for (guint i = kymo_find_column (edges_ns, 0, map->n_columns, at);
       i < map->n_columns && at < until_ns; i++)
    {
      gint64 end_ns = MIN (edges_ns[i + 1], until_ns);

      walk->cells[i].held += walk->value * (double) (end_ns - at);
      walk->cells[i].known_ns += end_ns - at;
      at = end_ns;
    }
}

static void
on_sample (gint64   time_ns,
           double   value,
           gpointer data)
{
  Walk *walk = data;
  const Map *map = walk->map;
  Cell *cell;

  hold_counter_map (walk, time_ns);
  walk->known = TRUE;
  walk->since_ns = time_ns;
  walk->value = value;
  if (time_ns < map->edges_ns[0])
    return;
  cell = &walk->cells[MIN (kymo_find_column (map->edges_ns, 0, map->n_columns, time_ns),
                           map->n_columns - 1)];
  cell->min = cell->n == 0 ? value : MIN (cell->min, value);
  cell->max = cell->n == 0 ? value : MAX (cell->max, value);
  if (cell->n == 0 || time_ns >= cell->last_ns)
    {
      cell->last = value;
      cell->last_ns = time_ns;
    }
  cell->sum += value;
  cell->n++;
}

/* Joins what a location had in a column to its row, in the order of locations, so that sums do not
   depend on who walked which. */
static void
join_cell (Cell       *row,
           const Cell *here)
{
  row->held += here->held;
  row->known_ns += here->known_ns;
  if (here->n == 0)
    return;
  row->min = row->n == 0 ? here->min : MIN (row->min, here->min);
  row->max = row->n == 0 ? here->max : MAX (row->max, here->max);
  if (row->n == 0 || here->last_ns >= row->last_ns)
    {
      row->last = here->last;
      row->last_ns = here->last_ns;
    }
  row->sum += here->sum;
  row->n += here->n;
}

static double
value_of (const Cell *cell,
          Statistic   statistic)
{
  if (cell->n == 0)
    return NAN;
  switch (statistic)
    {
    case STATISTIC_MAX:
      return cell->max;
    case STATISTIC_MIN:
      return cell->min;
    case STATISTIC_LAST:
      return cell->last;
    case STATISTIC_WEIGHTED:
      /* The column ends with its only sample: no time is left to hold it. */
      if (cell->known_ns > 0)
        return cell->held / (double) cell->known_ns;
      return cell->last;
    case STATISTIC_MEAN:
    case N_STATISTICS:
    default:
      return cell->sum / (double) cell->n;
    }
}

/* FALSE where its columns are not to be had. */
static gboolean
walk_location (const Map *map,
               guint      location,
               Cell      *cells)
{
  const KymoAsk *ask = map->ask;
  KymoSegment *segment = kymo_ask_segment_of (ask, location);
  KymoSpan span = { ask->span.begin_ns, kymo_ask_count_end (ask) };
  Walk walk = { map, cells };

  if (!kymo_segment_use (segment, KYMO_PART_POINTS | KYMO_PART_BLOCKS))
    return FALSE;
  memset (cells, 0, map->n_columns * sizeof *cells);
  kymo_counter_each_sample (ask, segment, map->name, span, on_sample, &walk);
  hold_counter_map (&walk, G_MAXINT64);
  return TRUE;
}

static void
make_row (gpointer data,
          guint    row)
{
  Map *map = data;
  const KymoAsk *ask = map->ask;
  g_autofree Cell *cells = g_new0 (Cell, map->n_columns), *here = g_new (Cell, map->n_columns);
  guint end = MIN ((guint64) (row + 1) * map->group, ask->n_locations);

  for (guint i = row * map->group; i < end; i++)
    {
      if (!walk_location (map, ask->locations[i], here))
        {
          g_atomic_int_set (&map->unfit, 1);
          return;
        }
      for (guint k = 0; k < map->n_columns; k++)
        join_cell (&cells[k], &here[k]);
    }
  for (guint i = 0; i < map->n_columns; i++)
    {
      map->values[(gsize) row * map->n_columns + i] = value_of (&cells[i], map->statistic);
      map->samples[row] += cells[i].n;
    }
}

/* By what the name stands for, see above. */
static Statistic
statistic_of_name (const KymoRun *run,
                   const char    *name)
{
  if (g_str_has_prefix (name, "Memory"))
    return STATISTIC_MAX;
  for (guint i = 0; i < run->stat_names->len; i++)
    if (g_strcmp0 (name, g_array_index (run->stat_names, KymoFact, i).value) == 0)
      return STATISTIC_WEIGHTED;
  return STATISTIC_MEAN;
}

static gboolean
read_statistic (Map     *map,
                GError **error)
{
  const char *text = kymo_question_get (map->ask->question, "statistic");
  guint i = 0;

  map->statistic = statistic_of_name (map->ask->run, map->name);
  if (text == NULL)
    return TRUE;
  while (i < N_STATISTICS && strcmp (statistics[i], text) != 0)
    i++;
  map->statistic = i;
  if (i < N_STATISTICS
      && !(i == STATISTIC_WEIGHTED && kymo_counter_is_metric (map->ask->run, map->name)))
    return TRUE;
  if (i == N_STATISTICS)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("“%s” is no statistic; they are max, min, mean, last and weighted"), text);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("“%s” is counted call by call and holds no value over time: its mean is that "
                   "of the calls"), map->name);
  return FALSE;
}

/* As many locations to a row as make no more rows than are asked for. */
static gboolean
arrange_rows (Map     *map,
              GError **error)
{
  const KymoAsk *ask = map->ask;
  guint most = kymo_question_get_rows (ask->question);

  map->group = 1;
  while (most > 0 && (ask->n_locations + map->group - 1) / map->group > most)
    map->group *= 2;
  map->n_rows = (ask->n_locations + map->group - 1) / map->group;
  return kymo_counter_is_in_bounds (ask, map->n_rows, map->n_columns, error);
}

static KymoTable *
list_rows (const Map *map)
{
  const KymoAsk *ask = map->ask;
  KymoTable *table = kymo_table_new_list ("location label:string n_locations samples");
  guint values = kymo_table_add_vector (table, "values", KYMO_COLUMN_DOUBLE, map->n_columns);

  for (guint row = 0; row < map->n_rows; row++)
    {
      guint first = row * map->group;
      const KymoLocation *where = kymo_run_peek_location (ask->run, ask->locations[first]);

      kymo_table_append_row (table, where->id, where->label,
                             MIN (map->group, ask->n_locations - first), map->samples[row]);
      memcpy (kymo_table_extend_doubles (table, values, 1),
              map->values + (gsize) row * map->n_columns, map->n_columns * sizeof (double));
    }
  return table;
}

/* Of rows of several: rows may be in any order. */
static void
set_members (const Map *map,
             KymoTable *answer)
{
  const KymoAsk *ask = map->ask;
  g_autofree gint64 *members = g_new (gint64, ask->n_locations);

  for (guint i = 0; i < ask->n_locations; i++)
    members[i] = kymo_run_peek_location (ask->run, ask->locations[i])->id;
  kymo_table_set_ints (answer, "members", members, ask->n_locations);
}

static KymoTable *
make_answer (const Map *map)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  double min = INFINITY, max = -INFINITY;

  for (gsize i = 0; i < (gsize) map->n_rows * map->n_columns; i++)
    if (!isnan (map->values[i]))
      {
        min = MIN (min, map->values[i]);
        max = MAX (max, map->values[i]);
      }
  kymo_table_set_int (answer, "begin_ns", map->ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", map->ask->span.end_ns);
  kymo_table_set_string (answer, "name", map->name);
  kymo_table_set_string (answer, "unit", kymo_counter_unit (map->ask->run, map->name));
  kymo_table_set_string (answer, "statistic", statistics[map->statistic]);
  kymo_table_set_double (answer, "min", min <= max ? min : NAN);
  kymo_table_set_double (answer, "max", min <= max ? max : NAN);
  kymo_table_set_int (answer, "group", map->group);
  kymo_table_set_ints (answer, "edges_ns", map->edges_ns, map->n_columns + 1);
  if (map->group > 1)
    set_members (map, answer);
  kymo_table_set_table (answer, "rows", list_rows (map));
  return answer;
}

static KymoTable *
counter_map_answer (KymoAsk  *ask,
                    guint     n_threads,
                    GError  **error)
{
  Map map = { .ask = ask, .name = kymo_question_get (ask->question, "name") };
  g_autofree gint64 *edges_ns = NULL, *samples = NULL;
  g_autofree double *values = NULL;

  if (map.name == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("A map is of one counter: name it"));
      return NULL;
    }
  map.edges_ns = edges_ns = kymo_ask_edges (ask, DEFAULT_COLUMNS, MOST_COLUMNS, &map.n_columns,
                                            error);
  if (edges_ns == NULL || !read_statistic (&map, error) || !arrange_rows (&map, error))
    return NULL;
  map.values = values = g_new (double, MAX ((gsize) map.n_rows * map.n_columns, 1));
  map.samples = samples = g_new0 (gint64, MAX (map.n_rows, 1));
  kymo_share_out (map.n_rows, n_threads, make_row, &map, ask->cancellable);
  if (map.unfit)
    kymo_ask_set_stale (ask, error);
  if (map.unfit || g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    return NULL;
  return make_answer (&map);
}

static const KymoKeyword keywords[] =
{
  { "name", KYMO_KEYWORD_TEXT, "NAME", "the counter: one that counters lists" },
  KYMO_KEYWORD_STATISTIC,
  { "bins", KYMO_KEYWORD_COUNT, "N", "columns over time", KYMO_KEYWORD_TO_COLUMNS, 100 },
  KYMO_KEYWORD_ROWS,
  KYMO_KEYWORD_FIRST_ROWS,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "rows", "location label n_locations samples values" },
  { NULL }
};

const KymoAnswerClass kymo_answer_counter_map =
{
  { "counter-map", N_("A map of a counter"),
    "one counter on every location over time, a value a bin", keywords, KYMO_CAN_INTERVALS,
    .lists = lists,
    .topic = KYMO_TOPIC_TIME, .example = "--name 'Message size sent to all nodes'",
    .coarsens = TRUE },
  .answer = counter_map_answer, .in_order = TRUE,
};
