/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In programs that are linked statically, for machines with any C library. Modules of the machine
 * that they would load belong to another C library and another GLib, and would end them; so before
 * anything else they are told to load none. Only kymo-server and kymo-cli of build-aux/portable
 * have this file.
 */
#include "config.h"

#include <glib.h>
#include <nss.h>
#include <stdlib.h>

/* Users and machines are looked up in files and by the resolver of the C library alone. */
static void __attribute__ ((constructor))
load_nothing (void)
{
  __nss_configure_lookup ("passwd", "files");
  __nss_configure_lookup ("group", "files");
  __nss_configure_lookup ("hosts", "files dns");
  __nss_configure_lookup ("services", "files");
  setenv ("GIO_MODULE_DIR", "/nonexistent", 1);
}

/* -- libmount ---------------------------------------------------------------------------------- */

/* GIO's list of mounts is made with a library that is not there to be linked statically. Nothing
   here asks for that list; if anything does, there are no mounts. */
#define NO_MOUNT(name, value)   \
  gintptr name (void);          \
  gintptr                       \
  name (void)                   \
  {                             \
    return value;               \
  }

NO_MOUNT (mnt_free_iter, 0)
NO_MOUNT (mnt_free_table, 0)
NO_MOUNT (mnt_fs_get_fstype, 0)
NO_MOUNT (mnt_fs_get_options, 0)
NO_MOUNT (mnt_fs_get_root, 0)
NO_MOUNT (mnt_fs_get_source, 0)
NO_MOUNT (mnt_fs_get_target, 0)
NO_MOUNT (mnt_fs_strdup_options, 0)
NO_MOUNT (mnt_get_builtin_optmap, 0)
NO_MOUNT (mnt_get_fstab_path, (gintptr) "/nonexistent")
NO_MOUNT (mnt_has_regular_mtab, 0)
NO_MOUNT (mnt_new_iter, 0)
NO_MOUNT (mnt_new_table, 0)
NO_MOUNT (mnt_optstr_get_flags, -1)
NO_MOUNT (mnt_table_next_fs, 1)
NO_MOUNT (mnt_table_parse_fstab, -1)
NO_MOUNT (mnt_table_parse_mtab, -1)
