/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paths of a profile go through. A path's name is that of its parts, joined by
 * " => "; a function of C++ may have that in its own name, so at each place the shortest
 * piece that is a flat event is taken, and where there is none the shortest. Parts that
 * no location lists become flat events without figures. Blanks at the end of a part do
 * not matter where no flat event has just these: some files trim names, but not within
 * paths.
 *
 * A path is *cut* where its first part is called by something, as other paths tell.
 */
#include "config.h"

#include "kymo-profile-builder-private.h"

#include <string.h>

#define JOINT_LENGTH 4

/* Most joints (" => ") that a function may have in its own name. */
#define MOST_JOINTS 8
/* A path of more parts is damage, or of a recursion deeper than a reader follows: what is
   left of it is its last part. */
#define MOST_PARTS 4096

/* Flat events that were found in paths alone, and all flat ones by name without the
   blanks at its end. */
typedef struct
{
  GPtrArray  *names;            /* KymoPartName */
  GHashTable *by_stripped;      /* KymoPartName, owned; its value is the place + 1 */
} Extra;

static guint
find_event (const KymoEventTable *table,
            const char           *name,
            gsize                 length,
            guint32               flags)
{
  KymoPartName key = { .name = name, .length = length, .flags = flags,
                       .hash = kymo_part_hash_bytes (name, length) };

  return GPOINTER_TO_UINT (g_hash_table_lookup (table->by_name, &key));
}

static gsize
strip (const char *name,
       gsize       length)
{
  while (length > 0 && name[length - 1] == ' ')
    length--;
  return length;
}

/* The place of a flat event + 1, or 0. */
static guint
find_part (const KymoEventTable *table,
           GHashTable           *by_stripped,
           const char           *name,
           gsize                 length)
{
  guint place = find_event (table, name, length, 0);
  KymoPartName key = { .name = name, .length = strip (name, length) };

  if (place > 0)
    return place;
  key.hash = kymo_part_hash_bytes (name, key.length);
  return GPOINTER_TO_UINT (g_hash_table_lookup (by_stripped, &key));
}

static void
note_stripped (GHashTable         *by_stripped,
               const KymoPartName *name,
               guint               place)
{
  KymoPartName *key = g_new0 (KymoPartName, 1);

  key->name = name->name;
  key->length = strip (name->name, name->length);
  key->hash = kymo_part_hash_bytes (key->name, key->length);
  if (g_hash_table_contains (by_stripped, key))
    g_free (key);
  else
    g_hash_table_insert (by_stripped, key, GUINT_TO_POINTER (place + 1));
}

/* A flat event without figures behind the others; numbers of paths are not given yet.
   Where there is no room for it the builder is full, and what is returned is nothing. */
static guint32
add_part (KymoEventTable *table,
          Extra          *extra,
          const char     *name,
          gsize           length)
{
  KymoPartName *made;

  if (!kymo_profile_builder_take (table->builder, KYMO_NAME_BYTES (length)))
    return 0;
  made = g_new0 (KymoPartName, 1);
  made->name = name;
  made->length = length;
  made->hash = kymo_part_hash_bytes (name, length);
  made->groups = g_string_new (NULL);
  g_ptr_array_add (extra->names, made);
  g_hash_table_insert (table->by_name, made,
                       GUINT_TO_POINTER (table->n_flat + extra->names->len));
  note_stripped (extra->by_stripped, made, table->n_flat + extra->names->len - 1);
  return table->n_flat + extra->names->len - 1;
}

/* The part of a path that begins at `name`; sets its length. */
static guint32
take_part (KymoEventTable *table,
           Extra          *extra,
           const char     *name,
           gsize           length,
           gsize          *taken)
{
  const char *end = name + length, *joint = name, *first = NULL;

  for (guint i = 0; i <= MOST_JOINTS && joint != NULL && joint <= end; i++)
    {
      guint place;

      joint = memmem (joint, end - joint, KYMO_PROFILE_JOINT, JOINT_LENGTH);
      *taken = (joint != NULL ? joint : end) - name;
      place = find_part (table, extra->by_stripped, name, *taken);
      if (place > 0)
        return place - 1;
      if (first == NULL)
        first = name + *taken;
      if (joint != NULL)
        joint += JOINT_LENGTH;
    }
  *taken = first - name;
  return add_part (table, extra, name, *taken);
}

/* The part that a path ends in, whatever joints it has. */
static guint32
take_rest (KymoEventTable *table,
           Extra          *extra,
           const char     *name,
           gsize           length)
{
  guint place = find_part (table, extra->by_stripped, name, length);

  return place > 0 ? place - 1 : add_part (table, extra, name, length);
}

/* Splits the name of a path; tells how long its parent's name is. */
static gsize
split_profile_paths (KymoEventTable     *table,
                     Extra              *extra,
                     const KymoPartName *path,
                     KymoProfileEvent   *event)
{
  const char *p = path->name, *end = p + path->length, *begin = p;

  event->first_part = table->path_parts->len;
  do
    {
      gsize taken = end - p;
      guint32 part = table->path_parts->len - event->first_part < MOST_PARTS - 1
        ? take_part (table, extra, p, end - p, &taken) : take_rest (table, extra, p, taken);

      g_array_append_val (table->path_parts, part);
      begin = p;
      p += taken + JOINT_LENGTH;
    }
  while (p <= end);
  event->n_parts = table->path_parts->len - event->first_part;
  return event->n_parts > 1 ? begin - JOINT_LENGTH - path->name : 0;
}

/* Flags of the paths whose first part other paths show to be called. */
static void
mark_cut (KymoEventTable *table)
{
  g_autofree guint8 *called = g_new0 (guint8, table->n_flat + 1);
  const guint32 *parts = (const guint32 *) table->path_parts->data;

  for (guint i = table->n_flat; i < table->events->len; i++)
    {
      const KymoProfileEvent *path = &g_array_index (table->events, KymoProfileEvent, i);

      for (guint k = 1; k < path->n_parts; k++)
        called[parts[path->first_part + k]] = 1;
    }
  for (guint i = table->n_flat; i < table->events->len; i++)
    {
      KymoProfileEvent *path = &g_array_index (table->events, KymoProfileEvent, i);

      if (called[parts[path->first_part]])
        path->flags |= KYMO_PROFILE_CUT;
    }
}

/* Sorted names with those that were found behind the flat ones; numbers of paths
   move by that number. */
static void
insert_extra (KymoEventTable *table,
              GPtrArray      *extra)
{
  GPtrArray *all = g_ptr_array_sized_new (table->sorted->len + extra->len);

  for (guint i = 0; i < table->n_flat; i++)
    g_ptr_array_add (all, g_ptr_array_index (table->sorted, i));
  for (guint i = 0; i < extra->len; i++)
    g_ptr_array_add (all, g_ptr_array_index (extra, i));
  for (guint i = table->n_flat; i < table->sorted->len; i++)
    {
      KymoPartName *path = g_ptr_array_index (table->sorted, i);

      g_ptr_array_add (all, path);
      g_hash_table_insert (table->by_name, path, GUINT_TO_POINTER (all->len));
    }
  table->n_flat += extra->len;
  g_ptr_array_unref (table->sorted);
  table->sorted = all;
}

/* Makes the event of a name. The functions that a path goes through are filled in later. */
static void
make_event (KymoEventTable     *table,
            const KymoPartName *name,
            guint32             place)
{
  KymoProfileEvent event = { .flags = name->flags, .parent = KYMO_NO_EVENT,
                             .first_part = table->path_parts->len, .n_parts = 1 };

  event.name = g_utf8_make_valid (name->name, name->length);
  event.groups = g_utf8_make_valid (name->groups->str, name->groups->len);
  if ((event.flags & KYMO_PROFILE_PATH) == 0)
    {
      event.shown = g_strchomp (g_strdup (event.name));
      g_array_append_val (table->path_parts, place);
    }
  g_array_append_val (table->events, event);
}

/* Of a path of two parts the flat event, of a longer one the path without its last part,
   whatever blanks that ends in. */
static guint32
find_parent (const KymoEventTable   *table,
             const KymoProfileEvent *path,
             const char             *name,
             gsize                   length)
{
  guint place;

  if (path->n_parts < 2)
    return KYMO_NO_EVENT;
  if (path->n_parts == 2)
    return g_array_index (table->path_parts, guint32, path->first_part);
  place = find_event (table, name, length, KYMO_PROFILE_PATH);
  if (place == 0)
    place = find_event (table, name, strip (name, length), KYMO_PROFILE_PATH);
  return place - 1;
}

/**
 * kymo_profile_find_paths:
 * @table: sorted, n_flat and by_name are known
 *
 * Makes events and path_parts of it, unless the builder is full after.
 */
void
kymo_profile_find_paths (KymoEventTable *table)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GHashTable) by_stripped = g_hash_table_new_full (kymo_part_name_hash,
                                                              kymo_part_name_equal, g_free,
                                                              NULL);
  Extra extra = { names, by_stripped };
  g_autoptr (GArray) split_paths = g_array_new (FALSE, TRUE, sizeof (KymoProfileEvent));
  g_autoptr (GArray) parents = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) of_paths = table->path_parts;
  guint shift;

  for (guint i = 0; i < table->n_flat && table->n_flat < table->sorted->len; i++)
    note_stripped (by_stripped, g_ptr_array_index (table->sorted, i), i);
  for (guint i = table->n_flat; i < table->sorted->len
       && !kymo_profile_builder_is_full (table->builder); i++)
    {
      KymoProfileEvent event = { 0 };
      gsize parent = split_profile_paths (table, &extra, g_ptr_array_index (table->sorted, i),
                                          &event);

      g_array_append_val (split_paths, event);
      g_array_append_val (parents, parent);
    }
  insert_extra (table, names);
  table->path_parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (kymo_profile_builder_is_full (table->builder))
    return;
  for (guint i = 0; i < table->sorted->len; i++)
    make_event (table, g_ptr_array_index (table->sorted, i), i);
  shift = table->path_parts->len;
  g_array_append_vals (table->path_parts, of_paths->data, of_paths->len);
  for (guint i = 0; i < split_paths->len; i++)
    {
      KymoProfileEvent *path = &g_array_index (table->events, KymoProfileEvent,
                                               table->n_flat + i);
      const KymoProfileEvent *found = &g_array_index (split_paths, KymoProfileEvent, i);
      const KymoPartName *name = g_ptr_array_index (table->sorted, table->n_flat + i);
      guint32 last;

      path->first_part = shift + found->first_part;
      path->n_parts = found->n_parts;
      last = g_array_index (table->path_parts, guint32, path->first_part + path->n_parts - 1);
      path->shown = g_strdup (g_array_index (table->events, KymoProfileEvent, last).shown);
      path->parent = find_parent (table, path, name->name, g_array_index (parents, gsize, i));
    }
  mark_cut (table);
}
