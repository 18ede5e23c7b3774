/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-communication-view.h"
#include "kymo-counters-view.h"
#include "kymo-profile-picture.h"
#include "kymo-run-view-private.h"
#include "kymo-table-view.h"
#include "kymo-user-events-view.h"
#include "kymo-view-modes.h"

const KymoViewMode kymo_view_modes[] = {
  { "communication", "communication", N_("Communication Matrix") },
  { "communication", "communication-locations", N_("Communication Per Processor") },
  { "communication", "communication-time", N_("Communication Over Time") },
  { "communication", "call-table", N_("Call Table") },
  { "communication", "communication-graph", N_("Communication Graph") },
  { "communication", "message-graph", N_("Message Graph") },
  { "events", "", N_("Event List, Log Files") },
  { "counters", "memory", N_("Memory Usage Over Time") },
  { "counters", "curves", N_("User Stats, User Values, Hardware Counters Over Time") },
  { "counters", "map", N_("Counter Map: Memory, User Stats, Metrics of All Rows") },
  { "user-events", "events", N_("User Events Over Time") },
  { "user-events", "time", N_("User Events Over Time, Time of Brackets") },
  { "user-events", "samples", N_("User Events, Samples") },
  { "icicle", "flame-graph", N_("Flame Graph") },
  { "icicle", "icicle", N_("Icicle") },
  { NULL },
};

/**
 * kymo_run_view_set_mode:
 * @mode: of the line for the visible view in kymo_view_modes
 *
 * Makes the visible view of the current part show a mode. A view without modes stays as it is.
 */
void
kymo_run_view_set_mode (KymoRunView *self, const char *mode)
{
  GtkWidget *shown = kymo_desk_part_peek_shown (self->current);

  if (KYMO_IS_COMMUNICATION_VIEW (shown))
    kymo_communication_view_set_mode (KYMO_COMMUNICATION_VIEW (shown), mode);
  else if (KYMO_IS_COUNTERS_VIEW (shown))
    kymo_counters_view_set_mode (KYMO_COUNTERS_VIEW (shown), mode);
  else if (KYMO_IS_USER_EVENTS_VIEW (shown))
    kymo_user_events_view_set_mode (KYMO_USER_EVENTS_VIEW (shown), mode);
  else if (KYMO_IS_TABLE_VIEW (shown))
    kymo_table_view_set_mode (KYMO_TABLE_VIEW (shown), mode);
  else if (KYMO_IS_PROFILE_PICTURE (shown))
    kymo_profile_picture_set_mode (KYMO_PROFILE_PICTURE (shown), mode);
}
