/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is an object that holds the number of its row; with another answer lines get
 * other numbers and say so, for to make the cells of a column view anew takes long.
 * Invariant: no line has a number beyond the list.
 */
#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "kymo-class-color.h"
#include "kymo-compare-table.h"
#include "kymo-label.h"
#include "kymo-look.h"
#include "kymo-session-profile.h"
#include "kymo-swatch.h"
#include "kymo-text-zoom.h"
#include "kymo-theme.h"

#define BAR_PX 56
#define BAR_HEIGHT_PX 10

/* -- a line --------------------------------------------------------------- */

#define KYMO_TYPE_COMPARE_LINE (kymo_compare_line_get_type ())
G_DECLARE_FINAL_TYPE (KymoCompareLine, kymo_compare_line, KYMO, COMPARE_LINE, GObject)

struct _KymoCompareLine
{
  GObject parent_instance;

  guint   row;
};

G_DEFINE_FINAL_TYPE (KymoCompareLine, kymo_compare_line, G_TYPE_OBJECT)

static guint changed_signal;

static void
kymo_compare_line_class_init (KymoCompareLineClass *klass)
{
  changed_signal = g_signal_new ("changed", KYMO_TYPE_COMPARE_LINE,
                                 G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
kymo_compare_line_init (KymoCompareLine *self)
{
}

/* -- the table ------------------------------------------------------------ */

struct _KymoCompareTable
{
  GtkBox              parent_instance;

  KymoSession        *session;
  GArray             *columns;     /* KymoCompareColumn, titles are interned */
  KymoTable          *list;        /* or NULL */
  double              most;        /* the largest effect, for bars */
  GListStore         *lines;
  GtkSingleSelection *selection;   /* borrowed */
  GtkWidget          *view;
  gboolean            filling;
};

G_DEFINE_FINAL_TYPE (KymoCompareTable, kymo_compare_table, GTK_TYPE_BOX)

static const KymoCompareColumn *
column_at (KymoCompareTable *self, guint index)
{
  return index < self->columns->len
         ? &g_array_index (self->columns, KymoCompareColumn, index) : NULL;
}

static guint
index_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, "column"));
}

/* -- cells ---------------------------------------------------------------- */

/* To the right what the other side has more of, to the left what A has; each in
   the colour of the side that has more. */
static void
paint_bar (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  KymoLook look = kymo_look_now ();
  const KymoTheme *theme = kymo_theme_get (look);
  double *share = g_object_get_data (G_OBJECT (area), "share");
  double middle = floor (width / 2.0), length = share != NULL ? *share * (middle - 1) : 0;

  if (share == NULL || isnan (*share))
    return;
  kymo_set_source_alpha (cr, kymo_class_color (look, length < 0 ? 0 : 1),
                         gtk_widget_has_css_class (GTK_WIDGET (area), "dim-label")
                         ? 0.4 : 1);
  cairo_rectangle (cr, MIN (middle, middle + length), (height - BAR_HEIGHT_PX) / 2.0,
                   MAX (fabs (length), 0.5), BAR_HEIGHT_PX);
  cairo_fill (cr);
  kymo_set_source (cr, theme->axis);
  cairo_rectangle (cr, middle, 0, 1, height);
  cairo_fill (cr);
}

static GtkWidget *
new_bar (void)
{
  GtkWidget *bar = gtk_drawing_area_new ();

  gtk_widget_set_size_request (bar, BAR_PX, BAR_HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (bar), paint_bar, NULL, NULL);
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), bar);
  return bar;
}

static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
            GtkListItem *item)
{
  KymoCompareTable *self = KYMO_COMPARE_TABLE (
    gtk_widget_get_ancestor (label, KYMO_TYPE_COMPARE_TABLE));
  KymoCompareLine *line = gtk_list_item_get_item (item);
  const KymoCompareColumn *column
    = self != NULL ? column_at (self, index_of (label)) : NULL;
  g_autofree char *text = NULL;

  if (column == NULL || self->list == NULL || line == NULL)
    return FALSE;
  text = kymo_compare_text (self->list, column, line->row, TRUE);
  gtk_tooltip_set_text (tooltip, text);
  return *text != '\0';
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, KymoCompareTable *self)
{
  const KymoCompareColumn *column = column_at (self, index_of (factory));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  gboolean text;

  if (column == NULL)
    return;
  text = column->kind <= KYMO_COMPARE_TEXT || column->kind == KYMO_COMPARE_WORDS;
  if (column->kind == KYMO_COMPARE_NAME)
    gtk_box_append (GTK_BOX (box), kymo_swatch_new (self->session));
  if (column->kind == KYMO_COMPARE_EFFECT)
    gtk_box_append (GTK_BOX (box), new_bar ());
  g_object_set_data (G_OBJECT (label), "column", GUINT_TO_POINTER (index_of (factory)));
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_tooltip), item, 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), text ? PANGO_ELLIPSIZE_MIDDLE
                                                   : PANGO_ELLIPSIZE_NONE);
  if (!text)
    gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (item, box);
}

static void
set_faded (GtkWidget *widget, gboolean faded)
{
  if (faded)
    gtk_widget_add_css_class (widget, "dim-label");
  else
    gtk_widget_remove_css_class (widget, "dim-label");
}

static void
show_bar (KymoCompareTable *self, GtkWidget *bar, double effect, gboolean faded)
{
  double *share = g_new (double, 1);

  *share = self->most > 0 ? effect / self->most : 0;
  g_object_set_data_full (G_OBJECT (bar), "share", share, g_free);
  set_faded (bar, faded);
  gtk_widget_queue_draw (bar);
}

static void
show_cell (KymoCompareLine *line, GtkWidget *box)
{
  KymoCompareTable *self = g_object_get_data (G_OBJECT (box), "table");
  const KymoCompareColumn *column = column_at (self, index_of (box));
  GtkWidget *label = gtk_widget_get_last_child (box);
  GtkWidget *first = gtk_widget_get_first_child (box);
  g_autofree char *text = NULL;
  gboolean faded;

  if (self->list == NULL || column == NULL)
    return;
  faded = kymo_compare_is_faded (self->list, line->row);
  text = kymo_compare_text (self->list, column, line->row, FALSE);
  kymo_label_set (label, text);
  set_faded (label, faded);
  if (KYMO_IS_SWATCH (first))
    kymo_swatch_set (KYMO_SWATCH (first), text,
                     kymo_table_get_string (self->list, "kind", line->row));
  else if (GTK_IS_DRAWING_AREA (first))
    show_bar (self, first, kymo_compare_number (self->list, column, line->row), faded);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, KymoCompareTable *self)
{
  GtkWidget *box = gtk_list_item_get_child (item);

  if (box == NULL)
    return;
  g_object_set_data (G_OBJECT (box), "table", self);
  g_object_set_data (G_OBJECT (box), "column", GUINT_TO_POINTER (index_of (factory)));
  show_cell (gtk_list_item_get_item (item), box);
  g_signal_connect_object (gtk_list_item_get_item (item), "changed",
                           G_CALLBACK (show_cell), box, 0);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item, KymoCompareTable *self)
{
  if (gtk_list_item_get_child (item) != NULL)
    g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), show_cell,
                                          gtk_list_item_get_child (item));
}

/* -- sorting -------------------------------------------------------------- */

/* What is not known comes last; where both are equal the order of the answer holds. */
static int
compare (gconstpointer a, gconstpointer b, gpointer sorter)
{
  KymoCompareTable *self = g_object_get_data (sorter, "table");
  const KymoCompareColumn *column = column_at (self, index_of (sorter));
  guint x = ((const KymoCompareLine *) a)->row, y = ((const KymoCompareLine *) b)->row;
  double left, right;

  if (self->list == NULL || column == NULL)
    return 0;
  if (column->kind <= KYMO_COMPARE_TEXT || column->kind == KYMO_COMPARE_WORDS)
    {
      g_autofree char *one = kymo_compare_text (self->list, column, x, TRUE);
      g_autofree char *other = kymo_compare_text (self->list, column, y, TRUE);

      return g_utf8_collate (one, other);
    }
  left = kymo_compare_number (self->list, column, x);
  right = kymo_compare_number (self->list, column, y);
  if (isnan (left) || isnan (right))
    return isnan (right) - isnan (left);
  return (left > right) - (left < right);
}

/* -- the chosen one ------------------------------------------------------- */

static int
row_at (KymoCompareTable *self, guint position)
{
  g_autoptr (KymoCompareLine) line
    = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  return line != NULL ? (int) line->row : -1;
}

static const char *
name_at (KymoCompareTable *self, guint position)
{
  int row = self->list != NULL ? row_at (self, position) : -1;

  return row >= 0 ? kymo_table_get_string (self->list, "name", row) : NULL;
}

static void
on_selected (KymoCompareTable *self)
{
  const char *name = name_at (self, gtk_single_selection_get_selected (self->selection));

  if (!self->filling && name != NULL)
    kymo_session_set_function (self->session, name);
}

static void
on_activate (GtkColumnView *view, guint position, KymoCompareTable *self)
{
  const char *name = name_at (self, position);

  if (name != NULL)
    g_signal_emit_by_name (self, "activated", name);
}

static guint
find_position (KymoCompareTable *self, const char *name)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint i = 0; name != NULL && i < n; i++)
    if (g_strcmp0 (name_at (self, i), name) == 0)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

/* @scroll: brings it into sight. */
static void
select_chosen (KymoCompareTable *self, gboolean scroll)
{
  guint position = find_position (self, kymo_session_peek_function (self->session));

  if (gtk_single_selection_get_selected (self->selection) == position)
    return;
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->filling = FALSE;
  if (scroll && position != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_widget_get_last_child (self->view),
                                "list.scroll-to-item", "u", position);
}

static void
on_function (KymoCompareTable *self)
{
  select_chosen (self, TRUE);
}

/* -- figures -------------------------------------------------------------- */

/**
 * kymo_compare_table_dup_figures:
 *
 * Writes titles and all lines as they are sorted, with tabs between cells and all digits.
 *
 * Returns: (transfer full): the text; a table without lines gives its titles alone
 */
char *
kymo_compare_table_dup_figures (KymoCompareTable *self)
{
  GString *text = g_string_new (NULL);
  guint n = self->list != NULL
            ? g_list_model_get_n_items (G_LIST_MODEL (self->selection)) : 0;

  for (guint i = 0; i < self->columns->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "",
                            column_at (self, i)->title);
  g_string_append_c (text, '\n');
  for (guint position = 0; position < n; position++)
    {
      for (guint i = 0; i < self->columns->len; i++)
        {
          g_autofree char *cell = kymo_compare_text (self->list, column_at (self, i),
                                                     row_at (self, position), TRUE);

          g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", cell);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static gboolean
on_copy (GtkWidget *widget, GVariant *args, gpointer data)
{
  g_autofree char *text = kymo_compare_table_dup_figures (KYMO_COMPARE_TABLE (widget));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  g_signal_emit_by_name (widget, "copied");
  return TRUE;
}

/* -- filling -------------------------------------------------------------- */

static void
set_lines (KymoCompareTable *self, guint n)
{
  g_autoptr (GPtrArray) more = g_ptr_array_new_with_free_func (g_object_unref);
  guint before = g_list_model_get_n_items (G_LIST_MODEL (self->lines));

  for (guint i = before; i < n; i++)
    g_ptr_array_add (more, g_object_new (KYMO_TYPE_COMPARE_LINE, NULL));
  g_list_store_splice (self->lines, MIN (before, n), before > n ? before - n : 0,
                       more->pdata, more->len);
}

static void
number_lines (KymoCompareTable *self, const guint *rows, guint n)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (KymoCompareLine) line
        = g_list_model_get_item (G_LIST_MODEL (self->lines), i);

      line->row = rows != NULL ? rows[i] : i;
      g_signal_emit (line, changed_signal, 0);
    }
  if (n > 0 && gtk_sorter_get_order (sorter) != GTK_SORTER_ORDER_NONE)
    gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

/* The longest bar is that of the largest effect. */
static void
find_most (KymoCompareTable *self)
{
  guint n = self->list != NULL ? kymo_table_get_n_rows (self->list) : 0;

  self->most = 0;
  for (guint i = 0; i < n; i++)
    self->most = fmax (self->most, fabs (kymo_table_get_double (self->list, "effect", i)));
}

/**
 * kymo_compare_table_set:
 * @list: (nullable) (transfer none): of an answer
 * @rows: (nullable) (array length=n_rows): rows of it; %NULL is all of them
 */
void
kymo_compare_table_set (KymoCompareTable *self, KymoTable *list, const guint *rows,
                        guint n_rows)
{
  guint n = list == NULL ? 0 : rows != NULL ? n_rows : kymo_table_get_n_rows (list);
  guint before = g_list_model_get_n_items (G_LIST_MODEL (self->lines));

  self->filling = TRUE;
  /* Lines go while their rows are there and come when theirs are. */
  if (n < before)
    set_lines (self, n);
  for (guint i = 0; i < MIN (n, before); i++)
    {
      g_autoptr (KymoCompareLine) line
        = g_list_model_get_item (G_LIST_MODEL (self->lines), i);

      line->row = rows != NULL ? rows[i] : i;
    }
  if (list != NULL)
    kymo_table_ref (list);
  g_clear_pointer (&self->list, kymo_table_unref);
  self->list = list;
  find_most (self);
  set_lines (self, n);
  number_lines (self, rows, n);
  self->filling = FALSE;
  select_chosen (self, FALSE);
}

static gboolean
same_columns (KymoCompareTable *self, const KymoCompareColumn *columns, guint n)
{
  if (n != self->columns->len)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const KymoCompareColumn *own = column_at (self, i);

      if (!g_str_equal (own->title, columns[i].title) || own->element != columns[i].element
          || !g_str_equal (own->key, columns[i].key))
        return FALSE;
    }
  return TRUE;
}

static void
add_column (KymoCompareTable *self, guint index)
{
  const KymoCompareColumn *column = column_at (self, index);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkCustomSorter) sorter = gtk_custom_sorter_new (NULL, NULL, NULL);
  g_autoptr (GtkColumnViewColumn) shown = NULL;

  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (index));
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  g_object_set_data (G_OBJECT (sorter), "column", GUINT_TO_POINTER (index));
  g_object_set_data (G_OBJECT (sorter), "table", self);
  gtk_custom_sorter_set_sort_func (sorter, compare, sorter, NULL);
  shown = gtk_column_view_column_new (column->title, factory);
  gtk_column_view_column_set_sorter (shown, GTK_SORTER (sorter));
  gtk_column_view_column_set_resizable (shown, TRUE);
  if (column->width_px > 0)
    gtk_column_view_column_set_fixed_width (shown, kymo_text_px (column->width_px));
  gtk_column_view_column_set_expand (shown, column->width_px == 0
                                     || column->kind == KYMO_COMPARE_WORDS);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), shown);
}

/**
 * kymo_compare_table_set_columns:
 * @columns: copied with their titles; each key must stay valid as long as the table
 *
 * Replaces the columns and empties the table, until kymo_compare_table_set() fills it. Where the
 * columns are the same nothing happens.
 */
void
kymo_compare_table_set_columns (KymoCompareTable *self, const KymoCompareColumn *columns,
                                guint n_columns)
{
  GListModel *shown = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  if (same_columns (self, columns, n_columns))
    return;
  kymo_compare_table_set (self, NULL, NULL, 0);
  while (g_list_model_get_n_items (shown) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (shown, 0);

      gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), column);
    }
  g_array_set_size (self->columns, 0);
  for (guint i = 0; i < n_columns; i++)
    {
      KymoCompareColumn column = columns[i];

      column.title = g_intern_string (column.title);
      g_array_append_val (self->columns, column);
      add_column (self, i);
    }
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_compare_table_dispose (GObject *object)
{
  KymoCompareTable *self = KYMO_COMPARE_TABLE (object);

  g_clear_pointer (&self->list, kymo_table_unref);
  g_clear_object (&self->lines);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_compare_table_parent_class)->dispose (object);
}

static void
kymo_compare_table_finalize (GObject *object)
{
  g_array_unref (KYMO_COMPARE_TABLE (object)->columns);
  G_OBJECT_CLASS (kymo_compare_table_parent_class)->finalize (object);
}

static void
kymo_compare_table_class_init (KymoCompareTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_compare_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_compare_table_finalize;
  g_signal_new ("activated", KYMO_TYPE_COMPARE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("copied", KYMO_TYPE_COMPARE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_c,
                                GDK_CONTROL_MASK, on_copy, NULL);
}

static void
kymo_compare_table_init (KymoCompareTable *self)
{
  self->lines = g_list_store_new (KYMO_TYPE_COMPARE_LINE);
  self->columns = g_array_new (FALSE, FALSE, sizeof (KymoCompareColumn));
}

static void
build_view (KymoCompareTable *self, const char *name)
{
  GtkSortListModel *sorted;

  self->view = gtk_column_view_new (NULL);
  sorted = gtk_sort_list_model_new (
    G_LIST_MODEL (g_object_ref (self->lines)),
    g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (sorted));
  g_object_unref (sorted);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view),
                             GTK_SELECTION_MODEL (self->selection));
  g_object_unref (self->selection);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_widget_add_css_class (self->view, "kymo-answer");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (self->selection, "notify::selected",
                           G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self, 0);
}

/** kymo_compare_table_new: @name: for who does not see it */
GtkWidget *
kymo_compare_table_new (KymoSession *session, const char *name)
{
  KymoCompareTable *self = g_object_new (KYMO_TYPE_COMPARE_TABLE, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->session = g_object_ref (session);
  build_view (self, name);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
  g_signal_connect_object (session, "function-changed", G_CALLBACK (on_function), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
