/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a question with groups: locations of a group stand together, and a
 * folded group is one place. A group stands where the first of its members would
 * stand without it, so an order of locations is one of groups and, in each of
 * them, of its members.
 *
 * Invariant: place_begin ascends from 0 to n_locations, a place has at least one
 * location, and all of a place's are of one group.
 */
#include "config.h"

#include "kymo-engine.h"
#include "kymo-order.h"
#include "kymo-row-groups.h"

/** Rank: a location on its way to its place */
typedef struct
{
  guint location;
  guint at;                     /* before */
  gint  group;                  /* innermost, or -1 */
} Rank;

/** Tree: by group: where its first member stands, and the groups around it by depth */
typedef struct
{
  const KymoRowGroups *groups;
  guint                n_levels;
  guint               *first;
  gint                *around;  /* groups x n_levels: itself at its own depth */
} Tree;

static Tree
tree_new (const KymoRowGroups *groups)
{
  guint n = kymo_row_groups_get_n (groups);
  Tree tree = { groups, MAX (kymo_row_groups_get_levels (groups), 1) };

  tree.first = g_new (guint, n);
  tree.around = g_new (gint, (gsize) n * tree.n_levels);
  for (guint i = 0; i < n; i++)
    {
      gint at = (gint) i;

      tree.first[i] = G_MAXUINT;
      for (guint level = 0; level < tree.n_levels; level++)
        tree.around[i * tree.n_levels + level] = -1;
      for (; at >= 0; at = kymo_row_groups_peek (groups, at)->parent)
        tree.around[i * tree.n_levels + kymo_row_groups_peek (groups, at)->depth] = at;
    }
  return tree;
}

static void
tree_clear (Tree *tree)
{
  g_free (tree->first);
  g_free (tree->around);
}

static gint
group_at (const Tree *tree,
          const Rank *rank,
          guint       level)
{
  return rank->group < 0 ? -1 : tree->around[(guint) rank->group * tree->n_levels + level];
}

/* From the outermost group inwards: where they part, that which begins first. */
static int
compare_ranks (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const Rank *x = a, *y = b;
  const Tree *tree = data;

  for (guint level = 0; level < tree->n_levels; level++)
    {
      gint g = group_at (tree, x, level), h = group_at (tree, y, level);
      guint left = g >= 0 ? tree->first[g] : x->at, right = h >= 0 ? tree->first[h] : y->at;

      if (g != h || g < 0)
        return (left > right) - (left < right);
    }
  return (x->at > y->at) - (x->at < y->at);
}

static Rank *
rank_locations (const KymoAsk *ask,
                Tree          *tree)
{
  Rank *ranks = g_new (Rank, MAX (ask->n_locations, 1));

  for (guint i = 0; i < ask->n_locations; i++)
    {
      gint64 id = kymo_run_peek_location (ask->run, ask->locations[i])->id;
      gint group = kymo_row_groups_find (tree->groups, id);

      ranks[i] = (Rank) { ask->locations[i], i, group };
      for (; group >= 0; group = kymo_row_groups_peek (tree->groups, group)->parent)
        tree->first[group] = MIN (tree->first[group], i);
    }
  return ranks;
}

static void
set_places (KymoAsk    *ask,
            const Tree *tree,
            const Rank *ranks)
{
  gint last = -1;

  ask->place_begin = g_new (guint, ask->n_locations + 1);
  ask->place_group = g_new (gint, MAX (ask->n_locations, 1));
  ask->n_places = 0;
  for (guint i = 0; i < ask->n_locations; i++)
    {
      gint folded = kymo_row_groups_find_folded (tree->groups, ranks[i].group);

      ask->locations[i] = ranks[i].location;
      ask->row_of[ranks[i].location] = (gint) i;
      if (folded < 0 || folded != last)
        {
          ask->place_group[ask->n_places] = folded;
          ask->place_begin[ask->n_places++] = i;
        }
      last = folded;
    }
  ask->place_begin[ask->n_places] = ask->n_locations;
}

/**
 * kymo_ask_arrange_groups:
 *
 * After the locations are chosen: puts those of a group together and sets
 * n_places, place_begin and place_group. Free both arrays.
 */
void
kymo_ask_arrange_groups (KymoAsk *ask)
{
  const KymoRowGroups *groups = kymo_question_peek_groups (ask->question);
  g_autofree Rank *ranks = NULL;
  Tree tree;

  if (groups == NULL || ask->n_locations == 0)
    return;
  tree = tree_new (groups);
  ranks = rank_locations (ask, &tree);
  g_qsort_with_data (ranks, ask->n_locations, sizeof (Rank), compare_ranks, &tree);
  set_places (ask, &tree, ranks);
  ask->is_ordered = TRUE;
  tree_clear (&tree);
}

/**
 * kymo_ask_place_begin:
 * @place: 0 to n_places
 *
 * Returns: its first location, as a number among the asked ones
 */
guint
kymo_ask_place_begin (const KymoAsk *ask,
                      guint          place)
{
  return ask->place_begin != NULL ? ask->place_begin[place] : place;
}

/**
 * kymo_ask_place_of:
 * @row: of a location, as row_of tells it
 *
 * Returns: the place it is in
 */
guint
kymo_ask_place_of (const KymoAsk *ask,
                   guint          row)
{
  if (ask->place_begin == NULL)
    return row;
  return KYMO_FIND_FIRST (i, 1, ask->n_places, ask->place_begin[i] > row) - 1;
}
