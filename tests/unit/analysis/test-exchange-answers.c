/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions about messages between functions, against a count of the records one by
 * one: random runs, of one thread a rank and of several, whole and in part.
 */
#include "config.h"

#include "exchange-parts.h"

/* -- communication ----------------------------------------------------------- */

static gint64
cell_of (KymoTable  *matrix,
         gint64      from,
         gint64      to,
         const char *column)
{
  for (guint i = 0; i < kymo_table_get_n_rows (matrix); i++)
    if (kymo_table_get_int (matrix, "from", i) == from
        && kymo_table_get_int (matrix, "to", i) == to)
      return kymo_table_get_int (matrix, column, i);
  return 0;
}

static void
check_cells (const Part *part,
             KymoTable  *matrix)
{
  const GArray *receives = part->exchanges->receives;

  for (gint64 from = 0; from < 6; from++)
    for (gint64 to = 0; to < 6; to++)
      {
        gint64 messages = 0, bytes = 0;

        for (guint i = 0; i < receives->len; i++)
          if (part_has (part, end_at (receives, i)) && end_at (receives, i)->partner == from
              && end_at (receives, i)->rank == to)
            {
              messages++;
              bytes += end_at (receives, i)->bytes;
            }
        g_assert_cmpint (cell_of (matrix, from, to, "messages"), ==, messages);
        g_assert_cmpint (cell_of (matrix, from, to, "bytes"), ==, bytes);
      }
}

static void
check_sent (const Part *part,
            KymoTable  *table)
{
  const GArray *sends = part->exchanges->sends;

  for (guint row = 0; row < kymo_table_get_n_rows (table); row++)
    {
      gint64 records = 0, bytes = 0;

      for (guint i = 0; i < sends->len; i++)
        if (part_has (part, end_at (sends, i))
            && end_at (sends, i)->location == kymo_table_get_int (table, "location", row))
          {
            records++;
            bytes += end_at (sends, i)->bytes;
          }
      g_assert_cmpint (kymo_table_get_int (table, "records", row), ==, records);
      g_assert_cmpint (kymo_table_get_int (table, "destinations", row), ==, records);
      g_assert_cmpint (kymo_table_get_int (table, "bytes", row), ==, bytes);
    }
}

static void
check_communication (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "communication");
  const GArray *receives = part->exchanges->receives;
  gint64 messages = 0, matched = 0, bytes = 0;

  for (guint i = 0; i < receives->len; i++)
    if (part_has (part, end_at (receives, i)))
      {
        messages++;
        matched += end_at (receives, i)->other >= 0;
        bytes += end_at (receives, i)->bytes;
      }
  g_assert_cmpint (kymo_table_get_int (answer, "messages", 0), ==, messages);
  g_assert_cmpint (kymo_table_get_int (answer, "matched", 0), ==, matched);
  g_assert_cmpint (kymo_table_get_int (answer, "unmatched", 0), ==, messages - matched);
  g_assert_cmpint (kymo_table_get_int (answer, "bytes", 0), ==, bytes);
  g_assert_cmpstr (kymo_table_get_string (answer, "row_term", 0), ==, "rank");
  check_cells (part, kymo_table_peek_nested (answer, "matrix", NULL));
  check_sent (part, kymo_table_peek_nested (answer, "sent", NULL));
}

static void
test_communication (void)
{
  for_each_part (check_communication);
}

/* -- messages ---------------------------------------------------------------- */

static void
check_message (const Part *part,
               KymoTable  *table,
               guint       row)
{
  const Exchanges *exchanges = part->exchanges;
  guint n = 0;

  for (guint i = 0; i < exchanges->receives->len; i++)
    {
      const ExchangesEnd *receive = end_at (exchanges->receives, i);
      const ExchangesEnd *send = receive->other >= 0 ? end_at (exchanges->sends, receive->other)
        : NULL;

      if (kymo_table_get_int (table, "to_location", row) != receive->location
          || kymo_table_get_int (table, "begin_ns", row) != receive->time_ns)
        continue;
      n++;
      g_assert_true (part_has (part, receive));
      g_assert_cmpint (kymo_table_get_int (table, "from", row), ==, receive->partner);
      g_assert_cmpint (kymo_table_get_int (table, "to", row), ==, receive->rank);
      g_assert_cmpint (kymo_table_get_int (table, "bytes", row), ==, receive->bytes);
      g_assert_cmpint (kymo_table_get_int (table, "sent_ns", row), ==,
                       send != NULL ? send->time_ns : KYMO_NULL_INT);
      g_assert_cmpint (kymo_table_get_int (table, "from_location", row), ==,
                       send != NULL ? send->location : KYMO_NULL_INT);
      g_assert_cmpint (kymo_table_get_bool (table, "certain", row), ==, send != NULL);
      g_assert_cmpstr (kymo_table_get_string (table, "name", row), ==, "MPI_Recv()");
    }
  g_assert_cmpuint (n, ==, 1);
}

static void
check_messages (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "messages", "limit", "100000");
  g_autoptr (KymoTable) grouped = ASK (part, "messages", "limit", "0");
  KymoTable *table = kymo_table_peek_nested (answer, "messages", NULL);
  KymoTable *groups = kymo_table_peek_nested (grouped, "groups", NULL);
  gint64 n = 0, n_grouped = 0;

  for (guint i = 0; i < part->exchanges->receives->len; i++)
    n += part_has (part, end_at (part->exchanges->receives, i));
  g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, n);
  g_assert_cmpuint (kymo_table_get_n_rows (table), ==, n);
  for (guint row = 0; row < n; row++)
    {
      check_message (part, table, row);
      if (row > 0)
        g_assert_cmpint (kymo_table_get_int (table, "begin_ns", row), >=,
                         kymo_table_get_int (table, "begin_ns", row - 1));
    }
  for (guint row = 0; groups != NULL && row < kymo_table_get_n_rows (groups); row++)
    n_grouped += kymo_table_get_int (groups, "count", row);
  g_assert_cmpint (n_grouped, ==, n);
}

/* Of one tag, and as large as the first message at least. */
static void
check_filter (const Part *part)
{
  gint64 least = end_at (part->exchanges->receives, 0)->bytes;
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, least);
  g_autoptr (KymoTable) tagged = ASK (part, "messages", "limit", "100000", "tag", "0");
  g_autoptr (KymoTable) large = ASK (part, "messages", "limit", "100000", "tag", "2",
                                     "least-bytes", text);
  gint64 n_tagged = 0, n_large = 0;

  for (guint i = 0; i < part->exchanges->receives->len; i++)
    {
      const ExchangesEnd *receive = end_at (part->exchanges->receives, i);

      n_tagged += part_has (part, receive) && receive->tag == 0;
      n_large += part_has (part, receive) && receive->tag == 2 && receive->bytes >= least;
    }
  g_assert_cmpint (kymo_table_get_int (tagged, "count", 0), ==, n_tagged);
  g_assert_cmpint (kymo_table_get_int (large, "count", 0), ==, n_large);
}

static void
test_messages (void)
{
  for_each_part (check_messages);
  for_each_part (check_filter);
}

/* -- sizes, extrema ------------------------------------------------------------ */

static void
check_sizes (const Part *part)
{
  g_autoptr (KymoTable) answer = ASK (part, "histogram", "of", "message-size", "scale", "log",
                                      "min", "8", "max", "65536", "bins", "13");
  KymoTable *total = kymo_table_peek_nested (answer, "total", NULL);
  const gint64 *edges = kymo_table_peek_ints (answer, "edges", NULL);
  const gint64 *bars = kymo_table_peek_ints (answer, "total", NULL);
  gint64 below = 0, above = 0, inside[13] = { 0 };

  g_assert_null (total);
  for (guint i = 0; i < part->exchanges->sends->len; i++)
    {
      const ExchangesEnd *send = end_at (part->exchanges->sends, i);

      if (!part_has (part, send))
        continue;
      below += send->bytes < 8;
      above += send->bytes >= 65536;
      for (guint k = 0; k < 13; k++)
        inside[k] += send->bytes >= edges[k] && send->bytes < edges[k + 1];
    }
  g_assert_cmpint (kymo_table_get_int (answer, "below", 0), ==, below);
  g_assert_cmpint (kymo_table_get_int (answer, "above", 0), ==, above);
  g_assert_cmpmem (bars, sizeof inside, inside, sizeof inside);
}

static void
test_sizes (void)
{
  for_each_part (check_sizes);
}

static void
check_extremum (const Part   *part,
                const char   *by,
                const char   *key,
                const GArray *ends,
                gboolean      bytes)
{
  g_autoptr (KymoTable) answer = ASK (part, "extrema", "by", by, "count", "100", "stacked", "1");
  KymoTable *list = kymo_table_peek_nested (answer, "extrema", NULL);
  const guint *offsets;
  KymoTable *parts = kymo_table_peek_nested (list, "parts", &offsets);

  g_assert_cmpuint (kymo_table_get_n_rows (list), >, 0);
  for (guint row = 0; row < kymo_table_get_n_rows (list); row++)
    {
      gint64 sum = 0, of_parts = 0;

      for (guint i = 0; i < ends->len; i++)
        if (part_has (part, end_at (ends, i))
            && end_at (ends, i)->location == kymo_table_get_int (list, "location", row))
          sum += bytes ? end_at (ends, i)->bytes : 1;
      g_assert_cmpint (kymo_table_get_int (list, key, row), ==, sum);
      for (guint k = offsets[row]; k < offsets[row + 1]; k++)
        of_parts += kymo_table_get_int (parts, "value", k);
      g_assert_cmpint (of_parts, ==, sum);
    }
}

static void
check_extrema (const Part *part)
{
  if (part->exchanges->run->locations->len < 2)
    return;
  check_extremum (part, "sent", "value", part->exchanges->sends, FALSE);
  check_extremum (part, "received", "value", part->exchanges->receives, FALSE);
  check_extremum (part, "bytes-sent", "value_bytes", part->exchanges->sends, TRUE);
  check_extremum (part, "bytes-received", "value_bytes", part->exchanges->receives, TRUE);
}

static void
test_extrema (void)
{
  for_each_part (check_extrema);
}

/* -- any number of threads -------------------------------------------------------- */

static void
test_threads (void)
{
  static const ExchangesStory story = { 9, 6, 2, 7000, 1, 0 };
  static const struct { const char *kind; const char *keywords[5]; } kinds[] = {
    { "communication", { NULL } }, { "messages", { "limit", "100000", NULL } },
    { "messages", { "limit", "10", NULL } }, { "clocks", { NULL } },
    { "histogram", { "of", "message-size", NULL } }, { "info", { NULL } },
    { "extrema", { "by", "received", NULL } }, { "critical-path", { NULL } },
    { "clusters", { "with", "messages,bytes", NULL } },
  };
  g_autoptr (Exchanges) exchanges = exchanges_new (&story);
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoTable) alone = part_ask (&whole, kinds[i].kind, kinds[i].keywords, 1);
      g_autoptr (KymoTable) many = part_ask (&whole, kinds[i].kind, kinds[i].keywords, 4);
      g_autoptr (GString) a = g_string_new (NULL), b = g_string_new (NULL);

      kymo_table_write_json (alone, a);
      kymo_table_write_json (many, b);
      g_assert_cmpstr (a->str, ==, b->str);
    }
}

/* -- info -------------------------------------------------------------------------- */

/* Capabilities, and what info counts. */
static void
test_info (void)
{
  g_autoptr (Exchanges) exchanges = exchanges_new (&exchange_stories[1]);
  Part whole = { exchanges, KYMO_SPAN_ALL, NULL };
  g_autoptr (KymoTable) answer = ASK (&whole, "info");
  guint can = kymo_capabilities_of (exchanges->run);

  g_assert_cmpuint (can & (KYMO_CAN_METRICS | KYMO_CAN_PATHS | KYMO_CAN_WAITS
                           | KYMO_CAN_MESSAGES), ==,
                    KYMO_CAN_METRICS | KYMO_CAN_PATHS | KYMO_CAN_WAITS | KYMO_CAN_MESSAGES);
  g_assert_cmpuint (can & (KYMO_CAN_USER_EVENTS | KYMO_CAN_STREAM), ==, 0);
  g_assert_cmpint (kymo_table_get_int (answer, "messages", 0), ==, exchanges->sends->len);
  g_assert_cmpint (kymo_table_get_int (answer, "received", 0), ==, exchanges->receives->len);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exchange-answers/communication", test_communication);
  g_test_add_func ("/exchange-answers/messages", test_messages);
  g_test_add_func ("/exchange-answers/sizes", test_sizes);
  g_test_add_func ("/exchange-answers/extrema", test_extrema);
  g_test_add_func ("/exchange-answers/threads", test_threads);
  g_test_add_func ("/exchange-answers/info", test_info);
  return g_test_run ();
}
