/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-canvas-private.h"
#include "kymo-copy.h"
#include "kymo-run-view-private.h"

/* -- the picture ---------------------------------------------------------- */

static void
copy_painted (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  GtkNative *native = gtk_widget_get_native (widget);
  GdkRGBA paper = { 1, 1, 1, 1 };
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);

  /* The desk lies under the view and is not part of it. */
  gtk_style_context_lookup_color (gtk_widget_get_style_context (widget),
                                  "view_bg_color", &paper);
  gtk_snapshot_append_color (snapshot, &paper,
                             &GRAPHENE_RECT_INIT (0, 0, width, height));
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  if (native == NULL || node == NULL)
    return;
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (native),
                                         node, NULL);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

static void
on_painted (GdkFrameClock *clock, GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (clock, on_painted, widget);
  copy_painted (widget);
}

/**
 * kymo_copy_widget:
 *
 * Copies it as it is on the screen with the next frame: until then a widget has no picture in which
 * something changed, such as the button of the menu that asked for the copy.
 *
 * Returns: FALSE where it is not on the screen
 */
gboolean
kymo_copy_widget (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);

  if (clock == NULL || !gtk_widget_get_mapped (widget) || gtk_widget_get_width (widget) < 1
      || gtk_widget_get_height (widget) < 1)
    return FALSE;
  g_signal_connect_object (clock, "after-paint", G_CALLBACK (on_painted), widget, 0);
  gtk_widget_queue_draw (widget);
  return TRUE;
}

/** kymo_copy_picture: the visible view, as it is on the screen */
void
kymo_copy_picture (KymoRunView *view)
{
  if (kymo_copy_widget (kymo_desk_part_peek_shown (view->current)))
    kymo_run_view_say (view, _("Picture copied"));
}

/* -- figures -------------------------------------------------------------- */

static void
copy_text (KymoRunView *view, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view)), text);
  kymo_run_view_say (view, _("Figures copied"));
}

static void
on_details (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoRunView) view = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer
    = kymo_source_ask_finish (KYMO_SOURCE (source), result, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  KymoTable *lines;

  if (view->session == NULL)
    return;
  if (answer == NULL)
    {
      kymo_run_view_say (view, error->message);
      return;
    }
  lines = kymo_table_peek_nested (answer, "lines", NULL);
  for (guint i = 0; lines != NULL && i < kymo_table_get_n_rows (lines); i++)
    g_string_append_printf (text, "%s\n", kymo_table_get_string (
      lines, kymo_table_get_column_name (lines, 0), i));
  copy_text (view, text->str);
}

/** kymo_copy_figures: of chosen PEs, else the selected block in words, else what
 * is hovered */
void
kymo_copy_figures (KymoRunView *view)
{
  KymoCanvas *canvas = kymo_run_view_current_canvas (view);
  g_autoptr (KymoQuestion) question = NULL;
  g_autofree char *picked = canvas != NULL
                            ? kymo_canvas_dup_picked_words (canvas) : NULL;
  gint64 location, time_ns;

  if (picked != NULL)
    copy_text (view, picked);
  else if (kymo_session_get_block (view->session, &location, &time_ns))
    {
      question = kymo_question_new ("details");
      kymo_question_set_int (question, "location", location);
      kymo_question_set_int (question, "time", time_ns);
      kymo_source_ask_async (kymo_session_peek_source (view->session),
                             question, NULL, on_details, g_object_ref (view));
    }
  else if (canvas != NULL && canvas->hit.text != NULL)
    copy_text (view, canvas->hit.text);
  else
    kymo_run_view_say (view, _("Select a block or point at something first"));
}
