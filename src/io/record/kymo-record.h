/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that read the raw folder of a recorded program share: kymo-record-lines.c (the
 * definitions of a process), -clock (its clock), -merge (definitions of all processes become
 * those of one run), -events (its event files) and kymo-record.c (the reading).
 */
#pragma once

#include "kymo-otf2-private.h"

G_BEGIN_DECLS

/** KymoRecordKind: kinds of definitions that a process numbers itself */
typedef enum
{
  KYMO_RECORD_REGION,
  KYMO_RECORD_COMM,
  KYMO_RECORD_WIN,
  KYMO_RECORD_FILE,
  KYMO_RECORD_HANDLE,
  KYMO_RECORD_CLASS,
  KYMO_RECORD_N_KINDS,
} KymoRecordKind;

/** KymoRecordMoment: one moment on three clocks */
typedef struct
{
  guint64 ticks;
  gint64  mono_ns;
  gint64  real_ns;
} KymoRecordMoment;

/** KymoRecordOffset: @delta_ns is added to a time of the node to get that of rank 0 */
typedef struct
{
  gint64 mono_ns;
  gint64 delta_ns;
} KymoRecordOffset;

/** KymoRecordTypes: what the values of a metric class are; OTF2_Type each */
typedef struct
{
  guint     n;
  OTF2_Type types[G_MAXUINT8];
} KymoRecordTypes;

/** KymoRecordLoss: what the process says that it did not record */
typedef struct
{
  char   *kind;
  char   *why;
  guint64 n;
} KymoRecordLoss;

typedef struct _KymoRecordProcess KymoRecordProcess;

/**
 * KymoRecordFile: an event file
 * @name: "thread-0"
 * @system: samples of a helper thread
 * @location: its index in the definitions
 * @why: (nullable): why it cannot be read; a sentence for the report
 * @n_damaged: records or heads of chunks that cannot be right, with what follows in the chunk
 * @n_lost: chunks that were used again
 * @n_missing: chunks that are missing between others
 * @n_torn: chunks that end early though others follow
 * @n_dropped: records that the process had no room for
 * @n_far: records with a time that the clock does not reach
 * @n_unknown: records of a type that is not known
 * @n_early: calls that began before the first chunk that is left
 * @n_open: calls that are open at the end
 * @markers: (element-type KymoOtf2Marker): met while reading
 */
typedef struct
{
  KymoRecordProcess *process;
  char    *name;
  guint    number;
  gboolean system;
  guint    location;
  char    *why;
  guint64  n_damaged, n_lost, n_missing, n_torn, n_dropped, n_far, n_unknown, n_early, n_open;
  GArray  *markers;
} KymoRecordFile;

/**
 * KymoRecordProcess:
 * @folder: path of its folder
 * @name: its last part, "HOST.PID"
 * @program: "" if not known
 * @world: (nullable): name of its world, once it called MPI_Init
 * @rank: in its world; -1 = none
 * @is_over: its definitions have a line `end`
 * @is_whole: it ended in MPI_Finalize, with all threads
 * @has_stopped: recording stopped before the process ended
 * @is_ring: it keeps only the last part of the run
 * @alive_ns: when it read its clock last, on the clock of the node
 * @lines: (element-type GStrv): by id the fields of each definition, with the kind before them
 * @threads: (element-type GStrv): the lines of threads
 * @comm_names: (element-type GStrv): names that communicators got later
 * @properties: (element-type GStrv): of the process
 * @types: (element-type KymoRecordTypes): by metric class
 * @ids: (element-type guint32): by kind and id its number in the run
 * @n_odd_lines: definitions that cannot be right
 */
struct _KymoRecordProcess
{
  char      *folder;
  char      *name;
  char      *host, *program, *world;
  char      *mpi;
  gint64     pid, rank, size;
  gboolean   is_over, is_whole, has_stopped, is_ring, is_monotonic, is_torn;
  gint64     alive_ns;
  GArray    *moments, *offsets;
  GPtrArray *lines[KYMO_RECORD_N_KINDS];
  GPtrArray *threads, *comm_names, *properties;
  GArray    *types;
  GArray    *losses;            /* KymoRecordLoss */
  GArray    *ids[KYMO_RECORD_N_KINDS];
  GPtrArray *files;             /* KymoRecordFile */
  guint64    n_odd_lines;
  gsize      n_bytes;           /* that its definitions take */
};

/**
 * KymoRecord: the raw folder of a run
 * @folder: of the run, without "raw"
 * @processes: (element-type KymoRecordProcess): by world and rank, then by name
 * @files: (element-type KymoRecordFile): by location; borrowed
 * @marks_cuts: calls that lack their begin or their end say so
 */
typedef struct
{
  char          *folder;
  GPtrArray     *processes;
  GPtrArray     *files;
  KymoOtf2Events events;
  gboolean       marks_cuts;
} KymoRecord;

#define KYMO_RECORD_RAW "raw"
#define KYMO_RECORD_DEFINITIONS "definitions"

/* Parameters: how many calls, the innermost first, lack their begin or their end. */
#define KYMO_RECORD_NO_BEGIN 0
#define KYMO_RECORD_NO_END 1

KymoRecordProcess *kymo_record_process_new  (const char               *folder,
                                             gsize                     most_bytes,
                                             GError                  **error);
void               kymo_record_process_free (KymoRecordProcess        *process);
const char        *kymo_record_field        (char                    **fields,
                                             guint                     i);
gboolean           kymo_record_number       (const char               *field,
                                             guint64                   most,
                                             guint64                  *number);

void               kymo_record_clock_sort   (KymoRecordProcess        *process);
gboolean           kymo_record_clock_borrow (KymoRecordProcess        *process,
                                             const KymoRecordProcess  *other);
gboolean           kymo_record_has_clock    (const KymoRecordProcess  *process);
gboolean           kymo_record_to_ns        (const KymoRecordProcess  *process,
                                             guint64                   ticks,
                                             guint64                  *ns);
guint64            kymo_record_get_alive_ns (const KymoRecordProcess  *process);

void               kymo_record_merge        (KymoRecord               *record,
                                             KymoOtf2Defs             *defs);

extern const KymoOtf2Supply kymo_record_supply;

G_END_DECLS
