/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-recent-list.h"

#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-cache-pictures.h"
#include "kymo-desk.h"
#include "kymo-label.h"
#include "kymo-run-thumbnail.h"
#include "kymo-settings.h"

#define PICTURE_WIDTH (KYMO_THUMBNAIL_WIDTH / 2)
#define PICTURE_HEIGHT (KYMO_THUMBNAIL_HEIGHT / 2)

/* A row of the list; lives as long as its widget. */
typedef struct
{
  char      *path;
  char      *name;
  GtkWidget *row, *frame, *what, *remove;
} Recent;

#define RECENT_KEY "kymo-recent"

static Recent *
recent_of (gpointer row)
{
  return g_object_get_data (G_OBJECT (row), RECENT_KEY);
}

static void
recent_free (gpointer data)
{
  Recent *recent = data;

  g_free (recent->path);
  g_free (recent->name);
  g_free (recent);
}

/* -- what is known --------------------------------------------------------- */

static void
set_spoken (Recent *recent, const char *what)
{
  g_autofree char *valid = g_filename_display_name (recent->path);
  g_autofree char *words = *what != 0 ? g_strdup_printf ("%s, %s, %s", recent->name, what, valid)
    : g_strdup_printf ("%s, %s", recent->name, valid);

  kymo_accessible_name (recent->row, words);
}

static void
show_recent (Recent *recent, const KymoRunThumbnail *thumbnail)
{
  g_autofree char *known = kymo_run_thumbnail_dup_words (thumbnail);
  g_autofree char *gone = !thumbnail->is_there
    ? *known != 0 ? g_strdup_printf (_("Not there any more · %s"), known)
    : g_strdup (_("Not there any more")) : NULL;
  const char *what = gone != NULL ? gone
    : *known == 0 && g_str_has_suffix (recent->path, KYMO_DESK_SUFFIX) ? _("Desk") : known;

  gtk_label_set_text (GTK_LABEL (recent->what), what);
  gtk_widget_set_visible (recent->what, *what != 0);
  set_spoken (recent, what);
  if (thumbnail->picture != NULL)
    {
      GtkWidget *picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (thumbnail->picture));

      gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
      gtk_widget_set_size_request (picture, PICTURE_WIDTH, PICTURE_HEIGHT);
      gtk_frame_set_child (GTK_FRAME (recent->frame), picture);
    }
  gtk_widget_set_opacity (recent->frame, thumbnail->is_there ? 1 : 0.4);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (recent->row), thumbnail->is_there);
}

static void load_next (GtkWidget *list, GtkWidget *row);

static void
on_loaded (GObject *row, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoRunThumbnail) thumbnail = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GtkWidget) list = data;
  GtkWidget *next = gtk_widget_get_next_sibling (GTK_WIDGET (row));

  /* A row that was taken off has no next one. */
  if (gtk_widget_get_parent (GTK_WIDGET (row)) == NULL)
    next = gtk_widget_get_first_child (list);
  else
    show_recent (recent_of (row), thumbnail);
  g_object_set_data (row, "kymo-looked", GINT_TO_POINTER (1));
  if (next != NULL && gtk_widget_get_root (list) != NULL)
    load_next (list, next);
}

static void
load_thread (GTask *task, gpointer row, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, kymo_run_thumbnail_load (data),
                         (GDestroyNotify) kymo_run_thumbnail_free);
}

/* One after the other: of many on a disk that hangs one thread hangs. */
static void
load_next (GtkWidget *list, GtkWidget *row)
{
  g_autoptr (GTask) task = NULL;

  while (row != NULL && g_object_get_data (G_OBJECT (row), "kymo-looked") != NULL)
    row = gtk_widget_get_next_sibling (row);
  if (row == NULL)
    return;
  task = g_task_new (row, NULL, on_loaded, g_object_ref (list));
  g_task_set_task_data (task, g_strdup (recent_of (row)->path), g_free);
  g_task_run_in_thread (task, load_thread);
}

/* -- taking off ------------------------------------------------------------ */

static void
clear_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  kymo_cache_pictures_clear (data);
  g_task_return_boolean (task, TRUE);
}

static void
clear_picture (const char *path)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, clear_thread);
}

/* The keyboard goes on to the next one. */
static void
remove_recent (Recent *recent)
{
  GtkWidget *list = gtk_widget_get_parent (recent->row);
  GtkWidget *next = gtk_widget_get_next_sibling (recent->row);

  if (next == NULL)
    next = gtk_widget_get_prev_sibling (recent->row);
  kymo_settings_remove_recent (recent->path);
  clear_picture (recent->path);
  if (next != NULL)
    gtk_widget_grab_focus (next);
  else
    gtk_widget_set_visible (gtk_widget_get_parent (list), FALSE);
  gtk_list_box_remove (GTK_LIST_BOX (list), recent->row);
}

static gboolean
remove_by_key (GtkWidget *row, GVariant *args, gpointer data)
{
  remove_recent (recent_of (row));
  return TRUE;
}

/* -- building -------------------------------------------------------------- */

static GtkWidget *
recent_label (const char *text, const char *css_class, PangoEllipsizeMode ellipsize)
{
  GtkWidget *label = kymo_label_new (text, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), ellipsize);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
build_frame (void)
{
  GtkWidget *frame = gtk_frame_new (NULL);
  GtkWidget *icon = gtk_image_new_from_icon_name ("folder-symbolic");

  gtk_widget_add_css_class (icon, "dim-label");
  gtk_frame_set_child (GTK_FRAME (frame), icon);
  gtk_widget_set_size_request (icon, PICTURE_WIDTH, PICTURE_HEIGHT);
  gtk_widget_set_valign (frame, GTK_ALIGN_CENTER);
  return frame;
}

/* Name, what it is, and where. */
static GtkWidget *
build_words (Recent *recent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  g_autofree char *valid = g_filename_display_name (recent->path);
  const char *home = g_get_home_dir ();
  g_autofree char *place = g_str_has_prefix (valid, home) && valid[strlen (home)] == '/'
    ? g_strdup_printf ("~%s", valid + strlen (home)) : g_strdup (valid);

  recent->what = recent_label (NULL, "caption", PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible (recent->what, FALSE);
  gtk_box_append (GTK_BOX (box), recent_label (recent->name, "heading", PANGO_ELLIPSIZE_MIDDLE));
  gtk_box_append (GTK_BOX (box), recent->what);
  gtk_box_append (GTK_BOX (box), recent_label (place, "caption", PANGO_ELLIPSIZE_MIDDLE));
  gtk_widget_add_css_class (gtk_widget_get_last_child (box), "dim-label");
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_widget_set_tooltip_text (box, valid);
  return box;
}

static GtkWidget *
build_remove (Recent *recent)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *words = g_strdup_printf (_("Take “%s” off the List"), recent->name);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _("Take off the List (Delete)"));
  kymo_accessible_name (button, words);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (remove_recent), recent);
  return button;
}

static GtkWidget *
build_recent (const char *path)
{
  Recent *recent = g_new0 (Recent, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  recent->path = g_strdup (path);
  recent->name = g_filename_display_basename (path);
  recent->row = gtk_list_box_row_new ();
  recent->frame = build_frame ();
  gtk_box_append (GTK_BOX (box), recent->frame);
  gtk_box_append (GTK_BOX (box), build_words (recent));
  gtk_box_append (GTK_BOX (box), build_remove (recent));
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (recent->row), box);
  /* Bytes, not text: a path need not be UTF-8. */
  gtk_actionable_set_action_target (GTK_ACTIONABLE (recent->row), "^ay", path);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (recent->row), "win.open-path");
  g_object_set_data_full (G_OBJECT (recent->row), RECENT_KEY, recent, recent_free);
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Delete, 0),
                      gtk_callback_action_new (remove_by_key, NULL, NULL)));
  gtk_widget_add_controller (recent->row, keys);
  set_spoken (recent, "");
  return recent->row;
}

static void
on_map (GtkWidget *list)
{
  load_next (list, gtk_widget_get_first_child (list));
}

/**
 * kymo_recent_list_new:
 * @paths: (array zero-terminated=1): runs, the newest first
 *
 * Returns: (transfer floating): the list; what is known of the runs appears in it later
 */
GtkWidget *
kymo_recent_list_new (const char *const *paths)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  kymo_accessible_name (list, _("Recent Runs"));
  for (guint i = 0; paths[i] != NULL; i++)
    gtk_list_box_append (GTK_LIST_BOX (list), build_recent (paths[i]));
  g_signal_connect (list, "map", G_CALLBACK (on_map), NULL);
  return list;
}
