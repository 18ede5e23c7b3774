/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands: a new question is one line here, and a table of its
 * options where it has some.
 */
#include "config.h"

#include "kymo-cli.h"

#define EXTRAPOLATE { "extrapolate", KYMO_CLI_FLAG, NULL, \
  "of a reduced run: figures of all PEs that it stands for" }

static const KymoCliOption extrapolate_options[] = {
  EXTRAPOLATE,
  { NULL }
};

/* Of every question about a profile of functions. */
#define PROFILES \
  { "metric", KYMO_CLI_TEXT, "NAME", "a metric, or an expression: 'PAPI_FP_OPS / TIME'" }, \
  { "step", KYMO_CLI_TEXT, "N", "of a profile in steps, from 0 (the last one)" }, \
  { "groups", KYMO_CLI_TEXT, "A|B", "functions of these groups alone" }

#define VALUE \
  { "value", KYMO_CLI_WORD, "exclusive|inclusive|calls|subroutines|exclusive-per-call|" \
    "inclusive-per-call", "what of it (exclusive)" }

#define PATHS \
  { "callpath-depth", KYMO_CLI_COUNT, "K", "of a trace: paths of the last K functions" }, \
  { "depth-limit", KYMO_CLI_COUNT, "D", "paths from the root, at most so deep" }, \
  { "by-phase", KYMO_CLI_FLAG, NULL, "of a trace: paths \"phase => function\"" }

static const KymoCliOption convert_options[] = {
  { "to-form", KYMO_CLI_WORD, "tau-profile|tau-trace|otf2|chrome-json|csv",
    "the form to write; --to takes these words, too" },
  PATHS,
  { NULL }
};

static const KymoCliOption filter_options[] = {
  { "most-calls", KYMO_CLI_COUNT, "N", "more calls on a location are too many (100000)" },
  { "least", KYMO_CLI_TIME, "T", "a call that takes less is tiny (10us)" },
  { NULL }
};

static const KymoCliOption thread_bars_options[] = {
  PROFILES,
  VALUE,
  { "functions", KYMO_CLI_COUNT, "N", "most functions; the others are one more (30)",
    KYMO_CLI_TO_COLUMNS },
  { "rows", KYMO_CLI_COUNT, "R", "most rows; locations are put together beyond",
    KYMO_CLI_TO_ROWS },
  { "order", KYMO_CLI_ORDER, "LIST|WORD", "these first, as 5,3,0-2, or by -busy, first:NAME, …" },
  { NULL }
};

static const KymoCliOption function_bars_options[] = {
  { "of", KYMO_CLI_TEXT, "NAME", "the function, or call path" },
  PROFILES,
  VALUE,
  { "rows", KYMO_CLI_COUNT, "R", "most rows; locations are put together beyond",
    KYMO_CLI_TO_ROWS },
  { "bins", KYMO_CLI_COUNT, "N", "of the histogram (20)" },
  { "order", KYMO_CLI_ORDER, "LIST|WORD", "these first, as 5,3,0-2, or by -busy, first:NAME, …" },
  { NULL }
};

static const KymoCliOption thread_options[] = {
  { "of", KYMO_CLI_TEXT, "WHOM", "a location, mean, mean-present, total, min, max or stddev" },
  { "paths", KYMO_CLI_WORD, "flat|paths|all", "functions, call paths or both (flat)" },
  PROFILES,
  PATHS,
  { NULL }
};

#define SEARCH \
  { "search", KYMO_CLI_TEXT, "WORDS", "mark functions whose name holds these words" }, \
  { "regex", KYMO_CLI_FLAG, NULL, "the words are a regular expression" }

static const KymoCliOption calltree_options[] = {
  SEARCH,
  { "focus", KYMO_CLI_TEXT, "NAME", "callers and callees of one function, over all its places" },
  { "of", KYMO_CLI_TEXT, "WHOM", "a location, mean, mean-present, total (total), min, max …" },
  PROFILES,
  PATHS,
  { NULL }
};

static const KymoCliOption call_graph_options[] = {
  { "of", KYMO_CLI_TEXT, "WHOM", "a location, mean, mean-present, total (total), min, max …" },
  PROFILES,
  PATHS,
  { NULL }
};

static const KymoCliOption threads_options[] = {
  { "of", KYMO_CLI_TEXT, "LIST", "as 0,5,mean: whom to compare (mean,min,max)" },
  PROFILES,
  VALUE,
  { NULL }
};

static const KymoCliOption phases_options[] = {
  { "of", KYMO_CLI_TEXT, "WHOM", "a location, mean (mean), total …" },
  PROFILES,
  VALUE,
  { NULL }
};

static const KymoCliOption user_events_options[] = {
  { "of", KYMO_CLI_TEXT, "LOCATION", "one alone; else all together" },
  { "step", KYMO_CLI_TEXT, "N", "of a profile in steps, from 0 (the last one)" },
  { NULL }
};

static const KymoCliOption user_events_time_options[] = {
  { "bins", KYMO_CLI_COUNT, "N", "columns over time (100)", KYMO_CLI_TO_COLUMNS },
  { "names", KYMO_CLI_TEXT, "NAMES", "these events alone, divided by ; (\\; in a name)" },
  EXTRAPOLATE,
  { NULL }
};

static const KymoCliOption counters_options[] = {
  { "name", KYMO_CLI_TEXT, "NAME", "of one counter, each location; else all counters" },
  { "bins", KYMO_CLI_COUNT, "N", "columns over time (none)", KYMO_CLI_TO_COLUMNS },
  { NULL }
};

#define STATISTIC { "statistic", KYMO_CLI_WORD, "max|min|mean|last|weighted", \
  "what a value of the map is: weighted is the mean over time (as fits the counter)" }

static const KymoCliOption counter_map_options[] = {
  { "name", KYMO_CLI_TEXT, "NAME", "the counter: one that counters lists" },
  STATISTIC,
  { "bins", KYMO_CLI_COUNT, "N", "columns over time (100)", KYMO_CLI_TO_COLUMNS },
  { "rows", KYMO_CLI_COUNT, "R", "most rows; locations are put together beyond",
    KYMO_CLI_TO_ROWS },
  { "order", KYMO_CLI_ORDER, "LIST|WORD", "these first, as 5,3,0-2, or by -busy, first:NAME, …" },
  { NULL }
};

static const KymoCliOption profile_options[] = {
  EXTRAPOLATE,
  PROFILES,
  PATHS,
  { "per-location", KYMO_CLI_FLAG, NULL, "the figures of each location too" },
  { NULL }
};

static const KymoCliOption time_profile_options[] = {
  EXTRAPOLATE,
  { "bins", KYMO_CLI_COUNT, "N", "number of bins (100)", KYMO_CLI_TO_COLUMNS },
  { "bar", KYMO_CLI_TIME, "T", "bars of this length instead, as 100ms" },
  { NULL }
};

static const KymoCliOption replies_options[] = {
  { "bins", KYMO_CLI_COUNT, "N", "at most so many; neighbours are joined",
    KYMO_CLI_TO_COLUMNS },
  { NULL }
};

static const KymoCliOption histogram_options[] = {
  EXTRAPOLATE,
  { "of", KYMO_CLI_WORD, "duration|message-size", "what is counted (duration)" },
  { "min", KYMO_CLI_AMOUNT, "X", "begin of the first bin" },
  { "max", KYMO_CLI_AMOUNT, "Y", "end of the last bin" },
  { "bins", KYMO_CLI_COUNT, "N", "number of bins" },
  { "scale", KYMO_CLI_WORD, "lin|log", "edges evenly or by factors" },
  { "weight", KYMO_CLI_WORD, "count|time", "what a bar's height is" },
  { "unit", KYMO_CLI_WORD, "block|call", "pieces of a block, or joined" },
  { "preset", KYMO_CLI_WORD, "grain", "bars of 0.1 ms from 0.1 to 10 ms" },
  { NULL }
};

#define OF_MESSAGES \
  { "least-bytes", KYMO_CLI_COUNT, "N", "those of at least so many bytes" }, \
  { "tag", KYMO_CLI_TEXT, "T", "those with that tag; between functions alone" }, \
  { "hide", KYMO_CLI_TEXT, "NAMES", "leave those from or to these activities out, divided by ;" }

static const KymoCliOption messages_options[] = {
  { "limit", KYMO_CLI_COUNT, "N", "more than so many are told in groups (1000)" },
  { "crossing", KYMO_CLI_FLAG, NULL, "all that are under way in the range, not those alone that "
    "arrive in it; groups by rows and stretches of time" },
  { "stretches", KYMO_CLI_COUNT, "N", "with --crossing: groups of so many at most (32)",
    KYMO_CLI_TO_COLUMNS },
  { "rows", KYMO_CLI_COUNT, "R", "with --crossing, or of a collective call: at most so many rows "
    "(64)", KYMO_CLI_TO_ROWS },
  { "location", KYMO_CLI_TEXT, "L", "those of one block: where it ran" },
  { "at", KYMO_CLI_TIME, "T", "with --location: a time in that block" },
  { "direction", KYMO_CLI_WORD, "back|forward|both", "with --location: what started it, or what "
    "it caused (both)" },
  OF_MESSAGES,
  { NULL }
};

static const KymoCliOption communication_options[] = {
  EXTRAPOLATE,
  { "limit", KYMO_CLI_COUNT, "N", "at most so many pairs" },
  { "join", KYMO_CLI_FLAG, NULL, "a way through communication threads is one "
    "message" },
  OF_MESSAGES,
  { NULL }
};

#define JOIN { "join", KYMO_CLI_FLAG, NULL, "a way through communication threads is one " \
  "message" }

static const KymoCliOption communication_time_options[] = {
  EXTRAPOLATE,
  { "bins", KYMO_CLI_COUNT, "N", "columns over time (100)", KYMO_CLI_TO_COLUMNS },
  JOIN,
  OF_MESSAGES,
  { NULL }
};

static const KymoCliOption communication_locations_options[] = {
  { "rows", KYMO_CLI_COUNT, "R", "most rows; locations are put together beyond",
    KYMO_CLI_TO_ROWS },
  JOIN,
  OF_MESSAGES,
  { NULL }
};

static const KymoCliOption call_table_options[] = {
  EXTRAPOLATE,
  JOIN,
  OF_MESSAGES,
  { NULL }
};

static const KymoCliOption events_options[] = {
  { "limit", KYMO_CLI_COUNT, "N", "at most so many" },
  { "tail", KYMO_CLI_FLAG, NULL, "the last ones, not the first" },
  { "first", KYMO_CLI_TEXT, "N", "from record N on, from 0" },
  { "text", KYMO_CLI_TEXT, "WORDS", "whose name or note holds these words" },
  { "regex", KYMO_CLI_FLAG, NULL, "the words are a regular expression" },
  { "kinds", KYMO_CLI_TEXT, "LIST", "of these kinds, as block,send,note" },
  { "least", KYMO_CLI_TIME, "T", "that last at least so long" },
  { NULL }
};

static const KymoCliOption outliers_options[] = {
  { "times", KYMO_CLI_COUNT, "N", "more than N times as long as the median (4)" },
  { "limit", KYMO_CLI_COUNT, "N", "tell the N with most beyond the median (100)" },
  { "name", KYMO_CLI_TEXT, "NAME", "of this name alone" },
  { "location", KYMO_CLI_TEXT, "L", "with --at: of the name of the block there, and how long "
    "that is" },
  { "at", KYMO_CLI_TIME, "T", "a time in the block" },
  { NULL }
};

static const KymoCliOption search_options[] = {
  { "regex", KYMO_CLI_FLAG, NULL, "TEXT is a regular expression" },
  { "over", KYMO_CLI_TEXT, "LIST", "of blocks,events,notes: what is searched (all)" },
  { "limit", KYMO_CLI_COUNT, "N", "tell the N earliest (100)" },
  { "bins", KYMO_CLI_COUNT, "N", "how many begin in each of N bins (none)",
    KYMO_CLI_TO_COLUMNS },
  { "desk", KYMO_CLI_TEXT, "FILE", "bookmarks of this desk, too; kept: of what the "
    "window keeps of the run" },
  { NULL }
};

static const KymoCliOption usage_options[] = {
  EXTRAPOLATE,
  { "order", KYMO_CLI_ORDER, "LIST|WORD", "these first, as 5,3,0-2, or by -busy, first:NAME, …" },
  { NULL }
};

static const KymoCliOption timeline_options[] = {
  { "width", KYMO_CLI_COUNT, "W", "cells in a row", KYMO_CLI_TO_COLUMNS },
  { "rows", KYMO_CLI_COUNT, "R", "most rows; locations are merged beyond",
    KYMO_CLI_TO_ROWS },
  { "grid", KYMO_CLI_FLAG, NULL,
    "columns of 2^k ns and rows of 2^j locations" },
  { "dense", KYMO_CLI_FLAG, NULL, "with --grid: one number a cell" },
  { "first-row", KYMO_CLI_TEXT, "R", "give the rows from this one on" },
  { "n-rows", KYMO_CLI_COUNT, "N", "give so many rows" },
  { "least", KYMO_CLI_TIME, "T", "hide shorter blocks; times stay as they are" },
  { "line", KYMO_CLI_TEXT, "NAME", "a counter under the rows: one that counters lists" },
  { "fold", KYMO_CLI_TEXT, "WHICH", "rows by node and process; folded: all, none, a kind as "
    "process, or numbers of groups" },
  { "order", KYMO_CLI_ORDER, "LIST|WORD", "rows of these first, as 5,3,0-2; or by busy, idle, "
    "overhead, time:NAME, first:NAME, similarity, cluster; -busy: the other way round" },
  { NULL }
};

static const KymoCliOption thread_scatter_options[] = {
  { "x", KYMO_CLI_TEXT, "KEY", "a function, calls:FUNCTION, or metric:NAME of the whole" },
  { "y", KYMO_CLI_TEXT, "KEY", "the same, across" },
  PROFILES,
  VALUE,
  { "clusters", KYMO_CLI_TEXT, "K", "seeds (-k), or a range as 2-10, of which the "
    "best is taken (5)" },
  { "seeding", KYMO_CLI_WORD, "diagonal|random|k-means++",
    "where clusters begin (diagonal)" },
  { "seed", KYMO_CLI_COUNT, "N", "of the random seedings (1)" },
  { "scale", KYMO_CLI_WORD, "none|range|stddev",
    "what components are divided by (none)" },
  { NULL }
};

static const KymoCliOption clusters_options[] = {
  { "clusters", KYMO_CLI_TEXT, "K", "seeds (-k), or a range as 2-10, of which the "
    "best is taken (5)" },
  { "outliers", KYMO_CLI_TEXT, "N|SHARE", "PEs that stick out, beside the "
    "representatives, as 26 or 10% (10%)" },
  { "keep", KYMO_CLI_TEXT, "N|SHARE", "representatives and outliers together" },
  { "seeding", KYMO_CLI_WORD, "diagonal|random|k-means++",
    "where clusters begin (diagonal)" },
  { "seed", KYMO_CLI_COUNT, "N", "of the random seedings (1)" },
  { "scale", KYMO_CLI_WORD, "none|range|stddev",
    "what components are divided by (none)" },
  { "with", KYMO_CLI_TEXT, "LIST", "compare idle,overhead,messages,bytes too" },
  { "vectors", KYMO_CLI_FLAG, NULL, "tell what each PE is compared by" },
  { "x", KYMO_CLI_TEXT, "KEY", "tell where each PE lies: a key of the components, "
    "or principal-1, principal-2" },
  { "y", KYMO_CLI_TEXT, "KEY", "the same, across" },
  { "quota", KYMO_CLI_WORD, "size|spread", "share outliers out by size, or fewer to tight "
    "clusters (size)" },
  { "union", KYMO_CLI_TEXT, "LIST", "keep what clusters by each of idle,overhead,messages,"
    "bytes alone keep, too" },
  { "critical-path", KYMO_CLI_FLAG, NULL, "keep the PEs on the critical path, too" },
  { NULL }
};

static const KymoCliOption reduce_options[] = {
  { "clusters", KYMO_CLI_TEXT, "K", "seeds (-k), or a range as 2-10 (5)" },
  { "outliers", KYMO_CLI_TEXT, "N|SHARE", "PEs that stick out, beside the "
    "representatives (10%)" },
  { "keep", KYMO_CLI_TEXT, "N|SHARE", "representatives and outliers together" },
  { "error", KYMO_CLI_SHARE, "SHARE", "the smallest set whose time profile is within it, "
    "as 2%, in place of the three" },
  { "quota", KYMO_CLI_WORD, "size|spread", "by what clusters share out outliers (size)" },
  { "union", KYMO_CLI_TEXT, "LIST", "keep what idle,overhead,messages,bytes alone would, too" },
  { "critical-path", KYMO_CLI_FLAG, NULL, "keep the PEs on it, too" },
  { NULL }
};

#define KYMO_CLI_EXTREMA_BY "busy|most-idle|least-idle|overhead|longest|grain|sent|" \
  "received|bytes-sent|bytes-received"

static const KymoCliOption extrema_options[] = {
  { "by", KYMO_CLI_WORD, KYMO_CLI_EXTREMA_BY, "what is compared (busy)" },
  { "count", KYMO_CLI_COUNT, "N", "so many of them (10)" },
  { "order", KYMO_CLI_WORD, "value|location", "how they are listed (value)" },
  { "stacked", KYMO_CLI_FLAG, NULL, "tell what each value is made of" },
  { "kept", KYMO_CLI_FLAG, NULL, "tell which are kept for their clusters, and why" },
  { "clusters", KYMO_CLI_TEXT, "K", "with --kept: seeds (-k), or a range (5)" },
  { "outliers", KYMO_CLI_TEXT, "N|SHARE", "with --kept: PEs that stick out (10%)" },
  { "keep", KYMO_CLI_TEXT, "N|SHARE", "with --kept: representatives and outliers" },
  { "quota", KYMO_CLI_WORD, "size|spread", "with --kept: by what outliers are shared out (size)" },
  { "union", KYMO_CLI_TEXT, "LIST", "with --kept: what these alone would keep" },
  { "critical-path", KYMO_CLI_FLAG, NULL, "with --kept: the PEs on it" },
  { NULL }
};

static const KymoCliOption explain_options[] = {
  { "of", KYMO_CLI_TEXT, "LIST", "the PEs, as 17 or 0-3,8" },
  { "count", KYMO_CLI_COUNT, "N", "so many reasons (10)" },
  { NULL }
};

static const KymoCliOption chain_options[] = {
  { "location", KYMO_CLI_TEXT, "L", "where the block ran" },
  { "at", KYMO_CLI_TIME, "T", "a time in the block" },
  { "direction", KYMO_CLI_WORD, "back|forward", "to what it hangs on, or to the last thing that "
    "it caused (back)" },
  { "limit", KYMO_CLI_COUNT, "N", "tell the N steps next to the block (1000)" },
  { NULL }
};

static const KymoCliOption critical_path_options[] = {
  { "limit", KYMO_CLI_COUNT, "N", "tell the N longest steps (1000)" },
  { NULL }
};

static const KymoCliOption waiting_options[] = {
  { "limit", KYMO_CLI_COUNT, "N", "tell the N longest waits (100)" },
  { "kind", KYMO_CLI_WORD, "late-sender|late-receiver|barrier|all-to-all|late-root|early-root|"
    "prefix|thread-barrier", "of this kind alone" },
  { "function", KYMO_CLI_TEXT, "NAME", "in calls of this function alone" },
  { "path", KYMO_CLI_TEXT, "PATH", "in this call path alone, as \"main => MPI_Recv()\"" },
  { NULL }
};

static const KymoCliOption collectives_options[] = {
  { "limit", KYMO_CLI_COUNT, "N", "tell the N with the longest waiting (100)" },
  { NULL }
};

static const KymoCliOption check_options[] = {
  EXTRAPOLATE,
  { "max-idle", KYMO_CLI_SHARE, "SHARE", "most idle time, as 20%" },
  { "max-overhead", KYMO_CLI_SHARE, "SHARE", "most overhead" },
  { "max-untraced", KYMO_CLI_SHARE, "SHARE", "most untraced time" },
  { "min-utilization", KYMO_CLI_SHARE, "SHARE", "least useful time" },
  { "max-imbalance", KYMO_CLI_RATIO, "X",
    "most useful time of the busiest location over the mean, as 1.3" },
  { "min-efficiency", KYMO_CLI_SHARE, "SHARE",
    "least parallel efficiency: mean useful time over elapsed time, as 80%" },
  { "min-load-balance", KYMO_CLI_SHARE, "SHARE",
    "least mean useful time over that of the busiest" },
  { "min-communication-efficiency", KYMO_CLI_SHARE, "SHARE",
    "least useful time of the busiest over elapsed time" },
  { NULL }
};

#define COMPARED \
  { "repeat-of-a", KYMO_CLI_MANY, "RUN", "of several runs: another run of A, for the noise" }, \
  { "repeat-of-b", KYMO_CLI_MANY, "RUN", "the same: of B" }, \
  { "repeat-of", KYMO_CLI_MANY, "SIDE=RUN", "the same: of any, as C=RUN" }, \
  { "align", KYMO_CLI_TEXT, "HOW", "the same: start, end, phase N, \"block NAME\", " \
    "\"marker NAME\" or \"offsets T,T,…\" (start)" }, \
  { "against", KYMO_CLI_TEXT, "SIDE", "the same: what A is compared with (the last)" }, \
  { "figure", KYMO_CLI_WORD, "total|per-pe", "the same: what differences are of (total)" }, \
  { "time-scale", KYMO_CLI_WORD, "shared|own", \
    "the same: one time axis, or each run's own range in as many bins (shared)" }, \
  { "range-of", KYMO_CLI_MANY, "N=T..T", \
    "the same: run N, from 0 in their order, in that stretch of its own time" }

static const KymoCliOption compare_options[] = {
  COMPARED,
  EXTRAPOLATE,
  { "metric", KYMO_CLI_TEXT, "NAME", "of profiles: what is compared (TIME)" },
  { "bins", KYMO_CLI_COUNT, "N", "the difference of the time profiles, in N bins",
    KYMO_CLI_TO_COLUMNS },
  { "info", KYMO_CLI_FLAG, NULL, "what is known of the runs, and what differs" },
  { "max-growth", KYMO_CLI_SHARE, "SHARE",
    "exit with 1 where a total or an activity grew by more, and by more than noise" },
  { "min-effect", KYMO_CLI_SHARE, "SHARE",
    "with --max-growth: less than this share of A's time is not looked at (1%)" },
  { NULL }
};

static const KymoCliOption export_options[] = {
  EXTRAPOLATE,
  COMPARED,
  { "size", KYMO_CLI_PIXELS, "WxH", "size of the picture (1600x900)" },
  { "theme", KYMO_CLI_WORD, "light|dark|light-contrast|dark-contrast",
    "colours of the picture (light)" },
  { "paths", KYMO_CLI_WORD, "flat|paths|all", "tables: functions, paths, or both" },
  { "palette", KYMO_CLI_TEXT, "NAME|FILE",
    "standard, safe, or a palette of your own (standard)" },
  { "hide", KYMO_CLI_TEXT, "NAMES", "leave these activities out, divided by ;" },
  { "waits", KYMO_CLI_FLAG, NULL, "timeline: where rows wait" },
  { "preset", KYMO_CLI_WORD, "grain", "histogram: the published bars of grain sizes" },
  { "weight", KYMO_CLI_WORD, "count|time", "histogram: what a bar's height tells (count)" },
  { "bins", KYMO_CLI_COUNT, "N", "histogram: so many bins (180)" },
  { "count", KYMO_CLI_COUNT, "N", "extrema: so many of them (all)" },
  { "stacked", KYMO_CLI_WORD, "yes|no", "extrema: what each value is made of (yes)" },
  { "kept", KYMO_CLI_WORD, "yes|no", "extrema: which are kept for their clusters (yes)" },
  { "kind", KYMO_CLI_TEXT, "KIND", "waiting: of this kind alone" },
  { "function", KYMO_CLI_TEXT, "NAME", "waiting: in calls of this function alone; calltree, "
    "icicle: its callers and callees" },
  { "path", KYMO_CLI_TEXT, "PATH", "waiting: in this call path alone" },
  { "limit", KYMO_CLI_TEXT, "N", "how many single ones are told" },
  { "bar", KYMO_CLI_TIME, "T", "bars of this length in a time-profile" },
  { "by", KYMO_CLI_WORD, KYMO_CLI_EXTREMA_BY, "extrema: what is compared (busy)" },
  { "order", KYMO_CLI_TEXT, "WORD", "extrema: the PEs by value or location (value); "
    "timeline, usage: as there" },
  { "least", KYMO_CLI_TIME, "T", "timeline: hide shorter blocks; times stay as they are" },
  { "line", KYMO_CLI_TEXT, "NAME", "timeline: a counter under the rows: one that counters lists" },
  { "fold", KYMO_CLI_TEXT, "WHICH", "timeline: rows by node and process; folded: all, "
    "none, a kind as process, or numbers of groups" },
  { "clusters", KYMO_CLI_TEXT, "K", "extrema, clusters, scatter, distances: seeds "
    "(-k), or a range (5)" },
  { "outliers", KYMO_CLI_TEXT, "N|SHARE", "the same: PEs that stick out (10%)" },
  { "keep", KYMO_CLI_TEXT, "N|SHARE", "the same: representatives and outliers" },
  { "seeding", KYMO_CLI_WORD, "diagonal|random|k-means++",
    "the same: where clusters begin (diagonal)" },
  { "seed", KYMO_CLI_COUNT, "N", "the same: of the random seedings (1)" },
  { "scale", KYMO_CLI_WORD, "none|range|stddev|lin|log",
    "the same: what components are divided by (none); histogram: bins (log)" },
  { "with", KYMO_CLI_TEXT, "LIST", "the same: compare idle,overhead,messages,bytes too" },
  { "quota", KYMO_CLI_WORD, "size|spread", "the same: by what outliers are shared out (size)" },
  { "union", KYMO_CLI_TEXT, "LIST", "the same: what these alone would keep" },
  { "critical-path", KYMO_CLI_FLAG, NULL, "the same: the PEs on it" },
  { "messages", KYMO_CLI_WORD, "none|all|block|back|forward", "timeline: which message lines "
    "(none)" },
  { "location", KYMO_CLI_TEXT, "L", "with --messages: where its block ran" },
  { "at", KYMO_CLI_TIME, "T", "with --messages: a time in that block" },
  { "follow", KYMO_CLI_WORD, "critical|back|forward", "timeline: the critical path over the rows, "
    "or the chain of messages of a block" },
  { "follow-location", KYMO_CLI_TEXT, "L", "with --follow back and forward: where that block ran" },
  { "follow-at", KYMO_CLI_TIME, "T", "the same: a time in that block" },
  { "least-bytes", KYMO_CLI_COUNT, "N", "communication, messages: of at least so many bytes" },
  { "tag", KYMO_CLI_TEXT, "T", "the same: with that tag" },
  { "x", KYMO_CLI_TEXT, "KEY", "scatter: a key of the components (principal-1); "
    "thread-scatter: a function, or calls:NAME or metric:NAME" },
  { "y", KYMO_CLI_TEXT, "KEY", "the same: the other one (principal-2)" },
  { "of", KYMO_CLI_TEXT, "WHAT", "function-bars: a function (the one with most); thread, "
    "calltree, icicle, call-graph: a location, mean, total, …; threads: some, as 0,5,mean; "
    "of communication: bytes or messages; user-events-time: events or time" },
  PROFILES,
  VALUE,
  PATHS,
  { "unit", KYMO_CLI_WORD, "ns|us|ms|s|min|h|hms", "of times in pictures of profiles (as fits)" },
  { "name", KYMO_CLI_TEXT, "NAME", "counters: one of them, a lane a location; counter-map: which" },
  STATISTIC,
  { "relative", KYMO_CLI_FLAG, NULL, "thread-bars: all bars of full length" },
  SEARCH,
  { "root", KYMO_CLI_WORD, "top|bottom", "icicle: where its root is (top)" },
  { "focus", KYMO_CLI_TEXT, "PATH", "icicle: the path that has all the width, a => b => c" },
  { NULL }
};

static const KymoCliOption cache_options[] = {
  { "clear", KYMO_CLI_FLAG, NULL, "remove what is listed" },
  { "max-size", KYMO_CLI_SIZE, "SIZE", "keep no more than this, from now on; as 20G" },
  { NULL }
};

static const KymoCliOption attach_options[] = {
  { "record", KYMO_CLI_TEXT, "FILE", "write all that comes into this new recording" },
  { "resume", KYMO_CLI_FLAG, NULL, "go on with the recording that FILE is" },
  { "for", KYMO_CLI_TIME, "T", "stop after this time (never)" },
  { "wait", KYMO_CLI_TIME, "T", "how long a stream is waited for (30s)" },
  { "through", KYMO_CLI_TEXT, "HOST", "through ssh to this host: [USER@]HOST[:PORT]" },
  { "key", KYMO_CLI_TEXT, "FILE", "keys, as the program's ++server-auth" },
  { "level", KYMO_CLI_TEXT, "N", "which of the keys (0)" },
  { "names", KYMO_CLI_TEXT, "FILE.sts", "names of entry methods" },
  { "notes", KYMO_CLI_FLAG, NULL, "JSON: lines for losses, marks and states, too" },
  { NULL }
};

static const KymoCliOption replay_options[] = {
  { "names", KYMO_CLI_TEXT, "FILE.sts", "names of entry methods, instead of those recorded" },
  { "notes", KYMO_CLI_FLAG, NULL, "JSON: lines for losses, marks and states, too" },
  { "speed", KYMO_CLI_RATIO, "X", "at X times the program's pace, 0.25 to 16 (at once)" },
  { "serve", KYMO_CLI_TEXT, "PORT",
    "be a program to attach to, of loopback; 0 is any free port; then any --speed (1)" },
  { "repeat", KYMO_CLI_FLAG, NULL, "with --serve: begin again at the end" },
  { "key", KYMO_CLI_TEXT, "FILE", "with --serve: only who has this key is served" },
  { "misbehave", KYMO_CLI_TEXT, "LIST", "with --serve: go wrong, as half,late=500" },
  { NULL }
};

static const KymoCliOption metrics_options[] = {
  { "set", KYMO_CLI_TEXT, "NAME=EXPRESSION", "keep it, as FLOPS='PAPI_FP_OPS / TIME'" },
  { "remove", KYMO_CLI_TEXT, "NAME", "keep it no longer" },
  { NULL }
};

const KymoCliCommand kymo_cli_commands[] = {
  { "info", "RUN", "what the run is and holds",
    extrapolate_options, kymo_cli_run_question },
  { "profile", "RUN", "the time of every entry method",
    profile_options, kymo_cli_run_question },
  { "usage", "RUN", "how every location spent its time",
    usage_options, kymo_cli_run_question },
  { "time-profile", "RUN", "what ran when, in bins over all locations",
    time_profile_options, kymo_cli_run_question },
  { "histogram", "RUN", "how long blocks are, or how large messages",
    histogram_options, kymo_cli_run_question },
  { "communication", "RUN", "who sent how much to whom",
    communication_options, kymo_cli_run_question },
  { "communication-time", "RUN", "messages and bytes sent, received and in flight, in bins",
    communication_time_options, kymo_cli_run_question },
  { "communication-locations", "RUN", "what every location sent and received",
    communication_locations_options, kymo_cli_run_question },
  { "call-table", "RUN", "whose blocks sent the messages that ran which entry method",
    call_table_options, kymo_cli_run_question },
  { "messages", "RUN", "single messages, or groups of them",
    messages_options, kymo_cli_run_question },
  { "clocks", "RUN", "whether messages arrive before they were sent",
    NULL, kymo_cli_run_question },
  { "events", "RUN", "the records in words, one a line",
    events_options, kymo_cli_run_question },
  { "search", "RUN TEXT", "blocks, user events and notes by name: where, and how many",
    search_options, kymo_cli_run_question },
  { "outliers", "RUN", "blocks far above the median of their name",
    outliers_options, kymo_cli_run_question },
  { "timeline", "RUN", "what every location did when",
    timeline_options, kymo_cli_run_question },
  { "busiest", "RUN", "what was busiest in the newest second, and over the run",
    extrapolate_options, kymo_cli_run_question },
  { "replies", "RUN", "of a stream: size, delay and bandwidth of its replies",
    replies_options, kymo_cli_run_question },
  { "clusters", "RUN", "classes of PEs that behave alike, and who stands for them",
    clusters_options, kymo_cli_run_question },
  { "extrema", "RUN", "the PEs that have most or least of something",
    extrema_options, kymo_cli_run_question },
  { "explain", "RUN", "what some PEs have more or less of than the others",
    explain_options, kymo_cli_run_question },
  { "chain", "RUN", "the messages that a block hangs on, or the way to what it caused",
    chain_options, kymo_cli_run_question },
  { "critical-path", "RUN", "the chain of blocks and messages that ends last",
    critical_path_options, kymo_cli_run_question },
  { "waiting", "RUN", "who waited for whom in messages, collectives and barriers",
    waiting_options, kymo_cli_run_question },
  { "thread-bars", "RUN", "of a profile: what every location had of each function",
    thread_bars_options, kymo_cli_run_question },
  { "function-bars", "RUN", "of a profile: one function on all locations",
    function_bars_options, kymo_cli_run_question },
  { "thread", "RUN", "of a profile: the table of one location, or of the mean",
    thread_options, kymo_cli_run_question },
  { "calltree", "RUN", "who called whom, and what that took",
    calltree_options, kymo_cli_run_question },
  { "call-graph", "RUN", "functions and who calls whom, without paths",
    call_graph_options, kymo_cli_run_question },
  { "threads", "RUN", "of a profile: locations compared, or with the mean",
    threads_options, kymo_cli_run_question },
  { "thread-scatter", "RUN", "of a profile: locations by two figures, and their clusters",
    thread_scatter_options, kymo_cli_run_question },
  { "phases", "RUN", "of a profile: what every function had in each phase",
    phases_options, kymo_cli_run_question },
  { "user-events", "RUN", "what was sampled by name: sizes of messages, memory",
    user_events_options, kymo_cli_run_question },
  { "user-events-time", "RUN", "user events in bins: how many, and how long brackets were",
    user_events_time_options, kymo_cli_run_question },
  { "counters", "RUN", "user events and metrics over time: samples, min, max, mean",
    counters_options, kymo_cli_run_question },
  { "counter-map", "RUN", "one counter on every location over time, a value a bin",
    counter_map_options, kymo_cli_run_question },
  { "collectives", "RUN", "what ranks did together, who came last and what it cost",
    collectives_options, kymo_cli_run_question },
  { "reduce", "RUN OUT", "write a run with the PEs that stand for the others",
    reduce_options, kymo_cli_run_reduce },
  { "extract", "RUN OUT", "write a run of some locations and a time range",
    NULL, kymo_cli_run_extract },
  { "convert", "RUN OUT", "write a run in the format of other programs",
    convert_options, kymo_cli_run_convert },
  { "filter", "RUN", "a list of tiny and frequent functions to measure no more",
    filter_options, kymo_cli_run_filter },
  { "quality", "FULL REDUCED", "whether the PEs of a reduced run stand for all",
    NULL, kymo_cli_run_quality },
  { "compare", "A B [C…]", "what grew and what shrank between runs, and what is noise",
    compare_options, kymo_cli_run_compare },
  { "check", "RUN", "exit with 1 when a bound is broken",
    check_options, kymo_cli_run_check },
  { "export", "VIEW RUN [RUN…]", "a picture or its figures as PNG, SVG, PDF or CSV",
    export_options, kymo_cli_run_export },
  { "attach", "HOST:PORT", "follow a running program, a line a block",
    attach_options, kymo_cli_run_attach },
  { "replay", "FILE", "what a recording of a running program holds, a line a block",
    replay_options, kymo_cli_run_replay, kymo_cli_serve_help },
  { "metrics", "[RUN]", "metrics that are kept by name, or those of a profile",
    metrics_options, kymo_cli_run_metrics },
  { "desk", "FILE", "what a .kymodesk holds, or what the window keeps of a run: bookmarks, notes",
    NULL, kymo_cli_run_desk },
  { "cache", "[RUN]", "what is kept of runs that were opened, and clearing it",
    cache_options, kymo_cli_run_cache },
  { NULL }
};
