/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoProfileBar: what figures of a profile are shown: metric (measured, or an
 * expression of others), value, unit, groups of functions, which call paths, step of a
 * run that was written several times, and of which thread. It writes to the session and shows what
 * the session has, whichever view changed it. What there is to choose it learns
 * of the answers of its view. Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PROFILE_BAR (kymo_profile_bar_get_type ())
G_DECLARE_FINAL_TYPE (KymoProfileBar, kymo_profile_bar, KYMO, PROFILE_BAR,
                      GtkBox)

/** KymoProfileBarParts: what is there beside the step */
typedef enum
{
  KYMO_PROFILE_BAR_VALUE = 1 << 0,
  KYMO_PROFILE_BAR_THREAD = 1 << 1,
  KYMO_PROFILE_BAR_METRIC = 1 << 2,    /* with unit and groups */
  KYMO_PROFILE_BAR_PATHS = 1 << 3,     /* which call paths there are */
} KymoProfileBarParts;

GtkWidget *kymo_profile_bar_new        (KymoSession         *session,
                                        KymoProfileBarParts  parts);
/* NULL changes nothing. */
void       kymo_profile_bar_set_answer (KymoProfileBar      *self,
                                        const KymoTable     *answer);
/* Of parts that not all tables of a view have. */
void       kymo_profile_bar_show_parts (KymoProfileBar      *self,
                                        KymoProfileBarParts  parts);
/* Where a view puts what is its own: at the left. */
void       kymo_profile_bar_add        (KymoProfileBar      *self,
                                        GtkWidget           *widget);

gboolean   kymo_profile_bar_pick (KymoProfileBar *self,
                                  KymoCanvas     *canvas);

G_END_DECLS
