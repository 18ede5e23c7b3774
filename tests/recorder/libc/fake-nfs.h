/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

struct nfs_context;
struct nfsfh;

int nfs_open  (struct nfs_context *nfs,
               const char         *path,
               int                 flags,
               struct nfsfh      **file);
int nfs_close (struct nfs_context *nfs,
               struct nfsfh       *file);
int nfs_write (struct nfs_context *nfs,
               struct nfsfh       *file,
               uint64_t            count,
               const void         *bytes);
int nfs_read  (struct nfs_context *nfs,
               struct nfsfh       *file,
               uint64_t            count,
               void               *bytes);
int nfs_lseek (struct nfs_context *nfs,
               struct nfsfh       *file,
               int64_t             offset,
               int                 whence,
               uint64_t           *now);
int nfs_fsync (struct nfs_context *nfs,
               struct nfsfh       *file);
int nfs_unlink (struct nfs_context *nfs,
                const char         *path);
