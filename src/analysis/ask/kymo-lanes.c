/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-lanes.h"

#include <string.h>

/* A lane while it is filled: the brackets that are open in it, the innermost
   last. */
typedef struct
{
  KymoLane lane;
  GArray  *open;                /* KymoSpan */
} Filling;

static void
filling_clear (gpointer data)
{
  g_array_unref (((Filling *) data)->open);
}

static gboolean
is_bracket (const KymoPoint *point)
{
  return point->kind == KYMO_POINT_BRACKET && point->activity != G_MAXUINT32;
}

/* The number of nesting ids on a location, 2 for any more than one. */
static guint
count_ids (const KymoSegment *segment)
{
  gboolean any = FALSE;
  gint32 first = 0;

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (!is_bracket (point))
        continue;
      if (any && point->nested_id != first)
        return 2;
      first = point->nested_id;
      any = TRUE;
    }
  return any;
}

/* Puts a bracket into a lane if there is room. Of two brackets that begin together the longer is
   the outer bracket. */
static gboolean
take_place (Filling         *filling,
            const KymoPoint *point,
            gboolean         may_nest)
{
  KymoSpan span = { point->begin_ns, point->end_ns };
  GArray *open = filling->open;

  while (open->len > 0 && g_array_index (open, KymoSpan, open->len - 1).end_ns <= span.begin_ns)
    g_array_set_size (open, open->len - 1);
  if (open->len > 0)
    {
      KymoSpan *innermost = &g_array_index (open, KymoSpan, open->len - 1);

      if (!may_nest
          || (innermost->end_ns < span.end_ns && innermost->begin_ns != span.begin_ns))
        return FALSE;
      if (innermost->end_ns < span.end_ns)
        {
          KymoSpan inner = *innermost;

          *innermost = span;
          span = inner;
        }
    }
  g_array_append_val (open, span);
  return TRUE;
}

/* The first lane of the id that has room, else a new one. */
static gint
find_lane (GArray          *fillings,
           const KymoPoint *point,
           gboolean         may_nest,
           gboolean        *overlap)
{
  guint depth = 0;
  Filling fresh = { .lane = { point->nested_id, 0 } };

  for (guint i = 0; i < fillings->len; i++)
    {
      Filling *filling = &g_array_index (fillings, Filling, i);

      if (filling->lane.nested_id != point->nested_id)
        {
          *overlap = *overlap
            || (filling->open->len > 0
                && g_array_index (filling->open, KymoSpan, 0).end_ns > point->begin_ns);
          continue;
        }
      if (take_place (filling, point, may_nest))
        return i;
      depth++;
    }
  if (fillings->len == KYMO_MOST_LANES)
    return -1;
  *overlap = *overlap || depth > 0;
  fresh.lane.depth = depth;
  fresh.open = g_array_new (FALSE, FALSE, sizeof (KymoSpan));
  take_place (&fresh, point, may_nest);
  g_array_append_val (fillings, fresh);
  return fillings->len - 1;
}

static int
compare_lanes (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  GArray *fillings = data;
  const KymoLane *x = &g_array_index (fillings, Filling, *(const guint *) a).lane;
  const KymoLane *y = &g_array_index (fillings, Filling, *(const guint *) b).lane;

  if (x->nested_id != y->nested_id)
    return x->nested_id < y->nested_id ? -1 : 1;
  return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* Lanes come in order of time; they are wanted in order of id. */
static void
put_in_order (KymoLanes *lanes,
              GArray    *fillings,
              guint      n_points)
{
  guint n = fillings->len;
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  g_autofree gint *place = g_new (gint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof (guint), compare_lanes, fillings);
  for (guint i = 0; i < n; i++)
    {
      place[order[i]] = i;
      g_array_append_val (lanes->lanes, g_array_index (fillings, Filling, order[i]).lane);
    }
  for (guint i = 0; i < n_points; i++)
    if (lanes->of_point[i] >= 0)
      lanes->of_point[i] = place[lanes->of_point[i]];
}

/**
 * kymo_lanes_init:
 *
 * Sorts the brackets of a segment into lanes. Where none overlap but by being
 * one inside the other of its id, or more than %KYMO_MOST_LANES were needed,
 * there are none.
 */
void
kymo_lanes_init (KymoLanes         *lanes,
                 const KymoSegment *segment)
{
  g_autoptr (GArray) fillings = g_array_new (FALSE, FALSE, sizeof (Filling));
  guint n_ids = count_ids (segment), n = segment->points->len;
  gboolean full = FALSE, overlap = FALSE;

  g_array_set_clear_func (fillings, filling_clear);
  lanes->lanes = g_array_new (FALSE, FALSE, sizeof (KymoLane));
  lanes->of_point = g_new (gint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      lanes->of_point[i] = -1;
      if (full || n_ids == 0 || !is_bracket (point))
        continue;
      lanes->of_point[i] = find_lane (fillings, point, n_ids > 1, &overlap);
      full = lanes->of_point[i] < 0;
    }
  if (full || !overlap)
    for (guint i = 0; i < n; i++)
      lanes->of_point[i] = -1;
  else
    put_in_order (lanes, fillings, n);
}

/** kymo_lanes_clear: frees what kymo_lanes_init() made; may be called more than once */
void
kymo_lanes_clear (KymoLanes *lanes)
{
  g_clear_pointer (&lanes->lanes, g_array_unref);
  g_clear_pointer (&lanes->of_point, g_free);
}

/**
 * kymo_lane_label:
 * @point: a bracket of the lane
 * @depth: which of the lanes of this id
 *
 * Returns: (transfer full): "rank 3" for an MPI call, else "id 3"; further
 * lanes of one id are numbered
 */
char *
kymo_lane_label (const KymoRun   *run,
                 const KymoPoint *point,
                 guint            depth)
{
  const char *name = point->activity < run->activities->len
    ? kymo_run_peek_activity (run, point->activity)->name : "";
  const char *word = strstr (name, "MPI_") != NULL ? "rank" : "id";

  return depth == 0 ? g_strdup_printf ("%s %d", word, point->nested_id)
    : g_strdup_printf ("%s %d (%u)", word, point->nested_id, depth + 1);
}
