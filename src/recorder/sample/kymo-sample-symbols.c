/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules are only ever added, and their tables stay, so nobody has to wait for anybody. A file
 * whose tables make no sense has no functions; what is in it then bears the name of the file.
 */
#include "kymo-sample-symbols.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <string.h>

#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define MOST_MODULES 512
#define MOST_SYMBOLS (4u << 20)
#define MOST_NAME 200

/* What a symbol has instead of a region. */
enum { UNKNOWN = 0, WANTED = 1, FIRST = 2 };

typedef struct
{
  uintptr_t begin;
  size_t n_bytes;               /* 0: up to the next one */
  const char *name;
} Symbol;

typedef struct
{
  uintptr_t begin, end;
  bool is_ours;
  Symbol *symbols;              /* by address */
  uint32_t n;
  _Atomic uint32_t *regions;    /* of each symbol, and of what lies between them */
  char name[MOST_NAME];         /* of the file */
} Module;

static Module modules[MOST_MODULES];
static _Atomic uint32_t n_modules;

/* -- finding ------------------------------------------------------------------ */

static const Module *
find_module (uintptr_t at)
{
  uint32_t n = atomic_load_explicit (&n_modules, memory_order_acquire);

  for (uint32_t i = 0; i < n; i++)
    if (at >= modules[i].begin && at < modules[i].end)
      return &modules[i];
  return NULL;
}

/* Number of the symbol that an address is in; that behind the last one if it is in none. */
static uint32_t
find_symbol (const Module *module,
             uintptr_t     at)
{
  uint32_t low = 0, high = module->n;

  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (module->symbols[middle].begin <= at)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return module->n;
  const Symbol *symbol = &module->symbols[low - 1];
  return symbol->n_bytes == 0 || at - symbol->begin < symbol->n_bytes ? low - 1 : module->n;
}

/**
 * kymo_sample_find: which region an address of code is in. In a signal handler.
 * @is_wanted: (out): kymo_sample_look() or kymo_sample_define() has something to do that it had not
 *   before
 *
 * Returns: the region, or KYMO_SAMPLE_NO_REGION, KYMO_SAMPLE_LATER or KYMO_SAMPLE_OURS
 */
uint32_t
kymo_sample_find (uintptr_t  at,
                  bool      *is_wanted)
{
  const Module *module = find_module (at);

  *is_wanted = module == NULL;
  if (module == NULL)
    return KYMO_SAMPLE_NO_REGION;
  if (module->is_ours)
    return KYMO_SAMPLE_OURS;
  _Atomic uint32_t *region = &module->regions[find_symbol (module, at)];
  uint32_t value = atomic_load_explicit (region, memory_order_relaxed);
  if (value >= FIRST)
    return value == UINT32_MAX ? KYMO_SAMPLE_NO_REGION : value - FIRST;
  *is_wanted = value == UNKNOWN;
  atomic_store_explicit (region, WANTED, memory_order_relaxed);
  return KYMO_SAMPLE_LATER;
}

/**
 * kymo_sample_define: defines regions for the functions that were found. On the helper thread of
 * core.
 */
void
kymo_sample_define (void)
{
  uint32_t n = atomic_load (&n_modules);

  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; modules[i].regions != NULL && k <= modules[i].n; k++)
      if (atomic_load_explicit (&modules[i].regions[k], memory_order_relaxed) == WANTED)
        {
          const char *name = k < modules[i].n ? modules[i].symbols[k].name : modules[i].name;
          uint32_t region = kymo_rec_region (name, OTF2_REGION_ROLE_FUNCTION,
                                             OTF2_PARADIGM_SAMPLING, NULL, 0);
          atomic_store (&modules[i].regions[k],
                        region < UINT32_MAX - FIRST ? region + FIRST : UINT32_MAX);
        }
}

/* -- symbol tables ------------------------------------------------------------ */

static void
sift (Symbol *symbols,
      size_t  at,
      size_t  n)
{
  for (size_t child; (child = 2 * at + 1) < n; at = child)
    {
      if (child + 1 < n && symbols[child + 1].begin > symbols[child].begin)
        child++;
      if (symbols[at].begin >= symbols[child].begin)
        return;
      Symbol kept = symbols[at];
      symbols[at] = symbols[child];
      symbols[child] = kept;
    }
}

/* Without qsort(), which may take memory of the program's. */
static void
sort_symbols (Symbol *symbols,
              size_t  n)
{
  for (size_t i = n / 2; i-- > 0;)
    sift (symbols, i, n);
  for (size_t i = n; i-- > 1;)
    {
      Symbol kept = symbols[0];
      symbols[0] = symbols[i];
      symbols[i] = kept;
      sift (symbols, 0, i);
    }
}

static bool
lies_in (uint64_t at,
         uint64_t n_bytes,
         size_t   size)
{
  return at <= size && n_bytes <= size - at;
}

static bool
is_function (const ElfW (Sym) *symbol,
             const char       *texts,
             size_t            n_texts)
{
  return ELF64_ST_TYPE (symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF
         && symbol->st_value != 0 && symbol->st_name < n_texts && texts[symbol->st_name] != '\0';
}

static void
take_symbols (Module            *module,
              uintptr_t          base,
              const ElfW (Sym)  *table,
              size_t             n,
              const char        *texts,
              size_t             n_texts)
{
  size_t n_kept = 0;

  if (n > MOST_SYMBOLS || n_texts == 0 || texts[n_texts - 1] != '\0')
    return;
  for (size_t i = 0; i < n; i++)
    n_kept += is_function (&table[i], texts, n_texts);
  Symbol *symbols = n_kept > 0 ? kymo_sys_map (n_kept * sizeof *symbols,
                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;
  if (symbols == NULL)
    return;
  module->symbols = symbols;
  for (size_t i = 0; i < n; i++)
    if (is_function (&table[i], texts, n_texts))
      symbols[module->n++] = (Symbol) { base + table[i].st_value, table[i].st_size,
                                        texts + table[i].st_name };
  sort_symbols (symbols, module->n);
}

/* The full table if there is one, or else that of the loader. Names stay in the mapped file. */
static void
read_tables (Module        *module,
             uintptr_t      base,
             const uint8_t *file,
             size_t         size)
{
  const ElfW (Ehdr) *head = (const void *) file;
  const ElfW (Shdr) *sections = (const void *) (file + head->e_shoff), *best = NULL;

  if (memcmp (head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shentsize != sizeof *sections
      || head->e_shoff % _Alignof (ElfW (Shdr)) != 0
      || !lies_in (head->e_shoff, (uint64_t) head->e_shnum * sizeof *sections, size))
    return;
  for (unsigned i = 0; i < head->e_shnum; i++)
    if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && best == NULL))
      best = &sections[i];
  if (best == NULL || best->sh_link >= head->e_shnum || best->sh_entsize != sizeof (ElfW (Sym))
      || best->sh_offset % _Alignof (ElfW (Sym)) != 0
      || !lies_in (best->sh_offset, best->sh_size, size))
    return;
  const ElfW (Shdr) *texts = &sections[best->sh_link];
  if (lies_in (texts->sh_offset, texts->sh_size, size))
    take_symbols (module, base, (const void *) (file + best->sh_offset),
                  best->sh_size / sizeof (ElfW (Sym)), (const char *) file + texts->sh_offset,
                  texts->sh_size);
}

static void
read_module (Module     *module,
             uintptr_t   base,
             const char *path)
{
  struct stat facts;
  int fd = kymo_sys_open (path, O_RDONLY, 0);
  const char *slash = strrchr (path, '/');

  snprintf (module->name, sizeof module->name, "%s", slash != NULL ? slash + 1 : path);
  if (fd >= 0 && kymo_sys_stat_fd (fd, &facts) && facts.st_size > (long) sizeof (ElfW (Ehdr)))
    {
      const uint8_t *file = kymo_sys_map ((size_t) facts.st_size, MAP_PRIVATE, fd, 0);
      if (file != NULL)
        read_tables (module, base, file, (size_t) facts.st_size);
      if (file != NULL && module->symbols == NULL)
        kymo_sys_unmap ((void *) file, (size_t) facts.st_size);
    }
  if (fd >= 0)
    kymo_sys_close (fd);
  module->regions = kymo_sys_map (((size_t) module->n + 1) * sizeof *module->regions,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Where code of a module lies. */
static bool
find_code (const struct dl_phdr_info *info,
           uintptr_t                 *begin,
           uintptr_t                 *end)
{
  *begin = UINTPTR_MAX;
  *end = 0;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *part = &info->dlpi_phdr[i];
      uintptr_t from = info->dlpi_addr + part->p_vaddr;
      if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0)
        continue;
      *begin = from < *begin ? from : *begin;
      *end = from + part->p_memsz > *end ? from + part->p_memsz : *end;
    }
  return *end > *begin;
}

static int
add_module (struct dl_phdr_info *info,
            size_t               n_bytes,
            void                *data)
{
  uint32_t n = atomic_load (&n_modules);
  uintptr_t begin, end, ours = (uintptr_t) kymo_sample_find;

  if (n == MOST_MODULES || !find_code (info, &begin, &end))
    return n == MOST_MODULES;
  for (uint32_t i = 0; i < n; i++)
    if (modules[i].begin == begin && modules[i].end == end)
      return 0;
  Module *module = &modules[n];
  *module = (Module) { .begin = begin, .end = end, .is_ours = ours >= begin && ours < end };
  /* The program itself has no name; the kernel's own page has no file. */
  char self[PATH_MAX];
  long n_read = info->dlpi_name == NULL || info->dlpi_name[0] == '\0'
                ? syscall (SYS_readlinkat, AT_FDCWD, "/proc/self/exe", self, sizeof self - 1) : 0;
  self[n_read > 0 ? n_read : 0] = '\0';
  read_module (module, info->dlpi_addr, n_read > 0 ? self : info->dlpi_name);
  if (module->regions != NULL)
    atomic_store_explicit (&n_modules, n + 1, memory_order_release);
  return 0;
}

/**
 * kymo_sample_look: reads the tables of modules that are new. On the helper thread of core.
 */
void
kymo_sample_look (void)
{
  dl_iterate_phdr (add_module, NULL);
}
