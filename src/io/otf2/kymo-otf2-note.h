/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an OTF2 archive that Kymo wrote says in words that only Kymo knows: descriptions of
 * regions and metrics, and the note beside the archive (docs/formats/kymo.md). Reader and writer
 * share them. The marks need no library.
 */
#pragma once

#include "kymo-part-note.h"

G_BEGIN_DECLS

/* The description of a region or metric: one of these words, a blank, and the number that it
   has in the files of the original. */
#define KYMO_OTF2_MARK_FUNCTION "kymo:function"
#define KYMO_OTF2_MARK_ENTRY "kymo:entry"
#define KYMO_OTF2_MARK_EVENT "kymo:event"
/* The description of the region that stands for idle time. */
#define KYMO_OTF2_MARK_IDLE "kymo:idle"

gboolean kymo_otf2_read_mark (const char *text,
                              const char *mark,
                              gint64     *id);

/* Keys of the group Run of the note. */
#define KYMO_OTF2_NOTE_ZERO "zero_ns"
#define KYMO_OTF2_NOTE_CODE "code"
#define KYMO_OTF2_NOTE_TREE "tree"
#define KYMO_OTF2_NOTE_PROCESSES "processes"

G_END_DECLS
