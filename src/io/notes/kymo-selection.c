/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Knowing a part of a run by the group Selection of its .kymo file: the time
 * that it is about. Records before and after are there because others need
 * them; nobody is shown their time.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-noted.h"

/* Nobody selects more time than a log may have (kymo-projections-records.c). */
#define MAX_NS (G_GINT64_CONSTANT (1) << 62)
#define MAX_SPAN_NS (G_GINT64_CONSTANT (1) << 53)

static gboolean
read_span (GKeyFile *file,
           KymoSpan *span)
{
  g_autoptr (GError) error = NULL;

  span->begin_ns = g_key_file_get_int64 (file, KYMO_SELECTION_GROUP, "begin_ns", &error);
  if (error == NULL)
    span->end_ns = g_key_file_get_int64 (file, KYMO_SELECTION_GROUP, "end_ns", &error);
  return error == NULL && span->begin_ns >= 0 && span->begin_ns < span->end_ns
    && span->end_ns < MAX_NS && span->end_ns - span->begin_ns <= MAX_SPAN_NS;
}

/**
 * kymo_selection_take:
 * @file: a .kymo file
 * @name: what the load report calls it
 * @n_left_out: PEs of the original that are not there
 * @run: is told the time that it is about
 *
 * Returns: whether it is a part of a run
 */
gboolean
kymo_selection_take (GKeyFile   *file,
                     const char *name,
                     gint64      n_left_out,
                     KymoRun    *run)
{
  if (!g_key_file_has_group (file, KYMO_SELECTION_GROUP))
    return FALSE;
  if (n_left_out > 0)
    {
      run->kind = run->kind == KYMO_RUN_TRACE ? KYMO_RUN_REDUCED : run->kind;
      kymo_report_add (run->report, name, KYMO_SEVERITY_NOTE, n_left_out, -1, "%s",
                       run->terms.row == KYMO_ROW_PE
                       ? N_("So many PEs are not in this part of a run")
                       : N_("So many ranks or threads are not in this part of a run"));
    }
  if (read_span (file, &run->selection))
    kymo_report_add (run->report, name, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("This is a stretch of time of a longer run"));
  else
    {
      run->selection = (KymoSpan) { 0, 0 };
      kymo_report_add (run->report, name, KYMO_SEVERITY_NOTE, 1, -1,
                       N_("The time that was selected cannot be read; all of the records is "
                          "shown"));
    }
  return TRUE;
}

/**
 * kymo_selection_apply:
 * @noted: its PEs are not looked at
 * @run: sealed; from its files, or a cache file that was made of them
 *
 * Makes the time that is selected the run's span.
 */
void
kymo_selection_apply (const KymoNoted *noted,
                      KymoRun         *run)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  KymoSpan span;

  if (kymo_reduced_load (noted, file) && read_span (file, &span))
    kymo_run_select (run, span);
}
