/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's program.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>

#include "kymo-application.h"
#include "kymo-application-start.h"
#include "kymo-askpass.h"

int
main (int argc, char **argv)
{
  int status;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, KYMO_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  status = kymo_askpass_help (argc, argv);
  if (status >= 0)
    return status;
  kymo_askpass_prepare ();
  kymo_application_choose_renderer ();
  /* A limit on the length of files comes back as EFBIG where we write. */
  signal (SIGXFSZ, SIG_IGN);
  do
    {
      g_autoptr (KymoApplication) application = kymo_application_new ();

      status = g_application_run (G_APPLICATION (application), argc, argv);
    }
  while (status == KYMO_START_AGAIN);
  return status;
}
