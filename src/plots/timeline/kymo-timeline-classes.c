/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows in the order of clusters: a band of the cluster's colour beside each,
 * and a line between two clusters. A row of several locations goes by its
 * first one.
 */
#include "config.h"

#include <math.h>

#include "kymo-badge.h"
#include "kymo-session.h"
#include "kymo-text.h"
#include "kymo-timeline.h"

#define BAND_PX 4
/* From the band to the bars. */
#define GAP_PX 2
/* Lines that are nearer to each other would hide what is between them. */
#define LEAST_APART_PX 5

/** kymo_timeline_is_merged: of a row of the answer, folded or of as many as fit */
gboolean
kymo_timeline_is_merged (const KymoTimeline *timeline, gint64 location)
{
  const guint *offsets = NULL;

  kymo_table_peek_nested (timeline->rows, "locations", &offsets);
  for (guint row = 0; offsets != NULL && row < timeline->n_rows; row++)
    if (offsets[row] < offsets[row + 1] && kymo_timeline_location (timeline, row) == location)
      return offsets[row + 1] - offsets[row] > 1;
  return FALSE;
}

/**
 * kymo_timeline_location:
 * @row: of the answer
 *
 * Returns: id of the first location of the row; -1 where the answer does not tell
 */
gint64
kymo_timeline_location (const KymoTimeline *timeline, guint row)
{
  const guint *offsets = NULL;
  KymoTable *list = kymo_table_peek_nested (timeline->rows, "locations",
                                            &offsets);
  const gint64 *ids;

  if (list == NULL || offsets == NULL || row >= timeline->n_rows
      || offsets[row] >= offsets[row + 1])
    return -1;
  ids = kymo_table_peek_ints (list, kymo_table_get_column_name (list, 0),
                              NULL);
  return ids != NULL ? ids[offsets[row]] : -1;
}

static gint
class_of (const KymoTimeline *timeline, guint row)
{
  return kymo_classes_find (timeline->frame->classes,
                            kymo_timeline_location (timeline, row));
}

/**
 * kymo_timeline_dup_label:
 * @row: of the answer
 *
 * Returns: (transfer full): the row's label; where rows are in the order of clusters, with the
 *   cluster of its first location in front: "Cluster 2 · PE 17"
 */
char *
kymo_timeline_dup_label (const KymoTimeline *timeline, guint row)
{
  const char *label = kymo_table_peek_label (timeline->rows, "label", row);
  gint cluster = timeline->frame->classes != NULL
                 ? class_of (timeline, row) : -1;
  g_autofree char *name = NULL;

  if (cluster < 0)
    return g_strdup (label != NULL ? label : "");
  name = kymo_class_name (cluster);
  return g_strdup_printf ("%s · %s", name, label != NULL ? label : "");
}

/* Where a row begins, without the gap above its bar. */
static double
edge_of (const KymoTimeline *timeline, guint row)
{
  return timeline->area.y
         + ((double) timeline->first_row + row) * timeline->row_px
         - timeline->frame->scroll_px;
}

static void
paint_band (cairo_t *cr, const KymoTimeline *timeline, gint cluster,
            double top, double bottom)
{
  KymoRect area = timeline->area;

  if (cluster < 0)
    return;
  kymo_set_source (cr, kymo_class_color (timeline->frame->look, cluster));
  cairo_rectangle (cr, area.x - GAP_PX - BAND_PX, round (top), BAND_PX,
                   MAX (round (bottom) - round (top), 1));
  cairo_fill (cr);
}

static void
paint_line (cairo_t *cr, const KymoTimeline *timeline, double y)
{
  KymoRect area = timeline->area;

  kymo_set_source (cr, timeline->theme->axis);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, 12, floor (y) + 0.5, area.x + area.width, floor (y) + 0.5);
  cairo_stroke (cr);
}

/**
 * kymo_timeline_paint_classes:
 *
 * Nothing where rows are in their own order.
 */
void
kymo_timeline_paint_classes (cairo_t *cr, const KymoTimeline *timeline)
{
  KymoRect area = timeline->area;
  double last_line = -G_MAXDOUBLE;
  guint first, end;

  if (timeline->frame->classes == NULL)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, 0, area.y, area.x + area.width, area.height);
  cairo_clip (cr);
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first, next; row < end; row = next)
    {
      gint cluster = class_of (timeline, row);
      double top = edge_of (timeline, row);

      for (next = row + 1; next < end && class_of (timeline, next) == cluster;)
        next++;
      paint_band (cr, timeline, cluster, top, edge_of (timeline, next));
      if (row == first || top - last_line < LEAST_APART_PX)
        continue;
      paint_line (cr, timeline, top);
      last_line = top;
    }
  cairo_restore (cr);
}
