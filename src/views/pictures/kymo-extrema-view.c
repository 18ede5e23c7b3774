/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-extrema-view.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-label.h"

struct _KymoExtremaView
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoCanvas  *canvas;
  GtkWidget   *by, *order, *count, *stacked, *kept;
  GtkWidget   *show, *why, *words;
};

G_DEFINE_FINAL_TYPE (KymoExtremaView, kymo_extrema_view, GTK_TYPE_BOX)

static const struct { const char *by, *words; } attributes[] = {
  { "busy", N_("Busiest") },
  { "most-idle", N_("Most idle") },
  { "least-idle", N_("Least idle") },
  { "overhead", N_("Most overhead") },
  { "longest", N_("Longest block") },
  { "grain", N_("Coarsest grain") },
  { "sent", N_("Messages sent") },
  { "received", N_("Messages received") },
  { "bytes-sent", N_("Bytes sent") },
  { "bytes-received", N_("Bytes received") },
};

/* How many bars; the first is all of them. */
static const char *const counts[] = { "2147483647", "10", "25", "50", "100",
                                      "250" };

/* -- the question --------------------------------------------------------- */

/* Kept are those that the Cluster view keeps, as it is set. */
static void
set_classes (KymoExtremaView *self, gboolean kept)
{
  static const char *const words[] = { "scale", "seeding", "with", "quota",
                                       "union" };
  KymoTable *classes = kept ? kymo_session_peek_classes (self->session) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const char *word = classes != NULL
                         ? kymo_table_get_string (classes, words[i], 0) : NULL;

      kymo_canvas_set_parameter (self->canvas, words[i],
                                 word != NULL && *word != '\0' ? word : NULL);
    }
  kymo_canvas_set_parameter (self->canvas, "critical-path",
                             classes != NULL
                             && kymo_table_get_bool (classes, "critical_path",
                                                     0) ? "1" : NULL);
  for (guint i = 0; i < 3; i++)
    {
      static const char *const keys[][2] = { { "clusters", "k" },
                                             { "outliers", "outliers" },
                                             { "seed", "seed" } };
      gint64 number = classes != NULL
                      ? kymo_table_get_int (classes, keys[i][1], 0)
                      : KYMO_NULL_INT;
      g_autofree char *text = number != KYMO_NULL_INT
        ? g_strdup_printf ("%" G_GINT64_FORMAT, number) : NULL;

      kymo_canvas_set_parameter (self->canvas, keys[i][0], text);
    }
}

static void
on_changed (KymoExtremaView *self)
{
  guint by = kymo_controls_chosen (self->by);
  guint count = kymo_controls_chosen (self->count);
  gboolean stacked
    = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->stacked));
  gboolean kept = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->kept));

  if (by >= G_N_ELEMENTS (attributes) || count >= G_N_ELEMENTS (counts))
    return;
  kymo_canvas_set_parameter (self->canvas, "by", attributes[by].by);
  kymo_canvas_set_parameter (self->canvas, "order",
                             kymo_controls_chosen (self->order) == 1
                             ? "location" : "value");
  kymo_canvas_set_parameter (self->canvas, "count", counts[count]);
  kymo_canvas_set_parameter (self->canvas, "stacked", stacked ? "1" : "0");
  kymo_canvas_set_parameter (self->canvas, "kept", kept ? "1" : "0");
  set_classes (self, kept);
}

/* -- what is chosen ------------------------------------------------------- */

static guint
count_picks (KymoExtremaView *self)
{
  KymoIdSet *picks = kymo_canvas_peek_picks (self->canvas);
  KymoTable *answer = kymo_canvas_peek_answer (self->canvas);
  KymoTable *list = answer != NULL
                    ? kymo_table_peek_nested (answer, "extrema", NULL) : NULL;
  guint n = 0;

  for (guint i = 0; picks != NULL && list != NULL
                    && i < kymo_table_get_n_rows (list); i++)
    if (kymo_id_set_contains (picks, kymo_table_get_int (list, "location", i)))
      n++;
  return n;
}

/* Not where there is one PE: the answer is a sentence. */
static gboolean
has_bars (KymoExtremaView *self)
{
  KymoTable *answer = kymo_canvas_peek_answer (self->canvas);
  KymoTable *list = answer != NULL ? kymo_table_peek_nested (answer, "extrema", NULL) : NULL;

  return list != NULL && kymo_table_get_n_rows (list) > 0;
}

/* The words of the chosen bar in one line. */
static char *
dup_line (KymoCanvas *canvas)
{
  g_autofree char *words = kymo_canvas_dup_picked_words (canvas);
  g_auto (GStrv) lines = g_strsplit (words != NULL ? g_strchomp (words) : "", "\n", -1);

  return g_strjoinv (" · ", lines);
}

/* The chosen PE in words; of many, how many there are. Where there is
   no bar the picture itself says why, and no hint says to click one. */
static void
say_picks (KymoExtremaView *self)
{
  guint n = count_picks (self);
  g_autofree char *words = NULL;

  gtk_widget_set_sensitive (self->show, n > 0);
  gtk_widget_set_sensitive (self->why, n > 0);
  if (n == 0 && !has_bars (self))
    words = NULL;
  else if (n == 0)
    words = g_strdup (kymo_in_terms_of (
      self->session, _("Click a bar to choose its {row}, with Shift several; a "
                       "double click or Enter shows them in the timeline.")));
  else if (n == 1)
    words = dup_line (self->canvas);
  else
    words = g_strdup_printf (kymo_in_terms_of (
      self->session, g_dngettext (GETTEXT_PACKAGE, "%u {row} chosen",
                                  "%u {rows} chosen", n)), n);
  kymo_label_set (self->words, words != NULL ? words : "");
}

static void
on_show (KymoExtremaView *self)
{
  if (kymo_canvas_peek_picks (self->canvas) != NULL)
    kymo_session_set_locations (self->session,
                                kymo_canvas_peek_picks (self->canvas));
}

static void
on_picked (KymoExtremaView *self, gint64 cluster, gboolean activated)
{
  say_picks (self);
  if (!activated || kymo_canvas_peek_picks (self->canvas) == NULL)
    return;
  on_show (self);
  g_signal_emit_by_name (self, "show-view", "timeline");
}

static void
on_why (KymoExtremaView *self)
{
  KymoIdSet *picks = kymo_canvas_peek_picks (self->canvas);
  g_autofree char *text = picks != NULL ? kymo_id_set_to_text (picks) : NULL;

  if (text != NULL)
    g_signal_emit_by_name (self, "explain", text);
}

/* -- the widget ----------------------------------------------------------- */

static GtkWidget *
build_attributes (KymoExtremaView *self, GtkWidget *bar)
{
  const char *words[G_N_ELEMENTS (attributes) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    words[i] = _(attributes[i].words);
  if (kymo_session_get_terms (self->session).code == KYMO_CODE_FUNCTION)
    words[0] = _("Most useful time");
  return kymo_controls_add_choice (
    bar, kymo_in_terms_of (self->session, _("By what {rows} are ranked")), words);
}

static GtkWidget *
build_bar (KymoExtremaView *self)
{
  const char *const order[] = {
    _("By value"), kymo_in_terms_of (self->session, _("By {row}")), NULL
  };
  const char *const count[] = {
    kymo_in_terms_of (self->session, _("All {rows}")), _("First 10"),
    _("First 25"), _("First 50"), _("First 100"), _("First 250"), NULL
  };
  GtkWidget *bar = kymo_controls_new ();

  self->by = build_attributes (self, bar);
  self->order = kymo_controls_add_choice (bar, _("Order of the bars"), order);
  self->count = kymo_controls_add_choice (
    bar, kymo_in_terms_of (self->session, _("How many {rows}")), count);
  self->stacked = kymo_controls_add_check (
    bar, _("S_tacked"), kymo_in_terms_of (
      self->session, _("What a value is made of, by {code}")));
  self->kept = kymo_controls_add_check (
    bar, _("_Kept"), _("Mark the representatives and outliers of the clusters, "
                       "as the Cluster view is set"));
  kymo_controls_add_gap (bar);
  self->show = kymo_controls_add_button (
    bar, _("Show _Only These"), kymo_in_terms_of (
      self->session, _("Show the chosen {rows} alone in every view")));
  self->why = kymo_controls_add_button (
    bar, _("_Why?"),
    kymo_in_terms_of (self->session, _("Why do the chosen {rows} stick out?")));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->stacked), TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->kept), TRUE);
  return bar;
}

static void
keep_controls (KymoExtremaView *self)
{
  kymo_kept_add (self->by, "extrema", "by");
  kymo_kept_add (self->order, "extrema", "order");
  kymo_kept_add (self->count, "extrema", "count");
  kymo_kept_add (self->stacked, "extrema", "stacked");
  kymo_kept_add (self->kept, "extrema", "kept");
}

static void
connect_controls (KymoExtremaView *self)
{
  GtkWidget *const drops[] = { self->by, self->order, self->count };
  GtkWidget *const checks[] = { self->stacked, self->kept };

  for (guint i = 0; i < G_N_ELEMENTS (drops); i++)
    g_signal_connect_swapped (drops[i], "notify::selected",
                              G_CALLBACK (on_changed), self);
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    g_signal_connect_swapped (checks[i], "toggled", G_CALLBACK (on_changed),
                              self);
  g_signal_connect_swapped (self->show, "clicked", G_CALLBACK (on_show), self);
  g_signal_connect_swapped (self->why, "clicked", G_CALLBACK (on_why), self);
}

static void
kymo_extrema_view_dispose (GObject *object)
{
  g_clear_object (&KYMO_EXTREMA_VIEW (object)->session);
  G_OBJECT_CLASS (kymo_extrema_view_parent_class)->dispose (object);
}

static void
kymo_extrema_view_class_init (KymoExtremaViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_extrema_view_dispose;
  kymo_signal_new ("show-view", KYMO_TYPE_EXTREMA_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("explain", KYMO_TYPE_EXTREMA_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_extrema_view_init (KymoExtremaView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

/**
 * kymo_extrema_view_new:
 *
 * Makes the bars of all PEs of @session with their controls. The picture follows the controls,
 * which a desk keeps, and the classes of @session.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_extrema_view_new (KymoSession *session)
{
  KymoExtremaView *self = g_object_new (KYMO_TYPE_EXTREMA_VIEW, NULL);

  self->session = g_object_ref (session);
  self->canvas = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("extrema"),
                                               session));
  self->words = kymo_label_new_cut (NULL, "dim-label kymo-words");
  gtk_label_set_selectable (GTK_LABEL (self->words), TRUE);
  gtk_box_append (GTK_BOX (self), build_bar (self));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->canvas));
  gtk_box_append (GTK_BOX (self), self->words);
  on_changed (self);
  connect_controls (self);
  keep_controls (self);
  say_picks (self);
  kymo_follow (self->canvas, "picked", on_picked, self);
  kymo_follow (self->canvas, "answer-changed", say_picks, self);
  kymo_follow (session, "classes-changed", on_changed, self);
  return GTK_WIDGET (self);
}

/**
 * kymo_extrema_view_get_canvas:
 *
 * Returns: (transfer none): the canvas of the bars
 */
KymoCanvas *
kymo_extrema_view_get_canvas (KymoExtremaView *self)
{
  return self->canvas;
}
