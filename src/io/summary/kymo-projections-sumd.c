/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding a .sumd:
 *
 *   ver:7.1 cpu:<pe>/<PEs> numIntervals:<n> numEPs:<n> intervalSize:<s>
 *   ExeTimePerEPperInterval <us>
 *   EPCallTimePerInterval <calls>
 *
 * Each list has all bins of entry 0, then of entry 1 and so on; runs of equal
 * values cross from one entry to the next.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-sum-private.h"

#include <string.h>

/**
 * kymo_sumd_free:
 *
 * Frees @sumd. %NULL is ignored.
 */
void
kymo_sumd_free (KymoSumd *sumd)
{
  if (sumd == NULL)
    return;
  g_free (sumd->version);
  kymo_sum_list_clear (&sumd->times_us);
  kymo_sum_list_clear (&sumd->calls);
  g_free (sumd);
}

static KymoWordKind
read_header (KymoSumReader *reader,
             KymoSumd      *sumd)
{
  KymoWordKind kind;
  gint64 number;

  while ((kind = kymo_sum_reader_next (reader)) == KYMO_WORD)
    {
      const char *word = reader->words.text;

      if (kymo_sum_parse_field (word, "numIntervals:", &number))
        sumd->n_bins = number;
      else if (kymo_sum_parse_field (word, "numEPs:", &number))
        sumd->n_entries = number;
      else
        kymo_sum_parse_length (word, "intervalSize:", &sumd->bin_ns);
    }
  return kind;
}

static KymoWordKind
read_line (KymoSumReader *reader,
           KymoSumd      *sumd)
{
  const char *word = reader->words.text;
  KymoWordKind kind;

  if (strcmp (word, "ExeTimePerEPperInterval") == 0)
    return kymo_sum_list_read (reader, &sumd->times_us, KYMO_SUM_MAX_US,
                               N_("A number cannot be one; it counts as 0"));
  if (strcmp (word, "EPCallTimePerInterval") == 0)
    return kymo_sum_list_read (reader, &sumd->calls, G_MAXINT32,
                               N_("A number cannot be one; it counts as 0"));
  kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1, reader->words.offset,
                   N_("A line has no name that a summary knows; it is left out"));
  while ((kind = kymo_sum_reader_next (reader)) == KYMO_WORD)
    ;
  return kind;
}

/* Both lists have a value for each bin and entry method; where only one number of the header
   divides their length, the other one is wrong. */
static void
correct_header (KymoSumReader *reader,
                KymoSumd      *sumd)
{
  gint64 n = sumd->times_us.n_values;
  gboolean bins_fit = n % sumd->n_bins == 0, entries_fit = n % sumd->n_entries == 0;

  if (n == 0 || sumd->calls.n_values != n || n == sumd->n_bins * sumd->n_entries
      || bins_fit == entries_fit)
    return;
  if (bins_fit)
    sumd->n_entries = n / sumd->n_bins;
  else
    sumd->n_bins = n / sumd->n_entries;
  kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1, 0,
                   N_("A number in the header does not fit the lists, which are believed"));
}

static void
check_projections_sumd (KymoSumReader  *reader,
                        const KymoSumd *sumd)
{
  const KymoSumList *lists[] = { &sumd->times_us, &sumd->calls };
  gint64 expected = sumd->n_bins * sumd->n_entries;
  guint n_missing = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      n_missing += lists[i]->runs == NULL;
      kymo_sum_list_check (reader, lists[i], expected,
                           N_("Figures of entry methods by bin are missing"),
                           N_("There are more figures than bins and entry methods in the header; "
                              "the rest is left out"));
    }
  if (n_missing > 0)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, n_missing, -1,
                     N_("Lines of the summary are missing"));
}

/**
 * kymo_projections_sumd_read:
 * @path: the file
 * @name: what the load report calls it
 * @report: told of what was lost
 * @job: (nullable): progress and cancelling
 *
 * Returns: (transfer full) (nullable): the file's content, as far as it goes
 */
KymoSumd *
kymo_projections_sumd_read (const char *path,
                            const char *name,
                            KymoReport *report,
                            KymoJob    *job)
{
  g_autoptr (KymoSumd) sumd = g_new0 (KymoSumd, 1);
  KymoSumReader reader;
  KymoWordKind kind;

  if (!kymo_sum_reader_open (&reader, path, name, report, job))
    return NULL;
  if (!kymo_sum_reader_header (&reader, "cpu:", &sumd->version, &sumd->pe, &sumd->n_pes))
    {
      kymo_sum_reader_close (&reader);
      return NULL;
    }
  kind = read_header (&reader, sumd);
  while (kind != KYMO_WORD_FILE_END
         && (kind = kymo_sum_reader_next (&reader)) != KYMO_WORD_FILE_END)
    if (kind == KYMO_WORD)
      kind = read_line (&reader, sumd);
  kymo_sum_reader_finish (&reader);
  if (sumd->bin_ns == 0 || sumd->n_bins == 0 || sumd->n_entries == 0)
    {
      kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, 0,
                       N_("The header tells no bins or entry methods; the file is left out"));
      g_clear_pointer (&sumd, kymo_sumd_free);
    }
  else
    {
      correct_header (&reader, sumd);
      check_projections_sumd (&reader, sumd);
    }
  kymo_sum_reader_close (&reader);
  return g_steal_pointer (&sumd);
}
