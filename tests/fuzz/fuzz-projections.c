/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target for the two readers of a Projections run. The first byte
 * chooses: 's' the sts reader; '7', '3', 'v' a log of version 7, 3 or 11.
 * The readers want a path, so the bytes lie in a file without a name.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kymo-projections-log.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Enough names for a log to be about something. */
#define STS(version)                                                          \
  "VERSION " version "\nPROCESSORS 4\nTOTAL_CHARES 2\nTOTAL_EPS 4\n"          \
  "TOTAL_MSGS 1\nTOTAL_EVENTS 2\nCHARE 0 \"A\" -1\nCHARE 1 \"B\" 3\n"         \
  "ENTRY CHARE 0 \"a()\" 0 0\nENTRY CHARE 1 \"b(int)\" 1 0\n"                 \
  "ENTRY CHARE 2 \"c()\" 1 0\nENTRY CHARE 3 \"d()\" 0 0\nMESSAGE 0 8\n"       \
  "TOTAL_STATS 0\nEVENT 1 one\nEVENT 2 two\nEND\n"

static char *
put_bytes (const void *bytes, gsize size, int *fd)
{
  *fd = memfd_create ("fuzz", MFD_CLOEXEC);
  if (*fd < 0 || write (*fd, bytes, size) != (gssize) size)
    g_error ("cannot keep %zu bytes", size);
  return g_strdup_printf ("/proc/self/fd/%d", *fd);
}

static KymoSts *
read_sts (const void *bytes, gsize size, KymoRun *run)
{
  int fd;
  g_autofree char *path = put_bytes (bytes, size, &fd);
  KymoSts *sts = kymo_sts_read (path, "fuzz.sts", run, NULL, NULL);
  close (fd);
  return sts;
}

static void
read_log (const guint8 *data, gsize size, const char *sts_text)
{
  g_autoptr (KymoRun) run = kymo_run_new ();
  g_autoptr (KymoSts) sts = read_sts (sts_text, strlen (sts_text), run);
  g_autoptr (KymoReport) report = kymo_report_new ();
  KymoLogResult result = { 0 };
  gint64 memory_left = 256 << 20;
  int fd;
  g_autofree char *path = put_bytes (data, size, &fd);
  KymoLogRequest request = {
    .path = path, .name = "fuzz.0.log", .sts = sts, .report = report,
    .n_activities = run->activities->len, .memory_left = &memory_left,
  };

  kymo_projections_log_read (&request, NULL, &result);
  close (fd);
  if (result.segment != NULL)
    kymo_segment_free (result.segment);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size == 0)
    return 0;
  if (data[0] == 's')
    {
      g_autoptr (KymoRun) run = kymo_run_new ();
      g_autoptr (KymoSts) sts = read_sts (data + 1, size - 1, run);
    }
  else
    read_log (data + 1, size - 1, data[0] == '7' ? STS ("7.0")
              : data[0] == '3' ? STS ("3.0") : STS ("11.0"));
  return 0;
}
