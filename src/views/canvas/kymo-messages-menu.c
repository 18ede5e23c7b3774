/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-messages-menu.h"
#include "kymo-units.h"

struct _KymoMessagesMenu
{
  GtkBox              parent_instance;

  KymoSession        *session;
  GtkWidget          *button;
  GtkWidget          *tag;             /* an entry, or NULL where messages have none */
  gboolean            of_sums;         /* there are no lines: it says which are counted */
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

/**
 * kymo_messages_next:
 *
 * Makes the session show the next kind of messages; after the last kind comes the first.
 *
 * Returns: (transfer none): a sentence about the kind that is shown now, in the person's language
 */
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

/* "Messages: all ≥ 64 KiB, tag 7": that some are left out is told where they are. */
static void
show_title (KymoMessagesMenu *self)
{
  KymoMessageLines lines = kymo_session_get_messages (self->session);
  gint64 bytes = kymo_session_get_least_bytes (self->session);
  gint64 tag = kymo_session_get_message_tag (self->session);
  gboolean any = self->of_sums || lines != KYMO_MESSAGES_NONE;
  g_autoptr (GString) title = g_string_new (
    !self->of_sums ? _(kinds[lines].title) : bytes > 0 || tag >= 0 ? _("Messages:")
    : _("All messages"));
  g_autofree char *size = kymo_format_bytes (bytes);

  if (any && bytes > 0)
    g_string_append_printf (title, _(" ≥ %s"), size);
  if (any && tag >= 0)
    g_string_append_printf (title, self->of_sums && bytes <= 0 ? _(" tag %" PRId64)
                            : _(", tag %" PRId64), tag);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), title->str);
}

/* -- the tag --------------------------------------------------------------- */

/* FALSE where it is none; nothing at all is any, which is -1. */
static gboolean
read_tag (const char *text, gint64 *tag)
{
  g_autofree char *word = g_strstrip (g_strdup (text));
  guint64 number;

  *tag = -1;
  if (*word == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (word, 10, 0, G_MAXINT32, &number, NULL))
    return FALSE;
  *tag = number;
  return TRUE;
}

static void
on_tag (KymoMessagesMenu *self)
{
  gint64 tag;

  if (read_tag (gtk_editable_get_text (GTK_EDITABLE (self->tag)), &tag))
    {
      gtk_widget_remove_css_class (self->tag, "error");
      kymo_session_set_message_tag (self->session, tag);
    }
  else
    gtk_widget_add_css_class (self->tag, "error");
}

/* What a person is writing is left as it is where it says the same. */
static void
show_tag (KymoMessagesMenu *self)
{
  gint64 tag = kymo_session_get_message_tag (self->session), shown;
  g_autofree char *text = tag >= 0 ? g_strdup_printf ("%" PRId64, tag) : g_strdup ("");

  if (!read_tag (gtk_editable_get_text (GTK_EDITABLE (self->tag)), &shown) || shown != tag)
    gtk_editable_set_text (GTK_EDITABLE (self->tag), text);
}

static void
add_tag (KymoMessagesMenu *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("Ta_g"));
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->button));

  self->tag = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->tag), _("Any"));
  gtk_entry_set_input_purpose (GTK_ENTRY (self->tag), GTK_INPUT_PURPOSE_DIGITS);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->tag), 8);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->tag);
  kymo_controls_name (self->tag, _("Only messages with this tag"));
  gtk_widget_set_margin_start (row, 12);
  gtk_widget_set_margin_end (row, 12);
  gtk_widget_set_margin_bottom (row, 3);
  gtk_widget_set_hexpand (self->tag, TRUE);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->tag);
  kymo_follow (self->tag, "changed", on_tag, self);
  kymo_follow (self->tag, "activate", gtk_popover_popdown, popover);
  gtk_popover_menu_add_child (GTK_POPOVER_MENU (popover), row, "tag");
}

/* -- the menu -------------------------------------------------------------- */

static void
show_state (KymoMessagesMenu *self)
{
  KymoMessageLines lines = kymo_session_get_messages (self->session);
  GActionMap *map = G_ACTION_MAP (self->actions);

  show_title (self);
  if (self->tag != NULL)
    show_tag (self);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lines")),
                             g_variant_new_string (kymo_message_lines_to_string (lines)));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "by-bytes")),
                             g_variant_new_boolean (kymo_session_get_by_bytes (self->session)));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "least-bytes")),
                             g_variant_new_int64 (kymo_session_get_least_bytes (self->session)));
}

static gboolean
has_tags (KymoSession *session)
{
  return kymo_session_get_terms (session).code == KYMO_CODE_FUNCTION;
}

/* Where the entry of the tag goes in. */
static void
append_tag (GMenu *menu)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);
  g_autoptr (GMenu) section = g_menu_new ();

  g_menu_item_set_attribute (item, "custom", "s", "tag");
  g_menu_append_item (section, item);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static GMenuModel *
make_menu (KymoMessagesMenu *self)
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
  if (!self->of_sums)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (lines));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (least));
  if (has_tags (self->session))
    append_tag (menu);
  if (!self->of_sums)
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

/* A draft of a run has no messages yet. */
static void
show_if_any (KymoMessagesMenu *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self),
                          (kymo_source_get_capabilities (kymo_session_peek_source (self->session))
                           & KYMO_CAN_MESSAGES) != 0);
}

static GtkWidget *
menu_new (KymoSession *session, gboolean of_sums)
{
  static const GActionEntry entries[] = {
    { "lines", NULL, "s", "'block'", set_lines, { 0 } },
    { "least-bytes", NULL, "x", "int64 0", set_least_bytes, { 0 } },
    { "by-bytes", NULL, NULL, "false", set_by_bytes, { 0 } },
  };
  KymoMessagesMenu *self = g_object_new (KYMO_TYPE_MESSAGES_MENU, NULL);
  g_autoptr (GMenuModel) menu = NULL;

  self->session = g_object_ref (session);
  self->of_sums = of_sums;
  menu = make_menu (self);
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "messages", G_ACTION_GROUP (self->actions));
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->button), menu);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_set_tooltip_text (self->button, of_sums ? _("Which messages are counted")
                               : _("Which messages are shown over the timeline (T)"));
  if (has_tags (session))
    add_tag (self);
  gtk_box_append (GTK_BOX (self), self->button);
  kymo_follow (session, "messages-changed", show_state, self);
  kymo_follow (session, "grown", show_if_any, self);
  show_if_any (self);
  show_state (self);
  return GTK_WIDGET (self);
}

/**
 * kymo_messages_menu_new:
 * @session: whose choice of messages it shows and sets; the menu holds a reference
 *
 * Returns: (transfer floating): a button, hidden while the run has no messages
 */
GtkWidget *
kymo_messages_menu_new (KymoSession *session)
{
  return menu_new (session, FALSE);
}

/**
 * kymo_messages_menu_new_of_sums:
 * @session: whose choice of messages it shows and sets; the menu holds a reference
 *
 * Returns: (transfer floating): a button whose menu offers size and tag of messages alone; hidden
 *   while the run has no messages
 */
GtkWidget *
kymo_messages_menu_new_of_sums (KymoSession *session)
{
  return menu_new (session, TRUE);
}
