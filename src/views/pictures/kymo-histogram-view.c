/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-histogram-view.h"
#include "kymo-controls.h"
#include "kymo-kept.h"

#include "kymo-wrap-layout.h"

struct _KymoHistogramView
{
  GtkBox      parent_instance;

  KymoCanvas *canvas;
  GtkWidget  *of, *weight, *scale, *bins;
};

G_DEFINE_FINAL_TYPE (KymoHistogramView, kymo_histogram_view, GTK_TYPE_BOX)

/* What is in the first drop down. */
enum { OF_DURATION, OF_GRAIN, OF_MESSAGE_SIZE };

static void
on_changed (KymoHistogramView *self)
{
  guint of = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->of));
  guint weight = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->weight));
  guint scale = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->scale));
  gboolean sizes = of == OF_MESSAGE_SIZE, grain = of == OF_GRAIN;
  g_autofree char *bins = NULL;

  bins = g_strdup_printf ("%d", gtk_spin_button_get_value_as_int (
    GTK_SPIN_BUTTON (self->bins)));
  gtk_widget_set_sensitive (self->bins, !grain);
  gtk_widget_set_sensitive (self->scale, !grain);
  gtk_widget_set_sensitive (self->weight, !sizes);
  kymo_canvas_set_parameter (self->canvas, "of",
                             sizes ? "message-size" : "duration");
  kymo_canvas_set_parameter (self->canvas, "preset", grain ? "grain" : NULL);
  kymo_canvas_set_parameter (self->canvas, "weight",
                             weight == 1 && !sizes ? "time" : "count");
  kymo_canvas_set_parameter (self->canvas, "scale",
                             grain ? NULL : scale == 1 ? "log" : "lin");
  kymo_canvas_set_parameter (self->canvas, "bins", grain ? NULL : bins);
  kymo_canvas_set_by_time (self->canvas, weight == 1 && !sizes);
}

static GtkWidget *
add_choice (KymoHistogramView *self, GtkWidget *bar, const char *name,
            const char *const *choices)
{
  GtkWidget *drop = gtk_drop_down_new_from_strings (choices);

  kymo_controls_name (drop, name);
  gtk_box_append (GTK_BOX (bar), drop);
  return drop;
}

static GtkWidget *
build_bar (KymoHistogramView *self)
{
  const char *const of[] = { _("Block duration"),
                             _("Grain size (0.1 ms bars)"),
                             _("Message size"), NULL };
  const char *const weight[] = { _("Count"), _("Time"), NULL };
  const char *const scale[] = { _("Linear bins"), _("Logarithmic bins"),
                                NULL };
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_Bins"));

  gtk_widget_set_layout_manager (bar, kymo_wrap_layout_new (8));
  gtk_widget_add_css_class (bar, "kymo-controls");
  self->of = add_choice (self, bar, _("What is measured"), of);
  self->weight = add_choice (self, bar, _("What a bar's height tells"), weight);
  self->scale = add_choice (self, bar, _("How bins are spaced"), scale);
  self->bins = gtk_spin_button_new_with_range (5, 500, 5);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->bins), 100);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->bins);
  /* Where the bar wraps, the word stays with its number. */
  gtk_box_append (GTK_BOX (pair), label);
  gtk_box_append (GTK_BOX (pair), self->bins);
  gtk_box_append (GTK_BOX (bar), pair);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->of), OF_GRAIN);
  kymo_kept_add (self->of, "histogram", "of");
  kymo_kept_add (self->weight, "histogram", "weight");
  kymo_kept_add (self->scale, "histogram", "scale");
  kymo_kept_add (self->bins, "histogram", "bins");
  return bar;
}

static void
kymo_histogram_view_class_init (KymoHistogramViewClass *klass)
{
}

static void
kymo_histogram_view_init (KymoHistogramView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

/**
 * kymo_histogram_view_new:
 *
 * Makes the histogram of @session with its controls: durations, grain sizes or message sizes,
 * their weight, and the bins.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_histogram_view_new (KymoSession *session)
{
  KymoHistogramView *self = g_object_new (KYMO_TYPE_HISTOGRAM_VIEW, NULL);

  self->canvas = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("histogram"),
                                               session));
  gtk_box_append (GTK_BOX (self), build_bar (self));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->canvas));
  on_changed (self);
  g_signal_connect_swapped (self->of, "notify::selected",
                            G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->weight, "notify::selected",
                            G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->scale, "notify::selected",
                            G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->bins, "value-changed",
                            G_CALLBACK (on_changed), self);
  return GTK_WIDGET (self);
}

/**
 * kymo_histogram_view_get_canvas:
 *
 * Returns: (transfer none): the canvas of the histogram
 */
KymoCanvas *
kymo_histogram_view_get_canvas (KymoHistogramView *self)
{
  return self->canvas;
}
