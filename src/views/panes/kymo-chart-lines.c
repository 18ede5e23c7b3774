/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lists of an answer are the picture says the plot (KymoPlotClass.lists) or else the class of
 * the question; the others (metrics, groups, what was left out) are about it.
 *
 * Invariant: `lines` are in the order of the shown lists, then of rows; nested rows follow
 * the row that owns them.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-chart-lines.h"
#include "kymo-chart-words.h"
#include "kymo-in-terms.h"
#include "kymo-question-class.h"
#include "kymo-units.h"

/** Line: @of: (nullable): the row whose nested row it is; @list: number among the shown lists */
typedef struct
{
  const KymoTable *table, *of;
  guint            row, of_row, list;
  gboolean         bin;
} Line;

struct _KymoChartLines
{
  KymoTable *answer;
  char      *unit;
  KymoTerms  terms;
  gboolean   beyond;                 /* rows are about more time than is in sight */
  GArray    *lines;                  /* Line */
};

/* -- making --------------------------------------------------------------- */

static const char *
edges_of (const KymoTable *table, guint *n_bins)
{
  for (guint c = 0; c < kymo_table_get_n_columns (table); c++)
    {
      const char *name = kymo_table_get_column_name (table, c);

      if (g_str_has_prefix (name, "edges") && kymo_table_get_column_width (table, c) > 1)
        {
          *n_bins = kymo_table_get_column_width (table, c) - 1;
          return name;
        }
    }
  return NULL;
}

static double
vector_at (const KymoTable *table, const char *name, guint row, guint i)
{
  guint width = 0;
  const double *doubles = kymo_table_peek_doubles (table, name, &width);
  const gint64 *ints = doubles == NULL ? kymo_table_peek_ints (table, name, &width) : NULL;
  gsize at = (gsize) row * width + i;

  if (i >= width)
    return NAN;
  if (doubles != NULL)
    return doubles[at];
  return ints == NULL || ints[at] == KYMO_NULL_INT ? (double) NAN : (double) ints[at];
}

/* An answer may be about more time than is in sight. */
static void
add_bins (KymoChartLines *self, const KymoTable *table, guint list, KymoSpan span,
          gboolean by_time)
{
  guint n_bins = 0;
  const char *edges = edges_of (table, &n_bins);

  if (kymo_table_get_n_rows (table) == 0)
    return;
  for (guint i = 0; edges != NULL && i < n_bins; i++)
    {
      Line line = { .table = table, .row = i, .list = list, .bin = TRUE };

      if (!by_time || (vector_at (table, edges, 0, i + 1) > (double) span.begin_ns
                       && vector_at (table, edges, 0, i) < (double) span.end_ns))
        g_array_append_val (self->lines, line);
    }
}

static void
add_rows (KymoChartLines *self, KymoTable *table, const char *nested, guint list)
{
  const guint *offsets = NULL;
  KymoTable *child = nested != NULL ? kymo_table_peek_nested (table, nested, &offsets)
                                    : NULL;

  for (guint row = 0; row < kymo_table_get_n_rows (table); row++)
    {
      Line line = { .table = table, .row = row, .list = list };

      g_array_append_val (self->lines, line);
      for (guint i = child != NULL ? offsets[row] : 0;
           child != NULL && i < offsets[row + 1]; i++)
        {
          Line inner = { .table = child, .of = table, .row = i, .of_row = row,
                         .list = list };

          g_array_append_val (self->lines, inner);
        }
    }
}

/* But for the width of a column or two: answers end where columns do. */
static gboolean
is_about (const KymoTable *answer, KymoSpan span)
{
  double slack = ((double) span.end_ns - (double) span.begin_ns) / 100;
  double begin = kymo_table_get_int (answer, "begin_ns", 0);
  double end = kymo_table_get_int (answer, "end_ns", 0);

  return fabs (begin - (double) span.begin_ns) <= slack
         && fabs (end - (double) span.end_ns) <= slack;
}

static gboolean
is_shown (const KymoPlotClass *klass, const KymoQuestionList *list)
{
  g_auto (GStrv) keys = klass->lists != NULL ? g_strsplit (klass->lists, "|", -1) : NULL;

  return keys != NULL ? g_strv_contains ((const char *const *) keys, list->key)
                      : list->shown && strchr (list->key, '.') == NULL;
}

/* Rows of each row of a list that are shown as well. */
static const char *
nested_of (const KymoQuestionClass *asked, const char *key)
{
  gsize length = strlen (key);

  for (const KymoQuestionList *list = asked->lists; list->key != NULL; list++)
    if (list->shown && g_str_has_prefix (list->key, key) && list->key[length] == '.')
      return list->key + length + 1;
  return NULL;
}

static void
add_list (KymoChartLines *self, const KymoQuestionClass *asked, const char *key, guint list,
          const KymoPlotClass *klass, const KymoPlotFrame *frame)
{
  KymoTable *table = *key != '\0' ? kymo_table_peek_nested (self->answer, key, NULL)
                                  : self->answer;
  guint n_bins = 0;
  gboolean bins = table != NULL && edges_of (table, &n_bins) != NULL;

  if (list == 0)
    self->beyond = klass->wide && !bins && !is_about (self->answer, frame->span);
  if (bins)
    add_bins (self, table, list, frame->span, klass->time_axis);
  else if (table != NULL && *key != '\0')
    add_rows (self, table, nested_of (asked, key), list);
}

/**
 * kymo_chart_lines_new:
 * @answer: the answer behind the picture; referenced
 * @frame: visible span, unit and terms; read here, not kept
 *
 * Lists a line for each row, and for each bin in sight, of the lists in @answer that make up the
 * picture of @klass.
 *
 * Returns: (transfer full) (nullable): %NULL where the answer of the picture has no list to show
 */
KymoChartLines *
kymo_chart_lines_new (const KymoPlotClass *klass, KymoTable *answer,
                      const KymoPlotFrame *frame)
{
  g_autoptr (KymoQuestion) question = klass->question (frame);
  const KymoQuestionClass *asked
    = kymo_question_class_find (kymo_question_get_kind (question));
  KymoChartLines *self = g_new0 (KymoChartLines, 1);
  guint n = 0;

  self->answer = kymo_table_ref (answer);
  self->unit = g_strdup (frame->unit);
  self->terms = frame->terms;
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  for (const KymoQuestionList *list = asked->lists; list != NULL && list->key != NULL; list++)
    if (is_shown (klass, list))
      add_list (self, asked, list->key, n++, klass, frame);
  if (n == 0)
    g_clear_pointer (&self, kymo_chart_lines_free);
  return self;
}

/**
 * kymo_chart_lines_free:
 * @self: (nullable): %NULL does nothing
 *
 * Frees the lines and their reference to the answer.
 */
void
kymo_chart_lines_free (KymoChartLines *self)
{
  if (self == NULL)
    return;
  kymo_table_unref (self->answer);
  g_array_unref (self->lines);
  g_free (self->unit);
  g_free (self);
}

/**
 * kymo_chart_lines_get_n:
 *
 * Returns: the number of lines, with a line for each nested row
 */
guint
kymo_chart_lines_get_n (const KymoChartLines *self)
{
  return self->lines->len;
}

/* -- words ---------------------------------------------------------------- */

static void
add_vector (const KymoChartWords *in, const KymoTable *table, guint c, guint row,
            guint bin, const char *heading, GString *words)
{
  const char *name = kymo_table_get_column_name (table, c);
  double value = vector_at (table, name, row, bin);
  g_autofree char *text = NULL;

  if (value == 0 || isnan (value))
    return;
  text = kymo_chart_number (in, name, value,
                            kymo_table_get_column_type (table, c) == KYMO_COLUMN_INT);
  kymo_chart_add (words, heading, text, value);
}

/* All vectors of a series, each headed when there are several. */
static void
add_series (const KymoChartWords *in, const KymoTable *series, guint n_bins, guint bin,
            GString *words)
{
  guint n_vectors = 0;

  for (guint c = 0; c < kymo_table_get_n_columns (series); c++)
    n_vectors += kymo_table_get_column_width (series, c) == n_bins;
  for (guint row = 0; row < kymo_table_get_n_rows (series); row++)
    for (guint c = 0; c < kymo_table_get_n_columns (series); c++)
      {
        const char *column = kymo_table_get_column_name (series, c);
        const char *what = n_vectors > 1 ? kymo_chart_heading (column) : NULL;
        const char *name = kymo_shown_name (kymo_table_get_string (series, "name", row));
        g_autofree char *heading
          = what != NULL ? g_strdup_printf ("%s %s", name, what) : g_strdup (name);

        if (kymo_table_get_column_width (series, c) == n_bins)
          add_vector (in, series, c, row, bin, heading, words);
      }
}

static void
add_bin (const KymoChartWords *in, const KymoTable *table, guint bin, GString *words)
{
  guint n_bins = 0;
  const char *edges = edges_of (table, &n_bins);
  gboolean is_int = kymo_table_peek_doubles (table, edges, NULL) == NULL;
  g_autofree char *from = kymo_chart_number (in, edges, vector_at (table, edges, 0, bin),
                                             is_int);
  g_autofree char *to = kymo_chart_number (in, edges, vector_at (table, edges, 0, bin + 1),
                                           is_int);

  g_autofree char *both = g_strdup_printf (_("%s to %s"), from, to);

  kymo_chart_add (words, NULL, both, vector_at (table, edges, 0, bin));
  for (guint c = 0; n_bins > 1 && c < kymo_table_get_n_columns (table); c++)
    {
      const char *name = kymo_table_get_column_name (table, c);
      KymoTable *series = kymo_table_get_column_type (table, c) == KYMO_COLUMN_TABLE
                          ? kymo_table_peek_nested (table, name, NULL) : NULL;

      if (series != NULL && kymo_table_find_column (series, "name") >= 0)
        add_series (in, series, n_bins, bin, words);
      else if (series == NULL && kymo_table_get_column_width (table, c) == n_bins)
        add_vector (in, table, c, 0, bin, kymo_chart_heading (name), words);
    }
}

/**
 * kymo_chart_lines_dup_cells:
 * @index: below kymo_chart_lines_get_n()
 *
 * Makes the cells of a line when they are needed. Where the answer covers another range than the
 * visible range, its begin and end are added.
 *
 * Returns: (transfer full): see kymo_chart_cell()
 */
char *
kymo_chart_lines_dup_cells (const KymoChartLines *self, guint index)
{
  const Line *line = &g_array_index (self->lines, Line, index);
  KymoChartWords in = { self->answer, self->unit, self->terms };
  GString *cells = g_string_new (NULL);

  if (line->of != NULL && kymo_table_find_column (line->of, "label") >= 0)
    kymo_chart_add (cells, NULL, kymo_table_peek_label (line->of, "label", line->of_row), NAN);
  if (line->bin)
    add_bin (&in, line->table, line->row, cells);
  else
    kymo_chart_add_row (&in, line->table, line->row, cells);
  if (self->beyond)
    {
      gint64 begin_ns = kymo_table_get_int (self->answer, "begin_ns", 0);
      gint64 end_ns = kymo_table_get_int (self->answer, "end_ns", 0);
      g_autofree char *from = kymo_format_duration_exact (begin_ns);
      g_autofree char *to = kymo_format_duration_exact (end_ns);

      kymo_chart_add (cells, kymo_chart_heading ("begin_ns"), from, begin_ns);
      kymo_chart_add (cells, kymo_chart_heading ("end_ns"), to, end_ns);
    }
  return g_string_free (cells, FALSE);
}

/* -- what lines stand for ------------------------------------------------- */

static const char *
text_of (const KymoTable *table, const char *key, guint row)
{
  gint c = kymo_table_find_column (table, key);

  return c >= 0 && kymo_table_get_column_type (table, c) == KYMO_COLUMN_STRING
         ? kymo_table_get_string (table, key, row) : NULL;
}

static gint64
int_of (const KymoTable *table, const char *key, guint row, gint64 none)
{
  gint c = kymo_table_find_column (table, key);
  gint64 value = c >= 0 && kymo_table_get_column_type (table, c) == KYMO_COLUMN_INT
                 ? kymo_table_get_int (table, key, row) : KYMO_NULL_INT;

  return value == KYMO_NULL_INT ? none : value;
}

/* A row of a timeline lists its own; one that stands for several is none of them. */
static gint64
location_of (const KymoTable *table, guint row)
{
  const guint *offsets = NULL;
  KymoTable *list = kymo_table_find_column (table, "locations") >= 0
                    ? kymo_table_peek_nested (table, "locations", &offsets) : NULL;

  if (list != NULL && offsets[row + 1] - offsets[row] == 1)
    return int_of (list, "location", offsets[row], -1);
  return int_of (table, "location", row, int_of (table, "from", row, -1));
}

/**
 * kymo_chart_lines_get_subject:
 * @index: below kymo_chart_lines_get_n()
 *
 * Returns: name, other end, location and span (ns) of the line, as far as its row has them; a bin
 * has no more than a span, and no span without a time axis. The strings belong to the answer.
 */
KymoHoverSubject
kymo_chart_lines_get_subject (const KymoChartLines *self, guint index)
{
  const Line *line = &g_array_index (self->lines, Line, index);
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;

  if (line->bin)
    {
      guint n_bins = 0;
      const char *edges = edges_of (line->table, &n_bins);

      if (g_str_equal (edges, "edges_ns"))
        subject.span = (KymoSpan) {
          llround (vector_at (line->table, edges, 0, line->row)),
          llround (vector_at (line->table, edges, 0, line->row + 1)) };
      return subject;
    }
  subject.name = text_of (line->table, "name", line->row);
  if (subject.name == NULL)
    subject.name = text_of (line->table, "from", line->row);
  if (subject.name == NULL)
    subject.name = text_of (line->table, "function", line->row);
  subject.other = text_of (line->table, "to", line->row);
  subject.location = line->of != NULL ? location_of (line->of, line->of_row)
                                      : location_of (line->table, line->row);
  subject.span.begin_ns = int_of (line->table, "begin_ns", line->row, G_MININT64);
  subject.span.end_ns = int_of (line->table, "end_ns", line->row,
                                subject.span.begin_ns);
  return subject;
}

/* How much two agree; -1 where they are of different things. */
static int
agree_chart_lines (const KymoHoverSubject *line, const KymoHoverSubject *item)
{
  int same = 0;

  if (line->location >= 0 && item->location >= 0)
    {
      if (line->location != item->location)
        return -1;
      same++;
    }
  if (line->name != NULL && item->name != NULL)
    {
      if (!g_str_equal (line->name, item->name)
          && g_strcmp0 (line->other, item->name) != 0)
        return -1;
      same++;
    }
  if (line->span.begin_ns != G_MININT64 && item->span.begin_ns != G_MININT64)
    {
      if (item->span.begin_ns < line->span.begin_ns
          || item->span.begin_ns >= MAX (line->span.end_ns, line->span.begin_ns + 1))
        return -1;
      same++;
    }
  return same;
}

/* The row of the list that the picture is made of first; -1 for lines of others. */
static int
row_of (const KymoChartLines *self, guint index)
{
  const Line *line = &g_array_index (self->lines, Line, index);

  return line->list == 0 && line->of == NULL ? (int) line->row : -1;
}

/**
 * kymo_chart_lines_agree:
 * @index: below kymo_chart_lines_get_n()
 * @row: row of the picture's first list that @item was made of; -1 = unknown
 *
 * Compares location, name and time of a line and an item of the picture, as far as both have them.
 *
 * Returns: twice the number of properties they share, plus 1 for the same row; 0 where a property
 * differs, or where nothing is the same
 */
int
kymo_chart_lines_agree (const KymoChartLines *self, guint index,
                        const KymoHoverSubject *item, int row)
{
  KymoHoverSubject line = kymo_chart_lines_get_subject (self, index);
  int same = agree_chart_lines (&line, item);

  if (same < 0)
    return 0;
  return 2 * same + (row >= 0 && row_of (self, index) == row);
}

/**
 * kymo_chart_lines_find:
 * @row: as in kymo_chart_lines_agree()
 *
 * Returns: the index of the line that agrees most with @item, the first of equals; -1 where no
 * line agrees
 */
int
kymo_chart_lines_find (const KymoChartLines *self, const KymoHoverSubject *item, int row)
{
  int best = -1, most = 0;

  for (guint i = 0; i < self->lines->len; i++)
    {
      int same = kymo_chart_lines_agree (self, i, item, row);

      if (same > most)
        {
          most = same;
          best = i;
        }
    }
  return best;
}
