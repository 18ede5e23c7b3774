/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-asker.h"
#include "kymo-messages-menu.h"
#include "kymo-rows-bar.h"
#include "kymo-scrolled-canvas.h"
#include "kymo-session-pins.h"
#include "kymo-timeline-view.h"

/* The time profile gets this share of the height at first. */
#define PROFILE_SHARE 0.36
/* and the rest of it, where the rows are not that high. */
#define ROW_MOST_PX 64
/* More pinned rows than this scroll. */
#define MOST_PINNED 6

struct _KymoTimelineView
{
  GtkBox      parent_instance;

  KymoCanvas *timeline, *profile;
  KymoCanvas *pinned;           /* the pinned rows, which do not scroll with the others */
  GtkWidget  *top;              /* its place, with a line below; hidden where no row is pinned */
  GtkWidget  *scrolled;         /* a reference: it with its scroll bar, while rows are pinned */
  GtkWidget  *paned;
  gboolean    placed;
  double      share;            /* of the height that the timeline gets, once placed */
  int         height;           /* that the handle was placed in */
  KymoAsker  *waits;
  gboolean    asked_waits;
};

G_DEFINE_FINAL_TYPE (KymoTimelineView, kymo_timeline_view, GTK_TYPE_BOX)

/* -- waiting -------------------------------------------------------------- */

/* Who waited for whom is known now, and costs the timeline nothing. */
static void
on_waits (KymoTable *answer, const GError *error, gpointer data)
{
  KymoTimelineView *self = data;

  if (answer != NULL)
    kymo_canvas_set_parameter (self->timeline, "waits", "1");
}

/* The first pictures do not wait for it. Once a run: of one that grows it would
   be found out anew with every step. */
static void
ask_for_waits (KymoTimelineView *self)
{
  KymoSession *session = kymo_canvas_peek_session (self->timeline);
  KymoCapabilities can
    = kymo_source_get_capabilities (kymo_session_peek_source (session));
  KymoQuestion *question;

  if (self->asked_waits || !(can & KYMO_CAN_WAITS) || (can & KYMO_CAN_GROWING)
      || kymo_canvas_peek_answer (self->timeline) == NULL)
    return;
  self->asked_waits = TRUE;
  question = kymo_question_new ("waiting");
  kymo_question_set_int (question, "limit", 0);
  kymo_asker_ask (self->waits, question);
}

/* -- pinned rows ----------------------------------------------------------- */

static void
on_rows_changed (KymoTimelineView *self)
{
  GArray *pins = kymo_session_peek_pins (kymo_canvas_peek_session (self->timeline));
  guint n = pins != NULL ? MIN (pins->len, MOST_PINNED) : 0;

  gtk_widget_set_visible (self->top, n > 0);
  if (n == 0)
    {
      if (gtk_widget_get_parent (self->scrolled) != NULL)
        gtk_box_remove (GTK_BOX (self->top), self->scrolled);
      return;
    }
  if (gtk_widget_get_parent (self->scrolled) == NULL)
    gtk_box_prepend (GTK_BOX (self->top), self->scrolled);
  gtk_widget_set_size_request (GTK_WIDGET (self->pinned), -1,
                               kymo_canvas_get_rows_height (self->pinned, n));
  kymo_canvas_set_own_rows (self->pinned, pins);
}

static void
build_pinned (KymoTimelineView *self, KymoSession *session)
{
  self->pinned = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("timeline"), session));
  self->top = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->scrolled = g_object_ref_sink (kymo_scrolled_canvas_new (self->pinned));
  gtk_box_append (GTK_BOX (self->top), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_widget_set_vexpand (GTK_WIDGET (self->pinned), FALSE);
  gtk_widget_set_vexpand (self->top, FALSE);
  kymo_canvas_let_pin (self->pinned);
  kymo_canvas_let_pin (self->timeline);
  g_signal_connect_object (session, "rows-changed", G_CALLBACK (on_rows_changed), self,
                           G_CONNECT_SWAPPED);
  on_rows_changed (self);
}

/* -- the handle ----------------------------------------------------------- */

/* What its share of the height is, as far as both sides have what they need at least. */
static int
wanted_position (KymoTimelineView *self)
{
  int least = 0, most = 0;

  g_object_get (self->paned, "min-position", &least, "max-position", &most, NULL);
  return CLAMP ((int) round (self->height * self->share), least, MAX (most, least));
}

/* In another height it goes where its share is: GTK would go from where there was too little
   room, and not come back. */
static void
on_height (KymoTimelineView *self)
{
  self->height = gtk_widget_get_height (self->paned);
  if (self->placed && self->height > 0)
    gtk_paned_set_position (GTK_PANED (self->paned), wanted_position (self));
}

/* Where the height is another one too GTK moved it, and on_height() comes. */
static void
on_position (KymoTimelineView *self)
{
  int at = gtk_paned_get_position (GTK_PANED (self->paned));

  if (self->placed && self->height > 0
      && self->height == gtk_widget_get_height (self->paned)
      && ABS (wanted_position (self) - at) > 1)
    self->share = (double) at / self->height;
}

/* -- the widget ----------------------------------------------------------- */

/* Few rows need little: the time profile gets what they leave. Done once,
   with the first answer; after that the person moves the handle. */
static void
on_answer (KymoTimelineView *self)
{
  KymoTable *answer = kymo_canvas_peek_answer (self->timeline);
  KymoTable *rows = answer != NULL
                    ? kymo_table_peek_nested (answer, "rows", NULL) : NULL;
  int height = gtk_widget_get_height (self->paned);

  ask_for_waits (self);
  if (self->placed || rows == NULL || height < 100)
    return;
  self->placed = TRUE;
  self->share = MIN (height * (1 - PROFILE_SHARE),
                     kymo_table_get_n_rows (rows) * ROW_MOST_PX + 20) / height;
  on_height (self);
}

static void
kymo_timeline_view_dispose (GObject *object)
{
  g_clear_pointer (&KYMO_TIMELINE_VIEW (object)->waits, kymo_asker_free);
  g_clear_object (&KYMO_TIMELINE_VIEW (object)->scrolled);
  G_OBJECT_CLASS (kymo_timeline_view_parent_class)->dispose (object);
}

static void
kymo_timeline_view_class_init (KymoTimelineViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_timeline_view_dispose;
}

static void
kymo_timeline_view_init (KymoTimelineView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

/**
 * kymo_timeline_view_new:
 *
 * Makes the timeline of @session with its pinned rows above, the time profile below it and the
 * controls of its rows. Once
 * the timeline has an answer, the view asks for waiting times and then draws them; of a run that
 * grows it does not ask.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_timeline_view_new (KymoSession *session)
{
  KymoTimelineView *self = g_object_new (KYMO_TYPE_TIMELINE_VIEW, NULL);
  GtkWidget *bar;

  self->timeline = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("timeline"),
                                                 session));
  self->profile = KYMO_CANVAS (
    kymo_canvas_new (kymo_plot_find ("time-profile"), session));
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (self->paned),
                             kymo_scrolled_canvas_new (self->timeline));
  gtk_paned_set_end_child (GTK_PANED (self->paned),
                           GTK_WIDGET (self->profile));
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_vexpand (self->paned, TRUE);
  bar = kymo_rows_bar_new (session, GTK_WIDGET (self), GTK_WIDGET (self->timeline));
  gtk_box_prepend (GTK_BOX (bar), kymo_messages_menu_new (session));
  build_pinned (self, session);
  gtk_box_append (GTK_BOX (self), bar);
  gtk_box_append (GTK_BOX (self), self->top);
  gtk_box_append (GTK_BOX (self), self->paned);
  self->waits = kymo_asker_new (kymo_session_peek_source (session), on_waits,
                                self);
  kymo_follow (self->paned, "notify::max-position", on_height, self);
  kymo_follow (self->paned, "notify::position", on_position, self);
  kymo_follow (self->timeline, "answer-changed", on_answer, self);
  return GTK_WIDGET (self);
}

/**
 * kymo_timeline_view_get_timeline:
 *
 * Returns: (transfer none): the canvas of the timeline
 */
KymoCanvas *
kymo_timeline_view_get_timeline (KymoTimelineView *self)
{
  return self->timeline;
}

/**
 * kymo_timeline_view_get_pinned:
 *
 * Returns: (transfer none): the canvas of the pinned rows, above the timeline; not mapped where no
 *   row is pinned
 */
KymoCanvas *
kymo_timeline_view_get_pinned (KymoTimelineView *self)
{
  return self->pinned;
}

/**
 * kymo_timeline_view_get_profile:
 *
 * Returns: (transfer none): the canvas of the time profile below the timeline
 */
KymoCanvas *
kymo_timeline_view_get_profile (KymoTimelineView *self)
{
  return self->profile;
}
