/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What menu, keys and tests ask of a run view.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-bookmark-dialog.h"
#include "kymo-bookmarks.h"
#include "kymo-chart-table.h"
#include "kymo-communication-view.h"
#include "kymo-copy.h"
#include "kymo-counters-view.h"
#include "kymo-dialogs.h"
#include "kymo-events-view.h"
#include "kymo-export-task.h"
#include "kymo-finder.h"
#include "kymo-findings-view.h"
#include "kymo-go-to.h"
#include "kymo-in-terms.h"
#include "kymo-look.h"
#include "kymo-messages-menu.h"
#include "kymo-name-filter.h"
#include "kymo-navigate.h"
#include "kymo-phases.h"
#include "kymo-run-regions.h"
#include "kymo-profile-view.h"
#include "kymo-run-view-private.h"
#include "kymo-session-path.h"
#include "kymo-session-profile.h"
#include "kymo-table-view.h"
#include "kymo-units.h"
#include "kymo-user-events-view.h"
#include "kymo-waiting-view.h"

static GtkWindow *
window_of (KymoRunView *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

/** kymo_run_view_say: a sentence that passes */
void
kymo_run_view_say (KymoRunView *self, const char *message)
{
  g_signal_emit_by_name (self, "message", message);
}

/** kymo_run_view_current_canvas: that with the focus, else the first of its part */
KymoCanvas *
kymo_run_view_current_canvas (KymoRunView *self)
{
  KymoCanvas *first = NULL;

  for (guint i = 0; i < self->canvases->len; i++)
    {
      GtkWidget *canvas = self->canvases->pdata[i];

      if (!gtk_widget_get_mapped (canvas)
          || !gtk_widget_is_ancestor (canvas, GTK_WIDGET (self->current)))
        continue;
      if (gtk_widget_is_focus (canvas))
        return KYMO_CANVAS (canvas);
      if (first == NULL)
        first = KYMO_CANVAS (canvas);
    }
  return first;
}

/** kymo_run_view_focus: gives the keyboard to the picture */
void
kymo_run_view_focus (KymoRunView *self)
{
  KymoCanvas *canvas = kymo_run_view_current_canvas (self);

  if (canvas != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (canvas));
}

/* -- searching ------------------------------------------------------------ */

static void
on_found (const char *message, gpointer data)
{
  g_autoptr (KymoRunView) self = data;

  if (message != NULL && self->session != NULL)
    kymo_run_view_say (self, message);
}

/** kymo_run_view_find_named: @name: (nullable): that of the selected block */
void
kymo_run_view_find_named (KymoRunView *self, const char *name,
                          const char *direction, gboolean whole_run)
{
  kymo_navigate_find (self->session, name, direction, whole_run, on_found,
                      g_object_ref (self));
}

/** kymo_run_view_find: next, previous, longest of what is searched */
void
kymo_run_view_find (KymoRunView *self, const char *direction)
{
  KymoFinder *finder = kymo_finder_of (self->session);
  const char *name = self->search_name;

  if (kymo_finder_is_active (finder)
      && (g_strcmp0 (direction, "next") == 0
          || g_strcmp0 (direction, "previous") == 0))
    {
      kymo_finder_step (finder, direction);
      return;
    }
  if (g_strcmp0 (direction, "outlier") == 0)
    {
      kymo_navigate_outlier (self->session, on_found, g_object_ref (self));
      return;
    }
  if (name == NULL
      && !kymo_session_get_block (self->session, &(gint64) { 0 },
                                  &(gint64) { 0 }))
    name = kymo_session_peek_hovered (self->session) != NULL
           ? kymo_session_peek_hovered (self->session)
           : kymo_session_peek_function (self->session);
  kymo_run_view_find_named (self, name, direction, FALSE);
}

/** kymo_run_view_search: in the run; legend and profile are filtered as well.
 * "" ends the search */
void
kymo_run_view_search (KymoRunView *self, const char *text, gboolean regex)
{
  KymoLegendPane *legend = KYMO_LEGEND_PANE (self->legend);
  g_autoptr (GPtrArray) profiles = kymo_run_view_list_built (self, "profile");
  g_autoptr (GPtrArray) live = kymo_run_view_list_built (self, "live");

  kymo_finder_set (kymo_finder_of (self->session), text, regex);
  g_free (self->search_text);
  text = self->search_text = kymo_name_filter_typed (text, regex);
  g_clear_pointer (&self->search_name, g_free);
  if (*text != '\0')
    self->search_name = kymo_legend_pane_match (legend, text);
  kymo_legend_pane_set_filter (legend, text);
  for (guint i = 0; i < profiles->len; i++)
    kymo_profile_view_set_filter (profiles->pdata[i], text);
  for (guint i = 0; i < live->len; i++)
    kymo_live_view_set_filter (live->pdata[i], text);
  kymo_session_set_hovered (self->session, self->search_name);
}

/* -- going to a range ----------------------------------------------------- */

static void
on_range_typed (const char *text, gpointer data)
{
  KymoRunView *self = data;
  g_autoptr (GError) error = NULL;
  gint64 phase;
  KymoSpan span;

  if (kymo_phases_parse (kymo_table_peek_nested (self->info, "phases", NULL),
                         text, &phase, &span)
      || kymo_run_regions_find_named (kymo_run_regions_of (self->session), text, &span)
      || kymo_parse_span (text, &span, &error))
    kymo_session_set_range (self->session, span, TRUE);
  else if (!kymo_go_to_typed (self, text))
    kymo_run_view_say (self, error->message);
}

static void
ask_range (KymoRunView *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  g_autofree char *begin = kymo_format_duration_exact (range.begin_ns);
  g_autofree char *end = kymo_format_duration_exact (range.end_ns);
  g_autofree char *text = NULL;

  text = g_strdup_printf ("%s..%s", begin, end);
  g_strdelimit (text, " ", '_');
  for (char *c = text, *to = text;; c++)
    if (*c != '_' && (*to++ = *c) == '\0')
      break;
  kymo_dialog_ask_text (window_of (self), _("Go to a Time Range"),
                        kymo_in_terms_of (self->session,
                                          _("Two times with units (1.15s..1.40s), a "
                                            "phase (phase 2) or a {row} ({row} 3)")),
                        text, _("_Go"), on_range_typed, self);
}

static void
on_bookmarked (const char *name, KymoBookmarkOutcome outcome, gpointer data)
{
  static const char *const said[] = {
    [KYMO_BOOKMARK_MADE] = N_("Bookmarked “%s”"),
    [KYMO_BOOKMARK_CHANGED] = N_("Bookmark “%s” changed"),
    [KYMO_BOOKMARK_GONE] = N_("Bookmark “%s” is gone: it was removed meanwhile"),
    [KYMO_BOOKMARK_TOO_MANY] = N_("No bookmark “%s”: there are 10,000 already"),
  };
  KymoRunView *self = data;
  g_autofree char *shown = kymo_elide_middle (name, 60);
  g_autofree char *words = g_strdup_printf (_(said[outcome]), shown);

  if (self->session != NULL)
    kymo_run_view_say (self, words);
}

static void
ask_bookmark (KymoRunView *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  g_autofree char *begin = kymo_range_time_text (range.begin_ns, range);
  g_autofree char *end = kymo_range_time_text (range.end_ns, range);
  g_autofree char *name = g_strdup_printf ("%s – %s", begin, end);

  kymo_bookmark_dialog_show (window_of (self), self->session, -1, name, on_bookmarked, self);
}

/** kymo_run_view_edit_bookmark: asks for its name and note */
void
kymo_run_view_edit_bookmark (KymoRunView *self, guint index)
{
  if (index < kymo_session_get_n_bookmarks (self->session))
    kymo_bookmark_dialog_show (window_of (self), self->session, index, NULL, on_bookmarked,
                               self);
}

/** kymo_run_view_copy_bookmarks: all of them, as CSV */
void
kymo_run_view_copy_bookmarks (KymoRunView *self)
{
  g_autoptr (KymoTable) answer = kymo_session_dup_bookmarks (self->session);
  g_autoptr (GString) csv = g_string_new (NULL);

  kymo_table_write_csv (answer, csv);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), csv->str);
  kymo_run_view_say (self, _("Bookmarks copied"));
}

/**
 * kymo_run_view_save_bookmarks:
 * @path: JSON where the name ends in ".json", else CSV; an existing file is replaced
 *
 * Writes all bookmarks of the run to a file, while the caller waits. The signal "message" tells
 * that it is done, or why it failed.
 */
void
kymo_run_view_save_bookmarks (KymoRunView *self, const char *path)
{
  g_autoptr (KymoTable) answer = kymo_session_dup_bookmarks (self->session);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (g_str_has_suffix (path, ".json"))
    kymo_table_write_json (answer, text);
  else
    kymo_table_write_csv (answer, text);
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
  if (g_file_set_contents (path, text->str, text->len, &error))
    kymo_run_view_say (self, _("Bookmarks saved"));
  else
    kymo_run_view_say (self, error->message);
}

static void
on_bookmarks_path (const char *path, gpointer data)
{
  kymo_run_view_save_bookmarks (data, path);
}

static void
ask_bookmarks_file (KymoRunView *self)
{
  g_autofree char *title
    = kymo_source_dup_title (kymo_session_peek_source (self->session));
  g_autofree char *name = g_strdup_printf ("%s-bookmarks.csv", title);

  kymo_dialog_save_bookmarks (window_of (self), name, on_bookmarks_path, self);
}

/* -- exporting ------------------------------------------------------------ */

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoRunView) self = data;
  g_autoptr (GError) error = NULL;

  if (self->session == NULL)
    return;
  if (kymo_export_task_finish (result, &error))
    kymo_run_view_say (self, _("Exported"));
  else
    kymo_run_view_say (self, error->message);
}

/* What is given away has to be exact. */
static gboolean
is_to_be_given (KymoRunView *self)
{
  if (kymo_run_view_is_exact (self))
    return TRUE;
  kymo_run_view_say (self, _("The run is still being read: pictures and "
                             "figures can be exported once they are exact"));
  return FALSE;
}

/* The visible view where it is a table of a profile, which has a picture to export. */
static KymoTableView *
current_table (KymoRunView *self)
{
  GtkWidget *child = kymo_desk_part_peek_shown (self->current);

  if (KYMO_IS_USER_EVENTS_VIEW (child))
    return kymo_user_events_view_peek_table (KYMO_USER_EVENTS_VIEW (child));
  return KYMO_IS_TABLE_VIEW (child) ? KYMO_TABLE_VIEW (child) : NULL;
}

/* Whether the visible view has one of several pictures. */
static gboolean
has_modes (KymoRunView *self)
{
  GtkWidget *shown = kymo_desk_part_peek_shown (self->current);

  return KYMO_IS_COMMUNICATION_VIEW (shown) || KYMO_IS_USER_EVENTS_VIEW (shown)
         || KYMO_IS_COUNTERS_VIEW (shown) || KYMO_IS_WAITING_VIEW (shown);
}

/* What is to be exported of the visible view; FALSE where it has no picture. */
static gboolean
find_export (KymoRunView *self, KymoExported *export)
{
  KymoCanvas *canvas = kymo_run_view_current_canvas (self);
  const KymoPlotClass *klass = kymo_plot_find (kymo_run_view_get_view (self));
  KymoTableView *table = current_table (self);

  /* Of several pictures beside each other, the one with the focus. */
  if (canvas != NULL && (klass == NULL || kymo_canvas_get_plot (canvas)->of_all
                         || has_modes (self)))
    klass = kymo_canvas_get_plot (canvas);
  if (table != NULL)
    klass = kymo_plot_find (kymo_table_view_get_kind (table));
  if (klass == NULL)
    return FALSE;
  if (canvas != NULL && kymo_canvas_get_plot (canvas) != klass)
    canvas = NULL;
  *export = (KymoExported) {
    .klass = klass,
    .session = canvas != NULL ? kymo_canvas_peek_session (canvas) : self->session,
    .range = canvas != NULL ? kymo_canvas_get_span (canvas)
                            : kymo_session_get_range (self->session),
    .by_time = canvas != NULL && kymo_canvas_get_by_time (canvas),
    .focus = canvas != NULL ? kymo_canvas_peek_focus_path (canvas) : NULL,
    .relative = canvas != NULL && kymo_canvas_get_relative (canvas),
    .look = kymo_look_now (),
  };
  kymo_figure_size_parse (KYMO_FIGURE_DEFAULT_TEXT, &export->size);
  if (table != NULL)
    export->parameters = kymo_table_view_dup_parameters (table);
  else if (canvas != NULL)
    export->parameters = g_hash_table_ref (kymo_canvas_peek_parameters (canvas));
  return TRUE;
}

/* The visible view where it is a list of records, which are saved as such. */
static KymoEventsView *
current_events (KymoRunView *self)
{
  GtkWidget *child = kymo_desk_part_peek_shown (self->current);

  return KYMO_IS_EVENTS_VIEW (child) ? KYMO_EVENTS_VIEW (child) : NULL;
}

/**
 * kymo_run_view_find_export:
 * @exported: (out caller-allocates): what the visible view shows, in the usual size; to be cleared
 *   with kymo_exported_clear(). Its strings and its session are those of the view
 *
 * Returns: %FALSE where there is no picture, or none that is exact; nothing is to be cleared then
 */
gboolean
kymo_run_view_find_export (KymoRunView *self, KymoExported *exported)
{
  return kymo_run_view_is_exact (self) && current_events (self) == NULL
         && find_export (self, exported);
}

/**
 * kymo_run_view_export:
 * @exported: what to write
 * @path: its ending tells the format
 *
 * Writes a picture on a worker thread. The signal "message" tells that it is done, or why it
 * failed.
 */
void
kymo_run_view_export (KymoRunView *self, const KymoExported *exported, const char *path)
{
  kymo_export_task_start (exported, path, on_exported, g_object_ref (self));
}

/** kymo_run_view_export_to: the visible view; format by the path's ending */
void
kymo_run_view_export_to (KymoRunView *self, const char *path)
{
  g_auto (KymoExported) export = { NULL };

  if (!is_to_be_given (self))
    return;
  if (current_events (self) != NULL)
    kymo_events_view_save_to (current_events (self), path);
  else if (find_export (self, &export))
    kymo_run_view_export (self, &export, path);
  else
    kymo_run_view_say (self, _("This view has no picture to export"));
}

/**
 * kymo_run_view_dup_command:
 * @path: of the run
 * @palette: (nullable): name of the colours
 *
 * Returns: (transfer full) (nullable): the line of kymo-cli for the visible view;
 *   %NULL where there is none, which is told
 */
char *
kymo_run_view_dup_command (KymoRunView *self, const char *path, const char *palette)
{
  g_auto (KymoExported) export = { NULL };
  g_autoptr (GError) error = NULL;
  char *line;

  if (!is_to_be_given (self))
    return NULL;
  if (current_events (self) != NULL)
    line = kymo_events_view_dup_command (current_events (self), path, &error);
  else if (KYMO_IS_FINDINGS_VIEW (kymo_desk_part_peek_shown (self->current)))
    line = kymo_findings_view_dup_command (
      KYMO_FINDINGS_VIEW (kymo_desk_part_peek_shown (self->current)), path);
  else if (find_export (self, &export))
    line = kymo_export_dup_command (&export, path, palette, NULL, &error);
  else
    {
      kymo_run_view_say (self, _("This view has no figures that kymo-cli could give"));
      return NULL;
    }
  if (line == NULL)
    kymo_run_view_say (self, error->message);
  return line;
}

/* A figure has a dialog of the window; here is what else there is. */
static void
ask_export (KymoRunView *self)
{
  if (!is_to_be_given (self))
    return;
  if (current_events (self) != NULL)
    kymo_events_view_ask_save (current_events (self));
  else
    kymo_run_view_say (self, _("This view has no picture to export"));
}

/* -- the table behind the picture ----------------------------------------- */

/* While it is there it is that of the picture with the focus. */
static void
on_focus (KymoRunView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (KYMO_IS_CANVAS (focus)
      && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    kymo_chart_table_set_canvas (KYMO_CHART_TABLE (self->table),
                                 KYMO_CANVAS (focus));
}

static void
on_other_view (KymoRunView *self)
{
  if (kymo_chart_table_is_shown (KYMO_CHART_TABLE (self->table)))
    kymo_chart_table_set_canvas (KYMO_CHART_TABLE (self->table),
                                 kymo_run_view_current_canvas (self));
}

static void
turn_table (KymoRunView *self)
{
  KymoChartTable *table = KYMO_CHART_TABLE (self->table);
  gboolean shown = kymo_chart_table_is_shown (table);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  g_signal_handlers_disconnect_by_func (root, on_focus, self);
  if (shown)
    {
      kymo_chart_table_set_shown (table, FALSE);
      kymo_run_view_focus (self);
      return;
    }
  kymo_chart_table_set_canvas (table, kymo_run_view_current_canvas (self));
  kymo_chart_table_set_shown (table, TRUE);
  kymo_chart_table_focus (table);
  g_signal_handlers_disconnect_by_func (self, on_other_view, NULL);
  g_signal_connect (self, "view-changed", G_CALLBACK (on_other_view), NULL);
  kymo_follow (root, "notify::focus-widget", on_focus, self);
}

/* -- paths ---------------------------------------------------------------- */

/* A second time the same key takes the path away; on another block it shows that block's
   chain. */
static void
follow_path (KymoRunView *self, const char *what)
{
  KymoPathKind kind = g_strcmp0 (what, "critical") == 0 ? KYMO_PATH_CRITICAL
    : g_strcmp0 (what, "back") == 0 ? KYMO_PATH_BACK : KYMO_PATH_FORWARD;

  if (g_strcmp0 (what, "previous") == 0 || g_strcmp0 (what, "next") == 0)
    {
      if (!kymo_session_walk_path (self->session, g_strcmp0 (what, "next") == 0))
        kymo_run_view_say (self, kymo_session_peek_path (self->session) != NULL
                           ? _("The path goes no further")
                           : _("No path is shown: C follows the chain of the selected block"));
      return;
    }
  if (kymo_session_path_is_current (self->session, kind))
    kind = KYMO_PATH_NONE;
  kymo_session_follow_path (self->session, kind);
  if (kymo_session_peek_path_failure (self->session) != NULL)
    kymo_run_view_say (self, kymo_session_peek_path_failure (self->session));
}

/* -- commands by name ----------------------------------------------------- */

static void
zoom_run_view_commands (KymoRunView *self, double factor)
{
  KymoSpan range = kymo_session_get_range (self->session);

  kymo_session_zoom (self->session,
                     range.begin_ns + kymo_span_length (range) / 2, factor);
}

/**
 * kymo_run_view_command:
 * @command: a command of the header; for the path, "path-" and a name
 *
 * Does a command of the menu or of a key on the current view. Some of them open a dialog. An
 * unknown command is reported with g_warning().
 */
void
kymo_run_view_command (KymoRunView *self, const char *command)
{
  if (g_strcmp0 (command, "fit") == 0)
    kymo_session_fit (self->session);
  else if (g_strcmp0 (command, "back") == 0)
    kymo_session_back (self->session);
  else if (g_strcmp0 (command, "forward") == 0)
    kymo_session_forward (self->session);
  else if (g_strcmp0 (command, "zoom-in") == 0)
    zoom_run_view_commands (self, 1.5);
  else if (g_strcmp0 (command, "zoom-out") == 0)
    zoom_run_view_commands (self, 1 / 1.5);
  else if (g_str_has_prefix (command, "path-"))
    follow_path (self, command + strlen ("path-"));
  else if (g_strcmp0 (command, "messages") == 0)
    kymo_run_view_say (self, kymo_messages_next (self->session));
  else if (g_strcmp0 (command, "bookmark") == 0)
    ask_bookmark (self);
  else if (g_strcmp0 (command, "copy-bookmarks") == 0)
    kymo_run_view_copy_bookmarks (self);
  else if (g_strcmp0 (command, "save-bookmarks") == 0)
    ask_bookmarks_file (self);
  else if (g_strcmp0 (command, "clear-markers") == 0)
    kymo_session_clear_markers (self->session);
  else if (g_strcmp0 (command, "go-to") == 0)
    ask_range (self);
  else if (g_strcmp0 (command, "go-anywhere") == 0)
    kymo_go_to_show (self);
  else if (g_strcmp0 (command, "copy-picture") == 0)
    {
      if (is_to_be_given (self))
        kymo_copy_picture (self);
    }
  else if (g_strcmp0 (command, "copy-figures") == 0)
    {
      if (is_to_be_given (self))
        kymo_copy_figures (self);
    }
  else if (g_strcmp0 (command, "table") == 0)
    turn_table (self);
  else if (g_strcmp0 (command, "explain") == 0)
    kymo_run_view_explain_chosen (self);
  else if (g_strcmp0 (command, "export") == 0)
    ask_export (self);
  else
    g_warning ("no command “%s”", command);
}
