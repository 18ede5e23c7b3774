/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording below tests/data/tau (named by the test's data) in a run view with its
 * views of profiles: the fixture of their tests. Main thread only.
 */
#pragma once

#include "desk.h"
#include "kymo-run-view-private.h"
#include "kymo-table-view.h"

G_BEGIN_DECLS

typedef struct
{
  KymoSource    *source;
  KymoSession   *session;
  KymoRunView   *view;
  GtkWidget     *window;
  KymoTableView *table;
} ProfileDesk;

void        profile_desk_open   (ProfileDesk   *desk,
                                 gconstpointer  data);
void        profile_desk_close  (ProfileDesk   *desk,
                                 gconstpointer  data);
/* Until all views that are to be seen have their answers. */
void        profile_desk_settle (ProfileDesk   *desk);
void        profile_desk_show   (ProfileDesk   *desk,
                                 const char    *id);
/* (transfer full): the lines of the table, without its head, and a cell of one */
GStrv       profile_desk_lines  (ProfileDesk   *desk);
char       *profile_desk_cell   (const char    *line,
                                 guint          column);
KymoCanvas *profile_desk_canvas (ProfileDesk   *desk,
                                 const char    *id);

G_END_DECLS
