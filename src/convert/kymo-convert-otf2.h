/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that write an OTF2 archive share: its frame (kymo-convert-otf2.c), the
 * definitions (-defs, -regions), communicators and collective operations (-comms), and the events
 * of one location (-stream, -sides). All of it on one thread, through the library of that format.
 *
 * The events of all locations are written first, one location after the other, then the
 * definitions, which count them. Numbers of definitions run from 0 without gaps: programs of
 * that library expect it. What a program that knows nothing of Kymo has no word for stands in
 * descriptions (KYMO_OTF2_MARK) and in the note beside the archive.
 */
#pragma once

#include <otf2/otf2.h>

#include "kymo-convert-private.h"
#include "kymo-convert-trace-private.h"
#include "kymo-run-writer.h"

/* Ticks of the clock are nanoseconds. */
#define NS_PER_S G_GINT64_CONSTANT (1000000000)

G_BEGIN_DECLS

/** KYMO_OTF2_BASE: of the names of the files */
#define KYMO_OTF2_BASE "traces"

/** KYMO_OTF2_NO_REF: the run's thing has no definition */
#define KYMO_OTF2_NO_REF G_MAXUINT32

/**
 * KymoOtf2OutPlace: a location of the archive
 * @location: index in the run, or -1: of a rank that is not written, but keeps its number
 * @group: number of its location group
 */
typedef struct
{
  gint    location;
  gint64  rank;
  guint   group;
  guint64 n_events;
} KymoOtf2OutPlace;

/**
 * KymoOtf2OutGroup: a location group of the archive
 * @place: index in KymoRun.places of the process or accelerator, or -1
 * @above: index of the place that it lies in, or -1
 */
typedef struct
{
  gint64   rank;
  gint64   place, above;
  gboolean is_accelerator;
} KymoOtf2OutGroup;

/**
 * KymoOtf2OutComm: a communicator, or a window of one-sided communication
 * @number: as the records of the run have it; 0 = it is of collectives alone
 * @members: (nullable): indices of locations in the run, by rank; %NULL = all ranks
 * @count: (nullable): by member how many collectives it has begun
 * @last: (nullable): by member when its last one began and ended
 */
typedef struct
{
  guint32   number;
  guint     n_members;
  guint32  *members;
  guint    *count;
  KymoSpan *last;
} KymoOtf2OutComm;

/**
 * KymoOtf2OutPart: what one location did in one collective
 * @key: of the request, where it does not block
 */
typedef struct
{
  gint64   begin_ns, end_ns;
  gint64   sent_bytes, received_bytes;
  guint32  comm;
  guint32  root;
  guint32  activity;
  guint32  key;
  guint8   op;
  gboolean asynchronous;
} KymoOtf2OutPart;

/**
 * KymoOtf2Out: an archive in the making
 * @offset_ticks: what is added to a time of the run
 * @places: of the archive, by number
 * @groups: of locations, by number
 * @main_place: by rank the number of the location that speaks for it
 * @place_of: by location of the run its number, or %KYMO_OTF2_NO_REF
 * @region_of: by activity the number of its region, or %KYMO_OTF2_NO_REF
 * @member_of: by activity the number of its metric, which is that of its class, too
 * @counter_of: by hardware counter the number of its metric
 * @counters: number of the class of the hardware counters
 * @idle: number of the region that stands for idle time
 * @comms, @wins: by number
 * @parts: by location of the run: #KymoOtf2OutPart by begin, or %NULL
 * @strings: (element-type utf8 guint): number of each text, plus one
 */
typedef struct
{
  KymoConvert           *convert;
  const char            *folder;        /* in which the archive lies */
  OTF2_Archive          *archive;
  OTF2_GlobalDefWriter  *defs;
  OTF2_ErrorCode         code;          /* of the first failure */
  KymoTraceChoice        choice;
  guint64                offset_ticks;
  GArray                *places, *groups;
  guint32               *main_place;
  guint                  n_ranks;
  guint32               *place_of, *region_of, *member_of, *counter_of;
  guint                  n_regions, n_members;
  guint32                counters, idle;
  GArray                *comms, *wins;
  GHashTable            *comm_of, *win_of;
  GArray               **parts;
  GHashTable            *strings;
  gint64                 n_points, n_parameters, n_io;
  gint64                 n_partners, n_moved, n_collectives, n_calls, n_names;
  gboolean               idles, packs, objects;
} KymoOtf2Out;

/* kymo-convert-otf2-defs.c */
gboolean kymo_otf2_out_number      (KymoOtf2Out   *out,
                                    GError       **error);
void     kymo_otf2_out_write_defs  (KymoOtf2Out   *out);
OTF2_StringRef
         kymo_otf2_out_string      (KymoOtf2Out   *out,
                                    const char    *text);
/* kymo-convert-otf2-regions.c */
void     kymo_otf2_out_write_regions (KymoOtf2Out *out);
void     kymo_otf2_out_write_region_groups (KymoOtf2Out *out,
                                            guint       *next_group);
void     kymo_otf2_out_write_metrics (KymoOtf2Out *out);
/* kymo-convert-otf2-comms.c */
void     kymo_otf2_out_find_comms  (KymoOtf2Out   *out);
void     kymo_otf2_out_write_comms (KymoOtf2Out   *out,
                                    guint         *next_group);
void     kymo_otf2_out_clear_comms (KymoOtf2Out   *out);
/* kymo-convert-otf2-stream.c */
gboolean kymo_otf2_out_write_stream (KymoOtf2Out   *out,
                                     guint          place,
                                     GError       **error);

static inline KymoOtf2OutPlace *
kymo_otf2_out_place (const KymoOtf2Out *out,
                     guint              i)
{
  return &g_array_index (out->places, KymoOtf2OutPlace, i);
}

static inline KymoOtf2OutComm *
kymo_otf2_out_comm (const KymoOtf2Out *out,
                    guint              i)
{
  return &g_array_index (out->comms, KymoOtf2OutComm, i);
}

/* Keeps the first failure of the library. */
static inline gboolean
kymo_otf2_out_note (KymoOtf2Out    *out,
                    OTF2_ErrorCode  code)
{
  if (G_UNLIKELY (code != OTF2_SUCCESS && out->code == OTF2_SUCCESS))
    out->code = code;
  return out->code == OTF2_SUCCESS;
}

static inline OTF2_TimeStamp
kymo_otf2_out_ticks (const KymoOtf2Out *out,
                     gint64             time_ns)
{
  return (guint64) time_ns + out->offset_ticks;
}

G_END_DECLS
