/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-open-stack.h"

#define FIRST_CAPACITY 64
/* Bytes of a key and its number in a table that is half full. */
#define BYTES_PER_COUNT 40

/** kymo_open_stack_clear: frees what it holds; it is empty then */
void
kymo_open_stack_clear (KymoOpenStack *stack)
{
  g_free (stack->activities);
  g_clear_pointer (&stack->counts, g_hash_table_unref);
  *stack = (KymoOpenStack) { 0 };
}

/** kymo_open_stack_make_room: for one more call at least */
void
kymo_open_stack_make_room (KymoOpenStack *stack)
{
  stack->capacity = MAX (stack->capacity * 2, FIRST_CAPACITY);
  stack->activities = g_renew (guint32, stack->activities, stack->capacity);
}

/**
 * kymo_open_stack_count:
 * @activity: a function
 * @change: 1 or -1: calls of the function below the innermost calls, which are searched one
 *   by one
 *
 * Counts calls that kymo_open_stack_contains() does not search.
 */
void
kymo_open_stack_count (KymoOpenStack *stack,
                       guint32        activity,
                       gint           change)
{
  gpointer key = GUINT_TO_POINTER (activity);
  guint n;

  if (stack->counts == NULL)
    stack->counts = g_hash_table_new (NULL, NULL);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (stack->counts, key)) + change;
  if (n > 0)
    g_hash_table_insert (stack->counts, key, GUINT_TO_POINTER (n));
  else
    g_hash_table_remove (stack->counts, key);
}

/**
 * kymo_open_stack_contains:
 * @activity: a function
 *
 * Returns: whether a call of the function is open, at whatever depth
 */
gboolean
kymo_open_stack_contains (const KymoOpenStack *stack,
                          guint32              activity)
{
  gsize n = MIN (stack->depth, KYMO_OPEN_STACK_SEARCHED);

  if (stack->depth > n && g_hash_table_contains (stack->counts, GUINT_TO_POINTER (activity)))
    return TRUE;
  for (gsize i = 0; i < n; i++)
    if (stack->activities[i] == activity)
      return TRUE;
  return FALSE;
}

/** kymo_open_stack_get_bytes: the memory it takes, about */
gsize
kymo_open_stack_get_bytes (const KymoOpenStack *stack)
{
  return stack->capacity * sizeof (guint32)
         + (stack->counts != NULL
            ? (gsize) g_hash_table_size (stack->counts) * BYTES_PER_COUNT : 0);
}
