/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers of nfs-ganesha: whole ones, with known numbers, and cut and changed ones. The test
 * recorder-surroundings asks a real server.
 */
#include <glib.h>
#include <string.h>

#include "kymo-node-ganesha.h"

#define IO_SIGNATURE "bs(tt)a(qs(tttttt)(tttttt))"
#define REQUESTS_SIGNATURE "bs(tt)(stststst)"

static void
append_aligned (GByteArray *bytes, guint align, const void *data, guint size)
{
  while (bytes->len % align != 0)
    g_byte_array_append (bytes, (const guint8 *) "", 1);
  if (size > 0)
    g_byte_array_append (bytes, data, size);
}

static void
append_string (GByteArray *bytes, const char *text)
{
  guint32 length = (guint32) strlen (text);

  append_aligned (bytes, 4, &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) text, length + 1);
}

static void
append_numbers (GByteArray *bytes, guint64 first, guint n)
{
  append_aligned (bytes, 8, NULL, 0);
  for (guint64 number = first; number < first + n; number++)
    g_byte_array_append (bytes, (const guint8 *) &number, sizeof number);
}

static void
append_status (GByteArray *bytes, guint32 done)
{
  append_aligned (bytes, 4, &done, sizeof done);
  append_string (bytes, "OK");
  append_numbers (bytes, 1700000000, 2);
}

/* Two exports. */
static GByteArray *
make_io (void)
{
  GByteArray *bytes = g_byte_array_new ();
  guint32 length = 0;
  guint at, begin;

  append_status (bytes, 1);
  append_aligned (bytes, 4, &length, sizeof length);
  at = bytes->len - 4;
  append_aligned (bytes, 8, NULL, 0);
  begin = bytes->len;
  for (guint16 export = 1; export < 3; export++)
    {
      append_aligned (bytes, 8, &export, sizeof export);
      append_string (bytes, "NFSv40");
      append_numbers (bytes, 100 * export, 6);
      append_numbers (bytes, 100 * export + 10, 6);
    }
  length = bytes->len - begin;
  memcpy (bytes->data + at, &length, sizeof length);
  return bytes;
}

static GByteArray *
make_requests (void)
{
  static const char *const names[] = { "NFSv3", "NFSv40", "NFSv41", "MNTv1" };
  GByteArray *bytes = g_byte_array_new ();

  append_status (bytes, 1);
  append_aligned (bytes, 8, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      append_string (bytes, names[i]);
      append_numbers (bytes, i + 1, 1);
    }
  return bytes;
}

static void
test_numbers (void)
{
  g_autoptr (GByteArray) io = make_io ();
  g_autoptr (GByteArray) requests = make_requests ();
  KymoNodeValues values = { .present = 0 };
  static const guint64 expected[] = { 302, 322, 304, 324, 308, 328, 6 };

  g_assert_true (kymo_node_ganesha_take_io (IO_SIGNATURE, (const char *) io->data, io->len,
                                            &values));
  g_assert_true (kymo_node_ganesha_take_requests (REQUESTS_SIGNATURE,
                                                  (const char *) requests->data, requests->len,
                                                  &values));
  g_assert_cmpuint (values.present, ==, 0x7f);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (values.values[i], ==, expected[i]);
  g_assert_cmpuint (kymo_node_ganesha.n_members, ==, G_N_ELEMENTS (expected));
}

/* A server that counts nothing says so; other forms are not guessed at. */
static void
test_refused (void)
{
  g_autoptr (GByteArray) io = make_io ();
  g_autoptr (GByteArray) none = g_byte_array_new ();
  KymoNodeValues values = { .present = 0 };

  append_status (none, 0);
  g_assert_false (kymo_node_ganesha_take_io ("bs(tt)", (const char *) none->data, none->len,
                                             &values));
  g_assert_false (kymo_node_ganesha_take_io (IO_SIGNATURE, (const char *) none->data, none->len,
                                             &values));
  g_assert_false (kymo_node_ganesha_take_io ("bs(tt)a(qs(tttt)(tttt))", (const char *) io->data,
                                             io->len, &values));
}

/* Each begin of an answer stands at the end of its memory, so that reading on is seen. */
static void
test_cut (void)
{
  g_autoptr (GByteArray) io = make_io ();
  g_autoptr (GByteArray) requests = make_requests ();

  for (guint length = 0; length < MAX (io->len, requests->len); length++)
    {
      g_autofree char *copy = g_memdup2 (length < io->len ? io->data : requests->data, length);
      KymoNodeValues values = { .present = 0 };

      if (length < io->len)
        g_assert_false (kymo_node_ganesha_take_io (IO_SIGNATURE, copy, length, &values));
      if (length < requests->len)
        kymo_node_ganesha_take_requests (REQUESTS_SIGNATURE, copy, length, &values);
    }
}

static void
test_changed (void)
{
  g_autoptr (GByteArray) io = make_io ();
  g_autoptr (GByteArray) requests = make_requests ();

  for (guint at = 0; at < io->len; at++)
    for (guint value = 0; value < 256; value += 51)
      {
        g_autofree char *copy = g_memdup2 (io->data, io->len);
        KymoNodeValues values = { .present = 0 };

        copy[at] = (char) value;
        kymo_node_ganesha_take_io (IO_SIGNATURE, copy, io->len, &values);
      }
  for (guint at = 0; at < requests->len; at++)
    {
      g_autofree char *copy = g_memdup2 (requests->data, requests->len);
      KymoNodeValues values = { .present = 0 };

      copy[at] = '\377';
      kymo_node_ganesha_take_requests (REQUESTS_SIGNATURE, copy, requests->len, &values);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ganesha/numbers", test_numbers);
  g_test_add_func ("/ganesha/refused", test_refused);
  g_test_add_func ("/ganesha/cut", test_cut);
  g_test_add_func ("/ganesha/changed", test_changed);
  return g_test_run ();
}
