/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "kymo-swatch.h"
#include "kymo-look.h"
#include "kymo-theme.h"

#define SIZE_PX 14

struct _KymoSwatch
{
  GtkWidget    parent_instance;

  KymoSession *session;
  char        *name;
  char        *kind;
};

G_DEFINE_FINAL_TYPE (KymoSwatch, kymo_swatch, GTK_TYPE_WIDGET)

static void
paint_swatch (KymoSwatch *self, cairo_t *cr, double size)
{
  KymoLook look = kymo_look_now ();
  const KymoTheme *theme = kymo_theme_get (look);
  KymoActivityKind kind = kymo_activity_kind (self->kind);
  KymoPlotFrame frame;
  KymoRgba color;

  kymo_plot_frame_init (&frame, size, size, look,
                        kymo_session_peek_colors (self->session),
                        KYMO_SPAN_ALL);
  color = kymo_theme_activity (&frame, self->name, kind);
  if (kind == KYMO_KIND_ENTRY || kind == KYMO_KIND_EVENT)
    cairo_arc (cr, size / 2, size / 2, size / 2 - 1.5, 0, 2 * G_PI);
  else
    cairo_rectangle (cr, 1.5, 1.5, size - 3, size - 3);
  kymo_set_source (cr, color);
  if (kymo_session_is_hidden (self->session, self->name))
    {
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
      return;
    }
  cairo_fill_preserve (cr);
  if (kymo_theme_is_hatched (&frame, self->name, kind))
    {
      kymo_hatch_waiting (cr, theme);
      kymo_set_source (cr, color);
      cairo_arc (cr, size / 2, size / 2, size / 2 - 1.5, 0, 2 * G_PI);
    }
  if (kind == KYMO_KIND_REST)
    {
      kymo_hatch_rest (cr, theme, (KymoRect) { 1.5, 1.5, size - 3, size - 3 });
      cairo_rectangle (cr, 1.5, 1.5, size - 3, size - 3);
    }
  if (kind != KYMO_KIND_ENTRY && kind != KYMO_KIND_EVENT)
    kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
kymo_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KymoSwatch *self = KYMO_SWATCH (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  graphene_rect_t bounds;
  cairo_t *cr;

  if (self->name == NULL)
    return;
  graphene_rect_init (&bounds, 0, 0, width, height);
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  cairo_translate (cr, (width - SIZE_PX) / 2, (height - SIZE_PX) / 2);
  paint_swatch (self, cr, SIZE_PX);
  cairo_destroy (cr);
}

static void
kymo_swatch_measure (GtkWidget *widget, GtkOrientation orientation,
                     int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = SIZE_PX;
}

static void
kymo_swatch_dispose (GObject *object)
{
  KymoSwatch *self = KYMO_SWATCH (object);

  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->kind, g_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_swatch_parent_class)->dispose (object);
}

static void
kymo_swatch_class_init (KymoSwatchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_swatch_dispose;
  widget_class->snapshot = kymo_swatch_snapshot;
  widget_class->measure = kymo_swatch_measure;
  gtk_widget_class_set_accessible_role (widget_class,
                                        GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
kymo_swatch_init (KymoSwatch *self)
{
}

/**
 * kymo_swatch_new:
 * @session: whose colors and hidden names it follows; the swatch holds a reference
 *
 * Returns: (transfer floating): a swatch that paints nothing until kymo_swatch_set()
 */
GtkWidget *
kymo_swatch_new (KymoSession *session)
{
  KymoSwatch *self = g_object_new (KYMO_TYPE_SWATCH, NULL);

  self->session = g_object_ref (session);
  kymo_follow (session, "colors-changed", gtk_widget_queue_draw, self);
  kymo_follow (session, "filter-changed", gtk_widget_queue_draw, self);
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), self);
  return GTK_WIDGET (self);
}

/**
 * kymo_swatch_set:
 * @name: (nullable): display name of the activity
 * @kind: (nullable): entry, event, idle, overhead, rest or untraced
 */
void
kymo_swatch_set (KymoSwatch *self, const char *name, const char *kind)
{
  g_free (self->name);
  g_free (self->kind);
  self->name = g_strdup (name);
  self->kind = g_strdup (kind);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
