/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * First looks at logs: what probes tell of sound, short, compressed, damaged
 * and lying logs, and the drafts that are made of them while a run is read.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>

#include "kymo-open.h"
#include "kymo-projections-draft.h"
#include "kymo-projections-probe.h"
#include "scratch.h"

#define N_BLOCKS 4000
#define N_STATES (KYMO_STATE_ACTIVITY + 2)
#define WORK KYMO_STATE_ACTIVITY

/* An .sts of one entry method, without index values. */
static KymoSts *
new_sts (KymoRun *run)
{
  KymoSts *sts = kymo_sts_new ();
  KymoStsEntry entry = { 0, -1 };

  entry.activity = kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 0, "work", NULL, NULL);
  kymo_sts_set_entry (sts, 0, entry);
  sts->version = 60;
  sts->n_pes = 4;
  sts->unknown_entry = kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, -1, "?", NULL, NULL);
  return sts;
}

/* Of every 10 us from @begin_us on 6 are work, 3 idle and 1 overhead. */
static char *
make_log (gint64 begin_us,
          guint  n_blocks)
{
  GString *text = g_string_new ("PROJECTIONS-RECORD 0\n");

  g_string_append_printf (text, "6 %" G_GINT64_FORMAT "\n", begin_us);
  for (guint i = 0; i < n_blocks; i++)
    {
      gint64 t = begin_us + 10 * (gint64) i;

      g_string_append_printf (text, "2 0 0 %" G_GINT64_FORMAT " %u 0 64 0 0 0 0\n", t, i);
      g_string_append_printf (text, "3 0 0 %" G_GINT64_FORMAT " %u 0 64\n", t + 6, i);
      g_string_append_printf (text, "14 %" G_GINT64_FORMAT " 0\n", t + 6);
      g_string_append_printf (text, "15 %" G_GINT64_FORMAT " 0\n", t + 9);
    }
  g_string_append_printf (text, "7 %" G_GINT64_FORMAT "\n", begin_us + 10 * (gint64) n_blocks);
  return g_string_free (text, FALSE);
}

static void
put_gzip (const Scratch *scratch,
          const char    *name,
          const char    *text)
{
  g_autofree char *path = scratch_path (scratch, name);
  gzFile file = gzopen (path, "wb6");

  g_assert_nonnull (file);
  g_assert_cmpint (gzwrite (file, text, strlen (text)), ==, (int) strlen (text));
  g_assert_cmpint (gzclose (file), ==, Z_OK);
}

/* Sums of the whole segment; they are its length, whatever the log was. */
static void
sum_up (KymoSegment *segment,
        KymoSums    *sums)
{
  gint64 total = 0, pieces = 0;
  KymoSums part;

  kymo_sums_init (sums, N_STATES);
  kymo_segment_sum (segment, KYMO_SPAN_ALL, NULL, sums);
  for (guint i = 0; i < sums->n_touched; i++)
    total += sums->ns[sums->touched[i]];
  g_assert_cmpint (total, ==, kymo_span_length (segment->span));
  kymo_sums_init (&part, N_STATES);
  for (guint i = 0; i < 7; i++)
    {
      gint64 length = kymo_span_length (segment->span), begin = segment->span.begin_ns;

      kymo_segment_sum (segment, (KymoSpan) { begin + length * i / 7,
                                              begin + length * (i + 1) / 7 }, NULL, &part);
    }
  for (guint i = 0; i < part.n_touched; i++)
    pieces += part.ns[part.touched[i]];
  g_assert_cmpint (pieces, ==, total);
  kymo_sums_clear (&part);
}

static void
look (const Scratch *scratch,
      const char    *name,
      guint          n_samples,
      KymoProbe     *probe)
{
  g_autofree char *path = scratch_path (scratch, name);
  g_autoptr (KymoRun) run = kymo_run_new ();
  KymoSts *sts = new_sts (run);
  KymoProber *prober = kymo_prober_new (sts, run->activities->len, 64 * 1024);

  kymo_prober_read_ends (prober, path, probe);
  for (guint i = 0; i < n_samples; i++)
    kymo_prober_read_sample (prober, path, probe->plain_bytes * (i + 1) / (n_samples + 1), probe);
  kymo_prober_free (prober);
  kymo_sts_free (sts);
}

static void
test_text (Scratch       *scratch,
           gconstpointer  data)
{
  g_autofree char *text = make_log (500, N_BLOCKS);
  g_autoptr (KymoSegment) segment = NULL;
  KymoProbe probe;
  KymoSums sums;
  gint64 length;

  scratch_put (scratch, "app.0.log", text);
  look (scratch, "app.0.log", 9, &probe);
  g_assert_cmpint (probe.kind, ==, KYMO_PROBE_SAMPLES);
  g_assert_true (probe.has_end);
  g_assert_cmpint (probe.span.begin_ns, ==, 500000);
  g_assert_cmpint (probe.span.end_ns, ==, 500000 + N_BLOCKS * 10000);
  g_assert_cmpuint (probe.samples->len, ==, 11);
  segment = kymo_probe_make_segment (&probe, probe.span, N_STATES, 64);
  sum_up (segment, &sums);
  length = kymo_span_length (segment->span);
  g_assert_cmpint (ABS (sums.ns[WORK] - length * 6 / 10), <, length / 50);
  g_assert_cmpint (ABS (sums.ns[KYMO_STATE_IDLE] - length * 3 / 10), <, length / 50);
  kymo_sums_clear (&sums);
  kymo_probe_clear (&probe);
}

/* A stretch in a long block shows its end only; that tells of the begin. */
static void
test_cut_blocks (Scratch       *scratch,
                 gconstpointer  data)
{
  g_autoptr (GString) text = g_string_new ("PROJECTIONS-RECORD 0\n6 0\n");
  g_autoptr (KymoSegment) segment = NULL;
  KymoProbe probe;
  KymoSums sums;

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "1 0 0 %u %u 0 64 0\n", i, i);
  g_string_append (text, "3 0 0 3000 1 0 64\n14 3000 0\n");
  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "13 7 %u 0 0\n", 3000 + i);
  g_string_append (text, "15 6000 0\n7 6000\n");
  scratch_put (scratch, "app.0.log", text->str);
  look (scratch, "app.0.log", 63, &probe);
  /* Only the samples with an end tell anything. */
  g_assert_cmpuint (probe.samples->len, <, 8);
  segment = kymo_probe_make_segment (&probe, probe.span, N_STATES, 64);
  sum_up (segment, &sums);
  g_assert_cmpint (sums.ns[WORK], >, 0);
  g_assert_cmpint (sums.ns[KYMO_STATE_IDLE], >, 0);
  kymo_sums_clear (&sums);
  kymo_probe_clear (&probe);
}

static void
test_gzip (Scratch       *scratch,
           gconstpointer  data)
{
  g_autofree char *text = make_log (500, N_BLOCKS * 4);
  g_autofree char *brief = make_log (0, 20);
  g_autoptr (KymoSegment) segment = NULL;
  gint64 end_ns = 500000 + N_BLOCKS * 40000, guess_ns;
  KymoProbe probe;
  KymoSums sums;

  put_gzip (scratch, "app.0.log.gz", text);
  look (scratch, "app.0.log.gz", 5, &probe);
  g_assert_cmpint (probe.kind, ==, KYMO_PROBE_HEAD);
  g_assert_false (probe.has_end);
  g_assert_cmpint (probe.plain_bytes, ==, strlen (text));
  g_assert_cmpuint (probe.samples->len, ==, 1);
  guess_ns = kymo_probe_guess_end (&probe);
  g_assert_cmpint (ABS (guess_ns - end_ns), <, end_ns / 6);
  segment = kymo_probe_make_segment (&probe, (KymoSpan) { 500000, end_ns }, N_STATES, 64);
  sum_up (segment, &sums);
  g_assert_cmpint (sums.ns[KYMO_STATE_UNTRACED], >, (end_ns - 500000) / 2);
  g_assert_cmpint (sums.ns[WORK], >, 0);
  kymo_sums_clear (&sums);
  kymo_probe_clear (&probe);
  put_gzip (scratch, "brief.log.gz", brief);
  look (scratch, "brief.log.gz", 0, &probe);
  g_assert_true (probe.has_end);
  g_assert_cmpint (probe.span.end_ns, ==, 200000);
  kymo_probe_clear (&probe);
}

/* Nothing is known of these, and all of it is untraced. */
static void
test_no_logs (Scratch       *scratch,
              gconstpointer  data)
{
  static const char *const texts[] = { "", "PROJECTIONS-RECORD", "PROJECTIONS-RECORD 5\n",
                                       "PROJECTIONS-RECORD 5\nno record\n", "12 13 14\n" };

  for (guint i = 0; i <= G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (KymoSegment) segment = NULL;
      KymoProbe probe;
      KymoSums sums;

      if (i < G_N_ELEMENTS (texts))
        scratch_put (scratch, "app.0.log", texts[i]);
      look (scratch, i < G_N_ELEMENTS (texts) ? "app.0.log" : "absent.log", 3, &probe);
      g_assert_cmpint (probe.kind, ==, KYMO_PROBE_NOTHING);
      segment = kymo_probe_make_segment (&probe, (KymoSpan) { 1000, 2001 }, N_STATES, 16);
      sum_up (segment, &sums);
      g_assert_cmpint (sums.ns[KYMO_STATE_UNTRACED], ==, 1001);
      kymo_sums_clear (&sums);
      kymo_probe_clear (&probe);
    }
}

/* A deadline may come before a log is looked at. */
static void
test_never_looked_at (void)
{
  KymoProbe probe = { KYMO_PROBE_NOTHING };
  g_autoptr (KymoSegment) segment = kymo_probe_make_segment (&probe, (KymoSpan) { 5, 105 },
                                                             N_STATES, 16);
  KymoSums sums;

  sum_up (segment, &sums);
  g_assert_cmpint (sums.ns[KYMO_STATE_UNTRACED], ==, 100);
  kymo_sums_clear (&sums);
  kymo_probe_clear (&probe);
}

/* Samples whose times stand still, run backwards or leave the log. */
static void
test_lies (Scratch       *scratch,
           gconstpointer  data)
{
  g_autofree char *text = make_log (0, N_BLOCKS);
  gsize size = strlen (text);
  g_autoptr (KymoSegment) segment = NULL;
  KymoProbe probe;
  KymoSums sums;

  /* The middle third is digits that are no times of this log. */
  for (gsize i = size / 3; i < 2 * size / 3; i++)
    if (text[i] >= '0' && text[i] <= '8')
      text[i]++;
  scratch_put (scratch, "app.0.log", text);
  look (scratch, "app.0.log", 31, &probe);
  g_assert_cmpint (probe.span.end_ns, ==, N_BLOCKS * 10000);
  segment = kymo_probe_make_segment (&probe, probe.span, N_STATES, 64);
  g_assert_cmpuint (probe.samples->len, <, 33);
  for (guint i = 1; i < probe.samples->len; i++)
    g_assert_cmpint (g_array_index (probe.samples, KymoProbeSample, i).span.begin_ns, >=,
                     g_array_index (probe.samples, KymoProbeSample, i - 1).span.end_ns);
  sum_up (segment, &sums);
  kymo_sums_clear (&sums);
  kymo_probe_clear (&probe);
}

/* Whatever the bytes, times add up and nothing is read beyond them. */
static void
test_random (Scratch       *scratch,
             gconstpointer  data)
{
  g_autofree char *text = make_log (1000, 400);
  gsize size = strlen (text);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260721);
  g_autofree char *path = scratch_path (scratch, "app.0.log");

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *bytes = g_memdup2 (text, size);
      gsize n = i % 3 == 0 ? (gsize) g_rand_int_range (rand, 0, size) : size;
      g_autoptr (KymoSegment) segment = NULL;
      KymoProbe probe;
      KymoSums sums;
      KymoSpan span;

      for (guint k = 0; k < 1u << (i % 11); k++)
        bytes[g_rand_int_range (rand, i % 2 == 0 ? 25 : 0, size)] = g_rand_int (rand);
      g_assert_true (g_file_set_contents (path, bytes, n, NULL));
      look (scratch, "app.0.log", 7, &probe);
      span = probe.span;
      span.end_ns = MAX (span.end_ns, span.begin_ns) + g_rand_int_range (rand, 0, 1000);
      segment = kymo_probe_make_segment (&probe, span, N_STATES, 1 + i % 100);
      sum_up (segment, &sums);
      kymo_sums_clear (&sums);
      kymo_probe_clear (&probe);
    }
}

/* -- drafts of whole runs --------------------------------------------------- */

static const char sts_text[] =
  "VERSION 6.0\nMACHINE \"m\"\nPROCESSORS 4\nTOTAL_CHARES 1\nTOTAL_EPS 1\nTOTAL_MSGS 1\n"
  "TOTAL_PSEUDOS 0\nTOTAL_EVENTS 0\nCHARE 0 main\nENTRY CHARE 0 work() 0 0\nMESSAGE 0 64\nEND\n";

typedef struct
{
  GPtrArray *runs;              /* the drafts, KymoRun */
} Given;

static void
take (KymoRun  *run,
      gpointer  data)
{
  g_ptr_array_add (((Given *) data)->runs, kymo_run_ref (run));
}

static KymoRun *
open_with_drafts (const Scratch *scratch,
                  gint64         memory_limit_bytes,
                  Given         *given)
{
  KymoOpenOptions options = { .n_threads = 1, .no_cache = TRUE, .draft = take,
                              .memory_limit_bytes = memory_limit_bytes, .draft_data = given };
  g_autoptr (GError) error = NULL;
  KymoRun *run;

  given->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_run_unref);
  run = kymo_open_run (scratch->folder, &options, NULL, &error);
  g_assert_no_error (error);
  return run;
}

static gint64
busy_of (const KymoRun *run,
         guint          location)
{
  KymoSums sums;
  gint64 ns;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  kymo_segment_sum (g_ptr_array_index (run->segments, location), KYMO_SPAN_ALL, NULL, &sums);
  ns = sums.ns[WORK];
  kymo_sums_clear (&sums);
  return ns;
}

static void
put_run (const Scratch *scratch)
{
  scratch_put (scratch, "app.sts", sts_text);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *text = make_log (100 * i, N_BLOCKS);
      g_autofree char *name = g_strdup_printf ("app.%u.log", i);

      scratch_put (scratch, name, text);
    }
}

/* One draft before anything is read and one after each log; the axis is the
   exact one from the first on, and rows become exact one by one. */
static void
test_drafts (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (KymoRun) run = NULL;
  Given given;

  put_run (scratch);
  run = open_with_drafts (scratch, 0, &given);
  g_assert_cmpuint (given.runs->len, ==, 5);
  g_assert_null (run->draft);
  for (guint d = 0; d < given.runs->len; d++)
    {
      const KymoRun *draft = given.runs->pdata[d];
      g_autofree char *words = g_strdup_printf ("%u of 4 logs read", d);
      guint n_exact = 0;

      g_assert_true (g_str_has_prefix (draft->draft, words));
      g_assert_cmpuint (draft->locations->len, ==, 4);
      g_assert_cmpint (draft->span.begin_ns, ==, run->span.begin_ns);
      g_assert_cmpint (draft->span.end_ns, ==, run->span.end_ns);
      for (guint i = 0; i < 4; i++)
        {
          const KymoSegment *segment = g_ptr_array_index (draft->segments, i);

          n_exact += segment->bins == NULL;
          g_assert_cmpuint (segment->location, ==, i);
          g_assert_cmpstr (kymo_run_peek_location (draft, i)->label, ==,
                           kymo_run_peek_location (run, i)->label);
          if (segment->bins == NULL)
            g_assert_cmpint (busy_of (draft, i), ==, busy_of (run, i));
          else
            g_assert_cmpint (ABS (busy_of (draft, i) - busy_of (run, i)), <,
                             busy_of (run, i) / 20);
        }
      g_assert_cmpuint (n_exact, ==, d);
    }
  g_ptr_array_unref (given.runs);
}

/* Bins of 1 ms in which half is work: 24 of entry 0, 50 % busy. */
static void
put_summary (const Scratch *scratch,
             guint          pe,
             guint          n_bins)
{
  g_autofree char *sum_name = g_strdup_printf ("app.%u.sum", pe);
  g_autofree char *detail_name = g_strdup_printf ("app.%u.sumd", pe);
  g_autofree char *sum = g_strdup_printf (
    "ver:7.1 %u/4 count:%u ep:1 interval:1.000000e-03 numTracedPE:4\n50+%u\n100\n1\n0\n"
    "MarkedEvents: \nPhases: 1\n", pe, n_bins, n_bins);
  g_autofree char *detail = g_strdup_printf (
    "ver:7.1 cpu:%u/4 numIntervals:%u numEPs:1 intervalSize:1.000000e-03\n"
    "ExeTimePerEPperInterval 500+%u\nEPCallTimePerInterval 1+%u\n", pe, n_bins, n_bins, n_bins);

  scratch_put (scratch, sum_name, sum);
  scratch_put (scratch, detail_name, detail);
}

/* Sums beside compressed logs are the better first look. */
static void
test_drafts_of_sums (Scratch       *scratch,
                     gconstpointer  data)
{
  g_autofree char *path = scratch_path (scratch, "app.sts");
  g_autoptr (KymoRun) run = NULL;
  const KymoRun *first;
  Given given;

  scratch_put (scratch, "app.sts", sts_text);
  scratch_put (scratch, "app.sum.sts", sts_text);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *text = make_log (0, N_BLOCKS * 4);
      g_autofree char *name = g_strdup_printf ("app.%u.log.gz", i);

      put_gzip (scratch, name, text);
      put_summary (scratch, i, N_BLOCKS * 40 / 1000);
    }
  given.runs = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_run_unref);
  run = kymo_open_run (path, &(KymoOpenOptions) { .n_threads = 1, .no_cache = TRUE,
                                                  .draft = take, .draft_data = &given },
                       NULL, NULL);
  g_assert_nonnull (run);
  first = given.runs->pdata[0];
  g_assert_cmpstr (first->draft, ==, "0 of 4 logs read; 4 from their summaries");
  g_assert_cmpint (first->span.end_ns, ==, run->span.end_ns);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (busy_of (first, i), ==, kymo_span_length (first->span) / 2);
  g_ptr_array_unref (given.runs);
}

/* Where memory is short drafts hold no columns of what was read, so that these
   can go to disk, but what it looks like from afar. */
static void
test_drafts_on_disk (Scratch       *scratch,
                     gconstpointer  data)
{
  g_autoptr (KymoRun) run = NULL;
  Given given;

  put_run (scratch);
  run = open_with_drafts (scratch, 1, &given);
  g_assert_true (kymo_run_is_on_disk (run));
  g_assert_cmpuint (given.runs->len, ==, 5);
  for (guint d = 0; d < given.runs->len; d++)
    {
      const KymoRun *draft = given.runs->pdata[d];
      guint n_read = 0;

      g_assert_cmpint (draft->span.begin_ns, ==, run->span.begin_ns);
      g_assert_cmpint (draft->span.end_ns, ==, run->span.end_ns);
      for (guint i = 0; i < 4; i++)
        {
          const KymoSegment *segment = g_ptr_array_index (draft->segments, i);

          n_read += segment->n_records > 0;
          if (segment->n_records > 0 && segment->bins != NULL)
            g_assert_cmpint (ABS (busy_of (draft, i) - busy_of (run, i)), <=, 1);
        }
      g_assert_cmpuint (n_read, ==, d);
      /* The log that was read last is written out after it was given. */
      for (guint i = 0; d > 1 && i < 4; i++)
        g_assert_nonnull (((KymoSegment *) g_ptr_array_index (draft->segments, i))->bins);
    }
  g_ptr_array_unref (given.runs);
}

/* Logs that cannot be read leave the exact run, and a draft outlives it. */
static void
test_drafts_of_damaged (Scratch       *scratch,
                        gconstpointer  data)
{
  g_autofree char *text = make_log (0, 100);
  KymoRun *run;
  Given given;
  KymoRun *last;

  scratch_put (scratch, "app.sts", sts_text);
  scratch_put (scratch, "app.0.log", "rubbish");
  scratch_put (scratch, "app.1.log", text);
  put_gzip (scratch, "app.2.log.gz", text);
  scratch_put (scratch, "app.3.log", "");
  run = open_with_drafts (scratch, 0, &given);
  g_assert_cmpuint (run->locations->len, ==, 2);
  last = given.runs->pdata[given.runs->len - 1];
  g_assert_cmpuint (last->locations->len, ==, 4);
  kymo_run_unref (run);
  g_assert_cmpint (busy_of (last, 1), ==, 600000);
  g_assert_cmpint (busy_of (last, 2), ==, 600000);
  g_ptr_array_unref (given.runs);
}

/* Corrected clocks move whole rows at the end: no drafts. */
static void
test_no_drafts (Scratch       *scratch,
                gconstpointer  data)
{
  g_autofree char *text = make_log (0, 100);
  Given given = { g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_run_unref) };
  KymoOpenOptions options = { .no_cache = TRUE, .correct_clocks = TRUE, .draft = take,
                              .draft_data = &given };
  g_autoptr (KymoRun) run = NULL;

  scratch_put (scratch, "app.sts", sts_text);
  scratch_put (scratch, "app.0.log", text);
  run = kymo_open_run (scratch->folder, &options, NULL, NULL);
  g_assert_nonnull (run);
  g_assert_cmpuint (given.runs->len, ==, 0);
  /* What is soon there has none either. */
  options.correct_clocks = FALSE;
  options.draft_after_ms = 60000;
  kymo_run_unref (run);
  run = kymo_open_run (scratch->folder, &options, NULL, NULL);
  g_assert_cmpuint (given.runs->len, ==, 0);
  g_ptr_array_unref (given.runs);
}

int
main (int    argc,
      char **argv)
{
  static const struct { const char *name; void (*test) (Scratch *, gconstpointer); } tests[] = {
    { "/probe/text", test_text },
    { "/probe/cut-blocks", test_cut_blocks },
    { "/probe/gzip", test_gzip },
    { "/probe/no-logs", test_no_logs },
    { "/probe/lies", test_lies },
    { "/probe/random", test_random },
    { "/probe/drafts", test_drafts },
    { "/probe/drafts-on-disk", test_drafts_on_disk },
    { "/probe/drafts-of-damaged", test_drafts_of_damaged },
    { "/probe/drafts-of-sums", test_drafts_of_sums },
    { "/probe/no-drafts", test_no_drafts },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe/never-looked-at", test_never_looked_at);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Scratch, NULL, scratch_up, tests[i].test, scratch_down);
  return g_test_run ();
}
