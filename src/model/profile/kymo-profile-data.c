/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-profile-data.h"

/**
 * kymo_profile_data_ref:
 *
 * Returns: (transfer full): @data, with one more reference
 */
KymoProfileData *
kymo_profile_data_ref (KymoProfileData *data)
{
  g_atomic_ref_count_inc (&data->ref_count);
  return data;
}

/**
 * kymo_profile_data_unref:
 *
 * Drops a reference to @data and frees it with the last reference. %NULL is ignored. Any
 * thread.
 */
void
kymo_profile_data_unref (KymoProfileData *data)
{
  if (data == NULL || !g_atomic_ref_count_dec (&data->ref_count))
    return;
  g_free (data->name);
  g_array_unref (data->metrics);
  g_array_unref (data->events);
  g_array_unref (data->parts);
  g_free (data->first);
  g_free (data->event);
  g_free (data->calls);
  g_free (data->subroutines);
  g_free (data->values);
  g_ptr_array_unref (data->user_names);
  g_free (data->user_first);
  g_free (data->user_rows);
  g_free (data->user_squares);
  g_free (data);
}

/**
 * kymo_profile_metric_clear:
 *
 * Frees the texts of a metric, not the metric itself.
 */
void
kymo_profile_metric_clear (KymoProfileMetric *metric)
{
  g_free (metric->name);
  g_free (metric->unit);
}

/**
 * kymo_profile_event_clear:
 *
 * Frees the texts of an event, not the event itself.
 */
void
kymo_profile_event_clear (KymoProfileEvent *event)
{
  g_free (event->name);
  g_free (event->shown);
  g_free (event->groups);
}

/**
 * kymo_profile_data_find_time:
 *
 * Returns: the metric that is the time, as a person would want it: of several that of
 * the name TIME, else the first; -1 where none is a time
 */
gint
kymo_profile_data_find_time (const KymoProfileData *data)
{
  gint first = -1;

  for (guint i = 0; i < data->metrics->len; i++)
    {
      const KymoProfileMetric *metric = &g_array_index (data->metrics, KymoProfileMetric, i);

      if (metric->unit_ns > 0 && g_ascii_strcasecmp (metric->name, "TIME") == 0)
        return i;
      if (metric->unit_ns > 0 && first < 0)
        first = i;
    }
  return first;
}
