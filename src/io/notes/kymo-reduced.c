/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Knowing a reduced run by its .kymo file: which PEs were left out on purpose.
 * Nothing depends on this file: what cannot be read is a note, and then
 * missing logs are told as they are without it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>


#include "kymo-id-set.h"
#include "kymo-input.h"
#include "kymo-noted.h"
#include "kymo-order.h"

#define MAX_BYTES (64 << 20)

/**
 * kymo_reduced_dup_path:
 * @folder: of a run
 * @base: what the names of the run's files begin with
 *
 * Returns: (transfer full) (nullable): path of its .kymo file; %NULL if it has none
 */
char *
kymo_reduced_dup_path (const char *folder,
                       const char *base)
{
  g_autofree char *name = g_strconcat (base, ".kymo", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

/* As many numbers as the file has; NULL with a reason. */
static int *
read_kept (const char  *path,
           gint64       n_pes,
           GKeyFile    *file,
           gsize       *n_kept,
           const char **why)
{
  int *kept = NULL;

  if (!kymo_input_load_key_file (file, path, MAX_BYTES, G_KEY_FILE_NONE, NULL))
    *why = N_("The file cannot be read as a note of a reduction; it is left out");
  else if (g_key_file_get_integer (file, KYMO_REDUCED_GROUP, "version", NULL)
           != KYMO_REDUCED_VERSION)
    *why = N_("The note of a reduction is of another version; it is left out");
  else if (n_pes >= 0
           && g_key_file_get_int64 (file, KYMO_REDUCED_GROUP, "processors", NULL) != n_pes)
    *why = N_("The note is of the reduction of another run; it is left out");
  else
    {
      kept = g_key_file_get_integer_list (file, KYMO_REDUCED_GROUP, "kept", n_kept, NULL);
      if (kept == NULL)
        *why = N_("The file cannot be read as a note of a reduction; it is left out");
    }
  return kept;
}

/**
 * kymo_reduced_load:
 * @noted: its PEs are not looked at
 * @file: (inout): gets what the .kymo file holds
 *
 * Returns: whether there is one, and it is of this run
 */
gboolean
kymo_reduced_load (const KymoNoted *noted,
                   GKeyFile        *file)
{
  g_autofree char *path = kymo_reduced_dup_path (noted->folder, noted->base);
  g_autofree int *kept = NULL;
  const char *why;
  gsize n_kept;

  if (path != NULL)
    kept = read_kept (path, noted->n_pes, file, &n_kept, &why);
  return kept != NULL;
}

/**
 * kymo_reduced_check:
 * @noted: its PEs are not looked at
 * @report: where to tell that the .kymo file of the run is none, if there is one
 */
void
kymo_reduced_check (const KymoNoted *noted,
                    KymoReport      *report)
{
  g_autofree char *path = kymo_reduced_dup_path (noted->folder, noted->base);
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree int *kept = NULL;
  const char *why = NULL;
  gsize n_kept;

  if (path != NULL)
    kept = read_kept (path, noted->n_pes, file, &n_kept, &why);
  if (why != NULL)
    kymo_report_add (report, name, KYMO_SEVERITY_NOTE, 1, -1, "%s", why);
}

static gboolean
has_log (const KymoNoted *noted,
         gint64           pe)
{
  guint at = KYMO_FIND_FIRST (i, 0, noted->n_ids, noted->ids[i] >= pe);

  return at < noted->n_ids && noted->ids[at] == pe;
}

/* Kept PEs whose logs are not there are missing in truth. */
static gint64
report_lost (const KymoNoted *noted,
             const int       *kept,
             gsize            n_kept,
             const char      *name,
             KymoRun         *run)
{
  g_autoptr (GArray) lost = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gsize i = 0; i < n_kept; i++)
    {
      gint64 pe = kept[i];

      if (!has_log (noted, pe))
        g_array_append_val (lost, pe);
    }
  if (lost->len > 0)
    {
      g_autofree char *text = kymo_ids_to_text ((const gint64 *) lost->data, MIN (lost->len, 20));

      if (run->terms.row == KYMO_ROW_PE)
        kymo_report_add (run->report, name, KYMO_SEVERITY_LOST, lost->len, -1,
                         N_("PEs that the reduction kept have no log: %s%s"), text,
                         lost->len > 20 ? ",…" : "");
      else
        kymo_report_add (run->report, name, KYMO_SEVERITY_LOST, lost->len, -1,
                         N_("Ranks or threads that were kept have no file: %s%s"), text,
                         lost->len > 20 ? ",…" : "");
    }
  return lost->len;
}

/**
 * kymo_reduced_report:
 * @run: with its terms; becomes a reduced one, and is told which PEs are not there
 *
 * Where a .kymo file says that PEs were left out on purpose that is a note.
 *
 * Returns: whether it does: then nothing else is to be said of missing logs
 */
gboolean
kymo_reduced_report (const KymoNoted *noted,
                     KymoRun         *run)
{
  g_autofree char *path = kymo_reduced_dup_path (noted->folder, noted->base);
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  g_autofree int *kept = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  const char *why = NULL;
  gsize n_kept = 0;
  gint64 n_out, n_pes = noted->n_pes;

  if (path == NULL)
    return FALSE;
  kept = read_kept (path, n_pes, file, &n_kept, &why);
  if (kept == NULL)
    {
      kymo_report_add (run->report, name, KYMO_SEVERITY_NOTE, 1, -1, "%s", why);
      return FALSE;
    }
  if (n_pes < 0)
    n_pes = g_key_file_get_int64 (file, KYMO_REDUCED_GROUP, "processors", NULL);
  n_out = n_pes - noted->n_ids - report_lost (noted, kept, n_kept, name, run);
  if (kymo_selection_take (file, name, n_out, run))
    return TRUE;
  run->kind = run->kind == KYMO_RUN_TRACE ? KYMO_RUN_REDUCED : run->kind;
  if (n_out > 0)
    kymo_report_add (run->report, name, KYMO_SEVERITY_NOTE, n_out, -1, "%s",
                     run->terms.row == KYMO_ROW_PE ? N_("PEs were left out by a reduction")
                     : g_key_file_has_group (file, "Parameters")
                     ? N_("Ranks or threads were left out by a reduction")
                     : N_("Ranks or threads are not in this part of a run"));
  return TRUE;
}

/**
 * kymo_reduced_take_weights:
 * @noted: its PEs are not looked at
 * @run: with all its locations, from its files or from a cache file that was made of
 *   them
 * @report: (nullable): where to tell what cannot be believed
 *
 * Gives a run what its .kymo file knows of the PEs it stands for.
 */
void
kymo_reduced_take_weights (const KymoNoted *noted,
                           KymoRun         *run,
                           KymoReport      *report)
{
  g_autofree char *path = kymo_reduced_dup_path (noted->folder, noted->base);
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree int *kept = NULL;
  KymoSpan records = kymo_run_get_records_span (run);
  const char *why = NULL;
  gsize n_kept = 0;

  if (path != NULL)
    kept = read_kept (path, run->n_locations_original, file, &n_kept, &why);
  if (kept == NULL)
    return;
  why = NULL;
  run->reduction = kymo_reduced_parse_weights (file, kept, n_kept,
                                               kymo_span_length (records), &why);
  if (why != NULL && report != NULL)
    kymo_report_add (report, name, KYMO_SEVERITY_NOTE, 1, -1, "%s", why);
}

/* Knowing a part of a run by the group Selection of its .kymo file: the time
   that it is about. Records before and after are there because others need
   them; their time is not shown. */

/* No selection has more time than a log may have (kymo-projections-records.c). */
#define MAX_NS (G_GINT64_CONSTANT (1) << 62)
#define MAX_SPAN_NS (G_GINT64_CONSTANT (1) << 53)

static gboolean
read_span (GKeyFile   *file,
           const char *begin,
           const char *end,
           KymoSpan   *span)
{
  g_autoptr (GError) error = NULL;

  span->begin_ns = g_key_file_get_int64 (file, KYMO_SELECTION_GROUP, begin, &error);
  if (error == NULL)
    span->end_ns = g_key_file_get_int64 (file, KYMO_SELECTION_GROUP, end, &error);
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
                       ? N_("PEs are not in this part of a run")
                       : N_("Ranks or threads are not in this part of a run"));
    }
  if (read_span (file, "begin_ns", "end_ns", &run->selection))
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

  if (kymo_reduced_load (noted, file) && read_span (file, "begin_ns", "end_ns", &span))
    kymo_run_select (run, span);
}

/**
 * kymo_selection_get_axis:
 * @noted: its PEs are not looked at
 * @axis: (out): in the run that this one is a part of the span of the logs without damage, ns
 *   of the clock of the files
 *
 * Logs that were cut no longer show it, and it decides which records of a damaged log, which was
 * copied whole, are believed.
 *
 * Returns: %TRUE if there is a note that says so
 */
gboolean
kymo_selection_get_axis (const KymoNoted *noted,
                         KymoSpan        *axis)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  return kymo_reduced_load (noted, file)
    && read_span (file, KYMO_SELECTION_AXIS_BEGIN, KYMO_SELECTION_AXIS_END, axis);
}
