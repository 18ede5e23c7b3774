/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages over time, by location and between functions, and pages of records, of random
 * runs whose functions exchange messages: sums are the totals of the matrix, what was in
 * flight is what the records say one by one, and pages put together are the whole list.
 * (What blocks send and run: property/answers.py.)
 */
#include "config.h"

#include "exchanges.h"
#include "kymo-engine.h"

#define N_RANGES 6

static const ExchangesStory stories[] = {
  { 1, 4, 1, 200, 0, 0 },
  { 2, 5, 1, 300, 6, 0 },
  { 3, 3, 3, 300, 6, 0 },
  { 4, 1, 1, 50, 10, 0 },
  { 5, 6, 2, 400, 2, 300000 },
};

/* One part of a run that is asked for: a range, and some or all locations. */
typedef struct
{
  const Exchanges *exchanges;
  KymoSpan         span;
  KymoIdSet       *locations;   /* NULL = all */
} Part;

static KymoTable *
ask_with (const Part *part,
          const char *kind,
          const char *const *keywords,
          guint       n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, part->span);
  kymo_question_set_locations (question, part->locations);
  for (guint i = 0; keywords != NULL && keywords[i] != NULL; i += 2)
    kymo_question_set (question, keywords[i], keywords[i + 1]);
  answer = kymo_engine_ask (part->exchanges->run, question, n_threads, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

#define ASK(part, kind, ...) \
  ask_with ((part), (kind), (const char *const[]) { __VA_ARGS__ __VA_OPT__ (,) NULL }, 1)

static const ExchangesEnd *
end_at (const GArray *ends,
        guint         i)
{
  return &g_array_index (ends, ExchangesEnd, i);
}

typedef void (*TestPart) (const Part *part);

static void
for_each_part (TestPart test)
{
  for (guint s = 0; s < G_N_ELEMENTS (stories); s++)
    {
      g_autoptr (Exchanges) exchanges = exchanges_new (&stories[s]);
      g_autoptr (GRand) rand = g_rand_new_with_seed (s);
      g_autoptr (KymoIdSet) some = kymo_id_set_parse ("0,2-3", NULL);
      KymoSpan whole = exchanges->run->span;

      test (&(Part) { exchanges, KYMO_SPAN_ALL, NULL });
      test (&(Part) { exchanges, KYMO_SPAN_ALL, some });
      for (guint i = 0; i < N_RANGES; i++)
        {
          gint64 begin_ns = g_rand_double (rand) * whole.end_ns;
          gint64 end_ns = begin_ns + g_rand_double (rand) * (whole.end_ns - begin_ns);

          test (&(Part) { exchanges, { begin_ns, MAX (end_ns, begin_ns + 1) },
                          i % 2 == 0 ? NULL : some });
        }
    }
}

/* -- over time, by location, between functions ----------------------------------- */

static gint64
sum_of (KymoTable  *table,
        const char *key)
{
  guint width = 0;
  const gint64 *values = kymo_table_peek_ints (table, key, &width);
  gint64 sum = 0;

  for (gsize i = 0; values != NULL && i < (gsize) width * kymo_table_get_n_rows (table); i++)
    sum += values[i];
  return sum;
}

/* How long matched messages to the asked locations were under way in the range. */
static gint64
flight_of (const Part *part,
           KymoSpan    asked)
{
  const GArray *receives = part->exchanges->receives;
  gint64 ns = 0;

  for (guint i = 0; i < receives->len; i++)
    {
      const ExchangesEnd *end = end_at (receives, i);

      if (end->other < 0
          || (part->locations != NULL && !kymo_id_set_contains (part->locations, end->location)))
        continue;
      ns += MAX (MIN (end->time_ns, asked.end_ns)
                 - MAX (end_at (part->exchanges->sends, end->other)->time_ns, asked.begin_ns), 0);
    }
  return ns;
}

static void
check_traffic (const Part *part)
{
  g_autoptr (KymoTable) whole = ASK (part, "communication");
  g_autoptr (KymoTable) time = ASK (part, "communication-time");
  g_autoptr (KymoTable) places = ASK (part, "communication-locations");
  g_autoptr (KymoTable) table = ASK (part, "call-table");
  KymoTable *series = kymo_table_peek_nested (time, "series", NULL);
  KymoTable *rows = kymo_table_peek_nested (places, "rows", NULL);
  KymoTable *calls = kymo_table_peek_nested (table, "calls", NULL);
  KymoTable *sent = kymo_table_peek_nested (whole, "sent", NULL);
  KymoTable *const answers[] = { time, places, table };
  KymoSpan span = { kymo_table_get_int (time, "begin_ns", 0),
                    kymo_table_get_int (time, "end_ns", 0) };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      static const char *const keys[] = { "messages", "bytes", "matched", "unmatched" };

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        g_assert_cmpint (kymo_table_get_int (answers[i], keys[k], 0), ==,
                         kymo_table_get_int (whole, keys[k], 0));
      g_assert_cmpint (kymo_table_get_int (answers[i], "sent_messages", 0), ==,
                       sum_of (sent, "destinations"));
      g_assert_cmpint (kymo_table_get_int (answers[i], "sent_bytes", 0), ==,
                       sum_of (sent, "bytes"));
    }
  g_assert_cmpint (sum_of (series, "received_messages"), ==, sum_of (calls, "messages"));
  g_assert_cmpint (sum_of (series, "received_bytes"), ==, kymo_table_get_int (whole, "bytes", 0));
  g_assert_cmpint (sum_of (series, "sent_bytes"), ==, sum_of (calls, "sent_bytes"));
  g_assert_cmpint (sum_of (series, "in_flight_ns"), ==, flight_of (part, span));
  g_assert_cmpint (sum_of (rows, "received_bytes"), ==, sum_of (calls, "bytes"));
  g_assert_cmpint (sum_of (rows, "unknown_messages"), ==,
                   kymo_table_get_int (whole, "unknown_source", 0));
  for (guint i = 0; i < kymo_table_get_n_rows (calls); i++)
    {
      const char *from = kymo_table_get_string (calls, "from", i);

      g_assert_cmpstr (from, ==, kymo_table_get_int (calls, "sent_messages", i) == 0
                       && g_str_equal (from, "(unknown)") ? "(unknown)" : "MPI_Send()");
    }
}

static void
test_traffic (void)
{
  for_each_part (check_traffic);
}

/* -- what is left out ------------------------------------------------------------- */

/* "hide" as a list, and the one function that it names; -1 = none. */
typedef struct
{
  gint64      least_bytes;
  gint64      tag;              /* -1 = any */
  const char *hide;
  gint        hidden;
} Filter;

typedef struct
{
  gint64 messages, bytes, left_out, left_out_bytes;
} Count;

static gboolean
is_wanted (const Filter       *filter,
           const ExchangesEnd *end,
           const GArray       *others)
{
  return end->bytes >= filter->least_bytes && (filter->tag < 0 || end->tag == filter->tag)
    && (gint) end->activity != filter->hidden
    && (end->other < 0 || (gint) end_at (others, end->other)->activity != filter->hidden);
}

/* One record after the other. */
static Count
count_ends (const Part   *part,
            KymoSpan      asked,
            const Filter *filter,
            const GArray *ends,
            const GArray *others)
{
  Count count = { 0 };

  for (guint i = 0; i < ends->len; i++)
    {
      const ExchangesEnd *end = end_at (ends, i);
      gboolean wanted = is_wanted (filter, end, others);

      if (end->time_ns < asked.begin_ns || end->time_ns >= asked.end_ns
          || (part->locations != NULL && !kymo_id_set_contains (part->locations, end->location)))
        continue;
      *(wanted ? &count.messages : &count.left_out) += 1;
      *(wanted ? &count.bytes : &count.left_out_bytes) += end->bytes;
    }
  return count;
}

static void
check_left_out (const Part   *part,
                const Filter *filter)
{
  static const char *const kinds[] = { "communication", "communication-time",
                                       "communication-locations", "call-table" };
  g_autofree char *least = g_strdup_printf ("%" G_GINT64_FORMAT, filter->least_bytes);
  g_autofree char *tag = g_strdup_printf ("%" G_GINT64_FORMAT, filter->tag);
  const char *const keywords[] = { "least-bytes", least, "hide", filter->hide,
                                   filter->tag >= 0 ? "tag" : NULL, tag, NULL };
  const Exchanges *x = part->exchanges;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoTable) answer = ask_with (part, kinds[i], keywords, 1 + i % 2);
      KymoTable *list = kymo_table_peek_nested (answer, "sent", NULL);
      KymoSpan asked = { kymo_table_get_int (answer, "begin_ns", 0),
                         kymo_span_is_all (part->span) ? G_MAXINT64
                         : kymo_table_get_int (answer, "end_ns", 0) };
      Count in = count_ends (part, asked, filter, x->receives, x->sends);
      Count out = count_ends (part, asked, filter, x->sends, x->receives);
      gint64 sent = list != NULL ? sum_of (list, "destinations")
        : kymo_table_get_int (answer, "sent_messages", 0);

      g_assert_cmpint (kymo_table_get_int (answer, "messages", 0), ==, in.messages);
      g_assert_cmpint (kymo_table_get_int (answer, "bytes", 0), ==, in.bytes);
      g_assert_cmpint (kymo_table_get_int (answer, "left_out_messages", 0), ==, in.left_out);
      g_assert_cmpint (kymo_table_get_int (answer, "left_out_bytes", 0), ==, in.left_out_bytes);
      g_assert_cmpint (sent, ==, out.messages);
      g_assert_cmpint (kymo_table_get_int (answer, "left_out_sent_messages", 0), ==,
                       out.left_out);
      g_assert_cmpint (kymo_table_get_int (answer, "left_out_sent_bytes", 0), ==,
                       out.left_out_bytes);
    }
}

/* What is told and what is left out is what the records say, and together all there is. */
static void
check_filters (const Part *part)
{
  static const Filter filters[] = {
    { 1, -1, "", -1 }, { 500, -1, "", -1 }, { 0, 1, "", -1 }, { 100, 2, "", -1 },
    { 0, -1, "MPI_Send()", EXCHANGES_SEND },
    { 200, -1, "none \\; such;MPI_Recv()", EXCHANGES_RECEIVE },
    { 0, 0, "main;MPI_Recv()", EXCHANGES_RECEIVE },
    { G_MAXINT64, -1, "", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    check_left_out (part, &filters[i]);
}

static void
test_filters (void)
{
  for_each_part (check_filters);
}

/* -- records in pages ------------------------------------------------------------- */

/* Pages put together are the whole list; "at" tells the number of the first record that is
   not before a time; a filter leaves what it names. */
static void
check_pages (const Part *part)
{
  g_autoptr (KymoTable) whole = ASK (part, "events", "limit", "100000");
  g_autoptr (KymoTable) sends = ASK (part, "events", "limit", "100000", "kinds", "send");
  g_autoptr (KymoTable) named = ASK (part, "events", "limit", "100000", "text", "mpi_recv");
  KymoTable *all = kymo_table_peek_nested (whole, "events", NULL);
  guint n = kymo_table_get_n_rows (all), n_sends = 0, n_named = 0;

  g_assert_cmpint (kymo_table_get_int (whole, "total", 0), ==, n);
  for (guint first = 0; first < n; first += 97)
    {
      g_autofree char *number = g_strdup_printf ("%u", first);
      g_autofree char *time = g_strdup_printf (
        "%" G_GINT64_FORMAT, kymo_table_get_int (all, "time_ns", first));
      g_autoptr (KymoTable) page = ASK (part, "events", "limit", "97", "first", number);
      g_autoptr (KymoTable) from = ASK (part, "events", "limit", "1", "at", time);
      KymoTable *list = kymo_table_peek_nested (page, "events", NULL);
      gint64 at = kymo_table_get_int (from, "first", 0);

      g_assert_cmpint (kymo_table_get_int (page, "first", 0), ==, first);
      g_assert_cmpuint (kymo_table_get_n_rows (list), ==, MIN (n - first, 97));
      for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
        {
          g_assert_cmpint (kymo_table_get_int (list, "time_ns", i), ==,
                           kymo_table_get_int (all, "time_ns", first + i));
          g_assert_cmpstr (kymo_table_get_string (list, "text", i), ==,
                           kymo_table_get_string (all, "text", first + i));
        }
      g_assert_cmpint (at, <=, first);
      g_assert_cmpint (kymo_table_get_int (all, "time_ns", at), ==,
                       kymo_table_get_int (all, "time_ns", first));
      g_assert_true (at == 0 || kymo_table_get_int (all, "time_ns", at - 1)
                     < kymo_table_get_int (all, "time_ns", first));
    }
  for (guint i = 0; i < n; i++)
    {
      n_sends += g_str_equal (kymo_table_get_string (all, "kind", i), "send");
      n_named += g_strcmp0 (kymo_table_get_string (all, "name", i), "MPI_Recv()") == 0;
    }
  g_assert_cmpint (kymo_table_get_int (sends, "total", 0), ==, n_sends);
  g_assert_cmpint (kymo_table_get_int (named, "total", 0), ==, n_named);
}

/* From each anchor on any page is that of the whole list, whatever the filter is. */
static void
check_anchors (const Part *part, const char *key, const char *value)
{
  g_autoptr (KymoTable) whole = ASK (part, "events", "limit", "100000", "anchors", "7", key, value);
  KymoTable *all = kymo_table_peek_nested (whole, "events", NULL);
  KymoTable *anchors = kymo_table_peek_nested (whole, "anchors", NULL);
  guint n = kymo_table_get_n_rows (all);

  g_assert_cmpuint (kymo_table_get_n_rows (anchors), ==, (n + 6) / 7);
  for (guint i = 0; i < kymo_table_get_n_rows (anchors); i++)
    {
      g_autofree char *time = g_strdup_printf ("%" G_GINT64_FORMAT,
                                               kymo_table_get_int (anchors, "time_ns", i));
      g_autofree char *same = g_strdup_printf ("%" G_GINT64_FORMAT,
                                               kymo_table_get_int (anchors, "same", i) + i % 3);
      g_autoptr (KymoTable) page = ASK (part, "events", "limit", "5", "at", time, "first", same,
                                        "brief", "1", key, value);
      KymoTable *list = kymo_table_peek_nested (page, "events", NULL);
      guint first = 7 * i + i % 3;

      g_assert_cmpint (kymo_table_find_column (page, "total"), <, 0);
      g_assert_cmpuint (kymo_table_get_n_rows (list), ==, MIN (5, n - MIN (n, first)));
      for (guint k = 0; k < kymo_table_get_n_rows (list); k++)
        {
          g_assert_cmpint (kymo_table_get_int (list, "time_ns", k), ==,
                           kymo_table_get_int (all, "time_ns", first + k));
          g_assert_cmpstr (kymo_table_get_string (list, "text", k), ==,
                           kymo_table_get_string (all, "text", first + k));
        }
    }
}

static guint n_single;

static void
check_single (const Part *part)
{
  if (part->locations != NULL || part->exchanges->run->locations->len > 1)
    return;
  n_single++;
  check_anchors (part, "kinds", "");
  check_anchors (part, "kinds", "send,block");
  check_anchors (part, "text", "mpi_recv");
}

/* Of one location a page may begin anywhere, also behind the end. */
static void
check_beyond (const Part *part)
{
  static const char most[] = "9223372036854775807";

  if (part->locations != NULL || part->exchanges->run->locations->len > 1)
    return;
  for (guint tail = 0; tail < 2; tail++)
    {
      g_autoptr (KymoTable) page = ASK (part, "events", "first", most, "at", "1",
                                        tail ? "tail" : "kinds", tail ? "1" : "");
      gint64 first = tail ? 0 : kymo_table_get_int (page, "total", 0);

      g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (page, "events", NULL)),
                        ==, 0);
      g_assert_cmpint (kymo_table_get_int (page, "first", 0), ==, first);
    }
}

static void
test_pages (void)
{
  for_each_part (check_pages);
  for_each_part (check_beyond);
  for_each_part (check_single);
  g_assert_cmpuint (n_single, >, 0);
}

/* -- sizes ------------------------------------------------------------------ */

/* The series of a picture: how many, what the last one is called, and messages of all. */
static void
check_series (guint n_tags, guint n_comms, guint n_series, const char *last)
{
  const ExchangesStory story = { 7, 4, 1, 600, 0, 0, n_tags, n_comms };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);
  g_autoptr (KymoTable) answer
    = ASK ((&(Part) { exchanges, KYMO_SPAN_ALL, NULL }), "message-sizes");
  KymoTable *series = kymo_table_peek_nested (answer, "series", NULL);
  guint n = 0;
  const gint64 *values = kymo_table_peek_ints (series, "values", &n);
  gint64 sum = 0;

  for (guint i = 0; i < n * kymo_table_get_n_rows (series); i++)
    sum += values[i];
  g_assert_cmpint (sum, ==, kymo_table_get_int (answer, "messages", 0));
  g_assert_cmpint (sum, >, 0);
  g_assert_cmpuint (kymo_table_get_n_rows (series), ==, n_series);
  g_assert_true (g_str_has_prefix (kymo_table_get_string (series, "name", n_series - 1), last));
}

/* Of many tags communicators are told apart; of one communicator the largest tags. */
static void
test_series (void)
{
  check_series (8, 0, 8, "tag ");
  check_series (40, 0, 10, "other tags");
  check_series (8, 3, 8, "tag ");
  check_series (40, 1, 10, "other tags");
  check_series (40, 3, 3, "all tags, ");
  check_series (60, 20, 10, "(others)");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traffic/series", test_series);
  g_test_add_func ("/traffic/filters", test_filters);
  g_test_add_func ("/traffic/sums", test_traffic);
  g_test_add_func ("/traffic/pages", test_pages);
  return g_test_run ();
}
