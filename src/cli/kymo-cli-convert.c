/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `convert`: a run, or a part of it, in the format of another program; `filter`: the
 * functions to leave out of the next measurement.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-convert.h"
#include "kymo-filter-list.h"
#include "kymo-reduce.h"
#include "kymo-trace-profile.h"

#define MOST_CALLS 100000
#define LEAST_NS 10000

/** kymo_cli_set_left_out: @sentences: what the form of the files cannot hold */
void
kymo_cli_set_left_out (KymoTable *answer, const GPtrArray *sentences)
{
  KymoTable *left_out = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint what = kymo_table_add_column (left_out, "what", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < sentences->len; i++)
    kymo_table_append_string (left_out, what, sentences->pdata[i]);
  kymo_table_set_table (answer, "left_out", left_out);
}

static KymoTable *
make_answer (KymoCli *cli, const KymoConvertResult *result)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_string (answer, "to", kymo_cli_get (cli, "to-form"));
  kymo_table_set_int (answer, "locations", result->n_locations);
  kymo_table_set_int (answer, "records", result->n_records);
  kymo_table_set_int (answer, "bytes", result->n_bytes);
  kymo_cli_set_left_out (answer, result->left_out);
  return answer;
}

/**
 * kymo_cli_check_range:
 * @cli: with an open run
 * @span: the range that was asked for
 *
 * Returns: %TRUE if a part of the run in @span can be written
 */
gboolean
kymo_cli_check_range (KymoCli *cli, KymoSpan span, GError **error)
{
  if (cli->run->profiles != NULL && (kymo_cli_has (cli, "from") || kymo_cli_has (cli, "to")))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         "A profile has no time axis: no range of it can be chosen");
  else if (cli->run->profiles == NULL && kymo_span_length (span) <= 0
           && kymo_span_length (cli->run->span) > 0)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         "The time range that was asked for is not in the run");
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_cli_run_convert:
 * @cli: the invocation; its words are the run and what is to be made
 * @error: where to put the reason
 *
 * Writes a run in another format.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_convert (KymoCli *cli, GError **error)
{
  g_autoptr (KymoIdSet) locations = kymo_cli_dup_locations (cli);
  g_auto (KymoConvertResult) result = { 0 };
  g_autoptr (KymoTable) answer = NULL;
  KymoConvertWish wish = {
    .locations = locations, .out = cli->words->pdata[1],
    .last = kymo_cli_get_count (cli, "callpath-depth", 0),
    .depth = kymo_cli_get_count (cli, "depth-limit", 0),
    .by_phase = kymo_cli_has (cli, "by-phase"),
    .n_threads = kymo_cli_get_count (cli, "threads", 0),
  };

  if (!kymo_cli_has (cli, "to-form")
      || !kymo_convert_format_from_string (kymo_cli_get (cli, "to-form"), &wish.format))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           "convert needs the form to write: "
                           "--to tau-profile, tau-trace, otf2, chrome-json or csv");
      return KYMO_CLI_USAGE;
    }
  if (!kymo_reduce_check_place (cli->words->pdata[0], wish.out, error)
      || !kymo_cli_open (cli, cli->words->pdata[0], error))
    return KYMO_CLI_FAILED;
  wish.span = kymo_span_intersect (kymo_cli_get_span (cli), cli->run->span);
  if (!kymo_cli_check_range (cli, wish.span, error)
      || !kymo_convert_write (cli->run, &wish, &result, cli->job, error))
    return KYMO_CLI_FAILED;
  answer = make_answer (cli, &result);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}

/** kymo_cli_text_left_out: what the form of the files cannot hold, if anything */
void
kymo_cli_text_left_out (const KymoTable *answer, GString *out)
{
  const KymoTable *left_out = kymo_table_find_column (answer, "left_out") >= 0
    ? kymo_table_peek_nested (answer, "left_out", NULL) : NULL;

  for (guint i = 0; left_out != NULL && i < kymo_table_get_n_rows (left_out); i++)
    g_string_append_printf (out, "%s%s.\n", i == 0 ? "What it cannot hold:\n  " : "  ",
                            kymo_table_get_string (left_out, "what", i));
}

/** kymo_cli_text_convert: what was written, and what was left out */
void
kymo_cli_text_convert (KymoCli *cli, const KymoTable *answer, GString *out)
{
  g_autofree char *bytes = kymo_format_bytes (kymo_table_get_int (answer, "bytes", 0));

  g_string_append_printf (out, "%s: %" G_GINT64_FORMAT " records of %" G_GINT64_FORMAT
                          " locations, %s.\n", kymo_table_get_string (answer, "to", 0),
                          kymo_table_get_int (answer, "records", 0),
                          kymo_table_get_int (answer, "locations", 0), bytes);
  kymo_cli_text_left_out (answer, out);
}

/* The profile of the run, or of the asked range of a trace, without paths. */
static KymoProfileData *
get_profile (KymoCli *cli, GError **error)
{
  KymoSpan span = kymo_span_intersect (kymo_cli_get_span (cli), cli->run->span);
  KymoTraceProfileOptions options = {
    .span = span,
    .count_end_ns = span.end_ns >= cli->run->span.end_ns ? G_MAXINT64 : span.end_ns,
  };

  if (!kymo_cli_check_range (cli, span, error))
    return NULL;
  if (cli->run->terms.code != KYMO_CODE_FUNCTION)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                           "A filter lists functions that TAU or Score-P shall leave out of "
                           "the next measurement. This run has entry methods of Charm++, "
                           "which its runtime records itself: no such list is for them");
      return NULL;
    }
  if (cli->run->profiles != NULL)
    return kymo_profile_data_ref (cli->run->profiles->pdata[cli->run->profiles->len - 1]);
  return kymo_trace_profile_new (cli->run, &options, kymo_cli_get_count (cli, "threads", 0),
                                 kymo_job_peek_cancellable (cli->job), error);
}

/**
 * kymo_cli_run_filter:
 * @cli: the invocation; its word is the run
 * @error: where to put the reason
 *
 * Writes the list of functions to leave out of the next measurement.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_filter (KymoCli *cli, GError **error)
{
  g_autoptr (KymoProfileData) data = NULL;
  g_autoptr (GString) out = NULL;
  g_autofree char *text = NULL;
  KymoFilterRule rule = { kymo_cli_get_count (cli, "most-calls", MOST_CALLS), LEAST_NS };
  gint64 least;

  if (kymo_cli_has (cli, "least")
      && kymo_parse_time (kymo_cli_get (cli, "least"), &least, NULL))
    rule.least_ns = least;
  if (!kymo_cli_open (cli, cli->words->pdata[0], error))
    return KYMO_CLI_FAILED;
  data = get_profile (cli, error);
  if (data == NULL)
    return KYMO_CLI_FAILED;
  text = kymo_filter_list_make (data, &rule, g_strcmp0 (kymo_cli_get (cli, "format"), "scorep") == 0
                                ? KYMO_FILTER_SCOREP : KYMO_FILTER_TAU, error);
  if (text == NULL)
    return KYMO_CLI_FAILED;
  out = g_string_new (text);
  return kymo_cli_write (cli, out, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
