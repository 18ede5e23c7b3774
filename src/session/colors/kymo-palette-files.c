/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-palette-files.h. A file is written beside its place and renamed.
 */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-palette-files.h"

#define NAME_MOST 100
#define LIST_MOST 200

static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_config_dir (), "kymo", "palettes", NULL);
}

/* A name becomes the name of a file; one with the ending of files is a path. */
static gboolean
check_name (const char *name, GError **error)
{
  gboolean good = *name != '\0' && *name != '.' && strlen (name) <= NAME_MOST
                  && g_utf8_validate (name, -1, NULL)
                  && strchr (name, '/') == NULL
                  && !g_str_has_suffix (name, KYMO_PALETTE_SUFFIX)
                  && g_strcmp0 (name, "standard") != 0
                  && g_strcmp0 (name, "safe") != 0;

  for (const char *c = name; good && *c != '\0'; c = g_utf8_next_char (c))
    good = g_unichar_isprint (g_utf8_get_char (c));
  if (!good)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         _("A palette's name is a word or some, without a slash, "
                           "that neither begins with a dot nor ends in .kymopalette"));
  return good;
}

static char *
dup_path (const char *name)
{
  g_autofree char *folder = dup_folder ();
  g_autofree char *file = g_strconcat (name, KYMO_PALETTE_SUFFIX, NULL);

  return g_build_filename (folder, file, NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_utf8_collate (*(char *const *) a, *(char *const *) b);
}

/**
 * kymo_palettes_list:
 *
 * Returns: (transfer full): names of the user's own palettes, in order, at most 200; free
 *   with g_strfreev()
 */
char **
kymo_palettes_list (void)
{
  g_autofree char *folder = dup_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new ();
  const char *file;

  while (dir != NULL && names->len < LIST_MOST
         && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *name = NULL;

      if (!g_str_has_suffix (file, KYMO_PALETTE_SUFFIX))
        continue;
      name = g_strndup (file, strlen (file) - strlen (KYMO_PALETTE_SUFFIX));
      if (check_name (name, NULL))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/**
 * kymo_palettes_load:
 * @name: "standard", "safe", the name of one of the person's own palettes, or a path: text with
 *   a slash or with the ending %KYMO_PALETTE_SUFFIX is a path
 *
 * Returns: (transfer full) (nullable): the palette; %NULL with %KYMO_ERROR_USAGE where @name
 *   cannot be a name, with %KYMO_ERROR_UNREADABLE where the file cannot be read, is longer than
 *   %KYMO_PALETTE_FILE_MOST, or has anything wrong in it
 */
KymoPalette *
kymo_palettes_load (const char *name, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autoptr (KymoPalette) palette = NULL;
  g_autofree char *path = NULL, *text = NULL, *shown = NULL;
  gsize length;

  if (g_strcmp0 (name, "standard") == 0)
    return kymo_palette_new (KYMO_PALETTE_STANDARD);
  if (g_strcmp0 (name, "safe") == 0)
    return kymo_palette_new (KYMO_PALETTE_SAFE);
  if (strchr (name, '/') != NULL || g_str_has_suffix (name, KYMO_PALETTE_SUFFIX))
    path = g_strdup (name);
  else if (!check_name (name, error))
    return NULL;
  else
    path = dup_path (name);
  if (!kymo_input_load (path, KYMO_PALETTE_FILE_MOST, &text, &length, &why))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, why->message);
      return NULL;
    }
  palette = kymo_palette_parse (text, length, &why);
  if (palette != NULL)
    return g_steal_pointer (&palette);
  shown = g_utf8_make_valid (name, -1);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("Cannot use the palette “%s”: %s"), shown, why->message);
  return NULL;
}

/**
 * kymo_palettes_save:
 * @name: of the palette; a file of that name is replaced
 *
 * Sets %KYMO_ERROR_WRITE if the folder cannot be made or the palette is larger than 4 MiB, an
 * error for a name that cannot be a file, or what the system says.
 *
 * Returns: whether it is saved
 */
gboolean
kymo_palettes_save (KymoPalette *palette, const char *name, GError **error)
{
  g_autofree char *folder = dup_folder (), *path = NULL, *text = NULL;

  if (!check_name (name, error))
    return FALSE;
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
                   _("Cannot make the folder of palettes: %s"), g_strerror (errno));
      return FALSE;
    }
  path = dup_path (name);
  text = kymo_palette_to_text (palette);
  if (strlen (text) > KYMO_PALETTE_FILE_MOST)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_WRITE,
                           _("The palette is larger than 4 MiB: its patterns and names "
                             "are too long"));
      return FALSE;
    }
  return g_file_set_contents (path, text, -1, error);
}

/**
 * kymo_palettes_remove:
 * @name: of one of the person's own palettes, without folder and ending
 *
 * Deletes the file of the palette.
 *
 * Returns: %FALSE with %KYMO_ERROR_USAGE where @name cannot be the name of a palette ("standard"
 *   and "safe" included), with %KYMO_ERROR_WRITE where the file cannot be deleted
 */
gboolean
kymo_palettes_remove (const char *name, GError **error)
{
  g_autofree char *path = NULL;

  if (!check_name (name, error))
    return FALSE;
  path = dup_path (name);
  if (g_unlink (path) == 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               _("Cannot remove the palette “%s”: %s"), name, g_strerror (errno));
  return FALSE;
}
