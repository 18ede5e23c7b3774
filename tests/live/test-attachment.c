/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The attachment against a server that plays a part: start-up, catching up,
 * lost blocks, ends and faults. Its patience is shortened.
 */
#include "config.h"

#include <string.h>

#include "kymo-attachment-private.h"
#include "play.h"

#define ARCH "debug/converse/arch"
#define INFO "ccs_getinfo"
#define DETAIL "CkPerfSumDetail compressed"
#define DOUBLES "CkPerfSummaryCcsClientCB"
#define SHARES "CkPerfSummaryCcsClientCB uchar"

#define HASTE 100
#define TIMEOUT_S 120

typedef struct
{
  KymoAttachment *attachment;
  GPtrArray      *frames;
  GString        *told;         /* "state: sentence" lines */
  GMainLoop      *loop;
  KymoAttachmentState until;
  gboolean        in_time;
} Watcher;

static void
take_frame (KymoStreamFrame *frame,
            gpointer         data)
{
  Watcher *watcher = data;

  g_assert_cmpint (frame->begin_ns, ==, KYMO_FRAME_NO_TIME);
  g_assert_cmpint (frame->at_us, >, 0);
  g_ptr_array_add (watcher->frames, kymo_stream_frame_ref (frame));
}

static void
take_state (KymoAttachmentState  state,
            const char          *sentence,
            gint64               retry_us,
            gpointer             data)
{
  Watcher *watcher = data;

  g_assert_true (g_utf8_validate (sentence, -1, NULL));
  g_assert_cmpint (retry_us != 0, ==, state == KYMO_ATTACHMENT_WAITING);
  g_string_append_printf (watcher->told, "%d: %s", state, sentence);
  if (retry_us > 0)
    g_string_append_printf (watcher->told, "; trying again in %.1g s",
                            (retry_us - g_get_monotonic_time ()) / (double) G_USEC_PER_SEC);
  g_string_append_c (watcher->told, '\n');
  if (state == watcher->until)
    g_main_loop_quit (watcher->loop);
}

static gboolean
give_up (gpointer data)
{
  Watcher *watcher = data;

  watcher->in_time = FALSE;
  g_main_loop_quit (watcher->loop);
  return G_SOURCE_CONTINUE;
}

/* Follows until it is in a state. */
static Watcher *
watch (const char          *text,
       double               haste,
       KymoAttachmentState  until)
{
  const KymoAttachmentEvents events = { take_frame, take_state };
  g_autoptr (KymoCcsTarget) target = kymo_ccs_target_parse (text, NULL, NULL, NULL);
  Watcher *watcher = g_new0 (Watcher, 1);
  guint timer = g_timeout_add_seconds (TIMEOUT_S, give_up, watcher);

  watcher->frames = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  watcher->told = g_string_new (NULL);
  watcher->loop = g_main_loop_new (NULL, FALSE);
  watcher->until = until;
  watcher->in_time = TRUE;
  watcher->attachment = kymo_attachment_new_hasty (target, &events, watcher, haste);
  kymo_attachment_start (watcher->attachment);
  g_main_loop_run (watcher->loop);
  g_source_remove (timer);
  if (!watcher->in_time)
    g_test_message ("told:\n%s", watcher->told->str);
  g_assert_true (watcher->in_time);
  return watcher;
}

static Watcher *
watch_port_at (Play                *play,
               double               haste,
               KymoAttachmentState  until)
{
  g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", play_get_port (play));

  return watch (text, haste, until);
}

static Watcher *
watch_port (Play                *play,
            KymoAttachmentState  until)
{
  return watch_port_at (play, HASTE, until);
}

static void
watcher_free (Watcher *watcher)
{
  kymo_attachment_free (watcher->attachment);
  g_ptr_array_unref (watcher->frames);
  g_string_free (watcher->told, TRUE);
  g_main_loop_unref (watcher->loop);
  g_free (watcher);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Watcher, watcher_free)

/* "F" form, "b" block, "-" nothing, "L" lost, "S" state, "E" end. */
static char *
dup_kinds (Watcher *watcher)
{
  GString *kinds = g_string_new (NULL);

  for (guint i = 0; i < watcher->frames->len; i++)
    {
      KymoStreamFrame *frame = watcher->frames->pdata[i];
      gsize n = g_bytes_get_size (frame->bytes);

      if (frame->kind == KYMO_FRAME_REPLY)
        g_string_append_c (kinds, n == 0 ? '0' : n == 1 || n == 4 ? '-' : 'b');
      else
        g_string_append_c (kinds, "?F?LNMSE"[frame->kind]);
    }
  return g_string_free (kinds, FALSE);
}

static char *
dup_text_of (Watcher       *watcher,
             KymoFrameKind  kind)
{
  for (guint i = 0; i < watcher->frames->len; i++)
    {
      KymoStreamFrame *frame = watcher->frames->pdata[i];

      if (frame->kind == kind)
        return kymo_stream_frame_dup_text (frame);
    }
  return NULL;
}

#define assert_kinds(watcher, wanted) \
  G_STMT_START { g_autofree char *kinds = dup_kinds (watcher); \
    g_assert_cmpstr (kinds, ==, wanted); } G_STMT_END
#define assert_told(watcher, words) \
  G_STMT_START { if (strstr ((watcher)->told->str, words) == NULL) \
      g_test_message ("told:\n%s", (watcher)->told->str); \
    g_assert_nonnull (strstr ((watcher)->told->str, words)); } G_STMT_END

static GBytes *
arch (gboolean big_endian)
{
  const guint8 bytes[8] = { 8, 10, 2, big_endian ? 2 : 1, 4, 8, 8, 1 };

  return g_bytes_new (bytes, sizeof bytes);
}

static GBytes *
info (guint n_pes)
{
  g_autofree guint32 *words = g_new (guint32, n_pes + 1);

  words[0] = GUINT32_TO_BE (n_pes);
  for (guint i = 0; i < n_pes; i++)
    words[i + 1] = GUINT32_TO_BE (1);
  return g_bytes_new (words, 4 * (n_pes + 1));
}

static GBytes *
nothing (void)
{
  return g_bytes_new ("\0\0\0\0", 4);
}

/* 1,000 bins of no records. */
static GBytes *
block (guint n_pes)
{
  g_autofree guint8 *bytes = g_malloc0 (8 + 2000);
  guint32 words[2] = { GUINT32_TO_LE (1000), GUINT32_TO_LE (n_pes) };

  memcpy (bytes, words, 8);
  return g_bytes_new (bytes, 8 + 2000);
}

static Play *
play_begin (guint n_pes)
{
  Play *play = play_new (FALSE);

  play_add (play, ARCH, PLAY_REPLY, arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, info (n_pes));
  return play;
}

/* -- what a program does ---------------------------------------------------- */

static void
test_follow (void)
{
  g_autoptr (Play) play = play_begin (4);
  g_autoptr (Watcher) watcher = NULL;
  g_autofree char *form = NULL;

  for (guint i = 0; i < 5; i++)
    play_add (play, DETAIL, PLAY_REPLY, block (4));
  play_add (play, DETAIL, PLAY_REPLY, nothing ());
  play_add (play, DETAIL, PLAY_REPLY, nothing ());
  play_add (play, DETAIL, PLAY_REPLY, block (4));
  play_add (play, DETAIL, PLAY_REPLY, nothing ());
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "Fbbbbb--b-SE");
  form = dup_text_of (watcher, KYMO_FRAME_FORM);
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
  play_add (play, ARCH, PLAY_REPLY, arch (TRUE));
  play_add (play, INFO, PLAY_REPLY, info (3));
  for (guint i = 0; i < 2; i++)
    {
      play_add (play, DETAIL, PLAY_REPLY, NULL);
      play_add (play, DOUBLES, PLAY_REPLY, NULL);
      play_add (play, SHARES, PLAY_REPLY, i == 0 ? NULL : g_bytes_new ("\xff", 1));
    }
  play_add (play, SHARES, PLAY_REPLY, g_bytes_new ("abc", 3));
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "F-bSE");
  form = dup_text_of (watcher, KYMO_FRAME_FORM);
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
  play_add (play, DETAIL, PLAY_REPLY, block (1));
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "FSbSE");
  form = dup_text_of (watcher, KYMO_FRAME_FORM);
  g_assert_nonnull (strstr (form, "byte-order: little\nbyte-order-from: assumed\n"));
  g_assert_null (strstr (form, "pes:"));
}

static void
test_no_stream (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, ARCH, PLAY_REPLY, arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, info (1));
  for (guint i = 0; i < 400; i++)
    play_add (play, NULL, PLAY_REPLY, NULL);
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_NO_STREAM);
  assert_kinds (watcher, "");
  assert_told (watcher, "traceEnableCCS() in an entry method");
  /* Pauses grow: 30 s are some dozen rounds of three requests. */
  g_assert_cmpint (play_get_n_done (play), <, 60);
}

/* -- faults ----------------------------------------------------------------- */

static void
test_late (void)
{
  g_autoptr (Play) play = play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_last (play)->pause_ms = 300;
  play_add (play, DETAIL, PLAY_REPLY, nothing ());
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
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
  g_autoptr (Play) play = play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_add (play, DETAIL, act, payload);
  play_last (play)->n_sent = n_sent;
  if (strchr (wanted, 'L') == NULL)
    {
      play_add (play, ARCH, PLAY_REPLY, arch (FALSE));
      play_add (play, INFO, PLAY_REPLY, info (2));
    }
  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_add (play, DETAIL, PLAY_REPLY, nothing ());
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
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
  assert_broken (PLAY_CUT, block (2), 100, "FbLb-SE");
  assert_broken (PLAY_CUT, block (2), 4, "FbLb-SE");
  assert_broken (PLAY_DRIP, block (2), 0, "FbLb-SE");
  /* Nobody knows, or it told of nothing. */
  assert_broken (PLAY_CUT, block (2), 3, "FbSSb-SE");
  assert_broken (PLAY_CUT, nothing (), 6, "FbSSb-SE");
  assert_broken (PLAY_RESET, NULL, 0, "FbSSb-SE");
  assert_broken (PLAY_CLOSE, NULL, 0, "FbSSb-SE");
  assert_broken (PLAY_SILENT, NULL, 0, "FbSSb-SE");
}

static void
test_long (void)
{
  g_autoptr (Play) play = play_begin (2);
  g_autoptr (Watcher) watcher = NULL;
  g_autofree char *lost = NULL;

  play_add_raw (play, DETAIL, PLAY_STAY, g_bytes_new ("\x7f\xff\xff\xff", 4));
  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  lost = dup_text_of (watcher, KYMO_FRAME_LOST);
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
      play_add (play, ARCH, PLAY_REPLY, arch (FALSE));
      play_add (play, INFO, PLAY_REPLY, info (2));
      play_add (play, DETAIL, PLAY_CLOSE, NULL);
    }
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
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
  g_autoptr (Play) play = play_begin (2);
  g_autoptr (Watcher) watcher = NULL;
  gint64 pause_us = G_USEC_PER_SEC / 4 / HASTE;
  guint n_waits = 0;

  play_add (play, DETAIL, PLAY_REPLY, block (2));
  for (guint i = 0; i < N_BAD; i++)
    play_add (play, DETAIL, PLAY_REPLY, g_bytes_new ("garbage in place of a block", 27));
  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_add (play, DETAIL, PLAY_REPLY, g_bytes_new ("\1\0\0\0", 4));
  play_add (play, DETAIL, PLAY_REPLY, nothing ());
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  g_assert_cmpint (play_get_n_done (play), ==, 2 + 1 + N_BAD + 3);
  assert_told (watcher, " sends replies that cannot be read: the reply tells of ");
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
  g_autoptr (Play) play = play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_add (play, DETAIL, PLAY_RESET, NULL);
  play_add (play, ARCH, PLAY_REPLY, arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, info (8));
  play_add (play, DETAIL, PLAY_REPLY, NULL);
  play_add (play, DOUBLES, PLAY_REPLY, g_bytes_new ("0123456789abcdef", 16));
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "FbSSFSbSE");
  g_assert_cmpint (watcher->frames->len, ==, 9);
}

/* A stream that goes: its handler is unknown from now on. */
static void
test_stream_gone (void)
{
  g_autoptr (Play) play = play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, block (2));
  for (guint i = 0; i < 10; i++)
    play_add (play, DETAIL, PLAY_REPLY, NULL);
  play_add (play, ARCH, PLAY_REPLY, arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, info (2));
  play_add (play, DETAIL, PLAY_REPLY, NULL);
  play_add (play, DOUBLES, PLAY_REPLY, NULL);
  play_add (play, SHARES, PLAY_REPLY, g_bytes_new ("abc", 3));
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "Fb0000000000SFbSE");
}

static void
test_never_there (void)
{
  g_autoptr (Play) play = play_new (FALSE);
  g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", play_get_port (play));
  g_autoptr (Watcher) watcher = NULL;

  g_clear_pointer (&play, play_free);
  watcher = watch (text, HASTE, KYMO_ATTACHMENT_WAITING);
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
  g_autoptr (Play) play = play_begin (2);
  g_autoptr (Watcher) watcher = NULL;

  play_add (play, DETAIL, PLAY_REPLY, block (2));
  for (guint i = 0; i < 3; i++)
    play_add (play, NULL, PLAY_SILENT, NULL);
  play_add (play, ARCH, PLAY_REPLY, arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, info (2));
  play_add (play, DETAIL, PLAY_REPLY, block (2));
  play_start (play);
  watcher = watch_port (play, KYMO_ATTACHMENT_ENDED);
  assert_kinds (watcher, "FbSSbSE");
  assert_told (watcher, "4: 127.0.0.1:");
  assert_told (watcher, "took the request but did not answer within 1.2 s");
}

/* The program's time falls behind, and that is told once. */
static void
test_behind (void)
{
  g_autoptr (Play) play = play_begin (1);
  g_autoptr (Watcher) watcher = NULL;
  guint8 bin[10] = { 1, 0, 0, 0, 1 };

  for (guint i = 0; i < 90; i++)
    {
      play_add (play, DETAIL, PLAY_REPLY, g_bytes_new (bin, sizeof bin));
      if (i == 30 || i == 60)
        play_last (play)->pause_ms = 1200;
    }
  play_start (play);
  watcher = watch_port_at (play, 20, KYMO_ATTACHMENT_ENDED);
  g_assert_cmpint (watcher->frames->len, ==, 1 + 90 + 1 + 2);
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
      g_autoptr (Play) play = play_begin (2);
      g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", play_get_port (play));
      g_autoptr (KymoCcsTarget) target = kymo_ccs_target_parse (text, NULL, NULL, NULL);
      Short life = { NULL, n };

      play_add (play, DETAIL, PLAY_REPLY, block (2));
      play_add (play, DETAIL, PLAY_REPLY, nothing ());
      play_add (play, DETAIL, PLAY_CUT, block (2));
      play_last (play)->n_sent = 50;
      play_add (play, DETAIL, PLAY_RESET, NULL);
      play_add (play, ARCH, PLAY_REPLY, arch (TRUE));
      play_add (play, INFO, PLAY_REPLY, info (2));
      play_add (play, DETAIL, PLAY_REPLY, nothing ());
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
  g_test_add_func ("/attachment/late", test_late);
  g_test_add_func ("/attachment/broken", test_broken);
  g_test_add_func ("/attachment/long", test_long);
  g_test_add_func ("/attachment/always-broken", test_always_broken);
  g_test_add_func ("/attachment/garbage", test_garbage);
  g_test_add_func ("/attachment/another", test_another);
  g_test_add_func ("/attachment/stream-gone", test_stream_gone);
  g_test_add_func ("/attachment/never-there", test_never_there);
  g_test_add_func ("/attachment/network", test_network);
  g_test_add_func ("/attachment/behind", test_behind);
  g_test_add_func ("/attachment/free", test_free);
  return g_test_run ();
}
