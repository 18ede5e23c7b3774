/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the recorder samples of a node: every parser on trees of files whose numbers are known, and
 * a whole sampler with a sink that keeps what it hears.
 * */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "kymo-node-folder.h"
#include "kymo-node-sampler.h"

static char *data_dir;

static KymoNodeWord
word_of (const char *text)
{
  return kymo_node_word (text, strlen (text));
}

static void
test_words (void)
{
  KymoNodeWord rest = word_of ("a  bc\td\n\nlast"), line, word;
  guint64 numbers[4], number;
  char copy[4];

  g_assert_true (kymo_node_next_line (&rest, &line));
  for (const char *const *text = (const char *const[]) { "a", "bc", "d", NULL }; *text != NULL;
       text++)
    {
      g_assert_true (kymo_node_next_word (&line, &word));
      g_assert_true (kymo_node_word_is (word, *text));
    }
  g_assert_false (kymo_node_next_word (&line, &word));
  g_assert_true (kymo_node_next_line (&rest, &line));
  g_assert_cmpuint (line.length, ==, 0);
  g_assert_true (kymo_node_next_line (&rest, &line));
  g_assert_true (kymo_node_word_is (line, "last"));
  g_assert_false (kymo_node_next_line (&rest, &line));
  g_assert_false (kymo_node_word_copy (word_of ("abcd"), copy, sizeof copy));
  g_assert_cmpstr (copy, ==, "abc");
  g_assert_true (kymo_node_number (word_of ("18446744073709551615"), &number));
  g_assert_cmpuint (number, ==, G_MAXUINT64);
  g_assert_false (kymo_node_number (word_of ("18446744073709551616"), &number));
  g_assert_false (kymo_node_number (word_of ("-1"), &number));
  g_assert_false (kymo_node_number (word_of ("1x"), &number));
  g_assert_false (kymo_node_number (word_of (""), &number));
  g_assert_cmpuint (kymo_node_numbers (word_of (" 1 2 x 4"), numbers, 4), ==, 2);
}

/* What a parser found, as `resource: member=value member=value` lines. */
static void
write_found (KymoNodeWord resource, const KymoNodeValues *values, void *data)
{
  GString *text = data;

  g_string_append_len (text, resource.at, resource.length);
  g_string_append_c (text, ':');
  for (int i = 0; i < KYMO_NODE_MOST_VALUES; i++)
    if ((values->present & 1u << i) != 0)
      g_string_append_printf (text, " %d=%" G_GUINT64_FORMAT, i, values->values[i]);
  g_string_append_c (text, '\n');
}

static void
assert_found (const KymoNodeForm *form, const char *tree, const char *path, const char *expected)
{
  char *whole = g_build_filename (data_dir, tree, path, NULL);
  GString *found = g_string_new (NULL);
  char *bytes;
  gsize length;

  g_assert_true (g_file_get_contents (whole, &bytes, &length, NULL));
  form->parse (form, kymo_node_word (bytes, length), write_found, found);
  g_assert_cmpstr (found->str, ==, expected);
  /* What was cut anywhere is read without harm: each part has memory of its own. */
  for (gsize part = 0; part < length; part += 1 + length / 200)
    {
      char *cut = g_memdup2 (bytes, part);

      form->parse (form, kymo_node_word (cut, part), write_found, found);
      g_free (cut);
    }
  g_string_free (found, TRUE);
  g_free (bytes);
  g_free (whole);
}

#define JOB "sys/fs/cgroup/system.slice/slurmstepd.scope/job_4711/"

static void
test_files (void)
{
  assert_found (&kymo_node_pressure_cpu, "cluster", "proc/pressure/cpu", ": 0=12345678000\n");
  assert_found (&kymo_node_pressure_memory, "cluster", "proc/pressure/memory",
                ": 0=100000 1=40000\n");
  assert_found (&kymo_node_stat, "cluster", "proc/stat",
                ": 0=10000000000 1=200000000 2=3000000000 3=400000000000 4=500000000 5=60000000"
                " 6=70000000 7=80000000 8=987654 9=3 10=1\n");
  assert_found (&kymo_node_vmstat, "cluster", "proc/vmstat", ": 0=1000 1=10 2=5 3=6 4=0\n");
  assert_found (&kymo_node_meminfo, "cluster", "proc/meminfo",
                ": 0=256000000000 1=4096000000 2=122880 3=8192 4=8589926400\n");
  assert_found (&kymo_node_disks, "cluster", "proc/diskstats",
                "sda: 0=100 1=1024000 2=30000000 3=200 4=2048000 5=60000000 6=1 7=90000000\n"
                "nvme0n1: 0=7 1=28672 2=1000000 3=0 4=0 5=0 6=0 7=1000000\n"
                "nvme0n12: 0=9 1=36864 2=1000000 3=0 4=0 5=0 6=0 7=1000000\n"
                "dm-0: 0=100 1=1024000 2=30000000 3=200 4=2048000 5=60000000 6=0 7=90000000\n"
                "loop0: 0=0 1=0 2=0 3=0 4=0 5=0 6=0 7=0\n");
  assert_found (&kymo_node_network, "cluster", "proc/self/net/dev",
                "lo: 0=0 1=0 2=0 3=0 4=0 5=0 6=0 7=0\n"
                "ib0: 0=1000000 1=1000 2=1 3=2 4=2000000 5=2000 6=3 7=4\n"
                "eth0: 0=123 1=4 2=0 3=0 4=456 5=7 6=0 7=0\n");
  assert_found (&kymo_node_nfs, "cluster", "proc/self/mountstats",
                "server:/home: 0=1000 1=2000 2=5000 3=6000 4=30 5=100 6=101 7=2 8=30000000"
                " 9=4000000000 10=4100000000 11=50 12=50 13=0 14=3000000 15=2500000000"
                " 16=2600000000 17=211 18=1 19=286000000\n"
                "server2:/scratch: 0=0 1=0 2=0 3=0 5=0 6=0 7=0 8=0 9=0 10=0\n");
  assert_found (&kymo_node_nfs, "virtual", "proc/self/mountstats", "");
  assert_found (&kymo_node_nfsd, "cluster", "proc/net/rpc/nfsd", ": 0=123456 1=654321 2=298 3=2\n");
  assert_found (&kymo_node_nfsd_pools, "cluster", "proc/fs/nfsd/pool_stats",
                ": 0=1500 1=25 2=1475\n");
  assert_found (&kymo_node_cpuinfo, "cluster", "proc/cpuinfo",
                ": 0=800000000 1=2025000000 2=3100000000\n");
}

static void
test_groups (void)
{
  assert_found (&kymo_node_job_cpu, "cluster", JOB "cpu.stat",
                ": 0=5000000000 1=90 2=9 3=450000000\n");
  assert_found (&kymo_node_job_memory, "cluster", JOB "memory.current", ": 0=1048576\n");
  assert_found (&kymo_node_job_events, "cluster", JOB "memory.events", ": 0=2 1=3 2=1\n");
  assert_found (&kymo_node_job_io, "cluster", JOB "io.stat", ": 0=4608 1=8192 2=2 3=2\n");
  assert_found (&kymo_node_job_cpu_v1, "virtual", "sys/fs/cgroup/cpu/cpu.stat",
                ": 0=40 1=4 2=123456789\n");
  assert_found (&kymo_node_job_used_v1, "virtual", "sys/fs/cgroup/cpuacct/cpuacct.usage",
                ": 0=987654321012\n");
  assert_found (&kymo_node_job_io_v1, "virtual",
                "sys/fs/cgroup/blkio/blkio.throttle.io_service_bytes", ": 0=4608 1=8192\n");
}

static void
test_processes (void)
{
  assert_found (&kymo_node_process_stat, "cluster", "proc/101/stat",
                ": 0=1010 1=7 2=500000000 3=600000000 4=2\n");
  assert_found (&kymo_node_process_status, "cluster", "proc/101/status",
                ": 0=2048000 1=3072000 2=12288\n");
  assert_found (&kymo_node_process_io, "cluster", "proc/101/io",
                ": 0=10000 1=20000 2=100 3=200 4=4096 5=8192\n");
}

static void
test_folders (void)
{
  static const struct
  {
    const char *cgroup, *mounts, *controller, *folder;
  } cases[] = {
    { "0::/a/b\n", "1 2 0:1 / /sys/fs/cgroup rw - cgroup2 none rw\n", NULL, "/sys/fs/cgroup/a/b" },
    { "0::/\n", "1 2 0:1 / /sys/fs/cgroup rw - cgroup2 none rw\n", NULL, "/sys/fs/cgroup" },
    /* A container: the mount begins at the group, or far from it. */
    { "0::/x/y/z\n", "1 2 0:1 /x/y /cg rw shared:1 - cgroup2 none rw\n", NULL, "/cg/z" },
    { "0::/x/yy\n", "1 2 0:1 /x/y /cg rw - cgroup2 none rw\n", NULL, "/cg" },
    { "0::/job\n", "1 2 0:1 /.. /cg rw - cgroup2 none rw\n", NULL, "/cg" },
    /* A job of Slurm has a group for each step. */
    { "0::/s/job_1/step_0/task_0\n", "1 2 0:1 / /cg rw - cgroup2 none rw\n", NULL, "/cg/s/job_1" },
    { "4:cpu,cpuacct:/u/job_12/step_1\n0::/\n",
      "1 2 0:1 / /cg/c rw - cgroup none rw,cpu,cpuacct\n", "cpu", "/cg/c/u/job_12" },
    { "4:cpuset:/u\n", "1 2 0:1 / /cg/c rw - cgroup none rw,cpuset\n", "cpu", NULL },
    { "1:name=systemd:/u\n0::/v\n", "1 2 0:1 / /cg/c rw - cgroup none rw,name=systemd\n", NULL,
      NULL },
    { "", "", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char folder[64];
      gboolean found = kymo_node_cgroup_folder (word_of (cases[i].cgroup),
                                                word_of (cases[i].mounts), cases[i].controller,
                                                folder, sizeof folder);

      g_assert_cmpint (found, ==, cases[i].folder != NULL);
      g_assert_cmpstr (folder, ==, found ? cases[i].folder : "");
    }
}

/* A sink that keeps all that it hears. */
typedef struct
{
  GPtrArray *scopes, *members;
  GHashTable *values;           /* "scope|member" → the last value, as text */
  GString *lost;
} Heard;

static uint32_t
hear_class (const char *scope, const char *members, void *data)
{
  Heard *heard = data;

  g_ptr_array_add (heard->scopes, g_strdup (scope));
  g_ptr_array_add (heard->members, g_strdup (members));
  return heard->scopes->len - 1;
}

static void
hear_sample (uint32_t id, const uint64_t *values, unsigned n, void *data)
{
  Heard *heard = data;
  char **members;

  g_assert_cmpuint (id, <, heard->scopes->len);
  members = g_strsplit (heard->members->pdata[id], "\t", -1);
  g_assert_cmpuint (g_strv_length (members), ==, n);
  for (unsigned i = 0; i < n; i++)
    {
      char *name = g_strndup (members[i], strcspn (members[i], ";"));

      g_hash_table_insert (heard->values,
                           g_strdup_printf ("%s|%s", (char *) heard->scopes->pdata[id], name),
                           g_strdup_printf ("%" G_GUINT64_FORMAT, values[i]));
      g_free (name);
    }
  g_strfreev (members);
}

static void
hear_lost (const char *kind, const char *why, void *data)
{
  g_string_append_printf (((Heard *) data)->lost, "%s: %s\n", kind, why);
}

static Heard
begin_heard (void)
{
  return (Heard) { g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (g_free),
                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                   g_string_new (NULL) };
}

static void
end_heard (Heard *heard)
{
  g_ptr_array_unref (heard->scopes);
  g_ptr_array_unref (heard->members);
  g_hash_table_unref (heard->values);
  g_string_free (heard->lost, TRUE);
}

static void
assert_heard (Heard *heard, const char *name, const char *expected)
{
  g_assert_cmpstr (g_hash_table_lookup (heard->values, name), ==, expected);
}

static int
count_scope (Heard *heard, const char *scope)
{
  int n = 0;

  for (guint i = 0; i < heard->scopes->len; i++)
    n += g_str_equal (heard->scopes->pdata[i], scope);
  return n;
}

/* Writes into a file that is open: as the kernel, no new file comes in its place. */
static void
change_file (const char *root, const char *path, const char *from, const char *to)
{
  char *whole = g_build_filename (root, path, NULL);
  char *bytes;
  GString *text;
  FILE *file;

  g_assert_true (g_file_get_contents (whole, &bytes, NULL, NULL));
  text = g_string_new (bytes);
  g_assert_cmpuint (g_string_replace (text, from, to, 1), ==, 1);
  file = fopen (whole, "w");
  fputs (text->str, file);
  fclose (file);
  g_string_free (text, TRUE);
  g_free (bytes);
  g_free (whole);
}

static char *
copy_tree (const char *name)
{
  char *folder = g_dir_make_tmp ("kymo-node-XXXXXX", NULL);
  char *from = g_build_filename (data_dir, name, NULL);
  char *root = g_build_filename (folder, name, NULL);
  const char *const words[] = { "cp", "-r", from, root, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, NULL, NULL));
  g_free (from);
  g_free (folder);
  return root;
}

static void
test_sampler (void)
{
  Heard heard = begin_heard ();
  KymoNodeSink sink = { hear_class, hear_sample, hear_lost, &heard };
  KymoNodeSampler *sampler = g_new0 (KymoNodeSampler, 1);
  char *root = copy_tree ("cluster");
  char *path;

  kymo_node_sampler_open (sampler, root, &sink);
  g_assert_cmpstr (heard.lost->str, ==,
                   "system-pressure-io: this machine does not have it\n");
  kymo_node_sampler_add (sampler, 100, true);
  kymo_node_sampler_add (sampler, 101, false);
  kymo_node_sampler_add (sampler, 101, false);
  kymo_node_sampler_add (sampler, 102, false);  /* there is none */
  g_assert_cmpuint (sampler->n_processes, ==, 2);
  kymo_node_sampler_sample (sampler);

  /* Counters begin with 0, levels are what they are. */
  assert_heard (&heard, "node|CPU pressure, some", "0");
  assert_heard (&heard, "node|CPU pressure, all", NULL);
  assert_heard (&heard, "node|threads that can run", "3");
  assert_heard (&heard, "node|memory available", "256000000000");
  assert_heard (&heard, "node|lowest CPU frequency", "800000000");
  assert_heard (&heard, "node|mean CPU frequency", "2025187500");
  assert_heard (&heard, "node|highest CPU frequency", "3100250000");
  assert_heard (&heard, "job|memory", "1048576");
  assert_heard (&heard, "job|swap", "4096");
  assert_heard (&heard, "job|CPU pressure, some", "0");
  assert_heard (&heard, "process|memory", "2048000");
  assert_heard (&heard, "process 101|threads", "2");
  /* What never did anything has no class. */
  g_assert_cmpint (count_scope (&heard, "network ib0"), ==, 1);
  g_assert_cmpint (count_scope (&heard, "network lo"), ==, 0);
  g_assert_cmpint (count_scope (&heard, "disk loop0"), ==, 0);
  g_assert_cmpint (count_scope (&heard, "nfs server:/home"), ==, 1);
  g_assert_cmpint (count_scope (&heard, "nfs server2:/scratch"), ==, 0);
  g_assert_cmpint (count_scope (&heard, "nfs server"), ==, 2);
  g_assert_cmpint (count_scope (&heard, "infiniband mlx5_0/1"), ==, 1);
  g_assert_cmpint (count_scope (&heard, "infiniband mlx5_1/1"), ==, 0);

  change_file (root, "proc/pressure/cpu", "12345678", "12345700");
  change_file (root, "proc/stat", "ctxt 987654", "ctxt 987700");
  change_file (root, "proc/diskstats", "sda 100 10 2000", "sda 110 10 2100");
  change_file (root, "proc/self/net/dev", "lo:       0 ", "lo:       5 ");
  change_file (root, "proc/self/mountstats", "READ: 100 101", "READ: 160 170");
  change_file (root, JOB "cpu.stat", "throttled_usec 450000", "throttled_usec 460000");
  change_file (root, "sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", "1000", "1500");
  change_file (root, "sys/devices/system/cpu/cpu3/thermal_throttle/core_throttle_count", "3", "7");
  change_file (root, "proc/101/io", "read_bytes: 4096", "read_bytes: 8192");
  change_file (root, "proc/100/task/200/schedstat", "200000 200 3", "200500 260 4");
  kymo_node_sampler_sample (sampler);
  assert_heard (&heard, "node|CPU pressure, some", "22000");
  assert_heard (&heard, "node|context switches", "46");
  assert_heard (&heard, "disk sda|reads", "10");
  assert_heard (&heard, "disk sda|bytes read", "51200");
  assert_heard (&heard, "network lo|bytes received", "0");
  assert_heard (&heard, "nfs server:/home|READ requests", "60");
  assert_heard (&heard, "job|time throttled", "10000000");
  assert_heard (&heard, "infiniband mlx5_0/1|bytes received", "2000");
  assert_heard (&heard, "node|CPU throttled for heat", "4");
  assert_heard (&heard, "process|time on a CPU", "500");
  assert_heard (&heard, "process|time waiting for a CPU", "60");
  assert_heard (&heard, "process 101|bytes read from disks", "4096");
  /* Of 51200 bytes that disks read 4096 were the run's; dm-0 stands on sda and does not count. */
  assert_heard (&heard, "node|own bytes read", "4096");
  assert_heard (&heard, "node|others' bytes read", "47104");

  /* A counter that was reset goes on; a thread that ended has done what it did; a process whose
   * number was given to another is gone. */
  change_file (root, "proc/stat", "ctxt 987700", "ctxt 10");
  kymo_node_sampler_sample (sampler);
  assert_heard (&heard, "node|context switches", "46");
  change_file (root, "proc/stat", "ctxt 10", "ctxt 14");
  change_file (root, "proc/101/stat", "55555", "66666");
  path = g_build_filename (root, "proc/100/task/200/schedstat", NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
  kymo_node_sampler_sample (sampler);
  assert_heard (&heard, "node|context switches", "50");
  /* Of 1638400 and 4653056 bytes on two nodes each has a thread: a half is 3145728. */
  assert_heard (&heard, "process|memory of its own", "6291456");
  assert_heard (&heard, "process|memory on other NUMA nodes", "1507328");
  assert_heard (&heard, "process 101|memory of its own", NULL);
  assert_heard (&heard, "process|time on a CPU", "500");
  g_assert_cmpuint (sampler->n_processes, ==, 1);
  g_assert_cmpstr (heard.lost->str, ==,
                   "system-pressure-io: this machine does not have it\n");
  kymo_node_sampler_close (sampler);
  g_free (path);
  g_free (sampler);
  g_free (root);
  end_heard (&heard);
}

static void
test_version_1 (void)
{
  Heard heard = begin_heard ();
  KymoNodeSink sink = { hear_class, hear_sample, hear_lost, &heard };
  KymoNodeSampler *sampler = g_new0 (KymoNodeSampler, 1);
  char *root = g_build_filename (data_dir, "virtual", NULL);

  kymo_node_sampler_open (sampler, root, &sink);
  g_assert_cmpstr (heard.lost->str, ==,
                   "system-nfsd: this machine does not have it\n"
                   "system-nfsd-pools: this machine does not have it\n"
                   "system-job-pressure: the job has no control group of version 2 of its own\n"
                   "system-infiniband: this machine has no InfiniBand adapter\n");
  kymo_node_sampler_sample (sampler);
  assert_heard (&heard, "job|memory", "123456789");
  assert_heard (&heard, "job|periods throttled", "0");
  assert_heard (&heard, "job|CPU time", "0");
  assert_heard (&heard, "job|bytes read", "0");
  g_assert_nonnull (g_hash_table_lookup (heard.values, "node|mean CPU frequency"));
  g_assert_nonnull (g_hash_table_lookup (heard.values, "disk vda|bytes read"));
  kymo_node_sampler_close (sampler);
  g_free (sampler);
  g_free (root);
  end_heard (&heard);
}

/* Nothing is there: each source is reported, nothing is told but zeros of own I/O. */
static void
test_nothing (void)
{
  Heard heard = begin_heard ();
  KymoNodeSink sink = { hear_class, hear_sample, hear_lost, &heard };
  KymoNodeSampler *sampler = g_new0 (KymoNodeSampler, 1);
  char *root = g_dir_make_tmp ("kymo-node-XXXXXX", NULL);
  int n = 0;

  kymo_node_sampler_open (sampler, root, &sink);
  kymo_node_sampler_add (sampler, 1, true);
  kymo_node_sampler_sample (sampler);
  for (const char *at = heard.lost->str; (at = strchr (at, '\n')) != NULL; at++)
    n++;
  g_assert_cmpint (n, ==, 14);
  g_assert_cmpuint (heard.scopes->len, ==, 1);
  assert_heard (&heard, "node|own bytes read", "0");
  kymo_node_sampler_close (sampler);
  g_assert_cmpint (g_rmdir (root), ==, 0);
  g_free (sampler);
  g_free (root);
  end_heard (&heard);
}

static void
count_name (const char *name, void *data)
{
  ++*(int *) data;
}

/* In a thread: its table is empty, and that of the others is what it was. */
static void *
own_table (void *data)
{
  int *before = data;

  if (!kymo_node_own_descriptors ())
    return GINT_TO_POINTER (77);
  if (fcntl (*before, F_GETFD) >= 0)
    return GINT_TO_POINTER (1);
  return GINT_TO_POINTER (open ("/dev/null", O_RDONLY) == 0 ? 0 : 2);
}

static void
test_descriptors (void)
{
  int fd = open ("/dev/null", O_RDONLY), n = 0;
  GThread *thread = g_thread_new ("table", own_table, &fd);
  int result = GPOINTER_TO_INT (g_thread_join (thread));

  g_assert_true (result == 0 || result == 77);
  g_assert_cmpint (fcntl (fd, F_GETFD), >=, 0);
  close (fd);
  g_assert_true (kymo_node_folder_walk (data_dir, "", count_name, &n));
  g_assert_cmpint (n, ==, 3);
  g_assert_false (kymo_node_folder_walk (data_dir, "/none", count_name, &n));
}

/* A program may close what it did not open, and get the number for a file of its own. */
static void
test_foreign_number (void)
{
  KymoNodeFile file;
  char text[16];
  int other;

  g_assert_true (kymo_node_file_open (&file, data_dir, "/README.md"));
  g_assert_cmpint (file.fd, >, 2);
  g_assert_cmpint (kymo_node_file_read (&file, text, 7), ==, 7);
  g_assert_cmpint (memcmp (text, "# Trees", 7), ==, 0);
  other = open ("/dev/zero", O_RDONLY);
  g_assert_cmpint (dup2 (other, file.fd), ==, file.fd);
  g_assert_cmpint (kymo_node_file_read (&file, text, 7), ==, -1);
  other = file.fd;
  kymo_node_file_close (&file);
  g_assert_cmpint (fcntl (other, F_GETFD), >=, 0);
  close (other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  data_dir = g_build_filename (argv[1], "tests", "data", "recorder", NULL);
  g_test_add_func ("/node/words", test_words);
  g_test_add_func ("/node/files", test_files);
  g_test_add_func ("/node/groups", test_groups);
  g_test_add_func ("/node/processes", test_processes);
  g_test_add_func ("/node/folders", test_folders);
  g_test_add_func ("/node/sampler", test_sampler);
  g_test_add_func ("/node/version-1", test_version_1);
  g_test_add_func ("/node/nothing", test_nothing);
  g_test_add_func ("/node/descriptors", test_descriptors);
  g_test_add_func ("/node/foreign-number", test_foreign_number);
  return g_test_run ();
}
