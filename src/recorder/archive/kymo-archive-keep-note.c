/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The note of a reduced run beside the archive, as `kymo-cli reduce` writes it
 * (docs/formats/kymo.md).
 */
#include "kymo-archive-keep.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* -- the choice ---------------------------------------------------------------------- */

static void
print_ids (FILE                    *file,
           const char              *key,
           const KymoArchiveChoice *choice,
           const unsigned          *rows,
           unsigned                 n)
{
  fprintf (file, "%s=", key);
  for (unsigned i = 0; i < n; i++)
    fprintf (file, "%" PRId64 ";", KYMO_ARCHIVE_ROWS (choice)[rows[i]].id);
  fputc ('\n', file);
}

static unsigned
print_kept (FILE                    *file,
            const KymoArchiveChoice *choice)
{
  unsigned n_kept = 0;

  fputs ("kept=", file);
  for (unsigned row = 0; row < KYMO_ARCHIVE_N_ROWS (choice); row++)
    if (choice->kept[row])
      {
        fprintf (file, "%" PRId64 ";", KYMO_ARCHIVE_ROWS (choice)[row].id);
        n_kept++;
      }
  fputc ('\n', file);
  return n_kept;
}

static void
print_parameters (FILE                    *file,
                  const KymoArchiveChoice *choice)
{
  fprintf (file, "\n[Parameters]\nbegin_ns=0\nend_ns=%" PRIu64 "\nk=%u\noutliers=%u\n"
           "seeding=diagonal\nscale=none\nquota=size\nunion=\nalso=\ncritical_path=false\n"
           "corrected_clocks=false\n", choice->end_ns - choice->begin_ns, choice->k,
           choice->choice->n_outliers);
}

static void
print_clusters (FILE                    *file,
                const KymoArchiveChoice *choice)
{
  const KymoPeChoice *of = choice->choice;

  for (unsigned k = 0; k < choice->kmeans.n_clusters; k++)
    {
      fprintf (file, "\n[Cluster %u]\nrepresentative=%" PRId64 "\n", k,
               KYMO_ARCHIVE_ROWS (choice)[of->representative[k]].id);
      print_ids (file, "outliers", choice, of->outliers + of->first_outlier[k],
                 of->first_outlier[k + 1] - of->first_outlier[k]);
      fputs ("members=", file);
      for (unsigned row = 0; row < KYMO_ARCHIVE_N_ROWS (choice); row++)
        if (choice->kmeans.cluster[row] == k)
          fprintf (file, "%" PRId64 ";", KYMO_ARCHIVE_ROWS (choice)[row].id);
      fputc ('\n', file);
    }
}

static void
print_weights (FILE                    *file,
               const KymoArchiveChoice *choice)
{
  fputs ("\n[Weights]\n", file);
  for (unsigned row = 0; row < KYMO_ARCHIVE_N_ROWS (choice); row++)
    if (choice->kept[row])
      fprintf (file, "%" PRId64 "=%lld.000000\n", KYMO_ARCHIVE_ROWS (choice)[row].id,
               llround (choice->weights[row]));
}

/* -- what it is worth ---------------------------------------------------------------- */

static void
print_quality (FILE                    *file,
               const KymoArchiveChoice *choice,
               unsigned                 n_kept)
{
  double mean, stddev;
  unsigned n_rows = KYMO_ARCHIVE_N_ROWS (choice);

  kymo_proportion_test (choice->grain, choice->grain_kept, KYMO_GRAIN_BINS, &mean, &stddev);
  fprintf (file, "\n[Quality]\npes=%u\npes_kept=%u\nshare=%.17g\nmean_ratio=%.17g\n"
           "stddev=%.17g\n", n_rows, n_kept, (double) n_kept / n_rows, mean, stddev);
}

static void
print_error (FILE                    *file,
             const KymoArchiveChoice *choice)
{
  fprintf (file, "\n[Error]\nbegin_ns=0\nend_ns=%" PRIu64 "\nbars=%d\ntime_profile=%.17g\n",
           choice->end_ns - choice->begin_ns, KYMO_ERROR_BARS,
           kymo_archive_choice_error (choice));
  if (choice->wished > 0)
    fprintf (file, "wished=%.17g\n", choice->wished);
}

/* Functions have no numbers of their own there. */
static void
print_sums (FILE                    *file,
            const KymoArchiveChoice *choice,
            const char              *key,
            uint32_t                 state)
{
  int64_t truth = 0, estimate = 0;

  for (uint32_t bar = 0; bar < KYMO_ERROR_BARS && choice->truth != NULL; bar++)
    {
      truth += choice->truth[(size_t) state * KYMO_ERROR_BARS + bar];
      estimate += choice->estimate[(size_t) state * KYMO_ERROR_BARS + bar];
    }
  fprintf (file, "%s=%" PRId64 ";%" PRId64 ";\n", key, truth, estimate);
}

/* -- the archive --------------------------------------------------------------------- */

static void
print_locations (FILE                    *file,
                 const KymoArchiveChoice *choice,
                 const KymoArchiveMerge  *merge)
{
  /* Nanoseconds after the offset of the clock in the definitions. */
  fprintf (file, "\n[Run]\nzero_ns=%" PRId64 "\ncode=function\ntree=processes\nprocesses=true\n"
           "row=%s\n\n[Locations]\n", (int64_t) (choice->begin_ns - merge->begin_ns),
           choice->has_threads ? "thread" : "rank");
  for (unsigned i = 0; i < KYMO_ARCHIVE_N_ROWS (choice); i++)
    {
      const KymoArchiveRow *row = &KYMO_ARCHIVE_ROWS (choice)[i];

      if (!choice->kept[i])
        continue;
      fprintf (file, "%" PRId64 "=%u;0;rank %" PRId64, row->id, row->location, row->rank);
      if (choice->has_threads)
        fprintf (file, ", thread %u", row->thread);
      fputs (";\n", file);
    }
}

static void
print_note (FILE                    *file,
            const KymoArchiveChoice *choice,
            const KymoArchiveMerge  *merge)
{
  unsigned n_rows = KYMO_ARCHIVE_N_ROWS (choice), n_kept;

  fprintf (file, "[Reduction]\nversion=1\nprocessors=%u\npes=%u\n", n_rows, n_rows);
  n_kept = print_kept (file, choice);
  print_parameters (file, choice);
  print_clusters (file, choice);
  print_weights (file, choice);
  print_quality (file, choice, n_kept);
  print_error (file, choice);
  fputs ("\n[Error of entries]\nidle=0;0;\n", file);
  print_sums (file, choice, "overhead", KYMO_ARCHIVE_OVERHEAD);
  print_sums (file, choice, "untraced", KYMO_ARCHIVE_UNTRACED);
  print_locations (file, choice, merge);
}

/**
 * kymo_archive_choice_write:
 * @choice: of which some rows are kept and some not
 * @merge: of the archive
 * @folder: where it is
 *
 * Writes FOLDER/traces.kymo, whole or not at all.
 *
 * Returns: FALSE if it could not be written
 */
bool
kymo_archive_choice_write (const KymoArchiveChoice *choice,
                           const KymoArchiveMerge  *merge,
                           const char              *folder)
{
  locale_t plain = newlocale (LC_ALL_MASK, "C", (locale_t) 0), before = (locale_t) 0;
  char *path = NULL;
  FILE *file = NULL;
  bool good = plain != (locale_t) 0 && asprintf (&path, "%s/traces.kymo", folder) >= 0;

  if (good)
    file = fopen (path, "we");
  good = file != NULL;
  if (good)
    {
      /* The program may have chosen a decimal comma. */
      before = uselocale (plain);
      print_note (file, choice, merge);
      uselocale (before);
      good = ferror (file) == 0;
      good = fclose (file) == 0 && good;
      if (!good)
        unlink (path);
    }
  if (plain != (locale_t) 0)
    freelocale (plain);
  free (path);
  return good;
}
