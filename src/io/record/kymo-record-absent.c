/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the place of the reader of raw folders where Kymo was built without the library of OTF2,
 * whose records they become.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-record-files.h"

/**
 * kymo_record_read:
 * @path: the folder of a run, or anything in it
 * @options: how to read it
 * @job: (nullable): for progress and cancellation
 *
 * Reads the raw folder of a recorded program. Sets the error of kymo_record_find(),
 * %KYMO_ERROR_UNREADABLE, %KYMO_ERROR_LIMIT or %G_IO_ERROR_CANCELLED; in a build without the
 * library of OTF2 always an error.
 *
 * Returns: (transfer full) (nullable): the sealed run
 */
KymoRun *
kymo_record_read (const char             *path,
                  const KymoOpenOptions  *options,
                  KymoJob                *job,
                  GError                **error)
{
  g_autofree char *folder = kymo_record_find (path, error);

  if (folder != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                 _("“%s” was recorded by kymo-record, and this Kymo was built without the library "
                   "that reads its events"), path);
  return NULL;
}
