/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept of a run view, and taking it back. Main thread only.
 */
#pragma once

#include "kymo-desk.h"
#include "kymo-run-view.h"

G_BEGIN_DECLS

/* Which views there are, and what is chosen in each part alone. */
void   kymo_run_view_keep_layout    (KymoRunView    *self,
                                     KymoDesk       *desk);
void   kymo_run_view_keep           (KymoRunView    *self,
                                     KymoDesk       *desk);
/* Leaves out views that there are not, before @desk is given to any of the below. */
void   kymo_run_view_check_desk     (KymoDesk       *desk);
void   kymo_run_view_restore_layout (KymoRunView    *self,
                                     const KymoDesk *desk);
char **kymo_run_view_restore        (KymoRunView    *self,
                                     const KymoDesk *desk);
void   kymo_run_view_start_fresh    (KymoRunView    *self);

G_END_DECLS
