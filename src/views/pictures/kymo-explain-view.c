/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table is a grid that is filled anew with each answer: it has as many
 * lines as there are reasons, ten, and no more than two lines of text each.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-explain-view.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

#define HEIGHT_PX 236
#define SENTENCE_CHARS 46
/* A reduced run keeps the explained PEs if they are at most a quarter of all PEs. */
#define MOST_KEPT 4

struct _KymoExplainView
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoViewAsker *asker;
  KymoIdSet   *of;
  KymoSpan     span;                /* when it was asked */
  GtkWidget   *title, *about, *stack, *grid, *note, *reduce;
};

G_DEFINE_FINAL_TYPE (KymoExplainView, kymo_explain_view, GTK_TYPE_BOX)

static guint go_to_signal, close_signal;

/* -- a line --------------------------------------------------------------- */

typedef struct
{
  KymoExplainView *view;
  gint64           location, time_ns;
} Instance;

static void
on_go (GtkButton *button, gpointer data)
{
  const Instance *instance = data;

  g_signal_emit (instance->view, go_to_signal, 0, instance->location,
                 instance->time_ns);
}

static void
free_instance (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
add_button (KymoExplainView *self, const KymoTable *reasons, guint row,
            int line)
{
  Instance instance = { self, kymo_table_get_int (reasons, "location", row),
                        kymo_table_get_int (reasons, "begin_ns", row) };
  gint64 end_ns = kymo_table_get_int (reasons, "end_ns", row);
  g_autofree char *length = NULL, *tip = NULL;
  GtkWidget *button;

  if (instance.location == KYMO_NULL_INT)
    return;
  length = kymo_format_duration (end_ns - instance.time_ns);
  tip = g_strdup_printf (kymo_in_terms_of (self->session,
                                           _("Go to the longest one: %s on {row} "
                                             "%" PRId64)),
                         length, instance.location);
  /* What begins there has begun in its middle, too. */
  instance.time_ns += (end_ns - instance.time_ns) / 2;
  button = gtk_button_new_with_label (_("Show"));
  kymo_label_set_tip (button, tip);
  kymo_accessible_name (button, tip);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_data (button, "clicked", G_CALLBACK (on_go),
                         g_memdup2 (&instance, sizeof instance), free_instance,
                         0);
  gtk_grid_attach (GTK_GRID (self->grid), button, 7, line, 1, 1);
}

/* A figure of the chosen PEs, and below it that of all. */
static void
add_figure (KymoExplainView *self, int column, int line, const char *chosen,
            const char *all, const char *tip)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  const char *texts[] = { chosen, all };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GtkWidget *label = gtk_label_new (texts[i]);

      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_add_css_class (label, "numeric");
      if (i > 0)
        gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (box), label);
    }
  kymo_label_set_tip (box, tip);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_grid_attach (GTK_GRID (self->grid), box, column, line, 1, 1);
}

static gint64
int_at (const KymoTable *reasons, const char *key, guint row)
{
  return kymo_table_get_int (reasons, key, row);
}

static void
add_durations (KymoExplainView *self, int column, int line, gint64 chosen,
               gint64 all)
{
  g_autofree char *left = chosen == KYMO_NULL_INT ? NULL
                          : kymo_format_duration (chosen);
  g_autofree char *right = all == KYMO_NULL_INT ? NULL
                           : kymo_format_duration (all);

  if (left != NULL || right != NULL)
    add_figure (self, column, line, left != NULL ? left : "–",
                right != NULL ? right : "–", NULL);
}

/* "3.5" of one PE: what all of the group have, over how many they are */
static char *
per_pe (gint64 sum, guint n)
{
  return sum % n == 0 ? kymo_format_count (sum / n)
         : sum / n >= 1000 ? kymo_format_count (llround ((double) sum / n))
         : g_strdup_printf ("%.1f", (double) sum / n);
}

typedef struct
{
  guint n_of, n_pes;
} Groups;

static void
add_counts (KymoExplainView *self, const KymoTable *reasons, guint row,
            const char *key, int column, int line, Groups groups,
            const char *tip)
{
  g_autofree char *key_of_all = g_strconcat (key, "_of_all", NULL);
  g_autofree char *left = NULL, *right = NULL;

  if (int_at (reasons, key, row) == KYMO_NULL_INT)
    return;
  left = per_pe (int_at (reasons, key, row), groups.n_of);
  right = per_pe (int_at (reasons, key_of_all, row), groups.n_pes);
  add_figure (self, column, line, left, right, tip);
}

static void
add_sent (KymoExplainView *self, const KymoTable *reasons, guint row, int line,
          Groups groups)
{
  g_autofree char *left = NULL, *right = NULL, *tip = NULL;

  if (int_at (reasons, "sent_bytes", row) == KYMO_NULL_INT)
    return;
  left = kymo_format_bytes (int_at (reasons, "sent_bytes", row) / groups.n_of);
  right = kymo_format_bytes (int_at (reasons, "sent_of_all_bytes", row)
                             / groups.n_pes);
  tip = g_strdup_printf (_("Messages that are to start it: %s; the mean is %s"),
                         left, right);
  add_counts (self, reasons, row, "sent", 6, line, groups, tip);
}

static void
add_deviations (KymoExplainView *self, const KymoTable *reasons, guint row,
                int line)
{
  double deviations = kymo_table_get_double (reasons, "deviations", row);
  g_autofree char *text = isnan (deviations) ? g_strdup ("–")
                          : g_strdup_printf ("%+.1f σ", deviations);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_tooltip_text (
    label, kymo_in_terms_of (self->session, _("Difference of the time in standard "
                                              "deviations over all {rows}")));
  gtk_grid_attach (GTK_GRID (self->grid), label, 2, line, 1, 1);
}

static void
add_reason (KymoExplainView *self, const KymoTable *reasons, guint row,
            Groups groups)
{
  int line = row + 1;
  const char *sentence = kymo_table_get_string (reasons, "sentence", row);
  GtkWidget *label = kymo_label_new_wrapped (NULL, NULL);
  gint64 waiting = int_at (reasons, "waiting_ns", row);

  kymo_label_set (label, sentence);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), SENTENCE_CHARS);
  gtk_widget_set_hexpand (label, TRUE);
  kymo_label_set_tip (label, sentence);
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, line, 1, 1);
  add_durations (self, 1, line, int_at (reasons, "mean_ns", row),
                 int_at (reasons, "mean_of_all_ns", row));
  add_deviations (self, reasons, row, line);
  add_counts (self, reasons, row, "calls", 3, line, groups, NULL);
  add_durations (self, 4, line, int_at (reasons, "mean_block_ns", row),
                 int_at (reasons, "mean_block_of_all_ns", row));
  if (waiting != KYMO_NULL_INT)
    add_durations (self, 5, line, waiting / groups.n_of,
                   int_at (reasons, "waiting_of_all_ns", row) / groups.n_pes);
  add_sent (self, reasons, row, line, groups);
  add_button (self, reasons, row, line);
}

static void
add_heads (KymoExplainView *self)
{
  static const struct { const char *title, *tip; } heads[] = {
    { N_("Reason"), NULL },
    { N_("Time"), N_("Of each of these {rows} on the mean; below it of all") },
    { N_("Deviation"), NULL },
    { N_("Calls"), N_("That begin in this time, a {row}; below it of all") },
    { N_("Mean block"), NULL },
    { N_("Waiting"), N_("Idle time that ended with a block of it, a {row}") },
    { N_("Sent"), N_("Messages that are to start it, a {row}") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      GtkWidget *label = gtk_label_new (_(heads[i].title));

      gtk_label_set_xalign (GTK_LABEL (label), i == 0 ? 0 : 1);
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_set_tooltip_text (label, heads[i].tip != NULL
                                          ? kymo_in_terms_of (self->session,
                                                              _(heads[i].tip))
                                          : NULL);
      gtk_grid_attach (GTK_GRID (self->grid), label, i, 0, 1, 1);
    }
}

/* -- filling -------------------------------------------------------------- */

static void
empty (KymoExplainView *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
}

static void
say_explain_view (KymoExplainView *self, const char *sentence)
{
  kymo_label_set (self->note, sentence);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->note);
}

/* Against whom, and when. */
static void
say_about (KymoExplainView *self, guint n_of, guint n_pes)
{
  g_autofree char *begin = kymo_format_duration_exact (self->span.begin_ns);
  g_autofree char *end = kymo_format_duration_exact (self->span.end_ns);
  g_autofree char *text
    = g_strdup_printf (kymo_in_terms_of (self->session,
                                         _("%u of %u {rows}, and below the mean "
                                           "of all · %s to %s")),
                       n_of, n_pes, begin, end);

  kymo_label_set (self->about, text);
}

/* Who looks into a few PEs and then reduces the run wants to see them in it. */
static void
keep_few (KymoExplainView *self, guint n_of, guint n_pes)
{
  g_autofree char *ids = n_of * MOST_KEPT <= n_pes ? kymo_id_set_to_text (self->of) : NULL;

  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->reduce), "s",
                                    n_of > 0 && ids != NULL ? ids : "");
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoExplainView *self = data;
  KymoTable *reasons;
  Groups groups;

  empty (self);
  if (answer == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->about), "");
      say_explain_view (self, error->message);
      return;
    }
  reasons = kymo_table_peek_nested (answer, "reasons", NULL);
  kymo_table_peek_ints (answer, "of", &groups.n_of);
  groups.n_pes = kymo_table_get_int (answer, "pes", 0);
  say_about (self, groups.n_of, groups.n_pes);
  keep_few (self, groups.n_of, groups.n_pes);
  if (kymo_table_get_n_rows (reasons) == 0)
    {
      say_explain_view (self, kymo_in_terms_of (self->session,
                                                _("Nothing ran on any {row} in this time")));
      return;
    }
  add_heads (self);
  for (guint i = 0; i < kymo_table_get_n_rows (reasons); i++)
    add_reason (self, reasons, i, groups);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "table");
}

/* Of all PEs, whichever are shown: hidden ones are the measure as well. */
static KymoQuestion *
new_question (gpointer view)
{
  KymoExplainView *self = view;
  KymoQuestion *question;
  g_autofree char *of = NULL;

  if (self->of == NULL)
    return NULL;
  of = kymo_id_set_to_text (self->of);
  question = kymo_question_new ("explain");
  kymo_question_set_span (question, self->span);
  kymo_question_set (question, "of", of);
  return question;
}

static const KymoViewQuestion reasons = {
  .question = new_question, .answered = on_answer, .seen = KYMO_VIEW_UNSEEN,
};

/* A view out of sight does not ask. */
static void
on_close (KymoExplainView *self)
{
  kymo_view_asker_cancel (self->asker);
  g_clear_pointer (&self->of, kymo_id_set_unref);
  g_signal_emit (self, close_signal, 0);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_explain_view_dispose (GObject *object)
{
  KymoExplainView *self = KYMO_EXPLAIN_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->of, kymo_id_set_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_explain_view_parent_class)->dispose (object);
}

static void
kymo_explain_view_class_init (KymoExplainViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_explain_view_dispose;
  go_to_signal = kymo_signal_new ("go-to", KYMO_TYPE_EXPLAIN_VIEW, 2, G_TYPE_INT64, G_TYPE_INT64);
  close_signal = kymo_signal_new ("close", KYMO_TYPE_EXPLAIN_VIEW, 0);
}

static void
kymo_explain_view_init (KymoExplainView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-explain");
}

static GtkWidget *
build_head (KymoExplainView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *reduce = gtk_button_new_with_mnemonic (_("Re_duce Run…"));
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  /* Of the window; where the run cannot be reduced it cannot be pressed. */
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (reduce), "win.reduce-run-keeping::");
  kymo_controls_speak (reduce, _("Re_duce Run…"));
  self->reduce = reduce;
  self->title = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->title, "heading");
  self->about = kymo_label_new_cut (NULL, "dim-label numeric");
  gtk_widget_set_hexpand (self->about, TRUE);
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, _("Close"));
  kymo_accessible_name (close, _("Close"));
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_close), self);
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), self->about);
  gtk_box_append (GTK_BOX (box), reduce);
  gtk_box_append (GTK_BOX (box), close);
  gtk_widget_add_css_class (box, "kymo-pane-head");
  return box;
}

static GtkWidget *
build_table (KymoExplainView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 4);
  kymo_accessible_name (self->grid,
                        kymo_in_terms_of (self->session, _("Why these {rows} stick out")));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->grid);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

/**
 * kymo_explain_view_new:
 *
 * Empty until it is told which PEs it is about.
 */
GtkWidget *
kymo_explain_view_new (KymoSession *session)
{
  KymoExplainView *self = g_object_new (KYMO_TYPE_EXPLAIN_VIEW, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&reasons, self, session);
  self->stack = gtk_stack_new ();
  self->note = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), build_table (self), "table");
  gtk_stack_add_named (GTK_STACK (self->stack), self->note, "note");
  gtk_box_append (GTK_BOX (self), build_head (self));
  gtk_box_append (GTK_BOX (self), self->stack);
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, HEIGHT_PX);
  return GTK_WIDGET (self);
}

/**
 * kymo_explain_view_set_pes:
 * @of: the PEs that stick out
 * @title: over the reasons
 *
 * Asks why, over the time that is visible now. A run that is reduced from here keeps these PEs
 * where they are few.
 */
void
kymo_explain_view_set_pes (KymoExplainView *self, KymoIdSet *of,
                           const char *title)
{
  kymo_id_set_ref (of);
  g_clear_pointer (&self->of, kymo_id_set_unref);
  self->of = of;
  self->span = kymo_session_get_range (self->session);
  keep_few (self, 0, 0);
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->about), "");
  kymo_view_asker_ask (self->asker);
}

/** kymo_explain_view_is_busy: whether an answer is on its way */
gboolean
kymo_explain_view_is_busy (KymoExplainView *self)
{
  return self->of != NULL && !kymo_view_asker_is_settled (self->asker);
}
