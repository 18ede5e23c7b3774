/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readers want a path, so the bytes lie in a file without a name that is
 * made once and refilled for every input. Tables of names are read once.
 */
#include "config.h"

#include "fuzz.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kymo-projections-record.h"

#define SHARED_MEMORY "/dev/shm"
#define MEMORY_LIMIT (G_GINT64_CONSTANT (256) << 20)

/* Enough names for a log to be about something. */
#define NAMES                                                                 \
  "PROCESSORS 4\nTOTAL_CHARES 3\nTOTAL_EPS 5\nTOTAL_MSGS 1\nTOTAL_EVENTS 2\n" \
  "CHARE 0 \"A\" -1\nCHARE 1 \"B\" 3\nCHARE 2 \"C\" 6\n"                      \
  "ENTRY CHARE 0 \"a()\" 0 0\nENTRY CHARE 1 \"b(int)\" 1 0\n"                 \
  "ENTRY CHARE 2 \"c()\" 1 0\nENTRY CHARE 3 \"d()\" 0 0\n"                    \
  "ENTRY CHARE 4 \"e()\" 2 0\nMESSAGE 0 8\n"                                  \
  "TOTAL_STATS 1\nEVENT 1 one\nEVENT 2 two\nSTAT 0 level\n"                   \
  "TOTAL_FUNCTIONS 1\nFUNCTION 7 f\nEND\n"

static const char *const tables[FUZZ_N_TABLES] =
{
  "VERSION 11.0\n" NAMES, "VERSION 10.0\n" NAMES, "VERSION 7.0\n" NAMES,
  "VERSION 3.0\n" NAMES, "VERSION 6.6\nTOTAL_PAPI_EVENTS 2\nPAPI_EVENT 0 CYC\n"
  "PAPI_EVENT 1 INS\n" NAMES, "VERSION 5.0\n" NAMES, "VERSION 2.0\n" NAMES,
  "VERSION 11.0\nTOTAL_PAPI_EVENTS 3\nSMPMODE 1 2\n" NAMES,
};

/* Threads of pools stay: what GLib has of one that is just ending looks like a leak of the
   input after it. An assertion that only tells counts as a crash, as it does in a test. */
int
LLVMFuzzerInitialize (int    *argc,
                      char ***argv)
{
  g_thread_pool_set_max_unused_threads (-1);
  g_thread_pool_set_max_idle_time (0);
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  return 0;
}

/**
 * fuzz_file:
 *
 * Returns: (transfer none): the path of a file that holds these bytes, until
 * the next call
 */
const char *
fuzz_file (const void *bytes,
           gsize       size)
{
  static char path[64];
  static int fd = -1;

  if (fd < 0)
    {
      fd = memfd_create ("fuzz", MFD_CLOEXEC);
      g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    }
  if (fd < 0 || ftruncate (fd, 0) != 0 || pwrite (fd, bytes, size, 0) != (gssize) size)
    g_error ("cannot keep %" G_GSIZE_FORMAT " bytes", size);
  return path;
}

static char *folders[FUZZ_MOST_FOLDERS];

/**
 * fuzz_clean:
 *
 * Removes what is in a folder, not the folder.
 */
void
fuzz_clean (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        fuzz_clean (inner);
      g_remove (inner);
    }
}

static void
remove_folders (void)
{
  for (guint i = 0; i < FUZZ_MOST_FOLDERS && folders[i] != NULL; i++)
    {
      fuzz_clean (folders[i]);
      g_rmdir (folders[i]);
    }
}

/**
 * fuzz_fail:
 *
 * Ends the program in the way that libFuzzer keeps the input.
 */
G_NORETURN void
fuzz_fail (const char *file,
           guint       line,
           const char *fact)
{
  g_printerr ("%s:%u: does not hold: %s\n", file, line, fact);
  remove_folders ();
  abort ();
}

/**
 * fuzz_folder:
 *
 * Returns: (transfer none): a new folder, in memory where the system has a place for that;
 * it goes with the program
 */
const char *
fuzz_folder (void)
{
  guint i = 0;

  while (folders[i] != NULL)
    i++;
  fuzz_require (i < FUZZ_MOST_FOLDERS);
  folders[i] = g_file_test (SHARED_MEMORY, G_FILE_TEST_IS_DIR)
    ? g_mkdtemp (g_strdup (SHARED_MEMORY "/kymo-fuzz-XXXXXX"))
    : g_dir_make_tmp ("kymo-fuzz-XXXXXX", NULL);
  fuzz_require (folders[i] != NULL);
  if (i == 0)
    atexit (remove_folders);
  return folders[i];
}

/**
 * fuzz_put:
 * @folder: of fuzz_folder()
 * @name: of a file in it, which gets these bytes
 */
void
fuzz_put (const char *folder,
          const char *name,
          const void *bytes,
          gsize       size)
{
  char path[256];
  int fd;

  g_snprintf (path, sizeof path, "%s/%s", folder, name);
  fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  fuzz_require (fd >= 0 && write (fd, bytes, size) == (gssize) size);
  close (fd);
}

/**
 * fuzz_table:
 * @index: taken modulo %FUZZ_N_TABLES: a version, with counters or without
 * @n_activities: (out): of the run that the names make
 *
 * Returns: (transfer none): names to read a log with
 */
const KymoSts *
fuzz_table (guint  index,
            guint *n_activities)
{
  static KymoSts *made[FUZZ_N_TABLES];
  static guint counts[FUZZ_N_TABLES];

  index %= FUZZ_N_TABLES;
  if (made[index] == NULL)
    {
      g_autoptr (KymoRun) run = kymo_run_new ();

      made[index] = kymo_sts_read (fuzz_file (tables[index], strlen (tables[index])),
                                   "fuzz.sts", run, NULL, NULL);
      fuzz_require (made[index] != NULL);
      counts[index] = run->activities->len;
    }
  *n_activities = counts[index];
  return made[index];
}

/**
 * fuzz_told:
 *
 * Returns: sum of the counts of the issues at least so severe
 */
gint64
fuzz_told (KymoReport   *report,
           KymoSeverity  severity)
{
  gint64 n = 0;

  for (guint i = 0; i < kymo_report_get_n_issues (report); i++)
    if (kymo_report_peek_issue (report, i)->severity >= severity)
      n = kymo_saturating_add (n, kymo_report_peek_issue (report, i)->count);
  return n;
}

/**
 * fuzz_report:
 *
 * Every issue names a file, counts something and is a sentence.
 */
void
fuzz_report (KymoReport *report)
{
  for (guint i = 0; i < kymo_report_get_n_issues (report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (report, i);

      fuzz_require (issue->count > 0);
      fuzz_require (issue->offset >= -1);
      fuzz_require (*issue->file != '\0' && *issue->what != '\0');
      fuzz_require (g_utf8_validate (issue->what, -1, NULL));
    }
}

static void
check_track (KymoSegment *segment,
             guint        n_activities)
{
  guint n_states = KYMO_STATE_ACTIVITY + n_activities;
  g_autofree gint64 *walked = g_new0 (gint64, n_states);
  gint64 total = 0;
  guint hint = 0;
  KymoSums sums;

  for (guint i = 0; i < segment->n_pieces; i++)
    {
      gint64 length = kymo_segment_piece_begin (segment, i + 1)
                      - kymo_segment_piece_begin (segment, i);

      fuzz_require (length >= 0);
      fuzz_require (segment->piece_state[i] < n_states);
      walked[segment->piece_state[i]] += length;
    }
  kymo_sums_init (&sums, n_states);
  kymo_segment_sum (segment, segment->span, &hint, &sums);
  for (guint i = 0; i < n_states; i++)
    {
      fuzz_require (sums.ns[i] == walked[i]);
      total += sums.ns[i];
    }
  fuzz_require (total == segment->span.end_ns - segment->span.begin_ns);
  kymo_sums_clear (&sums);
}

/**
 * fuzz_segment:
 *
 * A sealed segment keeps its promises: the track partitions the span, blocks
 * nest and begin in order, every index has its target.
 */
void
fuzz_segment (KymoSegment *segment,
              guint        n_activities)
{
  check_track (segment, n_activities);
  for (guint i = 0; i < segment->n_blocks; i++)
    {
      fuzz_require (kymo_segment_block_begin (segment, i) <= kymo_segment_block_end (segment, i));
      fuzz_require (i == 0 || kymo_segment_block_begin (segment, i - 1)
                    <= kymo_segment_block_begin (segment, i));
      fuzz_require (segment->block_activity[i] < n_activities);
      fuzz_require (kymo_segment_block_object (segment, i) < MAX (segment->n_objects, 1));
    }
  for (guint i = 0; i < segment->n_sends; i++)
    fuzz_require (segment->send_activity[i] < n_activities
                  || (segment->exchange != NULL && segment->send_activity[i] == G_MAXUINT32));
  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      fuzz_require (point->begin_ns <= point->end_ns);
      fuzz_require (point->kind < KYMO_N_POINT_KINDS);
      fuzz_require (point->activity == G_MAXUINT32 || point->activity < n_activities);
    }
  kymo_segment_peek_calls (segment);
  kymo_segment_peek_send_blocks (segment);
}

/* Of a text log each line that is not blank is a record or is told; and so are the bytes after
   the last one. */
static void
check_lines (const guint8      *data,
             gsize              size,
             const KymoSegment *segment,
             KymoReport        *report)
{
  static const char magic[] = "PROJECTIONS-RECORD ";
  gint64 n_lines = 0;
  gboolean has_substance = FALSE;
  gint64 told = fuzz_told (report, KYMO_SEVERITY_LOST);

  if (size < sizeof magic || memcmp (data, magic, sizeof magic - 1) != 0)
    return;
  for (gsize i = 0; i < size; i++)
    {
      has_substance |= data[i] > ' ';
      n_lines += data[i] == '\n' && has_substance;
      has_substance &= data[i] != '\n';
    }
  fuzz_require (segment->n_records <= MAX (n_lines - 1, 0));
  fuzz_require (segment->n_records + told >= n_lines - 1);
  if (data[size - 1] != '\n')
    fuzz_require (told > 0);
}

/* A plain line is one that the careful decoder takes as well, and takes for
   the same. */
static void
check_twin (KymoLogLayout         *layout,
            const char            *line,
            const char            *end,
            const KymoPlainRecord *plain)
{
  KymoLogRecord record;

  fuzz_require (kymo_text_decode (layout, line, end, &record));
  fuzz_require (plain->type == record.type && plain->time_ns == record.time_ns);
  if (plain->type >= BEGIN_IDLE && plain->type <= END_UNPACK)
    return;
  fuzz_require (plain->id == record.id);
  if (plain->type == END_PROCESSING)
    return;
  fuzz_require (plain->event == record.event && plain->pe == record.pe
                && plain->length == record.length);
  if (plain->type != BEGIN_PROCESSING)
    {
      fuzz_require (record.n_destinations
                    == (plain->type == CREATION ? 1 : (gint64) plain->index[0]));
      return;
    }
  fuzz_require (plain->n_index == record.object.n_dimensions && record.n_counters == 0);
  for (guint i = 0; i < plain->n_index; i++)
    fuzz_require (plain->index[i] == record.object.index[i]);
}

/* Behind a line come blank ones alone, up to @next. */
static gboolean
are_blank (const char *p,
           const char *next)
{
  while (p < next && g_ascii_isspace (*p))
    p++;
  return p == next && next[-1] == '\n';
}

static void
check_twins (const guint8  *data,
             gsize          size,
             const KymoSts *sts)
{
  g_autofree char *block = g_malloc (size + 1);
  const char *next = block;
  KymoLogLayout layout;

  memcpy (block, data, size);
  block[size] = '\n';
  kymo_log_layout_init (&layout, sts);
  while (next <= block + size)
    {
      const char *line = next;
      const char *newline = memchr (line, '\n', block + size + 1 - line);
      KymoPlainRecord plain;

      fuzz_require (kymo_text_decode_lines (&layout, block, &next, block + size + 1, &plain, 1)
                    == 1);
      fuzz_require (next > newline && are_blank (newline + 1, next));
      if (plain.type != 0)
        check_twin (&layout, line, newline, &plain);
      else
        fuzz_require (plain.line == line - block && plain.n_bytes == newline - line);
    }
  kymo_log_layout_clear (&layout);
}

/* In pieces, and by two threads now and then, a log reads as it does at once. Pieces are
   not so small that a long log takes long. */
static void
check_pieces (KymoLogRequest      *request,
              gsize                size,
              const KymoLogResult *whole)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoLogResult parts = { 0 };
  gint left = 1;

  request->piece_bytes = 1 + size % 251 + size / 64;
  request->share_bytes = 1;
  request->threads_left = size % FUZZ_THREADS_IN == 0 ? &left : NULL;
  request->report = report;
  kymo_projections_log_read (request, NULL, &parts);
  fuzz_require (left == 1 && (parts.segment == NULL) == (whole->segment == NULL));
  fuzz_require (parts.cpu_clock == whole->cpu_clock && parts.cpu_ns == whole->cpu_ns);
  if (parts.segment == NULL)
    return;
  fuzz_require (parts.segment->n_records == whole->segment->n_records);
  fuzz_require (parts.segment->span.begin_ns == whole->segment->span.begin_ns
                && parts.segment->span.end_ns == whole->segment->span.end_ns);
  fuzz_require (parts.segment->n_pieces == whole->segment->n_pieces
                && parts.segment->n_blocks == whole->segment->n_blocks
                && parts.segment->n_sends == whole->segment->n_sends
                && parts.segment->points->len == whole->segment->points->len);
  fuzz_require ((parts.stretched == NULL) == (whole->stretched == NULL)
                && (parts.stretched == NULL || parts.stretched->len == whole->stretched->len));
  kymo_projections_log_result_clear (&parts);
}

/**
 * fuzz_read_log:
 * @table: which names, see fuzz_table()
 *
 * Reads the bytes as a log of any form and checks what came of it.
 */
void
fuzz_read_log (const guint8 *data,
               gsize         size,
               guint         table)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoLogResult result = { 0 };
  g_autoptr (KymoSpill) spill = kymo_spill_new (MEMORY_LIMIT, FALSE, NULL);
  guint n_activities;
  const KymoSts *sts = fuzz_table (table, &n_activities);
  KymoLogRequest request =
  {
    .path = fuzz_file (data, size), .name = "fuzz.0.log", .sts = sts, .report = report,
    .n_activities = n_activities, .spill = spill,
  };

  check_twins (data, size, sts);
  kymo_projections_log_read (&request, NULL, &result);
  fuzz_report (report);
  if (result.segment == NULL)
    fuzz_require (fuzz_told (report, KYMO_SEVERITY_LOST) > 0);
  else
    {
      fuzz_segment (result.segment, n_activities);
      check_lines (data, size, result.segment, report);
    }
  check_pieces (&request, size, &result);
  kymo_projections_log_result_clear (&result);
}
