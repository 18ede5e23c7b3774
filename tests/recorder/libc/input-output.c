/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads and writes files in every way that the C library offers, counts what it does, and tells
 * that in JSON: {"PATH PARADIGM": {"opens": …, "bytes_read": …}, …}. Exit status 0 unless a call
 * does something else than expected.
 *
 * Usage: input-output FOLDER
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POSIX, STREAM };

typedef struct
{
  const char *name;
  int paradigm;
  long opens, closes, copies, reads, bytes_read, writes, bytes_written, flushes, seeks, locks,
    unlocks, refused, deletes, changes;
} Count;

static Count counts[40];
static int n_counts;
static char bytes[1 << 16];

#define CHECK(condition) \
  do { if (!(condition)) { fprintf (stderr, "line %d: %s\n", __LINE__, #condition); exit (9); } } \
  while (0)

static Count *
count_of (const char *name,
          int         paradigm)
{
  for (int i = 0; i < n_counts; i++)
    if (strcmp (counts[i].name, name) == 0 && counts[i].paradigm == paradigm)
      return &counts[i];
  counts[n_counts] = (Count) { .name = name, .paradigm = paradigm };
  return &counts[n_counts++];
}

static void
use_descriptors (void)
{
  Count *a = count_of ("a.dat", POSIX), *b = count_of ("b.dat", POSIX);
  struct iovec parts[3] = { { bytes, 10 }, { bytes + 100, 0 }, { bytes + 200, 33 } };
  int fd = open ("a.dat", O_RDWR | O_CREAT | O_TRUNC, 0600);

  CHECK (fd >= 0);
  a->opens++;
#define WROTE(call, n) CHECK ((call) == (n)); a->writes++; a->bytes_written += (n)
#define READ(call, n) CHECK ((call) == (n)); a->reads++; a->bytes_read += (n)
  WROTE (write (fd, bytes, 5000), 5000);
  WROTE (write (fd, bytes, 0), 0);
  WROTE (pwrite (fd, bytes, 7, 5000), 7);
  WROTE (pwrite64 (fd, bytes, 3, 5007), 3);
  CHECK (lseek (fd, 0, SEEK_END) == 5010);
  a->seeks++;
  WROTE (writev (fd, parts, 3), 43);
  WROTE (pwritev (fd, parts, 3, 0), 43);
  WROTE (pwritev2 (fd, parts, 3, 0, 0), 43);
  CHECK (lseek64 (fd, 10, SEEK_SET) == 10);
  a->seeks++;
  READ (read (fd, bytes, 100), 100);
  READ (pread (fd, bytes, 2000, 0), 2000);
  READ (pread64 (fd, bytes, 100, 5050), 3);
  READ (readv (fd, parts, 3), 43);
  READ (preadv (fd, parts, 3, 1), 43);
  READ (preadv2 (fd, parts, 3, 2, 0), 43);
  READ (read (fd, bytes, sizeof bytes), 5053 - 153);
  READ (read (fd, bytes, sizeof bytes), 0);
  WROTE (dprintf (fd, "%d-%s", 1234, "five"), 9);
  CHECK (fsync (fd) == 0 && fdatasync (fd) == 0);
  a->flushes += 2;
  CHECK (ftruncate (fd, 100) == 0);

  /* A second descriptor, and a third in the place of another one. */
  int second = dup (fd), other = open64 ("b.dat", O_RDWR | O_CREAT | O_APPEND, 0600);
  CHECK (second >= 0 && other >= 0);
  a->copies++;
  b->opens++;
  WROTE (write (second, bytes, 11), 11);
  CHECK (dup2 (second, other) == other);
  a->copies++;
  b->closes++;
  WROTE (write (other, bytes, 12), 12);
  int third = fcntl (fd, F_DUPFD_CLOEXEC, 50);
  CHECK (third >= 50);
  a->copies++;
  CHECK (fcntl (fd, F_SETFL, O_APPEND) == 0);
  a->changes++;
  CHECK (flock (fd, LOCK_EX) == 0 && flock (fd, LOCK_UN) == 0);
  a->locks++;
  a->unlocks++;
  other = dup3 (fd, other, O_CLOEXEC);
  a->copies++;
  a->closes++;
  CHECK (close (third) == 0 && close (other) == 0 && close (second) == 0 && close (fd) == 0);
  a->closes += 4;
  CHECK (close (fd) < 0 && errno == EBADF && read (fd, bytes, 1) < 0 && errno == EBADF);
#undef WROTE
#undef READ
}

/* Locks of parts; another process holds one. */
static void
use_locks (void)
{
  Count *c = count_of ("c.dat", POSIX);
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10 };
  int fd = openat (AT_FDCWD, "c.dat", O_RDWR | O_CREAT, 0600), ready[2], status;
  char word = 0;

  CHECK (fd >= 0 && pipe (ready) == 0);
  c->opens++;
  pid_t child = fork ();
  if (child == 0)
    {
      if (fcntl (fd, F_SETLK, &lock) != 0 || syscall (1 /* write */, ready[1], &word, 1) != 1)
        _exit (1);
      for (;;)
        pause ();
    }
  Count *pipes = count_of ("pipe", POSIX);
  CHECK (read (ready[0], &word, 1) == 1);
  pipes->reads++;
  pipes->bytes_read++;
  CHECK (fcntl (fd, F_SETLK, &lock) < 0 && (errno == EAGAIN || errno == EACCES));
  c->refused++;
  kill (child, SIGKILL);
  waitpid (child, &status, 0);
  CHECK (fcntl (fd, F_SETLKW, &lock) == 0);
  c->locks++;
  lock.l_type = F_UNLCK;
  CHECK (fcntl (fd, F_SETLK, &lock) == 0);
  CHECK (lockf (fd, F_TLOCK, 5) == 0 && lockf (fd, F_ULOCK, 5) == 0);
  c->locks++;
  c->unlocks += 2;
  CHECK (close (fd) == 0 && close (ready[0]) == 0 && close (ready[1]) == 0);
  c->closes++;
  pipes->closes++;              /* of the end that was used */
  CHECK (unlink ("c.dat") == 0);
  c->deletes++;
}

/* The kernel moves bytes from file to file. */
static void
move_bytes (void)
{
  Count *d = count_of ("d.dat", POSIX), *e = count_of ("e.dat", POSIX);
  int from = creat ("d.dat", 0600), to;

  CHECK (from >= 0 && write (from, bytes, 3000) == 3000 && close (from) == 0);
  d->opens++;
  d->writes++;
  d->bytes_written += 3000;
  d->closes++;
  from = open ("./d.dat", O_RDONLY);
  to = openat (AT_FDCWD, "e.dat", O_WRONLY | O_CREAT | O_EXCL, 0600);
  CHECK (from >= 0 && to >= 0 && sendfile (to, from, NULL, 1000) == 1000);
  CHECK (copy_file_range (from, NULL, to, NULL, 5000, 0) == 2000);
  d->opens++;
  d->reads += 2;
  d->bytes_read += 3000;
  e->opens++;
  e->writes += 2;
  e->bytes_written += 3000;
  CHECK (close (from) == 0 && close (to) == 0);
  d->closes++;
  e->closes++;
  CHECK (open ("none", O_RDONLY) < 0 && errno == ENOENT);
  CHECK (mkdir ("folder", 0700) == 0 && rename ("e.dat", "folder/f.dat") == 0);
  struct stat status;
  CHECK (stat ("folder/f.dat", &status) == 0 && status.st_size == 3000);
  CHECK (access ("folder", R_OK) == 0 && remove ("folder/f.dat") == 0 && rmdir ("folder") == 0);
  count_of ("folder/f.dat", POSIX)->deletes++;
}

static int
print_list (FILE       *stream,
            const char *format,
            ...)
{
  va_list list;

  va_start (list, format);
  int n = vfprintf (stream, format, list);
  va_end (list);
  return n;
}

static void
use_streams (void)
{
  Count *s = count_of ("s.txt", STREAM);
  char line[100], *text = NULL;
  size_t room = 0;
  int first, second;
  FILE *stream = fopen ("s.txt", "w+");

  CHECK (stream != NULL);
  s->opens++;
#define WROTE(call, result, n) CHECK ((call) == (result)); s->writes++; s->bytes_written += (n)
#define READ(call, n) CHECK (call); s->reads++; s->bytes_read += (n)
  WROTE (fwrite (bytes + 1000, 3, 10, stream), 10, 30);
  WROTE (fprintf (stream, "\n%d %s\n", 42, "words"), 10, 10);
  WROTE (print_list (stream, "%05d\n", 7), 6, 6);
  WROTE (fputc ('x', stream), 'x', 1);
  WROTE (putc ('\n', stream), '\n', 1);
  CHECK (fputs (strrchr ("/longer line\n", 'l'), stream) >= 0);
  s->writes++;
  s->bytes_written += 5;
  CHECK (fflush (stream) == 0);
  s->flushes++;
  CHECK (fseek (stream, 31, SEEK_SET) == 0);
  s->seeks++;
  READ (fscanf (stream, "%d", &first) == 1 && first == 42, 2);
  READ (fgets (line, sizeof line, stream) == line && strcmp (line, " words\n") == 0, 7);
  READ (getline (&text, &room, stream) == 6, 6);
  READ (fgetc (stream) == 'x', 1);
  READ (getc (stream) == '\n', 1);
  READ (fgets (line, 3, stream) == line, 2);
  rewind (stream);
  s->seeks++;
  READ (fread (line, 4, 5, stream) == 5, 20);
  CHECK (fseeko (stream, 0, SEEK_END) == 0);
  s->seeks++;
  CHECK (fread (line, 1, 1, stream) == 0 && fgetc (stream) == EOF);
  s->reads += 2;
  free (text);
  CHECK (fclose (stream) == 0);
  s->closes++;
  second = open ("s.txt", O_RDONLY);
  CHECK (second >= 0 && (stream = fdopen (second, "r")) != NULL);
  count_of ("s.txt", POSIX)->opens++;
  s->opens++;
  READ (fread (line, 1, 10, stream) == 10, 10);
  stream = freopen ("t.txt", "w", stream);
  CHECK (stream != NULL);
  s->closes++;
  count_of ("s.txt", POSIX)->closes++;
  Count *t = count_of ("t.txt", STREAM);
  t->opens++;
  CHECK (fprintf (stream, "abc") == 3 && fclose (stream) == 0);
  t->writes++;
  t->bytes_written += 3;
  t->closes++;
#undef WROTE
#undef READ
}

/* Each thread has a file, and all write to one. */
static int shared;

static void *
run_thread (void *data)
{
  char name[16];
  int fd;

  snprintf (name, sizeof name, "thread%d", *(int *) data);
  fd = open (name, O_WRONLY | O_CREAT, 0600);
  for (int i = 0; i < 500; i++)
    if (write (fd, bytes, 13) != 13 || write (shared, bytes, 7) != 7)
      abort ();
  close (fd);
  return NULL;
}

static void
use_threads (void)
{
  static char names[4][16];
  pthread_t ids[4];
  int numbers[4];

  shared = open ("shared", O_WRONLY | O_CREAT | O_APPEND, 0600);
  for (int i = 0; i < 4; i++)
    {
      numbers[i] = i;
      CHECK (pthread_create (&ids[i], NULL, run_thread, &numbers[i]) == 0);
    }
  for (int i = 0; i < 4; i++)
    {
      CHECK (pthread_join (ids[i], NULL) == 0);
      snprintf (names[i], sizeof names[i], "thread%d", i);
      *count_of (names[i], POSIX) = (Count) { .name = names[i], .opens = 1, .closes = 1,
                                              .writes = 500, .bytes_written = 500 * 13 };
    }
  CHECK (close (shared) == 0);
  *count_of ("shared", POSIX) = (Count) { .name = "shared", .opens = 1, .closes = 1,
                                          .writes = 2000, .bytes_written = 2000 * 7 };
}

/* A handler writes while the program is in read () and while it computes. */
static volatile sig_atomic_t handled;
static int of_handler;

static void
handle_signal (int number)
{
  int code = errno;

  if (write (of_handler, "hi", 2) == 2)
    handled++;
  errno = code;
}

static void
use_signals (void)
{
  struct sigaction action = { .sa_handler = handle_signal };
  Count *h = count_of ("handler", POSIX);

  of_handler = open ("handler", O_WRONLY | O_CREAT, 0600);
  CHECK (of_handler >= 0 && sigaction (SIGUSR1, &action, NULL) == 0);
  for (int i = 0; i < 100; i++)
    raise (SIGUSR1);
  CHECK (handled == 100 && close (of_handler) == 0);
  *h = (Count) { .name = "handler", .opens = 1, .closes = 1, .writes = 100, .bytes_written = 200 };
}

/* What children do is not this process's; vfork () lends them its memory. */
static void
use_children (void)
{
  int status, fd = open ("child", O_RDWR | O_CREAT, 0600);
  pid_t child = fork ();

  CHECK (fd >= 0);
  if (child == 0)
    _exit (write (fd, bytes, 100) == 100 && close (fd) == 0 ? 0 : 1);
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  child = vfork ();
  if (child == 0)
    {
      close (fd);
      execl ("/bin/true", "true", (char *) NULL);
      _exit (1);
    }
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  CHECK (write (fd, bytes, 5) == 5 && close (fd) == 0);
  *count_of ("child", POSIX) = (Count) { .name = "child", .opens = 1, .closes = 1, .writes = 1,
                                         .bytes_written = 5 };
}

static void
tell_counts (void)
{
  printf ("{");
  for (int i = 0; i < n_counts; i++)
    {
      Count *c = &counts[i];

      printf ("%s\"%s %d\": {\"opens\": %ld, \"closes\": %ld, \"copies\": %ld, \"reads\": %ld, "
              "\"bytes_read\": %ld, \"writes\": %ld, \"bytes_written\": %ld, \"flushes\": %ld, "
              "\"seeks\": %ld, \"locks\": %ld, \"unlocks\": %ld, \"refused\": %ld, "
              "\"deletes\": %ld, \"changes\": %ld}", i > 0 ? ",\n" : "", c->name, c->paradigm,
              c->opens, c->closes, c->copies, c->reads, c->bytes_read, c->writes,
              c->bytes_written, c->flushes, c->seeks, c->locks, c->unlocks, c->refused,
              c->deletes, c->changes);
    }
  printf ("}\n");
}

int
main (int    argc,
      char **argv)
{
  CHECK (argc == 2 && chdir (argv[1]) == 0);
  memset (bytes, 'a', sizeof bytes);
  /* Nothing of the recorder is in the way: the first descriptor is the lowest that is free. */
  int lowest = open ("/dev/null", O_RDONLY);
  CHECK (lowest == 3 && close (lowest) == 0);
  *count_of ("/dev/null", POSIX) = (Count) { .name = "/dev/null", .opens = 1, .closes = 1 };
  use_descriptors ();
  use_locks ();
  move_bytes ();
  use_streams ();
  use_threads ();
  use_signals ();
  use_children ();
  tell_counts ();
  return 0;
}
