/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu of a picture: what can be done with the block, row or bar under the
 * pointer (second button), or with what is chosen (Menu, Shift+F10). Its
 * actions are "chart.*"; they act on `menu_*`, what the menu was opened on.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-canvas-private.h"
#include "kymo-color-popover.h"
#include "kymo-in-terms.h"
#include "kymo-navigate.h"
#include "kymo-session-pins.h"
#include "kymo-session-profile.h"
#include "kymo-session-selected.h"
#include "kymo-units.h"

/* A name in a line of the menu is not longer. */
#define NAME_CHARS 40

static gboolean
has_block (KymoCanvas *self)
{
  return self->menu_location >= 0 && self->menu_time_ns != G_MININT64
         && !kymo_canvas_is_merged (self, self->menu_location);
}

/* -- actions -------------------------------------------------------------- */

static void
zoom_canvas_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;

  if (!kymo_session_zoom_to_selection (self->session) && has_block (self))
    kymo_navigate_zoom_to_block (self->session, self->menu_location,
                                 self->menu_time_ns);
}

static void
find_canvas_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;

  if (has_block (self))
    kymo_session_set_block (self->session, self->menu_location,
                            self->menu_time_ns);
  g_signal_emit_by_name (self, "find", g_variant_get_string (parameter, NULL));
}

static void
go_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;

  g_signal_emit_by_name (self, "activated", self->menu_name,
                         self->menu_location);
}

static void
hide (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;

  if (self->menu_name != NULL)
    kymo_session_set_hidden (self->session, self->menu_name, TRUE);
}

static void
drop_color (KymoCanvas *self)
{
  GtkWidget *popover = self->color;

  g_clear_weak_pointer (&self->color);
  if (popover != NULL)
    gtk_widget_unparent (popover);
}

static void
color (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;
  GdkRectangle at;

  if (self->menu_name == NULL)
    return;
  gtk_popover_get_pointing_to (GTK_POPOVER (self->menu), &at);
  drop_color (self);
  g_set_weak_pointer (&self->color, kymo_color_popover_show (GTK_WIDGET (self), self->session,
                                                             self->menu_name));
  gtk_popover_set_pointing_to (GTK_POPOVER (self->color), &at);
}

static void
focus_canvas_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;

  kymo_profile_options_set (self->options, "focus", self->menu_name);
}

static void
show_all (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_session_show_all (((KymoCanvas *) data)->session);
}

static void
only_row (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;
  g_autoptr (KymoIdSet) row = NULL;

  if (self->menu_location < 0)
    return;
  row = kymo_canvas_dup_merged (self, self->menu_location);
  if (row == NULL)
    row = kymo_id_set_new_list (&self->menu_location, 1);
  kymo_session_set_locations (self->session, row);
}

static void
pin_row (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_canvas_turn_pin (data, ((KymoCanvas *) data)->menu_location);
}

static void
all_rows (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_session_set_locations (((KymoCanvas *) data)->session, NULL);
}

static void
mark_canvas_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoCanvas *self = data;

  kymo_session_put_marker (self->session, self->menu_time_ns != G_MININT64
                           ? self->menu_time_ns
                           : kymo_canvas_get_pointer_time (self));
}

static void
command_canvas_menu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_signal_emit_by_name (data, "command",
                         g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "zoom", zoom_canvas_menu, NULL, NULL, NULL, { 0 } },
  { "find", find_canvas_menu, "s", NULL, NULL, { 0 } },
  { "go-to", go_to, NULL, NULL, NULL, { 0 } },
  { "color", color, NULL, NULL, NULL, { 0 } },
  { "hide", hide, NULL, NULL, NULL, { 0 } },
  { "focus", focus_canvas_menu, NULL, NULL, NULL, { 0 } },
  { "show-all", show_all, NULL, NULL, NULL, { 0 } },
  { "only-row", only_row, NULL, NULL, NULL, { 0 } },
  { "pin-row", pin_row, NULL, NULL, NULL, { 0 } },
  { "all-rows", all_rows, NULL, NULL, NULL, { 0 } },
  { "mark", mark_canvas_menu, NULL, NULL, NULL, { 0 } },
  { "command", command_canvas_menu, "s", NULL, NULL, { 0 } },
};

/* -- the menu ------------------------------------------------------------- */

/* @key: as the canvas takes it, see kymo-canvas-input.c */
static void
add_line (GMenu *menu, const char *words, const char *action, const char *key)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (words, action);

  g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (menu, item);
}

static void
add_of_block (KymoCanvas *self, GMenu *menu)
{
  static const struct { const char *words, *action, *key; } items[] = {
    { N_("_Zoom to Block"), "chart.zoom", "z" },
    { N_("_Next of the Same Name"), "chart.find::next", "period" },
    { N_("_Previous of the Same Name"), "chart.find::previous", "comma" },
    { N_("_Longest of the Same Name in View"), "chart.find::longest", "l" },
    { N_("_Shortest of the Same Name in View"), "chart.find::shortest", "k" },
    { N_("Next _Outlier in View"), "chart.find::outlier", "o" },
  };
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    add_line (section, _(items[i].words), items[i].action, items[i].key);
  if (kymo_source_get_capabilities (kymo_session_peek_source (self->session))
      & KYMO_CAN_MESSAGES)
    {
      add_line (section, _("What It _Waited For, Back Along Messages"),
                "chart.command::path-back", "c");
      add_line (section, _("What It Ca_used, Along Messages"),
                "chart.command::path-forward", "v");
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* (transfer full): of the length of a line; a single underscore would mark the key of the
   entry */
static char *
dup_name_in_menu (const char *name)
{
  g_autofree char *shorter = kymo_elide_middle (name, NAME_CHARS);
  g_auto (GStrv) parts = g_strsplit (shorter, "_", -1);

  return g_strjoinv ("__", parts);
}

/* Idle time and its like have their own looks everywhere. */
static gboolean
has_color (KymoCanvas *self)
{
  return self->menu_name != NULL
         && kymo_colors_get_rank (kymo_session_peek_colors (self->session), self->menu_name)
            != G_MAXUINT;
}

static void
add_of_name (KymoCanvas *self, GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autofree char *words = NULL;

  if (self->menu_name != NULL)
    {
      g_autofree char *name = dup_name_in_menu (self->menu_name);

      words = g_strdup_printf (_("_Hide “%s”"), name);
      if (!has_block (self))
        g_menu_append (section, _("_Go to Its Longest Block"), "chart.go-to");
      if (self->klass->focuses)
        g_menu_append (section, kymo_in_terms_of (self->session, _("_Focus on This {Code}")),
                       "chart.focus");
      if (has_color (self))
        g_menu_append (section, _("C_olour…"), "chart.color");
      g_menu_append (section, words, "chart.hide");
    }
  if (kymo_session_peek_hidden (self->session) != NULL)
    g_menu_append (section, _("Show All _Names"), "chart.show-all");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
add_of_row (KymoCanvas *self, GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autofree char *words = NULL;

  if (kymo_canvas_is_merged (self, self->menu_location))
    g_menu_append (section, kymo_in_terms_of (self->session,
                                              _("Show {rows} of This Row _Alone")),
                   "chart.only-row");
  else if (self->menu_location >= 0)
    {
      words = g_strdup_printf (
        kymo_in_terms_of (self->session,
                          _("Show {row} %" G_GINT64_FORMAT " _Alone")),
        self->menu_location);
      g_menu_append (section, words, "chart.only-row");
    }
  if (kymo_canvas_may_pin (self, self->menu_location))
    add_line (section, kymo_session_is_pinned (self->session, self->menu_location)
              ? _("_Unpin Row") : _("_Pin Row"), "chart.pin-row", "n");
  if (kymo_session_peek_locations (self->session) != NULL)
    g_menu_append (section, kymo_in_terms_of (self->session,
                                              _("Show All {rows}")),
                   "chart.all-rows");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
add_of_picture (KymoCanvas *self, GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();

  if (self->klass->time_axis)
    {
      add_line (section, _("Set _Marker Here"), "chart.mark", "m");
      add_line (section, _("_Bookmark Range…"), "chart.command::bookmark", "b");
      add_line (section, _("_Fit All"), "chart.command::fit", "f");
    }
  g_menu_append (section, _("_Table behind the Picture"), "win.table");
  add_line (section, _("_Copy Figures"), "chart.command::copy-figures", "<Control>c");
  add_line (section, _("Copy P_icture"), "chart.command::copy-picture", "<Control><Shift>c");
  add_line (section, _("_Export View…"), "chart.command::export", "<Control>e");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static GMenuModel *
build_menu (KymoCanvas *self)
{
  GMenu *menu = g_menu_new ();
  KymoSpan span;

  if (kymo_session_get_selection (self->session, &span))
    add_line (menu, _("_Zoom to Selection"), "chart.zoom", "z");
  else if (has_block (self))
    add_of_block (self, menu);
  add_of_name (self, menu);
  add_of_row (self, menu);
  add_of_picture (self, menu);
  return G_MENU_MODEL (menu);
}

static void
learn_hit (KymoCanvas *self)
{
  g_free (self->menu_name);
  self->menu_name = g_strdup (self->hit.name);
  self->menu_location = self->hit.location;
  self->menu_time_ns = self->hit.time_ns;
}

/** kymo_canvas_popup: opens the menu of what is at a place of the picture */
void
kymo_canvas_popup (KymoCanvas *self, double x, double y)
{
  g_autoptr (GMenuModel) menu = NULL;
  GdkRectangle at = { x * self->zoom, y * self->zoom, 1, 1 };

  learn_hit (self);
  menu = build_menu (self);
  if (self->menu == NULL)
    {
      self->menu = gtk_popover_menu_new_from_model (NULL);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
    }
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->menu), menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

/** kymo_canvas_popup_chosen: the menu of what keys have chosen */
void
kymo_canvas_popup_chosen (KymoCanvas *self)
{
  KymoRect area = kymo_canvas_get_area (self);
  double x = area.x + area.width / 2, y = area.y + area.height / 2;
  KymoCanvasClass *klass = KYMO_CANVAS_GET_CLASS (self);

  if ((klass->find_block != NULL && klass->find_block (self, &x, &y)) || !self->inside)
    {
      self->inside = TRUE;
      self->x = x;
      self->y = y;
      kymo_canvas_update_hit (self);
    }
  kymo_canvas_popup (self, self->x, self->y);
}

/**
 * kymo_canvas_add_menu:
 *
 * Adds the actions "chart." of the canvas's menu. Call it once, when the canvas is made.
 */
void
kymo_canvas_add_menu (KymoCanvas *self)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries,
                                   G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "chart",
                                  G_ACTION_GROUP (group));
}

/** kymo_canvas_forget_menu: all that pops up; at the end of the canvas */
void
kymo_canvas_forget_menu (KymoCanvas *self)
{
  drop_color (self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->tip, gtk_widget_unparent);
  g_clear_pointer (&self->menu_name, g_free);
}
