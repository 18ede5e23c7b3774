/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Icicle: the call tree from above, a node as wide as its inclusive value, its children
 * below it; what is left beside them is its own. A flame graph is the same from below. What
 * matches a search stands out, and its share is told. The node of the frame's focus has the
 * whole width, with its callers above. Of one function alone its callers stand the other way
 * round on the other side of it: those who call it next to it. What is narrower than a pixel
 * shares one with its neighbours, and what lies below it is not painted.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-call-tree.h"
#include "kymo-legend.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_icicle;

/* Rows are no higher than this, but in a large window, which a few would leave empty. */
#define MOST_PX 24
#define MOST_SHARE (1 / 16.0)
#define LEAST_PX 4
#define TEXT_PX 13
#define NOTE_PX 20

typedef struct
{
  KymoRect     area;
  KymoCallTree tree;
  guint        focus;                /* a node, or G_MAXUINT */
  double       from, length;         /* of the tree's extent, over the width */
  double       row_px, scroll_px;
  guint        above, levels;        /* levels of callers of one function, and all */
  gboolean     up;                   /* roots at the bottom */
  const gint64 *matches;             /* by node, where something is searched; or NULL */
  gboolean      known;               /* FALSE: nothing can be painted */
} Icicle;

static gboolean
icicle_init (Icicle *icicle, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *icicle = (Icicle) { kymo_plot_frame_area (&kymo_plot_icicle, frame) };
  if (!kymo_call_tree_init (&icicle->tree, answer, frame) || !(icicle->tree.total > 0)
      || icicle->area.width < 4 || icicle->area.height < LEAST_PX)
    return FALSE;
  icicle->focus = frame->focus != NULL ? kymo_call_tree_find (&icicle->tree, frame->focus)
                                       : G_MAXUINT;
  if (icicle->focus != G_MAXUINT && !(icicle->tree.extent[icicle->focus] > 0))
    icicle->focus = G_MAXUINT;
  icicle->from = icicle->focus != G_MAXUINT ? icicle->tree.begin[icicle->focus] : 0;
  icicle->length = icicle->focus != G_MAXUINT ? icicle->tree.extent[icicle->focus]
                                              : icicle->tree.total;
  for (guint i = icicle->tree.callers; i < icicle->tree.n; i++)
    icicle->above = MAX (icicle->above, icicle->tree.depth[i]);
  for (guint i = 0; i < icicle->tree.callers; i++)
    icicle->levels = MAX (icicle->levels, icicle->above + icicle->tree.depth[i] + 1);
  icicle->row_px = frame->row_px > 0 ? frame->row_px
                   : CLAMP (floor (icicle->area.height / icicle->levels), LEAST_PX,
                            MAX (MOST_PX, floor (icicle->area.height * MOST_SHARE)));
  icicle->scroll_px = MAX (frame->scroll_px, 0);
  icicle->up = g_strcmp0 (kymo_table_get_string (answer, "root", 0), "bottom") == 0;
  icicle->matches = kymo_table_peek_ints (icicle->tree.nodes, "matches", NULL);
  return TRUE;
}

static KymoRect
node_rect (const Icicle *icicle, guint node)
{
  double px = icicle->area.width / icicle->length;
  double x0 = (icicle->tree.begin[node] - icicle->from) * px;
  double x1 = x0 + icicle->tree.extent[node] * px;

  double depth = icicle->tree.depth[node];
  double y = (icicle->above + (node < icicle->tree.callers ? depth : -depth)) * icicle->row_px;
  double height = icicle->levels * icicle->row_px;

  x0 = CLAMP (x0, 0, icicle->area.width);
  x1 = CLAMP (x1, 0, icicle->area.width);
  /* Flames stand on the bottom; of those that are higher than the picture the top is
     scrolled to. */
  if (icicle->up)
    y = MAX (icicle->area.height, height) - y - icicle->row_px;
  return (KymoRect) { icicle->area.x + x0, icicle->area.y + y - icicle->scroll_px, x1 - x0,
                      icicle->row_px };
}

static gboolean
is_caller (const Icicle *icicle, guint node)
{
  return icicle->focus != G_MAXUINT && node < icicle->focus
         && icicle->tree.end[node] > icicle->focus;
}

/* The function whose callers stand on one side of it, and what it calls on the other. */
static gboolean
is_focus (const Icicle *icicle, guint node)
{
  return node == 0 && icicle->tree.callers < icicle->tree.n;
}

static void
paint_node (cairo_t *cr, const Icicle *icicle, const KymoPlotFrame *frame, guint node,
            KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const char *name = kymo_call_tree_name (&icicle->tree, node);
  KymoActivityKind kind = kymo_call_tree_kind (&icicle->tree, node);
  KymoRgba color = kymo_theme_series (frame, name, kind);
  double x = round (rect.x), end = MAX (round (rect.x + rect.width), x + 1);
  double gap = end - x >= 4 ? 1 : 0, down = rect.height >= 8 ? 1 : 0;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, end - x - gap - 8 };

  if (kymo_is_hidden (frame, name))
    return;
  kymo_fill_activity (cr, frame, name, kind,
                      (KymoRect) { x, rect.y, end - x - gap, rect.height - down });
  if (icicle->matches != NULL && icicle->matches[node] == 0)
    {
      color = kymo_rgba_mix (color, theme->canvas, 0.75);
      kymo_set_source_alpha (cr, theme->canvas, 0.75);
      cairo_rectangle (cr, x, rect.y, end - x - gap, rect.height - down);
      cairo_fill (cr);
    }
  else if (is_caller (icicle, node))
    {
      color = kymo_rgba_mix (color, theme->canvas, 0.5);
      kymo_set_source_alpha (cr, theme->canvas, 0.5);
      cairo_rectangle (cr, x, rect.y, end - x - gap, rect.height - down);
      cairo_fill (cr);
    }
  if ((g_strcmp0 (name, frame->chosen) == 0 || is_focus (icicle, node)) && end - x >= 4
      && rect.height >= 6)
    {
      kymo_set_source (cr, theme->foreground);
      cairo_set_line_width (cr, 1.5);
      cairo_rectangle (cr, x + 0.75, rect.y + 0.75, end - x - gap - 1.5,
                       rect.height - down - 1.5);
      cairo_stroke (cr);
    }
  if (style.max_px >= 22 && rect.height >= TEXT_PX)
    {
      g_autofree char *label = kymo_text_fitting_name (cr, name, style);

      if (kymo_text_can_be_read (cr, label, style))
        kymo_text_draw (cr, label, x + 4, rect.y + (rect.height - down) / 2, style,
                        kymo_rgba_text_on (color));
    }
}

/* In the order of the walk; a subtree that is too narrow, or that lies outside, is
   passed over, but leaves a trace of a pixel. */
static void
paint_nodes (cairo_t *cr, const Icicle *icicle, const KymoPlotFrame *frame)
{
  const KymoCallTree *tree = &icicle->tree;
  g_autofree int *last = g_new (int, tree->levels);

  for (guint i = 0; i < tree->levels; i++)
    last[i] = -1;
  for (guint node = 0; node < tree->n;)
    {
      KymoRect rect = node_rect (icicle, node);
      gboolean narrow = rect.width < 0.5;
      int *at = &last[tree->depth[node]];

      /* The function is painted once, as the root of what it calls. */
      for (guint i = 0; node == tree->callers && i < tree->levels; i++)
        last[i] = -1;
      if (node != tree->callers && rect.y + rect.height > icicle->area.y
          && rect.y < icicle->area.y + icicle->area.height && rect.width > 0
          && (!narrow || (int) rect.x > *at))
        {
          paint_node (cr, icicle, frame, node, rect);
          *at = MAX (*at, (int) (rect.x + MAX (rect.width, 1) - 1e-6));
        }
      node = narrow ? tree->end[node] : node + 1;
    }
}

/* "3 frames match: 12.3 % of all" */
static char *
dup_found (const KymoTable *answer)
{
  gint64 n = kymo_table_get_int (answer, "matching", 0);
  g_autofree char *count = kymo_format_count (n);
  double value = kymo_table_get_double (answer, "matching_share", 0);
  g_autofree char *share = isfinite (value) ? kymo_format_percent (value) : g_strdup ("–");

  return g_strdup_printf (ngettext ("%s frame matches: %s of all", "%s frames match: %s of all",
                                    n), count, share);
}

static void
paint_note (cairo_t *cr, const Icicle *icicle, const KymoTable *answer,
            const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = icicle->area;
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 0, area.width * 0.6 };
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, area.width * 0.38 };
  g_autofree char *words = kymo_measure_words (&icicle->tree.inclusive_words);
  g_autofree char *total = kymo_measure_format (&icicle->tree.inclusive_words,
                                                icicle->length);
  g_autofree char *width = g_strdup_printf (_("%s, full width %s"), words, total);
  double y = area.y + area.height + NOTE_PX / 2.0 + 2;
  double levels = (area.height + icicle->scroll_px) / icicle->row_px;
  const char *note = kymo_table_get_bool (answer, "cut", 0)
                     ? _("Some paths lack their beginning: the outermost callers are unknown")
                     : kymo_table_find_column (answer, "has_paths") >= 0
                       && !kymo_table_get_bool (answer, "has_paths", 0)
                     ? _("No call paths were measured: all functions stand side by side")
                     : levels + 0.5 < icicle->levels && !icicle->up
                     ? _("Deeper levels lie below") : NULL;
  g_autofree char *found = icicle->matches != NULL ? dup_found (answer) : NULL;

  if (found != NULL)
    note = found;
  else if (is_focus (icicle, 0))
    note = icicle->up ? _("below: who calls it; above: what it calls")
           : _("above: who calls it; below: what it calls");
  kymo_text_draw (cr, width, area.x + area.width, y, right, theme->secondary);
  if (note != NULL)
    kymo_text_draw (cr, note, area.x, y, left, theme->secondary);
}

static void
icicle_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Icicle *icicle = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_icicle, frame, NULL);
  if (!icicle->known)
    kymo_paint_empty (cr, frame, icicle->area, isnan (icicle->tree.total)
                      ? _("Values of this metric do not add up, so they have no widths")
                      : _("No calls to show"));
  else
    {
      cairo_save (cr);
      cairo_rectangle (cr, icicle->area.x, icicle->area.y, icicle->area.width,
                       icicle->area.height);
      cairo_clip (cr);
      paint_nodes (cr, icicle, frame);
      cairo_restore (cr);
      paint_note (cr, icicle, answer, frame);
    }
}

static gboolean
icicle_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Icicle *icicle = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (icicle->known && kymo_rect_contains (icicle->area, x, y))
    for (guint node = 0; node < icicle->tree.n && !found;)
      {
        KymoRect rect = node_rect (icicle, node);

        if (x < rect.x || x >= rect.x + rect.width)
          node = icicle->tree.end[node];
        else if (!kymo_rect_contains (rect, x, y))
          node++;
        else
          {
            found = TRUE;
            hit->rect = rect;
            kymo_call_tree_describe (&icicle->tree, node, hit);
          }
      }
  return found;
}

static GArray *
icicle_boxes (const KymoPicture *picture)
{
  const Icicle *icicle = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (icicle->known)
    for (guint node = 0; node < icicle->tree.n;)
      {
        KymoPlotBox box = { .row = node, .rect = node_rect (icicle, node) };
        gboolean narrow = box.rect.width < 1;

        if (!narrow && node != icicle->tree.callers
            && !kymo_is_hidden (frame, kymo_call_tree_name (&icicle->tree, node)))
          g_array_append_val (boxes, box);
        node = narrow ? icicle->tree.end[node] : node + 1;
      }
  return boxes;
}

static double
icicle_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_icicle, frame);
  double height = 0;
  Icicle icicle;

  if (icicle_init (&icicle, answer, frame))
    height = frame->height_px - area.height
             + icicle.levels * (frame->row_px > 0 ? frame->row_px : MOST_PX);
  kymo_call_tree_clear (&icicle.tree);
  return height;
}

static KymoQuestion *
icicle_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "calltree");
}

static gpointer
icicle_lay_out (const KymoPicture *picture)
{
  Icicle *layout = g_new0 (Icicle, 1);

  layout->known = icicle_init (layout, picture->answer, &picture->frame);
  return layout;
}

static void
icicle_layout_free (gpointer data)
{
  kymo_call_tree_clear (&((Icicle *) data)->tree);
  g_free (data);
}

/* What both pictures of a call tree have. */
#define OF_CALL_TREE                                                            \
  .needs = KYMO_CAN_METRICS, .lay_out = icicle_lay_out,                         \
  .layout_free = icicle_layout_free, .paint = icicle_paint, .hit = icicle_hit,  \
  .natural_height = icicle_natural_height, .boxes = icicle_boxes,               \
  .inset = { 16, 12, 16, NOTE_PX + 8 }

const KymoPlotClass kymo_plot_icicle = {
  .id = "icicle",
  .title = N_("Icicle"),
  OF_CALL_TREE,
  .question = icicle_question,
  .focuses = TRUE,
};

static KymoQuestion *
flame_graph_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "calltree");

  kymo_question_set (question, "root", "bottom");
  return question;
}

const KymoPlotClass kymo_plot_flame_graph = {
  .id = "flame-graph",
  .title = N_("Flame graph"),
  OF_CALL_TREE,
  .question = flame_graph_question,
};
