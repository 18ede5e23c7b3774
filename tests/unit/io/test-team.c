/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A log read in pieces, by several threads, plain or compressed, is the same
 * as when it is read by one: segment, report and offsets, on random logs and
 * on damaged ones. And lines that only the careful decoder takes make the
 * segment that the fast one makes of their plain twins.
 */
#include "config.h"

#include <string.h>
#include <zlib.h>

#include "kymo-projections-log.h"
#include "scratch.h"

#define N_LINES 3000

static const char names[] =
  "PROJECTIONS_ID \nVERSION 11.0\nPROCESSORS 4\nTOTAL_CHARES 2\nTOTAL_EPS 3\nTOTAL_MSGS 1\n"
  "TOTAL_EVENTS 1\nCHARE 0 \"Main\" -1\nCHARE 1 \"Line\" 1\n"
  "ENTRY CHARE 0 \"run()\" 0 -1\nENTRY CHARE 1 \"go()\" 1 0\nENTRY CHARE 1 \"on()\" 1 0\n"
  "MESSAGE 0 8\nEVENT 7 mark\nEND\n";

typedef struct
{
  KymoRun       *run;
  KymoSts       *sts;
  KymoReport    *report;
  KymoLogResult  result;
} Reading;

/* Some of each type, most of them as runtimes write them. */
static void
put_record (GString *log,
            GRand   *rand,
            gint64   us)
{
  int n = g_rand_int_range (rand, 0, 1000);
  int entry = g_rand_int_range (rand, 0, 4);

  switch (g_rand_int_range (rand, 0, 20))
    {
    case 0: case 1: case 2: case 3: case 4:
      g_string_append_printf (log, "2 0 %d %" G_GINT64_FORMAT " %d %d 64 0 %s%d\n", entry, us,
                              n - 1, n % 5 - 1, entry == 0 ? "0 0 0 0 " : "3 ", n);
      break;
    case 5: case 6: case 7: case 8:
      g_string_append_printf (log, "3 0 %d %" G_GINT64_FORMAT " 1 1 64 %d\n", entry, us, n);
      break;
    case 9: case 10: case 11:
      g_string_append_printf (log, "1 0 %d %" G_GINT64_FORMAT " %d 0 64 1\n", entry, us, n);
      break;
    case 12:
      g_string_append_printf (log, "20 0 %d %" G_GINT64_FORMAT " %d 0 64 1 4\n", entry, us, n);
      break;
    case 13:
      g_string_append_printf (log, "21 0 %d %" G_GINT64_FORMAT " %d 0 64 1 2 3 1\n", entry, us, n);
      break;
    case 14: case 15:
      g_string_append_printf (log, "%d %" G_GINT64_FORMAT " 0\n", 14 + n % 2, us);
      break;
    case 16:
      g_string_append_printf (log, "%d %" G_GINT64_FORMAT " 0\n", 16 + n % 4, us);
      break;
    case 17:
      g_string_append_printf (log, "13 7 %" G_GINT64_FORMAT " %d 0\n", us, n);
      break;
    case 18:
      g_string_append_printf (log, "28 %" G_GINT64_FORMAT " 6a note\n", us);
      break;
    default:
      g_string_append_printf (log, "%d 7 %" G_GINT64_FORMAT " %d 0 0\n", 98 + n % 2, us, n);
      break;
    }
}

static GString *
make_log (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  GString *log = g_string_new ("PROJECTIONS-RECORD 9\n6 10\n");
  gint64 us = 10;

  for (guint i = 0; i < N_LINES; i++)
    put_record (log, rand, us += g_rand_int_range (rand, seed % 4 ? 0 : -2, 50));
  g_string_append_printf (log, "7 %" G_GINT64_FORMAT "\n", us);
  return log;
}

static void
damage (GString *log,
        GRand   *rand)
{
  static const char odd[] = "\n\n\n -9x.\r\xff";

  for (guint i = 0; i < 60; i++)
    {
      guint at = g_rand_int_range (rand, 30, log->len);

      if (i % 3 == 0)
        g_string_erase (log, at, MIN (g_rand_int_range (rand, 1, 30), (int) (log->len - at)));
      else
        log->str[at] = odd[g_rand_int_range (rand, 0, sizeof odd)];
    }
  if (g_rand_boolean (rand))
    g_string_truncate (log, log->len - 40);
}

/* Two members, so that it is inflated in a stream. */
static void
put_compressed (const char    *path,
                const GString *log)
{
  gsize half = log->len / 2;

  for (guint i = 0; i < 2; i++)
    {
      gzFile file = gzopen (path, i == 0 ? "wb" : "ab");
      guint n = i == 0 ? half : log->len - half;

      g_assert_cmpint (gzwrite (file, log->str + i * half, n), ==, n);
      g_assert_cmpint (gzclose (file), ==, Z_OK);
    }
}

static void
read_log (const Scratch *scratch,
          const char    *name,
          gsize          piece_bytes,
          gint           n_threads,
          Reading       *reading)
{
  g_autofree char *sts = scratch_path (scratch, "app.sts");
  g_autofree char *path = scratch_path (scratch, name);
  g_autoptr (KymoSpill) spill = kymo_spill_new (G_MAXINT64, FALSE, NULL);
  gint left = n_threads;
  KymoLogRequest request = { .path = path, .name = "app.0.log", .spill = spill,
                             .threads_left = n_threads > 0 ? &left : NULL, .share_bytes = 1,
                             .piece_bytes = piece_bytes };

  reading->run = kymo_run_new ();
  reading->report = request.report = kymo_report_new ();
  reading->sts = kymo_sts_read (sts, "app.sts", reading->run, NULL, NULL);
  request.sts = reading->sts;
  request.n_activities = reading->run->activities->len;
  kymo_projections_log_read (&request, NULL, &reading->result);
  g_assert_cmpint (left, ==, n_threads);
  kymo_report_sort (reading->report);
}

static void
reading_clear (Reading *reading)
{
  kymo_projections_log_result_clear (&reading->result);
  kymo_report_unref (reading->report);
  kymo_sts_free (reading->sts);
  kymo_run_unref (reading->run);
}

static void
assert_same_points (const KymoSegment *a,
                    const KymoSegment *b)
{
  g_assert_cmpuint (a->points->len, ==, b->points->len);
  for (guint i = 0; i < a->points->len; i++)
    {
      KymoPoint p = g_array_index (a->points, KymoPoint, i);
      KymoPoint q = g_array_index (b->points, KymoPoint, i);

      g_assert_cmpstr (p.text, ==, q.text);
      p.text = q.text = NULL;
      g_assert_cmpmem (&p, sizeof p, &q, sizeof q);
    }
  g_assert_cmpuint (a->stretches->len, ==, b->stretches->len);
  for (guint i = 0; i < a->stretches->len; i++)
    g_assert_cmpint (g_array_index (a->stretches, KymoStretch, i).begin_ns, ==,
                     g_array_index (b->stretches, KymoStretch, i).begin_ns);
}

static void
assert_same_blocks (const KymoSegment *a,
                    const KymoSegment *b)
{
  gsize size = kymo_times_size (a->wide);

  g_assert_cmpuint (a->n_blocks, ==, b->n_blocks);
  g_assert_cmpmem (a->objects, a->n_objects * sizeof (KymoObject), b->objects,
                   b->n_objects * sizeof (KymoObject));
  g_assert_cmpmem (a->block_begin, size * a->n_blocks, b->block_begin, size * b->n_blocks);
  g_assert_cmpmem (a->block_end, size * a->n_blocks, b->block_end, size * b->n_blocks);
  g_assert_cmpmem (a->block_activity, 4 * a->n_blocks, b->block_activity, 4 * b->n_blocks);
  g_assert_cmpmem (a->block_source, 4 * a->n_blocks, b->block_source, 4 * b->n_blocks);
  g_assert_cmpmem (a->block_event, 4 * a->n_blocks, b->block_event, 4 * b->n_blocks);
  g_assert_cmpmem (a->block_bytes, 4 * a->n_blocks, b->block_bytes, 4 * b->n_blocks);
  for (guint i = 0; i < a->n_blocks; i++)
    g_assert_cmpuint (kymo_segment_block_object (a, i), ==, kymo_segment_block_object (b, i));
}

static void
assert_same_array (const GArray *a,
                   const GArray *b)
{
  g_assert_true ((a == NULL) == (b == NULL));
  if (a != NULL)
    g_assert_cmpmem (a->data, a->len * g_array_get_element_size ((GArray *) a), b->data,
                     b->len * g_array_get_element_size ((GArray *) b));
}

static void
assert_same (const Reading *x,
             const Reading *y,
             gboolean       offsets)
{
  const KymoSegment *a = x->result.segment, *b = y->result.segment;

  gsize size = kymo_times_size (a->wide);

  g_assert_cmpint (x->result.cpu_ns, ==, y->result.cpu_ns);
  g_assert_cmpint (x->result.cpu_clock, ==, y->result.cpu_clock);
  assert_same_array (x->result.stretched, y->result.stretched);
  assert_same_array (x->result.stretch_sums, y->result.stretch_sums);
  g_assert_cmpint (a->wide, ==, b->wide);
  g_assert_cmpint (a->n_records, ==, b->n_records);
  g_assert_cmpint (a->base_ns, ==, b->base_ns);
  g_assert_cmpuint (a->n_pieces, ==, b->n_pieces);
  g_assert_cmpmem (a->piece_begin, size * (a->n_pieces + 1), b->piece_begin,
                   size * (b->n_pieces + 1));
  g_assert_cmpmem (a->piece_state, 4 * a->n_pieces, b->piece_state, 4 * b->n_pieces);
  assert_same_blocks (a, b);
  g_assert_cmpuint (a->n_sends, ==, b->n_sends);
  g_assert_cmpmem (a->send_time, size * a->n_sends, b->send_time, size * b->n_sends);
  g_assert_cmpmem (a->send_event, 4 * a->n_sends, b->send_event, 4 * b->n_sends);
  for (guint i = 0; i < a->n_sends; i++)
    g_assert_cmpuint (kymo_segment_send_destinations (a, i), ==,
                      kymo_segment_send_destinations (b, i));
  g_assert_cmpuint (a->multicast_pes->len, ==, b->multicast_pes->len);
  assert_same_points (a, b);
  g_assert_cmpuint (kymo_report_get_n_issues (x->report), ==, kymo_report_get_n_issues (y->report));
  for (guint i = 0; i < kymo_report_get_n_issues (x->report); i++)
    {
      const KymoIssue *p = kymo_report_peek_issue (x->report, i);
      const KymoIssue *q = kymo_report_peek_issue (y->report, i);

      g_assert_cmpstr (p->what, ==, q->what);
      g_assert_cmpint (p->count, ==, q->count);
      g_assert_true (!offsets || p->offset == q->offset);
    }
}

static void
compare_splits (const Scratch *scratch,
                const GString *log,
                GRand         *rand)
{
  g_autofree char *path = scratch_path (scratch, "app.0.log");
  g_autofree char *path_gz = scratch_path (scratch, "app.0.log.gz");
  Reading whole, part;

  g_assert_true (g_file_set_contents (path, log->str, log->len, NULL));
  put_compressed (path_gz, log);
  read_log (scratch, "app.0.log", 0, 0, &whole);
  g_assert_nonnull (whole.result.segment);
  for (guint i = 0; i < 8; i++)
    {
      gsize piece = i == 0 ? 0 : g_rand_int_range (rand, 1, i < 4 ? 200 : 9000);

      read_log (scratch, i % 2 ? "app.0.log.gz" : "app.0.log", piece, i % 5, &part);
      assert_same (&whole, &part, TRUE);
      reading_clear (&part);
    }
  reading_clear (&whole);
}

static void
test_splits (Scratch       *scratch,
             gconstpointer  damaged)
{
  scratch_put (scratch, "app.sts", names);
  for (guint32 seed = 1; seed <= 12; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GString) log = make_log (seed);

      if (damaged != NULL)
        damage (log, rand);
      compare_splits (scratch, log, rand);
    }
}

/* A second blank behind the type, and no line is plain any more. */
static GString *
make_careful (const GString *log)
{
  GString *careful = g_string_new (NULL);
  const char *line = strchr (log->str, '\n') + 1, *end = log->str + log->len;

  g_string_append_len (careful, log->str, line - log->str);
  for (const char *next; (next = memchr (line, '\n', end - line)) != NULL; line = next + 1)
    {
      const char *blank = memchr (line, ' ', next - line);

      g_string_append_len (careful, line, next + 1 - line);
      if (blank != NULL && blank > line)
        g_string_insert_c (careful, careful->len - (next + 1 - blank), ' ');
    }
  g_string_append_len (careful, line, end - line);
  return careful;
}

static void
test_careful (Scratch       *scratch,
              gconstpointer  damaged)
{
  g_autofree char *plain_path = scratch_path (scratch, "app.0.log");
  g_autofree char *careful_path = scratch_path (scratch, "app.1.log");

  scratch_put (scratch, "app.sts", names);
  for (guint32 seed = 1; seed <= 12; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GString) log = make_log (seed);
      g_autoptr (GString) careful = NULL;
      Reading a, b;

      if (damaged != NULL)
        damage (log, rand);
      careful = make_careful (log);
      g_assert_true (g_file_set_contents (plain_path, log->str, log->len, NULL));
      g_assert_true (g_file_set_contents (careful_path, careful->str, careful->len, NULL));
      read_log (scratch, "app.0.log", 0, 0, &a);
      read_log (scratch, "app.1.log", 0, 0, &b);
      assert_same (&a, &b, FALSE);
      reading_clear (&a);
      reading_clear (&b);
    }
}

typedef struct
{
  KymoJob *job;
  gulong   wait_us;
  gint64   at_us;
} Stop;

static gpointer
stop_soon (gpointer data)
{
  Stop *stop = data;

  g_usleep (stop->wait_us);
  stop->at_us = g_get_monotonic_time ();
  kymo_job_cancel (stop->job);
  return NULL;
}

/* A log that several threads read stops, whoever waits for whom, and gives
   its threads back. The limit is for a machine with much else to do. */
static void
test_cancel (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree char *sts_path = scratch_path (scratch, "app.sts");
  g_autofree char *path = scratch_path (scratch, "app.0.log");
  g_autoptr (GString) log = make_log (1);
  g_autoptr (GString) large = g_string_new (NULL);

  scratch_put (scratch, "app.sts", names);
  for (guint i = 0; i < 200; i++)
    g_string_append_len (large, log->str, log->len);
  g_assert_true (g_file_set_contents (path, large->str, large->len, NULL));
  for (guint i = 0; i < 10; i++)
    {
      gint n_threads = i / 2;
      g_autoptr (KymoRun) run = kymo_run_new ();
      g_autoptr (KymoSts) sts = kymo_sts_read (sts_path, "app.sts", run, NULL, NULL);
      g_autoptr (KymoReport) report = kymo_report_new ();
      g_autoptr (KymoSpill) spill = kymo_spill_new (G_MAXINT64, FALSE, NULL);
      g_autoptr (KymoJob) job = kymo_job_new ();
      gint left = n_threads;
      KymoLogRequest request = { .path = path, .name = "app.0.log", .spill = spill, .sts = sts,
                                 .report = report, .n_activities = run->activities->len,
                                 .threads_left = &left, .share_bytes = 1, .piece_bytes = 64 };
      Stop stop = { job, i % 2 ? 3000 : 0, 0 };
      GThread *stopper;
      KymoLogResult result;

      if (i % 2 == 0)
        kymo_job_cancel (job);  /* before it begins */
      stopper = g_thread_new ("stop", stop_soon, &stop);
      /* 64 bytes at a time take it far longer than the stopper waits. */
      kymo_projections_log_read (&request, job, &result);
      g_thread_join (stopper);
      g_assert_null (result.segment);
      g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 0);
      g_assert_cmpint (left, ==, n_threads);
      g_assert_cmpint (g_get_monotonic_time () - stop.at_us, <, 20 * G_USEC_PER_SEC);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/team/splits", Scratch, NULL, scratch_up, test_splits, scratch_down);
  g_test_add ("/team/splits-of-damaged", Scratch, "damaged", scratch_up, test_splits, scratch_down);
  g_test_add ("/team/careful", Scratch, NULL, scratch_up, test_careful, scratch_down);
  g_test_add ("/team/careful-damaged", Scratch, "damaged", scratch_up, test_careful, scratch_down);
  g_test_add ("/team/cancel", Scratch, NULL, scratch_up, test_cancel, scratch_down);
  return g_test_run ();
}
