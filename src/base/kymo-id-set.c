/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ranges are kept as written. A person writes a handful, but a selection of
 * many rows in the window may be one of thousands: where they ascend, as a
 * program's do, membership is a binary search; else they are walked.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-id-set.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-order.h"

typedef struct
{
  gint64 first;
  gint64 last;
  gint64 stride;
} Range;

struct _KymoIdSet
{
  gatomicrefcount ref_count;
  GArray *ranges;               /* Range */
  gboolean descends;            /* one begins before the end of the one before */
};

static KymoIdSet *
id_set_new (void)
{
  KymoIdSet *set = g_new0 (KymoIdSet, 1);

  g_atomic_ref_count_init (&set->ref_count);
  set->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  return set;
}

static void
add_range (KymoIdSet *set,
           Range      range)
{
  const Range *last = set->ranges->len > 0
    ? &g_array_index (set->ranges, Range, set->ranges->len - 1) : NULL;

  set->descends = set->descends || (last != NULL && range.first <= last->last);
  g_array_append_val (set->ranges, range);
}

static gboolean
parse_number (const char **cursor,
              gint64      *value)
{
  const char *p = *cursor;
  gint64 v = 0;

  while (g_ascii_isspace (*p))
    p++;
  if (!g_ascii_isdigit (*p))
    return FALSE;
  for (; g_ascii_isdigit (*p); p++)
    {
      v = v * 10 + (*p - '0');
      if (v > G_MAXINT32)
        return FALSE;
    }
  while (g_ascii_isspace (*p))
    p++;
  *cursor = p;
  *value = v;
  return TRUE;
}

static gboolean
parse_range (const char **cursor,
             Range       *range)
{
  range->stride = 1;
  if (!parse_number (cursor, &range->first))
    return FALSE;
  range->last = range->first;
  if (**cursor == '-')
    {
      (*cursor)++;
      if (!parse_number (cursor, &range->last) || range->last < range->first)
        return FALSE;
    }
  if (**cursor == ':')
    {
      (*cursor)++;
      if (!parse_number (cursor, &range->stride) || range->stride < 1)
        return FALSE;
    }
  return TRUE;
}

/**
 * kymo_id_set_parse:
 * @text: ranges separated by commas; `a-b:s` takes every s-th id from a to b
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the set, or %NULL with a usage error
 */
KymoIdSet *
kymo_id_set_parse (const char  *text,
                   GError     **error)
{
  g_autoptr (KymoIdSet) set = id_set_new ();
  const char *p = text;

  while (TRUE)
    {
      Range range;

      if (!parse_range (&p, &range) || (*p != '\0' && *p != ','))
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       _("“%s” is not a list of locations like 0-15,32,0-1023:16"),
                       text);
          return NULL;
        }
      add_range (set, range);
      if (*p == '\0')
        return g_steal_pointer (&set);
      p++;
    }
}

/**
 * kymo_id_set_new_list:
 * @ids: (array length=n_ids): ids
 * @n_ids: how many
 *
 * Returns: (transfer full): a set of exactly these ids; runs of neighbours
 * become one range
 */
KymoIdSet *
kymo_id_set_new_list (const gint64 *ids,
                      guint         n_ids)
{
  KymoIdSet *set = id_set_new ();

  for (guint i = 0; i < n_ids; i++)
    {
      Range *last = set->ranges->len > 0
        ? &g_array_index (set->ranges, Range, set->ranges->len - 1) : NULL;

      if (last != NULL && last->last + 1 == ids[i])
        last->last = ids[i];
      else
        add_range (set, (Range) { ids[i], ids[i], 1 });
    }
  return set;
}

/**
 * kymo_id_set_ref:
 *
 * Returns: (transfer full): @set, with one more reference
 */
KymoIdSet *
kymo_id_set_ref (KymoIdSet *set)
{
  g_atomic_ref_count_inc (&set->ref_count);
  return set;
}

/**
 * kymo_id_set_unref:
 *
 * Drops a reference to @set and frees it with the last reference. %NULL is ignored.
 */
void
kymo_id_set_unref (KymoIdSet *set)
{
  if (set == NULL || !g_atomic_ref_count_dec (&set->ref_count))
    return;
  g_array_unref (set->ranges);
  g_free (set);
}

static gboolean
range_holds (const Range *range,
             gint64       id)
{
  return id >= range->first && id <= range->last && (id - range->first) % range->stride == 0;
}

/* Of ranges that ascend only the last that begins at or before @id can hold
   it. */
static gboolean
search_ascending (const GArray *ranges,
                  gint64        id)
{
  guint behind = KYMO_FIND_FIRST (i, 0, ranges->len, g_array_index (ranges, Range, i).first > id);

  return behind > 0 && range_holds (&g_array_index (ranges, Range, behind - 1), id);
}

/**
 * kymo_id_set_contains:
 * @set: (nullable): a set; %NULL holds every id
 * @id: a location
 */
gboolean
kymo_id_set_contains (const KymoIdSet *set,
                      gint64           id)
{
  if (set == NULL)
    return TRUE;
  if (!set->descends)
    return search_ascending (set->ranges, id);
  for (guint i = 0; i < set->ranges->len; i++)
    if (range_holds (&g_array_index (set->ranges, Range, i), id))
      return TRUE;
  return FALSE;
}

static gboolean
range_meets (const Range *range,
             gint64       first,
             gint64       end)
{
  gint64 behind = first > range->first ? (first - range->first) % range->stride : 0;
  gint64 least = MAX (first, range->first);

  if (least > range->last || least >= end)
    return FALSE;
  if (behind == 0)
    return TRUE;
  behind = range->stride - behind;
  return behind <= range->last - least && behind < end - least;
}

/**
 * kymo_id_set_meets:
 * @set: (nullable): a set; %NULL holds every id
 * @first: >= 0
 * @end: ids before this one are asked about
 *
 * It costs what the set has ranges, however many ids there are between.
 *
 * Returns: whether any of [@first, @end) is in the set
 */
gboolean
kymo_id_set_meets (const KymoIdSet *set,
                   gint64           first,
                   gint64           end)
{
  if (set == NULL)
    return first < end;
  for (guint i = 0; i < set->ranges->len; i++)
    if (range_meets (&g_array_index (set->ranges, Range, i), first, end))
      return TRUE;
  return FALSE;
}

/**
 * kymo_id_set_pick:
 * @ids: (array length=n_ids): ids that there are, ascending
 *
 * "5,3,0-2" is an order, too. It costs what there is, whatever the ranges name.
 *
 * Returns: (transfer full) (element-type gint64): those of @ids that are in the
 * set, each once, in the order in which the set was written
 */
GArray *
kymo_id_set_pick (const KymoIdSet *set,
                  const gint64    *ids,
                  guint            n_ids)
{
  GArray *picked = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree gboolean *is_picked = g_new0 (gboolean, MAX (n_ids, 1));

  for (guint i = 0; i < set->ranges->len && picked->len < n_ids; i++)
    {
      const Range *range = &g_array_index (set->ranges, Range, i);
      guint at = KYMO_FIND_FIRST (j, 0, n_ids, ids[j] >= range->first);

      for (; at < n_ids && ids[at] <= range->last; at++)
        if (!is_picked[at] && range_holds (range, ids[at]))
          {
            is_picked[at] = TRUE;
            g_array_append_val (picked, ids[at]);
          }
    }
  return picked;
}

/**
 * kymo_id_set_to_text:
 *
 * Returns: (transfer full): text that kymo_id_set_parse() reads back
 */
char *
kymo_id_set_to_text (const KymoIdSet *set)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < set->ranges->len; i++)
    {
      const Range *r = &g_array_index (set->ranges, Range, i);

      if (i > 0)
        g_string_append_c (text, ',');
      g_string_append_printf (text, "%" G_GINT64_FORMAT, r->first);
      if (r->last > r->first)
        g_string_append_printf (text, "-%" G_GINT64_FORMAT, r->last);
      if (r->stride > 1)
        g_string_append_printf (text, ":%" G_GINT64_FORMAT, r->stride);
    }
  return g_string_free (text, FALSE);
}

/**
 * kymo_ids_to_text:
 * @ids: (array length=n_ids): ids, ascending
 *
 * Returns: (transfer full): the ids as ranges, "0-3,7"
 */
char *
kymo_ids_to_text (const gint64 *ids,
                  guint         n_ids)
{
  g_autoptr (KymoIdSet) set = kymo_id_set_new_list (ids, n_ids);

  return kymo_id_set_to_text (set);
}
