/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `export` of a kymo-cli that is linked statically: the libraries that draw text cannot be.
 */
#include "config.h"

#include "kymo-cli.h"

/** kymo_cli_export_help: says in the help page why there is no view */
void
kymo_cli_export_help (GString *out)
{
  g_string_append (out, "\nThis kymo-cli draws no pictures.\n");
}

/**
 * kymo_cli_run_export:
 *
 * Returns: the exit code, with the reason
 */
int
kymo_cli_run_export (KymoCli *cli, GError **error)
{
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       "this kymo-cli draws no pictures; that of your own machine draws those of "
                       "a run here, which it reaches as ssh://HOST/PATH");
  return KYMO_CLI_FAILED;
}
