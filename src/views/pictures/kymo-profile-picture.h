/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoProfilePicture: pictures of a profile under the controls of what figures they
 * show: one, or two over each other. Clicks choose a function and a thread of the
 * session. A double click on a row shows the table of that thread, one on a function
 * is told ("activated"); in an icicle it makes the path fill the picture.
 *
 * Signals: "activated" (name of a function), "show-view" (id). Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PROFILE_PICTURE (kymo_profile_picture_get_type ())
G_DECLARE_FINAL_TYPE (KymoProfilePicture, kymo_profile_picture, KYMO,
                      PROFILE_PICTURE, GtkBox)

/** KymoPictureOf: what the keyword "of" of the questions is */
typedef enum
{
  KYMO_PICTURE_OF_ALL,          /* there is none */
  KYMO_PICTURE_OF_THREAD,       /* the session's thread */
  KYMO_PICTURE_OF_FUNCTION,     /* the session's function, or the busiest one */
} KymoPictureOf;

/* `plots`: names of pictures, ends with NULL. */
GtkWidget *kymo_profile_picture_new           (KymoSession        *session,
                                               const char *const  *plots,
                                               KymoPictureOf       of);
/* (transfer none): KymoCanvas, in the order of `plots` */
GPtrArray *kymo_profile_picture_peek_canvases (KymoProfilePicture *self);
/* Of an icicle: "icicle" (the root on top) or "flame-graph" (at the bottom). */
void       kymo_profile_picture_set_mode      (KymoProfilePicture *self,
                                               const char         *mode);

G_END_DECLS
