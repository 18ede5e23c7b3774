/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process in the tree: its connections, the block that is being merged, messages on their way.
 * It knows nothing of the recorder, so that a test can hold a thousand of them. Who has a node
 * polls the descriptors of kymo_live_node_poll(), calls kymo_live_node_work() when one is ready or
 * kymo_live_node_next_ns() is reached, and gives the own block of each second. One thread.
 *
 * A second is closed when all children have given their blocks, or some time after its end; who
 * is late then is not waited for any more until it comes back. Times are those of the stream:
 * nanoseconds since it began.
 *
 * Who loses its parent is an orphan: its owner connects it anew, to the parent if it is still
 * there, or else to the process above that. A process with others below its children therefore
 * listens as long as it lives; it accepts processes that know the secret and were below it
 * before.
 */
#pragma once

#include <poll.h>

#include "kymo-live-block.h"
#include "kymo-live-link.h"
#include "kymo-live-shape.h"

#define KYMO_LIVE_PATIENCE_NS 300000000         /* of rank 0 for those below; of others a part */
#define KYMO_LIVE_MOST_VISITORS 16              /* connections that have not said who they are */
#define KYMO_LIVE_MOST_PLACES 64                /* children, with those that were lost */
#define KYMO_LIVE_MOST_FDS (KYMO_LIVE_MOST_PLACES + KYMO_LIVE_MOST_VISITORS + 3)
#define KYMO_LIVE_MAP_BYTES (KYMO_LIVE_MOST_NAMES * sizeof (uint16_t))

/* Kinds of messages that the tree itself sends; those of kymo-live.h follow. */
enum
{
  KYMO_LIVE_HELLO = 1,          /* KymoLiveHello */
  KYMO_LIVE_NAMES = 2,          /* kymo_live_names_pack() */
  KYMO_LIVE_BLOCK = 3,          /* kymo-live-block.h */
  KYMO_LIVE_BYE = 4,            /* the connection is closed now, as it should be */
};

typedef struct
{
  uint32_t version;             /* 2 */
  uint32_t rank;
  uint8_t secret[32];
  uint32_t via;                 /* the child through which it was below this one, or itself */
  uint32_t n_below;             /* its children */
} KymoLiveHello;

/**
 * KymoLiveEvents: what a node tells
 * @block: a second is closed. On rank 0 it is the block of the job; elsewhere it has gone up
 * @message: from the tree, of a kind of kymo-live.h
 * @late: a child did not give its block in time, or (`back`) does again
 * @gone: a child has closed the connection without a word, a second ago: its process was killed.
 *   Of its `n_below` children `n_adopted` are connected to this process now
 * @orphan: the connection to the parent has ended; with a word (`has_left`) if the parent ends
 */
typedef struct
{
  void (*block)   (const KymoLiveMerge *merge,
                   void                *data);
  void (*message) (uint32_t             kind,
                   uint32_t             from,
                   const void          *bytes,
                   uint32_t             n_bytes,
                   void                *data);
  void (*late)    (uint32_t             rank,
                   bool                 back,
                   void                *data);
  void (*gone)    (uint32_t             rank,
                   uint32_t             n_below,
                   uint32_t             n_adopted,
                   void                *data);
  void (*orphan)  (bool                 has_left,
                   void                *data);
} KymoLiveEvents;

typedef struct
{
  KymoLiveLink link;
  uint32_t rank;
  uint32_t n_below;             /* its children, when it came */
  uint32_t n_adopted;           /* of these: connected here since */
  uint64_t lost_ns;             /* when it was lost, and this is to be told; 0 = it is not */
  uint16_t *map;                /* own numbers of its names */
  bool has_given;               /* its block of this second */
  bool holds;                   /* its next block is of a later second, and waits */
  bool is_late;                 /* it is not waited for */
  bool has_left;                /* it has said that it closes the connection */
  bool is_ended;                /* the other end has closed the connection */
  bool is_over;                 /* and nothing of it waits any more */
  bool is_gone;                 /* it was lost, and this was told */
} KymoLiveChild;

typedef struct
{
  KymoLiveShape shape;          /* its parent is the present one */
  uint8_t secret[32];
  KymoLiveLink parent;
  bool parent_has_left;
  KymoLiveChild children[KYMO_LIVE_MOST_PLACES];
  unsigned n_children;          /* those of the shape first */
  KymoLiveLink visitors[KYMO_LIVE_MOST_VISITORS];
  int near_fd, far_fd;          /* that listen; -1 = not */
  KymoLiveNames names;
  uint32_t n_told;              /* names that the parent has */
  KymoLiveMerge *merge;
  uint64_t number;              /* of the second that is being merged */
  bool has_own;                 /* the own block is in it */
  uint8_t *block;               /* KYMO_LIVE_MOST_BLOCK, to be sent */
  KymoLiveEvents events;
  void *data;
  uint64_t now_ns;              /* of the last work */
  uint64_t n_refused;           /* visitors that did not know the secret */
} KymoLiveNode;

#pragma GCC visibility push (hidden)

bool     kymo_live_node_init    (KymoLiveNode         *node,
                                 const KymoLiveShape  *shape,
                                 const uint8_t        *secret,
                                 const KymoLiveEvents *events,
                                 void                 *data);
void     kymo_live_node_clear   (KymoLiveNode         *node);
bool     kymo_live_node_connect (KymoLiveNode         *node,
                                 int                   fd,
                                 uint32_t              parent,
                                 uint32_t              via,
                                 bool                  far);
bool     kymo_live_node_is_complete (const KymoLiveNode *node);
unsigned kymo_live_node_poll    (const KymoLiveNode   *node,
                                 struct pollfd        *fds);
void     kymo_live_node_work    (KymoLiveNode         *node,
                                 uint64_t              time_ns);
uint64_t kymo_live_node_next_ns (const KymoLiveNode   *node);
void     kymo_live_node_give    (KymoLiveNode         *node,
                                 const uint8_t        *bytes,
                                 size_t                n_bytes,
                                 uint64_t              time_ns);
void     kymo_live_node_skip    (KymoLiveNode         *node,
                                 uint64_t              number);
bool     kymo_live_node_tell_all (KymoLiveNode        *node,
                                 uint32_t              kind,
                                 uint32_t              from,
                                 const void           *bytes,
                                 uint32_t              n_bytes);
bool     kymo_live_node_tell_root (KymoLiveNode       *node,
                                 uint32_t              kind,
                                 uint32_t              from,
                                 const void           *bytes,
                                 uint32_t              n_bytes);
bool     kymo_live_node_is_over (const KymoLiveNode   *node);
void     kymo_live_node_hang_up (KymoLiveNode         *node);

/* Between the files of a node. */
KymoLiveChild *
         kymo_live_node_add_place (KymoLiveNode       *node,
                                 uint32_t              rank);
void     kymo_live_node_hear_visitors (KymoLiveNode   *node);
void     kymo_live_node_close_door (KymoLiveNode      *node);
void     kymo_live_node_lose_child (KymoLiveNode      *node,
                                 KymoLiveChild        *child);
void     kymo_live_node_tell_losses (KymoLiveNode     *node);

#pragma GCC visibility pop
