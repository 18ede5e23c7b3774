/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question is a small value: a kind, a time range, locations, a resolution
 * and keyword parameters. Unknown keywords are ignored. Ref-counted; not to
 * be changed after it was asked.
 *
 * kinds and their keywords (answers: the keys of the command line's contract)
 *   every kind      workers-only=1: without communication threads, unless they
 *                   are all that was asked for
 *                   once=1: no other question will be put, so that nothing
 *                   need be made that would speed up the next one
 *                   extrapolate=1: figures are of all PEs of the run that this
 *                   one was reduced from, by the weights of its PEs; so they are
 *                   with kymo_question_set_weights(), of any run. Kinds that sum
 *                   up PEs then tell "extrapolated" (true), "extrapolated_from"
 *                   and "stands_for", numbers of PEs, and averages are of so many;
 *                   "time_profile_error" where a reduction measured it, and profile
 *                   the "error" of each entry method. Kinds that are about single
 *                   PEs give the figures of those
 *   info            -
 *   profile         per-location=1
 *                   waits=1: wait_ns of each activity, where the run tells it
 *                   told-roles=1: told_role, the role that the files give it, or null
 *   usage           -
 *   time-profile    columns = bins
 *                   bar-ns: bars of that length in their place, on the grid of
 *                   its multiples, the first and the last one whole (but cut to
 *                   the run); the answer's begin_ns and end_ns are theirs
 *                   most-bars: where more would fit into the range, 2, 5, 10, …
 *                   are joined; the answer tells bar_ns
 *                   uncut=1: bins are parts of all of the asked range, though the run
 *                   may begin later and end earlier
 *   moment          name, of=block|marker, n (1): when the n-th block of that name begins
 *                   (calls, not what is resumed), or the n-th user event, bracket or note:
 *                   found, time_ns, location, label, and how many there are: total
 *   histogram       of=duration|message-size min max (ns or bytes) bins
 *                   scale=lin|log weight=count|time unit=block|call preset=grain
 *   communication   limit join=1: ways through communication threads joined
 *                   of=messages|bytes: what a picture shows, no figure
 *   communication-time  columns join of: see kymo-communication-time.c
 *   communication-locations  rows join of: see kymo-communication-rows.c
 *   call-table      join of: see kymo-call-table.c
 *   messages        limit: those that arrive in the range, or groups by pair
 *                   crossing=1: all that are under way at some moment of the range, to the
 *                   locations asked for, and "open" ones that these sent and nobody is known
 *                   to have received. Tells count, bytes, matched, uncertain, unmatched,
 *                   open, early (begun before they were sent) and latencies; "messages"
 *                   with both ends (from_location and to_location, labels, kind, via_ns, and
 *                   places: rows of a timeline, counted without groups), or "groups" by
 *                   kind, stretch of time (2^k ns; columns = most of them) and bands of
 *                   2^j locations (rows = most bands, to 1024; group = least locations in
 *                   one): from, from_last, to, to_last (ids), count, bytes, early, min_, mean_ and
 *                   max_latency_ns, sent_ns and begin_ns (means), first_ns, last_ns,
 *                   from_place and to_place (means)
 *                   location, time (or at-ns), direction=back|forward|both: of one block:
 *                   "messages" that started it and "caused" ones, with both ends
 *   clocks          -
 *   events          limit tail first at (ns) kinds text regex=1 least-ns: see kymo-events.c
 *   counter-map     name, columns, rows, statistic=max|min|mean|last|weighted: "rows" with
 *                   "values" of one counter by column, see kymo-counter-map.c
 *   timeline        columns = width in cells, rows = most rows
 *                   grid=1 dense=1 first-row n-rows: see kymo-timeline.c
 *                   line=NAME: a counter under the rows, see kymo-timeline-lines.c
 *                   least-ns: shorter blocks are hidden: cells of the kind "short", all
 *                   times as they are
 *                   busy-begin busy-end (ns): range of the rows' busy share
 *                   waits=1|made: where rows wait, see kymo-timeline-waits.c
 *                   grid=1: columns of 2^k ns of absolute time, the smallest
 *                   that give at most so many, over the asked range widened to
 *                   the grid: begin_ns, end_ns; rows of 2^j locations; the
 *                   answer tells column_ns, group, rows_total and first_row.
 *                   Where cells would hold less than a piece, column_ns is 0 and
 *                   columns are equal parts of the asked range. Where a walk
 *                   over very many locations would be slow, columns are twice as
 *                   wide. In any case
 *                   columns are equal parts of begin_ns to end_ns
 *                   first-row, n-rows: only these rows; names_ns is of them.
 *                   Merged rows of thousands of locations have no "busy"
 *                   dense=1 (with grid): in place of the cells of rows a packed
 *                   column "cell" of the table "dense", rows x columns numbers:
 *                   index of the name << 16 | share in 1 / 65535, 0xffffffff =
 *                   nothing was recorded. Single blocks that are few are cells
 *                   of rows nevertheless, and there is no "dense". Hundreds of
 *                   rows have no "outer"
 *                   With kymo_question_set_groups() "groups" are told that have rows
 *                   here (see kymo-timeline-groups.c), and of answers on the grid
 *                   "places_total": rows, were they not merged
 *   place           of=3,17: the rows of locations in a timeline
 *   row-groups      -: the tree of nodes and processes that locations lie in, see
 *                   kymo-row-tree.c
 *   row-order       by=busy|-busy|…: see kymo-row-order.h; "locations" (location and
 *                   ns, number, or distance from the one before) in that order
 *   busiest         -: see kymo-busiest.c
 *   replies         columns = most bars: see kymo-replies.c
 *   clusters        clusters=5|2-10 outliers=26|10% keep=51|10%
 *                   seeding=diagonal|random|k-means++ seed=1
 *                   scale=none|range|stddev with=idle,overhead,messages,bytes
 *                   quota=size|spread: outliers shared out by size (published),
 *                   or fewer to tight clusters
 *                   union=idle,overhead,messages,bytes: PEs that clusters by each
 *                   of these alone would keep are kept, too (kept_as "union")
 *                   critical-path=1: PEs on it are kept, too (kept_as
 *                   "critical-path")
 *                   vectors=1: what PEs are compared by (list "vector" of each of
 *                   "locations", in the order of "components", unscaled)
 *                   x=KEY y=KEY: where each PE lies (columns x, y of
 *                   "locations"; objects "x", "y" tell label, unit and share of
 *                   the variance): KEY is a "key" of "components", whether it
 *                   is compared or not (0 where nothing ran), or principal-1,
 *                   principal-2: the two strongest directions, whose largest
 *                   weights are told
 *   extrema         by=busy|most-idle|least-idle|overhead|longest|grain|sent|
 *                   received|bytes-sent|bytes-received count
 *                   order=value|location: how the chosen ones are listed
 *                   stacked=1: "parts" of each value, see kymo-extrema-parts.c
 *                   kept=1 with keywords of clusters: "kept_as" and "cluster"
 *   critical-path   limit: the longest steps that are told one by one
 *                   part-begin, part-end, column (ns): "part": the steps in that part of
 *                   its time, in order, short ones joined to a column at the place of the
 *                   longest; with places, for a picture
 *   chain           location, time (or at-ns): the chain of messages that a block hangs
 *                   on, see kymo-chain.h; direction=forward: the way to the last block that
 *                   it caused; limit. Tells total_ns = block_ns + message_ns + queue_ns +
 *                   other_ns, messages, steps_in_all, ended (why it goes no further back),
 *                   forward caused and caused_ns (all blocks that it caused), the lists
 *                   "activities" and "steps" (in order of time; each ends where the next
 *                   one begins)
 *   explain         of=17,18: what these PEs have more or less of than all those
 *                   asked for, by entry method; count: so many reasons (10)
 *   Waiting of functions that exchange messages (waits in kymo-waits.h):
 *   waiting         limit: worst instances; kind: of one kind alone; function, path
 *                   ("main => MPI_Recv"): of one alone. Tells total_ns and, each
 *                   with ns, count and max_ns, the lists "kinds", "functions",
 *                   "paths", "locations" (with kind_ns in the order of "kinds", as
 *                   "functions" have, and
 *                   caused_ns: waiting of others because it was late) and "worst"
 *                   (kind, location, begin_ns and end_ns of the call, wait_ns from
 *                   wait_begin_ns on, function, by: the location that was late,
 *                   by_begin_ns: when it came, by_did: what it did meanwhile);
 *                   collectives_inferred and _may_be_several as in collectives
 *   collectives     limit: the ones with the longest waiting; tells list "collectives"
 *                   (name, kind, begin_ns, end_ns, n_members, last: location,
 *                   last_begin_ns, wait_ns, root, bytes) and sums by "names". Waiting is
 *                   that of the locations asked for, members and bytes are of all.
 *                   inferred: from names and times; may_be_several: so many of them
 *                   may be several at once, for nobody knows the communicators
 *   counters        columns; rows; name: of one user value or metric over time: "series" by
 *                   location (by "group" of them where rows are fewer) with min, max and
 *                   mean a column; without it the list "names" with samples, min, max, mean
 *   Profiles: of a run of kind profile, or of the asked range of a trace. All know
 *                   metric=NAME or an expression of them (PAPI_FP_OPS / TIME), step=N
 *                   (default: the last), groups=A|B: functions of these groups alone,
 *                   and of a trace callpath-depth=K: paths of the last K functions,
 *                   depth-limit=D: paths from the root, cut to D, by-phase=1: paths
 *                   "phase => function" by the closest enclosing phase. They tell
 *                   "metric", "unit", "metrics" (list: name, unit, is_time), "steps",
 *                   "groups", "row_term", "code_term". A figure of a function over
 *                   locations is total, mean (missing = 0), mean_present, min, max,
 *                   stddev (population, of mean)
 *   profile         of a run of kind profile: as the contract says
 *   thread-bars     value=exclusive|inclusive|calls|subroutines|
 *                   exclusive-per-call|inclusive-per-call; columns: most functions, the
 *                   rest is one more; rows: most rows, locations are put together where
 *                   there are more (a row is then their mean). "functions": name, group,
 *                   role, mean, min, max, stddev by mean; "rows": first location, label,
 *                   n_locations, useful (of functions that compute), "values" (one a
 *                   function)
 *   function-bars   of=NAME value= rows bins: "rows": location, label, n_locations,
 *                   value, has; the statistics; "histogram": edges and counts of
 *                   locations that have it
 *   thread          of=LOCATION|mean|mean-present|total|min|max|stddev
 *                   paths=flat|paths|all. "functions": name, groups, role, flags, calls,
 *                   subroutines, exclusive, inclusive, exclusive_per_call,
 *                   inclusive_per_call, exclusive_share (of all exclusive),
 *                   inclusive_share (of the largest inclusive)
 *   calltree        of= as thread, search= regex=1 root=bottom: see kymo-calltree.c.
 *                   "nodes" in order of a walk, children by inclusive:
 *                   name, parent (index, -1 = root), depth, calls, subroutines,
 *                   exclusive, inclusive, their shares (of all roots' inclusive), role,
 *                   groups, flags; "path" as the contract says.
 *                   "cut": paths lack their begin; "has_paths": else all are roots
 *                   focus=NAME: the callers and callees of one function in place of all
 *   call-graph      of=: "nodes": name, exclusive, inclusive, calls, layer (for drawing,
 *                   0 = roots); "edges": from, to (indices), calls, inclusive, back (goes
 *                   up a layer)
 *   phases          value=: "phases", "functions" and the matrix: row a function, "values"
 *                   a phase, mean over locations or of=LOCATION. Where a program marks its
 *                   phases, each location's are those between its own marks
 *   user-events     of=LOCATION, else over all: "user_events": name, count, min, max,
 *                   mean, stddev, base (name without its path) and path
 *   user-events-time  columns names=A;B of=events|time: "series" of user events: how many
 *                   begin in each column, and time of brackets in it, see
 *                   kymo-user-events-time.c
 *   threads         of=0,5,mean: "functions" with "values" of each: compared
 *   thread-scatter  x=KEY y=KEY (a function's name, or calls:NAME, metric:NAME of the whole
 *                   thread) with keywords of clusters: "locations": location, label, x, y,
 *                   cluster; clusters=none: at once, cluster is -1
 *   details         location, time (ns): what is there, in words and figures
 *   find            location, time, name, direction=next|previous|longest|shortest:
 *                   a block of the activity with that display name, or without
 *                   a name any block of the location, or of all of row=3,17
 *   search          text, regex=1, over=blocks,events,notes, limit: "matches" (blocks,
 *                   events, notes_found) that begin in the range, "names" with count,
 *                   first_ns, shortest_ns and longest_ns, and "found", the earliest, each
 *                   with a "place". direction=next|previous place=PLACE|TIME: "next" (none
 *                   or one), its "number" among all in order of time and location, and
 *                   whether it "wrapped". columns: "ticks", how many begin in each;
 *                   marks=1: in place of all that "marks" (location, first, last): columns
 *                   of a location in which a match is to be seen
 *   edges           location, time: where a state ends and the next begins before_ns and
 *                   after_ns, and of what (before_name, after_name)
 *   outliers        times=4 limit name: "names" with median_ns of the length of blocks, how
 *                   many are more than so many times as long, by how much (excess_ns);
 *                   "outliers", with most excess. location at-ns: "block", how it stands
 *   Of several runs (kymo-comparison.h): compare, compare-time-profile, compare-info
 */
#pragma once

#include <glib.h>

#include "kymo-id-set.h"
#include "kymo-id-weights.h"
#include "kymo-row-groups.h"
#include "kymo-span.h"

G_BEGIN_DECLS

typedef struct _KymoQuestion KymoQuestion;

KymoQuestion *kymo_question_new            (const char         *kind);
KymoQuestion *kymo_question_ref            (KymoQuestion       *question);
void          kymo_question_unref          (KymoQuestion       *question);
const char   *kymo_question_get_kind       (const KymoQuestion *question);
void          kymo_question_set_span       (KymoQuestion       *question,
                                            KymoSpan            span);
KymoSpan      kymo_question_get_span       (const KymoQuestion *question);
void          kymo_question_set_locations  (KymoQuestion       *question,
                                            KymoIdSet          *locations);
KymoIdSet    *kymo_question_peek_locations (const KymoQuestion *question);
/* Weights of the locations, in place of those of the run; sums over locations
   are then of all they stand for. NULL = none. */
void          kymo_question_set_weights    (KymoQuestion       *question,
                                            KymoIdWeights      *weights);
KymoIdWeights *
              kymo_question_peek_weights   (const KymoQuestion *question);
/* Rows in this order (gint64 ids); locations that are not in it follow in
   their own. NULL = by id. Not to be changed after it was set. */
void          kymo_question_set_order      (KymoQuestion       *question,
                                            GArray             *ids);
GArray       *kymo_question_peek_order     (const KymoQuestion *question);
/* Rows of a timeline by these groups; a folded one is one row. NULL = none. */
void          kymo_question_set_groups     (KymoQuestion       *question,
                                            KymoRowGroups      *groups);
KymoRowGroups *
              kymo_question_peek_groups    (const KymoQuestion *question);
void          kymo_question_set_resolution (KymoQuestion       *question,
                                            guint               columns,
                                            guint               rows);
guint         kymo_question_get_columns    (const KymoQuestion *question);
guint         kymo_question_get_rows       (const KymoQuestion *question);
void          kymo_question_set            (KymoQuestion       *question,
                                            const char         *key,
                                            const char         *value);
void          kymo_question_set_int        (KymoQuestion       *question,
                                            const char         *key,
                                            gint64              value);
const char   *kymo_question_get            (const KymoQuestion *question,
                                            const char         *key);
/* (transfer full): in order */
char        **kymo_question_list_keys      (const KymoQuestion *question);
gboolean      kymo_question_get_int        (const KymoQuestion *question,
                                            const char         *key,
                                            gint64              fallback,
                                            gint64             *value,
                                            GError            **error);
gboolean      kymo_question_get_flag       (const KymoQuestion *question,
                                            const char         *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoQuestion, kymo_question_unref)

G_END_DECLS
