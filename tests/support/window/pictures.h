/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking once at an answer in a frame: it is laid out for each call.
 */
#pragma once

#include "kymo-plot.h"

static inline void
picture_paint (const KymoPlotClass *klass, cairo_t *cr, const KymoTable *answer,
               const KymoPlotFrame *frame)
{
  g_autoptr (KymoPicture) picture = kymo_picture_new (klass, answer, frame);

  klass->paint (cr, picture);
}

static inline gboolean
picture_hit (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame,
             double x, double y, KymoPlotHit *hit)
{
  g_autoptr (KymoPicture) picture = kymo_picture_new (klass, answer, frame);

  return klass->hit (picture, x, y, hit);
}

static inline GArray *
picture_places (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame)
{
  g_autoptr (KymoPicture) picture = kymo_picture_new (klass, answer, frame);

  return klass->places (picture);
}

static inline GArray *
picture_boxes (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame)
{
  g_autoptr (KymoPicture) picture = kymo_picture_new (klass, answer, frame);

  return klass->boxes (picture);
}

static inline GArray *
picture_marks (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame,
               const KymoIdSet *locations)
{
  g_autoptr (KymoPicture) picture = kymo_picture_new (klass, answer, frame);

  return klass->marks (picture, locations);
}
