/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing what a view shows into a file, on a worker thread: the view's
 * question is asked anew for the file's size. Main thread starts and ends it.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-plot.h"
#include "kymo-session.h"

G_BEGIN_DECLS

void     kymo_export_task_start  (const KymoPlotClass  *klass,
                                  KymoSession          *session,
                                  KymoSpan              range,
                                  GHashTable           *parameters,
                                  gboolean              by_time,
                                  gboolean              dark,
                                  double                width_px,
                                  double                height_px,
                                  const char           *title,
                                  const char           *path,
                                  GAsyncReadyCallback   done,
                                  gpointer              data);
gboolean kymo_export_task_finish (GAsyncResult         *result,
                                  GError              **error);

G_END_DECLS
