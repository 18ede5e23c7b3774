/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All groups on is no choice (the option is NULL), so that functions without any
 * group are there too. The last one cannot be taken off: no group would be all.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-group-choice.h"
#include "kymo-safe-text.h"
#include "kymo-session-profile.h"

#define MOST_PX 360

struct _KymoGroupChoice
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoProfileOptions *options;           /* of its part */
  GStrv        groups;
  GtkWidget   *button, *list;
  gboolean     filling;
};

G_DEFINE_FINAL_TYPE (KymoGroupChoice, kymo_group_choice, GTK_TYPE_BOX)

/* -- between the checks and the session ----------------------------------- */

static void
on_toggled (KymoGroupChoice *self, GtkCheckButton *toggled)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *check = gtk_widget_get_first_child (self->list);
  gboolean all = TRUE;

  if (self->filling)
    return;
  for (guint i = 0; check != NULL; check = gtk_widget_get_next_sibling (check), i++)
    if (!gtk_check_button_get_active (GTK_CHECK_BUTTON (check)))
      all = FALSE;
    else
      g_string_append_printf (text, "%s%s", text->len > 0 ? "|" : "",
                              self->groups[i]);
  if (text->len == 0)
    gtk_check_button_set_active (toggled, TRUE);
  else
    kymo_profile_options_set (self->options, "groups", all ? NULL : text->str);
}

static void
show_session (KymoGroupChoice *self)
{
  const char *option = kymo_profile_options_peek (self->options, "groups");
  g_auto (GStrv) on = option != NULL ? g_strsplit (option, "|", -1) : NULL;
  GtkWidget *check = gtk_widget_get_first_child (self->list);
  g_autofree char *label = NULL;
  guint n = 0, i;

  self->filling = TRUE;
  for (i = 0; check != NULL; check = gtk_widget_get_next_sibling (check), i++)
    {
      gboolean active = on == NULL
        || g_strv_contains ((const char *const *) on, self->groups[i]);

      n += active;
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), active);
    }
  self->filling = FALSE;
  label = on == NULL ? g_strdup (_("Groups"))
                     : g_strdup_printf (_("Groups (%u of %u)"), n, i);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), label);
  /* Of a button with a menu GTK does not read the label out by itself. */
  kymo_accessible_name (self->button, label);
}

static void
on_all (KymoGroupChoice *self)
{
  kymo_profile_options_set (self->options, "groups", NULL);
}

/* -- what there is -------------------------------------------------------- */

static void
fill_group_choice (KymoGroupChoice *self)
{
  for (GtkWidget *old; (old = gtk_widget_get_first_child (self->list)) != NULL;)
    gtk_box_remove (GTK_BOX (self->list), old);
  for (guint i = 0; self->groups[i] != NULL; i++)
    {
      g_autofree char *label = kymo_safe_text_dup (self->groups[i]);
      GtkWidget *check = gtk_check_button_new_with_label (label);

      kymo_follow (check, "toggled", on_toggled, self);
      gtk_box_append (GTK_BOX (self->list), check);
    }
}

/** kymo_group_choice_set_groups: @groups: (nullable): a list of names */
void
kymo_group_choice_set_groups (KymoGroupChoice *self, const KymoTable *groups)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint n = groups != NULL ? kymo_table_get_n_rows (groups) : 0;
  g_auto (GStrv) names = NULL;

  for (guint i = 0; i < n; i++)
    g_strv_builder_add (builder, kymo_table_get_string (groups, "value", i));
  names = g_strv_builder_end (builder);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 1);
  if (g_strv_equal ((const char *const *) names,
                    (const char *const *) self->groups))
    return;
  g_strfreev (self->groups);
  self->groups = g_steal_pointer (&names);
  fill_group_choice (self);
  show_session (self);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_group_choice_dispose (GObject *object)
{
  KymoGroupChoice *self = KYMO_GROUP_CHOICE (object);

  g_clear_pointer (&self->groups, g_strfreev);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_group_choice_parent_class)->dispose (object);
}

static void
kymo_group_choice_class_init (KymoGroupChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_group_choice_dispose;
}

static GtkWidget *
build_popover (KymoGroupChoice *self)
{
  GtkWidget *popover = gtk_popover_new (), *all;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_scrolled_window_set_propagate_natural_height (
    GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (
    GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              MOST_PX);
  gtk_box_append (GTK_BOX (box), scrolled);
  all = kymo_controls_add_button (box, _("_All Groups"),
                                  _("Functions of all groups, and of none"));
  kymo_follow (all, "clicked", on_all, self);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}

static void
kymo_group_choice_init (KymoGroupChoice *self)
{
  self->groups = g_new0 (char *, 1);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), _("Groups"));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button),
                               build_popover (self));
  kymo_controls_name (self->button, _("Which groups of functions are on"));
  gtk_box_append (GTK_BOX (self), self->button);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * kymo_group_choice_new:
 *
 * Makes the button for the profile options that @session uses now, and writes the option "groups"
 * there. It is hidden until kymo_group_choice_set_groups() names more than one group.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_group_choice_new (KymoSession *session)
{
  KymoGroupChoice *self = g_object_new (KYMO_TYPE_GROUP_CHOICE, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  kymo_follow (self->options, "changed", show_session, self);
  return GTK_WIDGET (self);
}
