/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoProfileOptions: which figures views of a profile show: metric, value, step,
 * groups, ways of paths, and the unit of times. Each part of a desk has its own, so
 * two of them may show two metrics; those of the part with the focus are the
 * session's. A view holds those that are the session's when it is made.
 *
 * Signal "changed". Main thread only.
 */
#pragma once

#include "kymo-question.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* Keys of the options; of these all but the last go into questions. */
#define KYMO_N_OPTIONS 9
extern const char *const kymo_session_options[KYMO_N_OPTIONS];

#define KYMO_TYPE_PROFILE_OPTIONS (kymo_profile_options_get_type ())
G_DECLARE_FINAL_TYPE (KymoProfileOptions, kymo_profile_options, KYMO, PROFILE_OPTIONS, GObject)

KymoProfileOptions *kymo_profile_options_new  (void);
/* A copy of a text in the place of another; returns whether it differs from that. */
gboolean    kymo_profile_options_replace (char              **place,
                                          const char         *value);
/* (nullable): the value of one of the keys */
const char *kymo_profile_options_peek    (KymoProfileOptions *self,
                                          const char         *key);
/* NULL chooses nothing. */
void        kymo_profile_options_set     (KymoProfileOptions *self,
                                          const char         *key,
                                          const char         *value);
/* All of them: told once. `values`: in the order of the keys, each (nullable) */
void        kymo_profile_options_set_all (KymoProfileOptions *self,
                                          const char *const  *values);
/* (transfer none): that order, KYMO_N_OPTIONS of them */
const char *const *
            kymo_profile_options_peek_all (KymoProfileOptions *self);
gboolean    kymo_profile_options_equal   (KymoProfileOptions *self,
                                          KymoProfileOptions *other);
/* Gives a question about profiles what is chosen. */
void        kymo_profile_options_prepare (KymoProfileOptions *self,
                                          KymoQuestion       *question);

G_END_DECLS
