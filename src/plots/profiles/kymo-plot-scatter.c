/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scatter: a dot a PE, in the colour of its cluster, where two entry methods or
 * the two strongest directions put it; representatives and outliers have
 * shapes of their own.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-plot-scatter-private.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

/* Less of the variance is written as 0.0 %. */
#define LEAST_SHARE 0.0005
/* So near is a dot found. */
#define NEAR_PX 9
/* Most names that describe a direction, and the least weight of a name. */
#define MOST_NAMES 3
#define LEAST_WEIGHT 0.25
#define NOTE_GAP_PX 16
#define KEY_GAP_PX 28

/* "computeForces + spectral − writeOutput": what makes a direction. */
static void
append_weights (GString *words, const KymoTable *told)
{
  KymoTable *weights = kymo_table_peek_nested (told, "weights", NULL);
  guint n = weights != NULL ? kymo_table_get_n_rows (weights) : 0;
  double first = n > 0 ? fabs (kymo_table_get_double (weights, "weight", 0)) : 0;

  for (guint i = 0; i < MIN (n, MOST_NAMES); i++)
    {
      double weight = kymo_table_get_double (weights, "weight", i);

      if (fabs (weight) < LEAST_WEIGHT * first)
        break;
      g_string_append_printf (words, "%s%s", i == 0 ? (weight < 0 ? ": −" : ": ")
                              : weight < 0 ? " − " : " + ",
                              kymo_table_get_string (weights, "name", i));
    }
  if (n > MOST_NAMES)
    g_string_append (words, " …");
}

/* As the lists of the view and the questions call them. */
static const char *
axis_name (const KymoScatterAxis *axis)
{
  const char *key = kymo_table_get_string (axis->told, "key", 0);

  return g_strcmp0 (key, "principal-1") == 0 ? _("Direction 1")
         : g_strcmp0 (key, "principal-2") == 0 ? _("Direction 2")
         : kymo_table_get_string (axis->told, "label", 0);
}

static char *
axis_words (const KymoScatterAxis *axis, gboolean brief)
{
  double share = kymo_table_find_column (axis->told, "share_of_variance") >= 0
                 ? kymo_table_get_double (axis->told, "share_of_variance", 0) : NAN;
  GString *words = g_string_new (axis_name (axis));

  if (!brief)
    append_weights (words, axis->told);
  /* A chosen axis may have next to nothing of it: then it is no word worth. */
  if (isfinite (share) && share >= LEAST_SHARE)
    {
      g_autofree char *percent = kymo_format_percent (share);

      g_string_append_printf (words, brief ? " · %s" : _(" · %s of the variance"), percent);
    }
  return g_string_free (words, FALSE);
}

/* All of it, or what is left where there is no room. */
static char *
fitting_words (cairo_t *cr, const KymoScatterAxis *axis, KymoTextStyle style)
{
  g_autofree char *words = axis_words (axis, FALSE);

  return kymo_text_width (cr, words, (KymoTextStyle) { style.size_px }) <= style.max_px
         ? g_steal_pointer (&words) : axis_words (axis, TRUE);
}

static void
paint_axis (cairo_t *cr, const KymoScatterAxis *axis, const KymoPlotFrame *frame, KymoRect area,
            gboolean below)
{
  double factor = axis->measured ? axis->measure.factor : 1;

  kymo_axis_values (cr, frame, area, below, axis->min * factor, axis->max * factor,
                    axis->measured ? kymo_measure_axis (&axis->measure)
                                   : kymo_unit_axis (axis->unit));
}

static void
paint_axes (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = scatter->area;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, area.width };
  g_autofree char *across = fitting_words (cr, &scatter->x, style);
  g_autofree char *up = fitting_words (cr, &scatter->y, style);

  paint_axis (cr, &scatter->x, frame, area, TRUE);
  paint_axis (cr, &scatter->y, frame, area, FALSE);
  kymo_text_draw (cr, across, area.x + area.width, area.y + area.height + 31, style,
                  theme->foreground);
  style.align = 0;
  kymo_text_draw (cr, up, area.x, area.y - 13, style, theme->foreground);
}

/* What a dot is, where it is more than one PE: below the dots, beside the words
   of the axis, in as many words as there is room for. */
static void
paint_note (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = scatter->area;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, area.width };
  g_autofree char *across = fitting_words (cr, &scatter->x, style);
  g_autofree char *words = NULL, *brief = NULL, *count = NULL;
  double room;

  if (!scatter->dense || scatter->most < 2)
    return;
  style.max_px = 0;
  room = area.width - kymo_text_width (cr, across, style) - NOTE_GAP_PX;
  count = kymo_words_rows (frame->terms, scatter->most);
  words = g_strdup_printf (_("a dot is up to %s, the stronger the more"), count);
  brief = g_strdup_printf (_("a dot is up to %s"), count);
  if (kymo_text_width (cr, words, style) <= room)
    kymo_text_draw (cr, words, area.x, area.y + area.height + 31, style, theme->secondary);
  else if (kymo_text_width (cr, brief, style) <= room + area.x - NOTE_GAP_PX)
    {
      style.align = 1;
      kymo_text_draw (cr, brief, area.x + room, area.y + area.height + 31, style,
                      theme->secondary);
    }
}

static gboolean
any_badge (const KymoScatter *scatter, KymoBadge badge)
{
  for (guint i = 0; i < scatter->n; i++)
    if (kymo_scatter_badge (scatter, i) == badge)
      return TRUE;
  return FALSE;
}

/* What colours and shapes mean, left of the words of the axis, and where there is no room, at the
   top: in the window, where the legend is of functions; a file has them in its legend. */
static void
paint_key (cairo_t *cr, const KymoScatter *scatter, const KymoPlotFrame *frame)
{
  KymoRect area = scatter->area;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, area.width };
  g_autofree char *across = fitting_words (cr, &scatter->x, style);
  g_autofree char *up = fitting_words (cr, &scatter->y, style);
  double y = area.y + area.height + 31, left = area.x, width;
  double right = area.x + area.width - kymo_text_width (cr, across, style) - KEY_GAP_PX;
  gboolean below = TRUE;

  if (frame->decorate || scatter->dense)
    return;
  style.max_px = 0;
  for (KymoBadge badge = KYMO_BADGE_OTHER; badge > KYMO_BADGE_NONE; badge--)
    if (any_badge (scatter, badge))
      {
        width = kymo_text_width (cr, kymo_badge_words (badge), style) + KEY_GAP_PX;
        if (below && right - width <= left)
          {
            below = FALSE;
            y = area.y - 13;
            left = area.x + kymo_text_width (cr, up, style);
            right = area.x + area.width;
          }
        if (right - width > left)
          right = kymo_badge_paint_key (cr, frame, badge, right, y);
      }
  if (right - kymo_text_width (cr, _("Colour: cluster"), style) > left)
    kymo_text_draw (cr, _("Colour: cluster"), right, y, style,
                    kymo_theme_get (frame->look)->secondary);
}

/**
 * kymo_scatter_paint:
 * @picture: of an answer about locations with the axes "x" and "y"
 *
 * Paints the whole picture, decoration included, or a sentence where there is no PE.
 */
void
kymo_scatter_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoScatter *scatter = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) items = kymo_legend_of_classes (answer, frame, names);

  kymo_decor_paint (cr, picture->klass, frame, items);
  if (!scatter->known)
    {
      kymo_paint_empty (cr, frame, scatter->area, kymo_words_no_rows (frame->terms));
      return;
    }
  paint_axes (cr, scatter, frame);
  kymo_scatter_paint_dots (cr, scatter, frame);
  paint_note (cr, scatter, frame);
  paint_key (cr, scatter, frame);
}

/* -- what lies under a point ------------------------------------------------ */

/* The nearest PE; of some on one place a kept one, then the first. `n`: how many
   lie on that place, as the eye sees it. */
static guint
nearest_scatter (const KymoScatter *scatter, double x, double y, guint *n)
{
  double best = NEAR_PX * NEAR_PX, at_x = 0, at_y = 0;
  guint found = G_MAXUINT;

  for (guint i = 0; i < scatter->n; i++)
    {
      double dx = kymo_scatter_x (scatter, i) - x, dy = kymo_scatter_y (scatter, i) - y;
      double square = dx * dx + dy * dy;

      /* Shapes lie over dots. */
      if (scatter->clusters[i] >= 0 && kymo_scatter_badge (scatter, i) != KYMO_BADGE_NONE)
        square = MAX (0, square - 4);
      if (!(square < best))
        continue;
      best = square;
      found = i;
      at_x = kymo_scatter_x (scatter, i);
      at_y = kymo_scatter_y (scatter, i);
    }
  *n = 0;
  for (guint i = 0; found != G_MAXUINT && i < scatter->n; i++)
    *n += fabs (kymo_scatter_x (scatter, i) - at_x) < scatter->dot_px / 2
          && fabs (kymo_scatter_y (scatter, i) - at_y) < scatter->dot_px / 2;
  return found;
}

static void
append_value (GString *text, const KymoScatterAxis *axis, guint pe)
{
  g_autofree char *value = axis->measured
                           ? kymo_measure_format (&axis->measure, axis->values[pe])
                           : kymo_unit_format (axis->unit, axis->values[pe]);

  g_string_append_printf (text, "\n%s: %s", axis_name (axis), value);
}

static char *
describe_dot (const KymoScatter *scatter, guint pe, guint n)
{
  GString *text = g_string_new (kymo_table_peek_label (scatter->pes, "label", pe));
  g_autofree char *name = kymo_class_name (scatter->clusters[pe]);
  KymoBadge badge = kymo_scatter_badge (scatter, pe);

  g_string_append_printf (text, " · %s", name);
  if (badge != KYMO_BADGE_NONE)
    g_string_append_printf (text, " · %s", kymo_badge_words (badge));
  append_value (text, &scatter->x, pe);
  append_value (text, &scatter->y, pe);
  if (n > 1)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "\nand %u more here",
                                               "\nand %u more here", n - 1), n - 1);
  return g_string_free (text, FALSE);
}

static KymoRect
dot_rect (const KymoScatter *scatter, guint pe)
{
  double side = scatter->dot_px + 5;

  return (KymoRect) { kymo_scatter_x (scatter, pe) - side / 2,
                      kymo_scatter_y (scatter, pe) - side / 2, side, side };
}

/**
 * kymo_scatter_hit:
 * @x: px
 * @y: px
 * @hit: (out caller-allocates): overwritten without being freed; kymo_plot_hit_clear() is due
 *
 * Tells the PE whose dot is nearest to a point, within 9 px; a shape counts as slightly nearer
 * than a dot.
 *
 * Returns: whether there is a PE
 */
gboolean
kymo_scatter_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoScatter *scatter = picture->layout;
  guint pe, n;

  kymo_hit_init (hit);
  if (!scatter->known)
    return FALSE;
  pe = nearest_scatter (scatter, x, y, &n);
  if (pe == G_MAXUINT)
    return FALSE;
  hit->location = kymo_table_get_int (scatter->pes, "location", pe);
  hit->cluster = scatter->clusters[pe];
  hit->rect = dot_rect (scatter, pe);
  hit->text = describe_dot (scatter, pe, n);
  return TRUE;
}

/**
 * kymo_scatter_places:
 *
 * Returns: (transfer full): an array of #KymoPlotPlace, the dot of each PE in the answer's order;
 *   empty where there is nothing to show
 */
GArray *
kymo_scatter_places (const KymoPicture *picture)
{
  const KymoScatter *scatter = picture->layout;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (KymoPlotPlace));

  if (scatter->known)
    for (guint i = 0; i < scatter->n; i++)
      {
        KymoPlotPlace place = { kymo_table_get_int (scatter->pes, "location", i), -1,
                                dot_rect (scatter, i) };

        g_array_append_val (places, place);
      }
  return places;
}

/* -- of clusters -------------------------------------------------------------- */

static KymoQuestion *
scatter_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_classes_question (frame);

  kymo_question_set (question, "x", "principal-1");
  kymo_question_set (question, "y", "principal-2");
  return question;
}

const KymoPlotClass kymo_plot_scatter = {
  .id = "scatter",
  .title = N_("Scatter"),
  .needs = KYMO_CAN_PROFILE,
  .question = scatter_question,
  KYMO_OF_SCATTER,
  .lists = "locations",
};

/* -- threads of a profile -------------------------------------------------- */

static KymoQuestion *
thread_scatter_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "thread-scatter");
}

const KymoPlotClass kymo_plot_thread_scatter = {
  .id = "thread-scatter",
  .title = N_("Scatter of {rows}"),
  .needs = KYMO_CAN_METRICS,
  .question = thread_scatter_question,
  KYMO_OF_SCATTER,
};
