/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of the recordings named as arguments, drafts at every stage of reading:
 * busy, idle, overhead and untraced add up in any range, the time axis of a
 * run of text logs is the exact one from the first draft on, what is read is
 * exact, and drafts live as long as they are held.
 */
#include "config.h"

#include <string.h>

#include "kymo-open.h"

static GStrv folders;

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
    }
  return g_test_run ();
}
