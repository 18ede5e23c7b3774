/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Authentication of the Converse Client Server, as its authors published it
 * with Charm++: a hash is the SHA-1 of 52 bytes, the key (16, filled up with
 * zeros), a salt (4, big endian) and the first 16 bytes of the request's
 * header, or zeros.
 *
 *   login   client  80 00 01 level, challenge 1 (4)
 *           server  challenge 2 (4)
 *           client  hash (challenge 2)
 *           server  hash (challenge 1), client id (4), salt (4)
 *   call    client  80 00 00 level, client id (4), reply salt (4),
 *                   hash (salt, header), then the header as ever
 *           server  hash (reply salt), then the reply as ever
 *
 * The salt is counted up with each call on both sides.
 */
#include "config.h"

#include "kymo-ccs-auth.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-bytes.h"
#include "kymo-error.h"
#include "kymo-input.h"

#define KEY_BYTES 16
#define SIGNED_HEADER_BYTES 16
#define HASHED_BYTES 52
/* A key file is a few lines. */
#define MAX_FILE_BYTES (1 << 20)
/* Words before a key that the server made itself and printed. */
#define PRINTED_KEY "CCS_OTP_KEY> Level "

struct _KymoCcsAuth
{
  guint8   key[KEY_BYTES];
  guint8   level;
  gboolean has_session;
  guint32  client_id;
  guint32  salt;
  guint32  reply_salt;
};

static void
put_u32 (guint8  *bytes,
         guint32  value)
{
  value = GUINT32_TO_BE (value);
  memcpy (bytes, &value, 4);
}

/**
 * kymo_ccs_auth_sign:
 * @salt: of the hash
 * @header: (nullable): of a request, at least 16 bytes
 * @hash: (out): of the key, @salt and @header
 */
void
kymo_ccs_auth_sign (const KymoCcsAuth *auth,
                    guint32            salt,
                    const guint8      *header,
                    guint8             hash[KYMO_CCS_HASH_BYTES])
{
  g_autoptr (GChecksum) sha1 = g_checksum_new (G_CHECKSUM_SHA1);
  guint8 bytes[HASHED_BYTES] = { 0 };
  gsize n_bytes = KYMO_CCS_HASH_BYTES;

  memcpy (bytes, auth->key, KEY_BYTES);
  put_u32 (bytes + KEY_BYTES, salt);
  if (header != NULL)
    memcpy (bytes + KEY_BYTES + 4, header, SIGNED_HEADER_BYTES);
  g_checksum_update (sha1, bytes, sizeof bytes);
  g_checksum_get_digest (sha1, hash, &n_bytes);
}

/**
 * kymo_ccs_auth_is_same:
 * @a: a hash
 * @b: another one
 *
 * Compares two hashes in a time that does not depend on where they differ.
 *
 * Returns: %TRUE if the hashes are equal
 */
gboolean
kymo_ccs_auth_is_same (const guint8 a[KYMO_CCS_HASH_BYTES],
                       const guint8 b[KYMO_CCS_HASH_BYTES])
{
  guint8 differ = 0;

  for (guint i = 0; i < KYMO_CCS_HASH_BYTES; i++)
    differ |= a[i] ^ b[i];
  return differ == 0;
}

/* The server calls its keys hexadecimal and reads each pair of digits with a
   decimal conversion: "11" is eleven, "1a" is one, and a pair that begins with
   a letter ends the key. A last single digit gets a 0 behind it. */
static void
parse_pairs (KymoCcsAuth *auth,
             const char  *text)
{
  gsize length = strlen (text);

  memset (auth->key, 0, KEY_BYTES);
  for (gsize i = 0; i < KEY_BYTES && 2 * i < length; i++)
    {
      char first = text[2 * i], second = 2 * i + 1 < length ? text[2 * i + 1] : '0';

      if (!g_ascii_isdigit (first))
        return;
      auth->key[i] = first - '0';
      if (g_ascii_isdigit (second))
        auth->key[i] = 10 * auth->key[i] + second - '0';
    }
}

/* A key as the server prints it is hexadecimal indeed. */
static gboolean
parse_printed (KymoCcsAuth *auth,
               const char  *text)
{
  if (strlen (text) != 2 * KEY_BYTES)
    return FALSE;
  for (guint i = 0; i < KEY_BYTES; i++)
    {
      int high = g_ascii_xdigit_value (text[2 * i]);
      int low = g_ascii_xdigit_value (text[2 * i + 1]);

      if (high < 0 || low < 0)
        return FALSE;
      auth->key[i] = high << 4 | low;
    }
  return TRUE;
}

typedef enum
{
  LINE_OTHER,                   /* nothing, or of another level */
  LINE_KEY,
  LINE_MADE,                    /* the server makes a secret key */
  LINE_WRONG,
} Line;

/* Splits "LEVEL KEY" or the line that the server prints. */
static Line
parse_line (KymoCcsAuth *auth,
            const char  *line)
{
  const char *rest = strstr (line, PRINTED_KEY);
  gboolean printed = rest != NULL;
  g_autofree char *key = NULL;
  char *end;
  gint64 level;

  rest = printed ? rest + strlen (PRINTED_KEY) : line;
  level = g_ascii_strtoll (rest, &end, 10);
  if (end == rest || level != auth->level)
    return LINE_OTHER;
  while (g_ascii_isspace (*end))
    end++;
  if (printed && g_str_has_prefix (end, "key: "))
    end += strlen ("key: ");
  key = g_strndup (end, strcspn (end, " \t\r\n\v\f"));
  if (printed)
    return parse_printed (auth, key) ? LINE_KEY : LINE_WRONG;
  if (*key == 0)
    return LINE_OTHER;
  if (g_str_has_prefix (key, "OTP"))
    return LINE_MADE;
  if (!g_ascii_isxdigit (key[0]) || !g_ascii_isxdigit (key[1]))
    return LINE_WRONG;
  parse_pairs (auth, key);
  return LINE_KEY;
}

static gboolean
refuse_line (const char  *path,
             guint        number,
             Line         what,
             GError     **error)
{
  if (what == LINE_MADE)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("%s:%u: with OTP the program makes a key of its own; write the line “%s…” "
                   "here that it printed"), path, number, PRINTED_KEY);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("%s:%u: this is no key: two hexadecimal digits must come first"), path, number);
  return FALSE;
}

/* Of several lines of a level the last one counts, as in the server. */
static gboolean
parse_file (KymoCcsAuth  *auth,
            const char   *path,
            const char   *text,
            GError      **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Line last = LINE_OTHER;
  guint number = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      Line what = parse_line (auth, lines[i]);

      if (what == LINE_OTHER)
        continue;
      last = what;
      number = i + 1;
    }
  if (last == LINE_MADE || last == LINE_WRONG)
    return refuse_line (path, number, last, error);
  if (last == LINE_KEY)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("%s has no line “%u KEY”: no key for level %u"), path, auth->level, auth->level);
  return FALSE;
}

static char *
read_file (const char  *path,
           GError     **error)
{
  g_autofree char *shown = g_utf8_make_valid (path, -1);
  g_autoptr (GError) why = NULL;
  char *text = NULL;

  if (kymo_input_load (path, MAX_FILE_BYTES, &text, NULL, &why))
    return text;
  if (why->code == KYMO_ERROR_LIMIT)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("%s is too long for a key file"), shown);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("The key file %s cannot be read: %s"), shown, why->message);
  return NULL;
}

/**
 * kymo_ccs_auth_new:
 * @key_file: the file that the program was given with `++server-auth`, or one
 *   that holds the line in which the program printed its key
 * @level: of the key that is used, 0 to 254
 * @error: %KYMO_ERROR_UNREADABLE, one sentence with file, line and reason
 *
 * Reads the key of a level.
 *
 * Returns: (transfer full) (nullable): without a session yet
 */
KymoCcsAuth *
kymo_ccs_auth_new (const char  *key_file,
                   guint8       level,
                   GError     **error)
{
  g_autoptr (KymoCcsAuth) auth = g_new0 (KymoCcsAuth, 1);
  g_autofree char *text = read_file (key_file, error);
  g_autofree char *shown = g_utf8_make_valid (key_file, -1);
  gboolean good;

  auth->level = level;
  if (text == NULL)
    return NULL;
  good = parse_file (auth, shown, text, error);
  explicit_bzero (text, strlen (text));
  return good ? g_steal_pointer (&auth) : NULL;
}

/**
 * kymo_ccs_auth_free:
 *
 * Frees @auth. %NULL is ignored. Its key is overwritten first.
 */
void
kymo_ccs_auth_free (KymoCcsAuth *auth)
{
  if (auth == NULL)
    return;
  explicit_bzero (auth, sizeof *auth);
  g_free (auth);
}

/** kymo_ccs_auth_has_session: TRUE if a login gave a session, so that calls can be signed */
gboolean
kymo_ccs_auth_has_session (const KymoCcsAuth *auth)
{
  return auth->has_session;
}

/** kymo_ccs_auth_forget: the next request logs in again: after a call that
 * failed it is unknown if the server has counted it. */
void
kymo_ccs_auth_forget (KymoCcsAuth *auth)
{
  auth->has_session = FALSE;
}

/**
 * kymo_ccs_auth_hello:
 * @challenge: random; what the server has to sign
 * @hello: (out): the first bytes of a login
 */
void
kymo_ccs_auth_hello (KymoCcsAuth *auth,
                     guint32      challenge,
                     guint8       hello[KYMO_CCS_HELLO_BYTES])
{
  const guint8 kind[3] = { 0x80, 0x00, 0x01 };

  auth->has_session = FALSE;
  auth->reply_salt = challenge;
  memcpy (hello, kind, sizeof kind);
  hello[3] = auth->level;
  put_u32 (hello + 4, challenge);
}

/**
 * kymo_ccs_auth_answer:
 * @challenge: what the server sent
 * @hash: (out): the signature of the challenge
 *
 * Signs the challenge of a server with the key.
 */
void
kymo_ccs_auth_answer (const KymoCcsAuth *auth,
                      const guint8       challenge[4],
                      guint8             hash[KYMO_CCS_HASH_BYTES])
{
  kymo_ccs_auth_sign (auth, kymo_get_32 (challenge, TRUE), NULL, hash);
}

/**
 * kymo_ccs_auth_welcome:
 * @welcome: the server's last bytes of a login
 *
 * Begins a session.
 *
 * Returns: %FALSE where the server does not know the key
 */
gboolean
kymo_ccs_auth_welcome (KymoCcsAuth  *auth,
                       const guint8  welcome[KYMO_CCS_WELCOME_BYTES])
{
  if (!kymo_ccs_auth_check (auth, welcome))
    return FALSE;
  auth->client_id = kymo_get_32 (welcome + KYMO_CCS_HASH_BYTES, TRUE);
  auth->salt = kymo_get_32 (welcome + KYMO_CCS_HASH_BYTES + 4, TRUE);
  auth->has_session = TRUE;
  return TRUE;
}

/**
 * kymo_ccs_auth_seal:
 * @reply_salt: random; what the reply has to be signed with
 * @header: the header of the request, at least 16 bytes
 * @seal: (out): what is sent before the header
 *
 * Signs a call and counts it. There must be a session.
 */
void
kymo_ccs_auth_seal (KymoCcsAuth  *auth,
                    guint32       reply_salt,
                    const guint8 *header,
                    guint8        seal[KYMO_CCS_SEAL_BYTES])
{
  g_return_if_fail (auth->has_session);

  memset (seal, 0, 4);
  seal[0] = 0x80;
  seal[3] = auth->level;
  put_u32 (seal + 4, auth->client_id);
  put_u32 (seal + 8, reply_salt);
  kymo_ccs_auth_sign (auth, auth->salt++, header, seal + 12);
  auth->reply_salt = reply_salt;
}

/**
 * kymo_ccs_auth_check:
 * @hash: the signature of a reply
 *
 * Returns: %TRUE if the reply was signed by a server that has the key and got the last call
 */
gboolean
kymo_ccs_auth_check (const KymoCcsAuth *auth,
                     const guint8       hash[KYMO_CCS_HASH_BYTES])
{
  guint8 right[KYMO_CCS_HASH_BYTES];

  kymo_ccs_auth_sign (auth, auth->reply_salt, NULL, right);
  return kymo_ccs_auth_is_same (hash, right);
}
