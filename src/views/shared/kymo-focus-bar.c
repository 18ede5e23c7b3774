/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-focus-bar.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-session-profile.h"

#define NAME_CHARS 28

struct _KymoFocusBar
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoProfileOptions *options;     /* of its part */
  GtkWidget   *all, *name, *focus;
};

G_DEFINE_FINAL_TYPE (KymoFocusBar, kymo_focus_bar, GTK_TYPE_BOX)

static void
show_focus_bar (KymoFocusBar *self)
{
  const char *focus = kymo_profile_options_peek (self->options, "focus");
  const char *chosen = kymo_session_peek_function (self->session);
  g_autofree char *name = g_strdup_printf ("› %s", focus != NULL ? focus : "");

  gtk_widget_set_visible (self->all, focus != NULL);
  gtk_widget_set_visible (self->name, focus != NULL);
  kymo_label_set (self->name, name);
  kymo_label_set_tip (self->name, focus);
  gtk_widget_set_sensitive (self->focus, chosen != NULL && g_strcmp0 (chosen, focus) != 0);
}

static void
on_all (KymoFocusBar *self)
{
  kymo_profile_options_set (self->options, "focus", NULL);
}

static void
on_focus (KymoFocusBar *self)
{
  const char *chosen = kymo_session_peek_function (self->session);

  if (chosen != NULL)
    kymo_profile_options_set (self->options, "focus", chosen);
}

/* In an entry letters are letters, and Escape is its own; a menu that is open closes. */
static gboolean
is_typing (GtkWidget *view)
{
  GtkRoot *root = gtk_widget_get_root (view);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL
         && (GTK_IS_EDITABLE (focus) || gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL);
}

static gboolean
on_key (KymoFocusBar *self, guint key, guint code, GdkModifierType state,
        GtkEventController *controller)
{
  const GdkModifierType held = GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_SHIFT_MASK;

  if ((state & held) != 0 || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || is_typing (gtk_event_controller_get_widget (controller)))
    return FALSE;
  if ((key == GDK_KEY_i || key == GDK_KEY_I) && gtk_widget_is_sensitive (self->focus))
    on_focus (self);
  else if (key == GDK_KEY_Escape && kymo_profile_options_peek (self->options, "focus") != NULL)
    on_all (self);
  else
    return FALSE;
  return TRUE;
}

static void
kymo_focus_bar_dispose (GObject *object)
{
  g_clear_object (&KYMO_FOCUS_BAR (object)->options);
  g_clear_object (&KYMO_FOCUS_BAR (object)->session);
  G_OBJECT_CLASS (kymo_focus_bar_parent_class)->dispose (object);
}

static void
kymo_focus_bar_class_init (KymoFocusBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_focus_bar_dispose;
}

static void
kymo_focus_bar_init (KymoFocusBar *self)
{
  gtk_box_set_spacing (GTK_BOX (self), 6);
}

/* Before the picture gets it: there Escape takes the selection away. */
static void
add_keys (KymoFocusBar *self, GtkWidget *view)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  kymo_follow (keys, "key-pressed", on_key, self);
  gtk_widget_add_controller (view, keys);
}

/**
 * kymo_focus_bar_new:
 * @session: whose chosen function and options it follows; the bar holds a reference
 * @view: the view around the bar; gets a controller for the keys I and Escape
 *
 * Returns: (transfer floating): the bar
 */
GtkWidget *
kymo_focus_bar_new (KymoSession *session, GtkWidget *view)
{
  KymoFocusBar *self = g_object_new (KYMO_TYPE_FOCUS_BAR, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  self->all = kymo_controls_add_button (GTK_WIDGET (self), _("_All Calls"),
                                        _("Back to the whole call tree (Escape)"));
  self->name = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->name), NAME_CHARS);
  gtk_box_append (GTK_BOX (self), self->name);
  self->focus = kymo_controls_add_button (
    GTK_WIDGET (self), _("Fo_cus"), kymo_in_terms_of (
      session, _("Callers and callees of the chosen {code}, summed over all its places (I)")));
  kymo_follow (self->all, "clicked", on_all, self);
  kymo_follow (self->focus, "clicked", on_focus, self);
  kymo_follow (self->options, "changed", show_focus_bar, self);
  kymo_follow (session, "function-changed", show_focus_bar, self);
  add_keys (self, view);
  show_focus_bar (self);
  return GTK_WIDGET (self);
}
