/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a second of a recorded job: what a program tells, and what it should not.
 */
#include <string.h>

#include "kymo-stream-journal.h"
#include "kymo-stream-values.h"

static const char told[] =
  "second 17\nprocesses 3 4\nload ppm 3 1500000 400000 2 600000 0\n"
  "message-bytes B 1 -5 -5 1 -5 1\nwhat is this\nidlest 2 400000 1 500000 0 600000\n"
  "busiest 0 600000 1 500000 2 400000\n";

static void
test_whole (void)
{
  KymoStreamValues values;
  const KymoStreamValue *load;
  g_autofree char *mean = NULL;

  g_assert_true (kymo_stream_values_parse (&values, told, strlen (told)));
  g_assert_cmpint (values.second, ==, 17);
  g_assert_cmpuint (values.n_processes, ==, 3);
  g_assert_cmpuint (values.n_all, ==, 4);
  g_assert_cmpuint (values.n_values, ==, 2);
  load = kymo_stream_values_find (&values, KYMO_STREAM_LOAD);
  g_assert_nonnull (load);
  g_assert_cmpint (load->sum, ==, 1500000);
  g_assert_cmpint (load->least_rank, ==, 2);
  g_assert_cmpint (load->most, ==, 600000);
  mean = kymo_stream_value_format (load, (double) load->sum / load->n);
  g_assert_cmpstr (mean, ==, "50.0 %");
  g_assert_null (kymo_stream_values_find (&values, "memory"));
  g_assert_cmpuint (values.n_idlest, ==, 3);
  g_assert_cmpint (values.idlest[0].rank, ==, 2);
  g_assert_cmpint (values.busiest[0].load, ==, 600000);
}

/* Every end of the text is bounded, and so is what comes of it. */
static void
test_cut (void)
{
  for (gsize n = 0; n <= strlen (told); n++)
    {
      g_autofree char *end = g_memdup2 (told, MAX (n, 1));
      KymoStreamValues values;

      kymo_stream_values_parse (&values, end, n);
      g_assert_cmpuint (values.n_values, <=, 2);
    }
}

static void
test_hostile (void)
{
  g_autoptr (GString) text = g_string_new ("second 1\nsecond x\n");
  KymoStreamValues values;

  g_assert_false (kymo_stream_values_parse (&values, text->str, text->len));
  g_string_assign (text, "second 2\n");
  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "v%u B 1 1 1 1 1 1\n", i);
  g_string_append (text, "busiest");
  for (guint i = 0; i < 200; i++)
    g_string_append (text, " 1 2");
  g_assert_true (kymo_stream_values_parse (&values, text->str, text->len));
  g_assert_cmpuint (values.n_values, ==, KYMO_STREAM_MOST_VALUES);
  g_assert_cmpuint (values.n_busiest, <=, KYMO_STREAM_MOST_EXTREMES);
  g_string_assign (text, "second 2\nload ppm 0 1 1 1 1 1\nload ppm 1 99999999999999999999 1 1 1 1\n"
                   "a-name-that-is-longer-than-any-value-has B 1 1 1 1 1 1\n B 1 1 1 1 1 1\n");
  g_assert_true (kymo_stream_values_parse (&values, text->str, text->len));
  g_assert_cmpuint (values.n_values, ==, 0);
}

/* The last seconds stay, a second that comes again replaces what came after it, and no figure is
   beyond a second. */
static void
test_loads (void)
{
  KymoStreamJournal journal;
  KymoStreamLog *log;
  const KymoStreamLoad *load;

  kymo_stream_journal_init (&journal);
  for (guint i = 0; i < 2 * KYMO_STREAM_MAX_LOADS; i++)
    {
      g_autofree char *text = g_strdup_printf (
        "second %u\nprocesses 2 2\nload ppm 2 1000000 %u 1 900000 0\n", i, i);

      kymo_stream_journal_values (&journal, text);
    }
  kymo_stream_journal_values (&journal, "second 700\nprocesses 2 2\n");
  log = kymo_stream_journal_make_log (&journal, 0, TRUE);
  g_assert_cmpuint (log->loads->len, ==, KYMO_STREAM_MAX_LOADS);
  load = &g_array_index (log->loads, KymoStreamLoad, 0);
  g_assert_cmpint (load->second, ==, KYMO_STREAM_MAX_LOADS);
  g_assert_cmpint (load->least, ==, KYMO_STREAM_MAX_LOADS);
  g_assert_cmpint (load->delay_ns, ==, -1);
  kymo_stream_log_unref (log);
  kymo_stream_journal_values (&journal, "second 700\nprocesses 2 2\nload ppm 2 9223372036854775807 "
                              "-1 1 9223372036854775807 0\n"
                              "run-delay ns 1 500 500 1 9223372036854775807 1\n");
  log = kymo_stream_journal_make_log (&journal, 0, TRUE);
  kymo_stream_journal_clear (&journal);
  g_assert_cmpuint (log->loads->len, ==, 700 - KYMO_STREAM_MAX_LOADS + 1);
  load = &g_array_index (log->loads, KymoStreamLoad, log->loads->len - 1);
  g_assert_cmpint (load->mean, ==, 1000000);
  g_assert_cmpint (load->least, ==, 0);
  g_assert_cmpint (load->most, ==, 1000000);
  g_assert_cmpint (load->delay_ns, ==, 500);
  g_assert_cmpint (load->most_delay_ns, ==, G_GINT64_CONSTANT (1000000000));
  kymo_stream_log_unref (log);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream-values/whole", test_whole);
  g_test_add_func ("/stream-values/loads", test_loads);
  g_test_add_func ("/stream-values/cut", test_cut);
  g_test_add_func ("/stream-values/hostile", test_hostile);
  return g_test_run ();
}
