/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-error.h"
#include "kymo-far-files.h"
#include "kymo-order.h"
#include "kymo-stream-file.h"

/* A folder may hold thousands; the sentence does not. */
#define MAX_NAMES 8

static gboolean
is_named (const char *name,
          const char *base)
{
  gsize n = strlen (name) - strlen (KYMO_STREAM_SUFFIX);

  return base == NULL || strcmp (name, base) == 0
    || (strlen (base) == n && strncmp (name, base, n) == 0);
}

/* (transfer full) (nullable): names of the recordings in it, in order */
static GPtrArray *
list_names (const char  *folder,
            const char  *base,
            GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names;
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("The folder “%s” cannot be opened"),
                   folder);
      return NULL;
    }
  names = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, KYMO_STREAM_SUFFIX) && is_named (name, base))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, kymo_compare_strings);
  return names;
}

static void
tell_several (const char  *folder,
              GPtrArray   *names,
              GError     **error)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < MIN (names->len, MAX_NAMES); i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", (char *) names->pdata[i]);
  if (names->len > MAX_NAMES)
    g_string_append (list, ", …");
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
               _("“%s” holds several recordings: %s; name one of them"), folder, list->str);
}

/**
 * kymo_stream_file_find:
 * @path: a recording, or a folder of such, also on another machine
 * @base: (nullable): name of the recording in a folder, with or without suffix
 * @error: %KYMO_ERROR_UNREADABLE where there is none, %KYMO_ERROR_AMBIGUOUS
 *   where there are several: one sentence
 *
 * Returns: (transfer full) (nullable): path of the recording
 */
char *
kymo_stream_file_find (const char  *path,
                       const char  *base,
                       GError     **error)
{
  const KymoFarFiles *far = kymo_far_files_of (path);
  g_autoptr (GPtrArray) names = NULL;

  if (far != NULL)
    return far->find (path, base, error);
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_strdup (path);
  names = list_names (path, base, error);
  if (names == NULL)
    return NULL;
  if (names->len == 1)
    return g_build_filename (path, names->pdata[0], NULL);
  if (names->len > 1)
    tell_several (path, names, error);
  else if (base == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds no recording of a stream (.kymostream)"), path);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds no recording named “%s”"), path, base);
  return NULL;
}
