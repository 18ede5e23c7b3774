/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a timeline is linked with: the selected block, whose function and thread are
 * those that the views of profiles show.
 */
#include "config.h"

#include "kymo-run-view-private.h"
#include "kymo-selected-block.h"
#include "kymo-session-profile.h"

static void
on_details (KymoRunView *self)
{
  KymoTable *answer = kymo_selected_block_peek_details (kymo_selected_block_of (self->session));
  const char *name = answer != NULL && kymo_table_find_column (answer, "name") >= 0
                     ? kymo_table_get_string (answer, "name", 0) : NULL;

  if (self->links_function && name != NULL)
    kymo_session_set_function (self->session, name);
  self->links_function = FALSE;
}

static void
on_block (KymoRunView *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  gint64 location;
  g_autofree char *of = NULL;

  self->links_function = (kymo_source_get_capabilities (source) & KYMO_CAN_METRICS)
                         && kymo_session_get_block (self->session, &location, NULL);
  if (!self->links_function)
    return;
  of = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  kymo_session_set_thread (self->session, of);
}

/* A function that is chosen before the details come is newer than the block. */
static void
on_function (KymoRunView *self)
{
  self->links_function = FALSE;
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
  KymoSelectedBlock *block = kymo_selected_block_of (self->session);

  g_signal_connect_object (block, "changed", G_CALLBACK (on_block), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (block, "details", G_CALLBACK (on_details), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "function-changed",
                           G_CALLBACK (on_function), self, G_CONNECT_SWAPPED);
}
