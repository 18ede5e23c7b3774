/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRuler: ticks and labels of the time axis that the charts below share,
 * with the marks of the run (phases, notes, trace on and off). Dragging it
 * pans, arrows pan when it has the focus. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_RULER (kymo_ruler_get_type ())
G_DECLARE_FINAL_TYPE (KymoRuler, kymo_ruler, KYMO, RULER, GtkWidget)

GtkWidget *kymo_ruler_new (KymoSession *session,
                           KymoTable   *phases);
void       kymo_ruler_set_phases (KymoRuler *self,
                                  KymoTable *phases);
void       kymo_ruler_set_marks  (KymoRuler *self,
                                  KymoTable *marks);

G_END_DECLS
