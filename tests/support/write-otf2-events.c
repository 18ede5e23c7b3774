/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events and markers of an archive; see write-otf2.c for the words of the script.
 */
#include "config.h"

#include "write-otf2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GHashTable *writers;     /* location -> OTF2_EvtWriter */
static gboolean has_markers;

OTF2_Archive *otf2_archive;
GHashTable *otf2_numbers;

void
otf2_check (OTF2_ErrorCode code, const char *what)
{
  if (code == OTF2_SUCCESS)
    return;
  fprintf (stderr, "write-otf2: %s: %s\n", what, OTF2_Error_GetDescription (code));
  exit (1);
}

guint64
otf2_number (const char *text)
{
  return *text == '-' ? (guint64) g_ascii_strtoll (text, NULL, 10)
    : g_ascii_strtoull (text, NULL, 10);
}

guint
otf2_parse_list (const char *text, guint64 **list)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  guint n = g_strv_length (words);

  *list = g_new0 (guint64, n + 1);
  for (guint i = 0; i < n; i++)
    (*list)[i] = otf2_number (words[i]);
  return n;
}

OTF2_EvtWriter *
otf2_writer_of (guint64 location)
{
  OTF2_EvtWriter *writer = g_hash_table_lookup (writers, GSIZE_TO_POINTER (location + 1));

  if (writer == NULL)
    {
      writer = OTF2_Archive_GetEvtWriter (otf2_archive, location);
      g_hash_table_insert (writers, GSIZE_TO_POINTER (location + 1), writer);
    }
  return writer;
}

guint64
otf2_count_events (guint64 location)
{
  OTF2_EvtWriter *writer = g_hash_table_lookup (writers, GSIZE_TO_POINTER (location + 1));
  uint64_t n = 0;

  if (writer != NULL)
    OTF2_EvtWriter_GetNumberOfEvents (writer, &n);
  return n;
}

OTF2_StringRef
otf2_number_of (const char *text)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (otf2_numbers, text));

  if (known > 0)
    return known - 1;
  known = g_hash_table_size (otf2_numbers);
  g_hash_table_insert (otf2_numbers, g_strdup (text), GUINT_TO_POINTER (known + 1));
  return known;
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
        values[i].unsigned_int = otf2_number (text + 2);
    }
  otf2_check (OTF2_EvtWriter_Metric (w, NULL, time, N (4), n, types, values), "metric");
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
    OTF2_EvtWriter_ParameterString (w, NULL, t, N (4), otf2_number_of (fields[5]));
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

void
otf2_write_event (char **fields)
{
  OTF2_EvtWriter *w = otf2_writer_of (N (1));
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
    otf2_check (OTF2_ERROR_INVALID_ARGUMENT, what);
}

void
otf2_write_marker (char **fields)
{
  OTF2_MarkerWriter *w = OTF2_Archive_GetMarkerWriter (otf2_archive);

  has_markers = TRUE;
  if (strcmp (fields[0], "marker-kind") == 0)
    otf2_check (OTF2_MarkerWriter_WriteDefMarker (w, N (1), fields[2], fields[3], N (4)),
           "kind of marker");
  else if (strcmp (fields[0], "marker") == 0)
    otf2_check (OTF2_MarkerWriter_WriteMarker (w, N (1), N (2), N (3), N (4), N (5), fields[6]),
           "marker");
}

void
otf2_open_events (void)
{
  otf2_check (OTF2_Archive_OpenEvtFiles (otf2_archive), "events");
  writers = g_hash_table_new (NULL, NULL);
}

/* Markers, too. */
void
otf2_close_events (void)
{
  GHashTableIter iter;
  gpointer writer;

  g_hash_table_iter_init (&iter, writers);
  while (g_hash_table_iter_next (&iter, NULL, &writer))
    OTF2_Archive_CloseEvtWriter (otf2_archive, writer);
  OTF2_Archive_CloseEvtFiles (otf2_archive);
  if (has_markers)
    OTF2_Archive_CloseMarkerWriter (otf2_archive, OTF2_Archive_GetMarkerWriter (otf2_archive));
  g_hash_table_unref (writers);
}
