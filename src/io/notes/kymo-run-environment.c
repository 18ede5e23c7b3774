/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-run-environment.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"

#define OWN_GROUP "Kymo Environment"
#define VERSION 1
/* The recorder writes at most 1 MiB. */
#define MOST_BYTES (2 << 20)
#define MOST_LINES 8192

/* (transfer full): the items of a list with commas between them, or the text that it is */
static char *
dup_value (GKeyFile   *file,
           const char *group,
           const char *key)
{
  g_autofree char *raw = g_key_file_get_value (file, group, key, NULL);
  g_auto (GStrv) items = NULL;

  if (raw == NULL || !g_str_has_suffix (raw, ";"))
    return g_key_file_get_string (file, group, key, NULL);
  items = g_key_file_get_string_list (file, group, key, NULL, NULL);
  return items != NULL ? g_strjoinv (", ", items) : NULL;
}

/* Groups of single processes and of what is found at the end, which the file has not. */
#define CHANGED_FILES "Files Changed by Others"
static const char *const late_groups[] = { CHANGED_FILES, "Leaks", "Memory Peaks", "Process " };

static gboolean
is_late (const char *group)
{
  for (guint i = 0; i < G_N_ELEMENTS (late_groups); i++)
    if (g_str_has_prefix (group, late_groups[i]))
      return TRUE;
  return FALSE;
}

/* @late: only what is_late() */
static void
add_lines (KymoRun  *run,
           GKeyFile *file,
           gboolean  late)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_auto (GStrv) keys = late && !is_late (groups[i]) ? NULL
        : g_key_file_get_keys (file, groups[i], NULL, NULL);

      for (guint k = 0; keys != NULL && keys[k] != NULL; k++)
        {
          char *value = dup_value (file, groups[i], keys[k]);
          KymoFact fact = { .value = value };

          if (value == NULL || run->environment->len == MOST_LINES
              || (g_str_equal (groups[i], OWN_GROUP) && g_str_equal (keys[k], "version")))
            {
              g_free (value);
              continue;
            }
          fact.key = g_strconcat (groups[i], ".", keys[k], NULL);
          g_array_append_val (run->environment, fact);
        }
    }
}

/* FALSE where the file is there and cannot be read. */
static gboolean
load_file (const char *path,
           const char *group,
           GKeyFile   *file)
{
  g_autoptr (GError) error = NULL;

  return kymo_input_load_key_file (file, path, MOST_BYTES, G_KEY_FILE_NONE, &error)
    && g_key_file_get_integer (file, group, "version", NULL) == VERSION;
}

/* What the machine can do, which somebody measured before or after the run. */
static void
take_probe (KymoRun *run)
{
  g_autofree char *path = g_build_filename (run->path, KYMO_PROBE_FILE, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  if (load_file (path, "Probe", file))
    add_lines (run, file, FALSE);
  else
    kymo_report_add (run->report, KYMO_PROBE_FILE, KYMO_SEVERITY_NOTE, 1, -1,
                     N_("The probe of the machine cannot be read"));
}

static void
take_environment (KymoRun  *run,
                  GKeyFile *properties)
{
  g_autofree char *path = g_build_filename (run->path, KYMO_ENVIRONMENT_FILE, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      if (load_file (path, OWN_GROUP, file))
        {
          add_lines (run, file, FALSE);
          if (properties != NULL)
            add_lines (run, properties, TRUE);
          return;
        }
      kymo_report_add (run->report, KYMO_ENVIRONMENT_FILE, KYMO_SEVERITY_NOTE, 1, -1,
                       N_("The environment of the run cannot be read"));
    }
  if (properties != NULL)
    add_lines (run, properties, FALSE);
}

/**
 * kymo_run_environment_take:
 * @run: not sealed, with its path
 * @properties: (nullable): what its own files tell; where it has a file environment.ini, only
 *   what that cannot know, such as leaks and what is of single processes
 *
 * Gives the run its environment, and the figures of a probe beside it.
 */
void
kymo_run_environment_take (KymoRun  *run,
                       GKeyFile *properties)
{
  take_environment (run, properties);
  take_probe (run);
}

/* A key file has no place for others. */
static gboolean
is_sound_name (const char *name)
{
  if (*name == '\0' || *name == ' ' || g_str_has_suffix (name, " ")
      || strpbrk (name, "[]=") != NULL || !g_utf8_validate (name, -1, NULL))
    return FALSE;
  for (; *name != '\0'; name++)
    if (g_ascii_iscntrl (*name))
      return FALSE;
  return TRUE;
}

/**
 * kymo_run_environment_property:
 * @properties: (inout): gets it
 * @rank: of the process that has it; -1 = none
 * @name: "GROUP.KEY"; what is of one process has the group "Process", "Leaks" or "Memory Peaks",
 *   to which its rank is added
 * @value: as in the file
 *
 * Adds a property of a process, unless it has another name.
 */
void
kymo_run_environment_property (GKeyFile   *properties,
                           gint64      rank,
                           const char *name,
                           const char *value)
{
  const char *dot = strchr (name, '.');
  g_autofree char *group = NULL;

  if (dot == NULL || dot == name || !is_sound_name (dot + 1) || !is_sound_name (name)
      || strpbrk (value, "\n\r") != NULL || !g_utf8_validate (value, -1, NULL))
    return;
  group = g_strndup (name, (gsize) (dot - name));
  if ((g_str_equal (group, "Process") || is_late (group)) && rank >= 0
      && !g_str_equal (group, CHANGED_FILES))
    {
      char *whole = g_strdup_printf ("%s %" G_GINT64_FORMAT, group, rank);

      g_free (group);
      group = whole;
    }
  g_key_file_set_value (properties, group, dot + 1, value);
}
