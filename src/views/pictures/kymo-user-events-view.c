/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-answer-list.h"
#include "kymo-controls.h"
#include "kymo-kept.h"
#include "kymo-user-events-view.h"

static const char *const modes[] = { "events", "time", "samples" };

static const KymoAnswerColumn columns[] = {
  { "name", N_("User event"), KYMO_CELL_TEXT, 0 },
  { "events", N_("Number"), KYMO_CELL_COUNT, 84 },
  { "time_ns", N_("Time"), KYMO_CELL_TIME, 100 },
  { "longest_ns", N_("Longest"), KYMO_CELL_TIME, 100 },
  { "run_events", N_("Number in run"), KYMO_CELL_COUNT, 124 },
  { "run_time_ns", N_("Time in run"), KYMO_CELL_TIME, 110 },
};

struct _KymoUserEventsView
{
  GtkBox          parent_instance;

  KymoSession    *session;
  KymoCanvas     *canvas;
  GtkWidget      *mode, *stack, *samples;
  KymoAnswerList *list;
  KymoTable      *shown;               /* what the list shows */
};

G_DEFINE_FINAL_TYPE (KymoUserEventsView, kymo_user_events_view, GTK_TYPE_BOX)

static void
on_mode (KymoUserEventsView *self)
{
  const char *mode = modes[MIN (kymo_controls_chosen (self->mode), 2)];
  gboolean samples = g_str_equal (mode, "samples");

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), samples ? "samples" : "time");
  if (!samples)
    kymo_canvas_set_parameter (self->canvas, "of", mode);
  g_signal_emit_by_name (self, "turned");
}

static void
on_answer (KymoUserEventsView *self)
{
  KymoTable *answer = kymo_canvas_peek_answer (self->canvas);
  KymoTable *series = answer != NULL ? kymo_table_peek_nested (answer, "series", NULL) : NULL;

  if (series == NULL)
    return;
  g_clear_pointer (&self->shown, kymo_table_unref);
  self->shown = kymo_table_ref (series);
  kymo_answer_list_set (self->list, series, NULL, 0, FALSE);
}

/* The line that is chosen is lifted in the picture. */
static void
on_selected (KymoUserEventsView *self, int row)
{
  kymo_session_set_hovered (self->session, row >= 0 && self->shown != NULL
                            ? kymo_table_get_string (self->shown, "name", row) : NULL);
}

static void
on_copied (KymoUserEventsView *self)
{
  g_signal_emit_by_name (self, "message", _("Figures copied"));
}

/**
 * kymo_user_events_view_set_mode:
 * @mode: "events", "time" or "samples"; an unknown mode is ignored, as is "samples" without a
 *   table of samples
 *
 * Shows a mode of the view.
 */
void
kymo_user_events_view_set_mode (KymoUserEventsView *self, const char *mode)
{
  guint n = self->samples != NULL ? G_N_ELEMENTS (modes) : G_N_ELEMENTS (modes) - 1;

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (modes[i], mode) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->mode), i);
}

/**
 * kymo_user_events_view_get_canvas:
 *
 * Returns: (transfer none): the canvas of user events over time, also where the samples are shown
 */
KymoCanvas *
kymo_user_events_view_get_canvas (KymoUserEventsView *self)
{
  return self->canvas;
}

/**
 * kymo_user_events_view_has_axis:
 *
 * Returns: whether the view shows a picture with a time axis, not the table of samples
 */
gboolean
kymo_user_events_view_has_axis (KymoUserEventsView *self)
{
  return gtk_stack_get_visible_child (GTK_STACK (self->stack)) != self->samples;
}

/**
 * kymo_user_events_view_peek_table:
 *
 * Returns: (transfer none) (nullable): the table of samples; %NULL where it is not shown, or the
 * run has none
 */
KymoTableView *
kymo_user_events_view_peek_table (KymoUserEventsView *self)
{
  return self->samples != NULL
         && gtk_stack_get_visible_child (GTK_STACK (self->stack)) == self->samples
         ? KYMO_TABLE_VIEW (self->samples) : NULL;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_user_events_view_dispose (GObject *object)
{
  KymoUserEventsView *self = KYMO_USER_EVENTS_VIEW (object);

  g_clear_object (&self->session);
  g_clear_pointer (&self->shown, kymo_table_unref);
  G_OBJECT_CLASS (kymo_user_events_view_parent_class)->dispose (object);
}

static void
kymo_user_events_view_class_init (KymoUserEventsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_user_events_view_dispose;
  kymo_signal_new ("message", KYMO_TYPE_USER_EVENTS_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("turned", KYMO_TYPE_USER_EVENTS_VIEW, 0);
}

static void
kymo_user_events_view_init (KymoUserEventsView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

static void
build_bar (KymoUserEventsView *self)
{
  const char *words[] = { _("Number over time"), _("Time over time"), _("Samples"), NULL };
  GtkWidget *bar = kymo_controls_new ();

  if (self->samples == NULL)
    words[2] = NULL;
  self->mode = kymo_controls_add_choice (bar, _("What is shown of user events"), words);
  kymo_kept_add (self->mode, "user-events", "mode");
  gtk_box_append (GTK_BOX (self), bar);
  kymo_follow (self->mode, "notify::selected", on_mode, self);
}

static GtkWidget *
build_chart (KymoUserEventsView *self)
{
  GtkWidget *canvas = kymo_canvas_new (kymo_plot_find ("user-events-time"), self->session);
  GtkWidget *list = kymo_answer_list_new (columns, G_N_ELEMENTS (columns), _("User events"));

  self->canvas = KYMO_CANVAS (canvas);
  self->list = KYMO_ANSWER_LIST (list);
  kymo_follow (canvas, "answer-changed", on_answer, self);
  kymo_follow (list, "selected", on_selected, self);
  kymo_follow (list, "copied", on_copied, self);
  return kymo_answer_list_below (self->list, canvas);
}

/**
 * kymo_user_events_view_new:
 * @samples: (nullable) (transfer floating): the table of samples; %NULL = a view without that mode
 *
 * Makes the view of user events for @session.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_user_events_view_new (KymoSession *session, GtkWidget *samples)
{
  KymoUserEventsView *self = g_object_new (KYMO_TYPE_USER_EVENTS_VIEW, NULL);

  self->session = g_object_ref (session);
  self->samples = samples;
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), build_chart (self), "time");
  if (samples != NULL)
    gtk_stack_add_named (GTK_STACK (self->stack), samples, "samples");
  gtk_widget_set_vexpand (self->stack, TRUE);
  build_bar (self);
  gtk_box_append (GTK_BOX (self), self->stack);
  on_mode (self);
  return GTK_WIDGET (self);
}
