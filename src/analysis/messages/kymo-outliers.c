/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outliers: the median length of the blocks of each activity, and the blocks
 * that are many times as long. Lengths are from begin to end.
 *
 * A median is the value of rank (n - 1) / 2 in ascending order, found exactly
 * without keeping lengths: a histogram of 32 parts a power of two (partial)
 * tells in which part it lies, then each pass divides that part by 1024 until
 * it holds one value. So it takes two or three looks at each block, and memory
 * by activity alone.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-details.h"
#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-share.h"

#define PARTS 32                /* of a power of two */
#define N_BUCKETS (60 * PARTS)
#define FINE 1024
/* Of fewer blocks there is no telling what is usual. */
#define LEAST_BLOCKS 8
#define DEFAULT_TIMES 4
#define DEFAULT_LIMIT 100
#define MAX_LIMIT 100000

typedef struct
{
  gint64      times;
  gint64      limit;
  const char *name;             /* of one activity alone, or NULL */
  gboolean    has_block;        /* which is the one that is asked about */
  guint       location, activity;
  KymoSpan    block;
} Plan;

/* By activity of @n: counts a bucket, or NULL while there is no block. */
typedef struct
{
  guint    n;
  gint64 **counts;
} State;

/** Median: of one activity while it is being found; @low and @width: where it
 * lies, of rank @rank among what lies there */
typedef struct
{
  gint64  n;
  gint64  rank;
  gint64  low;
  guint64 width;
  gint64 *fine;                 /* counts of FINE parts, or NULL */
  gint64  n_over, over_ns;      /* blocks that are too long, and by how much */
  gint64  n_longer, n_as_long;  /* than the block that is asked about */
} Median;

typedef struct
{
  gint64 begin_ns, end_ns, excess_ns;
  guint  location;
  guint  activity;
} Outlier;

typedef struct
{
  const KymoAsk *ask;
  Median        *medians;
  GMutex         lock;
  GArray        *found;         /* Outlier */
  gboolean       counting;      /* outliers are looked for; else medians */
} Look;

/* The block that the question is about, where it is about one. */
static gboolean
read_block (KymoAsk  *ask,
            Plan     *plan,
            GError  **error)
{
  gint64 location, time_ns;
  KymoSegment *segment;
  gint row, block;

  if (kymo_question_get (ask->question, "location") == NULL)
    return TRUE;
  if (!kymo_question_get_int (ask->question, "location", -1, &location, error)
      || !kymo_question_get_int (ask->question, "at-ns", ask->span.begin_ns, &time_ns, error))
    return FALSE;
  row = kymo_run_find_location (ask->run, location);
  segment = row >= 0 && time_ns >= ask->run->span.begin_ns && time_ns < G_MAXINT64
    ? kymo_ask_segment_of (ask, row) : NULL;
  if (segment != NULL && !kymo_ask_use (ask, segment, KYMO_PART_BLOCKS))
    {
      kymo_ask_set_stale (ask, error);
      return FALSE;
    }
  block = segment != NULL ? kymo_segment_block_at (segment, time_ns) : -1;
  if (block < 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("No block runs there at that time"));
      return FALSE;
    }
  plan->has_block = TRUE;
  plan->location = row;
  plan->activity = segment->block_activity[block];
  plan->block = (KymoSpan) { kymo_segment_block_begin (segment, block),
                             kymo_segment_block_end (segment, block) };
  return TRUE;
}

static gboolean
outliers_prepare (KymoAsk  *ask,
                  GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  plan->name = kymo_question_get (ask->question, "name");
  if (!kymo_question_get_int (ask->question, "times", DEFAULT_TIMES, &plan->times, error)
      || !kymo_question_get_int (ask->question, "limit", DEFAULT_LIMIT, &plan->limit, error))
    return FALSE;
  if (plan->times >= 2 && plan->times <= 1000000 && plan->limit >= 0
      && plan->limit <= MAX_LIMIT)
    return read_block (ask, plan, error);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("An outlier is 2 to 1,000,000 times as long as the median, and at most %d are "
                 "told"),
               MAX_LIMIT);
  return FALSE;
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new (State, 1);

  state->n = ask->run->activities->len;
  state->counts = g_new0 (gint64 *, MAX (ask->run->activities->len, 1));
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  for (guint i = 0; i < state->n; i++)
    g_free (state->counts[i]);
  g_free (state->counts);
  g_free (data);
}

static guint
bucket_of (guint64 length)
{
  guint power;

  if (length < 2 * PARTS)
    return length;
  power = 63 - __builtin_clzll (length);
  return (power - 5) * PARTS + (length >> (power - 5));
}

/* The least length of a bucket, and how many lengths it has. */
static gint64
bucket_low (guint    bucket,
            guint64 *width)
{
  guint power;

  *width = 1;
  if (bucket < 2 * PARTS)
    return bucket;
  power = bucket / PARTS - 1;
  *width = (guint64) 1 << power;
  return (gint64) (bucket - power * PARTS) << power;
}

/* Calls `see` for each block of a segment that begins in the range, of the one name where the
   question is about a block. */
static void
each_block (const KymoAsk *ask,
            KymoSegment   *segment,
            void         (*see) (gpointer data, KymoSegment *segment, guint i, gint64 length),
            gpointer       data)
{
  const Plan *plan = ask->plan;
  guint first = kymo_segment_first_block (segment, ask->span.begin_ns);
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = first; i < segment->n_blocks && !kymo_ask_is_stopped (ask, i - first); i++)
    {
      gint64 begin_ns = kymo_segment_block_begin (segment, i);

      if (begin_ns >= end_ns)
        break;
      if (plan->has_block && segment->block_activity[i] != plan->activity)
        continue;
      see (data, segment, i, kymo_segment_block_end (segment, i) - begin_ns);
    }
}

static void
count_block (gpointer     data,
             KymoSegment *segment,
             guint        i,
             gint64       length)
{
  State *state = data;
  gint64 **counts = &state->counts[segment->block_activity[i]];

  if (*counts == NULL)
    *counts = g_new0 (gint64, N_BUCKETS);
  (*counts)[bucket_of (MAX (length, 0))]++;
}

static void
outliers_partial (const KymoAsk *ask,
                  gpointer       state,
                  KymoSegment   *segment)
{
  each_block (ask, segment, count_block, state);
}

static void
outliers_merge (const KymoAsk *ask,
                gpointer       a,
                gpointer       b)
{
  State *into = a, *from = b;

  for (guint i = 0; i < ask->run->activities->len; i++)
    {
      if (into->counts[i] == NULL)
        into->counts[i] = g_steal_pointer (&from->counts[i]);
      for (guint k = 0; from->counts[i] != NULL && k < N_BUCKETS; k++)
        into->counts[i][k] += from->counts[i][k];
    }
}

/* -- medians -------------------------------------------------------------- */

/* Which of n counted parts holds the rank; what lies before is taken off. */
static guint
part_of_rank (const gint64 *counts,
              guint         n,
              gint64       *rank)
{
  guint part = 0;

  while (part + 1 < n && *rank >= counts[part])
    *rank -= counts[part++];
  return part;
}

static Median *
begin_medians (const KymoAsk *ask,
               State         *state)
{
  Median *medians = g_new0 (Median, MAX (ask->run->activities->len, 1));

  for (guint i = 0; i < ask->run->activities->len; i++)
    {
      Median *median = &medians[i];

      if (state->counts[i] == NULL)
        continue;
      for (guint k = 0; k < N_BUCKETS; k++)
        median->n += state->counts[i][k];
      median->rank = (median->n - 1) / 2;
      median->low = bucket_low (part_of_rank (state->counts[i], N_BUCKETS, &median->rank),
                                &median->width);
    }
  return medians;
}

static guint64
fine_width (const Median *median)
{
  return (median->width + FINE - 1) / FINE;
}

static void
count_finely (gpointer     data,
              KymoSegment *segment,
              guint        i,
              gint64       length)
{
  Look *look = data;
  Median *median = &look->medians[segment->block_activity[i]];

  if (median->fine != NULL && length >= median->low
      && (guint64) (length - median->low) < median->width)
    __atomic_fetch_add (&median->fine[(length - median->low) / fine_width (median)], 1,
                        __ATOMIC_RELAXED);
}

/* -- outliers ------------------------------------------------------------- */

typedef struct
{
  Look   *look;
  GArray *found;
  gint64  limit;
} Own;

static int
compare_outliers (gconstpointer a,
                  gconstpointer b)
{
  const Outlier *x = a, *y = b;

  KYMO_ORDER_BY (y->excess_ns, x->excess_ns);
  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  KYMO_ORDER_BY (x->location, y->location);
  return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

static void
trim (GArray *found,
      gint64  limit)
{
  g_array_sort (found, compare_outliers);
  if (found->len > limit)
    g_array_set_size (found, limit);
}

static void
judge (gpointer     data,
       KymoSegment *segment,
       guint        i,
       gint64       length)
{
  Own *own = data;
  guint activity = segment->block_activity[i];
  Median *median = &own->look->medians[activity];
  const Plan *plan = own->look->ask->plan;
  gint64 begin_ns = kymo_segment_block_begin (segment, i);
  Outlier one = { begin_ns, begin_ns + length, length - median->low, segment->location,
                  activity };

  if (plan->has_block && length >= kymo_span_length (plan->block))
    __atomic_fetch_add (length > kymo_span_length (plan->block) ? &median->n_longer
                        : &median->n_as_long, 1, __ATOMIC_RELAXED);
  if (median->n < LEAST_BLOCKS || length / plan->times < MAX (median->low, 1)
      || length <= median->low * plan->times)
    return;
  __atomic_fetch_add (&median->n_over, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&median->over_ns, one.excess_ns, __ATOMIC_RELAXED);
  if (own->limit == 0 || (plan->name != NULL
                          && strcmp (kymo_run_peek_activity (own->look->ask->run, activity)->name,
                                     plan->name) != 0))
    return;
  g_array_append_val (own->found, one);
  if (own->found->len >= 2 * own->limit + 64)
    trim (own->found, own->limit);
}

static void
look_at (gpointer data,
         guint    i)
{
  Look *look = data;
  KymoSegment *segment = kymo_ask_segment_of (look->ask, look->ask->locations[i]);
  g_autoptr (GArray) found = NULL;
  Own own = { look, NULL, ((const Plan *) look->ask->plan)->limit };

  if (!look->counting)
    {
      each_block (look->ask, segment, count_finely, look);
      return;
    }
  own.found = found = g_array_new (FALSE, FALSE, sizeof (Outlier));
  each_block (look->ask, segment, judge, &own);
  g_mutex_lock (&look->lock);
  g_array_append_vals (look->found, found->data, found->len);
  if (look->found->len >= 2 * own.limit + 64)
    trim (look->found, own.limit);
  g_mutex_unlock (&look->lock);
}

/* Each pass divides what is left of the widest parts by FINE. */
static gboolean
refine (Look *look)
{
  const KymoAsk *ask = look->ask;
  guint n = ask->run->activities->len;
  gboolean more = TRUE;

  while (more)
    {
      more = FALSE;
      for (guint i = 0; i < n; i++)
        if (look->medians[i].width > 1)
          {
            look->medians[i].fine = g_new0 (gint64, FINE);
            more = TRUE;
          }
      if (more && !kymo_share_out (ask->n_locations, ask->n_threads, look_at, look,
                                   ask->cancellable))
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          Median *median = &look->medians[i];
          guint64 width = fine_width (median);
          guint part;

          if (median->fine == NULL)
            continue;
          part = part_of_rank (median->fine, FINE, &median->rank);
          median->low += part * width;
          median->width = width;
          g_clear_pointer (&median->fine, g_free);
        }
    }
  return TRUE;
}

/* -- the answer ----------------------------------------------------------- */

static KymoTable *
make_names (const Look *look)
{
  const KymoAsk *ask = look->ask;
  KymoTable *table = kymo_table_new_list ("id name:string blocks median_ns outliers excess_ns");

  for (guint i = 0; i < ask->run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);

      if (look->medians[i].n == 0)
        continue;
      kymo_table_append_row (table, activity->id, activity->name, look->medians[i].n,
                             look->medians[i].low, look->medians[i].n_over,
                             look->medians[i].over_ns);
    }
  return table;
}

static KymoTable *
make_outliers (const Look *look)
{
  KymoTable *table = kymo_table_new_list ("location label:string name:string begin_ns end_ns "
                                          "duration_ns median_ns");

  for (guint i = 0; i < look->found->len; i++)
    {
      const Outlier *one = &g_array_index (look->found, Outlier, i);
      const KymoLocation *where = kymo_run_peek_location (look->ask->run, one->location);

      kymo_table_append_row (table, where->id, where->label,
                             kymo_run_peek_activity (look->ask->run, one->activity)->name,
                             one->begin_ns, one->end_ns, one->end_ns - one->begin_ns,
                             look->medians[one->activity].low);
    }
  return table;
}

/* The block that was asked about: of several that are as long each has the number of the
   first. */
static KymoTable *
make_block (const Look *look)
{
  const KymoAsk *ask = look->ask;
  const Plan *plan = ask->plan;
  const Median *median = &look->medians[plan->activity];
  const KymoLocation *where = kymo_run_peek_location (ask->run, plan->location);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (table, "location", where->id);
  kymo_table_set_string (table, "label", where->label);
  kymo_table_set_string (table, "name", kymo_run_peek_activity (ask->run, plan->activity)->name);
  kymo_table_set_int (table, "begin_ns", plan->block.begin_ns);
  kymo_table_set_int (table, "end_ns", plan->block.end_ns);
  kymo_table_set_int (table, "duration_ns", kymo_span_length (plan->block));
  kymo_table_set_int (table, "blocks", median->n);
  kymo_table_set_int (table, "median_ns", median->n > 0 ? median->low : KYMO_NULL_INT);
  kymo_table_set_int (table, "rank", median->n_longer + 1);
  kymo_table_set_int (table, "as_long", median->n_as_long);
  return table;
}

static KymoTable *
outliers_conclude (const KymoAsk *ask,
                   gpointer       state,
                   GError       **error)
{
  const Plan *plan = ask->plan;
  g_autofree Median *medians = begin_medians (ask, state);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Outlier));
  Look look = { .ask = ask, .medians = medians, .found = found };
  KymoTable *answer = NULL;

  g_mutex_init (&look.lock);
  if (refine (&look))
    {
      look.counting = TRUE;
      if (kymo_share_out (ask->n_locations, ask->n_threads, look_at, &look, ask->cancellable))
        {
          trim (found, plan->limit);
          answer = kymo_table_new (KYMO_STYLE_OBJECT);
          kymo_table_set_int (answer, "times", plan->times);
          if (plan->has_block)
            kymo_table_set_table (answer, "block", make_block (&look));
          kymo_table_set_table (answer, "names", make_names (&look));
          kymo_table_set_table (answer, "outliers", make_outliers (&look));
        }
    }
  g_mutex_clear (&look.lock);
  for (guint i = 0; i < ask->run->activities->len; i++)
    g_free (medians[i].fine);
  if (answer == NULL)
    g_cancellable_set_error_if_cancelled (ask->cancellable, error);
  return answer;
}

/* median_ns is of the length of blocks; excess_ns: by how much they are longer. "block" is the
   one at the place asked for. */
static const KymoKeyword keywords[] =
{
  { "times", KYMO_KEYWORD_COUNT, "N", "more than N times as long as the median (4)" },
  { "limit", KYMO_KEYWORD_COUNT, "N", "list the N blocks farthest beyond the median (100)" },
  { "name", KYMO_KEYWORD_TEXT, "NAME", "of this name alone" },
  { "location", KYMO_KEYWORD_INTEGER, "L", "with --at: of the name of the block there, and how "
    "long that is" },
  { "at", KYMO_KEYWORD_TIME, "T", "a time in the block" },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "names", "id name blocks median_ns outliers excess_ns" },
  { "outliers", "location label name begin_ns end_ns duration_ns median_ns" },
  { "block", "location label name begin_ns end_ns duration_ns blocks median_ns rank "
    "as_long" },
  { NULL }
};

const KymoAnswerClass kymo_answer_outliers =
{
  { "outliers", N_("A list of outliers"), "blocks far above the median of their name", keywords,
    KYMO_CAN_INTERVALS, .lists = lists,
    .topic = KYMO_TOPIC_RECORDS },
  outliers_prepare, kymo_ask_free_plan, state_new, state_free, outliers_partial, outliers_merge,
  NULL, .needs = KYMO_NEEDS_BLOCKS,
  .conclude = outliers_conclude,
};
