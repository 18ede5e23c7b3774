/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoFigureTable, shared by kymo-figure-table.c (the widget),
 * kymo-figure-cells.c (what a line looks like), kymo-figure-menu.c (the menu of a line)
 * and kymo-figure-rows.c (the texts and the order of its lines).
 *
 * Invariant: a line is a number of a row of `list`; a caller that takes lines or the list
 * away does both, so that no line is of a row that is not there.
 */
#pragma once

#include "kymo-figure-table.h"
#include "kymo-line-model.h"
#include "kymo-measure.h"
#include "kymo-profile-options.h"

#include "kymo-name-filter.h"

G_BEGIN_DECLS

/** KymoFigureTexts: what texts are made of */
typedef struct
{
  KymoTable   *answer, *list;          /* or NULL, both */
  KymoMeasure  value, count;
  guint       *first_child, *next;     /* of a tree, by row; G_MAXUINT = none */
  guint        first_root;
  gboolean     has_tenths;             /* calls are means: all of them have a decimal */
} KymoFigureTexts;

void        kymo_figure_texts_set     (KymoFigureTexts        *texts,
                                       KymoTable              *answer,
                                       const char             *list,
                                       KymoProfileOptions     *options);
void        kymo_figure_texts_clear   (KymoFigureTexts        *texts);
gboolean    kymo_figure_texts_same    (const KymoFigureTexts  *texts,
                                       KymoTable              *answer,
                                       const char             *list);
double      kymo_figure_texts_number  (const KymoFigureTexts  *texts,
                                       const KymoFigureColumn *column,
                                       guint                   row);
char       *kymo_figure_texts_text    (const KymoFigureTexts  *texts,
                                       const KymoFigureColumn *column,
                                       guint                   row,
                                       const KymoTimeColumn   *times);
char       *kymo_figure_texts_exact   (const KymoFigureTexts  *texts,
                                       const KymoFigureColumn *column,
                                       guint                   row);
/* (nullable): flags of a row, see kymo-in-terms.h */
const char *kymo_figure_texts_flags   (const KymoFigureTexts  *texts,
                                       guint                   row);
/* (transfer full) (nullable): rows below one, or the roots (G_MAXUINT) */
KymoLineModel *
            kymo_figure_texts_children (const KymoFigureTexts *texts,
                                        guint                  row);
/* (transfer full): rows of guint whose name passes,
   ordered by a column (NULL: as they come) */
GArray     *kymo_figure_texts_order   (const KymoFigureTexts  *texts,
                                       KymoNameFilter         *names,
                                       const KymoFigureColumn *column,
                                       gboolean                descending);

void        kymo_figure_cells_init_class (KymoLineTableClass   *klass);
/* The menu of lines. */
void        kymo_figure_menu_attach   (KymoFigureTable        *table,
                                       GtkWidget              *view);
void        kymo_figure_menu_forget   (KymoFigureTable        *table);
/* What cells ask the table. */
const KymoFigureTexts  *
            kymo_figure_table_peek_texts  (KymoFigureTable    *self);
const KymoFigureColumn *
            kymo_figure_table_peek_column (KymoFigureTable    *self,
                                           guint               index);
KymoSession *
            kymo_figure_table_peek_session (KymoFigureTable   *self);
/* Of the part that the table is in. */
KymoProfileOptions *
            kymo_figure_table_peek_options (KymoFigureTable   *self);

G_END_DECLS
