/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of all locations of a run of profiles are kept with the run: a table that is
 * sorted anew, or a picture of another function, does not read a million figures again.
 * They are small, one of each event; those of traces go with the range they are of. So
 * are the classes of its locations: a scatter with other axes has the same ones.
 */
#include "config.h"

#include "kymo-profile-look.h"
#include "kymo-run-index.h"

#include <string.h>

#define MOST_KEPT 64

/* Classes of locations hold all that these are compared by. */
#define MOST_CLASSES 2

typedef struct
{
  const KymoProfileData *data;  /* a step of the run, which outlives this */
  char                  *metric;
  KymoProfileValue       value;
  KymoFigures           *figures;
  char                  *key;   /* of classes; figures have none */
  gpointer               classes;       /* a box with a count of references */
  GDestroyNotify         clear;
} Kept;

static void
free_kept (gpointer data)
{
  Kept *kept = data;

  g_free (kept->metric);
  g_free (kept->figures);
  g_free (kept->key);
  if (kept->classes != NULL)
    g_atomic_rc_box_release_full (kept->classes, kept->clear);
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
find_profile_keep (const KymoRunIndex    *index,
                   const KymoProfileLook *look,
                   KymoProfileValue       value)
{
  const GPtrArray *list = index->figures;

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const Kept *kept = g_ptr_array_index (list, i);

      if (kept->key == NULL && kept->data == look->data && kept->value == value
          && strcmp (kept->metric, metric_of (look)) == 0)
        return kept;
    }
  return NULL;
}

/* For one more, whatever it is; what was kept first goes first. */
static void
make_room (KymoRunIndex *index)
{
  while (index->figures->len >= MOST_KEPT)
    g_ptr_array_remove_index (index->figures, 0);
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
  kept = find_profile_keep (index, look, value);
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
  if (find_profile_keep (index, look, value) == NULL)
    {
      Kept *kept = g_new (Kept, 1);

      *kept = (Kept) { .data = look->data, .metric = g_strdup (metric_of (look)), .value = value,
                       .figures = g_memdup2 (figures, look->data->events->len
                                             * sizeof (KymoFigures)) };
      make_room (index);
      g_ptr_array_add (index->figures, kept);
    }
  g_mutex_unlock (&index->kept_mutex);
}

/* -- classes ---------------------------------------------------------------- */

/* All that classes depend on, of the question and of the profile. */
static char *
dup_key (const KymoProfileLook *look)
{
  static const char *const words[] = { "groups", "clusters", "outliers", "keep", "seeding",
                                       "seed", "scale", "with", "quota", "union",
                                       "critical-path", "also" };
  GString *key = g_string_new (metric_of (look));

  g_string_append_printf (key, "\n%u", look->step);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const char *word = kymo_question_get (look->ask->question, words[i]);

      g_string_append_printf (key, "\n%s", word != NULL ? word : "");
    }
  return g_string_free (key, FALSE);
}

/**
 * kymo_profile_look_get_classes:
 *
 * Returns: (transfer full) (nullable): what kymo_profile_look_keep_classes() kept of a
 * question with the same words; give it back with g_atomic_rc_box_release_full()
 */
gpointer
kymo_profile_look_get_classes (const KymoProfileLook *look)
{
  KymoRunIndex *index = look->ask->run->index;
  g_autofree char *key = NULL;
  gpointer found = NULL;

  if (!is_kept (look))
    return NULL;
  key = dup_key (look);
  g_mutex_lock (&index->kept_mutex);
  for (guint i = 0; index->figures != NULL && i < index->figures->len && found == NULL; i++)
    {
      const Kept *kept = g_ptr_array_index (index->figures, i);

      if (g_strcmp0 (kept->key, key) == 0)
        found = g_atomic_rc_box_acquire (kept->classes);
    }
  g_mutex_unlock (&index->kept_mutex);
  return found;
}

/**
 * kymo_profile_look_keep_classes:
 * @classes: of g_atomic_rc_box_new0(); immutable from now on
 * @clear: what is called before the last reference frees it
 */
void
kymo_profile_look_keep_classes (const KymoProfileLook *look,
                                gpointer               classes,
                                GDestroyNotify         clear)
{
  KymoRunIndex *index = look->ask->run->index;
  guint n = 0;
  Kept *kept;

  if (!is_kept (look) || g_cancellable_is_cancelled (look->ask->cancellable))
    return;
  kept = g_new0 (Kept, 1);
  kept->key = dup_key (look);
  kept->classes = g_atomic_rc_box_acquire (classes);
  kept->clear = clear;
  g_mutex_lock (&index->kept_mutex);
  if (index->figures == NULL)
    index->figures = g_ptr_array_new_with_free_func (free_kept);
  for (guint i = index->figures->len; i-- > 0;)
    if (((const Kept *) g_ptr_array_index (index->figures, i))->key != NULL
        && ++n >= MOST_CLASSES)
      g_ptr_array_remove_index (index->figures, i);
  make_room (index);
  g_ptr_array_add (index->figures, kept);
  g_mutex_unlock (&index->kept_mutex);
}
