/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call table as a matrix: rows are whose blocks sent, columns what their messages ran; the
 * colour is the logarithm of bytes or messages. Those with most come first; what finds no
 * room is told by number, and is in the totals at the edges all the same.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-theme.h"
#include "kymo-traffic-words.h"

extern const KymoPlotClass kymo_plot_call_table;

#define LEAST_CELL_PX 15
#define MOST_CELL_PX 64
#define TOTALS_PX 44
#define LABEL_PX 150

typedef struct
{
  KymoRect    area;
  KymoTable  *calls;
  gboolean    by_messages;
  GPtrArray  *from, *to;             /* names (not owned): of rows and columns */
  GHashTable *row_of, *column_of;    /* name -> number + 1 */
  double     *cells;                 /* the sum of each, row by row */
  guint      *first;                 /* of each which call is the first in it */
  double     *row_sums, *column_sums;
  guint       n_rows, n_columns;     /* that find room */
  double      least, most, most_sum;
  double      cell_w, cell_h;
  gboolean    known;                 /* FALSE: nothing can be painted */
} Table;

static void
table_clear (Table *table)
{
  g_clear_pointer (&table->from, g_ptr_array_unref);
  g_clear_pointer (&table->to, g_ptr_array_unref);
  g_clear_pointer (&table->row_of, g_hash_table_unref);
  g_clear_pointer (&table->column_of, g_hash_table_unref);
  g_clear_pointer (&table->cells, g_free);
  g_clear_pointer (&table->first, g_free);
  g_clear_pointer (&table->row_sums, g_free);
  g_clear_pointer (&table->column_sums, g_free);
}

/* Several entry methods may have one name: they are one here, as in all pictures. */
static guint
number_of (GHashTable *numbers, GPtrArray *names, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, name));

  if (number == 0)
    {
      g_ptr_array_add (names, (char *) name);
      number = names->len;
      g_hash_table_insert (numbers, (char *) name, GUINT_TO_POINTER (number));
    }
  return number - 1;
}

static double
value_of (const Table *table, guint call)
{
  return kymo_table_get_int (table->calls, table->by_messages ? "messages" : "bytes", call);
}

static void
number_names (Table *table)
{
  table->from = g_ptr_array_new ();
  table->to = g_ptr_array_new ();
  table->row_of = g_hash_table_new (g_str_hash, g_str_equal);
  table->column_of = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < kymo_table_get_n_rows (table->calls); i++)
    if (kymo_table_get_int (table->calls, "messages", i) > 0)
      {
        number_of (table->row_of, table->from, kymo_table_get_string (table->calls, "from", i));
        number_of (table->column_of, table->to, kymo_table_get_string (table->calls, "to", i));
      }
}

static void
sum_cells (Table *table)
{
  gsize n = (gsize) table->from->len * table->to->len;

  table->cells = g_new0 (double, n);
  table->first = g_new0 (guint, n);
  table->row_sums = g_new0 (double, table->from->len);
  table->column_sums = g_new0 (double, table->to->len);
  for (guint i = 0; i < kymo_table_get_n_rows (table->calls); i++)
    if (kymo_table_get_int (table->calls, "messages", i) > 0)
      {
        guint row = number_of (table->row_of, table->from,
                               kymo_table_get_string (table->calls, "from", i));
        guint column = number_of (table->column_of, table->to,
                                  kymo_table_get_string (table->calls, "to", i));
        gsize cell = (gsize) row * table->to->len + column;
        double value = value_of (table, i);

        if (!(table->cells[cell] > 0))
          table->first[cell] = i;
        table->cells[cell] += value;
        table->row_sums[row] += value;
        table->column_sums[column] += value;
      }
  table->least = G_MAXDOUBLE;
  for (gsize i = 0; i < n; i++)
    if (table->cells[i] > 0)
      {
        table->least = MIN (table->least, table->cells[i]);
        table->most = MAX (table->most, table->cells[i]);
      }
  for (guint i = 0; i < table->from->len; i++)
    table->most_sum = MAX (table->most_sum, table->row_sums[i]);
  for (guint i = 0; i < table->to->len; i++)
    table->most_sum = MAX (table->most_sum, table->column_sums[i]);
}

static gboolean
has_room (const Table *table)
{
  return table->area.width >= 2 * LEAST_CELL_PX && table->area.height >= 2 * LEAST_CELL_PX;
}

/* Where there is little room names get no more of it than cells. */
static double
label_px (const KymoPlotFrame *frame)
{
  return CLAMP (floor (frame->height_px / 4), 48, LABEL_PX);
}

static KymoRect
table_area (const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_call_table, frame);

  area.height += LABEL_PX - label_px (frame);
  return area;
}

static gboolean
table_init (Table *table, const KymoTable *answer, const KymoPlotFrame *frame)
{
  *table = (Table) { table_area (frame) };
  table->by_messages = kymo_traffic_by_messages (answer);
  table->calls = kymo_table_peek_nested (answer, "calls", NULL);
  if (table->calls == NULL || !has_room (table))
    return FALSE;
  number_names (table);
  if (table->from->len == 0)
    return FALSE;
  sum_cells (table);
  table->n_rows = CLAMP (table->area.height / LEAST_CELL_PX, 1, table->from->len);
  table->n_columns = CLAMP (table->area.width / LEAST_CELL_PX, 1, table->to->len);
  table->cell_h = CLAMP (floor (table->area.height / table->n_rows), LEAST_CELL_PX, 28);
  table->cell_w = CLAMP (floor (table->area.width / table->n_columns), LEAST_CELL_PX,
                         MOST_CELL_PX);
  table->area.width = table->cell_w * table->n_columns;
  table->area.height = table->cell_h * table->n_rows;
  return TRUE;
}

static KymoRect
cell_rect (const Table *table, guint row, guint column)
{
  return (KymoRect) { table->area.x + column * table->cell_w,
                      table->area.y + row * table->cell_h, table->cell_w - 1, table->cell_h - 1 };
}

static void
paint_cells (cairo_t *cr, const Table *table, const KymoPlotFrame *frame)
{
  KymoTextStyle style = { KYMO_TEXT_SMALL - 0.5, FALSE, 0.5, table->cell_w - 4 };

  for (guint row = 0; row < table->n_rows; row++)
    for (guint column = 0; column < table->n_columns; column++)
      {
        double value = table->cells[(gsize) row * table->to->len + column];
        KymoRect rect = cell_rect (table, row, column);
        double share = value > 0 ? kymo_heat_share (table->least, table->most, value) : 0;
        KymoRgba color = kymo_heat_color (frame, share);
        g_autofree char *text = kymo_traffic_amount (table->by_messages, value);

        if (!(value > 0))
          continue;
        kymo_set_source (cr, color);
        cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
        cairo_fill (cr);
        if (kymo_text_width (cr, text, style) <= style.max_px)
          kymo_text_draw (cr, text, rect.x + rect.width / 2, rect.y + rect.height / 2, style,
                          kymo_rgba_text_on (color));
      }
}

/* Bars of the sums of all cells of a row or column, those that find no room as well. */
static void
paint_totals (cairo_t *cr, const Table *table, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = table->area;

  kymo_set_source (cr, kymo_rgba_mix (theme->accent, theme->canvas, 0.35));
  for (guint row = 0; row < table->n_rows; row++)
    cairo_rectangle (cr, area.x + area.width + 6, area.y + row * table->cell_h + 1,
                     table->row_sums[row] / MAX (table->most_sum, 1) * TOTALS_PX,
                     table->cell_h - 3);
  for (guint column = 0; column < table->n_columns; column++)
    {
      double height = table->column_sums[column] / MAX (table->most_sum, 1) * TOTALS_PX;

      cairo_rectangle (cr, area.x + column * table->cell_w + 1, area.y - 6 - height,
                       table->cell_w - 3, height);
    }
  cairo_fill (cr);
}

static void
paint_names (cairo_t *cr, const Table *table, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 1, table->area.x - 22 };
  KymoTextStyle turned = { KYMO_TEXT_SMALL, FALSE, 1, label_px (frame) - 12 };

  for (guint row = 0; row < table->n_rows; row++)
    {
      double y = table->area.y + (row + 0.5) * table->cell_h;
      g_autofree char *name = kymo_text_fitting_name (cr, table->from->pdata[row], left);

      kymo_fill_activity (cr, frame, table->from->pdata[row], KYMO_KIND_ENTRY,
                          (KymoRect) { table->area.x - 10, y - 4, 6, 8 });
      kymo_text_draw (cr, name, table->area.x - 14, y, left, theme->foreground);
    }
  for (guint column = 0; column < table->n_columns; column++)
    {
      double x = table->area.x + (column + 0.5) * table->cell_w;
      double y = table->area.y + table->area.height;
      g_autofree char *name = kymo_text_fitting_name (cr, table->to->pdata[column], turned);

      kymo_fill_activity (cr, frame, table->to->pdata[column], KYMO_KIND_ENTRY,
                          (KymoRect) { x - 4, y + 3, 8, 6 });
      cairo_save (cr);
      cairo_translate (cr, x, y + 13);
      cairo_rotate (cr, -G_PI / 2);
      kymo_text_draw (cr, name, 0, 0, turned, theme->foreground);
      cairo_restore (cr);
    }
}

/* What the axes are, the colour scale, messages that are not shown and unknown ones. */
static void
paint_notes (cairo_t *cr, const Table *table, const KymoTable *answer,
             const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect whole = kymo_plot_frame_area (&kymo_plot_call_table, frame);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, frame->width_px - 32 };
  guint rows = table->from->len - table->n_rows, columns = table->to->len - table->n_columns;
  g_autofree char *both = kymo_traffic_dup_sums (answer, FALSE);
  g_autofree char *unmatched = kymo_traffic_dup_unmatched (answer);
  GString *text = g_string_new (NULL);
  g_autofree char *head = g_strdup_printf (_("Rows sent, columns ran · %s"), both);
  g_autofree char *least = kymo_traffic_amount (table->by_messages, table->least);
  g_autofree char *most = kymo_traffic_amount (table->by_messages, table->most);
  KymoRect key = { frame->width_px - 190, whole.y - TOTALS_PX - 42, 90, 10 };
  KymoTextStyle end = { KYMO_TEXT_SMALL, FALSE, 1, 0 };

  if (unmatched != NULL)
    g_string_append (text, unmatched);
  if (rows > 0)
    g_string_append_printf (text, ngettext ("%s%u row finds no room", "%s%u rows find no room",
                                            rows),
                            text->len > 0 ? " · " : "", rows);
  if (columns > 0)
    g_string_append_printf (text, ngettext ("%s%u column finds no room",
                                            "%s%u columns find no room", columns),
                            text->len > 0 ? " · " : "", columns);
  style.max_px = key.x - 24 - 80;
  kymo_text_draw (cr, head, 16, key.y + 5, style, theme->secondary);
  kymo_text_draw (cr, text->str, 16, key.y + 20, style, theme->secondary);
  kymo_heat_paint_key (cr, frame, key);
  kymo_text_draw (cr, least, key.x - 6, key.y + 5, end, theme->secondary);
  style.max_px = 0;
  kymo_text_draw (cr, most, key.x + key.width + 6, key.y + 5, style, theme->secondary);
  g_string_free (text, TRUE);
}

static void
call_table_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Table *table = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_call_table, frame, NULL);
  if (!table->known)
    {
      if (has_room (table))
        kymo_traffic_paint_empty (cr, answer, frame, table->area);
      else
        kymo_paint_empty (cr, frame, (KymoRect) { 0, 0, frame->width_px, frame->height_px },
                          _("There is no room for the table"));
      return;
    }
  paint_cells (cr, table, frame);
  paint_totals (cr, table, frame);
  paint_names (cr, table, frame);
  paint_notes (cr, table, answer, frame);
}

static char *
describe_call_table (const Table *table, guint row, guint column)
{
  gint64 messages = 0, bytes = 0;
  g_autofree char *both = NULL;

  for (guint i = 0; i < kymo_table_get_n_rows (table->calls); i++)
    if (g_str_equal (kymo_table_get_string (table->calls, "from", i), table->from->pdata[row])
        && g_str_equal (kymo_table_get_string (table->calls, "to", i), table->to->pdata[column]))
      {
        messages += kymo_table_get_int (table->calls, "messages", i);
        bytes += kymo_table_get_int (table->calls, "bytes", i);
      }
  both = kymo_traffic_both (messages, bytes);
  return g_strdup_printf (_("%s sent\n%s\n%s"), kymo_shown_name (table->from->pdata[row]),
                          kymo_shown_name (table->to->pdata[column]),
                          messages > 0 ? both : _("no messages"));
}

static gboolean
call_table_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Table *table = picture->layout;
  guint row, column;

  kymo_hit_init (hit);
  if (!table->known || !kymo_rect_contains (table->area, x, y))
    return FALSE;
  row = MIN ((y - table->area.y) / table->cell_h, table->n_rows - 1);
  column = MIN ((x - table->area.x) / table->cell_w, table->n_columns - 1);
  hit->rect = cell_rect (table, row, column);
  hit->text = describe_call_table (table, row, column);
  /* What runs is what one looks for in the other views. */
  hit->name = g_strdup (table->to->pdata[column]);
  return TRUE;
}

/* Keys go from cell to cell of those with messages. */
static GArray *
call_table_boxes (const KymoPicture *picture)
{
  const Table *table = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  if (!table->known)
    return boxes;
  for (guint row = 0; row < table->n_rows; row++)
    for (guint column = 0; column < table->n_columns; column++)
      {
        gsize cell = (gsize) row * table->to->len + column;
        KymoPlotBox box = { .row = table->first[cell], .rect = cell_rect (table, row, column),
                            .location = -1, .told = TRUE, .name = table->to->pdata[column] };

        if (table->cells[cell] > 0)
          g_array_append_val (boxes, box);
      }
  return boxes;
}

static KymoQuestion *
call_table_question (const KymoPlotFrame *frame)
{
  return kymo_traffic_question (frame, "call-table");
}

KYMO_DEFINE_LAYOUT (call_table, Table, table_init, table_clear)

const KymoPlotClass kymo_plot_call_table = {
  .id = "call-table",
  .title = N_("Call table"),
  .needs = KYMO_CAN_MESSAGES,
  .question = call_table_question,
  .lay_out = call_table_lay_out,
  .layout_free = call_table_layout_free,
  .paint = call_table_paint,
  .hit = call_table_hit,
  .boxes = call_table_boxes,
  .inset = { 200, TOTALS_PX + 52, TOTALS_PX + 24, LABEL_PX + 8 },
};
