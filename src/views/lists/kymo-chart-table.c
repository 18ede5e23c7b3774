/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines are numbers; their words are made when they are to be seen. First come those
 * of the answer that the picture is painted of (kymo-chart-lines.c), then, of a
 * timeline, every block of one row in the visible range (kymo-chart-blocks.c). Of a
 * picture whose answer has no list that is it, what the canvas says of each of its items
 * (kymo-canvas-items.c).
 *
 * Invariant: the head of the columns has a line for each of `lines`, else of `items`; their tail
 * one for each block.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-accessible.h"
#include "kymo-block-words.h"
#include "kymo-canvas-items.h"
#include "kymo-canvas-private.h"
#include "kymo-chart-blocks.h"
#include "kymo-chart-columns.h"
#include "kymo-chart-lines.h"
#include "kymo-chart-table.h"
#include "kymo-chart-words.h"
#include "kymo-in-terms.h"
#include "kymo-label.h"

/* Height of the lines, and in a window lower than LOW_PX. */
#define LIST_PX 150
#define LOW_LIST_PX 110
#define LOW_PX 700

struct _KymoChartTable
{
  GtkBox              parent_instance;

  KymoSession        *session;
  KymoCanvas         *canvas;      /* weak, or NULL */
  KymoChartBlocks    *blocks;      /* of a row of a timeline */
  gint64              location;    /* of that row, or -1 */
  KymoChartLines     *lines;       /* of the picture's answer, or NULL */
  GPtrArray          *items;       /* KymoCanvasItem: where there are none, or NULL */
  KymoChartColumns   *columns;
  GtkSingleSelection *selection;     /* of the columns */
  GtkWidget          *title, *scroller, *list;
  guint               renew_id;
  gboolean            following;   /* the selection is set, not chosen */
  gboolean            of_line;     /* `location` was chosen here */
  gboolean            choosing;    /* in the picture, what a line stands for */
  gboolean            chosen;      /* a line was, and in the picture then: */
  gint64              box, cursor;
  guint               part;
};

G_DEFINE_FINAL_TYPE (KymoChartTable, kymo_chart_table, GTK_TYPE_BOX)

static gboolean
has_blocks (KymoChartTable *self)
{
  return self->canvas != NULL && kymo_canvas_get_plot (self->canvas)->of_blocks;
}

/* -- lines ---------------------------------------------------------------- */

static guint
head_length (KymoChartTable *self)
{
  return kymo_chart_columns_get_head (self->columns);
}

/* Whether the focus was in the lines. GTK 4.8 looks for another place of a focus whose line goes,
   and fails where there is none: so it goes to the picture as long as lines change. */
static gboolean
hold_focus (KymoChartTable *self)
{
  GtkRoot *root = gtk_widget_get_root (self->list);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, self->list))
    return FALSE;
  gtk_root_set_focus (root, self->canvas != NULL ? GTK_WIDGET (self->canvas) : NULL);
  return TRUE;
}

/* The selected line, or GTK_INVALID_LIST_POSITION. */
static guint
selected_line (KymoChartTable *self)
{
  return kymo_chart_columns_line_at (self->columns,
                                     gtk_single_selection_get_selected (self->selection));
}

/* -- what is chosen ------------------------------------------------------- */

static KymoHoverSubject
subject_of_item (const KymoCanvasItem *item)
{
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;

  subject.name = item->name;
  subject.location = item->location;
  if (item->time_ns != G_MININT64)
    subject.span = (KymoSpan) { item->time_ns, item->time_ns + 1 };
  return subject;
}

/* The line of what is chosen in the picture. */
static int
chosen_line (KymoChartTable *self)
{
  int item = self->canvas != NULL ? kymo_canvas_get_item (self->canvas) : -1;
  g_autoptr (GPtrArray) items = NULL;
  KymoHoverSubject subject;

  if (item < 0 || self->lines == NULL)
    return item;
  items = kymo_canvas_dup_items (self->canvas);
  if ((guint) item >= items->len)
    return -1;
  subject = subject_of_item (items->pdata[item]);
  return kymo_chart_lines_find (self->lines, &subject,
                                ((KymoCanvasItem *) items->pdata[item])->row);
}

/* Whether in the picture nothing else was chosen since a line was. */
static gboolean
is_as_chosen (KymoChartTable *self)
{
  return self->chosen && self->canvas != NULL && self->canvas->box == self->box
         && self->canvas->box_part == self->part && self->canvas->cursor == self->cursor;
}

static void
follow_choice (KymoChartTable *self)
{
  guint now = selected_line (self);
  int chosen = has_blocks (self) ? kymo_chart_blocks_get_selected (self->blocks)
                                 : chosen_line (self);

  if (chosen >= 0 && has_blocks (self))
    chosen += head_length (self);
  /* A row that was chosen here, or a line of what is too narrow for the picture. */
  if (chosen < 0 && now < head_length (self) && self->lines != NULL)
    return;
  /* Several lines may share an item, or have none: the one that was chosen stays. */
  if (!has_blocks (self) && self->lines != NULL && now < head_length (self)
      && (self->choosing || is_as_chosen (self)))
    return;
  self->following = TRUE;
  gtk_single_selection_set_selected (self->selection, chosen >= 0
                                     ? kymo_chart_columns_find (self->columns, chosen)
                                     : GTK_INVALID_LIST_POSITION);
  self->following = FALSE;
}

/* Chooses in the picture what a line stands for, where it has a place there. */
static void
choose_line (KymoChartTable *self, guint index)
{
  g_autoptr (GPtrArray) items = kymo_canvas_dup_items (self->canvas);
  int best = -1, most = 0;

  for (guint i = 0; i < items->len; i++)
    {
      KymoHoverSubject subject = subject_of_item (items->pdata[i]);
      int same = kymo_chart_lines_agree (self->lines, index, &subject,
                                         ((KymoCanvasItem *) items->pdata[i])->row);

      if (same > most)
        {
          most = same;
          best = i;
        }
    }
  self->choosing = TRUE;
  if (best >= 0)
    kymo_canvas_choose_item (self->canvas, best);
  self->choosing = FALSE;
  self->chosen = TRUE;
  self->box = self->canvas->box;
  self->part = self->canvas->box_part;
  self->cursor = self->canvas->cursor;
}

static void ask_blocks (KymoChartTable *self);

static void
choose_row (KymoChartTable *self, guint index)
{
  gint64 location = kymo_chart_lines_get_subject (self->lines, index).location;

  if (location < 0 || location == self->location)
    return;
  self->location = location;
  self->of_line = TRUE;
  ask_blocks (self);
}

static void
on_selected (KymoChartTable *self)
{
  guint index = selected_line (self);

  if (self->following || index == GTK_INVALID_LIST_POSITION
      || self->canvas == NULL)
    return;
  if (has_blocks (self) && index >= head_length (self))
    kymo_chart_blocks_select (self->blocks, index - head_length (self));
  else if (has_blocks (self) && self->lines != NULL)
    choose_row (self, index);
  else if (self->lines != NULL)
    choose_line (self, index);
  else
    kymo_canvas_choose_item (self->canvas, index);
}

/* -- words ---------------------------------------------------------------- */

/* (transfer full): of a line of the list; one that is gone has none */
static char *
dup_cells (guint index, gpointer data)
{
  KymoChartTable *self = data;
  guint n = self->lines != NULL ? kymo_chart_lines_get_n (self->lines)
            : self->items != NULL ? self->items->len : 0;
  GString *cells;
  g_autofree char *words = NULL;

  if (index < n && self->lines != NULL)
    return kymo_chart_lines_dup_cells (self->lines, index);
  if (index >= n)
    return index - n < kymo_chart_blocks_get_n (self->blocks)
           ? kymo_chart_blocks_dup_cells (self->blocks, index - n) : g_strdup ("");
  cells = g_string_new (NULL);
  if (self->canvas != NULL)
    words = kymo_canvas_dup_item_words (self->canvas, self->items->pdata[index]);
  kymo_chart_add (cells, NULL, words, NAN);
  return g_string_free (cells, FALSE);
}

static void
show_blocks (KymoChartTable *self)
{
  gboolean focused = hold_focus (self);

  self->following = TRUE;
  kymo_chart_columns_set (self->columns, G_MAXUINT, kymo_chart_blocks_get_n (self->blocks));
  self->following = FALSE;
  if (focused)
    kymo_chart_table_focus (self);
  follow_choice (self);
}

static void
on_blocks (const char *title, gpointer data)
{
  KymoChartTable *self = data;

  kymo_label_set (self->title, title);
  show_blocks (self);
}

/* Of the row that was chosen here, else of the selected block's, else the first. */
static void
ask_blocks (KymoChartTable *self)
{
  gint64 time_ns;

  if (!self->of_line
      && !kymo_session_get_block (self->session, &self->location, &time_ns))
    self->location = kymo_canvas_get_first_location (self->canvas);
  kymo_chart_blocks_ask (self->blocks, self->location);
}

static void
clear_lines (KymoChartTable *self)
{
  kymo_chart_blocks_clear (self->blocks);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->lines, kymo_chart_lines_free);
}

/* Other lines at the place of those: what was chosen by its number stays chosen. */
static void
show_lines (KymoChartTable *self)
{
  guint was = selected_line (self);
  gboolean focused = hold_focus (self);
  KymoPlotFrame frame;
  guint n;

  self->following = TRUE;
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->lines, kymo_chart_lines_free);
  kymo_canvas_get_frame (self->canvas, &frame);
  if (self->canvas->answer != NULL && self->canvas->failure == NULL)
    self->lines = kymo_chart_lines_new (kymo_canvas_get_plot (self->canvas),
                                        self->canvas->answer, &frame);
  if (self->lines == NULL)
    self->items = kymo_canvas_dup_items (self->canvas);
  n = self->lines != NULL ? kymo_chart_lines_get_n (self->lines) : self->items->len;
  kymo_chart_columns_set (self->columns, n, kymo_chart_blocks_get_n (self->blocks));
  if (self->lines != NULL && was < n)
    gtk_single_selection_set_selected (self->selection,
                                       kymo_chart_columns_find (self->columns, was));
  self->following = FALSE;
  if (focused)
    kymo_chart_table_focus (self);
}

static void
show_picture (KymoChartTable *self)
{
  show_lines (self);
  gtk_label_set_text (GTK_LABEL (self->title), kymo_in_terms_of (
                        self->session, _(kymo_canvas_get_plot (self->canvas)->title)));
  kymo_chart_blocks_clear (self->blocks);
  show_blocks (self);
}

static gboolean
renew_chart_table (gpointer data)
{
  KymoChartTable *self = data;

  self->renew_id = 0;
  if (self->canvas == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;
  if (has_blocks (self))
    {
      kymo_block_words_want (kymo_block_words_of (self->session));
      show_lines (self);
      ask_blocks (self);
    }
  else
    show_picture (self);
  return G_SOURCE_REMOVE;
}

static void
queue_renew (KymoChartTable *self)
{
  if (self->renew_id == 0)
    self->renew_id = g_timeout_add (80, renew_chart_table, self);
}

/* Another row of a timeline has other blocks. */
static void
on_selection_changed (KymoChartTable *self)
{
  gint64 location, time_ns;

  if (has_blocks (self)
      && kymo_session_get_block (self->session, &location, &time_ns)
      && (location != self->location || kymo_chart_blocks_get_selected (self->blocks) < 0))
    {
      self->of_line = FALSE;
      queue_renew (self);
    }
  else if (self->canvas != NULL)
    follow_choice (self);
}

static void
on_words (KymoChartTable *self)
{
  if (has_blocks (self) && gtk_widget_get_visible (GTK_WIDGET (self)))
    show_blocks (self);
}

/* -- the widget ----------------------------------------------------------- */

/**
 * kymo_chart_table_set_canvas:
 * @canvas: (nullable) (transfer none): the picture; held weakly. %NULL: of none
 *
 * Empties the table, and fills it with the lines of the picture a moment later, where it is shown.
 */
void
kymo_chart_table_set_canvas (KymoChartTable *self, KymoCanvas *canvas)
{
  if (canvas == self->canvas)
    return;
  if (self->canvas != NULL)
    {
      g_signal_handlers_disconnect_by_func (self->canvas, queue_renew, self);
      g_signal_handlers_disconnect_by_func (self->canvas, follow_choice, self);
    }
  g_set_weak_pointer (&self->canvas, canvas);
  self->of_line = FALSE;
  self->chosen = FALSE;
  self->following = TRUE;
  hold_focus (self);
  kymo_chart_columns_set (self->columns, 0, 0);
  self->following = FALSE;
  clear_lines (self);
  /* A view without a picture: the table waits for another view. */
  gtk_widget_set_visible (self->scroller, canvas != NULL);
  if (canvas == NULL && self->title != NULL)
    kymo_label_set (self->title, _("This view has no picture"));
  if (canvas != NULL)
    {
      kymo_follow (canvas, "answer-changed", queue_renew, self);
      kymo_follow (canvas, "described", follow_choice, self);
    }
  queue_renew (self);
}

/**
 * kymo_chart_table_set_shown:
 *
 * Shows or hides the table. A table that is shown gets its lines a moment later.
 */
void
kymo_chart_table_set_shown (KymoChartTable *self, gboolean shown)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  int height = root != NULL ? gtk_widget_get_height (GTK_WIDGET (root)) : 0;

  gtk_scrolled_window_set_min_content_height (
    GTK_SCROLLED_WINDOW (self->scroller), height > 0 && height < LOW_PX ? LOW_LIST_PX : LIST_PX);
  gtk_widget_set_visible (GTK_WIDGET (self), shown);
  if (shown)
    queue_renew (self);
}

/**
 * kymo_chart_table_focus:
 *
 * Moves the focus of the keyboard to the lines.
 */
void
kymo_chart_table_focus (KymoChartTable *self)
{
  gtk_widget_grab_focus (self->list);
}

/**
 * kymo_chart_table_is_settled:
 *
 * Returns: whether no change of the picture waits to be taken over; the question about the blocks
 *   of a timeline's row may still be under way
 */
gboolean
kymo_chart_table_is_settled (KymoChartTable *self)
{
  return self->renew_id == 0;
}

/**
 * kymo_chart_table_is_shown:
 *
 * Returns: whether kymo_chart_table_set_shown() shows the table, in sight or not
 */
gboolean
kymo_chart_table_is_shown (KymoChartTable *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self));
}

/** kymo_chart_table_dup_lines: all lines, one below the other, for the tests */
char *
kymo_chart_table_dup_lines (KymoChartTable *self)
{
  GString *text = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *cells = dup_cells (kymo_chart_columns_line_at (self->columns, i), self);
      g_autofree char *words = kymo_chart_phrase (cells);

      g_string_append_printf (text, "%s\n", words);
    }
  return g_string_free (text, FALSE);
}

static void
kymo_chart_table_dispose (GObject *object)
{
  KymoChartTable *self = KYMO_CHART_TABLE (object);

  g_clear_handle_id (&self->renew_id, g_source_remove);
  if (self->blocks != NULL)
    kymo_chart_table_set_canvas (self, NULL);
  g_clear_handle_id (&self->renew_id, g_source_remove);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->lines, kymo_chart_lines_free);
  g_clear_pointer (&self->blocks, kymo_chart_blocks_free);
  g_clear_pointer (&self->columns, kymo_chart_columns_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_chart_table_parent_class)->dispose (object);
}

static void
kymo_chart_table_class_init (KymoChartTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_chart_table_dispose;
  kymo_signal_new ("closed", KYMO_TYPE_CHART_TABLE, 0);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        KymoChartTable *self)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit_by_name (self, "closed");
  return GDK_EVENT_STOP;
}

/* What a line stands for. */
static void
link_line (KymoChartTable *self, GtkWidget *label, guint index)
{
  KymoHoverSubject subject = KYMO_HOVER_SUBJECT_INIT;
  guint n = head_length (self);

  if (index < n && self->lines != NULL)
    subject = kymo_chart_lines_get_subject (self->lines, index);
  else if (index < n)
    subject = subject_of_item (self->items->pdata[index]);
  else if (index - n < kymo_chart_blocks_get_n (self->blocks))
    subject = kymo_chart_blocks_get_subject (self->blocks, index - n);
  kymo_hover_row_stand_for (label, &subject);
}

static void
on_link (GtkWidget *label, guint line, gboolean is_new, gpointer data)
{
  KymoChartTable *self = data;

  if (is_new)
    kymo_hover_row_attach (label, self->session);
  else
    link_line (self, label, line);
}

static void
kymo_chart_table_init (KymoChartTable *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkScrolledWindow *scrolled;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
  self->location = -1;
  self->columns = kymo_chart_columns_new (dup_cells, on_link, self);
  self->selection = kymo_chart_columns_peek_selection (self->columns);
  self->list = kymo_chart_columns_peek_view (self->columns);
  kymo_accessible_name (self->list, _("Table behind the picture"));
  self->title = kymo_label_new_cut (NULL, "heading");
  gtk_widget_set_margin_start (self->title, 12);
  gtk_widget_set_margin_top (self->title, 6);
  gtk_widget_set_margin_bottom (self->title, 2);
  self->scroller = gtk_scrolled_window_new ();
  scrolled = GTK_SCROLLED_WINDOW (self->scroller);
  gtk_widget_add_css_class (GTK_WIDGET (self), "kymo-chart-table");
  gtk_widget_add_css_class (self->scroller, "kymo-lines");
  gtk_scrolled_window_set_child (scrolled, self->list);
  gtk_scrolled_window_set_min_content_height (scrolled, LIST_PX);
  gtk_box_append (GTK_BOX (self), self->title);
  gtk_box_append (GTK_BOX (self), self->scroller);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  kymo_follow (self->selection, "notify::selected", on_selected, self);
}

/**
 * kymo_chart_table_new:
 * @session: whose range, selection and words of blocks it follows; the table holds a reference
 *
 * Returns: (transfer floating): a hidden table of no picture
 */
GtkWidget *
kymo_chart_table_new (KymoSession *session)
{
  KymoChartTable *self = g_object_new (KYMO_TYPE_CHART_TABLE, NULL);

  self->session = g_object_ref (session);
  self->blocks = kymo_chart_blocks_new (session, on_blocks, self);
  kymo_follow (session, "range-changed", queue_renew, self);
  kymo_follow (session, "selection-changed", on_selection_changed, self);
  kymo_follow (kymo_block_words_of (session), "changed", on_words, self);
  return GTK_WIDGET (self);
}
