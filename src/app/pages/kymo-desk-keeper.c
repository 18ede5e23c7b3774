/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-keeper.h. The key of a run is its folder and name as the source
 * has them, so that a folder and the .sts in it are one run; the stamp of its main
 * file tells another run at the same place.
 *
 * Invariant: nothing is written while the run is not exact, nor before its desk was
 * restored. What has not changed since is not written, so a run that somebody only
 * looks into has no file.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "kymo-desk-keeper.h"
#include "kymo-file-stamp.h"
#include "kymo-palette-files.h"
#include "kymo-place.h"
#include "kymo-settings.h"

/* So long after the last change. */
#define KEEP_MS 1500

struct _KymoDeskKeeper
{
  KymoPage    *page;
  char        *path;
  char        *key, *stamp;        /* of the run, once it is exact; stamp: or NULL as
                                      long as it is taken */
  GCancellable *stamping;          /* or NULL */
  gboolean     unstamped;          /* what was kept last is without a stamp */
  char        *to_tell;            /* what is told of a desk with another stamp */
  char        *to_tell_unless;     /* the stamp of the desk */
  KymoRunView *view;               /* that is kept, held; or NULL */
  KymoDesk    *pending;            /* to be restored, or NULL */
  gboolean     is_asked;           /* by a person, for this run: what is left out is told */
  gboolean     laid_out;           /* its views stand already */
  char        *kept;               /* text of the last one */
  guint        keep_id;
};

static gboolean
is_wanted (void)
{
  GSettings *settings = kymo_settings_peek ();

  return settings != NULL && g_settings_get_boolean (settings, "keep-desks");
}

/* -- which run it is ------------------------------------------------------ */

static gboolean
is_main (const char *name, const char *title)
{
  static const char *const endings[] = { ".sts", ".sts.gz", ".otf2", ".edf" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return g_str_has_prefix (name, title) || i >= 2;
  return FALSE;
}

/** Main: where the file of a run is looked for that tells whether it is the same run */
typedef struct
{
  char *path, *folder, *title;
} Main;

static void
main_free (gpointer data)
{
  Main *where = data;

  g_free (where->path);
  g_free (where->folder);
  g_free (where->title);
  g_free (where);
}

/* The file that was opened, else the first one that the folder is known by, else the
   folder. */
static char *
dup_main_file (const Main *where, GCancellable *cancellable)
{
  g_autoptr (GDir) dir = NULL;
  g_autofree char *first = NULL;
  const char *name;

  if (g_file_test (where->path, G_FILE_TEST_IS_REGULAR))
    return g_strdup (where->path);
  dir = g_dir_open (where->folder, 0, NULL);
  while (dir != NULL && !g_cancellable_is_cancelled (cancellable)
         && (name = g_dir_read_name (dir)) != NULL)
    if (is_main (name, where->title) && (first == NULL || strcmp (name, first) < 0))
      {
        g_free (first);
        first = g_strdup (name);
      }
  return g_build_filename (where->folder, first, NULL);
}

static void
take_stamp (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Main *where = data;
  g_autofree char *file = NULL;
  const char *path;
  KymoFileStamp stamp;

  if (kymo_place_is_far (where->path))
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  file = dup_main_file (where, cancellable);
  path = file;
  kymo_file_stamps_take (&path, 1, &stamp);
  g_task_return_pointer (task, g_strdup_printf (
    "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_MODIFIER "x", stamp.n_bytes,
    stamp.mtime_ns, stamp.head), g_free);
}

static void
save_desk_keeper (KymoDeskKeeper *self, const KymoDesk *desk)
{
  g_autoptr (GError) error = NULL;

  self->unstamped = desk->stamp == NULL;
  if (!kymo_desk_store_save (self->key, desk, &error))
    g_info ("%s", error->message);
}

/* What was kept while the stamp was taken gets it. */
static void
add_stamp (KymoDeskKeeper *self)
{
  g_autoptr (KymoDesk) desk = NULL;

  if (!self->unstamped || self->view == NULL
      || kymo_run_view_peek_session (self->view) == NULL)
    return;
  desk = kymo_desk_keeper_dup_desk (self, NULL);
  save_desk_keeper (self, desk);
}

/* A run whose stamp is not known may be the same one. */
static gboolean
is_other_run (const char *stamp, const char *other)
{
  return stamp != NULL && other != NULL && !g_str_equal (stamp, other);
}

static void
on_stamp (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree char *stamp = g_task_propagate_pointer (G_TASK (result), NULL);
  KymoDeskKeeper *self = data;

  /* One that is gone has cancelled it. */
  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return;
  g_clear_object (&self->stamping);
  self->stamp = g_steal_pointer (&stamp);
  if (self->to_tell != NULL && is_other_run (self->to_tell_unless, self->stamp))
    kymo_page_say (self->page, self->to_tell);
  g_clear_pointer (&self->to_tell, g_free);
  add_stamp (self);
}

static void
stop_stamping (KymoDeskKeeper *self)
{
  if (self->stamping != NULL)
    g_cancellable_cancel (self->stamping);
  g_clear_object (&self->stamping);
  g_clear_pointer (&self->stamp, g_free);
  self->unstamped = FALSE;
}

/* Takes @where. A folder may hold a hundred thousand logs, and lie far away. */
static void
start_stamping (KymoDeskKeeper *self, Main *where)
{
  g_autoptr (GTask) task = NULL;

  stop_stamping (self);
  self->stamping = g_cancellable_new ();
  task = g_task_new (NULL, self->stamping, on_stamp, self);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, where, main_free);
  g_task_run_in_thread (task, take_stamp);
}

static void
learn_run (KymoDeskKeeper *self)
{
  KymoSource *source = kymo_session_peek_source (kymo_run_view_peek_session (self->view));
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (source);
  gboolean is_far = kymo_place_is_far (self->path);
  g_autofree char *folder = is_far ? g_strdup (self->path) : g_path_get_dirname (self->path);
  g_autofree char *name = g_path_get_basename (self->path);
  Main *where = g_new0 (Main, 1);

  g_free (self->key);
  where->path = g_strdup (self->path);
  where->folder = g_strdup (facts != NULL && facts->path != NULL && !is_far ? facts->path
                            : self->path);
  where->title = g_strdup (facts != NULL && facts->title != NULL ? facts->title : "");
  self->key = facts == NULL ? kymo_desk_store_dup_key (folder, name)
    : kymo_desk_store_dup_key (where->folder, facts->title);
  start_stamping (self, where);
}

/* -- keeping -------------------------------------------------------------- */

/* Who has changed no colour has those of the preferences next time, too. */
static gboolean
is_of_settings (const KymoDesk *desk)
{
  g_autoptr (KymoPalette) palette = desk->palette != NULL
                                    ? kymo_palettes_load (desk->palette, NULL) : NULL;

  return palette != NULL && kymo_palette_equal (palette, desk->colors);
}

/** kymo_desk_keeper_dup_desk: @desk_path: (nullable): of the store */
KymoDesk *
kymo_desk_keeper_dup_desk (KymoDeskKeeper *self, const char *desk_path)
{
  KymoDesk *desk = kymo_desk_new ();
  GSettings *settings = kymo_settings_peek ();

  if (self->view != NULL)
    kymo_run_view_keep (self->view, desk);
  if (settings != NULL)
    desk->palette = g_settings_get_string (settings, "palette");
  if (desk_path == NULL && desk->colors != NULL && is_of_settings (desk))
    g_clear_pointer (&desk->colors, kymo_palette_unref);
  desk->stamp = g_strdup (self->stamp);
  kymo_desk_set_run (desk, self->path, desk_path);
  return desk;
}

/** kymo_desk_keeper_flush: a file that cannot be written loses a desk, no more */
void
kymo_desk_keeper_flush (KymoDeskKeeper *self)
{
  g_autoptr (KymoDesk) desk = NULL;
  g_autofree char *text = NULL, *stamp = NULL;

  g_clear_handle_id (&self->keep_id, g_source_remove);
  /* A view that goes with its page has no session any more. */
  if (self->view == NULL || self->kept == NULL || !is_wanted ()
      || kymo_run_view_peek_session (self->view) == NULL)
    return;
  desk = kymo_desk_keeper_dup_desk (self, NULL);
  stamp = g_steal_pointer (&desk->stamp);
  text = kymo_desk_to_text (desk);
  if (strcmp (text, self->kept) == 0)
    return;
  desk->stamp = g_steal_pointer (&stamp);
  save_desk_keeper (self, desk);
  g_free (self->kept);
  self->kept = g_steal_pointer (&text);
}

static gboolean
on_time (gpointer data)
{
  KymoDeskKeeper *self = data;

  self->keep_id = 0;
  kymo_desk_keeper_flush (self);
  return G_SOURCE_REMOVE;
}

static void
queue_keep (KymoDeskKeeper *self)
{
  g_clear_handle_id (&self->keep_id, g_source_remove);
  if (self->kept != NULL)
    self->keep_id = g_timeout_add_full (G_PRIORITY_LOW, KEEP_MS, on_time, self, NULL);
}

static const char *const changes[] = {
  "range-changed", "selection-changed", "filter-changed", "colors-changed",
  "markers-changed", "bookmarks-changed", "profile-changed", "function-changed",
  "thread-changed", "rows-changed", "messages-changed",
};

static void
watch_desk_keeper (KymoDeskKeeper *self, KymoRunView *view)
{
  KymoSession *session = kymo_run_view_peek_session (view);

  self->view = g_object_ref (view);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_swapped (session, changes[i], G_CALLBACK (queue_keep), self);
  g_signal_connect_swapped (view, "view-changed", G_CALLBACK (queue_keep), self);
  g_signal_connect_swapped (view, "kept", G_CALLBACK (queue_keep), self);
}

static void
unwatch (KymoDeskKeeper *self)
{
  KymoSession *session;

  g_clear_handle_id (&self->keep_id, g_source_remove);
  g_clear_pointer (&self->kept, g_free);
  if (self->view == NULL)
    return;
  session = kymo_run_view_peek_session (self->view);
  if (session != NULL)
    g_signal_handlers_disconnect_by_func (session, queue_keep, self);
  g_signal_handlers_disconnect_by_func (self->view, queue_keep, self);
  g_clear_object (&self->view);
}

/* -- restoring ------------------------------------------------------------ */

/* What the run lacks of the desk, or NULL. */
static char *
dup_left_out (const KymoDesk *desk, const char *const *left_out)
{
  g_autofree char *list = g_strjoinv (", ", (char **) left_out);

  return left_out[0] == NULL ? NULL
    : g_strdup_printf (_("The desk is of another run, %s: without %s"),
                       desk->title != NULL ? desk->title : "?", list);
}

/* What the program does not know of the file, of any desk; what the run lacks, of one that
   nobody opened only where its run is another one now, which the stamp tells when it is there.
   What is said later takes the place of what was said before: so both are one. */
static void
tell_left_out (KymoDeskKeeper *self, const KymoDesk *desk, const char *const *left_out)
{
  g_autofree char *unknown = kymo_desk_dup_left_out (desk);
  g_autofree char *lacking = dup_left_out (desk, left_out);
  g_autofree char *both = unknown != NULL && lacking != NULL
    ? g_strdup_printf ("%s. %s", unknown, lacking) : g_strdup (unknown != NULL ? unknown : lacking);

  if (lacking == NULL || self->is_asked
      || (self->stamping == NULL && is_other_run (desk->stamp, self->stamp)))
    {
      if (both != NULL)
        kymo_page_say (self->page, both);
      return;
    }
  if (unknown != NULL)
    kymo_page_say (self->page, unknown);
  if (self->stamping != NULL)
    {
      g_free (self->to_tell);
      g_free (self->to_tell_unless);
      self->to_tell = g_steal_pointer (&both);
      self->to_tell_unless = g_strdup (desk->stamp);
    }
}

/* The colours of the preferences are those of the palette as it is now. */
static void
use_palette_of_settings (KymoDesk *desk)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *name = settings != NULL
                          ? g_settings_get_string (settings, "palette") : NULL;

  if (desk->colors != NULL && g_strcmp0 (name, desk->palette) != 0)
    g_clear_pointer (&desk->colors, kymo_palette_unref);
}

/* The view of the command line goes before that of a desk, but for one that the person opened. */
static void
lay_out (KymoDeskKeeper *self, KymoRunView *view)
{
  kymo_run_view_restore_layout (view, self->pending);
  if (!self->is_asked && kymo_run_view_peek_opens_with () != NULL)
    kymo_run_view_set_view (view, kymo_run_view_peek_opens_with ());
}

/* What was changed while a draft was shown stays. */
static void
restore_desk_keeper (KymoDeskKeeper *self)
{
  g_autoptr (KymoDesk) desk = NULL;
  KymoSession *session = kymo_run_view_peek_session (self->view);
  KymoSpan range = kymo_session_get_range (session);
  KymoSpan full = kymo_session_get_full_range (session), selection;
  gboolean has_selection = kymo_session_get_selection (session, &selection), has_block;
  gint64 location, time_ns;
  g_auto (GStrv) left_out = NULL;

  has_block = kymo_session_get_block (session, &location, &time_ns);
  if (!self->laid_out)
    lay_out (self, self->view);
  desk = g_steal_pointer (&self->pending);
  if (!self->is_asked && (range.begin_ns != full.begin_ns || range.end_ns != full.end_ns))
    desk->range = range;
  if (!self->is_asked)
    use_palette_of_settings (desk);
  left_out = kymo_run_view_restore (self->view, desk);
  if (!self->is_asked && has_selection)
    kymo_session_set_selection (session, &selection);
  if (!self->is_asked && has_block)
    kymo_session_set_block (session, location, time_ns);
  /* Nobody remembers a search of last week, but who sends one means it. */
  if (self->is_asked && desk->search != NULL)
    kymo_run_view_search (self->view, desk->search, FALSE);
  tell_left_out (self, desk, (const char *const *) left_out);
  self->is_asked = FALSE;
}

/* From here on changes are kept; that the stamp is there is none. */
static void
begin_keeping (KymoDeskKeeper *self)
{
  g_autoptr (KymoDesk) desk = kymo_desk_keeper_dup_desk (self, NULL);

  g_free (self->kept);
  g_clear_pointer (&desk->stamp, g_free);
  self->kept = kymo_desk_to_text (desk);
}

static void
take_kept (KymoDeskKeeper *self)
{
  self->pending = kymo_desk_store_load (self->key);
  if (self->pending != NULL)
    kymo_run_view_check_desk (self->pending);
}

/**
 * kymo_desk_keeper_show:
 * @view: the run as the page shows it; referenced
 * @is_draft: whether the run is still being read, so that its data are not exact
 *
 * Tells the keeper which run the page shows. A draft gets the layout of the desk alone; an exact
 * run gets the whole desk, and from then on the changes of the person are kept.
 */
void
kymo_desk_keeper_show (KymoDeskKeeper *self, KymoRunView *view, gboolean is_draft)
{
  gboolean is_first = self->view != view;

  if (is_first)
    {
      unwatch (self);
      watch_desk_keeper (self, view);
      learn_run (self);
      if (self->pending == NULL && is_wanted ())
        take_kept (self);
    }
  if (self->pending != NULL && is_draft && !self->laid_out)
    {
      lay_out (self, view);
      self->laid_out = TRUE;
    }
  if (is_draft)
    return;
  if (self->pending != NULL)
    restore_desk_keeper (self);
  if (self->kept == NULL)
    begin_keeping (self);
}

/** kymo_desk_keeper_take: @desk: (transfer full) */
void
kymo_desk_keeper_take (KymoDeskKeeper *self, KymoDesk *desk)
{
  g_clear_pointer (&self->pending, kymo_desk_free);
  self->pending = desk;
  kymo_run_view_check_desk (desk);
  self->is_asked = TRUE;
  self->laid_out = FALSE;
  /* kept is set once the run is exact. */
  if (self->view == NULL || self->kept == NULL)
    return;
  restore_desk_keeper (self);
  queue_keep (self);
}

/** kymo_desk_keeper_read_again: whatever the preferences say, it is the same person */
void
kymo_desk_keeper_read_again (KymoDeskKeeper *self)
{
  kymo_desk_keeper_flush (self);
  if (self->kept != NULL && self->pending == NULL)
    {
      self->pending = kymo_desk_keeper_dup_desk (self, NULL);
      self->laid_out = TRUE;
    }
  unwatch (self);
}

/**
 * kymo_desk_keeper_start_fresh:
 *
 * Deletes the kept desk of the run, and shows the run as if it were opened for the first time.
 * Nothing happens before the run is exact.
 */
void
kymo_desk_keeper_start_fresh (KymoDeskKeeper *self)
{
  if (self->view == NULL || self->kept == NULL)
    return;
  kymo_run_view_start_fresh (self->view);
  kymo_page_apply_palette (kymo_run_view_peek_session (self->view));
  g_clear_handle_id (&self->keep_id, g_source_remove);
  self->unstamped = FALSE;
  kymo_desk_store_forget (self->key);
  begin_keeping (self);
}

/* -- life ----------------------------------------------------------------- */

/**
 * kymo_desk_keeper_new:
 * @page: not owned; outlives the keeper
 * @path: file or folder that the page reads
 *
 * Returns: (transfer full): a keeper that waits for kymo_desk_keeper_show(); free with
 * kymo_desk_keeper_free()
 */
KymoDeskKeeper *
kymo_desk_keeper_new (KymoPage *page, const char *path)
{
  KymoDeskKeeper *self = g_new0 (KymoDeskKeeper, 1);

  self->page = page;
  self->path = g_strdup (path);
  return self;
}

/** kymo_desk_keeper_free: what is not kept yet is kept */
void
kymo_desk_keeper_free (KymoDeskKeeper *self)
{
  kymo_desk_keeper_flush (self);
  unwatch (self);
  stop_stamping (self);
  g_clear_pointer (&self->pending, kymo_desk_free);
  g_free (self->to_tell);
  g_free (self->to_tell_unless);
  g_free (self->key);
  g_free (self->path);
  g_free (self);
}
