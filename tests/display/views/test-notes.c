/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person notes and colours by hand: the dialog of a bookmark makes and changes
 * one, the popover of the legend gives a name or its group a colour, takes it back and
 * hides all others, tells its contrast, and opens from the menu of a block, too; the legend
 * is sorted.
 *
 * A search finds bookmarks by name and note, goes through them with the blocks of the run, and
 * ends with a sentence where an expression takes too many steps.
 *
 * Needs a display.
 */
#include "config.h"

#include <string.h>

#include "desk.h"
#include "kymo-bookmark-dialog.h"
#include "kymo-bookmark-marks.h"
#include "kymo-bookmarks.h"
#include "kymo-canvas.h"
#include "kymo-color-popover.h"
#include "kymo-dialogs.h"
#include "kymo-finder.h"
#include "kymo-legend-pane.h"
#include "kymo-session-colors.h"

typedef struct
{
  GtkWidget   *window, *legend;
  KymoSession *session;
} Desk;

static void
desk_up (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoSource) source = desk_open_run ("tests/data/feat-p4-text");

  desk->session = kymo_session_new (source);
  desk->legend = kymo_legend_pane_new (desk->session);
  desk->window = desk_present (desk->legend, 320, 600);
  WAIT_FOR (kymo_session_peek_names (desk->session) != NULL);
}

static void
desk_down (Desk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
}

static void
fill (GtkWindow *dialog, const char *name, const char *note)
{
  GtkWidget *view = desk_need (GTK_WIDGET (dialog), GTK_TYPE_TEXT_VIEW, NULL);

  gtk_editable_set_text (GTK_EDITABLE (desk_need (GTK_WIDGET (dialog), GTK_TYPE_ENTRY, NULL)),
                         name);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), note, -1);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "accept");
  gtk_window_destroy (dialog);
}

static void
test_bookmark (Desk *desk, gconstpointer data)
{
  g_autoptr (KymoIdSet) pes = kymo_id_set_parse ("1-2", NULL);
  GtkWindow *parent = GTK_WINDOW (desk->window);
  const KymoBookmark *bookmark;

  fill (kymo_bookmark_dialog_show (parent, desk->session, -1, "x", NULL, NULL), "all", "why?");
  kymo_session_set_locations (desk->session, pes);
  fill (kymo_bookmark_dialog_show (parent, desk->session, -1, "x", NULL, NULL), "two", "");
  g_assert_cmpuint (kymo_session_get_n_bookmarks (desk->session), ==, 2);
  bookmark = kymo_session_peek_bookmark (desk->session, 0);
  g_assert_cmpstr (bookmark->name, ==, "all");
  g_assert_cmpstr (bookmark->note, ==, "why?");
  g_assert_null (bookmark->locations);
  g_assert_true (kymo_session_peek_bookmark (desk->session, 1)->locations == pes);
  fill (kymo_bookmark_dialog_show (parent, desk->session, 0, NULL, NULL, NULL), "early", "so");
  g_assert_cmpstr (bookmark->name, ==, "early");
  g_assert_null (bookmark->locations);
}

static void
test_searched (Desk *desk, gconstpointer data)
{
  KymoSpan full = kymo_session_get_full_range (desk->session);
  KymoSpan early = { full.begin_ns + 10, full.begin_ns + 5000 };
  KymoSpan late = { full.begin_ns + 70000, full.begin_ns + 90000 };
  g_autofree char *many = g_strnfill (200, 'a');
  g_autofree char *note = g_strconcat (many, "!", NULL);
  g_autofree char *words = NULL;
  KymoFinder *finder = kymo_finder_of (desk->session);

  kymo_session_add_note (desk->session, late, "zebra two", note, NULL);
  kymo_session_add_note (desk->session, early, "first", "a Zebra in the note", NULL);
  kymo_finder_set (finder, "zebra", FALSE);
  /* At once: the step waits until the bookmarks are looked at. */
  kymo_finder_step (finder, "next");
  WAIT_FOR (kymo_finder_get_n_found (finder) == 2
            && kymo_session_get_range (desk->session).begin_ns == early.begin_ns);
  kymo_finder_step (finder, "next");
  WAIT_FOR (kymo_session_get_range (desk->session).begin_ns == late.begin_ns);
  kymo_finder_step (finder, "next");
  WAIT_FOR (kymo_session_get_range (desk->session).begin_ns == early.begin_ns);
  words = kymo_finder_dup_words (finder);
  g_assert_cmpstr (words, ==, "1 of 2, again from the beginning");
  /* None of several steps is lost, however quickly they come. */
  kymo_finder_step (finder, "next");
  kymo_finder_step (finder, "previous");
  kymo_finder_step (finder, "next");
  WAIT_FOR (kymo_session_get_range (desk->session).begin_ns == late.begin_ns);
  /* What is found is found anew when there is another one. */
  kymo_session_add_note (desk->session, late, "zebra three", "", NULL);
  WAIT_FOR (kymo_finder_get_n_found (finder) == 3);
  kymo_finder_set (finder, "(a+)+$", TRUE);
  WAIT_FOR (kymo_finder_peek_failure (finder) != NULL);
  g_assert_nonnull (strstr (kymo_finder_peek_failure (finder), "too many steps"));
  /* It goes with the bookmark that it was about. */
  kymo_session_remove_bookmark (desk->session, kymo_session_find_bookmark (
                                  desk->session, "zebra two", 0));
  WAIT_FOR (kymo_finder_peek_failure (finder) == NULL
            && kymo_finder_get_n_found (finder) >= 0);
}

static void
keep_outcome (const char *name, KymoBookmarkOutcome outcome, gpointer data)
{
  g_object_set_data (data, "outcome", GINT_TO_POINTER (outcome + 1));
}

static int
outcome_of (Desk *desk)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (desk->window), "outcome")) - 1;
}

/* A bookmark that goes while it is changed is told to be gone. */
static void
test_gone (Desk *desk, gconstpointer data)
{
  GtkWindow *parent = GTK_WINDOW (desk->window), *dialog;

  kymo_session_add_bookmark (desk->session, "first");
  kymo_session_add_bookmark (desk->session, "second");
  fill (kymo_bookmark_dialog_show (parent, desk->session, 1, NULL, keep_outcome, desk->window),
        "other", "");
  g_assert_cmpint (outcome_of (desk), ==, KYMO_BOOKMARK_CHANGED);
  dialog = kymo_bookmark_dialog_show (parent, desk->session, 1, NULL, keep_outcome,
                                      desk->window);
  kymo_session_remove_bookmark (desk->session, 1);
  fill (dialog, "late", "");
  g_assert_cmpint (outcome_of (desk), ==, KYMO_BOOKMARK_GONE);
  g_assert_cmpuint (kymo_session_get_n_bookmarks (desk->session), ==, 1);
  g_assert_cmpstr (kymo_session_peek_bookmark (desk->session, 0)->name, ==, "first");
}

static void
do_nothing (const char *text, gpointer data)
{
  g_assert_not_reached ();
}

/* Who asked is let go, though nobody has answered. */
static void
test_unanswered (Desk *desk, gconstpointer data)
{
  for (guint i = 0; i < 4; i++)
    {
      GtkWindow *parent = GTK_WINDOW (adw_window_new ());
      GObject *asking = g_object_new (G_TYPE_OBJECT, NULL);
      gpointer gone = asking;

      g_object_add_weak_pointer (asking, &gone);
      gtk_window_present (parent);
      if (i == 0)
        kymo_dialog_ask_text (parent, "Name", "A name", "", "_Save", do_nothing, asking);
      else if (i == 1)
        kymo_dialog_ask_unsaved (parent, "Something", do_nothing, asking);
      else if (i == 2)
        kymo_dialog_save_desk (parent, "a.kymodesk", do_nothing, asking);
      else
        kymo_bookmark_dialog_show (parent, desk->session, -1, "name", NULL, asking);
      g_object_unref (asking);
      desk_turn ();
      g_assert_nonnull (gone);
      gtk_window_destroy (parent);
      WAIT_FOR (gone == NULL);
    }
}

/* What the ruler tells on hovering: the shortest first, and that there are more. */
static void
test_hovered (Desk *desk, gconstpointer data)
{
  KymoSpan range = kymo_session_get_range (desk->session);
  gint64 tenth = kymo_span_length (range) / 10;
  g_autofree char *one = NULL, *many = NULL, *none = NULL, *long_name = g_strnfill (5000, 'x');
  KymoPlotFrame frame;

  kymo_plot_frame_init (&frame, 1000, 28, FALSE, NULL, range);
  kymo_session_add_note (desk->session, (KymoSpan) { range.begin_ns, range.begin_ns + 5 * tenth },
                         "half", "slow\nhere", NULL);
  kymo_session_add_note (desk->session, (KymoSpan) { range.begin_ns, range.begin_ns + tenth },
                         long_name, NULL, NULL);
  one = kymo_bookmarks_dup_words (
    desk->session, &frame, kymo_plot_time_to_x (&frame, range.begin_ns + 3 * tenth));
  g_assert_true (g_str_has_prefix (one, "half\n"));
  g_assert_true (g_str_has_suffix (one, "\nslow\nhere"));
  none = kymo_bookmarks_dup_words (
    desk->session, &frame, kymo_plot_time_to_x (&frame, range.begin_ns + 8 * tenth));
  g_assert_null (none);
  for (guint i = 0; i < 4; i++)
    kymo_session_add_note (desk->session, range, "all", NULL, NULL);
  many = kymo_bookmarks_dup_words (
    desk->session, &frame, kymo_plot_time_to_x (&frame, range.begin_ns + tenth / 2));
  g_assert_true (g_str_has_prefix (many, "xxx"));
  g_assert_true (g_str_has_suffix (many, "and 3 more here"));
  g_assert_cmpuint (g_utf8_strlen (many, -1), <, 400);
}

static void
click (GtkWidget *top, const char *words)
{
  g_signal_emit_by_name (desk_need (top, GTK_TYPE_BUTTON, words), "clicked");
}

static guint
count_choices (Desk *desk)
{
  return kymo_palette_get_n_choices (kymo_session_peek_palette (desk->session));
}

static const char *
contrast_of (GtkWidget *popover)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  desk_collect (popover, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (g_str_has_prefix (gtk_label_get_text (labels->pdata[i]), "Contrast "))
      return gtk_label_get_text (labels->pdata[i]);
  g_assert_not_reached ();
}

/* The labels of a menu, a line each. */
static void
add_lines (GMenuModel *menu, GString *text)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autofree char *label = NULL;

      if (section != NULL)
        add_lines (section, text);
      else if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
        g_string_append_printf (text, "%s\n", label);
    }
}

/* (transfer full): of the menu of a canvas, opened with the second button */
static char *
dup_menu_at (GtkWidget *canvas, double x, double y)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (canvas);
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *menu;

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (GTK_IS_GESTURE_CLICK (one)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (one)) == GDK_BUTTON_SECONDARY)
        g_signal_emit_by_name (one, "pressed", 1, x, y);
    }
  menu = desk_need (canvas, GTK_TYPE_POPOVER_MENU, NULL);
  add_lines (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (menu)), text);
  gtk_popover_popdown (GTK_POPOVER (menu));
  return g_strdup (text->str);
}

/* Of a block: what its menu offers opens the same popover. */
static void
test_menu (Desk *desk, gconstpointer data)
{
  GtkWidget *canvas = kymo_canvas_new (kymo_plot_find ("timeline"), desk->session);
  GtkWidget *window = desk_present (canvas, 600, 300);
  g_autofree char *lines = NULL;
  gboolean found = FALSE;

  WAIT_FOR (kymo_canvas_is_settled (KYMO_CANVAS (canvas)));
  for (int x = 120; x < 580 && !found; x += 4)
    {
      g_free (lines);
      lines = dup_menu_at (canvas, x, 60);
      found = strstr (lines, "C_olour…\n") != NULL;
    }
  g_assert_true (found);
  g_assert_nonnull (strstr (lines, "_Hide “"));
  g_assert_true (gtk_widget_activate_action (canvas, "chart.color", NULL));
  /* Its hues are there, and another press of the menu opens it anew. */
  desk_need (canvas, GTK_TYPE_GRID, NULL);
  g_assert_true (gtk_widget_activate_action (canvas, "chart.color", NULL));
  g_assert_nonnull (contrast_of (canvas));
  desk_clear_window (&window);
}

static void
test_color (Desk *desk, gconstpointer data)
{
  const char *name = kymo_session_peek_names (desk->session)[0];
  GtkWidget *popover = kymo_color_popover_show (desk->legend, desk->session, name);
  GtkWidget *grid = desk_need (popover, GTK_TYPE_GRID, NULL);
  GtkWidget *scope = desk_need (popover, GTK_TYPE_CHECK_BUTTON, NULL);
  guint32 hues[20];

  kymo_colors_list_hues (KYMO_PALETTE_STANDARD, hues);
  g_signal_emit_by_name (gtk_widget_get_first_child (grid), "clicked");
  g_assert_cmphex (kymo_rgba_to_rgb (kymo_colors_get (
    kymo_session_peek_colors (desk->session), name, FALSE)), ==, hues[0]);
  g_assert_cmpuint (count_choices (desk), ==, 1);
  g_assert_null (strstr (contrast_of (popover), "less than"));
  /* Not so near to paper that it is shown otherwise, but pale. */
  kymo_session_choose_color (desk->session, KYMO_COLOR_OF_NAME, name, 0xffe000);
  g_signal_emit_by_name (popover, "map");
  g_assert_nonnull (strstr (contrast_of (popover), "less than the 3 : 1"));
  click (popover, "_Reset Colour");
  g_assert_cmpuint (count_choices (desk), ==, 0);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (scope), TRUE);
  g_signal_emit_by_name (gtk_widget_get_last_child (grid), "clicked");
  g_assert_cmpint (kymo_palette_peek_choice (
    kymo_session_peek_palette (desk->session), 0)->of, ==, KYMO_COLOR_OF_GROUP);
  g_assert_cmphex (kymo_rgba_to_rgb (kymo_colors_get (
    kymo_session_peek_colors (desk->session), name, FALSE)), ==, hues[19]);
  click (popover, "Hide All O_thers");
  g_assert_false (kymo_session_is_hidden (desk->session, name));
  g_assert_true (kymo_session_is_hidden (desk->session,
                                         kymo_session_peek_names (desk->session)[1]));
  for (guint i = 0; i < 20; i++)
    desk_turn ();
}

/* What the lines say, in their order. */
static char *
dup_lines (Desk *desk)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  desk_collect (desk->legend, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (strstr (gtk_label_get_text (labels->pdata[i]), "::") != NULL)
      g_string_append_printf (text, "%s\n", gtk_label_get_text (labels->pdata[i]));
  return g_strdup (text->str);
}

static gboolean
is_sorted (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines);

  for (guint i = 1; i + 1 < n; i++)
    if (g_utf8_collate (lines[i - 1], lines[i]) > 0)
      return FALSE;
  return n > 3;
}

static void
test_sorted (Desk *desk, gconstpointer data)
{
  g_autofree char *by_time = NULL, *by_name = NULL;

  WAIT_FOR ((g_free (by_time), by_time = dup_lines (desk), *by_time != '\0'));
  g_assert_false (is_sorted (by_time));
  desk_choose (desk->legend, "Order of the list", 1);
  for (guint i = 0; i < 20; i++)
    desk_turn ();
  by_name = dup_lines (desk);
  g_assert_true (is_sorted (by_name));
  desk_choose (desk->legend, "Order of the list", 2);
  desk_choose (desk->legend, "Order of the list", 0);
}

static gboolean
says_nothing_passes (Desk *desk)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  gboolean says = FALSE;

  desk_collect (desk->legend, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    says |= g_str_has_prefix (gtk_label_get_text (labels->pdata[i]), "Nothing in this list")
            && gtk_widget_get_mapped (labels->pdata[i]);
  return says;
}

static void
test_filtered (Desk *desk, gconstpointer data)
{
  KymoLegendPane *legend = KYMO_LEGEND_PANE (desk->legend);

  g_assert_false (says_nothing_passes (desk));
  WAIT_FOR (kymo_legend_pane_match (legend, "::") != NULL);
  g_assert_false (says_nothing_passes (desk));
  kymo_legend_pane_set_filter (legend, "no such name");
  WAIT_FOR (says_nothing_passes (desk));
  kymo_legend_pane_set_filter (legend, "::");
  WAIT_FOR (!says_nothing_passes (desk));
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
#define ADD(path, function) \
  g_test_add ("/notes/" path, Desk, NULL, desk_up, function, desk_down)
  ADD ("bookmark", test_bookmark);
  ADD ("filtered", test_filtered);
  ADD ("searched", test_searched);
  ADD ("gone", test_gone);
  ADD ("unanswered", test_unanswered);
  ADD ("hovered", test_hovered);
  ADD ("color", test_color);
  ADD ("menu", test_menu);
  ADD ("sorted", test_sorted);
  return g_test_run ();
}
