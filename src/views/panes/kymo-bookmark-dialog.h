/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks for the name of a bookmark, what is noted to it, and whether it is about
 * the shown locations alone. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

/** KymoBookmarkOutcome: what came of it */
typedef enum
{
  KYMO_BOOKMARK_MADE,
  KYMO_BOOKMARK_CHANGED,
  KYMO_BOOKMARK_GONE,           /* it was removed meanwhile */
  KYMO_BOOKMARK_TOO_MANY,
} KymoBookmarkOutcome;

/* @index: of the one to be changed, -1 = a new one of the visible range, under
   @name. @done: (nullable): told with the name in the end */
typedef void (*KymoBookmarkDone) (const char          *name,
                                  KymoBookmarkOutcome  outcome,
                                  gpointer             data);

GtkWindow *kymo_bookmark_dialog_show (GtkWindow        *parent,
                                      KymoSession      *session,
                                      int               index,
                                      const char       *name,
                                      KymoBookmarkDone  done,
                                      gpointer          data);

G_END_DECLS
