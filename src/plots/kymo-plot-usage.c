/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: how each location spent its time; the average first, then a bar a
 * location. Where there are more locations than pixels, neighbours are added
 * up into one bar: aggregated, never left out.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-class-color.h"
#include "kymo-legend.h"
#include "kymo-session.h"
#include "kymo-text.h"
#include "kymo-units.h"

#define GAP_PX 14
#define CAPTION_PX 16
#define BAND_PX 4
/* Ids of activities up to here are looked up in an array. */
#define MOST_IDS (1 << 20)

typedef struct
{
  const char *name;
  guint       rank;
  double      ns;
  KymoRgba    color;
  gboolean    hidden;
  guint       number;                /* see kymo_number_names() */
} UsageSeries;

/**
 * Usage:
 *
 * Bar 0 is the average, bars 1.. are groups of `per_bar` locations.
 * Communication threads come last, a gap apart, and enter no average.
 */
typedef struct
{
  KymoRect    area;
  KymoTable  *locations;
  guint       n_locations, n_bars, per_bar;
  guint       n_shown;               /* bars; the others would say the same */
  guint       n_averaged;            /* locations in the average */
  const double *weights;             /* of them in it; NULL = 1 each */
  guint       first_apart;           /* bar of the first communication thread */
  double      average_px, slot_px, bar_px;
  GArray     *series;                /* UsageSeries, bottom first */
  guint      *series_of;             /* by row of the activities' table: index
                                        of a series + 1, or 0 */
  double     *ns;                    /* n_bars * n_series */
  double     *span, *idle, *overhead, *untraced;   /* n_bars each */
  gboolean    rest;                  /* overhead is idle time or overhead */
  const KymoTable *classes;          /* in whose order bars are, or NULL */
} Usage;

static int
compare_series (gconstpointer a, gconstpointer b)
{
  const UsageSeries *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

/** kymo_number_names: a number for each name, in their order of appearance, by
    row of a table. It has a row for each location and activity: names are
    compared once an id */
GPtrArray *
kymo_number_names (const KymoTable *activities, guint n, guint *numbers)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint *by_id = NULL;
  const gint64 *ids = kymo_table_peek_ints (activities, "id", NULL);
  GPtrArray *names = g_ptr_array_new ();
  gint64 most = 0;

  /* A pointer that moves comes here at every step: no more than there is. */
  for (guint i = 0; ids != NULL && i < n; i++)
    most = MAX (most, ids[i] < MOST_IDS ? ids[i] : 0);
  by_id = g_new0 (guint, most + 1);
  for (guint i = 0; i < n; i++)
    {
      gboolean known = ids != NULL && ids[i] >= 0 && ids[i] < MOST_IDS;
      const char *name;
      guint number = known ? by_id[ids[i]] : 0;

      if (number == 0)
        {
          name = kymo_table_get_string (activities, "name", i);
          name = name != NULL ? name : "";
          number = GPOINTER_TO_UINT (g_hash_table_lookup (seen, name));
          if (number == 0)
            {
              g_ptr_array_add (names, (gpointer) name);
              number = names->len;
              g_hash_table_insert (seen, (gpointer) name,
                                   GUINT_TO_POINTER (number));
            }
          if (known)
            by_id[ids[i]] = number;
        }
      numbers[i] = number;
    }
  return names;
}

static void
collect_series (Usage *usage, const KymoTable *activities,
                const KymoPlotFrame *frame)
{
  const gint64 *ns = activities != NULL
                     ? kymo_table_peek_ints (activities, "ns", NULL) : NULL;
  guint n = ns != NULL ? kymo_table_get_n_rows (activities) : 0;
  g_autoptr (GPtrArray) names = NULL;
  g_autofree double *sums = NULL;
  g_autofree guint *places = NULL;

  usage->series = g_array_new (FALSE, TRUE, sizeof (UsageSeries));
  usage->series_of = g_new0 (guint, MAX (n, 1));
  if (n == 0)
    return;
  names = kymo_number_names (activities, n, usage->series_of);
  sums = g_new0 (double, names->len + 1);
  places = g_new0 (guint, names->len + 1);
  for (guint i = 0; i < n; i++)
    sums[usage->series_of[i]] += MAX (ns[i], 0);
  for (guint i = 0; i < names->len; i++)
    {
      UsageSeries series = { names->pdata[i], G_MAXUINT, sums[i + 1] };

      if (series.ns <= 0)
        continue;
      if (frame->colors != NULL)
        series.rank = kymo_colors_get_rank (frame->colors, series.name);
      series.color = kymo_theme_series (frame, series.name, KYMO_KIND_ENTRY);
      series.hidden = kymo_is_hidden (frame, series.name);
      series.number = i + 1;
      g_array_append_val (usage->series, series);
    }
  g_array_sort (usage->series, compare_series);
  for (guint i = 0; i < usage->series->len; i++)
    places[g_array_index (usage->series, UsageSeries, i).number] = i + 1;
  for (guint i = 0; i < n; i++)
    usage->series_of[i] = places[usage->series_of[i]];
}

/* Times in the average: where it is extrapolated, of all a location stands for. */
static double
weight_of (const Usage *usage, guint row)
{
  return usage->weights != NULL ? usage->weights[row] : 1;
}

/* Adds up a column of the locations into bars, the average among them. */
static void
add_column (const Usage *usage, const char *key, double *bars)
{
  const gint64 *values = kymo_table_peek_ints (usage->locations, key, NULL);

  for (guint row = 0; values != NULL && row < usage->n_locations; row++)
    {
      bars[1 + row / usage->per_bar] += values[row];
      if (row < usage->n_averaged)
        bars[0] += values[row] * weight_of (usage, row);
    }
}

static void
add_locations (Usage *usage)
{
  const guint *offsets = NULL;
  KymoTable *activities = kymo_table_peek_nested (usage->locations,
                                                  "activities", &offsets);
  const gint64 *ns = activities != NULL
                     ? kymo_table_peek_ints (activities, "ns", NULL) : NULL;
  guint n = usage->series->len;

  add_column (usage, "span_ns", usage->span);
  add_column (usage, "idle_ns", usage->idle);
  add_column (usage, "overhead_ns", usage->overhead);
  add_column (usage, "untraced_ns", usage->untraced);
  for (guint row = 0; ns != NULL && row < usage->n_locations; row++)
    for (guint i = offsets[row]; i < offsets[row + 1]; i++)
      {
        guint at = usage->series_of[i];

        if (at == 0)
          continue;
        usage->ns[(gsize) (1 + row / usage->per_bar) * n + at - 1] += ns[i];
        if (row < usage->n_averaged)
          usage->ns[at - 1] += ns[i] * weight_of (usage, row);
      }
}

static void
usage_clear (Usage *usage)
{
  g_clear_pointer (&usage->series, g_array_unref);
  g_clear_pointer (&usage->ns, g_free);
  g_clear_pointer (&usage->series_of, g_free);
  g_clear_pointer (&usage->span, g_free);
}

static gboolean
is_apart (const Usage *usage, guint row)
{
  return g_strcmp0 (kymo_table_get_string (usage->locations, "kind", row),
                    "communication") == 0;
}

/* They come last. Where all are communication threads, none is apart. */
static void
set_apart (Usage *usage)
{
  guint first = 0, end = usage->n_locations;

  while (first < end)
    {
      guint middle = first + (end - first) / 2;

      if (is_apart (usage, middle))
        end = middle;
      else
        first = middle + 1;
    }
  usage->n_averaged = first > 0 ? first : usage->n_locations;
  if (usage->n_averaged < usage->n_locations)
    usage->area.height -= CAPTION_PX;
}

/* The average keeps a width of its own however many locations there are.
   Thin bars are a whole number of pixels wide, or they would shimmer. */
static void
place_bars (Usage *usage)
{
  double rest, slot;

  usage->average_px = floor (MIN (MAX (28, usage->area.width
                                           / (usage->n_locations + 1) * 0.76),
                                  MIN (74, usage->area.width / 8)));
  rest = MAX (usage->area.width - usage->average_px - GAP_PX
              - (usage->n_averaged < usage->n_locations ? GAP_PX : 0), 4);
  slot = MIN (rest / usage->n_locations, 96);
  if (slot < 3)
    slot = MAX (1, floor (slot));
  usage->per_bar = MAX (1, ceil (usage->n_locations * slot / rest - 1e-9));
  usage->n_bars = 1 + (usage->n_locations + usage->per_bar - 1)
                      / usage->per_bar;
  usage->first_apart = usage->n_averaged < usage->n_locations
    ? 1 + (usage->n_averaged + usage->per_bar - 1) / usage->per_bar : G_MAXUINT;
  usage->slot_px = slot;
  usage->bar_px = slot >= 6 ? floor (slot * 0.8) : slot >= 3 ? slot - 1 : slot;
}

static gboolean
usage_init (Usage *usage, const KymoTable *answer, const KymoPlotFrame *frame)
{
  gsize cells;

  *usage = (Usage) { 0 };
  usage->area = kymo_plot_frame_area (&kymo_plot_usage, frame);
  usage->rest = kymo_has_rest (answer);
  usage->classes = frame->classes;
  usage->locations = kymo_table_peek_nested (answer, "locations", NULL);
  if (usage->locations != NULL)
    usage->n_locations = kymo_table_get_n_rows (usage->locations);
  if (usage->n_locations == 0 || usage->area.width < 8)
    return FALSE;
  usage->weights = kymo_table_peek_doubles (usage->locations, "weight", NULL);
  set_apart (usage);
  place_bars (usage);
  collect_series (usage, kymo_table_peek_nested (usage->locations,
                                                 "activities", NULL), frame);
  usage->n_shown = usage->rest && usage->n_locations == 1 ? 1 : usage->n_bars;
  cells = (gsize) usage->n_bars * MAX (usage->series->len, 1);
  usage->ns = g_new0 (double, cells);
  usage->span = g_new0 (double, usage->n_bars * 4);
  usage->idle = usage->span + usage->n_bars;
  usage->overhead = usage->idle + usage->n_bars;
  usage->untraced = usage->overhead + usage->n_bars;
  add_locations (usage);
  return TRUE;
}

static KymoRect
bar_rect (const Usage *usage, guint bar)
{
  KymoRect rect = usage->area;

  rect.width = bar == 0 ? usage->average_px : usage->bar_px;
  if (bar > 0)
    rect.x = round (rect.x + usage->average_px + GAP_PX
                    + (bar - 1) * usage->slot_px
                    + (bar >= usage->first_apart ? GAP_PX : 0));
  if (bar > 0 && usage->slot_px >= 3 && usage->slot_px < 6)
    rect.width = floor (usage->slot_px) - 1;
  return rect;
}

static double
part_px (const Usage *usage, guint bar, double ns)
{
  return usage->span[bar] > 0
         ? MAX (ns, 0) / usage->span[bar] * usage->area.height : 0;
}

static double
paint_series (cairo_t *cr, const Usage *usage, guint bar, KymoRect rect)
{
  double y = rect.y + rect.height;

  for (guint i = 0; i < usage->series->len; i++)
    {
      UsageSeries *series = &g_array_index (usage->series, UsageSeries, i);
      double height
        = part_px (usage, bar, usage->ns[(gsize) bar * usage->series->len + i]);

      y -= height;
      if (series->hidden || height <= 0)
        continue;
      kymo_set_source (cr, series->color);
      cairo_rectangle (cr, rect.x, y, rect.width, height);
      cairo_fill (cr);
    }
  return y;
}

static void
paint_overhead (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame,
                KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);

  if (usage->rest)
    {
      kymo_fill_rest (cr, theme, rect);
      return;
    }
  kymo_set_source (cr, frame->hovered != NULL
                       && g_strcmp0 (frame->hovered, KYMO_NAME_OVERHEAD) != 0
                       ? kymo_rgba_mix (theme->ink, theme->paper, 0.6)
                       : theme->ink);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill (cr);
}

static void
paint_bar (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame,
           guint bar)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  KymoRect rect = bar_rect (usage, bar);
  double y = paint_series (cr, usage, bar, rect);
  double idle = part_px (usage, bar, usage->idle[bar]);
  double overhead = part_px (usage, bar, usage->overhead[bar]);
  double untraced = part_px (usage, bar, usage->untraced[bar]);

  kymo_set_source (cr, theme->paper);
  cairo_rectangle (cr, rect.x, y - idle, rect.width, idle);
  cairo_fill (cr);
  paint_overhead (cr, usage, frame, (KymoRect) { rect.x, y - idle - overhead,
                                                 rect.width, overhead });
  if (untraced >= 2 && rect.width >= 3)
    {
      cairo_save (cr);
      cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
      cairo_set_line_width (cr, 1);
      kymo_set_source (cr, theme->dotted);
      cairo_rectangle (cr, rect.x + 0.5, y - idle - overhead - untraced + 0.5,
                       rect.width - 1, untraced - 1);
      cairo_stroke (cr);
      cairo_restore (cr);
    }
}

static double
busy_share (const Usage *usage, guint bar)
{
  double traced = usage->span[bar] - usage->untraced[bar];

  return traced > 0 ? (traced - usage->idle[bar] - usage->overhead[bar])
                      / traced : NAN;
}

/* Of the first location of a bar; -1 of the average. */
static gint
class_of (const Usage *usage, guint bar)
{
  if (bar == 0 || usage->classes == NULL)
    return -1;
  return kymo_classes_find (usage->classes, kymo_table_get_int (
    usage->locations, "location", (bar - 1) * usage->per_bar));
}

static char *
bar_label (const Usage *usage, guint bar)
{
  guint first = (bar - 1) * usage->per_bar;
  guint last = MIN (first + usage->per_bar, usage->n_locations) - 1;
  const char *from = kymo_table_get_string (usage->locations, "label", first);
  const char *to = kymo_table_get_string (usage->locations, "label", last);

  if (bar == 0 && usage->n_shown == 1)
    return g_strdup (kymo_table_get_string (usage->locations, "label", 0));
  if (bar == 0)
    return g_strdup (_("Average"));
  if (first == last)
    return g_strdup (from != NULL ? from : "");
  if (usage->classes != NULL)
    return g_strdup_printf ("%s +%u", from != NULL ? from : "", last - first);
  return g_strdup_printf ("%s – %s", from != NULL ? from : "",
                          to != NULL ? to : "");
}

/* On the axis a group goes by its first location. */
static char *
axis_label (const Usage *usage, guint bar)
{
  if (bar == 0)
    return bar_label (usage, bar);
  return g_strdup (kymo_table_get_string (usage->locations, "label",
                                          (bar - 1) * usage->per_bar));
}

/* Labels below and figures above the bars, as many as have room. */
static void
paint_words (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  double bottom = usage->area.y + usage->area.height, end = -1e9, top_end = -1e9;

  for (guint bar = 0; bar < usage->n_shown; bar++)
    {
      KymoRect rect = bar_rect (usage, bar);
      g_autofree char *label = axis_label (usage, bar);
      g_autofree char *busy = isnan (busy_share (usage, bar))
                              || (bar > 0 && usage->slot_px < 12) ? NULL
                              : g_strdup_printf ("%.0f %%",
                                                 busy_share (usage, bar) * 100);
      double x = rect.x + rect.width / 2;
      double width = kymo_text_width (cr, label, style);
      double busy_width = kymo_text_width (cr, busy, style);

      if (x - width / 2 >= end + 8
          && x + width / 2 <= usage->area.x + usage->area.width + 20)
        {
          kymo_text_draw (cr, label, x, bottom + 14, style,
                          bar == 0 ? theme->foreground : theme->secondary);
          end = x + width / 2;
        }
      if (busy != NULL && x - busy_width / 2 >= top_end + 8)
        {
          kymo_text_draw (cr, busy, x, usage->area.y - 10, style,
                          bar == 0 ? theme->foreground : theme->secondary);
          top_end = x + busy_width / 2;
        }
    }
}

/* A band under the bars of each cluster. */
static void
paint_classes (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame)
{
  double y = usage->area.y + usage->area.height + 1;

  for (guint bar = 1; usage->classes != NULL && bar < usage->n_shown; bar++)
    {
      KymoRect rect = bar_rect (usage, bar);
      gint cluster = class_of (usage, bar);
      gboolean joins = bar + 1 < usage->n_shown
                       && class_of (usage, bar + 1) == cluster;

      if (cluster < 0)
        continue;
      kymo_set_source (cr, kymo_class_color (frame->dark, cluster));
      cairo_rectangle (cr, rect.x, y, joins ? bar_rect (usage, bar + 1).x
                       - rect.x : rect.width, BAND_PX);
      cairo_fill (cr);
    }
}

/* A line before the communication threads, and whom the average is of. */
static void
paint_apart (cairo_t *cr, const Usage *usage, const KymoPlotFrame *frame,
             const KymoTable *answer)
{
  const KymoTheme *theme = kymo_theme_get (frame->dark);
  double bottom = usage->area.y + usage->area.height, x;
  KymoRect below = { usage->area.x, bottom + 18, usage->area.width, 30 };

  kymo_paint_workers (cr, frame, below, answer);
  if (usage->first_apart >= usage->n_bars)
    return;
  x = floor (bar_rect (usage, usage->first_apart).x - GAP_PX / 2.0) + 0.5;
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, x, usage->area.y - 4, x, bottom + 4);
  cairo_stroke (cr);
}

static GArray *
legend_items (const Usage *usage, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double span = MAX (usage->span[0], 1);

  for (guint i = 0; i < usage->series->len; i++)
    kymo_legend_add (items, frame,
                     g_array_index (usage->series, UsageSeries, i).name,
                     KYMO_KIND_ENTRY, usage->ns[i] / span);
  kymo_legend_add_idle (items, frame, usage->rest, usage->idle[0] / span,
                        usage->overhead[0] / span);
  if (usage->untraced[0] > 0)
    kymo_legend_add (items, frame, KYMO_NAME_UNTRACED, KYMO_KIND_UNTRACED,
                     usage->untraced[0] / span);
  return items;
}

static void
usage_paint (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame)
{
  g_autoptr (GArray) items = NULL;
  Usage usage;

  if (!usage_init (&usage, answer, frame))
    {
      kymo_decor_paint (cr, &kymo_plot_usage, frame, NULL);
      kymo_paint_empty (cr, frame, usage.area, _("No locations to show"));
      return;
    }
  items = legend_items (&usage, frame);
  kymo_decor_paint (cr, &kymo_plot_usage, frame, items);
  kymo_axis_left (cr, frame, usage.area, 1, usage.area.height > 300 ? 10 : 4,
                  kymo_axis_percent);
  for (guint bar = 0; bar < usage.n_shown; bar++)
    paint_bar (cr, &usage, frame, bar);
  paint_classes (cr, &usage, frame);
  paint_words (cr, &usage, frame);
  paint_apart (cr, &usage, frame, answer);
  usage_clear (&usage);
}

/* What lies at a height of a bar; NULL in empty canvas. */
static const char *
name_at (const Usage *usage, guint bar, double up_px, double *ns)
{
  double sum = 0;
  const struct { const char *name; double ns; } rest[] = {
    { KYMO_NAME_IDLE, usage->idle[bar] },
    { usage->rest ? KYMO_NAME_REST : KYMO_NAME_OVERHEAD, usage->overhead[bar] },
    { KYMO_NAME_UNTRACED, usage->untraced[bar] },
  };

  for (guint i = 0; i < usage->series->len + G_N_ELEMENTS (rest); i++)
    {
      gboolean state = i >= usage->series->len;
      guint at = state ? i - usage->series->len : i;

      *ns = state ? rest[at].ns
                  : usage->ns[(gsize) bar * usage->series->len + i];
      sum += part_px (usage, bar, *ns);
      if (up_px < sum)
        return state ? rest[at].name
                     : g_array_index (usage->series, UsageSeries, i).name;
    }
  return NULL;
}

static char *
dup_title (const Usage *usage, guint bar)
{
  gint cluster = class_of (usage, bar);
  g_autofree char *label = bar_label (usage, bar);
  g_autofree char *name = cluster >= 0 ? kymo_class_name (cluster) : NULL;

  return name == NULL ? g_steal_pointer (&label)
         : g_strdup_printf ("%s · %s", name, label);
}

static void
describe_bar (const Usage *usage, guint bar, double up_px, KymoPlotHit *hit)
{
  double ns = 0;
  const char *name = name_at (usage, bar, up_px, &ns);
  g_autofree char *label = dup_title (usage, bar);
  g_autofree char *busy = kymo_format_percent (busy_share (usage, bar));
  guint per = bar == 0 ? usage->n_averaged
              : MIN (usage->per_bar,
                     usage->n_locations - (bar - 1) * usage->per_bar);
  g_autofree char *time = kymo_format_duration_exact (llround (ns / per));
  g_autofree char *share = kymo_format_percent (
    usage->span[bar] > 0 ? ns / usage->span[bar] : 0);

  hit->name = g_strdup (name);
  if (name != NULL)
    hit->text = g_strdup_printf (_("%s · %s busy\n%s: %s (%s)"), label, busy,
                                 name, share, time);
  else
    hit->text = g_strdup_printf (_("%s · %s busy"), label, busy);
}

static gboolean
usage_hit (const KymoTable *answer, const KymoPlotFrame *frame, double x,
           double y, KymoPlotHit *hit)
{
  Usage usage;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (!usage_init (&usage, answer, frame))
    return FALSE;
  for (guint bar = 0; bar < usage.n_shown && !found; bar++)
    {
      KymoRect rect = bar_rect (&usage, bar);

      if (!kymo_rect_contains (rect, x, y))
        continue;
      found = TRUE;
      hit->rect = rect;
      if (bar > 0)
        hit->location = kymo_table_get_int (usage.locations, "location",
                                            (bar - 1) * usage.per_bar);
      describe_bar (&usage, bar, rect.y + rect.height - y, hit);
    }
  usage_clear (&usage);
  return found;
}

static KymoQuestion *
usage_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "usage");
}

const KymoPlotClass kymo_plot_usage = {
  .id = "usage",
  .title = N_("Usage"),
  .needs = KYMO_CAN_BINNED_TIME,
  .question = usage_question,
  .paint = usage_paint,
  .hit = usage_hit,
  .inset = { 64, 26, 20, 30 },
  .has_legend = TRUE,
};
