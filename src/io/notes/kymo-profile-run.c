/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-profile-run.h"

#include <string.h>

#include "kymo-order.h"
#include "kymo-part-note.h"

/* Most facts that a run keeps, and most ranges of missing ranks that are named. */
#define MAX_FACTS 400
#define MAX_RANGES 20

/**
 * kymo_profile_thread_compare:
 * @a: a #KymoProfileThread
 * @b: another one
 *
 * Compares by node, then context, then thread, for sorting.
 *
 * Returns: less than 0, 0 or more than 0
 */
gint
kymo_profile_thread_compare (gconstpointer a,
                             gconstpointer b)
{
  const KymoProfileThread *x = a, *y = b;

  KYMO_ORDER_BY (x->node, y->node);
  KYMO_ORDER_BY (x->context, y->context);
  return (x->thread > y->thread) - (x->thread < y->thread);
}

/**
 * kymo_profile_threads_sort:
 *
 * Puts threads in their order, each once.
 */
void
kymo_profile_threads_sort (GArray *threads)
{
  KymoProfileThread *all = (KymoProfileThread *) threads->data;
  guint n = 0;

  g_array_sort (threads, kymo_profile_thread_compare);
  for (guint i = 0; i < threads->len; i++)
    if (n == 0 || kymo_profile_thread_compare (&all[n - 1], &all[i]) != 0)
      all[n++] = all[i];
  g_array_set_size (threads, n);
}

/**
 * kymo_profile_time_unit:
 * @metric: name of a metric of TAU
 * @unit: (out): of the metric, for people; "" for counts
 * @unit_ns: (out): nanoseconds in the unit; 0 for counts
 *
 * Tells the unit of a metric: it is a time, in microseconds, if its name has "TIME" in it,
 * else a count.
 */
void
kymo_profile_time_unit (const char  *metric,
                        const char **unit,
                        double      *unit_ns)
{
  g_autofree char *upper = g_ascii_strup (metric, -1);
  gboolean is_time = strstr (upper, "TIME") != NULL;

  *unit = is_time ? "us" : "";
  *unit_ns = is_time ? 1000 : 0;
}

/* Finds out if a node has several threads and if there are several contexts. */
static void
look_at_threads (GArray   *threads,
                 gboolean *many_threads,
                 gboolean *many_contexts)
{
  *many_threads = *many_contexts = FALSE;
  for (guint i = 1; i < threads->len; i++)
    {
      const KymoProfileThread *here = &g_array_index (threads, KymoProfileThread, i);

      *many_threads |= here[-1].node == here->node;
      *many_contexts |= here[-1].node == here->node && here[-1].context != here->context;
    }
}

static char *
dup_label (const KymoProfileThread *thread,
           gboolean                 many_threads,
           gboolean                 many_contexts)
{
  GString *label = g_string_new (NULL);

  g_string_append_printf (label, "rank %" G_GINT64_FORMAT, thread->node);
  if (many_contexts)
    g_string_append_printf (label, ", context %" G_GINT64_FORMAT, thread->context);
  if (many_threads)
    g_string_append_printf (label, ", thread %" G_GINT64_FORMAT, thread->thread);
  return g_string_free (label, FALSE);
}

static void
add_locations (KymoRun *run,
               GArray  *threads)
{
  gboolean many_threads, many_contexts;

  look_at_threads (threads, &many_threads, &many_contexts);
  run->terms.row = many_threads ? KYMO_ROW_THREAD : KYMO_ROW_RANK;
  run->terms.code = KYMO_CODE_FUNCTION;
  for (guint i = 0; i < threads->len; i++)
    {
      const KymoProfileThread *thread = &g_array_index (threads, KymoProfileThread, i);
      KymoLocation location = {
        .id = many_threads ? i : thread->node,
        .label = dup_label (thread, many_threads, many_contexts),
        .kind = KYMO_LOCATION_WORKER,
        .process = thread->node,
        .kept = TRUE,
      };

      kymo_run_add_location (run, &location, kymo_segment_new ());
    }
  run->n_locations_original = threads->len;
}

/* Flat events come first, so that activity i is event i. */
static void
add_activities (KymoRun               *run,
                const KymoProfileData *data)
{
  for (guint i = 0; i < data->events->len; i++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);

      if ((event->flags & KYMO_PROFILE_PATH) != 0)
        break;
      kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, event->shown, event->name,
                             event->groups);
    }
  for (guint i = 0; i < data->metrics->len; i++)
    g_ptr_array_add (run->metrics,
                     g_strdup (g_array_index (data->metrics, KymoProfileMetric, i).name));
}

/**
 * kymo_profile_run_new:
 * @format: name of the format
 * @threads: #KymoProfileThread, sorted, no two alike: a thread for each location of the
 *   profiles
 * @profiles: (transfer full) (element-type KymoProfileData): of kymo_profile_builder_finish()
 *
 * Returns: (transfer full): the run; the reader fills in path, title, facts and report, and
 *   seals it
 */
KymoRun *
kymo_profile_run_new (const char *format,
                      GArray     *threads,
                      GPtrArray  *profiles)
{
  KymoRun *run = kymo_run_new ();

  run->kind = KYMO_RUN_PROFILE;
  run->format = g_strdup (format);
  run->profiles = profiles;
  add_locations (run, threads);
  add_activities (run, g_ptr_array_index (profiles, profiles->len - 1));
  return run;
}

/**
 * kymo_profile_run_take_note:
 * @threads: #KymoProfileThread, of the run's locations
 * @folder: that they lie in
 *
 * Where a note says that the run is a part of another one (kymo-part-note.h), its
 * locations get the numbers and labels that they have there; one that does not know all
 * of them, in their order, is of no use.
 */
void
kymo_profile_run_take_note (KymoRun    *run,
                            GArray     *threads,
                            const char *folder)
{
  g_autoptr (KymoPartNote) note = kymo_part_note_new (folder, "profile");
  const KymoPartLocation *known, *before = NULL;
  const KymoNoted noted = { folder, "profile", -1, NULL, 0 };

  if (note == NULL)
    kymo_reduced_check (&noted, run->report);
  for (guint i = 0; note != NULL && i < threads->len; i++, before = known)
    {
      const KymoProfileThread *thread = &g_array_index (threads, KymoProfileThread, i);

      known = kymo_part_note_find (note, thread->node, thread->thread);
      if (known == NULL || thread->context != 0 || (before != NULL && known->id <= before->id))
        return;
    }
  for (guint i = 0; note != NULL && i < threads->len; i++)
    {
      const KymoProfileThread *thread = &g_array_index (threads, KymoProfileThread, i);
      KymoLocation *location = &g_array_index (run->locations, KymoLocation, i);

      known = kymo_part_note_find (note, thread->node, thread->thread);
      location->id = known->id;
      g_free (location->label);
      location->label = g_strdup (known->label);
    }
  if (note == NULL)
    return;
  if (note->row >= 0)
    run->terms.row = note->row;
  kymo_part_note_apply (note, folder, "profile", run);
}

/* When the run ended, in microseconds of the day's clock: for people as well. */
static void
add_end (KymoRun    *run,
         const char *value)
{
  gint64 us = g_ascii_strtoll (value, NULL, 10);
  g_autoptr (GDateTime) time = us > 0 ? g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC) : NULL;
  g_autofree char *text = time != NULL ? g_date_time_format_iso8601 (time) : NULL;

  if (text != NULL && !kymo_run_has_fact (run, "timestamp"))
    kymo_run_add_fact (run, "timestamp", text);
}

/**
 * kymo_profile_run_add_metadata:
 * @key: name of a fact in the files
 * @value: what the files tell
 *
 * Adds a fact of the run. Facts that every run has get the name that they have in all
 * formats. Beyond some hundred facts no more are taken.
 */
void
kymo_profile_run_add_metadata (KymoRun    *run,
                               const char *key,
                               const char *value)
{
  static const char *const names[][2] = {
    { "Executable", "program" }, { "Command Line", "command_line" }, { "Username", "user" },
    { "Hostname", "host" }, { "OS Machine", "machine" },
    { "TAU Version", "runtime_version" },
  };

  if (run->facts->len >= MAX_FACTS || *key == '\0'
      || (g_str_equal (key, "timestamp") && kymo_run_has_fact (run, key)))
    return;
  if (g_str_equal (key, "Ending Timestamp"))
    add_end (run, value);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i][0], key))
      {
        kymo_run_add_fact (run, names[i][1], value);
        return;
      }
  {
    g_autofree char *valid = g_utf8_make_valid (key, -1);

    kymo_run_add_fact (run, valid, value);
  }
}

/**
 * kymo_profile_take_metadata:
 * @list: GPtrArray of char *: gets key and value, for kymo_profile_run_add_list()
 */
void
kymo_profile_take_metadata (const char *key,
                            const char *value,
                            gpointer    list)
{
  g_ptr_array_add (list, g_strdup (key));
  g_ptr_array_add (list, g_strdup (value));
}

/**
 * kymo_profile_run_add_list:
 * @list: (element-type utf8): key and value in turn
 *
 * Adds them all, as kymo_profile_run_add_metadata() does.
 */
void
kymo_profile_run_add_list (KymoRun         *run,
                           const GPtrArray *list)
{
  for (guint i = 0; i + 1 < list->len; i += 2)
    kymo_profile_run_add_metadata (run, list->pdata[i], list->pdata[i + 1]);
}

/**
 * kymo_profile_run_report_ranks:
 *
 * Reports ranks that are missing among the others, unless some were left out on purpose. The
 * run has its title.
 */
void
kymo_profile_run_report_ranks (KymoRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 expected = 0, n_missing = 0;
  guint n_ranges = 0;

  for (guint i = 0; i < run->locations->len
       && run->n_locations_original == run->locations->len; i++)
    {
      gint64 node = kymo_run_peek_location (run, i)->process;

      if (node > expected)
        {
          n_missing += node - expected;
          if (n_ranges++ < MAX_RANGES)
            {
              g_string_append_printf (text, "%s%" G_GINT64_FORMAT, n_ranges > 1 ? "," : "",
                                      expected);
              if (node > expected + 1)
                g_string_append_printf (text, "-%" G_GINT64_FORMAT, node - 1);
            }
        }
      expected = node + 1;
    }
  if (n_missing > 0)
    kymo_report_add (run->report, run->title, KYMO_SEVERITY_LOST, n_missing, -1,
                     N_("Ranks without a profile: %s%s"), text->str,
                     n_ranges > MAX_RANGES ? ",…" : "");
}
