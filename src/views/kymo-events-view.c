/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list asks for what is bound to a line that is to be seen; when a page comes, the cells
 * that are bound to its lines are filled. What was on its way for another location, filter
 * or range is dropped.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-asker.h"
#include "kymo-controls.h"
#include "kymo-dialogs.h"
#include "kymo-event-pages.h"
#include "kymo-events-view.h"
#include "kymo-in-terms.h"
#include "kymo-units.h"

/* What is typed is asked for when nothing more is. */
#define PAUSE_MS 200
/* Records that are copied, or written to a file. */
#define MOST_COPIED 10000
#define MOST_SAVED 10000000

typedef enum { COLUMN_TIME, COLUMN_KIND, COLUMN_NAME, COLUMN_TEXT, N_COLUMNS } Column;

static const char *const titles[N_COLUMNS] = {
  N_("Time"), N_("Kind"), N_("{Code} or event"), N_("What happened"),
};

static const struct
{
  const char *words;
  const char *kinds;
} choices[] = {
  { N_("All records"), NULL },
  { N_("Blocks"), "block" },
  { N_("Messages"), "send,receive" },
  { N_("User events"), "user-event,bracket" },
  { N_("Values"), "user-value,user-stat,memory" },
  { N_("Notes and phases"), "note,bracket-note,phase,trace-on,trace-off" },
  { N_("Idle and untraced"), "idle,untraced" },
  { N_("Packing and flushes"), "packing,unpacking,flush" },
};

struct _KymoEventsView
{
  GtkBox              parent_instance;

  KymoSession        *session;
  KymoEventPages     *pages;
  KymoAsker          *taker;           /* of what is copied or saved */
  char               *path;            /* where to, or NULL: the clipboard */
  GtkWidget          *location, *kinds, *filter, *regex, *in_view, *count;
  GtkWidget          *list, *message, *stack;
  GtkSingleSelection *selection;       /* borrowed */
  GHashTable         *bound;           /* GtkListItem that are bound, borrowed */
  guint               due_id;
  gint64              at_ns;           /* what the next list is opened at */
  gint64              chosen_location, chosen_ns;  /* the block that was chosen here */
  gboolean            placing;         /* the line at the time is still to be chosen */
  gboolean            filling, stale;
};

G_DEFINE_FINAL_TYPE (KymoEventsView, kymo_events_view, GTK_TYPE_BOX)

/* -- asking ---------------------------------------------------------------- */

static gint64
location_of (KymoEventsView *self)
{
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->location));
}

static KymoQuestion *
make_question (gpointer data)
{
  KymoEventsView *self = data;
  KymoQuestion *question = kymo_question_new ("events");
  gint64 location = location_of (self);
  g_autoptr (KymoIdSet) ids = kymo_id_set_new_list (&location, 1);
  const char *kinds = choices[kymo_controls_chosen (self->kinds)].kinds;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->filter));

  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->in_view)))
    kymo_question_set_span (question, kymo_session_get_range (self->session));
  kymo_question_set_locations (question, ids);
  if (kinds != NULL)
    kymo_question_set (question, "kinds", kinds);
  if (*text != '\0')
    kymo_question_set (question, "text", text);
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->regex)))
    kymo_question_set_int (question, "regex", 1);
  return question;
}

static void
ask (KymoEventsView *self)
{
  gint64 location, time_ns;

  g_clear_handle_id (&self->due_id, g_source_remove);
  self->stale = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->stale)
    return;
  self->at_ns = kymo_session_get_block (self->session, &location, &time_ns)
                && location == location_of (self) ? time_ns : KYMO_NULL_INT;
  self->placing = self->at_ns != KYMO_NULL_INT;
  kymo_event_pages_reset (self->pages, self->at_ns);
}

static gboolean
on_due (gpointer data)
{
  KymoEventsView *self = data;

  self->due_id = 0;
  ask (self);
  return G_SOURCE_REMOVE;
}

static void
ask_soon (KymoEventsView *self)
{
  g_clear_handle_id (&self->due_id, g_source_remove);
  self->due_id = g_timeout_add (PAUSE_MS, on_due, self);
}

static void
on_range (KymoEventsView *self)
{
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->in_view)))
    ask_soon (self);
}

/* -- what is to be seen ---------------------------------------------------- */

/* (transfer full) */
static char *
dup_cell (KymoTable *list, guint row, Column column)
{
  switch (column)
    {
    case COLUMN_TIME:
      return kymo_format_duration_exact (kymo_table_get_int (list, "time_ns", row));
    case COLUMN_KIND:
      return g_strdup (kymo_table_get_string (list, "kind", row));
    case COLUMN_NAME:
      return g_strdup (kymo_table_get_string (list, "name", row));
    default:
      return g_strdup (kymo_table_get_string (list, "text", row));
    }
}

static void
fill_item (KymoEventsView *self, GtkListItem *item)
{
  guint row, line = kymo_event_line_get (gtk_list_item_get_item (item));
  KymoTable *list = kymo_event_pages_look (self->pages, line, &row);
  Column column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (item), "column"));
  g_autofree char *text = list != NULL ? dup_cell (list, row, column) : NULL;
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text != NULL ? text : list != NULL ? "" : "…");
  gtk_widget_set_tooltip_text (label, column == COLUMN_TEXT ? text : NULL);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "column"));
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column == COLUMN_TIME ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (column == COLUMN_TIME)
    gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (item), "column", GUINT_TO_POINTER (column));
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, KymoEventsView *self)
{
  g_hash_table_add (self->bound, item);
  fill_item (self, item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, KymoEventsView *self)
{
  g_hash_table_remove (self->bound, item);
}

static void
on_page (KymoEventsView *self, guint first, guint n)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    {
      guint line = kymo_event_line_get (gtk_list_item_get_item (item));

      if (line >= first && line - first < n)
        fill_item (self, item);
    }
}

static void
choose_line (KymoEventsView *self, guint line)
{
  self->filling = TRUE;
  gtk_single_selection_set_selected (self->selection, line);
  self->filling = FALSE;
  if (line != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_widget_get_last_child (self->list), "list.scroll-to-item",
                                "u", line);
}

static void
on_counted (KymoEventsView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->pages));
  g_autofree char *count = kymo_format_count (n);
  g_autofree char *words = g_strdup_printf (ngettext ("%s record", "%s records", n), count);
  guint at = kymo_event_pages_get_at (self->pages);

  gtk_label_set_text (GTK_LABEL (self->count), words);
  if (n == 0)
    gtk_label_set_text (GTK_LABEL (self->message), _("No records here pass the filter"));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), n > 0 ? "list" : "message");
  if (self->placing && at != G_MAXUINT && at < n)
    {
      self->placing = FALSE;
      choose_line (self, at);
    }
}

static void
on_failed (KymoEventsView *self, const char *sentence)
{
  gtk_label_set_text (GTK_LABEL (self->count), NULL);
  gtk_label_set_text (GTK_LABEL (self->message), sentence);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "message");
}

/* -- linked with the other views ------------------------------------------- */

/* The line is chosen that a person chose; the list stays where it is. */
static void
on_selected (KymoEventsView *self)
{
  guint row, line = gtk_single_selection_get_selected (self->selection);
  KymoTable *list = self->filling || line == GTK_INVALID_LIST_POSITION ? NULL
                    : kymo_event_pages_look (self->pages, line, &row);

  if (list == NULL)
    return;
  self->chosen_location = kymo_table_get_int (list, "location", row);
  self->chosen_ns = kymo_table_get_int (list, "time_ns", row);
  kymo_session_set_block (self->session, self->chosen_location, self->chosen_ns);
}

static void
on_activated (KymoEventsView *self, guint line)
{
  KymoSpan range = kymo_session_get_range (self->session);
  KymoSpan full = kymo_session_get_full_range (self->session);
  gint64 length = kymo_span_length (range);

  on_selected (self);
  if (self->chosen_ns < range.begin_ns || self->chosen_ns >= range.end_ns)
    {
      range.begin_ns = CLAMP (self->chosen_ns - length / 2, full.begin_ns,
                              MAX (full.end_ns - length, full.begin_ns));
      range.end_ns = range.begin_ns + length;
      kymo_session_set_range (self->session, range, TRUE);
    }
  g_signal_emit_by_name (self, "show-view", "timeline");
}

/* A block that is selected elsewhere is gone to. */
static void
on_block (KymoEventsView *self)
{
  gint64 location, time_ns;

  if (!kymo_session_get_block (self->session, &location, &time_ns)
      || (location == self->chosen_location && time_ns == self->chosen_ns))
    return;
  self->chosen_location = location;
  self->chosen_ns = time_ns;
  self->filling = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->location), location);
  self->filling = FALSE;
  ask (self);
}

static void
on_location (KymoEventsView *self)
{
  if (!self->filling)
    ask_soon (self);
}

static void
step (KymoEventsView *self, int by)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->pages));
  gint64 line = gtk_single_selection_get_selected (self->selection);

  if (n == 0)
    return;
  line = line == GTK_INVALID_LIST_POSITION ? 0 : CLAMP (line + by, 0, (gint64) n - 1);
  choose_line (self, (guint) line);
  on_selected (self);
}

static void
on_next (KymoEventsView *self)
{
  step (self, 1);
}

static void
on_previous (KymoEventsView *self)
{
  step (self, -1);
}

/* -- copying and saving ----------------------------------------------------- */

static char *
dup_lines (KymoTable *list)
{
  GString *text = g_string_new (NULL);

  for (guint row = 0; list != NULL && row < kymo_table_get_n_rows (list); row++)
    for (guint column = 0; column < N_COLUMNS; column++)
      {
        g_autofree char *cell = dup_cell (list, row, column);

        g_string_append_printf (text, "%s%c", cell != NULL ? cell : "",
                                column + 1 < N_COLUMNS ? '\t' : '\n');
      }
  return g_string_free (text, FALSE);
}

static void
say (KymoEventsView *self, const char *sentence)
{
  g_signal_emit_by_name (self, "message", sentence);
}

static void
copy (KymoEventsView *self, KymoTable *answer)
{
  KymoTable *list = kymo_table_peek_nested (answer, "events", NULL);
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;
  g_autofree char *text = dup_lines (list);
  g_autofree char *some = kymo_format_count (n);
  g_autofree char *all = kymo_format_count (kymo_table_get_int (answer, "total", 0));
  g_autofree char *words = g_strdup_printf (_("%s of %s records copied"), some, all);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  say (self, words);
}

static void
save (KymoEventsView *self, KymoTable *answer)
{
  KymoTable *list = kymo_table_peek_nested (answer, "events", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (g_str_has_suffix (self->path, ".csv"))
    kymo_table_write_csv (answer, text);
  else if (g_str_has_suffix (self->path, ".json"))
    kymo_table_write_json (answer, text);
  else
    {
      g_autofree char *lines = dup_lines (list);

      g_string_append (text, lines);
    }
  if (g_file_set_contents (self->path, text->str, text->len, &error))
    say (self, _("Records written"));
  else
    say (self, error->message);
}

static void
on_taken (KymoTable *answer, const GError *error, gpointer data)
{
  KymoEventsView *self = data;

  if (answer == NULL)
    say (self, error->message);
  else if (self->path == NULL)
    copy (self, answer);
  else
    save (self, answer);
}

static void
take (KymoEventsView *self, gint64 most)
{
  KymoQuestion *question = make_question (self);

  kymo_question_set_int (question, "limit", most);
  kymo_asker_ask (self->taker, question);
}

static void
on_copy (KymoEventsView *self)
{
  g_clear_pointer (&self->path, g_free);
  take (self, MOST_COPIED);
}

static void
on_path (const char *path, gpointer data)
{
  KymoEventsView *self = data;

  if (self->session == NULL)
    return;
  g_free (self->path);
  self->path = g_strdup (path);
  take (self, MOST_SAVED);
}

static void
on_save (KymoEventsView *self)
{
  g_autofree char *name = g_strdup_printf ("events-%" G_GINT64_FORMAT ".csv",
                                           location_of (self));

  kymo_dialog_save (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), name, on_path, self);
}

/* -- the widget ------------------------------------------------------------- */

static void
kymo_events_view_dispose (GObject *object)
{
  KymoEventsView *self = KYMO_EVENTS_VIEW (object);

  g_clear_handle_id (&self->due_id, g_source_remove);
  g_clear_pointer (&self->taker, kymo_asker_free);
  if (self->pages != NULL)
    g_signal_handlers_disconnect_by_data (self->pages, self);
  G_OBJECT_CLASS (kymo_events_view_parent_class)->dispose (object);
  g_clear_object (&self->pages);
  g_clear_object (&self->session);
  g_clear_pointer (&self->path, g_free);
}

static void
kymo_events_view_finalize (GObject *object)
{
  g_hash_table_unref (KYMO_EVENTS_VIEW (object)->bound);
  G_OBJECT_CLASS (kymo_events_view_parent_class)->finalize (object);
}

static void
kymo_events_view_class_init (KymoEventsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_events_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_events_view_finalize;
  g_signal_new ("message", KYMO_TYPE_EVENTS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("show-view", KYMO_TYPE_EVENTS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
kymo_events_view_init (KymoEventsView *self)
{
  self->bound = g_hash_table_new (NULL, NULL);
  self->stale = TRUE;
  self->chosen_location = -1;
  self->chosen_ns = KYMO_NULL_INT;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

static void
build_filter (KymoEventsView *self, GtkWidget *bar)
{
  self->filter = gtk_search_entry_new ();
  g_object_set (self->filter, "placeholder-text", _("Filter by name"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->filter), 10);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->filter), 16);
  kymo_controls_name (self->filter, kymo_in_terms_of (
    self->session, _("Words in the name of {codes}, user events and notes")));
  gtk_box_append (GTK_BOX (bar), self->filter);
  self->regex = kymo_controls_add_check (bar, _("_Regex"),
                                         _("The filter is a regular expression"));
  self->in_view = kymo_controls_add_check (bar, _("In _view"),
                                           _("Records of the visible range alone"));
  g_signal_connect_object (self->filter, "search-changed", G_CALLBACK (ask_soon), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->regex, "toggled", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->in_view, "toggled", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
}

static void
build_buttons (KymoEventsView *self, GtkWidget *bar)
{
  GtkWidget *previous, *next, *copied, *saved;

  previous = kymo_controls_add_button (bar, _("_Previous"), _("The record before"));
  next = kymo_controls_add_button (bar, _("_Next"), _("The record after"));
  copied = kymo_controls_add_button (bar, _("_Copy"), _("The records of the list as text"));
  saved = kymo_controls_add_button (bar, _("_Save…"),
                                    _("The records of the list as a file: .csv, .json or .txt"));
  self->count = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_box_append (GTK_BOX (bar), self->count);
  g_signal_connect_object (previous, "clicked", G_CALLBACK (on_previous), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (next, "clicked", G_CALLBACK (on_next), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (copied, "clicked", G_CALLBACK (on_copy), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (saved, "clicked", G_CALLBACK (on_save), self, G_CONNECT_SWAPPED);
}

static void
build_bar (KymoEventsView *self)
{
  GtkWidget *bar = kymo_controls_new ();
  const char *words[G_N_ELEMENTS (choices) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    words[i] = _(choices[i].words);
  gtk_box_append (GTK_BOX (bar), gtk_label_new (kymo_in_terms_of (self->session, "{Row}")));
  self->location = kymo_controls_add_number (bar, kymo_in_terms_of (
    self->session, _("The {row} whose records are listed")), 0, G_MAXINT32, 0);
  self->kinds = kymo_controls_add_choice (bar, _("Which records are listed"), words);
  build_filter (self, bar);
  build_buttons (self, bar);
  gtk_box_append (GTK_BOX (self), bar);
  g_signal_connect_object (self->location, "value-changed", G_CALLBACK (on_location), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->kinds, "notify::selected", G_CALLBACK (ask), self,
                           G_CONNECT_SWAPPED);
}

static void
add_column (KymoEventsView *self, Column column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) made = NULL;
  static const int widths[N_COLUMNS] = { 130, 100, 240, -1 };

  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (on_bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (on_unbind), self, 0);
  made = gtk_column_view_column_new (kymo_in_terms_of (self->session, _(titles[column])),
                                     factory);
  if (widths[column] > 0)
    gtk_column_view_column_set_fixed_width (made, widths[column]);
  else
    gtk_column_view_column_set_expand (made, TRUE);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->list), made);
}

static void
build_list (KymoEventsView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->pages)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->list = gtk_column_view_new (GTK_SELECTION_MODEL (self->selection));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Records in order of time"), -1);
  gtk_widget_add_css_class (self->list, "data-table");
  for (guint i = 0; i < N_COLUMNS; i++)
    add_column (self, i);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  self->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  gtk_widget_add_css_class (self->message, "dim-label");
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, "list");
  gtk_stack_add_named (GTK_STACK (self->stack), self->message, "message");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (self), self->stack);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (on_activated), self,
                           G_CONNECT_SWAPPED);
}

static void
on_map (KymoEventsView *self)
{
  if (self->stale)
    ask (self);
}

/** kymo_events_view_new: */
GtkWidget *
kymo_events_view_new (KymoSession *session)
{
  KymoEventsView *self = g_object_new (KYMO_TYPE_EVENTS_VIEW, NULL);
  KymoSource *source = kymo_session_peek_source (session);
  gint64 location, time_ns;

  self->session = g_object_ref (session);
  self->pages = kymo_event_pages_new (source, make_question, self);
  self->taker = kymo_asker_new (source, on_taken, self);
  build_bar (self);
  build_list (self);
  if (kymo_session_get_block (session, &location, &time_ns))
    {
      self->filling = TRUE;
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->location), location);
      self->filling = FALSE;
    }
  g_signal_connect_object (self->pages, "page-changed", G_CALLBACK (on_page), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pages, "counted", G_CALLBACK (on_counted), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pages, "failed", G_CALLBACK (on_failed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (on_block), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (on_range), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "grown", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
  return GTK_WIDGET (self);
}

/** kymo_events_view_get_n: */
guint
kymo_events_view_get_n (KymoEventsView *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->pages));
}

/** kymo_events_view_dup_line: */
char *
kymo_events_view_dup_line (KymoEventsView *self, guint line)
{
  guint row;
  KymoTable *list = kymo_event_pages_look (self->pages, line, &row);
  g_autofree char *time = list != NULL ? dup_cell (list, row, COLUMN_TIME) : NULL;

  return list == NULL ? NULL : g_strjoin (" ", time, kymo_table_get_string (list, "kind", row),
                                          kymo_table_get_string (list, "text", row), NULL);
}

/** kymo_events_view_is_settled: */
gboolean
kymo_events_view_is_settled (KymoEventsView *self)
{
  return !self->stale && self->due_id == 0 && !kymo_event_pages_is_busy (self->pages);
}

/** kymo_events_view_get_chosen: */
guint
kymo_events_view_get_chosen (KymoEventsView *self)
{
  return gtk_single_selection_get_selected (self->selection);
}
