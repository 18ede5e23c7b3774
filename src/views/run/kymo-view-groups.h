/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups and tabs of views, and which view of each was seen last. Main thread only.
 *
 * A tab is a view, or a few views that answer nearly the same question: their `tab` is the id of
 * the first of them.
 */
#pragma once

#include "kymo-run-view.h"

G_BEGIN_DECLS

const KymoViewInfo *kymo_view_find           (const char    *id);
const char         *kymo_view_tab_of         (const char    *id);
const char         *kymo_view_group_id       (KymoViewGroup  group);
const char         *kymo_view_group_title    (KymoViewGroup  group);
KymoViewGroup       kymo_view_group_find     (const char    *id);

const char *kymo_run_view_question_of    (KymoRunView   *self,
                                          const char    *id);
const char *kymo_run_view_find_in_group  (KymoRunView   *self,
                                          KymoViewGroup  group);
const char *kymo_run_view_next_in_group  (KymoRunView   *self,
                                          KymoViewGroup  group);
const char *kymo_run_view_find_in_tab    (KymoRunView   *self,
                                          const char    *tab);

G_END_DECLS
