/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reduction in words, of an answer of info. Any thread.
 */
#pragma once

#include "kymo-table.h"
#include "kymo-terms.h"

G_BEGIN_DECLS

/** KymoReductionFigure: one line of the table of errors, in words */
typedef struct
{
  const char *name;                /* borrowed from the answer */
  char       *of_all;              /* its time */
  char       *estimated;
  char       *error;               /* "+1.8 %", or "–" */
} KymoReductionFigure;

gboolean  kymo_reduction_is_reduced   (const KymoTable *info);
/* (nullable): of a run with weights, borrowed */
KymoTable *kymo_reduction_peek        (const KymoTable *info);
/* "16 of 128 PEs" */
char     *kymo_reduction_dup_share    (const KymoTable *info,
                                       KymoTerms        terms);
/* Sentences: what was kept, and what the figures of it are worth. */
char     *kymo_reduction_dup_kept     (const KymoTable *info,
                                       KymoTerms        terms);
char     *kymo_reduction_dup_error    (const KymoTable *info,
                                       KymoTerms        terms);
/* "time profile within 1.8 %", or NULL where it was not measured */
char     *kymo_reduction_dup_bound    (const KymoTable *info);
/* "0.229 for a share of 0.125, deviation 0.281", or NULL */
char     *kymo_reduction_dup_quality  (const KymoTable *info);
/* (transfer full): KymoReductionFigure, the longest first */
GArray   *kymo_reduction_figures      (const KymoTable *info,
                                       guint            most);

G_END_DECLS
