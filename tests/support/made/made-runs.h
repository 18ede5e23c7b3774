/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small random runs whose every nanosecond is known, and what a slow path counts of them:
 * for tests of comparisons.
 */
#pragma once

#include "kymo-comparison.h"

/** MADE_N_NAMES: display names that runs have some of */
#define MADE_N_NAMES 6
/** MADE_ACTIVITIES: of a run */
#define MADE_ACTIVITIES 5
#define MADE_LENGTH_NS 300

/* What a location does in each nanosecond: an activity, or one of these. */
enum { MADE_NOTHING = -1, MADE_IDLE = -2, MADE_UNTRACED = -3 };

extern const char *const made_names[MADE_N_NAMES];

/** Made: a run, and what the slow path needs to know of it */
typedef struct
{
  KymoSource *source;
  guint       first;            /* of made_names */
  guint       n_locations;
  gint64      begin_ns, length_ns;
  int         does[4][MADE_LENGTH_NS];
} Made;

void made_clear (Made *made);
void made_random (Made *made,
                  GRand *rand);
void made_busy (Made *made,
                gint64 length_ns);
KymoComparison *made_compare (Made *made,
                              const guint *sides,
                              guint n);
KymoTable *made_ask (KymoComparison *comparison,
                     const char *kind,
                     KymoSpan span,
                     const char *key,
                     const char *value,
                     guint columns);
KymoTable *made_list (const KymoTable *answer,
                      const char *name);
gint made_row (const KymoTable *list,
               const char *name);
gint64 made_value (const KymoTable *list,
                   const char *column,
                   guint row,
                   guint side);
const char *made_name_of (const Made *made,
                          int does);
gint64 made_count_ns (const Made *made,
                      const char *name,
                      KymoSpan span);
gint64 made_count_calls (const Made *made,
                         const char *name,
                         KymoSpan span);
KymoSpan made_moved (KymoSpan span,
                     gint64 by_ns);
void made_check_sums (KymoTable *answer);
