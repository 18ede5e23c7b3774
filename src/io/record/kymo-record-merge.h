/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the definitions of processes become those of one run: kymo-record-merge.c does so, with
 * kymo-record-merge-comms.c for communicators and windows.
 */
#pragma once

#include "kymo-record.h"

G_BEGIN_DECLS

enum
{
  KYMO_RECORD_GROUP_LOCATIONS,              /* of all ranks */
  KYMO_RECORD_GROUP_SELF,
  KYMO_RECORD_N_FIXED_GROUPS,
};

/** KymoRecordWorld: the ranks of one MPI_COMM_WORLD lie behind each other among those of the run */
typedef struct
{
  guint first;
  guint size;
} KymoRecordWorld;

/**
 * KymoRecordMerge:
 * @numbers: text of a thing, with its kind -> its number + 1
 * @n: how many there are of each kind
 * @locations: (element-type guint64): by rank of the run the location of its first thread
 */
typedef struct
{
  KymoRecord      *record;
  KymoOtf2Defs    *defs;
  KymoOtf2DefCalls calls;
  GHashTable      *numbers;
  guint            n[128];
  GHashTable      *worlds;      /* name -> KymoRecordWorld */
  guint            n_ranks;
  GArray          *locations;
  guint32          machine;
} KymoRecordMerge;

guint32 kymo_record_intern (KymoRecordMerge         *merge,
                               char                    *key,
                               gboolean                *is_new);
guint32 kymo_record_text (KymoRecordMerge         *merge,
                               const char              *text);
guint   kymo_record_count_of  (KymoRecordMerge         *merge,
                               const KymoRecordProcess *process,
                               const char              *what);
void    kymo_record_set_id    (KymoRecordProcess       *process,
                               KymoRecordKind           kind,
                               guint                    id,
                               guint32                  number);
guint32 kymo_record_get_id    (const KymoRecordProcess *process,
                               KymoRecordKind           kind,
                               const char              *field);
const KymoRecordWorld *
        kymo_record_world_of  (const KymoRecordMerge   *merge,
                               const KymoRecordProcess *process);
void    kymo_record_add_comm  (KymoRecordMerge         *merge,
                               KymoRecordProcess       *process,
                               guint                    id,
                               char                   **fields);
void    kymo_record_add_win   (KymoRecordMerge         *merge,
                               KymoRecordProcess       *process,
                               guint                    id,
                               char                   **fields);

G_END_DECLS
