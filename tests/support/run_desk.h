/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run in a window, as the program shows it: a fixture for tests of its views. desk_init()
 * first; everything belongs to the main thread.
 */
#pragma once

#include "desk.h"
#include "kymo-run-view-private.h"

G_BEGIN_DECLS

/**
 * Desk:
 * @said: the last message of the view, or %NULL
 */
typedef struct
{
  KymoSource  *source;
  KymoSession *session;
  KymoRunView *view;
  GtkWidget   *window;
  char        *said;
} Desk;

/* @path: below the repository; NULL = the sample */
void desk_open   (Desk *desk, gconstpointer path);
void desk_close  (Desk *desk, gconstpointer path);
/* Until nothing is asked and painted any more. */
void desk_settle (Desk *desk);

G_END_DECLS
