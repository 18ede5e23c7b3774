/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-act-socket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "kymo-act-order.h"
#include "kymo-live.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define MOST_OUT (256u << 10)   /* bytes that wait for a client */
#define MOST_BAD 64             /* lines of a client that are no requests */
#define BACKLOG 16

typedef struct
{
  int fd;                       /* -1: there is no client */
  size_t n_in;
  bool passes_over;             /* the rest of a line that is too long */
  unsigned n_bad;
  char *out;
  size_t out_at, n_out;
  char in[KYMO_ACT_MOST_LINE + 1];
} Client;

static int listener = -1;
static char path[sizeof ((struct sockaddr_un *) 0)->sun_path];
static char note_path[KYMO_SYS_MOST_PATH];      /* of live.actions */
static Client clients[KYMO_ACT_MOST_CLIENTS];
static Client *asking;          /* whom the answer is for */
static uint32_t n_ranks;
static KymoActLine answer;

/* -- the socket --------------------------------------------------------------- */

/* The user's own folder: nobody else can enter it. */
static bool
make_folder (char   *folder,
             size_t  room)
{
  struct stat found;

  snprintf (folder, room, "/tmp/kymo-%u", (unsigned) geteuid ());
  kymo_sys_mkdir (folder);
  return kymo_sys_stat (folder, &found, AT_SYMLINK_NOFOLLOW) && S_ISDIR (found.st_mode)
         && found.st_uid == geteuid () && (found.st_mode & 07777) == 0700;
}

static bool
listen_here (void)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  strcpy (address.sun_path, path);
  syscall (SYS_unlinkat, AT_FDCWD, path, 0);
  listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0)
    return false;
  if (bind (listener, (struct sockaddr *) &address, sizeof address) == 0
      && listen (listener, BACKLOG) == 0)
    return true;
  kymo_sys_close (listener);
  listener = -1;
  return false;
}

static void
read_host (char   *host,
           size_t  room)
{
  int fd = kymo_sys_open ("/proc/sys/kernel/hostname", O_RDONLY, 0);
  long n = fd >= 0 ? kymo_sys_read (fd, host, room - 1) : 0;

  if (fd >= 0)
    kymo_sys_close (fd);
  host[n > 0 ? n : 0] = '\0';
  host[strcspn (host, "\n")] = '\0';
}

static void
write_note (void)
{
  char text[256], host[128];
  int n;

  read_host (host, sizeof host);
  n = snprintf (text, sizeof text, "%s:%s\n", host, path);
  snprintf (note_path, sizeof note_path, "%s/live.actions", kymo_rec_folder ());
  int fd = kymo_sys_open (note_path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  if (fd < 0 || !kymo_sys_write (fd, text, (size_t) n))
    kymo_rec_say ("live.actions cannot be written into the folder of the run");
  if (fd >= 0)
    kymo_sys_close (fd);
}

/**
 * kymo_act_socket_open: listens, and says in the folder of the run where. If it cannot, it says
 * why.
 *
 * Returns: whether it listens
 */
bool
kymo_act_socket_open (uint32_t n_processes)
{
  char folder[64], sentence[256], words[128];

  n_ranks = n_processes;
  for (unsigned i = 0; i < KYMO_ACT_MOST_CLIENTS; i++)
    clients[i].fd = -1;
  if (!make_folder (folder, sizeof folder))
    {
      snprintf (sentence, sizeof sentence, "%s is not a folder of this user alone: the job takes "
                "no actions", folder);
      kymo_rec_say (sentence);
      return false;
    }
  snprintf (path, sizeof path, "%s/%u.actions", folder, kymo_rec_page->pid);
  if (!listen_here ())
    {
      snprintf (sentence, sizeof sentence, "%s cannot be opened (%s): the job takes no actions",
                path, strerror_r (errno, words, sizeof words));
      kymo_rec_say (sentence);
      return false;
    }
  write_note ();
  return true;
}

/* -- answers ------------------------------------------------------------------ */

static void
close_client (Client *client)
{
  if (client->fd >= 0)
    kymo_sys_close (client->fd);
  if (client->out != NULL)
    kymo_sys_unmap (client->out, MOST_OUT);
  memset (client, 0, sizeof *client);
  client->fd = -1;
}

static void
send_out (Client *client)
{
  while (client->fd >= 0 && client->out_at < client->n_out)
    {
      ssize_t n = send (client->fd, client->out + client->out_at, client->n_out - client->out_at,
                        MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        {
          close_client (client);
          return;
        }
      client->out_at += (size_t) n;
    }
  client->out_at = client->n_out = 0;
}

/* A client that does not read has its connection closed. */
static void
put_line (Client            *client,
          const KymoActLine *line)
{
  if (client->fd < 0)
    return;
  if (client->out_at > 0)
    {
      memmove (client->out, client->out + client->out_at, client->n_out - client->out_at);
      client->n_out -= client->out_at;
      client->out_at = 0;
    }
  if (client->n_out + line->n > MOST_OUT)
    {
      close_client (client);
      return;
    }
  memcpy (client->out + client->n_out, line->bytes, line->n);
  client->n_out += line->n;
}

static void
answer_line (KymoActLine *line)
{
  if (asking != NULL)
    put_line (asking, line);
}

static void
answer_words (const char *word,
              const char *field)
{
  kymo_act_line_begin (&answer, word);
  if (field != NULL)
    kymo_act_line_add (&answer, field);
  kymo_act_line_end (&answer);
  answer_line (&answer);
}

/**
 * kymo_act_broadcast: sends a line to all clients.
 */
void
kymo_act_broadcast (KymoActLine *line)
{
  for (unsigned i = 0; i < KYMO_ACT_MOST_CLIENTS; i++)
    put_line (&clients[i], line);
}

static void
greet_client (void)
{
  char text[32], host[128];
  const char *program = getenv ("KYMO_RECORD_PROGRAM");

  answer_words ("kymo-actions", "1");
  kymo_act_line_begin (&answer, "job");
  kymo_act_line_add (&answer, kymo_rec_folder ());
  kymo_act_line_add (&answer, program != NULL ? program : "");
  snprintf (text, sizeof text, "%u", n_ranks);
  kymo_act_line_add (&answer, text);
  kymo_act_line_add (&answer, kymo_live_address ());
  read_host (host, sizeof host);
  kymo_act_line_add (&answer, host);
  snprintf (text, sizeof text, "%u", kymo_rec_page->pid);
  kymo_act_line_add (&answer, text);
  kymo_act_line_end (&answer);
  answer_line (&answer);
}

/* -- requests ----------------------------------------------------------------- */

static void
refuse_line (const char *sentence)
{
  answer_words ("refused", sentence);
  asking->n_bad++;
}

static void
do_action (char *const *fields,
           int          n_fields)
{
  char words[KYMO_ACT_MOST_WORDS], text[16];
  uint32_t number;

  if (!kymo_act_root_do (fields, n_fields, &number, words))
    {
      answer_words ("refused", words);
      return;
    }
  snprintf (text, sizeof text, "%u", number);
  answer_words ("accepted", text);
  kymo_act_root_announce (number);
}

static void
take_line (Client *client,
           char   *line,
           size_t  n_bytes)
{
  char *fields[KYMO_ACT_MOST_FIELDS];
  int n = kymo_act_line_split (line, n_bytes, fields);

  if (n < 0)
    refuse_line ("The line is no request.");
  else if (strcmp (fields[0], "list") == 0)
    {
      kymo_act_root_list (answer_line);
      answer_words ("end", NULL);
    }
  else if (strcmp (fields[0], "do") == 0)
    do_action (fields + 1, n - 1);
  else if (strcmp (fields[0], "quit") == 0)
    {
      send_out (client);
      close_client (client);
    }
  else
    refuse_line ("There is no such request.");
}

/* Takes whole lines out of what has come. */
static void
take_lines (Client *client)
{
  char line[KYMO_ACT_MOST_LINE + 1], *end;

  while (client->fd >= 0 && (end = memchr (client->in, '\n', client->n_in)) != NULL)
    {
      size_t n = (size_t) (end - client->in);
      bool is_rest = client->passes_over;
      memcpy (line, client->in, n);
      client->n_in -= n + 1;
      memmove (client->in, end + 1, client->n_in);
      client->passes_over = false;
      asking = client;
      if (!is_rest)
        take_line (client, line, n);
      asking = NULL;
      if (client->n_bad >= MOST_BAD)
        {
          send_out (client);
          close_client (client);
        }
    }
  if (client->fd < 0 || client->n_in <= KYMO_ACT_MOST_LINE)
    return;
  client->n_in = 0;
  asking = client;
  if (!client->passes_over)
    refuse_line ("The line is too long.");
  asking = NULL;
  client->passes_over = true;
}

static void
hear_client (Client *client)
{
  while (client->fd >= 0)
    {
      ssize_t n = recv (client->fd, client->in + client->n_in, sizeof client->in - client->n_in,
                        MSG_DONTWAIT);
      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        break;
      if (n <= 0)
        {
          close_client (client);
          return;
        }
      client->n_in += (size_t) n;
      take_lines (client);
      /* Who asks faster than it reads waits. */
      if (client->n_out > MOST_OUT / 2)
        break;
    }
  send_out (client);
}

static bool
is_own_user (int fd)
{
  struct ucred peer;
  socklen_t length = sizeof peer;

  return getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0
         && peer.uid == geteuid ();
}

static void
take_clients (void)
{
  static const char full[] = "refused\tToo many clients are connected.\n";
  int fd;

  while (listener >= 0
         && (fd = accept4 (listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
    {
      unsigned i = 0;
      while (i < KYMO_ACT_MOST_CLIENTS && clients[i].fd >= 0)
        i++;
      char *out = i < KYMO_ACT_MOST_CLIENTS && is_own_user (fd)
                  ? kymo_sys_map (MOST_OUT, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;
      if (out == NULL)
        {
          if (i == KYMO_ACT_MOST_CLIENTS && is_own_user (fd))
            send (fd, full, sizeof full - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
          kymo_sys_close (fd);
          continue;
        }
      clients[i].fd = fd;
      clients[i].out = out;
      asking = &clients[i];
      greet_client ();
      asking = NULL;
      send_out (&clients[i]);
    }
}

/* -- the helper thread -------------------------------------------------------- */

/**
 * kymo_act_socket_poll:
 * @fds: (out): KYMO_ACT_MOST_CLIENTS + 1 entries
 *
 * Returns: how many descriptors there are to wait for
 */
unsigned
kymo_act_socket_poll (struct pollfd *fds)
{
  unsigned n = 0;

  if (listener >= 0)
    fds[n++] = (struct pollfd) { listener, POLLIN, 0 };
  for (unsigned i = 0; listener >= 0 && i < KYMO_ACT_MOST_CLIENTS; i++)
    if (clients[i].fd >= 0)
      fds[n++] = (struct pollfd) { clients[i].fd,
                                   clients[i].n_out > MOST_OUT / 2 ? POLLOUT
                                   : clients[i].n_out > 0 ? POLLIN | POLLOUT : POLLIN, 0 };
  return n;
}

/**
 * kymo_act_socket_work: takes what clients have sent, and sends what waits for them.
 */
void
kymo_act_socket_work (void)
{
  if (listener < 0)
    return;
  take_clients ();
  for (unsigned i = 0; i < KYMO_ACT_MOST_CLIENTS; i++)
    if (clients[i].fd >= 0)
      hear_client (&clients[i]);
}

/**
 * kymo_act_socket_is_busy: whether something waits to be sent.
 */
bool
kymo_act_socket_is_busy (void)
{
  bool busy = false;

  for (unsigned i = 0; listener >= 0 && i < KYMO_ACT_MOST_CLIENTS; i++)
    busy = busy || clients[i].n_out > 0;
  return busy;
}

/**
 * kymo_act_socket_close: closes all connections and removes the socket.
 */
void
kymo_act_socket_close (void)
{
  if (listener < 0)
    return;
  for (unsigned i = 0; i < KYMO_ACT_MOST_CLIENTS; i++)
    close_client (&clients[i]);
  kymo_sys_close (listener);
  listener = -1;
  syscall (SYS_unlinkat, AT_FDCWD, path, 0);
  syscall (SYS_unlinkat, AT_FDCWD, note_path, 0);
}
