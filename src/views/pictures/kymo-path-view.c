/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-answer-list.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-plot-terms.h"
#include "kymo-path-view.h"
#include "kymo-units.h"

/* Width of the sums beside the steps. */
#define SUMS_SHARE 0.45
#define LEAST_SUMS_PX 400
#define MOST_SUMS_PX 600

struct _KymoPathView
{
  GtkBox          parent_instance;

  KymoSession    *session;
  GtkWidget      *choice, *words, *back, *forward;
  GtkWidget      *stack, *empty, *suggested, *ways; /* what is seen where there are no steps */
  KymoAnswerList *sums, *rows, *steps;
  KymoTable      *shown_sums, *shown_rows, *shown_steps;  /* of the lists, or NULL */
  gboolean        filling;
};

G_DEFINE_FINAL_TYPE (KymoPathView, kymo_path_view, GTK_TYPE_BOX)

static const KymoAnswerColumn sum_columns[] = {
  { "name", N_("On the path"), KYMO_CELL_TEXT, 0 },
  { "ns", N_("Time"), KYMO_CELL_TIME, 82 },
  { "share", N_("Share"), KYMO_CELL_SHARE, 66 },
  { "steps", N_("Steps"), KYMO_CELL_COUNT, 60 },
};

static const KymoAnswerColumn row_columns[] = {
  { "label", N_("{Row}"), KYMO_CELL_TEXT, 160 },
  { "ns", N_("Time"), KYMO_CELL_TIME, 82 },
  { "share", N_("Share"), KYMO_CELL_SHARE, 66 },
  { "steps", N_("Steps"), KYMO_CELL_COUNT, 60 },
};

static const KymoAnswerColumn step_columns[] = {
  { "step", N_("Step"), KYMO_CELL_COUNT, 66 },
  { "label", N_("{Row}"), KYMO_CELL_TEXT, 70 },
  { "words", N_("What"), KYMO_CELL_TEXT, 0 },
  { "took_ns", N_("Time"), KYMO_CELL_TIME, 78 },
  { "waited_ns", N_("Wait"), KYMO_CELL_TIME, 78 },
  { "begin_ns", N_("From"), KYMO_CELL_MOMENT, 104 },
  { "end_ns", N_("To"), KYMO_CELL_MOMENT, 104 },
};

/* -- one form for both questions ------------------------------------------ */

/* Between functions the chain goes over to whom was waited for. */
static gboolean
is_along_waits (const KymoTable *answer)
{
  return kymo_table_find_column (answer, "along") >= 0
         && g_strcmp0 (kymo_table_get_string (answer, "along", 0), "waits") == 0;
}

static char *
words_of_step (const KymoTable *answer, const KymoTable *steps, guint i)
{
  const char *kind = kymo_table_get_string (steps, "kind", i);
  const char *name = kymo_table_get_string (steps, "name", i);
  const char *from = kymo_table_find_column (steps, "from_label") >= 0
                     ? kymo_table_peek_label (steps, "from_label", i) : NULL;

  if (g_strcmp0 (kind, "message") == 0 && from != NULL && is_along_waits (answer))
    return g_strdup_printf (_("%s has waited for %s"), name, from);
  if (g_strcmp0 (kind, "message") == 0 && from != NULL)
    return g_strdup_printf (_("Message from %s for %s"), from, name);
  if (g_strcmp0 (kind, "message") == 0)
    return g_strdup (_("Message"));
  if (g_strcmp0 (kind, "queue") == 0)
    return g_strdup_printf (_("%s waits behind other work"), name);
  return g_strdup (name != NULL ? name : "");
}

/* (transfer full) (nullable): location -> its label, where steps do not tell it */
static GHashTable *
collect_labels (const KymoTable *answer, const KymoTable *steps)
{
  KymoTable *list = kymo_table_peek_nested (answer, "locations", NULL);
  const gint64 *ids = list != NULL ? kymo_table_peek_ints (list, "location", NULL) : NULL;
  GHashTable *labels;

  if (ids == NULL || steps == NULL || kymo_table_find_column (steps, "label") >= 0)
    return NULL;
  labels = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    g_hash_table_insert (labels, (gpointer) &ids[i],
                         (gpointer) kymo_table_get_string (list, "label", i));
  return labels;
}

static const char *
label_of (GHashTable *labels, const KymoTable *steps, guint i)
{
  gint64 id = kymo_table_get_int (steps, "location", i);

  return labels != NULL ? g_hash_table_lookup (labels, &id)
         : kymo_table_find_column (steps, "label") >= 0
         ? kymo_table_get_string (steps, "label", i) : NULL;
}

static KymoTable *
make_steps (const KymoTable *answer)
{
  KymoTable *steps = kymo_table_peek_nested (answer, "steps", NULL);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  g_autoptr (GHashTable) labels = collect_labels (answer, steps);

  for (guint i = 0; i < G_N_ELEMENTS (step_columns); i++)
    kymo_table_add_column (table, step_columns[i].key,
                           i == 1 || i == 2 ? KYMO_COLUMN_STRING : KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  for (guint i = 0; steps != NULL && i < kymo_table_get_n_rows (steps); i++)
    {
      gint64 begin_ns = kymo_table_get_int (steps, "begin_ns", i);
      gint64 end_ns = kymo_table_get_int (steps, "end_ns", i);
      const char *kind = kymo_table_get_string (steps, "kind", i);
      gboolean waits = g_strcmp0 (kind, "queue") == 0 || g_strcmp0 (kind, "idle") == 0;
      g_autofree char *words = words_of_step (answer, steps, i);

      kymo_table_append_row (table, i + 1, label_of (labels, steps, i), words, end_ns - begin_ns,
                             waits ? end_ns - begin_ns : 0, begin_ns, end_ns,
                             kymo_table_get_int (steps, "location", i));
    }
  return table;
}

/* Returns: whether there is something of it. */
static gboolean
add_sum (KymoTable *table, const char *name, gint64 ns, gint64 steps, gint64 all_ns)
{
  if (ns == 0 && steps == 0)
    return FALSE;
  kymo_table_append_row (table, name, ns, all_ns > 0 ? (double) ns / all_ns : NAN, steps);
  return TRUE;
}

/* Entry methods, and what is no entry method: messages and waiting. */
static KymoTable *
make_sums (const KymoTable *answer, gboolean critical)
{
  KymoTable *list = kymo_table_peek_nested (answer, "activities", NULL);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  gint64 all_ns = kymo_table_get_int (answer, critical ? "path_ns" : "total_ns", 0);

  for (guint i = 0; i < G_N_ELEMENTS (sum_columns); i++)
    kymo_table_add_column (table, sum_columns[i].key,
                           i == 0 ? KYMO_COLUMN_STRING
                           : i == 2 ? KYMO_COLUMN_DOUBLE : KYMO_COLUMN_INT, 1);
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    add_sum (table, g_strcmp0 (kymo_table_get_string (list, "kind", i), "message") == 0
                    ? _("Messages") : kymo_table_get_string (list, "name", i),
             kymo_table_get_int (list, critical ? "path_ns" : "ns", i),
             kymo_table_get_int (list, "steps", i), all_ns);
  if (critical)
    return table;
  if (is_along_waits (answer))
    return table;
  add_sum (table, _("Messages on their way"), kymo_table_get_int (answer, "message_ns", 0),
           kymo_table_get_int (answer, "messages", 0), all_ns);
  add_sum (table, _("Waiting behind other work, at most"),
           kymo_table_get_int (answer, "queue_ns", 0), 0, all_ns);
  return table;
}

/* How much of the critical path lies on each location. */
static KymoTable *
make_rows (const KymoTable *answer)
{
  KymoTable *list = kymo_table_peek_nested (answer, "locations", NULL);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  gint64 all_ns = kymo_table_get_int (answer, "path_ns", 0);

  for (guint i = 0; i < G_N_ELEMENTS (row_columns); i++)
    kymo_table_add_column (table, row_columns[i].key,
                           i == 0 ? KYMO_COLUMN_STRING
                           : i == 2 ? KYMO_COLUMN_DOUBLE : KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    if (add_sum (table, kymo_table_get_string (list, "label", i),
                 kymo_table_get_int (list, "path_ns", i),
                 kymo_table_get_int (list, "steps", i), all_ns))
      kymo_table_append_int (table, 4, kymo_table_get_int (list, "location", i));
  return table;
}

/* -- words ---------------------------------------------------------------- */

static const char *
end_in_words (const char *ended)
{
  static const struct { const char *word, *words; } known[] = {
    { "started", N_("No message started its first block.") },
    { "unmatched", N_("The sending of the message before is not in the run.") },
    { "uncertain", N_("The message before is uncertain: it was created for another entry "
                      "method.") },
    { "outside", N_("The message before was sent outside of all blocks.") },
    { "round", N_("It comes back to a block that is on it: the clocks disagree.") },
    { "begin", N_("It goes back to the beginning of the run.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (ended, known[i].word) == 0)
      return _(known[i].words);
  return "";
}

static char *
waits_in_words (const KymoTable *answer, gboolean forward, const char *total, gint64 n)
{
  g_autofree char *waits = kymo_words_waits (n);
  g_autofree char *caused = kymo_format_count (kymo_table_get_int (answer, "caused", 0));
  g_autofree char *took = kymo_format_duration (kymo_table_get_int (answer, "caused_ns", 0));

  if (!forward)
    return g_strdup_printf (_("The chain takes %s and goes over %s. %s"), total, waits,
                            end_in_words (kymo_table_get_string (answer, "ended", 0)));
  return g_strdup_printf (_("Calls that waited for it, directly or through others: %s, for %s "
                            "together. The way to the last moment that hangs on it takes %s and "
                            "goes over %s."), caused, took, total, waits);
}

static char *
chain_in_words (const KymoTable *answer, gboolean forward)
{
  g_autofree char *total = kymo_format_duration (kymo_table_get_int (answer, "total_ns", 0));
  g_autofree char *queue = kymo_format_duration (kymo_table_get_int (answer, "queue_ns", 0));
  gint64 n = kymo_table_get_int (answer, "messages", 0);
  g_autofree char *messages = kymo_words_messages (n);
  g_autofree char *caused = kymo_words_blocks (kymo_table_get_int (answer, "caused", 0));

  if (is_along_waits (answer))
    return waits_in_words (answer, forward, total, n);
  if (forward)
    return g_strdup_printf (_("It caused %s. The way to the last of them takes %s over %s, "
                              "of which at most %s waiting behind other work."),
                            caused, total, messages, queue);
  return g_strdup_printf (_("The chain takes %s over %s, of which at most %s waiting "
                            "behind other work. %s"), total, messages, queue,
                          end_in_words (kymo_table_get_string (answer, "ended", 0)));
}

static char *
path_in_words (const KymoTable *answer)
{
  g_autofree char *length = kymo_format_duration (kymo_table_get_int (answer, "path_ns", 0));
  g_autofree char *steps = kymo_format_count (kymo_table_get_int (answer, "steps_in_all", 0));
  g_autofree char *messages = kymo_format_count (kymo_table_get_int (answer, "messages", 0));

  return g_strdup_printf (_("The path that ends last takes %s: %s steps, %s of them messages. "
                            "Only what is on it delays the end."), length, steps, messages);
}

static void
show_words (KymoPathView *self, KymoPathKind kind, const KymoTable *answer)
{
  const char *failure = kymo_session_peek_path_failure (self->session);
  g_autofree char *words
    = failure != NULL ? g_strdup (failure)
      : kind == KYMO_PATH_NONE
      ? g_strdup (_("The critical path of the run, or the chain of messages that a block hangs "
                    "on: choose which"))
      : answer == NULL ? g_strdup (_("Looking for the path…"))
      : kind == KYMO_PATH_CRITICAL ? path_in_words (answer)
      : chain_in_words (answer, kind == KYMO_PATH_FORWARD);

  kymo_label_set (self->words, words);
}

/* Where there are no steps the picture is a sentence with a way out, not two empty tables. */
static void
show_page (KymoPathView *self, KymoPathKind kind, KymoTable *answer)
{
  const char *failure = kymo_session_peek_path_failure (self->session);
  KymoTable *steps = answer != NULL ? kymo_table_peek_nested (answer, "steps", NULL) : NULL;
  gboolean none = failure != NULL || kind == KYMO_PATH_NONE
                  || (answer != NULL && (steps == NULL || kymo_table_get_n_rows (steps) == 0));
  gboolean has_block = kymo_session_get_block (self->session, NULL, NULL);
  /* A failure may name what a file names; descriptions are markup. */
  g_autofree char *words
    = g_markup_escape_text (gtk_label_get_text (GTK_LABEL (self->words)), -1);

  gtk_widget_set_visible (self->words, !none);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), none ? "empty" : "lists");
  adw_status_page_set_title (ADW_STATUS_PAGE (self->empty),
                             failure != NULL ? _("There Is No Such Path")
                             : kind == KYMO_PATH_NONE ? _("No path shown")
                             : _("A Path Without Steps"));
  adw_status_page_set_description (
    ADW_STATUS_PAGE (self->empty), failure != NULL || kind != KYMO_PATH_NONE ? words
    : has_block ? _("The critical path tells what delays the end of the run. The chain back from "
                    "the selected block tells what that hangs on, the one forward what it caused.")
    : _("The critical path tells what delays the end of the run. To follow the messages of a "
        "block back or forward, select it in the timeline first."));
  gtk_widget_set_visible (self->suggested, kind != KYMO_PATH_CRITICAL);
  gtk_widget_set_visible (self->ways, has_block && failure == NULL && kind == KYMO_PATH_NONE);
}

/* -- showing -------------------------------------------------------------- */

static void
set_list (KymoAnswerList *list, KymoTable **shown, KymoTable *table)
{
  g_clear_pointer (shown, kymo_table_unref);
  *shown = table;
  kymo_answer_list_set (list, table, NULL, table != NULL ? kymo_table_get_n_rows (table) : 0,
                        TRUE);
}

static void
fill_path_view (KymoPathView *self)
{
  KymoPathKind kind = kymo_session_get_path_kind (self->session);
  KymoTable *answer = kymo_session_peek_path (self->session);

  set_list (self->sums, &self->shown_sums,
            answer != NULL ? make_sums (answer, kind == KYMO_PATH_CRITICAL) : NULL);
  set_list (self->rows, &self->shown_rows,
            answer != NULL && kind == KYMO_PATH_CRITICAL ? make_rows (answer) : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->rows), self->shown_rows != NULL);
  /* In their order from the begin: a list that is sorted later stays at the line it had. */
  kymo_answer_list_sort_at_first (self->steps, kind == KYMO_PATH_CRITICAL ? "took_ns" : "step",
                                  kind == KYMO_PATH_CRITICAL);
  set_list (self->steps, &self->shown_steps, answer != NULL ? make_steps (answer) : NULL);
}

static void
on_path_changed (KymoPathView *self)
{
  KymoPathKind kind = kymo_session_get_path_kind (self->session);
  KymoTable *answer = kymo_session_peek_path (self->session);
  gint step = kymo_session_get_path_step (self->session);

  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), kind);
  if (step < 0 || answer == NULL || self->shown_steps == NULL)
    fill_path_view (self);
  kymo_answer_list_select (self->steps, step);
  show_words (self, kind, answer);
  show_page (self, kind, answer);
  gtk_widget_set_sensitive (self->back, answer != NULL);
  gtk_widget_set_sensitive (self->forward, answer != NULL);
  self->filling = FALSE;
}

static void
on_chosen (KymoPathView *self)
{
  if (!self->filling)
    kymo_session_follow_path (self->session, kymo_controls_chosen (self->choice));
}

static void
on_critical (KymoPathView *self)
{
  kymo_session_follow_path (self->session, KYMO_PATH_CRITICAL);
}

static void
on_way_back (KymoPathView *self)
{
  kymo_session_follow_path (self->session, KYMO_PATH_BACK);
}

static void
on_way_forward (KymoPathView *self)
{
  kymo_session_follow_path (self->session, KYMO_PATH_FORWARD);
}

static void
on_selection_changed (KymoPathView *self)
{
  show_page (self, kymo_session_get_path_kind (self->session),
             kymo_session_peek_path (self->session));
}

static void
on_step_selected (KymoPathView *self, int row)
{
  /* Lists that go tell of a selection once more. */
  if (!self->filling && row >= 0 && self->session != NULL)
    kymo_session_set_path_step (self->session, row);
}

static void
on_step_activated (KymoPathView *self, int row)
{
  on_step_selected (self, row);
  if (self->session != NULL)
    g_signal_emit_by_name (self, "show-view", "timeline");
}

static void
on_back (KymoPathView *self)
{
  kymo_session_walk_path (self->session, FALSE);
}

static void
on_forward (KymoPathView *self)
{
  kymo_session_walk_path (self->session, TRUE);
}

/* -- the widget ----------------------------------------------------------- */

static KymoAnswerList *
new_list (KymoPathView *self, const KymoAnswerColumn *columns, guint n, const char *name)
{
  static const KymoAnswerLinks sum = { .name = "name" };
  static const KymoAnswerLinks location = { .location = "location" };
  static const KymoAnswerLinks step = { .location = "location", .begin = "begin_ns",
                                        .end = "end_ns" };
  KymoAnswerList *list = KYMO_ANSWER_LIST (kymo_answer_list_new (columns, n, name));

  kymo_answer_list_set_terms (list, kymo_session_get_terms (self->session));
  kymo_answer_list_link (list, self->session, columns == sum_columns ? &sum
                         : columns == row_columns ? &location : &step);
  gtk_widget_set_vexpand (GTK_WIDGET (list), TRUE);
  return list;
}

static GtkWidget *
build_bar (KymoPathView *self)
{
  const char *const kinds[] = { _("No path"), _("Critical path of the run"),
                                _("Back from the selected block"),
                                _("Forward from the selected block"), NULL };
  GtkWidget *bar = kymo_controls_new ();

  self->choice = kymo_controls_add_choice (bar, _("Which path is shown"), kinds);
  kymo_controls_add_gap (bar);
  self->back = kymo_controls_add_button (bar, _("Step _Back"),
                                         _("Go to the step before on the path (<)"));
  self->forward = kymo_controls_add_button (bar, _("Step _Forward"),
                                            _("Go to the next step on the path (>)"));
  return bar;
}

/* Once: the sums are as wide as their names want, where there is room. */
static void
place_handle (GtkPaned *paned)
{
  int width = gtk_widget_get_width (GTK_WIDGET (paned));

  if (width < LEAST_SUMS_PX)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_handle, NULL);
  gtk_paned_set_position (paned, CLAMP (width * SUMS_SHARE, LEAST_SUMS_PX, MOST_SUMS_PX));
}

static GtkWidget *
build_lists (KymoPathView *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *sums = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->sums = new_list (self, sum_columns, G_N_ELEMENTS (sum_columns), _("Sums of the path"));
  self->steps = new_list (self, step_columns, G_N_ELEMENTS (step_columns),
                          _("Steps of the path"));
  self->rows = new_list (self, row_columns, G_N_ELEMENTS (row_columns),
                         kymo_in_terms_of (self->session, _("The path by {row}")));
  kymo_answer_list_sort (self->sums, "ns", TRUE);
  kymo_answer_list_sort (self->rows, "ns", TRUE);
  kymo_answer_list_sort (self->steps, "step", FALSE);
  kymo_answer_list_keep_sort (self->sums, "critical-path", "sort");
  kymo_answer_list_keep_sort (self->rows, "critical-path", "row-sort");
  kymo_answer_list_keep_sort (self->steps, "critical-path", "step-sort");
  gtk_paned_set_start_child (GTK_PANED (sums), GTK_WIDGET (self->sums));
  gtk_paned_set_end_child (GTK_PANED (sums), GTK_WIDGET (self->rows));
  gtk_paned_set_start_child (GTK_PANED (paned), sums);
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->steps));
  gtk_paned_set_resize_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), TRUE);
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (place_handle), NULL);
  kymo_follow (self->steps, "selected", on_step_selected, self);
  kymo_follow (self->steps, "activated", on_step_activated, self);
  return paned;
}

static GtkWidget *
add_way (GtkWidget *box, const char *label, const char *name, GCallback clicked,
         KymoPathView *self)
{
  GtkWidget *button = kymo_controls_add_button (box, label, name);

  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pill");
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
build_empty (KymoPathView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->empty = adw_status_page_new ();
  self->ways = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_set_halign (self->ways, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->empty, "compact");
  self->suggested = add_way (box, _("Show the _Critical Path"),
                             _("What delays the end of the run"), G_CALLBACK (on_critical), self);
  gtk_widget_add_css_class (self->suggested, "suggested-action");
  gtk_box_append (GTK_BOX (box), self->ways);
  add_way (self->ways, _("_Back From the Block"), _("What the selected block hangs on"),
           G_CALLBACK (on_way_back), self);
  add_way (self->ways, _("_Forward From the Block"), _("What the selected block caused"),
           G_CALLBACK (on_way_forward), self);
  adw_status_page_set_child (ADW_STATUS_PAGE (self->empty), box);
  return self->empty;
}

static GtkWidget *
build_stack (KymoPathView *self)
{
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), build_lists (self), "lists");
  gtk_stack_add_named (GTK_STACK (self->stack), build_empty (self), "empty");
  gtk_widget_set_vexpand (self->stack, TRUE);
  return self->stack;
}

static void
kymo_path_view_dispose (GObject *object)
{
  KymoPathView *self = KYMO_PATH_VIEW (object);

  g_clear_pointer (&self->shown_sums, kymo_table_unref);
  g_clear_pointer (&self->shown_steps, kymo_table_unref);
  g_clear_pointer (&self->shown_rows, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_path_view_parent_class)->dispose (object);
}

static void
kymo_path_view_class_init (KymoPathViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_path_view_dispose;
  kymo_signal_new ("show-view", KYMO_TYPE_PATH_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_path_view_init (KymoPathView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

/**
 * kymo_path_view_new:
 *
 * Makes the tables of the path of @session. They follow the path and its selected step by
 * themselves.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_path_view_new (KymoSession *session)
{
  KymoPathView *self = g_object_new (KYMO_TYPE_PATH_VIEW, NULL);

  self->session = g_object_ref (session);
  gtk_box_append (GTK_BOX (self), build_bar (self));
  self->words = kymo_controls_new_words ();
  gtk_box_append (GTK_BOX (self), self->words);
  gtk_box_append (GTK_BOX (self), build_stack (self));
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (on_chosen), self);
  g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (on_back), self);
  g_signal_connect_swapped (self->forward, "clicked", G_CALLBACK (on_forward), self);
  kymo_follow (session, "path-changed", on_path_changed, self);
  kymo_follow (session, "selection-changed", on_selection_changed, self);
  on_path_changed (self);
  return GTK_WIDGET (self);
}
