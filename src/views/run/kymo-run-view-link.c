/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a timeline is linked with: the selected block, whose function and thread are
 * those that the views of profiles show.
 */
#include "config.h"

#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"

static void
on_details (KymoTable *answer, const GError *error, gpointer data)
{
  KymoRunView *self = data;
  const char *name = answer != NULL
                     && kymo_table_find_column (answer, "name") >= 0
                     ? kymo_table_get_string (answer, "name", 0) : NULL;

  if (name != NULL)
    kymo_session_set_function (self->session, name);
}

static void
on_selection (KymoRunView *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  KymoQuestion *question;
  gint64 location, time_ns;
  g_autofree char *of = NULL;

  /* What is asked is of a block that was selected before. */
  if (self->block_asker != NULL)
    kymo_asker_cancel (self->block_asker);
  if (!(kymo_source_get_capabilities (source) & KYMO_CAN_METRICS)
      || !kymo_session_get_block (self->session, &location, &time_ns))
    return;
  of = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  kymo_session_set_thread (self->session, of);
  if (self->block_asker == NULL)
    self->block_asker = kymo_asker_new (source, on_details, self);
  question = kymo_question_new ("details");
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_asker_ask (self->block_asker, question);
}

/* What a person chose meanwhile is newer than the block. */
static void
on_function (KymoRunView *self)
{
  if (self->block_asker != NULL)
    kymo_asker_cancel (self->block_asker);
}

/**
 * kymo_run_view_link_block:
 *
 * Links the selected block with the views of profiles: of a run that has metrics, selecting a
 * block makes its thread the thread of the session, and its function, when the answer has come,
 * the function of the session. A function that is chosen meanwhile stays.
 */
void
kymo_run_view_link_block (KymoRunView *self)
{
  g_signal_connect_object (self->session, "selection-changed",
                           G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "function-changed",
                           G_CALLBACK (on_function), self, G_CONNECT_SWAPPED);
}
