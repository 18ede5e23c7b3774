/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of location ids as people write it: "0-15,32,0-1023:16".
 * Kept as the list of ranges that was written, so that 0-999999999 costs
 * nothing. Immutable and ref-counted; may be shared between threads.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KymoIdSet KymoIdSet;

KymoIdSet *kymo_id_set_parse    (const char       *text,
                                 GError          **error);
KymoIdSet *kymo_id_set_new_list (const gint64     *ids,
                                 guint             n_ids);
KymoIdSet *kymo_id_set_ref      (KymoIdSet        *set);
void       kymo_id_set_unref    (KymoIdSet        *set);
gboolean   kymo_id_set_contains (const KymoIdSet  *set,
                                 gint64            id);
gboolean   kymo_id_set_meets    (const KymoIdSet  *set,
                                 gint64            first,
                                 gint64            end);
GArray    *kymo_id_set_pick     (const KymoIdSet  *set,
                                 const gint64     *ids,
                                 guint             n_ids);
char      *kymo_id_set_to_text  (const KymoIdSet  *set);
char      *kymo_ids_to_text     (const gint64     *ids,
                                 guint             n_ids);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoIdSet, kymo_id_set_unref)

G_END_DECLS
