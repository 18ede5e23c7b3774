/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes an OTF2 archive, through the library of that format, after a script on the
 * standard input: a line is a word and fields with tabs between them.
 *
 *   clock RESOLUTION OFFSET LENGTH REALTIME
 *   node ID NAME CLASS PARENT             -1 = none, here and below
 *   process ID NAME TYPE NODE CREATOR     a location group
 *   location ID NAME TYPE PROCESS [COUNT]         of events, if not the true one
 *   creator NAME
 *   region ID NAME ROLE PARADIGM [FILE LINE]
 *   context ID REGION PARENT
 *   group ID NAME TYPE PARADIGM FLAGS MEMBER,MEMBER,…
 *   comm ID NAME GROUP [PARENT]
 *   intercomm ID NAME GROUP GROUP
 *   window ID NAME COMM
 *   member ID NAME MODE TYPE UNIT [BASE EXPONENT]
 *   class ID OCCURRENCE MEMBER,…
 *   instance ID CLASS LOCATION
 *   parameter ID NAME TYPE
 *   paradigm ID NAME                      of I/O
 *   file ID NAME NODE
 *   folder ID NAME NODE
 *   handle ID NAME FILE PARADIGM FLAGS COMM PARENT
 *   marker-kind ID GROUP CATEGORY SEVERITY
 *   marker TIME DURATION KIND SCOPE ABOUT TEXT
 *   topology ID NAME COMM DIMENSION
 *   offset LOCATION TIME OFFSET           of its clock
 *   regions LOCATION ID,ID,…              its numbers of regions, 0, 1, … are these
 *   e LOCATION TIME EVENT FIELD…          see write_event()
 *
 * Usage: write-otf2 FOLDER [NAME] < script, or
 *        write-otf2 FOLDER --many LOCATIONS EVENTS: calls and messages by the million
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <otf2/otf2.h>

static OTF2_Archive *archive;
static GHashTable *writers;     /* location -> OTF2_EvtWriter */
static GHashTable *numbers;     /* text -> number of a string + 1 */
static gboolean has_markers;

static OTF2_FlushType
before_flush (void             *data,
              OTF2_FileType     type,
              OTF2_LocationRef  location,
              void             *caller,
              bool              final)
{
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = { before_flush, NULL };

static void
check (OTF2_ErrorCode  code,
       const char     *what)
{
  if (code == OTF2_SUCCESS)
    return;
  fprintf (stderr, "write-otf2: %s: %s\n", what, OTF2_Error_GetDescription (code));
  exit (1);
}

static guint64
number (const char *text)
{
  return *text == '-' ? (guint64) g_ascii_strtoll (text, NULL, 10)
    : g_ascii_strtoull (text, NULL, 10);
}

#define N(i) number (fields[i])

static guint
parse_list (const char *text,
            guint64   **list)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  guint n = g_strv_length (words);

  *list = g_new0 (guint64, n + 1);
  for (guint i = 0; i < n; i++)
    (*list)[i] = number (words[i]);
  return n;
}

static OTF2_EvtWriter *
writer_of (guint64 location)
{
  OTF2_EvtWriter *writer = g_hash_table_lookup (writers, GSIZE_TO_POINTER (location + 1));

  if (writer == NULL)
    {
      writer = OTF2_Archive_GetEvtWriter (archive, location);
      g_hash_table_insert (writers, GSIZE_TO_POINTER (location + 1), writer);
    }
  return writer;
}

/* TYPE:VALUE of the types u, i and d. */
static void
write_metric (OTF2_EvtWriter *w,
              guint64         time,
              char          **fields)
{
  guint n = g_strv_length (fields + 5);
  OTF2_Type types[255];
  OTF2_MetricValue values[255];

  for (guint i = 0; i < n && i < 255; i++)
    {
      const char *text = fields[5 + i];

      types[i] = *text == 'd' ? OTF2_TYPE_DOUBLE : *text == 'i' ? OTF2_TYPE_INT64
        : OTF2_TYPE_UINT64;
      if (*text == 'd')
        values[i].floating_point = g_ascii_strtod (text + 2, NULL);
      else
        values[i].unsigned_int = number (text + 2);
    }
  check (OTF2_EvtWriter_Metric (w, NULL, time, N (4), n, types, values), "metric");
}

/* What happens to a request or a one-sided operation. */
static gboolean
write_progress (OTF2_EvtWriter *w,
                guint64         t,
                const char     *what,
                char          **fields)
{
  if (strcmp (what, "request-test") == 0)
    OTF2_EvtWriter_MpiRequestTest (w, NULL, t, N (4));
  else if (strcmp (what, "request-cancelled") == 0)
    OTF2_EvtWriter_MpiRequestCancelled (w, NULL, t, N (4));
  else if (strcmp (what, "complete-later") == 0)
    OTF2_EvtWriter_RmaOpCompleteNonBlocking (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "complete-remote") == 0)
    OTF2_EvtWriter_RmaOpCompleteRemote (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "operation-test") == 0)
    OTF2_EvtWriter_RmaOpTest (w, NULL, t, N (4), N (5));
  else
    return FALSE;
  return TRUE;
}

static gboolean
write_message (OTF2_EvtWriter *w,
               guint64         t,
               const char     *what,
               char          **fields)
{
  if (strcmp (what, "send") == 0)
    OTF2_EvtWriter_MpiSend (w, NULL, t, N (4), N (5), N (6), N (7));
  else if (strcmp (what, "isend") == 0)
    OTF2_EvtWriter_MpiIsend (w, NULL, t, N (4), N (5), N (6), N (7), N (8));
  else if (strcmp (what, "recv") == 0)
    OTF2_EvtWriter_MpiRecv (w, NULL, t, N (4), N (5), N (6), N (7));
  else if (strcmp (what, "irecv") == 0)
    OTF2_EvtWriter_MpiIrecv (w, NULL, t, N (4), N (5), N (6), N (7), N (8));
  else if (strcmp (what, "irecv-request") == 0)
    OTF2_EvtWriter_MpiIrecvRequest (w, NULL, t, N (4));
  else if (strcmp (what, "isend-complete") == 0)
    OTF2_EvtWriter_MpiIsendComplete (w, NULL, t, N (4));
  else if (strcmp (what, "put") == 0)
    OTF2_EvtWriter_RmaPut (w, NULL, t, N (4), N (5), N (6), N (7));
  else if (strcmp (what, "get") == 0)
    OTF2_EvtWriter_RmaGet (w, NULL, t, N (4), N (5), N (6), N (7));
  else if (strcmp (what, "atomic") == 0)
    OTF2_EvtWriter_RmaAtomic (w, NULL, t, N (4), N (5), N (6), N (7), N (8), N (9));
  else if (strcmp (what, "complete") == 0)
    OTF2_EvtWriter_RmaOpCompleteBlocking (w, NULL, t, N (4), N (5));
  else
    return write_progress (w, t, what, fields);
  return TRUE;
}

static OTF2_StringRef number_of (const char *text);

static gboolean
write_parameter (OTF2_EvtWriter *w,
                 guint64         t,
                 const char     *what,
                 char          **fields)
{
  if (strcmp (what, "int") == 0)
    OTF2_EvtWriter_ParameterInt (w, NULL, t, N (4), (gint64) N (5));
  else if (strcmp (what, "unsigned") == 0)
    OTF2_EvtWriter_ParameterUnsignedInt (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "text") == 0)
    OTF2_EvtWriter_ParameterString (w, NULL, t, N (4), number_of (fields[5]));
  else
    return FALSE;
  return TRUE;
}

static gboolean
write_io (OTF2_EvtWriter *w,
          guint64         t,
          const char     *what,
          char          **fields)
{
  if (strcmp (what, "io-open") == 0)    /* handle mode creation status */
    OTF2_EvtWriter_IoCreateHandle (w, NULL, t, N (4), N (5), N (6), N (7));
  else if (strcmp (what, "io-close") == 0)
    OTF2_EvtWriter_IoDestroyHandle (w, NULL, t, N (4));
  else if (strcmp (what, "io-duplicate") == 0)
    OTF2_EvtWriter_IoDuplicateHandle (w, NULL, t, N (4), N (5), N (6));
  else if (strcmp (what, "io-seek") == 0)       /* handle asked from result */
    OTF2_EvtWriter_IoSeek (w, NULL, t, N (4), (gint64) N (5), N (6), N (7));
  else if (strcmp (what, "io-flags") == 0)
    OTF2_EvtWriter_IoChangeStatusFlags (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "io-delete") == 0)     /* paradigm file */
    OTF2_EvtWriter_IoDeleteFile (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "io-begin") == 0)      /* handle mode flags bytes operation */
    OTF2_EvtWriter_IoOperationBegin (w, NULL, t, N (4), N (5), N (6), N (7), N (8));
  else if (strcmp (what, "io-issued") == 0)
    OTF2_EvtWriter_IoOperationIssued (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "io-test") == 0)
    OTF2_EvtWriter_IoOperationTest (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "io-complete") == 0)   /* handle bytes operation */
    OTF2_EvtWriter_IoOperationComplete (w, NULL, t, N (4), N (5), N (6));
  else if (strcmp (what, "io-cancel") == 0)
    OTF2_EvtWriter_IoOperationCancelled (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "io-lock") == 0)
    OTF2_EvtWriter_IoAcquireLock (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "io-unlock") == 0)
    OTF2_EvtWriter_IoReleaseLock (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "io-try-lock") == 0)
    OTF2_EvtWriter_IoTryLock (w, NULL, t, N (4), N (5));
  else
    return FALSE;
  return TRUE;
}

static gboolean
write_collective (OTF2_EvtWriter *w,
                  guint64         t,
                  const char     *what,
                  char          **fields)
{
  if (strcmp (what, "begin") == 0)
    OTF2_EvtWriter_MpiCollectiveBegin (w, NULL, t);
  else if (strcmp (what, "end") == 0)   /* op comm root sent received */
    OTF2_EvtWriter_MpiCollectiveEnd (w, NULL, t, N (4), N (5), N (6), N (7), N (8));
  else if (strcmp (what, "window-begin") == 0)
    OTF2_EvtWriter_RmaCollectiveBegin (w, NULL, t);
  else if (strcmp (what, "window-end") == 0)    /* op window root sent received level */
    OTF2_EvtWriter_RmaCollectiveEnd (w, NULL, t, N (4), fields[9] != NULL ? N (9)
                                     : OTF2_RMA_SYNC_LEVEL_PROCESS, N (5), N (6), N (7), N (8));
  else if (strcmp (what, "request") == 0)
    OTF2_EvtWriter_NonBlockingCollectiveRequest (w, NULL, t, N (4));
  else if (strcmp (what, "done") == 0)  /* op comm root sent received request */
    OTF2_EvtWriter_NonBlockingCollectiveComplete (w, NULL, t, N (4), N (5), N (6), N (7), N (8),
                                                  N (9));
  else
    return FALSE;
  return TRUE;
}

/* Of teams and threads, and of what is not shown. */
static gboolean
write_thread (OTF2_EvtWriter *w,
              guint64         t,
              const char     *what,
              char          **fields)
{
  if (strcmp (what, "fork") == 0)
    OTF2_EvtWriter_ThreadFork (w, NULL, t, OTF2_PARADIGM_OPENMP, N (4));
  else if (strcmp (what, "join") == 0)
    OTF2_EvtWriter_ThreadJoin (w, NULL, t, OTF2_PARADIGM_OPENMP);
  else if (strcmp (what, "team-begin") == 0)
    OTF2_EvtWriter_ThreadTeamBegin (w, NULL, t, N (4));
  else if (strcmp (what, "team-end") == 0)
    OTF2_EvtWriter_ThreadTeamEnd (w, NULL, t, N (4));
  else if (strcmp (what, "thread-create") == 0)
    OTF2_EvtWriter_ThreadCreate (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "thread-begin") == 0)
    OTF2_EvtWriter_ThreadBegin (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "thread-end") == 0)
    OTF2_EvtWriter_ThreadEnd (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "thread-wait") == 0)
    OTF2_EvtWriter_ThreadWait (w, NULL, t, N (4), N (5));
  else if (strcmp (what, "lock") == 0)
    OTF2_EvtWriter_ThreadAcquireLock (w, NULL, t, OTF2_PARADIGM_OPENMP, N (4), N (5));
  else if (strcmp (what, "window-create") == 0)
    OTF2_EvtWriter_RmaWinCreate (w, NULL, t, N (4));
  else if (strcmp (what, "comm-create") == 0)
    OTF2_EvtWriter_CommCreate (w, NULL, t, N (4));
  else
    return FALSE;
  return TRUE;
}

static OTF2_StringRef string_of (OTF2_GlobalDefWriter *defs, const char *text);

static void
write_event (char **fields)
{
  OTF2_EvtWriter *w = writer_of (N (1));
  guint64 t = N (2);
  const char *what = fields[3];

  if (strcmp (what, "enter") == 0)
    OTF2_EvtWriter_Enter (w, NULL, t, N (4));
  else if (strcmp (what, "leave") == 0)
    OTF2_EvtWriter_Leave (w, NULL, t, N (4));
  else if (strcmp (what, "context-enter") == 0)
    OTF2_EvtWriter_CallingContextEnter (w, NULL, t, N (4), 1);
  else if (strcmp (what, "context-leave") == 0)
    OTF2_EvtWriter_CallingContextLeave (w, NULL, t, N (4));
  else if (strcmp (what, "metric") == 0)
    write_metric (w, t, fields);
  else if (strcmp (what, "flush") == 0)
    OTF2_EvtWriter_BufferFlush (w, NULL, t, N (4));
  else if (strcmp (what, "measurement") == 0)
    OTF2_EvtWriter_MeasurementOnOff (w, NULL, t, N (4) ? OTF2_MEASUREMENT_ON
                                     : OTF2_MEASUREMENT_OFF);
  else if (strcmp (what, "program") == 0)
    OTF2_EvtWriter_ProgramBegin (w, NULL, t, N (4), 0, NULL);
  else if (strcmp (what, "program-end") == 0)
    OTF2_EvtWriter_ProgramEnd (w, NULL, t, (gint64) N (4));
  else if (!write_message (w, t, what, fields) && !write_collective (w, t, what, fields)
           && !write_parameter (w, t, what, fields) && !write_io (w, t, what, fields)
           && !write_thread (w, t, what, fields))
    check (OTF2_ERROR_INVALID_ARGUMENT, what);
}

static OTF2_StringRef
number_of (const char *text)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, text));

  if (known > 0)
    return known - 1;
  known = g_hash_table_size (numbers);
  g_hash_table_insert (numbers, g_strdup (text), GUINT_TO_POINTER (known + 1));
  return known;
}

/* Events need no definitions, so strings are written when all else is known: those of
   events first, see write_definitions(). */
static OTF2_StringRef
string_of (OTF2_GlobalDefWriter *defs,
           const char           *text)
{
  guint n = g_hash_table_size (numbers);
  guint known = number_of (text);

  if (known == n)
    check (OTF2_GlobalDefWriter_WriteString (defs, known, text), "string");
  return known;
}

#define S(i) string_of (defs, fields[i])

static void
write_group (OTF2_GlobalDefWriter *defs,
             char                **fields)
{
  g_autofree guint64 *members = NULL;
  guint n = parse_list (fields[6], &members);

  check (OTF2_GlobalDefWriter_WriteGroup (defs, N (1), S (2), N (3), N (4), N (5), n,
                                          (const uint64_t *) members), "group");
}

static void
write_class (OTF2_GlobalDefWriter *defs,
             char                **fields)
{
  g_autofree guint64 *members = NULL;
  guint n = parse_list (fields[3], &members);
  OTF2_MetricMemberRef refs[255];

  for (guint i = 0; i < n && i < 255; i++)
    refs[i] = members[i];
  check (OTF2_GlobalDefWriter_WriteMetricClass (defs, N (1), n, refs, N (2),
                                                OTF2_RECORDER_KIND_CPU), "class");
}

static void
write_location (OTF2_GlobalDefWriter *defs,
                char                **fields)
{
  OTF2_EvtWriter *writer = g_hash_table_lookup (writers, GSIZE_TO_POINTER (N (1) + 1));
  uint64_t n = 0;

  if (writer != NULL)
    OTF2_EvtWriter_GetNumberOfEvents (writer, &n);
  if (fields[5] != NULL)
    n = N (5);
  check (OTF2_GlobalDefWriter_WriteLocation (defs, N (1), S (2), N (3), n, N (4)), "location");
}

static void
write_io_definition (OTF2_GlobalDefWriter *defs,
                     char                **fields)
{
  const char *what = fields[0];

  if (strcmp (what, "parameter") == 0)
    OTF2_GlobalDefWriter_WriteParameter (defs, N (1), S (2), N (3));
  else if (strcmp (what, "paradigm") == 0)
    OTF2_GlobalDefWriter_WriteIoParadigm (defs, N (1), S (2), S (2),
                                          OTF2_IO_PARADIGM_CLASS_SERIAL,
                                          OTF2_IO_PARADIGM_FLAG_OS, 0, NULL, NULL, NULL);
  else if (strcmp (what, "file") == 0)
    OTF2_GlobalDefWriter_WriteIoRegularFile (defs, N (1), S (2), N (3));
  else if (strcmp (what, "folder") == 0)
    OTF2_GlobalDefWriter_WriteIoDirectory (defs, N (1), S (2), N (3));
  else if (strcmp (what, "handle") == 0)
    OTF2_GlobalDefWriter_WriteIoHandle (defs, N (1), S (2), N (3), N (4), N (5), N (6), N (7));
  else if (strcmp (what, "topology") == 0)
    {
      OTF2_CartDimensionRef dimension = N (4);

      OTF2_GlobalDefWriter_WriteCartDimension (defs, dimension, S (2), 2,
                                               OTF2_CART_PERIODIC_FALSE);
      OTF2_GlobalDefWriter_WriteCartTopology (defs, N (1), S (2), N (3), 1, &dimension);
    }
}

static void
write_marker (char **fields)
{
  OTF2_MarkerWriter *w = OTF2_Archive_GetMarkerWriter (archive);

  has_markers = TRUE;
  if (strcmp (fields[0], "marker-kind") == 0)
    check (OTF2_MarkerWriter_WriteDefMarker (w, N (1), fields[2], fields[3], N (4)),
           "kind of marker");
  else if (strcmp (fields[0], "marker") == 0)
    check (OTF2_MarkerWriter_WriteMarker (w, N (1), N (2), N (3), N (4), N (5), fields[6]),
           "marker");
}

static void
write_definition (OTF2_GlobalDefWriter *defs,
                  char                **fields)
{
  const char *what = fields[0];

  if (strcmp (what, "clock") == 0)
    OTF2_GlobalDefWriter_WriteClockProperties (defs, N (1), N (2), N (3), N (4));
  else if (strcmp (what, "node") == 0)
    OTF2_GlobalDefWriter_WriteSystemTreeNode (defs, N (1), S (2), S (3), N (4));
  else if (strcmp (what, "process") == 0)
    OTF2_GlobalDefWriter_WriteLocationGroup (defs, N (1), S (2), N (3), N (4), N (5));
  else if (strcmp (what, "creator") == 0)
    OTF2_Archive_SetCreator (archive, fields[1]);
  else if (strcmp (what, "location") == 0)
    write_location (defs, fields);
  else if (strcmp (what, "region") == 0)
    OTF2_GlobalDefWriter_WriteRegion (defs, N (1), S (2), S (2), string_of (defs, ""), N (3), N (4),
                                      0, string_of (defs, fields[5] != NULL ? fields[5] : ""),
                                      fields[5] != NULL ? N (6) : 0, 0);
  else if (strcmp (what, "context") == 0)
    OTF2_GlobalDefWriter_WriteCallingContext (defs, N (1), N (2), -1, N (3));
  else if (strcmp (what, "group") == 0)
    write_group (defs, fields);
  else if (strcmp (what, "comm") == 0)
    OTF2_GlobalDefWriter_WriteComm (defs, N (1), S (2), N (3),
                                    fields[4] != NULL ? N (4) : OTF2_UNDEFINED_COMM, 0);
  else if (strcmp (what, "intercomm") == 0)
    OTF2_GlobalDefWriter_WriteInterComm (defs, N (1), S (2), N (3), N (4), -1, 0);
  else if (strcmp (what, "window") == 0)
    OTF2_GlobalDefWriter_WriteRmaWin (defs, N (1), S (2), N (3), 0);
  else if (strcmp (what, "member") == 0)
    {
      gboolean scaled = fields[6] != NULL;

      OTF2_GlobalDefWriter_WriteMetricMember (defs, N (1), S (2), string_of (defs, ""), 0, N (3),
                                              N (4), scaled ? N (6) : OTF2_BASE_DECIMAL,
                                              scaled ? (gint64) N (7) : 0, S (5));
    }
  else if (strcmp (what, "class") == 0)
    write_class (defs, fields);
  else if (strcmp (what, "instance") == 0)
    OTF2_GlobalDefWriter_WriteMetricInstance (defs, N (1), N (2), N (3), OTF2_SCOPE_LOCATION,
                                              N (3));
  else
    write_io_definition (defs, fields);
}

static void
write_local (OTF2_DefWriter *defs,
             guint64         location,
             char          **fields)
{
  if (strcmp (fields[0], "offset") == 0 && N (1) == location)
    OTF2_DefWriter_WriteClockOffset (defs, N (2), (gint64) N (3), 0);
  else if (strcmp (fields[0], "regions") == 0 && N (1) == location)
    {
      g_autofree guint64 *ids = NULL;
      guint n = parse_list (fields[2], &ids);
      OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array (n, (const uint64_t *) ids, false);

      OTF2_DefWriter_WriteMappingTable (defs, OTF2_MAPPING_REGION, map);
      OTF2_IdMap_Free (map);
    }
}

static void
write_definitions (GPtrArray *lines)
{
  OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter (archive);

  GHashTableIter iter;
  gpointer text, known;

  g_hash_table_iter_init (&iter, numbers);
  while (g_hash_table_iter_next (&iter, &text, &known))
    check (OTF2_GlobalDefWriter_WriteString (defs, GPOINTER_TO_UINT (known) - 1, text), "string");
  string_of (defs, "");
  for (guint i = 0; i < lines->len; i++)
    write_definition (defs, lines->pdata[i]);
  OTF2_Archive_OpenDefFiles (archive);
  for (guint i = 0; i < lines->len; i++)
    {
      char **fields = lines->pdata[i];
      OTF2_DefWriter *local;

      if (strcmp (fields[0], "location") != 0)
        continue;
      local = OTF2_Archive_GetDefWriter (archive, N (1));
      for (guint j = 0; j < lines->len; j++)
        write_local (local, N (1), lines->pdata[j]);
      OTF2_Archive_CloseDefWriter (archive, local);
    }
  OTF2_Archive_CloseDefFiles (archive);
  OTF2_Archive_CloseGlobalDefWriter (archive, defs);
}

static void
add_line (GPtrArray  *lines,
          const char *format,
          ...) G_GNUC_PRINTF (2, 3);

static void
add_line (GPtrArray  *lines,
          const char *format,
          ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (lines, g_strsplit (text, "\t", -1));
}

/* Each location calls a function that computes and one that sends to the next one or
   receives from the one before, by turns: six events. */
static void
write_many (GPtrArray *lines,
            guint      n_locations,
            guint64    n_events)
{
  guint64 rounds = n_events / n_locations / 6;
  g_autoptr (GString) all = g_string_new ("0");

  add_line (lines, "clock\t1000000000\t0\t%" G_GUINT64_FORMAT "\t-1", rounds * 60);
  add_line (lines, "node\t0\tmachine\tmachine\t-1");
  add_line (lines, "region\t0\tmain\t1\t1");
  add_line (lines, "region\t1\tcompute\t1\t1");
  add_line (lines, "region\t2\tMPI_Sendrecv\t1\t4");
  for (guint i = 0; i < n_locations; i++)
    {
      OTF2_EvtWriter *w = writer_of (i);

      add_line (lines, "process\t%u\tprocess %u\t1\t0\t-1", i, i);
      for (guint64 r = 0, t = i; r < rounds; r++, t += 60)
        {
          OTF2_EvtWriter_Enter (w, NULL, t, 1);
          OTF2_EvtWriter_Leave (w, NULL, t + 20 + r % 7, 1);
          OTF2_EvtWriter_Enter (w, NULL, t + 30, 2);
          OTF2_EvtWriter_MpiSend (w, NULL, t + 31, (i + 1) % n_locations, 0, r % 3, 8 * (r % 100));
          OTF2_EvtWriter_MpiRecv (w, NULL, t + 45, (i + n_locations - 1) % n_locations, 0, r % 3,
                                  8 * (r % 100));
          OTF2_EvtWriter_Leave (w, NULL, t + 50, 2);
        }
      add_line (lines, "location\t%u\tthread\t1\t%u", i, i);
      if (i > 0)
        g_string_append_printf (all, ",%u", i);
      OTF2_EvtWriter_GetNumberOfEvents (w, &(uint64_t) { 0 });
    }
  add_line (lines, "group\t0\tlocations\t4\t4\t0\t%s", all->str);
  add_line (lines, "group\t1\tworld\t5\t4\t0\t%s", all->str);
  add_line (lines, "comm\t0\tMPI_COMM_WORLD\t1");
}

static void
read_script (GPtrArray *lines)
{
  g_autofree char *line = NULL;
  gsize size = 0;
  ssize_t n;

  while ((n = getline (&line, &size, stdin)) > 0)
    {
      char **fields = g_strsplit (g_strchomp (line), "\t", -1);

      if (fields[0] != NULL && strcmp (fields[0], "e") == 0)
        write_event (fields);
      else if (fields[0] != NULL && g_str_has_prefix (fields[0], "marker"))
        write_marker (fields);
      else if (fields[0] != NULL && *fields[0] != '\0')
        {
          g_ptr_array_add (lines, fields);
          continue;
        }
      g_strfreev (fields);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  gboolean many = argc == 5 && strcmp (argv[2], "--many") == 0;
  GHashTableIter iter;
  gpointer writer;

  if (argc != 2 && argc != 3 && !many)
    {
      fprintf (stderr, "Usage: write-otf2 FOLDER [NAME] < script\n");
      return 2;
    }
  archive = OTF2_Archive_Open (argv[1], argc == 3 ? argv[2] : "traces", OTF2_FILEMODE_WRITE,
                               1 << 20, 1 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive == NULL)
    return 1;
  check (OTF2_Archive_SetFlushCallbacks (archive, &flush, NULL), "flush");
  check (OTF2_Archive_SetSerialCollectiveCallbacks (archive), "collectives");
  check (OTF2_Archive_SetCreator (archive, "write-otf2"), "creator");
  check (OTF2_Archive_OpenEvtFiles (archive), "events");
  writers = g_hash_table_new (NULL, NULL);
  numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (many)
    write_many (lines, number (argv[3]), number (argv[4]));
  else
    read_script (lines);
  write_definitions (lines);
  g_hash_table_iter_init (&iter, writers);
  while (g_hash_table_iter_next (&iter, NULL, &writer))
    OTF2_Archive_CloseEvtWriter (archive, writer);
  OTF2_Archive_CloseEvtFiles (archive);
  if (has_markers)
    OTF2_Archive_CloseMarkerWriter (archive, OTF2_Archive_GetMarkerWriter (archive));
  check (OTF2_Archive_Close (archive), "close");
  g_hash_table_unref (writers);
  g_hash_table_unref (numbers);
  return 0;
}
