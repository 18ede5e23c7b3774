/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What menu, keys and tests ask of the view of a comparison.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-canvas-private.h"
#include "kymo-compare-view-private.h"
#include "kymo-copy.h"
#include "kymo-dialogs.h"
#include "kymo-export-task.h"
#include "kymo-look.h"
#include "kymo-navigate.h"
#include "kymo-session-profile.h"
#include "kymo-export.h"
#include "kymo-units.h"

static GtkWindow *
window_of (KymoCompareView *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

/** kymo_compare_view_canvas: (nullable): with the focus, else the first to be seen */
KymoCanvas *
kymo_compare_view_canvas (KymoCompareView *self)
{
  const char *page = kymo_compare_view_get_page (self);

  if (g_strcmp0 (page, "time") == 0)
    return self->over_time;
  if (g_strcmp0 (page, "changes") == 0)
    return self->changes;
  if (g_strcmp0 (page, "series") == 0)
    return self->series;
  if (g_strcmp0 (page, "runs") == 0)
    return kymo_compare_pictures_peek (
      self->pictures, kymo_compare_pictures_get_focused (self->pictures));
  return NULL;
}

/** kymo_compare_view_focus: gives the keyboard to the picture */
void
kymo_compare_view_focus (KymoCompareView *self)
{
  KymoCanvas *canvas = kymo_compare_view_canvas (self);

  if (canvas != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (canvas));
}

/* -- going somewhere ------------------------------------------------------ */

static void
on_found (const char *message, gpointer data)
{
  g_autoptr (KymoCompareView) self = data;

  if (message != NULL && self->session != NULL)
    kymo_compare_view_say (self, message);
}

/* In the run with the focus: of what is chosen, else of its selected block. */
static void
find_compare_view_commands (KymoCompareView *self, const char *direction)
{
  guint run = kymo_compare_pictures_get_focused (self->pictures);

  kymo_navigate_find (kymo_session_coupling_peek (self->coupling, run + 1),
                      kymo_session_peek_function (self->session), direction, FALSE,
                      on_found, g_object_ref (self));
}

static void
on_range_typed (const char *text, gpointer data)
{
  KymoCompareView *self = data;
  g_autoptr (GError) error = NULL;
  KymoSpan span;

  if (self->session == NULL)
    return;
  if (kymo_parse_span (text, &span, &error))
    kymo_session_set_range (self->session, span, TRUE);
  else
    kymo_compare_view_say (self, error->message);
}

static void
ask_range (KymoCompareView *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  g_autofree char *begin = kymo_format_duration_exact (range.begin_ns);
  g_autofree char *end = kymo_format_duration_exact (range.end_ns);
  g_autofree char *text = g_strdup_printf ("%s..%s", begin, end);
  g_auto (GStrv) parts = g_strsplit (text, " ", -1);
  g_autofree char *joined = g_strjoinv ("", parts);

  kymo_dialog_ask_text (window_of (self), _("Go to a Time Range"),
                        _("Two times with units (1.15s..1.40s), in the time of run A"),
                        joined, _("_Go"), on_range_typed, self);
}

static void
zoom_compare_view_commands (KymoCompareView *self, double factor)
{
  KymoSpan range = kymo_session_get_range (self->session);

  kymo_session_zoom (self->session, range.begin_ns + kymo_span_length (range) / 2, factor);
}

static void
clear_markers (KymoCompareView *self)
{
  for (guint i = 0; i < kymo_session_coupling_get_n (self->coupling); i++)
    kymo_session_clear_markers (kymo_session_coupling_peek (self->coupling, i));
}

/* -- exporting ------------------------------------------------------------ */

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoCompareView) self = data;
  g_autoptr (GError) error = NULL;

  if (self->session == NULL)
    return;
  if (kymo_export_task_finish (result, &error))
    kymo_compare_view_say (self, _("Exported"));
  else
    kymo_compare_view_say (self, error->message);
}

static gboolean
shows_info (KymoCompareView *self)
{
  return g_strcmp0 (kymo_compare_view_get_page (self), "surroundings") == 0;
}

/* Where no picture is to be seen, that of what changed. */
static KymoCanvas *
canvas_to_give (KymoCompareView *self)
{
  KymoCanvas *canvas = kymo_compare_view_canvas (self);

  return canvas != NULL ? canvas : self->changes;
}

/* What is known of the runs is a table alone, and at hand. */
static void
export_info (KymoCompareView *self, const char *path)
{
  const char *format = kymo_export_format_of (path);
  g_autoptr (GError) error = NULL;
  KymoPlotFrame frame;

  if (g_strcmp0 (format, "csv") != 0 && g_strcmp0 (format, "json") != 0)
    {
      kymo_compare_view_say (self, _("What is known of the runs is a table: its file ends in "
                                     ".csv or .json"));
      return;
    }
  if (self->info == NULL)
    {
      kymo_compare_view_say (self, _("What is known of the runs is not there yet"));
      return;
    }
  kymo_plot_frame_init (&frame, 1600, 900, KYMO_LOOK_LIGHT, NULL,
                        kymo_session_get_range (self->session));
  if (kymo_export_answer (kymo_plot_find ("compare-activities"), self->info, &frame, format,
                          path, &error))
    kymo_compare_view_say (self, _("Exported"));
  else
    kymo_compare_view_say (self, error->message);
}

/* Bins of each run's own range lie at the times of the first run, as kymo-cli has them. */
static void
take_own_range (KymoExported *exported)
{
  const char *begin = g_hash_table_lookup (exported->parameters, "begin-0");
  const char *end = g_hash_table_lookup (exported->parameters, "end-0");

  if (begin != NULL && end != NULL && g_hash_table_contains (exported->parameters, "scale"))
    exported->range = (KymoSpan) { g_ascii_strtoll (begin, NULL, 10),
                                   g_ascii_strtoll (end, NULL, 10) };
}

/**
 * kymo_compare_view_find_export:
 * @exported: (out caller-allocates): what the visible page shows, in the usual size; to be cleared
 *   with kymo_exported_clear(). Its session is that of the view
 *
 * Returns: %FALSE where the page has no picture; nothing is to be cleared then
 */
gboolean
kymo_compare_view_find_export (KymoCompareView *self, KymoExported *exported)
{
  KymoCanvas *canvas = shows_info (self) ? NULL : canvas_to_give (self);
  KymoSpan part;

  if (canvas == NULL)
    return FALSE;
  *exported = (KymoExported) {
    .klass = kymo_canvas_get_plot (canvas), .session = kymo_canvas_peek_session (canvas),
    .range = kymo_canvas_get_span (canvas), .by_time = kymo_canvas_get_by_time (canvas),
    .parameters = g_hash_table_ref (kymo_canvas_peek_parameters (canvas)),
    .look = kymo_look_now (),
  };
  kymo_figure_size_parse (KYMO_FIGURE_DEFAULT_TEXT, &exported->size);
  /* One run alone has nothing beside its own time. */
  part = kymo_span_intersect (exported->range, kymo_source_get_span (
    kymo_session_peek_source (exported->session)));
  if (!exported->klass->compares && kymo_span_length (part) > 0)
    exported->range = part;
  take_own_range (exported);
  return TRUE;
}

/**
 * kymo_compare_view_export:
 * @exported: what to write
 * @path: its ending tells the format
 *
 * Writes a picture on a worker thread. The signal "message" tells that it is done, or why it
 * failed.
 */
void
kymo_compare_view_export (KymoCompareView *self, const KymoExported *exported, const char *path)
{
  kymo_export_task_start (exported, path, on_exported, g_object_ref (self));
}

/** kymo_compare_view_export_to: format by the path's ending */
void
kymo_compare_view_export_to (KymoCompareView *self, const char *path)
{
  g_auto (KymoExported) exported = { NULL };

  if (shows_info (self))
    export_info (self, path);
  else if (kymo_compare_view_find_export (self, &exported))
    kymo_compare_view_export (self, &exported, path);
  else
    kymo_compare_view_say (self, _("This view has no picture to export"));
}

static void
on_export_path (const char *path, gpointer data)
{
  kymo_compare_view_export_to (data, path);
}

static void
ask_export (KymoCompareView *self)
{
  KymoCanvas *canvas = canvas_to_give (self);
  g_autofree char *name = shows_info (self) ? g_strdup ("comparison-surroundings.csv")
    : g_strdup_printf ("comparison-%s.png",
                       canvas != NULL ? kymo_canvas_get_plot (canvas)->id : "");

  kymo_dialog_save (window_of (self), name, on_export_path, self);
}

/* -- the clipboard -------------------------------------------------------- */

static void
copy_compare_view_commands (KymoCompareView *self, const char *text, const char *message)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  kymo_compare_view_say (self, message);
}

/* What the pointer or keys are at, else the whole table. */
static void
copy_figures (KymoCompareView *self)
{
  KymoCanvas *canvas = kymo_compare_view_canvas (self);
  KymoCompareTable *table = shows_info (self) ? self->facts : self->table;
  g_autofree char *text = NULL;

  if (canvas != NULL && canvas->hit.text != NULL)
    text = g_strdup (canvas->hit.text);
  else
    text = kymo_line_table_dup_figures (KYMO_LINE_TABLE (table));
  copy_compare_view_commands (self, text, _("Figures copied"));
}

static void
copy_picture (KymoCompareView *self)
{
  if (kymo_copy_widget (gtk_stack_get_visible_child (GTK_STACK (self->stack))))
    kymo_compare_view_say (self, _("Picture copied"));
}

/* -- as a command --------------------------------------------------------- */

static void
copy_command (KymoCompareView *self)
{
  g_autofree char *line = kymo_compare_view_dup_command (self);

  copy_compare_view_commands (self, line, _("Command copied"));
}

/* -- commands by name ----------------------------------------------------- */

static void
fit (KymoCompareView *self)
{
  kymo_session_fit (self->session);
}

static void
back (KymoCompareView *self)
{
  kymo_session_back (self->session);
}

static void
forward (KymoCompareView *self)
{
  kymo_session_forward (self->session);
}

static void
zoom_in (KymoCompareView *self)
{
  zoom_compare_view_commands (self, 1.5);
}

static void
zoom_out (KymoCompareView *self)
{
  zoom_compare_view_commands (self, 1 / 1.5);
}

static void
find_next (KymoCompareView *self)
{
  find_compare_view_commands (self, "next");
}

static void
find_previous (KymoCompareView *self)
{
  find_compare_view_commands (self, "previous");
}

static void
find_longest (KymoCompareView *self)
{
  find_compare_view_commands (self, "longest");
}

static const struct
{
  const char *name;
  void      (*run) (KymoCompareView *self);
} commands[] = {
  { "fit", fit }, { "back", back }, { "forward", forward }, { "zoom-in", zoom_in },
  { "zoom-out", zoom_out }, { "clear-markers", clear_markers }, { "go-to", ask_range },
  { "export", ask_export }, { "copy-picture", copy_picture },
  { "copy-figures", copy_figures }, { "copy-command", copy_command },
  { "find-next", find_next }, { "find-previous", find_previous },
  { "find-longest", find_longest }, { "table", kymo_compare_view_turn_list },
};

/**
 * kymo_compare_view_knows:
 *
 * Returns: whether a comparison knows this command of the window, too
 */
gboolean
kymo_compare_view_knows (const char *command)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, command))
      return TRUE;
  return g_str_equal (command, "export-to");
}

/** kymo_compare_view_command: what it does not know is ignored */
void
kymo_compare_view_command (KymoCompareView *self, const char *command)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, command))
      commands[i].run (self);
}
