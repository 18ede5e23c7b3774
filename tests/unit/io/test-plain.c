/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast decoder of text logs and its careful twin: what the fast one takes
 * the other takes as well, and says the same of it; on lines as runtimes write
 * them, of every version, and on lines that are damaged anywhere.
 */
#include "config.h"

#include <string.h>

#include "kymo-fields.h"
#include "kymo-projections-record.h"

#define N_LINES 6000
/* What may be read behind a line. */
#define PADDING 16

static const guint versions[] = { 10, 20, 40, 50, 65, 70, 90, 100, 110 };

static KymoSts *
make_sts (guint version,
          guint n_counters)
{
  KymoSts *sts = kymo_sts_new ();

  sts->version = version;
  sts->n_counters = n_counters;
  /* Entry n has n - 2 dimensions: unknown, none, 0 to 6. */
  for (gint64 id = 0; id < 9; id++)
    kymo_sts_set_entry (sts, id, (KymoStsEntry) { .activity = id, .n_dimensions = id - 2 });
  return sts;
}

static void
put_number (GString *line,
            GRand   *rand)
{
  static const gint64 odd[] = { 0, -1, -7, 999999999, 1000000000, 2147483647, 2147483648,
                                999999999999999, 1000000000000000, G_MAXINT64 / 10 };
  guint what = g_rand_int_range (rand, 0, 40);
  gint64 n = what < G_N_ELEMENTS (odd) ? odd[what]
    : (gint64) g_rand_int_range (rand, 0, 1 << g_rand_int_range (rand, 1, 30));

  g_string_append_printf (line, " %" G_GINT64_FORMAT, n);
}

/* A record as one of the versions would have it, more or less. */
static void
put_line (GString *line,
          GRand   *rand)
{
  static const guint types[] = { 1, 1, 2, 2, 2, 2, 3, 3, 14, 15, 16, 17, 18, 19, 20, 20, 6, 13, 21,
                                 32, 28, 0, 100, 7 };
  guint type = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))];
  guint n = type >= 14 && type <= 19 ? 2 : g_rand_int_range (rand, 6, 14);

  g_string_printf (line, "%u", type);
  if (type < 14 || type > 19)
    g_string_append_printf (line, " %d %d", g_rand_int_range (rand, 0, 40),
                            g_rand_int_range (rand, 0, 10));
  for (guint i = 0; i < n; i++)
    if (type == 2 && i >= 5 && g_rand_boolean (rand))
      g_string_append (line, " 0");
    else
      put_number (line, rand);
}

static void
damage (GString *line,
        GRand   *rand)
{
  static const char odd[] = " -+0123456789x.\r\t\0\xff";
  guint at = g_rand_int_range (rand, 0, line->len);

  switch (g_rand_int_range (rand, 0, 4))
    {
    case 0:
      g_string_truncate (line, at);
      break;
    case 1:
      g_string_erase (line, at, 1);
      break;
    case 2:
      g_string_insert_c (line, at, odd[g_rand_int_range (rand, 0, sizeof odd)]);
      break;
    default:
      line->str[at] = odd[g_rand_int_range (rand, 0, sizeof odd)];
      break;
    }
}

static void
assert_same (const KymoPlainRecord *plain,
             const KymoLogRecord   *record)
{
  g_assert_cmpint (plain->time_ns, ==, record->time_ns);
  if (plain->type >= BEGIN_IDLE && plain->type <= END_UNPACK)
    return;
  g_assert_cmpint (plain->id, ==, record->id);
  if (plain->type == END_PROCESSING)
    return;
  g_assert_cmpint (plain->event, ==, record->event);
  g_assert_cmpint (plain->pe, ==, record->pe);
  g_assert_cmpint (plain->length, ==, record->length);
  if (plain->type == CREATION_BCAST)
    g_assert_cmpint (plain->index[0], ==, record->n_destinations);
  else if (plain->type == CREATION)
    g_assert_cmpint (record->n_destinations, ==, 1);
  else
    g_assert_cmpmem (plain->index, 4 * plain->n_index, record->object.index,
                     4 * record->object.n_dimensions);
}

/* Returns whether the line was plain. */
static gboolean
compare (KymoLogLayout *layout,
         const GString *line)
{
  g_autofree char *copy = g_malloc0 (line->len + 1 + PADDING);
  KymoPlainRecord plain;
  KymoLogRecord record;
  const char *next;

  memcpy (copy, line->str, line->len);
  copy[line->len] = '\n';
  next = kymo_text_decode_plain (layout, copy, &plain);
  if (next == NULL)
    return FALSE;
  g_assert_true (kymo_text_decode (layout, copy, copy + line->len, &record));
  g_assert_true (next == copy + line->len + 1);
  g_assert_cmpint (plain.type, ==, record.type);
  if (record.type == BEGIN_PROCESSING || record.type == END_PROCESSING)
    g_assert_cmpuint (record.n_counters, ==, 0);
  assert_same (&plain, &record);
  return TRUE;
}

static void
test_twins (void)
{
  for (guint v = 0; v < G_N_ELEMENTS (versions); v++)
    for (guint n_counters = 0; n_counters < 3; n_counters += 2)
      {
        g_autoptr (GRand) rand = g_rand_new_with_seed (100 * v + n_counters);
        g_autoptr (GString) line = g_string_new (NULL);
        g_autoptr (KymoSts) sts = make_sts (versions[v], n_counters);
        KymoLogLayout layout;
        guint n_plain = 0;

        kymo_log_layout_init (&layout, sts);
        for (guint i = 0; i < N_LINES; i++)
          {
            /* Every third line is whole, every third damaged twice. */
            put_line (line, rand);
            for (guint k = i % 3; k > 0 && line->len > 0; k--)
              damage (line, rand);
            if (strlen (line->str) == line->len && strchr (line->str, '\n') == NULL)
              n_plain += compare (&layout, line);
          }
        g_assert_cmpuint (n_plain, >, N_LINES / 20);
        kymo_log_layout_clear (&layout);
      }
}

/* What a current runtime writes is plain: else the fast way would be of no
   use, and nothing else would tell. */
static void
test_common_lines (void)
{
  static const char *const lines[] = {
    "1 21 5 983951 0 1 240 0", "20 0 3 17 4 -1 96 2 64", "2 4 4 979692 8 0 112 0 2 3 30435",
    "2 4 1 979692 -1 -1 112 0 0 0 0 0 30435", "3 0 5 979693 8 0 0 30435", "14 979664 1",
    "15 979664 1", "18 979664 1", "19 979665 1" };
  g_autoptr (KymoSts) sts = make_sts (110, 0);
  KymoLogLayout layout;

  kymo_log_layout_init (&layout, sts);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GString) line = g_string_new (lines[i]);

      g_assert_true (compare (&layout, line));
    }
  layout.count_fields = TRUE;
  {
    g_autoptr (GString) line = g_string_new (lines[2]);

    g_assert_false (compare (&layout, line));
  }
  kymo_log_layout_clear (&layout);
}

/* Blocks of lines: a record each, the others by their place. */
static void
test_blocks (void)
{
  static const char block[] =
    "14 5 0\n\n28 7 4 a no\n3 0 1 9 1 1 1 1\n2 4 4 8 8 0 112 0 2 3 3\nx\n";
  const char *cursor = block, *end = block + sizeof block - 1;
  g_autoptr (KymoSts) sts = make_sts (110, 0);
  KymoPlainRecord records[8];
  KymoLogLayout layout;

  kymo_log_layout_init (&layout, sts);
  g_assert_cmpuint (kymo_text_decode_lines (&layout, block, &cursor, end, records, 2), ==, 2);
  g_assert_true (cursor == block + 8);
  g_assert_cmpuint (records[0].type, ==, BEGIN_IDLE);
  g_assert_cmpuint (records[1].type, ==, 0);
  g_assert_cmpuint (records[1].line, ==, 7);
  g_assert_cmpuint (records[1].n_bytes, ==, 0);
  g_assert_cmpuint (kymo_text_decode_lines (&layout, block, &cursor, end, records, 8), ==, 4);
  g_assert_true (cursor == end);
  g_assert_cmpuint (records[0].type, ==, 0);
  g_assert_cmpuint (records[0].n_bytes, ==, strlen ("28 7 4 a no"));
  g_assert_cmpuint (records[1].type, ==, END_PROCESSING);
  g_assert_cmpuint (records[2].type, ==, BEGIN_PROCESSING);
  g_assert_cmpuint (records[3].n_bytes, ==, 1);
  kymo_log_layout_clear (&layout);
}

/* A million of them cost one record, not one each. */
static void
test_blank_lines (void)
{
  KymoSts *sts = make_sts (110, 0);
  g_autoptr (GString) text = g_string_new (NULL);
  KymoPlainRecord records[2];
  KymoLogLayout layout;
  const char *cursor, *end;

  for (guint i = 0; i < 1000000; i++)
    g_string_append (text, i % 5 == 4 ? " \r\t\n" : "\n");
  g_string_append (text, "14 12 0\n");
  g_string_append (text, "                ");
  end = text->str + text->len - PADDING;
  cursor = text->str;
  kymo_log_layout_init (&layout, sts);
  g_assert_cmpuint (kymo_text_decode_lines (&layout, text->str, &cursor, end, records, 2), ==, 2);
  g_assert_cmpuint (records[0].type, ==, 0);
  g_assert_cmpuint (records[1].type, ==, BEGIN_IDLE);
  g_assert_cmpint (records[1].time_ns, ==, 12000);
  kymo_log_layout_clear (&layout);
  kymo_sts_free (sts);
}

/* What follows eight of them is a line, be it as short as one letter. */
static void
test_behind_blank_lines (void)
{
  for (guint n = 1; n < 20; n++)
    {
      g_autofree char *blank = g_strnfill (n, '\n');
      g_autofree char *text = g_strconcat (blank, "a \n\nb\n", NULL);
      const char *end = text + strlen (text);
      const char *line = kymo_skip_blank_lines (text, end);

      g_assert_true (line == text + n);
      line = kymo_skip_blank_lines (line + 3, end);
      g_assert_cmpstr (line, ==, "b\n");
      g_assert_true (kymo_skip_blank_lines (line, end) == line);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plain/twins", test_twins);
  g_test_add_func ("/plain/common-lines", test_common_lines);
  g_test_add_func ("/plain/blocks", test_blocks);
  g_test_add_func ("/plain/blank-lines", test_blank_lines);
  g_test_add_func ("/plain/behind-blank-lines", test_behind_blank_lines);
  return g_test_run ();
}
