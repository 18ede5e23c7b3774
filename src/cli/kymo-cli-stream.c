/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a stream. Of a block each activity's time is added up over its
 * bins in integers; shares are of the block's time, not clamped.
 */
#include "config.h"

#include "kymo-cli-stream.h"

#include "kymo-safe-text.h"
#include "kymo-stream-values.h"

/* Ids have 16 bits and begin at KYMO_STREAM_BUSY_ID. */
#define N_IDS (1 << 15)
/* Number of names on a line of text. */
#define N_NAMES 5
#define SECOND_NS G_GINT64_CONSTANT (1000000000)

typedef struct
{
  gint64 id;
  gint64 ns;
} Share;

/**
 * KymoCliStream:
 * @span: of the program's time that is told
 * @sums: of the block at hand, by id - %KYMO_STREAM_BUSY_ID; else all 0
 * @shares: #Share, of the block at hand
 */
struct _KymoCliStream
{
  KymoCli  *cli;
  gboolean  json;
  gboolean  csv;
  gboolean  notes;              /* in JSON, too */
  gboolean  begun;
  KymoSpan  span;
  gint64   *sums;
  GArray   *shares;
};

/**
 * kymo_cli_stream_new:
 * @cli: the invocation, for its --format, --from and --to
 *
 * Returns: (transfer full): a printer of lines
 */
KymoCliStream *
kymo_cli_stream_new (KymoCli *cli)
{
  KymoCliStream *stream = g_new0 (KymoCliStream, 1);

  stream->cli = cli;
  stream->json = g_strcmp0 (kymo_cli_get (cli, "format"), "json") == 0;
  stream->csv = g_strcmp0 (kymo_cli_get (cli, "format"), "csv") == 0;
  stream->notes = kymo_cli_has (cli, "notes");
  stream->span = kymo_cli_get_span (cli);
  stream->sums = g_new0 (gint64, N_IDS + 1);
  stream->shares = g_array_new (FALSE, FALSE, sizeof (Share));
  return stream;
}

void
kymo_cli_stream_free (KymoCliStream *stream)
{
  if (stream == NULL)
    return;
  g_free (stream->sums);
  g_array_unref (stream->shares);
  g_free (stream);
}

static gint
compare_shares (gconstpointer a,
                gconstpointer b)
{
  const Share *x = a, *y = b;

  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

/* By share, the largest first, then by id. */
static void
add_up (KymoCliStream         *stream,
        const KymoStreamBlock *block)
{
  g_array_set_size (stream->shares, 0);
  for (guint i = 0; i < block->ids->len; i++)
    {
      gint64 id = g_array_index (block->ids, gint32, i);
      gint64 *sum = &stream->sums[CLAMP (id - KYMO_STREAM_BUSY_ID, 0, N_IDS)];

      if (*sum == 0)
        g_array_append_val (stream->shares, ((Share) { id, 0 }));
      *sum += g_array_index (block->ns, guint32, i);
    }
  for (guint i = 0; i < stream->shares->len; i++)
    {
      Share *share = &g_array_index (stream->shares, Share, i);
      gint64 *sum = &stream->sums[CLAMP (share->id - KYMO_STREAM_BUSY_ID, 0, N_IDS)];

      share->ns = *sum;
      *sum = 0;
    }
  g_array_sort (stream->shares, compare_shares);
}

static double
share_of (const KymoStreamBlock *block,
          gint64                 ns)
{
  return (double) ns / (block->n_bins * KYMO_STREAM_BIN_NS);
}

/* (nullable): ISO 8601, UTC */
static char *
format_arrival (const KymoStreamFrame *frame)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (frame->at_us / G_USEC_PER_SEC);
  g_autofree char *second = NULL;

  if (time == NULL || frame->at_us < 0)
    return NULL;
  second = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");
  return g_strdup_printf ("%s.%06dZ", second, (int) (frame->at_us % G_USEC_PER_SEC));
}

static void
append_table (KymoTable *table,
              GString   *out)
{
  kymo_table_write_json (table, out);
  if (out->len > 0 && out->str[out->len - 1] != '\n')
    g_string_append_c (out, '\n');
}

/* Adds the place in time and the arrival, which end every line of JSON. */
static void
set_place (KymoTable             *table,
           const KymoStreamFrame *frame)
{
  g_autofree char *arrived = format_arrival (frame);

  kymo_table_set_int (table, "begin_ns", frame->begin_ns >= 0 ? frame->begin_ns : KYMO_NULL_INT);
  kymo_table_set_string (table, "arrived", arrived);
}

static KymoTable *
make_activities (const KymoCliStream   *stream,
                 const KymoStreamBlock *block,
                 const KymoStreamNames *names)
{
  KymoTable *table = kymo_table_new_list ("id name:string share:double");

  for (guint i = 0; i < stream->shares->len; i++)
    {
      const Share *one = &g_array_index (stream->shares, Share, i);
      g_autofree char *text = kymo_stream_names_dup (names, one->id);

      kymo_table_append_row (table, one->id, text, share_of (block, one->ns));
    }
  return table;
}

static void
print_json (const KymoCliStream   *stream,
            const KymoStreamFrame *frame,
            const KymoStreamBlock *block,
            const KymoStreamNames *names,
            GString               *out)
{
  g_autoptr (KymoTable) table = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (table, "block", frame->begin_ns / SECOND_NS);
  kymo_table_set_int (table, "bins", block->n_bins);
  kymo_table_set_int (table, "pes", block->n_pes);
  kymo_table_set_int (table, "bytes", g_bytes_get_size (frame->bytes));
  kymo_table_set_double (table, "utilization", kymo_stream_names_utilization (names, block));
  kymo_table_set_table (table, "activities", make_activities (stream, block, names));
  set_place (table, frame);
  append_table (table, out);
}

static void
append_number (GString *out,
               double   value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_dtostr (text, sizeof text, value));
}

static void
begin_row (const KymoStreamFrame *frame,
           const KymoStreamBlock *block,
           const KymoStreamNames *names,
           GString               *out)
{
  g_string_append_printf (out, "%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%u,%u,%"
                          G_GSIZE_FORMAT ",", frame->begin_ns / SECOND_NS, frame->begin_ns,
                          block->n_bins, block->n_pes, g_bytes_get_size (frame->bytes));
  append_number (out, kymo_stream_names_utilization (names, block));
}

/* A row for each activity of a block; a block without activities has one row. */
static void
print_csv (const KymoCliStream   *stream,
           const KymoStreamFrame *frame,
           const KymoStreamBlock *block,
           const KymoStreamNames *names,
           GString               *out)
{
  for (guint i = 0; i < stream->shares->len; i++)
    {
      const Share *one = &g_array_index (stream->shares, Share, i);
      g_autofree char *name = kymo_stream_names_dup (names, one->id);

      begin_row (frame, block, names, out);
      g_string_append_printf (out, ",%" G_GINT64_FORMAT ",", one->id);
      kymo_safe_text_append_csv (out, name);
      g_string_append_c (out, ',');
      append_number (out, share_of (block, one->ns));
      g_string_append_c (out, '\n');
    }
  if (stream->shares->len > 0)
    return;
  begin_row (frame, block, names, out);
  g_string_append (out, ",,,\n");
}

static void
print_text (const KymoCliStream   *stream,
            const KymoStreamFrame *frame,
            const KymoStreamBlock *block,
            const KymoStreamNames *names,
            GString               *out)
{
  g_autofree char *busy = kymo_format_percent (kymo_stream_names_utilization (names, block));
  g_autofree char *size = kymo_format_bytes (g_bytes_get_size (frame->bytes));
  guint n = stream->shares->len;

  g_string_append_printf (out, "%6" G_GINT64_FORMAT "  %6s  %8s  ",
                          frame->begin_ns / SECOND_NS, busy, size);
  for (guint i = 0; i < MIN (n, N_NAMES); i++)
    {
      const Share *one = &g_array_index (stream->shares, Share, i);
      g_autofree char *name = kymo_stream_names_dup (names, one->id);
      g_autofree char *share = kymo_format_percent (share_of (block, one->ns));

      g_string_append (out, i > 0 ? ", " : "");
      kymo_safe_text_append (out, name, -1, "");
      g_string_append_printf (out, " %s", share);
    }
  if (n > N_NAMES)
    g_string_append_printf (out, ", and %u more", n - N_NAMES);
  g_string_append (out, n > 0 ? "\n" : "nothing ran\n");
}

/* Prints a line about something other than a block. */
static void
print_line (const KymoStreamFrame *frame,
            gboolean               json,
            const char            *key,
            const char            *text,
            GString               *out)
{
  if (json)
    {
      g_autoptr (KymoTable) table = kymo_table_new (KYMO_STYLE_OBJECT);

      kymo_table_set_string (table, key, text);
      set_place (table, frame);
      append_table (table, out);
    }
  else
    {
      g_string_append_printf (out, "%6" G_GINT64_FORMAT "  %s: ",
                              MAX (frame->begin_ns, 0) / SECOND_NS, key);
      kymo_safe_text_append (out, text, -1, "");
      g_string_append_c (out, '\n');
    }
}

/* JSON has such lines only with --notes, and CSV never: a script that reads them expects blocks. */
static void
print_note (const KymoCliStream   *stream,
            const KymoStreamFrame *frame,
            const char            *key,
            const char            *text,
            GString               *out)
{
  if (!stream->csv && (!stream->json || stream->notes))
    print_line (frame, stream->json, key, text, out);
}

static void
print_block (KymoCliStream         *stream,
             const KymoStreamFrame *frame,
             const KymoStreamBlock *block,
             const KymoStreamNames *names,
             GString               *out)
{
  add_up (stream, block);
  if (stream->json)
    print_json (stream, frame, block, names, out);
  else if (stream->csv)
    print_csv (stream, frame, block, names, out);
  else
    print_text (stream, frame, block, names, out);
}

/* "load 62.0 % (rank 3: 20.0 %, rank 0: 90.0 %)": the mean, and who has the least and the most. */
static void
append_value (const KymoStreamValue *value,
              GString               *out)
{
  g_autofree char *mean = kymo_stream_value_format (value, (double) value->sum / value->n);
  g_autofree char *least = kymo_stream_value_format (value, value->least);
  g_autofree char *most = kymo_stream_value_format (value, value->most);

  kymo_safe_text_append (out, value->name, -1, "");
  g_string_append_printf (out, " %s", mean);
  if (value->n > 1)
    g_string_append_printf (out, " (rank %" G_GINT64_FORMAT ": %s, rank %" G_GINT64_FORMAT ": %s)",
                            value->least_rank, least, value->most_rank, most);
}

static KymoTable *
make_extremes (const KymoStreamExtreme *extremes,
               guint                    n)
{
  KymoTable *list = kymo_table_new_list ("rank load:double");

  for (guint i = 0; i < n; i++)
    {
      kymo_table_append_row (list, extremes[i].rank, extremes[i].load / 1e6);
    }
  return list;
}

static void
print_values_json (const KymoStreamFrame  *frame,
                   const KymoStreamValues *values,
                   GString                *out)
{
  g_autoptr (KymoTable) table = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new_list ("name:string unit:string");
  static const char *const columns[] = { "n", "sum", "least", "least_rank", "most", "most_rank" };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    kymo_table_add_column (list, columns[i], KYMO_COLUMN_INT, 1);
  for (guint i = 0; i < values->n_values; i++)
    {
      const KymoStreamValue *value = &values->values[i];
      gint64 numbers[] = { value->n, value->sum, value->least, value->least_rank, value->most,
                           value->most_rank };

      kymo_table_append_row (list, value->name, value->unit);
      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        kymo_table_append_int (list, 2 + k, numbers[k]);
    }
  kymo_table_set_int (table, "second", values->second);
  kymo_table_set_int (table, "processes", values->n_processes);
  kymo_table_set_table (table, "values", list);
  kymo_table_set_table (table, "idlest", make_extremes (values->idlest, values->n_idlest));
  kymo_table_set_table (table, "busiest", make_extremes (values->busiest, values->n_busiest));
  set_place (table, frame);
  append_table (table, out);
}

/* Values of a second; CSV has blocks alone. */
static void
print_values (const KymoCliStream   *stream,
              const KymoStreamFrame *frame,
              GString               *out)
{
  g_autofree KymoStreamValues *values = g_new (KymoStreamValues, 1);
  gsize n_bytes;
  const char *text = g_bytes_get_data (frame->bytes, &n_bytes);

  if (stream->csv || !kymo_stream_values_parse (values, text, n_bytes))
    return;
  if (stream->json)
    {
      print_values_json (frame, values, out);
      return;
    }
  g_string_append_printf (out, "%6" G_GINT64_FORMAT "  ", values->second);
  for (guint i = 0; i < values->n_values; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      append_value (&values->values[i], out);
    }
  g_string_append_c (out, '\n');
}

static void
print_head (KymoCliStream *stream,
            GString       *out)
{
  if (stream->begun || stream->json)
    return;
  stream->begun = TRUE;
  if (stream->csv)
    g_string_append (out, "block,begin_ns,bins,pes,bytes,utilization,id,name,share\n");
  else
    g_string_append (out, " block    busy     bytes  busiest entry methods\n");
}

/**
 * kymo_cli_stream_is_asked:
 * @frame: its place in the program's time set by the decoder
 * @block: (nullable): where it has one
 *
 * Returns: whether any of it lies between --from and --to
 */
gboolean
kymo_cli_stream_is_asked (const KymoCliStream   *stream,
                          const KymoStreamFrame *frame,
                          const KymoStreamBlock *block)
{
  gint64 begin = CLAMP (frame->begin_ns, 0, KYMO_STREAM_MAX_NS);
  gint64 end = begin + (block != NULL ? block->n_bins * KYMO_STREAM_BIN_NS : 1);

  return begin < stream->span.end_ns && end > stream->span.begin_ns;
}

/**
 * kymo_cli_stream_print:
 * @frame: the next one, its place in the program's time set by the decoder
 * @result: what it was to the decoder
 * @block: (nullable): where it has one
 * @why: (nullable): the decoder's sentence, where it has none
 * @names: (nullable): of entry methods
 * @out: gets a line, or none: forms, names and replies that tell of nothing
 *   new have none
 */
void
kymo_cli_stream_print (KymoCliStream         *stream,
                       const KymoStreamFrame *frame,
                       KymoStreamResult       result,
                       const KymoStreamBlock *block,
                       const char            *why,
                       const KymoStreamNames *names,
                       GString               *out)
{
  const char *key = frame->kind == KYMO_FRAME_MARK ? "mark"
    : frame->kind == KYMO_FRAME_STATE ? "state"
    : frame->kind == KYMO_FRAME_END ? "end" : NULL;

  if (result == KYMO_STREAM_NOTHING && key == NULL && frame->kind != KYMO_FRAME_SCALARS)
    return;
  print_head (stream, out);
  if (frame->kind == KYMO_FRAME_SCALARS)
    {
      print_values (stream, frame, out);
      return;
    }
  if (result == KYMO_STREAM_BLOCK && block != NULL)
    print_block (stream, frame, block, names, out);
  else if (result == KYMO_STREAM_BAD)
    print_note (stream, frame, "lost", why != NULL ? why : "a block was lost", out);
  else if (key != NULL)
    {
      g_autofree char *text = kymo_stream_frame_dup_text (frame);

      print_note (stream, frame, key, text, out);
    }
}

/**
 * kymo_cli_stream_print_alarm:
 * @alarm: a mark of kymo_cli_watch_steal()
 * @out: gets a line, in JSON too, as alarms were asked for; CSV has blocks alone, so they go to
 *   standard error there
 */
void
kymo_cli_stream_print_alarm (KymoCliStream         *stream,
                             const KymoStreamFrame *alarm,
                             GString               *out)
{
  g_autofree char *sentence = kymo_stream_frame_dup_text (alarm);

  print_head (stream, out);
  if (stream->csv)
    kymo_cli_tell ("second %" G_GINT64_FORMAT ": %s", alarm->begin_ns / SECOND_NS, sentence);
  else
    print_line (alarm, stream->json, "alarm", sentence, out);
}
