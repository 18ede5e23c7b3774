/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-fetch-dialog.h"

#include <glib/gi18n.h>

#include "kymo-remote-fetch.h"
#include "kymo-remote-settings.h"
#include "kymo-units.h"

/** Wish: counted, of the dialog and of the thread that fetches */
typedef struct
{
  KymoRemoteAddress *address;
  char              *launch;
} Wish;

static void
wish_clear (gpointer data)
{
  Wish *wish = data;

  kymo_remote_address_free (wish->address);
  g_free (wish->launch);
}

static void
wish_unref (gpointer wish)
{
  g_atomic_rc_box_release_full (wish, wish_clear);
}

static gpointer
dup_wish (gpointer user)
{
  return g_atomic_rc_box_acquire (user);
}

static char *
fetch_run (gpointer data, const char *out, KymoJob *job, GError **error)
{
  Wish *wish = data;
  const KymoRemoteWay way = {
    .server = g_getenv ("KYMO_SERVER"), .shares = TRUE, .launch = wish->launch,
  };
  KymoRemoteFetched fetched;
  g_autofree char *bytes = NULL;

  if (!kymo_remote_fetch (wish->address, &way, out, &fetched, job, error))
    return NULL;
  bytes = kymo_format_bytes (fetched.bytes);
  return g_strdup_printf (ngettext ("Fetched %d file, %s", "Fetched %d files, %s", fetched.files),
                          (int) fetched.files, bytes);
}

/**
 * kymo_fetch_dialog_present:
 * @parent: the window of the run
 * @address: of the run
 * @done: told where the run is now
 * @data: kept alive with the dialog
 *
 * Returns: (transfer none): the dialog, which GTK owns until it is closed
 */
GtkWindow *
kymo_fetch_dialog_present (GtkWindow *parent, KymoSession *session, const char *address,
                           KymoWriteDone done, GObject *data)
{
  static const KymoWriteClass klass = {
    N_("Fetch Run"), N_("Fetch"), "", 320, dup_wish, fetch_run, wish_unref, wish_unref, TRUE,
  };
  Wish *wish = g_atomic_rc_box_new0 (Wish);
  g_autofree char *title = kymo_source_dup_title (kymo_session_peek_source (session));
  /* As a file of a run in the person's folder. */
  g_autofree char *beside = g_build_filename (g_get_home_dir (), title, title, NULL);

  wish->address = kymo_remote_address_parse (address, NULL);
  wish->launch = kymo_remote_settings_dup_launch_of (address);
  return kymo_write_dialog_present (kymo_write_dialog_new (parent, &klass, wish, beside, title),
                                    done, data);
}
