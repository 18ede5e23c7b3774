/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFindingFold: a row of the page of findings that unfolds. Rows are kept from answer to answer
 * and take other words. What their buttons do is up to the page. Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-table.h"

G_BEGIN_DECLS

/**
 * KymoFindingFold:
 * @view: whose row it is
 * @row: the row
 * @body: (nullable): the words that it unfolds to
 * @cost, @bar: (nullable): of causes
 * @button: (nullable): of causes and of those that are acknowledged
 * @note: (nullable): #KymoFindingNote, of causes
 * @list: (nullable): of the answer, static
 * @finding: its row
 */
typedef struct
{
  gpointer    view;
  GtkWidget  *row, *body, *cost, *bar, *button, *note;
  const char *list;
  guint       finding;
} KymoFindingFold;

KymoFindingFold *kymo_finding_fold_new       (AdwPreferencesGroup *group,
                                              gpointer             view);
KymoFindingFold *kymo_finding_fold_new_plain (AdwPreferencesGroup *group,
                                              gpointer             view);
KymoFindingFold *kymo_finding_fold_new_cause (AdwPreferencesGroup *group,
                                              gpointer             view);
KymoFindingFold *kymo_finding_fold_new_quiet (AdwPreferencesGroup *group,
                                              gpointer             view);
void             kymo_finding_fold_say       (KymoFindingFold     *fold,
                                              const char          *title,
                                              const char          *subtitle,
                                              const char          *body);
void             kymo_finding_fold_say_cause (KymoFindingFold     *fold,
                                              const KymoTable     *answer,
                                              guint                row,
                                              gboolean             can_acknowledge);
void             kymo_finding_fold_say_quiet (KymoFindingFold     *fold,
                                              const KymoTable     *list,
                                              guint                row);
void             kymo_finding_fold_say_list  (KymoFindingFold     *fold,
                                              const KymoTable     *list,
                                              guint                n,
                                              const char          *heading);

G_END_DECLS
