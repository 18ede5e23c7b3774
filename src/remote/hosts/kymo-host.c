/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-host.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-safe-text.h"
#include "kymo-ssh-host.h"

#define FILE_NAME "hosts.conf"
#define MOST_BYTES (1 << 20)
/* For the login shell there, whichever it is. What a person installs for themselves is often not
   in the PATH of a shell that is not interactive. */
#define FAR_PATH "PATH=\"$PATH:$HOME/.local/bin:$HOME/.local/kymo/bin\"; "

/** kymo_host_free: @host: (nullable): with all it has */
void
kymo_host_free (KymoHost *host)
{
  if (host == NULL)
    return;
  g_free (host->name);
  g_strfreev (host->ssh);
  g_free (host->server);
  g_strfreev (host->modules);
  g_clear_pointer (&host->launches, g_ptr_array_unref);
  g_free (host->folder);
  g_free (host->file);
  g_free (host);
}

/* -- files ------------------------------------------------------------------------------------- */

/* Words of the file become part of a command line there, which a shell reads. */
static gboolean
is_plain (const char *text, const char *also)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("/._+-=,:@%", *c) == NULL && strchr (also, *c) == NULL)
      return FALSE;
  return *text != '\0';
}

static gboolean
fail_key (GError **error, const char *group, const char *key)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("[%s]: “%s” cannot be used"), group, key);
  return FALSE;
}

/* (transfer full) (nullable): the text of a key without blanks around; NULL where it is empty. */
static char *
dup_text (GKeyFile *file, const char *group, const char *key)
{
  char *text = g_key_file_get_string (file, group, key, NULL);

  if (text != NULL && *g_strstrip (text) == '\0')
    g_clear_pointer (&text, g_free);
  return text;
}

static gboolean
read_values (GKeyFile *file, const char *group, KymoLaunch *launch, GError **error)
{
  for (guint i = 0; i < KYMO_LAUNCH_N_VALUES; i++)
    {
      g_autofree char *key = g_strdup (kymo_launch_value_key (i));
      g_autofree char *text = NULL;

      key[0] = g_ascii_toupper (key[0]);
      text = dup_text (file, group, key);
      if (text != NULL && !kymo_launch_set (launch, i, text, error))
        {
          g_prefix_error (error, "[%s]: ", group);
          return FALSE;
        }
    }
  return TRUE;
}

/* The template stands in the file, or in a file beside it. */
static gboolean
read_template (GKeyFile *file, const char *group, const char *path, KymoLaunch *launch,
               GError **error)
{
  g_autofree char *name = dup_text (file, group, "TemplateFile");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *full = name != NULL ? g_canonicalize_filename (name, folder) : NULL;
  char *text = g_key_file_get_string (file, group, "Template", NULL);

  if (full != NULL && !g_file_get_contents (full, &text, NULL, error))
    return FALSE;
  if (text == NULL)
    return TRUE;
  g_free (launch->template);
  launch->template = text;
  return strstr (text, "%SERVER%") != NULL || fail_key (error, group, "Template");
}

/* The launch @name of a host: the group "[HOST NAME]", and the values of the host's own group. */
static KymoLaunch *
read_launch (GKeyFile *file, const char *host, const char *name, const char *path, GError **error)
{
  g_autofree char *group = g_strdup_printf ("%s %s", host, name);
  g_autofree char *word = dup_text (file, group, "Method");
  g_autoptr (KymoLaunch) launch = NULL;
  KymoLaunchMethod method;

  if (!kymo_launch_method_parse (word != NULL ? word : name, &method))
    {
      fail_key (error, host, "Launches");
      return NULL;
    }
  launch = kymo_launch_new (name, method);
  launch->join = dup_text (file, group, "Join");
  if (read_values (file, host, launch, error) && read_values (file, group, launch, error)
      && read_template (file, group, path, launch, error))
    return g_steal_pointer (&launch);
  return NULL;
}

static gboolean
read_launches (GKeyFile *file, KymoHost *host, const char *path, GError **error)
{
  g_autofree char *text = dup_text (file, host->name, "Launches");
  g_auto (GStrv) words = g_strsplit_set (text != NULL ? text : "login", "; ,", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      KymoLaunch *launch = *words[i] == '\0' ? NULL
                           : read_launch (file, host->name, words[i], path, error);

      if (launch != NULL)
        g_ptr_array_add (host->launches, launch);
      else if (*words[i] != '\0')
        return FALSE;
    }
  return host->launches->len > 0 || fail_key (error, host->name, "Launches");
}

/* The last word is where ssh goes. */
static gboolean
read_ssh (GKeyFile *file, KymoHost *host, GError **error)
{
  g_autofree char *text = dup_text (file, host->name, "Ssh");
  const char *last;

  if (!g_shell_parse_argv (text != NULL ? text : host->name, NULL, &host->ssh, NULL))
    return fail_key (error, host->name, "Ssh");
  last = host->ssh[g_strv_length (host->ssh) - 1];
  return *last != '-' || fail_key (error, host->name, "Ssh");
}

static gboolean
read_modules (GKeyFile *file, KymoHost *host, GError **error)
{
  g_autofree char *text = dup_text (file, host->name, "Modules");

  host->modules = g_strsplit_set (text != NULL ? text : "", "; ", -1);
  for (guint i = 0; host->modules[i] != NULL; i++)
    if (!is_plain (host->modules[i], ""))
      return fail_key (error, host->name, "Modules");
  return TRUE;
}

static KymoHost *
new_host (const char *name)
{
  KymoHost *host = g_new0 (KymoHost, 1);

  host->name = g_strdup (name);
  host->launches = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_launch_free);
  return host;
}

/* (transfer full) (nullable): the host of a group. */
static KymoHost *
read_host (GKeyFile *file, const char *name, const char *path, GError **error)
{
  g_autoptr (KymoHost) host = new_host (name);

  if (!kymo_ssh_is_host (name))
    {
      fail_key (error, name, name);
      return NULL;
    }
  host->file = g_strdup (path);
  host->folder = dup_text (file, name, "Folder");
  host->server = dup_text (file, name, "Server");
  if (host->server != NULL && !is_plain (host->server, " ~"))
    {
      fail_key (error, name, "Server");
      return NULL;
    }
  if (host->folder != NULL && *host->folder != '/')
    {
      fail_key (error, name, "Folder");
      return NULL;
    }
  return read_ssh (file, host, error) && read_modules (file, host, error)
         && read_launches (file, host, path, error) ? g_steal_pointer (&host) : NULL;
}

/* Adds a host, or puts it where one of its name is. */
static void
take_host (GPtrArray *hosts, KymoHost *host)
{
  for (guint i = 0; i < hosts->len; i++)
    if (strcmp (((KymoHost *) hosts->pdata[i])->name, host->name) == 0)
      {
        kymo_host_free (hosts->pdata[i]);
        hosts->pdata[i] = host;
        return;
      }
  g_ptr_array_add (hosts, host);
}

/* A host that is wrong is left out, and the first of them told. */
static void
read_file (GPtrArray *hosts, const char *path, char **problem)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) groups = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return;
  if (kymo_input_load_key_file (file, path, MOST_BYTES, G_KEY_FILE_NONE, &error))
    groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups != NULL && groups[i] != NULL; i++)
    {
      KymoHost *host = strchr (groups[i], ' ') == NULL
                       ? read_host (file, groups[i], path, error == NULL ? &error : NULL) : NULL;

      if (host != NULL)
        take_host (hosts, host);
    }
  if (error != NULL && *problem == NULL)
    *problem = g_strdup_printf ("%s: %s", path, error->message);
}

/** kymo_hosts_dup_path: Returns: (transfer full): where the user's file is, or would be */
char *
kymo_hosts_dup_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "kymo", FILE_NAME, NULL);
}

/**
 * kymo_hosts_load:
 * @problem: (out) (transfer full) (nullable): a sentence about the first thing in the files that
 *   cannot be used; what can be used is in the list all the same
 *
 * Returns: (transfer full) (element-type KymoHost): the hosts of all files
 */
GPtrArray *
kymo_hosts_load (char **problem)
{
  GPtrArray *hosts = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_host_free);
  const char *const *folders = g_get_system_config_dirs ();
  g_autofree char *own = kymo_hosts_dup_path ();

  *problem = NULL;
  /* The folder that matters most comes first there. */
  for (guint i = g_strv_length ((char **) folders); i > 0; i--)
    {
      g_autofree char *path = g_build_filename (folders[i - 1], "kymo", FILE_NAME, NULL);

      read_file (hosts, path, problem);
    }
  read_file (hosts, own, problem);
  return hosts;
}

/* -- one of them ------------------------------------------------------------------------------- */

static void
insert_words (KymoHost *host, const char *option, const char *value)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_strv_builder_add_many (words, option, value, NULL);
  g_strv_builder_addv (words, (const char **) host->ssh);
  g_strfreev (host->ssh);
  host->ssh = g_strv_builder_end (words);
}

static KymoHost *
find_named (const char *name, GError **error)
{
  g_autofree char *problem = NULL;
  g_autoptr (GPtrArray) hosts = kymo_hosts_load (&problem);

  for (guint i = 0; i < hosts->len; i++)
    if (strcmp (((KymoHost *) hosts->pdata[i])->name, name) == 0)
      return g_ptr_array_steal_index (hosts, i);
  if (problem != NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, problem);
  return NULL;
}

/**
 * kymo_hosts_find:
 * @host: "[USER@]NAME" of an address
 * @port: of an address, 0 = none
 *
 * Returns: (transfer full) (nullable): the host of that name with this user and port, or one that
 *   ssh alone knows; %NULL with %KYMO_ERROR_USAGE where a file that may describe it is damaged
 */
KymoHost *
kymo_hosts_find (const char *host, guint16 port, GError **error)
{
  const char *at = strrchr (host, '@');
  g_autofree char *user = at != NULL ? g_strndup (host, at - host) : NULL;
  g_autofree char *number = g_strdup_printf ("%u", port);
  g_autoptr (GError) why = NULL;
  KymoHost *found = find_named (at != NULL ? at + 1 : host, &why);

  if (found == NULL && why != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  if (found == NULL)
    {
      found = new_host (at != NULL ? at + 1 : host);
      found->ssh = g_strdupv ((char *[]) { (char *) host, NULL });
      found->modules = g_new0 (char *, 1);
      g_ptr_array_add (found->launches, kymo_launch_new ("login", KYMO_LAUNCH_LOGIN));
    }
  else if (user != NULL)
    insert_words (found, "-l", user);
  if (port != 0)
    insert_words (found, "-p", number);
  return found;
}

/**
 * kymo_host_dup_launch:
 * @words: (nullable): "NAME", or "NAME,time=00:10:00,queue=short"; %NULL: the first one
 *
 * Returns: (transfer full) (nullable): the launch of that name with these values; %NULL with
 *   %KYMO_ERROR_USAGE where the host has none, or a value is none
 */
KymoLaunch *
kymo_host_dup_launch (const KymoHost *host, const char *words, GError **error)
{
  const char *text = words != NULL ? words : ((KymoLaunch *) host->launches->pdata[0])->name;
  const char *comma = strchr (text, ',');
  g_autofree char *name = g_strndup (text, comma != NULL ? (gsize) (comma - text) : strlen (text));
  g_autofree char *shown = kymo_safe_text_dup (name);
  KymoLaunchMethod method;

  for (guint i = 0; i <= host->launches->len; i++)
    {
      const KymoLaunch *known = i < host->launches->len ? host->launches->pdata[i] : NULL;
      g_autoptr (KymoLaunch) launch = NULL;

      if (known != NULL && strcmp (known->name, name) == 0)
        launch = kymo_launch_copy (known);
      else if (known == NULL && kymo_launch_method_parse (name, &method))
        launch = kymo_launch_new (name, method);
      if (launch != NULL)
        return comma == NULL || kymo_launch_set_words (launch, comma + 1, error)
               ? g_steal_pointer (&launch) : NULL;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("%s has no launch “%s”"), host->name, shown);
  return NULL;
}

/* -- commands ---------------------------------------------------------------------------------- */

/**
 * kymo_host_dup_ssh:
 * @asks: whether ssh may ask a person
 * @command: (nullable): for the login shell there
 *
 * Returns: (transfer full): words that run ssh
 */
char **
kymo_host_dup_ssh (const KymoHost *host, gboolean asks, const char *command)
{
  const char *const options[] = {
    "Compression=no", "ConnectTimeout=20", "ServerAliveInterval=10", "ServerAliveCountMax=3",
    "ClearAllForwardings=yes", asks ? "BatchMode=no" : "BatchMode=yes",
  };
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  guint n = g_strv_length (host->ssh);

  g_strv_builder_add_many (words, "ssh", "-T", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    g_strv_builder_add_many (words, "-o", options[i], NULL);
  for (guint i = 0; i + 1 < n; i++)
    g_strv_builder_add (words, host->ssh[i]);
  g_strv_builder_add_many (words, "--", host->ssh[n - 1], NULL);
  if (command != NULL)
    g_strv_builder_add (words, command);
  return g_strv_builder_end (words);
}

/* "~/" is for the shell there, which finds no tilde inside of a word. */
static char *
dup_server (const KymoHost *host)
{
  GString *server = g_string_new (host->server != NULL ? host->server : "kymo-server");

  if (g_str_has_prefix (server->str, "~/"))
    {
      g_string_erase (server, 0, 1);
      g_string_prepend (server, "$HOME");
    }
  return g_string_free (server, FALSE);
}

/* A login shell knows `module`. What it says comes before any message. */
static char *
dup_modules (const KymoHost *host)
{
  g_autofree char *names = g_strjoinv (" ", host->modules);

  return *names != '\0' ? g_strdup_printf ("module load %s >&2; ", names) : g_strdup ("");
}

/**
 * kymo_host_dup_command:
 * @launch: (nullable): of the host; %NULL: on the login node
 * @asks: whether ssh may ask a person
 * @shares: whether the server is one that other clients share
 * @rejoins: a job that has ended is not submitted again
 *
 * Returns: (transfer full): words that run ssh, whose standard input and output are joined to a
 *   server
 */
char **
kymo_host_dup_command (const KymoHost *host, const KymoLaunch *launch, gboolean asks,
                       gboolean shares, gboolean rejoins)
{
  gboolean is_login = launch == NULL || launch->method == KYMO_LAUNCH_LOGIN;
  g_autofree char *server = dup_server (host);
  g_autofree char *modules = dup_modules (host);
  g_autofree char *order = is_login ? NULL
    : kymo_launch_dup_order (launch, (const char *const *) host->modules);
  g_autofree char *command = g_strdup_printf (
    "exec sh -%s '" FAR_PATH "%sexec %s %s%s%s%s'", *modules != '\0' ? "lc" : "c", modules, server,
    is_login && !shares ? "--stdio" : "--connect", is_login ? "" : " --job ",
    is_login ? "" : order, !is_login && rejoins ? " --rejoin" : "");

  return kymo_host_dup_ssh (host, asks, command);
}

/**
 * kymo_host_dup_version_command:
 *
 * Returns: (transfer full): what a shell there does to tell the version of the server; without
 *   single quotes
 */
char *
kymo_host_dup_version_command (const KymoHost *host)
{
  g_autofree char *server = dup_server (host);

  return g_strdup_printf (FAR_PATH "exec %s --version", server);
}
