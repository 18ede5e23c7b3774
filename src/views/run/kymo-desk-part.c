/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-desk-part-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "kymo-canvas.h"
#include "kymo-controls.h"
#include "kymo-kept.h"
#include "kymo-ruler.h"
#include "kymo-run-view.h"
#include "kymo-session-profile.h"
#include "kymo-view-groups.h"

G_DEFINE_FINAL_TYPE (KymoDeskPart, kymo_desk_part, GTK_TYPE_BOX)

/* -- its views ------------------------------------------------------------ */

/**
 * kymo_desk_part_get_view:
 *
 * Returns: (nullable): id of the visible view; %NULL before the first view
 */
const char *
kymo_desk_part_get_view (KymoDeskPart *self)
{
  return adw_view_stack_get_visible_child_name (self->stack);
}

/**
 * kymo_desk_part_get_before:
 *
 * Returns: (nullable): id of the view that was visible before the present view; %NULL for the
 * first view
 */
const char *
kymo_desk_part_get_before (KymoDeskPart *self)
{
  return self->before;
}

/**
 * kymo_desk_part_peek_shown:
 *
 * Returns: (transfer none) (nullable): the visible view; %NULL before the first view
 */
GtkWidget *
kymo_desk_part_peek_shown (KymoDeskPart *self)
{
  return adw_view_stack_get_visible_child (self->stack);
}

/**
 * kymo_desk_part_peek_built:
 * @id: of kymo_views
 *
 * Returns: (transfer none) (nullable): the view, visible or not; %NULL where this part has not
 * shown it yet
 */
GtkWidget *
kymo_desk_part_peek_built (KymoDeskPart *self, const char *id)
{
  return adw_view_stack_get_child_by_name (self->stack, id);
}

/* Views hold the options that are the session's when they are made. */
static GtkWidget *
build_view (KymoDeskPart *self, const char *id)
{
  g_autoptr (KymoProfileOptions) before
    = g_object_ref (kymo_session_peek_options (self->session));
  GtkWidget *view;

  kymo_session_use_options (self->session, self->options);
  view = self->owner.build (self->owner.data, id);
  kymo_session_use_options (self->session, before);
  kymo_kept_restore (view, id, self->words);
  return view;
}

/**
 * kymo_desk_part_peek_options:
 *
 * Returns: (transfer none): the profile options that all views of this part use
 */
KymoProfileOptions *
kymo_desk_part_peek_options (KymoDeskPart *self)
{
  return self->options;
}

static void
collect_desk_part (KymoDeskPart *self, const char *id)
{
  GtkWidget *view = kymo_desk_part_peek_built (self, id);

  if (view != NULL)
    kymo_kept_collect (view, id, self->words);
}

/**
 * kymo_desk_part_peek_words:
 *
 * Collects the present choices of all views that are built.
 *
 * Returns: (transfer none): keyword -> value, of built views and of views still to be built; owned
 * by the part, valid until the next change
 */
GHashTable *
kymo_desk_part_peek_words (KymoDeskPart *self)
{
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    collect_desk_part (self, kymo_views[i].id);
  return self->words;
}

/** kymo_desk_part_set_words: of views that are made or to be made */
void
kymo_desk_part_set_words (KymoDeskPart *self, GHashTable *words)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_remove_all (self->words);
  g_hash_table_iter_init (&iter, words);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (self->words, g_strdup (key), g_strdup (value));
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    {
      GtkWidget *view = kymo_desk_part_peek_built (self, kymo_views[i].id);

      if (view != NULL)
        kymo_kept_restore (view, kymo_views[i].id, self->words);
    }
}

static void
show_view (KymoDeskPart *self, const char *id)
{
  if (kymo_desk_part_peek_built (self, id) == NULL)
    adw_view_stack_add_named (self->stack, build_view (self, id), id);
  adw_view_stack_set_visible_child_name (self->stack, id);
  kymo_desk_part_say_view (self);
  kymo_desk_part_fill_shared (self);
  g_signal_emit_by_name (self, "turned");
}

/** kymo_desk_part_set_view: @id: one that the run does not have is ignored */
void
kymo_desk_part_set_view (KymoDeskPart *self, const char *id)
{
  const char *now = kymo_desk_part_get_view (self);

  if (!self->owner.has (self->owner.data, id))
    return;
  g_clear_pointer (&self->wish, g_free);
  if (g_strcmp0 (id, now) == 0)
    return;
  g_free (self->before);
  self->before = g_strdup (now);
  show_view (self, id);
}

/** kymo_desk_part_wish: @id: (nullable): %NULL is no wish */
void
kymo_desk_part_wish (KymoDeskPart *self, const char *id)
{
  g_free (self->wish);
  self->wish = g_strdup (id);
  kymo_desk_part_do_wish (self);
}

/** kymo_desk_part_do_wish: the run may have more views now */
void
kymo_desk_part_do_wish (KymoDeskPart *self)
{
  g_autofree char *id = g_strdup (self->wish);

  kymo_desk_part_fill_shared (self);
  if (id != NULL)
    kymo_desk_part_set_view (self, id);
}

/* -- the ruler ------------------------------------------------------------ */

static void
move_ruler (KymoDeskPart *self, GtkWidget *box, GtkWidget *after)
{
  GtkWidget *parent = gtk_widget_get_parent (self->ruler);

  if (box == parent)
    return;
  gtk_box_remove (GTK_BOX (parent), self->ruler);
  gtk_box_insert_child_after (GTK_BOX (box), self->ruler, after);
}

/* Right above the picture: below the controls of the view, where it has some. */
static void
place_ruler (KymoDeskPart *self)
{
  GtkWidget *shown = kymo_desk_part_peek_shown (self);
  GtkWidget *first = GTK_IS_BOX (shown) ? gtk_widget_get_first_child (shown) : NULL;

  if (first != NULL && first != self->ruler && kymo_controls_is_bar (first))
    move_ruler (self, shown, first);
  else
    move_ruler (self, GTK_WIDGET (self), self->bar);
}

/**
 * kymo_desk_part_show_ruler:
 *
 * Shows or hides the ruler. A visible ruler lies right above the picture, below the controls of
 * the view.
 */
void
kymo_desk_part_show_ruler (KymoDeskPart *self, gboolean visible)
{
  if (visible)
    place_ruler (self);
  gtk_widget_set_visible (self->ruler, visible);
}

/**
 * kymo_desk_part_peek_ruler:
 *
 * Returns: (transfer none): the ruler, also where it is hidden
 */
GtkWidget *
kymo_desk_part_peek_ruler (KymoDeskPart *self)
{
  return self->ruler;
}

/**
 * kymo_desk_part_shows_ruler:
 *
 * Returns: whether the ruler is set to be visible
 */
gboolean
kymo_desk_part_shows_ruler (KymoDeskPart *self)
{
  return gtk_widget_get_visible (self->ruler);
}

/**
 * kymo_desk_part_set_phases:
 * @phases: (nullable): rows of the info answer
 *
 * Gives the ruler the phases that it marks; %NULL removes them.
 */
void
kymo_desk_part_set_phases (KymoDeskPart *self, KymoTable *phases)
{
  kymo_ruler_set_phases (KYMO_RULER (self->ruler), phases);
}

/**
 * kymo_desk_part_set_marks:
 * @marks: (nullable): rows of the info answer
 *
 * Gives the ruler the marks that it shows; %NULL removes them.
 */
void
kymo_desk_part_set_marks (KymoDeskPart *self, KymoTable *marks)
{
  kymo_ruler_set_marks (KYMO_RULER (self->ruler), marks);
}

/* -- views that are made anew --------------------------------------------- */

/**
 * kymo_desk_part_renew:
 * @id: of kymo_views; nothing happens where the view is not built
 *
 * Drops a view and keeps its choices. A visible view is built again at once, a hidden view when it
 * is shown next.
 */
void
kymo_desk_part_renew (KymoDeskPart *self, const char *id)
{
  GtkWidget *old = kymo_desk_part_peek_built (self, id);
  gboolean visible = old != NULL && old == kymo_desk_part_peek_shown (self);
  GtkWidget *fresh;

  if (old == NULL)
    return;
  collect_desk_part (self, id);
  if (gtk_widget_is_ancestor (self->ruler, old))
    move_ruler (self, GTK_WIDGET (self), self->bar);
  if (visible)
    {
      fresh = build_view (self, id);
      adw_view_stack_remove (self->stack, old);
      adw_view_stack_add_named (self->stack, fresh, id);
      adw_view_stack_set_visible_child (self->stack, fresh);
      if (gtk_widget_get_visible (self->ruler))
        place_ruler (self);
    }
  else
    adw_view_stack_remove (self->stack, old);
}

/**
 * kymo_desk_part_get_wanted:
 *
 * Returns: (nullable): id of the view that waits for its data (see kymo_desk_part_wish()), else of
 * the visible view
 */
const char *
kymo_desk_part_get_wanted (KymoDeskPart *self)
{
  return self->wish != NULL ? self->wish : kymo_desk_part_get_view (self);
}

/* -- actions -------------------------------------------------------------- */

static void
on_view (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoDeskPart *self = data;

  kymo_desk_part_set_view (self, g_variant_get_string (state, NULL));
  kymo_desk_part_focus (self);
}

static void
on_close (KymoDeskPart *self)
{
  g_signal_emit_by_name (self, "closed");
}

static void
on_kept (KymoDeskPart *self)
{
  g_signal_emit_by_name (self, "kept");
}

static void
add_actions (KymoDeskPart *self)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) close = g_simple_action_new ("close", NULL);
  g_autoptr (GSimpleAction) kept = g_simple_action_new ("kept", NULL);

  self->action = g_simple_action_new_stateful ("view", G_VARIANT_TYPE_STRING,
                                               g_variant_new_string (""));
  g_signal_connect (self->action, "change-state", G_CALLBACK (on_view), self);
  kymo_follow (close, "activate", on_close, self);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (self->action));
  kymo_follow (kept, "activate", on_kept, self);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (close));
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (kept));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "part", G_ACTION_GROUP (group));
}

/* -- the keyboard --------------------------------------------------------- */

/* The first picture that is to be seen below a widget. */
static GtkWidget *
find_canvas (GtkWidget *top)
{
  GtkWidget *found = NULL;

  if (!gtk_widget_get_child_visible (top) || !gtk_widget_get_visible (top))
    return NULL;
  if (KYMO_IS_CANVAS (top))
    return top;
  for (GtkWidget *child = gtk_widget_get_first_child (top);
       child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_canvas (child);
  return found;
}

/**
 * kymo_desk_part_focus:
 *
 * To what had it last in this part, else to a picture, else to what comes first.
 *
 * Returns: whether something took it
 */
gboolean
kymo_desk_part_focus (KymoDeskPart *self)
{
  GtkWidget *shown = kymo_desk_part_peek_shown (self);
  GtkWidget *last = shown != NULL ? gtk_widget_get_focus_child (shown) : NULL;

  while (last != NULL && gtk_widget_get_focus_child (last) != NULL)
    last = gtk_widget_get_focus_child (last);
  if (last != NULL && gtk_widget_get_mapped (last) && gtk_widget_grab_focus (last))
    return TRUE;
  last = shown != NULL ? find_canvas (shown) : NULL;
  return (last != NULL && gtk_widget_grab_focus (last))
         || (shown != NULL && gtk_widget_child_focus (shown, GTK_DIR_TAB_FORWARD));
}

/* -- the widget ----------------------------------------------------------- */

static void
on_entered (KymoDeskPart *self)
{
  g_signal_emit_by_name (self, "entered");
}

/* A gesture here would take part in those of buttons and drop-downs. */
static gboolean
on_event (GtkEventController *controller, GdkEvent *event, KymoDeskPart *self)
{
  if (gdk_event_get_event_type (event) == GDK_BUTTON_PRESS)
    on_entered (self);
  return GDK_EVENT_PROPAGATE;
}

static void
kymo_desk_part_dispose (GObject *object)
{
  KymoDeskPart *self = KYMO_DESK_PART (object);

  if (self->action != NULL)
    g_signal_handlers_disconnect_by_data (self->action, self);
  g_clear_object (&self->action);
  g_clear_object (&self->menu);
  g_clear_object (&self->ruler);
  g_clear_pointer (&self->before, g_free);
  g_clear_pointer (&self->wish, g_free);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_desk_part_parent_class)->dispose (object);
}

static void
kymo_desk_part_finalize (GObject *object)
{
  g_hash_table_unref (KYMO_DESK_PART (object)->words);
  G_OBJECT_CLASS (kymo_desk_part_parent_class)->finalize (object);
}

static void
kymo_desk_part_class_init (KymoDeskPartClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_desk_part_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_desk_part_finalize;
  kymo_signal_new ("turned", KYMO_TYPE_DESK_PART, 0);
  kymo_signal_new ("entered", KYMO_TYPE_DESK_PART, 0);
  kymo_signal_new ("kept", KYMO_TYPE_DESK_PART, 0);
  kymo_signal_new ("closed", KYMO_TYPE_DESK_PART, 0);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass),
                                        GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
kymo_desk_part_init (KymoDeskPart *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *press = gtk_event_controller_legacy_new ();

  self->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (on_entered), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  /* Also where what is pressed takes no keys. */
  gtk_event_controller_set_propagation_phase (press, GTK_PHASE_CAPTURE);
  g_signal_connect (press, "event", G_CALLBACK (on_event), self);
  gtk_widget_add_controller (GTK_WIDGET (self), press);
}

/**
 * kymo_desk_part_new:
 * @owner: copied; its data must outlive the part
 *
 * Its figures are at first those of the session, as they are of the part that is
 * split.
 *
 * Returns: (transfer floating): a part without a view
 */
GtkWidget *
kymo_desk_part_new (KymoSession *session, const KymoDeskOwner *owner)
{
  KymoDeskPart *self = g_object_new (KYMO_TYPE_DESK_PART, NULL);

  self->owner = *owner;
  self->session = g_object_ref (session);
  self->options = kymo_profile_options_new ();
  kymo_profile_options_set_all (
    self->options, kymo_profile_options_peek_all (kymo_session_peek_options (session)));
  kymo_follow (self->options, "changed", on_kept, self);
  self->head = kymo_desk_part_build_head (self);
  self->ruler = g_object_ref_sink (kymo_ruler_new (session, NULL));
  gtk_widget_set_visible (self->ruler, FALSE);
  self->stack = ADW_VIEW_STACK (adw_view_stack_new ());
  adw_view_stack_set_vhomogeneous (self->stack, FALSE);
  adw_view_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (self), self->head);
  self->bar = kymo_desk_part_build_shared (self);
  gtk_box_append (GTK_BOX (self), self->bar);
  gtk_box_append (GTK_BOX (self), self->ruler);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->stack));
  add_actions (self);
  return GTK_WIDGET (self);
}
