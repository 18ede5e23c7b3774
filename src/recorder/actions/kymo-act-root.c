/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rank 0: what can be done, what is under way, and what became of it. All of it on the helper
 * thread, but for kymo_act_root_finish(). Steps of the program are done one after the other, so
 * that all ranks do them in the same order.
 */
#include <stdio.h>
#include <string.h>

#include "kymo-act-root.h"
#include "kymo-live.h"
#include "kymo-rec.h"

#define MOST_LONG 4             /* traces and profiles that are under way */
#define PREPARE_NS 5000000000   /* for the word of all ranks that they are ready */
#define LATE_NS 2000000000       /* at the end, for the others to tell that they have done it */
#define END_NS 20000000000u     /* at the end of the program */

static KymoAction actions[KYMO_ACT_MOST_ACTIONS];
static uint32_t n_ranks, n_actions;
static uint8_t *gone;           /* a bit for each rank that is lost; NULL: there is no memory */
static _Atomic uint32_t n_under_way, is_ending;
static bool has_seen_end;

static int64_t
now_ns (void)
{
  uint64_t ticks;

  return kymo_live_now_ns (&ticks);
}

/* -- states ------------------------------------------------------------------- */

static void
tell_state (const KymoAction *action,
            const char   *state,
            const char   *words,
            const char   *path,
            void        (*tell) (KymoActLine *line))
{
  static KymoActLine line;
  char number[16];

  snprintf (number, sizeof number, "%u", action->number);
  kymo_act_line_begin (&line, "state");
  kymo_act_line_add (&line, number);
  kymo_act_line_add (&line, action->name);
  kymo_act_line_add (&line, state);
  kymo_act_line_add (&line, words);
  kymo_act_line_add (&line, path);
  kymo_act_line_end (&line);
  tell (&line);
}

static const char *
phase_words (const KymoAction *action)
{
  switch (action->phase)
    {
    case PHASE_QUEUED:
      return "An earlier action waits for the program; this one comes after it.";
    case PHASE_PREPARING:
      return "All ranks are asked.";
    case PHASE_COMMITTED:
      return action->step.is_at_checkpoint ? "The program will do it at its next checkpoint."
             : "The program will do it in its next call of kymo_record_poll().";
    case PHASE_CONVERTING:
      return "The archive is written.";
    default:
      return action->kind == KYMO_ACT_TRACE ? "The chosen ranks record."
             : action->kind == KYMO_ACT_PROFILE ? "All ranks write their profile."
             : "All ranks are told.";
    }
}

static void
end_action (KymoAction *action,
            bool        good,
            const char *words)
{
  tell_state (action, good ? "done" : "failed", words, good ? action->path : "",
              kymo_act_broadcast);
  if (action->waits != NULL)
    kymo_sys_unmap (action->waits, (n_ranks + 7) / 8);
  memset (action, 0, sizeof *action);
  atomic_fetch_sub (&n_under_way, 1);
  kymo_sys_wake (&n_under_way);
}

static KymoAction *
find_action (uint32_t number)
{
  for (unsigned i = 0; i < KYMO_ACT_MOST_ACTIONS; i++)
    if (actions[i].phase != PHASE_FREE && actions[i].number == number)
      return &actions[i];
  return NULL;
}

static bool
is_gone (uint32_t rank)
{
  return gone != NULL && (gone[rank / 8] >> rank % 8 & 1) != 0;
}

static void
note_remark (KymoAction *action,
             uint32_t    rank,
             const char *words)
{
  if (action->remark[0] == '\0' && words[0] != '\0')
    snprintf (action->remark, sizeof action->remark, "rank %u %s", rank, words);
}

/**
 * kymo_act_expect: ranks are to answer, but for those that are gone.
 * @set: (nullable): a bit for each; %NULL: all of them
 * @until_ns: in the time of the stream
 */
void
kymo_act_expect (KymoAction    *action,
                const uint8_t *set,
                int64_t        until_ns)
{
  action->n_asked = action->n_waits = 0;
  action->until_ns = until_ns;
  for (uint32_t rank = 0; rank < n_ranks; rank++)
    {
      uint8_t bit = (uint8_t) (1 << rank % 8);
      bool asked = set == NULL || (set[rank / 8] & bit) != 0;
      if (asked && is_gone (rank))
        {
          note_remark (action, rank, "is gone");
          asked = false;
        }
      action->waits[rank / 8] = (uint8_t) ((action->waits[rank / 8] & ~bit) | (asked ? bit : 0));
      action->n_asked += asked;
      action->n_waits += asked;
    }
}

/* The first rank that has not answered. */
static uint32_t
find_silent (const KymoAction *action)
{
  uint32_t rank = 0;

  while (rank + 1 < n_ranks && (action->waits[rank / 8] >> rank % 8 & 1) == 0)
    rank++;
  return rank;
}

/**
 * kymo_act_tell_order: tells all processes of an action, with its step.
 *
 * Returns: FALSE if they cannot be told
 */
bool
kymo_act_tell_order (const KymoAction *action,
            uint32_t      kind,
            uint64_t      count)
{
  KymoActOrder order = { .kind = kind, .number = action->number, .count = count };
  uint8_t bytes[sizeof order + sizeof action->step];

  memcpy (bytes, &order, sizeof order);
  memcpy (bytes + sizeof order, &action->step, sizeof action->step);
  return kymo_live_tell_all (KYMO_LIVE_ORDER, bytes, sizeof bytes);
}

/* -- steps -------------------------------------------------------------------- */

static void
begin_step (KymoAction *action)
{
  action->phase = PHASE_PREPARING;
  action->count = 0;
  kymo_act_expect (action, NULL, now_ns () + PREPARE_NS);
  kymo_act_tell_order (action, KYMO_ACT_PREPARE, 0);
}

/* The next step, if none is under way. */
static void
begin_next_step (void)
{
  KymoAction *next = NULL;

  for (unsigned i = 0; i < KYMO_ACT_MOST_ACTIONS; i++)
    {
      KymoAction *action = &actions[i];
      if (action->phase == PHASE_PREPARING || action->phase == PHASE_COMMITTED)
        return;
      if (action->phase == PHASE_QUEUED && (next == NULL || action->number < next->number))
        next = action;
    }
  if (next == NULL)
    return;
  begin_step (next);
  tell_state (next, "running", phase_words (next), "", kymo_act_broadcast);
}

static void
commit_step (KymoAction *action)
{
  uint64_t count = action->step.is_together ? action->count + 1 : 0;

  if (action->step.kind == KYMO_ACT_END)
    kymo_act_tell_order (action, KYMO_ACT_RECORD, 0);
  action->phase = PHASE_COMMITTED;
  action->count = 0;
  kymo_act_expect (action, NULL, 0);
  kymo_act_tell_order (action, KYMO_ACT_COMMIT, count);
  tell_state (action, "running", phase_words (action), "", kymo_act_broadcast);
}

static void
refuse_step (KymoAction *action,
             const char *words)
{
  kymo_act_tell_order (action, KYMO_ACT_ABORT, 0);
  end_action (action, false, words);
  begin_next_step ();
}

static void
end_step (KymoAction *action)
{
  char words[2 * KYMO_ACT_MOST_WORDS];
  const char *call = action->step.is_at_checkpoint ? "kymo_record_checkpoint()"
                                                   : "kymo_record_poll()";

  if (action->remark[0] != '\0')
    snprintf (words, sizeof words, "Not all ranks have done it: %s.", action->remark);
  else if (action->step.is_together)
    snprintf (words, sizeof words, "Done on all ranks in call %llu of %s.",
              (unsigned long long) action->count, call);
  else
    snprintf (words, sizeof words, "Done on all ranks.");
  end_action (action, action->remark[0] == '\0', words);
  begin_next_step ();
}

/* -- parts of the ranks ------------------------------------------------------- */

static void
end_work (KymoAction *action)
{
  char words[3 * KYMO_ACT_MOST_WORDS], remark[2 * KYMO_ACT_MOST_WORDS] = "";

  if (action->n_waits > 0)
    {
      char silent[80];
      snprintf (silent, sizeof silent, "does not answer%s", action->n_waits > 1
                ? ", nor do others" : "");
      note_remark (action, find_silent (action), silent);
    }
  if (action->remark[0] != '\0')
    snprintf (remark, sizeof remark, "; %s", action->remark);
  if (action->n_done == 0)
    {
      snprintf (words, sizeof words, "Nothing was done: %s.", action->remark);
      end_action (action, false, words);
    }
  else if (action->kind == KYMO_ACT_TRACE && action->phase == PHASE_WORKING)
    {
      action->phase = PHASE_CONVERTING;
      action->until_ns = 0;
      tell_state (action, "running", phase_words (action), "", kymo_act_broadcast);
      kymo_act_write_archive (action->number);
    }
  else
    {
      if (action->kind == KYMO_ACT_TRACE && action->count == 0)
        snprintf (words, sizeof words, "%u of the %u chosen ranks, which began and ended no call in"
                  " that time%s.", action->n_done, action->n_asked, remark);
      else if (action->kind == KYMO_ACT_TRACE)
        snprintf (words, sizeof words, "%llu events of %u of the %u chosen ranks%s.",
                  (unsigned long long) action->count, action->n_done, action->n_asked, remark);
      else if (action->kind == KYMO_ACT_PROFILE)
        snprintf (words, sizeof words, "The profile of %u of %u ranks%s.", action->n_done,
                  action->n_asked, remark);
      else if (action->count == 0 && action->n_waits == 0)
        snprintf (words, sizeof words, "No rank records events now.");
      else
        snprintf (words, sizeof words, "%llu of %u ranks have set it%s.",
                  (unsigned long long) action->count, action->n_asked,
                  action->n_waits > 0 ? "; the others will at their next call" : "");
      end_action (action, action->kind != KYMO_ACT_MARKER || action->count > 0
                  || action->n_waits > 0, words);
    }
}

static void
end_archive (KymoAction          *action,
             const KymoActAnswer *answer)
{
  char words[KYMO_ACT_MOST_WORDS + 80];

  if (answer->count != 0)
    {
      end_work (action);
      return;
    }
  snprintf (words, sizeof words, "%s The raw trace is in %.200s.", answer->words, action->path);
  end_action (action, false, words);
}

static void
take_part (KymoAction          *action,
           uint32_t             rank,
           const KymoActAnswer *answer)
{
  bool good = answer->kind == KYMO_ACT_DONE || answer->kind == KYMO_ACT_READY;

  action->waits[rank / 8] &= (uint8_t) ~(1 << rank % 8);
  action->n_waits--;
  action->n_done += good && action->phase == PHASE_WORKING;
  if (action->phase == PHASE_WORKING)
    action->count += good ? answer->count : 0;
  else if (answer->count > action->count)
    action->count = answer->count;
  note_remark (action, rank, answer->words);
  if (action->phase == PHASE_PREPARING && !good)
    {
      char words[KYMO_ACT_MOST_WORDS + 16];
      snprintf (words, sizeof words, "Not done: %s.", action->remark);
      refuse_step (action, words);
    }
  else if (action->n_waits > 0)
    return;
  else if (action->phase == PHASE_PREPARING)
    commit_step (action);
  else if (action->phase == PHASE_COMMITTED)
    end_step (action);
  else
    end_work (action);
}

/**
 * kymo_act_take_answer: a process has answered. On the helper thread of rank 0.
 */
void
kymo_act_take_answer (uint32_t    from,
                      const void *bytes,
                      uint32_t    n_bytes)
{
  KymoActAnswer answer;

  if (n_bytes != sizeof answer || from >= n_ranks)
    return;
  memcpy (&answer, bytes, sizeof answer);
  answer.words[sizeof answer.words - 1] = '\0';
  KymoAction *action = find_action (answer.number);
  if (action == NULL)
    return;
  if (answer.kind == KYMO_ACT_WRITTEN && action->phase == PHASE_CONVERTING && from == 0)
    end_archive (action, &answer);
  else if (answer.kind != KYMO_ACT_WRITTEN && action->phase >= PHASE_PREPARING
           && action->phase <= PHASE_WORKING && (action->waits[from / 8] >> from % 8 & 1) != 0)
    take_part (action, from, &answer);
}

/**
 * kymo_act_take_lost: a process is lost, or back. On the helper thread of rank 0.
 */
void
kymo_act_take_lost (uint32_t    from,
                    const void *bytes,
                    uint32_t    n_bytes)
{
  static const KymoActAnswer answer = { .kind = KYMO_ACT_REFUSED, .words = "is gone" };
  KymoLiveLost lost;

  if (n_bytes != sizeof lost)
    return;
  memcpy (&lost, bytes, sizeof lost);
  if (lost.rank >= n_ranks || gone == NULL)
    return;
  gone[lost.rank / 8] &= (uint8_t) ~(1 << lost.rank % 8);
  gone[lost.rank / 8] |= (uint8_t) ((lost.is_lost != 0) << lost.rank % 8);
  for (unsigned i = 0; lost.is_lost != 0 && i < KYMO_ACT_MOST_ACTIONS; i++)
    if (actions[i].phase >= PHASE_PREPARING && actions[i].phase <= PHASE_WORKING
        && (actions[i].waits[lost.rank / 8] >> lost.rank % 8 & 1) != 0)
      take_part (&actions[i], lost.rank, &answer);
}

/* The program ends: what rank 0 has not done in its course will not be done; of what it has done
 * the other ranks may have still to tell. */
static void
end_with_program (KymoAction *action,
                  int64_t     now)
{
  bool is_step = action->phase >= PHASE_QUEUED && action->phase <= PHASE_COMMITTED;

  if (action->phase == PHASE_COMMITTED && (action->waits[0] & 1) == 0 && action->until_ns == 0)
    action->until_ns = now + LATE_NS;
  else if (is_step && (action->phase != PHASE_COMMITTED || (action->waits[0] & 1) != 0
                       || now > action->until_ns))
    end_action (action, false, "The program has ended before.");
  else if (action->kind == KYMO_ACT_MARKER)
    end_work (action);
}

/**
 * kymo_act_root_work: looks who has not answered in time.
 */
void
kymo_act_root_work (void)
{
  int64_t now = now_ns ();

  for (unsigned i = 0; i < KYMO_ACT_MOST_ACTIONS; i++)
    {
      KymoAction *action = &actions[i];
      bool is_late = action->until_ns != 0 && now > action->until_ns;
      char words[128];
      if (action->phase == PHASE_PREPARING && is_late)
        {
          snprintf (words, sizeof words, "Not done: rank %u does not answer.",
                    find_silent (action));
          refuse_step (action, words);
        }
      else if (action->phase == PHASE_WORKING && is_late)
        end_work (action);
      else if (has_seen_end && action->phase != PHASE_FREE)
        end_with_program (action, now);
    }
  /* Answers that rank 0 gave before it ended are taken first. */
  if (atomic_load (&is_ending) != 0 && !has_seen_end)
    {
      has_seen_end = true;
      kymo_live_wake ();
    }
}

/* -- for requests ------------------------------------------------------------- */

/**
 * kymo_act_root_start: the job is complete.
 */
void
kymo_act_root_start (uint32_t n_processes)
{
  n_ranks = n_processes;
  gone = kymo_sys_map ((n_ranks + 7) / 8, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/**
 * kymo_act_n_ranks: of the job.
 */
uint32_t
kymo_act_n_ranks (void)
{
  return n_ranks;
}

/**
 * kymo_act_place:
 * @is_long: for a trace or a profile
 * @refusal: (out): why there is none, a static sentence
 *
 * Returns: an action with its number; kymo_act_accept() or kymo_act_drop() follows. NULL if there
 *   is none
 */
KymoAction *
kymo_act_place (bool         is_long,
                const char **refusal)
{
  unsigned n_long = 0;
  KymoAction *place = NULL;

  for (unsigned i = 0; i < KYMO_ACT_MOST_ACTIONS; i++)
    {
      n_long += actions[i].phase != PHASE_FREE && actions[i].kind <= KYMO_ACT_PROFILE;
      if (actions[i].phase == PHASE_FREE)
        place = &actions[i];
    }
  *refusal = "Too many actions are under way.";
  if (place == NULL || (is_long && n_long >= MOST_LONG))
    return NULL;
  *refusal = "The program ends, or recording has stopped.";
  if (atomic_load (&is_ending) != 0 || !kymo_rec_is_awake ())
    return NULL;
  *refusal = "There is no memory.";
  place->waits = kymo_sys_map ((n_ranks + 7) / 8, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  place->number = n_actions + 1;
  return place->waits != NULL ? place : NULL;
}

/**
 * kymo_act_drop: the action is refused.
 */
void
kymo_act_drop (KymoAction *action)
{
  kymo_sys_unmap (action->waits, (n_ranks + 7) / 8);
  memset (action, 0, sizeof *action);
}

/**
 * kymo_act_accept: the action is under way.
 */
void
kymo_act_accept (KymoAction *action)
{
  n_actions = action->number;
  atomic_fetch_add (&n_under_way, 1);
}

/**
 * kymo_act_list_under_way: a line for each action that is under way.
 * @tell: is given each
 */
void
kymo_act_list_under_way (void (*tell) (KymoActLine *line))
{
  for (unsigned i = 0; i < KYMO_ACT_MOST_ACTIONS; i++)
    if (actions[i].phase != PHASE_FREE)
      tell_state (&actions[i], "running", phase_words (&actions[i]), "", tell);
}

/**
 * kymo_act_root_announce: tells all clients of an action that has just begun.
 */
void
kymo_act_root_announce (uint32_t number)
{
  KymoAction *action = find_action (number);

  if (action != NULL && action->phase != PHASE_QUEUED)
    tell_state (action, "running", phase_words (action), "", kymo_act_broadcast);
  begin_next_step ();
  if (action != NULL && action->phase == PHASE_QUEUED)
    tell_state (action, "running", phase_words (action), "", kymo_act_broadcast);
}

/**
 * kymo_act_root_finish: the program ends: waits until what is under way has ended, at most 20 s.
 * On the thread that ends the program.
 */
void
kymo_act_root_finish (void)
{
  KymoActOrder order = { .kind = KYMO_ACT_HURRY };
  uint64_t until_ns = kymo_rec_monotonic_ns () + END_NS, time_ns;
  uint32_t n;

  atomic_store (&is_ending, 1);
  if (atomic_load (&n_under_way) == 0)
    return;
  kymo_live_tell_all (KYMO_LIVE_ORDER, &order, sizeof order);
  while ((n = atomic_load (&n_under_way)) > 0 && (time_ns = kymo_rec_monotonic_ns ()) < until_ns)
    {
      kymo_live_wake ();
      kymo_sys_sleep_on (&n_under_way, n, until_ns - time_ns < 500000000u ? until_ns - time_ns
                         : 500000000u);
    }
}
