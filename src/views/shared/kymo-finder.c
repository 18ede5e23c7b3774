/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Three questions are under way at most: one about the whole run (how much,
 * where), one about the visible range (where), one about the next match; a
 * newer one cancels the older one of its kind. Bookmarks are matched beside them
 * (kymo-finder-marks.c); a step waits for that.
 *
 * All matches have one order: by begin, and of one begin bookmarks first.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-bookmarks.h"
#include "kymo-finder.h"
#include "kymo-finder-marks.h"
#include "kymo-navigate.h"
#include "kymo-pattern.h"
#include "kymo-units.h"

#define N_TICKS 1024

typedef struct
{
  gint64    *ticks;                /* or NULL */
  guint      n;
  KymoSpan   span;
} Ticks;

struct _KymoFinder
{
  GObject       parent_instance;

  KymoSession  *session;           /* weak: it has this as its data */
  KymoPattern  *pattern;           /* or NULL: nothing is searched for */
  char         *text;
  gboolean      regex;
  char         *failure;           /* or NULL */
  KymoFinderMarks *marks;          /* bookmarks that match */
  KymoAsker    *asker, *range_asker, *step_asker;
  gint64        n_matches;         /* of the run; -1 = not known yet */
  Ticks         whole, visible;
  char         *place;             /* of the match one is at, or NULL */
  int           bookmark;          /* that one is at, or -1 */
  gint64        at_ns;             /* begin of the match one is at */
  gint64        at_location;       /* and where that is */
  KymoSpan      at_span;
  gint64        number;            /* of that match, from 1; 0 = at none */
  gboolean      wrapped;
  int           direction;         /* of the step under way */
  gboolean      undecided;         /* some notes took too many steps */
  gboolean      waiting;           /* a step for them; its answer is `held` */
  int           more;              /* steps that follow when that is done; negative: back */
  KymoTable    *held;              /* or NULL: there is none */
};

G_DEFINE_FINAL_TYPE (KymoFinder, kymo_finder, G_TYPE_OBJECT)

static void
tell_finder (KymoFinder *self)
{
  g_signal_emit_by_name (self, "changed");
}

/* -- bookmarks ------------------------------------------------------------ */

static void end_step (KymoFinder *self, KymoTable *answer);

static int
next_bookmark (KymoFinder *self, gboolean wrap)
{
  return kymo_finder_marks_next (self->marks, self->bookmark, self->at_ns, self->direction,
                                 wrap);
}

/* A step that waited for them goes on. */
static void
on_looked (gpointer data)
{
  KymoFinder *self = data;
  g_autoptr (KymoTable) held = g_steal_pointer (&self->held);

  if (self->waiting)
    end_step (self, held);
  else
    tell_finder (self);
}

static void
match_bookmarks (KymoFinder *self)
{
  g_autoptr (KymoTable) held = NULL;

  if (self->pattern == NULL)
    kymo_finder_marks_forget (self->marks);
  else if (kymo_finder_marks_look (self->marks, self->text, self->regex))
    return;
  held = g_steal_pointer (&self->held);
  if (self->waiting)
    end_step (self, held);
}

/* -- how much, and where -------------------------------------------------- */

static void
ticks_clear (Ticks *ticks)
{
  g_clear_pointer (&ticks->ticks, g_free);
  ticks->n = 0;
}

static void
take_ticks (Ticks *ticks, KymoTable *answer)
{
  guint n = 0;
  const gint64 *counts = kymo_table_peek_ints (answer, "ticks", &n);

  g_free (ticks->ticks);
  ticks->ticks = g_memdup2 (counts, n * sizeof *counts);
  ticks->n = n;
}

static void
on_whole (KymoTable *answer, const GError *error, gpointer data)
{
  KymoFinder *self = data;

  if (answer != NULL)
    {
      g_clear_pointer (&self->failure, g_free);
      self->n_matches = kymo_table_get_int (answer, "matches", 0);
      self->undecided = kymo_table_get_bool (answer, "undecided", 0);
      take_ticks (&self->whole, answer);
    }
  else
    {
      g_free (self->failure);
      self->failure = g_strdup (error->message);
    }
  tell_finder (self);
}

static void
on_visible (KymoTable *answer, const GError *error, gpointer data)
{
  KymoFinder *self = data;

  if (answer == NULL)
    return;
  take_ticks (&self->visible, answer);
  tell_finder (self);
}

/**
 * kymo_finder_prepare:
 * @question: of kind "search"
 *
 * Puts the pattern, the session's filter and a limit of no matches into a question.
 */
void
kymo_finder_prepare (KymoFinder *self, KymoQuestion *question)
{
  if (self->session != NULL)
    kymo_session_prepare (self->session, question);
  kymo_question_set (question, "text", self->text);
  kymo_question_set (question, "regex", self->regex ? "1" : "0");
  kymo_question_set (question, "limit", "0");
}

static void
ask_ticks (KymoFinder *self, KymoAsker *asker, Ticks *ticks, KymoSpan span)
{
  KymoQuestion *question = kymo_question_new ("search");

  ticks->span = span;
  kymo_question_set_span (question, span);
  kymo_question_set_resolution (question, N_TICKS, 0);
  kymo_finder_prepare (self, question);
  kymo_asker_ask (asker, question);
}

static gboolean
has_blocks (KymoFinder *self)
{
  return self->session != NULL
         && (kymo_source_get_capabilities (kymo_session_peek_source (
               self->session)) & KYMO_CAN_INTERVALS) != 0;
}

static void
ask_visible (KymoFinder *self)
{
  if (self->pattern == NULL || !has_blocks (self))
    return;
  ask_ticks (self, self->range_asker, &self->visible,
             kymo_session_get_range (self->session));
}

static void
ask_whole (KymoFinder *self)
{
  if (self->pattern == NULL || !has_blocks (self))
    return;
  ask_ticks (self, self->asker, &self->whole,
             kymo_session_get_full_range (self->session));
  ask_visible (self);
}

static void
forget_finder (KymoFinder *self)
{
  kymo_asker_cancel (self->asker);
  kymo_asker_cancel (self->range_asker);
  kymo_asker_cancel (self->step_asker);
  g_clear_pointer (&self->pattern, kymo_pattern_free);
  g_clear_pointer (&self->failure, g_free);
  g_clear_pointer (&self->place, g_free);
  g_clear_pointer (&self->held, kymo_table_unref);
  kymo_finder_marks_forget (self->marks);
  ticks_clear (&self->whole);
  ticks_clear (&self->visible);
  self->waiting = self->undecided = FALSE;
  self->more = 0;
  self->n_matches = -1;
  self->number = 0;
  self->bookmark = -1;
}

/** kymo_finder_set: @text: "" ends the search */
void
kymo_finder_set (KymoFinder *self, const char *text, gboolean regex)
{
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (text, self->text) == 0 && regex == self->regex)
    return;
  forget_finder (self);
  g_free (self->text);
  self->text = g_strdup (text);
  self->regex = regex;
  if (*text != '\0')
    {
      self->pattern = kymo_pattern_new (text, regex, &error);
      if (self->pattern == NULL)
        self->failure = g_strdup (error->message);
      ask_whole (self);
      match_bookmarks (self);
    }
  tell_finder (self);
}

/* -- going there ---------------------------------------------------------- */

static void
go_to_bookmark (KymoFinder *self, int index)
{
  self->bookmark = index;
  self->at_ns = kymo_finder_marks_begin (self->marks, index);
  g_clear_pointer (&self->place, g_free);
  kymo_session_go_to_bookmark (self->session, index);
}

static void
go_to_match (KymoFinder *self, KymoTable *next)
{
  const char *kind = kymo_table_get_string (next, "kind", 0);
  KymoSpan span = { kymo_table_get_int (next, "begin_ns", 0),
                    kymo_table_get_int (next, "end_ns", 0) };

  /* What a user event lies over is not it: its begin is shown. */
  if (g_strcmp0 (kind, "event") == 0 || g_strcmp0 (kind, "note") == 0)
    span.end_ns = span.begin_ns;
  self->bookmark = -1;
  self->at_ns = span.begin_ns;
  self->at_span = span;
  self->at_location = kymo_table_get_int (next, "location", 0);
  g_free (self->place);
  self->place = g_strdup (kymo_table_get_string (next, "place", 0));
  kymo_navigate_show (self->session, self->at_location, span);
}

/* Of a match of the run and a bookmark that which comes first on the way. */
static void
end_step (KymoFinder *self, KymoTable *answer)
{
  gboolean forward = self->direction > 0;
  KymoTable *next = answer != NULL
                    ? kymo_table_peek_nested (answer, "next", NULL) : NULL;
  gboolean has_match = next != NULL && kymo_table_get_n_rows (next) > 0;
  gboolean match_wraps = has_match && kymo_table_get_bool (answer, "wrapped", 0);
  gint64 number = has_match ? kymo_table_get_int (answer, "number", 0) : 0;
  gint64 match_ns = has_match ? kymo_table_get_int (next, "begin_ns", 0) : 0;
  int bookmark = next_bookmark (self, FALSE);
  gboolean bookmark_wraps = bookmark < 0;

  self->waiting = FALSE;
  if (self->session == NULL)
    return;
  if (bookmark_wraps)
    bookmark = next_bookmark (self, TRUE);
  if (bookmark >= 0
      && (!has_match || match_wraps > bookmark_wraps
          || (match_wraps == bookmark_wraps
              && (forward ? kymo_finder_marks_begin (self->marks, bookmark) <= match_ns
                          : kymo_finder_marks_begin (self->marks, bookmark) > match_ns))))
    {
      gint64 ns = kymo_finder_marks_begin (self->marks, bookmark);
      gint64 runs = !has_match ? 0
                    : match_wraps > bookmark_wraps
                    ? (forward ? self->n_matches : 0)
                    : forward ? number - 1 : number;

      self->number = MAX (runs, 0) + kymo_finder_marks_until (self->marks, ns);
      self->wrapped = bookmark_wraps;
      go_to_bookmark (self, bookmark);
    }
  else if (has_match)
    {
      self->number = number + kymo_finder_marks_until (self->marks, match_ns);
      self->wrapped = match_wraps;
      go_to_match (self, next);
    }
  tell_finder (self);
  if (self->more != 0)
    {
      gboolean onward = self->more > 0;

      self->more -= onward ? 1 : -1;
      kymo_finder_step (self, onward ? "next" : "previous");
    }
}

static void
on_next (KymoTable *answer, const GError *error, gpointer data)
{
  KymoFinder *self = data;

  if (!kymo_finder_marks_is_busy (self->marks))
    {
      end_step (self, answer);
      return;
    }
  g_clear_pointer (&self->held, kymo_table_unref);
  self->held = answer != NULL ? kymo_table_ref (answer) : NULL;
  self->waiting = TRUE;
}

/* Where the search goes on: at its match, as long as that is selected; else
   at the block that is, or at an edge of what is visible. */
static char *
dup_place (KymoFinder *self)
{
  KymoSpan range = kymo_session_get_range (self->session);
  gint64 location, time_ns, from;
  gboolean selected = kymo_session_get_block (self->session, &location,
                                              &time_ns);

  if (self->bookmark >= 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT, self->direction > 0
                            ? self->at_ns - 1 : self->at_ns);
  if (self->place != NULL && selected && location == self->at_location
      && time_ns >= self->at_span.begin_ns && time_ns <= self->at_span.end_ns)
    return g_strdup (self->place);
  from = selected ? time_ns : self->direction > 0 ? range.begin_ns - 1
                                                  : range.end_ns;
  self->at_ns = from;
  return g_strdup_printf ("%" G_GINT64_FORMAT, from);
}

/**
 * kymo_finder_step:
 * @direction: "next" or "previous" match of the whole run
 *
 * Goes to a match. A step that comes before the answer to the one before it is taken after that.
 */
void
kymo_finder_step (KymoFinder *self, const char *direction)
{
  int way = g_strcmp0 (direction, "previous") == 0 ? -1 : 1;
  KymoQuestion *question;
  g_autofree char *place = NULL;

  if (self->pattern == NULL || self->session == NULL)
    return;
  if (self->waiting || kymo_asker_is_busy (self->step_asker))
    {
      self->more += way;
      return;
    }
  self->direction = way;
  place = dup_place (self);
  if (!has_blocks (self))
    {
      on_next (NULL, NULL, self);
      return;
    }
  question = kymo_question_new ("search");
  kymo_finder_prepare (self, question);
  kymo_question_set (question, "direction", direction);
  kymo_question_set (question, "place", place);
  kymo_asker_ask (self->step_asker, question);
}

/* -- candidates ----------------------------------------------------------- */

/**
 * kymo_finder_is_active:
 *
 * Returns: whether a pattern is searched for; FALSE where the expression is not valid
 */
gboolean
kymo_finder_is_active (KymoFinder *self)
{
  return self->pattern != NULL;
}

/**
 * kymo_finder_peek_text:
 *
 * Returns: (transfer none): the text as it was typed, "" without a search
 */
const char *
kymo_finder_peek_text (KymoFinder *self)
{
  return self->text != NULL ? self->text : "";
}

/**
 * kymo_finder_get_regex:
 *
 * Returns: whether the text is a regular expression
 */
gboolean
kymo_finder_get_regex (KymoFinder *self)
{
  return self->regex;
}

/**
 * kymo_finder_peek_failure:
 *
 * Returns: (transfer none) (nullable): why the run or its bookmarks cannot be searched, or %NULL
 */
const char *
kymo_finder_peek_failure (KymoFinder *self)
{
  return self->failure != NULL ? self->failure : kymo_finder_marks_peek_failure (self->marks);
}

/** kymo_finder_get_n_found: -1 where it is not known */
gint64
kymo_finder_get_n_found (KymoFinder *self)
{
  if (self->pattern == NULL || self->session == NULL || kymo_finder_marks_is_busy (self->marks)
      || (self->n_matches < 0 && has_blocks (self)))
    return -1;
  return MAX (self->n_matches, 0) + kymo_finder_marks_until (self->marks, G_MAXINT64);
}

static char *
dup_number (KymoFinder *self, gint64 n)
{
  g_autofree char *all = NULL, *number = NULL;

  all = kymo_format_count (n);
  if (n == 0)
    return g_strdup (_("nothing found"));
  if (self->number == 0)
    return g_strdup_printf (_("%s found"), all);
  number = kymo_format_count (self->number);
  if (!self->wrapped)
    return g_strdup_printf (_("%s of %s"), number, all);
  return g_strdup_printf (self->direction > 0
                          ? _("%s of %s, again from the beginning")
                          : _("%s of %s, again from the end"), number, all);
}

/**
 * kymo_finder_dup_words:
 *
 * Returns: (transfer full) (nullable): the count of matches and the number of the current match, or
 *   a failure; %NULL without a search
 */
char *
kymo_finder_dup_words (KymoFinder *self)
{
  gint64 n = kymo_finder_get_n_found (self);
  g_autofree char *words = NULL;

  if (kymo_finder_peek_failure (self) != NULL)
    return g_strdup (kymo_finder_peek_failure (self));
  if (self->pattern == NULL)
    return NULL;
  if (n < 0)
    return g_strdup (_("searching…"));
  words = dup_number (self, n);
  if (self->undecided)
    return g_strdup_printf (_("%s; some notes take too many steps to match"),
                            words);
  return g_steal_pointer (&words);
}

/** kymo_finder_peek_ticks: @whole: of the whole run, else of the visible range */
const gint64 *
kymo_finder_peek_ticks (KymoFinder *self, gboolean whole, guint *n,
                        KymoSpan *span)
{
  const Ticks *ticks = whole ? &self->whole : &self->visible;

  *n = ticks->n;
  *span = ticks->span;
  return ticks->n > 0 ? ticks->ticks : NULL;
}

/* -- the object ----------------------------------------------------------- */

static void
kymo_finder_dispose (GObject *object)
{
  KymoFinder *self = KYMO_FINDER (object);

  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->range_asker, kymo_asker_free);
  g_clear_pointer (&self->step_asker, kymo_asker_free);
  kymo_finder_marks_forget (self->marks);
  g_clear_weak_pointer (&self->session);
  G_OBJECT_CLASS (kymo_finder_parent_class)->dispose (object);
}

static void
kymo_finder_finalize (GObject *object)
{
  KymoFinder *self = KYMO_FINDER (object);

  kymo_finder_marks_free (self->marks);
  kymo_pattern_free (self->pattern);
  g_free (self->text);
  g_free (self->failure);
  g_free (self->place);
  g_clear_pointer (&self->held, kymo_table_unref);
  ticks_clear (&self->whole);
  ticks_clear (&self->visible);
  G_OBJECT_CLASS (kymo_finder_parent_class)->finalize (object);
}

static void
kymo_finder_class_init (KymoFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_finder_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_finder_finalize;
  kymo_signal_new ("changed", KYMO_TYPE_FINDER, 0);
}

static void
kymo_finder_init (KymoFinder *self)
{
  self->n_matches = -1;
  self->bookmark = -1;
}

/* Numbers of bookmarks are others now: the search goes on from the time where it is. */
static void
on_bookmarks (KymoFinder *self)
{
  self->bookmark = -1;
  match_bookmarks (self);
  tell_finder (self);
}

/** kymo_finder_of: (transfer none): that of a session, made on first use */
KymoFinder *
kymo_finder_of (KymoSession *session)
{
  static const char key[] = "kymo-finder";
  KymoFinder *self = g_object_get_data (G_OBJECT (session), key);
  KymoSource *source = kymo_session_peek_source (session);

  if (self != NULL)
    return self;
  self = g_object_new (KYMO_TYPE_FINDER, NULL);
  g_set_weak_pointer (&self->session, session);
  self->marks = kymo_finder_marks_new (session, on_looked, self);
  self->asker = kymo_asker_new (source, on_whole, self);
  self->range_asker = kymo_asker_new (source, on_visible, self);
  self->step_asker = kymo_asker_new (source, on_next, self);
  kymo_follow (session, "range-changed", ask_visible, self);
  kymo_follow (session, "filter-changed", ask_whole, self);
  kymo_follow (session, "grown", ask_whole, self);
  kymo_follow (session, "bookmarks-changed", on_bookmarks, self);
  g_object_set_data_full (G_OBJECT (session), key, self, g_object_unref);
  return self;
}
