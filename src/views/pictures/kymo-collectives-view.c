/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question "collectives" about the visible range; choosing a sum shows fewer of its lines.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-answer-list.h"
#include "kymo-collectives-view.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-session-selected.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

#define MOST_COLLECTIVES "1000"

struct _KymoCollectivesView
{
  GtkBox          parent_instance;

  KymoSession    *session;
  KymoViewAsker  *asker;
  GtkWidget      *words, *show, *last;
  KymoAnswerList *names, *single;
  KymoTable      *answer;       /* or NULL */
};

G_DEFINE_FINAL_TYPE (KymoCollectivesView, kymo_collectives_view, GTK_TYPE_BOX)

static const KymoAnswerColumn name_columns[] = {
  { "name", N_("{Code}"), KYMO_CELL_TEXT, 0 },
  { "kind", N_("Kind"), KYMO_CELL_TEXT, 110 },
  { "count", N_("Times"), KYMO_CELL_COUNT, 66 },
  { "wait_ns", N_("Wait"), KYMO_CELL_TIME, 82 },
  { "max_wait_ns", N_("Longest"), KYMO_CELL_TIME, 82 },
  { "sent_bytes", N_("Bytes sent"), KYMO_CELL_COUNT, 110 },
};

static const KymoAnswerColumn single_columns[] = {
  { "wait_ns", N_("Wait"), KYMO_CELL_TIME, 82 },
  { "begin_ns", N_("From"), KYMO_CELL_MOMENT, 112 },
  { "name", N_("{Code}"), KYMO_CELL_TEXT, 0 },
  { "n_members", N_("{Rows}"), KYMO_CELL_COUNT, 66 },
  { "last_label", N_("Last rank"), KYMO_CELL_TEXT, 110 },
  { "last_begin_ns", N_("At"), KYMO_CELL_MOMENT, 112 },
};

static const char *
words_of_kind (const char *word)
{
  static const struct { const char *word, *words; } known[] = {
    { "barrier", N_("Barrier") }, { "all-to-all", N_("All to all") },
    { "one-to-all", N_("One to all") }, { "all-to-one", N_("All to one") },
    { "prefix", N_("Scan") }, { "other", N_("Other") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (word, known[i].word) == 0)
      return _(known[i].words);
  return word;
}

/* -- what is shown -------------------------------------------------------- */

static KymoQuestion *
collectives_question (gpointer view)
{
  KymoCollectivesView *self = view;
  KymoQuestion *question = kymo_question_new ("collectives");

  kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_session_prepare (self->session, question);
  kymo_question_set (question, "limit", MOST_COLLECTIVES);
  return question;
}

static KymoTable *
peek_list (KymoCollectivesView *self, const char *list)
{
  return self->answer != NULL ? kymo_table_peek_nested (self->answer, list, NULL) : NULL;
}

/* (nullable): the operation that is chosen in the sums */
static const char *
peek_chosen_name (KymoCollectivesView *self)
{
  int row = kymo_answer_list_get_selected (self->names);

  return self->answer != NULL && row >= 0
         ? kymo_table_get_string (peek_list (self, "names"), "name", row) : NULL;
}

static void
on_single_selected (KymoCollectivesView *self, int row)
{
  gtk_widget_set_sensitive (self->show, row >= 0);
  gtk_widget_set_sensitive (self->last, row >= 0);
}

static void
show_single (KymoCollectivesView *self)
{
  KymoTable *table = peek_list (self, "collectives");
  const char *name = peek_chosen_name (self);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; table != NULL && i < kymo_table_get_n_rows (table); i++)
    if (name == NULL || g_strcmp0 (name, kymo_table_get_string (table, "name", i)) == 0)
      g_array_append_val (rows, i);
  kymo_answer_list_set (self->single, rows->len > 0 ? table : NULL,
                        (const guint *) (gpointer) rows->data, rows->len, TRUE);
  on_single_selected (self, -1);
}

static void
say_collectives (KymoCollectivesView *self)
{
  gint64 n = kymo_table_get_int (self->answer, "count", 0);
  g_autofree char *count = kymo_format_count (n);
  g_autofree char *time = kymo_format_duration (kymo_table_get_int (self->answer, "wait_ns", 0));
  g_autofree char *words = n == 0 ? g_strdup (_("No collective operation in this range."))
    : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                    "%s collective operation; time waited in it: %s.",
                                    "%s collective operations; time waited in them: %s.", n),
                       count, time);
  g_autofree char *both = g_strdup_printf (
    /* Translators: two whole sentences, one after the other. */
    C_("sentences", "%s %s"), words,
    _("They are matched by name and order."));

  kymo_label_set (self->words, kymo_table_get_bool (self->answer, "inferred", 0) && n > 0 ? both
                                                                                          : words);
}

/* What is chosen stays chosen where the new answer has it. */
static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCollectivesView *self = data;
  g_autofree char *chosen = g_strdup (peek_chosen_name (self));
  KymoTable *names;
  int found = -1;

  g_clear_pointer (&self->answer, kymo_table_unref);
  if (answer != NULL)
    self->answer = kymo_table_ref (answer);
  names = peek_list (self, "names");
  for (guint i = 0; names != NULL && chosen != NULL && i < kymo_table_get_n_rows (names); i++)
    if (g_strcmp0 (kymo_table_get_string (names, "name", i), chosen) == 0)
      found = i;
  kymo_answer_list_set (self->names, names, NULL, 0, TRUE);
  kymo_answer_list_keep (self->names, found);
  show_single (self);
  if (answer != NULL)
    say_collectives (self);
  else
    kymo_label_set (self->words, error->message);
}

/* -- going there ---------------------------------------------------------- */

/* The whole operation is to be seen, with room around it. */
static void
go_to_collective (KymoCollectivesView *self, int row)
{
  KymoTable *table = peek_list (self, "collectives");
  gint64 begin_ns, end_ns, room_ns;

  if (table == NULL || row < 0)
    return;
  begin_ns = kymo_table_get_int (table, "begin_ns", row);
  end_ns = kymo_table_get_int (table, "end_ns", row);
  room_ns = MAX ((end_ns - begin_ns) / 4, 1);
  kymo_session_set_range (self->session, (KymoSpan) { begin_ns - room_ns, end_ns + room_ns },
                          TRUE);
  g_signal_emit_by_name (self, "show-view", "timeline");
}

static void
on_show (KymoCollectivesView *self)
{
  go_to_collective (self, kymo_answer_list_get_selected (self->single));
}

static void
on_last (KymoCollectivesView *self)
{
  KymoTable *table = peek_list (self, "collectives");
  int row = kymo_answer_list_get_selected (self->single);

  if (table == NULL || row < 0)
    return;
  kymo_session_set_block (self->session, kymo_table_get_int (table, "last", row),
                          kymo_table_get_int (table, "last_begin_ns", row));
  go_to_collective (self, row);
}

/* -- the widget ----------------------------------------------------------- */

static KymoAnswerList *
new_collectives_list (KymoCollectivesView *self, const KymoAnswerColumn *columns, guint n,
                      const KymoAnswerLinks *links, const char *name, const char *key)
{
  KymoAnswerList *list = KYMO_ANSWER_LIST (kymo_answer_list_new (columns, n, name));

  kymo_answer_list_set_terms (list, kymo_session_get_terms (self->session));
  kymo_answer_list_set_words (list, words_of_kind);
  kymo_answer_list_link (list, self->session, links);
  kymo_answer_list_sort (list, "wait_ns", TRUE);
  kymo_answer_list_keep_sort (list, "collectives", key);
  gtk_widget_set_vexpand (GTK_WIDGET (list), TRUE);
  return list;
}

static GtkWidget *
build_lists (KymoCollectivesView *self)
{
  static const KymoAnswerLinks of_name = { .name = "name" };
  static const KymoAnswerLinks of_single = { .name = "name", .location = "last",
                                             .begin = "begin_ns", .end = "end_ns" };
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->names = new_collectives_list (self, name_columns, G_N_ELEMENTS (name_columns), &of_name,
                                      _("Collective operations"), "name-sort");
  self->single = new_collectives_list (self, single_columns, G_N_ELEMENTS (single_columns),
                                       &of_single, _("Operations that cost most waiting"),
                                       "sort");
  gtk_paned_set_start_child (GTK_PANED (paned), GTK_WIDGET (self->names));
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->single));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  return paned;
}

static GtkWidget *
build_collectives_bar (KymoCollectivesView *self)
{
  GtkWidget *bar = kymo_controls_new ();

  kymo_controls_add_gap (bar);
  self->show = kymo_controls_add_button (bar, _("Show in _Timeline"),
                                         _("Go to the chosen operation"));
  self->last = kymo_controls_add_button (bar, _("Show _Last Rank"),
                                         _("Go to the rank that the others waited for"));
  return bar;
}

static void
kymo_collectives_view_dispose (GObject *object)
{
  KymoCollectivesView *self = KYMO_COLLECTIVES_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_collectives_view_parent_class)->dispose (object);
}

static void
kymo_collectives_view_class_init (KymoCollectivesViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_collectives_view_dispose;
  kymo_signal_new ("show-view", KYMO_TYPE_COLLECTIVES_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_collectives_view_init (KymoCollectivesView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

static const KymoViewQuestion collectives_of_range = {
  .question = collectives_question, .answered = on_answer, .pause_ms = KYMO_VIEW_PAUSE_MS,
};

/**
 * kymo_collectives_view_new:
 *
 * Makes the tables of collective operations in the visible range of @session. They follow the
 * visible range, the filter and the growth of the run.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_collectives_view_new (KymoSession *session)
{
  KymoCollectivesView *self = g_object_new (KYMO_TYPE_COLLECTIVES_VIEW, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&collectives_of_range, self, session);
  gtk_box_append (GTK_BOX (self), build_collectives_bar (self));
  self->words = kymo_controls_new_words ();
  gtk_box_append (GTK_BOX (self), self->words);
  gtk_box_append (GTK_BOX (self), build_lists (self));
  kymo_follow (self->names, "selected", show_single, self);
  kymo_follow (self->single, "selected", on_single_selected, self);
  kymo_follow (self->single, "activated", go_to_collective, self);
  kymo_follow (self->show, "clicked", on_show, self);
  kymo_follow (self->last, "clicked", on_last, self);
  kymo_view_asker_follow (self->asker, self->session, "range-changed");
  kymo_view_asker_follow (self->asker, self->session, "filter-changed");
  on_single_selected (self, -1);
  return GTK_WIDGET (self);
}
