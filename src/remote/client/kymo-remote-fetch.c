/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-beside.h"
#include "kymo-error.h"
#include "kymo-safe-text.h"

#define LEAST_PIECE (64 * 1024)
/* A piece that takes longer than this makes the next one smaller. */
#define PIECE_US (G_USEC_PER_SEC / 2)
#define DIGEST_PIECE (256 * 1024)
/* Of a line that is lost, one after the other without any byte between. */
#define MOST_TRIES 6
#define MOST_DELAY_S 30
#define MOST_DEPTH 20

/**
 * Fetch: of a run
 * @root: its folder there
 * @files: a(ayxx): name, bytes, time of the last change in nanoseconds since 1970
 */
typedef struct
{
  const KymoRemoteAddress *address;
  KymoRemoteWay            way;
  const char              *folder;
  KymoRemoteFetched       *fetched;
  KymoJob                 *job;
  KymoRemoteLink          *link;
  char                    *root;
  GVariant                *files;
  guint                    tries;
  gsize                    piece;
} Fetch;

/** File: one of them */
typedef struct
{
  const char *name;
  gint64      bytes, mtime_ns;
  char       *path, *part;      /* here */
} File;

static GCancellable *
peek_cancellable (Fetch *fetch)
{
  return kymo_job_peek_cancellable (fetch->job);
}

static gboolean
fail_file (const char *path, int code, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *safe = kymo_safe_text_dup (shown);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("“%s” cannot be written: %s"), safe,
               g_strerror (code));
  return FALSE;
}

/* -- the line ---------------------------------------------------------------------------------- */

/* FALSE once it was cancelled. */
static gboolean
wait_seconds (Fetch *fetch, guint seconds, GError **error)
{
  GPollFD fd;

  if (g_cancellable_make_pollfd (peek_cancellable (fetch), &fd))
    {
      g_poll (&fd, 1, seconds * 1000);
      g_cancellable_release_fd (peek_cancellable (fetch));
    }
  return !g_cancellable_set_error_if_cancelled (peek_cancellable (fetch), error);
}

/* Makes a line that is lost again. FALSE with the reason, which is @why, where that is no use. */
static gboolean
connect_again (Fetch *fetch, GError *why, GError **error)
{
  KymoRemoteWay quiet = fetch->way;

  quiet.quiet = TRUE;
  while (kymo_remote_link_has_ended (fetch->link) && fetch->tries < MOST_TRIES)
    {
      g_autoptr (GError) again = NULL;
      KymoRemoteLink *link;

      if (!wait_seconds (fetch, MIN (1 << fetch->tries++, MOST_DELAY_S), error))
        {
          g_error_free (why);
          return FALSE;
        }
      link = kymo_remote_link_get (fetch->address, &quiet, fetch->job, &again);
      if (link == NULL)
        continue;
      kymo_remote_link_unref (fetch->link);
      fetch->link = link;
      g_error_free (why);
      return TRUE;
    }
  g_propagate_error (error, why);
  return FALSE;
}

/* Asks, if need be on another line. @body: (transfer floating) */
static KymoFrame *
ask_there (Fetch *fetch, guint type, GVariant *body, GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (body);

  for (;;)
    {
      GError *why = NULL;
      KymoFrame *frame = kymo_remote_link_ask (fetch->link, type, owned, NULL, NULL, NULL,
                                               peek_cancellable (fetch), &why);

      if (frame != NULL)
        fetch->tries = 0;
      if (frame != NULL || !connect_again (fetch, why, error))
        return frame;
    }
}

/* (transfer floating): what is asked about a file. */
static void
begin_body (GVariantDict *body, Fetch *fetch, const File *file)
{
  g_variant_dict_init (body, NULL);
  g_variant_dict_insert (body, "path", "^ay", fetch->root);
  g_variant_dict_insert (body, "file", "^ay", file->name);
}

/* -- which files ------------------------------------------------------------------------------- */

/* A name that another machine tells must not lead out of the folder. */
static gboolean
is_beneath (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  guint n = g_strv_length (parts);

  for (guint i = 0; i < n; i++)
    if (*parts[i] == '\0' || *parts[i] == '.')
      return FALSE;
  return n > 0 && n <= MOST_DEPTH;
}

static void
peek_file (GVariant *files, gsize index, File *file)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (files, index);

  g_variant_get (child, "(^&ayxx)", &file->name, &file->bytes, &file->mtime_ns);
}

static gboolean
check_files (Fetch *fetch, GError **error)
{
  gsize n = fetch->files != NULL ? g_variant_n_children (fetch->files) : 0;

  for (gsize i = 0; i < n; i++)
    {
      File file;

      peek_file (fetch->files, i, &file);
      if (file.bytes < 0 || file.bytes > G_MAXINT64 - fetch->fetched->bytes
          || !is_beneath (file.name))
        n = 0;
      else
        fetch->fetched->bytes += file.bytes;
    }
  fetch->fetched->files = n;
  if (n == 0)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                         _("The server tells of no files that could be fetched"));
  return n > 0;
}

static gboolean
list_files (Fetch *fetch, GError **error)
{
  g_autoptr (KymoFrame) frame = NULL;
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "path", "^ay", fetch->address->path);
  frame = ask_there (fetch, KYMO_FRAME_FILES, g_variant_dict_end (&body), error);
  if (frame == NULL)
    return FALSE;
  g_variant_lookup (frame->body, "path", "^ay", &fetch->root);
  fetch->files = g_variant_lookup_value (frame->body, "files", G_VARIANT_TYPE ("a(ayxx)"));
  return check_files (fetch, error);
}

/* -- whether they are the same ----------------------------------------------------------------- */

/* (transfer full) (nullable): SHA-256 of a file here. */
static char *
digest_here (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint8 *piece = g_malloc (DIGEST_PIECE);
  int fd = open (path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  gssize n = -1;

  while (fd >= 0 && (n = read (fd, piece, DIGEST_PIECE)) > 0
         && !g_cancellable_is_cancelled (cancellable))
    g_checksum_update (sum, piece, n);
  if (n < 0)
    fail_file (path, errno, error);
  if (fd >= 0)
    close (fd);
  if (n < 0 || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_strdup (g_checksum_get_string (sum));
}

/* Whether a file here is that of the other machine; an error where that cannot be told. */
static gboolean
is_same (Fetch *fetch, const File *file, const char *path, GError **error)
{
  g_autofree char *here = digest_here (path, peek_cancellable (fetch), error);
  g_autoptr (KymoFrame) frame = NULL;
  const char *there = "";
  GVariantDict body;

  if (here == NULL)
    return FALSE;
  begin_body (&body, fetch, file);
  frame = ask_there (fetch, KYMO_FRAME_DIGEST, g_variant_dict_end (&body), error);
  if (frame == NULL)
    return FALSE;
  g_variant_lookup (frame->body, "sha256", "&s", &there);
  return strcmp (here, there) == 0;
}

/* -- one file ---------------------------------------------------------------------------------- */

/* The bytes of a piece; NULL with an error. */
static GVariant *
read_piece (Fetch *fetch, const File *file, gint64 at, GError **error)
{
  g_autoptr (KymoFrame) frame = NULL;
  GVariant *bytes = NULL;
  GVariantDict body;

  begin_body (&body, fetch, file);
  g_variant_dict_insert (&body, "offset", "x", at);
  g_variant_dict_insert (&body, "length", "u", (guint32) MIN ((gint64) fetch->piece,
                                                              file->bytes - at));
  frame = ask_there (fetch, KYMO_FRAME_READ, g_variant_dict_end (&body), error);
  if (frame == NULL)
    return NULL;
  bytes = g_variant_lookup_value (frame->body, "bytes", G_VARIANT_TYPE_BYTESTRING);
  if (bytes != NULL && g_variant_get_size (bytes) > 0
      && (gint64) g_variant_get_size (bytes) <= file->bytes - at)
    return bytes;
  g_clear_pointer (&bytes, g_variant_unref);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("“%s” has changed while it was fetched; fetch it again"), file->path);
  return NULL;
}

/* So that a person sees it go on, and cancelling need not wait for much. */
static void
adapt_piece (Fetch *fetch, gint64 took_us)
{
  if (took_us > PIECE_US)
    fetch->piece = MAX (fetch->piece / 2, LEAST_PIECE);
  else if (took_us < PIECE_US / 4)
    fetch->piece = MIN (fetch->piece * 2, KYMO_FRAME_MOST_READ);
}

/* Goes on where the part ends. */
static gboolean
fill_part (Fetch *fetch, const File *file, int fd, gint64 at, GError **error)
{
  while (at < file->bytes)
    {
      gint64 begin_us = g_get_monotonic_time ();
      g_autoptr (GVariant) bytes = read_piece (fetch, file, at, error);
      gsize n;
      const void *data;
      int why;

      if (bytes == NULL)
        return FALSE;
      data = g_variant_get_fixed_array (bytes, &n, 1);
      why = kymo_write_all (fd, data, n);
      if (why != 0)
        return fail_file (file->part, why, error);
      at += n;
      kymo_job_advance (fetch->job, n);
      adapt_piece (fetch, g_get_monotonic_time () - begin_us);
    }
  return TRUE;
}

/* The length of the part that is here; -1 with an error where it cannot be used. */
static gint64
open_part (const File *file, int *fd, GError **error)
{
  struct stat info;

  *fd = open (file->part, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
              0666);
  if (*fd >= 0 && fstat (*fd, &info) == 0 && S_ISREG (info.st_mode)
      && (info.st_size <= file->bytes || ftruncate (*fd, 0) == 0))
    return info.st_size <= file->bytes ? info.st_size : 0;
  fail_file (file->part, *fd >= 0 ? EEXIST : errno, error);
  if (*fd >= 0)
    close (*fd);
  return -1;
}

/* Brings the part to its length. @begun: (out): whether some of it was here before */
static gboolean
fetch_part (Fetch *fetch, const File *file, gint64 *begun, GError **error)
{
  const struct timespec times[2] = {
    { .tv_nsec = UTIME_NOW },
    { file->mtime_ns / G_GINT64_CONSTANT (1000000000), file->mtime_ns % 1000000000 },
  };
  int fd;
  gboolean done;

  *begun = open_part (file, &fd, error);
  if (*begun < 0)
    return FALSE;
  kymo_job_advance (fetch->job, *begun);
  done = fill_part (fetch, file, fd, *begun, error);
  /* When it was written tells whether a run still grows. */
  if (done && file->mtime_ns > 0)
    futimens (fd, times);
  if (close (fd) != 0 && done)
    done = fail_file (file->part, errno, error);
  return done;
}

/* Gives the part its name, unless something has that name by now. */
static gboolean
name_part (const File *file, GError **error)
{
  if (renameat2 (AT_FDCWD, file->part, AT_FDCWD, file->path, RENAME_NOREPLACE) == 0)
    return TRUE;
  /* Not each file system can do that in one step. */
  if (errno != EEXIST && link (file->part, file->path) == 0)
    {
      unlink (file->part);
      return TRUE;
    }
  return fail_file (file->path, errno, error);
}

/* A part of an older file that has changed there begins anew, once. */
static gboolean
fetch_new (Fetch *fetch, const File *file, GError **error)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) why = NULL;
      gint64 begun;

      if (!fetch_part (fetch, file, &begun, error))
        return FALSE;
      if (is_same (fetch, file, file->part, &why))
        {
          fetch->fetched->kept_bytes += begun;
          return name_part (file, error);
        }
      if (why != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&why));
          return FALSE;
        }
      unlink (file->part);
      kymo_job_advance (fetch->job, -file->bytes);
      if (begun == 0)
        break;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("“%s” has changed while it was fetched; fetch it again"), file->path);
  return FALSE;
}

static gboolean
fetch_file (Fetch *fetch, const File *file, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file->path);
  g_autoptr (GError) why = NULL;
  struct stat info;

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return fail_file (folder, errno, error);
  if (lstat (file->path, &info) != 0)
    return errno == ENOENT ? fetch_new (fetch, file, error) : fail_file (file->path, errno, error);
  if (S_ISREG (info.st_mode) && info.st_size == file->bytes
      && is_same (fetch, file, file->path, &why))
    {
      fetch->fetched->kept_bytes += file->bytes;
      kymo_job_advance (fetch->job, file->bytes);
      return TRUE;
    }
  if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE,
                 _("“%s” exists and is another file; nothing is overwritten"), file->path);
  return FALSE;
}

static gboolean
fetch_files (Fetch *fetch, GError **error)
{
  gsize n = g_variant_n_children (fetch->files);
  gboolean done = TRUE;

  kymo_job_begin (fetch->job, _("Fetching the run"), fetch->fetched->bytes);
  for (gsize i = 0; i < n && done; i++)
    {
      File file;
      g_autofree char *folder = NULL;
      g_autofree char *base = NULL;
      g_autofree char *hidden = NULL;

      peek_file (fetch->files, i, &file);
      file.path = g_build_filename (fetch->folder, file.name, NULL);
      folder = g_path_get_dirname (file.path);
      base = g_path_get_basename (file.path);
      hidden = g_strdup_printf (".%s.part", base);
      file.part = g_build_filename (folder, hidden, NULL);
      done = fetch_file (fetch, &file, error);
      g_free (file.path);
      g_free (file.part);
    }
  return done;
}

/**
 * kymo_remote_fetch:
 * @way: how the machine is reached
 * @folder: where the files go; is made where it is missing
 * @fetched: (out): what was done
 * @job: progress and cancelling
 *
 * A line that is lost is made again some times. Whatever ends it, the next call goes on.
 *
 * Returns: whether all files of the run are here; %FALSE with %KYMO_ERROR_WRITE where one cannot be
 *   written or another one has its name, and with other errors as asking there has them
 */
gboolean
kymo_remote_fetch (const KymoRemoteAddress *address, const KymoRemoteWay *way, const char *folder,
                   KymoRemoteFetched *fetched, KymoJob *job, GError **error)
{
  Fetch fetch = {
    .address = address, .way = *way, .folder = folder, .fetched = fetched, .job = job,
    .piece = LEAST_PIECE * 4,
  };
  gboolean done;

  *fetched = (KymoRemoteFetched) { 0 };
  fetch.link = kymo_remote_link_get (address, way, job, error);
  if (fetch.link == NULL)
    return FALSE;
  done = list_files (&fetch, error) && fetch_files (&fetch, error);
  kymo_remote_link_unref (fetch.link);
  g_clear_pointer (&fetch.files, g_variant_unref);
  g_free (fetch.root);
  return done;
}
