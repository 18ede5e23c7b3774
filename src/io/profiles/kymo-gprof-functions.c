/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-gprof-functions.h"

/* The flat profile and the graph round seconds to hundredths each. */
#define ROUNDING_US 10000.0

/* Functions of one name in the text. */
typedef struct
{
  GPtrArray *rows;              /* KymoGprofFunction: of the flat profile */
  GPtrArray *nodes;             /* KymoGprofFunction: of the graph */
} Alike;

static void
function_free (gpointer data)
{
  KymoGprofFunction *function = data;

  g_free (function->plain);
  g_free (function->name);
  g_free (function);
}

static void
alike_free (gpointer data)
{
  Alike *alike = data;

  g_ptr_array_unref (alike->rows);
  g_ptr_array_unref (alike->nodes);
  g_free (alike);
}

static Alike *
find_alike (KymoGprofFunctions *functions,
            const char         *name)
{
  Alike *alike = g_hash_table_lookup (functions->alike, name);

  if (alike != NULL)
    return alike;
  alike = g_new0 (Alike, 1);
  alike->rows = g_ptr_array_new ();
  alike->nodes = g_ptr_array_new ();
  g_hash_table_insert (functions->alike, g_strdup (name), alike);
  return alike;
}

static KymoGprofFunction *
add_function (KymoGprofFunctions *functions,
              GPtrArray          *of_name,
              const char         *name,
              guint               number)
{
  KymoGprofFunction *function = g_new0 (KymoGprofFunction, 1);

  function->plain = g_strdup (name);
  function->number = number;
  g_ptr_array_add (functions->all, function);
  g_ptr_array_add (of_name, function);
  return function;
}

/* The one row and the one node of a name are the same function: the row has its own time, the
   graph all else. */
static void
join_gprof_functions (KymoGprofFunction *row,
                      KymoGprofFunction *node)
{
  node->row = row;
  row->number = node->number;
  row->subroutines = node->subroutines;
  row->in_graph = node->in_graph;
  if (!node->in_graph)
    return;
  row->calls_in_flat = row->calls;
  row->calls = node->calls;
  row->total_us = node->total_us;
}

static char *
with_file (const KymoGprofFunction *function,
           const KymoGprofIndex    *index)
{
  const char *file = index != NULL ? kymo_gprof_index_peek_file (index, function->number) : NULL;

  return file != NULL ? g_strdup_printf ("%s (%s)", function->plain, file)
    : g_strdup (function->plain);
}

static char *
with_number (const KymoGprofFunction *function,
             const char              *name)
{
  return g_strdup_printf ("%s [%u]", name, function->number);
}

/* Names functions that are called the same: with @index the file beside the name where it has
   that, and the number where this does not tell them apart. */
static void
name_apart (GPtrArray            *functions,
            const KymoGprofIndex *index)
{
  g_autoptr (GHashTable) seen = NULL;

  for (guint i = 0; i < functions->len; i++)
    {
      KymoGprofFunction *f = functions->pdata[i];

      f->name = with_file (f, index);
    }
  if (functions->len == 1)
    return;
  seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < functions->len; i++)
    {
      const KymoGprofFunction *f = functions->pdata[i];
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (seen, f->name));

      g_hash_table_insert (seen, g_strdup (f->name), GUINT_TO_POINTER (n + 1));
    }
  for (guint i = 0; i < functions->len; i++)
    {
      KymoGprofFunction *f = functions->pdata[i];
      g_autofree char *name = f->name;

      f->name = GPOINTER_TO_UINT (g_hash_table_lookup (seen, name)) > 1 ? with_number (f, name)
        : g_steal_pointer (&name);
    }
}

/* Rows of a name that several functions share do not say which node of the graph each is. What
   the nodes have is not counted again; a rest beyond what rounding leaves has the name alone. */
static void
keep_rest (const Alike *alike,
           const char  *name)
{
  KymoGprofFunction *rest = alike->rows->pdata[0], *plain = NULL;

  for (guint i = 1; i < alike->rows->len; i++)
    {
      const KymoGprofFunction *row = alike->rows->pdata[i];

      rest->self_us += row->self_us;
      rest->calls += row->calls;
    }
  for (guint i = 0; i < alike->nodes->len; i++)
    {
      KymoGprofFunction *node = alike->nodes->pdata[i];

      rest->self_us -= node->self_us;
      rest->calls -= node->calls;
      if (g_str_equal (node->name, name))
        plain = node;
    }
  rest->calls = MAX (rest->calls, 0);
  rest->total_us = rest->self_us;
  if (rest->self_us <= ROUNDING_US * alike->nodes->len)
    return;
  rest->name = g_strdup (name);
  if (plain == NULL)
    return;
  g_free (plain->name);
  plain->name = with_number (plain, name);
}

static void
settle_alike (const KymoGprofFunctions *functions,
              const Alike              *alike,
              const char               *name)
{
  gboolean shared = alike->rows->len > 1 || alike->nodes->len > 1
    || kymo_gprof_index_is_shared (functions->index, name);

  if (alike->nodes->len == 0)
    name_apart (alike->rows, NULL);
  else if (shared)
    name_apart (alike->nodes, functions->index);
  else if (alike->rows->len == 0)
    name_apart (alike->nodes, NULL);
  else
    {
      join_gprof_functions (alike->rows->pdata[0], alike->nodes->pdata[0]);
      name_apart (alike->rows, NULL);
    }
  if (shared && alike->nodes->len > 0 && alike->rows->len > 0)
    keep_rest (alike, name);
}

/**
 * kymo_gprof_functions_settle:
 * @functions: with all that the text has
 *
 * Joins rows and nodes that are the same, and gives each function its name.
 */
void
kymo_gprof_functions_settle (KymoGprofFunctions *functions)
{
  GHashTableIter iter;
  gpointer name, alike;

  g_hash_table_iter_init (&iter, functions->alike);
  while (g_hash_table_iter_next (&iter, &name, &alike))
    settle_alike (functions, alike, name);
}

/** kymo_gprof_function_peek_name: Returns: (nullable): its name, or that of its row */
const char *
kymo_gprof_function_peek_name (const KymoGprofFunction *function)
{
  return function->row != NULL ? function->row->name : function->name;
}

/* Number of lines that begin with a word. */
static guint
count_headings (const char *text,
                gsize       length,
                const char *word)
{
  const char *at = text, *end = text + length;
  KymoTextLine line;
  guint n = 0;

  while (kymo_text_next_line (&at, end, &line))
    {
      kymo_text_skip_blanks (&line);
      n += kymo_text_begins (&line, word);
    }
  return n;
}

/**
 * kymo_gprof_functions_new:
 * @text: that the functions are of; only its index and its headings are looked at
 * @length: of @text, in bytes
 *
 * Returns: (transfer full): an empty list of functions; free with kymo_gprof_functions_free()
 */
KymoGprofFunctions *
kymo_gprof_functions_new (const char *text,
                          gsize       length)
{
  KymoGprofFunctions *functions = g_new0 (KymoGprofFunctions, 1);

  functions->all = g_ptr_array_new_with_free_func (function_free);
  functions->alike = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, alike_free);
  functions->nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  functions->of_many = count_headings (text, length, KYMO_GPROF_FLAT) > 1
    || count_headings (text, length, KYMO_GPROF_GRAPH) > 1;
  functions->index = kymo_gprof_index_new (text, functions->of_many ? 0 : length);
  return functions;
}

/**
 * kymo_gprof_functions_free:
 *
 * Frees the functions and the index.
 */
void
kymo_gprof_functions_free (KymoGprofFunctions *functions)
{
  g_ptr_array_unref (functions->all);
  g_hash_table_unref (functions->alike);
  g_hash_table_unref (functions->nodes);
  kymo_gprof_index_free (functions->index);
  g_free (functions);
}

/**
 * kymo_gprof_functions_find_row:
 * @name: in a row of the flat profile
 *
 * Returns: (transfer none): the function of that row: a new one, but for texts one after the other
 */
KymoGprofFunction *
kymo_gprof_functions_find_row (KymoGprofFunctions *functions,
                               const char         *name)
{
  Alike *alike = find_alike (functions, name);

  if (functions->of_many && alike->rows->len > 0)
    return alike->rows->pdata[0];
  return add_function (functions, alike->rows, name, functions->all->len + 1);
}

/**
 * kymo_gprof_functions_find_node:
 * @name: in a line of the graph
 * @number: behind it; 0 = none
 *
 * Returns: (transfer none): the function of that line, made where it is the first
 */
KymoGprofFunction *
kymo_gprof_functions_find_node (KymoGprofFunctions *functions,
                                const char         *name,
                                guint               number)
{
  g_autofree char *key = number > 0 && !functions->of_many ? g_strdup_printf ("[%u]", number)
    : g_strdup (name);
  KymoGprofFunction *function = g_hash_table_lookup (functions->nodes, key);

  if (function == NULL)
    {
      function = add_function (functions, find_alike (functions, name)->nodes, name, number);
      g_hash_table_insert (functions->nodes, g_steal_pointer (&key), function);
    }
  return function;
}
