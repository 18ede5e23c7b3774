/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * extrema: the PEs that have most, or least, of something. Times are clipped
 * to the range, counts are of what begins inside it. Of equal PEs the lower
 * one comes first.
 */
#include "config.h"

#include "kymo-pe-vectors.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"

#define DEFAULT_COUNT 10

typedef enum
{
  BY_BUSY,
  BY_MOST_IDLE,
  BY_LEAST_IDLE,
  BY_OVERHEAD,
  BY_LONGEST,
  BY_GRAIN,
  BY_SENT,
  BY_RECEIVED,
  BY_BYTES_SENT,
  BY_BYTES_RECEIVED,
  N_BY,
} By;

static const struct
{
  const char *word;
  guint       figures;
  const char *key;              /* of the values */
} attributes[N_BY] =
{
  [BY_BUSY] = { "busy", KYMO_PE_TIMES, "value_ns" },
  [BY_MOST_IDLE] = { "most-idle", KYMO_PE_TIMES, "value_ns" },
  [BY_LEAST_IDLE] = { "least-idle", KYMO_PE_TIMES, "value_ns" },
  [BY_OVERHEAD] = { "overhead", KYMO_PE_TIMES, "value_ns" },
  [BY_LONGEST] = { "longest", KYMO_PE_BLOCKS, "value_ns" },
  [BY_GRAIN] = { "grain", KYMO_PE_BLOCKS, "value_ns" },
  [BY_SENT] = { "sent", KYMO_PE_SENT, "value" },
  [BY_RECEIVED] = { "received", KYMO_PE_RECEIVED, "value" },
  [BY_BYTES_SENT] = { "bytes-sent", KYMO_PE_SENT, "value_bytes" },
  [BY_BYTES_RECEIVED] = { "bytes-received", KYMO_PE_RECEIVED, "value_bytes" },
};

typedef struct
{
  By     by;
  gint64 count;
} Plan;

/* One PE; its value is of / by. */
typedef struct
{
  guint  row;
  gint64 of, by;
} Ranked;

static gboolean
find_attribute (const KymoAsk *ask,
                By            *by)
{
  const char *word = kymo_question_get (ask->question, "by");

  *by = BY_BUSY;
  for (guint i = 0; word != NULL && i < N_BY; i++)
    if (strcmp (attributes[i].word, word) == 0)
      {
        *by = i;
        return TRUE;
      }
  return word == NULL;
}

static gboolean
check_known (const KymoAsk  *ask,
             By              by,
             GError        **error)
{
  guint can = kymo_capabilities_of (ask->run);
  gboolean messages = attributes[by].figures & (KYMO_PE_SENT | KYMO_PE_RECEIVED);

  if (attributes[by].figures == KYMO_PE_TIMES
      || (can & (messages ? KYMO_CAN_MESSAGES : KYMO_CAN_INTERVALS)))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "Extrema by “%s” need single %s. %s",
               attributes[by].word, messages ? "messages" : "blocks",
               ask->run->draft != NULL ? "They are known when all logs are read."
               : "This run is a summary: sums by bins of time.");
  return FALSE;
}

static void
release (KymoAsk *ask)
{
  g_free (ask->plan);
}

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  if (!kymo_ask_check_pes (ask, "Extrema are of", error)
      || !kymo_question_get_int (ask->question, "count", DEFAULT_COUNT, &plan->count, error))
    return FALSE;
  if (!find_attribute (ask, &plan->by))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "There are no extrema by “%s”; there are busy, most-idle, least-idle, overhead, "
                   "longest, grain, sent, received, bytes-sent and bytes-received",
                   kymo_question_get (ask->question, "by"));
      return FALSE;
    }
  return check_known (ask, plan->by, error);
}

static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  By by;

  find_attribute (ask, &by);
  return kymo_pe_sums_needs (ask, segment, attributes[by].figures);
}

static gpointer
state_new (const KymoAsk *ask)
{
  return kymo_pe_sums_new (ask, attributes[((Plan *) ask->plan)->by].figures);
}

static void
partial (const KymoAsk *ask,
         gpointer       state,
         KymoSegment   *segment)
{
  kymo_pe_sums_add (ask, state, segment);
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  kymo_pe_sums_merge (ask, into, from);
}

/* Where nothing is known, by is 0. */
static Ranked
rank (const KymoPeSums *sums,
      By                by,
      guint             row)
{
  const KymoPeCounts *counts = &sums->counts[row];
  const KymoLocationSums *times = sums->times != NULL ? &sums->times->locations[row] : NULL;

  switch (by)
    {
    case BY_BUSY: return (Ranked) { row, times->busy_ns, 1 };
    case BY_MOST_IDLE:
    case BY_LEAST_IDLE: return (Ranked) { row, times->idle_ns, 1 };
    case BY_OVERHEAD: return (Ranked) { row, times->overhead_ns, 1 };
    case BY_LONGEST: return (Ranked) { row, counts->longest_ns, counts->blocks > 0 };
    case BY_GRAIN: return (Ranked) { row, counts->block_ns, counts->blocks };
    case BY_SENT: return (Ranked) { row, counts->sent, 1 };
    case BY_RECEIVED: return (Ranked) { row, counts->received, 1 };
    case BY_BYTES_SENT: return (Ranked) { row, counts->sent_bytes, 1 };
    case BY_BYTES_RECEIVED:
    default: return (Ranked) { row, counts->received_bytes, 1 };
    }
}

static int
compare_ranked (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const Ranked *x = a, *y = b;
  gboolean least = GPOINTER_TO_INT (data) == BY_LEAST_IDLE;
  __int128 left = (__int128) x->of * y->by, right = (__int128) y->of * x->by;

  if (left != right)
    return (left < right) == least ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static gint64
value_of (const Ranked *ranked)
{
  return llroundl ((long double) ranked->of / ranked->by);
}

typedef struct
{
  KymoTable *table;
  guint      location, label, value, share, of_average, begin, id, name, blocks;
} List;

/* Columns that an attribute does not have stay away. */
static List
list_new (By by)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  List list = { table };

  list.location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  list.label = kymo_table_add_column (table, "label", KYMO_COLUMN_STRING, 1);
  list.value = kymo_table_add_column (table, attributes[by].key, KYMO_COLUMN_INT, 1);
  list.of_average = kymo_table_add_column (table, "of_average", KYMO_COLUMN_DOUBLE, 1);
  if (attributes[by].figures == KYMO_PE_TIMES)
    list.share = kymo_table_add_column (table, "share", KYMO_COLUMN_DOUBLE, 1);
  if (attributes[by].figures == KYMO_PE_BLOCKS)
    list.blocks = kymo_table_add_column (table, "blocks", KYMO_COLUMN_INT, 1);
  if (by == BY_LONGEST)
    {
      list.begin = kymo_table_add_column (table, "block_begin_ns", KYMO_COLUMN_INT, 1);
      list.id = kymo_table_add_column (table, "id", KYMO_COLUMN_INT, 1);
      list.name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
    }
  return list;
}

static void
list_append (const List       *list,
             const KymoAsk    *ask,
             const KymoPeSums *sums,
             const Ranked     *ranked,
             double            average)
{
  const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[ranked->row]);
  const KymoPeCounts *counts = &sums->counts[ranked->row];

  kymo_table_append_int (list->table, list->location, location->id);
  kymo_table_append_string (list->table, list->label, location->label);
  kymo_table_append_int (list->table, list->value, value_of (ranked));
  kymo_table_append_double (list->table, list->of_average, average > 0
                            ? (double) ranked->of / ranked->by / average : NAN);
  if (list->share != 0)
    {
      gint64 span_ns = kymo_span_length (sums->times->locations[ranked->row].span);

      kymo_table_append_double (list->table, list->share, span_ns > 0
                                ? (double) ranked->of / span_ns : NAN);
    }
  if (list->blocks != 0)
    kymo_table_append_int (list->table, list->blocks, counts->blocks);
  if (list->begin == 0)
    return;
  kymo_table_append_int (list->table, list->begin, counts->longest_begin_ns);
  kymo_table_append_int (list->table, list->id, kymo_ask_state_id (ask, counts->longest_state));
  kymo_table_append_string (list->table, list->name,
                            kymo_ask_state_name (ask, counts->longest_state));
}

static GArray *
rank_all (const KymoAsk    *ask,
          const KymoPeSums *sums,
          double           *average)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Ranked));
  By by = ((Plan *) ask->plan)->by;
  long double sum = 0;

  for (guint row = 0; row < ask->n_locations; row++)
    {
      Ranked ranked = rank (sums, by, row);

      if (!kymo_ask_compares (ask, row) || ranked.by == 0)
        continue;
      sum += (long double) ranked.of / ranked.by;
      g_array_append_val (all, ranked);
    }
  g_array_sort_with_data (all, compare_ranked, GINT_TO_POINTER (by));
  *average = all->len > 0 ? sum / all->len : NAN;
  return all;
}

static KymoTable *
finish (const KymoAsk *ask,
        gpointer       state)
{
  const Plan *plan = ask->plan;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  List list = list_new (plan->by);
  double average;
  g_autoptr (GArray) all = rank_all (ask, state, &average);
  g_autofree char *key = g_strconcat ("average", strchr (attributes[plan->by].key, '_'), NULL);

  for (guint i = 0; i < all->len && i < plan->count; i++)
    list_append (&list, ask, state, &g_array_index (all, Ranked, i), average);
  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_string (answer, "by", attributes[plan->by].word);
  kymo_table_set_int (answer, "pes", all->len);
  kymo_table_set_int (answer, key, isnan (average) ? KYMO_NULL_INT : llround (average));
  kymo_table_set_table (answer, "extrema", list.table);
  return answer;
}

const KymoAnswerClass kymo_answer_extrema =
{
  "extrema", prepare, release, state_new, (GDestroyNotify) kymo_pe_sums_free, partial, merge,
  finish, .requires = KYMO_CAN_PROFILE, .needs_of = needs_of,
};
