/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chart has a session of its own beside that of the view.
 *
 * Invariant: `offset` and `length` lie within a block; what is shown is that
 * part of `block`, unless it is held.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-live-detail.h"
#include "kymo-accessible.h"
#include "kymo-label.h"
#include "kymo-ruler.h"
#include "kymo-units.h"

#define BLOCK_NS G_GINT64_CONSTANT (1000000000)
#define QUARTER_NS (BLOCK_NS / 4)
#define N_QUARTERS 4
#define BAR "1000000"
#define MS G_GINT64_CONSTANT (1000000)

struct _KymoLiveDetail
{
  GtkBox       parent_instance;

  KymoSession *session;
  KymoSession *own;
  GtkWidget   *ruler, *canvas, *words, *quarters[N_QUARTERS], *newest;
  KymoSpan     block;              /* empty before the first */
  gint64       offset_ns, length_ns;
  gboolean     held;
  gboolean     selected;           /* what is held is the selection */
  gboolean     moving;             /* the range changes by itself */
};

G_DEFINE_FINAL_TYPE (KymoLiveDetail, kymo_live_detail, GTK_TYPE_BOX)

/* -- words ---------------------------------------------------------------- */

/* "block 57, 0 to 250 ms", or times where it is no part of one block. */
static char *
stretch_in_words (KymoSpan span)
{
  gint64 block = span.begin_ns / BLOCK_NS;
  gint64 from_ns = span.begin_ns - block * BLOCK_NS;
  gint64 to_ns = span.end_ns - block * BLOCK_NS;
  g_autofree char *begin = NULL, *end = NULL;

  if (to_ns <= BLOCK_NS && from_ns % MS == 0 && to_ns % MS == 0)
    return g_strdup_printf (
      _("block %" PRId64 ", %" PRId64 " to %" PRId64
        " ms"), block, from_ns / MS, to_ns / MS);
  begin = kymo_range_time_text (span.begin_ns, span);
  end = kymo_range_time_text (span.end_ns, span);
  return g_strdup_printf (_("%s to %s"), begin, end);
}

static char *
in_words (KymoLiveDetail *self)
{
  g_autofree char *stretch = NULL;

  if (kymo_span_length (self->block) <= 0)
    return g_strdup (_("Milliseconds of the newest block"));
  stretch = stretch_in_words (kymo_session_get_range (self->own));
  if (self->selected)
    return g_strdup_printf (_("Selection: %s"), stretch);
  if (self->held && kymo_session_get_follow (self->session) == 0
      && kymo_session_get_followed (self->session) > 0)
    return g_strdup_printf (_("Paused: %s"), stretch);
  if (self->held)
    return g_strdup_printf (_("Held: %s"), stretch);
  return g_strdup_printf (_("Newest: %s"), stretch);
}

static void
update_live_detail (KymoLiveDetail *self)
{
  g_autofree char *text = in_words (self);

  gtk_label_set_text (GTK_LABEL (self->words), text);
  /* Of a view that stands Go Live is the way back for all parts. */
  gtk_widget_set_visible (self->newest, self->held
                          && (kymo_session_get_follow (self->session) > 0 || self->selected));
  for (guint i = 0; i < N_QUARTERS; i++)
    {
      gboolean active = !self->held && self->length_ns == QUARTER_NS
                        && self->offset_ns == i * QUARTER_NS;

      if (gtk_toggle_button_get_active (
            GTK_TOGGLE_BUTTON (self->quarters[i])) != active)
        {
          self->moving = TRUE;
          gtk_toggle_button_set_active (
            GTK_TOGGLE_BUTTON (self->quarters[i]), active);
          self->moving = FALSE;
        }
    }
}

/* -- what is shown -------------------------------------------------------- */

static void
show_live_detail (KymoLiveDetail *self, KymoSpan span)
{
  self->moving = TRUE;
  kymo_session_set_range (self->own, span, FALSE);
  self->moving = FALSE;
}

/* The newest block, as far as it has come. */
static void
find_block (KymoLiveDetail *self)
{
  KymoSpan span = kymo_session_get_full_range (self->own);

  self->block.end_ns = span.end_ns;
  self->block.begin_ns = MAX (span.begin_ns, span.end_ns - BLOCK_NS);
}

static void
show_block (KymoLiveDetail *self)
{
  if (!self->held && kymo_span_length (self->block) > 0)
    show_live_detail (self, (KymoSpan) { self->block.begin_ns + self->offset_ns,
                                         self->block.begin_ns + self->offset_ns
                                         + self->length_ns });
  update_live_detail (self);
}

static void
on_grown (KymoLiveDetail *self)
{
  if (self->held)
    return;
  find_block (self);
  show_block (self);
}

/**
 * kymo_live_detail_release:
 *
 * Shows the newest block again, at the same place inside it, and follows the blocks that come.
 */
void
kymo_live_detail_release (KymoLiveDetail *self)
{
  self->held = self->selected = FALSE;
  find_block (self);
  show_block (self);
}

/**
 * kymo_live_detail_set_marks:
 * @marks: (nullable): rows of an answer's marks
 *
 * Gives the ruler the marks that it shows; %NULL removes them.
 */
void
kymo_live_detail_set_marks (KymoLiveDetail *self, KymoTable *marks)
{
  kymo_ruler_set_marks (KYMO_RULER (self->ruler), marks);
}

/**
 * kymo_live_detail_is_held:
 *
 * Returns: whether a stretch is held, so that the blocks that come do not replace it
 */
gboolean
kymo_live_detail_is_held (KymoLiveDetail *self)
{
  return self->held;
}

/**
 * kymo_live_detail_set_quarter:
 * @quarter: 0 to 3; each is 250 ms of a block
 *
 * Shows a quarter of the newest block, and of each block that comes. A stretch that is held is
 * released.
 */
void
kymo_live_detail_set_quarter (KymoLiveDetail *self, guint quarter)
{
  g_return_if_fail (quarter < N_QUARTERS);
  self->offset_ns = quarter * QUARTER_NS;
  self->length_ns = QUARTER_NS;
  kymo_live_detail_release (self);
}

static void
on_quarter (GtkToggleButton *button, KymoLiveDetail *self)
{
  if (self->moving)
    return;
  for (guint i = 0; i < N_QUARTERS; i++)
    if (self->quarters[i] == GTK_WIDGET (button))
      kymo_live_detail_set_quarter (self, i);
}

/* -- what the person does ------------------------------------------------- */

/* Inside the block it is a place in every block; beyond it, this stretch. */
static void
on_moved (KymoLiveDetail *self)
{
  KymoSpan range = kymo_session_get_range (self->own);

  /* A run that has become shorter moves it too, until "grown". */
  if (kymo_session_get_full_range (self->own).end_ns < self->block.end_ns)
    update_live_detail (self);
  if (self->moving || kymo_session_get_full_range (self->own).end_ns
                      < self->block.end_ns)
    return;
  if (!self->held && range.begin_ns >= self->block.begin_ns
      && range.end_ns <= self->block.end_ns)
    {
      self->offset_ns = range.begin_ns - self->block.begin_ns;
      self->length_ns = kymo_span_length (range);
    }
  else
    self->held = TRUE;
  update_live_detail (self);
}

static void
on_selection_changed (KymoLiveDetail *self)
{
  KymoSpan span;

  if (kymo_session_get_selection (self->session, &span))
    {
      self->held = self->selected = TRUE;
      show_live_detail (self, span);
      update_live_detail (self);
    }
  else if (self->selected
           && kymo_session_get_followed (self->session) > 0
           && kymo_session_get_follow (self->session) == 0)
    {
      /* of a view that stands it goes on standing */
      self->selected = FALSE;
      update_live_detail (self);
    }
  else if (self->selected)
    kymo_live_detail_release (self);
}

/* Scrolled back, the rest of the view shows a stretch: this is the last block of it, at the same
   place inside it, or all of what is shorter. */
static void
on_scrolled (KymoLiveDetail *self)
{
  KymoSpan range = kymo_session_get_range (self->session), block, place;

  if (self->selected || kymo_session_get_follow (self->session) > 0
      || kymo_session_get_followed (self->session) == 0 || kymo_span_length (range) <= 0)
    return;
  block.begin_ns = (range.end_ns - 1) / BLOCK_NS * BLOCK_NS;
  place.begin_ns = block.begin_ns + self->offset_ns;
  place.end_ns = place.begin_ns + self->length_ns;
  if (place.begin_ns < range.begin_ns || place.end_ns > range.end_ns)
    place = kymo_span_length (range) > self->length_ns
      ? (KymoSpan) { range.end_ns - self->length_ns, range.end_ns } : range;
  self->held = TRUE;
  show_live_detail (self, place);
  update_live_detail (self);
}

static void
on_follow (KymoLiveDetail *self)
{
  if (self->selected)
    return;
  if (kymo_session_get_follow (self->session) > 0)
    kymo_live_detail_release (self);
  else
    {
      self->held = TRUE;
      update_live_detail (self);
    }
}

static void
on_newest (KymoLiveDetail *self)
{
  kymo_session_set_selection (self->session, NULL);
  kymo_live_detail_release (self);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_live_detail_dispose (GObject *object)
{
  KymoLiveDetail *self = KYMO_LIVE_DETAIL (object);

  g_clear_object (&self->own);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_live_detail_parent_class)->dispose (object);
}

static void
kymo_live_detail_class_init (KymoLiveDetailClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_live_detail_dispose;
}

static void
kymo_live_detail_init (KymoLiveDetail *self)
{
  self->length_ns = QUARTER_NS;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static GtkWidget *
build_quarters (KymoLiveDetail *self)
{
  static const char *const tips[N_QUARTERS] = {
    N_("The first quarter of each block"),
    N_("The second quarter of each block"),
    N_("The third quarter of each block"),
    N_("The last quarter of each block"),
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  for (guint i = 0; i < N_QUARTERS; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i * 250);

      self->quarters[i] = gtk_toggle_button_new_with_label (text);
      gtk_widget_set_tooltip_text (self->quarters[i], _(tips[i]));
      kymo_accessible_name (self->quarters[i], _(tips[i]));
      g_signal_connect (self->quarters[i], "toggled", G_CALLBACK (on_quarter),
                        self);
      gtk_box_append (GTK_BOX (box), self->quarters[i]);
    }
  gtk_widget_add_css_class (box, "linked");
  return box;
}

static GtkWidget *
build_head (KymoLiveDetail *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *from = gtk_label_new (_("from ms"));

  self->words = kymo_label_new_cut (NULL, "numeric heading");
  gtk_widget_set_hexpand (self->words, TRUE);
  self->newest = gtk_button_new_with_label (_("Newest Block"));
  gtk_widget_set_tooltip_text (self->newest,
                               _("Show the newest block again"));
  gtk_widget_add_css_class (from, "dim-label");
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (box), self->newest);
  gtk_box_append (GTK_BOX (box), from);
  gtk_box_append (GTK_BOX (box), build_quarters (self));
  gtk_widget_add_css_class (box, "kymo-strip");
  g_signal_connect_swapped (self->newest, "clicked", G_CALLBACK (on_newest),
                            self);
  return box;
}

/** kymo_live_detail_new: @session: of the whole view */
GtkWidget *
kymo_live_detail_new (KymoSession *session)
{
  KymoLiveDetail *self = g_object_new (KYMO_TYPE_LIVE_DETAIL, NULL);

  self->session = g_object_ref (session);
  self->own = kymo_session_new_beside (session);
  self->canvas = kymo_canvas_new (kymo_plot_find ("time-profile"), self->own);
  kymo_canvas_set_replaces (KYMO_CANVAS (self->canvas), TRUE);
  kymo_canvas_set_parameter (KYMO_CANVAS (self->canvas), "bar-ns", BAR);
  gtk_box_append (GTK_BOX (self), build_head (self));
  self->ruler = kymo_ruler_new (self->own, NULL);
  gtk_box_append (GTK_BOX (self), self->ruler);
  gtk_box_append (GTK_BOX (self), self->canvas);
  kymo_follow (self->own, "grown", on_grown, self);
  kymo_follow (session, "selection-changed", on_selection_changed, self);
  kymo_follow (session, "notify::follow", on_follow, self);
  kymo_follow (session, "range-changed", on_scrolled, self);
  kymo_follow (self->own, "range-changed", on_moved, self);
  kymo_live_detail_release (self);
  return GTK_WIDGET (self);
}

/**
 * kymo_live_detail_get_canvas:
 *
 * Returns: (transfer none): the canvas of the chart
 */
KymoCanvas *
kymo_live_detail_get_canvas (KymoLiveDetail *self)
{
  return KYMO_CANVAS (self->canvas);
}

/** kymo_live_detail_peek_session: of this chart */
KymoSession *
kymo_live_detail_peek_session (KymoLiveDetail *self)
{
  return self->own;
}
