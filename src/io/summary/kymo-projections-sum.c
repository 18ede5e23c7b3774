/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding a .sum:
 *
 *   ver:7.1 <pe>/<PEs> count:<bins> ep:<entries> interval:<s> phases:<n>
 *   <utilization, percent by bin>
 *   EPExeTime: <us by entry>
 *   EPCallTime: <calls by entry>
 *   MaxEPTime: <us by entry>
 *   NumMarks: <n> <event> <seconds> …
 *   [<phase>] … three lines a phase
 *   IdlePercent: <percent by bin>               since 7.1
 *
 * With +sumonly one file has the averages of all PEs: `numTracedPE:` in its
 * header and only the first list. Some runtimes write garbage there.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-sum-private.h"

#include <math.h>
#include <string.h>

#define MAX_PERCENT 100

/**
 * kymo_sum_free:
 *
 * Frees @sum. %NULL is ignored.
 */
void
kymo_sum_free (KymoSum *sum)
{
  if (sum == NULL)
    return;
  g_free (sum->version);
  kymo_sum_list_clear (&sum->utilization);
  kymo_sum_list_clear (&sum->idle);
  kymo_sum_list_clear (&sum->exe_us);
  kymo_sum_list_clear (&sum->calls);
  kymo_sum_list_clear (&sum->max_us);
  g_array_unref (sum->marks);
  g_free (sum);
}

static KymoWordKind
read_header (KymoSumReader *reader,
             KymoSum       *sum)
{
  KymoWordKind kind;
  gint64 number;

  while ((kind = kymo_sum_reader_next (reader)) == KYMO_WORD)
    {
      const char *word = reader->words.text;

      if (kymo_sum_parse_field (word, "count:", &number))
        sum->n_bins = number;
      else if (kymo_sum_parse_field (word, "ep:", &number))
        sum->n_entries = number;
      else if (g_str_has_prefix (word, "numTracedPE:"))
        sum->of_all_pes = TRUE;
      else
        kymo_sum_parse_length (word, "interval:", &sum->bin_ns);
    }
  return kind;
}

static gboolean
parse_seconds (const char *word,
               gint64     *ns)
{
  double seconds = g_ascii_strtod (word, NULL);

  if (!(seconds >= 0 && seconds <= KYMO_SUM_MAX_NS / 1e9))
    return FALSE;
  *ns = llround (seconds * 1e9);
  return TRUE;
}

/* The number of marks, then pairs of event and seconds. */
static KymoWordKind
read_marks (KymoSumReader *reader,
            KymoSum       *sum)
{
  KymoSumMark mark = { 0, 0 };
  gint64 expected = 0, n_damaged = 0;
  gboolean fine = TRUE;
  KymoWordKind kind;

  for (guint i = 0; (kind = kymo_sum_reader_next (reader)) == KYMO_WORD; i++)
    {
      const char *word = reader->words.text;

      if (i == 0)
        kymo_sum_parse_int (&word, G_MAXINT32, &expected);
      else if (i % 2 == 1)
        fine = kymo_sum_parse_int (&word, G_MAXINT32, &mark.event) && *word == '\0';
      else if (fine && parse_seconds (word, &mark.ns))
        g_array_append_val (sum->marks, mark);
      else
        n_damaged++;
    }
  if (n_damaged > 0 || sum->marks->len < expected)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST,
                     MAX (n_damaged, expected - (gint64) sum->marks->len), -1,
                     N_("Marks cannot be read"));
  return kind;
}

static KymoWordKind
skip_line (KymoSumReader *reader)
{
  KymoWordKind kind;

  while ((kind = kymo_sum_reader_next (reader)) == KYMO_WORD)
    ;
  return kind;
}

static KymoSumList *
list_of (KymoSum     *sum,
         const char  *keyword,
         gint64      *most)
{
  *most = KYMO_SUM_MAX_US;
  if (strcmp (keyword, "EPExeTime:") == 0)
    return &sum->exe_us;
  if (strcmp (keyword, "MaxEPTime:") == 0)
    return &sum->max_us;
  *most = G_MAXINT32;
  if (strcmp (keyword, "EPCallTime:") == 0)
    return &sum->calls;
  *most = MAX_PERCENT;
  return strcmp (keyword, "IdlePercent:") == 0 ? &sum->idle : NULL;
}

/* Reads a line after the header; its first word tells its kind. */
static KymoWordKind
read_line (KymoSumReader *reader,
           KymoSum       *sum,
           gint64        *n_phase_lines)
{
  const char *word = reader->words.text;
  gint64 most;
  KymoSumList *list = list_of (sum, word, &most);

  if (list != NULL)
    return kymo_sum_list_read (reader, list, most, most == MAX_PERCENT
                               ? N_("A number is no percentage; its bin counts as unknown")
                               : N_("A number cannot be one; it counts as 0"));
  if (strcmp (word, "NumMarks:") == 0)
    return read_marks (reader, sum);
  if (*word == '[')
    (*n_phase_lines)++;
  else if (sum->utilization.runs == NULL)
    {
      kymo_sum_list_init (&sum->utilization);
      kymo_sum_list_take (reader, &sum->utilization, MAX_PERCENT,
                          N_("A number is no percentage; its bin counts as unknown"));
      return kymo_sum_list_read (reader, &sum->utilization, MAX_PERCENT,
                                 N_("A number is no percentage; its bin counts as unknown"));
    }
  else
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1, reader->words.offset,
                     N_("A line has no name that a summary knows; it is left out"));
  return skip_line (reader);
}

static gboolean
are_as_long (const KymoSumList *a,
             const KymoSumList *b)
{
  return a->runs != NULL && b->runs != NULL && a->n_values == b->n_values;
}

/* A number in the header is wrong where all lists contradict it together. */
static void
correct_header (KymoSumReader *reader,
                KymoSum       *sum)
{
  gint64 n_wrong = 0;

  if (are_as_long (&sum->utilization, &sum->idle) && sum->n_bins != sum->utilization.n_values)
    {
      sum->n_bins = sum->utilization.n_values;
      n_wrong++;
    }
  if (are_as_long (&sum->exe_us, &sum->calls) && are_as_long (&sum->calls, &sum->max_us)
      && sum->n_entries != sum->calls.n_values)
    {
      sum->n_entries = sum->calls.n_values;
      n_wrong++;
    }
  if (n_wrong > 0)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, n_wrong, 0,
                     N_("A number in the header does not fit the lists, which are believed"));
}

static void
check_projections_sum (KymoSumReader *reader,
                       const KymoSum *sum,
                       gint64         n_phase_lines)
{
  const KymoSumList *entries[] = { &sum->exe_us, &sum->calls, &sum->max_us };
  double version = g_ascii_strtod (sum->version, NULL);
  guint n_missing = sum->utilization.runs == NULL;

  kymo_sum_list_check (reader, &sum->utilization, sum->n_bins,
                       N_("Bins of the header have no utilization"),
                       N_("There is more utilization than bins in the header; the rest is left "
                          "out"));
  kymo_sum_list_check (reader, &sum->idle, sum->n_bins, N_("Bins of the header have no idle time"),
                       N_("There is more idle time than bins in the header; the rest is left out"));
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      kymo_sum_list_check (reader, entries[i], sum->n_entries,
                           N_("Figures of entry methods are missing"),
                           N_("There are more figures than entry methods in the header; "
                              "the rest is left out"));
      n_missing += entries[i]->runs == NULL && !sum->of_all_pes;
    }
  n_missing += sum->idle.runs == NULL && version >= 7.1 && !sum->of_all_pes;
  if (n_missing > 0)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, n_missing, -1,
                     N_("Lines of the summary are missing"));
  if (n_phase_lines > 0)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_NOTE, n_phase_lines, -1,
                     N_("Lines tell entry methods by phase of the program; they are not shown"));
}

/* Without a bin that can be believed there is nothing to show. */
static gboolean
is_usable (KymoSumReader *reader,
           const KymoSum *sum)
{
  const char *why = NULL;

  if (sum->bin_ns == 0)
    why = N_("The header tells no length of the bins; the file is left out");
  else if (sum->utilization.n_values == sum->utilization.n_damaged)
    why = N_("No bin of the summary can be read; the file is left out");
  if (why != NULL)
    kymo_report_add (reader->report, reader->name, KYMO_SEVERITY_LOST, 1, -1, "%s", why);
  return why == NULL;
}

/**
 * kymo_projections_sum_read:
 * @path: the file
 * @name: what the load report calls it
 * @report: told of what was lost
 * @job: (nullable): progress and cancelling
 *
 * Returns: (transfer full) (nullable): the file's content, as far as it goes
 */
KymoSum *
kymo_projections_sum_read (const char *path,
                           const char *name,
                           KymoReport *report,
                           KymoJob    *job)
{
  g_autoptr (KymoSum) sum = g_new0 (KymoSum, 1);
  gint64 n_phase_lines = 0;
  KymoSumReader reader;
  KymoWordKind kind;

  sum->n_bins = sum->n_entries = -1;
  sum->marks = g_array_new (FALSE, FALSE, sizeof (KymoSumMark));
  if (!kymo_sum_reader_open (&reader, path, name, report, job))
    return NULL;
  if (kymo_sum_reader_header (&reader, "", &sum->version, &sum->pe, &sum->n_pes))
    {
      kind = read_header (&reader, sum);
      while (kind != KYMO_WORD_FILE_END
             && (kind = kymo_sum_reader_next (&reader)) != KYMO_WORD_FILE_END)
        if (kind == KYMO_WORD)
          kind = read_line (&reader, sum, &n_phase_lines);
      kymo_sum_reader_finish (&reader);
      correct_header (&reader, sum);
      check_projections_sum (&reader, sum, n_phase_lines);
      if (!is_usable (&reader, sum))
        g_clear_pointer (&sum, kymo_sum_free);
    }
  else
    g_clear_pointer (&sum, kymo_sum_free);
  kymo_sum_reader_close (&reader);
  return g_steal_pointer (&sum);
}
