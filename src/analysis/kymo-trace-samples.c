/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * User events of a trace's profile: what was sampled inside the range, by name and
 * location. A sample is a value, a statistic or the memory in use; a mark without a
 * number is none.
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
                                 -G_MAXDOUBLE, G_MAXDOUBLE, 0, 0 };

      place = GUINT_TO_POINTER (samples->len);
      g_hash_table_insert (known, g_memdup2 (&key, sizeof key), place);
      g_array_append_val (samples, sample);
    }
  return &g_array_index (samples, KymoTraceSample, GPOINTER_TO_UINT (place));
}

/**
 * kymo_trace_samples_add:
 * @index: of the segment, whose points are fit to be read
 *
 * Adds up the samples of a segment inside the range.
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
      KymoTraceSample *sample;

      if (!kymo_trace_is_sample (point) || point->begin_ns < job->options->span.begin_ns
          || point->begin_ns >= job->options->count_end_ns)
        continue;
      if (known == NULL)
        known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      sample = find_sample (samples, known, point);
      sample->n++;
      sample->max = MAX (sample->max, point->value);
      sample->min = MIN (sample->min, point->value);
      sample->sum += point->value;
      sample->sum_squares += point->value * point->value;
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

static void
set_rows (KymoProfileData *data,
          GArray          *rows,
          GArray          *samples)
{
  g_array_sort (samples, compare_samples);
  for (guint i = 0; i < samples->len; i++)
    {
      const KymoTraceSample *s = &g_array_index (samples, KymoTraceSample, i);
      KymoUserEventRow row = { s->event, s->n, s->max, s->min, s->sum / s->n, s->sum_squares };

      g_array_append_val (rows, row);
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
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (KymoUserEventRow));
  GPtrArray *segments = job->run->segments;
  guint s = 0;

  for (guint l = 0; l < data->n_locations; l++)
    {
      data->user_first[l] = rows->len;
      for (; s < segments->len
           && ((KymoSegment *) g_ptr_array_index (segments, s))->location == l; s++)
        {
          for (guint i = 0; job->samples[s] != NULL && i < job->samples[s]->len; i++)
            {
              KymoTraceSample *sample = &g_array_index (job->samples[s], KymoTraceSample, i);
              char *name = kymo_trace_sample_dup_name (job->run, sample);
              gpointer found;

              if (!g_hash_table_lookup_extended (numbers, name, NULL, &found))
                {
                  found = GUINT_TO_POINTER (data->user_names->len);
                  g_ptr_array_add (data->user_names, name);
                  g_hash_table_insert (numbers, name, found);
                }
              else
                g_free (name);
              sample->event = GPOINTER_TO_UINT (found);
            }
          if (job->samples[s] != NULL)
            set_rows (data, rows, job->samples[s]);
        }
    }
  data->user_first[data->n_locations] = rows->len;
  data->user_rows = (KymoUserEventRow *) g_array_free (rows, FALSE);
}
