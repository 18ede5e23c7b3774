/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words for the actions of a recorded job. Any thread.
 */
#pragma once

#include "kymo-job-line.h"

G_BEGIN_DECLS

/**
 * KymoActionWords: of an action that every job has, not translated
 * @title: "Trace Ranks"
 * @body: what it does, for the person who confirms it
 * @verb: of the button
 */
typedef struct
{
  const char *name;
  const char *title;
  const char *body;
  const char *verb;
} KymoActionWords;

const KymoActionWords *kymo_action_words_at   (guint                  index);
const KymoActionWords *kymo_action_words_find (const char            *name);
char                  *kymo_action_dup_title  (const KymoJobAction   *action);
char                  *kymo_action_dup_range  (const KymoJobArgument *argument);
char                  *kymo_action_dup_now    (const KymoJobArgument *argument);
gboolean               kymo_action_is_value   (const KymoJobArgument *argument,
                                               const char            *text);

G_END_DECLS
