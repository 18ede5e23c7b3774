/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file's name is split at dots: the ending tells its kind, the part before
 * a log's ending is the PE, the rest is the base. Foreign files are ignored.
 */
#include "config.h"

#include "kymo-projections-files.h"

#include <string.h>
#include <sys/stat.h>

#include "kymo-error.h"

typedef enum
{
  FILE_FOREIGN,
  FILE_STS,
  FILE_LOG,
  FILE_SUMMARY,
  FILE_OTHER,                   /* .projrc, .statis, .topo: belongs to the base */
} FileKind;

/* What the files of one base are while a folder is walked. */
typedef struct
{
  char  *base;
  char  *sts;
  guint  n_logs;
  guint  n_summaries;
} Group;

static void
log_file_clear (gpointer data)
{
  g_free (((KymoLogFile *) data)->path);
  g_free (((KymoLogFile *) data)->name);
}

void
kymo_projections_files_free (KymoProjectionsFiles *files)
{
  if (files == NULL)
    return;
  g_free (files->folder);
  g_free (files->base);
  g_free (files->sts);
  g_array_unref (files->logs);
  g_free (files);
}

static gboolean
strip_suffix (char       *name,
              const char *suffix)
{
  if (!g_str_has_suffix (name, suffix) || strlen (name) <= strlen (suffix))
    return FALSE;
  name[strlen (name) - strlen (suffix)] = '\0';
  return TRUE;
}

/* Cuts ".<number>" off the end. */
static gboolean
strip_number (char   *name,
              gint64 *number)
{
  char *dot = strrchr (name, '.');

  if (dot == NULL || dot == name || !g_ascii_isdigit (dot[1])
      || !g_ascii_string_to_signed (dot + 1, 10, 0, G_MAXINT32, number, NULL))
    return FALSE;
  *dot = '\0';
  return TRUE;
}

/* Leaves the base in `name`. */
static FileKind
classify (char   *name,
          gint64 *pe)
{
  *pe = -1;
  if (strip_suffix (name, ".sum.sts"))
    return FILE_SUMMARY;
  if (strip_suffix (name, ".util.sts"))
    return FILE_OTHER;
  if (strip_suffix (name, ".sts"))
    return FILE_STS;
  if (strip_suffix (name, ".log.gz") || strip_suffix (name, ".log"))
    return strip_number (name, pe) ? FILE_LOG : FILE_FOREIGN;
  if (strip_suffix (name, ".sum") || strip_suffix (name, ".sumd"))
    {
      strip_number (name, pe);
      return FILE_SUMMARY;
    }
  if (strip_suffix (name, ".projrc") || strip_suffix (name, ".topo"))
    return FILE_OTHER;
  if (strip_suffix (name, ".statis"))
    return strip_number (name, pe) ? FILE_OTHER : FILE_FOREIGN;
  return FILE_FOREIGN;
}

static void
group_free (gpointer data)
{
  Group *group = data;

  g_free (group->base);
  g_free (group->sts);
  g_free (group);
}

static Group *
get_group (GHashTable *groups,
           const char *base)
{
  Group *group = g_hash_table_lookup (groups, base);

  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->base = g_strdup (base);
      g_hash_table_insert (groups, group->base, group);
    }
  return group;
}

/* "<base>.projdir.<k>" */
static gboolean
is_log_folder (const char *name)
{
  const char *mark = strstr (name, ".projdir.");

  return mark != NULL && mark != name;
}

static gboolean
count_files (const char  *folder,
             gboolean     top,
             GHashTable  *groups,
             GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  if (dir == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   "The folder “%s” cannot be opened", folder);
      return FALSE;
    }
  while ((entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *name = g_strdup (entry);
      g_autofree char *path = g_build_filename (folder, entry, NULL);
      gint64 pe;

      if (top && is_log_folder (entry) && g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          count_files (path, FALSE, groups, NULL);
          continue;
        }
      switch (classify (name, &pe))
        {
        case FILE_STS:
          g_free (get_group (groups, name)->sts);
          get_group (groups, name)->sts = g_steal_pointer (&path);
          break;
        case FILE_LOG:
          get_group (groups, name)->n_logs++;
          break;
        case FILE_SUMMARY:
          get_group (groups, name)->n_summaries++;
          break;
        default:
          break;
        }
    }
  return TRUE;
}

static int
compare_logs (gconstpointer a,
              gconstpointer b)
{
  const KymoLogFile *x = a, *y = b;

  if (x->pe != y->pe)
    return x->pe < y->pe ? -1 : 1;
  return x->size_bytes > y->size_bytes ? -1 : x->size_bytes < y->size_bytes;
}

static void
collect_logs (KymoProjectionsFiles *files,
              const char           *folder,
              const char           *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *base = g_strdup (entry);
      g_autofree char *path = g_build_filename (folder, entry, NULL);
      KymoLogFile file;
      struct stat info;

      if (prefix == NULL && is_log_folder (entry) && g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          collect_logs (files, path, entry);
          continue;
        }
      if (classify (base, &file.pe) != FILE_LOG || strcmp (base, files->base) != 0
          || stat (path, &info) != 0 || !S_ISREG (info.st_mode))
        continue;
      file.size_bytes = info.st_size;
      file.path = g_steal_pointer (&path);
      file.name = prefix != NULL ? g_build_filename (prefix, entry, NULL) : g_strdup (entry);
      g_array_append_val (files->logs, file);
    }
}

/* Of two logs of one PE (.log and .log.gz) the larger stays. */
static void
drop_twins (GArray *logs)
{
  for (guint i = logs->len; i-- > 1;)
    if (g_array_index (logs, KymoLogFile, i).pe == g_array_index (logs, KymoLogFile, i - 1).pe)
      g_array_remove_index (logs, i);
}

static int
compare_groups (gconstpointer a,
                gconstpointer b)
{
  return strcmp ((*(Group *const *) a)->base, (*(Group *const *) b)->base);
}

/* The one group that is a run, or an error that says what there is. */
static Group *
choose_group (const char  *path,
              GHashTable  *groups,
              const char  *base,
              GError     **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GString) names = g_string_new (NULL);
  GHashTableIter iter;
  Group *group, *summary = NULL, *orphan = NULL;

  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &group))
    {
      if (base != NULL && strcmp (group->base, base) != 0)
        continue;
      if (group->sts != NULL && group->n_logs > 0)
        g_ptr_array_add (runs, group);
      else if (group->n_summaries > 0)
        summary = group;
      else if (group->n_logs > 0 || group->sts != NULL)
        orphan = group;
    }
  if (runs->len == 1)
    return g_ptr_array_index (runs, 0);
  g_ptr_array_sort (runs, compare_groups);
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            ((Group *) g_ptr_array_index (runs, i))->base);
  if (runs->len > 1)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
                 "“%s” holds several runs: %s; name one with --base", path, names->str);
  else if (summary != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 "“%s” holds a summary of %s (%u .sum files: sums by bins of time, no blocks "
                 "and no messages); to be shown it needs the logs (.log or .log.gz) "
                 "that +tracemode projections writes", path, summary->base,
                 summary->n_summaries);
  else if (orphan != NULL && orphan->sts == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 "“%s” holds %u logs of %s, but not the file %s.sts with the names",
                 path, orphan->n_logs, orphan->base, orphan->base);
  else if (orphan != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 "“%s” holds %s.sts, but no log of it (%s.<PE>.log or .log.gz)",
                 path, orphan->base, orphan->base);
  else if (base != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 "“%s” holds no run named “%s”", path, base);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 "“%s” holds no run: no .sts file and no logs of Projections", path);
  return NULL;
}

/* A file stands for its run: the folder and the base follow from its name. */
static gboolean
resolve (const char  *path,
         char       **folder,
         char       **base,
         GError     **error)
{
  g_autofree char *name = NULL;
  g_autofree char *parent = NULL;
  gint64 pe;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      *folder = g_strdup (path);
      return TRUE;
    }
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "There is no “%s”", path);
      return FALSE;
    }
  name = g_path_get_basename (path);
  if (classify (name, &pe) == FILE_FOREIGN)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   "“%s” is no file of a Projections run (.sts, .log, .log.gz)", path);
      return FALSE;
    }
  *folder = g_path_get_dirname (path);
  parent = g_path_get_basename (*folder);
  if (is_log_folder (parent))
    {
      g_autofree char *inner = g_steal_pointer (folder);

      *folder = g_path_get_dirname (inner);
    }
  *base = g_steal_pointer (&name);
  return TRUE;
}

/**
 * kymo_projections_find:
 * @path: a folder or any file of a run
 * @base: (nullable): the run's name where the folder holds several
 *
 * Returns: (transfer full) (nullable): the files; else a sentence that says
 * what is there and what would be needed
 */
KymoProjectionsFiles *
kymo_projections_find (const char  *path,
                       const char  *base,
                       GError     **error)
{
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                         group_free);
  g_autofree char *folder = NULL;
  g_autofree char *file_base = NULL;
  KymoProjectionsFiles *files;
  Group *group;

  if (!resolve (path, &folder, &file_base, error) || !count_files (folder, TRUE, groups, error))
    return NULL;
  group = choose_group (path, groups, base != NULL ? base : file_base, error);
  if (group == NULL)
    return NULL;
  files = g_new0 (KymoProjectionsFiles, 1);
  files->folder = g_steal_pointer (&folder);
  files->base = g_strdup (group->base);
  files->sts = g_strdup (group->sts);
  files->n_summaries = group->n_summaries;
  files->logs = g_array_new (FALSE, FALSE, sizeof (KymoLogFile));
  g_array_set_clear_func (files->logs, log_file_clear);
  collect_logs (files, files->folder, NULL);
  g_array_sort (files->logs, compare_logs);
  drop_twins (files->logs);
  return files;
}
