/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames between a Kymo and a server that answers for it. A message is a type, the number of the
 * request it belongs to, and a body of keys and values ("a{sv}"); keys that one side does not know
 * it ignores. Long messages travel in parts, so that short ones overtake them.
 *
 * A part is a header of 32 bytes and its bytes:
 *
 *   0   u32  magic; its order of bytes is that of the header and the body
 *   4   u8   type
 *   5   u8   flags: 1 = the body is compressed, 2 = last part
 *   6   u16  version of the header, 1
 *   8   u64  request
 *   16  u32  bytes of this part
 *   20  u32  number of this part, from 0
 *   24  u64  bytes of all parts
 *
 * A compressed body begins with its length before that (u64); the rest is a stream of zlib.
 * Nothing that a frame claims is allocated before as many bytes have come.
 *
 * The environment variable KYMO_FRAMES names a file to which each message is written as a line.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoFrameType:
 * @KYMO_FRAME_HELLO: first of a client: "version" u, "program" s, "language" s, "compress" s, and
 *   "alive" u: so many seconds after a message the next one comes at the latest
 * @KYMO_FRAME_WELCOME: first of a server: "version" u, "program" s, "kinds" a{sas}, "at-once" u:
 *   most questions under way, "values" u: lists that it keeps, "alive" b: it knows ALIVE,
 *   "left" x: seconds until the server's job ends, where that is known; of a daemon "instance" s,
 *   "node" s, "process" u, "since" x, "clients" u, "runs" u, "memory" x
 * @KYMO_FRAME_OPEN: "path" ay, "base" s, "correct-clocks" b, "no-cache" b, "threads" u,
 *   "memory-limit" x, "drafts" b, "roles" s (the person's rules, empty = the built-in ones); then
 *   PROGRESS and GROWN come, and OPENED or ERROR
 * @KYMO_FRAME_OPENED: "run" u and its facts
 * @KYMO_FRAME_ASK: "run" u, a question, and "derived-metrics" s, those that the person has kept,
 *   "draft" b: whether DRAFT may come first, "narrow" b: whether the table may have narrow columns
 *   (kymo-table-variant.c); then ANSWER or ERROR comes
 * @KYMO_FRAME_ANSWER: "table" v
 * @KYMO_FRAME_ERROR: "domain" s, "code" i, "message" s: the request has ended
 * @KYMO_FRAME_CANCEL: the request with its number is to end
 * @KYMO_FRAME_PROGRESS: "stage" s, "fraction" d
 * @KYMO_FRAME_GROWN: "run" u and its facts: more is known of a run
 * @KYMO_FRAME_KEEP: "run" u: keep it for the next opening; then DONE or ERROR comes
 * @KYMO_FRAME_DONE: the request has ended; "status" i of a WORK
 * @KYMO_FRAME_WORK: "words" aay: a command line of kymo-cli; then OUTPUT and DONE come
 * @KYMO_FRAME_OUTPUT: "stream" u, 1 or 2, "bytes" ay
 * @KYMO_FRAME_CLOSE: "run" u: the client does not ask it any more
 * @KYMO_FRAME_LIST: "path" ay: what lies in a folder; then LISTING or ERROR comes
 * @KYMO_FRAME_LISTING: "path" ay, "at-least" b, and "entries" aa{sv}: "kind" s, "folder" or "run",
 *   "name" s, "path" ay, and where known "what" s, "bytes" x, "at-least" b, "time" x
 * @KYMO_FRAME_READ: "path" ay, "file" ay (of a file beneath the path), "recording" b (a recording
 *   of a stream is meant, which may be the only one of a folder, or there the one named "base" s),
 *   "offset" x, "length" u, at most %KYMO_FRAME_MOST_READ; then BYTES or ERROR comes
 * @KYMO_FRAME_BYTES: "path" ay of the file, "size" x of all of it, "bytes" ay, fewer at its end
 * @KYMO_FRAME_VALUE: "number" u, "value" ax: a list that questions name: see
 *   kymo_frame_name_values(). The one that came %KYMO_FRAME_VALUE_LISTS before it is forgotten
 * @KYMO_FRAME_ALIVE: a client says that it is there
 * @KYMO_FRAME_FILES: "path" ay: which files a run has; then DONE with "path" ay of their folder and
 *   "files" a(ayxx): name, bytes, and time of change in ns since 1970; or ERROR comes
 * @KYMO_FRAME_DIGEST: "path" ay, "file" ay beneath it; then DONE with "sha256" s and "size" x, or
 *   ERROR comes
 * @KYMO_FRAME_DRAFT: "table" v: a coarser form of an answer that is long, before it
 */
typedef enum
{
  KYMO_FRAME_HELLO = 1,
  KYMO_FRAME_WELCOME,
  KYMO_FRAME_OPEN,
  KYMO_FRAME_OPENED,
  KYMO_FRAME_ASK,
  KYMO_FRAME_ANSWER,
  KYMO_FRAME_ERROR,
  KYMO_FRAME_CANCEL,
  KYMO_FRAME_PROGRESS,
  KYMO_FRAME_GROWN,
  KYMO_FRAME_KEEP,
  KYMO_FRAME_DONE,
  KYMO_FRAME_WORK,
  KYMO_FRAME_OUTPUT,
  KYMO_FRAME_CLOSE,
  KYMO_FRAME_LIST,
  KYMO_FRAME_LISTING,
  KYMO_FRAME_READ,
  KYMO_FRAME_BYTES,
  KYMO_FRAME_VALUE,
  KYMO_FRAME_ALIVE,
  KYMO_FRAME_FILES,
  KYMO_FRAME_DIGEST,
  KYMO_FRAME_DRAFT,
} KymoFrameType;

#define KYMO_FRAME_VERSION 1
#define KYMO_FRAME_HEADER 32
/** KYMO_FRAME_PART: bytes of a part at most */
#define KYMO_FRAME_PART (256 * 1024)
#define KYMO_FRAME_MOST_QUESTION (1 << 20)
/** KYMO_FRAME_MOST_VALUE: an order of a million rows is 8 MB of it */
#define KYMO_FRAME_MOST_VALUE (16 << 20)
/** KYMO_FRAME_MOST_READ: bytes of a file in one message */
#define KYMO_FRAME_MOST_READ (4 << 20)
#define KYMO_FRAME_MOST_ANSWER (256 << 20)
/** KYMO_FRAME_AT_ONCE: most questions of a client that are under way */
#define KYMO_FRAME_AT_ONCE 8
/** KYMO_FRAME_VALUE_LISTS: lists that a server keeps for a client */
#define KYMO_FRAME_VALUE_LISTS 8

/**
 * KymoFrame: a whole message
 * @type: #KymoFrameType, or a number that this program does not know
 * @id: of the request; 0 = none
 * @body: of type "a{sv}", in normal form
 */
typedef struct
{
  guint     type;
  guint64   id;
  GVariant *body;
} KymoFrame;

/** KymoFrameHead: a header as a number of values */
typedef struct
{
  gboolean swapped;
  guint    type;
  guint    flags;
  guint64  id;
  guint32  length;
  guint32  part;
  guint64  total;
} KymoFrameHead;

#define KYMO_FRAME_COMPRESSED 1
#define KYMO_FRAME_LAST 2

const char *kymo_frame_type_to_text (guint                type);
void        kymo_frame_free         (KymoFrame           *frame);
void        kymo_frame_trace        (const char          *direction,
                                     const KymoFrame     *frame);
void        kymo_frame_head_write   (const KymoFrameHead *head,
                                     guchar              *bytes);
gboolean    kymo_frame_head_read    (const guchar        *bytes,
                                     KymoFrameHead       *head);
gboolean    kymo_frame_has_magic    (const guchar        *bytes);
guint       kymo_frame_get_version  (const guchar        *bytes);
GBytes     *kymo_frame_compress     (GBytes              *plain,
                                     GCancellable        *cancellable);
GVariant   *kymo_frame_read_body    (GBytes              *bytes,
                                     const KymoFrameHead *head,
                                     gsize                most,
                                     GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoFrame, kymo_frame_free)

G_END_DECLS
