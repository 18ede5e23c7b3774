/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Idle time in charts is paper, nearly as light as the canvas, or as dark: pixels of paper never
 * lie beside pixels of the canvas. That the line between has contrast is up to test-contrast.
 * Usage: test-paper SOURCE-ROOT
 */
#include "config.h"

#include "kymo-hues.h"
#include "kymo-theme.h"
#include "opened-source.h"
#include "pictures.h"

#define WIDTH 640
#define HEIGHT 420

static char *root;

/* How many pixels of paper there are, and how many of them lie beside, above or below one of
   the canvas. */
static void
count_paper (const KymoPlotFrame *frame, const guint32 *pixels, guint *paper, guint *bare)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint32 own = kymo_rgba_to_rgb (theme->paper), canvas = kymo_rgba_to_rgb (theme->canvas);

  for (guint i = WIDTH; i + WIDTH < WIDTH * HEIGHT; i++)
    {
      const guint beside[] = { i - 1, i + 1, i - WIDTH, i + WIDTH };

      if ((pixels[i] & 0xffffff) != own)
        continue;
      (*paper)++;
      for (guint k = 0; k < G_N_ELEMENTS (beside); k++)
        if ((pixels[beside[k]] & 0xffffff) == canvas)
          {
            (*bare)++;
            break;
          }
    }
}

static void
check_paper (KymoSource *source, const char *view, KymoLook look, GHashTable *hidden)
{
  g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GError) error = NULL;
  const KymoPlotClass *klass = kymo_plot_find (view);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  KymoPlotFrame frame;
  guint paper = 0, bare = 0;

  kymo_plot_frame_init (&frame, WIDTH, HEIGHT, look, colors, kymo_source_get_span (source));
  frame.hidden = hidden;
  question = klass->question (&frame);
  answer = kymo_source_ask (source, question, NULL, &error);
  g_assert_no_error (error);
  picture_paint (klass, cr, answer, &frame);
  cairo_surface_flush (surface);
  g_assert_cmpint (cairo_image_surface_get_stride (surface), ==, WIDTH * 4);
  count_paper (&frame, (const guint32 *) cairo_image_surface_get_data (surface), &paper, &bare);
  if (paper < 5000 || bare > 0)
    g_error ("%s (%s%s): %u pixels of paper, %u of them at the canvas", view,
             kymo_look_words[look], hidden != NULL ? ", one hidden" : "", paper, bare);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Of some that begins late and ends early, with all series and with the busiest hidden. */
static void
test_paper (gconstpointer view)
{
  g_autofree char *path = g_build_filename (root, "data", "sample", NULL);
  g_autoptr (GHashTable) hidden = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (KymoSource) source = opened_source (path);

  g_assert_nonnull (source);
  g_hash_table_add (hidden, (char *) "Compute::Compute_serial_1");
  for (KymoLook look = 0; look < KYMO_N_LOOKS; look++)
    {
      check_paper (source, view, look, NULL);
      check_paper (source, view, look, hidden);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = argv[1];
  g_test_add_data_func ("/paper/usage", "usage", test_paper);
  g_test_add_data_func ("/paper/time-profile", "time-profile", test_paper);
  return g_test_run ();
}
