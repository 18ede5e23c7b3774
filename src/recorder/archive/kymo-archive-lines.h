/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Definitions as text: lines, fields, numbers and lists of ranks. Anything may stand in them.
 */
#pragma once

#include "kymo-archive-pool.h"

/** KYMO_ARCHIVE_MOST_FIELDS: of a line; further ones are ignored */
#define KYMO_ARCHIVE_MOST_FIELDS 300

/**
 * KymoArchiveLine: a line of a text, which owns it
 * @field: the kind of the line and its fields, decoded
 * @n: how many fields there are; those beyond are ""
 */
typedef struct
{
  const char *field[KYMO_ARCHIVE_MOST_FIELDS];
  unsigned    n;
} KymoArchiveLine;

/** KymoArchiveText: @at and @end of what is still to be read */
typedef struct
{
  char *at, *end;
} KymoArchiveText;

bool     kymo_archive_next_line    (KymoArchiveText *text,
                                    KymoArchiveLine *line);
bool     kymo_archive_is_line      (const KymoArchiveLine *line,
                                    const char      *kind,
                                    unsigned         n_fields);
bool     kymo_archive_get_number   (const char      *field,
                                    uint64_t         most,
                                    uint64_t        *value);
bool     kymo_archive_get_signed   (const char      *field,
                                    int64_t         *value);
void     kymo_archive_get_ranks    (const char      *field,
                                    uint32_t         most,
                                    KymoArchiveBytes ranks[2]);
void     kymo_archive_add_field    (KymoArchiveBytes *bytes,
                                    const char      *text);
