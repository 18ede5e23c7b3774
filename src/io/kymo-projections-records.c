/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of each record type, and what they mean for the segment. Times
 * are microseconds and become nanoseconds here.
 */
#include "config.h"

#include "kymo-projections-records.h"

#include <math.h>
#include <string.h>

#include "kymo-fields.h"

/* Beyond this many microseconds nanoseconds would overflow. */
#define MAX_US (G_MAXINT64 / 4000)

static inline gboolean
to_ns (gint64  us,
       gint64 *ns)
{
  if (G_UNLIKELY (us < 0 || us > MAX_US))
    return FALSE;
  *ns = us * 1000;
  return TRUE;
}

static inline gboolean
next_time (const char **p,
           gint64      *ns)
{
  gint64 us;

  return kymo_next_int (p, &us) && to_ns (us, ns);
}

static inline guint32
entry_activity (KymoLogState *log,
                gint64        id)
{
  const KymoSts *sts = log->sts;

  if (G_LIKELY (id >= 0 && id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32))
    return sts->entries[id].activity;
  log->n_unknown_entries++;
  return sts->unknown_entry;
}

static inline guint32
event_activity (KymoLogState *log,
                gint64        id)
{
  guint32 activity = log->sts->events[id & (KYMO_STS_N_EVENT_IDS - 1)];

  return activity != G_MAXUINT32 ? activity : log->sts->unknown_event;
}

static inline guint32
message_bytes (gint64 length)
{
  return CLAMP (length, 0, G_MAXINT32);
}

static inline gint32
to_int32 (gint64 value)
{
  return CLAMP (value, G_MININT32, G_MAXINT32);
}

/* How many index numbers a begin record of this entry carries. */
static inline guint
n_ids (const KymoLogState *log,
       gint64              entry)
{
  const KymoSts *sts = log->sts;

  if (sts->version < 40)
    return 0;
  if (sts->version < 70)
    return 3;
  if (sts->version < 90 || entry < 0 || entry >= sts->n_entries
      || sts->entries[entry].n_dimensions < 0)
    return 4;
  return sts->entries[entry].n_dimensions;
}

/* An entry of no array carries four numbers, all zero: they are no index. */
static gboolean
is_index (const KymoLogState *log,
          gint64              entry,
          const KymoObject   *object)
{
  const KymoSts *sts = log->sts;

  if (sts->version < 90
      || (entry >= 0 && entry < sts->n_entries && sts->entries[entry].n_dimensions > 0))
    return TRUE;
  for (guint i = 0; i < object->n_dimensions; i++)
    if (object->index[i] != 0)
      return TRUE;
  return FALSE;
}

/* 2: m ep t ev srcPe len recvTime ids... cpuStart [counters...] */
static gboolean
read_begin (KymoLogState *log,
            const char   *p)
{
  gint64 f[6], skipped, time_ns;
  KymoObject object = { { 0 }, 0 };
  guint n;

  if (!kymo_next_ints (&p, f, 6) || !to_ns (f[2], &time_ns)
      || (log->has_receive_time && !kymo_next_int (&p, &skipped)))
    return FALSE;
  n = n_ids (log, f[1]);
  for (guint i = 0; i < n; i++)
    {
      gint64 id;

      if (!kymo_next_int (&p, &id))
        return FALSE;
      if (i < KYMO_MAX_DIMENSIONS)
        object.index[i] = to_int32 (id);
    }
  object.n_dimensions = MIN (n, KYMO_MAX_DIMENSIONS);
  if (G_UNLIKELY (f[3] >= 0 && (f[4] < 0 || f[4] >= log->sts->n_pes)))
    log->n_unknown_sources++;
  kymo_segment_builder_touch (log->builder, time_ns);
  kymo_segment_builder_begin_block (log->builder, time_ns, entry_activity (log, f[1]),
                                    to_int32 (f[4]), to_int32 (f[3]), message_bytes (f[5]),
                                    is_index (log, f[1], &object) ? &object : NULL);
  return TRUE;
}

/* 3: m ep t ev srcPe len cpuEnd; only the time matters. */
static gboolean
read_end (KymoLogState *log,
          const char   *p)
{
  gint64 f[3], time_ns;

  if (!kymo_next_ints (&p, f, 3) || !to_ns (f[2], &time_ns))
    return FALSE;
  kymo_segment_builder_touch (log->builder, time_ns);
  kymo_segment_builder_end_block (log->builder, time_ns);
  return TRUE;
}

/* The destinations of a multicast: since version 11 their count stands twice;
   told apart by the number of fields that are left. */
static gboolean
read_destinations (KymoLogState *log,
                   const char   *p,
                   gint64        count)
{
  const char *q = p;
  gint64 pe;
  gint64 n_fields = 0;

  while (kymo_next_int (&q, &pe))
    n_fields++;
  if (n_fields != count && n_fields != count + 1)
    return FALSE;
  if (n_fields == count + 1)
    kymo_next_int (&p, &pe);
  for (gint64 i = 0; i < count && kymo_next_int (&p, &pe); i++)
    kymo_segment_builder_multicast_pe (log->builder, to_int32 (pe));
  return TRUE;
}

/* 1, 20, 21: m ep t ev pe len sendDur [numPes [list]] */
static gboolean
read_creation (KymoLogState *log,
               const char   *p,
               gint64        type)
{
  static const guint8 kinds[] = { KYMO_SEND_ONE, KYMO_SEND_BROADCAST, KYMO_SEND_MULTICAST };
  gint64 f[6], skipped, n_pes = 1, time_ns;

  if (!kymo_next_ints (&p, f, 6) || !to_ns (f[2], &time_ns)
      || (log->has_send_duration && !kymo_next_int (&p, &skipped)))
    return FALSE;
  if (type != CREATION && (!kymo_next_int (&p, &n_pes) || n_pes < 0 || n_pes > G_MAXINT32))
    return FALSE;
  kymo_segment_builder_touch (log->builder, time_ns);
  kymo_segment_builder_send (log->builder, time_ns, kinds[type == CREATION ? 0 : type - 19],
                             entry_activity (log, f[1]), to_int32 (f[3]),
                             message_bytes (f[5]), n_pes);
  return type != CREATION_MULTICAST || read_destinations (log, p, n_pes);
}

static void
add_point (KymoLogState  *log,
           KymoPointKind  kind,
           gint64         begin_ns,
           gint64         end_ns,
           guint32        activity,
           gint64         id,
           gint64         nested,
           double         value,
           char          *text)
{
  KymoPoint point = { begin_ns, end_ns, kind, activity, to_int32 (id), to_int32 (nested),
                      value, text };

  kymo_segment_builder_point (log->builder, &point);
}

/* 98, 99, 100: id t ev pe [nestedID] */
static gboolean
read_pair (KymoLogState *log,
           const char   *p,
           gint64        type)
{
  gint64 id, time_ns, event, pe;
  KymoOpenBracket open;

  open.nested = 0;
  if (!kymo_next_int (&p, &id) || !next_time (&p, &time_ns) || !kymo_next_int (&p, &event)
      || !kymo_next_int (&p, &pe))
    return FALSE;
  kymo_next_int (&p, &open.nested);
  kymo_segment_builder_touch (log->builder, time_ns);
  open.begin_ns = time_ns;
  open.id = id;
  open.activity = event_activity (log, id);
  if (type == BEGIN_PAIR)
    g_array_append_val (log->brackets, open);
  else if (type == EVENT_PAIR && !(log->in_pair && log->pair.id == id))
    {
      log->n_open_brackets += log->in_pair;
      log->pair = open;
      log->in_pair = TRUE;
    }
  else if (type == EVENT_PAIR)
    {
      add_point (log, KYMO_POINT_BRACKET, log->pair.begin_ns, MAX (time_ns, log->pair.begin_ns),
                 open.activity, id, open.nested, 0, NULL);
      log->in_pair = FALSE;
    }
  else
    for (guint i = log->brackets->len; i-- > 0;)
      {
        const KymoOpenBracket *b = &g_array_index (log->brackets, KymoOpenBracket, i);

        if (b->id != id || b->nested != open.nested || b->activity != open.activity)
          continue;
        add_point (log, KYMO_POINT_BRACKET, b->begin_ns, MAX (time_ns, b->begin_ns),
                   b->activity, id, b->nested, 0, NULL);
        g_array_remove_index (log->brackets, i);
        break;
      }
  return TRUE;
}

/* 22: t id ev name; 23: t id. Written up to Charm++ 6.8; shown as brackets. */
static gboolean
read_function (KymoLogState *log,
               const char   *p,
               gint64        type)
{
  KymoOpenBracket open = { 0 };
  gint64 time_ns;
  guint activity;

  if (!next_time (&p, &time_ns) || !kymo_next_int (&p, &open.id))
    return FALSE;
  kymo_segment_builder_touch (log->builder, time_ns);
  activity = GPOINTER_TO_UINT (g_hash_table_lookup (log->sts->functions,
                                                    GINT_TO_POINTER ((gint) open.id)));
  open.activity = activity > 0 ? activity - 1 : log->sts->unknown_event;
  open.begin_ns = time_ns;
  /* Functions and events are separate id spaces; keep their brackets apart. */
  open.nested = G_MAXINT64;
  if (type == BEGIN_FUNC)
    {
      g_array_append_val (log->brackets, open);
      return TRUE;
    }
  for (guint i = log->brackets->len; i-- > 0;)
    {
      const KymoOpenBracket *b = &g_array_index (log->brackets, KymoOpenBracket, i);

      if (b->nested != G_MAXINT64 || b->id != open.id)
        continue;
      add_point (log, KYMO_POINT_BRACKET, b->begin_ns, MAX (time_ns, b->begin_ns), b->activity,
                 open.id, 0, 0, NULL);
      g_array_remove_index (log->brackets, i);
      break;
    }
  return TRUE;
}

/* The text of a note after "len". Up to version 10 a blank that is not
   counted stands between; since 11 the text follows the number at once. There
   the number may run into a text that begins with a digit: it is split where
   the length equals the rest of the line. */
static char *
note_text (const char *p,
           const char *end)
{
  gint64 length = 0;

  while (*p == ' ')
    p++;
  for (; g_ascii_isdigit (*p) && length < G_MAXINT32; p++)
    {
      length = length * 10 + (*p - '0');
      if (end - (p + 1) == length)
        return g_strndup (p + 1, length);
      if (p[1] == ' ' && end - (p + 2) == length)
        return g_strndup (p + 2, length);
    }
  /* A length that fits nowhere: keep what there is. */
  return g_strndup (p, MAX (end - p, 0));
}

/* 28: t len text; 29: t tEnd id len text */
static gboolean
read_note (KymoLogState *log,
           const char   *p,
           const char   *end,
           gint64        type)
{
  gint64 begin_ns, end_ns, id = 0;

  if (end > p && end[-1] == '\r')
    end--;
  if (!next_time (&p, &begin_ns))
    return FALSE;
  end_ns = begin_ns;
  if (type == BRACKETED_NOTE && (!next_time (&p, &end_ns) || !kymo_next_int (&p, &id)))
    return FALSE;
  kymo_segment_builder_touch (log->builder, begin_ns);
  kymo_segment_builder_touch (log->builder, MAX (begin_ns, end_ns));
  add_point (log, type == NOTE ? KYMO_POINT_NOTE : KYMO_POINT_BRACKET_NOTE, begin_ns,
             MAX (begin_ns, end_ns), G_MAXUINT32, id, 0, 0, note_text (p, end));
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

/* 32: t userTime value pe id */
static gboolean
read_stat (KymoLogState *log,
           const char   *p)
{
  gint64 time_ns, pe, id;
  double user_time, value;

  if (!next_time (&p, &time_ns) || !next_double (&p, &user_time) || !next_double (&p, &value)
      || !kymo_next_int (&p, &pe) || !kymo_next_int (&p, &id))
    return FALSE;
  kymo_segment_builder_touch (log->builder, time_ns);
  add_point (log, KYMO_POINT_USER_STAT, time_ns, time_ns, G_MAXUINT32, id, 0, value, NULL);
  return TRUE;
}

/* 13: id t ev pe; 26: value t; 27: bytes t; 30: phase t */
static gboolean
read_value (KymoLogState *log,
            const char   *p,
            gint64        type)
{
  gint64 value, time_ns;

  if (!kymo_next_int (&p, &value) || !next_time (&p, &time_ns))
    return FALSE;
  kymo_segment_builder_touch (log->builder, time_ns);
  if (type == USER_EVENT)
    add_point (log, KYMO_POINT_USER_EVENT, time_ns, time_ns, event_activity (log, value), value,
               0, 0, NULL);
  else if (type == END_PHASE)
    {
      kymo_segment_builder_phase (log->builder, time_ns);
      add_point (log, KYMO_POINT_PHASE, time_ns, time_ns, G_MAXUINT32, value, 0, 0, NULL);
    }
  else
    add_point (log, type == MEMORY_USAGE ? KYMO_POINT_MEMORY : KYMO_POINT_USER_VALUE, time_ns,
               time_ns, G_MAXUINT32, 0, 0, (double) value, NULL);
  return TRUE;
}

/* Records of a time and little else. */
static gboolean
read_plain (KymoLogState *log,
            const char   *p,
            gint64        type)
{
  KymoSegmentBuilder *b = log->builder;
  gint64 t;

  if (!next_time (&p, &t))
    return FALSE;
  kymo_segment_builder_touch (b, t);
  switch (type)
    {
    case BEGIN_COMPUTATION:
      kymo_segment_builder_phase (b, t);
      break;
    case END_COMPUTATION:
      /* The mark first: closing cuts the track, and a cut stretch would be
         taken for overhead. */
      kymo_segment_builder_phase (b, t);
      kymo_segment_builder_close_all (b, t);
      break;
    case BEGIN_TRACE:
    case END_TRACE:
      kymo_segment_builder_set_traced (b, t, type == BEGIN_TRACE);
      add_point (log, type == BEGIN_TRACE ? KYMO_POINT_TRACE_ON : KYMO_POINT_TRACE_OFF, t, t,
                 G_MAXUINT32, 0, 0, 0, NULL);
      break;
    case BEGIN_IDLE:
    case END_IDLE:
      kymo_segment_builder_set_idle (b, t, type == BEGIN_IDLE);
      break;
    case BEGIN_INTERRUPT:
      kymo_segment_builder_begin_stretch (b, KYMO_STRETCH_FLUSH, t);
      break;
    case END_INTERRUPT:
      kymo_segment_builder_end_stretch (b, KYMO_STRETCH_FLUSH, t);
      break;
    case BEGIN_PACK:
      kymo_segment_builder_begin_stretch (b, KYMO_STRETCH_PACK, t);
      break;
    case END_PACK:
      kymo_segment_builder_end_stretch (b, KYMO_STRETCH_PACK, t);
      break;
    case BEGIN_UNPACK:
      kymo_segment_builder_begin_stretch (b, KYMO_STRETCH_UNPACK, t);
      break;
    case END_UNPACK:
      kymo_segment_builder_end_stretch (b, KYMO_STRETCH_UNPACK, t);
      break;
    }
  return TRUE;
}

/* 4, 5: m t ev pe; 10: m [ep] t ev pe len. Not written by current runtimes;
   they tell nothing that the others do not, beside their time. */
static gboolean
read_queue (KymoLogState *log,
            const char   *p,
            gint64        type)
{
  gint64 f[6], time_ns;
  guint n = 0;

  while (n < G_N_ELEMENTS (f) && kymo_next_int (&p, &f[n]))
    n++;
  if (n < 4 || !to_ns (type == MESSAGE_RECV && n == 6 ? f[2] : f[1], &time_ns))
    return FALSE;
  kymo_segment_builder_touch (log->builder, time_ns);
  return TRUE;
}

/**
 * kymo_projections_record_read:
 * @fields: what follows the type on the line
 * @end: the line's newline
 * @type: number of the record's type
 *
 * Returns: %FALSE where the fields are not what the type has; the record is
 * lost then
 */
gboolean
kymo_projections_record_read (KymoLogState *log,
                              const char   *p,
                              const char   *end,
                              gint64        type)
{
  switch (type)
    {
    case BEGIN_PROCESSING:
      return read_begin (log, p);
    case END_PROCESSING:
      return read_end (log, p);
    case CREATION:
    case CREATION_BCAST:
    case CREATION_MULTICAST:
      return read_creation (log, p, type);
    case USER_EVENT:
    case USER_SUPPLIED:
    case MEMORY_USAGE:
    case END_PHASE:
      return read_value (log, p, type);
    case BEGIN_PAIR:
    case END_PAIR:
    case EVENT_PAIR:
      return read_pair (log, p, type);
    case BEGIN_FUNC:
    case END_FUNC:
      return read_function (log, p, type);
    case NOTE:
    case BRACKETED_NOTE:
      return read_note (log, p, end, type);
    case USER_STAT:
      return read_stat (log, p);
    case ENQUEUE:
    case DEQUEUE:
    case MESSAGE_RECV:
      return read_queue (log, p, type);
    default:
      if (type >= BEGIN_COMPUTATION && type <= END_UNPACK)
        return read_plain (log, p, type);
      log->n_unknown++;
      return TRUE;
    }
}
