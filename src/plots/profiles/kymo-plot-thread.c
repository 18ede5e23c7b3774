/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of one thread, or of a statistic over all, as a picture of a table: by
 * exclusive value, with a bar of it within the inclusive one. What a profile of functions
 * by metric looks like wherever a list is no use.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-flag-words.h"
#include "kymo-function-list.h"
#include "kymo-ledger.h"
#include "kymo-legend.h"
#include "kymo-measure.h"
#include "kymo-plot-terms.h"
#include "kymo-units.h"

#define ROW_PX 24
#define N_COLUMNS 6

typedef struct
{
  const char *name, *flags;          /* of the answer */
  KymoActivityKind kind;
  double      exclusive, inclusive, calls, share;
} Line;

typedef struct
{
  KymoLedger  ledger;
  KymoMeasure exclusive, inclusive;
  GArray     *lines;
  double      longest;
  const char *titles[N_COLUMNS + 1];
} Picture;

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *x = a, *y = b;

  if (x->exclusive != y->exclusive)
    return x->exclusive > y->exclusive ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

/* A figure of a row: a number, or of an object over locations their total. */
static double
figure (const KymoTable *table, const char *key, guint row)
{
  const guint *offsets = NULL;
  KymoTable *object = kymo_table_peek_nested (table, key, &offsets);

  if (object == NULL)
    return kymo_table_get_double (table, key, row);
  return offsets[row] < offsets[row + 1] ? kymo_table_get_double (object, "total", offsets[row])
                                         : NAN;
}

static GArray *
make_lines (const KymoTable *table, const KymoPlotFrame *frame, gboolean additive,
            double *longest)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  double sum = 0;

  for (guint i = 0; table != NULL && i < kymo_table_get_n_rows (table); i++)
    {
      const char *shown = kymo_table_get_string (table, "shown", i);
      Line line = { shown != NULL ? shown : kymo_table_get_string (table, "name", i),
                    kymo_table_find_column (table, "flags") >= 0
                    ? kymo_table_get_string (table, "flags", i) : NULL,
                    kymo_activity_kind (kymo_table_get_string (table, "kind", i)),
                    figure (table, "exclusive", i), figure (table, "inclusive", i),
                    figure (table, "calls", i) };

      if (line.name == NULL || !isfinite (line.exclusive))
        continue;
      sum += additive ? MAX (line.exclusive, 0) : 0;
      if (kymo_is_hidden (frame, line.name))
        continue;
      *longest = MAX (*longest, MAX (line.exclusive,
                                     isfinite (line.inclusive) ? line.inclusive : 0));
      g_array_append_val (lines, line);
    }
  for (guint i = 0; i < lines->len; i++)
    {
      Line *line = &g_array_index (lines, Line, i);

      line->share = sum > 0 ? line->exclusive / sum : NAN;
    }
  g_array_sort (lines, compare_lines);
  return lines;
}

static gboolean
init (Picture *p, const KymoTable *answer, const KymoPlotFrame *frame,
      const KymoPlotClass *klass)
{
  KymoRect area = kymo_plot_frame_area (klass, frame);
  KymoTable *table = kymo_table_peek_nested (answer, "functions", NULL);

  *p = (Picture) { .titles = { _("Exclusive"), _("Share"), _("Inclusive"), _("Calls"),
                               _("Excl. per call"), _("Incl. per call") } };
  if (table == NULL)
    table = kymo_table_peek_nested (answer, "activities", NULL);
  p->lines = make_lines (table, frame, kymo_table_find_column (answer, "additive") < 0
                         || kymo_table_get_bool (answer, "additive", 0), &p->longest);
  kymo_measure_init (&p->exclusive, answer, frame, "exclusive");
  kymo_measure_init (&p->inclusive, answer, frame, "inclusive");
  kymo_ledger_init (&p->ledger, frame, area, ROW_PX, p->lines->len, p->titles, TRUE);
  return p->lines->len > 0;
}

static void
clear (Picture *p)
{
  g_clear_pointer (&p->lines, g_array_unref);
}

static const Line *
line_of (const Picture *p, guint line)
{
  return &g_array_index (p->lines, Line, line);
}

static void
paint_bar (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame, const Line *line,
           KymoRect bar)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRgba color = kymo_theme_series (frame, line->name, line->kind);
  double px = p->longest > 0 ? bar.width / p->longest : 0;

  if (bar.width <= 0)
    return;
  if (line->inclusive > line->exclusive)
    {
      kymo_set_source (cr, kymo_rgba_mix (color, theme->canvas, 0.7));
      cairo_rectangle (cr, bar.x, bar.y, line->inclusive * px, bar.height);
      cairo_fill (cr);
    }
  kymo_fill_activity (cr, frame, line->name, line->kind,
                      (KymoRect) { bar.x, bar.y, MAX (line->exclusive * px, 1), bar.height });
}

static void
paint_line (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame, guint at)
{
  const Line *line = line_of (p, at);
  KymoMeasure count = { .kind = KYMO_UNIT_COUNT, .factor = 1, .unit = "" };
  g_auto (GStrv) strings = g_new0 (char *, N_COLUMNS + 1);
  double calls = line->calls > 0 ? line->calls : NAN;

  strings[0] = kymo_measure_format (&p->exclusive, line->exclusive);
  strings[1] = kymo_format_percent (line->share);
  strings[2] = kymo_measure_format (&p->inclusive, line->inclusive);
  strings[3] = kymo_measure_format (&count, line->calls);
  strings[4] = kymo_measure_format (&p->exclusive, line->exclusive / calls);
  strings[5] = kymo_measure_format (&p->inclusive, line->inclusive / calls);
  paint_bar (cr, p, frame, line, kymo_ledger_bar (&p->ledger, at));
  kymo_ledger_line (cr, &p->ledger, frame, at, 0, line->name,
                    kymo_flags_mark (line->flags, line->name), strings);
}

/**
 * kymo_function_list_paint:
 * @answer: with "functions" or "activities", and the metric
 * @klass: the picture it is for
 *
 * Paints the whole picture, decoration included: a line for each function in sight, the largest
 * exclusive value first, without hidden functions; or a sentence where there is none.
 */
void
kymo_function_list_paint (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame,
                          const KymoPlotClass *klass)
{
  Picture p;

  kymo_decor_paint (cr, klass, frame, NULL);
  if (!init (&p, answer, frame, klass))
    kymo_paint_empty (cr, frame, p.ledger.area, _("No figures to show"));
  else
    {
      g_autofree char *words = kymo_measure_words (&p.exclusive);
      const char *label = kymo_table_get_string (answer, "label", 0);
      g_autofree char *head = g_strdup_printf ("%s%s%s", kymo_word_code (frame->terms, FALSE,
                                                                         TRUE),
                                               label != NULL ? " · " : "",
                                               label != NULL ? label : "");

      kymo_ledger_head (cr, &p.ledger, frame, head, words);
      for (guint i = 0; i < p.ledger.shown; i++)
        paint_line (cr, &p, frame, p.ledger.first + i);
      kymo_ledger_more (cr, &p.ledger, frame, p.lines->len - p.ledger.first - p.ledger.shown);
    }
  clear (&p);
}

/**
 * kymo_function_list_hit:
 * @x: px
 * @y: px
 * @hit: (out caller-allocates): overwritten without being freed; kymo_plot_hit_clear() is due
 * @klass: the picture it is for
 *
 * Tells the function of the line at a point, with its figures in words.
 *
 * Returns: whether there is a line
 */
gboolean
kymo_function_list_hit (const KymoTable *answer, const KymoPlotFrame *frame, double x, double y,
                        KymoPlotHit *hit, const KymoPlotClass *klass)
{
  guint at = G_MAXUINT;
  Picture p;

  kymo_hit_init (hit);
  if (init (&p, answer, frame, klass))
    at = kymo_ledger_at (&p.ledger, x, y);
  if (at != G_MAXUINT)
    {
      const Line *line = line_of (&p, at);
      g_autofree char *exclusive = kymo_measure_exact (&p.exclusive, line->exclusive);
      g_autofree char *inclusive = kymo_measure_exact (&p.inclusive, line->inclusive);
      g_autofree char *share = kymo_format_percent (line->share);
      g_autofree char *calls = kymo_words_calls (line->calls);

      hit->name = g_strdup (line->name);
      hit->rect = kymo_ledger_rect (&p.ledger, at);
      hit->text = g_strdup_printf (_("%s\nexclusive %s (%s)\ninclusive %s\n%s"), line->name,
                                   exclusive, share, inclusive, calls);
      kymo_flags_add (&hit->text, line->flags);
    }
  clear (&p);
  return at != G_MAXUINT;
}

/**
 * kymo_function_list_natural_height:
 * @klass: the picture it is for
 *
 * Returns: height of a picture in which every function that is not hidden has a line, px
 */
double
kymo_function_list_natural_height (const KymoTable *answer, const KymoPlotFrame *frame,
                                   const KymoPlotClass *klass)
{
  double height;
  Picture p;

  init (&p, answer, frame, klass);
  height = kymo_ledger_height (p.lines->len, ROW_PX, klass, frame);
  clear (&p);
  return height;
}

/* -- of one thread ---------------------------------------------------------- */

static void
thread_paint (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame)
{
  kymo_function_list_paint (cr, answer, frame, &kymo_plot_thread);
}

static gboolean
thread_hit (const KymoTable *answer, const KymoPlotFrame *frame, double x, double y,
            KymoPlotHit *hit)
{
  return kymo_function_list_hit (answer, frame, x, y, hit, &kymo_plot_thread);
}

static double
thread_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  return kymo_function_list_natural_height (answer, frame, &kymo_plot_thread);
}

static KymoQuestion *
thread_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "thread");

  if (frame->chosen_location >= 0)
    kymo_question_set_int (question, "of", frame->chosen_location);
  return question;
}

const KymoPlotClass kymo_plot_thread = {
  .id = "thread",
  .title = N_("{Codes} of one {row}"),
  .needs = KYMO_CAN_METRICS,
  .question = thread_question,
  .paint = thread_paint,
  .hit = thread_hit,
  .natural_height = thread_natural_height,
  .inset = { 16, 4, 20, 8 },
};
