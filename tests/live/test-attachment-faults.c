/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The attachment against a server that plays a part: lost blocks, garbage, lines that break. Its
 * patience is shortened.
 */
#include "config.h"

#include <string.h>

#include "watcher.h"

/* -- faults ----------------------------------------------------------------- */

static void
test_late (void)
{
  g_autoptr (Play) play = watched_play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_last (play)->pause_ms = 300;
  play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "Fbb-SE");
  assert_told (watcher, "2: PE 0 of 127.0.0.1:");
  assert_told (watcher, "; late replies: 1\n");
}

/* What is told after a reply that failed like this. */
static void
assert_broken (PlayAct     act,
               GBytes     *payload,
               gsize       n_sent,
               const char *wanted)
{
  g_autoptr (Play) play = watched_play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_add (play, DETAIL, act, payload);
  play_last (play)->n_sent = n_sent;
  if (strchr (wanted, 'L') == NULL)
    {
      play_add (play, ARCH, PLAY_REPLY, watched_arch (FALSE));
      play_add (play, INFO, PLAY_REPLY, watched_info (2));
    }
  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, wanted);
  if (strchr (wanted, 'L') != NULL)
    assert_told (watcher, "; blocks cut off: 1");
  else
    assert_told (watcher, "; connections lost: 1");
}

static void
test_broken (void)
{
  /* The head told of a block: it is lost, the next is asked for. */
  assert_broken (PLAY_CUT, watched_block (2), 100, "FbLb-SE");
  assert_broken (PLAY_CUT, watched_block (2), 4, "FbLb-SE");
  assert_broken (PLAY_DRIP, watched_block (2), 0, "FbLb-SE");
  /* Nobody knows, or it told of nothing. */
  assert_broken (PLAY_CUT, watched_block (2), 3, "FbSSb-SE");
  assert_broken (PLAY_CUT, watched_nothing (), 6, "FbSSb-SE");
  assert_broken (PLAY_RESET, NULL, 0, "FbSSb-SE");
  assert_broken (PLAY_CLOSE, NULL, 0, "FbSSb-SE");
  assert_broken (PLAY_SILENT, NULL, 0, "FbSSb-SE");
}

static void
test_long (void)
{
  g_autoptr (Play) play = watched_play_begin (2);
  g_autoptr (Watcher) watcher = NULL;
  g_autofree char *lost = NULL;

  play_add_raw (play, DETAIL, PLAY_STAY, g_bytes_new ("\x7f\xff\xff\xff", 4));
  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  lost = watcher_dup_text_of (watcher, KYMO_FRAME_LOST);
  g_assert_nonnull (strstr (lost, "announces a reply of 2147483647 bytes"));
}

/* It never answers right: pauses grow, nothing is asked in a hurry. */
static void
test_always_broken (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autoptr (Watcher) watcher = NULL;

  for (guint i = 0; i < 8; i++)
    {
      play_add (play, ARCH, PLAY_REPLY, watched_arch (FALSE));
      play_add (play, INFO, PLAY_REPLY, watched_info (2));
      play_add (play, DETAIL, PLAY_CLOSE, NULL);
    }
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "E");
  assert_told (watcher, "; trying again in 0.005 s");
  assert_told (watcher, "; trying again in 0.3 s");
}

/* Replies that are whole and hold no block: each is kept, and the next is asked for after
   a pause that grows, until one can be read. */
static void
test_garbage (void)
{
  enum { N_BAD = 6 };
  g_autoptr (Play) play = watched_play_begin (2);
  g_autoptr (Watcher) watcher = NULL;
  gint64 pause_us = G_USEC_PER_SEC / 4 / HASTE;
  guint n_waits = 0;

  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  for (guint i = 0; i < N_BAD; i++)
    play_add (play, DETAIL, PLAY_REPLY, g_bytes_new ("garbage in place of a block", 27));
  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_add (play, DETAIL, PLAY_REPLY, g_bytes_new ("\1\0\0\0", 4));
  play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  g_assert_cmpint (play_get_n_done (play), ==, 2 + 1 + N_BAD + 3);
  assert_told (watcher, " sends replies that cannot be read: the reply claims ");
  assert_told (watcher, "; unreadable replies: 7\n");
  for (const char *p = watcher->told->str; (p = strstr (p, "cannot be read")) != NULL; p++)
    n_waits++;
  g_assert_cmpint (n_waits, ==, N_BAD + 1);
  /* The form, the first block, the bad ones, the good one. Timers never fire early. */
  for (guint i = 2; i < 2 + N_BAD; i++, pause_us *= 2)
    {
      KymoStreamFrame *bad = watcher->frames->pdata[i], *next = watcher->frames->pdata[i + 1];

      g_assert_cmpint (next->at_us - bad->at_us, >=, MIN (pause_us, 300000) * 9 / 10);
    }
}

/* Another program took the place of the first. */
static void
test_another (void)
{
  g_autoptr (Play) play = watched_play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_add (play, DETAIL, PLAY_RESET, NULL);
  play_add (play, ARCH, PLAY_REPLY, watched_arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, watched_info (8));
  play_add (play, DETAIL, PLAY_REPLY, NULL);
  play_add (play, DOUBLES, PLAY_REPLY, g_bytes_new ("0123456789abcdef", 16));
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "FbSSFSbSE");
  g_assert_cmpint (watcher->frames->len, ==, 9);
}

/* A stream that goes: its handler is unknown from now on. */
static void
test_stream_gone (void)
{
  g_autoptr (Play) play = watched_play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  for (guint i = 0; i < 10; i++)
    play_add (play, DETAIL, PLAY_REPLY, NULL);
  play_add (play, ARCH, PLAY_REPLY, watched_arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, watched_info (2));
  play_add (play, DETAIL, PLAY_REPLY, NULL);
  play_add (play, DOUBLES, PLAY_REPLY, NULL);
  play_add (play, SHARES, PLAY_REPLY, g_bytes_new ("abc", 3));
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "Fb0000000000SFbSE");
}

static void
test_never_there (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", play_get_port (play));
  g_autoptr (Watcher) watcher = NULL;

  g_clear_pointer (&play, play_free);
  watcher = watcher_follow (text, HASTE, KYMO_ATTACHMENT_WAITING);
  assert_told (watcher, "4: Nobody listens at 127.0.0.1:");
  kymo_attachment_retry (watcher->attachment);
  g_main_loop_run (watcher->loop);
  assert_told (watcher, "yet; trying again in 0.01 s");
  g_assert_cmpint (watcher->frames->len, ==, 0);
}

/* A host that is silent has not ended, however often it is asked. */
static void
test_network (void)
{
  g_autoptr (Play) play = watched_play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  for (guint i = 0; i < 3; i++)
    play_add (play, NULL, PLAY_SILENT, NULL);
  play_add (play, ARCH, PLAY_REPLY, watched_arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, watched_info (2));
  play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "FbSSbSE");
  assert_told (watcher, "4: 127.0.0.1:");
  assert_told (watcher, "took the request but did not answer within 1.2 s");
}

/* The program's time falls behind, and that is told once. */
static void
test_behind (void)
{
  g_autoptr (Play) play = watched_play_begin (1);
  g_autoptr (Watcher) watcher = NULL;
  guint8 bin[10] = { 1, 0, 0, 0, 1 };

  for (guint i = 0; i < 90; i++)
    {
      play_add (play, DETAIL, PLAY_REPLY, g_bytes_new (bin, sizeof bin));
      if (i == 30 || i == 60)
        play_last (play)->pause_ms = 1200;
    }
  play_start (play);
  watcher = watcher_follow_port_at (play, 20, KYMO_ATTACHMENT_ENDED);
  g_assert_cmpint (watcher->frames->len, ==, 1 + 90 + 1 + 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attachment-faults/late", test_late);
  g_test_add_func ("/attachment-faults/broken", test_broken);
  g_test_add_func ("/attachment-faults/long", test_long);
  g_test_add_func ("/attachment-faults/always-broken", test_always_broken);
  g_test_add_func ("/attachment-faults/garbage", test_garbage);
  g_test_add_func ("/attachment-faults/another", test_another);
  g_test_add_func ("/attachment-faults/stream-gone", test_stream_gone);
  g_test_add_func ("/attachment-faults/never-there", test_never_there);
  g_test_add_func ("/attachment-faults/network", test_network);
  g_test_add_func ("/attachment-faults/behind", test_behind);
  return g_test_run ();
}
