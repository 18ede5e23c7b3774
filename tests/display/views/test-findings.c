/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The findings of a run in a run view: their rows say what kymo_diagnose() tells, follow the
 * visible range, lead to the view of the evidence with its time and rows, and can be copied.
 *
 * Needs a display.
 */
#include "config.h"

#include <string.h>

#include "kymo-copy.h"
#include "kymo-diagnose.h"
#include "kymo-finding-measure.h"
#include "kymo-finding-note.h"
#include "kymo-findings-text.h"
#include "kymo-findings-view.h"
#include "kymo-limits-group.h"
#include "kymo-run-source.h"
#include "kymo-session-selected.h"
#include "run_desk.h"

static KymoTable *
diagnose_range (Desk *desk, KymoSpan range)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (KYMO_QUESTION_FINDINGS);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, range);
  answer = kymo_diagnose (desk->source, question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static GtkWidget *
show_page (Desk *desk)
{
  GtkWidget *page;

  kymo_run_view_set_view (desk->view, "findings");
  page = desk_need (GTK_WIDGET (desk->view), KYMO_TYPE_FINDINGS_VIEW, NULL);
  WAIT_FOR (kymo_findings_view_is_settled (KYMO_FINDINGS_VIEW (page)));
  return page;
}

/* Titles of the rows that are seen, in their order. */
static GPtrArray *
list_titles (GtkWidget *page)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  GPtrArray *titles = g_ptr_array_new_with_free_func (g_free);

  desk_collect (page, ADW_TYPE_EXPANDER_ROW, rows);
  for (guint i = 0; i < rows->len; i++)
    if (gtk_widget_get_mapped (rows->pdata[i]))
      g_ptr_array_add (titles, g_strdup (adw_preferences_row_get_title (rows->pdata[i])));
  return titles;
}

static void
assert_shows (GtkWidget *page, const KymoTable *answer)
{
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  guint n = kymo_table_get_n_rows (findings);
  g_autoptr (GPtrArray) titles = list_titles (page);

  g_assert_cmpuint (titles->len, >=, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (titles->pdata[i], ==, kymo_table_get_string (findings, "title", i));
}

static void
test_rows (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  g_autoptr (KymoTable) answer = diagnose_range (desk, KYMO_SPAN_ALL);

  g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (answer, "findings", NULL)), >,
                    0);
  assert_shows (page, answer);
}

/* Every kind of run opens with what limits it. */
static void
test_first (Desk *desk, gconstpointer data)
{
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "findings");
  g_assert_true (kymo_run_view_has_picture (desk->view));
}

/* Before any rule is tested the page tells the efficiencies of the whole run. */
static void
test_draft (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (KYMO_QUESTION_FINDINGS);
  g_autoptr (KymoTable) answer = diagnose_range (desk, kymo_source_get_span (desk->source));
  g_autoptr (KymoTable) draft = NULL;
  g_autofree char *first = NULL, *last = kymo_findings_dup_efficiency (answer);
  g_autoptr (GError) error = NULL;

  kymo_question_set_span (question, KYMO_SPAN_ALL);
  draft = kymo_diagnose_draft (desk->source, question, NULL, &error);
  g_assert_no_error (error);
  first = kymo_findings_dup_efficiency (draft);
  g_assert_nonnull (first);
  g_assert_cmpstr (first, ==, last);
}

static gboolean
names_path (GtkWidget *group)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  gboolean found = FALSE;

  desk_collect (group, ADW_TYPE_ACTION_ROW, rows);
  for (guint i = 0; i < rows->len; i++)
    found |= strstr (adw_preferences_row_get_title (rows->pdata[i]), "Critical path: ") != NULL;
  return found;
}

/* A draft has no messages: what they tell is asked for when the run has been read. */
static void
test_read (Desk *desk, gconstpointer data)
{
  KymoRunSource *source = KYMO_RUN_SOURCE (desk->source);
  g_autoptr (KymoRun) run = kymo_run_source_ref_run (source);
  g_autoptr (GtkWidget) group = NULL;

  run->draft = g_strdup ("of a few of its files");
  kymo_run_source_set_run (source, run);
  group = g_object_ref_sink (kymo_limits_group_new (desk->session));
  WAIT_FOR (kymo_limits_group_is_settled (KYMO_LIMITS_GROUP (group)));
  g_assert_false (names_path (group));
  g_clear_pointer (&run->draft, g_free);
  kymo_run_source_set_run (source, run);
  WAIT_FOR (names_path (group));
}

/* The visible range counts: of the beginning alone other causes are told. */
static void
test_range (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  KymoSpan whole = kymo_session_get_full_range (desk->session);
  KymoSpan early = { whole.begin_ns, whole.begin_ns + kymo_span_length (whole) / 8 };
  g_autoptr (KymoTable) before = diagnose_range (desk, KYMO_SPAN_ALL);
  g_autoptr (KymoTable) after = NULL;
  gint64 cost_ns;

  kymo_session_set_range (desk->session, early, TRUE);
  early = kymo_session_get_range (desk->session);
  WAIT_FOR (kymo_findings_view_is_settled (KYMO_FINDINGS_VIEW (page)));
  after = diagnose_range (desk, early);
  assert_shows (page, after);
  cost_ns = kymo_table_get_int (kymo_table_peek_nested (after, "findings", NULL), "cost_ns", 0);
  g_assert_cmpint (cost_ns, <=, kymo_span_length (early));
  g_assert_cmpint (cost_ns, !=, kymo_table_get_int (
                     kymo_table_peek_nested (before, "findings", NULL), "cost_ns", 0));
}

static AdwPreferencesGroup *
find_first (GtkWidget *page)
{
  return ADW_PREFERENCES_GROUP (desk_need (page, ADW_TYPE_PREFERENCES_GROUP, NULL));
}

/* Of a part of the run the page says so, and one button leads back to all of it. */
static void
test_part (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk), *button = desk_need (page, GTK_TYPE_BUTTON, "_Whole Run");
  KymoSpan whole = kymo_session_get_full_range (desk->session), range;
  g_autofree char *title = g_strdup (adw_preferences_group_get_title (find_first (page)));

  g_assert_false (gtk_widget_get_visible (button));
  range = (KymoSpan) { whole.begin_ns, kymo_span_middle (whole) };
  kymo_session_set_range (desk->session, range, TRUE);
  WAIT_FOR (kymo_findings_view_is_settled (KYMO_FINDINGS_VIEW (page)));
  g_assert_cmpstr (adw_preferences_group_get_title (find_first (page)), !=, title);
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
  range = kymo_session_get_range (desk->session);
  g_assert_cmpint (range.begin_ns, ==, whole.begin_ns);
  g_assert_cmpint (range.end_ns, ==, whole.end_ns);
  WAIT_FOR (kymo_findings_view_is_settled (KYMO_FINDINGS_VIEW (page)));
  g_assert_cmpstr (adw_preferences_group_get_title (find_first (page)), ==, title);
  g_assert_false (gtk_widget_get_visible (button));
}

/* Of a run that lacks records the page says so, with its figures. */
static void
test_losses (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  const char *description = adw_preferences_group_get_description (find_first (page));

  g_assert_true (g_str_has_prefix (description, "Parallel efficiency "));
  g_assert_true (g_str_has_suffix (description, "\nThis run is incomplete (1 problem)"));
}

static void
test_show (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  g_autoptr (KymoTable) answer = diagnose_range (desk, KYMO_SPAN_ALL);
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  const guint *offsets;
  const KymoTable *rows = kymo_table_peek_nested (findings, "locations", &offsets);
  KymoSpan range;

  g_signal_emit_by_name (desk_need (page, GTK_TYPE_BUTTON, "_Show"), "clicked");
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==,
                   kymo_table_get_string (findings, "view", 0));
  range = kymo_session_get_range (desk->session);
  g_assert_cmpint (range.begin_ns, ==, kymo_table_get_int (findings, "begin_ns", 0));
  g_assert_cmpint (range.end_ns, ==, kymo_table_get_int (findings, "end_ns", 0));
  g_assert_cmpuint (offsets[1], >, 0);
  for (guint i = 0; i < offsets[1]; i++)
    g_assert_true (kymo_id_set_contains (kymo_session_peek_selected_rows (desk->session),
                                         kymo_table_get_int (rows, "location", i)));
}

/* A cause that names a block leads to that block, in the middle of the range. */
static void
test_block (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  g_autoptr (KymoTable) answer = diagnose_range (desk, KYMO_SPAN_ALL);
  const KymoTable *findings = kymo_table_peek_nested (answer, "findings", NULL);
  const guint *offsets;
  const KymoTable *blocks = kymo_table_peek_nested (findings, "blocks", &offsets);
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  guint row = 0, n = 0;
  gint64 location, time_ns;
  KymoSpan range, block;

  while (strcmp (kymo_table_get_string (findings, "id", row), "os.stretched-blocks") != 0)
    row++;
  g_assert_cmpuint (offsets[row + 1], ==, offsets[row] + 1);
  block = (KymoSpan) { kymo_table_get_int (blocks, "begin_ns", offsets[row]),
                       kymo_table_get_int (blocks, "end_ns", offsets[row]) };
  desk_collect (page, GTK_TYPE_BUTTON, buttons);
  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_button_get_label (buttons->pdata[i]), "_Show") == 0 && n++ == row)
      g_signal_emit_by_name (buttons->pdata[i], "clicked");
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "timeline");
  range = kymo_session_get_range (desk->session);
  g_assert_cmpint (kymo_span_middle (range), ==, kymo_span_middle (block));
  g_assert_cmpint (kymo_span_length (range), <=, 4 * kymo_span_length (block));
  g_assert_true (kymo_session_get_block (desk->session, &location, &time_ns));
  g_assert_cmpint (location, ==, kymo_table_get_int (blocks, "location", offsets[row]));
  g_assert_true (time_ns >= block.begin_ns && time_ns < block.end_ns);
}

/* Each cause leads to a view that the run has. */
static void
test_leads (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  guint n = 0;

  desk_collect (page, GTK_TYPE_BUTTON, buttons);
  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_button_get_label (buttons->pdata[i]), "_Show") == 0
        && gtk_widget_get_mapped (buttons->pdata[i]))
      {
        n++;
        g_signal_emit_by_name (buttons->pdata[i], "clicked");
        g_assert_cmpstr (kymo_run_view_get_view (desk->view), !=, "findings");
        kymo_run_view_set_view (desk->view, "findings");
        WAIT_FOR (gtk_widget_get_mapped (buttons->pdata[i]));
      }
  g_assert_cmpuint (n, >, 0);
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static void
test_copy (Desk *desk, gconstpointer data)
{
  static const struct { const char *action; KymoFindingsForm form; } copies[] = {
    { "findings.copy-text", KYMO_FINDINGS_TEXT },
    { "findings.copy-markdown", KYMO_FINDINGS_MARKDOWN },
  };
  GtkWidget *page = show_page (desk);
  g_autoptr (KymoTable) answer = diagnose_range (desk, KYMO_SPAN_ALL);

  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *copied = NULL;

      kymo_findings_write (answer, copies[i].form, text);
      g_assert_true (gtk_widget_activate_action (page, copies[i].action, NULL));
      gdk_clipboard_read_text_async (gtk_widget_get_clipboard (page), NULL, on_text, &copied);
      WAIT_FOR (copied != NULL);
      g_assert_cmpstr (copied, ==, text->str);
    }
}

static void
on_texture (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  *(GdkTexture **) data = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (clipboard), result,
                                                            NULL);
}

/* The copied picture shows the page, also while a button of the page changes. */
static void
test_picture (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (page);
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree guint32 *pixels = NULL;
  GdkContentProvider *before = gdk_clipboard_get_content (clipboard);
  gsize n, differs = 0;

  gtk_widget_queue_draw (desk_need (page, GTK_TYPE_BUTTON, "_Show"));
  g_assert_true (kymo_copy_widget (page));
  WAIT_FOR (gdk_clipboard_get_content (clipboard) != before);
  gdk_clipboard_read_texture_async (clipboard, NULL, on_texture, &texture);
  WAIT_FOR (texture != NULL);
  n = (gsize) gdk_texture_get_width (texture) * gdk_texture_get_height (texture);
  pixels = g_new (guint32, n);
  gdk_texture_download (texture, (guchar *) pixels, 4 * gdk_texture_get_width (texture));
  for (gsize i = 0; i < n; i++)
    differs += pixels[i] != pixels[0];
  g_assert_cmpuint (differs, >, n / 100);
}

/* Of a profile without ranks that differ little can be tested; nothing is made up. */
static void
test_untested (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  g_autoptr (KymoTable) answer = diagnose_range (desk, KYMO_SPAN_ALL);
  guint n = 0, n_told;
  g_autoptr (KymoTable) groups = kymo_findings_group_untested (answer, &n_told);
  g_autoptr (GPtrArray) titles = list_titles (page);
  g_autofree char *last = NULL;

  /* As many as it lists. */
  for (guint i = 0; i < kymo_table_get_n_rows (groups); i++)
    {
      g_auto (GStrv) causes = g_strsplit (kymo_table_get_string (groups, "why", i), "; ", -1);

      n += g_strv_length (causes);
    }
  last = g_strdup_printf ("Not tested, needs more (%u)", n);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n_told, ==, n);
  g_assert_cmpstr (titles->pdata[titles->len - 1], ==, last);
}

static GPtrArray *
list_expanders (GtkWidget *page)
{
  GPtrArray *rows = g_ptr_array_new ();

  desk_collect (page, ADW_TYPE_EXPANDER_ROW, rows);
  return rows;
}

/* A cause that is acknowledged goes below the others with its note, and comes back. */
static void
test_acknowledge (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  g_autoptr (GPtrArray) before = list_titles (page), after = NULL, again = NULL, rows = NULL;
  GtkWidget *note = desk_need (page, KYMO_TYPE_FINDING_NOTE, NULL);
  g_autofree char *quiet = g_strdup_printf ("%s: ", (char *) before->pdata[0]);
  guint found = 0;

  gtk_editable_set_text (GTK_EDITABLE (desk_need (note, GTK_TYPE_ENTRY, NULL)), "It is known");
  g_signal_emit_by_name (desk_need (note, GTK_TYPE_BUTTON, "_Acknowledge"), "clicked");
  after = list_titles (page);
  g_assert_cmpstr (after->pdata[0], !=, before->pdata[0]);
  rows = list_expanders (page);
  for (guint i = 0; i < rows->len; i++)
    if (gtk_widget_get_visible (rows->pdata[i])
        && g_str_has_prefix (adw_preferences_row_get_title (rows->pdata[i]), quiet))
      {
        g_assert_cmpstr (adw_expander_row_get_subtitle (rows->pdata[i]), ==, "It is known");
        found++;
      }
  g_assert_cmpuint (found, ==, 1);
  g_signal_emit_by_name (desk_need (page, GTK_TYPE_BUTTON, "_Withdraw"), "clicked");
  again = list_titles (page);
  g_assert_cmpstr (again->pdata[0], ==, before->pdata[0]);
  g_assert_cmpuint (again->len, ==, before->len);
}

/* (nullable): the dialog that asks for consent */
static GtkWidget *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window) && gtk_widget_get_visible (window))
        return window;
    }
  return NULL;
}

/* A run that needs a probe offers one, and asks first; what cannot be started tells why. */
static void
test_measure (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  GtkWidget *measure = desk_need (page, KYMO_TYPE_FINDING_MEASURE, NULL);
  GtkWidget *row = desk_need (measure, ADW_TYPE_ACTION_ROW, NULL);
  GtkWidget *button = desk_need (measure, GTK_TYPE_BUTTON, NULL), *dialog;
  const char *label = gtk_button_get_label (GTK_BUTTON (button));
  g_autofree char *offer = g_strdup (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)));

  g_assert_true (gtk_widget_get_visible (measure));
  g_assert_cmpstr (label, ==, "Measure…");
  g_assert_nonnull (strstr (offer, "about 3 s"));
  g_signal_emit_by_name (button, "clicked");
  WAIT_FOR (find_dialog () != NULL);
  gtk_window_close (GTK_WINDOW (find_dialog ()));
  WAIT_FOR (find_dialog () == NULL);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, offer);
  g_signal_emit_by_name (button, "clicked");
  WAIT_FOR (find_dialog () != NULL);
  dialog = find_dialog ();
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "measure");
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Stop");
  WAIT_FOR (strcmp (gtk_button_get_label (GTK_BUTTON (button)), "Measure…") == 0);
  g_assert_nonnull (strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "it ran on"));
}

/* A profile has no block to go to: the page names the functions with most of the time, and one
   click shows them. */
static void
test_functions (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  GtkWidget *row = NULL;

  desk_collect (page, ADW_TYPE_ACTION_ROW, rows);
  for (guint i = 0; i < rows->len; i++)
    if (gtk_widget_get_mapped (rows->pdata[i]) && g_str_has_prefix (
          adw_preferences_row_get_title (rows->pdata[i]), "Most of TIME: "))
      row = rows->pdata[i];
  g_assert_nonnull (row);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==,
                   "Most of TIME: leaf (95.7\u00a0%), mid (4.3\u00a0%)");
  g_signal_emit_by_name (desk_need (row, GTK_TYPE_BUTTON, "_Profile"), "clicked");
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, "thread-table");
}

/* Nothing tells where this run was. */
static void
test_no_measure (Desk *desk, gconstpointer data)
{
  GtkWidget *page = show_page (desk);

  g_assert_false (gtk_widget_get_visible (desk_need (page, KYMO_TYPE_FINDING_MEASURE, NULL)));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name, *run;
    void      (*test) (Desk *desk, gconstpointer data);
  } tests[] = {
    { "/findings/first-trace", NULL, test_first },
    { "/findings/first-summary", "tests/data/jacobi2d-sum-p8", test_first },
    { "/findings/first-damaged", "tests/data/tau/trace-aborted-3", test_first },
    { "/findings/first-profile", "tests/data/tau/multi-coll-8", test_first },
    { "/findings/draft", NULL, test_draft },
    { "/findings/draft-profile", "tests/data/tau/multi-coll-8", test_draft },
    { "/findings/read", NULL, test_read },
    { "/findings/rows", NULL, test_rows },
    { "/findings/ranks", "tests/data/otf2-stencil-4", test_rows },
    { "/findings/range", NULL, test_range },
    { "/findings/part", NULL, test_part },
    { "/findings/losses", "tests/data/jacobi2d-traceprocs-p6", test_losses },
    { "/findings/show", NULL, test_show },
    { "/findings/block", "tests/data/v10-feat-p3-text", test_block },
    { "/findings/acknowledge", NULL, test_acknowledge },
    { "/findings/leads", "tests/data/tau/trace-mw-8", test_leads },
    { "/findings/leads-profile", "tests/data/tau/flat-stencil-4", test_leads },
    { "/findings/leads-summary", "tests/data/jacobi2d-sum-p8", test_leads },
    { "/findings/copy", NULL, test_copy },
    { "/findings/picture", NULL, test_picture },
    { "/findings/untested", "tests/data/tau/multi-coll-8", test_untested },
    { "/findings/measure", "tests/data/record-made", test_measure },
    { "/findings/functions", "tests/data/tau/gprof-basic/gprof.txt", test_functions },
    { "/findings/no-measure", "tests/data/tau/multi-coll-8", test_no_measure },
  };

  desk_init (&argc, &argv);
  kymo_run_view_open_with (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Desk, tests[i].run, desk_open, tests[i].test, desk_close);
  return g_test_run ();
}
