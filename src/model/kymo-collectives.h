/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations: one a call that several locations make together. A reader
 * whose files tell them adds them while it makes the run; where files have only the
 * functions, kymo_run_peek_collectives() infers them from the names and the order of
 * the calls, and says so.
 *
 * Sorted by the time when the last one came. Immutable once the run is sealed.
 */
#pragma once

#include "kymo-span.h"

G_BEGIN_DECLS

struct _KymoRun;

typedef enum
{
  KYMO_COLLECTIVE_BARRIER,      /* nobody leaves before all have come */
  KYMO_COLLECTIVE_ONE_TO_ALL,   /* nobody leaves before the root has come */
  KYMO_COLLECTIVE_ALL_TO_ONE,   /* the root does not leave before all have come */
  KYMO_COLLECTIVE_ALL_TO_ALL,   /* as a barrier, with data */
  KYMO_COLLECTIVE_PREFIX,       /* nobody leaves before those of lower rank have come */
  KYMO_COLLECTIVE_OTHER,        /* made together, but nobody waits by rule */
} KymoCollectiveKind;

/** KymoCollectiveMember: one location's part in it */
typedef struct
{
  guint32 location;             /* index in the run */
  gint64  begin_ns;
  gint64  end_ns;
} KymoCollectiveMember;

/**
 * KymoCollective:
 * @activity: the function, of its first member
 * @kind: a #KymoCollectiveKind
 * @root: index of the root's location, or -1
 * @first: its first member in KymoCollectives.members
 * @last: the member (first + last) that came last; the first of several
 * @sent_bytes: of all members together; -1 = not recorded
 */
typedef struct
{
  guint32  activity;
  guint32  kind;
  gint32   root;
  guint    first, n_members;
  guint    last;
  KymoSpan span;                /* first begin to last end */
  gint64   sent_bytes, received_bytes;
} KymoCollective;

typedef struct
{
  GArray   *list;               /* KymoCollective */
  GArray   *members;            /* KymoCollectiveMember, by location each */
  gboolean  inferred;           /* from names and order */
  guint     n_left_out;         /* calls that could not be put together */
} KymoCollectives;

KymoCollectives       *kymo_collectives_new  (void);
void                   kymo_collectives_free (KymoCollectives *collectives);
/* Adds one; what is returned is good until the next one is added. */
KymoCollective        *kymo_collectives_add  (KymoCollectives            *collectives,
                                              const KymoCollectiveMember *members,
                                              guint                       n_members,
                                              guint32                     activity,
                                              KymoCollectiveKind          kind,
                                              gint32                      root);
void                   kymo_collectives_sort (KymoCollectives            *collectives);
void                   kymo_collectives_shift (KymoCollectives           *collectives,
                                               const gint64              *offsets_ns);
void                   kymo_collective_get_waits (const KymoCollectives *collectives,
                                                  const KymoCollective  *collective,
                                                  gint64                *waits_ns);
gint                   kymo_collective_find_name (const char         *name,
                                                  KymoCollectiveKind *kind);
const char            *kymo_collective_kind_to_string (KymoCollectiveKind kind);
/* (nullable): those of the files, else inferred once; any thread */
const KymoCollectives *kymo_run_peek_collectives (const struct _KymoRun *run);

/** kymo_collective_member: its i-th member, by location */
static inline const KymoCollectiveMember *
kymo_collective_member (const KymoCollectives *collectives,
                        const KymoCollective  *collective,
                        guint                  i)
{
  return &g_array_index (collectives->members, KymoCollectiveMember, collective->first + i);
}

G_END_DECLS
