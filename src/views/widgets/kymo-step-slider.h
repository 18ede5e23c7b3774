/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoStepSlider: which of the profiles that a run wrote one after the other is
 * shown; the last one is the whole run. It is the option "step" of the session, and
 * is not there where there is one profile alone. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_STEP_SLIDER (kymo_step_slider_get_type ())
G_DECLARE_FINAL_TYPE (KymoStepSlider, kymo_step_slider, KYMO, STEP_SLIDER,
                      GtkBox)

GtkWidget *kymo_step_slider_new       (KymoSession     *session);
/* The list "steps" of an answer, and which of them it is about. */
void       kymo_step_slider_set_steps (KymoStepSlider  *self,
                                       const KymoTable *steps,
                                       gint64           step);

G_END_DECLS
