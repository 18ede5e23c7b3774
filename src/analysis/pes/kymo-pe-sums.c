/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums per PE; see kymo-pe-vectors.h.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-pe-vectors.h"

#include "kymo-error.h"
#include "kymo-kmeans-private.h"
#include "kymo-memory.h"
#include "kymo-term-words.h"
#include "kymo-ways.h"

#include <math.h>
#include <string.h>

/**
 * kymo_ask_compares:
 * @row: of the question
 *
 * Returns: whether the location is one of those that are compared
 */
gboolean
kymo_ask_compares (const KymoAsk *ask,
                   guint          row)
{
  guint location = ask->locations[row];

  return kymo_ask_is_averaged (ask, location)
    && kymo_run_peek_location (ask->run, location)->kept;
}

/**
 * kymo_ask_check_pes:
 * @what: a sentence that is not translated yet, "Clusters are classes of {rows}."
 *
 * Returns: %FALSE and why where there are no several PEs to compare: of a
 * stream, of a run with one location, or where all but one were cut away
 */
gboolean
kymo_ask_check_pes (const KymoAsk  *ask,
                    const char     *what,
                    GError        **error)
{
  const char *sentence = kymo_in_terms (ask->run->terms, _(what));
  guint n = 0;

  for (guint row = 0; row < ask->n_locations; row++)
    n += kymo_ask_compares (ask, row);
  if (ask->run->kind == KYMO_RUN_STREAM)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 /* Translators: after a whole sentence, as “Extrema are of PEs.” */
                 _("%s This run is a utilization stream: the mean of all of them."), sentence);
  else if (n < 2)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 n == 1 ? _("%s This run has records of one only.")
                 : _("%s This run has records of none."), sentence);
  return n >= 2 && ask->run->kind != KYMO_RUN_STREAM;
}

/**
 * kymo_pe_sums_needs:
 * @figures: #KymoPeFigures
 *
 * Returns: #KymoAnswerNeeds of kymo_pe_sums_add()
 */
guint
kymo_pe_sums_needs (const KymoAsk *ask,
                    KymoSegment   *segment,
                    guint          figures)
{
  guint needs = 0;

  if ((figures & KYMO_PE_TIMES) && segment->bins != NULL)
    needs |= kymo_profile_needs (ask, segment);
  else if (figures & KYMO_PE_TIMES)
    needs |= segment->span.begin_ns >= ask->span.begin_ns
      && segment->span.end_ns <= ask->span.end_ns ? KYMO_NEEDS_SUMS : KYMO_NEEDS_TRACK;
  if (figures & KYMO_PE_BLOCKS)
    needs |= KYMO_NEEDS_TRACK | KYMO_NEEDS_BLOCKS;
  if (figures & KYMO_PE_RECEIVED)
    needs |= segment->exchange != NULL ? KYMO_NEEDS_SENDS : KYMO_NEEDS_BLOCKS;
  if (figures & KYMO_PE_SENT)
    needs |= KYMO_NEEDS_SENDS;
  return needs;
}

/**
 * kymo_pe_sums_new:
 * @figures: which figures are added up: #KYMO_PE_TIMES and the like, ored
 *
 * Returns: (transfer full): figures of the asked locations, all 0
 */
KymoPeSums *
kymo_pe_sums_new (const KymoAsk *ask,
                  guint          figures)
{
  KymoPeSums *sums = g_new0 (KymoPeSums, 1);

  sums->figures = figures;
  sums->times = figures & KYMO_PE_TIMES ? kymo_profile_state_new (ask, TRUE) : NULL;
  sums->counts = g_new0 (KymoPeCounts, ask->n_locations);
  return sums;
}

/** kymo_pe_sums_free: frees the figures of all locations */
void
kymo_pe_sums_free (KymoPeSums *sums)
{
  g_clear_pointer (&sums->times, kymo_profile_state_free);
  g_free (sums->counts);
  g_free (sums);
}

/* A block counts with all its exclusive time, where it begins. */
static void
add_blocks (const KymoAsk *ask,
            KymoPeCounts  *counts,
            KymoSegment   *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);
  kymo_autoscratch gint64 *exclusive_ns = kymo_segment_new_exclusive (segment);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      gint64 ns = exclusive_ns != NULL ? exclusive_ns[i]
        : kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i);

      if (kymo_ask_is_stopped (ask, i))
        return;
      counts->block_ns += ns;
      if (counts->blocks++ > 0 && ns <= counts->longest_ns)
        continue;
      counts->longest_ns = ns;
      counts->longest_begin_ns = kymo_segment_block_begin (segment, i);
      counts->longest_state = KYMO_STATE_ACTIVITY + segment->block_activity[i];
    }
}

static void
add_received (const KymoAsk *ask,
              KymoPeCounts  *counts,
              KymoSegment   *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = kymo_segment_first_block (segment, ask->span.begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      if (kymo_ask_is_stopped (ask, i))
        return;
      if (segment->block_event[i] < 0 || !kymo_segment_is_first (segment, i))
        continue;
      counts->received++;
      counts->received_bytes += segment->block_bytes[i];
    }
}

static void
add_receives (const KymoAsk     *ask,
              KymoPeCounts      *counts,
              const KymoSegment *segment)
{
  const KymoExchange *x = segment->exchange;

  for (guint i = 0; i < x->n_receives && !kymo_ask_is_stopped (ask, i); i++)
    if (kymo_receive_is_asked (ask, segment, i))
      {
        counts->received++;
        counts->received_bytes += x->receive_bytes[i];
      }
}

/* Bytes times destinations; both come from files. */
static void
add_sent (const KymoAsk *ask,
          KymoPeCounts  *counts,
          KymoSegment   *segment)
{
  gint64 end_ns = kymo_ask_count_end (ask);

  for (guint i = 0; i < segment->n_sends && !kymo_ask_is_stopped (ask, i); i++)
    {
      gint64 time_ns = kymo_segment_send_time (segment, i);
      guint64 n = kymo_segment_send_destinations (segment, i);

      if (time_ns < ask->span.begin_ns || time_ns >= end_ns)
        continue;
      counts->sent += n;
      counts->sent_bytes = kymo_saturating_add (counts->sent_bytes,
                                                MIN (n * segment->send_bytes[i], G_MAXINT64));
    }
}

/* Of a run of profiles: what each function had of the metric, in nanoseconds where
   that is a time, else as a number. Flat functions come first and are the run's
   activities. */
static void
add_profile (const KymoAsk          *ask,
             KymoProfileState       *state,
             guint                   row,
             const KymoProfileLook  *look,
             GArray                 *room)
{
  const KymoProfileData *data = look->data;
  guint location = ask->locations[row];
  KymoLocationSums *sums = &state->locations[row];
  gint64 *work_ns;
  double unit_ns = look->unit_ns > 0 ? look->unit_ns : 1;
  guint64 first = data->first[location];
  guint n = data->first[location + 1] - first;

  sums->shares = g_array_sized_new (FALSE, FALSE, sizeof (KymoLocationShare),
                                    MIN (n, look->n_flat));
  g_array_set_size (room, n);
  kymo_profile_look_read (look, KYMO_VALUE_EXCLUSIVE, first, n, (double *) room->data);
  for (guint64 r = first; r < first + n && data->event[r] < look->n_flat; r++)
    {
      KymoLocationShare share = { KYMO_STATE_ACTIVITY + data->event[r] };
      double value = g_array_index (room, double, r - first);

      if (!look->chosen[data->event[r]] || share.state >= state->n_states)
        continue;
      share.blocks = llrint (CLAMP (data->calls[r], 0, 0x1p53));
      share.exclusive_ns = llrint (CLAMP (value * unit_ns, 0, 0x1p53));
      sums->busy_ns = kymo_saturating_add (sums->busy_ns, share.exclusive_ns);
      work_ns = &sums->work_ns[kymo_profile_work_of_role (
        kymo_profile_look_event (look, data->event[r])->role)];
      *work_ns = kymo_saturating_add (*work_ns, share.exclusive_ns);
      g_array_append_val (sums->shares, share);
    }
}

typedef struct
{
  const KymoAsk         *ask;
  KymoPeSums            *sums;
  const KymoProfileLook *look;
} ProfileRows;

static void
add_profile_rows (gpointer data,
                  guint    first,
                  guint    end)
{
  const ProfileRows *rows = data;
  g_autoptr (GArray) room = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint row = first; row < end; row++)
    if (kymo_ask_compares (rows->ask, row))
      add_profile (rows->ask, rows->sums->times, row, rows->look, room);
}

/**
 * kymo_pe_sums_add_profile:
 *
 * In place of kymo_pe_sums_add(), of all locations of a run of profiles at once: times
 * (of the metric that the question chooses), and nothing else.
 */
void
kymo_pe_sums_add_profile (const KymoAsk         *ask,
                          KymoPeSums            *sums,
                          const KymoProfileLook *look)
{
  ProfileRows rows = { ask, sums, look };

  sums->times->first_row = 0;
  sums->times->end_row = ask->n_locations;
  kymo_rows_for_each (ask->n_locations, (guint64) ask->n_locations * look->n_flat, ask->n_threads,
                      add_profile_rows, &rows, ask->cancellable);
}

/**
 * kymo_pe_sums_take_profile:
 *
 * Adds the profile that the question looks at, where the run is one of profiles; of
 * other runs it does nothing.
 *
 * Returns: %FALSE where the question chooses what the profile has not
 */
gboolean
kymo_pe_sums_take_profile (const KymoAsk  *ask,
                           KymoPeSums     *sums,
                           GError        **error)
{
  g_autoptr (KymoProfileLook) look = NULL;

  if (ask->run->profiles == NULL)
    return TRUE;
  look = kymo_profile_look_new ((KymoAsk *) ask, KYMO_LOOK_FLAT, error);
  if (look != NULL)
    kymo_pe_sums_add_profile (ask, sums, look);
  return look != NULL;
}

/**
 * kymo_pe_sums_add:
 *
 * Adds one segment; the partial of a #KymoAnswerClass.
 */
void
kymo_pe_sums_add (const KymoAsk *ask,
                  KymoPeSums    *sums,
                  KymoSegment   *segment)
{
  guint row = ask->row_of[segment->location];

  if (!kymo_ask_compares (ask, row))
    return;
  /* Of a summary the profile knows more than its bins. */
  if (sums->times != NULL && segment->bins != NULL)
    kymo_profile_partial (ask, sums->times, segment);
  else if (sums->times != NULL)
    kymo_profile_add_times (ask, sums->times, segment);
  if (sums->figures & KYMO_PE_BLOCKS)
    add_blocks (ask, &sums->counts[row], segment);
  if ((sums->figures & KYMO_PE_RECEIVED) && segment->exchange != NULL)
    add_receives (ask, &sums->counts[row], segment);
  else if (sums->figures & KYMO_PE_RECEIVED)
    add_received (ask, &sums->counts[row], segment);
  if (sums->figures & KYMO_PE_SENT)
    add_sent (ask, &sums->counts[row], segment);
}

/**
 * kymo_pe_sums_merge:
 *
 * Adds @from to @into; a location stands in one of them only.
 */
void
kymo_pe_sums_merge (const KymoAsk *ask,
                    KymoPeSums    *into,
                    KymoPeSums    *from)
{
  static const KymoPeCounts none = { 0 };

  if (into->times != NULL)
    kymo_profile_merge (ask, into->times, from->times);
  for (guint row = 0; row < ask->n_locations; row++)
    if (memcmp (&from->counts[row], &none, sizeof none) != 0)
      into->counts[row] = from->counts[row];
}

/**
 * kymo_pe_sums_get:
 * @row: number of a PE among those compared
 * @with: one of #KymoPeComponents; its figures must be there
 *
 * Returns: that figure of a PE: ns, messages or bytes
 */
gint64
kymo_pe_sums_get (const KymoPeSums *sums,
                  guint             row,
                  guint             with)
{
  switch (with)
    {
    case KYMO_PE_WITH_IDLE: return sums->times->locations[row].idle_ns;
    case KYMO_PE_WITH_OVERHEAD: return sums->times->locations[row].overhead_ns;
    case KYMO_PE_WITH_MESSAGES: return sums->counts[row].sent;
    default: return sums->counts[row].sent_bytes;
    }
}
