/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is under way in a range: single messages, or where there are more than the limit
 * groups of them, as a picture wants them. A group is of messages from one band of
 * locations to another (bands are 1, 2, 4 … of them in the order of the question) that
 * were sent in the same stretch of time (2^k ns of absolute time, so that they stay the
 * same while one pans). Sums are exact, whatever the bands.
 *
 * A band of senders is one step of the work, in cells of its own: so it is the same for
 * any number of threads, and nothing is looked up. Every cell that holds something is a
 * group in the end.
 */
#include "config.h"

#include <math.h>

#include "kymo-messages-private.h"
#include "kymo-share.h"

typedef struct
{
  gint64   count, bytes, early;
  gint64   least_ns, most_ns;   /* latency */
  gint64   first_ns, last_ns;   /* sent, begun */
  gint64   from_places, to_places;
  __int128 latency_ns, sent_ns, begin_ns;
} Cell;

typedef struct
{
  Cell            cell;
  guint           from, to;     /* bands */
  guint           stretch;
  KymoMessageKind kind;
} Group;

typedef struct
{
  const KymoAsk         *ask;
  const KymoMessagePlan *plan;
  const KymoArrivals    *arrivals;
  KymoSpan               span;          /* with the run's last moment, where that is asked for */
  guint                  band;          /* locations in one */
  guint                  n_bands;       /* of those asked for; n_bands itself is all others */
  guint                  shift;         /* a stretch is 2^shift ns */
  guint                  n_stretches;   /* the first is before the range, the last behind it */
  GArray               **groups;        /* of each step: Group */
  GArray                *singles;       /* KymoMessage */
  gint64                 left_out;      /* messages, by the filter; added up atomically */
} Work;

/* State of a worker's step. */
typedef struct
{
  Work        *work;
  Cell        *cells;           /* by stretch, band of the receiver, kind */
  KymoSegment *sender;
  gint         from_place;
  gint64       left_out;
} Step;

static guint
band_of (const Work *work,
         gint        place)
{
  return place < 0 ? work->n_bands : (guint) place / work->band;
}

/* -1: a location that was not asked for */
static gint
place_of (const Work *work,
          guint       location)
{
  return work->ask->row_of[location];
}

static guint
stretch_of (const Work *work,
            gint64      time_ns)
{
  KymoSpan span = work->ask->span;

  if (time_ns < span.begin_ns)
    return 0;
  if (time_ns >= span.end_ns)
    return work->n_stretches - 1;
  return (guint) ((time_ns >> work->shift) - (span.begin_ns >> work->shift)) + 1;
}

static Cell *
cell_at (const Step      *step,
         gint64           time_ns,
         guint            to,
         KymoMessageKind  kind)
{
  const Work *work = step->work;
  gsize at = (gsize) stretch_of (work, time_ns) * (work->n_bands + 1) + to;

  return &step->cells[at * KYMO_N_MESSAGE_KINDS + kind];
}

/* Adds a message to a cell. A message of which a single end is known counts with no latency. */
static void
add_messages_groups (Cell   *cell,
                     gint64  sent_ns,
                     gint64  begin_ns,
                     gint64  bytes)
{
  gint64 latency_ns = begin_ns - sent_ns;

  if (cell->count == 0)
    {
      cell->least_ns = cell->most_ns = latency_ns;
      cell->first_ns = sent_ns;
      cell->last_ns = begin_ns;
    }
  cell->count++;
  cell->bytes = kymo_saturating_add (cell->bytes, bytes);
  cell->early += latency_ns < 0;
  cell->least_ns = MIN (cell->least_ns, latency_ns);
  cell->most_ns = MAX (cell->most_ns, latency_ns);
  cell->first_ns = MIN (cell->first_ns, sent_ns);
  cell->last_ns = MAX (cell->last_ns, begin_ns);
  cell->latency_ns += latency_ns;
  cell->sent_ns += sent_ns;
  cell->begin_ns += begin_ns;
}

static gboolean
arrival_is_wanted (const Step        *step,
                   const KymoArrival *arrival)
{
  const KymoAsk *ask = step->work->ask;
  KymoSender sender = { step->sender->location, arrival->send,
                        step->sender->send_activity[arrival->send],
                        kymo_segment_send_time (step->sender, arrival->send) };

  return kymo_message_is_wanted (ask, arrival->location, arrival->index, &sender);
}

static void
add_arrival (const KymoArrival *arrival,
             gpointer           data)
{
  Step *step = data;
  gint to_place = place_of (step->work, arrival->location);
  gint64 sent_ns = kymo_segment_send_time (step->sender, arrival->send);
  Cell *cell;

  if (to_place < 0)
    return;
  if (!arrival_is_wanted (step, arrival))
    {
      step->left_out++;
      return;
    }
  cell = cell_at (step, sent_ns, band_of (step->work, to_place),
                  arrival->uncertain ? KYMO_MESSAGE_UNCERTAIN : KYMO_MESSAGE_MATCHED);
  add_messages_groups (cell, sent_ns, arrival->begin_ns, arrival->bytes);
  cell->from_places += MAX (step->from_place, 0);
  cell->to_places += to_place;
}

static gboolean
open_is_wanted (const Work        *work,
                const KymoSegment *sender,
                guint              send)
{
  return kymo_send_is_open (work->ask, work->arrivals, sender, send)
    && kymo_open_is_wanted (work->ask, sender, send);
}

static void
add_open (Step *step)
{
  const Work *work = step->work;
  KymoSegment *sender = step->sender;
  guint end = kymo_segment_first_send (sender, work->span.end_ns);

  for (guint i = kymo_segment_first_send (sender, work->span.begin_ns); i < end; i++)
    if (open_is_wanted (work, sender, i))
      {
        gint64 sent_ns = kymo_segment_send_time (sender, i);
        Cell *cell = cell_at (step, sent_ns, work->n_bands, KYMO_MESSAGE_OPEN);

        add_messages_groups (cell, sent_ns, sent_ns, sender->send_bytes[i]);
        cell->from_places += step->from_place;
      }
}

static gsize
count_cells (const Work *work)
{
  return (gsize) work->n_stretches * (work->n_bands + 1) * KYMO_N_MESSAGE_KINDS;
}

static void
keep_messages_groups (const Step *step,
                      guint       from)
{
  const Work *work = step->work;
  GArray *groups = work->groups[from];

  for (gsize i = 0; i < count_cells (work); i++)
    if (step->cells[i].count > 0)
      {
        gsize at = i / KYMO_N_MESSAGE_KINDS;
        Group group = { step->cells[i], from, at % (work->n_bands + 1),
                        at / (work->n_bands + 1), i % KYMO_N_MESSAGE_KINDS };

        g_array_append_val (groups, group);
      }
}

static void
add_sender (Step *step,
            guint location)
{
  const Work *work = step->work;

  step->sender = kymo_ask_segment_of (work->ask, location);
  step->from_place = place_of (work, location);
  kymo_arrivals_each (&work->arrivals->of[location], step->sender, work->span, add_arrival,
                      step);
  if (step->from_place >= 0)
    add_open (step);
}

/* Adds the messages of unknown senders: all of them count as sent from nowhere. */
static void
add_lost (Step *step)
{
  const Work *work = step->work;

  for (guint i = 0; i < work->ask->n_locations; i++)
    {
      guint location = work->ask->locations[i];
      const GArray *lost = work->arrivals->lost[location];
      guint end = kymo_arrivals_find_lost (lost, work->span.end_ns);

      for (guint k = kymo_arrivals_find_lost (lost, work->span.begin_ns); k < end; k++)
        {
          const KymoLost *one = &g_array_index (lost, KymoLost, k);
          gint place = place_of (work, location);
          KymoTaken taken;
          Cell *cell;

          if (!kymo_message_is_wanted (work->ask, location, one->index, NULL))
            {
              step->left_out++;
              continue;
            }
          cell = cell_at (step, one->begin_ns, band_of (work, place), KYMO_MESSAGE_UNMATCHED);
          kymo_taken_of (work->ask, location, one->index, &taken);
          add_messages_groups (cell, one->begin_ns, one->begin_ns, taken.bytes);
          cell->to_places += place;
        }
    }
}

/* A band of senders; the one behind the last is that of all who were not asked for, and
   the next one of unknown senders. */
static void
make_band (gpointer data,
           guint    from)
{
  Work *work = data;
  const KymoAsk *ask = work->ask;
  Step step = { work, g_new0 (Cell, count_cells (work)), NULL, -1 };

  if (from < work->n_bands)
    for (guint i = from * work->band; i < MIN ((from + 1) * work->band, ask->n_locations)
         && !g_cancellable_is_cancelled (ask->cancellable); i++)
      add_sender (&step, ask->locations[i]);
  else if (from == work->n_bands)
    for (guint i = 0; i < ask->run->locations->len
         && !g_cancellable_is_cancelled (ask->cancellable); i++)
      {
        if (ask->row_of[i] < 0)
          add_sender (&step, i);
      }
  else
    add_lost (&step);
  keep_messages_groups (&step, from);
  __atomic_fetch_add (&work->left_out, step.left_out, __ATOMIC_RELAXED);
  g_free (step.cells);
}

/* -- single ones ----------------------------------------------------------- */

static void
add_single (const KymoArrival *arrival,
            gpointer           data)
{
  Step *step = data;
  KymoMessage message;

  if (place_of (step->work, arrival->location) < 0 || !arrival_is_wanted (step, arrival))
    return;
  kymo_message_of_receiver (step->work->ask, arrival->location, arrival->index, &message);
  g_array_append_val (step->work->singles, message);
}

static void
add_single_open (const Work  *work,
                 KymoSegment *sender)
{
  guint end = kymo_segment_first_send (sender, work->span.end_ns);
  KymoMessage message;

  for (guint i = kymo_segment_first_send (sender, work->span.begin_ns); i < end; i++)
    if (open_is_wanted (work, sender, i))
      {
        kymo_message_of_open (work->ask, sender, i, &message);
        g_array_append_val (work->singles, message);
      }
}

static void
add_single_lost (const Work *work,
                 guint       location)
{
  const GArray *lost = work->arrivals->lost[location];
  guint end = kymo_arrivals_find_lost (lost, work->span.end_ns);
  KymoMessage message;

  for (guint k = kymo_arrivals_find_lost (lost, work->span.begin_ns); k < end; k++)
    {
      guint index = g_array_index (lost, KymoLost, k).index;

      if (!kymo_message_is_wanted (work->ask, location, index, NULL))
        continue;
      kymo_message_of_receiver (work->ask, location, index, &message);
      g_array_append_val (work->singles, message);
    }
}

static void
find_singles (Work *work)
{
  const KymoAsk *ask = work->ask;

  work->singles = g_array_new (FALSE, FALSE, sizeof (KymoMessage));
  for (guint i = 0; i < ask->run->locations->len
       && !g_cancellable_is_cancelled (ask->cancellable); i++)
    {
      Step step = { .work = work, .sender = kymo_ask_segment_of (ask, i) };

      kymo_arrivals_each (&work->arrivals->of[i], step.sender, work->span, add_single, &step);
      if (ask->row_of[i] < 0)
        continue;
      add_single_open (work, step.sender);
      add_single_lost (work, i);
    }
}

/* -- the answer ------------------------------------------------------------ */

/* A bound of a band: its first location, or %KYMO_NULL_INT for those outside. */
static gint64
band_id (const Work *work,
         guint       band,
         gboolean    last)
{
  guint place = last ? MIN ((band + 1) * work->band, work->ask->n_locations) - 1
    : band * work->band;

  return band >= work->n_bands ? KYMO_NULL_INT
    : kymo_run_peek_location (work->ask->run, work->ask->locations[place])->id;
}

/**
 * kymo_messages_dup_label:
 * @first: index of a location in the run; and @last the last of its band
 *
 * Returns: (transfer full): "PE 0", "PE 0 – PE 7"
 */
char *
kymo_messages_dup_label (const KymoAsk *ask,
                         guint          first,
                         guint          last)
{
  const char *label = kymo_run_peek_location (ask->run, first)->label;

  return first == last ? g_strdup (label)
    : g_strdup_printf ("%s – %s", label, kymo_run_peek_location (ask->run, last)->label);
}

/* Nothing for those outside. */
static void
append_label (const Work *work,
              KymoTable  *table,
              guint       column,
              guint       band)
{
  guint first = band * work->band;
  guint last = MIN (first + work->band, work->ask->n_locations) - 1;
  g_autofree char *words = band >= work->n_bands ? NULL
    : kymo_messages_dup_label (work->ask, work->ask->locations[first],
                               work->ask->locations[last]);

  kymo_table_append_string (table, column, words);
}

static void
append_group (const Work  *work,
              KymoTable   *table,
              const Group *group)
{
  const Cell *cell = &group->cell;
  gboolean from = group->kind != KYMO_MESSAGE_UNMATCHED && group->from < work->n_bands;
  gboolean to = group->kind != KYMO_MESSAGE_OPEN;
  gboolean timed = group->kind <= KYMO_MESSAGE_UNCERTAIN;
  gboolean sent = group->kind != KYMO_MESSAGE_UNMATCHED;

  kymo_table_append_row (table, band_id (work, group->from, FALSE),
                         band_id (work, group->from, TRUE), band_id (work, group->to, FALSE),
                         band_id (work, group->to, TRUE),
                         kymo_message_kind_to_string (group->kind), cell->count, cell->bytes,
                         cell->early, timed ? cell->least_ns : KYMO_NULL_INT,
                         timed ? (gint64) (cell->latency_ns / cell->count) : KYMO_NULL_INT,
                         timed ? cell->most_ns : KYMO_NULL_INT,
                         sent ? (gint64) (cell->sent_ns / cell->count) : KYMO_NULL_INT,
                         to ? (gint64) (cell->begin_ns / cell->count) : KYMO_NULL_INT,
                         cell->first_ns, cell->last_ns,
                         from ? (double) cell->from_places / cell->count : NAN,
                         to ? (double) cell->to_places / cell->count : NAN);
  append_label (work, table, 17, group->from);
  append_label (work, table, 18, group->to);
}

static KymoTable *
list_groups (const Work *work)
{
  KymoTable *table = kymo_table_new_list ("from from_last to to_last kind:string count bytes early "
                                          "min_latency_ns mean_latency_ns max_latency_ns sent_ns "
                                          "begin_ns first_ns last_ns from_place:double "
                                          "to_place:double from_label:string to_label:string");

  for (guint i = 0; i < work->n_bands + 2; i++)
    for (guint k = 0; k < work->groups[i]->len; k++)
      append_group (work, table, &g_array_index (work->groups[i], Group, k));
  return table;
}

static void
merge_cells (Cell       *into,
             const Cell *from)
{
  gboolean first = into->count == 0;

  into->least_ns = first ? from->least_ns : MIN (into->least_ns, from->least_ns);
  into->most_ns = first ? from->most_ns : MAX (into->most_ns, from->most_ns);
  into->count += from->count;
  into->bytes = kymo_saturating_add (into->bytes, from->bytes);
  into->early += from->early;
  into->latency_ns += from->latency_ns;
}

/* Of all of them: those with a receiver are messages, as everywhere. */
static gint64
set_sums (const Work *work,
          KymoTable  *answer)
{
  Cell of[KYMO_N_MESSAGE_KINDS] = { 0 }, all = { 0 };

  for (guint i = 0; i < work->n_bands + 2; i++)
    for (guint k = 0; k < work->groups[i]->len; k++)
      {
        const Group *group = &g_array_index (work->groups[i], Group, k);

        merge_cells (&of[group->kind], &group->cell);
        if (group->kind <= KYMO_MESSAGE_UNCERTAIN)
          merge_cells (&all, &group->cell);
      }
  kymo_table_set_int (answer, "count", all.count + of[KYMO_MESSAGE_UNMATCHED].count);
  kymo_table_set_int (answer, "bytes", kymo_saturating_add (
    all.bytes, of[KYMO_MESSAGE_UNMATCHED].bytes));
  kymo_table_set_int (answer, "matched", of[KYMO_MESSAGE_MATCHED].count);
  kymo_table_set_int (answer, "uncertain", of[KYMO_MESSAGE_UNCERTAIN].count);
  kymo_table_set_int (answer, "unmatched", of[KYMO_MESSAGE_UNMATCHED].count);
  kymo_table_set_int (answer, "open", of[KYMO_MESSAGE_OPEN].count);
  kymo_table_set_int (answer, "early", all.early);
  kymo_table_set_int (answer, "min_latency_ns", all.count > 0 ? all.least_ns : KYMO_NULL_INT);
  kymo_table_set_int (answer, "mean_latency_ns",
                      all.count > 0 ? (gint64) (all.latency_ns / all.count) : KYMO_NULL_INT);
  kymo_table_set_int (answer, "max_latency_ns", all.count > 0 ? all.most_ns : KYMO_NULL_INT);
  return all.count + of[KYMO_MESSAGE_UNMATCHED].count + of[KYMO_MESSAGE_OPEN].count;
}

static KymoTable *
make_answer (Work *work)
{
  const KymoAsk *ask = work->ask;
  KymoTable *answer = kymo_ask_answer_new (ask);

  kymo_table_set_string (answer, "row_term", kymo_terms_row (ask->run->terms, FALSE));
  kymo_message_filter_set (&work->plan->filter, answer);
  if (work->plan->filter.is_on)
    kymo_table_set_int (answer, "left_out_messages", work->left_out);
  if (set_sums (work, answer) <= work->plan->limit)
    {
      find_singles (work);
      kymo_table_set_table (answer, "messages",
                            kymo_messages_to_table (ask, work->singles, TRUE));
      g_array_unref (work->singles);
      return answer;
    }
  kymo_table_set_int (answer, "stretch_ns", (gint64) 1 << work->shift);
  kymo_table_set_int (answer, "band", work->band);
  kymo_table_set_table (answer, "groups", list_groups (work));
  return answer;
}

/* The finest grid with no more cells than were asked for. */
static void
choose_grid (Work *work)
{
  const KymoAsk *ask = work->ask;
  const KymoMessagePlan *plan = work->plan;
  KymoSpan span = ask->span;

  work->band = plan->group;
  while (work->band < ask->n_locations
         && (ask->n_locations + work->band - 1) / work->band > plan->rows)
    work->band *= 2;
  work->n_bands = (ask->n_locations + work->band - 1) / work->band;
  while (work->shift < 62 && (span.end_ns >> work->shift) - (span.begin_ns >> work->shift) + 1
         > plan->columns)
    work->shift++;
  work->n_stretches = (span.end_ns >> work->shift) - (span.begin_ns >> work->shift) + 3;
}

/**
 * kymo_messages_under_way:
 *
 * All messages to the locations asked for that are under way at some moment of the
 * range, and what these sent in it without a known receiver.
 *
 * Returns: (transfer full) (nullable): the answer; %NULL when it was cancelled
 */
KymoTable *
kymo_messages_under_way (const KymoAsk  *ask,
                         GError        **error)
{
  Work work = { .ask = ask, .plan = ask->plan,
                .span = { ask->span.begin_ns, kymo_ask_count_end (ask) } };
  KymoTable *answer = NULL;

  work.arrivals = kymo_arrivals_peek (ask, error);
  if (work.arrivals == NULL)
    return NULL;
  choose_grid (&work);
  work.groups = g_new (GArray *, work.n_bands + 2);
  for (guint i = 0; i < work.n_bands + 2; i++)
    work.groups[i] = g_array_new (FALSE, FALSE, sizeof (Group));
  if (kymo_share_out (work.n_bands + 2, ask->n_threads, make_band, &work, ask->cancellable))
    answer = make_answer (&work);
  else
    g_cancellable_set_error_if_cancelled (ask->cancellable, error);
  for (guint i = 0; i < work.n_bands + 2; i++)
    g_array_unref (work.groups[i]);
  g_free (work.groups);
  return answer;
}
