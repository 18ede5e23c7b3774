/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes of a call tree's answer, with what pictures of it need. Nodes stand in
 * the order of a walk (each before its children), so a subtree is a stretch of them
 * and nothing here recurses. Any thread may call.
 */
#pragma once

#include "kymo-measure.h"

G_BEGIN_DECLS

/** KYMO_TREE_PATH: between the parts of a path */
#define KYMO_TREE_PATH " => "

/**
 * KymoCallTree:
 * @parent: -1 of roots
 * @end: the first node behind the subtree
 * @begin: where it lies beside its siblings, of 0 .. total
 * @extent: inclusive, or what its children have together where that is more (as
 *   of maxima)
 * @levels: the deepest node's depth + 1
 * @callers: of one function alone the root of those who call it, beside that of what it
 *   calls; else @n
 */
typedef struct
{
  const KymoTable *nodes;
  guint            n, callers;
  gint            *parent;
  guint           *depth, *end;
  const double    *inclusive, *exclusive, *calls;
  double          *begin, *extent;
  double           total;
  guint            levels;
  KymoMeasure      inclusive_words, exclusive_words;
} KymoCallTree;

/* FALSE where there is nothing to show; clear it in any case. */
gboolean    kymo_call_tree_init     (KymoCallTree        *tree,
                                     const KymoTable     *answer,
                                     const KymoPlotFrame *frame);
void        kymo_call_tree_clear    (KymoCallTree        *tree);
KymoActivityKind
            kymo_call_tree_kind     (const KymoCallTree  *tree,
                                     guint                node);
const char *kymo_call_tree_name     (const KymoCallTree  *tree,
                                     guint                node);
/* (nullable): what else is known of it, see kymo-in-terms.h */
const char *kymo_call_tree_flags    (const KymoCallTree  *tree,
                                     guint                node);
/* (transfer full): "main => solve => MPI_Send()" */
char       *kymo_call_tree_dup_path (const KymoCallTree  *tree,
                                     guint                node);
/* The node of that path; G_MAXUINT where there is none. */
guint       kymo_call_tree_find     (const KymoCallTree  *tree,
                                     const char          *path);
/* Words for the pointer: path, inclusive and exclusive, calls. */
void        kymo_call_tree_describe (const KymoCallTree  *tree,
                                     guint                node,
                                     KymoPlotHit         *hit);

G_END_DECLS
