/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Actions that are under way on rank 0. On the helper thread.
 */
#pragma once

#include "kymo-act-order.h"
#include "kymo-rec-sys.h"

#define KYMO_ACT_MOST_ACTIONS 12

typedef enum
{
  PHASE_FREE,
  PHASE_QUEUED,                 /* another step is under way */
  PHASE_PREPARING,
  PHASE_COMMITTED,              /* the program will do it */
  PHASE_WORKING,
  PHASE_CONVERTING
} KymoActPhase;

typedef struct
{
  KymoActPhase phase;
  uint32_t number;
  uint32_t kind;                /* KYMO_ACT_TRACE …, KYMO_ACT_PREPARE of a step */
  char name[KYMO_ACT_MOST_NAME + 8];
  char path[KYMO_SYS_MOST_PATH];        /* of what it writes, or empty */
  uint8_t *waits;               /* a bit for each rank that has not answered */
  uint32_t n_asked, n_waits, n_done;
  uint64_t count;               /* the most, or the sum, of those of the answers */
  int64_t until_ns;             /* in the time of the stream; 0 = never */
  KymoActStep step;
  char remark[KYMO_ACT_MOST_WORDS];     /* what a rank said */
} KymoAction;

#pragma GCC visibility push (hidden)

KymoAction *kymo_act_place      (bool                 is_long,
                                 const char         **refusal);
void        kymo_act_drop       (KymoAction          *action);
void        kymo_act_accept     (KymoAction          *action);
uint32_t    kymo_act_n_ranks    (void);
void        kymo_act_list_under_way (void           (*tell) (KymoActLine *line));
void        kymo_act_expect     (KymoAction          *action,
                                 const uint8_t       *set,
                                 int64_t              until_ns);
bool        kymo_act_tell_order (const KymoAction    *action,
                                 uint32_t             kind,
                                 uint64_t             count);

#pragma GCC visibility pop
