/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-shortcuts.h. The list is data/ui/shortcuts.ui; its titles have the
 * placeholders of kymo-in-terms.h. What is searched leaves the other rows out.
 */
#include "config.h"

#include "kymo-shortcuts.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-in-terms.h"
#include "kymo-shortcut-row.h"
#include "kymo-text-zoom.h"

#define RESOURCE "/io/github/kymo_trace/Kymo/shortcuts.ui"
#define WIDTH 560
/* Wider ones have empty margins: so wide a page of preferences is, however large the text. */
#define MOST_WIDTH 680
#define HEIGHT 720
/* Round a window of the run's there is to be something left of it. */
#define MARGIN 32

/** Shortcuts: goes with its window */
typedef struct
{
  GtkWindow *window;               /* has the rest */
  GtkWidget *entry, *stack;
  GPtrArray *rows;                 /* of KymoShortcutRow; their page has them */
} Shortcuts;

static void
shortcuts_free (gpointer data)
{
  Shortcuts *self = data;

  g_ptr_array_unref (self->rows);
  g_free (self);
}

/* -- searching ------------------------------------------------------------ */

/* Every word is in the title, among the keys, or in the heading of the row. */
static gboolean
is_meant (GtkWidget *row, GtkWidget *group, GStrv words)
{
  g_autofree char *heading = g_utf8_casefold (
    adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (group)), -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (heading, words[i]) == NULL
        && !kymo_shortcut_row_matches (KYMO_SHORTCUT_ROW (row), words[i]))
      return FALSE;
  return TRUE;
}

static void
search_shortcuts (Shortcuts *self)
{
  g_autofree char *text = g_utf8_casefold (
    gtk_editable_get_text (GTK_EDITABLE (self->entry)), -1);
  g_auto (GStrv) words = g_strsplit_set (text, " ", -1);
  g_autoptr (GHashTable) shown = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *row = self->rows->pdata[i];
      GtkWidget *group = gtk_widget_get_ancestor (row, ADW_TYPE_PREFERENCES_GROUP);
      gboolean meant = is_meant (row, group, words);

      gtk_widget_set_visible (row, meant);
      if (meant)
        g_hash_table_add (shown, group);
      gtk_widget_set_visible (group, g_hash_table_contains (shown, group));
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    g_hash_table_size (shown) > 0 ? "page" : "none");
}

/* One step out: of the search, then of the window. */
static void
step_out (Shortcuts *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  else
    gtk_window_close (self->window);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  step_out (data);
  return TRUE;
}

/* -- making it ------------------------------------------------------------ */

/* The list, with the words of the run put into its titles. */
static GtkWidget *
build_page (Shortcuts *self, KymoTerms terms)
{
  g_autoptr (GtkBuilder) builder = NULL;
  g_autoptr (GSList) objects = NULL;

  g_type_ensure (KYMO_TYPE_SHORTCUT_ROW);
  builder = gtk_builder_new_from_resource (RESOURCE);
  objects = gtk_builder_get_objects (builder);
  for (GSList *item = objects; item != NULL; item = item->next)
    {
      g_autofree char *title = NULL;

      if (KYMO_IS_SHORTCUT_ROW (item->data))
        g_ptr_array_add (self->rows, item->data);
      else if (!ADW_IS_PREFERENCES_GROUP (item->data))
        continue;
      g_object_get (item->data, "title", &title, NULL);
      g_object_set (item->data, "title", kymo_in_terms (terms, title), NULL);
    }
  return g_object_ref (GTK_WIDGET (gtk_builder_get_object (builder, "page")));
}

static GtkWidget *
build_stack (Shortcuts *self, KymoTerms terms)
{
  g_autoptr (GtkWidget) page = build_page (self, terms);
  GtkWidget *none = adw_status_page_new ();

  adw_status_page_set_title (ADW_STATUS_PAGE (none), _("No Such Key"));
  adw_status_page_set_description (
    ADW_STATUS_PAGE (none), _("Search by what is to be done, “zoom”, or by the key, “Ctrl+G”."));
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (none), "edit-find-symbolic");
  self->stack = gtk_stack_new ();
  gtk_widget_add_css_class (page, "kymo-shortcuts");
  gtk_stack_add_named (GTK_STACK (self->stack), page, "page");
  gtk_stack_add_named (GTK_STACK (self->stack), none, "none");
  gtk_widget_set_vexpand (self->stack, TRUE);
  return self->stack;
}

static GtkWidget *
build_search (Shortcuts *self)
{
  GtkWidget *clamp = adw_clamp_new ();

  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _("Search keys and gestures"), NULL);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->entry),
                                           GTK_WIDGET (self->window));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (search_shortcuts), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (step_out), self);
  adw_clamp_set_child (ADW_CLAMP (clamp), self->entry);
  gtk_widget_add_css_class (clamp, "kymo-shortcuts-search");
  return clamp;
}

static void
build_shortcuts (Shortcuts *self, KymoTerms terms)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_callback_action_new (on_escape, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->window), keys);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), build_search (self));
  gtk_box_append (GTK_BOX (box), build_stack (self, terms));
  adw_window_set_content (ADW_WINDOW (self->window), box);
}

/**
 * kymo_shortcuts_present:
 * @parent: the window it belongs to; it is gone with that one, and no larger
 * @terms: words for rows and activities
 */
void
kymo_shortcuts_present (GtkWindow *parent, KymoTerms terms)
{
  Shortcuts *self = g_new0 (Shortcuts, 1);
  int width = gtk_widget_get_width (GTK_WIDGET (parent));
  int height = gtk_widget_get_height (GTK_WIDGET (parent));

  self->window = GTK_WINDOW (adw_window_new ());
  self->rows = g_ptr_array_new ();
  build_shortcuts (self, terms);
  g_object_set_data_full (G_OBJECT (self->window), "kymo-shortcuts", self, shortcuts_free);
  gtk_window_set_title (self->window, _("Keyboard and Mouse"));
  gtk_window_set_default_size (self->window,
                               MIN (MIN (kymo_text_px (WIDTH), MOST_WIDTH),
                                    MAX (width - MARGIN, 1)),
                               MIN (kymo_text_px (HEIGHT), MAX (height - MARGIN, 1)));
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  gtk_window_present (self->window);
}
