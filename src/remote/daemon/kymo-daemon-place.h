/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a user's daemon is found: a private folder with a lock, a state file and a UNIX socket.
 * The files carry the name of the machine, because the folder may lie on a shared file system and
 * a socket cannot be reached from another machine.
 *
 * Nothing in the folder is used before its owner, type and mode are checked; files are reached
 * through a descriptor of the checked folder and symbolic links are not followed.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoDaemonPlace:
 * @path: of the folder, for sentences
 * @folder: descriptor of the folder
 * @node: name of this machine, without slashes
 */
typedef struct
{
  char *path;
  int   folder;
  char *node;
} KymoDaemonPlace;

/**
 * KymoDaemonState: what the state file says
 * @instance: a new text for each daemon
 * @since_s: when the daemon began, in seconds since 1970
 */
typedef struct
{
  const char *instance;
  const char *version;
  gint64      pid;
  gint64      since_s;
} KymoDaemonState;

void     kymo_daemon_place_use_job    (const char             *id);
gboolean kymo_daemon_place_open       (KymoDaemonPlace        *place,
                                       GError                **error);
void     kymo_daemon_place_clear      (KymoDaemonPlace        *place);
int      kymo_daemon_place_lock       (const KymoDaemonPlace  *place,
                                       gboolean                waits,
                                       GError                **error);
void     kymo_daemon_place_unlock     (const KymoDaemonPlace  *place,
                                       int                     lock);
int      kymo_daemon_place_open_log   (const KymoDaemonPlace  *place,
                                       GError                **error);
void     kymo_daemon_log_bound        (int                     fd);
int      kymo_daemon_place_connect    (const KymoDaemonPlace  *place,
                                       GError                **error);
int      kymo_daemon_place_listen     (const KymoDaemonPlace  *place,
                                       GError                **error);
guint64  kymo_daemon_place_get_inode  (const KymoDaemonPlace  *place);
void     kymo_daemon_place_remove     (const KymoDaemonPlace  *place);
gboolean kymo_daemon_place_save_state (const KymoDaemonPlace  *place,
                                       const KymoDaemonState  *state,
                                       GError                **error);
gboolean kymo_daemon_peer_is_ours     (int                     line,
                                       gint64                 *pid);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KymoDaemonPlace, kymo_daemon_place_clear)

G_END_DECLS
