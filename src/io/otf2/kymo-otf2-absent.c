/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the place of the OTF2 reader where Kymo was built without the library: archives
 * are known, and why they cannot be read is told.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-otf2-files.h"

/**
 * kymo_otf2_read:
 * @path: an anchor, or a folder with an archive
 * @options: how to read it
 * @job: (nullable): for progress and cancellation
 *
 * Reads an OTF2 archive. Sets the error of kymo_otf2_files_find(), %KYMO_ERROR_UNREADABLE,
 * %KYMO_ERROR_LIMIT or %G_IO_ERROR_CANCELLED; in a build without the library of the format
 * always an error.
 *
 * Returns: (transfer full) (nullable): the sealed run
 */
KymoRun *
kymo_otf2_read (const char             *path,
                const KymoOpenOptions  *options,
                KymoJob                *job,
                GError                **error)
{
  g_autofree char *anchor = kymo_otf2_files_find (path, options->base, error);

  if (anchor != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                 _("“%s” is an OTF2 archive, and this Kymo was built without the library that "
                   "reads them"), path);
  return NULL;
}
