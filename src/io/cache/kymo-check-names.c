/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-check-names.h"

#include <glib/gi18n-lib.h>

#include "kymo-name.h"
#include "kymo-profile-data.h"

static gint64
count_cut_users (const KymoProfileData *profile)
{
  gint64 n_cut = 0;

  for (guint i = 0; i < profile->user_names->len; i++)
    n_cut += kymo_name_is_cut (profile->user_names->pdata[i]);
  return n_cut;
}

static gint64
count_cut_markers (const KymoDefinitions *definitions)
{
  gint64 n_cut = 0;

  for (guint i = 0; i < definitions->marker_kinds->len; i++)
    {
      const KymoMarkerKind *kind = &g_array_index (definitions->marker_kinds, KymoMarkerKind, i);

      n_cut += kymo_name_is_cut (kind->group) + kymo_name_is_cut (kind->category);
    }
  for (guint i = 0; i < definitions->markers->len; i++)
    n_cut += kymo_name_is_cut (g_array_index (definitions->markers, KymoMarker, i).text);
  return n_cut;
}

static void
tell_check_names (KymoRun    *run,
                  const char *file,
                  gint64      n_cut)
{
  if (n_cut > 0)
    kymo_report_add (run->report, file, KYMO_SEVERITY_NOTE, n_cut, -1,
                     N_("Names of more than 4,096 bytes are cut; those that differ are told apart "
                        "by the number at their end"));
}

/**
 * kymo_check_names:
 * @file: that the names stand in, relative to the run's folder
 *
 * Tells of names that were too long to be kept whole, and adds the source file to names of
 * functions that are the same. Once, by the reader of the names, before the run is sealed.
 */
void
kymo_check_names (KymoRun    *run,
                  const char *file)
{
  gint64 n_cut = 0;

  kymo_run_tell_names_apart (run);
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      n_cut += kymo_name_is_cut (activity->name) || kymo_name_is_cut (activity->signature);
    }
  for (guint i = 0; i < run->metrics->len; i++)
    n_cut += kymo_name_is_cut (run->metrics->pdata[i]);
  for (guint i = 0; i < run->stat_names->len; i++)
    n_cut += kymo_name_is_cut (g_array_index (run->stat_names, KymoFact, i).value);
  for (guint i = 0; i < run->places->len; i++)
    n_cut += kymo_name_is_cut (g_array_index (run->places, KymoPlace, i).label);
  for (guint i = 0; i < run->locations->len; i++)
    n_cut += kymo_name_is_cut (kymo_run_peek_location (run, i)->label);
  if (run->profiles != NULL)
    n_cut += count_cut_users (run->profiles->pdata[run->profiles->len - 1]);
  tell_check_names (run, file, n_cut);
}

/**
 * kymo_check_markers:
 * @run: with its definitions
 * @file: that the markers stand in, relative to the run's folder
 *
 * Tells of texts of markers that were too long to be kept whole.
 */
void
kymo_check_markers (KymoRun    *run,
                    const char *file)
{
  tell_check_names (run, file, count_cut_markers (run->definitions));
}
