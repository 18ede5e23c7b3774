/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoProfileRow: a row of the profile: texts of the first columns, numbers of
 * the rest. Its numbers may change ("changed"), so that a table of a run that
 * grows keeps selection and scroll. Main thread only.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define KYMO_PROFILE_N_TEXTS 3

#define KYMO_TYPE_PROFILE_ROW (kymo_profile_row_get_type ())
G_DECLARE_FINAL_TYPE (KymoProfileRow, kymo_profile_row, KYMO, PROFILE_ROW,
                      GObject)

struct _KymoProfileRow
{
  GObject  parent_instance;

  char    *texts[KYMO_PROFILE_N_TEXTS];
  char    *signature;
  gboolean event;                  /* its time lies over that of others */
  double  *numbers;                /* by column, then the counters; NaN */
  guint    n_numbers;
};

/* Gives the rows of `model` the numbers of their namesakes in `rows`
   (element-type KymoProfileRow). FALSE, and nothing is changed, where these
   are not the same ones. */
gboolean kymo_profile_rows_update (GListModel *model,
                                   GPtrArray  *rows);

/* (nullable): what an activity does, translated */
const char *kymo_profile_role_words (const char *role);

G_END_DECLS
