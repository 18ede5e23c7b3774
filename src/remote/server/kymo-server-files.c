/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of a run, for a client that brings them to its own machine: which there are, pieces of
 * one of them, and its digest. Only regular files beneath the run are read: no symbolic link is
 * followed, and no name leads out of the folder.
 */
#include "config.h"

#include "kymo-server-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-formats.h"
#include "kymo-input.h"

/* An archive of OTF2 has a file for each location. */
#define MOST_FILES 2000000
#define MOST_DEPTH 16
#define DIGEST_PIECE (256 * 1024)

/** Files: of a run, as they are found */
typedef struct
{
  KymoServerRequest *request;
  GVariantBuilder    files;     /* a(ayxx): name, bytes, time in ns */
  guint              n_files;
} Files;

/* -- which there are --------------------------------------------------------------------------- */

static gboolean
add_file (Files *files, const char *name, const struct stat *info, GError **error)
{
  if (++files->n_files > MOST_FILES)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT, _("There are more than %d files"),
                   MOST_FILES);
      return FALSE;
    }
  g_variant_builder_add (&files->files, "(^ayxx)", name, (gint64) info->st_size,
                         info->st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000)
                         + info->st_mtim.tv_nsec);
  return !g_cancellable_set_error_if_cancelled (
    kymo_job_peek_cancellable (files->request->job), error);
}

/* An entry of a folder: a file, or all that is beneath it. What is hidden, a link or something else
   is no part of a run. */
static gboolean
add_beneath (Files *files, const char *root, const char *name, guint depth, GError **error)
{
  g_autofree char *path = g_build_filename (root, name, NULL);
  g_autoptr (GDir) dir = NULL;
  const char *entry;
  struct stat info;

  if (lstat (path, &info) != 0)
    return TRUE;
  if (S_ISREG (info.st_mode))
    return add_file (files, name, &info, error);
  if (!S_ISDIR (info.st_mode) || depth == 0)
    return TRUE;
  dir = g_dir_open (path, 0, error);
  if (dir == NULL)
    return FALSE;
  while ((entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = *name != '\0' ? g_build_filename (name, entry, NULL)
                                             : g_strdup (entry);

      if (*entry != '.' && !add_beneath (files, root, inner, depth - 1, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether an entry of a folder is of the run @base of a format, or stands beside it by its name:
   definitions and the folder of an archive, settings. */
static gboolean
is_of_run (const KymoFormat *format, const char *folder, const char *name, const char *base)
{
  g_autofree char *its = NULL;
  g_autofree char *begin = g_strconcat (base, ".", NULL);

  return strcmp (name, base) == 0 || g_str_has_prefix (name, begin)
         || (format->part (folder, name, &its) != KYMO_PART_NONE && g_strcmp0 (its, base) == 0);
}

/* The files that are of one run with a file. */
static gboolean
add_of_run (Files *files, const char *folder, const char *name, GError **error)
{
  for (guint i = 0; kymo_formats[i] != NULL; i++)
    {
      const KymoFormat *format = kymo_formats[i];
      g_autofree char *base = NULL;
      g_autoptr (GDir) dir = NULL;
      const char *entry;

      if (format->part (folder, name, &base) == KYMO_PART_NONE || base == NULL || *base == '\0')
        continue;
      dir = g_dir_open (folder, 0, error);
      if (dir == NULL)
        return FALSE;
      while ((entry = g_dir_read_name (dir)) != NULL)
        if (is_of_run (format, folder, entry, base)
            && !add_beneath (files, folder, entry, MOST_DEPTH, error))
          return FALSE;
      return TRUE;
    }
  return add_beneath (files, folder, name, 0, error);
}

static GVariant *
list_files (KymoServerRequest *request, const char *path, GError **error)
{
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *root = is_folder ? g_strdup (path) : g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  Files files = { .request = request };
  GVariantDict body;

  if (!is_folder && !kymo_input_check (path, error))
    return NULL;
  g_variant_builder_init (&files.files, G_VARIANT_TYPE ("a(ayxx)"));
  if (is_folder ? !add_beneath (&files, root, "", MOST_DEPTH, error)
      : !add_of_run (&files, root, name, error))
    {
      g_variant_builder_clear (&files.files);
      return NULL;
    }
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "path", "^ay", root);
  g_variant_dict_insert_value (&body, "files", g_variant_builder_end (&files.files));
  return g_variant_dict_end (&body);
}

/** kymo_server_files: tells the files of the run that a FILES names, and ends the request */
void
kymo_server_files (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = kymo_server_dup_path (request, &error);
  GVariant *body = path != NULL ? list_files (request, path, &error) : NULL;

  if (body != NULL)
    kymo_server_answer (request, KYMO_FRAME_DONE, body);
  else
    kymo_server_answer_error (request, error);
}

/* -- one of them ------------------------------------------------------------------------------- */

static int
fail_name (const char *name, GError **error)
{
  g_autofree char *shown = g_filename_display_name (name);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is no file of the run"), shown);
  return -1;
}

/**
 * kymo_server_open_beneath:
 * @root: a folder
 * @name: of a file beneath it, as FILES tells it
 * @n_bytes: (out): its length
 *
 * Returns: a descriptor; -1 with an error where @name leads elsewhere or to no regular file
 */
int
kymo_server_open_beneath (const char *root, const char *name, gint64 *n_bytes, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  guint n = g_strv_length (parts);
  int folder = open (root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

  for (guint i = 0; i < n; i++)
    if (*parts[i] == '\0' || *parts[i] == '.' || n > MOST_DEPTH + 1)
      n = 0;
  for (guint i = 0; i + 1 < n && folder >= 0; i++)
    {
      int next = openat (folder, parts[i], O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

      close (folder);
      folder = next;
    }
  if (n == 0 || folder < 0)
    {
      if (folder >= 0)
        close (folder);
      return fail_name (name, error);
    }
  fd = kymo_input_open_at (folder, parts[n - 1], O_RDONLY | O_NOFOLLOW, n_bytes, error);
  close (folder);
  return fd;
}

/* (transfer full) (nullable): SHA-256 of a file, in hexadecimal digits. */
static char *
digest_file (int fd, gint64 n_bytes, GCancellable *cancellable, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint8 *piece = g_malloc (DIGEST_PIECE);
  gint64 done = 0;

  while (done < n_bytes)
    {
      gssize n = kymo_input_read (fd, piece, MIN (DIGEST_PIECE, n_bytes - done));

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (n <= 0)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("The file cannot be read: %s"),
                       n < 0 ? g_strerror (errno) : _("it is shorter now"));
          return NULL;
        }
      g_checksum_update (sum, piece, n);
      done += n;
    }
  return g_strdup (g_checksum_get_string (sum));
}

/** kymo_server_digest: tells the digest of the file that a DIGEST names, and ends the request */
void
kymo_server_digest (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *root = kymo_server_dup_path (request, &error);
  const char *name = "";
  gint64 n_bytes = 0;
  g_autofree char *digest = NULL;
  GVariantDict body;
  int fd;

  g_variant_lookup (request->frame->body, "file", "^&ay", &name);
  fd = root != NULL ? kymo_server_open_beneath (root, name, &n_bytes, &error) : -1;
  if (fd >= 0)
    {
      digest = digest_file (fd, n_bytes, kymo_job_peek_cancellable (request->job), &error);
      close (fd);
    }
  if (digest == NULL)
    {
      kymo_server_answer_error (request, error);
      return;
    }
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "sha256", "s", digest);
  g_variant_dict_insert (&body, "size", "x", n_bytes);
  kymo_server_answer (request, KYMO_FRAME_DONE, g_variant_dict_end (&body));
}
