/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Iterations, for the question regions. What the program names comes first: functions, user
 * events and notes called "iteration", "time step" and the like, with a number of their own or
 * counted. Else the body of a loop is looked for: activities that every actor executes equally
 * often belong together; those that are most, and last longest, are the body, and the one that
 * began first begins an iteration. It does so only if actors keep together: before an actor
 * begins the iteration after the next, all have begun this one.
 *
 * An iteration lasts from its earliest begin to that of the next one; the last one ends with the
 * last execution of the body.
 */
#include "config.h"

#include "kymo-regions-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LEAST_ITERATIONS 3
/* This many of ten iterations may begin while a slow actor is two behind. */
#define MOST_APART_OF_TEN 1
#define MOST_BODIES 4
#define MOST_MARKS 6

/** Body: activities that are executed equally often */
typedef struct
{
  gint64   n;
  GArray  *activities;          /* guint */
  gint64   first_ns, last_ns;
} Body;

static void
body_free (gpointer data)
{
  Body *body = data;

  g_array_unref (body->activities);
  g_free (body);
}

/**
 * kymo_names_iteration:
 * @name: of an activity, or the text of a note
 * @number: (out): the number at its end; -1 = it has none
 *
 * Returns: whether the name says that it is an iteration: "Iteration 5", "time step", "step[3]"
 */
gboolean
kymo_names_iteration (const char *name,
                      gint64     *number)
{
  static GRegex *pattern;
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *digits = NULL;

  if (g_once_init_enter (&pattern))
    g_once_init_leave (&pattern, g_regex_new (
      "^\\s*(?:time[ _-]?)?(?:iteration|iter|step)[ _:#=[(-]*([0-9]{1,9})?[)\\]\\s]*$",
      G_REGEX_CASELESS | G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, NULL));
  *number = -1;
  if (!g_regex_match (pattern, name, 0, &match))
    return FALSE;
  digits = g_match_info_fetch (match, 1);
  if (digits != NULL && *digits != '\0')
    *number = g_ascii_strtoll (digits, NULL, 10);
  return TRUE;
}

static void
append (KymoTable *table,
        gint64     number,
        KymoSpan   span,
        gint64     spread_ns)
{
  if (span.end_ns > span.begin_ns)
    kymo_regions_append (table, "iteration", NULL, number, span, spread_ns);
}

typedef struct
{
  gint64   number;
  KymoSpan span;
} Numbered;

static int
compare_numbered (gconstpointer a,
                  gconstpointer b)
{
  const Numbered *x = a, *y = b;

  if (x->span.begin_ns != y->span.begin_ns)
    return x->span.begin_ns < y->span.begin_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Each iteration is an activity of its own, such as a dynamic timer of TAU. */
static guint
add_numbered_activities (const KymoUses *uses,
                         const KymoAsk  *ask,
                         KymoTable      *table)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Numbered));

  for (guint i = 0; i < uses->n; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);
      Numbered one = { .span = { uses->use[i].first_ns, uses->use[i].last_ns } };

      if (one.span.end_ns > one.span.begin_ns && activity->kind != KYMO_ACTIVITY_ENTRY
          && kymo_names_iteration (activity->name, &one.number) && one.number >= 0)
        g_array_append_val (found, one);
    }
  if (found->len < 2)
    return 0;
  g_array_sort (found, compare_numbered);
  for (guint i = 0; i < found->len; i++)
    append (table, g_array_index (found, Numbered, i).number,
            g_array_index (found, Numbered, i).span, KYMO_NULL_INT);
  return found->len;
}

static guint
add_notes (const KymoUses *uses,
           KymoSpan        main,
           KymoTable      *table)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Numbered));
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, uses->notes);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      Numbered one = { *(gint64 *) key, { *(gint64 *) value, 0 } };

      g_array_append_val (found, one);
    }
  if (found->len < 2)
    return 0;
  g_array_sort (found, compare_numbered);
  for (guint i = 0; i < found->len; i++)
    {
      Numbered *one = &g_array_index (found, Numbered, i);

      one->span.end_ns = i + 1 < found->len
        ? g_array_index (found, Numbered, i + 1).span.begin_ns : main.end_ns;
      append (table, one->number, one->span, KYMO_NULL_INT);
    }
  return found->len;
}

static gboolean
keeps_together (const GArray *turns)
{
  guint apart = 0;

  for (guint k = 0; k + 2 < turns->len; k++)
    apart += g_array_index (turns, KymoTurn, k).latest_ns
      > g_array_index (turns, KymoTurn, k + 2).first_ns;
  return apart * 10 <= turns->len * MOST_APART_OF_TEN;
}

static guint
add_turns (const GArray *turns,
           gint64        last_ns,
           KymoTable    *table)
{
  for (guint k = 0; k < turns->len; k++)
    {
      const KymoTurn *turn = &g_array_index (turns, KymoTurn, k);
      gint64 end_ns = k + 1 < turns->len ? g_array_index (turns, KymoTurn, k + 1).first_ns
        : MAX (turn->end_ns, last_ns);

      append (table, k + 1, (KymoSpan) { turn->first_ns, end_ns },
              turn->latest_ns - turn->first_ns);
    }
  return turns->len;
}

/* One activity has the name of an iteration, and its executions are counted. */
static guint
add_named (const KymoUses *uses,
           const KymoAsk  *ask,
           KymoTable      *table,
           const char    **name)
{
  for (guint i = 0; i < uses->n; i++)
    {
      const KymoUse *use = &uses->use[i];
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);
      g_autoptr (GArray) turns = NULL;
      gint64 number;

      if (activity->kind == KYMO_ACTIVITY_ENTRY || use->n_actors == 0 || use->least != use->most
          || use->most < 2 || !kymo_names_iteration (activity->name, &number) || number >= 0)
        continue;
      turns = kymo_uses_find_turns (uses, ask, i);
      if (turns->len < 2 || !keeps_together (turns))
        continue;
      *name = activity->name;
      return add_turns (turns, use->last_ns, table);
    }
  return 0;
}

static gint64
count_processes (const KymoAsk *ask)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (g_int64_hash, g_int64_equal);
  gint64 n = 0;

  for (guint i = 0; i < ask->n_locations; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, ask->locations[i]);

      if (location->kind == KYMO_LOCATION_WORKER
          && (location->process < 0 || g_hash_table_add (processes, (gpointer) &location->process)))
        n++;
    }
  return n;
}

/* Whether it may belong to the body of a loop that all execute. */
static gboolean
may_be_of_body (const KymoUse      *use,
                const KymoActivity *activity,
                gint64              n_processes)
{
  return use->n_actors >= (use->of_elements ? 2 : n_processes) && use->least == use->most
    && use->most >= LEAST_ITERATIONS && use->most <= KYMO_MOST_TURNS
    && !kymo_activity_is_of_runtime (activity);
}

static Body *
find_body (GPtrArray *bodies,
           gint64     n)
{
  Body *body;

  for (guint i = 0; i < bodies->len; i++)
    if (((Body *) bodies->pdata[i])->n == n)
      return bodies->pdata[i];
  body = g_new (Body, 1);
  *body = (Body) { n, g_array_new (FALSE, FALSE, sizeof (guint)), G_MAXINT64, G_MININT64 };
  g_ptr_array_add (bodies, body);
  return body;
}

static double
body_weight (const Body *body)
{
  return (double) body->activities->len * (double) (body->last_ns - body->first_ns);
}

static int
compare_bodies (gconstpointer a,
                gconstpointer b)
{
  const Body *x = *(Body *const *) a, *y = *(Body *const *) b;
  double of_x = body_weight (x), of_y = body_weight (y);

  if (of_x != of_y)
    return of_x > of_y ? -1 : 1;
  return x->n > y->n ? -1 : x->n < y->n;
}

static int
compare_first (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const KymoUses *uses = data;
  guint x = *(const guint *) a, y = *(const guint *) b;

  if (uses->use[x].first_ns != uses->use[y].first_ns)
    return uses->use[x].first_ns < uses->use[y].first_ns ? -1 : 1;
  return x < y ? -1 : x > y;
}

static GPtrArray *
find_bodies (const KymoUses *uses,
             const KymoAsk  *ask)
{
  GPtrArray *bodies = g_ptr_array_new_with_free_func (body_free);
  gint64 n_processes = count_processes (ask);

  for (guint i = 0; i < uses->n; i++)
    {
      const KymoUse *use = &uses->use[i];
      Body *body;

      if (!may_be_of_body (use, kymo_run_peek_activity (ask->run, i), n_processes))
        continue;
      body = find_body (bodies, use->most);
      g_array_append_val (body->activities, i);
      body->first_ns = MIN (body->first_ns, use->first_ns);
      body->last_ns = MAX (body->last_ns, use->last_ns);
    }
  g_ptr_array_sort (bodies, compare_bodies);
  return bodies;
}

static guint
add_body (const KymoUses *uses,
          const KymoAsk  *ask,
          Body           *body,
          KymoTable      *table,
          const char    **name)
{
  g_array_sort_with_data (body->activities, compare_first, (gpointer) uses);
  for (guint i = 0; i < MIN (body->activities->len, MOST_MARKS); i++)
    {
      guint activity = g_array_index (body->activities, guint, i);
      g_autoptr (GArray) turns = kymo_uses_find_turns (uses, ask, activity);

      if (turns->len == 0 || !keeps_together (turns))
        continue;
      *name = kymo_run_peek_activity (ask->run, activity)->name;
      return add_turns (turns, body->last_ns, table);
    }
  return 0;
}

static guint
add_repeated (const KymoUses *uses,
              const KymoAsk  *ask,
              KymoTable      *table,
              char          **how)
{
  g_autoptr (GPtrArray) bodies = find_bodies (uses, ask);
  const char *name;

  for (guint i = 0; i < MIN (bodies->len, MOST_BODIES); i++)
    {
      Body *body = bodies->pdata[i];
      guint n = add_body (uses, ask, body, table, &name);

      if (n == 0)
        continue;
      *how = g_strdup_printf (
        ngettext ("%u activity repeats equally often everywhere; an iteration is from the first "
                  "begin of “%s” to the next",
                  "%u activities repeat equally often everywhere; an iteration is from the first "
                  "begin of “%s” to the next", body->activities->len),
        body->activities->len, name);
      return n;
    }
  *how = g_strdup (_("nothing repeats equally often everywhere"));
  return 0;
}

/**
 * kymo_regions_add_iterations:
 * @main: the range of the application; notes end with it
 * @how: (out): the evidence, or why there is none, as a phrase
 *
 * Returns: how many iterations there are
 */
guint
kymo_regions_add_iterations (const KymoUses *uses,
                             const KymoAsk  *ask,
                             KymoSpan        main,
                             KymoTable      *table,
                             char          **how)
{
  const char *name;
  guint n = add_numbered_activities (uses, ask, table);

  if (n > 0)
    *how = g_strdup (_("functions or user events with the number of an iteration in their names"));
  else if ((n = add_named (uses, ask, table, &name)) > 0)
    *how = g_strdup_printf (_("an iteration is from the first begin of “%s” to the next"), name);
  else if ((n = add_notes (uses, main, table)) > 0)
    *how = g_strdup (_("user notes with the number of an iteration"));
  else
    n = add_repeated (uses, ask, table, how);
  return n;
}
