/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings as text, for a terminal, a mail or a page.
 */
#pragma once

#include "kymo-table.h"

G_BEGIN_DECLS

/**
 * KymoFindingsForm:
 * @KYMO_FINDINGS_TEXT: plain text
 * @KYMO_FINDINGS_MARKDOWN: CommonMark, with numbered and plain lists
 */
typedef enum { KYMO_FINDINGS_TEXT, KYMO_FINDINGS_MARKDOWN } KymoFindingsForm;

char *kymo_findings_dup_reference
                                 (const KymoTable  *answer);
char *kymo_findings_dup_efficiency
                                 (const KymoTable  *answer);
char *kymo_findings_dup_cost     (const KymoTable  *answer,
                                  guint             row);
double kymo_findings_get_bar     (const KymoTable  *answer,
                                  guint             row);
char *kymo_findings_dup_evidence (const KymoTable  *answer,
                                  guint             row,
                                  const char       *indent);
char *kymo_findings_dup_losses   (const KymoTable  *answer);
char *kymo_findings_dup_range    (const KymoTable  *answer);
KymoTable *kymo_findings_list_excluded
                                 (const KymoTable  *answer);
KymoTable *kymo_findings_group_untested
                                 (const KymoTable  *answer,
                                  guint            *n);
char *kymo_findings_dup_functions (const KymoTable  *answer);
void  kymo_findings_write        (const KymoTable  *answer,
                                  KymoFindingsForm  form,
                                  GString          *out);

G_END_DECLS
