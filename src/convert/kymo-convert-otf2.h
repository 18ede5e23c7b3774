/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that write an OTF2 archive share: its frame (kymo-convert-otf2.c), the
 * definitions (-defs, -regions, -files), communicators and their members (-comms, -groups),
 * collective operations (-collectives), messages that begin entry methods (-messages), markers
 * (-markers), and the events of one location (-stream, -sides, -points, -asides). All of it on
 * one thread, through the library of that format.
 *
 * The events of all locations are written first, one location after the other, then the
 * definitions, which count them. Numbers of definitions run from 0 without gaps: programs of
 * that library expect it. What a program that knows nothing of Kymo has no word for stands in
 * descriptions (KYMO_OTF2_MARK) and in the note beside the archive.
 */
#pragma once

#include <otf2/otf2.h>
#include <string.h>

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
 * @location: index in the run, or -1: of a rank that the run has no location of
 * @is_empty: its events are not written: it is there so that ranks keep their numbers, and
 *   communicators their members
 * @group: number of its location group
 */
typedef struct
{
  gint     location;
  gboolean is_empty;
  gint64   rank;
  guint    group;
  guint64  n_events;
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
 * KymoOtf2OutMembers: a group of the run's definitions
 * @places: by rank in the group the location of the archive
 * @rank_of: process -> the first of its ranks in the group, plus one
 * @locations: (element-type guint): of the run; asked for groups of intercommunicators
 */
typedef struct
{
  guint       n;
  guint32    *places;
  GHashTable *rank_of;
  GHashTable *locations;
} KymoOtf2OutMembers;

/**
 * KymoOtf2OutComm: a communicator, or a window of one-sided communication
 * @defined: index in the run's definitions, or -1
 * @name: index in the run's definitions of the communicator whose name it has, or -1
 * @number: as the records of the run have it; 0 = it is of collectives alone
 * @members: (nullable): indices of locations in the run, by rank; %NULL = those of its
 *   definition, else all ranks
 * @n_begun: how many collectives were begun on it: those that block, and those that do not
 * @begun: (nullable): by location what it has begun, #KymoOtf2OutBegun
 */
typedef struct
{
  gint        defined, name;
  guint32     number;
  guint       n_members;
  guint32    *members;
  guint       n_begun[2];
  GHashTable *begun;
} KymoOtf2OutComm;

/**
 * KymoOtf2OutPart: what one location did in one collective
 * @comm: number of the communicator, or of the window
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
  guint16  level;
  gboolean asynchronous, of_window;
} KymoOtf2OutPart;

/**
 * KymoOtf2OutMessage: one end of a message that begins an entry method
 * @partner: rank of the other end
 * @block: that it is recorded in
 */
typedef struct
{
  gint64  time_ns;
  gint32  partner;
  gint32  tag;
  guint32 bytes;
  guint32 block;
} KymoOtf2OutMessage;

/**
 * KymoOtf2Out: an archive in the making
 * @offset_ticks: what is added to a time of the run
 * @places: of the archive, by number
 * @groups: of locations, by number
 * @main_place: by rank the number of the location that speaks for it
 * @place_of: by location of the run its number, or %KYMO_OTF2_NO_REF
 * @region_of: by activity the number of its region, or %KYMO_OTF2_NO_REF
 * @member_of: by activity the number of its metric, which is that of its class, too
 * @parameter_of: by activity the number of its parameter
 * @parameter_types: (element-type guint8): by number of a parameter: #KymoParameterType of its
 *   first value plus one
 * @counter_of: by hardware counter the number of its metric
 * @counters: number of the class of the hardware counters
 * @idle: number of the region that stands for idle time
 * @comms, @wins: by number
 * @comm_of, @win_of: from the number that messages have
 * @members: (nullable): by index of the groups of the run's definitions
 * @first_group: number of the first of these, once they are written
 * @parts: by location of the run: #KymoOtf2OutPart by begin, or %NULL
 * @lives: by communicator and number of a single thread: #KymoSpan of its records
 * @sends, @receives: by location of the run: #KymoOtf2OutMessage by time, or %NULL
 * @messages: number of the communicator of these
 * @nodes: by place of the run the number of its node, once the tree is written
 * @paradigms: (element-type utf8): names of programming interfaces of files, by number
 * @paradigm_of: (element-type utf8 guint): number of each, plus one
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
  guint32               *place_of, *region_of, *member_of, *counter_of, *parameter_of, *nodes;
  guint                  n_regions, n_members, first_group;
  guint32                counters, idle;
  GArray                *parameter_types;
  GArray                *comms, *wins;
  GHashTable            *comm_of, *win_of;
  KymoOtf2OutMembers    *members;
  GArray               **parts, **sends, **receives;
  GHashTable            *lives;
  guint32                messages;
  GPtrArray             *paradigms;
  GHashTable            *paradigm_of, *strings;
  gint64                 n_points, n_links, n_tags, n_pieces;
  gint64                 n_partners, n_moved, n_collectives, n_calls, n_names;
  gboolean               idles, packs, objects, sources_are_ranks;
} KymoOtf2Out;

/* kymo-convert-otf2-numbers.c */
gboolean kymo_otf2_out_number      (KymoOtf2Out   *out,
                                    GError       **error);
/* kymo-convert-otf2-defs.c */
void     kymo_otf2_out_write_defs  (KymoOtf2Out   *out);
char    *kymo_otf2_out_dup_text    (KymoOtf2Out   *out,
                                    const char    *text);
OTF2_StringRef
         kymo_otf2_out_string      (KymoOtf2Out   *out,
                                    const char    *text);
/* kymo-convert-otf2-regions.c */
void     kymo_otf2_out_write_regions (KymoOtf2Out *out);
void     kymo_otf2_out_write_region_groups (KymoOtf2Out *out,
                                            guint       *next_group);
void     kymo_otf2_out_write_metrics (KymoOtf2Out *out);
/* kymo-convert-otf2-files.c */
void     kymo_otf2_out_find_paradigms (KymoOtf2Out *out);
OTF2_IoParadigmRef
         kymo_otf2_out_paradigm_of_file (const KymoOtf2Out *out,
                                         gint32         file);
void     kymo_otf2_out_write_parameters (KymoOtf2Out *out);
void     kymo_otf2_out_write_files (KymoOtf2Out   *out);
/* kymo-convert-otf2-comms.c */
void     kymo_otf2_out_find_comms  (KymoOtf2Out   *out);
guint32  kymo_otf2_out_comm_ref    (const KymoOtf2Out *out,
                                    gint32         defined);
gboolean kymo_otf2_out_find_partner (const KymoOtf2Out *out,
                                    gboolean       one_sided,
                                    guint32        number,
                                    guint          location,
                                    gint32         partner,
                                    guint32       *ref,
                                    guint32       *rank);
const KymoOtf2OutMembers *
         kymo_otf2_out_side_of     (const KymoOtf2Out *out,
                                    const KymoComm *comm,
                                    guint          location);
void     kymo_otf2_out_clear_comms (KymoOtf2Out   *out);
/* kymo-convert-otf2-groups.c */
guint32  kymo_otf2_out_group_ref   (const KymoOtf2Out *out,
                                    gint32         defined);
void     kymo_otf2_out_write_comms (KymoOtf2Out   *out,
                                    guint         *next_group);
/* kymo-convert-otf2-collectives.c */
void     kymo_otf2_out_find_collectives (KymoOtf2Out *out);
/* kymo-convert-otf2-messages.c */
gboolean kymo_otf2_out_sources_are_ranks (const KymoOtf2Out *out);
void     kymo_otf2_out_find_messages (KymoOtf2Out *out);
/* kymo-convert-otf2-asides.c */
void     kymo_otf2_out_find_threads (KymoOtf2Out  *out);
/* kymo-convert-otf2-markers.c */
gint64   kymo_otf2_out_first_marker (const KymoOtf2Out *out);
void     kymo_otf2_out_write_markers (KymoOtf2Out *out);
/* kymo-convert-otf2-stream.c */
gboolean kymo_otf2_out_write_stream (KymoOtf2Out   *out,
                                     guint          place,
                                     GError       **error);

static inline const KymoDefinitions *
kymo_otf2_out_definitions (const KymoOtf2Out *out)
{
  return out->convert->run->definitions;
}

static inline const KymoGroup *
kymo_otf2_out_group (const KymoOtf2Out *out,
                     guint              i)
{
  return &g_array_index (out->convert->run->definitions->groups, KymoGroup, i);
}

/* NULL where the run has no such place. */
static inline const KymoPlace *
kymo_otf2_out_run_place (const KymoOtf2Out *out,
                         gint64             place)
{
  return place >= 0 && place < out->convert->run->places->len
    ? &g_array_index (out->convert->run->places, KymoPlace, place) : NULL;
}

/* Whether the locations of a place are a group of the archive. */
static inline gboolean
kymo_otf2_is_group (const KymoPlace *place)
{
  return place != NULL && (g_str_equal (place->kind, "process")
                           || g_str_equal (place->kind, "accelerator"));
}

/* (transfer full): @n references to nothing */
static inline guint32 *
kymo_otf2_refs_new (guint n)
{
  guint32 *refs = g_new (guint32, MAX (n, 1));

  memset (refs, 0xff, MAX (n, 1) * sizeof *refs);
  return refs;
}

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

static inline KymoOtf2OutComm *
kymo_otf2_out_win (const KymoOtf2Out *out,
                   guint              i)
{
  return &g_array_index (out->wins, KymoOtf2OutComm, i);
}

static inline const KymoComm *
kymo_otf2_out_defined (const KymoOtf2Out *out,
                       guint              i)
{
  return &g_array_index (out->convert->run->definitions->comms, KymoComm, i);
}

/* The rank of a location of the run. */
static inline gint64
kymo_otf2_out_node (const KymoOtf2Out *out,
                    guint              location)
{
  return g_array_index (out->convert->node_of, gint64, location);
}

static inline gboolean
kymo_otf2_out_is_chosen (const KymoOtf2Out *out,
                         guint              location)
{
  return g_array_index (out->convert->place_of, gint, location) >= 0;
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
