/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of one thread, or of a statistic over all, as a picture of a table: by
 * exclusive value, with a bar of it within the inclusive one. What a profile of functions
 * by metric looks like wherever a list is no use.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-function-list.h"
#include "kymo-in-terms.h"
#include "kymo-ledger.h"
#include "kymo-legend.h"
#include "kymo-measure.h"
#include "kymo-plot-terms.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_thread;

#define ROW_PX 24
#define N_COLUMNS 6

typedef struct
{
  const char *name, *flags;          /* of the answer */
  KymoActivityKind kind;
  double      exclusive, inclusive, calls, share;
} Line;

struct _KymoFunctionList
{
  KymoLedger  ledger;
  KymoMeasure exclusive, inclusive;
  GArray     *lines;
  double      longest;
  const char *titles[N_COLUMNS + 1];
};

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
figure_thread (const KymoTable *table, const char *key, guint row)
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
                    figure_thread (table, "exclusive", i), figure_thread (table, "inclusive", i),
                    figure_thread (table, "calls", i) };

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

/**
 * kymo_function_list_lay_out:
 * @picture: of an answer with "functions" or "activities", and the metric
 *
 * Returns: (transfer full): lines of functions, for kymo_function_list_free()
 */
KymoFunctionList *
kymo_function_list_lay_out (const KymoPicture *picture)
{
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  KymoRect area = kymo_plot_frame_area (picture->klass, frame);
  KymoTable *table = kymo_table_peek_nested (answer, "functions", NULL);
  KymoFunctionList *p = g_new (KymoFunctionList, 1);

  *p = (KymoFunctionList) { .titles = { _("Exclusive"), _("Share"), _("Inclusive"), _("Calls"),
                                        _("Excl. per call"), _("Incl. per call") } };
  if (table == NULL)
    table = kymo_table_peek_nested (answer, "activities", NULL);
  p->lines = make_lines (table, frame, kymo_table_find_column (answer, "additive") < 0
                         || kymo_table_get_bool (answer, "additive", 0), &p->longest);
  kymo_measure_init (&p->exclusive, answer, frame, "exclusive");
  kymo_measure_init (&p->inclusive, answer, frame, "inclusive");
  kymo_ledger_init (&p->ledger, frame, area, ROW_PX, p->lines->len, p->titles, TRUE);
  return p;
}

/**
 * kymo_function_list_free:
 * @list: (transfer full): lines of functions
 */
void
kymo_function_list_free (KymoFunctionList *list)
{
  g_array_unref (list->lines);
  g_free (list);
}

static const Line *
line_of (const KymoFunctionList *p, guint line)
{
  return &g_array_index (p->lines, Line, line);
}

static void
paint_bar (cairo_t *cr, const KymoFunctionList *p, const KymoPlotFrame *frame, const Line *line,
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
paint_line (cairo_t *cr, const KymoFunctionList *p, const KymoPlotFrame *frame, guint at)
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
 * @list: the lines of @picture
 *
 * Paints the whole picture, decoration included: a line for each function in sight, the largest
 * exclusive value first, without hidden functions; or a sentence where there is none.
 */
void
kymo_function_list_paint (cairo_t *cr, const KymoPicture *picture, const KymoFunctionList *list)
{
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, picture->klass, frame, NULL);
  if (list->lines->len == 0)
    kymo_paint_empty (cr, frame, list->ledger.area, _("No figures to show"));
  else
    {
      g_autofree char *words = kymo_measure_words (&list->exclusive);
      const char *label = kymo_table_peek_label (picture->answer, "label", 0);
      g_autofree char *head = g_strdup_printf ("%s%s%s", kymo_word_code (frame->terms, FALSE,
                                                                         TRUE),
                                               label != NULL ? " · " : "",
                                               label != NULL ? label : "");

      kymo_ledger_head (cr, &list->ledger, frame, head, words);
      for (guint i = 0; i < list->ledger.shown; i++)
        paint_line (cr, list, frame, list->ledger.first + i);
      kymo_ledger_more (cr, &list->ledger, frame,
                        list->lines->len - list->ledger.first - list->ledger.shown);
    }
}

/**
 * kymo_function_list_hit:
 * @x: px
 * @y: px
 * @hit: (out caller-allocates): overwritten without being freed; kymo_plot_hit_clear() is due
 *
 * Tells the function of the line at a point, with its figures in words.
 *
 * Returns: whether there is a line
 */
gboolean
kymo_function_list_hit (const KymoFunctionList *list, double x, double y, KymoPlotHit *hit)
{
  guint at = list->lines->len > 0 ? kymo_ledger_at (&list->ledger, x, y) : G_MAXUINT;

  kymo_hit_init (hit);
  if (at != G_MAXUINT)
    {
      const Line *line = line_of (list, at);
      g_autofree char *exclusive = kymo_measure_exact (&list->exclusive, line->exclusive);
      g_autofree char *inclusive = kymo_measure_exact (&list->inclusive, line->inclusive);
      g_autofree char *share = kymo_format_percent (line->share);
      g_autofree char *calls = kymo_words_calls (line->calls);

      hit->name = g_strdup (line->name);
      hit->rect = kymo_ledger_rect (&list->ledger, at);
      hit->text = g_strdup_printf (_("%s\nexclusive %s (%s)\ninclusive %s\n%s"),
                                   kymo_shown_name (line->name), exclusive, share, inclusive,
                                   calls);
      kymo_flags_add (&hit->text, line->flags);
    }
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
  const KymoPicture picture = { klass, answer, *frame, NULL };
  KymoFunctionList *list = kymo_function_list_lay_out (&picture);
  double height = kymo_ledger_height (list->lines->len, ROW_PX, klass, frame);

  kymo_function_list_free (list);
  return height;
}

/* -- of one thread ---------------------------------------------------------- */

static gpointer
thread_lay_out (const KymoPicture *picture)
{
  return kymo_function_list_lay_out (picture);
}

static void
thread_layout_free (gpointer data)
{
  kymo_function_list_free (data);
}

static void
thread_paint (cairo_t *cr, const KymoPicture *picture)
{
  kymo_function_list_paint (cr, picture, picture->layout);
}

static gboolean
thread_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  return kymo_function_list_hit (picture->layout, x, y, hit);
}

static double
thread_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  return kymo_function_list_natural_height (answer, frame, &kymo_plot_thread);
}

static KymoQuestion *
thread_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question_of_chosen (frame, "thread");
}

const KymoPlotClass kymo_plot_thread = {
  .id = "thread",
  .title = N_("{Codes} of one {row}"),
  .needs = KYMO_CAN_METRICS,
  .question = thread_question,
  .lay_out = thread_lay_out,
  .layout_free = thread_layout_free,
  .paint = thread_paint,
  .hit = thread_hit,
  .natural_height = thread_natural_height,
  .inset = { 16, 4, 20, 8 },
};
