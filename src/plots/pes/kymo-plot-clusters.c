/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clusters: a row a class of PEs that behave alike. How many they are, what a
 * mean member does (stacked by entry method, to the scale of all rows), who
 * stands for it and how many outliers are kept. The first row is the mean of
 * all PEs, by which the others are read.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-badge.h"
#include "kymo-in-terms.h"
#include "kymo-order.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_clusters;

/* Columns left and right of the profile, as they have room. */
#define NAME_PX 104
#define SIZE_PX 96
#define STANDS_PX 92
#define OUTLIERS_PX 64
#define ROW_PX 72
/* Entry methods that are narrower in every row stand together. */
#define LEAST_PX 1.5
#define OTHER G_MAXUINT

/** Component: one that has a time, in the order of the stack */
typedef struct
{
  const char      *name;
  KymoActivityKind kind;
  KymoRgba         color;
  gboolean         hidden;
  guint            index;            /* among the answer's, or OTHER */
  guint            rank;
  double           of_all;           /* mean of all PEs, ns */
} Component;

typedef struct
{
  KymoRect      area;                /* of the rows */
  KymoRect      profile;             /* of their profiles, with heads above */
  gboolean      narrow;              /* no room for the columns at the right */
  const KymoTable *answer;
  KymoTable    *clusters;
  guint         n, n_all;            /* components of the answer */
  gint64        pes;
  double        row_px;
  const guint  *offsets;
  const double *means;
  GArray       *components;          /* Component */
  double       *other;               /* by row: what stands together */
  guint         n_other;
  double        max;
  KymoTerms     terms;
  gboolean      known;               /* FALSE: nothing can be painted */
} Clusters;

static int
compare_components (gconstpointer a, gconstpointer b)
{
  const Component *x = a, *y = b;
  gboolean x_last = x->kind != KYMO_KIND_ENTRY, y_last = y->kind != KYMO_KIND_ENTRY;

  if (x_last != y_last)
    return x_last ? 1 : -1;
  KYMO_ORDER_BY (x->rank, y->rank);
  KYMO_ORDER_BY (y->of_all, x->of_all);
  return (x->index > y->index) - (x->index < y->index);
}

static double
mean_of (const Clusters *c, guint cluster, guint component)
{
  double mean = c->means[c->offsets[cluster] + component];

  return isfinite (mean) && mean > 0 ? mean : 0;
}

/* Messages and bytes are no time and have no place in the bar. */
static void
find_components (Clusters *c, const KymoPlotFrame *frame)
{
  KymoTable *table = kymo_table_peek_nested (c->answer, "components", NULL);

  for (guint i = 0; i < c->n_all; i++)
    {
      const char *kind = kymo_table_get_string (table, "kind", i);
      Component one = { kymo_table_get_string (table, "name", i),
                        kymo_activity_kind (kind), .index = i };

      if (g_strcmp0 (kind, "messages") == 0 || g_strcmp0 (kind, "bytes") == 0)
        continue;
      one.rank = frame->colors != NULL && one.name != NULL
        ? kymo_colors_get_rank (frame->colors, one.name) : G_MAXUINT;
      one.hidden = kymo_is_hidden (frame, one.name);
      one.color = kymo_theme_series (frame, one.name, one.kind);
      for (guint k = 0; k < c->n; k++)
        one.of_all += mean_of (c, k, i) * kymo_table_get_int (c->clusters, "size", k)
                      / MAX (c->pes, 1);
      g_array_append_val (c->components, one);
    }
  g_array_sort (c->components, compare_components);
}

/* Row 0 is all PEs. */
static double
value_of (const Clusters *c, guint row, const Component *component)
{
  if (component->index == OTHER)
    return c->other[row];
  return row == 0 ? component->of_all : mean_of (c, row - 1, component->index);
}

static double
total_of (const Clusters *c, guint row)
{
  double sum = 0;

  for (guint i = 0; i < c->components->len; i++)
    sum += value_of (c, row, &g_array_index (c->components, Component, i));
  return sum;
}

static gboolean
is_narrow (const Clusters *c, const Component *one)
{
  double least = c->max * LEAST_PX / c->profile.width;

  for (guint row = 0; row <= c->n; row++)
    if (value_of (c, row, one) >= least)
      return FALSE;
  return one->kind == KYMO_KIND_ENTRY;
}

/* Points that cannot be told apart. */
static void
join_narrow (Clusters *c, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  Component other = { _("Other"), .index = OTHER };
  guint n = 0;

  other.color = kymo_rgba_mix (theme->secondary, theme->canvas, 0.4);
  other.hidden = kymo_is_hidden (frame, other.name);
  for (guint i = 0; i < c->components->len; i++)
    {
      Component one = g_array_index (c->components, Component, i);
      gboolean narrow = is_narrow (c, &one);

      for (guint row = 0; narrow && row <= c->n; row++)
        c->other[row] += value_of (c, row, &one);
      c->n_other += narrow;
      if (!narrow)
        g_array_index (c->components, Component, n++) = one;
    }
  if (c->n_other == 0)
    return;
  g_array_set_size (c->components, n);
  other.of_all = c->other[0];
  while (n > 0 && g_array_index (c->components, Component, n - 1).kind != KYMO_KIND_ENTRY)
    n--;
  g_array_insert_val (c->components, n, other);
}

static void
place_columns (Clusters *c, const KymoPlotFrame *frame)
{
  double left = NAME_PX, right = STANDS_PX + OUTLIERS_PX;

  c->narrow = c->area.width < 560;
  left += c->narrow ? 44 : SIZE_PX;
  right = c->narrow ? 0 : right;
  c->profile = c->area;
  c->profile.x += left;
  c->profile.width = MAX (c->area.width - left - right, 8);
  c->row_px = MIN (c->area.height / (c->n + 1), ROW_PX);
  c->profile.height = MIN (c->area.height, c->row_px * (c->n + 1));
}

static gboolean
clusters_init (Clusters *c, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *components = kymo_table_peek_nested (answer, "components", NULL);
  KymoTable *means;

  *c = (Clusters) { kymo_plot_frame_area (&kymo_plot_clusters, frame),
                    .answer = answer, .terms = frame->terms };
  c->clusters = kymo_table_peek_nested (answer, "clusters", NULL);
  c->n = c->clusters != NULL ? kymo_table_get_n_rows (c->clusters) : 0;
  c->pes = kymo_table_get_int (answer, "pes", 0);
  means = c->n > 0 ? kymo_table_peek_nested (c->clusters, "means", &c->offsets)
                   : NULL;
  c->means = means != NULL ? kymo_table_peek_doubles (means, "value", NULL) : NULL;
  c->n_all = components != NULL && c->means != NULL
             ? kymo_table_get_n_rows (components) : 0;
  c->components = g_array_new (FALSE, TRUE, sizeof (Component));
  if (c->n == 0 || c->area.width < 8)
    return FALSE;
  for (guint k = 0; k < c->n && c->means != NULL; k++)
    c->n_all = MIN (c->n_all, c->offsets[k + 1] - c->offsets[k]);
  c->other = g_new0 (double, c->n + 1);
  find_components (c, frame);
  for (guint row = 0; row <= c->n; row++)
    c->max = MAX (c->max, total_of (c, row));
  place_columns (c, frame);
  join_narrow (c, frame);
  return TRUE;
}

static void
clusters_clear (Clusters *c)
{
  g_array_unref (c->components);
  g_free (c->other);
}

static KymoRect
row_rect (const Clusters *c, guint row)
{
  return (KymoRect) { c->area.x, round (c->area.y + row * c->row_px),
                      c->area.width, c->row_px };
}

static KymoRect
bar_rect (const Clusters *c, KymoRect row)
{
  double height = CLAMP (round (c->row_px * 0.6), 2, 36);

  return (KymoRect) { c->profile.x, round (row.y + (row.height - height) / 2),
                      c->profile.width, height };
}

static gboolean
is_faded (const KymoPlotFrame *frame, guint row)
{
  return frame->cluster != 0 && frame->cluster != row;
}

static KymoRgba
faded (const KymoPlotFrame *frame, guint row, KymoRgba color)
{
  return is_faded (frame, row)
         ? kymo_rgba_mix (color, kymo_theme_get (frame->look)->canvas, 0.6) : color;
}

/* -- painting --------------------------------------------------------------- */

static void
paint_part (cairo_t *cr, const KymoPlotFrame *frame, guint row,
            const Component *one, KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  if (one->kind == KYMO_KIND_IDLE && !is_faded (frame, row))
    {
      kymo_fill_idle (cr, theme, rect);
      return;
    }
  kymo_set_source (cr, faded (frame, row, one->color));
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
}

static void
paint_profile (cairo_t *cr, const Clusters *c, const KymoPlotFrame *frame,
               guint row, KymoRect bar)
{
  double x = bar.x;

  for (guint i = 0; i < c->components->len; i++)
    {
      const Component *one = &g_array_index (c->components, Component, i);
      double width = c->max > 0 ? value_of (c, row, one) / c->max * bar.width : 0;

      if (width > 0 && !one->hidden)
        paint_part (cr, frame, row, one,
                    (KymoRect) { x, bar.y, width, bar.height });
      x += width;
    }
}

/* How many of the PEs, as a number over a bar. */
static void
paint_size (cairo_t *cr, const Clusters *c, const KymoPlotFrame *frame,
            guint row, KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  gint64 size = row == 0 ? c->pes : kymo_table_get_int (c->clusters, "size", row - 1);
  g_autofree char *count = kymo_format_count (size);
  double room = (c->narrow ? 44 : SIZE_PX) - 16;
  double middle = rect.y + rect.height / 2;
  KymoRect box = { rect.x + NAME_PX, middle + 6, room, 4 };
  KymoTextStyle style = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, 0 };

  if (c->row_px < 24)
    {
      kymo_text_draw (cr, count, box.x, middle, style,
                      faded (frame, row, theme->foreground));
      return;
    }
  kymo_text_draw (cr, count, box.x, middle - 5, style,
                  faded (frame, row, theme->foreground));
  kymo_set_source (cr, theme->grid);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_fill (cr);
  kymo_set_source (cr, row == 0 ? theme->secondary
                   : kymo_class_shown (frame, row - 1));
  cairo_rectangle (cr, box.x, box.y,
                   MAX (1, box.width * size / MAX (c->pes, 1)), box.height);
  cairo_fill (cr);
}

static void
paint_name (cairo_t *cr, const Clusters *c, const KymoPlotFrame *frame,
            guint row, KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *name = row > 0 ? kymo_class_name (row - 1)
    : g_strdup (kymo_in_terms (frame->terms, _("All {rows}")));
  KymoTextStyle style = { KYMO_TEXT_NORMAL, row > 0, 0, NAME_PX - 24 };
  double middle = rect.y + rect.height / 2;

  if (row > 0)
    {
      kymo_set_source (cr, kymo_class_shown (frame, row - 1));
      cairo_rectangle (cr, rect.x + 2, bar_rect (c, rect).y, 6,
                       bar_rect (c, rect).height);
      cairo_fill (cr);
    }
  if (c->row_px >= 12)
    kymo_text_draw (cr, name, rect.x + 16, middle, style,
                    faded (frame, row, theme->foreground));
}

static const char *
label_of (const Clusters *c, gint64 pe, char **made)
{
  KymoTable *pes = kymo_table_peek_nested (c->answer, "locations", NULL);
  const gint64 *ids = kymo_table_peek_ints (pes, "location", NULL);

  for (guint i = 0; ids != NULL && i < kymo_table_get_n_rows (pes); i++)
    if (ids[i] == pe)
      return kymo_table_peek_label (pes, "label", i);
  *made = g_strdup_printf ("%s %" G_GINT64_FORMAT, kymo_terms_row (c->terms, FALSE), pe);
  return kymo_shown_label (*made);
}

static guint
n_outliers (const Clusters *c, guint cluster)
{
  const guint *offsets = NULL;

  if (kymo_table_peek_nested (c->clusters, "outliers", &offsets) == NULL)
    return 0;
  return offsets[cluster + 1] - offsets[cluster];
}

static void
paint_kept (cairo_t *cr, const Clusters *c, const KymoPlotFrame *frame,
            guint row, KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  gint64 pe = kymo_table_get_int (c->clusters, "representative", row - 1);
  g_autofree char *made = NULL;
  g_autofree char *count = g_strdup_printf ("%u", n_outliers (c, row - 1));
  KymoTextStyle style = { KYMO_TEXT_NORMAL - 0.5, FALSE, 0, STANDS_PX - 30 };
  double x = c->profile.x + c->profile.width + 16, y = rect.y + rect.height / 2;
  KymoRgba color = kymo_class_shown (frame, row - 1);

  kymo_badge_paint (cr, KYMO_BADGE_REPRESENTATIVE, x, y, 9, color, theme->canvas);
  kymo_text_draw (cr, label_of (c, pe, &made), x + 11, y, style,
                  faded (frame, row, theme->foreground));
  x += STANDS_PX;
  if (n_outliers (c, row - 1) > 0)
    kymo_badge_paint (cr, KYMO_BADGE_OUTLIER, x, y, 9, color, theme->canvas);
  kymo_text_draw (cr, count, x + 11, y, style, faded (frame, row, theme->foreground));
}

static void
paint_row (cairo_t *cr, const Clusters *c, const KymoPlotFrame *frame, guint row)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect rect = row_rect (c, row);

  if (frame->cluster == row && row > 0)
    {
      kymo_set_source_alpha (cr, theme->accent, 0.1);
      cairo_rectangle (cr, rect.x - 8, rect.y + 1, rect.width + 16, rect.height - 2);
      cairo_fill (cr);
    }
  paint_name (cr, c, frame, row, rect);
  if (c->row_px >= 12)
    paint_size (cr, c, frame, row, rect);
  paint_profile (cr, c, frame, row, bar_rect (c, rect));
  if (row > 0 && !c->narrow && c->row_px >= 12)
    paint_kept (cr, c, frame, row, rect);
  if (row > 0 || c->row_px < 12)
    return;
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, rect.x, rect.y + rect.height, rect.x + rect.width, rect.y + rect.height);
  cairo_stroke (cr);
}

static void
paint_heads (cairo_t *cr, const Clusters *c, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double y = c->area.y - 12, right = c->profile.x + c->profile.width;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, c->profile.width };

  kymo_text_draw (cr, kymo_word_row (frame->terms, TRUE, TRUE), c->area.x + NAME_PX, y, style,
                  theme->secondary);
  kymo_text_draw (cr, kymo_in_terms (frame->terms, _("Mean time of a {row}")), c->profile.x, y,
                  style, theme->secondary);
  if (c->narrow)
    return;
  style.max_px = STANDS_PX - 4;
  kymo_text_draw (cr, _("Representative"), right + 12, y, style, theme->secondary);
  style.max_px = OUTLIERS_PX;
  kymo_text_draw (cr, _("Outliers"), right + 12 + STANDS_PX, y, style,
                  theme->secondary);
}

static GArray *
legend_items (const Clusters *c, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double sum = MAX (total_of (c, 0), 1);

  for (guint i = 0; i < c->components->len; i++)
    {
      const Component *one = &g_array_index (c->components, Component, i);

      KymoLegendItem item = { one->name, one->kind, one->color, one->of_all / sum,
                              .order = one->index == OTHER };

      if (!one->hidden)
        g_array_append_val (items, item);
    }
  kymo_legend_add_badge (items, frame, KYMO_BADGE_REPRESENTATIVE);
  for (guint k = 0; k < c->n; k++)
    if (n_outliers (c, k) > 0)
      {
        kymo_legend_add_badge (items, frame, KYMO_BADGE_OUTLIER);
        break;
      }
  return items;
}

static void
clusters_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Clusters *c = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;

  if (!c->known)
    {
      kymo_decor_paint (cr, &kymo_plot_clusters, frame, NULL);
      kymo_paint_empty (cr, frame, c->area, kymo_words_no_rows (frame->terms));
      return;
    }
  items = legend_items (c, frame);
  kymo_decor_paint (cr, &kymo_plot_clusters, frame, items);
  kymo_axis_values (cr, frame, c->profile, TRUE, 0, c->max, kymo_unit_axis (KYMO_UNIT_NS));
  for (guint row = 0; row <= c->n; row++)
    paint_row (cr, c, frame, row);
  paint_heads (cr, c, frame);
  if (c->components->len == 0)
    kymo_paint_empty (cr, frame, c->profile, _("Nothing ran in this range"));
}

/* -- what lies under a point ------------------------------------------------ */

static const Component *
component_at (const Clusters *c, guint row, double x)
{
  double sum = 0;

  for (guint i = 0; i < c->components->len; i++)
    {
      const Component *one = &g_array_index (c->components, Component, i);

      sum += c->max > 0 ? value_of (c, row, one) / c->max * c->profile.width : 0;
      if (x >= 0 && x < sum)
        return one;
    }
  return NULL;
}

static char *
describe_row (const Clusters *c, guint row)
{
  g_autofree char *total = kymo_unit_format (KYMO_UNIT_NS, total_of (c, row));
  g_autofree char *name = row > 0 ? kymo_class_name (row - 1) : NULL;
  g_autofree char *made = NULL;
  gint64 size = row > 0 ? kymo_table_get_int (c->clusters, "size", row - 1) : c->pes;
  g_autofree char *count = kymo_words_rows (c->terms, size);

  if (row == 0)
    return g_strdup_printf (_("All %s\n%s on average"), count, total);
  return g_strdup_printf (_("%s · %s\n%s represents it; %s on average"), name, count,
                          label_of (c, kymo_table_get_int (c->clusters, "representative",
                                                           row - 1), &made), total);
}

static void
describe_hit (const Clusters *c, guint row, double x, KymoPlotHit *hit)
{
  const Component *one = component_at (c, row, x - c->profile.x);
  g_autofree char *head = describe_row (c, row);

  if (row > 0)
    {
      hit->cluster = row - 1;
      hit->location = kymo_table_get_int (c->clusters, "representative", row - 1);
    }
  if (one != NULL)
    {
      g_autofree char *value = kymo_unit_format (KYMO_UNIT_NS, value_of (c, row, one));
      g_autofree char *all = kymo_unit_format (KYMO_UNIT_NS, one->of_all);

      hit->name = g_strdup (one->name);
      hit->text = g_strdup_printf (_("%s\n%s: %s; of all %s"), head,
                                   kymo_shown_name (one->name), value, all);
    }
  else
    hit->text = g_steal_pointer (&head);
}

static gboolean
clusters_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Clusters *c = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (c->known && kymo_rect_contains (c->area, x, y))
    for (guint row = 0; row <= c->n && !found; row++)
      {
        KymoRect rect = row_rect (c, row);

        if (!kymo_rect_contains (rect, x, y))
          continue;
        found = TRUE;
        hit->rect = rect;
        describe_hit (c, row, x, hit);
      }
  return found;
}

static GArray *
clusters_places (const KymoPicture *picture)
{
  const Clusters *c = picture->layout;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (KymoPlotPlace));

  if (c->known)
    for (guint k = 0; k < c->n; k++)
      {
        KymoPlotPlace place = { kymo_table_get_int (c->clusters, "representative", k), k,
                                row_rect (c, k + 1) };

        g_array_append_val (places, place);
      }
  return places;
}

KYMO_DEFINE_LAYOUT (clusters, Clusters, clusters_init, clusters_clear)

const KymoPlotClass kymo_plot_clusters = {
  .id = "clusters",
  .title = N_("Clusters"),
  .needs = KYMO_CAN_PROFILE,
  .question = kymo_classes_question,
  .lay_out = clusters_lay_out,
  .layout_free = clusters_layout_free,
  .paint = clusters_paint,
  .hit = clusters_hit,
  .inset = { 20, 30, 24, 30 },
  .has_legend = TRUE,
  .places = clusters_places,
  .of_all = TRUE,
};
