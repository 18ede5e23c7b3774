/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of random runs of exchanges, for tests of what is answered about them: each run whole,
 * in ranges and of some of its locations.
 */
#pragma once

#include "exchanges.h"
#include "kymo-engine.h"

#define N_EXCHANGE_STORIES 5

extern const ExchangesStory exchange_stories[N_EXCHANGE_STORIES];

/* One part of a run that is asked for: a range, and some or all locations. */
typedef struct
{
  const Exchanges *exchanges;
  KymoSpan         span;
  KymoIdSet       *locations;   /* NULL = all */
} Part;
typedef void (*TestPart) (const Part *part);
KymoTable *part_ask (const Part *part,
                     const char *kind,
                     const char *const *keywords,
                     guint       n_threads);
gboolean part_has (const Part         *part,
                   const ExchangesEnd *end);
const ExchangesEnd *end_at (const GArray *ends,
                                      guint         i);
void for_each_part (TestPart test);

#define ASK(part, kind, ...) \
  part_ask ((part), (kind), (const char *const[]) { __VA_ARGS__ __VA_OPT__ (,) NULL }, 1)
