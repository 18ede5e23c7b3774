/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-timeline-messages.h: which messages are asked for, and where their lines lie. Rows
 * of locations come from the timeline's answer, and where that does not hold them (out of
 * sight) from their places in the order of rows.
 */
#include "config.h"

#include "kymo-timeline-messages.h"

#include <math.h>

#include "kymo-command.h"

#define OPEN_END_PX 20
#define HALF_MOST_PX 40
/* Groups beyond this would be a hatch; the heaviest stand for them. */
#define MOST_GROUPS 200
#define STRETCHES 16
#define BANDS 32

static const char *const lists[] = { "messages", "messages", "caused", "groups",
                                     "fan" };

/* Messages from or to what is hidden are hidden, too: their bars are not there. */
static void
leave_hidden_out (const KymoPlotFrame *frame, KymoQuestion *question)
{
  g_autofree char *names = kymo_export_dup_hidden_text (frame->hidden);

  if (names != NULL)
    kymo_question_set (question, "hide", names);
}

/**
 * kymo_timeline_messages_question:
 * @span: that is asked for
 * @mode: "none", "back", "forward", "block" or "all"
 * @location: of the block, or -1
 *
 * Returns: (transfer full) (nullable): the question; %NULL where there is nothing to ask
 */
KymoQuestion *
kymo_timeline_messages_question (const KymoPlotFrame *frame, KymoSpan span,
                                 const char *mode, gint64 location,
                                 gint64 time_ns)
{
  KymoQuestion *question;
  gboolean all = g_strcmp0 (mode, "all") == 0;

  if (mode == NULL || g_strcmp0 (mode, "none") == 0 || (!all && location < 0))
    return NULL;
  question = kymo_question_new ("messages");
  kymo_question_set_int (question, "limit", KYMO_MOST_LINES);
  leave_hidden_out (frame, question);
  if (all)
    {
      kymo_question_set_span (question, span);
      kymo_question_set (question, "crossing", "1");
      kymo_question_set_resolution (question, STRETCHES, BANDS);
      kymo_question_set_int (question, "group", kymo_timeline_group (frame));
      return question;
    }
  kymo_question_set_int (question, "group", kymo_timeline_group (frame));
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_question_set (question, "direction",
                     g_strcmp0 (mode, "block") == 0 ? "both" : mode);
  return question;
}

/**
 * kymo_timeline_ask_messages:
 * @timeline: the question of the picture, whose locations and order hold, with the
 *   keywords "messages" (a mode), "location" and "at-ns" of a block, "least-bytes", "tag"
 * @messages: (out): (nullable): the answer
 *
 * Blocks; for files. Any thread.
 */
gboolean
kymo_timeline_ask_messages (KymoSource *source, const KymoPlotFrame *frame,
                            KymoQuestion *timeline, GCancellable *cancellable,
                            KymoTable **messages, GError **error)
{
  static const char *const filters[] = { "least-bytes", "tag" };
  const char *mode = kymo_question_get (timeline, "messages");
  g_autoptr (KymoQuestion) question = NULL;
  gint64 location, time_ns;

  *messages = NULL;
  if (mode == NULL || g_strcmp0 (kymo_question_get_kind (timeline), "timeline") != 0)
    return TRUE;
  if (!kymo_question_get_int (timeline, "location", -1, &location, error)
      || !kymo_question_get_int (timeline, "at-ns", 0, &time_ns, error))
    return FALSE;
  question = kymo_timeline_messages_question (frame, frame->span, mode, location, time_ns);
  if (question == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (kymo_question_get (timeline, filters[i]) != NULL)
      kymo_question_set (question, filters[i], kymo_question_get (timeline, filters[i]));
  kymo_question_set_locations (question, kymo_question_peek_locations (timeline));
  kymo_question_set_order (question, kymo_question_peek_order (timeline));
  *messages = kymo_source_ask (source, question, cancellable, error);
  return *messages != NULL;
}

/* -- where rows are ------------------------------------------------------- */

/** kymo_timeline_rows_by_location: location -> row + 1 */
GHashTable *
kymo_timeline_rows_by_location (const KymoTimeline *timeline)
{
  GHashTable *by_location = g_hash_table_new (g_int64_hash, g_int64_equal);
  const guint *offsets = NULL;
  KymoTable *list = kymo_table_peek_nested (timeline->rows, "locations", &offsets);
  const gint64 *ids = list == NULL || offsets == NULL ? NULL
    : kymo_table_peek_ints (list, kymo_table_get_column_name (list, 0), NULL);

  for (guint row = 0; ids != NULL && row < timeline->n_rows; row++)
    for (guint i = offsets[row]; i < offsets[row + 1]; i++)
      g_hash_table_insert (by_location, (gpointer) &ids[i], GUINT_TO_POINTER (row + 1));
  return by_location;
}

/**
 * kymo_timeline_location_y:
 * @rows: of kymo_timeline_rows_by_location()
 * @place: of the location among all, counted without groups; NAN where it has none
 *
 * Returns: the middle of its row, scrolled; NAN where it has none
 */
double
kymo_timeline_location_y (const KymoTimeline *timeline, GHashTable *rows,
                          gint64 location, double place)
{
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (rows, &location));

  if (row > 0)
    return kymo_timeline_row_y (timeline, row - 1) + timeline->bar_px / 2;
  return timeline->area.y + (place + 0.5) / timeline->group * timeline->row_px
         - timeline->frame->scroll_px;
}

/* -- lines ---------------------------------------------------------------- */

/** kymo_message_line_table: (transfer none) (nullable): */
KymoTable *
kymo_message_line_table (const KymoTable *messages, KymoLineOf of)
{
  return kymo_table_peek_nested (messages, lists[of], NULL);
}

static KymoLineKind
kind_of (const char *word)
{
  static const char *const words[] = { "matched", "uncertain", "unmatched", "open" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (word, words[i]) == 0)
      return i;
  return KYMO_LINE_MATCHED;
}

static double
place_at (const KymoTable *table, const char *key, guint row)
{
  gint column = kymo_table_find_column (table, key);
  gint64 place;

  if (column < 0)
    return NAN;
  if (kymo_table_get_column_type (table, column) == KYMO_COLUMN_DOUBLE)
    return kymo_table_get_double (table, key, row);
  place = kymo_table_get_int (table, key, row);
  return place == KYMO_NULL_INT ? NAN : place;
}

static double
x_at (const KymoTimeline *timeline, gint64 time_ns)
{
  return time_ns == KYMO_NULL_INT ? NAN
         : kymo_plot_time_to_x (timeline->frame, time_ns);
}

/* Beyond this many pixels beside the area a line is not seen, and neither are its ends. */
#define CLIP_PX 256

/* The point moves along the line to a place right of or left of it. */
static void
move_to_x (double *x, double *y, double other_x, double other_y, double to)
{
  *y += (other_y - *y) * (to - *x) / (other_x - *x);
  *x = to;
}

/**
 * kymo_timeline_clip_line:
 * @x0: (inout): and the others: the ends of a line that is in sight
 *
 * Cuts it a little beside the area: deep in a run its ends lie millions of pixels away,
 * where cairo counts each dash and its numbers end.
 */
void
kymo_timeline_clip_line (const KymoTimeline *timeline, double *x0, double *y0,
                         double *x1, double *y1)
{
  double left = timeline->area.x - CLIP_PX;
  double right = timeline->area.x + timeline->area.width + CLIP_PX;

  if (MAX (*x0, *x1) <= left || MIN (*x0, *x1) >= right)
    {
      *x0 = CLAMP (*x0, left, right);
      *x1 = CLAMP (*x1, left, right);
      return;
    }
  if (*x0 < left)
    move_to_x (x0, y0, *x1, *y1, left);
  else if (*x0 > right)
    move_to_x (x0, y0, *x1, *y1, right);
  if (*x1 < left)
    move_to_x (x1, y1, *x0, *y0, left);
  else if (*x1 > right)
    move_to_x (x1, y1, *x0, *y0, right);
}

/* Of a message between functions of which one half is recorded the line leaves the row, to where
   the other rank is. */
static gboolean
place_half (const KymoTimeline *timeline, const KymoTable *table, KymoMessageLine *line)
{
  gboolean is_send;
  gint64 from, to;
  double rise;

  if (line->of >= KYMO_LINES_OF_GROUPS || kymo_table_find_column (table, "half") < 0
      || kymo_table_get_string (table, "half", line->row) == NULL)
    return FALSE;
  is_send = line->kind == KYMO_LINE_OPEN;
  if (isnan (is_send ? line->x0 : line->x1) || isnan (is_send ? line->y0 : line->y1))
    return FALSE;
  from = kymo_table_get_int (table, "from", line->row);
  to = kymo_table_get_int (table, "to", line->row);
  rise = CLAMP (timeline->row_px * 0.55, OPEN_END_PX / 3.0, HALF_MOST_PX);
  if (to < from)
    rise = -rise;
  if (is_send)
    {
      line->x1 = line->x0 + OPEN_END_PX / 2.0;
      line->y1 = line->y0 + rise;
    }
  else
    {
      line->x0 = line->x1 - OPEN_END_PX / 2.0;
      line->y0 = line->y1 - rise;
    }
  return TRUE;
}

/* An end that is not known, or whose row is not shown, is one short line away. */
static gboolean
place_ends (KymoMessageLine *line)
{
  gboolean from = !isnan (line->x0) && !isnan (line->y0)
                  && line->kind != KYMO_LINE_UNMATCHED;
  gboolean to = !isnan (line->x1) && !isnan (line->y1)
                && line->kind != KYMO_LINE_OPEN;

  if (from && !to)
    {
      line->kind = KYMO_LINE_OPEN;
      line->x1 = line->x0 + OPEN_END_PX;
      line->y1 = line->y0 + OPEN_END_PX / 3.0;
    }
  else if (to && !from)
    {
      line->kind = KYMO_LINE_UNMATCHED;
      line->x0 = line->x1 - OPEN_END_PX;
      line->y0 = line->y1 - OPEN_END_PX / 3.0;
    }
  return from || to;
}

/* Whether its box and the area have something in common. */
static gboolean
is_in_sight (const KymoTimeline *timeline, const KymoMessageLine *line)
{
  KymoRect area = timeline->area;

  return MAX (line->x0, line->x1) >= area.x - KYMO_MESSAGE_HEAD_PX
         && MIN (line->x0, line->x1) <= area.x + area.width + KYMO_MESSAGE_HEAD_PX
         && MAX (line->y0, line->y1) >= area.y - KYMO_MESSAGE_MOST_PX
         && MIN (line->y0, line->y1) <= area.y + area.height + KYMO_MESSAGE_MOST_PX;
}

/* Where rows are not all of the same number of locations (they are folded, or share a
   picture) a place among these does not tell the row: then it is the middle of the band. */
static double
band_y (const KymoTimeline *timeline, GHashTable *rows, gint64 first, gint64 last, double place)
{
  double y = kymo_timeline_location_y (timeline, rows, KYMO_NULL_INT, place);
  double top = kymo_timeline_location_y (timeline, rows, first, NAN);
  double bottom = kymo_timeline_location_y (timeline, rows, last, NAN);

  if (isnan (top) || isnan (bottom) || isnan (place)
      || (y >= top - timeline->row_px / 2 && y <= bottom + timeline->row_px / 2))
    return y;
  return (top + bottom) / 2;
}

static double
end_y (const KymoTimeline *timeline, GHashTable *rows, const KymoTable *table,
       guint row, const char *end, gboolean group)
{
  g_autofree char *place_key = g_strconcat (end, "_place", NULL);
  g_autofree char *id_key = g_strconcat (end, "_location", NULL);
  double place = place_at (table, place_key, row);
  gint64 first, last;

  if (!group)
    return kymo_timeline_location_y (timeline, rows,
                                     kymo_table_get_int (table, id_key, row),
                                     place);
  g_free (id_key);
  id_key = g_strconcat (end, "_last", NULL);
  first = kymo_table_get_int (table, end, row);
  last = kymo_table_get_int (table, id_key, row);
  if (first == last && first != KYMO_NULL_INT)
    return kymo_timeline_location_y (timeline, rows, first, place);
  return band_y (timeline, rows, first, last, place);
}

static void
add_lines (const KymoTimeline *timeline, GHashTable *rows,
           const KymoTable *table, KymoLineOf of, const char *weight_key,
           GArray *lines)
{
  gboolean group = of >= KYMO_LINES_OF_GROUPS;

  for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
    {
      gint64 latency_ns = kymo_table_get_int (
        table, group ? "mean_latency_ns" : "latency_ns", i);
      KymoMessageLine line = {
        .of = of, .row = i,
        .kind = of == KYMO_LINES_OF_FAN ? KYMO_LINE_MATCHED
                : kind_of (kymo_table_get_string (table, "kind", i)),
        .x0 = x_at (timeline, kymo_table_get_int (table, "sent_ns", i)),
        .x1 = x_at (timeline, kymo_table_get_int (table, "begin_ns", i)),
        .y0 = end_y (timeline, rows, table, i, "from", group),
        .y1 = end_y (timeline, rows, table, i, "to", group),
        .weight = group ? kymo_table_get_int (table, weight_key, i) : 0,
        .early = latency_ns != KYMO_NULL_INT && latency_ns < 0,
      };

      if (!(place_half (timeline, table, &line) || place_ends (&line))
          || !is_in_sight (timeline, &line))
        continue;
      kymo_timeline_clip_line (timeline, &line.x0, &line.y0, &line.x1, &line.y1);
      g_array_append_val (lines, line);
    }
}

static int
compare_weights (gconstpointer a, gconstpointer b)
{
  const KymoMessageLine *x = a, *y = b;

  if (x->weight != y->weight)
    return x->weight < y->weight ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* The heaviest ones, the heaviest last so that it lies on top. */
static void
settle_groups (GArray *lines)
{
  double most = 0;

  for (guint i = 0; i < lines->len; i++)
    most = MAX (most, g_array_index (lines, KymoMessageLine, i).weight);
  for (guint i = 0; i < lines->len; i++)
    {
      KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);

      line->weight = most > 0 ? line->weight / most : 0;
    }
  g_array_sort (lines, compare_weights);
  if (lines->len > MOST_GROUPS)
    g_array_remove_range (lines, 0, lines->len - MOST_GROUPS);
}

/* Where each is of one location they are thin. */
static void
settle_fan (GArray *lines, guint begin)
{
  double most = 1;

  for (guint i = begin; i < lines->len; i++)
    most = MAX (most, g_array_index (lines, KymoMessageLine, i).weight);
  for (guint i = begin; i < lines->len; i++)
    {
      KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);

      line->weight = most > 1 ? line->weight / most : 0;
    }
}

/**
 * kymo_timeline_message_lines:
 * @messages: an answer of the kind messages
 * @by_bytes: groups are weighed by bytes, not by number
 *
 * Returns: (transfer full): #KymoMessageLine that have something in the area
 */
GArray *
kymo_timeline_message_lines (const KymoTimeline *timeline,
                             const KymoTable *messages, gboolean by_bytes)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (KymoMessageLine));
  g_autoptr (GHashTable) rows = kymo_timeline_rows_by_location (timeline);
  KymoTable *groups = kymo_table_peek_nested (messages, "groups", NULL);
  KymoTable *single = kymo_table_peek_nested (messages, "messages", NULL);
  KymoTable *caused = kymo_table_peek_nested (messages, "caused", NULL);
  KymoTable *fan = kymo_table_peek_nested (messages, "fan", NULL);

  if (fan != NULL)
    {
      add_lines (timeline, rows, fan, KYMO_LINES_OF_FAN, "count", lines);
      settle_fan (lines, 0);
    }
  if (groups != NULL)
    {
      add_lines (timeline, rows, groups, KYMO_LINES_OF_GROUPS,
                 by_bytes ? "bytes" : "count", lines);
      settle_groups (lines);
    }
  if (caused != NULL)
    add_lines (timeline, rows, caused, KYMO_LINES_FORWARD, NULL, lines);
  if (single != NULL)
    add_lines (timeline, rows, single,
               caused != NULL ? KYMO_LINES_BACK : KYMO_LINES_OF_ALL, NULL,
               lines);
  return lines;
}
