/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rank 0: what clients may ask for, and how it begins.
 */
#include <stdio.h>
#include <string.h>

#include "kymo-act-root.h"
#include "kymo-live.h"
#include "kymo-rec.h"
#include "kymo-sample.h"

#define LEAST_TRACE_NS 10000000
#define MOST_TRACE_NS 3600000000000
#define USUAL_TRACE_NS 5000000000
#define AHEAD_NS 20000000       /* a trace begins that much later, on all ranks */
#define PATIENCE_NS 10000000000 /* for the parts of the ranks */
#define MARKER_NS 5000000000    /* and for a marker */

static uint32_t sampling_hz = UINT32_MAX;       /* that was asked for last */
static uint8_t *chosen;         /* an order with a set of ranks behind it */

static int64_t
now_ns (void)
{
  uint64_t ticks;

  return kymo_live_now_ns (&ticks);
}

static void
list_action (const char  *name,
             const char  *title,
             const char **arguments,
             void       (*tell) (KymoActLine *line))
{
  static KymoActLine line;

  kymo_act_line_begin (&line, "action");
  kymo_act_line_add (&line, name);
  kymo_act_line_add (&line, title);
  kymo_act_line_add (&line, strcmp (name, "marker") == 0 ? "" : "long");
  for (; *arguments != NULL; arguments++)
    kymo_act_line_add (&line, *arguments);
  kymo_act_line_end (&line);
  tell (&line);
}

/**
 * kymo_act_root_list: what can be done, and what is under way, as lines of the protocol.
 * @tell: is given each
 */
void
kymo_act_root_list (void (*tell) (KymoActLine *line))
{
  char ranks[40], idlest[40], busiest[40], time[80], sampling[40];
  uint32_t n_ranks = kymo_act_n_ranks (), most = n_ranks < 8 ? n_ranks : 8;

  snprintf (ranks, sizeof ranks, "ranks=ranks:%u", n_ranks);
  snprintf (idlest, sizeof idlest, "idlest=integer:1:%u:1", most);
  snprintf (busiest, sizeof busiest, "busiest=integer:1:%u:1", most);
  snprintf (time, sizeof time, "for=time:%lld:%lld:%lld", (long long) LEAST_TRACE_NS,
            (long long) MOST_TRACE_NS, (long long) USUAL_TRACE_NS);
  list_action ("trace", "Trace ranks", (const char *[]) { ranks, idlest, busiest, time, NULL },
               tell);
  list_action ("profile", "Profile now", (const char *[]) { NULL }, tell);
  list_action ("marker", "Set a marker", (const char *[]) { "text=text:200", NULL }, tell);
  snprintf (sampling, sizeof sampling, "hz=integer:0:%u:%u", KYMO_SAMPLE_MOST_HZ,
            sampling_hz != UINT32_MAX ? sampling_hz : kymo_rec_options ()->sample_hz);
  list_action ("sampling", "Sampling", (const char *[]) { sampling, NULL }, tell);
  kymo_act_list_steps (tell);
  kymo_act_list_under_way (tell);
}

/* The ranks that are to be traced, into `chosen`. FALSE, and why, if there are none. */
static bool
choose_ranks (char *const *fields,
              int          n_fields,
              char        *words)
{
  const char *ranks = kymo_act_line_value (fields, n_fields, "ranks"), *text;
  const char *idlest = kymo_act_line_value (fields, n_fields, "idlest");
  const char *busiest = kymo_act_line_value (fields, n_fields, "busiest");
  uint8_t *set = chosen + sizeof (KymoActOrder);
  uint32_t n_ranks = kymo_act_n_ranks (), n_chosen, found[8];
  int64_t n;

  if ((ranks != NULL) + (idlest != NULL) + (busiest != NULL) != 1)
    {
      snprintf (words, KYMO_ACT_MOST_WORDS, "One of ranks, idlest and busiest is needed.");
      return false;
    }
  if (ranks != NULL)
    {
      if (kymo_act_parse_ranks (ranks, n_ranks, set, &n_chosen))
        return true;
      snprintf (words, KYMO_ACT_MOST_WORDS, "“%.40s” is no list of ranks from 0 to %u.", ranks,
                n_ranks - 1);
      return false;
    }
  text = idlest != NULL ? idlest : busiest;
  if (!kymo_act_parse_integer (text, 1, n_ranks < 8 ? n_ranks : 8, &n))
    snprintf (words, KYMO_ACT_MOST_WORDS, "“%.40s” is no number of ranks from 1 to %u.", text,
              n_ranks < 8 ? n_ranks : 8);
  else if ((n_chosen = kymo_live_extreme (busiest != NULL, (uint32_t) n, found)) == 0)
    snprintf (words, KYMO_ACT_MOST_WORDS, "The loads of the ranks are not known yet.");
  else
    {
      memset (set, 0, (n_ranks + 7) / 8);
      for (uint32_t i = 0; i < n_chosen; i++)
        if (found[i] < n_ranks)
          set[found[i] / 8] |= (uint8_t) (1 << found[i] % 8);
      return true;
    }
  return false;
}

static bool
begin_trace (KymoAction  *action,
             char *const  *fields,
             int           n_fields,
             char         *words)
{
  const char *text = kymo_act_line_value (fields, n_fields, "for");
  uint64_t for_ns = USUAL_TRACE_NS;
  KymoActOrder order = { .kind = KYMO_ACT_TRACE, .number = action->number };

  if (text != NULL && (!kymo_rec_parse_time (text, &for_ns) || for_ns < LEAST_TRACE_NS
                       || for_ns > MOST_TRACE_NS))
    {
      snprintf (words, KYMO_ACT_MOST_WORDS, "“%.40s” is no time from 10ms to 1h.", text);
      return false;
    }
  if (!choose_ranks (fields, n_fields, words))
    return false;
  order.begin_ns = now_ns () + AHEAD_NS;
  order.end_ns = order.begin_ns + (int64_t) for_ns;
  memcpy (chosen, &order, sizeof order);
  kymo_act_expect (action, chosen + sizeof order, order.end_ns + PATIENCE_NS);
  kymo_act_path (action->number, "trace", action->path, sizeof action->path);
  if (kymo_live_tell_all (KYMO_LIVE_ORDER, chosen,
                          (uint32_t) sizeof order + (kymo_act_n_ranks () + 7) / 8))
    return true;
  snprintf (words, KYMO_ACT_MOST_WORDS, "The ranks cannot be told.");
  return false;
}

static bool
begin_profile (KymoAction *action,
               char   *words)
{
  kymo_act_expect (action, NULL, now_ns () + PATIENCE_NS);
  kymo_act_path (action->number, "profile", action->path, sizeof action->path);
  if (kymo_act_tell_order (action, KYMO_ACT_PROFILE, 0))
    return true;
  snprintf (words, KYMO_ACT_MOST_WORDS, "The ranks cannot be told.");
  return false;
}

static bool
begin_marker (KymoAction  *action,
              char *const *fields,
              int          n_fields,
              char        *words)
{
  const char *text = kymo_act_line_value (fields, n_fields, "text");
  KymoActOrder order = { .kind = KYMO_ACT_MARKER, .number = action->number };
  uint8_t bytes[sizeof order + 200];

  if (text == NULL || text[0] == '\0' || strlen (text) > 200)
    {
      snprintf (words, KYMO_ACT_MOST_WORDS, "A text of at most 200 bytes is needed.");
      return false;
    }
  memcpy (bytes, &order, sizeof order);
  memcpy (bytes + sizeof order, text, strlen (text));
  kymo_act_expect (action, NULL, now_ns () + MARKER_NS);
  if (kymo_live_tell_all (KYMO_LIVE_ORDER, bytes, (uint32_t) (sizeof order + strlen (text))))
    return true;
  snprintf (words, KYMO_ACT_MOST_WORDS, "The ranks cannot be told.");
  return false;
}

static bool
begin_sampling (KymoAction  *action,
                char *const *fields,
                int          n_fields,
                char        *words)
{
  const char *text = kymo_act_line_value (fields, n_fields, "hz");
  int64_t hz;

  if (text == NULL || !kymo_act_parse_integer (text, 0, KYMO_SAMPLE_MOST_HZ, &hz))
    {
      snprintf (words, KYMO_ACT_MOST_WORDS, "hz must be a whole number from 0 to %u.",
                KYMO_SAMPLE_MOST_HZ);
      return false;
    }
  kymo_act_expect (action, NULL, now_ns () + MARKER_NS);
  if (kymo_act_tell_order (action, KYMO_ACT_SAMPLE, (uint64_t) hz))
    {
      sampling_hz = (uint32_t) hz;
      return true;
    }
  snprintf (words, KYMO_ACT_MOST_WORDS, "The ranks cannot be told.");
  return false;
}

static bool
begin_action (KymoAction  *action,
              char *const *fields,
              int          n_fields,
              char        *words)
{
  const char *name = fields[0];

  action->phase = PHASE_WORKING;
  if (strcmp (name, "trace") == 0)
    return (action->kind = KYMO_ACT_TRACE, begin_trace (action, fields, n_fields, words));
  if (strcmp (name, "profile") == 0)
    return (action->kind = KYMO_ACT_PROFILE, begin_profile (action, words));
  if (strcmp (name, "marker") == 0)
    return (action->kind = KYMO_ACT_MARKER, begin_marker (action, fields, n_fields, words));
  if (strcmp (name, "sampling") == 0)
    return (action->kind = KYMO_ACT_SAMPLE, begin_sampling (action, fields, n_fields, words));
  action->kind = KYMO_ACT_PREPARE;
  action->phase = PHASE_QUEUED;
  return kymo_act_find_step (name, kymo_act_line_value (fields, n_fields, "value"), &action->step,
                             words);
}

/**
 * kymo_act_root_do: begins an action.
 * @fields: its name, and its arguments
 * @number: (out): of the action
 * @words: (out): KYMO_ACT_MOST_WORDS bytes: why it is refused, as a sentence
 *
 * Returns: FALSE if it is refused
 */
bool
kymo_act_root_do (char *const *fields,
                  int          n_fields,
                  uint32_t    *number,
                  char        *words)
{
  const char *name = n_fields > 0 ? fields[0] : "", *refusal = "An action is needed.";
  bool is_long = strcmp (name, "trace") == 0 || strcmp (name, "profile") == 0;
  KymoAction *action = NULL;

  if (chosen == NULL)
    chosen = kymo_rec_arena (sizeof (KymoActOrder) + (kymo_act_n_ranks () + 7) / 8);
  if (chosen == NULL)
    refusal = "There is no memory.";
  else if (strlen (name) >= sizeof action->name)
    refusal = "There is no such action.";
  else if (name[0] != '\0')
    action = kymo_act_place (is_long, &refusal);
  snprintf (words, KYMO_ACT_MOST_WORDS, "%s", refusal);
  if (action == NULL)
    return false;
  strcpy (action->name, name);
  *number = action->number;
  if (begin_action (action, fields, n_fields, words))
    kymo_act_accept (action);
  else
    kymo_act_drop (action);
  return action->phase != PHASE_FREE;
}
