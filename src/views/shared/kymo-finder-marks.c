/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-finder-marks.h. A worker is known by its cancellable: what another one than the
 * last has found is of an older search.
 */
#include "config.h"

#include "kymo-finder-marks.h"

#include "kymo-bookmark-match.h"
#include "kymo-bookmarks.h"

struct _KymoFinderMarks
{
  KymoSession  *session;           /* weak */
  void        (*done) (gpointer data);
  gpointer      data;
  gboolean     *found;             /* by bookmark; or NULL */
  guint         n_found;           /* how many there were */
  GCancellable *looking;           /* or NULL */
  char         *failure;           /* or NULL */
};

static void
marks_clear (gpointer data)
{
  KymoFinderMarks *self = data;

  g_clear_weak_pointer (&self->session);
}

/** kymo_finder_marks_new: */
KymoFinderMarks *
kymo_finder_marks_new (KymoSession *session, void (*done) (gpointer data), gpointer data)
{
  KymoFinderMarks *self = g_rc_box_new0 (KymoFinderMarks);

  g_set_weak_pointer (&self->session, session);
  self->done = done;
  self->data = data;
  return self;
}

/** kymo_finder_marks_forget: */
void
kymo_finder_marks_forget (KymoFinderMarks *self)
{
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_pointer (&self->found, g_free);
  g_clear_pointer (&self->failure, g_free);
  self->n_found = 0;
}

/** kymo_finder_marks_free: */
void
kymo_finder_marks_free (KymoFinderMarks *self)
{
  kymo_finder_marks_forget (self);
  self->done = NULL;
  g_rc_box_release_full (self, marks_clear);
}

/* -- looking -------------------------------------------------------------- */

static guint
n_bookmarks (const KymoFinderMarks *self)
{
  return self->session != NULL ? kymo_session_count_bookmarks (self->session) : 0;
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  KymoFinderMarks *self = data;
  g_autoptr (GError) error = NULL;
  guint n;
  g_autofree gboolean *found = kymo_bookmarks_match_finish (result, &n, &error);

  if (g_task_get_cancellable (G_TASK (result)) == self->looking)
    {
      g_clear_object (&self->looking);
      self->found = g_steal_pointer (&found);
      self->n_found = n;
      self->failure = error != NULL ? g_strdup (error->message) : NULL;
      if (self->done != NULL)
        self->done (self->data);
    }
  g_rc_box_release_full (self, marks_clear);
}

/** kymo_finder_marks_look: */
gboolean
kymo_finder_marks_look (KymoFinderMarks *self, const char *text, gboolean regex)
{
  kymo_finder_marks_forget (self);
  if (n_bookmarks (self) == 0)
    return FALSE;
  self->looking = g_cancellable_new ();
  kymo_bookmarks_match_start (self->session, text, regex, self->looking, on_looked,
                              g_rc_box_acquire (self));
  return TRUE;
}

/** kymo_finder_marks_is_busy: */
gboolean
kymo_finder_marks_is_busy (KymoFinderMarks *self)
{
  return self->looking != NULL;
}

/** kymo_finder_marks_peek_failure: */
const char *
kymo_finder_marks_peek_failure (KymoFinderMarks *self)
{
  return self->failure;
}

/* -- their order ---------------------------------------------------------- */

/** kymo_finder_marks_begin: */
gint64
kymo_finder_marks_begin (KymoFinderMarks *self, guint index)
{
  return kymo_session_peek_bookmark (self->session, index)->span.begin_ns;
}

static gboolean
is_found (const KymoFinderMarks *self, guint index)
{
  return index < self->n_found && self->found[index];
}

static int
compare (KymoFinderMarks *self, guint a, guint b)
{
  gint64 x = kymo_finder_marks_begin (self, a), y = kymo_finder_marks_begin (self, b);

  return x != y ? (x < y ? -1 : 1) : a < b ? -1 : a > b;
}

/** kymo_finder_marks_until: */
gint64
kymo_finder_marks_until (KymoFinderMarks *self, gint64 time_ns)
{
  gint64 n = 0;

  for (guint i = 0; i < n_bookmarks (self); i++)
    n += is_found (self, i) && kymo_finder_marks_begin (self, i) <= time_ns;
  return n;
}

/** kymo_finder_marks_next: */
int
kymo_finder_marks_next (KymoFinderMarks *self, int at, gint64 at_ns, int direction,
                        gboolean wrap)
{
  int best = -1;

  for (guint i = 0; i < n_bookmarks (self); i++)
    {
      gint64 begin = kymo_finder_marks_begin (self, i);
      gboolean beyond = at >= 0 ? compare (self, i, at) * direction > 0
                        : direction > 0 ? begin > at_ns : begin <= at_ns;

      if (is_found (self, i) && (wrap || beyond)
          && (best < 0 || compare (self, i, best) * direction < 0))
        best = i;
    }
  return best;
}
