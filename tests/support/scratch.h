/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A temporary folder as a test fixture; gone with its files after the test.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  char *folder;
} Scratch;

void  scratch_up   (Scratch       *scratch,
                    gconstpointer  data);
void  scratch_down (Scratch       *scratch,
                    gconstpointer  data);
char *scratch_path (const Scratch *scratch,
                    const char    *name);
void  scratch_put  (const Scratch *scratch,
                    const char    *name,
                    const char    *text);

G_END_DECLS
