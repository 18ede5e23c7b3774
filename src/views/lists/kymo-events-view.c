/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was on its way for another location, filter or range is dropped.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-command.h"
#include "kymo-controls.h"
#include "kymo-dialogs.h"
#include "kymo-event-list.h"
#include "kymo-event-pages.h"
#include "kymo-events-save.h"
#include "kymo-events-view.h"
#include "kymo-events-writing.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-units.h"
#include "kymo-view-asker.h"

/* What is typed is asked for when nothing more is. */
#define PAUSE_MS 200
/* Records that are copied. */
#define MOST_COPIED 10000

static const struct
{
  const char *words;
  const char *kinds;
} choices[] = {                        /* in the order of kymo_desk_words[] */
  { N_("All records"), NULL },
  { N_("Blocks"), "block" },
  { N_("Messages"), "send,receive" },
  { N_("User events"), "user-event,bracket,parameter,io" },
  { N_("Values"), "user-value,user-stat,memory" },
  { N_("Notes, phases and markers"), "note,bracket-note,phase,trace-on,trace-off,marker" },
  { N_("Idle and untraced"), "idle,untraced" },
  { N_("Packing and flushes"), "packing,unpacking,flush" },
};

struct _KymoEventsView
{
  GtkBox              parent_instance;

  KymoSession        *session;
  KymoViewAsker      *asker;
  KymoEventPages     *pages;
  KymoAsker          *taker;           /* of what is copied */
  GtkWidget          *location, *kinds, *filter, *regex, *least, *in_view, *count;
  GtkWidget          *list, *saved, *writing;
  gint64              at_ns;           /* what the next list is opened at */
  gint64              chosen_location, chosen_ns;  /* the block that was chosen here */
  gboolean            placing;         /* the line at the time is still to be chosen */
  gboolean            filling;
};

G_DEFINE_FINAL_TYPE (KymoEventsView, kymo_events_view, GTK_TYPE_BOX)

/* -- asking ---------------------------------------------------------------- */

static gint64
location_of (KymoEventsView *self)
{
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->location));
}

/* FALSE where what stands there is no time. */
static gboolean
read_least (KymoEventsView *self, gint64 *least_ns)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->least));

  *least_ns = 0;
  return *text == '\0' || kymo_parse_time (text, least_ns, NULL);
}

static KymoQuestion *
make_question (gpointer data)
{
  KymoEventsView *self = data;
  gint64 least_ns;
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
  if (read_least (self, &least_ns) && least_ns > 0)
    kymo_question_set_int (question, "least-ns", least_ns);
  return question;
}

/* The pages ask. */
static KymoQuestion *
open_list (gpointer view)
{
  KymoEventsView *self = view;
  gint64 location, time_ns;

  self->at_ns = kymo_session_get_block (self->session, &location, &time_ns)
                && location == location_of (self) ? time_ns : KYMO_NULL_INT;
  self->placing = self->at_ns != KYMO_NULL_INT;
  kymo_event_pages_reset (self->pages, self->at_ns);
  return NULL;
}

/* Of a run that has grown the list gets longer; it stays where it is. */
static gboolean
on_grown (gpointer view)
{
  KymoEventsView *self = view;

  if (kymo_view_asker_is_settled (self->asker))
    kymo_event_pages_renew (self->pages);
  return FALSE;
}

static const KymoViewQuestion records = {
  .question = open_list, .grown = on_grown, .pause_ms = PAUSE_MS, .at_rest = TRUE,
};

/* While it is no time the list stays as it is. */
static void
on_least (KymoEventsView *self)
{
  gint64 least_ns;

  if (!read_least (self, &least_ns))
    {
      gtk_widget_add_css_class (self->least, "error");
      return;
    }
  gtk_widget_remove_css_class (self->least, "error");
  kymo_view_asker_queue (self->asker);
}

static void
on_range (KymoEventsView *self)
{
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->in_view)))
    kymo_view_asker_queue (self->asker);
}

/* -- what is to be seen ---------------------------------------------------- */

static void
on_counted (KymoEventsView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->pages));
  g_autofree char *count = kymo_format_count (n);
  g_autofree char *words = g_strdup_printf (ngettext ("%s record", "%s records", n), count);
  guint at = kymo_event_pages_get_at (self->pages);

  gtk_label_set_text (GTK_LABEL (self->count), words);
  kymo_line_table_say (KYMO_LINE_TABLE (self->list),
                       n > 0 ? NULL : _("No records here pass the filter"));
  if (self->placing && at != G_MAXUINT && at < n)
    {
      self->placing = FALSE;
      kymo_event_list_choose (KYMO_EVENT_LIST (self->list), at);
    }
}

static void
on_failed (KymoEventsView *self, const char *sentence)
{
  gtk_label_set_text (GTK_LABEL (self->count), NULL);
  kymo_line_table_say (KYMO_LINE_TABLE (self->list), sentence);
}

/* -- linked with the other views ------------------------------------------- */

/* The line is chosen that a person chose; the list stays where it is. */
static void
on_selected (KymoEventsView *self)
{
  guint row, line = kymo_event_list_get_chosen (KYMO_EVENT_LIST (self->list));
  KymoTable *list = line == GTK_INVALID_LIST_POSITION ? NULL
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
  kymo_view_asker_ask (self->asker);
}

static void
on_location (KymoEventsView *self)
{
  if (!self->filling)
    kymo_view_asker_queue (self->asker);
}

static void
step_events_view (KymoEventsView *self, int by)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->pages));
  gint64 line = kymo_event_list_get_chosen (KYMO_EVENT_LIST (self->list));

  if (n == 0)
    return;
  line = line == GTK_INVALID_LIST_POSITION ? 0 : CLAMP (line + by, 0, (gint64) n - 1);
  kymo_event_list_choose (KYMO_EVENT_LIST (self->list), (guint) line);
  on_selected (self);
}

static void
on_next (KymoEventsView *self)
{
  step_events_view (self, 1);
}

static void
on_previous (KymoEventsView *self)
{
  step_events_view (self, -1);
}

/* -- copying --------------------------------------------------------------- */

static void
say_events_view (KymoEventsView *self, const char *sentence)
{
  g_signal_emit_by_name (self, "message", sentence);
}

static void
on_taken (KymoTable *answer, const GError *error, gpointer data)
{
  KymoEventsView *self = data;
  KymoTable *list;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *some = NULL, *all = NULL, *words = NULL;

  if (answer == NULL)
    {
      say_events_view (self, error->message);
      return;
    }
  list = kymo_table_peek_nested (answer, "events", NULL);
  kymo_events_add_lines (list, text);
  some = kymo_format_count (kymo_table_get_n_rows (list));
  all = kymo_format_count (kymo_table_get_int (answer, "total", 0));
  words = g_strdup_printf (_("%s of %s records copied"), some, all);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
  say_events_view (self, words);
}

static void
on_copy (KymoEventsView *self)
{
  KymoQuestion *question = make_question (self);

  kymo_question_set_int (question, "limit", MOST_COPIED);
  kymo_asker_ask (self->taker, question);
}

/**
 * kymo_events_view_dup_command:
 * @path: of the run
 *
 * Returns: (transfer full) (nullable): a line for a shell, which writes the listed records; %NULL
 *   with @error where kymo-cli has no option for a filter of the list
 */
char *
kymo_events_view_dup_command (KymoEventsView *self, const char *path, GError **error)
{
  g_autoptr (KymoQuestion) question = make_question (self);

  return kymo_command_dup_records (kymo_session_peek_source (self->session), path, question,
                                   error);
}

/* -- saving ---------------------------------------------------------------- */

static void
on_writing (KymoEventsView *self, const char *sentence)
{
  gtk_widget_set_sensitive (self->saved, !kymo_events_writing_is_busy (
                              KYMO_EVENTS_WRITING (self->writing)));
  if (sentence != NULL && self->session != NULL)
    say_events_view (self, sentence);
}

/**
 * kymo_events_view_save_to:
 * @path: the file; its ending tells the form, see kymo-events-save.h
 *
 * Starts writing the listed records on a worker thread; "message" tells how it ended. Does nothing
 * while other records are being written.
 */
void
kymo_events_view_save_to (KymoEventsView *self, const char *path)
{
  if (self->session != NULL)
    kymo_events_writing_start (KYMO_EVENTS_WRITING (self->writing),
                               kymo_session_peek_source (self->session), make_question (self),
                               path);
}

static void
on_path (const char *path, gpointer data)
{
  kymo_events_view_save_to (data, path);
}

/**
 * kymo_events_view_ask_save:
 *
 * Asks the person for a file, then writes the listed records to it. Does nothing while other
 * records are being written.
 */
void
kymo_events_view_ask_save (KymoEventsView *self)
{
  g_autofree char *name = g_strdup_printf ("events-%" G_GINT64_FORMAT ".csv",
                                           location_of (self));

  if (!kymo_events_writing_is_busy (KYMO_EVENTS_WRITING (self->writing)))
    kymo_dialog_save_records (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), name, on_path,
                              self);
}

/* -- the widget ------------------------------------------------------------- */

static void
kymo_events_view_dispose (GObject *object)
{
  KymoEventsView *self = KYMO_EVENTS_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->taker, kymo_asker_free);
  if (self->pages != NULL)
    g_signal_handlers_disconnect_by_data (self->pages, self);
  G_OBJECT_CLASS (kymo_events_view_parent_class)->dispose (object);
  g_clear_object (&self->pages);
  g_clear_object (&self->session);
}

static void
kymo_events_view_class_init (KymoEventsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_events_view_dispose;
  kymo_signal_new ("message", KYMO_TYPE_EVENTS_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("show-view", KYMO_TYPE_EVENTS_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_events_view_init (KymoEventsView *self)
{
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
  self->least = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->least), _("≥ length"));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->least), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->least), 9);
  kymo_controls_name (self->least, _("Only what lasts at least so long, as 250us or 1.5ms"));
  gtk_box_append (GTK_BOX (bar), self->least);
  self->in_view = kymo_controls_add_check (bar, _("In _view"),
                                           _("Records of the visible range alone"));
  kymo_view_asker_follow (self->asker, self->filter, "search-changed");
  kymo_follow (self->least, "changed", on_least, self);
  kymo_follow (self->regex, "toggled", kymo_view_asker_ask, self->asker);
  kymo_follow (self->in_view, "toggled", kymo_view_asker_ask, self->asker);
}

static void
build_buttons (KymoEventsView *self, GtkWidget *bar)
{
  GtkWidget *previous, *next, *copied;

  previous = kymo_controls_add_button (bar, _("_Previous"), _("The record before"));
  next = kymo_controls_add_button (bar, _("_Next"), _("The record after"));
  copied = kymo_controls_add_button (bar, _("_Copy"), _("The records of the list as text"));
  self->saved = kymo_controls_add_button (bar, _("_Save…"),
                                          _("The records of the list as a file: .csv, .json or "
                                            ".txt"));
  self->count = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_box_append (GTK_BOX (bar), self->count);
  kymo_follow (previous, "clicked", on_previous, self);
  kymo_follow (next, "clicked", on_next, self);
  kymo_follow (copied, "clicked", on_copy, self);
  kymo_follow (self->saved, "clicked", kymo_events_view_ask_save, self);
}

/* Not the location: that is the selected block's. */
static void
keep_events_view (KymoEventsView *self)
{
  kymo_kept_add (self->kinds, "events", "kinds");
  kymo_kept_add (self->filter, "events", "filter");
  kymo_kept_add (self->regex, "events", "regex");
  kymo_kept_add (self->least, "events", "least");
  kymo_kept_add (self->in_view, "events", "in-view");
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
  keep_events_view (self);
  kymo_follow (self->location, "value-changed", on_location, self);
  kymo_follow (self->kinds, "notify::selected", kymo_view_asker_ask, self->asker);
}

static void
build_list (KymoEventsView *self)
{
  self->list = kymo_event_list_new (self->session, self->pages);
  gtk_box_append (GTK_BOX (self), self->list);
  kymo_follow (self->list, "chosen", on_selected, self);
  kymo_follow (self->list, "activated", on_activated, self);
}

/**
 * kymo_events_view_new:
 * @session: whose selected block and visible range it follows; the view holds a reference
 *
 * Returns: (transfer floating): a view of the records of the selected block's location, or of
 *   location 0; the view asks when it is mapped
 */
GtkWidget *
kymo_events_view_new (KymoSession *session)
{
  KymoEventsView *self = g_object_new (KYMO_TYPE_EVENTS_VIEW, NULL);
  KymoSource *source = kymo_session_peek_source (session);
  gint64 location, time_ns;

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&records, self, session);
  self->pages = kymo_event_pages_new (source, make_question, self);
  self->taker = kymo_asker_new (source, on_taken, self);
  build_bar (self);
  build_list (self);
  self->writing = kymo_events_writing_new ();
  gtk_box_append (GTK_BOX (self), self->writing);
  kymo_follow (self->writing, "changed", on_writing, self);
  if (kymo_session_get_block (session, &location, &time_ns))
    {
      self->filling = TRUE;
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->location), location);
      self->filling = FALSE;
    }
  kymo_follow (self->pages, "counted", on_counted, self);
  kymo_follow (self->pages, "failed", on_failed, self);
  kymo_follow (session, "selection-changed", on_block, self);
  kymo_follow (session, "range-changed", on_range, self);
  return GTK_WIDGET (self);
}

/**
 * kymo_events_view_get_n:
 *
 * Returns: the number of records in the list, as the last answer tells it
 */
guint
kymo_events_view_get_n (KymoEventsView *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->pages));
}

/**
 * kymo_events_view_dup_line:
 * @line: from 0
 *
 * Returns: (transfer full) (nullable): time, kind and text of a record, with spaces between; %NULL
 *   where its page is not at hand: it is asked for
 */
char *
kymo_events_view_dup_line (KymoEventsView *self, guint line)
{
  guint row;
  KymoTable *list = kymo_event_pages_look (self->pages, line, &row);
  g_autofree char *time = list != NULL ? kymo_event_dup_text (list, row, 0) : NULL;

  return list == NULL ? NULL : g_strjoin (" ", time, kymo_shown_kind (
                                            kymo_table_get_string (list, "kind", row)),
                                          kymo_table_get_string (list, "text", row), NULL);
}

/**
 * kymo_events_view_is_settled:
 *
 * Returns: whether no question waits or is under way, and no records are being written; FALSE
 *   before the view is first mapped
 */
gboolean
kymo_events_view_is_settled (KymoEventsView *self)
{
  return kymo_view_asker_is_settled (self->asker) && !kymo_event_pages_is_busy (self->pages)
    && !kymo_events_writing_is_busy (KYMO_EVENTS_WRITING (self->writing));
}

/**
 * kymo_events_view_get_chosen:
 *
 * Returns: the selected line, or %GTK_INVALID_LIST_POSITION
 */
guint
kymo_events_view_get_chosen (KymoEventsView *self)
{
  return kymo_event_list_get_chosen (KYMO_EVENT_LIST (self->list));
}
