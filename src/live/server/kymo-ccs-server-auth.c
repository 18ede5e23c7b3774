/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-ccs-server-auth.h"

#include <string.h>

#define N_LEVELS 255

/* A client that has proved that it has a key. */
typedef struct
{
  gboolean in_use;
  guint8   level;
  guint32  number;
  guint32  salt;
} Client;

/* The client of a number lies in the slot of its remainder; so the newest
   ones are kept. */
struct _KymoCcsServerAuth
{
  KymoCcsAuth *keys[N_LEVELS];          /* by level; NULL where there is none */
  Client       clients[KYMO_CCS_MAX_CLIENTS];
  guint32      n_logins;
};

/**
 * kymo_ccs_server_auth_new:
 * @key_file: "LEVEL KEY" lines
 *
 * Returns: (transfer full) (nullable): what knows all keys of the file, or
 * %NULL and an error where there are none
 */
KymoCcsServerAuth *
kymo_ccs_server_auth_new (const char  *key_file,
                          GError     **error)
{
  g_autoptr (KymoCcsServerAuth) auth = g_new0 (KymoCcsServerAuth, 1);
  g_autoptr (GError) first = NULL;
  gboolean any = FALSE;

  for (guint i = 0; i < N_LEVELS; i++)
    {
      auth->keys[i] = kymo_ccs_auth_new (key_file, i, i == 0 ? &first : NULL);
      any |= auth->keys[i] != NULL;
    }
  if (any)
    return g_steal_pointer (&auth);
  g_propagate_error (error, g_steal_pointer (&first));
  return NULL;
}

/**
 * kymo_ccs_server_auth_free:
 *
 * Frees @auth. %NULL is ignored.
 */
void
kymo_ccs_server_auth_free (KymoCcsServerAuth *auth)
{
  if (auth == NULL)
    return;
  for (guint i = 0; i < N_LEVELS; i++)
    g_clear_pointer (&auth->keys[i], kymo_ccs_auth_free);
  g_free (auth);
}

/* (nullable) */
static const KymoCcsAuth *
find_key (const KymoCcsServerAuth *auth,
          guint8                   level)
{
  return level < N_LEVELS ? auth->keys[level] : NULL;
}

static void
put_u32 (guint8  *bytes,
         guint32  value)
{
  value = GUINT32_TO_BE (value);
  memcpy (bytes, &value, sizeof value);
}

/**
 * kymo_ccs_server_auth_login:
 * @request: a login
 * @challenge: that the client was asked to sign
 * @hash: what it answered
 * @welcome: (out): hash of the client's own challenge, its number and salt
 *
 * Returns: whether the client has the key
 */
gboolean
kymo_ccs_server_auth_login (KymoCcsServerAuth          *auth,
                            const KymoCcsServerRequest *request,
                            guint32                     challenge,
                            const guint8               *hash,
                            guint8                      welcome[KYMO_CCS_WELCOME_BYTES])
{
  const KymoCcsAuth *key = find_key (auth, request->level);
  guint8 right[KYMO_CCS_HASH_BYTES];
  Client *client = &auth->clients[auth->n_logins % KYMO_CCS_MAX_CLIENTS];

  if (key == NULL)
    return FALSE;
  kymo_ccs_auth_sign (key, challenge, NULL, right);
  if (!kymo_ccs_auth_is_same (hash, right))
    return FALSE;
  *client = (Client) { .in_use = TRUE, .level = request->level, .number = auth->n_logins++,
                       .salt = g_random_int () };
  kymo_ccs_auth_sign (key, request->salt, NULL, welcome);
  put_u32 (welcome + KYMO_CCS_HASH_BYTES, client->number);
  put_u32 (welcome + KYMO_CCS_HASH_BYTES + 4, client->salt);
  return TRUE;
}

/**
 * kymo_ccs_server_auth_call:
 * @request: a call
 * @reply_hash: (out): what stands before the reply
 *
 * Counts the client's salt where the call is a good one.
 *
 * Returns: whether it is
 */
gboolean
kymo_ccs_server_auth_call (KymoCcsServerAuth          *auth,
                           const KymoCcsServerRequest *request,
                           guint8                      reply_hash[KYMO_CCS_HASH_BYTES])
{
  const KymoCcsAuth *key = find_key (auth, request->level);
  Client *client = &auth->clients[request->client % KYMO_CCS_MAX_CLIENTS];
  guint8 right[KYMO_CCS_HASH_BYTES];

  if (key == NULL || !client->in_use || client->number != request->client
      || client->level != request->level)
    return FALSE;
  kymo_ccs_auth_sign (key, client->salt, request->header, right);
  if (!kymo_ccs_auth_is_same (request->hash, right))
    return FALSE;
  client->salt++;
  kymo_ccs_auth_sign (key, request->salt, NULL, reply_hash);
  return TRUE;
}
