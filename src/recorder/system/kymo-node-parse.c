/* kymo-node-parse.c: finds values in the bytes of files of the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "kymo-node-form.h"

#define MOST_COLUMNS 40

/* Writes a value in the member's unit; what has more than 64 bits then is the largest number. */
static void
set_value (const KymoNodeForm *form, KymoNodeValues *values, unsigned member, uint64_t number)
{
  if (__builtin_mul_overflow (number, (uint64_t) form->members[member].factor, &number))
    number = UINT64_MAX;
  values->values[member] = number;
  values->present |= 1u << member;
}

static void
add_value (const KymoNodeForm *form, KymoNodeValues *values, unsigned member, uint64_t number)
{
  uint64_t before = values->values[member];

  set_value (form, values, member, number);
  if (__builtin_add_overflow (before, values->values[member], &values->values[member]))
    values->values[member] = UINT64_MAX;
}

/* Takes what stands in the columns of the members that have no key. */
static void
take_columns (const KymoNodeForm *form, const KymoNodeWord *words, unsigned n,
              KymoNodeValues *values)
{
  for (unsigned i = 0; i < form->n_members; i++)
    {
      const KymoNodeMember *member = &form->members[i];
      uint64_t number;

      if (member->key == NULL && member->column < n
          && kymo_node_number (words[member->column], &number))
        set_value (form, values, i, number);
    }
}

static unsigned
split_words (KymoNodeWord line, KymoNodeWord *words)
{
  unsigned n = 0;

  while (n < MOST_COLUMNS && kymo_node_next_word (&line, &words[n]))
    n++;
  return n;
}

static void
tell_found (const KymoNodeValues *values, KymoNodeWord resource, KymoNodeFound found, void *data)
{
  if (values->present != 0)
    found (resource, values, data);
}

typedef void (*TakeWords) (const KymoNodeForm *form, KymoNodeWord *words, unsigned n,
                           KymoNodeValues *values);

/* Takes values from the words of each line, and tells all of them together. */
static void
take_lines (const KymoNodeForm *form, KymoNodeWord bytes, TakeWords take_words,
            KymoNodeFound found, void *data)
{
  KymoNodeValues values = { .present = 0 };
  KymoNodeWord line;

  while (kymo_node_next_line (&bytes, &line))
    {
      KymoNodeWord words[MOST_COLUMNS];

      take_words (form, words, split_words (line, words), &values);
    }
  tell_found (&values, kymo_node_word ("", 0), found, data);
}

static void
take_keyed (const KymoNodeForm *form, KymoNodeWord *words, unsigned n, KymoNodeValues *values)
{
  if (n < 2)
    return;
  if (words[0].at[words[0].length - 1] == ':')
    words[0].length--;
  for (unsigned i = 0; i < form->n_members; i++)
    {
      unsigned column = form->members[i].column + 1;
      uint64_t number;

      if (kymo_node_word_is (words[0], form->members[i].key) && column < n
          && kymo_node_number (words[column], &number))
        set_value (form, values, i, number);
    }
}

/** kymo_node_parse_keyed: lines of a key, perhaps a colon, and values: /proc/meminfo, /proc/vmstat,
 * /proc/stat, cpu.stat, /proc/PID/io. */
void
kymo_node_parse_keyed (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                       void *data)
{
  take_lines (form, bytes, take_keyed, found, data);
}

/** kymo_node_parse_numbers: a line of numbers: memory.current, /proc/PID/schedstat. */
void
kymo_node_parse_numbers (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                         void *data)
{
  KymoNodeValues values = { .present = 0 };
  KymoNodeWord words[MOST_COLUMNS], line;

  if (kymo_node_next_line (&bytes, &line))
    take_columns (form, words, split_words (line, words), &values);
  tell_found (&values, kymo_node_word ("", 0), found, data);
}

static void
take_pressure (const KymoNodeForm *form, KymoNodeWord *words, unsigned n, KymoNodeValues *values)
{
  for (unsigned word = 1; word < n; word++)
    {
      KymoNodeWord total = words[word];
      uint64_t number;

      if (kymo_node_word_begins (total, "total=")
          && kymo_node_number (kymo_node_word (total.at + 6, total.length - 6), &number))
        for (unsigned i = 0; i < form->n_members; i++)
          if (kymo_node_word_is (words[0], form->members[i].key))
            set_value (form, values, i, number);
    }
}

/** kymo_node_parse_pressure: lines `some avg10=0.00 avg60=0.00 avg300=0.00 total=0`. */
void
kymo_node_parse_pressure (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                          void *data)
{
  take_lines (form, bytes, take_pressure, found, data);
}

/* The number behind `key=` or the word `key`, whichever the words at @at are. */
static bool
number_behind (const KymoNodeWord *words, unsigned n, unsigned at, const char *key,
               uint64_t *number)
{
  size_t length = strlen (key);

  if (kymo_node_word_is (words[at], key))
    return at + 1 < n && kymo_node_number (words[at + 1], number);
  return kymo_node_word_begins (words[at], key) && words[at].length > length
         && words[at].at[length] == '='
         && kymo_node_number (kymo_node_word (words[at].at + length + 1,
                                              words[at].length - length - 1), number);
}

static void
take_device (const KymoNodeForm *form, KymoNodeWord *words, unsigned n, KymoNodeValues *values)
{
  uint64_t number;

  if (n < 2 || memchr (words[0].at, ':', words[0].length) == NULL)
    return;
  for (unsigned word = 1; word < n; word++)
    for (unsigned i = 0; i < form->n_members; i++)
      if (number_behind (words, n, word, form->members[i].key, &number))
        add_value (form, values, i, number);
}

/** kymo_node_parse_sums: lines of devices, whose values are added up: `8:0 rbytes=1 wbytes=2` of
 * io.stat, `8:0 Read 1` of blkio.throttle.io_service_bytes. */
void
kymo_node_parse_sums (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found, void *data)
{
  take_lines (form, bytes, take_device, found, data);
}

static void
take_pool (const KymoNodeForm *form, KymoNodeWord *words, unsigned n, KymoNodeValues *values)
{
  uint64_t number;

  if (n == 0 || !kymo_node_number (words[0], &number))
    return;
  for (unsigned i = 0; i < form->n_members; i++)
    if (form->members[i].column < n && kymo_node_number (words[form->members[i].column], &number))
      add_value (form, values, i, number);
}

/** kymo_node_parse_pools: a line of numbers for each pool, which are added up:
 * /proc/fs/nfsd/pool_stats. */
void
kymo_node_parse_pools (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                       void *data)
{
  take_lines (form, bytes, take_pool, found, data);
}

/* Whether @name is a partition of @disk: sda1 of sda, nvme0n1p2 of nvme0n1. */
static bool
is_partition (KymoNodeWord name, KymoNodeWord disk)
{
  size_t i = disk.length;

  if (disk.length == 0 || name.length <= disk.length || memcmp (name.at, disk.at, disk.length) != 0)
    return false;
  if (disk.at[disk.length - 1] >= '0' && disk.at[disk.length - 1] <= '9' && name.at[i++] != 'p')
    return false;
  while (i < name.length && name.at[i] >= '0' && name.at[i] <= '9')
    i++;
  return i == name.length;
}

/** kymo_node_parse_disks: /proc/diskstats, without partitions, which stand behind their disk. */
void
kymo_node_parse_disks (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                       void *data)
{
  KymoNodeWord line, disk = kymo_node_word ("", 0);

  while (kymo_node_next_line (&bytes, &line))
    {
      KymoNodeValues values = { .present = 0 };
      KymoNodeWord words[MOST_COLUMNS];
      unsigned n = split_words (line, words);

      if (n < 14 || is_partition (words[2], disk))
        continue;
      disk = words[2];
      take_columns (form, words, n, &values);
      tell_found (&values, disk, found, data);
    }
}

/** kymo_node_parse_network: /proc/net/dev. */
void
kymo_node_parse_network (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                         void *data)
{
  KymoNodeWord line, name;

  while (kymo_node_next_line (&bytes, &line))
    {
      KymoNodeValues values = { .present = 0 };
      KymoNodeWord words[MOST_COLUMNS];
      unsigned n;

      if (memchr (line.at, ':', line.length) == NULL || !kymo_node_next_field (&line, ':', &name))
        continue;
      n = split_words (line, words);
      while (name.length > 0 && name.at[0] == ' ')
        name = kymo_node_word (name.at + 1, name.length - 1);
      if (n < 16 || name.length == 0)
        continue;
      take_columns (form, words, n, &values);
      tell_found (&values, name, found, data);
    }
}

/** kymo_node_parse_process: /proc/PID/stat. The name of the program, in brackets, may hold
 * anything; columns are counted behind it. */
void
kymo_node_parse_process (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                         void *data)
{
  KymoNodeValues values = { .present = 0 };
  const char *end = bytes.length > 0 ? memrchr (bytes.at, ')', bytes.length) : NULL;
  KymoNodeWord words[MOST_COLUMNS], line;

  if (end == NULL)
    return;
  line = kymo_node_word (end + 1, bytes.length - (size_t) (end + 1 - bytes.at));
  take_columns (form, words, split_words (line, words), &values);
  tell_found (&values, kymo_node_word ("", 0), found, data);
}

/* `device SERVER:/PATH mounted on /POINT with fstype nfs4 statvers=1.1` */
static bool
is_nfs (const KymoNodeWord *words, unsigned n)
{
  for (unsigned i = 3; i + 1 < n; i++)
    if (kymo_node_word_is (words[i], "fstype"))
      return kymo_node_word_is (words[i + 1], "nfs") || kymo_node_word_is (words[i + 1], "nfs4");
  return false;
}

/* Adds the columns of the members of a line's key. Of operations that have no members of their own
 * those of the key "other" get the sum. */
static void
add_operation (const KymoNodeForm *form, const KymoNodeWord *words, unsigned n, bool operation,
               KymoNodeValues *values)
{
  KymoNodeWord name = kymo_node_word (words[0].at, words[0].length - 1);
  bool known = false;
  uint64_t number;

  for (unsigned i = 0; i < form->n_members; i++)
    known |= kymo_node_word_is (name, form->members[i].key);
  if (!known && !operation)
    return;
  if (!known)
    name = kymo_node_word ("other", 5);
  for (unsigned i = 0; i < form->n_members; i++)
    if (kymo_node_word_is (name, form->members[i].key) && form->members[i].column + 1 < n
        && kymo_node_number (words[form->members[i].column + 1], &number))
      add_value (form, values, i, number);
}

/** kymo_node_parse_mounts: the NFS mounts of /proc/PID/mountstats; the resource is the source of
 * the mount. */
void
kymo_node_parse_mounts (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                        void *data)
{
  KymoNodeValues values = { .present = 0 };
  KymoNodeWord line, source = kymo_node_word ("", 0);
  bool nfs = false, operations = false;

  while (kymo_node_next_line (&bytes, &line))
    {
      KymoNodeWord words[MOST_COLUMNS];
      unsigned n = split_words (line, words);

      if (n > 1 && kymo_node_word_is (words[0], "device"))
        {
          if (nfs)
            tell_found (&values, source, found, data);
          values = (KymoNodeValues) { .present = 0 };
          nfs = is_nfs (words, n);
          operations = false;
          source = words[1];
        }
      else if (nfs && n > 0 && kymo_node_word_is (words[0], "per-op"))
        operations = true;
      else if (nfs && n > 1 && words[0].length > 1 && words[0].at[words[0].length - 1] == ':')
        add_operation (form, words, n, operations, &values);
    }
  if (nfs)
    tell_found (&values, source, found, data);
}

/** kymo_node_parse_cpuinfo: lines `cpu MHz : 2400.000`: lowest, mean and highest. */
void
kymo_node_parse_cpuinfo (const KymoNodeForm *form, KymoNodeWord bytes, KymoNodeFound found,
                         void *data)
{
  KymoNodeValues values = { .present = 0 };
  uint64_t least = UINT64_MAX, most = 0, sum = 0, n = 0;
  KymoNodeWord line, key, word, whole;

  while (kymo_node_next_line (&bytes, &line))
    {
      uint64_t mhz;

      if (!kymo_node_word_begins (line, "cpu MHz") || !kymo_node_next_field (&line, ':', &key)
          || !kymo_node_next_word (&line, &word) || !kymo_node_next_field (&word, '.', &whole)
          || !kymo_node_number (whole, &mhz) || mhz > 1000000)
        continue;
      least = mhz < least ? mhz : least;
      most = mhz > most ? mhz : most;
      sum += mhz;
      n++;
    }
  if (n == 0)
    return;
  set_value (form, &values, 0, least);
  set_value (form, &values, 1, sum / n);
  set_value (form, &values, 2, most);
  tell_found (&values, kymo_node_word ("", 0), found, data);
}
