/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: a way reads only while it has nothing to write. So a side that does not read makes
 * the other side wait, and no more than a buffer lies here.
 */
#include "config.h"

#include "kymo-daemon-relay.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER (64 * 1024)

/** Way: one of the two directions */
typedef struct
{
  int      from, to;
  guchar  *bytes;
  gsize    begin, end;          /* of what is to be written */
  gboolean has_ended;           /* nothing more comes */
} Way;

static gboolean
is_empty (const Way *way)
{
  return way->begin == way->end;
}

static gboolean
is_for_later (void)
{
  return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
}

static void
read_way (Way *way)
{
  gssize n = read (way->from, way->bytes, BUFFER);

  if (n == 0 || (n < 0 && !is_for_later ()))
    way->has_ended = TRUE;
  way->begin = 0;
  way->end = MAX (n, 0);
}

/* The client's end is shared with other processes and stays blocking. A pipe takes as much as
   this without a wait once it can be written to; a socket says so when it cannot take all. */
static gssize
write_some (int fd, const guchar *bytes, gsize size)
{
  gssize n = send (fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);

  return n < 0 && errno == ENOTSOCK ? write (fd, bytes, MIN (size, PIPE_BUF)) : n;
}

/* Returns FALSE where nobody reads any more. */
static gboolean
write_way (Way *way)
{
  gssize n = write_some (way->to, way->bytes + way->begin, way->end - way->begin);

  if (n < 0 && !is_for_later ())
    return FALSE;
  way->begin += MAX (n, 0);
  return TRUE;
}

/* A descriptor that nothing is wanted of is left out: that its other side is gone would end each
   wait at once. */
static struct pollfd
want (int fd, short events)
{
  return (struct pollfd) { events != 0 ? fd : -1, events, 0 };
}

static short
reading (const Way *way)
{
  return !way->has_ended && is_empty (way) ? POLLIN : 0;
}

static short
writing (const Way *way)
{
  return is_empty (way) ? 0 : POLLOUT;
}

/* What the daemon does not read any more is dropped; its end shows when it is read from. */
static void
push_up (Way *up, int line)
{
  if (!is_empty (up) && !write_way (up))
    {
      up->begin = up->end;
      up->from = -1;
    }
  if (is_empty (up) && up->has_ended)
    shutdown (line, SHUT_WR);
}

/* A step; FALSE where the client is gone. The client's end is written to only where poll() allows
   that, for it may block. */
static gboolean
carry (Way *up, Way *down, int line)
{
  struct pollfd fds[] = {
    want (up->from, reading (up)), want (line, reading (down) | writing (up)),
    { down->to, writing (down), 0 },
  };
  gboolean was_open = !up->has_ended || !is_empty (up);

  if (poll (fds, G_N_ELEMENTS (fds), -1) < 0)
    return errno == EINTR;
  if ((fds[2].revents & ~POLLOUT) != 0
      || ((fds[2].revents & POLLOUT) != 0 && !write_way (down)))
    return FALSE;
  if (fds[0].revents != 0)
    read_way (up);
  if (was_open && (fds[0].revents != 0 || (fds[1].revents & ~POLLIN) != 0))
    push_up (up, line);
  if (reading (down) != 0 && (fds[1].revents & ~POLLOUT) != 0)
    read_way (down);
  return TRUE;
}

/**
 * kymo_daemon_relay:
 * @in: where the client's bytes come from; may be that of @out
 * @out: where bytes for the client go
 * @line: to the daemon, a non-blocking socket
 *
 * Blocks until one of both sides is gone.
 *
 * Returns: %FALSE where the daemon went first
 */
gboolean
kymo_daemon_relay (int in, int out, int line)
{
  g_autofree guchar *up_bytes = g_malloc (BUFFER);
  g_autofree guchar *down_bytes = g_malloc (BUFFER);
  Way up = { in, line, up_bytes, 0, 0, FALSE };
  Way down = { line, out, down_bytes, 0, 0, FALSE };

  signal (SIGPIPE, SIG_IGN);
  while (!down.has_ended || !is_empty (&down))
    if (!carry (&up, &down, line))
      return TRUE;
  return up.has_ended;
}
