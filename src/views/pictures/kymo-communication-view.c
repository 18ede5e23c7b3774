/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A canvas a mode in a stack; only what is to be seen asks. A further mode is a line of
 * modes[].
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-answer-list.h"
#include "kymo-communication-view.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-messages-menu.h"

static const struct
{
  const char *plot;
  const char *words;
} modes[] = {
  { "communication", N_("Matrix") },
  { "communication-locations", N_("Per {row}") },
  { "communication-time", N_("Over time") },
  { "call-table", N_("Call table") },
  { "communication-graph", N_("Graph of {rows}") },
  { "message-graph", N_("Graph of {codes}") },
};

static const KymoAnswerColumn call_columns[] = {
  { "from", N_("Sent by"), KYMO_CELL_TEXT, 0 },
  { "to", N_("Ran"), KYMO_CELL_TEXT, 0 },
  { "messages", N_("Messages"), KYMO_CELL_COUNT, 84 },
  { "bytes", N_("Bytes"), KYMO_CELL_COUNT, 110 },
  { "min_bytes", N_("Smallest"), KYMO_CELL_COUNT, 84 },
  { "max_bytes", N_("Largest"), KYMO_CELL_COUNT, 84 },
  { "mean_latency_ns", N_("Mean latency"), KYMO_CELL_TIME, 100 },
  { "sent_messages", N_("Created"), KYMO_CELL_COUNT, 84 },
};

struct _KymoCommunicationView
{
  GtkBox          parent_instance;

  KymoSession    *session;
  GPtrArray      *canvases;            /* KymoCanvas, borrowed */
  GtkWidget      *mode, *of, *stack;
  KymoAnswerList *calls;
};

G_DEFINE_FINAL_TYPE (KymoCommunicationView, kymo_communication_view, GTK_TYPE_BOX)

static void
on_mode (KymoCommunicationView *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    modes[kymo_controls_chosen (self->mode)].plot);
}

static void
on_of (KymoCommunicationView *self)
{
  for (guint i = 0; i < self->canvases->len; i++)
    kymo_canvas_set_parameter (self->canvases->pdata[i], "of",
                               kymo_controls_chosen (self->of) == 1 ? "messages" : "bytes");
}

static void
on_answer (KymoCommunicationView *self, KymoCanvas *canvas)
{
  KymoTable *answer = kymo_canvas_peek_answer (canvas);

  if (answer != NULL)
    kymo_answer_list_set (self->calls, kymo_table_peek_nested (answer, "calls", NULL), NULL, 0,
                          FALSE);
}

static void
on_copied (KymoCommunicationView *self)
{
  g_signal_emit_by_name (self, "message", _("Figures copied"));
}

/**
 * kymo_communication_view_set_mode:
 * @plot: name of the picture of a mode, as "communication-time"; an unknown name is ignored
 *
 * Shows the picture of a mode.
 */
void
kymo_communication_view_set_mode (KymoCommunicationView *self, const char *plot)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_strcmp0 (modes[i].plot, plot) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->mode), i);
}

/**
 * kymo_communication_view_get_mode:
 *
 * Returns: (transfer none): name of the picture that is chosen; a constant
 */
const char *
kymo_communication_view_get_mode (KymoCommunicationView *self)
{
  return modes[kymo_controls_chosen (self->mode)].plot;
}

/** kymo_communication_view_set_of: @of: "bytes" or "messages" */
void
kymo_communication_view_set_of (KymoCommunicationView *self, const char *of)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->of), g_strcmp0 (of, "messages") == 0);
}

/**
 * kymo_communication_view_peek_canvases:
 *
 * Returns: (transfer none) (element-type KymoCanvas): one canvas for each mode, in their order;
 * only the visible canvas asks
 */
GPtrArray *
kymo_communication_view_peek_canvases (KymoCommunicationView *self)
{
  return self->canvases;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_communication_view_dispose (GObject *object)
{
  g_clear_object (&KYMO_COMMUNICATION_VIEW (object)->session);
  G_OBJECT_CLASS (kymo_communication_view_parent_class)->dispose (object);
}

static void
kymo_communication_view_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_COMMUNICATION_VIEW (object)->canvases);
  G_OBJECT_CLASS (kymo_communication_view_parent_class)->finalize (object);
}

static void
kymo_communication_view_class_init (KymoCommunicationViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_communication_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_communication_view_finalize;
  kymo_signal_new ("message", KYMO_TYPE_COMMUNICATION_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_communication_view_init (KymoCommunicationView *self)
{
  self->canvases = g_ptr_array_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

static void
build_bar (KymoCommunicationView *self)
{
  const char *const of[] = { _("Bytes"), _("Messages"), NULL };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  GtkWidget *bar = kymo_controls_new ();

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    g_strv_builder_add (builder, kymo_in_terms_of (self->session, _(modes[i].words)));
  words = g_strv_builder_end (builder);
  self->mode = kymo_controls_add_choice (bar, _("Which picture of communication"),
                                         (const char *const *) words);
  self->of = kymo_controls_add_choice (bar, _("What is counted"), of);
  kymo_kept_add (self->mode, "communication", "picture");
  kymo_kept_add (self->of, "communication", "of");
  gtk_box_append (GTK_BOX (bar), kymo_messages_menu_new_of_sums (self->session));
  gtk_box_append (GTK_BOX (self), bar);
  kymo_follow (self->mode, "notify::selected", on_mode, self);
  kymo_follow (self->of, "notify::selected", on_of, self);
}

/* The matrix of the call table has its table below it. */
static GtkWidget *
with_list (KymoCommunicationView *self, GtkWidget *canvas)
{
  static const KymoAnswerLinks links = { .name = "to", .other = "from" };
  GtkWidget *list = kymo_answer_list_new (call_columns, G_N_ELEMENTS (call_columns),
                                          _("Call table"));

  self->calls = KYMO_ANSWER_LIST (list);
  kymo_answer_list_set_terms (self->calls, kymo_session_get_terms (self->session));
  kymo_answer_list_link (self->calls, self->session, &links);
  kymo_answer_list_keep_sort (self->calls, "communication", "sort");
  kymo_follow (canvas, "answer-changed", on_answer, self);
  kymo_follow (list, "copied", on_copied, self);
  return kymo_answer_list_below (self->calls, canvas);
}

/**
 * kymo_communication_view_new:
 *
 * Makes the view of messages for @session, with a canvas for each mode.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_communication_view_new (KymoSession *session)
{
  KymoCommunicationView *self = g_object_new (KYMO_TYPE_COMMUNICATION_VIEW, NULL);

  self->session = g_object_ref (session);
  build_bar (self);
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      GtkWidget *canvas = kymo_canvas_new (kymo_plot_find (modes[i].plot), session);

      g_ptr_array_add (self->canvases, canvas);
      gtk_widget_set_vexpand (canvas, TRUE);
      gtk_stack_add_named (GTK_STACK (self->stack),
                           g_strcmp0 (modes[i].plot, "call-table") == 0
                           ? with_list (self, canvas) : canvas, modes[i].plot);
    }
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (self), self->stack);
  on_of (self);
  return GTK_WIDGET (self);
}
