/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Help in a build without libcmark: the desktop shows the page.
 */
#include "config.h"

#include "kymo-help.h"

#include "kymo-places.h"
#include "kymo-settings.h"

/**
 * kymo_help_present:
 * @beside: (nullable): the window that help is asked for in
 * @page: (nullable): name of a page of docs/guide
 *
 * Shows the page in what the desktop has for Markdown; the web has it where no file is.
 */
void
kymo_help_present (GtkWindow *beside, const char *page)
{
  g_autofree char *folder = kymo_settings_dup_data_folder (KYMO_GUIDE, KYMO_GUIDE_IN_TREE);
  g_autofree char *name = g_strconcat (page != NULL ? page : KYMO_HELP_START, ".md", NULL);
  g_autofree char *path = g_build_filename (folder != NULL ? folder : KYMO_GUIDE, name, NULL);
  g_autofree char *uri = g_file_test (path, G_FILE_TEST_EXISTS)
                           ? g_filename_to_uri (path, NULL, NULL) : NULL;

  gtk_show_uri (beside, uri != NULL ? uri : KYMO_GUIDE_ONLINE, GDK_CURRENT_TIME);
}
