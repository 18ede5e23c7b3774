/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The filter of messages: single ones, groups, those of a block and sums are what is left
 * of a random run without it, and tell how much it left out.
 */
#include "config.h"

#include "answer-of-run.h"
#include "random-messages.h"

#define ALL "1000000"

typedef struct { const char *least, *hide; } Filter;

static gboolean
is_in_list (const char *list,
            const char *name)
{
  g_auto (GStrv) names = list != NULL ? g_strsplit (list, ";", -1) : NULL;

  return name != NULL && names != NULL && g_strv_contains ((const char *const *) names, name);
}

/* The name of the block that sent it, looked for in all blocks. */
static const char *
name_of_sender (KymoRun   *run,
                KymoTable *list,
                guint      row)
{
  gint64 sent_ns = kymo_table_get_int (list, "sent_ns", row);
  const KymoSegment *segment;

  if (sent_ns == KYMO_NULL_INT)
    return NULL;
  segment = run->segments->pdata[kymo_table_get_int (list, "from", row)];
  for (guint i = 0; i < segment->n_blocks; i++)
    if (kymo_segment_block_begin (segment, i) <= sent_ns
        && kymo_segment_block_end (segment, i) >= sent_ns)
      return kymo_run_peek_activity (run, segment->block_activity[i])->name;
  return NULL;
}

static gboolean
is_wanted (KymoRun      *run,
           KymoTable    *list,
           guint         row,
           const Filter *filter)
{
  gint64 least = filter->least != NULL ? g_ascii_strtoll (filter->least, NULL, 10) : 0;

  return kymo_table_get_int (list, "bytes", row) >= least
    && !is_in_list (filter->hide, kymo_table_get_string (list, "name", row))
    && !is_in_list (filter->hide, name_of_sender (run, list, row));
}

/* The filtered list is what is wanted of the whole one. Returns its length. */
static guint
check_list (KymoRun      *run,
            KymoTable    *whole,
            KymoTable    *filtered,
            const Filter *filter)
{
  static const char *const keys[] = { "from", "to", "sent_ns", "begin_ns", "bytes" };
  guint n = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (whole); i++)
    if (is_wanted (run, whole, i, filter))
      {
        g_assert_cmpuint (n, <, kymo_table_get_n_rows (filtered));
        for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
          g_assert_cmpint (kymo_table_get_int (whole, keys[k], i), ==,
                           kymo_table_get_int (filtered, keys[k], n));
        n++;
      }
  g_assert_cmpuint (n, ==, kymo_table_get_n_rows (filtered));
  return n;
}

static KymoTable *
ask_filtered (KymoRun      *run,
              const Filter *filter,
              gboolean      crossing,
              gint64        location,
              gint64        time_ns,
              const char   *limit)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");

  kymo_question_set (question, "limit", limit);
  if (crossing)
    kymo_question_set (question, "crossing", "1");
  if (location >= 0)
    {
      kymo_question_set_int (question, "location", location);
      kymo_question_set_int (question, "time", time_ns);
    }
  if (filter->least != NULL)
    kymo_question_set (question, "least-bytes", filter->least);
  if (filter->hide != NULL)
    kymo_question_set (question, "hide", filter->hide);
  return answer_of_run (run, question, 2);
}

static void
check_filter (KymoRun      *run,
              const Filter *filter,
              gboolean      crossing)
{
  static const Filter none = { NULL, NULL };
  g_autoptr (KymoTable) whole = ask_filtered (run, &none, crossing, -1, 0, ALL);
  g_autoptr (KymoTable) some = ask_filtered (run, filter, crossing, -1, 0, ALL);
  g_autoptr (KymoTable) groups = ask_filtered (run, filter, crossing, -1, 0, "0");
  KymoTable *cells = kymo_table_peek_nested (groups, "groups", NULL);
  gint64 sum = 0;
  guint n = check_list (run, kymo_table_peek_nested (whole, "messages", NULL),
                        kymo_table_peek_nested (some, "messages", NULL), filter);

  for (guint i = 0; i < kymo_table_get_n_rows (cells); i++)
    sum += kymo_table_get_int (cells, "count", i);
  g_assert_cmpint (sum, ==, n);
  g_assert_cmpint (kymo_table_get_int (some, "count", 0)
                   + (crossing ? kymo_table_get_int (some, "open", 0) : 0), ==, n);
  if (crossing)
    g_assert_cmpint (kymo_table_get_int (some, "left_out_messages", 0), ==,
                     kymo_table_get_int (whole, "count", 0)
                     - kymo_table_get_int (some, "count", 0));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (n, <, kymo_table_get_n_rows (
    kymo_table_peek_nested (whole, "messages", NULL)));
}

static gint64
count_of_block (const KymoTable *answer)
{
  return kymo_table_get_int (answer, "causes", 0) + kymo_table_get_int (answer, "n_caused", 0);
}

/* They tell how many of them the filter leaves out, too. */
static void
check_filtered_blocks (KymoRun      *run,
                       const Filter *filter)
{
  static const Filter none = { NULL, NULL };
  const KymoSegment *segment = run->segments->pdata[2];
  gint64 left_out = 0;

  for (guint i = 0; i < segment->n_blocks; i++)
    {
      gint64 time_ns = kymo_segment_block_begin (segment, i);
      g_autoptr (KymoTable) whole = ask_filtered (run, &none, FALSE, 2, time_ns, ALL);
      g_autoptr (KymoTable) some = ask_filtered (run, filter, FALSE, 2, time_ns, ALL);

      check_list (run, kymo_table_peek_nested (whole, "messages", NULL),
                  kymo_table_peek_nested (some, "messages", NULL), filter);
      g_assert_cmpint (kymo_table_get_int (some, "n_caused", 0), ==,
                       check_list (run, kymo_table_peek_nested (whole, "caused", NULL),
                                   kymo_table_peek_nested (some, "caused", NULL), filter));
      g_assert_cmpint (kymo_table_get_int (some, "left_out_messages", 0), ==,
                       count_of_block (whole) - count_of_block (some));
      g_assert_cmpint (kymo_table_find_column (some, "hidden_names") >= 0, ==,
                       filter->hide != NULL);
      g_assert_cmpint (kymo_table_find_column (some, "least_bytes") >= 0, ==,
                       filter->least != NULL);
      g_assert_cmpint (kymo_table_find_column (whole, "left_out_messages"), <, 0);
      left_out += kymo_table_get_int (some, "left_out_messages", 0);
    }
  g_assert_cmpint (left_out, >, 0);
}

/* Sums go by the filter of single messages, and tell how many it left out. */
static void
check_filtered_sums (KymoRun      *run,
                     const Filter *filter)
{
  static const char *const kinds[] = { "communication", "communication-time",
                                       "communication-locations", "call-table" };
  g_autoptr (KymoTable) some = ask_filtered (run, filter, FALSE, -1, 0, ALL);
  gint64 count = kymo_table_get_int (some, "count", 0);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoQuestion) plain = kymo_question_new (kinds[i]);
      g_autoptr (KymoQuestion) question = kymo_question_new (kinds[i]);
      g_autoptr (KymoTable) all = NULL, answer = NULL;

      kymo_question_set (plain, "join", "1");
      kymo_question_set (question, "join", "1");
      if (filter->least != NULL)
        kymo_question_set (question, "least-bytes", filter->least);
      if (filter->hide != NULL)
        kymo_question_set (question, "hide", filter->hide);
      all = answer_of_run (run, plain, 2);
      answer = answer_of_run (run, question, 2);
      g_assert_cmpint (kymo_table_get_int (answer, "messages", 0), ==, count);
      g_assert_cmpint (kymo_table_get_int (answer, "left_out_messages", 0), ==,
                       kymo_table_get_int (some, "left_out_messages", 0));
      g_assert_cmpint (count + kymo_table_get_int (answer, "left_out_messages", 0), ==,
                       kymo_table_get_int (all, "messages", 0));
      g_assert_cmpint (kymo_table_get_int (answer, "bytes", 0)
                       + kymo_table_get_int (answer, "left_out_bytes", 0), ==,
                       kymo_table_get_int (all, "bytes", 0));
      g_assert_cmpint (kymo_table_find_column (all, "left_out_messages"), <, 0);
    }
}

/* Small ones, and what names that are hidden send or receive. */
static void
test_filter (void)
{
  static const Filter filters[] =
    { { "90", NULL }, { "500", NULL }, { NULL, "entry 1" }, { NULL, "none such;entry 3" },
      { "100", "entry 0;entry 2" } };
  g_autoptr (KymoRun) run = random_messages ();

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      check_filter (run, &filters[i], FALSE);
      check_filter (run, &filters[i], TRUE);
      check_filtered_blocks (run, &filters[i]);
      check_filtered_sums (run, &filters[i]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/messages-filter/filter", test_filter);
  return g_test_run ();
}
