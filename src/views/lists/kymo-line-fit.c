/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the figures of a KymoLineTable ask of its columns: one unit for all times of a column, a
 * width in which they can be read, and no column without a figure. A column of names is as wide as
 * its longest name where there is room, so that figures stand near the names in a wide window. In a
 * narrow one columns are no wider than what stands in them, and then texts are cut, before a figure
 * is out of sight; where figures are out of sight nonetheless, names have a third of the width.
 *
 * Invariant: nothing of it goes back while the table lives: a column that once had something to say
 * stays, and in a table of one size widths only grow, for nothing moves that the person did not
 * move. Figures give way once, where longer names come that would be cut.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-line-table-private.h"
#include "kymo-text-zoom.h"

/* Limit of rows that are looked at, evenly spread. */
#define MOST_LOOKED 20000
/* Beside the text of a cell: its padding, and before a name a colour. */
#define CELL_PX 18
#define COLOR_PX 28
#define INDENT_PX 100
#define LEAST_NAME_PX 130
#define TIGHT_NAME_PX 112
#define MOST_NAME_PX 560
/* Of a table that is wider than its view. */
#define NAMES_SHARE 0.32
#define MOST_FIGURE_PX 200
#define LEAST_TEXT_PX 80
/* Of a column that takes a share */
#define LEAST_OF_USUAL 0.75
#define MOST_OF_USUAL 1.75

static KymoLineState *
state_of (KymoLineTable *self, guint column)
{
  return &g_array_index (kymo_line_table_private (self)->states, KymoLineState, column);
}

static const KymoLineColumn *
info_of (KymoLineTable *self, guint column)
{
  return &g_array_index (kymo_line_table_private (self)->columns, KymoLineColumn, column);
}

/**
 * kymo_line_table_peek_times:
 *
 * Returns: (transfer none): the unit and decimals of the times of a column, in the answer that was
 *   measured last
 */
const KymoTimeColumn *
kymo_line_table_peek_times (KymoLineTable *self, guint column)
{
  return &state_of (self, column)->times;
}

/* -- measuring ------------------------------------------------------------ */

typedef struct
{
  const guint *rows;                   /* or NULL: all */
  guint        n, step;
} Rows;

static guint
row_at (const Rows *rows, guint i)
{
  return rows->rows != NULL ? rows->rows[i] : i;
}

/* Moments lose no digit; the finest of them tells how many there are. */
static void
measure_numbers (KymoLineTable *self, guint column, const Rows *rows)
{
  KymoLineState *state = state_of (self, column);
  double least = INFINITY, most = 0;
  gint64 fine = 1000;

  for (guint i = 0; i < rows->n; i += rows->step)
    {
      double number = fabs (KYMO_LINE_TABLE_GET_CLASS (self)->number (self, column,
                                                                      row_at (rows, i)));

      if (isnan (number))
        continue;
      state->filled |= number > 0 || !info_of (self, column)->zero_is_none;
      most = isinf (number) ? most : fmax (most, number);
      if (number > 0)
        least = fmin (least, number);
      if (fmod (number, fine) != 0)
        fine = 1;
    }
  if (info_of (self, column)->is_moment)
    kymo_time_column_init_moments (&state->times, most, fine);
  else
    kymo_time_column_init (&state->times, least, most);
}

/* (transfer full): the longest text of a column; "" where it says nothing */
static char *
find_longest_text (KymoLineTable *self, guint column, const Rows *rows)
{
  g_autofree char *longest = g_strdup ("");
  glong most = 0;

  for (guint i = 0; i < rows->n; i += rows->step)
    {
      g_autofree char *text = KYMO_LINE_TABLE_GET_CLASS (self)->text (self, column,
                                                                      row_at (rows, i), FALSE);
      glong length = text != NULL ? g_utf8_strlen (text, -1) : 0;

      if (length <= most)
        continue;
      most = length;
      g_free (longest);
      longest = g_steal_pointer (&text);
    }
  return g_steal_pointer (&longest);
}

static int
text_width (KymoLineTable *self, const char *text)
{
  g_autoptr (PangoLayout) layout
    = gtk_widget_create_pango_layout (kymo_line_table_private (self)->view, text);
  int width_px;

  pango_layout_get_pixel_size (layout, &width_px, NULL);
  return width_px;
}

static void
measure_column (KymoLineTable *self, guint column, const Rows *rows)
{
  KymoLineState *state = state_of (self, column);
  const KymoLineColumn *info = info_of (self, column);
  g_autofree char *longest = NULL;

  if (!info->is_text && KYMO_LINE_TABLE_GET_CLASS (self)->number != NULL)
    measure_numbers (self, column, rows);
  longest = find_longest_text (self, column, rows);
  if (info->is_text || KYMO_LINE_TABLE_GET_CLASS (self)->number == NULL)
    state->filled |= *longest != '\0';
  state->empty = !state->filled;
  state->wanted_px = MAX (state->wanted_px, text_width (self, longest) + info->beside_px + CELL_PX);
}

/* -- fitting -------------------------------------------------------------- */

/* Columns of names share the room that the others leave. */
static gboolean
is_name (KymoLineTable *self, guint column)
{
  const KymoLineColumn *info = info_of (self, column);

  return info->width_px <= 0 && !info->expands && !KYMO_LINE_TABLE_GET_CLASS (self)->paged
         && !kymo_line_table_has_own_width (self, column);
}

static gboolean
is_fitted_figure (KymoLineTable *self, guint column)
{
  g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (self, column);

  return !is_name (self, column) && gtk_column_view_column_get_visible (shown)
         && gtk_column_view_column_get_fixed_width (shown) > 0
         && !kymo_line_table_has_own_width (self, column);
}

/* The width of a column that is no name, before texts share what room is left. */
static int
figure_width (KymoLineTable *self, guint column, gboolean tight)
{
  const KymoLineColumn *info = info_of (self, column);
  g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (self, column);
  int wanted_px = MIN (state_of (self, column)->wanted_px, kymo_text_px (MOST_FIGURE_PX));
  int usual_px = kymo_text_px (info->width_px);

  if (!is_fitted_figure (self, column))
    return gtk_column_view_column_get_visible (shown)
           ? MAX (gtk_column_view_column_get_fixed_width (shown), 0) : 0;
  if (!info->is_text)
    usual_px = MAX (usual_px, wanted_px);
  if (!tight || wanted_px <= 0)
    return usual_px;
  return MIN (usual_px, MAX (wanted_px, kymo_line_table_heading_width (self, column)));
}

static int
figures_width (KymoLineTable *self, gboolean tight)
{
  int all_px = 0;

  for (guint i = 0; i < kymo_line_table_private (self)->columns->len; i++)
    all_px += is_name (self, i) ? 0 : figure_width (self, i, tight);
  return all_px;
}

/* The first column has the names of lines, though it may have a width. */
static int
least_text_width (guint column)
{
  return kymo_text_px (column == 0 ? TIGHT_NAME_PX + COLOR_PX : LEAST_TEXT_PX);
}

/* What texts can give away while they can be read. */
static int
texts_spare (KymoLineTable *self)
{
  int spare_px = 0;

  for (guint i = 0; i < kymo_line_table_private (self)->columns->len; i++)
    if (info_of (self, i)->is_text && !is_name (self, i) && is_fitted_figure (self, i))
      spare_px += MAX (figure_width (self, i, TRUE) - least_text_width (i), 0);
  return spare_px;
}

/* @missing_px: taken from texts as far as they can be read
 *
 * Returns: the room that is left */
static int
fit_figures (KymoLineTable *self, int room_px, gboolean tight, int missing_px)
{
  for (guint i = 0; i < kymo_line_table_private (self)->columns->len; i++)
    {
      int width_px = is_name (self, i) ? 0 : figure_width (self, i, tight);
      int cut_px = 0;

      if (is_name (self, i))
        continue;
      if (is_fitted_figure (self, i))
        {
          if (info_of (self, i)->is_text)
            cut_px = CLAMP (missing_px, 0, MAX (width_px - least_text_width (i), 0));
          kymo_line_table_set_width (self, i, width_px - cut_px);
          missing_px -= cut_px;
        }
      room_px -= width_px - cut_px;
    }
  return room_px;
}

static int
names_least_width (KymoLineTable *self, gboolean tight)
{
  int name_px = tight ? TIGHT_NAME_PX : LEAST_NAME_PX;
  int all_px = 0;

  for (guint i = 0; i < kymo_line_table_private (self)->columns->len; i++)
    if (is_name (self, i))
      {
        int beside_px = COLOR_PX + (info_of (self, i)->is_tree ? INDENT_PX : 0);

        all_px += MIN (state_of (self, i)->wanted_px + kymo_text_px (beside_px),
                       kymo_text_px (name_px + beside_px));
      }
  return all_px;
}

static int
names_wanted_width (KymoLineTable *self)
{
  int all_px = 0;

  for (guint i = 0; i < kymo_line_table_private (self)->columns->len; i++)
    if (is_name (self, i))
      all_px += MIN (state_of (self, i)->wanted_px
                     + kymo_text_px (COLOR_PX + (info_of (self, i)->is_tree ? INDENT_PX : 0)),
                     kymo_text_px (MOST_NAME_PX));
  return all_px;
}

/* @share_px: of each name at least, as far as it wants it
 *
 * Returns: the room that is left */
static int
fit_names (KymoLineTable *self, int room_px, guint n_names, gboolean tight, int share_px)
{
  int name_px = tight ? TIGHT_NAME_PX : LEAST_NAME_PX;
  guint n = kymo_line_table_private (self)->columns->len;

  for (guint i = 0; i < n; i++)
    if (is_name (self, i))
      {
        int beside_px = COLOR_PX + (info_of (self, i)->is_tree ? INDENT_PX : 0);
        int most_px = MIN (state_of (self, i)->wanted_px + kymo_text_px (beside_px),
                           kymo_text_px (MOST_NAME_PX));
        int least_px = MIN (most_px, MAX (kymo_text_px (name_px + beside_px), share_px));
        int width_px = CLAMP (room_px / (int) n_names, least_px, most_px);

        kymo_line_table_set_width (self, i, width_px);
        room_px -= width_px;
        n_names--;
      }
  return room_px;
}

/* Texts that are cut get what is left, from the left to the right. */
static void
fit_texts (KymoLineTable *self, int room_px)
{
  guint n = kymo_line_table_private (self)->columns->len;

  for (guint i = 0; i < n; i++)
    {
      const KymoLineColumn *info = info_of (self, i);
      g_autoptr (GtkColumnViewColumn) shown = kymo_line_table_column_at (self, i);
      int now_px = gtk_column_view_column_get_fixed_width (shown), more_px;

      if (!info->is_text || info->width_px <= 0 || kymo_line_table_has_own_width (self, i)
          || !gtk_column_view_column_get_visible (shown))
        continue;
      more_px = CLAMP (MIN (state_of (self, i)->wanted_px, kymo_text_px (MOST_NAME_PX))
                       - now_px, 0, MAX (room_px, 0));
      kymo_line_table_set_width (self, i, now_px + more_px);
      room_px -= more_px;
    }
}

/* Texts of pages are not at hand to be measured. */
static void
fit_shares (KymoLineTable *self, int page_px)
{
  for (guint i = 0; i < kymo_line_table_private (self)->columns->len; i++)
    {
      const KymoLineColumn *info = info_of (self, i);
      int usual_px = kymo_text_px (info->width_px);

      if (info->share > 0 && is_fitted_figure (self, i))
        kymo_line_table_set_width (self, i, CLAMP (page_px * info->share, usual_px * LEAST_OF_USUAL,
                                                   usual_px * MOST_OF_USUAL));
    }
}

static gboolean
fit_columns (gpointer data)
{
  KymoLineTable *self = data;
  KymoLineTablePrivate *own = kymo_line_table_private (self);
  GtkAdjustment *across
    = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (own->scrolled));
  int page_px = gtk_adjustment_get_page_size (across), room_px;
  gboolean tight = page_px > 0
    && figures_width (self, FALSE) + names_wanted_width (self) > page_px;
  guint n_names = 0;
  int missing_px = 0, share_px = 0;

  own->fit_id = 0;
  for (guint i = 0; i < own->columns->len; i++)
    n_names += is_name (self, i);
  if (tight)
    missing_px = figures_width (self, TRUE) + names_least_width (self, TRUE) - page_px;
  /* Where figures are out of sight nonetheless no text is cut for them. */
  if (missing_px > texts_spare (self))
    missing_px = 0;
  room_px = fit_figures (self, page_px, tight, missing_px);
  if (page_px <= 0)
    return G_SOURCE_REMOVE;
  /* What is too wide for all figures is scrolled: then names are there to be read. */
  if (n_names > 0 && room_px < names_least_width (self, tight))
    share_px = page_px * NAMES_SHARE / n_names;
  room_px = fit_names (self, room_px, n_names, tight, share_px);
  fit_texts (self, room_px);
  fit_shares (self, page_px);
  return G_SOURCE_REMOVE;
}

static void
queue_fit (KymoLineTable *self)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  /* The width of the view may be known while it is allocated, when no width can be set. */
  if (own->fit_id == 0 && own->scrolled != NULL)
    own->fit_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_columns, self, NULL);
}

/**
 * kymo_line_table_follow_width:
 *
 * Fits the columns anew whenever the table gets wider or narrower. To be called once.
 */
void
kymo_line_table_follow_width (KymoLineTable *self)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);

  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (
                             GTK_SCROLLED_WINDOW (own->scrolled)),
                           "notify::page-size", G_CALLBACK (queue_fit), self, G_CONNECT_SWAPPED);
  /* A heading wants room for the mark of the order. */
  g_signal_connect_object (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (own->view)), "changed",
                           G_CALLBACK (queue_fit), self, G_CONNECT_SWAPPED);
}

/**
 * kymo_line_table_measure:
 * @rows: (nullable) (array length=n): rows of the answer at hand; %NULL is the first @n of it
 *
 * Looks at the figures of another answer before it is shown: chooses one unit for the times of each
 * column, hides columns in which no row of any answer so far has said anything, and makes room for
 * what is too wide.
 */
void
kymo_line_table_measure (KymoLineTable *self, const guint *rows, guint n)
{
  KymoLineTablePrivate *own = kymo_line_table_private (self);
  Rows looked = { rows, n, 1 + n / MOST_LOOKED };

  if (n == 0)
    return;
  for (guint i = 0; i < own->columns->len; i++)
    {
      measure_column (self, i, &looked);
      kymo_line_table_sync_column (self, i);
    }
  queue_fit (self);
}
