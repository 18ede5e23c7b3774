/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

#include "kymo-messages-menu.h"
#include "kymo-units.h"

struct _KymoMessagesMenu
{
  GtkBox              parent_instance;

  KymoSession        *session;
  GtkWidget          *button;
  GSimpleActionGroup *actions;
};

G_DEFINE_FINAL_TYPE (KymoMessagesMenu, kymo_messages_menu, GTK_TYPE_BOX)

/* As entries of the menu, on the button, and as a sentence. */
static const struct { const char *entry, *title, *sentence; } kinds[KYMO_N_MESSAGE_LINES] = {
  { N_("_None"), N_("Messages: none"), N_("No messages are shown") },
  { N_("Of the _Selected Block"), N_("Messages: of the block"),
    N_("Messages of the selected block: what started it and what it caused") },
  { N_("_Back to Its Sender"), N_("Messages: back"),
    N_("The message that started the selected block") },
  { N_("_Forward to What It Caused"), N_("Messages: forward"),
    N_("What the selected block caused") },
  { N_("_All in View"), N_("Messages: all"), N_("All messages in view") },
};

/* One is the size of small arrays, one where MPI no longer sends at once, as a rule. */
static const struct { const char *entry; gint64 bytes; } sizes[] = {
  { N_("Of Any Si_ze"), 0 },
  { N_("At Least 1 _KiB"), 1024 },
  { N_("At Least _64 KiB"), 65536 },
  { N_("At Least 1 _MiB"), 1048576 },
};

/** kymo_messages_next: */
const char *
kymo_messages_next (KymoSession *session)
{
  KymoMessageLines lines = (kymo_session_get_messages (session) + 1) % KYMO_N_MESSAGE_LINES;

  kymo_session_set_messages (session, lines);
  return _(kinds[lines].sentence);
}

static void
set_lines (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoMessagesMenu *self = data;
  KymoMessageLines lines;

  if (kymo_message_lines_from_string (g_variant_get_string (state, NULL), &lines))
    kymo_session_set_messages (self->session, lines);
}

static void
set_by_bytes (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoMessagesMenu *self = data;

  kymo_session_set_by_bytes (self->session, g_variant_get_boolean (state));
}

static void
set_least_bytes (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoMessagesMenu *self = data;

  kymo_session_set_least_bytes (self->session, MAX (g_variant_get_int64 (state), 0));
}

/* "Messages: all ≥ 64 KiB": that some are left out is told where they are. */
static void
show_title (KymoMessagesMenu *self)
{
  KymoMessageLines lines = kymo_session_get_messages (self->session);
  gint64 bytes = kymo_session_get_least_bytes (self->session);
  g_autofree char *size = kymo_format_bytes (bytes);
  g_autofree char *title = bytes > 0 && lines != KYMO_MESSAGES_NONE
    ? g_strdup_printf (_("%s ≥ %s"), _(kinds[lines].title), size) : NULL;

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button),
                             title != NULL ? title : _(kinds[lines].title));
}

static void
show_state (KymoMessagesMenu *self)
{
  KymoMessageLines lines = kymo_session_get_messages (self->session);
  GActionMap *map = G_ACTION_MAP (self->actions);

  show_title (self);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lines")),
                             g_variant_new_string (kymo_message_lines_to_string (lines)));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "by-bytes")),
                             g_variant_new_boolean (kymo_session_get_by_bytes (self->session)));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "least-bytes")),
                             g_variant_new_int64 (kymo_session_get_least_bytes (self->session)));
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new (), *lines = g_menu_new (), *weight = g_menu_new ();
  GMenu *least = g_menu_new ();

  for (guint i = 0; i < KYMO_N_MESSAGE_LINES; i++)
    {
      g_autofree char *action = g_strdup_printf ("messages.lines::%s",
                                                 kymo_message_lines_to_string (i));

      g_menu_append (lines, _(kinds[i].entry), action);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *action = g_strdup_printf ("messages.least-bytes(int64 %" PRId64 ")",
                                                 sizes[i].bytes);

      g_menu_append (least, _(sizes[i].entry), action);
    }
  g_menu_append (weight, _("Arrows of Many by B_ytes"), "messages.by-bytes");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (lines));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (least));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (weight));
  g_object_unref (lines);
  g_object_unref (least);
  g_object_unref (weight);
  return G_MENU_MODEL (menu);
}

static void
kymo_messages_menu_dispose (GObject *object)
{
  KymoMessagesMenu *self = KYMO_MESSAGES_MENU (object);

  g_clear_object (&self->actions);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_messages_menu_parent_class)->dispose (object);
}

static void
kymo_messages_menu_class_init (KymoMessagesMenuClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_messages_menu_dispose;
}

static void
kymo_messages_menu_init (KymoMessagesMenu *self)
{
}

/** kymo_messages_menu_new: */
GtkWidget *
kymo_messages_menu_new (KymoSession *session)
{
  static const GActionEntry entries[] = {
    { "lines", NULL, "s", "'block'", set_lines, { 0 } },
    { "least-bytes", NULL, "x", "int64 0", set_least_bytes, { 0 } },
    { "by-bytes", NULL, NULL, "false", set_by_bytes, { 0 } },
  };
  KymoMessagesMenu *self = g_object_new (KYMO_TYPE_MESSAGES_MENU, NULL);
  g_autoptr (GMenuModel) menu = make_menu ();

  self->session = g_object_ref (session);
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "messages", G_ACTION_GROUP (self->actions));
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->button), menu);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_set_tooltip_text (self->button, _("Which messages are shown over the timeline (T)"));
  gtk_box_append (GTK_BOX (self), self->button);
  g_signal_connect_object (session, "messages-changed", G_CALLBACK (show_state), self,
                           G_CONNECT_SWAPPED);
  show_state (self);
  return GTK_WIDGET (self);
}
