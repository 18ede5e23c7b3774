/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "kymo-rec-sys.h"

#define IN_BYTES (sizeof (KymoLinkHead) + KYMO_LINK_MOST_BYTES)
#define FIRST_OUT (64u << 10)

/**
 * kymo_live_link_init: makes a link that is not connected.
 */
void
kymo_live_link_init (KymoLiveLink *link)
{
  memset (link, 0, sizeof *link);
  link->fd = -1;
}

/**
 * kymo_live_link_open: connects a link.
 * @fd: a connected socket that does not block; the link closes it
 * @rank: of the other end
 */
void
kymo_live_link_open (KymoLiveLink *link,
                     int           fd,
                     uint32_t      rank)
{
  link->fd = fd;
  link->rank = rank;
  link->n_in = link->out_at = link->n_out = 0;
}

/**
 * kymo_live_link_close: closes the connection, if there is one, and frees what waits.
 */
void
kymo_live_link_close (KymoLiveLink *link)
{
  if (link->fd >= 0)
    kymo_sys_close (link->fd);
  if (link->in != NULL)
    kymo_sys_unmap (link->in, IN_BYTES);
  if (link->out != NULL)
    kymo_sys_unmap (link->out, link->out_room);
  link->fd = -1;
  link->in = link->out = NULL;
  link->out_room = link->n_in = link->out_at = link->n_out = 0;
}

/* Room for more bytes to send. */
static bool
make_room (KymoLiveLink *link,
           size_t        n_bytes)
{
  size_t n_kept = link->n_out - link->out_at, room = link->out_room;

  if (link->out != NULL && link->n_out + n_bytes <= room)
    return true;
  if (link->out != NULL && link->out_at > 0)
    memmove (link->out, link->out + link->out_at, n_kept);
  link->out_at = 0;
  link->n_out = n_kept;
  if (link->out != NULL && n_kept + n_bytes <= room)
    return true;
  if (n_kept + n_bytes > KYMO_LINK_MOST_KEPT)
    return false;
  for (room = room == 0 ? FIRST_OUT : room; room < n_kept + n_bytes;)
    room *= 2;
  uint8_t *larger = kymo_sys_map (room, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (larger == NULL)
    return false;
  if (link->out != NULL)
    {
      memcpy (larger, link->out, n_kept);
      kymo_sys_unmap (link->out, link->out_room);
    }
  link->out = larger;
  link->out_room = room;
  return true;
}

/**
 * kymo_live_link_put: keeps a message for kymo_live_link_write().
 * @from: rank of who told it first
 *
 * Returns: FALSE if there is no connection, the message is too long, or too much waits
 */
bool
kymo_live_link_put (KymoLiveLink *link,
                    uint32_t      kind,
                    uint32_t      from,
                    const void   *bytes,
                    size_t        n_bytes)
{
  KymoLinkHead head = { KYMO_LINK_MAGIC, kind, from, (uint32_t) n_bytes };

  if (link->fd < 0 || n_bytes > KYMO_LINK_MOST_BYTES)
    return false;
  if (!make_room (link, sizeof head + n_bytes))
    {
      link->n_dropped++;
      return false;
    }
  memcpy (link->out + link->n_out, &head, sizeof head);
  if (n_bytes > 0)
    memcpy (link->out + link->n_out + sizeof head, bytes, n_bytes);
  link->n_out += sizeof head + n_bytes;
  return true;
}

/**
 * kymo_live_link_write: sends what can be sent now.
 *
 * Returns: FALSE if the connection is broken
 */
bool
kymo_live_link_write (KymoLiveLink *link)
{
  while (link->out_at < link->n_out)
    {
      ssize_t n = send (link->fd, link->out + link->out_at, link->n_out - link->out_at,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
      if (n <= 0)
        return false;
      link->out_at += (size_t) n;
    }
  link->out_at = link->n_out = 0;
  return true;
}

/**
 * kymo_live_link_forget: drops what waits to be sent, as the other end does not read any more.
 */
void
kymo_live_link_forget (KymoLiveLink *link)
{
  link->out_at = link->n_out = 0;
}

/**
 * kymo_live_link_waits: whether there is something to send.
 */
bool
kymo_live_link_waits (const KymoLiveLink *link)
{
  return link->fd >= 0 && link->out_at < link->n_out;
}

/**
 * kymo_live_link_read: reads what has come, as far as there is room for.
 *
 * Returns: FALSE if the connection is broken or at its end and nothing more can be read of it
 */
bool
kymo_live_link_read (KymoLiveLink *link)
{
  if (link->in == NULL)
    link->in = kymo_sys_map (IN_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (link->in == NULL)
    return false;
  if (link->n_in == IN_BYTES)
    return true;
  ssize_t n = recv (link->fd, link->in + link->n_in, IN_BYTES - link->n_in, MSG_DONTWAIT);
  if (n < 0)
    return errno == EAGAIN || errno == EINTR;
  link->n_in += (size_t) n;
  return n > 0;
}

/**
 * kymo_live_link_drain: says that no more will be sent, and waits up to 0.2 s until the other end
 * closes the connection. Over TCP, what was sent last is lost if it is closed with unread bytes.
 */
void
kymo_live_link_drain (KymoLiveLink *link)
{
  char bytes[4096];

  if (shutdown (link->fd, SHUT_WR) != 0)
    return;
  for (unsigned i = 0; i < 20; i++)
    {
      struct pollfd wait = { link->fd, POLLIN, 0 };
      if (poll (&wait, 1, 10) > 0 && recv (link->fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0)
        return;
    }
}

/**
 * kymo_live_link_peek:
 * @head: (out): what stands before the oldest message
 * @bytes: (out): the message, valid until kymo_live_link_drop() or kymo_live_link_read()
 *
 * Returns: whether there is a whole message. Where bytes are no message, the connection is closed.
 */
bool
kymo_live_link_peek (KymoLiveLink   *link,
                     KymoLinkHead   *head,
                     const uint8_t **bytes)
{
  if (link->fd < 0 || link->n_in < sizeof *head)
    return false;
  memcpy (head, link->in, sizeof *head);
  if (head->magic != KYMO_LINK_MAGIC || head->n_bytes > KYMO_LINK_MOST_BYTES)
    {
      kymo_live_link_close (link);
      return false;
    }
  *bytes = link->in + sizeof *head;
  return link->n_in >= sizeof *head + head->n_bytes;
}

/**
 * kymo_live_link_drop: removes the oldest message, which kymo_live_link_peek() has shown.
 */
void
kymo_live_link_drop (KymoLiveLink *link)
{
  KymoLinkHead head;

  memcpy (&head, link->in, sizeof head);
  size_t n = sizeof head + head.n_bytes;
  memmove (link->in, link->in + n, link->n_in - n);
  link->n_in -= n;
}
