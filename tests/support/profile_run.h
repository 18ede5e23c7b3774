/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of profiles that are made in a test, and questions to them. Included by tests; what
 * they make is theirs.
 */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-profile-builder.h"
#include "kymo-run-source.h"

static inline KymoRun *
make_run (guint      n_locations,
          GPtrArray *profiles)
{
  const KymoProfileData *data = g_ptr_array_index (profiles, 0);
  KymoRun *run = kymo_run_new ();

  run->kind = KYMO_RUN_PROFILE;
  run->title = g_strdup ("made");
  run->format = g_strdup ("hand");
  run->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  run->n_locations_original = n_locations;
  run->profiles = profiles;
  for (guint i = 0; i < n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("rank %u", i), .kept = TRUE,
                                .process = i };
      KymoSegment *segment = kymo_segment_new ();

      segment->location = i;
      kymo_run_add_location (run, &location, segment);
    }
  for (guint i = 0; i < data->events->len; i++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);

      if (!(event->flags & KYMO_PROFILE_PATH))
        kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, event->shown, event->name,
                               event->groups);
    }
  kymo_run_seal (run);
  return run;
}

static inline guint32
event (KymoProfilePart *part,
       const char      *name,
       const char      *groups,
       guint            flags)
{
  return kymo_profile_part_event (part, name, strlen (name), groups, strlen (groups), flags);
}

static inline KymoTable *
ask (KymoRun    *run,
     const char *kind,
     const char *keywords)
{
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) pairs = g_strsplit (keywords, ",", -1);
  KymoTable *answer;

  for (guint i = 0; pairs[i] != NULL && pairs[i][0] != '\0'; i++)
    {
      char *value = strchr (pairs[i], '=');

      *value++ = '\0';
      kymo_question_set (question, pairs[i], value);
      if (strcmp (pairs[i], "rows") == 0)
        kymo_question_set_resolution (question, 0, atoi (value));
      if (strcmp (pairs[i], "columns") == 0)
        kymo_question_set_resolution (question, atoi (value), 0);
    }
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* The row of a list that has a name. */
static inline guint
find (const KymoTable *list,
      const char      *column,
      const char      *name)
{
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (g_strcmp0 (kymo_table_get_string (list, column, i), name) == 0)
      return i;
  g_error ("no “%s” in the list", name);
}

#define assert_near(a, b) g_assert_cmpfloat_with_epsilon (a, b, \
  1e-9 * (1 + fabs ((double) (b))))
