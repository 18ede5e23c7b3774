/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a PE did, as figures that PEs can be compared by: sums per PE, filled
 * segment by segment like any other answer, and vectors made of them for
 * k-means.
 *
 * Communication threads are left out, as they are of every average, unless
 * they are all that was asked for; so are PEs whose logs a reduction cut away,
 * because their activity is unknown.
 */
#pragma once

#include "kymo-engine.h"
#include "kymo-kmeans.h"
#include "kymo-profile.h"
#include "kymo-profile-look.h"

G_BEGIN_DECLS

/** KymoPeFigures: which sums are wanted; they cost different columns */
typedef enum
{
  KYMO_PE_TIMES = 1 << 0,
  KYMO_PE_BLOCKS = 1 << 1,
  KYMO_PE_SENT = 1 << 2,
  KYMO_PE_RECEIVED = 1 << 3,
} KymoPeFigures;

/**
 * KymoPeCounts: one PE; counts are of what begins inside the range
 * @block_ns: exclusive time of all these blocks, to their ends
 * @longest_ns: of the first that is longest; @longest_state its state
 * @sent: one a destination
 * @received: distinct calls that name a source
 */
typedef struct
{
  gint64  blocks, block_ns;
  gint64  longest_ns, longest_begin_ns;
  guint32 longest_state;
  gint64  sent, sent_bytes;
  gint64  received, received_bytes;
} KymoPeCounts;

typedef struct
{
  guint             figures;
  KymoProfileState *times;      /* with shares; NULL where not wanted */
  KymoPeCounts     *counts;     /* by row of the question */
} KymoPeSums;

/** KymoPeComponents: what a vector has beside the time of entry methods; with
 *  %KYMO_PE_WITHOUT_ENTRIES instead of it */
typedef enum
{
  KYMO_PE_WITH_IDLE = 1 << 0,
  KYMO_PE_WITH_OVERHEAD = 1 << 1,
  KYMO_PE_WITH_MESSAGES = 1 << 2,
  KYMO_PE_WITH_BYTES = 1 << 3,
  KYMO_PE_WITHOUT_ENTRIES = 1 << 4,
} KymoPeComponents;

typedef enum
{
  KYMO_PE_SCALE_NONE,
  KYMO_PE_SCALE_RANGE,
  KYMO_PE_SCALE_STDDEV,
} KymoPeScale;

/** KymoPeComponent: one column of the vectors; value = low + column / factor */
typedef struct
{
  guint   with;                 /* a KymoPeComponents, or 0: time of a state */
  guint32 state;
  double  low;
  double  factor;
} KymoPeComponent;

/**
 * KymoPeVectors:
 * @rows: by vector: its row in the question; PEs ascend
 * @n_components: columns that are in use
 * @n_columns: of @values, padded with 0 for k-means
 * @values: n_rows x n_columns whole numbers, from 0 to 2^53
 * @unit: of distances: divide by it
 */
typedef struct
{
  guint            n_rows;
  guint           *rows;
  guint            n_components;
  KymoPeComponent *components;
  guint            n_columns;
  double          *values;
  double           unit;
} KymoPeVectors;

gboolean       kymo_ask_compares        (const KymoAsk       *ask,
                                         guint                row);
gboolean       kymo_ask_check_pes       (const KymoAsk       *ask,
                                         const char          *what,
                                         GError             **error);
guint          kymo_pe_sums_needs       (const KymoAsk       *ask,
                                         KymoSegment         *segment,
                                         guint                figures);
KymoPeSums    *kymo_pe_sums_new         (const KymoAsk       *ask,
                                         guint                figures);
void           kymo_pe_sums_free        (KymoPeSums          *sums);
void           kymo_pe_sums_add         (const KymoAsk       *ask,
                                         KymoPeSums          *sums,
                                         KymoSegment         *segment);
void           kymo_pe_sums_add_profile (const KymoAsk       *ask,
                                         KymoPeSums          *sums,
                                         const KymoProfileLook *look);
gboolean       kymo_pe_sums_take_profile (const KymoAsk      *ask,
                                         KymoPeSums          *sums,
                                         GError             **error);
void           kymo_pe_sums_merge       (const KymoAsk       *ask,
                                         KymoPeSums          *into,
                                         KymoPeSums          *from);
gint64         kymo_pe_sums_get         (const KymoPeSums    *sums,
                                         guint                row,
                                         guint                with);
KymoPeVectors *kymo_pe_vectors_new      (const KymoAsk       *ask,
                                         const KymoPeSums    *sums,
                                         guint                with,
                                         KymoPeScale          scale,
                                         GError             **error);
KymoPeVectors *kymo_pe_vectors_new_rows (const KymoAsk       *ask);
void           kymo_pe_vectors_free     (KymoPeVectors       *vectors);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPeVectors, kymo_pe_vectors_free)

G_END_DECLS
