/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-allocation.h"

#include <string.h>

#include "kymo-input.h"

#define MOST_HOSTS 16384
#define MOST_BYTES (4 << 20)

static void
add_host (GPtrArray  *hosts,
          const char *name)
{
  if (*name != '\0' && hosts->len < MOST_HOSTS
      && !g_ptr_array_find_with_equal_func (hosts, name, g_str_equal, NULL))
    g_ptr_array_add (hosts, g_strdup (name));
}

/* "07-10" or "3": numbers keep the width of the first. */
static gboolean
add_range (GPtrArray  *hosts,
           const char *before,
           const char *range,
           const char *after)
{
  g_auto (GStrv) ends = g_strsplit (range, "-", 2);
  const char *last = ends[0] != NULL && ends[1] != NULL ? ends[1] : ends[0];
  guint64 begin, end;

  if (last == NULL || !g_ascii_string_to_unsigned (ends[0], 10, 0, G_MAXINT32, &begin, NULL)
      || !g_ascii_string_to_unsigned (last, 10, begin, G_MAXINT32, &end, NULL)
      || end - begin >= MOST_HOSTS || strlen (ends[0]) > 10)
    return FALSE;
  for (guint64 i = begin; i <= end; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s%0*" G_GUINT64_FORMAT "%s", before,
                                               (int) strlen (ends[0]), i, after);

      if (hosts->len >= MOST_HOSTS || !kymo_allocation_add_list (hosts, name))
        return FALSE;
    }
  return TRUE;
}

/* A name, in which the first brackets hold numbers; what follows may have others. */
static gboolean
add_pattern (GPtrArray  *hosts,
             const char *pattern)
{
  const char *open = strchr (pattern, '['), *close = open != NULL ? strchr (open, ']') : NULL;
  g_autofree char *before = NULL, *inside = NULL;
  g_auto (GStrv) ranges = NULL;

  if (open == NULL)
    {
      add_host (hosts, pattern);
      return strchr (pattern, ']') == NULL;
    }
  if (close == NULL)
    return FALSE;
  before = g_strndup (pattern, open - pattern);
  inside = g_strndup (open + 1, close - open - 1);
  ranges = g_strsplit (inside, ",", -1);
  for (guint i = 0; ranges[i] != NULL; i++)
    if (!add_range (hosts, before, ranges[i], close + 1))
      return FALSE;
  return TRUE;
}

/**
 * kymo_allocation_add_list:
 * @hosts: (element-type utf8): gets the names, each once
 * @list: names as Slurm writes them: "login,node[01-03,7]"
 *
 * Returns: FALSE where the list has another form, or too many names
 */
gboolean
kymo_allocation_add_list (GPtrArray  *hosts,
                          const char *list)
{
  const char *begin = list;
  guint depth = 0;

  for (const char *at = list;; at++)
    {
      if (*at == '[')
        depth++;
      else if (*at == ']' && depth > 0)
        depth--;
      if (*at == '\0' || (*at == ',' && depth == 0))
        {
          g_autofree char *pattern = g_strndup (begin, at - begin);

          if (!add_pattern (hosts, pattern))
            return FALSE;
          begin = at + 1;
        }
      if (*at == '\0')
        return TRUE;
    }
}

static void
add_words (GPtrArray  *hosts,
           const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n\t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    add_host (hosts, words[i]);
}

/**
 * kymo_allocation_dup_hosts:
 *
 * Returns: (transfer full) (nullable) (element-type utf8): the hosts of the job, in its order;
 *   %NULL outside of jobs
 */
GPtrArray *
kymo_allocation_dup_hosts (void)
{
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
  const char *list = g_getenv ("SLURM_JOB_NODELIST"), *file = g_getenv ("PBS_NODEFILE");
  const char *words = g_getenv ("LSB_HOSTS");
  g_autofree char *text = NULL;
  gsize length;

  if (list != NULL && *list != '\0')
    {
      if (!kymo_allocation_add_list (hosts, list))
        g_ptr_array_set_size (hosts, 0);
    }
  else if (file != NULL && *file != '\0')
    {
      if (kymo_input_load (file, MOST_BYTES, &text, &length, NULL))
        add_words (hosts, text);
    }
  else if (words != NULL && *words != '\0')
    add_words (hosts, words);
  else
    return NULL;
  return g_steal_pointer (&hosts);
}

/**
 * kymo_allocation_find:
 * @hosts: (element-type utf8): of a job
 * @name: of a host, with its domain or without
 *
 * Returns: (transfer none) (nullable): the host, as the job writes it
 */
const char *
kymo_allocation_find (GPtrArray  *hosts,
                      const char *name)
{
  gsize length = strcspn (name, ".");

  for (guint i = 0; i < hosts->len; i++)
    {
      const char *host = hosts->pdata[i];

      if (strcspn (host, ".") == length && g_ascii_strncasecmp (host, name, length) == 0
          && length > 0)
        return host;
    }
  return NULL;
}
