/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in a text with commas between them. Where names themselves have commas, semicolons behind
 * each tell them apart: "CPU time, user;".
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * kymo_is_listed:
 * @list: names with commas, and any blanks, between them, or with semicolons
 * @name: a name
 *
 * In a list without semicolons a name is also found as the begin of a longer one up to a comma.
 *
 * Returns: whether @name stands in @list as a whole
 */
static inline gboolean
kymo_is_listed (const char *list,
                const char *name)
{
  const char mark = strchr (list, ';') != NULL ? ';' : ',';
  gsize n = strlen (name);

  for (const char *at = list; n > 0 && (at = strstr (at, name)) != NULL; at++)
    {
      const char *before = at, *behind = at + n;

      while (before > list && before[-1] == ' ')
        before--;
      while (*behind == ' ')
        behind++;
      if ((before == list || before[-1] == mark) && (*behind == '\0' || *behind == mark))
        return TRUE;
    }
  return FALSE;
}

G_END_DECLS
