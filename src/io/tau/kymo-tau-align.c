/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-tau-align.h"

#include <unistd.h>

/* Number of records in a row that do not fit by chance. */
#define ROW 4
/* Records of a merged trace may stand so far out of order. */
#define STEP_US 1000

/* A part of the file. */
typedef struct
{
  const KymoTauInput  *input;
  const KymoTauBounds *bounds;
  KymoJob             *job;
  int                  fd;
  guint8              *bytes;
  gint64               begin, end;
} Window;

/* Whole records from the byte on, as many as are asked for; NULL where the file became shorter
   or nothing more is wanted. */
static const guint8 *
peek_tau_align (Window *window,
                gint64  offset,
                guint   n_records)
{
  gint64 n = (gint64) n_records * window->input->record_bytes;

  if (offset < window->begin || offset + n > window->end)
    {
      if (kymo_job_is_cancelled (window->job))
        return NULL;
      window->begin = offset;
      window->end = offset + (gint64) window->input->record_bytes
        * kymo_tau_input_read_at (window->input, window->fd, offset, window->bytes);
    }
  return offset + n <= window->end ? window->bytes + (offset - window->begin) : NULL;
}

static gboolean
is_plausible (const Window        *window,
              const KymoTauRecord *record)
{
  const KymoTauBounds *bounds = window->bounds;
  const KymoTauEvent *event = kymo_tau_events_find (bounds->events, record->event);

  if (event == NULL || record->time < bounds->first_us || record->time > bounds->last_us
      || !g_hash_table_contains (bounds->keys, GUINT_TO_POINTER (kymo_tau_key_of (record))))
    return FALSE;
  return event->kind != KYMO_TAU_FUNCTION || record->parameter == 1 || record->parameter == -1;
}

static gboolean
fits_tau_align (Window *window,
                gint64  offset,
                guint   n)
{
  const guint8 *bytes = peek_tau_align (window, offset, n);
  guint64 last_us = 0;

  if (bytes == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      KymoTauRecord record;

      kymo_tau_decode (bytes + (gsize) i * window->input->record_bytes, window->input->layout,
                       &record);
      if (!is_plausible (window, &record) || record.time + STEP_US < last_us)
        return FALSE;
      last_us = record.time;
    }
  return TRUE;
}

/* Offset of the first row of records at or behind the byte; -1 where there is none. */
static gint64
find_row (Window *window,
          gint64  offset)
{
  gint64 last = window->input->size_bytes - (gint64) ROW * window->input->record_bytes;

  for (; offset <= last && peek_tau_align (window, offset, ROW) != NULL; offset++)
    if (fits_tau_align (window, offset, ROW))
      return offset;
  return -1;
}

static void
add_stretch (GArray             *stretches,
             const KymoTauInput *input,
             gint64              begin,
             gint64              end)
{
  KymoTauStretch stretch = { begin, (end - begin) / input->record_bytes };

  if (stretch.n_records > 0)
    g_array_append_val (stretches, stretch);
}

/**
 * kymo_tau_find_stretches:
 * @input: a trace in which damage was found
 * @bounds: what its records can be
 * @job: (nullable): cancelling
 *
 * Where a record does not fit, but later at any other byte a few in a row do, the stretch ends
 * and the next begins there. Damage that shifts nothing stays within a stretch.
 *
 * Returns: (transfer full) (element-type KymoTauStretch): ascending; without damage one
 */
GArray *
kymo_tau_find_stretches (const KymoTauInput  *input,
                         const KymoTauBounds *bounds,
                         KymoJob             *job)
{
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (KymoTauStretch));
  g_autofree guint8 *bytes = kymo_tau_input_new_block (input);
  Window window = { input, bounds, job, kymo_tau_input_open (input), bytes, 0, 0 };
  gint64 begin = 0, at = 0;

  while (at + input->record_bytes <= input->size_bytes)
    {
      gint64 next = fits_tau_align (&window, at, 1) ? at + input->record_bytes
        : find_row (&window, at);

      if (next < 0)
        break;
      if ((next - begin) % input->record_bytes != 0)
        {
          add_stretch (stretches, input, begin, at);
          begin = next;
        }
      at = next;
    }
  add_stretch (stretches, input, begin, input->size_bytes);
  if (window.fd >= 0)
    close (window.fd);
  return stretches;
}
