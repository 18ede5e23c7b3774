/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys in every picture: what they go to is what is painted there, all of it can be
 * reached, and it is said in words, marked in the other views and chosen in the list.
 */
#include "config.h"

#include <string.h>

#include "kymo-canvas-items.h"
#include "kymo-canvas-private.h"
#include "kymo-chart-table.h"
#include "kymo-session-hover.h"
#include "run_desk.h"
#include "pictures.h"

/* More than these are looked at in steps. */
#define MOST_LOOKED 400
/* A press takes a time that goes with the boxes: in a stack of more than these so many bins are
   passed. Others of the same class are walked from end to end. */
#define MOST_WALKED 2500
#define LEAST_WALKED 100

static const KymoPlotBox *
box_at (const GArray *boxes, guint i)
{
  return &g_array_index (boxes, KymoPlotBox, i);
}

/* What is told of a box is what the pointer finds in its middle. */
static void
check_places (KymoCanvas *canvas, const GArray *boxes)
{
  KymoPlotFrame frame;
  KymoRect area;

  kymo_canvas_get_frame (canvas, &frame);
  area = kymo_plot_frame_area (canvas->klass, &frame);
  for (guint i = 0; i < boxes->len; i += 1 + boxes->len / MOST_LOOKED)
    {
      const KymoPlotBox *box = box_at (boxes, i);
      double x = box->rect.x + box->rect.width / 2, y = box->rect.y + box->rect.height / 2;
      KymoPlotHit hit = { .location = -1, .cluster = -1, .time_ns = G_MININT64 };

      /* What is scrolled out of sight is not painted. */
      if (frame.row_px > 0 && (y < area.y || y >= area.y + area.height))
        continue;
      g_assert_true (picture_hit (canvas->klass, canvas->answer, &frame, x, y, &hit));
      g_assert_nonnull (hit.text);
      if (box->told && box->name != NULL && hit.name != NULL)
        g_assert_cmpstr (hit.name, ==, box->name);
      if (box->of_location)
        g_assert_cmpint (hit.location, ==, box->location);
      if (kymo_span_length (box->span) > 0)
        {
          g_assert_cmpint (hit.time_ns, >=, box->span.begin_ns);
          g_assert_cmpint (hit.time_ns, <, box->span.end_ns);
        }
      kymo_plot_hit_clear (&hit);
    }
}

/* No two are the same one. */
static void
check_numbers (const GArray *boxes)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                       NULL);

  for (guint i = 0; i < boxes->len; i++)
    {
      gint64 number = ((gint64) box_at (boxes, i)->row << 32) | box_at (boxes, i)->part;

      g_assert_true (g_hash_table_add (seen, g_memdup2 (&number, sizeof number)));
    }
}

/* The key, as often as it leads anywhere and at most @most times; how often that was. */
static guint
press_on (KymoCanvas *canvas, guint key, guint most)
{
  guint n = 0;

  while (n < most)
    {
      gint64 row = canvas->box;
      guint part = canvas->box_part;

      g_assert_true (desk_press (canvas, key, 0));
      if (canvas->box == row && canvas->box_part == part)
        return n;
      n++;
    }
  return n;
}

/* Pictures in which all keys were pressed: it takes long. */
static GHashTable *walked;

static guint
count_rows (const GArray *boxes)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < boxes->len; i++)
    g_hash_table_add (rows, GUINT_TO_POINTER (box_at (boxes, i)->row));
  return g_hash_table_size (rows);
}

static guint
count_parts (const GArray *boxes, guint row)
{
  guint n = 0;

  for (guint i = 0; i < boxes->len; i++)
    n += box_at (boxes, i)->row == row;
  return n;
}

/* Along a stack every bin is passed, of a long one its first, and in a bin every part. */
static void
check_stack (KymoCanvas *canvas, const GArray *boxes)
{
  guint bins = count_rows (boxes), parts;
  gboolean is_long = boxes->len > MOST_WALKED && bins > LEAST_WALKED;
  guint most = is_long ? LEAST_WALKED : bins + 1;

  g_assert_true (desk_press (canvas, GDK_KEY_Home, 0));
  g_assert_cmpuint (press_on (canvas, GDK_KEY_Right, most), ==, MIN (most, bins - 1));
  g_assert_cmpuint (press_on (canvas, GDK_KEY_Left, most), ==, MIN (most, bins - 1));
  parts = count_parts (boxes, canvas->box);
  press_on (canvas, GDK_KEY_Down, parts + 1);
  g_assert_cmpuint (press_on (canvas, GDK_KEY_Up, parts + 1), ==, parts - 1);
}

/* What one has gone to is said, and told to all that listen. */
static void
check_said (Desk *desk, KymoCanvas *canvas)
{
  g_assert_nonnull (canvas->hit.text);
  g_assert_nonnull (canvas->description);
  g_assert_null (strchr (canvas->description, '\n'));
  if (canvas->hit.name != NULL)
    g_assert_cmpstr (kymo_session_peek_hovered (desk->session), ==, canvas->hit.name);
  if (canvas->hit.location >= 0)
    g_assert_cmpint (kymo_session_get_hovered_location (desk->session), ==,
                     canvas->hit.location);
}

static void
check_keys (Desk *desk, KymoCanvas *canvas, const GArray *boxes)
{
  g_autofree char *first = NULL;

  g_assert_true (desk_press (canvas, GDK_KEY_End, 0));
  check_said (desk, canvas);
  g_assert_true (desk_press (canvas, GDK_KEY_Home, 0));
  check_said (desk, canvas);
  first = g_strdup (canvas->description);
  g_assert_true (desk_press (canvas, GDK_KEY_Page_Down, 0));
  check_said (desk, canvas);
  g_assert_true (desk_press (canvas, GDK_KEY_Page_Up, 0));
  if (box_at (boxes, 0)->stacked && g_hash_table_add (walked, (gpointer) canvas->klass))
    check_stack (canvas, boxes);
  kymo_canvas_forget_box (canvas);
  g_assert_cmpstr (canvas->description, !=, first);
}

/* Names of states begin a sentence in a picture, and stand within one in a line. */
static gboolean
says (const char *line, const char *name)
{
  g_autofree char *low = g_ascii_strdown (line, -1), *part = g_ascii_strdown (name, -1);

  return strstr (low, part) != NULL;
}

static gboolean
is_said (char **lines, const char *name)
{
  for (guint i = 0; lines[i] != NULL; i++)
    if (says (lines[i], name))
      return TRUE;
  return FALSE;
}

/* The list follows an answer some moments later, and the picture, which is lower beside the
   list, may ask once more: until both have what they want. */
static void
come_to_rest (Desk *desk, KymoCanvas *canvas, KymoChartTable *table)
{
  const KymoTable *answer;

  do
    {
      desk_settle (desk);
      answer = canvas->answer;
      WAIT_FOR (kymo_chart_table_is_settled (table));
      desk_turn ();
    }
  while (answer != canvas->answer || !kymo_canvas_is_settled (canvas)
         || !kymo_chart_table_is_settled (table));
}

/* The line that is chosen behind the picture is of what keys have gone to; what stands for
   the rest of a list is none. */
static void
check_list (Desk *desk, KymoCanvas *canvas)
{
  KymoChartTable *table = KYMO_CHART_TABLE (desk->view->table);
  GtkSelectionModel *model = gtk_list_view_get_model (GTK_LIST_VIEW (
    desk_find (desk->view->table, GTK_TYPE_LIST_VIEW, NULL)));
  g_autoptr (GArray) boxes = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  kymo_chart_table_set_canvas (table, canvas);
  kymo_chart_table_set_shown (table, TRUE);
  WAIT_FOR (g_list_model_get_n_items (G_LIST_MODEL (model)) > 0);
  come_to_rest (desk, canvas, table);
  /* The picture is lower now. */
  boxes = kymo_canvas_dup_boxes (canvas);
  text = kymo_chart_table_dup_lines (table);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; i < boxes->len; i += 1 + boxes->len / 7)
    {
      const char *name;
      guint chosen = 0;

      kymo_canvas_choose_box (canvas, box_at (boxes, i));
      name = canvas->hit.name;
      while (lines[chosen] != NULL && !gtk_selection_model_is_selected (model, chosen))
        chosen++;
      n += lines[chosen] != NULL;
      if (name == NULL || !is_said (lines, name))
        continue;
      g_assert_nonnull (lines[chosen]);
      g_assert_true (says (lines[chosen], name));
    }
  kymo_chart_table_set_shown (table, FALSE);
  kymo_canvas_forget_box (canvas);
  g_assert_cmpuint (n, >, 0);
}

/* (transfer full): the boxes that keys go through one by one, or %NULL */
static GArray *
dup_walkable (KymoCanvas *canvas)
{
  g_autoptr (GArray) boxes = NULL;

  /* Arrows lead somewhere in every picture; a timeline asks for its blocks. */
  g_assert_true (canvas->klass->boxes != NULL || canvas->klass->places != NULL
                 || g_str_equal (canvas->klass->id, "timeline"));
  if (canvas->klass->boxes == NULL)
    return NULL;
  boxes = kymo_canvas_dup_boxes (canvas);
  g_test_message ("%s: %u boxes", canvas->klass->id, boxes->len);
  return boxes->len > 0 ? g_steal_pointer (&boxes) : NULL;
}

static gboolean
check_picture (Desk *desk, KymoCanvas *canvas)
{
  g_autoptr (GArray) boxes = dup_walkable (canvas);

  if (boxes == NULL)
    return FALSE;
  check_numbers (boxes);
  check_places (canvas, boxes);
  check_keys (desk, canvas, boxes);
  return TRUE;
}

static gboolean
check_behind (Desk *desk, KymoCanvas *canvas)
{
  g_autoptr (GArray) boxes = dup_walkable (canvas);

  if (boxes != NULL)
    check_list (desk, canvas);
  return boxes != NULL;
}

static gboolean
check_both (Desk *desk, KymoCanvas *canvas)
{
  return check_picture (desk, canvas) && check_behind (desk, canvas);
}

static void
test_each (Desk *desk, DeskLook look)
{
  g_autoptr (GHashTable) plots = desk_each_picture (desk, look);

  g_assert_cmpuint (g_hash_table_size (plots), >=, 3);
}

static void
test_keys (Desk *desk, gconstpointer path)
{
  test_each (desk, check_picture);
}

/* Of the run with the most pictures this alone takes long. */
static void
test_lists (Desk *desk, gconstpointer path)
{
  test_each (desk, check_behind);
}

static void
test_pictures (Desk *desk, gconstpointer path)
{
  test_each (desk, check_both);
}

/* In a bin that lacks the part one stands on something else, and goes on along it. */
static void
test_wanted_part (Desk *desk, gconstpointer path)
{
  KymoCanvas *canvas;
  g_autoptr (GArray) boxes = NULL;
  guint wanted = 0, missed = 0, found = 0, all = 0;

  kymo_run_view_set_view (desk->view, "time-profile");
  desk_settle (desk);
  canvas = kymo_run_view_current_canvas (desk->view);
  boxes = kymo_canvas_dup_boxes (canvas);
  for (guint i = 0; i < boxes->len && wanted == 0; i++)
    if (box_at (boxes, i)->part == 1)
      {
        kymo_canvas_choose_box (canvas, box_at (boxes, i));
        wanted = 1;
      }
  g_assert_cmpuint (wanted, ==, 1);
  for (guint i = 0; i < 5000; i++)
    {
      gint64 row = canvas->box;

      g_assert_true (desk_press (canvas, GDK_KEY_Right, 0));
      if (canvas->box == row)
        break;
      if (canvas->box_part == wanted)
        found++;
      else
        missed++;
    }
  for (guint i = 0; i < boxes->len; i++)
    all += box_at (boxes, i)->part == wanted;
  g_assert_cmpuint (missed, >, 0);
  g_assert_cmpuint (found, ==, all - 1);
}

#define SAMPLE "data/sample"
#define MPI "tests/data/tau/trace-stencil-4"
#define PROFILE "tests/data/tau/callpath-d3-coll-4"
#define add(path, run, function) \
  g_test_add ("/boxes/" path, Desk, run, desk_open, function, desk_close)

int
main (int argc, char **argv)
{
  int failed;

  desk_init (&argc, &argv);
  walked = g_hash_table_new (NULL, NULL);
  add ("charm", SAMPLE, test_keys);
  add ("lists", SAMPLE, test_lists);
  add ("mpi", MPI, test_pictures);
  add ("profile", PROFILE, test_pictures);
  add ("part", SAMPLE, test_wanted_part);
  failed = g_test_run ();
  g_hash_table_unref (walked);
  return failed;
}
