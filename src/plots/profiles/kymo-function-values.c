/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-function-values.h.
 */
#include "config.h"

#include "kymo-function-values.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define BINS 40
#define WORDS_GAP_PX 24

static double
statistic (const KymoTable *answer, const char *key)
{
  return kymo_table_find_column (answer, key) >= 0 ? kymo_table_get_double (answer, key, 0)
                                                   : NAN;
}

static void
find_axis (KymoFunctionValues *f)
{
  f->max = MAX (isfinite (f->most) ? f->most : 0, isfinite (f->mean) ? f->mean : 0);
  for (guint i = 0; i < f->bars.n_rows; i++)
    if (isfinite (f->values[i]))
      f->max = MAX (f->max, f->values[i]);
  f->max *= 1.02;
}

/**
 * kymo_function_values_init:
 * @answer: an answer of kind function-bars
 * @klass: the picture that it is for
 */
gboolean
kymo_function_values_init (KymoFunctionValues *f, const KymoTable *answer,
                           const KymoPlotFrame *frame, const KymoPlotClass *klass)
{
  *f = (KymoFunctionValues) { kymo_plot_frame_area (klass, frame) };
  f->table = kymo_table_peek_nested (answer, "rows", NULL);
  f->values = f->table != NULL ? kymo_table_peek_doubles (f->table, "value", NULL) : NULL;
  if (f->values == NULL || !kymo_row_bars_init (&f->bars, f->table, f->area, frame))
    return FALSE;
  kymo_measure_init (&f->measure, answer, frame, NULL);
  f->name = kymo_table_get_string (answer, "name", 0);
  if (f->name == NULL)
    f->name = frame->chosen != NULL ? frame->chosen : "";
  f->color = kymo_theme_activity (
    frame, f->name, kymo_activity_kind (kymo_table_get_string (answer, "kind", 0)));
  f->mean = statistic (answer, "mean");
  f->least = statistic (answer, "min");
  f->most = statistic (answer, "max");
  f->stddev = statistic (answer, "stddev");
  find_axis (f);
  return TRUE;
}

/**
 * kymo_function_values_clear:
 *
 * Frees the memory of kymo_function_values_init(), due also where it returned %FALSE. The answer
 * stays.
 */
void
kymo_function_values_clear (KymoFunctionValues *f)
{
  kymo_row_bars_clear (&f->bars);
}

/**
 * kymo_function_values_has:
 * @row: of the answer's rows
 *
 * Returns: whether the thread ever ran the function; %TRUE where the answer does not tell
 */
gboolean
kymo_function_values_has (const KymoFunctionValues *f, guint row)
{
  return kymo_table_find_column (f->table, "has") < 0
         || kymo_table_get_bool (f->table, "has", row);
}

/** kymo_function_values_paint_words: the shading is of the mean and the standard deviation */
void
kymo_function_values_paint_words (cairo_t *cr, const KymoFunctionValues *f,
                                  const KymoPlotFrame *frame, KymoRect area)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 1, area.width };
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  g_autofree char *words = kymo_measure_words (&f->measure);
  const char *shading = _("Shaded: mean ± standard deviation");
  double y = area.y + area.height + 31;

  kymo_text_draw (cr, words, area.x + area.width, y, right, theme->foreground);
  if (isfinite (f->mean) && f->stddev > 0
      && kymo_text_width (cr, words, right) + kymo_text_width (cr, shading, left) + WORDS_GAP_PX
         <= area.width)
    kymo_text_draw (cr, shading, area.x, y, left, theme->secondary);
}

/** kymo_function_values_question: one question serves both pictures */
KymoQuestion *
kymo_function_values_question (const KymoPlotFrame *frame, const KymoPlotClass *klass)
{
  KymoQuestion *question = kymo_frame_question (frame, "function-bars");
  KymoRect area = kymo_plot_frame_area (klass, frame);
  double lines = area.height * frame->scale;

  kymo_question_set_resolution (question, 0, frame->row_px > 0 ? G_MAXINT32 : MAX (lines, 1));
  kymo_question_set_int (question, "bins", BINS);
  if (frame->chosen != NULL)
    kymo_question_set (question, "of", frame->chosen);
  return question;
}
