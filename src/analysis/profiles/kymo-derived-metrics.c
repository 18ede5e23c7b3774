/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-derived-metrics.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "kymo-error.h"
#include "kymo-input.h"

#define GROUP "metrics"
#define TYPED_GROUP "typed"
#define TYPED_KEY "expressions"
#define MOST_FILE_BYTES 65536

/** kymo_derived_metrics_dup_path: the person's file; free it */
char *
kymo_derived_metrics_dup_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "kymo", "metrics.conf", NULL);
}

/* The file as it is; what is no such file counts as empty. */
static GKeyFile *
load_derived_metrics (const char *path)
{
  GKeyFile *file = g_key_file_new ();

  kymo_input_load_key_file (file, path, MOST_FILE_BYTES, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return file;
}

/* Of a text; %NULL = of the person's file. */
static GKeyFile *
load_text (const char *text)
{
  g_autofree char *path = text == NULL ? kymo_derived_metrics_dup_path () : NULL;
  GKeyFile *file;

  if (text == NULL)
    return load_derived_metrics (path);
  file = g_key_file_new ();
  g_key_file_load_from_data (file, text, -1, G_KEY_FILE_NONE, NULL);
  return file;
}

/**
 * kymo_derived_metrics_list_of:
 * @text: (nullable): of kymo_derived_metrics_dup_text(); %NULL = the person's file. What is no such
 *   text has no metrics
 *
 * Returns: (transfer full): names in the order of the text; free with g_strfreev()
 */
char **
kymo_derived_metrics_list_of (const char *text)
{
  g_autoptr (GKeyFile) file = load_text (text);
  char **names = g_key_file_get_keys (file, GROUP, NULL, NULL);

  return names != NULL ? names : g_new0 (char *, 1);
}

/**
 * kymo_derived_metrics_dup_of:
 * @text: (nullable): see kymo_derived_metrics_list_of()
 *
 * Returns: (transfer full) (nullable): the expression of that name
 */
char *
kymo_derived_metrics_dup_of (const char *text,
                             const char *name)
{
  g_autoptr (GKeyFile) file = load_text (text);

  return g_key_file_get_string (file, GROUP, name, NULL);
}

/** kymo_derived_metrics_list: kymo_derived_metrics_list_of() the person's file */
char **
kymo_derived_metrics_list (void)
{
  return kymo_derived_metrics_list_of (NULL);
}

/** kymo_derived_metrics_dup: kymo_derived_metrics_dup_of() the person's file */
char *
kymo_derived_metrics_dup (const char *name)
{
  return kymo_derived_metrics_dup_of (NULL, name);
}

/**
 * kymo_derived_metrics_dup_text:
 *
 * Returns: (transfer full): the metrics that the person gave a name, for a question that is
 *   answered elsewhere; empty where there are none
 */
char *
kymo_derived_metrics_dup_text (void)
{
  g_autofree char *path = kymo_derived_metrics_dup_path ();
  g_autoptr (GKeyFile) file = load_derived_metrics (path);
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    if (strcmp (groups[i], GROUP) != 0)
      g_key_file_remove_group (file, groups[i], NULL);
  return g_key_file_to_data (file, NULL, NULL);
}

static gboolean
is_name (const char *name)
{
  if (*name == '\0' || strlen (name) > 64 || g_ascii_isdigit (*name))
    return FALSE;
  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && *p != '_')
      return FALSE;
  return TRUE;
}

static gboolean
save_derived_metrics (GKeyFile    *file,
                      const char  *path,
                      GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) local = NULL;

  if (g_mkdir_with_parents (folder, 0700) == 0 && g_key_file_save_to_file (file, path, &local))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot write “%s”: %s"), path,
               local != NULL ? local->message : g_strerror (errno));
  return FALSE;
}

/**
 * kymo_derived_metrics_set:
 * @name: letters, digits and _
 * @expression: (nullable): %NULL takes the metric away
 *
 * Returns: whether it could be written down
 */
gboolean
kymo_derived_metrics_set (const char  *name,
                          const char  *expression,
                          GError     **error)
{
  g_autofree char *path = kymo_derived_metrics_dup_path ();
  g_autoptr (GKeyFile) file = load_derived_metrics (path);

  if (!is_name (name))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is no name for a metric: letters, digits and _"), name);
      return FALSE;
    }
  if (expression == NULL && !g_key_file_remove_key (file, GROUP, name, NULL))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("There is no metric “%s”"), name);
      return FALSE;
    }
  if (expression != NULL)
    g_key_file_set_string (file, GROUP, name, expression);
  return save_derived_metrics (file, path, error);
}

/* The file in which earlier versions of the window kept metrics, a line each. */
static char *
dup_old_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "kymo", "kept-metrics", NULL);
}

static char **
list_old (void)
{
  g_autofree char *path = dup_old_path (), *text = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) lines = NULL;
  gsize length;

  if (!kymo_input_load (path, MOST_FILE_BYTES, &text, &length, NULL)
      || !g_utf8_validate (text, length, NULL))
    return g_strv_builder_end (builder);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      g_strv_builder_add (builder, lines[i]);
  return g_strv_builder_end (builder);
}

/**
 * kymo_derived_metrics_list_typed:
 *
 * Returns: (transfer full): expressions without a name, the newest last; free with
 *   g_strfreev()
 */
char **
kymo_derived_metrics_list_typed (void)
{
  g_autofree char *path = kymo_derived_metrics_dup_path ();
  g_autoptr (GKeyFile) file = load_derived_metrics (path);
  char **list = g_key_file_get_string_list (file, TYPED_GROUP, TYPED_KEY, NULL, NULL);

  return list != NULL ? list : list_old ();
}

/**
 * kymo_derived_metrics_set_typed:
 * @expressions: (array zero-terminated=1): all that are kept; with them those that an earlier
 *   version had kept elsewhere are taken over
 *
 * Keeps expressions that were typed without a name. Sets %KYMO_ERROR_WRITE if the file cannot
 * be written.
 *
 * Returns: whether they could be written down
 */
gboolean
kymo_derived_metrics_set_typed (const char *const  *expressions,
                                GError            **error)
{
  g_autofree char *path = kymo_derived_metrics_dup_path (), *old = dup_old_path ();
  g_autoptr (GKeyFile) file = load_derived_metrics (path);

  g_key_file_set_string_list (file, TYPED_GROUP, TYPED_KEY, expressions,
                              g_strv_length ((char **) expressions));
  if (!save_derived_metrics (file, path, error))
    return FALSE;
  g_remove (old);
  return TRUE;
}
