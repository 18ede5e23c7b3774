/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What fits is decided with each allocation; the rest is unmapped, and in the list of all views.
 *
 * To assistive technology the views are a list of tabs, and keys work as there: Tab comes to
 * the view that is shown and goes on behind the list, arrows, Home and End go between.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-view-switch.h"

#include "kymo-accessible.h"
#include "kymo-view-chooser.h"
#include "kymo-view-groups.h"

#define SPACING_PX 2
#define TAB "kymo-tab"             /* of a button: id of its tab */

struct _KymoViewSwitch
{
  GtkWidget  parent_instance;

  GPtrArray *buttons;              /* GtkToggleButton: of groups, then of tabs */
  GtkWidget *line;                 /* between them */
  GtkWidget *all;                  /* the list of all views */
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

static gboolean
is_active (KymoViewSwitch *self, guint index)
{
  return is_wanted (self, index) && gtk_toggle_button_get_active (self->buttons->pdata[index]);
}

static int
width_with (KymoViewSwitch *self)
{
  return natural_width (self->line) + natural_width (self->all) + 2 * SPACING_PX;
}

/* Room for the list and for what is shown is kept before others take any: groups first, as
   tabs are found behind them. */
static void
choose_fitting (KymoViewSwitch *self, int width)
{
  int room = width - width_with (self);
  gboolean full = FALSE;

  for (guint i = 0; i < self->buttons->len; i++)
    if (is_active (self, i))
      room -= natural_width (self->buttons->pdata[i]) + SPACING_PX;
  for (guint i = 0; i < self->buttons->len; i++)
    {
      GtkWidget *button = self->buttons->pdata[i];

      if (!is_wanted (self, i))
        continue;
      if (!full && !is_active (self, i))
        {
          room -= natural_width (button) + SPACING_PX;
          full = room < 0;
        }
      gtk_widget_set_child_visible (button, !full || is_active (self, i));
    }
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
    {
      if (i == KYMO_N_VIEW_GROUPS)
        place_view_switch (self->line, &x, height);
      if (is_wanted (self, i) && gtk_widget_get_child_visible (self->buttons->pdata[i]))
        place_view_switch (self->buttons->pdata[i], &x, height);
    }
  place_view_switch (self->all, &x, height);
}

static void
kymo_view_switch_measure (GtkWidget *widget, GtkOrientation orientation,
                          int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  KymoViewSwitch *self = KYMO_VIEW_SWITCH (widget);
  int widest[] = { 0, 0 }, highest = 0, total = 0, size;

  for (guint i = 0; i < self->buttons->len; i++)
    {
      int width, *most = &widest[i >= KYMO_N_VIEW_GROUPS];

      if (!is_wanted (self, i))
        continue;
      width = natural_width (self->buttons->pdata[i]) + SPACING_PX;
      *most = MAX (*most, width);
      total += width;
      gtk_widget_measure (self->buttons->pdata[i], GTK_ORIENTATION_VERTICAL,
                          -1, NULL, &size, NULL, NULL);
      highest = MAX (highest, size);
    }
  gtk_widget_measure (self->all, GTK_ORIENTATION_VERTICAL, -1, NULL, &size,
                      NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = MAX (highest, size);
  else
    {
      *minimum = widest[0] + widest[1] + width_with (self);
      *natural = total + width_with (self);
    }
}

/* -- keys ----------------------------------------------------------------- */

/* All that are to be seen, the list of all last. */
static GPtrArray *
list_stops (KymoViewSwitch *self)
{
  GPtrArray *stops = g_ptr_array_new ();

  for (guint i = 0; i < self->buttons->len; i++)
    if (is_wanted (self, i)
        && gtk_widget_get_child_visible (self->buttons->pdata[i]))
      g_ptr_array_add (stops, self->buttons->pdata[i]);
  g_ptr_array_add (stops, self->all);
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
  for (guint i = KYMO_N_VIEW_GROUPS; i < self->buttons->len; i++)
    if (is_active (self, i))
      return gtk_widget_grab_focus (self->buttons->pdata[i]);
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
group_new (KymoViewGroup group)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (kymo_view_group_title (group));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.view-group");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", kymo_view_group_id (group));
  g_signal_connect (button, "toggled", G_CALLBACK (on_toggled), NULL);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "kymo-group");
  return button;
}

/* Its action is to show the view of the tab that was seen last. */
static GtkWidget *
tab_new (const KymoViewInfo *info)
{
  GtkWidget *button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_TAB, NULL);

  g_signal_connect (button, "toggled", G_CALLBACK (on_toggled), NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.view");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", info->id);
  g_object_set_data (G_OBJECT (button), TAB, (gpointer) info->id);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "kymo-tab");
  return button;
}

static void
follow_tab (GtkWidget *button, KymoRunView *view)
{
  const KymoViewInfo *tab = kymo_view_find (g_object_get_data (G_OBJECT (button), TAB));
  const KymoViewInfo *shown = kymo_view_find (kymo_run_view_get_view (view));
  const char *title = kymo_run_view_title_of (view, tab->id);
  const char *last = kymo_run_view_find_in_tab (view, tab->id);

  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), title) != 0)
    gtk_button_set_label (GTK_BUTTON (button), title);
  if (last != NULL)
    {
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", last);
      gtk_widget_set_tooltip_text (button, kymo_run_view_question_of (view, last));
    }
  gtk_widget_set_visible (button, last != NULL && shown != NULL && shown->group == tab->group);
}

/** kymo_view_switch_follow: @view: (nullable): what is in front */
void
kymo_view_switch_follow (KymoViewSwitch *self, KymoRunView *view)
{
  for (guint i = 0; view != NULL && i < self->buttons->len; i++)
    if (i < KYMO_N_VIEW_GROUPS)
      gtk_widget_set_visible (self->buttons->pdata[i],
                              kymo_run_view_find_in_group (view, i) != NULL);
    else
      follow_tab (self->buttons->pdata[i], view);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_view_switch_dispose (GObject *object)
{
  KymoViewSwitch *self = KYMO_VIEW_SWITCH (object);

  for (guint i = 0; i < self->buttons->len; i++)
    gtk_widget_unparent (self->buttons->pdata[i]);
  g_ptr_array_set_size (self->buttons, 0);
  g_clear_pointer (&self->line, gtk_widget_unparent);
  g_clear_pointer (&self->all, gtk_widget_unparent);
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
add_button (KymoViewSwitch *self, GtkWidget *button)
{
  gtk_widget_set_parent (button, GTK_WIDGET (self));
  g_ptr_array_add (self->buttons, button);
}

static void
kymo_view_switch_init (KymoViewSwitch *self)
{
  self->buttons = g_ptr_array_new ();
  for (guint i = 0; i < KYMO_N_VIEW_GROUPS; i++)
    add_button (self, group_new (i));
  self->line = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_parent (self->line, GTK_WIDGET (self));
  for (const KymoViewInfo *info = kymo_views; info->id != NULL; info++)
    if (info->tab == NULL)
      add_button (self, tab_new (info));
  self->all = kymo_view_chooser_new ();
  gtk_widget_set_parent (self->all, GTK_WIDGET (self));
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

  kymo_accessible_name (self, _("Views"));
  return self;
}
