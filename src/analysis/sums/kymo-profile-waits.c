/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting as a figure of the functions of a profile, where the question asks for it
 * and the run tells who waited for whom.
 */
#include "config.h"

#include "kymo-profile.h"
#include "kymo-waits.h"

static gboolean
wants (const KymoAsk *ask)
{
  return kymo_question_get_flag (ask->question, "waits")
    && (kymo_capabilities_of (ask->run) & KYMO_CAN_WAITS);
}

/**
 * kymo_profile_wait_needs:
 *
 * Asked once a segment, so it does not look at the whole run for its capabilities: of
 * functions that never wait for each other it tells too much.
 *
 * Returns: what is read besides; 0 where nobody wants it
 */
guint
kymo_profile_wait_needs (const KymoAsk *ask)
{
  return kymo_question_get_flag (ask->question, "waits")
    && ask->run->terms.code == KYMO_CODE_FUNCTION ? KYMO_WAIT_NEEDS : 0;
}

/** kymo_profile_prepare: the prepare of a #KymoAnswerClass; its plan is #KymoWaits, or NULL */
gboolean
kymo_profile_prepare (KymoAsk  *ask,
                      GError  **error)
{
  if (!wants (ask))
    return TRUE;
  ask->plan = (gpointer) kymo_waits_peek (ask, error);
  return ask->plan != NULL;
}

/** kymo_profile_release: the waits are the run's */
void
kymo_profile_release (KymoAsk *ask)
{
  ask->plan = NULL;
}

/**
 * kymo_profile_add_waits:
 *
 * Adds what of the waits of one segment lies inside the range.
 */
void
kymo_profile_add_waits (const KymoAsk     *ask,
                        KymoProfileState  *state,
                        const KymoSegment *segment)
{
  const KymoWaits *all = ask->plan;
  const GArray *waits;

  if (state->wait_ns == NULL)
    return;
  waits = all->of[segment->location];
  for (guint i = kymo_waits_find (waits, ask->span.begin_ns);
       i < waits->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoWait *wait = &g_array_index (waits, KymoWait, i);
      KymoSpan span = { wait->begin_ns, wait->begin_ns + wait->wait_ns };
      guint32 activity = segment->block_activity[wait->block];

      if (wait->begin_ns >= ask->span.end_ns)
        break;
      state->wait_ns[KYMO_STATE_ACTIVITY + activity] +=
        kymo_span_length (kymo_span_intersect (ask->span, span));
    }
}
