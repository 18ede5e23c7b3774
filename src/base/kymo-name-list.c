/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-name-list.h"

#define DIVIDER ';'
#define ESCAPE '\\'

/**
 * kymo_name_list_join:
 * @names: %NULL terminated
 *
 * Returns: (transfer full): a text that kymo_name_list_split() takes apart again
 */
char *
kymo_name_list_join (const char *const *names)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (list, DIVIDER);
      for (const char *c = names[i]; *c != '\0'; c++)
        {
          if (*c == DIVIDER || *c == ESCAPE)
            g_string_append_c (list, ESCAPE);
          g_string_append_c (list, *c);
        }
    }
  return g_string_free (list, FALSE);
}

static void
take_name_list (GPtrArray *names,
                GString   *name)
{
  if (name->len > 0)
    g_ptr_array_add (names, g_strndup (name->str, name->len));
  g_string_truncate (name, 0);
}

/**
 * kymo_name_list_split:
 * @list: (nullable): names divided by semicolons; %NULL is an empty one
 *
 * Returns: (transfer full): the names, %NULL terminated; what is empty is none
 */
char **
kymo_name_list_split (const char *list)
{
  g_autoptr (GString) name = g_string_new (NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (const char *c = list != NULL ? list : ""; *c != '\0'; c++)
    {
      if (*c == DIVIDER)
        {
          take_name_list (names, name);
          continue;
        }
      if (*c == ESCAPE && (c[1] == DIVIDER || c[1] == ESCAPE))
        c++;
      g_string_append_c (name, *c);
    }
  take_name_list (names, name);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}
