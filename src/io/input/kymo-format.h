/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader of a family of files is, and how it describes itself. A new format is one file
 * that defines one of these, and one line in the table of kymo-formats.c.
 */
#pragma once

#include "kymo-open-options.h"

G_BEGIN_DECLS

/**
 * KymoPart: what a file is to a run
 * @KYMO_PART_NONE: nothing
 * @KYMO_PART_NAMES: it has names and no figures
 * @KYMO_PART_DATA: it has what was recorded; the names may be in another file
 * @KYMO_PART_BOTH: it has both
 * @KYMO_PART_ORIGINAL: beside others, of a run that other runs of its format in the folder
 *   were made of, such as merged traces of those of threads
 */
typedef enum
{
  KYMO_PART_NONE = 0,
  KYMO_PART_NAMES = 1 << 0,
  KYMO_PART_DATA = 1 << 1,
  KYMO_PART_BOTH = KYMO_PART_NAMES | KYMO_PART_DATA,
  KYMO_PART_ORIGINAL = 1 << 2,
} KymoPart;

/**
 * KymoFormatKind: what a run of a format is to a person
 * @KYMO_FORMAT_TRACE: it tells what happened when
 * @KYMO_FORMAT_PROFILE: it tells sums
 * @KYMO_FORMAT_RECORDING: what Kymo kept of a running program
 */
typedef enum
{
  KYMO_FORMAT_TRACE,
  KYMO_FORMAT_PROFILE,
  KYMO_FORMAT_RECORDING,
} KymoFormatKind;

/**
 * KymoFormat:
 * @id: "projections"
 * @kind: under what it stands where all formats are named
 * @tool: what its files are of, as people call it: "TAU"; never translated
 * @label: what a run of it is, where runs of several formats are named; to be translated
 * @globs: (array zero-terminated=1): names of its files, for file dialogs
 * @types: (array zero-terminated=1): MIME types of its files
 * @beside: (nullable) (array zero-terminated=1): ids of formats: a run of this format in a
 *   folder with a run of one of these is another recording of the same run, and the other is
 *   opened
 * @read: makes the run. Where the path holds nothing of this format it sets
 *   %KYMO_ERROR_FOREIGN and the next format is tried; so it is after
 *   %KYMO_ERROR_UNREADABLE, but that sentence is told where no other can read it.
 * @knows: (nullable): whether a file is of this format beyond doubt; then no
 *   other format is tried, whatever its name
 * @part: of an entry of a folder, by its name (where that does not tell, its first
 *   bytes): what it is to a run of this format, and in @base that run's name; an empty one
 *   where the run has none
 * @is_alone: (nullable): whether a file's run was recorded without any of the formats that
 *   may stand beside it
 */
typedef struct
{
  const char         *id;
  KymoFormatKind      kind;
  const char         *tool;
  const char         *label;
  const char *const  *globs;
  const char *const  *types;
  const char *const  *beside;
  KymoRun  *(*read)     (const char             *path,
                         const KymoOpenOptions  *options,
                         KymoJob                *job,
                         GError                **error);
  gboolean  (*knows)    (const char             *path);
  KymoPart  (*part)     (const char             *folder,
                         const char             *name,
                         char                  **base);
  gboolean  (*is_alone) (const char             *path);
} KymoFormat;

/* Words of a KymoFormat, with the NULL at their end. */
#define KYMO_FORMAT_WORDS(...) ((const char *const[]) { __VA_ARGS__, NULL })

G_END_DECLS
