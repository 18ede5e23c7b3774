/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buttons lie in the order of kymo_views. Which of them fit is decided with
 * each allocation; those that do not are unmapped, and the menu is filled when
 * it is opened.
 *
 * To assistive technology it is a list of tabs, and keys work as there: Tab comes to
 * the view that is shown and goes on behind the list, arrows, Home and End go between.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-view-switch.h"

#define SPACING_PX 2

struct _KymoViewSwitch
{
  GtkWidget  parent_instance;

  GPtrArray *buttons;              /* GtkToggleButton, one a line of kymo_views */
  GtkWidget *more;                 /* the menu button */
  GMenu     *menu;
};

G_DEFINE_FINAL_TYPE (KymoViewSwitch, kymo_view_switch, GTK_TYPE_WIDGET)

/* -- which fit ------------------------------------------------------------ */

static int
natural_width (GtkWidget *widget)
{
  int natural = 0;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural,
                      NULL, NULL);
  return natural;
}

static gboolean
is_wanted (KymoViewSwitch *self, guint index)
{
  return gtk_widget_get_visible (self->buttons->pdata[index]);
}

static int
total_width (KymoViewSwitch *self)
{
  int total = 0;

  for (guint i = 0; i < self->buttons->len; i++)
    if (is_wanted (self, i))
      total += natural_width (self->buttons->pdata[i]) + SPACING_PX;
  return MAX (total - SPACING_PX, 0);
}

static int
find_active (KymoViewSwitch *self)
{
  for (guint i = 0; i < self->buttons->len; i++)
    if (is_wanted (self, i)
        && gtk_toggle_button_get_active (self->buttons->pdata[i]))
      return i;
  return -1;
}

/* Room for the menu and the active button is kept before others take any. */
static void
choose_fitting (KymoViewSwitch *self, int width)
{
  int active = find_active (self);
  gboolean all = total_width (self) <= width, full = FALSE;
  int room = width;

  if (!all)
    room -= natural_width (self->more) + SPACING_PX;
  if (!all && active >= 0)
    room -= natural_width (self->buttons->pdata[active]) + SPACING_PX;
  for (guint i = 0; i < self->buttons->len; i++)
    {
      GtkWidget *button = self->buttons->pdata[i];
      gboolean fits = all || (int) i == active;

      if (!is_wanted (self, i))
        continue;
      if (!fits && !full)
        {
          room -= natural_width (button) + SPACING_PX;
          full = room < 0;
          fits = !full;
        }
      gtk_widget_set_child_visible (button, fits);
    }
  gtk_widget_set_child_visible (self->more, !all);
}

static void
place_view_switch (GtkWidget *child, int *x, int height)
{
  int width = natural_width (child);

  gtk_widget_size_allocate (child, &(GtkAllocation) { *x, 0, width, height },
                            -1);
  *x += width + SPACING_PX;
}

static void
kymo_view_switch_size_allocate (GtkWidget *widget, int width, int height,
                                int baseline)
{
  KymoViewSwitch *self = KYMO_VIEW_SWITCH (widget);
  int x = 0;

  choose_fitting (self, width);
  for (guint i = 0; i < self->buttons->len; i++)
    if (is_wanted (self, i)
        && gtk_widget_get_child_visible (self->buttons->pdata[i]))
      place_view_switch (self->buttons->pdata[i], &x, height);
  if (gtk_widget_get_child_visible (self->more))
    place_view_switch (self->more, &x, height);
}

static void
kymo_view_switch_measure (GtkWidget *widget, GtkOrientation orientation,
                          int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  KymoViewSwitch *self = KYMO_VIEW_SWITCH (widget);
  int widest = 0, highest = 0, size;

  for (guint i = 0; i < self->buttons->len; i++)
    {
      if (!is_wanted (self, i))
        continue;
      widest = MAX (widest, natural_width (self->buttons->pdata[i]));
      gtk_widget_measure (self->buttons->pdata[i], GTK_ORIENTATION_VERTICAL,
                          -1, NULL, &size, NULL, NULL);
      highest = MAX (highest, size);
    }
  gtk_widget_measure (self->more, GTK_ORIENTATION_VERTICAL, -1, NULL, &size,
                      NULL, NULL);
  highest = MAX (highest, size);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = highest;
  else
    {
      *minimum = widest + SPACING_PX + natural_width (self->more);
      *natural = MAX (total_width (self), *minimum);
    }
}

/* -- keys ----------------------------------------------------------------- */

/* All that are to be seen, the menu last. */
static GPtrArray *
list_stops (KymoViewSwitch *self)
{
  GPtrArray *stops = g_ptr_array_new ();

  for (guint i = 0; i < self->buttons->len; i++)
    if (is_wanted (self, i)
        && gtk_widget_get_child_visible (self->buttons->pdata[i]))
      g_ptr_array_add (stops, self->buttons->pdata[i]);
  if (gtk_widget_get_child_visible (self->more))
    g_ptr_array_add (stops, self->more);
  return stops;
}

static int
find_focus (KymoViewSwitch *self, GPtrArray *stops)
{
  GtkWidget *child = gtk_widget_get_focus_child (GTK_WIDGET (self));
  guint index;

  return child != NULL && g_ptr_array_find (stops, child, &index) ? (int) index : -1;
}

/* Tab from outside: to the view that is shown. */
static gboolean
enter_view_switch (KymoViewSwitch *self, GPtrArray *stops)
{
  int active = find_active (self);

  if (active >= 0)
    return gtk_widget_grab_focus (self->buttons->pdata[active]);
  return stops->len > 0 && gtk_widget_grab_focus (stops->pdata[0]);
}

static gboolean
kymo_view_switch_focus (GtkWidget *widget, GtkDirectionType direction)
{
  KymoViewSwitch *self = KYMO_VIEW_SWITCH (widget);
  g_autoptr (GPtrArray) stops = list_stops (self);
  gboolean to_left = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL
                     ? direction == GTK_DIR_RIGHT : direction == GTK_DIR_LEFT;
  int at = find_focus (self, stops);

  if (at < 0)
    return enter_view_switch (self, stops);
  if (direction != GTK_DIR_LEFT && direction != GTK_DIR_RIGHT)
    return FALSE;
  at += to_left ? -1 : 1;
  return at >= 0 && at < (int) stops->len && gtk_widget_grab_focus (stops->pdata[at]);
}

static gboolean
on_home (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  g_autoptr (GPtrArray) stops = list_stops (KYMO_VIEW_SWITCH (widget));
  gboolean last = g_variant_get_boolean (arguments);

  return stops->len > 0
         && gtk_widget_grab_focus (stops->pdata[last ? stops->len - 1 : 0]);
}

/* -- the menu ------------------------------------------------------------- */

static void
fill_menu (GtkMenuButton *button, gpointer data)
{
  KymoViewSwitch *self = data;

  g_menu_remove_all (self->menu);
  for (guint i = 0; i < self->buttons->len; i++)
    if (is_wanted (self, i)
        && !gtk_widget_get_child_visible (self->buttons->pdata[i]))
      {
        g_autofree char *action = g_strdup_printf ("win.view::%s",
                                                   kymo_views[i].id);

        g_menu_append (self->menu, gtk_button_get_label (
                         self->buttons->pdata[i]), action);
      }
}

static GtkWidget *
build_more (KymoViewSwitch *self)
{
  GtkWidget *more = gtk_menu_button_new ();

  self->menu = g_menu_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (more), _("More"));
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (more), FALSE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (more),
                                  G_MENU_MODEL (self->menu));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (more), fill_menu,
                                         self, NULL);
  gtk_widget_set_tooltip_text (more, _("More views"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (more),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("More views"), -1);
  return more;
}

/* -- the buttons ---------------------------------------------------------- */

static void
on_toggled (GtkToggleButton *button)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (button),
                               GTK_ACCESSIBLE_STATE_SELECTED,
                               gtk_toggle_button_get_active (button), -1);
  gtk_widget_queue_allocate (gtk_widget_get_parent (GTK_WIDGET (button)));
}

static GtkWidget *
button_new (const KymoViewInfo *info)
{
  GtkWidget *button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_TAB, NULL);

  g_signal_connect (button, "toggled", G_CALLBACK (on_toggled), NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.view");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", info->id);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

/** kymo_view_switch_follow: @view: (nullable): what is in front */
void
kymo_view_switch_follow (KymoViewSwitch *self, KymoRunView *view)
{
  for (guint i = 0; view != NULL && i < self->buttons->len; i++)
    {
      GtkWidget *button = self->buttons->pdata[i];
      const char *title = kymo_run_view_title_of (view, kymo_views[i].id);

      if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), title) != 0)
        gtk_button_set_label (GTK_BUTTON (button), title);
      gtk_widget_set_visible (button, kymo_run_view_has_view (
        view, kymo_views[i].id));
    }
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_view_switch_dispose (GObject *object)
{
  KymoViewSwitch *self = KYMO_VIEW_SWITCH (object);

  for (guint i = 0; i < self->buttons->len; i++)
    gtk_widget_unparent (self->buttons->pdata[i]);
  g_ptr_array_set_size (self->buttons, 0);
  g_clear_pointer (&self->more, gtk_widget_unparent);
  g_clear_object (&self->menu);
  G_OBJECT_CLASS (kymo_view_switch_parent_class)->dispose (object);
}

static void
kymo_view_switch_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_VIEW_SWITCH (object)->buttons);
  G_OBJECT_CLASS (kymo_view_switch_parent_class)->finalize (object);
}

static void
kymo_view_switch_class_init (KymoViewSwitchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_view_switch_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_view_switch_finalize;
  widget_class->focus = kymo_view_switch_focus;
  widget_class->measure = kymo_view_switch_measure;
  widget_class->size_allocate = kymo_view_switch_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TAB_LIST);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, 0, on_home, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_End, 0, on_home, "b", TRUE);
}

static void
kymo_view_switch_init (KymoViewSwitch *self)
{
  self->buttons = g_ptr_array_new ();
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    {
      GtkWidget *button = button_new (&kymo_views[i]);

      gtk_widget_set_parent (button, GTK_WIDGET (self));
      g_ptr_array_add (self->buttons, button);
    }
  self->more = build_more (self);
  gtk_widget_set_parent (self->more, GTK_WIDGET (self));
}

/**
 * kymo_view_switch_new:
 *
 * Returns: (transfer floating): the row of buttons; kymo_view_switch_follow() tells which views
 * there are
 */
GtkWidget *
kymo_view_switch_new (void)
{
  GtkWidget *self = g_object_new (KYMO_TYPE_VIEW_SWITCH, "hexpand", TRUE, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Views"), -1);
  return self;
}
