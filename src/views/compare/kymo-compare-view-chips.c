/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bar of runs: a chip each, in one line that is scrolled where they are many, with a
 * menu of all of them. What a chip offers is made when it is asked for: with many runs
 * it is long.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-compare-view-private.h"
#include "kymo-controls.h"
#include "kymo-label.h"
#include "kymo-side-box.h"

/* From this number on there is a menu of them. */
#define MANY_RUNS 4
/* Chips get no narrower than this number of characters of either part. */
#define LEAST_CHARS 12
#define LEAST_DETAIL_CHARS 4
/* Chips of more runs have no room for more than a name. */
#define MOST_DETAILED 3

/* -- menus ---------------------------------------------------------------- */

static void
append_compare_view_chips (GMenu *menu, const char *words, const char *action, guint run)
{
  g_autofree char *name = g_strdup_printf ("compare.%s(uint32 %u)", action, run);

  g_menu_append (menu, words, name);
}

static guint
runs_of_side (KymoCompareView *self, guint side)
{
  guint n = 0;

  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    n += kymo_comparison_get_side (self->comparison, i) == side;
  return n;
}

/* A run may repeat any side but its own; each is called by its first run. */
static GMenu *
new_repeats (KymoCompareView *self, guint run)
{
  GMenu *menu = g_menu_new ();
  guint own = kymo_comparison_get_side (self->comparison, run);
  gint64 last = -1;

  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    {
      guint side = kymo_comparison_get_side (self->comparison, i);
      g_autofree char *label = kymo_comparison_dup_label (self->comparison, i);
      g_autofree char *action = g_strdup_printf ("compare.repeat((uint32 %u,uint32 %u))",
                                                 run, side);

      if (side != own && (gint64) side > last)
        {
          g_autofree char *words = kymo_controls_dup_label (label);

          g_menu_append (menu, words, action);
        }
      last = MAX (last, (gint64) side);
    }
  return menu;
}

static GMenu *
new_menu (KymoCompareView *self, guint run)
{
  GMenu *menu = g_menu_new ();
  guint side = kymo_comparison_get_side (self->comparison, run);
  guint n_sides = kymo_comparison_get_n_sides (self->comparison);
  g_autoptr (GMenu) repeats = new_repeats (self, run);

  if (side != 0)
    append_compare_view_chips (menu, _("Make It _A"), "first", run);
  /* Of two sides with a run each nothing would be left to compare. */
  if (n_sides > 2 || runs_of_side (self, side) > 1)
    g_menu_append_submenu (menu, _("Is a _Repeat of"), G_MENU_MODEL (repeats));
  if (runs_of_side (self, side) > 1)
    append_compare_view_chips (menu, _("Is _Not a Repeat"), "apart", run);
  append_compare_view_chips (menu, _("_Move in Time…"), "shift", run);
  if (n_sides > 2 || runs_of_side (self, side) > 1)
    append_compare_view_chips (menu, _("_Remove"), "remove", run);
  return menu;
}

/* Anew with each time it opens. */
static void
fill_chip_menu (GtkMenuButton *button, gpointer data)
{
  guint run = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "run"));
  g_autoptr (GMenu) menu = new_menu (data, run);

  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* All runs, each by what its chip says. */
static void
fill_run_menu (GtkMenuButton *button, gpointer data)
{
  KymoCompareView *self = data;
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < self->chips->len; i++)
    {
      g_autofree char *label = kymo_comparison_dup_label (self->comparison, i);
      g_autofree char *words = g_strdup_printf ("%s  %s", label, (const char *)
        g_object_get_data (self->chips->pdata[i], "words"));
      g_autofree char *shown = kymo_controls_dup_label (words);

      append_compare_view_chips (menu, shown, "go-to", i);
    }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/** kymo_compare_view_go_to: brings chip and picture of a run into sight, with the focus */
void
kymo_compare_view_go_to (KymoCompareView *self, guint run)
{
  if (run >= self->chips->len)
    return;
  gtk_widget_grab_focus (self->chips->pdata[run]);
  if (g_str_equal (kymo_compare_view_get_page (self), "runs"))
    gtk_widget_grab_focus (GTK_WIDGET (kymo_compare_pictures_peek (self->pictures, run)));
}

/* -- chips ---------------------------------------------------------------- */

static GtkWidget *
new_part (const char *text, PangoEllipsizeMode mode, glong least_chars)
{
  GtkWidget *label = gtk_label_new (NULL);

  kymo_label_set (label, text);
  gtk_label_set_ellipsize (GTK_LABEL (label), mode);
  gtk_label_set_width_chars (GTK_LABEL (label), MIN (least_chars, g_utf8_strlen (text, -1)));
  return label;
}

/* Of many runs the names, as far as there is room: the rest is told on hovering. */
static GtkWidget *
new_words (KymoCompareView *self, const KymoCompareRun *words)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_box_append (GTK_BOX (box), new_part (words->title, PANGO_ELLIPSIZE_MIDDLE, LEAST_CHARS));
  if (kymo_comparison_get_n_runs (self->comparison) <= MOST_DETAILED)
    {
      gtk_box_append (GTK_BOX (box), new_part (words->detail, PANGO_ELLIPSIZE_END,
                                                LEAST_DETAIL_CHARS));
      gtk_widget_add_css_class (gtk_widget_get_last_child (box), "dim-label");
    }
  return box;
}

static GtkWidget *
new_chip (KymoCompareView *self, guint run, const KymoCompareRun *words)
{
  g_autofree char *label = kymo_comparison_dup_label (self->comparison, run);
  char *text = g_strdup_printf ("%s · %s", words->title, words->detail);
  g_autofree char *spoken = g_strdup_printf (_("Run %s: %s"), label, text);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", text, words->path);
  GtkWidget *chip = kymo_side_box_new (kymo_comparison_get_side (self->comparison, run),
                                       label);
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), new_words (self, words));
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  g_object_set_data (G_OBJECT (button), "run", GUINT_TO_POINTER (run));
  g_object_set_data_full (G_OBJECT (button), "words", text, g_free);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), fill_chip_menu, self, NULL);
  kymo_accessible_name (button, spoken);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_box_append (GTK_BOX (chip), button);
  g_ptr_array_add (self->chips, button);
  return chip;
}

static GtkWidget *
new_button (const char *label, const char *words, const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  kymo_controls_speak (button, label);
  gtk_widget_set_tooltip_text (button, words);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/* -- the bar -------------------------------------------------------------- */

/* A wheel goes along the line. */
static gboolean
on_wheel (GtkEventControllerScroll *wheel, double dx, double dy, GtkScrolledWindow *line)
{
  GtkAdjustment *along = gtk_scrolled_window_get_hadjustment (line);
  double whole = gtk_adjustment_get_upper (along) - gtk_adjustment_get_page_size (along);

  if (whole <= 0)
    return GDK_EVENT_PROPAGATE;
  gtk_adjustment_set_value (along, gtk_adjustment_get_value (along)
                            + (dx + dy) * gtk_adjustment_get_page_size (along) / 8);
  return GDK_EVENT_STOP;
}

/* Without a bar of its own, which would lie over the chips. */
static GtkWidget *
new_line (GtkWidget *chips)
{
  GtkWidget *line = gtk_scrolled_window_new ();
  GtkEventController *wheel = gtk_event_controller_scroll_new (
    GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (line), GTK_POLICY_EXTERNAL,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (line), chips);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (line), TRUE);
  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  g_signal_connect (wheel, "scroll", G_CALLBACK (on_wheel), line);
  gtk_widget_add_controller (line, wheel);
  return line;
}

static GtkWidget *
new_run_menu (KymoCompareView *self)
{
  guint n = kymo_comparison_get_n_runs (self->comparison);
  GtkWidget *button = gtk_menu_button_new ();
  g_autofree char *words = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u run", "%u runs", n), n);

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), words);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), fill_run_menu, self, NULL);
  gtk_widget_set_tooltip_text (button, _("All runs: choose one to go to it"));
  gtk_widget_set_visible (button, n >= MANY_RUNS);
  return button;
}

/** kymo_compare_view_add_runs: the bar, and the pictures */
void
kymo_compare_view_add_runs (KymoCompareView *self, const KymoCompareRun *runs)
{
  GtkWidget *chips = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  for (guint i = 0; i < kymo_comparison_get_n_runs (self->comparison); i++)
    {
      g_autofree char *label = kymo_comparison_dup_label (self->comparison, i);

      gtk_box_append (GTK_BOX (chips), new_chip (self, i, &runs[i]));
      kymo_compare_pictures_add (self->pictures,
                                 kymo_comparison_get_side (self->comparison, i), label,
                                 runs[i].title);
    }
  gtk_box_append (GTK_BOX (self->bar), new_run_menu (self));
  gtk_box_append (GTK_BOX (self->bar), new_line (chips));
  gtk_box_append (GTK_BOX (self->bar), new_button (
    _("S_wap"), _("A and B change places (X)"), "compare.swap"));
  gtk_box_append (GTK_BOX (self->bar), new_button (
    _("_Add Run…"), _("Compare with one more run (Ctrl+D)"), "compare.add"));
}
