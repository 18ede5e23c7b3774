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

#define HASTE 50
#define TIMEOUT_S 20

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
  g_string_append_printf (watcher->told, "%d: %s\n", state, sentence);
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
watch_port (Play                *play,
            KymoAttachmentState  until)
{
  g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", play_get_port (play));

  return watch (text, HASTE, until);
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
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attachment/follow", test_follow);
  return g_test_run ();
}
