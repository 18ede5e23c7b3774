/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-kept-metrics.h. The file is read each time: another program may have
 * written it. Main thread only.
 */
#include "config.h"

#include "kymo-kept-metrics.h"

#include <gio/gio.h>

/* A longer file is none of ours. */
#define MOST_BYTES 65536

static guint n_changes;

static char *
dup_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "kymo", "kept-metrics",
                           NULL);
}

/** kymo_kept_metrics_load: */
char **
kymo_kept_metrics_load (void)
{
  g_autofree char *path = dup_path (), *text = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) lines = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL) || length > MOST_BYTES
      || !g_utf8_validate (text, length, NULL))
    return g_strv_builder_end (builder);
  lines = g_strsplit (text, "\n", KYMO_KEPT_METRICS_MOST + 1);
  for (guint i = 0; lines[i] != NULL && i < KYMO_KEPT_METRICS_MOST; i++)
    if (*g_strstrip (lines[i]) != '\0')
      g_strv_builder_add (builder, lines[i]);
  return g_strv_builder_end (builder);
}

static gboolean
save (char **expressions, GError **error)
{
  g_autofree char *path = dup_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *lines = g_strjoinv ("\n", expressions);
  g_autofree char *text = g_strconcat (lines, "\n", NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", folder,
                   g_strerror (errno));
      return FALSE;
    }
  n_changes++;
  return g_file_set_contents (path, text, -1, error);
}

/** kymo_kept_metrics_get_changes: */
guint
kymo_kept_metrics_get_changes (void)
{
  return n_changes;
}

/* Those at hand but for one; of the rest the newest `most`. */
static char **
all_but (const char *expression, guint most)
{
  g_auto (GStrv) before = kymo_kept_metrics_load ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint n = g_strv_length (before), left = n;

  left -= g_strv_contains ((const char *const *) before, expression);
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (before[i], expression) != 0 && left-- <= most)
      g_strv_builder_add (builder, before[i]);
  return g_strv_builder_end (builder);
}

/** kymo_kept_metrics_keep: @expression: one line; it becomes the newest */
gboolean
kymo_kept_metrics_keep (const char *expression, GError **error)
{
  g_auto (GStrv) rest = all_but (expression, KYMO_KEPT_METRICS_MOST - 1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  g_strv_builder_addv (builder, (const char **) rest);
  g_strv_builder_add (builder, expression);
  all = g_strv_builder_end (builder);
  return save (all, error);
}

/** kymo_kept_metrics_forget: */
gboolean
kymo_kept_metrics_forget (const char *expression, GError **error)
{
  g_auto (GStrv) rest = all_but (expression, KYMO_KEPT_METRICS_MOST);

  return save (rest, error);
}
