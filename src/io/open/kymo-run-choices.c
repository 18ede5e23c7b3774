/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-run-choices.h"

#include <string.h>

#include "kymo-format.h"

/* A folder of all that a person has may be on a slow disk; this is for a hint. */
#define MOST_ENTRIES 20000
#define MOST_LOOKED_AT_BELOW 1000
#define MOST_TIME_US (G_USEC_PER_SEC)
#define MOST_CHOICES 64
#define MOST_NAMED 8

/** Found: a run of a format, while its folder is walked */
typedef struct
{
  char     *base;
  char     *name;               /* of the file that stands for it */
  KymoPart  name_part;
  gboolean  has_data;
  gboolean  has_names;
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_free (found->base);
  g_free (found->name);
  g_free (found);
}

static void
choice_free (gpointer data)
{
  KymoRunChoice *choice = data;

  g_free (choice->name);
  g_free (choice->path);
  g_free (choice);
}

static void
add_choice (GPtrArray  *choices,
            const char *name,
            const char *folder,
            const char *entry)
{
  KymoRunChoice *choice = g_new (KymoRunChoice, 1);

  choice->name = g_filename_display_name (name);
  choice->path = g_build_filename (folder, entry, NULL);
  g_ptr_array_add (choices, choice);
}

/* Files with names stand for a run, for they tell most; then the shortest name. */
static gboolean
stands_better (const Found *found,
               const char  *name,
               KymoPart     part)
{
  gsize n = strlen (name), n_old = found->name != NULL ? strlen (found->name) : 0;

  if (found->name == NULL || part != found->name_part)
    return found->name == NULL || part == KYMO_PART_NAMES;
  return n != n_old ? n < n_old : strcmp (name, found->name) < 0;
}

static void
take_entry (const KymoFormat *format,
            GHashTable       *runs,
            const char       *folder,
            const char       *name)
{
  g_autofree char *base = NULL;
  KymoPart part = format->part (folder, name, &base);
  Found *found;

  if (part == KYMO_PART_NONE)
    return;
  found = g_hash_table_lookup (runs, base);
  if (found == NULL)
    {
      found = g_new0 (Found, 1);
      found->base = g_steal_pointer (&base);
      g_hash_table_insert (runs, found->base, found);
    }
  found->has_data |= part == KYMO_PART_DATA;
  found->has_names |= part == KYMO_PART_NAMES;
  if (!stands_better (found, name, part))
    return;
  g_free (found->name);
  found->name = g_strdup (name);
  found->name_part = part;
}

static int
compare_choices (gconstpointer a,
                 gconstpointer b)
{
  const KymoRunChoice *x = *(KymoRunChoice *const *) a, *y = *(KymoRunChoice *const *) b;

  return strcmp (x->name, y->name);
}

static GPtrArray *
choices_new (void)
{
  return g_ptr_array_new_with_free_func (choice_free);
}

/* A file that only looks like a log (build.1.log) is no run beside one with names. */
static GPtrArray *
make_choices (GHashTable *runs,
              const char *folder)
{
  GPtrArray *choices = choices_new ();
  gboolean any_names = FALSE;
  GHashTableIter iter;
  Found *found;

  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &found))
    any_names |= found->has_data && found->has_names;
  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &found))
    if (found->has_data && (found->has_names || !any_names))
      add_choice (choices, *found->base != '\0' ? found->base : found->name, folder, found->name);
  g_ptr_array_sort (choices, compare_choices);
  return choices;
}

/* (transfer full): runs of one format in a folder; stops when it is late */
static GPtrArray *
list_of_format (const KymoFormat *format,
                const char       *folder,
                gint64            late_us)
{
  g_autoptr (GHashTable) runs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, found_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  for (guint i = 0; dir != NULL && i < MOST_ENTRIES && (name = g_dir_read_name (dir)) != NULL
       && g_get_monotonic_time () < late_us; i++)
    take_entry (format, runs, folder, name);
  return make_choices (runs, folder);
}

/**
 * kymo_run_choices_list:
 * @folder: that holds several runs
 *
 * Returns: (transfer full) (element-type KymoRunChoice): the runs of the first format of
 *   which there are several, by name; none where no format has
 */
GPtrArray *
kymo_run_choices_list (const char *folder)
{
  gint64 late_us = g_get_monotonic_time () + MOST_TIME_US;

  for (guint i = 0; kymo_formats[i] != NULL; i++)
    {
      GPtrArray *choices = list_of_format (kymo_formats[i], folder, late_us);

      if (choices->len > 1)
        {
          g_ptr_array_set_size (choices, MIN (choices->len, MOST_CHOICES));
          return choices;
        }
      g_ptr_array_unref (choices);
    }
  return choices_new ();
}

/* Or a part of one: what is missing is said when it is opened. */
static gboolean
is_part_of_run (const char *folder,
                const char *name)
{
  for (guint i = 0; kymo_formats[i] != NULL; i++)
    {
      g_autofree char *base = NULL;

      if (kymo_formats[i]->part (folder, name, &base) != KYMO_PART_NONE)
        return TRUE;
    }
  return FALSE;
}

static gboolean
holds_run (const char *folder,
           gint64      late_us)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  for (guint i = 0; dir != NULL && i < MOST_LOOKED_AT_BELOW
       && (name = g_dir_read_name (dir)) != NULL && g_get_monotonic_time () < late_us; i++)
    if (is_part_of_run (folder, name))
      return TRUE;
  return FALSE;
}

/**
 * kymo_run_choices_below:
 * @folder: that holds no run
 *
 * Looks for a second at most, and not at all of very many entries.
 *
 * Returns: (transfer full) (element-type KymoRunChoice): the folders in it that seem to
 *   hold a run, by name
 */
GPtrArray *
kymo_run_choices_below (const char *folder)
{
  gint64 late_us = g_get_monotonic_time () + MOST_TIME_US;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *choices = choices_new ();
  const char *name;

  for (guint i = 0; dir != NULL && i < MOST_LOOKED_AT_BELOW && choices->len < MOST_CHOICES
       && (name = g_dir_read_name (dir)) != NULL && g_get_monotonic_time () < late_us; i++)
    {
      g_autofree char *inner = g_build_filename (folder, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR) && holds_run (inner, late_us))
        add_choice (choices, name, folder, name);
    }
  g_ptr_array_sort (choices, compare_choices);
  return choices;
}

/**
 * kymo_run_choices_words:
 *
 * Returns: (transfer full): their names, "a, b, c"; of many the first ones
 */
char *
kymo_run_choices_words (GPtrArray *choices)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < MIN (choices->len, MOST_NAMED); i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "",
                            ((const KymoRunChoice *) choices->pdata[i])->name);
  if (choices->len > MOST_NAMED)
    g_string_append (words, ", …");
  return g_string_free (words, FALSE);
}
