/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The binary form (+binary-trace): after the header, an int32 count, records
 * without padding in the byte order of the writer's machine:
 *
 *   uint8 type, the fields, uint8 '\n'
 *
 * message type, entry, event, stat and phase ids are uint16; times uint64
 * (microseconds); event number, PE, length and counts int32; index values
 * int32, or int16 where there are four to six; counters int64; stats double.
 *
 * Nothing in a record tells its size but its type and, for begin records, the
 * dimensions of the entry method's array. So a record fits where its size
 * ends in '\n'; a reader that is lost looks for a place where several fit in
 * a row.
 */
#include "config.h"

#include "kymo-projections-record.h"

#include <string.h>

/* Records longer than this are not believed, like lines of text. */
#define MAX_RECORD_BYTES (1024 * 1024)
#define N_ENTRY_IDS (1 << 16)

/* Runs over the bytes of one record; reads zeros beyond them, and `at` tells
   how many there should have been. */
typedef struct
{
  const guint8 *bytes;
  gsize         size;
  gsize         at;
  gboolean      swap;
} Cursor;

static inline guint64
next_unsigned (Cursor *c,
               guint   width)
{
  guint64 value = 0;
  guint16 v16;
  guint32 v32;

  c->at += width;
  if (c->at > c->size)
    return 0;
  switch (width)
    {
    case 2:
      memcpy (&v16, c->bytes + c->at - 2, 2);
      return c->swap ? GUINT16_SWAP_LE_BE (v16) : v16;
    case 4:
      memcpy (&v32, c->bytes + c->at - 4, 4);
      return c->swap ? GUINT32_SWAP_LE_BE (v32) : v32;
    default:
      memcpy (&value, c->bytes + c->at - 8, 8);
      return c->swap ? GUINT64_SWAP_LE_BE (value) : value;
    }
}

static inline gint64
next_int16 (Cursor *c)
{
  return (gint16) next_unsigned (c, 2);
}

static inline gint64
next_int32 (Cursor *c)
{
  return (gint32) next_unsigned (c, 4);
}

static inline gboolean
next_time (Cursor *c,
           gint64 *ns)
{
  return kymo_record_set_time ((gint64) next_unsigned (c, 8), ns);
}

static double
next_double (Cursor *c)
{
  guint64 bits = next_unsigned (c, 8);
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* m ep t ev pe len */
static inline gboolean
decode_message (const KymoLogLayout *layout,
                Cursor              *c,
                KymoLogRecord       *record)
{
  next_unsigned (c, 2);
  record->id = next_unsigned (c, 2);
  if (!next_time (c, &record->time_ns))
    return FALSE;
  record->event = next_int32 (c);
  record->pe = next_int32 (c);
  record->length = next_int32 (c);
  return TRUE;
}

static inline void
decode_cpu_time (const KymoLogLayout *layout,
                 Cursor              *c,
                 KymoLogRecord       *record)
{
  record->cpu_us = layout->has_cpu_time ? (gint64) next_unsigned (c, 8) : -1;
}

static void
decode_counters (KymoLogLayout *layout,
                 Cursor        *c,
                 KymoLogRecord *record)
{
  guint n = MIN (layout->n_counters, KYMO_STS_MAX_COUNTERS);

  record->n_counters = n;
  record->counters = layout->counters;
  for (guint i = 0; i < n; i++)
    layout->counters[i] = (gint64) next_unsigned (c, 8);
  c->at += 8 * (gsize) (layout->n_counters - n);
}

static gsize
ids_bytes (const KymoLogLayout *layout,
           gint                 n)
{
  gboolean narrow = layout->sts->version >= 90 && n >= 4;

  return (gsize) n * (narrow ? 2 : 4);
}

static void
decode_ids (const KymoLogLayout *layout,
            Cursor              *c,
            gint                 n,
            gboolean             narrow,
            KymoLogRecord       *record)
{
  memset (&record->object, 0, sizeof record->object);
  record->object.n_dimensions = MIN (n, KYMO_MAX_DIMENSIONS);
  for (gint i = 0; i < n; i++)
    {
      gint64 value = narrow ? next_int16 (c) : next_int32 (c);

      if (i < KYMO_MAX_DIMENSIONS)
        record->object.index[i] = value;
    }
}

/* TRUE if a record may begin here: its type is known, and where the type alone tells the size, it
   ends in '\n'. */
static gboolean
may_begin (const guint8 *bytes,
           gsize         size)
{
  static const guint8 sizes[] =
  {
    [BEGIN_COMPUTATION] = 8, [END_COMPUTATION] = 8, [BEGIN_INTERRUPT] = 16, [END_INTERRUPT] = 16,
    [BEGIN_TRACE] = 8, [END_TRACE] = 8, [USER_EVENT] = 18, [BEGIN_IDLE] = 12, [END_IDLE] = 12,
    [BEGIN_PACK] = 12, [END_PACK] = 12, [BEGIN_UNPACK] = 12, [END_UNPACK] = 12,
    [CREATION] = 32, [CREATION_BCAST] = 36,
  };
  gsize whole;

  if (size == 0)
    return TRUE;
  if (!kymo_record_type_is_known (bytes[0]))
    return FALSE;
  if (bytes[0] >= G_N_ELEMENTS (sizes) || sizes[bytes[0]] == 0)
    return TRUE;
  whole = (gsize) sizes[bytes[0]] + 2;
  return size < whole || bytes[whole - 1] == '\n';
}

/* The number of index values for which the record ends in '\n' with another
   one after it; first the one that was right for this entry before. -1 where
   none does. The dimensions -1 (no array) have four wide numbers, written
   here as KYMO_MAX_DIMENSIONS + 1. */
#define WIDE_FOUR (KYMO_MAX_DIMENSIONS + 1)

static gint
guess_ids (KymoLogLayout *layout,
           const Cursor  *c,
           gint64         entry)
{
  static const gint8 candidates[] = { WIDE_FOUR, 1, 2, 3, 0, 5, 6, 4 };
  gsize rest = 8 * layout->has_cpu_time + 8 * (gsize) layout->n_counters;

  if (layout->guesses == NULL)
    layout->guesses = g_new0 (gint8, N_ENTRY_IDS);
  for (gint i = -1; i < (gint) G_N_ELEMENTS (candidates); i++)
    {
      gint n = i < 0 ? layout->guesses[entry] - 1 : candidates[i];
      gsize end;

      if (n < 0)
        continue;
      end = c->at + (n == WIDE_FOUR ? 16 : ids_bytes (layout, n)) + rest;
      if (end >= c->size || c->bytes[end] != '\n'
          || !may_begin (c->bytes + end + 1, c->size - end - 1))
        continue;
      layout->guesses[entry] = n + 1;
      return n;
    }
  return -1;
}

/* 2: m ep t ev srcPe len recvTime ids... cpuStart [counters...] */
static gboolean
decode_begin (KymoLogLayout *layout,
              Cursor        *c,
              KymoLogRecord *record)
{
  gsize rest = 8 * layout->has_cpu_time + 8 * (gsize) layout->n_counters;
  gint n;
  gboolean narrow, ends = FALSE, fits = FALSE;

  if (!decode_message (layout, c, record))
    return FALSE;
  c->at += 8 * layout->has_receive_time;
  n = kymo_log_layout_n_ids (layout, record->id);
  narrow = layout->sts->version >= 90 && n >= 4
    && layout->sts->entries[record->id].n_dimensions >= 4;
  if (n >= 0)
    {
      gsize end = c->at + (gsize) n * (narrow ? 2 : 4) + rest;

      ends = end >= c->size || c->bytes[end] == '\n';
      fits = ends && (end >= c->size || may_begin (c->bytes + end + 1, c->size - end - 1));
    }
  layout->n_begins++;
  if (!fits && layout->sts->version >= 90)
    {
      gint guess = guess_ids (layout, c, record->id);

      /* If no other layout fits better, the next record may be the damaged one. */
      if (guess >= 0 || !ends)
        {
          layout->n_misfits++;
          narrow = guess >= 4 && guess != WIDE_FOUR;
          n = guess == WIDE_FOUR ? 4 : guess;
        }
    }
  if (n < 0)
    return FALSE;
  decode_ids (layout, c, n, narrow, record);
  kymo_log_layout_drop_zero_index (layout, record);
  decode_cpu_time (layout, c, record);
  decode_counters (layout, c, record);
  return TRUE;
}

/* Finds the list of a multicast after its count; since version 11 the list's
   own count, of 8 or 4 bytes, comes first. The one that ends in '\n' is right;
   where the bytes here do not reach so far, there have to be more. The PEs are
   not read yet: a search for a record measures the same bytes often. */
static gboolean
measure_destinations (Cursor        *c,
                      KymoLogRecord *record)
{
  static const gsize widths[] = { 8, 4, 0 };
  gsize bytes = 4 * (gsize) record->n_destinations;
  gboolean goes_on = FALSE;

  if (bytes > MAX_RECORD_BYTES)
    return FALSE;
  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    {
      Cursor copy = *c;

      if (c->at + widths[w] > c->size)
        goes_on = TRUE;
      if (c->at + widths[w] > c->size
          || (widths[w] > 0
              && next_unsigned (&copy, widths[w]) != (guint64) record->n_destinations))
        continue;
      if (copy.at + bytes < c->size && c->bytes[copy.at + bytes] != '\n')
        continue;
      c->at = copy.at + bytes;
      return TRUE;
    }
  if (goes_on)
    c->at = MAX (c->at, c->size);
  return goes_on;
}

/* The PEs of a multicast that is known to fit: the last of its bytes. */
static void
read_destinations (KymoLogLayout *layout,
                   Cursor         c,
                   KymoLogRecord *record)
{
  c.at -= 4 * (gsize) record->n_destinations;
  g_array_set_size (layout->destinations, record->n_destinations);
  for (gint64 i = 0; i < record->n_destinations; i++)
    g_array_index (layout->destinations, gint32, i) = next_int32 (&c);
  record->destinations = (const gint32 *) layout->destinations->data;
}

/* 1, 20, 21: m ep t ev pe len sendDur [numPes [list]] */
static gboolean
decode_creation (KymoLogLayout *layout,
                 Cursor        *c,
                 KymoLogRecord *record)
{
  if (!decode_message (layout, c, record))
    return FALSE;
  c->at += 8 * layout->has_send_duration;
  record->n_destinations = 1;
  record->destinations = NULL;
  if (record->type == CREATION)
    return TRUE;
  record->n_destinations = next_int32 (c);
  if (record->n_destinations < 0)
    return FALSE;
  return record->type == CREATION_BCAST || measure_destinations (c, record);
}

/* 28: t len text; 29: t tEnd id len text. The length is 4 or 8 bytes; up to
   version 10 a blank follows that it does not count. */
static gboolean
decode_note (Cursor        *c,
             KymoLogRecord *record)
{
  static const struct { gsize width, blank; } forms[] = { { 4, 0 }, { 4, 1 }, { 8, 0 } };

  if (!next_time (c, &record->time_ns))
    return FALSE;
  record->end_ns = record->time_ns;
  record->id = 0;
  if (record->type == BRACKETED_NOTE)
    {
      if (!next_time (c, &record->end_ns))
        return FALSE;
      record->id = next_int32 (c);
    }
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      Cursor copy = *c;
      guint64 length = next_unsigned (&copy, forms[i].width);
      gsize end = copy.at + forms[i].blank + length;

      if (copy.at > c->size || length > MAX_RECORD_BYTES)
        continue;
      if (end < c->size ? c->bytes[end] != '\n' : i < 2)
        continue;
      record->text = (const char *) c->bytes + copy.at + forms[i].blank;
      record->n_text = length;
      c->at = end;
      return TRUE;
    }
  c->at = c->size;              /* perhaps not all of it is here */
  return c->size < MAX_RECORD_BYTES;
}

/* Records whose fields stand in one fixed order. */
static gboolean
decode_fixed (Cursor        *c,
              KymoLogRecord *record)
{
  switch (record->type)
    {
    case USER_SUPPLIED:         /* value t */
      record->value = next_int32 (c);
      return next_time (c, &record->time_ns);
    case MEMORY_USAGE:          /* bytes t */
      record->value = (double) next_unsigned (c, 8);
      return next_time (c, &record->time_ns);
    case END_PHASE:             /* phase t */
      record->id = next_unsigned (c, 2);
      return next_time (c, &record->time_ns);
    case USER_STAT:             /* t userTime value pe id */
      if (!next_time (c, &record->time_ns))
        return FALSE;
      next_double (c);
      record->value = next_double (c);
      next_int32 (c);
      record->id = next_unsigned (c, 2);
      return TRUE;
    default:                    /* t, and perhaps event and PE */
      if (!next_time (c, &record->time_ns))
        return FALSE;
      if (record->type >= BEGIN_IDLE && record->type <= END_UNPACK)
        c->at += 4;
      else if (record->type == BEGIN_INTERRUPT || record->type == END_INTERRUPT)
        c->at += 8;
      return TRUE;
    }
}

/* 13: id t ev pe; 98, 99, 100: id t ev pe nestedID */
static gboolean
decode_event (Cursor        *c,
              KymoLogRecord *record)
{
  record->id = next_unsigned (c, 2);
  if (!next_time (c, &record->time_ns))
    return FALSE;
  record->event = next_int32 (c);
  next_int32 (c);
  record->nested = 0;
  if (record->type == EVENT_PAIR && c->at < c->size && c->bytes[c->at] == '\n'
      && may_begin (c->bytes + c->at + 1, c->size - c->at - 1)
      && (c->at + 4 >= c->size || c->bytes[c->at + 4] != '\n'))
    return TRUE;                /* before 8.0 */
  if (record->type >= BEGIN_PAIR)
    record->nested = next_int32 (c);
  return TRUE;
}

static gboolean
decode_fields (KymoLogLayout *layout,
               Cursor        *c,
               KymoLogRecord *record)
{
  switch (record->type)
    {
    case BEGIN_PROCESSING:
      return decode_begin (layout, c, record);
    case END_PROCESSING:
    case MESSAGE_RECV:
      if (!decode_message (layout, c, record))
        return FALSE;
      if (record->type == MESSAGE_RECV)
        return TRUE;
      decode_cpu_time (layout, c, record);
      decode_counters (layout, c, record);
      return TRUE;
    case CREATION:
    case CREATION_BCAST:
    case CREATION_MULTICAST:
      return decode_creation (layout, c, record);
    case ENQUEUE:               /* m t ev pe */
    case DEQUEUE:
    case USER_EVENT:
    case BEGIN_PAIR:
    case END_PAIR:
    case EVENT_PAIR:
      return decode_event (c, record);
    case NOTE:
    case BRACKETED_NOTE:
      return decode_note (c, record);
    case BEGIN_FUNC:            /* the writer has no binary form of them */
    case END_FUNC:
      return FALSE;
    default:
      return kymo_record_type_is_known (record->type) && decode_fixed (c, record);
    }
}

/* The size of the record at @bytes, as kymo_binary_decode() returns it; the
   cursor is left at its '\n'. */
static gssize
measure_projections_binary (KymoLogLayout *layout,
                            Cursor        *c,
                            KymoLogRecord *record)
{
  if (c->size == 0)
    return 0;
  record->type = c->bytes[0];
  record->n_counters = 0;
  if (!decode_fields (layout, c, record))
    return -1;
  if (c->at >= c->size)
    return c->at < MAX_RECORD_BYTES ? 0 : -1;
  return c->bytes[c->at] == '\n' ? (gssize) c->at + 1 : -1;
}

/**
 * kymo_binary_decode:
 * @bytes: where a record begins
 * @size: how many bytes there are
 * @record: (out): what it says
 *
 * Returns: the record's size; 0 where it goes on beyond @size; -1 where no
 * record fits
 */
gssize
kymo_binary_decode (KymoLogLayout *layout,
                    const guint8  *bytes,
                    gsize          size,
                    KymoLogRecord *record)
{
  Cursor c = { bytes, size, 1, layout->swap };
  gssize length = measure_projections_binary (layout, &c, record);

  if (length > 0 && record->type == CREATION_MULTICAST)
    read_destinations (layout, c, record);
  return length;
}

/**
 * kymo_binary_count:
 * @n: as many are enough
 * @is_end: the file ends at @size
 *
 * Returns: how many records in a row fit here; @n also where they reach to
 * the end of the file
 */
guint
kymo_binary_count (KymoLogLayout *layout,
                   const guint8  *bytes,
                   gsize          size,
                   guint          n,
                   gboolean       is_end)
{
  KymoLogRecord record;
  gsize at = 0;

  for (guint i = 0; i < n; i++)
    {
      Cursor c = { bytes + at, size - at, 1, layout->swap };
      gssize length = measure_projections_binary (layout, &c, &record);

      if (length <= 0)
        return i > 0 && is_end && at == size ? n : i;
      at += length;
    }
  return n;
}
