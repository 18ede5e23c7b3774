/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the place of the writer of OTF2 archives where Kymo was built without the library.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-private.h"

#include "kymo-error.h"

/** kymo_convert_otf2: says that no archive can be written */
gboolean
kymo_convert_otf2 (KymoConvert  *convert,
                   GError      **error)
{
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       _("This Kymo was built without the library that writes OTF2 archives; "
                         "tau-trace, chrome-json and csv can be written"));
  return FALSE;
}
