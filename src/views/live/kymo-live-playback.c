/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moving the knob seeks at most ten times a second; while it is moved the
 * playback does not move it back.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-live-playback.h"

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-follow.h"

#define SECOND_NS 1e9
#define SEEK_MS 100
/* So long after the last move the knob follows the playback again. */
#define REST_US 500000

static const double speeds[] = { 0.25, 0.5, 1, 2, 4, 8, 16 };
#define N_SPEEDS G_N_ELEMENTS (speeds)
#define SPEED_ONE 2

struct _KymoLivePlayback
{
  GtkBox     parent_instance;

  KymoFeed  *feed;
  GtkWidget *play, *speed, *position, *total, *scale;
  gboolean   updating;
  gboolean   stands;
  gint64     seek_ns;              /* to seek to */
  guint      seek_id;
  gint64     moved_us;
};

G_DEFINE_FINAL_TYPE (KymoLivePlayback, kymo_live_playback, GTK_TYPE_BOX)

/* "1:02:03" */
static char *
clock_text (gint64 ns)
{
  gint64 seconds = ns / (gint64) SECOND_NS;

  if (seconds >= 3600)
    return g_strdup_printf ("%d:%02d:%02d", (int) (seconds / 3600),
                            (int) (seconds / 60 % 60), (int) (seconds % 60));
  return g_strdup_printf ("%d:%02d", (int) (seconds / 60),
                          (int) (seconds % 60));
}

static void
show_clock (GtkWidget *label, gint64 ns)
{
  g_autofree char *text = clock_text (ns);

  gtk_label_set_text (GTK_LABEL (label), text);
}

/* -- what the feed tells -------------------------------------------------- */

static void
show_play (KymoLivePlayback *self, gboolean stands)
{
  const char *words = stands ? _("Play") : _("Stand still");

  self->stands = stands;
  gtk_button_set_icon_name (GTK_BUTTON (self->play), stands
                            ? "media-playback-start-symbolic"
                            : "media-playback-pause-symbolic");
  gtk_widget_set_tooltip_text (self->play, words);
  kymo_accessible_name (self->play, words);
}

static gboolean
is_moved (KymoLivePlayback *self)
{
  return self->seek_id != 0
         || g_get_monotonic_time () - self->moved_us < REST_US;
}

static void
show_speed (KymoLivePlayback *self, double speed)
{
  for (guint i = 0; i < N_SPEEDS; i++)
    if (fabs (speeds[i] - speed) < 1e-9
        && gtk_drop_down_get_selected (GTK_DROP_DOWN (self->speed)) != i)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed), i);
}

static void
show_total (KymoLivePlayback *self, gint64 total_ns)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->scale));
  double seconds = MAX (total_ns, 1) / SECOND_NS;

  if (gtk_adjustment_get_upper (adjustment) != seconds)
    gtk_range_set_range (GTK_RANGE (self->scale), 0, seconds);
  show_clock (self->total, total_ns);
}

static void
update_live_playback (KymoLivePlayback *self)
{
  KymoFeedStatus status = { 0 };

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  kymo_feed_get_status (self->feed, &status);
  self->updating = TRUE;
  if ((status.speed <= 0) != self->stands)
    show_play (self, status.speed <= 0);
  if (status.speed > 0)
    show_speed (self, status.speed);
  show_total (self, MAX (status.total_ns, status.end_ns));
  if (!is_moved (self) && !status.seeking)
    {
      gtk_range_set_value (GTK_RANGE (self->scale),
                           status.end_ns / SECOND_NS);
      show_clock (self->position, status.end_ns);
    }
  self->updating = FALSE;
  kymo_feed_status_clear (&status);
}

/* -- what the person does ------------------------------------------------- */

static double
chosen_speed (KymoLivePlayback *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->speed));

  return speeds[MIN (i, N_SPEEDS - 1)];
}

/**
 * kymo_live_playback_toggle:
 *
 * Lets a playback stand still, and one that stands go on at the chosen speed.
 */
void
kymo_live_playback_toggle (KymoLivePlayback *self)
{
  kymo_feed_set_speed (self->feed, self->stands ? chosen_speed (self) : 0);
}

/* Of what stands still it is the speed at which it will go on. */
static void
on_speed (KymoLivePlayback *self)
{
  if (!self->updating && !self->stands)
    kymo_feed_set_speed (self->feed, chosen_speed (self));
}

static gboolean
on_seek (gpointer data)
{
  KymoLivePlayback *self = data;

  self->seek_id = 0;
  kymo_feed_seek (self->feed, self->seek_ns);
  return G_SOURCE_REMOVE;
}

static gboolean
on_moved (GtkRange *range, GtkScrollType scroll, double value,
          KymoLivePlayback *self)
{
  double most = gtk_adjustment_get_upper (gtk_range_get_adjustment (range));

  self->seek_ns = CLAMP (value, 0, most) * SECOND_NS;
  self->moved_us = g_get_monotonic_time ();
  show_clock (self->position, self->seek_ns);
  if (self->seek_id == 0)
    self->seek_id = g_timeout_add (SEEK_MS, on_seek, self);
  return GDK_EVENT_PROPAGATE;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_live_playback_dispose (GObject *object)
{
  KymoLivePlayback *self = KYMO_LIVE_PLAYBACK (object);

  g_clear_handle_id (&self->seek_id, g_source_remove);
  g_clear_object (&self->feed);
  G_OBJECT_CLASS (kymo_live_playback_parent_class)->dispose (object);
}

static void
kymo_live_playback_class_init (KymoLivePlaybackClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_live_playback_dispose;
}

static GtkWidget *
add_clock (KymoLivePlayback *self)
{
  GtkWidget *label = gtk_label_new ("0:00");

  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (self), label);
  return label;
}

static void
kymo_live_playback_init (KymoLivePlayback *self)
{
  static const char *const words[] = { "0.25×", "0.5×", "1×", "2×", "4×",
                                       "8×", "16×", NULL };

  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-strip");
  gtk_box_set_spacing (GTK_BOX (self), 8);
  self->play = gtk_button_new ();
  show_play (self, FALSE);
  self->speed = gtk_drop_down_new_from_strings (words);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed), SPEED_ONE);
  kymo_controls_name (self->speed, _("Speed of the playback"));
  gtk_box_append (GTK_BOX (self), self->play);
  gtk_box_append (GTK_BOX (self), self->speed);
  self->position = add_clock (self);
  self->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_widget_set_hexpand (self->scale, TRUE);
  gtk_widget_set_tooltip_text (self->scale, _("Go to a time"));
  kymo_accessible_name (self->scale, _("Time of the recording"));
  gtk_box_append (GTK_BOX (self), self->scale);
  self->total = add_clock (self);
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (kymo_live_playback_toggle), self);
  g_signal_connect_swapped (self->speed, "notify::selected",
                            G_CALLBACK (on_speed), self);
  g_signal_connect (self->scale, "change-value", G_CALLBACK (on_moved), self);
}

/**
 * kymo_live_playback_new:
 * @feed: a playback; referenced
 *
 * Returns: (transfer floating): the controls of @feed, which follow its place and speed
 */
GtkWidget *
kymo_live_playback_new (KymoFeed *feed)
{
  KymoLivePlayback *self = g_object_new (KYMO_TYPE_LIVE_PLAYBACK, NULL);

  self->feed = g_object_ref (feed);
  kymo_follow (feed, "changed", update_live_playback, self);
  g_signal_connect (self, "map", G_CALLBACK (update_live_playback), NULL);
  return GTK_WIDGET (self);
}
