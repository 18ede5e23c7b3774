/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calltree: who called whom, as a tree with the figures of one thread, or of what
 * stands for all. search=WORDS (regex=1: a regular expression) marks the nodes whose name
 * matches ("matches"), and tells how many they are ("matching") and what share of all they
 * have ("matching_share"): of a node below one that matches nothing is counted twice.
 * focus=NAME: in place of the tree two of one function, over all places where it is called,
 * with it as root: "side" is callees, what it calls, or callers, who calls it; paths begin
 * with it. "uncalled" is the part of its inclusive figure without a caller. See kymo-call-focus.h.
 * root=bottom is told back: how a picture of it is to stand.
 */
#include "config.h"

#include "kymo-call-focus.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-pattern.h"

/* Sum over the tree: inclusive figures of its roots. Minima and other figures that do not add up
   have no shares. */
static double
sum_roots (const KymoThreadFigures *thread,
           const KymoCallForest    *forest)
{
  double sum = 0;

  for (guint i = 0; thread->is_linear && i < forest->nodes->len; i++)
    {
      const KymoForestNode *node = &g_array_index (forest->nodes, KymoForestNode, i);

      if (node->parent == KYMO_FOREST_ROOT)
        sum += node->values.inclusive;
    }
  return sum;
}

/* What shares are of: all roots, or the largest one where paths are cut: a path without its begin
   is a root, though its time is in another root, too. */
static double
find_whole (const KymoThreadFigures *thread,
            const KymoCallForest    *forest)
{
  double most = 0;

  if (!forest->cut)
    return sum_roots (thread, forest);
  for (guint i = 0; thread->is_linear && i < forest->nodes->len; i++)
    {
      const KymoForestNode *node = &g_array_index (forest->nodes, KymoForestNode, i);

      if (node->parent == KYMO_FOREST_ROOT)
        most = MAX (most, node->values.inclusive);
    }
  return most;
}

/* The names from the root to a node. */
static void
append_path (const KymoProfileLook *look,
             const KymoCallForest  *forest,
             guint                  node,
             KymoTable             *path)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint32 i = node; i != KYMO_FOREST_ROOT;)
    {
      const KymoForestNode *here = &g_array_index (forest->nodes, KymoForestNode, i);

      g_ptr_array_add (names, kymo_profile_look_event (look, here->event)->shown);
      i = here->parent;
    }
  for (guint i = names->len; i-- > 0;)
    kymo_table_append_string (path, 0, g_ptr_array_index (names, i));
}

static KymoTable *
list_nodes (const KymoProfileLook   *look,
            const KymoThreadFigures *thread,
            const KymoCallForest    *forest,
            double                   sum)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS), *path = kymo_table_new (KYMO_STYLE_FLAT);
  guint nested = kymo_table_add_nested (table, "path", path), first;

  kymo_table_add_columns (path, "value:string");
  first = kymo_table_add_columns (table, "name:string parent depth calls:double subroutines:double "
                                         "exclusive:double inclusive:double "
                                         "exclusive_per_call:double inclusive_per_call:double "
                                         "role:string kind:string groups:string known:bool "
                                         "exclusive_share:double inclusive_share:double "
                                         "flags:string");
  for (guint i = 0; i < forest->nodes->len; i++)
    {
      const KymoForestNode *node = &g_array_index (forest->nodes, KymoForestNode, i);
      const KymoProfileEvent *event = kymo_profile_look_event (look, node->event);
      gboolean calls = node->values.calls > 0 && thread->is_linear;
      g_autofree char *flags = kymo_profile_event_dup_flags (event);

      append_path (look, forest, i, path);
      kymo_table_end_nested (table, nested);
      kymo_table_append_from (table, first, event->shown,
                              node->parent == KYMO_FOREST_ROOT ? -1 : (gint64) node->parent,
                              node->depth, node->values.calls, node->values.subroutines,
                              node->values.exclusive, node->values.inclusive,
                              calls ? node->values.exclusive / node->values.calls : NAN,
                              calls ? node->values.inclusive / node->values.calls : NAN,
                              kymo_role_to_string (event->role), kymo_profile_event_kind (event),
                              event->groups, node->known,
                              sum > 0 ? node->values.exclusive / sum : NAN,
                              sum > 0 ? node->values.inclusive / sum : NAN, flags);
    }
  return table;
}

/* --depth-limit; a trace's profile has no more paths than that, a file may have. */
static gboolean
read_depth (const KymoAsk  *ask,
            guint          *depth,
            GError        **error)
{
  gint64 n;

  if (!kymo_question_get_int (ask->question, "depth-limit", 0, &n, error))
    return FALSE;
  *depth = n > 0 && n < G_MAXUINT ? (guint) n : G_MAXUINT;
  return TRUE;
}

static gboolean
read_search (const KymoAsk  *ask,
             KymoPattern   **pattern,
             GError        **error)
{
  const char *text = kymo_question_get (ask->question, "search");

  if (text == NULL || *text == '\0')
    return TRUE;
  *pattern = kymo_pattern_new (text, kymo_question_get_flag (ask->question, "regex"), error);
  return *pattern != NULL;
}

/* Each node stands behind its parent, so who lies below a match is known by then. */
static void
mark_matches (const KymoProfileLook   *look,
              const KymoCallForest    *forest,
              guint                    n_callees,
              double                   sum,
              KymoPattern             *pattern,
              KymoTable               *answer,
              KymoTable               *nodes)
{
  guint column = kymo_table_add_column (nodes, "matches", KYMO_COLUMN_INT, 1);
  g_autofree gboolean *below = g_new0 (gboolean, forest->nodes->len + 1);
  double matching = 0;
  gint64 n = 0;

  for (guint i = 0; i < forest->nodes->len; i++)
    {
      const KymoForestNode *node = &g_array_index (forest->nodes, KymoForestNode, i);
      gboolean inside = node->parent != KYMO_FOREST_ROOT && below[node->parent];
      gboolean matches = kymo_pattern_matches (
        pattern, kymo_profile_look_event (look, node->event)->shown, NULL);

      kymo_table_append_int (nodes, column, matches);
      below[i] = inside || matches;
      n += matches;
      if (matches && !inside && i < n_callees)
        matching += node->values.inclusive;
    }
  kymo_table_set_int (answer, "matching", n);
  kymo_table_set_double (answer, "matching_share", sum > 0 ? matching / sum : NAN);
}

static void
set_focus (const KymoCallFocus *focus,
           const char          *function,
           KymoTable           *answer,
           KymoTable           *nodes)
{
  guint side = kymo_table_add_column (nodes, "side", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < focus->forest->nodes->len; i++)
    kymo_table_append_string (nodes, side, i < focus->n_callees ? "callees" : "callers");
  kymo_table_set_string (answer, "focus", function);
  kymo_table_set_double (answer, "uncalled", focus->uncalled);
}

/* Shows a single function, if it was asked for; FALSE with an error where that cannot be done. */
static gboolean
look_closer (const KymoProfileLook    *look,
             const KymoThreadFigures  *thread,
             const KymoCallForest     *forest,
             guint                     depth,
             KymoCallFocus           **focus,
             GError                  **error)
{
  const char *function = kymo_question_get (look->ask->question, "focus");

  if (function == NULL || *function == '\0')
    return TRUE;
  if (!look->is_additive)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("The places of one function cannot be summed up: values of “%s” do not "
                     "add up"),
                   look->metric_name);
      return FALSE;
    }
  if (!thread->is_linear)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("The places of one function can be summed up of a location, a mean or a "
                     "total, not of “%s”"), thread->label);
      return FALSE;
    }
  *focus = kymo_call_focus_new (look, forest, function, depth, error);
  return *focus != NULL;
}

static KymoTable *
make_answer (const KymoProfileLook   *look,
             const KymoThreadFigures *thread,
             const KymoCallForest    *whole,
             const KymoCallFocus     *focus,
             KymoPattern             *pattern)
{
  const KymoCallForest *forest = focus != NULL ? focus->forest : whole;
  KymoQuestion *question = look->ask->question;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT), *nodes;
  double sum = sum_roots (thread, whole);

  kymo_profile_look_set (look, answer);
  kymo_thread_figures_set (thread, look, answer);
  kymo_table_set_bool (answer, "has_paths", whole->has_paths);
  kymo_table_set_bool (answer, "cut", whole->cut);
  if (kymo_question_get (question, "root") != NULL)
    kymo_table_set_string (answer, "root", kymo_question_get (question, "root"));
  nodes = list_nodes (look, thread, forest, find_whole (thread, whole));
  if (pattern != NULL)
    mark_matches (look, forest, focus != NULL ? focus->n_callees : forest->nodes->len, sum, pattern,
                  answer, nodes);
  if (focus != NULL)
    set_focus (focus, kymo_question_get (question, "focus"), answer, nodes);
  kymo_table_set_table (answer, "nodes", nodes);
  return answer;
}

static KymoTable *
calltree_answer (KymoAsk  *ask,
                 guint     n_threads,
                 GError  **error)
{
  const char *of = kymo_question_get (ask->question, "of");
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new (ask, KYMO_LOOK_TREE, error);
  g_autoptr (KymoThreadFigures) thread = NULL;
  g_autoptr (KymoCallForest) forest = NULL;
  g_autoptr (KymoPattern) pattern = NULL;
  g_autoptr (KymoCallFocus) focus = NULL;
  const char *function;
  guint depth;

  if (look == NULL || !read_depth (ask, &depth, error) || !read_search (ask, &pattern, error))
    return NULL;
  thread = kymo_thread_figures_new (look, of != NULL ? of : "total", error);
  if (thread == NULL)
    return NULL;
  /* Of one function paths begin with it, however deep it lies. */
  function = kymo_question_get (ask->question, "focus");
  forest = kymo_call_forest_new (look, thread, function != NULL && *function != '\0'
                                 ? G_MAXUINT : depth);
  if (!look_closer (look, thread, forest, depth, &focus, error))
    return NULL;
  return kymo_profile_look_end (look, make_answer (look, thread, forest, focus, pattern), error);
}

/* "nodes" are in order of a walk, children by inclusive; parent is an index, -1 = root; shares
   are of all roots' inclusive. "cut": paths lack their begin, and shares are of the largest root;
   "has_paths": else all are roots. */
static const KymoKeyword keywords[] =
{
  KYMO_KEYWORDS_OF_SEARCH,
  { "focus", KYMO_KEYWORD_TEXT, "NAME",
    "callers and callees of one function, over all its places" },
  { "of", KYMO_KEYWORD_TEXT, "WHOM", "a location, mean, mean-present, total (total), min, max …" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORDS_OF_PATHS,
  { "root", KYMO_KEYWORD_WORD, "top|bottom", "where a picture has its root; told back (top)",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "nodes", "path name parent depth calls subroutines exclusive inclusive "
    "exclusive_per_call inclusive_per_call role kind groups known exclusive_share "
    "inclusive_share flags matches side", TRUE },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_calltree =
{
  { "calltree", N_("A call tree"), "who called whom, and what that took", keywords,
    KYMO_CAN_METRICS, .lists = lists,
    .topic = KYMO_TOPIC_CODE, .example = "--depth-limit 3" },
  .answer = calltree_answer,
};
