/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: per location the share of its span per activity, idle, overhead and
 * untraced; and the average over all traced time: untraced time and
 * communication threads enter no average, so where all is compute the
 * average's busy share is the run's utilization. Where it is extrapolated each
 * location keeps its own figures, and the average is of all they stand for.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-profile.h"

#include "kymo-keywords.h"

static const char *const part_keys[] = { "busy", "idle", "overhead", "untraced" };

typedef struct
{
  KymoTable *table;
  KymoTable *activities;
  guint      ns[4], share[4], useful, nested;
  guint      work[KYMO_N_WORK], n_works;
  gboolean   has_weight;
  guint      weight;
  guint      id, name, activity_ns, activity_share;
} UsageTable;

static UsageTable
usage_table_new (const KymoAsk  *ask,
                 KymoTableStyle  style)
{
  UsageTable t = { kymo_table_new (style), kymo_table_new (KYMO_STYLE_OBJECTS) };
  const char *works[KYMO_N_WORK];

  kymo_table_add_columns (t.table, "location label:string kind:string span_ns");
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *key = g_strconcat (part_keys[i], "_ns", NULL);

      t.ns[i] = kymo_table_add_column (t.table, key, KYMO_COLUMN_INT, 1);
    }
  for (guint i = 0; i < 4; i++)
    t.share[i] = kymo_table_add_column (t.table, part_keys[i], KYMO_COLUMN_DOUBLE, 1);
  t.n_works = kymo_profile_list_works (ask, works);
  for (guint w = 0; w < t.n_works; w++)
    t.work[w] = kymo_table_add_column (t.table, works[w], KYMO_COLUMN_INT, 1);
  t.useful = kymo_table_add_column (t.table, "useful", KYMO_COLUMN_DOUBLE, 1);
  t.has_weight = ask->weights != NULL;
  if (t.has_weight)
    t.weight = kymo_table_add_column (t.table, "weight", KYMO_COLUMN_DOUBLE, 1);
  t.id = kymo_table_add_column (t.activities, "id", KYMO_COLUMN_INT, 1);
  t.name = kymo_table_add_column (t.activities, "name", KYMO_COLUMN_STRING, 1);
  t.activity_ns = kymo_table_add_column (t.activities, "ns", KYMO_COLUMN_INT, 1);
  t.activity_share = kymo_table_add_column (t.activities, "share", KYMO_COLUMN_DOUBLE, 1);
  t.nested = kymo_table_add_nested (t.table, "activities", t.activities);
  return t;
}

static double
share_of (gint64 ns,
          gint64 span_ns)
{
  return span_ns > 0 ? (double) ns / (double) span_ns : 0;
}

static void
append_activity (UsageTable    *t,
                 const KymoAsk *ask,
                 guint32        state,
                 gint64         ns,
                 gint64         span_ns)
{
  kymo_table_append_int (t->activities, t->id, kymo_ask_state_id (ask, state));
  kymo_table_append_string (t->activities, t->name, kymo_ask_state_name (ask, state));
  kymo_table_append_int (t->activities, t->activity_ns, ns);
  kymo_table_append_double (t->activities, t->activity_share, share_of (ns, span_ns));
}

static void
append_location (UsageTable             *t,
                 gint64                  id,
                 const char             *label,
                 const char             *kind,
                 double                  weight,
                 const KymoLocationSums *sums)
{
  const gint64 parts[] = { sums->busy_ns, sums->idle_ns, sums->overhead_ns, sums->untraced_ns };
  gint64 span_ns = kymo_span_length (sums->span);

  kymo_table_append_row (t->table, id, label, kind, span_ns);
  for (guint i = 0; i < 4; i++)
    {
      kymo_table_append_int (t->table, t->ns[i], parts[i]);
      kymo_table_append_double (t->table, t->share[i], share_of (parts[i], span_ns));
    }
  for (guint w = 0; w < t->n_works; w++)
    kymo_table_append_int (t->table, t->work[w], sums->work_ns[w]);
  kymo_table_append_double (t->table, t->useful,
                            share_of (sums->work_ns[KYMO_WORK_USEFUL], span_ns));
  if (t->has_weight)
    kymo_table_append_double (t->table, t->weight, weight);
}

static gpointer
state_new (const KymoAsk *ask)
{
  return kymo_profile_state_new (ask, TRUE);
}

/* Times alone; what the counts say of a summary's times comes first. */
static void
usage_partial (const KymoAsk *ask,
               gpointer       state,
               KymoSegment   *segment)
{
  if (segment->bins != NULL)
    kymo_profile_partial (ask, state, segment);
  else
    kymo_profile_add_times (ask, state, segment);
}

static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  gboolean whole = ask->span.begin_ns <= segment->span.begin_ns
    && ask->span.end_ns >= segment->span.end_ns;

  return whole ? KYMO_NEEDS_SUMS : KYMO_NEEDS_TRACK;
}

/* By state the time of the locations that enter averages, or of all that they
   stand for. Free it. */
static gint64 *
averaged_times (const KymoAsk          *ask,
                const KymoProfileState *state)
{
  gint64 *ns = g_new0 (gint64, state->n_states);

  if (state->averaged != NULL)
    memcpy (ns, state->averaged, state->n_states * sizeof (gint64));
  for (guint row = 0; row < state->n_rows; row++)
    {
      const GArray *shares = state->locations[row].shares;

      if (state->averaged != NULL || !kymo_ask_is_averaged (ask, ask->locations[row]))
        continue;
      for (guint i = 0; shares != NULL && i < shares->len; i++)
        {
          const KymoLocationShare *share = &g_array_index (shares, KymoLocationShare, i);

          ns[share->state] += share->exclusive_ns;
        }
    }
  return ns;
}

static KymoTable *
make_average (const KymoAsk          *ask,
              const KymoProfileState *state)
{
  UsageTable t = usage_table_new (ask, KYMO_STYLE_OBJECT);
  KymoLocationSums total = kymo_profile_total (ask, state, TRUE);
  g_autofree gint64 *ns = averaged_times (ask, state);

  total.span.end_ns -= total.untraced_ns;
  total.untraced_ns = 0;
  append_location (&t, KYMO_NULL_INT, "Average", NULL, kymo_ask_stands_for (ask, TRUE), &total);
  for (guint32 s = KYMO_STATE_ACTIVITY; s < state->n_states; s++)
    if (ns[s] > 0)
      append_activity (&t, ask, s, ns[s], total.span.end_ns);
  kymo_table_end_nested (t.table, t.nested);
  return t.table;
}

static KymoTable *
usage_finish (const KymoAsk *ask,
              gpointer       data)
{
  const KymoProfileState *state = data;
  KymoTable *answer = kymo_ask_answer_new (ask);
  UsageTable t = usage_table_new (ask, KYMO_STYLE_OBJECTS);

  for (guint row = 0; row < state->n_rows && !kymo_ask_is_stopped (ask, row << 6); row++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[row]);
      const KymoLocationSums *sums = &state->locations[row];

      append_location (&t, location->id, location->label,
                       kymo_location_kind_to_string (location->kind),
                       (double) kymo_ask_weight_of (ask, ask->locations[row]) / KYMO_WEIGHT_ONE,
                       sums);
      for (guint i = 0; sums->shares != NULL && i < sums->shares->len; i++)
        {
          const KymoLocationShare *share = &g_array_index (sums->shares, KymoLocationShare, i);

          if (share->exclusive_ns > 0)
            append_activity (&t, ask, share->state, share->exclusive_ns,
                             kymo_span_length (sums->span));
        }
      kymo_table_end_nested (t.table, t.nested);
    }
  kymo_ask_set_counts (ask, answer);
  kymo_table_set_table (answer, "average", make_average (ask, state));
  kymo_table_set_table (answer, "locations", t.table);
  return answer;
}

static const KymoKeyword keywords[] =
{
  KYMO_KEYWORD_EXTRAPOLATE,
  KYMO_KEYWORD_FIRST_ROWS,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "locations", "location label kind span_ns busy_ns idle_ns overhead_ns untraced_ns "
    "busy idle overhead untraced useful_ns communication_ns waiting_ns io_ns runtime_ns useful "
    "weight", TRUE },
  { "locations.activities", "id name ns share", TRUE },
  { "average", "location label kind span_ns busy_ns idle_ns overhead_ns untraced_ns busy "
    "idle overhead untraced useful_ns communication_ns waiting_ns io_ns runtime_ns useful weight",
    TRUE },
  { "average.activities", "id name ns share", TRUE },
  { NULL }
};

const KymoAnswerClass kymo_answer_usage =
{
  { "usage", N_("Usage"), "how every location spent its time", keywords, KYMO_CAN_BINNED_TIME,
    .lists = lists,
    .topic = KYMO_TOPIC_LOAD, .example = "--order=-busy" },
  NULL, NULL, state_new, (GDestroyNotify) kymo_profile_state_free, usage_partial,
  kymo_profile_merge,
  usage_finish, .needs_of = needs_of, .in_order = TRUE, .weigh = kymo_profile_weigh,
};
