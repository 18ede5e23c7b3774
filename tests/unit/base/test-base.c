/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of ids, the load report, sorting and sharing out, memory and the background job.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-id-set.h"
#include "kymo-job.h"
#include "kymo-memory.h"
#include "kymo-once.h"
#include "kymo-order.h"
#include "kymo-report.h"
#include "kymo-share.h"
#include "kymo-span.h"
#include "scratch.h"

static void
test_id_set (void)
{
  g_autoptr (KymoIdSet) set = kymo_id_set_parse ("0-15,32,0-1023:16", NULL);
  g_assert_nonnull (set);
  g_assert_true (kymo_id_set_contains (set, 0));
  g_assert_true (kymo_id_set_contains (set, 15));
  g_assert_true (kymo_id_set_contains (set, 32));
  g_assert_true (kymo_id_set_contains (set, 1008));
  g_assert_false (kymo_id_set_contains (set, 17));
  g_assert_false (kymo_id_set_contains (set, -1));
  g_assert_false (kymo_id_set_contains (set, 1024));
  g_autofree char *text = kymo_id_set_to_text (set);
  g_assert_cmpstr (text, ==, "0-15,32,0-1023:16");
}

static void
test_id_set_pick (void)
{
  const gint64 ids[] = { 0, 1, 2, 3, 5, 8, 9 }, expected[] = { 8, 5, 0, 2, 9 };
  g_autoptr (KymoIdSet) set = kymo_id_set_parse ("8,5-7,0-4:2,9-2147483647,5", NULL);
  g_autoptr (GArray) picked = kymo_id_set_pick (set, ids, G_N_ELEMENTS (ids));
  g_autoptr (GArray) none = kymo_id_set_pick (set, NULL, 0);

  g_assert_cmpmem (picked->data, picked->len * sizeof (gint64), expected, sizeof expected);
  g_assert_cmpuint (none->len, ==, 0);
}

static void
test_id_set_bad (void)
{
  static const char *const bad[] = { "", ",", "1,", "5-3", "-1", "1-", "1:0",
    "a", "99999999999999999999", "1-2:", "1 2" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (kymo_id_set_parse (bad[i], &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
    }
}

/* A huge range costs nothing, and a list is written as ranges. */
static void
test_id_lists (void)
{
  const gint64 ids[] = { 0, 1, 2, 3, 7, 9, 10 };
  g_autoptr (KymoIdSet) huge = kymo_id_set_parse ("0-999999999", NULL);
  g_autoptr (KymoIdSet) list = kymo_id_set_new_list (ids, 7);
  g_assert_true (kymo_id_set_contains (huge, 999999999));
  g_assert_true (kymo_id_set_contains (list, 7));
  g_assert_false (kymo_id_set_contains (list, 8));
  g_autofree char *text = kymo_ids_to_text (ids, 7);
  g_autoptr (KymoIdSet) again = kymo_id_set_parse (text, NULL);
  for (gint64 i = -2; i < 20; i++)
    g_assert_cmpint (kymo_id_set_contains (again, i), ==,
                     kymo_id_set_contains (list, i));
}

/* Whether any id of a stretch is in the set, against one after the other. */
static void
test_id_set_meets (void)
{
  static const char *const texts[]
    = { "5", "0-15,32,40-90:7", "60-90:30,3", "7-9:2,7", "0-999999999:3" };

  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autoptr (KymoIdSet) set = kymo_id_set_parse (texts[t], NULL);

      for (gint64 first = 0; first < 100; first++)
        for (gint64 end = first - 1; end < first + 40; end++)
          {
            gboolean any = FALSE;

            for (gint64 id = first; id < end; id++)
              any |= kymo_id_set_contains (set, id);
            g_assert_cmpint (kymo_id_set_meets (set, first, end), ==, any);
          }
      g_assert_true (kymo_id_set_meets (set, 0, G_MAXINT64));
      g_assert_false (kymo_id_set_meets (set, G_GINT64_CONSTANT (1) << 40, G_MAXINT64));
    }
  g_assert_true (kymo_id_set_meets (NULL, 3, 4));
  g_assert_false (kymo_id_set_meets (NULL, 3, 3));
}

static gpointer
add_many (gpointer report)
{
  for (guint i = 0; i < 1000; i++)
    kymo_report_add (report, "a.log", KYMO_SEVERITY_REPAIRED, 1, 1000 - i,
                     "the same words");
  return NULL;
}

static void
test_report (void)
{
  g_autoptr (KymoReport) report = kymo_report_new ();
  GThread *other = g_thread_new ("adder", add_many, report);

  add_many (report);
  g_thread_join (other);
  g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 1);
  g_assert_cmpint (kymo_report_peek_issue (report, 0)->count, ==, 2000);
  g_assert_true (kymo_report_is_complete (report));
  kymo_report_add (report, "b\xff.log", KYMO_SEVERITY_LOST, 3, -1,
                   "%d gone", 3);
  /* what is about no file stands before what is */
  kymo_report_add (report, NULL, KYMO_SEVERITY_LOST, 2, -1, "%d gone", 3);
  kymo_report_add (report, NULL, KYMO_SEVERITY_LOST, 2, -1, "%d gone", 3);
  kymo_report_sort (report);
  g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 3);
  g_assert_null (kymo_report_peek_issue (report, 0)->file);
  g_assert_cmpint (kymo_report_peek_issue (report, 0)->count, ==, 4);
  g_assert_false (kymo_report_is_complete (report));
  g_assert_cmpstr (kymo_severity_to_string (KYMO_SEVERITY_LOST), ==, "lost");
}

/* Damaged files may name counts of which two are more than fit. */
static void
test_report_large (void)
{
  g_autoptr (KymoReport) report = kymo_report_new ();

  kymo_report_add (report, "a.trc", KYMO_SEVERITY_NOTE, G_MAXINT64, -1, "so many");
  kymo_report_add (report, "a.trc", KYMO_SEVERITY_NOTE, 2, -1, "so many");
  g_assert_cmpint (kymo_report_peek_issue (report, 0)->count, ==, G_MAXINT64);
}

static void
test_job (void)
{
  g_autoptr (KymoJob) job = kymo_job_new ();
  kymo_job_set_total (job, 200);
  kymo_job_advance (job, 50);
  g_assert_cmpfloat (kymo_job_get_fraction (job), ==, 0.25);
  kymo_job_set_stage (job, "Reading");
  g_autofree char *stage = kymo_job_dup_stage (job);
  g_assert_cmpstr (stage, ==, "Reading");
  g_assert_false (kymo_job_is_cancelled (job));
  kymo_job_cancel (job);
  g_assert_true (kymo_job_is_cancelled (job));
}

static void
put_deep (const Scratch *scratch, const char *name, const char *text)
{
  g_autofree char *path = scratch_path (scratch, name);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  scratch_put (scratch, name, text);
}

/* Every group on the way up binds, of either version. */
static void
test_memory_groups (Scratch *scratch, gconstpointer data)
{
  gint64 machine = kymo_memory_get_total (scratch->folder);

  g_assert_cmpint (machine, >, 1 << 20);
  put_deep (scratch, "proc/self/cgroup", "0::/a/b\n");
  g_assert_cmpint (kymo_memory_get_total (scratch->folder), ==, machine);
  put_deep (scratch, "sys/fs/cgroup/a/b/memory.max", "max\n");
  g_assert_cmpint (kymo_memory_get_total (scratch->folder), ==, machine);
  put_deep (scratch, "sys/fs/cgroup/a/memory.max", "70000\n");
  g_assert_cmpint (kymo_memory_get_total (scratch->folder), ==, 70000);
  put_deep (scratch, "sys/fs/cgroup/a/b/memory.max", "80000\n");
  g_assert_cmpint (kymo_memory_get_total (scratch->folder), ==, 70000);
  put_deep (scratch, "sys/fs/cgroup/memory/old/memory.limit_in_bytes", "60000\n");
  g_assert_cmpint (kymo_memory_get_total (scratch->folder), ==, 70000);
  put_deep (scratch, "proc/self/cgroup", "9:cpu:/x\n4:memory:/old\n0::/a/b\nrubbish\n");
  g_assert_cmpint (kymo_memory_get_total (scratch->folder), ==, 60000);
  put_deep (scratch, "sys/fs/cgroup/memory/old/memory.limit_in_bytes", "9223372036854771712\n");
  g_assert_cmpint (kymo_memory_get_total (scratch->folder), ==, 70000);
  g_assert_cmpint (kymo_memory_get_limit (), <=, machine / 4 * 3);
}

static void
test_scratch (Scratch *scratch, gconstpointer data)
{
  guint8 *a, *b;

  g_setenv ("TMPDIR", scratch->folder, TRUE);
  a = kymo_scratch_new (100000);
  b = kymo_scratch_new (1);
  g_assert_nonnull (a);
  g_assert_nonnull (b);
  g_assert_true (kymo_scratch_owns (a));
  g_assert_cmpuint (kymo_scratch_get_bytes (), >=, 100001);
  for (guint i = 0; i < 100000; i++)
    g_assert_cmpuint (a[i], ==, 0);
  memset (a, 7, 100000);
  g_assert_cmpuint (b[0], ==, 0);
  kymo_scratch_free (b);
  g_assert_false (kymo_scratch_owns (b));
  kymo_scratch_free (g_malloc (10));
  kymo_scratch_free (NULL);
  b = kymo_scratch_new (50000);
  g_assert_cmpuint (b[0], ==, 0);
  g_assert_cmpuint (a[99999], ==, 7);
  kymo_scratch_free (a);
  kymo_scratch_free (b);
  g_assert_cmpuint (kymo_scratch_get_bytes (), ==, 0);
  g_assert_null (kymo_scratch_new (0));
  g_assert_null (kymo_scratch_new (G_MAXSIZE));
}

/* Whether ranges ascend, overlap or go back, a set holds what a plain mark for
   each id says. */
static void
test_id_set_random (void)
{
  g_autoptr (GRand) rng = g_rand_new_with_seed (7);

  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (KymoIdSet) set = NULL;
      gboolean marked[300] = { FALSE };
      gint first = 0, n = g_rand_int_range (rng, 1, 12);

      for (gint i = 0; i < n; i++)
        {
          gint last, stride = g_rand_int_range (rng, 1, 4);

          first = round % 2 == 0 ? first + g_rand_int_range (rng, 0, 20)
            : g_rand_int_range (rng, 0, 200);
          last = first + g_rand_int_range (rng, 0, 6);
          g_string_append_printf (text, "%s%d-%d:%d", i > 0 ? "," : "", first, last, stride);
          for (gint id = first; id <= last; id += stride)
            marked[id] = TRUE;
          first = last;
        }
      set = kymo_id_set_parse (text->str, NULL);
      for (gint id = 0; id < 300; id++)
        g_assert_cmpint (kymo_id_set_contains (set, id), ==, marked[id]);
    }
}

typedef struct
{
  gsize places[1000];           /* of kymo_once_enter() */
  gint  made[1000];             /* atomic */
} Making;

static gpointer
make_all (gpointer data)
{
  Making *making = data;

  for (guint i = 0; i < G_N_ELEMENTS (making->places); i++)
    {
      if (kymo_once_enter (&making->places[i]))
        {
          g_atomic_int_inc (&making->made[i]);
          kymo_once_leave (&making->places[i], i + 1);
        }
      g_assert_cmpuint (kymo_once_get (&making->places[i]), ==, i + 1);
    }
  return NULL;
}

static void
test_once (void)
{
  Making making = { 0 };
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("make", make_all, &making);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < G_N_ELEMENTS (making.made); i++)
    g_assert_cmpint (making.made[i], ==, 1);
}

static int
compare_numbers (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* As the library sorts, for any number of threads: few and many, also of one value. */
static void
test_find_first (void)
{
  const gint64 sorted[] = { -5, 0, 0, 3, 7 };
  const guint n = G_N_ELEMENTS (sorted);

  for (gint64 x = -7; x < 10; x++)
    {
      guint at_least = 0, more = 0;

      while (at_least < n && sorted[at_least] < x)
        at_least++;
      while (more < n && sorted[more] <= x)
        more++;
      g_assert_cmpuint (KYMO_FIND_FIRST (i, 0, n, sorted[i] >= x), ==, at_least);
      g_assert_cmpuint (KYMO_FIND_FIRST (i, 0, n, sorted[i] > x), ==, more);
      /* The last that is not behind, or the first of all. */
      g_assert_cmpuint (KYMO_FIND_FIRST (i, 1, n, sorted[i] > x) - 1, ==, more > 0 ? more - 1 : 0);
    }
  g_assert_cmpuint (KYMO_FIND_FIRST (i, 0, 0u, TRUE), ==, 0);
  g_assert_cmpuint (KYMO_FIND_FIRST (i, 1, 0u, TRUE), ==, 1);
  g_assert_cmpint (KYMO_FIND_FIRST (ns, G_MAXINT64 - 3, G_MAXINT64, ns > G_MAXINT64 - 2), ==,
                   G_MAXINT64 - 1);
}

static int
compare_descending (gconstpointer a, gconstpointer b)
{
  const KymoSpan *x = a, *y = b;

  KYMO_ORDER_BY (y->end_ns, x->end_ns);
  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  return 0;
}

static void
test_order_by (void)
{
  KymoSpan spans[] = { { 2, 5 }, { 1, 9 }, { 1, 5 }, { G_MININT64, G_MAXINT64 } };

  qsort (spans, G_N_ELEMENTS (spans), sizeof *spans, compare_descending);
  g_assert_cmpint (spans[0].end_ns, ==, G_MAXINT64);
  g_assert_cmpint (spans[1].end_ns, ==, 9);
  g_assert_cmpint (spans[2].begin_ns, ==, 1);
  g_assert_cmpint (spans[3].begin_ns, ==, 2);
  g_assert_cmpint (compare_descending (&spans[1], &spans[1]), ==, 0);
}

static void
test_share_sort (void)
{
  static const gint32 ranges[] = { 2, 1000, G_MAXINT32 };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint i = 0; i < 9; i++)
    {
      gsize n = i % 3 == 0 ? 500 : 20000 + 90000 * (i % 3);
      g_autofree guint64 *items = g_new (guint64, n), *other = NULL;

      for (gsize k = 0; k < n; k++)
        items[k] = (guint64) g_rand_int_range (random, 0, ranges[i / 3]);
      other = g_memdup2 (items, n * sizeof *items);
      g_qsort_with_data (other, (gint) n, sizeof *other, compare_numbers, NULL);
      g_assert_true (kymo_share_sort (items, n, sizeof *items, compare_numbers, NULL, 1 + i % 3,
                                      NULL));
      g_assert_cmpmem (items, n * sizeof *items, other, n * sizeof *other);
    }
}

static void
count_steps (gpointer data,
             guint    i)
{
  g_atomic_int_inc ((gint *) data);
}

static void
test_share_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gint n = 0;

  g_assert_true (kymo_share_out (1000, 3, count_steps, &n, cancellable));
  g_assert_cmpint (n, ==, 1000);
  g_cancellable_cancel (cancellable);
  g_assert_false (kymo_share_out (1000, 3, count_steps, &n, cancellable));
  g_assert_cmpint (n, ==, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/id-set/good", test_id_set);
  g_test_add_func ("/id-set/bad", test_id_set_bad);
  g_test_add_func ("/id-set/pick", test_id_set_pick);
  g_test_add_func ("/id-set/meets", test_id_set_meets);
  g_test_add_func ("/id-set/random", test_id_set_random);
  g_test_add_func ("/once", test_once);
  g_test_add_func ("/id-set/lists", test_id_lists);
  g_test_add_func ("/order/find-first", test_find_first);
  g_test_add_func ("/order/by", test_order_by);
  g_test_add_func ("/share/sort", test_share_sort);
  g_test_add_func ("/share/cancelled", test_share_cancelled);
  g_test_add_func ("/report", test_report);
  g_test_add_func ("/report/large", test_report_large);
  g_test_add_func ("/job", test_job);
  g_test_add ("/memory/groups", Scratch, NULL, scratch_up, test_memory_groups, scratch_down);
  g_test_add ("/memory/scratch", Scratch, NULL, scratch_up, test_scratch, scratch_down);
  return g_test_run ();
}
