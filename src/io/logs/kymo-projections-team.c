/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One large text log, read by several threads. Blocks of whole lines go round
 * in a ring: one thread at a time reads (or inflates) the next block, any
 * thread decodes one, and the log's own thread applies them in their order. So
 * the segment, the report and every offset are what they are with one thread,
 * whatever the blocks are.
 *
 * An idle thread takes the next piece that is needed: helpers rather read
 * than decode, since inflating is the slowest stage of a compressed log; the
 * log's own thread rather decodes, and first what it waits for.
 *
 * Only the fast decoder, which has no state, runs on helpers; lines that are
 * not plain are decoded where they are applied. At most N_SLOTS blocks are
 * under way. The ring's numbers are guarded by the mutex; a slot belongs to
 * who claimed it.
 */
#include "config.h"

#include "kymo-projections-records.h"

#define N_SLOTS 8
/* With less left of the file a helper would come too late. */
#define SHARE_BYTES (4 * 1024 * 1024)
/* A line of a plain record has rarely fewer; what does not fit into a slot's
   records is decoded when it is applied. */
#define BYTES_PER_RECORD 16
#define MAX_HELPERS 16

typedef struct
{
  char            *memory;      /* of KymoLines */
  const char      *block, *end;
  gint64           offset;      /* of the block in the log */
  const char      *rest;        /* the first line that is not decoded */
  KymoPlainRecord *records;
  guint            n_records, capacity;
  gboolean         decoded;
} Slot;

typedef struct
{
  KymoLines           *lines;
  const KymoLogLayout *layout;
  GMutex               mutex;
  GCond                changed;
  Slot                 slots[N_SLOTS];
  guint64              n_read, n_claimed, n_applied;    /* blocks; slots modulo N_SLOTS */
  gboolean             reading;         /* someone uses lines */
  gboolean             ended;           /* there are no more blocks */
  gboolean             stopped;         /* nothing more is wanted */
  GThread             *helpers[MAX_HELPERS];
  guint                n_helpers;
} Team;

static gboolean
can_read (const Team *team)
{
  return !team->reading && !team->ended && !team->stopped
    && team->n_read - team->n_applied < N_SLOTS;
}

static gboolean
can_decode (const Team *team)
{
  return !team->stopped && team->n_claimed < team->n_read;
}

/* With the mutex held, which is given up meanwhile, as in the next one. */
static void
read_slot (Team *team)
{
  Slot *slot = &team->slots[team->n_read % N_SLOTS];
  char *block, *end;

  team->reading = TRUE;
  g_mutex_unlock (&team->mutex);
  block = kymo_lines_block (team->lines, &end);
  if (block != NULL)
    {
      char *fresh = slot->memory != NULL ? slot->memory : kymo_lines_new_memory (team->lines);

      slot->block = slot->rest = block;
      slot->end = end;
      slot->offset = team->lines->offset;
      kymo_lines_advance (team->lines, end - block);
      slot->memory = kymo_lines_exchange (team->lines, fresh);
    }
  g_mutex_lock (&team->mutex);
  team->reading = FALSE;
  team->ended = block == NULL;
  team->n_read += block != NULL;
  g_cond_broadcast (&team->changed);
}

static void
decode_slot (Team *team)
{
  Slot *slot = &team->slots[team->n_claimed++ % N_SLOTS];
  guint want = (slot->end - slot->block) / BYTES_PER_RECORD + 1;

  g_mutex_unlock (&team->mutex);
  if (slot->capacity < want)
    {
      g_free (slot->records);
      slot->records = g_new (KymoPlainRecord, want);
      slot->capacity = want;
    }
  slot->n_records = kymo_text_decode_lines (team->layout, slot->block, &slot->rest, slot->end,
                                            slot->records, slot->capacity);
  g_mutex_lock (&team->mutex);
  slot->decoded = TRUE;
  g_cond_broadcast (&team->changed);
}

static gpointer
help_projections_team (gpointer data)
{
  Team *team = data;

  g_mutex_lock (&team->mutex);
  while (!team->stopped)
    if (can_read (team))
      read_slot (team);
    else if (can_decode (team))
      decode_slot (team);
    else
      g_cond_wait (&team->changed, &team->mutex);
  g_mutex_unlock (&team->mutex);
  return NULL;
}

static void
hire (Team         *team,
      KymoLogState *log)
{
  gint *left = log->request->threads_left;
  gint n = g_atomic_int_get (left);

  while (n > 0 && team->n_helpers < MAX_HELPERS)
    if (g_atomic_int_compare_and_exchange_full (left, n, n - 1, &n))
      {
        team->helpers[team->n_helpers++] = g_thread_new ("kymo-decode", help_projections_team,
                                                         team);
        n = g_atomic_int_get (left);
      }
}

/* FALSE when the memory limit was reached. */
static gboolean
apply_slot (Team         *team,
            KymoLogState *log,
            Slot         *slot)
{
  gboolean fine;

  g_mutex_unlock (&team->mutex);
  kymo_projections_take_lines (log, slot->block, slot->offset, slot->records, slot->n_records);
  kymo_projections_read_block (log, team->lines->job, slot->block, slot->offset, slot->rest,
                               slot->end);
  kymo_projections_see_cpu_lines (log, slot->block, slot->end);
  fine = kymo_projections_charge (log);
  hire (team, log);
  g_mutex_lock (&team->mutex);
  slot->decoded = FALSE;
  team->n_applied++;
  g_cond_broadcast (&team->changed);
  return fine;
}

static gboolean
lead (Team         *team,
      KymoLogState *log)
{
  gboolean fine = TRUE;

  g_mutex_lock (&team->mutex);
  while (fine && !kymo_job_is_cancelled (team->lines->job))
    {
      Slot *next = &team->slots[team->n_applied % N_SLOTS];

      if (next->decoded)
        fine = apply_slot (team, log, next);
      else if (can_decode (team))
        decode_slot (team);
      else if (can_read (team))
        read_slot (team);
      else if (team->ended && team->n_applied == team->n_read)
        break;
      else
        g_cond_wait (&team->changed, &team->mutex);
    }
  team->stopped = TRUE;
  g_cond_broadcast (&team->changed);
  g_mutex_unlock (&team->mutex);
  return fine;
}

/**
 * kymo_projections_may_share:
 *
 * Returns: whether there is a thread without work, and work enough for it
 */
gboolean
kymo_projections_may_share (const KymoLogState *log,
                            const KymoLines    *lines)
{
  const KymoLogRequest *request = log->request;
  gint64 least = request->share_bytes > 0 ? request->share_bytes : SHARE_BYTES;

  return request->threads_left != NULL && g_atomic_int_get (request->threads_left) > 0
    && kymo_lines_can_exchange (lines)
    && kymo_inflate_get_bytes_left (lines->inflate) >= least;
}

/**
 * kymo_projections_share_text:
 *
 * kymo_projections_read_text() by several threads: those that have nothing to
 * do, now or later, until the log is read.
 *
 * Returns: %FALSE when the memory limit was reached
 */
gboolean
kymo_projections_share_text (KymoLogState *log,
                             KymoLines    *lines)
{
  Team *team = g_new0 (Team, 1);
  gboolean fine;

  team->lines = lines;
  team->layout = &log->layout;
  g_mutex_init (&team->mutex);
  g_cond_init (&team->changed);
  kymo_lines_widen (lines);
  hire (team, log);
  fine = lead (team, log);
  for (guint i = 0; i < team->n_helpers; i++)
    g_thread_join (team->helpers[i]);
  g_atomic_int_add (log->request->threads_left, team->n_helpers);
  for (guint i = 0; i < N_SLOTS; i++)
    {
      g_free (team->slots[i].memory);
      g_free (team->slots[i].records);
    }
  g_mutex_clear (&team->mutex);
  g_cond_clear (&team->changed);
  g_free (team);
  return fine;
}
