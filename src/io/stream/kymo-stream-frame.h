/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A frame: one thing that came of a running program, or was noted beside it.
 * Frames are what a client makes, what a recording holds, what a playback
 * gives, and what KymoStreamStore makes a run of: all of them are a row of
 * frames.
 *
 * KymoStreamDecoder reads frames in their order and says where in the
 * program's time each lies: blocks carry neither number nor time; the n-th is
 * the n-th stretch since the trace began, if none was lost. It keeps the form
 * of the stream between frames. One thread at a time.
 */
#pragma once

#include "kymo-stream-block.h"

G_BEGIN_DECLS

/**
 * KymoFrameKind:
 * @KYMO_FRAME_FORM: what stream this is, "key: value" lines: `handler`,
 *   `byte-order` (little, big), `pes`, `processes`, `word-bits`, `target`,
 *   `tunnel`, `client`; unknown keys are provenance and are kept. At the begin
 *   and after each new connection to a program
 * @KYMO_FRAME_REPLY: the payload of a reply as it came, empty ones too
 * @KYMO_FRAME_LOST: a reply that was cut or not to be had: its block is gone;
 *   the sentence why. It stands for one second
 * @KYMO_FRAME_NAMES: an .sts file, as it is
 * @KYMO_FRAME_MARK: a sentence: a condition that was met, or a note
 * @KYMO_FRAME_STATE: a sentence: the connection was lost, found again
 * @KYMO_FRAME_END: a sentence: how it ended
 * @KYMO_FRAME_SCALARS: values of the second whose block comes next (docs/formats/live.md)
 */
typedef enum
{
  KYMO_FRAME_FORM = 1,
  KYMO_FRAME_REPLY = 2,
  KYMO_FRAME_LOST = 3,
  KYMO_FRAME_NAMES = 4,
  KYMO_FRAME_MARK = 5,
  KYMO_FRAME_STATE = 6,
  KYMO_FRAME_END = 7,
  KYMO_FRAME_SCALARS = 8,
} KymoFrameKind;

/** KYMO_FRAME_NO_TIME: begin_ns of a frame that has no place yet */
#define KYMO_FRAME_NO_TIME (-1)
/** KYMO_STREAM_MAX_NS: no program is older: ten years */
#define KYMO_STREAM_MAX_NS (G_GINT64_CONSTANT (3653) * 86400 * 1000000000)

/**
 * KymoStreamFrame:
 * @at_us: when it came, microseconds since 1970
 * @begin_ns: where it lies in the program's time, or %KYMO_FRAME_NO_TIME
 * @bytes: payload; its meaning goes by @kind
 *
 * Immutable but for begin_ns, which the decoder sets; shared by reference
 * count between threads once that is done.
 */
typedef struct
{
  gatomicrefcount ref_count;
  KymoFrameKind   kind;
  gint64          at_us;
  gint64          begin_ns;
  GBytes         *bytes;
} KymoStreamFrame;

KymoStreamFrame *kymo_stream_frame_new       (KymoFrameKind    kind,
                                              gint64           at_us,
                                              GBytes          *bytes);
KymoStreamFrame *kymo_stream_frame_new_text  (KymoFrameKind    kind,
                                              gint64           at_us,
                                              const char      *text);
KymoStreamFrame *kymo_stream_frame_new_form  (gint64           at_us,
                                              const KymoStreamForm *form,
                                              const char      *more_lines);
KymoStreamFrame *kymo_stream_frame_ref       (KymoStreamFrame *frame);
void             kymo_stream_frame_unref     (KymoStreamFrame *frame);
char            *kymo_stream_frame_dup_text  (const KymoStreamFrame *frame);
gboolean         kymo_stream_frame_get_form  (const KymoStreamFrame *frame,
                                              KymoStreamForm  *form,
                                              GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamFrame, kymo_stream_frame_unref)

typedef struct _KymoStreamDecoder KymoStreamDecoder;

KymoStreamDecoder *kymo_stream_decoder_new   (void);
void               kymo_stream_decoder_free  (KymoStreamDecoder *decoder);
KymoStreamResult   kymo_stream_decoder_take  (KymoStreamDecoder  *decoder,
                                              KymoStreamFrame    *frame,
                                              const KymoStreamBlock **block,
                                              GError            **error);
gint64             kymo_stream_decoder_get_next_ns (const KymoStreamDecoder *decoder);
gboolean           kymo_stream_decoder_get_form (const KymoStreamDecoder *decoder,
                                              KymoStreamForm     *form);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamDecoder, kymo_stream_decoder_free)

G_END_DECLS
