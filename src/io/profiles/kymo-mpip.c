/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report that mpiP prints: of each rank and call site of MPI how often and how long.
 * A call site is a path "parent [file:F line:L] => MPI_<call>"; the flat function has
 * the sum of its sites. Times are mean * count, in milliseconds with a few digits, and a
 * call of MPI calls nothing that is measured, so inclusive is exclusive. What the program
 * had beside is the function ".MpiP.Application".
 *
 * Format: mpiP manual, "mpiP Output".
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <fcntl.h>
#include <stdio.h>

#include "kymo-check-run.h"
#include "kymo-error.h"
#include "kymo-format.h"
#include "kymo-mpip.h"
#include "kymo-input.h"
#include "kymo-profile-builder.h"
#include "kymo-profile-pool.h"

#define APPLICATION ".MpiP.Application"
#define HEAD_BYTES 256
#define SUFFIX ".mpiP"
#define UNKNOWN_SITE "(unknown site)"

/* Rows come by rank, mostly. */
static void
add_rank_of (KymoMpip *mpip,
             guint     rank)
{
  GArray *ranks = mpip->ranks;
  KymoProfileThread thread = { rank, 0, 0 };

  if (ranks->len == 0 || g_array_index (ranks, KymoProfileThread, ranks->len - 1).node != rank)
    g_array_append_val (ranks, thread);
}

/* Ranks that only rows name; in order, each once. */
static void
complete_ranks (KymoMpip *mpip)
{
  for (guint i = 0; i < mpip->times->len; i++)
    add_rank_of (mpip, g_array_index (mpip->times, KymoMpipTime, i).row.rank);
  for (guint i = 0; i < mpip->sizes->len; i++)
    add_rank_of (mpip, g_array_index (mpip->sizes, KymoMpipSize, i).row.rank);
  kymo_profile_threads_sort (mpip->ranks);
}

static char *
dup_call (const char *call)
{
  return g_str_has_prefix (call, "MPI_") ? g_strdup (call) : g_strconcat ("MPI_", call, NULL);
}

/* A function and the path of its call site; what one site took. */
static void
add_site (KymoMpip        *mpip,
          KymoProfilePart *part,
          const char      *call,
          guint            number,
          double           calls,
          double           us)
{
  const char *site = g_hash_table_lookup (mpip->sites, GUINT_TO_POINTER (number));
  g_autofree char *path = g_strconcat (site != NULL ? site : UNKNOWN_SITE, " => ", call, NULL);

  kymo_profile_part_add (part, kymo_profile_part_event (part, call, strlen (call), "MPI", 3, 0), 0,
                         calls, 0, us, us);
  kymo_profile_part_add (part, kymo_profile_part_event (part, path, strlen (path), "MPI", 3,
                                                        KYMO_PROFILE_PATH), 0,
                         calls, 0, us, us);
}

static void
add_row (KymoMpip            *mpip,
         KymoProfilePart *part,
         const KymoMpipTime   *row,
         double          *mpi_us,
         double          *n_calls)
{
  g_autofree char *call = dup_call (row->row.call);
  double us = row->mean_ms * row->count * 1000;

  add_site (mpip, part, call, row->row.site, row->count, us);
  *mpi_us += us;
  *n_calls += row->count;
}

static void
add_size (KymoMpip            *mpip,
          KymoProfilePart *part,
          const KymoMpipSize   *row)
{
  g_autofree char *call = dup_call (row->row.call);
  const char *site = g_hash_table_lookup (mpip->sites, GUINT_TO_POINTER (row->row.site));
  g_autofree char *name = g_strconcat ("Message size sent", " : ",
                                       site != NULL ? site : UNKNOWN_SITE, " => ", call, NULL);
  KymoUserEventRow user = { kymo_profile_part_user_event (part, name, strlen (name)), row->count,
                            row->max, row->min, row->mean, row->count * row->mean * row->mean };

  kymo_profile_part_add_user (part, &user);
}

/* "2024 01 31 12:00:59" in seconds; 0 where it is none. */
static gint64
scan_time (const char *text)
{
  g_autoptr (GDateTime) time = NULL;
  int year, month, day, hour, minute, second;

  if (text == NULL
      || sscanf (text, "%4d %2d %2d %2d:%2d:%2d", &year, &month, &day, &hour, &minute,
                 &second) != 6)
    return 0;
  time = g_date_time_new_utc (year, month, day, hour, minute, second);
  return time != NULL ? g_date_time_to_unix (time) : 0;
}

static const char *
find_fact (const KymoMpip *mpip,
           const char *key)
{
  for (guint i = 0; i + 1 < mpip->facts->len; i += 2)
    if (g_str_equal (mpip->facts->pdata[i], key))
      return mpip->facts->pdata[i + 1];
  return NULL;
}

/* Run time of the program; 0 = not known. */
static double
find_wall_us (const KymoMpip *mpip)
{
  gint64 begin = scan_time (find_fact (mpip, "Start time"));
  gint64 end = scan_time (find_fact (mpip, "Stop time"));

  return begin > 0 && end > begin ? (end - begin) * 1e6 : 0;
}

static void
add_rank (KymoMpip            *mpip,
          KymoProfilePart *part,
          guint            location,
          double           wall_us,
          guint           *next_time,
          guint           *next_size)
{
  guint rank = g_array_index (mpip->ranks, KymoProfileThread, location).node;
  const double *known = g_hash_table_lookup (mpip->application_us, GUINT_TO_POINTER (rank));
  double mpi_us = 0, n_calls = 0, all_us;
  guint32 application;

  kymo_profile_part_begin (part, location, 0);
  application = kymo_profile_part_event (part, APPLICATION, strlen (APPLICATION), "", 0, 0);
  for (; *next_time < mpip->times->len
       && g_array_index (mpip->times, KymoMpipTime, *next_time).row.rank == rank; (*next_time)++)
    add_row (mpip, part, &g_array_index (mpip->times, KymoMpipTime, *next_time), &mpi_us, &n_calls);
  for (; *next_size < mpip->sizes->len
       && g_array_index (mpip->sizes, KymoMpipSize, *next_size).row.rank <= rank; (*next_size)++)
    if (g_array_index (mpip->sizes, KymoMpipSize, *next_size).row.rank == rank)
      add_size (mpip, part, &g_array_index (mpip->sizes, KymoMpipSize, *next_size));
  all_us = known != NULL ? *known : wall_us > 0 ? wall_us : mpi_us;
  kymo_profile_part_add (part, application, 0, 1, n_calls, MAX (0, all_us - mpi_us), all_us);
}

/* Adds how evenly the ranks share the time, or the bytes, of a site. */
static void
add_spread (KymoMpip           *mpip,
            KymoProfilePart    *part,
            const KymoMpipSite *row,
            const char         *what,
            double              unit)
{
  g_autofree char *call = dup_call (row->row.call);
  const char *site = g_hash_table_lookup (mpip->sites, GUINT_TO_POINTER (row->row.site));
  g_autofree char *name = g_strconcat (what, " : ", site != NULL ? site : UNKNOWN_SITE, " => ",
                                       call, NULL);
  double mean = row->mean * unit;
  KymoUserEventRow user = { kymo_profile_part_user_event (part, name, strlen (name)), row->tasks,
                            row->max * unit, row->min * unit, mean, row->tasks * mean * mean };

  kymo_profile_part_add_user (part, &user);
}

/* A concise report tells sums over ranks: one location stands for all of them. */
static void
add_all_ranks (KymoMpip        *mpip,
               KymoProfilePart *part)
{
  double mpi_us = 0, n_calls = 0;
  guint32 application;

  kymo_profile_part_begin (part, 0, 0);
  application = kymo_profile_part_event (part, APPLICATION, strlen (APPLICATION), "", 0, 0);
  for (guint i = 0; i < mpip->site_times->len; i++)
    {
      const KymoMpipSite *row = &g_array_index (mpip->site_times, KymoMpipSite, i);
      const double *calls = g_hash_table_lookup (mpip->site_calls,
                                                 GUINT_TO_POINTER (row->row.site));
      g_autofree char *call = dup_call (row->row.call);
      double us = row->mean * row->tasks * 1000;

      add_site (mpip, part, call, row->row.site, calls != NULL ? *calls : 0, us);
      add_spread (mpip, part, row, "Microseconds per rank", 1000);
      mpip->n_uncounted += calls == NULL;
      mpi_us += us;
      n_calls += calls != NULL ? *calls : 0;
    }
  for (guint i = 0; i < mpip->site_sizes->len; i++)
    add_spread (mpip, part, &g_array_index (mpip->site_sizes, KymoMpipSite, i),
                "Bytes per rank", 1);
  kymo_profile_part_add (part, application, 0, 1, n_calls, MAX (0, mpip->all_us - mpi_us),
                         MAX (mpip->all_us, mpi_us));
}

/* TRUE if the report has only sums over ranks. */
static gboolean
is_concise (const KymoMpip *mpip)
{
  return mpip->times->len == 0 && mpip->site_times->len > 0;
}

/* The order of rows, of times and of sizes alike. */
static gint
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const KymoMpipRow *x = a, *y = b;

  return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
    : (x->site > y->site) - (x->site < y->site);
}

static KymoRun *
make_run (KymoMpip               *mpip,
          const char             *path,
          const KymoOpenOptions  *options,
          GError                **error)
{
  KymoProfileBuilder *builder;
  KymoProfilePart *part;
  double wall_us = find_wall_us (mpip);
  guint next_time = 0, next_size = 0;
  GPtrArray *profiles;
  KymoRun *run;

  if (is_concise (mpip))
    g_array_set_size (mpip->ranks, 1);
  else
    complete_ranks (mpip);
  g_array_sort (mpip->times, compare_rows);
  g_array_sort (mpip->sizes, compare_rows);
  builder = kymo_profile_builder_new (mpip->ranks->len);
  kymo_profile_set_limit (builder, options);
  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  if (is_concise (mpip))
    add_all_ranks (mpip, part);
  else
    for (guint i = 0; i < mpip->ranks->len && !kymo_profile_builder_is_full (builder); i++)
      add_rank (mpip, part, i, wall_us, &next_time, &next_size);
  profiles = kymo_profile_make (builder, path, 1, error);
  if (profiles == NULL)
    return NULL;
  run = kymo_profile_run_new ("mpip", mpip->ranks, profiles);
  if (is_concise (mpip))
    {
      KymoLocation *all = &g_array_index (run->locations, KymoLocation, 0);

      g_free (all->label);
      all->label = g_strdup (_("all ranks"));
    }
  for (guint i = 0; i + 1 < mpip->facts->len; i += 2)
    {
      const char *key = mpip->facts->pdata[i];

      kymo_profile_run_add_metadata (run, g_str_equal (key, "Command") ? "Command Line"
                                     : g_str_equal (key, "Version") ? "TAU Version" : key,
                                     mpip->facts->pdata[i + 1]);
    }
  return run;
}

/* TRUE if it is a regular file that begins with the word mpiP. */
static gboolean
mpip_knows (const char *path)
{
  char head[HEAD_BYTES];
  gsize n = kymo_input_read_head (AT_FDCWD, path, head, sizeof head);

  return n > 6 && (memcmp (head, "@ mpiP", 6) == 0
                   || (head[0] == '@' && g_str_has_suffix (path, SUFFIX)));
}

static gboolean
is_named_mpip (const char *path)
{
  return g_str_has_suffix (path, SUFFIX);
}

/* The path itself, or the one report in a folder. */
static char *
find_file (const char  *path,
           const char  *base,
           GError     **error)
{
  g_autofree char *list = NULL;
  char *file = kymo_profile_find_file (path, base, is_named_mpip, &list);

  if (file == NULL && list == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” holds no report of mpiP"), path);
  else if (file == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 _("“%s” holds several reports of mpiP: %s; name one of them"), path, list);
  return file;
}

static void
tell_mpip (const KymoMpip *mpip,
           KymoRun    *run)
{
  if (mpip->n_bad > 0)
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_LOST, mpip->n_bad, mpip->bad_offset,
                     N_("Lines of the profile that could not be understood were left out"));
  if (!mpip->ended)
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The report of mpiP does not end: it is cut off"));
  if (mpip->n_wild > 0)
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_LOST, mpip->n_wild, mpip->wild_offset,
                     N_("Rows with a figure that is no finite number, or is beyond 10^18, were "
                        "left out"));
  if (is_concise (mpip))
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_NOTE, mpip->site_times->len, -1,
                     N_("The report is concise: its call sites have sums over all ranks, which "
                        "are shown as one location"));
  if (mpip->n_uncounted > 0)
    kymo_report_add (run->report, mpip->name, KYMO_SEVERITY_NOTE, mpip->n_uncounted, -1,
                     N_("The report does not say how often these call sites were called"));
}

static KymoRun *
mpip_read (const char             *path,
           const KymoOpenOptions  *options,
           KymoJob                *job,
           GError                **error)
{
  g_autofree char *file = find_file (path, options->base, error);
  g_autofree char *text = NULL, *name = NULL;
  KymoRun *run = NULL;
  gsize length;
  KymoMpip mpip;

  if (file == NULL)
    return NULL;
  if (!mpip_knows (file))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” is no report of mpiP"), file);
      return NULL;
    }
  text = kymo_profile_read_whole (file, options->memory_limit_bytes, &length, error);
  if (text == NULL)
    return NULL;
  name = g_path_get_basename (file);
  kymo_mpip_init (&mpip, name, text);
  kymo_mpip_read (&mpip, length);
  if (mpip.ranks->len + mpip.times->len + mpip.sizes->len + mpip.site_times->len == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” has no rank"), file);
  else if ((run = make_run (&mpip, file, options, error)) != NULL)
    {
      run->path = g_path_get_dirname (file);
      run->title = g_strdup (name);
      tell_mpip (&mpip, run);
      kymo_check_names (run, name);
      kymo_run_seal (run);
    }
  kymo_mpip_clear (&mpip);
  return run;
}

static KymoPart
mpip_part (const char  *folder,
           const char  *name,
           char       **base)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (!is_named_mpip (name) || !mpip_knows (path))
    return KYMO_PART_NONE;
  *base = g_strdup (name);
  return KYMO_PART_BOTH;
}

const KymoFormat kymo_format_mpip =
{
  .id = "mpip",
  .kind = KYMO_FORMAT_PROFILE,
  .tool = "mpiP",
  .label = N_("mpiP report"),
  .globs = KYMO_FORMAT_WORDS ("*.mpiP"),
  .types = KYMO_FORMAT_WORDS ("application/x-mpip"),
  .read = mpip_read,
  .knows = mpip_knows,
  .part = mpip_part,
};
