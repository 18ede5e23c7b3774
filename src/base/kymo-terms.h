/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people call the things of a run: its rows are PEs, ranks or threads, its
 * activities entry methods or functions. A reader sets it; code that makes text
 * asks for it, and need not know of what format a run is.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KymoRowTerm: what a location is */
typedef enum
{
  KYMO_ROW_PE,
  KYMO_ROW_RANK,
  KYMO_ROW_THREAD,
} KymoRowTerm;

/** KymoCodeTerm: what an activity is */
typedef enum
{
  KYMO_CODE_ENTRY_METHOD,
  KYMO_CODE_FUNCTION,
} KymoCodeTerm;

/** KymoTerms: a value; all zero is that of Charm++ */
typedef struct
{
  KymoRowTerm  row;
  KymoCodeTerm code;
} KymoTerms;

const char *kymo_terms_row  (KymoTerms terms,
                             gboolean  plural);
const char *kymo_terms_code (KymoTerms terms,
                             gboolean  plural);
/* The key under which answers tell the share of time that says how well a row did:
   "busy", or "useful" where functions wait and communicate, too. */
const char *kymo_terms_share (KymoTerms terms);
/* "PE 3" or "rank 0, thread 2", translated; labels in answers are English */
const char *kymo_shown_label (const char *label);

G_END_DECLS
