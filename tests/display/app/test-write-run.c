/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialogs that write runs: what they show beforehand, that they write
 * what they showed, stop, and never in place of anything.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#include "kymo-extract-dialog.h"
#include "kymo-open.h"
#include "kymo-reduce-dialog.h"
#include "kymo-run-source.h"

typedef GtkWindow *(*Present) (GtkWindow *, KymoSession *, const char *, KymoWriteDone,
                               GObject *);

typedef struct
{
  char        *path;                   /* of the run */
  char        *folder;                 /* where something is written */
  KymoSession *session;
  GtkWindow   *parent, *dialog;
} Scene;

/* -- the scene ------------------------------------------------------------- */

static char *
data_path (const char *name)
{
  return g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "..", name, NULL);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

/* A copy of a run in a folder of its own, so that what is proposed is beside it. */
static void
scene_open (Scene *scene, const char *name)
{
  g_autofree char *source = data_path (name), *quoted = g_shell_quote (source);
  g_autofree char *command = NULL;
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoRunSource) run_source = NULL;
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;

  scene->folder = g_dir_make_tmp ("kymo-write-XXXXXX", NULL);
  scene->path = g_build_filename (scene->folder, "run", NULL);
  command = g_strdup_printf ("cp -r %s %s/run", quoted, scene->folder);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  run = kymo_open_run (scene->path, &options, NULL, &error);
  g_assert_no_error (error);
  run_source = kymo_run_source_new (run, 0);
  scene->session = kymo_session_new (KYMO_SOURCE (run_source));
  scene->parent = GTK_WINDOW (g_object_ref (gtk_window_new ()));
  gtk_window_present (scene->parent);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
scene_close (Scene *scene)
{
  gtk_window_destroy (scene->parent);
  settle ();
  g_object_unref (scene->parent);
  g_object_unref (scene->session);
  remove_tree (scene->folder);
  g_free (scene->folder);
  g_free (scene->path);
}

static void
on_done (const char *sentence, const char *path, gpointer data)
{
  g_object_set_data_full (data, "sentence", g_strdup (sentence), g_free);
  g_object_set_data_full (data, "path", g_strdup (path), g_free);
}

static void
scene_present (Scene *scene, Present present)
{
  scene->dialog = present (scene->parent, scene->session, scene->path, on_done,
                           G_OBJECT (scene->parent));
  settle ();
}

static const char *
said (Scene *scene, const char *what)
{
  return g_object_get_data (G_OBJECT (scene->parent), what);
}

/* -- what is to be seen ---------------------------------------------------- */

typedef gboolean (*Fits) (GtkWidget *widget, gconstpointer wanted);

static GtkWidget *
find (GtkWidget *top, Fits fits, gconstpointer wanted)
{
  GtkWidget *found = fits (top, wanted) ? top : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (top); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, fits, wanted);
  return found;
}

static gboolean
is_row (GtkWidget *widget, gconstpointer title)
{
  return ADW_IS_PREFERENCES_ROW (widget)
    && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

static gboolean
has_text (GtkWidget *widget, gconstpointer pattern)
{
  return GTK_IS_LABEL (widget)
    && g_regex_match_simple (pattern, gtk_label_get_text (GTK_LABEL (widget)), 0, 0);
}

static gboolean
has_class (GtkWidget *widget, gconstpointer css_class)
{
  return gtk_widget_has_css_class (widget, css_class);
}

static gboolean
has_label (GtkWidget *widget, gconstpointer label)
{
  return GTK_IS_BUTTON (widget)
    && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static GtkWidget *
row (Scene *scene, const char *title)
{
  GtkWidget *found = find (GTK_WIDGET (scene->dialog), is_row, title);

  g_assert_nonnull (found);
  return found;
}

static GtkWidget *
accept_button (Scene *scene)
{
  return find (GTK_WIDGET (scene->dialog), has_class, "suggested-action");
}

static gboolean
sees (Scene *scene, const char *pattern)
{
  return find (GTK_WIDGET (scene->dialog), has_text, pattern) != NULL;
}

static void
wait_for (gboolean (*is) (Scene *), Scene *scene)
{
  gint64 until_us = g_get_monotonic_time () + 120 * G_TIME_SPAN_SECOND;

  while (!is (scene) && g_get_monotonic_time () < until_us)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_true (is (scene));
}

static gboolean
is_ready (Scene *scene)
{
  return gtk_widget_get_sensitive (accept_button (scene));
}

static gboolean
is_done (Scene *scene)
{
  return said (scene, "path") != NULL;
}

static KymoRun *
open_written (Scene *scene)
{
  KymoOpenOptions options = { .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (said (scene, "path"), &options, NULL, &error);

  g_assert_no_error (error);
  return run;
}

/* -- a part ---------------------------------------------------------------- */

/* The sidebar's PEs and the selected range are what is proposed, and written. */
static void
test_part (void)
{
  const gint64 ids[] = { 1, 2, 5 };
  g_autoptr (KymoIdSet) chosen = kymo_id_set_new_list (ids, G_N_ELEMENTS (ids));
  g_autoptr (KymoRun) part = NULL;
  Scene scene = { NULL };
  KymoSpan full, span;

  scene_open (&scene, "data/sample");
  full = kymo_session_get_full_range (scene.session);
  span.begin_ns = full.begin_ns + kymo_span_length (full) / 4;
  span.end_ns = full.begin_ns + kymo_span_length (full) / 2;
  kymo_session_set_locations (scene.session, chosen);
  kymo_session_set_selection (scene.session, &span);
  scene_present (&scene, kymo_extract_dialog_present);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row (&scene, "PEs"))), ==,
                   "3 PEs: 1-2,5");
  g_assert_true (is_ready (&scene));
  g_assert_true (gtk_window_get_focus (scene.dialog) == accept_button (&scene));
  g_assert_nonnull (strstr (gtk_editable_get_text (GTK_EDITABLE (row (&scene, "Name"))), "-part"));
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Name")), "small");
  g_signal_emit_by_name (accept_button (&scene), "clicked");
  wait_for (is_done, &scene);
  g_assert_true (g_regex_match_simple ("^[0-9.]+ .?B of .* written$", said (&scene, "sentence"), 0,
                                       0));
  part = open_written (&scene);
  g_assert_cmpuint (part->locations->len, ==, 3);
  g_assert_cmpint (kymo_run_peek_location (part, 2)->id, ==, 5);
  g_assert_cmpint (part->span.begin_ns, ==, span.begin_ns);
  g_assert_cmpint (part->span.end_ns, ==, span.end_ns);
  scene_close (&scene);
}

/* All PEs and all time can be had all the same. */
static void
test_all (void)
{
  const gint64 ids[] = { 4 };
  g_autoptr (KymoIdSet) chosen = kymo_id_set_new_list (ids, G_N_ELEMENTS (ids));
  g_autoptr (KymoRun) part = NULL;
  Scene scene = { NULL };
  KymoSpan full, span;

  scene_open (&scene, "data/sample");
  full = kymo_session_get_full_range (scene.session);
  span = (KymoSpan) { full.begin_ns, full.begin_ns + kymo_span_length (full) / 8 };
  kymo_session_set_locations (scene.session, chosen);
  kymo_session_set_range (scene.session, span, FALSE);
  scene_present (&scene, kymo_extract_dialog_present);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row (&scene, "PEs"))), ==, "PE 4");
  adw_combo_row_set_selected (ADW_COMBO_ROW (row (&scene, "PEs")), 1);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row (&scene, "Time")), 1);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row (&scene, "PEs"))), ==,
                   "8 PEs: 0-7");
  g_signal_emit_by_name (accept_button (&scene), "clicked");
  wait_for (is_done, &scene);
  part = open_written (&scene);
  g_assert_cmpuint (part->locations->len, ==, 8);
  g_assert_cmpint (part->span.end_ns, ==, full.end_ns);
  scene_close (&scene);
}

/* Names that cannot be are told as they are typed. */
static void
test_names (void)
{
  static const struct { const char *name, *pattern; } wrong[] =
    { { "run", "already" }, { "", "needed" }, { "a/b", "no name" }, { "..", "no name" } };
  Scene scene = { NULL };

  scene_open (&scene, "data/sample");
  scene_present (&scene, kymo_extract_dialog_present);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Name")), wrong[i].name);
      g_assert_true (sees (&scene, wrong[i].pattern));
      g_assert_false (is_ready (&scene));
    }
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Name")), "other");
  g_assert_true (is_ready (&scene));
  scene_close (&scene);
}

/* What goes wrong is said in the dialog, which stays. */
static gboolean
has_failed (Scene *scene)
{
  return sees (scene, "Cannot write");
}

static void
test_failed (void)
{
  Scene scene = { NULL };
  g_autofree char *taken = NULL;

  scene_open (&scene, "data/sample");
  scene_present (&scene, kymo_extract_dialog_present);
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Name")), "late");
  taken = g_build_filename (scene.folder, "late", NULL);
  g_assert_cmpint (g_mkdir (taken, 0755), ==, 0);
  g_signal_emit_by_name (accept_button (&scene), "clicked");
  wait_for (has_failed, &scene);
  g_assert_false (is_done (&scene));
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Name")), "later");
  g_assert_true (is_ready (&scene));
  scene_close (&scene);
}

/* The window may go while it is written: that is stopped, and nothing is left. */
static void
test_closed (void)
{
  Scene scene = { NULL };

  scene_open (&scene, "data/sample");
  scene_present (&scene, kymo_reduce_dialog_present);
  wait_for (is_ready, &scene);
  g_signal_emit_by_name (accept_button (&scene), "clicked");
  gtk_window_destroy (scene.dialog);
  for (guint i = 0; i < 200; i++)
    {
      settle ();
      g_usleep (1000);
    }
  if (is_done (&scene))
    kymo_run_unref (open_written (&scene));
  else
    {
      g_autoptr (GDir) dir = g_dir_open (scene.folder, 0, NULL);

      g_assert_cmpstr (g_dir_read_name (dir), ==, "run");
      g_assert_null (g_dir_read_name (dir));
    }
  scene_close (&scene);
}

static void
test_summary (void)
{
  Scene scene = { NULL };

  scene_open (&scene, "tests/data/jacobi2d-sum-p8");
  scene_present (&scene, kymo_extract_dialog_present);
  g_assert_true (sees (&scene, "summary or a stream"));
  g_assert_false (is_ready (&scene));
  gtk_window_destroy (scene.dialog);
  scene_present (&scene, kymo_reduce_dialog_present);
  g_assert_true (sees (&scene, "summary or a stream"));
  g_assert_false (is_ready (&scene));
  scene_close (&scene);
}

/* -- a reduction ----------------------------------------------------------- */

static gboolean
stands_for_two (Scene *scene)
{
  return is_ready (scene) && sees (scene, "^2 of 8 PEs stand for all");
}

static gboolean
stands_for_bound (Scene *scene)
{
  return is_ready (scene) && sees (scene, "^[1-8] of 8 PEs stand for all");
}

/* What is shown beforehand is what is written. */
static void
test_reduce (void)
{
  g_autoptr (KymoRun) reduced = NULL;
  Scene scene = { NULL };

  scene_open (&scene, "data/sample");
  scene_present (&scene, kymo_reduce_dialog_present);
  /* Enter never cancels, and reduces as soon as it is known what is kept. */
  if (!is_ready (&scene))
    g_assert_null (gtk_window_get_focus (scene.dialog));
  wait_for (is_ready, &scene);
  g_assert_true (gtk_window_get_focus (scene.dialog) == accept_button (&scene));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row (&scene, "Keep")), 1);
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Clusters (as 5, or 2-10 for the best)")), "2");
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "PEs to Keep (as 51, or 10%)")), "2");
  g_assert_false (is_ready (&scene));
  wait_for (stands_for_two, &scene);
  g_assert_true (sees (&scene, "at most [0-9.]+ % off"));
  g_signal_emit_by_name (accept_button (&scene), "clicked");
  wait_for (is_done, &scene);
  reduced = open_written (&scene);
  g_assert_cmpuint (reduced->locations->len, ==, 2);
  g_assert_nonnull (reduced->reduction);
  scene_close (&scene);
}

static gboolean
names_none (Scene *scene)
{
  return is_ready (scene) && !sees (scene, "(is|are) dropped, among");
}

/* Who is missed is named, and kept by one click; a large error and clusters that came to nothing
   are told. */
static void
test_keep_them (void)
{
  g_autoptr (KymoRun) reduced = NULL;
  Scene scene = { NULL };
  GtkWidget *keep_them;

  scene_open (&scene, "data/sample");
  scene_present (&scene, kymo_reduce_dialog_present);
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Outliers (as 26, or 10%)")), "0");
  g_assert_false (is_ready (&scene));
  wait_for (is_ready, &scene);
  g_assert_true (sees (&scene, "^PE [0-9](, PE [0-9])* (is|are) dropped, among the busiest: "
                       "(up to )?[0-9]+ ms of useful time, 10[0-9]\\.[0-9] % of the average\\.$"));
  g_assert_true (sees (&scene, "The error of [1-9][0-9]\\.[0-9]+ % is above 10 %"));
  g_assert_true (sees (&scene, "clusters are left of 5 seeds"));
  keep_them = find (GTK_WIDGET (scene.dialog), has_label, "_Keep Them");
  g_signal_emit_by_name (keep_them, "clicked");
  wait_for (names_none, &scene);
  g_assert_false (gtk_widget_get_visible (keep_them));
  g_signal_emit_by_name (accept_button (&scene), "clicked");
  wait_for (is_done, &scene);
  reduced = open_written (&scene);
  g_assert_cmpuint (reduced->locations->len, >, 5);
  scene_close (&scene);
}

/* Runs of functions are written anew: they have no logs, and how large they become is not known to
   the byte. */
static void
test_reduce_functions (void)
{
  g_autoptr (KymoRun) reduced = NULL;
  Scene scene = { NULL };

  scene_open (&scene, "tests/data/tau/trace-coll-4");
  scene_present (&scene, kymo_reduce_dialog_present);
  wait_for (is_ready, &scene);
  g_assert_true (sees (&scene, "stands? for all · about [0-9]"));
  g_assert_false (sees (&scene, "of logs"));
  g_signal_emit_by_name (accept_button (&scene), "clicked");
  wait_for (is_done, &scene);
  reduced = open_written (&scene);
  g_assert_nonnull (reduced->reduction);
  scene_close (&scene);
}

/* Wrong words are told; a bound is a share. */
static void
test_wishes (void)
{
  Scene scene = { NULL };
  GtkWidget *entry;

  scene_open (&scene, "data/sample");
  scene_present (&scene, kymo_reduce_dialog_present);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row (&scene, "Keep")), 2);
  entry = row (&scene, "Largest Error of a Time Profile");
  g_assert_false (gtk_widget_get_visible (row (&scene, "Outliers (as 26, or 10%)")));
  for (guint i = 0; i < 5; i++)
    {
      gtk_editable_set_text (GTK_EDITABLE (entry), (const char *[]) { "", "x", "2%%", "-1%",
                                                                      "150%" }[i]);
      settle ();
      g_assert_true (sees (&scene, "is a share"));
      g_assert_false (is_ready (&scene));
    }
  gtk_editable_set_text (GTK_EDITABLE (entry), "30 %");
  wait_for (stands_for_bound, &scene);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row (&scene, "Keep")), 0);
  gtk_editable_set_text (GTK_EDITABLE (row (&scene, "Outliers (as 26, or 10%)")), "many");
  while (!sees (&scene, "many"))
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (is_ready (&scene));
  scene_close (&scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/write-run/part", test_part);
  g_test_add_func ("/write-run/all", test_all);
  g_test_add_func ("/write-run/names", test_names);
  g_test_add_func ("/write-run/failed", test_failed);
  g_test_add_func ("/write-run/closed", test_closed);
  g_test_add_func ("/write-run/summary", test_summary);
  g_test_add_func ("/write-run/reduce", test_reduce);
  g_test_add_func ("/write-run/keep-them", test_keep_them);
  g_test_add_func ("/write-run/reduce-functions", test_reduce_functions);
  g_test_add_func ("/write-run/wishes", test_wishes);
  return g_test_run ();
}
