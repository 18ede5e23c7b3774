/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person types to choose locations: a list of numbers ("0-15,32,0-1023:16"),
 * "every 16th", a share of what is in view ("busy<50%", "busy>=0.9"), or a part of
 * their names. Main thread only.
 */
#pragma once

#include "kymo-id-set.h"
#include "kymo-location-list.h"

G_BEGIN_DECLS

KymoIdSet *kymo_location_filter (KymoLocationList *list,
                                 const char       *text,
                                 GError          **error);

G_END_DECLS
