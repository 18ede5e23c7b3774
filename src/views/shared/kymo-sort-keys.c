/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-sort-keys.h. GTK 4.8 does not tell by which column a view is sorted: the view remembers
 * the column of the last key, and else asks the sorters that are kept with the desk.
 */
#include "config.h"

#include "kymo-sort-keys.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-kept-sorter.h"

#define TEXT "kymo-sort-text"
#define LAST "kymo-sort-last"
#define WORDS "kymo-sort-words"        /* what was told last */

/**
 * kymo_sort_keys_set_text:
 * @column: of words, not figures
 *
 * Sorts the column from A to Z where it is chosen by a key; figures begin with the largest.
 */
void
kymo_sort_keys_set_text (GtkColumnViewColumn *column)
{
  g_object_set_data (G_OBJECT (column), TEXT, GINT_TO_POINTER (TRUE));
}

static gboolean
is_sortable (GtkColumnViewColumn *column)
{
  return gtk_column_view_column_get_visible (column)
         && gtk_column_view_column_get_sorter (column) != NULL;
}

/* (transfer container) (element-type GtkColumnViewColumn): columns that are seen, in their order */
static GPtrArray *
list_columns (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (is_sortable (column))
        g_ptr_array_add (list, g_steal_pointer (&column));
    }
  return list;
}

/* The place of the column that the view is sorted by; -1 where that is not known. */
static int
find_sorted (GtkColumnView *view, GPtrArray *columns)
{
  gpointer last = g_object_get_data (G_OBJECT (view), LAST);
  guint place;

  if (last != NULL && g_ptr_array_find (columns, last, &place))
    return (int) place;
  return kymo_kept_sort_find (view, columns);
}

/* Later, for the list moves the focus to another line while it is sorted. */
static gboolean
say_order (gpointer view)
{
  GtkRoot *root = gtk_widget_get_root (view);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL)
    kymo_accessible_say (focus, g_object_get_data (view, WORDS));
  return G_SOURCE_REMOVE;
}

static void
tell_order (GtkColumnView *view, GtkColumnViewColumn *column, gboolean descending)
{
  gboolean text = g_object_get_data (G_OBJECT (column), TEXT) != NULL;
  const char *words = text && descending ? _("Sorted by %s, from Z to A")
                      : text ? _("Sorted by %s, from A to Z")
                      : descending ? _("Sorted by %s, largest first")
                      : _("Sorted by %s, smallest first");
  g_autofree char *sentence = NULL;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  sentence = g_strdup_printf (words, gtk_column_view_column_get_title (column));
#pragma GCC diagnostic pop
  g_object_set_data_full (G_OBJECT (view), WORDS, g_steal_pointer (&sentence), g_free);
  g_idle_add_full (G_PRIORITY_LOW, say_order, g_object_ref (view), g_object_unref);
}

static void
sort_by (GtkColumnView *view, GtkColumnViewColumn *column, gboolean descending)
{
  g_object_set_data (G_OBJECT (view), LAST, column);
  /* Else the column before stays the second one, with an arrow of its own. */
  gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (view, column, descending ? GTK_SORT_DESCENDING
                                                           : GTK_SORT_ASCENDING);
  tell_order (view, column, descending);
}

static gboolean
on_sort_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
             GtkColumnView *view)
{
  g_autoptr (GPtrArray) columns = NULL;
  gboolean across = key == GDK_KEY_Left || key == GDK_KEY_Right;
  GtkColumnViewColumn *column;
  int place;

  if ((state & gtk_accelerator_get_default_mod_mask ()) != (GDK_CONTROL_MASK | GDK_SHIFT_MASK)
      || (!across && key != GDK_KEY_Up && key != GDK_KEY_Down))
    return GDK_EVENT_PROPAGATE;
  columns = list_columns (view);
  if (columns->len == 0)
    return GDK_EVENT_PROPAGATE;
  place = find_sorted (view, columns);
  if (across)
    place = place < 0 ? 0 : CLAMP (place + (key == GDK_KEY_Right ? 1 : -1), 0,
                                   (int) columns->len - 1);
  column = columns->pdata[MAX (place, 0)];
  sort_by (view, column, across ? g_object_get_data (G_OBJECT (column), TEXT) == NULL
                                : key == GDK_KEY_Down);
  return GDK_EVENT_STOP;
}

/**
 * kymo_sort_keys_attach:
 * @view: a table whose columns have sorters
 *
 * Lets keys sort the table while it has the focus, and tells a screen reader how it is sorted. To
 * be called once.
 */
void
kymo_sort_keys_attach (GtkColumnView *view)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  /* Before the list, which moves its cursor with the same keys. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_sort_key), view);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
}
