/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRowGroups: the tree of nodes and processes that locations lie in, and which
 * of its groups are folded. A folded group is one row of a timeline, the sum of
 * its members; those of another one stand together.
 *
 * Made of the answer "row-groups", given to a question with
 * kymo_question_set_groups(). Ref-counted and immutable; folding makes another
 * one. Any thread.
 */
#pragma once

#include "kymo-table.h"

G_BEGIN_DECLS

/**
 * KymoRowGroup:
 * @kind: "node", "process" or the like
 * @parent: index of the group around it, always smaller than its own; -1 = none
 * @depth: how many lie around it
 * @n_locations: in it and in the groups in it
 */
typedef struct
{
  char     *label;
  char     *kind;
  gint      parent;
  guint     depth;
  gboolean  folded;
  guint     n_locations;
} KymoRowGroup;

typedef struct _KymoRowGroups KymoRowGroups;

KymoRowGroups      *kymo_row_groups_new        (const KymoTable     *answer);
KymoRowGroups      *kymo_row_groups_ref        (KymoRowGroups       *self);
void                kymo_row_groups_unref      (KymoRowGroups       *self);
guint               kymo_row_groups_get_n      (const KymoRowGroups *self);
/* Most groups that a location lies in. */
guint               kymo_row_groups_get_levels (const KymoRowGroups *self);
const KymoRowGroup *kymo_row_groups_peek       (const KymoRowGroups *self,
                                                guint                index);
/* The innermost group of a location, or -1. */
gint                kymo_row_groups_find       (const KymoRowGroups *self,
                                                gint64               location);
/* The outermost folded one of a group and those around it, or -1. */
gint                kymo_row_groups_find_folded (const KymoRowGroups *self,
                                                gint                 group);
KymoRowGroups      *kymo_row_groups_fold       (const KymoRowGroups *self,
                                                guint                index,
                                                gboolean             folded);
/* (transfer full): from this depth on all folded, above it none; G_MAXUINT: none. */
KymoRowGroups      *kymo_row_groups_fold_from  (const KymoRowGroups *self,
                                                guint                depth);
/* (transfer full): as a person writes it; NULL with a usage error. */
KymoRowGroups      *kymo_row_groups_fold_text  (const KymoRowGroups *self,
                                                const char          *text,
                                                GError             **error);
/* (transfer full): what fold_text() takes. */
char               *kymo_row_groups_to_text    (const KymoRowGroups *self);
/* (transfer full): this tree with groups folded as those of the same names were. */
KymoRowGroups      *kymo_row_groups_fold_as    (const KymoRowGroups *self,
                                                const KymoRowGroups *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRowGroups, kymo_row_groups_unref)

G_END_DECLS
