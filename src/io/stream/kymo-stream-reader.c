/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads recordings, frame by frame. Memory: a window of the file and the
 * payload of one frame, which is no longer than the file really is.
 *
 * Over damage it goes on at the next place where a frame begins by its check
 * sum. Where frames have good heads and bad payloads the payloads are searched
 * too, for their lengths may lie; in all, no more than some times the file, so
 * that no file takes longer than in proportion to its length.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-stream-file.h"

#include <fcntl.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-stream-scan.h"

/* Most bytes of payloads that are read in vain: a multiple of the size of the file, or for a small
   file a number of bytes. */
#define WASTE_TIMES 4
#define WASTE_BYTES (64 << 20)

/**
 * KymoStreamReader:
 * @at: where to go on
 * @number: expected of the next frame; -1: any
 * @told_end: the end of the file that was told to be cut, or -1
 * @wasted: bytes of payloads that were read and did not fit
 */
struct _KymoStreamReader
{
  char           *name;
  KymoStreamScan  scan;
  gint64          n_header;
  KymoStreamStart start;
  gint64          at;
  gint64          number;
  gint64          told_end;
  gint64          wasted;
  gboolean        told_start;
  gboolean        told_failed;
};

/**
 * kymo_stream_file_is_one:
 * @path: of any file
 *
 * Returns: whether the file is a recording: by what it begins with, or by its name and a
 *   frame in it where the begin is damaged
 */
gboolean
kymo_stream_file_is_one (const char *path)
{
  KymoStreamScan scan;
  KymoStreamHead head;
  guint32 version;
  gint64 n_header;
  gboolean is = FALSE;

  if (kymo_stream_scan_init (&scan, path, O_RDONLY, NULL, NULL))
    {
      is = kymo_stream_scan_start (&scan, &version, &n_header) != KYMO_STREAM_START_FOREIGN;
      if (!is && g_str_has_suffix (path, KYMO_STREAM_SUFFIX))
        is = kymo_stream_scan_find (&scan, 0, &head) >= 0;
    }
  kymo_stream_scan_clear (&scan);
  return is;
}

static gboolean
check_start (KymoStreamReader  *reader,
             const char        *path,
             GError           **error)
{
  KymoStreamHead head;
  guint32 version;

  reader->start = kymo_stream_scan_start (&reader->scan, &version, &reader->n_header);
  if (reader->scan.failed != 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("The recording “%s” cannot be read: %s"), path,
                 kymo_stream_scan_peek_why (&reader->scan));
  else if (reader->start == KYMO_STREAM_START_NEWER)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” is a recording of version %u, which a newer Kymo can read"), path,
                 version);
  else if (reader->scan.size == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("The recording “%s” is empty"), path);
  else if (reader->start == KYMO_STREAM_START_FOREIGN
           && kymo_stream_scan_find (&reader->scan, 0, &head) < 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” is no recording of a stream"),
                 path);
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_stream_reader_new:
 * @path: a recording; what tells is the content, not the name
 * @error: %KYMO_ERROR_UNREADABLE: one sentence
 *
 * Returns: (transfer full) (nullable): a reader at the first frame
 */
KymoStreamReader *
kymo_stream_reader_new (const char  *path,
                        GError     **error)
{
  KymoStreamReader *reader = g_new0 (KymoStreamReader, 1);

  reader->name = g_path_get_basename (path);
  if (!kymo_stream_scan_init (&reader->scan, path, O_RDONLY, NULL, error)
      || !check_start (reader, path, error))
    g_clear_pointer (&reader, kymo_stream_reader_free);
  else
    kymo_stream_reader_rewind (reader);
  return reader;
}

/**
 * kymo_stream_reader_free:
 *
 * Frees @reader. %NULL is ignored. Its file is closed.
 */
void
kymo_stream_reader_free (KymoStreamReader *reader)
{
  if (reader == NULL)
    return;
  kymo_stream_scan_clear (&reader->scan);
  g_free (reader->name);
  g_free (reader);
}

/**
 * kymo_stream_reader_set_cancellable:
 * @cancellable: (nullable): where a long stretch of damage is looked through,
 *   it ends that: there is no next frame then
 */
void
kymo_stream_reader_set_cancellable (KymoStreamReader *reader,
                                    GCancellable     *cancellable)
{
  g_set_object (&reader->scan.cancellable, cancellable);
}

/**
 * kymo_stream_reader_rewind:
 *
 * Back to the first frame; what is damaged is told again.
 */
void
kymo_stream_reader_rewind (KymoStreamReader *reader)
{
  reader->at = reader->n_header;
  reader->number = 0;
  reader->told_end = -1;
  reader->wasted = 0;
  reader->scan.failed = 0;
  reader->told_start = reader->told_failed = FALSE;
}

static void
tell_stream_reader (KymoStreamReader *reader,
                    KymoReport       *report,
                    gint64            count,
                    gint64            offset,
                    const char       *what)
{
  if (report != NULL)
    kymo_report_add (report, reader->name, KYMO_SEVERITY_LOST, count, offset, "%s", what);
}

static void
tell_start (KymoStreamReader *reader,
            KymoReport       *report)
{
  if (reader->told_start)
    return;
  reader->told_start = TRUE;
  if (reader->start != KYMO_STREAM_START_WHOLE && reader->start != KYMO_STREAM_START_CUT)
    tell_stream_reader (
      reader, report, 1, 0,
      N_("The header of the recording is damaged; its origin is lost"));
}

/* (transfer full) (nullable): the payload, if it is what was written */
static GBytes *
read_payload (KymoStreamReader     *reader,
              gint64                at,
              const KymoStreamHead *head)
{
  guint8 *payload;

  if (head->n_bytes > reader->scan.size - at)
    return NULL;
  payload = g_try_malloc (MAX (head->n_bytes, 1));
  if (payload != NULL
      && kymo_stream_scan_read (&reader->scan, at, payload, head->n_bytes) == head->n_bytes
      && kymo_stream_check_sum (payload, head->n_bytes) == head->check)
    return g_bytes_new_take (payload, head->n_bytes);
  g_free (payload);
  reader->wasted += head->n_bytes;
  return NULL;
}

/* The offset from which to look for a frame if the payload of the frame at `at` is not there. */
static gint64
get_after (const KymoStreamReader *reader,
           gint64                  at,
           const KymoStreamHead   *head)
{
  gint64 end = at + KYMO_STREAM_FRAME_BYTES + head->n_bytes;
  gboolean may_waste = reader->wasted <= WASTE_BYTES
    || reader->wasted / WASTE_TIMES <= reader->scan.size;

  return may_waste || end > reader->scan.size ? at + KYMO_STREAM_SYNC_BYTES : end;
}

static void
tell_end (KymoStreamReader *reader,
          KymoReport       *report)
{
  gint64 left = reader->scan.size - reader->at;

  if (reader->scan.failed != 0)
    {
      if (!reader->told_failed)
        tell_stream_reader (reader, report, left, reader->at,
                            N_("The system could not read on; the rest is missing"));
      reader->told_failed = TRUE;
      return;
    }
  if (left <= 0 || reader->told_end == reader->scan.size
      || g_cancellable_is_cancelled (reader->scan.cancellable))
    return;
  reader->told_end = reader->scan.size;
  if (reader->start == KYMO_STREAM_START_CUT && reader->at == 0)
    tell_stream_reader (reader, report, left, 0,
                        N_("The recording was cut within its header; it holds nothing"));
  else if (kymo_stream_scan_is_cut (&reader->scan, reader->at))
    tell_stream_reader (reader, report, left, reader->at,
                        N_("The recording was cut within a frame; "
                           "the bytes of the frame are ignored"));
  else
    tell_stream_reader (reader, report, left, reader->at,
                        N_("Damaged bytes of the recording were left out"));
}

/* Reports the bytes before the frame, and how many frames were lost by their numbers. A number that
   is lower than expected tells nothing. */
static void
tell_gap (KymoStreamReader     *reader,
          KymoReport           *report,
          gint64                found,
          const KymoStreamHead *head)
{
  gint64 missing = (gint64) head->number - reader->number;

  if (found > reader->at)
    tell_stream_reader (reader, report, found - reader->at, reader->at,
                        N_("Damaged bytes of the recording were left out"));
  if (missing > 0)
    tell_stream_reader (reader, report, missing, found, N_("Frames of the recording are missing"));
}

static KymoStreamFrame *
make_frame (KymoStreamReader     *reader,
            const KymoStreamHead *head,
            GBytes               *payload,
            gint64                found,
            KymoReport           *report)
{
  KymoStreamFrame *frame;

  if (head->kind < KYMO_FRAME_FORM || head->kind > KYMO_FRAME_SCALARS)
    {
      tell_stream_reader (reader, report, 1, found,
                          N_("Frames of a kind that is not known were left out"));
      return NULL;
    }
  frame = kymo_stream_frame_new (head->kind, head->at_us, payload);
  frame->begin_ns = MAX (head->begin_ns, KYMO_FRAME_NO_TIME);
  return frame;
}

/**
 * kymo_stream_reader_next:
 * @report: (nullable): is told once of what is damaged or missing
 *
 * At the end, what a writer has appended since is found by the next call.
 *
 * Returns: (transfer full) (nullable): the next whole frame
 */
KymoStreamFrame *
kymo_stream_reader_next (KymoStreamReader *reader,
                         KymoReport       *report)
{
  gint64 from = reader->at, found;
  KymoStreamHead head;

  tell_start (reader, report);
  if (reader->at + KYMO_STREAM_FRAME_BYTES > reader->scan.size)
    kymo_stream_scan_look (&reader->scan);
  while ((found = kymo_stream_scan_find (&reader->scan, from, &head)) >= 0)
    {
      gint64 begin = found + KYMO_STREAM_FRAME_BYTES;
      g_autoptr (GBytes) payload = read_payload (reader, begin, &head);
      KymoStreamFrame *frame;

      if (payload == NULL)
        {
          from = get_after (reader, found, &head);
          continue;
        }
      tell_gap (reader, report, found, &head);
      from = reader->at = begin + head.n_bytes;
      reader->number = (gint64) head.number + 1;
      frame = make_frame (reader, &head, payload, found, report);
      if (frame != NULL)
        return frame;
    }
  tell_end (reader, report);
  return NULL;
}

/**
 * kymo_stream_reader_peek_failure:
 *
 * Returns: (nullable): why the system could not read on; %NULL where it could
 */
const char *
kymo_stream_reader_peek_failure (const KymoStreamReader *reader)
{
  return reader->scan.failed != 0 && !g_cancellable_is_cancelled (reader->scan.cancellable)
         ? kymo_stream_scan_peek_why (&reader->scan) : NULL;
}

/**
 * kymo_stream_reader_get_fraction:
 *
 * Returns: how much of the file was read, 0 to 1
 */
double
kymo_stream_reader_get_fraction (const KymoStreamReader *reader)
{
  return reader->scan.size > 0 ? (double) reader->at / reader->scan.size : 1;
}

/**
 * kymo_stream_reader_get_bytes_left:
 *
 * Returns: the bytes of the file behind the last frame that was read
 */
gint64
kymo_stream_reader_get_bytes_left (const KymoStreamReader *reader)
{
  return MAX (reader->scan.size - reader->at, 0);
}

/**
 * kymo_stream_reader_get_end:
 * @number: (out): of the frame that would follow
 *
 * Returns: where the last frame that was read ends in the file, or its header
 */
gint64
kymo_stream_reader_get_end (const KymoStreamReader *reader,
                            guint32                *number)
{
  *number = reader->number;
  return reader->at;
}

/**
 * kymo_stream_reader_dup_provenance:
 *
 * Returns: (transfer full): "key: value" lines, valid UTF-8; empty where the
 *   header is damaged
 */
char *
kymo_stream_reader_dup_provenance (const KymoStreamReader *reader)
{
  gint64 n = reader->n_header - KYMO_STREAM_HEAD_BYTES - 4;
  g_autofree char *text = NULL;
  KymoStreamScan scan = reader->scan;   /* reads into no window */

  scan.why = NULL;
  if (n <= 0)
    return g_strdup ("");
  text = g_malloc0 (n + 1);
  kymo_stream_scan_read (&scan, KYMO_STREAM_HEAD_BYTES, (guint8 *) text, n);
  g_free (scan.why);
  return g_utf8_make_valid (text, -1);
}
