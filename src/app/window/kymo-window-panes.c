/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which panes are open beside the views: the window's, so that each run has the same. In a
 * narrow window one side pane is open at most, or the charts between them would be too small.
 */
#include "config.h"

#include "kymo-settings.h"
#include "kymo-text-zoom.h"
#include "kymo-window-private.h"

/* Both side panes, and 700 px for charts. */
#define WIDE_PX 1180
/* Here the legend has room for long names. */
#define VERY_WIDE_PX 1800

/* In the order of KymoPane. */
static const char *const panes[] = { "sidebar", "legend", "details" };

static gboolean
is_wanted (KymoWindow *self, KymoPane pane)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self),
                                                                panes[pane]);

  return g_variant_get_boolean (state);
}

static double
get_room (KymoWindow *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height;

  if (width <= 0)
    gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  return width / kymo_text_zoom ();
}

static gboolean
is_narrow (KymoWindow *self)
{
  return get_room (self) < WIDE_PX;
}

/* The list of locations is the one that is opened by hand: it wins where both are wanted. */
static void
show_panes (KymoWindow *self)
{
  KymoRunView *view = kymo_window_get_view (self);
  gboolean crowded = is_narrow (self) && is_wanted (self, KYMO_PANE_SIDEBAR);

  if (view != NULL)
    kymo_run_view_set_wide (view, get_room (self) >= VERY_WIDE_PX);
  for (guint i = 0; view != NULL && i < G_N_ELEMENTS (panes); i++)
    kymo_run_view_show_pane (view, i, is_wanted (self, i)
                             && !(i == KYMO_PANE_LEGEND && crowded));
}

static char *
key_of_pane (const char *pane)
{
  return g_strconcat ("show-", pane, NULL);
}

static void
want_pane (KymoWindow *self, KymoPane pane, gboolean wanted)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *key = key_of_pane (panes[pane]);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), panes[pane]);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (wanted));
  if (settings != NULL)
    g_settings_set_boolean (settings, key, wanted);
}

/* In a narrow window the pane that is opened takes the place of the other one. */
static void
set_pane (GSimpleAction *action, GVariant *state, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));
  gboolean wanted = g_variant_get_boolean (state);
  KymoPane pane = 0;

  while (g_strcmp0 (panes[pane], name) != 0)
    pane++;
  want_pane (data, pane, wanted);
  if (wanted && pane != KYMO_PANE_DETAILS && is_narrow (data))
    want_pane (data, pane == KYMO_PANE_LEGEND ? KYMO_PANE_SIDEBAR : KYMO_PANE_LEGEND, FALSE);
  show_panes (data);
}

static const GActionEntry entries[] = {
  { "sidebar", NULL, NULL, "false", set_pane, { 0 } },
  { "legend", NULL, NULL, "true", set_pane, { 0 } },
  { "details", NULL, NULL, "true", set_pane, { 0 } },
};

/** kymo_window_sync_panes: shows the panes of the visible run that are wanted */
void
kymo_window_sync_panes (KymoWindow *self)
{
  show_panes (self);
}

/**
 * kymo_window_add_panes:
 *
 * Adds the actions that open and close panes. They start as the settings have them, and are kept
 * there.
 */
void
kymo_window_add_panes (KymoWindow *self)
{
  GSettings *settings = kymo_settings_peek ();

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; settings != NULL && i < G_N_ELEMENTS (panes); i++)
    {
      g_autofree char *key = key_of_pane (panes[i]);

      g_simple_action_set_state (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), panes[i])),
        g_variant_new_boolean (g_settings_get_boolean (settings, key)));
    }
  g_signal_connect (self, "notify::default-width", G_CALLBACK (show_panes), NULL);
  g_signal_connect (self, "notify::maximized", G_CALLBACK (show_panes), NULL);
}
