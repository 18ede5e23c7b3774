/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file's name is split at dots: the ending tells its kind, the part before
 * a log's ending is the PE, the rest is the base. May be called from any thread.
 */
#include "config.h"

#include "kymo-projections-file-kind.h"

#include <string.h>

static gboolean
strip_suffix (char       *name,
              const char *suffix)
{
  if (!g_str_has_suffix (name, suffix) || strlen (name) <= strlen (suffix))
    return FALSE;
  name[strlen (name) - strlen (suffix)] = '\0';
  return TRUE;
}

/* Cuts ".<number>" off the end. A number that no PE has is taken all the
   same: that the file is left out is told then. */
static gboolean
strip_number (char   *name,
              gint64 *number)
{
  char *dot = strrchr (name, '.');

  if (dot == NULL || dot == name || dot[1] == '\0'
      || strspn (dot + 1, "0123456789") != strlen (dot + 1))
    return FALSE;
  if (!g_ascii_string_to_signed (dot + 1, 10, 0, G_MAXINT32, number, NULL))
    *number = G_MAXINT32;
  *dot = '\0';
  return TRUE;
}

static const struct
{
  const char  *suffix;
  KymoFileKind kind;
  enum { NO_PE, PERHAPS_PE, MUST_PE } pe;
} suffixes[] =
{                               /* `.gz` behind any of them is cut off before */
  { ".sum.sts", KYMO_FILE_SUM_STS, NO_PE },
  { ".util.sts", KYMO_FILE_UTIL_STS, NO_PE },
  { ".sts", KYMO_FILE_STS, NO_PE },
  { ".log", KYMO_FILE_LOG, MUST_PE },
  { ".sum", KYMO_FILE_SUM, PERHAPS_PE },     /* +sumonly writes one without */
  { ".sumd", KYMO_FILE_DETAIL, MUST_PE },
  { ".projrc", KYMO_FILE_PROJRC, NO_PE },
  { ".topo", KYMO_FILE_OTHER, NO_PE },
  { ".statis", KYMO_FILE_OTHER, MUST_PE },
};

/**
 * kymo_file_kind_split:
 * @name: (inout): name of a file, without a folder; the base of the run's names stays in it
 * @pe: (out): the PE that the name tells, -1 for none
 *
 * Takes the name of a file apart. A suffix .gz counts with every kind: logs are compressed by
 * the runtime, all others by people who tidy up, and readers look into a file, not at its
 * name.
 *
 * Returns: the kind of the file; %KYMO_FILE_FOREIGN for a name that is none of a run
 */
KymoFileKind
kymo_file_kind_split (char   *name,
                      gint64 *pe)
{
  *pe = -1;
  strip_suffix (name, ".gz");
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (strip_suffix (name, suffixes[i].suffix))
      {
        if (suffixes[i].pe != NO_PE && !strip_number (name, pe) && suffixes[i].pe == MUST_PE)
          return KYMO_FILE_FOREIGN;
        return suffixes[i].kind;
      }
  return KYMO_FILE_FOREIGN;
}
