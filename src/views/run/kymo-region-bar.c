/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-region-bar.h.
 */
#include "config.h"

#include "kymo-region-bar.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-label.h"
#include "kymo-overlay-iterations.h"
#include "kymo-run-regions.h"
#include "kymo-units.h"

/* Of each kind; Ctrl+P finds the others. */
#define MOST_OF_A_KIND 100
#define LIST_PX 320
#define INDEX "kymo-region"        /* of a row: its region */

struct _KymoRegionBar
{
  GtkBox          parent_instance;

  KymoSession    *session;
  KymoRunRegions *regions;         /* borrowed from the session */
  GtkWidget      *without, *menu, *list, *overlay;
};

G_DEFINE_FINAL_TYPE (KymoRegionBar, kymo_region_bar, GTK_TYPE_BOX)

static void
on_without (KymoRegionBar *self)
{
  KymoSpan span;

  if (kymo_run_regions_get_main (self->regions, &span))
    kymo_session_set_range (self->session, span, TRUE);
}

static void
on_chosen (KymoRegionBar *self, GtkListBoxRow *row)
{
  guint i = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), INDEX));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->menu));
  if (i < kymo_run_regions_get_n (self->regions))
    kymo_session_set_range (self->session, kymo_run_regions_get_span (self->regions, i), TRUE);
}

static void
on_overlay (KymoRegionBar *self)
{
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->menu));
  kymo_overlay_iterations_ask (GTK_WIDGET (self), self->regions);
}

static void
add_row (KymoRegionBar *self, guint i)
{
  g_autofree char *name = kymo_run_regions_dup_name (self->regions, i);
  g_autofree char *length = kymo_format_duration (
    kymo_span_length (kymo_run_regions_get_span (self->regions, i)));
  g_autofree char *spoken = g_strdup_printf (_("%s, %s"), name, length);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *words = kymo_label_new (NULL, NULL), *figure = gtk_label_new (length);
  GtkWidget *row = gtk_list_box_row_new ();

  kymo_label_set (words, name);
  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (words), 40);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_add_css_class (figure, "numeric");
  gtk_widget_add_css_class (figure, "dim-label");
  gtk_box_append (GTK_BOX (box), words);
  gtk_box_append (GTK_BOX (box), figure);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  kymo_accessible_name (row, spoken);
  g_object_set_data (G_OBJECT (row), INDEX, GUINT_TO_POINTER (i));
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
fill_list (KymoRegionBar *self)
{
  const char *kind = "";
  GtkWidget *row;
  guint n_of_kind = 0;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (guint i = 0; i < kymo_run_regions_get_n (self->regions); i++)
    {
      const char *here = kymo_run_regions_peek_kind (self->regions, i);

      n_of_kind = strcmp (here, kind) == 0 ? n_of_kind + 1 : 0;
      kind = here;
      if (n_of_kind < MOST_OF_A_KIND)
        add_row (self, i);
    }
}

static void
on_changed (KymoRegionBar *self)
{
  KymoSpan span;

  gtk_widget_set_visible (self->without, kymo_run_regions_get_main (self->regions, &span));
  gtk_widget_set_visible (self->menu, kymo_run_regions_get_n (self->regions) > 0);
  gtk_widget_set_visible (self->overlay, kymo_overlay_is_possible (self->regions));
  fill_list (self);
}

static void
kymo_region_bar_dispose (GObject *object)
{
  g_clear_object (&KYMO_REGION_BAR (object)->session);
  G_OBJECT_CLASS (kymo_region_bar_parent_class)->dispose (object);
}

static void
kymo_region_bar_class_init (KymoRegionBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_region_bar_dispose;
}

/* The list, and below it what is done with several of its rows. */
static GtkWidget *
build_popover (KymoRegionBar *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  kymo_accessible_name (self->list, _("Regions"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), LIST_PX);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_box_append (GTK_BOX (box), scrolled);
  self->overlay = gtk_button_new_with_label (_("Overlay Iterations…"));
  gtk_widget_add_css_class (self->overlay, "flat");
  gtk_widget_set_tooltip_text (self->overlay,
                               _("Compare iterations of this run on one time axis"));
  gtk_box_append (GTK_BOX (box), self->overlay);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}

static void
kymo_region_bar_init (KymoRegionBar *self)
{
  self->without = gtk_button_new_with_label (_("Without Start-up"));
  gtk_widget_add_css_class (self->without, "flat");
  gtk_widget_set_tooltip_text (self->without, _("Show what lies between start-up and shutdown"));
  gtk_box_append (GTK_BOX (self), self->without);
  self->menu = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->menu), _("Regions"));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->menu), build_popover (self));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self->menu), GTK_ARROW_UP);
  gtk_widget_add_css_class (self->menu, "flat");
  gtk_widget_set_tooltip_text (self->menu, _("Show a phase, an iteration or another region"));
  gtk_box_append (GTK_BOX (self), self->menu);
  kymo_follow (self->without, "clicked", on_without, self);
  kymo_follow (self->overlay, "clicked", on_overlay, self);
  kymo_follow (self->list, "row-activated", on_chosen, self);
}

/**
 * kymo_region_bar_new:
 * @session: whose visible range it sets; the bar holds a reference
 *
 * Returns: (transfer floating): the bar, without buttons until regions are found
 */
GtkWidget *
kymo_region_bar_new (KymoSession *session)
{
  KymoRegionBar *self = g_object_new (KYMO_TYPE_REGION_BAR, NULL);

  self->session = g_object_ref (session);
  self->regions = kymo_run_regions_of (session);
  kymo_follow (self->regions, "changed", on_changed, self);
  on_changed (self);
  return GTK_WIDGET (self);
}
