/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is in order: comparing by several keys, and finding by halves. Two are macros, because
 * keys have many types and a test that is called would slow a search among records down.
 */
#pragma once

#include <glib.h>
#include <string.h>

/**
 * KYMO_ORDER_BY:
 * @a: a key of the first thing
 * @b: the same key of the second one
 *
 * A statement of a function for g_array_sort() or qsort(): returns -1 from the function if @a is
 * less than @b, 1 if it is more, and goes on to the next key if they are equal. With @a and @b
 * exchanged the largest comes first.
 */
#define KYMO_ORDER_BY(a, b)                                                    \
  G_STMT_START                                                                 \
    {                                                                          \
      if ((a) != (b))                                                          \
        return (a) < (b) ? -1 : 1;                                             \
    }                                                                          \
  G_STMT_END

/**
 * kymo_compare_ints:
 * @a: (type gint64): a number, id or time, or a struct that begins with one
 * @b: (type gint64): another one
 *
 * Compares two numbers, for qsort() and g_array_sort().
 *
 * Returns: less than 0, 0 or more than 0 if @a is less than @b, the same or more
 */
static inline int
kymo_compare_ints (gconstpointer a,
                   gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

/** kymo_compare_uints: the same of two numbers of 32 bits without a sign, or indices */
static inline int
kymo_compare_uints (gconstpointer a,
                    gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

/**
 * kymo_compare_strings:
 * @a: the address of a string
 * @b: the address of another one
 *
 * Compares two strings by their bytes, for g_ptr_array_sort() and qsort().
 *
 * Returns: less than 0, 0 or more than 0 if @a is less than @b, the same or more
 */
static inline int
kymo_compare_strings (gconstpointer a,
                      gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * KYMO_FIND_FIRST:
 * @i: a name for an index, which @is_behind knows
 * @begin: the first index
 * @end: one past the last index
 * @is_behind: an expression of @i: %FALSE for the things up to some place in the order, %TRUE
 *   for all behind it
 *
 * Returns: the first index of which @is_behind is %TRUE, else @end. If @end lies before @begin
 *   it is @begin, so that one less is the last index of which @is_behind is %FALSE.
 */
#define KYMO_FIND_FIRST(i, begin, end, is_behind)                              \
  ({                                                                           \
    __typeof__ ((begin) + (end)) low_ = (begin), high_ = (end);                \
                                                                               \
    while (low_ < high_)                                                       \
      {                                                                        \
        __typeof__ (low_ + high_) i = low_ + (high_ - low_) / 2;               \
                                                                               \
        if (is_behind)                                                         \
          high_ = i;                                                           \
        else                                                                   \
          low_ = i + 1;                                                        \
      }                                                                        \
    low_;                                                                      \
  })
