/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The help pages. Commands stand in the groups of the window's views, the everyday ones first;
 * bash completion reads the lists.
 */
#include "config.h"

#include "kymo-cli.h"

static const char *const groups[KYMO_CLI_N_GROUPS] = {
  [KYMO_TOPIC_OVERVIEW] = "Overview",
  [KYMO_TOPIC_TIME] = "Time",
  [KYMO_TOPIC_LOAD] = "Load",
  [KYMO_TOPIC_CODE] = "Code",
  [KYMO_TOPIC_MESSAGES] = "Messages",
  [KYMO_TOPIC_RECORDS] = "Records",
  [KYMO_CLI_GROUP_COMPARE] = "Comparing and checking",
  [KYMO_CLI_GROUP_WRITE] = "Pictures and other runs",
  [KYMO_CLI_GROUP_LIVE] = "Running programs",
  [KYMO_CLI_GROUP_KEPT] = "What is kept",
};

static void
help_options (const KymoKeyword *option, GString *out)
{
  for (; option != NULL && option->name != NULL; option++)
    {
      if (!kymo_cli_is_option (option))
        continue;
      g_autofree char *left = g_strdup_printf ("--%s%s%s", option->name,
                                               option->hint ? " " : "",
                                               option->hint ? option->hint : "");
      g_string_append_printf (out, "  %-30s %s", left, option->help);
      if (option->value > 0)
        g_string_append_printf (out, " (%" G_GINT64_FORMAT ")", option->value);
      g_string_append_c (out, '\n');
    }
}

static void
help_command (const KymoCliCommand *command, GString *out)
{
  g_string_append_printf (out, "Usage: kymo-cli %s %s [OPTIONS]\n\n%s\n\nExample:\n"
                          "  kymo-cli %s %s\n", command->name, command->positionals,
                          command->summary, command->name, command->example);
  if (command->options != NULL)
    {
      g_string_append (out, "\nOptions of this command:\n");
      help_options (command->options, out);
    }
  if (command->more_help != NULL)
    command->more_help (out);
  g_string_append (out, "\nOptions of every command:\n");
  help_options (kymo_cli_common, out);
  g_string_append (out, "\nRUN is a folder, an .sts, or any file of the "
                   "run.\nExit status: 0 answered, 1 not answered, "
                   "2 wrong usage, 3 losses with --strict.\n");
}

/**
 * kymo_cli_help:
 * @command: (nullable): the command, or %NULL for the program
 * @out: where to append
 *
 * Writes the help page.
 */
void
kymo_cli_help (const KymoCliCommand *command, GString *out)
{
  const KymoCliCommand *c;

  if (command != NULL)
    {
      help_command (command, out);
      return;
    }
  g_string_append (out, "Usage: kymo-cli COMMAND RUN [OPTIONS]\n\n"
                   "Asks parallel program traces the questions the Kymo "
                   "window asks.\n\nCommands:\n");
  for (guint group = 0; group < KYMO_CLI_N_GROUPS; group++)
    {
      g_string_append_printf (out, " %s\n", groups[group]);
      for (guint i = 0; (c = kymo_cli_command_at (i)) != NULL; i++)
        if (c->group == group)
          g_string_append_printf (out, "  %-24s %s\n", c->name, c->summary);
    }
  g_string_append (out, "\nOptions of every command:\n");
  help_options (kymo_cli_common, out);
  g_string_append (out, "\nSee kymo-cli help COMMAND for an example and the options of a "
                   "command.\n");
}
