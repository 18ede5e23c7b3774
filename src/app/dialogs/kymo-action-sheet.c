/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A value is typed as text and checked as it is typed, since spin buttons lose digits of 64 bits.
 * Ranks, the idlest and the busiest are ways to say the same, of which one is chosen.
 */
#include "config.h"

#include "kymo-action-sheet.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "kymo-accessible.h"
#include "kymo-action-words.h"

#define SHEET_KEY "kymo-action-sheet"

/* A row of the form. */
typedef struct
{
  const KymoJobArgument *argument;
  GtkWidget             *row;
} Field;

typedef struct
{
  AdwMessageDialog    *dialog;          /* owns this */
  KymoJobAction       *action;
  GtkWidget           *list;
  GtkWidget           *ways;            /* which ranks; or NULL */
  GArray              *fields;          /* Field */
  GArray              *way_fields;      /* guint: fields, one of which is meant */
  KymoActionConfirmed  confirmed;
  GObject             *data;
} Sheet;

static void
free_sheet (gpointer data)
{
  Sheet *self = data;

  kymo_job_action_free (self->action);
  g_array_unref (self->fields);
  g_array_unref (self->way_fields);
  g_object_unref (self->data);
  g_free (self);
}

/* -- what is typed ---------------------------------------------------------- */

static gboolean
is_way (const KymoJobArgument *argument)
{
  return strcmp (argument->key, "ranks") == 0 || strcmp (argument->key, "idlest") == 0
    || strcmp (argument->key, "busiest") == 0;
}

/* A way that is not the chosen one is not asked for. */
static gboolean
is_asked (const Sheet *self,
          guint        index)
{
  const Field *field = &g_array_index (self->fields, Field, index);
  guint way;

  if (self->ways == NULL || !is_way (field->argument))
    return TRUE;
  way = adw_combo_row_get_selected (ADW_COMBO_ROW (self->ways));
  return way < self->way_fields->len && g_array_index (self->way_fields, guint, way) == index;
}

static char *
dup_value (const Field *field)
{
  const KymoJobArgument *argument = field->argument;
  g_autofree char *text = NULL;

  if (argument->type == KYMO_JOB_CHOICE)
    return g_strdup (argument->words[adw_combo_row_get_selected (ADW_COMBO_ROW (field->row))]);
  text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (field->row)));
  return argument->type == KYMO_JOB_TEXT ? g_steal_pointer (&text) : g_strdup (g_strstrip (text));
}

static void
check_sheet (Sheet *self)
{
  gboolean fine = TRUE;

  for (guint i = 0; i < self->fields->len; i++)
    {
      const Field *field = &g_array_index (self->fields, Field, i);
      g_autofree char *value = dup_value (field);
      gboolean asked = is_asked (self, i);
      gboolean here = kymo_action_is_value (field->argument, value);

      gtk_widget_set_visible (field->row, asked);
      if (here)
        gtk_widget_remove_css_class (field->row, "error");
      else
        gtk_widget_add_css_class (field->row, "error");
      fine &= here || !asked;
    }
  adw_message_dialog_set_response_enabled (self->dialog, "do", fine);
}

static void
on_response (AdwMessageDialog *dialog,
             const char       *response,
             Sheet            *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) arguments = NULL;

  if (strcmp (response, "do") != 0)
    return;
  for (guint i = 0; i < self->fields->len; i++)
    {
      const Field *field = &g_array_index (self->fields, Field, i);
      g_autofree char *value = dup_value (field);
      g_autofree char *argument = g_strdup_printf ("%s=%s", field->argument->key, value);

      if (is_asked (self, i))
        g_strv_builder_add (builder, argument);
    }
  arguments = g_strv_builder_end (builder);
  self->confirmed (self->action->name, (const char *const *) arguments, self->data);
}

/* -- building --------------------------------------------------------------- */

/* The words of keys that are known; a key that is new stays as it is. */
static const char *
name_key (const char *key)
{
  static const char *const keys[][2] = {
    { "for", N_("Time") }, { "ranks", N_("Ranks") }, { "text", N_("Text") },
    { "value", N_("Value") }, { "idlest", N_("Number of Ranks") },
    { "busiest", N_("Number of Ranks") }, { "hz", N_("Samples a Second") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (key, keys[i][0]) == 0)
      return _(keys[i][1]);
  return key;
}

static GtkWidget *
build_choice (const KymoJobArgument *argument)
{
  g_autoptr (GtkStringList) words = gtk_string_list_new ((const char *const *) argument->words);
  GtkWidget *row = adw_combo_row_new ();

  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (words));
  for (guint i = 0; argument->words[i] != NULL; i++)
    if (g_strcmp0 (argument->words[i], argument->word) == 0)
      adw_combo_row_set_selected (ADW_COMBO_ROW (row), i);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name_key (argument->key));
  return row;
}

static GtkWidget *
build_entry (const KymoJobArgument *argument)
{
  GtkWidget *row = adw_entry_row_new ();
  g_autofree char *now = kymo_action_dup_now (argument);
  g_autofree char *range = kymo_action_dup_range (argument);
  g_autofree char *title = g_strdup_printf (_("%s (%s)"), name_key (argument->key), range);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), now);
  kymo_accessible_name (gtk_editable_get_delegate (GTK_EDITABLE (row)), title);
  return row;
}

static void
add_field (Sheet                 *self,
           const KymoJobArgument *argument)
{
  gboolean choice = argument->type == KYMO_JOB_CHOICE;
  Field field = { argument, choice ? build_choice (argument) : build_entry (argument) };

  g_signal_connect_swapped (field.row, choice ? "notify::selected" : "changed",
                            G_CALLBACK (check_sheet), self);
  gtk_list_box_append (GTK_LIST_BOX (self->list), field.row);
  g_array_append_val (self->fields, field);
}

/* "Which ranks", above the ways to say so. */
static void
add_ways (Sheet *self)
{
  static const char *const words[][2] = {
    { "ranks", N_("Ranks by number") }, { "idlest", N_("Lowest load") },
    { "busiest", N_("Highest load") },
  };
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->fields->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (words); k++)
      if (strcmp (g_array_index (self->fields, Field, i).argument->key, words[k][0]) == 0)
        {
          gtk_string_list_append (list, _(words[k][1]));
          g_array_append_val (self->way_fields, i);
        }
  if (self->way_fields->len < 2)
    return;
  self->ways = adw_combo_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->ways), _("Which"));
  adw_combo_row_set_model (ADW_COMBO_ROW (self->ways), G_LIST_MODEL (list));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->ways), self->way_fields->len - 1);
  g_signal_connect_swapped (self->ways, "notify::selected", G_CALLBACK (check_sheet), self);
  gtk_list_box_prepend (GTK_LIST_BOX (self->list), self->ways);
}

/* What the action does, in words. */
static char *
dup_body (const KymoJobInfo   *info,
          const KymoJobAction *action)
{
  const KymoActionWords *known = kymo_action_words_find (action->name);
  gboolean is_value = g_str_has_prefix (action->name, "set:");
  g_autofree char *name = g_path_get_basename (info->program);

  if (known != NULL && known->body != NULL)
    return g_strdup (_(known->body));
  if (action->together)
    return g_strdup_printf (is_value
                            ? _("%s takes this value on all ranks, in the same step.")
                            : _("%s does this on all ranks, in the same step."), name);
  return g_strdup_printf (is_value ? _("%s takes this value, each rank in its next step.")
                                   : _("%s does this, each rank in its next step."),
                          name);
}

static void
set_responses (Sheet *self)
{
  const KymoActionWords *known = kymo_action_words_find (self->action->name);
  gboolean ends = strcmp (self->action->name, "end-at-checkpoint") == 0;
  const char *verb = known != NULL && known->verb != NULL ? _(known->verb)
    : g_str_has_prefix (self->action->name, "set:") ? _("_Change") : _("_Call");

  adw_message_dialog_add_responses (self->dialog, "cancel", _("_Cancel"), "do", verb, NULL);
  adw_message_dialog_set_response_appearance (self->dialog, "do",
                                              ends ? ADW_RESPONSE_DESTRUCTIVE
                                                   : ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (self->dialog, ends ? "cancel" : "do");
  adw_message_dialog_set_close_response (self->dialog, "cancel");
}

static KymoJobAction *
dup_action (const KymoJobAction *action)
{
  KymoJobAction *copy = g_new (KymoJobAction, 1);

  *copy = *action;
  copy->name = g_strdup (action->name);
  copy->title = g_strdup (action->title);
  copy->reason = g_strdup (action->reason);
  copy->arguments = g_ptr_array_ref (action->arguments);
  return copy;
}

/**
 * kymo_action_sheet_present:
 * @info: the job
 * @action: what can be done now; copied
 * @confirmed: called if the person confirms
 * @data: for @confirmed; a reference is held while the sheet is open
 *
 * Shows what an action does, and asks for its values.
 */
void
kymo_action_sheet_present (GtkWindow           *parent,
                           const KymoJobInfo   *info,
                           const KymoJobAction *action,
                           KymoActionConfirmed  confirmed,
                           GObject             *data)
{
  g_autofree char *title = kymo_action_dup_title (action);
  g_autofree char *body = dup_body (info, action);
  Sheet *self = g_new0 (Sheet, 1);

  self->dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (parent, title, body));
  self->action = dup_action (action);
  self->fields = g_array_new (FALSE, FALSE, sizeof (Field));
  self->way_fields = g_array_new (FALSE, FALSE, sizeof (guint));
  self->confirmed = confirmed;
  self->data = g_object_ref (data);
  g_object_set_data_full (G_OBJECT (self->dialog), SHEET_KEY, self, free_sheet);
  set_responses (self);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  for (guint i = 0; i < self->action->arguments->len; i++)
    add_field (self, self->action->arguments->pdata[i]);
  add_ways (self);
  gtk_widget_set_visible (self->list, self->fields->len > 0);
  adw_message_dialog_set_extra_child (self->dialog, self->list);
  check_sheet (self);
  g_signal_connect (self->dialog, "response", G_CALLBACK (on_response), self);
  gtk_window_present (GTK_WINDOW (self->dialog));
}
