/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-settings.h"

#include <string.h>

#include "kymo-command.h"
#include "kymo-remote-address.h"
#include "kymo-settings.h"

#define MOST_HOSTS 10
#define HOSTS_KEY "remote-hosts"
#define LAUNCHES_KEY "remote-launches"

/**
 * kymo_remote_settings_dup_hosts:
 *
 * Returns: (transfer full): "[USER@]HOST[:PORT]" of those used last, the newest first; at most 10
 */
GStrv
kymo_remote_settings_dup_hosts (void)
{
  GSettings *settings = kymo_settings_peek ();

  return settings != NULL ? g_settings_get_strv (settings, HOSTS_KEY) : g_new0 (char *, 1);
}

static void
put_host (const char *first, const char *gone)
{
  g_auto (GStrv) old = kymo_remote_settings_dup_hosts ();
  g_autoptr (GPtrArray) hosts = g_ptr_array_new ();

  if (kymo_settings_peek () == NULL)
    return;
  if (first != NULL)
    g_ptr_array_add (hosts, (char *) first);
  for (guint i = 0; old[i] != NULL && hosts->len < MOST_HOSTS; i++)
    if (strcmp (old[i], gone) != 0)
      g_ptr_array_add (hosts, old[i]);
  g_ptr_array_add (hosts, NULL);
  g_settings_set_strv (kymo_settings_peek (), HOSTS_KEY, (const char *const *) hosts->pdata);
}

/** kymo_remote_settings_add_host: @host: becomes the newest; it is kept once */
void
kymo_remote_settings_add_host (const char *host)
{
  put_host (host, host);
}

/** kymo_remote_settings_remove_host: @host: is not listed any more */
void
kymo_remote_settings_remove_host (const char *host)
{
  put_host (NULL, host);
}

/**
 * kymo_remote_settings_dup_launch:
 * @host: "[USER@]HOST[:PORT]"
 *
 * Returns: (transfer full) (nullable): the launch that was chosen last, as
 *   kymo_host_dup_launch() takes it; %NULL: none was
 */
char *
kymo_remote_settings_dup_launch (const char *host)
{
  g_autoptr (GVariant) all = kymo_settings_peek () != NULL
                             ? g_settings_get_value (kymo_settings_peek (), LAUNCHES_KEY) : NULL;
  char *launch = NULL;

  if (all != NULL)
    g_variant_lookup (all, host, "s", &launch);
  return launch;
}

/** kymo_remote_settings_set_launch: @launch: for the next time on this host */
void
kymo_remote_settings_set_launch (const char *host, const char *launch)
{
  GVariantBuilder builder;
  g_autoptr (GVariant) all = NULL;
  const char *key, *value;
  GVariantIter iter;

  if (kymo_settings_peek () == NULL)
    return;
  all = g_settings_get_value (kymo_settings_peek (), LAUNCHES_KEY);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "{&s&s}", &key, &value))
    if (strcmp (key, host) != 0)
      g_variant_builder_add (&builder, "{ss}", key, value);
  g_variant_builder_add (&builder, "{ss}", host, launch);
  g_settings_set_value (kymo_settings_peek (), LAUNCHES_KEY, g_variant_builder_end (&builder));
}

/**
 * kymo_remote_settings_dup_launch_of:
 * @address: of a run
 *
 * Returns: (transfer full) (nullable): the launch that was chosen last on its machine
 */
char *
kymo_remote_settings_dup_launch_of (const char *address)
{
  g_autoptr (KymoRemoteAddress) where = kymo_remote_address_parse (address, NULL);
  g_autofree char *host = where != NULL ? kymo_remote_address_dup_host (where) : NULL;

  return host != NULL ? kymo_remote_settings_dup_launch (host) : NULL;
}

/**
 * kymo_remote_settings_name_launch:
 * @line: (transfer full) (nullable): a line of kymo-cli
 * @path: (nullable): the run that it is about
 *
 * Returns: (transfer full) (nullable): the line, with the launch that was chosen last on the
 *   machine of the run: the window has it from its settings, which kymo-cli does not read
 */
char *
kymo_remote_settings_name_launch (char *line, const char *path)
{
  g_autofree char *launch = line != NULL && path != NULL && kymo_remote_is_address (path)
                            ? kymo_remote_settings_dup_launch_of (path) : NULL;
  GString *whole;

  if (launch == NULL)
    return line;
  whole = g_string_new (line);
  g_free (line);
  kymo_command_add_word (whole, "--launch");
  kymo_command_add_word (whole, launch);
  return g_string_free (whole, FALSE);
}
