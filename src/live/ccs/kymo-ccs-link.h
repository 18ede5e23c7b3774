/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One connection after the other to one host: connects, sends bytes, receives
 * as many as are wanted, each with a limit of time. What the bytes mean is
 * kymo-ccs-client's.
 *
 * Nothing here calls back before it has returned to the main context of the
 * thread that made the link; a callback may free it.
 */
#pragma once

#include "kymo-ccs-client.h"

G_BEGIN_DECLS

typedef struct _KymoCcsLink KymoCcsLink;

typedef void (*KymoCcsStep)   (gpointer      data);
/* `detail`: what the system says of it, or NULL: out of time, or ended by the
   server. */
typedef void (*KymoCcsFailed) (KymoCcsError  code,
                               const char   *detail,
                               gpointer      data);

/** kymo_ccs_drop_source: ends a source, if there is one, and forgets it */
static inline void
kymo_ccs_drop_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

KymoCcsLink  *kymo_ccs_link_new      (const char         *host,
                                      guint16             port,
                                      const KymoCcsTimes *times,
                                      KymoCcsFailed       failed,
                                      gpointer            data);
void          kymo_ccs_link_free     (KymoCcsLink        *link);
void          kymo_ccs_link_set_port (KymoCcsLink        *link,
                                      guint16             port);
void          kymo_ccs_link_connect  (KymoCcsLink        *link,
                                      KymoCcsStep         then);
void          kymo_ccs_link_exchange (KymoCcsLink        *link,
                                      const GByteArray   *request,
                                      gsize               n_wanted,
                                      KymoCcsStep         then);
void          kymo_ccs_link_want     (KymoCcsLink        *link,
                                      gsize               n_wanted,
                                      KymoCcsStep         then);
void          kymo_ccs_link_close    (KymoCcsLink        *link);
const guint8 *kymo_ccs_link_peek     (const KymoCcsLink  *link,
                                      gsize              *n_bytes);
gboolean      kymo_ccs_link_has_asked (const KymoCcsLink *link);
gboolean      kymo_ccs_link_has_connected (const KymoCcsLink *link);
gint64        kymo_ccs_link_get_bytes_sent (const KymoCcsLink *link);

G_END_DECLS
