/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two pages over one text of rules: the functions of the run with the role that the
 * text gives them, where choosing another one puts a rule before all others, and the
 * text itself. A role that the files of the run give counts before the built-in rules, not
 * before rules of the person; it is told below the name. Nothing is written before "Save".
 */
#include "config.h"

#include "kymo-roles-dialog.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "kymo-asker.h"
#include "kymo-controls.h"
#include "kymo-dialogs.h"
#include "kymo-roles.h"
#include "kymo-safe-text.h"

/* More rows are more than a person reads; the filter finds the others. */
#define MOST_ROWS 150

static const struct { KymoRole role; const char *words; } roles[] = {
  { KYMO_ROLE_COMPUTE, N_("Compute") },
  { KYMO_ROLE_COMMUNICATION, N_("Communication") },
  { KYMO_ROLE_SYNCHRONIZATION, N_("Synchronization") },
  { KYMO_ROLE_WAIT, N_("Wait") },
  { KYMO_ROLE_IO, N_("Input, output") },
  { KYMO_ROLE_RUNTIME, N_("Runtime") },
};

typedef struct
{
  GtkWidget     *window, *list, *filter, *note, *save, *stack;
  GtkTextBuffer *rules;
  KymoAsker     *asker;
  GPtrArray     *names;         /* char *: of functions and events, by time */
  GArray        *told;          /* gint: a KymoRole that the files give each, or -1 */
  gboolean       filling;
  gboolean       stale;         /* the rows are of other rules */
} Dialog;

static void
dialog_free (gpointer data)
{
  Dialog *dialog = data;

  g_clear_pointer (&dialog->asker, kymo_asker_free);
  g_ptr_array_unref (dialog->names);
  g_array_unref (dialog->told);
  g_object_unref (dialog->rules);
  g_free (dialog);
}

/* -- the rules ------------------------------------------------------------ */

static char *
dup_text (Dialog *dialog)
{
  GtkTextIter begin, end;

  gtk_text_buffer_get_bounds (dialog->rules, &begin, &end);
  return gtk_text_buffer_get_text (dialog->rules, &begin, &end, TRUE);
}

/* NULL where a line is none; then the dialog says so. */
static KymoRoles *
parse_roles_dialog (Dialog *dialog)
{
  g_autofree char *text = dup_text (dialog);
  g_autofree char *words = NULL;
  guint bad_line = 0;
  KymoRoles *parsed = kymo_roles_parse (text, strlen (text), &bad_line);

  if (parsed != NULL)
    kymo_roles_mark_built_in (parsed);
  if (parsed == NULL)
    words = g_strdup_printf (_("Line %u is no rule: a role and a pattern of the name"), bad_line);
  gtk_label_set_text (GTK_LABEL (dialog->note), words != NULL ? words
                      : _("The first rule that matches a name counts; "
                          "a name without a rule is compute."));
  gtk_widget_set_sensitive (dialog->save, parsed != NULL);
  return parsed;
}

/* -- the functions -------------------------------------------------------- */

static guint
place_of (KymoRole role)
{
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    if (roles[i].role == role)
      return i;
  return 0;
}

static void
on_chosen (GtkDropDown *drop, GParamSpec *pspec, Dialog *dialog)
{
  const char *name = g_object_get_data (G_OBJECT (drop), "name");
  guint chosen = gtk_drop_down_get_selected (drop);
  g_autofree char *text = NULL, *with = NULL;

  if (dialog->filling || chosen >= G_N_ELEMENTS (roles))
    return;
  text = dup_text (dialog);
  with = kymo_roles_with (text, name, roles[chosen].role);
  dialog->filling = TRUE;
  gtk_text_buffer_set_text (dialog->rules, with, -1);
  dialog->filling = FALSE;
}

/* (transfer full) (nullable): which role the files give */
static char *
dup_told (gint told, KymoRole role)
{
  const char *word = told >= 0 ? _(roles[place_of ((KymoRole) told)].words) : NULL;

  if (told < 0)
    return NULL;
  return (gint) role == told ? g_strdup_printf (_("As the file says: %s"), word)
                             : g_strdup_printf (_("The file says: %s. Your rule counts."), word);
}

static GtkWidget *
row_new (Dialog *dialog, const char *name, KymoRole role, gint told)
{
  const char *words[G_N_ELEMENTS (roles) + 1] = { NULL };
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *subtitle = dup_told (told, role);
  g_autofree char *shown = kymo_safe_text_dup (name);
  GtkWidget *drop;

  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    words[i] = _(roles[i].words);
  drop = gtk_drop_down_new_from_strings (words);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), shown);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop), place_of (role));
  gtk_widget_set_valign (drop, GTK_ALIGN_CENTER);
  kymo_controls_name (drop, shown);
  g_object_set_data_full (G_OBJECT (drop), "name", g_strdup (name), g_free);
  g_signal_connect (drop, "notify::selected", G_CALLBACK (on_chosen), dialog);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), drop);
  return row;
}

static void
clear_rows (Dialog *dialog)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (dialog->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (dialog->list), row);
}

static gboolean
fits_filter (const char *name, const char *filter)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);
  g_autofree char *wanted = g_utf8_casefold (filter, -1);

  return strstr (folded, wanted) != NULL;
}

static void
fill_rows (Dialog *dialog)
{
  g_autoptr (KymoRoles) parsed = parse_roles_dialog (dialog);
  const char *filter = gtk_editable_get_text (GTK_EDITABLE (dialog->filter));
  guint n = 0;

  dialog->stale = FALSE;
  clear_rows (dialog);
  for (guint i = 0; parsed != NULL && i < dialog->names->len && n < MOST_ROWS; i++)
    {
      const char *name = dialog->names->pdata[i];
      gint told = g_array_index (dialog->told, gint, i);

      if (!fits_filter (name, filter))
        continue;
      gtk_list_box_append (GTK_LIST_BOX (dialog->list),
                           row_new (dialog, name, kymo_roles_find_told (parsed, name, told),
                                    told));
      n++;
    }
}

static gboolean
shows_functions (Dialog *dialog)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (dialog->stack)),
                    "functions") == 0;
}

/* Whether the rules can be read is told with every letter; rows are made when they
   are to be seen. */
static void
on_text_changed (Dialog *dialog)
{
  g_autoptr (KymoRoles) parsed = NULL;

  if (dialog->filling)
    return;
  if (shows_functions (dialog))
    fill_rows (dialog);
  else
    {
      parsed = parse_roles_dialog (dialog);
      dialog->stale = TRUE;
    }
}

static void
on_page (Dialog *dialog)
{
  if (dialog->stale && shows_functions (dialog))
    fill_rows (dialog);
}

static void
on_profile (KymoTable *answer, const GError *error, gpointer data)
{
  Dialog *dialog = data;
  KymoTable *list = answer != NULL ? kymo_table_peek_nested (answer, "activities", NULL) : NULL;
  gboolean has_told = list != NULL && kymo_table_find_column (list, "told_role") >= 0;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *kind = kymo_table_get_string (list, "kind", i);
      const char *name = kymo_table_get_string (list, "name", i);

      const char *word = has_told ? kymo_table_get_string (list, "told_role", i) : NULL;
      KymoRole role;
      gint told = word != NULL && kymo_role_from_string (word, &role) ? (gint) role : -1;

      if (name == NULL || (g_strcmp0 (kind, "function") != 0 && g_strcmp0 (kind, "event") != 0))
        continue;
      g_ptr_array_add (dialog->names, g_strdup (name));
      g_array_append_val (dialog->told, told);
    }
  fill_rows (dialog);
  if (dialog->names->len == 0)
    gtk_stack_set_visible_child_name (GTK_STACK (dialog->stack), "rules");
}

/* -- what is done --------------------------------------------------------- */

static void
roles_dialog_finish (Dialog *dialog, const char *text)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (dialog->window));
  g_autoptr (GError) error = NULL;

  if (!kymo_roles_save_rules (text, &error))
    {
      gtk_label_set_text (GTK_LABEL (dialog->note), error->message);
      return;
    }
  if (parent != NULL)
    gtk_widget_activate_action (GTK_WIDGET (parent), "win.reload", NULL);
  gtk_window_destroy (GTK_WINDOW (dialog->window));
}

static void
on_save (Dialog *dialog)
{
  g_autofree char *text = dup_text (dialog);

  roles_dialog_finish (dialog, text);
}

static void
on_built_in (Dialog *dialog)
{
  roles_dialog_finish (dialog, NULL);
}

/* -- the window ----------------------------------------------------------- */

static GtkWidget *
scrolled (GtkWidget *child)
{
  GtkWidget *window = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (window), child);
  gtk_widget_set_vexpand (window, TRUE);
  return window;
}

static GtkWidget *
build_functions (Dialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  dialog->filter = gtk_search_entry_new ();
  dialog->list = gtk_list_box_new ();
  kymo_controls_name (dialog->filter, _("Filter"));
  g_object_set (dialog->filter, "placeholder-text", _("Filter"), NULL);
  gtk_widget_add_css_class (dialog->list, "boxed-list");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (dialog->list), GTK_SELECTION_NONE);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (dialog->list),
                                gtk_label_new (_("Entry methods are always compute.")));
  g_signal_connect_swapped (dialog->filter, "search-changed", G_CALLBACK (fill_rows), dialog);
  gtk_box_append (GTK_BOX (box), dialog->filter);
  gtk_box_append (GTK_BOX (box), scrolled (dialog->list));
  return box;
}

static GtkWidget *
build_rules (Dialog *dialog)
{
  GtkWidget *view = gtk_text_view_new_with_buffer (dialog->rules);

  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 8);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 8);
  kymo_controls_name (view, _("Rules: a role and a pattern of the name in each line"));
  return scrolled (view);
}

static GtkWidget *
build_header (Dialog *dialog, GtkWidget *stack, gboolean own)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));
  GtkWidget *built_in = gtk_button_new_with_mnemonic (_("_Built-in Rules"));
  GtkWidget *switcher = gtk_stack_switcher_new ();

  dialog->save = gtk_button_new_with_mnemonic (_("_Save"));
  kymo_controls_speak (cancel, _("_Cancel"));
  kymo_controls_speak (built_in, _("_Built-in Rules"));
  kymo_controls_speak (dialog->save, _("_Save"));
  gtk_widget_add_css_class (dialog->save, "suggested-action");
  gtk_widget_set_sensitive (built_in, own);
  gtk_widget_set_tooltip_text (built_in, _("Take your own rules away"));
  gtk_widget_set_tooltip_text (dialog->save,
                               _("Keep these rules as your own and open the run again"));
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (stack));
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), switcher);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), dialog->save);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), built_in);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_destroy), dialog->window);
  g_signal_connect_swapped (dialog->save, "clicked", G_CALLBACK (on_save), dialog);
  g_signal_connect_swapped (built_in, "clicked", G_CALLBACK (on_built_in), dialog);
  return header;
}

static void
build_roles_dialog (Dialog *dialog, gboolean own)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *stack = dialog->stack = gtk_stack_new ();

  gtk_stack_add_titled (GTK_STACK (stack), build_functions (dialog), "functions", _("Functions"));
  gtk_stack_add_titled (GTK_STACK (stack), build_rules (dialog), "rules", _("Rules"));
  g_signal_connect_swapped (stack, "notify::visible-child-name", G_CALLBACK (on_page), dialog);
  dialog->note = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (dialog->note), TRUE);
  gtk_widget_add_css_class (dialog->note, "dim-label");
  gtk_box_append (GTK_BOX (box), build_header (dialog, stack, own));
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *part = i == 0 ? stack : dialog->note;

      gtk_widget_set_margin_start (part, 12);
      gtk_widget_set_margin_end (part, 12);
      gtk_widget_set_margin_top (part, 9);
      gtk_widget_set_margin_bottom (part, i == 0 ? 0 : 9);
      gtk_box_append (GTK_BOX (box), part);
    }
  kymo_dialogs_close_by_escape (GTK_WINDOW (dialog->window));
  adw_window_set_content (ADW_WINDOW (dialog->window), box);
}

static void
ask_for_names (Dialog *dialog, KymoSession *session)
{
  KymoQuestion *question;

  if (session == NULL)
    {
      on_profile (NULL, NULL, dialog);
      return;
    }
  dialog->asker = kymo_asker_new (kymo_session_peek_source (session), on_profile, dialog);
  question = kymo_question_new ("profile");
  kymo_question_set_int (question, "told-roles", 1);
  kymo_asker_ask (dialog->asker, question);
}

GtkWindow *
kymo_roles_dialog_present (GtkWindow   *parent,
                           KymoSession *session)
{
  Dialog *dialog = g_new0 (Dialog, 1);
  gboolean own = FALSE;
  g_autofree char *text = kymo_roles_dup_rules (&own);

  dialog->window = adw_window_new ();
  dialog->names = g_ptr_array_new_with_free_func (g_free);
  dialog->told = g_array_new (FALSE, FALSE, sizeof (gint));
  dialog->rules = gtk_text_buffer_new (NULL);
  gtk_text_buffer_set_text (dialog->rules, text, -1);
  build_roles_dialog (dialog, own);
  g_object_set_data_full (G_OBJECT (dialog->window), "dialog", dialog, dialog_free);
  g_signal_connect_swapped (dialog->rules, "changed", G_CALLBACK (on_text_changed), dialog);
  ask_for_names (dialog, session);
  gtk_window_set_title (GTK_WINDOW (dialog->window), _("Roles of Functions"));
  gtk_window_set_default_size (GTK_WINDOW (dialog->window), 760, 620);
  gtk_window_set_transient_for (GTK_WINDOW (dialog->window), parent);
  gtk_window_set_modal (GTK_WINDOW (dialog->window), parent != NULL);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog->window), TRUE);
  gtk_window_present (GTK_WINDOW (dialog->window));
  return GTK_WINDOW (dialog->window);
}
