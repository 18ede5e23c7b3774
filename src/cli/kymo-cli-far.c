/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs on other machines: ssh:// stands wherever RUN does. Questions go through a source as those
 * of a run here; commands that write a run are done by the kymo-cli that lies beside the server,
 * and write there.
 */
#include "config.h"

#include "kymo-cli.h"

#include <stdio.h>
#include <string.h>

#include "kymo-remote-file.h"
#include "kymo-remote-link.h"
#include "kymo-safe-text.h"

/**
 * kymo_cli_find_server:
 *
 * Returns: (transfer none) (nullable): the command of the server, --server, else KYMO_SERVER;
 *   %NULL: ssh
 */
const char *
kymo_cli_find_server (KymoCli *cli)
{
  const char *server = kymo_cli_get (cli, "server");

  return server != NULL ? server : g_getenv ("KYMO_SERVER");
}

/**
 * kymo_cli_open_far:
 * @address: ssh://…
 *
 * Opens a run on another machine and makes it the source of the invocation.
 *
 * Returns: whether it could be read there
 */
gboolean
kymo_cli_open_far (KymoCli *cli, const char *address, GError **error)
{
  KymoRemoteOptions options = { .base = kymo_cli_get (cli, "base"),
                                .server = kymo_cli_find_server (cli),
                                .launch = kymo_cli_get (cli, "launch") };
  const char *limit = kymo_cli_get (cli, "memory-limit");

  options.n_threads = kymo_cli_get_count (cli, "threads", 0);
  options.correct_clocks = kymo_cli_has (cli, "correct-clocks");
  options.no_cache = kymo_cli_has (cli, "no-cache");
  if (limit != NULL)
    kymo_parse_size (limit, &options.memory_limit_bytes, NULL);
  cli->source = kymo_remote_source_open (address, &options, cli->job, error);
  return cli->source != NULL;
}

/** kymo_cli_use_far_files: recordings may be addresses of other machines from now on */
void
kymo_cli_use_far_files (KymoCli *cli)
{
  const KymoRemoteWay way = {
    .server = kymo_cli_find_server (cli), .launch = kymo_cli_get (cli, "launch"),
  };

  kymo_remote_files_use (&way);
}

/** kymo_cli_is_far_work: Returns: whether the whole command is to be done on another machine */
gboolean
kymo_cli_is_far_work (KymoCli *cli)
{
  static const char *const there[] = { "cache", "convert", "extract", "filter", "quality", "reduce",
                                       NULL };
  gboolean is_far = FALSE;

  for (guint i = 0; i < cli->words->len; i++)
    is_far = is_far || kymo_remote_is_address (cli->words->pdata[i]);
  return is_far && g_strv_contains (there, cli->command->name);
}

/* (transfer full) (nullable): a word as the command there takes it. */
static char *
dup_far_word (const char *word, const KymoRemoteAddress *where, GError **error)
{
  g_autoptr (KymoRemoteAddress) address = NULL;

  if (!kymo_remote_is_address (word))
    return g_strdup (word);
  address = kymo_remote_address_parse (word, error);
  if (address == NULL)
    return NULL;
  if (strcmp (address->host, where->host) == 0 && address->port == where->port)
    return g_strdup (address->path);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "%s is not on %s: both must be on one machine", word, where->host);
  return NULL;
}

/* A run and what is written of it must lie on one machine, and a path that is no address must not
   depend on where the server works. */
static gboolean
check_words (KymoCli *cli, const KymoRemoteAddress *where, GError **error)
{
  for (guint i = 0; i < cli->words->len; i++)
    {
      const char *word = cli->words->pdata[i];
      g_autofree char *shown = g_utf8_make_valid (word, -1);

      if (kymo_remote_is_address (word) || g_path_is_absolute (word))
        continue;
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "“%s” must be an absolute path on %s, for the command is done there", shown,
                   where->host);
      return FALSE;
    }
  return TRUE;
}

/* Whether an argument is for this side alone; @next: (out): whether the one behind it is its
   value. */
static gboolean
is_for_here (const char *word, gboolean *next)
{
  static const char *const here[] = { "--server", "--launch", "--output", "-o" };

  *next = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (here); i++)
    {
      g_autofree char *with_value = g_strconcat (here[i], "=", NULL);

      *next = strcmp (word, here[i]) == 0;
      if (*next || g_str_has_prefix (word, with_value))
        return TRUE;
    }
  return FALSE;
}

/* (transfer full) (nullable): the arguments of the command there. */
static GPtrArray *
make_words (KymoCli *cli, const KymoRemoteAddress *where, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 1; cli->argv[i] != NULL; i++)
    {
      gboolean next;
      char *word;

      if (is_for_here (cli->argv[i], &next))
        {
          i += next && cli->argv[i + 1] != NULL;
          continue;
        }
      word = dup_far_word (cli->argv[i], where, error);
      if (word == NULL)
        return NULL;
      g_ptr_array_add (words, word);
    }
  g_ptr_array_add (words, NULL);
  return g_steal_pointer (&words);
}

/* What the command there prints: its answer is kept until it is whole, its words are shown. */
static void
take_output (const KymoFrame *frame, gpointer data)
{
  GString *out = data;
  g_autoptr (GVariant) bytes = g_variant_lookup_value (frame->body, "bytes",
                                                       G_VARIANT_TYPE_BYTESTRING);
  guint32 stream = 0;
  const char *text;
  gsize n;

  if (frame->type != KYMO_FRAME_OUTPUT || bytes == NULL)
    return;
  g_variant_lookup (frame->body, "stream", "u", &stream);
  text = g_variant_get_fixed_array (bytes, &n, 1);
  if (stream == 1)
    g_string_append_len (out, text, n);
  else
    {
      g_autoptr (GString) words = g_string_new_len (text, n);

      kymo_safe_text_clean (words, "\n");
      fputs (words->str, stderr);
    }
}

/**
 * kymo_cli_run_far:
 * @cli: of a command for which kymo_cli_is_far_work() is true
 *
 * Has the command done on the machine where its run lies, and writes what it answers here.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_far (KymoCli *cli, GError **error)
{
  const char *first = cli->words->pdata[0];
  g_autoptr (KymoRemoteAddress) where = kymo_remote_address_parse (first, error);
  g_autoptr (GPtrArray) words = NULL;
  g_autoptr (KymoRemoteLink) link = NULL;
  g_autoptr (KymoFrame) done = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  const KymoRemoteWay way = {
    .server = kymo_cli_find_server (cli), .launch = kymo_cli_get (cli, "launch"),
  };
  gint32 status = KYMO_CLI_FAILED;
  GVariantDict body;

  if (where == NULL || !check_words (cli, where, error))
    return KYMO_CLI_USAGE;
  words = make_words (cli, where, error);
  if (words == NULL)
    return KYMO_CLI_USAGE;
  link = kymo_remote_link_get (where, &way, cli->job, error);
  if (link == NULL)
    return KYMO_CLI_FAILED;
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "words", "^aay", words->pdata);
  done = kymo_remote_link_ask (link, KYMO_FRAME_WORK, g_variant_dict_end (&body), cli->job,
                               take_output, out, kymo_job_peek_cancellable (cli->job), error);
  if (done == NULL)
    return KYMO_CLI_FAILED;
  g_variant_lookup (done->body, "status", "i", &status);
  if (out->len > 0 && !kymo_cli_write (cli, out, error))
    return KYMO_CLI_FAILED;
  return status;
}
