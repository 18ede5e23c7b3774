/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's program.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>

#include "kymo-application.h"

/* Where GL is computed by software or goes over the network, cairo is
   several times as fast; GTK 4 does not choose it there by itself. */
static void
choose_renderer (void)
{
  const char *display = g_getenv ("DISPLAY");
  gboolean wayland = g_getenv ("WAYLAND_DISPLAY") != NULL;
  gboolean local = display != NULL && display[0] == ':';

  if (g_getenv ("GSK_RENDERER") != NULL)
    return;
  if (!g_file_test ("/dev/dri", G_FILE_TEST_IS_DIR)
      || (!wayland && display != NULL && !local))
    g_setenv ("GSK_RENDERER", "cairo", TRUE);
}

int
main (int argc, char **argv)
{
  g_autoptr (KymoApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, KYMO_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  choose_renderer ();
  /* A limit on the length of files comes back as EFBIG where we write. */
  signal (SIGXFSZ, SIG_IGN);
  application = kymo_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
