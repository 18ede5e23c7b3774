/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * First line "PROJECTIONS-RECORD n", then a record a line, first number its
 * type. n is the number of records at the first flush: it counts only as the
 * sign of a reduction (a complete log with fewer records was cut).
 * Times are microseconds and become nanoseconds here.
 */
#include "config.h"

#include "kymo-projections-log.h"

#include <math.h>
#include <string.h>

#include "kymo-fields.h"
#include "kymo-lines.h"
#include "kymo-segment-builder.h"

/* Beyond this many microseconds nanoseconds would overflow. */
#define MAX_US (G_MAXINT64 / 4000)

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

/** An open user bracket of records 22, 98 or the first line of a 100. */
typedef struct
{
  gint64    begin_ns;
  gint64    id, nested;
  guint32   activity;
} OpenBracket;

typedef struct
{
  const KymoLogRequest *request;
  const KymoSts        *sts;
  KymoSegmentBuilder   *builder;
  gint64                n_records;
  gint64                n_damaged;
  gint64                damaged_offset;
  gint64                n_unknown;
  gint64                n_unknown_entries;
  gint64                n_open_brackets;
  gint64                n_substance;    /* records beside 6, 7 and 30 */
  gint64                last_type;
  GArray               *brackets;       /* OpenBracket of 98 and 22 */
  OpenBracket           pair;           /* first line of a 100 */
  gboolean              in_pair;
  /* fields of begin records, by version */
  gboolean              has_receive_time;
  gboolean              has_send_duration;
} Log;

static inline gboolean
to_ns (gint64  us,
       gint64 *ns)
{
  *ns = us * 1000;
  return us >= 0 && us <= MAX_US;
}

static inline gboolean
next_time (const char **p,
           gint64      *ns)
{
  gint64 us;

  return kymo_next_int (p, &us) && to_ns (us, ns);
}

static inline guint32
entry_activity (Log    *log,
                gint64  id)
{
  const KymoSts *sts = log->sts;

  if (G_LIKELY (id >= 0 && id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32))
    return sts->entries[id].activity;
  log->n_unknown_entries++;
  return sts->unknown_entry;
}

static inline guint32
event_activity (Log    *log,
                gint64  id)
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
n_ids (const Log *log,
       gint64     entry)
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
is_index (const Log        *log,
          gint64            entry,
          const KymoObject *object)
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
read_begin (Log        *log,
            const char *p)
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
  kymo_segment_builder_touch (log->builder, time_ns);
  kymo_segment_builder_begin_block (log->builder, time_ns, entry_activity (log, f[1]),
                                    to_int32 (f[4]), to_int32 (f[3]), message_bytes (f[5]),
                                    is_index (log, f[1], &object) ? &object : NULL);
  return TRUE;
}

/* 3: m ep t ev srcPe len cpuEnd; only the time matters. */
static gboolean
read_end (Log        *log,
          const char *p)
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
read_destinations (Log        *log,
                   const char *p,
                   gint64      count)
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
read_creation (Log        *log,
               const char *p,
               gint64      type)
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
add_point (Log           *log,
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
read_pair (Log        *log,
           const char *p,
           gint64      type)
{
  gint64 id, time_ns, event, pe;
  OpenBracket open;

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
        const OpenBracket *b = &g_array_index (log->brackets, OpenBracket, i);

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
read_function (Log        *log,
               const char *p,
               gint64      type)
{
  OpenBracket open = { 0 };
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
      const OpenBracket *b = &g_array_index (log->brackets, OpenBracket, i);

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
read_note (Log        *log,
           const char *p,
           const char *end,
           gint64      type)
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
read_stat (Log        *log,
           const char *p)
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
read_value (Log        *log,
            const char *p,
            gint64      type)
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
read_plain (Log        *log,
            const char *p,
            gint64      type)
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
read_queue (Log        *log,
            const char *p,
            gint64      type)
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

static gboolean
read_record (Log        *log,
             const char *p,
             const char *end,
             gint64      type)
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

static inline void
read_line (Log        *log,
           const char *line,
           const char *end,
           gint64      offset)
{
  const char *p = line;
  gint64 type;
  gboolean fine;

  fine = kymo_next_int (&p, &type);
  if (fine)
    {
      log->n_records++;
      log->n_substance += type != BEGIN_COMPUTATION && type != END_COMPUTATION
        && type != END_PHASE;
      log->last_type = type;
      fine = read_record (log, p, end, type);
    }
  if (G_UNLIKELY (!fine) && log->n_damaged++ == 0)
    log->damaged_offset = offset;
}

static void
report_end_of_file (Log         *log,
                    KymoLines   *lines,
                    KymoInflate *inflate)
{
  static const char *const sentences[] =
  {
    [KYMO_INFLATE_CUT] = "The compressed file is cut off",
    [KYMO_INFLATE_DAMAGED] = "The compressed data are damaged; nothing after this can be read",
    [KYMO_INFLATE_GARBAGE] = "After the compressed data comes something else, which is ignored",
    [KYMO_INFLATE_UNREADABLE] = "The system could not read on",
  };
  KymoInflateEnd end = kymo_inflate_get_end (inflate);
  const KymoLogRequest *request = log->request;

  if (end > KYMO_INFLATE_END)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1,
                     lines->offset + lines->tail_bytes, "%s", sentences[end]);
  if (lines->tail_bytes > 0)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, lines->offset,
                     "The last line is cut off; that record is lost");
  else if (log->last_type != END_COMPUTATION && end == KYMO_INFLATE_END)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, lines->offset,
                     "The log ends without END_COMPUTATION: the end of the run is missing");
  if (lines->skipped_lines > 0)
    kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, lines->skipped_lines,
                     lines->skipped_offset, "Lines longer than 1 MiB are no records");
}

static void
report_records (Log               *log,
                const KymoRepairs *repairs)
{
  const KymoLogRequest *request = log->request;
  KymoReport *report = request->report;
  gint64 open = log->n_open_brackets + log->brackets->len + log->in_pair;

  if (log->n_damaged > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_LOST, log->n_damaged,
                     log->damaged_offset, "Records that could not be understood were left out");
  if (log->n_unknown > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_NOTE, log->n_unknown, -1,
                     "Records of a type that is not known were left out");
  if (log->n_unknown_entries > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_REPAIRED, log->n_unknown_entries, -1,
                     "Records name an entry method that the .sts does not list");
  if (repairs->time_backwards > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_REPAIRED, repairs->time_backwards, -1,
                     "Blocks or idle begin before the record before them; moved to its time");
  if (repairs->idle_in_block > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_REPAIRED, repairs->idle_in_block, -1,
                     "Idle overlaps a block; the block counts");
  if (repairs->too_deep > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_LOST, repairs->too_deep, -1,
                     "Blocks nest deeper than 255; the inner ones were left out");
  if (open > 0)
    kymo_report_add (report, request->name, KYMO_SEVERITY_NOTE, open, -1,
                     "User events begin and never end");
}

static gboolean
read_header (KymoLines *lines,
             gint64    *n_announced)
{
  static const char magic[] = "PROJECTIONS-RECORD";
  char *end;
  const char *line = kymo_lines_next (lines, &end);
  const char *p;

  if (line == NULL || (gsize) (end - line) < sizeof magic
      || memcmp (line, magic, sizeof magic - 1) != 0)
    return FALSE;
  p = line + sizeof magic - 1;
  if (!kymo_next_int (&p, n_announced))
    *n_announced = 0;
  return TRUE;
}

/* Reads all lines; FALSE when the memory limit was reached. */
static gboolean
read_records (Log       *log,
              KymoLines *lines)
{
  const KymoLogRequest *request = log->request;
  gsize charged = 0;
  char *line, *end;

  while ((line = kymo_lines_next (lines, &end)) != NULL)
    {
      read_line (log, line, end, lines->line_offset);
      if (G_UNLIKELY ((log->n_records & 0xffff) == 0))
        {
          gsize bytes = kymo_segment_builder_get_bytes (log->builder);

          if (__atomic_sub_fetch (request->memory_left, (gint64) (bytes - charged),
                                  __ATOMIC_RELAXED) < 0)
            return FALSE;
          charged = bytes;
        }
    }
  return TRUE;
}

static void
finish_log (Log           *log,
            gint64         n_announced,
            KymoLogResult *result)
{
  KymoRepairs repairs;
  gboolean complete = log->last_type == END_COMPUTATION && log->n_damaged == 0;
  gboolean empty = log->n_substance == 0;

  result->reduced = complete && n_announced > log->n_records;
  result->kept = !empty;
  result->segment = kymo_segment_builder_seal (log->builder, log->n_records,
                                               result->reduced || empty, &repairs);
  report_records (log, &repairs);
}

static void
report_not_a_log (const KymoLogRequest *request,
                  KymoLines            *lines,
                  KymoInflate          *inflate)
{
  gboolean empty = lines->offset == 0 && lines->end == lines->buffer;

  kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, 0,
                   empty && kymo_inflate_get_end (inflate) == KYMO_INFLATE_END
                   ? "The log is empty"
                   : "The file does not begin with PROJECTIONS-RECORD: it is no text log");
}

/**
 * kymo_projections_log_read:
 * @request: what to read
 * @job: (nullable): progress and cancelling
 * @result: (out): what came of it; losses are in the report
 *
 * Stops within a few milliseconds of a cancellation; then result->segment
 * holds what was read until then.
 */
void
kymo_projections_log_read (const KymoLogRequest *request,
                           KymoJob              *job,
                           KymoLogResult        *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (request->path, &error);
  Log log = { .request = request, .sts = request->sts };
  KymoLines lines;
  gint64 n_announced;

  memset (result, 0, sizeof *result);
  if (inflate == NULL)
    {
      kymo_report_add (request->report, request->name, KYMO_SEVERITY_LOST, 1, -1, "%s",
                       error->message);
      return;
    }
  kymo_lines_init (&lines, inflate, job);
  if (!read_header (&lines, &n_announced))
    report_not_a_log (request, &lines, inflate);
  else
    {
      log.builder = kymo_segment_builder_new (0, request->n_activities);
      log.brackets = g_array_new (FALSE, FALSE, sizeof (OpenBracket));
      log.has_receive_time = request->sts->version >= 40;
      log.has_send_duration = request->sts->version >= 50;
      result->out_of_memory = !read_records (&log, &lines);
      if (!result->out_of_memory && !kymo_job_is_cancelled (job))
        {
          report_end_of_file (&log, &lines, inflate);
          finish_log (&log, n_announced, result);
        }
      g_array_unref (log.brackets);
      kymo_segment_builder_free (log.builder);
    }
  kymo_lines_clear (&lines);
}
