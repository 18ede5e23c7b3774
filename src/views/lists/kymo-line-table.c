/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is an object that holds nothing but the number of its row; cells and sorters read the
 * answer. With another answer lines get other numbers and say so ("changed"), for to make the
 * cells of a column view anew takes long.
 *
 * Invariant: no line has the number of a row that the answer at hand has not.
 */
#include "config.h"

#include "kymo-line-table.h"

#include <math.h>

#include "kymo-kept-sorter.h"
#include "kymo-label.h"
#include "kymo-text-zoom.h"

/* -- a line --------------------------------------------------------------- */

#define KYMO_TYPE_LINE (kymo_line_get_type ())
G_DECLARE_FINAL_TYPE (KymoLine, kymo_line, KYMO, LINE, GObject)

struct _KymoLine
{
  GObject parent_instance;

  guint   row;
};

G_DEFINE_FINAL_TYPE (KymoLine, kymo_line, G_TYPE_OBJECT)

static guint changed_signal;

static void
kymo_line_class_init (KymoLineClass *klass)
{
  changed_signal = g_signal_new ("changed", KYMO_TYPE_LINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
}

static void
kymo_line_init (KymoLine *self)
{
}

/* -- the table ------------------------------------------------------------ */

typedef struct
{
  GArray             *is_text;     /* gboolean, one a column */
  GListStore         *lines;
  GtkSingleSelection *selection;   /* borrowed */
  GtkWidget          *view;
  gboolean            filling;     /* what is selected now no person selects */
} KymoLineTablePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (KymoLineTable, kymo_line_table, GTK_TYPE_BOX)

static KymoLineTablePrivate *
private_of (KymoLineTable *self)
{
  return kymo_line_table_get_instance_private (self);
}

static gboolean
is_text (KymoLineTable *self, guint column)
{
  return g_array_index (private_of (self)->is_text, gboolean, column);
}

static guint
column_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, "column"));
}

/* -- cells ---------------------------------------------------------------- */

/* Made when it is asked for: to set a tooltip asks the display where the pointer is, and a table
   binds hundreds of cells at once. */
static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
            GtkListItem *item)
{
  KymoLineTable *self = KYMO_LINE_TABLE (gtk_widget_get_ancestor (label, KYMO_TYPE_LINE_TABLE));
  KymoLine *line = gtk_list_item_get_item (item);
  g_autofree char *exact = NULL;

  if (self == NULL || line == NULL)
    return FALSE;
  exact = KYMO_LINE_TABLE_GET_CLASS (self)->text (self, column_of (label), line->row, TRUE);
  if (*exact == '\0'
      || (g_str_equal (exact, gtk_label_get_text (GTK_LABEL (label)))
          && !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)))))
    return FALSE;
  gtk_tooltip_set_text (tooltip, exact);
  return TRUE;
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, KymoLineTable *self)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  guint column = column_of (factory);
  gboolean text = is_text (self, column);

  g_object_set_data (G_OBJECT (label), "column", GUINT_TO_POINTER (column));
  g_object_set_data (G_OBJECT (cell), "column", GUINT_TO_POINTER (column));
  g_object_set_data (G_OBJECT (cell), "table", self);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_tooltip), item, 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), text ? PANGO_ELLIPSIZE_MIDDLE
                                                   : PANGO_ELLIPSIZE_NONE);
  if (!text)
    gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (cell), label);
  if (klass->setup != NULL)
    klass->setup (self, column, cell);
  gtk_list_item_set_child (item, cell);
}

static void
show_cell (KymoLine *line, GtkWidget *cell)
{
  KymoLineTable *self = g_object_get_data (G_OBJECT (cell), "table");
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  g_autofree char *text = klass->text (self, column_of (cell), line->row, FALSE);

  kymo_label_set (gtk_widget_get_last_child (cell), text);
  if (klass->show != NULL)
    klass->show (self, column_of (cell), cell, line->row);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, KymoLineTable *self)
{
  GtkWidget *cell = gtk_list_item_get_child (item);

  show_cell (gtk_list_item_get_item (item), cell);
  g_signal_connect_object (gtk_list_item_get_item (item), "changed", G_CALLBACK (show_cell),
                           cell, 0);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item, KymoLineTable *self)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), show_cell,
                                        gtk_list_item_get_child (item));
}

/* -- sorting -------------------------------------------------------------- */

/* What is not known counts as the least; where both are equal, the order of the answer holds, for
   sorting is stable. */
static int
compare_line_table (gconstpointer a, gconstpointer b, gpointer sorter)
{
  KymoLineTable *self = g_object_get_data (sorter, "table");
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  guint column = column_of (sorter);
  guint x = ((const KymoLine *) a)->row, y = ((const KymoLine *) b)->row;
  double left, right;

  if (is_text (self, column))
    return klass->compare (self, column, x, y);
  left = klass->number (self, column, x);
  right = klass->number (self, column, y);
  if (isnan (left) || isnan (right))
    return isnan (right) - isnan (left);
  return (left > right) - (left < right);
}

/* -- columns -------------------------------------------------------------- */

/**
 * kymo_line_table_add_column:
 * @column: copied
 *
 * Adds a column on the right. The table must have no lines.
 */
void
kymo_line_table_add_column (KymoLineTable *self, const KymoLineColumn *column)
{
  KymoLineTablePrivate *own = private_of (self);
  gpointer index = GUINT_TO_POINTER (own->is_text->len);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (NULL, NULL, NULL));
  g_autoptr (GtkColumnViewColumn) shown = gtk_column_view_column_new (column->title, factory);

  g_array_append_val (own->is_text, column->is_text);
  g_object_set_data (G_OBJECT (factory), "column", index);
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  g_object_set_data (G_OBJECT (sorter), "table", self);
  g_object_set_data (G_OBJECT (sorter), "column", index);
  gtk_custom_sorter_set_sort_func (GTK_CUSTOM_SORTER (sorter), compare_line_table, sorter, NULL);
  if (column->key != NULL)
    sorter = kymo_kept_sorter_new (sorter, column->key);
  gtk_column_view_column_set_sorter (shown, sorter);
  gtk_column_view_column_set_resizable (shown, TRUE);
  if (column->width_px > 0)
    gtk_column_view_column_set_fixed_width (shown, kymo_text_px (column->width_px));
  gtk_column_view_column_set_expand (shown, column->width_px <= 0 || column->expands);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (own->view), shown);
  g_object_unref (sorter);
}

/* (transfer full) */
static GtkColumnViewColumn *
column_at (KymoLineTable *self, guint column)
{
  return g_list_model_get_item (gtk_column_view_get_columns (
    GTK_COLUMN_VIEW (private_of (self)->view)), column);
}

/**
 * kymo_line_table_drop_columns:
 *
 * Removes all columns. The table must have no lines.
 */
void
kymo_line_table_drop_columns (KymoLineTable *self)
{
  KymoLineTablePrivate *own = private_of (self);

  for (; own->is_text->len > 0; g_array_set_size (own->is_text, own->is_text->len - 1))
    {
      g_autoptr (GtkColumnViewColumn) column = column_at (self, 0);

      gtk_column_view_remove_column (GTK_COLUMN_VIEW (own->view), column);
    }
}

/** kymo_line_table_set_title: another title for a column, as it is shown */
void
kymo_line_table_set_title (KymoLineTable *self, guint column, const char *title)
{
  g_autoptr (GtkColumnViewColumn) shown = column_at (self, column);

  gtk_column_view_column_set_title (shown, title);
}

/** kymo_line_table_sort: by one column alone, whatever order the person chose */
void
kymo_line_table_sort (KymoLineTable *self, guint column, gboolean descending)
{
  GtkColumnView *view = GTK_COLUMN_VIEW (private_of (self)->view);
  g_autoptr (GtkColumnViewColumn) shown = column_at (self, column);

  /* Else the column before stays the second one, with an arrow of its own. */
  gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (view, shown, descending ? GTK_SORT_DESCENDING
                                                          : GTK_SORT_ASCENDING);
}

/* -- selecting ------------------------------------------------------------ */

/**
 * kymo_line_table_get_n_lines:
 *
 * Returns: the number of lines, which is that of the rows that were set
 */
guint
kymo_line_table_get_n_lines (KymoLineTable *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (private_of (self)->selection));
}

/**
 * kymo_line_table_row_at:
 * @line: from 0, as lines are sorted
 *
 * Returns: the row of the answer that the line is of; -1 where there is no such line
 */
int
kymo_line_table_row_at (KymoLineTable *self, guint line)
{
  g_autoptr (KymoLine) found
    = g_list_model_get_item (G_LIST_MODEL (private_of (self)->selection), line);

  return found != NULL ? (int) found->row : -1;
}

/**
 * kymo_line_table_get_selected:
 *
 * Returns: the row of the answer whose line is selected, or -1
 */
int
kymo_line_table_get_selected (KymoLineTable *self)
{
  return kymo_line_table_row_at (
    self, gtk_single_selection_get_selected (private_of (self)->selection));
}

/**
 * kymo_line_table_select:
 * @line: from 0, as lines are sorted, or %GTK_INVALID_LIST_POSITION
 * @scroll: bring a line that was not selected into sight
 *
 * Selects a line. The function "selected" of the class is not called.
 */
void
kymo_line_table_select (KymoLineTable *self, guint line, gboolean scroll)
{
  KymoLineTablePrivate *own = private_of (self);

  if (gtk_single_selection_get_selected (own->selection) == line)
    return;
  own->filling = TRUE;
  gtk_single_selection_set_selected (own->selection, line);
  own->filling = FALSE;
  /* GTK 4.8 has no other way to bring a line of a column view into sight. */
  if (scroll && line != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_widget_get_last_child (own->view), "list.scroll-to-item",
                                "u", line);
}

static void
on_selected (KymoLineTable *self)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);

  if (!private_of (self)->filling && klass->selected != NULL)
    klass->selected (self, kymo_line_table_get_selected (self));
}

static void
on_activate (GtkColumnView *view, guint line, KymoLineTable *self)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  int row = kymo_line_table_row_at (self, line);

  if (row >= 0 && klass->activated != NULL)
    klass->activated (self, row);
}

/* -- figures -------------------------------------------------------------- */

/**
 * kymo_line_table_dup_figures:
 *
 * Writes the table as text: the titles of its columns, then all its lines in the order shown, with
 * tabs between cells and all digits.
 *
 * Returns: (transfer full): the text; each line ends with "\n"
 */
char *
kymo_line_table_dup_figures (KymoLineTable *self)
{
  GString *text = g_string_new (NULL);
  guint n = kymo_line_table_get_n_lines (self), n_columns = private_of (self)->is_text->len;

  for (guint i = 0; i < n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = column_at (self, i);

      g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "",
                              gtk_column_view_column_get_title (column));
    }
  g_string_append_c (text, '\n');
  for (guint line = 0; line < n; line++)
    {
      for (guint i = 0; i < n_columns; i++)
        {
          g_autofree char *cell = KYMO_LINE_TABLE_GET_CLASS (self)->text (
            self, i, kymo_line_table_row_at (self, line), TRUE);

          g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", cell);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static gboolean
on_copy (GtkWidget *widget, GVariant *args, gpointer data)
{
  g_autofree char *text = kymo_line_table_dup_figures (KYMO_LINE_TABLE (widget));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  g_signal_emit_by_name (widget, "copied");
  return TRUE;
}

/* -- filling -------------------------------------------------------------- */

/* As many lines as that, those at hand first. */
static void
set_lines (KymoLineTable *self, const guint *rows, guint n)
{
  GListStore *lines = private_of (self)->lines;
  g_autoptr (GPtrArray) more = g_ptr_array_new_with_free_func (g_object_unref);
  guint before = g_list_model_get_n_items (G_LIST_MODEL (lines));

  for (guint i = before; i < n; i++)
    {
      KymoLine *line = g_object_new (KYMO_TYPE_LINE, NULL);

      line->row = rows != NULL ? rows[i] : i;
      g_ptr_array_add (more, line);
    }
  g_list_store_splice (lines, MIN (before, n), before > n ? before - n : 0, more->pdata,
                       more->len);
}

/**
 * kymo_line_table_begin:
 * @rows: (nullable) (array length=n): rows of the next answer; %NULL is the first @n of it
 *
 * To be called before the answer changes; kymo_line_table_end() must follow, with the same rows.
 */
void
kymo_line_table_begin (KymoLineTable *self, const guint *rows, guint n)
{
  KymoLineTablePrivate *own = private_of (self);

  own->filling = TRUE;
  /* Lines go while their rows are there and come when theirs are. */
  if (n < g_list_model_get_n_items (G_LIST_MODEL (own->lines)))
    set_lines (self, rows, n);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (own->lines)); i++)
    {
      g_autoptr (KymoLine) line = g_list_model_get_item (G_LIST_MODEL (own->lines), i);

      line->row = rows != NULL ? rows[i] : i;
    }
}

/**
 * kymo_line_table_end:
 *
 * Shows the rows of the answer that is at hand now, sorted as before.
 */
void
kymo_line_table_end (KymoLineTable *self, const guint *rows, guint n)
{
  KymoLineTablePrivate *own = private_of (self);
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (own->view));
  guint before = g_list_model_get_n_items (G_LIST_MODEL (own->lines));

  set_lines (self, rows, n);
  for (guint i = 0; i < before; i++)
    {
      g_autoptr (KymoLine) line = g_list_model_get_item (G_LIST_MODEL (own->lines), i);

      g_signal_emit (line, changed_signal, 0);
    }
  if (n > 0 && gtk_sorter_get_order (sorter) != GTK_SORTER_ORDER_NONE)
    gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
  own->filling = FALSE;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_line_table_finalize (GObject *object)
{
  KymoLineTablePrivate *own = private_of (KYMO_LINE_TABLE (object));

  g_clear_object (&own->lines);
  g_array_unref (own->is_text);
  G_OBJECT_CLASS (kymo_line_table_parent_class)->finalize (object);
}

static void
kymo_line_table_class_init (KymoLineTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_line_table_finalize;
  g_signal_new ("copied", KYMO_TYPE_LINE_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_c, GDK_CONTROL_MASK, on_copy,
                                NULL);
}

static void
kymo_line_table_init (KymoLineTable *self)
{
  KymoLineTablePrivate *own = private_of (self);

  own->is_text = g_array_new (FALSE, FALSE, sizeof (gboolean));
  own->lines = g_list_store_new (KYMO_TYPE_LINE);
  own->view = gtk_column_view_new (NULL);
}

/**
 * kymo_line_table_peek_view:
 *
 * Returns: (transfer none): the column view
 */
GtkWidget *
kymo_line_table_peek_view (KymoLineTable *self)
{
  return private_of (self)->view;
}

/**
 * kymo_line_table_build:
 * @name: of the table, for accessibility
 *
 * Builds what is inside. To be called once, by the constructor of a derived type.
 */
void
kymo_line_table_build (KymoLineTable *self, const char *name)
{
  KymoLineTablePrivate *own = private_of (self);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkSortListModel *sorted = gtk_sort_list_model_new (
    G_LIST_MODEL (g_object_ref (own->lines)),
    g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (own->view))));

  own->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (own->selection, FALSE);
  gtk_single_selection_set_can_unselect (own->selection, TRUE);
  gtk_single_selection_set_model (own->selection, G_LIST_MODEL (sorted));
  g_object_unref (sorted);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (own->view), GTK_SELECTION_MODEL (own->selection));
  g_object_unref (own->selection);
  gtk_widget_add_css_class (own->view, "data-table");
  gtk_widget_add_css_class (own->view, "kymo-answer");
  gtk_accessible_update_property (GTK_ACCESSIBLE (own->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  g_signal_connect_object (own->selection, "notify::selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (own->view, "activate", G_CALLBACK (on_activate), self, 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), own->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
}
