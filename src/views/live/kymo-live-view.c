/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is where in the live view. Each part asks and updates for itself; here
 * they only get their places.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-in-terms.h"
#include "kymo-live-bar.h"
#include "kymo-live-values.h"
#include "kymo-live-view.h"
#include "kymo-ruler.h"
#include "kymo-scrolled-canvas.h"

#define TABLE_PX 460
#define TABLE_LEAST_PX 300
/* Of the table above the values of the ranks, at first. */
#define TABLE_HEIGHT_PX 170
/* So much of the values can be seen; the table has what is left of a high window. */
#define VALUES_PX 440
/* The charts have so much first. */
#define CHARTS_PX 701
/* Of a large window, where names have room. */
#define TABLE_WIDE_SHARE 0.25
/* Of the height, at first. */
#define DETAIL_SHARE 0.4
#define REPLIES_SHARE 0.3
#define REPLIES_LEAST_PX 97
#define CHART_LEAST_PX 62

struct _KymoLiveView
{
  GtkBox      parent_instance;

  KymoSession *session;
  GPtrArray  *canvases;            /* KymoCanvas, borrowed */
  GtkWidget  *bar, *ruler, *upper, *main, *title, *replies, *detail, *busiest, *values;
  GSimpleActionGroup *panes;
};

G_DEFINE_FINAL_TYPE (KymoLiveView, kymo_live_view, GTK_TYPE_BOX)

/* -- the length of bars --------------------------------------------------- */

static void
on_bar_changed (KymoLiveView *self)
{
  g_autofree char *ns = g_strdup_printf (
    "%" G_GINT64_FORMAT, kymo_live_bar_get_bar_ns (KYMO_LIVE_BAR (self->bar)));

  kymo_canvas_set_parameter (KYMO_CANVAS (self->main), "bar-ns", ns);
}

static void
on_answer (KymoLiveView *self)
{
  KymoTable *answer = kymo_canvas_peek_answer (KYMO_CANVAS (self->main));

  if (answer != NULL)
    kymo_live_bar_set_shown (KYMO_LIVE_BAR (self->bar),
                             kymo_table_get_int (answer, "bar_ns", 0));
}

/* -- panes ---------------------------------------------------------------- */

static void
on_pane (GSimpleAction *action, GVariant *state, GtkWidget *pane)
{
  gtk_widget_set_visible (pane, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
add_pane (KymoLiveView *self, GMenu *menu, const char *name, const char *label,
          GtkWidget *pane)
{
  g_autofree char *full = g_strdup_printf ("panes.%s", name);
  g_autoptr (GSimpleAction) action
    = g_simple_action_new_stateful (name, NULL, g_variant_new_boolean (TRUE));

  g_signal_connect_object (action, "change-state", G_CALLBACK (on_pane), pane,
                           0);
  g_action_map_add_action (G_ACTION_MAP (self->panes), G_ACTION (action));
  g_menu_append (menu, label, full);
}

static void
build_pane_menu (KymoLiveView *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  self->panes = g_simple_action_group_new ();
  if (self->replies != NULL)
    add_pane (self, menu, "replies", _("_Replies"), self->replies);
  add_pane (self, menu, "detail", _("_Milliseconds"), self->detail);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "panes",
                                  G_ACTION_GROUP (self->panes));
  kymo_live_bar_add_menu (KYMO_LIVE_BAR (self->bar), G_MENU_MODEL (menu));
}

/* Once, when there is room to share out; after that the person moves the
   handles. */
static void
place_charts (KymoLiveView *self, GParamSpec *pspec, GtkPaned *paned)
{
  int height = gtk_widget_get_height (GTK_WIDGET (paned));
  double upper = height * (1 - DETAIL_SHARE);

  if (height < 100)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_charts, self);
  gtk_paned_set_position (paned, upper);
  upper -= gtk_widget_get_height (self->ruler);
  gtk_paned_set_position (GTK_PANED (self->upper), upper
                          - MAX (upper * REPLIES_SHARE, REPLIES_LEAST_PX));
}

static void
place_values (GtkPaned *paned)
{
  int height = gtk_widget_get_height (GTK_WIDGET (paned));

  if (height < 100)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_values, NULL);
  gtk_paned_set_position (paned, MAX (TABLE_HEIGHT_PX, height - VALUES_PX));
}

/* The table as wide as its columns, where the charts have room enough. */
static void
place_table (GtkPaned *paned)
{
  int width = gtk_widget_get_width (GTK_WIDGET (paned));
  double most = MAX (TABLE_PX, width * TABLE_WIDE_SHARE);

  if (width < 100)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_table, NULL);
  gtk_paned_set_position (paned, width - CLAMP (width - CHARTS_PX, TABLE_LEAST_PX, most));
}

static GtkWidget *
paned (GtkOrientation orientation, GtkWidget *start, GtkWidget *end)
{
  GtkWidget *paned = gtk_paned_new (orientation);

  gtk_paned_set_start_child (GTK_PANED (paned), start);
  gtk_paned_set_end_child (GTK_PANED (paned), end);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  return paned;
}

/* -- building ------------------------------------------------------------- */

static GtkWidget *
build_canvas (KymoLiveView *self, const char *plot)
{
  const KymoPlotClass *klass = kymo_plot_find (plot);
  GtkWidget *canvas;

  if (klass == NULL)
    return NULL;
  canvas = kymo_canvas_new (klass, self->session);
  g_ptr_array_add (self->canvases, canvas);
  return canvas;
}

/* A stream tells what its program is made of only with its names. */
static void
on_grown (KymoLiveView *self)
{
  gtk_label_set_label (GTK_LABEL (self->title), kymo_in_terms_of (
    self->session, _("Time of all {rows} by {code}")));
}

/* A chart, or NULL where there is none, below the words for what it shows. */
static GtkWidget *
add_title (GtkWidget *chart, GtkWidget *label)
{
  GtkWidget *box;

  if (chart == NULL)
    return NULL;
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_margin_start (label, 8);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), chart);
  return box;
}

static GtkWidget *
build_charts (KymoLiveView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *charts;

  self->main = build_canvas (self, "time-profile");
  self->replies = build_canvas (self, "replies");
  self->detail = kymo_live_detail_new (self->session);
  g_ptr_array_add (self->canvases, kymo_live_detail_get_canvas (
    KYMO_LIVE_DETAIL (self->detail)));
  self->ruler = kymo_ruler_new (self->session, NULL);
  gtk_box_append (GTK_BOX (box), self->ruler);
  self->replies = add_title (self->replies, gtk_label_new (_("Size and delay of replies")));
  self->title = gtk_label_new (NULL);
  self->upper = paned (GTK_ORIENTATION_VERTICAL, add_title (self->main, self->title),
                       self->replies);
  gtk_box_append (GTK_BOX (box), self->upper);
  charts = paned (GTK_ORIENTATION_VERTICAL, box, self->detail);
  /* All are to be seen in a window of 640 px, replies with a scale. */
  kymo_canvas_set_least_height (KYMO_CANVAS (self->main), CHART_LEAST_PX);
  kymo_canvas_set_least_height (kymo_live_detail_get_canvas (KYMO_LIVE_DETAIL (self->detail)),
                                CHART_LEAST_PX);
  kymo_follow (charts, "notify::max-position", place_charts, self);
  return charts;
}

/* From each chart; other widgets have uses of their own for it. */
static gboolean
on_live_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
             KymoLiveView *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  if (key != GDK_KEY_space || !KYMO_IS_CANVAS (focus)
      || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  kymo_live_bar_pause (KYMO_LIVE_BAR (self->bar));
  return GDK_EVENT_STOP;
}

static void
add_keys (KymoLiveView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_live_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

static void
kymo_live_view_dispose (GObject *object)
{
  KymoLiveView *self = KYMO_LIVE_VIEW (object);

  g_ptr_array_set_size (self->canvases, 0);
  g_clear_object (&self->panes);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_live_view_parent_class)->dispose (object);
}

static void
kymo_live_view_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_LIVE_VIEW (object)->canvases);
  G_OBJECT_CLASS (kymo_live_view_parent_class)->finalize (object);
}

static void
kymo_live_view_class_init (KymoLiveViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_live_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_live_view_finalize;
}

static void
kymo_live_view_init (KymoLiveView *self)
{
  self->canvases = g_ptr_array_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

/**
 * kymo_live_view_new:
 * @session: the state of the run; it follows from now on, unless it did before
 * @feed: where the stream comes from
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
kymo_live_view_new (KymoSession *session, KymoFeed *feed)
{
  KymoLiveView *self = g_object_new (KYMO_TYPE_LIVE_VIEW, NULL);
  GtkWidget *charts, *desk, *side;

  self->session = g_object_ref (session);
  if (kymo_session_get_followed (session) == 0)
    kymo_session_set_follow (session, KYMO_LIVE_FOLLOW_NS);
  self->bar = kymo_live_bar_new (session, feed);
  self->busiest = kymo_busiest_view_new (session);
  gtk_widget_set_size_request (self->busiest, TABLE_LEAST_PX, -1);
  charts = build_charts (self);
  self->values = kymo_live_values_new (feed);
  side = paned (GTK_ORIENTATION_VERTICAL, self->busiest, self->values);
  gtk_paned_set_resize_start_child (GTK_PANED (side), FALSE);
  gtk_paned_set_position (GTK_PANED (side), TABLE_HEIGHT_PX);
  g_signal_connect (side, "notify::max-position", G_CALLBACK (place_values), NULL);
  desk = paned (GTK_ORIENTATION_HORIZONTAL, charts, side);
  gtk_paned_set_resize_end_child (GTK_PANED (desk), FALSE);
  g_signal_connect (desk, "notify::max-position", G_CALLBACK (place_table),
                    NULL);
  gtk_box_append (GTK_BOX (self), self->bar);
  gtk_box_append (GTK_BOX (self), kymo_scrolled_pictures_new (desk, 0));
  build_pane_menu (self);
  add_keys (self);
  on_bar_changed (self);
  on_grown (self);
  kymo_follow (session, "grown", on_grown, self);
  kymo_follow (self->bar, "bar-changed", on_bar_changed, self);
  kymo_follow (self->main, "answer-changed", on_answer, self);
  return GTK_WIDGET (self);
}

/**
 * kymo_live_view_peek_canvases:
 *
 * Returns: (transfer none) (element-type KymoCanvas): the charts of the view, the main chart first
 */
GPtrArray *
kymo_live_view_peek_canvases (KymoLiveView *self)
{
  return self->canvases;
}

/**
 * kymo_live_view_get_detail:
 *
 * Returns: (transfer none): the chart of the newest block
 */
KymoLiveDetail *
kymo_live_view_get_detail (KymoLiveView *self)
{
  return KYMO_LIVE_DETAIL (self->detail);
}

/**
 * kymo_live_view_peek_busiest:
 *
 * Returns: (transfer none): the table of the busiest entry methods
 */
KymoBusiestView *
kymo_live_view_peek_busiest (KymoLiveView *self)
{
  return KYMO_BUSIEST_VIEW (self->busiest);
}

/**
 * kymo_live_view_show_legend:
 *
 * Shows or hides the table of the busiest entry methods, which is the legend of this view.
 */
void
kymo_live_view_show_legend (KymoLiveView *self, gboolean visible)
{
  gtk_widget_set_visible (self->busiest, visible);
}

/**
 * kymo_live_view_set_marks:
 * @marks: (nullable): rows of an answer's marks
 *
 * Gives the marks to the ruler of the main chart and to the ruler of the newest block; %NULL
 * removes them.
 */
void
kymo_live_view_set_marks (KymoLiveView *self, KymoTable *marks)
{
  kymo_ruler_set_marks (KYMO_RULER (self->ruler), marks);
  kymo_live_detail_set_marks (KYMO_LIVE_DETAIL (self->detail), marks);
}

/**
 * kymo_live_view_set_filter:
 * @text: "" lists all names
 *
 * Filters the table of the busiest entry methods by name.
 */
void
kymo_live_view_set_filter (KymoLiveView *self, const char *text)
{
  kymo_line_table_set_filter (KYMO_LINE_TABLE (self->busiest), text, NULL);
}
