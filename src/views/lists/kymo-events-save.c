/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-answer-texts.h"
#include "kymo-beside.h"
#include "kymo-dialogs.h"
#include "kymo-error.h"
#include "kymo-events-save.h"
#include "kymo-term-words.h"
#include "kymo-units.h"

/* Pages of a run that grows meanwhile do not go together; so often it is begun anew. */
#define MOST_TRIES 3

typedef enum { FORM_TEXT, FORM_CSV, FORM_JSON } Form;

typedef struct
{
  KymoQuestion *question;
  KymoJob      *job;
  char         *path;
  KymoBeside   *beside;
  Form          form;
  guint         page;
  gint64        total, written;        /* records; total -1 before the first page */
} Save;

static void
save_free (gpointer data)
{
  Save *save = data;

  kymo_question_unref (save->question);
  g_object_unref (save->job);
  g_clear_pointer (&save->beside, kymo_beside_free);
  g_free (save->path);
  g_free (save);
}

static gboolean
fail_events_save (const Save *save, int code, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _("“%s” cannot be written: %s"),
               save->path, g_strerror (code));
  return FALSE;
}

/* -- in words ------------------------------------------------------------- */

/**
 * kymo_event_dup_text:
 * @list: the list "events" of an answer
 * @column: less than %KYMO_EVENT_TEXTS: time, length, kind, name, what happened
 *
 * Returns: (transfer full): the cell in words; "" where the record has none
 */
char *
kymo_event_dup_text (KymoTable *list, guint row, guint column)
{
  static const char *const keys[KYMO_EVENT_TEXTS] = { "time_ns", "duration_ns", "kind", "name",
                                                      "text" };
  gint64 ns = column < 2 ? kymo_table_get_int (list, keys[column], row) : 0;
  const char *text = column < 2 ? NULL : kymo_table_get_string (list, keys[column], row);

  if (column == 2 || column == 3)
    text = column == 2 ? kymo_shown_kind (text) : kymo_shown_name (text);
  if (column >= 2)
    return g_strdup (text != NULL ? text : "");
  if (ns == KYMO_NULL_INT)
    return g_strdup ("");
  return column == 0 ? kymo_moment_text (ns) : kymo_format_duration (ns);
}

/**
 * kymo_events_add_lines:
 * @list: (nullable): the list "events" of an answer; %NULL adds nothing
 * @text: gets a line for each record
 *
 * Tabs and line ends within a cell become spaces.
 */
void
kymo_events_add_lines (KymoTable *list, GString *text)
{
  for (guint row = 0; list != NULL && row < kymo_table_get_n_rows (list); row++)
    for (guint column = 0; column < KYMO_EVENT_TEXTS; column++)
      {
        g_autofree char *cell = kymo_event_dup_text (list, row, column);

        /* A note may hold what divides columns and lines. */
        g_strdelimit (cell, "\t\n\r", ' ');
        g_string_append (text, cell);
        g_string_append_c (text, column + 1 < KYMO_EVENT_TEXTS ? '\t' : '\n');
      }
}

/* -- pages ---------------------------------------------------------------- */

/* The first page is the begin of an answer of all, the others add lines of its list. */
static void
add_csv (const Save *save, KymoTable *answer, KymoTable *list, GString *text)
{
  g_autoptr (GString) lines = NULL;
  const char *rows;

  if (save->written == 0)
    {
      kymo_table_write_csv (answer, text);
      return;
    }
  lines = g_string_new (NULL);
  kymo_table_write_csv (list, lines);
  rows = strchr (lines->str, '\n');
  g_string_append (text, rows != NULL ? rows + 1 : "");
}

/* The same; the list stands last in the answer and is closed when there is no more. */
static void
add_json (const Save *save, KymoTable *answer, KymoTable *list, GString *text)
{
  g_autoptr (GString) rows = NULL;

  if (save->written == 0)
    {
      kymo_table_write_json (answer, text);
      g_assert (g_str_has_suffix (text->str, "]}"));
      g_string_truncate (text, text->len - 2);
      return;
    }
  rows = g_string_new (NULL);
  kymo_table_write_json (list, rows);
  g_string_append_c (text, ',');
  g_string_append_len (text, rows->str + 1, rows->len - 2);
}

static gboolean
write_all (const Save *save, const GString *text, GError **error)
{
  for (gsize done = 0; done < text->len; done += 1 << 20)
    {
      int code = kymo_write_all (kymo_beside_get_fd (save->beside), text->str + done,
                                 MIN (text->len - done, 1 << 20));

      if (code != 0)
        {
          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                       _("“%s” cannot be written: %s"), save->path, g_strerror (code));
          return FALSE;
        }
      if (g_cancellable_set_error_if_cancelled (kymo_job_peek_cancellable (save->job), error))
        return FALSE;
    }
  return TRUE;
}

/* FALSE without error: the run has grown since the first page. */
static gboolean
write_page (Save *save, KymoSource *source, GError **error)
{
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  KymoTable *list;
  gint64 total;

  kymo_question_set_int (save->question, "first", save->written);
  kymo_question_set_int (save->question, "limit", save->page);
  answer = kymo_source_ask (source, save->question, kymo_job_peek_cancellable (save->job), error);
  if (answer == NULL)
    return FALSE;
  total = kymo_table_get_int (answer, "total", 0);
  list = kymo_table_peek_nested (answer, "events", NULL);
  if (save->total >= 0 && (total != save->total || kymo_table_get_n_rows (list) == 0))
    return FALSE;
  if (save->total < 0)
    kymo_job_set_total (save->job, total);
  save->total = total;
  if (save->form == FORM_CSV)
    add_csv (save, answer, list, text);
  else if (save->form == FORM_JSON)
    add_json (save, answer, list, text);
  else
    kymo_events_add_lines (list, text);
  save->written += kymo_table_get_n_rows (list);
  if (save->form == FORM_JSON && save->written >= save->total)
    g_string_append (text, "]}\n");
  kymo_job_advance (save->job, kymo_table_get_n_rows (list));
  return write_all (save, text, error);
}

static gboolean
write_pages (Save *save, KymoSource *source, GError **error)
{
  GError *failed = NULL;

  for (guint tries = 0; tries < MOST_TRIES; tries++)
    {
      save->total = -1;
      save->written = 0;
      if (lseek (kymo_beside_get_fd (save->beside), 0, SEEK_SET) < 0
          || ftruncate (kymo_beside_get_fd (save->beside), 0) < 0)
        return fail_events_save (save, errno, error);
      kymo_job_begin (save->job, _("Writing records"), 0);
      while ((save->total < 0 || save->written < save->total)
             && write_page (save, source, &failed))
        ;
      if (failed != NULL)
        {
          g_propagate_error (error, failed);
          return FALSE;
        }
      if (save->written >= save->total && save->total >= 0)
        return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("The run grows faster than its records can be written"));
  return FALSE;
}

static gboolean
put_in_place (Save *save, GError **error)
{
  int code = kymo_beside_finish (save->beside, TRUE);

  return code == 0 ? TRUE : fail_events_save (save, code, error);
}

static void
save_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Save *save = data;
  GError *error = NULL;

  save->beside = kymo_beside_new (save->path, 0666);
  if (save->beside == NULL)
    fail_events_save (save, errno, &error);
  else if (write_pages (save, source, &error) && put_in_place (save, &error))
    {
      g_task_return_int (task, save->written);
      return;
    }
  g_task_return_error (task, error);
}

/**
 * kymo_events_save_start:
 * @question: (transfer full): of kind "events", of one location, without page; the worker alone
 *   uses it from now on
 * @path: the file; its ending tells the form
 * @page: records asked for at once
 * @job: told of the progress by the worker; cancelling it stops the writing
 * @done: called on the thread of the caller; calls kymo_events_save_finish()
 *
 * Starts writing all records of a question on a worker thread. The program does not end before the
 * writing has. Where the run grows meanwhile the file is begun anew; the third failure is an error.
 */
void
kymo_events_save_start (KymoSource *source, KymoQuestion *question, const char *path,
                        guint page, KymoJob *job, GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, done, data);
  Save *save = g_new0 (Save, 1);

  save->question = question;
  save->job = g_object_ref (job);
  save->path = g_strdup (path);
  save->page = page;
  save->form = g_str_has_suffix (path, ".csv") ? FORM_CSV
    : g_str_has_suffix (path, ".json") ? FORM_JSON : FORM_TEXT;
  g_task_set_task_data (task, save, save_free);
  kymo_hold_for_task (task);
  g_task_run_in_thread (task, save_thread);
}

/**
 * kymo_events_save_finish:
 *
 * Returns: the number of records in the file; -1 with @error on failure: the file could not be
 *   written, an answer failed, the job was cancelled, or the run grew too fast
 */
gint64
kymo_events_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}
