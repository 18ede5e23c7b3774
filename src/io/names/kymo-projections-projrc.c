/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines "KEY value". Times are microseconds, -1 = not set. None of them sets
 * the run's span: the end can be far from what the logs tell.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-projrc.h"

#include <string.h>

#include "kymo-lines.h"

static const struct
{
  const char *keyword;
  const char *fact;
} times[] =
{
  { "RC_GLOBAL_START_TIME", "global_start_us" },
  { "RC_GLOBAL_END_TIME", "global_end_us" },
  { "RC_POSE_REAL_TIME", "pose_real_time_us" },
  { "RC_POSE_VIRT_TIME", "pose_virtual_time" },
};

typedef struct
{
  KymoRun    *run;
  const char *name;
} Target;

static void
note_projections_projrc (const Target *target,
                         gint64        offset,
                         const char   *what)
{
  kymo_report_add (target->run->report, target->name, KYMO_SEVERITY_NOTE, 1, offset, "%s", what);
}

static void
read_time (const Target *target,
           const char   *fact,
           const char   *value,
           gint64        offset)
{
  g_autofree char *text = NULL;
  gint64 time_us;

  if (!g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64, &time_us, NULL))
    {
      note_projections_projrc (target, offset, N_("A value is no number and was left out"));
      return;
    }
  text = g_strdup_printf ("%" G_GINT64_FORMAT, time_us);
  if (time_us >= 0)
    kymo_run_add_fact (target->run, fact, text);
}

static void
read_line (const Target *target,
           char         *line,
           gint64        offset)
{
  char *key = g_strstrip (line);
  char *value = key + strcspn (key, " \t");

  if (*key == '\0')
    return;
  if (*value != '\0')
    *value++ = '\0';
  value = g_strstrip (value);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (strcmp (key, times[i].keyword) == 0)
      {
        read_time (target, times[i].fact, value, offset);
        return;
      }
  if (strcmp (key, "RC_OUTLIER_FILTERED") != 0)
    note_projections_projrc (target, offset, N_("A word is not known and was left out"));
  else if (g_ascii_strcasecmp (value, "true") == 0)
    {
      target->run->kind = KYMO_RUN_REDUCED;
      note_projections_projrc (target, offset,
                               N_("The run was reduced to some of its PEs (RC_OUTLIER_FILTERED)"));
    }
}

/**
 * kymo_projrc_read:
 * @path: the file
 * @name: what the load report calls it
 * @run: gets facts and notes, and its kind
 *
 * Nothing depends on this file: what cannot be read is a note.
 */
void
kymo_projrc_read (const char *path,
                  const char *name,
                  KymoRun    *run)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (path, &error);
  Target target = { run, name };
  KymoLines lines;
  char *line, *end;

  if (inflate == NULL)
    {
      note_projections_projrc (&target, -1, error->message);
      return;
    }
  kymo_lines_init (&lines, inflate, NULL);
  while ((line = kymo_lines_next (&lines, &end)) != NULL)
    {
      *end = '\0';
      read_line (&target, line, lines.line_offset);
    }
  if (lines.tail_bytes > 0)
    read_line (&target, lines.next, lines.offset);
  kymo_lines_clear (&lines);
}
