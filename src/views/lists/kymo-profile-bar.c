/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bar shows what the session has: every control is set anew when the session
 * changes (`filling` keeps that from being taken for the person's choice).
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-controls.h"
#include "kymo-derived-metrics.h"
#include "kymo-group-choice.h"
#include "kymo-in-terms.h"
#include "kymo-kept.h"
#include "kymo-label.h"
#include "kymo-metric-entry.h"
#include "kymo-path-choice.h"
#include "kymo-profile-bar.h"
#include "kymo-session-profile.h"
#include "kymo-step-slider.h"

struct _KymoProfileBar
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoProfileOptions *options;           /* of its part */
  GtkWidget   *row;                /* of controls */
  GtkWidget   *metric, *value, *thread, *location, *unit, *groups, *step;
  GtkWidget   *paths;
  GStrv        metrics;            /* in the order of the choice */
  char        *listed;             /* what they were made of, or NULL: make them again */
  char        *told;               /* the answer's metric, or NULL */
  gboolean     filling;
};

G_DEFINE_FINAL_TYPE (KymoProfileBar, kymo_profile_bar, GTK_TYPE_BOX)

/* The first is what questions do without the option. */
static const struct { const char *key, *words; } values[] = {
  { "exclusive", N_("Exclusive") }, { "inclusive", N_("Inclusive") },
  { "calls", N_("Calls") }, { "subroutines", N_("Subroutines") },
  { "exclusive-per-call", N_("Exclusive per call") },
  { "inclusive-per-call", N_("Inclusive per call") },
};

static const struct { const char *key, *words; } units[] = {
  { NULL, N_("Any unit") }, { "ns", N_("ns") }, { "us", N_("µs") },
  { "ms", N_("ms") }, { "s", N_("s") }, { "min", N_("min") },
  { "h", N_("h") }, { "hms", N_("h:min:s") },
};

/* The last stands for a location, whose number is beside it. */
static const struct { const char *key, *words; } threads[] = {
  { KYMO_THREAD_MEAN, N_("Mean") }, { "total", N_("Total") },
  { "mean-present", N_("Mean of those that have it") },
  { "min", N_("Minimum") }, { "max", N_("Maximum") },
  { "stddev", N_("Standard deviation") }, { NULL, N_("{Row}") },
};

#define THREAD_OF_LOCATION (G_N_ELEMENTS (threads) - 1)

/* -- choices -------------------------------------------------------------- */

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = kymo_label_new (NULL, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 22);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkStringObject *object = gtk_list_item_get_item (item);

  kymo_label_set (gtk_list_item_get_child (item),
                  gtk_string_object_get_string (object));
}

static GtkWidget *
add_choice (KymoProfileBar *self, const char *name, const char *const *words,
            GCallback changed)
{
  GtkWidget *drop = kymo_controls_add_choice (self->row, name, words);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop), factory);
  g_object_unref (factory);
  g_signal_connect_object (drop, "notify::selected", changed, self,
                           G_CONNECT_SWAPPED);
  return drop;
}

static void
on_metric (KymoProfileBar *self)
{
  guint chosen = kymo_controls_chosen (self->metric);

  if (!self->filling && self->metrics != NULL
      && chosen < g_strv_length (self->metrics))
    kymo_profile_options_set (self->options, "metric", self->metrics[chosen]);
}

static void
on_value (KymoProfileBar *self)
{
  guint chosen = kymo_controls_chosen (self->value);

  if (!self->filling)
    kymo_profile_options_set (self->options, "value",
                             chosen > 0 ? values[chosen].key : NULL);
}

static void
on_unit (KymoProfileBar *self)
{
  if (!self->filling)
    kymo_profile_options_set (self->options, "unit", units[
                               kymo_controls_chosen (self->unit)].key);
}

static void
on_thread (KymoProfileBar *self)
{
  guint chosen = kymo_controls_chosen (self->thread);
  g_autofree char *of = NULL;

  if (self->filling)
    return;
  if (chosen == THREAD_OF_LOCATION)
    of = g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (
                            GTK_SPIN_BUTTON (self->location)));
  kymo_session_set_thread (self->session,
                           of != NULL ? of : threads[chosen].key);
}

/* -- showing what the session has ----------------------------------------- */

static void
show_value (KymoProfileBar *self)
{
  const char *key = kymo_profile_options_peek (self->options, "value");

  for (guint i = 0; self->value != NULL && i < G_N_ELEMENTS (values); i++)
    if (g_strcmp0 (key, values[i].key) == 0 || (key == NULL && i == 0))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->value), i);
}

static void
show_unit (KymoProfileBar *self)
{
  const char *key = kymo_profile_options_peek (self->options, "unit");

  for (guint i = 0; self->unit != NULL && i < G_N_ELEMENTS (units); i++)
    if (g_strcmp0 (key, units[i].key) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->unit), i);
}

static void
show_thread (KymoProfileBar *self)
{
  const char *of = kymo_session_peek_thread (self->session);
  gint64 location = kymo_session_get_thread_location (self->session);
  guint index = THREAD_OF_LOCATION;

  if (self->thread == NULL)
    return;
  for (guint i = 0; i < THREAD_OF_LOCATION; i++)
    if (g_strcmp0 (of, threads[i].key) == 0)
      index = i;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->thread), index);
  gtk_widget_set_visible (self->location,
                          index == THREAD_OF_LOCATION
                          && gtk_widget_get_visible (self->thread));
  if (location >= 0)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->location), location);
}

/* The chosen metric, whether measured or an expression. */
static void
show_metric (KymoProfileBar *self)
{
  const char *key = kymo_profile_options_peek (self->options, "metric");
  guint n = self->metrics != NULL ? g_strv_length (self->metrics) : 0;

  if (self->metric == NULL)
    return;
  if (key == NULL)
    key = self->told;
  for (guint i = 0; key != NULL && i < n; i++)
    if (g_str_equal (key, self->metrics[i]))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->metric), i);
}

static void
show_session (KymoProfileBar *self)
{
  self->filling = TRUE;
  show_metric (self);
  show_value (self);
  show_unit (self);
  show_thread (self);
  self->filling = FALSE;
}

/* -- what there is to choose ---------------------------------------------- */

/* Measured ones, then expressions that were kept, and the one that is asked for. */
static GStrv
list_metrics (KymoProfileBar *self, KymoTable *table)
{
  const char *key = kymo_profile_options_peek (self->options, "metric");
  g_auto (GStrv) kept = kymo_kept_metrics_load ();
  g_auto (GStrv) named = kymo_derived_metrics_list ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) measured = NULL;
  guint n = kymo_table_get_n_rows (table);

  for (guint i = 0; i < n; i++)
    g_strv_builder_add (builder, kymo_table_get_string (table, "name", i));
  measured = g_strv_builder_end (builder);
  g_strv_builder_addv (builder, (const char **) measured);
  for (guint i = 0; named[i] != NULL; i++)
    {
      g_autofree char *expression = kymo_derived_metrics_dup (named[i]);

      if (expression != NULL
          && kymo_metric_can_be (expression, (const char *const *) measured))
        g_strv_builder_add (builder, named[i]);
    }
  for (guint i = 0; kept[i] != NULL; i++)
    if (kymo_metric_can_be (kept[i], (const char *const *) measured))
      g_strv_builder_add (builder, kept[i]);
  if (key != NULL && !g_strv_contains ((const char *const *) measured, key)
      && !g_strv_contains ((const char *const *) kept, key)
      && !g_strv_contains ((const char *const *) named, key))
    g_strv_builder_add (builder, key);
  return g_strv_builder_end (builder);
}

/* Answers come with every frame while a range is dragged; what a person keeps is in files,
   which are read when there is a reason. */
static gboolean
is_listed (KymoProfileBar *self, KymoTable *table)
{
  const char *key = kymo_profile_options_peek (self->options, "metric");
  g_autoptr (GString) all = g_string_new (NULL);
  gboolean same;

  g_string_append_printf (all, "%u\n%s\n", kymo_kept_metrics_get_changes (),
                          key != NULL ? key : "");
  for (guint i = 0; i < kymo_table_get_n_rows (table); i++)
    g_string_append_printf (all, "%s\n", kymo_table_get_string (table, "name", i));
  same = g_strcmp0 (all->str, self->listed) == 0;
  g_free (self->listed);
  self->listed = g_string_free (g_steal_pointer (&all), FALSE);
  return same;
}

/* Another window, or the command line, may have written them meanwhile. */
static void
on_map (KymoProfileBar *self)
{
  g_clear_pointer (&self->listed, g_free);
}

static void
fill_metrics (KymoProfileBar *self, KymoTable *table)
{
  g_auto (GStrv) metrics = NULL;
  g_autoptr (GtkStringList) list = NULL;

  if (is_listed (self, table))
    return;
  metrics = list_metrics (self, table);
  kymo_metric_entry_set_metrics (KYMO_METRIC_ENTRY (
                                   gtk_widget_get_next_sibling (self->metric)),
                                 table);
  if (self->metrics != NULL && g_strv_equal ((const char *const *) metrics,
                                             (const char *const *) self->metrics))
    return;
  g_strfreev (self->metrics);
  self->metrics = g_steal_pointer (&metrics);
  list = gtk_string_list_new ((const char *const *) self->metrics);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->metric), G_LIST_MODEL (list));
}

static void
learn_metrics (KymoProfileBar *self, const KymoTable *answer)
{
  KymoTable *metrics = kymo_table_peek_nested (answer, "metrics", NULL);

  self->filling = TRUE;
  g_free (self->told);
  self->told = g_strdup (kymo_table_get_string (answer, "metric", 0));
  if (metrics != NULL && kymo_table_get_n_rows (metrics) > 0)
    fill_metrics (self, metrics);
  self->filling = FALSE;
  kymo_group_choice_set_groups (KYMO_GROUP_CHOICE (self->groups),
                                kymo_table_peek_nested (answer, "groups", NULL));
  gtk_widget_set_visible (self->unit,
                          kymo_table_find_column (answer, "unit_ns") < 0
                          || kymo_table_get_double (answer, "unit_ns", 0) > 0);
}

/** kymo_profile_bar_set_answer: @answer: (nullable): of a kind about profiles */
void
kymo_profile_bar_set_answer (KymoProfileBar *self, const KymoTable *answer)
{
  if (answer == NULL)
    return;
  if (self->metric != NULL)
    learn_metrics (self, answer);
  kymo_step_slider_set_steps (KYMO_STEP_SLIDER (self->step),
                              kymo_table_peek_nested (answer, "steps", NULL),
                              kymo_table_find_column (answer, "step") >= 0
                              ? kymo_table_get_int (answer, "step", 0) : 0);
  show_session (self);
}

/** kymo_profile_bar_show_parts: @parts: of value, thread and paths, those that mean
 * something */
void
kymo_profile_bar_show_parts (KymoProfileBar *self, KymoProfileBarParts parts)
{
  gboolean thread = (parts & KYMO_PROFILE_BAR_THREAD) != 0;

  if (self->value != NULL)
    gtk_widget_set_visible (self->value, (parts & KYMO_PROFILE_BAR_VALUE) != 0);
  if (self->paths != NULL)
    gtk_widget_set_visible (self->paths, (parts & KYMO_PROFILE_BAR_PATHS) != 0);
  if (self->thread == NULL)
    return;
  gtk_widget_set_visible (self->thread, thread);
  gtk_widget_set_visible (self->location,
                          thread && kymo_controls_chosen (self->thread)
                                    == THREAD_OF_LOCATION);
}

/**
 * kymo_profile_bar_add:
 * @widget: (transfer floating): becomes the first widget of the bar
 */
void
kymo_profile_bar_add (KymoProfileBar *self, GtkWidget *widget)
{
  gtk_box_prepend (GTK_BOX (self->row), widget);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_profile_bar_dispose (GObject *object)
{
  KymoProfileBar *self = KYMO_PROFILE_BAR (object);

  g_clear_pointer (&self->metrics, g_strfreev);
  g_clear_pointer (&self->told, g_free);
  g_clear_pointer (&self->listed, g_free);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_profile_bar_parent_class)->dispose (object);
}

static void
kymo_profile_bar_class_init (KymoProfileBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_profile_bar_dispose;
}

static void
kymo_profile_bar_init (KymoProfileBar *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static void
build_metric (KymoProfileBar *self)
{
  const char *const none[] = { "–", NULL };
  GtkWidget *entry = kymo_metric_entry_new (self->session);

  self->metric = add_choice (self, _("Metric"), none, G_CALLBACK (on_metric));
  gtk_box_append (GTK_BOX (self->row), entry);
}

static void
build_value (KymoProfileBar *self)
{
  const char *words[G_N_ELEMENTS (values) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    words[i] = _(values[i].words);
  self->value = add_choice (self, _("Which value of each"), words,
                            G_CALLBACK (on_value));
}

static void
build_thread (KymoProfileBar *self)
{
  const char *words[G_N_ELEMENTS (threads) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    words[i] = kymo_in_terms_of (self->session, _(threads[i].words));
  self->thread = add_choice (
    self, kymo_in_terms_of (self->session, _("Of which {row}, or of all")),
    words, G_CALLBACK (on_thread));
  self->location = kymo_controls_add_number (
    self->row, kymo_in_terms_of (self->session, _("Number of the {row}")), 0,
    G_MAXINT32, 0);
  kymo_follow (self->location, "value-changed", on_thread, self);
}

static void
build_unit (KymoProfileBar *self)
{
  const char *words[G_N_ELEMENTS (units) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    words[i] = _(units[i].words);
  self->unit = add_choice (self, _("Unit of times"), words,
                           G_CALLBACK (on_unit));
}

/**
 * kymo_profile_bar_pick:
 * @canvas: a picture with a row or dot for each thread
 *
 * Makes the thread of the picture's cursor, where it was put last with pointer or keys, the chosen
 * one.
 *
 * Returns: %FALSE where the cursor is at no thread
 */
gboolean
kymo_profile_bar_pick (KymoProfileBar *self, KymoCanvas *canvas)
{
  gint64 location = kymo_canvas_get_cursor (canvas);
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT, location);

  if (location >= 0)
    kymo_session_set_thread (self->session, of);
  return location >= 0;
}

/**
 * kymo_profile_bar_new:
 * @session: whose options the bar shows and sets; the bar holds a reference
 * @parts: the controls that it has beside the step; paths only where the source has paths
 *
 * Returns: (transfer floating): the bar
 */
GtkWidget *
kymo_profile_bar_new (KymoSession *session, KymoProfileBarParts parts)
{
  KymoProfileBar *self = g_object_new (KYMO_TYPE_PROFILE_BAR, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  self->row = kymo_controls_new ();
  if (parts & KYMO_PROFILE_BAR_THREAD)
    build_thread (self);
  if (parts & KYMO_PROFILE_BAR_VALUE)
    build_value (self);
  if (parts & KYMO_PROFILE_BAR_METRIC)
    {
      build_metric (self);
      build_unit (self);
      self->groups = kymo_group_choice_new (session);
      gtk_box_append (GTK_BOX (self->row), self->groups);
    }
  if ((parts & KYMO_PROFILE_BAR_PATHS)
      && (kymo_source_get_capabilities (kymo_session_peek_source (session))
          & KYMO_CAN_PATHS))
    {
      self->paths = kymo_path_choice_new (session);
      gtk_box_append (GTK_BOX (self->row), self->paths);
    }
  self->step = kymo_step_slider_new (session);
  gtk_box_append (GTK_BOX (self), self->row);
  gtk_box_append (GTK_BOX (self), self->step);
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
  kymo_follow (self->options, "changed", show_session, self);
  kymo_follow (session, "thread-changed", show_session, self);
  show_session (self);
  return GTK_WIDGET (self);
}
