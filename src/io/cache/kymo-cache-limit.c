/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much the cache may take, as the person wants it: one line of
 * $XDG_CONFIG_HOME/kymo/cache.conf. A file, and not the settings of the
 * window, so that the command line honours it where neither a schema nor a
 * settings service is there.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cache-limit.h"


#include "kymo-cache-folder.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-units.h"

#define GROUP "cache"
#define KEY "max-size"
#define MOST_FILE_BYTES 65536

/**
 * kymo_cache_limit_dup_path:
 *
 * Returns: (transfer full): of the file that holds the preference
 */
char *
kymo_cache_limit_dup_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "kymo", "cache.conf", NULL);
}

/* The file as it is; what is no such file counts as empty. */
static GKeyFile *
load_cache_limit (const char *path)
{
  GKeyFile *file = g_key_file_new ();

  kymo_input_load_key_file (file, path, MOST_FILE_BYTES, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return file;
}

/**
 * kymo_cache_get_max_bytes:
 *
 * Returns: the most that all files of the cache may take together: what the
 * environment says (KYMO_CACHE_MAX_BYTES), else the person's file, else
 * %KYMO_CACHE_DEFAULT_MAX_BYTES. Any thread.
 */
gint64
kymo_cache_get_max_bytes (void)
{
  g_autofree char *path = kymo_cache_limit_dup_path ();
  g_autoptr (GKeyFile) file = load_cache_limit (path);
  g_autofree char *text = g_key_file_get_string (file, GROUP, KEY, NULL);
  gint64 bytes;

  if (text == NULL || !kymo_parse_size (text, &bytes, NULL) || bytes < 0)
    bytes = KYMO_CACHE_DEFAULT_MAX_BYTES;
  return kymo_cache_get_limit ("KYMO_CACHE_MAX_BYTES", bytes);
}

/**
 * kymo_cache_set_max_bytes:
 * @bytes: from 0; 0 keeps nothing
 *
 * Writes the user's file of settings. Files beyond the limit are removed when the next run is
 * kept, or by kymo_cache_trim(). %KYMO_ERROR_WRITE is set if the file cannot be written.
 *
 * Returns: whether it was written
 */
gboolean
kymo_cache_set_max_bytes (gint64   bytes,
                          GError **error)
{
  g_autofree char *path = kymo_cache_limit_dup_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, bytes);
  g_autoptr (GKeyFile) file = load_cache_limit (path);
  g_autoptr (GError) local = NULL;

  g_key_file_set_string (file, GROUP, KEY, text);
  if (g_mkdir_with_parents (folder, 0700) == 0 && g_key_file_save_to_file (file, path, &local))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("“%s” cannot be written%s%s"), path,
               local != NULL ? ": " : "", local != NULL ? local->message : "");
  return FALSE;
}
