/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands. Those that put a question come of the kinds of questions: name,
 * summary, options and help stand in the class of the kind. Here is what is the command line's
 * own: how the text of an answer is laid out, and the commands that do something else.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-keywords.h"

static const KymoKeyword convert_options[] = {
  { "to-form", KYMO_KEYWORD_WORD, "tau-profile|tau-trace|otf2|chrome-json|csv",
    "the form to write; --to takes these words, too" },
  KYMO_KEYWORDS_OF_PATHS,
  { NULL }
};

static const KymoKeyword filter_options[] = {
  { "most-calls", KYMO_KEYWORD_COUNT, "N", "more calls on a location are too many (100000)" },
  { "least", KYMO_KEYWORD_TIME, "T", "a call that takes less is tiny (10us)" },
  { NULL }
};

static const KymoKeyword reduce_options[] = {
  { "clusters", KYMO_KEYWORD_TEXT, "K", "seeds (-k), or a range as 2-10 (5)" },
  { "outliers", KYMO_KEYWORD_TEXT, "N|SHARE", "PEs that stick out, beside the "
    "representatives (10%)" },
  { "keep", KYMO_KEYWORD_TEXT, "N|SHARE", "representatives and outliers together" },
  { "error", KYMO_KEYWORD_SHARE, "SHARE", "the smallest set whose time profile is within it, "
    "as 2%, in place of the three" },
  { "quota", KYMO_KEYWORD_WORD, "size|spread", "by what clusters share out outliers (size)" },
  { "union", KYMO_KEYWORD_TEXT, "LIST", "keep what idle,overhead,messages,bytes alone would, too" },
  { "critical-path", KYMO_KEYWORD_FLAG, NULL, "keep the PEs on it, too" },
  { NULL }
};

static const KymoKeyword check_options[] = {
  KYMO_KEYWORD_EXTRAPOLATE,
  { "max-idle", KYMO_KEYWORD_SHARE, "SHARE", "most idle time, as 20%" },
  { "max-overhead", KYMO_KEYWORD_SHARE, "SHARE", "most overhead" },
  { "max-untraced", KYMO_KEYWORD_SHARE, "SHARE", "most untraced time" },
  { "min-utilization", KYMO_KEYWORD_SHARE, "SHARE", "least useful time" },
  { "max-imbalance", KYMO_KEYWORD_RATIO, "X",
    "most useful time of the busiest location over the mean, as 1.3" },
  { "min-efficiency", KYMO_KEYWORD_SHARE, "SHARE",
    "least parallel efficiency: mean useful time over elapsed time, as 80%" },
  { "min-load-balance", KYMO_KEYWORD_SHARE, "SHARE",
    "least mean useful time over that of the busiest" },
  { "min-communication-efficiency", KYMO_KEYWORD_SHARE, "SHARE",
    "least useful time of the busiest over elapsed time" },
  { NULL }
};

#define COMPARED \
  { "repeat-of-a", KYMO_KEYWORD_MANY, "RUN", "of several runs: another run of A, for the noise" }, \
  { "repeat-of-b", KYMO_KEYWORD_MANY, "RUN", "the same: of B" }, \
  { "repeat-of", KYMO_KEYWORD_MANY, "SIDE=RUN", "the same: of any, as C=RUN" }, \
  { "align", KYMO_KEYWORD_TEXT, "HOW", "the same: start, end, phase N, \"block NAME\", " \
    "\"marker NAME\" or \"offsets T,T,…\" (start)" }, \
  { "against", KYMO_KEYWORD_TEXT, "SIDE", "the same: what A is compared with (the last)" }, \
  { "figure", KYMO_KEYWORD_WORD, "total|per-pe", "the same: what differences are of (total)" }, \
  { "time-scale", KYMO_KEYWORD_WORD, "shared|own", \
    "the same: one time axis, or each run's own range in as many bins (shared)" }, \
  { "range-of", KYMO_KEYWORD_MANY, "N=T..T", \
    "the same: run N, from 0 in their order, in that stretch of its own time" }

static const KymoKeyword compare_options[] = {
  COMPARED,
  KYMO_KEYWORD_EXTRAPOLATE,
  { "metric", KYMO_KEYWORD_TEXT, "NAME", "of profiles: what is compared (TIME)" },
  { "bins", KYMO_KEYWORD_COUNT, "N", "the difference of the time profiles, in N bins",
    KYMO_KEYWORD_TO_COLUMNS },
  { "info", KYMO_KEYWORD_FLAG, NULL, "what is known of the runs, and what differs" },
  { "max-growth", KYMO_KEYWORD_SHARE, "SHARE",
    "exit with 1 where a total or an activity grew by more, and by more than noise" },
  { "min-effect", KYMO_KEYWORD_SHARE, "SHARE",
    "with --max-growth: less than this share of A's time is not looked at (1%)" },
  { NULL }
};

static const KymoKeyword export_options[] = {
  KYMO_KEYWORD_EXTRAPOLATE,
  COMPARED,
  { "size", KYMO_KEYWORD_PIXELS, "WxH", "size of the picture (1600x900)" },
  { "theme", KYMO_KEYWORD_WORD, "light|dark|light-contrast|dark-contrast",
    "colours of the picture (light)" },
  { "paths", KYMO_KEYWORD_WORD, "flat|paths|all", "tables: functions, paths, or both" },
  { "palette", KYMO_KEYWORD_TEXT, "NAME|FILE",
    "standard, safe, or a palette of your own (standard)" },
  { "hide", KYMO_KEYWORD_TEXT, "NAMES", "leave these activities out, divided by ;" },
  { "waits", KYMO_KEYWORD_FLAG, NULL, "timeline: where rows wait" },
  { "preset", KYMO_KEYWORD_WORD, "grain", "histogram: the published bars of grain sizes" },
  { "weight", KYMO_KEYWORD_WORD, "count|time", "histogram: what a bar's height tells (count)" },
  { "bins", KYMO_KEYWORD_COUNT, "N", "histogram: so many bins (180)" },
  { "count", KYMO_KEYWORD_COUNT, "N", "extrema: so many of them (all)" },
  { "stacked", KYMO_KEYWORD_WORD, "yes|no", "extrema: what each value is made of (yes)" },
  { "kept", KYMO_KEYWORD_WORD, "yes|no", "extrema: which are kept for their clusters (yes)" },
  { "kind", KYMO_KEYWORD_TEXT, "KIND", "waiting: of this kind alone" },
  { "function", KYMO_KEYWORD_TEXT, "NAME", "waiting: in calls of this function alone; calltree, "
    "icicle: its callers and callees" },
  { "path", KYMO_KEYWORD_TEXT, "PATH", "waiting: in this call path alone" },
  { "limit", KYMO_KEYWORD_TEXT, "N", "how many single ones are told" },
  { "bar", KYMO_KEYWORD_TIME, "T", "bars of this length in a time-profile" },
  { "by", KYMO_KEYWORD_WORD, KYMO_WORDS_OF_EXTREMA, "extrema: what is compared (busy)" },
  { "order", KYMO_KEYWORD_TEXT, "WORD", "extrema: the PEs by value or location (value); "
    "timeline, usage: as there" },
  { "least", KYMO_KEYWORD_TIME, "T", "timeline: hide shorter blocks; times stay as they are" },
  { "line", KYMO_KEYWORD_TEXT, "NAME",
    "timeline: a counter under the rows: one that counters lists" },
  { "fold", KYMO_KEYWORD_TEXT, "WHICH", "timeline: rows by node and process; folded: all, "
    "none, a kind as process, or numbers of groups" },
  { "clusters", KYMO_KEYWORD_TEXT, "K", "extrema, clusters, scatter, distances: seeds "
    "(-k), or a range (5)" },
  { "outliers", KYMO_KEYWORD_TEXT, "N|SHARE", "the same: PEs that stick out (10%)" },
  { "keep", KYMO_KEYWORD_TEXT, "N|SHARE", "the same: representatives and outliers" },
  { "seeding", KYMO_KEYWORD_WORD, "diagonal|random|k-means++",
    "the same: where clusters begin (diagonal)" },
  { "seed", KYMO_KEYWORD_COUNT, "N", "the same: of the random seedings (1)" },
  { "scale", KYMO_KEYWORD_WORD, "none|range|stddev|lin|log",
    "the same: what components are divided by (none); histogram: bins (log)" },
  { "with", KYMO_KEYWORD_TEXT, "LIST", "the same: compare idle,overhead,messages,bytes too" },
  { "quota", KYMO_KEYWORD_WORD, "size|spread", "the same: by what outliers are shared out (size)" },
  { "union", KYMO_KEYWORD_TEXT, "LIST", "the same: what these alone would keep" },
  { "critical-path", KYMO_KEYWORD_FLAG, NULL, "the same: the PEs on it" },
  { "messages", KYMO_KEYWORD_WORD, "none|all|block|back|forward", "timeline: which message lines "
    "(none)" },
  { "location", KYMO_KEYWORD_TEXT, "L", "with --messages: where its block ran" },
  { "at", KYMO_KEYWORD_TIME, "T", "with --messages: a time in that block" },
  { "follow", KYMO_KEYWORD_WORD, "critical|back|forward",
    "timeline: the critical path over the rows, "
    "or the chain of messages of a block" },
  { "follow-location", KYMO_KEYWORD_TEXT, "L",
    "with --follow back and forward: where that block ran" },
  { "follow-at", KYMO_KEYWORD_TIME, "T", "the same: a time in that block" },
  { "least-bytes", KYMO_KEYWORD_COUNT, "N", "communication, messages: of at least so many bytes" },
  { "tag", KYMO_KEYWORD_TEXT, "T", "the same: with that tag" },
  { "x", KYMO_KEYWORD_TEXT, "KEY", "scatter: a key of the components (principal-1); "
    "thread-scatter: a function, or calls:NAME or metric:NAME" },
  { "y", KYMO_KEYWORD_TEXT, "KEY", "the same: the other one (principal-2)" },
  { "of", KYMO_KEYWORD_TEXT, "WHAT", "function-bars: a function (the one with most); thread, "
    "calltree, icicle, call-graph: a location, mean, total, …; threads: some, as 0,5,mean; "
    "of communication: bytes or messages; user-events-time: events or time" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORD_VALUE,
  KYMO_KEYWORDS_OF_PATHS,
  { "unit", KYMO_KEYWORD_WORD, "ns|us|ms|s|min|h|hms",
    "of times in pictures of profiles (as fits)" },
  { "name", KYMO_KEYWORD_TEXT, "NAME",
    "counters: one of them, a lane a location; counter-map: which" },
  KYMO_KEYWORD_STATISTIC,
  { "relative", KYMO_KEYWORD_FLAG, NULL, "thread-bars: all bars of full length" },
  KYMO_KEYWORDS_OF_SEARCH,
  { "root", KYMO_KEYWORD_WORD, "top|bottom", "icicle: where its root is (top)" },
  { "focus", KYMO_KEYWORD_TEXT, "PATH", "icicle: the path that has all the width, a => b => c" },
  { NULL }
};

static const KymoKeyword cache_options[] = {
  { "clear", KYMO_KEYWORD_FLAG, NULL, "remove what is listed" },
  { "max-size", KYMO_KEYWORD_SIZE, "SIZE", "keep no more than this, from now on; as 20G" },
  { NULL }
};

static const KymoKeyword attach_options[] = {
  { "record", KYMO_KEYWORD_TEXT, "FILE", "write all that comes into this new recording" },
  { "resume", KYMO_KEYWORD_FLAG, NULL, "go on with the recording that FILE is" },
  { "for", KYMO_KEYWORD_TIME, "T", "stop after this time (never)" },
  { "wait", KYMO_KEYWORD_TIME, "T", "how long a stream is waited for (30s)" },
  { "through", KYMO_KEYWORD_TEXT, "HOST", "through ssh to this host: [USER@]HOST[:PORT]" },
  { "key", KYMO_KEYWORD_TEXT, "FILE", "keys, as the program's ++server-auth" },
  { "level", KYMO_KEYWORD_TEXT, "N", "which of the keys (0)" },
  { "names", KYMO_KEYWORD_TEXT, "FILE.sts", "names of entry methods" },
  { "notes", KYMO_KEYWORD_FLAG, NULL, "JSON: lines for losses, marks and states, too" },
  { NULL }
};

static const KymoKeyword replay_options[] = {
  { "names", KYMO_KEYWORD_TEXT, "FILE.sts", "names of entry methods, instead of those recorded" },
  { "notes", KYMO_KEYWORD_FLAG, NULL, "JSON: lines for losses, marks and states, too" },
  { "speed", KYMO_KEYWORD_RATIO, "X", "at X times the program's pace, 0.25 to 16 (at once)" },
  { "serve", KYMO_KEYWORD_TEXT, "PORT",
    "be a program to attach to, of loopback; 0 is any free port; then any --speed (1)" },
  { "repeat", KYMO_KEYWORD_FLAG, NULL, "with --serve: begin again at the end" },
  { "key", KYMO_KEYWORD_TEXT, "FILE", "with --serve: only who has this key is served" },
  { "misbehave", KYMO_KEYWORD_TEXT, "LIST", "with --serve: go wrong, as half,late=500" },
  { NULL }
};

static const KymoKeyword metrics_options[] = {
  { "set", KYMO_KEYWORD_TEXT, "NAME=EXPRESSION", "keep it, as FLOPS='PAPI_FP_OPS / TIME'" },
  { "remove", KYMO_KEYWORD_TEXT, "NAME", "keep it no longer" },
  { NULL }
};

/* How answers are told as text, where that is not as any answer is. */
static const KymoCliCommand layouts[] = {
  { "info", .text = kymo_cli_text_info, .tells_memory = TRUE },
  { "profile", .text = kymo_cli_text_profile },
  { "usage", .text = kymo_cli_text_usage },
  { "time-profile", .text = kymo_cli_text_time_profile },
  { "histogram", .text = kymo_cli_text_histogram },
  { "timeline", .text = kymo_cli_text_timeline, .text_columns = 64 },
  { "busiest", .text = kymo_cli_text_busiest },
  { "replies", .text = kymo_cli_text_replies },
  { "clusters", .text = kymo_cli_text_clusters },
  { "thread", .text = kymo_cli_text_thread },
  { "calltree", .text = kymo_cli_text_calltree },
  { "user-events", .text = kymo_cli_text_user_events },
  { "thread-bars", .text = kymo_cli_text_thread_bars },
  { "function-bars", .text = kymo_cli_text_function_bars },
  { "explain", .text = kymo_cli_text_explain },
  { "chain", .text = kymo_cli_text_chain },
  { "critical-path", .text = kymo_cli_text_critical_path },
  { "waiting", .text = kymo_cli_text_waiting },
  { "search", .text = kymo_cli_text_search },
  { "outliers", .text = kymo_cli_text_outliers },
  { "collectives", .text = kymo_cli_text_collectives },
};

static const KymoCliCommand others[] = {
  { "reduce", "RUN OUT", "write a run with the PEs that stand for the others",
    reduce_options, kymo_cli_run_reduce, kymo_cli_text_reduce },
  { "extract", "RUN OUT", "write a run of some locations and a time range",
    NULL, kymo_cli_run_extract, kymo_cli_text_extract },
  { "convert", "RUN OUT", "write a run in the format of other programs",
    convert_options, kymo_cli_run_convert, kymo_cli_text_convert },
  { "filter", "RUN", "a list of tiny and frequent functions to measure no more",
    filter_options, kymo_cli_run_filter, .formats = "tau|scorep" },
  { "quality", "FULL REDUCED", "whether the PEs of a reduced run stand for all",
    NULL, kymo_cli_run_quality, kymo_cli_text_quality },
  { "compare", "A B [C…]", "what grew and what shrank between runs, and what is noise",
    compare_options, kymo_cli_run_compare, kymo_cli_text_compare },
  { "check", "RUN", "exit with 1 when a bound is broken",
    check_options, kymo_cli_run_check },
  { "export", "VIEW RUN [RUN…]", "a picture or its figures as PNG, SVG, PDF or CSV",
    export_options, kymo_cli_run_export, .formats = "png|svg|pdf|csv|json",
    .more_help = kymo_cli_export_help },
  { "attach", "HOST:PORT", "follow a running program, a line a block",
    attach_options, kymo_cli_run_attach },
  { "replay", "FILE", "what a recording of a running program holds, a line a block",
    replay_options, kymo_cli_run_replay, .more_help = kymo_cli_serve_help },
  { "metrics", "[RUN]", "metrics that are kept by name, or those of a profile",
    metrics_options, kymo_cli_run_metrics },
  { "desk", "FILE", "what a .kymodesk holds, or what the window keeps of a run: bookmarks, notes",
    NULL, kymo_cli_run_desk },
  { "cache", "[RUN]", "what is kept of runs that were opened, and clearing it",
    cache_options, kymo_cli_run_cache },
};

static void
add_question (GArray *commands, const KymoQuestionClass *klass)
{
  KymoCliCommand command = { klass->kind };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (strcmp (layouts[i].name, klass->kind) == 0)
      command = layouts[i];
  command.positionals = "RUN";
  for (const KymoKeyword *k = klass->keywords; k != NULL && k->name != NULL; k++)
    if (k->target == KYMO_KEYWORD_TO_ARGUMENT)
      command.positionals = g_strconcat ("RUN ", k->hint, NULL);
  command.summary = klass->summary;
  command.options = klass->keywords;
  command.run = kymo_cli_run_question;
  g_array_append_val (commands, command);
}

static GArray *
list_commands (void)
{
  GArray *commands = g_array_new (FALSE, FALSE, sizeof (KymoCliCommand));
  const KymoQuestionClass *klass;

  for (guint i = 0; (klass = kymo_question_class_at (i)) != NULL; i++)
    if (klass->summary != NULL)
      add_question (commands, klass);
  g_array_append_vals (commands, others, G_N_ELEMENTS (others));
  return commands;
}

/**
 * kymo_cli_command_at:
 * @index: from 0, in the order of the help
 *
 * Main thread.
 *
 * Returns: (nullable): the command with that number; %NULL beyond the last one
 */
const KymoCliCommand *
kymo_cli_command_at (guint index)
{
  static GArray *commands = NULL;

  if (commands == NULL)
    commands = list_commands ();
  return index < commands->len ? &g_array_index (commands, KymoCliCommand, index) : NULL;
}
