/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of an answer in fewer bytes, for kymo-table-variant.c, which tells their form.
 */
#pragma once

#include "kymo-table-private.h"

G_BEGIN_DECLS

#define KYMO_NARROW_INTS G_VARIANT_TYPE ("(ybxuax)")
#define KYMO_NARROW_VALUES G_VARIANT_TYPE ("(yuaxv)")

GVariant *kymo_column_to_narrow          (const KymoColumn *column);
gboolean  kymo_column_read_narrow_ints   (KymoColumn       *column,
                                          GVariant         *data,
                                          gsize            *left);
GVariant *kymo_column_get_narrow_values  (GVariant         *data);
gboolean  kymo_column_read_narrow_values (KymoColumn       *column,
                                          GVariant         *data,
                                          const KymoColumn *values,
                                          gsize            *left);
GVariant *kymo_table_strings_to_variant  (char            **strings,
                                          guint             n);

G_END_DECLS
