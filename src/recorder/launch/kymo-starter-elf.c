/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which MPI a program uses, from the libraries that its file names, and if need be from the
 * libraries that those name. Files are mapped; nothing in them is trusted.
 */
#include "kymo-starter.h"

#include <elf.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LIBRARIES 400      /* that are looked into for one program */

typedef ElfW (Ehdr) Head;
typedef ElfW (Phdr) Segment;
typedef ElfW (Dyn) Dynamic;

typedef struct
{
  const char *bytes;
  size_t n_bytes;
  const char *names;            /* string table */
  size_t n_names;
  const Dynamic *dynamic;
  size_t n_dynamic;
} Image;

/* Libraries that were seen, so that each is looked into once. */
typedef struct
{
  char *names[MOST_LIBRARIES];
  unsigned n;
} Seen;

static bool
map_file (const char *path,
          Image      *image)
{
  struct stat found;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool good = false;

  memset (image, 0, sizeof *image);
  if (fd < 0)
    return false;
  if (fstat (fd, &found) == 0 && S_ISREG (found.st_mode) && found.st_size >= (off_t) sizeof (Head))
    {
      void *bytes = mmap (NULL, (size_t) found.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (bytes != MAP_FAILED)
        {
          image->bytes = bytes;
          image->n_bytes = (size_t) found.st_size;
          good = true;
        }
    }
  close (fd);
  return good;
}

static const Head *
head_of (const Image *image)
{
  const Head *head = (const Head *) image->bytes;
  const unsigned char native = sizeof (void *) == 8 ? ELFCLASS64 : ELFCLASS32;

  if (memcmp (head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != native
      || head->e_phentsize != sizeof (Segment) || head->e_phoff > image->n_bytes
      || head->e_phnum > (image->n_bytes - head->e_phoff) / sizeof (Segment)
      || head->e_phoff % sizeof (void *) != 0)
    return NULL;
  return head;
}

/* Where in the file an address of the process is, and how much there is; 0 if nowhere. */
static size_t
offset_of (const Image *image,
           const Head  *head,
           uint64_t     address,
           size_t      *room)
{
  const Segment *segments = (const Segment *) (image->bytes + head->e_phoff);

  for (unsigned i = 0; i < head->e_phnum; i++)
    {
      const Segment *segment = &segments[i];
      if (segment->p_type != PT_LOAD || address < segment->p_vaddr
          || address - segment->p_vaddr >= segment->p_filesz
          || segment->p_offset > image->n_bytes
          || segment->p_filesz > image->n_bytes - segment->p_offset)
        continue;
      *room = (size_t) (segment->p_filesz - (address - segment->p_vaddr));
      return (size_t) (segment->p_offset + (address - segment->p_vaddr));
    }
  return 0;
}

/* Finds the table of what the file needs. */
static bool
find_dynamic (Image      *image,
              const Head *head,
              bool       *has_loader)
{
  const Segment *segments = (const Segment *) (image->bytes + head->e_phoff);
  uint64_t names = 0;
  size_t room;

  *has_loader = false;
  for (unsigned i = 0; i < head->e_phnum; i++)
    {
      *has_loader |= segments[i].p_type == PT_INTERP;
      if (segments[i].p_type == PT_DYNAMIC && segments[i].p_offset <= image->n_bytes
          && segments[i].p_filesz <= image->n_bytes - segments[i].p_offset
          && segments[i].p_offset % sizeof (void *) == 0)
        {
          image->dynamic = (const Dynamic *) (image->bytes + segments[i].p_offset);
          image->n_dynamic = segments[i].p_filesz / sizeof (Dynamic);
        }
    }
  for (size_t i = 0; i < image->n_dynamic && image->dynamic[i].d_tag != DT_NULL; i++)
    if (image->dynamic[i].d_tag == DT_STRTAB)
      names = image->dynamic[i].d_un.d_ptr;
  size_t at = names != 0 ? offset_of (image, head, names, &room) : 0;
  if (at != 0)
    {
      image->names = image->bytes + at;
      image->n_names = room;
    }
  return image->dynamic != NULL;
}

/* A string of the table, or NULL if it does not end. */
static const char *
name_at (const Image *image,
         uint64_t     offset)
{
  if (image->names == NULL || offset >= image->n_names
      || memchr (image->names + offset, '\0', image->n_names - offset) == NULL)
    return NULL;
  return image->names + offset;
}

static const char *
next_needed (const Image *image,
             size_t      *at,
             int64_t      tag)
{
  for (; *at < image->n_dynamic && image->dynamic[*at].d_tag != DT_NULL; (*at)++)
    if (image->dynamic[*at].d_tag == tag)
      return name_at (image, image->dynamic[(*at)++].d_un.d_val);
  return NULL;
}

/* Whether the linked recorder left its note. */
static bool
has_note (const Image *image,
          const Head  *head)
{
  static const char note[] = "\5\0\0\0\0\0\0\0\1\0\0\0Kymo";
  const Segment *segments = (const Segment *) (image->bytes + head->e_phoff);

  for (unsigned i = 0; i < head->e_phnum; i++)
    if (segments[i].p_type == PT_NOTE && segments[i].p_offset <= image->n_bytes
        && segments[i].p_filesz <= image->n_bytes - segments[i].p_offset
        && memmem (image->bytes + segments[i].p_offset, segments[i].p_filesz, note, sizeof note))
      return true;
  return false;
}

static bool
find_in (const char *folders,
         const char *origin,
         const char *name,
         char       *path)
{
  while (folders != NULL && *folders != '\0')
    {
      size_t length = strcspn (folders, ":");
      if (length > 0 && length < 2048)
        {
          if (strncmp (folders, "$ORIGIN", 7) == 0)
            snprintf (path, PATH_MAX, "%s%.*s/%s", origin, (int) length - 7, folders + 7, name);
          else
            snprintf (path, PATH_MAX, "%.*s/%s", (int) length, folders, name);
          if (access (path, R_OK) == 0)
            return true;
        }
      folders += length + (folders[length] == ':');
    }
  return false;
}

static bool
find_library (const Image *image,
              const char  *of,
              const char  *name,
              char        *path)
{
  char origin[PATH_MAX];
  size_t at = 0;

  if (strchr (name, '/') != NULL)
    {
      snprintf (path, PATH_MAX, "%s", name);
      return access (path, R_OK) == 0;
    }
  snprintf (origin, sizeof origin, "%s", of);
  char *slash = strrchr (origin, '/');
  if (slash != NULL)
    *slash = '\0';
  const char *run_path = next_needed (image, &at, DT_RUNPATH);
  if (run_path == NULL)
    run_path = next_needed (image, &(size_t) { 0 }, DT_RPATH);
  return find_in (run_path, origin, name, path)
         || find_in (getenv ("LD_LIBRARY_PATH"), origin, name, path)
         || find_in ("/usr/local/lib:/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu"
                     ":/lib/aarch64-linux-gnu:/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib"
                     ":/usr/lib", origin, name, path);
}

static bool
is_new (Seen       *seen,
        const char *name)
{
  for (unsigned i = 0; i < seen->n; i++)
    if (strcmp (seen->names[i], name) == 0)
      return false;
  if (seen->n == MOST_LIBRARIES)
    return false;
  seen->names[seen->n++] = strdup (name);
  return true;
}

static void
look_into (const char    *path,
           KymoStarterElf *elf,
           Seen          *seen,
           int            depth)
{
  Image image;
  bool has_loader;

  if (!map_file (path, &image))
    return;
  const Head *head = head_of (&image);
  if (head != NULL)
    {
      bool dynamic = find_dynamic (&image, head, &has_loader);
      const char *name;
      if (depth == 0)
        {
          elf->is_elf = true;
          elf->is_recorder = has_note (&image, head);
          elf->is_static = !dynamic || (!has_loader && head->e_type == ET_EXEC);
        }
      for (size_t at = 0; (name = next_needed (&image, &at, DT_NEEDED)) != NULL;)
        if (strncmp (name, "libmpi.so.", 10) == 0)
          elf->mpi = KYMO_STARTER_OPENMPI;
        else if (strncmp (name, "libmpich.so", 11) == 0)
          elf->mpi = KYMO_STARTER_MPICH;
      char below[PATH_MAX];
      for (size_t at = 0; elf->mpi == KYMO_STARTER_SERIAL && depth < 8
                          && (name = next_needed (&image, &at, DT_NEEDED)) != NULL;)
        if (is_new (seen, name) && find_library (&image, path, name, below))
          look_into (below, elf, seen, depth + 1);
    }
  munmap ((void *) image.bytes, image.n_bytes);
}

/**
 * kymo_starter_elf: what a file says of itself.
 * @path: of a program or library
 * @elf: (out): all FALSE if it is no ELF file of this machine's kind
 */
void
kymo_starter_elf (const char    *path,
                 KymoStarterElf *elf)
{
  Seen seen = { .n = 0 };

  memset (elf, 0, sizeof *elf);
  look_into (path, elf, &seen, 0);
  while (seen.n > 0)
    free (seen.names[--seen.n]);
}

/**
 * kymo_starter_find: the file of a program, as execvp() finds it; NULL if there is none.
 * @program: a name or a path
 */
char *
kymo_starter_find (const char *program)
{
  const char *folders = getenv ("PATH");
  char path[PATH_MAX];

  if (strchr (program, '/') != NULL)
    return access (program, X_OK) == 0 ? strdup (program) : NULL;
  for (folders = folders != NULL ? folders : "/bin:/usr/bin"; *folders != '\0';)
    {
      size_t length = strcspn (folders, ":");
      struct stat found;
      snprintf (path, sizeof path, "%.*s/%s", length > 0 ? (int) length : 1,
                length > 0 ? folders : ".", program);
      if (access (path, X_OK) == 0 && stat (path, &found) == 0 && S_ISREG (found.st_mode))
        return strdup (path);
      folders += length + (folders[length] == ':');
    }
  return NULL;
}

/**
 * kymo_starter_script: the interpreter that a script names in its first line; NULL if the file is
 * no script.
 * @path: of the file
 */
char *
kymo_starter_script (const char *path)
{
  char line[512];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t n = fd >= 0 ? read (fd, line, sizeof line - 1) : 0;

  if (fd >= 0)
    close (fd);
  line[n > 0 ? n : 0] = '\0';
  if (strncmp (line, "#!", 2) != 0)
    return NULL;
  line[strcspn (line, "\n")] = '\0';
  char *rest, *program = strtok_r (line + 2, " \t", &rest);
  char *argument = program != NULL ? strtok_r (NULL, " \t", &rest) : NULL;
  const char *slash = program != NULL ? strrchr (program, '/') : NULL;
  if (slash != NULL && strcmp (slash, "/env") == 0 && argument != NULL)
    return kymo_starter_find (argument);
  return program != NULL ? strdup (program) : NULL;
}

/* Which MPI mpi4py of an interpreter was built with. */
static KymoStarterMpi
ask_mpi4py (const char *interpreter)
{
  static const char *const places[] = { "lib/python3*/site-packages", "lib/python3/dist-packages",
                                        "lib/python3*/dist-packages",
                                        "local/lib/python3*/dist-packages" };
  const char *virtual = getenv ("VIRTUAL_ENV"), *more = getenv ("PYTHONPATH");
  char pattern[PATH_MAX], prefix[PATH_MAX];
  KymoStarterElf elf = { .mpi = KYMO_STARTER_SERIAL };
  glob_t found = { 0 };
  int flags = 0;

  snprintf (prefix, sizeof prefix, "%s", virtual != NULL ? virtual : interpreter);
  for (int i = 0; i < 2 && virtual == NULL; i++)
    {
      char *slash = strrchr (prefix, '/');
      if (slash != NULL)
        *slash = '\0';
    }
  while (more != NULL && *more != '\0')
    {
      size_t length = strcspn (more, ":");
      snprintf (pattern, sizeof pattern, "%.*s/mpi4py/MPI*.so", (int) length, more);
      glob (pattern, flags, NULL, &found);
      flags = GLOB_APPEND;
      more += length + (more[length] == ':');
    }
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    {
      snprintf (pattern, sizeof pattern, "%.3000s/%s/mpi4py/MPI*.so", prefix, places[i]);
      glob (pattern, flags, NULL, &found);
      flags = GLOB_APPEND;
    }
  for (size_t i = 0; i < found.gl_pathc && elf.mpi == KYMO_STARTER_SERIAL; i++)
    kymo_starter_elf (found.gl_pathv[i], &elf);
  globfree (&found);
  return elf.mpi;
}

/* What the launcher of MPI leaves in the environment, for programs that load MPI later. Others set
 * PMI_RANK, too; @surely: only the launcher of MPICH itself counts. */
static KymoStarterMpi
ask_environment (bool surely)
{
  if (getenv ("OMPI_COMM_WORLD_SIZE") != NULL)
    return KYMO_STARTER_OPENMPI;
  return getenv (surely ? "MPI_LOCALRANKID" : "PMI_RANK") != NULL ? KYMO_STARTER_MPICH
    : KYMO_STARTER_SERIAL;
}

/* Whether the user says which library it is to be. */
static bool
ask_user (KymoStarterMpi *mpi)
{
  static const char *const names[] = { "serial", "openmpi", "mpich" };
  const char *wanted = getenv ("KYMO_RECORD_MPI");

  if (wanted == NULL || *wanted == '\0')
    return false;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (wanted, names[i]) == 0)
      {
        *mpi = (KymoStarterMpi) i;
        return true;
      }
  kymo_starter_die (2, "KYMO_RECORD_MPI is '%s', not openmpi, mpich or serial", wanted);
}

/* A module may be there that the program does not use: the wrong library would crash it. */
static KymoStarterMpi
choose_for_python (const char *interpreter)
{
  KymoStarterMpi its = ask_mpi4py (interpreter), launcher = ask_environment (true);

  if (its == KYMO_STARTER_SERIAL)
    return ask_environment (false);
  if (launcher == KYMO_STARTER_SERIAL || launcher == its)
    return its;
  fprintf (stderr, "kymo-record: mpi4py is for another MPI than mpirun: calls of MPI are not "
           "recorded; KYMO_RECORD_MPI=%s says which it is\n",
           launcher == KYMO_STARTER_MPICH ? "mpich" : "openmpi");
  return KYMO_STARTER_SERIAL;
}

/**
 * kymo_starter_choose: which library a program needs.
 * @path: of the program
 * @interpreter: (nullable): of a script
 * @elf: (out): what the file that is executed says of itself
 */
KymoStarterMpi
kymo_starter_choose (const char     *path,
                     const char     *interpreter,
                     KymoStarterElf *elf)
{
  const char *file = interpreter != NULL ? interpreter : path;
  const char *slash = strrchr (file, '/');
  KymoStarterMpi mpi;

  kymo_starter_elf (file, elf);
  if (elf->mpi != KYMO_STARTER_SERIAL)
    return elf->mpi;
  if (ask_user (&mpi))
    return mpi;
  if (strncmp (slash != NULL ? slash + 1 : file, "python", 6) == 0)
    return choose_for_python (file);
  return ask_environment (false);
}

/**
 * kymo_starter_ask_launcher: which MPI the user, or the launcher, has without a program.
 */
KymoStarterMpi
kymo_starter_ask_launcher (void)
{
  KymoStarterMpi mpi;

  return ask_user (&mpi) ? mpi : ask_environment (false);
}
