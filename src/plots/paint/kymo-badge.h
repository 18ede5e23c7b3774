/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the pictures of PEs and their clusters share: the shapes of
 * representatives and outliers, values in words, and items of the legend.
 * Nothing here has state; any thread may call.
 */
#pragma once

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-plot.h"

G_BEGIN_DECLS

/** KymoUnit: of a value; numbers are of vectors that mix or scale units */
typedef enum
{
  KYMO_UNIT_NUMBER,
  KYMO_UNIT_NS,
  KYMO_UNIT_COUNT,
  KYMO_UNIT_BYTES,
} KymoUnit;

/* By "kept_as" of an answer; NULL is none. */
KymoBadge       kymo_badge_of          (const char          *kept_as);
const char     *kymo_badge_words       (KymoBadge            badge);
double          kymo_badge_paint_key   (cairo_t             *cr,
                                        const KymoPlotFrame *frame,
                                        KymoBadge            badge,
                                        double               right,
                                        double               y);
/* Of a word of an answer, or NULL. */
KymoUnit        kymo_unit_of           (const char          *word);
/* Of distances in an answer about clusters. */
KymoUnit        kymo_unit_of_distances (const KymoTable     *answer);
char           *kymo_unit_format       (KymoUnit             unit,
                                        double               value);
KymoFormatValue kymo_unit_axis         (KymoUnit             unit);
/* The colour of a cluster, faded where another one is lifted. */
KymoRgba        kymo_class_shown       (const KymoPlotFrame *frame,
                                        gint64               cluster);
/* The question of the pictures of clusters. */
KymoQuestion   *kymo_classes_question  (const KymoPlotFrame *frame);
void            kymo_legend_add_badge  (GArray              *items,
                                        const KymoPlotFrame *frame,
                                        KymoBadge            badge);
/* Clusters and shapes of an answer; `names` keeps their words. */
GArray         *kymo_legend_of_classes (const KymoTable     *answer,
                                        const KymoPlotFrame *frame,
                                        GPtrArray           *names);

/* How clusters of PEs look and what they are called, the same in every picture.
   Any thread may call. */

KymoRgba kymo_class_color (KymoLook look,
                           gint     cluster);
/* (transfer full): "Cluster 2": the number that answers have */
char    *kymo_class_name  (gint     cluster);

G_END_DECLS
