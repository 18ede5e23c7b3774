/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a `.kymo` file knows of a run that was written from the model as files of TAU
 * (docs/formats/kymo.md): what the locations of the original were called, and when its
 * clock began. Profiles and traces of ranks and threads take their numbers and names from
 * it, so that a part of a run has those of the whole.
 *
 * Nothing in it is believed that the files do not bear out. One thread.
 */
#pragma once

#include "kymo-noted.h"

G_BEGIN_DECLS

#define KYMO_PART_GROUP "Locations"
#define KYMO_PART_RUN_GROUP "Run"
#define KYMO_PART_WHOLE "whole"

/**
 * KymoPartNote:
 * @zero_us: of traces of TAU: time zero in the files; 0 = not told
 * @whole: the files hold all of the run
 */
typedef struct _KymoPartNote
{
  GKeyFile   *file;
  GHashTable *locations;        /* "node.thread" -> KymoPartLocation */
  guint64     zero_us;
  gboolean    whole;
  gint64      n_original;
  gint        row;              /* a #KymoRowTerm, or -1 */
} KymoPartNote;

/** KymoPartLocation: @label belongs to the note */
typedef struct
{
  gint64  id;
  char   *label;
} KymoPartLocation;

KymoPartNote *kymo_part_note_new    (const char         *folder,
                                     const char         *base);
void          kymo_part_note_free   (KymoPartNote       *note);
const KymoPartLocation *
              kymo_part_note_find   (const KymoPartNote *note,
                                     gint64              node,
                                     gint64              thread);
void          kymo_part_note_apply  (const KymoPartNote *note,
                                     const char         *folder,
                                     const char         *base,
                                     KymoRun            *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPartNote, kymo_part_note_free)

G_END_DECLS
