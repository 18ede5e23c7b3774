/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is remembered of streams: the jobs that were attached to last, and the
 * conditions a person wants to be told of. Main thread only.
 */
#pragma once

#include "kymo-ccs-target.h"

G_BEGIN_DECLS

/**
 * KymoAttachChoice: what a person fills in to attach to a job; no member is
 * NULL, an empty one was left empty
 */
typedef struct
{
  char *address;
  char *through;
  char *key_file;
  char *names;
} KymoAttachChoice;

KymoAttachChoice *kymo_attach_choice_new   (const char             *address,
                                            const char             *through,
                                            const char             *key_file,
                                            const char             *names);
void              kymo_attach_choice_free  (KymoAttachChoice       *choice);
KymoCcsTarget    *kymo_attach_choice_parse (const KymoAttachChoice *choice,
                                            GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoAttachChoice, kymo_attach_choice_free)

/* (element-type KymoAttachChoice) (transfer full): newest first, at most 10 */
GPtrArray *kymo_stream_settings_dup_targets    (void);
void       kymo_stream_settings_add_target     (const KymoAttachChoice *choice);
/* (element-type KymoCondition) (transfer full) */
GPtrArray *kymo_stream_settings_dup_conditions (void);
void       kymo_stream_settings_set_conditions (GPtrArray *conditions);
/* Bytes of memory for what can still be saved. */
gsize      kymo_stream_settings_get_kept_bytes (void);
gboolean   kymo_stream_settings_get_notifies   (void);
gboolean   kymo_stream_settings_get_asks       (void);

G_END_DECLS
