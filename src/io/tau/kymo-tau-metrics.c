/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which events are metrics. Their tag says "never falls", and that a user event may do as
 * well. But a metric is noted once beside each enter and each leave, a user event in three
 * records a sample wherever it likes: the first records of a thread tell which it is.
 */
#include "config.h"

#include "kymo-tau-reading.h"

#include <unistd.h>

/* Most traces that are looked at, until one has calls at its begin. */
#define MOST_LOOKED_AT 16

/* Observations of an event: @call is the call that it last stood beside. */
typedef struct
{
  guint call;
  guint n_beside, n_other;
} Seen;

typedef struct
{
  guint32     key;              /* of the thread that is looked at */
  guint       n_calls;
  gboolean    beside;           /* nothing but metrics since the last call */
  GHashTable *seen;             /* name -> Seen */
} Look;

static gboolean
is_metric (KymoTauKind kind)
{
  return kind == KYMO_TAU_METRIC;
}

static void
see_metric (Look               *look,
            const KymoTauEvent *event)
{
  Seen *seen = g_hash_table_lookup (look->seen, event->name);

  if (seen == NULL)
    {
      seen = g_new0 (Seen, 1);
      g_hash_table_insert (look->seen, event->name, seen);
    }
  if (look->beside && seen->call != look->n_calls)
    seen->n_beside++;
  else
    seen->n_other++;
  seen->call = look->n_calls;
}

static void
see_record (Look                *look,
            const KymoTauEvents *events,
            const KymoTauRecord *record)
{
  const KymoTauEvent *event = kymo_tau_events_find (events, record->event);
  guint32 key = kymo_tau_key_of (record);

  if (event == NULL || (look->n_calls > 0 && key != look->key))
    return;
  if (event->kind == KYMO_TAU_FUNCTION || event->kind == KYMO_TAU_FLUSH)
    {
      look->key = key;
      look->n_calls++;
      look->beside = TRUE;
    }
  else if (event->kind != KYMO_TAU_METRIC)
    look->beside = FALSE;
  else if (look->n_calls > 0)
    see_metric (look, event);
}

/* Looks at the begin of a trace; FALSE where it has no calls. */
static gboolean
look_at (KymoTauTraceReading *reading,
         guint                index,
         Look                *look)
{
  const KymoTauInput *input = &reading->inputs[index];
  g_autofree guint8 *block = kymo_tau_input_new_block (input);
  int fd = kymo_tau_input_open (input);
  guint n = kymo_tau_input_read (input, fd, 0, input->n_records, block);

  for (guint i = 0; i < n; i++)
    {
      KymoTauRecord record;

      kymo_tau_decode (block + (gsize) i * input->record_bytes, input->layout, &record);
      see_record (look, reading->events[index], &record);
    }
  if (fd >= 0)
    close (fd);
  return look->n_calls > 0;
}

/* Beside most calls, and hardly anywhere else. */
static gboolean
is_proven (const Look *look,
           const char *name)
{
  const Seen *seen = g_hash_table_lookup (look->seen, name);

  return seen != NULL && 2 * seen->n_beside > look->n_calls && 2 * seen->n_other < seen->n_beside;
}

/* The events that may be metrics: those that are none have values like others. */
static guint
settle_tau_metrics (KymoTauTraceReading *reading,
                    const Look          *look)
{
  GHashTableIter iter;
  gpointer events;
  guint n_changed = 0;

  g_hash_table_iter_init (&iter, reading->node_events);
  while (g_hash_table_iter_next (&iter, NULL, &events))
    for (guint i = 0; i < ((KymoTauEvents *) events)->list->len; i++)
      {
        KymoTauEvent *event = &g_array_index (((KymoTauEvents *) events)->list, KymoTauEvent, i);

        if (!is_metric (event->kind) || is_proven (look, event->name))
          continue;
        event->kind = kymo_tau_kind_of_value (event->name);
        n_changed++;
      }
  return n_changed;
}

static gboolean
has_metrics (const KymoTauEvents *events)
{
  for (guint i = 0; i < events->list->len; i++)
    if (is_metric (g_array_index (events->list, KymoTauEvent, i).kind))
      return TRUE;
  return FALSE;
}

/**
 * kymo_tau_find_metrics:
 *
 * Of the events whose tag says that they never fall makes those user events that are no
 * metrics. To be called before the events get their numbers.
 */
void
kymo_tau_find_metrics (KymoTauTraceReading *reading)
{
  Look look = { 0 };
  guint n_looked_at = 0;

  look.seen = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; i < reading->files->traces->len && n_looked_at < MOST_LOOKED_AT; i++)
    if (reading->states[i] == KYMO_TAU_INPUT_FINE && has_metrics (reading->events[i]))
      {
        n_looked_at++;
        if (look_at (reading, i, &look))
          break;
      }
  settle_tau_metrics (reading, &look);
  g_hash_table_unref (look.seen);
}
