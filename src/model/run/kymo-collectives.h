/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations: one a call that several locations make together. A reader
 * whose files tell them adds them while it makes the run; where files have only the
 * functions, kymo_run_peek_collectives() infers them from the names and the order of
 * the calls, and says so.
 *
 * Sorted by the time when the last one came. Immutable once the run is sealed.
 *
 * Only this file says which members wait for which. The patterns are those of Scalasca
 * ("Scalasca performance properties", Jülich Supercomputing Centre: "Wait at Barrier",
 * "Wait at N x N", "Late Broadcast", "Early Reduce", "Early Scan"; Geimer et al., "The
 * Scalasca performance toolset architecture", 2010), with one difference: there the
 * root of an operation from all to one waits until the first of the others comes
 * ("before any data could have been sent"), here until the last one does, for without
 * it the root cannot leave. Scalasca's figure is the smaller one.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-span.h"

G_BEGIN_DECLS

struct _KymoRun;

typedef enum
{
  KYMO_COLLECTIVE_BARRIER,      /* no member leaves before all have entered */
  KYMO_COLLECTIVE_ONE_TO_ALL,   /* no member leaves before the root has entered */
  KYMO_COLLECTIVE_ALL_TO_ONE,   /* the root does not leave before all have come */
  KYMO_COLLECTIVE_ALL_TO_ALL,   /* as a barrier, with data */
  KYMO_COLLECTIVE_PREFIX,       /* no member leaves before all lower ones have entered */
  KYMO_COLLECTIVE_OTHER,        /* collective, but no member has to wait */
} KymoCollectiveKind;

/** KYMO_N_COLLECTIVE_NAMES: numbers of kymo_collective_find_name() are below it */
#define KYMO_N_COLLECTIVE_NAMES 23

/** KymoCollectiveMember: one location's part in it */
typedef struct
{
  guint32 location;             /* index in the run */
  gint64  begin_ns;
  gint64  end_ns;
} KymoCollectiveMember;

/** KymoCollectiveBytes: what one member moved; -1 = not recorded */
typedef struct
{
  gint64 sent, received;
} KymoCollectiveBytes;

/**
 * KymoCollective:
 * @activity: the function, of its first member
 * @kind: a #KymoCollectiveKind
 * @root: index of the root's location, or -1
 * @comm: index of its communicator (kymo-definitions.h), or -1
 * @op: number of the operation as in OTF2 (MPI_Barrier is 0, MPI_Bcast 1), or -1
 * @level: on a window: what it synchronizes, as OTF2 numbers it; else 0
 * @first: its first member in KymoCollectives.members
 * @last: the member (first + last) that came last; the first of several
 * @wait_ns: how long its members waited together
 * @sent_bytes: of all members together; -1 = not recorded
 */
typedef struct
{
  guint32  activity;
  guint32  kind;
  gint32   root;
  gint32   comm;
  gint16   op;
  guint16  level;
  guint    first, n_members;
  guint    last;
  KymoSpan span;                /* first begin to last end */
  gint64   wait_ns;
  gint64   sent_bytes, received_bytes;
} KymoCollective;

/**
 * KymoCollectives:
 * @bytes: (nullable): #KymoCollectiveBytes of each of @members; %NULL where none is recorded
 * @n_doubtful: of inferred ones: those that may be several at the same time, on
 *   communicators that the files do not tell
 */
typedef struct
{
  GArray   *list;               /* KymoCollective */
  GArray   *members;            /* KymoCollectiveMember, by location each */
  GArray   *bytes;
  gboolean  inferred;           /* from names and order */
  guint     n_left_out;         /* calls that could not be put together */
  guint     n_doubtful;
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
void                   kymo_collectives_set_bytes (KymoCollectives           *collectives,
                                                   KymoCollective            *collective,
                                                   const KymoCollectiveBytes *bytes);
guint                  kymo_collectives_find (const KymoCollectives     *collectives,
                                              gint64                     time_ns);
guint                  kymo_collective_find_member (const KymoCollectives *collectives,
                                                    const KymoCollective  *collective,
                                                    guint                  location);
void                   kymo_collectives_sort (KymoCollectives            *collectives);
void                   kymo_collectives_shift (KymoCollectives           *collectives,
                                               const gint64              *offsets_ns);
void                   kymo_collective_find_late (const KymoCollectives *collectives,
                                                  const KymoCollective  *collective,
                                                  guint                 *late);
const char            *kymo_mpi_find_name (const char         *name,
                                           gsize              *length);
gint                   kymo_collective_find_name (const char         *name,
                                                  KymoCollectiveKind *kind);
KymoCollectiveKind     kymo_collective_kind_of_name (guint       number);
gboolean               kymo_mpi_makes_communicator (const char  *name);
const char            *kymo_collective_kind_to_string (KymoCollectiveKind kind);
/* (nullable): those of the files, else inferred once; any thread */
const KymoCollectives *kymo_run_peek_collectives (const struct _KymoRun *run,
                                                  guint                  n_threads,
                                                  GCancellable          *cancellable);

/**
 * kymo_collective_member:
 * @i: number of the member, from 0, in the order of locations
 *
 * Returns: (transfer none): the member, owned by @collectives
 */
static inline const KymoCollectiveMember *
kymo_collective_member (const KymoCollectives *collectives,
                        const KymoCollective  *collective,
                        guint                  i)
{
  return &g_array_index (collectives->members, KymoCollectiveMember, collective->first + i);
}

/** kymo_collective_bytes: what its i-th member moved */
static inline KymoCollectiveBytes
kymo_collective_bytes (const KymoCollectives *collectives,
                       const KymoCollective  *collective,
                       guint                  i)
{
  return collectives->bytes != NULL && collective->first + i < collectives->bytes->len
    ? g_array_index (collectives->bytes, KymoCollectiveBytes, collective->first + i)
    : (KymoCollectiveBytes) { -1, -1 };
}

/**
 * kymo_collective_wait:
 * @late: the member that came last
 *
 * Returns: nanoseconds from the begin of the member's call until @late began its own; never
 *   longer than the member's call, 0 for @late itself
 */
static inline gint64
kymo_collective_wait (const KymoCollectiveMember *member,
                      const KymoCollectiveMember *late)
{
  return MAX (MIN (late->begin_ns, member->end_ns) - member->begin_ns, 0);
}

/* -- for kymo-collectives-infer.c alone ------------------------------------ */

/* Of one whose members are in their place: puts them in order, and finds all that
   follows from them. Several threads, each another one. */
void kymo_collective_settle       (const KymoCollectives *collectives,
                                   KymoCollective        *collective);
gint kymo_collective_compare      (gconstpointer          a,
                                   gconstpointer          b,
                                   gpointer               data);

G_END_DECLS
