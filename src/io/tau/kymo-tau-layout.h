/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record of a TAU trace in its four layouts: 24 or 32 bytes, of a machine with the
 * lowest or the highest byte first. A file has no header that tells which: its first
 * record does, which is always EV_INIT with the parameter 3.
 */
#pragma once

#include "kymo-bytes.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_TAU_LITTLE_24,
  KYMO_TAU_BIG_24,
  KYMO_TAU_LITTLE_32,
  KYMO_TAU_BIG_32,
  KYMO_N_TAU_LAYOUTS,
} KymoTauLayout;

/** KymoTauRecord: one record, whatever its layout; @time is in microseconds */
typedef struct
{
  gint64  event;
  guint16 node;
  guint16 thread;
  gint64  parameter;
  guint64 time;
} KymoTauRecord;

#define KYMO_TAU_INIT_PARAMETER 3

/** kymo_tau_key_of: a number for the thread whose record it is */
static inline guint32
kymo_tau_key_of (const KymoTauRecord *record)
{
  return (guint32) record->node << 16 | record->thread;
}

/**
 * kymo_tau_layout_size:
 *
 * Returns: bytes of a record in this layout
 */
static inline guint
kymo_tau_layout_size (KymoTauLayout layout)
{
  return layout >= KYMO_TAU_LITTLE_32 ? 32 : 24;
}

/**
 * kymo_tau_decode:
 * @bytes: a whole record
 * @layout: of the file
 * @record: (out): what it says
 *
 * Decodes a record. With a layout that the compiler knows this is a few loads.
 */
static inline void
kymo_tau_decode (const guint8  *bytes,
                 KymoTauLayout  layout,
                 KymoTauRecord *record)
{
  gboolean big = layout == KYMO_TAU_BIG_24 || layout == KYMO_TAU_BIG_32;

  if (layout >= KYMO_TAU_LITTLE_32)
    {
      record->event = kymo_get_64 (bytes, big);
      record->node = kymo_get_16 (bytes + 8, big);
      record->thread = kymo_get_16 (bytes + 10, big);
      record->parameter = kymo_get_64 (bytes + 16, big);
      record->time = kymo_get_64 (bytes + 24, big);
    }
  else
    {
      record->event = (gint32) kymo_get_32 (bytes, big);
      record->node = kymo_get_16 (bytes + 4, big);
      record->thread = kymo_get_16 (bytes + 6, big);
      record->parameter = kymo_get_64 (bytes + 8, big);
      record->time = kymo_get_64 (bytes + 16, big);
    }
}

/* As in logs of Projections: 2^53 ns are 104 days. */
#define KYMO_TAU_MAX_SPAN_US ((G_GUINT64_CONSTANT (1) << 53) / 1000)

/** kymo_tau_is_near: whether two times may be of one thread */
static inline gboolean
kymo_tau_is_near (guint64 a_us,
                  guint64 b_us)
{
  return a_us - b_us + KYMO_TAU_MAX_SPAN_US <= 2 * KYMO_TAU_MAX_SPAN_US;
}

gboolean kymo_tau_find_layout (const guint8  *bytes,
                               gsize          n,
                               KymoTauLayout *layout);
guint64  kymo_tau_first_time  (const guint64 *times_us,
                               guint          n);

G_END_DECLS
