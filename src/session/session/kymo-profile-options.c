/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-profile-options.h.
 */
#include "config.h"

#include "kymo-profile-options.h"

#include "kymo-follow.h"

struct _KymoProfileOptions
{
  GObject  parent_instance;

  char    *values[KYMO_N_OPTIONS];     /* NULL = not chosen */
};

G_DEFINE_FINAL_TYPE (KymoProfileOptions, kymo_profile_options, G_TYPE_OBJECT)

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

/**
 * kymo_profile_options_replace:
 * @place: (inout): where a text is held, or %NULL
 * @value: (nullable): copied
 *
 * Returns: whether the text is another one now
 */
gboolean
kymo_profile_options_replace (char **place, const char *value)
{
  char *copy;

  if (g_strcmp0 (*place, value) == 0)
    return FALSE;
  copy = g_strdup (value);
  g_free (*place);
  *place = copy;
  return TRUE;
}

/**
 * kymo_profile_options_peek:
 * @key: one of kymo_session_options
 *
 * Returns: (transfer none) (nullable): the value, valid until it is set anew; %NULL where nothing
 *   is chosen, and, with a critical warning, for another key
 */
const char *
kymo_profile_options_peek (KymoProfileOptions *self, const char *key)
{
  int index = find_key (key);

  g_return_val_if_fail (index >= 0, NULL);
  return self->values[index];
}

/**
 * kymo_profile_options_set:
 * @key: one of kymo_session_options
 * @value: (nullable): copied and not checked; %NULL chooses nothing
 *
 * Emits "changed" where the value is another one than before.
 */
void
kymo_profile_options_set (KymoProfileOptions *self, const char *key, const char *value)
{
  int index = find_key (key);

  g_return_if_fail (index >= 0);
  if (kymo_profile_options_replace (&self->values[index], value))
    g_signal_emit_by_name (self, "changed");
}

/**
 * kymo_profile_options_set_all:
 * @values: a value for each of kymo_session_options, in their order; each
 *   may be %NULL, which chooses nothing
 *
 * Copies all values, and emits "changed" once where any is another one than before.
 */
void
kymo_profile_options_set_all (KymoProfileOptions *self, const char *const *values)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    changed |= kymo_profile_options_replace (&self->values[i], values[i]);
  if (changed)
    g_signal_emit_by_name (self, "changed");
}

/**
 * kymo_profile_options_peek_all:
 *
 * Returns: (transfer none): the %KYMO_N_OPTIONS values in the order of kymo_session_options, %NULL
 *   where nothing is chosen; no terminator behind them. A value is valid until it is set anew.
 */
const char *const *
kymo_profile_options_peek_all (KymoProfileOptions *self)
{
  return (const char *const *) self->values;
}

/**
 * kymo_profile_options_equal:
 *
 * Returns: whether all values are the same, those that are not chosen included
 */
gboolean
kymo_profile_options_equal (KymoProfileOptions *self, KymoProfileOptions *other)
{
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    if (g_strcmp0 (self->values[i], other->values[i]) != 0)
      return FALSE;
  return TRUE;
}

/**
 * kymo_profile_options_prepare:
 * @question: of a kind that knows metrics
 */
void
kymo_profile_options_prepare (KymoProfileOptions *self, KymoQuestion *question)
{
  for (guint i = 0; i < N_ASKED; i++)
    if (self->values[i] != NULL
        && (g_strcmp0 (kymo_session_options[i], "focus") != 0
            || g_strcmp0 (kymo_question_get_kind (question), "calltree") == 0))
      kymo_question_set (question, kymo_session_options[i], self->values[i]);
}

static void
kymo_profile_options_finalize (GObject *object)
{
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    g_free (KYMO_PROFILE_OPTIONS (object)->values[i]);
  G_OBJECT_CLASS (kymo_profile_options_parent_class)->finalize (object);
}

static void
kymo_profile_options_class_init (KymoProfileOptionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_profile_options_finalize;
  kymo_signal_new ("changed", KYMO_TYPE_PROFILE_OPTIONS, 0);
}

static void
kymo_profile_options_init (KymoProfileOptions *self)
{
}

/**
 * kymo_profile_options_new:
 *
 * Returns: (transfer full): options with nothing chosen
 */
KymoProfileOptions *
kymo_profile_options_new (void)
{
  return g_object_new (KYMO_TYPE_PROFILE_OPTIONS, NULL);
}
