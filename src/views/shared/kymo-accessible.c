/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: a widget whose description is a sentence follows its own state flags until it loses
 * the keyboard; then it gets back the description of kymo_accessible_describe(), else its tooltip.
 */
#include "config.h"

#include "kymo-accessible.h"

#define OWN "kymo-own-description"
#define SAID "kymo-said"

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

/* (transfer none) (nullable): the line of a list that holds the focus */
static GtkWidget *
find_line (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *at = root != NULL ? gtk_root_get_focus (root) : NULL;

  for (; at != NULL && at != widget; at = gtk_widget_get_parent (at))
    {
      GtkWidget *parent = gtk_widget_get_parent (at);

      if (parent != NULL && g_str_equal (gtk_widget_get_css_name (parent), "listview")
          && g_str_equal (gtk_widget_get_css_name (at), "row"))
        return at;
    }
  return NULL;
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
