/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-terms.h"

/**
 * kymo_terms_row:
 * @plural: %TRUE for more than one row
 *
 * The window translates the words; nothing here does.
 *
 * Returns: "PE", "ranks" or the like: the word for the rows of a run, in English and in lower
 *   case but for PE; static
 */
const char *
kymo_terms_row (KymoTerms terms,
                gboolean  plural)
{
  static const char *const words[][2]
    = { { "PE", "PEs" }, { "rank", "ranks" }, { "thread", "threads" } };

  return words[terms.row][plural ? 1 : 0];
}

/**
 * kymo_terms_code:
 * @plural: %TRUE for more than one activity
 *
 * Returns: "entry method", "functions" or the like: the word for the activities of a run, in
 *   English; static
 */
const char *
kymo_terms_code (KymoTerms terms,
                 gboolean  plural)
{
  static const char *const words[][2]
    = { { "entry method", "entry methods" }, { "function", "functions" } };

  return words[terms.code][plural ? 1 : 0];
}

/**
 * kymo_terms_share:
 *
 * Returns: "busy" of entry methods, which never wait; of functions "useful"
 */
const char *
kymo_terms_share (KymoTerms terms)
{
  return terms.code == KYMO_CODE_FUNCTION ? "useful" : "busy";
}
