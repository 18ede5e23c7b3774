/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Critical path: what is on it, as bars of their share of its length: entry methods,
 * messages, idle time and overhead, the most first.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-row-bars.h"
#include "kymo-text.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_critical_path;

#define ROW_PX 26
#define BAR_PX 16
#define HEAD_PX 30
#define LABEL_SHARE 0.3
#define LABEL_MOST_PX 320
#define FIGURES_PX 190

typedef struct
{
  const KymoTable *activities;
  GArray          *ranked;      /* KymoRanked */
  gint64           path_ns;
  KymoRect         area;
  double           label_px;
} Picture;

static void
picture_init (Picture *p, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *p = (Picture) { .activities = kymo_table_peek_nested (answer, "activities", NULL),
                   .ranked = g_array_new (FALSE, FALSE, sizeof (KymoRanked)),
                   .path_ns = kymo_table_get_int (answer, "path_ns", 0),
                   .area = kymo_plot_frame_area (&kymo_plot_critical_path, frame) };
  p->label_px = MIN (p->area.width * LABEL_SHARE, LABEL_MOST_PX);
  for (guint i = 0; p->activities != NULL && i < kymo_table_get_n_rows (p->activities); i++)
    {
      KymoRanked one = { i, kymo_table_get_int (p->activities, "path_ns", i) };

      g_array_append_val (p->ranked, one);
    }
  kymo_ranked_sort (p->ranked);
}

static double
row_y (const Picture *p, const KymoPlotFrame *frame, guint line)
{
  return p->area.y + HEAD_PX + line * ROW_PX - frame->scroll_px;
}

static KymoRect
bar_of (const Picture *p, const KymoPlotFrame *frame, guint line)
{
  const KymoRanked *one = &g_array_index (p->ranked, KymoRanked, line);
  double room = MAX (p->area.width - p->label_px - FIGURES_PX, 10);
  gint64 most = MAX (g_array_index (p->ranked, KymoRanked, 0).ns, 1);

  return (KymoRect) { p->area.x + p->label_px, row_y (p, frame, line) + (ROW_PX - BAR_PX) / 2,
                      MAX (room * one->ns / most, 1), BAR_PX };
}

static const char *
name_of (const Picture *p, guint row)
{
  return g_strcmp0 (kymo_table_get_string (p->activities, "kind", row), "message") == 0
         ? _("Messages") : kymo_table_get_string (p->activities, "name", row);
}

static void
fill_bar (cairo_t *cr, const KymoPlotFrame *frame, const Picture *p, guint row, KymoRect bar)
{
  const char *kind = kymo_table_get_string (p->activities, "kind", row);

  if (g_strcmp0 (kind, "message") != 0)
    {
      kymo_fill_activity (cr, frame, kymo_table_get_string (p->activities, "name", row),
                          kymo_activity_kind (kind), bar);
      return;
    }
  kymo_set_source (cr, kymo_theme_get (frame->look)->accent);
  cairo_rectangle (cr, bar.x, bar.y, bar.width, bar.height);
  cairo_fill (cr);
}

static void
paint_line (cairo_t *cr, const KymoPlotFrame *frame, const Picture *p, guint line)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const KymoRanked *one = &g_array_index (p->ranked, KymoRanked, line);
  KymoRect bar = bar_of (p, frame, line);
  double y = bar.y + bar.height / 2;
  g_autofree char *time = kymo_format_duration (one->ns);
  g_autofree char *share = kymo_format_percent ((double) one->ns / MAX (p->path_ns, 1));
  g_autofree char *steps = kymo_words_steps (kymo_table_get_int (p->activities, "steps",
                                                                 one->row));
  g_autofree char *words = g_strdup_printf (_("%s · %s · %s"), share, time, steps);

  kymo_text_draw (cr, name_of (p, one->row), bar.x - 8, y,
                  (KymoTextStyle) { KYMO_TEXT_NORMAL, FALSE, 1, p->label_px - 12 },
                  theme->foreground);
  fill_bar (cr, frame, p, one->row, bar);
  kymo_text_draw (cr, words, bar.x + bar.width + 8, y,
                  (KymoTextStyle) { KYMO_TEXT_SMALL, FALSE, 0, 0 }, theme->secondary);
}

static void
path_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Picture *p = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  g_autofree char *length = NULL, *messages = NULL, *words = NULL;

  kymo_decor_paint (cr, &kymo_plot_critical_path, frame, NULL);
  if (p->ranked->len == 0)
    kymo_paint_empty (cr, frame, p->area, _("No blocks in this range"));
  else
    {
      length = kymo_format_duration (p->path_ns);
      messages = kymo_words_messages (kymo_table_get_int (answer, "messages", 0));
      words = g_strdup_printf (_("The path takes %s, over %s"), length, messages);
      cairo_save (cr);
      cairo_rectangle (cr, p->area.x, p->area.y, p->area.width, p->area.height);
      cairo_clip (cr);
      kymo_text_draw (cr, words, p->area.x + p->label_px,
                      p->area.y + HEAD_PX / 2 - frame->scroll_px,
                      (KymoTextStyle) { KYMO_TEXT_NORMAL, TRUE, 0, 0 },
                      kymo_theme_get (frame->look)->foreground);
      for (guint i = 0; i < p->ranked->len; i++)
        paint_line (cr, frame, p, i);
      cairo_restore (cr);
    }
}

/* "Messages\n1.13 s, 55.2 % of the path, 25 steps" */
static char *
describe_critical_path (const Picture *p, guint line)
{
  const KymoRanked *one = &g_array_index (p->ranked, KymoRanked, line);
  gint64 n = kymo_table_get_int (p->activities, "steps", one->row);
  g_autofree char *time = kymo_format_duration (one->ns);
  g_autofree char *share = kymo_format_percent ((double) one->ns / MAX (p->path_ns, 1));
  g_autofree char *steps = kymo_format_count (n);

  /* Translators: a name, a duration, a share as "12 %" and a count. */
  return g_strdup_printf (ngettext ("%s\n%s, %s of the path, %s step",
                                    "%s\n%s, %s of the path, %s steps", n),
                          name_of (p, one->row), time, share, steps);
}

static gboolean
path_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Picture *p = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  for (guint i = 0; i < p->ranked->len && !found; i++)
    {
      guint row = g_array_index (p->ranked, KymoRanked, i).row;
      KymoRect line = { p->area.x, row_y (p, frame, i), p->area.width, ROW_PX };

      if (!kymo_rect_contains (line, x, y))
        continue;
      hit->name = g_strdup (kymo_table_get_string (p->activities, "name", row));
      hit->text = describe_critical_path (p, i);
      hit->rect = bar_of (p, frame, i);
      found = TRUE;
    }
  return found;
}

static GArray *
path_boxes (const KymoPicture *picture)
{
  const Picture *p = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  for (guint i = 0; i < p->ranked->len; i++)
    {
      guint row = g_array_index (p->ranked, KymoRanked, i).row;
      KymoPlotBox box = { .row = row, .rect = bar_of (p, frame, i), .location = -1, .told = TRUE,
                          .name = kymo_table_get_string (p->activities, "name", row) };

      g_array_append_val (boxes, box);
    }
  return boxes;
}

static double
path_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *activities = kymo_table_peek_nested (answer, "activities", NULL);
  KymoRect decor = kymo_decor_inset (&kymo_plot_critical_path, frame);
  guint n = activities != NULL ? kymo_table_get_n_rows (activities) : 0;

  return kymo_plot_critical_path.inset.y + kymo_plot_critical_path.inset.height + decor.y
         + decor.height + HEAD_PX + n * ROW_PX;
}

static KymoQuestion *
path_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "critical-path");
}

static gpointer
critical_path_lay_out (const KymoPicture *picture)
{
  Picture *layout = g_new0 (Picture, 1);

  picture_init (layout, picture->answer, &picture->frame);
  return layout;
}

static void
critical_path_layout_free (gpointer data)
{
  g_array_unref (((Picture *) data)->ranked);
  g_free (data);
}

const KymoPlotClass kymo_plot_critical_path = {
  .id = "critical-path",
  .title = N_("Critical Path"),
  .needs = KYMO_CAN_INTERVALS | KYMO_CAN_MESSAGES,
  .question = path_question,
  .lay_out = critical_path_lay_out,
  .layout_free = critical_path_layout_free,
  .paint = path_paint,
  .hit = path_hit,
  .boxes = path_boxes,
  .natural_height = path_natural_height,
  .inset = { 16, 4, 20, 8 },
};
