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
#include "kymo-units.h"

#define EXPORT_WIDTH_PX 1600
#define EXPORT_HEIGHT_PX 900

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
find (KymoCompareView *self, const char *direction)
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
                        _("Two times with units, as 1.15s..1.40s, in the time of run A"),
                        joined, _("_Go"), on_range_typed, self);
}

static void
zoom (KymoCompareView *self, double factor)
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

/* Where a table alone is to be seen, the picture of the same figures. */
static KymoCanvas *
canvas_to_give (KymoCompareView *self)
{
  KymoCanvas *canvas = kymo_compare_view_canvas (self);

  return canvas != NULL ? canvas : self->changes;
}

/** kymo_compare_view_export_to: format by the path's ending */
void
kymo_compare_view_export_to (KymoCompareView *self, const char *path)
{
  KymoCanvas *canvas = canvas_to_give (self);
  g_auto (KymoExported) export = { NULL };

  if (canvas == NULL)
    {
      kymo_compare_view_say (self, _("This view has no picture to export"));
      return;
    }
  export = (KymoExported) {
    .klass = kymo_canvas_get_plot (canvas), .session = kymo_canvas_peek_session (canvas),
    .range = kymo_canvas_get_span (canvas), .by_time = kymo_canvas_get_by_time (canvas),
    .parameters = g_hash_table_ref (kymo_canvas_peek_parameters (canvas)),
    .look = kymo_look_now (),
    .width_px = EXPORT_WIDTH_PX, .height_px = EXPORT_HEIGHT_PX,
  };
  kymo_export_task_start (&export, path, on_exported, g_object_ref (self));
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
  g_autofree char *name = g_strdup_printf ("comparison-%s.png", canvas != NULL
                                           ? kymo_canvas_get_plot (canvas)->id : "");

  kymo_dialog_save (window_of (self), name, on_export_path, self);
}

/* -- the clipboard -------------------------------------------------------- */

static void
copy (KymoCompareView *self, const char *text, const char *message)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  kymo_compare_view_say (self, message);
}

/* What the pointer or keys are at, else the whole table. */
static void
copy_figures (KymoCompareView *self)
{
  KymoCanvas *canvas = kymo_compare_view_canvas (self);
  gboolean facts = g_strcmp0 (kymo_compare_view_get_page (self), "surroundings") == 0;
  KymoCompareTable *table = facts ? self->facts : self->table;
  g_autofree char *text = NULL;

  if (canvas != NULL && canvas->hit.text != NULL)
    text = g_strdup (canvas->hit.text);
  else
    text = kymo_compare_table_dup_figures (table);
  copy (self, text, _("Figures copied"));
}

static void
copy_picture (KymoCompareView *self)
{
  if (kymo_copy_widget (gtk_stack_get_visible_child (GTK_STACK (self->stack))))
    kymo_compare_view_say (self, _("Picture copied"));
}

/* -- as a command --------------------------------------------------------- */

static void
add_word (GString *line, const char *word)
{
  g_autofree char *quoted = g_shell_quote (word);
  gboolean plain = *word != '\0'
                   && strspn (word, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._-+:,=@")
                      == strlen (word);

  g_string_append_printf (line, " %s", plain ? word : quoted);
}

static void
add_times (KymoCompareView *self, GString *line)
{
  KymoSpan full = kymo_session_get_full_range (self->session);
  KymoSpan range = kymo_session_get_range (self->session);

  if (range.begin_ns != full.begin_ns)
    g_string_append_printf (line, " --from %" G_GINT64_FORMAT "ns", range.begin_ns);
  if (range.end_ns != full.end_ns)
    g_string_append_printf (line, " --to %" G_GINT64_FORMAT "ns", range.end_ns);
}

/* The first run of a side is it, the others are its repeats. */
static void
add_runs (KymoCompareView *self, GString *line, gboolean repeats)
{
  guint before = G_MAXUINT;

  for (guint i = 0; i < self->paths->len; i++)
    {
      guint side = kymo_comparison_get_side (self->comparison, i);
      const char *path = self->paths->pdata[i] != NULL ? self->paths->pdata[i] : "RUN";
      g_autofree char *word = NULL;

      if (repeats && side == before)
        {
          word = g_strdup_printf ("%c=%s", 'A' + side % 26, path);
          g_string_append (line, " --repeat-of");
          add_word (line, word);
        }
      else if (!repeats && side != before)
        add_word (line, path);
      before = side;
    }
}

/* Runs that lie where a hand put them lie there by their offsets. */
static char *
dup_how (KymoCompareView *self)
{
  g_autofree char *how = kymo_comparison_dup_align (self->comparison);
  g_autoptr (GString) text = g_string_new ("offsets ");

  if (!g_str_equal (how, "by hand"))
    return g_steal_pointer (&how);
  for (guint i = 0; i < self->paths->len; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT "ns", i > 0 ? "," : "",
                            kymo_comparison_get_offset (self->comparison, i));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/** kymo_compare_view_dup_command: */
char *
kymo_compare_view_dup_command (KymoCompareView *self)
{
  g_autoptr (GString) line = g_string_new ("kymo-cli");
  g_autofree char *how = dup_how (self);

  add_word (line, "compare");
  add_runs (self, line, FALSE);
  add_runs (self, line, TRUE);
  add_times (self, line);
  if (!g_str_equal (how, "start"))
    {
      g_string_append (line, " --align");
      add_word (line, how);
    }
  if (self->against + 1 < kymo_comparison_get_n_sides (self->comparison))
    g_string_append_printf (line, " --against %c", 'A' + self->against % 26);
  if (self->per_pe)
    g_string_append (line, " --figure=per-pe");
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static void
copy_command (KymoCompareView *self)
{
  g_autofree char *line = kymo_compare_view_dup_command (self);

  copy (self, line, _("Command copied"));
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
  zoom (self, 1.5);
}

static void
zoom_out (KymoCompareView *self)
{
  zoom (self, 1 / 1.5);
}

static void
find_next (KymoCompareView *self)
{
  find (self, "next");
}

static void
find_previous (KymoCompareView *self)
{
  find (self, "previous");
}

static void
find_longest (KymoCompareView *self)
{
  find (self, "longest");
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
  { "find-longest", find_longest },
};

/** kymo_compare_view_knows: */
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
