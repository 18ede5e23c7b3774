/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a list in the order of their times, for pictures that show the most first. Any
 * thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KymoRanked: a row of a list and its time */
typedef struct
{
  guint  row;
  gint64 ns;
} KymoRanked;

/* The most first; of equal ones the first of the list. */
void kymo_ranked_sort (GArray *ranked);

G_END_DECLS
