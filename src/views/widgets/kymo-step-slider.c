/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whoever stands on the last step asks for no step at all, and so goes with a run
 * that is still being written.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-label.h"
#include "kymo-session-profile.h"
#include "kymo-step-slider.h"
#include "kymo-units.h"

#define NAME_CHARS 28

struct _KymoStepSlider
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoProfileOptions *options;           /* of its part */
  KymoTable   *steps;              /* or NULL */
  GtkWidget   *scale, *label;
  gboolean     filling;
};

G_DEFINE_FINAL_TYPE (KymoStepSlider, kymo_step_slider, GTK_TYPE_BOX)

static guint
count_step_slider (KymoStepSlider *self)
{
  return self->steps != NULL ? kymo_table_get_n_rows (self->steps) : 0;
}

/* "3 of 12 · after 1.25 s · solver" */
static void
say_step (KymoStepSlider *self, guint step)
{
  g_autofree char *words = g_strdup_printf (_("Step %u of %u"), step + 1,
                                            count_step_slider (self));
  const char *name = kymo_table_get_string (self->steps, "name", step);
  gint64 time_ns = kymo_table_get_int (self->steps, "time_ns", step);
  gint64 first_ns = kymo_table_get_int (self->steps, "time_ns", 0);
  g_autoptr (GString) text = g_string_new (words);

  if (time_ns != KYMO_NULL_INT && first_ns != KYMO_NULL_INT)
    {
      g_autofree char *after = kymo_format_duration (time_ns - first_ns);

      g_string_append_printf (text, _(" · %s after the first"), after);
    }
  if (name != NULL && *name != '\0')
    g_string_append_printf (text, " · %s", name);
  gtk_label_set_text (GTK_LABEL (self->label), text->str);
}

static void
on_moved (KymoStepSlider *self)
{
  guint step = gtk_range_get_value (GTK_RANGE (self->scale)) + 0.5;
  g_autofree char *option = g_strdup_printf ("%u", step);

  if (self->filling || step >= count_step_slider (self))
    return;
  say_step (self, step);
  kymo_profile_options_set (self->options, "step",
                           step + 1 == count_step_slider (self) ? NULL : option);
}

/** kymo_step_slider_set_steps: @steps: (nullable) */
void
kymo_step_slider_set_steps (KymoStepSlider *self, const KymoTable *steps,
                            gint64 step)
{
  guint n = steps != NULL ? kymo_table_get_n_rows (steps) : 0;

  g_clear_pointer (&self->steps, kymo_table_unref);
  if (n > 1)
    self->steps = kymo_table_ref ((KymoTable *) steps);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 1);
  if (n < 2 || step < 0 || step >= n)
    return;
  self->filling = TRUE;
  gtk_range_set_range (GTK_RANGE (self->scale), 0, n - 1);
  gtk_range_set_value (GTK_RANGE (self->scale), step);
  self->filling = FALSE;
  say_step (self, step);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_step_slider_dispose (GObject *object)
{
  KymoStepSlider *self = KYMO_STEP_SLIDER (object);

  g_clear_pointer (&self->steps, kymo_table_unref);
  g_clear_object (&self->options);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_step_slider_parent_class)->dispose (object);
}

static void
kymo_step_slider_class_init (KymoStepSliderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_step_slider_dispose;
}

static void
kymo_step_slider_init (KymoStepSlider *self)
{
  self->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (self->scale), 0);
  gtk_widget_set_hexpand (self->scale, TRUE);
  kymo_controls_name (self->scale, _("Step of the run"));
  self->label = kymo_label_new_cut (NULL, "numeric");
  gtk_label_set_width_chars (GTK_LABEL (self->label), NAME_CHARS);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-controls");
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_box_append (GTK_BOX (self), self->scale);
  gtk_box_append (GTK_BOX (self), self->label);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  kymo_follow (self->scale, "value-changed", on_moved, self);
}

/**
 * kymo_step_slider_new:
 * @session: whose option "step" it sets; the slider holds a reference
 *
 * Returns: (transfer floating): a slider, hidden until it has two steps
 */
GtkWidget *
kymo_step_slider_new (KymoSession *session)
{
  KymoStepSlider *self = g_object_new (KYMO_TYPE_STEP_SLIDER, NULL);

  self->session = g_object_ref (session);
  self->options = g_object_ref (kymo_session_peek_options (session));
  return GTK_WIDGET (self);
}
