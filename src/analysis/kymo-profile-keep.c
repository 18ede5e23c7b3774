/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of all locations of a run of profiles are kept with the run: a table that is
 * sorted anew, or a picture of another function, does not read a million figures again.
 * They are small, one of each event; those of traces go with the range they are of.
 */
#include "config.h"

#include "kymo-profile-look.h"
#include "kymo-run-index.h"

#include <string.h>

#define MOST_KEPT 64

typedef struct
{
  const KymoProfileData *data;  /* a step of the run, which outlives this */
  char                  *metric;
  KymoProfileValue       value;
  KymoFigures           *figures;
} Kept;

static void
free_kept (gpointer data)
{
  Kept *kept = data;

  g_free (kept->metric);
  g_free (kept->figures);
  g_free (kept);
}

/* Sums do not depend on the order of locations but in their last bit, so those of
   another order are not kept. */
static gboolean
is_kept (const KymoProfileLook *look)
{
  const KymoAsk *ask = look->ask;

  return ask->run->profiles != NULL && ask->n_locations == ask->run->locations->len
    && !ask->is_ordered;
}

/* A name may stand for another expression tomorrow. */
static const char *
metric_of (const KymoProfileLook *look)
{
  return look->expression_text != NULL ? look->expression_text : look->metric_name;
}

static const Kept *
find (const KymoRunIndex    *index,
      const KymoProfileLook *look,
      KymoProfileValue       value)
{
  const GPtrArray *list = index->figures;

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const Kept *kept = g_ptr_array_index (list, i);

      if (kept->data == look->data && kept->value == value
          && strcmp (kept->metric, metric_of (look)) == 0)
        return kept;
    }
  return NULL;
}

/**
 * kymo_profile_look_get_kept:
 *
 * Returns: (transfer full) (nullable): figures by event, where they are kept
 */
KymoFigures *
kymo_profile_look_get_kept (const KymoProfileLook *look,
                            KymoProfileValue       value)
{
  KymoRunIndex *index = look->ask->run->index;
  KymoFigures *figures = NULL;
  const Kept *kept;

  if (!is_kept (look))
    return NULL;
  g_mutex_lock (&index->kept_mutex);
  kept = find (index, look, value);
  if (kept != NULL)
    figures = g_memdup2 (kept->figures, look->data->events->len * sizeof (KymoFigures));
  g_mutex_unlock (&index->kept_mutex);
  return figures;
}

/**
 * kymo_profile_look_keep:
 * @figures: by event; whole, of a question that was not cancelled
 */
void
kymo_profile_look_keep (const KymoProfileLook *look,
                        KymoProfileValue       value,
                        const KymoFigures     *figures)
{
  KymoRunIndex *index = look->ask->run->index;

  if (!is_kept (look) || g_cancellable_is_cancelled (look->ask->cancellable))
    return;
  g_mutex_lock (&index->kept_mutex);
  if (index->figures == NULL)
    index->figures = g_ptr_array_new_with_free_func (free_kept);
  if (find (index, look, value) == NULL)
    {
      Kept *kept = g_new (Kept, 1);

      *kept = (Kept) { look->data, g_strdup (metric_of (look)), value,
                       g_memdup2 (figures, look->data->events->len * sizeof (KymoFigures)) };
      if (((GPtrArray *) index->figures)->len == MOST_KEPT)
        g_ptr_array_remove_index (index->figures, 0);
      g_ptr_array_add (index->figures, kept);
    }
  g_mutex_unlock (&index->kept_mutex);
}
