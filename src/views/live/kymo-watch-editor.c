/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is read as a sentence: "Utilization below 20 % for 5 s". Widgets that
 * are no part of its sentence are hidden, not taken away, so that what was
 * typed comes back with the kind.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-watch-editor.h"

#include "kymo-accessible.h"
#include "kymo-controls.h"

#define SECOND_NS 1e9
#define MOST_SECONDS 86400

struct _KymoWatchEditor
{
  GtkBox        parent_instance;

  GtkWidget    *list, *empty;
  GtkListStore *names;             /* of completion: one string a row */
};

G_DEFINE_FINAL_TYPE (KymoWatchEditor, kymo_watch_editor, GTK_TYPE_BOX)

/** Line: the widgets of a condition; belongs to its box */
typedef struct
{
  KymoWatchEditor *editor;
  GtkWidget       *box, *kind, *percent, *percent_word, *above, *seconds, *name;
  GtkWidget       *value, *side, *amount, *unit;
} Line;

/* What a new condition of a kind says at first. */
static const struct { double percent, seconds; } defaults[] = {
  [KYMO_CONDITION_BELOW] = { 20, 5 },
  [KYMO_CONDITION_ABOVE] = { 80, 5 },
  [KYMO_CONDITION_SILENT] = { 0, 10 },
  [KYMO_CONDITION_VALUE] = { 20, 5 },
};

/* How an amount of a unit is typed. */
static const struct { const char *word; double scale, most; guint digits; } units[] = {
  [KYMO_WATCHED_SHARE] = { "%", 1e4, 100, 1 },
  [KYMO_WATCHED_BYTES] = { "MB", 1e6, 1e9, 3 },
  [KYMO_WATCHED_TIME] = { "ms", 1e6, 1e6, 3 },
  [KYMO_WATCHED_COUNT] = { "", 1, 1e12, 0 },
};

static Line *
line_of (GtkWidget *box)
{
  return g_object_get_data (G_OBJECT (box), "line");
}

static void
update_empty (KymoWatchEditor *self)
{
  gtk_widget_set_visible (self->empty,
                          gtk_widget_get_first_child (self->list) == NULL);
}

/* -- a line --------------------------------------------------------------- */

/* The figures of values follow the other kinds in the list. */
static KymoConditionKind
get_kind (const Line *line)
{
  return MIN (gtk_drop_down_get_selected (GTK_DROP_DOWN (line->kind)), KYMO_CONDITION_VALUE);
}

static void
on_kind (Line *line)
{
  KymoConditionKind kind = get_kind (line);
  gboolean has_share = kind == KYMO_CONDITION_BELOW || kind == KYMO_CONDITION_ABOVE;
  GtkWidget *of_values[] = { line->value, line->side, line->amount, line->unit };

  gtk_widget_set_visible (line->name, kind == KYMO_CONDITION_ABOVE);
  gtk_widget_set_visible (line->above, kind == KYMO_CONDITION_ABOVE);
  gtk_widget_set_visible (line->percent, has_share);
  gtk_widget_set_visible (line->percent_word, has_share);
  for (guint i = 0; i < G_N_ELEMENTS (of_values); i++)
    gtk_widget_set_visible (of_values[i], kind == KYMO_CONDITION_VALUE);
}

static const KymoWatchedValue *
get_value (const Line *line)
{
  return kymo_watched_value_at (gtk_drop_down_get_selected (GTK_DROP_DOWN (line->value)));
}

/* An amount of another value has another unit and another range. */
static void
on_value (Line *line)
{
  KymoWatchedUnit unit = get_value (line)->unit;
  GtkSpinButton *amount = GTK_SPIN_BUTTON (line->amount);

  gtk_spin_button_set_range (amount, 0, units[unit].most);
  gtk_spin_button_set_digits (amount, units[unit].digits);
  gtk_label_set_text (GTK_LABEL (line->unit), units[unit].word);
}

static void
on_remove (Line *line)
{
  KymoWatchEditor *editor = line->editor;

  gtk_box_remove (GTK_BOX (editor->list), line->box);
  update_empty (editor);
}

static GtkWidget *
add_word (Line *line, const char *word)
{
  GtkWidget *label = gtk_label_new (word);

  gtk_box_append (GTK_BOX (line->box), label);
  return label;
}

static GtkWidget *
add_number (Line *line, double most, double step, const char *words)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (step, most, step);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), step < 1 ? 1 : 0);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 5);
  kymo_accessible_name (spin, words);
  gtk_box_append (GTK_BOX (line->box), spin);
  return spin;
}

static void
add_kind (Line *line)
{
  const char *const kinds[] = { _("Utilization below"), _("Entry method"),
                                _("No new block"), _("Lowest"), _("Mean"), _("Highest"), NULL };

  line->kind = gtk_drop_down_new_from_strings (kinds);
  kymo_controls_name (line->kind, _("What is watched"));
  gtk_box_append (GTK_BOX (line->box), line->kind);
  g_signal_connect_swapped (line->kind, "notify::selected",
                            G_CALLBACK (on_kind), line);
}

static void
add_name (Line *line)
{
  GtkEntryCompletion *completion = gtk_entry_completion_new ();

  line->name = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (line->name), _("any"));
  gtk_widget_set_tooltip_text (line->name,
                               _("Name of the entry method or function; empty for any"));
  kymo_accessible_name (line->name, _("Entry method or function"));
  gtk_widget_set_hexpand (line->name, TRUE);
  gtk_entry_completion_set_model (completion,
                                  GTK_TREE_MODEL (line->editor->names));
  gtk_entry_completion_set_text_column (completion, 0);
  gtk_entry_completion_set_minimum_key_length (completion, 1);
  gtk_entry_set_completion (GTK_ENTRY (line->name), completion);
  g_object_unref (completion);
  gtk_box_append (GTK_BOX (line->box), line->name);
  line->above = add_word (line, _("above"));
}

static GtkWidget *
add_choice (Line *line, const char *const *choices, const char *words)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (choices);

  kymo_controls_name (choice, words);
  gtk_box_append (GTK_BOX (line->box), choice);
  return choice;
}

/* "load below 20 %" of a recorded job. */
static void
add_value (Line *line)
{
  const char *const sides[] = { _("below"), _("above"), NULL };
  g_autoptr (GPtrArray) values = g_ptr_array_new ();

  for (guint i = 0; kymo_watched_value_at (i) != NULL; i++)
    g_ptr_array_add (values, (gpointer) _(kymo_watched_value_at (i)->label));
  g_ptr_array_add (values, NULL);
  line->value = add_choice (line, (const char *const *) values->pdata, _("Value of the ranks"));
  line->side = add_choice (line, sides, _("Below or above"));
  line->amount = add_number (line, 100, 1, _("Amount"));
  line->unit = add_word (line, "%");
  g_signal_connect_swapped (line->value, "notify::selected", G_CALLBACK (on_value), line);
}

static void
add_remove (Line *line)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("list-remove-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  gtk_widget_set_tooltip_text (button, _("Take this condition away"));
  kymo_accessible_name (button, _("Take this condition away"));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_remove), line);
  gtk_box_append (GTK_BOX (line->box), button);
}

static Line *
line_new (KymoWatchEditor *editor)
{
  Line *line = g_new0 (Line, 1);

  line->editor = editor;
  line->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_object_set_data_full (G_OBJECT (line->box), "line", line, g_free);
  add_kind (line);
  add_name (line);
  line->percent = add_number (line, 100, 1, _("Percent"));
  line->percent_word = add_word (line, "%");
  add_value (line);
  add_word (line, _("for"));
  line->seconds = add_number (line, MOST_SECONDS, 0.5, _("Seconds"));
  add_word (line, "s");
  add_remove (line);
  return line;
}

static void
set_numbers (Line *line, double percent, double seconds)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (line->percent), percent);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (line->seconds), seconds);
}

static void
set_value (Line *line, const KymoCondition *condition)
{
  const KymoWatchedValue *value = condition->value;

  gtk_drop_down_set_selected (GTK_DROP_DOWN (line->value), kymo_watched_value_find (value->id));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (line->side), condition->below ? 0 : 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (line->amount),
                             condition->amount / units[value->unit].scale);
}

/** kymo_watch_editor_add: a line for a condition */
void
kymo_watch_editor_add (KymoWatchEditor *self, const KymoCondition *condition)
{
  Line *line = line_new (self);

  gtk_drop_down_set_selected (GTK_DROP_DOWN (line->kind),
                              condition->kind < KYMO_CONDITION_VALUE ? condition->kind
                              : KYMO_CONDITION_VALUE + condition->figure);
  set_numbers (line, condition->share * 100, condition->for_ns / SECOND_NS);
  if (condition->value != NULL)
    set_value (line, condition);
  on_value (line);
  gtk_editable_set_text (GTK_EDITABLE (line->name),
                         condition->name != NULL ? condition->name : "");
  on_kind (line);
  gtk_box_append (GTK_BOX (self->list), line->box);
  update_empty (self);
}

static KymoCondition *
dup_value_condition (const Line *line, gint64 for_ns)
{
  guint figure = gtk_drop_down_get_selected (GTK_DROP_DOWN (line->kind)) - KYMO_CONDITION_VALUE;
  const KymoWatchedValue *value = get_value (line);

  gtk_spin_button_update (GTK_SPIN_BUTTON (line->amount));
  return kymo_condition_new_value (
    figure, value, gtk_drop_down_get_selected (GTK_DROP_DOWN (line->side)) == 0,
    llround (gtk_spin_button_get_value (GTK_SPIN_BUTTON (line->amount))
             * units[value->unit].scale), for_ns);
}

static KymoCondition *
condition_of (const Line *line)
{
  KymoConditionKind kind = get_kind (line);
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (
    GTK_EDITABLE (line->name))));
  double percent, seconds;

  /* What is still being typed counts. */
  gtk_spin_button_update (GTK_SPIN_BUTTON (line->percent));
  gtk_spin_button_update (GTK_SPIN_BUTTON (line->seconds));
  percent = gtk_spin_button_get_value (GTK_SPIN_BUTTON (line->percent));
  seconds = gtk_spin_button_get_value (GTK_SPIN_BUTTON (line->seconds));
  if (kind == KYMO_CONDITION_VALUE)
    return dup_value_condition (line, seconds * SECOND_NS);
  return kymo_condition_new (kind, kind == KYMO_CONDITION_SILENT
                                   ? 0 : percent / 100,
                             seconds * SECOND_NS,
                             kind == KYMO_CONDITION_ABOVE && *name != '\0'
                             ? name : NULL);
}

/** kymo_watch_editor_dup_conditions: as they stand in the lines */
GPtrArray *
kymo_watch_editor_dup_conditions (KymoWatchEditor *self)
{
  GPtrArray *conditions = g_ptr_array_new_with_free_func (
    (GDestroyNotify) kymo_condition_free);

  for (GtkWidget *box = gtk_widget_get_first_child (self->list); box != NULL;
       box = gtk_widget_get_next_sibling (box))
    g_ptr_array_add (conditions, condition_of (line_of (box)));
  return conditions;
}

/* -- the widget ----------------------------------------------------------- */

static void
on_add (GtkWidget *button, KymoWatchEditor *self)
{
  KymoConditionKind kind = GPOINTER_TO_INT (g_object_get_data (
    G_OBJECT (button), "kind"));
  g_autoptr (KymoCondition) condition = NULL;

  if (kind == KYMO_CONDITION_VALUE)
    condition = kymo_condition_new_value (
      KYMO_WATCHED_LOWEST, kymo_watched_value_at (0), TRUE,
      defaults[kind].percent * units[KYMO_WATCHED_SHARE].scale,
      defaults[kind].seconds * SECOND_NS);
  else
    condition = kymo_condition_new (kind, defaults[kind].percent / 100,
                                    defaults[kind].seconds * SECOND_NS, NULL);
  kymo_watch_editor_add (self, condition);
}

static GtkWidget *
build_buttons (KymoWatchEditor *self)
{
  const char *const words[] = {
    [KYMO_CONDITION_BELOW] = _("_Utilization"),
    [KYMO_CONDITION_ABOVE] = _("_Entry Method"),
    [KYMO_CONDITION_SILENT] = _("_No New Block"),
    [KYMO_CONDITION_VALUE] = _("_Value of the Ranks"),
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_label_new (_("Add:")));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      GtkWidget *button = gtk_button_new_with_mnemonic (words[i]);

      g_object_set_data (G_OBJECT (button), "kind", GUINT_TO_POINTER (i));
      g_signal_connect (button, "clicked", G_CALLBACK (on_add), self);
      gtk_box_append (GTK_BOX (box), button);
    }
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  return box;
}

static void
kymo_watch_editor_dispose (GObject *object)
{
  g_clear_object (&KYMO_WATCH_EDITOR (object)->names);
  G_OBJECT_CLASS (kymo_watch_editor_parent_class)->dispose (object);
}

static void
kymo_watch_editor_class_init (KymoWatchEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_watch_editor_dispose;
}

static void
kymo_watch_editor_init (KymoWatchEditor *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 12);
  self->names = gtk_list_store_new (1, G_TYPE_STRING);
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->empty = gtk_label_new (_("Nothing is watched"));
  gtk_widget_add_css_class (self->empty, "dim-label");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (
    GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              320);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_box_append (GTK_BOX (self), self->empty);
  gtk_box_append (GTK_BOX (self), scrolled);
  gtk_box_append (GTK_BOX (self), build_buttons (self));
}

/**
 * kymo_watch_editor_new:
 * @conditions: (element-type KymoCondition): what is watched now
 * @names: (nullable) (array zero-terminated=1): entry methods that are known,
 *   for completion
 */
GtkWidget *
kymo_watch_editor_new (GPtrArray *conditions, const char *const *names)
{
  KymoWatchEditor *self = g_object_new (KYMO_TYPE_WATCH_EDITOR, NULL);

  for (; names != NULL && *names != NULL; names++)
    gtk_list_store_insert_with_values (self->names, NULL, -1, 0, *names, -1);
  for (guint i = 0; i < conditions->len; i++)
    kymo_watch_editor_add (self, conditions->pdata[i]);
  return GTK_WIDGET (self);
}

/* -- the dialog ----------------------------------------------------------- */

typedef struct
{
  KymoWatchEditor *editor;
  KymoWatchEdited  done;
  gpointer         data;
} Ask;

/* With the dialog, answered or not: one that goes with its parent answers nothing. */
static void
ask_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Ask *ask)
{
  if (g_strcmp0 (response, "accept") == 0)
    {
      g_autoptr (GPtrArray) conditions
        = kymo_watch_editor_dup_conditions (ask->editor);

      ask->done (conditions, ask->data);
    }
}

/**
 * kymo_watch_propose:
 *
 * Returns: (transfer full): the alarm that most people look for: a job that hangs
 */
KymoCondition *
kymo_watch_propose (void)
{
  return kymo_condition_new (KYMO_CONDITION_SILENT, 0,
                             defaults[KYMO_CONDITION_SILENT].seconds * SECOND_NS, NULL);
}

/**
 * kymo_watch_editor_show:
 * @parent: the window
 * @conditions: (element-type KymoCondition): what is watched now; where there is none, a
 *   condition is proposed
 * @names: (nullable) (array zero-terminated=1): entry methods that are known
 * @done: called with the new conditions, unless the person cancels
 * @data: for @done
 */
void
kymo_watch_editor_show (GtkWindow *parent, GPtrArray *conditions,
                        const char *const *names, KymoWatchEdited done,
                        gpointer data)
{
  GtkWidget *dialog = adw_message_dialog_new (
    parent, _("Watch for Conditions"),
    _("A condition that is met raises a notification and leaves a mark in the "
      "stream."));
  Ask *ask = g_new0 (Ask, 1);

  ask->editor = KYMO_WATCH_EDITOR (kymo_watch_editor_new (conditions, names));
  if (conditions->len == 0)
    {
      g_autoptr (KymoCondition) condition = kymo_watch_propose ();

      kymo_watch_editor_add (ask->editor, condition);
    }
  ask->done = done;
  ask->data = data;
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog),
                                      GTK_WIDGET (ask->editor));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel",
                                    _("_Cancel"), "accept", _("_Watch"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog),
                                              "accept",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog),
                                           "accept");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog),
                                         "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), ask, ask_free, 0);
  kymo_controls_speak_buttons (dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}
