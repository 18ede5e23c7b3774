/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where lines of messages begin and end over a timeline: at the rows of their ends, also
 * where rows are folded into groups or hold several locations each, and at the times of
 * their ends. Collective calls are fans; so many of them that they are in bands.
 */
#include "config.h"

#include <math.h>

#include "kymo-timeline-messages.h"
#include "meeting.h"

#define N MEETING_N

static KymoTable *
ask (KymoSource   *source,
     KymoQuestion *question)
{
  g_autoptr (GError) error = NULL;
  KymoTable *answer = kymo_source_ask (source, question, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

static KymoRowGroups *
fold (KymoSource *source,
      const char *words)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("row-groups");
  g_autoptr (KymoTable) answer = ask (source, question);
  g_autoptr (KymoRowGroups) all = kymo_row_groups_new (answer);
  g_autoptr (GError) error = NULL;
  KymoRowGroups *folded = kymo_row_groups_fold_text (all, words, &error);

  g_assert_no_error (error);
  return folded;
}

/* The row of the answer that holds a location; of several the last one. */
static guint
row_of (const KymoTimeline *timeline,
        gint64              location)
{
  const guint *offsets = NULL;
  KymoTable *list = kymo_table_peek_nested (timeline->rows, "locations", &offsets);
  guint found = G_MAXUINT;

  for (guint row = 0; row < timeline->n_rows; row++)
    for (guint i = offsets[row]; i < offsets[row + 1]; i++)
      if (kymo_table_get_int (list, kymo_table_get_column_name (list, 0), i) == location)
        found = row;
  g_assert_cmpuint (found, <, timeline->n_rows);
  return found;
}

static void
check_end (const KymoTimeline *timeline,
           double              y,
           gint64              first,
           gint64              last)
{
  double middle = timeline->bar_px / 2, half = timeline->row_px / 2;
  double top = kymo_timeline_row_y (timeline, row_of (timeline, first)) + middle - half;
  double bottom = kymo_timeline_row_y (timeline, row_of (timeline, last)) + middle + half;

  g_assert_cmpfloat (y, >=, top);
  g_assert_cmpfloat (y, <=, bottom);
}

/* The fan of location 1 in rows that are folded, in at most so many, with so many bands. */
static void
check_fan (KymoSource *source,
           const char *folded,
           guint       n_rows,
           guint       n_bands)
{
  g_autoptr (KymoRowGroups) groups = folded != NULL ? fold (source, folded) : NULL;
  KymoPlotFrame frame = { .width_px = 1000, .height_px = 600, .scale = 1, .n_locations = N,
                          .span = { 0, 1000 }, .groups = groups };
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoQuestion) lines_question
    = kymo_timeline_messages_question (&frame, frame.span, "block", 1, 300);
  g_autoptr (KymoTable) answer = NULL, messages = NULL;
  g_autoptr (GArray) lines = NULL;
  KymoTimeline timeline;
  KymoTable *fan;
  gint64 count = 0;

  kymo_question_set_span (question, frame.span);
  kymo_question_set_groups (question, groups);
  kymo_question_set_resolution (question, 500, n_rows);
  kymo_question_set_resolution (lines_question, 0, n_bands);
  answer = ask (source, question);
  messages = ask (source, lines_question);
  fan = kymo_table_peek_nested (messages, "fan", NULL);
  g_assert_true (kymo_timeline_init (&timeline, answer, &frame));
  lines = kymo_timeline_message_lines (&timeline, messages, FALSE);
  g_assert_cmpuint (lines->len, ==, kymo_table_get_n_rows (fan));
  for (guint i = 0; i < lines->len; i++)
    {
      const KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);
      gint64 to = kymo_table_get_int (fan, "to", line->row);
      g_autofree char *words = kymo_message_line_words (messages, line);

      g_assert_cmpint (line->of, ==, KYMO_LINES_OF_FAN);
      g_assert_cmpint (kymo_table_get_int (fan, "from", line->row), ==, 5);
      g_assert_cmpfloat_with_epsilon (line->x0, kymo_plot_time_to_x (&frame, 500), 1e-6);
      g_assert_cmpfloat_with_epsilon (
        line->x1, kymo_plot_time_to_x (&frame, kymo_table_get_int (fan, "begin_ns", line->row)),
        1e-6);
      check_end (&timeline, line->y0, 5, 5);
      check_end (&timeline, line->y1, to, kymo_table_get_int (fan, "to_last", line->row));
      count += kymo_table_get_int (fan, "count", line->row);
      g_assert_nonnull (strstr (words, "MPI_Barrier()"));
    }
  g_assert_cmpint (count, ==, N - 1);
  kymo_timeline_clear (&timeline);
}

static void
test_fan (void)
{
  static const struct { const char *folded; guint rows, bands; } cases[] = {
    { NULL, N, 64 }, { "none", N, 64 }, { "process", N, 64 }, { "1", N, 64 }, { "2-3", N, 64 },
    { NULL, 3, 64 }, { NULL, 3, 3 }, { NULL, 5, 2 }, { "process", N, 4 }, { "0,3", N, 3 },
  };
  g_autoptr (KymoSource) source = meeting_source_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_fan (source, cases[i].folded, cases[i].rows, cases[i].bands);
}

/* At main there is no call that others are in. */
static void
test_none (void)
{
  g_autoptr (KymoSource) source = meeting_source_new ();
  g_autoptr (KymoQuestion) question = kymo_question_new ("messages");
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set_int (question, "location", 1);
  kymo_question_set_int (question, "time", 50);
  answer = ask (source, question);
  g_assert_null (kymo_table_peek_nested (answer, "fan", NULL));
}

/* (transfer full): the picture of an arrow of many messages, and of `n_beyond` that are out
   of sight */
static cairo_surface_t *
paint_arrows (KymoTimeline    *timeline,
              const KymoTable *messages,
              guint            n_beyond)
{
  KymoRect area = timeline->area;
  double right = area.x + area.width, below = area.y + area.height;
  KymoMessageLine line = { KYMO_LINES_OF_GROUPS, KYMO_LINE_MATCHED, 0, area.x + 50, area.y + 20,
                           area.x + 300, area.y + 200, 1, FALSE };
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (KymoMessageLine));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1000, 600);
  cairo_t *cr = cairo_create (surface);

  g_array_append_val (lines, line);
  line.x0 = right + 100;
  line.x1 = right + 1e6;
  for (guint i = 0; i < n_beyond; i++)
    {
      g_array_append_val (lines, line);
      line.x0 = line.x1 = area.x + 10;
      line.y0 = below + 100;
      line.y1 = below + 1e6;
    }
  kymo_timeline_paint_messages (cr, timeline, messages, lines);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Arrows are thinner where they are many, but not for those that nobody sees. */
static void
test_beyond (void)
{
  g_autoptr (KymoSource) source = meeting_source_new ();
  KymoPlotFrame frame = { .width_px = 1000, .height_px = 600, .scale = 1, .n_locations = N,
                          .span = { 0, 1000 } };
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoQuestion) all = kymo_question_new ("messages");
  g_autoptr (KymoTable) answer = NULL, messages = NULL;
  cairo_surface_t *alone, *beside;
  KymoTimeline timeline;
  gsize size;

  kymo_question_set_span (question, frame.span);
  kymo_question_set_resolution (question, 500, N);
  kymo_question_set (all, "limit", "0");
  kymo_question_set (all, "crossing", "1");
  answer = ask (source, question);
  messages = ask (source, all);
  g_assert_true (kymo_timeline_init (&timeline, answer, &frame));
  alone = paint_arrows (&timeline, messages, 0);
  beside = paint_arrows (&timeline, messages, 8);
  size = (gsize) cairo_image_surface_get_stride (alone) * 600;
  g_assert_cmpmem (cairo_image_surface_get_data (alone), size,
                   cairo_image_surface_get_data (beside), size);
  cairo_surface_destroy (alone);
  cairo_surface_destroy (beside);
  kymo_timeline_clear (&timeline);
}

/* -- halves ------------------------------------------------------------------ */

/* A message from one location to another, which are ranks, too; of one half the other end is not
   known. */
static void
add_message (KymoTable  *table,
             gint64      from,
             gint64      to,
             const char *half)
{
  static const char *const keys[] = { "from", "to", "from_location", "to_location", "from_place",
                                      "to_place", "sent_ns", "begin_ns", "latency_ns", "bytes" };
  gboolean sent = g_str_equal (half, "send"), whole = *half == '\0';
  gint64 none = KYMO_NULL_INT, there = sent || whole ? from : none;
  gint64 here = !sent || whole ? to : none;
  gint64 values[] = { from, to, there, here, there, here, there != none ? 200 : none,
                      here != none ? 400 : none, whole ? 200 : none, 8 };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gint column = kymo_table_find_column (table, keys[i]);

      kymo_table_append_int (table, column >= 0 ? (guint) column
                             : kymo_table_add_column (table, keys[i], KYMO_COLUMN_INT, 1),
                             values[i]);
    }
  kymo_table_append_string (table, kymo_table_find_column (table, "kind"),
                            whole ? "matched" : sent ? "open" : "unmatched");
  kymo_table_append_string (table, kymo_table_find_column (table, "half"), whole ? NULL : half);
  kymo_table_append_string (table, kymo_table_find_column (table, "name"), "MPI_Send()");
}

static KymoTable *
make_halves (void)
{
  static const char *const texts[] = { "kind", "half", "name" };
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    kymo_table_add_column (table, texts[i], KYMO_COLUMN_STRING, 1);
  add_message (table, 2, 5, "send");
  add_message (table, 5, 2, "send");
  add_message (table, 2, 5, "receive");
  add_message (table, 5, 2, "receive");
  add_message (table, 2, 5, "");
  kymo_table_set_table (answer, "messages", table);
  return answer;
}

/* The line of a half leaves its row towards the other rank, and its words tell what is missing. */
static void
test_halves (void)
{
  g_autoptr (KymoSource) source = meeting_source_new ();
  KymoPlotFrame frame = { .width_px = 1000, .height_px = 600, .scale = 1, .n_locations = N,
                          .span = { 0, 1000 } };
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoTable) answer = NULL, messages = make_halves ();
  g_autoptr (GArray) lines = NULL;
  KymoTimeline timeline;

  kymo_question_set_span (question, frame.span);
  kymo_question_set_resolution (question, 500, N);
  answer = ask (source, question);
  g_assert_true (kymo_timeline_init (&timeline, answer, &frame));
  lines = kymo_timeline_message_lines (&timeline, messages, FALSE);
  g_assert_cmpuint (lines->len, ==, 5);
  for (guint i = 0; i < lines->len; i++)
    {
      const KymoMessageLine *line = &g_array_index (lines, KymoMessageLine, i);
      gboolean down = line->row % 2 == 0, is_send = line->row < 2;
      g_autofree char *words = kymo_message_line_words (messages, line);
      double known = is_send ? line->y0 : line->y1, open = is_send ? line->y1 : line->y0;

      g_assert_cmpfloat (line->x0, <, line->x1);
      g_assert_true (down ? line->y0 < line->y1 : line->y0 > line->y1);
      if (line->row == 4)
        {
          g_assert_cmpint (line->kind, ==, KYMO_LINE_MATCHED);
          g_assert_null (strstr (words, "not recorded"));
          continue;
        }
      g_assert_cmpint (line->kind, ==, is_send ? KYMO_LINE_OPEN : KYMO_LINE_UNMATCHED);
      check_end (&timeline, known, down == is_send ? 2 : 5, down == is_send ? 2 : 5);
      g_assert_cmpfloat (fabs (open - known), >, timeline.bar_px / 2);
      g_assert_nonnull (strstr (words, is_send ? "its receiving was not recorded"
                                : "its sending was not recorded"));
    }
  kymo_timeline_clear (&timeline);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/message-lines/fan", test_fan);
  g_test_add_func ("/message-lines/none", test_none);
  g_test_add_func ("/message-lines/beyond", test_beyond);
  g_test_add_func ("/message-lines/halves", test_halves);
  return g_test_run ();
}
