/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of one thread that are open while its records are read. Whether a function is
 * open is told without a walk over all of them, so that a leave that fits nothing costs
 * the same however deep the calls are: of n records in any order all steps together are
 * linear in n, and so is the memory.
 *
 * Used by one thread at a time; zeroed memory is an empty stack.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Number of the outermost calls that are searched one by one. For deeper calls a table counts how
   often each function is open; programs that nest deeper are rare. */
#define KYMO_OPEN_STACK_SEARCHED 256

/**
 * KymoOpenStack:
 * @activities: of the open calls, outermost first
 * @counts: (nullable): of the calls behind the first ones: activity -> how many
 */
typedef struct
{
  guint32    *activities;
  gsize       depth, capacity;
  GHashTable *counts;
} KymoOpenStack;

void     kymo_open_stack_clear     (KymoOpenStack       *stack);
void     kymo_open_stack_make_room (KymoOpenStack       *stack);
void     kymo_open_stack_count     (KymoOpenStack       *stack,
                                    guint32              activity,
                                    gint                 change);
gboolean kymo_open_stack_contains  (const KymoOpenStack *stack,
                                    guint32              activity);
gsize    kymo_open_stack_get_bytes (const KymoOpenStack *stack);

/**
 * kymo_open_stack_push:
 * @activity: a function of which a call begins
 *
 * Puts the call on top of the stack, where it is the innermost.
 */
static inline void
kymo_open_stack_push (KymoOpenStack *stack,
                      guint32        activity)
{
  if (G_UNLIKELY (stack->depth == stack->capacity))
    kymo_open_stack_make_room (stack);
  if (G_UNLIKELY (stack->depth >= KYMO_OPEN_STACK_SEARCHED))
    kymo_open_stack_count (stack, activity, 1);
  stack->activities[stack->depth++] = activity;
}

/** kymo_open_stack_pop: the innermost call has ended; there must be one */
static inline void
kymo_open_stack_pop (KymoOpenStack *stack)
{
  stack->depth--;
  if (G_UNLIKELY (stack->depth >= KYMO_OPEN_STACK_SEARCHED))
    kymo_open_stack_count (stack, stack->activities[stack->depth], -1);
}

/** kymo_open_stack_innermost: the activity of the innermost call, or %G_MAXUINT32 */
static inline guint32
kymo_open_stack_innermost (const KymoOpenStack *stack)
{
  return stack->depth > 0 ? stack->activities[stack->depth - 1] : G_MAXUINT32;
}

/**
 * kymo_open_stack_is_innermost:
 * @activity: a function
 *
 * Returns: whether the innermost open call is of this function
 */
static inline gboolean
kymo_open_stack_is_innermost (const KymoOpenStack *stack,
                              guint32              activity)
{
  return stack->depth > 0 && stack->activities[stack->depth - 1] == activity;
}

G_END_DECLS
