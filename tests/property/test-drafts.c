/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of the recordings named as arguments, drafts at every stage of reading:
 * busy, idle, overhead and untraced add up in any range, the time axis of a
 * run of text logs is the exact one from the first draft on, what is read is
 * exact, and drafts live as long as they are held.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-open.h"

static GStrv folders;
static const char *feat;          /* the folder of that name among them */

static void
take (KymoRun  *run,
      gpointer  drafts)
{
  g_ptr_array_add (drafts, kymo_run_ref (run));
}

static void
check_sums (const KymoRun *run,
            GRand         *rand)
{
  KymoSums sums;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  for (guint i = 0; i < run->segments->len; i++)
    for (guint k = 0; k < 20; k++)
      {
        KymoSegment *segment = g_ptr_array_index (run->segments, i);
        double length = kymo_span_length (segment->span);
        gint64 a = segment->span.begin_ns + (gint64) (g_rand_double (rand) * length);
        gint64 b = segment->span.begin_ns + (gint64) (g_rand_double (rand) * length);
        KymoSpan span = k == 0 ? segment->span : (KymoSpan) { MIN (a, b), MAX (a, b) };
        gint64 total = 0;

        kymo_segment_sum (segment, span, NULL, &sums);
        for (guint s = 0; s < sums.n_touched; s++)
          total += sums.ns[sums.touched[s]];
        g_assert_cmpint (total, ==, kymo_span_length (span));
        kymo_sums_reset (&sums);
      }
  kymo_sums_clear (&sums);
}

/* Every log that was read has the columns of the exact run. */
static guint
check_rows (const KymoRun *draft,
            const KymoRun *run)
{
  guint n_exact = 0;

  for (guint i = 0; i < draft->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (draft->segments, i);
      gint at = kymo_run_find_location (run, kymo_run_peek_location (draft, i)->id);

      g_assert_cmpuint (segment->location, ==, i);
      if (segment->bins != NULL || at < 0)
        continue;
      n_exact++;
      g_assert_cmpuint (segment->n_blocks, ==,
                        ((KymoSegment *) g_ptr_array_index (run->segments, at))->n_blocks);
    }
  return n_exact;
}

static gboolean
is_text (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".gz"))
      return FALSE;
  return TRUE;
}

static void
check_folder (const char *folder,
              guint       n_threads)
{
  g_autoptr (GPtrArray) drafts
    = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_run_unref);
  KymoOpenOptions options = { .n_threads = n_threads, .no_cache = TRUE, .draft = take,
                              .draft_data = drafts };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (folder, &options, NULL, &error);
  guint n_exact = 0;

  g_assert_no_error (error);
  if (run->kind == KYMO_RUN_SUMMARY)
    g_assert_cmpuint (drafts->len, ==, 0);
  else
    g_assert_cmpuint (drafts->len, >, 0);
  for (guint i = 0; i < drafts->len; i++)
    {
      const KymoRun *draft = drafts->pdata[i];

      g_assert_nonnull (draft->draft);
      if (is_text (folder))
        {
          g_assert_cmpint (draft->span.begin_ns, ==, run->span.begin_ns);
          g_assert_cmpint (draft->span.end_ns, ==, run->span.end_ns);
        }
      n_exact = check_rows (draft, run);
      check_sums (draft, rand);
    }
  if (drafts->len > 0)
    g_assert_cmpuint (n_exact, ==, run->locations->len);
  kymo_run_unref (run);
  for (guint i = 0; i < drafts->len; i++)
    check_sums (drafts->pdata[i], rand);
}

static void
test_folder (gconstpointer folder)
{
  check_folder (folder, 1);
  check_folder (folder, 2);
}

static void
copy_file (const char *from,
           const char *to)
{
  g_autoptr (GFile) source = g_file_new_for_path (from), target = g_file_new_for_path (to);
  g_autoptr (GError) error = NULL;

  g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* A run with a note of its reduction is one from the first draft on. */
static void
test_reduced (void)
{
  static const char *const files[] = { "feat.proj.sts", "feat.proj.0.log", "feat.proj.2.log" };
  const char *note = "[Reduction]\nversion=1\nprocessors=4\npes=4\nkept=0;2;\n";
  g_autofree char *folder = g_dir_make_tmp ("kymo-drafts-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "feat.proj.kymo", NULL);
  g_autoptr (GPtrArray) drafts
    = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_run_unref);
  KymoOpenOptions options = { .n_threads = 1, .no_cache = TRUE, .draft = take,
                              .draft_data = drafts };
  g_autoptr (KymoRun) run = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *from = g_build_filename (feat, files[i], NULL);
      g_autofree char *to = g_build_filename (folder, files[i], NULL);

      copy_file (from, to);
    }
  g_assert_true (g_file_set_contents (path, note, -1, NULL));
  run = kymo_open_run (folder, &options, NULL, NULL);
  g_assert_nonnull (run);
  g_assert_cmpint (run->kind, ==, KYMO_RUN_REDUCED);
  g_assert_cmpuint (drafts->len, >, 0);
  for (guint i = 0; i < drafts->len; i++)
    g_assert_cmpint (((KymoRun *) drafts->pdata[i])->kind, ==, KYMO_RUN_REDUCED);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *to = g_build_filename (folder, files[i], NULL);

      g_assert_cmpint (g_unlink (to), ==, 0);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* One log whose last time has digits too many stretches no draft. */
static void
test_wrong_end (void)
{
  static const char *const files[] = { "feat.proj.sts", "feat.proj.0.log", "feat.proj.1.log",
                                       "feat.proj.2.log", "feat.proj.3.log" };
  g_autofree char *folder = g_dir_make_tmp ("kymo-drafts-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "feat.proj.1.log", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) drafts
    = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_run_unref);
  KymoOpenOptions options = { .n_threads = 1, .no_cache = TRUE, .draft = take,
                              .draft_data = drafts };
  g_autoptr (KymoRun) run = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *from = g_build_filename (feat, files[i], NULL);
      g_autofree char *to = g_build_filename (folder, files[i], NULL);

      copy_file (from, to);
    }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *wrong = g_strdup_printf ("%s000000\n", g_strchomp (text));
  g_assert_true (g_file_set_contents (path, wrong, -1, NULL));
  run = kymo_open_run (folder, &options, NULL, NULL);
  g_assert_nonnull (run);
  g_assert_cmpuint (drafts->len, >, 0);
  for (guint i = 0; i < drafts->len; i++)
    g_assert_cmpint (kymo_span_length (((KymoRun *) drafts->pdata[i])->span), <=,
                     4 * kymo_span_length (run->span));
  remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folders = g_strdupv (argv + 1);
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (folders[i]);
      g_autofree char *path = g_strconcat ("/drafts/", name, NULL);

      g_test_add_data_func (path, folders[i], test_folder);
      if (g_str_equal (name, "feat-p4-text"))
        feat = folders[i];
    }
  g_assert_nonnull (feat);
  g_test_add_func ("/drafts/reduced", test_reduced);
  g_test_add_func ("/drafts/wrong-end", test_wrong_end);
  return g_test_run ();
}
