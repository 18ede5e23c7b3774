/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which functions to leave out of the next measurement: those that are tiny and called
 * so often that measuring them is most of what is measured. The rule is that by which
 * TAU throttles at run time (TAU User Guide, "Reducing Performance Overhead with
 * TAU_THROTTLE"): called more than N times on a location, and less than so long a
 * call, inclusive.
 */
#pragma once

#include "kymo-profile-data.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_FILTER_TAU,              /* a selective instrumentation file */
  KYMO_FILTER_SCOREP,           /* a filter file, SCOREP_FILTERING_FILE */
} KymoFilterFormat;

/**
 * KymoFilterRule:
 * @most_calls: on one location; more are too many
 * @least_ns: a call that takes less, in the mean over all locations, is tiny
 */
typedef struct
{
  double most_calls;
  double least_ns;
} KymoFilterRule;

char *kymo_filter_list_make (const KymoProfileData *data,
                             const KymoFilterRule  *rule,
                             KymoFilterFormat       format,
                             GError               **error);

G_END_DECLS
