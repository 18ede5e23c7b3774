/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-name.h"
#include "kymo-profile-builder-private.h"

#include <math.h>
#include <string.h>

/* Groups of one event; TAU knows some thirty in all. Each is looked for among all. */
#define MAX_GROUPS_BYTES 4096
#define MAX_GROUPS 64
#define FIRST_ROWS 512

/**
 * kymo_part_hash_bytes:
 * @bytes: a name
 * @length: of the name, in bytes
 *
 * Returns: its hash (FNV-1a): names are short, and most are not hashed at all
 */
guint
kymo_part_hash_bytes (const char *bytes,
                      gsize       length)
{
  guint hash = 2166136261u;

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ (guchar) bytes[i]) * 16777619u;
  return hash;
}

/**
 * kymo_part_name_hash:
 * @name: a #KymoPartName
 *
 * Returns: the hash that the name carries, for a #GHashTable
 */
guint
kymo_part_name_hash (gconstpointer name)
{
  return ((const KymoPartName *) name)->hash;
}

/**
 * kymo_part_name_equal:
 * @a: a #KymoPartName
 * @b: another one
 *
 * Returns: %TRUE if the names are equal and both or neither are of a path: a path and a flat
 *   function of one name differ
 */
gboolean
kymo_part_name_equal (gconstpointer a,
                      gconstpointer b)
{
  const KymoPartName *x = a, *y = b;

  return x->length == y->length && ((x->flags ^ y->flags) & KYMO_PROFILE_PATH) == 0
    && memcmp (x->name, y->name, x->length) == 0;
}

static void
name_free (gpointer data)
{
  KymoPartName *name = data;

  g_string_free (name->groups, TRUE);
  g_free (name);
}

static void
names_init (KymoPartNames *names)
{
  names->names = g_ptr_array_new_with_free_func (name_free);
  names->by_name = g_hash_table_new (kymo_part_name_hash, kymo_part_name_equal);
  names->last = KYMO_NO_EVENT;
}

/**
 * kymo_profile_row_bytes:
 * @n_metrics: number of metrics of the profile
 *
 * Returns: memory of a row of figures in bytes
 */
gsize
kymo_profile_row_bytes (guint n_metrics)
{
  return sizeof (guint32) + (2 + 2 * (gsize) n_metrics) * sizeof (double);
}

/**
 * kymo_profile_part_new:
 *
 * Makes an empty part of the builder's profile.
 *
 * Returns: (transfer full): free with kymo_profile_part_free()
 */
KymoProfilePart *
kymo_profile_part_new (KymoProfileBuilder *builder)
{
  KymoProfilePart *part = g_new0 (KymoProfilePart, 1);

  part->builder = builder;
  part->n_locations = builder->n_locations;
  part->n_metrics = builder->metrics->len;
  part->chunk = g_string_chunk_new (4096);
  names_init (&part->events);
  names_init (&part->users);
  part->fills = g_array_new (FALSE, FALSE, sizeof (KymoPartFill));
  part->user_rows = g_array_new (FALSE, FALSE, sizeof (KymoUserEventRow));
  return part;
}

/**
 * kymo_profile_part_free:
 *
 * Frees a part with all its names and figures.
 */
void
kymo_profile_part_free (KymoProfilePart *part)
{
  g_hash_table_unref (part->events.by_name);
  g_ptr_array_unref (part->events.names);
  g_hash_table_unref (part->users.by_name);
  g_ptr_array_unref (part->users.names);
  g_string_chunk_free (part->chunk);
  g_array_unref (part->fills);
  g_array_unref (part->user_rows);
  g_free (part->event);
  g_free (part->calls);
  g_free (part->subroutines);
  g_free (part->values);
  g_free (part);
}

/* Counts the groups up to this one, or all. */
static gboolean
has_group (const GString *groups,
           const char    *group,
           gsize          length,
           guint         *n)
{
  *n = 0;
  for (const char *p = groups->str; *p != '\0';)
    {
      const char *end = strchrnul (p, '|');

      if ((gsize) (end - p) == length && memcmp (p, group, length) == 0)
        return TRUE;
      p = *end == '|' ? end + 1 : end;
      (*n)++;
    }
  return FALSE;
}

/**
 * kymo_part_unite_groups:
 * @groups: names divided by "|"
 * @more: names divided by "|", not terminated
 * @length: of @more, in bytes
 *
 * Adds those names of @more that @groups lacks. Empty names are left out, and beyond some
 * dozens no more are taken.
 */
void
kymo_part_unite_groups (GString    *groups,
                        const char *more,
                        gsize       length)
{
  const char *end = more + length;

  for (const char *p = more; p < end;)
    {
      const char *bar = memchr (p, '|', end - p);
      gsize n = (bar != NULL ? bar : end) - p;
      guint n_groups;

      if (n > 0 && !has_group (groups, p, n, &n_groups))
        {
          if (groups->len + n > MAX_GROUPS_BYTES || n_groups >= MAX_GROUPS)
            return;
          if (groups->len > 0)
            g_string_append_c (groups, '|');
          g_string_append_len (groups, p, n);
        }
      p += n + 1;
    }
}

static KymoPartName *
name_new (KymoProfilePart *part,
          KymoPartNames   *names,
          const KymoPartName *key)
{
  KymoPartName *name = g_new0 (KymoPartName, 1);

  *name = *key;
  name->name = g_string_chunk_insert_len (part->chunk, key->name, key->length);
  name->groups = g_string_new (NULL);
  name->number = names->names->len;
  name->owned = TRUE;
  name->follower = KYMO_NO_EVENT;
  name->first = (KymoFirstMet) { G_MAXUINT64, G_MAXUINT64 };
  g_ptr_array_add (names->names, name);
  g_hash_table_add (names->by_name, name);
  return name;
}

/* Of a part that is full any name: what is read from then on is thrown away. */
static KymoPartName *
add_name (KymoProfilePart    *part,
          KymoPartNames      *names,
          const KymoPartName *key)
{
  if (!kymo_profile_builder_take (part->builder, KYMO_NAME_BYTES (key->length))
      && names->names->len > 0)
    return g_ptr_array_index (names->names, 0);
  return name_new (part, names, key);
}

/* Lists of one run mostly name the same in the same order: what followed the name
   that was asked for last is compared first, and nothing hashed. */
static KymoPartName *
find_name (KymoProfilePart *part,
           KymoPartNames   *names,
           const char      *bytes,
           gsize            length,
           guint32          flags)
{
  KymoPartName key = { .name = bytes, .length = length, .flags = flags };
  KymoPartName *last = names->last != KYMO_NO_EVENT
    ? g_ptr_array_index (names->names, names->last) : NULL;
  KymoPartName *name = last != NULL && last->follower != KYMO_NO_EVENT
    ? g_ptr_array_index (names->names, last->follower) : NULL;

  if (name == NULL || !kymo_part_name_equal (name, &key))
    {
      key.hash = kymo_part_hash_bytes (bytes, length);
      name = g_hash_table_lookup (names->by_name, &key);
      if (name == NULL)
        name = add_name (part, names, &key);
    }
  if (last != NULL)
    last->follower = name->number;
  names->last = name->number;
  return name;
}

/**
 * kymo_profile_are_figures:
 * @values: numbers from a file
 * @n: how many there are
 *
 * Returns: whether all values are finite and not beyond %KYMO_PROFILE_MAX_FIGURE; readers
 *   leave out what has other values, and report it
 */
gboolean
kymo_profile_are_figures (const double *values,
                          guint         n)
{
  for (guint i = 0; i < n; i++)
    if (!(values[i] >= -KYMO_PROFILE_MAX_FIGURE && values[i] <= KYMO_PROFILE_MAX_FIGURE))
      return FALSE;
  return TRUE;
}

/**
 * kymo_profile_check_user:
 * @row: as a file has it; without samples its other figures become 0, for programs write
 *   there whatever they begin with
 *
 * Returns: whether the number of samples can be added up and the others are finite; a sum of
 *   squares may be infinite, for that of finite samples can be
 */
gboolean
kymo_profile_check_user (KymoUserEventRow *row)
{
  if (row->n == 0)
    row->max = row->min = row->mean = row->sum_squares = 0;
  return kymo_profile_are_figures (&row->n, 1) && isfinite (row->max) && isfinite (row->min)
    && isfinite (row->mean) && !isnan (row->sum_squares);
}

/**
 * kymo_profile_part_is_full:
 *
 * Returns: kymo_profile_builder_is_full() of its builder: what is added is thrown away
 */
gboolean
kymo_profile_part_is_full (const KymoProfilePart *part)
{
  return kymo_profile_builder_is_full (part->builder);
}

/* (transfer full): blanks at the end are no part of a name, and paths have none there. */
static char *
cut_function (const char *name,
              gsize       length)
{
  while (length > 0 && name[length - 1] == ' ')
    length--;
  return kymo_name_dup (name, length);
}

/* (transfer full): what a path goes through are functions, whose names are cut one by one: a
   path is as long as its calls are deep. */
static char *
cut_path (const char *path,
          gsize       length)
{
  GString *cut = g_string_new (NULL);
  const char *end = path + length, *joint;

  for (const char *p = path;; p = joint + strlen (KYMO_PROFILE_JOINT))
    {
      gsize n;

      joint = memmem (p, end - p, KYMO_PROFILE_JOINT, strlen (KYMO_PROFILE_JOINT));
      n = (joint != NULL ? joint : end) - p;
      if (n > KYMO_NAME_MOST)
        {
          g_autofree char *name = cut_function (p, n);

          g_string_append (cut, name);
        }
      else
        g_string_append_len (cut, p, n);
      if (joint == NULL)
        return g_string_free (cut, FALSE);
      g_string_append (cut, KYMO_PROFILE_JOINT);
    }
}

static KymoPartName *
find_event (KymoProfilePart *part,
            const char      *name,
            gsize            length,
            guint32          flags)
{
  g_autofree char *cut = NULL;

  if (length <= KYMO_NAME_MOST)
    return find_name (part, &part->events, name, length, flags);
  cut = (flags & KYMO_PROFILE_PATH) != 0 ? cut_path (name, length) : cut_function (name, length);
  return find_name (part, &part->events, cut, strlen (cut), flags);
}

/**
 * kymo_profile_part_event:
 * @name: @length bytes, as in the files, with blanks at its end; of a path its
 *   parts joined by " => "
 * @groups: @groups_length bytes, divided by |
 * @flags: #KymoProfileFlags; %KYMO_PROFILE_CUT is found out by the builder
 *
 * Returns: the event's number in this part; of one that is full, a number of any
 */
guint32
kymo_profile_part_event (KymoProfilePart *part,
                         const char      *name,
                         gsize            length,
                         const char      *groups,
                         gsize            groups_length,
                         guint32          flags)
{
  KymoPartName *event = find_event (part, name, length, flags);

  event->flags |= flags;
  if (event->groups->len != groups_length
      || memcmp (event->groups->str, groups, groups_length) != 0)
    {
      gsize before = event->groups->len;

      kymo_part_unite_groups (event->groups, groups, groups_length);
      kymo_profile_builder_take (part->builder, 3 * (event->groups->len - before));
    }
  return event->number;
}

/**
 * kymo_profile_part_user_event:
 * @name: @length bytes
 *
 * Returns: the number of that user event in this part
 */
guint32
kymo_profile_part_user_event (KymoProfilePart *part,
                              const char      *name,
                              gsize            length)
{
  g_autofree char *cut = length > KYMO_NAME_MOST ? kymo_name_dup (name, length) : NULL;

  return find_name (part, &part->users, cut != NULL ? cut : name,
                    cut != NULL ? strlen (cut) : length, 0)->number;
}

/**
 * kymo_profile_part_begin:
 * @location: index; what is added from now on is of it
 * @step: 0 where there are none
 *
 * Each location is begun once a step, by one part.
 */
void
kymo_profile_part_begin (KymoProfilePart *part,
                         guint            location,
                         guint            step)
{
  KymoPartFill fill = { location, step, part->n_rows, 0, part->user_rows->len, 0 };

  g_return_if_fail (location < part->n_locations);
  kymo_profile_builder_take (part->builder, sizeof fill);
  g_array_append_val (part->fills, fill);
}

static gboolean
grow_rows (KymoProfilePart *part)
{
  gsize cap = MAX (FIRST_ROWS, part->cap_rows * 2);

  if (!kymo_profile_builder_take (part->builder, (cap - part->cap_rows)
                                  * kymo_profile_row_bytes (part->n_metrics)))
    return FALSE;
  part->cap_rows = cap;
  part->event = g_renew (guint32, part->event, cap);
  part->calls = g_renew (double, part->calls, cap);
  part->subroutines = g_renew (double, part->subroutines, cap);
  part->values = g_realloc_n (part->values, cap, 2 * part->n_metrics * sizeof (double));
  return TRUE;
}

/* Notes that the current location lists the name as its i-th. */
static void
note_first (KymoPartName       *name,
            const KymoPartFill *fill,
            guint64             i)
{
  guint64 key = (guint64) fill->location << 32 | fill->step;

  if (key < name->first.fill)
    name->first = (KymoFirstMet) { key, i };
}

/* The row of the event in the current location; a new one is all zero. NULL where there is
   no room for it. */
static KymoPartName *
find_row (KymoProfilePart *part,
          guint32          event,
          gboolean        *added)
{
  KymoPartName *name = g_ptr_array_index (part->events.names, event);
  KymoPartFill *fill = &g_array_index (part->fills, KymoPartFill, part->fills->len - 1);

  *added = name->stamp != part->fills->len;
  if (!*added)
    return name;
  if (part->n_rows == part->cap_rows && !grow_rows (part))
    return NULL;
  name->stamp = part->fills->len;
  name->row = part->n_rows++;
  note_first (name, fill, fill->n_rows++);
  part->event[name->row] = event;
  part->calls[name->row] = part->subroutines[name->row] = 0;
  memset (part->values + name->row * part->n_metrics * 2, 0,
          2 * part->n_metrics * sizeof (double));
  return name;
}

/**
 * kymo_profile_part_add:
 * @event: of kymo_profile_part_event()
 * @calls: counted, like @subroutines, of the metric alone that lists the event first:
 *   files of other metrics tell the same again
 * @exclusive: in the metric's unit, like @inclusive
 *
 * Adds to the current location's row of the event.
 */
void
kymo_profile_part_add (KymoProfilePart *part,
                       guint32          event,
                       guint            metric,
                       double           calls,
                       double           subroutines,
                       double           exclusive,
                       double           inclusive)
{
  gboolean added;
  KymoPartName *name = find_row (part, event, &added);
  double *values;

  if (name == NULL)
    return;
  values = part->values + (name->row * part->n_metrics + metric) * 2;
  if (added)
    name->metric = metric;
  if (name->metric == metric)
    {
      part->calls[name->row] += calls;
      part->subroutines[name->row] += subroutines;
    }
  values[0] += exclusive;
  values[1] += inclusive;
}

/**
 * kymo_profile_part_add_all:
 * @event: number of the event in the part
 * @calls: calls to add
 * @subroutines: calls of other events to add
 * @values: exclusive and inclusive value of each metric, to be added
 *
 * Like kymo_profile_part_add(), for all metrics at once.
 */
void
kymo_profile_part_add_all (KymoProfilePart *part,
                           guint32          event,
                           double           calls,
                           double           subroutines,
                           const double    *values)
{
  gboolean added;
  KymoPartName *name = find_row (part, event, &added);
  double *mine;

  if (name == NULL)
    return;
  mine = part->values + name->row * part->n_metrics * 2;
  name->metric = 0;
  part->calls[name->row] += calls;
  part->subroutines[name->row] += subroutines;
  for (guint i = 0; i < 2 * part->n_metrics; i++)
    mine[i] += values[i];
}

static gboolean
grow_user_rows (KymoProfilePart *part)
{
  guint more = MAX (FIRST_ROWS, part->cap_user_rows);

  if (!kymo_profile_builder_take (part->builder, (guint64) more * sizeof (KymoUserEventRow)))
    return FALSE;
  part->cap_user_rows += more;
  return TRUE;
}

/* Two rows of one user event, as one. */
static void
join_user_rows (KymoUserEventRow       *row,
                const KymoUserEventRow *more)
{
  double n = row->n + more->n;

  row->mean = n > 0 ? (row->mean * row->n + more->mean * more->n) / n : row->mean;
  row->max = MAX (row->max, more->max);
  row->min = MIN (row->min, more->min);
  row->sum_squares += more->sum_squares;
  row->n = n;
}

/**
 * kymo_profile_part_add_user:
 * @row: with the event's number of kymo_profile_part_user_event()
 */
void
kymo_profile_part_add_user (KymoProfilePart        *part,
                            const KymoUserEventRow *row)
{
  KymoPartName *name = g_ptr_array_index (part->users.names, row->event);
  KymoPartFill *fill = &g_array_index (part->fills, KymoPartFill, part->fills->len - 1);

  if (name->stamp == part->fills->len)
    {
      join_user_rows (&g_array_index (part->user_rows, KymoUserEventRow, name->row), row);
      return;
    }
  if (part->user_rows->len == part->cap_user_rows && !grow_user_rows (part))
    return;
  name->stamp = part->fills->len;
  name->row = part->user_rows->len;
  note_first (name, fill, fill->n_users++);
  g_array_append_val (part->user_rows, *row);
}
