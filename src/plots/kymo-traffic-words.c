/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-traffic-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-units.h"

/** kymo_traffic_by_messages: */
gboolean
kymo_traffic_by_messages (const KymoTable *answer)
{
  return g_strcmp0 (kymo_table_get_string (answer, "of", 0), "messages") == 0;
}

/** kymo_traffic_amount: */
char *
kymo_traffic_amount (gboolean by_messages, double amount)
{
  gint64 whole = amount >= (double) G_MAXINT64 ? G_MAXINT64 : llround (amount);

  if (!by_messages)
    return kymo_format_bytes (whole);
  return amount < 10 && fabs (amount - whole) > 0.005 ? g_strdup_printf ("%.2g", amount)
         : kymo_format_count (whole);
}

/** kymo_traffic_both: */
char *
kymo_traffic_both (gint64 messages, gint64 bytes)
{
  g_autofree char *count = kymo_format_count (messages);
  g_autofree char *size = kymo_format_bytes (bytes);

  return g_strdup_printf (ngettext ("%s message, %s", "%s messages, %s", messages), count, size);
}

/** kymo_traffic_dup_unmatched: */
char *
kymo_traffic_dup_unmatched (const KymoTable *answer)
{
  gint64 n = kymo_table_get_int (answer, "unmatched", 0);
  g_autofree char *count = kymo_format_count (n);

  if (n <= 0)
    return NULL;
  return g_strdup_printf (ngettext ("%s without a record of its creation",
                                    "%s without a record of their creation", n), count);
}
