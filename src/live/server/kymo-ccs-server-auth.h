/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The server's side of CCS authentication (kymo-ccs-auth.h): a client proves
 * that it has a key, gets a number and a salt, and proves it again with every
 * call. Neither requests nor replies are hidden by this: it keeps strangers
 * from asking, no more.
 *
 * A limited number of logins is remembered; older ones have to log in again. One thread.
 */
#pragma once

#include "kymo-ccs-auth.h"
#include "kymo-ccs-server-request.h"

G_BEGIN_DECLS

#define KYMO_CCS_MAX_CLIENTS 256
/** what the server asks the client of a login to sign */
#define KYMO_CCS_CHALLENGE_BYTES 4

typedef struct _KymoCcsServerAuth KymoCcsServerAuth;

KymoCcsServerAuth *kymo_ccs_server_auth_new (const char           *key_file,
                                             GError              **error);
void      kymo_ccs_server_auth_free         (KymoCcsServerAuth    *auth);
gboolean  kymo_ccs_server_auth_login        (KymoCcsServerAuth    *auth,
                                             const KymoCcsServerRequest *request,
                                             guint32               challenge,
                                             const guint8         *hash,
                                             guint8                welcome[KYMO_CCS_WELCOME_BYTES]);
gboolean  kymo_ccs_server_auth_call         (KymoCcsServerAuth    *auth,
                                             const KymoCcsServerRequest *request,
                                             guint8                reply_hash[KYMO_CCS_HASH_BYTES]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCcsServerAuth, kymo_ccs_server_auth_free)

G_END_DECLS
