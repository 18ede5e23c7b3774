/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A picture or its figures into a file: format by the file name's ending
 * (.png .svg .pdf .csv), or given. Written beside and renamed.
 */
#pragma once

#include "kymo-plot.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/* "png", "svg", "pdf", "csv", "json" or NULL when the ending is none of them */
const char *kymo_export_format_of (const char           *path);

/* Paints `answer` decorated (frame->decorate is set by this function) into
   `path`; NULL format = by ending; "-" is stdout. CSV and JSON write the
   answer's figures. */
gboolean    kymo_export_answer    (const KymoPlotClass  *klass,
                                   const KymoTable      *answer,
                                   const KymoPlotFrame  *frame,
                                   const char           *format,
                                   const char           *path,
                                   GError              **error);

/* The frame of a file of this format. */
KymoPlotFrame kymo_export_frame   (const KymoPlotFrame  *frame,
                                   const char           *format);

/* Asks @question, whatever it has beside the picture's own, then exports. */
gboolean    kymo_export_asked     (const KymoPlotClass  *klass,
                                   KymoSource           *source,
                                   const KymoPlotFrame  *frame,
                                   KymoQuestion         *question,
                                   const char           *format,
                                   const char           *path,
                                   GCancellable         *cancellable,
                                   GError              **error);

/* The same as an image in memory. */
cairo_surface_t *
            kymo_export_preview   (const KymoPlotClass  *klass,
                                   KymoSource           *source,
                                   const KymoPlotFrame  *frame,
                                   KymoQuestion         *question,
                                   GCancellable         *cancellable,
                                   GError              **error);

/* Asks `source` with the class's own question for this frame, `parameters`
   (keyword -> value, or NULL) added, then exports. */
gboolean    kymo_export_view      (const KymoPlotClass  *klass,
                                   KymoSource           *source,
                                   const KymoPlotFrame  *frame,
                                   KymoIdSet            *locations,
                                   GHashTable           *parameters,
                                   const char           *format,
                                   const char           *path,
                                   GCancellable         *cancellable,
                                   GError              **error);

/* The line under an exported picture: run, range and program; caller frees. */
char       *kymo_export_provenance (KymoSource         *source,
                                    KymoSpan            span);

/* Writes bytes beside `path` and renames; "-" is stdout; an existing FIFO or
   device is just written. */
gboolean    kymo_write_output     (const char           *path,
                                   const void           *bytes,
                                   gsize                 length,
                                   GError              **error);

G_END_DECLS
