/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a timeline is linked with: a picture beside it (who sends to whom, who calls
 * whom), over the same range; and the selected block, whose function and thread are
 * those that the views of profiles show.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"

#define LEAST_PX 280
/* Of the width that both have the timeline gets so much at first. */
#define SHARE 0.58
#define CALL_GRAPH "call-graph"

static gboolean
place_handle (GtkWidget *paned, GdkFrameClock *clock, gpointer data)
{
  int width = gtk_widget_get_width (paned);

  if (width < 2 * LEAST_PX)
    return G_SOURCE_REMOVE;
  gtk_paned_set_position (GTK_PANED (paned), width * SHARE);
  return G_SOURCE_REMOVE;
}

/* Who calls whom on the thread that is chosen, as in the view of its own. */
static void
set_of (KymoRunView *self)
{
  GtkWidget *canvas = gtk_stack_get_child_by_name (GTK_STACK (self->beside), CALL_GRAPH);

  if (canvas != NULL)
    kymo_canvas_set_parameter (KYMO_CANVAS (canvas), "of",
                               kymo_session_peek_thread (self->session));
}

static gboolean
can_be (KymoRunView *self, const char *id)
{
  const KymoPlotClass *klass = kymo_plot_find (id);
  KymoCapabilities can = kymo_source_get_capabilities (
    kymo_session_peek_source (self->session));

  return klass != NULL && (can & klass->needs) == klass->needs
         && kymo_run_view_has_time (self);
}

/** kymo_run_view_fold_beside: the picture is there beside the timeline alone */
void
kymo_run_view_fold_beside (KymoRunView *self)
{
  gboolean wanted = self->beside_id != NULL
                    && g_strcmp0 (kymo_run_view_get_view (self), "timeline") == 0;

  if (wanted && !gtk_widget_get_visible (self->beside))
    gtk_widget_add_tick_callback (gtk_widget_get_parent (self->beside),
                                  place_handle, NULL, NULL);
  gtk_widget_set_visible (self->beside, wanted);
}

/**
 * kymo_run_view_set_beside:
 * @id: of a picture, "communication" or "call-graph"; "" for none
 *
 * Where the run cannot answer it nothing is beside.
 */
void
kymo_run_view_set_beside (KymoRunView *self, const char *id)
{
  GtkStack *stack = GTK_STACK (self->beside);
  GtkWidget *canvas;

  g_clear_pointer (&self->beside_id, g_free);
  if (can_be (self, id))
    {
      self->beside_id = g_strdup (id);
      if (gtk_stack_get_child_by_name (stack, id) == NULL)
        {
          canvas = kymo_canvas_new (kymo_plot_find (id), self->session);
          kymo_run_view_adopt (self, KYMO_CANVAS (canvas));
          gtk_stack_add_named (stack, canvas, id);
          set_of (self);
        }
      gtk_stack_set_visible_child_name (stack, id);
    }
  kymo_run_view_fold_beside (self);
}

/** kymo_run_view_build_beside: @middle: what it is to be beside of */
GtkWidget *
kymo_run_view_build_beside (KymoRunView *self, GtkWidget *middle)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->beside = gtk_stack_new ();
  gtk_widget_set_size_request (self->beside, LEAST_PX, -1);
  gtk_widget_set_visible (self->beside, FALSE);
  gtk_widget_add_css_class (self->beside, "kymo-desk");
  gtk_paned_set_start_child (GTK_PANED (paned), middle);
  gtk_paned_set_end_child (GTK_PANED (paned), self->beside);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  return paned;
}

/* -- the selected block --------------------------------------------------- */

static void
on_details (KymoTable *answer, const GError *error, gpointer data)
{
  KymoRunView *self = data;
  const char *name = answer != NULL
                     && kymo_table_find_column (answer, "name") >= 0
                     ? kymo_table_get_string (answer, "name", 0) : NULL;

  if (name != NULL)
    kymo_session_set_function (self->session, name);
}

static void
on_selection (KymoRunView *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  KymoQuestion *question;
  gint64 location, time_ns;
  g_autofree char *of = NULL;

  /* What is asked is of a block that was selected before. */
  if (self->block_asker != NULL)
    kymo_asker_cancel (self->block_asker);
  if (!(kymo_source_get_capabilities (source) & KYMO_CAN_METRICS)
      || !kymo_session_get_block (self->session, &location, &time_ns))
    return;
  of = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  kymo_session_set_thread (self->session, of);
  if (self->block_asker == NULL)
    self->block_asker = kymo_asker_new (source, on_details, self);
  question = kymo_question_new ("details");
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_asker_ask (self->block_asker, question);
}

/* What a person chose meanwhile is newer than the block. */
static void
on_function (KymoRunView *self)
{
  if (self->block_asker != NULL)
    kymo_asker_cancel (self->block_asker);
}

/** kymo_run_view_link_block: */
void
kymo_run_view_link_block (KymoRunView *self)
{
  g_signal_connect_object (self->session, "selection-changed",
                           G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "function-changed",
                           G_CALLBACK (on_function), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "thread-changed",
                           G_CALLBACK (set_of), self, G_CONNECT_SWAPPED);
}
