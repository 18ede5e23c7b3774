/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table of records, separated by commas (RFC 4180), in UTF-8, with a line of names.
 * Of a trace a row is a block, a send, a receive or a user event, as it was recorded:
 * what overlaps the range is there whole. Of a profile a row is what one location had
 * of one function in one metric, or of one user event.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-private.h"
#include "kymo-details.h"

#include <math.h>

typedef struct
{
  KymoConvert    *convert;
  KymoConvertOut *out;
} Csv;

/* Kind of record and location, the first fields of every row. */
static void
begin_row (Csv        *csv,
           const char *kind,
           guint       location)
{
  const KymoLocation *l = kymo_run_peek_location (csv->convert->run, location);

  kymo_convert_out_printf (csv->out, "%s,%" G_GINT64_FORMAT ",", kind, l->id);
  kymo_convert_out_csv (csv->out, l->label);
  csv->convert->result->n_records++;
}

static void
put_text (Csv        *csv,
          const char *text)
{
  kymo_convert_out_put (csv->out, ",");
  kymo_convert_out_csv (csv->out, text);
}

static void
put_int (Csv    *csv,
         gint64  value)
{
  kymo_convert_out_printf (csv->out, ",%" G_GINT64_FORMAT, value);
}

static void
put_number (Csv    *csv,
            double  value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  kymo_convert_out_printf (csv->out, ",%s", !isnan (value)
                           ? g_ascii_formatd (text, sizeof text, "%.17g", value) : "");
}

static gboolean
overlaps_csv (const Csv *csv,
              gint64     begin,
              gint64     end)
{
  KymoSpan span = kymo_convert_counted (csv->convert);

  return (end > span.begin_ns || (end == span.begin_ns && begin == end)) && begin < span.end_ns;
}

static void
put_blocks (Csv         *csv,
            guint        location,
            KymoSegment *segment)
{
  g_autofree gint64 *exclusive = g_new0 (gint64, MAX (1, segment->n_blocks));

  kymo_segment_exclusive (segment, exclusive);
  for (guint i = 0; i < segment->n_blocks && kymo_convert_goes_on (csv->convert, i); i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (csv->convert->run,
                                                             segment->block_activity[i]);
      gint64 begin = kymo_segment_block_begin (segment, i);
      gint64 end = kymo_segment_block_end (segment, i);

      if (!overlaps_csv (csv, begin, end))
        continue;
      begin_row (csv, kymo_activity_kind_to_string (activity->kind), location);
      put_text (csv, activity->name);
      put_text (csv, activity->group);
      put_int (csv, begin);
      put_int (csv, end);
      put_int (csv, exclusive[i]);
      put_int (csv, segment->block_depth != NULL ? segment->block_depth[i] : 0);
      kymo_convert_out_put (csv->out, segment->exchange != NULL || segment->block_event[i] < 0
                            ? "," : "");
      if (segment->exchange == NULL && segment->block_event[i] >= 0)
        put_int (csv, segment->block_source[i]);
      kymo_convert_out_put (csv->out, ",");
      if (segment->exchange == NULL)
        put_int (csv, segment->block_bytes[i]);
      else
        kymo_convert_out_put (csv->out, ",");
      kymo_convert_out_put (csv->out, ",\n");
    }
}

/* A message: where it was recorded, whom it is to or from, how large it is. */
static void
put_message (Csv        *csv,
             const char *kind,
             guint       location,
             const char *name,
             gint64      time_ns,
             const gint32 *partner,
             const gint32 *tag,
             gint64      bytes)
{
  if (!overlaps_csv (csv, time_ns, time_ns))
    return;
  begin_row (csv, kind, location);
  put_text (csv, name);
  kymo_convert_out_put (csv->out, ",");
  put_int (csv, time_ns);
  put_int (csv, time_ns);
  kymo_convert_out_put (csv->out, ",,");
  kymo_convert_out_put (csv->out, partner != NULL ? "" : ",");
  if (partner != NULL)
    put_int (csv, *partner);
  kymo_convert_out_put (csv->out, tag != NULL ? "" : ",");
  if (tag != NULL)
    put_int (csv, *tag);
  put_int (csv, bytes);
  kymo_convert_out_put (csv->out, ",\n");
}

static void
put_messages (Csv               *csv,
              guint              location,
              const KymoSegment *segment)
{
  const KymoExchange *exchange = segment->exchange;
  const KymoRun *run = csv->convert->run;

  for (guint i = 0; i < segment->n_sends && kymo_convert_goes_on (csv->convert, i); i++)
    put_message (csv, "send", location,
                 segment->send_activity[i] < run->activities->len
                 ? kymo_run_peek_activity (run, segment->send_activity[i])->name : "",
                 kymo_segment_send_time (segment, i),
                 exchange != NULL ? &exchange->send_partner[i] : NULL,
                 exchange != NULL ? &exchange->send_tag[i] : NULL, segment->send_bytes[i]);
  for (guint i = 0; exchange != NULL && i < exchange->n_receives
       && kymo_convert_goes_on (csv->convert, i); i++)
    {
      guint32 block = exchange->receive_block[i];

      put_message (csv, "receive", location, block < segment->n_blocks
                   ? kymo_run_peek_activity (run, segment->block_activity[block])->name : "",
                   kymo_segment_receive_time (segment, i), &exchange->receive_partner[i],
                   &exchange->receive_tag[i], exchange->receive_bytes[i]);
    }
}

/* The text of a point for the column "name". */
static char *
dup_point_name (const KymoRun   *run,
                const KymoPoint *point)
{
  if (point->kind == KYMO_POINT_PARAMETER || point->kind == KYMO_POINT_IO)
    return kymo_describe_io_point (run, point);
  return g_strdup (point->activity != G_MAXUINT32
                   ? kymo_run_peek_activity (run, point->activity)->name
                   : point->text != NULL ? point->text : "");
}

/* TRUE if the point has a value to write. */
static gboolean
has_value (const KymoPoint *point)
{
  return point->kind == KYMO_POINT_USER_VALUE || point->kind == KYMO_POINT_USER_STAT
    || point->kind == KYMO_POINT_MEMORY;
}

static void
put_points (Csv               *csv,
            guint              location,
            const KymoSegment *segment)
{
  static const char *const kinds[KYMO_N_POINT_KINDS] = {
    "event", "bracket", "note", "bracket-note", "value", "statistic", "memory", "phase",
    "trace-on", "trace-off", "parameter", "io",
  };

  for (guint i = 0; i < segment->points->len && kymo_convert_goes_on (csv->convert, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      g_autofree char *name = NULL;

      if (!overlaps_csv (csv, point->begin_ns, point->end_ns))
        continue;
      name = dup_point_name (csv->convert->run, point);
      begin_row (csv, kinds[point->kind], location);
      put_text (csv, name);
      kymo_convert_out_put (csv->out, ",");
      put_int (csv, point->begin_ns);
      put_int (csv, point->end_ns);
      kymo_convert_out_put (csv->out, ",,,,,");
      put_number (csv, has_value (point) ? point->value : NAN);
      kymo_convert_out_put (csv->out, "\n");
    }
}

static gboolean
put_trace (Csv     *csv,
           GError **error)
{
  kymo_convert_out_put (csv->out, "kind,location,label,name,group,begin_ns,end_ns,exclusive_ns,"
                        "depth,partner,tag,bytes,value\n");
  for (guint i = 0; i < csv->convert->places->len; i++)
    {
      guint location = kymo_convert_place (csv->convert, i)->location;
      KymoSegment *segment = g_ptr_array_index (csv->convert->run->segments, location);

      if (!kymo_convert_use (csv->convert, location, error)
          || kymo_convert_is_stopped (csv->convert, error))
        return FALSE;
      put_blocks (csv, location, segment);
      put_messages (csv, location, segment);
      put_points (csv, location, segment);
      kymo_job_advance (csv->convert->job, 1);
    }
  if (kymo_convert_is_stopped (csv->convert, error))
    return FALSE;
  kymo_convert_leave_out (csv->convert,
                          N_("Idle time, overhead and time that was not traced: they are no "
                             "records"));
  return TRUE;
}

static void
put_rows (Csv                   *csv,
          const KymoProfileData *data,
          guint                  location)
{
  guint n_metrics = data->metrics->len;

  for (guint64 r = data->first[location]; r < data->first[location + 1]
       && kymo_convert_goes_on (csv->convert, r); r++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent,
                                                      data->event[r]);

      for (guint m = 0; m < n_metrics; m++)
        {
          const KymoProfileMetric *metric = &g_array_index (data->metrics, KymoProfileMetric, m);

          begin_row (csv, (event->flags & KYMO_PROFILE_PATH) != 0 ? "path" : "function", location);
          put_text (csv, event->name);
          put_text (csv, event->groups);
          put_text (csv, metric->name);
          put_text (csv, metric->unit);
          put_number (csv, data->calls[r]);
          put_number (csv, data->subroutines[r]);
          put_number (csv, data->values[(r * n_metrics + m) * 2]);
          put_number (csv, data->values[(r * n_metrics + m) * 2 + 1]);
          kymo_convert_out_put (csv->out, ",,,,,\n");
        }
    }
  for (guint64 r = data->user_first[location]; r < data->user_first[location + 1]; r++)
    {
      const KymoUserEventRow *row = &data->user_rows[r];

      begin_row (csv, "user-event", location);
      put_text (csv, g_ptr_array_index (data->user_names, row->event));
      kymo_convert_out_put (csv->out, ",,,,,,,");
      put_number (csv, row->n);
      put_number (csv, row->max);
      put_number (csv, row->min);
      put_number (csv, row->mean);
      put_number (csv, row->sum_squares);
      kymo_convert_out_put (csv->out, "\n");
    }
}

static gboolean
put_profile (Csv     *csv,
             GError **error)
{
  g_autoptr (KymoProfileData) data = kymo_convert_get_profile (csv->convert, error);

  if (data == NULL)
    return FALSE;
  kymo_convert_out_put (csv->out, "kind,location,label,name,groups,metric,unit,calls,subroutines,"
                        "exclusive,inclusive,count,max,min,mean,sum_squares\n");
  for (guint i = 0; i < csv->convert->places->len; i++)
    {
      if (kymo_convert_is_stopped (csv->convert, error))
        return FALSE;
      put_rows (csv, data, kymo_convert_place (csv->convert, i)->location);
      kymo_job_advance (csv->convert->job, 1);
    }
  if (kymo_convert_is_stopped (csv->convert, error))
    return FALSE;
  if (csv->convert->run->profiles->len > 1)
    kymo_convert_leave_out (csv->convert, N_("Steps but the last one: %u"),
                            csv->convert->run->profiles->len - 1);
  return TRUE;
}

/**
 * kymo_convert_csv:
 *
 * Writes one table.
 */
gboolean
kymo_convert_csv (KymoConvert  *convert,
                  GError      **error)
{
  g_autoptr (KymoConvertOut) out = kymo_convert_out_new (convert->wish->out, error);
  Csv csv = { convert, out };

  convert->out = out;
  if (out == NULL
      || !(convert->run->profiles != NULL ? put_profile : put_trace) (&csv, error))
    return FALSE;
  return kymo_convert_is_sound (convert, error)
    && kymo_convert_out_finish (out, &convert->result->n_bytes, error);
}
