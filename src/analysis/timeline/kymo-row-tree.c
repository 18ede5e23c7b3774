/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row-groups: which locations lie together, on nodes and in processes: the tree
 * of places where the run tells one, else its processes. Groups of one location
 * tell nothing that the location does not, and one that holds all is no group
 * among others; both are left out.
 *
 * "groups": label, kind, parent (index of an earlier group, or null) and the
 * number of locations; "locations": location and its innermost group, or null.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"

typedef struct
{
  char   *label;
  char   *kind;
  gint64  parent;
  guint   n;                    /* locations in it */
  gint    number;               /* in the answer, or -1 */
} Group;

static void
clear_group (gpointer data)
{
  Group *group = data;

  g_free (group->label);
  g_free (group->kind);
}

static void
append_group (GArray     *groups,
              const char *label,
              const char *kind,
              gint64      parent)
{
  Group group = { g_strdup (label), g_strdup (kind), parent, 0, -1 };

  g_array_append_val (groups, group);
}

static guint
n_processes (const KymoRun *run)
{
  gint64 last = -1;

  for (guint i = 0; i < run->locations->len; i++)
    last = MAX (last, kymo_run_peek_location (run, i)->process);
  /* Numbers are those of files: no more processes than locations are shown. */
  return last < (gint64) run->locations->len ? (guint) (last + 1) : 0;
}

/* By location: the group it is in, or -1. Of the places of the run, or its
   processes. */
static gint64 *
find_groups (const KymoAsk *ask,
             GArray        *groups)
{
  const KymoRun *run = ask->run;
  gint64 *of = g_new (gint64, MAX (run->locations->len, 1));

  for (guint i = 0; i < run->places->len; i++)
    {
      const KymoPlace *place = &g_array_index (run->places, KymoPlace, i);

      append_group (groups, place->label, place->kind, place->parent < i ? place->parent : -1);
    }
  for (guint i = 0; run->places->len == 0 && i < n_processes (run); i++)
    {
      g_autofree char *label = g_strdup_printf ("Process %u", i);

      append_group (groups, label, "process", -1);
    }
  for (guint i = 0; i < run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (run, i);
      gint64 at = run->places->len > 0 ? location->place : location->process;

      of[i] = at >= 0 && at < (gint64) groups->len ? at : -1;
    }
  return of;
}

/* Counts the asked locations of each group, and of the whole tree. */
static void
count_row_tree (const KymoAsk *ask,
                GArray        *groups,
                const gint64  *of)
{
  for (guint i = 0; i < ask->n_locations; i++)
    for (gint64 g = of[ask->locations[i]]; g >= 0;
         g = g_array_index (groups, Group, g).parent)
      g_array_index (groups, Group, g).n++;
}

/* The nearest one around it that is listed, by its number; -1 for none. */
static gint
number_of (GArray *groups,
           gint64  at)
{
  while (at >= 0 && g_array_index (groups, Group, at).number < 0)
    at = g_array_index (groups, Group, at).parent;
  return at >= 0 ? g_array_index (groups, Group, at).number : -1;
}

static KymoTable *
list_groups (const KymoAsk *ask,
             GArray        *groups)
{
  KymoTable *table = kymo_table_new_list ("label:string kind:string parent n_locations");
  gint n = 0;

  for (guint i = 0; i < groups->len; i++)
    {
      Group *group = &g_array_index (groups, Group, i);
      gint around = number_of (groups, group->parent);

      if (group->n < 2 || group->n == ask->n_locations)
        continue;
      /* A node with a single process: the same PEs, once. */
      if (group->parent >= 0 && around >= 0
          && g_array_index (groups, Group, group->parent).n == group->n)
        continue;
      group->number = n++;
      kymo_table_append_row (table, group->label, group->kind, around >= 0 ? around : KYMO_NULL_INT,
                             group->n);
    }
  return table;
}

static KymoTable *
list_locations (const KymoAsk *ask,
                GArray        *groups,
                const gint64  *of)
{
  KymoTable *table = kymo_table_new_list ("location group");

  for (guint i = 0; i < ask->n_locations; i++)
    {
      gint number = number_of (groups, of[ask->locations[i]]);

      kymo_table_append_row (table, kymo_run_peek_location (ask->run, ask->locations[i])->id,
                             number >= 0 ? number : KYMO_NULL_INT);
    }
  return table;
}

static KymoTable *
row_tree_answer (KymoAsk  *ask,
                 guint     n_threads,
                 GError  **error)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autoptr (GArray) groups = g_array_new (FALSE, TRUE, sizeof (Group));
  g_autofree gint64 *of = NULL;

  g_array_set_clear_func (groups, clear_group);
  of = find_groups (ask, groups);
  count_row_tree (ask, groups, of);
  kymo_table_set_table (answer, "groups", list_groups (ask, groups));
  kymo_table_set_table (answer, "locations", list_locations (ask, groups, of));
  return answer;
}

static const KymoQuestionList lists[] =
{
  { "groups", "label kind parent n_locations" },
  { "locations", "location group" },
  { NULL }
};

const KymoAnswerClass kymo_answer_row_groups =
{
  { "row-groups", N_("A grouping of rows"), .lists = lists },
  .answer = row_tree_answer,
};
