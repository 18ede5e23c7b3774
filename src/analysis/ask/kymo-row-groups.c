/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: of `ids`, which ascend, group_of tells the innermost group.
 */
#include "config.h"

#include "kymo-row-groups.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-id-set.h"
#include "kymo-order.h"

struct _KymoRowGroups
{
  gatomicrefcount ref_count;
  GArray         *groups;       /* KymoRowGroup */
  GArray         *ids;          /* gint64, shared by all foldings of a tree */
  GArray         *group_of;     /* gint, the same */
  guint           n_levels;
};

static void
clear_group (gpointer data)
{
  KymoRowGroup *group = data;

  g_free (group->label);
  g_free (group->kind);
}

static GArray *
groups_new (guint n)
{
  GArray *groups = g_array_sized_new (FALSE, TRUE, sizeof (KymoRowGroup), n);

  g_array_set_clear_func (groups, clear_group);
  return groups;
}

static KymoRowGroups *
alloc (void)
{
  KymoRowGroups *self = g_new0 (KymoRowGroups, 1);

  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

static void
read_groups (KymoRowGroups   *self,
             const KymoTable *list)
{
  guint n = kymo_table_get_n_rows (list);

  self->groups = groups_new (n);
  for (guint i = 0; i < n; i++)
    {
      gint64 parent = kymo_table_get_int (list, "parent", i);
      KymoRowGroup group = { g_strdup (kymo_table_get_string (list, "label", i)),
                             g_strdup (kymo_table_get_string (list, "kind", i)), -1 };

      if (parent >= 0 && parent < i)
        {
          group.parent = parent;
          group.depth = kymo_row_groups_peek (self, parent)->depth + 1;
        }
      self->n_levels = MAX (self->n_levels, group.depth + 1);
      g_array_append_val (self->groups, group);
    }
}

static void
read_locations (KymoRowGroups   *self,
                const KymoTable *list)
{
  guint n = kymo_table_get_n_rows (list);

  self->ids = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n);
  self->group_of = g_array_sized_new (FALSE, FALSE, sizeof (gint), n);
  for (guint i = 0; i < n; i++)
    {
      gint64 id = kymo_table_get_int (list, "location", i);
      gint64 told = kymo_table_get_int (list, "group", i);
      gint group = told >= 0 && told < self->groups->len ? (gint) told : -1;

      g_array_append_val (self->ids, id);
      g_array_append_val (self->group_of, group);
      for (; group >= 0; group = kymo_row_groups_peek (self, group)->parent)
        g_array_index (self->groups, KymoRowGroup, group).n_locations++;
    }
}

/**
 * kymo_row_groups_new:
 * @answer: of the kind "row-groups"
 *
 * Returns: (transfer full) (nullable): nothing folded; %NULL where the run knows no
 * groups
 */
KymoRowGroups *
kymo_row_groups_new (const KymoTable *answer)
{
  KymoTable *groups = kymo_table_peek_nested (answer, "groups", NULL);
  KymoTable *locations = kymo_table_peek_nested (answer, "locations", NULL);
  KymoRowGroups *self;

  if (groups == NULL || locations == NULL || kymo_table_get_n_rows (groups) == 0)
    return NULL;
  self = alloc ();
  read_groups (self, groups);
  read_locations (self, locations);
  return self;
}

/** kymo_row_groups_ref: Returns: (transfer full): @self, with one more reference */
KymoRowGroups *
kymo_row_groups_ref (KymoRowGroups *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/** kymo_row_groups_unref: @self: (nullable): the last reference frees it */
void
kymo_row_groups_unref (KymoRowGroups *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->groups);
  g_array_unref (self->ids);
  g_array_unref (self->group_of);
  g_free (self);
}

/** kymo_row_groups_get_n: Returns: how many groups there are, on all levels */
guint
kymo_row_groups_get_n (const KymoRowGroups *self)
{
  return self->groups->len;
}

/** kymo_row_groups_get_levels: Returns: how many groups lie in each other at most */
guint
kymo_row_groups_get_levels (const KymoRowGroups *self)
{
  return self->n_levels;
}

/**
 * kymo_row_groups_peek:
 * @index: below kymo_row_groups_get_n(), which is not checked
 *
 * Returns: (transfer none): the group, which lives as long as @self
 */
const KymoRowGroup *
kymo_row_groups_peek (const KymoRowGroups *self,
                      guint                index)
{
  return &g_array_index (self->groups, KymoRowGroup, index);
}

/** kymo_row_groups_find: Returns: index of the innermost group around a location; -1 for none */
gint
kymo_row_groups_find (const KymoRowGroups *self,
                      gint64               location)
{
  const gint64 *ids = (gconstpointer) self->ids->data;
  guint n = self->ids->len, at = KYMO_FIND_FIRST (i, 0, n, ids[i] >= location);

  return at < n && ids[at] == location ? g_array_index (self->group_of, gint, at) : -1;
}

/**
 * kymo_row_groups_find_folded:
 * @group: index of a group, or -1
 *
 * Returns: index of the outermost folded group among @group and those around it; -1 for none
 */
gint
kymo_row_groups_find_folded (const KymoRowGroups *self,
                             gint                 group)
{
  gint folded = -1;

  for (; group >= 0; group = kymo_row_groups_peek (self, group)->parent)
    if (kymo_row_groups_peek (self, group)->folded)
      folded = group;
  return folded;
}

/* -- folding -------------------------------------------------------------- */

static KymoRowGroups *
copy_row_groups (const KymoRowGroups *self)
{
  KymoRowGroups *other = alloc ();

  other->groups = groups_new (self->groups->len);
  other->ids = g_array_ref (self->ids);
  other->group_of = g_array_ref (self->group_of);
  other->n_levels = self->n_levels;
  for (guint i = 0; i < self->groups->len; i++)
    {
      KymoRowGroup group = *kymo_row_groups_peek (self, i);

      group.label = g_strdup (group.label);
      group.kind = g_strdup (group.kind);
      g_array_append_val (other->groups, group);
    }
  return other;
}

static void
set_folded (KymoRowGroups *self,
            guint          index,
            gboolean       folded)
{
  g_array_index (self->groups, KymoRowGroup, index).folded = folded;
}

/**
 * kymo_row_groups_fold:
 * @index: of a group
 * @folded: whether it is one row
 *
 * Returns: (transfer full): a copy in which the group is folded, or not
 */
KymoRowGroups *
kymo_row_groups_fold (const KymoRowGroups *self,
                      guint                index,
                      gboolean             folded)
{
  KymoRowGroups *other = copy_row_groups (self);

  if (index < other->groups->len)
    set_folded (other, index, folded);
  return other;
}

/**
 * kymo_row_groups_fold_from:
 * @depth: 0 = all are folded, %G_MAXUINT = none
 *
 * Returns: (transfer full): a copy in which groups from @depth on are folded, others not
 */
KymoRowGroups *
kymo_row_groups_fold_from (const KymoRowGroups *self,
                           guint                depth)
{
  KymoRowGroups *other = copy_row_groups (self);

  for (guint i = 0; i < other->groups->len; i++)
    set_folded (other, i, kymo_row_groups_peek (self, i)->depth >= depth);
  return other;
}

static void
set_no_fold (const KymoRowGroups  *self,
             const char           *text,
             GError              **error)
{
  g_autoptr (GString) kinds = g_string_new (NULL);

  for (guint i = 0; i < self->groups->len; i++)
    {
      const char *kind = kymo_row_groups_peek (self, i)->kind;

      if (kind != NULL && strstr (kinds->str, kind) == NULL)
        g_string_append_printf (kinds, "%s, ", kind);
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is nothing to fold: there are all, none, %sand numbers of groups below %u"),
               text, kinds->str, self->groups->len);
}

/**
 * kymo_row_groups_fold_text:
 * @text: all, none, a kind ("node": all groups of that kind), or numbers of
 *   groups, "0,3-5"
 *
 * Returns: (transfer full) (nullable): %NULL with @error
 */
KymoRowGroups *
kymo_row_groups_fold_text (const KymoRowGroups  *self,
                           const char           *text,
                           GError              **error)
{
  g_autoptr (KymoIdSet) numbers = NULL;
  g_autoptr (KymoRowGroups) other = NULL;
  gboolean any = FALSE;

  if (strcmp (text, "all") == 0)
    return kymo_row_groups_fold_from (self, 0);
  other = kymo_row_groups_fold_from (self, G_MAXUINT);
  if (strcmp (text, "none") == 0)
    return g_steal_pointer (&other);
  if (g_ascii_isdigit (*text))
    numbers = kymo_id_set_parse (text, NULL);
  for (guint i = 0; i < other->groups->len; i++)
    {
      gboolean folded = numbers != NULL ? kymo_id_set_contains (numbers, i)
        : g_strcmp0 (kymo_row_groups_peek (other, i)->kind, text) == 0;

      set_folded (other, i, folded);
      any |= folded;
    }
  if (any)
    return g_steal_pointer (&other);
  set_no_fold (self, text, error);
  return NULL;
}

/**
 * kymo_row_groups_to_text:
 *
 * Returns: (transfer full): "all", "none", or numbers of groups as "0,3-5"
 */
char *
kymo_row_groups_to_text (const KymoRowGroups *self)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < self->groups->len; i++)
    if (kymo_row_groups_peek (self, i)->folded)
      {
        gint64 number = i;

        g_array_append_val (numbers, number);
      }
  if (numbers->len == 0)
    return g_strdup ("none");
  return numbers->len == self->groups->len ? g_strdup ("all")
    : kymo_ids_to_text ((const gint64 *) numbers->data, numbers->len);
}

/* "node 3/process 1": which group it is, whatever its number. (transfer full) */
static char *
path_of (const KymoRowGroups *self,
         guint                index)
{
  const KymoRowGroup *group = kymo_row_groups_peek (self, index);
  GString *path = g_string_new (group->label);

  while (group->parent >= 0)
    {
      group = kymo_row_groups_peek (self, group->parent);
      g_string_prepend (path, "/");
      g_string_prepend (path, group->label != NULL ? group->label : "");
    }
  return g_string_free (path, FALSE);
}

/**
 * kymo_row_groups_fold_as:
 * @before: another tree, as of a run before it grew
 *
 * Returns: (transfer full): a copy of @self in which those groups are folded whose labels, with
 *   those of the groups around them, are those of a folded group of @before
 */
KymoRowGroups *
kymo_row_groups_fold_as (const KymoRowGroups *self,
                         const KymoRowGroups *before)
{
  g_autoptr (GHashTable) folded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  KymoRowGroups *other = copy_row_groups (self);

  for (guint i = 0; i < before->groups->len; i++)
    if (kymo_row_groups_peek (before, i)->folded)
      g_hash_table_add (folded, path_of (before, i));
  for (guint i = 0; i < other->groups->len; i++)
    {
      g_autofree char *path = path_of (other, i);

      set_folded (other, i, g_hash_table_contains (folded, path));
    }
  return other;
}
