/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoDeskKeeper: keeps the desk of one run, for its page. It gives the run the
 * desk that was kept of it, or the one that a person opened, once it is exact; from
 * then on it keeps what she changes, a little after she did. Main thread only.
 */
#pragma once

#include "kymo-desk-store.h"
#include "kymo-page.h"
#include "kymo-run-view-keep.h"

G_BEGIN_DECLS

typedef struct _KymoDeskKeeper KymoDeskKeeper;

/* page: not owned, and outlives it; path: what the page reads */
KymoDeskKeeper *kymo_desk_keeper_new       (KymoPage       *page,
                                            const char     *path);
void            kymo_desk_keeper_free      (KymoDeskKeeper *self);
/* Takes @desk: it is for the run as soon as that is exact, or now. */
void            kymo_desk_keeper_take      (KymoDeskKeeper *self,
                                            KymoDesk       *desk);
/* The page shows the run, or more of it. */
void            kymo_desk_keeper_show      (KymoDeskKeeper *self,
                                            KymoRunView    *view,
                                            gboolean        is_draft);
/* The files are read again: the desk is for the run that comes of them. */
void            kymo_desk_keeper_read_again (KymoDeskKeeper *self);
/* Keeps at once what is not kept yet. */
void            kymo_desk_keeper_flush     (KymoDeskKeeper *self);
/* Forgets what was kept, and the run stands as when it was opened first. */
void            kymo_desk_keeper_start_fresh (KymoDeskKeeper *self);
/* (transfer full): the desk as it is now, as a file at @desk_path would have it */
KymoDesk       *kymo_desk_keeper_dup_desk  (KymoDeskKeeper *self,
                                            const char     *desk_path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoDeskKeeper, kymo_desk_keeper_free)

G_END_DECLS
