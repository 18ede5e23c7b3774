/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of a profile made one: their tables of events first, on one thread, for names
 * are few; then figures go to their places, on many, a location at a time.
 */
#include "config.h"

#include "kymo-name.h"
#include "kymo-profile-builder-private.h"
#include "kymo-share.h"

#include <string.h>

/* State shared by the threads that move figures; immutable but for `next`. */
typedef struct
{
  KymoProfileBuilder *builder;
  GPtrArray *steps;             /* KymoProfileData */
  GArray    *fills;             /* KymoFillOfPart */
  guint32  **events, **users;   /* by part and its numbers */
  gint       next;              /* atomic */
} Moving;

/* A row of a location in the order it is to have. */
typedef struct
{
  guint32 event;
  guint64 row;
} Place;

/**
 * kymo_profile_builder_new:
 * @n_locations: number of locations of the run
 *
 * Makes a builder without metrics; all of them are added before the first part.
 *
 * Returns: (transfer full): free with kymo_profile_builder_finish() or
 *   kymo_profile_builder_free()
 */
KymoProfileBuilder *
kymo_profile_builder_new (guint n_locations)
{
  KymoProfileBuilder *builder = g_new0 (KymoProfileBuilder, 1);

  builder->n_locations = n_locations;
  builder->metrics = g_array_new (FALSE, FALSE, sizeof (KymoProfileMetric));
  g_array_set_clear_func (builder->metrics, (GDestroyNotify) kymo_profile_metric_clear);
  builder->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_profile_part_free);
  builder->left_bytes = G_MAXINT64;
  return builder;
}

/**
 * kymo_profile_builder_set_limit:
 * @most_bytes: that figures and names may take, those of the parts and the profiles that
 *   are made of them together
 *
 * To be set before there is a part; without it there is no limit.
 */
void
kymo_profile_builder_set_limit (KymoProfileBuilder *builder,
                                gint64              most_bytes)
{
  builder->left_bytes = MAX (most_bytes, 0);
}

/**
 * kymo_profile_builder_is_full:
 *
 * Any thread may ask, at any time.
 *
 * Returns: whether the limit is reached, so that no profile can be made
 */
gboolean
kymo_profile_builder_is_full (const KymoProfileBuilder *builder)
{
  return __atomic_load_n (&builder->left_bytes, __ATOMIC_RELAXED) < 0;
}

/**
 * kymo_profile_builder_free:
 *
 * Frees @builder. %NULL is ignored. Its parts are freed, too.
 */
void
kymo_profile_builder_free (KymoProfileBuilder *builder)
{
  if (builder == NULL)
    return;
  g_array_unref (builder->metrics);
  g_ptr_array_unref (builder->parts);
  g_free (builder);
}

/**
 * kymo_profile_builder_add_metric:
 * @name: of the metric; copied
 * @unit: for people, "" for plain counts
 * @unit_ns: nanoseconds in one unit, 0 if the metric is no time
 *
 * Returns: its index
 */
guint
kymo_profile_builder_add_metric (KymoProfileBuilder *builder,
                                 const char         *name,
                                 const char         *unit,
                                 double              unit_ns)
{
  KymoProfileMetric metric = { kymo_name_dup (name, -1), g_strdup (unit), unit_ns };

  g_array_append_val (builder->metrics, metric);
  return builder->metrics->len - 1;
}

/**
 * kymo_profile_builder_take:
 * @n_bytes: bytes that are wanted
 *
 * Takes bytes of what all parts together may have. Any thread.
 *
 * Returns: %TRUE if @n more fit; else the builder is full from now on
 */
gboolean
kymo_profile_builder_take (KymoProfileBuilder *builder,
                           guint64             n_bytes)
{
  return !kymo_profile_builder_is_full (builder)
    && __atomic_sub_fetch (&builder->left_bytes, (gint64) MIN (n_bytes, G_MAXINT64 / 4),
                           __ATOMIC_RELAXED) >= 0;
}

/**
 * kymo_profile_builder_add_part:
 *
 * Returns: (transfer none): one more part, for one thread to fill
 */
KymoProfilePart *
kymo_profile_builder_add_part (KymoProfileBuilder *builder)
{
  g_ptr_array_add (builder->parts, kymo_profile_part_new (builder));
  return g_ptr_array_index (builder->parts, builder->parts->len - 1);
}

/* Flat ones before paths, then as the first location lists them. */
static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  const KymoPartName *x = *(KymoPartName *const *) a, *y = *(KymoPartName *const *) b;
  gint order = (gint) (x->flags & KYMO_PROFILE_PATH) - (gint) (y->flags & KYMO_PROFILE_PATH);

  if (order == 0)
    order = (x->first.fill > y->first.fill) - (x->first.fill < y->first.fill);
  if (order == 0)
    order = (x->first.row > y->first.row) - (x->first.row < y->first.row);
  if (order == 0)
    order = memcmp (x->name, y->name, MIN (x->length, y->length));
  return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static int
compare_strings (const void *a,
                 const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Adds the name of a part to the list of all, or unites its flags and groups with those of the same
   name from another part. */
static void
unite_name (GPtrArray    *sorted,
            GHashTable   *by_name,
            KymoPartName *name)
{
  KymoPartName *first = g_hash_table_lookup (by_name, name);

  if (first == NULL)
    {
      g_hash_table_insert (by_name, name, name);
      g_ptr_array_add (sorted, name);
      return;
    }
  first->flags |= name->flags;
  if (!g_string_equal (first->groups, name->groups))
    kymo_part_unite_groups (first->groups, name->groups->str, name->groups->len);
  if (name->first.fill < first->first.fill)
    first->first = name->first;
}

static KymoPartNames *
names_of (KymoProfileBuilder *builder,
          guint               part,
          gboolean            users)
{
  KymoProfilePart *p = g_ptr_array_index (builder->parts, part);

  return users ? &p->users : &p->events;
}

/* The groups of a name, sorted: which part met which first is chance. */
static void
sort_groups (GString *groups)
{
  g_auto (GStrv) list = NULL;
  g_autofree char *joined = NULL;

  if (strchr (groups->str, '|') == NULL)
    return;
  list = g_strsplit (groups->str, "|", -1);
  qsort (list, g_strv_length (list), sizeof (char *), compare_strings);
  joined = g_strjoinv ("|", list);
  g_string_assign (groups, joined);
}

/* The names of all parts, sorted. */
static GPtrArray *
unite_names (KymoProfileBuilder *builder,
             gboolean            users,
             GHashTable         *by_name)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < builder->parts->len; i++)
    {
      KymoPartNames *names = names_of (builder, i, users);

      for (guint k = 0; k < names->names->len; k++)
        unite_name (sorted, by_name, g_ptr_array_index (names->names, k));
    }
  g_ptr_array_sort (sorted, compare_names);
  for (guint i = 0; i < sorted->len; i++)
    {
      KymoPartName *name = g_ptr_array_index (sorted, i);

      sort_groups (name->groups);
      g_hash_table_insert (by_name, name, GUINT_TO_POINTER (i + 1));
    }
  return sorted;
}

/* For each part a table from its numbers of names to places in the joined table. */
static guint32 **
map_numbers (KymoProfileBuilder *builder,
             gboolean            users,
             GHashTable         *by_name)
{
  guint32 **maps = g_new0 (guint32 *, builder->parts->len + 1);

  for (guint i = 0; i < builder->parts->len; i++)
    {
      KymoPartNames *names = names_of (builder, i, users);

      maps[i] = g_new (guint32, names->names->len + 1);
      for (guint k = 0; k < names->names->len; k++)
        maps[i][k] = GPOINTER_TO_UINT (g_hash_table_lookup (by_name,
                                                            names->names->pdata[k])) - 1;
    }
  return maps;
}

static int
compare_places (const void *a,
                const void *b)
{
  const Place *x = a, *y = b;

  return (x->event > y->event) - (x->event < y->event);
}

/* The rows of a fill in the order of the one table; they mostly are in it already. */
static const Place *
order_rows (const KymoProfilePart *part,
            const KymoPartFill    *fill,
            const guint32         *map,
            GArray                *places)
{
  gboolean ascending = TRUE;
  Place *rows;

  g_array_set_size (places, fill->n_rows);
  rows = (Place *) places->data;
  for (guint64 i = 0; i < fill->n_rows; i++)
    {
      rows[i] = (Place) { map[part->event[fill->first_row + i]], fill->first_row + i };
      ascending = ascending && (i == 0 || rows[i - 1].event < rows[i].event);
    }
  if (!ascending)
    qsort (rows, fill->n_rows, sizeof (Place), compare_places);
  return rows;
}

static void
move_rows (const Moving     *moving,
           const KymoFillOfPart *from,
           GArray           *places)
{
  const KymoProfilePart *part = g_ptr_array_index (moving->builder->parts, from->part);
  KymoProfileData *data = g_ptr_array_index (moving->steps, from->fill->step);
  const Place *rows = order_rows (part, from->fill, moving->events[from->part], places);
  guint64 to = data->first[from->fill->location];
  guint n = part->n_metrics * 2;

  for (guint64 i = 0; i < from->fill->n_rows; i++, to++)
    {
      guint64 row = rows[i].row;

      data->event[to] = rows[i].event;
      data->calls[to] = part->calls[row];
      data->subroutines[to] = part->subroutines[row];
      memcpy (data->values + to * n, part->values + row * n, n * sizeof (double));
    }
}

static int
compare_user_rows (const void *a,
                   const void *b)
{
  const KymoUserEventRow *x = a, *y = b;

  return (x->event > y->event) - (x->event < y->event);
}

static void
move_user_rows (const Moving     *moving,
                const KymoFillOfPart *from)
{
  const KymoProfilePart *part = g_ptr_array_index (moving->builder->parts, from->part);
  KymoProfileData *data = g_ptr_array_index (moving->steps, from->fill->step);
  KymoUserEventRow *to = data->user_rows + data->user_first[from->fill->location];

  for (guint64 i = 0; i < from->fill->n_users; i++)
    {
      to[i] = g_array_index (part->user_rows, KymoUserEventRow, from->fill->first_user + i);
      to[i].event = moving->users[from->part][to[i].event];
    }
  qsort (to, from->fill->n_users, sizeof *to, compare_user_rows);
}

/* Each thread takes one location after the other. */
static gpointer
move_all (gpointer data)
{
  Moving *moving = data;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  guint i;

  while ((i = g_atomic_int_add (&moving->next, 1)) < moving->fills->len)
    {
      const KymoFillOfPart *from = &g_array_index (moving->fills, KymoFillOfPart, i);

      move_rows (moving, from, places);
      if (from->fill->n_users > 0)
        move_user_rows (moving, from);
    }
  return NULL;
}

/* A step with its tables, and places for what the fills of it hold. */
static KymoProfileData *
new_step (KymoProfileBuilder   *builder,
          const KymoEventTable *table,
          GPtrArray            *user_names)
{
  KymoProfileData *data = g_new0 (KymoProfileData, 1);

  g_atomic_ref_count_init (&data->ref_count);
  data->name = g_strdup ("");
  data->time_ns = -1;
  data->metrics = g_array_ref (builder->metrics);
  data->events = g_array_ref (table->events);
  data->parts = g_array_ref (table->path_parts);
  data->user_names = g_ptr_array_ref (user_names);
  data->n_locations = builder->n_locations;
  data->first = g_new0 (guint64, builder->n_locations + 1);
  data->user_first = g_new0 (guint64, builder->n_locations + 1);
  return data;
}

static void
allocate_step (KymoProfileData *data)
{
  guint64 n = 0, n_users = 0;

  for (guint i = 0; i < data->n_locations; i++)
    {
      data->first[i + 1] += data->first[i];
      data->user_first[i + 1] += data->user_first[i];
    }
  n = data->first[data->n_locations];
  n_users = data->user_first[data->n_locations];
  data->event = g_new (guint32, n);
  data->calls = g_new (double, n);
  data->subroutines = g_new (double, n);
  data->values = g_malloc_n (n, MAX (1, data->metrics->len * 2 * sizeof (double)));
  data->user_rows = g_new (KymoUserEventRow, n_users);
}

static GPtrArray *
make_steps (KymoProfileBuilder   *builder,
            const KymoEventTable *table,
            GPtrArray            *user_names,
            GArray               *fills)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_profile_data_unref);
  guint n = 1;

  if (fills->len > 0)
    n += g_array_index (fills, KymoFillOfPart, fills->len - 1).fill->step;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (steps, new_step (builder, table, user_names));
  for (guint i = 0; i < fills->len; i++)
    {
      const KymoPartFill *fill = g_array_index (fills, KymoFillOfPart, i).fill;
      KymoProfileData *data = g_ptr_array_index (steps, fill->step);

      data->first[fill->location + 1] += fill->n_rows;
      data->user_first[fill->location + 1] += fill->n_users;
    }
  for (guint i = 0; i < n; i++)
    allocate_step (g_ptr_array_index (steps, i));
  return steps;
}

static void
free_maps (guint32 **maps,
           guint     n)
{
  for (guint i = 0; i < n; i++)
    g_free (maps[i]);
  g_free (maps);
}

/* The events of all parts, with what paths go through. */
static void
make_table (KymoEventTable *table)
{
  table->by_name = g_hash_table_new (kymo_part_name_hash, kymo_part_name_equal);
  table->sorted = unite_names (table->builder, FALSE, table->by_name);
  table->events = g_array_new (FALSE, TRUE, sizeof (KymoProfileEvent));
  g_array_set_clear_func (table->events, (GDestroyNotify) kymo_profile_event_clear);
  table->path_parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  while (table->n_flat < table->sorted->len
         && (((KymoPartName *) table->sorted->pdata[table->n_flat])->flags
             & KYMO_PROFILE_PATH) == 0)
    table->n_flat++;
  kymo_profile_find_paths (table);
}

/* Names that no part owns were made for parts of paths. */
static void
clear_table (KymoEventTable *table)
{
  for (guint i = 0; i < table->sorted->len; i++)
    {
      KymoPartName *name = g_ptr_array_index (table->sorted, i);

      if (!name->owned)
        {
          g_string_free (name->groups, TRUE);
          g_free (name);
        }
    }
  g_hash_table_unref (table->by_name);
  g_ptr_array_unref (table->sorted);
  g_array_unref (table->events);
  g_array_unref (table->path_parts);
}

/**
 * kymo_profile_builder_finish:
 * @builder: (transfer full):
 * @n_threads: to move figures with, at least 1
 *
 * Returns: (transfer full) (element-type KymoProfileData) (nullable): a profile a step, at
 *   least one; their name, time and span are the caller's to set before they are shared.
 *   %NULL where a limit was set and the builder is full
 */
GPtrArray *
kymo_profile_builder_finish (KymoProfileBuilder *builder,
                             guint               n_threads)
{
  g_autoptr (GHashTable) users = g_hash_table_new (kymo_part_name_hash, kymo_part_name_equal);
  g_autoptr (GPtrArray) user_names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) sorted_users = NULL;
  g_autoptr (GArray) fills = kymo_profile_builder_list_fills (builder);
  KymoEventTable table = { .builder = builder };
  Moving moving = { builder, NULL, fills, NULL, NULL, 0 };
  guint n_parts = builder->parts->len;

  make_table (&table);
  if (!kymo_profile_builder_is_full (builder))
    {
      sorted_users = unite_names (builder, TRUE, users);
      for (guint i = 0; i < sorted_users->len; i++)
        {
          const KymoPartName *name = g_ptr_array_index (sorted_users, i);

          g_ptr_array_add (user_names, g_utf8_make_valid (name->name, name->length));
        }
      moving.events = map_numbers (builder, FALSE, table.by_name);
      moving.users = map_numbers (builder, TRUE, users);
      moving.steps = make_steps (builder, &table, user_names, fills);
      kymo_share_run ("kymo-profile", MIN (n_threads, moving.fills->len), move_all, &moving, 0);
      free_maps (moving.events, n_parts);
      free_maps (moving.users, n_parts);
    }
  clear_table (&table);
  kymo_profile_builder_free (builder);
  return moving.steps;
}
