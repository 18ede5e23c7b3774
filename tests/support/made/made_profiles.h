/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers about profiles, made by hand in the shapes of kymo-question.h: a program of
 * functions with long names, some of them MPI's, over any number of threads.
 */
#pragma once

#include "kymo-table.h"

/* "MPI_Waitall()", "solve(double *, int) [{jacobi.c} {30,1}-{55,1}]", … */
const char *made_name           (guint       function);
KymoTable  *made_thread_bars    (guint       n_functions,
                                 guint       n_threads,
                                 guint       most_rows);
KymoTable  *made_function_bars  (guint       function,
                                 guint       n_threads,
                                 guint       most_rows,
                                 guint       n_bins);
/* A tree of `n` nodes, `deep` levels at most. */
KymoTable  *made_call_tree      (guint       n,
                                 guint       deep);
/* `n` functions in `n_layers`, most of them called from the layer above. */
KymoTable  *made_call_graph     (guint       n,
                                 guint       n_layers);
KymoTable  *made_thread         (guint       n);
KymoTable  *made_user_events    (guint       n);
KymoTable  *made_phases         (guint       n_functions,
                                 guint       n_phases);
KymoTable  *made_threads        (guint       n_functions,
                                 guint       n_threads);
/* Thread i lies at i, (i % 7) * i and is in cluster i % 3. */
KymoTable  *made_thread_scatter (guint       n_threads);
