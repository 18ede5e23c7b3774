/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session restored from a desk, on the run that it was and on another one, and what a
 * hostile desk can do to it; bookmarks of a session and of its run.
 */
#include "config.h"

#include <string.h>

#include "kymo-bookmarks.h"
#include "kymo-describe.h"
#include "kymo-desk-store.h"
#include "kymo-error.h"
#include "kymo-session-colors.h"
#include "kymo-session-desk.h"
#include "kymo-session-messages.h"
#include "kymo-session-rows.h"
#include "scratch.h"

#define MS G_GINT64_CONSTANT (1000000)
#define HEAD "[Kymo Desk]\nversion=1\n"

/* -- a source without questions ------------------------------------------- */

#define DESK_TYPE_SOURCE (desk_source_get_type ())
G_DECLARE_FINAL_TYPE (DeskSource, desk_source, DESK, SOURCE, GObject)

struct _DeskSource
{
  GObject  parent_instance;
  KymoSpan span;
};

static KymoTable *
desk_source_ask (KymoSource *source, KymoQuestion *question,
                 GCancellable *cancellable, GError **error)
{
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "no");
  return NULL;
}

static KymoCapabilities
desk_source_get_capabilities (KymoSource *source)
{
  return KYMO_CAN_INTERVALS | KYMO_CAN_ROWS;
}

static KymoSpan
desk_source_get_span (KymoSource *source)
{
  return DESK_SOURCE (source)->span;
}

static char *
desk_source_dup_title (KymoSource *source)
{
  return g_strdup ("leanmd");
}

static void
desk_source_iface (KymoSourceInterface *iface)
{
  iface->ask = desk_source_ask;
  iface->get_capabilities = desk_source_get_capabilities;
  iface->get_span = desk_source_get_span;
  iface->dup_title = desk_source_dup_title;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (DeskSource, desk_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE,
                                                      desk_source_iface))

static void
desk_source_class_init (DeskSourceClass *klass)
{
}

static void
desk_source_init (DeskSource *self)
{
}

static KymoSession *
new_session (gint64 end_ns)
{
  g_autoptr (DeskSource) source = g_object_new (DESK_TYPE_SOURCE, NULL);

  source->span = (KymoSpan) { 0, end_ns };
  return kymo_session_new (KYMO_SOURCE (source));
}

static KymoTable *
new_info (guint n_locations)
{
  KymoTable *info = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint id = kymo_table_add_column (list, "location", KYMO_COLUMN_INT, 1);

  for (guint i = 0; i < n_locations; i++)
    kymo_table_append_int (list, id, i);
  kymo_table_set_int (info, "locations", n_locations);
  kymo_table_set_table (info, "location_list", list);
  return info;
}

/* -- sessions ------------------------------------------------------------- */

static KymoSession *
busy_session (void)
{
  KymoSession *session = new_session (1000 * MS);
  g_autoptr (KymoIdSet) pes = kymo_id_set_parse ("2-5", NULL);

  kymo_session_set_range (session, (KymoSpan) { 100 * MS, 700 * MS }, FALSE);
  kymo_session_set_selection (session, &(KymoSpan) { 600 * MS, 650 * MS });
  kymo_session_set_block (session, 4, 120 * MS);
  kymo_session_put_marker (session, 50 * MS);
  kymo_session_put_marker (session, 800 * MS);
  kymo_session_set_hidden (session, "Cell::run", TRUE);
  kymo_session_set_locations (session, pes);
  kymo_session_set_option (session, "value", "inclusive");
  kymo_session_set_row_order (session, "-idle", TRUE);
  kymo_session_fold_text (session, "0,2");
  kymo_session_set_least_ns (session, 10000);
  kymo_session_set_line (session, "Memory; \"used\"");
  kymo_session_set_messages (session, KYMO_MESSAGES_ALL);
  kymo_session_set_by_bytes (session, TRUE);
  kymo_session_set_least_bytes (session, 65536);
  kymo_session_set_function (session, "main");
  kymo_session_choose_color (session, KYMO_COLOR_OF_NAME, "main", 0x3a7bd5);
  kymo_session_add_note (session, (KymoSpan) { 10 * MS, 20 * MS }, "early", "why?",
                         pes);
  kymo_session_add_note (session, (KymoSpan) { 800 * MS, 900 * MS }, "late", NULL,
                         NULL);
  return session;
}

static char *
text_of (KymoSession *session)
{
  g_autoptr (KymoDesk) desk = kymo_desk_new ();

  kymo_session_keep (session, desk);
  return kymo_desk_to_text (desk);
}

static KymoDesk *
parsed (const char *text)
{
  g_autoptr (GError) error = NULL;
  KymoDesk *desk = kymo_desk_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return desk;
}

static void
test_same_run (void)
{
  g_autoptr (KymoSession) session = busy_session ();
  g_autoptr (KymoSession) other = new_session (1000 * MS);
  g_autoptr (KymoTable) info = new_info (8);
  g_autofree char *text = text_of (session), *restored = NULL, *fresh = NULL;
  g_autofree char *untouched = text_of (other);
  g_autoptr (KymoDesk) desk = parsed (text);
  g_auto (GStrv) left_out = kymo_session_restore (other, desk, info);

  g_assert_cmpuint (g_strv_length (left_out), ==, 0);
  restored = text_of (other);
  g_assert_cmpstr (restored, ==, text);
  g_assert_false (kymo_session_can_back (other));
  kymo_session_start_fresh (other);
  kymo_session_reset_color (other, KYMO_COLOR_OF_NAME, "main");
  fresh = text_of (other);
  g_assert_cmpstr (fresh, ==, untouched);
}

static void
count (guint *n)
{
  (*n)++;
}

/* Nothing selected, marked or hidden and the whole run is a desk, too; and what is
   many is told once. */
static void
test_plain_desk (void)
{
  g_autoptr (KymoSession) session = busy_session (), plain = new_session (1000 * MS);
  g_autoptr (KymoTable) info = new_info (8);
  g_autofree char *busy_text = text_of (session), *text = text_of (plain);
  g_autofree char *restored = NULL;
  g_autoptr (KymoDesk) busy = parsed (busy_text), desk = parsed (text);
  g_auto (GStrv) left_out = NULL, left_out_again = NULL;
  guint n_filters = 0, n_bookmarks = 0;

  kymo_session_reset_color (session, KYMO_COLOR_OF_NAME, "main");
  left_out = kymo_session_restore (session, desk, info);
  g_assert_cmpuint (g_strv_length (left_out), ==, 0);
  restored = text_of (session);
  g_assert_cmpstr (restored, ==, text);
  g_assert_false (kymo_session_get_selection (session, NULL));
  for (guint i = 0; i < 50; i++)
    kymo_desk_add_note (busy, (KymoSpan) { 0, i }, "here", NULL, "2-5");
  g_strfreev (busy->hidden);
  busy->hidden = g_strsplit ("a b c d e", " ", -1);
  g_signal_connect_swapped (session, "filter-changed", G_CALLBACK (count), &n_filters);
  g_signal_connect_swapped (session, "bookmarks-changed", G_CALLBACK (count), &n_bookmarks);
  left_out_again = kymo_session_restore (session, busy, info);
  /* Rows, names, the shortest block and the line. */
  g_assert_cmpuint (n_filters, ==, 4);
  g_assert_cmpuint (n_bookmarks, ==, 1);
  g_assert_cmpuint (kymo_session_get_n_bookmarks (session), ==, 52);
  g_assert_true (kymo_session_is_hidden (session, "e"));
}

/* Marker B alone would be A. */
static void
test_marker_b (void)
{
  g_autoptr (KymoSession) session = new_session (500 * MS);
  g_autoptr (KymoDesk) desk = parsed (
    HEAD "[Chosen]\nmarker-a=600000000\nmarker-b=100000000\n");
  g_auto (GStrv) left_out = kymo_session_restore (session, desk, NULL);

  g_assert_cmpuint (g_strv_length (left_out), ==, 2);
  g_assert_false (kymo_session_get_marker (session, 0, NULL));
  g_assert_false (kymo_session_get_marker (session, 1, NULL));
}

/* Half as long, with four PEs: what it has not is told, and nothing else lost. */
static void
test_other_run (void)
{
  g_autoptr (KymoSession) session = busy_session ();
  g_autoptr (KymoSession) other = new_session (500 * MS);
  g_autoptr (KymoTable) info = new_info (4);
  g_autofree char *text = text_of (session), *pes = NULL;
  g_autoptr (KymoDesk) desk = parsed (text);
  g_auto (GStrv) left_out = kymo_session_restore (other, desk, info);
  gint64 ns = 0;

  g_assert_cmpuint (g_strv_length (left_out), ==, 7);
  g_assert_true (g_strv_contains ((const char *const *) left_out, "marker B"));
  g_assert_true (g_strv_contains ((const char *const *) left_out, "1 bookmark"));
  g_assert_true (kymo_session_get_marker (other, 0, &ns));
  g_assert_cmpint (ns, ==, 50 * MS);
  g_assert_cmpint (kymo_session_get_range (other).end_ns, ==, 500 * MS);
  g_assert_false (kymo_session_get_block (other, NULL, NULL));
  g_assert_true (kymo_session_is_hidden (other, "Cell::run"));
  pes = kymo_id_set_to_text (kymo_session_peek_locations (other));
  g_assert_cmpstr (pes, ==, "2-3");
  g_assert_cmpuint (kymo_session_get_n_bookmarks (other), ==, 1);
  g_assert_cmpstr (kymo_session_peek_bookmark (other, 0)->note, ==, "why?");
  g_assert_cmpuint (kymo_palette_get_n_choices (kymo_session_peek_palette (other)), ==, 1);
}

/* A file of a hostile person for a run that is open. */
static void
test_hostile_restore (void)
{
  g_autoptr (KymoSession) session = new_session (1000 * MS);
  g_autoptr (KymoTable) info = new_info (8);
  g_autoptr (KymoDesk) desk = parsed (
    HEAD "[Run]\ntime-begin=0\ntime-end=1000000000\nlocations=8\n"
    "[Shown]\nrange-begin=-2000000000000000000\nrange-end=2000000000000000000\n"
    "locations=100-2000000000\nhidden=;;;\n"
    "[Chosen]\nblock-location=77\nblock-time=-5\nthread=99\nfunction=%n%s\n"
    "marker-b=3\n");
  g_auto (GStrv) left_out = kymo_session_restore (session, desk, info);
  KymoSpan range = kymo_session_get_range (session);

  g_assert_cmpuint (g_strv_length (left_out), ==, 2);
  g_assert_cmpint (range.begin_ns, ==, 0);
  g_assert_cmpint (range.end_ns, ==, 1000 * MS);
  g_assert_null (kymo_session_peek_locations (session));
  g_assert_false (kymo_session_get_block (session, NULL, NULL));
  g_assert_false (kymo_session_get_marker (session, 0, NULL));
}

/* -- bookmarks ------------------------------------------------------------ */

static void
test_bookmarks (void)
{
  g_autoptr (KymoSession) session = busy_session ();
  g_autoptr (KymoTable) table = NULL;
  g_autoptr (GString) csv = g_string_new (NULL);

  g_assert_cmpint (kymo_session_find_bookmark (session, "WHY", 0), ==, 0);
  g_assert_cmpint (kymo_session_find_bookmark (session, "late", 1), ==, 1);
  g_assert_cmpint (kymo_session_find_bookmark (session, "a", 2), ==, 0);
  g_assert_cmpint (kymo_session_find_bookmark (session, "nowhere", 0), ==, -1);
  kymo_session_change_bookmark (session, 0, kymo_session_peek_bookmark (session, 0)->name,
                                "a, \"b\"", NULL);
  table = kymo_session_dup_bookmarks (session);
  kymo_table_write_csv (table, csv);
  g_assert_nonnull (strstr (csv->str, "early,10000000,20000000,\"a, \"\"b\"\"\","));
  kymo_session_go_to_bookmark (session, 1);
  g_assert_cmpint (kymo_session_get_range (session).begin_ns, ==, 800 * MS);
  g_assert_true (kymo_session_can_back (session));
}

static void
append_marker (KymoTable *markers, gint64 begin_ns, gint64 end_ns, const char *severity)
{
  static const char *const words[] = { "MUST", "Type error", NULL, "rank 1", "sent ints" };

  kymo_table_append_int (markers, 0, begin_ns);
  kymo_table_append_int (markers, 1, end_ns);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    kymo_table_append_string (markers, 2 + i, words[i] != NULL ? words[i] : severity);
}

/* Bookmarks of the run lie behind those of the user; only the latter change and are kept. */
static void
test_run_markers (void)
{
  g_autoptr (KymoSession) session = busy_session ();
  g_autoptr (KymoTable) info = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autoptr (KymoTable) kept = NULL;
  g_autofree char *before = text_of (session), *after = NULL;
  KymoTable *markers = kymo_marker_table_new ();
  KymoSpan range;

  append_marker (markers, 300 * MS, 300 * MS, "high");
  append_marker (markers, 400 * MS, 450 * MS, "none");
  kymo_table_set_table (info, "markers", markers);
  kymo_session_set_run_markers (session, info);
  g_assert_cmpuint (kymo_session_get_n_bookmarks (session), ==, 2);
  g_assert_cmpuint (kymo_session_count_bookmarks (session), ==, 4);
  g_assert_cmpstr (kymo_session_peek_bookmark (session, 2)->name, ==, "Type error");
  g_assert_cmpstr (kymo_session_peek_bookmark (session, 2)->note, ==,
                   "High severity: sent ints\nrank 1, MUST");
  g_assert_cmpint (kymo_session_find_bookmark (session, "NO SEVERITY", 0), ==, 3);
  kymo_session_go_to_bookmark (session, 3);
  range = kymo_session_get_range (session);
  g_assert_cmpint (range.begin_ns, ==, 400 * MS);
  g_assert_cmpint (range.end_ns, ==, 450 * MS);
  kymo_session_go_to_bookmark (session, 2);
  range = kymo_session_get_range (session);
  g_assert_cmpint (range.begin_ns, ==, 275 * MS);
  g_assert_cmpint (range.end_ns, ==, 325 * MS);
  kymo_session_back (session);
  kymo_session_back (session);
  after = text_of (session);
  g_assert_cmpstr (after, ==, before);
  kept = kymo_session_dup_bookmarks (session);
  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (kept, "bookmarks", NULL)),
                    ==, 2);
  kymo_session_clear_bookmarks (session);
  g_assert_cmpuint (kymo_session_count_bookmarks (session), ==, 2);
}

int
main (int argc, char **argv)
{
  Scratch home;
  int status;

  /* GLib's own isolated folders leak. */
  g_test_init (&argc, &argv, NULL);
  scratch_up (&home, NULL);
  g_setenv ("XDG_CONFIG_HOME", home.folder, TRUE);
  g_setenv ("XDG_DATA_HOME", home.folder, TRUE);
  g_test_add_func ("/desk-restored/same-run", test_same_run);
  g_test_add_func ("/desk-restored/plain-desk", test_plain_desk);
  g_test_add_func ("/desk-restored/marker-b", test_marker_b);
  g_test_add_func ("/desk-restored/other-run", test_other_run);
  g_test_add_func ("/desk-restored/hostile-restore", test_hostile_restore);
  g_test_add_func ("/desk-restored/bookmarks", test_bookmarks);
  g_test_add_func ("/desk-restored/run-markers", test_run_markers);
  status = g_test_run ();
  scratch_down (&home, NULL);
  return status;
}
