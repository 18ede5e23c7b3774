/* kymo-node-file.h: files of the kernel that are read again and again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every path stands behind a root, which is "" but in tests. Descriptors are
 * closed on exec and have high numbers, since programs may expect low ones from
 * open (). A program may close descriptors that it did not open and get their
 * numbers for files of its own; this is noticed, and its file is left alone.
 *
 * A file belongs to one thread.
 */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct
{
  int fd;                       /* -1: not open */
  dev_t device;
  ino_t inode;
} KymoNodeFile;

#define KYMO_NODE_NO_FILE ((KymoNodeFile) { .fd = -1 })

bool kymo_node_file_open (KymoNodeFile *file, const char *root, const char *path);
ssize_t kymo_node_file_read (const KymoNodeFile *file, char *data, size_t size);
void kymo_node_file_close (KymoNodeFile *file);
ssize_t kymo_node_read (const char *root, const char *path, char *data, size_t size);
ssize_t kymo_node_read_line (const char *root, const char *path, char *line, size_t size);
