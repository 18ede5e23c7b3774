/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function of a call tree, over all places where it occurs: what it calls, and who
 * calls it, each as a tree of its own with the function as root.
 *
 * Recursion is counted once. Time inside of a recursive call lies below the innermost call of the
 * function, so that its own time is the sum over all its calls, and with what it calls it is
 * the inclusive time of the outermost ones. Callers are those of the outermost calls.
 */
#pragma once

#include "kymo-call-forest.h"

G_BEGIN_DECLS

/**
 * KymoCallFocus:
 * @forest: both trees, what it calls first; callers have no exclusive figures (NaN)
 * @n_callees: nodes of the first tree, with its root
 * @uncalled: the part of its inclusive figure without a caller
 */
typedef struct
{
  KymoCallForest *forest;
  guint           n_callees;
  double          uncalled;
} KymoCallFocus;

KymoCallFocus *kymo_call_focus_new  (const KymoProfileLook  *look,
                                     const KymoCallForest   *forest,
                                     const char             *function,
                                     guint                   most_depth,
                                     GError                **error);
void           kymo_call_focus_free (KymoCallFocus          *focus);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCallFocus, kymo_call_focus_free)

G_END_DECLS
