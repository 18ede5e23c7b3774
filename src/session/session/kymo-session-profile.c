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

static void
on_options (KymoSession *self)
{
  kymo_session_emit (self, PROFILE_CHANGED);
}

/** kymo_session_clear_profile: frees what is chosen */
void
kymo_session_clear_profile (KymoSession *self)
{
  if (self->options != NULL)
    g_signal_handlers_disconnect_by_func (self->options, on_options, self);
  g_clear_object (&self->options);
  g_clear_pointer (&self->function, g_free);
  g_clear_pointer (&self->thread, g_free);
}

/** kymo_session_peek_options: those of the part with the focus; never %NULL */
KymoProfileOptions *
kymo_session_peek_options (KymoSession *self)
{
  self = kymo_session_of_names (self);
  if (self->options == NULL)
    {
      self->options = kymo_profile_options_new ();
      g_signal_connect_swapped (self->options, "changed", G_CALLBACK (on_options), self);
    }
  return self->options;
}

/** kymo_session_use_options: what is chosen is what is chosen there, from now on */
void
kymo_session_use_options (KymoSession *self, KymoProfileOptions *options)
{
  KymoProfileOptions *before = kymo_session_peek_options (self);
  gboolean same = kymo_profile_options_equal (before, options);

  self = kymo_session_of_names (self);
  if (before == options)
    return;
  g_signal_handlers_disconnect_by_func (before, on_options, self);
  g_object_unref (before);
  self->options = g_object_ref (options);
  g_signal_connect_swapped (options, "changed", G_CALLBACK (on_options), self);
  if (!same)
    kymo_session_emit (self, PROFILE_CHANGED);
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
  return kymo_profile_options_peek (kymo_session_peek_options (self), key);
}

/**
 * kymo_session_set_option:
 * @key: one of kymo_session_options
 * @value: (nullable): copied; %NULL chooses nothing
 *
 * Sets an option of the part of the desk with the focus.
 */
void
kymo_session_set_option (KymoSession *self, const char *key,
                         const char *value)
{
  kymo_profile_options_set (kymo_session_peek_options (self), key, value);
}

/**
 * kymo_session_prepare_profile:
 * @question: of a kind that knows metrics; it has gone through
 *   kymo_session_prepare() as well
 */
void
kymo_session_prepare_profile (KymoSession *self, KymoQuestion *question)
{
  kymo_profile_options_prepare (kymo_session_peek_options (self), question);
}

/**
 * kymo_session_peek_function:
 *
 * Returns: (transfer none) (nullable): the name of the chosen function, shared by sessions beside
 *   each other, valid until "function-changed"; %NULL = none
 */
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
  if (kymo_profile_options_replace (&self->function, name))
    kymo_session_emit (self, FUNCTION_CHANGED);
}

/**
 * kymo_session_peek_thread:
 *
 * Returns: (transfer none): what "of" a question is: a location in digits, or mean, total,
 *   min, …; never %NULL
 */
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
  if (kymo_profile_options_replace (&self->thread, of))
    kymo_session_emit (self, THREAD_CHANGED);
}

/**
 * kymo_session_get_thread_location:
 *
 * Returns: the number of the chosen location; -1 where a statistic of all, such as the mean, is
 *   chosen
 */
gint64
kymo_session_get_thread_location (KymoSession *self)
{
  guint64 location;

  if (!g_ascii_string_to_unsigned (kymo_session_peek_thread (self), 10, 0,
                                   G_MAXINT64, &location, NULL))
    return -1;
  return location;
}

/**
 * kymo_session_take_profile:
 * @other: of the same run; it stays as it is
 *
 * Copies options, function and thread of @other; a signal is emitted for each that is another one.
 */
void
kymo_session_take_profile (KymoSession *self, KymoSession *other)
{
  kymo_profile_options_set_all (
    kymo_session_peek_options (self),
    kymo_profile_options_peek_all (kymo_session_peek_options (other)));
  kymo_session_set_function (self, kymo_session_peek_function (other));
  kymo_session_set_thread (self, kymo_session_peek_thread (other));
}

/**
 * kymo_session_has_time:
 *
 * Returns: whether the source of this session knows what happened when: blocks, binned time, rows
 *   or a stream; a run of profiles does not
 */
gboolean
kymo_session_has_time (KymoSession *self)
{
  return (kymo_source_get_capabilities (self->source)
          & (KYMO_CAN_INTERVALS | KYMO_CAN_BINNED_TIME | KYMO_CAN_ROWS
             | KYMO_CAN_STREAM)) != 0;
}
