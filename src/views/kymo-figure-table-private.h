/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoFigureTable, shared by kymo-figure-table.c (the widget) and
 * kymo-figure-rows.c (its lines and their texts).
 *
 * Invariant: a line is a number of a row of `list`; whoever takes lines or the list
 * away does both, so that no line is of a row that is not there.
 */
#pragma once

#include "kymo-figure-table.h"
#include "kymo-measure.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FIGURE_ROW (kymo_figure_row_get_type ())
G_DECLARE_FINAL_TYPE (KymoFigureRow, kymo_figure_row, KYMO, FIGURE_ROW, GObject)

struct _KymoFigureRow
{
  GObject parent_instance;

  guint   row;
};

/** KymoFigureTexts: what texts are made of */
typedef struct
{
  KymoTable   *answer, *list;          /* or NULL, both */
  KymoMeasure  value, count;
  guint       *first_child, *next;     /* of a tree, by row; G_MAXUINT = none */
  guint        first_root;
} KymoFigureTexts;

void        kymo_figure_texts_set     (KymoFigureTexts        *texts,
                                       KymoTable              *answer,
                                       const char             *list,
                                       KymoSession            *session);
void        kymo_figure_texts_clear   (KymoFigureTexts        *texts);
gboolean    kymo_figure_texts_same    (const KymoFigureTexts  *texts,
                                       KymoTable              *answer,
                                       const char             *list);
double      kymo_figure_texts_number  (const KymoFigureTexts  *texts,
                                       const KymoFigureColumn *column,
                                       guint                   row);
char       *kymo_figure_texts_text    (const KymoFigureTexts  *texts,
                                       const KymoFigureColumn *column,
                                       guint                   row);
char       *kymo_figure_texts_exact   (const KymoFigureTexts  *texts,
                                       const KymoFigureColumn *column,
                                       guint                   row);
int         kymo_figure_texts_compare (const KymoFigureTexts  *texts,
                                       const KymoFigureColumn *column,
                                       guint                   a,
                                       guint                   b);
/* (transfer full) (nullable): rows below one, or the roots (G_MAXUINT) */
GListModel *kymo_figure_texts_children (const KymoFigureTexts *texts,
                                        guint                  row);
void        kymo_figure_row_tell      (KymoFigureRow          *self);

G_END_DECLS
