/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much memory the program may take: the memory of the machine, or less where a
 * control group (a container, a batch system) gives less.
 */
#include "config.h"

#include "kymo-memory.h"

#include <string.h>
#include <unistd.h>

/* Deeper is no tree of groups but a mistake. */
#define MAX_DEPTH 64

/* A count of bytes in a file of one line; G_MAXINT64 where there is none, or
   where it says "max". Version 1 says a number near 2^63 for no limit. */
static gint64
read_limit (const char *folder,
            const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  guint64 value;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return G_MAXINT64;
  g_strchomp (text);
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &value, NULL))
    return G_MAXINT64;
  return MIN (value, G_MAXINT64);
}

/* The tightest limit from a group up to the top: each binds what is below. */
static gint64
climb (const char *top,
       const char *group,
       const char *name)
{
  g_autofree char *path = g_build_filename (top, group, NULL);
  gint64 limit = G_MAXINT64;

  for (guint i = 0; i < MAX_DEPTH && strlen (path) >= strlen (top); i++)
    {
      char *slash = strrchr (path, '/');

      limit = MIN (limit, read_limit (path, name));
      if (slash == NULL)
        break;
      *slash = '\0';
    }
  return limit;
}

/* /proc/self/cgroup has a line a hierarchy: "0::/group" is version 2,
   "4:memory:/group" version 1. In a container the group may be told as seen
   from outside; then the top of what is mounted stands for it. */
static gint64
limit_of_groups (const char *root)
{
  g_autofree char *list = g_build_filename (root, "proc/self/cgroup", NULL);
  g_autofree char *v2 = g_build_filename (root, "sys/fs/cgroup", NULL);
  g_autofree char *v1 = g_build_filename (v2, "memory", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gint64 limit = MIN (read_limit (v2, "memory.max"), read_limit (v1, "memory.limit_in_bytes"));

  if (!g_file_get_contents (list, &text, NULL, NULL))
    return limit;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ":", 3);

      if (g_strv_length (fields) < 3 || strstr (fields[2], "..") != NULL)
        continue;
      if (fields[1][0] == '\0')
        limit = MIN (limit, climb (v2, fields[2], "memory.max"));
      else if (strcmp (fields[1], "memory") == 0)
        limit = MIN (limit, climb (v1, fields[2], "memory.limit_in_bytes"));
    }
  return limit;
}

/**
 * kymo_memory_get_total:
 * @root: "/"; tests give a tree of their own
 *
 * Returns: bytes of memory the process may have at most: the machine's, or
 * the least that the control groups above it leave
 */
gint64
kymo_memory_get_total (const char *root)
{
  gint64 pages = sysconf (_SC_PHYS_PAGES), page_bytes = sysconf (_SC_PAGESIZE);
  gint64 total;

  if (pages <= 0 || page_bytes <= 0 || __builtin_mul_overflow (pages, page_bytes, &total))
    total = G_MAXINT64;
  return MIN (total, limit_of_groups (root));
}

/**
 * kymo_memory_get_limit:
 *
 * Returns: default limit of bytes of a run: three
 * quarters of kymo_memory_get_total()
 */
gint64
kymo_memory_get_limit (void)
{
  return kymo_memory_get_total ("/") / 4 * 3;
}

/**
 * kymo_array_steal_fitted:
 * @array: (transfer full): the only reference
 *
 * Returns: (transfer full): the elements, in no more memory than they take; free with g_free()
 */
gpointer
kymo_array_steal_fitted (GArray *array)
{
  gsize bytes = (gsize) array->len * g_array_get_element_size (array);

  return g_realloc (g_array_free (array, FALSE), MAX (bytes, 1));
}
