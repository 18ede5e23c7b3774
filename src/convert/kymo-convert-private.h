/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writers of all formats share. One thread.
 */
#pragma once

#include "kymo-convert.h"
#include "kymo-convert-out.h"
#include "kymo-profile-data.h"

G_BEGIN_DECLS

/** KymoConvertPlace: a location as other programs number it */
typedef struct
{
  guint  location;              /* index in the run */
  gint64 node, thread;
} KymoConvertPlace;

/** KymoConvert: one conversion; @places are of the chosen locations */
typedef struct
{
  KymoRun               *run;
  const KymoConvertWish *wish;
  KymoConvertResult     *result;
  KymoJob               *job;
  GArray                *places;        /* KymoConvertPlace */
  GArray                *place_of;      /* gint by location, -1 = not chosen */
  GArray                *node_of;       /* gint64 by location: its process or rank */
  const KymoConvertOut  *out;           /* what is written to, where it is one file */
  gboolean               stopped;       /* by a person, or a failure to write */
} KymoConvert;

void     kymo_convert_leave_out  (KymoConvert        *convert,
                                  const char         *format,
                                  ...) G_GNUC_PRINTF (2, 3);
gboolean kymo_convert_is_sound   (KymoConvert        *convert,
                                  GError            **error);
gboolean kymo_convert_use        (KymoConvert        *convert,
                                  guint               location,
                                  GError            **error);
gboolean kymo_convert_is_stopped (KymoConvert        *convert,
                                  GError            **error);
/* The profile of a run of that kind, or of the asked range of a trace. */
KymoProfileData *
         kymo_convert_get_profile (KymoConvert       *convert,
                                  GError            **error);

KymoSpan kymo_convert_counted    (const KymoConvert  *convert);

gboolean kymo_convert_tau        (KymoConvert        *convert,
                                  GError            **error);
gboolean kymo_convert_trace      (KymoConvert        *convert,
                                  GError            **error);
gboolean kymo_convert_otf2       (KymoConvert        *convert,
                                  GError            **error);
gboolean kymo_convert_chrome     (KymoConvert        *convert,
                                  GError            **error);
gboolean kymo_convert_csv        (KymoConvert        *convert,
                                  GError            **error);

/* For loops over many: looked at every few thousand. */
static inline gboolean
kymo_convert_goes_on (KymoConvert *convert,
                      guint64      i)
{
  if (G_UNLIKELY ((i & 0xfff) == 0)
      && (kymo_job_is_cancelled (convert->job)
          || (convert->out != NULL && kymo_convert_out_failed (convert->out))))
    convert->stopped = TRUE;
  return !convert->stopped;
}

static inline const KymoConvertPlace *
kymo_convert_place (const KymoConvert *convert,
                    guint              i)
{
  return &g_array_index (convert->places, KymoConvertPlace, i);
}

G_END_DECLS
