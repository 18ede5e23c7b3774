/* kymo-symbol.c: names of functions by addresses, from symbol tables of files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "kymo-symbol.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "kymo-rec-sys.h"

#define MOST_LOOKED_AT 100000000u

typedef struct
{
  char path[KYMO_SYS_MOST_PATH];
  char *bytes;
  size_t n_bytes;
  const ElfW (Sym) *symbols;
  size_t n_symbols;
  const char *names;
  size_t n_names;
} File;

static File file;
static uint64_t n_looked_at;

/* What @n_bytes at @offset of the file are, or NULL if it is shorter. */
static const void *
part_of (uint64_t offset, uint64_t n_bytes)
{
  if (offset > file.n_bytes || n_bytes > file.n_bytes - offset || offset % sizeof (void *) != 0)
    return NULL;
  return file.bytes + offset;
}

static bool
map_file (const char *path)
{
  int fd = kymo_sys_open (path, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0);
  long n_bytes = fd >= 0 ? syscall (SYS_lseek, fd, 0, SEEK_END) : -1;

  if (n_bytes > 0)
    {
      file.bytes = (void *) syscall (SYS_mmap, NULL, n_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
      file.n_bytes = (size_t) n_bytes;
    }
  if (file.bytes == MAP_FAILED)
    file.bytes = NULL;
  if (fd >= 0)
    kymo_sys_close (fd);
  return file.bytes != NULL;
}

/* The table of all symbols if there is one, else that of those which are exported. */
static void
find_symbols (void)
{
  const ElfW (Ehdr) *head = part_of (0, sizeof *head);
  const ElfW (Shdr) *sections, *found = NULL;

  if (head == NULL || memcmp (head->e_ident, ELFMAG, SELFMAG) != 0
      || head->e_ident[EI_CLASS] != (sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32)
      || head->e_shentsize != sizeof *sections)
    return;
  sections = part_of (head->e_shoff, (uint64_t) head->e_shnum * sizeof *sections);
  for (unsigned i = 0; sections != NULL && i < head->e_shnum; i++)
    if (sections[i].sh_link < head->e_shnum
        && (sections[i].sh_type == SHT_SYMTAB
            || (sections[i].sh_type == SHT_DYNSYM && found == NULL)))
      found = &sections[i];
  if (found == NULL)
    return;
  file.symbols = part_of (found->sh_offset, found->sh_size);
  file.n_symbols = file.symbols != NULL ? found->sh_size / sizeof *file.symbols : 0;
  found = &sections[found->sh_link];
  if (found->sh_offset > file.n_bytes || found->sh_size > file.n_bytes - found->sh_offset)
    file.n_symbols = 0;
  file.names = file.bytes + found->sh_offset;
  file.n_names = found->sh_size;
}

/* A name that is no text is none. */
static bool
copy_name (const ElfW (Sym) *symbol, char *name, size_t size)
{
  size_t n;

  if (symbol->st_name >= file.n_names)
    return false;
  n = strnlen (file.names + symbol->st_name, file.n_names - symbol->st_name);
  n = n < size ? n : size - 1;
  memcpy (name, file.names + symbol->st_name, n);
  name[n] = '\0';
  for (size_t i = 0; i < n; i++)
    if ((unsigned char) name[i] <= ' ' || (unsigned char) name[i] > '~')
      return false;
  return n > 0;
}

/** kymo_symbol_find: the function of the file @path that contains @address, which counts from
 * where the file is loaded; copied into @name of @size bytes.
 * Returns: false if it is not known */
bool
kymo_symbol_find (const char *path, uint64_t address, char *name, size_t size)
{
  if (strcmp (path, file.path) != 0)
    {
      kymo_symbol_end ();
      if (strlen (path) >= sizeof file.path)
        return false;
      memcpy (file.path, path, strlen (path) + 1);
      if (map_file (path))
        find_symbols ();
    }
  if (n_looked_at + file.n_symbols > MOST_LOOKED_AT)
    return false;
  n_looked_at += file.n_symbols;
  for (size_t i = 0; i < file.n_symbols; i++)
    {
      const ElfW (Sym) *symbol = &file.symbols[i];

      if ((symbol->st_info & 0xf) == STT_FUNC && symbol->st_shndx != SHN_UNDEF
          && symbol->st_value <= address && address - symbol->st_value < symbol->st_size)
        return copy_name (symbol, name, size);
    }
  return false;
}

/** kymo_symbol_end: lets go of the file that is mapped. */
void
kymo_symbol_end (void)
{
  if (file.bytes != NULL)
    kymo_sys_unmap (file.bytes, file.n_bytes);
  file = (File) { .path = "" };
}
