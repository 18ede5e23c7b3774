/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options. They may stand anywhere among the positionals, which
 * GOptionContext cannot do together with one table a command; so this is a
 * small parser of its own: --name VALUE, --name=VALUE, -o VALUE, -oVALUE
 * (-k, too), and -- ends the options. Every value is checked here, so that the rest of
 * the program only meets good ones.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>
#include <string.h>

#include "kymo-figure-size.h"
#include "kymo-row-order.h"

const KymoKeyword kymo_cli_common[] = {
  { "format", KYMO_KEYWORD_TEXT, "text|json|csv", "form of the answer (text)" },
  { "output", KYMO_KEYWORD_TEXT, "FILE", "write to this file; - is standard output (-o)" },
  { "from", KYMO_KEYWORD_TIME, "T", "begin of the time range: 12.5ms, 3s, 250us" },
  { "to", KYMO_KEYWORD_TIME, "T", "end of the time range" },
  { "phase", KYMO_KEYWORD_TEXT, "N", "the time range of this phase" },
  { "region", KYMO_KEYWORD_TEXT, "NAME", "the time range of main, phase:NAME, iteration:N, …" },
  { "locations", KYMO_KEYWORD_TEXT, "LIST", "only these locations: 0-15,32,0-1023:16" },
  { "workers-only", KYMO_KEYWORD_FLAG, NULL, "leave out communication threads" },
  { "base", KYMO_KEYWORD_TEXT, "NAME", "the run to read, if a folder holds several" },
  { "threads", KYMO_KEYWORD_COUNT, "N", "most threads to use (one for each core)" },
  { "memory-limit", KYMO_KEYWORD_SIZE, "SIZE",
    "most memory for a run, like 4G; the rest lies on disk" },
  { "correct-clocks", KYMO_KEYWORD_FLAG, NULL,
    "shift processes so that no message arrives too early" },
  { "no-cache", KYMO_KEYWORD_FLAG, NULL, "neither read nor write the cache" },
  { "server", KYMO_KEYWORD_TEXT, "COMMAND",
    "starts the server of an ssh:// run in place of ssh; %p is its path" },
  { "launch", KYMO_KEYWORD_TEXT, "NAME[,time=T,…]",
    "how the server of an ssh:// run begins: login, slurm, pbs, mpirun, or a name of hosts.conf" },
  { "strict", KYMO_KEYWORD_FLAG, NULL, "exit with 3 if the load report has losses" },
  { "quiet", KYMO_KEYWORD_FLAG, NULL, "print neither progress nor the load report (-q)" },
  { "help", KYMO_KEYWORD_FLAG, NULL, "print this text (-h)" },
  { "version", KYMO_KEYWORD_FLAG, NULL, "print the version" },
  { NULL }
};

/* Separates the values of an option that is given several times. */
#define BETWEEN "\x1f"

/* The long name of a short option. */
static const char *
long_name_of (char letter)
{
  switch (letter)
    {
    case 'o': return "output";
    case 'q': return "quiet";
    case 'h': return "help";
    case 'k': return "clusters";
    default: return NULL;
    }
}

/**
 * kymo_cli_is_option:
 *
 * Returns: whether the keyword is an option: internal keywords and positionals are not
 */
gboolean
kymo_cli_is_option (const KymoKeyword *keyword)
{
  return !keyword->internal && keyword->target != KYMO_KEYWORD_TO_ARGUMENT;
}

static const KymoKeyword *
find_in (const KymoKeyword *options, const char *name)
{
  for (; options != NULL && options->name != NULL; options++)
    if (kymo_cli_is_option (options) && strcmp (options->name, name) == 0)
      return options;
  return NULL;
}

static const KymoCliCommand *
find_command (const char *name)
{
  const KymoCliCommand *c;

  for (guint i = 0; (c = kymo_cli_command_at (i)) != NULL; i++)
    if (strcmp (c->name, name) == 0)
      return c;
  return NULL;
}

/* Before the command is known every command's option is possible; whether
   it belongs is checked at the end, in check_belongs(). */
static const KymoKeyword *
find_anywhere (KymoCli *cli, const char *name)
{
  const KymoKeyword *option = find_in (kymo_cli_common, name);
  const KymoCliCommand *c;

  if (option == NULL && cli->command != NULL)
    return find_in (cli->command->options, name);
  for (guint i = 0; option == NULL && (c = kymo_cli_command_at (i)) != NULL; i++)
    option = find_in (c->options, name);
  return option;
}

/* Sets a usage error. Text from the command line may not be UTF-8; an error message must be. */
static void G_GNUC_PRINTF (2, 3)
set_usage (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *raw = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *text = g_utf8_make_valid (raw, -1);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, text);
}

static gboolean
is_word_of (const char *words, const char *text)
{
  g_auto (GStrv) list = g_strsplit (words, "|", -1);
  return g_strv_contains ((const char *const *) list, text);
}

static gboolean
parse_number (const char *text, gboolean percent, double *number)
{
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);
  if (end == text || !isfinite (value) || value < 0)
    return FALSE;
  if (percent && *end == '%')
    {
      value /= 100;
      end++;
    }
  *number = value;
  return *end == '\0';
}

/* A sentence about a wrong value, or NULL where the value is right. */
static const char *
complain_options (const KymoKeyword *option, const char *text)
{
  g_autoptr (KymoIdSet) set = NULL;
  KymoRowOrder order;
  gint64 ns;
  guint64 count;
  double number;
  KymoFigureSize size;

  switch (option->type)
    {
    case KYMO_KEYWORD_COUNT:
      return g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT32, &count, NULL)
        ? NULL : "a whole number from 1 is needed";
    case KYMO_KEYWORD_INTEGER:
      return g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &ns, NULL)
        ? NULL : "a whole number is needed";
    case KYMO_KEYWORD_TIME:
      return kymo_parse_time (text, &ns, NULL)
        ? NULL : "a time like 12.5ms, 3s or 250us is needed";
    case KYMO_KEYWORD_SIZE:
      return kymo_parse_size (text, &ns, NULL) && ns > 0
        ? NULL : "a size like 512M or 4G is needed";
    case KYMO_KEYWORD_AMOUNT:
      return kymo_parse_time (text, &ns, NULL)
        || kymo_parse_size (text, &ns, NULL)
        ? NULL : "a time like 1ms or a size like 64K is needed";
    case KYMO_KEYWORD_WORD:
      return is_word_of (option->hint, text) ? NULL : "it can be ";
    case KYMO_KEYWORD_SHARE:
      return parse_number (text, TRUE, &number)
        ? NULL : "a share like 20% or 0.2 is needed";
    case KYMO_KEYWORD_RATIO:
      return parse_number (text, FALSE, &number)
        ? NULL : "a number like 1.3 is needed";
    case KYMO_KEYWORD_PIXELS:
      return kymo_figure_size_parse (text, &size)
        ? NULL : "column, two-columns, slide, or a size like 1600x900 or 85x60mm is needed, "
                 "from 64 to 16384 px (17 to 4334 mm)";
    case KYMO_KEYWORD_ORDER:
      if (kymo_row_order_is_list (text))
        set = kymo_id_set_parse (text, NULL);
      return set != NULL || kymo_row_order_parse (text, &order, NULL) ? NULL
        : "a list like 5,3,0-2 is needed, or number, busy, idle, overhead, time:NAME, "
          "first:NAME, similarity or cluster, with - before it for the other way round";
    case KYMO_KEYWORD_FLAG:
    case KYMO_KEYWORD_TEXT:
    case KYMO_KEYWORD_MANY:
    default:
      return NULL;
    }
}

static gboolean
check_value (const KymoKeyword  *option,
             const char           *text,
             GError              **error)
{
  const char *wrong = complain_options (option, text);
  if (wrong != NULL)
    set_usage (error, "“%s” is no value for --%s: %s%s", text, option->name,
               wrong, option->type == KYMO_KEYWORD_WORD ? option->hint : "");
  return wrong == NULL;
}

/* Keeps the value of an option. Before the command is known the option may belong to another
   command with other values, so check_belongs() checks the value later. */
static gboolean
store (KymoCli              *cli,
       const KymoKeyword  *option,
       const char           *text,
       GError              **error)
{
  if ((cli->command != NULL || find_in (kymo_cli_common, option->name) != NULL)
      && !check_value (option, text, error))
    return FALSE;
  if (option->type == KYMO_KEYWORD_MANY && kymo_cli_has (cli, option->name))
    g_hash_table_insert (cli->values, g_strdup (option->name),
                         g_strconcat (kymo_cli_get (cli, option->name), BETWEEN, text, NULL));
  else
    g_hash_table_insert (cli->values, g_strdup (option->name), g_strdup (text));
  return TRUE;
}

/* --to is the end of a range; with a word that names a form it is the form that convert writes. */
static const KymoKeyword *
find_meant (KymoCli *cli, const KymoKeyword *option, const char *text)
{
  const KymoKeyword *form = strcmp (option->name, "to") == 0
    ? find_anywhere (cli, "to-form") : NULL;

  return form != NULL && is_word_of (form->hint, text) ? form : option;
}

/* Takes the option in argv[*i] and its value, if the option has a value. */
static gboolean
take_option (KymoCli  *cli,
             int       argc,
             char    **argv,
             int      *i,
             GError  **error)
{
  const char *word = argv[*i];
  const char *attached = NULL;
  g_autofree char *name = NULL;

  if (word[1] == '-')
    {
      const char *equals = strchr (word, '=');
      name = equals ? g_strndup (word + 2, equals - word - 2)
                    : g_strdup (word + 2);
      attached = equals ? equals + 1 : NULL;
    }
  else
    {
      name = g_strdup (long_name_of (word[1]));
      attached = word[2] != '\0' ? word + 2 : NULL;
    }
  const KymoKeyword *option = name ? find_anywhere (cli, name) : NULL;
  if (option == NULL)
    {
      set_usage (error, "unknown option “%s”; see kymo-cli %s%s--help", word,
                 cli->command ? cli->command->name : "",
                 cli->command ? " " : "");
      return FALSE;
    }
  if (option->type == KYMO_KEYWORD_FLAG)
    {
      if (attached != NULL)
        {
          set_usage (error, "--%s takes no value", option->name);
          return FALSE;
        }
      return store (cli, option, "1", error);
    }
  if (attached == NULL && *i + 1 >= argc)
    {
      set_usage (error, "--%s needs a value (%s)", option->name, option->hint);
      return FALSE;
    }
  attached = attached ? attached : argv[++*i];
  return store (cli, find_meant (cli, option, attached), attached, error);
}

static gboolean
take_word (KymoCli *cli, const char *word, GError **error)
{
  if (cli->command != NULL)
    {
      g_ptr_array_add (cli->words, g_strdup (word));
      return TRUE;
    }
  /* "help" alone, or before a command, is as --help. */
  if (strcmp (word, "help") == 0 && !kymo_cli_has (cli, "help"))
    {
      g_hash_table_insert (cli->values, g_strdup ("help"), g_strdup (""));
      return TRUE;
    }
  cli->command = find_command (word);
  if (cli->command == NULL)
    set_usage (error, "unknown command “%s”; see kymo-cli --help", word);
  return cli->command != NULL;
}

/* Checks options that came before the command: they may belong to another command. */
static gboolean
check_belongs (KymoCli *cli, GError **error)
{
  GHashTableIter iter;
  const char *name, *text;

  g_hash_table_iter_init (&iter, cli->values);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &text))
    {
      const KymoKeyword *option = find_in (cli->command->options, name);
      if (option == NULL)
        option = find_in (kymo_cli_common, name);
      if (option == NULL)
        {
          set_usage (error, "“%s” does not know the option “--%s”; "
                     "see kymo-cli %s --help", cli->command->name, name,
                     cli->command->name);
          return FALSE;
        }
      if (!check_value (option, text, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_words (KymoCli *cli, GError **error)
{
  const char *words = cli->command->positionals;
  guint n = strchr (words, ' ') != NULL ? 2 : 1;
  /* A list of jobs is of this machine where none is named. */
  guint least = words[0] == '[' || kymo_cli_has (cli, "list") ? 0 : n;

  if (strstr (words, "…") != NULL)
    n = KYMO_CLI_MOST_WORDS;
  if (cli->words->len >= least && cli->words->len <= n)
    return TRUE;
  if (cli->words->len < least)
    set_usage (error, "an argument is missing: kymo-cli %s %s",
               cli->command->name, cli->command->positionals);
  else
    set_usage (error, "unexpected argument “%s”: kymo-cli %s %s",
               (char *) cli->words->pdata[n], cli->command->name,
               cli->command->positionals);
  return FALSE;
}

/* A time range is set in one way only. */
static gboolean
check_range (KymoCli *cli, GError **error)
{
  gboolean typed = kymo_cli_has (cli, "from") || kymo_cli_has (cli, "to");

  if (kymo_cli_has (cli, "region") && (typed || kymo_cli_has (cli, "phase")))
    set_usage (error, "--region sets the time range; it cannot be combined with --from, --to "
               "and --phase");
  else if (kymo_cli_has (cli, "phase") && typed)
    set_usage (error, "--phase sets the time range; it cannot be combined with "
               "--from and --to");
  else if (kymo_cli_has (cli, "region") && (strcmp (cli->command->name, "attach") == 0
                                            || strcmp (cli->command->name, "replay") == 0))
    set_usage (error, "a stream has no regions; see --from and --to");
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_common (KymoCli *cli, GError **error)
{
  const char *format = kymo_cli_get (cli, "format");
  const char *words = cli->command->formats != NULL ? cli->command->formats : "text|json|csv";

  if (format != NULL && !is_word_of (words, format))
    {
      set_usage (error, "“%s” is no value for --format: it can be %s",
                 format, words);
      return FALSE;
    }
  const char *list = kymo_cli_get (cli, "locations");
  g_autoptr (GError) why = NULL;
  g_autoptr (KymoIdSet) set = list ? kymo_id_set_parse (list, &why) : NULL;
  if (list != NULL && set == NULL)
    {
      set_usage (error, "“%s” is no value for --locations: %s", list,
                 why ? why->message : "a list like 0-15,32 is needed");
      return FALSE;
    }
  const char *phase = kymo_cli_get (cli, "phase");
  if (phase != NULL
      && !g_ascii_string_to_signed (phase, 10, 0, G_MAXINT32, NULL, NULL))
    {
      set_usage (error, "“%s” is no value for --phase: a whole number is "
                 "needed", phase);
      return FALSE;
    }
  if (!check_range (cli, error))
    return FALSE;
  if (kymo_cli_has (cli, "bar") && kymo_cli_has (cli, "bins"))
    {
      set_usage (error, "--bar sets the length of bins; it cannot be combined with "
                 "--bins");
      return FALSE;
    }
  KymoSpan span = kymo_cli_get_span (cli);
  if (span.end_ns <= span.begin_ns)
    {
      set_usage (error, "--from must be before --to");
      return FALSE;
    }
  return TRUE;
}

/**
 * kymo_cli_parse:
 * @cli: the invocation; its command, words and values are filled
 * @argc: as main() got it
 * @argv: as main() got it
 * @error: always %KYMO_ERROR_USAGE
 *
 * Reads the command line. With --help or --version nothing else is asked
 * for, and the command may stay %NULL.
 *
 * Returns: %FALSE when the words are wrong
 */
gboolean
kymo_cli_parse (KymoCli *cli, int argc, char **argv, GError **error)
{
  gboolean options = TRUE;

  for (int i = 1; i < argc; i++)
    {
      const char *word = argv[i];
      if (options && strcmp (word, "--") == 0)
        options = FALSE;
      else if (options && word[0] == '-' && word[1] != '\0')
        {
          if (!take_option (cli, argc, argv, &i, error))
            return FALSE;
        }
      else if (!take_word (cli, word, error))
        return FALSE;
    }
  if (kymo_cli_has (cli, "help") || kymo_cli_has (cli, "version"))
    return TRUE;
  if (cli->command == NULL)
    {
      set_usage (error, "a command is missing; see kymo-cli --help");
      return FALSE;
    }
  return check_belongs (cli, error) && check_words (cli, error)
    && check_common (cli, error);
}

/** kymo_cli_get: the text of an option, or %NULL when it was not given. */
const char *
kymo_cli_get (KymoCli *cli, const char *name)
{
  return g_hash_table_lookup (cli->values, name);
}

/** kymo_cli_has: whether an option was given. */
gboolean
kymo_cli_has (KymoCli *cli, const char *name)
{
  return kymo_cli_get (cli, name) != NULL;
}

/**
 * kymo_cli_dup_many:
 * @name: of the option, without dashes
 *
 * Returns: (transfer full): the values in the order in which they were given, terminated by %NULL;
 *   empty where the option was not given
 */
char **
kymo_cli_dup_many (KymoCli *cli, const char *name)
{
  const char *text = kymo_cli_get (cli, name);
  return g_strsplit (text != NULL ? text : "", BETWEEN, -1);
}

/** kymo_cli_get_count: a whole number, or @fallback when not given. */
gint64
kymo_cli_get_count (KymoCli *cli, const char *name, gint64 fallback)
{
  const char *text = kymo_cli_get (cli, name);
  return text ? g_ascii_strtoll (text, NULL, 10) : fallback;
}

/** kymo_cli_get_number: a ratio or a share, or @fallback when not given. */
double
kymo_cli_get_number (KymoCli *cli, const char *name, double fallback)
{
  const char *text = kymo_cli_get (cli, name);
  double number;
  return text && parse_number (text, TRUE, &number) ? number : fallback;
}

/** kymo_cli_get_span: --from and --to, open where they were not given; or the
 * range of --phase or --region once the run is open. */
KymoSpan
kymo_cli_get_span (KymoCli *cli)
{
  KymoSpan span = KYMO_SPAN_ALL;

  if (cli->has_range)
    return cli->range;
  const char *from = kymo_cli_get (cli, "from");
  const char *to = kymo_cli_get (cli, "to");

  if (from != NULL)
    kymo_parse_time (from, &span.begin_ns, NULL);
  if (to != NULL)
    kymo_parse_time (to, &span.end_ns, NULL);
  return span;
}

/** kymo_cli_dup_locations: --locations, or %NULL for all. */
KymoIdSet *
kymo_cli_dup_locations (KymoCli *cli)
{
  const char *list = kymo_cli_get (cli, "locations");
  return list ? kymo_id_set_parse (list, NULL) : NULL;
}
