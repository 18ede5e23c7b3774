/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From frames to runs: the decoder says where a block lies, the levels keep
 * its bins, the journal keeps what else there is to tell.
 *
 * Where the entries of a bin have more than the bin (each share was rounded,
 * and some programs merge badly) they are cut in proportion, so that busy and
 * rest are the span; the journal's seconds are told as they came.
 */
#include "config.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-stream-store-private.h"

#define DEFAULT_BUDGET (G_GINT64_CONSTANT (192) << 20)
/* Ids have 16 bits and are not negative, but for KYMO_STREAM_BUSY_ID. */
#define N_IDS (G_MAXINT16 + 2)
#define BLOCK_BINS 1000
#define BLOCK_NS (BLOCK_BINS * KYMO_STREAM_BIN_NS)
/* Most facts, bytes of a fact and reasons that are kept of what a program or a file says. */
#define MAX_FACTS 40
#define MAX_FACT 2000
#define MAX_REASONS 40
/* More entry methods than a program has; answers take memory by activity. */
#define MAX_ACTIVITIES 4096

static void
clear_reason (gpointer data)
{
  g_free (((KymoStreamReason *) data)->sentence);
}

static void
begin_stream_store (KymoStreamStore *self)
{
  self->decoder = kymo_stream_decoder_new ();
  kymo_stream_journal_init (&self->journal);
  self->facts = g_ptr_array_new_with_free_func (g_free);
}

/**
 * kymo_stream_store_new:
 * @title: of the runs; copied
 * @budget_bytes: memory of the bins; 0 = the default of 192 MiB
 *
 * Returns: (transfer full): a store that nothing came to yet; free with
 *   kymo_stream_store_free()
 */
KymoStreamStore *
kymo_stream_store_new (const char *title,
                       gint64      budget_bytes)
{
  KymoStreamStore *self = g_new0 (KymoStreamStore, 1);

  self->title = g_strdup (title);
  self->budget_bytes = budget_bytes > 0 ? budget_bytes : DEFAULT_BUDGET;
  self->levels = kymo_stream_levels_new (self->budget_bytes);
  self->names = kymo_stream_names_new ();
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->state_of = g_new0 (guint32, N_IDS);
  self->reasons = g_array_new (FALSE, FALSE, sizeof (KymoStreamReason));
  g_array_set_clear_func (self->reasons, clear_reason);
  begin_stream_store (self);
  return self;
}

static void
forget_stream_store (KymoStreamStore *self)
{
  kymo_stream_decoder_free (self->decoder);
  kymo_stream_journal_clear (&self->journal);
  g_ptr_array_unref (self->facts);
  g_clear_pointer (&self->tables, kymo_run_unref);
}

/**
 * kymo_stream_store_free:
 *
 * Frees @self. %NULL is ignored.
 */
void
kymo_stream_store_free (KymoStreamStore *self)
{
  if (self == NULL)
    return;
  forget_stream_store (self);
  kymo_stream_levels_free (self->levels);
  kymo_stream_names_free (self->names);
  g_array_unref (self->ids);
  g_array_unref (self->reasons);
  g_free (self->state_of);
  g_free (self->second_ns);
  g_free (self->title);
  g_free (self);
}

static void
clear_second (KymoStreamStore *self)
{
  if (self->room > 0)
    memset (self->second_ns, 0, self->room * sizeof *self->second_ns);
}

/**
 * kymo_stream_store_reset:
 *
 * Forgets all that came, and keeps the names.
 */
void
kymo_stream_store_reset (KymoStreamStore *self)
{
  forget_stream_store (self);
  begin_stream_store (self);
  kymo_stream_levels_clear (self->levels);
  g_array_set_size (self->ids, 0);
  g_array_set_size (self->reasons, 0);
  memset (self->state_of, 0, N_IDS * sizeof *self->state_of);
  clear_second (self);
  self->n_other_reasons = self->n_cut_bins = self->n_folded = self->n_records = self->end_ns = 0;
  self->has_bins = FALSE;
}

/**
 * kymo_stream_store_set_names:
 * @path: an .sts, or a recording that holds one
 * @sts: (out) (optional): as in kymo_stream_names_read()
 *
 * Takes the names of ids in place of those before; the next run has them for all its
 * activities. Sets %KYMO_ERROR_UNREADABLE if there are none.
 *
 * Returns: whether there are names
 */
gboolean
kymo_stream_store_set_names (KymoStreamStore *self,
                             const char      *path,
                             GBytes         **sts,
                             GError         **error)
{
  g_clear_pointer (&self->tables, kymo_run_unref);
  return kymo_stream_names_read (self->names, path, sts, error);
}

/**
 * kymo_stream_store_dup_name:
 * @id: of an entry in the stream
 *
 * Returns: (transfer full): its display name; "entry 57" if none is known
 */
char *
kymo_stream_store_dup_name (KymoStreamStore *self,
                            gint64           id)
{
  return kymo_stream_names_dup (self->names, id);
}

/** kymo_stream_store_is_compute: whether the activity of an id is compute, by the names so far */
gboolean
kymo_stream_store_is_compute (KymoStreamStore *self,
                              gint64           id)
{
  return kymo_stream_names_role (self->names, id) == KYMO_ROLE_COMPUTE;
}

/**
 * kymo_stream_store_expect:
 * @bytes: of replies that are still to come
 *
 * Tells how much will come, if that is known: what cannot stay in bins of 1 ms is thinned at
 * once, which costs less. A byte of a reply makes at least two bytes of bins (empty bins do),
 * and half of the budget is for bins of 1 ms.
 */
void
kymo_stream_store_expect (KymoStreamStore *self,
                          gint64           bytes)
{
  kymo_stream_levels_set_passing (self->levels, bytes > self->budget_bytes / 2 / 2);
}

/** kymo_stream_store_get_end_ns: the program's time at which the newest block ends */
gint64
kymo_stream_store_get_end_ns (const KymoStreamStore *self)
{
  return self->end_ns;
}

/** kymo_stream_store_get_bytes: the memory of the bins in bytes */
gint64
kymo_stream_store_get_bytes (const KymoStreamStore *self)
{
  return kymo_stream_levels_get_bytes (self->levels);
}

/* -- blocks ---------------------------------------------------------------- */

static guint32
add_id (KymoStreamStore *self,
        gint32           id)
{
  guint n = self->ids->len + 1;

  if (n > MAX_ACTIVITIES && id != KYMO_STREAM_OTHER_ID)
    {
      guint32 other = self->state_of[KYMO_STREAM_OTHER_ID + 1];

      self->n_folded++;
      return self->state_of[id + 1] = other > 0 ? other : add_id (self, KYMO_STREAM_OTHER_ID);
    }
  g_array_append_val (self->ids, id);
  g_clear_pointer (&self->tables, kymo_run_unref);
  if (n > self->room)
    {
      guint room = MAX (n, 2 * self->room);

      self->second_ns = g_renew (gint64, self->second_ns, room);
      memset (self->second_ns + self->room, 0, (room - self->room) * sizeof (gint64));
      self->room = room;
    }
  return self->state_of[id + 1] = KYMO_STATE_ACTIVITY + n - 1;
}

static void
end_second (KymoStreamStore *self)
{
  gint64 busy_ns = 0;

  for (guint i = 0; i < self->ids->len; i++)
    if (kymo_stream_store_is_compute (self, g_array_index (self->ids, gint32, i)))
      busy_ns += self->second_ns[i];
  kymo_stream_journal_second (&self->journal, self->ids->len, self->second_ns, busy_ns);
  clear_second (self);
}

/* Makes n figures of a bin fit into it; returns how many are left. */
static guint
cut_bin (guint32 *states,
         gint64  *ns,
         guint    n,
         gint64   sum_ns)
{
  guint n_left = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 here_ns = (gint64) ((__int128) ns[i] * KYMO_STREAM_BIN_NS / sum_ns);

      states[n_left] = states[i];
      ns[n_left] = here_ns;
      n_left += here_ns > 0;
    }
  return n_left;
}

static guint
put_bin (KymoStreamStore       *self,
         const KymoStreamBlock *block,
         guint                  bin,
         guint32               *states,
         gint64                *ns)
{
  const guint32 *offsets = (gpointer) block->offsets->data;
  const gint32 *ids = (gpointer) block->ids->data;
  const guint32 *block_ns = (gpointer) block->ns->data;
  guint n = 0;
  gint64 sum_ns = 0;

  for (guint32 i = offsets[bin]; i < offsets[bin + 1]; i++)
    {
      guint32 state = self->state_of[ids[i] + 1];

      if (G_UNLIKELY (state == 0))
        state = add_id (self, ids[i]);
      states[n] = state;
      ns[n++] = block_ns[i];
      sum_ns += block_ns[i];
      self->second_ns[state - KYMO_STATE_ACTIVITY] += block_ns[i];
    }
  if (G_LIKELY (sum_ns <= KYMO_STREAM_BIN_NS))
    return n;
  self->n_cut_bins++;
  return cut_bin (states, ns, n, sum_ns);
}

static KymoBins *
make_bins (KymoStreamStore       *self,
           const KymoStreamBlock *block,
           gint64                 begin_ns)
{
  guint32 *offsets = g_new (guint32, block->n_bins + 1);
  guint32 *states = g_new (guint32, MAX (block->n_records, 1));
  gint64 *ns = g_new (gint64, MAX (block->n_records, 1));
  KymoBins *bins = kymo_bins_new (KYMO_STREAM_BIN_NS, block->n_bins);
  guint n = 0;

  for (guint bin = 0; bin < block->n_bins; bin++)
    {
      offsets[bin] = n;
      n += put_bin (self, block, bin, states + n, ns + n);
      if (bin % BLOCK_BINS == BLOCK_BINS - 1)
        end_second (self);
    }
  offsets[block->n_bins] = n;
  /* Bins that do not fill a second count in none. */
  clear_second (self);
  bins->begin_ns = begin_ns;
  bins->end_ns = begin_ns + block->n_bins * KYMO_STREAM_BIN_NS;
  bins->times = kymo_pyramid_new_from_nodes (offsets, states, ns, block->n_bins,
                                             KYMO_STATE_ACTIVITY + self->ids->len);
  return bins;
}

/* Nothing came of a stretch of time. */
static void
add_gap (KymoStreamStore       *self,
         KymoSpan               span,
         const KymoStreamFrame *frame,
         gint64                 bytes)
{
  KymoStreamReply reply = { .span = span, .arrived_us = frame->at_us, .bytes = bytes,
                            .largest_bytes = bytes };

  if (kymo_span_length (span) <= 0)
    return;
  kymo_stream_levels_add_gap (self->levels, span);
  kymo_stream_journal_reply (&self->journal, &reply);
  self->journal.log.n_lost += (kymo_span_length (span) + BLOCK_NS - 1) / BLOCK_NS;
  self->end_ns = span.end_ns;
  self->has_bins = TRUE;
}

/* Adds the gap since the last block. */
static void
add_gap_before (KymoStreamStore       *self,
                const KymoStreamFrame *frame)
{
  if (self->has_bins)
    add_gap (self, (KymoSpan) { self->end_ns, frame->begin_ns }, frame, 0);
}

static void
add_block (KymoStreamStore       *self,
           const KymoStreamFrame *frame,
           const KymoStreamBlock *block)
{
  KymoStreamLog *log = &self->journal.log;
  gint64 begin_ns = frame->begin_ns, bytes = g_bytes_get_size (frame->bytes);
  KymoSpan span = { begin_ns, begin_ns + block->n_bins * KYMO_STREAM_BIN_NS };
  KymoStreamReply reply = { span, frame->at_us, bytes, 1, bytes };
  KymoBins *bins;

  add_gap_before (self, frame);
  /* This may make the ids more. */
  bins = make_bins (self, block, begin_ns);
  kymo_stream_levels_add (self->levels, bins, KYMO_STATE_ACTIVITY + self->ids->len);
  kymo_stream_journal_reply (&self->journal, &reply);
  if (block->n_pes != log->n_pes)
    g_clear_pointer (&self->tables, kymo_run_unref);
  log->n_blocks++;
  log->n_pes = block->n_pes;
  log->newest = span;
  self->n_records += block->n_records + block->n_zero;
  self->end_ns = span.end_ns;
  self->has_bins = TRUE;
}

/* -- other frames ---------------------------------------------------------- */

static void
add_mark (KymoStreamStore   *self,
          KymoStreamMarkKind kind,
          gint64             time_ns,
          gint64             at_us,
          char              *text)
{
  KymoStreamMark mark = { MIN (time_ns, self->end_ns), at_us, kind, text };

  kymo_stream_journal_mark (&self->journal, &mark);
}

/* (transfer full): as many whole characters as are kept */
static char *
cut_words (const char *words)
{
  const char *end;

  g_utf8_validate_len (words, strnlen (words, MAX_FACT), &end);
  return g_strndup (words, end - words);
}

static void
add_reason (KymoStreamStore *self,
            const char      *whole)
{
  g_autofree char *sentence = cut_words (whole);
  KymoStreamReason reason = { NULL, 1 };

  for (guint i = 0; i < self->reasons->len; i++)
    if (strcmp (g_array_index (self->reasons, KymoStreamReason, i).sentence, sentence) == 0)
      {
        g_array_index (self->reasons, KymoStreamReason, i).n++;
        return;
      }
  if (self->reasons->len == MAX_REASONS)
    {
      self->n_other_reasons++;
      return;
    }
  reason.sentence = g_steal_pointer (&sentence);
  g_array_append_val (self->reasons, reason);
}

/* A block that is gone, or a form that cannot be read. */
static void
add_lost (KymoStreamStore       *self,
          const KymoStreamFrame *frame,
          gint64                 next_ns,
          const char            *sentence)
{
  add_reason (self, sentence);
  if (next_ns > frame->begin_ns && frame->begin_ns >= self->end_ns)
    {
      add_gap_before (self, frame);
      add_gap (self, (KymoSpan) { frame->begin_ns, next_ns }, frame,
               frame->kind == KYMO_FRAME_REPLY ? (gint64) g_bytes_get_size (frame->bytes) : 0);
    }
  add_mark (self, KYMO_STREAM_MARK_LOST, frame->begin_ns, frame->at_us, g_strdup (sentence));
}

/* Lines "key: value" as facts; keys as those of other runs are. */
static void
take_facts (KymoStreamStore *self,
            const char      *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", MAX_FACTS + 1);

  g_ptr_array_set_size (self->facts, 0);
  for (guint i = 0; lines[i] != NULL && i < MAX_FACTS; i++)
    {
      char *colon = strchr (lines[i], ':');

      if (colon == NULL || strlen (lines[i]) > MAX_FACT)
        continue;
      *colon = '\0';
      g_ptr_array_add (self->facts, g_strdelimit (g_strdup (lines[i]), "- ", '_'));
      g_ptr_array_add (self->facts, g_strstrip (g_strdup (colon + 1)));
    }
  g_clear_pointer (&self->tables, kymo_run_unref);
}

static void
take_names (KymoStreamStore       *self,
            const KymoStreamFrame *frame)
{
  g_autoptr (GError) error = NULL;

  if (kymo_stream_names_take (self->names, frame->bytes, &error))
    g_clear_pointer (&self->tables, kymo_run_unref);
  else
    add_reason (self, error->message);
}

static void
take_other (KymoStreamStore       *self,
            const KymoStreamFrame *frame)
{
  g_autofree char *text = frame->kind == KYMO_FRAME_NAMES ? NULL
    : kymo_stream_frame_dup_text (frame);

  switch (frame->kind)
    {
    case KYMO_FRAME_FORM:
      take_facts (self, text);
      break;
    case KYMO_FRAME_NAMES:
      take_names (self, frame);
      break;
    case KYMO_FRAME_MARK:
    case KYMO_FRAME_STATE:
      add_mark (self, frame->kind == KYMO_FRAME_MARK ? KYMO_STREAM_MARK_CONDITION
                : KYMO_STREAM_MARK_STATE, frame->begin_ns, frame->at_us, g_steal_pointer (&text));
      break;
    case KYMO_FRAME_END:
      g_free (self->journal.log.ended);
      self->journal.log.ended = cut_words (text);
      return;
    case KYMO_FRAME_REPLY:
    case KYMO_FRAME_LOST:
    default:
      return;
    case KYMO_FRAME_SCALARS:
      kymo_stream_journal_values (&self->journal, text);
      return;
    }
}

static void
count_frame (KymoStreamStore       *self,
             const KymoStreamFrame *frame,
             KymoStreamResult       result)
{
  KymoStreamLog *log = &self->journal.log;

  if (log->begin_us == 0)
    log->begin_us = frame->at_us;
  log->end_us = MAX (log->end_us, frame->at_us);
  if (frame->kind != KYMO_FRAME_REPLY)
    return;
  /* A reply comes behind its length. */
  log->bytes_received += (gint64) g_bytes_get_size (frame->bytes) + 4;
  log->n_empty += result == KYMO_STREAM_NOTHING;
  if (result == KYMO_STREAM_BLOCK)
    g_clear_pointer (&log->ended, g_free);
}

/**
 * kymo_stream_store_take:
 * @frame: the next frame
 * @block: (out) (optional): the block of a reply that has one, valid until the next call
 * @error: what is wrong with the frame, with %KYMO_STREAM_BAD
 *
 * Adds a frame to the run.
 *
 * Returns: what kymo_stream_decoder_take() said of the frame
 */
KymoStreamResult
kymo_stream_store_take (KymoStreamStore        *self,
                        KymoStreamFrame        *frame,
                        const KymoStreamBlock **block,
                        GError                **error)
{
  g_autoptr (GError) why = NULL;
  const KymoStreamBlock *here = NULL;
  KymoStreamResult result = kymo_stream_decoder_take (self->decoder, frame, &here, &why);

  count_frame (self, frame, result);
  if (result == KYMO_STREAM_BLOCK)
    add_block (self, frame, here);
  else if (result == KYMO_STREAM_BAD)
    add_lost (self, frame, kymo_stream_decoder_get_next_ns (self->decoder), why->message);
  else
    take_other (self, frame);
  if (block != NULL)
    *block = here;
  if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return result;
}
