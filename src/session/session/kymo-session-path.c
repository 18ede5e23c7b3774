/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-session-path.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-session-private.h"

/* Steps told one by one: of a chain the ones next to its block, of the critical path
   the longest. */
#define MOST_STEPS 2000

struct _KymoSessionPath
{
  KymoPathKind  kind;
  gint64        location, time_ns; /* of a chain: in the block that it was asked for */
  KymoTable    *answer;            /* or NULL */
  char         *failure;
  KymoAsker    *asker;
  gint          step;
};

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoSession *self = data;

  if (answer != NULL)
    self->path->answer = kymo_table_ref (answer);
  else
    self->path->failure = g_strdup (error->message);
  kymo_session_emit (self, PATH_CHANGED);
}

static KymoSessionPath *
path_of (KymoSession *self)
{
  if (self->path == NULL)
    {
      self->path = g_new0 (KymoSessionPath, 1);
      self->path->asker = kymo_asker_new (self->source, on_answer, self);
      self->path->step = -1;
    }
  return self->path;
}

static void
forget_session_path (KymoSessionPath *path)
{
  kymo_asker_cancel (path->asker);
  g_clear_pointer (&path->answer, kymo_table_unref);
  g_clear_pointer (&path->failure, g_free);
  path->step = -1;
}

/**
 * kymo_session_path_free:
 *
 * Frees the path and gives up a question under way.
 */
void
kymo_session_path_free (KymoSessionPath *path)
{
  forget_session_path (path);
  kymo_asker_free (path->asker);
  g_free (path);
}

/* NULL with words, where there is nothing to begin with. */
static KymoQuestion *
make_question (KymoSession *self, KymoSessionPath *path)
{
  KymoPathKind kind = path->kind;
  KymoQuestion *question = kymo_question_new (kind == KYMO_PATH_CRITICAL ? "critical-path"
                                                                         : "chain");

  kymo_session_prepare (self, question);
  kymo_question_set_int (question, "limit", MOST_STEPS);
  if (kind == KYMO_PATH_CRITICAL)
    return question;
  kymo_question_set_locations (question, NULL);
  if (!kymo_session_get_block (self, &path->location, &path->time_ns))
    {
      g_clear_pointer (&question, kymo_question_unref);
      return NULL;
    }
  kymo_question_set_int (question, "location", path->location);
  kymo_question_set_int (question, "time", path->time_ns);
  kymo_question_set (question, "direction", kind == KYMO_PATH_FORWARD ? "forward" : "back");
  return question;
}

static void
ask_session_path (KymoSession *self, KymoSessionPath *path)
{
  KymoQuestion *question = make_question (self, path);

  if (question == NULL)
    path->failure = g_strdup (_("A chain begins at a block: select one in the timeline"));
  else
    kymo_asker_ask (path->asker, question);
}

/**
 * kymo_session_follow_path:
 * @kind: %KYMO_PATH_NONE shows no path any more
 *
 * Drops the path that is shown, and its current step, and asks the source for another one. Emits
 * "path-changed" at once and again with the answer, or with the reason why there is none. A chain
 * without a selected block fails at once.
 */
void
kymo_session_follow_path (KymoSession *self, KymoPathKind kind)
{
  KymoSessionPath *path = path_of (self);

  forget_session_path (path);
  path->kind = kind;
  if (kind != KYMO_PATH_NONE)
    ask_session_path (self, path);
  kymo_session_emit (self, PATH_CHANGED);
}

/**
 * kymo_session_get_path_kind:
 *
 * Returns: what was asked for last, whether its answer has come or not
 */
KymoPathKind
kymo_session_get_path_kind (KymoSession *self)
{
  return self->path != NULL ? self->path->kind : KYMO_PATH_NONE;
}

/**
 * kymo_session_get_path_start:
 * @location: (out): where the block ran that the chain begins with
 * @time_ns: (out): a time in the block
 *
 * Returns: %FALSE, with nothing set, if no chain of messages is shown
 */
gboolean
kymo_session_get_path_start (KymoSession *self, gint64 *location, gint64 *time_ns)
{
  KymoPathKind kind = kymo_session_get_path_kind (self);

  if (kind != KYMO_PATH_BACK && kind != KYMO_PATH_FORWARD)
    return FALSE;
  *location = self->path->location;
  *time_ns = self->path->time_ns;
  return TRUE;
}

/**
 * kymo_session_peek_path:
 *
 * Returns: (transfer none) (nullable): its answer, with "steps" and "activities"; %NULL while
 *   it is asked for
 */
KymoTable *
kymo_session_peek_path (KymoSession *self)
{
  return self->path != NULL ? self->path->answer : NULL;
}

/**
 * kymo_session_peek_path_failure:
 *
 * Returns: (transfer none) (nullable): a sentence that says why there is no path
 */
const char *
kymo_session_peek_path_failure (KymoSession *self)
{
  return self->path != NULL ? self->path->failure : NULL;
}

/* The block that a chain begins at is its first step forward, its last one back. */
static gboolean
is_in_first_block (const KymoSessionPath *path, gint64 time_ns)
{
  KymoTable *steps = path->answer != NULL
                     ? kymo_table_peek_nested (path->answer, "steps", NULL) : NULL;
  guint n = steps != NULL ? kymo_table_get_n_rows (steps) : 0;
  guint step = path->kind == KYMO_PATH_FORWARD ? 0 : n - 1;

  return n > 0 && kymo_table_get_int (steps, "location", step) == path->location
         && kymo_table_get_int (steps, "begin_ns", step) <= time_ns
         && kymo_table_get_int (steps, "end_ns", step) > time_ns;
}

/**
 * kymo_session_path_is_current:
 * @kind: what a person asks for
 *
 * Returns: TRUE if the shown path is of that kind and, where that is a chain, begins at the
 *   selected block; FALSE if asking would show another path
 */
gboolean
kymo_session_path_is_current (KymoSession *self, KymoPathKind kind)
{
  gint64 location, time_ns;

  if (kymo_session_get_path_kind (self) != kind)
    return FALSE;
  if (kind == KYMO_PATH_NONE || kind == KYMO_PATH_CRITICAL
      || !kymo_session_get_block (self, &location, &time_ns))
    return TRUE;
  return location == self->path->location
         && (time_ns == self->path->time_ns || is_in_first_block (self->path, time_ns));
}

/**
 * kymo_session_get_path_step:
 *
 * Returns: the row of "steps" that is the current step, from 0; -1 for none
 */
gint
kymo_session_get_path_step (KymoSession *self)
{
  return self->path != NULL ? self->path->step : -1;
}

static KymoTable *
peek_steps (KymoSession *self)
{
  KymoTable *answer = kymo_session_peek_path (self);

  return answer != NULL ? kymo_table_peek_nested (answer, "steps", NULL) : NULL;
}

/* A quarter of the step on both sides, where it is not in sight as it is. */
static void
show_span (KymoSession *self, KymoSpan step)
{
  KymoSpan range = kymo_session_get_range (self);
  gint64 length_ns = kymo_span_length (range);

  if (step.begin_ns >= range.begin_ns && step.end_ns <= range.end_ns)
    return;
  if (kymo_span_length (step) > length_ns)
    length_ns = kymo_span_length (step) * 3 / 2;
  range.begin_ns = step.begin_ns - (length_ns - kymo_span_length (step)) / 2;
  range.end_ns = range.begin_ns + length_ns;
  kymo_session_set_range (self, range, TRUE);
}

/**
 * kymo_session_set_path_step:
 * @step: a row of "steps"; nothing happens for another number, or without a path
 *
 * Selects the block at the middle of the step, drops the selected range of time, and moves the
 * visible range where the step is not in it; the range before goes into the history. Emits
 * "path-changed" at the end.
 */
void
kymo_session_set_path_step (KymoSession *self, gint step)
{
  KymoTable *steps = peek_steps (self);
  gint64 begin_ns, end_ns;

  if (steps == NULL || step < 0 || step >= (gint) kymo_table_get_n_rows (steps))
    return;
  begin_ns = kymo_table_get_int (steps, "begin_ns", step);
  end_ns = kymo_table_get_int (steps, "end_ns", step);
  self->path->step = step;
  show_span (self, (KymoSpan) { MIN (begin_ns, end_ns), MAX (begin_ns, end_ns) });
  kymo_session_set_selection (self, NULL);
  kymo_session_set_block (self, kymo_table_get_int (steps, "location", step),
                          begin_ns + (end_ns - begin_ns) / 2);
  kymo_session_emit (self, PATH_CHANGED);
}

/* The step where a walk begins if no step is current: at the selected block, else at the end. */
static gint
first_step (KymoSession *self, KymoTable *steps)
{
  gint n = kymo_table_get_n_rows (steps);
  gint64 location, time_ns;

  if (!kymo_session_get_block (self, &location, &time_ns))
    return n;
  for (gint i = n; i-- > 0;)
    if (kymo_table_get_int (steps, "location", i) == location
        && kymo_table_get_int (steps, "begin_ns", i) <= time_ns
        && kymo_table_get_int (steps, "end_ns", i) >= time_ns)
      return i;
  return n;
}

/**
 * kymo_session_walk_path:
 * @forward: to later rows of "steps"; %FALSE to earlier ones
 *
 * Makes the next step that is no message the current one, as kymo_session_set_path_step() does.
 * Without a current step the walk begins at the selected block, or behind the last step where
 * the path has no step in a selected block.
 *
 * Returns: %FALSE, and nothing changed, where there is no further step or no path
 */
gboolean
kymo_session_walk_path (KymoSession *self, gboolean forward)
{
  KymoTable *steps = peek_steps (self);
  gint step, n;

  if (steps == NULL)
    return FALSE;
  n = kymo_table_get_n_rows (steps);
  step = self->path->step >= 0 ? self->path->step : first_step (self, steps);
  do
    step += forward ? 1 : -1;
  while (step >= 0 && step < n
         && g_strcmp0 (kymo_table_get_string (steps, "kind", step), "message") == 0);
  if (step < 0 || step >= n)
    return FALSE;
  kymo_session_set_path_step (self, step);
  return TRUE;
}
