/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a probe found: a key file, and JSON or text on stdout. Names of hosts and files come from
 * outside, so other characters than those of ASCII that are printed stand as `_`.
 */
#include "config.h"

#include "kymo-probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Both forms at a time; a file may be NULL. */
typedef struct
{
  FILE *ini, *json;
  bool  is_first;               /* key of the group */
} Out;

static const char *
clean_text (const char *text)
{
  static char clean[4096];
  size_t n = 0;

  for (; text[n] != '\0' && n + 1 < sizeof clean; n++)
    clean[n] = text[n] >= ' ' && text[n] <= '~' && strchr ("\"\\[];", text[n]) == NULL
      ? text[n] : '_';
  clean[n] = '\0';
  return clean;
}

/* Begins a group, which in JSON is an object; @name: (nullable): its key there. */
static void
begin_group (Out        *out,
             const char *group,
             const char *name)
{
  if (out->ini != NULL)
    fprintf (out->ini, "%s[%s]\n", ftell (out->ini) > 0 ? "\n" : "", group);
  if (out->json != NULL && name != NULL)
    fprintf (out->json, "\"%s\":{", name);
  else if (out->json != NULL)
    fputc ('{', out->json);
  out->is_first = true;
}

static void
end_group (Out  *out,
           bool  is_last)
{
  if (out->json != NULL)
    fputs (is_last ? "}" : "},", out->json);
  out->is_first = false;
}

/* The key in both forms, the value as it is; of a text in quotes in JSON. */
static void
put_value (Out        *out,
           const char *key,
           bool        is_text,
           const char *value)
{
  if (out->ini != NULL)
    fprintf (out->ini, "%s=%s\n", key, value);
  if (out->json == NULL)
    return;
  fputs (out->is_first ? "\"" : ",\"", out->json);
  for (const char *at = key; *at != '\0'; at++)
    fputc (*at == '-' ? '_' : *at, out->json);
  fprintf (out->json, is_text ? "\":\"%s\"" : "\":%s", value);
  out->is_first = false;
}

static void
put_text (Out        *out,
          const char *key,
          const char *text)
{
  put_value (out, key, true, clean_text (text));
}

static void
put_flag (Out        *out,
          const char *key,
          bool        is_true)
{
  put_value (out, key, false, is_true ? "true" : "false");
}

static void
put_number (Out        *out,
            const char *key,
            uint64_t    number)
{
  char text[32];

  snprintf (text, sizeof text, "%" PRIu64, number);
  put_value (out, key, false, text);
}

/* What was not measured is absent. */
static void
put_measured (Out        *out,
              const char *key,
              uint64_t    number)
{
  if (number > 0)
    put_number (out, key, number);
}

static void
put_share (Out        *out,
           const char *key,
           uint64_t    millionths)
{
  char text[32];

  snprintf (text, sizeof text, "%" PRIu64 ".%06" PRIu64, millionths / 1000000,
            millionths % 1000000);
  put_value (out, key, false, text);
}

/* -- groups -------------------------------------------------------------------------- */

static uint64_t
rate_of (uint64_t n_bytes,
         uint64_t ns)
{
  return ns > 0 ? (uint64_t) ((double) n_bytes * 1e9 / (double) ns) : 0;
}

static void
put_reading (Out                 *out,
             const KymoProbeRank *rank)
{
  char text[32];

  if (!rank->reads)
    return;
  if (rank->read_error != 0)
    put_text (out, "read-error", strerror (rank->read_error));
  put_measured (out, "read-bytes", rank->read_bytes);
  put_measured (out, "read-bytes-per-s", rate_of (rank->read_bytes, rank->read_ns));
  if (rank->read_cached_ppm >= 0)
    put_share (out, "read-cached-share", (uint64_t) rank->read_cached_ppm);
  if (rank->read_error != 0)
    return;
  put_number (out, "read-size-bytes", rank->read_size);
  put_flag (out, "read-changed", rank->read_changed);
  snprintf (text, sizeof text, "%016" PRIx64, rank->read_checksum);
  if (rank->read_checksum != 0)
    put_text (out, "read-checksum", text);
}

static void
put_head (Out             *out,
          const KymoProbe *probe)
{
  time_t now = time (NULL);
  struct tm utc;
  char text[64];

  begin_group (out, "Probe", "probe");
  put_number (out, "version", 1);
  put_text (out, "recorder", KYMO_VERSION);
  if (gmtime_r (&now, &utc) != NULL && strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
    put_text (out, "written", text);
  put_text (out, "mpi", probe->world.mpi);
  put_number (out, "ranks", (uint64_t) probe->world.size);
  put_number (out, "nodes", (uint64_t) probe->world.n_nodes);
  put_number (out, "elapsed-ns", probe->elapsed_ns);
  put_number (out, "limit-ns", probe->limit_ns);
  end_group (out, false);
}

/* Begins a list of objects in JSON. */
static void
begin_list (Out        *out,
            const char *name)
{
  if (out->json != NULL)
    fprintf (out->json, "\"%s\":[", name);
}

static void
end_list (Out  *out,
          bool  is_last)
{
  if (out->json != NULL)
    fputs (is_last ? "]" : "],", out->json);
}

/* A key that is in the name of the group in the key file. */
static void
put_json_number (Out        *out,
                 const char *key,
                 int         number)
{
  FILE *ini = out->ini;

  out->ini = NULL;
  put_number (out, key, (uint64_t) number);
  out->ini = ini;
}

static void
put_ranks (Out             *out,
           const KymoProbe *probe)
{
  begin_list (out, "ranks");
  for (int i = 0; i < probe->world.size; i++)
    {
      const KymoProbeRank *rank = &probe->ranks[i];
      char group[64];

      snprintf (group, sizeof group, "Probe Rank %d", i);
      begin_group (out, group, NULL);
      put_json_number (out, "rank", i);
      put_text (out, "host", rank->host);
      put_text (out, "processors", rank->processors);
      if (rank->n_quanta > 0)
        {
          put_number (out, "fwq-quanta", rank->n_quanta);
          put_number (out, "fwq-quantum-ns", rank->quantum_ns);
          put_share (out, "fwq-noise-share", rank->noise_ppm);
          put_number (out, "fwq-longest-gap-ns", rank->gap_ns);
        }
      put_measured (out, "memory-bytes-per-s", rank->memory_rate);
      if (rank->node_rank > 0)
        put_reading (out, rank);
      end_group (out, i + 1 == probe->world.size);
    }
  end_list (out, false);
}

static void
put_node (Out             *out,
          const KymoProbe *probe,
          int              node)
{
  const KymoProbeRank *first = NULL;
  uint64_t rate = 0;
  char group[64];
  size_t n_bytes = 0;
  char *list = NULL;
  FILE *text = open_memstream (&list, &n_bytes);

  if (text == NULL)
    kymo_probe_die ("there is no memory");
  for (int i = 0; i < probe->world.size; i++)
    {
      const KymoProbeRank *rank = &probe->ranks[i];

      if (rank->node != node)
        continue;
      first = first == NULL || rank->node_rank == 0 ? rank : first;
      rate += rank->memory_rate;
      fprintf (text, "%d;", i);
    }
  fclose (text);
  snprintf (group, sizeof group, "Probe Node %d", node);
  begin_group (out, group, NULL);
  put_json_number (out, "node", node);
  put_text (out, "host", first->host);
  if (out->json != NULL)
    {
      fputs (",\"ranks\":[", out->json);
      for (const char *at = list; *at != '\0'; at++)
        if (*at != ';' || at[1] != '\0')
          fputc (*at == ';' ? ',' : *at, out->json);
      fputc (']', out->json);
    }
  if (out->ini != NULL)
    fprintf (out->ini, "ranks=%s\n", list);
  free (list);
  put_measured (out, "memory-bytes-per-s", rate);
  put_measured (out, "memory-alone-bytes-per-s", first->memory_alone_rate);
  put_measured (out, "memory-array-bytes", first->memory_array_bytes);
  put_reading (out, first);
  end_group (out, node + 1 == probe->world.n_nodes);
}

static void
put_pairs (Out             *out,
           const KymoProbe *probe)
{
  begin_list (out, "pairs");
  for (int i = 0; i < probe->n_pairs; i++)
    {
      const KymoProbePair *pair = &probe->pairs[i];
      char group[64];

      snprintf (group, sizeof group, "Probe Pair %d %d", pair->first, pair->second);
      begin_group (out, group, NULL);
      put_json_number (out, "first", pair->first);
      put_json_number (out, "second", pair->second);
      put_flag (out, "within-node", pair->within);
      put_number (out, "pingpong-latency-ns", pair->latency_ns);
      put_number (out, "pingpong-latency-median-ns", pair->median_ns);
      put_measured (out, "pingpong-bytes-per-s", pair->rate);
      put_number (out, "pingpong-message-bytes", pair->message_bytes);
      end_group (out, i + 1 == probe->n_pairs);
    }
  end_list (out, false);
}

static int
compare_numbers (const void *a,
                 const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return x < y ? -1 : x > y;
}

/* The median over the pairs within a node or between nodes; 0 = there are none. */
static uint64_t
median_of (const KymoProbe *probe,
           bool             within,
           bool             of_rate)
{
  uint64_t numbers[KYMO_PROBE_MOST_PAIRS];
  size_t n = 0;

  for (int i = 0; i < probe->n_pairs; i++)
    if (probe->pairs[i].within == within)
      numbers[n++] = of_rate ? probe->pairs[i].rate : probe->pairs[i].latency_ns;
  if (n == 0)
    return 0;
  qsort (numbers, n, sizeof *numbers, compare_numbers);
  return numbers[(n - 1) / 2];
}

static void
put_summaries (Out             *out,
               const KymoProbe *probe)
{
  const KymoProbeRank *reader = NULL;
  bool same = true, failed = false;

  begin_group (out, "Probe Pingpong", "pingpong");
  for (int within = 1; within >= 0; within--)
    {
      put_measured (out, within ? "within-latency-ns" : "between-latency-ns",
                    median_of (probe, within, false));
      put_measured (out, within ? "within-bytes-per-s" : "between-bytes-per-s",
                    median_of (probe, within, true));
    }
  end_group (out, probe->file == NULL);
  if (probe->file == NULL)
    return;
  for (int i = 0; i < probe->world.size; i++)
    {
      const KymoProbeRank *rank = &probe->ranks[i];

      failed |= rank->reads && rank->read_error != 0;
      if (!rank->reads || rank->read_error != 0)
        continue;
      reader = reader != NULL ? reader : rank;
      same &= !rank->read_changed && rank->read_checksum == reader->read_checksum
        && rank->read_size == reader->read_size && rank->read_seconds == reader->read_seconds
        && rank->read_nanoseconds == reader->read_nanoseconds;
    }
  begin_group (out, "Probe Read", "read");
  put_text (out, "path", probe->file);
  if (reader != NULL)
    put_flag (out, "consistent", same && !failed);
  end_group (out, true);
}

static void
put_all (Out             *out,
         const KymoProbe *probe)
{
  if (out->json != NULL)
    fputc ('{', out->json);
  put_head (out, probe);
  put_ranks (out, probe);
  begin_list (out, "nodes");
  for (int node = 0; node < probe->world.n_nodes; node++)
    put_node (out, probe, node);
  end_list (out, false);
  put_pairs (out, probe);
  put_summaries (out, probe);
  if (out->json != NULL)
    fputs ("}\n", out->json);
}

/* -- text ---------------------------------------------------------------------------- */

static void
print_reading (const KymoProbeRank *rank,
               int                  number)
{
  if (rank->read_error != 0)
    printf ("rank %d cannot read the file: %s\n", number, strerror (rank->read_error));
  else
    printf ("rank %d reads %.1f MB at %.1f MB/s%s\n", number, (double) rank->read_bytes / 1e6,
            (double) rate_of (rank->read_bytes, rank->read_ns) / 1e6,
            rank->read_cached_ppm > 100000 ? ", in part from memory" : "");
}

static void
print_all (const KymoProbe *probe)
{
  int n_ranks = probe->world.size, n_nodes = probe->world.n_nodes;

  fputs (strcmp (probe->world.mpi, "none") == 0 ? "without MPI" : probe->world.mpi, stdout);
  printf (", %d %s on %d %s, measured for %.1f s\n", n_ranks, n_ranks == 1 ? "rank" : "ranks",
          n_nodes, n_nodes == 1 ? "node" : "nodes", (double) probe->elapsed_ns / 1e9);
  for (int i = 0; i < probe->world.size; i++)
    {
      const KymoProbeRank *rank = &probe->ranks[i];

      printf ("rank %d on %s, processors %s: noise %.2f %%, longest gap %.3f ms, "
              "memory %.2f GB/s\n", i,
              clean_text (rank->host), rank->processors, (double) rank->noise_ppm / 1e4,
              (double) rank->gap_ns / 1e6, (double) rank->memory_rate / 1e9);
    }
  for (int i = 0; i < probe->n_pairs; i++)
    {
      const KymoProbePair *pair = &probe->pairs[i];

      printf ("ranks %d and %d, %s: latency %.2f us (median %.2f us), %.2f GB/s\n", pair->first,
              pair->second, pair->within ? "one node" : "two nodes",
              (double) pair->latency_ns / 1e3, (double) pair->median_ns / 1e3,
              (double) pair->rate / 1e9);
    }
  for (int i = 0; i < probe->world.size; i++)
    if (probe->ranks[i].reads)
      print_reading (&probe->ranks[i], i);
}

/* -- files --------------------------------------------------------------------------- */

/* The file appears whole or not at all. */
static bool
write_file (const KymoProbe *probe,
            const char      *folder)
{
  char *path = NULL, *part = NULL;
  Out out = { 0 };
  bool good = false;

  if (asprintf (&path, "%s/probe.ini", folder) < 0 || asprintf (&part, "%s.part", path) < 0)
    kymo_probe_die ("there is no memory");
  if (mkdir (folder, 0700) == 0 || errno == EEXIST)
    out.ini = fopen (part, "we");
  if (out.ini != NULL)
    {
      put_all (&out, probe);
      good = !ferror (out.ini);
      good = fclose (out.ini) == 0 && good;
      good = good && rename (part, path) == 0;
    }
  if (!good)
    fprintf (stderr, "kymo-record: %s cannot be written (%s)\n", path, strerror (errno));
  free (part);
  free (path);
  return good;
}

/**
 * kymo_probe_write: tells on stdout what was found.
 * @folder: where probe.ini goes; "" = nowhere
 * @format: "text", "json" for one object, or "ini" for the lines of probe.ini
 *
 * Returns: FALSE if a file cannot be written; a line on stderr says so
 */
bool
kymo_probe_write (const KymoProbe *probe,
                  const char      *folder,
                  const char      *format)
{
  bool as_json = strcmp (format, "json") == 0, as_ini = strcmp (format, "ini") == 0;
  Out out = { .json = as_json ? stdout : NULL, .ini = as_ini ? stdout : NULL };
  bool good = *folder == '\0' || write_file (probe, folder);

  if (as_json || as_ini)
    put_all (&out, probe);
  else
    print_all (probe);
  return fflush (stdout) == 0 && good;
}
