/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a part of a profile in the making holds; of kymo-profile-part.c, which fills it,
 * and kymo-profile-builder.c, which makes the parts one.
 */
#pragma once

#include "kymo-profile-builder.h"

G_BEGIN_DECLS

/** KYMO_PROFILE_JOINT: between the functions of a path */
#define KYMO_PROFILE_JOINT " => "

/* Where an event was met first: by location, step and row in that list. An event that no location
   lists has G_MAXUINT64. */
typedef struct
{
  guint64 fill;
  guint64 row;
} KymoFirstMet;

/* A name that a part has a number for; the bytes belong to the part. */
typedef struct
{
  const char   *name;
  gsize         length;
  guint         hash;
  guint32       flags;
  gboolean      owned;          /* by a part; others are made for parts of paths */
  GString      *groups;
  guint32       number;
  guint32       follower;       /* what came after it in the list before */
  guint64       stamp;          /* of the fill that `row` is of */
  guint64       row;
  guint         metric;         /* that told calls and subroutines of `row` */
  KymoFirstMet  first;
} KymoPartName;

/* Names by number and by bytes. */
typedef struct
{
  GPtrArray  *names;            /* KymoPartName */
  GHashTable *by_name;          /* the same */
  guint32     last;             /* that was asked for, or KYMO_NO_EVENT */
} KymoPartNames;

/* The rows and user events that a part holds for a location at a step. */
typedef struct
{
  guint   location, step;
  guint64 first_row, n_rows;
  guint64 first_user, n_users;
} KymoPartFill;

/* A fill of one of the builder's parts. */
typedef struct
{
  const KymoPartFill *fill;
  guint part;
} KymoFillOfPart;

struct _KymoProfilePart
{
  KymoProfileBuilder *builder;
  guint          n_metrics;
  guint          n_locations;
  GStringChunk  *chunk;
  KymoPartNames  events, users;
  GArray        *fills;         /* KymoPartFill */
  guint64        n_rows, cap_rows;
  guint32       *event;
  double        *calls, *subroutines, *values;
  guint          cap_user_rows;
  GArray        *user_rows;     /* KymoUserEventRow, `event` is the part's number */
};

struct _KymoProfileBuilder
{
  guint      n_locations;
  GArray    *metrics;           /* KymoProfileMetric */
  GPtrArray *parts;             /* KymoProfilePart */
  gint64     left_bytes;        /* atomic: that parts may still take; negative = full */
};

/* Bytes that a name of this length takes. A profile has it three times: in its part, as it is in
   the files, and for people. */
#define KYMO_NAME_BYTES(length)                                                     \
  (sizeof (KymoPartName) + sizeof (GString) + sizeof (KymoProfileEvent) + 128       \
   + 3 * (guint64) (length))

/* Events of all parts as one table, and for each part the places of its own. */
typedef struct
{
  KymoProfileBuilder *builder;
  GPtrArray   *sorted;          /* KymoPartName: flat ones, then paths */
  GHashTable  *by_name;         /* the same; its value is the place + 1 */
  GArray      *events;          /* KymoProfileEvent */
  GArray      *path_parts;      /* guint32 */
  guint        n_flat;
} KymoEventTable;

GArray          *kymo_profile_builder_list_fills (KymoProfileBuilder *builder);
void             kymo_profile_find_paths (KymoEventTable  *table);
KymoProfilePart *kymo_profile_part_new   (KymoProfileBuilder *builder);
gsize            kymo_profile_row_bytes  (guint            n_metrics);
gboolean         kymo_profile_builder_take (KymoProfileBuilder *builder,
                                          guint64          n_bytes);
void             kymo_profile_part_free  (KymoProfilePart *part);
guint            kymo_part_hash_bytes    (const char      *bytes,
                                          gsize            length);
guint            kymo_part_name_hash     (gconstpointer    name);
gboolean         kymo_part_name_equal    (gconstpointer    a,
                                          gconstpointer    b);
void             kymo_part_unite_groups  (GString         *groups,
                                          const char      *more,
                                          gsize            length);

G_END_DECLS
