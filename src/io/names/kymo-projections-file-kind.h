/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file of a Projections run is, by its name.
 */
#pragma once

#include <glib.h>

typedef enum
{
  KYMO_FILE_FOREIGN,
  KYMO_FILE_STS,
  KYMO_FILE_SUM_STS,
  KYMO_FILE_UTIL_STS,
  KYMO_FILE_LOG,
  KYMO_FILE_SUM,
  KYMO_FILE_DETAIL,
  KYMO_FILE_PROJRC,
  KYMO_FILE_OTHER,              /* .statis, .topo: belongs to the base */
} KymoFileKind;

KymoFileKind kymo_file_kind_split (char   *name,
                                   gint64 *pe);
