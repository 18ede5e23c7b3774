/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "kymo-badge.h"
#include "kymo-look.h"
#include "kymo-side-box.h"
#include "kymo-theme.h"

#define BAR_PX 4
#define TINT 0.16f

struct _KymoSideBox
{
  GtkBox parent_instance;

  guint  side;
};

G_DEFINE_FINAL_TYPE (KymoSideBox, kymo_side_box, GTK_TYPE_BOX)

static void
kymo_side_box_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KymoRgba color = kymo_class_color (kymo_look_now (), KYMO_SIDE_BOX (widget)->side);
  GdkRGBA solid = { color.red, color.green, color.blue, 1 };
  GdkRGBA tint = { color.red, color.green, color.blue, TINT };
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gtk_snapshot_append_color (snapshot, &tint, &GRAPHENE_RECT_INIT (0, 0, width, height));
  gtk_snapshot_append_color (snapshot, &solid, &GRAPHENE_RECT_INIT (0, 0, BAR_PX, height));
  GTK_WIDGET_CLASS (kymo_side_box_parent_class)->snapshot (widget, snapshot);
}

static void
kymo_side_box_class_init (KymoSideBoxClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = kymo_side_box_snapshot;
}

static void
kymo_side_box_init (KymoSideBox *self)
{
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-side");
}

/** kymo_side_box_new: @side: from 0; @label: "A", "B 2" */
GtkWidget *
kymo_side_box_new (guint side, const char *label)
{
  KymoSideBox *self = g_object_new (KYMO_TYPE_SIDE_BOX, NULL);
  GtkWidget *letter = gtk_label_new (label);

  self->side = side;
  gtk_widget_add_css_class (letter, "heading");
  gtk_widget_set_margin_start (letter, BAR_PX + 6);
  gtk_box_append (GTK_BOX (self), letter);
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), self);
  return GTK_WIDGET (self);
}
