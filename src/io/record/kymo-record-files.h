/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of a program that kymo-record records, and the reader of its raw files.
 */
#pragma once

#include "kymo-format.h"

G_BEGIN_DECLS

gboolean   kymo_record_is_definitions (const char  *path);
GPtrArray *kymo_record_list           (const char  *folder);
char      *kymo_record_find           (const char  *path,
                                       GError     **error);
char      *kymo_record_dup_anchor     (const char  *folder);

/* With the library of OTF2 kymo-record.c, without it kymo-record-absent.c. */
KymoRun   *kymo_record_read           (const char             *path,
                                       const KymoOpenOptions  *options,
                                       KymoJob                *job,
                                       GError                **error);

G_END_DECLS
