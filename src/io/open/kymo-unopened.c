/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-unopened.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-formats.h"
#include "kymo-order.h"
#include "kymo-recognize.h"
#include "kymo-run-choices.h"

/* Most entries of a folder without a run that are looked at for its sentence. */
#define MOST_ENTRIES 1000
#define MOST_RECOGNIZED 50

/* Most runs in the folders below that are named; a folder's own runs are all named. */
#define MOST_NAMED 8

/* (transfer full): what Kymo opens, as a sentence */
static char *
dup_opened (void)
{
  g_autofree char *traces = kymo_formats_dup_tools (KYMO_FORMAT_TRACE);
  g_autofree char *profiles = kymo_formats_dup_tools (KYMO_FORMAT_PROFILE);

  return g_strdup_printf (_("Kymo opens traces of %s, and profiles of %s."), traces, profiles);
}

static void
set_cannot_open (const char  *path,
                 int          code,
                 GError     **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” cannot be opened: %s"), path,
               g_strerror (code));
}

static void
set_file (const char  *path,
          GError     **error)
{
  g_autofree char *opened = dup_opened ();
  gboolean compressed;
  int code;
  KymoKnown known = kymo_recognize (path, &compressed, &code);
  const KymoKnownFile *file;

  if (known == KYMO_KNOWN_NOTHING)
    {
      set_cannot_open (path, code, error);
      return;
    }
  file = &kymo_known_files[known];
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               compressed && known != KYMO_KNOWN_COMPRESSED
               ? _("“%s” is %s, compressed by gzip. %s %s") : _("“%s” is %s. %s %s"),
               path, _(file->what), opened, _(file->advice));
}

static GPtrArray *
list_entries (GDir *dir)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (names->len < MOST_ENTRIES && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, kymo_compare_strings);
  return names;
}

/* The first file in it that holds something recorded. */
static KymoKnown
find_recorded (const char  *path,
               GPtrArray   *names,
               const char **name)
{
  for (guint i = 0; i < MIN (names->len, MOST_RECOGNIZED); i++)
    {
      g_autofree char *file = g_build_filename (path, names->pdata[i], NULL);
      gboolean compressed;
      int code;
      KymoKnown known = g_file_test (file, G_FILE_TEST_IS_REGULAR)
        ? kymo_recognize (file, &compressed, &code) : KYMO_KNOWN_NOTHING;

      *name = names->pdata[i];
      if (known != KYMO_KNOWN_NOTHING && kymo_known_files[known].recorded)
        return known;
    }
  return KYMO_KNOWN_NOTHING;
}

static void
set_without_run (const char  *path,
                 GPtrArray   *names,
                 GError     **error)
{
  g_autofree char *opened = dup_opened ();
  const char *name = NULL;
  KymoKnown known = find_recorded (path, names, &name);

  if (names->len == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” is an empty folder. %s Open the folder that the recorded program wrote."),
                 path, opened);
  else if (known == KYMO_KNOWN_NOTHING)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds no run. %s Open the folder that the recorded program wrote."), path,
                 opened);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds no run; its file %s is %s. %s %s"), path, name,
                 _(kymo_known_files[known].what), opened, _(kymo_known_files[known].advice));
}

static void
set_folder (const char  *path,
            GError     **error)
{
  g_autoptr (GPtrArray) choices = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  if (dir == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("The folder “%s” cannot be opened: %s"), path, g_strerror (errno));
      return;
    }
  choices = kymo_run_choices_below (path);
  names = list_entries (dir);
  if (choices->len > 0)
    {
      g_autofree char *words = kymo_run_choices_words (choices, MOST_NAMED);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                   _("“%s” holds no run itself, but folders that do: %s; name one of them"), path,
                   words);
    }
  else
    set_without_run (path, names, error);
}

/**
 * kymo_unopened_set_error:
 * @path: exists, and no reader knows anything in it
 * @error: gets %KYMO_ERROR_UNREADABLE, or %KYMO_ERROR_AMBIGUOUS where folders of the
 *   folder hold runs
 */
void
kymo_unopened_set_error (const char  *path,
                         GError     **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    set_folder (path, error);
  else
    set_file (path, error);
}

/**
 * kymo_unopened_set_several:
 * @path: a folder
 * @choices: (element-type KymoRunChoice): the runs in it, several
 * @below: (element-type KymoRunChoice): the folders in it with runs
 * @base: (nullable): what none of them is called
 * @error: gets %KYMO_ERROR_AMBIGUOUS, or with @base %KYMO_ERROR_UNREADABLE
 */
void
kymo_unopened_set_several (const char  *path,
                           GPtrArray   *choices,
                           GPtrArray   *below,
                           const char  *base,
                           GError     **error)
{
  g_autofree char *words = kymo_run_choices_words (choices, choices->len);
  g_autofree char *words_below = kymo_run_choices_words (below, MOST_NAMED);

  if (base != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds no run named “%s”; it holds %s"), path, base, words);
  else if (below->len > 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 _("“%s” holds several runs: %s; name one with --base, or one of its files. "
                   "Folders in it hold runs, too: %s"), path, words, words_below);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 _("“%s” holds several runs: %s; name one with --base, or one of its files"),
                 path, words);
}
