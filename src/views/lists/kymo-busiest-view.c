/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines are known by the ids of their entry methods. What is sorted by goes on
 * being sorted by while figures change; at first that is the mean, for it
 * changes least.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-busiest-view.h"
#include "kymo-accessible.h"
#include "kymo-hover-row.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-name-label.h"
#include "kymo-swatch.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

/* No further behind the pictures beside it, where a playback is fast. */
#define PACE_MS 250
/* Figures change with every answer, places not so often: a person who reads a row or is
   about to click it wants it where it is. */
#define SORT_US (3 * G_USEC_PER_SEC)
#define NAME_CHARS 5
/* Of its cells, which have less padding than others. */
#define BESIDE_PX (-9)
/* In a narrower table lowest and highest share a column, before they are out of sight. */
#define ALL_FIGURES_PX 400
/* Shares are sorted by tenths of a percent. */
#define SORTED_PARTS 1000

static const struct { const char *key, *title; int width_px; } columns[KYMO_BUSIEST_N + 1] = {
  [KYMO_BUSIEST_NOW] = { "now", N_("Now"), 58 },
  [KYMO_BUSIEST_MEAN] = { "mean", N_("Mean"), 58 },
  [KYMO_BUSIEST_LOWEST] = { "lowest", N_("Lowest"), 64 },
  [KYMO_BUSIEST_HIGHEST] = { "highest", N_("Highest"), 64 },
  /* Of a narrow table; in the order of its highest. */
  [KYMO_BUSIEST_N] = { "highest", N_("Range"), 64 },
};

struct _KymoBusiestView
{
  KymoLineTable       parent_instance;

  KymoSession        *session;
  KymoViewAsker      *asker;
  KymoTable          *list;            /* of the last answer, or NULL */
  KymoTerms           terms;           /* that its words are in */
  GtkWidget          *all, *show_all;
  GtkEventController *motion;          /* over the lines, borrowed */
  gint64              sorted_us;
  guint               fit_id;
};

G_DEFINE_FINAL_TYPE (KymoBusiestView, kymo_busiest_view, KYMO_TYPE_LINE_TABLE)

/* -- rows ----------------------------------------------------------------- */

static const char *
name_of (KymoLineTable *table, guint row)
{
  const char *name = kymo_table_get_string (KYMO_BUSIEST_VIEW (table)->list, "name", row);

  return name != NULL ? name : "";
}

static char *
row_key (KymoLineTable *table, guint row)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, kymo_table_get_int (
                            KYMO_BUSIEST_VIEW (table)->list, "id", row));
}

/* The first column is the name. */
static double
figure_of (KymoLineTable *table, guint column, guint row)
{
  return kymo_table_get_double (KYMO_BUSIEST_VIEW (table)->list, columns[column - 1].key, row);
}

/* By what is to be read: rows of equal figures do not change places for
   digits that are not shown. */
static int
compare_rows (KymoLineTable *table, guint column, guint a, guint b)
{
  double x, y;

  if (column == 0)
    return g_strcmp0 (name_of (table, a), name_of (table, b));
  x = round (figure_of (table, column, a) * SORTED_PARTS);
  y = round (figure_of (table, column, b) * SORTED_PARTS);
  if (isnan (x) || isnan (y))
    return isnan (y) - isnan (x);
  return x != y ? (x > y) - (x < y) : compare_rows (table, 0, b, a);
}

/**
 * kymo_busiest_view_get_figure:
 * @line: as lines are shown
 *
 * Returns: the share; NaN where it is not known
 */
double
kymo_busiest_view_get_figure (KymoBusiestView *self, guint line, KymoBusiestFigure figure)
{
  KymoLineTable *table = KYMO_LINE_TABLE (self);

  return figure_of (table, figure + 1, kymo_line_table_row_at (table, line));
}

/* -- cells ---------------------------------------------------------------- */

/* "28–42 %" */
static char *
range_text (KymoLineTable *table, guint row, gboolean exact)
{
  double lowest = figure_of (table, 1 + KYMO_BUSIEST_LOWEST, row);
  double highest = figure_of (table, 1 + KYMO_BUSIEST_HIGHEST, row);
  g_autofree char *from = kymo_format_exact (lowest), *to = kymo_format_exact (highest);

  if (isnan (lowest) || isnan (highest))
    return g_strdup (exact ? "" : "–");
  if (exact)
    return g_strdup_printf ("%s–%s", from, to);
  /* Whole percents have no range there. */
  if (highest < 0.01)
    return g_strdup (highest > 0 ? "< 1 %" : "0 %");
  return g_strdup_printf ("%.0f–%.0f %%", lowest * 100, highest * 100);
}

static char *
cell_text (KymoLineTable *table, guint column, guint row, gboolean exact)
{
  double share = column > 0 ? figure_of (table, column, row) : 0;

  if (column == 0)
    return g_strdup (name_of (table, row));
  if (column == 1 + KYMO_BUSIEST_N)
    return range_text (table, row, exact);
  if (isnan (share))
    return g_strdup (exact ? "" : "–");
  if (exact)
    return kymo_format_exact (share);
  return kymo_format_part (share);
}

static void
on_swatch_clicked (GtkWidget *button, KymoBusiestView *self)
{
  int row = kymo_line_cell_get_row (gtk_widget_get_parent (button));
  const char *name = row >= 0 ? name_of (KYMO_LINE_TABLE (self), row) : NULL;

  if (name != NULL)
    kymo_session_set_hidden (self->session, name, !kymo_session_is_hidden (self->session, name));
}

static GtkWidget *
setup_cell (KymoLineTable *table, guint column, GtkWidget *label)
{
  KymoSession *session = KYMO_BUSIEST_VIEW (table)->session;
  GtkWidget *button, *cell;

  if (column > 0)
    return label;
  button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), kymo_swatch_new (session));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "kymo-swatch");
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_swatch_clicked), table, 0);
  gtk_label_set_width_chars (kymo_name_label_get_label (KYMO_NAME_LABEL (label)), NAME_CHARS);
  cell = kymo_line_cell_new (button, label, 4);
  kymo_hover_row_attach (cell, session);
  return cell;
}

static void
show_cell (KymoLineTable *table, guint column, GtkWidget *cell, guint row)
{
  GtkWidget *button = column == 0 ? gtk_widget_get_first_child (cell) : NULL;
  const char *name = name_of (table, row);
  g_autofree char *words = NULL;

  if (button == NULL)
    return;
  words = g_strdup_printf (_("Show or hide %s"), name);
  kymo_swatch_set (KYMO_SWATCH (gtk_button_get_child (GTK_BUTTON (button))), name, "entry");
  kymo_accessible_name (button, words);
  kymo_hover_row_set (cell, name, -1);
}

/* -- filling -------------------------------------------------------------- */

static void
sort_busiest_view (KymoBusiestView *self)
{
  GtkWidget *view = kymo_line_table_peek_view (KYMO_LINE_TABLE (self));
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  gint64 now_us = g_get_monotonic_time ();
  gboolean at_top = gtk_adjustment_get_value (adjustment) <= 0;

  if (gtk_event_controller_motion_contains_pointer (GTK_EVENT_CONTROLLER_MOTION (self->motion))
      || now_us - self->sorted_us < SORT_US)
    return;
  self->sorted_us = now_us;
  kymo_line_table_sort_again (KYMO_LINE_TABLE (self));
  /* An unscrolled list shows the busiest PEs. */
  if (at_top)
    gtk_widget_activate_action (gtk_widget_get_last_child (view), "list.scroll-to-item", "u", 0);
}

static void
fill_busiest_view (KymoBusiestView *self, KymoTable *list)
{
  if (list != NULL)
    kymo_table_ref (list);
  g_clear_pointer (&self->list, kymo_table_unref);
  self->list = list;
  if (kymo_line_table_set_rows (KYMO_LINE_TABLE (self), NULL,
                                list != NULL ? kymo_table_get_n_rows (list) : 0))
    self->sorted_us = 0;
  sort_busiest_view (self);
}

static char *
percent_at (KymoTable *table, const char *key)
{
  double share = table != NULL ? kymo_table_get_double (table, key, 0) : NAN;

  return isnan (share) ? g_strdup ("–") : kymo_format_percent (share);
}

static void
say_sentence (KymoBusiestView *self, const char *text)
{
  g_autofree char *unbroken = kymo_label_dup_unbroken (text);

  gtk_label_set_text (GTK_LABEL (self->all), unbroken);
}

/* Of functions what is useful; the others are in the list. */
static void
say_useful (KymoBusiestView *self, KymoTable *busy)
{
  g_autofree char *now = percent_at (busy, "now");
  g_autofree char *mean = percent_at (busy, "mean");
  g_autofree char *lowest = percent_at (busy, "lowest");
  g_autofree char *highest = percent_at (busy, "highest");
  g_autofree char *text = g_strdup_printf (
    kymo_session_get_follow (self->session) == 0
      ? _("Visible stretch: useful %s at its end, %s on average (%s to %s)")
      : _("Useful %s now, %s on average (%s to %s)"), now, mean, lowest, highest);

  say_sentence (self, text);
}

/* All together: what is busy; the rest is the complement of it. */
static void
say_all (KymoBusiestView *self, KymoTable *busy, gboolean rest)
{
  g_autofree char *now = percent_at (busy, "now");
  g_autofree char *mean = percent_at (busy, "mean");
  g_autofree char *lowest = percent_at (busy, "lowest");
  g_autofree char *highest = percent_at (busy, "highest");
  gboolean stands = kymo_session_get_follow (self->session) == 0;
  g_autofree char *text = g_strdup_printf (
    stands ? rest ? _("Visible stretch: busy %s at its end, %s on average (%s to %s); the rest is "
                      "idle or overhead (the stream does not tell which)")
                  : _("Visible stretch: busy %s at its end, %s on average (%s to %s)")
    : rest ? _("Busy %s now, %s on average (%s to %s); the rest is idle or overhead "
             "(the stream does not tell which)")
         : _("Busy %s now, %s on average (%s to %s)"), now, mean, lowest, highest);

  say_sentence (self, text);
}

/* A stream tells what its program is made of only with its names. */
static void
take_terms (KymoBusiestView *self)
{
  KymoLineTable *table = KYMO_LINE_TABLE (self);
  KymoTerms terms = kymo_session_get_terms (self->session);

  if (terms.row == self->terms.row && terms.code == self->terms.code)
    return;
  self->terms = terms;
  kymo_line_table_set_title (table, 0, kymo_in_terms (terms, _("{Code}")));
  kymo_accessible_name (kymo_line_table_peek_view (table),
                        kymo_in_terms (terms, _("Busiest {codes}")));
  gtk_widget_set_tooltip_text (self->show_all, kymo_in_terms (terms,
                                                              _("Show all hidden {codes}")));
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoBusiestView *self = data;

  if (answer == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->all), error->message);
      return;
    }
  take_terms (self);
  /* What stands is told of the visible stretch. */
  kymo_line_table_set_title (KYMO_LINE_TABLE (self), 1 + KYMO_BUSIEST_NOW,
                             kymo_session_get_follow (self->session) == 0
                             ? _("At End") : _(columns[KYMO_BUSIEST_NOW].title));
  if (self->terms.code == KYMO_CODE_FUNCTION)
    say_useful (self, kymo_table_peek_nested (answer, "busy", NULL));
  else
    say_all (self, kymo_table_peek_nested (answer, "busy", NULL),
             kymo_table_find_column (answer, "overhead_is_rest") >= 0);
  fill_busiest_view (self, kymo_table_peek_nested (answer, "activities", NULL));
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoBusiestView *self = view;
  KymoQuestion *question = kymo_question_new ("busiest");

  kymo_session_prepare (self->session, question);
  /* What stands is told of what is to be seen, as the pictures do. */
  if (kymo_session_get_follow (self->session) == 0)
    kymo_question_set_span (question, kymo_session_get_range (self->session));
  return question;
}

/* A block a second is a question a second. */
static const KymoViewQuestion figures_of_stream = {
  .question = new_question, .answered = on_answer, .pace_ms = PACE_MS,
};

static void
on_filter_changed (KymoBusiestView *self)
{
  gtk_widget_set_visible (self->show_all,
                          kymo_session_peek_hidden (self->session) != NULL);
  kymo_view_asker_queue (self->asker);
}

static void
on_range_changed (KymoBusiestView *self)
{
  if (kymo_session_get_follow (self->session) == 0)
    kymo_view_asker_queue (self->asker);
}

static void
on_follow (KymoBusiestView *self)
{
  kymo_view_asker_queue (self->asker);
}

/* -- width ---------------------------------------------------------------- */

static gboolean
fit_busiest_view (gpointer data)
{
  KymoLineTable *table = data;
  GtkAdjustment *across = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (
    kymo_line_table_peek_view (table)));
  gboolean narrow = gtk_adjustment_get_page_size (across) < ALL_FIGURES_PX;

  KYMO_BUSIEST_VIEW (table)->fit_id = 0;
  kymo_line_table_show_column (table, 1 + KYMO_BUSIEST_LOWEST, !narrow);
  kymo_line_table_show_column (table, 1 + KYMO_BUSIEST_HIGHEST, !narrow);
  kymo_line_table_show_column (table, 1 + KYMO_BUSIEST_N, narrow);
  return G_SOURCE_REMOVE;
}

/* The width is known while it is allocated, when no column can be shown. */
static void
on_width (KymoBusiestView *self)
{
  if (self->fit_id == 0)
    self->fit_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_busiest_view, self, NULL);
}

/* -- building ------------------------------------------------------------- */

static void
build_table (KymoBusiestView *self)
{
  KymoLineTable *table = KYMO_LINE_TABLE (self);
  GtkWidget *view = kymo_line_table_peek_view (table);

  kymo_line_table_build (table, kymo_in_terms_of (self->session, _("Busiest {codes}")));
  kymo_line_table_add_column (table, &(KymoLineColumn) {
    .title = kymo_in_terms_of (self->session, _("{Code}")), .is_text = TRUE });
  for (guint i = 0; i <= KYMO_BUSIEST_N; i++)
    kymo_line_table_add_column (table, &(KymoLineColumn) {
      .title = _(columns[i].title), .width_px = columns[i].width_px,
      .beside_px = i < KYMO_BUSIEST_N ? BESIDE_PX : BESIDE_PX / 2, .hurries = TRUE });
  kymo_line_table_show_column (table, 1 + KYMO_BUSIEST_N, FALSE);
  kymo_follow (gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view)), "notify::page-size",
               on_width, self);
  kymo_line_table_sort (table, 1 + KYMO_BUSIEST_MEAN, TRUE);
  gtk_widget_add_css_class (view, "kymo-busiest");
  self->motion = gtk_event_controller_motion_new ();
  gtk_widget_add_controller (view, self->motion);
}

static GtkWidget *
build_head (KymoBusiestView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->all = kymo_label_new_wrapped (_("No block has come yet"), "numeric");
  gtk_label_set_ellipsize (GTK_LABEL (self->all), PANGO_ELLIPSIZE_END);
  gtk_label_set_lines (GTK_LABEL (self->all), 3);
  gtk_widget_set_hexpand (self->all, TRUE);
  self->show_all = gtk_button_new_with_label (_("Show All"));
  gtk_widget_add_css_class (self->show_all, "flat");
  gtk_widget_set_visible (self->show_all, FALSE);
  gtk_widget_set_tooltip_text (self->show_all,
                               kymo_in_terms_of (self->session,
                                                 _("Show all hidden {codes}")));
  gtk_box_append (GTK_BOX (box), self->all);
  gtk_box_append (GTK_BOX (box), self->show_all);
  gtk_widget_add_css_class (box, "kymo-pane-head");
  return box;
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_busiest_view_dispose (GObject *object)
{
  KymoBusiestView *self = KYMO_BUSIEST_VIEW (object);

  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_object (&self->asker);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_busiest_view_parent_class)->dispose (object);
}

static void
kymo_busiest_view_finalize (GObject *object)
{
  g_clear_pointer (&KYMO_BUSIEST_VIEW (object)->list, kymo_table_unref);
  G_OBJECT_CLASS (kymo_busiest_view_parent_class)->finalize (object);
}

static void
kymo_busiest_view_class_init (KymoBusiestViewClass *klass)
{
  KymoLineTableClass *table_class = KYMO_LINE_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_busiest_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_busiest_view_finalize;
  table_class->text = cell_text;
  table_class->compare = compare_rows;
  table_class->key = row_key;
  table_class->filtered = name_of;
  table_class->setup = setup_cell;
  table_class->show = show_cell;
}

static void
kymo_busiest_view_init (KymoBusiestView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-pane");
}

/**
 * kymo_busiest_view_new:
 * @session: of a stream; the view holds a reference
 *
 * Returns: (transfer floating): a view that asks for its figures when the run grows or the filter
 *   changes, while the view is mapped; of the run while the session follows, else of the visible
 *   range
 */
GtkWidget *
kymo_busiest_view_new (KymoSession *session)
{
  KymoBusiestView *self = g_object_new (KYMO_TYPE_BUSIEST_VIEW, NULL);

  self->session = g_object_ref (session);
  self->terms = kymo_session_get_terms (session);
  self->asker = kymo_view_asker_new (&figures_of_stream, self, session);
  gtk_box_append (GTK_BOX (self), build_head (self));
  build_table (self);
  kymo_follow (self->show_all, "clicked", kymo_session_show_all, session);
  kymo_follow (session, "filter-changed", on_filter_changed, self);
  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (session, "notify::follow", on_follow, self);
  return GTK_WIDGET (self);
}
