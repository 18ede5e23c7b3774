/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One record of a Projections log, in whatever form it was written, and its
 * decoders. A decoder knows bytes and fields, not what they mean for the run:
 * that is kymo-projections-records.c.
 *
 * A record borrows its text, destinations and counters from the decoder's
 * buffers: it is valid until the next one is decoded. One thread per layout.
 */
#pragma once

#include "kymo-projections-sts.h"

G_BEGIN_DECLS

enum
{
  CREATION = 1, BEGIN_PROCESSING = 2, END_PROCESSING = 3, ENQUEUE = 4, DEQUEUE = 5,
  BEGIN_COMPUTATION = 6, END_COMPUTATION = 7, BEGIN_INTERRUPT = 8, END_INTERRUPT = 9,
  MESSAGE_RECV = 10, BEGIN_TRACE = 11, END_TRACE = 12, USER_EVENT = 13, BEGIN_IDLE = 14,
  END_IDLE = 15, BEGIN_PACK = 16, END_PACK = 17, BEGIN_UNPACK = 18, END_UNPACK = 19,
  CREATION_BCAST = 20, CREATION_MULTICAST = 21, BEGIN_FUNC = 22, END_FUNC = 23,
  USER_SUPPLIED = 26, MEMORY_USAGE = 27, NOTE = 28, BRACKETED_NOTE = 29, END_PHASE = 30,
  USER_STAT = 32, BEGIN_PAIR = 98, END_PAIR = 99, EVENT_PAIR = 100,
};

/** KYMO_NO_TYPE: a line that does not begin with a number */
#define KYMO_NO_TYPE G_MININT64

/**
 * KymoLogRecord:
 * @type: one of the numbers above
 * @time_ns: when
 * @end_ns: of a bracketed note
 * @id: of the entry method, user event, function, note, stat or phase
 * @event: the message's or event's number
 * @pe: sending PE
 * @length: bytes of the message
 * @n_destinations: of a creation
 * @destinations: (nullable): PEs of a multicast
 * @nested: nesting id of a bracket
 * @value: of a stat, user value or memory sample
 * @cpu_us: of a begin or end of a block: processor time so far; -1 = not told
 * @object: array element of a begin; no dimensions where there is none
 * @text: bytes of a note, @n_text of them
 * @counters: hardware counters, @n_counters of them (0 where the record has
 *   fewer than the layout tells)
 *
 * Only the fields of its type are set.
 */
typedef struct
{
  gint64        type;
  gint64        time_ns, end_ns;
  gint64        id, event, pe, length;
  gint64        n_destinations, nested;
  const gint32 *destinations;
  double        value;
  gint64        cpu_us;
  KymoObject    object;
  const char   *text;
  gsize         n_text;
  const gint64 *counters;
  guint         n_counters;
} KymoLogRecord;

/**
 * KymoPlainRecord:
 * @type: as of #KymoLogRecord; 0 for a line that is not plain
 * @time_ns, @id, @event, @pe, @length: as of #KymoLogRecord
 * @cpu_us: of a begin of a block, as of #KymoLogRecord
 * @rest: of an end of a block, what follows its time: "ev srcPe len cpuEnd", or less, in the text
 *   that was decoded
 * @n_index: how many numbers the array element has
 * @index: these numbers; of a broadcast the number of its destinations
 * @line, @n_bytes: of a line that is not plain: where it is and how long,
 *   without its newline
 *
 * A record of one of the common types, in as few bytes as it needs.
 */
typedef struct
{
  gint64  time_ns;
  union
  {
    gint64      cpu_us;
    const char *rest;
  };
  guint32 type;
  gint32  id;
  union
  {
    struct
    {
      gint32  event, pe, length;
      guint32 n_index;
      gint32  index[4];
    };
    struct
    {
      guint32 line, n_bytes;
    };
  };
} KymoPlainRecord;

/**
 * KymoLogLayout:
 *
 * Which fields records have: by the version and the names of the .sts.
 * @count_fields makes the decoders tell the number of array index values from
 * each record itself, where the .sts is not to be trusted.
 */
typedef struct
{
  const KymoSts *sts;
  gboolean       has_length;            /* since 2.0 */
  gboolean       has_receive_time;      /* since 4.0 */
  gboolean       has_send_duration;     /* since 5.0 */
  gboolean       has_cpu_time;          /* since 6.5 */
  gboolean       count_fields;
  gboolean       swap;                  /* binary: not this machine's order */
  guint          n_counters;
  gint64         counters[KYMO_STS_MAX_COUNTERS];
  GArray        *destinations;          /* gint32 */
  gint8         *guesses;               /* binary: by entry, index values + 1 */
  gint64         n_begins;              /* binary: begin records so far */
  gint64         n_misfits;             /* those that are not as the .sts tells */
} KymoLogLayout;

void     kymo_log_layout_init  (KymoLogLayout *layout,
                                const KymoSts *sts);
void     kymo_log_layout_clear (KymoLogLayout *layout);
gint     kymo_log_layout_n_ids (const KymoLogLayout *layout,
                                gint64               entry);
void     kymo_log_layout_drop_zero_index (const KymoLogLayout *layout,
                                          KymoLogRecord       *record);
gboolean kymo_text_decode      (KymoLogLayout *layout,
                                const char    *line,
                                const char    *end,
                                KymoLogRecord *record);
const char *kymo_text_decode_plain (const KymoLogLayout *layout,
                                const char          *line,
                                KymoPlainRecord     *record);
guint    kymo_text_decode_lines (const KymoLogLayout  *layout,
                                const char           *block,
                                const char          **cursor,
                                const char           *end,
                                KymoPlainRecord      *records,
                                guint                 n);
gboolean kymo_text_is_whole    (const KymoLogLayout *layout,
                                const char          *line,
                                const char          *end,
                                const KymoLogRecord *record);
gboolean kymo_text_fits        (const KymoLogLayout *layout,
                                const char          *line,
                                gboolean            *is_begin);
gssize   kymo_binary_decode    (KymoLogLayout *layout,
                                const guint8  *bytes,
                                gsize          size,
                                KymoLogRecord *record);
guint    kymo_binary_count     (KymoLogLayout *layout,
                                const guint8  *bytes,
                                gsize          size,
                                guint          n,
                                gboolean       is_end);

/* Times are microseconds. */
#define KYMO_LOG_UNIT_NS 1000
/* Beyond this many microseconds nanoseconds would overflow. */
#define KYMO_MAX_US (G_MAXINT64 / 4000)

/**
 * kymo_record_set_time:
 * @us: time in a log
 * @ns: (out): the same in nanoseconds
 *
 * Returns: %FALSE if no log can have this time
 */
static inline gboolean
kymo_record_set_time (gint64  us,
                      gint64 *ns)
{
  if (G_UNLIKELY (us < 0 || us > KYMO_MAX_US))
    return FALSE;
  *ns = us * KYMO_LOG_UNIT_NS;
  return TRUE;
}

/**
 * kymo_record_type_is_known:
 * @type: first field of a record
 *
 * Returns: whether it is the number of a type of records
 */
static inline gboolean
kymo_record_type_is_known (gint64 type)
{
  return (type >= CREATION && type <= END_FUNC) || (type >= USER_SUPPLIED && type <= END_PHASE)
    || type == USER_STAT || (type >= BEGIN_PAIR && type <= EVENT_PAIR);
}

/**
 * kymo_record_int32:
 * @value: a field of a record
 *
 * Returns: the nearest value that fits into 32 bits
 */
static inline gint32
kymo_record_int32 (gint64 value)
{
  return CLAMP (value, G_MININT32, G_MAXINT32);
}

G_END_DECLS
