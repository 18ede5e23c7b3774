/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli-many: kymo-cli, started once and asked many times. A sanitized program takes
 * longer to start than to answer about a small run, and tests start it thousands of times.
 *
 * It reads requests from the socket whose number is its only argument: a message of zero
 * terminated strings (a number that says which request it is, the working folder, the
 * number of arguments, the arguments, the environment), with two descriptors, standard
 * output and standard error. Each is answered by a child that never did anything before;
 * two messages tell its process, and how it ended. It has no threads and begins nothing of
 * GLib, so that a child is as good as a new process.
 *
 * Looking for leaks takes a third of the time of a sanitized program. One child in four does; all
 * others end without. Which one goes by the number of the request alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* As long as a message of a Unix socket may be by default. */
#define MOST_BYTES 200000
#define MOST_ARGUMENTS 4096
#define MOST_CHILDREN 64

/* main() of src/cli/main.c, under another name. */
int kymo_cli_main (int argc, char **argv);

typedef struct
{
  pid_t    pid;
  uint32_t id;
} Child;

/** Reply: @status of a child as waitpid() tells it, or -1 while it runs */
typedef struct
{
  uint32_t id;
  int32_t  pid, status;
  uint32_t cpu_us;
} Reply;

static Child children[MOST_CHILDREN];
static volatile sig_atomic_t ended;

static void
on_child (int signal)
{
  ended = 1;
}

static void
tell (int fd, const Reply *reply)
{
  if (send (fd, reply, sizeof *reply, MSG_NOSIGNAL) < 0)
    _exit (0);
}

static void
tell_ended (int fd)
{
  struct rusage use;
  int status;
  pid_t pid;

  ended = 0;
  while ((pid = wait4 (-1, &status, WNOHANG, &use)) > 0)
    for (unsigned i = 0; i < MOST_CHILDREN; i++)
      if (children[i].pid == pid)
        {
          Reply reply = { children[i].id, pid, status,
                          (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000
                          + use.ru_utime.tv_usec + use.ru_stime.tv_usec };

          children[i].pid = 0;
          tell (fd, &reply);
        }
}

/* The next string of a message, or NULL at its end. */
static char *
next (char **at, char *end)
{
  char *word = *at, *stop = memchr (word, '\0', end - word);

  if (stop == NULL)
    return NULL;
  *at = stop + 1;
  return word;
}

static void
answer (char *at, char *end, const int *fds, uint32_t id)
{
  int code;

  char *argv[MOST_ARGUMENTS + 1] = { NULL }, *folder = next (&at, end), *word;
  int argc = folder != NULL && (word = next (&at, end)) != NULL ? atoi (word) : 0;
  int null = open ("/dev/null", O_RDONLY);

  if (argc < 1 || argc > MOST_ARGUMENTS || chdir (folder) != 0 || null < 0)
    _exit (125);
  for (int i = 0; i < argc; i++)
    argv[i] = next (&at, end);
  clearenv ();
  while ((word = next (&at, end)) != NULL)
    putenv (word);
  signal (SIGCHLD, SIG_DFL);
  dup2 (null, STDIN_FILENO);
  dup2 (fds[0], STDOUT_FILENO);
  dup2 (fds[1], STDERR_FILENO);
  closefrom (STDERR_FILENO + 1);
  code = kymo_cli_main (argc, argv);
  /* Fibonacci hashing: requests that repeat in turns are not all of one kind. */
  if (id * 2654435769u >> 30 == 0)
    exit (code);
  fflush (NULL);
  _exit (code);
}

static void
start (int fd, char *message, size_t n, const int *fds)
{
  char *at = message, *end = message + n, *word = next (&at, end);
  unsigned place = 0;
  Reply reply = { 0 };

  while (place < MOST_CHILDREN && children[place].pid != 0)
    place++;
  if (word == NULL || place == MOST_CHILDREN)
    _exit (125);
  reply.id = strtoul (word, NULL, 10);
  reply.status = -1;
  reply.pid = fork ();
  if (reply.pid < 0)
    _exit (125);
  if (reply.pid == 0)
    answer (at, end, fds, reply.id);
  children[place] = (Child) { reply.pid, reply.id };
  tell (fd, &reply);
}

int
main (int argc, char **argv)
{
  static char message[MOST_BYTES];
  int fd = argc == 2 ? atoi (argv[1]) : -1;
  struct sigaction action = { .sa_handler = on_child };
  sigset_t wanted, before;

  /* The signal comes while we wait for a request, and not between. */
  sigemptyset (&wanted);
  sigaddset (&wanted, SIGCHLD);
  sigprocmask (SIG_BLOCK, &wanted, &before);
  sigaction (SIGCHLD, &action, NULL);
  while (1)
    {
      union { struct cmsghdr head; char bytes[CMSG_SPACE (2 * sizeof (int))]; } control;
      struct iovec part = { message, sizeof message };
      struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                               .msg_controllen = sizeof control };
      fd_set ready;
      ssize_t n;
      int fds[2];

      if (ended)
        tell_ended (fd);
      FD_ZERO (&ready);
      FD_SET (fd, &ready);
      if (pselect (fd + 1, &ready, NULL, NULL, NULL, &before) < 0)
        continue;
      n = recvmsg (fd, &header, 0);
      if (n <= 0)
        return 0;
      if (CMSG_FIRSTHDR (&header) == NULL
          || CMSG_FIRSTHDR (&header)->cmsg_len != CMSG_LEN (sizeof fds))
        return 1;
      memcpy (fds, CMSG_DATA (CMSG_FIRSTHDR (&header)), sizeof fds);
      sigprocmask (SIG_SETMASK, &before, NULL);
      start (fd, message, n, fds);
      sigprocmask (SIG_BLOCK, &wanted, NULL);
      close (fds[0]);
      close (fds[1]);
    }
}
