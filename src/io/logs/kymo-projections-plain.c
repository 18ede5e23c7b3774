/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast way to decode the common records of a text log: creations, begins,
 * ends, idle and packing are nearly all lines of a log, and nearly all of them
 * are written the same: numbers of a few digits, one blank between two. What
 * is decoded here is decoded the same by kymo_text_decode(), which takes every
 * line that looks the least bit different; tests hold the two together.
 *
 * It finds the end of the line while it decodes, so that every byte is looked
 * at once. No loop goes beyond the line's newline.
 */
#include "config.h"

#include "kymo-projections-record.h"

#include "kymo-fields.h"

#include <string.h>

/* Numbers of this many digits fit into 32 bits, and times into 64. */
#define SHORT_DIGITS 9
#define TIME_DIGITS 15

/* A number without a sign, with a limit of digits, and the one character
   behind it; the cursor is then behind that. */
static inline gboolean
take_projections_plain (const char **cursor,
                        guint        most_digits,
                        char         after,
                        gint64      *value)
{
  const char *p = *cursor;
  guint digit = (guint) (guchar) *p - '0';
  guint64 v = digit;

  if (G_UNLIKELY (digit > 9))
    return FALSE;
  for (p++; (digit = (guint) (guchar) *p - '0') < 10; p++)
    v = v * 10 + digit;         /* wraps on digits too many, harmlessly */
  if (G_UNLIKELY (*p != after || p - *cursor > most_digits))
    return FALSE;
  *cursor = p + 1;
  *value = v;
  return TRUE;
}

static inline gboolean
take_short (const char **cursor,
            char         after,
            gint32      *value)
{
  gint64 v;

  if (G_UNLIKELY (!take_projections_plain (cursor, SHORT_DIGITS, after, &v)))
    return FALSE;
  *value = v;
  return TRUE;
}

static inline gboolean
take_signed (const char **cursor,
             char         after,
             gint32      *value)
{
  gboolean negative = **cursor == '-';

  *cursor += negative;
  if (G_UNLIKELY (!take_short (cursor, after, value)))
    return FALSE;
  if (negative)
    *value = -*value;
  return TRUE;
}

static inline gboolean
take_time (const char **cursor,
           gint64      *time_ns)
{
  gint64 us;

  if (G_UNLIKELY (!take_projections_plain (cursor, TIME_DIGITS, ' ', &us)))
    return FALSE;
  *time_ns = us * KYMO_LOG_UNIT_NS;
  return TRUE;
}

/* m ep t ev pe len */
static inline gboolean
take_message (const char      **p,
              KymoPlainRecord  *record)
{
  gint32 message_type;

  return take_short (p, ' ', &message_type) && take_short (p, ' ', &record->id)
    && take_time (p, &record->time_ns) && take_signed (p, ' ', &record->event)
    && take_signed (p, ' ', &record->pe) && take_short (p, ' ', &record->length);
}

/* 1: m ep t ev pe len sendDur; 20: the same and numPes */
static inline gboolean
decode_creation (const KymoLogLayout  *layout,
                 const char          **p,
                 KymoPlainRecord      *record)
{
  gboolean is_broadcast = record->type == CREATION_BCAST;
  gint32 duration;

  return layout->has_length && layout->has_send_duration && take_message (p, record)
    && take_short (p, is_broadcast ? ' ' : '\n', &duration)
    && (!is_broadcast || take_short (p, '\n', &record->index[0]));
}

/* 2: m ep t ev srcPe len recvTime ids... cpuStart */
static inline gboolean
decode_begin (const KymoLogLayout  *layout,
              const char          **p,
              KymoPlainRecord      *record)
{
  gint64 skipped;
  gint n;

  if (!layout->has_receive_time || !layout->has_cpu_time || layout->n_counters > 0
      || !take_message (p, record) || !take_projections_plain (p, TIME_DIGITS, ' ', &skipped))
    return FALSE;
  n = kymo_log_layout_n_ids (layout, record->id);
  if (G_UNLIKELY (n < 0 || n > (gint) G_N_ELEMENTS (record->index)))
    return FALSE;
  record->n_index = n;
  for (gint i = 0; i < n; i++)
    if (!take_signed (p, ' ', &record->index[i]))
      return FALSE;
  if (G_UNLIKELY (n == 4))
    {
      KymoLogRecord whole = { .id = record->id, .object.n_dimensions = n };

      memcpy (whole.object.index, record->index, sizeof record->index);
      kymo_log_layout_drop_zero_index (layout, &whole);
      record->n_index = whole.object.n_dimensions;
    }
  return take_projections_plain (p, TIME_DIGITS, '\n', &record->cpu_us);
}

/* Skips the rest of the line, which is not needed. */
static inline void
skip_line (const char **cursor)
{
  const char *p = *cursor;

  while (*p != '\n')
    p++;
  *cursor = p + 1;
}

/* 3: m ep t ev srcPe len cpuEnd */
static inline gboolean
decode_end (const KymoLogLayout  *layout,
            const char          **p,
            KymoPlainRecord      *record)
{
  gint32 message_type;

  if (layout->n_counters > 0 || !take_short (p, ' ', &message_type)
      || !take_short (p, ' ', &record->id) || !take_time (p, &record->time_ns))
    return FALSE;
  record->rest = *p;
  skip_line (p);
  return TRUE;
}

/* 14 to 19: t pe */
static inline gboolean
decode_state (const char      **p,
              KymoPlainRecord  *record)
{
  if (!take_time (p, &record->time_ns))
    return FALSE;
  skip_line (p);
  return TRUE;
}

/* The type, of one or two digits, and the blank behind it; 0 where the line
   begins otherwise. */
static inline guint
take_type (const char **cursor)
{
  const char *p = *cursor;
  guint ten = (guint) (guchar) p[0] - '0', one;

  if (G_UNLIKELY (ten > 9))
    return 0;
  *cursor = p + 2;
  if (p[1] == ' ')
    return ten;
  one = (guint) (guchar) p[1] - '0';
  *cursor = p + 3;
  return one <= 9 && p[2] == ' ' ? ten * 10 + one : 0;
}

/**
 * kymo_text_decode_plain:
 * @line: a line that ends in a newline
 * @record: (out): what it says, or, where its type is 0, rubbish
 *
 * Returns: (nullable): where the next line begins; %NULL when the line has to
 * be read by kymo_text_decode()
 */
const char *
kymo_text_decode_plain (const KymoLogLayout *layout,
                        const char          *line,
                        KymoPlainRecord     *record)
{
  const char *p = line;
  gboolean fine = FALSE;

  record->type = take_type (&p);
  switch (record->type)
    {
    case CREATION:
    case CREATION_BCAST:
      fine = decode_creation (layout, &p, record);
      break;
    case BEGIN_PROCESSING:
      fine = decode_begin (layout, &p, record);
      break;
    case END_PROCESSING:
      fine = decode_end (layout, &p, record);
      break;
    case BEGIN_IDLE ... END_UNPACK:
      fine = decode_state (&p, record);
      break;
    default:
      break;
    }
  return fine ? p : NULL;
}

/**
 * kymo_text_decode_lines:
 * @block: whole lines, at most 4 GiB of them
 * @cursor: (inout): the first line to decode; the first one that was not
 * @end: behind the last line
 * @records: (out caller-allocates): a record a line; of a line that is not
 *   plain its place in the block; further blank lines have none
 * @n: most records
 *
 * Returns: how many records
 */
guint
kymo_text_decode_lines (const KymoLogLayout  *layout,
                        const char           *block,
                        const char          **cursor,
                        const char           *end,
                        KymoPlainRecord      *records,
                        guint                 n)
{
  const char *line = *cursor;
  guint i;

  for (i = 0; i < n && line < end; i++)
    {
      const char *next = kymo_text_decode_plain (layout, line, &records[i]);

      if (G_UNLIKELY (next == NULL))
        {
          const char *newline = memchr (line, '\n', end - line);

          records[i].type = 0;
          records[i].line = line - block;
          records[i].n_bytes = newline - line;
          next = kymo_skip_blank_lines (newline + 1, end);
        }
      line = next;
    }
  *cursor = line;
  return i;
}
