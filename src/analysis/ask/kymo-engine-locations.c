/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which locations of a run a question is about, and in which order.
 *
 * Invariant: locations[row_of[i]] = i for every location i that is asked for;
 * row_of of the others is -1. Without an order locations ascend.
 */
#include "config.h"

#include "kymo-engine.h"

static gboolean
is_worker (const KymoRun *run,
           guint          location)
{
  return kymo_run_peek_location (run, location)->kind == KYMO_LOCATION_WORKER;
}

/* Marks what was asked for with 0 in row_of. "workers-only" leaves
   communication threads out, unless they are all that was asked for: a picture
   of them alone is no mistake. */
static void
mark_asked (KymoAsk *ask)
{
  const KymoRun *run = ask->run;
  const KymoIdSet *set = kymo_question_peek_locations (ask->question);
  guint n_asked = 0;

  for (guint i = 0; i < run->locations->len; i++)
    {
      gboolean asked = kymo_id_set_contains (set, kymo_run_peek_location (run, i)->id);

      ask->row_of[i] = asked ? 0 : -1;
      n_asked += asked;
      ask->n_workers += asked && is_worker (run, i);
    }
  if (!kymo_question_get_flag (ask->question, "workers-only") || ask->n_workers == 0)
    return;
  ask->n_left_out = n_asked - ask->n_workers;
  for (guint i = 0; ask->n_left_out > 0 && i < run->locations->len; i++)
    if (!is_worker (run, i))
      ask->row_of[i] = -1;
}

/* A location that has a row already is passed over: locations of an order
   count once. */
static void
append_engine_locations (KymoAsk  *ask,
                         guint     location,
                         gboolean *has_row)
{
  if (ask->row_of[location] < 0 || has_row[location])
    return;
  has_row[location] = TRUE;
  ask->row_of[location] = (gint) ask->n_locations;
  ask->locations[ask->n_locations++] = location;
}

/**
 * kymo_ask_choose_locations:
 * @in_order: whether the answer is in the order that the question gives; what
 *   is no list of locations stays as it is, whatever their order
 *
 * Fills row_of, locations and what they count. Free both arrays.
 */
void
kymo_ask_choose_locations (KymoAsk  *ask,
                           gboolean  in_order)
{
  const KymoRun *run = ask->run;
  const GArray *order = in_order ? kymo_question_peek_order (ask->question) : NULL;
  g_autofree gboolean *has_row = g_new0 (gboolean, MAX (run->locations->len, 1));

  ask->row_of = g_new (gint, MAX (run->locations->len, 1));
  ask->locations = g_new (guint, MAX (run->locations->len, 1));
  mark_asked (ask);
  for (guint i = 0; order != NULL && i < order->len; i++)
    {
      gint location = kymo_run_find_location (run, g_array_index (order, gint64, i));

      if (location >= 0)
        append_engine_locations (ask, location, has_row);
    }
  for (guint i = 0; i < run->locations->len; i++)
    append_engine_locations (ask, i, has_row);
  ask->is_ordered = order != NULL;
}

/**
 * kymo_ask_is_averaged:
 * @location: index in the run
 *
 * Communication threads enter no average; they poll the network and record no idle time. If
 * the question is about nothing else, they are the average.
 *
 * Returns: whether the location enters averages
 */
gboolean
kymo_ask_is_averaged (const KymoAsk *ask,
                      guint          location)
{
  return ask->n_workers == 0 || is_worker (ask->run, location);
}
