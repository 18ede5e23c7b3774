/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text form: a record a line, decimal fields separated by blanks, the
 * first one its type. Which fields a type has is told above each function.
 * Times are microseconds and become nanoseconds here.
 */
#include "config.h"

#include "kymo-projections-record.h"

#include <string.h>

#include "kymo-fields.h"

/**
 * kymo_log_layout_init:
 * @sts: of the run; it tells the version of the log, and has to outlive the layout
 *
 * Prepares to decode a log. Clear with kymo_log_layout_clear().
 */
void
kymo_log_layout_init (KymoLogLayout *layout,
                      const KymoSts *sts)
{
  memset (layout, 0, sizeof *layout);
  layout->sts = sts;
  layout->has_length = sts->version >= 20;
  layout->has_receive_time = sts->version >= 40;
  layout->has_send_duration = sts->version >= 50;
  layout->has_cpu_time = sts->version >= 65;
  layout->n_counters = sts->version >= 66 ? sts->n_counters : 0;
  layout->destinations = g_array_new (FALSE, FALSE, sizeof (gint32));
}

/**
 * kymo_log_layout_clear:
 *
 * Frees the buffers that records borrow from, not the layout itself.
 */
void
kymo_log_layout_clear (KymoLogLayout *layout)
{
  g_clear_pointer (&layout->destinations, g_array_unref);
  g_clear_pointer (&layout->guesses, g_free);
}

static inline gint
entry_dimensions (const KymoLogLayout *layout,
                  gint64               entry)
{
  const KymoSts *sts = layout->sts;

  if (G_LIKELY (entry >= 0 && entry < sts->n_entries
                && sts->entries[entry].activity != G_MAXUINT32))
    return sts->entries[entry].n_dimensions;
  return KYMO_STS_DIMENSIONS_UNKNOWN;
}

static inline gint
n_ids (const KymoLogLayout *layout,
       gint64               entry)
{
  guint version = layout->sts->version;
  gint n;

  if (G_UNLIKELY (version < 90))
    return version < 40 ? 0 : version < 70 ? 3 : 4;
  n = layout->count_fields ? KYMO_STS_DIMENSIONS_UNKNOWN : entry_dimensions (layout, entry);
  return n == KYMO_STS_DIMENSIONS_UNKNOWN ? -1 : n < 0 ? 4 : n;
}

/**
 * kymo_log_layout_n_ids:
 *
 * Returns: how many array index values a begin record of this entry method
 * carries; -1 = only the record itself tells
 */
gint
kymo_log_layout_n_ids (const KymoLogLayout *layout,
                       gint64               entry)
{
  return n_ids (layout, entry);
}

/**
 * kymo_log_layout_drop_zero_index:
 *
 * An entry of no array carries numbers that are all zero: they are no index.
 */
void
kymo_log_layout_drop_zero_index (const KymoLogLayout *layout,
                                 KymoLogRecord       *record)
{
  KymoObject *object = &record->object;

  if (layout->sts->version < 90 || entry_dimensions (layout, record->id) > 0)
    return;
  for (guint i = 0; i < object->n_dimensions; i++)
    if (object->index[i] != 0)
      return;
  object->n_dimensions = 0;
}

static inline gboolean
next_time (const char **p,
           gint64      *ns)
{
  gint64 us;

  return kymo_next_int (p, &us) && kymo_record_set_time (us, ns);
}

static guint
count_fields (const char *p)
{
  gint64 value;
  guint n = 0;

  while (kymo_next_int (&p, &value))
    n++;
  return n;
}

static inline void
decode_counters (KymoLogLayout *layout,
                 const char    *p,
                 KymoLogRecord *record)
{
  gint64 value;

  record->n_counters = 0;
  if (G_LIKELY (layout->n_counters == 0))
    return;
  for (guint i = 0; i < layout->n_counters; i++)
    {
      if (!kymo_next_int (&p, &value))
        return;
      if (i < KYMO_STS_MAX_COUNTERS)
        layout->counters[i] = value;
    }
  record->counters = layout->counters;
  record->n_counters = MIN (layout->n_counters, KYMO_STS_MAX_COUNTERS);
}

/* m ep t ev pe len, the begin of records 1, 2, 3, 20 and 21 */
static inline gboolean
decode_message (const KymoLogLayout *layout,
                const char         **p,
                KymoLogRecord       *record)
{
  gint64 message_type;

  record->length = -1;
  return kymo_next_int (p, &message_type) && kymo_next_int (p, &record->id)
    && next_time (p, &record->time_ns) && kymo_next_int (p, &record->event)
    && kymo_next_int (p, &record->pe)
    && (!layout->has_length || kymo_next_int (p, &record->length));
}

/* 2: m ep t ev srcPe len recvTime ids... cpuStart [counters...] */
static inline gboolean
decode_begin (KymoLogLayout *layout,
              const char    *p,
              KymoLogRecord *record)
{
  gint64 value;
  gint n;

  if (!decode_message (layout, &p, record)
      || (layout->has_receive_time && !kymo_next_int (&p, &value)))
    return FALSE;
  n = n_ids (layout, record->id);
  if (G_UNLIKELY (n < 0))
    n = (gint) count_fields (p) - layout->has_cpu_time - (gint) layout->n_counters;
  if (G_UNLIKELY (n < 0))
    return FALSE;
  memset (&record->object, 0, sizeof record->object);
  /* More than six are none: what follows is of another kind. */
  record->object.n_dimensions = n <= KYMO_MAX_DIMENSIONS ? n : 0;
  for (gint i = 0; i < n; i++)
    {
      if (!kymo_next_int (&p, &value))
        return FALSE;
      if (i < KYMO_MAX_DIMENSIONS)
        record->object.index[i] = kymo_record_int32 (value);
    }
  if (n == 4)
    kymo_log_layout_drop_zero_index (layout, record);
  record->n_counters = 0;
  record->cpu_us = -1;
  if (layout->has_cpu_time && !kymo_next_int (&p, &record->cpu_us))
    record->cpu_us = -1;
  else
    decode_counters (layout, p, record);
  return TRUE;
}

/* 3: m ep t ev srcPe len cpuEnd [counters...]; what follows the time is not
   needed, and old or odd writers leave some of it out. */
static inline gboolean
decode_end (KymoLogLayout *layout,
            const char    *p,
            KymoLogRecord *record)
{
  gint64 f[4];

  if (!kymo_next_ints (&p, f, 3) || !kymo_record_set_time (f[2], &record->time_ns))
    return FALSE;
  record->id = f[1];
  record->n_counters = 0;
  record->cpu_us = -1;
  if (!kymo_next_ints (&p, f, 3 + layout->has_cpu_time))
    return TRUE;
  if (layout->has_cpu_time)
    record->cpu_us = f[3];
  decode_counters (layout, p, record);
  return TRUE;
}

/* The destinations of a multicast: since version 11 their count stands twice;
   told apart by the number of fields that are left. */
static gboolean
decode_destinations (KymoLogLayout *layout,
                     const char    *p,
                     KymoLogRecord *record)
{
  gint64 value;
  guint n = count_fields (p);

  if (n != record->n_destinations && n != record->n_destinations + 1)
    return FALSE;
  if (n == record->n_destinations + 1)
    kymo_next_int (&p, &value);
  g_array_set_size (layout->destinations, 0);
  for (gint64 i = 0; i < record->n_destinations && kymo_next_int (&p, &value); i++)
    {
      gint32 pe = kymo_record_int32 (value);

      g_array_append_val (layout->destinations, pe);
    }
  record->destinations = (const gint32 *) layout->destinations->data;
  return TRUE;
}

/* 1, 20, 21: m ep t ev pe len sendDur [numPes [list]] */
static inline gboolean
decode_creation (KymoLogLayout *layout,
                 const char    *p,
                 KymoLogRecord *record)
{
  gint64 skipped;

  if (!decode_message (layout, &p, record)
      || (layout->has_send_duration && !kymo_next_int (&p, &skipped)))
    return FALSE;
  record->n_destinations = 1;
  record->destinations = NULL;
  if (record->type == CREATION)
    return TRUE;
  if (!kymo_next_int (&p, &record->n_destinations) || record->n_destinations < 0
      || record->n_destinations > G_MAXINT32)
    return FALSE;
  return record->type == CREATION_BCAST || decode_destinations (layout, p, record);
}

/* 13: id t ev pe; 98, 99, 100: id t ev pe [nestedID]; 26: value t;
   27: bytes t; 30: phase t */
static gboolean
decode_event (const char    *p,
              KymoLogRecord *record)
{
  gint64 f[2];

  if (!kymo_next_int (&p, &record->id) || !next_time (&p, &record->time_ns))
    return FALSE;
  record->value = (double) record->id;
  record->nested = 0;
  if (record->type < BEGIN_PAIR)
    return TRUE;
  if (!kymo_next_ints (&p, f, 2))
    return FALSE;
  record->event = f[0];
  if (!kymo_next_int (&p, &record->nested))
    record->nested = 0;
  return TRUE;
}

/* Finds the text of a note, after "len". Up to version 10 a blank that is not counted stands
   between; since 11 the text follows the number at once. There the number may run into a text that
   begins with a digit: it is split where the length equals the rest of the line. */
static void
find_text (const char    *p,
           const char    *end,
           KymoLogRecord *record)
{
  gint64 length = 0;

  while (*p == ' ')
    p++;
  for (; g_ascii_isdigit (*p) && length < G_MAXINT32; p++)
    {
      length = length * 10 + (*p - '0');
      for (guint blank = 0; blank < 2; blank++)
        if (end - (p + 1 + blank) == length && (blank == 0 || p[1] == ' '))
          {
            record->text = p + 1 + blank;
            record->n_text = length;
            return;
          }
    }
  /* A length that fits nowhere: keep what there is. */
  record->text = p;
  record->n_text = MAX (end - p, 0);
}

/* 28: t len text; 29: t tEnd id len text */
static gboolean
decode_note (const char    *p,
             const char    *end,
             KymoLogRecord *record)
{
  if (end > p && end[-1] == '\r')
    end--;
  if (!next_time (&p, &record->time_ns))
    return FALSE;
  record->end_ns = record->time_ns;
  record->id = 0;
  if (record->type == BRACKETED_NOTE
      && (!next_time (&p, &record->end_ns) || !kymo_next_int (&p, &record->id)))
    return FALSE;
  find_text (p, end, record);
  return TRUE;
}

static gboolean
next_double (const char **p,
             double      *value)
{
  char *end;

  *value = g_ascii_strtod (*p, &end);
  if (end == *p)
    return FALSE;
  *p = end;
  return TRUE;
}

/* 32: t userTime value pe id. The line ends in a newline, at which a number
   that leaves its field out would be looked for: so each field is checked to
   stand before it. */
static gboolean
decode_stat (const char    *p,
             const char    *end,
             KymoLogRecord *record)
{
  double user_time;
  gint64 pe;

  return next_time (&p, &record->time_ns) && next_double (&p, &user_time)
    && next_double (&p, &record->value) && p < end
    && kymo_next_int (&p, &pe) && kymo_next_int (&p, &record->id);
}

/* 4, 5: m t ev pe; 10: m [ep] t ev pe len */
static gboolean
decode_queue (const char    *p,
              KymoLogRecord *record)
{
  gint64 f[6];
  guint n = 0;

  while (n < G_N_ELEMENTS (f) && kymo_next_int (&p, &f[n]))
    n++;
  return n >= 4
    && kymo_record_set_time (record->type == MESSAGE_RECV && n == 6 ? f[2] : f[1],
                             &record->time_ns);
}

/**
 * kymo_text_decode:
 * @line: a line that ends in a newline at @end
 * @record: (out): what it says; its type is %KYMO_NO_TYPE where the line
 *   does not begin with a number
 *
 * A type that is not known decodes as such, without fields.
 *
 * Returns: %FALSE where the fields are not what the type has
 */
gboolean
kymo_text_decode (KymoLogLayout *layout,
                  const char    *line,
                  const char    *end,
                  KymoLogRecord *record)
{
  const char *p = line;

  if (G_UNLIKELY (!kymo_next_int (&p, &record->type)))
    {
      record->type = KYMO_NO_TYPE;
      return FALSE;
    }
  switch (record->type)
    {
    case BEGIN_PROCESSING:
      return decode_begin (layout, p, record);
    case END_PROCESSING:
      return decode_end (layout, p, record);
    case CREATION:
    case CREATION_BCAST:
    case CREATION_MULTICAST:
      return decode_creation (layout, p, record);
    case USER_EVENT:
    case USER_SUPPLIED:
    case MEMORY_USAGE:
    case END_PHASE:
    case BEGIN_PAIR:
    case END_PAIR:
    case EVENT_PAIR:
      return decode_event (p, record);
    case BEGIN_FUNC:
    case END_FUNC:
      return next_time (&p, &record->time_ns) && kymo_next_int (&p, &record->id);
    case NOTE:
    case BRACKETED_NOTE:
      return decode_note (p, end, record);
    case USER_STAT:
      return decode_stat (p, end, record);
    case ENQUEUE:
    case DEQUEUE:
    case MESSAGE_RECV:
      return decode_queue (p, record);
    default:
      return !kymo_record_type_is_known (record->type) || next_time (&p, &record->time_ns);
    }
}

/**
 * kymo_text_fits:
 * @is_begin: (out): whether the line is a begin record of an entry method
 *
 * Returns: whether the .sts tells as many fields as the line has, and lists
 * its entry method
 */
gboolean
kymo_text_fits (const KymoLogLayout *layout,
                const char          *line,
                gboolean            *is_begin)
{
  const char *p = line;
  gint64 type, entry;
  gint n;

  *is_begin = kymo_next_int (&p, &type) && type == BEGIN_PROCESSING;
  if (!*is_begin || layout->sts->version < 90)
    return TRUE;
  if (!kymo_next_int (&p, &entry) || !kymo_next_int (&p, &entry))
    return FALSE;
  n = n_ids (layout, entry);
  return n >= 0 && count_fields (p) == 4 + 1 + (guint) n + 1 + layout->n_counters;
}

/* Number of fields of a record of the type; -1 where it varies. */
static gint
count_expected (const KymoLogLayout *layout,
                const KymoLogRecord *record)
{
  gint n;

  switch (record->type)
    {
    case BEGIN_COMPUTATION:
    case END_COMPUTATION:
      return 1;
    case BEGIN_IDLE ... END_UNPACK:
      return 2;
    case CREATION:
      return 7;
    case CREATION_BCAST:
      return 8;
    case BEGIN_PROCESSING:
      n = n_ids (layout, record->id);
      return n < 0 ? -1 : 8 + n + (gint) layout->n_counters;
    case END_PROCESSING:
      return 7 + (gint) layout->n_counters;
    default:
      return -1;
    }
}

/* TRUE if the record names an entry method that the .sts, which lists them all, does not have. */
static gboolean
names_no_entry (const KymoLogLayout *layout,
                const KymoLogRecord *record)
{
  const KymoSts *sts = layout->sts;
  gboolean names = record->type <= END_PROCESSING || record->type == CREATION_BCAST;

  return names && sts->is_complete && !layout->count_fields
    && (record->id < 0 || record->id >= sts->n_entries
        || sts->entries[record->id].activity == G_MAXUINT32);
}

static gboolean
is_number (char c)
{
  return g_ascii_isdigit (c) || c == ' ' || c == '-' || c == '\r';
}

/**
 * kymo_text_is_whole:
 * @line: a line of a text log
 * @end: of the line
 * @record: what kymo_text_decode() made of the line, of a log since 6.5
 *
 * Judges more strictly than kymo_text_decode(), which forgives what old or odd writers do.
 *
 * Returns: %FALSE if no writer writes such a line: its type or entry method is not known, or
 *   its fields are more, fewer or other than those of its type
 */
gboolean
kymo_text_is_whole (const KymoLogLayout *layout,
                    const char          *line,
                    const char          *end,
                    const KymoLogRecord *record)
{
  const char *p = line;
  gint64 type;
  gint expected = layout->has_cpu_time ? count_expected (layout, record) : -1;

  if (!kymo_record_type_is_known (record->type) || names_no_entry (layout, record))
    return FALSE;
  if (expected < 0)
    return TRUE;
  for (; p < end; p++)
    if (!is_number (*p))
      return FALSE;
  p = line;
  return kymo_next_int (&p, &type) && (gint) count_fields (p) == expected;
}
