/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record is needed where its own time is in the range; where it is one of
 * the two ends of something that reaches into the range (a block with all that
 * is nested in it, idle time, packing, a bracket); where it is a mark (begin
 * and end of the computation and of tracing, end of a phase); and where its
 * block is a further piece of a call that begins in the range, or the piece
 * that it began with before: so calls count as they do in the whole log.
 *
 * Two walks: the first decides all but the pieces of calls, whose keys are
 * known only at its end. Ends and begins are marked together, so the records
 * that are marked nest as all did. Where they are not as a runtime writes
 * them (state changes that go back in time, idle time within a block), taking
 * says no, and the log is to be kept whole.
 *
 * One thread.
 */
#include "config.h"

#include "kymo-extract-marks.h"

#include <string.h>

/* As the segment's builder knows them. */
#define MAX_DEPTH 255
/* Beyond this a reader leaves records out (kymo-projections-records.c). */
#define MAX_SPAN_NS (G_GINT64_CONSTANT (1) << 53)

/* A record that began something. */
typedef struct
{
  gsize  index;
  gint64 begin_ns;
} Open;

typedef struct
{
  gboolean is;
  Open     open;
} Slot;

struct _KymoExtractMarks
{
  KymoSpan    span;
  gint64      last_ns;          /* last time that is inside */
  gsize       n;                /* records so far */
  gsize       room;             /* bits */
  guint8     *kept;
  guint8     *of_blocks;        /* begin and end records of blocks */
  gint64      cursor_ns;
  KymoSpan    times;
  gsize       n_substance;      /* beside 6, 7 and 30 */
  gsize       n_kept_substance;
  gboolean    was_traced;
  guint       depth;
  Open        outer;            /* the outermost open block */
  gboolean    outer_wanted;
  Slot        idle;
  Slot        stretches[3];     /* flushing, packing, unpacking */
  gint64      stretch_ns;       /* time of the last of their records */
  Slot        pair;             /* the first of two records 100 */
  gint64      pair_id;
  GHashTable *brackets;         /* of 98 and 22: key -> GArray of Open */
  GArray     *calls;            /* guint64: keys, at the end sorted */
  gboolean    has_spare;        /* something to keep where nothing else is */
  gsize       spare, spare_end;
};

static void
free_stack (gpointer data)
{
  g_array_unref (data);
}

/**
 * kymo_extract_marks_new:
 * @span: the time that is wanted
 * @to_end: whether it goes to the end of the run: then records at its end are inside
 *
 * Returns: (transfer full): free with kymo_extract_marks_free()
 */
KymoExtractMarks *
kymo_extract_marks_new (KymoSpan span,
                        gboolean to_end)
{
  KymoExtractMarks *m = g_new0 (KymoExtractMarks, 1);

  m->span = span;
  m->last_ns = to_end ? span.end_ns : span.end_ns - 1;
  m->cursor_ns = m->stretch_ns = G_MININT64;
  m->times = (KymoSpan) { G_MAXINT64, G_MININT64 };
  m->brackets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_stack);
  m->calls = g_array_new (FALSE, FALSE, sizeof (guint64));
  return m;
}

/**
 * kymo_extract_marks_free:
 *
 * Frees the marks. %NULL is ignored.
 */
void
kymo_extract_marks_free (KymoExtractMarks *m)
{
  if (m == NULL)
    return;
  g_hash_table_unref (m->brackets);
  g_array_unref (m->calls);
  g_free (m->kept);
  g_free (m->of_blocks);
  g_free (m);
}

static inline gboolean
get_bit (const guint8 *bits,
         gsize         i)
{
  return (bits[i / 8] >> (i % 8)) & 1;
}

static inline void
set_bit (guint8 *bits,
         gsize   i)
{
  bits[i / 8] |= 1 << (i % 8);
}

static void
make_room (KymoExtractMarks *m)
{
  gsize before = m->room / 8, after = MAX (before * 2, 4096);

  if (m->n < m->room)
    return;
  m->kept = g_realloc (m->kept, after);
  m->of_blocks = g_realloc (m->of_blocks, after);
  memset (m->kept + before, 0, after - before);
  memset (m->of_blocks + before, 0, after - before);
  m->room = after * 8;
}

static inline gboolean
is_inside (const KymoExtractMarks *m,
           gint64                  time_ns)
{
  return time_ns >= m->span.begin_ns && time_ns <= m->last_ns;
}

static inline gboolean
reaches_in (const KymoExtractMarks *m,
            gint64                  begin_ns,
            gint64                  end_ns)
{
  return begin_ns <= m->last_ns && end_ns >= m->span.begin_ns;
}

static void
keep_extract_marks (KymoExtractMarks *m,
                    gsize             i)
{
  if (get_bit (m->kept, i))
    return;
  set_bit (m->kept, i);
  m->n_kept_substance++;
}

static void
keep_inside (KymoExtractMarks *m,
             gint64            time_ns)
{
  if (is_inside (m, time_ns))
    keep_extract_marks (m, m->n);
}

/* Something from `open` to this record. */
static void
keep_both (KymoExtractMarks *m,
           const Open       *open,
           gint64            end_ns)
{
  if (!reaches_in (m, open->begin_ns, MAX (end_ns, open->begin_ns)))
    return;
  keep_extract_marks (m, open->index);
  keep_extract_marks (m, m->n);
}

/* A block with all that is nested in it, from its begin record on. */
static void
keep_block (KymoExtractMarks *m,
            gsize             begin,
            gsize             end)
{
  for (gsize i = begin; i <= end; i++)
    if (get_bit (m->of_blocks, i))
      keep_extract_marks (m, i);
}

static void
set_spare (KymoExtractMarks *m,
           gsize             begin,
           gsize             end)
{
  if (m->has_spare)
    return;
  m->has_spare = TRUE;
  m->spare = begin;
  m->spare_end = end;
}

static void
close_outer (KymoExtractMarks *m,
             gint64            end_ns)
{
  m->depth = 0;
  if (m->outer_wanted || reaches_in (m, m->outer.begin_ns, end_ns))
    keep_block (m, m->outer.index, m->n);
  set_spare (m, m->outer.index, m->n);
}

/* -- the first walk -------------------------------------------------------- */

/* Hashes the fields that tell a call from others (MurmurHash3, public domain, Appleby). Should two
   calls have the same hash, a block too many is kept. */
static guint64
call_key (const KymoLogRecord *r)
{
  const guint64 parts[] =
    { (guint32) r->event, (guint32) r->pe, (guint32) r->id, r->object.n_dimensions };
  guint64 h = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts) + r->object.n_dimensions; i++)
    {
      h ^= i < G_N_ELEMENTS (parts) ? parts[i]
        : (guint32) r->object.index[i - G_N_ELEMENTS (parts)];
      h = (h ^ (h >> 33)) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
      h = (h ^ (h >> 33)) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
    }
  return h ^ (h >> 33);
}

static gboolean
take_begin (KymoExtractMarks    *m,
            const KymoLogRecord *r)
{
  if (m->idle.is || m->depth == MAX_DEPTH)
    return FALSE;
  set_bit (m->of_blocks, m->n);
  if (m->depth++ == 0)
    m->outer = (Open) { m->n, r->time_ns };
  if (r->event >= 0 && is_inside (m, r->time_ns))
    {
      guint64 key = call_key (r);

      g_array_append_val (m->calls, key);
    }
  return TRUE;
}

static gboolean
take_end (KymoExtractMarks    *m,
          const KymoLogRecord *r)
{
  if (m->depth == 0)
    {
      keep_inside (m, r->time_ns);
      return TRUE;
    }
  set_bit (m->of_blocks, m->n);
  if (m->depth == 1)
    close_outer (m, r->time_ns);
  else
    m->depth--;
  return TRUE;
}

static void
end_idle (KymoExtractMarks *m,
          gint64            time_ns)
{
  keep_both (m, &m->idle.open, time_ns);
  set_spare (m, m->idle.open.index, m->n);
  m->idle.is = FALSE;
}

static gboolean
take_idle (KymoExtractMarks    *m,
           const KymoLogRecord *r)
{
  if (r->type == BEGIN_IDLE && m->depth > 0)
    return FALSE;
  if (r->type == BEGIN_IDLE && !m->idle.is)
    m->idle = (Slot) { TRUE, { m->n, r->time_ns } };
  else if (r->type == END_IDLE && m->idle.is)
    end_idle (m, r->time_ns);
  else
    keep_inside (m, r->time_ns);
  return TRUE;
}

/* Marks are kept wherever they are; the end of tracing closes everything. */
static gboolean
take_mark (KymoExtractMarks    *m,
           const KymoLogRecord *r)
{
  gboolean is_trace = r->type == BEGIN_TRACE || r->type == END_TRACE;

  /* A reader takes what was before for untraced where nothing came before. */
  if (r->type == BEGIN_TRACE && !m->was_traced && m->n_substance > 0)
    return FALSE;
  m->was_traced |= is_trace;
  if ((r->type == END_COMPUTATION || r->type == END_TRACE) && m->depth > 0)
    close_outer (m, r->time_ns);
  if ((r->type == END_COMPUTATION || r->type == END_TRACE) && m->idle.is)
    end_idle (m, r->time_ns);
  keep_extract_marks (m, m->n);
  m->n_kept_substance -= !is_trace;
  return TRUE;
}

static gboolean
take_stretch (KymoExtractMarks    *m,
              const KymoLogRecord *r)
{
  gboolean begins = r->type % 2 == 0;
  Slot *slot = &m->stretches[r->type < BEGIN_PACK ? 0 : r->type < BEGIN_UNPACK ? 1 : 2];

  /* A second begin hides the first; that its end finds none but its own in
     what is kept, too, rests on the order of time. */
  if (r->time_ns < m->stretch_ns)
    return FALSE;
  m->stretch_ns = r->time_ns;
  if (begins || !slot->is)
    keep_inside (m, r->time_ns);
  else
    keep_both (m, &slot->open, r->time_ns);
  *slot = (Slot) { begins, { m->n, r->time_ns } };
  return TRUE;
}

static gboolean
take_bracket (KymoExtractMarks    *m,
              const KymoLogRecord *r)
{
  gboolean of_functions = r->type == BEGIN_FUNC || r->type == END_FUNC;
  gint64 key = (gint64) ((guint64) (guint32) kymo_record_int32 (r->id) << 32)
    | (of_functions ? G_MAXUINT32 : (guint32) kymo_record_int32 (r->nested));
  GArray *stack = g_hash_table_lookup (m->brackets, &key);
  Open open = { m->n, r->time_ns };

  if (r->type == BEGIN_PAIR || r->type == BEGIN_FUNC)
    {
      if (stack == NULL)
        {
          stack = g_array_new (FALSE, FALSE, sizeof (Open));
          g_hash_table_insert (m->brackets, g_memdup2 (&key, sizeof key), stack);
        }
      g_array_append_val (stack, open);
      keep_inside (m, r->time_ns);
      return TRUE;
    }
  if (stack == NULL || stack->len == 0)
    {
      keep_inside (m, r->time_ns);
      return TRUE;
    }
  keep_both (m, &g_array_index (stack, Open, stack->len - 1), r->time_ns);
  g_array_set_size (stack, stack->len - 1);
  return TRUE;
}

static gboolean
take_pair (KymoExtractMarks    *m,
           const KymoLogRecord *r)
{
  if (!m->pair.is)
    {
      m->pair = (Slot) { TRUE, { m->n, r->time_ns } };
      m->pair_id = r->id;
      return TRUE;
    }
  m->pair.is = FALSE;
  if (m->pair_id != r->id)
    return FALSE;
  keep_both (m, &m->pair.open, r->time_ns);
  return TRUE;
}

static gboolean
take_by_type (KymoExtractMarks    *m,
              const KymoLogRecord *r)
{
  switch (r->type)
    {
    case BEGIN_PROCESSING:
      return take_begin (m, r);
    case END_PROCESSING:
      return take_end (m, r);
    case BEGIN_IDLE:
    case END_IDLE:
      return take_idle (m, r);
    case BEGIN_COMPUTATION:
    case END_COMPUTATION:
    case BEGIN_TRACE:
    case END_TRACE:
    case END_PHASE:
      return take_mark (m, r);
    case BEGIN_INTERRUPT:
    case END_INTERRUPT:
    case BEGIN_PACK:
    case END_PACK:
    case BEGIN_UNPACK:
    case END_UNPACK:
      return take_stretch (m, r);
    case BEGIN_PAIR:
    case END_PAIR:
    case BEGIN_FUNC:
    case END_FUNC:
      return take_bracket (m, r);
    case EVENT_PAIR:
      return take_pair (m, r);
    case BRACKETED_NOTE:
      if (reaches_in (m, r->time_ns, MAX (r->time_ns, r->end_ns)))
        keep_extract_marks (m, m->n);
      return TRUE;
    default:
      set_spare (m, m->n, m->n);
      keep_inside (m, r->time_ns);
      return TRUE;
    }
}

/* Records that change what the PE does come in the order of time. */
static gboolean
is_in_order (KymoExtractMarks    *m,
             const KymoLogRecord *r)
{
  m->times.begin_ns = MIN (m->times.begin_ns, r->time_ns);
  m->times.end_ns = MAX (m->times.end_ns, r->time_ns);
  if (r->type == BRACKETED_NOTE)
    m->times.end_ns = MAX (m->times.end_ns, r->end_ns);
  if (m->times.end_ns - m->times.begin_ns > MAX_SPAN_NS)
    return FALSE;
  switch (r->type)
    {
    case BEGIN_PROCESSING:
    case END_PROCESSING:
    case BEGIN_IDLE:
    case END_IDLE:
    case BEGIN_COMPUTATION:
    case END_COMPUTATION:
    case BEGIN_TRACE:
    case END_TRACE:
    case END_PHASE:
      if (r->time_ns < m->cursor_ns)
        return FALSE;
      m->cursor_ns = r->time_ns;
      return TRUE;
    default:
      return TRUE;
    }
}

/**
 * kymo_extract_marks_take:
 * @record: the next one of the log, from BEGIN_COMPUTATION on
 *
 * Returns: %FALSE where the records are not as a runtime writes them
 */
gboolean
kymo_extract_marks_take (KymoExtractMarks    *m,
                         const KymoLogRecord *record)
{
  make_room (m);
  if (!is_in_order (m, record) || !take_by_type (m, record))
    return FALSE;
  m->n++;
  m->n_substance += record->type != BEGIN_COMPUTATION && record->type != END_COMPUTATION
    && record->type != END_PHASE;
  return TRUE;
}

static int
compare_keys (gconstpointer a,
              gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

/**
 * kymo_extract_marks_end:
 *
 * The log is at its end. One that had records keeps one at least: without any
 * it would be one that was not traced.
 *
 * Returns: %FALSE where there is none to keep
 */
gboolean
kymo_extract_marks_end (KymoExtractMarks *m)
{
  if (m->pair.is)
    return FALSE;
  if (m->n_substance > 0 && m->n_kept_substance == 0)
    {
      if (!m->has_spare)
        return FALSE;
      keep_extract_marks (m, m->spare);
      keep_extract_marks (m, m->spare_end);
    }
  g_array_sort (m->calls, compare_keys);
  m->n = 0;
  return TRUE;
}

/* -- the second walk ------------------------------------------------------- */

/** kymo_extract_marks_has_calls: whether a second walk can find anything */
gboolean
kymo_extract_marks_has_calls (KymoExtractMarks *m)
{
  return m->calls->len > 0;
}

/**
 * kymo_extract_marks_take_again:
 * @record: the next record of the log, from its begin
 *
 * Looks for other pieces of the calls that were met in the first reading.
 *
 * Returns: %FALSE if the log has more records than in the first reading
 */
gboolean
kymo_extract_marks_take_again (KymoExtractMarks    *m,
                               const KymoLogRecord *r)
{
  if (m->n >= m->room)
    return FALSE;
  if (r->type == BEGIN_PROCESSING)
    {
      guint64 key = call_key (r);

      if (m->depth++ == 0)
        {
          m->outer = (Open) { m->n, r->time_ns };
          m->outer_wanted = FALSE;
        }
      m->outer_wanted |= r->event >= 0
        && bsearch (&key, m->calls->data, m->calls->len, sizeof key, compare_keys) != NULL;
    }
  else if (r->type == END_PROCESSING && m->depth > 1)
    m->depth--;
  else if (m->depth > 0 && (r->type == END_PROCESSING || r->type == END_COMPUTATION
                            || r->type == END_TRACE))
    close_outer (m, r->time_ns);
  m->n++;
  return TRUE;
}

/* -- the result ------------------------------------------------------------ */

/**
 * kymo_extract_marks_count:
 *
 * Goes back to the first record.
 *
 * Returns: how many are needed
 */
gint64
kymo_extract_marks_count (KymoExtractMarks *m)
{
  gint64 count = 0;

  for (gsize i = 0; i < m->room / 8; i++)
    count += __builtin_popcount (m->kept[i]);
  m->n = 0;
  return count;
}

/** kymo_extract_marks_next: whether the next record is needed */
gboolean
kymo_extract_marks_next (KymoExtractMarks *m)
{
  gsize i = m->n++;

  return i < m->room && get_bit (m->kept, i);
}
