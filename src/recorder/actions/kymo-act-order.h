/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rank 0 tells all processes (KYMO_LIVE_ORDER), and what they answer (KYMO_LIVE_ANSWER).
 */
#pragma once

#include "kymo-act-line.h"

typedef enum
{
  KYMO_ACT_TRACE = 1,           /* followed by a set of ranks, a bit for each */
  KYMO_ACT_PROFILE,
  KYMO_ACT_MARKER,              /* followed by the text */
  KYMO_ACT_RECORD,              /* events are written from now on */
  KYMO_ACT_PREPARE,             /* followed by a KymoActStep: it is to be done at a safe point */
  KYMO_ACT_COMMIT,              /* it is done at `count`, or 0 = at the next one */
  KYMO_ACT_ABORT,               /* it is not done */
  KYMO_ACT_HURRY,               /* the program ends: what is under way ends now */
  KYMO_ACT_SAMPLE               /* `count` samples a second; 0 = none */
} KymoActKind;

typedef struct
{
  uint32_t kind;                /* KymoActKind */
  uint32_t number;              /* of the action */
  int64_t begin_ns, end_ns;     /* of a trace, in the time of the stream */
  uint64_t count;
} KymoActOrder;

/* What is done inside a call of the program's. */
typedef enum
{
  KYMO_ACT_SET,
  KYMO_ACT_CALL,
  KYMO_ACT_CHECKPOINT,
  KYMO_ACT_END
} KymoActStepKind;

typedef struct
{
  uint32_t kind;                /* KymoActStepKind */
  uint32_t is_together;         /* in the same call on all ranks */
  uint32_t is_at_checkpoint;    /* in kymo_record_checkpoint(), else in kymo_record_poll() */
  uint32_t unused;
  int64_t integer;              /* the value, or the place of the choice */
  double real;
  uint64_t hash;                /* of what was registered */
  char name[KYMO_ACT_MOST_NAME];
} KymoActStep;

typedef enum
{
  KYMO_ACT_DONE = 1,            /* this process has done its part */
  KYMO_ACT_READY,               /* to PREPARE: `count` calls of that kind were made so far */
  KYMO_ACT_REFUSED,             /* it cannot, and `words` says why */
  KYMO_ACT_WRITTEN              /* rank 0: the archive; `count` is 0 if there is none */
} KymoActAnswerKind;

typedef struct
{
  uint32_t kind;                /* KymoActAnswerKind */
  uint32_t number;
  uint64_t count;
  char words[KYMO_ACT_MOST_WORDS];      /* a clause without full stop; may be empty */
} KymoActAnswer;

#pragma GCC visibility push (hidden)

/* What a process does; on its helper thread, but for kymo_act_end(). */
void kymo_act_take_order  (uint32_t            from,
                           const void         *bytes,
                           uint32_t            n_bytes);
void kymo_act_answer      (uint32_t            number,
                           KymoActAnswerKind   kind,
                           uint64_t            count,
                           const char         *words);
void kymo_act_write_archive (uint32_t          number);
void kymo_act_end_work    (void);
bool kymo_act_path        (uint32_t            number,
                           const char         *kind,
                           char               *path,
                           size_t              room);

/* The program's side. */
void kymo_act_prepare     (uint32_t            number,
                           const KymoActStep  *step);
void kymo_act_commit      (uint32_t            number,
                           uint64_t            count);
void kymo_act_abort       (uint32_t            number);
void kymo_act_list_steps  (void              (*tell) (KymoActLine *line));
bool kymo_act_find_step   (const char         *action,
                           const char         *value,
                           KymoActStep        *step,
                           char               *words);

/* Cutting. Returns whether it was written; *words says what is missing or why not. */
bool kymo_act_slice       (const char         *folder,
                           uint64_t            begin,
                           uint64_t            end,
                           uint64_t           *n_records,
                           char               *words);
bool kymo_act_profile     (const char         *folder,
                           uint32_t            rank,
                           char               *words);

/* Rank 0. */
void kymo_act_root_start  (uint32_t            n_processes);
void kymo_act_root_list   (void              (*tell) (KymoActLine *line));
bool kymo_act_root_do     (char *const        *fields,
                           int                 n_fields,
                           uint32_t           *number,
                           char               *words);
void kymo_act_root_announce (uint32_t          number);
void kymo_act_root_work   (void);
void kymo_act_root_finish (void);
void kymo_act_take_answer (uint32_t            from,
                           const void         *bytes,
                           uint32_t            n_bytes);
void kymo_act_take_lost   (uint32_t            from,
                           const void         *bytes,
                           uint32_t            n_bytes);
void kymo_act_broadcast   (KymoActLine        *line);

#pragma GCC visibility pop
