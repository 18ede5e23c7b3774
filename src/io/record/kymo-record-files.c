/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of a program that kymo-record records: DIR/raw/HOST.PID/ of each process, and once
 * the program has ended DIR/traces.otf2. Needs no library.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <fcntl.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-order.h"
#include "kymo-record-files.h"

#define FIRST_LINE "kymo-raw\t"
#define ANCHOR "traces.otf2"
/* From a file of a process up to the folder of the run. */
#define MOST_STEPS 3
/* Processes that are looked for in a folder. */
#define MOST_PROCESSES (1 << 20)

/**
 * kymo_record_is_definitions:
 * @path: a file
 *
 * Returns: whether it holds the definitions of a recorded process
 */
gboolean
kymo_record_is_definitions (const char *path)
{
  char head[sizeof FIRST_LINE - 1];

  return kymo_input_read_head (AT_FDCWD, path, head, sizeof head) == sizeof head
    && memcmp (head, FIRST_LINE, sizeof head) == 0;
}

/**
 * kymo_record_list:
 * @folder: of a run
 *
 * Returns: (transfer full) (element-type utf8): paths of the folders of its processes, by name;
 *   none where it is no such folder
 */
GPtrArray *
kymo_record_list (const char *folder)
{
  g_autofree char *raw = g_build_filename (folder, "raw", NULL);
  g_autoptr (GDir) dir = g_dir_open (raw, 0, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  for (guint i = 0; dir != NULL && i < MOST_PROCESSES && (name = g_dir_read_name (dir)) != NULL;
       i++)
    {
      g_autofree char *path = g_build_filename (raw, name, NULL);
      g_autofree char *definitions = g_build_filename (path, "definitions", NULL);

      if (kymo_record_is_definitions (definitions))
        g_ptr_array_add (paths, g_steal_pointer (&path));
    }
  g_ptr_array_sort (paths, kymo_compare_strings);
  return paths;
}

static gboolean
has_processes (const char *folder)
{
  g_autoptr (GPtrArray) paths = kymo_record_list (folder);

  return paths->len > 0;
}

/**
 * kymo_record_find:
 * @path: the folder of a run, or anything in it
 * @error: %KYMO_ERROR_FOREIGN where it is none
 *
 * Returns: (transfer full) (nullable): the folder of the run
 */
char *
kymo_record_find (const char  *path,
                  GError     **error)
{
  g_autofree char *folder = g_canonicalize_filename (path, NULL);

  for (guint i = 0; i <= MOST_STEPS; i++)
    {
      char *above = g_path_get_dirname (folder);

      if (has_processes (folder))
        {
          g_free (above);
          return g_steal_pointer (&folder);
        }
      g_free (folder);
      folder = above;
      /* What actions wrote while the run went on are runs of their own. */
      if (g_str_has_suffix (folder, G_DIR_SEPARATOR_S "actions"))
        break;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN,
               _("“%s” holds no events of a recorded program"), path);
  return NULL;
}

/**
 * kymo_record_dup_anchor:
 * @folder: of a run
 *
 * Returns: (transfer full) (nullable): path of its OTF2 archive, if there is one
 */
char *
kymo_record_dup_anchor (const char *folder)
{
  char *path = g_build_filename (folder, ANCHOR, NULL);

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    g_clear_pointer (&path, g_free);
  return path;
}

static gboolean
knows (const char *path)
{
  return kymo_record_is_definitions (path);
}

/* The folder "raw" stands for the run where there is no archive. */
static KymoPart
record_part (const char  *folder,
             const char  *name,
             char       **base)
{
  g_autofree char *anchor = NULL;

  if (strcmp (name, "raw") != 0 || !has_processes (folder))
    return KYMO_PART_NONE;
  anchor = kymo_record_dup_anchor (folder);
  if (anchor != NULL)
    return KYMO_PART_NONE;
  *base = g_strdup ("");
  return KYMO_PART_BOTH;
}

const KymoFormat kymo_format_record =
{
  .id = "record",
  .kind = KYMO_FORMAT_TRACE,
  .tool = "kymo-record",
  .label = N_("Recorded program"),
  .globs = KYMO_FORMAT_WORDS ("definitions"),
  .types = KYMO_FORMAT_WORDS ("application/x-kymo-record"),
  .read = kymo_record_read,
  .knows = knows,
  .part = record_part,
};
