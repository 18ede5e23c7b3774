/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-session-coupling.h. The coupling owns its sessions; they do not know it.
 *
 * Invariant: between two turns of the main loop the visible range, selection and
 * history of every session is map() of those of the session where the last gesture
 * was. The full ranges (bounds) are equally long on one scale, and map() is then
 * an addition, exact in both directions; else it rounds to the nearest nanosecond.
 * What is mapped is never mapped on, so that nothing drifts.
 */
#include "config.h"

#include "kymo-session-coupling.h"

#include "kymo-comparison.h"
#include "kymo-session-private.h"
#include "kymo-session-profile.h"

typedef struct
{
  KymoSession *session;
  gint64       offset_ns;
  guint        n_back, n_forward;  /* of its history when it was last passed on */
} Member;

struct _KymoSessionCoupling
{
  GObject    parent_instance;

  GPtrArray *members;              /* Member */
  gboolean   shared;
  gboolean   passing;              /* one session's state to the others */
};

G_DEFINE_FINAL_TYPE (KymoSessionCoupling, kymo_session_coupling, G_TYPE_OBJECT)

static Member *
member_at (KymoSessionCoupling *self, guint index)
{
  return g_ptr_array_index (self->members, index);
}

static gboolean
is_timed (Member *member)
{
  return kymo_session_has_time (member->session);
}

/* -- from one to another -------------------------------------------------- */

/* The same share of `to` that a time is of `from`, to the nearest nanosecond. */
static gint64
map_time (KymoSpan from, KymoSpan to, gint64 time_ns)
{
  __int128 length = MAX (kymo_span_length (from), 1);
  __int128 twice = (__int128) 2 * ((__int128) time_ns - from.begin_ns)
                   * kymo_span_length (to) + length;
  __int128 quotient = twice / (2 * length);

  if (twice % (2 * length) < 0)
    quotient--;
  return CLAMP (quotient + to.begin_ns, -(__int128) G_MAXINT64, G_MAXINT64);
}

static KymoSpan
map_span (Member *from, Member *to, KymoSpan span)
{
  return (KymoSpan) {
    map_time (from->session->full, to->session->full, span.begin_ns),
    map_time (from->session->full, to->session->full, span.end_ns)
  };
}

static void
map_spans (Member *from, Member *to, GArray *spans, GArray *mapped)
{
  g_array_set_size (mapped, spans->len);
  for (guint i = 0; i < spans->len; i++)
    g_array_index (mapped, KymoSpan, i)
      = map_span (from, to, g_array_index (spans, KymoSpan, i));
}

/* -- bounds --------------------------------------------------------------- */

static gboolean
has_stretch (Member *member)
{
  return kymo_span_length (member->session->stretch) > 0;
}

static KymoSpan
span_of (Member *member)
{
  KymoSpan span = has_stretch (member) ? member->session->stretch
                  : kymo_source_get_span (kymo_session_peek_source (member->session));

  span.end_ns = MAX (span.end_ns, span.begin_ns + KYMO_SESSION_LEAST_NS);
  return span;
}

/* Of all runs in shared time; of the first alone where no run has a time axis. */
static KymoSpan
union_of (KymoSessionCoupling *self)
{
  KymoSpan all = { G_MAXINT64, G_MININT64 };

  for (guint i = 1; i < self->members->len; i++)
    {
      Member *member = member_at (self, i);
      KymoSpan span = span_of (member);

      if (!is_timed (member))
        continue;
      all.begin_ns = MIN (all.begin_ns, span.begin_ns - member->offset_ns);
      all.end_ns = MAX (all.end_ns, span.end_ns - member->offset_ns);
    }
  return all.begin_ns < all.end_ns ? all : span_of (member_at (self, 0));
}

/* In shared time: from where the stretch of the first run begins to where the first one ends, up to
   which runs can be compared; on scales of their own that of the first run. */
static void
take_stretch (KymoSessionCoupling *self)
{
  Member *first = member_at (self, 0);
  KymoSpan all = { 0, 0 };

  for (guint i = 1; i < self->members->len; i++)
    {
      Member *member = member_at (self, i);
      KymoSpan stretch = member->session->stretch;

      if (!has_stretch (member) || (kymo_span_length (all) > 0 && !self->shared))
        continue;
      stretch.begin_ns -= member->offset_ns;
      stretch.end_ns -= member->offset_ns;
      if (kymo_span_length (all) == 0)
        all = stretch;
      else if (stretch.end_ns > all.begin_ns)
        all.end_ns = MIN (all.end_ns, stretch.end_ns);
    }
  first->session->stretch = all;
}

static void
bound (KymoSessionCoupling *self, KymoSpan all)
{
  gint64 shortest = G_MAXINT64;

  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = member_at (self, i);
      KymoSession *session = member->session;

      session->has_bounds = TRUE;
      session->bounds = self->shared && is_timed (member)
        ? (KymoSpan) { all.begin_ns + member->offset_ns,
                       all.end_ns + member->offset_ns }
        : i == 0 ? all : span_of (member);
      if (is_timed (member))
        shortest = MIN (shortest, kymo_span_length (session->bounds));
    }
  /* A range that is long enough in one run must be long enough in the others, too. */
  for (guint i = 0; i < self->members->len; i++)
    {
      KymoSession *session = member_at (self, i)->session;
      __int128 length = kymo_span_length (session->bounds);

      session->least_ns = is_timed (member_at (self, i))
        ? (KYMO_SESSION_LEAST_NS * length + shortest - 1) / shortest : 0;
      kymo_session_measure (session);
    }
}

/* -- passing on ----------------------------------------------------------- */

static void
pass_history (KymoSessionCoupling *self, Member *from)
{
  from->n_back = from->session->back->len;
  from->n_forward = from->session->forward->len;
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *to = member_at (self, i);

      if (to == from || !is_timed (to))
        continue;
      map_spans (from, to, from->session->back, to->session->back);
      map_spans (from, to, from->session->forward, to->session->forward);
      to->n_back = from->n_back;
      to->n_forward = from->n_forward;
      kymo_session_notify (to->session, PROP_HISTORY_DEPTH);
    }
}

static gboolean
has_new_history (Member *member)
{
  return member->n_back != member->session->back->len
         || member->n_forward != member->session->forward->len;
}

static void
pass_range (KymoSessionCoupling *self, Member *from)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      Member *to = member_at (self, i);

      if (to == from || !is_timed (to))
        continue;
      /* A gesture is a single step of the history, whichever picture it ends in. */
      to->session->gesture_us = from->session->gesture_us;
      kymo_session_show (to->session, map_span (from, to, from->session->range));
    }
}

static void
pass_selection (KymoSessionCoupling *self, Member *from)
{
  KymoSpan span, mapped;
  gboolean has = kymo_session_get_selection (from->session, &span);

  for (guint i = 0; i < self->members->len; i++)
    {
      Member *to = member_at (self, i);

      if (to == from || !is_timed (to))
        continue;
      if (has)
        mapped = map_span (from, to, span);
      kymo_session_set_selection (to->session, has ? &mapped : NULL);
    }
}

static Member *
begin_passing (KymoSessionCoupling *self, KymoSession *session)
{
  if (self->passing)
    return NULL;
  for (guint i = 0; i < self->members->len; i++)
    if (member_at (self, i)->session == session)
      {
        self->passing = TRUE;
        return member_at (self, i);
      }
  return NULL;
}

static void
on_range (KymoSession *session, KymoSessionCoupling *self)
{
  Member *from = begin_passing (self, session);

  if (from == NULL)
    return;
  if (is_timed (from))
    {
      if (has_new_history (from))
        pass_history (self, from);
      pass_range (self, from);
    }
  self->passing = FALSE;
}

static void
on_history (KymoSession *session, GParamSpec *pspec, KymoSessionCoupling *self)
{
  Member *from = begin_passing (self, session);

  if (from == NULL)
    return;
  if (is_timed (from) && has_new_history (from))
    pass_history (self, from);
  self->passing = FALSE;
}

static void
on_selection (KymoSession *session, KymoSessionCoupling *self)
{
  Member *from = begin_passing (self, session);

  if (from == NULL)
    return;
  if (is_timed (from))
    pass_selection (self, from);
  self->passing = FALSE;
}

static void
on_function (KymoSession *session, KymoSessionCoupling *self)
{
  if (begin_passing (self, session) == NULL)
    return;
  for (guint i = 0; i < self->members->len; i++)
    kymo_session_set_function (member_at (self, i)->session,
                               kymo_session_peek_function (session));
  self->passing = FALSE;
}

/* -- another scale -------------------------------------------------------- */

/* The bounds are others: what the first session shows stays as far as it can, and
   all is passed on anew. */
static void
renew_session_coupling (KymoSessionCoupling *self)
{
  Member *first = member_at (self, 0);
  KymoSession *session = first->session;
  gboolean all = kymo_spans_equal (session->range, session->full);

  self->passing = TRUE;
  take_stretch (self);
  bound (self, self->shared ? union_of (self) : span_of (first));
  kymo_session_show (session, all ? session->full : kymo_session_fitted (
    session, session->range.begin_ns, kymo_span_length (session->range)));
  pass_history (self, first);
  pass_range (self, first);
  pass_selection (self, first);
  /* A new place of the axis in the whole has to be drawn, also where the range stays the same. */
  for (guint i = 0; i < self->members->len; i++)
    kymo_session_emit (member_at (self, i)->session, RANGE_CHANGED);
  self->passing = FALSE;
}

static void
on_grown (KymoSession *session, KymoSessionCoupling *self)
{
  if (!self->passing)
    renew_session_coupling (self);
}

static void
adopt (KymoSessionCoupling *self, KymoSession *session)
{
  Member *member = g_new0 (Member, 1);

  member->session = session;
  g_ptr_array_add (self->members, member);
  g_signal_connect_object (session, "range-changed", G_CALLBACK (on_range), self, 0);
  g_signal_connect_object (session, "notify::history-depth", G_CALLBACK (on_history),
                           self, 0);
  g_signal_connect_object (session, "selection-changed", G_CALLBACK (on_selection),
                           self, 0);
  g_signal_connect_object (session, "function-changed", G_CALLBACK (on_function),
                           self, 0);
  g_signal_connect_object (session, "grown", G_CALLBACK (on_grown), self, 0);
}

/* -- for views ------------------------------------------------------------ */

/**
 * kymo_session_coupling_new:
 * @first: the session of what the runs have in common
 *
 * Returns: (transfer full): a coupling on one scale
 */
KymoSessionCoupling *
kymo_session_coupling_new (KymoSession *first)
{
  KymoSessionCoupling *self = g_object_new (KYMO_TYPE_SESSION_COUPLING, NULL);

  adopt (self, g_object_ref (first));
  return self;
}

/**
 * kymo_session_coupling_add:
 * @source: a run
 *
 * Returns: (transfer none): its session, the next one; it shows what the others do
 */
KymoSession *
kymo_session_coupling_add (KymoSessionCoupling *self, KymoSource *source)
{
  KymoSession *session = g_object_new (KYMO_TYPE_SESSION, "source", source, "first",
                                       member_at (self, 0)->session, NULL);

  adopt (self, session);
  renew_session_coupling (self);
  return session;
}

/** kymo_session_coupling_get_n: how many sessions, with the first */
guint
kymo_session_coupling_get_n (KymoSessionCoupling *self)
{
  return self->members->len;
}

/**
 * kymo_session_coupling_peek:
 * @index: of a session; 0 is the first, which stands for all
 *
 * Returns: (transfer none): the session
 */
KymoSession *
kymo_session_coupling_peek (KymoSessionCoupling *self, guint index)
{
  g_return_val_if_fail (index < self->members->len, NULL);
  return member_at (self, index)->session;
}

/**
 * kymo_session_coupling_set_offset:
 * @index: of a run, from 1
 * @offset_ns: what its time is ahead of shared time; bounded by %KYMO_MOST_OFFSET_NS
 *
 * The first session stays where it is, and so do the runs whose offset stays.
 */
void
kymo_session_coupling_set_offset (KymoSessionCoupling *self, guint index,
                                  gint64 offset_ns)
{
  g_return_if_fail (index > 0 && index < self->members->len);
  offset_ns = CLAMP (offset_ns, -KYMO_MOST_OFFSET_NS, KYMO_MOST_OFFSET_NS);
  if (member_at (self, index)->offset_ns == offset_ns)
    return;
  member_at (self, index)->offset_ns = offset_ns;
  renew_session_coupling (self);
}

/**
 * kymo_session_coupling_set_stretch:
 * @index: of a run, from 1
 * @stretch: in the time of the run, not empty
 *
 * Looks at a stretch of the run alone: it bounds what is visible, and times are told from its
 * begin.
 */
void
kymo_session_coupling_set_stretch (KymoSessionCoupling *self, guint index, KymoSpan stretch)
{
  g_return_if_fail (index > 0 && index < self->members->len);
  g_return_if_fail (kymo_span_length (stretch) > 0);
  member_at (self, index)->session->stretch = stretch;
  renew_session_coupling (self);
}

/**
 * kymo_session_coupling_get_offset:
 * @index: of a session
 *
 * Returns: nanoseconds by which times of its run are later than shared time
 */
gint64
kymo_session_coupling_get_offset (KymoSessionCoupling *self, guint index)
{
  g_return_val_if_fail (index < self->members->len, 0);
  return member_at (self, index)->offset_ns;
}

/**
 * kymo_session_coupling_set_shared:
 * @shared: %TRUE for one scale of time for all, %FALSE for a scale of each run
 *
 * Changes the scale; all sessions show the range that belongs to it.
 */
void
kymo_session_coupling_set_shared (KymoSessionCoupling *self, gboolean shared)
{
  if (self->shared == shared)
    return;
  self->shared = shared;
  renew_session_coupling (self);
}

/**
 * kymo_session_coupling_get_shared:
 *
 * Returns: whether all runs are on one scale; %FALSE: each shows the same part of its own time
 */
gboolean
kymo_session_coupling_get_shared (KymoSessionCoupling *self)
{
  return self->shared;
}

/**
 * kymo_session_coupling_map:
 * @from: index of the session that the time is of
 * @to: index of the session that the result is of
 * @time_ns: in ns, which may lie outside of the run
 *
 * Keeps the share of the full range at which the time lies; on one scale the times differ by the
 * offsets of the two runs.
 *
 * Returns: the time in ns, rounded to the nearest; 0, with a critical warning, for a wrong index
 */
gint64
kymo_session_coupling_map (KymoSessionCoupling *self, guint from, guint to,
                           gint64 time_ns)
{
  g_return_val_if_fail (from < self->members->len && to < self->members->len, 0);
  return map_time (member_at (self, from)->session->full,
                   member_at (self, to)->session->full, time_ns);
}

static void
copy_spans (GArray *from, GArray *to)
{
  g_array_set_size (to, 0);
  if (from->len > 0)
    g_array_append_vals (to, from->data, from->len);
}

/**
 * kymo_session_coupling_take:
 * @index: of a run, from 1
 * @from: of the same run, in another coupling
 *
 * A range that was the whole is the whole.
 */
void
kymo_session_coupling_take (KymoSessionCoupling *self, guint index, KymoSession *from)
{
  Member *to;
  KymoSession *session;
  KymoSpan range = from->range;

  g_return_if_fail (index > 0 && index < self->members->len);
  to = member_at (self, index);
  session = to->session;
  if (!is_timed (to))
    return;
  self->passing = TRUE;
  copy_spans (from->back, session->back);
  copy_spans (from->forward, session->forward);
  kymo_session_show (session, kymo_spans_equal (range, from->full) ? session->full
    : kymo_session_fitted (session, range.begin_ns, kymo_span_length (range)));
  kymo_session_set_selection (session, from->has_selection ? &from->selection : NULL);
  kymo_session_notify (session, PROP_HISTORY_DEPTH);
  pass_history (self, to);
  pass_range (self, to);
  pass_selection (self, to);
  self->passing = FALSE;
}

/**
 * kymo_session_coupling_set_names:
 * @names: display names of all runs, in the order of stacks
 * @families: (nullable): of these names, as kymo_colors_families() gives them
 *
 * Gives all runs the colours of these names.
 */
void
kymo_session_coupling_set_names (KymoSessionCoupling *self, const char *const *names,
                                 GHashTable *families)
{
  kymo_session_give_names (member_at (self, 0)->session, names, families);
}

/* -- life ----------------------------------------------------------------- */

static void
member_free (gpointer data)
{
  Member *member = data;

  member->session->has_bounds = FALSE;
  member->session->least_ns = 0;
  g_object_unref (member->session);
  g_free (member);
}

static void
kymo_session_coupling_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_SESSION_COUPLING (object)->members);
  G_OBJECT_CLASS (kymo_session_coupling_parent_class)->finalize (object);
}

static void
kymo_session_coupling_class_init (KymoSessionCouplingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_session_coupling_finalize;
}

static void
kymo_session_coupling_init (KymoSessionCoupling *self)
{
  self->members = g_ptr_array_new_with_free_func (member_free);
  self->shared = TRUE;
}
