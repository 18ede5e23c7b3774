/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-graph-layout.h.
 */
#include "config.h"

#include "kymo-graph-layout.h"

#include <math.h>
#include <stdlib.h>

#define SWEEPS 6

typedef struct
{
  KymoGraphBox        *boxes;
  guint                n_boxes, n_layers;
  const KymoGraphLine *lines;
  guint                n_lines;
  double               width, gap;
  guint               *order;        /* boxes by layer, from the left */
  guint               *first;        /* n_layers + 1: into order */
  double              *wanted;       /* by box */
} Layout;

/* Boxes by layer, each layer in the order of the boxes. */
static void
fill_layers (Layout *l)
{
  g_autofree guint *next = NULL;

  for (guint i = 0; i < l->n_boxes; i++)
    l->n_layers = MAX (l->n_layers, l->boxes[i].layer + 1);
  l->first = g_new0 (guint, l->n_layers + 1);
  l->order = g_new (guint, l->n_boxes);
  for (guint i = 0; i < l->n_boxes; i++)
    l->first[l->boxes[i].layer + 1]++;
  for (guint i = 0; i < l->n_layers; i++)
    l->first[i + 1] += l->first[i];
  next = g_memdup2 (l->first, (l->n_layers + 1) * sizeof *next);
  for (guint i = 0; i < l->n_boxes; i++)
    l->order[next[l->boxes[i].layer]++] = i;
}

/* Where a layer is wider than there is room its boxes are narrower; what all have alike
   of their width they keep, while that fits. */
static void
fit_widths (Layout *l)
{
  for (guint layer = 0; layer < l->n_layers; layer++)
    {
      guint n = l->first[layer + 1] - l->first[layer];
      double sum = 0, least = INFINITY, room = l->width - (n > 0 ? (n - 1) * l->gap : 0);

      for (guint i = l->first[layer]; i < l->first[layer + 1]; i++)
        {
          sum += l->boxes[l->order[i]].width;
          least = MIN (least, l->boxes[l->order[i]].width);
        }
      if (sum <= room || sum <= 0)
        continue;
      room = MAX (room, 1);
      least = MIN (least, room / n);
      for (guint i = l->first[layer]; i < l->first[layer + 1]; i++)
        {
          double *width = &l->boxes[l->order[i]].width;

          *width = least + (sum > n * least
                            ? (*width - least) * (room - n * least) / (sum - n * least) : 0);
        }
    }
}

/* Where each box would like to be: at the weighted mean of those that it is connected
   with above (or below, or both). */
static void
find_wishes (Layout *l, gboolean above, gboolean below)
{
  g_autofree double *weights = g_new0 (double, l->n_boxes);

  for (guint i = 0; i < l->n_boxes; i++)
    l->wanted[i] = 0;
  for (guint i = 0; i < l->n_lines; i++)
    {
      const KymoGraphLine *line = &l->lines[i];
      guint up = line->from, down = line->to;
      double weight = MAX (line->weight, 1e-9);

      if (l->boxes[up].layer == l->boxes[down].layer)
        continue;
      if (l->boxes[up].layer > l->boxes[down].layer)
        {
          up = line->to;
          down = line->from;
        }
      if (above)
        {
          l->wanted[down] += l->boxes[up].x * weight;
          weights[down] += weight;
        }
      if (below)
        {
          l->wanted[up] += l->boxes[down].x * weight;
          weights[up] += weight;
        }
    }
  for (guint i = 0; i < l->n_boxes; i++)
    l->wanted[i] = weights[i] > 0 ? l->wanted[i] / weights[i] : l->boxes[i].x;
}

static int
compare_wishes (gconstpointer a, gconstpointer b, gpointer data)
{
  const Layout *l = data;
  guint x = *(const guint *) a, y = *(const guint *) b;

  if (l->wanted[x] != l->wanted[y])
    return l->wanted[x] < l->wanted[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

/** Block: neighbours that touch, with the mean of their wishes */
typedef struct
{
  double mean;
  guint  n;
} Block;

/* Isotonic regression of the wishes, less what lies to the left of each box. */
static void
place_layer (Layout *l, guint layer)
{
  guint first = l->first[layer], n = l->first[layer + 1] - first, n_blocks = 0, at = 0;
  g_autofree Block *blocks = g_new (Block, MAX (n, 1));
  g_autofree double *left = g_new (double, MAX (n, 1));
  double used = 0;

  for (guint i = 0; i < n; i++)
    {
      const KymoGraphBox *box = &l->boxes[l->order[first + i]];

      left[i] = used + box->width / 2;
      used += box->width + l->gap;
      blocks[n_blocks++] = (Block) { l->wanted[l->order[first + i]] - left[i], 1 };
      while (n_blocks > 1 && blocks[n_blocks - 2].mean > blocks[n_blocks - 1].mean)
        {
          Block *a = &blocks[n_blocks - 2], *b = &blocks[n_blocks - 1];

          a->mean = (a->mean * a->n + b->mean * b->n) / (a->n + b->n);
          a->n += b->n;
          n_blocks--;
        }
    }
  for (guint b = 0; b < n_blocks; b++)
    for (guint i = 0; i < blocks[b].n; i++, at++)
      l->boxes[l->order[first + at]].x
        = CLAMP (blocks[b].mean, 0, MAX (l->width - (used - l->gap), 0)) + left[at];
}

/**
 * kymo_graph_layout:
 * @boxes: (inout): layers and widths in, places out
 * @width: room; places are from 0 to it
 * @gap: at least so much between neighbours
 */
void
kymo_graph_layout (KymoGraphBox *boxes, guint n_boxes, const KymoGraphLine *lines,
                   guint n_lines, double width, double gap)
{
  Layout l = { .boxes = boxes, .n_boxes = n_boxes, .lines = lines, .n_lines = n_lines,
               .width = width, .gap = gap };

  if (n_boxes == 0)
    return;
  fill_layers (&l);
  fit_widths (&l);
  l.wanted = g_new0 (double, n_boxes);
  for (guint i = 0; i < n_boxes; i++)
    l.wanted[i] = boxes[i].x = width / 2;
  for (guint layer = 0; layer < l.n_layers; layer++)
    place_layer (&l, layer);
  for (guint sweep = 0; sweep < SWEEPS; sweep++)
    for (guint i = 0; i < l.n_layers; i++)
      {
        guint layer = sweep % 2 == 0 ? i : l.n_layers - 1 - i;
        gboolean last = sweep + 2 >= SWEEPS;

        find_wishes (&l, last || sweep % 2 == 0, last || sweep % 2 == 1);
        if (!last)
          g_qsort_with_data (l.order + l.first[layer], l.first[layer + 1] - l.first[layer],
                             sizeof *l.order, compare_wishes, &l);
        place_layer (&l, layer);
      }
  g_free (l.order);
  g_free (l.first);
  g_free (l.wanted);
}
