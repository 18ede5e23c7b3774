/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The actions of the window that write runs: a part of the one that is shown,
 * or the PEs that stand for all of it; that open a run on another machine; and
 * what the functions of one are for.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-extract-dialog.h"
#include "kymo-fetch-dialog.h"
#include "kymo-in-terms.h"
#include "kymo-reduce-dialog.h"
#include "kymo-remote-dialog.h"
#include "kymo-remote-source.h"
#include "kymo-roles-dialog.h"
#include "kymo-run-page.h"
#include "kymo-run-source.h"
#include "kymo-window-private.h"

typedef GtkWindow *(*Present) (GtkWindow *, KymoSession *, const char *, KymoWriteDone,
                               GObject *);

static void
on_written (const char *sentence, const char *path, gpointer data)
{
  KymoWindow *self = data;

  /* A run may be written just as its window is closed: nobody is there to tell. */
  if (gtk_widget_get_realized (GTK_WIDGET (self)))
    kymo_window_offer (self, sentence, path);
}

/* What has no files of its own says so; of a summary the dialog does.

   Returns: (nullable): the dialog */
static GtkWindow *
present_window_runs (KymoWindow *self, Present dialog)
{
  KymoPage *page = kymo_window_get_page (self);
  KymoRunView *view = kymo_window_get_view (self);
  KymoSession *session = view != NULL ? kymo_run_view_peek_session (view) : NULL;

  if (session == NULL)
    return NULL;
  if (!KYMO_IS_RUN_PAGE (page)
      || !(KYMO_IS_RUN_SOURCE (kymo_session_peek_source (session))
           || KYMO_IS_REMOTE_SOURCE (kymo_session_peek_source (session))))
    kymo_window_say (self, kymo_in_terms_of (
      session, _("A stream has no logs of single {rows} that could be written as a run")));
  else
    return dialog (GTK_WINDOW (self), session, kymo_page_get_path (page), on_written,
                   G_OBJECT (self));
  return NULL;
}

static void
export_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  present_window_runs (data, kymo_extract_dialog_present);
}

static void
fetch_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  present_window_runs (data, kymo_fetch_dialog_present);
}

static void
reduce_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  present_window_runs (data, kymo_reduce_dialog_present);
}

/* "3,17": who looked into these PEs wants them in the reduced run. */
static void
reduce_run_keeping (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *dialog = present_window_runs (data, kymo_reduce_dialog_present);

  if (dialog != NULL)
    kymo_reduce_dialog_keep (dialog, g_variant_get_string (parameter, NULL));
}

/* A page that cannot be read again has no functions to list; the rules can be
   changed all the same. */
static void
edit_roles (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  kymo_roles_dialog_present (GTK_WINDOW (data), view != NULL
                             ? kymo_run_view_peek_session (view) : NULL);
}

static void
on_remote_chosen (const char *address, gpointer data)
{
  kymo_window_open_path (data, address);
}

static void
open_remote (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_remote_dialog_present (GTK_WINDOW (data), on_remote_chosen, G_OBJECT (data));
}

static const GActionEntry entries[] = {
  { "export-run", export_run, NULL, NULL, NULL, { 0 } },
  { "fetch-run", fetch_run, NULL, NULL, NULL, { 0 } },
  { "reduce-run", reduce_run, NULL, NULL, NULL, { 0 } },
  { "reduce-run-keeping", reduce_run_keeping, "s", NULL, NULL, { 0 } },
};

/* Only what is on another machine can be fetched. */
static gboolean
is_far (KymoPage *page)
{
  const char *path = page != NULL ? kymo_page_get_path (page) : NULL;

  return path != NULL && kymo_remote_is_address (path);
}

/** kymo_window_sync_runs: a draft has records of some PEs alone */
void
kymo_window_sync_runs (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);
  gboolean enabled = kymo_window_get_view (self) != NULL && !kymo_page_is_loading (page);

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (
      g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name)),
      enabled && (entries[i].activate != fetch_run || is_far (page)));
}

/**
 * kymo_window_add_runs:
 *
 * Adds the actions that write runs, win.open-remote and win.roles to the window. To be called once.
 */
void
kymo_window_add_runs (KymoWindow *self)
{
  static const GActionEntry always[] = {
    { "open-remote", open_remote, NULL, NULL, NULL, { 0 } },
    { "roles", edit_roles, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), always, G_N_ELEMENTS (always), self);
}
