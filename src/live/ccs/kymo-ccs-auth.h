/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The client's side of SHA-1 authentication of the Converse Client Server:
 * a key out of a key file, a login that gives a session, and calls and
 * replies that are signed with a counted salt. Bytes in, bytes out; no socket
 * is touched here.
 *
 * One thread at a time.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KYMO_CCS_HASH_BYTES 20
/** Bytes of the client's first message of a login */
#define KYMO_CCS_HELLO_BYTES 8
/** Bytes of the server's answer to the client's hash */
#define KYMO_CCS_WELCOME_BYTES 28
/** Bytes that stand before the header of a sealed call */
#define KYMO_CCS_SEAL_BYTES 32

typedef struct _KymoCcsAuth KymoCcsAuth;

KymoCcsAuth *kymo_ccs_auth_new         (const char        *key_file,
                                        guint8             level,
                                        GError           **error);
void         kymo_ccs_auth_free        (KymoCcsAuth       *auth);
gboolean     kymo_ccs_auth_has_session (const KymoCcsAuth *auth);
void         kymo_ccs_auth_forget      (KymoCcsAuth       *auth);
void         kymo_ccs_auth_hello       (KymoCcsAuth       *auth,
                                        guint32            challenge,
                                        guint8             hello[KYMO_CCS_HELLO_BYTES]);
void         kymo_ccs_auth_answer      (const KymoCcsAuth *auth,
                                        const guint8       challenge[4],
                                        guint8             hash[KYMO_CCS_HASH_BYTES]);
gboolean     kymo_ccs_auth_welcome     (KymoCcsAuth       *auth,
                                        const guint8       welcome[KYMO_CCS_WELCOME_BYTES]);
void         kymo_ccs_auth_seal        (KymoCcsAuth       *auth,
                                        guint32            reply_salt,
                                        const guint8      *header,
                                        guint8             seal[KYMO_CCS_SEAL_BYTES]);
void         kymo_ccs_auth_sign        (const KymoCcsAuth *auth,
                                        guint32            salt,
                                        const guint8      *header,
                                        guint8             hash[KYMO_CCS_HASH_BYTES]);
gboolean     kymo_ccs_auth_is_same     (const guint8       a[KYMO_CCS_HASH_BYTES],
                                        const guint8       b[KYMO_CCS_HASH_BYTES]);
gboolean     kymo_ccs_auth_check       (const KymoCcsAuth *auth,
                                        const guint8       hash[KYMO_CCS_HASH_BYTES]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCcsAuth, kymo_ccs_auth_free)

G_END_DECLS
