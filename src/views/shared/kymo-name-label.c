/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-name-label.h"

#include "kymo-name.h"

struct _KymoNameLabel
{
  GtkWidget parent_instance;

  GtkWidget *label;
};

G_DEFINE_FINAL_TYPE (KymoNameLabel, kymo_name_label, GTK_TYPE_WIDGET)

/* (transfer full) (nullable): what is drawn instead of the label; NULL: the label */
static PangoLayout *
shorter_layout (KymoNameLabel *self)
{
  PangoLayout *whole = gtk_label_get_layout (GTK_LABEL (self->label));
  g_autoptr (PangoLayout) shorter = NULL;
  g_autofree char *name = NULL;

  if (!pango_layout_is_ellipsized (whole))
    return NULL;
  name = g_strdup (pango_layout_get_text (whole));
  for (gboolean cut = TRUE; cut && (cut = kymo_name_shorten (name));)
    {
      if (shorter == NULL)
        shorter = pango_layout_copy (whole);
      pango_layout_set_text (shorter, name, -1);
      cut = pango_layout_is_ellipsized (shorter);
    }
  return g_steal_pointer (&shorter);
}

static void
kymo_name_label_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KymoNameLabel *self = KYMO_NAME_LABEL (widget);
  g_autoptr (PangoLayout) shorter = shorter_layout (self);
  int x, y;

  if (shorter == NULL)
    {
      gtk_widget_snapshot_child (widget, self->label, snapshot);
      return;
    }
  gtk_label_get_layout_offsets (GTK_LABEL (self->label), &x, &y);
  gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (self->label), x, y, shorter);
}

/** kymo_name_label_get_label: Returns: (transfer none): the label that was given */
GtkLabel *
kymo_name_label_get_label (KymoNameLabel *self)
{
  return GTK_LABEL (self->label);
}

/** kymo_name_label_dup_drawn: for a label that has a size */
char *
kymo_name_label_dup_drawn (KymoNameLabel *self)
{
  g_autoptr (PangoLayout) shorter = shorter_layout (self);

  return g_strdup (shorter != NULL ? pango_layout_get_text (shorter)
                                   : gtk_label_get_text (GTK_LABEL (self->label)));
}

static void
kymo_name_label_dispose (GObject *object)
{
  g_clear_pointer (&KYMO_NAME_LABEL (object)->label, gtk_widget_unparent);
  G_OBJECT_CLASS (kymo_name_label_parent_class)->dispose (object);
}

static void
kymo_name_label_class_init (KymoNameLabelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_name_label_dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = kymo_name_label_snapshot;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
kymo_name_label_init (KymoNameLabel *self)
{
}

/** kymo_name_label_new: takes the label into its widget */
GtkWidget *
kymo_name_label_new (GtkWidget *label)
{
  KymoNameLabel *self = g_object_new (KYMO_TYPE_NAME_LABEL, NULL);

  self->label = label;
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), gtk_widget_get_hexpand (label));
  return GTK_WIDGET (self);
}
