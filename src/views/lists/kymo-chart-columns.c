/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is a number, and its cells are made when they are to be seen, or to be sorted by: then
 * those of one column are kept for all lines until there are others.
 */
#include "config.h"

#include "kymo-chart-columns.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-chart-words.h"
#include "kymo-label.h"
#include "kymo-line-model.h"
#include "kymo-line-table.h"
#include "kymo-sort-keys.h"
#include "kymo-text-zoom.h"
#include "kymo-time-column.h"
#include "kymo-units.h"

/* Headings are looked for in this number of lines: lines of one list have the same ones. */
#define MOST_LOOKED 20000
/* One unit is chosen after this many of them. */
#define MOST_MEASURED 2000
#define NAME_PX 260
#define COLUMN "kymo-chart-column"     /* data: number of a column */

/* What a cell is sorted by: its number, or its text where it has none. */
typedef struct
{
  double number;
  char  *text;
} Key;

typedef struct
{
  GtkColumnViewColumn *shown;
  char                *heading;        /* NULL: of names */
  GArray              *keys;           /* Key of each line; NULL: not made yet */
  gboolean             is_time;        /* all figures are durations, of one unit */
  double               least, most;     /* of its figures, without zeros; in ns */
  KymoTimeColumn       times;
} Column;

struct _KymoChartColumns
{
  GtkWidget          *view;            /* owned: it may outlive the table by a moment */
  GtkSingleSelection *selection;
  GPtrArray          *columns;         /* Column */
  KymoLineModel      *head, *tail;     /* two, so that a chosen line stays chosen when the other
                                          has other lines */
  KymoChartCells      cells;
  KymoChartLink       link;
  gpointer            data;
  guint               n;
  guint               last;            /* line of last_cells */
  char               *last_cells;      /* or NULL: the cells of a line are bound one by one */
};

/* -- cells ---------------------------------------------------------------- */

static const char *
peek_cells (KymoChartColumns *self, guint line)
{
  if (self->last_cells == NULL || self->last != line)
    {
      g_free (self->last_cells);
      self->last_cells = self->cells (line, self->data);
      self->last = line;
    }
  return self->last_cells;
}

static Column *
column_of (KymoChartColumns *self, gpointer object)
{
  return self->columns->pdata[GPOINTER_TO_UINT (g_object_get_data (object, COLUMN))];
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, KymoChartColumns *self)
{
  GtkWidget *label = gtk_label_new (NULL);
  gboolean is_name = column_of (self, factory)->heading == NULL;

  gtk_label_set_xalign (GTK_LABEL (label), is_name ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), is_name ? PANGO_ELLIPSIZE_MIDDLE
                                                      : PANGO_ELLIPSIZE_NONE);
  gtk_widget_add_css_class (label, "numeric");
  if (is_name)
    self->link (label, 0, TRUE, self->data);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, KymoChartColumns *self)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  guint line = KYMO_LINE (gtk_list_item_get_item (item))->row;
  const Column *column = column_of (self, factory);
  const char *heading = column->heading;
  double number = NAN;
  g_autofree char *text = kymo_chart_cell (peek_cells (self, line), heading, &number);

  if (column->is_time && !isnan (number))
    {
      g_free (text);
      text = kymo_time_column_format (&column->times, number);
    }

  kymo_label_set (label, text);
  if (heading != NULL)
    return;
  kymo_label_set_tip (label, text);
  self->link (label, line, FALSE, self->data);
}

/* -- sorting -------------------------------------------------------------- */

static void
key_clear (gpointer data)
{
  g_free (((Key *) data)->text);
}

static const Key *
key_of (KymoChartColumns *self, Column *column, guint line)
{
  if (column->keys == NULL)
    {
      column->keys = g_array_sized_new (FALSE, TRUE, sizeof (Key), self->n);
      g_array_set_clear_func (column->keys, key_clear);
      for (guint i = 0; i < self->n; i++)
        {
          g_autofree char *cells = self->cells (i, self->data);
          Key key = { .number = NAN };

          key.text = kymo_chart_cell (cells, column->heading, &key.number);
          g_array_append_val (column->keys, key);
        }
    }
  return line < column->keys->len ? &g_array_index (column->keys, Key, line) : NULL;
}

/* What is not there counts as the least; equal lines stay in their order. */
static int
compare_chart_columns (gconstpointer a, gconstpointer b, gpointer sorter)
{
  KymoChartColumns *self = g_object_get_data (sorter, "columns");
  Column *column = column_of (self, sorter);
  const Key *x = key_of (self, column, ((const KymoLine *) a)->row);
  const Key *y = key_of (self, column, ((const KymoLine *) b)->row);

  if (x == NULL || y == NULL)
    return (x != NULL) - (y != NULL);
  if (!isnan (x->number) || !isnan (y->number))
    return isnan (x->number) || isnan (y->number) ? isnan (y->number) - isnan (x->number)
           : (x->number > y->number) - (x->number < y->number);
  return x->text == NULL || y->text == NULL ? (x->text != NULL) - (y->text != NULL)
         : g_utf8_collate (x->text, y->text);
}

/* -- columns -------------------------------------------------------------- */

static void
column_free (gpointer data)
{
  Column *column = data;

  g_clear_pointer (&column->keys, g_array_unref);
  g_object_unref (column->shown);
  g_free (column->heading);
  g_free (column);
}

/* (transfer full): with a capital letter, as titles of all tables */
static char *
dup_title (const char *heading)
{
  char first[6];
  int length = g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (heading)), first);

  return g_strdup_printf ("%.*s%s", length, first, g_utf8_next_char (heading));
}

static void
add_column (KymoChartColumns *self, const char *heading)
{
  gpointer number = GUINT_TO_POINTER (self->columns->len);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (NULL, NULL, NULL));
  g_autofree char *title = dup_title (heading != NULL ? heading : _("Name"));
  Column *column = g_new0 (Column, 1);

  g_object_set_data (G_OBJECT (factory), COLUMN, number);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  g_object_set_data (G_OBJECT (sorter), COLUMN, number);
  g_object_set_data (G_OBJECT (sorter), "columns", self);
  gtk_custom_sorter_set_sort_func (GTK_CUSTOM_SORTER (sorter), compare_chart_columns, sorter,
                                   NULL);
  column->heading = g_strdup (heading);
  column->shown = gtk_column_view_column_new (title, factory);
  g_ptr_array_add (self->columns, column);
  gtk_column_view_column_set_sorter (column->shown, sorter);
  if (heading == NULL)
    kymo_sort_keys_set_text (column->shown);
  gtk_column_view_column_set_resizable (column->shown, TRUE);
  /* Figures stay near their names, however wide the window is. */
  if (heading == NULL)
    gtk_column_view_column_set_fixed_width (column->shown, kymo_text_px (NAME_PX));
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column->shown);
  if (heading != NULL)
    kymo_line_table_last_heading (self->view, TRUE);
}

/* Whether a figure is a duration in ns: moments are written with all digits. */
static gboolean
is_duration (const char *text, double number)
{
  g_autofree char *words = fabs (number) < 9e18 ? kymo_format_duration (llround (number)) : NULL;

  return g_strcmp0 (text, words) == 0;
}

/* Takes the figure of a line into the measures of its column. */
static void
measure_cell (Column *column, const char *cells)
{
  double number = NAN;
  g_autofree char *text = kymo_chart_cell (cells, column->heading, &number);

  if (text == NULL)
    return;
  column->is_time = !isnan (number) && is_duration (text, number);
  column->most = fmax (column->most, fabs (number));
  column->least = number != 0 ? fmin (column->least, fabs (number)) : column->least;
}

/* Durations that stand below each other get one unit; a column with other figures or words keeps
   its texts. The cells of a line are made once for all columns. */
static void
measure_columns (KymoChartColumns *self)
{
  guint step = 1 + self->n / MOST_MEASURED;

  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = self->columns->pdata[i];

      column->is_time = column->heading != NULL;
      column->least = INFINITY;
      column->most = -1;
    }
  for (guint line = 0; line < self->n; line += step)
    {
      g_autofree char *cells = self->cells (line, self->data);

      for (guint i = 0; i < self->columns->len; i++)
        if (((Column *) self->columns->pdata[i])->is_time)
          measure_cell (self->columns->pdata[i], cells);
    }
  for (guint i = 0; i < self->columns->len; i++)
    {
      Column *column = self->columns->pdata[i];

      column->is_time = column->is_time && column->most >= 0;
      if (column->is_time)
        kymo_time_column_init (&column->times, column->least, column->most);
    }
}

/* (transfer container): of all lines, in the order in which they come. @named: whether any has a
   name */
static GPtrArray *
collect_headings (KymoChartColumns *self, gboolean *named)
{
  GPtrArray *headings = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  guint step = 1 + self->n / MOST_LOOKED;

  for (guint line = 0; line < self->n; line += step)
    {
      g_autofree char *cells = self->cells (line, self->data);

      kymo_chart_add_headings (cells, known, headings);
      if (!*named)
        {
          g_autofree char *name = kymo_chart_cell (cells, NULL, NULL);

          *named = name != NULL;
        }
    }
  return headings;
}

static gboolean
has_headings (KymoChartColumns *self, GPtrArray *headings)
{
  if (headings->len + 1 != self->columns->len)
    return FALSE;
  for (guint i = 0; i < headings->len; i++)
    if (g_strcmp0 (headings->pdata[i], ((Column *) self->columns->pdata[i + 1])->heading) != 0)
      return FALSE;
  return TRUE;
}

/* Other columns end an order by one of the old ones. */
static void
make_columns (KymoChartColumns *self, GPtrArray *headings)
{
  gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (self->view), NULL, GTK_SORT_ASCENDING);
  for (guint i = 1; i < self->columns->len; i++)
    gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view),
                                   ((Column *) self->columns->pdata[i])->shown);
  g_ptr_array_set_size (self->columns, MIN (self->columns->len, 1));
  for (guint i = 0; i < headings->len; i++)
    add_column (self, headings->pdata[i]);
}

/* Makes the columns that other lines need, and forgets what the lines before were sorted by. */
static void
renew_columns (KymoChartColumns *self, guint n)
{
  g_autoptr (GPtrArray) headings = NULL;
  Column *names = self->columns->pdata[0];
  gboolean named = n == 0;

  g_clear_pointer (&self->last_cells, g_free);
  self->n = n;
  for (guint i = 0; i < self->columns->len; i++)
    g_clear_pointer (&((Column *) self->columns->pdata[i])->keys, g_array_unref);
  headings = collect_headings (self, &named);
  /* GTK 4.8 keeps the room of a column that is not visible. */
  gtk_column_view_column_set_fixed_width (names->shown, named ? kymo_text_px (NAME_PX) : 0);
  gtk_column_view_column_set_visible (names->shown, named);
  if (!has_headings (self, headings))
    make_columns (self, headings);
  measure_columns (self);
}

/* -- lines ---------------------------------------------------------------- */

static guint
n_of (KymoLineModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (model));
}

static void
fill (KymoLineModel *model, guint first, guint n)
{
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);

  for (guint i = first; i < first + n; i++)
    g_array_append_val (rows, i);
  kymo_line_model_set (model, rows);
}

/**
 * kymo_chart_columns_set:
 * @n_head: lines of the head, or %G_MAXUINT for the same ones as before
 * @n_tail: lines of the tail
 *
 * Takes over other lines, whose cells are there already, and makes the columns that they need.
 * Other columns end an order by one of the old ones.
 */
void
kymo_chart_columns_set (KymoChartColumns *self, guint n_head, guint n_tail)
{
  guint first = n_head != G_MAXUINT ? n_head : n_of (self->head);

  renew_columns (self, first + n_tail);
  if (n_head != G_MAXUINT)
    fill (self->head, 0, n_head);
  fill (self->tail, first, n_tail);
}

/**
 * kymo_chart_columns_get_head:
 *
 * Returns: the number of lines in the head
 */
guint
kymo_chart_columns_get_head (KymoChartColumns *self)
{
  return n_of (self->head);
}

/**
 * kymo_chart_columns_line_at:
 * @position: as lines are sorted
 *
 * Returns: the line there, or %GTK_INVALID_LIST_POSITION
 */
guint
kymo_chart_columns_line_at (KymoChartColumns *self, guint position)
{
  g_autoptr (KymoLine) line = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  return line != NULL ? line->row : GTK_INVALID_LIST_POSITION;
}

/**
 * kymo_chart_columns_find:
 *
 * Returns: the position of a line as lines are sorted, or %GTK_INVALID_LIST_POSITION
 */
guint
kymo_chart_columns_find (KymoChartColumns *self, guint line)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint position = 0;

  /* In no order but their own they lie where their number says. */
  if (kymo_chart_columns_line_at (self, line) == line)
    return line;
  while (position < n && kymo_chart_columns_line_at (self, position) != line)
    position++;
  return position < n ? position : GTK_INVALID_LIST_POSITION;
}

/**
 * kymo_chart_columns_peek_view:
 *
 * Returns: (transfer none): the column view
 */
GtkWidget *
kymo_chart_columns_peek_view (KymoChartColumns *self)
{
  return self->view;
}

/**
 * kymo_chart_columns_peek_selection:
 *
 * Returns: (transfer none): the lines in their order, of which none or one is selected
 */
GtkSingleSelection *
kymo_chart_columns_peek_selection (KymoChartColumns *self)
{
  return self->selection;
}

/**
 * kymo_chart_columns_new:
 * @cells: makes the cells of a line
 * @link: told of the cells of the first column
 * @data: for both
 *
 * Makes a column view with a column of names alone; see kymo_chart_columns_set().
 *
 * Returns: (transfer full): free with kymo_chart_columns_free()
 */
KymoChartColumns *
kymo_chart_columns_new (KymoChartCells cells, KymoChartLink link, gpointer data)
{
  KymoChartColumns *self = g_new0 (KymoChartColumns, 1);
  GListStore *models = g_list_store_new (G_TYPE_LIST_MODEL);
  g_autoptr (GListModel) lines = NULL;
  GtkSorter *sorter;

  self->cells = cells;
  self->link = link;
  self->data = data;
  self->columns = g_ptr_array_new_with_free_func (column_free);
  self->view = g_object_ref_sink (gtk_column_view_new (NULL));
  sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->head = kymo_line_model_new (g_array_new (FALSE, FALSE, sizeof (guint)));
  self->tail = kymo_line_model_new (g_array_new (FALSE, FALSE, sizeof (guint)));
  g_list_store_append (models, self->head);
  g_list_store_append (models, self->tail);
  lines = G_LIST_MODEL (gtk_sort_list_model_new (
    G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (models))), g_object_ref (sorter)));
  gtk_single_selection_set_model (self->selection, lines);
  kymo_sort_keys_attach (GTK_COLUMN_VIEW (self->view));
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_widget_add_css_class (self->view, "kymo-answer");
  add_column (self, NULL);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view),
                             GTK_SELECTION_MODEL (self->selection));
  return self;
}

/**
 * kymo_chart_columns_free:
 *
 * Frees the columns; the view shows no lines any more.
 */
void
kymo_chart_columns_free (KymoChartColumns *self)
{
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
  g_object_unref (self->selection);
  g_object_unref (self->head);
  g_object_unref (self->tail);
  g_object_unref (self->view);
  g_ptr_array_unref (self->columns);
  g_free (self->last_cells);
  g_free (self);
}
