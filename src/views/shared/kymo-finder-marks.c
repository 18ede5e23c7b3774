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

/**
 * kymo_finder_marks_new:
 * @session: held weakly
 * @done: called after each search, on the main thread
 * @data: for @done
 *
 * Returns: (transfer full): finds no bookmarks yet; free it with kymo_finder_marks_free()
 */
KymoFinderMarks *
kymo_finder_marks_new (KymoSession *session, void (*done) (gpointer data), gpointer data)
{
  KymoFinderMarks *self = g_rc_box_new0 (KymoFinderMarks);

  g_set_weak_pointer (&self->session, session);
  self->done = done;
  self->data = data;
  return self;
}

/**
 * kymo_finder_marks_forget:
 *
 * Cancels the search under way, and forgets the matches and the failure of the last search.
 */
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

/**
 * kymo_finder_marks_free:
 *
 * Cancels the search under way; its callback is not called any more.
 */
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

/**
 * kymo_finder_marks_look:
 * @text: the pattern, for names and notes
 * @regex: whether @text is a regular expression
 *
 * Starts a search on a worker thread, in place of the search before.
 *
 * Returns: %FALSE where the session has no bookmarks: the callback is not called
 */
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

/**
 * kymo_finder_marks_is_busy:
 *
 * Returns: whether a search is under way
 */
gboolean
kymo_finder_marks_is_busy (KymoFinderMarks *self)
{
  return self->looking != NULL;
}

/**
 * kymo_finder_marks_peek_failure:
 *
 * Returns: (transfer none) (nullable): why the last search failed; %NULL where it did not, or is
 *   still under way
 */
const char *
kymo_finder_marks_peek_failure (KymoFinderMarks *self)
{
  return self->failure;
}

/* -- their order ---------------------------------------------------------- */

/**
 * kymo_finder_marks_begin:
 * @index: of a bookmark that the session has
 *
 * Returns: the begin of the bookmark, ns
 */
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
compare_finder_marks (KymoFinderMarks *self, guint a, guint b)
{
  gint64 x = kymo_finder_marks_begin (self, a), y = kymo_finder_marks_begin (self, b);

  return x != y ? (x < y ? -1 : 1) : a < b ? -1 : a > b;
}

/**
 * kymo_finder_marks_until:
 * @time_ns: the latest begin that counts; %G_MAXINT64 counts all
 *
 * Returns: the number of matching bookmarks that begin at @time_ns or before
 */
gint64
kymo_finder_marks_until (KymoFinderMarks *self, gint64 time_ns)
{
  gint64 n = 0;

  for (guint i = 0; i < n_bookmarks (self); i++)
    n += is_found (self, i) && kymo_finder_marks_begin (self, i) <= time_ns;
  return n;
}

/**
 * kymo_finder_marks_next:
 * @at: the bookmark to go on from, or -1
 * @at_ns: the time to go on from where @at is -1, ns
 * @direction: 1 for the next match, -1 for the previous match
 * @wrap: whether to take the first match of all (with -1 the last match), wherever the search is
 *
 * Returns: the number of a matching bookmark, or -1
 */
int
kymo_finder_marks_next (KymoFinderMarks *self, int at, gint64 at_ns, int direction,
                        gboolean wrap)
{
  int best = -1;

  for (guint i = 0; i < n_bookmarks (self); i++)
    {
      gint64 begin = kymo_finder_marks_begin (self, i);
      gboolean beyond = at >= 0 ? compare_finder_marks (self, i, at) * direction > 0
                        : direction > 0 ? begin > at_ns : begin <= at_ns;

      if (is_found (self, i) && (wrap || beyond)
          && (best < 0 || compare_finder_marks (self, i, best) * direction < 0))
        best = i;
    }
  return best;
}
