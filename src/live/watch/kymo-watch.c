/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A rule keeps the last steps of its condition's time, of each step a sparse
 * list of (slot, ns), and the sums of them all by slot: a step that comes is
 * added, the one that goes is taken off, in integers. A slot is a display
 * name, so that entry methods of one name count together; rules that look at
 * one figure only have one slot. There are at most a hundred steps, whatever
 * the time.
 */
#include "config.h"

#include "kymo-watch.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-units.h"
#include "kymo-value-rule.h"

#define STEPS 100
#define FIRST_ID (-32768)               /* ids are 16 bits */
#define N_IDS 65536
#define LONGEST_NS (24 * 3600 * G_GINT64_CONSTANT (1000000000))
#define NO_TIME G_MININT64
/* What values are of. */
#define VALUES_NS G_GINT64_CONSTANT (1000000000)

typedef struct
{
  guint  slot;
  gint64 ns;
} Share;

typedef struct
{
  KymoCondition *condition;
  KymoValueRule *value;                 /* of a condition on a value, which has no bins; or NULL */
  guint          own_slot;              /* of the name it looks at */
  guint          step_bins;
  guint          n_steps;
  gint64         limit_ns;              /* sum of the steps to be beyond */
  GArray       **steps;                 /* Share; a ring */
  guint          at;                    /* the step that is being filled */
  guint          n_bins;                /* in it */
  guint          n_full;                /* steps */
  GArray        *sums;                  /* gint64, by slot, of the full steps */
  GArray        *place;                 /* guint, by slot: where in steps[at] */
  gboolean       met;
} Rule;

/* The most extreme stretch that a block ended. */
typedef struct
{
  gboolean decided;
  gboolean met;
  guint    slot;
  gint64   sum_ns;
  gint64   end_ns;
} Finding;

struct _KymoWatch
{
  KymoWatchMet   told;
  KymoWatchName  name_of;
  KymoWatchCounts counts;               /* NULL: all ids are compute */
  gpointer       data;
  GPtrArray     *rules;
  guint         *slot_of;               /* by id - FIRST_ID, + 1; 0 = not yet */
  GPtrArray     *names;                 /* char *, by slot */
  GHashTable    *slots;                 /* name -> slot */
  gint64         next_ns;               /* begin of the block that would follow */
  gint64         next_values_ns;        /* begin of the second whose values would follow */
  gint64         silent_since_us;       /* wall clock; NO_TIME = not waiting */
  gboolean       new_block;             /* since the last tick */
};

static void
rule_forget (Rule *rule)
{
  for (guint i = 0; i < rule->n_steps; i++)
    g_array_set_size (rule->steps[i], 0);
  g_array_set_size (rule->sums, 0);
  rule->at = rule->n_bins = rule->n_full = 0;
  if (rule->value != NULL)
    kymo_value_rule_forget (rule->value);
}

static Rule *
rule_new (const KymoCondition *condition)
{
  Rule *rule = g_new0 (Rule, 1);
  gint64 bins = (CLAMP (condition->for_ns, 1, LONGEST_NS) + KYMO_STREAM_BIN_NS - 1)
                / KYMO_STREAM_BIN_NS;

  rule->condition = kymo_condition_copy (condition);
  if (condition->kind == KYMO_CONDITION_VALUE)
    rule->value = kymo_value_rule_new (condition);
  rule->step_bins = (bins + STEPS - 1) / STEPS;
  rule->n_steps = (bins + rule->step_bins - 1) / rule->step_bins;
  rule->limit_ns = llround (condition->share * (double) rule->n_steps * rule->step_bins
                            * KYMO_STREAM_BIN_NS);
  rule->steps = g_new (GArray *, rule->n_steps);
  for (guint i = 0; i < rule->n_steps; i++)
    rule->steps[i] = g_array_new (FALSE, FALSE, sizeof (Share));
  rule->sums = g_array_new (FALSE, TRUE, sizeof (gint64));
  rule->place = g_array_new (FALSE, TRUE, sizeof (guint));
  return rule;
}

static void
rule_free (gpointer data)
{
  Rule *rule = data;

  for (guint i = 0; i < rule->n_steps; i++)
    g_array_unref (rule->steps[i]);
  g_free (rule->steps);
  g_array_unref (rule->sums);
  g_array_unref (rule->place);
  kymo_condition_free (rule->condition);
  kymo_value_rule_free (rule->value);
  g_free (rule);
}

static guint
slot_of_name (KymoWatch  *watch,
              const char *name)
{
  gpointer slot;
  char *copy;

  if (g_hash_table_lookup_extended (watch->slots, name, NULL, &slot))
    return GPOINTER_TO_UINT (slot);
  copy = g_strdup (name);
  g_ptr_array_add (watch->names, copy);
  g_hash_table_insert (watch->slots, copy, GUINT_TO_POINTER (watch->names->len - 1));
  return watch->names->len - 1;
}

static guint
slot_of_id (KymoWatch *watch,
            gint32     id)
{
  guint *slot = &watch->slot_of[(guint16) (id - FIRST_ID)];

  if (*slot == 0)
    {
      g_autofree char *name = watch->name_of (id, watch->data);

      *slot = slot_of_name (watch, name != NULL ? name : "") + 1;
    }
  return *slot - 1;
}

static void
rule_add (Rule   *rule,
          guint   slot,
          gint64  ns)
{
  GArray *step = rule->steps[rule->at];
  guint *place;

  if (slot >= rule->place->len)
    g_array_set_size (rule->place, slot + 1);
  place = &g_array_index (rule->place, guint, slot);
  if (*place < step->len && g_array_index (step, Share, *place).slot == slot)
    {
      g_array_index (step, Share, *place).ns += ns;
      return;
    }
  *place = step->len;
  g_array_append_val (step, ((Share) { slot, ns }));
}

/* Adds one bin to the step that is being filled. */
static void
rule_add_bin (KymoWatch             *watch,
              Rule                  *rule,
              const KymoStreamBlock *block,
              guint                  bin)
{
  guint begin = g_array_index (block->offsets, guint32, bin);
  guint end = g_array_index (block->offsets, guint32, bin + 1);
  const guint32 *ns = (const guint32 *) (gpointer) block->ns->data;
  const gint32 *ids = (const gint32 *) (gpointer) block->ids->data;
  gint64 sum = 0;

  if (rule->condition->kind == KYMO_CONDITION_BELOW)
    {
      for (guint i = begin; i < end; i++)
        if (watch->counts == NULL || watch->counts (ids[i], watch->data))
          sum += ns[i];
      rule_add (rule, 0, sum);
      return;
    }
  for (guint i = begin; i < end; i++)
    {
      guint slot;

      if (ids[i] == KYMO_STREAM_OTHER_ID || ids[i] == KYMO_STREAM_BUSY_ID)
        continue;
      slot = slot_of_id (watch, ids[i]);
      if (rule->condition->name == NULL)
        rule_add (rule, slot, ns[i]);
      else if (slot == rule->own_slot)
        rule_add (rule, 0, ns[i]);
    }
}

static void
rule_count_step (Rule *rule,
                 guint step,
                 int   sign)
{
  for (guint i = 0; i < rule->steps[step]->len; i++)
    {
      Share *share = &g_array_index (rule->steps[step], Share, i);

      if (share->slot >= rule->sums->len)
        g_array_set_size (rule->sums, share->slot + 1);
      g_array_index (rule->sums, gint64, share->slot) += sign * share->ns;
    }
}

/* The sums are those of a whole stretch that ends at `end_ns`. */
static void
rule_decide (const Rule *rule,
             gint64      end_ns,
             Finding    *finding)
{
  gboolean below = rule->condition->kind == KYMO_CONDITION_BELOW;
  guint n = below ? 1 : rule->sums->len;

  finding->decided = TRUE;
  for (guint slot = 0; slot < n; slot++)
    {
      gint64 sum = slot < rule->sums->len ? g_array_index (rule->sums, gint64, slot) : 0;

      if (below ? sum >= rule->limit_ns : sum <= rule->limit_ns)
        continue;
      if (finding->met && (below ? sum >= finding->sum_ns : sum <= finding->sum_ns))
        continue;
      *finding = (Finding) { TRUE, TRUE, slot, sum, end_ns };
    }
}

static void
rule_end_step (Rule    *rule,
               gint64   end_ns,
               Finding *finding)
{
  rule_count_step (rule, rule->at, 1);
  rule->n_bins = 0;
  rule->n_full++;
  rule->at = (rule->at + 1) % rule->n_steps;
  if (rule->n_full < rule->n_steps)
    return;
  rule_decide (rule, end_ns, finding);
  rule_count_step (rule, rule->at, -1);
  g_array_set_size (rule->steps[rule->at], 0);
  rule->n_full--;
}

/* "20 %", "11.2 %" */
static char *
percent (double share)
{
  g_autofree char *text = kymo_format_percent (share);
  g_auto (GStrv) parts = g_strsplit (text, ".0 %", 2);

  return g_strjoinv (" %", parts);
}

static void
rule_tell (KymoWatch     *watch,
           const Rule    *rule,
           const Finding *finding)
{
  const KymoCondition *condition = rule->condition;
  gint64 length_ns = (gint64) rule->n_steps * rule->step_bins * KYMO_STREAM_BIN_NS;
  g_autofree char *limit = percent (condition->share);
  g_autofree char *share = percent (finding->sum_ns / (double) length_ns);
  g_autofree char *length = kymo_format_duration_exact (condition->for_ns);
  g_autofree char *sentence = NULL;

  if (condition->kind == KYMO_CONDITION_BELOW)
    sentence = g_strdup_printf (_("Utilization was below %s for %s (%s)"), limit, length, share);
  else
    sentence = g_strdup_printf (_("%s was above %s for %s (%s)"),
                                (char *) watch->names->pdata[condition->name != NULL
                                                             ? rule->own_slot
                                                             : finding->slot],
                                limit, length, share);
  watch->told (condition, finding->end_ns - length_ns, sentence, watch->data);
}

static void
rule_block (KymoWatch             *watch,
            Rule                  *rule,
            const KymoStreamBlock *block,
            gint64                 begin_ns)
{
  Finding finding = { 0 };
  gboolean before = rule->met;

  for (guint bin = 0; bin < block->n_bins; bin++)
    {
      rule_add_bin (watch, rule, block, bin);
      if (++rule->n_bins == rule->step_bins)
        rule_end_step (rule, begin_ns + (bin + 1) * KYMO_STREAM_BIN_NS, &finding);
    }
  if (!finding.decided)
    return;
  rule->met = finding.met;
  if (finding.met && !before)
    rule_tell (watch, rule, &finding);
}

/* Of the name that a condition looks at. "entry 157" is the entry method of
   that id, whatever name it has got since. */
static guint
slot_of_condition (KymoWatch  *watch,
                   const char *name)
{
  gint64 id;

  if (g_str_has_prefix (name, "entry ")
      && g_ascii_string_to_signed (name + strlen ("entry "), 10, 0, G_MAXINT16, &id, NULL))
    return slot_of_id (watch, id);
  return slot_of_name (watch, name);
}

static void
forget_names (KymoWatch *watch)
{
  memset (watch->slot_of, 0, N_IDS * sizeof *watch->slot_of);
  g_hash_table_remove_all (watch->slots);
  g_ptr_array_set_size (watch->names, 0);
  for (guint i = 0; i < watch->rules->len; i++)
    {
      Rule *rule = watch->rules->pdata[i];

      rule_forget (rule);
      g_array_set_size (rule->place, 0);
      if (rule->condition->name != NULL)
        rule->own_slot = slot_of_condition (watch, rule->condition->name);
    }
}

/**
 * kymo_watch_new:
 * @told: called when a condition is met
 * @name_of: gives the display name of an entry method; called once for each id
 * @data: for both callbacks
 *
 * Returns: (transfer full): a watch without conditions; free with kymo_watch_free()
 */
KymoWatch *
kymo_watch_new (KymoWatchMet  told,
                KymoWatchName name_of,
                gpointer      data)
{
  KymoWatch *watch = g_new0 (KymoWatch, 1);

  watch->told = told;
  watch->name_of = name_of;
  watch->data = data;
  watch->rules = g_ptr_array_new_with_free_func (rule_free);
  watch->slot_of = g_new0 (guint, N_IDS);
  watch->names = g_ptr_array_new_with_free_func (g_free);
  watch->slots = g_hash_table_new (g_str_hash, g_str_equal);
  watch->next_ns = watch->next_values_ns = NO_TIME;
  watch->silent_since_us = NO_TIME;
  return watch;
}

/**
 * kymo_watch_set_counts:
 * @counts: says of an id whether it is compute; called for each record
 *
 * Without this all ids are.
 */
void
kymo_watch_set_counts (KymoWatch       *watch,
                       KymoWatchCounts  counts)
{
  watch->counts = counts;
}

/**
 * kymo_watch_free:
 *
 * Frees @watch. %NULL is ignored.
 */
void
kymo_watch_free (KymoWatch *watch)
{
  if (watch == NULL)
    return;
  g_ptr_array_unref (watch->rules);
  g_hash_table_unref (watch->slots);
  g_ptr_array_unref (watch->names);
  g_free (watch->slot_of);
  g_free (watch);
}

/* TRUE if an earlier rule reported the same condition. */
static gboolean
was_met (GPtrArray           *rules,
         const KymoCondition *condition)
{
  for (guint i = 0; i < rules->len; i++)
    {
      const Rule *rule = rules->pdata[i];

      if (rule->met && kymo_condition_equal (rule->condition, condition))
        return TRUE;
    }
  return FALSE;
}

/**
 * kymo_watch_set_conditions:
 * @conditions: (nullable) (element-type KymoCondition): in place of those
 *   before; what came is forgotten, but one that is among them again and was
 *   told of is not told again
 */
void
kymo_watch_set_conditions (KymoWatch *watch,
                           GPtrArray *conditions)
{
  g_autoptr (GPtrArray) old = g_steal_pointer (&watch->rules);

  watch->rules = g_ptr_array_new_with_free_func (rule_free);
  for (guint i = 0; conditions != NULL && i < conditions->len; i++)
    {
      Rule *rule = rule_new (conditions->pdata[i]);

      rule->met = was_met (old, rule->condition);
      g_ptr_array_add (watch->rules, rule);
    }
  forget_names (watch);
}

/**
 * kymo_watch_names_changed:
 *
 * What came before is forgotten, for its names are; what was told of is not
 * told again.
 */
void
kymo_watch_names_changed (KymoWatch *watch)
{
  forget_names (watch);
}

/**
 * kymo_watch_block:
 * @begin_ns: in the program's time. A gap to the block before breaks every
 *   stretch; a step back is another stream, for which all is armed again
 * @arrived_us: of the clock that kymo_watch_tick() is given
 */
void
kymo_watch_block (KymoWatch             *watch,
                  const KymoStreamBlock *block,
                  gint64                 begin_ns,
                  gint64                 arrived_us)
{
  watch->silent_since_us = arrived_us;
  watch->new_block = TRUE;
  for (guint i = 0; i < watch->rules->len; i++)
    {
      Rule *rule = watch->rules->pdata[i];

      if (rule->condition->kind == KYMO_CONDITION_SILENT || rule->value != NULL)
        continue;
      if (begin_ns != watch->next_ns)
        rule_forget (rule);
      if (begin_ns < watch->next_ns)
        rule->met = FALSE;
      rule_block (watch, rule, block, begin_ns);
    }
  watch->next_ns = begin_ns + block->n_bins * KYMO_STREAM_BIN_NS;
}

/* A second of values for a rule. */
static void
rule_values (KymoWatch              *watch,
             Rule                   *rule,
             const KymoStreamValues *values,
             gint64                  begin_ns)
{
  gboolean before;

  if (begin_ns != watch->next_values_ns)
    rule_forget (rule);
  if (begin_ns < watch->next_values_ns)
    rule->met = FALSE;
  before = rule->met;
  if (!kymo_value_rule_take (rule->value, values))
    return;
  rule->met = kymo_value_rule_is_met (rule->value);
  if (rule->met && !before)
    {
      g_autofree char *sentence = kymo_value_rule_tell (rule->value);
      gint64 end_ns = begin_ns + VALUES_NS;

      watch->told (rule->condition, end_ns - kymo_value_rule_get_length_ns (rule->value),
                   sentence, watch->data);
    }
}

/**
 * kymo_watch_values:
 * @values: of a second of a recorded job
 * @begin_ns: where the second lies in the program's time; gaps and steps back are taken as those
 *   of blocks
 */
void
kymo_watch_values (KymoWatch              *watch,
                   const KymoStreamValues *values,
                   gint64                  begin_ns)
{
  for (guint i = 0; i < watch->rules->len; i++)
    if (((Rule *) watch->rules->pdata[i])->value != NULL)
      rule_values (watch, watch->rules->pdata[i], values, begin_ns);
  watch->next_values_ns = begin_ns + VALUES_NS;
}

static void
tell_silent (KymoWatch           *watch,
             const KymoCondition *condition)
{
  g_autofree char *length = kymo_format_duration_exact (condition->for_ns);
  g_autofree char *sentence =
    g_strdup_printf (_("No new block for %s: the program may hang"), length);

  watch->told (condition, watch->next_ns == NO_TIME ? 0 : watch->next_ns, sentence, watch->data);
}

/**
 * kymo_watch_tick:
 * @now_us: a clock that goes on while no block comes
 * @attached: whether blocks are expected; silence is counted from when they
 *   first were
 */
void
kymo_watch_tick (KymoWatch *watch,
                 gint64     now_us,
                 gboolean   attached)
{
  gboolean new_block = watch->new_block;

  watch->new_block = FALSE;
  if (!attached)
    watch->silent_since_us = NO_TIME;
  else if (watch->silent_since_us == NO_TIME || now_us < watch->silent_since_us)
    watch->silent_since_us = now_us;
  for (guint i = 0; i < watch->rules->len; i++)
    {
      Rule *rule = watch->rules->pdata[i];

      if (rule->condition->kind != KYMO_CONDITION_SILENT)
        continue;
      if (new_block)
        rule->met = FALSE;
      if (!attached || rule->met
          || now_us - watch->silent_since_us < rule->condition->for_ns / 1000)
        continue;
      rule->met = TRUE;
      tell_silent (watch, rule->condition);
    }
}
