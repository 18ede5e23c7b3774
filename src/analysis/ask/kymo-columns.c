/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-columns.h. A column that is not listed here has a heading made of its key, and the kind
 * that the end of its key tells, so a list with a new column is whole at once.
 */
#include "config.h"

#include "kymo-columns.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const KymoColumnInfo columns[] = {
  { "label", "", KYMO_COLUMN_OF_TEXT },
  { "name", "", KYMO_COLUMN_OF_TEXT },
  { "location", "", KYMO_COLUMN_OF_ROW },
  { "from", N_("from"), KYMO_COLUMN_OF_ROW },
  { "to", N_("to"), KYMO_COLUMN_OF_ROW },
  { "begin_ns", N_("from"), KYMO_COLUMN_OF_MOMENT },
  { "end_ns", N_("to"), KYMO_COLUMN_OF_MOMENT },
  { "busy", N_("busy"), KYMO_COLUMN_OF_SHARE },
  { "busy_ns", N_("busy"), KYMO_COLUMN_OF_DURATION },
  { "idle", N_("idle"), KYMO_COLUMN_OF_SHARE },
  { "idle_ns", N_("idle"), KYMO_COLUMN_OF_DURATION },
  { "overhead", N_("overhead"), KYMO_COLUMN_OF_SHARE },
  { "overhead_ns", N_("overhead"), KYMO_COLUMN_OF_DURATION },
  { "untraced", N_("untraced"), KYMO_COLUMN_OF_SHARE },
  { "untraced_ns", N_("untraced"), KYMO_COLUMN_OF_DURATION },
  { "useful", N_("useful"), KYMO_COLUMN_OF_SHARE, .in_metric = TRUE },
  { "useful_ns", N_("useful"), KYMO_COLUMN_OF_DURATION },
  { "communication_ns", N_("communication"), KYMO_COLUMN_OF_DURATION },
  { "waiting_ns", N_("waiting"), KYMO_COLUMN_OF_DURATION },
  { "io_ns", N_("I/O"), KYMO_COLUMN_OF_DURATION },
  { "runtime_ns", N_("start-up"), KYMO_COLUMN_OF_DURATION },
  { "span_ns", N_("span"), KYMO_COLUMN_OF_DURATION },
  { "share", N_("share"), KYMO_COLUMN_OF_SHARE },
  { "of_average", N_("of the average"), KYMO_COLUMN_OF_SHARE },
  { "value", N_("value"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "value_ns", "", KYMO_COLUMN_OF_DURATION },
  { "ns", "", KYMO_COLUMN_OF_DURATION },
  { "counts", N_("count"), KYMO_COLUMN_OF_NUMBER },
  { "count", N_("count"), KYMO_COLUMN_OF_NUMBER },
  { "calls", N_("calls"), KYMO_COLUMN_OF_NUMBER },
  { "blocks", N_("blocks"), KYMO_COLUMN_OF_NUMBER },
  { "steps", N_("steps"), KYMO_COLUMN_OF_NUMBER },
  { "messages", N_("messages"), KYMO_COLUMN_OF_NUMBER },
  { "bytes", "", KYMO_COLUMN_OF_BYTES },
  { "sent_messages", N_("sent messages"), KYMO_COLUMN_OF_NUMBER },
  { "sent_bytes", N_("sent"), KYMO_COLUMN_OF_BYTES },
  { "received_messages", N_("received messages"), KYMO_COLUMN_OF_NUMBER },
  { "received_bytes", N_("received"), KYMO_COLUMN_OF_BYTES },
  { "exclusive", N_("exclusive"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "exclusive_ns", N_("exclusive"), KYMO_COLUMN_OF_DURATION },
  { "inclusive", N_("inclusive"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "inclusive_ns", N_("inclusive"), KYMO_COLUMN_OF_DURATION },
  { "mean", N_("mean"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "mean_ns", N_("mean"), KYMO_COLUMN_OF_DURATION },
  { "min", N_("least"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "max", N_("most"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "min_ns", N_("shortest"), KYMO_COLUMN_OF_DURATION },
  { "max_ns", N_("longest"), KYMO_COLUMN_OF_DURATION },
  { "total", N_("total"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "stddev", N_("standard deviation"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "cluster", N_("cluster"), KYMO_COLUMN_OF_NUMBER },
  { "distance", N_("distance"), KYMO_COLUMN_OF_DISTANCE },
  { "path_ns", N_("on the path"), KYMO_COLUMN_OF_DURATION },
  { "message_ns", N_("in messages"), KYMO_COLUMN_OF_DURATION },
  { "speed_up", N_("times as fast as A:"), KYMO_COLUMN_OF_NUMBER },
  { "present", "", KYMO_COLUMN_OF_TEXT },
  { "own_ns", N_("without waits"), KYMO_COLUMN_OF_DURATION },
  { "p10_ns", N_("10 % take at most"), KYMO_COLUMN_OF_DURATION },
  { "median_ns", N_("median"), KYMO_COLUMN_OF_DURATION },
  { "row_p10_ns", NULL, KYMO_COLUMN_OF_DURATION },
  { "elapsed_ns", N_("took"), KYMO_COLUMN_OF_DURATION },
  { "a_ns", N_("in A"), KYMO_COLUMN_OF_DURATION },
  { "b_ns", N_("in the other"), KYMO_COLUMN_OF_DURATION },
  { "difference_ns", N_("difference"), KYMO_COLUMN_OF_DURATION },
  { "noise_ns", N_("noise up to"), KYMO_COLUMN_OF_DURATION },
  { "exclusive_share", N_("exclusive share"), KYMO_COLUMN_OF_SHARE },
  { "inclusive_share", N_("inclusive share"), KYMO_COLUMN_OF_SHARE },
  { "effect", NULL, KYMO_COLUMN_OF_SHARE },
  { "efficiency", NULL, KYMO_COLUMN_OF_SHARE },
  { "utilization", NULL, KYMO_COLUMN_OF_SHARE },
  { "mean_distance", N_("mean distance"), KYMO_COLUMN_OF_DISTANCE },
  { "largest_distance", N_("largest distance"), KYMO_COLUMN_OF_DISTANCE },
  { "exclusive_per_call", N_("exclusive per call"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "inclusive_per_call", N_("inclusive per call"), KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "values", NULL, KYMO_COLUMN_OF_NUMBER, .in_metric = TRUE },
  { "edges", NULL, KYMO_COLUMN_OF_MOMENT, .in_metric = TRUE },
  { "time_ns", NULL, KYMO_COLUMN_OF_MOMENT },
  { "sent_ns", NULL, KYMO_COLUMN_OF_MOMENT },
  { "edges_ns", NULL, KYMO_COLUMN_OF_MOMENT },
  { "longest_begin_ns", NULL, KYMO_COLUMN_OF_MOMENT, .internal = TRUE },
  { "longest_location", NULL, KYMO_COLUMN_OF_ROW, .internal = TRUE },
  { "block_begin_ns", N_("longest block from"), KYMO_COLUMN_OF_MOMENT },
  { "by", N_("caused by"), KYMO_COLUMN_OF_ROW },
  { "by_label", N_("caused by"), KYMO_COLUMN_OF_TEXT },
  { "by_begin_ns", N_("late from"), KYMO_COLUMN_OF_MOMENT },
  { "by_did", N_("which was in"), KYMO_COLUMN_OF_TEXT },
  { "caused_count", N_("waits caused"), KYMO_COLUMN_OF_NUMBER },
  { "caused_ns", N_("waiting caused"), KYMO_COLUMN_OF_DURATION },
  { "communicator", N_("communicator"), KYMO_COLUMN_OF_TEXT },
  { "destinations", N_("destinations"), KYMO_COLUMN_OF_NUMBER },
  { "function", N_("in"), KYMO_COLUMN_OF_TEXT },
  { "group", N_("group"), KYMO_COLUMN_OF_TEXT },
  { "kind", N_("kind"), KYMO_COLUMN_OF_TEXT },
  { "half", N_("only half"), KYMO_COLUMN_OF_TEXT },
  { "max_bytes", N_("largest"), KYMO_COLUMN_OF_BYTES },
  { "min_bytes", N_("smallest"), KYMO_COLUMN_OF_BYTES },
  { "mean_latency_ns", N_("mean latency"), KYMO_COLUMN_OF_DURATION },
  { "self_messages", N_("messages to itself"), KYMO_COLUMN_OF_NUMBER },
  { "self_bytes", N_("to itself"), KYMO_COLUMN_OF_BYTES },
  { "process_messages", N_("messages within the process"), KYMO_COLUMN_OF_NUMBER },
  { "process_bytes", N_("within the process"), KYMO_COLUMN_OF_BYTES },
  { "node_messages", N_("messages within the node"), KYMO_COLUMN_OF_NUMBER },
  { "node_bytes", N_("within the node"), KYMO_COLUMN_OF_BYTES },
  { "others_messages", N_("messages to other nodes"), KYMO_COLUMN_OF_NUMBER },
  { "others_bytes", N_("to other nodes"), KYMO_COLUMN_OF_BYTES },
  { "unknown_messages", N_("messages to unknown places"), KYMO_COLUMN_OF_NUMBER },
  { "unknown_bytes", N_("to unknown places"), KYMO_COLUMN_OF_BYTES },
  { "number", N_("number"), KYMO_COLUMN_OF_ORDINAL },
  { "path", N_("path"), KYMO_COLUMN_OF_TEXT },
  { "records", N_("records"), KYMO_COLUMN_OF_NUMBER },
  { "cpu_ns", N_("CPU time"), KYMO_COLUMN_OF_DURATION },
  { "sent_records", N_("send records"), KYMO_COLUMN_OF_NUMBER },
  { "region", N_("region"), KYMO_COLUMN_OF_TEXT },
  { "representative", N_("representative"), KYMO_COLUMN_OF_ROW },
  { "silhouette", N_("silhouette"), KYMO_COLUMN_OF_NUMBER },
  { "size", N_("size"), KYMO_COLUMN_OF_NUMBER },
  { "spread_ns", N_("spread"), KYMO_COLUMN_OF_DURATION },
  { "subroutines", N_("subroutines"), KYMO_COLUMN_OF_NUMBER },
  { "tag", N_("tag"), KYMO_COLUMN_OF_ORDINAL },
  { "unit", N_("unit"), KYMO_COLUMN_OF_TEXT },
  { "unmatched", N_("unmatched"), KYMO_COLUMN_OF_NUMBER },
  { "unmatched_messages", N_("unmatched messages"), KYMO_COLUMN_OF_NUMBER },
  { "unmatched_bytes", N_("unmatched"), KYMO_COLUMN_OF_BYTES },
  { "in_flight_ns", N_("time in flight"), KYMO_COLUMN_OF_DURATION },
  { "in_flight_bytes", N_("in flight"), KYMO_COLUMN_OF_BYTES },
  { "wait_begin_ns", N_("wait from"), KYMO_COLUMN_OF_MOMENT },
  { "wait_ns", N_("waiting"), KYMO_COLUMN_OF_DURATION },
  { "weight", N_("weight"), KYMO_COLUMN_OF_NUMBER },
  { "value_bytes", "", KYMO_COLUMN_OF_BYTES },
  { "matches", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "shown", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "told_role", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "n_present", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "vector", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "whole", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "processes", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "x", NULL, KYMO_COLUMN_OF_AXIS },
  { "y", NULL, KYMO_COLUMN_OF_AXIS },
  { "id", NULL, KYMO_COLUMN_OF_ORDINAL, .internal = TRUE },
  { "event", NULL, KYMO_COLUMN_OF_ORDINAL },
  { "depth", N_("depth"), KYMO_COLUMN_OF_ORDINAL },
  { "offset", NULL, KYMO_COLUMN_OF_ORDINAL },
  { "level", NULL, KYMO_COLUMN_OF_ORDINAL },
  { "from_id", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "to_id", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "parent", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "layer", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "signature", NULL, KYMO_COLUMN_OF_TEXT, .internal = TRUE },
  { "n_locations", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "known", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "has", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "role", NULL, KYMO_COLUMN_OF_TEXT, .internal = TRUE },
  { "flags", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "groups", NULL, KYMO_COLUMN_OF_TEXT, .internal = TRUE },
  { "base", NULL, KYMO_COLUMN_OF_TEXT, .internal = TRUE },
  { "rest", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "back", NULL, KYMO_COLUMN_OF_NUMBER, .internal = TRUE },
  { "kept_as", NULL, KYMO_COLUMN_OF_TEXT, .internal = TRUE },
  { "side", NULL, KYMO_COLUMN_OF_TEXT, .internal = TRUE },
};

/* Key -> KymoColumnInfo, borrowed: a table behind a picture asks for each of its cells. */
static gpointer
index_columns (gpointer unused)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_hash_table_insert (index, (gpointer) columns[i].key, (gpointer) &columns[i]);
  return index;
}

/**
 * kymo_column_info:
 * @key: name of a column of any answer
 *
 * Returns: what the column is; strings are not owned, the key is @key itself where it is not listed
 */
KymoColumnInfo
kymo_column_info (const char *key)
{
  static GOnce once = G_ONCE_INIT;
  GHashTable *index = g_once (&once, index_columns, NULL);
  const KymoColumnInfo *listed = g_hash_table_lookup (index, key);
  KymoColumnInfo info = { key };

  if (listed != NULL)
    return *listed;
  if (g_str_has_suffix (key, "_ns"))
    info.kind = KYMO_COLUMN_OF_DURATION;
  else if (strstr (key, "bytes") != NULL)
    info.kind = KYMO_COLUMN_OF_BYTES;
  return info;
}
