/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of one location of an OTF2 archive -> records of a segment.
 *
 * One KymoOtf2Stream a location; several may be read at the same time, each on one
 * thread. The definitions are only read.
 */
#pragma once

#include "kymo-open-stack.h"
#include "kymo-otf2-defs.h"
#include "kymo-segment-builder.h"
#include "kymo-sieve.h"

G_BEGIN_DECLS

/**
 * KymoOtf2Part:
 * @comm: index of the communicator; of a window's with %KYMO_OTF2_OF_WINDOW
 * @ordinal: number of the collective in that communicator, in the order in which the
 *   location began them; once all its events are read
 * @root: location, or -1
 *
 * What one location did in one collective.
 */
typedef struct
{
  guint32 comm;
  guint32 ordinal;
  guint32 location;             /* index in the definitions */
  guint32 activity;             /* the innermost function, or G_MAXUINT32 */
  guint16 op;                   /* OTF2_CollectiveOp */
  guint16 level;                /* OTF2_RmaSyncLevel, of a window's */
  gint32  root;
  gint64  begin_ns, end_ns;
  gint64  sent_bytes, received_bytes;
  gboolean asynchronous;        /* begun by one call, waited for by another */
} KymoOtf2Part;

#define KYMO_OTF2_OF_WINDOW (1u << 31)

/** KYMO_OTF2_MAX_BESIDE_NS: records farther than this from the first are not believed */
#define KYMO_OTF2_MAX_BESIDE_NS (G_GINT64_CONSTANT (1) << 53)

/** KymoOtf2Counts: figures of one location for the report */
typedef struct
{
  guint64 n_bad_times;          /* beyond what can be counted in nanoseconds */
  guint64 n_unknown_regions;
  guint64 n_unopened;           /* ends of functions that are not open */
  guint64 n_interrupted;        /* calls whose counters are not known: not measured for a while */
  guint64 n_unclosed;           /* functions that ended with one around them */
  guint64 n_unknown_ranks;
  guint64 n_unknown_comms;      /* of collectives */
  guint64 n_open_gets;
  guint64 n_clamped;            /* messages with more bytes than a column holds */
  guint64 n_unknown;            /* records the library does not know */
  guint64 n_one_sided;
  guint64 n_samples;            /* of the stack */
  guint64 n_unknown_metrics;
  guint64 n_too_large;          /* values of metrics */
  guint64 n_unknown_parameters;
  guint64 n_unknown_handles;    /* of I/O */
  guint64 n_open_operations;    /* of I/O, that never complete */
  guint64 n_cut_texts;          /* of parameters */
  guint64 n_threading;          /* records of locks and tasks of threads, here and below not
                                   shown */
  guint64 n_synchronizing;      /* of one-sided communication */
  guint64 n_requests;           /* of messages and one-sided transfers */
  guint64 n_others;             /* of communicators, and ends of programs */
} KymoOtf2Counts;

/** KymoOtf2Sum: of a relative metric what its values make together; @whole while it is exact */
typedef struct
{
  gint64   whole;
  double   real;
  gboolean is_real;
} KymoOtf2Sum;

typedef struct
{
  const KymoOtf2Defs *defs;
  guint               location;         /* index in the definitions */
  KymoSegmentBuilder *builder;
  guint64             tick_ns;          /* 0 = not whole nanoseconds */
  gint64              n_events;
  gint64              first_ns;
  KymoOpenStack       open;             /* functions */
  gboolean            is_off;           /* measurement is switched off */
  GArray             *parts;            /* KymoOtf2Part */
  GArray             *threads;          /* of kymo-otf2-threads.c, or NULL */
  gint64              changed_ns;       /* when a function began or ended last */
  gboolean            waits_for_thread; /* the last of @threads is a wait that goes on */
  GHashTable         *requests;         /* gint64 * -> begin of a collective */
  GHashTable         *pending;          /* gint64 * -> what a get will bring */
  GHashTable         *posted;           /* open requests of receives -> their number */
  GHashTable         *sent;             /* the same of sends */
  GHashTable         *transfers;        /* one-sided operations -> their number */
  guint32             n_numbers;        /* given to requests and operations so far */
  GHashTable         *operations;       /* of I/O that are not complete */
  guint               n_operations;     /* of I/O, begun so far */
  GHashTable         *sums;             /* guint32 of metric and place -> KymoOtf2Sum */
  GHashTable         *series;           /* of kymo-otf2-series.c */
  gsize               n_series_bytes;
  gint64             *totals;           /* of hardware counters at totals_ns, or NULL */
  gint64              totals_ns;
  gint64              collective_ns;    /* when the open one began, G_MININT64 = none */
  gint64              before_ns;        /* time of the record before */
  gint64              n_falls;          /* times far below the one before */
  KymoSieve          *sieve;            /* of a doubtful location, or NULL */
  gboolean            surveying;        /* the sieve's first reading */
  OTF2_StringRef      program;
  KymoOtf2Counts      counts;
} KymoOtf2Stream;

/* The kinds of events that fill a stream, as OTF2 names them. */
#define KYMO_OTF2_EVENTS(X) \
  X (MpiCollectiveBegin) X (MpiCollectiveEnd) X (RmaCollectiveBegin) \
  X (RmaCollectiveEnd) X (NonBlockingCollectiveRequest) \
  X (NonBlockingCollectiveComplete) X (Enter) X (Leave) \
  X (CallingContextEnter) X (CallingContextLeave) X (CallingContextSample) \
  X (Unknown) X (BufferFlush) X (MeasurementOnOff) X (ProgramBegin) \
  X (OmpFork) X (OmpJoin) X (OmpAcquireLock) X (OmpReleaseLock) \
  X (OmpTaskCreate) X (OmpTaskSwitch) X (OmpTaskComplete) X (RmaWinCreate) \
  X (RmaWinDestroy) X (RmaGroupSync) X (RmaRequestLock) X (RmaAcquireLock) \
  X (RmaTryLock) X (RmaReleaseLock) X (RmaSync) X (RmaWaitChange) \
  X (ThreadAcquireLock) X (ThreadReleaseLock) X (ThreadTaskCreate) \
  X (ThreadTaskSwitch) X (ThreadTaskComplete) X (ProgramEnd) X (CommCreate) \
  X (CommDestroy) X (ParameterInt) X (ParameterUnsignedInt) \
  X (ParameterString) X (IoCreateHandle) X (IoDestroyHandle) \
  X (IoDuplicateHandle) X (IoSeek) X (IoChangeStatusFlags) X (IoDeleteFile) \
  X (IoOperationBegin) X (IoOperationTest) X (IoOperationIssued) \
  X (IoOperationComplete) X (IoOperationCancelled) X (IoAcquireLock) \
  X (IoReleaseLock) X (IoTryLock) X (MpiSend) X (MpiIsend) X (MpiRecv) \
  X (MpiIrecv) X (MpiIsendComplete) X (MpiIrecvRequest) X (MpiRequestTest) \
  X (MpiRequestCancelled) X (RmaPut) X (RmaGet) X (RmaAtomic) \
  X (RmaOpCompleteBlocking) X (RmaOpCompleteNonBlocking) \
  X (RmaOpCompleteRemote) X (RmaOpTest) X (Metric) X (ThreadFork) \
  X (ThreadJoin) X (ThreadTeamBegin) X (ThreadTeamEnd) X (ThreadCreate) \
  X (ThreadBegin) X (ThreadEnd) X (ThreadWait)

/**
 * KymoOtf2Events:
 *
 * What fills a #KymoOtf2Stream: a function for each kind of event, which is given the stream as
 * user data. The location and the position that it is given, and attributes, are not looked at.
 */
typedef struct
{
#define X(Event) OTF2_EvtReaderCallback_##Event Event;
  KYMO_OTF2_EVENTS (X)
#undef X
} KymoOtf2Events;

void                    kymo_otf2_stream_init  (KymoOtf2Stream     *stream,
                                                const KymoOtf2Defs *defs,
                                                guint               location,
                                                guint               n_activities);
void                    kymo_otf2_stream_clear (KymoOtf2Stream     *stream);
void                    kymo_otf2_events_init  (KymoOtf2Events     *events);
OTF2_EvtReaderCallbacks *kymo_otf2_new_event_callbacks (void);
gsize                   kymo_otf2_stream_get_bytes (const KymoOtf2Stream *stream);
guint64                 kymo_otf2_give_samples (const KymoSegment  *from,
                                                KymoSegment        *to);
void                    kymo_otf2_sort_samples (KymoSegment        *to);
guint32                 kymo_otf2_unit_ns      (const KymoOtf2Defs *defs);
gboolean                kymo_otf2_to_ns        (const KymoOtf2Stream *stream,
                                                OTF2_TimeStamp      time,
                                                gint64             *ns);

G_END_DECLS
