/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-communication-view.h"
#include "kymo-profile-picture.h"
#include "kymo-run-view-private.h"
#include "kymo-table-view.h"
#include "kymo-view-modes.h"

const KymoViewMode kymo_view_modes[] = {
  { "communication", "communication", N_("Communication Matrix") },
  { "communication", "communication-locations", N_("Communication Per Processor") },
  { "communication", "communication-time", N_("Communication Over Time") },
  { "communication", "call-table", N_("Call Table") },
  { "communication", "communication-graph", N_("Communication Graph") },
  { "communication", "message-graph", N_("Message Graph") },
  { "events", "", N_("Event List, Log Files") },
  { "counters", "", N_("Memory Usage, User Stats Over Time") },
  { "icicle", "flame-graph", N_("Flame Graph") },
  { "icicle", "icicle", N_("Icicle") },
  { NULL },
};

/** kymo_run_view_set_mode: */
void
kymo_run_view_set_mode (KymoRunView *self, const char *mode)
{
  GtkWidget *shown = kymo_desk_part_peek_shown (self->current);

  if (KYMO_IS_COMMUNICATION_VIEW (shown))
    kymo_communication_view_set_mode (KYMO_COMMUNICATION_VIEW (shown), mode);
  else if (KYMO_IS_TABLE_VIEW (shown))
    kymo_table_view_set_mode (KYMO_TABLE_VIEW (shown), mode);
  else if (KYMO_IS_PROFILE_PICTURE (shown))
    kymo_profile_picture_set_mode (KYMO_PROFILE_PICTURE (shown), mode);
}
