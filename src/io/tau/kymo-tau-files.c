/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder with traces of threads is one run, whatever merged traces lie beside them:
 * those are made of them. Naming a merged trace opens that.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-tau-files.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-order.h"

#define THREADS_BASE "tautrace"

static void
file_clear (gpointer data)
{
  g_free (((KymoTauFile *) data)->path);
  g_free (((KymoTauFile *) data)->name);
}

static KymoTauFiles *
files_new (const char *folder)
{
  KymoTauFiles *files = g_new0 (KymoTauFiles, 1);

  files->folder = g_strdup (folder);
  files->traces = g_array_new (FALSE, FALSE, sizeof (KymoTauFile));
  g_array_set_clear_func (files->traces, file_clear);
  files->edfs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return files;
}

/**
 * kymo_tau_files_free:
 *
 * Frees @files. %NULL is ignored.
 */
void
kymo_tau_files_free (KymoTauFiles *files)
{
  if (files == NULL)
    return;
  g_free (files->folder);
  g_free (files->base);
  g_array_unref (files->traces);
  g_hash_table_unref (files->edfs);
  g_free (files);
}

/* A number of at most five digits, and what follows it. */
static const char *
skip_number (const char *text,
             guint      *number)
{
  const char *p = text;

  for (*number = 0; g_ascii_isdigit (*p) && p - text < 5; p++)
    *number = *number * 10 + *p - '0';
  return p > text ? p : NULL;
}

static gboolean
is_thread_trace (const char  *name,
                 KymoTauFile *file)
{
  const char *p = name + strlen (THREADS_BASE ".");
  guint *parts[] = { &file->node, &file->context, &file->thread };

  if (!g_str_has_prefix (name, THREADS_BASE "."))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      p = skip_number (p, parts[i]);
      if (p == NULL || *p++ != '.')
        return FALSE;
    }
  return g_str_equal (p, "trc");
}

static gboolean
is_node_edf (const char *name,
             guint      *node)
{
  const char *p = g_str_has_prefix (name, "events.") ? skip_number (name + 7, node) : NULL;

  return p != NULL && g_str_equal (p, ".edf");
}

/* (transfer full) (nullable): what stands before the ending */
static char *
stem_of (const char *name,
         const char *ending)
{
  return g_str_has_suffix (name, ending) && strlen (name) > strlen (ending)
    ? g_strndup (name, strlen (name) - strlen (ending)) : NULL;
}

static void
add_trace (KymoTauFiles      *files,
           const KymoTauFile *numbers,
           const char        *name)
{
  KymoTauFile file = *numbers;
  GStatBuf info;

  file.name = g_strdup (name);
  file.path = g_build_filename (files->folder, name, NULL);
  file.size_bytes = g_stat (file.path, &info) == 0 && S_ISREG (info.st_mode) ? info.st_size : 0;
  g_array_append_val (files->traces, file);
}

/* The traces that a folder holds. */
typedef struct
{
  KymoTauFiles *threads;        /* traces of threads and their events */
  GPtrArray    *merged;         /* stems of other .trc files */
  GPtrArray    *edfs;           /* stems of other .edf files */
} Folder;

static void
folder_clear (Folder *folder)
{
  g_clear_pointer (&folder->threads, kymo_tau_files_free);
  g_clear_pointer (&folder->merged, g_ptr_array_unref);
  g_clear_pointer (&folder->edfs, g_ptr_array_unref);
}

static void
sort_in (Folder     *folder,
         const char *name)
{
  KymoTauFile file = { 0 };
  char *stem;
  guint node;

  if (is_thread_trace (name, &file))
    add_trace (folder->threads, &file, name);
  else if (is_node_edf (name, &node))
    g_hash_table_insert (folder->threads->edfs, GUINT_TO_POINTER (node),
                         g_build_filename (folder->threads->folder, name, NULL));
  else if ((stem = stem_of (name, ".trc")) != NULL)
    g_ptr_array_add (folder->merged, stem);
  else if ((stem = stem_of (name, ".edf")) != NULL)
    g_ptr_array_add (folder->edfs, stem);
}

static int
compare_files (gconstpointer a,
               gconstpointer b)
{
  const KymoTauFile *x = a, *y = b;

  KYMO_ORDER_BY (x->node, y->node);
  KYMO_ORDER_BY (x->context, y->context);
  KYMO_ORDER_BY (x->thread, y->thread);
  return strcmp (x->name, y->name);
}

static gboolean
folder_read (Folder      *folder,
             const char  *path,
             GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  folder->threads = files_new (path);
  folder->merged = g_ptr_array_new_with_free_func (g_free);
  folder->edfs = g_ptr_array_new_with_free_func (g_free);
  if (dir == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("The folder “%s” cannot be opened"), path);
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    sort_in (folder, name);
  g_array_sort (folder->threads->traces, compare_files);
  g_ptr_array_sort (folder->merged, kymo_compare_strings);
  g_ptr_array_sort (folder->edfs, kymo_compare_strings);
  return TRUE;
}

static gboolean
contains_tau_files (GPtrArray  *names,
                    const char *name)
{
  return g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL);
}

/* The events of a merged trace: of its own name, of the usual name, or the only ones. */
static const char *
edf_of_merged (const Folder *folder,
               const char   *base)
{
  if (contains_tau_files (folder->edfs, base))
    return base;
  if (contains_tau_files (folder->edfs, "tau"))
    return "tau";
  return folder->edfs->len == 1 ? folder->edfs->pdata[0] : NULL;
}

static KymoTauFiles *
take_merged (const Folder *folder,
             const char   *base)
{
  KymoTauFiles *files = files_new (folder->threads->folder);
  g_autofree char *name = g_strconcat (base, ".trc", NULL);
  const char *edf = edf_of_merged (folder, base);
  KymoTauFile numbers = { 0 };

  files->base = g_strdup (base);
  files->merged = TRUE;
  add_trace (files, &numbers, name);
  if (edf != NULL)
    {
      g_autofree char *edf_name = g_strconcat (edf, ".edf", NULL);

      g_hash_table_insert (files->edfs, GUINT_TO_POINTER (0),
                           g_build_filename (files->folder, edf_name, NULL));
    }
  return files;
}

static KymoTauFiles *
take_threads (Folder *folder)
{
  folder->threads->base = g_strdup (THREADS_BASE);
  return g_steal_pointer (&folder->threads);
}

static void
set_none (const char    *path,
          const Folder  *folder,
          const char    *base,
          GError       **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (folder->threads->traces->len > 0)
    g_string_append (names, THREADS_BASE);
  for (guint i = 0; i < folder->merged->len; i++)
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                            (char *) folder->merged->pdata[i]);
  if (names->len == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN, _("“%s” holds no trace of TAU (.trc)"),
                 path);
  else if (base != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds no run named “%s”; it holds %s"), path, base, names->str);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 _("“%s” holds several runs: %s; name one with --base, or one of its files"),
                 path, names->str);
}

static KymoTauFiles *
choose_tau_files (Folder      *folder,
                  const char  *path,
                  const char  *base,
                  GError     **error)
{
  gboolean has_threads = folder->threads->traces->len > 0;

  if (base == NULL && has_threads)
    return take_threads (folder);
  if (base == NULL && folder->merged->len == 1)
    return take_merged (folder, folder->merged->pdata[0]);
  if (base != NULL && g_str_equal (base, THREADS_BASE) && has_threads)
    return take_threads (folder);
  if (base != NULL && contains_tau_files (folder->merged, base))
    return take_merged (folder, base);
  set_none (path, folder, base, error);
  return NULL;
}

/* The run that a file's name stands for: (transfer full) (nullable) its base */
static gboolean
base_of_file (const char  *path,
              char       **base)
{
  g_autofree char *name = g_path_get_basename (path);
  KymoTauFile file;
  guint node;

  *base = NULL;
  if (is_thread_trace (name, &file) || is_node_edf (name, &node))
    *base = g_strdup (THREADS_BASE);
  else
    *base = stem_of (name, ".trc");
  return *base != NULL || g_str_has_suffix (name, ".edf");
}

static gboolean
has_edf (const char *folder,
         const char *base)
{
  g_autofree char *name = g_strconcat (base, ".edf", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/**
 * kymo_tau_files_part:
 * @folder: of the file
 * @name: of the file; other programs call their files .trc, too
 * @base: (out) (transfer full): what the names of the run begin with; set if it is a part
 *
 * The function `part` of a #KymoFormat.
 *
 * Returns: what the file is to a run
 */
KymoPart
kymo_tau_files_part (const char  *folder,
                     const char  *name,
                     char       **base)
{
  KymoTauFile file;

  if (is_thread_trace (name, &file))
    {
      *base = g_strdup (THREADS_BASE);
      return KYMO_PART_BOTH | KYMO_PART_ORIGINAL;
    }
  *base = stem_of (name, ".trc");
  if (*base == NULL)
    return KYMO_PART_NONE;
  return has_edf (folder, *base) || has_edf (folder, "tau") ? KYMO_PART_BOTH : KYMO_PART_DATA;
}

/* The folder of a file whose name is that of one of a trace. */
static gboolean
resolve_tau_files (const char  *path,
                   char       **folder,
                   char       **base,
                   GError     **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      *folder = g_strdup (path);
      return TRUE;
    }
  if (!g_file_test (path, G_FILE_TEST_EXISTS) || !base_of_file (path, base))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN,
                   _("“%s” is no file of a trace of TAU (.trc, .edf)"), path);
      return FALSE;
    }
  *folder = g_path_get_dirname (path);
  return TRUE;
}

/* An .edf that is not of a trace of its name. */
static void
keep_base_of_trace (const Folder *folder,
                    const char   *path,
                    char        **base)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *stem = stem_of (name, ".edf");

  if (*base == NULL && stem != NULL && contains_tau_files (folder->merged, stem))
    *base = g_steal_pointer (&stem);
}

/**
 * kymo_tau_files_find:
 * @path: a folder, a .trc or an .edf file
 * @base: (nullable): the run's name where the folder holds several
 *
 * Returns: (transfer full) (nullable): the files, at least one of them a trace; else
 * %KYMO_ERROR_FOREIGN where there is none, or a sentence on what there is
 */
KymoTauFiles *
kymo_tau_files_find (const char  *path,
                     const char  *base,
                     GError     **error)
{
  g_autofree char *folder_path = NULL;
  g_autofree char *file_base = NULL;
  KymoTauFiles *files = NULL;
  Folder folder = { 0 };

  if (!resolve_tau_files (path, &folder_path, &file_base, error))
    return NULL;
  if (folder_read (&folder, folder_path, error))
    {
      if (!g_file_test (path, G_FILE_TEST_IS_DIR))
        keep_base_of_trace (&folder, path, &file_base);
      files = choose_tau_files (&folder, path, base != NULL ? base : file_base, error);
    }
  folder_clear (&folder);
  return files;
}
