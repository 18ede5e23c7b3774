/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies under a point of the usage picture, in words.
 */
#include "config.h"

#include "kymo-badge.h"
#include "kymo-in-terms.h"
#include "kymo-usage.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-units.h"

/* Parts of a bar from the bottom: its series, then these. */
#define N_STATES 3

static const char *
name_of (const Usage *usage, guint bar, guint part, double *ns)
{
  const struct { const char *name; double ns; } states[N_STATES] = {
    { KYMO_NAME_IDLE, usage->idle[bar] },
    { usage->rest ? KYMO_NAME_REST : KYMO_NAME_OVERHEAD, usage->overhead[bar] },
    { KYMO_NAME_UNTRACED, usage->untraced[bar] },
  };
  guint n = usage->series->len;

  *ns = part < n ? usage->ns[(gsize) bar * n + part] : states[part - n].ns;
  return part < n ? g_array_index (usage->series, UsageSeries, part).name
                  : states[part - n].name;
}

/* What lies at a height of a bar; NULL in empty canvas. */
static const char *
name_at (const Usage *usage, guint bar, double up_px, double *ns)
{
  double sum = 0;

  for (guint part = 0; part < usage->series->len + N_STATES; part++)
    {
      const char *name = name_of (usage, bar, part, ns);

      sum += kymo_usage_part_px (usage, bar, *ns);
      if (up_px < sum)
        return name;
    }
  return NULL;
}

static char *
dup_title (const Usage *usage, guint bar)
{
  gint cluster = kymo_usage_class_of (usage, bar);
  g_autofree char *label = kymo_usage_dup_label (usage, bar);
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
  g_autofree char *work = kymo_format_percent (kymo_usage_share (usage, bar));
  guint per = bar == 0 ? usage->n_averaged
              : MIN (usage->per_bar,
                     usage->n_locations - (bar - 1) * usage->per_bar);
  g_autofree char *time = kymo_format_duration_exact (llround (ns / per));
  g_autofree char *share = kymo_format_percent (
    usage->span[bar] > 0 ? ns / usage->span[bar] : 0);

  hit->name = g_strdup (name);
  if (name != NULL)
    hit->text = g_strdup_printf (usage->tells_useful ? _("%s · %s useful\n%s: %s (%s)")
                                 : _("%s · %s busy\n%s: %s (%s)"), label, work,
                                 kymo_shown_name (name), share, time);
  else
    hit->text = g_strdup_printf (usage->tells_useful ? _("%s · %s useful") : _("%s · %s busy"),
                                 label, work);
}

/**
 * kymo_usage_hit:
 * @x: px
 * @y: px
 * @hit: (out caller-allocates): overwritten without being freed; kymo_plot_hit_clear() is due
 *
 * Finds the bar at a point and the activity at its height. The location in @hit is the first of
 * the bar, and -1 for the average.
 *
 * Returns: whether there is a bar
 */
gboolean
kymo_usage_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Usage *usage = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (!usage->known)
    return FALSE;
  for (guint bar = 0; bar < usage->n_shown && !found; bar++)
    {
      KymoRect rect = kymo_usage_bar_rect (usage, bar);

      if (!kymo_rect_contains (rect, x, y))
        continue;
      found = TRUE;
      hit->rect = rect;
      if (bar > 0)
        hit->location = kymo_table_get_int (usage->locations, "location",
                                            (bar - 1) * usage->per_bar);
      describe_bar (usage, bar, rect.y + rect.height - y, hit);
    }
  return found;
}

/* Parts that are a pixel high; a hidden one is empty canvas there. */
static void
add_parts (const Usage *usage, guint bar, GArray *boxes)
{
  KymoRect rect = kymo_usage_bar_rect (usage, bar);
  guint first = (MAX (bar, 1) - 1) * usage->per_bar;
  double y = rect.y + rect.height;

  for (guint part = 0; part < usage->series->len + N_STATES; part++)
    {
      double ns = 0;
      /* The average is no row of the list. */
      KymoPlotBox box = { .row = bar > 0 ? first : G_MAXUINT, .part = part, .stacked = TRUE,
                          .location = -1, .told = TRUE,
                          .name = name_of (usage, bar, part, &ns) };
      double height = kymo_usage_part_px (usage, bar, ns);

      y -= height;
      box.rect = (KymoRect) { rect.x, y, rect.width, height };
      box.of_location = bar > 0;
      if (bar > 0)
        box.location = kymo_table_get_int (usage->locations, "location", first);
      if (height >= 1)
        g_array_append_val (boxes, box);
    }
}

/**
 * kymo_usage_boxes:
 *
 * Returns: (transfer full): an array of #KymoPlotBox, bar after bar, from the bottom of each up,
 *   without parts lower than a pixel; a box of the average has the row %G_MAXUINT
 */
GArray *
kymo_usage_boxes (const KymoPicture *picture)
{
  const Usage *usage = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (!usage->known)
    return boxes;
  for (guint bar = 0; bar < usage->n_shown; bar++)
    add_parts (usage, bar, boxes);
  return boxes;
}

/** kymo_usage_marks: the bars of locations, or of the groups they are in */
GArray *
kymo_usage_marks (const KymoPicture *picture, const KymoIdSet *locations)
{
  const Usage *usage = picture->layout;
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (KymoRect));
  guint last = G_MAXUINT;

  if (!usage->known)
    return marks;
  for (guint i = 0; i < usage->n_locations; i++)
    {
      guint bar = i / usage->per_bar + 1;

      if (bar != last && bar < usage->n_shown
          && kymo_id_set_contains (locations, kymo_table_get_int (usage->locations,
                                                                  "location", i)))
        {
          KymoRect rect = kymo_usage_bar_rect (usage, bar);

          g_array_append_val (marks, rect);
          last = bar;
        }
    }
  return marks;
}
