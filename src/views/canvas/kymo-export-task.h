/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing what a view shows into a file, on a worker thread: the view's
 * question is asked anew for the file's size. The same, byte for byte, as a line of kymo-cli.
 * Main thread starts and ends it.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-figure-size.h"
#include "kymo-plot.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/**
 * KymoExported:
 * @klass: the picture
 * @session: what is hidden, chosen and so on; borrowed
 * @range: of the run
 * @parameters: (nullable): keywords of the view's question
 * @by_time: bars of a histogram weigh time
 * @focus: (nullable): path that fills the width of an icicle; borrowed
 * @title: (nullable): %NULL is that of the picture, "" is none
 * @legend: where it is
 * @legend_most: activities in it; 0 is as many as there is room for
 * @all_rows: all locations of the run, in the order of the run, instead of those of the session
 * @bare: without the messages and the path that are over a timeline
 *
 * What is exported of a view. All but @parameters is borrowed.
 */
typedef struct
{
  const KymoPlotClass *klass;
  KymoSession         *session;
  KymoSpan             range;
  GHashTable          *parameters;
  gboolean             by_time, relative;
  KymoLook             look;
  const char          *focus;
  const char          *title;
  KymoLegendPlace      legend;
  guint                legend_most;
  gboolean             all_rows, bare;
  KymoFigureSize       size;
} KymoExported;

void     kymo_exported_clear     (KymoExported         *self);
/* The format goes by the ending of @path; the line of provenance is made. */
void     kymo_export_task_start  (const KymoExported   *exported,
                                  const char           *path,
                                  GAsyncReadyCallback   done,
                                  gpointer              data);
gboolean kymo_export_task_finish (GAsyncResult         *result,
                                  GError              **error);
/* (transfer full) (nullable): an image of what is exported, for kymo_exported_preview_finish() */
void     kymo_exported_preview_start
                                 (const KymoExported   *exported,
                                  GCancellable         *cancellable,
                                  GAsyncReadyCallback   done,
                                  gpointer              data);
cairo_surface_t *
         kymo_exported_preview_finish
                                 (GAsyncResult         *result,
                                  GError              **error);
/* (transfer full) (nullable): the line of kymo-cli that does the same; @path is
   that of the run */
char    *kymo_export_dup_command (const KymoExported   *exported,
                                  const char           *path,
                                  const char           *palette,
                                  const char           *format,
                                  GError              **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KymoExported, kymo_exported_clear)

G_END_DECLS
