/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that read an OTF2 archive share: kymo-otf2.c (the reading), -locations
 * (their events), -assemble (locations become one run) and -report (losses).
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-otf2-events.h"
#include "kymo-part-note.h"
#include "kymo-spill.h"

G_BEGIN_DECLS

/** KymoOtf2Result: what a location became */
typedef struct
{
  KymoSegment   *segment;
  gint64         begin_ns;      /* of a row: its first record on the archive's clock; the
                                   segment begins at 0 */
  GArray        *parts;         /* of collectives */
  GHashTable    *series;        /* of system metrics, or NULL */
  GArray        *threads;       /* of forks and joins, or NULL */
  KymoOtf2Counts counts;
  KymoRepairs    repairs;
  guint64        n_read;
  OTF2_StringRef program;
  OTF2_ErrorCode error;         /* why reading ended early */
  OTF2_ErrorCode local_error;   /* the same of its own definitions */
  gboolean       absent;        /* no events of it are there */
  GError        *barred;        /* why its events are not given to the library, or NULL */
  GError        *barred_defs;   /* the same of its own definitions */
  guint64        n_samples;     /* of one without a row: how many it took */
  guint64        n_given;       /* of these the process has */
  gboolean       far_off;       /* its clock is not that of the others */
  KymoReach      reach;
  KymoSieve     *sieve;         /* of a doubtful location */
  gboolean       doubtful;      /* is to be read again when all others are read */
  gboolean       is_held;       /* waits until then */
} KymoOtf2Result;

typedef struct _KymoOtf2Reading KymoOtf2Reading;

/**
 * KymoOtf2Supply: where events come from that are in no archive
 * @open: the events of a location, by its index in the definitions; %NULL if there are none.
 *   Called again for a location that is read again; on any thread, as the two below
 * @read: the next events into @stream, about @most of them; their number, fewer at the end
 * @close: frees what @open gave
 * @dup_name: name of the file with the events of a location, for the report
 * @settle: (nullable): all events are read; adds what is missing in the definitions
 * @report: (nullable): adds to the report of the run what else there is to tell
 * @data: for these functions, as member of the reading
 */
typedef struct
{
  gpointer (*open)     (KymoOtf2Reading *reading,
                        guint            location);
  guint64  (*read)     (gpointer         events,
                        KymoOtf2Stream  *stream,
                        guint64          most);
  void     (*close)    (gpointer         events);
  char    *(*dup_name) (KymoOtf2Reading *reading,
                        guint            location);
  void     (*settle)   (KymoOtf2Reading *reading);
  void     (*report)   (KymoOtf2Reading *reading);
  gpointer data;
} KymoOtf2Supply;

/** KymoOtf2Reading: @supply is %NULL where an archive is read */
struct _KymoOtf2Reading
{
  const char              *path;
  const KymoOpenOptions   *options;
  const KymoOtf2Supply    *supply;
  char                    *anchor;
  char                    *base;        /* of its name */
  OTF2_Reader             *reader;
  OTF2_EvtReaderCallbacks *calls;
  KymoOtf2Defs            *defs;
  KymoRun                 *run;
  KymoJob                 *job;
  KymoOtf2Result          *results;     /* by location of the definitions */
  KymoSpill               *spill;
  OTF2_ErrorCode           marker_error;        /* why reading markers ended early */
  KymoPartNote            *note;        /* of an archive that Kymo wrote, or NULL */
  gboolean                 out_of_memory;       /* atomic */
  gboolean                 by_tau;              /* TAU wrote the archive */
};

void   kymo_otf2_read_locations (KymoOtf2Reading  *reading);
gint64 kymo_otf2_find_zero  (const KymoOtf2Reading *reading);
void   kymo_otf2_assemble   (KymoOtf2Reading       *reading);
void   kymo_otf2_add_definitions (KymoOtf2Reading  *reading,
                                  gint64            zero_ns);
void   kymo_otf2_add_all_series (KymoOtf2Reading   *reading,
                                 gint64             zero_ns);
void   kymo_otf2_report     (KymoOtf2Reading       *reading);
char  *kymo_otf2_dup_events_name (KymoOtf2Reading  *reading,
                                  guint             location);
KymoRun *kymo_otf2_read_supplied (KymoOtf2Reading  *reading,
                                  GError          **error);
void   kymo_otf2_drop_supplied (KymoOtf2Reading    *reading);

/* The note beside an archive (kymo-otf2-note.c). */
void   kymo_otf2_take_note  (KymoOtf2Reading       *reading);
void   kymo_otf2_apply_note (KymoOtf2Reading       *reading);
gint64 kymo_otf2_noted_zero (const KymoOtf2Reading *reading);
KymoOtf2Tree
       kymo_otf2_noted_tree (const KymoOtf2Reading *reading);
gboolean
       kymo_otf2_has_no_processes (const KymoOtf2Reading *reading);
void   kymo_otf2_take_facts (KymoOtf2Reading       *reading);
void   kymo_otf2_apply_selection (const KymoOtf2Reading *reading,
                                  KymoRun               *run,
                                  gboolean               from_cache);

G_END_DECLS
