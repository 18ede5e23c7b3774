/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-tau-profile-files.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-order.h"
#include "kymo-tau-profile-text.h"

#define MULTI_PREFIX "MULTI__"
#define MERGED_NAME "tauprofile.xml"
#define PACKED_SUFFIX ".ppk"
#define HEAD_BYTES 64
#define MAX_NAMES 8

static const char *const prefixes[] = { "profile.", "snapshot." };

/* A number as TAU writes it: no sign, no zeros before it. */
static gboolean
scan_number (const char **at,
             gint64      *value)
{
  const char *p = *at;

  *value = 0;
  while (g_ascii_isdigit (*p) && p - *at < 10)
    *value = *value * 10 + (*p++ - '0');
  if (p == *at || (**at == '0' && p - *at > 1) || *value > G_MAXINT32)
    return FALSE;
  *at = p;
  return TRUE;
}

/* TRUE if the name is a thread's file name. */
static gboolean
scan_name (const char        *name,
           KymoTauForm        form,
           KymoProfileThread *thread)
{
  const char *p = name;

  if (!g_str_has_prefix (name, prefixes[form]))
    return FALSE;
  p += strlen (prefixes[form]);
  return scan_number (&p, &thread->node) && *p++ == '.' && scan_number (&p, &thread->context)
    && *p++ == '.' && scan_number (&p, &thread->thread) && *p == '\0';
}

/**
 * kymo_tau_profile_files_dup_name:
 *
 * Returns: (transfer full): name of the file of that thread
 */
char *
kymo_tau_profile_files_dup_name (KymoTauForm              form,
                                 const KymoProfileThread *thread)
{
  return g_strdup_printf ("%s%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT,
                          prefixes[form], thread->node, thread->context, thread->thread);
}

/**
 * kymo_tau_profile_files_free:
 *
 * Frees the list of files.
 */
void
kymo_tau_profile_files_free (KymoTauProfileFiles *files)
{
  g_free (files->folder);
  g_free (files->file);
  g_ptr_array_unref (files->metrics);
  g_array_unref (files->threads);
  g_free (files);
}

static KymoTauProfileFiles *
files_new (const char *folder)
{
  KymoTauProfileFiles *files = g_new0 (KymoTauProfileFiles, 1);

  files->folder = g_strdup (folder);
  files->metrics = g_ptr_array_new_with_free_func (g_free);
  files->threads = g_array_new (FALSE, FALSE, sizeof (KymoProfileThread));
  return files;
}

/* Adds the threads that a folder has files of; tells how many. */
static guint
list_threads (const char  *folder,
              KymoTauForm  form,
              GArray      *threads)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint before = threads->len;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      KymoProfileThread thread;

      if (scan_name (name, form, &thread))
        g_array_append_val (threads, thread);
    }
  return threads->len - before;
}

/* TRUE if it is a folder with the profile of a thread. */
static gboolean
holds_profile (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  KymoProfileThread thread;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (scan_name (name, KYMO_TAU_PROFILES, &thread))
      return TRUE;
  return FALSE;
}

/* The folders of metrics in it that hold profiles. */
static void
list_metrics (KymoTauProfileFiles *files)
{
  g_autoptr (GDir) dir = g_dir_open (files->folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, MULTI_PREFIX))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, kymo_compare_strings);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *folder = g_build_filename (files->folder, names->pdata[i], NULL);

      if (list_threads (folder, KYMO_TAU_PROFILES, files->threads) > 0)
        g_ptr_array_add (files->metrics, g_strdup (names->pdata[i]));
    }
}

/* Names in the folder that end so, in order. */
static GPtrArray *
list_suffix (const char *folder,
             const char *suffix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, kymo_compare_strings);
  return names;
}

/* The packed profile in the folder, of that name where there are several. */
static gboolean
find_packed (KymoTauProfileFiles  *files,
             const char           *base,
             GError              **error)
{
  g_autoptr (GPtrArray) names = list_suffix (files->folder, PACKED_SUFFIX);
  g_autoptr (GString) told = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      gsize length = strlen (name) - strlen (PACKED_SUFFIX);

      if (names->len == 1
          || (base != NULL && strlen (base) == length && strncmp (name, base, length) == 0))
        {
          files->form = KYMO_TAU_PACKED;
          files->file = g_strdup (name);
          return TRUE;
        }
      if (i < MAX_NAMES)
        g_string_append_printf (told, "%s%s", i > 0 ? ", " : "", name);
    }
  if (names->len > 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 _("“%s” holds several packed profiles: %s%s; name one of them"), files->folder,
                 told->str, names->len > MAX_NAMES ? ", …" : "");
  return FALSE;
}

static gboolean
has_file (const KymoTauProfileFiles *files,
          const char                *name)
{
  g_autofree char *path = g_build_filename (files->folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* Finds the profiles of a folder; of several forms the first in this order is taken. */
static gboolean
find_in_folder (KymoTauProfileFiles  *files,
                const char           *base,
                GError              **error)
{
  list_metrics (files);
  if (files->metrics->len > 0)
    return TRUE;
  g_ptr_array_add (files->metrics, g_strdup ("."));
  for (files->form = KYMO_TAU_PROFILES; files->form <= KYMO_TAU_SNAPSHOTS; files->form++)
    if (list_threads (files->folder, files->form, files->threads) > 0)
      return TRUE;
  files->form = KYMO_TAU_MERGED;
  if (has_file (files, MERGED_NAME))
    {
      files->file = g_strdup (MERGED_NAME);
      return TRUE;
    }
  if (find_packed (files, base, error))
    return TRUE;
  if (error == NULL || *error == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN, _("“%s” holds no profiles of TAU"),
                 files->folder);
  return FALSE;
}

/* The first bytes of a regular file, with a NUL behind; how many there are. */
static gsize
read_head (const char *path,
           char        head[HEAD_BYTES + 1])
{
  gsize n = kymo_input_read_head (AT_FDCWD, path, head, HEAD_BYTES);

  head[n] = '\0';
  return n;
}

/* Of what form a file is, by its name or, where that tells nothing, its first bytes. */
static gboolean
find_form (const char  *path,
           KymoTauForm *form)
{
  g_autofree char *name = g_path_get_basename (path);
  char head[HEAD_BYTES + 1];
  KymoProfileThread thread;

  if (g_file_test (path, G_FILE_TEST_IS_DIR) || !g_file_test (path, G_FILE_TEST_EXISTS))
    return FALSE;
  for (*form = KYMO_TAU_PROFILES; *form <= KYMO_TAU_SNAPSHOTS; (*form)++)
    if (scan_name (name, *form, &thread))
      return TRUE;
  *form = KYMO_TAU_PACKED;
  if (g_str_has_suffix (name, PACKED_SUFFIX))
    return TRUE;
  *form = KYMO_TAU_MERGED;
  return g_str_equal (name, MERGED_NAME)
    || (read_head (path, head) > 0 && g_str_has_prefix (head, "<profile_xml>"));
}

/**
 * kymo_tau_profile_files_knows:
 * @path: of a file
 *
 * Returns: whether a file is of a profile of TAU
 */
gboolean
kymo_tau_profile_files_knows (const char *path)
{
  KymoTauForm form;

  return find_form (path, &form);
}

/**
 * kymo_tau_profile_files_part:
 * @folder: of the file
 * @name: of the file; all but packed profiles are one run
 * @base: (out) (transfer full): what the names of the run begin with; set if it is a part
 *
 * The function `part` of a #KymoFormat.
 *
 * Returns: what the file is to a run
 */
KymoPart
kymo_tau_profile_files_part (const char  *folder,
                             const char  *name,
                             char       **base)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  KymoProfileThread thread;

  if (g_str_has_suffix (name, PACKED_SUFFIX))
    {
      *base = g_strndup (name, strlen (name) - strlen (PACKED_SUFFIX));
      return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? KYMO_PART_BOTH : KYMO_PART_NONE;
    }
  if (!scan_name (name, KYMO_TAU_PROFILES, &thread)
      && !scan_name (name, KYMO_TAU_SNAPSHOTS, &thread)
      && !g_str_equal (name, MERGED_NAME)
      && !(g_str_has_prefix (name, MULTI_PREFIX) && holds_profile (path)))
    return KYMO_PART_NONE;
  *base = g_strdup ("");
  return KYMO_PART_BOTH | KYMO_PART_ORIGINAL;
}

/* (nullable): the folder of the run that a folder of one metric is a part of */
static char *
folder_of_metric (const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_path_get_basename (whole);

  return g_str_has_prefix (name, MULTI_PREFIX) && holds_profile (whole)
    ? g_path_get_dirname (whole) : NULL;
}

/**
 * kymo_tau_profile_files_find:
 * @path: a folder, or a file, which picks the form; what lies in the folder of one metric
 *   stands for the run with all metrics
 * @base: (nullable): name of the packed profile where a folder holds several
 * @error: %KYMO_ERROR_UNREADABLE where there is none
 *
 * Returns: (transfer full) (nullable): the files of the run
 */
KymoTauProfileFiles *
kymo_tau_profile_files_find (const char  *path,
                             const char  *base,
                             GError     **error)
{
  g_autoptr (KymoTauProfileFiles) files = NULL;
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *folder = is_folder ? g_strdup (path) : g_path_get_dirname (path);
  g_autofree char *of_metrics = folder_of_metric (folder);
  KymoTauForm form;

  if (is_folder || (of_metrics != NULL && find_form (path, &form)))
    {
      files = files_new (of_metrics != NULL ? of_metrics : folder);
      if (!find_in_folder (files, base, error))
        return NULL;
    }
  else if (find_form (path, &form))
    {
      files = files_new (folder);
      files->form = form;
      g_ptr_array_add (files->metrics, g_strdup ("."));
      if (form <= KYMO_TAU_SNAPSHOTS)
        list_threads (folder, form, files->threads);
      else
        files->file = g_path_get_basename (path);
    }
  else
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN, _("“%s” is no profile of TAU"), path);
      return NULL;
    }
  kymo_profile_threads_sort (files->threads);
  return g_steal_pointer (&files);
}
