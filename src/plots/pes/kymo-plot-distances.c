/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances: how far the members of each cluster lie from its mean. A strip a
 * cluster: each PE is a dot, those of one place stand on each other; where they
 * are too many for that, mirrored bars of their counts. Below it a box from the
 * first quartile to the third, with a line at the median. Representatives and
 * outliers have shapes of their own.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "kymo-badge.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_distances;

#define NAME_PX 120
#define DOT_PX 6
#define ROW_PX 120
#define BOX_PX 5
#define NEAR_PX 10

/** Strip: one cluster */
typedef struct
{
  guint    n;
  guint    most;                     /* PEs of one column of dots */
  gboolean bars;                     /* too many for dots */
  guint   *counts;                   /* by column */
  double   first, median, third;     /* quartiles */
} Strip;

typedef struct
{
  KymoRect      area;                /* of the dots */
  const KymoTable *answer;
  KymoTable    *pes;
  guint         n, n_pes, n_columns;
  const double *distance;
  const gint64 *cluster;
  KymoUnit      unit;
  double        row_px, max;
  Strip        *strips;
  double       *x, *y;               /* middle of each PE's dot */
  KymoTerms     terms;
  gboolean      known;               /* FALSE: nothing can be painted */
} Distances;

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Between the two nearest, as R's type 7 has it (Hyndman and Fan, 1996). */
static double
quantile (const double *sorted, guint n, double share)
{
  double at = (n - 1) * share;
  guint low = floor (at), high = MIN (low + 1, n - 1);

  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

static void
find_quartiles (const Distances *d, guint k, Strip *strip)
{
  g_autofree double *own = g_new (double, strip->n + 1);
  guint n = 0;

  for (guint i = 0; i < d->n_pes; i++)
    if (d->cluster[i] == (gint64) k)
      own[n++] = d->distance[i];
  if (n == 0)
    return;
  qsort (own, n, sizeof *own, compare_doubles);
  strip->first = quantile (own, n, 0.25);
  strip->median = quantile (own, n, 0.5);
  strip->third = quantile (own, n, 0.75);
}

static double
x_of (const Distances *d, double distance)
{
  return d->area.x + distance / d->max * d->area.width;
}

static guint
column_of (const Distances *d, guint pe)
{
  double at = (x_of (d, d->distance[pe]) - d->area.x) / DOT_PX;

  return MIN ((guint) MAX (at, 0), d->n_columns - 1);
}

/* Of the dots: the box lies below. */
static double
middle_of (const Distances *d, guint k)
{
  return d->area.y + k * d->row_px + (d->row_px - BOX_PX - 4) / 2;
}

static KymoBadge
badge_of (const Distances *d, guint pe)
{
  return kymo_badge_of (kymo_table_get_string (d->pes, "kept_as", pe));
}

/* Kept PEs stand in the middle of their column, the others around them. */
static void
place_dots (Distances *d)
{
  g_autofree guint *used = g_new0 (guint, (gsize) d->n * d->n_columns + 1);

  for (guint kept = 0; kept < 2; kept++)
    for (guint i = 0; i < d->n_pes; i++)
      {
        guint k = d->cluster[i], column = column_of (d, i), slot;

        if ((badge_of (d, i) == KYMO_BADGE_NONE) != (kept == 1))
          continue;
        slot = used[(gsize) k * d->n_columns + column]++;
        d->x[i] = d->area.x + (column + 0.5) * DOT_PX;
        d->y[i] = middle_of (d, k);
        if (!d->strips[k].bars)
          d->y[i] += (slot % 2 ? 1.0 : -1.0) * ((slot + 1) / 2) * DOT_PX;
      }
}

static void
make_strips (Distances *d)
{
  d->strips = g_new0 (Strip, d->n);
  for (guint k = 0; k < d->n; k++)
    d->strips[k].counts = g_new0 (guint, d->n_columns);
  for (guint i = 0; i < d->n_pes; i++)
    {
      Strip *strip = &d->strips[d->cluster[i]];
      guint count = ++strip->counts[column_of (d, i)];

      strip->n++;
      strip->most = MAX (strip->most, count);
    }
  for (guint k = 0; k < d->n; k++)
    {
      d->strips[k].bars = d->strips[k].most * DOT_PX > d->row_px - BOX_PX - 8;
      find_quartiles (d, k, &d->strips[k]);
    }
}

/* Clusters come from the answer; they index arrays. */
static gboolean
are_known (const Distances *d)
{
  for (guint i = 0; i < d->n_pes; i++)
    if (d->cluster[i] < 0 || d->cluster[i] >= (gint64) d->n || !isfinite (d->distance[i]))
      return FALSE;
  return TRUE;
}

static gboolean
distances_init (Distances *d, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *clusters = kymo_table_peek_nested (answer, "clusters", NULL);

  *d = (Distances) { kymo_plot_frame_area (&kymo_plot_distances, frame), answer };
  d->terms = frame->terms;
  d->pes = kymo_table_peek_nested (answer, "locations", NULL);
  if (clusters == NULL || d->pes == NULL || d->area.width < NAME_PX + 40)
    return FALSE;
  d->n = kymo_table_get_n_rows (clusters);
  d->n_pes = kymo_table_get_n_rows (d->pes);
  d->distance = kymo_table_peek_doubles (d->pes, "distance", NULL);
  d->cluster = kymo_table_peek_ints (d->pes, "cluster", NULL);
  d->unit = kymo_unit_of_distances (answer);
  if (d->n == 0 || d->distance == NULL || d->cluster == NULL || !are_known (d))
    return FALSE;
  d->area.x += NAME_PX;
  d->area.width -= NAME_PX;
  d->row_px = MIN (d->area.height / d->n, ROW_PX);
  d->area.height = d->row_px * d->n;
  d->n_columns = d->area.width / DOT_PX + 1;
  for (guint i = 0; i < d->n_pes; i++)
    d->max = MAX (d->max, d->distance[i]);
  d->max = d->max > 0 ? d->max * 1.03 : 1;
  make_strips (d);
  d->x = g_new0 (double, d->n_pes + 1);
  d->y = g_new0 (double, d->n_pes + 1);
  place_dots (d);
  return TRUE;
}

static void
distances_clear (Distances *d)
{
  for (guint k = 0; d->strips != NULL && k < d->n; k++)
    g_free (d->strips[k].counts);
  g_free (d->strips);
  g_free (d->x);
  g_free (d->y);
}

/* -- painting --------------------------------------------------------------- */

static void
paint_bars (cairo_t *cr, const Distances *d, guint k)
{
  const Strip *strip = &d->strips[k];
  double room = d->row_px - BOX_PX - 8;

  for (guint column = 0; column < d->n_columns; column++)
    {
      double height = MAX (strip->counts[column] * room / strip->most, 1);

      if (strip->counts[column] == 0)
        continue;
      cairo_rectangle (cr, d->area.x + column * DOT_PX, middle_of (d, k) - height / 2,
                       DOT_PX - 1, height);
    }
  cairo_fill (cr);
}

static void
paint_dots (cairo_t *cr, const Distances *d, const KymoPlotFrame *frame)
{
  for (guint i = 0; i < d->n_pes; i++)
    {
      if (d->strips[d->cluster[i]].bars || badge_of (d, i) != KYMO_BADGE_NONE)
        continue;
      kymo_set_source (cr, kymo_class_shown (frame, d->cluster[i]));
      cairo_arc (cr, d->x[i], d->y[i], DOT_PX / 2.0 - 0.25, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

/* Over bars those of one column lie on each other: one is enough. */
static void
paint_badges (cairo_t *cr, const Distances *d, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree guint8 *painted = g_new0 (guint8, (gsize) d->n * d->n_columns);

  for (gint badge = KYMO_BADGE_OTHER; badge > KYMO_BADGE_NONE; badge--)
    for (guint i = 0; i < d->n_pes; i++)
      {
        guint8 *seen = &painted[d->cluster[i] * d->n_columns + column_of (d, i)];

        if (badge_of (d, i) != (KymoBadge) badge
            || (d->strips[d->cluster[i]].bars && (*seen & 1 << badge)))
          continue;
        *seen |= 1 << badge;
        kymo_badge_paint (cr, badge, d->x[i], d->y[i],
                          badge == KYMO_BADGE_REPRESENTATIVE ? 11 : 8,
                          kymo_class_shown (frame, d->cluster[i]),
                          badge == KYMO_BADGE_REPRESENTATIVE ? theme->foreground
                          : theme->canvas);
      }
}

static void
paint_box (cairo_t *cr, const Distances *d, const KymoPlotFrame *frame, guint k)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const Strip *strip = &d->strips[k];
  double y = d->area.y + (k + 1) * d->row_px - BOX_PX - 4;
  double x0 = x_of (d, strip->first), x1 = x_of (d, strip->third);

  if (strip->n < 4 || d->row_px < 24)
    return;
  kymo_set_source (cr, kymo_rgba_mix (kymo_class_shown (frame, k), theme->canvas, 0.6));
  cairo_rectangle (cr, x0, y, MAX (x1 - x0, 1), BOX_PX);
  cairo_fill (cr);
  kymo_set_source (cr, theme->foreground);
  cairo_rectangle (cr, x_of (d, strip->median) - 0.75, y - 1, 1.5, BOX_PX + 2);
  cairo_fill (cr);
}

static void
paint_name (cairo_t *cr, const Distances *d, const KymoPlotFrame *frame, guint k)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *name = kymo_class_name (k);
  g_autofree char *pes = kymo_words_rows (frame->terms, d->strips[k].n);
  KymoTextStyle style = { KYMO_TEXT_NORMAL, TRUE, 0, NAME_PX - 30 };
  KymoTextStyle small = { KYMO_TEXT_SMALL, FALSE, 0, NAME_PX - 30 };
  double x = d->area.x - NAME_PX, y = d->area.y + (k + 0.5) * d->row_px;
  gboolean both = d->row_px >= 36;

  kymo_set_source (cr, kymo_class_shown (frame, k));
  cairo_rectangle (cr, x + 2, d->area.y + k * d->row_px + 3, 6, d->row_px - 6);
  cairo_fill (cr);
  if (d->row_px < 12)
    return;
  kymo_text_draw (cr, name, x + 16, both ? y - 8 : y, style, theme->foreground);
  if (both)
    kymo_text_draw (cr, pes, x + 16, y + 9, small, theme->secondary);
}

static void
paint_lines (cairo_t *cr, const Distances *d, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  cairo_set_line_width (cr, 1);
  kymo_set_source (cr, theme->grid);
  for (guint k = 1; k < d->n; k++)
    kymo_line (cr, d->area.x - NAME_PX, d->area.y + k * d->row_px,
               d->area.x + d->area.width, d->area.y + k * d->row_px);
  cairo_stroke (cr);
}

static void
distances_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Distances *d = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) items = kymo_legend_of_classes (answer, frame, names);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };

  style.max_px = d->area.width + 20;

  kymo_decor_paint (cr, &kymo_plot_distances, frame, items);
  if (!d->known)
    {
      kymo_paint_empty (cr, frame, d->area, kymo_words_no_rows (frame->terms));
      return;
    }
  kymo_axis_values (cr, frame, d->area, TRUE, 0, d->max, kymo_unit_axis (d->unit));
  kymo_text_draw (cr, _("Distance from the cluster’s mean"), d->area.x, d->area.y - 13,
                  style, theme->foreground);
  paint_lines (cr, d, frame);
  for (guint k = 0; k < d->n; k++)
    {
      paint_name (cr, d, frame, k);
      paint_box (cr, d, frame, k);
      kymo_set_source (cr, kymo_class_shown (frame, k));
      if (d->strips[k].bars)
        paint_bars (cr, d, k);
    }
  paint_dots (cr, d, frame);
  paint_badges (cr, d, frame);
}

/* -- what lies under a point ------------------------------------------------ */

/* Of bars any height of a column is near. */
static guint
nearest_distances (const Distances *d, guint k, double x, double y)
{
  double best = NEAR_PX;
  guint found = G_MAXUINT;

  for (guint i = 0; i < d->n_pes; i++)
    {
      double dy = d->strips[k].bars ? 0 : d->y[i] - y, away;

      if (d->cluster[i] != (gint64) k)
        continue;
      away = hypot (d->x[i] - x, dy);
      /* Shapes lie over dots. */
      away -= badge_of (d, i) != KYMO_BADGE_NONE ? 1 : 0;
      if (away < best)
        {
          best = away;
          found = i;
        }
    }
  return found;
}

static char *
describe_strip (const Distances *d, guint k)
{
  g_autofree char *name = kymo_class_name (k);
  g_autofree char *count = kymo_words_rows (d->terms, d->strips[k].n);
  g_autofree char *median = kymo_unit_format (d->unit, d->strips[k].median);
  g_autofree char *first = kymo_unit_format (d->unit, d->strips[k].first);
  g_autofree char *third = kymo_unit_format (d->unit, d->strips[k].third);

  return g_strdup_printf (_("%s · %s\nhalf of them within %s of the mean\n"
                            "middle half: %s to %s"), name, count, median, first, third);
}

static char *
describe_dot (const Distances *d, guint pe)
{
  GString *text = g_string_new (kymo_table_peek_label (d->pes, "label", pe));
  g_autofree char *name = kymo_class_name (d->cluster[pe]);
  g_autofree char *away = kymo_unit_format (d->unit, d->distance[pe]);
  guint n = d->strips[d->cluster[pe]].counts[column_of (d, pe)];

  g_string_append_printf (text, " · %s", name);
  if (badge_of (d, pe) != KYMO_BADGE_NONE)
    g_string_append_printf (text, " · %s", kymo_badge_words (badge_of (d, pe)));
  g_string_append_printf (text, _("\n%s from the mean"), away);
  if (d->strips[d->cluster[pe]].bars && n > 1)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "\nand %u more here",
                                               "\nand %u more here", n - 1), n - 1);
  return g_string_free (text, FALSE);
}

static void
describe_hit (const Distances *d, guint k, double x, double y, KymoPlotHit *hit)
{
  guint pe = nearest_distances (d, k, x, y);

  hit->cluster = k;
  if (pe == G_MAXUINT)
    {
      hit->text = describe_strip (d, k);
      hit->rect = (KymoRect) { d->area.x - NAME_PX, d->area.y + k * d->row_px,
                               d->area.width + NAME_PX, d->row_px };
      return;
    }
  hit->location = kymo_table_get_int (d->pes, "location", pe);
  hit->text = describe_dot (d, pe);
  hit->rect = (KymoRect) { d->x[pe] - 7, d->y[pe] - 7, 14, 14 };
}

static gboolean
distances_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Distances *d = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (d->known)
    {
      KymoRect all = { d->area.x - NAME_PX, d->area.y, d->area.width + NAME_PX, d->area.height };

      found = kymo_rect_contains (all, x, y);
      if (found)
        describe_hit (d, MIN ((guint) ((y - d->area.y) / d->row_px), d->n - 1), x, y, hit);
    }
  return found;
}

static GArray *
distances_places (const KymoPicture *picture)
{
  const Distances *d = picture->layout;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (KymoPlotPlace));

  if (d->known)
    for (guint i = 0; i < d->n_pes; i++)
      {
        KymoPlotPlace place = { kymo_table_get_int (d->pes, "location", i), -1,
                                { d->x[i] - 7, d->y[i] - 7, 14, 14 } };

        g_array_append_val (places, place);
      }
  return places;
}

KYMO_DEFINE_LAYOUT (distances, Distances, distances_init, distances_clear)

const KymoPlotClass kymo_plot_distances = {
  .id = "distances",
  .title = N_("Distances"),
  .needs = KYMO_CAN_PROFILE,
  .question = kymo_classes_question,
  .lay_out = distances_lay_out,
  .layout_free = distances_layout_free,
  .paint = distances_paint,
  .hit = distances_hit,
  .inset = { 20, 32, 28, 30 },
  .has_legend = TRUE,
  .places = distances_places,
  .of_all = TRUE,
  .lists = "locations",
};
