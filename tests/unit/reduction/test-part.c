/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of a run of functions, written as files of TAU or as an OTF2 archive and read
 * again, answers as the whole does of the same locations and the same time; a reduced one
 * as the whole does with the same weights. Usage: test-part SOURCE-ROOT
 */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "exchanges.h"
#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-open.h"
#include "kymo-part.h"
#include "kymo-profile-data.h"
#include "kymo-reducer.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"
#include "scratch.h"

#define N_PARTS 5

static char *root;

/* What rests on messages and collectives is compared where all locations are there, as is
   what is listed in the order in which locations tell it. */
static const struct { const char *kind; gboolean needs_all; const char *keywords[7]; }
  questions[] = {
  { "profile", FALSE, { NULL } },
  { "profile", TRUE, { "waits", "1", NULL } },
  { "usage", FALSE, { NULL } },
  { "time-profile", FALSE, { "columns", "37", NULL } },
  { "histogram", FALSE, { NULL } },
  { "timeline", TRUE, { "columns", "50", NULL } },
  { "thread-bars", FALSE, { "rows", "0", NULL } },
  { "thread", FALSE, { "of", "total", "paths", "all", "callpath-depth", "3", NULL } },
  { "user-events", TRUE, { NULL } },
  { "calltree", TRUE, { NULL } },
  { "messages", TRUE, { "limit", "100000", NULL } },
  { "communication", TRUE, { NULL } },
  { "waiting", TRUE, { NULL } },
  { "collectives", TRUE, { NULL } },
};

/* What is of the whole run: a timeline has outer functions where any nest; a profile lists
   the groups of all functions that any location has; how collectives were found, and whether
   there are messages at all; and what somebody did outside the range is not all in the
   part. Functions of profiles are numbered by which there are. */
static char *
without_rest (GString *json,
              gboolean is_profile)
{
  static const char *const patterns[] = {
    "\"outer\":\\[(\\[[^]]*\\],?)*\\],", "\"groups\":\\[[^]]*\\],(?=\"row_term)",
    ",\"by_did\":(null|\"[^\"]*\")", ",\"collectives\":\\[\\]", ",\"left_out\":[0-9]+",
    ",\"(collectives_)?inferred\":(true|false)", ",\"collectives_without_root\":[0-9]+",
    ",\"(collectives_)?may_be_several\":[0-9]+",
    ",\"blocks\":\\{[^}]*\\}", "\"id\":[0-9]+,",
  };
  char *text = g_string_free (json, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (patterns) - !is_profile; i++)
    {
      g_autofree char *before = text;
      g_autoptr (GRegex) regex = g_regex_new (patterns[i], 0, 0, NULL);

      text = g_regex_replace_literal (regex, before, -1, 0, "", 0, NULL);
    }
  return text;
}

static char *
ask (KymoRun   *run,
     guint      i,
     KymoSpan   span,
     KymoIdSet *locations)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (questions[i].kind);
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  GString *json = g_string_new (NULL);

  for (guint k = 0; questions[i].keywords[k] != NULL; k += 2)
    kymo_question_set (question, questions[i].keywords[k], questions[i].keywords[k + 1]);
  kymo_question_set_span (question, span);
  if (locations != NULL)
    kymo_question_set_locations (question, locations);
  answer = kymo_engine_ask (run, question, 1, NULL, &error);
  if (answer != NULL)
    kymo_table_write_json (answer, json);
  else
    g_string_append (json, error->message);
  return without_rest (json, run->profiles != NULL);
}

static KymoRun *
open_run (const char *path)
{
  KymoOpenOptions options = { .no_cache = TRUE, .n_threads = 2 };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (path, &options, NULL, &error);

  g_assert_no_error (error);
  return run;
}

/* A part of a run, read from what was written of it. */
static KymoRun *
make_part (KymoRun   *run,
           KymoSpan   span,
           KymoIdSet *locations)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  Scratch scratch;
  KymoRun *part;

  for (guint i = 0; i < run->locations->len; i++)
    if (locations == NULL
        || kymo_id_set_contains (locations, kymo_run_peek_location (run, i)->id))
      g_array_append_val (ids, kymo_run_peek_location (run, i)->id);
  scratch_up (&scratch, NULL);
  {
    g_autofree char *out = scratch_path (&scratch, "part");
    const KymoPartWish wish = {
      .path = "elsewhere",
      .locations = (const gint64 *) (gpointer) ids->data, .n_locations = ids->len, .span = span,
      .out = out,
    };
    g_auto (KymoExtractResult) result = { NULL };
    g_autoptr (GError) error = NULL;

    kymo_part_write (run, &wish, &result, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (result.kept->len, ==, ids->len);
    part = open_run (out);
  }
  scratch_down (&scratch, NULL);
  g_assert_cmpuint (part->locations->len, ==, ids->len);
  for (guint i = 0; i < ids->len; i++)
    g_assert_cmpint (kymo_run_peek_location (part, i)->id, ==,
                     g_array_index (ids, gint64, i));
  return part;
}

/* Answers are long: what is around the first difference. */
static void
tell_difference (const char *kind,
                 KymoSpan    span,
                 const char *of_run,
                 const char *of_part)
{
  gsize at = 0;

  if (g_str_equal (of_run, of_part))
    return;
  while (of_run[at] == of_part[at])
    at++;
  at -= MIN (at, 100);
  g_test_message ("%s of [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "), byte %" G_GSIZE_FORMAT
                  "\n run: %.250s\npart: %.250s", kind, span.begin_ns, span.end_ns, at,
                  of_run + at, of_part + at);
  g_test_fail ();
}

/* Whatever rests on the records is the same, to the last nanosecond. */
static void
compare (KymoRun   *run,
         KymoSpan   span,
         KymoIdSet *locations)
{
  g_autoptr (KymoRun) part = make_part (run, span, locations);

  g_assert_cmpint (part->span.begin_ns, ==, span.begin_ns);
  g_assert_cmpint (part->span.end_ns, ==, span.end_ns);
  g_assert_cmpint (part->terms.row, ==, run->terms.row);
  g_assert_cmpint (part->n_locations_original, ==, run->n_locations_original);
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    {
      g_autofree char *of_run = NULL, *of_part = NULL;

      if (questions[i].needs_all && locations != NULL)
        continue;
      of_run = ask (run, i, span, locations);
      of_part = ask (part, i, span, locations);
      tell_difference (questions[i].kind, span, of_run, of_part);
    }
}

static KymoSpan
random_span (GRand   *rand,
             KymoSpan whole)
{
  gint64 length = kymo_span_length (whole);
  KymoSpan span;

  span.begin_ns = whole.begin_ns + g_rand_double (rand) * length;
  span.end_ns = span.begin_ns + 1 + g_rand_double (rand) * (whole.end_ns - span.begin_ns - 1);
  return span;
}

static KymoIdSet *
random_locations (GRand         *rand,
                  const KymoRun *run)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < run->locations->len; i++)
    if (g_rand_boolean (rand) || (ids->len == 0 && i + 1 == run->locations->len))
      g_array_append_val (ids, kymo_run_peek_location (run, i)->id);
  return kymo_id_set_new_list ((const gint64 *) (gpointer) ids->data, ids->len);
}

static void
compare_parts (KymoRun *run)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (run->n_records);

  compare (run, run->span, NULL);
  for (guint i = 0; i < N_PARTS; i++)
    {
      g_autoptr (KymoIdSet) some = random_locations (rand, run);
      KymoSpan span = random_span (rand, run->span);

      compare (run, span, NULL);
      compare (run, i % 2 == 0 ? run->span : random_span (rand, run->span), some);
    }
}

static void
test_recording (gconstpointer name)
{
  g_autofree char *path = g_build_filename (root, "tests", "data", "tau", name, NULL);
  g_autoptr (KymoRun) run = open_run (path);

  compare_parts (run);
}

#ifdef HAVE_OTF2
/* The same run, as if it had been an archive: so are its parts. */
static void
set_archive (KymoRun *run)
{
  g_free (run->format);
  run->format = g_strdup ("otf2");
}

static void
test_archive (gconstpointer name)
{
  g_autofree char *path = g_build_filename (root, "tests", "data", name, NULL);
  g_autoptr (KymoRun) run = open_run (path);

  set_archive (run);
  compare_parts (run);
}
#endif

/* Each message of the made run, on both sides. */
static void
check_messages (const KymoRun *made,
                const KymoRun *back)
{
  for (guint l = 0; l < made->segments->len; l++)
    {
      const KymoSegment *s = made->segments->pdata[l], *t = back->segments->pdata[l];
      const KymoExchange *x = s->exchange, *y = t->exchange;

      g_assert_cmpuint (t->n_blocks, ==, s->n_blocks);
      if (x == NULL)
        {
          g_assert_null (y);
          continue;
        }
      g_assert_cmpmem (x->send_partner, x->n_sends * 4, y->send_partner, y->n_sends * 4);
      g_assert_cmpmem (x->send_tag, x->n_sends * 4, y->send_tag, y->n_sends * 4);
      g_assert_cmpmem (x->send_block, x->n_sends * 4, y->send_block, y->n_sends * 4);
      g_assert_cmpmem (x->send_location, x->n_sends * 4, y->send_location, y->n_sends * 4);
      g_assert_cmpmem (x->send_receive, x->n_sends * 4, y->send_receive, y->n_sends * 4);
      g_assert_cmpmem (s->send_bytes, x->n_sends * 4, t->send_bytes, y->n_sends * 4);
      g_assert_cmpmem (x->receive_partner, x->n_receives * 4,
                       y->receive_partner, y->n_receives * 4);
      g_assert_cmpmem (x->receive_block, x->n_receives * 4, y->receive_block, y->n_receives * 4);
      g_assert_cmpmem (x->receive_send, x->n_receives * 4, y->receive_send, y->n_receives * 4);
      for (guint i = 0; i < x->n_receives; i++)
        g_assert_cmpint (kymo_segment_receive_time (t, i), ==, kymo_segment_receive_time (s, i));
    }
}

static void
test_made (void)
{
  static const ExchangesStory stories[] = {
    { 3, 4, 1, 200, 0, 0 }, { 7, 3, 2, 200, 5, 0 }, { 11, 2, 3, 150, 10, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (stories); i++)
    {
      g_autoptr (Exchanges) exchanges = exchanges_new (&stories[i]);
      g_autoptr (KymoRun) run = make_part (exchanges->run, exchanges->run->span, NULL);

      check_messages (exchanges->run, run);
      compare_parts (run);
    }
}

#ifdef HAVE_OTF2
static void
test_made_archive (void)
{
  static const ExchangesStory story = { 5, 4, 2, 200, 5, 0 };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);

  set_archive (exchanges->run);
  compare_parts (exchanges->run);
}
#endif

/* Functions without length at the begin of the part, in one that ends there. */
static void
test_instant (void)
{
  static const char *const names[] = { "a", "f", "g", "h" };
  static const gint64 begins_us[] = { 0, 10, 50, 50 };
  KymoSegmentBuilder *builder = kymo_segment_builder_new (0, G_N_ELEMENTS (names));
  KymoLocation location = { .label = g_strdup ("rank 0"), .place = -1, .kept = TRUE };
  g_autoptr (KymoRun) run = kymo_run_new ();
  KymoRepairs repairs;

  run->format = g_strdup ("made");
  run->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  run->n_locations_original = 1;
  kymo_segment_builder_set_unit (builder, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, names[i], NULL, NULL);
      kymo_segment_builder_touch (builder, begins_us[i] * 1000);
      kymo_segment_builder_begin_block (builder, begins_us[i] * 1000, i, -1, -1, 0, NULL);
    }
  for (guint i = 1; i < G_N_ELEMENTS (names); i++)
    kymo_segment_builder_end_block (builder, 50000);
  kymo_segment_builder_touch (builder, 100000);
  kymo_segment_builder_end_block (builder, 100000);
  kymo_run_add_location (run, &location, kymo_segment_builder_seal (builder, 1, FALSE, &repairs));
  kymo_segment_builder_free (builder);
  kymo_run_seal (run);
  compare (run, (KymoSpan) { 50000, 100000 }, NULL);
  compare (run, (KymoSpan) { 20000, 50000 }, NULL);
}

/* Ranks and threads of a profile have the figures, numbers and names of the whole. */
static void
test_profile (gconstpointer name)
{
  g_autofree char *path = g_build_filename (root, "tests", "data", "tau", name, NULL);
  g_autoptr (KymoRun) run = open_run (path);
  g_autoptr (GRand) rand = g_rand_new_with_seed (run->locations->len);
  g_autoptr (KymoIdSet) some = random_locations (rand, run);

  compare (run, run->span, NULL);
  compare (run, run->span, some);
}

/* Exclusive time of a function of a location, or of all that compute, as the figures of its files
   say. */
static gint64
add_up (KymoRun *run,
        guint    location,
        guint    function)
{
  const KymoProfileData *data = run->profiles->pdata[run->profiles->len - 1];
  gint metric = kymo_profile_data_find_time (data);
  double unit_ns = g_array_index (data->metrics, KymoProfileMetric, metric).unit_ns;
  gint64 sum = 0;

  for (guint64 r = data->first[location]; r < data->first[location + 1]; r++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent,
                                                      data->event[r]);

      if ((event->flags & KYMO_PROFILE_PATH) == 0
          && (function == G_MAXUINT ? event->role == KYMO_ROLE_COMPUTE
              : data->event[r] == function))
        sum += llrint (data->values[(r * data->metrics->len + metric) * 2] * unit_ns);
    }
  return sum;
}

/* Extrema and what is different, of profiles, against what their figures add up to. */
static void
test_extremes (gconstpointer name)
{
  g_autofree char *path = g_build_filename (root, "tests", "data", "tau", name, NULL);
  g_autoptr (KymoRun) run = open_run (path);
  g_autoptr (KymoQuestion) extrema = kymo_question_new ("extrema");
  g_autoptr (KymoQuestion) explain = kymo_question_new ("explain");
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = NULL, reasons_of = NULL;
  KymoTable *list, *reasons;
  gint64 last = G_MAXINT64;
  guint n = run->locations->len;

  kymo_question_set (extrema, "count", "1000");
  answer = kymo_engine_ask (run, extrema, 1, NULL, &error);
  g_assert_no_error (error);
  list = kymo_table_peek_nested (answer, "extrema", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, n);
  for (guint i = 0; i < n; i++)
    {
      gint64 value = kymo_table_get_int (list, "value_ns", i);
      gint at = kymo_run_find_location (run, kymo_table_get_int (list, "location", i));

      g_assert_cmpint (value, ==, add_up (run, at, G_MAXUINT));
      g_assert_cmpint (value, <=, last);
      last = value;
    }
  kymo_question_set (explain, "of", "1");
  kymo_question_set (explain, "count", "1000");
  reasons_of = kymo_engine_ask (run, explain, 1, NULL, &error);
  g_assert_no_error (error);
  reasons = kymo_table_peek_nested (reasons_of, "reasons", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (reasons), >, 1);
  for (guint i = 0; i < kymo_table_get_n_rows (reasons); i++)
    {
      gint64 sum = 0, function = kymo_table_get_int (reasons, "id", i);

      if (function == KYMO_NULL_INT)
        continue;
      for (guint l = 0; l < n; l++)
        sum += add_up (run, l, function);
      g_assert_cmpint (kymo_table_get_int (reasons, "sum_of_all_ns", i), ==, sum);
      g_assert_cmpint (kymo_table_get_int (reasons, "mean_ns", i), ==,
                       add_up (run, kymo_run_find_location (run, 1), function));
    }
  kymo_question_set (extrema, "by", "grain");
  g_assert_null (kymo_engine_ask (run, extrema, 1, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
}

/* A reduced run answers as the whole does with the same weights. */
static void
test_reduced (void)
{
  g_autofree char *path = g_build_filename (root, "tests", "data", "tau", "trace-mw-8", NULL);
  g_autoptr (KymoRun) run = open_run (path), reduced = NULL;
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  const KymoReducerWish wish = { .clusters = "2", .outliers = "1", .span = run->span };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) choice = kymo_reducer_choose (KYMO_SOURCE (source), &wish, NULL, &error);
  g_autoptr (KymoIdSet) kept = NULL;
  g_auto (KymoExtractResult) result = { NULL };
  Scratch scratch;

  g_assert_no_error (error);
  scratch_up (&scratch, NULL);
  {
    g_autofree char *out = scratch_path (&scratch, "reduced");

    kymo_reducer_write (KYMO_SOURCE (source), path, NULL, choice, out, &result, NULL, &error);
    g_assert_no_error (error);
    reduced = open_run (out);
  }
  scratch_down (&scratch, NULL);
  g_assert_cmpuint (reduced->kind, ==, KYMO_RUN_REDUCED);
  g_assert_cmpuint (reduced->locations->len, ==, result.kept->len);
  g_assert_cmpuint (reduced->locations->len, <, run->locations->len);
  g_assert_nonnull (reduced->reduction);
  g_assert_cmpint (kymo_id_weights_get_sum (reduced->reduction->weights), ==,
                   run->locations->len * KYMO_WEIGHT_ONE);
  kept = kymo_id_set_new_list ((const gint64 *) (gpointer) result.kept->data, result.kept->len);
  for (guint i = 0; i < 2; i++)
    {
      static const char *const kinds[] = { "profile", "time-profile" };
      g_autoptr (KymoQuestion) question = kymo_question_new (kinds[i]);
      g_autoptr (KymoTable) of_reduced = NULL, of_run = NULL;
      guint n, m;
      const gint64 *busy, *expected;

      kymo_question_set_span (question, reduced->span);
      kymo_question_set_locations (question, kept);
      kymo_question_set_weights (question, reduced->reduction->weights);
      of_reduced = kymo_engine_ask (reduced, question, 1, NULL, NULL);
      of_run = kymo_engine_ask (run, question, 1, NULL, NULL);
      busy = kymo_table_peek_ints (of_reduced, i == 0 ? "busy_ns" : "overhead_ns", &n);
      expected = kymo_table_peek_ints (of_run, i == 0 ? "busy_ns" : "overhead_ns", &m);
      g_assert_cmpmem (busy, n * sizeof *busy, expected, m * sizeof *expected);
      g_assert_true (i > 0 || busy[0] > 0);
    }
}

static void
test_refused (void)
{
  g_autofree char *path = g_build_filename (root, "tests", "data", "tau", "trace-mw-8", NULL);
  g_autofree char *inside = g_build_filename (path, "inside", NULL);
  g_autoptr (KymoRun) run = open_run (path);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  const KymoReducerWish empty = { .span = { run->span.end_ns, run->span.end_ns } };
  const gint64 one = 1;
  const KymoPartWish wish = { .path = path, .locations = &one, .n_locations = 1,
                              .span = run->span, .out = inside };
  g_auto (KymoExtractResult) result = { NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (kymo_reducer_choose (KYMO_SOURCE (source), &empty, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
  g_clear_error (&error);
  g_assert_false (kymo_part_write (run, &wish, &result, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_WRITE);
  g_assert_false (g_file_test (inside, G_FILE_TEST_EXISTS));
}

int
main (int   argc,
      char *argv[])
{
  static const char *const names[] = {
    "trace-stencil-4", "trace-threads-2x3", "trace-aborted-3", "trace-clockmetric-4",
    "trace-coll-4", "trace-bigmsg-3", "trace-mw-8", "trace-flush-cut-2",
  };

  static const char *const profiles[] = { "multi-coll-8", "threads-2x5", "phase-8" };

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = argv[1];
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strdup_printf ("/part/%s", names[i]);

      g_test_add_data_func (path, names[i], test_recording);
    }
  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++)
    {
      g_autofree char *path = g_strdup_printf ("/part/%s", profiles[i]);

      g_test_add_data_func (path, profiles[i], test_profile);
    }
  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++)
    {
      g_autofree char *path = g_strdup_printf ("/extremes/%s", profiles[i]);

      g_test_add_data_func (path, profiles[i], test_extremes);
    }
#ifdef HAVE_OTF2
  g_test_add_data_func ("/archive/otf2-stencil-4", "otf2-stencil-4", test_archive);
  g_test_add_data_func ("/archive/trace-mw-8", "tau/trace-mw-8", test_archive);
  g_test_add_data_func ("/archive/trace-threads-2x3", "tau/trace-threads-2x3", test_archive);
  g_test_add_func ("/archive/made", test_made_archive);
#endif
  g_test_add_func ("/part/made", test_made);
  g_test_add_func ("/part/instant", test_instant);
  g_test_add_func ("/part/reduced", test_reduced);
  g_test_add_func ("/part/refused", test_refused);
  return g_test_run ();
}
