/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scratch.h"

#include <glib/gstdio.h>

void
scratch_up (Scratch       *scratch,
            gconstpointer  data)
{
  scratch->folder = g_dir_make_tmp ("kymo-XXXXXX", NULL);
  g_assert_nonnull (scratch->folder);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_all (inner);
    }
  g_remove (path);
}

void
scratch_down (Scratch       *scratch,
              gconstpointer  data)
{
  remove_all (scratch->folder);
  g_free (scratch->folder);
}

/** scratch_path: Returns: (transfer full): where a file of that name lies */
char *
scratch_path (const Scratch *scratch,
              const char    *name)
{
  return g_build_filename (scratch->folder, name, NULL);
}

/** scratch_put: writes a file, or over it */
void
scratch_put (const Scratch *scratch,
             const char    *name,
             const char    *text)
{
  g_autofree char *path = scratch_path (scratch, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}
