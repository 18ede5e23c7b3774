/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who is connected to a process of the tree: visitors become children, children are lost, and
 * those of a lost child come here. A block goes to one parent alone, so no process is twice in a
 * second, and what a lost process had taken and not sent is missing.
 */
#include <string.h>
#include <sys/socket.h>

#include "kymo-live-node.h"
#include "kymo-rec-sys.h"

/* How long after the loss of a child it is told: it may be back, and those below it come. */
#define RETURN_NS 1000000000u

/* -- places ------------------------------------------------------------------- */

/* A number that was not named belongs to the others. */
static void
forget_names (KymoLiveChild *child)
{
  for (unsigned id = 0; id < KYMO_LIVE_MOST_NAMES; id++)
    child->map[id] = KYMO_LIVE_OTHER;
}

/* A place that nobody has, or that of a child that is gone, had nobody below it, and was told. */
static KymoLiveChild *
find_room (KymoLiveNode *node)
{
  if (node->n_children < KYMO_LIVE_MOST_PLACES)
    return &node->children[node->n_children];
  for (unsigned i = 0; i < node->n_children; i++)
    {
      KymoLiveChild *child = &node->children[i];
      if (child->is_over && child->n_below == 0 && child->lost_ns == 0)
        return child;
    }
  return NULL;
}

/**
 * kymo_live_node_add_place: makes a place for a child that is to come.
 *
 * Returns: (nullable): %NULL if there is no room or no memory
 */
KymoLiveChild *
kymo_live_node_add_place (KymoLiveNode *node,
                          uint32_t      rank)
{
  KymoLiveChild *child = find_room (node);
  uint16_t *map = child != NULL ? child->map : NULL;

  if (child != NULL && map == NULL)
    map = kymo_sys_map (KYMO_LIVE_MAP_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == NULL)
    return NULL;
  memset (child, 0, sizeof *child);
  kymo_live_link_init (&child->link);
  child->rank = rank;
  child->map = map;
  forget_names (child);
  if (child == &node->children[node->n_children])
    node->n_children++;
  return child;
}

static KymoLiveChild *
find_place (KymoLiveNode *node,
            uint32_t      rank)
{
  for (unsigned i = 0; i < node->n_children; i++)
    if (node->children[i].rank == rank)
      return &node->children[i];
  return NULL;
}

/* -- connections -------------------------------------------------------------- */

/**
 * kymo_live_node_close_door: stops listening.
 */
void
kymo_live_node_close_door (KymoLiveNode *node)
{
  if (node->near_fd >= 0)
    kymo_sys_close (node->near_fd);
  if (node->far_fd >= 0)
    kymo_sys_close (node->far_fd);
  node->near_fd = node->far_fd = -1;
  for (unsigned i = 0; i < KYMO_LIVE_MOST_VISITORS; i++)
    kymo_live_link_close (&node->visitors[i]);
}

/**
 * kymo_live_node_connect: says to a parent who this is. From now on blocks go there.
 * @fd: a connection to it; the node closes it
 * @parent: its rank
 * @via: the process through which this one was connected to it before; the own rank if to it itself
 * @far: it is on another node
 *
 * Returns: FALSE if the parent is gone already
 */
bool
kymo_live_node_connect (KymoLiveNode *node,
                        int           fd,
                        uint32_t      parent,
                        uint32_t      via,
                        bool          far)
{
  KymoLiveHello hello = { .version = 2, .rank = node->shape.rank, .via = via };

  for (unsigned i = 0; i < node->n_children; i++)
    hello.n_below += !node->children[i].is_over;
  memcpy (hello.secret, node->secret, sizeof hello.secret);
  kymo_live_link_open (&node->parent, fd, parent);
  node->shape.parent = parent;
  node->shape.far = far;
  node->parent_has_left = false;
  node->n_told = 0;
  if (kymo_live_link_put (&node->parent, KYMO_LIVE_HELLO, node->shape.rank, &hello, sizeof hello)
      && kymo_live_link_write (&node->parent))
    return true;
  kymo_live_link_close (&node->parent);
  return false;
}

/**
 * kymo_live_node_is_complete: whether all children have come, now or before.
 */
bool
kymo_live_node_is_complete (const KymoLiveNode *node)
{
  for (unsigned i = 0; i < node->n_children; i++)
    if (node->children[i].link.fd < 0 && !node->children[i].is_over)
      return false;
  return true;
}

/* Whether others may still come: children whose connection breaks, and those below a lost child. */
static bool
keeps_door (const KymoLiveNode *node)
{
  return node->shape.height > 1 || node->shape.far_children
         || !kymo_live_node_is_complete (node);
}

/* Whether two secrets are equal, in a time that does not tell how far they are. */
static bool
is_secret (const uint8_t *a,
           const uint8_t *b)
{
  unsigned difference = 0;

  for (unsigned i = 0; i < 32; i++)
    difference |= a[i] ^ b[i];
  return difference == 0;
}

/* The child that a visitor says it is, or becomes, or NULL. */
static KymoLiveChild *
find_child (KymoLiveNode        *node,
            const KymoLinkHead  *head,
            const KymoLiveHello *hello)
{
  if (head->kind != KYMO_LIVE_HELLO || hello->version != 2
      || !is_secret (hello->secret, node->secret))
    return NULL;
  KymoLiveChild *child = find_place (node, hello->rank);
  KymoLiveChild *before = find_place (node, hello->via);
  if (child == NULL && before != NULL)
    {
      child = kymo_live_node_add_place (node, hello->rank);
      before->n_adopted += child != NULL;
    }
  return child;
}

/* Connects a child anew if it was connected: the other end knows that the line is broken. */
static void
take_link (KymoLiveNode        *node,
           KymoLiveChild       *child,
           KymoLiveLink        *link,
           const KymoLiveHello *hello)
{
  kymo_live_link_close (&child->link);
  child->link = *link;
  child->n_below = hello->n_below;
  child->n_adopted = 0;
  child->link.rank = hello->rank;
  child->holds = child->has_left = child->is_ended = child->is_over = false;
  child->lost_ns = 0;
  forget_names (child);
  if (child->is_gone)
    node->events.late (child->rank, true, node->data);
  child->is_gone = false;
}

/* A visitor becomes a child, stays a visitor until all of its first message is there, or goes. */
static void
hear_visitor (KymoLiveNode *node,
              KymoLiveLink *visitor)
{
  KymoLinkHead head;
  const uint8_t *bytes;
  KymoLiveHello hello;
  bool open = kymo_live_link_read (visitor);

  if (!kymo_live_link_peek (visitor, &head, &bytes))
    {
      if (!open || visitor->fd < 0
          || (visitor->n_in >= sizeof head && head.n_bytes != sizeof hello))
        {
          node->n_refused++;
          kymo_live_link_close (visitor);
        }
      return;
    }
  KymoLiveChild *child = NULL;
  if (head.n_bytes == sizeof hello)
    {
      memcpy (&hello, bytes, sizeof hello);
      child = find_child (node, &head, &hello);
    }
  if (child == NULL)
    {
      node->n_refused++;
      kymo_live_link_close (visitor);
      return;
    }
  kymo_live_link_drop (visitor);
  take_link (node, child, visitor, &hello);
  kymo_live_link_init (visitor);
  if (!keeps_door (node))
    kymo_live_node_close_door (node);
}

static void
take_visitors (KymoLiveNode *node,
               int           listener)
{
  for (int fd; listener >= 0
       && (fd = accept4 (listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;)
    {
      unsigned i = 0;
      while (i < KYMO_LIVE_MOST_VISITORS && node->visitors[i].fd >= 0)
        i++;
      /* The oldest visitor that has not said a word makes room. */
      if (i == KYMO_LIVE_MOST_VISITORS)
        {
          i = 0;
          node->n_refused++;
          kymo_live_link_close (&node->visitors[i]);
          memmove (node->visitors, node->visitors + 1,
                   (KYMO_LIVE_MOST_VISITORS - 1) * sizeof *node->visitors);
          i = KYMO_LIVE_MOST_VISITORS - 1;
          kymo_live_link_init (&node->visitors[i]);
        }
      kymo_live_link_open (&node->visitors[i], fd, KYMO_LIVE_NO_RANK);
      hear_visitor (node, &node->visitors[i]);
      /* All children may have come: the listeners are closed then. */
      if (node->near_fd != listener && node->far_fd != listener)
        return;
    }
}

/**
 * kymo_live_node_hear_visitors: lets in who has come.
 */
void
kymo_live_node_hear_visitors (KymoLiveNode *node)
{
  take_visitors (node, node->near_fd);
  take_visitors (node, node->far_fd);
  for (unsigned i = 0; i < KYMO_LIVE_MOST_VISITORS; i++)
    if (node->visitors[i].fd >= 0)
      hear_visitor (node, &node->visitors[i]);
}

/* -- losses ------------------------------------------------------------------- */

/**
 * kymo_live_node_lose_child: a child has closed its connection, or does not keep to the form.
 */
void
kymo_live_node_lose_child (KymoLiveNode  *node,
                           KymoLiveChild *child)
{
  kymo_live_link_close (&child->link);
  child->is_over = true;
  child->holds = false;
  if (!child->has_left)
    child->lost_ns = node->now_ns + 1;
}

/**
 * kymo_live_node_tell_losses: tells of lost children that are not back, once each, when those below
 * them have had time to come.
 */
void
kymo_live_node_tell_losses (KymoLiveNode *node)
{
  for (unsigned i = 0; i < node->n_children; i++)
    {
      KymoLiveChild *child = &node->children[i];
      if (child->lost_ns == 0 || node->now_ns < child->lost_ns + RETURN_NS)
        continue;
      child->lost_ns = 0;
      child->is_gone = true;
      node->events.gone (child->rank, child->n_below, child->n_adopted, node->data);
    }
}
