/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that is written whole or not at all. Until it is whole it has no name, and goes with
 * the program however that ends; on file systems without such files it lies beside its place,
 * as PATH.XXXXXX. In the end it takes its place in one step. One thread.
 */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

typedef struct _KymoBeside KymoBeside;

KymoBeside *kymo_beside_new    (const char       *path,
                                mode_t            mode);
void        kymo_beside_free   (KymoBeside       *beside);
int         kymo_beside_get_fd (const KymoBeside *beside);
int         kymo_beside_finish (KymoBeside       *beside,
                                gboolean          replace);

int         kymo_write_all     (int               fd,
                                const void       *bytes,
                                gsize             n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoBeside, kymo_beside_free)

G_END_DECLS
