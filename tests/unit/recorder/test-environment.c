/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the recorder writes of the environment of a run: secrets, the form of the file, and what is
 * found in trees of files.
 */
#include <elf.h>
#include <glib/gstdio.h>
#include <string.h>

#include "kymo-env-mask.h"
#include "kymo-environment.h"
#include "kymo-node-text.h"

static char *data_dir;

static void
test_mask (void)
{
  static const char *const texts[][2] = {
    { "plain text", "plain text" },
    { "", "" },
    { "token=abc", "token=***" },
    { "--api-key=abc def", "--api-key=*** def" },
    { "-Dmy.Secret=abc&x=1", "-Dmy.Secret=***&x=1" },
    { "https://host/p?token=abc&size=3", "https://host/p?token=***&size=3" },
    { "http://me:pass@host/x", "http://me:***@host/x" },
    { "http://me:p@ss/w@host/x", "http://me:***@host/x" },
    { "ssh://git@host/x", "ssh://git@host/x" },
    { "https://ghp_0123456789abcdef@host/x", "https://***@host/x" },
    { "a http://b:c@d http://e:f@g", "a http://b:***@d http://e:***@g" },
    { "http://b:c@d,http://e:f@g", "http://b:***@d,http://e:***@g" },
    { "{\"password\": \"a b\", \"n\": 1}", "{\"password\": ***, \"n\": 1}" },
    { "{'token':'x", "{'token':***" },
    { "PGPASSWORD='a b' run", "PGPASSWORD=*** run" },
    { "key=", "key=" },
    { "size=3;secret=4;x=5", "size=3;secret=***;x=5" },
    { "a:b", "a:b" },
  };
  char bytes[4096];

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      KymoNodeText out;

      kymo_node_text_init (&out, bytes, sizeof bytes);
      kymo_env_mask (&out, kymo_node_word (texts[i][0], strlen (texts[i][0])));
      g_assert_cmpstr (out.data, ==, texts[i][1]);
    }
  g_assert_true (kymo_env_is_secret (kymo_node_word ("MyApiKeyX", 9)));
  g_assert_true (kymo_env_is_secret (kymo_node_word ("DB_PASSWORD", 11)));
  g_assert_false (kymo_env_is_secret (kymo_node_word ("OMP_NUM_THREADS", 15)));
}

typedef struct
{
  KymoEnvIni *ini;
  GHashTable *told;
} Written;

static void
hear_line (const char *name, const char *value, void *data)
{
  g_hash_table_insert (data, g_strdup (name), g_strdup (value));
}

static Written
begin_ini (void)
{
  Written written = { g_new (KymoEnvIni, 1),
                      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };

  kymo_env_ini_init (written.ini, hear_line, written.told);
  return written;
}

/* What a reader finds in the file. */
static GKeyFile *
end_ini (Written *written)
{
  GKeyFile *file = g_key_file_new ();
  GError *error = NULL;

  g_key_file_load_from_data (file, written->ini->ini.data, written->ini->ini.length,
                             G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  g_hash_table_unref (written->told);
  g_free (written->ini);
  return file;
}

static void
assert_value (GKeyFile *file, const char *group, const char *key, const char *expected)
{
  char *value = g_key_file_get_string (file, group, key, NULL);

  g_assert_cmpstr (value, ==, expected);
  g_free (value);
}

static void
assert_list (GKeyFile *file, const char *group, const char *key, const char *joined)
{
  char **items = g_key_file_get_string_list (file, group, key, NULL, NULL);
  char *value = items != NULL ? g_strjoinv ("|", items) : NULL;

  g_assert_cmpstr (value, ==, joined);
  g_strfreev (items);
  g_free (value);
}

static void
test_form (void)
{
  Written written = begin_ini ();
  char *longest = g_strnfill (KYMO_ENV_TEXT_BYTES + 1, 'x');
  GKeyFile *file;

  kymo_env_ini_group (written.ini, "One", NULL);
  kymo_env_ini_text (written.ini, "escaped", "  a\\b\n\tc;d\r=[e]");
  kymo_env_ini_text (written.ini, "odd", "\xff\xc0\x80" "caf\xc3\xa9\x01\xed\xa0\x80");
  kymo_env_ini_text (written.ini, "a=b[c]", "1");
  kymo_env_ini_text (written.ini, "a=b[c]", "2");
  kymo_env_ini_text (written.ini, "#x", "3");
  kymo_env_ini_text (written.ini, "empty", "");
  kymo_env_ini_text (written.ini, "none", NULL);
  kymo_env_ini_text (written.ini, "MY_TOKEN", "abc");
  kymo_env_ini_list (written.ini, "list");
  kymo_env_ini_item (written.ini, "a;b");
  kymo_env_ini_item (written.ini, "");
  kymo_env_ini_item (written.ini, "c\\");
  kymo_env_ini_end_list (written.ini);
  kymo_env_ini_list (written.ini, "nothing");
  kymo_env_ini_end_list (written.ini);
  kymo_env_ini_text (written.ini, "long", longest);
  kymo_env_ini_group (written.ini, "Process 17", "Process");
  kymo_env_ini_printf (written.ini, "rank", "%d", 3);
  g_assert_cmpuint (written.ini->cut, ==, 1);
  g_assert_cmpstr (g_hash_table_lookup (written.told, "Process.rank"), ==, "3");
  g_assert_cmpstr (g_hash_table_lookup (written.told, "One.list"), ==, "a\\;b;;c\\\\;");

  file = end_ini (&written);
  assert_value (file, "One", "escaped", "  a\\b\n\tc;d\r=[e]");
  assert_value (file, "One", "odd",
                "\357\277\275\357\277\275\357\277\275caf\xc3\xa9\357\277\275"
                "\357\277\275\357\277\275\357\277\275");
  assert_value (file, "One", "a_b_c_", "1");
  assert_value (file, "One", "a_b_c_ (2)", "2");
  assert_value (file, "One", "_x", "3");
  assert_value (file, "One", "MY_TOKEN", "***");
  assert_value (file, "Process 17", "rank", "3");
  assert_list (file, "One", "list", "a;b||c\\");
  g_assert_false (g_key_file_has_key (file, "One", "empty", NULL));
  g_assert_false (g_key_file_has_key (file, "One", "none", NULL));
  g_assert_false (g_key_file_has_key (file, "One", "nothing", NULL));
  longest[KYMO_ENV_TEXT_BYTES] = '\0';
  assert_value (file, "One", "long", longest);
  g_free (longest);
  g_key_file_unref (file);
}

/* Whatever is written, the file has a bound, and each line is whole. */
static void
test_bound (void)
{
  Written written = begin_ini ();
  char *longest = g_strnfill (KYMO_ENV_TEXT_BYTES, 'x');
  GKeyFile *file;
  guint cut;

  kymo_env_ini_group (written.ini, "Many", NULL);
  for (int i = 0; i < 300; i++)
    {
      char key[32];

      g_snprintf (key, sizeof key, "name%d", i);
      kymo_env_ini_text (written.ini, key, longest);
    }
  kymo_env_ini_list (written.ini, "list");
  for (int i = 0; i < 2 * KYMO_ENV_MOST_ITEMS; i++)
    kymo_env_ini_item (written.ini, "");
  kymo_env_ini_end_list (written.ini);
  cut = written.ini->cut;
  g_assert_cmpuint (written.ini->ini.length, <, KYMO_ENV_INI_BYTES);
  file = end_ini (&written);
  for (int i = 0; i < 300; i++)
    {
      char key[32];
      char *value;

      g_snprintf (key, sizeof key, "name%d", i);
      value = g_key_file_get_string (file, "Many", key, NULL);
      if (value == NULL)
        g_assert_cmpuint (cut--, >, 0);
      else
        g_assert_cmpstr (value, ==, longest);
      g_free (value);
    }
  g_assert_cmpuint (cut, ==, KYMO_ENV_MOST_ITEMS);
  g_free (longest);
  g_key_file_unref (file);
}

static void
test_arguments (void)
{
  static const char bytes[] = "prog\0--token\0abc\0--verbose\0-KEY=x\0--pass\0--next\0plain\0";
  Written written = begin_ini ();
  GKeyFile *file;

  kymo_env_ini_group (written.ini, "Command", NULL);
  kymo_env_arguments (written.ini, kymo_node_word (bytes, sizeof bytes - 1));
  file = end_ini (&written);
  assert_list (file, "Command", "arguments",
               "prog|--token|***|--verbose|-KEY=***|--pass|--next|plain");
  g_key_file_unref (file);
}

static void
test_build_id (void)
{
  guint32 notes[] = { 4, 4, 1, 0x00554e47, 7, 4, 3, NT_GNU_BUILD_ID, 0x00554e47, 0x01efcdab };
  char id[32];

  g_assert_true (kymo_env_build_id (notes, sizeof notes, id, sizeof id));
  g_assert_cmpstr (id, ==, "abcdef");
  g_assert_false (kymo_env_build_id (notes, sizeof notes, id, 6));
  for (gsize length = 0; length < sizeof notes; length++)
    g_assert_false (kymo_env_build_id (notes, length, id, sizeof id));
  notes[0] = G_MAXUINT32;
  g_assert_false (kymo_env_build_id (notes, sizeof notes, id, sizeof id));
}

/* This program is one that a compiler wrote; what is cut off somewhere is read without harm. */
static void
test_executable (void)
{
  Written written = begin_ini ();
  GKeyFile *file;
  char *bytes, *compiler;
  gsize length;

  g_assert_true (g_file_get_contents ("/proc/self/exe", &bytes, &length, NULL));
  kymo_env_ini_group (written.ini, "Command", NULL);
  kymo_env_executable (written.ini, bytes, length);
  for (gsize part = 0; part < length; part += 1 + length / 64)
    {
      char *cut = g_memdup2 (bytes, part);

      kymo_env_executable (written.ini, cut, part);
      g_free (cut);
    }
  file = end_ini (&written);
  compiler = g_key_file_get_string (file, "Command", "compiler", NULL);
  g_assert_nonnull (compiler);
  g_assert_true (strstr (compiler, "GCC") != NULL || strstr (compiler, "clang") != NULL);
  g_free (compiler);
  g_free (bytes);
  g_key_file_unref (file);
}

static void
write_file (const char *root, const char *path, const char *text)
{
  char *whole = g_build_filename (root, path, NULL);
  char *folder = g_path_get_dirname (whole);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (whole, text, -1, NULL));
  g_free (folder);
  g_free (whole);
}

static void
assert_git (const char *root, const char *folder, const char *tree, const char *commit,
            const char *branch)
{
  Written written = begin_ini ();
  GKeyFile *file;

  kymo_env_git (written.ini, root, folder);
  file = end_ini (&written);
  assert_value (file, "Git", "folder", tree);
  assert_value (file, "Git", "commit", commit);
  assert_value (file, "Git", "branch", branch);
  g_key_file_unref (file);
}

#define HASH1 "0123456789abcdef0123456789abcdef01234567"
#define HASH2 "fedcba9876543210fedcba9876543210fedcba98"

static void
test_git (void)
{
  char *root = g_dir_make_tmp ("kymo-git-XXXXXX", NULL);

  assert_git (root, "/none/here", NULL, NULL, NULL);
  write_file (root, "a/.git/HEAD", "ref: refs/heads/main\n");
  assert_git (root, "/a", "/a", NULL, "main");
  write_file (root, "a/.git/packed-refs", "# pack-refs with: peeled\n" HASH2 " refs/heads/mainly\n"
              HASH1 " refs/heads/main\n^" HASH2 "\n");
  assert_git (root, "/a/b/c", "/a", HASH1, "main");
  write_file (root, "a/.git/refs/heads/main", HASH2 "\n");
  assert_git (root, "/a", "/a", HASH2, "main");
  write_file (root, "d/.git/HEAD", HASH1 "\n");
  assert_git (root, "/d", "/d", HASH1, NULL);
  /* A second working tree of the first. */
  write_file (root, "w/.git", "gitdir: /a/.git/worktrees/w\n");
  write_file (root, "a/.git/worktrees/w/HEAD", "ref: refs/heads/topic/x\n");
  write_file (root, "a/.git/worktrees/w/commondir", "../..\n");
  write_file (root, "a/.git/refs/heads/topic/x", "ref: refs/heads/main\n");
  assert_git (root, "/w/deep", "/w", HASH2, "topic/x");
  /* What leads out of the folder or in circles leads nowhere. */
  write_file (root, "e/.git/HEAD", "ref: refs/heads/../../../a\n");
  assert_git (root, "/e", "/e", NULL, "../../../a");
  write_file (root, "f/.git/HEAD", "ref: refs/heads/x\n");
  write_file (root, "f/.git/refs/heads/x", "ref: refs/heads/x\n");
  assert_git (root, "/f", "/f", NULL, "x");
  write_file (root, "g/.git/HEAD", "0123\n");
  assert_git (root, "/g", "/g", NULL, NULL);
  g_free (root);
}

static GKeyFile *
read_tree (const char *name)
{
  Written written = begin_ini ();
  char *root = g_build_filename (data_dir, name, NULL);

  kymo_env_node (written.ini, root, "1.2.3");
  kymo_env_process (written.ini, root, 5);
  g_free (root);
  return end_ini (&written);
}

static void
test_cluster (void)
{
  GKeyFile *file = read_tree ("cluster");
  char *process = g_strdup_printf ("Process %d", (int) getpid ());

  assert_value (file, "Kymo Environment", "version", "1");
  assert_value (file, "Kymo Environment", "recorder", "1.2.3");
  assert_value (file, "System", "host", "node17.cluster");
  assert_value (file, "System", "os", "Some Linux 9.4 (Plow)");
  assert_value (file, "System", "kernel", "5.14.0-427.el9.x86_64");
  assert_list (file, "System", "boot",
               "BOOT_IMAGE=/vmlinuz|root=UUID=12|quiet|luks_key=***|isolcpus=1");
  assert_value (file, "System", "clocksource", "tsc");
  assert_value (file, "System", "hypervisor", NULL);
  assert_value (file, "Processor", "model", "Example 8360Y @ 2.40GHz");
  assert_value (file, "Processor", "microcode", "0xd0003b9");
  assert_value (file, "Processor", "threads", "4");
  assert_value (file, "Processor", "cores", "2");
  assert_value (file, "Processor", "sockets", "2");
  assert_value (file, "Processor", "smt", "on");
  assert_list (file, "Processor", "governor", "performance|powersave");
  assert_list (file, "Processor", "driver", "intel_pstate");
  assert_value (file, "Processor", "minimum-khz", "800000");
  assert_value (file, "Processor", "maximum-khz", "3500000");
  assert_list (file, "Processor", "mitigations",
               "mds: Mitigation: Clear CPU buffers; SMT vulnerable|meltdown: Not affected");
  assert_value (file, "Memory", "bytes", "270195007488");
  assert_value (file, "Memory", "swap-bytes", "8589930496");
  assert_value (file, "Memory", "huge-pages", "16");
  assert_value (file, "Memory", "huge-page-bytes", "2097152");
  assert_value (file, "Memory", "transparent-huge-pages", "madvise");
  assert_value (file, "Memory", "overcommit", "2");
  assert_value (file, "NUMA", "nodes", "2");
  assert_list (file, "NUMA", "node0", "0,2|135097503744");
  assert_list (file, "NUMA", "node1", "1,3|135097503744");
  assert_list (file, "Mounts", "/", "xfs|/dev/mapper/root|rw,relatime,rw,attr2");
  assert_list (file, "Mounts", "/home",
               "nfs4|server:/home|rw,relatime,rw,vers=4.2,addr=10.0.0.1");
  assert_list (file, "Mounts", "/with blank",
               "cifs|//me:secret@nas/share|rw,relatime,rw,username=me,password=***");
  assert_value (file, "Mounts", "/proc", NULL);
  assert_value (file, process, "rank", "5");
  assert_value (file, process, "memory-nodes", "0-1");
  assert_value (file, process, "cgroup",
                "/sys/fs/cgroup/system.slice/slurmstepd.scope/job_4711");
  assert_value (file, process, "memory-limit-bytes", "68719476736");
  assert_value (file, process, "cpu-limit", "2.000");
  g_free (process);
  g_key_file_unref (file);
}

static void
test_virtual (void)
{
  GKeyFile *file = read_tree ("virtual");
  char *process = g_strdup_printf ("Process %d", (int) getpid ());

  assert_value (file, "System", "hypervisor", "yes");
  assert_value (file, "Processor", "threads", "2");
  assert_value (file, "Processor", "cores", "2");
  assert_value (file, "Processor", "sockets", "1");
  assert_value (file, "Memory", "bytes", "25276063744");
  assert_value (file, "Memory", "transparent-huge-pages", NULL);
  assert_list (file, "Mounts", "/mnt/with blank",
               "tmpfs|tools|ro,nosuid,nodev,relatime,ro,size=4k,mode=755");
  assert_value (file, process, "cgroup", "/sys/fs/cgroup/cpu");
  assert_value (file, process, "memory-limit-bytes", "4294967296");
  assert_value (file, process, "cpu-limit", "1.500");
  g_free (process);
  g_key_file_unref (file);
}

/* A tree in which nothing is: all of it is absent, and that is no fault. */
static void
test_absent (void)
{
  char *root = g_dir_make_tmp ("kymo-env-XXXXXX", NULL);
  Written written = begin_ini ();
  GKeyFile *file;

  kymo_env_node (written.ini, root, "1");
  file = end_ini (&written);
  assert_value (file, "System", "os", NULL);
  assert_value (file, "Memory", "bytes", NULL);
  g_assert_false (g_key_file_has_group (file, "NUMA"));
  g_key_file_unref (file);
  g_assert_cmpint (g_rmdir (root), ==, 0);
  g_free (root);
}

/* The whole file of this very program. */
static void
test_run (void)
{
  KymoEnvFacts facts = { .version = "1", .library = "none", .rank = -1 };
  Written written = begin_ini ();
  char *folder = g_get_current_dir ();
  GKeyFile *file;
  char **libraries;

  g_setenv ("OMP_SCHEDULE", "static", TRUE);
  g_setenv ("UCX_AUTH_TOKEN", "abc", TRUE);
  g_setenv ("NOT_OF_INTEREST", "abc", TRUE);
  kymo_env_run (written.ini, "", &facts);
  file = end_ini (&written);
  assert_value (file, "Command", "folder", folder);
  assert_value (file, "MPI", "library", "none");
  assert_value (file, "MPI Settings", "UCX_AUTH_TOKEN", "***");
  assert_value (file, "Variables", "OMP_SCHEDULE", "static");
  assert_value (file, "Variables", "NOT_OF_INTEREST", NULL);
  libraries = g_key_file_get_string_list (file, "Libraries", "libc.so.6", NULL, NULL);
  g_assert_cmpuint (g_strv_length (libraries), ==, 2);
  g_assert_true (g_str_has_suffix (libraries[0], "/libc.so.6"));
  g_assert_true (g_key_file_has_key (file, "Limits", "open-files", NULL));
  g_strfreev (libraries);
  g_free (folder);
  g_key_file_unref (file);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  data_dir = g_build_filename (argv[1], "tests", "data", "recorder", NULL);
  g_test_add_func ("/environment/mask", test_mask);
  g_test_add_func ("/environment/form", test_form);
  g_test_add_func ("/environment/bound", test_bound);
  g_test_add_func ("/environment/arguments", test_arguments);
  g_test_add_func ("/environment/build-id", test_build_id);
  g_test_add_func ("/environment/executable", test_executable);
  g_test_add_func ("/environment/git", test_git);
  g_test_add_func ("/environment/cluster", test_cluster);
  g_test_add_func ("/environment/virtual", test_virtual);
  g_test_add_func ("/environment/absent", test_absent);
  g_test_add_func ("/environment/run", test_run);
  return g_test_run ();
}
