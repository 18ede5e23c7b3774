/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call tree as a picture of a table: names indented by their depth, a bar of the inclusive
 * value, in it the node's own, and the figures. Where there is not room for all, those
 * with the largest inclusive values are shown; a caller has no less than what it calls,
 * so it is never missing.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-call-tree.h"
#include "kymo-in-terms.h"
#include "kymo-ledger.h"
#include "kymo-legend.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_call_tree;

#define ROW_PX 21
#define INDENT_PX 14
/* Deeper nodes are indented no further than so much of the name's room. */
#define MOST_INDENT 0.6
#define N_COLUMNS 4

typedef struct
{
  KymoCallTree  tree;
  KymoLedger    ledger;
  guint        *nodes;               /* those with a line, in the order of the walk */
  const char   *titles[N_COLUMNS + 1];
  gboolean      known;               /* FALSE: nothing can be painted */
} Picture;

static int
compare_nodes (const void *a, const void *b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

/* Puts a node among the chosen ones, the largest first; a caller comes before what it
   calls, where they have the same. Returns how many there are then, `most` at most. */
static guint
insert_node (const KymoCallTree *tree, guint *chosen, guint n, guint most, guint node)
{
  guint at = n;

  if (n == most && tree->extent[chosen[n - 1]] >= tree->extent[node])
    return n;
  while (at > 0 && tree->extent[chosen[at - 1]] < tree->extent[node])
    at--;
  memmove (chosen + at + 1, chosen + at, (MIN (n, most - 1) - at) * sizeof *chosen);
  chosen[at] = node;
  return MIN (n + 1, most);
}

/* The `most` nodes with the largest values, in the order of the walk. */
static guint *
choose_nodes (const KymoCallTree *tree, guint most)
{
  guint *chosen = g_new (guint, MAX (MIN (most, tree->n), 1)), n = 0;

  for (guint i = 0; i < tree->n && most >= tree->n; i++)
    chosen[i] = i;
  if (most == 0 || most >= tree->n)
    return chosen;
  for (guint i = 0; i < tree->n; i++)
    n = insert_node (tree, chosen, n, most, i);
  qsort (chosen, n, sizeof *chosen, compare_nodes);
  return chosen;
}

static gboolean
call_tree_init (Picture *p, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_call_tree, frame);

  *p = (Picture) { .titles = { _("Inclusive"), _("Exclusive"), _("Calls"), _("Share") } };
  p->ledger.area = area;
  if (!kymo_call_tree_init (&p->tree, answer, frame))
    return FALSE;
  kymo_ledger_init (&p->ledger, frame, area, ROW_PX, p->tree.n, p->titles, TRUE);
  /* What is scrolled has all its lines. */
  p->nodes = choose_nodes (&p->tree, frame->row_px > 0 ? p->tree.n : p->ledger.shown);
  return TRUE;
}

static void
call_tree_clear (Picture *p)
{
  kymo_call_tree_clear (&p->tree);
  g_clear_pointer (&p->nodes, g_free);
}

static void
paint_bar (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame, guint node, KymoRect bar)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const char *name = kymo_call_tree_name (&p->tree, node);
  KymoActivityKind kind = kymo_call_tree_kind (&p->tree, node);
  KymoRgba color = kymo_theme_series (frame, name, kind);
  double px = p->tree.total > 0 ? bar.width / p->tree.total : 0;
  /* Of callers it is not known. */
  double own = isfinite (p->tree.exclusive[node]) ? p->tree.exclusive[node] * px : 0;

  if (bar.width <= 0 || px <= 0)
    return;
  kymo_set_source (cr, kymo_rgba_mix (color, theme->canvas, 0.55));
  cairo_rectangle (cr, bar.x, bar.y, MAX (p->tree.extent[node] * px, 1), bar.height);
  cairo_fill (cr);
  kymo_fill_activity (cr, frame, name, kind,
                      (KymoRect) { bar.x, bar.y, MIN (own, bar.width), bar.height });
}

/* A light line down from each caller in sight. */
static void
paint_guides (cairo_t *cr, const KymoPlotFrame *frame, KymoRect rect, double indent)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  kymo_set_source (cr, theme->grid);
  cairo_set_line_width (cr, 1);
  for (double x = INDENT_PX; x <= indent + 0.5; x += INDENT_PX)
    kymo_line (cr, rect.x + x - INDENT_PX + 4, rect.y, rect.x + x - INDENT_PX + 4,
               rect.y + rect.height);
  cairo_stroke (cr);
}

static void
paint_line (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame, guint line)
{
  guint node = p->nodes[line];
  double room = (p->ledger.name_end - p->ledger.area.x) * MOST_INDENT;
  double indent = MIN (p->tree.depth[node] * INDENT_PX, floor (room / INDENT_PX) * INDENT_PX);
  KymoMeasure count = { .kind = KYMO_UNIT_COUNT, .factor = 1, .unit = "" };
  g_auto (GStrv) strings = g_new0 (char *, N_COLUMNS + 1);

  strings[0] = kymo_measure_format (&p->tree.inclusive_words, p->tree.inclusive[node]);
  strings[1] = kymo_measure_format (&p->tree.exclusive_words, p->tree.exclusive[node]);
  strings[2] = p->tree.calls != NULL ? kymo_measure_format (&count, p->tree.calls[node])
                                     : g_strdup ("");
  strings[3] = kymo_format_percent (p->tree.total > 0 ? p->tree.inclusive[node] / p->tree.total
                                                      : NAN);
  paint_guides (cr, frame, kymo_ledger_rect (&p->ledger, line), indent);
  paint_bar (cr, p, frame, node, kymo_ledger_bar (&p->ledger, line));
  kymo_ledger_line (cr, &p->ledger, frame, line, indent,
                     kymo_call_tree_name (&p->tree, node),
                     node == p->tree.callers ? _("called by")
                     : kymo_flags_mark (kymo_call_tree_flags (&p->tree, node),
                                        kymo_call_tree_name (&p->tree, node)), strings);
}

static void
call_tree_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Picture *p = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_call_tree, frame, NULL);
  if (!p->known)
    kymo_paint_empty (cr, frame, p->ledger.area, _("No calls to show"));
  else
    {
      g_autofree char *words = kymo_measure_words (&p->tree.inclusive_words);

      kymo_ledger_head (cr, &p->ledger, frame, _("Call path"), words);
      for (guint i = 0; i < p->ledger.shown; i++)
        paint_line (cr, p, frame, p->ledger.first + i);
      kymo_ledger_more (cr, &p->ledger, frame,
                         p->tree.n - p->ledger.first - p->ledger.shown);
    }
}

static gboolean
call_tree_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Picture *p = picture->layout;
  guint line = G_MAXUINT;

  kymo_hit_init (hit);
  if (p->known)
    line = kymo_ledger_at (&p->ledger, x, y);
  if (line != G_MAXUINT)
    {
      hit->rect = kymo_ledger_rect (&p->ledger, line);
      kymo_call_tree_describe (&p->tree, p->nodes[line], hit);
    }
  return line != G_MAXUINT;
}

static double
call_tree_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *nodes = kymo_table_peek_nested (answer, "nodes", NULL);

  return kymo_ledger_height (nodes != NULL ? kymo_table_get_n_rows (nodes) : 0, ROW_PX,
                              &kymo_plot_call_tree, frame);
}

static KymoQuestion *
call_tree_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "calltree");
}

KYMO_DEFINE_LAYOUT (call_tree, Picture, call_tree_init, call_tree_clear)

const KymoPlotClass kymo_plot_call_tree = {
  .id = "calltree",
  .title = N_("Call tree"),
  .needs = KYMO_CAN_METRICS,
  .question = call_tree_question,
  .lay_out = call_tree_lay_out,
  .layout_free = call_tree_layout_free,
  .paint = call_tree_paint,
  .hit = call_tree_hit,
  .natural_height = call_tree_natural_height,
  .inset = { 16, 4, 20, 8 },
};
