/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: a widget whose description is a sentence follows its own state flags until it loses
 * the keyboard; then it gets back the description of kymo_accessible_describe(), else its tooltip.
 */
#include "config.h"

#include "kymo-accessible.h"

#include <glib/gi18n-lib.h>

#define OWN "kymo-own-description"
#define SAID "kymo-said"
#define NAME "kymo-name"             /* of a drop-down */

/* -- sentences ------------------------------------------------------------ */

static void
set_description (GtkWidget *widget, const char *words)
{
  if (words != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    words, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

/* (transfer none) (nullable): what has the keyboard; of an entry that is the text inside it, but
   the entry is what a screen reader knows */
static GtkWidget *
find_focused (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focused = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focused == NULL)
    return GTK_WIDGET (root);
  if (GTK_IS_TEXT (focused) && GTK_IS_EDITABLE (gtk_widget_get_parent (focused)))
    return gtk_widget_get_parent (focused);
  return focused;
}

static void
on_flags (GtkWidget *widget, GtkStateFlags before, gpointer data)
{
  const char *own = g_object_get_data (G_OBJECT (widget), OWN);

  if (gtk_widget_get_state_flags (widget)
      & (GTK_STATE_FLAG_FOCUSED | GTK_STATE_FLAG_FOCUS_WITHIN))
    return;
  g_signal_handlers_disconnect_by_func (widget, on_flags, NULL);
  g_object_set_data (G_OBJECT (widget), SAID, NULL);
  set_description (widget, own != NULL ? own : gtk_widget_get_tooltip_text (widget));
}

/**
 * kymo_accessible_describe:
 * @words: (nullable): %NULL removes the description
 *
 * Sets the description of a widget for screen readers. It replaces a sentence that was said.
 */
void
kymo_accessible_describe (GtkWidget *widget, const char *words)
{
  g_object_set_data_full (G_OBJECT (widget), OWN, g_strdup (words), g_free);
  g_object_set_data (G_OBJECT (widget), SAID, NULL);
  set_description (widget, words);
}

/**
 * kymo_accessible_say:
 * @widget: in the window of the person
 * @sentence: plain text
 *
 * Lets a screen reader speak a sentence: it becomes the description of the widget that has the
 * keyboard, until that loses it. Does nothing for a widget that is in no window.
 */
void
kymo_accessible_say (GtkWidget *widget, const char *sentence)
{
  GtkWidget *focused = find_focused (widget);
  g_autofree char *words = NULL;

  if (focused == NULL)
    return;
  /* A description that stays the same is not spoken again. */
  words = g_strdup_printf (
    "%s%s", sentence,
    g_strcmp0 (g_object_get_data (G_OBJECT (focused), SAID), sentence) == 0 ? " " : "");
  g_signal_handlers_disconnect_by_func (focused, on_flags, NULL);
  set_description (focused, words);
  g_object_set_data_full (G_OBJECT (focused), SAID, g_steal_pointer (&words), g_free);
  g_signal_connect (focused, "state-flags-changed", G_CALLBACK (on_flags), NULL);
}

/* -- the key Tab ---------------------------------------------------------- */

static gboolean
is_line (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  return parent != NULL && g_str_equal (gtk_widget_get_css_name (parent), "listview")
         && g_str_equal (gtk_widget_get_css_name (widget), "row");
}

/* (transfer none) (nullable): the line of a list that holds the focus */
static GtkWidget *
find_line (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *at = root != NULL ? gtk_root_get_focus (root) : NULL;

  while (at != NULL && at != widget && !is_line (at))
    at = gtk_widget_get_parent (at);
  return at != widget ? at : NULL;
}

/**
 * kymo_accessible_focus:
 * @widget: of a type that overrides `focus`, around lists
 * @direction: where the focus goes
 * @parent: `focus` of the parent class
 *
 * Moves the focus as @parent does, but Tab goes from a line of a list to what follows the list,
 * not through all lines: GTK 4.8 stops at each, and a list may have a million. Widgets inside the
 * line come first.
 *
 * Returns: whether the focus is in @widget still
 */
gboolean
kymo_accessible_focus (GtkWidget *widget, GtkDirectionType direction, KymoFocusFunc parent)
{
  gboolean tabs = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  GtkWidget *line = tabs ? find_line (widget) : NULL;
  GtkWidget *list = line != NULL ? gtk_widget_get_parent (line) : NULL;
  gboolean moved;

  if (line == NULL)
    return parent (widget, direction);
  if (gtk_widget_child_focus (line, direction))
    return TRUE;
  gtk_widget_set_can_focus (list, FALSE);
  moved = parent (widget, direction);
  gtk_widget_set_can_focus (list, TRUE);
  return moved;
}

/* -- names ---------------------------------------------------------------- */

/**
 * kymo_accessible_name:
 * @widget: (type GtkAccessible): what gets the name
 * @name: plain text without mnemonics
 *
 * Names a widget for screen readers.
 */
void
kymo_accessible_name (gpointer widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* What is written in a widget, a comma between two texts. */
static void
add_texts (GtkWidget *widget, GString *words)
{
  const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget))
                     : GTK_IS_INSCRIPTION (widget)
                     ? gtk_inscription_get_text (GTK_INSCRIPTION (widget)) : NULL;

  if (text != NULL && *text != '\0')
    g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", text);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child))
      add_texts (child, words);
}

/* (transfer full) (nullable): of the next column in sight, from `at` on */
static GtkColumnViewColumn *
next_column (GListModel *columns, guint *at)
{
  GtkColumnViewColumn *column;

  while ((column = g_list_model_get_item (columns, (*at)++)) != NULL)
    {
      if (gtk_column_view_column_get_visible (column))
        return column;
      g_object_unref (column);
    }
  return NULL;
}

/* "Time 1.2 s, PE 3": each cell after the heading of its column. */
static void
add_cells (GtkWidget *line, GtkWidget *view, GString *words)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (view));
  guint at = 0;

  for (GtkWidget *cell = gtk_widget_get_first_child (line); cell != NULL;
       cell = gtk_widget_get_next_sibling (cell))
    {
      g_autoptr (GtkColumnViewColumn) column = NULL;
      g_autoptr (GString) text = g_string_new (NULL);

      if (!gtk_widget_get_visible (cell))
        continue;
      column = next_column (columns, &at);
      add_texts (cell, text);
      if (text->len > 0)
        g_string_append_printf (words, "%s%s %s", words->len > 0 ? ", " : "",
                                column != NULL ? gtk_column_view_column_get_title (column) : "",
                                text->str);
    }
}

/**
 * kymo_accessible_name_line:
 * @line: of a list or a column view
 *
 * Names a line by all that it shows; in a column view each cell comes after its heading: "Time
 * 1.2 s, PE 3".
 */
void
kymo_accessible_name_line (GtkWidget *line)
{
  GtkWidget *view = gtk_widget_get_ancestor (line, GTK_TYPE_COLUMN_VIEW);
  g_autoptr (GString) words = g_string_new (NULL);

  if (view != NULL)
    add_cells (line, view, words);
  else
    add_texts (line, words);
  if (words->len > 0)
    kymo_accessible_name (line, words->str);
}

static void
on_focus (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus != NULL && is_line (focus))
    kymo_accessible_name_line (focus);
}

/**
 * kymo_accessible_name_lines:
 *
 * Names the lines of all lists and tables in a window, for screen readers: a line gets its name
 * when the keyboard comes to it. To be called once.
 */
void
kymo_accessible_name_lines (GtkWindow *window)
{
  g_signal_connect (window, "notify::focus-widget", G_CALLBACK (on_focus), NULL);
}

static void
on_chosen (GtkDropDown *drop, GParamSpec *pspec, gpointer data)
{
  const char *name = g_object_get_data (G_OBJECT (drop), NAME);
  GObject *item = gtk_drop_down_get_selected_item (drop);
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (drop));
  const char *chosen = GTK_IS_STRING_OBJECT (item)
                       ? gtk_string_object_get_string (GTK_STRING_OBJECT (item)) : NULL;
  g_autofree char *words = chosen != NULL ? g_strdup_printf (_("%s: %s"), name, chosen)
                           : g_strdup (name);

  kymo_accessible_name (button, words);
}

/**
 * kymo_accessible_name_choice:
 * @drop: a #GtkDropDown
 * @name: what is chosen
 *
 * Names a drop-down, and the button inside it, which has the keyboard and tells the chosen item,
 * too.
 */
void
kymo_accessible_name_choice (GtkWidget *drop, const char *name)
{
  g_signal_handlers_disconnect_by_func (drop, on_chosen, NULL);
  g_object_set_data_full (G_OBJECT (drop), NAME, g_strdup (name), g_free);
  kymo_accessible_name (drop, name);
  g_signal_connect (drop, "notify::selected-item", G_CALLBACK (on_chosen), NULL);
  on_chosen (GTK_DROP_DOWN (drop), NULL, NULL);
}

/**
 * kymo_accessible_takes_letter:
 * @view: below which the key was pressed
 * @state: of the key
 *
 * Returns: whether a letter is for the view whatever part of it has the keyboard: there is no
 *   Ctrl, Alt or Super, and the keyboard is neither in an entry nor in a popover
 */
gboolean
kymo_accessible_takes_letter (GtkWidget *view, GdkModifierType state)
{
  GtkRoot *root = gtk_widget_get_root (view);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) == 0
    && (focus == NULL || (!GTK_IS_EDITABLE (focus) && !GTK_IS_TEXT_VIEW (focus)
                          && gtk_widget_get_native (focus) == gtk_widget_get_native (view)));
}
