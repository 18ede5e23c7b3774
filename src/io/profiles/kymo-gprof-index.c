/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which function a line means. The call graph has a number behind each name; the index at the
 * end, "   [2] a                       [3] leaf (a.c)", these numbers and the files of static
 * functions.
 */
#include "config.h"

#include "kymo-gprof-index.h"

#include <string.h>

/* A function of the index. */
typedef struct
{
  guint  number;
  char  *name;
  char  *file;                  /* NULL = not told */
} Indexed;

/* "name <cycle 1>": where the cycle begins, or NULL. */
static const char *
find_cycle (const char *name,
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
    : NULL;
  end = open != NULL ? open : end;
  cycle = find_cycle (begin, end);
  indexed->name = g_strndup (begin, (cycle != NULL ? cycle : end) - begin);
  return TRUE;
}

/* "40/40", "1+1972" or "7": calls of an arc, or of a function with its recursive ones. */
static gboolean
scan_called (const KymoTextLine *word,
             double             *calls)
{
  double numbers[2] = { 0, 0 };
  const char *p = word->p;
  char between = 0;

  for (guint i = 0; i < 2; i++)
    {
      if (p >= word->end || !g_ascii_isdigit (*p))
        return FALSE;
      while (p < word->end && g_ascii_isdigit (*p))
        numbers[i] = numbers[i] * 10 + (*p++ - '0');
      if (p == word->end)
        break;
      if (i == 1 || (*p != '/' && *p != '+'))
        return FALSE;
      between = *p++;
    }
  *calls = between == '+' ? numbers[0] + numbers[1] : numbers[0];
  return p == word->end;
}

/* " [4]", or " (4)" of a function without an entry, at the end of a line is cut off. 0 = there is
   none. */
static guint
cut_number (KymoTextLine *line)
{
  const char *p = line->end - 1;
  guint64 number;

  if (line->end - line->p < 4 || (*p != ']' && *p != ')'))
    return 0;
  while (p > line->p && g_ascii_isdigit (p[-1]))
    p--;
  if (p == line->end - 1 || p - 2 <= line->p || (p[-1] != '[' && p[-1] != '(') || p[-2] != ' ')
    return 0;
  number = g_ascii_strtoull (p, NULL, 10);
  line->end = p - 2;
  return number <= G_MAXINT32 ? number : 0;
}

/* The name behind the numbers of a line of the graph, without " <cycle 1>" and " [4]" behind it.
   NULL where there is no name, or the line is about a whole cycle. */
static char *
dup_name (KymoTextLine  line,
          guint        *number)
{
  kymo_text_skip_blanks (&line);
  *number = cut_number (&line);
  if (line.end > line.p && line.end[-1] == '>')
    {
      const char *cycle = find_cycle (line.p, line.end);

      if (cycle != NULL)
        line.end = cycle;
    }
  if (line.p >= line.end || kymo_text_begins (&line, "<cycle ")
      || kymo_text_begins (&line, "<spontaneous>"))
    return NULL;
  return g_strndup (line.p, line.end - line.p);
}

/**
 * kymo_gprof_scan_line:
 * @line: of the graph, without what stands before the times of a function
 * @told: (out): its figures; 0 = not told
 *
 * Returns: (transfer full) (nullable): the name of the function; %NULL where there is none, or
 *   it is a cycle as a whole
 */
char *
kymo_gprof_scan_line (KymoTextLine   line,
                      KymoGprofLine *told)
{
  double times[2] = { 0, 0 };
  guint n = 0;

  *told = (KymoGprofLine) { 0 };
  for (;;)
    {
      KymoTextLine rest = line, word = kymo_text_next_word (&rest);
      double value;

      if (memchr (word.p, '.', word.end - word.p) != NULL && n < 2
          && kymo_text_number (&word, &value))
        times[n++] = value;
      else if (scan_called (&word, &told->calls))
        {
          line = rest;
          break;
        }
      else
        break;
      line = rest;
    }
  told->self = times[0];
  told->children = times[1];
  return dup_name (line, &told->number);
}

struct _KymoGprofIndex
{
  GHashTable *files;            /* number -> file */
  GHashTable *numbers;          /* name -> number; 0 = several */
};

/**
 * kymo_gprof_index_new:
 * @text: of gprof
 * @length: of @text, in bytes
 *
 * Returns: (transfer full): the numbers and files that the index at the end of the text
 *   tells, if there is one; free with kymo_gprof_index_free()
 */
KymoGprofIndex *
kymo_gprof_index_new (const char *text,
                      gsize       length)
{
  KymoGprofIndex *index = g_new (KymoGprofIndex, 1);
  const char *at = g_strrstr_len (text, length, "\n" KYMO_GPROF_INDEX), *end = text + length;
  KymoTextLine line;
  Indexed indexed;

  index->files = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  index->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (at == NULL)
    return index;
  at++;
  kymo_text_next_line (&at, end, &line);
  while (kymo_text_next_line (&at, end, &line))
    while (next_indexed (&line, &indexed))
      {
        gboolean again = g_hash_table_contains (index->numbers, indexed.name);

        if (indexed.file != NULL)
          g_hash_table_insert (index->files, GUINT_TO_POINTER (indexed.number), indexed.file);
        g_hash_table_insert (index->numbers, indexed.name,
                             GUINT_TO_POINTER (again ? 0 : indexed.number));
      }
  return index;
}

/**
 * kymo_gprof_index_free:
 *
 * Frees the index with the names of files in it.
 */
void
kymo_gprof_index_free (KymoGprofIndex *index)
{
  g_hash_table_unref (index->files);
  g_hash_table_unref (index->numbers);
  g_free (index);
}

/**
 * kymo_gprof_index_peek_file:
 * @number: of a function in the graph
 *
 * Returns: (nullable): the file that it is in, which only static functions have
 */
const char *
kymo_gprof_index_peek_file (const KymoGprofIndex *index,
                            guint                 number)
{
  return g_hash_table_lookup (index->files, GUINT_TO_POINTER (number));
}

/**
 * kymo_gprof_index_is_shared:
 *
 * Returns: whether several functions have this name
 */
gboolean
kymo_gprof_index_is_shared (const KymoGprofIndex *index,
                            const char           *name)
{
  gpointer number;

  return g_hash_table_lookup_extended (index->numbers, name, NULL, &number) && number == NULL;
}
