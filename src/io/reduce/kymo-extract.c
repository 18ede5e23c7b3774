/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing some PEs and a stretch of time of a run as a run of its own. Each
 * log is walked over once to see what is needed (kymo-extract-marks.h), once
 * for other pieces of calls, and once to copy the records, byte for byte. A
 * log that is damaged or out of order is copied whole: what its records say
 * depends on all before them, and what is wrong with it is told when it is
 * read, as before. So is one that the runtime cut.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-extract.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-extract-marks.h"
#include "kymo-order.h"
#include "kymo-projections-names.h"
#include "kymo-projections-walk.h"
#include "kymo-reduce.h"

/* Most times that a log is read. */
#define N_WALKS 3

typedef struct
{
  const KymoExtractWish *wish;
  KymoProjectionsFiles  *files;
  KymoRun               *names;         /* holds what the .sts tells */
  KymoSts               *sts;
  KymoRunWriter         *writer;
  KymoExtractResult     *result;
  KymoJob               *job;
  GMutex                 lock;          /* of what follows, and the result */
  GError                *error;         /* of the first log that went wrong */
} Extracting;

typedef struct
{
  KymoExtractMarks *marks;
  KymoRunFile      *file;
  GError          **error;
} Copying;

/**
 * kymo_extract_check:
 * @run: from which something is to be written
 * @error: says why it cannot be
 *
 * Returns: whether it is of logs of Projections, read with their own times
 */
gboolean
kymo_extract_check (const KymoRun  *run,
                    GError        **error)
{
  if (g_strcmp0 (run->format, "projections") != 0 || kymo_run_is_binned (run))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           _("There are no records that a part could be written of: this run is a "
                             "summary or a stream"));
      return FALSE;
    }
  if (run->draft != NULL)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           _("A part of a run can be written when all its logs are read"));
      return FALSE;
    }
  if (!kymo_run_has_corrected_clocks (run))
    return TRUE;
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       _("With corrected clocks no part of a run can be written: records keep "
                         "their own times, in which the range is another one in every log"));
  return FALSE;
}

/**
 * kymo_extract_result_clear:
 *
 * Frees the lists of a result, not the struct itself.
 */
void
kymo_extract_result_clear (KymoExtractResult *result)
{
  g_clear_pointer (&result->kept, g_array_unref);
  g_clear_pointer (&result->copied, g_array_unref);
  g_clear_pointer (&result->left_out, g_ptr_array_unref);
}

static gboolean
visit_first (const KymoLogRecord *record,
             const char          *bytes,
             gsize                n_bytes,
             gpointer             data)
{
  return kymo_extract_marks_take (data, record);
}

static gboolean
visit_again (const KymoLogRecord *record,
             const char          *bytes,
             gsize                n_bytes,
             gpointer             data)
{
  return kymo_extract_marks_take_again (data, record);
}

static gboolean
visit_copy (const KymoLogRecord *record,
            const char          *bytes,
            gsize                n_bytes,
            gpointer             data)
{
  Copying *copying = data;

  return !kymo_extract_marks_next (copying->marks)
    || kymo_run_file_write (copying->file, bytes, n_bytes, copying->error);
}

/* The number of records is that of the file: a reader takes a log with fewer
   for one that was cut. */
static gboolean
write_header (KymoRunFile        *file,
              const KymoLogWalk  *walk,
              gint64              n_records,
              GError            **error)
{
  guint32 n = MIN (n_records, G_MAXINT32);
  char text[64];

  if (walk->is_binary)
    {
      n = walk->swap ? GUINT32_SWAP_LE_BE (n) : n;
      return kymo_run_file_write (file, (const char *) &n, sizeof n, error);
    }
  g_snprintf (text, sizeof text, "PROJECTIONS-RECORD %" G_GINT64_FORMAT "\n", n_records);
  return kymo_run_file_write (file, text, strlen (text), error);
}

static gboolean
fail_as_changed (const KymoLogRequest  *request,
                 KymoJob               *job,
                 GError               **error)
{
  if (error != NULL && *error != NULL)
    return FALSE;
  if (kymo_job_is_cancelled (job))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Writing was stopped"));
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” was changed while it was read"), request->name);
  return FALSE;
}

static gboolean
copy_records (Extracting            *x,
              const KymoLogRequest  *request,
              const KymoLogWalk     *walk,
              KymoExtractMarks      *marks,
              gint64                 n_records,
              GError               **error)
{
  g_autoptr (KymoRunFile) file = kymo_run_file_new (x->writer, request->name,
                                                    walk->is_compressed, error);
  Copying copying = { marks, file, error };
  KymoLogWalk again;

  if (file == NULL || !write_header (file, walk, n_records, error))
    return FALSE;
  kymo_projections_log_walk (request, x->job, visit_copy, &copying, &again);
  if (!again.is_plain || again.n_records != walk->n_records)
    return fail_as_changed (request, x->job, error);
  return kymo_run_file_close (file, error);
}

static gboolean
copy_whole (Extracting                 *x,
            const KymoProjectionsFile  *log,
            GError                    **error)
{
  kymo_job_advance (x->job, (N_WALKS - 1) * log->size_bytes);
  return kymo_run_writer_copy (x->writer, log->path, log->name, error);
}

static void
note_copied (Extracting *x,
             gint64      pe)
{
  g_mutex_lock (&x->lock);
  g_array_append_val (x->result->copied, pe);
  g_mutex_unlock (&x->lock);
}

static gboolean
write_log (Extracting                 *x,
           const KymoProjectionsFile  *log,
           GError                    **error)
{
  const KymoExtractWish *wish = x->wish;
  gboolean to_end = wish->span.end_ns >= wish->whole.end_ns;
  g_autoptr (KymoExtractMarks) marks = kymo_extract_marks_new (wish->span, to_end);
  KymoLogRequest request =
  {
    .path = log->path, .name = log->name, .pe = log->pe, .sts = x->sts,
    .n_activities = x->names->activities->len,
  };
  KymoLogWalk walk, again;
  gint64 n_records;

  if (to_end && wish->span.begin_ns <= wish->whole.begin_ns)
    return copy_whole (x, log, error);
  kymo_projections_log_walk (&request, x->job, visit_first, marks, &walk);
  if (kymo_job_is_cancelled (x->job))
    return fail_as_changed (&request, x->job, error);
  if (!walk.is_plain || !kymo_extract_marks_end (marks))
    {
      note_copied (x, log->pe);
      return copy_whole (x, log, error);
    }
  if (kymo_extract_marks_has_calls (marks))
    {
      kymo_projections_log_walk (&request, x->job, visit_again, marks, &again);
      if (!again.is_plain || again.n_records != walk.n_records)
        return fail_as_changed (&request, x->job, error);
    }
  else
    kymo_job_advance (x->job, log->size_bytes);
  n_records = kymo_extract_marks_count (marks);
  return n_records == walk.n_records ? kymo_run_writer_copy (x->writer, log->path, log->name, error)
    : copy_records (x, &request, &walk, marks, n_records, error);
}

static void
write_next (gpointer data,
            gpointer user_data)
{
  Extracting *x = user_data;
  GError *error = NULL;
  gboolean failed;

  g_mutex_lock (&x->lock);
  failed = x->error != NULL;
  g_mutex_unlock (&x->lock);
  if (failed || write_log (x, data, &error))
    return;
  g_mutex_lock (&x->lock);
  if (x->error == NULL)
    x->error = g_steal_pointer (&error);
  g_mutex_unlock (&x->lock);
  g_clear_error (&error);
}

static gboolean
is_wished (const KymoExtractWish *wish,
           gint64                 pe)
{
  guint at = KYMO_FIND_FIRST (i, 0, wish->n_pes, wish->pes[i] >= pe);

  return at < wish->n_pes && wish->pes[at] == pe;
}

static gboolean
write_logs (Extracting  *x,
            GError     **error)
{
  guint n_threads = x->wish->n_threads > 0 ? x->wish->n_threads : g_get_num_processors ();
  GThreadPool *pool = g_thread_pool_new (write_next, x, n_threads, FALSE, NULL);
  gint64 total = 0;

  for (guint i = 0; i < x->files->logs->len; i++)
    {
      const KymoProjectionsFile *log = kymo_projections_file (x->files->logs, i);

      if (!is_wished (x->wish, log->pe))
        continue;
      g_array_append_val (x->result->kept, log->pe);
      total += N_WALKS * log->size_bytes;
    }
  if (x->job != NULL)
    kymo_job_set_total (x->job, total);
  for (guint i = 0; i < x->files->logs->len; i++)
    {
      const KymoProjectionsFile *log = kymo_projections_file (x->files->logs, i);

      if (is_wished (x->wish, log->pe))
        g_thread_pool_push (pool, (gpointer) log, NULL);
    }
  g_thread_pool_free (pool, FALSE, TRUE);
  g_array_sort (x->result->copied, kymo_compare_ints);
  if (x->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&x->error));
  return FALSE;
}

static gboolean
write_note (Extracting  *x,
            GError     **error)
{
  g_autoptr (GKeyFile) note = g_key_file_new ();
  GArray *kept = x->result->kept;
  g_autofree int *numbers = g_new (int, MAX (kept->len, 1));
  g_autofree char *text = NULL;
  KymoSpan axis = x->wish->axis;

  for (guint i = 0; i < kept->len; i++)
    numbers[i] = g_array_index (kept, gint64, i);
  g_key_file_set_integer (note, KYMO_REDUCED_GROUP, "version", KYMO_REDUCED_VERSION);
  g_key_file_set_int64 (note, KYMO_REDUCED_GROUP, "processors", x->sts->n_pes);
  g_key_file_set_int64 (note, KYMO_REDUCED_GROUP, "pes", x->files->logs->len);
  g_key_file_set_integer_list (note, KYMO_REDUCED_GROUP, "kept", numbers, kept->len);
  g_key_file_set_int64 (note, KYMO_SELECTION_GROUP, "begin_ns", x->wish->span.begin_ns);
  g_key_file_set_int64 (note, KYMO_SELECTION_GROUP, "end_ns", x->wish->span.end_ns);
  if (kymo_span_length (axis) > 0)
    {
      g_key_file_set_int64 (note, KYMO_SELECTION_GROUP, KYMO_SELECTION_AXIS_BEGIN, axis.begin_ns);
      g_key_file_set_int64 (note, KYMO_SELECTION_GROUP, KYMO_SELECTION_AXIS_END, axis.end_ns);
    }
  text = g_key_file_to_data (note, NULL, NULL);
  return kymo_reduce_write_note (x->writer, x->files, text, error);
}

static gboolean
fill_extract (Extracting  *x,
              GError     **error)
{
  kymo_job_set_stage (x->job, _("Reading names"));
  x->names = kymo_run_new ();
  x->sts = kymo_projections_read_names (x->files, x->names, x->job, x->wish->n_threads);
  kymo_job_set_stage (x->job, _("Writing"));
  return kymo_reduce_copy_beside (x->writer, x->files, &x->result->bytes_before, error)
    && write_logs (x, error) && write_note (x, error);
}

/**
 * kymo_extract_write:
 * @wish: what of which run, and where to
 * @result: (out caller-allocates): what was written; to be cleared
 * @job: (nullable): progress and cancelling
 * @error: where to put the reason
 *
 * Writes a part of a run. Whatever goes wrong, there is nothing at its place
 * then, nor anything beside it.
 *
 * Returns: whether all was written
 */
gboolean
kymo_extract_write (const KymoExtractWish  *wish,
                    KymoExtractResult      *result,
                    KymoJob                *job,
                    GError                **error)
{
  Extracting x = { .wish = wish, .result = result, .job = job };
  gboolean good = FALSE;

  memset (result, 0, sizeof *result);
  result->kept = g_array_new (FALSE, FALSE, sizeof (gint64));
  result->copied = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_mutex_init (&x.lock);
  x.files = kymo_projections_find (wish->path, wish->base, error);
  if (x.files != NULL)
    x.writer = kymo_run_writer_new (wish->out, job, error);
  if (x.writer != NULL)
    {
      good = fill_extract (&x, error) && kymo_run_writer_finish (x.writer, error);
      result->bytes_after = kymo_run_writer_get_bytes (x.writer);
      kymo_run_writer_free (x.writer);
    }
  kymo_sts_free (x.sts);
  kymo_run_unref (x.names);
  kymo_projections_files_free (x.files);
  g_mutex_clear (&x.lock);
  return good;
}
