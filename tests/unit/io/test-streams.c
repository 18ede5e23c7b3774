/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams of bytes and lines, and what is told of how they end: files that
 * grow or shrink while they are read.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "kymo-projections-records.h"

typedef struct
{
  char *path;
} Scratch;

static void
scratch_up (Scratch *scratch, gconstpointer data)
{
  int fd = g_file_open_tmp ("kymo-XXXXXX", &scratch->path, NULL);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

static void
scratch_down (Scratch *scratch, gconstpointer data)
{
  g_unlink (scratch->path);
  g_free (scratch->path);
}

static void
put (Scratch *scratch, const char *text, gssize length)
{
  g_assert_true (g_file_set_contents (scratch->path, text, length, NULL));
}

/* Reads all lines, then the file gets another size; what is told of it. */
static KymoReport *
read_and_resize (Scratch *scratch, goffset size, gint64 last_type)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (scratch->path, NULL);
  KymoReport *report = kymo_report_new ();
  KymoLogRequest request = { .name = "app.0.log", .report = report };
  KymoLogState log = { .request = &request, .last_type = last_type };
  KymoLines lines;
  char *end;

  kymo_lines_init (&lines, inflate, NULL);
  while (kymo_lines_next (&lines, &end) != NULL)
    ;
  g_assert_cmpint (truncate (scratch->path, size), ==, 0);
  kymo_projections_report_end (&log, &lines, inflate);
  kymo_lines_clear (&lines);
  return report;
}

static const KymoIssue *
only_issue (KymoReport *report)
{
  g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 1);
  return kymo_report_peek_issue (report, 0);
}

static void
test_grows (Scratch *scratch, gconstpointer data)
{
  put (scratch, "PROJECTIONS-RECORD 1\n6 1\n", -1);
  g_autoptr (KymoReport) open = read_and_resize (scratch, 100, BEGIN_COMPUTATION);
  g_assert_cmpint (only_issue (open)->severity, ==, KYMO_SEVERITY_LOST);
  g_assert_nonnull (strstr (only_issue (open)->what, "still being written"));
  put (scratch, "PROJECTIONS-RECORD 1\n7 1\n", -1);
  g_autoptr (KymoReport) ended = read_and_resize (scratch, 100, END_COMPUTATION);
  g_assert_cmpint (only_issue (ended)->severity, ==, KYMO_SEVERITY_NOTE);
  g_assert_cmpint (only_issue (ended)->count, ==, 75);
}

static void
test_shrinks (Scratch *scratch, gconstpointer data)
{
  put (scratch, "PROJECTIONS-RECORD 1\n7 1\n", -1);
  g_autoptr (KymoReport) report = read_and_resize (scratch, 5, END_COMPUTATION);
  g_assert_cmpint (only_issue (report)->severity, ==, KYMO_SEVERITY_LOST);
  g_assert_nonnull (strstr (only_issue (report)->what, "became shorter"));
  g_assert_cmpint (only_issue (report)->count, ==, 20);
}

/* A file is cut while it is read: what was in the buffer is still read, and
   the rest is not there. */
static void
test_cut_meanwhile (Scratch *scratch, gconstpointer data)
{
  g_autofree char *text = g_malloc (1 << 20);
  g_autofree char *buffer = g_malloc (1 << 20);
  gsize n = 0, part;

  memset (text, 'x', 1 << 20);
  put (scratch, text, 1 << 20);
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (scratch->path, NULL);
  n = kymo_inflate_read (inflate, buffer, 1000, NULL);
  g_assert_cmpint (truncate (scratch->path, 2000), ==, 0);
  while ((part = kymo_inflate_read (inflate, buffer, 1 << 20, NULL)) > 0)
    n += part;
  g_assert_cmpuint (n, <, 1 << 20);
  g_assert_cmpint (kymo_inflate_get_growth (inflate), ==, 2000 - (1 << 20));
}

/* Bytes by windows, over the end of the buffer and of the file. */
static void
test_ensure (Scratch *scratch, gconstpointer data)
{
  const gsize size = (5 << 20) / 2;
  g_autofree guint8 *bytes = g_malloc (size);
  KymoLines lines;
  gsize at = 0, n;

  for (gsize i = 0; i < size; i++)
    bytes[i] = (i * 2654435761u) >> 24;
  put (scratch, (char *) bytes, size);
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (scratch->path, NULL);
  kymo_lines_init (&lines, inflate, NULL);
  while ((n = kymo_lines_ensure (&lines, 70000)) > 0)
    {
      gsize step = MIN (n, 12345);
      g_assert_cmpuint (n, >=, MIN (70000, size - at));
      g_assert_cmpint (lines.offset, ==, (gint64) at);
      g_assert_true (memcmp (lines.next, bytes + at, n) == 0);
      kymo_lines_advance (&lines, step);
      at += step;
    }
  g_assert_cmpuint (at, ==, size);
  kymo_lines_clear (&lines);
}

/* The buffer of a small file is small, and grows where compressed lines are long. */
static void
test_small_grows (Scratch *scratch, gconstpointer data)
{
  const gsize length = 600000;
  g_autofree char *word = g_strnfill (length, 'x');
  g_autofree char *text = g_strconcat ("6 1\n", word, "\n7 2\n", NULL);
  gzFile file = gzopen (scratch->path, "wb");
  KymoLines lines;
  char *line, *end;

  g_assert_cmpint (gzwrite (file, text, strlen (text)), ==, (int) strlen (text));
  g_assert_cmpint (gzclose (file), ==, Z_OK);
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (scratch->path, NULL);
  kymo_lines_init (&lines, inflate, NULL);
  /* Where libdeflate inflates the file as a whole there is no buffer. */
  if (lines.memory_end == NULL)
    g_assert_cmpuint (lines.room, <=, 4096);
  line = kymo_lines_next (&lines, &end);
  g_assert_cmpint (end - line, ==, 3);
  line = kymo_lines_next (&lines, &end);
  g_assert_cmpint (end - line, ==, length);
  g_assert_true (memcmp (line, word, length) == 0);
  line = kymo_lines_next (&lines, &end);
  g_assert_true (memcmp (line, "7 2\n", 4) == 0);
  g_assert_null (kymo_lines_next (&lines, &end));
  g_assert_cmpint (lines.skipped_lines, ==, 0);
  kymo_lines_clear (&lines);
}

static void
test_no_file (Scratch *scratch, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (kymo_inflate_open (g_get_tmp_dir (), &error));
  g_assert_nonnull (error);
}

#define add(path, function) \
  g_test_add (path, Scratch, NULL, scratch_up, function, scratch_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/streams/grows", test_grows);
  add ("/streams/shrinks", test_shrinks);
  add ("/streams/cut-meanwhile", test_cut_meanwhile);
  add ("/streams/ensure", test_ensure);
  add ("/streams/small-grows", test_small_grows);
  add ("/streams/no-file", test_no_file);
  return g_test_run ();
}
