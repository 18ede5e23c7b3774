/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is chosen of the profile of a run; see kymo-session-profile.h. Main
 * thread only.
 *
 * Invariant: of a session beside another one all of it is the other one's, and
 * signals are emitted by that.
 */
#include "config.h"

#include "kymo-session-private.h"
#include "kymo-session-profile.h"

const char *const kymo_session_options[KYMO_N_OPTIONS] = {
  "metric", "value", "step", "groups", "callpath-depth", "depth-limit",
  "by-phase", "focus", "unit",
};

#define N_ASKED (KYMO_N_OPTIONS - 1)

static int
find_key (const char *key)
{
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    if (g_strcmp0 (kymo_session_options[i], key) == 0)
      return i;
  return -1;
}

/* Returns: whether it is another one now. */
static gboolean
replace (char **place, const char *value)
{
  char *copy;

  if (g_strcmp0 (*place, value) == 0)
    return FALSE;
  copy = g_strdup (value);
  g_free (*place);
  *place = copy;
  return TRUE;
}

/** kymo_session_clear_profile: frees what is chosen */
void
kymo_session_clear_profile (KymoSession *self)
{
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    g_clear_pointer (&self->options[i], g_free);
  g_clear_pointer (&self->function, g_free);
  g_clear_pointer (&self->thread, g_free);
}

/**
 * kymo_session_peek_option:
 * @key: one of those that the head of kymo-session-profile.h lists
 *
 * Returns: (nullable): its value, %NULL where nothing is chosen
 */
const char *
kymo_session_peek_option (KymoSession *self, const char *key)
{
  int index = find_key (key);

  g_return_val_if_fail (index >= 0, NULL);
  return kymo_session_of_names (self)->options[index];
}

/** kymo_session_set_option: @value: (nullable): %NULL chooses nothing */
void
kymo_session_set_option (KymoSession *self, const char *key,
                         const char *value)
{
  int index = find_key (key);

  g_return_if_fail (index >= 0);
  self = kymo_session_of_names (self);
  if (replace (&self->options[index], value))
    kymo_session_emit (self, PROFILE_CHANGED);
}

/**
 * kymo_session_prepare_profile:
 * @question: of a kind that knows metrics; it has gone through
 *   kymo_session_prepare() as well
 */
void
kymo_session_prepare_profile (KymoSession *self, KymoQuestion *question)
{
  self = kymo_session_of_names (self);
  for (guint i = 0; i < N_ASKED; i++)
    if (self->options[i] != NULL
        && (g_strcmp0 (kymo_session_options[i], "focus") != 0
            || g_strcmp0 (kymo_question_get_kind (question), "calltree") == 0))
      kymo_question_set (question, kymo_session_options[i], self->options[i]);
}

/** kymo_session_peek_function: */
const char *
kymo_session_peek_function (KymoSession *self)
{
  return kymo_session_of_names (self)->function;
}

/** kymo_session_set_function: @name: (nullable): %NULL chooses none */
void
kymo_session_set_function (KymoSession *self, const char *name)
{
  self = kymo_session_of_names (self);
  if (replace (&self->function, name))
    kymo_session_emit (self, FUNCTION_CHANGED);
}

/** kymo_session_peek_thread: never %NULL */
const char *
kymo_session_peek_thread (KymoSession *self)
{
  const char *thread = kymo_session_of_names (self)->thread;

  return thread != NULL ? thread : KYMO_THREAD_MEAN;
}

/** kymo_session_set_thread: @of: (nullable): %NULL is the mean of all */
void
kymo_session_set_thread (KymoSession *self, const char *of)
{
  self = kymo_session_of_names (self);
  if (g_strcmp0 (of, KYMO_THREAD_MEAN) == 0)
    of = NULL;
  if (replace (&self->thread, of))
    kymo_session_emit (self, THREAD_CHANGED);
}

/** kymo_session_get_thread_location: */
gint64
kymo_session_get_thread_location (KymoSession *self)
{
  guint64 location;

  if (!g_ascii_string_to_unsigned (kymo_session_peek_thread (self), 10, 0,
                                   G_MAXINT64, &location, NULL))
    return -1;
  return location;
}

/** kymo_session_take_profile: */
void
kymo_session_take_profile (KymoSession *self, KymoSession *other)
{
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    kymo_session_set_option (self, kymo_session_options[i],
                             kymo_session_peek_option (other, kymo_session_options[i]));
  kymo_session_set_function (self, kymo_session_peek_function (other));
  kymo_session_set_thread (self, kymo_session_peek_thread (other));
}

/** kymo_session_has_time: */
gboolean
kymo_session_has_time (KymoSession *self)
{
  return (kymo_source_get_capabilities (self->source)
          & (KYMO_CAN_INTERVALS | KYMO_CAN_BINNED_TIME | KYMO_CAN_ROWS
             | KYMO_CAN_STREAM)) != 0;
}
