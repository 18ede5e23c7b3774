/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The attachment against a server that plays a part: start-up, catching up and ends. Its patience
 * is shortened.
 */
#include "config.h"

#include <string.h>

#include "watcher.h"

/* -- what a program does ---------------------------------------------------- */

static void
test_follow (void)
{
  g_autoptr (Play) play = watched_play_begin (4);
  g_autoptr (Watcher) watcher = NULL;
  g_autofree char *form = NULL;

  for (guint i = 0; i < 5; i++)
    play_add (play, DETAIL, PLAY_REPLY, watched_block (4));
  play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
  play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
  play_add (play, DETAIL, PLAY_REPLY, watched_block (4));
  play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "Fbbbbb--b-SE");
  form = watcher_dup_text_of (watcher, KYMO_FRAME_FORM);
  g_assert_nonnull (strstr (form, "handler: " DETAIL "\nbyte-order: little\npes: 4\n"
                            "processes: 4\nword-bits: 64\ntarget: 127.0.0.1:"));
  assert_told (watcher, "2: Catching up with");
  assert_told (watcher, "3: Following 127.0.0.1:");
  assert_told (watcher, "on 4 PEs\n");
  assert_told (watcher, "6: The program at ");
  g_assert_cmpint (kymo_attachment_get_bytes_sent (watcher->attachment), ==, 11 * 40);
  g_assert_cmpint (play_get_n_done (play), ==, 11);
  watcher->until = KYMO_ATTACHMENT_WAITING;
  kymo_attachment_retry (watcher->attachment);
  g_main_loop_run (watcher->loop);
  assert_told (watcher, "4: Nobody listens at 127.0.0.1:");
  assert_kinds (watcher, "Fbbbbb--b-SE");
}

/* Handlers are unknown until the modules are up; then each answers. */
static void
test_start_up (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autoptr (Watcher) watcher = NULL;
  g_autofree char *form = NULL;

  for (guint i = 0; i < 3; i++)
    {
      play_add (play, ARCH, PLAY_REPLY, NULL);
      play_add (play, INFO, PLAY_REPLY, NULL);
      play_add (play, DETAIL, PLAY_REPLY, NULL);
      play_add (play, DOUBLES, PLAY_REPLY, NULL);
      play_add (play, SHARES, PLAY_REPLY, NULL);
    }
  play_add (play, ARCH, PLAY_REPLY, watched_arch (TRUE));
  play_add (play, INFO, PLAY_REPLY, watched_info (3));
  for (guint i = 0; i < 2; i++)
    {
      play_add (play, DETAIL, PLAY_REPLY, NULL);
      play_add (play, DOUBLES, PLAY_REPLY, NULL);
      play_add (play, SHARES, PLAY_REPLY, i == 0 ? NULL : g_bytes_new ("\xff", 1));
    }
  play_add (play, SHARES, PLAY_REPLY, g_bytes_new ("abc", 3));
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "F-bSE");
  form = watcher_dup_text_of (watcher, KYMO_FRAME_FORM);
  g_assert_nonnull (strstr (form, "handler: " SHARES "\nbyte-order: big\npes: 3\n"));
  assert_told (watcher, "1: 127.0.0.1:");
}

/* A program that is not in the table of modules that we know. */
static void
test_no_arch (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autoptr (Watcher) watcher = NULL;
  g_autofree char *form = NULL;

  play_add (play, ARCH, PLAY_REPLY, NULL);
  play_add (play, INFO, PLAY_REPLY, g_bytes_new ("\x7f\xff\xff\xff", 4));
  play_add (play, DETAIL, PLAY_REPLY, watched_block (1));
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "FSbSE");
  form = watcher_dup_text_of (watcher, KYMO_FRAME_FORM);
  g_assert_nonnull (strstr (form, "byte-order: little\nbyte-order-from: assumed\n"));
  g_assert_null (strstr (form, "pes:"));
}

static void
test_no_stream (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, ARCH, PLAY_REPLY, watched_arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, watched_info (1));
  for (guint i = 0; i < 400; i++)
    play_add (play, NULL, PLAY_REPLY, NULL);
  play_start (play);
  watcher = watcher_follow_port (play, KYMO_ATTACHMENT_NO_STREAM);
  assert_kinds (watcher, "");
  assert_told (watcher, "traceEnableCCS() in an entry method");
  /* Pauses grow: 30 s are some dozen rounds of three requests. */
  g_assert_cmpint (play_get_n_done (play), <, 60);
}

/* -- freeing ---------------------------------------------------------------- */

typedef struct
{
  KymoAttachment *attachment;
  int             left;         /* events until it is freed */
} Short;

static void
count_down (Short *life)
{
  g_assert_cmpint (life->left, >, 0);
  if (--life->left == 0)
    g_clear_pointer (&life->attachment, kymo_attachment_free);
}

static void
short_frame (KymoStreamFrame *frame,
             gpointer         data)
{
  count_down (data);
}

static void
short_state (KymoAttachmentState  state,
             const char          *sentence,
             gint64               retry_us,
             gpointer             data)
{
  count_down (data);
}

/* Freed within any event it tells nothing more. */
static void
test_free (void)
{
  const KymoAttachmentEvents events = { short_frame, short_state };

  for (int n = 1; n <= 14; n++)
    {
      g_autoptr (Play) play = watched_play_begin (2);
      g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", play_get_port (play));
      g_autoptr (KymoCcsTarget) target = kymo_ccs_target_parse (text, NULL, NULL, NULL);
      Short life = { NULL, n };

      play_add (play, DETAIL, PLAY_REPLY, watched_block (2));
      play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
      play_add (play, DETAIL, PLAY_CUT, watched_block (2));
      play_last (play)->n_sent = 50;
      play_add (play, DETAIL, PLAY_RESET, NULL);
      play_add (play, ARCH, PLAY_REPLY, watched_arch (TRUE));
      play_add (play, INFO, PLAY_REPLY, watched_info (2));
      play_add (play, DETAIL, PLAY_REPLY, watched_nothing ());
      play_start (play);
      life.attachment = kymo_attachment_new_hasty (target, &events, &life, HASTE);
      kymo_attachment_start (life.attachment);
      while (life.attachment != NULL)
        g_main_context_iteration (NULL, TRUE);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attachment/follow", test_follow);
  g_test_add_func ("/attachment/start-up", test_start_up);
  g_test_add_func ("/attachment/no-arch", test_no_arch);
  g_test_add_func ("/attachment/no-stream", test_no_stream);
  g_test_add_func ("/attachment/free", test_free);
  return g_test_run ();
}
