/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels of rows are words: in another language no "PE 3", "rank 3" or "PE 0–15" of an answer is
 * shown as it is, be it in a picture, in its table, under the pointer, in lists, in the details or
 * in Go To.
 *
 * Needs a display.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-chart-lines.h"
#include "kymo-chart-words.h"
#include "kymo-go-to.h"
#include "kymo-session-profile.h"
#include "run_desk.h"
#include "shown_words.h"

#define STEP_PX 60

static void
test_labels (void)
{
  static const struct { const char *label, *shown; } cases[] = {
    { "PE 3", "Kern 3" }, { "Comm 12", "Funk 12" }, { "rank 3", "Rang 3" },
    { "rank 3, thread 2", "Rang 3, Faden 2" }, { "thread 7", "Faden 7" },
    { "rank 1, context 2, thread 3", "Rang 1, Umfeld 2, Faden 3" },
    { "PE 0–15", "Kern 0–15" }, { "PE 0 – PE 7", "Kern 0 – Kern 7" },
    { "PE 3–Comm 0", "Kern 3–Funk 0" }, { "PE 4 +3", "Kern 4 +3" },
    { "rank 3 (2)", "Rang 3 (2)" }, { "rank 3, GPU 0", "Rang 3, GPU 0" },
    { "main thread", "main Faden" }, { "mean of 4 PEs", "mean of 4 Kerns" },
    /* Of files, or of nothing that is known. */
    { "Master PE 3", "Master PE 3" }, { "PE 3 of node 1", "PE 3 of node 1" }, { "PE x", "PE x" },
    { "ranking 3", "ranking 3" }, { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_true (kymo_shown_label (cases[i].label) == cases[i].label);
  g_assert_null (kymo_shown_label (NULL));
  shown_words_begin ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (kymo_shown_label (cases[i].label), ==, cases[i].shown);
  g_assert_null (kymo_shown_label (NULL));
  shown_words_end ();
}

/* -- a run in other words -------------------------------------------------- */

static void
check_text (const char *where, const char *text)
{
  if (text != NULL && shown_words_find_raw (text) != NULL)
    g_error ("%s says “%s”, which is not translated", where, text);
}

static void
check_points (KymoCanvas *canvas)
{
  KymoPlotFrame frame;
  g_autoptr (KymoPicture) picture = NULL;

  kymo_canvas_get_frame (canvas, &frame);
  picture = kymo_picture_new (canvas->klass, canvas->answer, &frame);
  for (double y = 1; y < frame.height_px && canvas->klass->hit != NULL; y += STEP_PX / 2.0)
    for (double x = 1; x < frame.width_px; x += STEP_PX)
      {
        KymoPlotHit hit = { .location = -1, .cluster = -1, .time_ns = G_MININT64 };

        if (canvas->klass->hit (picture, x, y, &hit))
          check_text (canvas->klass->id, hit.text);
        kymo_plot_hit_clear (&hit);
      }
}

static void
check_lines (KymoCanvas *canvas)
{
  KymoPlotFrame frame;
  g_autoptr (KymoChartLines) lines = NULL;

  kymo_canvas_get_frame (canvas, &frame);
  lines = kymo_chart_lines_new (canvas->klass, canvas->answer, &frame);
  for (guint i = 0; lines != NULL && i < MIN (kymo_chart_lines_get_n (lines), 200); i++)
    {
      g_autofree char *cells = kymo_chart_lines_dup_cells (lines, i);

      check_text (canvas->klass->id, cells);
    }
}

static gboolean
check_picture (Desk *desk, KymoCanvas *canvas)
{
  check_points (canvas);
  check_lines (canvas);
  return TRUE;
}

/* The first block of a row in the middle, with what the details tell of it, and its chain. */
static void
choose_block (Desk *desk)
{
  g_autoptr (KymoTable) events = desk_ask (desk->source, "events", "kinds", "block");
  KymoTable *list = kymo_table_peek_nested (events, "events", NULL);
  guint row = list != NULL ? kymo_table_get_n_rows (list) / 2 : 0;

  if (list == NULL || kymo_table_get_n_rows (list) == 0)
    return;
  kymo_session_set_block (desk->session, kymo_table_get_int (list, "location", row),
                          kymo_table_get_int (list, "time_ns", row));
  desk_settle (desk);
}

static void
test_run (Desk *desk, gconstpointer path)
{
  g_autoptr (GHashTable) plots = NULL;
  GPtrArray *raw;

  if (kymo_session_has_time (desk->session))
    {
      choose_block (desk);
      g_assert_true (kymo_go_to_typed (desk->view, strstr (path, "sample") != NULL ? "Kern 3"
                                       : "Rang 3"));
    }
  plots = desk_each_picture (desk, check_picture);
  g_assert_cmpuint (g_hash_table_size (plots), >, 3);
  raw = shown_words_peek_raw ();
  for (guint i = 0; i < raw->len; i++)
    g_printerr ("shown: “%s”\n", (char *) raw->pdata[i]);
  g_assert_cmpuint (raw->len, ==, 0);
  g_assert_true (shown_words_have (strstr (path, "sample") != NULL ? "Kern 3" : "Rang 1"));
}

static void
open_translated (Desk *desk, gconstpointer path)
{
  shown_words_begin ();
  desk_open (desk, path);
}

static void
close_translated (Desk *desk, gconstpointer path)
{
  desk_close (desk, path);
  shown_words_end ();
}

#define add(path, run) \
  g_test_add ("/labels/" path, Desk, run, open_translated, test_run, close_translated)

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/labels/words", test_labels);
  add ("charm", "data/sample");
  add ("mpi", "tests/data/tau/trace-stencil-4");
  add ("threads", "tests/data/tau/threads-2x5");
  return g_test_run ();
}
