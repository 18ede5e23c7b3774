/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The desk of a run kept between two openings: views, range, selection, markers,
 * hidden names, colours and notes are there again, rows as they stood, and what was
 * chosen in each part; also after a reload and upon another run; not where it is
 * forgotten or not wanted.
 *
 * Needs a display and the settings of the build tree.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "desk.h"
#include "kymo-bookmarks.h"
#include "kymo-controls.h"
#include "kymo-kept-sorter.h"
#include "kymo-palette-files.h"
#include "kymo-run-page.h"
#include "kymo-run-view-private.h"
#include "kymo-session-colors.h"
#include "kymo-session-pins.h"
#include "kymo-session-messages.h"
#include "kymo-session-rows.h"
#include "kymo-settings.h"

#define MS G_GINT64_CONSTANT (1000000)
#define RUN "feat-p4-text"

typedef struct
{
  GtkWidget *window;
  KymoPage  *page;
  char      *said;
} Desk;

static gboolean
on_beat (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
on_message (Desk *desk, const char *words)
{
  g_autofree char *before = g_steal_pointer (&desk->said);

  desk->said = before != NULL ? g_strjoin ("\n", before, words, NULL) : g_strdup (words);
}

static gboolean
is_there (Desk *desk)
{
  KymoRunView *view = kymo_page_get_view (desk->page);

  return view != NULL && !kymo_page_is_loading (desk->page)
         && kymo_run_view_is_settled (view);
}

static void
open_run (Desk *desk, const char *run)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "data", run,
                                            NULL);
  g_autofree char *full = g_canonicalize_filename (path, NULL);

  desk->window = adw_window_new ();
  desk->page = KYMO_PAGE (kymo_run_page_new (full));
  g_signal_connect_swapped (desk->page, "message", G_CALLBACK (on_message), desk);
  gtk_window_set_default_size (GTK_WINDOW (desk->window), 1000, 700);
  adw_window_set_content (ADW_WINDOW (desk->window), GTK_WIDGET (desk->page));
  gtk_window_present (GTK_WINDOW (desk->window));
  WAIT_FOR (is_there (desk));
}

static void
close_run (Desk *desk)
{
  gpointer page = desk->page;

  g_object_add_weak_pointer (G_OBJECT (desk->page), &page);
  gtk_window_destroy (GTK_WINDOW (desk->window));
  WAIT_FOR (page == NULL);
  g_clear_pointer (&desk->said, g_free);
}

static KymoSession *
session_of (Desk *desk)
{
  return kymo_run_view_peek_session (kymo_page_get_view (desk->page));
}

static KymoDeskKeeper *
keeper_of (Desk *desk)
{
  return kymo_run_page_peek_keeper (KYMO_RUN_PAGE (desk->page));
}

/* Of the run, without where its files lie, and without their stamp, which is taken meanwhile. */
static char *
text_of (Desk *desk)
{
  g_autoptr (KymoDesk) kept = kymo_desk_keeper_dup_desk (keeper_of (desk), NULL);

  g_clear_pointer (&kept->stamp, g_free);
  return kymo_desk_to_text (kept);
}

#define LAYOUT "right 0.6000 profile* below 0.5000 timeline usage"

static void
work (Desk *desk)
{
  KymoSession *session = session_of (desk);
  KymoSpan full = kymo_session_get_full_range (session);
  gint64 quarter = kymo_span_length (full) / 4;
  g_autoptr (KymoIdSet) pes = kymo_id_set_parse ("1-2", NULL);
  KymoSpan part = { full.begin_ns + quarter, full.begin_ns + 2 * quarter };

  g_assert_true (kymo_run_view_set_layout (kymo_page_get_view (desk->page), LAYOUT));
  kymo_session_set_range (session, part, TRUE);
  kymo_session_set_locations (session, pes);
  kymo_session_put_marker (session, part.begin_ns);
  kymo_session_set_block (session, 1, part.begin_ns + quarter / 2);
  kymo_session_set_hidden (session, kymo_session_peek_names (session)[0], TRUE);
  kymo_session_choose_color (session, KYMO_COLOR_OF_PATTERN, "*", 0x3a7bd5);
  kymo_session_add_note (session, part, "here", "it waits", pes);
}

/* Names of parts, in the order of reading. */
static KymoDeskPart *
part_of (Desk *desk, guint index)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (kymo_page_get_view (desk->page));

  return parts->pdata[index];
}

/* A control of a part by its tooltip. */
static GtkWidget *
control_of (Desk *desk, guint index, GType type, const char *words)
{
  return desk_need (GTK_WIDGET (part_of (desk, index)), type, words);
}

static void
arrange_rows (KymoSession *session)
{
  kymo_session_set_row_order (session, "-busy", TRUE);
  kymo_session_set_pinned (session, 2, TRUE);
  kymo_session_set_least_ns (session, 10000);
  kymo_session_set_line (session, "Memory");
  kymo_session_fold_text (session, "none");
  kymo_session_set_messages (session, KYMO_MESSAGES_ALL);
}

static gboolean
is_arranged (Desk *desk)
{
  return is_there (desk) && !kymo_session_is_sorting (session_of (desk));
}

#define PARTS "right 0.5000 histogram* below 0.5000 histogram profile"

/* What is chosen in views: of two of a kind each its own. */
static void
choose_in_parts (Desk *desk)
{
  g_assert_true (kymo_run_view_set_layout (kymo_page_get_view (desk->page), PARTS));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (
    control_of (desk, 0, GTK_TYPE_DROP_DOWN, "What is measured")), 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (
    desk_need (GTK_WIDGET (part_of (desk, 0)), GTK_TYPE_SPIN_BUTTON, NULL)), 35);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (
    control_of (desk, 1, GTK_TYPE_DROP_DOWN, "How bins are spaced")), 1);
  g_assert_true (kymo_kept_sort_set (GTK_COLUMN_VIEW (
    desk_need (GTK_WIDGET (part_of (desk, 2)), GTK_TYPE_COLUMN_VIEW, NULL)), "calls"));
  /* A view that is not in front any more is kept, too. */
  kymo_desk_part_set_view (part_of (desk, 1), "communication");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (
    control_of (desk, 1, GTK_TYPE_DROP_DOWN, "What is counted")), 1);
}

static void
check_parts (Desk *desk)
{
  g_autofree char *sort = kymo_kept_sort_dup (GTK_COLUMN_VIEW (
    desk_need (GTK_WIDGET (part_of (desk, 2)), GTK_TYPE_COLUMN_VIEW, NULL)));

  g_assert_cmpuint (kymo_controls_chosen (
    control_of (desk, 0, GTK_TYPE_DROP_DOWN, "What is measured")), ==, 0);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (
    desk_need (GTK_WIDGET (part_of (desk, 0)), GTK_TYPE_SPIN_BUTTON, NULL))), ==, 35);
  g_assert_cmpuint (kymo_controls_chosen (
    control_of (desk, 1, GTK_TYPE_DROP_DOWN, "What is counted")), ==, 1);
  g_assert_cmpstr (sort, ==, "calls");
  kymo_desk_part_set_view (part_of (desk, 1), "histogram");
  g_assert_cmpuint (kymo_controls_chosen (
    control_of (desk, 1, GTK_TYPE_DROP_DOWN, "How bins are spaced")), ==, 1);
  g_assert_cmpuint (kymo_controls_chosen (
    control_of (desk, 1, GTK_TYPE_DROP_DOWN, "What is measured")), ==, 1);
}

/* Rows as they stood, and every part as it was, in another window and in a file. */
static void
test_arranged (void)
{
  Desk desk = { 0 };
  g_autofree char *before = NULL, *after = NULL, *reloaded = NULL;

  open_run (&desk, RUN);
  arrange_rows (session_of (&desk));
  choose_in_parts (&desk);
  WAIT_FOR (is_arranged (&desk));
  before = text_of (&desk);
  g_assert_nonnull (strstr (before, "order=-busy\n"));
  g_assert_nonnull (strstr (before, "histogram.bins=35\n"));
  close_run (&desk);
  open_run (&desk, RUN);
  WAIT_FOR (is_arranged (&desk));
  after = text_of (&desk);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpstr (kymo_session_peek_row_order (session_of (&desk)), ==, "-busy");
  g_assert_cmpint (kymo_session_get_least_ns (session_of (&desk)), ==, 10000);
  g_assert_true (kymo_session_is_pinned (session_of (&desk), 2));
  g_assert_cmpuint (kymo_session_peek_pins (session_of (&desk))->len, ==, 1);
  kymo_page_reload (desk.page);
  WAIT_FOR (is_arranged (&desk));
  reloaded = text_of (&desk);
  g_assert_cmpstr (reloaded, ==, before);
  check_parts (&desk);
  kymo_desk_keeper_start_fresh (keeper_of (&desk));
  WAIT_FOR (is_arranged (&desk));
  g_assert_null (kymo_session_peek_row_order (session_of (&desk)));
  g_assert_false (kymo_session_get_grouped (session_of (&desk)));
  close_run (&desk);
  kymo_desk_store_forget_all ();
}

static void
test_kept (void)
{
  Desk desk = { 0 };
  g_autofree char *fresh = NULL, *before = NULL, *after = NULL, *reloaded = NULL;
  g_autofree char *again = NULL;

  open_run (&desk, RUN);
  fresh = text_of (&desk);
  close_run (&desk);
  g_assert_cmpuint (kymo_desk_store_count (), ==, 0);
  open_run (&desk, RUN);
  WAIT_FOR (kymo_session_peek_names (session_of (&desk)) != NULL);
  work (&desk);
  /* The selected block tells what it is of. */
  WAIT_FOR (kymo_session_peek_function (session_of (&desk)) != NULL);
  before = text_of (&desk);
  g_assert_cmpstr (before, !=, fresh);
  close_run (&desk);
  g_assert_cmpuint (kymo_desk_store_count (), ==, 1);
  open_run (&desk, RUN);
  after = text_of (&desk);
  g_assert_cmpstr (after, ==, before);
  g_assert_nonnull (strstr (after, "layout=right"));
  g_assert_null (desk.said);
  g_assert_false (kymo_session_can_back (session_of (&desk)));
  /* The .sts of the folder is the same run. */
  kymo_page_reload (desk.page);
  WAIT_FOR (is_there (&desk));
  reloaded = text_of (&desk);
  g_assert_cmpstr (reloaded, ==, before);
  kymo_desk_keeper_start_fresh (keeper_of (&desk));
  WAIT_FOR (is_there (&desk));
  again = text_of (&desk);
  g_assert_cmpstr (again, ==, fresh);
  g_assert_cmpuint (kymo_desk_store_count (), ==, 0);
  close_run (&desk);
  g_assert_cmpuint (kymo_desk_store_count (), ==, 0);
}

/* A change is kept a little later, not only at the end. */
static void
test_soon (void)
{
  Desk desk = { 0 };

  open_run (&desk, RUN);
  kymo_session_add_bookmark (session_of (&desk), "mine");
  WAIT_FOR (kymo_desk_store_count () == 1);
  close_run (&desk);
  g_assert_cmpuint (kymo_desk_store_forget_all (), ==, 1);
}

static void
test_not_wanted (void)
{
  Desk desk = { 0 };

  g_settings_set_boolean (kymo_settings_peek (), "keep-desks", FALSE);
  open_run (&desk, RUN);
  kymo_session_add_bookmark (session_of (&desk), "mine");
  kymo_page_reload (desk.page);
  WAIT_FOR (is_there (&desk));
  g_assert_cmpuint (kymo_session_get_n_bookmarks (session_of (&desk)), ==, 1);
  close_run (&desk);
  g_assert_cmpuint (kymo_desk_store_count (), ==, 0);
  g_settings_reset (kymo_settings_peek (), "keep-desks");
}

/* A desk of the whole run, with nothing selected, over a zoomed one. */
static void
test_whole_run (void)
{
  Desk desk = { 0 };
  KymoDesk *sent;
  KymoSession *session;
  g_autofree char *fresh = NULL, *after = NULL;

  open_run (&desk, RUN);
  WAIT_FOR (kymo_session_peek_names (session_of (&desk)) != NULL);
  fresh = text_of (&desk);
  sent = kymo_desk_keeper_dup_desk (keeper_of (&desk), "/tmp/a.kymodesk");
  work (&desk);
  session = session_of (&desk);
  kymo_session_set_selection (session, &(KymoSpan) { 1, 1000 });
  kymo_desk_keeper_take (keeper_of (&desk), sent);
  WAIT_FOR (is_there (&desk));
  g_assert_null (desk.said);
  g_assert_false (kymo_session_get_selection (session, NULL));
  g_assert_false (kymo_session_get_block (session, NULL, NULL));
  g_assert_cmpint (kymo_session_get_range (session).end_ns, ==,
                   kymo_session_get_full_range (session).end_ns);
  after = text_of (&desk);
  g_assert_cmpstr (after, ==, fresh);
  close_run (&desk);
  kymo_desk_store_forget_all ();
}

/* A summary has no such blocks, and another span: what it takes not is told. */
static void
test_other_run (void)
{
  Desk desk = { 0 };
  KymoDesk *sent;
  g_autofree char *layout = NULL;

  open_run (&desk, RUN);
  WAIT_FOR (kymo_session_peek_names (session_of (&desk)) != NULL);
  work (&desk);
  sent = kymo_desk_keeper_dup_desk (keeper_of (&desk), "/tmp/a.kymodesk");
  kymo_desk_keeper_start_fresh (keeper_of (&desk));
  close_run (&desk);
  open_run (&desk, "feat-notracenested-p4");
  kymo_desk_keeper_take (keeper_of (&desk), sent);
  g_assert_nonnull (desk.said);
  g_assert_nonnull (strstr (desk.said, "the selected block"));
  layout = kymo_run_view_dup_layout (kymo_page_get_view (desk.page));
  g_assert_cmpstr (layout, ==, LAYOUT);
  g_assert_cmpuint (kymo_palette_get_n_choices (
    kymo_session_peek_palette (session_of (&desk))), ==, 1);
  close_run (&desk);
  kymo_desk_store_forget_all ();
}

/* A palette by name is in every run, and one that is gone is the standard one. */
static void
test_palette (void)
{
  Desk desk = { 0 };
  g_autoptr (KymoPalette) safe = kymo_palette_new (KYMO_PALETTE_SAFE);
  g_autoptr (KymoPalette) own = kymo_palette_choose (safe, KYMO_COLOR_OF_PATTERN, "*", 0x3a7bd5);
  g_autoptr (GError) error = NULL;

  g_assert_true (kymo_palettes_save (own, "mine", &error));
  g_settings_set_string (kymo_settings_peek (), "palette", "mine");
  open_run (&desk, RUN);
  g_assert_true (kymo_palette_equal (kymo_session_peek_palette (session_of (&desk)), own));
  g_settings_set_string (kymo_settings_peek (), "palette", "safe");
  g_assert_true (kymo_palette_equal (kymo_session_peek_palette (session_of (&desk)), safe));
  g_settings_set_string (kymo_settings_peek (), "palette", "gone");
  g_assert_cmpint (kymo_palette_get_base (kymo_session_peek_palette (session_of (&desk))), ==,
                   KYMO_PALETTE_STANDARD);
  close_run (&desk);
  kymo_desk_store_forget_all ();
  g_settings_reset (kymo_settings_peek (), "palette");
}

/* Saved colours are those of runs that showed the palette before, and of no others;
   saved again under the same name, too. */
static void
test_replaced (void)
{
  Desk plain = { 0 }, own = { 0 };
  g_autoptr (KymoPalette) before = kymo_palette_new (KYMO_PALETTE_STANDARD);
  g_autoptr (KymoPalette) first = kymo_palette_choose (before, KYMO_COLOR_OF_PATTERN, "*", 1);
  g_autoptr (KymoPalette) second = kymo_palette_choose (first, KYMO_COLOR_OF_PATTERN, "*", 2);
  g_autoptr (KymoPalette) kept = NULL;

  open_run (&plain, RUN);
  open_run (&own, "feat-notracenested-p4");
  kymo_session_choose_color (session_of (&own), KYMO_COLOR_OF_NAME, "main", 0x3a7bd5);
  kept = kymo_palette_ref (kymo_session_peek_palette (session_of (&own)));
  g_assert_true (kymo_palettes_save (first, "mine", NULL));
  kymo_page_replace_palette (before, "mine");
  g_assert_true (kymo_palette_equal (kymo_session_peek_palette (session_of (&plain)), first));
  g_assert_true (kymo_session_peek_palette (session_of (&own)) == kept);
  g_assert_true (kymo_palettes_save (second, "mine", NULL));
  kymo_page_replace_palette (first, "mine");
  g_assert_true (kymo_palette_equal (kymo_session_peek_palette (session_of (&plain)), second));
  g_assert_true (kymo_session_peek_palette (session_of (&own)) == kept);
  /* Who chooses one means every run. */
  g_settings_set_string (kymo_settings_peek (), "palette", "safe");
  g_assert_true (kymo_session_peek_palette (session_of (&own)) != kept);
  close_run (&plain);
  close_run (&own);
  kymo_desk_store_forget_all ();
  g_settings_reset (kymo_settings_peek (), "palette");
}

/* A file of a later program, with a view and a mode that are to come: the rest is used, and
   one sentence tells what is not. */
static void
test_later (void)
{
  const char *text = "[Kymo Desk]\nversion=1\n[Views]\nview=mood\n"
    "layout=right 0.5 mood below 0.5 histogram* usage\n[Chosen]\nmarker-a=20000000\n"
    "[Part 1]\nhistogram.bins=7\n[Part 2]\nhistogram.scale=cubic\nhistogram.bins=50\n";
  g_autoptr (GError) error = NULL;
  g_autofree char *after = NULL, *layout = NULL;
  KymoDesk *later = kymo_desk_parse (text, strlen (text), &error);
  Desk desk = { 0 };

  g_assert_no_error (error);
  later->file = g_strdup ("anna.kymodesk");
  open_run (&desk, RUN);
  kymo_desk_keeper_take (keeper_of (&desk), later);
  WAIT_FOR (is_there (&desk));
  g_assert_nonnull (desk.said);
  g_assert_nonnull (strstr (desk.said, "“anna.kymodesk”"));
  g_assert_nonnull (strstr (desk.said, "histogram.scale of [Part 2]"));
  g_assert_nonnull (strstr (desk.said, "and 2 more"));
  layout = kymo_run_view_dup_layout (kymo_page_get_view (desk.page));
  g_assert_cmpstr (layout, ==, "below 0.5000 histogram* usage");
  after = text_of (&desk);
  g_assert_nonnull (strstr (after, "marker-a=20000000\n"));
  /* The part behind that of the view that there is not has kept what is its own. */
  g_assert_nonnull (strstr (after, "[Part 1]\nhistogram.bins=50\n"));
  g_assert_null (strstr (after, "mood"));
  close_run (&desk);
  kymo_desk_store_forget_all ();
}

static gboolean
is_stamped (Desk *desk)
{
  g_autoptr (KymoDesk) kept = kymo_desk_store_find (kymo_page_get_path (desk->page));

  return kept != NULL && kept->stamp != NULL;
}

/* What is kept before the stamp of the run's files is there gets it. */
static void
test_stamped (void)
{
  g_autoptr (KymoDesk) kept = NULL;
  Desk desk = { 0 };

  open_run (&desk, RUN);
  kymo_session_add_bookmark (session_of (&desk), "mine");
  kymo_page_reload (desk.page);
  WAIT_FOR (is_there (&desk));
  kymo_session_add_bookmark (session_of (&desk), "too");
  kymo_desk_keeper_flush (keeper_of (&desk));
  WAIT_FOR (is_stamped (&desk));
  kept = kymo_desk_store_find (kymo_page_get_path (desk.page));
  g_assert_cmpuint (kept->notes->len, ==, 2);
  /* It is told as what is kept, not by the name of a file that nobody chose. */
  g_assert_null (kept->file);
  close_run (&desk);
  kymo_desk_store_forget_all ();
}

/* What nobody has chosen is not kept, also where the choices come with the answer; what a
   list of records is filtered by is. */
static void
test_chosen (void)
{
  g_autofree char *fresh = NULL, *after = NULL;
  Desk desk = { 0 };
  GHashTable *words;
  KymoDeskPart *part;

  open_run (&desk, RUN);
  kymo_run_view_set_layout (kymo_page_get_view (desk.page), "right 0.5 thread-scatter events*");
  WAIT_FOR (is_there (&desk));
  fresh = text_of (&desk);
  g_assert_null (strstr (fresh, "thread-scatter."));
  g_assert_null (strstr (fresh, "events."));
  part = kymo_page_get_view (desk.page)->current;
  words = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_insert (words, "events.kinds", "messages");
  g_hash_table_insert (words, "events.filter", "run.*2");
  g_hash_table_insert (words, "events.regex", "true");
  g_hash_table_insert (words, "events.least", "25us");
  g_hash_table_insert (words, "events.in-view", "true");
  kymo_desk_part_set_words (part, words);
  g_hash_table_unref (words);
  WAIT_FOR (is_there (&desk));
  after = text_of (&desk);
  g_assert_nonnull (strstr (after, "events.filter=run.*2\nevents.in-view=true\n"
                            "events.kinds=messages\nevents.least=25us\nevents.regex=true\n"));
  close_run (&desk);
  kymo_desk_store_forget_all ();
}

/* Homes of the program's own data and settings; what GTK needs stays. */
static void
move_home (const char *home)
{
  g_autofree char *data = g_build_filename (home, "data", NULL);
  g_autofree char *config = g_build_filename (home, "config", NULL);

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
}

/* What the test made is empty by now. */
static void
remove_folders (const char *home)
{
  static const char *const folders[] = {
    "data/kymo/desks", "data/kymo", "data", "config/kymo/palettes", "config/kymo", "config",
  };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (home, folders[i], NULL);

      g_rmdir (path);
    }
  g_rmdir (home);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("kymo-desk-kept-XXXXXX", NULL);
  int status;

  move_home (home);
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_timeout_add (20, on_beat, NULL);
  g_test_add_func ("/desk-kept/kept", test_kept);
  g_test_add_func ("/desk-kept/arranged", test_arranged);
  g_test_add_func ("/desk-kept/soon", test_soon);
  g_test_add_func ("/desk-kept/not-wanted", test_not_wanted);
  g_test_add_func ("/desk-kept/whole-run", test_whole_run);
  g_test_add_func ("/desk-kept/other-run", test_other_run);
  g_test_add_func ("/desk-kept/palette", test_palette);
  g_test_add_func ("/desk-kept/replaced", test_replaced);
  g_test_add_func ("/desk-kept/later", test_later);
  g_test_add_func ("/desk-kept/stamped", test_stamped);
  g_test_add_func ("/desk-kept/chosen", test_chosen);
  status = g_test_run ();
  kymo_palettes_remove ("mine", NULL);
  remove_folders (home);
  return status;
}
