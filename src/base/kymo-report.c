/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Issues are merged by file, severity and words through a hash on that text.
 */
#include "config.h"

#include "kymo-report.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-span.h"

struct _KymoReport
{
  gatomicrefcount  ref_count;
  GMutex           mutex;       /* protects both while loading */
  GPtrArray       *issues;      /* KymoIssue */
  GHashTable      *by_text;     /* "severity file what" -> KymoIssue */
};

static void
issue_free (gpointer data)
{
  KymoIssue *issue = data;

  g_free (issue->file);
  g_free (issue->what);
  g_free (issue);
}

/**
 * kymo_report_new:
 *
 * Returns: (transfer full): an empty list of issues, for any thread
 */
KymoReport *
kymo_report_new (void)
{
  KymoReport *report = g_new0 (KymoReport, 1);

  g_atomic_ref_count_init (&report->ref_count);
  g_mutex_init (&report->mutex);
  report->issues = g_ptr_array_new_with_free_func (issue_free);
  report->by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return report;
}

/**
 * kymo_report_ref:
 *
 * Returns: (transfer full): @report, with one more reference
 */
KymoReport *
kymo_report_ref (KymoReport *report)
{
  g_atomic_ref_count_inc (&report->ref_count);
  return report;
}

/**
 * kymo_report_unref:
 *
 * Drops a reference to @report and frees it with the last reference. %NULL is ignored.
 */
void
kymo_report_unref (KymoReport *report)
{
  if (report == NULL || !g_atomic_ref_count_dec (&report->ref_count))
    return;
  g_hash_table_unref (report->by_text);
  g_ptr_array_unref (report->issues);
  g_mutex_clear (&report->mutex);
  g_free (report);
}

/**
 * kymo_report_add:
 * @report: a report
 * @file: (nullable): the file it is about, relative to the run's folder
 * @severity: how bad
 * @count: how many records, bytes or PEs
 * @offset: byte offset of the first, or -1
 * @format: the sentence
 *
 * Adds an issue, or adds @count to the same one. Any thread.
 */
void
kymo_report_add (KymoReport   *report,
                 const char   *file,
                 KymoSeverity  severity,
                 gint64        count,
                 gint64        offset,
                 const char   *format,
                 ...)
{
  g_autofree char *raw = NULL;
  g_autofree char *what = NULL;
  g_autofree char *name = file != NULL ? g_utf8_make_valid (file, -1) : NULL;
  g_autofree char *key = NULL;
  KymoIssue *issue;
  va_list args;

  va_start (args, format);
  raw = g_strdup_vprintf (format, args);
  va_end (args);
  what = g_utf8_make_valid (raw, -1);
  key = g_strdup_printf ("%d %s %s", severity, name != NULL ? name : "", what);

  g_mutex_lock (&report->mutex);
  issue = g_hash_table_lookup (report->by_text, key);
  if (issue == NULL)
    {
      issue = g_new0 (KymoIssue, 1);
      issue->file = g_steal_pointer (&name);
      issue->severity = severity;
      issue->what = g_steal_pointer (&what);
      issue->offset = offset;
      g_ptr_array_add (report->issues, issue);
      g_hash_table_insert (report->by_text, g_steal_pointer (&key), issue);
    }
  issue->count = kymo_saturating_add (issue->count, count);
  g_mutex_unlock (&report->mutex);
}

/**
 * kymo_report_add_all:
 * @other: a report that is complete
 *
 * Adds all issues of the other report. Any thread.
 */
void
kymo_report_add_all (KymoReport *report,
                     KymoReport *other)
{
  for (guint i = 0; i < other->issues->len; i++)
    {
      const KymoIssue *issue = other->issues->pdata[i];

      kymo_report_add (report, issue->file, issue->severity, issue->count, issue->offset,
                       "%s", issue->what);
    }
}

static int
compare_issues (gconstpointer a,
                gconstpointer b)
{
  const KymoIssue *x = *(KymoIssue *const *) a;
  const KymoIssue *y = *(KymoIssue *const *) b;
  int by_file;

  if (x->severity != y->severity)
    return y->severity - x->severity;
  by_file = g_strcmp0 (x->file, y->file);
  return by_file != 0 ? by_file : strcmp (x->what, y->what);
}

/**
 * kymo_report_sort:
 *
 * Puts the worst first, then by file, so that the order does not depend on
 * which thread came first.
 */
void
kymo_report_sort (KymoReport *report)
{
  g_ptr_array_sort (report->issues, compare_issues);
}

/**
 * kymo_report_get_n_issues:
 *
 * Returns: the number of different issues; repetitions of an issue count once
 */
guint
kymo_report_get_n_issues (KymoReport *report)
{
  return report->issues->len;
}

/**
 * kymo_report_peek_issue:
 * @index: position among the issues, from 0
 *
 * Returns: (transfer none): the issue, owned by the report, and complete only while no issue
 *   is added
 */
const KymoIssue *
kymo_report_peek_issue (KymoReport *report,
                        guint       index)
{
  return g_ptr_array_index (report->issues, index);
}

/**
 * kymo_report_is_complete:
 *
 * Returns: whether nothing was lost
 */
gboolean
kymo_report_is_complete (KymoReport *report)
{
  for (guint i = 0; i < report->issues->len; i++)
    if (kymo_report_peek_issue (report, i)->severity == KYMO_SEVERITY_LOST)
      return FALSE;
  return TRUE;
}

/**
 * kymo_severity_to_string:
 *
 * Returns: the severity in answers and in the output of the command line; static, not
 *   translated
 */
const char *
kymo_severity_to_string (KymoSeverity severity)
{
  static const char *const words[] = { "note", "repaired", "lost" };

  return words[severity];
}

/**
 * kymo_report_dup_lost:
 * @n: how many kinds of data are lost, at least 1
 *
 * Returns: (transfer full): a sentence that says so, without a full stop
 */
char *
kymo_report_dup_lost (guint n)
{
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "This run is incomplete (%u problem)",
                                       "This run is incomplete (%u problems)", n), n);
}
