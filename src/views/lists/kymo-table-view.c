/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question at a time, of the mode that is chosen; it is asked again with
 * whatever enters it, and only while the view is to be seen.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-focus-bar.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-profile-bar.h"
#include "kymo-session-profile.h"
#include "kymo-table-view.h"
#include "kymo-view-asker.h"

#define FILTER_CHARS 8

struct _KymoTableView
{
  GtkBox               parent_instance;

  KymoSession         *session;
  KymoProfileOptions *options;           /* of its part */
  const KymoTableMode *modes;
  GArray              *indices;        /* guint: of modes that the run has */
  KymoViewAsker       *asker;
  GtkWidget           *mode, *typed, *filter, *focus;
  KymoProfileBar      *bar;
  KymoFigureTable     *table;
  char                *shown;          /* id of the mode of the answer at hand */
};

G_DEFINE_FINAL_TYPE (KymoTableView, kymo_table_view, GTK_TYPE_BOX)

static const KymoTableMode *
mode_of (KymoTableView *self)
{
  guint chosen = kymo_controls_chosen (self->mode);

  if (chosen >= self->indices->len)
    chosen = 0;
  return &self->modes[g_array_index (self->indices, guint, chosen)];
}

/* -- asking --------------------------------------------------------------- */

static void
show_answer (KymoTableView *self, KymoTable *answer)
{
  const KymoTableMode *mode = mode_of (self);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE,
                                            sizeof (KymoFigureColumn));
  gboolean other = g_strcmp0 (self->shown, mode->id) != 0;

  mode->columns (self->session, answer, columns);
  kymo_figure_table_set_columns (self->table,
                                 (const KymoFigureColumn *) columns->data,
                                 columns->len);
  kymo_figure_table_set (self->table, answer, mode->list);
  if (other && mode->sort != NULL)
    kymo_figure_table_sort (self->table, mode->sort);
  g_free (self->shown);
  self->shown = g_strdup (mode->id);
  kymo_profile_bar_set_answer (self->bar, answer);
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoTableView *self = data;

  KymoTable *list = answer != NULL
                    ? kymo_table_peek_nested (answer, mode_of (self)->list, NULL)
                    : NULL;
  gboolean any = list != NULL && kymo_table_get_n_rows (list) > 0;

  if (answer != NULL)
    show_answer (self, answer);
  kymo_line_table_say (KYMO_LINE_TABLE (self->table),
                       any ? NULL : answer == NULL ? error->message
                       : _("Nothing was measured here"));
}

/**
 * kymo_table_view_get_kind:
 *
 * Returns: (transfer none): the kind of the question of the chosen mode
 */
const char *
kymo_table_view_get_kind (KymoTableView *self)
{
  return mode_of (self)->kind;
}

/**
 * kymo_table_view_dup_parameters:
 *
 * Returns: (transfer full) (element-type utf8 utf8): the keywords that the chosen mode adds to its
 *   question, by name; not the visible range, filter and options, which come from the session
 */
GHashTable *
kymo_table_view_dup_parameters (KymoTableView *self)
{
  const KymoTableMode *mode = mode_of (self);
  GHashTable *parameters = g_hash_table_new_full (g_str_hash, g_str_equal,
                                                  g_free, g_free);

  if (mode->of)
    g_hash_table_insert (parameters, g_strdup ("of"), g_strdup (
                           kymo_session_peek_thread (self->session)));
  if (mode->prepare != NULL)
    mode->prepare (parameters,
                   gtk_editable_get_text (GTK_EDITABLE (self->typed)));
  return parameters;
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoTableView *self = view;
  const KymoTableMode *mode = mode_of (self);
  g_autoptr (GHashTable) parameters = kymo_table_view_dup_parameters (self);
  KymoQuestion *question = kymo_question_new (mode->kind);
  GHashTableIter iter;
  gpointer key, value;

  if (kymo_session_has_time (self->session))
    kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_session_prepare (self->session, question);
  kymo_profile_options_prepare (self->options, question);
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &key, &value))
    kymo_question_set (question, key, value);
  return question;
}

static const KymoViewQuestion figures_of_mode = {
  .question = new_question, .answered = on_answer,
};

/* -- modes ---------------------------------------------------------------- */

/* With a thread that is chosen that one is compared, too. */
static void
show_typed (KymoTableView *self)
{
  const KymoTableMode *mode = mode_of (self);
  gint64 location = kymo_session_get_thread_location (self->session);

  gtk_widget_set_visible (self->typed, mode->entry != NULL);
  if (mode->entry == NULL
      || *gtk_editable_get_text (GTK_EDITABLE (self->typed)) != '\0')
    return;
  if (location > 0)
    {
      g_autofree char *text = g_strdup_printf ("%s,%" G_GINT64_FORMAT,
                                               mode->entry, location);

      gtk_editable_set_text (GTK_EDITABLE (self->typed), text);
    }
  else
    gtk_editable_set_text (GTK_EDITABLE (self->typed), mode->entry);
}

/* A tree is not filtered, but shows one function alone. */
static void
show_filter (KymoTableView *self)
{
  gboolean tree = g_strcmp0 (mode_of (self)->id, "tree") == 0;

  gtk_widget_set_visible (self->filter, !tree);
  if (self->focus != NULL)
    gtk_widget_set_visible (self->focus, tree);
}

static void
on_mode (KymoTableView *self)
{
  show_typed (self);
  kymo_profile_bar_show_parts (self->bar, mode_of (self)->parts);
  show_filter (self);
  kymo_view_asker_queue (self->asker);
}

/** kymo_table_view_set_mode: @id: of a mode that the run has */
void
kymo_table_view_set_mode (KymoTableView *self, const char *id)
{
  for (guint i = 0; i < self->indices->len; i++)
    if (g_strcmp0 (self->modes[g_array_index (self->indices, guint, i)].id,
                   id) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->mode), i);
}

/** kymo_table_view_is_settled: whether what is shown is what was last asked */
gboolean
kymo_table_view_is_settled (KymoTableView *self)
{
  return kymo_view_asker_is_settled (self->asker);
}

/**
 * kymo_table_view_peek_table:
 *
 * Returns: (transfer none): the table of the view
 */
KymoFigureTable *
kymo_table_view_peek_table (KymoTableView *self)
{
  return self->table;
}

static const char *
mode_at (gpointer data, guint line)
{
  KymoTableView *self = data;

  return line < self->indices->len
         ? self->modes[g_array_index (self->indices, guint, line)].id : NULL;
}

/** kymo_table_view_keep: @view: of kymo_desk_words[] */
void
kymo_table_view_keep (KymoTableView *self, const char *view)
{
  kymo_figure_table_keep_sort (self->table, view);
  if (self->modes == kymo_user_event_tables)
    return;
  kymo_kept_add_names (self->mode, view, "list", mode_at, self);
  kymo_kept_add (self->typed, view, "compared");
}

/* -- the widget ----------------------------------------------------------- */

static void
on_filter (KymoTableView *self)
{
  kymo_figure_table_set_filter (self->table, gtk_editable_get_text (
                                  GTK_EDITABLE (self->filter)), self->filter);
}

static void
on_activated (KymoTableView *self, const char *name)
{
  g_signal_emit_by_name (self, "activated", name);
}

static void
on_copied (KymoTableView *self)
{
  g_signal_emit_by_name (self, "message", _("Figures copied"));
}

static void
kymo_table_view_dispose (GObject *object)
{
  KymoTableView *self = KYMO_TABLE_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->indices, g_array_unref);
  g_clear_pointer (&self->shown, g_free);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_table_view_parent_class)->dispose (object);
}

static void
kymo_table_view_class_init (KymoTableViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_table_view_dispose;
  kymo_signal_new ("activated", KYMO_TYPE_TABLE_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("message", KYMO_TYPE_TABLE_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_table_view_init (KymoTableView *self)
{
  self->indices = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static GtkWidget *
build_mode (KymoTableView *self)
{
  KymoCapabilities can = kymo_source_get_capabilities (
    kymo_session_peek_source (self->session));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  GtkWidget *drop;

  for (guint i = 0; self->modes[i].id != NULL; i++)
    if ((can & self->modes[i].needs) == self->modes[i].needs)
      {
        g_array_append_val (self->indices, i);
        g_strv_builder_add (builder, kymo_in_terms_of (
                              self->session, _(self->modes[i].words)));
      }
  words = g_strv_builder_end (builder);
  drop = gtk_drop_down_new_from_strings ((const char *const *) words);
  kymo_controls_name (drop, _("What is listed"));
  gtk_widget_set_visible (drop, self->indices->len > 1);
  return drop;
}

static void
build_bar (KymoTableView *self)
{
  self->bar = KYMO_PROFILE_BAR (kymo_profile_bar_new (
    self->session, KYMO_PROFILE_BAR_THREAD
                   | (self->modes == kymo_user_event_tables
                      ? 0 : KYMO_PROFILE_BAR_METRIC | KYMO_PROFILE_BAR_VALUE
                            | KYMO_PROFILE_BAR_PATHS)));
  self->mode = build_mode (self);
  self->typed = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->typed), 14);
  kymo_controls_name (self->typed, kymo_in_terms_of (
    self->session, _("Compared: numbers of {rows}, mean, total, min, max")));
  self->filter = gtk_search_entry_new ();
  g_object_set (self->filter, "placeholder-text", _("Filter"), NULL);
  kymo_accessible_name (self->filter, _("Filter the table"));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->filter), FILTER_CHARS);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->filter), FILTER_CHARS);
  if (self->modes == kymo_thread_tables)
    {
      self->focus = kymo_focus_bar_new (self->session, GTK_WIDGET (self));
      kymo_profile_bar_add (self->bar, self->focus);
    }
  kymo_profile_bar_add (self->bar, self->filter);
  kymo_profile_bar_add (self->bar, self->typed);
  kymo_profile_bar_add (self->bar, self->mode);
  kymo_follow (self->mode, "notify::selected", on_mode, self);
  kymo_view_asker_follow (self->asker, self->typed, "activate");
  kymo_follow (self->filter, "search-changed", on_filter, self);
}

static void
follow_table_view (KymoTableView *self)
{
  static const char *const signals[] = { "range-changed", "filter-changed",
                                         "thread-changed" };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    kymo_view_asker_follow (self->asker, self->session, signals[i]);
  kymo_view_asker_follow (self->asker, self->options, "changed");
}

/** kymo_table_view_new: @modes: at least one is of the run */
GtkWidget *
kymo_table_view_new (KymoSession *session, const KymoTableMode *modes)
{
  KymoTableView *self = g_object_new (KYMO_TYPE_TABLE_VIEW, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  self->modes = modes;
  self->asker = kymo_view_asker_new (&figures_of_mode, self, session);
  build_bar (self);
  self->table = KYMO_FIGURE_TABLE (kymo_figure_table_new (
    session, kymo_in_terms_of (session, _(modes[0].words))));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->bar));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->table));
  kymo_follow (self->table, "activated", on_activated, self);
  kymo_follow (self->table, "copied", on_copied, self);
  show_typed (self);
  show_filter (self);
  kymo_profile_bar_show_parts (self->bar, mode_of (self)->parts);
  follow_table_view (self);
  return GTK_WIDGET (self);
}
