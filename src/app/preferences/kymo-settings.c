/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-settings.h"

#include <adwaita.h>

#define MOST_RECENT 40
#define NEWEST_KEY "column-widths"

/**
 * kymo_settings_peek:
 *
 * Returns: (transfer none) (nullable): the settings of the program; %NULL where their schema is
 * not installed, or is older than the program
 */
GSettings *
kymo_settings_peek (void)
{
  static GSettings *settings;
  static gboolean looked;
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

  if (!looked && source != NULL)
    {
      g_autoptr (GSettingsSchema) schema
        = g_settings_schema_source_lookup (source, KYMO_APP_ID, TRUE);

      /* One that is older than the program would end it at the first key
         that it does not have. */
      if (schema != NULL && g_settings_schema_has_key (schema, NEWEST_KEY))
        settings = g_settings_new_full (schema, NULL, NULL);
    }
  looked = TRUE;
  return settings;
}

/**
 * kymo_settings_encode_path:
 *
 * Settings hold UTF-8 only and a path may be any bytes: then it is kept as a
 * URI.
 */
char *
kymo_settings_encode_path (const char *path)
{
  char *uri = NULL;

  if (!g_utf8_validate (path, -1, NULL))
    uri = g_filename_to_uri (path, NULL, NULL);
  return uri != NULL ? uri : g_utf8_make_valid (path, -1);
}

/**
 * kymo_settings_decode_path:
 * @text: from kymo_settings_encode_path()
 *
 * Returns: (transfer full): the path, in the bytes of the file system
 */
char *
kymo_settings_decode_path (const char *text)
{
  char *path = NULL;

  if (g_str_has_prefix (text, "file:"))
    path = g_filename_from_uri (text, NULL, NULL);
  return path != NULL ? path : g_strdup (text);
}

/**
 * kymo_settings_dup_recent:
 *
 * Returns: (transfer full): paths of runs, newest first; there need be nothing at them any more
 */
GStrv
kymo_settings_dup_recent (void)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GSettings *settings = kymo_settings_peek ();

  if (settings != NULL)
    {
      g_auto (GStrv) all = g_settings_get_strv (settings, "recent-runs");

      for (guint i = 0; all[i] != NULL; i++)
        {
          g_autofree char *path = kymo_settings_decode_path (all[i]);

          g_strv_builder_add (builder, path);
        }
    }
  return g_strv_builder_end (builder);
}

static void
add_encoded (GStrvBuilder *builder, const char *path)
{
  g_autofree char *text = kymo_settings_encode_path (path);

  g_strv_builder_add (builder, text);
}

/* The recent runs without one, and it in front where it is to be. */
static void
write_recent (const char *path, gboolean in_front)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) old = kymo_settings_dup_recent ();
  g_auto (GStrv) list = NULL;
  GSettings *settings = kymo_settings_peek ();
  guint n = in_front;

  if (settings == NULL)
    return;
  if (in_front)
    add_encoded (builder, path);
  for (guint i = 0; old[i] != NULL && n < MOST_RECENT; i++)
    if (g_strcmp0 (old[i], path) != 0)
      {
        add_encoded (builder, old[i]);
        n++;
      }
  list = g_strv_builder_end (builder);
  g_settings_set_strv (settings, "recent-runs", (const char *const *) list);
}

/**
 * kymo_settings_add_recent:
 * @path: file or folder of a run
 *
 * Puts @path in front of the recent runs, of which 40 are kept. Without a schema nothing is kept.
 */
void
kymo_settings_add_recent (const char *path)
{
  write_recent (path, TRUE);
}

/** kymo_settings_remove_recent: @path: is no recent run from now on */
void
kymo_settings_remove_recent (const char *path)
{
  write_recent (path, FALSE);
}

/** kymo_settings_get_memory_limit: bytes for the data of a run; 0 = the default */
gint64
kymo_settings_get_memory_limit (void)
{
  GSettings *settings = kymo_settings_peek ();

  return settings != NULL ? g_settings_get_double (settings, "memory-limit") * (1 << 30) : 0;
}

/** kymo_settings_apply_scheme: light, dark or as the system says */
void
kymo_settings_apply_scheme (void)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *scheme = settings != NULL
                            ? g_settings_get_string (settings, "color-scheme")
                            : g_strdup ("system");
  AdwStyleManager *style = adw_style_manager_get_default ();

  if (g_strcmp0 (scheme, "light") == 0)
    adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
  else if (g_strcmp0 (scheme, "dark") == 0)
    adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  else
    adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
}

/**
 * kymo_settings_dup_data_folder:
 * @installed: where the build installs a folder of data
 * @in_tree: where its sources have it
 *
 * Finds what comes with the program, also where the program was moved after it was installed.
 *
 * Returns: (transfer full) (nullable): path of the folder, %NULL where there is none
 */
char *
kymo_settings_dup_data_folder (const char *installed, const char *in_tree)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");
  g_autofree char *name = g_path_get_basename (installed);
  g_autofree char *moved = g_build_filename (folder, "..", "share", "kymo", name, NULL);
  const char *places[] = { installed, in_tree, moved };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (g_file_test (places[i], G_FILE_TEST_IS_DIR))
      return g_strdup (places[i]);
  return NULL;
}
