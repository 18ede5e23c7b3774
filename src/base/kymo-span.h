/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A half open stretch of time [begin, end) in nanoseconds of the run's clock.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoSpan:
 * @begin_ns: first nanosecond
 * @end_ns: one past the last nanosecond
 *
 * A half open stretch of time. A span with @end_ns <= @begin_ns is empty.
 */
typedef struct
{
  gint64 begin_ns;
  gint64 end_ns;
} KymoSpan;

/** KYMO_SPAN_ALL: the span that holds every time; "no limit" in questions. */
#define KYMO_SPAN_ALL ((KymoSpan) { G_MININT64, G_MAXINT64 })

/** kymo_span_is_all: TRUE if a span is %KYMO_SPAN_ALL, which has no ends */
static inline gboolean
kymo_span_is_all (KymoSpan span)
{
  return span.begin_ns == G_MININT64 && span.end_ns == G_MAXINT64;
}

/**
 * kymo_span_length:
 *
 * Returns: the length in nanoseconds; 0 for a span that ends before it begins. Not for
 *   %KYMO_SPAN_ALL, whose length does not fit
 */
static inline gint64
kymo_span_length (KymoSpan span)
{
  return span.end_ns > span.begin_ns ? span.end_ns - span.begin_ns : 0;
}

/** kymo_span_middle: the time in the middle of a span, which must not be %KYMO_SPAN_ALL */
static inline gint64
kymo_span_middle (KymoSpan span)
{
  return span.begin_ns + kymo_span_length (span) / 2;
}

/**
 * kymo_span_intersect:
 *
 * Returns: the time that two spans have in common; an empty span if they have none
 */
static inline KymoSpan
kymo_span_intersect (KymoSpan a, KymoSpan b)
{
  KymoSpan s = { MAX (a.begin_ns, b.begin_ns), MIN (a.end_ns, b.end_ns) };
  if (s.end_ns < s.begin_ns)
    s.end_ns = s.begin_ns;
  return s;
}

/**
 * kymo_saturating_add:
 * @a: a number
 * @b: another one
 *
 * Adds two numbers, for sums over things that may overlap or have any size, of which a
 * hostile file may hold any number. Sums over blocks of one location need it not, see
 * kymo_open_run().
 *
 * Returns: the sum; if it overflows, the largest number or %G_MININT64 + 1, because
 *   %G_MININT64 stands for no value
 */
static inline gint64
kymo_saturating_add (gint64 a, gint64 b)
{
  gint64 sum;

  if (!__builtin_add_overflow (a, b, &sum))
    return sum;
  return a < 0 ? G_MININT64 + 1 : G_MAXINT64;   /* G_MININT64 stands for nothing */
}

G_END_DECLS
