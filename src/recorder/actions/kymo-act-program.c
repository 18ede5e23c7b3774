/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program registered with <kymo-record.h>, and how it is done at a safe point.
 *
 * Rank 0 has one step done at a time. Where it is to be done in the same call on all ranks, they
 * agree without MPI: each rank is told to prepare, says how many calls it has made so far, and
 * from now on stops in its next call; rank 0 takes the most of these numbers and one more, and
 * tells all of them. So no rank can have passed that call, and those that stopped too early go on.
 */
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <string.h>

#include "kymo-act-order.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define EXPORTED __attribute__ ((visibility ("default")))
#define MOST_ENTRIES 64
#define MOST_CHOICES 256
#define TOGETHER 1u             /* KYMO_RECORD_TOGETHER */
/* How long a call waits for rank 0, which gives up sooner. */
#define GATE_PATIENCE_NS 15000000000u

typedef enum { TYPE_INTEGER, TYPE_REAL, TYPE_CHOICE, TYPE_ACTION } Type;

typedef struct
{
  char name[KYMO_ACT_MOST_NAME];
  Type type;
  bool is_together;
  void *value;
  long long least, most;
  double least_real, most_real;
  char choices[MOST_CHOICES];
  void (*function) (void *data);
  void *data;
} Entry;

enum { STEP_NONE, STEP_PREPARED, STEP_COMMITTED };

static KymoSysLock lock;        /* of all below but the counts */
static Entry entries[MOST_ENTRIES];
static unsigned n_entries;
static void (*checkpoint) (int ends, void *data);
static void *checkpoint_data;
static KymoActStep step;
static uint32_t step_number;
static uint64_t step_count;     /* the call in which it is done; 0 = the next one */
static bool is_ending;          /* the program was told to end */
static _Atomic uint32_t step_state, step_turn;
static _Atomic uint64_t n_points[2];

EXPORTED void kymo_recorder_integer (const char *name, long long *value, long long least,
                                     long long most, unsigned flags);
EXPORTED void kymo_recorder_real (const char *name, double *value, double least, double most,
                                  unsigned flags);
EXPORTED void kymo_recorder_choice (const char *name, int *value, const char *words,
                                    unsigned flags);
EXPORTED void kymo_recorder_action (const char *name, void (*function) (void *data), void *data,
                                    unsigned flags);
EXPORTED void kymo_recorder_on_checkpoint (void (*function) (int ends, void *data), void *data);
EXPORTED int  kymo_recorder_point (int is_checkpoint);

/* -- what is registered ------------------------------------------------------- */

/* Adds an entry, or takes the place of that with its name. */
static void
add_entry (const char  *name,
           const Entry *entry)
{
  unsigned i = 0;

  if (name == NULL || name[0] == '\0' || strlen (name) >= KYMO_ACT_MOST_NAME
      || strchr (name, ':') != NULL)
    return;
  kymo_sys_lock (&lock);
  while (i < n_entries && strcmp (entries[i].name, name) != 0)
    i++;
  if (i < MOST_ENTRIES)
    {
      entries[i] = *entry;
      strcpy (entries[i].name, name);
      n_entries = i == n_entries ? i + 1 : n_entries;
    }
  kymo_sys_unlock (&lock);
}

/**
 * kymo_recorder_integer: kymo_record_integer() of <kymo-record.h>.
 */
void
kymo_recorder_integer (const char *name,
                       long long  *value,
                       long long   least,
                       long long   most,
                       unsigned    flags)
{
  if (value != NULL && least <= most)
    add_entry (name, &(Entry) { .type = TYPE_INTEGER, .value = value, .least = least,
                                .most = most, .is_together = (flags & TOGETHER) != 0 });
}

/**
 * kymo_recorder_real: kymo_record_real() of <kymo-record.h>.
 */
void
kymo_recorder_real (const char *name,
                    double     *value,
                    double      least,
                    double      most,
                    unsigned    flags)
{
  if (value != NULL && least <= most)
    add_entry (name, &(Entry) { .type = TYPE_REAL, .value = value, .least_real = least,
                                .most_real = most, .is_together = (flags & TOGETHER) != 0 });
}

/**
 * kymo_recorder_choice: kymo_record_choice() of <kymo-record.h>.
 */
void
kymo_recorder_choice (const char *name,
                      int        *value,
                      const char *words,
                      unsigned    flags)
{
  Entry entry = { .type = TYPE_CHOICE, .value = value, .is_together = (flags & TOGETHER) != 0 };

  if (value == NULL || words == NULL || words[0] == '\0' || strlen (words) >= MOST_CHOICES)
    return;
  strcpy (entry.choices, words);
  for (const char *at = words; (at = strchr (at, '|')) != NULL; at++)
    entry.most++;
  add_entry (name, &entry);
}

/**
 * kymo_recorder_action: kymo_record_action() of <kymo-record.h>.
 */
void
kymo_recorder_action (const char  *name,
                      void       (*function) (void *data),
                      void        *data,
                      unsigned     flags)
{
  if (function != NULL)
    add_entry (name, &(Entry) { .type = TYPE_ACTION, .function = function, .data = data,
                                .is_together = (flags & TOGETHER) != 0 });
}

/**
 * kymo_recorder_on_checkpoint: kymo_record_on_checkpoint() of <kymo-record.h>.
 */
void
kymo_recorder_on_checkpoint (void (*function) (int ends, void *data),
                             void  *data)
{
  kymo_sys_lock (&lock);
  checkpoint = function;
  checkpoint_data = data;
  kymo_sys_unlock (&lock);
}

/* What is to be equal on all ranks. */
static uint64_t
hash_entry (const Entry *entry)
{
  uint64_t hash = 0xcbf29ce484222325u;
  char text[KYMO_ACT_MOST_NAME + MOST_CHOICES + 160];

  snprintf (text, sizeof text, "%s\t%d\t%d\t%lld\t%lld\t%a\t%a\t%s", entry->name, entry->type,
            entry->is_together, entry->least, entry->most, entry->least_real, entry->most_real,
            entry->choices);
  for (const char *at = text; *at != '\0'; at++)
    hash = (hash ^ (unsigned char) *at) * 0x100000001b3u;
  return hash;
}

/* The word of a choice; its end is at @end. */
static const char *
find_word (const Entry *entry,
           long long    place,
           size_t      *length)
{
  const char *at = entry->choices;

  for (; place > 0 && strchr (at, '|') != NULL; place--)
    at = strchr (at, '|') + 1;
  *length = strcspn (at, "|");
  return at;
}

static void
put_range (KymoActLine *line,
           const Entry *entry)
{
  char text[160], word[MOST_CHOICES];
  size_t length;

  if (entry->type == TYPE_INTEGER)
    snprintf (text, sizeof text, "value=integer:%lld:%lld:%lld", entry->least, entry->most,
              __atomic_load_n ((long long *) entry->value, __ATOMIC_RELAXED));
  else if (entry->type == TYPE_REAL)
    {
      double value;
      __atomic_load ((double *) entry->value, &value, __ATOMIC_RELAXED);
      snprintf (text, sizeof text, "value=real:%.17g:%.17g:%.17g", entry->least_real,
                entry->most_real, value);
    }
  else
    {
      const char *at = find_word (entry, __atomic_load_n ((int *) entry->value, __ATOMIC_RELAXED),
                                  &length);
      kymo_act_line_open (line);
      kymo_act_line_piece (line, "value=choice:", "");
      snprintf (word, sizeof word, "%.*s", (int) length, at);
      kymo_act_line_piece (line, word, ":");
      kymo_act_line_piece (line, ":", "");
      kymo_act_line_piece (line, entry->choices, ":");
      return;
    }
  kymo_act_line_add (line, text);
}

static void
list_entry (const Entry *entry,
            void       (*tell) (KymoActLine *line))
{
  static KymoActLine line;
  char name[KYMO_ACT_MOST_NAME + 8];

  snprintf (name, sizeof name, "%s:%s", entry->type == TYPE_ACTION ? "call" : "set", entry->name);
  kymo_act_line_begin (&line, "action");
  kymo_act_line_add (&line, name);
  kymo_act_line_add (&line, entry->name);
  kymo_act_line_add (&line, entry->is_together ? "program together long" : "program long");
  if (entry->type != TYPE_ACTION)
    put_range (&line, entry);
  kymo_act_line_end (&line);
  tell (&line);
}

static void
list_plain (const char  *name,
            const char  *title,
            const char  *refusal,
            void       (*tell) (KymoActLine *line))
{
  static KymoActLine line;

  kymo_act_line_begin (&line, refusal == NULL ? "action" : "refused");
  kymo_act_line_add (&line, name);
  kymo_act_line_add (&line, title);
  kymo_act_line_add (&line, refusal == NULL ? "together long" : refusal);
  kymo_act_line_end (&line);
  tell (&line);
}

/**
 * kymo_act_list_steps: what can be done at a safe point, as lines of the protocol. On the helper
 * thread of rank 0.
 * @tell: is given each
 */
void
kymo_act_list_steps (void (*tell) (KymoActLine *line))
{
  kymo_sys_lock (&lock);
  bool has_function = checkpoint != NULL, calls = atomic_load (&n_points[1]) > 0;
  list_plain ("checkpoint", "Write a checkpoint", has_function ? NULL
              : "The program has no checkpoint function (kymo_record_on_checkpoint).", tell);
  list_plain ("end-at-checkpoint", "End at the next checkpoint", has_function || calls ? NULL
              : "The program has told of no checkpoint (kymo_record_checkpoint).", tell);
  for (unsigned i = 0; i < n_entries; i++)
    list_entry (&entries[i], tell);
  kymo_sys_unlock (&lock);
}

static const Entry *
find_entry (const char *name)
{
  for (unsigned i = 0; i < n_entries; i++)
    if (strcmp (entries[i].name, name) == 0)
      return &entries[i];
  return NULL;
}

static bool
parse_choice (const Entry *entry,
              const char  *text,
              int64_t     *place)
{
  for (*place = 0; *place <= entry->most; ++*place)
    {
      size_t length;
      const char *word = find_word (entry, *place, &length);
      if (strlen (text) == length && memcmp (word, text, length) == 0)
        return true;
    }
  return false;
}

/* The value of a parameter. FALSE, and why, if it is none. */
static bool
parse_value (const Entry *entry,
             const char  *text,
             KymoActStep *made,
             char        *words)
{
  if (text == NULL)
    snprintf (words, KYMO_ACT_MOST_WORDS, "A value is needed.");
  else if (entry->type == TYPE_CHOICE && !parse_choice (entry, text, &made->integer))
    snprintf (words, KYMO_ACT_MOST_WORDS, "“%.40s” is none of the words %.200s.", text,
              entry->choices);
  else if (entry->type == TYPE_INTEGER
           && !kymo_act_parse_integer (text, entry->least, entry->most, &made->integer))
    snprintf (words, KYMO_ACT_MOST_WORDS, "“%.40s” is no whole number from %lld to %lld.", text,
              entry->least, entry->most);
  else if (entry->type == TYPE_REAL
           && !kymo_act_parse_real (text, entry->least_real, entry->most_real, &made->real))
    snprintf (words, KYMO_ACT_MOST_WORDS, "“%.40s” is no number from %g to %g.", text,
              entry->least_real, entry->most_real);
  else
    return true;
  return false;
}

static bool
find_checkpoint (bool         ends,
                 KymoActStep *made,
                 char        *words)
{
  bool calls = atomic_load (&n_points[1]) > 0;

  made->kind = ends ? KYMO_ACT_END : KYMO_ACT_CHECKPOINT;
  made->is_together = 1;
  made->is_at_checkpoint = ends && calls;
  if (checkpoint != NULL || made->is_at_checkpoint)
    return true;
  snprintf (words, KYMO_ACT_MOST_WORDS, "The program has no checkpoints.");
  return false;
}

/**
 * kymo_act_find_step: makes a step of a request. On rank 0.
 * @action: checkpoint, end-at-checkpoint, set:NAME or call:NAME
 * @value: (nullable): for set:NAME
 * @made: (out): the step
 * @words: (out): KYMO_ACT_MOST_WORDS bytes; why there is none, as a sentence
 *
 * Returns: FALSE if there is none
 */
bool
kymo_act_find_step (const char  *action,
                    const char  *value,
                    KymoActStep *made,
                    char        *words)
{
  const char *name = strchr (action, ':');
  bool good = false;

  memset (made, 0, sizeof *made);
  kymo_sys_lock (&lock);
  const Entry *entry = name != NULL ? find_entry (name + 1) : NULL;
  if (name == NULL && strcmp (action, "checkpoint") == 0)
    good = find_checkpoint (false, made, words);
  else if (name == NULL && strcmp (action, "end-at-checkpoint") == 0)
    good = find_checkpoint (true, made, words);
  else if (entry == NULL
           || strncmp (action, entry->type == TYPE_ACTION ? "call:" : "set:",
                       (size_t) (name - action) + 1) != 0)
    snprintf (words, KYMO_ACT_MOST_WORDS, "There is no action “%.80s”.", action);
  else
    {
      made->kind = entry->type == TYPE_ACTION ? KYMO_ACT_CALL : KYMO_ACT_SET;
      made->is_together = entry->is_together;
      made->hash = hash_entry (entry);
      strcpy (made->name, entry->name);
      good = entry->type == TYPE_ACTION || parse_value (entry, value, made, words);
    }
  kymo_sys_unlock (&lock);
  return good;
}

/* -- steps -------------------------------------------------------------------- */

static void
set_state (uint32_t state)
{
  atomic_store (&step_state, state);
  atomic_fetch_add (&step_turn, 1);
  kymo_sys_wake (&step_turn);
}

/* Why this process cannot do a step, or NULL. */
static const char *
find_objection (const KymoActStep *asked)
{
  const Entry *entry = find_entry (asked->name);

  if (asked->kind == KYMO_ACT_SET || asked->kind == KYMO_ACT_CALL)
    return entry == NULL ? "has not registered it"
           : hash_entry (entry) != asked->hash ? "has registered it with another type or range"
           : NULL;
  return checkpoint == NULL && !asked->is_at_checkpoint ? "has no checkpoint function" : NULL;
}

/**
 * kymo_act_prepare: rank 0 wants a step to be done. On the helper thread.
 */
void
kymo_act_prepare (uint32_t           number,
                  const KymoActStep *asked)
{
  kymo_sys_lock (&lock);
  const char *objection = find_objection (asked);
  if (objection == NULL)
    {
      step = *asked;
      step.name[sizeof step.name - 1] = '\0';
      step_number = number;
      /* Calls look at the state after they have counted themselves. */
      set_state (asked->is_together ? STEP_PREPARED : STEP_NONE);
    }
  uint64_t count = atomic_load (&n_points[asked->is_at_checkpoint != 0]);
  kymo_sys_unlock (&lock);
  kymo_act_answer (number, objection == NULL ? KYMO_ACT_READY : KYMO_ACT_REFUSED, count,
                   objection != NULL ? objection : "");
}

/**
 * kymo_act_commit: the step is done. On the helper thread.
 * @count: in which call; 0 = in the next one
 */
void
kymo_act_commit (uint32_t number,
                 uint64_t count)
{
  kymo_sys_lock (&lock);
  bool known = number == step_number;
  if (known && (!step.is_together || atomic_load (&step_state) == STEP_PREPARED))
    {
      step_count = count;
      set_state (STEP_COMMITTED);
    }
  else
    known = false;
  kymo_sys_unlock (&lock);
  if (!known)
    kymo_act_answer (number, KYMO_ACT_REFUSED, 0, "waited too long for rank 0 and went on");
}

/**
 * kymo_act_abort: the step is not done. On the helper thread.
 */
void
kymo_act_abort (uint32_t number)
{
  kymo_sys_lock (&lock);
  if (number == step_number)
    {
      step_number = 0;
      set_state (STEP_NONE);
    }
  kymo_sys_unlock (&lock);
}

/* Where the time goes that a call waits. */
static void
wait_at_gate (void)
{
  static _Atomic uint32_t region = KYMO_RAW_NONE;
  uint64_t until_ns = kymo_rec_monotonic_ns () + GATE_PATIENCE_NS, now_ns;
  KymoRecThread *thread = kymo_rec_begin ();

  if (thread != NULL && atomic_load (&region) == KYMO_RAW_NONE)
    atomic_store (&region, kymo_rec_region ("kymo_record_poll: waiting for all ranks",
                                            OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_USER, NULL,
                                            0));
  if (thread != NULL)
    kymo_rec_enter (thread, atomic_load (&region), kymo_rec_now ());
  for (;;)
    {
      uint32_t turn = atomic_load (&step_turn);
      now_ns = kymo_rec_monotonic_ns ();
      if (atomic_load (&step_state) != STEP_PREPARED || now_ns >= until_ns)
        break;
      kymo_sys_sleep_on (&step_turn, turn, until_ns - now_ns);
    }
  if (thread != NULL)
    kymo_rec_leave (thread, atomic_load (&region), kymo_rec_now ());
  kymo_rec_end ();
  kymo_sys_lock (&lock);
  if (atomic_load (&step_state) == STEP_PREPARED)
    {
      step_number = 0;
      set_state (STEP_NONE);
    }
  kymo_sys_unlock (&lock);
}

/* Takes the step, if it is to be done in this call. */
static bool
take_step (bool         is_checkpoint,
           uint64_t     count,
           KymoActStep *taken,
           Entry       *entry,
           uint32_t    *number)
{
  bool due = false;

  kymo_sys_lock (&lock);
  if (atomic_load (&step_state) == STEP_COMMITTED && (step.is_at_checkpoint != 0) == is_checkpoint
      && (step_count == 0 || step_count <= count))
    {
      const Entry *found = find_entry (step.name);
      due = true;
      *taken = step;
      *number = step_number;
      if (found != NULL)
        *entry = *found;
      is_ending = is_ending || (step.kind == KYMO_ACT_END && is_checkpoint);
      step_number = 0;
      set_state (STEP_NONE);
    }
  kymo_sys_unlock (&lock);
  return due;
}

static void
do_step (const KymoActStep *taken,
         const Entry       *entry,
         bool               is_checkpoint)
{
  if (taken->kind == KYMO_ACT_CALL && entry->function != NULL)
    entry->function (entry->data);
  else if (taken->kind == KYMO_ACT_SET && entry->type == TYPE_INTEGER)
    *(long long *) entry->value = taken->integer;
  else if (taken->kind == KYMO_ACT_SET && entry->type == TYPE_REAL)
    *(double *) entry->value = taken->real;
  else if (taken->kind == KYMO_ACT_SET && entry->type == TYPE_CHOICE)
    *(int *) entry->value = (int) taken->integer;
  else if (taken->kind >= KYMO_ACT_CHECKPOINT && !is_checkpoint && checkpoint != NULL)
    checkpoint (taken->kind == KYMO_ACT_END, checkpoint_data);
}

static __attribute__ ((noinline)) bool
look_for_step (bool     is_checkpoint,
               uint64_t count)
{
  KymoActStep taken;
  Entry entry = { .function = NULL };
  uint32_t number;

  kymo_sys_lock (&lock);
  bool waits = atomic_load (&step_state) == STEP_PREPARED
               && (step.is_at_checkpoint != 0) == is_checkpoint;
  kymo_sys_unlock (&lock);
  if (waits)
    wait_at_gate ();
  if (!take_step (is_checkpoint, count, &taken, &entry, &number))
    return false;
  do_step (&taken, &entry, is_checkpoint);
  kymo_rec_self.depth++;
  kymo_act_answer (number, KYMO_ACT_DONE, count, "");
  kymo_rec_self.depth--;
  return true;
}

/**
 * kymo_recorder_point: kymo_record_poll() and kymo_record_checkpoint() of <kymo-record.h>.
 */
int
kymo_recorder_point (int is_checkpoint)
{
  uint64_t count = atomic_fetch_add (&n_points[is_checkpoint != 0], 1) + 1;
  bool done = false;

  if (__builtin_expect (atomic_load (&step_state) != STEP_NONE, 0))
    done = look_for_step (is_checkpoint != 0, count);
  return is_checkpoint ? is_ending : done;
}
