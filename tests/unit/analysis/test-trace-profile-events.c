/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profile of a random trace: its events by path, its user events against sums over
 * their samples, how many paths are too many, and which profiles are kept.
 */
#include "config.h"

#include "kymo-error.h"
#include "kymo-trace-profile.h"
#include "random-calls.h"

static void
test_paths (void)
{
  g_autoptr (KymoRun) run = random_calls_run (7, TRUE);
  KymoTraceProfileOptions options = { run->span, G_MAXINT64, .depth = G_MAXUINT };
  g_autoptr (KymoProfileData) data = kymo_trace_profile_new (run, &options, 1, NULL, NULL);
  gboolean paths = FALSE;

  for (guint i = 0; i < data->events->len; i++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);
      const guint32 *parts = (const guint32 *) data->parts->data + event->first_part;
      const KymoProfileEvent *above;

      /* Functions stand before paths. */
      g_assert_true (!paths || (event->flags & KYMO_PROFILE_PATH));
      paths |= event->flags & KYMO_PROFILE_PATH;
      if (!(event->flags & KYMO_PROFILE_PATH))
        {
          g_assert_cmpuint (parts[0], ==, i);
          continue;
        }
      g_assert_cmpstr (event->shown, ==, g_array_index (data->events, KymoProfileEvent,
                                                        parts[event->n_parts - 1]).name);
      if (event->n_parts == 1)
        {
          g_assert_cmpuint (event->parent, ==, KYMO_NO_EVENT);
          continue;
        }
      above = &g_array_index (data->events, KymoProfileEvent, event->parent);
      g_assert_true (above->flags & KYMO_PROFILE_PATH);
      g_assert_cmpuint (above->n_parts, ==, event->n_parts - 1);
      g_assert_true (g_str_has_prefix (event->name, above->name));
    }
  g_assert_true (paths);
}

static void
test_samples (void)
{
  g_autoptr (KymoRun) run = random_calls_run (4, FALSE);
  KymoSpan span = { run->span.begin_ns + 200, run->span.end_ns };
  KymoTraceProfileOptions options = { span, G_MAXINT64 };
  g_autoptr (KymoProfileData) data = kymo_trace_profile_new (run, &options, 1, NULL, NULL);

  for (guint l = 0; l < run->locations->len; l++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, l);
      KymoUserEventRow sums = { 0, 0, -1, 10, 0, 0 };
      guint64 row = data->user_first[l];

      for (guint i = 0; i < segment->points->len; i++)
        {
          const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

          if (point->begin_ns < span.begin_ns)
            continue;
          sums.n++;
          sums.max = MAX (sums.max, point->value);
          sums.min = MIN (sums.min, point->value);
          sums.mean += point->value;
          sums.sum_squares += point->value * point->value;
        }
      g_assert_cmpuint (data->user_first[l + 1] - row, ==, sums.n > 0);
      if (sums.n == 0)
        continue;
      g_assert_cmpfloat (data->user_rows[row].n, ==, sums.n);
      g_assert_cmpfloat (data->user_rows[row].max, ==, sums.max);
      g_assert_cmpfloat (data->user_rows[row].min, ==, sums.min);
      g_assert_cmpfloat (data->user_rows[row].mean, ==, sums.mean / sums.n);
      g_assert_cmpfloat (data->user_rows[row].sum_squares, ==, sums.sum_squares);
    }
  g_assert_cmpuint (data->user_names->len, ==, 1);
}

static gboolean
is_answered (const KymoRun *run,
             guint          most_paths,
             guint          n_threads)
{
  KymoTraceProfileOptions options = { run->span, G_MAXINT64, .depth = G_MAXUINT,
                                      .most_paths = most_paths };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoProfileData) data = kymo_trace_profile_new (run, &options, n_threads, NULL,
                                                             &error);

  if (data == NULL)
    g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
  return data != NULL;
}

/* Whether there are too many paths does not go by how locations were shared out: each has
   paths that no other has. */
static void
test_most_paths (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autoptr (KymoRun) run = random_calls_new (4);
  guint low = 1, high = 100000;

  for (guint i = 0; i < 4; i++)
    random_calls_add (run, i, random_calls_segment (random, i, FALSE, 12000, 0));
  kymo_run_seal (run);
  g_assert_true (is_answered (run, high, 1));
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (is_answered (run, middle, 1))
        high = middle;
      else
        low = middle;
    }
  for (guint n_threads = 2; n_threads <= 4; n_threads++)
    {
      g_assert_true (is_answered (run, high, n_threads));
      g_assert_false (is_answered (run, low, n_threads));
    }
}

/* Two that ask for the same get the same; what was not asked for long goes. */
static void
test_kept (void)
{
  g_autoptr (KymoRun) run = random_calls_run (5, FALSE);
  KymoTraceProfileOptions options = { run->span, G_MAXINT64 };
  g_autoptr (KymoProfileData) first = kymo_trace_profile_get (run, &options, 1, NULL, NULL);
  g_autoptr (KymoProfileData) again = kymo_trace_profile_get (run, &options, 1, NULL, NULL);
  g_autoptr (KymoProfileData) late = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (first == again);
  for (guint i = 2; i < 8; i++)
    {
      KymoTraceProfileOptions other = { run->span, G_MAXINT64, .last = i };
      g_autoptr (KymoProfileData) data = kymo_trace_profile_get (run, &other, 1, NULL, NULL);

      g_assert_true (data != first);
    }
  late = kymo_trace_profile_get (run, &options, 1, NULL, NULL);
  g_assert_true (late != first);
  g_cancellable_cancel (cancelled);
  options.depth = 2;
  g_assert_null (kymo_trace_profile_get (run, &options, 1, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  again = (kymo_profile_data_unref (again), kymo_trace_profile_get (run, &options, 1, NULL, NULL));
  g_assert_nonnull (again);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-profile-events/paths", test_paths);
  g_test_add_func ("/trace-profile-events/samples", test_samples);
  g_test_add_func ("/trace-profile-events/most-paths", test_most_paths);
  g_test_add_func ("/trace-profile-events/kept", test_kept);
  return g_test_run ();
}
