/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands. Commands that put a question are made from the classes of questions,
 * which hold name, summary, options and help. This file adds the text layouts of answers, and the
 * commands that do something else.
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
  { "most-calls", KYMO_KEYWORD_COUNT, "N",
    "calls on a location above which a function is frequent (100000)" },
  { "least", KYMO_KEYWORD_TIME, "T", "mean time of a call below which a function is tiny (10us)" },
  { NULL }
};

static const KymoKeyword reduce_options[] = {
  { "clusters", KYMO_KEYWORD_TEXT, "K", "number of seeds (-k), or a range like 2-10 (5)" },
  { "outliers", KYMO_KEYWORD_TEXT, "N|SHARE", "outliers to keep beside the "
    "representatives (10%)" },
  { "keep", KYMO_KEYWORD_TEXT, "N|SHARE", "PEs to keep: representatives and outliers together" },
  { "error", KYMO_KEYWORD_SHARE, "SHARE",
    "keep the fewest PEs whose time profile is within this error, like 2%; replaces the three "
    "options above" },
  { "quota", KYMO_KEYWORD_WORD, "size|spread", "how outliers are shared out to clusters (size)" },
  { "union", KYMO_KEYWORD_TEXT, "LIST",
    "also keep the PEs that clustering by each of these alone would keep: "
    "idle,overhead,messages,bytes" },
  { "critical-path", KYMO_KEYWORD_FLAG, NULL, "also keep the PEs on the critical path" },
  { "also", KYMO_KEYWORD_TEXT, "LIST", "also keep these PEs, like 0-3,17" },
  { "dry-run", KYMO_KEYWORD_FLAG, NULL, "tell which PEs would be kept, and write nothing" },
  { NULL }
};

static const KymoKeyword check_options[] = {
  KYMO_KEYWORD_EXTRAPOLATE,
  { "max-idle", KYMO_KEYWORD_SHARE, "SHARE", "most idle time, like 20%" },
  { "max-overhead", KYMO_KEYWORD_SHARE, "SHARE", "most overhead" },
  { "max-untraced", KYMO_KEYWORD_SHARE, "SHARE", "most untraced time" },
  { "min-utilization", KYMO_KEYWORD_SHARE, "SHARE", "least useful time" },
  { "max-imbalance", KYMO_KEYWORD_RATIO, "X",
    "largest ratio of the busiest location's useful time to the mean, like 1.3" },
  { "min-efficiency", KYMO_KEYWORD_SHARE, "SHARE",
    "least parallel efficiency: mean useful time over elapsed time, like 80%" },
  { "min-load-balance", KYMO_KEYWORD_SHARE, "SHARE",
    "least ratio of the mean useful time to the busiest location's" },
  { "min-communication-efficiency", KYMO_KEYWORD_SHARE, "SHARE",
    "least ratio of the busiest location's useful time to elapsed time" },
  { NULL }
};

#define COMPARED \
  { "repeat-of-a", KYMO_KEYWORD_MANY, "RUN", "several runs: another run of A, to measure noise" }, \
  { "repeat-of-b", KYMO_KEYWORD_MANY, "RUN", "the same for B" }, \
  { "repeat-of", KYMO_KEYWORD_MANY, "SIDE=RUN", "the same for any side, like C=RUN" }, \
  { "align", KYMO_KEYWORD_TEXT, "HOW", "the same: start, end, phase N, \"block NAME\", " \
    "\"marker NAME\" or \"offsets T,T,…\" (start)" }, \
  { "against", KYMO_KEYWORD_TEXT, "SIDE", \
    "the same: the side that A is compared with (the last)" }, \
  { "figure", KYMO_KEYWORD_WORD, "total|per-pe", \
    "the same: the figure that is compared (total)" }, \
  { "time-scale", KYMO_KEYWORD_WORD, "shared|own", \
    "the same: one time axis, or each run's own range in as many bins (shared)" }, \
  { "range-of", KYMO_KEYWORD_MANY, "N=T..T", \
    "the same: time range, or region, of run N, counted from 0" }

static const KymoKeyword compare_options[] = {
  COMPARED,
  KYMO_KEYWORD_EXTRAPOLATE,
  { "metric", KYMO_KEYWORD_TEXT, "NAME", "profiles: the metric that is compared (TIME)" },
  { "bins", KYMO_KEYWORD_COUNT, "N", "compare the time profiles, in N bins",
    KYMO_KEYWORD_TO_COLUMNS },
  { "info", KYMO_KEYWORD_FLAG, NULL, "list the facts of the runs, and those that differ" },
  { "max-growth", KYMO_KEYWORD_SHARE, "SHARE",
    "exit with 1 if a total or an activity grew by more than this and than noise" },
  { "min-effect", KYMO_KEYWORD_SHARE, "SHARE",
    "with --max-growth: smallest change that counts, as a share of A's time (1%)" },
  { NULL }
};

static const KymoKeyword diagnose_options[] = {
  { "reference", KYMO_KEYWORD_MANY, "RUN",
    "a run of the same work that tells what is usual; five or more are needed" },
  { "rules", KYMO_KEYWORD_MANY, "FILE", "rules that add to, or replace, those of Kymo" },
  { "rules-check", KYMO_KEYWORD_MANY, "FILE", "only check this file of rules" },
  { "metrics-csv", KYMO_KEYWORD_MANY, "FILE", "metrics of other tools: time_ns,NAME,…" },
  { "probe-time", KYMO_KEYWORD_TIME, "TIME",
    "start probes that rules need, where the run was, for at most this time in all (3s each)" },
  { "explain", KYMO_KEYWORD_TEXT, "ID", "show how this diagnosis got its value" },
  { "acknowledge", KYMO_KEYWORD_TEXT, "ID", "keep this cause of this run quiet from now on" },
  { "note", KYMO_KEYWORD_TEXT, "TEXT", "with --acknowledge: why the cause is known" },
  { "withdraw", KYMO_KEYWORD_TEXT, "ID", "tell a cause again that was acknowledged" },
  { "fail", KYMO_KEYWORD_FLAG, NULL,
    "exit with 1 if a cause is likely or certain, with 4 if nothing could be tested" },
  { NULL }
};

static const KymoKeyword export_options[] = {
  KYMO_KEYWORD_EXTRAPOLATE,
  COMPARED,
  { "size", KYMO_KEYWORD_PIXELS, "SIZE", "column, two-columns or slide; WxH in px, or WxHmm "
    "(1600x900)" },
  { "font-size", KYMO_KEYWORD_RATIO, "PT", "size of words in points; the rest of the picture is "
    "in proportion (9; 8 of a size in mm)" },
  { "dpi", KYMO_KEYWORD_COUNT, "N", "PNG: pixels per inch (96; 300 of a size in mm)" },
  { "title", KYMO_KEYWORD_TEXT, "TEXT", "title of the picture; empty for none (that of the view)" },
  { "legend", KYMO_KEYWORD_WORD, "auto|right|below|none", "where the legend is (auto)" },
  { "legend-most", KYMO_KEYWORD_COUNT, "N", "most activities in the legend (as many as fit)" },
  { "theme", KYMO_KEYWORD_WORD, "light|dark|light-contrast|dark-contrast",
    "colours of the picture (light)" },
  { "paths", KYMO_KEYWORD_WORD, "flat|paths|all", "tables: rows of functions, paths, or both" },
  { "palette", KYMO_KEYWORD_TEXT, "NAME|FILE",
    "standard, safe, or the name or file of a palette (standard)" },
  { "color-by", KYMO_KEYWORD_WORD, "name|role|group|communicator",
    "what colours stand for: the name of a function, its role or its group; in a timeline the "
    "communicator of a call (name)" },
  { "hide", KYMO_KEYWORD_TEXT, "NAMES", "activities to leave out, separated by ;" },
  { "count-from", KYMO_KEYWORD_TEXT, "T..T", "pictures over time: count times from the begin of "
    "this range, or region as iteration:3; what lies outside is pale" },
  { "waits", KYMO_KEYWORD_FLAG, NULL, "timeline: mark where rows wait" },
  { "preset", KYMO_KEYWORD_WORD, "grain", "histogram: the published bars for grain sizes" },
  { "weight", KYMO_KEYWORD_WORD, "count|time", "histogram: quantity of a bar (count)" },
  { "bins", KYMO_KEYWORD_COUNT, "N", "histogram: number of bins (180)" },
  { "count", KYMO_KEYWORD_COUNT, "N", "extrema: number of PEs (all)" },
  { "stacked", KYMO_KEYWORD_WORD, "yes|no", "extrema: divide each bar into its parts (yes)" },
  { "kept", KYMO_KEYWORD_WORD, "yes|no",
    "extrema: mark PEs that are kept for their clusters (yes)" },
  { "kind", KYMO_KEYWORD_TEXT, "KIND", "waiting: only waits of this kind" },
  { "function", KYMO_KEYWORD_TEXT, "NAME", "waiting: only in calls of this function; calltree, "
    "icicle: its callers and callees" },
  { "path", KYMO_KEYWORD_TEXT, "PATH", "waiting: only in this call path" },
  { "limit", KYMO_KEYWORD_TEXT, "N", "most single items that are listed" },
  { "bar", KYMO_KEYWORD_TIME, "T", "time-profile: length of a bar" },
  { "by", KYMO_KEYWORD_WORD, KYMO_WORDS_OF_EXTREMA, "extrema: the figure that is compared (busy)" },
  { "order", KYMO_KEYWORD_TEXT, "WORD", "extrema: the PEs by value or location (value); "
    "timeline, usage: as there" },
  { "least", KYMO_KEYWORD_TIME, "T", "timeline: hide shorter blocks; times stay as they are" },
  { "line", KYMO_KEYWORD_TEXT, "NAME",
    "timeline: show this counter under the rows (see kymo-cli counters)" },
  { "metrics", KYMO_KEYWORD_TEXT, "LIST",
    "timeline: system metrics under the rows, names that info lists, or all" },
  { "fold", KYMO_KEYWORD_TEXT, "WHICH", "timeline: rows by node and process; folded: all, "
    "none, a kind as process, or numbers of groups" },
  { "clusters", KYMO_KEYWORD_TEXT, "K", "extrema, clusters, scatter, distances: number of "
    "seeds (-k), or a range (5)" },
  { "outliers", KYMO_KEYWORD_TEXT, "N|SHARE", "the same: outliers to keep (10%)" },
  { "keep", KYMO_KEYWORD_TEXT, "N|SHARE", "the same: PEs to keep, representatives and outliers" },
  { "seeding", KYMO_KEYWORD_WORD, "diagonal|random|k-means++",
    "the same: where clusters begin (diagonal)" },
  { "seed", KYMO_KEYWORD_COUNT, "N", "the same: seed of random seedings (1)" },
  { "scale", KYMO_KEYWORD_WORD, "none|range|stddev|lin|log",
    "the same: what components are divided by (none); histogram: bins (log)" },
  { "with", KYMO_KEYWORD_TEXT, "LIST", "the same: compare idle,overhead,messages,bytes too" },
  { "quota", KYMO_KEYWORD_WORD, "size|spread",
    "the same: how outliers are shared out to clusters (size)" },
  { "union", KYMO_KEYWORD_TEXT, "LIST",
    "the same: also keep the PEs that each of these alone would keep" },
  { "critical-path", KYMO_KEYWORD_FLAG, NULL, "the same: also keep the PEs on the critical path" },
  { "messages", KYMO_KEYWORD_WORD, "none|all|block|back|forward", "timeline: message lines to show "
    "(none)" },
  { "by-bytes", KYMO_KEYWORD_FLAG, NULL, "with --messages: lines between groups of rows weigh "
    "bytes, not messages" },
  { "location", KYMO_KEYWORD_TEXT, "L", "with --messages: the location of its block" },
  { "at", KYMO_KEYWORD_TIME, "T", "with --messages: a time in its block" },
  { "follow", KYMO_KEYWORD_WORD, "critical|back|forward",
    "timeline: the critical path over the rows, "
    "or the chain of messages of a block" },
  { "follow-location", KYMO_KEYWORD_TEXT, "L",
    "with --follow back and forward: the location of its block" },
  { "follow-at", KYMO_KEYWORD_TIME, "T", "the same: a time in its block" },
  { "least-bytes", KYMO_KEYWORD_COUNT, "N", "communication, messages: least bytes of a message" },
  { "tag", KYMO_KEYWORD_TEXT, "T", "the same: tag of a message" },
  { "x", KYMO_KEYWORD_TEXT, "KEY", "scatter: a key of the components (principal-1); "
    "thread-scatter: a function, or calls:NAME or metric:NAME" },
  { "y", KYMO_KEYWORD_TEXT, "KEY", "the same, for the other axis (principal-2)" },
  { "of", KYMO_KEYWORD_TEXT, "WHAT", "function-bars: a function (the one with most); thread, "
    "calltree, icicle, call-graph: a location, mean, total, …; threads: some, as 0,5,mean; "
    "of communication: bytes or messages; user-events-time: events or time" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORD_VALUE,
  KYMO_KEYWORDS_OF_PATHS,
  { "unit", KYMO_KEYWORD_WORD, "ns|us|ms|s|min|h|hms",
    "of times in pictures of profiles (as fits)" },
  { "name", KYMO_KEYWORD_TEXT, "NAME",
    "counters: show this one, a lane for each location; counter-map: the counter" },
  KYMO_KEYWORD_STATISTIC,
  { "relative", KYMO_KEYWORD_FLAG, NULL, "thread-bars: all bars of full length" },
  KYMO_KEYWORDS_OF_SEARCH,
  { "root", KYMO_KEYWORD_WORD, "top|bottom", "icicle: side of its root (top)" },
  { "focus", KYMO_KEYWORD_TEXT, "PATH",
    "icicle: the path that takes the whole width, a => b => c" },
  { NULL }
};

static const KymoKeyword cache_options[] = {
  { "clear", KYMO_KEYWORD_FLAG, NULL, "remove the runs that are listed" },
  { "max-size", KYMO_KEYWORD_SIZE, "SIZE", "limit the cache to this size from now on, like 20G" },
  { NULL }
};

static const KymoKeyword attach_options[] = {
  { "record", KYMO_KEYWORD_TEXT, "FILE", "write the stream into this new recording" },
  { "resume", KYMO_KEYWORD_FLAG, NULL, "continue the recording FILE" },
  { "scalars", KYMO_KEYWORD_FLAG, NULL,
    "kymo-record: also load, memory, messages and more of each second" },
  { "watch", KYMO_KEYWORD_MANY, "CONDITION",
    "tell when this is met: “below 20% for 5s”, “highest memory above 2GB for 5s”, …" },
  { "for", KYMO_KEYWORD_TIME, "T", "stop after this time (never); of a trace (5s)" },
  { "list", KYMO_KEYWORD_FLAG, NULL,
    "kymo-record: list your jobs on this machine, or on ssh://[USER@]HOST" },
  { "actions", KYMO_KEYWORD_FLAG, NULL, "kymo-record: list what the job can be asked to do" },
  { "trace-ranks", KYMO_KEYWORD_TEXT, "LIST",
    "kymo-record: write an archive of these ranks, like 3,7, for the time of --for" },
  { "trace-idlest", KYMO_KEYWORD_TEXT, "N", "the same of the N ranks with the least load" },
  { "trace-busiest", KYMO_KEYWORD_TEXT, "N", "the same of the N ranks with the most load" },
  { "profile-now", KYMO_KEYWORD_FLAG, NULL,
    "kymo-record: write a profile of all ranks until now" },
  { "marker", KYMO_KEYWORD_TEXT, "TEXT", "kymo-record: set a marker" },
  { "checkpoint", KYMO_KEYWORD_FLAG, NULL, "kymo-record: have the program write a checkpoint" },
  { "end-at-checkpoint", KYMO_KEYWORD_FLAG, NULL,
    "kymo-record: record from now on, and end the program at its next checkpoint" },
  { "set", KYMO_KEYWORD_TEXT, "NAME=VALUE",
    "kymo-record: change what the program lets be changed" },
  { "call", KYMO_KEYWORD_TEXT, "NAME", "kymo-record: do what the program offers" },
  { "sample", KYMO_KEYWORD_TEXT, "HZ",
    "kymo-record: sample functions that many times a second, 0 for none" },
  { "relay", KYMO_KEYWORD_FLAG, NULL,
    "kymo-record: connect standard input and output with the job, for ssh" },
  { "wait", KYMO_KEYWORD_TIME, "T", "longest wait for a stream (30s)" },
  { "through", KYMO_KEYWORD_TEXT, "HOST", "connect through ssh to this host: [USER@]HOST[:PORT]" },
  { "key", KYMO_KEYWORD_TEXT, "FILE", "file of keys, the same as the program's ++server-auth" },
  { "level", KYMO_KEYWORD_TEXT, "N", "number of the key (0)" },
  { "names", KYMO_KEYWORD_TEXT, "FILE.sts", "names of entry methods" },
  { "notes", KYMO_KEYWORD_FLAG, NULL, "JSON: also lines for losses, marks and states" },
  { NULL }
};

static const KymoKeyword replay_options[] = {
  { "names", KYMO_KEYWORD_TEXT, "FILE.sts",
    "names of entry methods, in place of the recorded names" },
  { "watch", KYMO_KEYWORD_MANY, "CONDITION",
    "tell when this is met: “below 20% for 5s”, “highest memory above 2GB for 5s”, …" },
  { "notes", KYMO_KEYWORD_FLAG, NULL, "JSON: also lines for losses, marks and states" },
  { "speed", KYMO_KEYWORD_RATIO, "X",
    "replay at X times the program's pace, 0.25 to 16 (at once)" },
  { "serve", KYMO_KEYWORD_TEXT, "PORT",
    "serve the recording on a port of this machine, like a program; 0 is any free port; "
    "any --speed is possible (1)" },
  { "repeat", KYMO_KEYWORD_FLAG, NULL, "with --serve: begin again at the end" },
  { "key", KYMO_KEYWORD_TEXT, "FILE", "with --serve: serve only clients that have this key" },
  { "misbehave", KYMO_KEYWORD_TEXT, "LIST", "with --serve: simulate faults, like half,late=500" },
  { NULL }
};

static const KymoKeyword hosts_options[] = {
  { "install", KYMO_KEYWORD_TEXT, "FILE",
    "copy this kymo-server-VERSION-MACHINE.tar.gz to ~/.local/kymo there" },
  { NULL }
};

static const KymoKeyword metrics_options[] = {
  { "set", KYMO_KEYWORD_TEXT, "NAME=EXPRESSION", "keep a metric, like FLOPS='PAPI_FP_OPS / TIME'" },
  { "remove", KYMO_KEYWORD_TEXT, "NAME", "remove a kept metric" },
  { NULL }
};

/* Commands whose answers have a text layout of their own; other answers have the general layout. */
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
  { "call-graph", .text = kymo_cli_text_call_graph },
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
  { "reduce", "RUN OUT", "write a run with the PEs that represent the others",
    reduce_options, kymo_cli_run_reduce, kymo_cli_text_reduce,
    .group = KYMO_CLI_GROUP_WRITE, .example = "RUN OUT --keep 8" },
  { "extract", "RUN OUT", "write a run of chosen locations and a time range",
    NULL, kymo_cli_run_extract, kymo_cli_text_extract,
    .group = KYMO_CLI_GROUP_WRITE, .example = "RUN OUT --locations 0-3 --from 1s --to 2s" },
  { "convert", "RUN OUT", "write a run in the format of other programs",
    convert_options, kymo_cli_run_convert, kymo_cli_text_convert,
    .group = KYMO_CLI_GROUP_WRITE, .example = "RUN OUT --to-form otf2" },
  { "fetch", "ADDRESS DIR", "bring a run of another machine here, with all its files",
    NULL, kymo_cli_run_fetch, kymo_cli_text_fetch,
    .group = KYMO_CLI_GROUP_WRITE, .example = "ssh://HOST/PATH DIR" },
  { "recover", "DIR", "write the archive of a program that was killed while it was recorded",
    NULL, kymo_cli_run_recover, kymo_cli_text_recover,
    .group = KYMO_CLI_GROUP_WRITE, .example = "DIR -o OUT" },
  { "filter", "RUN", "list tiny, frequent functions that need not be measured",
    filter_options, kymo_cli_run_filter, .formats = "tau|scorep",
    .group = KYMO_CLI_GROUP_WRITE, .example = "RUN --least 10us" },
  { "quality", "FULL REDUCED", "measure how well a reduced run represents the full run",
    NULL, kymo_cli_run_quality, kymo_cli_text_quality,
    .group = KYMO_CLI_GROUP_COMPARE, .example = "RUN REDUCED" },
  { "diagnose", "[RUN…]", "what limits a run: causes with seconds, evidence and advice",
    diagnose_options, kymo_cli_run_diagnose, kymo_cli_text_diagnose,
    .group = KYMO_CLI_GROUP_COMPARE, .example = "RUN --region main" },
  { "compare", "A B [C…]", "compare runs: times that grew or shrank, and noise",
    compare_options, kymo_cli_run_compare, kymo_cli_text_compare,
    .group = KYMO_CLI_GROUP_COMPARE, .example = "RUN OTHER" },
  { "check", "RUN", "check bounds; exit with 1 if one is broken",
    check_options, kymo_cli_run_check,
    .group = KYMO_CLI_GROUP_COMPARE, .example = "RUN --max-idle 60% --min-load-balance 50%" },
  { "export", "VIEW RUN [RUN…]", "write a picture, or its figures, as PNG, SVG, PDF or CSV",
    export_options, kymo_cli_run_export, .formats = "png|svg|pdf|csv|json",
    .more_help = kymo_cli_export_help,
    .group = KYMO_CLI_GROUP_WRITE, .example = "timeline RUN -o timeline.svg" },
  { "attach", "HOST:PORT", "follow a running program, a line for each block",
    attach_options, kymo_cli_run_attach,
    .group = KYMO_CLI_GROUP_LIVE, .example = "localhost:1234 --record run.kymostream" },
  { "replay", "FILE", "print a recording of a running program, a line for each block",
    replay_options, kymo_cli_run_replay, .more_help = kymo_cli_serve_help,
    .group = KYMO_CLI_GROUP_LIVE, .example = "run.kymostream" },
  { "hosts", "[HOST]", "list the machines of hosts.conf, or test one step by step",
    hosts_options, kymo_cli_run_hosts,
    .group = KYMO_CLI_GROUP_KEPT, .example = "login" },
  { "metrics", "[RUN]", "list kept metrics, or the metrics of a profile",
    metrics_options, kymo_cli_run_metrics,
    .group = KYMO_CLI_GROUP_KEPT, .example = "--set FLOPS='PAPI_FP_OPS / TIME'" },
  { "desk", "FILE",
    "show a .kymodesk file, or the bookmarks and notes that the window keeps of a run",
    NULL, kymo_cli_run_desk,
    .group = KYMO_CLI_GROUP_KEPT, .example = "run.kymodesk" },
  { "cache", "[RUN]", "list or clear the cache of runs",
    cache_options, kymo_cli_run_cache,
    .group = KYMO_CLI_GROUP_KEPT, .example = "--max-size 20G" },
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
  command.group = klass->topic;
  command.example = klass->example == NULL ? "RUN" : strstr (klass->example, "RUN") != NULL
                    ? klass->example : g_strconcat ("RUN ", klass->example, NULL);
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
