/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-wrap-layout.h. Measuring and allocating go through the same rows, so a row
 * is as high as it was asked for.
 */
#include "config.h"

#include "kymo-wrap-layout.h"

struct _KymoWrapLayout
{
  GtkLayoutManager parent_instance;

  int              spacing;
};

G_DEFINE_FINAL_TYPE (KymoWrapLayout, kymo_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

/** Line: a row of children, from `first` up to `end`, which is not in it */
typedef struct
{
  GtkWidget *first, *end;
  int        width, height;            /* natural, with spacing */
} Line;

static GtkWidget *
next_shown (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
after_wrap_layout (GtkWidget *child)
{
  return next_shown (gtk_widget_get_next_sibling (child));
}

/* No wider than there is room, and no narrower than it can be. */
static int
width_of (GtkWidget *child, int room)
{
  int least, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural,
                      NULL, NULL);
  return room < 0 ? natural : CLAMP (natural, least, MAX (room, least));
}

/* The row that begins with `first`. */
static Line
line_from (KymoWrapLayout *self, GtkWidget *first, int room)
{
  Line line = { first, first, 0, 0 };

  for (GtkWidget *child = first; child != NULL; child = after_wrap_layout (child))
    {
      int width = width_of (child, room), height;
      int more = child != first ? self->spacing : 0;

      if (child != first && room >= 0 && line.width + more + width > room)
        break;
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &height,
                          NULL, NULL);
      line.width += more + width;
      line.height = MAX (line.height, height);
      line.end = after_wrap_layout (child);
    }
  return line;
}

static GtkSizeRequestMode
get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_wrap_layout (GtkLayoutManager *manager, GtkWidget *widget,
                     GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  KymoWrapLayout *self = KYMO_WRAP_LAYOUT (manager);
  GtkWidget *child = next_shown (gtk_widget_get_first_child (widget));

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *natural = child != NULL ? line_from (self, child, -1).width : 0;
      for (; child != NULL; child = after_wrap_layout (child))
        {
          int least;

          gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least,
                              NULL, NULL, NULL);
          *minimum = MAX (*minimum, least);
        }
    }
  else
    {
      for (; child != NULL;)
        {
          Line line = line_from (self, child, for_size);

          *natural += line.height + (*natural > 0 ? self->spacing : 0);
          child = line.end;
        }
      *minimum = *natural;
    }
}

static void
place_line (KymoWrapLayout *self, GtkWidget *widget, const Line *line, int y,
            int width)
{
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int left = MAX (width - line->width, 0), x = 0;

  for (GtkWidget *child = line->first; child != line->end;
       child = after_wrap_layout (child))
    {
      int own = width_of (child, width);

      if (left > 0 && gtk_widget_compute_expand (child,
                                                 GTK_ORIENTATION_HORIZONTAL))
        {
          own += left;
          left = 0;
        }
      gtk_widget_size_allocate (child, &(GtkAllocation) {
          rtl ? width - x - own : x, y, own, line->height }, -1);
      x += own + self->spacing;
    }
}

static void
allocate_wrap_layout (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                      int baseline)
{
  KymoWrapLayout *self = KYMO_WRAP_LAYOUT (manager);
  GtkWidget *child = next_shown (gtk_widget_get_first_child (widget));
  int y = 0;

  while (child != NULL)
    {
      Line line = line_from (self, child, width);

      place_line (self, widget, &line, y, width);
      y += line.height + self->spacing;
      child = line.end;
    }
}

static void
kymo_wrap_layout_class_init (KymoWrapLayoutClass *klass)
{
  GtkLayoutManagerClass *manager = GTK_LAYOUT_MANAGER_CLASS (klass);

  manager->get_request_mode = get_request_mode;
  manager->measure = measure_wrap_layout;
  manager->allocate = allocate_wrap_layout;
}

static void
kymo_wrap_layout_init (KymoWrapLayout *self)
{
}

/** kymo_wrap_layout_new: @spacing: between children and between rows, pixels */
GtkLayoutManager *
kymo_wrap_layout_new (int spacing)
{
  KymoWrapLayout *self = g_object_new (KYMO_TYPE_WRAP_LAYOUT, NULL);

  self->spacing = spacing;
  return GTK_LAYOUT_MANAGER (self);
}
