/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-open-options.h"

/**
 * kymo_open_is_stopped:
 * @job: of the opening
 * @path: what is read, for the sentence
 *
 * Returns: %TRUE, with @error set, where the person has stopped the opening
 */
gboolean
kymo_open_is_stopped (KymoJob     *job,
                      const char  *path,
                      GError     **error)
{
  if (!kymo_job_is_cancelled (job))
    return FALSE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Reading “%s” was stopped"), path);
  return TRUE;
}
