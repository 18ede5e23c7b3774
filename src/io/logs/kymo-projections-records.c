/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each record means for the segment. The one place where records of
 * either form change something.
 */
#include "config.h"

#include "kymo-projections-records.h"

#include <string.h>

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

static inline void
apply_counters (KymoLogState        *log,
                const KymoLogRecord *r,
                gboolean             begin)
{
  if (G_LIKELY (log->layout.n_counters == 0))
    return;
  log->n_short_counters += r->n_counters == 0;
  if (begin)
    kymo_segment_builder_begin_counters (log->builder, r->n_counters > 0 ? r->counters : NULL);
  else
    kymo_segment_builder_end_counters (log->builder, r->n_counters > 0 ? r->counters : NULL);
}

static inline void
count_source (KymoLogState *log,
              gint64        event,
              gint64        pe)
{
  if (G_UNLIKELY (event >= 0 && (pe < 0 || pe >= log->sts->n_pes)))
    log->n_unknown_sources++;
}

/* What is far from any time is not told. */
static inline gint64
believed_us (gint64 us)
{
  return us <= KYMO_MAX_US ? us : -1;
}

static inline void
apply_begin (KymoLogState        *log,
             const KymoLogRecord *r)
{
  guint32 activity = kymo_log_activity (log, r->id);

  count_source (log, r->event, r->pe);
  kymo_segment_builder_begin_block (log->builder, r->time_ns, activity,
                                    kymo_record_int32 (r->pe), kymo_record_int32 (r->event),
                                    message_bytes (r->length),
                                    r->object.n_dimensions > 0 ? &r->object : NULL);
  apply_counters (log, r, TRUE);
  if (log->cpu != NULL)
    kymo_log_cpu_begin (log->cpu, r->time_ns, kymo_record_int32 (r->id), activity,
                        believed_us (r->cpu_us));
}

static inline void
apply_creation (KymoLogState        *log,
                const KymoLogRecord *r)
{
  static const guint8 kinds[] = { KYMO_SEND_ONE, KYMO_SEND_BROADCAST, KYMO_SEND_MULTICAST };

  kymo_segment_builder_send (log->builder, r->time_ns,
                             kinds[r->type == CREATION ? 0 : r->type - 19],
                             kymo_log_activity (log, r->id), kymo_record_int32 (r->event),
                             message_bytes (r->length), r->n_destinations);
  if (r->type == CREATION_MULTICAST)
    for (gint64 i = 0; i < r->n_destinations; i++)
      kymo_segment_builder_multicast_pe (log->builder, r->destinations[i]);
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
  KymoPoint point = { begin_ns, end_ns, kind, 0, 0, activity, kymo_record_int32 (id),
                      kymo_record_int32 (nested), { value }, text };

  kymo_segment_builder_point (log->builder, &point);
}

/* Open brackets lie by id and nesting on a stack each, so that however many
   never end, finding one costs the same. */
static void
open_bracket (GHashTable *brackets,
              gint64      key,
              gint64      begin_ns)
{
  GArray *stack = g_hash_table_lookup (brackets, &key);

  if (stack == NULL)
    {
      stack = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (brackets, g_memdup2 (&key, sizeof key), stack);
    }
  g_array_append_val (stack, begin_ns);
}

/* The innermost open bracket of this id ends; without one nothing does. */
static void
close_bracket (KymoLogState *log,
               GHashTable   *brackets,
               gint64        key,
               gint64        end_ns,
               guint32       activity,
               gint64        nested)
{
  GArray *stack = g_hash_table_lookup (brackets, &key);
  gint64 begin_ns;

  if (stack == NULL || stack->len == 0)
    return;
  begin_ns = g_array_index (stack, gint64, stack->len - 1);
  g_array_set_size (stack, stack->len - 1);
  log->n_open_brackets--;
  add_point (log, KYMO_POINT_BRACKET, begin_ns, MAX (end_ns, begin_ns), activity, key >> 32,
             nested, 0, NULL);
}

/* 98 and 99 pair by id and nesting; of 100 always two stand together. */
static void
apply_pair (KymoLogState        *log,
            const KymoLogRecord *r)
{
  guint32 activity = event_activity (log, r->id);
  gint64 key = (gint64) ((guint64) (guint32) kymo_record_int32 (r->id) << 32)
    | (guint32) kymo_record_int32 (r->nested);

  if (r->type == BEGIN_PAIR)
    {
      log->n_open_brackets++;
      open_bracket (log->brackets, key, r->time_ns);
    }
  else if (r->type == END_PAIR)
    close_bracket (log, log->brackets, key, r->time_ns, activity, r->nested);
  else if (!(log->in_pair && log->pair_id == r->id))
    {
      log->n_open_brackets += log->in_pair;
      log->pair_id = r->id;
      log->pair_begin_ns = r->time_ns;
      log->in_pair = TRUE;
    }
  else
    {
      add_point (log, KYMO_POINT_BRACKET, log->pair_begin_ns,
                 MAX (r->time_ns, log->pair_begin_ns), activity, r->id, r->nested, 0, NULL);
      log->in_pair = FALSE;
    }
}

/* Written up to Charm++ 6.8; shown as brackets. */
static void
apply_function (KymoLogState        *log,
                const KymoLogRecord *r)
{
  gint32 id = kymo_record_int32 (r->id);
  guint activity = GPOINTER_TO_UINT (g_hash_table_lookup (log->sts->functions,
                                                          GINT_TO_POINTER (id)));

  if (r->type == BEGIN_FUNC)
    {
      log->n_open_brackets++;
      open_bracket (log->open_functions, id, r->time_ns);
    }
  else
    close_bracket (log, log->open_functions, id, r->time_ns,
                   activity > 0 ? activity - 1 : log->sts->unknown_event, 0);
}

static void
apply_point (KymoLogState        *log,
             const KymoLogRecord *r)
{
  /* A note without an end has the time that it was sifted to. */
  gint64 t = r->time_ns, end = r->type == BRACKETED_NOTE ? MAX (t, r->end_ns) : t;

  switch (r->type)
    {
    case USER_EVENT:
      add_point (log, KYMO_POINT_USER_EVENT, t, t, event_activity (log, r->id), r->id, 0, 0, NULL);
      break;
    case END_PHASE:
      kymo_segment_builder_phase (log->builder, t);
      add_point (log, KYMO_POINT_PHASE, t, t, G_MAXUINT32, r->id, 0, 0, NULL);
      break;
    case USER_STAT:
      add_point (log, KYMO_POINT_USER_STAT, t, t, G_MAXUINT32, r->id, 0, r->value, NULL);
      break;
    case NOTE:
    case BRACKETED_NOTE:
      kymo_segment_builder_touch (log->builder, end);
      add_point (log, r->type == NOTE ? KYMO_POINT_NOTE : KYMO_POINT_BRACKET_NOTE, t, end,
                 G_MAXUINT32, r->id, 0, 0, g_strndup (r->text, r->n_text));
      break;
    default:
      add_point (log, r->type == MEMORY_USAGE ? KYMO_POINT_MEMORY : KYMO_POINT_USER_VALUE, t, t,
                 G_MAXUINT32, 0, 0, r->value, NULL);
      break;
    }
}

/* Blocks that something else than work lies in, and those that do not end by a record of theirs. */
static inline void
note_state (KymoLogCpu *cpu,
            gint64      type,
            gint64      t)
{
  if (type == BEGIN_IDLE && cpu->depth > 0)
    cpu->open[cpu->depth].cpu_us = -1;
  else if (type == BEGIN_INTERRUPT || type == END_INTERRUPT)
    kymo_log_cpu_flush (cpu, t, type == BEGIN_INTERRUPT);
  else if (type == END_COMPUTATION || type == END_TRACE)
    cpu->depth = cpu->n_ignored = 0;
}

/* Records of a time and little else. */
static inline void
apply_state (KymoLogState *log,
             gint64        type,
             gint64        t)
{
  KymoSegmentBuilder *b = log->builder;

  if (log->cpu != NULL)
    note_state (log->cpu, type, t);
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
}

/**
 * kymo_projections_apply:
 * @record: what a decoder made
 *
 * Adds the record to the segment. One of a type that is not known is counted
 * and left out; those of queues (4, 5, 10), which current runtimes do not
 * write, tell nothing that the others do not, beside their time.
 */
void
kymo_projections_apply (KymoLogState        *log,
                        const KymoLogRecord *record)
{
  if (G_UNLIKELY (!kymo_record_type_is_known (record->type)))
    {
      log->n_unknown++;
      return;
    }
  if (G_UNLIKELY (kymo_log_is_far (log, record->time_ns)
                  || (record->type == BRACKETED_NOTE && kymo_log_is_far (log, record->end_ns))))
    {
      log->n_far++;
      return;
    }
  kymo_projections_note_fall (log, record);
  kymo_segment_builder_touch (log->builder, record->time_ns);
  switch (record->type)
    {
    case BEGIN_PROCESSING:
      apply_begin (log, record);
      break;
    case END_PROCESSING:
      apply_counters (log, record, FALSE);
      if (log->cpu != NULL)
        kymo_log_cpu_end (log->cpu, record->time_ns, kymo_record_int32 (record->id),
                          believed_us (record->cpu_us), NULL);
      kymo_segment_builder_end_block (log->builder, record->time_ns);
      break;
    case CREATION:
    case CREATION_BCAST:
    case CREATION_MULTICAST:
      apply_creation (log, record);
      break;
    case BEGIN_PAIR:
    case END_PAIR:
    case EVENT_PAIR:
      apply_pair (log, record);
      break;
    case BEGIN_FUNC:
    case END_FUNC:
      apply_function (log, record);
      break;
    case USER_EVENT:
    case USER_SUPPLIED:
    case MEMORY_USAGE:
    case END_PHASE:
    case NOTE:
    case BRACKETED_NOTE:
    case USER_STAT:
      apply_point (log, record);
      break;
    default:
      apply_state (log, record->type, record->time_ns);
      break;
    }
}

static void
apply_plain_begin (KymoLogState          *log,
                   const KymoPlainRecord *r)
{
  KymoObject object = { .n_dimensions = r->n_index };
  guint32 activity = kymo_log_activity (log, r->id);

  for (guint i = 0; i < r->n_index; i++)
    object.index[i] = r->index[i];
  count_source (log, r->event, r->pe);
  kymo_segment_builder_begin_block (log->builder, r->time_ns, activity, r->pe, r->event, r->length,
                                    r->n_index > 0 ? &object : NULL);
  if (log->cpu != NULL)
    kymo_log_cpu_begin (log->cpu, r->time_ns, r->id, activity, r->cpu_us);
}

/**
 * kymo_projections_apply_plain:
 * @records: (array length=n): of the common types, of a log without hardware
 *   counters where they are begins or ends
 *
 * Does what kymo_projections_apply() does with each of them.
 */
void
kymo_projections_apply_plain (KymoLogState          *log,
                              const KymoPlainRecord *records,
                              guint                  n)
{
  KymoSegmentBuilder *builder = log->builder;
  KymoLogCpu *cpu = log->cpu;
  gint64 before_ns = log->before_ns, n_falls = 0;

  for (const KymoPlainRecord *r = records; r < records + n; r++)
    {
      if (G_UNLIKELY (kymo_log_is_far (log, r->time_ns)))
        {
          log->n_far++;
          continue;
        }
      n_falls += r->time_ns < before_ns - KYMO_SIEVE_STEP_NS;
      before_ns = r->time_ns;
      kymo_segment_builder_touch (builder, r->time_ns);
      switch (r->type)
        {
        case BEGIN_PROCESSING:
          apply_plain_begin (log, r);
          break;
        case END_PROCESSING:
          if (cpu != NULL)
            kymo_log_cpu_end (cpu, r->time_ns, r->id, -1, r->rest);
          kymo_segment_builder_end_block (builder, r->time_ns);
          break;
        case CREATION:
        case CREATION_BCAST:
          kymo_segment_builder_send (builder, r->time_ns,
                                     r->type == CREATION ? KYMO_SEND_ONE : KYMO_SEND_BROADCAST,
                                     kymo_log_activity (log, r->id), r->event, r->length,
                                     r->type == CREATION ? 1 : r->index[0]);
          break;
        default:
          apply_state (log, r->type, r->time_ns);
          break;
        }
    }
  log->before_ns = before_ns;
  log->n_falls += n_falls;
}
