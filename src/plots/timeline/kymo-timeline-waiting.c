/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a row waits for others: its cells turn pale there, with a hatch where there
 * is room for one. A row of several locations turns as pale as the part of them that
 * waits, and is hatched where at least half of them do. Of an answer that has "waits".
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-timeline.h"

#define PALE 0.5
#define HATCH 0.55
/* Number of steps of a share. */
#define LEVELS 8
/* A smaller stretch is pale alone. */
#define HATCH_LEAST_PX 8

/* The columns of the table "waits", in order of rows. */
typedef struct
{
  guint         n;
  const gint64 *row, *x0, *x1, *kind;
  const double *share;
} Waits;

static gboolean
read_waits (const KymoTable *answer, Waits *waits)
{
  KymoTable *table = kymo_table_peek_nested (answer, "waits", NULL);

  if (table == NULL)
    return FALSE;
  waits->n = kymo_table_get_n_rows (table);
  waits->row = kymo_table_peek_ints (table, "row", NULL);
  waits->x0 = kymo_table_peek_ints (table, "x0", NULL);
  waits->x1 = kymo_table_peek_ints (table, "x1", NULL);
  waits->kind = kymo_table_peek_ints (table, "kind", NULL);
  waits->share = kymo_table_peek_doubles (table, "share", NULL);
  return waits->n > 0 && waits->row != NULL && waits->x0 != NULL
         && waits->x1 != NULL && waits->kind != NULL && waits->share != NULL;
}

/* The first of a row, or of one after it. */
static guint
first_of (const Waits *waits, gint64 row)
{
  return KYMO_FIND_FIRST (i, 0, waits->n, waits->row[i] >= row);
}

static KymoRect
rect_of (const KymoTimeline *timeline, const Waits *waits, guint i)
{
  KymoRect area = timeline->area;
  guint row = waits->row[i];
  double x0 = MAX (kymo_timeline_x (timeline, waits->x0[i]), area.x);
  double x1 = MIN (kymo_timeline_x (timeline, waits->x1[i]),
                   area.x + area.width);

  return (KymoRect) { x0, kymo_timeline_row_y (timeline, row), MAX (x1 - x0, 0),
                      kymo_timeline_cells_px (timeline, row) };
}

static gboolean
has_hatch (KymoRect rect)
{
  return rect.width >= HATCH_LEAST_PX && rect.height >= HATCH_LEAST_PX;
}

/* All that are equally pale in one go, for parts of them may touch. */
static void
paint_pale (cairo_t *cr, const KymoTimeline *timeline, const Waits *waits,
            guint from, guint to, guint level)
{
  for (guint i = from; i < to; i++)
    if ((guint) (waits->share[i] * LEVELS + 0.5) == level)
      {
        KymoRect rect = rect_of (timeline, waits, i);

        cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
      }
  kymo_set_source_alpha (cr, timeline->theme->canvas, PALE * level / LEVELS);
  cairo_fill (cr);
}

/** kymo_timeline_paint_waiting: over the cells */
void
kymo_timeline_paint_waiting (cairo_t *cr, const KymoTimeline *timeline,
                             const KymoTable *answer)
{
  Waits waits;
  guint first, end, from, to;

  if (!read_waits (answer, &waits))
    return;
  kymo_timeline_visible (timeline, &first, &end);
  from = first_of (&waits, first);
  to = first_of (&waits, end);
  for (guint level = 1; level <= LEVELS; level++)
    paint_pale (cr, timeline, &waits, from, to, level);
  for (guint i = from; i < to; i++)
    {
      KymoRect rect = rect_of (timeline, &waits, i);

      if (has_hatch (rect) && waits.share[i] >= 0.5)
        kymo_hatch_path (cr, rect);
    }
  kymo_set_source_alpha (cr, timeline->theme->foreground, HATCH);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/**
 * kymo_timeline_waiting_at:
 * @column: of the answer
 * @share: (out): what part of the row's locations waits there, about
 *
 * Returns: (nullable): what kind of waiting is there, in words
 */
const char *
kymo_timeline_waiting_at (const KymoTable *answer, guint row, double column,
                          double *share)
{
  KymoTable *kinds = kymo_table_peek_nested (answer, "wait_kinds", NULL);
  Waits waits;

  if (kinds == NULL || !read_waits (answer, &waits))
    return NULL;
  for (guint i = first_of (&waits, row); i < waits.n && waits.row[i] == row; i++)
    if (column >= waits.x0[i] && column < waits.x1[i] && waits.kind[i] >= 0)
      {
        *share = waits.share[i];
        return kymo_table_get_string (kinds, "kind", waits.kind[i]);
      }
  return NULL;
}

/**
 * kymo_timeline_get_pale:
 * @column: of the answer
 *
 * Returns: how much of the canvas covers the cells there, 0 to 1
 */
double
kymo_timeline_get_pale (const KymoTable *answer, guint row, double column)
{
  double share = 0;

  return kymo_timeline_waiting_at (answer, row, column, &share) != NULL ? PALE * share : 0;
}
