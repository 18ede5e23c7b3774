/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of one profile of TAU, `profile.<node>.<context>.<thread>`: one thread, one
 * metric. What cannot be understood is left out and told.
 */
#pragma once

#include "kymo-profile-builder.h"
#include "kymo-report.h"

G_BEGIN_DECLS

/**
 * KymoTauProfileText:
 * @name: of the file, for the report
 * @text: its bytes, with a NUL behind
 * @part: of a profile in the making
 * @location: index; is begun when the file turns out to be a profile of its first
 *   metric (@begin)
 * @metric: whose figures they are
 * @users: whether user events are read: files of other metrics tell them again
 */
typedef struct
{
  const char      *name;
  const char      *text;
  gsize            length;
  KymoReport      *report;
  KymoProfilePart *part;
  guint            location;
  guint            metric;
  gboolean         begin;
  gboolean         users;
} KymoTauProfileText;

gboolean    kymo_tau_profile_text_read  (const KymoTauProfileText *profile);
gboolean    kymo_tau_profile_text_is_one (const char              *text,
                                         gsize                     length);
char       *kymo_tau_profile_text_dup_metric
                                        (const char               *text,
                                         gsize                     length);
const char *kymo_tau_profile_text_find_metadata
                                        (const char               *text,
                                         gsize                     length,
                                         gsize                    *metadata_length);

guint32     kymo_tau_profile_flags      (const char               *name,
                                         gsize                     length,
                                         const char              **groups,
                                         gsize                    *groups_length);

G_END_DECLS
