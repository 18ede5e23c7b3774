/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What <kymo-record.h> calls, found by these names.
 */
#include "kymo-rec.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_Definitions.h>
#include <stdio.h>

#define EXPORTED __attribute__ ((visibility ("default")))
#define MOST_TEXT_BYTES 200
/* Each new text is a definition; where there are so many, markers have none. */
#define MOST_DEFINITIONS 100000

EXPORTED void kymo_recorder_marker (const char *text);
EXPORTED void kymo_recorder_turn   (int         on);

/**
 * kymo_recorder_marker: a marker on the calling thread.
 * @text: (nullable): of it
 */
void
kymo_recorder_marker (const char *text)
{
  static _Atomic uint32_t most_known = 0;
  KymoRecThread *thread = kymo_rec_begin ();
  char cut[MOST_TEXT_BYTES + 1];
  KymoRawCell *cell;

  if (thread != NULL && text != NULL && !thread->is_paused)
    {
      snprintf (cut, sizeof cut, "%s", text);
      if (atomic_load (&most_known) > MOST_DEFINITIONS)
        snprintf (cut, sizeof cut, "marker");
      uint32_t region = kymo_rec_region (cut, OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_USER, NULL,
                                         0);
      if (region != KYMO_RAW_NONE && region > atomic_load (&most_known))
        atomic_store (&most_known, region);
      cell = region != KYMO_RAW_NONE ? kymo_rec_reserve (thread, 1) : NULL;
      if (cell != NULL)
        {
          cell->arg = region;
          cell->time = kymo_rec_now ();
          kymo_rec_commit (cell, KYMO_RAW_MARKER);
        }
    }
  kymo_rec_end ();
}

/**
 * kymo_recorder_turn: recording goes on or off in this process.
 */
void
kymo_recorder_turn (int on)
{
  kymo_rec_self.depth++;
  kymo_rec_turn (on != 0);
  kymo_rec_self.depth--;
}
