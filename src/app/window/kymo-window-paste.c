/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ctrl+V outside of entries opens what was copied: files, paths, or addresses of runs and of jobs.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "kymo-place.h"
#include "kymo-window-private.h"

/* What is pasted by mistake may be long. */
#define MOST_BYTES 65536
#define MOST_LINES 64

/* (transfer full) (nullable): the path or address that a line is, however it was copied */
static char *
dup_line (const char *line)
{
  g_autofree char *text = g_strstrip (g_strdup (line)), *bare = NULL;

  if (kymo_place_is_far (text))
    return g_steal_pointer (&text);
  if (g_str_has_prefix (text, "file://"))
    return g_filename_from_uri (text, NULL, NULL);
  /* As a shell would read it, unless a file has that very name. */
  if (!g_file_test (text, G_FILE_TEST_EXISTS) && (bare = g_shell_unquote (text, NULL)) != NULL)
    {
      g_free (text);
      text = g_steal_pointer (&bare);
    }
  if (g_str_has_prefix (text, "~/"))
    return g_build_filename (g_get_home_dir (), text + strlen ("~/"), NULL);
  return g_path_is_absolute (text) ? g_steal_pointer (&text) : NULL;
}

/**
 * kymo_window_add_places:
 * @builder: that grows
 * @text: a line for each path or address; other lines are left out
 *
 * Finds the runs that a text names.
 */
void
kymo_window_add_places (GStrvBuilder *builder, const char *text)
{
  g_auto (GStrv) lines = NULL;

  if (strlen (text) > MOST_BYTES)
    return;
  lines = g_strsplit (text, "\n", MOST_LINES);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *place = dup_line (lines[i]);

      if (place != NULL)
        g_strv_builder_add (builder, place);
    }
}

/* Whether it is the address of a job, "host:port", and was attached to. */
static gboolean
attach_to (KymoWindow *self, const char *text)
{
  g_autofree char *address = g_strstrip (g_strdup (text));
  const char *port = strrchr (address, ':');
  g_autoptr (KymoAttachChoice) choice = NULL;
  g_autoptr (KymoCcsTarget) target = NULL;

  if (port == NULL || !g_ascii_isdigit (port[1]) || strpbrk (address, " \t\n/") != NULL)
    return FALSE;
  choice = kymo_attach_choice_new (address, "", "", "");
  target = kymo_attach_choice_parse (choice, NULL);
  if (target != NULL)
    kymo_window_attach_unasked (self, choice);
  return target != NULL;
}

static void
take_text (KymoWindow *self, const char *text)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  if (attach_to (self, text))
    return;
  kymo_window_add_places (builder, text);
  paths = g_strv_builder_end (builder);
  if (paths[0] == NULL)
    {
      kymo_window_say (self, _("What was copied is no path of a run and no address"));
      return;
    }
  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, text);
  kymo_window_take_dropped (self, &value);
}

static void
on_files (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoWindow) self = data;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (value != NULL && gtk_widget_get_realized (GTK_WIDGET (self)))
    kymo_window_take_dropped (self, value);
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoWindow) self = data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (gtk_widget_get_realized (GTK_WIDGET (self)))
    take_text (self, text != NULL ? text : "");
}

static gboolean
on_paste (GtkWidget *widget, GVariant *args, gpointer data)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);
  g_autoptr (GdkContentFormats) formats = gdk_content_formats_union_deserialize_gtypes (
    gdk_content_formats_ref (gdk_clipboard_get_formats (clipboard)));

  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL,
                                    on_files, g_object_ref (widget));
  else
    gdk_clipboard_read_text_async (clipboard, NULL, on_text, g_object_ref (widget));
  return TRUE;
}

/**
 * kymo_window_add_paste:
 *
 * Lets Ctrl+V open what was copied. An entry with the focus takes the key first. To be called once.
 */
void
kymo_window_add_paste (KymoWindow *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), gtk_shortcut_new (
    gtk_keyval_trigger_new (GDK_KEY_v, GDK_CONTROL_MASK),
    gtk_callback_action_new (on_paste, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
