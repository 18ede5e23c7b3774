/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All widgets are made once; a second changes their words and lengths in place.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-live-values.h"
#include "kymo-accessible.h"
#include "kymo-units.h"
#include "kymo-watched-value.h"

#define CHART_PX 110
/* The chart shows what came, but neither less nor more than these. */
#define LEAST_SECONDS 10
#define SHOWN_SECONDS 120
#define MOST_RANKS 8
#define MOST_COUNTERS 16
#define N_COLUMNS 4

/* A rank with its load. */
typedef struct
{
  GtkWidget *name, *bar, *share;
} RankRow;

struct _KymoLiveValues
{
  GtkBox     parent_instance;

  KymoFeed  *feed;
  KymoTable *table;             /* the newest values */
  gint64     second;
  GtkWidget *chart, *words;
  RankRow    busiest[MOST_RANKS], idlest[MOST_RANKS];
  GtkWidget *counters[MOST_COUNTERS][N_COLUMNS];
};

G_DEFINE_FINAL_TYPE (KymoLiveValues, kymo_live_values, GTK_TYPE_BOX)

/* -- the chart -------------------------------------------------------------- */

static void
paint_line (cairo_t         *cr,
            const KymoTable *loads,
            const char      *which,
            double           width,
            double           height)
{
  guint n = kymo_table_get_n_rows (loads);
  gint64 last = n > 0 ? kymo_table_get_int (loads, "second", n - 1) : 0;
  gint64 first = n > 0 ? kymo_table_get_int (loads, "second", 0) : 0;
  double shown = CLAMP (last - first, LEAST_SECONDS, SHOWN_SECONDS);

  for (guint i = 0; i < n; i++)
    {
      double age = last - kymo_table_get_int (loads, "second", i);
      double load = kymo_table_get_double (loads, which, i);

      if (age <= shown)
        cairo_line_to (cr, width * (1 - age / shown),
                       1 + (height - 2) * (1 - CLAMP (load, 0, 1)));
    }
  cairo_stroke (cr);
}

/* The mean is a full line, the lowest and the highest are dashed and dotted: no colour is needed to
   tell them apart. */
static void
paint_chart (GtkDrawingArea *area,
             cairo_t        *cr,
             int             width,
             int             height,
             gpointer        data)
{
  static const double dashes[] = { 6, 3 }, dots[] = { 1.5, 2.5 };
  KymoLiveValues *self = data;
  const KymoTable *loads = self->table != NULL ? kymo_table_peek_nested (self->table, "loads", 0)
    : NULL;
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  cairo_set_line_width (cr, 1);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.2);
  for (int i = 0; i <= 2; i++)
    {
      double y = 0.5 + i * (height - 1) / 2.0;

      cairo_move_to (cr, 0, y);
      cairo_line_to (cr, width, y);
    }
  cairo_stroke (cr);
  if (loads == NULL)
    return;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 2);
  paint_line (cr, loads, "mean", width, height);
  cairo_set_line_width (cr, 1.5);
  cairo_set_dash (cr, dashes, 2, 0);
  paint_line (cr, loads, "most", width, height);
  cairo_set_dash (cr, dots, 2, 0);
  paint_line (cr, loads, "least", width, height);
}

/* -- what is told ----------------------------------------------------------- */

static void
show_ranks (RankRow         *rows,
            const KymoTable *ranks)
{
  guint n = ranks != NULL ? kymo_table_get_n_rows (ranks) : 0;

  for (guint i = 0; i < MOST_RANKS; i++)
    {
      gtk_widget_set_visible (rows[i].name, i < n);
      gtk_widget_set_visible (rows[i].bar, i < n);
      gtk_widget_set_visible (rows[i].share, i < n);
      if (i < n)
        {
          double load = kymo_table_get_double (ranks, "load", i);
          g_autofree char *name = g_strdup_printf (_("Rank %" G_GINT64_FORMAT),
                                                   kymo_table_get_int (ranks, "rank", i));
          g_autofree char *share = kymo_format_percent (load);

          gtk_label_set_text (GTK_LABEL (rows[i].name), name);
          gtk_level_bar_set_value (GTK_LEVEL_BAR (rows[i].bar), CLAMP (load, 0, 1));
          gtk_label_set_text (GTK_LABEL (rows[i].share), share);
        }
    }
}

/* "12.5 MB (rank 3)" */
static char *
with_rank (const KymoTable *counters,
           const char      *which,
           const char      *rank,
           guint            row)
{
  return g_strdup_printf (_("%s (rank %" G_GINT64_FORMAT ")"),
                          kymo_table_get_string (counters, which, row),
                          kymo_table_get_int (counters, rank, row));
}

/* The words of a counter for people; a name that is new stays as it is. */
static const char *
name_counter (const char *name)
{
  const KymoWatchedValue *value = kymo_watched_value_at (kymo_watched_value_find (name));

  return value != NULL ? _(value->label) : name;
}

static void
show_counters (KymoLiveValues  *self,
               const KymoTable *counters)
{
  guint n = counters != NULL ? kymo_table_get_n_rows (counters) : 0;

  for (guint i = 0; i < MOST_COUNTERS; i++)
    for (guint column = 0; column < N_COLUMNS; column++)
      {
        GtkLabel *label = GTK_LABEL (self->counters[i][column]);
        g_autofree char *text = NULL;

        gtk_widget_set_visible (GTK_WIDGET (label), i < n);
        if (i >= n)
          continue;
        if (column == 0)
          text = g_strdup (name_counter (kymo_table_get_string (counters, "name", i)));
        else if (column == 1)
          text = g_strdup (kymo_table_get_string (counters, "mean", i));
        else
          text = with_rank (counters, column == 2 ? "least" : "most",
                            column == 2 ? "least_rank" : "most_rank", i);
        gtk_label_set_text (label, text);
      }
}

static void
show_words (KymoLiveValues *self)
{
  const KymoTable *loads = kymo_table_peek_nested (self->table, "loads", 0);
  guint n = kymo_table_get_n_rows (loads);
  g_autofree char *least = NULL, *mean = NULL, *most = NULL, *words = NULL;

  if (n == 0)
    return;
  least = kymo_format_percent (kymo_table_get_double (loads, "least", n - 1));
  mean = kymo_format_percent (kymo_table_get_double (loads, "mean", n - 1));
  most = kymo_format_percent (kymo_table_get_double (loads, "most", n - 1));
  words = g_strdup_printf (_("Lowest (dotted) %s, mean %s, highest (dashed) %s"), least, mean,
                           most);
  gtk_label_set_text (GTK_LABEL (self->words), words);
  kymo_accessible_name (self->chart, words);
}

static void
on_feed_changed (KymoLiveValues *self)
{
  KymoTable *table = kymo_feed_dup_values (self->feed);

  if (table == NULL)
    return;
  g_clear_pointer (&self->table, kymo_table_unref);
  self->table = table;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  if (self->second == kymo_table_get_int (table, "second", 0))
    return;
  self->second = kymo_table_get_int (table, "second", 0);
  show_words (self);
  show_ranks (self->busiest, kymo_table_peek_nested (table, "busiest", 0));
  show_ranks (self->idlest, kymo_table_peek_nested (table, "idlest", 0));
  show_counters (self, kymo_table_peek_nested (table, "counters", 0));
  gtk_widget_queue_draw (self->chart);
}

/* -- building --------------------------------------------------------------- */

static GtkWidget *
build_label (const char *text,
             const char *css_class,
             float       xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
build_ranks (RankRow    *rows,
             const char *title)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_widget_set_hexpand (grid, TRUE);
  gtk_grid_attach (GTK_GRID (grid), build_label (title, "caption-heading", 0), 0, 0, 3, 1);
  for (guint i = 0; i < MOST_RANKS; i++)
    {
      rows[i].name = build_label ("", "caption", 0);
      rows[i].share = build_label ("", "caption", 1);
      rows[i].bar = gtk_level_bar_new_for_interval (0, 1);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (rows[i].bar), GTK_LEVEL_BAR_OFFSET_LOW);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (rows[i].bar), GTK_LEVEL_BAR_OFFSET_HIGH);
      gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (rows[i].bar), GTK_LEVEL_BAR_OFFSET_FULL);
      gtk_widget_set_hexpand (rows[i].bar, TRUE);
      gtk_widget_set_valign (rows[i].bar, GTK_ALIGN_CENTER);
      gtk_grid_attach (GTK_GRID (grid), rows[i].name, 0, 1 + i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), rows[i].bar, 1, 1 + i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), rows[i].share, 2, 1 + i, 1, 1);
    }
  return grid;
}

static GtkWidget *
build_counters (KymoLiveValues *self)
{
  const char *titles[N_COLUMNS] = { _("Each Second"), _("Mean"), _("Lowest"), _("Highest") };
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  for (guint column = 0; column < N_COLUMNS; column++)
    gtk_grid_attach (GTK_GRID (grid), build_label (titles[column], "caption-heading",
                                                   column > 0 ? 1 : 0), column, 0, 1, 1);
  for (guint i = 0; i < MOST_COUNTERS; i++)
    for (guint column = 0; column < N_COLUMNS; column++)
      {
        self->counters[i][column] = build_label ("", "caption", column > 0 ? 1 : 0);
        gtk_widget_set_visible (self->counters[i][column], FALSE);
        gtk_widget_set_hexpand (self->counters[i][column], column > 0);
        gtk_grid_attach (GTK_GRID (grid), self->counters[i][column], column, 1 + i, 1, 1);
      }
  return grid;
}

static void
build_values (KymoLiveValues *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *scrolled;
  GtkWidget *ranks = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_set_margin_start (box, 8);
  gtk_widget_set_margin_end (box, 8);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_box_append (GTK_BOX (box), build_label (_("Load of the ranks, last two minutes"),
                                              "caption-heading", 0));
  self->chart = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->chart), CHART_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->chart), paint_chart, self, NULL);
  gtk_box_append (GTK_BOX (box), self->chart);
  self->words = build_label ("", "caption", 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->words), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (ranks), build_ranks (self->busiest, _("Highest load")));
  gtk_box_append (GTK_BOX (ranks), build_ranks (self->idlest, _("Lowest load")));
  gtk_box_append (GTK_BOX (box), ranks);
  gtk_box_append (GTK_BOX (box), build_counters (self));
  scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
}

static void
kymo_live_values_dispose (GObject *object)
{
  KymoLiveValues *self = KYMO_LIVE_VALUES (object);

  g_clear_pointer (&self->table, kymo_table_unref);
  g_clear_object (&self->feed);
  G_OBJECT_CLASS (kymo_live_values_parent_class)->dispose (object);
}

static void
kymo_live_values_class_init (KymoLiveValuesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_live_values_dispose;
}

static void
kymo_live_values_init (KymoLiveValues *self)
{
  self->second = -1;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  build_values (self);
}

/**
 * kymo_live_values_new:
 * @feed: where the values come from
 *
 * Returns: (transfer floating): the widget, which shows itself when values come
 */
GtkWidget *
kymo_live_values_new (KymoFeed *feed)
{
  KymoLiveValues *self = g_object_new (KYMO_TYPE_LIVE_VALUES, NULL);

  self->feed = g_object_ref (feed);
  g_signal_connect_object (feed, "changed", G_CALLBACK (on_feed_changed), self,
                           G_CONNECT_SWAPPED);
  on_feed_changed (self);
  return GTK_WIDGET (self);
}
