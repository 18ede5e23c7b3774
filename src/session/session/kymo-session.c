/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of one open run as the person sees it. The session owns its
 * source, colours, history and bookmarks. Main thread only.
 *
 * Invariant: the visible range lies inside the full range and is at least
 * 1 us long (or as long as the run, when that is shorter). A session beside
 * another one has no colours, hidden names and locations of its own.
 */
#include "config.h"

#include "kymo-session-private.h"

#include <math.h>

/* Steps of one turn of the wheel are one step of the history. */
#define GESTURE_US 600000

G_DEFINE_FINAL_TYPE (KymoSession, kymo_session, G_TYPE_OBJECT)

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

/**
 * kymo_session_emit:
 * @signal: of the enum in kymo-session-private.h, RANGE_CHANGED and the like
 */
void
kymo_session_emit (KymoSession *self, guint signal)
{
  g_signal_emit (self, signals[signal], 0);
}

/**
 * kymo_session_notify:
 * @property: of the enum in kymo-session-private.h, PROP_FOLLOW and the like
 */
void
kymo_session_notify (KymoSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static gint64
least_length (KymoSession *self)
{
  return MIN (MAX (KYMO_SESSION_LEAST_NS, self->least_ns),
              kymo_span_length (self->full));
}

/**
 * kymo_session_fitted:
 * @begin: about where the stretch begins, in ns
 * @length: of the stretch, in ns; not below the shortest that is shown
 *
 * Returns: the stretch, shifted into the run
 */
KymoSpan
kymo_session_fitted (KymoSession *self, double begin, double length)
{
  double full = kymo_span_length (self->full);
  KymoSpan span;

  length = CLAMP (length, least_length (self), full);
  begin = CLAMP (begin, (double) self->full.begin_ns,
                 (double) self->full.end_ns - length);
  span.begin_ns = MAX ((gint64) llround (begin), self->full.begin_ns);
  span.end_ns = MIN (span.begin_ns + (gint64) llround (length),
                     self->full.end_ns);
  return span;
}

/** kymo_spans_equal: whether both begin and end at the same nanosecond */
gboolean
kymo_spans_equal (KymoSpan a, KymoSpan b)
{
  return a.begin_ns == b.begin_ns && a.end_ns == b.end_ns;
}

static void
kymo_session_constructed (GObject *object)
{
  KymoSession *self = KYMO_SESSION (object);

  G_OBJECT_CLASS (kymo_session_parent_class)->constructed (object);
  kymo_session_measure (self);
  self->range = self->full;
  kymo_follow (self->source, "grown", kymo_session_grow, self);
  if (self->first != NULL)
    {
      kymo_session_share (self);
      return;
    }
  kymo_session_rebuild_colors (self);
  kymo_session_ask_for_names (self);
}

static void
kymo_session_dispose (GObject *object)
{
  KymoSession *self = KYMO_SESSION (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->names_id, g_source_remove);
  g_clear_object (&self->selected_block);
  g_clear_object (&self->source);
  G_OBJECT_CLASS (kymo_session_parent_class)->dispose (object);
}

static void
kymo_session_finalize (GObject *object)
{
  KymoSession *self = KYMO_SESSION (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->first);
  g_clear_pointer (&self->back, g_array_unref);
  g_clear_pointer (&self->forward, g_array_unref);
  g_clear_pointer (&self->colors, kymo_colors_unref);
  g_clear_pointer (&self->palette, kymo_palette_unref);
  g_clear_pointer (&self->names, g_strfreev);
  g_clear_pointer (&self->groups, g_hash_table_unref);
  g_clear_pointer (&self->families, g_hash_table_unref);
  g_clear_pointer (&self->hidden, g_hash_table_unref);
  g_clear_pointer (&self->ids, g_hash_table_unref);
  g_clear_pointer (&self->hovered, g_free);
  g_clear_pointer (&self->pointed, g_free);
  g_clear_handle_id (&self->point_id, g_source_remove);
  g_clear_pointer (&self->hovered_set, kymo_id_set_unref);
  g_clear_pointer (&self->locations, kymo_id_set_unref);
  g_clear_pointer (&self->classes, kymo_table_unref);
  g_clear_pointer (&self->order, g_array_unref);
  g_clear_pointer (&self->rows, kymo_session_rows_free);
  g_clear_pointer (&self->path, kymo_session_path_free);
  g_clear_pointer (&self->bookmarks, g_ptr_array_unref);
  g_clear_pointer (&self->run_bookmarks, g_ptr_array_unref);
  kymo_session_clear_profile (self);
  G_OBJECT_CLASS (kymo_session_parent_class)->finalize (object);
}

static void
kymo_session_get_property (GObject *object, guint id, GValue *value,
                           GParamSpec *pspec)
{
  KymoSession *self = KYMO_SESSION (object);

  switch (id)
    {
    case PROP_SOURCE:
      g_value_set_object (value, self->source);
      break;
    case PROP_PALETTE:
      g_value_set_uint (value, kymo_palette_get_base (kymo_session_of_names (self)->palette));
      break;
    case PROP_HOVERED_NAME:
      g_value_set_string (value, kymo_session_peek_hovered (self));
      break;
    case PROP_FOLLOW:
      g_value_set_int64 (value, self->follow_ns);
      break;
    case PROP_FIRST:
      g_value_set_object (value, self->first);
      break;
    case PROP_BY_CLASS:
      g_value_set_boolean (value, kymo_session_get_by_class (self));
      break;
    case PROP_EXTRAPOLATES:
      g_value_set_boolean (value, kymo_session_get_extrapolates (self));
      break;
    case PROP_HISTORY_DEPTH:
      g_value_set_uint (value, self->back->len);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kymo_session_set_property (GObject *object, guint id, const GValue *value,
                           GParamSpec *pspec)
{
  KymoSession *self = KYMO_SESSION (object);

  switch (id)
    {
    case PROP_SOURCE:
      self->source = g_value_dup_object (value);
      break;
    case PROP_PALETTE:
      kymo_session_set_palette (self, g_value_get_uint (value));
      break;
    case PROP_FOLLOW:
      kymo_session_set_follow (self, g_value_get_int64 (value));
      break;
    case PROP_FIRST:
      self->first = g_value_dup_object (value);
      break;
    case PROP_HOVERED_NAME:
      kymo_session_set_hovered (self, g_value_get_string (value));
      break;
    case PROP_BY_CLASS:
      kymo_session_set_by_class (self, g_value_get_boolean (value));
      break;
    case PROP_EXTRAPOLATES:
      kymo_session_set_extrapolates (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kymo_session_class_init (KymoSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  static const char *const names[N_SIGNALS] = {
    "range-changed", "selection-changed", "filter-changed",
    "colors-changed", "markers-changed", "bookmarks-changed", "grown",
    "classes-changed", "profile-changed", "function-changed",
    "thread-changed", "rows-changed", "messages-changed",
    "path-changed", "hover-changed",
  };
  const GParamFlags flags = G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->constructed = kymo_session_constructed;
  object_class->dispose = kymo_session_dispose;
  object_class->finalize = kymo_session_finalize;
  object_class->get_property = kymo_session_get_property;
  object_class->set_property = kymo_session_set_property;

  props[PROP_SOURCE] =
    g_param_spec_object ("source", NULL, NULL, KYMO_TYPE_SOURCE,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY
                         | G_PARAM_STATIC_STRINGS);
  props[PROP_PALETTE] =
    g_param_spec_uint ("palette", NULL, NULL, 0, KYMO_PALETTE_SAFE, 0,
                       G_PARAM_READWRITE | flags);
  props[PROP_HOVERED_NAME] =
    g_param_spec_string ("hovered-name", NULL, NULL, NULL,
                         G_PARAM_READWRITE | flags);
  props[PROP_HISTORY_DEPTH] =
    g_param_spec_uint ("history-depth", NULL, NULL, 0, G_MAXUINT, 0,
                       G_PARAM_READABLE | flags);
  props[PROP_FOLLOW] =
    g_param_spec_int64 ("follow", NULL, NULL, 0, G_MAXINT64, 0,
                        G_PARAM_READWRITE | flags);
  props[PROP_FIRST] =
    g_param_spec_object ("first", NULL, NULL, KYMO_TYPE_SESSION,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY
                         | G_PARAM_STATIC_STRINGS);
  props[PROP_BY_CLASS] =
    g_param_spec_boolean ("by-class", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | flags);
  props[PROP_EXTRAPOLATES] =
    g_param_spec_boolean ("extrapolates", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = kymo_signal_new (names[i], KYMO_TYPE_SESSION, 0);
}

static void
kymo_session_init (KymoSession *self)
{
  self->cancellable = g_cancellable_new ();
  self->palette = kymo_palette_new (KYMO_PALETTE_STANDARD);
  self->back = g_array_new (FALSE, FALSE, sizeof (KymoSpan));
  self->forward = g_array_new (FALSE, FALSE, sizeof (KymoSpan));
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->bookmarks = g_ptr_array_new_with_free_func (kymo_session_free_bookmark);
  self->run_bookmarks = g_ptr_array_new_with_free_func (kymo_session_free_bookmark);
  self->messages = KYMO_MESSAGES_BLOCK;
  self->message_tag = -1;
  self->gesture_us = G_MININT64 / 2;
}

/**
 * kymo_session_new:
 * @source: where answers come from
 *
 * Returns: (transfer full): a session that shows the whole run
 */
KymoSession *
kymo_session_new (KymoSource *source)
{
  return g_object_new (KYMO_TYPE_SESSION, "source", source, NULL);
}

/**
 * kymo_session_peek_source:
 *
 * Returns: (transfer none): the source that answers questions about the run, or the comparison
 */
KymoSource *
kymo_session_peek_source (KymoSession *self)
{
  return self->source;
}

/* -- range and history ---------------------------------------------------- */

/** kymo_session_get_full_range: the whole run */
KymoSpan
kymo_session_get_full_range (KymoSession *self)
{
  return self->full;
}

/** kymo_session_get_stretch: where a coupling has set one */
KymoSpan
kymo_session_get_stretch (KymoSession *self)
{
  return self->stretch;
}

/** kymo_session_get_range: what is visible */
KymoSpan
kymo_session_get_range (KymoSession *self)
{
  return self->range;
}

/**
 * kymo_session_show:
 * @range: inside of the full range and long enough, which is not checked
 *
 * Shows the range without a step of the history; emits "range-changed" where it is another one.
 */
void
kymo_session_show (KymoSession *self, KymoSpan range)
{
  if (kymo_spans_equal (range, self->range))
    return;
  self->range = range;
  kymo_session_emit (self, RANGE_CHANGED);
}

/** kymo_session_push_history: the visible range is one to come back to */
void
kymo_session_push_history (KymoSession *self)
{
  g_array_append_val (self->back, self->range);
  g_array_set_size (self->forward, 0);
  kymo_session_notify (self, PROP_HISTORY_DEPTH);
}

/**
 * kymo_session_set_range:
 * @self: the session
 * @range: what to show
 * @remember: whether the old range goes into the zoom history
 */
void
kymo_session_set_range (KymoSession *self,
                        KymoSpan     range,
                        gboolean     remember)
{
  range = kymo_span_intersect (range, self->full);
  if (kymo_span_length (range) < least_length (self))
    range = kymo_session_fitted (self, MIN (range.begin_ns, self->full.end_ns),
                    least_length (self));
  if (kymo_spans_equal (range, self->range))
    return;
  if (remember)
    kymo_session_push_history (self);
  kymo_session_stand (self);
  self->gesture_us = G_MININT64 / 2;
  kymo_session_show (self, range);
}

/* Many small steps in a row are remembered as one. */
static void
change_by_gesture (KymoSession *self, KymoSpan range)
{
  gint64 now_us = g_get_monotonic_time ();

  if (kymo_spans_equal (range, self->range))
    return;
  if (now_us - self->gesture_us > GESTURE_US)
    kymo_session_push_history (self);
  kymo_session_stand (self);
  self->gesture_us = now_us;
  kymo_session_show (self, range);
}

/**
 * kymo_session_zoom:
 * @self: the session
 * @anchor_ns: the time that keeps its place; while it follows the newest time
 *   does, and it goes on following
 * @factor: above 1 shows less
 */
void
kymo_session_zoom (KymoSession *self,
                   gint64       anchor_ns,
                   double       factor)
{
  double length = kymo_span_length (self->range);
  double share, wanted;

  g_return_if_fail (factor > 0);
  if (kymo_session_zoom_follow (self, factor))
    return;
  anchor_ns = CLAMP (anchor_ns, self->range.begin_ns, self->range.end_ns);
  share = (anchor_ns - self->range.begin_ns) / length;
  wanted = CLAMP (length / factor, (double) least_length (self),
                  (double) kymo_span_length (self->full));
  change_by_gesture (self, kymo_session_fitted (self, anchor_ns - share * wanted, wanted));
}

/**
 * kymo_session_pan:
 * @self: the session
 * @share_of_range: 0.5 moves half a screen to later times
 */
void
kymo_session_pan (KymoSession *self,
                  double       share_of_range)
{
  double length = kymo_span_length (self->range);

  change_by_gesture (self, kymo_session_fitted (self, self->range.begin_ns
                                         + share_of_range * length, length));
}

/** kymo_session_fit: shows the whole run, also as it grows */
void
kymo_session_fit (KymoSession *self)
{
  kymo_session_set_range (self, self->full, TRUE);
  kymo_session_stand (self);
  self->grows = TRUE;
}

static gboolean
step_history (KymoSession *self, GArray *from, GArray *to)
{
  KymoSpan range;

  if (from->len == 0)
    return FALSE;
  range = g_array_index (from, KymoSpan, from->len - 1);
  g_array_set_size (from, from->len - 1);
  g_array_append_val (to, self->range);
  kymo_session_stand (self);
  self->gesture_us = G_MININT64 / 2;
  kymo_session_notify (self, PROP_HISTORY_DEPTH);
  kymo_session_show (self, kymo_session_fitted (self, range.begin_ns,
                                                kymo_span_length (range)));
  return TRUE;
}

/** kymo_session_back: Returns: whether there was an older range */
gboolean
kymo_session_back (KymoSession *self)
{
  return step_history (self, self->back, self->forward);
}

/** kymo_session_forward: Returns: whether there was a newer range */
gboolean
kymo_session_forward (KymoSession *self)
{
  return step_history (self, self->forward, self->back);
}

/**
 * kymo_session_can_back:
 *
 * Returns: whether kymo_session_back() has an older range to show
 */
gboolean
kymo_session_can_back (KymoSession *self)
{
  return self->back->len > 0;
}

/**
 * kymo_session_can_forward:
 *
 * Returns: whether kymo_session_forward() has a newer range to show
 */
gboolean
kymo_session_can_forward (KymoSession *self)
{
  return self->forward->len > 0;
}
