/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is an object that holds nothing but the number of its row; cells and
 * sorters read the answer. With another answer lines get other numbers and say
 * so ("changed"), for to make the cells of a column view anew takes long.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-answer-texts.h"
#include "kymo-class-color.h"
#include "kymo-hover-row.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-kept-sorter.h"
#include "kymo-label.h"
#include "kymo-look.h"
#include "kymo-safe-text.h"
#include "kymo-text-zoom.h"
#include "kymo-theme.h"

#define DOT_PX 12
#define LEAST_NAME_CHARS 12

/* -- a line --------------------------------------------------------------- */

#define KYMO_TYPE_ANSWER_ROW (kymo_answer_row_get_type ())
G_DECLARE_FINAL_TYPE (KymoAnswerRow, kymo_answer_row, KYMO, ANSWER_ROW,
                      GObject)

struct _KymoAnswerRow
{
  GObject parent_instance;

  guint   row;
};

G_DEFINE_FINAL_TYPE (KymoAnswerRow, kymo_answer_row, G_TYPE_OBJECT)

static guint changed_signal;

static void
kymo_answer_row_class_init (KymoAnswerRowClass *klass)
{
  changed_signal = g_signal_new ("changed", KYMO_TYPE_ANSWER_ROW,
                                 G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
kymo_answer_row_init (KymoAnswerRow *self)
{
}

/* -- the list ------------------------------------------------------------- */

struct _KymoAnswerList
{
  GtkBox                  parent_instance;

  const KymoAnswerColumn *columns;
  guint                   n_columns;
  KymoAnswerTexts         texts;       /* its table is owned */
  KymoTerms               terms;       /* of titles */
  GListStore             *rows;
  GtkSingleSelection     *selection;   /* borrowed */
  GtkWidget              *view;
  gboolean                filling;
  KymoSession            *session;     /* to link lines in, or NULL */
  KymoAnswerLinks         links;
};

G_DEFINE_FINAL_TYPE (KymoAnswerList, kymo_answer_list, GTK_TYPE_BOX)

/* -- cells ---------------------------------------------------------------- */

static const KymoAnswerColumn *
column_of (GtkListItemFactory *factory)
{
  return g_object_get_data (G_OBJECT (factory), "column");
}

static void
paint_cluster (GtkDrawingArea *area, cairo_t *cr, int width, int height,
               gpointer data)
{
  int cluster = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (area),
                                                    "cluster"));

  cairo_arc (cr, width / 2.0, height / 2.0, DOT_PX / 2.0 - 1, 0, 2 * G_PI);
  kymo_set_source (cr, kymo_class_color (kymo_look_now (), cluster));
  cairo_fill (cr);
}

static void
add_dot (GtkWidget *box)
{
  GtkWidget *dot = gtk_drawing_area_new ();

  gtk_widget_set_size_request (dot, DOT_PX, DOT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (dot), paint_cluster, NULL,
                                  NULL);
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), dot);
  gtk_box_append (GTK_BOX (box), dot);
}

/* Made when it is asked for: to set a tooltip asks the display where the pointer
   is, and a table binds hundreds of cells at once. */
static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard,
            GtkTooltip *tooltip, GtkListItem *list_item)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (
    gtk_widget_get_ancestor (label, KYMO_TYPE_ANSWER_LIST));
  const KymoAnswerColumn *column = g_object_get_data (G_OBJECT (label),
                                                      "column");
  KymoAnswerRow *row = gtk_list_item_get_item (list_item);
  g_autofree char *exact = NULL;

  if (self == NULL || self->texts.table == NULL || row == NULL)
    return FALSE;
  exact = kymo_answer_exact (&self->texts, column, row->row);
  if (*exact == '\0'
      || g_str_equal (exact, gtk_label_get_text (GTK_LABEL (label))))
    return FALSE;
  gtk_tooltip_set_text (tooltip, exact);
  return TRUE;
}

/* -- links ---------------------------------------------------------------- */

static gboolean
is_linked (KymoAnswerList *self, const KymoAnswerColumn *column)
{
  return self->session != NULL && column == self->columns;
}

static const char *
link_text (const KymoTable *table, const char *key, guint row)
{
  return key != NULL && kymo_table_find_column (table, key) >= 0
         ? kymo_table_get_string (table, key, row) : NULL;
}

static gint64
link_int (const KymoTable *table, const char *key, guint row, gint64 none)
{
  gint64 value = key != NULL && kymo_table_find_column (table, key) >= 0
                 ? kymo_table_get_int (table, key, row) : KYMO_NULL_INT;

  return value == KYMO_NULL_INT ? none : value;
}

static void
link_cell (KymoAnswerList *self, GtkWidget *box, guint row)
{
  const KymoTable *table = self->texts.table;
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;

  if (table != NULL && row < kymo_table_get_n_rows (table))
    {
      subject.name = link_text (table, self->links.name, row);
      subject.other = link_text (table, self->links.other, row);
      subject.location = link_int (table, self->links.location, row, -1);
      subject.span.begin_ns = link_int (table, self->links.begin, row, G_MININT64);
      subject.span.end_ns = link_int (table, self->links.end, row, subject.span.begin_ns);
    }
  kymo_hover_row_stand_for (box, &subject);
}

/** kymo_answer_list_link: @links: is copied, the names in it are not */
void
kymo_answer_list_link (KymoAnswerList *self, KymoSession *session,
                       const KymoAnswerLinks *links)
{
  g_set_object (&self->session, session);
  self->links = *links;
}

/* -- making cells --------------------------------------------------------- */

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item,
          KymoAnswerList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  gboolean text = column_of (factory)->kind == KYMO_CELL_TEXT;

  if (column_of (factory)->kind == KYMO_CELL_CLUSTER)
    add_dot (box);
  gtk_widget_set_hexpand (label, TRUE);
  g_object_set_data (G_OBJECT (label), "column",
                     (gpointer) column_of (factory));
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_tooltip),
                           list_item, 0);
  gtk_box_append (GTK_BOX (box), label);
  gtk_label_set_xalign (GTK_LABEL (label), text ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), text ? PANGO_ELLIPSIZE_MIDDLE
                                                   : PANGO_ELLIPSIZE_NONE);
  /* Names that nobody could tell apart are no names: rather the table scrolls. */
  if (text && column_of (factory)->width_px <= 0)
    gtk_label_set_width_chars (GTK_LABEL (label), LEAST_NAME_CHARS);
  if (!text)
    gtk_widget_add_css_class (label, "numeric");
  if (is_linked (self, column_of (factory)))
    kymo_hover_row_attach (box, self->session);
  gtk_list_item_set_child (list_item, box);
}

static void
show_cell (KymoAnswerRow *row, GtkWidget *box)
{
  KymoAnswerList *self = g_object_get_data (G_OBJECT (box), "list");
  const KymoAnswerColumn *column = g_object_get_data (G_OBJECT (box),
                                                      "column");
  GtkWidget *label = gtk_widget_get_last_child (box);
  g_autofree char *text = kymo_answer_text (&self->texts, column, row->row);
  g_autofree char *safe = kymo_safe_text_dup (text);

  if (column->kind == KYMO_CELL_CLUSTER)
    {
      GtkWidget *dot = gtk_widget_get_first_child (box);

      g_object_set_data (G_OBJECT (dot), "cluster", GINT_TO_POINTER (
        (int) kymo_answer_number (&self->texts, column, row->row)));
      gtk_widget_queue_draw (dot);
    }
  kymo_label_set (label, safe);
  if (is_linked (self, column))
    link_cell (self, box, row->row);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item,
         KymoAnswerList *self)
{
  KymoAnswerRow *row = gtk_list_item_get_item (list_item);
  GtkWidget *box = gtk_list_item_get_child (list_item);

  g_object_set_data (G_OBJECT (box), "list", self);
  g_object_set_data (G_OBJECT (box), "column",
                     (gpointer) column_of (factory));
  show_cell (row, box);
  g_signal_connect_object (row, "changed", G_CALLBACK (show_cell), box, 0);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *list_item,
           KymoAnswerList *self)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item),
                                        show_cell,
                                        gtk_list_item_get_child (list_item));
}

/* -- sorting -------------------------------------------------------------- */

/* What is not known comes last either way up; where both are equal, the order
   of the answer holds, for sorting is stable. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  KymoAnswerList *self = g_object_get_data (data, "list");
  const KymoAnswerColumn *column = g_object_get_data (data, "column");
  guint x = ((const KymoAnswerRow *) a)->row, y = ((const KymoAnswerRow *) b)->row;
  guint n = self->texts.table != NULL
            ? kymo_table_get_n_rows (self->texts.table) : 0;
  double left, right;

  /* Lines that are about to go may be of a table before. */
  if (x >= n || y >= n)
    return 0;
  if (column->kind == KYMO_CELL_TEXT)
    return g_strcmp0 (kymo_table_get_string (self->texts.table, column->key, x),
                      kymo_table_get_string (self->texts.table, column->key, y));
  left = kymo_answer_number (&self->texts, column, x);
  right = kymo_answer_number (&self->texts, column, y);
  if (isnan (left) || isnan (right))
    return isnan (right) - isnan (left);
  return (left > right) - (left < right);
}

/* -- selecting ------------------------------------------------------------ */

static int
row_at (KymoAnswerList *self, guint position)
{
  g_autoptr (KymoAnswerRow) row
    = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  return row != NULL ? (int) row->row : -1;
}

/** kymo_answer_list_get_selected: row of the answer's table, or -1 */
int
kymo_answer_list_get_selected (KymoAnswerList *self)
{
  return row_at (self, gtk_single_selection_get_selected (self->selection));
}

static void
on_selected (KymoAnswerList *self)
{
  if (!self->filling)
    g_signal_emit_by_name (self, "selected",
                           kymo_answer_list_get_selected (self));
}

static void
on_activate (GtkColumnView *view, guint position, KymoAnswerList *self)
{
  int row = row_at (self, position);

  if (row >= 0)
    g_signal_emit_by_name (self, "activated", row);
}

/* Returns: whether there is a line that was not selected before. */
static gboolean
select_row (KymoAnswerList *self, int row)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint position = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; row >= 0 && i < n && position == GTK_INVALID_LIST_POSITION;
       i++)
    if (row_at (self, i) == row)
      position = i;
  if (gtk_single_selection_get_selected (self->selection) == position)
    return FALSE;
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->filling = FALSE;
  return position != GTK_INVALID_LIST_POSITION;
}

/** kymo_answer_list_select: @row: of the answer's table, or -1; not told of */
void
kymo_answer_list_select (KymoAnswerList *self, int row)
{
  /* GTK 4.8 has no other way to bring a line of a column view into sight. */
  if (select_row (self, row))
    gtk_widget_activate_action (gtk_widget_get_last_child (self->view),
                                "list.scroll-to-item", "u",
                                gtk_single_selection_get_selected (self->selection));
}

/** kymo_answer_list_keep: @row: of the answer's table, or -1; not told of */
void
kymo_answer_list_keep (KymoAnswerList *self, int row)
{
  select_row (self, row);
}

/* -- figures -------------------------------------------------------------- */

/**
 * kymo_answer_list_dup_figures:
 *
 * Writes the list as text: the titles of its columns, then all its lines in the order shown, with
 * tabs between cells and all digits.
 *
 * Returns: (transfer full): the text; each line ends with "\n"
 */
char *
kymo_answer_list_dup_figures (KymoAnswerList *self)
{
  GString *text = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint i = 0; i < self->n_columns; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "",
                            kymo_in_terms (self->terms,
                                           _(self->columns[i].title)));
  g_string_append_c (text, '\n');
  for (guint line = 0; self->texts.table != NULL && line < n; line++)
    {
      for (guint i = 0; i < self->n_columns; i++)
        {
          g_autofree char *cell = kymo_answer_exact (&self->texts, &self->columns[i],
                                            row_at (self, line));

          g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", cell);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static gboolean
on_copy (GtkWidget *widget, GVariant *args, gpointer data)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (widget);
  g_autofree char *text = kymo_answer_list_dup_figures (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  g_signal_emit_by_name (self, "copied");
  return TRUE;
}

/* -- filling -------------------------------------------------------------- */

/* As many lines as that, those at hand first. */
static void
set_lines (KymoAnswerList *self, guint n)
{
  g_autoptr (GPtrArray) more = g_ptr_array_new_with_free_func (g_object_unref);
  guint before = g_list_model_get_n_items (G_LIST_MODEL (self->rows));

  for (guint i = before; i < n; i++)
    g_ptr_array_add (more, g_object_new (KYMO_TYPE_ANSWER_ROW, NULL));
  for (guint i = 0; i < more->len; i++)
    ((KymoAnswerRow *) more->pdata[i])->row = before + i;
  g_list_store_splice (self->rows, MIN (before, n),
                       before > n ? before - n : 0, more->pdata, more->len);
}

/* Which row each line is of; tells the cells. */
static void
number_lines (KymoAnswerList *self, const guint *rows, guint n)
{
  GtkSorter *sorter
    = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (KymoAnswerRow) row
        = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      row->row = rows != NULL ? rows[i] : i;
      g_signal_emit (row, changed_signal, 0);
    }
  if (n > 0 && gtk_sorter_get_order (sorter) != GTK_SORTER_ORDER_NONE)
    gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

/**
 * kymo_answer_list_set:
 * @table: (nullable) (transfer none): of an answer
 * @rows: (nullable) (array length=n_rows): rows of it; %NULL is all of them
 * @is_time: whether distances are nanoseconds
 */
void
kymo_answer_list_set (KymoAnswerList *self, KymoTable *table,
                      const guint *rows, guint n_rows, gboolean is_time)
{
  guint n = table == NULL ? 0 : rows != NULL ? n_rows
            : kymo_table_get_n_rows (table);

  self->filling = TRUE;
  /* Fewer lines while the table before holds, more when it is gone: no line is
     ever of a row that is not there. */
  if (n < g_list_model_get_n_items (G_LIST_MODEL (self->rows)))
    set_lines (self, n);
  if (table != NULL)
    kymo_table_ref (table);
  g_clear_pointer (&self->texts.table, kymo_table_unref);
  self->texts.table = table;
  self->texts.is_time = is_time;
  kymo_answer_texts_measure (&self->texts, self->n_columns);
  set_lines (self, n);
  number_lines (self, rows, n);
  gtk_single_selection_set_selected (self->selection,
                                     GTK_INVALID_LIST_POSITION);
  self->filling = FALSE;
}

/** kymo_answer_list_set_words: for texts that are keywords */
void
kymo_answer_list_set_words (KymoAnswerList *self, KymoAnswerWords words)
{
  self->texts.words = words;
}

/** kymo_answer_list_set_terms: those of the titles; PEs without it */
void
kymo_answer_list_set_terms (KymoAnswerList *self, KymoTerms terms)
{
  GListModel *columns
    = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  self->terms = terms;
  for (guint i = 0; i < self->n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) column
        = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_title (
        column, kymo_in_terms (terms, _(self->columns[i].title)));
    }
}

/** kymo_answer_list_sort: @key: of a column */
void
kymo_answer_list_sort (KymoAnswerList *self, const char *key,
                       gboolean descending)
{
  GListModel *columns
    = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  /* Else the column before stays the second one, with an arrow of its own. */
  gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (self->view), NULL, GTK_SORT_ASCENDING);
  for (guint i = 0; i < self->n_columns; i++)
    if (g_strcmp0 (self->columns[i].key, key) == 0)
      {
        g_autoptr (GtkColumnViewColumn) column
          = g_list_model_get_item (columns, i);

        gtk_column_view_sort_by_column (GTK_COLUMN_VIEW (self->view), column,
                                        descending ? GTK_SORT_DESCENDING
                                                   : GTK_SORT_ASCENDING);
      }
}

/** kymo_answer_list_sort_at_first: of a list whose order is kept */
void
kymo_answer_list_sort_at_first (KymoAnswerList *self, const char *key, gboolean descending)
{
  if (kymo_kept_is_changed (self->view))
    return;
  kymo_answer_list_sort (self, key, descending);
  kymo_kept_settle (self->view);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_answer_list_dispose (GObject *object)
{
  KymoAnswerList *self = KYMO_ANSWER_LIST (object);

  g_clear_pointer (&self->texts.table, kymo_table_unref);
  g_clear_object (&self->rows);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_answer_list_parent_class)->dispose (object);
}

static void
kymo_answer_list_finalize (GObject *object)
{
  g_free (KYMO_ANSWER_LIST (object)->texts.steps);
  G_OBJECT_CLASS (kymo_answer_list_parent_class)->finalize (object);
}

static void
kymo_answer_list_class_init (KymoAnswerListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_answer_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_answer_list_finalize;
  g_signal_new ("selected", KYMO_TYPE_ANSWER_LIST, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new ("activated", KYMO_TYPE_ANSWER_LIST, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new ("copied", KYMO_TYPE_ANSWER_LIST, G_SIGNAL_RUN_LAST, 0, NULL,
                NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_c,
                                GDK_CONTROL_MASK, on_copy, NULL);
}

static void
kymo_answer_list_init (KymoAnswerList *self)
{
  self->rows = g_list_store_new (KYMO_TYPE_ANSWER_ROW);
}

static void
add_column (KymoAnswerList *self, const KymoAnswerColumn *info)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkCustomSorter *sorter = gtk_custom_sorter_new (NULL, NULL, NULL);
  GtkSorter *kept;
  GtkColumnViewColumn *column;

  g_object_set_data (G_OBJECT (factory), "column", (gpointer) info);
  g_signal_connect_object (factory, "setup", G_CALLBACK (on_setup), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  g_object_set_data (G_OBJECT (sorter), "list", self);
  g_object_set_data (G_OBJECT (sorter), "column", (gpointer) info);
  gtk_custom_sorter_set_sort_func (sorter, compare, sorter, NULL);
  column = gtk_column_view_column_new (kymo_in_terms (self->terms,
                                                      _(info->title)),
                                       factory);
  kept = kymo_kept_sorter_new (GTK_SORTER (sorter), info->key);
  gtk_column_view_column_set_sorter (column, kept);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (info->width_px > 0)
    gtk_column_view_column_set_fixed_width (column, kymo_text_px (info->width_px));
  else
    gtk_column_view_column_set_expand (column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
  g_object_unref (kept);
  g_object_unref (column);
}

/**
 * kymo_answer_list_keep_sort:
 * @view: a view of kymo_desk_words[]
 * @key: the key of the order in this view
 *
 * Keeps with the desk by which column the list is sorted. Call it once, after the list is made.
 */
void
kymo_answer_list_keep_sort (KymoAnswerList *self, const char *view, const char *key)
{
  kymo_kept_add_sort (self->view, view, key);
}

/**
 * kymo_answer_list_new:
 * @columns: (array length=n_columns): must outlive the list
 * @name: for who does not see it
 */
GtkWidget *
kymo_answer_list_new (const KymoAnswerColumn *columns, guint n_columns,
                      const char *name)
{
  KymoAnswerList *self = g_object_new (KYMO_TYPE_ANSWER_LIST, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkSortListModel *sorted;

  self->columns = columns;
  self->n_columns = n_columns;
  self->texts.columns = columns;
  self->texts.steps = g_new0 (gint64, n_columns);
  self->view = gtk_column_view_new (NULL);
  for (guint i = 0; i < n_columns; i++)
    add_column (self, &columns[i]);
  sorted = gtk_sort_list_model_new (
    G_LIST_MODEL (g_object_ref (self->rows)),
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
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate),
                           self, 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
  return GTK_WIDGET (self);
}
