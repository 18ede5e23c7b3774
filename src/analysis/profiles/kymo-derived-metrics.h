/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Derived metrics that a person gave a name: typed once, kept in a file of theirs, and
 * known to window and command line alike. A line a metric, "NAME = EXPRESSION"; see
 * kymo-metric-expression.h. Beside them, in the same file, those that were typed without
 * a name.
 *
 * A question may bring those that a person has elsewhere: its keyword %KYMO_DERIVED_KEYWORD is the
 * text of them, which then takes the place of the file.
 *
 * Any thread; a writer replaces the file as a whole.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KYMO_DERIVED_KEYWORD "derived-metrics"

char  *kymo_derived_metrics_dup_path   (void);
char **kymo_derived_metrics_list       (void);
char  *kymo_derived_metrics_dup        (const char  *name);
char  *kymo_derived_metrics_dup_text   (void);
char **kymo_derived_metrics_list_of    (const char  *text);
char  *kymo_derived_metrics_dup_of     (const char  *text,
                                        const char  *name);
gboolean kymo_derived_metrics_set      (const char  *name,
                                        const char  *expression,
                                        GError     **error);
char   **kymo_derived_metrics_list_typed (void);
gboolean kymo_derived_metrics_set_typed (const char *const *expressions,
                                        GError     **error);

G_END_DECLS
