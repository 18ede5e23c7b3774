/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `check`: bounds for a build server. Each bound is one line of a table; the
 * figures come from the question profile (of a run that is one: info), so they
 * are the ones the other commands show.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>

/**
 * Bound:
 * @name: of the figure, as the profile tells it
 * @time: (nullable): key of the time whose share of the span the figure is
 * @fallback: the figure of a run without useful time, which is not out of balance, nor efficient
 * @least: whether the bound is a lower one
 */
typedef struct
{
  const char *option, *name, *time;
  double      fallback;
  gboolean    least;
} Bound;

static const Bound bounds[] = {
  { "max-idle", "idle", "idle_ns" },
  { "max-overhead", "overhead", "overhead_ns" },
  { "max-untraced", "untraced", "untraced_ns" },
  { "min-utilization", "utilization", .least = TRUE },
  { "max-imbalance", "imbalance", .fallback = 1 },
  { "min-efficiency", "parallel_efficiency", .least = TRUE },
  { "min-load-balance", "load_balance", .fallback = 1, .least = TRUE },
  { "min-communication-efficiency", "communication_efficiency", .least = TRUE },
};

static gboolean
any_bound (KymoCli *cli)
{
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    if (kymo_cli_has (cli, bounds[i].option))
      return TRUE;
  return FALSE;
}

/* Refuses bounds on figures that the run does not know: such a bound is neither kept nor broken. */
static gboolean
check_rest (KymoCli *cli, GError **error)
{
  static const struct { const char *option, *why; } unknown[] = {
    { "max-idle", "does not tell idle time from overhead" },
    { "max-overhead", "does not tell idle time from overhead" },
    { "max-imbalance", "tells the mean of all PEs" },
    { "min-load-balance", "tells the mean of all PEs" },
    { "min-communication-efficiency", "tells the mean of all PEs" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    if (kymo_cli_has (cli, unknown[i].option))
      {
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                     "--%s cannot be checked: a utilization stream %s; "
                     "--min-utilization can", unknown[i].option,
                     unknown[i].why);
        return FALSE;
      }
  return TRUE;
}

/* TRUE if the run is a profile: sums over all of its time, without a time axis. */
static gboolean
is_profile (KymoCli *cli)
{
  return !(kymo_source_get_capabilities (cli->source) & KYMO_CAN_BINNED_TIME);
}

static gboolean
check_profile (KymoCli *cli, GError **error)
{
  static const char *const unknown[] = { "max-idle", "max-overhead", "max-untraced" };

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    if (kymo_cli_has (cli, unknown[i]))
      {
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                     "--%s cannot be checked: a profile has times of functions alone; "
                     "--min-efficiency can", unknown[i]);
        return FALSE;
      }
  return TRUE;
}

/* Copies from the profile which locations its figures stand for. */
static void
tell_extrapolated (const KymoTable *profile, KymoTable *answer)
{
  if (!kymo_table_get_bool (profile, "extrapolated", 0))
    return;
  kymo_table_set_bool (answer, "extrapolated", TRUE);
  kymo_table_set_int (answer, "extrapolated_from",
                      kymo_table_get_int (profile, "extrapolated_from", 0));
  kymo_table_set_double (answer, "stands_for", kymo_table_get_double (profile, "stands_for", 0));
  kymo_table_set_double (answer, "time_profile_error",
                         kymo_table_get_double (profile, "time_profile_error", 0));
}

static KymoTable *
ask_profile (KymoCli *cli, KymoTable *answer, GError **error)
{
  g_autoptr (KymoQuestion) question
    = kymo_question_new (is_profile (cli) ? "info" : "profile");
  /* Bounds are about averages, and averages are of workers. */
  kymo_question_set_int (question, "workers-only", 1);
  if (kymo_cli_has (cli, "extrapolate"))
    kymo_question_set_int (question, "extrapolate", 1);
  g_autoptr (KymoTable) profile = kymo_cli_ask (cli, question, error);
  if (profile == NULL)
    return NULL;
  if (kymo_cli_has_rest (profile) && !check_rest (cli, error))
    return NULL;
  if (is_profile (cli) && !check_profile (cli, error))
    return NULL;
  tell_extrapolated (profile, answer);
  return g_steal_pointer (&profile);
}

static double
get_figure (const KymoTable *profile, const Bound *bound)
{
  double span = MAX (kymo_table_get_int (profile, "span_ns", 0), 1);
  double value = bound->time == NULL ? kymo_table_get_double (profile, bound->name, 0)
    : kymo_table_get_int (profile, bound->time, 0) / span;

  return isnan (value) ? bound->fallback : value;
}

/* The bounds that were given, each with its figure and whether it is kept. */
static KymoTable *
build_table (KymoCli *cli, const KymoTable *profile, gboolean *passed)
{
  KymoTable *table = kymo_table_new_list ("name:string value:double bound:double passed:bool");

  *passed = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    {
      if (!kymo_cli_has (cli, bounds[i].option))
        continue;
      double is = get_figure (profile, &bounds[i]);
      double limit = kymo_cli_get_number (cli, bounds[i].option, 0);
      gboolean ok = bounds[i].least ? is >= limit : is <= limit;
      kymo_table_append_row (table, bounds[i].name, is, limit, ok);
      *passed = *passed && ok;
    }
  return table;
}

/**
 * kymo_cli_run_check:
 * @cli: the invocation
 * @error: where to put the reason
 *
 * Compares the figures of a run with the bounds given.
 *
 * Returns: the exit code: 1 when a bound is broken
 */
int
kymo_cli_run_check (KymoCli *cli, GError **error)
{
  g_autoptr (KymoTable) answer = kymo_table_new (KYMO_STYLE_OBJECT);
  gboolean passed;

  if (!any_bound (cli))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           "check needs a bound, such as --max-idle 20%; "
                           "see kymo-cli check --help");
      return KYMO_CLI_USAGE;
    }
  if (!kymo_cli_open (cli, cli->words->pdata[0], error))
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) profile = ask_profile (cli, answer, error);
  if (profile == NULL)
    return KYMO_CLI_FAILED;
  KymoTable *list = build_table (cli, profile, &passed);
  kymo_table_set_bool (answer, "passed", passed);
  kymo_table_set_table (answer, "bounds", list);
  if (!kymo_cli_write_table (cli, answer, error))
    return KYMO_CLI_FAILED;
  return passed ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
