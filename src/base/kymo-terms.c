/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-terms.h"

/**
 * kymo_terms_row:
 *
 * Returns: "PE", "ranks" or the like
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
 *
 * Returns: "entry method", "functions" or the like
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
