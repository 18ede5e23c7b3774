/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables as pictures, for files and wherever a list is no use: a name, a bar where there
 * is room, and figures in columns from the right. Lines that do not fit are told by
 * number. Any thread may call.
 */
#pragma once

#include "kymo-plot-private.h"

G_BEGIN_DECLS

#define KYMO_LEDGER_MOST 8
#define KYMO_LEDGER_HEAD_PX 26

/**
 * KymoLedger:
 * @titles: of the columns, (not owned); the first ones are shown where not all fit
 * @n: columns that fit
 * @ends: right edges of the figures
 */
typedef struct
{
  KymoRect           area;
  double             row_px;
  const char *const *titles;
  guint              n;
  double             name_end, bar_x, bar_end;
  double             ends[KYMO_LEDGER_MOST];
  guint              first, shown, n_lines;
} KymoLedger;

/* `with_bar`: a column of bars is wanted. */
void     kymo_ledger_init   (KymoLedger         *ledger,
                              const KymoPlotFrame *frame,
                              KymoRect             area,
                              double               row_px,
                              guint                n_lines,
                              const char *const   *titles,
                              gboolean             with_bar);
void     kymo_ledger_head   (cairo_t             *cr,
                              const KymoLedger   *ledger,
                              const KymoPlotFrame *frame,
                              const char          *name_title,
                              const char          *bar_title);
/* The place of line `first` .. `first + shown`. */
KymoRect kymo_ledger_rect   (const KymoLedger   *ledger,
                              guint                line);
/* The bar's place, empty where there is none. */
KymoRect kymo_ledger_bar    (const KymoLedger   *ledger,
                              guint                line);
/* `mark`: a word behind the name, or NULL; `strings`: a figure a column. */
void     kymo_ledger_line   (cairo_t             *cr,
                              const KymoLedger   *ledger,
                              const KymoPlotFrame *frame,
                              guint                line,
                              double               indent_px,
                              const char          *name,
                              const char          *mark,
                              char               **strings);
/* "12 more", in the place of the last line. */
void     kymo_ledger_more   (cairo_t             *cr,
                              const KymoLedger   *ledger,
                              const KymoPlotFrame *frame,
                              guint                n);
/* The line at a point; G_MAXUINT where there is none. */
guint    kymo_ledger_at     (const KymoLedger   *ledger,
                              double               x,
                              double               y);
double   kymo_ledger_height (guint                n_lines,
                              double               row_px,
                              const KymoPlotClass *klass,
                              const KymoPlotFrame *frame);

G_END_DECLS
