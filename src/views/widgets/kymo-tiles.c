/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is not to be seen is no visible child, so it is not mapped and asks and
 * paints nothing. A title's row is as high for all tiles.
 */
#include "config.h"

#include "kymo-tiles.h"

/* A tile narrower than this stands alone. */
#define LEAST_PX 300
#define MARGIN_PX 12
#define LINE_PX 1

typedef struct
{
  GtkWidget *title, *controls, *child, *toggle;
} Tile;

struct _KymoTiles
{
  GtkWidget  parent_instance;

  GtkWidget *toggles;
  GArray    *tiles;                    /* Tile */
  guint      shown;
};

G_DEFINE_FINAL_TYPE (KymoTiles, kymo_tiles, GTK_TYPE_WIDGET)

static Tile *
tile_at (KymoTiles *self, guint index)
{
  return &g_array_index (self->tiles, Tile, index);
}

/* -- sizes ---------------------------------------------------------------- */

static int
least_of (GtkWidget *widget, GtkOrientation orientation, int for_size)
{
  int least = 0;

  if (widget != NULL)
    gtk_widget_measure (widget, orientation, for_size, &least, NULL, NULL,
                        NULL);
  return least;
}

static int
width_of (GtkWidget *widget)
{
  int natural = 0;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural,
                      NULL, NULL);
  return natural;
}

static int
head_height (KymoTiles *self)
{
  int height = least_of (self->toggles, GTK_ORIENTATION_VERTICAL, -1);

  for (guint i = 0; i < self->tiles->len; i++)
    height = MAX (height, least_of (tile_at (self, i)->controls,
                                    GTK_ORIENTATION_VERTICAL, -1));
  return height;
}

static void
kymo_tiles_measure (GtkWidget *widget, GtkOrientation orientation,
                    int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline)
{
  KymoTiles *self = KYMO_TILES (widget);
  gboolean wide = orientation == GTK_ORIENTATION_HORIZONTAL;
  int most = 0, controls = 0;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      Tile *tile = tile_at (self, i);

      most = MAX (most, least_of (tile->child, orientation, -1));
      controls = MAX (controls, least_of (tile->controls, orientation, -1));
    }
  if (wide)
    most = MAX (most, least_of (self->toggles, orientation, -1) + controls
                      + 3 * MARGIN_PX);
  else
    most += head_height (self);
  *minimum = most;
  *natural = wide ? MAX (most, (int) self->tiles->len * LEAST_PX)
                  : most + 160;
}

/* -- places --------------------------------------------------------------- */

static void
place_tiles (GtkWidget *widget, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (widget,
                            &(GtkAllocation) { x, y, MAX (width, 0),
                                               MAX (height, 0) }, -1);
}

static void
show_tiles (GtkWidget *widget, gboolean visible)
{
  if (widget != NULL)
    gtk_widget_set_child_visible (widget, visible);
}

/* Controls at the right; returns what they leave. */
static int
place_controls (Tile *tile, int x, int width, int least_left, int head)
{
  int wanted;

  if (tile->controls == NULL)
    return width;
  wanted = CLAMP (width_of (tile->controls),
                  least_of (tile->controls, GTK_ORIENTATION_HORIZONTAL, -1),
                  MAX (width - least_left,
                       least_of (tile->controls, GTK_ORIENTATION_HORIZONTAL,
                                 -1)));
  place_tiles (tile->controls, x + width - wanted, 0, wanted, head);
  return width - wanted;
}

static void
place_alone (KymoTiles *self, int width, int height, int head)
{
  int toggles = width_of (self->toggles);

  show_tiles (self->toggles, TRUE);
  place_tiles (self->toggles, MARGIN_PX, 0, toggles, head);
  for (guint i = 0; i < self->tiles->len; i++)
    {
      Tile *tile = tile_at (self, i);
      gboolean shown = i == self->shown;

      show_tiles (tile->title, FALSE);
      show_tiles (tile->controls, shown);
      show_tiles (tile->child, shown);
      if (!shown)
        continue;
      place_controls (tile, MARGIN_PX, width - 2 * MARGIN_PX,
                      toggles + MARGIN_PX, head);
      place_tiles (tile->child, 0, head, width, height - head);
    }
}

static void
place_all (KymoTiles *self, int width, int height, int head)
{
  int n = self->tiles->len;

  show_tiles (self->toggles, FALSE);
  for (int i = 0; i < n; i++)
    {
      Tile *tile = tile_at (self, i);
      int x = width * i / n, end = width * (i + 1) / n - (i + 1 < n ? LINE_PX : 0);
      int left;

      show_tiles (tile->title, TRUE);
      show_tiles (tile->controls, TRUE);
      show_tiles (tile->child, TRUE);
      left = place_controls (tile, x + MARGIN_PX, end - x - 2 * MARGIN_PX, 76,
                             head);
      place_tiles (tile->title, x + MARGIN_PX, 0, left - MARGIN_PX, head);
      place_tiles (tile->child, x, head, end - x, height - head);
    }
}

static void
kymo_tiles_size_allocate (GtkWidget *widget, int width, int height,
                          int baseline)
{
  KymoTiles *self = KYMO_TILES (widget);
  int head = head_height (self);

  if (width >= (int) self->tiles->len * LEAST_PX)
    place_all (self, width, height, head);
  else
    place_alone (self, width, height, head);
}

/* -- switching ------------------------------------------------------------ */

static void
on_toggled (GtkToggleButton *toggle, KymoTiles *self)
{
  if (!gtk_toggle_button_get_active (toggle))
    return;
  for (guint i = 0; i < self->tiles->len; i++)
    if (tile_at (self, i)->toggle == GTK_WIDGET (toggle))
      self->shown = i;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/**
 * kymo_tiles_add:
 * @title: over the picture, and on its switch
 * @controls: (nullable): what it is to show
 * @child: the picture
 */
void
kymo_tiles_add (KymoTiles *self, const char *title, GtkWidget *controls,
                GtkWidget *child)
{
  Tile tile = { gtk_label_new (title), controls, child,
                gtk_toggle_button_new_with_label (title) };
  GtkWidget *first = self->tiles->len > 0 ? tile_at (self, 0)->toggle : NULL;

  gtk_label_set_xalign (GTK_LABEL (tile.title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (tile.title), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (tile.title, "heading");
  gtk_widget_set_parent (tile.title, GTK_WIDGET (self));
  if (controls != NULL)
    {
      gtk_widget_set_valign (controls, GTK_ALIGN_CENTER);
      gtk_widget_set_parent (controls, GTK_WIDGET (self));
    }
  gtk_widget_set_parent (child, GTK_WIDGET (self));
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (tile.toggle),
                               first != NULL ? GTK_TOGGLE_BUTTON (first)
                                             : NULL);
  gtk_box_append (GTK_BOX (self->toggles), tile.toggle);
  g_array_append_val (self->tiles, tile);
  g_signal_connect (tile.toggle, "toggled", G_CALLBACK (on_toggled), self);
  if (first == NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tile.toggle), TRUE);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_tiles_dispose (GObject *object)
{
  KymoTiles *self = KYMO_TILES (object);
  GtkWidget *child;

  g_array_set_size (self->tiles, 0);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (kymo_tiles_parent_class)->dispose (object);
}

static void
kymo_tiles_finalize (GObject *object)
{
  g_array_unref (KYMO_TILES (object)->tiles);
  G_OBJECT_CLASS (kymo_tiles_parent_class)->finalize (object);
}

static void
kymo_tiles_class_init (KymoTilesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_tiles_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_tiles_finalize;
  widget_class->measure = kymo_tiles_measure;
  widget_class->size_allocate = kymo_tiles_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "kymotiles");
}

static void
kymo_tiles_init (KymoTiles *self)
{
  self->tiles = g_array_new (FALSE, TRUE, sizeof (Tile));
  self->toggles = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->toggles, "linked");
  gtk_widget_set_valign (self->toggles, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (self->toggles, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-tiles");
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/** kymo_tiles_new: Returns: (transfer floating): without pictures yet */
GtkWidget *
kymo_tiles_new (void)
{
  return g_object_new (KYMO_TYPE_TILES, NULL);
}
