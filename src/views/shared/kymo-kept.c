/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-kept.h. The record of a control is its data: which word it stands for,
 * its value at first, and what it is to be set to once it can be.
 */
#include "config.h"

#include "kymo-derived-metrics.h"
#include "kymo-follow.h"
#include "kymo-kept.h"

#include "kymo-desk-words.h"
#include "kymo-kept-sorter.h"

#define KEPT "kymo-kept"

/**
 * Kept:
 * @of: (nullable): of a drop-down with names
 * @first: (nullable): its value when it was added, or when its names came
 * @wish: (nullable): what it is to have
 * @chosen: its value at first is one that was kept: a person chose it where another
 *   one was the first
 */
typedef struct
{
  const KymoDeskWord *word;
  KymoKeptName        of;
  gpointer            data;
  char               *first, *wish;
  gboolean            chosen;
} Kept;

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  g_free (kept->first);
  g_free (kept->wish);
  g_free (kept);
}

static Kept *
kept_of (gpointer control)
{
  return g_object_get_data (control, KEPT);
}

/* -- values --------------------------------------------------------------- */

static char *
dup_chosen (GtkDropDown *drop, const Kept *kept)
{
  guint chosen = gtk_drop_down_get_selected (drop);

  if (chosen == GTK_INVALID_LIST_POSITION)
    return NULL;
  return kept->of != NULL ? g_strdup (kept->of (kept->data, chosen))
                          : kymo_desk_word_at (kept->word, chosen);
}

static char *
dup_value (GtkWidget *control, const Kept *kept)
{
  if (GTK_IS_DROP_DOWN (control))
    return dup_chosen (GTK_DROP_DOWN (control), kept);
  if (GTK_IS_COLUMN_VIEW (control))
    return kymo_kept_sort_dup (GTK_COLUMN_VIEW (control));
  if (GTK_IS_CHECK_BUTTON (control))
    return g_strdup (gtk_check_button_get_active (GTK_CHECK_BUTTON (control)) ? "true"
                                                                             : "false");
  if (GTK_IS_SPIN_BUTTON (control))
    return g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (
                              GTK_SPIN_BUTTON (control)));
  return g_strdup (gtk_editable_get_text (GTK_EDITABLE (control)));
}

static gboolean
choose_kept (GtkDropDown *drop, const Kept *kept, const char *value)
{
  guint n = g_list_model_get_n_items (gtk_drop_down_get_model (drop));
  int index = kept->of == NULL ? kymo_desk_word_index (kept->word, value) : -1;

  for (guint i = 0; kept->of != NULL && index < 0 && i < n; i++)
    if (g_strcmp0 (kept->of (kept->data, i), value) == 0)
      index = i;
  if (index < 0 || (guint) index >= n)
    return FALSE;
  gtk_drop_down_set_selected (drop, index);
  return TRUE;
}

/* FALSE where it cannot be set now. What is typed is taken as if it was entered. */
static gboolean
set_value (GtkWidget *control, const Kept *kept, const char *value)
{
  if (GTK_IS_DROP_DOWN (control))
    return choose_kept (GTK_DROP_DOWN (control), kept, value);
  if (GTK_IS_COLUMN_VIEW (control))
    return kymo_kept_sort_set (GTK_COLUMN_VIEW (control), value);
  if (GTK_IS_CHECK_BUTTON (control))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (control), g_str_equal (value, "true"));
  else if (GTK_IS_SPIN_BUTTON (control))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (control),
                               g_ascii_strtoll (value, NULL, 10));
  else
    gtk_editable_set_text (GTK_EDITABLE (control), value);
  return TRUE;
}

/* -- controls ------------------------------------------------------------- */

/* A wish ends with what the person chooses, not with lines that come. */
static void
on_changed (GtkWidget *control)
{
  if (gtk_widget_get_state_flags (control) & GTK_STATE_FLAG_FOCUS_WITHIN)
    g_clear_pointer (&kept_of (control)->wish, g_free);
  gtk_widget_activate_action (control, "part.kept", NULL);
}

static Kept *
add_kept (GtkWidget *control, const char *view, const char *key)
{
  Kept *kept = g_new0 (Kept, 1);

  kept->word = kymo_desk_word_find (view, key);
  g_return_val_if_fail (kept->word != NULL, kept);
  g_object_set_data_full (G_OBJECT (control), KEPT, kept, kept_free);
  return kept;
}

static void
follow_kept (GtkWidget *control)
{
  GObject *object = G_OBJECT (control);
  const char *signal = "changed";

  if (GTK_IS_DROP_DOWN (control))
    signal = "notify::selected";
  else if (GTK_IS_CHECK_BUTTON (control))
    signal = "toggled";
  else if (GTK_IS_COLUMN_VIEW (control))
    object = G_OBJECT (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (control)));
  else if (GTK_IS_SPIN_BUTTON (control))
    signal = "value-changed";
  kymo_follow (object, signal, on_changed, control);
}

/**
 * kymo_kept_add:
 * @control: a drop-down, check button, spin button, other editable or column view
 * @view: a view of kymo_desk_words[]
 * @key: the key of the control in this view
 *
 * Registers a control whose value is kept with the desk. Its present value becomes the first value,
 * see kymo_kept_is_changed(). Each change activates the action "part.kept".
 */
void
kymo_kept_add (GtkWidget *control, const char *view, const char *key)
{
  Kept *kept = add_kept (control, view, key);

  kept->first = dup_value (control, kept);
  follow_kept (control);
}

/**
 * kymo_kept_add_names:
 * @drop: a drop-down
 * @view: a view of kymo_desk_words[]
 * @key: the key of the drop-down in this view
 * @of: tells the name of a line, or %NULL where there is no such line
 * @data: for @of; must live as long as @drop
 *
 * Registers a drop-down whose lines come with answers: the name of the chosen line is kept.
 */
void
kymo_kept_add_names (GtkWidget *drop, const char *view, const char *key, KymoKeptName of,
                     gpointer data)
{
  Kept *kept = add_kept (drop, view, key);

  kept->of = of;
  kept->data = data;
  kept->first = dup_value (drop, kept);
  follow_kept (drop);
}

/**
 * kymo_kept_set_first:
 *
 * Makes the present value of a registered control its first value, after the names of its lines
 * have come.
 */
void
kymo_kept_set_first (GtkWidget *control)
{
  Kept *kept = kept_of (control);

  g_return_if_fail (kept != NULL);
  g_free (kept->first);
  kept->first = dup_value (control, kept);
}

/**
 * kymo_kept_add_sort:
 * @column_view: a table; its columns have sorters of kymo_kept_sorter_new()
 * @view: a view of kymo_desk_words[]
 * @key: the key of the order in this view
 *
 * Registers a table whose order is kept with the desk.
 */
void
kymo_kept_add_sort (GtkWidget *column_view, const char *view, const char *key)
{
  kymo_kept_add (column_view, view, key);
}

/**
 * kymo_kept_try:
 * @control: registered or not
 *
 * Sets a control to the kept value that could not be set before. Call it after its lines or columns
 * have changed.
 *
 * Returns: whether such a value was set now
 */
gboolean
kymo_kept_try (GtkWidget *control)
{
  Kept *kept = kept_of (control);
  g_autofree char *wish = kept != NULL ? g_steal_pointer (&kept->wish) : NULL;

  if (wish == NULL)
    return FALSE;
  if (!set_value (control, kept, wish))
    kept->wish = g_steal_pointer (&wish);
  return kept->wish == NULL;
}

/**
 * kymo_kept_is_changed:
 * @control: registered or not
 *
 * Returns: whether the desk keeps a value of the control: its value differs from the first value,
 *   was kept before, or is still to be set; FALSE for a control not registered
 */
gboolean
kymo_kept_is_changed (GtkWidget *control)
{
  Kept *kept = kept_of (control);
  g_autofree char *value = kept != NULL ? dup_value (control, kept) : NULL;

  return kept != NULL && (kept->chosen || kept->wish != NULL
                          || g_strcmp0 (value, kept->first) != 0);
}

/**
 * kymo_kept_settle:
 * @control: registered or not
 *
 * Makes the present value of a control its first value; nothing happens to a control that is not
 * registered.
 */
void
kymo_kept_settle (GtkWidget *control)
{
  Kept *kept = kept_of (control);

  if (kept == NULL)
    return;
  g_free (kept->first);
  kept->first = dup_value (control, kept);
}

/* -- views ---------------------------------------------------------------- */

typedef void (*Visit) (GtkWidget *control, Kept *kept, const char *name,
                       GHashTable *values);

static void
visit_kept (GtkWidget *at, const char *view, GHashTable *values, Visit function)
{
  Kept *kept = kept_of (at);

  if (kept != NULL)
    {
      g_autofree char *name = g_strconcat (view, ".", kept->word->key, NULL);

      function (at, kept, name, values);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (at); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    visit_kept (child, view, values, function);
}

/* Of what is still to come the wish is the value. */
static void
collect_kept (GtkWidget *control, Kept *kept, const char *name, GHashTable *values)
{
  g_autofree char *value = kept->wish != NULL ? g_strdup (kept->wish)
                                              : dup_value (control, kept);

  if (value != NULL && *value != '\0'
      && (kept->chosen || g_strcmp0 (value, kept->first) != 0))
    g_hash_table_insert (values, g_strdup (name), g_steal_pointer (&value));
  else
    g_hash_table_remove (values, name);
}

static void
restore_kept (GtkWidget *control, Kept *kept, const char *name, GHashTable *values)
{
  const char *value = g_hash_table_lookup (values, name);

  kept->chosen = value != NULL && g_strcmp0 (value, kept->first) == 0;
  if (value == NULL || !kymo_desk_word_check (kept->word, value))
    return;
  g_free (kept->wish);
  kept->wish = g_strdup (value);
  kymo_kept_try (control);
}

/** kymo_kept_collect: @values: what stands at its first value, unchosen, is taken out */
void
kymo_kept_collect (GtkWidget *top, const char *view, GHashTable *values)
{
  visit_kept (top, view, values, collect_kept);
}

/**
 * kymo_kept_restore:
 * @top: the widget of the view
 * @view: its id
 * @values: (element-type utf8 utf8): "VIEW.KEY" -> value
 *
 * Sets the controls below a widget to kept values. A value that cannot be set yet waits for
 * kymo_kept_try(); a control without a valid value stays as it is.
 */
void
kymo_kept_restore (GtkWidget *top, const char *view, GHashTable *values)
{
  visit_kept (top, view, values, restore_kept);
}

static guint n_changes;

/**
 * kymo_kept_metrics_load:
 *
 * Reads the person's file of metrics.
 *
 * Returns: (transfer full): expressions without a name of their own, the newest last; empty where
 *   there are none
 */
char **
kymo_kept_metrics_load (void)
{
  return kymo_derived_metrics_list_typed ();
}

static gboolean
save_kept_metrics (char **expressions, GError **error)
{
  n_changes++;
  return kymo_derived_metrics_set_typed ((const char *const *) expressions, error);
}

/**
 * kymo_kept_metrics_get_changes:
 *
 * Returns: how often this program has written the file; writes of other programs are not counted
 */
guint
kymo_kept_metrics_get_changes (void)
{
  return n_changes;
}

/* Those at hand but for one; of the rest the newest `most`. */
static char **
all_but (const char *expression, guint most)
{
  g_auto (GStrv) before = kymo_kept_metrics_load ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint n = g_strv_length (before), left = n;

  left -= g_strv_contains ((const char *const *) before, expression);
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (before[i], expression) != 0 && left-- <= most)
      g_strv_builder_add (builder, before[i]);
  return g_strv_builder_end (builder);
}

/** kymo_kept_metrics_keep: @expression: one line; it becomes the newest */
gboolean
kymo_kept_metrics_keep (const char *expression, GError **error)
{
  g_auto (GStrv) rest = all_but (expression, KYMO_KEPT_METRICS_MOST - 1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  g_strv_builder_addv (builder, (const char **) rest);
  g_strv_builder_add (builder, expression);
  all = g_strv_builder_end (builder);
  return save_kept_metrics (all, error);
}

/**
 * kymo_kept_metrics_forget:
 *
 * Takes an expression out of the person's file of metrics.
 *
 * Returns: %FALSE with @error where the file could not be written
 */
gboolean
kymo_kept_metrics_forget (const char *expression, GError **error)
{
  g_auto (GStrv) rest = all_but (expression, KYMO_KEPT_METRICS_MOST);

  return save_kept_metrics (rest, error);
}
