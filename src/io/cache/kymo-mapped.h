/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file in memory that may be cut off at any moment. Reading a page of a mapped file that is
 * not there any more (somebody made it shorter, or the disk fails) is a SIGBUS, which ends the
 * program. So a file is read, each part when it is first needed, and what was read stays. Only
 * a file above 1 GiB, or one that would fill half of the memory, is mapped, unless it lies on a
 * file system of the network. Its pages that are gone become zeros, and the file counts as
 * damaged: whatever was computed since is not to be believed. Zeros where other numbers were a
 * moment before may lead a loop astray, so mapping is the lesser evil, not safety.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KymoMapped KymoMapped;

KymoMapped   *kymo_mapped_new         (int               fd,
                                       gint64            memory_bytes,
                                       GError          **error);
void          kymo_mapped_free        (KymoMapped       *mapped);
const guint8 *kymo_mapped_peek        (const KymoMapped *mapped,
                                       gsize            *n_bytes);
gboolean      kymo_mapped_pin         (KymoMapped       *mapped,
                                       guint64           offset,
                                       guint64           n_bytes);
gboolean      kymo_mapped_need        (KymoMapped       *mapped,
                                       guint64           offset,
                                       guint64           n_bytes);
gboolean      kymo_mapped_is_damaged  (KymoMapped       *mapped);

G_END_DECLS
