/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is an object that holds nothing but the number of its row; cells and sorters read the
 * answer. With another answer lines get other numbers, and the cells that are bound show theirs
 * again, for to make the cells of a column view anew takes long.
 *
 * Invariant: no line has the number of a row that the answer at hand has not, but while
 * kymo_line_table_set_rows() runs.
 */
#include "config.h"

#include "kymo-accessible.h"
#include "kymo-line-table-private.h"
#include "kymo-session-profile.h"
#include "kymo-sort-keys.h"

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (KymoLineTable, kymo_line_table, GTK_TYPE_BOX)

/**
 * kymo_line_table_private:
 *
 * Returns: (transfer none): what only the table itself knows
 */
KymoLineTablePrivate *
kymo_line_table_private (KymoLineTable *self)
{
  return kymo_line_table_get_instance_private (self);
}

/* -- selecting ------------------------------------------------------------ */

/**
 * kymo_line_table_get_n_lines:
 *
 * Returns: the number of lines: those of the rows that were set, or of the model, that pass the
 *   filter
 */
guint
kymo_line_table_get_n_lines (KymoLineTable *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (kymo_line_table_private (self)->selection));
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
  GtkSingleSelection *selection = kymo_line_table_private (self)->selection;
  GListModel *model = gtk_single_selection_get_model (selection);
  g_autoptr (GObject) item = NULL;
  g_autoptr (KymoLine) found = NULL;

  if (KYMO_IS_LINE_MODEL (model))
    return (int) kymo_line_model_row (KYMO_LINE_MODEL (model), line);
  item = g_list_model_get_item (G_LIST_MODEL (selection), line);
  found = kymo_line_of (item);
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
    self, gtk_single_selection_get_selected (kymo_line_table_private (self)->selection));
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
  KymoLineTablePrivate *own = kymo_line_table_private (self);

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
  KymoLineTablePrivate *own = kymo_line_table_private (self);
  int row = kymo_line_table_get_selected (self);

  if (own->filling)
    return;
  if (own->session != NULL && row >= 0)
    {
      /* What follows the session may give the table another answer. */
      g_autofree char *name = g_strdup (klass->name (self, row));

      if (name != NULL)
        kymo_session_set_function (own->session, name);
    }
  if (klass->selected != NULL)
    klass->selected (self, row);
}

static void
on_activate (GtkColumnView *view, guint line, KymoLineTable *self)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (self);
  int row = kymo_line_table_row_at (self, line);

  if (row >= 0 && klass->activated != NULL)
    klass->activated (self, row);
}

/* -- the chosen function -------------------------------------------------- */

static gboolean
is_of (KymoLineTable *self, int row, const char *name)
{
  return row >= 0 && g_strcmp0 (KYMO_LINE_TABLE_GET_CLASS (self)->name (self, row), name) == 0;
}

/**
 * kymo_line_table_follow:
 * @scroll: brings the line into sight where it was not selected
 *
 * Selects the first line of the chosen function of the session that the table is linked with, or no
 * line. Nothing moves where the selected line is of that function already.
 */
void
kymo_line_table_follow (KymoLineTable *self, gboolean scroll)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);
  const char *chosen = own->session != NULL ? kymo_session_peek_function (own->session) : NULL;
  guint n = chosen != NULL ? kymo_line_table_get_n_lines (self) : 0, line = 0;

  if (own->session == NULL
      || (chosen != NULL && is_of (self, kymo_line_table_get_selected (self), chosen)))
    return;
  while (line < n && !is_of (self, kymo_line_table_row_at (self, line), chosen))
    line++;
  kymo_line_table_select (self, line < n ? line : GTK_INVALID_LIST_POSITION, scroll);
}

static void
on_function (KymoLineTable *self)
{
  kymo_line_table_follow (self, TRUE);
}

/**
 * kymo_line_table_link:
 * @session: (nullable): %NULL ends the link
 *
 * Makes the chosen function of the session the selected line, and the other way round. The class
 * must have a "name".
 */
void
kymo_line_table_link (KymoLineTable *self, KymoSession *session)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  if (own->session != NULL)
    g_signal_handlers_disconnect_by_func (own->session, on_function, self);
  g_set_object (&own->session, session);
  if (session != NULL)
    kymo_follow (session, "function-changed", on_function, self);
}

/* -- figures -------------------------------------------------------------- */

/* Names of a tree are indented. */
static void
indent_line (KymoLineTable *self, guint line, GString *text)
{
  GListModel *lines = G_LIST_MODEL (kymo_line_table_private (self)->selection);
  g_autoptr (GObject) item = g_list_model_get_item (lines, line);

  for (guint d = GTK_IS_TREE_LIST_ROW (item)
                 ? gtk_tree_list_row_get_depth (GTK_TREE_LIST_ROW (item)) : 0; d > 0; d--)
    g_string_append (text, "  ");
}

/**
 * kymo_line_table_dup_figures:
 *
 * Writes the table as text: the titles of its columns, then all its lines in the order shown, with
 * tabs between cells and all digits. In a tree names are indented, and lines of folded nodes are
 * left out.
 *
 * Returns: (transfer full): the text; each line ends with "\n"
 */
char *
kymo_line_table_dup_figures (KymoLineTable *self)
{
  GString *text = g_string_new (NULL);
  guint n = kymo_line_table_get_n_lines (self);
  guint n_columns = kymo_line_table_private (self)->columns->len;

  for (guint i = 0; i < n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = kymo_line_table_column_at (self, i);

      g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "",
                              gtk_column_view_column_get_title (column));
    }
  g_string_append_c (text, '\n');
  for (guint line = 0; line < n; line++)
    {
      indent_line (self, line, text);
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

/**
 * kymo_line_table_copy:
 *
 * Copies kymo_line_table_dup_figures() to the clipboard, and tells so with "copied".
 */
void
kymo_line_table_copy (KymoLineTable *self)
{
  g_autofree char *text = kymo_line_table_dup_figures (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  g_signal_emit_by_name (self, "copied");
}

static gboolean
on_copy (GtkWidget *widget, GVariant *args, gpointer data)
{
  KymoLineTable *self = KYMO_LINE_TABLE (widget);

  if (KYMO_LINE_TABLE_GET_CLASS (self)->paged)
    return FALSE;
  kymo_line_table_copy (self);
  return TRUE;
}

/* -- filling -------------------------------------------------------------- */

static char *
key_of (guint row, gpointer self)
{
  return KYMO_LINE_TABLE_GET_CLASS (self)->key (self, row);
}

static void
sort_lines (gpointer self)
{
  GtkSorter *sorter
    = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (kymo_line_table_private (self)->view));

  if (gtk_sorter_get_order (sorter) != GTK_SORTER_ORDER_NONE)
    gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

/**
 * kymo_line_table_set_rows:
 * @rows: (nullable) (array length=n): rows of the answer at hand; %NULL is the first @n of it
 *
 * To be called right after the answer has changed. Shows these rows; where none is new, the order
 * of the lines stays as it is until kymo_line_table_sort_again(). Measures the rows, see
 * kymo_line_table_measure().
 *
 * Returns: whether there are lines that were not there before
 */
gboolean
kymo_line_table_set_rows (KymoLineTable *self, const guint *rows, guint n)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);
  gboolean any;

  kymo_line_table_measure (self, rows, n);
  own->filling = TRUE;
  any = kymo_line_model_match (own->lines, rows, n,
                               KYMO_LINE_TABLE_GET_CLASS (self)->key != NULL ? key_of : NULL,
                               sort_lines, self);
  kymo_line_table_show (self, 0, G_MAXUINT);
  own->filling = FALSE;
  return any;
}

/**
 * kymo_line_table_sort_again:
 *
 * Sorts the lines as before, by what the answer at hand has of them.
 */
void
kymo_line_table_sort_again (KymoLineTable *self)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  own->filling = TRUE;
  sort_lines (self);
  own->filling = FALSE;
}

static gboolean
passes_filter (gpointer item, gpointer data)
{
  KymoLineTableClass *klass = KYMO_LINE_TABLE_GET_CLASS (data);
  KymoNameFilter *names = kymo_line_table_private (data)->names;

  return klass->filtered == NULL
         || kymo_name_filter_matches (names, klass->filtered (data, KYMO_LINE (item)->row));
}

/**
 * kymo_line_table_set_filter:
 * @text: the pattern for names, see kymo-name-filter.h; "" lists all
 * @entry: (nullable): marked as wrong where @text is no valid expression; then the filter stays
 *
 * Lists only the rows whose name passes.
 */
void
kymo_line_table_set_filter (KymoLineTable *self, const char *text, GtkWidget *entry)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  kymo_name_filter_set_text (own->names, text, entry);
  gtk_filter_changed (own->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/**
 * kymo_line_table_set_model:
 * @model: (nullable) (transfer none): items are #KymoLine, or #GtkTreeListRow of them
 *
 * Shows these lines, in their order, in place of those of kymo_line_table_set_rows().
 */
void
kymo_line_table_set_model (KymoLineTable *self, GListModel *model)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  own->filling = TRUE;
  gtk_single_selection_set_model (own->selection, model);
  own->filling = FALSE;
}

/**
 * kymo_line_table_say:
 * @sentence: (nullable): shown in place of the lines; %NULL shows the lines
 */
void
kymo_line_table_say (KymoLineTable *self, const char *sentence)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  gtk_label_set_text (GTK_LABEL (own->message), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (own->message, sentence != NULL);
  gtk_widget_set_visible (own->scrolled, sentence == NULL);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_line_table_dispose (GObject *object)
{
  KymoLineTablePrivate *own = kymo_line_table_private (KYMO_LINE_TABLE (object));

  g_clear_handle_id (&own->fit_id, g_source_remove);
  /* Columns that go change the order: nothing is fitted for that. */
  own->scrolled = NULL;
  g_clear_object (&own->session);
  G_OBJECT_CLASS (kymo_line_table_parent_class)->dispose (object);
}

static void
kymo_line_table_finalize (GObject *object)
{
  KymoLineTablePrivate *own = kymo_line_table_private (KYMO_LINE_TABLE (object));

  g_clear_object (&own->selection);
  g_clear_object (&own->filter);
  g_clear_object (&own->lines);
  kymo_name_filter_free (own->names);
  g_hash_table_unref (own->bound);
  g_array_unref (own->columns);
  g_array_unref (own->states);
  g_ptr_array_unref (own->shown);
  g_free (own->name);
  G_OBJECT_CLASS (kymo_line_table_parent_class)->finalize (object);
}

static void
kymo_line_table_class_init (KymoLineTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_line_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_line_table_finalize;
  kymo_signal_new ("copied", KYMO_TYPE_LINE_TABLE, 0);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (klass), GDK_KEY_c, GDK_CONTROL_MASK, on_copy,
                                NULL);
}

static void
kymo_line_table_init (KymoLineTable *self)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  own->columns = g_array_new (FALSE, FALSE, sizeof (KymoLineColumn));
  own->states = g_array_new (FALSE, TRUE, sizeof (KymoLineState));
  own->shown = g_ptr_array_new_with_free_func (g_object_unref);
  own->lines = g_list_store_new (KYMO_TYPE_LINE);
  own->names = kymo_name_filter_new ();
  own->bound = g_hash_table_new (NULL, NULL);
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
  return kymo_line_table_private (self)->view;
}

static void
build_model (KymoLineTable *self)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);
  g_autoptr (GtkSortListModel) sorted = NULL;

  own->filter = GTK_FILTER (gtk_custom_filter_new (passes_filter, self, NULL));
  sorted = gtk_sort_list_model_new (
    G_LIST_MODEL (gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (own->lines)),
                                             g_object_ref (own->filter))),
    g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (own->view))));
  own->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (own->selection, FALSE);
  gtk_single_selection_set_can_unselect (own->selection, TRUE);
  gtk_single_selection_set_model (own->selection, G_LIST_MODEL (sorted));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (own->view), GTK_SELECTION_MODEL (own->selection));
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
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  build_model (self);
  own->name = g_strdup (name);
  gtk_widget_add_css_class (own->view, "data-table");
  kymo_accessible_name (own->view, name);
  kymo_follow (own->selection, "notify::selected", on_selected, self);
  g_signal_connect_object (own->view, "activate", G_CALLBACK (on_activate), self, 0);
  kymo_sort_keys_attach (GTK_COLUMN_VIEW (own->view));
  own->scrolled = gtk_scrolled_window_new ();
  gtk_widget_add_css_class (own->scrolled, "kymo-lines");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (own->scrolled), own->view);
  own->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (own->message), TRUE);
  gtk_widget_add_css_class (own->message, "dim-label");
  gtk_widget_set_visible (own->message, FALSE);
  gtk_widget_set_vexpand (own->scrolled, TRUE);
  gtk_widget_set_hexpand (own->scrolled, TRUE);
  gtk_widget_set_vexpand (own->message, TRUE);
  gtk_widget_set_hexpand (own->message, TRUE);
  gtk_box_append (GTK_BOX (self), own->scrolled);
  gtk_box_append (GTK_BOX (self), own->message);
  kymo_line_table_follow_width (self);
}
