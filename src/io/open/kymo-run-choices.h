/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs to choose from, where a folder is not one run: the several runs in it, of whatever
 * formats, or those in its folders, one level below. By names of files, and their first bytes
 * where names do not tell; no run is read.
 *
 * Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-format.h"

G_BEGIN_DECLS

/**
 * KymoRunChoice:
 * @name: of the run, or of the folder that holds it; valid UTF-8; no two are called the same
 * @what: what it is: "TAU trace"; of a folder all that it holds: "TAU trace, mpiP report"
 * @path: what to open: a file of the run, or its folder
 */
typedef struct
{
  char *name;
  char *what;
  char *path;
} KymoRunChoice;

GPtrArray        *kymo_run_choices_list  (const char *folder,
                                          gboolean    also_one);
GPtrArray        *kymo_run_choices_below (const char *folder);
const KymoFormat *kymo_run_choices_find  (const char *folder,
                                          const char *base,
                                          char      **path,
                                          gboolean   *mixed);
gboolean          kymo_run_choices_are_alike (GPtrArray *choices);
char             *kymo_run_choices_words (GPtrArray  *choices,
                                          guint       most);

G_END_DECLS
