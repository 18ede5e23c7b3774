/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runs of a comparison while they are read, and the face that shows it: a line a
 * run with how far it is, a way to stop it, or why it cannot be read.
 *
 * Signals of the face: "stop" (all), "leave-out" (what cannot be read). "Try again" is
 * the action win.reload. Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-job.h"
#include "kymo-source.h"

G_BEGIN_DECLS

/**
 * KymoCompareEntry:
 *
 * One run of a comparison: read (source, info), being read (job) or not to be read
 * (error).
 */
typedef struct
{
  char       *path;
  char       *name;                    /* of the stretch, or NULL */
  KymoSpan    stretch;                 /* of the run that is compared; empty = all of it */
  KymoSource *source;
  KymoTable  *info;
  KymoJob    *job;
  GError     *error;
  guint       side;
  guint       order;                   /* among those of its side */
  guint       kept;                    /* which run it is of a desk, or G_MAXUINT */
  void      (*done) (gpointer page);
} KymoCompareEntry;

KymoCompareEntry *kymo_compare_entry_new    (const char       *path,
                                             KymoSource       *source,
                                             guint             side);
void              kymo_compare_entry_free   (gpointer          entry);
/* Where it is not read yet; `done` is told on the main thread. */
void              kymo_compare_entry_read   (KymoCompareEntry *entry,
                                             GObject          *page,
                                             void            (*done) (gpointer page));
char             *kymo_compare_entry_dup_detail
                                            (const KymoCompareEntry *entry);
void              kymo_compare_entry_stop   (KymoCompareEntry *entry);
void              kymo_compare_entry_forget (KymoCompareEntry *entry);
gboolean          kymo_compare_entries_are_read (GPtrArray    *entries);
GtkWidget        *kymo_compare_entries_build_lines (GPtrArray *entries);

#define KYMO_TYPE_COMPARE_READING (kymo_compare_reading_get_type ())
G_DECLARE_FINAL_TYPE (KymoCompareReading, kymo_compare_reading, KYMO, COMPARE_READING,
                      GtkBox)

GtkWidget        *kymo_compare_reading_new  (void);
void              kymo_compare_reading_show (GtkWidget        *reading,
                                             GPtrArray        *entries);

G_END_DECLS
