/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dialog that asks which runs to compare with one: open tabs, recent runs and
 * folders, several at once, each a run of its own or a repeat. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * KymoCompareChoice:
 * @path: of a run
 * @repeats: 0 where it is a repeat of A, 1 of the run chosen before it, -1 of none
 */
typedef struct
{
  char *path;
  int   repeats;
} KymoCompareChoice;

/* @choices: (array length=n): borrowed */
typedef void (*KymoCompareDone) (const KymoCompareChoice *choices,
                                 guint                    n,
                                 gpointer                 data);

/* `open` and `recent` are paths; what is in the first is not listed again. `data` is
   kept until the dialog is gone. */
GtkWindow *kymo_compare_dialog_present (GtkWindow         *parent,
                                        const char        *base,
                                        const char *const *open,
                                        const char *const *recent,
                                        KymoCompareDone    done,
                                        GObject           *data);

G_END_DECLS
