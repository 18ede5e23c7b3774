/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is wrong with an expression is said under the entry while it is typed; only
 * one that can be computed is taken.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-kept.h"
#include "kymo-label.h"
#include "kymo-metric-entry.h"
#include "kymo-metric-expression.h"
#include "kymo-session-profile.h"

#define POPOVER_PX 320
#define MOST_PROPOSED 4

struct _KymoMetricEntry
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoProfileOptions *options;           /* of its part */
  GStrv        metrics;
  GtkWidget   *button, *entry, *names, *problem, *kept;
};

G_DEFINE_FINAL_TYPE (KymoMetricEntry, kymo_metric_entry, GTK_TYPE_BOX)

static KymoMetricExpression *
parse_metric_entry (const char *text, const char *const *metrics, GError **error)
{
  guint n = metrics != NULL ? g_strv_length ((char **) metrics) : 0;

  return kymo_metric_expression_new (text, metrics, n, error);
}

/**
 * kymo_metric_can_be:
 * @metrics: (nullable) (array zero-terminated=1): names of metrics
 *
 * Returns: whether @expression is valid and made of these metrics alone
 */
gboolean
kymo_metric_can_be (const char *expression, const char *const *metrics)
{
  g_autoptr (KymoMetricExpression) parsed = parse_metric_entry (expression, metrics, NULL);

  return parsed != NULL;
}

/* -- taking an expression ------------------------------------------------- */

static char *
dup_text (KymoMetricEntry *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (
    GTK_EDITABLE (self->entry))));
}

static void
say_metric_entry (KymoMetricEntry *self, const char *problem)
{
  gtk_label_set_text (GTK_LABEL (self->problem),
                      problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
}

static void
on_typed (KymoMetricEntry *self)
{
  g_autofree char *text = dup_text (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoMetricExpression) parsed = NULL;

  if (*text != '\0')
    parsed = parse_metric_entry (text, (const char *const *) self->metrics, &error);
  say_metric_entry (self, error != NULL ? error->message : NULL);
}

static void
on_activate (KymoMetricEntry *self)
{
  g_autofree char *text = dup_text (self);
  g_autoptr (GError) error = NULL;

  if (*text == '\0'
      || !kymo_metric_can_be (text, (const char *const *) self->metrics))
    return;
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
  /* A name alone is measured: there is nothing to keep. */
  if (!g_strv_contains ((const char *const *) self->metrics, text)
      && !kymo_kept_metrics_keep (text, &error))
    g_warning ("a metric could not be kept: %s", error->message);
  kymo_profile_options_set (self->options, "metric", text);
}

/* -- those that are kept -------------------------------------------------- */

static void
on_forget (GtkButton *button, KymoMetricEntry *self)
{
  GtkWidget *row = gtk_widget_get_parent (GTK_WIDGET (button));
  const char *text = g_object_get_data (G_OBJECT (button), "expression");
  g_autoptr (GError) error = NULL;

  if (!kymo_kept_metrics_forget (text, &error))
    say_metric_entry (self, error->message);
  else
    gtk_box_remove (GTK_BOX (self->kept), row);
}

static void
on_chosen (GtkButton *button, KymoMetricEntry *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry),
                         gtk_button_get_label (button));
  gtk_widget_grab_focus (self->entry);
}

static void
add_kept (KymoMetricEntry *self, const char *expression)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *choose = gtk_button_new_with_label (expression);
  GtkWidget *forget = gtk_button_new_from_icon_name ("edit-delete-symbolic");
  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (choose));

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (choose, TRUE);
  gtk_widget_add_css_class (choose, "flat");
  gtk_widget_add_css_class (forget, "flat");
  kymo_controls_name (forget, _("Forget this metric"));
  g_object_set_data_full (G_OBJECT (forget), "expression",
                          g_strdup (expression), g_free);
  g_signal_connect (choose, "clicked", G_CALLBACK (on_chosen), self);
  g_signal_connect (forget, "clicked", G_CALLBACK (on_forget), self);
  gtk_box_append (GTK_BOX (row), choose);
  gtk_box_append (GTK_BOX (row), forget);
  gtk_box_append (GTK_BOX (self->kept), row);
}

/* -- those that are proposed ------------------------------------------------- */

/* The rate of a metric, where the run measures a time, too. Returns: (nullable): its name */
static const char *
find_time (KymoMetricEntry *self)
{
  for (guint i = 0; self->metrics != NULL && self->metrics[i] != NULL; i++)
    if (g_str_equal (self->metrics[i], "TIME"))
      return self->metrics[i];
  return NULL;
}

static void
on_proposed (GtkButton *button, KymoMetricEntry *self)
{
  on_chosen (button, self);
  on_activate (self);
}

/* Marked in the entry: Enter takes it, and typing replaces it. */
static void
propose_metric (KymoMetricEntry *self, const char *expression)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->entry)) == '\0'
      && kymo_metric_can_be (expression, (const char *const *) self->metrics))
    gtk_editable_set_text (GTK_EDITABLE (self->entry), expression);
}

/* Ratios to the time. */
static void
propose_ratios (KymoMetricEntry *self, const char *const *kept)
{
  const char *time = find_time (self);
  guint n = 0;

  for (guint i = 0; time != NULL && self->metrics[i] != NULL && n < MOST_PROPOSED; i++)
    {
      g_autofree char *ratio = g_strdup_printf ("%s / %s", self->metrics[i], time);
      GtkWidget *button = NULL;

      if (self->metrics[i] == time || g_strv_contains (kept, ratio)
          || !kymo_metric_can_be (ratio, (const char *const *) self->metrics))
        continue;
      n++;
      propose_metric (self, ratio);
      button = gtk_button_new_with_label (ratio);
      gtk_widget_add_css_class (button, "flat");
      gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))),
                               PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_xalign (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), 0);
      g_signal_connect (button, "clicked", G_CALLBACK (on_proposed), self);
      gtk_box_append (GTK_BOX (self->kept), button);
    }
}

static void
on_shown (KymoMetricEntry *self)
{
  g_auto (GStrv) kept = kymo_kept_metrics_load ();
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->kept)) != NULL)
    gtk_box_remove (GTK_BOX (self->kept), row);
  for (guint i = 0; kept[i] != NULL; i++)
    add_kept (self, kept[i]);
  propose_ratios (self, (const char *const *) kept);
  for (guint i = 0; kept[i] != NULL; i++)
    propose_metric (self, kept[i]);
  gtk_widget_grab_focus (self->entry);
}

/** kymo_metric_entry_set_metrics: @metrics: with a column "name" */
void
kymo_metric_entry_set_metrics (KymoMetricEntry *self, const KymoTable *metrics)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *names = NULL, *words = NULL;

  for (guint i = 0; i < kymo_table_get_n_rows (metrics); i++)
    g_strv_builder_add (builder, kymo_table_get_string (metrics, "name", i));
  g_strfreev (self->metrics);
  self->metrics = g_strv_builder_end (builder);
  names = g_strjoinv (", ", self->metrics);
  words = g_strdup_printf (_("Of %s, with + − * / and brackets"), names);
  kymo_label_set (self->names, words);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_metric_entry_dispose (GObject *object)
{
  KymoMetricEntry *self = KYMO_METRIC_ENTRY (object);

  g_clear_pointer (&self->metrics, g_strfreev);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_metric_entry_parent_class)->dispose (object);
}

static void
kymo_metric_entry_class_init (KymoMetricEntryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_metric_entry_dispose;
}

static GtkWidget *
wrapped_label (void)
{
  GtkWidget *label = kymo_label_new_wrapped (NULL, NULL);

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 42);
  return label;
}

static GtkWidget *
build_popover (KymoMetricEntry *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->entry = gtk_entry_new ();
  self->names = wrapped_label ();
  self->problem = wrapped_label ();
  self->kept = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry),
                                  _("as PAPI_FP_OPS / TIME"));
  kymo_accessible_name (self->entry, _("Expression of metrics"));
  gtk_widget_add_css_class (self->names, "dim-label");
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_set_visible (self->problem, FALSE);
  gtk_widget_set_size_request (box, POPOVER_PX, -1);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->problem);
  gtk_box_append (GTK_BOX (box), self->names);
  gtk_box_append (GTK_BOX (box), self->kept);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  kymo_follow (popover, "show", on_shown, self);
  kymo_follow (self->entry, "changed", on_typed, self);
  kymo_follow (self->entry, "activate", on_activate, self);
  return popover;
}

static void
kymo_metric_entry_init (KymoMetricEntry *self)
{
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), "ƒ");
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button),
                               build_popover (self));
  kymo_controls_name (self->button, _("Derived metric"));
  gtk_box_append (GTK_BOX (self), self->button);
}

/**
 * kymo_metric_entry_new:
 * @session: whose option "metric" it sets; the widget holds a reference
 *
 * Returns: (transfer floating): the button; it knows no metrics before
 *   kymo_metric_entry_set_metrics()
 */
GtkWidget *
kymo_metric_entry_new (KymoSession *session)
{
  KymoMetricEntry *self = g_object_new (KYMO_TYPE_METRIC_ENTRY, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  return GTK_WIDGET (self);
}

/**
 * kymo_metric_entry_open_in:
 * @within: holds the button somewhere
 *
 * Opens the entry of the first button in sight, for keys.
 *
 * Returns: %FALSE if there is none
 */
gboolean
kymo_metric_entry_open_in (GtkWidget *within)
{
  if (!gtk_widget_get_mapped (within))
    return FALSE;
  if (KYMO_IS_METRIC_ENTRY (within))
    {
      gtk_menu_button_popup (GTK_MENU_BUTTON (KYMO_METRIC_ENTRY (within)->button));
      return TRUE;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (within); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (kymo_metric_entry_open_in (child))
      return TRUE;
  return FALSE;
}
