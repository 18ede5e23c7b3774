/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two questions "waiting" about the visible range: one of all for the matrix and the sums, one
 * for the list of single waits, of what is chosen in the sums alone.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-answer-list.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-label.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"
#include "kymo-waiting-view.h"

#define MOST_WAITS "500"
/* Of the height. */
#define PICTURE_SHARE 0.6

typedef enum { BY_KIND, BY_FUNCTION, BY_PATH, BY_ROW, N_SUMS } Sum;

struct _KymoWaitingView
{
  GtkBox          parent_instance;

  KymoSession    *session;
  KymoViewAsker  *asker;
  KymoAsker      *single;
  GtkWidget      *words, *choice, *stack;
  GtkWidget      *show, *late;
  KymoCanvas     *matrix;       /* the first choice */
  KymoAnswerList *sums[N_SUMS]; /* those after it */
  KymoAnswerList *worst;
  KymoTable      *answer;       /* of the sums, or NULL */
  KymoTable      *waits;        /* "worst" of the other answer, or NULL */
};

G_DEFINE_FINAL_TYPE (KymoWaitingView, kymo_waiting_view, GTK_TYPE_BOX)

/* Figures stand near short names; call paths get all the room there is. */
#define SUM_COLUMNS(key, title, width_px)                \
  { { key, title, KYMO_CELL_TEXT, width_px },            \
    { "ns", N_("Wait"), KYMO_CELL_TIME, 82 },            \
    { "count", N_("Times"), KYMO_CELL_COUNT, 66 },         \
    { "max_ns", N_("Longest"), KYMO_CELL_TIME, 82 } }

static const KymoAnswerColumn kind_columns[] = SUM_COLUMNS ("kind", N_("Kind"), 200);
static const KymoAnswerColumn function_columns[] = SUM_COLUMNS ("name", N_("{Code}"), 320);
static const KymoAnswerColumn path_columns[] = SUM_COLUMNS ("path", N_("Call path"), 0);
static const KymoAnswerColumn row_columns[] = {
  { "label", N_("{Row}"), KYMO_CELL_TEXT, 160 },
  { "ns", N_("Wait"), KYMO_CELL_TIME, 82 },
  { "count", N_("Times"), KYMO_CELL_COUNT, 66 },
  { "caused_ns", N_("Wait caused"), KYMO_CELL_TIME, 90 },
};

static const KymoAnswerColumn worst_columns[] = {
  { "wait_ns", N_("Wait"), KYMO_CELL_TIME, 82 },
  { "wait_begin_ns", N_("From"), KYMO_CELL_MOMENT, 112 },
  { "label", N_("{Row}"), KYMO_CELL_TEXT, 110 },
  { "function", N_("In"), KYMO_CELL_TEXT, 0 },
  { "by_label", N_("Late rank"), KYMO_CELL_TEXT, 110 },
  { "by_did", N_("It was in"), KYMO_CELL_TEXT, 150 },
  { "kind", N_("Kind"), KYMO_CELL_TEXT, 130 },
};

/* The table of the answer behind each list, what a row of it is chosen by, and
   the keyword for that; under which word its order is kept. */
static const struct
{
  const char             *table, *key, *keyword, *title, *sort;
  const KymoAnswerColumn *columns;
} sums[N_SUMS] = {
  { "kinds", "kind", "kind", N_("By kind"), "kind-sort", kind_columns },
  { "functions", "name", "function", N_("By {code}"), "function-sort", function_columns },
  { "paths", "path", "path", N_("By call path"), "path-sort", path_columns },
  { "locations", "location", NULL, N_("By {row}"), "location-sort", row_columns },
};

/* -- what is asked -------------------------------------------------------- */

static KymoQuestion *
new_question (KymoWaitingView *self, const char *limit)
{
  KymoQuestion *question = kymo_question_new ("waiting");

  kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_session_prepare (self->session, question);
  kymo_question_set (question, "limit", limit);
  return question;
}

/* N_SUMS where the matrix is shown. */
static Sum
chosen_sum (KymoWaitingView *self)
{
  guint chosen = kymo_controls_chosen (self->choice);

  return chosen > 0 ? MIN (chosen, N_SUMS) - 1 : N_SUMS;
}

/* What is chosen among the sums narrows down the single waits. */
static void
narrow (KymoWaitingView *self, KymoQuestion *question)
{
  Sum sum = chosen_sum (self);
  int row = sum < N_SUMS ? kymo_answer_list_get_selected (self->sums[sum]) : -1;
  KymoTable *table = self->answer != NULL && row >= 0
                     ? kymo_table_peek_nested (self->answer, sums[sum].table, NULL) : NULL;

  if (table == NULL)
    return;
  if (sums[sum].keyword != NULL)
    kymo_question_set (question, sums[sum].keyword,
                       kymo_table_get_string (table, sums[sum].key, row));
  else
    {
      gint64 id = kymo_table_get_int (table, sums[sum].key, row);
      g_autoptr (KymoIdSet) one = kymo_id_set_new_list (&id, 1);

      kymo_question_set_locations (question, one);
    }
}

static void
ask_single (KymoWaitingView *self)
{
  KymoQuestion *question = new_question (self, MOST_WAITS);

  narrow (self, question);
  kymo_asker_ask (self->single, question);
}

static KymoQuestion *
sums_question (gpointer view)
{
  return new_question (view, "0");
}

/* -- what is shown -------------------------------------------------------- */

static void
say_waiting_view (KymoWaitingView *self, const char *words)
{
  kymo_label_set (self->words, words);
}

static void
say_total (KymoWaitingView *self)
{
  gint64 ns = kymo_table_get_int (self->answer, "total_ns", 0);
  g_autofree char *time = kymo_format_duration (ns);
  g_autofree char *share = kymo_format_percent (kymo_table_get_double (self->answer, "share", 0));
  g_autofree char *words = ns == 0 ? g_strdup (_("Nobody waited for anybody in this range."))
    : g_strdup_printf (_("Waited for others: %s, %s of the time in view."), time, share);
  g_autofree char *both = g_strdup_printf (
    /* Translators: two whole sentences, one after the other. */
    C_("sentences", "%s %s"), words,
    _("Collective operations are matched by name and order."));

  say_waiting_view (self, kymo_table_get_bool (self->answer, "collectives_inferred", 0) ? both
                                                                                        : words);
}

/* Kinds are all in the answer; those of which there is nothing tell nothing. */
static void
set_sums (KymoAnswerList *list, KymoTable *table)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; table != NULL && i < kymo_table_get_n_rows (table); i++)
    if (kymo_table_get_int (table, "ns", i) > 0 || kymo_table_get_int (table, "caused_ns", i) > 0)
      g_array_append_val (rows, i);
  kymo_answer_list_set (list, rows->len > 0 ? table : NULL,
                        (const guint *) (gpointer) rows->data, rows->len, TRUE);
}

static KymoTable *
peek_sums (KymoTable *answer, Sum sum)
{
  return answer != NULL ? kymo_table_peek_nested (answer, sums[sum].table, NULL) : NULL;
}

/* (transfer full): what a row of sums is of, the same in every answer */
static char *
dup_key (KymoTable *table, Sum sum, int row)
{
  return sums[sum].keyword != NULL
         ? g_strdup (kymo_table_get_string (table, sums[sum].key, row))
         : g_strdup_printf ("%" G_GINT64_FORMAT,
                            kymo_table_get_int (table, sums[sum].key, row));
}

/* What is chosen stays chosen where the new answer has it. */
static void
renew_sums (KymoWaitingView *self, Sum sum, KymoTable *before)
{
  int row = kymo_answer_list_get_selected (self->sums[sum]), found = -1;
  KymoTable *old = peek_sums (before, sum), *table = peek_sums (self->answer, sum);
  guint n = table != NULL && old != NULL && row >= 0 ? kymo_table_get_n_rows (table) : 0;
  g_autofree char *chosen = n > 0 ? dup_key (old, sum, row) : NULL;

  for (guint i = 0; i < n && found < 0; i++)
    {
      g_autofree char *key = dup_key (table, sum, i);

      if (g_strcmp0 (key, chosen) == 0)
        found = i;
    }
  set_sums (self->sums[sum], table);
  kymo_answer_list_keep (self->sums[sum], found);
}

static void
on_sums (KymoTable *answer, const GError *error, gpointer data)
{
  KymoWaitingView *self = data;
  g_autoptr (KymoTable) before = g_steal_pointer (&self->answer);

  if (answer != NULL)
    {
      self->answer = kymo_table_ref (answer);
      say_total (self);
    }
  else
    say_waiting_view (self, error->message);
  for (guint i = 0; i < N_SUMS; i++)
    renew_sums (self, i, before);
  ask_single (self);
}

/* Returns: the row of `table` that is the wait of a row of `old`, or -1 */
static int
find_wait (KymoTable *table, KymoTable *old, int row)
{
  guint n = table != NULL && old != NULL && row >= 0 ? kymo_table_get_n_rows (table) : 0;

  for (guint i = 0; i < n; i++)
    if (kymo_table_get_int (table, "location", i) == kymo_table_get_int (old, "location", row)
        && kymo_table_get_int (table, "wait_begin_ns", i)
           == kymo_table_get_int (old, "wait_begin_ns", row))
      return i;
  return -1;
}

static void
on_single (KymoTable *answer, const GError *error, gpointer data)
{
  KymoWaitingView *self = data;
  int chosen;
  KymoTable *table = answer != NULL ? kymo_table_peek_nested (answer, "worst", NULL) : NULL;

  if (answer == NULL)
    say_waiting_view (self, error->message);
  chosen = find_wait (table, self->waits, kymo_answer_list_get_selected (self->worst));
  g_clear_pointer (&self->waits, kymo_table_unref);
  if (table != NULL)
    self->waits = kymo_table_ref (table);
  kymo_answer_list_set (self->worst, table, NULL,
                        table != NULL ? kymo_table_get_n_rows (table) : 0, TRUE);
  kymo_answer_list_keep (self->worst, chosen);
  gtk_widget_set_sensitive (self->show, chosen >= 0);
  gtk_widget_set_sensitive (self->late, chosen >= 0);
}

static void
on_turned (KymoWaitingView *self)
{
  Sum sum = chosen_sum (self);

  gtk_stack_set_visible_child (GTK_STACK (self->stack),
                               sum < N_SUMS ? GTK_WIDGET (self->sums[sum])
                                            : GTK_WIDGET (self->matrix));
  if (self->answer != NULL)
    ask_single (self);
}

/* -- going there ---------------------------------------------------------- */

/* Both the wait and the late rank are to be seen, with room around them. */
static void
go_to (KymoWaitingView *self, int row, gboolean late)
{
  gint64 begin_ns = kymo_table_get_int (self->waits, "begin_ns", row);
  gint64 end_ns = kymo_table_get_int (self->waits, "end_ns", row);
  gint64 by_ns = kymo_table_get_int (self->waits, "by_begin_ns", row);
  gint64 room_ns;

  if (by_ns != KYMO_NULL_INT)
    {
      begin_ns = MIN (begin_ns, by_ns);
      end_ns = MAX (end_ns, by_ns);
    }
  room_ns = MAX ((end_ns - begin_ns) / 4, 1);
  kymo_session_set_range (self->session, (KymoSpan) { begin_ns - room_ns, end_ns + room_ns },
                          TRUE);
  kymo_session_set_block (self->session,
                          kymo_table_get_int (self->waits, late ? "by" : "location", row),
                          kymo_table_get_int (self->waits, late ? "by_begin_ns" : "wait_begin_ns",
                                              row));
  g_signal_emit_by_name (self, "show-view", "timeline");
}

static void
on_wait_activated (KymoWaitingView *self, int row)
{
  if (self->waits != NULL && row >= 0)
    go_to (self, row, FALSE);
}

static void
on_wait_selected (KymoWaitingView *self, int row)
{
  gtk_widget_set_sensitive (self->show, row >= 0);
  gtk_widget_set_sensitive (self->late, row >= 0);
  if (self->waits != NULL && row >= 0)
    kymo_session_set_block (self->session, kymo_table_get_int (self->waits, "location", row),
                            kymo_table_get_int (self->waits, "wait_begin_ns", row));
}

static void
on_show (KymoWaitingView *self)
{
  on_wait_activated (self, kymo_answer_list_get_selected (self->worst));
}

static void
on_late (KymoWaitingView *self)
{
  int row = kymo_answer_list_get_selected (self->worst);

  if (self->waits != NULL && row >= 0)
    go_to (self, row, TRUE);
}

/* -- the widget ----------------------------------------------------------- */

static KymoAnswerList *
new_list (KymoWaitingView *self, const KymoAnswerColumn *columns, guint n, const char *name)
{
  static const KymoAnswerLinks wait = { .name = "function", .location = "location",
                                        .begin = "wait_begin_ns", .end = "end_ns" };
  static const KymoAnswerLinks function = { .name = "name" };
  static const KymoAnswerLinks location = { .location = "location" };
  static const KymoAnswerLinks nothing = { NULL };
  KymoAnswerList *list = KYMO_ANSWER_LIST (kymo_answer_list_new (columns, n, name));

  kymo_answer_list_set_terms (list, kymo_session_get_terms (self->session));
  kymo_answer_list_set_words (list, kymo_shown_kind);
  kymo_answer_list_link (list, self->session, columns == worst_columns ? &wait
                         : columns == function_columns ? &function
                         : columns == row_columns ? &location : &nothing);
  gtk_widget_set_vexpand (GTK_WIDGET (list), TRUE);
  return list;
}

static GtkWidget *
build_sums (KymoWaitingView *self)
{
  self->stack = gtk_stack_new ();
  self->matrix = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("waiting-matrix"),
                                               self->session));
  gtk_widget_set_vexpand (GTK_WIDGET (self->matrix), TRUE);
  gtk_stack_add_child (GTK_STACK (self->stack), GTK_WIDGET (self->matrix));
  for (guint i = 0; i < N_SUMS; i++)
    {
      self->sums[i] = new_list (self, sums[i].columns, G_N_ELEMENTS (kind_columns),
                                kymo_in_terms_of (self->session, _(sums[i].title)));
      kymo_answer_list_sort (self->sums[i], "ns", TRUE);
      kymo_answer_list_keep_sort (self->sums[i], "waiting", sums[i].sort);
      gtk_stack_add_child (GTK_STACK (self->stack), GTK_WIDGET (self->sums[i]));
      kymo_follow (self->sums[i], "selected", ask_single, self);
    }
  return self->stack;
}

static GtkWidget *
build_bar (KymoWaitingView *self)
{
  const char *titles[N_SUMS + 2] = { _("Matrix") };
  GtkWidget *bar = kymo_controls_new ();

  for (guint i = 0; i < N_SUMS; i++)
    titles[i + 1] = kymo_in_terms_of (self->session, _(sums[i].title));
  self->choice = kymo_controls_add_choice (bar, _("By what waiting is summed up"), titles);
  kymo_kept_add (self->choice, "waiting", "by");
  kymo_controls_add_gap (bar);
  self->show = kymo_controls_add_button (bar, _("Show in _Timeline"),
                                         _("Go to the chosen wait"));
  self->late = kymo_controls_add_button (bar, _("Show _Late Rank"),
                                         _("Go to what the chosen wait was for"));
  return bar;
}

static void
connect_all (KymoWaitingView *self)
{
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (on_turned), self);
  g_signal_connect_swapped (self->show, "clicked", G_CALLBACK (on_show), self);
  g_signal_connect_swapped (self->late, "clicked", G_CALLBACK (on_late), self);
  kymo_follow (self->worst, "selected", on_wait_selected, self);
  kymo_follow (self->worst, "activated", on_wait_activated, self);
  kymo_view_asker_follow (self->asker, self->session, "range-changed");
  kymo_view_asker_follow (self->asker, self->session, "filter-changed");
}

static void
kymo_waiting_view_dispose (GObject *object)
{
  KymoWaitingView *self = KYMO_WAITING_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->single, kymo_asker_free);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_clear_pointer (&self->waits, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_waiting_view_parent_class)->dispose (object);
}

static void
kymo_waiting_view_class_init (KymoWaitingViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_waiting_view_dispose;
  kymo_signal_new ("show-view", KYMO_TYPE_WAITING_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_waiting_view_init (KymoWaitingView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

static const KymoViewQuestion sums_of_range = {
  .question = sums_question, .answered = on_sums, .pause_ms = KYMO_VIEW_PAUSE_MS,
};

/**
 * kymo_waiting_view_peek_matrix:
 *
 * Returns: (transfer none): the picture of who waited for whom
 */
KymoCanvas *
kymo_waiting_view_peek_matrix (KymoWaitingView *self)
{
  return self->matrix;
}

/* Once: the picture has the larger part, for its cells to be told apart in a small window. */
static void
place_handle (GtkPaned *paned)
{
  int height = gtk_widget_get_height (GTK_WIDGET (paned));

  if (height < 100)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_handle, NULL);
  gtk_paned_set_position (paned, height * PICTURE_SHARE);
}

/**
 * kymo_waiting_view_new:
 *
 * Makes the matrix and the tables of waiting times in the visible range of @session. They follow
 * the visible range, the filter and the growth of the run.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_waiting_view_new (KymoSession *session)
{
  KymoWaitingView *self = g_object_new (KYMO_TYPE_WAITING_VIEW, NULL);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&sums_of_range, self, session);
  self->single = kymo_asker_new (kymo_session_peek_source (session), on_single, self);
  self->worst = new_list (self, worst_columns, G_N_ELEMENTS (worst_columns),
                          _("The longest single waits"));
  kymo_answer_list_sort (self->worst, "wait_ns", TRUE);
  kymo_answer_list_keep_sort (self->worst, "waiting", "sort");
  gtk_box_append (GTK_BOX (self), build_bar (self));
  self->words = kymo_controls_new_words ();
  gtk_box_append (GTK_BOX (self), self->words);
  gtk_paned_set_start_child (GTK_PANED (paned), build_sums (self));
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->worst));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (place_handle), NULL);
  gtk_box_append (GTK_BOX (self), paned);
  connect_all (self);
  return GTK_WIDGET (self);
}
