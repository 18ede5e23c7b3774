/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often each activity was executed, by location and by element of an array.
 *
 * Elements migrate, so theirs are counted over all locations. Of more than MOST_ELEMENTS pairs of
 * activity and element only elements are counted whose hash ends in @level zeros; the smallest
 * level that suffices is the same however the run is split over threads.
 */
#include "config.h"

#include "kymo-regions-private.h"

#include <string.h>

#include "kymo-memory.h"
#include "kymo-order.h"

#define MOST_ELEMENTS 16384
/* Of one activity in kymo_uses_find_turns(). */
#define MOST_EXECUTIONS (4 * 1024 * 1024)

/** Element: of an array, and what it executes */
typedef struct
{
  KymoObject object;
  guint32    activity;
  guint32    hash;              /* of the object alone */
  gint64     n;
  GArray    *marks;             /* Mark, or NULL */
} Element;

/** Mark: one execution */
typedef struct
{
  gint64 begin_ns, end_ns;
} Mark;

static guint32
hash_object (const KymoObject *object)
{
  guint32 hash = 2166136261u ^ object->n_dimensions;

  for (guint i = 0; i < MIN (object->n_dimensions, KYMO_MAX_DIMENSIONS); i++)
    hash = (hash ^ (guint32) object->index[i]) * 16777619u;
  hash = (hash ^ hash >> 15) * 0x85ebca6bu;
  return hash ^ hash >> 13;
}

static guint
element_hash (gconstpointer key)
{
  const Element *element = key;

  return element->hash * 31 + element->activity;
}

static gboolean
element_equal (gconstpointer a,
               gconstpointer b)
{
  const Element *x = a, *y = b;

  return x->activity == y->activity && x->object.n_dimensions == y->object.n_dimensions
    && memcmp (x->object.index, y->object.index,
               MIN (x->object.n_dimensions, KYMO_MAX_DIMENSIONS) * sizeof (gint32)) == 0;
}

static void
element_free (gpointer data)
{
  Element *element = data;

  g_clear_pointer (&element->marks, g_array_unref);
  g_free (element);
}

static GHashTable *
elements_new (void)
{
  return g_hash_table_new_full (element_hash, element_equal, element_free, NULL);
}

static gboolean
is_sampled (guint32 hash,
            guint   level)
{
  return (hash & ((1u << level) - 1)) == 0;
}

static gboolean
is_left_out (gpointer key,
             gpointer value,
             gpointer data)
{
  return !is_sampled (((Element *) key)->hash, GPOINTER_TO_UINT (data));
}

static void
set_level (KymoUses *uses,
           guint     level)
{
  uses->level = level;
  g_hash_table_foreach_remove (uses->elements, is_left_out, GUINT_TO_POINTER (level));
}

static void
keep_few (KymoUses *uses)
{
  while (g_hash_table_size (uses->elements) > MOST_ELEMENTS && uses->level < 30)
    set_level (uses, uses->level + 1);
}

static Element *
find_element (GHashTable       *elements,
              const KymoObject *object,
              guint32           activity,
              guint32           hash)
{
  Element key = { .object = *object, .activity = activity, .hash = hash };
  Element *element = g_hash_table_lookup (elements, &key);

  if (element == NULL)
    {
      element = g_memdup2 (&key, sizeof key);
      g_hash_table_add (elements, element);
    }
  return element;
}

/**
 * kymo_uses_new:
 * @run: whose activities are counted
 *
 * Returns: (transfer full): with nothing counted; free with kymo_uses_free()
 */
KymoUses *
kymo_uses_new (const KymoRun *run)
{
  KymoUses *uses = g_new0 (KymoUses, 1);

  uses->n = run->activities->len;
  uses->use = g_new (KymoUse, MAX (uses->n, 1));
  for (guint i = 0; i < uses->n; i++)
    uses->use[i] = (KymoUse) { .first_ns = G_MAXINT64, .last_ns = G_MININT64,
                               .least = G_MAXINT64 };
  uses->elements = elements_new ();
  uses->notes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  return uses;
}

/**
 * kymo_uses_free:
 * @uses: (transfer full): of kymo_uses_new()
 *
 * Frees it and all that was counted.
 */
void
kymo_uses_free (KymoUses *uses)
{
  g_free (uses->use);
  g_hash_table_unref (uses->elements);
  g_hash_table_unref (uses->notes);
  g_free (uses);
}

static void
extend_use (KymoUse *use,
            gint64   begin_ns,
            gint64   end_ns)
{
  use->first_ns = MIN (use->first_ns, begin_ns);
  use->last_ns = MAX (use->last_ns, end_ns);
}

static void
add_actor (KymoUse *use,
           gint64   n)
{
  use->n_actors++;
  use->least = MIN (use->least, n);
  use->most = MAX (use->most, n);
}

static void
add_block (KymoUses          *uses,
           const KymoSegment *segment,
           gint64            *counts,
           guint              i,
           gboolean           is_first)
{
  guint32 activity = segment->block_activity[i];
  guint32 object = kymo_segment_block_object (segment, i);
  guint32 hash;

  extend_use (&uses->use[activity], kymo_segment_block_begin (segment, i),
              kymo_segment_block_end (segment, i));
  counts[activity] += is_first;
  if (object == KYMO_NO_OBJECT || !is_first)
    return;
  uses->use[activity].of_elements = TRUE;
  hash = hash_object (&segment->objects[object]);
  if (!is_sampled (hash, uses->level))
    return;
  find_element (uses->elements, &segment->objects[object], activity, hash)->n++;
  keep_few (uses);
}

static gboolean
is_above (gpointer key,
          gpointer value,
          gpointer data)
{
  return *(gint64 *) key > *(gint64 *) data;
}

/* Of more than @most notes those with the lowest numbers stay: they are the same however the run
   is split over threads, as none of them is ever dropped. */
static void
keep_few_notes (KymoUses *uses,
                guint     most)
{
  g_autofree gint64 *numbers = NULL;
  GHashTableIter iter;
  gpointer key;
  guint n = 0;

  if (g_hash_table_size (uses->notes) <= most)
    return;
  numbers = g_new (gint64, g_hash_table_size (uses->notes));
  g_hash_table_iter_init (&iter, uses->notes);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    numbers[n++] = *(gint64 *) key;
  qsort (numbers, n, sizeof *numbers, kymo_compare_ints);
  g_hash_table_foreach_remove (uses->notes, is_above, &numbers[KYMO_MOST_TURNS - 1]);
}

static void
take_note (KymoUses *uses,
           gint64    number,
           gint64    at_ns)
{
  gint64 *time_ns = g_hash_table_lookup (uses->notes, &number);

  if (time_ns != NULL)
    {
      *time_ns = MIN (*time_ns, at_ns);
      return;
    }
  g_hash_table_insert (uses->notes, g_memdup2 (&number, sizeof number),
                       g_memdup2 (&at_ns, sizeof at_ns));
  /* Twice as many, for sorting to be rare. */
  keep_few_notes (uses, 2 * KYMO_MOST_TURNS);
}

static void
add_note (KymoUses        *uses,
          const KymoPoint *point)
{
  gint64 number;

  if (point->text != NULL && kymo_names_iteration (point->text, &number) && number >= 0)
    take_note (uses, number, point->begin_ns);
}

static void
add_point (KymoUses        *uses,
           gint64          *counts,
           const KymoPoint *point)
{
  if (kymo_point_is_user_event (point))
    {
      extend_use (&uses->use[point->activity], point->begin_ns, point->end_ns);
      counts[point->activity]++;
    }
  else if (point->kind == KYMO_POINT_NOTE)
    add_note (uses, point);
}

/* Blocks that go on after an inner one are no executions of their own; only entry methods
   have such. */
static guint8 *
find_firsts (const KymoAsk     *ask,
             const KymoSegment *segment)
{
  return ask->run->terms.code == KYMO_CODE_ENTRY_METHOD ? kymo_segment_find_firsts (segment) : NULL;
}

/**
 * kymo_uses_add:
 * @segment: all of a location; its blocks and points are used
 *
 * Counts what the location executes.
 */
void
kymo_uses_add (KymoUses      *uses,
               const KymoAsk *ask,
               KymoSegment   *segment)
{
  g_autofree gint64 *counts = g_new0 (gint64, MAX (uses->n, 1));
  guint8 *firsts = find_firsts (ask, segment);

  for (guint i = 0; i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    add_block (uses, segment, counts, i, firsts == NULL || firsts[i]);
  kymo_scratch_free (firsts);
  for (guint i = 0; i < segment->points->len; i++)
    add_point (uses, counts, &g_array_index (segment->points, KymoPoint, i));
  for (guint i = 0; i < uses->n; i++)
    if (counts[i] > 0)
      add_actor (&uses->use[i], counts[i]);
}

static void
merge_elements (const KymoAsk *ask,
                KymoUses      *into,
                KymoUses      *from)
{
  GHashTableIter iter;
  gpointer key;

  if (from->level > into->level)
    set_level (into, from->level);
  g_hash_table_iter_init (&iter, from->elements);
  for (guint i = 0;
       g_hash_table_iter_next (&iter, &key, NULL) && !kymo_ask_is_stopped (ask, i); i++)
    {
      const Element *element = key;

      if (is_sampled (element->hash, into->level))
        find_element (into->elements, &element->object, element->activity, element->hash)->n
          += element->n;
    }
  keep_few (into);
}

/**
 * kymo_uses_merge:
 * @from: is left as it is
 *
 * Adds what another thread counted, unless the question is cancelled meanwhile.
 */
void
kymo_uses_merge (const KymoAsk *ask,
                 KymoUses      *into,
                 KymoUses      *from)
{
  GHashTableIter iter;
  gpointer key, value;

  for (guint i = 0; i < into->n; i++)
    {
      KymoUse *a = &into->use[i];
      const KymoUse *b = &from->use[i];

      extend_use (a, b->first_ns, b->last_ns);
      a->n_actors += b->n_actors;
      a->least = MIN (a->least, b->least);
      a->most = MAX (a->most, b->most);
      a->of_elements |= b->of_elements;
    }
  merge_elements (ask, into, from);
  g_hash_table_iter_init (&iter, from->notes);
  while (g_hash_table_iter_next (&iter, &key, &value))
    take_note (into, *(gint64 *) key, *(gint64 *) value);
}

/**
 * kymo_uses_finish:
 * @uses: all of the run is counted
 *
 * Makes the elements the actors of what they execute, and leaves out notes beyond
 * %KYMO_MOST_TURNS.
 */
void
kymo_uses_finish (KymoUses *uses)
{
  GHashTableIter iter;
  gpointer key;

  keep_few_notes (uses, KYMO_MOST_TURNS);
  for (guint i = 0; i < uses->n; i++)
    if (uses->use[i].of_elements)
      {
        uses->use[i].n_actors = uses->use[i].most = 0;
        uses->use[i].least = G_MAXINT64;
      }
  g_hash_table_iter_init (&iter, uses->elements);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    add_actor (&uses->use[((Element *) key)->activity], ((Element *) key)->n);
}

static void
take_turn (GArray *turns,
           guint   k,
           Mark    mark)
{
  KymoTurn *turn;

  if (k >= turns->len)
    g_array_append_val (turns, ((KymoTurn) { mark.begin_ns, mark.begin_ns, mark.end_ns }));
  turn = &g_array_index (turns, KymoTurn, k);
  turn->first_ns = MIN (turn->first_ns, mark.begin_ns);
  turn->latest_ns = MAX (turn->latest_ns, mark.begin_ns);
  turn->end_ns = MAX (turn->end_ns, mark.end_ns);
}

static void
collect_element_mark (const KymoUses    *uses,
                      const KymoSegment *segment,
                      GHashTable        *elements,
                      guint              i,
                      Mark               mark)
{
  const KymoObject *object = &segment->objects[kymo_segment_block_object (segment, i)];
  guint32 hash = hash_object (object);
  Element *element;

  if (kymo_segment_block_object (segment, i) == KYMO_NO_OBJECT
      || !is_sampled (hash, uses->level))
    return;
  element = find_element (elements, object, segment->block_activity[i], hash);
  if (element->marks == NULL)
    element->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_array_append_val (element->marks, mark);
}

static void
walk_blocks (const KymoUses *uses,
             const KymoAsk  *ask,
             KymoSegment    *segment,
             guint           activity,
             GHashTable     *elements,
             GArray         *turns)
{
  guint8 *firsts = find_firsts (ask, segment);
  guint k = 0;

  for (guint i = 0; i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    {
      Mark mark;

      if (segment->block_activity[i] != activity || (firsts != NULL && !firsts[i]))
        continue;
      mark = (Mark) { kymo_segment_block_begin (segment, i), kymo_segment_block_end (segment, i) };
      if (uses->use[activity].of_elements)
        collect_element_mark (uses, segment, elements, i, mark);
      else
        take_turn (turns, k++, mark);
    }
  kymo_scratch_free (firsts);
}

static void
walk_points (const KymoSegment *segment,
             guint              activity,
             GArray            *turns)
{
  guint k = 0;

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (kymo_point_is_user_event (point) && point->activity == activity)
        take_turn (turns, k++, (Mark) { point->begin_ns, point->end_ns });
    }
}

static int
compare_marks (gconstpointer a,
               gconstpointer b)
{
  const Mark *x = a, *y = b;

  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

/**
 * kymo_uses_find_turns:
 * @activity: index of an activity that all its actors execute equally often
 *
 * Returns: (transfer full): #KymoTurn, the first execution of every actor, the second, and so on;
 *   empty where there are too many
 */
GArray *
kymo_uses_find_turns (const KymoUses *uses,
                      const KymoAsk  *ask,
                      guint           activity)
{
  GArray *turns = g_array_new (FALSE, FALSE, sizeof (KymoTurn));
  g_autoptr (GHashTable) elements = elements_new ();
  const KymoUse *use = &uses->use[activity];
  gboolean is_event = kymo_run_peek_activity (ask->run, activity)->kind == KYMO_ACTIVITY_EVENT;
  GHashTableIter iter;
  gpointer key;

  if (use->n_actors == 0 || use->most > KYMO_MOST_TURNS
      || (use->of_elements && use->most * use->n_actors > MOST_EXECUTIONS))
    return turns;
  for (guint i = 0; i < ask->n_locations; i++)
    {
      KymoSegment *segment = kymo_ask_segment_of (ask, ask->locations[i]);

      if (kymo_run_peek_location (ask->run, segment->location)->kind != KYMO_LOCATION_WORKER)
        continue;
      if (is_event)
        walk_points (segment, activity, turns);
      else
        walk_blocks (uses, ask, segment, activity, elements, turns);
    }
  g_hash_table_iter_init (&iter, elements);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      GArray *marks = ((Element *) key)->marks;

      g_array_sort (marks, compare_marks);
      for (guint k = 0; k < marks->len; k++)
        take_turn (turns, k, g_array_index (marks, Mark, k));
    }
  return turns;
}
