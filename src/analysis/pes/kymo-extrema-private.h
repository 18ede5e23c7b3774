/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of extrema share: by what PEs are ranked, and what the value
 * of a PE is made of.
 */
#pragma once

#include "kymo-pe-vectors.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_BY_BUSY,
  KYMO_BY_MOST_IDLE,
  KYMO_BY_LEAST_IDLE,
  KYMO_BY_OVERHEAD,
  KYMO_BY_LONGEST,
  KYMO_BY_GRAIN,
  KYMO_BY_SENT,
  KYMO_BY_RECEIVED,
  KYMO_BY_BYTES_SENT,
  KYMO_BY_BYTES_RECEIVED,
  KYMO_N_BY,
} KymoExtremaBy;

/** KymoRanked: one PE; its value is @of / @by, and unknown where @by is 0 */
typedef struct
{
  guint  row;
  gint64 of, by;
} KymoRanked;

/** KymoPart: a summand of a PE's value */
typedef struct
{
  guint32 state;
  gint64  value;
} KymoPart;

/** KymoExtremaParts: where the sums per PE do not tell them already, by row;
    #KymoPart arrays or %NULL */
typedef struct
{
  guint    n_rows;
  GArray **of_row;
} KymoExtremaParts;

KymoExtremaParts *kymo_extrema_parts_new   (const KymoAsk    *ask);
void              kymo_extrema_parts_free  (KymoExtremaParts *parts);
guint             kymo_extrema_parts_needs (KymoExtremaBy     by);
void              kymo_extrema_parts_add   (const KymoAsk    *ask,
                                            KymoExtremaParts *parts,
                                            KymoExtremaBy     by,
                                            KymoSegment      *segment);
void              kymo_extrema_parts_merge (KymoExtremaParts *into,
                                            KymoExtremaParts *from);
guint             kymo_extrema_parts_list  (const KymoAsk    *ask,
                                            KymoExtremaParts *parts,
                                            const KymoPeSums *sums,
                                            KymoExtremaBy     by,
                                            const GArray     *ranked,
                                            KymoTable        *table);
void              kymo_extrema_parts_append
                                           (const KymoAsk    *ask,
                                            KymoExtremaParts *parts,
                                            guint             row,
                                            KymoTable        *table,
                                            guint             column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoExtremaParts, kymo_extrema_parts_free)

G_END_DECLS
