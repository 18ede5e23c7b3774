/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of a run define beside its functions and locations: groups of locations,
 * communicators, files and their handles, and markers. Records refer to these by index:
 * points of I/O to handles and files (see KymoPoint), collectives to communicators, and the
 * messages of an exchange to the communicator with index "comm - 1" (0 = none).
 *
 * Filled by a reader on one thread, immutable once the run is sealed.
 */
#pragma once

#include <glib.h>

#include "kymo-span.h"

G_BEGIN_DECLS

struct _KymoRun;

/**
 * KymoGroup:
 * @id: number in the files
 * @members: indices of locations in the run, in the order of their ranks; %G_MAXUINT32 for
 *   a location that has no records
 */
typedef struct
{
  gint64   id;
  char    *name;
  guint    n_members;
  guint32 *members;
} KymoGroup;

typedef enum
{
  KYMO_COMM_GROUP,              /* of the members of a group */
  KYMO_COMM_INTER,              /* between two groups */
  KYMO_COMM_SELF,               /* each location with itself */
  KYMO_COMM_WINDOW,             /* window of one-sided communication */
  KYMO_N_COMM_KINDS,
} KymoCommKind;

/**
 * KymoComm:
 * @kind: a #KymoCommKind
 * @group: index of its group, or -1
 * @other: of an intercommunicator index of the second group, else -1
 * @parent: index of the communicator it was made from (of a window: whose it is), or -1
 */
typedef struct
{
  gint64  id;
  char   *name;
  guint32 kind;
  gint32  group;
  gint32  other;
  gint32  parent;
} KymoComm;

/** KymoIoFile: a file or folder that the program used */
typedef struct
{
  char    *name;
  gboolean is_folder;
} KymoIoFile;

/**
 * KymoIoHandle:
 * @file: index of its file, or -1
 * @paradigm: the programming interface it belongs to: "POSIX", "MPI-IO"; "" = not known
 * @comm: index of the communicator that shares it, or -1
 * @parent: index of the handle of the lower interface, or -1
 * @is_open: open before the program began, as standard output is
 */
typedef struct
{
  char    *name;
  gint32   file;
  char    *paradigm;
  gint32   comm;
  gint32   parent;
  gboolean is_open;
} KymoIoHandle;

typedef enum
{
  KYMO_MARKER_NONE,
  KYMO_MARKER_LOW,
  KYMO_MARKER_MEDIUM,
  KYMO_MARKER_HIGH,
  KYMO_N_MARKER_SEVERITIES,
} KymoMarkerSeverity;

typedef enum
{
  KYMO_SCOPE_RUN,
  KYMO_SCOPE_LOCATION,
  KYMO_SCOPE_PLACE,
  KYMO_SCOPE_GROUP,
  KYMO_SCOPE_COMM,
  KYMO_N_SCOPES,
} KymoMarkerScope;

/** KymoMarkerKind: what several markers have in common */
typedef struct
{
  char   *group;                /* the tool that made them, or the like */
  char   *category;
  guint32 severity;             /* a #KymoMarkerSeverity */
} KymoMarkerKind;

/**
 * KymoMarker:
 * @kind: index in KymoDefinitions.marker_kinds
 * @scope: a #KymoMarkerScope: what it is about
 * @about: index of that location, place (process, node or machine), group or
 *   communicator; -1 of the whole run, or where it is not in the run
 *
 * A remark on a moment or a stretch of the run. It may lie outside of the run's span.
 */
typedef struct
{
  gint64  begin_ns, end_ns;
  guint32 kind;
  guint32 scope;
  gint32  about;
  char   *text;
} KymoMarker;

typedef struct
{
  GArray *groups;               /* KymoGroup */
  GArray *comms;                /* KymoComm */
  GArray *files;                /* KymoIoFile */
  GArray *handles;              /* KymoIoHandle */
  GArray *marker_kinds;         /* KymoMarkerKind */
  GArray *markers;              /* KymoMarker, by begin */
} KymoDefinitions;

KymoDefinitions *kymo_definitions_new  (void);
void             kymo_definitions_free (KymoDefinitions *definitions);
const char      *kymo_marker_severity_to_string (KymoMarkerSeverity severity);
char            *kymo_marker_dup_scope  (const struct _KymoRun *run,
                                         const KymoMarker      *marker);
gboolean         kymo_marker_is_about   (const struct _KymoRun *run,
                                         const KymoMarker      *marker,
                                         guint                  location);
const char      *kymo_io_handle_name    (const struct _KymoRun *run,
                                         gint32                 handle);
const char      *kymo_io_file_name      (const struct _KymoRun *run,
                                         gint32                 file);

G_END_DECLS
