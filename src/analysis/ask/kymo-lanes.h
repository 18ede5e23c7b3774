/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes tell brackets of user events apart where they overlap on one
 * location: one lane a nesting id (in AMPI the rank), so that what ranks do at
 * the same time lies side by side. A bracket inside another one of its id
 * stays in its lane. Where a location has one id only, or brackets of one id
 * cross, each goes to the first lane that is free.
 *
 * Lanes are made of the whole segment, not of a range: they stay where they
 * are while one zooms.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/** More lanes than this on one location are not told apart. */
#define KYMO_MOST_LANES 256

/**
 * KymoLane:
 * @nested_id: nesting id of its brackets
 * @depth: 0, or which lane of this id it is where its brackets overlap
 */
typedef struct
{
  gint32 nested_id;
  guint  depth;
} KymoLane;

/**
 * KymoLanes:
 * @lanes: #KymoLane in order of id, empty where nothing needs them
 * @of_point: by point of the segment its lane, or -1
 */
typedef struct
{
  GArray *lanes;
  gint   *of_point;
} KymoLanes;

void  kymo_lanes_init  (KymoLanes         *lanes,
                        const KymoSegment *segment);
void  kymo_lanes_clear (KymoLanes         *lanes);
char *kymo_lane_label  (const KymoRun     *run,
                        const KymoPoint   *point,
                        guint              depth);

G_END_DECLS
