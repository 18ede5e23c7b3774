/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the records of a damaged TAU trace lie. A file has no marks between
 * its records: where bytes were inserted or are missing, all that follows is
 * shifted. A trace in which damage was found is looked through for the places
 * where records begin again.
 */
#pragma once

#include "kymo-tau-events.h"
#include "kymo-tau-file.h"

G_BEGIN_DECLS

/** KymoTauStretch: @n_records in a row, from the byte @offset on */
typedef struct
{
  gint64 offset;
  gint64 n_records;
} KymoTauStretch;

/**
 * KymoTauBounds:
 * @events: of the trace
 * @keys: set of kymo_tau_key_of(): threads that the trace has records of
 * @first_us: no record is earlier
 * @last_us: no record is later
 *
 * What a record of the trace can be.
 */
typedef struct
{
  const KymoTauEvents *events;
  GHashTable          *keys;
  guint64              first_us, last_us;
} KymoTauBounds;

GArray *kymo_tau_find_stretches (const KymoTauInput  *input,
                                 const KymoTauBounds *bounds,
                                 KymoJob             *job);

G_END_DECLS
