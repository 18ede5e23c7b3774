/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The work behind most commands: open the run, put the question, write the
 * answer in the form asked for, and tell what the load report holds.
 *
 * Thread: the worker's, but kymo_cli_tell_report(), which runs at the end.
 */
#include "config.h"

#include "kymo-cli.h"

#include <errno.h>
#include <string.h>

#include "kymo-cache.h"
#include "kymo-export.h"
#include "kymo-phases.h"
#include "kymo-regions.h"
#include "kymo-safe-text.h"

/* Most lines of the load report on standard error: more would scroll the first lines out of sight.
   `info` has all of them. */
#define MAX_REPORT_LINES 20

static gboolean
find_phase (KymoCli *cli, GError **error)
{
  const char *text = kymo_cli_get (cli, "phase");
  if (text == NULL)
    return TRUE;

  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autoptr (KymoTable) info =
    kymo_source_ask (cli->source, question,
                     kymo_job_peek_cancellable (cli->job), error);
  if (info == NULL)
    return FALSE;
  const KymoTable *phases = kymo_table_peek_nested (info, "phases", NULL);
  cli->has_range = kymo_phases_find (phases, g_ascii_strtoll (text, NULL, 10),
                                     &cli->range);
  if (cli->has_range)
    return TRUE;
  guint n = phases != NULL ? kymo_table_get_n_rows (phases) : 0;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               "the run has no phase %s; %s", text,
               n == 0 ? "its program marked none"
               : "“kymo-cli info” lists those it has");
  return FALSE;
}

static gboolean
find_range (KymoCli *cli, GError **error)
{
  const char *region = kymo_cli_get (cli, "region");

  /* They name a range of the first run, also where a comparison opens a second run. */
  if (cli->has_range)
    return TRUE;
  if (region == NULL)
    return find_phase (cli, error);
  cli->has_range = kymo_regions_ask (cli->source, region, kymo_job_peek_cancellable (cli->job),
                                     &cli->range, error);
  return cli->has_range;
}

/**
 * kymo_cli_open:
 * @cli: the invocation
 * @path: folder or file, or its address on another machine
 * @error: where to put the reason
 *
 * Opens the run and makes it the source of the invocation.
 *
 * Returns: whether it could be read
 */
gboolean
kymo_cli_open (KymoCli *cli, const char *path, GError **error)
{
  KymoOpenOptions options = { .base = kymo_cli_get (cli, "base") };
  const char *limit = kymo_cli_get (cli, "memory-limit");
  KymoRunSource *source;

  if (kymo_remote_is_address (path))
    return kymo_cli_open_far (cli, path, error) && find_range (cli, error);
  options.n_threads = kymo_cli_get_count (cli, "threads", 0);
  options.correct_clocks = kymo_cli_has (cli, "correct-clocks");
  options.no_cache = kymo_cli_has (cli, "no-cache");
  if (limit != NULL)
    kymo_parse_size (limit, &options.memory_limit_bytes, NULL);
  cli->run = kymo_open_run (path, &options, cli->job, error);
  if (cli->run == NULL)
    return FALSE;
  source = kymo_run_source_new (cli->run, options.n_threads);
  kymo_run_source_set_keeper (source, kymo_cache_save);
  cli->source = KYMO_SOURCE (source);
  return find_range (cli, error);
}

/**
 * kymo_cli_keep:
 * @cli: the invocation; the answer is out
 *
 * Keeps the run for the next invocation. Where that fails nothing is lost
 * but time: the reason is told at the end, unless --quiet.
 */
void
kymo_cli_keep (KymoCli *cli)
{
  guint n_others = cli->others != NULL ? cli->others->len : 0;

  for (guint i = 0; i <= n_others && cli->source != NULL; i++)
    {
      KymoSource *source = i == 0 ? cli->source : cli->others->pdata[i - 1];

      /* What has failed may have lost the line to a run elsewhere, and one sentence says so. */
      if (kymo_job_is_cancelled (cli->job) || cli->not_kept != NULL
          || (cli->error != NULL && KYMO_IS_REMOTE_SOURCE (source)))
        return;
      kymo_job_set_stage (cli->job, "Keeping what was read");
      kymo_source_keep (source, kymo_job_peek_cancellable (cli->job), &cli->not_kept);
    }
}

/**
 * kymo_cli_ask:
 * @cli: the invocation; its run is open
 * @question: a question of any kind
 * @error: where to put the reason
 *
 * Puts a question, with --from, --to, --locations, --workers-only and --order
 * added.
 *
 * Returns: (transfer full): the answer, or %NULL
 */
KymoTable *
kymo_cli_ask (KymoCli *cli, KymoQuestion *question, GError **error)
{
  g_autoptr (KymoIdSet) locations = kymo_cli_dup_locations (cli);
  g_autoptr (GArray) order = NULL;
  g_autoptr (KymoRowGroups) groups = NULL;

  kymo_question_set_span (question, kymo_cli_get_span (cli));
  if (locations != NULL)
    kymo_question_set_locations (question, locations);
  if (kymo_cli_has (cli, "workers-only"))
    kymo_question_set_int (question, "workers-only", 1);
  if (!kymo_cli_dup_order (cli, kymo_cli_peek_order (cli), &order, error))
    return NULL;
  kymo_question_set_order (question, order);
  if (!kymo_cli_dup_groups (cli, &groups, error))
    return NULL;
  kymo_question_set_groups (question, groups);
  kymo_question_set_int (question, "once", 1);
  return kymo_source_ask (cli->source, question,
                          kymo_job_peek_cancellable (cli->job), error);
}

/* A reader that went away (`| head`) is not an error of kymo-cli. */
static gboolean
write_stdout (GString *bytes, GError **error)
{
  if (kymo_cli_print (bytes) || errno == EPIPE)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
               "Cannot write to standard output: %s", g_strerror (errno));
  return FALSE;
}

/**
 * kymo_cli_write:
 * @cli: the invocation
 * @bytes: lines; made safe to show in place
 * @error: where to put the reason
 *
 * Writes to --output, or to standard output.
 *
 * Returns: whether it could be written
 */
gboolean
kymo_cli_write (KymoCli *cli, GString *bytes, GError **error)
{
  const char *output = kymo_cli_get (cli, "output");
  if (output == NULL || strcmp (output, "-") == 0)
    return write_stdout (bytes, error);
  kymo_safe_text_clean (bytes, "\n");
  return kymo_write_output (output, bytes->str, bytes->len, error);
}

/**
 * kymo_cli_write_table:
 * @cli: the invocation
 * @table: an answer
 * @error: where to put the reason
 *
 * Writes an answer in the form that --format asks for.
 *
 * Returns: whether it could be written
 */
gboolean
kymo_cli_write_table (KymoCli *cli, KymoTable *table, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const char *format = kymo_cli_get (cli, "format");

  if (g_strcmp0 (format, "json") == 0)
    kymo_table_write_json (table, out);
  else if (g_strcmp0 (format, "csv") == 0)
    kymo_table_write_csv (table, out);
  else
    {
      kymo_table_make_safe (table);
      kymo_cli_write_text (cli, table, out);
    }
  if (out->len > 0 && out->str[out->len - 1] != '\n')
    g_string_append_c (out, '\n');
  return kymo_cli_write (cli, out, error);
}

/* Sets --min and --max: they are bytes if --of counts message sizes, else nanoseconds. */
static gboolean
set_amount (KymoCli       *cli,
            KymoQuestion  *question,
            const char    *name,
            GError       **error)
{
  const char *text = kymo_cli_get (cli, name);
  gboolean size = g_strcmp0 (kymo_cli_get (cli, "of"), "message-size") == 0;
  gint64 value;

  if (!(size ? kymo_parse_size : kymo_parse_time) (text, &value, NULL))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "“%s” is no %s for --%s", text, size ? "size" : "time",
                   name);
      return FALSE;
    }
  kymo_question_set_int (question, name, value);
  return TRUE;
}

/* Sets a time under the keyword NAME-ns. */
static void
set_time (KymoQuestion *question, const char *name, const char *text)
{
  g_autofree char *key = g_strconcat (name, "-ns", NULL);
  gint64 ns;

  kymo_parse_time (text, &ns, NULL);
  kymo_question_set_int (question, key, ns);
}

static gboolean
set_keyword (KymoCli            *cli,
             KymoQuestion       *question,
             const KymoKeyword  *keyword,
             GError            **error)
{
  const char *text = keyword->target == KYMO_KEYWORD_TO_ARGUMENT ? cli->words->pdata[1]
    : kymo_cli_get (cli, keyword->name);

  if (text == NULL && keyword->value != 0)
    kymo_question_set_int (question, keyword->name, keyword->value);
  if (text == NULL || keyword->type == KYMO_KEYWORD_ORDER)
    return TRUE;
  if (keyword->type == KYMO_KEYWORD_AMOUNT)
    return set_amount (cli, question, keyword->name, error);
  if (keyword->type == KYMO_KEYWORD_TIME)
    set_time (question, keyword->name, text);
  else
    kymo_question_set (question, keyword->name, text);
  return TRUE;
}

/* Number of columns. Without --columns a text answer fits a terminal. */
static gint64
columns_of (KymoCli *cli, const KymoKeyword *keyword)
{
  const char *format = kymo_cli_get (cli, "format");
  gboolean text = format == NULL || strcmp (format, "text") == 0;

  return kymo_cli_get_count (cli, keyword->name, text && cli->command->text_columns > 0
                             ? cli->command->text_columns : keyword->value);
}

static KymoQuestion *
build_question (KymoCli *cli, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (cli->command->name);
  const KymoKeyword *keyword = cli->command->options;
  guint columns = 0, rows = 0;

  for (; keyword != NULL && keyword->name != NULL; keyword++)
    {
      if (keyword->target == KYMO_KEYWORD_TO_COLUMNS)
        columns = columns_of (cli, keyword);
      else if (keyword->target == KYMO_KEYWORD_TO_ROWS)
        rows = kymo_cli_get_count (cli, keyword->name, 0);
      else if (!set_keyword (cli, question, keyword, error))
        return NULL;
    }
  kymo_question_set_resolution (question, columns, rows);
  return g_steal_pointer (&question);
}

/**
 * kymo_cli_run_question:
 * @cli: the invocation
 * @error: where to put the reason
 *
 * The commands whose name is the kind of their question.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_question (KymoCli *cli, GError **error)
{
  g_autoptr (KymoQuestion) question = build_question (cli, error);
  if (question == NULL || !kymo_cli_open (cli, cli->words->pdata[0], error))
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) answer = kymo_cli_ask (cli, question, error);
  if (answer == NULL || !kymo_cli_add_bookmarks (cli, answer, error)
      || !kymo_cli_write_table (cli, answer, error))
    return KYMO_CLI_FAILED;
  return KYMO_CLI_OK;
}

/* Prints an issue as a line: "kymo-cli: lost: app.3.log.gz: why (12 times)". */
static void
tell_issue (const KymoIssue *issue)
{
  g_autofree char *count = issue->count > 1
    ? kymo_format_count (issue->count) : NULL;

  kymo_cli_tell ("%s: %s%s%s%s%s%s", kymo_severity_to_string (issue->severity),
                 issue->file ? issue->file : "", issue->file ? ": " : "", issue->what,
                 count ? " (" : "", count ? count : "", count ? ")" : "");
}

/**
 * kymo_cli_tell_report:
 * @cli: the invocation, its work done
 * @status: the exit code so far
 *
 * Writes what was lost or repaired to standard error, unless --quiet. Notes
 * are left to `info`: they are not worth a warning.
 *
 * Returns: @status, or 3 where --strict asks for it
 */
int
kymo_cli_tell_report (KymoCli *cli, int status)
{
  g_autoptr (KymoSourceFacts) facts = cli->source != NULL ? kymo_source_dup_facts (cli->source)
                                                          : NULL;
  KymoReport *report = facts != NULL ? facts->report : cli->report;
  guint n = report ? kymo_report_get_n_issues (report) : 0;
  guint told = 0, more = 0;

  for (guint i = 0; i < n && !kymo_cli_has (cli, "quiet"); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (report, i);
      if (issue->severity == KYMO_SEVERITY_NOTE)
        continue;
      if (told < MAX_REPORT_LINES && ++told)
        tell_issue (issue);
      else
        more++;
    }
  if (facts != NULL && facts->is_on_disk && !kymo_cli_has (cli, "quiet")
      && cli->command->tells_memory)
    kymo_cli_tell ("note: the run is larger than the memory limit; it lies on disk and is read "
                   "as needed");
  if (more > 0)
    kymo_cli_tell ("and %u more; “kymo-cli info” lists them all", more);
  if (status == KYMO_CLI_OK && report != NULL && kymo_cli_has (cli, "strict")
      && !kymo_report_is_complete (report))
    return KYMO_CLI_LOSSES;
  return status;
}
