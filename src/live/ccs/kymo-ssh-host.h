/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "[USER@]HOST[:PORT]" of an ssh server, in a person's words. What is found becomes a word of
 * ssh's command line and never looks like an option there.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean kymo_ssh_is_host   (const char  *text);
char    *kymo_ssh_bare_host (const char  *text);
gboolean kymo_ssh_take_port (char        *text,
                             guint16     *port);
gboolean kymo_ssh_host_parse (const char  *text,
                              char       **host,
                              guint16     *port);

G_END_DECLS
