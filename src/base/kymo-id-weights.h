/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many locations each of some locations stands for, in millionths, so that
 * sums of weights are exact: those of a reduced run sum up to the PEs of the
 * run it was made of. Immutable and ref-counted; may be shared between threads.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of a location that stands for itself alone. */
#define KYMO_WEIGHT_ONE 1000000

typedef struct _KymoIdWeights KymoIdWeights;

KymoIdWeights *kymo_id_weights_new       (const gint64        *ids,
                                          const gint64        *weights,
                                          guint                n_ids);
KymoIdWeights *kymo_id_weights_new_round (const gint64        *ids,
                                          const double        *weights,
                                          guint                n_ids,
                                          gint64               sum);
KymoIdWeights *kymo_id_weights_ref       (KymoIdWeights       *weights);
void           kymo_id_weights_unref     (KymoIdWeights       *weights);
guint          kymo_id_weights_get_n     (const KymoIdWeights *weights);
gint64         kymo_id_weights_get_id    (const KymoIdWeights *weights,
                                          guint                index);
gint64         kymo_id_weights_get       (const KymoIdWeights *weights,
                                          gint64               id);
gint64         kymo_id_weights_get_sum   (const KymoIdWeights *weights);
gint64         kymo_weigh                (gint64               value,
                                          gint64               weight);
gint64         kymo_weigh_count          (gint64               count,
                                          gint64               weight);
gint64         kymo_round_count          (gint64               millionths);
void           kymo_weigh_parts          (gint64              *parts,
                                          guint                n_parts,
                                          gint64               weight);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoIdWeights, kymo_id_weights_unref)

G_END_DECLS
