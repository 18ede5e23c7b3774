/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoComparePictures: the same picture of every run of a comparison, beside each
 * other or one below the other, each on the colour of its side and with its own time
 * axis. Dragging one with Alt, and [ and ], move that run against the others.
 *
 * Signals: "shifted" (run, offset in ns): a run is to lie elsewhere; "find" (run,
 * direction) and "command" (name): what a key asks; "answer-changed".
 * Main thread only.
 */
#pragma once

#include "kymo-canvas.h"
#include "kymo-session-coupling.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COMPARE_PICTURES (kymo_compare_pictures_get_type ())
G_DECLARE_FINAL_TYPE (KymoComparePictures, kymo_compare_pictures, KYMO,
                      COMPARE_PICTURES, GtkBox)

GtkWidget   *kymo_compare_pictures_new         (KymoSessionCoupling *coupling);
/* The next run; its session is the next one of the coupling. */
void         kymo_compare_pictures_add         (KymoComparePictures *self,
                                                guint                side,
                                                const char          *label,
                                                const char          *title);
/* @plot: of kymo_plots[] */
void         kymo_compare_pictures_set_plot    (KymoComparePictures *self,
                                                const char          *plot);
const char  *kymo_compare_pictures_get_plot    (KymoComparePictures *self);
void         kymo_compare_pictures_set_stacked (KymoComparePictures *self,
                                                gboolean             stacked);
/* Words beside the title of a run: where it lies. */
void         kymo_compare_pictures_set_words   (KymoComparePictures *self,
                                                guint                run,
                                                const char          *words);
guint        kymo_compare_pictures_get_n       (KymoComparePictures *self);
KymoCanvas  *kymo_compare_pictures_peek        (KymoComparePictures *self,
                                                guint                run);
/* The run with the focus; the first where none has it. */
guint        kymo_compare_pictures_get_focused (KymoComparePictures *self);

G_END_DECLS
