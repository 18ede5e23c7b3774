/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The index at the end of what gprof prints: "   [2] a                       [3] leaf (a.c)". It
 * has the number that each function has in the call graph, and the files of static functions,
 * which alone tell two of one name apart.
 */
#include "config.h"

#include "kymo-gprof-index.h"

#include <string.h>

#include "kymo-text-lines.h"

/* A function of the index. */
typedef struct
{
  guint  number;
  char  *name;
  char  *file;                  /* "" = not told */
} Indexed;

/**
 * kymo_gprof_find_cycle:
 * @name: a name, perhaps with " <cycle 1>" behind it
 *
 * Returns: (nullable): where that begins
 */
const char *
kymo_gprof_find_cycle (const char *name,
                       const char *end)
{
  const char *cycle = memmem (name, end - name, " <cycle ", 8), *more;

  while (cycle != NULL && (more = memmem (cycle + 1, end - cycle - 1, " <cycle ", 8)))
    cycle = more;
  return cycle;
}

/* "   [2] a                       [3] leaf (a.c)": the next function of a line. FALSE at its
   end. */
static gboolean
next_indexed (KymoTextLine *line,
              Indexed      *indexed)
{
  const char *p, *begin, *end, *open = NULL, *cycle;

  kymo_text_skip_blanks (line);
  p = line->p + 1;
  if (line->end - line->p < 5 || (*line->p != '[' && *line->p != '('))
    return FALSE;
  for (indexed->number = 0; p < line->end && g_ascii_isdigit (*p); p++)
    indexed->number = indexed->number * 10 + (*p - '0');
  if (line->end - p < 3 || (*p != ']' && *p != ')') || p[1] != ' ')
    return FALSE;
  begin = end = p + 2;
  while (end < line->end && !(line->end - end > 4 && end[0] == ' ' && end[1] == ' '))
    end++;
  line->p = end;
  while (end > begin && end[-1] == ' ')
    end--;
  if (end > begin && end[-1] == ')')
    open = g_strrstr_len (begin, end - begin, " (");
  indexed->file = open != NULL && open[2] != '<' ? g_strndup (open + 2, end - 1 - (open + 2))
    : g_strdup ("");
  end = open != NULL ? open : end;
  cycle = kymo_gprof_find_cycle (begin, end);
  indexed->name = g_strndup (begin, (cycle != NULL ? cycle : end) - begin);
  return TRUE;
}

static void
indexed_clear (gpointer data)
{
  g_free (((Indexed *) data)->name);
  g_free (((Indexed *) data)->file);
}

/* Functions that share their name, by the number that the graph gives them. */
static void
tell_apart (const GArray *functions,
            GHashTable   *apart,
            GHashTable   *shared)
{
  g_autoptr (GHashTable) files = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < functions->len; i++)
    {
      const Indexed *function = &g_array_index (functions, Indexed, i);
      const char *file = g_hash_table_lookup (files, function->name);

      if (file == NULL)
        g_hash_table_insert (files, function->name, function->file);
      else if (strcmp (file, function->file) != 0)
        g_hash_table_add (shared, g_strdup (function->name));
    }
  for (guint i = 0; i < functions->len; i++)
    {
      const Indexed *function = &g_array_index (functions, Indexed, i);

      if (*function->file != '\0' && g_hash_table_contains (shared, function->name))
        g_hash_table_insert (apart, GUINT_TO_POINTER (function->number),
                             g_strdup_printf ("%s (%s)", function->name, function->file));
    }
}

/**
 * kymo_gprof_read_index:
 * @apart: gets names with their files, by number in the call graph: of functions that share their
 *   name with others and whose file the index tells. Owns its values
 * @shared: (element-type utf8): gets these names without the files. Owns its keys
 */
void
kymo_gprof_read_index (const char *text,
                       gsize       length,
                       GHashTable *apart,
                       GHashTable *shared)
{
  const char *at = g_strrstr_len (text, length, "\n" KYMO_GPROF_INDEX), *end = text + length;
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (Indexed));
  KymoTextLine line;
  Indexed indexed;

  if (at == NULL)
    return;
  at++;
  g_array_set_clear_func (functions, indexed_clear);
  kymo_text_next_line (&at, end, &line);
  while (kymo_text_next_line (&at, end, &line))
    while (next_indexed (&line, &indexed))
      g_array_append_val (functions, indexed);
  tell_apart (functions, apart, shared);
}
