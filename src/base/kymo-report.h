/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load report: what was lost, repaired or worth a note while reading.
 *
 * Issues with the same file, severity and words are one issue with a count;
 * so a thousand broken records of one log are one line. Adding is thread
 * safe; reading is meant for after loading, when it is complete.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoSeverity:
 * @KYMO_SEVERITY_NOTE: worth knowing, nothing is wrong
 * @KYMO_SEVERITY_REPAIRED: contradictory data was put right
 * @KYMO_SEVERITY_LOST: something that should be there is not
 */
typedef enum
{
  KYMO_SEVERITY_NOTE,
  KYMO_SEVERITY_REPAIRED,
  KYMO_SEVERITY_LOST,
} KymoSeverity;

/**
 * KymoIssue:
 * @file: name of the file, relative to the run's folder
 * @severity: how bad it is
 * @what: one sentence
 * @count: how many records, bytes or PEs it concerns
 * @offset: byte offset of the first of them in the (inflated) file, or -1
 */
typedef struct
{
  char         *file;
  KymoSeverity  severity;
  char         *what;
  gint64        count;
  gint64        offset;
} KymoIssue;

typedef struct _KymoReport KymoReport;

KymoReport      *kymo_report_new         (void);
KymoReport      *kymo_report_ref         (KymoReport   *report);
void             kymo_report_unref       (KymoReport   *report);
void             kymo_report_add         (KymoReport   *report,
                                          const char   *file,
                                          KymoSeverity  severity,
                                          gint64        count,
                                          gint64        offset,
                                          const char   *format,
                                          ...) G_GNUC_PRINTF (6, 7);
void             kymo_report_add_all     (KymoReport   *report,
                                          KymoReport   *other);
void             kymo_report_sort        (KymoReport   *report);
guint            kymo_report_get_n_issues (KymoReport  *report);
const KymoIssue *kymo_report_peek_issue  (KymoReport   *report,
                                          guint         index);
gboolean         kymo_report_is_complete (KymoReport   *report);
char            *kymo_report_dup_lost    (guint         n);
const char      *kymo_severity_to_string (KymoSeverity  severity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoReport, kymo_report_unref)

G_END_DECLS
