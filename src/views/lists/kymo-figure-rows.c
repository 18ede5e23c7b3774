/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a table of figures: which there are, their order, and what their cells
 * say.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-figure-table-private.h"
#include "kymo-session-profile.h"
#include "kymo-units.h"

#define NONE G_MAXUINT

static gboolean
is_text (const KymoFigureColumn *column)
{
  return column->kind <= KYMO_FIGURE_TEXT;
}

/* -- lines ---------------------------------------------------------------- */

/**
 * kymo_figure_texts_children:
 * @row: of the list, or %G_MAXUINT for the roots
 *
 * Returns: (transfer full) (nullable): the rows right below a row of a tree; %NULL where a row has
 *   none. The roots are never %NULL, but may be empty.
 */
KymoLineModel *
kymo_figure_texts_children (const KymoFigureTexts *texts, guint row)
{
  guint n = texts->list != NULL ? kymo_table_get_n_rows (texts->list) : 0;
  guint first = row == NONE ? texts->first_root
                : texts->first_child != NULL && row < n ? texts->first_child[row]
                : NONE;
  GArray *rows;

  if (row != NONE && first == NONE)
    return NULL;
  rows = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = first; i != NONE; i = texts->next[i])
    g_array_append_val (rows, i);
  return kymo_line_model_new (rows);
}

/** Key: what a line is sorted by */
typedef struct
{
  guint       row;
  double      number;                  /* NaN = not known */
  const char *text;                    /* or NULL */
} Key;

/* What is not known comes last in both directions, and what is the same stays in
   the order of the answer. */
static int
compare_keys (gconstpointer a, gconstpointer b, gpointer descending)
{
  const Key *x = a, *y = b;
  int order = x->text != NULL && y->text != NULL ? strcmp (x->text, y->text)
              : (x->number > y->number) - (x->number < y->number);

  if (isnan (x->number) != isnan (y->number))
    return isnan (x->number) - isnan (y->number);
  if (order != 0)
    return descending ? -order : order;
  return (x->row > y->row) - (x->row < y->row);
}

/**
 * kymo_figure_texts_order:
 * @names: which names are listed
 * @column: (nullable): the column to sort by; %NULL keeps the order of the list
 * @descending: the largest first
 *
 * Numbers that are not known come last in both directions. Rows that are equal keep their order.
 *
 * Returns: (transfer full) (element-type guint): the rows whose name passes, in order
 */
GArray *
kymo_figure_texts_order (const KymoFigureTexts *texts, KymoNameFilter *names,
                         const KymoFigureColumn *column, gboolean descending)
{
  guint n = texts->list != NULL ? kymo_table_get_n_rows (texts->list) : 0;
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  g_autoptr (GArray) keys = g_array_sized_new (FALSE, FALSE, sizeof (Key), n);
  gboolean text = column != NULL && is_text (column);

  for (guint i = 0; i < n; i++)
    if (kymo_name_filter_matches (names, kymo_table_get_string (texts->list, "name", i)))
      {
        Key key = { i };

        if (text)
          key.text = kymo_table_get_string (texts->list, column->key, i);
        else if (column != NULL)
          key.number = kymo_figure_texts_number (texts, column, i);
        g_array_append_val (keys, key);
      }
  if (column != NULL)
    g_array_sort_with_data (keys, compare_keys, GINT_TO_POINTER (descending));
  for (guint i = 0; i < keys->len; i++)
    g_array_append_val (rows, g_array_index (keys, Key, i).row);
  return rows;
}

/* -- a tree --------------------------------------------------------------- */

/* Rows with their parents before them, as the answer has them. */
static void
link_rows (KymoFigureTexts *texts)
{
  guint n = kymo_table_get_n_rows (texts->list);
  const gint64 *parents = kymo_table_peek_ints (texts->list, "parent", NULL);

  texts->first_root = NONE;
  if (parents == NULL)
    return;
  texts->first_child = g_new (guint, MAX (n, 1));
  texts->next = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    texts->first_child[i] = NONE;
  for (guint i = n; i-- > 0;)
    {
      gboolean root = parents[i] < 0 || parents[i] >= i;
      guint *head = root ? &texts->first_root : &texts->first_child[parents[i]];

      texts->next[i] = *head;
      *head = i;
    }
}

/**
 * kymo_figure_texts_clear:
 *
 * Lets go of the answer and of the links of its tree; there is no list then.
 */
void
kymo_figure_texts_clear (KymoFigureTexts *texts)
{
  g_clear_pointer (&texts->first_child, g_free);
  g_clear_pointer (&texts->next, g_free);
  g_clear_pointer (&texts->answer, kymo_table_unref);
  texts->list = NULL;
}

/* TRUE if a value of the column is no whole number. */
static gboolean
has_fraction (const KymoTable *list, const char *key)
{
  const double *values = kymo_table_peek_doubles (list, key, NULL);

  for (guint i = 0; values != NULL && i < kymo_table_get_n_rows (list); i++)
    if (isfinite (values[i]) && values[i] != floor (values[i]))
      return TRUE;
  return FALSE;
}

/** kymo_figure_texts_set: @answer: (nullable) (transfer none) */
void
kymo_figure_texts_set (KymoFigureTexts *texts, KymoTable *answer,
                       const char *list, KymoProfileOptions *options)
{
  KymoPlotFrame frame;

  if (answer != NULL)
    kymo_table_ref (answer);
  kymo_figure_texts_clear (texts);
  texts->answer = answer;
  texts->list = answer != NULL ? kymo_table_peek_nested (answer, list, NULL)
                               : NULL;
  texts->first_root = NONE;
  if (texts->list == NULL)
    return;
  texts->has_tenths = has_fraction (texts->list, "calls")
                      || has_fraction (texts->list, "subroutines");
  kymo_plot_frame_init (&frame, 1, 1, FALSE, NULL, (KymoSpan) { 0, 0 });
  frame.unit = kymo_profile_options_peek (options, "unit");
  kymo_measure_init (&texts->value, answer, &frame, NULL);
  kymo_measure_init (&texts->count, answer, &frame, "calls");
  link_rows (texts);
}

/* Names and parents are the same, whatever the figures: the lines may stay. */
gboolean
kymo_figure_texts_same (const KymoFigureTexts *texts, KymoTable *answer,
                        const char *list)
{
  KymoTable *other = answer != NULL ? kymo_table_peek_nested (answer, list, NULL)
                                    : NULL;
  guint n = other != NULL ? kymo_table_get_n_rows (other) : 0;
  const gint64 *a, *b;

  if (texts->list == NULL || other == NULL
      || n != kymo_table_get_n_rows (texts->list))
    return FALSE;
  a = kymo_table_peek_ints (texts->list, "parent", NULL);
  b = kymo_table_peek_ints (other, "parent", NULL);
  if ((a == NULL) != (b == NULL))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if ((a != NULL && a[i] != b[i])
        || g_strcmp0 (kymo_table_get_string (texts->list, "name", i),
                      kymo_table_get_string (other, "name", i)) != 0)
      return FALSE;
  return TRUE;
}

/* -- cells ---------------------------------------------------------------- */

/** kymo_figure_texts_number: NaN for nothing */
double
kymo_figure_texts_number (const KymoFigureTexts *texts,
                          const KymoFigureColumn *column, guint row)
{
  int index = kymo_table_find_column (texts->list, column->key);
  const double *numbers;
  guint width;
  gint64 value;

  if (index < 0)
    return NAN;
  if (kymo_table_get_column_type (texts->list, index) == KYMO_COLUMN_INT)
    {
      value = kymo_table_get_int (texts->list, column->key, row);
      return value == KYMO_NULL_INT ? NAN : value;
    }
  width = kymo_table_get_column_width (texts->list, index);
  numbers = kymo_table_peek_doubles (texts->list, column->key, NULL);
  if (numbers == NULL || column->element >= width)
    return NAN;
  return numbers[(gsize) row * width + column->element];
}

/** kymo_figure_texts_flags: (nullable): */
const char *
kymo_figure_texts_flags (const KymoFigureTexts *texts, guint row)
{
  return kymo_table_find_column (texts->list, "flags") >= 0
         ? kymo_table_get_string (texts->list, "flags", row) : NULL;
}

/* Of means of calls all have a decimal, so that digits stand below each other. */
static char *
dup_tenths (double number)
{
  gint64 tenths = llround (number * 10);
  g_autofree char *whole = kymo_format_count (tenths / 10);

  return number > 0 && tenths == 0 ? g_strdup ("< 0.1")
         : g_strdup_printf ("%s.%d", whole, (int) (tenths % 10));
}

static gboolean
is_of_calls (const KymoFigureColumn *column)
{
  return g_str_equal (column->key, "calls") || g_str_equal (column->key, "subroutines");
}

/**
 * kymo_figure_texts_text:
 * @times: unit and decimals of the column, where its values are times without a chosen unit
 *
 * Returns: (transfer full): a cell as it is shown
 */
char *
kymo_figure_texts_text (const KymoFigureTexts *texts,
                        const KymoFigureColumn *column, guint row, const KymoTimeColumn *times)
{
  const char *text;
  double number;

  if (is_text (column))
    {
      text = kymo_table_get_string (texts->list, column->key, row);
      return g_strdup (text != NULL ? text : "");
    }
  number = kymo_figure_texts_number (texts, column, row);
  if (isnan (number))
    return g_strdup ("–");
  switch (column->kind)
    {
    case KYMO_FIGURE_COUNT:
      return texts->has_tenths && is_of_calls (column) && number >= 0 && number < 1e15
             ? dup_tenths (number) : kymo_measure_format (&texts->count, number);
    case KYMO_FIGURE_SHARE:
      return kymo_format_part (number);
    case KYMO_FIGURE_NUMBER:
      return kymo_format_number (number, 3);
    default:
      return texts->value.kind == KYMO_UNIT_NS
             ? kymo_time_column_format (times, number * texts->value.factor)
             : kymo_measure_format (&texts->value, number);
    }
}

/** kymo_figure_texts_exact: with all its digits */
char *
kymo_figure_texts_exact (const KymoFigureTexts *texts,
                         const KymoFigureColumn *column, guint row)
{
  double number;

  if (is_text (column))
    return kymo_figure_texts_text (texts, column, row, NULL);
  number = kymo_figure_texts_number (texts, column, row);
  if (isnan (number))
    return g_strdup ("");
  switch (column->kind)
    {
    case KYMO_FIGURE_COUNT:
      return kymo_measure_exact (&texts->count, number);
    case KYMO_FIGURE_SHARE:
    case KYMO_FIGURE_NUMBER:
      return kymo_format_exact (number);
    default:
      return kymo_measure_exact (&texts->value, number);
    }
}
