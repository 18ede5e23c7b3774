/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "kymo-badge.h"
#include "kymo-compare-table.h"
#include "kymo-look.h"
#include "kymo-swatch.h"
#include "kymo-theme.h"

#define BAR_PX 56
#define BAR_HEIGHT_PX 10
#define BAR_GAP_PX 6

/* -- the table ------------------------------------------------------------ */

struct _KymoCompareTable
{
  KymoLineTable       parent_instance;

  KymoSession        *session;
  GArray             *columns;     /* KymoCompareColumn, titles are interned */
  KymoTable          *list;        /* or NULL */
  double              most;        /* the largest effect, for bars */
};

G_DEFINE_FINAL_TYPE (KymoCompareTable, kymo_compare_table, KYMO_TYPE_LINE_TABLE)

static const KymoCompareColumn *
column_at (KymoCompareTable *self, guint index)
{
  return &g_array_index (self->columns, KymoCompareColumn, index);
}

/* -- cells ---------------------------------------------------------------- */

/* To the right what the other side has more of, to the left what A has; each in
   the colour of the side that has more. */
static void
paint_bar (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  KymoLook look = kymo_look_now ();
  const KymoTheme *theme = kymo_theme_get (look);
  double *share = g_object_get_data (G_OBJECT (area), "share");
  double middle = floor (width / 2.0), length = share != NULL ? *share * (middle - 1) : 0;

  if (share == NULL || isnan (*share))
    return;
  kymo_set_source_alpha (cr, kymo_class_color (look, length < 0 ? 0 : 1),
                         gtk_widget_has_css_class (GTK_WIDGET (area), "dim-label")
                         ? 0.4 : 1);
  cairo_rectangle (cr, MIN (middle, middle + length), (height - BAR_HEIGHT_PX) / 2.0,
                   MAX (fabs (length), 0.5), BAR_HEIGHT_PX);
  cairo_fill (cr);
  kymo_set_source (cr, theme->axis);
  cairo_rectangle (cr, middle, 0, 1, height);
  cairo_fill (cr);
}

static GtkWidget *
new_bar (void)
{
  GtkWidget *bar = gtk_drawing_area_new ();

  gtk_widget_set_size_request (bar, BAR_PX, BAR_HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (bar), paint_bar, NULL, NULL);
  kymo_look_follow (G_CALLBACK (gtk_widget_queue_draw), bar);
  return bar;
}

static gboolean
is_text (const KymoCompareColumn *column)
{
  return column->kind <= KYMO_COMPARE_TEXT || column->kind == KYMO_COMPARE_WORDS;
}

static GtkWidget *
setup_cell (KymoLineTable *table, guint column, GtkWidget *label)
{
  KymoCompareTable *self = KYMO_COMPARE_TABLE (table);
  KymoCompareKind kind = column_at (self, column)->kind;

  if (kind == KYMO_COMPARE_NAME)
    return kymo_line_cell_new (kymo_swatch_new (self->session), label, 6);
  return kind == KYMO_COMPARE_EFFECT ? kymo_line_cell_new (new_bar (), label, BAR_GAP_PX)
    : label;
}

static void
set_faded (GtkWidget *widget, gboolean faded)
{
  if (faded)
    gtk_widget_add_css_class (widget, "dim-label");
  else
    gtk_widget_remove_css_class (widget, "dim-label");
}

static void
show_bar (KymoCompareTable *self, GtkWidget *bar, double effect, gboolean faded)
{
  double *share = g_new (double, 1);

  *share = self->most > 0 ? effect / self->most : 0;
  g_object_set_data_full (G_OBJECT (bar), "share", share, g_free);
  set_faded (bar, faded);
  gtk_widget_queue_draw (bar);
}

static void
show_cell (KymoLineTable *table, guint column, GtkWidget *cell, guint row)
{
  KymoCompareTable *self = KYMO_COMPARE_TABLE (table);
  const KymoCompareColumn *info = column_at (self, column);
  GtkWidget *first = gtk_widget_get_first_child (cell);
  gboolean faded = kymo_compare_is_faded (self->list, row);

  set_faded (GTK_IS_BOX (cell) ? gtk_widget_get_last_child (cell) : cell, faded);
  if (KYMO_IS_SWATCH (first))
    kymo_swatch_set (KYMO_SWATCH (first), kymo_table_get_string (self->list, info->key, row),
                     kymo_table_get_string (self->list, "kind", row));
  else if (GTK_IS_DRAWING_AREA (first))
    show_bar (self, first, kymo_compare_number (self->list, info, row), faded);
}

static char *
cell_text (KymoLineTable *table, guint column, guint row, gboolean exact)
{
  KymoCompareTable *self = KYMO_COMPARE_TABLE (table);

  return kymo_compare_text (self->list, column_at (self, column), row,
                            exact ? NULL : kymo_line_table_peek_times (table, column));
}

static double
cell_number (KymoLineTable *table, guint column, guint row)
{
  KymoCompareTable *self = KYMO_COMPARE_TABLE (table);

  return kymo_compare_number (self->list, column_at (self, column), row);
}

static int
compare_texts (KymoLineTable *table, guint column, guint a, guint b)
{
  g_autofree char *one = cell_text (table, column, a, TRUE);
  g_autofree char *other = cell_text (table, column, b, TRUE);

  return g_utf8_collate (one, other);
}

/* -- the chosen one ------------------------------------------------------- */

static const char *
name_of (KymoLineTable *table, guint row)
{
  return kymo_table_get_string (KYMO_COMPARE_TABLE (table)->list, "name", row);
}

static void
on_activated (KymoLineTable *table, int row)
{
  const char *name = name_of (table, row);

  if (name != NULL)
    g_signal_emit_by_name (table, "activated", name);
}

/* -- filling -------------------------------------------------------------- */

/* The longest bar is that of the largest effect. */
static void
find_most (KymoCompareTable *self)
{
  guint n = self->list != NULL ? kymo_table_get_n_rows (self->list) : 0;

  self->most = 0;
  for (guint i = 0; i < n; i++)
    self->most = fmax (self->most, fabs (kymo_table_get_double (self->list, "effect", i)));
}

/**
 * kymo_compare_table_set:
 * @list: (nullable) (transfer none): of an answer
 * @rows: (nullable) (array length=n_rows): rows of it; %NULL is all of them
 */
void
kymo_compare_table_set (KymoCompareTable *self, KymoTable *list, const guint *rows,
                        guint n_rows)
{
  guint n = list == NULL ? 0 : rows != NULL ? n_rows : kymo_table_get_n_rows (list);

  if (list != NULL)
    kymo_table_ref (list);
  g_clear_pointer (&self->list, kymo_table_unref);
  self->list = list;
  find_most (self);
  kymo_line_table_set_rows (KYMO_LINE_TABLE (self), rows, n);
  kymo_line_table_sort_again (KYMO_LINE_TABLE (self));
  kymo_line_table_follow (KYMO_LINE_TABLE (self), FALSE);
}

static gboolean
same_columns (KymoCompareTable *self, const KymoCompareColumn *columns, guint n)
{
  if (n != self->columns->len)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const KymoCompareColumn *own = column_at (self, i);

      if (!g_str_equal (own->title, columns[i].title) || own->element != columns[i].element
          || !g_str_equal (own->key, columns[i].key))
        return FALSE;
    }
  return TRUE;
}

/**
 * kymo_compare_table_set_columns:
 * @columns: copied with their titles; each key must stay valid as long as the table
 *
 * Replaces the columns and empties the table, until kymo_compare_table_set() fills it. Where the
 * columns are the same nothing happens.
 */
void
kymo_compare_table_set_columns (KymoCompareTable *self, const KymoCompareColumn *columns,
                                guint n_columns)
{
  if (same_columns (self, columns, n_columns))
    return;
  kymo_compare_table_set (self, NULL, NULL, 0);
  kymo_line_table_drop_columns (KYMO_LINE_TABLE (self));
  g_array_set_size (self->columns, 0);
  for (guint i = 0; i < n_columns; i++)
    {
      KymoCompareColumn column = columns[i];

      column.title = g_intern_string (column.title);
      g_array_append_val (self->columns, column);
      kymo_line_table_add_column (KYMO_LINE_TABLE (self), &(KymoLineColumn) {
        .title = column.title, .width_px = column.width_px, .is_text = is_text (&column),
        .beside_px = column.kind == KYMO_COMPARE_EFFECT ? BAR_PX + BAR_GAP_PX : 0,
        .expands = column.kind == KYMO_COMPARE_WORDS });
    }
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_compare_table_dispose (GObject *object)
{
  KymoCompareTable *self = KYMO_COMPARE_TABLE (object);

  g_clear_pointer (&self->list, kymo_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_compare_table_parent_class)->dispose (object);
}

static void
kymo_compare_table_finalize (GObject *object)
{
  g_array_unref (KYMO_COMPARE_TABLE (object)->columns);
  G_OBJECT_CLASS (kymo_compare_table_parent_class)->finalize (object);
}

static void
kymo_compare_table_class_init (KymoCompareTableClass *klass)
{
  KymoLineTableClass *table_class = KYMO_LINE_TABLE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_compare_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_compare_table_finalize;
  kymo_signal_new ("activated", KYMO_TYPE_COMPARE_TABLE, 1, G_TYPE_STRING);
  table_class->text = cell_text;
  table_class->number = cell_number;
  table_class->compare = compare_texts;
  table_class->setup = setup_cell;
  table_class->show = show_cell;
  table_class->name = name_of;
  table_class->activated = on_activated;
}

static void
kymo_compare_table_init (KymoCompareTable *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (KymoCompareColumn));
}

/** kymo_compare_table_new: @name: for who does not see it */
GtkWidget *
kymo_compare_table_new (KymoSession *session, const char *name)
{
  KymoCompareTable *self = g_object_new (KYMO_TYPE_COMPARE_TABLE, NULL);

  self->session = g_object_ref (session);
  kymo_line_table_build (KYMO_LINE_TABLE (self), name);
  kymo_line_table_link (KYMO_LINE_TABLE (self), session);
  gtk_widget_add_css_class (kymo_line_table_peek_view (KYMO_LINE_TABLE (self)), "kymo-answer");
  return GTK_WIDGET (self);
}
