/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where functions are defined, and names that tell functions of one name apart. Every list,
 * legend and answer shows the display name, so it is completed here, once for all formats.
 */
#include "config.h"

#include <string.h>

#include "kymo-name.h"
#include "kymo-run.h"

/**
 * kymo_run_set_source:
 * @file: source file that defines the activity; "" = not known
 * @line: first line; 0 = not known
 */
void
kymo_run_set_source (KymoRun    *run,
                     guint       activity,
                     const char *file,
                     guint32     line)
{
  KymoActivity *its = &g_array_index (run->activities, KymoActivity, activity);

  g_free (its->file);
  its->file = kymo_name_dup (file, -1);
  its->line = *file != '\0' ? line : 0;
}

static const char *
base_of (const KymoActivity *activity)
{
  const char *slash = strrchr (activity->file, '/');

  return slash != NULL ? slash + 1 : activity->file;
}

static int
compare_run_names (gconstpointer a,
                   gconstpointer b)
{
  const KymoActivity *x = *(const KymoActivity *const *) a, *y = *(const KymoActivity *const *) b;
  int order = strcmp (x->name, y->name);

  if (order == 0)
    order = strcmp (base_of (x), base_of (y));
  if (order == 0)
    order = strcmp (x->file, y->file);
  if (order == 0)
    order = x->line < y->line ? -1 : x->line > y->line;
  return order;
}

/* " (a.c)"; the path where two files are called so, the line where the file has two. */
static char *
dup_place (const KymoActivity *activity,
           gboolean            with_path,
           gboolean            with_line)
{
  const char *file = with_path ? activity->file : base_of (activity);

  return with_line && activity->line > 0 ? g_strdup_printf (" (%s:%u)", file, activity->line)
    : g_strdup_printf (" (%s)", file);
}

static void
append_run_names (char       **name,
                  const char  *place)
{
  g_autofree char *old = *name;
  g_autofree char *with = g_strconcat (old, place, NULL);

  *name = kymo_name_dup (with, -1);
}

/* Gives each activity of a group its place in the source, as short as tells them apart. All have
   the same name and the same base name of the file, sorted by path and line. */
static void
tell_group (KymoActivity **group,
            guint          n,
            char         **places)
{
  gboolean with_path = strcmp (group[0]->file, group[n - 1]->file) != 0;

  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && strcmp (group[end]->file, group[first]->file) == 0; end++)
        ;
      for (guint i = first; i < end; i++)
        places[i] = dup_place (group[i], with_path, group[first]->line != group[end - 1]->line);
    }
}

/* Adds places to the names of a group of activities of the same name, sorted. Names stay as they
   are until all places are known. */
static void
tell_name (KymoActivity **group,
           guint          n)
{
  g_autofree char **places = g_new0 (char *, n);

  if (strcmp (group[0]->file, group[n - 1]->file) == 0 && group[0]->line == group[n - 1]->line)
    return;
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && strcmp (base_of (group[end]), base_of (group[first])) == 0;
           end++)
        ;
      if (*group[first]->file != '\0')
        tell_group (group + first, end - first, places + first);
    }
  for (guint i = 0; i < n; i++)
    if (places[i] != NULL)
      {
        append_run_names (&group[i]->name, places[i]);
        append_run_names (&group[i]->signature, places[i]);
        g_free (places[i]);
      }
}

/**
 * kymo_run_tell_names_apart:
 * @run: with all its activities and their source files, not sealed yet
 *
 * Adds to names of functions that are displayed the same the source file of each, where it is
 * known, and the line where one file has several. Other names stay as they are.
 */
void
kymo_run_tell_names_apart (KymoRun *run)
{
  g_autoptr (GPtrArray) functions = g_ptr_array_new ();
  KymoActivity **all;

  for (guint i = 0; i < run->activities->len; i++)
    {
      KymoActivity *activity = &g_array_index (run->activities, KymoActivity, i);

      if (activity->kind == KYMO_ACTIVITY_FUNCTION)
        g_ptr_array_add (functions, activity);
    }
  g_ptr_array_sort (functions, compare_run_names);
  all = (KymoActivity **) functions->pdata;
  for (guint first = 0, end; first < functions->len; first = end)
    {
      for (end = first + 1;
           end < functions->len && strcmp (all[end]->name, all[first]->name) == 0; end++)
        ;
      if (end - first > 1)
        tell_name (all + first, end - first);
    }
}
