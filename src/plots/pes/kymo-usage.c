/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer of usage as bars: their sums, their places and what they are called.
 */
#include "config.h"

#include "kymo-usage.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-order.h"
#include "kymo-session.h"
#include "kymo-time-parts.h"

#define GAP_PX KYMO_USAGE_GAP_PX
#define CAPTION_PX 16
/* A few bars are no wider than this, but in a large window, which they would leave empty: five
   fill it. */
#define MOST_SLOT_PX 96
#define MOST_SLOT_SHARE (1 / 5.0)
/* Ids of activities up to here are looked up in an array. */
#define MOST_IDS (1 << 20)

static int
compare_series (gconstpointer a, gconstpointer b)
{
  const UsageSeries *x = a, *y = b;

  KYMO_ORDER_BY (x->rank, y->rank);
  KYMO_ORDER_BY (y->ns, x->ns);
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
  guint n = usage->series->len, n_parts;

  add_column (usage, "span_ns", usage->span);
  add_column (usage, kymo_time_parts (usage->locations, &n_parts)->key, usage->work);
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

/**
 * kymo_usage_clear:
 *
 * Frees the memory of kymo_usage_init(), due also where it returned %FALSE. The answer stays.
 */
void
kymo_usage_clear (Usage *usage)
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
  guint first = KYMO_FIND_FIRST (i, 0, usage->n_locations, is_apart (usage, i));

  usage->n_averaged = first > 0 ? first : usage->n_locations;
  if (usage->n_averaged < usage->n_locations || usage->weights != NULL)
    usage->area.height -= CAPTION_PX;
}

/* The average keeps a width of its own however many locations there are. */
static void
place_bars (Usage *usage, double scale)
{
  double most_px = MAX (MOST_SLOT_PX, usage->area.width * MOST_SLOT_SHARE), rest;

  usage->average_px = floor (MIN (MAX (28, usage->area.width
                                           / (usage->n_locations + 1) * 0.76),
                                  MIN (MAX (74, usage->area.width / 16), usage->area.width / 8)));
  rest = MAX (usage->area.width - usage->average_px - GAP_PX
              - (usage->n_averaged < usage->n_locations ? GAP_PX : 0), 4);
  usage->lattice = kymo_bar_lattice (rest, usage->n_locations, most_px, scale);
  usage->per_bar = usage->lattice.per_bar;
  usage->n_bars = 1 + usage->lattice.n_bars;
  usage->first_apart = usage->n_averaged < usage->n_locations
    ? 1 + (usage->n_averaged + usage->per_bar - 1) / usage->per_bar : G_MAXUINT;
}

/** kymo_usage_init: FALSE where there is nothing to show; clear it in any case */
gboolean
kymo_usage_init (Usage *usage, const KymoTable *answer, const KymoPlotFrame *frame)
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
  place_bars (usage, frame->scale);
  collect_series (usage, kymo_table_peek_nested (usage->locations,
                                                 "activities", NULL), frame);
  usage->n_shown = usage->rest && usage->n_locations == 1 ? 1 : usage->n_bars;
  cells = (gsize) usage->n_bars * MAX (usage->series->len, 1);
  usage->ns = g_new0 (double, cells);
  usage->tells_useful = kymo_tells_useful (usage->locations);
  usage->span = g_new0 (double, usage->n_bars * 5);
  usage->work = usage->span + usage->n_bars;
  usage->idle = usage->work + usage->n_bars;
  usage->overhead = usage->idle + usage->n_bars;
  usage->untraced = usage->overhead + usage->n_bars;
  add_locations (usage);
  return TRUE;
}

/** kymo_usage_bar_rect: where a bar stands, from the axis up to 100 % */
KymoRect
kymo_usage_bar_rect (const Usage *usage, guint bar)
{
  KymoRect rect = usage->area;
  double left = rect.x + usage->average_px + GAP_PX
                + (bar >= usage->first_apart ? GAP_PX : 0);

  rect.width = usage->average_px;
  if (bar > 0)
    kymo_bar_lattice_edges (&usage->lattice, left, bar - 1, &rect.x, &rect.width);
  return rect;
}

/** kymo_usage_part_px: height of a part of a bar */
double
kymo_usage_part_px (const Usage *usage, guint bar, double ns)
{
  return usage->span[bar] > 0
         ? MAX (ns, 0) / usage->span[bar] * usage->area.height : 0;
}

/**
 * kymo_usage_share:
 *
 * Returns: the share of the traced time that the bar was busy, or useful where it runs functions;
 *   %NAN where nothing was traced
 */
double
kymo_usage_share (const Usage *usage, guint bar)
{
  double traced = usage->span[bar] - usage->untraced[bar];

  return traced > 0 ? usage->work[bar] / traced : NAN;
}

/** kymo_usage_class_of: of the first location of a bar; -1 of the average */
gint
kymo_usage_class_of (const Usage *usage, guint bar)
{
  if (bar == 0 || usage->classes == NULL)
    return -1;
  return kymo_classes_find (usage->classes, kymo_table_get_int (
    usage->locations, "location", (bar - 1) * usage->per_bar));
}

/** kymo_usage_dup_label: "PE 3", "PE 3 – PE 5"; in the order of clusters "PE 3 +2" */
char *
kymo_usage_dup_label (const Usage *usage, guint bar)
{
  guint first = (bar - 1) * usage->per_bar;
  guint last = MIN (first + usage->per_bar, usage->n_locations) - 1;
  const char *from = kymo_table_peek_label (usage->locations, "label", first);
  const char *to = kymo_table_peek_label (usage->locations, "label", last);

  if (bar == 0 && usage->n_shown == 1)
    return g_strdup (kymo_table_peek_label (usage->locations, "label", 0));
  if (bar == 0)
    return g_strdup (_("Average"));
  if (first == last)
    return g_strdup (from != NULL ? from : "");
  if (usage->classes != NULL)
    return g_strdup_printf ("%s +%u", from != NULL ? from : "", last - first);
  return g_strdup_printf ("%s – %s", from != NULL ? from : "",
                          to != NULL ? to : "");
}
