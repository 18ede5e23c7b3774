/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value of every answer, in all its forms; and questions.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-question.h"
#include "kymo-table.h"

/* One of everything: nulls, foreign bytes, nested lists of all styles. */
static KymoTable *
build_sample (void)
{
  const gint64 three[] = { 1, KYMO_NULL_INT, G_MAXINT64 };
  const double two[] = { 0.5, NAN };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *rows = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *cells = kymo_table_new (KYMO_STYLE_TUPLES);
  KymoTable *empty = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *dense = kymo_table_new (KYMO_STYLE_FLAT);
  const guint32 packed[] = { 0, 0x10007, G_MAXUINT32 };

  kymo_table_set_int (table, "count", 42);
  kymo_table_set_int (table, "nothing", KYMO_NULL_INT);
  kymo_table_set_double (table, "bad", INFINITY);
  kymo_table_set_string (table, "text", "a\"b\\c\n\t\x01\xff\xc3,");
  kymo_table_set_string (table, "none", NULL);
  kymo_table_set_bool (table, "yes", TRUE);
  kymo_table_set_ints (table, "three", three, 3);
  kymo_table_set_doubles (table, "two", two, 2);

  guint x0 = kymo_table_add_column (cells, "x0", KYMO_COLUMN_INT, 1);
  guint share = kymo_table_add_column (cells, "share", KYMO_COLUMN_DOUBLE, 1);
  guint label = kymo_table_add_column (rows, "label", KYMO_COLUMN_STRING, 1);
  guint nested = kymo_table_add_nested (rows, "cells", cells);
  for (gint64 i = 0; i < 3; i++)
    {
      for (gint64 k = 0; k < i; k++)
        {
          kymo_table_append_int (cells, x0, 10 * i + k);
          kymo_table_append_double (cells, share, 1.0 / (k + 1));
        }
      kymo_table_append_string (rows, label, i == 1 ? "quote \"q\"" : "PE");
      kymo_table_end_nested (rows, nested);
    }
  kymo_table_add_column (empty, "id", KYMO_COLUMN_INT, 1);
  kymo_table_set_table (table, "rows", rows);
  kymo_table_set_table (table, "empty", empty);
  kymo_table_take_packed (dense, kymo_table_add_column (dense, "cell", KYMO_COLUMN_PACKED, 1),
                          g_memdup2 (packed, sizeof packed), G_N_ELEMENTS (packed));
  kymo_table_set_table (table, "dense", dense);
  return table;
}

static const char expected_json[] =
  "{\"count\":42,\"nothing\":null,\"bad\":null,"
  "\"text\":\"a\\\"b\\\\c\\u000a\\u0009\\u0001\357\277\275\357\277\275,\","
  "\"none\":null,\"yes\":true,\"three\":[1,null,9223372036854775807],"
  "\"two\":[0.5,null],"
  "\"rows\":[{\"label\":\"PE\",\"cells\":[]},"
  "{\"label\":\"quote \\\"q\\\"\",\"cells\":[[10,1.0]]},"
  "{\"label\":\"PE\",\"cells\":[[20,1.0],[21,0.5]]}],\"empty\":[],"
  "\"dense\":[0,65543,4294967295]}";

/* Numbers may be written as 1 or 1.0, text with \u or \n: compare the two
   after taking blanks and such freedoms away. */
static char *
normalize (const char *json)
{
  g_auto (GStrv) parts = g_strsplit (json, "1.0", -1);
  g_autofree char *text = g_strjoinv ("1", parts);
  GString *out = g_string_new (NULL);
  for (const char *p = text; *p != '\0'; p++)
    if (*p != ' ' && *p != '\n')
      g_string_append_c (out, *p);
  return g_string_free (out, FALSE);
}

static void
test_json (void)
{
  g_autoptr (KymoTable) table = build_sample ();
  g_autoptr (GString) out = g_string_new (NULL);

  kymo_table_write_json (table, out);
  g_assert_true (g_utf8_validate (out->str, out->len, NULL));
  g_autofree char *got = normalize (out->str);
  g_autofree char *expected = normalize (expected_json);
  g_assert_cmpstr (got, ==, expected);
}

static void
test_variant (void)
{
  g_autoptr (KymoTable) table = build_sample ();
  g_autoptr (GVariant) variant =
    g_variant_ref_sink (kymo_table_to_variant (table, FALSE));
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) again = kymo_table_from_variant (variant, &error);
  g_autoptr (GString) a = g_string_new (NULL), b = g_string_new (NULL);

  g_assert_no_error (error);
  g_assert_nonnull (again);
  kymo_table_write_json (table, a);
  kymo_table_write_json (again, b);
  g_assert_cmpstr (a->str, ==, b->str);
}

/* Columns of @n rows with what is hard to pack: nulls, extremes, values that hardly repeat. */
static KymoTable *
build_long (guint n, GRand *rand)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *rows = kymo_table_new (KYMO_STYLE_OBJECTS);
  static const double odd[] = { 0.0, -0.0, NAN, 0.1, -1e300 };
  static const char *const words[] = { "", "a", "a longer text", NULL, "\303\266" };
  guint id = kymo_table_add_column (rows, "id", KYMO_COLUMN_INT, 1);
  guint ns = kymo_table_add_column (rows, "ns", KYMO_COLUMN_INT, 1);
  guint wide = kymo_table_add_column (rows, "wide", KYMO_COLUMN_INT, 1);
  guint pair = kymo_table_add_column (rows, "pair", KYMO_COLUMN_INT, 2);
  guint flag = kymo_table_add_column (rows, "flag", KYMO_COLUMN_BOOL, 1);
  guint share = kymo_table_add_column (rows, "share", KYMO_COLUMN_DOUBLE, 1);
  guint figure = kymo_table_add_column (rows, "figure", KYMO_COLUMN_DOUBLE, 2);
  guint word = kymo_table_add_column (rows, "word", KYMO_COLUMN_STRING, 1);
  guint name = kymo_table_add_column (rows, "name", KYMO_COLUMN_STRING, 1);
  guint nested = kymo_table_add_nested (table, "rows", rows);

  for (guint i = 0; i < n; i++)
    {
      gint64 both[] = { -(gint64) i, KYMO_NULL_INT };
      double figures[] = { g_rand_double (rand), i % 3 };
      g_autofree char *text = g_strdup_printf ("PE %u", i);

      kymo_table_append_int (rows, id, i % 8);
      kymo_table_append_int (rows, ns, i % 5 == 0 ? KYMO_NULL_INT
                                                  : g_rand_int_range (rand, -1000, 1 << 30));
      kymo_table_append_int (rows, wide, i % 2 ? G_MAXINT64 : G_MININT64 + 1);
      kymo_table_append_ints (rows, pair, both);
      kymo_table_append_bool (rows, flag, i % 3 == 0);
      kymo_table_append_double (rows, share, odd[g_rand_int_range (rand, 0, 5)]);
      kymo_table_append_doubles (rows, figure, figures);
      kymo_table_append_string (rows, word, words[g_rand_int_range (rand, 0, 5)]);
      kymo_table_append_string (rows, name, text);
    }
  kymo_table_end_nested (table, nested);
  return table;
}

/* Cells stand in a table of their own, as those of a timeline do. */
static KymoTable *
build_cells (guint n, guint distinct)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_FLAT);
  guint32 *packed = g_new (guint32, n);

  for (guint i = 0; i < n; i++)
    packed[i] = i % distinct * 0x10001;
  kymo_table_take_packed (table, kymo_table_add_column (table, "cells", KYMO_COLUMN_PACKED, 1),
                          packed, n);
  return table;
}

/* Returns by how many times the narrow form is shorter. */
static double
check_narrow (KymoTable *table)
{
  g_autoptr (GVariant) plain = g_variant_ref_sink (kymo_table_to_variant (table, FALSE));
  g_autoptr (GVariant) narrow = g_variant_ref_sink (kymo_table_to_variant (table, TRUE));
  g_autoptr (KymoTable) again = kymo_table_from_variant (narrow, NULL);
  g_autoptr (GVariant) written = NULL;

  g_assert_nonnull (again);
  g_assert_true (g_variant_is_normal_form (narrow));
  written = g_variant_ref_sink (kymo_table_to_variant (again, FALSE));
  g_assert_cmpmem (g_variant_get_data (plain), g_variant_get_size (plain),
                   g_variant_get_data (written), g_variant_get_size (written));
  return (double) g_variant_get_size (plain) / g_variant_get_size (narrow);
}

static void
test_narrow (void)
{
  static const guint sizes[] = { 1, 63, 64, 65, 127, 128, 1000, 5000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (KymoTable) cells = build_cells (sizes[i] * 4, 1 + sizes[i]);
      g_autoptr (KymoTable) few = build_cells (sizes[i] * 4, 2);
      g_autoptr (KymoTable) table = build_long (sizes[i], rand);
      double times = check_narrow (table);

      check_narrow (cells);
      g_assert_cmpfloat (check_narrow (few), >, sizes[i] < 1000 ? 0.2 : 20);
      if (sizes[i] >= 1000)
        g_assert_cmpfloat (times, >, 1.5);
    }
}

/* Few bytes must not become many. */
static void
test_narrow_bomb (void)
{
  g_autofree char *text = g_strnfill (1 << 20, 'x');
  guint32 n = 1 << 20;
  g_autofree guint64 *words = g_new0 (guint64, n / 64);
  GVariantBuilder texts;
  g_autoptr (GVariant) bomb = NULL;
  g_autoptr (GError) error = NULL;

  g_variant_builder_init (&texts, G_VARIANT_TYPE ("ams"));
  g_variant_builder_add (&texts, "ms", text);
  bomb = g_variant_ref_sink (
    g_variant_new_parsed ("(byte 3, [('text', byte 2, uint32 1, <(byte 1, %u, %@ax, %v)>)])", n,
                          g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, words, n / 64, 8),
                          g_variant_builder_end (&texts)));
  g_assert_null (kymo_table_from_variant (bomb, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
}

/* A variant from elsewhere must be refused or read, never believed. */
static void
check_damaged (KymoTable *table, gboolean narrow)
{
  g_autoptr (GVariant) variant =
    g_variant_ref_sink (kymo_table_to_variant (table, narrow));
  gsize size = g_variant_get_size (variant);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < 3000; i++)
    {
      guint8 *bytes = g_malloc (size);
      memcpy (bytes, g_variant_get_data (variant), size);
      for (guint k = 0; k < 1 + i % 4; k++)
        bytes[g_rand_int_range (rand, 0, size)] ^=
          1 << g_rand_int_range (rand, 0, 8);
      g_autoptr (GVariant) damaged = g_variant_ref_sink (
        g_variant_new_from_data (g_variant_get_type (variant), bytes, size,
                                 FALSE, g_free, bytes));
      g_autoptr (KymoTable) read = kymo_table_from_variant (damaged, NULL);
      g_autoptr (GString) out = g_string_new (NULL);
      if (read != NULL)
        {
          kymo_table_write_json (read, out);
          kymo_table_write_csv (read, out);
          g_assert_true (g_utf8_validate (out->str, out->len, NULL));
        }
    }
}

static void
test_variant_damaged (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (KymoTable) table = build_sample ();
  g_autoptr (KymoTable) rows = build_long (70, rand);
  g_autoptr (KymoTable) cells = build_cells (300, 9);

  check_damaged (table, FALSE);
  check_damaged (rows, TRUE);
  check_damaged (cells, TRUE);
}

static void
test_csv (void)
{
  g_autoptr (KymoTable) table = build_sample ();
  g_autoptr (GString) out = g_string_new (NULL);

  kymo_table_write_csv (table, out);
  g_assert_nonnull (strstr (out->str, "count,42\n"));
  g_assert_nonnull (strstr (out->str, "\"a\"\"b\\c\n"));
  g_assert_nonnull (strstr (out->str, "\"quote \"\"q\"\"\""));
  g_assert_null (strstr (out->str, "nan"));
  g_assert_null (strstr (out->str, "inf"));
  g_assert_true (g_utf8_validate (out->str, out->len, NULL));
}

static void
test_reading (void)
{
  g_autoptr (KymoTable) table = build_sample ();
  const guint *offsets;
  guint width;

  g_assert_cmpint (kymo_table_get_int (table, "count", 0), ==, 42);
  g_assert_cmpint (kymo_table_find_column (table, "no such"), ==, -1);
  g_assert_null (kymo_table_peek_nested (table, "count", NULL));
  g_assert_null (kymo_table_get_string (table, "no such", 0));
  g_assert_nonnull (kymo_table_peek_ints (table, "three", &width));
  g_assert_cmpuint (width, ==, 3);
  KymoTable *rows = kymo_table_peek_nested (table, "rows", &offsets);
  g_assert_cmpuint (offsets[1] - offsets[0], ==, 3);
  kymo_table_peek_nested (rows, "cells", &offsets);
  g_assert_cmpuint (offsets[0], ==, 0);
  g_assert_cmpuint (offsets[1], ==, 0);
  g_assert_cmpuint (offsets[3], ==, 3);
}

/* Columns named in one text, and rows of values of each type. */
static void
test_rows (void)
{
  g_autoptr (KymoTable) table = kymo_table_new_list ("id name:string share:double known:bool");
  g_autoptr (GString) json = g_string_new (NULL);
  const char *words = "b";
  gint64 large = G_MAXINT64;
  guint8 small = 7;
  guint first;

  kymo_table_append_row (table, large, "a", 0.5, 2);
  kymo_table_append_row (table, -1, words, small, FALSE);
  kymo_table_append_row (table, small, NULL, NAN, small == 7);
  first = kymo_table_add_columns (table, "more last:string");
  g_assert_cmpuint (first, ==, 4);
  for (guint i = 0; i < 3; i++)
    kymo_table_append_from (table, first, i + (gint64) 1, i == 1 ? "x" : NULL);
  kymo_table_write_json (table, json);
  g_assert_cmpstr (json->str, ==,
                   "[{\"id\":9223372036854775807,\"name\":\"a\",\"share\":0.5,\"known\":true,"
                   "\"more\":1,\"last\":null},"
                   "{\"id\":-1,\"name\":\"b\",\"share\":7,\"known\":false,"
                   "\"more\":2,\"last\":\"x\"},"
                   "{\"id\":7,\"name\":null,\"share\":null,\"known\":true,"
                   "\"more\":3,\"last\":null}]");
}

static void
test_question (void)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("histogram");
  g_autoptr (KymoIdSet) set = kymo_id_set_parse ("1-3", NULL);
  g_autoptr (GError) error = NULL;
  gint64 value;

  g_assert_cmpstr (kymo_question_get_kind (question), ==, "histogram");
  g_assert_true (kymo_span_is_all (kymo_question_get_span (question)));
  g_assert_null (kymo_question_peek_locations (question));
  kymo_question_set (question, "of", "duration");
  kymo_question_set_int (question, "bins", 12);
  kymo_question_set (question, "min", "abc");
  kymo_question_set_locations (question, set);
  kymo_question_set_resolution (question, 10, 20);
  g_assert_cmpstr (kymo_question_get (question, "of"), ==, "duration");
  g_assert_null (kymo_question_get (question, "unknown"));
  g_assert_true (kymo_question_get_int (question, "bins", 1, &value, NULL));
  g_assert_cmpint (value, ==, 12);
  g_assert_true (kymo_question_get_int (question, "max", 5, &value, NULL));
  g_assert_cmpint (value, ==, 5);
  g_assert_false (kymo_question_get_int (question, "min", 5, &value, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
  g_assert_cmpuint (kymo_question_get_columns (question), ==, 10);
  g_assert_cmpuint (kymo_question_get_rows (question), ==, 20);
  g_assert_false (kymo_question_get_flag (question, "tail"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table/json", test_json);
  g_test_add_func ("/table/csv", test_csv);
  g_test_add_func ("/table/rows", test_rows);
  g_test_add_func ("/table/variant", test_variant);
  g_test_add_func ("/table/variant-damaged", test_variant_damaged);
  g_test_add_func ("/table/narrow", test_narrow);
  g_test_add_func ("/table/narrow-bomb", test_narrow_bomb);
  g_test_add_func ("/table/reading", test_reading);
  g_test_add_func ("/question", test_question);
  return g_test_run ();
}
