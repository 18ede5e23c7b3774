/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs to choose from, where a folder is not one run: the several runs in it, or those
 * in its folders, one level below. By names of files; nothing is read of a run.
 *
 * Any thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoRunChoice:
 * @name: of the run, or of the folder that holds it; valid UTF-8
 * @path: what to open: a file of the run, or its folder
 */
typedef struct
{
  char *name;
  char *path;
} KymoRunChoice;

GPtrArray *kymo_run_choices_list  (const char *folder);
GPtrArray *kymo_run_choices_below (const char *folder);
char      *kymo_run_choices_words (GPtrArray  *choices);

G_END_DECLS
