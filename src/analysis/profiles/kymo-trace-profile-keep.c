/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profiles of a trace that were asked for last are kept with the run: several
 * views look at one range in the same moment, and only the first makes it.
 */
#include "config.h"

#include "kymo-trace-profile-private.h"

/* Most profiles that are kept; a profile of 16,384 threads takes 50 MB. */
#define MOST_KEPT 4

typedef struct
{
  KymoTraceProfileOptions options;
  KymoProfileData        *data;         /* NULL while it is made */
  guint64                 used;         /* when, in questions */
} Kept;

typedef struct
{
  GCond   made;
  guint64 n_asked;
  GArray *kept;                         /* Kept */
} Shelf;

static void
free_shelf (gpointer data)
{
  Shelf *shelf = data;

  for (guint i = 0; i < shelf->kept->len; i++)
    kymo_profile_data_unref (g_array_index (shelf->kept, Kept, i).data);
  g_array_unref (shelf->kept);
  g_cond_clear (&shelf->made);
  g_free (shelf);
}

/* With the index locked. */
static Shelf *
get_shelf (KymoRunIndex *index)
{
  if (index->kept == NULL)
    {
      Shelf *shelf = g_new0 (Shelf, 1);

      g_cond_init (&shelf->made);
      shelf->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
      index->kept = shelf;
      index->free_kept = free_shelf;
    }
  return index->kept;
}

static gboolean
is_same (const KymoTraceProfileOptions *a,
         const KymoTraceProfileOptions *b)
{
  return a->span.begin_ns == b->span.begin_ns
    && a->span.end_ns == b->span.end_ns && a->count_end_ns == b->count_end_ns
    && a->last == b->last && a->depth == b->depth && a->by_phase == b->by_phase
    && a->most_paths == b->most_paths;
}

static Kept *
find_kept (Shelf                         *shelf,
           const KymoTraceProfileOptions *options)
{
  for (guint i = 0; i < shelf->kept->len; i++)
    {
      Kept *kept = &g_array_index (shelf->kept, Kept, i);

      if (is_same (&kept->options, options))
        return kept;
    }
  return NULL;
}

/* Lets the one go that was not asked for the longest time. */
static void
make_room (Shelf *shelf)
{
  gint oldest = -1;
  guint n_made = 0;

  for (guint i = 0; i < shelf->kept->len; i++)
    {
      const Kept *kept = &g_array_index (shelf->kept, Kept, i);

      if (kept->data == NULL)
        continue;
      n_made++;
      if (oldest < 0 || kept->used < g_array_index (shelf->kept, Kept, oldest).used)
        oldest = i;
    }
  if (n_made < MOST_KEPT)
    return;
  kymo_profile_data_unref (g_array_index (shelf->kept, Kept, oldest).data);
  g_array_remove_index_fast (shelf->kept, oldest);
}

/* Waits while another thread makes it; what is found is taken, else the caller has
   to make it. With the index locked. */
static gboolean
wait_for (KymoRunIndex                  *index,
          Shelf                         *shelf,
          const KymoTraceProfileOptions *options,
          GCancellable                  *cancellable,
          KymoProfileData              **data)
{
  Kept *kept;

  *data = NULL;
  while ((kept = find_kept (shelf, options)) != NULL && kept->data == NULL)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      g_cond_wait_until (&shelf->made, &index->kept_mutex, g_get_monotonic_time () + 20000);
    }
  shelf->n_asked++;
  if (kept == NULL)
    {
      Kept new = { *options, NULL, shelf->n_asked };

      make_room (shelf);
      g_array_append_val (shelf->kept, new);
      return TRUE;
    }
  kept->used = shelf->n_asked;
  *data = kymo_profile_data_ref (kept->data);
  return TRUE;
}

static void
put_trace_profile_keep (KymoRunIndex                  *index,
                        Shelf                         *shelf,
                        const KymoTraceProfileOptions *options,
                        KymoProfileData               *data)
{
  Kept *kept;

  g_mutex_lock (&index->kept_mutex);
  kept = find_kept (shelf, options);
  if (data != NULL)
    kept->data = kymo_profile_data_ref (data);
  else
    g_array_remove_index_fast (shelf->kept, kept - (Kept *) shelf->kept->data);
  g_cond_broadcast (&shelf->made);
  g_mutex_unlock (&index->kept_mutex);
}

/**
 * kymo_trace_profile_get:
 * @n_threads: most threads; 0 = one per core
 *
 * As kymo_trace_profile_new(), with the same errors, but what was made for the same options
 * is taken again, and two threads that ask for the same make it once.
 *
 * Returns: (transfer full) (nullable): the profile
 */
KymoProfileData *
kymo_trace_profile_get (const KymoRun                 *run,
                        const KymoTraceProfileOptions *options,
                        guint                          n_threads,
                        GCancellable                  *cancellable,
                        GError                       **error)
{
  KymoRunIndex *index = run->index;
  KymoProfileData *data;
  gboolean go_on;
  Shelf *shelf;

  g_mutex_lock (&index->kept_mutex);
  shelf = get_shelf (index);
  go_on = wait_for (index, shelf, options, cancellable, &data);
  g_mutex_unlock (&index->kept_mutex);
  if (!go_on)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  if (!go_on || data != NULL)
    return data;
  data = kymo_trace_profile_new (run, options, n_threads, cancellable, error);
  put_trace_profile_keep (index, shelf, options, data);
  return data;
}
