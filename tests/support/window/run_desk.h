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
/* Until the window has that size: a display gives it when it likes. */
void desk_resize (Desk *desk, int width, int height);

/* Whether it was a picture that is meant. */
typedef gboolean (*DeskLook) (Desk       *desk,
                              KymoCanvas *canvas);

/* Goes through all views and their modes, with a function chosen, and looks at each picture
   that has an answer, once. (transfer container): names of the plots that were meant */
GHashTable *desk_each_picture (Desk *desk, DeskLook look);

G_END_DECLS
