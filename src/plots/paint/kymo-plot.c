/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The geometry that pictures share.
 */
#include "config.h"

#include "kymo-plot.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-plot-private.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

/* Of the colour of the canvas, over what lies outside a stretch. */
#define PALE 0.65

/**
 * kymo_plot_find:
 * @id: a picture's name, as on the command line
 *
 * Returns: (nullable): the picture, or %NULL when there is none of that name
 */
const KymoPlotClass *
kymo_plot_find (const char *id)
{
  for (guint i = 0; kymo_plots[i] != NULL; i++)
    if (g_strcmp0 (kymo_plots[i]->id, id) == 0)
      return kymo_plots[i];
  return NULL;
}

/**
 * kymo_plot_frame_init:
 * @frame: the frame to fill
 * @width_px: width of the whole picture
 * @height_px: height of the whole picture
 * @look: of the canvas; %FALSE and %TRUE are light and dark
 * @colors: (nullable): (not owned): must outlive the frame
 * @span: the visible time range
 *
 * Fills a frame with the margins that all time charts share.
 */
void
kymo_plot_frame_init (KymoPlotFrame *frame,
                      double         width_px,
                      double         height_px,
                      KymoLook       look,
                      KymoColors    *colors,
                      KymoSpan       span)
{
  memset (frame, 0, sizeof *frame);
  frame->width_px = width_px;
  frame->height_px = height_px;
  frame->left_px = 112;
  frame->right_px = 20;
  frame->scale = 1;
  frame->zoom = 1;
  frame->look = look;
  frame->colors = colors;
  frame->span = span;
  frame->chosen_location = -1;
}

/**
 * kymo_plot_frame_area:
 * @klass: the picture
 * @frame: its frame
 *
 * Returns: the data area inside the margins, never of negative size
 */
KymoRect
kymo_plot_frame_area (const KymoPlotClass *klass,
                      const KymoPlotFrame *frame)
{
  KymoRect decor = kymo_decor_inset (klass, frame);
  KymoRect inset = klass->inset, area;

  if (klass->time_axis)
    {
      KymoRect time = kymo_frame_time_area (frame);
      area.x = time.x;
      area.width = time.width;
      /* The window has one ruler above all charts; a file has its own. */
      if (frame->decorate)
        inset.height += 30;
    }
  else
    {
      area.x = inset.x + decor.x;
      area.width = frame->width_px - area.x - inset.width - decor.width;
    }
  area.y = inset.y + decor.y;
  area.height = frame->height_px - area.y - inset.height - decor.height;
  area.width = MAX (area.width, 0);
  area.height = MAX (area.height, 0);
  return area;
}

/**
 * kymo_frame_time_area:
 *
 * Returns: left edge and width of the shared time axis, px, the width never negative; y and height
 *   are 0
 */
KymoRect
kymo_frame_time_area (const KymoPlotFrame *frame)
{
  KymoRect decor = kymo_decor_inset (&kymo_plot_timeline, frame);
  double width = frame->width_px - frame->left_px - frame->right_px
                 - decor.width;

  return (KymoRect) { frame->left_px, 0, MAX (width, 0), 0 };
}

/* Where nothing is to be seen any more, and cairo's coordinates (24 bits before the point, of
   pixels of a screen) are not yet at their end, beyond which they would come in again from the
   other side. */
#define FAR_PX 1048576

/** kymo_plot_time_to_x: what lies far outside of the picture is put at a million units */
double
kymo_plot_time_to_x (const KymoPlotFrame *frame,
                     gint64               time_ns)
{
  KymoRect area = kymo_frame_time_area (frame);
  double length = kymo_span_length (frame->span);
  double offset = (double) ((__int128) time_ns - frame->span.begin_ns);

  if (length <= 0)
    return area.x;
  return area.x + CLAMP (offset / length * area.width, -FAR_PX, FAR_PX);
}

/**
 * kymo_frame_lattice_x:
 *
 * Rounds to device pixels that are counted from time 0 instead of the left edge. When the visible
 * range is panned, all times therefore move by the same whole number of device pixels.
 *
 * Returns: x of @time_ns in the picture, px, also outside of the time axis
 */
double
kymo_frame_lattice_x (const KymoPlotFrame *frame, gint64 time_ns)
{
  KymoRect area = kymo_frame_time_area (frame);
  double scale = frame->scale;
  double px_per_ns = area.width * scale / MAX (kymo_span_length (frame->span), 1);

  return area.x + (floor (time_ns * px_per_ns + 0.5)
                   - floor (frame->span.begin_ns * px_per_ns + 0.5)) / scale;
}

/**
 * kymo_plot_x_to_time:
 * @x: px
 *
 * Returns: the time at @x, ns, outside of the visible range where @x lies beside the time axis;
 *   the begin of the range where the axis has no width
 */
gint64
kymo_plot_x_to_time (const KymoPlotFrame *frame,
                     double               x)
{
  KymoRect area = kymo_frame_time_area (frame);
  double length = kymo_span_length (frame->span);

  if (area.width <= 0)
    return frame->span.begin_ns;
  return frame->span.begin_ns
         + (gint64) floor ((x - area.x) / area.width * length);
}

/** kymo_plot_hit_clear: frees what a hit holds */
void
kymo_plot_hit_clear (KymoPlotHit *hit)
{
  g_clear_pointer (&hit->name, g_free);
  g_clear_pointer (&hit->text, g_free);
  g_clear_pointer (&hit->path, g_free);
  kymo_hit_init (hit);
}

/**
 * kymo_hit_init:
 * @hit: (out caller-allocates): overwritten without being freed
 *
 * Sets @hit to nothing found.
 */
void
kymo_hit_init (KymoPlotHit *hit)
{
  memset (hit, 0, sizeof *hit);
  hit->location = -1;
  hit->cluster = -1;
  hit->group = -1;
  hit->time_ns = G_MININT64;
}

/**
 * kymo_rect_contains:
 *
 * Returns: whether a point lies in @rect, its left and upper edges included, its right and lower
 *   edges not
 */
gboolean
kymo_rect_contains (KymoRect rect, double x, double y)
{
  return x >= rect.x && x < rect.x + rect.width
         && y >= rect.y && y < rect.y + rect.height;
}

/**
 * kymo_has_rest:
 *
 * Returns: whether the answer cannot tell idle time from overhead and has both as overhead
 */
gboolean
kymo_has_rest (const KymoTable *answer)
{
  return kymo_table_get_bool (answer, "overhead_is_rest", 0);
}

/**
 * kymo_frame_question:
 *
 * Returns: (transfer full): a question of @kind about the visible range (the whole run where the
 *   frame has no range), in the frame's order and groups of rows
 */
KymoQuestion *
kymo_frame_question (const KymoPlotFrame *frame, const char *kind)
{
  KymoQuestion *question = kymo_question_new (kind);

  if (kymo_span_length (frame->span) > 0 && !kymo_span_is_all (frame->span))
    kymo_question_set_span (question, frame->span);
  kymo_question_set_order (question, frame->order);
  kymo_question_set_groups (question, frame->groups);
  return question;
}

/** kymo_frame_question_of_chosen: the same of the chosen location, where there is one */
KymoQuestion *
kymo_frame_question_of_chosen (const KymoPlotFrame *frame, const char *kind)
{
  KymoQuestion *question = kymo_frame_question (frame, kind);

  if (frame->chosen_location >= 0)
    kymo_question_set_int (question, "of", frame->chosen_location);
  return question;
}

/** kymo_flat_string: a row of a list of strings, whatever its column's name */
const char *
kymo_flat_string (const KymoTable *flat, guint row)
{
  if (flat == NULL || kymo_table_get_n_columns (flat) == 0
      || row >= kymo_table_get_n_rows (flat))
    return NULL;
  return kymo_table_get_string (flat, kymo_table_get_column_name (flat, 0),
                                row);
}

/**
 * kymo_span_words:
 *
 * Returns: (transfer full): both ends in the unit of the later end, with decimals for about a
 *   500th of the range: "1.2034 – 1.2051 s"
 */
char *
kymo_span_words (KymoSpan span)
{
  double step = kymo_nice_time_step (MAX (kymo_span_length (span), 1), 500);
  double unit_ns;
  /* The unit of the later time, however short the span: figures that belong
     together can be compared. */
  const char *unit = kymo_axis_time_unit (
    MAX (ABS (span.end_ns), ABS (span.begin_ns)), &unit_ns);
  g_autofree char *begin = kymo_axis_number (span.begin_ns / unit_ns,
                                             step / unit_ns);
  g_autofree char *end = kymo_axis_number (span.end_ns / unit_ns,
                                           step / unit_ns);

  return g_strdup_printf ("%s – %s %s", begin, end, unit);
}

/**
 * kymo_frame_span_words:
 *
 * Returns: (transfer full): as kymo_span_words(); times since the begin of the stretch of the frame
 *   where it has one
 */
char *
kymo_frame_span_words (const KymoPlotFrame *frame, KymoSpan span)
{
  gint64 zero_ns = frame->stretch.begin_ns;

  return kymo_span_words ((KymoSpan) { span.begin_ns - zero_ns, span.end_ns - zero_ns });
}

/* Makes pale what lies outside the stretch of the frame. */
static void
paint_outside (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double right = area.x + area.width, x0, x1;

  x0 = CLAMP (kymo_plot_time_to_x (frame, frame->stretch.begin_ns), area.x, right);
  x1 = CLAMP (kymo_plot_time_to_x (frame, frame->stretch.end_ns), area.x, right);
  kymo_set_source_alpha (cr, theme->canvas, PALE);
  cairo_rectangle (cr, area.x, area.y, x0 - area.x, area.height);
  cairo_rectangle (cr, x1, area.y, right - x1, area.height);
  cairo_fill (cr);
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  if (x1 < right)
    kymo_line (cr, x1, area.y, x1, area.y + area.height);
  if (x0 > area.x)
    kymo_line (cr, x0, area.y, x0, area.y + area.height);
  cairo_stroke (cr);
}

/**
 * kymo_picture_paint:
 *
 * Paints the picture on the canvas, which has its colour already. Of a frame with a stretch what
 * lies outside the stretch is pale.
 */
void
kymo_picture_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoPlotFrame *frame = &picture->frame;

  picture->klass->paint (cr, picture);
  if (picture->klass->time_axis && kymo_span_length (frame->stretch) > 0
      && kymo_span_length (frame->span) > 0)
    paint_outside (cr, frame, kymo_plot_frame_area (picture->klass, frame));
}

/**
 * kymo_paint_empty:
 * @sentence: translated
 *
 * Writes @sentence into the middle of @area, shortened to its width.
 */
void
kymo_paint_empty (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
                  const char *sentence)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_NORMAL, FALSE, 0.5, MAX (area.width, 40) };

  kymo_text_draw (cr, sentence, area.x + area.width / 2,
                  area.y + area.height / 2, style, theme->secondary);
}

/**
 * kymo_extrapolated_words:
 *
 * Returns: (transfer full) (nullable): what is to stand beside a picture of
 * figures that are of more PEs than were read: how many, and how far off that
 * is, where it is known; %NULL where they are not
 */
char *
kymo_extrapolated_words (const KymoTable *answer, KymoTerms terms)
{
  double error = kymo_table_get_double (answer, "time_profile_error", 0);
  g_autofree char *from = kymo_format_count (kymo_table_get_int (answer, "extrapolated_from", 0));
  g_autofree char *to = NULL, *share = NULL;

  if (!kymo_table_get_bool (answer, "extrapolated", 0))
    return NULL;
  to = kymo_words_rows (terms, llround (kymo_table_get_double (answer, "stands_for", 0)));
  if (isnan (error))
    return g_strdup_printf (_("extrapolated from %s to %s"), from, to);
  share = kymo_format_bound (error);
  /* Translators: the last one is a share, as “1.8 %”. */
  return g_strdup_printf (_("extrapolated from %s to %s, time profile within %s"), from, to,
                          share);
}

/* Which threads an answer is about; NULL where all are workers. */
static char *
workers_words (const KymoTable *answer)
{
  gint64 workers = kymo_table_get_int (answer, "workers", 0);
  gint64 comm = kymo_table_get_int (answer, "communication_threads", 0);
  gint64 left_out = kymo_table_get_int (answer, "left_out", 0);
  g_autofree char *first = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%" PRId64 " worker",
                 "%" PRId64 " workers", workers), workers);
  g_autofree char *rest = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%" PRId64 " communication thread",
                 "%" PRId64 " communication threads",
                 left_out + comm), left_out + comm);

  if (left_out > 0)
    return g_strdup_printf (_("%s; %s left out"), first, rest);
  if (comm > 0 && workers > 0)
    return g_strdup_printf (_("average of %s; %s apart"), first, rest);
  return comm > 0 ? g_steal_pointer (&rest) : NULL;
}

static void
paint_corner (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
              const char *words, double down)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, area.width - 16 };
  double width, right = area.x + area.width - 8, y = area.y + 13 + down;

  if (words == NULL || area.width < 80 || area.height < 30 + down)
    return;
  width = MIN (kymo_text_width (cr, words, style), style.max_px);
  /* On paper of its own: it stands over the picture. */
  kymo_set_source_alpha (cr, theme->canvas, 0.85);
  cairo_rectangle (cr, right - width - 6, y - 9, width + 12, 18);
  cairo_fill (cr);
  kymo_text_draw (cr, words, right, y, style, theme->secondary);
}

/**
 * kymo_paint_extrapolated:
 *
 * Writes kymo_extrapolated_words() into the upper right corner of @area. Paints nothing where the
 * answer is not extrapolated or @area is too small.
 */
void
kymo_paint_extrapolated (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
                         const KymoTable *answer)
{
  g_autofree char *words = kymo_extrapolated_words (answer, frame->terms);

  paint_corner (cr, frame, area, words, 0);
}

/**
 * kymo_paint_workers:
 *
 * Writes into the upper right corner of @area how many workers the answer is about and how many
 * communication threads it leaves out or has apart, and below it kymo_extrapolated_words(). Leaves
 * out words for which the answer has no figures, and paints nothing where @area is too small.
 */
void
kymo_paint_workers (cairo_t *cr, const KymoPlotFrame *frame, KymoRect area,
                    const KymoTable *answer)
{
  g_autofree char *words = workers_words (answer);
  g_autofree char *extrapolated = kymo_extrapolated_words (answer, frame->terms);

  paint_corner (cr, frame, area, words, 0);
  paint_corner (cr, frame, area, extrapolated, words != NULL ? 18 : 0);
}

/* An answer that is laid out in a frame. */

/**
 * kymo_picture_new:
 * @klass: which picture it is
 * @answer: an answer to the class's question; it is held
 * @frame: it is copied, what its members point to must outlive the picture
 *
 * Returns: (transfer full): the answer, laid out
 */
KymoPicture *
kymo_picture_new (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoPicture *picture = g_new0 (KymoPicture, 1);

  picture->klass = klass;
  picture->answer = kymo_table_ref ((KymoTable *) answer);
  picture->frame = *frame;
  if (klass->lay_out != NULL)
    picture->layout = klass->lay_out (picture);
  return picture;
}

/**
 * kymo_picture_free:
 * @picture: (nullable) (transfer full): a picture
 */
void
kymo_picture_free (KymoPicture *picture)
{
  if (picture == NULL)
    return;
  if (picture->layout != NULL && picture->klass->layout_free != NULL)
    picture->klass->layout_free (picture->layout);
  kymo_table_unref ((KymoTable *) picture->answer);
  g_free (picture);
}

/**
 * kymo_picture_is_of:
 * @picture: (nullable): a picture
 *
 * Compares pointers, not what they point to: a caller that changes what it points to, such as the
 * set of hidden names, lays out anew.
 *
 * Returns: whether the picture is of this answer in a frame with the same members
 */
gboolean
kymo_picture_is_of (const KymoPicture *picture, const KymoTable *answer,
                    const KymoPlotFrame *frame)
{
  return picture != NULL && picture->answer == answer
         && memcmp (&picture->frame, frame, sizeof *frame) == 0;
}
