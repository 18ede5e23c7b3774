/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bar is told by its feed ("changed") and its session ("notify::follow")
 * and asks nothing. A beat of one second runs only where words depend on the
 * clock: while a try is waited for, or blocks are late.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-live-bar.h"
#include "kymo-accessible.h"
#include "kymo-label.h"
#include "kymo-live-playback.h"
#include "kymo-units.h"

#define BLOCK_NS G_GINT64_CONSTANT (1000000000)
#define SECOND_NS G_GINT64_CONSTANT (1000000000)
#define DEFAULT_BAR_NS (SECOND_NS / 10)
#define SHORT_CHARS 6
#define STATE_CHARS 46
/* The button does not change its size with its words. */
#define LIVE_PX 76
/* A block that is this old is late. */
#define LATE_US (2 * G_USEC_PER_SEC)

static const gint64 lengths[] = {
  SECOND_NS, 2 * SECOND_NS, 5 * SECOND_NS, 10 * SECOND_NS, 30 * SECOND_NS,
  60 * SECOND_NS, 300 * SECOND_NS, 1800 * SECOND_NS, KYMO_FOLLOW_ALL,
};

static const gint64 bars[] = {
  SECOND_NS / 100, SECOND_NS / 50, SECOND_NS / 20, SECOND_NS / 10,
  SECOND_NS / 5, SECOND_NS / 2, SECOND_NS, 2 * SECOND_NS, 5 * SECOND_NS,
  10 * SECOND_NS,
};

struct _KymoLiveBar
{
  GtkBox         parent_instance;

  KymoSession   *session;
  KymoFeed      *feed;
  GSimpleAction *length, *bar;
  GMenu         *menu;
  gint64         bar_ns, shown_ns;
  GtkWidget     *dot, *state, *retry, *figures, *live, *length_button,
                *bar_button, *playback;
  KymoAttachmentState dotted;      /* that the dot shows */
  guint          beat_id;
};

G_DEFINE_FINAL_TYPE (KymoLiveBar, kymo_live_bar, GTK_TYPE_BOX)

/* -- how it stands -------------------------------------------------------- */

static const char *
css_of (KymoAttachmentState state)
{
  switch (state)
    {
    case KYMO_ATTACHMENT_FOLLOWING:
      return "success";
    case KYMO_ATTACHMENT_WAITING:
    case KYMO_ATTACHMENT_NO_STREAM:
      return "warning";
    case KYMO_ATTACHMENT_FAILED:
      return "error";
    case KYMO_ATTACHMENT_ENDED:
      return "dim-label";
    default:
      return "accent";
    }
}

static void
set_text (GtkWidget *label, const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

/* A tooltip that is looked for, not set: setting one costs more than all the
   rest of a block. */
static gboolean
on_query_tooltip (GtkWidget *label, int x, int y, gboolean by_keyboard,
                  GtkTooltip *tooltip)
{
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

static void
show_state (KymoLiveBar *self, const KymoFeedStatus *status)
{
  gint64 wait_us = status->retry_us - g_get_monotonic_time ();
  g_autofree char *text = NULL;

  if (status->retry_us > 0)
    text = g_strdup_printf (_("%s · next try in %d s"), status->sentence,
                            (int) ((MAX (wait_us, 0) + G_USEC_PER_SEC - 1)
                                   / G_USEC_PER_SEC));
  if (text == NULL)
    text = g_strdup (status->sentence != NULL ? status->sentence : "");
  set_text (self->state, text);
  /* Where there is little room, figures go first. */
  gtk_label_set_width_chars (GTK_LABEL (self->state),
                             MIN (g_utf8_strlen (text, -1), STATE_CHARS));
  gtk_widget_set_visible (self->retry, status->retry_us > 0);
  if (status->state == self->dotted)
    return;
  gtk_widget_remove_css_class (self->dot, css_of (self->dotted));
  gtk_widget_add_css_class (self->dot, css_of (status->state));
  self->dotted = status->state;
}

/* -- figures -------------------------------------------------------------- */

static void
add_live_bar (GPtrArray *parts, char *text)
{
  g_ptr_array_add (parts, text);
}

static void
add_recorded (GPtrArray *parts, const KymoFeedStatus *status)
{
  g_autofree char *size = NULL, *length = NULL;

  if (status->recording != NULL)
    {
      size = kymo_format_bytes (status->recorded_bytes);
      add_live_bar (parts, g_strdup_printf (_("recorded %s"), size));
    }
  else if (status->kept_ns > 0)
    {
      length = kymo_format_duration_exact (status->kept_ns / SECOND_NS
                                           * SECOND_NS);
      add_live_bar (parts, g_strdup_printf (_("last %s can be saved"), length));
    }
}

static gboolean
is_late (KymoLiveBar *self, const KymoFeedStatus *status, gint64 *age_us)
{
  *age_us = g_get_real_time () - status->arrived_us;
  return !kymo_feed_is_playback (self->feed) && status->arrived_us > 0
         && status->state != KYMO_ATTACHMENT_ENDED
         && status->state != KYMO_ATTACHMENT_FAILED && *age_us >= LATE_US;
}

static void
show_figures (KymoLiveBar *self, const KymoFeedStatus *status)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;
  gint64 age_us;

  if (status->end_ns > 0)
    add_live_bar (parts, g_strdup_printf (_("block %" PRId64),
                                          (status->end_ns - 1) / BLOCK_NS));
  if (is_late (self, status, &age_us))
    add_live_bar (parts, g_strdup_printf (_("newest %" PRId64 " s old"),
                                          age_us / G_USEC_PER_SEC));
  if (status->n_lost > 0)
    add_live_bar (parts, g_strdup_printf (_("%" PRId64 " lost"),
                                          status->n_lost));
  if (!kymo_feed_is_playback (self->feed))
    add_recorded (parts, status);
  g_ptr_array_add (parts, NULL);
  text = g_strjoinv (" · ", (char **) parts->pdata);
  set_text (self->figures, text);
}

/* -- the beat ------------------------------------------------------------- */

static void update_live_bar (KymoLiveBar *self);

static gboolean
on_beat (gpointer data)
{
  KymoLiveBar *self = data;

  self->beat_id = 0;
  update_live_bar (self);
  return G_SOURCE_REMOVE;
}

static gboolean
goes_by_clock (KymoLiveBar *self, const KymoFeedStatus *status)
{
  return status->retry_us > 0
         || (!kymo_feed_is_playback (self->feed)
             && status->state != KYMO_ATTACHMENT_ENDED
             && status->state != KYMO_ATTACHMENT_FAILED);
}

static void
update_live_bar (KymoLiveBar *self)
{
  KymoFeedStatus status = { 0 };

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  kymo_feed_get_status (self->feed, &status);
  show_state (self, &status);
  show_figures (self, &status);
  g_clear_handle_id (&self->beat_id, g_source_remove);
  if (goes_by_clock (self, &status))
    self->beat_id = g_timeout_add (1000, on_beat, self);
  kymo_feed_status_clear (&status);
}

static void
on_unmap (KymoLiveBar *self)
{
  g_clear_handle_id (&self->beat_id, g_source_remove);
}

/* -- pause, length, bars -------------------------------------------------- */

/* "10 s" rather than "10.0 s" of what is chosen; of what came of zooming
   three digits. */
static char *
length_text (gint64 length_ns)
{
  g_autofree char *exact = NULL;

  if (length_ns == KYMO_FOLLOW_ALL)
    return g_strdup (_("Whole run"));
  exact = kymo_format_duration_exact (length_ns);
  return strlen (exact) <= SHORT_CHARS ? g_steal_pointer (&exact)
                                       : kymo_format_duration (length_ns);
}

static void
set_menu_label (GtkWidget *button, const char *text)
{
  if (g_strcmp0 (gtk_menu_button_get_label (GTK_MENU_BUTTON (button)), text))
    gtk_menu_button_set_label (GTK_MENU_BUTTON (button), text);
}

static void
on_follow (KymoLiveBar *self)
{
  gboolean follows = kymo_session_get_follow (self->session) > 0;
  gint64 length_ns = kymo_session_get_followed (self->session);
  g_autofree char *text = length_text (length_ns);

  gtk_button_set_label (GTK_BUTTON (self->live),
                        follows ? _("Pause") : _("Go Live"));
  gtk_widget_set_tooltip_text (self->live,
                               follows ? _("Freeze the view; data keep arriving (Space)")
                                       : _("Follow the newest again (End)"));
  /* A playback is paused by its own button. */
  gtk_widget_set_visible (self->live, !follows || !kymo_feed_is_playback (self->feed));
  if (follows)
    gtk_widget_remove_css_class (self->live, "suggested-action");
  else
    gtk_widget_add_css_class (self->live, "suggested-action");
  if (length_ns > 0)
    {
      set_menu_label (self->length_button, text);
      g_simple_action_set_state (self->length, g_variant_new_int64 (length_ns));
    }
}

static void
on_live (KymoLiveBar *self)
{
  if (kymo_session_get_follow (self->session) > 0)
    kymo_session_set_follow (self->session, 0);
  else
    kymo_session_go_live (self->session);
}

/**
 * kymo_live_bar_pause:
 *
 * Freezes the view of a running job, and follows the newest again where it stands; a playback
 * stands still or goes on.
 */
void
kymo_live_bar_pause (KymoLiveBar *self)
{
  if (self->playback != NULL)
    kymo_live_playback_toggle (KYMO_LIVE_PLAYBACK (self->playback));
  else
    on_live (self);
}

static void
on_length (GSimpleAction *action, GVariant *value, KymoLiveBar *self)
{
  kymo_session_set_follow (self->session, g_variant_get_int64 (value));
}

static void
show_bar (KymoLiveBar *self)
{
  g_autofree char *wanted = length_text (self->bar_ns);
  g_autofree char *shown = length_text (self->shown_ns);
  g_autofree char *tip = NULL;

  set_menu_label (self->bar_button, shown);
  if (self->shown_ns != self->bar_ns)
    tip = g_strdup_printf (_("Length of a bar: %s, because as many of %s would "
                             "not fit"), shown, wanted);
  gtk_widget_set_tooltip_text (self->bar_button,
                               tip != NULL ? tip : _("Length of a bar"));
}

static void
on_bar (GSimpleAction *action, GVariant *value, KymoLiveBar *self)
{
  self->bar_ns = self->shown_ns = g_variant_get_int64 (value);
  g_simple_action_set_state (action, value);
  show_bar (self);
  g_signal_emit_by_name (self, "bar-changed");
}

/**
 * kymo_live_bar_get_bar_ns:
 *
 * Returns: the length of a bar in ns that the person wants; the chart may show longer bars
 */
gint64
kymo_live_bar_get_bar_ns (KymoLiveBar *self)
{
  return self->bar_ns;
}

/** kymo_live_bar_set_shown: @bar_ns: what the picture has room for */
void
kymo_live_bar_set_shown (KymoLiveBar *self, gint64 bar_ns)
{
  if (bar_ns <= 0 || bar_ns == self->shown_ns)
    return;
  self->shown_ns = bar_ns;
  show_bar (self);
}

static void
on_retry (KymoLiveBar *self)
{
  kymo_feed_retry (self->feed);
}

/* -- building ------------------------------------------------------------- */

static GtkWidget *
choice_button (const char *name, const char *action, const gint64 *values,
               guint n)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = length_text (values[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (text, NULL);

      g_menu_item_set_action_and_target_value (item, action,
                                               g_variant_new_int64 (values[i]));
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button),
                                  G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, name);
  kymo_accessible_name (button, name);
  return button;
}

static void
build_actions (KymoLiveBar *self)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  self->length = g_simple_action_new_stateful ("length", G_VARIANT_TYPE_INT64,
                                               g_variant_new_int64 (0));
  self->bar = g_simple_action_new_stateful (
    "bar", G_VARIANT_TYPE_INT64, g_variant_new_int64 (self->bar_ns));
  g_signal_connect (self->length, "activate", G_CALLBACK (on_length), self);
  g_signal_connect (self->bar, "activate", G_CALLBACK (on_bar), self);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (self->length));
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (self->bar));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "live",
                                  G_ACTION_GROUP (group));
}

static GtkWidget *
add_label (GtkWidget *box, PangoEllipsizeMode mode)
{
  GtkWidget *label = kymo_label_new (NULL, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), mode);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (on_query_tooltip),
                    NULL);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
build_state (KymoLiveBar *self, GtkWidget *box)
{
  self->dot = gtk_image_new_from_icon_name ("media-record-symbolic");
  gtk_image_set_pixel_size (GTK_IMAGE (self->dot), 12);
  gtk_widget_add_css_class (self->dot, css_of (self->dotted));
  gtk_box_append (GTK_BOX (box), self->dot);
  self->state = add_label (box, PANGO_ELLIPSIZE_END);
  self->retry = gtk_button_new_with_label (_("Try Now"));
  gtk_widget_set_visible (self->retry, FALSE);
  g_signal_connect_swapped (self->retry, "clicked", G_CALLBACK (on_retry),
                            self);
  gtk_box_append (GTK_BOX (box), self->retry);
  self->figures = add_label (box, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->figures), 1);
  gtk_widget_set_hexpand (self->figures, TRUE);
  gtk_widget_add_css_class (self->figures, "dim-label");
  gtk_widget_add_css_class (self->figures, "numeric");
}

static GtkWidget *
icon_action (const char *icon, const char *words, const char *action,
             gboolean toggle)
{
  GtkWidget *button = toggle ? gtk_toggle_button_new () : gtk_button_new ();

  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_set_tooltip_text (button, words);
  kymo_accessible_name (button, words);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *
build_menu (KymoLiveBar *self)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) stream = g_menu_new ();

  g_menu_append (stream, _("_Names of Entry Methods…"), "win.stream-names");
  self->menu = g_menu_new ();
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (stream));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button),
                                 "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button),
                                  G_MENU_MODEL (self->menu));
  gtk_widget_set_tooltip_text (button, _("More of the stream"));
  kymo_accessible_name (button, _("More of the stream"));
  return button;
}

/**
 * kymo_live_bar_add_menu:
 * @section: referenced; shown below the entries that are there
 *
 * Adds a section to the menu of the bar.
 */
void
kymo_live_bar_add_menu (KymoLiveBar *self, GMenuModel *section)
{
  g_menu_append_section (self->menu, NULL, section);
}

static void
build_controls (KymoLiveBar *self, GtkWidget *box)
{
  self->live = gtk_button_new ();
  self->length_button = choice_button (_("How much is visible"), "live.length",
                                       lengths, G_N_ELEMENTS (lengths));
  self->bar_button = choice_button (_("Length of a bar"), "live.bar", bars,
                                    G_N_ELEMENTS (bars));
  g_signal_connect_swapped (self->live, "clicked", G_CALLBACK (on_live), self);
  gtk_widget_set_size_request (self->live, LIVE_PX, -1);
  gtk_box_append (GTK_BOX (box), self->live);
  gtk_box_append (GTK_BOX (box), self->length_button);
  gtk_box_append (GTK_BOX (box), self->bar_button);
  if (!kymo_feed_is_playback (self->feed))
    {
      gtk_box_append (GTK_BOX (box), icon_action (
        "media-record-symbolic", _("Record to a file"), "win.stream-record",
        TRUE));
      gtk_box_append (GTK_BOX (box), icon_action (
        "document-save-as-symbolic", _("Save what was just seen"),
        "win.stream-save", FALSE));
      gtk_box_append (GTK_BOX (box), icon_action (
        "system-run-symbolic", _("Tell the job what to do"), "win.job-actions", FALSE));
    }
  gtk_box_append (GTK_BOX (box), icon_action (
    "alarm-symbolic", _("Watch for conditions"), "win.stream-watch", FALSE));
  gtk_box_append (GTK_BOX (box), build_menu (self));
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_live_bar_dispose (GObject *object)
{
  KymoLiveBar *self = KYMO_LIVE_BAR (object);

  g_clear_handle_id (&self->beat_id, g_source_remove);
  g_clear_object (&self->length);
  g_clear_object (&self->bar);
  g_clear_object (&self->menu);
  g_clear_object (&self->feed);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_live_bar_parent_class)->dispose (object);
}

static void
kymo_live_bar_class_init (KymoLiveBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_live_bar_dispose;
  kymo_signal_new ("bar-changed", KYMO_TYPE_LIVE_BAR, 0);
}

static void
kymo_live_bar_init (KymoLiveBar *self)
{
  self->bar_ns = self->shown_ns = DEFAULT_BAR_NS;
  self->dotted = KYMO_ATTACHMENT_CONNECTING;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

/**
 * kymo_live_bar_new:
 * @feed: the stream; a playback gets its controls as well
 *
 * Makes the bar, which follows @feed and @session by itself.
 *
 * Returns: (transfer floating): the widget, which holds references to both
 */
GtkWidget *
kymo_live_bar_new (KymoSession *session, KymoFeed *feed)
{
  KymoLiveBar *self = g_object_new (KYMO_TYPE_LIVE_BAR, NULL);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->session = g_object_ref (session);
  self->feed = g_object_ref (feed);
  build_actions (self);
  build_state (self, row);
  build_controls (self, row);
  gtk_widget_add_css_class (row, "kymo-strip");
  gtk_box_append (GTK_BOX (self), row);
  if (kymo_feed_is_playback (feed))
    {
      self->playback = kymo_live_playback_new (feed);
      gtk_box_append (GTK_BOX (self), self->playback);
    }
  kymo_follow (session, "notify::follow", on_follow, self);
  kymo_follow (feed, "changed", update_live_bar, self);
  g_signal_connect (self, "map", G_CALLBACK (update_live_bar), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (on_unmap), NULL);
  on_follow (self);
  show_bar (self);
  return GTK_WIDGET (self);
}
