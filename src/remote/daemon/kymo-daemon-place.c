/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-daemon-place.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "kymo-error.h"

#define GROUP "Daemon"
#define FOR_OTHERS (S_IRWXG | S_IRWXO)
/* Clients that may wait to be accepted. */
#define BACKLOG 64
/* A longer log begins anew with the next daemon. */
#define MOST_LOG (256 * 1024)

/* Of the job in which the daemon is; NULL = of none. */
static const char *job;

/**
 * kymo_daemon_place_use_job:
 * @id: of a job, static
 *
 * From now on places are those of the daemon of this job, which is another one than that of the
 * machine. To be called once, before others.
 */
void
kymo_daemon_place_use_job (const char *id)
{
  job = id;
}

/* -- the folder -------------------------------------------------------------------------------- */

static gboolean
is_private (const struct stat *info)
{
  return info->st_uid == geteuid () && (info->st_mode & FOR_OTHERS) == 0;
}

/* The sentence of a folder or file that others could have made, or can read. */
static void
refuse (GError **error, const struct stat *info, const char *path)
{
  if (info->st_uid != geteuid ())
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” belongs to another user; set XDG_RUNTIME_DIR or TMPDIR to a folder of "
                   "your own"), path);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” is open to other users; remove it, or take their rights away"), path);
}

static gboolean
fail_errno (GError **error, const char *path, int code)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” cannot be used: %s"), path,
               g_strerror (code));
  return FALSE;
}

/* (transfer full): the folder of a login session is taken where it is what it should be. Else
   the folder is one of all users, and the name tells whose it is. */
static char *
dup_folder (void)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  struct stat info;

  /* Steps of a job and logins to its node may have other variables than the job. */
  if (job != NULL)
    return g_strdup_printf ("/tmp/kymo-%u", (guint) geteuid ());
  if (runtime != NULL && *runtime == '/' && stat (runtime, &info) == 0 && S_ISDIR (info.st_mode)
      && is_private (&info))
    return g_build_filename (runtime, "kymo", NULL);
  return g_strdup_printf ("%s/kymo-%u", g_get_tmp_dir (), (guint) geteuid ());
}

static gboolean
open_folder (KymoDaemonPlace *place, GError **error)
{
  struct stat info;

  if (mkdir (place->path, 0700) != 0 && errno != EEXIST)
    return fail_errno (error, place->path, errno);
  place->folder = open (place->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place->folder < 0)
    {
      int why = errno;

      /* Who made a link, or a folder that is closed, matters more than what the system says. */
      if (lstat (place->path, &info) == 0 && info.st_uid != geteuid ())
        refuse (error, &info, place->path);
      else
        fail_errno (error, place->path, why);
      return FALSE;
    }
  if (fstat (place->folder, &info) == 0 && is_private (&info))
    return TRUE;
  refuse (error, &info, place->path);
  return FALSE;
}

/**
 * kymo_daemon_place_open:
 * @place: (out caller-allocates): to be cleared in any case
 *
 * Makes the folder where there is none.
 *
 * Returns: %FALSE with a sentence where the folder is not only this user's
 */
gboolean
kymo_daemon_place_open (KymoDaemonPlace *place, GError **error)
{
  place->path = dup_folder ();
  place->folder = -1;
  place->node = job != NULL ? g_strconcat (g_get_host_name (), ".", job, NULL)
                            : g_strdup (g_get_host_name ());
  g_strdelimit (place->node, "/", '_');
  return open_folder (place, error);
}

/** kymo_daemon_place_clear: closes the folder */
void
kymo_daemon_place_clear (KymoDaemonPlace *place)
{
  if (place->folder >= 0)
    close (place->folder);
  place->folder = -1;
  g_clear_pointer (&place->path, g_free);
  g_clear_pointer (&place->node, g_free);
}

/* -- files in it ------------------------------------------------------------------------------- */

/* (transfer full): the name of a file of this machine. */
static char *
dup_name (const KymoDaemonPlace *place, const char *ending)
{
  return g_strconcat (place->node, ending, NULL);
}

/* Whether a file is there and nobody else's; FALSE without an error where it is missing. */
static gboolean
check_file (const KymoDaemonPlace *place, const char *ending, mode_t type, GError **error)
{
  g_autofree char *name = dup_name (place, ending);
  g_autofree char *path = g_build_filename (place->path, name, NULL);
  struct stat info;

  if (fstatat (place->folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno != ENOENT && fail_errno (error, path, errno);
  if ((info.st_mode & S_IFMT) != type)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” is something else than kymo-server makes; remove it"), path);
  else if (is_private (&info))
    return TRUE;
  else
    refuse (error, &info, path);
  return FALSE;
}

/* A descriptor of a file of this machine, made where it is missing; -1 with an error. */
static int
open_file (const KymoDaemonPlace *place, const char *ending, int flags, GError **error)
{
  g_autofree char *name = dup_name (place, ending);
  g_autofree char *path = g_build_filename (place->path, name, NULL);
  int fd = openat (place->folder, name, O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags,
                   0600);
  struct stat info;

  if (fd < 0)
    fail_errno (error, path, errno);
  else if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode) || !is_private (&info))
    {
      refuse (error, &info, path);
      close (fd);
      fd = -1;
    }
  return fd;
}

/* Whether the file that was locked is still the one of this name. */
static gboolean
is_same_file (const KymoDaemonPlace *place, const char *ending, int fd)
{
  g_autofree char *name = dup_name (place, ending);
  struct stat locked, named;

  return fstat (fd, &locked) == 0
         && fstatat (place->folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
         && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

/**
 * kymo_daemon_place_lock:
 * @waits: for who has it now
 *
 * The lock is held by who connects or starts a daemon, and by a daemon while it ends because it
 * was idle. So two clients never start two daemons, and no client connects to one that ends.
 *
 * Returns: a descriptor, whose closing ends the lock; -1 with an error, or without one where
 *   somebody has it
 */
int
kymo_daemon_place_lock (const KymoDaemonPlace *place, gboolean waits, GError **error)
{
  int fd = open_file (place, ".lock", O_RDWR, error);
  int done;

  if (fd < 0)
    return -1;
  do
    done = flock (fd, LOCK_EX | (waits ? 0 : LOCK_NB));
  while (done != 0 && errno == EINTR);
  /* A daemon that ended has removed what was waited for. */
  if (done == 0 && !is_same_file (place, ".lock", fd))
    {
      close (fd);
      return kymo_daemon_place_lock (place, waits, error);
    }
  /* Some file systems have no locks; they are worth a daemon all the same. */
  if (done == 0 || errno == ENOLCK || errno == EOPNOTSUPP)
    return fd;
  if (errno != EWOULDBLOCK)
    fail_errno (error, place->path, errno);
  close (fd);
  return -1;
}

/**
 * kymo_daemon_place_open_log:
 *
 * Returns: a descriptor of the log, to append to; -1 with an error
 */
int
kymo_daemon_place_open_log (const KymoDaemonPlace *place, GError **error)
{
  int fd = open_file (place, ".log", O_RDWR | O_APPEND, error);

  kymo_daemon_log_bound (fd);
  return fd;
}

/** kymo_daemon_log_bound: @fd: of a log, or -1; empties it where it is long */
void
kymo_daemon_log_bound (int fd)
{
  struct stat info;

  if (fd >= 0 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && info.st_size > MOST_LOG
      && ftruncate (fd, 0) != 0)
    return;
}

/**
 * kymo_daemon_place_save_state:
 *
 * Returns: whether the state file could be written
 */
gboolean
kymo_daemon_place_save_state (const KymoDaemonPlace *place, const KymoDaemonState *state,
                              GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *name = dup_name (place, ".state");
  g_autofree char *made = dup_name (place, ".state.new");
  g_autofree char *socket_name = dup_name (place, ".socket");
  g_autofree char *socket_path = g_build_filename (place->path, socket_name, NULL);
  g_autofree char *text = NULL;
  gsize length;
  gboolean done;
  int fd;

  g_key_file_set_string (file, GROUP, "Instance", state->instance);
  g_key_file_set_string (file, GROUP, "Node", place->node);
  g_key_file_set_string (file, GROUP, "Socket", socket_path);
  g_key_file_set_int64 (file, GROUP, "Process", state->pid);
  g_key_file_set_string (file, GROUP, "Version", state->version);
  g_key_file_set_int64 (file, GROUP, "Since", state->since_s);
  text = g_key_file_to_data (file, &length, NULL);
  fd = open_file (place, ".state.new", O_WRONLY | O_TRUNC, error);
  if (fd < 0)
    return FALSE;
  done = write (fd, text, length) == (gssize) length;
  done = close (fd) == 0 && done && renameat (place->folder, made, place->folder, name) == 0;
  return done || fail_errno (error, place->path, errno);
}

/**
 * kymo_daemon_place_unlock:
 * @lock: of kymo_daemon_place_lock()
 *
 * Ends the lock of a daemon that ends, and removes its file; in a job, whose name does not come
 * again, the log as well.
 */
void
kymo_daemon_place_unlock (const KymoDaemonPlace *place, int lock)
{
  g_autofree char *name = dup_name (place, ".lock");
  g_autofree char *log = dup_name (place, ".log");

  if (is_same_file (place, ".lock", lock))
    unlinkat (place->folder, name, 0);
  if (job != NULL)
    unlinkat (place->folder, log, 0);
  close (lock);
}

/** kymo_daemon_place_remove: removes socket and state file */
void
kymo_daemon_place_remove (const KymoDaemonPlace *place)
{
  g_autofree char *state = dup_name (place, ".state");
  g_autofree char *line = dup_name (place, ".socket");

  unlinkat (place->folder, state, 0);
  unlinkat (place->folder, line, 0);
}

/** kymo_daemon_place_get_inode: Returns: number of the socket's file; 0 = there is none */
guint64
kymo_daemon_place_get_inode (const KymoDaemonPlace *place)
{
  g_autofree char *name = dup_name (place, ".socket");
  struct stat info;

  return fstatat (place->folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_ino : 0;
}

/* -- the socket -------------------------------------------------------------------------------- */

/* The address goes through the descriptor of the checked folder, and so it is short, too. */
static struct sockaddr_un
make_address (const KymoDaemonPlace *place)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  g_snprintf (address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s.socket",
              place->folder, place->node);
  return address;
}

/**
 * kymo_daemon_peer_is_ours:
 * @line: a connected UNIX socket
 * @pid: (out) (optional): the process at the other end; 0 = not known
 *
 * Returns: whether it is of this user
 */
gboolean
kymo_daemon_peer_is_ours (int line, gint64 *pid)
{
  struct ucred peer = { .uid = (uid_t) -1 };
  socklen_t size = sizeof peer;
  gboolean is_known = getsockopt (line, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;

  if (pid != NULL)
    *pid = is_known ? peer.pid : 0;
  return is_known && peer.uid == geteuid ();
}

/* A daemon that does not accept anybody must not make its clients wait. */
static int
connect_socket (const KymoDaemonPlace *place, GError **error)
{
  struct sockaddr_un address = make_address (place);
  int line = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  if (line >= 0 && connect (line, (struct sockaddr *) &address, sizeof address) == 0)
    {
      if (kymo_daemon_peer_is_ours (line, NULL))
        return line;
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("The server in “%s” is another user's"), place->path);
    }
  else if (line < 0 || errno == EAGAIN)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("The running server takes no more clients; “kymo-server --stop” ends it"));
  else if (errno != ENOENT && errno != ECONNREFUSED)
    fail_errno (error, place->path, errno);
  if (line >= 0)
    close (line);
  return -1;
}

/**
 * kymo_daemon_place_connect:
 *
 * Returns: a line to the daemon that runs, non-blocking; -1 without an error where none runs,
 *   -1 with one where it is not to be trusted or does not answer
 */
int
kymo_daemon_place_connect (const KymoDaemonPlace *place, GError **error)
{
  g_autoptr (GError) why = NULL;
  int line = -1;

  if (check_file (place, ".state", S_IFREG, &why) && check_file (place, ".socket", S_IFSOCK, &why))
    line = connect_socket (place, &why);
  if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return line;
}

/**
 * kymo_daemon_place_listen:
 *
 * Removes what a daemon left that was killed; whoever calls this has made sure that none runs.
 *
 * Returns: a socket that listens; -1 with an error
 */
int
kymo_daemon_place_listen (const KymoDaemonPlace *place, GError **error)
{
  struct sockaddr_un address = make_address (place);
  g_autofree char *name = dup_name (place, ".socket");
  int line = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  mode_t mask = umask (0177);
  gboolean done;

  kymo_daemon_place_remove (place);
  done = line >= 0 && bind (line, (struct sockaddr *) &address, sizeof address) == 0
         && fchmodat (place->folder, name, 0600, 0) == 0 && listen (line, BACKLOG) == 0;
  if (!done)
    fail_errno (error, place->path, errno);
  umask (mask);
  if (done)
    return line;
  if (line >= 0)
    close (line);
  return -1;
}
