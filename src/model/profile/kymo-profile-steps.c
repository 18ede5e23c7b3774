/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which locations and steps a profile in the making has.
 */
#include "config.h"

#include "kymo-profile-builder-private.h"

#include <string.h>

static gint
compare_fills (gconstpointer a,
               gconstpointer b)
{
  const KymoPartFill *x = ((const KymoFillOfPart *) a)->fill;
  const KymoPartFill *y = ((const KymoFillOfPart *) b)->fill;

  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return (x->location > y->location) - (x->location < y->location);
}

/**
 * kymo_profile_builder_list_fills:
 *
 * Returns: (transfer full): #KymoFillOfPart by step, then location
 */
GArray *
kymo_profile_builder_list_fills (KymoProfileBuilder *builder)
{
  GArray *fills = g_array_new (FALSE, FALSE, sizeof (KymoFillOfPart));

  for (guint i = 0; i < builder->parts->len; i++)
    {
      KymoProfilePart *part = g_ptr_array_index (builder->parts, i);

      for (guint k = 0; k < part->fills->len; k++)
        {
          KymoFillOfPart from = { &g_array_index (part->fills, KymoPartFill, k), i };

          g_array_append_val (fills, from);
        }
    }
  g_array_sort (fills, compare_fills);
  return fills;
}

/**
 * kymo_profile_builder_keep_begun:
 *
 * Leaves out the locations that no part has begun, because their files could not be
 * read; the others move up.
 *
 * Returns: (transfer full): guint: what their indices were, ascending
 */
GArray *
kymo_profile_builder_keep_begun (KymoProfileBuilder *builder)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *places = g_new (guint, builder->n_locations + 1);

  memset (places, 0xff, (builder->n_locations + 1) * sizeof (guint));
  for (guint i = 0; i < builder->parts->len; i++)
    {
      KymoProfilePart *part = g_ptr_array_index (builder->parts, i);

      for (guint k = 0; k < part->fills->len; k++)
        places[g_array_index (part->fills, KymoPartFill, k).location] = 0;
    }
  for (guint i = 0; i < builder->n_locations; i++)
    if (places[i] == 0)
      {
        places[i] = kept->len;
        g_array_append_val (kept, i);
      }
  for (guint i = 0; i < builder->parts->len; i++)
    {
      KymoProfilePart *part = g_ptr_array_index (builder->parts, i);

      for (guint k = 0; k < part->fills->len; k++)
        {
          KymoPartFill *fill = &g_array_index (part->fills, KymoPartFill, k);

          fill->location = places[fill->location];
        }
    }
  builder->n_locations = kept->len;
  return kept;
}

/* The rows of a location's last step; `part` is NULL where the location has no rows at all. */
typedef struct
{
  KymoPartFill     fill;
  KymoProfilePart *part;
} LastFill;

static LastFill *
find_last_fills (KymoProfileBuilder *builder,
                 guint              *last_step)
{
  g_autoptr (GArray) fills = kymo_profile_builder_list_fills (builder);
  LastFill *last = g_new0 (LastFill, builder->n_locations + 1);

  /* They are sorted by step. */
  for (guint i = 0; i < fills->len; i++)
    {
      const KymoFillOfPart *from = &g_array_index (fills, KymoFillOfPart, i);

      last[from->fill->location] = (LastFill) { *from->fill,
                                                g_ptr_array_index (builder->parts, from->part) };
      *last_step = from->fill->step;
    }
  return last;
}

/* Bytes that the profiles of all steps will take. A location that ends early repeats the rows of
   its last step in each later step. */
static __uint128_t
profile_bytes (KymoProfileBuilder *builder,
               const LastFill     *last,
               guint               last_step)
{
  gsize row_bytes = kymo_profile_row_bytes (builder->metrics->len);
  __uint128_t n = (__uint128_t) (last_step + 1) * (builder->n_locations + 1)
    * 2 * sizeof (guint64);

  for (guint i = 0; i < builder->parts->len; i++)
    {
      const KymoProfilePart *part = g_ptr_array_index (builder->parts, i);

      n += (__uint128_t) part->n_rows * row_bytes
        + (__uint128_t) part->user_rows->len * sizeof (KymoUserEventRow);
    }
  for (guint i = 0; i < builder->n_locations; i++)
    n += (__uint128_t) (last_step - last[i].fill.step)
      * (sizeof (KymoPartFill) + last[i].fill.n_rows * row_bytes
         + last[i].fill.n_users * sizeof (KymoUserEventRow));
  return n;
}

/**
 * kymo_profile_builder_fill_steps:
 *
 * Gives each location as many steps as the one that has most: figures are cumulative,
 * so those of its last step hold on. To be called by who has set a limit, also where
 * there is one step.
 *
 * Returns: whether the profiles stay within the limit
 */
gboolean
kymo_profile_builder_fill_steps (KymoProfileBuilder *builder)
{
  guint last_step = 0;
  g_autofree LastFill *last = find_last_fills (builder, &last_step);

  if (kymo_profile_builder_is_full (builder)
      || profile_bytes (builder, last, last_step) > (guint64) builder->left_bytes)
    return FALSE;
  for (guint i = 0; i < builder->n_locations; i++)
    while (last[i].part != NULL && last[i].fill.step < last_step)
      {
        last[i].fill.step++;
        g_array_append_val (last[i].part->fills, last[i].fill);
      }
  return TRUE;
}
