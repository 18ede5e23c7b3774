/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The preview is painted by the function that writes the file, at fewer pixels per inch, on a
 * worker thread; a change cancels the preview that is on its way. Everything that the dialog has
 * lives as long as its window.
 */
#include "config.h"

#include "kymo-figure-dialog.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "kymo-controls.h"
#include "kymo-dialogs.h"
#include "kymo-figure-rows.h"
#include "kymo-label.h"
#include "kymo-remote-settings.h"

#define DIALOG_KEY "kymo-figure"
#define WIDTH_PX 960
#define HEIGHT_PX 600
/* A preview has at most so many pixels, as large as the dialog may get. */
#define PREVIEW_WIDTH_PX 900
#define PREVIEW_HEIGHT_PX 700
/* Typing a number changes it with each key. */
#define WAIT_MS 120

typedef struct
{
  GtkWindow      *window;
  KymoExported    base;                /* what was seen; with @session and @focus of our own */
  KymoSession    *session;
  char           *focus, *path, *palette, *line;
  KymoFigureRows *rows;
  GtkWidget      *picture, *spinner, *size, *file, *command, *copy, *accept, *as;
  GCancellable   *asking;              /* while a preview is painted */
  guint           wait;                /* id of a source, or 0 */
  KymoFigureDone  done;
  GObject        *data;
} Figure;

static void
figure_free (gpointer data)
{
  Figure *self = data;

  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_handle_id (&self->wait, g_source_remove);
  kymo_figure_rows_free (self->rows);
  kymo_exported_clear (&self->base);
  g_object_unref (self->session);
  g_object_unref (self->data);
  g_free (self->focus);
  g_free (self->path);
  g_free (self->palette);
  g_free (self->line);
  g_free (self);
}

static Figure *
figure_of (GtkWindow *dialog)
{
  return g_object_get_data (G_OBJECT (dialog), DIALOG_KEY);
}

/* -- the preview ----------------------------------------------------------- */

static void
show_surface (Figure *self, cairo_surface_t *surface)
{
  int height = cairo_image_surface_get_height (surface);
  int stride = cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  cairo_surface_flush (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface),
                                      (gsize) height * stride,
                                      (GDestroyNotify) cairo_surface_destroy, surface);
  texture = gdk_memory_texture_new (cairo_image_surface_get_width (surface), height,
                                    GDK_MEMORY_DEFAULT, bytes, stride);
  gtk_picture_set_paintable (GTK_PICTURE (self->picture), GDK_PAINTABLE (texture));
}

static void
on_preview (GObject *source, GAsyncResult *result, gpointer window)
{
  g_autoptr (GObject) held = window;
  Figure *self = figure_of (window);
  g_autoptr (GError) error = NULL;
  cairo_surface_t *surface = kymo_exported_preview_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self == NULL)
    {
      if (surface != NULL)
        cairo_surface_destroy (surface);
      return;
    }
  g_clear_object (&self->asking);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  if (surface != NULL)
    show_surface (self, surface);
  else
    gtk_label_set_text (GTK_LABEL (self->size), error->message);
}

static void
start_preview (Figure *self)
{
  KymoExported exported = self->base;
  KymoFigureSize *size = &exported.size;

  self->wait = 0;
  if (!kymo_figure_rows_read (self->rows, &exported, NULL))
    return;
  size->dpi = KYMO_FIGURE_PX_PER_INCH * gtk_widget_get_scale_factor (self->picture)
              * MIN (PREVIEW_WIDTH_PX / kymo_figure_size_to_px (size, size->width),
                     PREVIEW_HEIGHT_PX / kymo_figure_size_to_px (size, size->height));
  self->asking = g_cancellable_new ();
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  kymo_exported_preview_start (&exported, self->asking, on_preview, g_object_ref (self->window));
}

static void
queue_preview (Figure *self)
{
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_handle_id (&self->wait, g_source_remove);
  self->wait = g_timeout_add_once (WAIT_MS, (GSourceOnceFunc) start_preview, self);
}

/* A closed dialog asks nothing any more. The preview under way holds its window meanwhile. */
static void
on_closed (Figure *self)
{
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_handle_id (&self->wait, g_source_remove);
}

/* -- the file -------------------------------------------------------------- */

/* Where the last figure was written; the next one is proposed beside it. */
static char *last_folder;

/* What there is at PATH is not written over without a question. */
#define MOST_NUMBER 999

/* Without the ending. Titles of several runs are too many for a name. */
static char *
dup_name (Figure *self)
{
  g_autofree char *title = NULL;

  if (self->base.klass->compares)
    return g_strdup (self->base.klass->id);
  title = kymo_source_dup_title (kymo_session_peek_source (self->session));
  return g_strdelimit (g_strdup_printf ("%s-%s", title, self->base.klass->id), "/", '-');
}

/* A name that is free in the folder of pictures. */
static char *
dup_proposed (Figure *self)
{
  const char *pictures = g_get_user_special_dir (G_USER_DIRECTORY_PICTURES);
  const char *folder = last_folder != NULL ? last_folder
    : pictures != NULL && g_file_test (pictures, G_FILE_TEST_IS_DIR) ? pictures
    : g_get_home_dir ();
  const char *format = kymo_figure_rows_get_format (self->rows);
  g_autofree char *name = dup_name (self);
  g_autofree char *first = g_strdup_printf ("%s.%s", name, format);
  char *path = g_build_filename (folder, first, NULL);

  for (int i = 2; i <= MOST_NUMBER && g_file_test (path, G_FILE_TEST_EXISTS); i++)
    {
      g_autofree char *next = g_strdup_printf ("%s-%d.%s", name, i, format);

      g_free (path);
      path = g_build_filename (folder, next, NULL);
    }
  return path;
}

static void
show_file (Figure *self)
{
  g_autofree char *path = dup_proposed (self);
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  /* Translators: the name of a file and its folder. */
  g_autofree char *words = g_strdup_printf (_("%s in %s"), name, folder);

  kymo_label_set (self->file, words);
}

/* -- what it would be ------------------------------------------------------ */

/* "85 × 60 mm · 1004 × 709 px" */
static char *
dup_size_words (const KymoFigureSize *size, const char *format)
{
  double width_px = kymo_figure_size_to_px (size, size->width);
  double height_px = kymo_figure_size_to_px (size, size->height);
  double scale = size->dpi / KYMO_FIGURE_PX_PER_INCH;

  if (g_str_equal (format, "csv") || g_str_equal (format, "json"))
    return g_strdup (_("The file has the figures of this picture"));
  if (!g_str_equal (format, "png") && size->mm)
    return g_strdup_printf (_("%.4g × %.4g mm"), size->width, size->height);
  if (!g_str_equal (format, "png"))
    return g_strdup_printf (_("%.0f × %.0f px"), width_px, height_px);
  if (size->mm)
    return g_strdup_printf (_("%.4g × %.4g mm, %.0f × %.0f px"), size->width, size->height,
                            width_px * scale, height_px * scale);
  return g_strdup_printf (_("%.0f × %.0f px"), width_px * scale, height_px * scale);
}

static void
show_command (Figure *self, const KymoExported *exported, const char *format)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->line, g_free);
  if (self->path != NULL)
    self->line = kymo_remote_settings_name_launch (
      kymo_export_dup_command (exported, self->path, self->palette, format, &error), self->path);
  gtk_label_set_text (GTK_LABEL (self->command), self->line != NULL ? self->line
                      : error != NULL ? error->message
                      : _("What is here lies in no file that kymo-cli could read"));
  gtk_widget_set_sensitive (self->copy, self->line != NULL);
}

static void
on_changed (gpointer data)
{
  Figure *self = data;
  KymoExported exported = self->base;
  g_autoptr (GError) error = NULL;
  gboolean ok = kymo_figure_rows_read (self->rows, &exported, &error);
  const char *format = kymo_figure_rows_get_format (self->rows);
  g_autofree char *words = ok ? dup_size_words (&exported.size, format)
                              : g_strdup (error->message);

  gtk_label_set_text (GTK_LABEL (self->size), words);
  gtk_widget_set_sensitive (self->accept, ok);
  gtk_widget_set_sensitive (self->as, ok);
  if (!ok)
    return;
  show_command (self, &exported, format);
  show_file (self);
  queue_preview (self);
}

static void
copy_command (Figure *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (self->copy), self->line);
  gtk_button_set_label (GTK_BUTTON (self->copy), _("Copied"));
}

/* -- writing --------------------------------------------------------------- */

static void
on_path_figure (const char *path, gpointer window)
{
  if (figure_of (window) != NULL)
    kymo_figure_dialog_export_to (window, path);
}

static void
ask_path (Figure *self)
{
  g_autofree char *name = dup_name (self);
  g_autofree char *whole = g_strdup_printf ("%s.%s", name,
                                            kymo_figure_rows_get_format (self->rows));

  kymo_dialog_save (self->window, whole, on_path_figure, self->window);
}

static void
export_proposed (Figure *self)
{
  g_autofree char *path = dup_proposed (self);

  kymo_figure_dialog_export_to (self->window, path);
}

/* -- building -------------------------------------------------------------- */

static GtkWidget *
build_header (Figure *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_label (_("Cancel"));

  self->accept = gtk_button_new_with_mnemonic (_("_Export"));
  self->as = gtk_button_new_with_mnemonic (_("Export _As…"));
  kymo_controls_speak (self->accept, _("_Export"));
  kymo_controls_speak (self->as, _("Export _As…"));
  gtk_widget_add_css_class (self->accept, "suggested-action");
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->accept);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->as);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close), self->window);
  g_signal_connect_swapped (self->accept, "clicked", G_CALLBACK (export_proposed), self);
  g_signal_connect_swapped (self->as, "clicked", G_CALLBACK (ask_path), self);
  return header;
}

static GtkWidget *
build_controls (Figure *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->rows = kymo_figure_rows_new (&self->base, on_changed, self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled),
                                 kymo_figure_rows_peek_widget (self->rows));
  gtk_widget_set_size_request (scrolled, 370, -1);
  return scrolled;
}

static GtkWidget *
build_preview (Figure *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->picture = gtk_picture_new ();
  self->spinner = gtk_spinner_new ();
  self->size = gtk_label_new (NULL);
  self->file = gtk_label_new (NULL);
  gtk_picture_set_can_shrink (GTK_PICTURE (self->picture), TRUE);
  gtk_picture_set_content_fit (GTK_PICTURE (self->picture), GTK_CONTENT_FIT_CONTAIN);
  gtk_picture_set_alternative_text (GTK_PICTURE (self->picture), _("Preview of the figure"));
  gtk_widget_set_vexpand (self->picture, TRUE);
  gtk_widget_set_hexpand (self->picture, TRUE);
  gtk_widget_add_css_class (self->picture, "kymo-preview");
  gtk_label_set_wrap (GTK_LABEL (self->size), TRUE);
  gtk_widget_add_css_class (self->size, "numeric");
  gtk_widget_set_halign (below, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (below), self->size);
  gtk_box_append (GTK_BOX (below), self->spinner);
  gtk_box_append (GTK_BOX (box), self->picture);
  gtk_box_append (GTK_BOX (box), below);
  gtk_label_set_ellipsize (GTK_LABEL (self->file), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (self->file, "dim-label");
  gtk_box_append (GTK_BOX (box), self->file);
  return box;
}

static GtkWidget *
build_command (Figure *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->command = kymo_label_new_wrapped (NULL, "monospace caption");
  gtk_label_set_wrap_mode (GTK_LABEL (self->command), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_yalign (GTK_LABEL (self->command), 0);
  gtk_widget_set_tooltip_text (self->command, _("This line of a shell writes the same file"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 72);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->command);
  gtk_widget_set_hexpand (scrolled, TRUE);
  self->copy = gtk_button_new_with_mnemonic (_("_Copy Command"));
  kymo_controls_speak (self->copy, _("_Copy Command"));
  gtk_widget_set_valign (self->copy, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (copy_command), self);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), self->copy);
  return box;
}

static void
set_margins (GtkWidget *widget, int px)
{
  gtk_widget_set_margin_start (widget, px);
  gtk_widget_set_margin_end (widget, px);
  gtk_widget_set_margin_top (widget, px);
  gtk_widget_set_margin_bottom (widget, px);
}

static void
build_figure_dialog (Figure *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *sides = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *controls = build_controls (self), *preview = build_preview (self);
  GtkWidget *command = build_command (self);

  kymo_dialogs_close_by_escape (self->window);
  set_margins (preview, 12);
  set_margins (command, 12);
  gtk_box_append (GTK_BOX (sides), controls);
  gtk_box_append (GTK_BOX (sides), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (sides), preview);
  gtk_widget_set_vexpand (sides, TRUE);
  gtk_box_append (GTK_BOX (box), build_header (self));
  gtk_box_append (GTK_BOX (box), sides);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), command);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  gtk_window_set_default_widget (self->window, self->accept);
}

/**
 * kymo_figure_dialog_present:
 * @exported: what is seen; copied
 * @run_path: (nullable): of the run, or the runs of a comparison (see KymoCommand); %NULL where no
 *   line of kymo-cli can read it
 * @palette: (nullable): name of the colours
 * @done: called when the person has chosen a file; the dialog closes then
 * @data: for @done; kept alive by the dialog
 *
 * Returns: (transfer none): its window
 */
GtkWindow *
kymo_figure_dialog_present (GtkWindow *parent, const KymoExported *exported, const char *run_path,
                            const char *palette, KymoFigureDone done, GObject *data)
{
  Figure *self = g_new0 (Figure, 1);

  self->window = GTK_WINDOW (adw_window_new ());
  self->base = *exported;
  self->base.session = self->session = g_object_ref (exported->session);
  self->base.focus = self->focus = g_strdup (exported->focus);
  if (exported->parameters != NULL)
    g_hash_table_ref (exported->parameters);
  self->path = g_strdup (run_path);
  self->palette = g_strdup (palette);
  self->done = done;
  self->data = g_object_ref (data);
  g_object_set_data_full (G_OBJECT (self->window), DIALOG_KEY, self, figure_free);
  build_figure_dialog (self);
  g_signal_connect_swapped (self->window, "unrealize", G_CALLBACK (on_closed), self);
  gtk_window_set_title (self->window, _("Export Figure"));
  gtk_window_set_default_size (self->window, WIDTH_PX, HEIGHT_PX);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  on_changed (self);
  gtk_window_present (self->window);
  gtk_widget_grab_focus (self->accept);
  return self->window;
}

/**
 * kymo_figure_dialog_is_settled:
 *
 * Returns: whether the preview is that of what is chosen
 */
gboolean
kymo_figure_dialog_is_settled (GtkWindow *dialog)
{
  Figure *self = figure_of (dialog);

  return self->wait == 0 && self->asking == NULL;
}

/**
 * kymo_figure_dialog_peek_command:
 *
 * Returns: (transfer none) (nullable): the line of kymo-cli that the dialog shows
 */
const char *
kymo_figure_dialog_peek_command (GtkWindow *dialog)
{
  return figure_of (dialog)->line;
}

/**
 * kymo_figure_dialog_export_to:
 * @path: a file name; its ending tells the format
 *
 * Keeps what is chosen for the next figure, has the file written and closes the dialog.
 */
void
kymo_figure_dialog_export_to (GtkWindow *dialog, const char *path)
{
  Figure *self = figure_of (dialog);
  KymoExported exported = self->base;

  if (!kymo_figure_rows_read (self->rows, &exported, NULL))
    return;
  kymo_figure_rows_keep (self->rows);
  g_free (last_folder);
  last_folder = g_path_get_dirname (path);
  self->done (&exported, path, self->data);
  gtk_window_destroy (dialog);
}
