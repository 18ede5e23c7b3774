/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profile of all locations beside an archive that has the events of some: tauprofile.xml, in
 * the form in which TAU merges profiles, so that its programs read it, too.
 */
#include "kymo-archive-keep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of a name what XML has room for; bytes that are no text become question marks. */
static void
print_text (FILE                   *file,
            const KymoArchiveMerge *merge,
            uint32_t                string)
{
  size_t n = 0;
  const char *text = kymo_archive_pool_get (&merge->strings, string, &n);

  for (size_t i = 0; text != NULL && i < n && text[i] != '\0'; i++)
    switch (text[i])
      {
      case '<': fputs ("&lt;", file); break;
      case '>': fputs ("&gt;", file); break;
      case '&': fputs ("&amp;", file); break;
      default: fputc ((unsigned char) text[i] < ' ' ? '?' : text[i], file);
      }
}

static void
print_events (FILE                   *file,
              const KymoArchiveMerge *merge)
{
  fputs ("<definitions thread=\"*\">\n"
         "<metric id=\"0\"><name>TIME</name><units>usec</units></metric>\n", file);
  for (uint32_t i = 0; i < merge->regions.n; i++)
    {
      size_t n = 0;
      const KymoArchiveRegion *region = kymo_archive_pool_get (&merge->regions, i, &n);

      if (region == NULL || n != sizeof *region)
        continue;
      fprintf (file, "<event id=\"%" PRIu32 "\"><name>", i);
      print_text (file, merge, region->name);
      fputs ("</name><group>TAU_DEFAULT</group></event>\n", file);
    }
  fputs ("</definitions>\n", file);
}

static void
print_time (FILE     *file,
            uint64_t  ns,
            char      end)
{
  fprintf (file, "%" PRIu64 ".%03u%c", ns / 1000, (unsigned) (ns % 1000), end);
}

static void
print_row (FILE                 *file,
           const KymoArchiveRow *row)
{
  const KymoArchiveTotal *totals = KYMO_ARCHIVE_AT (&row->totals, KymoArchiveTotal);

  fprintf (file, "<thread id=\"%" PRId64 ".0.%u\" node=\"%" PRId64 "\" context=\"0\" "
           "thread=\"%u\">\n<metadata>\n</metadata>\n</thread>\n"
           "<profile thread=\"%" PRId64 ".0.%u\">\n<name>final</name>\n"
           "<interval_data metrics=\"0 \">\n", row->rank, row->thread, row->rank, row->thread,
           row->rank, row->thread);
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&row->totals, KymoArchiveTotal); i++)
    if (totals[i].state >= KYMO_ARCHIVE_REGION)
      {
        fprintf (file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " ",
                 totals[i].state - KYMO_ARCHIVE_REGION, totals[i].calls, totals[i].called);
        print_time (file, totals[i].ns, ' ');
        print_time (file, totals[i].inclusive_ns, '\n');
      }
  fputs ("</interval_data>\n</profile>\n", file);
}

/**
 * kymo_archive_choice_write_profile:
 * @choice: with the totals of all rows
 * @merge: of the archive
 * @folder: where it is
 *
 * Writes FOLDER/tauprofile.xml, whole or not at all.
 *
 * Returns: FALSE if it could not be written
 */
bool
kymo_archive_choice_write_profile (const KymoArchiveChoice *choice,
                                   const KymoArchiveMerge  *merge,
                                   const char              *folder)
{
  char *path = NULL;
  FILE *file = asprintf (&path, "%s/tauprofile.xml", folder) >= 0 ? fopen (path, "we") : NULL;
  bool good = file != NULL;

  if (good)
    {
      fputs ("<profile_xml>\n", file);
      print_events (file, merge);
      for (unsigned i = 0; i < KYMO_ARCHIVE_N_ROWS (choice); i++)
        print_row (file, &KYMO_ARCHIVE_ROWS (choice)[i]);
      fputs ("</profile_xml>\n", file);
      good = ferror (file) == 0;
      good = fclose (file) == 0 && good;
      if (!good)
        unlink (path);
    }
  free (path);
  return good;
}
