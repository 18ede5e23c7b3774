/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack of open calls against the plain search that it stands for, and its cost.
 */
#include "config.h"

#include <glib.h>

#include "kymo-open-stack.h"

#define N_ACTIVITIES 12
#define N_STEPS 60000

static gboolean
search (GArray  *twin,
        guint32  activity)
{
  for (guint i = 0; i < twin->len; i++)
    if (g_array_index (twin, guint32, i) == activity)
      return TRUE;
  return FALSE;
}

static void
step (KymoOpenStack *stack,
      GArray        *twin,
      GRand         *random,
      gboolean       in)
{
  guint32 activity = g_rand_int_range (random, 0, N_ACTIVITIES);

  /* Some functions are met at some depths alone. */
  if (stack->depth > 200)
    activity += stack->depth / 100;
  if (in)
    {
      kymo_open_stack_push (stack, activity);
      g_array_append_val (twin, activity);
    }
  else if (twin->len > 0)
    {
      g_assert_cmpuint (kymo_open_stack_innermost (stack), ==,
                        g_array_index (twin, guint32, twin->len - 1));
      kymo_open_stack_pop (stack);
      g_array_set_size (twin, twin->len - 1);
    }
}

/* Up and down over the depth from which calls are counted. */
static void
test_twin (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (GArray) twin = g_array_new (FALSE, FALSE, sizeof (guint32));
  KymoOpenStack stack = { 0 };

  for (guint i = 0; i < N_STEPS; i++)
    {
      guint32 asked = g_rand_int_range (random, 0, N_ACTIVITIES + 20);

      step (&stack, twin, random, g_rand_int_range (random, 0, 100) < (i / 3000 % 2 ? 40 : 60));
      g_assert_cmpuint (stack.depth, ==, twin->len);
      g_assert_cmpint (kymo_open_stack_contains (&stack, asked), ==, search (twin, asked));
      g_assert_cmpint (kymo_open_stack_is_innermost (&stack, asked), ==, twin->len > 0
                       && g_array_index (twin, guint32, twin->len - 1) == asked);
    }
  g_assert_cmpuint (kymo_open_stack_get_bytes (&stack), >=, twin->len * sizeof (guint32));
  kymo_open_stack_clear (&stack);
  g_assert_cmpuint (stack.depth, ==, 0);
  g_assert_false (kymo_open_stack_contains (&stack, 0));
  g_assert_cmpuint (kymo_open_stack_innermost (&stack), ==, G_MAXUINT32);
}

/* A walk over all open calls for each question would be 10^12 steps: days. */
static void
test_linear (void)
{
  const guint n = 1000000;
  KymoOpenStack stack = { 0 };

  for (guint i = 0; i < n; i++)
    kymo_open_stack_push (&stack, 1);
  for (guint i = 0; i < n; i++)
    g_assert_false (kymo_open_stack_contains (&stack, 2));
  while (stack.depth > 0)
    kymo_open_stack_pop (&stack);
  g_assert_false (kymo_open_stack_contains (&stack, 1));
  kymo_open_stack_clear (&stack);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/open-stack/twin", test_twin);
  g_test_add_func ("/open-stack/linear", test_linear);
  return g_test_run ();
}
