/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All that the window says can be said in another language: labels of rows ("PE 3", "rank 0,
 * thread 2"), sentences, headings, what is under the pointer, tooltips and accessible names. Views
 * of several runs are walked in a made-up translation (shown_words.h); a word that is neither
 * translated nor a name of the run fails, be it a word within a sentence.
 *
 * Needs a display.
 */
#include "config.h"

#include "compared.h"
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
  static const struct { const char *known, *rest; } cases[] = {
    { "PE 3", "" }, { "Comm 12", "" }, { "rank 3", "" }, { "rank 3, thread 2", "" },
    { "thread 7", "" }, { "rank 1, context 2, thread 3", "" }, { "PE 0–15", "" },
    { "PE 0 – PE 7", "" }, { "PE 3–Comm 0", "" }, { "PE 4 +3", "" }, { "rank 3 (2)", "" },
    { "rank 3", ", GPU 0" }, { "main thread", "" }, { "mean of 4 PEs", "" },
    /* Of files, or of nothing that is known. */
    { "", "Master PE 3" }, { "", "PE 3 of node 1" }, { "", "PE x" }, { "", "ranking 3" },
    { "", "" },
  };

  g_assert_null (kymo_shown_label (NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *label = g_strconcat (cases[i].known, cases[i].rest, NULL);
      g_autofree char *known = shown_words_dup (cases[i].known);
      g_autofree char *shown = g_strconcat (known, cases[i].rest, NULL);

      g_assert_true (kymo_shown_label (label) == label);
      shown_words_begin ();
      g_assert_cmpstr (kymo_shown_label (label), ==, shown);
      shown_words_end ();
    }
}

/* -- a run in other words -------------------------------------------------- */

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
          shown_words_add (hit.text);
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
      g_autofree char *phrase = kymo_chart_phrase (cells);

      shown_words_add (phrase);
    }
}

static gboolean
check_picture (Desk *desk, KymoCanvas *canvas)
{
  check_points (canvas);
  check_lines (canvas);
  shown_words_know_answer (canvas->answer);
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

/* What the files name. */
static void
know_names (KymoSource *source)
{
  static const char *const kinds[] = { "info", "profile", "thread", "user-events", "waiting" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new (kinds[i]);
      g_autoptr (KymoTable) answer = kymo_source_ask (source, question, NULL, NULL);

      if (answer != NULL)
        shown_words_know_answer (answer);
    }
  /* Files that record-made has open. */
  shown_words_know ("/tmp/out0");
  shown_words_know ("/tmp/out1");
}

/* Tooltips and accessible names of all views, those without a picture as well. */
static void
walk_views (Desk *desk)
{
  for (const KymoViewInfo *info = kymo_views; info->id != NULL; info++)
    if (kymo_run_view_has_view (desk->view, info->id))
      {
        kymo_run_view_set_view (desk->view, info->id);
        desk_settle (desk);
        shown_words_walk (desk->window);
      }
}

/* Nothing that was shown is left in English. */
static void
check_shown (void)
{
  g_autoptr (GPtrArray) raw = shown_words_list_raw ();

  for (guint i = 0; i < raw->len; i++)
    g_printerr ("not translated: %s\n", (char *) raw->pdata[i]);
  g_assert_cmpuint (raw->len, ==, 0);
}

/* Why two rows stick out, one of them alone and both. */
static void
explain_rows (Desk *desk)
{
  static const char *const rows[] = { "1", "0,1" };

  if ((kymo_source_get_capabilities (desk->source) & KYMO_CAN_PROFILE) == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      kymo_run_view_explain (desk->view, rows[i]);
      desk_settle (desk);
      shown_words_walk (desk->window);
    }
}

static void
test_run (Desk *desk, gconstpointer path)
{
  gboolean charm = kymo_source_get_terms (desk->source).row == KYMO_ROW_PE;
  g_autofree char *label = shown_words_dup (charm ? "PE 1" : "rank 1");
  g_autoptr (GHashTable) plots = NULL;

  know_names (desk->source);
  if (kymo_session_has_time (desk->session))
    {
      choose_block (desk);
      g_assert_true (kymo_go_to_typed (desk->view, label));
    }
  plots = desk_each_picture (desk, check_picture);
  g_assert_cmpuint (g_hash_table_size (plots), >, 3);
  walk_views (desk);
  explain_rows (desk);
  g_assert_true (shown_words_have (label));
  check_shown ();
}

/* Several runs beside each other: what changed, over time, and their surroundings. */
static void
test_compared (void)
{
  static const char *const runs[] = { FEAT, NESTED, "=" PHASES, JACOBI, NULL };
  static const char *const pages[] = { "pictures", "time", "surroundings" };
  Compared desk;

  shown_words_begin ();
  for (guint i = 0; runs[i] != NULL; i++)
    {
      g_autoptr (KymoSource) source = desk_open_run (runs[i] + (*runs[i] == '='));
      g_autofree char *path = g_path_get_basename (runs[i]);

      know_names (source);
      shown_words_know (path);
    }
  compared_open (&desk, runs);
  compared_settle (&desk);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      kymo_compare_view_set_page (compared_view (&desk), pages[i]);
      compared_settle (&desk);
      shown_words_walk (desk.window);
    }
  check_shown ();
  compared_close (&desk);
  shown_words_end ();
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
  add ("record", "tests/data/record-made");
  g_test_add_func ("/labels/compared", test_compared);
  return g_test_run ();
}
