/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a window offers beside runs: the start page, and a run that was written.
 */
#include "config.h"

#include <adwaita.h>

#include "kymo-window-private.h"

typedef gboolean (*Fits) (GtkWidget *widget, gconstpointer wanted);

static GtkWidget *
find (GtkWidget *top, Fits fits, gconstpointer wanted)
{
  GtkWidget *found = fits (top, wanted) ? top : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, fits, wanted);
  return found;
}

static gboolean
has_label (GtkWidget *widget, gconstpointer label)
{
  return GTK_IS_BUTTON (widget)
    && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static gboolean
has_tooltip (GtkWidget *widget, gconstpointer text)
{
  return g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) == 0;
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static KymoWindow *
open_window (void)
{
  KymoWindow *window = KYMO_WINDOW (kymo_window_new (NULL));

  gtk_window_present (GTK_WINDOW (window));
  settle ();
  return window;
}

/* A run that was written is offered until it is opened, whatever else is said meanwhile. */
static void
test_offer (void)
{
  KymoWindow *window = open_window ();
  GtkWidget *open = find (GTK_WIDGET (window), has_label, "Open It");
  const char *path;

  g_assert_false (gtk_widget_get_mapped (open));
  kymo_window_offer (window, "38.6 kB written", "/nowhere/small");
  kymo_window_say (window, "Figures copied");
  settle ();
  g_assert_true (gtk_widget_get_mapped (open));
  path = g_variant_get_bytestring (gtk_actionable_get_action_target_value (
    GTK_ACTIONABLE (open)));
  g_assert_cmpstr (path, ==, "/nowhere/small");
  g_assert_cmpuint (adw_tab_view_get_n_pages (window->tabs), ==, 0);
  g_signal_emit_by_name (open, "clicked");
  settle ();
  g_assert_false (gtk_widget_get_mapped (open));
  g_assert_cmpuint (adw_tab_view_get_n_pages (window->tabs), ==, 1);
  kymo_window_offer (window, "38.6 kB written", "/nowhere/other");
  settle ();
  g_assert_true (gtk_widget_get_mapped (open));
  g_signal_emit_by_name (find (GTK_WIDGET (window), has_tooltip, "Do not open the written run"),
                         "clicked");
  settle ();
  g_assert_false (gtk_widget_get_mapped (open));
  gtk_window_destroy (GTK_WINDOW (window));
  settle ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/start/offer", test_offer);
  return g_test_run ();
}
