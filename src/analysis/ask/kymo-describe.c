/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records in words.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-describe.h"
#include "kymo-units.h"
#include "kymo-ways.h"

/**
 * kymo_describe_object:
 * @block: index of a block of @segment
 *
 * Returns: (transfer full) (nullable): the array element of the block, "(1,2,3)"; %NULL if it
 *   has none
 */
char *
kymo_describe_object (const KymoSegment *segment,
                      guint              block)
{
  const KymoObject *object = &segment->objects[kymo_segment_block_object (segment, block)];
  GString *text;

  if (object->n_dimensions == 0)
    return NULL;
  text = g_string_new ("(");
  for (guint i = 0; i < object->n_dimensions; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? "," : "", object->index[i]);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/**
 * kymo_describe_location:
 * @id: number in the files, of the run or not
 *
 * Returns: (transfer full): "PE 3", "Comm 0", "rank 3"
 */
char *
kymo_describe_location (const KymoAsk *ask,
                        gint64         id)
{
  gint location = kymo_run_find_location (ask->run, id);

  return location >= 0 ? g_strdup (kymo_run_peek_location (ask->run, location)->label)
    : g_strdup_printf ("%s %" G_GINT64_FORMAT, kymo_terms_row (ask->run->terms, FALSE), id);
}

/**
 * kymo_describe_rank:
 * @rank: of the run or not
 *
 * Returns: (transfer full): "rank 3"
 */
char *
kymo_describe_rank (gint64 rank)
{
  return g_strdup_printf ("rank %" G_GINT64_FORMAT, rank);
}

/**
 * kymo_describe_block:
 * @block: index of a block of @segment
 *
 * Returns: (transfer full): "executes Cell::step (1,2) for 1.25 ms, …" or "calls MPI_Send()
 *   for 12 µs"
 */
char *
kymo_describe_block (const KymoAsk *ask,
                     KymoSegment   *segment,
                     guint          block)
{
  const KymoActivity *activity = kymo_run_peek_activity (ask->run, segment->block_activity[block]);
  g_autofree char *object = kymo_describe_object (segment, block);
  g_autofree char *length = kymo_format_duration (kymo_segment_block_end (segment, block)
                                                  - kymo_segment_block_begin (segment, block));
  g_autofree char *size = kymo_format_bytes (segment->block_bytes[block]);
  g_autofree char *from = kymo_describe_location (ask, segment->block_source[block]);
  g_autofree char *what = g_strjoin (" ", activity->name, object, NULL);
  gboolean first = kymo_segment_is_first (segment, block);
  gboolean function = activity->kind == KYMO_ACTIVITY_FUNCTION;

  if (segment->block_event[block] < 0)
    return g_strdup_printf (!first ? _("goes on with %s for %s")
                            : function ? _("calls %s for %s") : _("executes %s for %s"),
                            what, length);
  return g_strdup_printf (!first ? _("goes on with %s for %s, message %d of %s, %s")
                          : function ? _("calls %s for %s, message %d of %s, %s")
                          : _("executes %s for %s, message %d of %s, %s"),
                          what, length, segment->block_event[block], kymo_shown_label (from), size);
}

/* Within a sentence, which is translated as a whole. */
static const char *
shown_label (const KymoAsk *ask,
             guint          location)
{
  return kymo_shown_label (kymo_run_peek_location (ask->run, location)->label);
}

static void
append_destinations (const KymoSegment *segment,
                     guint              send,
                     GString           *text)
{
  for (guint i = 0; i < segment->multicasts->len; i++)
    {
      const KymoMulticast *cast = &g_array_index (segment->multicasts, KymoMulticast, i);

      for (guint k = 0; cast->send == send && k < cast->n_pes; k++)
        g_string_append_printf (text, "%s%d", k > 0 ? "," : ": ",
                                g_array_index (segment->multicast_pes, gint32, cast->first + k));
    }
}

/* A message of a function: "sends 1.0 kB to rank 5, tag 7, received 12 µs later" */
static char *
describe_exchanged_send (const KymoAsk     *ask,
                         const KymoSegment *segment,
                         guint              send)
{
  const KymoExchange *x = segment->exchange;
  g_autofree char *size = kymo_format_bytes (segment->send_bytes[send]);
  g_autofree char *latency = NULL;
  KymoDelivery delivery;

  kymo_delivery_of (ask, segment, send, &delivery);
  if (delivery.location < 0 && x->send_tag[send] < 0)
    return g_strdup_printf (_("transfers %s to rank %d, one-sided"), size, x->send_partner[send]);
  if (delivery.location < 0 && kymo_segment_send_is_cancelled (segment, send))
    return g_strdup_printf (_("sends %s to rank %d, tag %d; it was cancelled"), size,
                            x->send_partner[send], x->send_tag[send]);
  if (delivery.location < 0)
    return g_strdup_printf (_("sends %s to rank %d, tag %d; its receiving was not recorded"), size,
                            x->send_partner[send], x->send_tag[send]);
  latency = kymo_format_duration (delivery.time_ns - kymo_segment_send_time (segment, send));
  return g_strdup_printf (_("sends %s to %s, tag %d, received %s later"), size,
                          shown_label (ask, delivery.location),
                          x->send_tag[send], latency);
}

/**
 * kymo_describe_receive:
 * @receive: of the segment's exchange
 *
 * Returns: (transfer full): "receives 1.0 kB of rank 3, tag 7, sent 12 µs before"
 */
char *
kymo_describe_receive (const KymoAsk *ask,
                       KymoSegment   *segment,
                       guint          receive)
{
  g_autofree char *size = NULL, *latency = NULL;
  gint32 tag = segment->exchange->receive_tag[receive];
  KymoReceipt receipt;

  kymo_receipt_of (ask, segment, receive, &receipt);
  size = kymo_format_bytes (receipt.bytes);
  if (!kymo_sender_is_known (&receipt.sender) && tag < 0)
    return g_strdup_printf (_("transfers %s from rank %" G_GINT64_FORMAT ", one-sided"), size,
                            receipt.from);
  if (!kymo_sender_is_known (&receipt.sender))
    return g_strdup_printf (_("receives %s of rank %" G_GINT64_FORMAT
                              ", tag %d; its sending was not recorded"), size, receipt.from, tag);
  latency = kymo_format_duration (receipt.time_ns - receipt.sender.sent_ns);
  return g_strdup_printf (_("receives %s of %s, tag %d, sent %s before"), size,
                          shown_label (ask, receipt.sender.location),
                          tag, latency);
}

/**
 * kymo_describe_send:
 * @send: number of the sending in @segment
 *
 * Returns: (transfer full): in words what was sent, how large it is and to whom
 */
char *
kymo_describe_send (const KymoAsk *ask,
                    KymoSegment   *segment,
                    guint          send)
{
  KymoSendKind kind = kymo_segment_send_kind (segment, send);
  g_autofree char *size = kymo_format_bytes (segment->send_bytes[send]);
  const char *name;
  GString *text;

  if (segment->exchange != NULL)
    return describe_exchanged_send (ask, segment, send);
  name = kymo_run_peek_activity (ask->run, segment->send_activity[send])->name;
  text = g_string_new (NULL);
  if (kind == KYMO_SEND_ONE)
    g_string_append_printf (text, _("sends %s for %s, message %d"), size, name,
                            segment->send_event[send]);
  else
    g_string_append_printf (text, kind == KYMO_SEND_MULTICAST
                            ? _("multicasts %s for %s, message %d, to %u PEs")
                            : _("broadcasts %s for %s, message %d, to %u PEs"), size, name,
                            segment->send_event[send],
                            kymo_segment_send_destinations (segment, send));
  if (kind == KYMO_SEND_MULTICAST)
    append_destinations (segment, send, text);
  return g_string_free (text, FALSE);
}

static const char *
stat_name (const KymoRun *run,
           gint32         id)
{
  for (guint i = 0; i < run->stat_names->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->stat_names, KymoFact, i);

      if (g_ascii_strtoll (fact->key, NULL, 10) == id)
        return fact->value;
    }
  return "(unnamed)";
}

static const char *
event_name (const KymoRun   *run,
            const KymoPoint *point)
{
  return point->activity != G_MAXUINT32 ? kymo_run_peek_activity (run, point->activity)->name : "";
}

static char *
describe_parameter (const KymoRun   *run,
                    const KymoPoint *point)
{
  const char *name = event_name (run, point);

  switch ((KymoParameterType) point->op)
    {
    case KYMO_PARAMETER_TEXT:
      return g_strdup_printf ("parameter %s = “%s”", name, point->text);
    case KYMO_PARAMETER_UNSIGNED:
      return g_strdup_printf ("parameter %s = %" G_GUINT64_FORMAT, name, (guint64) point->number);
    default:
      return g_strdup_printf ("parameter %s = %" G_GINT64_FORMAT, name, point->number);
    }
}

/* "4.1 kB", or words for a size that is not known. */
static char *
dup_size (gint64 bytes)
{
  return bytes >= 0 ? kymo_format_bytes (bytes) : g_strdup (_("an unknown number of bytes"));
}

/* Reading, writing or flushing: what began, and how long it took. */
static char *
describe_transfer (const KymoPoint *point,
                   const char      *file)
{
  g_autofree char *size = dup_size (point->number);
  g_autofree char *length = kymo_format_duration (point->end_ns - point->begin_ns);
  gboolean took = point->end_ns > point->begin_ns;

  if (point->op == KYMO_IO_FLUSH)
    return took ? g_strdup_printf (_("flushes %s for %s"), file, length)
           : g_strdup_printf (_("flushes %s"), file);
  if (point->op == KYMO_IO_READ)
    return took ? g_strdup_printf (_("reads %s from %s for %s"), size, file, length)
           : g_strdup_printf (_("reads %s from %s"), size, file);
  return took ? g_strdup_printf (_("writes %s to %s for %s"), size, file, length)
         : g_strdup_printf (_("writes %s to %s"), size, file);
}

static char *
describe_complete (const KymoPoint *point,
                   const char      *file)
{
  g_autofree char *size = dup_size (point->number);

  switch (point->flag)
    {
    case KYMO_IO_READ:
      return g_strdup_printf (_("has read %s from %s"), size, file);
    case KYMO_IO_WRITE:
      return g_strdup_printf (_("has written %s to %s"), size, file);
    case KYMO_IO_FLUSH:
      return g_strdup_printf (_("has flushed %s"), file);
    default:
      return g_strdup_printf (_("has transferred %s, %s"), size, file);
    }
}

/**
 * kymo_describe_io_file:
 * @point: of I/O
 *
 * Returns: (transfer none): the name of the file, else of the handle, that it is about; "" where
 *   neither is known
 */
const char *
kymo_describe_io_file (const KymoRun   *run,
                       const KymoPoint *point)
{
  return point->op == KYMO_IO_DELETE ? kymo_io_file_name (run, point->id)
    : kymo_io_handle_name (run, point->id);
}

static char *
describe_io (const KymoRun   *run,
             const KymoPoint *point)
{
  static const char *const opens[] = {
    N_("opens %s for reading"), N_("opens %s for writing"),
    N_("opens %s for reading and writing"), N_("opens %s for execution"),
    N_("opens %s for searching")
  };
  static const char *const others[KYMO_N_IO_OPS] = {
    [KYMO_IO_CLOSE] = N_("closes %s"), [KYMO_IO_DUPLICATE] = N_("duplicates the handle of %s"),
    [KYMO_IO_SET_FLAGS] = N_("changes the status flags of %s"),
    [KYMO_IO_DELETE] = N_("deletes %s"),
    [KYMO_IO_ISSUED] = N_("has started an operation on %s"),
    [KYMO_IO_TEST] = N_("tests an operation that is not complete on %s"),
    [KYMO_IO_CANCEL] = N_("cancels an operation on %s"), [KYMO_IO_LOCK] = N_("locks %s"),
    [KYMO_IO_UNLOCK] = N_("unlocks %s"), [KYMO_IO_TRY_LOCK] = N_("tries to lock %s"),
  };
  const char *name = kymo_describe_io_file (run, point);
  g_autofree char *file = *name != '\0' ? g_strdup_printf ("“%s”", name)
    : g_strdup (_("an unknown file"));

  switch ((KymoIoOp) point->op)
    {
    case KYMO_IO_OPEN:
      return g_strdup_printf (point->flag < G_N_ELEMENTS (opens) ? _(opens[point->flag])
                              : _("opens %s for an unknown use"), file);
    case KYMO_IO_SEEK:
      return g_strdup_printf (_("moves to byte %" G_GINT64_FORMAT " of %s"), point->number, file);
    case KYMO_IO_READ:
    case KYMO_IO_WRITE:
    case KYMO_IO_FLUSH:
      return describe_transfer (point, file);
    case KYMO_IO_COMPLETE:
      return describe_complete (point, file);
    default:
      return g_strdup_printf (_(others[point->op]), file);
    }
}

/**
 * kymo_describe_io_point:
 * @point: a parameter, or of I/O
 *
 * Returns: (transfer full): "parameter size = 12", "writes 4.1 kB to “out.dat” for 12 µs"
 */
char *
kymo_describe_io_point (const KymoRun   *run,
                        const KymoPoint *point)
{
  return point->kind == KYMO_POINT_IO ? describe_io (run, point) : describe_parameter (run, point);
}

/**
 * kymo_describe_marker:
 *
 * Returns: (transfer full): "marker “Type error” of MUST, high severity, on rank 1: …"
 */
char *
kymo_describe_marker (const KymoRun    *run,
                      const KymoMarker *marker)
{
  const KymoMarkerKind *kind = &g_array_index (run->definitions->marker_kinds, KymoMarkerKind,
                                               marker->kind);
  g_autofree char *scope = kymo_marker_dup_scope (run, marker);
  const char *severity = kind->severity != KYMO_MARKER_NONE
                         ? kymo_marker_severity_to_string (kind->severity) : "no";

  if (*kind->group == '\0')
    return g_strdup_printf (_("marker “%s”, %s severity, on %s: %s"), kind->category, severity,
                            scope, marker->text);
  return g_strdup_printf (_("marker “%s” of %s, %s severity, on %s: %s"), kind->category,
                          kind->group, severity, scope, marker->text);
}

/**
 * kymo_marker_table_new:
 *
 * Returns: (transfer full): a list of markers without rows: begin_ns, end_ns, group, category,
 *   severity (a word), scope (what it is about, in words), text
 */
KymoTable *
kymo_marker_table_new (void)
{
  static const char *const texts[] = { "group", "category", "severity", "scope", "text" };
  KymoTable *table = kymo_table_new_list ("begin_ns end_ns");

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    kymo_table_add_column (table, texts[i], KYMO_COLUMN_STRING, 1);
  return table;
}

/**
 * kymo_marker_table_append:
 * @table: made by kymo_marker_table_new()
 */
void
kymo_marker_table_append (KymoTable        *table,
                          const KymoRun    *run,
                          const KymoMarker *marker)
{
  const KymoMarkerKind *kind = &g_array_index (run->definitions->marker_kinds, KymoMarkerKind,
                                               marker->kind);
  g_autofree char *scope = kymo_marker_dup_scope (run, marker);

  kymo_table_append_row (table, marker->begin_ns, marker->end_ns, kind->group, kind->category,
                         kymo_marker_severity_to_string (kind->severity), scope, marker->text);
}

/**
 * kymo_ask_location_of_marker:
 *
 * Says where a marker is told, so that each is told once.
 *
 * Returns: index in the run of the first asked location that the marker is about; -1 where
 *   there is none
 */
gint
kymo_ask_location_of_marker (const KymoAsk    *ask,
                             const KymoMarker *marker)
{
  gboolean one = marker->scope == KYMO_SCOPE_LOCATION;

  for (guint i = 0; i < ask->n_locations; i++)
    if (one ? (gint32) ask->locations[i] == marker->about
        : kymo_marker_is_about (ask->run, marker, ask->locations[i]))
      return (gint) ask->locations[i];
  return -1;
}

/**
 * kymo_describe_point:
 * @i: index of the point in the segment
 *
 * Returns: (transfer full): the point in words
 */
char *
kymo_describe_point (const KymoAsk *ask,
                     KymoSegment   *segment,
                     guint          i)
{
  const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
  g_autofree char *length = kymo_format_duration (point->end_ns - point->begin_ns);
  g_autofree char *bytes = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.15g", point->value);
  switch (point->kind)
    {
    case KYMO_POINT_USER_EVENT:
      return g_strdup_printf (_("user event %d: %s"), point->id, event_name (ask->run, point));
    case KYMO_POINT_BRACKET:
      return g_strdup_printf (_("user event %d for %s: %s"), point->id, length,
                              event_name (ask->run, point));
    case KYMO_POINT_NOTE:
      return g_strdup_printf (_("note: %s"), point->text);
    case KYMO_POINT_BRACKET_NOTE:
      return g_strdup_printf (_("note for %s: %s"), length, point->text);
    case KYMO_POINT_USER_VALUE:
      return g_strdup_printf (_("user value %s"), number);
    case KYMO_POINT_USER_STAT:
      return g_strdup_printf (_("user stat %d (%s) = %s"), point->id,
                              stat_name (ask->run, point->id), number);
    case KYMO_POINT_MEMORY:
      bytes = kymo_format_bytes ((gint64) CLAMP (point->value, 0, 9e18));
      return g_strdup_printf (_("memory in use: %s"), bytes);
    case KYMO_POINT_PHASE:
      return g_strdup_printf (_("phase %d ends"), point->id);
    case KYMO_POINT_PARAMETER:
    case KYMO_POINT_IO:
      return kymo_describe_io_point (ask->run, point);
    case KYMO_POINT_TRACE_ON:
      return g_strdup (_("tracing goes on"));
    default:
      return g_strdup (_("tracing goes off"));
    }
}
