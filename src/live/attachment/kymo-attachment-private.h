/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the attachment share: kymo-attachment.c asks and tells,
 * -probe finds out what there is, -follow keeps the pace, -faults decides what
 * a failure means.
 */
#pragma once

#include "kymo-attachment.h"
#include "kymo-ccs-client.h"
#include "kymo-ssh-tunnel.h"

G_BEGIN_DECLS

typedef void (*KymoAttachmentStep)    (KymoAttachment *self);
typedef void (*KymoAttachmentReplied) (KymoAttachment *self,
                                       GBytes         *reply);

/* A stream that is not there after this long is told to be missing. */
#define KYMO_ATTACHMENT_PATIENCE_US (30 * G_USEC_PER_SEC)
/* Number of blocks over which the interval is averaged. */
#define KYMO_PACE_BLOCKS 9
/* Number of delays of which the smallest is used. */
#define KYMO_PACE_DELAYS 20

/* Pace at which blocks arrive (kymo-attachment-follow.c). All times are monotonic. */
typedef struct
{
  gint64   arrived_us[KYMO_PACE_BLOCKS];        /* ring */
  guint    n_arrived;           /* since it was caught up with */
  gboolean caught_up;           /* there was an answer of nothing, ever */
  gint64   block_us;            /* what the newest block stands for */
  gint64   ready_us;            /* when it is thought to have been ready */
  gint64   pause_us;            /* between two answers of nothing */
  gboolean overdue;             /* the newest answer came too early */
  guint    n_in_time;           /* blocks since then */
  gboolean in_phase;            /* a block came after such an answer, ever */
  guint    n_at_once;           /* blocks since the last answer of nothing */
  guint    n_empty;             /* answers of no bytes, in a row */

  /* how far the program's time is behind the wall clock */
  gint64   program_us;
  gint64   delays_us[KYMO_PACE_DELAYS];         /* ring */
  guint    n_delays;            /* ever */
  gint64   smallest_us;         /* of this stretch of blocks and the one before */
  gint64   next_smallest_us;    /* of this stretch */
  gboolean told_behind;
} KymoPace;

struct _KymoAttachment
{
  grefcount             ref_count;
  GMainContext         *context;
  KymoCcsTarget        *target;
  KymoAttachmentEvents  events;
  gpointer              data;
  double                haste;          /* all pauses are divided by it */
  gint64                patience_us;    /* with a program without a stream */
  gboolean              closed;         /* no callback is called any more */

  KymoCcsClient        *client;
  gint64                bytes_sent;     /* of clients before this one */
  KymoSshTunnel        *tunnel;
  gint64                tunnel_us;      /* when it was begun */
  KymoAttachmentReplied replied;        /* to the request under way */
  GSource              *timer;
  KymoAttachmentStep    step;           /* at the timer */
  GSource              *late;

  KymoAttachmentState   state;
  char                 *sentence;
  gint64                retry_us;
  char                 *matter;         /* see kymo_attachment_peek_matter() */

  /* facts of the program */
  KymoStreamForm        form;
  KymoStreamForm        told_form;      /* of the newest FORM frame */
  gboolean              has_form;       /* there was one */
  gboolean              has_stream;     /* `form.kind` gives one */
  gboolean              order_known;
  gboolean              asks_stream;    /* the request under way may take a block */
  guint                 n_kinds_asked;
  guint                 n_processes;
  guint                 word_bits;
  gint64                probe_us;       /* since when a stream is looked for */
  gint64                probe_pause_us;
  GBytes               *doubted;        /* a block that may be another program's */
  guint                 doubted_pes;    /* of the last such block */

  /* a program under kymo-record (kymo-attachment-recorder.c) */
  gboolean              is_recorder;    /* it has the handlers of Kymo */
  gboolean              wants_values;
  gint64                next_block;     /* number of the one to ask for */
  GBytes               *block;          /* that waits for its values and names */
  gint64                block_ns;       /* where it begins, or KYMO_FRAME_NO_TIME */
  GBytes               *names;          /* that were given last */

  /* failures */
  gboolean              was_reached;    /* something answered */
  gboolean              was_lost;       /* it was told that the connection failed */
  guint                 n_failed;       /* since the stream answered */
  guint                 n_unreadable;   /* replies, in a row */
  guint                 n_all_unreadable; /* replies, ever */
  guint                 n_refused;      /* in a row */
  gint64                refused_us;     /* the first of them */
  guint                 n_late;         /* replies, ever */
  guint                 n_lost;         /* blocks, ever */
  guint                 n_broken;       /* connections, ever */
  GError               *failure;        /* that is being looked at */

  KymoPace              pace;
};

/* -- kymo-attachment.c ------------------------------------------------------ */
KymoAttachment *kymo_attachment_new_hasty (const KymoCcsTarget         *target,
                                           const KymoAttachmentEvents  *events,
                                           gpointer                     data,
                                           double                       haste);
void      kymo_attachment_open        (KymoAttachment       *self);
void      kymo_attachment_wait        (KymoAttachment       *self,
                                       gint64                pause_us,
                                       KymoAttachmentStep    step);
void      kymo_attachment_ask         (KymoAttachment       *self,
                                       const char           *handler,
                                       KymoAttachmentReplied replied);
void      kymo_attachment_ask_with    (KymoAttachment       *self,
                                       const char           *handler,
                                       GBytes               *data,
                                       KymoAttachmentReplied replied);
void      kymo_attachment_tell        (KymoAttachment       *self,
                                       KymoAttachmentState   state,
                                       gint64                retry_us,
                                       const char           *format,
                                       ...) G_GNUC_PRINTF (4, 5);
void      kymo_attachment_set_matter  (KymoAttachment       *self,
                                       const char           *matter);
void      kymo_attachment_give        (KymoAttachment       *self,
                                       KymoStreamFrame      *frame);
void      kymo_attachment_give_text   (KymoAttachment       *self,
                                       KymoFrameKind         kind,
                                       const char           *text);
void      kymo_attachment_end         (KymoAttachment       *self,
                                       KymoAttachmentState   state,
                                       const char           *sentence);

/* -- kymo-attachment-probe.c ------------------------------------------------ */
void      kymo_attachment_probe       (KymoAttachment       *self);
void      kymo_attachment_probe_again (KymoAttachment       *self,
                                       GBytes               *block,
                                       guint                 n_pes);
void      kymo_attachment_keep_doubted (KymoAttachment      *self);
void      kymo_attachment_give_form   (KymoAttachment       *self);

/* -- kymo-attachment-follow.c ----------------------------------------------- */
void      kymo_attachment_follow      (KymoAttachment       *self);
void      kymo_attachment_take_reply  (KymoAttachment       *self,
                                       GBytes               *reply);
void      kymo_attachment_take_loss   (KymoAttachment       *self);

/* -- kymo-attachment-recorder.c --------------------------------------------- */
void      kymo_attachment_recorder_begin (KymoAttachment    *self);
void      kymo_attachment_recorder_follow (KymoAttachment   *self);

/* -- kymo-attachment-faults.c ----------------------------------------------- */
void      kymo_attachment_take_unreadable
                                      (KymoAttachment       *self,
                                       const char           *why);
void      kymo_attachment_fault       (KymoAttachment       *self,
                                       const GError         *error);

G_END_DECLS
