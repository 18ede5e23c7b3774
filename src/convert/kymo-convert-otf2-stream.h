/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of one location in the making, which three files share: blocks
 * (kymo-convert-otf2-stream.c), and what lies beside them (-sides, of which -points). One thread.
 */
#pragma once

#include "kymo-convert-otf2.h"

G_BEGIN_DECLS

typedef enum
{
  SIDE_ON_OFF,
  SIDE_IDLE,
  SIDE_FLUSH,
  SIDE_SEND,
  SIDE_ASIDE,
  SIDE_RECEIVE,
  SIDE_CREATION,
  SIDE_ARRIVAL,
  SIDE_POINT,
  SIDE_COLLECTIVE_END,
  SIDE_COLLECTIVE_BEGIN,
  N_SIDES,
} KymoOtf2Side;

/**
 * KymoOtf2Writing: one location in the making
 * @next_ns: by kind, when the next record of it is; G_MAXINT64 = there is none
 * @piece: index of the piece that the next record about idle time, or about tracing, is of
 * @inside: whether that is the piece's end
 * @ends: indices of parts of collectives by their ends
 * @operations: (nullable): numbers of the operations on files that are written; %NULL = all
 * @wanted: (nullable): by aside whether it is written; %NULL = all are
 * @n_numbers: requests have at most this number
 * @send_of: by number of a request its send, or %KYMO_UNMATCHED; of asides alone, as
 *   @receive_of and @is_atomic
 */
typedef struct
{
  KymoOtf2Out       *out;
  OTF2_EvtWriter    *writer;
  const KymoSegment *segment;
  guint              location;          /* index in the run */
  const GArray      *collectives;       /* KymoOtf2OutPart by begin, or NULL */
  const GArray      *creations;         /* KymoOtf2OutMessage by time, or NULL */
  const GArray      *arrivals;          /* the same of messages that were received */
  GHashTable        *operations;
  guint8            *wanted;
  guint32            n_numbers;
  guint32           *send_of, *receive_of;
  guint8            *is_atomic;
  KymoTraceParts     parts;
  gint64             next_ns[N_SIDES];
  gint64             soonest_ns;
  guint              next_send, next_receive, next_point, next_stretch, next_begin, next_end;
  guint              next_aside, next_creation, next_arrival;
  guint             *ends;
  guint              piece[2];
  gboolean           inside[2];
  guint32           *goes_on;           /* by block: the block that is the same call after time
                                           without tracing, or KYMO_NO_BLOCK; NULL = no block
                                           has one */
  guint8            *is_later;          /* by block: whether it is such a one */
  guint32            open[G_MAXUINT8 + 1];
  guint              depth;
  OTF2_TimeStamp     now;
  gint64            *totals;            /* by metric, as they run on */
  gint64            *entered;           /* by depth and metric: when it was entered */
  gint64             metrics_ns;        /* of the last record of counters */
} KymoOtf2Writing;

void kymo_otf2_sides_init  (KymoOtf2Writing *stream,
                            guint              location);
void kymo_otf2_sides_clear (KymoOtf2Writing *stream);
void kymo_otf2_put_until   (KymoOtf2Writing *stream,
                            gint64             before_ns);

void kymo_otf2_put_on_off  (KymoOtf2Writing *stream,
                            gint64           time_ns,
                            gboolean         on);

/* kymo-convert-otf2-asides.c */
void   kymo_otf2_asides_init  (KymoOtf2Writing *stream);
void   kymo_otf2_asides_clear (KymoOtf2Writing *stream);
gint64 kymo_otf2_find_aside   (KymoOtf2Writing *stream);
void   kymo_otf2_put_aside    (KymoOtf2Writing *stream,
                               gint64           time_ns);

/* kymo-convert-otf2-points.c */
void   kymo_otf2_points_init  (KymoOtf2Writing *stream);
void   kymo_otf2_points_clear (KymoOtf2Writing *stream);
gint64 kymo_otf2_find_point   (KymoOtf2Writing *stream);
void   kymo_otf2_put_point    (KymoOtf2Writing *stream,
                               gint64           time_ns);

static inline gboolean
kymo_otf2_is_in_range (const KymoOtf2Writing *stream,
                       gint64                 begin_ns,
                       gint64                 end_ns)
{
  KymoSpan counted = stream->out->choice.counted;

  return end_ns >= counted.begin_ns && begin_ns < counted.end_ns;
}

/* Times never go back in an archive. */
static inline OTF2_TimeStamp
kymo_otf2_at (KymoOtf2Writing *stream,
              gint64           time_ns)
{
  OTF2_TimeStamp ticks = kymo_otf2_out_ticks (stream->out, time_ns);

  if (G_UNLIKELY (ticks < stream->now))
    {
      stream->out->n_moved++;
      return stream->now;
    }
  return stream->now = ticks;
}

static inline void
kymo_otf2_done (KymoOtf2Writing *stream,
                OTF2_ErrorCode   code)
{
  kymo_otf2_out_note (stream->out, code);
  stream->out->convert->result->n_records++;
}

static inline guint32
kymo_otf2_open_block (const KymoOtf2Writing *stream)
{
  return stream->depth > 0 ? stream->open[stream->depth - 1] : KYMO_NO_BLOCK;
}

static inline guint32
kymo_otf2_open_activity (const KymoOtf2Writing *stream)
{
  return stream->depth > 0
    ? stream->segment->block_activity[kymo_otf2_open_block (stream)] : G_MAXUINT32;
}

G_END_DECLS
