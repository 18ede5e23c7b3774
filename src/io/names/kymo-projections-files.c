/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of one base are one run; foreign files are ignored. Only
 * `<base>.projdir.<k>` folders are entered, and those not deeper, so a circle of
 * links ends at once.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-files.h"

#include <string.h>
#include <sys/stat.h>

#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-projections-file-kind.h"

static void
file_clear (gpointer data)
{
  g_free (((KymoProjectionsFile *) data)->path);
  g_free (((KymoProjectionsFile *) data)->name);
}

static GArray *
files_array_new (void)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (KymoProjectionsFile));

  g_array_set_clear_func (array, file_clear);
  return array;
}

/* While a folder is walked: what it holds of one base. */
typedef struct
{
  KymoProjectionsFiles *files;
  char                 *sum_sts;
  char                 *util_sts;
} Group;

static Group *
group_new (const char *folder,
           const char *base)
{
  Group *group = g_new0 (Group, 1);

  group->files = g_new0 (KymoProjectionsFiles, 1);
  group->files->folder = g_strdup (folder);
  group->files->base = g_strdup (base);
  group->files->logs = files_array_new ();
  group->files->sums = files_array_new ();
  group->files->details = files_array_new ();
  group->files->twins = g_ptr_array_new_with_free_func (g_free);
  group->files->closed_folders = g_ptr_array_new_with_free_func (g_free);
  return group;
}

static void
group_free (gpointer data)
{
  Group *group = data;

  kymo_projections_files_free (group->files);
  g_free (group->sum_sts);
  g_free (group->util_sts);
  g_free (group);
}

/**
 * kymo_projections_files_free:
 *
 * Frees @files. %NULL is ignored.
 */
void
kymo_projections_files_free (KymoProjectionsFiles *files)
{
  if (files == NULL)
    return;
  g_free (files->folder);
  g_free (files->base);
  g_free (files->sts);
  g_free (files->projrc);
  g_array_unref (files->logs);
  g_array_unref (files->sums);
  g_array_unref (files->details);
  g_ptr_array_unref (files->twins);
  g_ptr_array_unref (files->closed_folders);
  g_free (files);
}

/* "<base>.projdir.<k>" */
static gboolean
is_log_folder (const char *name)
{
  const char *mark = strstr (name, ".projdir.");

  return mark != NULL && mark != name;
}

static void
add_file (GArray     *array,
          gint64      pe,
          char       *path,
          const char *prefix,
          const char *entry)
{
  KymoProjectionsFile file = { pe, path, NULL, 0 };
  struct stat info;

  /* A link to nowhere, a folder or a pipe of that name is still a log that
     should be there: the reader says what is wrong with it. */
  if (stat (path, &info) != 0 || !S_ISREG (info.st_mode))
    info.st_size = 0;
  file.size_bytes = info.st_size;
  file.name = prefix != NULL ? g_build_filename (prefix, entry, NULL) : g_strdup (entry);
  g_array_append_val (array, file);
}

/**
 * kymo_projections_files_report:
 * @report: is told of files that are not read though they are of the run
 */
void
kymo_projections_files_report (const KymoProjectionsFiles *files,
                               KymoReport                 *report)
{
  if (files->twins->len == 1)
    kymo_report_add (report, files->twins->pdata[0], KYMO_SEVERITY_NOTE, 1, -1,
                     N_("There is a larger file of the same PE, which is read instead"));
  else if (files->twins->len > 1)
    kymo_report_add (report, files->base, KYMO_SEVERITY_NOTE, files->twins->len, -1,
                     N_("Files have a larger file of the same PE beside them, "
                        "which is read instead"));
  for (guint i = 0; i < files->closed_folders->len; i++)
    kymo_report_add (report, files->closed_folders->pdata[i], KYMO_SEVERITY_LOST, 1, -1,
                     N_("The folder cannot be opened; the logs in it are missing"));
}

static void
take_path (char **place,
           char  *path)
{
  g_free (*place);
  *place = path;
}

/* Of a file and its compressed copy, the plain one, in whatever order the
   folder tells them. */
static void
take_plain_path (char **place,
                 char  *path)
{
  if (*place != NULL && !g_str_has_suffix (*place, ".gz"))
    g_free (path);
  else
    take_path (place, path);
}

static void
sort_in (GHashTable *groups,
         const char *top,
         const char *prefix,
         const char *entry)
{
  g_autofree char *base = g_strdup (entry);
  gint64 pe;
  KymoFileKind kind = kymo_file_kind_split (base, &pe);
  Group *group;
  char *path;

  if (kind == KYMO_FILE_FOREIGN || (prefix != NULL && kind != KYMO_FILE_LOG))
    return;
  group = g_hash_table_lookup (groups, base);
  if (group == NULL)
    {
      group = group_new (top, base);
      g_hash_table_insert (groups, group->files->base, group);
    }
  path = prefix != NULL ? g_build_filename (top, prefix, entry, NULL)
    : g_build_filename (top, entry, NULL);
  switch (kind)
    {
    case KYMO_FILE_STS:
      take_plain_path (&group->files->sts, path);
      break;
    case KYMO_FILE_SUM_STS:
      take_plain_path (&group->sum_sts, path);
      break;
    case KYMO_FILE_UTIL_STS:
      take_plain_path (&group->util_sts, path);
      break;
    case KYMO_FILE_PROJRC:
      take_plain_path (&group->files->projrc, path);
      break;
    case KYMO_FILE_LOG:
      add_file (group->files->logs, pe, path, prefix, entry);
      break;
    case KYMO_FILE_SUM:
      add_file (group->files->sums, pe, path, prefix, entry);
      break;
    case KYMO_FILE_DETAIL:
      add_file (group->files->details, pe, path, prefix, entry);
      break;
    default:
      g_free (path);
      break;
    }
}

static gboolean
walk_projections_files (GHashTable  *groups,
                        GPtrArray   *closed_folders,
                        const char  *top,
                        const char  *prefix,
                        GError     **error)
{
  g_autofree char *folder = prefix != NULL ? g_build_filename (top, prefix, NULL)
    : g_strdup (top);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  if (dir == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("The folder “%s” cannot be opened"), folder);
      return FALSE;
    }
  while ((entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, entry, NULL);

      if (prefix == NULL && is_log_folder (entry) && g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          if (!walk_projections_files (groups, closed_folders, top, entry, NULL))
            g_ptr_array_add (closed_folders, g_strdup (entry));
        }
      else
        sort_in (groups, top, prefix, entry);
    }
  return TRUE;
}

static int
compare_files (gconstpointer a,
               gconstpointer b)
{
  const KymoProjectionsFile *x = a, *y = b;

  KYMO_ORDER_BY (x->pe, y->pe);
  KYMO_ORDER_BY (y->size_bytes, x->size_bytes);
  return strcmp (x->name, y->name);
}

static gboolean
is_same_file (const KymoProjectionsFile *a,
              const KymoProjectionsFile *b)
{
  struct stat x, y;

  return stat (a->path, &x) == 0 && stat (b->path, &y) == 0
    && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* By PE; of two files of one PE (.log and .log.gz) the larger stays. The same
   file by two ways (a folder that is a link to the one above) is no twin. */
static void
put_in_order (GArray    *files,
              GPtrArray *twins)
{
  guint n = 0;

  g_array_sort (files, compare_files);
  for (guint i = 0; i < files->len; i++)
    {
      KymoProjectionsFile *file = &g_array_index (files, KymoProjectionsFile, i);
      KymoProjectionsFile *last = n > 0 ? &g_array_index (files, KymoProjectionsFile, n - 1)
        : NULL;

      if (last == NULL || last->pe != file->pe || file->pe == G_MAXINT32)
        {
          KymoProjectionsFile kept = *file;

          *file = g_array_index (files, KymoProjectionsFile, n);
          g_array_index (files, KymoProjectionsFile, n++) = kept;
        }
      else if (!is_same_file (last, file) && !is_same_file (file - 1, file))
        g_ptr_array_add (twins, g_strdup (file->name));
    }
  g_array_set_size (files, n);
}

static gboolean
has_data (const Group *group)
{
  return group->files->logs->len > 0 || group->files->sums->len > 0
    || group->files->details->len > 0;
}

static gboolean
has_names (const Group *group)
{
  return group->files->sts != NULL || group->sum_sts != NULL;
}

static int
compare_groups (gconstpointer a,
                gconstpointer b)
{
  return strcmp ((*(Group *const *) a)->files->base, (*(Group *const *) b)->files->base);
}

/* The names of runs, in order: "a, b, c". */
static char *
list_runs (GPtrArray *runs)
{
  GString *names = g_string_new (NULL);

  g_ptr_array_sort (runs, compare_groups);
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            ((Group *) g_ptr_array_index (runs, i))->files->base);
  return g_string_free (names, FALSE);
}

static void
set_no_data (const char  *path,
             const Group *empty,
             GError     **error)
{
  const char *base = empty->files->base;

  if (empty->files->sts != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds %s.sts, but no log of it (%s.<PE>.log or .log.gz)"),
                 path, base, base);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds %s.sum.sts, but no summary of it (%s.<PE>.sum)"),
                 path, base, base);
}

static void
set_no_run (const char  *path,
            const char  *base,
            const Group *empty,
            GPtrArray   *others,
            GError     **error)
{
  g_autofree char *names = list_runs (others);

  if (empty != NULL)
    set_no_data (path, empty, error);
  else if (base != NULL && others->len > 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” holds no run named “%s”; it holds %s"), path, base, names);
  else if (base != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN,
                 _("“%s” holds no run named “%s”"), path, base);
  else
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN,
                 _("“%s” holds no run of Projections"),
                 path);
}

static void
set_several (const char  *path,
             GPtrArray   *runs,
             GError     **error)
{
  g_autofree char *names = list_runs (runs);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
               _("“%s” holds several runs: %s; name one with --base, or one of its files"),
               path, names);
}

/* The one group that is a run, or an error that says what there is. A file
   that merely looks like a log (build.1.log) makes no run beside a true one,
   but alone it may be one whose names were lost. */
static Group *
choose_group (const char  *path,
              GHashTable  *groups,
              const char  *base,
              GError     **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GPtrArray) nameless = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  GPtrArray *candidates;
  GHashTableIter iter;
  Group *group, *empty = NULL;

  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &group))
    {
      if (base != NULL && strcmp (group->files->base, base) != 0)
        {
          if (has_data (group))
            g_ptr_array_add (others, group);
          continue;
        }
      if (has_data (group))
        g_ptr_array_add (has_names (group) ? runs : nameless, group);
      else if (has_names (group))
        empty = group;
    }
  candidates = runs->len > 0 ? runs : nameless;
  if (candidates->len == 1)
    return g_ptr_array_index (candidates, 0);
  if (candidates->len > 1)
    set_several (path, candidates, error);
  else
    set_no_run (path, base, empty, others, error);
  return NULL;
}

/* Logs before sums, unless a file of the other form was named; then whose
   names fit it best. */
static void
choose_form (Group    *group,
             KymoFileKind  named)
{
  KymoProjectionsFiles *files = group->files;
  gboolean wants_sums = named == KYMO_FILE_SUM || named == KYMO_FILE_DETAIL
    || named == KYMO_FILE_SUM_STS;
  gboolean has_sums = files->sums->len > 0 || files->details->len > 0;
  char *own;

  files->form = files->logs->len == 0 || (wants_sums && has_sums)
    ? KYMO_PROJECTIONS_SUMMARY : KYMO_PROJECTIONS_LOGS;
  own = files->form == KYMO_PROJECTIONS_SUMMARY ? group->sum_sts : files->sts;
  files->sts_of_other_form = own == NULL;
  if (own == NULL)
    own = files->sts != NULL ? files->sts
      : group->sum_sts != NULL ? group->sum_sts : group->util_sts;
  if (own != files->sts)
    take_path (&files->sts, g_strdup (own));
}

/**
 * kymo_projections_files_part:
 * @folder: not looked into
 * @name: of a file, or of a folder of logs, which counts as a log
 * @base: (out) (transfer full): what the names of the run begin with; set if it is a part
 *
 * The function `part` of a #KymoFormat.
 *
 * Returns: what the file is to a run
 */
KymoPart
kymo_projections_files_part (const char  *folder,
                             const char  *name,
                             char       **base)
{
  g_autofree char *stem = g_strdup (name);
  KymoPart part = KYMO_PART_DATA;
  gint64 pe;

  if (is_log_folder (stem))
    *strstr (stem, ".projdir.") = '\0';
  else
    switch (kymo_file_kind_split (stem, &pe))
      {
      case KYMO_FILE_LOG:
      case KYMO_FILE_SUM:
      case KYMO_FILE_DETAIL:
        break;
      case KYMO_FILE_STS:
      case KYMO_FILE_SUM_STS:
        part = KYMO_PART_NAMES;
        break;
      default:
        return KYMO_PART_NONE;
      }
  *base = g_steal_pointer (&stem);
  return part;
}

/* A folder of logs stands for the run it is a part of: without the .sts beside
   it there would be neither names nor the other PEs. */
static gboolean
leave_log_folder (const char  *path,
                  char       **folder,
                  char       **base)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *bare = NULL;
  g_autofree char *parent = NULL;
  g_autofree char *sts = NULL;
  gsize length = strlen (path);

  if (!is_log_folder (name))
    return FALSE;
  while (length > 1 && G_IS_DIR_SEPARATOR (path[length - 1]))
    length--;
  bare = g_strndup (path, length);
  parent = g_path_get_dirname (bare);
  *strstr (name, ".projdir.") = '\0';
  sts = g_strdup_printf ("%s%c%s.sts", parent, G_DIR_SEPARATOR, name);
  if (!g_file_test (sts, G_FILE_TEST_IS_REGULAR))
    return FALSE;
  *folder = g_steal_pointer (&parent);
  *base = g_steal_pointer (&name);
  return TRUE;
}

/* A file stands for its run: the folder and the base follow from its name. */
static gboolean
resolve_projections_files (const char  *path,
                           char       **folder,
                           char       **base,
                           KymoFileKind    *kind,
                           GError     **error)
{
  g_autofree char *name = NULL;
  g_autofree char *parent = NULL;
  gint64 pe;

  *kind = KYMO_FILE_FOREIGN;
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      if (!leave_log_folder (path, folder, base))
        *folder = g_strdup (path);
      return TRUE;
    }
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("There is no “%s”"), path);
      return FALSE;
    }
  name = g_path_get_basename (path);
  *kind = kymo_file_kind_split (name, &pe);
  if (*kind == KYMO_FILE_FOREIGN)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN,
                   _("“%s” is no file of a Projections run (.sts, .log, .log.gz, .sum, .sumd)"),
                   path);
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
 * @path: a folder or any file of a run; a .sum, .sumd or .sum.sts picks that form where there
 *   are logs as well
 * @base: (nullable): the run's name where the folder holds several
 * @error: a sentence that says what is there and what would be needed: %KYMO_ERROR_FOREIGN if
 *   nothing of the format is there, %KYMO_ERROR_AMBIGUOUS if there are several runs, else
 *   %KYMO_ERROR_UNREADABLE
 *
 * Returns: (transfer full) (nullable): the files
 */
KymoProjectionsFiles *
kymo_projections_find (const char  *path,
                       const char  *base,
                       GError     **error)
{
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                         group_free);
  g_autoptr (GPtrArray) closed_folders = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = NULL;
  g_autofree char *file_base = NULL;
  KymoProjectionsFiles *files;
  KymoFileKind named;
  Group *group;

  if (!resolve_projections_files (path, &folder, &file_base, &named, error)
      || !walk_projections_files (groups, closed_folders, folder, NULL, error))
    return NULL;
  group = choose_group (path, groups, base != NULL ? base : file_base, error);
  if (group == NULL)
    return NULL;
  put_in_order (group->files->logs, group->files->twins);
  put_in_order (group->files->sums, group->files->twins);
  put_in_order (group->files->details, group->files->twins);
  for (guint i = 0; i < closed_folders->len; i++)
    if (g_str_has_prefix (closed_folders->pdata[i], group->files->base))
      g_ptr_array_add (group->files->closed_folders, g_strdup (closed_folders->pdata[i]));
  choose_form (group, named);
  g_hash_table_steal (groups, group->files->base);
  files = g_steal_pointer (&group->files);
  g_free (group->sum_sts);
  g_free (group->util_sts);
  g_free (group);
  return files;
}
