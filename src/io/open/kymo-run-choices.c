/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder is walked once, and each entry shown to each format. Files of one format and one base
 * are a run; not every run is one to choose:
 *
 * - A file that only looks like a log (build.1.log) is no run beside one whose names are there.
 * - What was made of another run in the folder, such as a merged trace of TAU, is not listed.
 * - A run that may have been recorded together with another one (a profile of TAU beside a
 *   trace of TAU) does not keep that from opening, but is listed where others are.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-formats.h"
#include "kymo-run-choices.h"

/* A folder of all that a person has may be on a slow disk; this is for a hint. */
#define MOST_ENTRIES 20000
#define MOST_LOOKED_AT_BELOW 1000
#define MOST_TIME_US (G_USEC_PER_SEC)
#define MOST_CHOICES 64

/** Found: a run of a format, while its folder is walked */
typedef struct
{
  const KymoFormat *format;
  char             *base;
  char             *name;       /* of the file that stands for it */
  KymoPart          name_part;
  KymoPart          parts;      /* all that was found of it */
  gboolean          derived;    /* made of another run in the folder */
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
  g_free (choice->what);
  g_free (choice->path);
  g_free (choice);
}

static void
add_choice (GPtrArray  *choices,
            const char *name,
            const char *what,
            const char *folder,
            const char *entry)
{
  KymoRunChoice *choice = g_new (KymoRunChoice, 1);

  choice->name = g_filename_display_name (name);
  choice->what = g_strdup (what);
  choice->path = g_build_filename (folder, entry, NULL);
  g_ptr_array_add (choices, choice);
}

/* -- walking --------------------------------------------------------------- */

/* Files with names alone stand for a run, for they tell most; then the shortest name. */
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
  g_autofree char *key = NULL;
  KymoPart part = format->part (folder, name, &base);
  Found *found;

  if (part == KYMO_PART_NONE)
    return;
  key = g_strconcat (format->id, "/", base, NULL);
  found = g_hash_table_lookup (runs, key);
  if (found == NULL)
    {
      found = g_new0 (Found, 1);
      found->format = format;
      found->base = g_steal_pointer (&base);
      g_hash_table_insert (runs, g_steal_pointer (&key), found);
    }
  found->parts |= part;
  if (!stands_better (found, name, part))
    return;
  g_free (found->name);
  found->name = g_strdup (name);
  found->name_part = part;
}

/* By format in the order of the table, then by name. */
static int
compare_found (gconstpointer a,
               gconstpointer b)
{
  const Found *x = *(Found *const *) a, *y = *(Found *const *) b;

  if (x->format != y->format)
    for (guint i = 0; kymo_formats[i] != NULL; i++)
      if (kymo_formats[i] == x->format || kymo_formats[i] == y->format)
        return kymo_formats[i] == x->format ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* (transfer full) (element-type Found): all that seems to be of a run in a folder */
static GPtrArray *
walk_run_choices (const char *folder,
                  guint       most_entries,
                  gint64      late_us)
{
  g_autoptr (GHashTable) runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *all = g_ptr_array_new_with_free_func (found_free);
  GHashTableIter iter;
  gpointer found;
  const char *name;

  for (guint i = 0; dir != NULL && i < most_entries && (name = g_dir_read_name (dir)) != NULL
       && g_get_monotonic_time () < late_us; i++)
    for (guint j = 0; kymo_formats[j] != NULL; j++)
      take_entry (kymo_formats[j], runs, folder, name);
  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &found))
    g_ptr_array_add (all, found);
  g_ptr_array_sort (all, compare_found);
  return all;
}

static gboolean
is_whole (const Found *found)
{
  return (found->parts & KYMO_PART_BOTH) == KYMO_PART_BOTH;
}

/* Leaves those that can be opened, and says which of them are derived. */
static void
keep_runs (GPtrArray *all)
{
  gboolean any_whole = FALSE;

  for (guint i = 0; i < all->len; i++)
    any_whole |= is_whole (all->pdata[i]);
  for (guint i = all->len; i-- > 0;)
    {
      const Found *found = all->pdata[i];

      if (!(found->parts & KYMO_PART_DATA) || (any_whole && !is_whole (found)))
        g_ptr_array_remove_index (all, i);
    }
  for (guint i = 0; i < all->len; i++)
    for (guint j = 0; j < all->len; j++)
      {
        const Found *other = all->pdata[j];
        Found *found = all->pdata[i];

        found->derived |= found->format == other->format && (other->parts & KYMO_PART_ORIGINAL)
          && !(found->parts & KYMO_PART_ORIGINAL);
      }
}

/* -- choosing -------------------------------------------------------------- */

static gboolean
is_beside (const Found *found,
           const Found *other,
           const char  *folder)
{
  g_autofree char *path = g_build_filename (folder, other->name, NULL);

  return found->format->beside != NULL && g_strv_contains (found->format->beside, other->format->id)
    && (other->format->is_alone == NULL || !other->format->is_alone (path));
}

/* TRUE if there is more than one run; a run that was recorded in several ways counts once. */
static gboolean
are_several (GPtrArray  *all,
             const char *folder)
{
  guint n = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const Found *found = all->pdata[i];
      gboolean counts = !found->derived;

      for (guint j = 0; counts && j < all->len; j++)
        counts = !is_beside (found, all->pdata[j], folder);
      n += counts;
    }
  return n > 1;
}

static const char *
name_of (const Found *found)
{
  return *found->base != '\0' ? found->base : found->name;
}

/* A name that no other run has: of runs of the same name each has the name of its file. */
static const char *
own_name_of (GPtrArray   *all,
             const Found *found)
{
  for (guint i = 0; i < all->len; i++)
    if (all->pdata[i] != found && g_str_equal (name_of (all->pdata[i]), name_of (found)))
      return found->name;
  return name_of (found);
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

/**
 * kymo_run_choices_list:
 * @folder: anything
 * @also_one: list what there is of one run, too
 *
 * Looks for a second at most, and not at all of very many entries.
 *
 * Returns: (transfer full) (element-type KymoRunChoice): the runs in a folder that holds
 *   several, by name; without @also_one none where it holds one or none
 */
GPtrArray *
kymo_run_choices_list (const char *folder,
                       gboolean    also_one)
{
  g_autoptr (GPtrArray) all = walk_run_choices (folder, MOST_ENTRIES, g_get_monotonic_time ()
                                                + MOST_TIME_US);
  GPtrArray *choices = choices_new ();

  keep_runs (all);
  if (!also_one && !are_several (all, folder))
    return choices;
  for (guint i = 0; i < all->len && choices->len < MOST_CHOICES; i++)
    {
      const Found *found = all->pdata[i];

      if (!found->derived)
        add_choice (choices, own_name_of (all, found), _(found->format->label), folder,
                    found->name);
    }
  g_ptr_array_sort (choices, compare_choices);
  return choices;
}

/* How well a name fits a run, 0 = not at all. */
static guint
rank_name (GPtrArray   *all,
           const Found *found,
           const char  *name)
{
  gsize n = strlen (name);

  if (g_str_equal (name, own_name_of (all, found)))
    return 3;
  if (g_str_equal (name, found->base) || g_str_equal (name, found->name))
    return 2;
  return strncmp (found->name, name, n) == 0 && found->name[n] == '.';
}

/**
 * kymo_run_choices_find:
 * @folder: anything
 * @base: name of a run, as the list of choices has it, or of its file, with or without ending
 * @path: (out) (transfer full) (nullable): a file that stands for the run
 * @mixed: (out): whether the folder has runs of several formats; what is of one format alone
 *   is not looked for, as the format knows the names of its runs itself
 *
 * Returns: (nullable): the format of that run; %NULL where there is none
 */
const KymoFormat *
kymo_run_choices_find (const char *folder,
                       const char *base,
                       char      **path,
                       gboolean   *mixed)
{
  g_autoptr (GPtrArray) all = walk_run_choices (folder, MOST_ENTRIES, g_get_monotonic_time ()
                                                + MOST_TIME_US);
  const Found *best = NULL;
  guint highest = 0;

  *path = NULL;
  *mixed = FALSE;
  keep_runs (all);
  for (guint i = 0; i < all->len; i++)
    {
      const Found *found = all->pdata[i];
      guint rank = rank_name (all, found, base);

      *mixed |= found->format != ((const Found *) all->pdata[0])->format;
      if (rank > highest)
        best = found;
      highest = MAX (highest, rank);
    }
  if (!*mixed || best == NULL)
    return NULL;
  *path = g_build_filename (folder, best->name, NULL);
  return best->format;
}

/* -- below ----------------------------------------------------------------- */

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

/* (transfer full) (nullable): what a folder holds; of parts of a run it says the same, for what
   is missing is said when it is opened */
static char *
what_is_in (const char *folder,
            gint64      late_us)
{
  g_autoptr (GPtrArray) all = walk_run_choices (folder, MOST_LOOKED_AT_BELOW, late_us);
  g_autoptr (GString) what = g_string_new (NULL);
  const KymoFormat *last = NULL;
  guint n = all->len;

  for (guint i = 0; i < n; i++)
    if (((Found *) all->pdata[i])->parts & KYMO_PART_DATA)
      n = 0;
  if (n == 0)
    keep_runs (all);
  for (guint i = 0; i < all->len; i++)
    {
      const Found *found = all->pdata[i];

      if (found->format != last)
        g_string_append_printf (what, "%s%s", last != NULL ? ", " : "", _(found->format->label));
      last = found->format;
    }
  return last != NULL ? g_strdup (what->str) : NULL;
}

/**
 * kymo_run_choices_below:
 * @folder: that is not one run
 *
 * Looks for a second at most, and not at all of very many entries.
 *
 * Returns: (transfer full) (element-type KymoRunChoice): the folders in it that seem to
 *   hold a run and are no part of one themselves, by name
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
      g_autofree char *what = NULL;

      if (g_file_test (inner, G_FILE_TEST_IS_DIR) && !is_part_of_run (folder, name))
        what = what_is_in (inner, late_us);
      if (what != NULL)
        add_choice (choices, name, what, folder, name);
    }
  g_ptr_array_sort (choices, compare_choices);
  return choices;
}

/**
 * kymo_run_choices_are_alike:
 * @choices: (element-type KymoRunChoice): at least one
 *
 * Returns: whether all are the same, such as traces of TAU
 */
gboolean
kymo_run_choices_are_alike (GPtrArray *choices)
{
  const KymoRunChoice *first = choices->pdata[0];

  for (guint i = 1; i < choices->len; i++)
    if (!g_str_equal (((const KymoRunChoice *) choices->pdata[i])->what, first->what))
      return FALSE;
  return TRUE;
}

/**
 * kymo_run_choices_words:
 * @choices: (element-type KymoRunChoice): runs to choose from
 * @most: number of runs that are named
 *
 * Returns: (transfer full): their names, "a, b, c"; with what they are, unless several are
 *   the same
 */
char *
kymo_run_choices_words (GPtrArray *choices,
                        guint      most)
{
  GString *words = g_string_new (NULL);
  gboolean named = choices->len == 1 || (choices->len > 1 && !kymo_run_choices_are_alike (choices));

  for (guint i = 0; i < MIN (choices->len, most); i++)
    {
      const KymoRunChoice *choice = choices->pdata[i];

      g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", choice->name);
      if (named)
        g_string_append_printf (words, " (%s)", choice->what);
    }
  if (choices->len > most)
    g_string_append (words, ", …");
  return g_string_free (words, FALSE);
}
