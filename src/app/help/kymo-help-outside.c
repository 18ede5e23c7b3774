/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help in a build without libcmark: the desktop shows the page.
 */
#include "config.h"

#include "kymo-help.h"

#include "kymo-places.h"
#include "kymo-settings.h"

/* (nullable) (transfer full): the file of a page, which lies in one of the folders of the guide */
static char *
find_file (const char *guide, const char *page)
{
  g_autofree char *name = g_strconcat (page, ".md", NULL);
  g_autoptr (GDir) folders = g_dir_open (guide, 0, NULL);
  const char *folder;

  while (folders != NULL && (folder = g_dir_read_name (folders)) != NULL)
    {
      g_autofree char *path = g_build_filename (guide, folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/**
 * kymo_help_present:
 * @beside: (nullable): the window that help is asked for in
 * @page: (nullable): id of a page of docs/guide
 *
 * Shows the page in what the desktop has for Markdown; the web has it where no file is.
 */
void
kymo_help_present (GtkWindow *beside, const char *page)
{
  g_autofree char *folder = kymo_settings_dup_data_folder (KYMO_GUIDE, KYMO_GUIDE_IN_TREE);
  g_autofree char *path = find_file (folder != NULL ? folder : KYMO_GUIDE,
                                     page != NULL ? page : KYMO_HELP_START);
  g_autofree char *uri = path != NULL ? g_filename_to_uri (path, NULL, NULL) : NULL;

  gtk_show_uri (beside, uri != NULL ? uri : KYMO_GUIDE_ONLINE, GDK_CURRENT_TIME);
}
