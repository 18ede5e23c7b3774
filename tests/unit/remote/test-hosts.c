/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hosts.conf of the site and of the user, what of it is refused, the command lines that are made
 * of it, and orders of jobs. No machine is reached.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-host.h"
#include "kymo-remote-address.h"
#include "scratch.h"

static Scratch scratch;

static void
put_hosts (const char *home, const char *text)
{
  g_autofree char *folder = scratch_path (&scratch, home);
  g_autofree char *inner = g_build_filename (folder, "kymo", NULL);
  g_autofree char *path = g_build_filename (inner, "hosts.conf", NULL);

  g_assert_cmpint (g_mkdir_with_parents (inner, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static KymoHost *
find (const char *name)
{
  g_autoptr (GError) error = NULL;
  KymoHost *host = kymo_hosts_find (name, 0, &error);

  g_assert_no_error (error);
  return host;
}

/* The last word of a command is for the shell there. */
static const char *
peek_far (char **command)
{
  return command[g_strv_length (command) - 1];
}

/* A host of the user's file takes the place of the site's. */
static void
test_files (void)
{
  g_autoptr (GPtrArray) hosts = NULL;
  g_autofree char *problem = NULL;
  g_autoptr (KymoHost) both = NULL;
  g_autoptr (KymoHost) site = NULL;
  g_autoptr (KymoHost) none = NULL;

  put_hosts ("site", "[both]\nSsh=site.example.org\n[only-site]\nFolder=/scratch\n");
  put_hosts ("own", "[both]\nSsh=-J gate \"own.example.org\"\n[only-own]\n");
  hosts = kymo_hosts_load (&problem);
  g_assert_null (problem);
  g_assert_cmpuint (hosts->len, ==, 3);
  both = find ("both");
  g_assert_cmpuint (g_strv_length (both->ssh), ==, 3);
  g_assert_cmpstr (both->ssh[2], ==, "own.example.org");
  g_assert_nonnull (strstr (both->file, "own"));
  site = find ("only-site");
  g_assert_cmpstr (site->folder, ==, "/scratch");
  g_assert_cmpstr (site->ssh[0], ==, "only-site");
  none = find ("you@elsewhere");
  g_assert_null (none->file);
  g_assert_cmpstr (none->ssh[0], ==, "you@elsewhere");
}

/* Words that a shell could take for more than words are refused, and told with file and key. */
static void
test_refused (void)
{
  static const char *const bad[] = {
    "[h]\nServer=kymo-server; rm -rf /\n", "[h]\nModules=gcc `id`\n", "[h]\nModules=$(id)\n",
    "[h]\nLaunches=teleport\n", "[h]\nSsh=-l you\nLaunches=\n[h login]\nMethod=none\n",
    "[h]\nSsh=me \"unclosed\n", "[h]\nSsh=-oProxyCommand=x\n", "[h]\nFolder=relative\n",
    "[h]\nTime=1:00;reboot\n", "[h]\nCores=0\nLaunches=slurm\n", "[-h]\n", "[h\n",
    "[h]\nLaunches=slurm\n[h slurm]\nTemplate=#!/bin/sh\\necho no server\n",
    "[h]\nLaunches=slurm\n[h slurm]\nTemplateFile=missing.sh\n",
  };

  put_hosts ("site", "");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *problem = NULL;
      g_autofree char *text = g_strconcat ("[good]\n", bad[i], NULL);
      g_autoptr (GPtrArray) hosts = NULL;

      put_hosts ("own", text);
      hosts = kymo_hosts_load (&problem);
      g_test_message ("%s: %s", bad[i], problem != NULL ? problem : "taken");
      g_assert_nonnull (problem);
      g_assert_nonnull (strstr (problem, "hosts.conf: "));
      for (guint k = 0; k < hosts->len; k++)
        g_assert_cmpstr (((KymoHost *) hosts->pdata[k])->name, ==, "good");
    }
}

static void
test_commands (void)
{
  g_autoptr (KymoHost) host = NULL;
  g_autoptr (KymoHost) plain = NULL;
  g_autoptr (KymoLaunch) launch = NULL;
  g_auto (GStrv) login = NULL;
  g_auto (GStrv) slurm = NULL;
  g_auto (GStrv) far = NULL;
  g_autoptr (KymoLaunchOrder) order = NULL;
  g_autofree char *word = NULL;

  put_hosts ("own", "[big]\nSsh=-J gate me@login\nServer=~/kymo/bin/kymo-server --threads 4\n"
             "Modules=gcc/12 zlib\nLaunches=slurm login\nQueue=short\n");
  host = find ("big");
  plain = kymo_hosts_find ("you@plain", 2222, NULL);
  far = kymo_host_dup_command (plain, NULL, FALSE, FALSE, FALSE);
  g_assert_nonnull (strstr (peek_far (far), "exec kymo-server --stdio'"));
  g_assert_true (g_strv_contains ((const char *const *) far, "2222"));
  g_assert_true (g_strv_contains ((const char *const *) far, "BatchMode=yes"));
  login = kymo_host_dup_command (host, NULL, TRUE, TRUE, FALSE);
  g_assert_nonnull (strstr (peek_far (login), "exec sh -lc '"));
  g_assert_nonnull (strstr (peek_far (login), "module load gcc/12 zlib >&2; exec "
                            "$HOME/kymo/bin/kymo-server --threads 4 --connect'"));
  launch = kymo_host_dup_launch (host, "slurm,time=00:05:00", NULL);
  word = kymo_launch_dup_order (launch, (const char *const *) host->modules);
  slurm = kymo_host_dup_command (host, launch, TRUE, TRUE, TRUE);
  g_assert_nonnull (strstr (peek_far (slurm), word));
  g_assert_true (g_str_has_suffix (peek_far (slurm), " --rejoin'"));
  order = kymo_launch_order_parse (word, NULL);
  g_assert_cmpint (order->method, ==, KYMO_LAUNCH_SLURM);
  g_assert_cmpstr (order->time, ==, "00:05:00");
  g_assert_nonnull (strstr (order->script, "#SBATCH --time=00:05:00\n#SBATCH --partition=short\n"));
  g_assert_nonnull (strstr (order->script, "module load gcc/12 zlib\nexec %SERVER%\n"));
}

static void
test_times (void)
{
  static const struct { const char *text; gint64 slurm_s, pbs_s; } times[] = {
    { "30", 1800, 30 }, { "30:15", 1815, 1815 }, { "01:00:00", 3600, 3600 },
    { "2-1", 176400, 176400 }, { "1-00:30", 88200, 88200 }, { "1-00:00:05", 86405, 86405 },
    { "", 0, 0 }, { "long", 0, 0 }, { "1:2:3:4", 0, 0 }, { "-1:00", 0, 0 }, { "99999999999", 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_assert_cmpint (kymo_launch_parse_time (KYMO_LAUNCH_SLURM, times[i].text), ==,
                       times[i].slurm_s);
      g_assert_cmpint (kymo_launch_parse_time (KYMO_LAUNCH_PBS, times[i].text), ==,
                       times[i].pbs_s);
    }
}

/* A line without its value goes; a value that is more than one word is none. */
static void
test_launches (void)
{
  static const char *const bad[] = {
    "slurm,time=1;id", "slurm,queue=a b", "slurm,queue=a\nb", "slurm,queue=-x", "slurm,cores=0",
    "slurm,cores=x", "slurm,what=1", "slurm,time", "none",
  };
  g_autoptr (KymoHost) host = find ("plain");
  g_autoptr (KymoLaunch) launch = kymo_host_dup_launch (host, "pbs,cores=16", NULL);
  g_autofree char *word = kymo_launch_dup_order (launch, NULL);
  g_autoptr (KymoLaunchOrder) order = kymo_launch_order_parse (word, NULL);

  g_assert_true (kymo_launch_wants (launch, KYMO_LAUNCH_QUEUE));
  g_assert_false (kymo_launch_wants (launch, KYMO_LAUNCH_RANKS));
  g_assert_null (strstr (order->script, "-q"));
  g_assert_null (strstr (order->script, "module"));
  g_assert_nonnull (strstr (order->script, "ncpus=16\n"));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kymo_host_dup_launch (host, bad[i], &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
    }
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kymo_launch_order_parse ((const char *[]) { "", "%%%", "aGVsbG8" }[i],
                                              &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
    }
}

/* No shell sees the words of --server; "%p" is one of them, with all that a path may hold. */
static void
test_server_words (void)
{
  static const char path[] = "/a b/it's \"$HOME\" `id`;%p";
  g_autofree char *text = g_strconcat ("ssh://far", path, NULL);
  g_autoptr (KymoRemoteAddress) address = kymo_remote_address_parse (text, NULL);
  const KymoRemoteWay way = { .server = "run 'with space' --at=%p %p \"%p\" $HOME" };
  const KymoRemoteWay bad = { .server = "run 'unclosed" };
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = kymo_remote_address_dup_command (address, &way, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (words), ==, 6);
  g_assert_cmpstr (words[1], ==, "with space");
  g_assert_cmpstr (words[2], ==, "--at=%p");
  g_assert_cmpstr (words[3], ==, path);
  g_assert_cmpstr (words[4], ==, path);
  g_assert_cmpstr (words[5], ==, "$HOME");
  g_assert_null (kymo_remote_address_dup_command (address, &bad, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
}

int
main (int argc, char **argv)
{
  g_autofree char *site = NULL;
  g_autofree char *own = NULL;
  int status;

  scratch_up (&scratch, NULL);
  site = scratch_path (&scratch, "site");
  own = scratch_path (&scratch, "own");
  g_setenv ("XDG_CONFIG_DIRS", site, TRUE);
  g_setenv ("XDG_CONFIG_HOME", own, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hosts/files", test_files);
  g_test_add_func ("/hosts/refused", test_refused);
  g_test_add_func ("/hosts/commands", test_commands);
  g_test_add_func ("/hosts/launches", test_launches);
  g_test_add_func ("/hosts/times", test_times);
  g_test_add_func ("/hosts/server-words", test_server_words);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
