/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * regions: parts of the run that a person may want to look at alone, with the evidence for each
 * kind. They are of the locations asked for, and those that overlap the asked range are listed.
 *
 * main is from the end of the last MPI_Init to the beginning of the first MPI_Finalize over all
 * ranks, so that no rank is in either. A run of Charm++ has the stretch from the beginning of the
 * first to the end of the last entry method of the application: of a chare that is not of the
 * runtime system. What lies before is startup, what lies behind is shutdown. Phases are those
 * that the program marks, or functions that it calls phases. A load balancing step is from the
 * first begin to the last end of what each PE executes for the load balancer, once a step.
 * Iterations: see kymo-region-iterations.c.
 */
#include "config.h"

#include "kymo-regions.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-regions-private.h"
#include "kymo-run-index.h"

/* Chares of Charm++ itself, beside those with the prefixes below. */
static const char *const runtime_chares[] =
{
  "SDAG", "null", "Chare", "Group", "FutureBOC", "FutureMain", "ArrayElement", "RRMap",
  "DefaultArrayMap", "FastArrayMap", "HilbertArrayMap", "ReadFileMap", "Simple1DFileMap",
  "BlockMap", "CldMap", "ConfigurableRRMap", "PropMap", "LBMgrInit", "MetaLBInit",
  "MetaBalancer", "MetaBalancerRedn", "KMeansBOC", "waitqd_QDChare", "TCharm", "ampi",
  "ampiParent", NULL
};
static const char *const runtime_prefixes[] = { "Ck", "ck", "dummy_", "TraceProjections" };

/**
 * kymo_activity_balances:
 *
 * Returns: whether it is an entry method of a load balancer of Charm++
 */
gboolean
kymo_activity_balances (const KymoActivity *activity)
{
  return activity->kind == KYMO_ACTIVITY_ENTRY
    && (g_str_has_suffix (activity->group, "LB") || strcmp (activity->group, "LBManager") == 0);
}

/**
 * kymo_activity_is_of_runtime:
 *
 * Returns: whether it is an entry method of a chare of Charm++ itself
 */
gboolean
kymo_activity_is_of_runtime (const KymoActivity *activity)
{
  if (activity->kind != KYMO_ACTIVITY_ENTRY)
    return FALSE;
  if (activity->role != KYMO_ROLE_COMPUTE || kymo_activity_balances (activity)
      || g_strv_contains (runtime_chares, activity->group))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (runtime_prefixes); i++)
    if (g_str_has_prefix (activity->group, runtime_prefixes[i]))
      return TRUE;
  return FALSE;
}

static KymoTable *
regions_new (void)
{
  KymoTable *table = kymo_table_new_list ("region:string kind:string name:string number begin_ns "
                                          "end_ns spread_ns");

  return table;
}

/**
 * kymo_regions_append:
 * @name: (nullable): of a phase
 * @number: %KYMO_NULL_INT = none
 * @spread_ns: how far apart its begins are; %KYMO_NULL_INT = not known
 *
 * Adds a row to the list of regions.
 */
void
kymo_regions_append (KymoTable  *table,
                     const char *kind,
                     const char *name,
                     gint64      number,
                     KymoSpan    span,
                     gint64      spread_ns)
{
  g_autofree char *region = name != NULL ? g_strdup_printf ("%s:%s", kind, name)
    : number != KYMO_NULL_INT ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, kind, number)
    : g_strdup (kind);

  kymo_table_append_row (table, region, kind, name != NULL ? name : "", number, span.begin_ns,
                         span.end_ns, spread_ns);
}

static void
append_plain (KymoTable  *table,
              const char *kind,
              gint64      begin_ns,
              gint64      end_ns)
{
  if (end_ns > begin_ns)
    kymo_regions_append (table, kind, NULL, KYMO_NULL_INT, (KymoSpan) { begin_ns, end_ns },
                         KYMO_NULL_INT);
}

static gboolean
is_mpi (const KymoActivity *activity,
        const char         *wanted)
{
  gsize length;
  const char *name = kymo_mpi_find_name (activity->name + (*activity->name == 'A'), &length);

  return name != NULL && length == strlen (wanted)
    && g_ascii_strncasecmp (name, wanted, length) == 0;
}

/* From the last MPI_Init to the first MPI_Finalize. */
static gboolean
find_mpi (const KymoUses *uses,
          const KymoAsk  *ask,
          KymoSpan       *main)
{
  gboolean found = FALSE;

  for (guint i = 0; i < uses->n; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);
      const KymoUse *use = &uses->use[i];

      if (use->n_actors == 0)
        continue;
      if (is_mpi (activity, "init") || is_mpi (activity, "init_thread"))
        main->begin_ns = MAX (main->begin_ns, use->last_ns);
      else if (is_mpi (activity, "finalize"))
        main->end_ns = MIN (main->end_ns, use->first_ns);
      else
        continue;
      found = TRUE;
    }
  return found && main->end_ns > main->begin_ns;
}

/* From the first to the last entry method of the application. */
static gboolean
find_application (const KymoUses *uses,
                  const KymoAsk  *ask,
                  KymoSpan       *main)
{
  KymoSpan span = { G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < uses->n; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);
      const KymoUse *use = &uses->use[i];

      if (use->n_actors == 0 || activity->kind != KYMO_ACTIVITY_ENTRY
          || kymo_activity_is_of_runtime (activity))
        continue;
      span.begin_ns = MIN (span.begin_ns, use->first_ns);
      span.end_ns = MAX (span.end_ns, use->last_ns);
    }
  if (span.end_ns <= span.begin_ns)
    return FALSE;
  *main = span;
  return TRUE;
}

static const char *
add_main (const KymoUses *uses,
          const KymoAsk  *ask,
          KymoSpan       *main,
          KymoTable      *table)
{
  KymoSpan run = ask->run->span, span = run;
  const char *how = _("from the end of the last MPI_Init to the beginning of the first "
                      "MPI_Finalize");

  if (!find_mpi (uses, ask, &span))
    {
      span = run;
      how = _("from the beginning of the first to the end of the last entry method of the "
              "application");
      if (!find_application (uses, ask, &span))
        return NULL;
    }
  append_plain (table, "startup", run.begin_ns, span.begin_ns);
  append_plain (table, "main", span.begin_ns, span.end_ns);
  append_plain (table, "shutdown", span.end_ns, run.end_ns);
  *main = span;
  return how;
}

static guint
add_phases (const KymoUses *uses,
            const KymoAsk  *ask,
            KymoTable      *table)
{
  const GArray *phases = kymo_run_peek_phases (ask->run);
  guint n = 0;

  for (guint i = 0; i < phases->len; i++)
    {
      const KymoPhase *phase = &g_array_index (phases, KymoPhase, i);
      g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT, phase->phase);

      if (phase->span.end_ns <= phase->span.begin_ns)
        continue;
      kymo_regions_append (table, "phase", name, phase->phase, phase->span, KYMO_NULL_INT);
      n++;
    }
  for (guint i = 0; i < uses->n; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);
      const KymoUse *use = &uses->use[i];

      if (!kymo_activity_is_phase (activity) || use->last_ns <= use->first_ns)
        continue;
      kymo_regions_append (table, "phase", activity->name, KYMO_NULL_INT,
                           (KymoSpan) { use->first_ns, use->last_ns }, KYMO_NULL_INT);
      n++;
    }
  return n;
}

static gint64
count_workers (const KymoAsk *ask)
{
  gint64 n = 0;

  for (guint i = 0; i < ask->n_locations; i++)
    n += kymo_run_peek_location (ask->run, ask->locations[i])->kind == KYMO_LOCATION_WORKER;
  return n;
}

/* Adds the executions of one entry method to those of the others. */
static void
join_turns (GArray       *steps,
            const GArray *turns)
{
  for (guint k = 0; k < turns->len; k++)
    {
      const KymoTurn *turn = &g_array_index (turns, KymoTurn, k);
      KymoTurn *step;

      if (k == steps->len)
        g_array_append_val (steps, *turn);
      step = &g_array_index (steps, KymoTurn, k);
      step->first_ns = MIN (step->first_ns, turn->first_ns);
      step->end_ns = MAX (step->end_ns, turn->end_ns);
    }
}

static guint
add_steps (const KymoUses *uses,
           const KymoAsk  *ask,
           KymoTable      *table)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (KymoTurn));
  gint64 workers = count_workers (ask), most = 0;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < uses->n; i++)
      {
        const KymoUse *use = &uses->use[i];
        g_autoptr (GArray) turns = NULL;

        if (!kymo_activity_balances (kymo_run_peek_activity (ask->run, i)) || use->of_elements
            || use->n_actors != workers || use->least != use->most)
          continue;
        if (pass == 0)
          most = MAX (most, use->most);
        else if (use->most == most)
          {
            turns = kymo_uses_find_turns (uses, ask, i);
            join_turns (steps, turns);
          }
      }
  for (guint k = 0; k < steps->len; k++)
    {
      const KymoTurn *step = &g_array_index (steps, KymoTurn, k);

      if (step->end_ns > step->first_ns)
        kymo_regions_append (table, "lb", NULL, k + 1,
                             (KymoSpan) { step->first_ns, step->end_ns }, KYMO_NULL_INT);
    }
  return steps->len;
}

static gpointer
state_new (const KymoAsk *ask)
{
  return kymo_uses_new (ask->run);
}

static void
state_free (gpointer state)
{
  kymo_uses_free (state);
}

static void
regions_partial (const KymoAsk *ask,
                 gpointer       state,
                 KymoSegment   *segment)
{
  if (kymo_run_peek_location (ask->run, segment->location)->kind == KYMO_LOCATION_WORKER)
    kymo_uses_add (state, ask, segment);
}

static void
regions_merge (const KymoAsk *ask,
               gpointer       into,
               gpointer       from)
{
  kymo_uses_merge (ask, into, from);
}

static void
append_evidence (KymoTable  *table,
                 const char *kind,
                 guint       count,
                 const char *how)
{
  kymo_table_append_row (table, kind, count, how);
}

/* Those that overlap the asked range. */
static KymoTable *
choose_rows (const KymoAsk *ask,
             KymoTable     *all)
{
  KymoTable *table;
  guint n = kymo_table_get_n_rows (all);

  if (kymo_span_length (ask->span) == kymo_span_length (ask->run->span))
    return kymo_table_ref (all);
  table = regions_new ();
  for (guint i = 0; i < n; i++)
    {
      const char *name = kymo_table_get_string (all, "name", i);
      KymoSpan span = { kymo_table_get_int (all, "begin_ns", i),
                        kymo_table_get_int (all, "end_ns", i) };

      if (span.begin_ns < ask->span.end_ns && span.end_ns > ask->span.begin_ns)
        kymo_regions_append (table, kymo_table_get_string (all, "kind", i),
                             *name != '\0' ? name : NULL, kymo_table_get_int (all, "number", i),
                             span, kymo_table_get_int (all, "spread_ns", i));
    }
  return table;
}

static KymoTable *
regions_finish (const KymoAsk *ask,
                gpointer       state)
{
  KymoTable *answer = kymo_ask_answer_new (ask);
  KymoTable *evidence = kymo_table_new_list ("kind:string count how:string");
  g_autoptr (KymoTable) all = regions_new ();
  g_autofree char *how = NULL;
  KymoSpan main = ask->run->span;
  const char *of_main;
  guint n;

  kymo_uses_finish (state);
  of_main = add_main (state, ask, &main, all);
  append_evidence (evidence, "main", of_main != NULL, of_main != NULL ? of_main
                   : _("neither MPI_Init and MPI_Finalize nor entry methods of an application"));
  n = add_phases (state, ask, all);
  append_evidence (evidence, "phase", n, n > 0 ? _("the program marks them")
                   : _("the program marks none"));
  n = add_steps (state, ask, all);
  append_evidence (evidence, "lb", n, n > 0
                   ? _("every PE executes entry methods of the load balancer once a step")
                   : _("no entry method of a load balancer that every PE executes equally often"));
  n = kymo_regions_add_iterations (state, ask, main, all, &how);
  append_evidence (evidence, "iteration", n, how);
  kymo_table_set_table (answer, "regions", choose_rows (ask, all));
  kymo_table_set_table (answer, "evidence", evidence);
  return answer;
}

/* The names of all regions with commas between, of many of a kind the first and the last. */
static char *
dup_list (const KymoTable *regions)
{
  GString *list = g_string_new (NULL);
  guint n = regions != NULL ? kymo_table_get_n_rows (regions) : 0;

  for (guint i = 0; i < n;)
    {
      const char *kind = kymo_table_get_string (regions, "kind", i);
      guint end = i + 1;

      while (end < n && strcmp (kymo_table_get_string (regions, "kind", end), kind) == 0)
        end++;
      for (guint k = i; k < end; k++)
        if (end - i <= 4 || k == i || k + 1 == end)
          g_string_append_printf (list, "%s%s",
                                  k > i && end - i > 4 ? " … " : list->len > 0 ? ", " : "",
                                  kymo_table_get_string (regions, "region", k));
      i = end;
    }
  return g_string_free (list, FALSE);
}

/**
 * kymo_regions_find:
 * @regions: the list of an answer
 * @name: "main", "phase:NAME", "iteration:N" and so on; in any case if none has the very name
 * @span: (out): its range
 * @error: says which regions there are
 *
 * Returns: whether there is a region of that name
 */
gboolean
kymo_regions_find (const KymoTable *regions,
                   const char      *name,
                   KymoSpan        *span,
                   GError         **error)
{
  guint n = regions != NULL ? kymo_table_get_n_rows (regions) : 0;
  g_autofree char *list = NULL;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n; i++)
      {
        const char *here = kymo_table_get_string (regions, "region", i);

        if ((pass == 0 ? strcmp (here, name) : g_ascii_strcasecmp (here, name)) != 0)
          continue;
        span->begin_ns = kymo_table_get_int (regions, "begin_ns", i);
        span->end_ns = kymo_table_get_int (regions, "end_ns", i);
        return TRUE;
      }
  list = dup_list (regions);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               *list != '\0' ? _("The run has no region “%s”; it has %s")
               : _("The run has no region “%s”; no region was found in it"), name, list);
  return FALSE;
}

/**
 * kymo_regions_ask:
 * @source: of a trace
 * @name: see kymo_regions_find()
 * @span: (out): its range in the run
 * @error: set as well where the source cannot tell regions
 *
 * Asks the source for its regions, and blocks meanwhile.
 *
 * Returns: whether there is a region of that name
 */
gboolean
kymo_regions_ask (KymoSource    *source,
                  const char    *name,
                  GCancellable  *cancellable,
                  KymoSpan      *span,
                  GError       **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("regions");
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set_int (question, "once", 1);
  answer = kymo_source_ask (source, question, cancellable, error);
  return answer != NULL
    && kymo_regions_find (kymo_table_peek_nested (answer, "regions", NULL), name, span, error);
}

static const KymoQuestionList lists[] =
{
  { "regions", "region kind name number begin_ns end_ns spread_ns", TRUE },
  { "evidence", "kind count how" },
  { NULL }
};

const KymoAnswerClass kymo_answer_regions =
{
  { "regions", N_("A list of regions"),
    "start-up, shutdown, phases, load balancing steps, iterations", NULL,
    KYMO_CAN_INTERVALS, .lists = lists, .topic = KYMO_TOPIC_TIME },
  NULL, NULL, state_new, state_free, regions_partial, regions_merge, regions_finish,
  KYMO_NEEDS_BLOCKS | KYMO_NEEDS_POINTS | KYMO_NEEDS_PHASES,
};
