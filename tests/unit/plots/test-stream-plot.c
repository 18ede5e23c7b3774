/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of streams: what scrolls by bars only moves; what entry methods
 * left is one thing; lost blocks, marks and replies under the pointer.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "hand_stream.h"
#include "kymo-plot.h"
#include "pictures.h"
#include "kymo-run-source.h"
/* Model and plots, which never meet in the program, each have one. */
#define KymoActivityKind KymoPaintedKind
#include "kymo-theme.h"

#define MS G_GINT64_CONSTANT (1000000)
#define SECOND (1000 * MS)

typedef struct
{
  const KymoPlotClass *klass;
  KymoPlotFrame        frame;
  KymoRect             area;
  KymoTable           *answer;
  cairo_surface_t     *surface;
} Picture;

static Picture *
picture_new_scaled (const HandStream *stream, const char *view, KymoSpan span,
                    guint width, guint height, const char *bar_ns, guint scale)
{
  Picture *picture = g_new0 (Picture, 1);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (stream->run, 1);
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (GError) error = NULL;
  cairo_t *cr;

  picture->klass = kymo_plot_find (view);
  kymo_plot_frame_init (&picture->frame, width, height, FALSE, NULL, span);
  picture->frame.scale = scale;
  picture->area = kymo_plot_frame_area (picture->klass, &picture->frame);
  question = picture->klass->question (&picture->frame);
  if (bar_ns != NULL)
    kymo_question_set (question, "bar-ns", bar_ns);
  picture->answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  picture->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * scale,
                                                 height * scale);
  cairo_surface_set_device_scale (picture->surface, scale, scale);
  cr = cairo_create (picture->surface);
  picture_paint (picture->klass, cr, picture->answer, &picture->frame);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (picture->surface);
  return picture;
}

static Picture *
picture_new (const HandStream *stream, const char *view, KymoSpan span,
             guint width, guint height, const char *bar_ns)
{
  return picture_new_scaled (stream, view, span, width, height, bar_ns, 1);
}

static void
picture_free (Picture *picture)
{
  kymo_table_unref (picture->answer);
  cairo_surface_destroy (picture->surface);
  g_free (picture);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, picture_free)

static guint32
rgb (KymoRgba color)
{
  return (guint32) lrint (color.red * 255) << 16 | (guint32) lrint (color.green * 255) << 8
    | (guint32) lrint (color.blue * 255);
}

static guint32
pixel (const Picture *picture, int x, int y)
{
  const guchar *data = cairo_image_surface_get_data (picture->surface);

  return *(const guint32 *) (data + y * cairo_image_surface_get_stride (picture->surface) + x * 4)
    & 0xffffff;
}

/* The hatch stays where the picture is; all else moves. */
static guint32
plain_pixel (const Picture *picture, int x, int y)
{
  const KymoTheme *theme = kymo_theme_get (FALSE);
  guint32 seen = pixel (picture, x, y);

  return seen == rgb (theme->rest_hatch) ? rgb (theme->paper) : seen;
}

static guint
count_pixels (const Picture *picture, KymoRgba color)
{
  guint n = 0;

  for (int y = picture->area.y; y < picture->area.y + picture->area.height; y++)
    for (int x = picture->area.x; x < picture->area.x + picture->area.width; x++)
      n += pixel (picture, x, y) == rgb (color);
  return n;
}

/* Pixels from time 0 to the picture's begin, on the lattice. */
static int
lattice_of (const Picture *picture)
{
  return floor ((double) picture->frame.span.begin_ns * picture->area.width * picture->frame.scale
                / kymo_span_length (picture->frame.span) + 0.5);
}

static void
assert_moved (const Picture *a, const Picture *b)
{
  int shift = lattice_of (b) - lattice_of (a), n = 0, scale = a->frame.scale;
  int x0 = a->area.x * scale, x1 = (a->area.x + a->area.width) * scale;
  int y0 = a->area.y * scale, y1 = (a->area.y + a->area.height) * scale;

  for (int x = MAX (x0, x0 + shift); x < MIN (x1, x1 + shift) - scale; x++, n++)
    for (int y = y0 + scale; y < y1 - scale; y++)
      if (plain_pixel (a, x, y) != plain_pixel (b, x - shift, y))
        g_error ("%s: pixel %d,%d moved by %d is %06x, not %06x", a->klass->id, x, y, shift,
                 plain_pixel (b, x - shift, y), plain_pixel (a, x, y));
  g_assert_cmpint (n, >, 100);
}

/* Bars of any width in pixels, ranges that begin anywhere. */
static void
test_scrolling (gconstpointer view)
{
  g_autoptr (HandStream) stream = hand_stream_new (3, 40, 4, 0, HAND_STREAM_1_MS);
  const guint widths[] = { 500, 777, 1201 };

  for (guint i = 0; i < 36; i++)
    {
      gint64 begin_ns = (5000 + i * 137) * MS, length_ns = (6000 + i % 4 * 1500) * MS;
      gint64 by_ns = (i % 3 + 1) * 100 * MS + (i % 2 ? 33 * MS : 0);
      guint width = widths[i % G_N_ELEMENTS (widths)];
      guint scale = 1 + i % 2;
      KymoSpan span = { begin_ns, begin_ns + length_ns };
      KymoSpan later = { begin_ns + by_ns, begin_ns + by_ns + length_ns };
      g_autoptr (Picture) before = picture_new_scaled (stream, view, span, width, 160, "100000000",
                                                       scale);
      g_autoptr (Picture) after = picture_new_scaled (stream, view, later, width, 160, "100000000",
                                                      scale);

      assert_moved (before, after);
    }
}

/* -- idle or overhead ------------------------------------------------------- */

static char *
name_under (const Picture *picture, gint64 time_ns, double up)
{
  double x = kymo_plot_time_to_x (&picture->frame, time_ns);
  double y = picture->area.y + picture->area.height * (1 - up);
  KymoPlotHit hit;
  char *name;

  picture_hit (picture->klass, picture->answer, &picture->frame, x, y, &hit);
  name = g_strdup (hit.name);
  kymo_plot_hit_clear (&hit);
  return name;
}

static void
test_rest (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (4, 10, 3, 0, HAND_STREAM_1_MS);
  g_autoptr (Picture) live = picture_new (stream, "time-profile", (KymoSpan) { 0, 10 * SECOND },
                                          600, 300, NULL);
  const KymoTheme *theme = kymo_theme_get (FALSE);
  g_autofree char *top = name_under (live, 5 * SECOND + 5 * MS, 0.995);
  g_autofree char *bottom = name_under (live, 5 * SECOND + 5 * MS, 0.005);

  g_assert_cmpstr (top, ==, "Idle or overhead");
  g_assert_true (g_str_has_prefix (bottom, "Cell::work"));
  g_assert_cmpuint (count_pixels (live, theme->rest_hatch), >, 100);
  g_assert_cmpuint (count_pixels (live, theme->ink), ==, 0);
}

/* The same sums of a summary are overhead, and look so. */
static void
test_no_rest (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (4, 10, 3, 0, HAND_STREAM_1_MS);
  g_autoptr (Picture) summary = NULL;
  const KymoTheme *theme = kymo_theme_get (FALSE);
  g_autofree char *top = NULL;

  stream->run->kind = KYMO_RUN_SUMMARY;
  g_clear_pointer (&stream->run->stream, kymo_stream_log_unref);
  summary = picture_new (stream, "time-profile", (KymoSpan) { 0, 10 * SECOND }, 600, 300, NULL);
  top = name_under (summary, 5 * SECOND + 5 * MS, 0.995);
  g_assert_cmpstr (top, ==, "Overhead");
  g_assert_cmpuint (count_pixels (summary, theme->rest_hatch), ==, 0);
  g_assert_cmpuint (count_pixels (summary, theme->ink), >, 100);
}

/* In no list of a stream's answers idle time stands beside the rest. */
static void
test_one_row (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (4, 5, 3, 0, HAND_STREAM_1_MS);
  g_autoptr (Picture) profile = picture_new (stream, "profile", (KymoSpan) { 0, 5 * SECOND }, 600,
                                             300, NULL);
  KymoTable *list = kymo_table_peek_nested (profile->answer, "activities", NULL);
  guint n_rest = 0;

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      g_assert_cmpstr (kymo_table_get_string (list, "name", i), !=, "Idle");
      if (g_strcmp0 (kymo_table_get_string (list, "kind", i), "rest") == 0)
        {
          n_rest++;
          g_assert_cmpstr (kymo_table_get_string (list, "name", i), ==, "Idle or overhead");
        }
      else if (kymo_table_get_int (list, "id", i) != KYMO_NULL_INT)
        g_assert_cmpint (kymo_table_get_int (list, "blocks", i), ==, KYMO_NULL_INT);
    }
  g_assert_cmpuint (n_rest, ==, 1);
  g_assert_true (isnan (kymo_table_get_double (profile->answer, "imbalance", 0)));
}

/* -- what was lost ----------------------------------------------------------- */

static void
test_lost (gconstpointer view)
{
  g_autoptr (HandStream) stream = hand_stream_new (8, 20, 3, 4, HAND_STREAM_1_MS);
  g_autoptr (Picture) picture = NULL;
  const KymoTheme *theme = kymo_theme_get (FALSE);
  guint n_lost = 0;

  /* Flags are looked at elsewhere. */
  g_array_set_size (stream->run->stream->marks, 0);
  picture = picture_new (stream, view, (KymoSpan) { 0, 20 * SECOND }, 900, 200, NULL);
  for (guint s = 0; s < 20; s++)
    {
      int x = kymo_plot_time_to_x (&picture->frame, s * SECOND + SECOND / 2);
      gboolean empty = TRUE;

      /* Between the lines of the axis. */
      for (int y = picture->area.y + picture->area.height * 0.85;
           y < picture->area.y + picture->area.height * 0.95; y++)
        empty = empty && pixel (picture, x, y) == rgb (theme->canvas);
      g_assert_true (empty == stream->lost[s]);
      n_lost += stream->lost[s];
    }
  g_assert_cmpuint (n_lost, >, 2);
  g_assert_cmpuint (count_pixels (picture, theme->dotted), >, 50);
}

/* -- marks -------------------------------------------------------------------- */

static void
add_mark (const HandStream *stream, gint64 time_ns, KymoStreamMarkKind kind, const char *text)
{
  KymoStreamMark mark = { time_ns, 0, kind, g_strdup (text) };

  g_array_append_val (stream->run->stream->marks, mark);
}

static void
test_marks (gconstpointer view)
{
  g_autoptr (HandStream) stream = hand_stream_new (8, 20, 3, 0, HAND_STREAM_1_MS);
  g_autoptr (Picture) picture = NULL;
  g_autofree char *said = NULL, *nothing = NULL;
  KymoTable *marks;
  KymoPlotHit hit;
  double x;

  add_mark (stream, 4 * SECOND, KYMO_STREAM_MARK_CONDITION, "the program is idle");
  add_mark (stream, 4 * SECOND + 10 * MS, KYMO_STREAM_MARK_STATE, "found again");
  add_mark (stream, 12 * SECOND, KYMO_STREAM_MARK_STATE, "the connection was lost");
  picture = picture_new (stream, view, (KymoSpan) { 0, 20 * SECOND }, 900, 200, NULL);
  marks = kymo_table_peek_nested (picture->answer, "marks", NULL);
  x = kymo_plot_time_to_x (&picture->frame, 4 * SECOND);
  g_assert_true (picture_hit (picture->klass, picture->answer, &picture->frame, x + 2,
                              picture->area.y + 3, &hit));
  g_assert_cmpstr (hit.text, ==, "4 s: the program is idle\n4.01 s: found again");
  g_assert_cmpint (hit.time_ns, ==, 4 * SECOND);
  kymo_plot_hit_clear (&hit);
  /* Below the flag there is the picture. */
  picture_hit (picture->klass, picture->answer, &picture->frame, x + 2, picture->area.y + 100,
               &hit);
  g_assert_null (strstr (hit.text != NULL ? hit.text : "", "idle\n4.01"));
  kymo_plot_hit_clear (&hit);
  said = kymo_plot_dup_mark (&picture->frame, marks,
                             kymo_plot_time_to_x (&picture->frame, 12 * SECOND));
  nothing = kymo_plot_dup_mark (&picture->frame, marks,
                                kymo_plot_time_to_x (&picture->frame, 9 * SECOND));
  g_assert_cmpstr (said, ==, "12 s: the connection was lost");
  g_assert_null (nothing);
}

/* -- replies ------------------------------------------------------------------- */

static void
test_reply_under_pointer (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (8, 20, 3, 4, HAND_STREAM_1_MS);
  g_autoptr (Picture) picture = picture_new (stream, "replies", (KymoSpan) { 0, 20 * SECOND }, 900,
                                             200, NULL);

  for (guint s = 0; s < 20; s++)
    {
      const KymoStreamReply *reply = &g_array_index (stream->run->stream->replies,
                                                     KymoStreamReply, s);
      double x = kymo_plot_time_to_x (&picture->frame, s * SECOND + SECOND / 3);
      g_autofree char *block = g_strdup_printf ("Block %u\n", s);
      g_autofree char *bytes = g_strdup_printf (
        "\n%d,%03d bytes\n", (int) (reply->bytes / 1000), (int) (reply->bytes % 1000));
      KymoPlotHit hit;

      g_assert_true (picture_hit (picture->klass, picture->answer, &picture->frame, x,
                                  picture->area.y + 60, &hit));
      g_assert_true (g_str_has_prefix (hit.text, block));
      g_assert_nonnull (strstr (hit.text, stream->lost[s] ? "\nlost: 1.00 s" : bytes));
      g_assert_cmpint (hit.span.begin_ns, ==, s * SECOND);
      kymo_plot_hit_clear (&hit);
    }
}

/* Heights are sizes: where a bar ends tells it. */
static void
test_heights (void)
{
  g_autoptr (HandStream) stream = hand_stream_new (2, 12, 1, 0, HAND_STREAM_1_MS);
  g_autoptr (Picture) picture = picture_new (stream, "replies", (KymoSpan) { 0, 12 * SECOND }, 900,
                                             400, NULL);
  const KymoTheme *theme = kymo_theme_get (FALSE);
  guint32 color = rgb (kymo_rgba_mix (theme->accent, theme->canvas, 0.15));

  for (guint s = 0; s < 12; s++)
    {
      gint64 bytes = g_array_index (stream->run->stream->replies, KymoStreamReply, s).bytes;
      int x = kymo_plot_time_to_x (&picture->frame, s * SECOND + SECOND / 3);
      int y = picture->area.y;

      while (y < picture->area.y + picture->area.height && pixel (picture, x, y) != color)
        y++;
      /* 10 kB are the top of the axis. */
      g_assert_cmpfloat_with_epsilon (picture->area.y + picture->area.height - y,
                                      picture->area.height * bytes / 10000.0, 1.5);
    }
}

/* Of any size, of any length, with nothing in it. */
static void
test_extremes (void)
{
  const guint seconds[] = { 1, 2, 50, 1000 }, sizes[] = { 64, 90, 400, 1600 };
  static const char *const views[] = { "replies", "time-profile", "usage", "profile", "summary" };

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      g_autoptr (HandStream) stream = hand_stream_new (i, seconds[i], i, i == 1 ? 1 : 9,
                                                       HAND_STREAM_1_MS);

      for (guint k = 0; k < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (views); k++)
        {
          guint size = sizes[k % G_N_ELEMENTS (sizes)];
          g_autoptr (Picture) picture
            = picture_new (stream, views[k / G_N_ELEMENTS (sizes)],
                           (KymoSpan) { 0, seconds[i] * SECOND }, size, size / 2 + 32, NULL);
          KymoPlotHit hit;

          for (guint x = 0; x < size; x += 7)
            {
              picture_hit (picture->klass, picture->answer, &picture->frame, x, size / 4, &hit);
              kymo_plot_hit_clear (&hit);
            }
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/stream-plot/scrolling/time-profile", "time-profile", test_scrolling);
  g_test_add_data_func ("/stream-plot/scrolling/replies", "replies", test_scrolling);
  g_test_add_func ("/stream-plot/rest", test_rest);
  g_test_add_func ("/stream-plot/no-rest", test_no_rest);
  g_test_add_func ("/stream-plot/one-row", test_one_row);
  g_test_add_data_func ("/stream-plot/lost/time-profile", "time-profile", test_lost);
  g_test_add_data_func ("/stream-plot/lost/replies", "replies", test_lost);
  g_test_add_data_func ("/stream-plot/marks/time-profile", "time-profile", test_marks);
  g_test_add_data_func ("/stream-plot/marks/replies", "replies", test_marks);
  g_test_add_func ("/stream-plot/reply-under-pointer", test_reply_under_pointer);
  g_test_add_func ("/stream-plot/heights", test_heights);
  g_test_add_func ("/stream-plot/extremes", test_extremes);
  return g_test_run ();
}
