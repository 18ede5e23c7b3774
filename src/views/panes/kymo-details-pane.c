/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-accessible.h"
#include "kymo-asker.h"
#include "kymo-block-words.h"
#include "kymo-details-links.h"
#include "kymo-details-pane.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"
#include "kymo-selected-block.h"
#include "kymo-selection-sums.h"
#include "kymo-session-selected.h"
#include "kymo-swatch.h"
#include "kymo-text-zoom.h"
#include "kymo-units.h"

#define MOST_EVENTS 4
#define MOST_MESSAGES 3
#define MOST_ACTIVITIES 3
/* Beyond that size of text a small window has no room for three lines. */
#define MOST_ZOOM 1.25

struct _KymoDetailsPane
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoAsker   *sums_asker;         /* of the selected range */
  GtkWidget   *swatch, *title, *facts;
  GtkWidget   *only;               /* shows the selected rows alone */
  gboolean     shows_sums;         /* of a range that was selected */
};

G_DEFINE_FINAL_TYPE (KymoDetailsPane, kymo_details_pane, GTK_TYPE_BOX)

static gboolean
has_details_pane (KymoTable *answer, const char *key)
{
  return kymo_table_find_column (answer, key) >= 0;
}

static void
add_duration (GPtrArray *parts, KymoTable *answer, const char *key,
              const char *format)
{
  if (has_details_pane (answer, key))
    {
      gint64 ns = kymo_table_get_int (answer, key, 0);
      g_autofree char *text = kymo_format_duration (ns);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      if (ns != KYMO_NULL_INT)
        g_ptr_array_add (parts, g_strdup_printf (format, text));
#pragma GCC diagnostic pop
    }
}

/* (transfer full) (nullable): several labels between commas, as the person reads them */
static char *
dup_shown_labels (const char *labels)
{
  g_auto (GStrv) list = labels != NULL ? g_strsplit (labels, ", ", -1) : NULL;
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    g_ptr_array_add (shown, (gpointer) kymo_shown_label (list[i]));
  g_ptr_array_add (shown, NULL);
  return list != NULL ? g_strjoinv (", ", (char **) shown->pdata) : NULL;
}

static void
add_cause (GPtrArray *parts, KymoTable *answer)
{
  const char *from = kymo_table_peek_label (answer, "source_label", 0);
  g_autofree char *via = dup_shown_labels (kymo_table_get_string (answer, "via_labels", 0));

  if (from != NULL && kymo_table_get_int (answer, "source_location", 0) >= 0)
    g_ptr_array_add (parts, via == NULL
                     ? g_strdup_printf (_("sent by %s"), from)
                     : g_strdup_printf (_("sent by %s by way of %s"), from,
                                        via));
  add_duration (parts, answer, "latency_ns", _("latency %s"));
  add_duration (parts, answer, "queue_ns", _("of it at most %s waiting in the queue"));
  if (has_details_pane (answer, "bytes"))
    {
      g_autofree char *size
        = kymo_format_bytes (kymo_table_get_int (answer, "bytes", 0));

      g_ptr_array_add (parts, g_strdup_printf (_("message %s"), size));
    }
}

/* "4 kB to rank 3, there 12 µs later": the first few that a function sends and
   receives, the rest in number. */
static void
add_messages (GPtrArray *parts, KymoTable *answer)
{
  KymoTable *messages = kymo_table_peek_nested (answer, "messages", NULL);
  guint n = messages != NULL ? kymo_table_get_n_rows (messages) : 0;

  for (guint i = 0; i < MIN (n, MOST_MESSAGES); i++)
    {
      gint64 latency_ns = kymo_table_get_int (messages, "latency_ns", i);
      const char *label = kymo_table_peek_label (messages, "label", i);
      gboolean sends = g_strcmp0 (kymo_table_get_string (messages, "direction", i),
                                  "send") == 0;
      g_autofree char *size
        = kymo_format_bytes (kymo_table_get_int (messages, "bytes", i));
      g_autofree char *latency = latency_ns != KYMO_NULL_INT
                                 ? kymo_format_duration (latency_ns) : NULL;

      if (latency == NULL)
        g_ptr_array_add (parts, g_strdup_printf (
          sends ? _("%s to %s") : _("%s of %s"), size, label));
      else
        g_ptr_array_add (parts, g_strdup_printf (
          sends ? _("%s to %s, received %s later")
                : _("%s of %s, sent %s before"), size, label, latency));
    }
  if (n > MOST_MESSAGES)
    {
      g_autofree char *all
        = kymo_format_count (kymo_table_get_int (answer, "sent", 0)
                             + kymo_table_get_int (answer, "received", 0));

      g_ptr_array_add (parts, g_strdup_printf (_("%s messages in all"), all));
    }
}

/* "rank 3 in AMPI_Waitall": the first few, the rest in number. */
static void
add_events (GPtrArray *parts, KymoTable *answer)
{
  KymoTable *events = kymo_table_peek_nested (answer, "events", NULL);
  guint n = events != NULL ? kymo_table_get_n_rows (events) : 0;

  for (guint i = 0; i < MIN (n, MOST_EVENTS); i++)
    g_ptr_array_add (parts, g_strdup_printf (
      _("%s in %s"), kymo_table_peek_label (events, "label", i),
      kymo_table_get_string (events, "name", i)));
  if (n > MOST_EVENTS)
    g_ptr_array_add (parts, g_strdup_printf (_("and %u more"),
                                             n - MOST_EVENTS));
}

/* "writes 4.1 kB to “out.dat” for 12 µs": the first few parameters and operations of I/O, the
   rest in number. */
static void
add_records (GPtrArray *parts, KymoTable *answer)
{
  KymoTable *records = kymo_table_peek_nested (answer, "records", NULL);
  guint n = records != NULL ? kymo_table_get_n_rows (records) : 0;
  gint64 all = n > 0 ? kymo_table_get_int (answer, "records_found", 0) : 0;

  for (guint i = 0; i < MIN (n, MOST_EVENTS); i++)
    g_ptr_array_add (parts, g_strdup (kymo_table_get_string (records, "text", i)));
  if (all > MOST_EVENTS)
    {
      g_autofree char *count = kymo_format_count (all - MOST_EVENTS);

      g_ptr_array_add (parts, g_strdup_printf (
        _("%s more parameters and I/O operations"), count));
    }
}

static void
add_counters (GPtrArray *parts, KymoTable *answer)
{
  KymoTable *counters = kymo_table_peek_nested (answer, "counters", NULL);
  guint n = counters != NULL ? kymo_table_get_n_rows (counters) : 0;

  for (guint i = 0; i < n; i++)
    {
      double value = kymo_table_get_number (counters, "value", i);
      const char *unit = kymo_table_get_string (counters, "unit", i);
      g_autofree char *count = isnan (value) ? g_strdup ("–")
        : value == floor (value) && fabs (value) < 9e15 ? kymo_format_count ((gint64) value)
        : kymo_format_number (value, 6);

      g_ptr_array_add (parts, g_strdup_printf (
        "%s %s%s%s", kymo_table_get_string (counters, "metric", i), count,
        unit != NULL && *unit != '\0' ? " " : "", unit != NULL ? unit : ""));
    }
}

/* @standing: (nullable): how long it is by the others of its name */
static char *
facts_in_words (KymoTable *answer, const char *standing)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  const char *label = kymo_table_peek_label (answer, "label", 0);

  if (label != NULL)
    g_ptr_array_add (parts, g_strdup (label));
  if (has_details_pane (answer, "begin_ns") && has_details_pane (answer, "end_ns"))
    {
      gint64 from = kymo_table_get_int (answer, "begin_ns", 0);
      gint64 to = kymo_table_get_int (answer, "end_ns", 0);
      g_autofree char *begin = kymo_format_duration_exact (from);
      g_autofree char *end = kymo_format_duration_exact (to);

      g_ptr_array_add (parts, g_strdup_printf (_("%s to %s"), begin, end));
    }
  add_duration (parts, answer, "duration_ns", _("lasts %s"));
  add_duration (parts, answer, "cpu_ns", _("%s of processor time"));
  add_duration (parts, answer, "excess_ns", _("at least %s without a CPU"));
  if (standing != NULL)
    g_ptr_array_add (parts, g_strdup (standing));
  if (!has_details_pane (answer, "excess_ns"))
    add_duration (parts, answer, "exclusive_ns", _("own time %s"));
  if (kymo_table_get_string (answer, "object", 0) != NULL)
    g_ptr_array_add (parts, g_strdup_printf (
      _("object %s"), kymo_table_get_string (answer, "object", 0)));
  add_records (parts, answer);
  add_cause (parts, answer);
  add_messages (parts, answer);
  add_counters (parts, answer);
  add_events (parts, answer);
  if (kymo_table_get_string (answer, "source", 0) != NULL)
    g_ptr_array_add (parts, g_strdup (kymo_table_get_string (answer, "source", 0)));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **) parts->pdata);
}

static const char *
title_of (KymoTable *answer, const char *state)
{
  const char *name = kymo_table_get_string (answer, "signature", 0);

  if (name == NULL || *name == '\0')
    name = kymo_table_get_string (answer, "name", 0);
  if (name != NULL && *name != '\0')
    return kymo_shown_name (name);
  if (g_strcmp0 (state, "idle") == 0)
    return _("Idle");
  if (g_strcmp0 (state, "rest") == 0)
    return _("Idle or overhead");
  if (g_strcmp0 (state, "overhead") == 0)
    return _("Overhead: the time between blocks");
  return _("Untraced");
}

static void
say_details_pane (KymoDetailsPane *self, const char *title, const char *facts)
{
  kymo_label_set (self->title, title);
  kymo_label_set (self->facts, facts);
  self->shows_sums = FALSE;
  kymo_label_set_tip (self->title, title);
}

/* The words of before stand until the details of the block are known. */
static void
say_details (KymoDetailsPane *self)
{
  KymoSelectedBlock *block = kymo_selected_block_of (self->session);
  KymoTable *answer = kymo_selected_block_peek_details (block);
  const char *failure = kymo_selected_block_peek_failure (block), *state;
  g_autofree char *facts = NULL;

  if (kymo_session_get_selection (self->session, NULL))
    return;
  if (failure != NULL)
    {
      kymo_swatch_set (KYMO_SWATCH (self->swatch), NULL, NULL);
      say_details_pane (self, _("No details"), failure);
    }
  if (answer == NULL)
    return;
  state = kymo_table_get_string (answer, "state", 0);
  facts = facts_in_words (answer, kymo_block_words_peek_standing (
                            kymo_block_words_of (self->session)));
  kymo_swatch_set (KYMO_SWATCH (self->swatch),
                   g_strcmp0 (state, "entry") == 0
                   || g_strcmp0 (state, "function") == 0
                   ? kymo_table_get_string (answer, "name", 0) : state, state);
  say_details_pane (self, title_of (answer, state), facts);
}

/* What could be done. */
static const char *
hint (KymoDetailsPane *self)
{
  KymoSource *source = kymo_session_peek_source (self->session);
  KymoCapabilities can = kymo_source_get_capabilities (source);
  g_autofree char *draft = kymo_source_dup_draft (source);

  if (can & KYMO_CAN_INTERVALS)
    return _("Click a block in the timeline to see what it is; drag over time to select a time "
             "range");
  if (can & KYMO_CAN_STREAM)
    return kymo_in_terms_of (self->session, _("A stream: means of all {rows} by bins of time, no "
                                              "blocks to look into; drag to select a time "
                                              "range"));
  if (draft != NULL)
    return _("Blocks can be looked into when all logs are read; drag to "
             "select a time range");
  return _("A summary: sums by bins of time, no blocks to look into; "
           "drag to select a time range");
}

/* "12.5 ms selected, PEs 3-5" */
static char *
dup_selected (KymoDetailsPane *self, KymoSpan span)
{
  KymoIdSet *rows = kymo_session_peek_selected_rows (self->session);
  g_autofree char *length = kymo_format_duration (kymo_span_length (span));
  g_autofree char *ids = rows != NULL ? kymo_id_set_to_text (rows) : NULL;

  if (ids == NULL)
    return g_strdup_printf (_("%s selected"), length);
  return g_strdup_printf (kymo_in_terms_of (self->session, _("%s selected, {rows} %s")),
                          length, ids);
}

static void
on_sums (KymoTable *answer, const GError *error, gpointer data)
{
  KymoDetailsPane *self = data;
  g_autofree char *title = NULL, *shares = NULL, *words = NULL, *all = NULL;
  KymoSpan span;

  if (answer == NULL || !kymo_session_get_selection (self->session, &span))
    return;
  words = dup_selected (self, span);
  shares = kymo_selection_dup_shares (answer);
  title = g_strdup_printf ("%s · %s", words, shares);
  all = kymo_selection_dup_activities (answer, MOST_ACTIVITIES);
  say_details_pane (self, title, *all != '\0' ? all
                    : kymo_in_terms_of (self->session, _("No {code} ran here")));
  self->shows_sums = TRUE;
}

/* As the profile has it, of the range and the rows that are selected. */
static void
ask_sums (KymoDetailsPane *self, KymoSpan span)
{
  KymoIdSet *rows = kymo_session_peek_selected_rows (self->session);
  KymoQuestion *question = kymo_question_new ("profile");

  kymo_question_set_span (question, span);
  kymo_session_prepare (self->session, question);
  if (rows != NULL)
    kymo_question_set_locations (question, rows);
  kymo_question_set_int (question, "workers-only", rows == NULL);
  kymo_asker_ask (self->sums_asker, question);
}

static void
show_nothing (KymoDetailsPane *self)
{
  KymoSpan span;
  g_autofree char *words = NULL;

  kymo_swatch_set (KYMO_SWATCH (self->swatch), NULL, NULL);
  if (!kymo_session_get_selection (self->session, &span))
    {
      say_details_pane (self, _("Nothing selected"), hint (self));
      return;
    }
  words = dup_selected (self, span);
  /* While one drags the last sums stand until there are others. */
  if (self->shows_sums)
    kymo_label_set (self->title, words);
  else
    say_details_pane (self, words, _("Enter or Z zooms to the selection, Esc drops it"));
  ask_sums (self, span);
}

static void
on_selection_changed (KymoDetailsPane *self)
{
  kymo_asker_cancel (self->sums_asker);
  gtk_widget_set_visible (self->only,
                          kymo_session_peek_selected_rows (self->session) != NULL);
  if (kymo_session_get_selection (self->session, NULL)
      || !kymo_session_get_block (self->session, NULL, NULL))
    show_nothing (self);
  else
    say_details (self);
}

static void
kymo_details_pane_dispose (GObject *object)
{
  KymoDetailsPane *self = KYMO_DETAILS_PANE (object);

  g_clear_pointer (&self->sums_asker, kymo_asker_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_details_pane_parent_class)->dispose (object);
}

static void
kymo_details_pane_class_init (KymoDetailsPaneClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  G_OBJECT_CLASS (klass)->dispose = kymo_details_pane_dispose;
}

static GtkWidget *
line_label (gboolean strong)
{
  GtkWidget *label = kymo_label_new (NULL, NULL);

  if (strong)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (label), !strong);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, strong ? "heading" : "numeric");
  return label;
}

static void
on_only (KymoDetailsPane *self)
{
  kymo_session_set_locations (self->session, kymo_session_peek_selected_rows (self->session));
}

static GtkWidget *
build_only (KymoDetailsPane *self)
{
  GtkWidget *button = gtk_button_new_with_label (_("Show Only These"));

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (button, FALSE);
  gtk_widget_set_tooltip_text (button, kymo_in_terms_of (
    self->session, _("Show the selected {rows} and no others")));
  kymo_follow (button, "clicked", on_only, self);
  return button;
}

/* As high as the style says, whatever is told: if it grew with the words, the rows above would
   move under the pointer that chose a block. */
static GtkWidget *
build_lines (KymoDetailsPane *self)
{
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_box_append (GTK_BOX (lines), self->title);
  gtk_box_append (GTK_BOX (lines), self->facts);
  gtk_box_append (GTK_BOX (lines), kymo_details_links_new (self->session));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), lines);
  return scrolled;
}

static void
on_zoom (KymoDetailsPane *self)
{
  if (kymo_text_zoom () > MOST_ZOOM)
    gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-large-text");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "kymo-large-text");
}

static void
kymo_details_pane_init (KymoDetailsPane *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-details");
  kymo_accessible_name (self, _("Details"));
  kymo_text_zoom_follow (GTK_WIDGET (self), G_CALLBACK (on_zoom));
  on_zoom (self);
}

/**
 * kymo_details_pane_new:
 *
 * Makes the pane, empty until something is selected. It follows the selection of @session, and
 * asks again when the run grows.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_details_pane_new (KymoSession *session)
{
  KymoDetailsPane *self = g_object_new (KYMO_TYPE_DETAILS_PANE, NULL);

  self->session = g_object_ref (session);
  self->swatch = kymo_swatch_new (session);
  gtk_widget_set_valign (self->swatch, GTK_ALIGN_START);
  self->title = line_label (TRUE);
  self->facts = line_label (FALSE);
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_box_append (GTK_BOX (self), self->swatch);
  gtk_box_append (GTK_BOX (self), build_lines (self));
  self->sums_asker = kymo_asker_new (kymo_session_peek_source (session), on_sums, self);
  self->only = build_only (self);
  gtk_box_append (GTK_BOX (self), self->only);
  kymo_follow (session, "selection-changed", on_selection_changed, self);
  kymo_follow (session, "grown", on_selection_changed, self);
  kymo_follow (kymo_selected_block_of (session), "details", say_details, self);
  kymo_follow (kymo_block_words_of (session), "changed", say_details, self);
  show_nothing (self);
  return GTK_WIDGET (self);
}
