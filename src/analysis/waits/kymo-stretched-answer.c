/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stretched: for how long blocks had no processor, by location and by name, and the worst of them.
 *
 * A location that lies in the range as a whole has the sums of all its blocks. Of others those
 * blocks count that were kept, which are all where they are few; a block that the range cuts counts
 * with what it lost even if it had no processor in all the time outside. So nothing is told too
 * high.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-order.h"

#define DEFAULT_LIMIT 100
#define MOST_LIMIT 100000

typedef struct
{
  gint64 n_blocks, excess_ns;
} Sum;

static void
add_to (Sum    *sum,
        gint64  n_blocks,
        gint64  excess_ns)
{
  sum->n_blocks += n_blocks;
  sum->excess_ns = kymo_saturating_add (sum->excess_ns, excess_ns);
}

static gint64
excess_inside (const KymoAsk       *ask,
               const KymoStretched *block)
{
  KymoSpan inside = kymo_span_intersect (ask->span, (KymoSpan) { block->begin_ns, block->end_ns });
  gint64 outside_ns = block->end_ns - block->begin_ns - MAX (kymo_span_length (inside), 0);

  return MAX (block->excess_ns - outside_ns, 0);
}

/* Of all blocks of a location, where its records lie in the range. */
static void
add_whole (const KymoAsk *ask,
           guint          location,
           Sum           *sum,
           Sum           *names)
{
  const GArray *sums = ask->run->stretch_sums;

  for (guint i = kymo_stretched_first_sum (sums, location); i < sums->len; i++)
    {
      const KymoStretchSum *one = &g_array_index (sums, KymoStretchSum, i);

      if (one->location != location)
        break;
      add_to (sum, one->n_blocks, one->excess_ns);
      add_to (&names[one->activity], one->n_blocks, one->excess_ns);
    }
}

static void
add_kept (const KymoAsk *ask,
          guint          location,
          gboolean       whole,
          Sum           *sum,
          Sum           *names,
          GArray        *found)
{
  const GArray *blocks = ask->run->stretched;

  for (guint i = kymo_stretched_first (blocks, location); i < blocks->len; i++)
    {
      KymoStretched one = g_array_index (blocks, KymoStretched, i);

      if (one.location != location)
        break;
      one.excess_ns = excess_inside (ask, &one);
      if (one.excess_ns == 0)
        continue;
      g_array_append_val (found, one);
      if (whole)
        continue;
      add_to (sum, 1, one.excess_ns);
      add_to (&names[one.activity], 1, one.excess_ns);
    }
}

static int
compare_worst (gconstpointer a,
               gconstpointer b)
{
  const KymoStretched *x = a, *y = b;

  KYMO_ORDER_BY (y->excess_ns, x->excess_ns);
  KYMO_ORDER_BY (x->location, y->location);
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* The worst come first, and no others stay. */
static void
trim_blocks (GArray *found,
             gint64  limit)
{
  g_array_sort (found, compare_worst);
  if (found->len > limit)
    g_array_set_size (found, limit);
}

static KymoTable *
list_names (const KymoAsk *ask,
            const Sum     *names)
{
  KymoTable *table = kymo_table_new_list ("name:string blocks excess_ns");

  for (guint i = 0; i < ask->run->activities->len; i++)
    if (names[i].n_blocks > 0)
      kymo_table_append_row (table, kymo_run_peek_activity (ask->run, i)->name, names[i].n_blocks,
                             names[i].excess_ns);
  return table;
}

static KymoTable *
list_blocks (const KymoAsk *ask,
             GArray        *found)
{
  KymoTable *table = kymo_table_new_list ("location label:string name:string begin_ns end_ns "
                                          "duration_ns cpu_ns excess_ns");

  for (guint i = 0; i < found->len; i++)
    {
      const KymoStretched *one = &g_array_index (found, KymoStretched, i);
      const KymoLocation *where = kymo_run_peek_location (ask->run, one->location);

      kymo_table_append_row (table, where->id, where->label,
                             kymo_run_peek_activity (ask->run, one->activity)->name, one->begin_ns,
                             one->end_ns, one->end_ns - one->begin_ns, one->cpu_ns,
                             one->excess_ns);
    }
  return table;
}

static KymoTable *
stretched_answer (KymoAsk  *ask,
                  guint     n_threads,
                  GError  **error)
{
  g_autofree Sum *names = g_new0 (Sum, MAX (ask->run->activities->len, 1));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (KymoStretched));
  KymoTable *answer, *rows;
  gint64 limit, n_partly = 0;

  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_LIMIT, &limit, error))
    return NULL;
  if (limit < 0 || limit > MOST_LIMIT)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("At most %d blocks are told"),
                   MOST_LIMIT);
      return NULL;
    }
  rows = kymo_table_new_list ("location label:string blocks excess_ns");
  for (guint i = 0; i < ask->n_locations && !g_cancellable_is_cancelled (ask->cancellable); i++)
    {
      const KymoLocation *where = kymo_run_peek_location (ask->run, ask->locations[i]);
      gboolean whole = where->span.begin_ns >= ask->span.begin_ns
        && where->span.end_ns <= ask->span.end_ns;
      Sum sum = { 0 };

      if (where->cpu_clock == KYMO_CPU_CLOCK_NONE)
        continue;
      if (whole)
        add_whole (ask, ask->locations[i], &sum, names);
      add_kept (ask, ask->locations[i], whole, &sum, names, found);
      if (found->len >= 2 * limit + KYMO_STRETCHED_MOST)
        trim_blocks (found, limit);
      n_partly += where->cpu_clock != KYMO_CPU_CLOCK_FINE || !whole;
      kymo_table_append_row (rows, where->id, where->label, sum.n_blocks, sum.excess_ns);
    }
  trim_blocks (found, limit);
  answer = kymo_ask_answer_new (ask);
  kymo_table_set_int (answer, "at_least", n_partly);
  kymo_table_set_table (answer, "locations", rows);
  kymo_table_set_table (answer, "names", list_names (ask, names));
  kymo_table_set_table (answer, "blocks", list_blocks (ask, found));
  return answer;
}

/* excess_ns: for how long blocks had no processor; at_least: locations of which it may be more. */
static const KymoKeyword keywords[] =
{
  { "limit", KYMO_KEYWORD_COUNT, "N", "list the N blocks that had no processor for longest (100)" },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "locations", "location label blocks excess_ns" },
  { "names", "name blocks excess_ns" },
  { "blocks", "location label name begin_ns end_ns duration_ns cpu_ns excess_ns" },
  { NULL }
};

const KymoAnswerClass kymo_answer_stretched =
{
  { "stretched", N_("A list of blocks without a processor"),
    "blocks that lasted longer than they had a processor", keywords, KYMO_CAN_INTERVALS,
    .lists = lists, .topic = KYMO_TOPIC_RECORDS },
  .answer = stretched_answer, .needs = KYMO_NEEDS_SUMS,
};
