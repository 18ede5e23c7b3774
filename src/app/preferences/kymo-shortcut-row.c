/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-shortcut-row.h. "accelerator" has the syntax of GtkShortcutLabel: keys with
 * blanks between them are one or the other, "1...5" is a range of keys.
 */
#include "config.h"

#include "kymo-shortcut-row.h"

#include <string.h>

#define OR " / "

/**
 * KymoShortcutRow:
 *
 * A row of the window of keys with the words of a key or of a gesture at its end. Properties:
 * "accelerator" (keys) and "gesture" (words).
 */
struct _KymoShortcutRow
{
  AdwActionRow parent_instance;

  char        *words;              /* the keys, or the gesture */
};

enum { PROP_ACCELERATOR = 1, PROP_GESTURE };

G_DEFINE_FINAL_TYPE (KymoShortcutRow, kymo_shortcut_row, ADW_TYPE_ACTION_ROW)

/* "Ctrl+G", or of what is no key by itself ("1...5") the words as they are. */
static char *
dup_key_words (const char *accelerator)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) keys = g_strsplit (accelerator, " ", 0);
  g_auto (GStrv) words = NULL;

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *label = NULL;
      GdkModifierType modifiers;
      guint key;

      if (gtk_accelerator_parse (keys[i], &key, &modifiers))
        label = gtk_accelerator_get_label (key, modifiers);
      g_strv_builder_add (builder, label != NULL ? label : keys[i]);
    }
  words = g_strv_builder_end (builder);
  return g_strjoinv (OR, words);
}

/* Takes @words; they are what a screen reader tells of the row. */
static void
show_shortcut_row (KymoShortcutRow *self, GtkWidget *suffix, char *words)
{
  g_free (self->words);
  self->words = words;
  gtk_widget_set_valign (suffix, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), suffix);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static void
kymo_shortcut_row_set_property (GObject *object, guint id, const GValue *value,
                                GParamSpec *pspec)
{
  KymoShortcutRow *self = KYMO_SHORTCUT_ROW (object);
  const char *text = g_value_get_string (value);
  GtkWidget *label;

  if (text == NULL)
    return;
  if (id == PROP_ACCELERATOR)
    show_shortcut_row (self, gtk_shortcut_label_new (text), dup_key_words (text));
  else
    {
      label = gtk_label_new (text);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      /* One line where there is room: by itself a label that wraps asks for less. */
      gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
      gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
      gtk_widget_add_css_class (label, "dim-label");
      show_shortcut_row (self, label, g_strdup (text));
    }
}

static void
kymo_shortcut_row_finalize (GObject *object)
{
  g_free (KYMO_SHORTCUT_ROW (object)->words);
  G_OBJECT_CLASS (kymo_shortcut_row_parent_class)->finalize (object);
}

static void
kymo_shortcut_row_class_init (KymoShortcutRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = kymo_shortcut_row_set_property;
  object_class->finalize = kymo_shortcut_row_finalize;
  g_object_class_install_property (
    object_class, PROP_ACCELERATOR,
    g_param_spec_string ("accelerator", NULL, NULL, NULL, flags));
  g_object_class_install_property (
    object_class, PROP_GESTURE,
    g_param_spec_string ("gesture", NULL, NULL, NULL, flags));
}

static void
kymo_shortcut_row_init (KymoShortcutRow *self)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
}

static gboolean
contains_shortcut_row (const char *text, const char *word)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  return strstr (folded, word) != NULL;
}

/* "ctrl+shift+e" is a word for "Shift+Ctrl+E", whatever order GTK tells it in. */
static gboolean
is_key (const char *key, const char *word)
{
  g_autofree char *folded = g_utf8_casefold (key, -1);
  g_auto (GStrv) of_key = g_strsplit (folded, "+", -1);
  g_auto (GStrv) wanted = g_strsplit (word, "+", -1);
  guint length = g_strv_length (wanted);

  for (guint i = 0; i < length; i++)
    if (!g_strv_contains ((const char *const *) of_key, wanted[i]))
      return FALSE;
  return length > 1 && length == g_strv_length (of_key);
}

/**
 * kymo_shortcut_row_matches:
 * @word: casefolded
 *
 * Returns: whether the title has @word, or it is one of the keys or a part of them
 */
gboolean
kymo_shortcut_row_matches (KymoShortcutRow *self, const char *word)
{
  g_auto (GStrv) keys = g_strsplit (self->words != NULL ? self->words : "", OR, -1);

  for (guint i = 0; keys[i] != NULL; i++)
    if (contains_shortcut_row (keys[i], word) || is_key (keys[i], word))
      return TRUE;
  return contains_shortcut_row (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self)), word);
}
