/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One file that is written whole or not at all: beside its place, and renamed in the end.
 * One thread; the first failure is kept, and what is written after it is nothing.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _KymoConvertOut KymoConvertOut;

KymoConvertOut *kymo_convert_out_new    (const char      *path,
                                         GError         **error);
void            kymo_convert_out_free   (KymoConvertOut  *out);
void            kymo_convert_out_put    (KymoConvertOut  *out,
                                         const char      *text);
void            kymo_convert_out_printf (KymoConvertOut  *out,
                                         const char      *format,
                                         ...) G_GNUC_PRINTF (2, 3);
/* A string of JSON, or a field of CSV, with its quotes where it needs them. */
void            kymo_convert_out_json   (KymoConvertOut  *out,
                                         const char      *text);
void            kymo_convert_out_csv    (KymoConvertOut  *out,
                                         const char      *text);
/* A number that reads back the same; null in JSON where it is none. */
void            kymo_convert_out_number (KymoConvertOut  *out,
                                         double           value);
gboolean        kymo_convert_out_failed (const KymoConvertOut *out);
gboolean        kymo_convert_out_finish (KymoConvertOut  *out,
                                         gint64          *n_bytes,
                                         GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoConvertOut, kymo_convert_out_free)

G_END_DECLS
