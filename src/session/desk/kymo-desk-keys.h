/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of desks in key files, each read with its bounds: a reader believes nothing,
 * and says in a sentence what is wrong. A key that is not there, or that has another value
 * than it may, leaves what it is read into. For the files of this folder that read and
 * write desks. Any thread.
 */
#pragma once

#include <glib.h>

#include "kymo-palette.h"
#include "kymo-span.h"

G_BEGIN_DECLS

/** KYMO_DESK_SHORT_MOST: bytes of a word; the next ones of a name, of a note and of a
 * list of locations, and how many names there may be in a list */
#define KYMO_DESK_SHORT_MOST 256
#define KYMO_DESK_TEXT_MOST KYMO_PALETTE_TEXT_MOST
#define KYMO_DESK_LONG_MOST 65536
#define KYMO_DESK_LIST_MOST (1 << 20)
#define KYMO_DESK_NAMES_MOST 65536

gboolean kymo_desk_refuse (GError **error,
                           const char *format,
                           ...) G_GNUC_PRINTF (2, 3);
gboolean kymo_desk_read_text (GKeyFile *file,
                              const char *group,
                              const char *key,
                              gsize most,
                              char **text,
                              GError **error);
gboolean kymo_desk_read_number (GKeyFile *file,
                                const char *group,
                                const char *key,
                                gint64 least,
                                gint64 *number,
                                GError **error);
gboolean kymo_desk_read_span (GKeyFile *file,
                              const char *group,
                              const char *key,
                              KymoSpan *span,
                              GError **error);
gboolean kymo_desk_read_flag (GKeyFile *file,
                              const char *group,
                              const char *key,
                              int *flag,
                              GError **error);
gboolean kymo_desk_read_locations (GKeyFile *file,
                                   const char *group,
                                   const char *key,
                                   char **text,
                                   GError **error);
gboolean kymo_desk_read_names (GKeyFile *file,
                               const char *group,
                               const char *key,
                               gsize most,
                               char ***names,
                               GError **error);
gboolean kymo_desk_is_span (KymoSpan span);
void kymo_desk_write_group (GKeyFile *file,
                            const char *group);
void kymo_desk_write_text (GKeyFile *file,
                           const char *group,
                           const char *key,
                           gsize most,
                           const char *text);
void kymo_desk_write_words (GKeyFile *file,
                            const char *group,
                            const char *key,
                            gsize most,
                            const char *text);
void kymo_desk_write_locations (GKeyFile *file,
                                const char *group,
                                const char *key,
                                const char *text);
void kymo_desk_write_span (GKeyFile *file,
                           const char *group,
                           const char *key,
                           KymoSpan span);
void kymo_desk_write_number (GKeyFile *file,
                             const char *group,
                             const char *key,
                             gint64 least,
                             gint64 number);
void kymo_desk_write_names (GKeyFile *file,
                            const char *group,
                            const char *key,
                            gsize most,
                            char *const *names);

G_END_DECLS
