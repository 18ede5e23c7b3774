/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much memory there is, arrays of the memory that they need, and memory that the system may
 * write to disk.
 *
 * *Scratch* is memory whose pages lie in an unlinked temporary file: the
 * system writes them out and takes them back when memory is short, without
 * any swap space. Where no such file can be made the answer is %NULL, and
 * the caller decides. One file a process, made at the first use, in $TMPDIR
 * or /var/tmp; gone with the process. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint64   kymo_memory_get_total  (const char *root);
gint64   kymo_memory_get_limit  (void);
gpointer kymo_array_steal_fitted (GArray *array);

gpointer kymo_scratch_new       (gsize       n_bytes);
gboolean kymo_scratch_owns      (gconstpointer memory);
void     kymo_scratch_free      (gpointer    memory);
gsize    kymo_scratch_get_bytes (void);
char    *kymo_scratch_dup_folder (void);
int      kymo_scratch_open_file (void);

/**
 * kymo_scratch_clear:
 * @variable: address of a pointer to scratch memory or %NULL
 *
 * Frees the scratch memory that a variable points to, when the variable goes out of scope.
 */
static inline void
kymo_scratch_clear (void *variable)
{
  kymo_scratch_free (*(gpointer *) variable);
}

/** kymo_autoscratch: kymo_scratch_free() when the variable goes out of scope */
#define kymo_autoscratch __attribute__ ((cleanup (kymo_scratch_clear)))

G_END_DECLS
