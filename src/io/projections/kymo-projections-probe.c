/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state at the begin of a stretch is unknown. The first record
 * that ends something tells it: an end of a block that did not begin here was
 * the end of the one that was open; the same of idle time and of tracing.
 * What is nested is not seen further than the stretch.
 */
#include "config.h"

#include "kymo-projections-probe.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kymo-inflate.h"
#include "kymo-input.h"
#include "kymo-order.h"
#include "kymo-projections-record.h"

#define END_BYTES (4 * 1024)
#define SAMPLE_BYTES (2 * 1024)
#define MOST_HEAD_BYTES (64 * 1024)
#define MAX_DEPTH 64
/* Number of first times whose median counts, as in the reader; what is further from the median
   than 2^53 ns is no time of this log. */
#define N_EARLY 9
#define MAX_SPAN_NS (G_GINT64_CONSTANT (1) << 53)

static const char magic[] = "PROJECTIONS-RECORD";

struct _KymoProber
{
  const KymoSts *sts;
  KymoLogLayout  layout;
  KymoSums       sums;
  gint64         early_ns;      /* of the log at hand */
  gsize          head_bytes;
  char           bytes[MOST_HEAD_BYTES + 1];
};

/* The state of a location at the place that is probed. */
typedef struct
{
  guint32  open[MAX_DEPTH];     /* states of the blocks */
  guint    depth;               /* may be beyond */
  gboolean idle, untraced;
} Doing;

/**
 * kymo_prober_new:
 * @sts: names and versions; has to outlive the prober
 * @n_activities: number of activities of the run
 * @head_bytes: plain bytes to be looked at of a compressed log, at most 64 KiB
 *
 * Returns: (transfer full): free with kymo_prober_free()
 */
KymoProber *
kymo_prober_new (const KymoSts *sts,
                 guint          n_activities,
                 gsize          head_bytes)
{
  KymoProber *prober = g_new0 (KymoProber, 1);

  prober->sts = sts;
  prober->head_bytes = MIN (head_bytes, MOST_HEAD_BYTES);
  kymo_log_layout_init (&prober->layout, sts);
  kymo_sums_init (&prober->sums, KYMO_STATE_ACTIVITY + n_activities);
  return prober;
}

/**
 * kymo_prober_free:
 *
 * Frees @prober. %NULL is ignored.
 */
void
kymo_prober_free (KymoProber *prober)
{
  if (prober == NULL)
    return;
  kymo_log_layout_clear (&prober->layout);
  kymo_sums_clear (&prober->sums);
  g_free (prober);
}

/** kymo_probe_init: nothing is known */
void
kymo_probe_init (KymoProbe *probe)
{
  *probe = (KymoProbe) { KYMO_PROBE_NOTHING };
  probe->samples = g_array_new (FALSE, FALSE, sizeof (KymoProbeSample));
  probe->shares = g_array_new (FALSE, FALSE, sizeof (KymoProbeShare));
}

/** kymo_probe_clear: @probe: may be zeroes, one that was never looked at */
void
kymo_probe_clear (KymoProbe *probe)
{
  g_clear_pointer (&probe->samples, g_array_unref);
  g_clear_pointer (&probe->shares, g_array_unref);
}

/* -- records of a stretch -------------------------------------------------- */

static guint32
state_of_entry (const KymoSts *sts,
                gint64         id)
{
  return KYMO_STATE_ACTIVITY
    + (id >= 0 && id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32
       ? sts->entries[id].activity : sts->unknown_entry);
}

/* The next record that has a time of this log; FALSE after the last. */
static gboolean
next_record (KymoProber    *prober,
             const char   **p,
             const char    *end,
             KymoLogRecord *record)
{
  const char *newline;

  while (*p < end && (newline = memchr (*p, '\n', end - *p)) != NULL)
    {
      gboolean fine = kymo_text_decode (&prober->layout, *p, newline, record)
        && kymo_record_type_is_known (record->type);

      *p = newline + 1;
      if (fine && ABS (record->time_ns - prober->early_ns) <= MAX_SPAN_NS)
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_early_time (KymoProber *prober,
                 const char *p,
                 const char *end)
{
  gint64 times_ns[N_EARLY];
  const char *newline;
  guint n = 0;

  for (; n < N_EARLY && p < end && (newline = memchr (p, '\n', end - p)) != NULL; p = newline + 1)
    {
      KymoLogRecord record;

      if (kymo_text_decode (&prober->layout, p, newline, &record)
          && kymo_record_type_is_known (record.type))
        times_ns[n++] = record.time_ns;
    }
  qsort (times_ns, n, sizeof (gint64), kymo_compare_ints);
  if (n > 0)
    prober->early_ns = times_ns[(n - 1) / 2];
  return n > 0;
}

/* Finds the state before the first record, by the first record that tells it; FALSE where none
   does. */
static gboolean
find_doing (KymoProber *prober,
            const char *p,
            const char *end,
            Doing      *doing)
{
  KymoLogRecord record;

  *doing = (Doing) { { 0 }, 0, FALSE, FALSE };
  while (next_record (prober, &p, end, &record))
    switch (record.type)
      {
      case END_PROCESSING:
        doing->open[doing->depth++] = state_of_entry (prober->sts, record.id);
        return TRUE;
      case END_IDLE:
        doing->idle = TRUE;
        return TRUE;
      case BEGIN_TRACE:
        doing->untraced = TRUE;
        return TRUE;
      case BEGIN_PROCESSING:
      case BEGIN_IDLE:
      case END_TRACE:
        return TRUE;
      }
  return FALSE;
}

static guint32
current_state (const Doing *doing)
{
  if (doing->untraced)
    return KYMO_STATE_UNTRACED;
  if (doing->depth > 0)
    return doing->open[MIN (doing->depth, MAX_DEPTH) - 1];
  return doing->idle ? KYMO_STATE_IDLE : KYMO_STATE_OVERHEAD;
}

static void
change_projections_probe (const KymoProber    *prober,
                          Doing               *doing,
                          const KymoLogRecord *record)
{
  switch (record->type)
    {
    case BEGIN_PROCESSING:
      if (doing->depth < MAX_DEPTH)
        doing->open[doing->depth] = state_of_entry (prober->sts, record->id);
      doing->depth++;
      break;
    case END_PROCESSING:
      doing->depth -= doing->depth > 0;
      break;
    case BEGIN_IDLE:
    case END_IDLE:
      doing->idle = record->type == BEGIN_IDLE;
      break;
    case BEGIN_TRACE:
    case END_TRACE:
      doing->untraced = record->type == END_TRACE;
      doing->depth = 0;
      break;
    case END_COMPUTATION:
      doing->depth = 0;
      doing->idle = FALSE;
      break;
    }
}

/**
 * kymo_probe_append_shares:
 *
 * Takes the sums as shares, all but overhead, which is what they leave.
 *
 * Returns: how many it is
 */
guint
kymo_probe_append_shares (KymoSums *sums,
                          GArray   *shares)
{
  guint before = shares->len;

  for (guint i = 0; i < sums->n_touched; i++)
    {
      KymoProbeShare share = { sums->touched[i], sums->ns[sums->touched[i]] };

      if (share.state != KYMO_STATE_OVERHEAD)
        g_array_append_val (shares, share);
    }
  kymo_sums_reset (sums);
  return shares->len - before;
}

/* Adds up the whole lines from @p to @end, where they tell what is going on;
   FALSE where there is no record. */
static gboolean
take_lines (KymoProber *prober,
            const char *p,
            const char *end,
            gint64      offset,
            KymoProbe  *probe,
            KymoSpan   *span)
{
  Doing doing;
  gboolean known = find_doing (prober, p, end, &doing);
  KymoLogRecord record;
  gint64 last_ns = G_MININT64;

  kymo_sums_reset (&prober->sums);
  while (next_record (prober, &p, end, &record))
    {
      gint64 ns = MAX (record.time_ns, last_ns);

      if (last_ns == G_MININT64)
        span->begin_ns = ns;
      else
        kymo_sums_add (&prober->sums, current_state (&doing), ns - last_ns);
      change_projections_probe (prober, &doing, &record);
      last_ns = ns;
    }
  span->end_ns = last_ns;
  if (last_ns == G_MININT64)
    return FALSE;
  if (known && kymo_span_length (*span) > 0)
    {
      KymoProbeSample sample = { offset, *span, kymo_span_length (*span), probe->shares->len };

      sample.n_shares = kymo_probe_append_shares (&prober->sums, probe->shares);
      g_array_append_val (probe->samples, sample);
    }
  return TRUE;
}

/* -- bytes ----------------------------------------------------------------- */

static gssize
read_at (KymoProber *prober,
         int         fd,
         gint64      offset,
         gsize       n)
{
  gssize got = pread (fd, prober->bytes, n, offset);

  prober->bytes[MAX (got, 0)] = '\0';
  return got;
}

/* From the line after the one that the stretch cuts. */
static gboolean
take_inner (KymoProber *prober,
            gssize      n,
            gint64      offset,
            KymoProbe  *probe,
            KymoSpan   *span)
{
  const char *newline = n > 0 ? memchr (prober->bytes, '\n', n) : NULL;

  return newline != NULL
    && take_lines (prober, newline + 1, prober->bytes + n, offset, probe, span);
}

static gboolean
take_head (KymoProber *prober,
           gssize      n,
           KymoProbe  *probe)
{
  const char *newline;

  if (n < (gssize) sizeof magic || memcmp (prober->bytes, magic, sizeof magic - 1) != 0)
    return FALSE;
  newline = memchr (prober->bytes, '\n', n);
  return newline != NULL && find_early_time (prober, newline + 1, prober->bytes + n)
    && take_lines (prober, newline + 1, prober->bytes + n, 0, probe, &probe->span);
}

static void
read_text_ends (KymoProber *prober,
                int         fd,
                gint64      size_bytes,
                gssize      n_head,
                KymoProbe  *probe)
{
  KymoSpan tail;

  probe->plain_bytes = size_bytes;
  if (!take_head (prober, n_head, probe))
    return;
  probe->kind = KYMO_PROBE_SAMPLES;
  if (size_bytes <= END_BYTES)
    probe->has_end = TRUE;
  else if (take_inner (prober, read_at (prober, fd, size_bytes - END_BYTES, END_BYTES),
                       size_bytes - END_BYTES, probe, &tail)
           && tail.end_ns >= probe->span.end_ns)
    {
      probe->span.end_ns = tail.end_ns;
      probe->has_end = TRUE;
    }
}

static int
open_log (const char *path,
          gint64     *size_bytes)
{
  return kymo_input_open (path, size_bytes, NULL);
}

/**
 * kymo_prober_read_ends:
 * @path: a log in any form
 * @probe: (out caller-allocates): what its begin and end tell; clear it with
 *   kymo_probe_clear()
 */
void
kymo_prober_read_ends (KymoProber *prober,
                       const char *path,
                       KymoProbe  *probe)
{
  gint64 size_bytes = 0;
  int fd = open_log (path, &size_bytes);
  gssize n;

  kymo_probe_init (probe);
  prober->early_ns = 0;
  if (fd < 0)
    return;
  n = read_at (prober, fd, 0, END_BYTES);
  if (n >= 2 && prober->bytes[0] == '\x1f' && prober->bytes[1] == '\x8b')
    {
      n = kymo_inflate_head (fd, size_bytes, prober->bytes, prober->head_bytes,
                             &probe->plain_bytes);
      prober->bytes[n] = '\0';
      probe->head_bytes = n;
      if (take_head (prober, n, probe))
        probe->kind = KYMO_PROBE_HEAD;
      probe->has_end = probe->kind == KYMO_PROBE_HEAD && probe->plain_bytes <= n;
    }
  else
    read_text_ends (prober, fd, size_bytes, n, probe);
  close (fd);
}

/**
 * kymo_prober_read_sample:
 * @path: of the log
 * @offset: byte of the log at about which to look
 * @probe: (inout): a probe of samples, from kymo_prober_read_ends()
 *
 * Adds a stretch between begin and end of a text log to a probe. A log that cannot be opened
 * any more is left out.
 */
void
kymo_prober_read_sample (KymoProber *prober,
                         const char *path,
                         gint64      offset,
                         KymoProbe  *probe)
{
  gint64 size_bytes;
  KymoSpan span;
  int fd;

  if (probe->kind != KYMO_PROBE_SAMPLES || (fd = open_log (path, &size_bytes)) < 0)
    return;
  prober->early_ns = probe->span.begin_ns;
  take_inner (prober, read_at (prober, fd, offset, SAMPLE_BYTES), offset, probe, &span);
  close (fd);
}
