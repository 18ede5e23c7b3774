/* kymo-env-program.c: how a program was started, and what it is made of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-env-mask.h"
#include "kymo-environment.h"
#include "kymo-node-file.h"

#define MOST_ARGUMENT_BYTES (256 << 10)

/** kymo_env_build_id: writes the build id that the ELF notes of @length bytes at @notes hold to @id
 * in hexadecimal, at most @size bytes with the end.
 * Returns: false if there is none or it does not fit. */
bool
kymo_env_build_id (const void *notes, size_t length, char *id, size_t size)
{
  const char *at = notes;
  ElfW (Nhdr) note;

  while (length >= sizeof note)
    {
      size_t name, content;

      memcpy (&note, at, sizeof note);
      name = ((size_t) note.n_namesz + 3) & ~(size_t) 3;
      content = ((size_t) note.n_descsz + 3) & ~(size_t) 3;
      if (name > length - sizeof note || content > length - sizeof note - name)
        return false;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4
          && memcmp (at + sizeof note, "GNU", 4) == 0 && note.n_descsz > 0
          && 2 * (size_t) note.n_descsz < size)
        {
          for (size_t i = 0; i < note.n_descsz; i++)
            snprintf (id + 2 * i, 3, "%02x", (unsigned char) at[sizeof note + name + i]);
          return true;
        }
      at += sizeof note + name + content;
      length -= sizeof note + name + content;
    }
  return false;
}

/* The bytes of a section, or none if the file is too short for them. */
static KymoNodeWord
section_bytes (KymoNodeWord file, const ElfW (Shdr) *section)
{
  if (section->sh_type == SHT_NOBITS || section->sh_offset > file.length
      || section->sh_size > file.length - section->sh_offset)
    return kymo_node_word ("", 0);
  return kymo_node_word (file.at + section->sh_offset, section->sh_size);
}

static void
put_compiler (KymoEnvIni *ini, KymoNodeWord comment)
{
  KymoNodeWord text;

  kymo_env_ini_list (ini, "compiler");
  while (kymo_node_next_field (&comment, '\0', &text))
    if (text.length > 0)
      kymo_env_ini_item_word (ini, text);
  kymo_env_ini_end_list (ini);
}

/** kymo_env_executable: writes build id and compilers of the ELF file of @length bytes at @bytes,
 * as far as it has them. */
void
kymo_env_executable (KymoEnvIni *ini, const void *bytes, size_t length)
{
  KymoNodeWord file = kymo_node_word (bytes, length), names, comment = { "", 0 };
  ElfW (Ehdr) header;
  ElfW (Shdr) section;
  char id[2 * 64 + 1] = "";

  if (length < sizeof header)
    return;
  memcpy (&header, bytes, sizeof header);
  if (memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof section
      || header.e_shoff > length || header.e_shnum > (length - header.e_shoff) / sizeof section
      || header.e_shstrndx >= header.e_shnum)
    return;
  memcpy (&section, file.at + header.e_shoff + header.e_shstrndx * sizeof section, sizeof section);
  names = section_bytes (file, &section);
  for (unsigned i = 0; i < header.e_shnum; i++)
    {
      KymoNodeWord part;

      memcpy (&section, file.at + header.e_shoff + i * sizeof section, sizeof section);
      part = section_bytes (file, &section);
      if (section.sh_type == SHT_NOTE && id[0] == '\0')
        kymo_env_build_id (part.at, part.length, id, sizeof id);
      if (section.sh_name < names.length && names.length - section.sh_name >= sizeof ".comment"
          && memcmp (names.at + section.sh_name, ".comment", sizeof ".comment") == 0)
        comment = part;
    }
  kymo_env_ini_text (ini, "build-id", id);
  put_compiler (ini, comment);
}

/* Maps the executable of this process and writes what it tells. */
static void
put_executable (KymoEnvIni *ini)
{
  struct stat status;
  void *bytes = MAP_FAILED;
  int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);

  if (fd >= 0 && fstat (fd, &status) == 0 && status.st_size > 0)
    bytes = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0)
    close (fd);
  if (bytes == MAP_FAILED)
    return;
  kymo_env_executable (ini, bytes, (size_t) status.st_size);
  munmap (bytes, (size_t) status.st_size);
}

/** kymo_env_arguments: writes the arguments that @bytes holds, each with a zero behind it. What
 * stands behind an option of a secret name is hidden. */
void
kymo_env_arguments (KymoEnvIni *ini, KymoNodeWord bytes)
{
  KymoNodeWord text;
  bool hide = false;

  kymo_env_ini_list (ini, "arguments");
  while (kymo_node_next_field (&bytes, '\0', &text))
    {
      if (hide && !kymo_node_word_begins (text, "--"))
        kymo_env_ini_item (ini, KYMO_ENV_MASK);
      else
        kymo_env_ini_item_word (ini, text);
      hide = text.length > 1 && text.at[0] == '-' && memchr (text.at, '=', text.length) == NULL
             && kymo_env_is_secret (text);
    }
  kymo_env_ini_end_list (ini);
}

static void
put_arguments (KymoEnvIni *ini, const char *root)
{
  size_t size = MOST_ARGUMENT_BYTES;
  char *bytes = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ssize_t length;

  if (bytes == MAP_FAILED)
    return;
  length = kymo_node_read (root, "/proc/self/cmdline", bytes, size);
  kymo_env_arguments (ini, kymo_node_word (bytes, length > 0 ? (size_t) length : 0));
  munmap (bytes, size);
}

/* Who started the program, by the variables that each launcher sets. */
static const struct
{
  const char *variable;
  const char *name;
  const char *job;              /* the variable with the id of the job */
} launchers[] = {
  { "SLURM_STEP_ID", "Slurm", "SLURM_JOB_ID" },
  { "OMPI_COMM_WORLD_RANK", "Open MPI", "PMIX_NAMESPACE" },
  { "PMI_RANK", "MPICH", NULL },
  { "PMIX_RANK", "PMIx", "PMIX_NAMESPACE" },
  { "PBS_JOBID", "PBS", "PBS_JOBID" },
  { "LSB_JOBID", "LSF", "LSB_JOBID" },
};

static void
put_launcher (KymoEnvIni *ini, const KymoEnvFacts *facts)
{
  const char *name = "none", *job = facts->job;

  for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
    if (getenv (launchers[i].variable) != NULL)
      {
        name = launchers[i].name;
        if ((job == NULL || job[0] == '\0') && launchers[i].job != NULL)
          job = getenv (launchers[i].job);
        break;
      }
  kymo_env_ini_text (ini, "launcher", name);
  kymo_env_ini_text (ini, "job", job);
}

/** kymo_env_program: writes the groups Command, Placement and MPI; @facts says what only the caller
 * knows. */
void
kymo_env_program (KymoEnvIni *ini, const char *root, const KymoEnvFacts *facts)
{
  static const char *const lists[] = { "SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST",
                                       "LSB_HOSTS" };
  char path[PATH_MAX];
  ssize_t length = readlink ("/proc/self/exe", path, sizeof path - 1);

  kymo_env_ini_group (ini, "Command", NULL);
  if (length > 0)
    kymo_env_ini_word (ini, "program", kymo_node_word (path, (size_t) length));
  put_executable (ini);
  put_arguments (ini, root);
  if (getcwd (path, sizeof path) != NULL)
    kymo_env_ini_text (ini, "folder", path);
  put_launcher (ini, facts);
  kymo_env_ini_group (ini, "Placement", NULL);
  if (facts->ranks > 0)
    kymo_env_ini_printf (ini, "ranks", "%d", facts->ranks);
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    if (getenv (lists[i]) != NULL)
      {
        kymo_env_ini_list (ini, "hosts");
        kymo_env_ini_item (ini, getenv (lists[i]));
        kymo_env_ini_end_list (ini);
        break;
      }
  kymo_env_ini_group (ini, "MPI", NULL);
  kymo_env_ini_text (ini, "library", facts->library);
  kymo_env_ini_text (ini, "version", facts->library_version);
  kymo_env_ini_text (ini, "thread-level", facts->thread_level);
}

/* What begins so sets MPI or what carries its messages. */
static const char *const mpi_prefixes[] = {
  "OMPI_MCA_", "PMIX_MCA_", "PRTE_MCA_", "MPIR_CVAR_", "MPIR_PARAM_", "MPICH_", "MV2_", "I_MPI_",
  "UCX_", "FI_", "PSM2_", "PSM3_", "HCOLL_", "IBV_", "MXM_", "ROMIO_", "HYDRA_", NULL,
};

/* What kymo-record sets itself, to another value in each run. */
static const char *const internal_prefixes[] = {
  "KYMO_RECORD_DIR=", "KYMO_RECORD_JOB=", "KYMO_RECORD_MAIN=", "KYMO_RECORD_PROGRAM=",
  "KYMO_RECORD_LAUNCHER=", NULL,
};

/* What begins so changes how programs run or where they find their parts. */
static const char *const prefixes[] = {
  "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "BLIS_", "GOTO_", "GLIBC_", "MALLOC_", "JEMALLOC_",
  "TCMALLOC_", "LD_", "LC_", "SLURM_", "PBS_", "LSB_", "CUDA_VISIBLE", "ROCR_", "HIP_VISIBLE",
  "HUGETLB_", "GFORTRAN_", "FORT_", "KYMO_RECORD_", NULL,
};

static const char *const names[] = {
  "PATH", "LANG", "TZ", "TMPDIR", "PYTHONPATH", "PYTHONHASHSEED", "VIRTUAL_ENV", "CONDA_PREFIX",
  "LOADEDMODULES", "MODULEPATH", "SHELL", NULL,
};

static bool
begins_as (const char *variable, const char *const *list)
{
  for (; *list != NULL; list++)
    if (strncmp (variable, *list, strlen (*list)) == 0)
      return true;
  return false;
}

static bool
is_named (KymoNodeWord name)
{
  for (const char *const *known = names; *known != NULL; known++)
    if (kymo_node_word_is (name, *known))
      return true;
  return false;
}

static int
compare_texts (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
put_variables (KymoEnvIni *ini, char **variables, size_t n, bool mpi)
{
  for (size_t i = 0; i < n; i++)
    {
      char name[256];
      const char *equals = strchr (variables[i], '=');
      KymoNodeWord word = kymo_node_word (variables[i], (size_t) (equals - variables[i]));
      bool ours = mpi ? begins_as (variables[i], mpi_prefixes)
                      : (begins_as (variables[i], prefixes) || is_named (word))
                        && !begins_as (variables[i], internal_prefixes);

      if (ours && kymo_node_word_copy (word, name, sizeof name))
        kymo_env_ini_text (ini, name, equals + 1);
    }
}

/** kymo_env_variables: writes the groups MPI Settings and Variables: what of @variables, as in
 * environ, changes how programs run. */
void
kymo_env_variables (KymoEnvIni *ini, char *const *variables)
{
  char *sorted[4 * KYMO_ENV_MOST_ITEMS];
  size_t n = 0;

  for (; *variables != NULL && n < sizeof sorted / sizeof sorted[0]; variables++)
    if (strchr (*variables, '=') != NULL)
      sorted[n++] = *variables;
  qsort (sorted, n, sizeof sorted[0], compare_texts);
  kymo_env_ini_group (ini, "MPI Settings", NULL);
  put_variables (ini, sorted, n, true);
  kymo_env_ini_group (ini, "Variables", NULL);
  put_variables (ini, sorted, n, false);
}

static int
put_library (struct dl_phdr_info *info, size_t size, void *data)
{
  KymoEnvIni *ini = data;
  const char *base = strrchr (info->dlpi_name, '/');
  char id[2 * 64 + 1] = "-";

  if (info->dlpi_name[0] == '\0' || base == NULL)
    return 0;                   /* the executable, or what the kernel lends */
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_NOTE
        && kymo_env_build_id ((const void *) (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                              info->dlpi_phdr[i].p_memsz, id, sizeof id))
      break;
  kymo_env_ini_list (ini, base + 1);
  kymo_env_ini_item (ini, info->dlpi_name);
  kymo_env_ini_item (ini, id);
  kymo_env_ini_end_list (ini);
  return 0;
}

/** kymo_env_libraries: writes the group Libraries: what is loaded into this process now. */
void
kymo_env_libraries (KymoEnvIni *ini)
{
  kymo_env_ini_group (ini, "Libraries", NULL);
  dl_iterate_phdr (put_library, ini);
}

static void
put_limit (KymoEnvIni *ini, rlim_t limit)
{
  char text[32] = "unlimited";

  if (limit != RLIM_INFINITY)
    snprintf (text, sizeof text, "%llu", (unsigned long long) limit);
  kymo_env_ini_item (ini, text);
}

/** kymo_env_limits: writes the group Limits of this process. */
void
kymo_env_limits (KymoEnvIni *ini)
{
  static const struct
  {
    const char *name;
    int resource;
  } limits[] = {
    { "address-space", RLIMIT_AS },   { "core", RLIMIT_CORE },       { "cpu", RLIMIT_CPU },
    { "data", RLIMIT_DATA },          { "file-size", RLIMIT_FSIZE },
    { "locked-memory", RLIMIT_MEMLOCK },
    { "open-files", RLIMIT_NOFILE },  { "processes", RLIMIT_NPROC }, { "stack", RLIMIT_STACK },
  };
  struct rlimit limit;

  kymo_env_ini_group (ini, "Limits", NULL);
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
    if (getrlimit (limits[i].resource, &limit) == 0)
      {
        kymo_env_ini_list (ini, limits[i].name);
        put_limit (ini, limit.rlim_cur);
        put_limit (ini, limit.rlim_max);
        kymo_env_ini_end_list (ini);
      }
}
