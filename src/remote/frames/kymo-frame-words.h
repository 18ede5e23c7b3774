/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What bodies of frames are made of: questions, errors, and facts of a run as keys and values.
 * Reading believes nothing: a key of another type than it should have is as one that is absent.
 *
 * Any thread.
 */
#pragma once

#include "kymo-frame.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/**
 * KymoFrameRun: what a client knows of a run without asking
 * @facts: (nullable): owned
 * @draft: (nullable): owned
 */
typedef struct
{
  guint32           run;
  KymoSourceFacts  *facts;
  KymoCapabilities  capabilities;
  KymoSpan          span;
  gboolean          has_corrected_clocks;
  char             *draft;
  guint             mean_of;
  KymoTerms         terms;
} KymoFrameRun;

/**
 * KymoFrameNameFunc:
 * @value: a list of numbers that questions have again and again
 *
 * Returns: its number; the other side knows it
 */
typedef guint32 (*KymoFrameNameFunc) (GVariant *value,
                                      gpointer  data);

void          kymo_frame_add_question  (GVariantDict        *body,
                                        const KymoQuestion  *question);
KymoQuestion *kymo_frame_dup_question  (GVariant            *body,
                                        char               **fold);
void          kymo_frame_name_values   (GVariantDict        *body,
                                        KymoFrameNameFunc    name,
                                        gpointer             data);
GVariant     *kymo_frame_put_values    (GVariant            *body,
                                        GVariant           **values);
GVariant     *kymo_frame_error_to_body (const GError        *error);
GError       *kymo_frame_dup_error     (GVariant            *body);
void          kymo_frame_add_run       (GVariantDict        *body,
                                        guint32              run,
                                        KymoSource          *source);
gboolean      kymo_frame_read_run      (GVariant            *body,
                                        KymoFrameRun        *run,
                                        GError             **error);
void          kymo_frame_run_clear     (KymoFrameRun        *run);

G_END_DECLS
