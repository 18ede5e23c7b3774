/* kymo-env-machine.c: kernel, processors, memory and mounts of a node
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <dirent.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "kymo-environment.h"
#include "kymo-node-file.h"

#define MOST_PROCESSORS 8192
#define MOST_DIFFERENT 8        /* governors and drivers */

/* The text behind `name`, blanks and a colon in one of the lines of @bytes; empty if there is
 * none. */
static KymoNodeWord
value_of (KymoNodeWord bytes, const char *name)
{
  KymoNodeWord line;

  while (kymo_node_next_line (&bytes, &line))
    {
      KymoNodeWord key;

      if (!kymo_node_word_begins (line, name) || !kymo_node_next_field (&line, ':', &key))
        continue;
      while (key.length > 0 && strchr (" \t", key.at[key.length - 1]) != NULL)
        key.length--;
      while (line.length > 0 && line.at[0] == ' ')
        line = kymo_node_word (line.at + 1, line.length - 1);
      if (kymo_node_word_is (key, name))
        return line;
    }
  return kymo_node_word ("", 0);
}

/* A number of KiB or pages of /proc/meminfo. */
static bool
number_of (KymoNodeWord bytes, const char *name, uint64_t *number)
{
  KymoNodeWord value = value_of (bytes, name), word;

  return kymo_node_next_word (&value, &word) && kymo_node_number (word, number);
}

static void
put_file (KymoEnvIni *ini, const char *key, const char *root, const char *path)
{
  char line[KYMO_ENV_TEXT_BYTES];

  if (kymo_node_read_line (root, path, line, sizeof line) > 0)
    kymo_env_ini_text (ini, key, line);
}

static void
put_os (KymoEnvIni *ini, const char *root)
{
  char bytes[8192];
  ssize_t length = kymo_node_read (root, "/etc/os-release", bytes, sizeof bytes);
  KymoNodeWord rest = kymo_node_word (bytes, length > 0 ? (size_t) length : 0), line;

  while (kymo_node_next_line (&rest, &line))
    {
      KymoNodeWord key;

      if (!kymo_node_word_begins (line, "PRETTY_NAME=") || !kymo_node_next_field (&line, '=', &key))
        continue;
      if (line.length >= 2 && line.at[0] == '"')
        line = kymo_node_word (line.at + 1, line.length - 2);
      kymo_env_ini_word (ini, "os", line);
      return;
    }
}

static void
put_boot (KymoEnvIni *ini, const char *root)
{
  char line[KYMO_ENV_TEXT_BYTES];
  KymoNodeWord rest, word;
  ssize_t length = kymo_node_read_line (root, "/proc/cmdline", line, sizeof line);

  kymo_env_ini_list (ini, "boot");
  rest = kymo_node_word (line, length > 0 ? (size_t) length : 0);
  while (kymo_node_next_word (&rest, &word))
    kymo_env_ini_item_word (ini, word);
  kymo_env_ini_end_list (ini);
}

static void
put_system (KymoEnvIni *ini, const char *root, KymoNodeWord cpuinfo)
{
  struct utsname names;
  KymoNodeWord flags = value_of (cpuinfo, "flags"), flag;

  kymo_env_ini_group (ini, "System", NULL);
  put_file (ini, "host", root, "/proc/sys/kernel/hostname");
  put_os (ini, root);
  put_file (ini, "kernel", root, "/proc/sys/kernel/osrelease");
  put_file (ini, "kernel-version", root, "/proc/sys/kernel/version");
  if (uname (&names) == 0)
    kymo_env_ini_text (ini, "architecture", names.machine);
  kymo_env_ini_printf (ini, "libc", "glibc %s", gnu_get_libc_version ());
  put_boot (ini, root);
  put_file (ini, "clocksource", root,
            "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  while (kymo_node_next_word (&flags, &flag))
    if (kymo_node_word_is (flag, "hypervisor"))
      {
        char vendor[256];

        if (kymo_node_read_line (root, "/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor) <= 0)
          strcpy (vendor, "yes");
        kymo_env_ini_text (ini, "hypervisor", vendor);
        return;
      }
}

/* A walk over a list as `0-3,8`. */
typedef struct
{
  const char *rest;
  long next, last;              /* of the range that the walk is in */
} Walk;

static Walk
walk_of (const char *list)
{
  return (Walk) { list, 0, -1 };
}

/* The next number of a list, or -1. */
static long
next_of_walk (Walk *walk)
{
  char *end;

  if (walk->next <= walk->last)
    return walk->next++;
  if (*walk->rest < '0' || *walk->rest > '9')
    return -1;
  walk->next = walk->last = strtol (walk->rest, &end, 10);
  if (*end == '-')
    walk->last = strtol (end + 1, &end, 10);
  walk->rest = *end == ',' ? end + 1 : "";
  if (walk->last > MOST_PROCESSORS || walk->last < walk->next)
    walk->last = walk->next;
  return walk->next++;
}

/* Whether @cpu is the first of the processors in the list of a file of its topology. */
static bool
is_first (const char *root, long cpu, const char *file)
{
  char path[256], list[4096];

  snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%ld/topology/%s", cpu, file);
  return kymo_node_read_line (root, path, list, sizeof list) > 0 && strtol (list, NULL, 10) == cpu;
}

typedef struct
{
  char texts[MOST_DIFFERENT][64];
  unsigned n;
} Different;

/* Adds the line of a file of a processor unless it is known. */
static void
add_different (Different *different, const char *root, long cpu, const char *file)
{
  char path[256], line[64];

  snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cpufreq/%s", cpu, file);
  if (kymo_node_read_line (root, path, line, sizeof line) <= 0)
    return;
  for (unsigned i = 0; i < different->n; i++)
    if (strcmp (different->texts[i], line) == 0)
      return;
  if (different->n < MOST_DIFFERENT)
    strcpy (different->texts[different->n++], line);
}

static void
put_different (KymoEnvIni *ini, const char *key, const Different *different)
{
  kymo_env_ini_list (ini, key);
  for (unsigned i = 0; i < different->n; i++)
    kymo_env_ini_item (ini, different->texts[i]);
  kymo_env_ini_end_list (ini);
}

static void
put_topology (KymoEnvIni *ini, const char *root)
{
  char online[4096];
  Walk walk = walk_of (online);
  unsigned threads = 0, cores = 0, sockets = 0;
  Different governors = { .n = 0 }, drivers = { .n = 0 };
  long cpu;

  if (kymo_node_read_line (root, "/sys/devices/system/cpu/online", online, sizeof online) <= 0)
    return;
  while ((cpu = next_of_walk (&walk)) >= 0)
    {
      threads++;
      cores += is_first (root, cpu, "thread_siblings_list");
      sockets += is_first (root, cpu, "core_siblings_list");
      add_different (&governors, root, cpu, "scaling_governor");
      add_different (&drivers, root, cpu, "scaling_driver");
    }
  kymo_env_ini_printf (ini, "threads", "%u", threads);
  if (cores > 0)
    kymo_env_ini_printf (ini, "cores", "%u", cores);
  if (sockets > 0)
    kymo_env_ini_printf (ini, "sockets", "%u", sockets);
  put_file (ini, "smt", root, "/sys/devices/system/cpu/smt/control");
  put_different (ini, "governor", &governors);
  put_different (ini, "driver", &drivers);
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (a, b);
}

static void
put_mitigations (KymoEnvIni *ini, const char *root)
{
  char path[512], state[256], names[64][64];
  size_t n = 0;
  DIR *folder;
  struct dirent *entry;

  snprintf (path, sizeof path, "%s/sys/devices/system/cpu/vulnerabilities", root);
  folder = opendir (path);
  while (folder != NULL && n < 64 && (entry = readdir (folder)) != NULL)
    if (entry->d_name[0] != '.' && strlen (entry->d_name) < sizeof names[0])
      strcpy (names[n++], entry->d_name);
  if (folder != NULL)
    closedir (folder);
  qsort (names, n, sizeof names[0], compare_names);
  kymo_env_ini_list (ini, "mitigations");
  for (size_t i = 0; i < n; i++)
    {
      char item[512];

      snprintf (path, sizeof path, "/sys/devices/system/cpu/vulnerabilities/%s", names[i]);
      if (kymo_node_read_line (root, path, state, sizeof state) <= 0)
        continue;
      snprintf (item, sizeof item, "%s: %s", names[i], state);
      kymo_env_ini_item (ini, item);
    }
  kymo_env_ini_end_list (ini);
}

static void
put_processor (KymoEnvIni *ini, const char *root, KymoNodeWord cpuinfo)
{
  kymo_env_ini_group (ini, "Processor", NULL);
  kymo_env_ini_word (ini, "model", value_of (cpuinfo, "model name"));
  kymo_env_ini_word (ini, "vendor", value_of (cpuinfo, "vendor_id"));
  kymo_env_ini_word (ini, "microcode", value_of (cpuinfo, "microcode"));
  put_topology (ini, root);
  put_file (ini, "minimum-khz", root, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq");
  put_file (ini, "maximum-khz", root, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  put_mitigations (ini, root);
}

static void
put_memory (KymoEnvIni *ini, const char *root)
{
  char bytes[8192], line[256];
  ssize_t length = kymo_node_read (root, "/proc/meminfo", bytes, sizeof bytes);
  KymoNodeWord meminfo = kymo_node_word (bytes, length > 0 ? (size_t) length : 0), word;
  uint64_t number;

  kymo_env_ini_group (ini, "Memory", NULL);
  if (number_of (meminfo, "MemTotal", &number))
    kymo_env_ini_printf (ini, "bytes", "%llu", (unsigned long long) number * 1024);
  if (number_of (meminfo, "SwapTotal", &number))
    kymo_env_ini_printf (ini, "swap-bytes", "%llu", (unsigned long long) number * 1024);
  if (number_of (meminfo, "HugePages_Total", &number))
    kymo_env_ini_printf (ini, "huge-pages", "%llu", (unsigned long long) number);
  if (number_of (meminfo, "Hugepagesize", &number))
    kymo_env_ini_printf (ini, "huge-page-bytes", "%llu", (unsigned long long) number * 1024);
  length = kymo_node_read_line (root, "/sys/kernel/mm/transparent_hugepage/enabled", line,
                               sizeof line);
  for (KymoNodeWord rest = kymo_node_word (line, length > 0 ? (size_t) length : 0);
       kymo_node_next_word (&rest, &word);)
    if (word.length > 2 && word.at[0] == '[')
      kymo_env_ini_word (ini, "transparent-huge-pages",
                         kymo_node_word (word.at + 1, word.length - 2));
  put_file (ini, "overcommit", root, "/proc/sys/vm/overcommit_memory");
}

/* The memory of a node, from a line `Node 0 MemTotal: 123 kB`. */
static uint64_t
bytes_of_node (const char *root, long node)
{
  char path[256], bytes[8192];
  KymoNodeWord rest, line;
  ssize_t length;

  snprintf (path, sizeof path, "/sys/devices/system/node/node%ld/meminfo", node);
  length = kymo_node_read (root, path, bytes, sizeof bytes);
  rest = kymo_node_word (bytes, length > 0 ? (size_t) length : 0);
  while (kymo_node_next_line (&rest, &line))
    {
      KymoNodeWord words[4];
      uint64_t number;
      int n = 0;

      while (n < 4 && kymo_node_next_word (&line, &words[n]))
        n++;
      if (n == 4 && kymo_node_word_is (words[2], "MemTotal:")
          && kymo_node_number (words[3], &number))
        return number * 1024;
    }
  return 0;
}

static void
put_numa (KymoEnvIni *ini, const char *root)
{
  char online[4096], path[256], cpus[4096], key[32], number[32];
  Walk walk = walk_of (online);
  unsigned n = 0;
  long nodes[1024], node;

  if (kymo_node_read_line (root, "/sys/devices/system/node/online", online, sizeof online) <= 0)
    return;
  while (n < 1024 && (node = next_of_walk (&walk)) >= 0)
    nodes[n++] = node;
  kymo_env_ini_group (ini, "NUMA", NULL);
  kymo_env_ini_printf (ini, "nodes", "%u", n);
  for (unsigned i = 0; i < n; i++)
    {
      snprintf (path, sizeof path, "/sys/devices/system/node/node%ld/cpulist", nodes[i]);
      kymo_node_read_line (root, path, cpus, sizeof cpus);
      snprintf (key, sizeof key, "node%ld", nodes[i]);
      snprintf (number, sizeof number, "%llu", (unsigned long long) bytes_of_node (root, nodes[i]));
      kymo_env_ini_list (ini, key);
      kymo_env_ini_item (ini, cpus);
      kymo_env_ini_item (ini, number);
      kymo_env_ini_end_list (ini);
    }
}

/** kymo_env_machine: writes the groups System, Processor, Memory and NUMA of this node. */
void
kymo_env_machine (KymoEnvIni *ini, const char *root)
{
  char bytes[16384];
  ssize_t length = kymo_node_read (root, "/proc/cpuinfo", bytes, sizeof bytes);
  KymoNodeWord cpuinfo = kymo_node_word (bytes, length > 0 ? (size_t) length : 0);

  put_system (ini, root, cpuinfo);
  put_processor (ini, root, cpuinfo);
  put_memory (ini, root);
  put_numa (ini, root);
}

/* File systems that keep no files of a person. */
static bool
is_pseudo (KymoNodeWord type)
{
  static const char *const types[] = {
    "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts",
    "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore", "ramfs",
    "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs",
  };

  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (kymo_node_word_is (type, types[i]))
      return true;
  return false;
}

/* Undoes \040 and its like. */
static void
unescape_mount (KymoNodeWord word, char *text, size_t size)
{
  size_t length = 0;

  for (size_t i = 0; i < word.length && length + 1 < size; i++)
    {
      const char *at = word.at + i;

      if (at[0] == '\\' && word.length - i > 3 && at[1] >= '0' && at[1] < '4' && at[2] >= '0'
          && at[2] < '8' && at[3] >= '0' && at[3] < '8')
        {
          text[length++] = (char) ((at[1] - '0') * 64 + (at[2] - '0') * 8 + at[3] - '0');
          i += 3;
        }
      else
        text[length++] = at[0];
    }
  text[length] = '\0';
}

/* A line of /proc/self/mountinfo: 36 35 98:0 /root /point options shared:1 - type source options */
static void
put_mount (KymoEnvIni *ini, KymoNodeWord line)
{
  KymoNodeWord words[6], word, type, source, options;
  char point[KYMO_ENV_TEXT_BYTES], text[KYMO_ENV_TEXT_BYTES];
  int n = 0;

  while (n < 6 && kymo_node_next_word (&line, &words[n]))
    n++;
  while (kymo_node_next_word (&line, &word) && !kymo_node_word_is (word, "-"))
    ;
  if (n < 6 || !kymo_node_next_word (&line, &type) || !kymo_node_next_word (&line, &source)
      || is_pseudo (type))
    return;
  if (!kymo_node_next_word (&line, &options))
    options = words[5];
  unescape_mount (words[4], point, sizeof point);
  kymo_env_ini_list (ini, point);
  kymo_env_ini_item_word (ini, type);
  unescape_mount (source, text, sizeof text);
  kymo_env_ini_item (ini, text);
  snprintf (text, sizeof text, "%.*s,%.*s", (int) words[5].length, words[5].at,
            (int) options.length, options.at);
  kymo_env_ini_item (ini, text);
  kymo_env_ini_end_list (ini);
}

/** kymo_env_mounts: writes the group Mounts of this process's name space. */
void
kymo_env_mounts (KymoEnvIni *ini, const char *root)
{
  static char bytes[128 << 10];
  ssize_t length = kymo_node_read (root, "/proc/self/mountinfo", bytes, sizeof bytes);
  KymoNodeWord rest = kymo_node_word (bytes, length > 0 ? (size_t) length : 0), line;

  kymo_env_ini_group (ini, "Mounts", NULL);
  for (int n = 0; n < 256 && kymo_node_next_line (&rest, &line); n++)
    put_mount (ini, line);
}
