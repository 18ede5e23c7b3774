/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * User events of a trace's profile: what was sampled inside the range, by name and
 * location. A sample is a value, a statistic or the memory in use; a mark without a
 * number is none. Samples of several kinds that have one name are one event.
 */
#include "config.h"

#include <math.h>

#include "kymo-trace-profile-private.h"

/**
 * kymo_trace_is_sample:
 *
 * Returns: whether the point is a value, a statistic or the memory in use
 */
gboolean
kymo_trace_is_sample (const KymoPoint *point)
{
  return (point->kind == KYMO_POINT_USER_VALUE || point->kind == KYMO_POINT_USER_STAT
          || point->kind == KYMO_POINT_MEMORY) && isfinite (point->value);
}

static gboolean
is_same (const KymoTraceSample *sample,
         const KymoPoint       *point)
{
  return sample->kind == point->kind && sample->activity == point->activity
    && (point->activity != G_MAXUINT32 || sample->id == point->id
        || point->kind == KYMO_POINT_MEMORY);
}

/* Locations have few user events, and the one that came last often comes again. */
static KymoTraceSample *
find_sample (GArray          *samples,
             GHashTable      *known,
             const KymoPoint *point)
{
  gint64 which = point->activity != G_MAXUINT32 ? (gint64) point->activity
    : point->kind == KYMO_POINT_MEMORY ? 0 : (gint64) point->id & G_MAXUINT32;
  gint64 key = (gint64) point->kind << 33 | (gint64) (point->activity != G_MAXUINT32) << 32 | which;
  gpointer place;

  if (samples->len > 0
      && is_same (&g_array_index (samples, KymoTraceSample, samples->len - 1), point))
    return &g_array_index (samples, KymoTraceSample, samples->len - 1);
  if (!g_hash_table_lookup_extended (known, &key, NULL, &place))
    {
      KymoTraceSample sample = { point->kind, point->activity, point->id, 0, 0,
                                 -G_MAXDOUBLE, G_MAXDOUBLE };

      place = GUINT_TO_POINTER (samples->len);
      g_hash_table_insert (known, g_memdup2 (&key, sizeof key), place);
      g_array_append_val (samples, sample);
    }
  return &g_array_index (samples, KymoTraceSample, GPOINTER_TO_UINT (place));
}

static void
add_value (KymoTraceSample *sample,
           double           value)
{
  double off = value - sample->mean;

  sample->n++;
  sample->max = MAX (sample->max, value);
  sample->min = MIN (sample->min, value);
  sample->sum += value;
  sample->sum_squares += value * value;
  sample->mean += off / sample->n;
  sample->squares += off * (value - sample->mean);
}

/**
 * kymo_trace_samples_add:
 * @index: of the segment, whose points are fit to be read
 *
 * Adds up the samples of a segment inside the range; what was added up when it was
 * cancelled is of no use.
 */
void
kymo_trace_samples_add (KymoTraceJob *job,
                        KymoSegment  *segment,
                        guint         index)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (KymoTraceSample));
  g_autoptr (GHashTable) known = NULL;

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if ((i & 0xfff) == 0 && g_cancellable_is_cancelled (job->cancellable))
        break;
      if (!kymo_trace_is_sample (point) || point->begin_ns < job->options->span.begin_ns
          || point->begin_ns >= job->options->count_end_ns)
        continue;
      if (known == NULL)
        known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      add_value (find_sample (samples, known, point), point->value);
    }
  if (samples->len > 0)
    job->samples[index] = g_steal_pointer (&samples);
}

/**
 * kymo_trace_sample_dup_name:
 * @sample: its kind, activity and id count
 *
 * Returns: (transfer full): the name of a sample, for people
 */
char *
kymo_trace_sample_dup_name (const KymoRun         *run,
                            const KymoTraceSample *sample)
{
  g_autofree char *id = g_strdup_printf ("%d", sample->id);

  if (sample->activity != G_MAXUINT32)
    return g_strdup (kymo_run_peek_activity (run, sample->activity)->name);
  if (sample->kind == KYMO_POINT_MEMORY)
    return g_strdup ("Memory (bytes)");
  for (guint i = 0; i < run->stat_names->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->stat_names, KymoFact, i);

      if (sample->kind == KYMO_POINT_USER_STAT && strcmp (fact->key, id) == 0)
        return g_strdup (fact->value);
    }
  return g_strdup_printf (sample->kind == KYMO_POINT_USER_STAT ? "Statistic %s" : "User value %s",
                          id);
}

static int
compare_samples (gconstpointer a,
                 gconstpointer b)
{
  const KymoTraceSample *x = a, *y = b;

  return x->event < y->event ? -1 : x->event > y->event;
}

/* Chan, Golub and LeVeque (1979). */
static void
join_trace_samples (KymoTraceSample       *into,
                    const KymoTraceSample *from)
{
  double n = into->n + from->n, apart = from->mean - into->mean;

  into->squares += from->squares + apart * apart * into->n * from->n / n;
  into->mean += apart * from->n / n;
  into->n = n;
  into->max = MAX (into->max, from->max);
  into->min = MIN (into->min, from->min);
  into->sum += from->sum;
  into->sum_squares += from->sum_squares;
}

typedef struct
{
  GHashTable *numbers;          /* name -> event */
  GArray     *rows;             /* KymoUserEventRow */
  GArray     *squares;          /* double, by row */
} Rows;

static guint32
number_of (KymoTraceJob          *job,
           KymoProfileData       *data,
           GHashTable            *numbers,
           const KymoTraceSample *sample)
{
  char *name = kymo_trace_sample_dup_name (job->run, sample);
  gpointer found;

  if (g_hash_table_lookup_extended (numbers, name, NULL, &found))
    {
      g_free (name);
      return GPOINTER_TO_UINT (found);
    }
  g_hash_table_insert (numbers, name, GUINT_TO_POINTER (data->user_names->len));
  g_ptr_array_add (data->user_names, name);
  return data->user_names->len - 1;
}

/* A row for each event that a location has samples of. */
static void
set_rows (Rows   *rows,
          GArray *samples)
{
  g_array_sort (samples, compare_samples);
  for (guint i = 0, next; i < samples->len; i = next)
    {
      KymoTraceSample *s = &g_array_index (samples, KymoTraceSample, i);
      KymoUserEventRow row;

      for (next = i + 1; next < samples->len
           && g_array_index (samples, KymoTraceSample, next).event == s->event; next++)
        join_trace_samples (s, &g_array_index (samples, KymoTraceSample, next));
      row = (KymoUserEventRow) { s->event, s->n, s->max, s->min, s->sum / s->n, s->sum_squares };
      g_array_append_val (rows->rows, row);
      g_array_append_val (rows->squares, s->squares);
    }
}

/**
 * kymo_trace_samples_set:
 *
 * Makes the user events of a profile: one a name, in the order of the first location
 * that has it.
 */
void
kymo_trace_samples_set (KymoTraceJob    *job,
                        KymoProfileData *data)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) here = g_array_new (FALSE, FALSE, sizeof (KymoTraceSample));
  Rows rows = { numbers, g_array_new (FALSE, FALSE, sizeof (KymoUserEventRow)),
                g_array_new (FALSE, FALSE, sizeof (double)) };
  GPtrArray *segments = job->run->segments;
  guint s = 0;

  for (guint l = 0; l < data->n_locations; l++)
    {
      data->user_first[l] = rows.rows->len;
      g_array_set_size (here, 0);
      for (; s < segments->len
           && ((KymoSegment *) g_ptr_array_index (segments, s))->location == l; s++)
        for (guint i = 0; job->samples[s] != NULL && i < job->samples[s]->len; i++)
          {
            KymoTraceSample *sample = &g_array_index (job->samples[s], KymoTraceSample, i);

            sample->event = number_of (job, data, numbers, sample);
            g_array_append_val (here, *sample);
          }
      set_rows (&rows, here);
    }
  data->user_first[data->n_locations] = rows.rows->len;
  data->user_rows = (KymoUserEventRow *) g_array_free (rows.rows, FALSE);
  data->user_squares = (double *) g_array_free (rows.squares, FALSE);
}
