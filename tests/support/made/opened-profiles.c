/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "opened-profiles.h"

#include "kymo-open.h"

KymoRun *
profile_open_with (Scratch    *scratch,
                   const char *name,
                   gint64      memory,
                   GError    **error)
{
  g_autofree char *path = scratch_path (scratch, name);
  KymoOpenOptions options = { .n_threads = 2, .memory_limit_bytes = memory };

  return kymo_open_run (path, &options, NULL, error);
}

KymoRun *
profile_open (Scratch    *scratch,
              const char *name)
{
  g_autoptr (GError) error = NULL;
  KymoRun *run = profile_open_with (scratch, name, 1024 * MIB, &error);

  g_assert_no_error (error);
  return run;
}

/* The count of an issue that begins so and has that severity; 0 where there is none. */
gint64
told (KymoRun     *run,
      KymoSeverity severity,
      const char  *what)
{
  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (run->report, i);

      if (issue->severity == severity && g_str_has_prefix (issue->what, what))
        return issue->count;
    }
  return 0;
}

const KymoProfileData *
profile_last_of (KymoRun *run)
{
  return g_ptr_array_index (run->profiles, run->profiles->len - 1);
}

guint32
profile_find_event (const KymoProfileData *data,
                    const char            *name)
{
  for (guint i = 0; i < data->events->len; i++)
    if (g_str_equal (g_array_index (data->events, KymoProfileEvent, i).name, name))
      return i;
  g_error ("no event “%s”", name);
}

/* Calls, exclusive and inclusive of the first metric. */
void
profile_assert_row (KymoRun    *run,
                    guint       location,
                    const char *name,
                    double      calls,
                    double      exclusive,
                    double      inclusive)
{
  const KymoProfileData *data = profile_last_of (run);
  guint32 event = profile_find_event (data, name);

  for (guint64 r = data->first[location]; r < data->first[location + 1]; r++)
    if (data->event[r] == event)
      {
        const double *values = data->values + r * data->metrics->len * 2;

        g_assert_cmpfloat (data->calls[r], ==, calls);
        g_assert_cmpfloat_with_epsilon (values[0], exclusive, 1e-6);
        g_assert_cmpfloat_with_epsilon (values[1], inclusive, 1e-6);
        return;
      }
  g_error ("location %u has no “%s”", location, name);
}
