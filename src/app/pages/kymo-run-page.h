/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRunPage: a tab of files. It reads a run on a worker thread and shows how
 * far, of a large run drafts meanwhile, then the run, or why there is none and
 * a way out.
 *
 * Main thread only.
 */
#pragma once

#include "kymo-desk-keeper.h"
#include "kymo-page.h"

G_BEGIN_DECLS

#define KYMO_TYPE_RUN_PAGE (kymo_run_page_get_type ())
G_DECLARE_FINAL_TYPE (KymoRunPage, kymo_run_page, KYMO, RUN_PAGE, KymoPage)

GtkWidget   *kymo_run_page_new          (const char  *path);
void         kymo_run_page_stop         (KymoRunPage *self);
double       kymo_run_page_get_first_picture_ms (KymoRunPage *self);
/* Reads the run again, with the clocks of its processes shifted or not. */
void         kymo_run_page_set_correct_clocks (KymoRunPage *self,
                                               gboolean     correct);
gboolean     kymo_run_page_get_correct_clocks (KymoRunPage *self);
/* (transfer none): who keeps its desk */
KymoDeskKeeper *
             kymo_run_page_peek_keeper  (KymoRunPage *self);

G_END_DECLS
