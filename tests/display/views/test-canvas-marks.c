/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What marks a place of a picture: chosen, pointed at elsewhere, under the pointer.
 *
 * Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-canvas-private.h"
#include "kymo-session-hover.h"

#define SECOND G_GINT64_CONSTANT (1000000000)

static const KymoRect places[] = { { 200, 100, 2, 150 }, { 202, 90, 2, 160 }, { 300, 100, 150, 3 },
                                   { 500, 100, 4, 4 }, { 550, 100, 30, 150 } };

static GArray *
plot_places (const KymoPicture *picture)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (KymoPlotPlace));

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    g_array_append_val (all, ((KymoPlotPlace) { i, -1, places[i] }));
  return all;
}

static KymoQuestion *
plot_question (const KymoPlotFrame *frame)
{
  return kymo_question_new ("test");
}

static void
plot_paint (cairo_t *cr, const KymoPicture *picture)
{
}

static const KymoPlotClass places_plot = {
  .id = "places",
  .title = "Places",
  .needs = KYMO_CAN_INTERVALS,
  .question = plot_question,
  .paint = plot_paint,
  .places = plot_places,
};

static KymoTable *
answer_question (KymoQuestion *question, GCancellable *cancellable, GError **error)
{
  return kymo_table_new (KYMO_STYLE_OBJECT);
}

static cairo_surface_t *
blank (void)
{
  return cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 900, 400);
}

static guint
count_painted (cairo_surface_t *surface, int x, int y, int width, int height)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  guint n = 0;

  for (int row = y; row < y + height; row++)
    for (int column = x; column < x + width; column++)
      n += ((const guint32 *) (data + row * stride))[column] != 0;
  return n;
}

/* Nothing lies over the middle of @rect, all of which is seen if it is narrow; something is
   painted beside it. */
static void
check_mark (cairo_surface_t *surface, KymoRect rect)
{
  int in_x = rect.width < KYMO_NARROW_PX ? 0 : 3, in_y = rect.height < KYMO_NARROW_PX ? 0 : 3;

  cairo_surface_flush (surface);
  g_assert_cmpuint (count_painted (surface, rect.x + in_x, rect.y + in_y, rect.width - 2 * in_x,
                                   rect.height - 2 * in_y), ==, 0);
  g_assert_cmpuint (count_painted (surface, rect.x - 5, rect.y - 5, rect.width + 10,
                                   rect.height + 10), >, 0);
}

/* @kind: 0 chosen, 1 pointed at elsewhere, 2 under the pointer */
static cairo_surface_t *
paint_mark (KymoCanvas *canvas, guint place, guint kind)
{
  cairo_surface_t *surface = blank ();
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (KymoIdSet) picks = kymo_id_set_new_list (&(gint64) { place }, 1);
  g_autoptr (GskRenderNode) node = NULL;
  KymoPlotFrame frame;

  kymo_canvas_get_frame (canvas, &frame);
  kymo_canvas_set_picks (canvas, kind == 0 ? picks : NULL);
  kymo_session_set_hovered_place (kymo_canvas_peek_session (canvas),
                                  kind == 1 ? (gint64) place : -1, G_MININT64);
  canvas->inside = kind == 2;
  canvas->hit.rect = places[place];
  if (kind == 0)
    kymo_canvas_paint_picks (canvas, cr, &frame);
  else
    kymo_canvas_pointer (canvas, snapshot, &frame);
  node = gtk_snapshot_to_node (snapshot);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  return surface;
}

/* What marks a place covers neither it nor, where it is a thin bar, the bars beside it. */
static void
test_cover_nothing (void)
{
  DeskSource *source = desk_source_new (answer_question, KYMO_CAN_INTERVALS, 8 * SECOND);
  g_autoptr (KymoSession) session = kymo_session_new (KYMO_SOURCE (source));
  KymoCanvas *canvas = KYMO_CANVAS (kymo_canvas_new (&places_plot, session));
  GtkWidget *window = desk_present (GTK_WIDGET (canvas), 800, 400);

  WAIT_FOR (kymo_canvas_is_settled (canvas));
  for (guint kind = 0; kind < 3; kind++)
    for (guint i = 0; i < G_N_ELEMENTS (places); i++)
      {
        cairo_surface_t *surface = paint_mark (canvas, i, kind);

        check_mark (surface, places[i]);
        if (i == 0 && kind < 2)
          g_assert_cmpuint (count_painted (surface, 202, 110, 2, 130), ==, 0);
        cairo_surface_destroy (surface);
      }
  desk_clear_window (&window);
  g_object_unref (source);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/canvas-marks/cover-nothing", test_cover_nothing);
  return g_test_run ();
}
