/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests and authentication: how each way of failing is told, that time is
 * bounded, and that captured logins and calls come out byte for byte.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "kymo-ccs-client.h"
#include "kymo-ccs-link.h"
#include "kymo-error.h"
#include "kymo-stream-block.h"
#include "play.h"

#define INFO "ccs_getinfo"

/* Patience in the tests, microseconds. */
static const KymoCcsTimes times = { 300 * 1000, 200 * 1000, 200 * 1000 };

typedef struct
{
  GMainLoop *loop;
  GBytes    *reply;
  GError    *error;
  gint64     told;
} Asked;

static void
take_reply (GBytes       *reply,
            const GError *error,
            gpointer      data)
{
  Asked *asked = data;

  g_assert_true ((reply == NULL) != (error == NULL));
  asked->reply = reply != NULL ? g_bytes_ref (reply) : NULL;
  asked->error = error != NULL ? g_error_copy (error) : NULL;
  g_main_loop_quit (asked->loop);
}

static void
asked_clear (Asked *asked)
{
  g_clear_pointer (&asked->reply, g_bytes_unref);
  g_clear_error (&asked->error);
}

static Asked
ask_client (KymoCcsClient *client)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Asked asked = { loop };

  kymo_ccs_client_ask (client, 0, INFO, NULL, take_reply, &asked);
  g_main_loop_run (loop);
  asked.told = kymo_ccs_client_get_told (client);
  asked.loop = NULL;
  return asked;
}

static Asked
ask_host (const char *host,
          guint16     port)
{
  g_autoptr (KymoCcsClient) client = kymo_ccs_client_new (host, port, "it", NULL, &times);

  return ask_client (client);
}

/* One request of a server that does this. */
static void
assert_fails (PlayAct       act,
              const char   *bytes,
              gsize         n_bytes,
              gsize         n_sent,
              KymoCcsError  code,
              gint64        told,
              const char   *sentence)
{
  g_autoptr (Play) play = play_new (FALSE);
  Asked asked;

  play_add_raw (play, INFO, act, g_bytes_new (bytes, n_bytes));
  play_last (play)->n_sent = n_sent;
  play_start (play);
  asked = ask_host ("127.0.0.1", play_get_port (play));
  g_assert_error (asked.error, KYMO_CCS_ERROR, (int) code);
  g_assert_cmpstr (asked.error->message, ==, sentence);
  g_assert_cmpint (asked.told, ==, told);
  asked_clear (&asked);
}

static void
test_failures (void)
{
  char bytes[500] = "\0\0\1\0";

  assert_fails (PLAY_RESET, "", 0, 0, KYMO_CCS_ERROR_RESET, -1,
                "it reset the connection without an answer");
  assert_fails (PLAY_CLOSE, "", 0, 0, KYMO_CCS_ERROR_CLOSED, -1,
                "it closed the connection without an answer");
  assert_fails (PLAY_SILENT, "", 0, 0, KYMO_CCS_ERROR_LATE, -1,
                "it took the request but did not answer within 0.2 s");
  assert_fails (PLAY_CUT, bytes, 260, 3, KYMO_CCS_ERROR_CUT, -1,
                "it broke off after 3 bytes, within the head of a reply");
  assert_fails (PLAY_CUT, bytes, 260, 4, KYMO_CCS_ERROR_CUT, 256,
                "it broke off after 0 of 256 bytes of a reply");
  assert_fails (PLAY_CUT, bytes, 260, 259, KYMO_CCS_ERROR_CUT, 256,
                "it broke off after 255 of 256 bytes of a reply");
}

/* 256 bytes at a millisecond and more each take longer than there is. */
static void
test_slow (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  char bytes[500] = "\0\0\1\xf0";
  gint64 begin_us = g_get_monotonic_time ();
  Asked asked;

  play_add_raw (play, INFO, PLAY_DRIP, g_bytes_new (bytes, sizeof bytes));
  play_start (play);
  asked = ask_host ("127.0.0.1", play_get_port (play));
  g_assert_error (asked.error, KYMO_CCS_ERROR, KYMO_CCS_ERROR_SLOW);
  g_assert_nonnull (strstr (asked.error->message, "it sent "));
  g_assert_nonnull (strstr (asked.error->message,
                            " of 496 bytes of a reply, and no more within 0.2 s"));
  g_assert_cmpint (g_get_monotonic_time () - begin_us, <, 5 * G_USEC_PER_SEC);
  asked_clear (&asked);
}

static void
test_long (void)
{
  guint32 lengths[] = { KYMO_STREAM_MAX_BYTES + 1, 0x7fffffff, 0x80000000, 0xffffffff };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      guint32 length = GUINT32_TO_BE (lengths[i]);
      g_autofree char *sentence =
        g_strdup_printf ("it announces a reply of %u bytes, which no program sends", lengths[i]);

      assert_fails (PLAY_STAY, (char *) &length, 4, 0, KYMO_CCS_ERROR_LONG, lengths[i], sentence);
    }
}

/* What is behind the reply is not looked at, nor is it waited for the end. */
static void
test_reply (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autoptr (KymoCcsClient) client = NULL;
  g_autofree char *large = g_malloc0 (KYMO_STREAM_MAX_BYTES);
  Asked asked;

  play_add (play, INFO, PLAY_STAY, g_bytes_new ("answer", 6));
  play_add (play, INFO, PLAY_REPLY, NULL);
  play_add (play, INFO, PLAY_REPLY, g_bytes_new (large, 1000000));
  play_start (play);
  client = kymo_ccs_client_new ("127.0.0.1", play_get_port (play), "it", NULL, NULL);
  asked = ask_client (client);
  g_assert_no_error (asked.error);
  g_assert_cmpmem (g_bytes_get_data (asked.reply, NULL), g_bytes_get_size (asked.reply),
                   "answer", 6);
  asked_clear (&asked);
  asked = ask_client (client);
  g_assert_no_error (asked.error);
  g_assert_cmpint (g_bytes_get_size (asked.reply), ==, 0);
  asked_clear (&asked);
  asked = ask_client (client);
  g_assert_no_error (asked.error);
  g_assert_cmpint (g_bytes_get_size (asked.reply), ==, 1000000);
  asked_clear (&asked);
  g_assert_cmpint (kymo_ccs_client_get_bytes_sent (client), ==, 3 * 40);
}

static void
test_no_connection (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  guint16 port = play_get_port (play);
  Asked asked;

  g_clear_pointer (&play, play_free);
  asked = ask_host ("127.0.0.1", port);
  g_assert_error (asked.error, KYMO_CCS_ERROR, KYMO_CCS_ERROR_REFUSED);
  asked_clear (&asked);
  asked = ask_host ("localhost", port);
  g_assert_error (asked.error, KYMO_CCS_ERROR, KYMO_CCS_ERROR_REFUSED);
  asked_clear (&asked);
}

/* A queue of connections that is full takes no more: the host is silent. */
static void
test_silent_host (void)
{
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                             G_SOCKET_PROTOCOL_TCP, NULL);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) bound = NULL;
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 begin_us;
  Asked asked;

  g_socket_set_listen_backlog (socket, 0);
  g_assert_true (g_socket_bind (socket, any, FALSE, NULL));
  g_assert_true (g_socket_listen (socket, NULL));
  bound = g_socket_get_local_address (socket, NULL);
  for (guint i = 0; i < 4; i++)
    {
      GSocket *other = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                     G_SOCKET_PROTOCOL_TCP, NULL);

      g_socket_set_blocking (other, FALSE);
      g_socket_connect (other, bound, NULL, NULL);
      g_ptr_array_add (others, other);
    }
  begin_us = g_get_monotonic_time ();
  asked = ask_host ("127.0.0.1",
                    g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound)));
  g_assert_error (asked.error, KYMO_CCS_ERROR, KYMO_CCS_ERROR_NETWORK);
  g_assert_cmpstr (asked.error->message, ==,
                   "it cannot be reached: no answer within 0.3 s");
  g_assert_cmpint (g_get_monotonic_time () - begin_us, <, 5 * G_USEC_PER_SEC);
  asked_clear (&asked);
}

/* A name stands for several addresses, of which one listens. */
static void
test_addresses (void)
{
  g_autoptr (Play) four = play_new (FALSE);
  g_autoptr (Play) six = play_new (TRUE);
  Asked asked;

  play_add (four, INFO, PLAY_REPLY, g_bytes_new ("4", 1));
  play_start (four);
  asked = ask_host ("localhost", play_get_port (four));
  g_assert_no_error (asked.error);
  asked_clear (&asked);
  if (six == NULL)
    {
      g_test_skip ("no IPv6 here");
      return;
    }
  play_add (six, INFO, PLAY_REPLY, g_bytes_new ("6", 1));
  play_start (six);
  asked = ask_host ("::1", play_get_port (six));
  g_assert_no_error (asked.error);
  asked_clear (&asked);
}

typedef struct
{
  GMainLoop    *loop;
  KymoCcsLink  *link;
  KymoCcsError  code;
} Linked;

static void
link_failed (KymoCcsError  code,
             const char   *detail,
             gpointer      data)
{
  Linked *linked = data;

  linked->code = code;
  g_main_loop_quit (linked->loop);
}

static void
link_no_answer (gpointer data)
{
  g_assert_not_reached ();
}

/* The time that the first of two addresses has is over before this is. */
static void
link_connected (gpointer data)
{
  Linked *linked = data;
  g_autoptr (GByteArray) request = g_byte_array_new ();

  g_byte_array_append (request, (const guint8 *) "hello", 5);
  g_usleep (1200 * 1000);
  kymo_ccs_link_exchange (linked->link, request, 1, link_no_answer);
}

/* Where there is a connection no other address is tried, however long the
   thread was at something else. */
static void
test_late_thread (void)
{
  static const KymoCcsTimes slow = { 2 * G_USEC_PER_SEC, 100 * 1000, 100 * 1000 };
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Linked linked = { .loop = loop };

  linked.link = kymo_ccs_link_new ("localhost", port, &slow, link_failed, &linked);
  kymo_ccs_link_connect (linked.link, link_connected);
  g_main_loop_run (loop);
  g_assert_cmpint (linked.code, ==, KYMO_CCS_ERROR_LATE);
  g_assert_cmpint (kymo_ccs_link_get_bytes_sent (linked.link), ==, 5);
  kymo_ccs_link_free (linked.link);
}

static void
never (GBytes       *reply,
       const GError *error,
       gpointer      data)
{
  g_assert_not_reached ();
}

/* Freed at any step nobody is called. */
static void
test_cancel (void)
{
  for (guint n = 0; n < 12; n++)
    {
      g_autoptr (Play) play = play_new (FALSE);
      g_autoptr (KymoCcsClient) client = NULL;
      const char *host = n % 2 == 0 ? "127.0.0.1" : "localhost";

      play_add (play, INFO, PLAY_SILENT, NULL);
      play_start (play);
      client = kymo_ccs_client_new (host, play_get_port (play), "it", NULL, NULL);
      kymo_ccs_client_ask (client, 0, INFO, NULL, never, NULL);
      for (guint i = 0; i < n; i++)
        g_main_context_iteration (NULL, FALSE);
      if (n % 3 == 0)
        kymo_ccs_client_cancel (client);
      else
        g_clear_pointer (&client, kymo_ccs_client_free);
      for (guint i = 0; i < 20; i++)
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (200);
        }
    }
}

/* -- authentication --------------------------------------------------------- */

static void
from_hex (const char *hex,
          guint8     *bytes)
{
  for (gsize i = 0; hex[2 * i] != 0; i++)
    bytes[i] = g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]);
}

static KymoCcsAuth *
read_key (const char  *text,
          guint8       level,
          GError     **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("kymo-XXXXXX", &path, NULL);
  KymoCcsAuth *auth;

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  auth = kymo_ccs_auth_new (path, level, error);
  if (auth == NULL && error != NULL)
    g_assert_nonnull (strstr ((*error)->message, path));
  unlink (path);
  return auth;
}

#define SERVER_CHALLENGE "f2dfae4e"
#define CLIENT_ANSWER "07bd3002268d2c4991b68cfb595a1f23161a8cd2"
#define WELCOME "587764f454bbb7e07b542700844374c29ecafc6200000000524869b7"

/* As it was captured: ccs_getinfo, then the stream, twice. */
static const struct
{
  const char *seal;
  const char *handler;
  guint32     salt;
  const char *reply;
} calls[] = {
  { "8000000000000000cafe0002f9a624320b497cc4fd32cbd794c339bb971e65b5", "ccs_getinfo",
    0xcafe0002, "331f33b0726834f36165eacc6486cc2a61aec37b" },
  { "8000000000000000cafe0003533491dd67104fab7e0ea807302b773e5e4f8ae2",
    "CkPerfSumDetail compressed", 0xcafe0003, "4d826b25670832e1e4ba98870229a9049e2bab47" },
  { "8000000000000000cafe0004d67d49d9815ef12d668debd7089da01664aef543",
    "CkPerfSumDetail compressed", 0xcafe0004, "5b22f81c322c4c8a8782dfaa6112b3af72082fb7" },
};

static void
test_captured_login (void)
{
  g_autoptr (KymoCcsAuth) auth = read_key ("0 112233445566778899\n", 0, NULL);
  guint8 bytes[64], wanted[64], hash[64];

  g_assert_nonnull (auth);
  kymo_ccs_auth_hello (auth, 0x12345678, bytes);
  g_assert_cmpmem (bytes, 8, "\x80\0\1\0\x12\x34\x56\x78", 8);
  from_hex (SERVER_CHALLENGE, bytes);
  kymo_ccs_auth_answer (auth, bytes, hash);
  from_hex (CLIENT_ANSWER, wanted);
  g_assert_cmpmem (hash, 20, wanted, 20);
  g_assert_false (kymo_ccs_auth_has_session (auth));
  from_hex (WELCOME, bytes);
  bytes[0] ^= 1;
  g_assert_false (kymo_ccs_auth_welcome (auth, bytes));
  bytes[0] ^= 1;
  g_assert_true (kymo_ccs_auth_welcome (auth, bytes));
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      guint8 header[40] = { 0 };

      strcpy ((char *) header + 8, calls[i].handler);
      kymo_ccs_auth_seal (auth, calls[i].salt, header, bytes);
      from_hex (calls[i].seal, wanted);
      g_assert_cmpmem (bytes, 32, wanted, 32);
      from_hex (calls[i].reply, hash);
      g_assert_true (kymo_ccs_auth_check (auth, hash));
      hash[19] ^= 0x80;
      g_assert_false (kymo_ccs_auth_check (auth, hash));
    }
}

/* Keys are alike where the server would make the same of them. */
static void
assert_key (const char *text,
            guint8      level,
            const char *alike)
{
  g_autoptr (KymoCcsAuth) a = read_key (text, level, NULL);
  g_autofree char *line = g_strdup_printf ("%u %s", level, alike);
  g_autoptr (KymoCcsAuth) b = read_key (line, level, NULL);
  guint8 x[20], y[20];

  g_assert_nonnull (a);
  g_assert_nonnull (b);
  kymo_ccs_auth_answer (a, (guint8 *) "abcd", x);
  kymo_ccs_auth_answer (b, (guint8 *) "abcd", y);
  g_assert_cmpmem (x, 20, y, 20);
}

static void
test_keys (void)
{
  assert_key ("0 1122", 0, "112200000000000000000000000000");
  assert_key ("0 112", 0, "1120");                /* a single digit gets a 0 */
  assert_key ("0 1a22", 0, "0122");               /* 1a is one */
  assert_key ("0 11aa22", 0, "11");               /* a letter ends it */
  assert_key ("0 aa22", 0, "00");
  assert_key ("# words\n\n7 55\n 3\t44 and more\r\n3 66\n", 3, "66");
  assert_key ("0 1122334455667788991011121314151699", 0, "11223344556677889910111213141516");
  assert_key ("0 OTPword\nCCS_OTP_KEY> Level 0 key: 0B160000000000000000000000000000\n", 0,
              "1122");
}

static void
assert_no_key (const char *text,
               guint8      level,
               const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_key (text, level, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
  if (strstr (error->message, words) == NULL)
    g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_bad_keys (void)
{
  assert_no_key ("", 0, "no key for level 0");
  assert_no_key ("1 22\n", 0, "no key for level 0");
  assert_no_key ("0\n", 0, "no key for level 0");
  assert_no_key ("\n\n0 xyz\n", 0, ":3: this is no key");
  assert_no_key ("0 1\n", 0, ":1: this is no key");
  assert_no_key ("5 11\n0 OTP\n", 0, ":2: with OTP the program makes a key of its own");
  assert_no_key ("CCS_OTP_KEY> Level 0 key: 0B16\n", 0, ":1: this is no key");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ccs/failures", test_failures);
  g_test_add_func ("/ccs/slow", test_slow);
  g_test_add_func ("/ccs/long", test_long);
  g_test_add_func ("/ccs/reply", test_reply);
  g_test_add_func ("/ccs/no-connection", test_no_connection);
  g_test_add_func ("/ccs/silent-host", test_silent_host);
  g_test_add_func ("/ccs/addresses", test_addresses);
  g_test_add_func ("/ccs/late-thread", test_late_thread);
  g_test_add_func ("/ccs/cancel", test_cancel);
  g_test_add_func ("/ccs/captured-login", test_captured_login);
  g_test_add_func ("/ccs/keys", test_keys);
  g_test_add_func ("/ccs/bad-keys", test_bad_keys);
  return g_test_run ();
}
