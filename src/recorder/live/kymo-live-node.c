/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-node.h"

#include <string.h>

#include "kymo-rec-sys.h"

#define SECOND_NS 1000000000u

/**
 * kymo_live_node_init: makes a node without connections.
 * @shape: its place; copied
 * @secret: 32 bytes that all processes of the job know
 * @events: what is called; copied
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_live_node_init (KymoLiveNode         *node,
                     const KymoLiveShape  *shape,
                     const uint8_t        *secret,
                     const KymoLiveEvents *events,
                     void                 *data)
{
  memset (node, 0, sizeof *node);
  node->shape = *shape;
  memcpy (node->secret, secret, sizeof node->secret);
  node->events = *events;
  node->data = data;
  node->near_fd = node->far_fd = -1;
  kymo_live_link_init (&node->parent);
  for (unsigned i = 0; i < KYMO_LIVE_MOST_PLACES; i++)
    kymo_live_link_init (&node->children[i].link);
  for (unsigned i = 0; i < KYMO_LIVE_MOST_VISITORS; i++)
    kymo_live_link_init (&node->visitors[i]);
  node->merge = kymo_sys_map (sizeof *node->merge, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  node->block = kymo_sys_map (KYMO_LIVE_MOST_BLOCK, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (node->merge == NULL || node->block == NULL || !kymo_live_names_init (&node->names))
    return false;
  for (unsigned i = 0; i < shape->n_children; i++)
    if (!kymo_live_node_add_place (node, shape->children[i]))
      return false;
  kymo_live_merge_init (node->merge, 0);
  return true;
}

static void
say_bye (KymoLiveNode *node,
         KymoLiveLink *link)
{
  if (kymo_live_link_put (link, KYMO_LIVE_BYE, node->shape.rank, NULL, 0))
    kymo_live_link_write (link);
}

/**
 * kymo_live_node_clear: closes and frees everything but the node itself.
 */
void
kymo_live_node_clear (KymoLiveNode *node)
{
  kymo_live_node_close_door (node);
  kymo_live_link_close (&node->parent);
  for (unsigned i = 0; i < KYMO_LIVE_MOST_PLACES; i++)
    {
      say_bye (node, &node->children[i].link);
      kymo_live_link_close (&node->children[i].link);
      if (node->children[i].map != NULL)
        kymo_sys_unmap (node->children[i].map, KYMO_LIVE_MAP_BYTES);
      node->children[i].map = NULL;
    }
  if (node->merge != NULL)
    kymo_sys_unmap (node->merge, sizeof *node->merge);
  if (node->block != NULL)
    kymo_sys_unmap (node->block, KYMO_LIVE_MOST_BLOCK);
  node->merge = NULL;
  node->block = NULL;
  kymo_live_names_clear (&node->names);
}

/* -- messages ----------------------------------------------------------------- */

/**
 * kymo_live_node_tell_all: sends a message to all processes below, and takes it here.
 *
 * Returns: FALSE if a child did not get it
 */
bool
kymo_live_node_tell_all (KymoLiveNode *node,
                         uint32_t      kind,
                         uint32_t      from,
                         const void   *bytes,
                         uint32_t      n_bytes)
{
  bool good = true;

  for (unsigned i = 0; i < node->n_children; i++)
    {
      KymoLiveLink *link = &node->children[i].link;
      if (!kymo_live_link_put (link, kind, from, bytes, n_bytes) || !kymo_live_link_write (link))
        good = false;
    }
  node->events.message (kind, from, bytes, n_bytes, node->data);
  return good;
}

/**
 * kymo_live_node_tell_root: sends a message to rank 0; there it is taken.
 *
 * Returns: FALSE if it did not go up
 */
bool
kymo_live_node_tell_root (KymoLiveNode *node,
                          uint32_t      kind,
                          uint32_t      from,
                          const void   *bytes,
                          uint32_t      n_bytes)
{
  if (node->shape.parent == KYMO_LIVE_NO_RANK)
    {
      node->events.message (kind, from, bytes, n_bytes, node->data);
      return true;
    }
  return kymo_live_link_put (&node->parent, kind, from, bytes, n_bytes)
         && kymo_live_link_write (&node->parent);
}

/* -- blocks ------------------------------------------------------------------- */

/* How long after the end of a second its block is waited for: rank 0 waits longest, so a process
 * that is late anywhere delays the stream by the patience of rank 0 at most. */
static uint64_t
patience_of (const KymoLiveShape *shape)
{
  return shape->tree_height == 0
         ? 0 : (uint64_t) KYMO_LIVE_PATIENCE_NS * shape->height / shape->tree_height;
}

/**
 * kymo_live_node_next_ns: when the node has something to do though nothing comes.
 */
uint64_t
kymo_live_node_next_ns (const KymoLiveNode *node)
{
  return (node->number + 1) * SECOND_NS + patience_of (&node->shape);
}

static void
send_names (KymoLiveNode *node)
{
  uint8_t bytes[16384];

  while (node->n_told < node->names.n)
    {
      uint32_t next = node->n_told;
      size_t n = kymo_live_names_pack (&node->names, &next, bytes, sizeof bytes);
      if (n == 0 || !kymo_live_link_put (&node->parent, KYMO_LIVE_NAMES, node->shape.rank, bytes,
                                         n))
        return;
      node->n_told = next;
    }
}

/* The second goes up, and the next one begins. */
static void
close_second (KymoLiveNode *node)
{
  if (node->shape.parent != KYMO_LIVE_NO_RANK && node->merge->weight > 0)
    {
      send_names (node);
      size_t n = kymo_live_merge_write (node->merge, &node->names, node->block,
                                        KYMO_LIVE_MOST_BLOCK);
      if (n > 0 && kymo_live_link_put (&node->parent, KYMO_LIVE_BLOCK, node->shape.rank,
                                       node->block, n)
          && !kymo_live_link_write (&node->parent))
        kymo_live_link_forget (&node->parent);
    }
  if (node->events.block != NULL)
    node->events.block (node->merge, node->data);
  for (unsigned i = 0; i < node->n_children; i++)
    {
      KymoLiveChild *child = &node->children[i];
      if (!child->has_given && !child->holds && !child->is_late && !child->is_over)
        {
          child->is_late = true;
          node->events.late (child->rank, false, node->data);
        }
      child->has_given = child->holds = false;
    }
  node->has_own = false;
  kymo_live_merge_init (node->merge, ++node->number);
}

static bool
has_all (const KymoLiveNode *node)
{
  for (unsigned i = 0; i < node->n_children; i++)
    {
      const KymoLiveChild *child = &node->children[i];
      if (!child->has_given && !child->holds && !child->is_late && !child->is_over)
        return false;
    }
  return node->has_own;
}

/* Takes a block of a child. FALSE if it is of a later second: it stays where it is. A child that
 * was late is waited for again when its blocks come in their second or soon after. */
static bool
take_block (KymoLiveNode  *node,
            KymoLiveChild *child,
            const uint8_t *bytes,
            size_t         n_bytes)
{
  KymoLiveHead head;

  if (n_bytes < sizeof head)
    return true;
  memcpy (&head, bytes, sizeof head);
  if (head.number > node->number)
    return false;
  if (child->is_late && head.number + 1 >= node->number)
    {
      child->is_late = false;
      node->events.late (child->rank, true, node->data);
    }
  if (head.number < node->number || child->has_given)
    return true;
  child->has_given = kymo_live_merge_block (node->merge, &node->names, child->map, bytes, n_bytes);
  return true;
}

/* Messages of a child, up to one that has to wait. FALSE if the child does not keep to the form. */
static bool
take_messages (KymoLiveNode  *node,
               KymoLiveChild *child)
{
  KymoLinkHead head;
  const uint8_t *bytes;

  for (; kymo_live_link_peek (&child->link, &head, &bytes); kymo_live_link_drop (&child->link))
    switch (head.kind)
      {
      case KYMO_LIVE_NAMES:
        if (!kymo_live_names_unpack (&node->names, child->map, bytes, head.n_bytes))
          return false;
        break;
      case KYMO_LIVE_BLOCK:
        child->holds = !take_block (node, child, bytes, head.n_bytes);
        if (child->holds)
          return true;
        break;
      case KYMO_LIVE_BYE:
        child->has_left = true;
        break;
      default:
        kymo_live_node_tell_root (node, head.kind, head.from, bytes, head.n_bytes);
        break;
      }
  return child->link.fd >= 0;
}

/* Reads a child until nothing more is there. What waits for its second is taken before the child
 * counts as gone. */
static void
hear_child (KymoLiveNode  *node,
            KymoLiveChild *child)
{
  for (bool got = true; got && child->link.fd >= 0;)
    {
      size_t before = child->link.n_in;
      if (!child->is_ended)
        child->is_ended = !kymo_live_link_read (&child->link);
      got = child->link.n_in > before;
      if (!take_messages (node, child) || (child->is_ended && !child->holds))
        kymo_live_node_lose_child (node, child);
    }
}

static void
hear_parent (KymoLiveNode *node)
{
  KymoLinkHead head;
  const uint8_t *bytes;
  bool open = kymo_live_link_read (&node->parent);

  for (; kymo_live_link_peek (&node->parent, &head, &bytes); kymo_live_link_drop (&node->parent))
    if (head.kind == KYMO_LIVE_BYE)
      node->parent_has_left = true;
    else
      kymo_live_node_tell_all (node, head.kind, head.from, bytes, head.n_bytes);
  if (open && node->parent.fd >= 0)
    return;
  kymo_live_link_close (&node->parent);
  node->events.orphan (node->parent_has_left, node->data);
}

/**
 * kymo_live_node_poll:
 * @fds: (out): KYMO_LIVE_MOST_FDS entries
 *
 * Returns: how many descriptors there are to wait for
 */
unsigned
kymo_live_node_poll (const KymoLiveNode *node,
                     struct pollfd      *fds)
{
  unsigned n = 0;

  if (node->near_fd >= 0)
    fds[n++] = (struct pollfd) { node->near_fd, POLLIN, 0 };
  if (node->far_fd >= 0)
    fds[n++] = (struct pollfd) { node->far_fd, POLLIN, 0 };
  for (unsigned i = 0; i < KYMO_LIVE_MOST_VISITORS; i++)
    if (node->visitors[i].fd >= 0)
      fds[n++] = (struct pollfd) { node->visitors[i].fd, POLLIN, 0 };
  if (node->parent.fd >= 0)
    fds[n++] = (struct pollfd) { node->parent.fd,
                                 kymo_live_link_waits (&node->parent) ? POLLIN | POLLOUT : POLLIN,
                                 0 };
  for (unsigned i = 0; i < node->n_children; i++)
    {
      const KymoLiveChild *child = &node->children[i];
      short events = kymo_live_link_waits (&child->link) ? POLLOUT : 0;
      if (!child->holds)
        events |= POLLIN;
      if (child->link.fd >= 0 && !child->is_ended)
        fds[n++] = (struct pollfd) { child->link.fd, events, 0 };
    }
  return n;
}

/**
 * kymo_live_node_work: does what there is to do: takes what has come, sends what waits, closes
 * seconds that are complete or over.
 */
void
kymo_live_node_work (KymoLiveNode *node,
                     uint64_t      time_ns)
{
  node->now_ns = time_ns;
  kymo_live_node_hear_visitors (node);
  if (node->parent.fd >= 0)
    hear_parent (node);
  /* The next reading tells that the connection has ended, and what was said before. */
  if (node->parent.fd >= 0 && !kymo_live_link_write (&node->parent))
    kymo_live_link_forget (&node->parent);
  for (unsigned i = 0; i < node->n_children; i++)
    {
      KymoLiveChild *child = &node->children[i];
      /* What a child said before it closed the connection is heard all the same. */
      if (child->link.fd >= 0 && !kymo_live_link_write (&child->link))
        kymo_live_link_forget (&child->link);
      hear_child (node, child);
    }
  while (has_all (node) || (node->has_own && time_ns >= kymo_live_node_next_ns (node)))
    {
      close_second (node);
      for (unsigned i = 0; i < node->n_children; i++)
        hear_child (node, &node->children[i]);
    }
  kymo_live_node_tell_losses (node);
}

/**
 * kymo_live_node_give: gives the own block of a second; it is the next, or a later one.
 * @bytes: the block, with numbers of the node's own names
 */
void
kymo_live_node_give (KymoLiveNode  *node,
                     const uint8_t *bytes,
                     size_t         n_bytes,
                     uint64_t       time_ns)
{
  KymoLiveHead head;

  memcpy (&head, bytes, sizeof head);
  kymo_live_node_skip (node, head.number);
  if (head.number == node->number && !node->has_own)
    {
      kymo_live_merge_block (node->merge, &node->names, NULL, bytes, n_bytes);
      node->has_own = true;
    }
  kymo_live_node_work (node, time_ns);
}

/**
 * kymo_live_node_skip: closes all seconds before one, whoever is in them.
 * @number: of the second that is merged next
 */
void
kymo_live_node_skip (KymoLiveNode *node,
                     uint64_t      number)
{
  while (node->number < number)
    {
      for (unsigned i = 0; i < node->n_children; i++)
        hear_child (node, &node->children[i]);
      if (number - node->number > 64 && node->merge->weight == 0)
        kymo_live_merge_init (node->merge, node->number = number - 64);
      else
        close_second (node);
    }
}

/**
 * kymo_live_node_is_over: whether no child is connected any more and all is sent.
 */
bool
kymo_live_node_is_over (const KymoLiveNode *node)
{
  for (unsigned i = 0; i < node->n_children; i++)
    if (node->children[i].link.fd >= 0)
      return false;
  return !kymo_live_link_waits (&node->parent);
}

/**
 * kymo_live_node_hang_up: closes the connection to the parent, which sees that no more will come.
 */
void
kymo_live_node_hang_up (KymoLiveNode *node)
{
  say_bye (node, &node->parent);
  if (node->parent.fd >= 0 && node->shape.far)
    kymo_live_link_drain (&node->parent);
  kymo_live_link_close (&node->parent);
}
