/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "kymo-cache.h"
#include "kymo-error.h"
#include "kymo-formats.h"
#include "kymo-input.h"
#include "kymo-memory.h"
#include "kymo-open.h"
#include "kymo-roles.h"
#include "kymo-run-choices.h"
#include "kymo-unopened.h"

/* Every sum over the track is at most the sum of the locations' spans: where
   that can be counted, all can. */
static gboolean
check_times (const KymoRun  *run,
             const char     *path,
             GError        **error)
{
  gint64 sum = 0;

  for (guint i = 0; i < run->locations->len; i++)
    if (__builtin_add_overflow (sum, kymo_span_length (kymo_run_peek_location (run, i)->span),
                                &sum))
      {
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                     _("The times in “%s” add up to more than 292 years; they cannot be right"),
                     path);
        return FALSE;
      }
  return TRUE;
}

/* The run, complete with its roles; it is let go where its times cannot be. */
static KymoRun *
open_finish (KymoRun                *run,
             const char             *path,
             const KymoOpenOptions  *options,
             GError                **error)
{
  if (!check_times (run, path, error))
    {
      kymo_run_unref (run);
      return NULL;
    }
  if (!kymo_cache_served (run))
    kymo_roles_apply (run, options->roles);
  return run;
}

/* FALSE where the path is neither a folder nor a file: a device or pipe is no run, whatever its
   name. The formats could only say that they do not know it. */
static gboolean
is_possible (const char  *path,
             GError     **error)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR) || !g_file_test (path, G_FILE_TEST_EXISTS)
    || kymo_input_check (path, error);
}

/* The format that knows the file beyond doubt, or NULL. */
static const KymoFormat *
find_format (const char *path)
{
  for (guint i = 0; kymo_formats[i] != NULL; i++)
    if (kymo_formats[i]->knows != NULL && kymo_formats[i]->knows (path))
      return kymo_formats[i];
  return NULL;
}

/* Of a folder with runs of several formats the one that @base names: then @base becomes NULL,
   @file (transfer full) what to open in place of the folder, and @format what reads it. One
   format alone finds its runs itself. */
static gboolean
choose_run (const char         *path,
            const char        **base,
            char              **file,
            const KymoFormat  **format,
            GError            **error)
{
  g_autoptr (GPtrArray) choices = NULL;
  g_autoptr (GPtrArray) below = NULL;
  gboolean mixed;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  if (*base != NULL)
    {
      *format = kymo_run_choices_find (path, *base, file, &mixed);
      if (*format != NULL)
        *base = NULL;
      if (*format != NULL || !mixed)
        return TRUE;
    }
  choices = kymo_run_choices_list (path, *base != NULL);
  if (choices->len == 0)
    return TRUE;
  below = kymo_run_choices_below (path);
  /* Of its own runs alone the format tells itself. */
  if (kymo_run_choices_are_alike (choices) && below->len == 0)
    return TRUE;
  kymo_unopened_set_several (path, choices, below, *base, error);
  return FALSE;
}

/* TRUE if the error only says that the path holds nothing of that format: the format says so
   itself, or it knows its files by their content and does not know this one. */
static gboolean
is_foreign (const KymoFormat *format,
            const GError     *error)
{
  return g_error_matches (error, KYMO_ERROR, KYMO_ERROR_FOREIGN)
    || (format->knows != NULL && g_error_matches (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE));
}

/* Of what the formats say to a path that none can read: the first that found
   something of its own, else the first at all. */
static void
keep_first (GError **first,
            GError **error,
            gboolean foreign)
{
  if (*first != NULL && (foreign || !g_error_matches (*first, KYMO_ERROR, KYMO_ERROR_FOREIGN)))
    return;
  g_clear_error (first);
  *first = g_steal_pointer (error);
  if (foreign)
    (*first)->code = KYMO_ERROR_FOREIGN;
}

/* TRUE if no format found any of its files. A name that --base gives may be wrong. */
static gboolean
is_unknown (const char *path,
            const char *base,
            GError     *first)
{
  gboolean foreign = g_error_matches (first, KYMO_ERROR, KYMO_ERROR_FOREIGN);

  if (foreign)
    first->code = KYMO_ERROR_UNREADABLE;
  return (foreign && base == NULL && g_file_test (path, G_FILE_TEST_EXISTS))
         || (g_file_test (path, G_FILE_TEST_IS_DIR) && g_access (path, R_OK | X_OK) != 0);
}

/**
 * kymo_open_run:
 * @path: a folder, an .sts or any file of the run
 * @options: (nullable): %NULL for the defaults
 * @job: (nullable): progress by bytes of the files, and cancelling
 * @error: return location; one sentence that names the file and the reason
 *
 * Blocks; call on a worker thread.
 *
 * Returns: (transfer full) (nullable): the run
 */
KymoRun *
kymo_open_run (const char             *path,
               const KymoOpenOptions  *options,
               KymoJob                *job,
               GError                **error)
{
  KymoOpenOptions known = { 0 };
  const KymoFormat *sure;
  g_autoptr (GError) first = NULL;
  g_autofree char *file = NULL;

  if (!is_possible (path, error))
    return NULL;
  sure = find_format (path);
  if (options != NULL)
    known = *options;
  known.open = kymo_open_run;
  if (known.memory_limit_bytes <= 0)
    known.memory_limit_bytes = kymo_memory_get_limit ();
  if (!known.again && !choose_run (path, &known.base, &file, &sure, error))
    return NULL;
  if (file != NULL)
    path = file;
  for (guint i = 0; kymo_formats[i] != NULL; i++)
    {
      g_autoptr (GError) local = NULL;
      KymoRun *run = sure != NULL && sure != kymo_formats[i] ? NULL
        : kymo_formats[i]->read (path, &known, job, &local);

      if (run != NULL)
        return open_finish (run, path, &known, error);
      if (local == NULL)
        continue;
      /* Files that only look like logs of several runs do not keep another format from its run. */
      if (!is_foreign (kymo_formats[i], local)
          && !g_error_matches (local, KYMO_ERROR, KYMO_ERROR_UNREADABLE)
          && !g_error_matches (local, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      keep_first (&first, &local, sure == NULL && is_foreign (kymo_formats[i], local));
    }
  if (is_unknown (path, known.base, first))
    kymo_unopened_set_error (path, error);
  else
    g_propagate_error (error, g_steal_pointer (&first));
  return NULL;
}
