/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-recognize.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-inflate.h"

#define HEAD_BYTES (64 << 10)
#define END_BYTES (8 << 10)
#define TAR_BLOCK 512
/* An archive of thousands of files that have no anchor so far is no Cube profile. */
#define MOST_MEMBERS 1000

#define RECORD N_("Record the program with TAU or Score-P to get a run that Kymo opens.")
#define FIND N_("Open the folder that the recorded program wrote, or a file of its run.")

const KymoKnownFile kymo_known_files[KYMO_KNOWN_N] =
{
  [KYMO_KNOWN_CUBE] = { N_("a Cube profile, as Score-P and Scalasca write it"),
    N_("With SCOREP_ENABLE_TRACING=true Score-P writes an OTF2 trace beside it; open its "
       "traces.otf2."), TRUE },
  [KYMO_KNOWN_PARAVER] = { N_("part of a trace of Paraver"), RECORD, TRUE },
  [KYMO_KNOWN_CALIPER] = { N_("data of Caliper"), RECORD, TRUE },
  [KYMO_KNOWN_CHROME] = { N_("a trace in Chrome's trace event format"),
    N_("Perfetto (ui.perfetto.dev) shows it."), TRUE },
  [KYMO_KNOWN_SPEEDSCOPE] = { N_("a profile for speedscope"),
    N_("The page speedscope.app shows it."), TRUE },
  [KYMO_KNOWN_PERFETTO] = { N_("a trace of Perfetto"),
    N_("Perfetto (ui.perfetto.dev) shows it."), TRUE },
  [KYMO_KNOWN_PERF_DATA] = { N_("a recording of Linux perf"),
    N_("The command “perf report -i FILE” shows it."), TRUE },
  [KYMO_KNOWN_PERF_SCRIPT] = { N_("the output of perf script"),
    N_("The page speedscope.app shows it."), TRUE },
  [KYMO_KNOWN_FOLDED] = { N_("a list of folded stacks for a flame graph"),
    N_("The page speedscope.app shows it."), TRUE },
  [KYMO_KNOWN_HPCTOOLKIT] = { N_("part of a database of HPCToolkit"),
    N_("HPCToolkit's hpcviewer shows it."), TRUE },
  [KYMO_KNOWN_PERFSUITE] = { N_("a profile of PerfSuite"), RECORD, TRUE },
  [KYMO_KNOWN_GMON] = { N_("raw data for gprof"),
    N_("Run “gprof PROGRAM gmon.out > gprof.txt” and open gprof.txt."), TRUE },
  [KYMO_KNOWN_PPROF] = { N_("a profile for pprof"), N_("The program pprof shows it."), TRUE },
  [KYMO_KNOWN_NSIGHT] = { N_("a report of NVIDIA Nsight"),
    N_("The Nsight program that wrote it shows it."), TRUE },
  [KYMO_KNOWN_MPE] = { N_("a log of MPE for Jumpshot"), RECORD, TRUE },
  [KYMO_KNOWN_OTF1] = { N_("a trace in version 1 of the Open Trace Format"),
    N_("Kymo opens version 2, which Score-P and TAU write."), TRUE },
  [KYMO_KNOWN_DARSHAN] = { N_("a log of Darshan"), N_("Darshan's own tools show it."), TRUE },
  [KYMO_KNOWN_FTRACE] = { N_("a recording of trace-cmd"), N_("KernelShark shows it."), TRUE },
  [KYMO_KNOWN_PROGRAM] = { N_("a program, not what was recorded of one"),
    N_("Run it with a tool that records it, such as tau_exec, and open the folder with what the "
       "tool wrote."), FALSE },
  [KYMO_KNOWN_OBJECT] = { N_("an object file of a compiler"), FIND, FALSE },
  [KYMO_KNOWN_CORE] = { N_("a core dump"), N_("A debugger such as gdb opens it."), FALSE },
  [KYMO_KNOWN_TAR] = { N_("a tar archive"),
    N_("Unpack it with “tar xf FILE” and open the folder with the run."), TRUE },
  [KYMO_KNOWN_ZIP] = { N_("a zip archive"),
    N_("Unpack it with “unzip FILE” and open the folder with the run."), TRUE },
  [KYMO_KNOWN_ARCHIVE] = { N_("an archive"), N_("Unpack it and open the folder with the run."),
    TRUE },
  [KYMO_KNOWN_COMPRESSED] = { N_("a compressed file"),
    N_("Decompress it, unpack it if it is an archive, and open the folder with the run."), TRUE },
  [KYMO_KNOWN_IMAGE] = { N_("a picture"), FIND, FALSE },
  [KYMO_KNOWN_PDF] = { N_("a PDF document"), FIND, FALSE },
  [KYMO_KNOWN_SQLITE] = { N_("an SQLite database"), FIND, FALSE },
  [KYMO_KNOWN_HDF5] = { N_("an HDF5 file"), FIND, FALSE },
  [KYMO_KNOWN_DESK] = { N_("a desk of Kymo, not a run"),
    N_("The window of Kymo opens it; “kymo-cli desk FILE” prints what it holds."), FALSE },
  [KYMO_KNOWN_SCRIPT] = { N_("a script"), FIND, FALSE },
  [KYMO_KNOWN_HTML] = { N_("a web page"), FIND, FALSE },
  [KYMO_KNOWN_XML] = { N_("an XML file, and no profile of TAU"), FIND, FALSE },
  [KYMO_KNOWN_JSON] = { N_("a JSON file"), FIND, FALSE },
  [KYMO_KNOWN_TEXT] = { N_("a text file"), FIND, FALSE },
  [KYMO_KNOWN_EMPTY] = { N_("an empty file"), FIND, FALSE },
  [KYMO_KNOWN_PIPE] = { N_("a pipe or a socket, not a file"), FIND, FALSE },
  [KYMO_KNOWN_DEVICE] = { N_("a device, not a file"), FIND, FALSE },
  [KYMO_KNOWN_BINARY] = { N_("a file whose content Kymo does not know"), FIND, FALSE },
};

/* -- by the first bytes ------------------------------------------------------ */

static const struct
{
  const char *bytes;
  gsize       n_bytes;
  KymoKnown   known;
} magics[] =
{
#define MAGIC(bytes, known) { bytes, sizeof bytes - 1, known }
  MAGIC ("gmon", KYMO_KNOWN_GMON),
  MAGIC ("PERFILE2", KYMO_KNOWN_PERF_DATA),
  MAGIC ("2ELIFREP", KYMO_KNOWN_PERF_DATA),
  MAGIC ("HPCTOOLKIT", KYMO_KNOWN_HPCTOOLKIT),
  MAGIC ("HPCPROF", KYMO_KNOWN_HPCTOOLKIT),
  MAGIC ("HPCRUN", KYMO_KNOWN_HPCTOOLKIT),
  MAGIC ("CUBEX.", KYMO_KNOWN_CUBE),
  MAGIC ("ZCUBEX.", KYMO_KNOWN_CUBE),
  MAGIC ("CLOG-", KYMO_KNOWN_MPE),
  MAGIC ("SLOG 2", KYMO_KNOWN_MPE),
  MAGIC ("\x17\x08\x44tracing", KYMO_KNOWN_FTRACE),
  MAGIC ("PK\3\4", KYMO_KNOWN_ZIP),
  MAGIC ("PK\5\6", KYMO_KNOWN_ZIP),
  MAGIC ("7z\xbc\xaf\x27\x1c", KYMO_KNOWN_ARCHIVE),
  MAGIC ("Rar!\x1a\7", KYMO_KNOWN_ARCHIVE),
  MAGIC ("\xfd" "7zXZ", KYMO_KNOWN_COMPRESSED),
  MAGIC ("\x28\xb5\x2f\xfd", KYMO_KNOWN_COMPRESSED),
  MAGIC ("\x04\x22\x4d\x18", KYMO_KNOWN_COMPRESSED),
  MAGIC ("BZh", KYMO_KNOWN_COMPRESSED),
  MAGIC ("\x1f\x9d", KYMO_KNOWN_COMPRESSED),
  MAGIC ("\x89PNG\r\n\x1a\n", KYMO_KNOWN_IMAGE),
  MAGIC ("\xff\xd8\xff", KYMO_KNOWN_IMAGE),
  MAGIC ("GIF8", KYMO_KNOWN_IMAGE),
  MAGIC ("II*\0", KYMO_KNOWN_IMAGE),
  MAGIC ("MM\0*", KYMO_KNOWN_IMAGE),
  MAGIC ("%PDF-", KYMO_KNOWN_PDF),
  MAGIC ("%!PS", KYMO_KNOWN_IMAGE),
  MAGIC ("SQLite format 3", KYMO_KNOWN_SQLITE),
  MAGIC ("\x89HDF\r\n\x1a\n", KYMO_KNOWN_HDF5),
#undef MAGIC
};

static KymoKnown
recognize_elf (const KymoHead *head)
{
  guint type;

  if (head->n_bytes < 18 || memcmp (head->bytes, "\x7f" "ELF", 4) != 0)
    return KYMO_KNOWN_NOTHING;
  /* Byte 5: 2 = big endian; 16: 1 = to be linked, 4 = core. */
  type = head->bytes[5] == 2 ? head->bytes[17] : head->bytes[16];
  return type == 1 ? KYMO_KNOWN_OBJECT : type == 4 ? KYMO_KNOWN_CORE : KYMO_KNOWN_PROGRAM;
}

/* Messages of protobuf: packet after packet is field 1 with its length. In a profile for
   pprof other fields follow soon. */
static gboolean
is_perfetto (const KymoHead *head)
{
  const guint8 *bytes = (const guint8 *) head->bytes;
  guint n_packets = 0;
  gsize at = 0;

  while (n_packets < 20 && at < head->n_bytes && bytes[at] == 0x0a)
    {
      guint64 length = 0;
      guint shift = 0;

      for (at++; at < head->n_bytes && shift < 35; shift += 7)
        {
          length |= (guint64) (bytes[at] & 0x7f) << shift;
          if (bytes[at++] < 0x80)
            break;
        }
      n_packets++;
      at += MIN (length, head->n_bytes);
    }
  return n_packets >= 20 || (n_packets >= 3 && at >= head->n_bytes);
}

static gboolean
is_tar (const KymoHead *head)
{
  return head->n_bytes >= TAR_BLOCK && memcmp (head->bytes + 257, "ustar", 5) == 0;
}

/* A Cube profile is a tar, with its anchor anywhere; sums of headers are often wrong. */
static gboolean
has_anchor (int    fd,
            gint64 size_bytes)
{
  gint64 at = 0;

  for (guint i = 0; i < MOST_MEMBERS && at < size_bytes; i++)
    {
      char header[TAR_BLOCK + 1] = { 0 };
      gint64 length;

      if (pread (fd, header, TAR_BLOCK, at) != TAR_BLOCK)
        return FALSE;
      /* There may be one block of zeros more than the standard has. */
      if (memcmp (header + 257, "ustar", 5) != 0 && header[0] != '\0')
        return FALSE;
      if (strncmp (header, "anchor.xml", 100) == 0)
        return TRUE;
      header[124 + 12] = '\0';
      length = header[0] == '\0' ? 0 : g_ascii_strtoll (header + 124, NULL, 8);
      if (length < 0 || length > size_bytes)
        return FALSE;
      at += TAR_BLOCK + (length + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    }
  return FALSE;
}

static KymoKnown
recognize_bytes (const KymoHead *head)
{
  for (guint i = 0; i < G_N_ELEMENTS (magics); i++)
    if (head->n_bytes >= magics[i].n_bytes
        && memcmp (head->bytes, magics[i].bytes, magics[i].n_bytes) == 0)
      return magics[i].known;
  if (is_tar (head))
    return KYMO_KNOWN_TAR;
  return is_perfetto (head) ? KYMO_KNOWN_PERFETTO : recognize_elf (head);
}

/* -- by the name ------------------------------------------------------------- */

static KymoKnown
recognize_name (const char *path)
{
  static const struct { const char *suffix; KymoKnown known; } names[] = {
    { ".cubex", KYMO_KNOWN_CUBE }, { ".cube", KYMO_KNOWN_CUBE },
    { ".prv", KYMO_KNOWN_PARAVER }, { ".pcf", KYMO_KNOWN_PARAVER },
    { ".row", KYMO_KNOWN_PARAVER }, { ".cali", KYMO_KNOWN_CALIPER },
    { ".pftrace", KYMO_KNOWN_PERFETTO }, { ".perfetto-trace", KYMO_KNOWN_PERFETTO },
    { ".folded", KYMO_KNOWN_FOLDED }, { ".collapsed", KYMO_KNOWN_FOLDED },
    { ".pprof", KYMO_KNOWN_PPROF }, { ".pb", KYMO_KNOWN_PPROF }, { ".pb.gz", KYMO_KNOWN_PPROF },
    { ".nsys-rep", KYMO_KNOWN_NSIGHT }, { ".qdrep", KYMO_KNOWN_NSIGHT },
    { ".ncu-rep", KYMO_KNOWN_NSIGHT }, { ".clog2", KYMO_KNOWN_MPE },
    { ".slog2", KYMO_KNOWN_MPE }, { ".otf", KYMO_KNOWN_OTF1 },
    { ".darshan", KYMO_KNOWN_DARSHAN }, { ".kymodesk", KYMO_KNOWN_DESK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_suffix (path, names[i].suffix))
      return names[i].known;
  return KYMO_KNOWN_NOTHING;
}

/* -- all together ------------------------------------------------------------ */

/* A character of UTF-8 may be cut at the end. */
static gboolean
is_text (const char *bytes,
         gsize       n_bytes)
{
  const char *end;

  if (memchr (bytes, '\0', n_bytes) != NULL)
    return FALSE;
  return g_utf8_validate (bytes, n_bytes, &end) || bytes + n_bytes - end < 4;
}

/* The kind of a file by its content; for plain text or bytes the name may tell more. */
static KymoKnown
recognize_head (const KymoHead *head,
                const char     *path)
{
  KymoKnown known = recognize_bytes (head), named;

  if (known != KYMO_KNOWN_NOTHING)
    return known;
  known = head->is_text ? kymo_recognize_text (head) : KYMO_KNOWN_BINARY;
  named = recognize_name (path);
  if (named != KYMO_KNOWN_NOTHING && (known == KYMO_KNOWN_TEXT || known == KYMO_KNOWN_BINARY))
    return named;
  return known;
}

static KymoKnown
recognize_gzip (KymoHead   *head,
                const char *path)
{
  KymoKnown known;

  head->end = head->bytes;
  head->n_end = 0;
  if (head->n_bytes > 0 && head->bytes[0] == 0x0a && !head->is_text)
    return KYMO_KNOWN_PPROF;
  known = recognize_head (head, path);
  return known == KYMO_KNOWN_BINARY ? KYMO_KNOWN_COMPRESSED : known;
}

static KymoKnown
recognize_file (int         fd,
                gint64      size_bytes,
                const char *path,
                gboolean   *compressed)
{
  g_autofree char *bytes = g_malloc0 (HEAD_BYTES + 1);
  g_autofree char *end = g_malloc0 (END_BYTES + 1);
  KymoHead head = { .bytes = bytes, .end = end };
  gint64 plain_bytes;
  KymoKnown known;

  head.n_bytes = kymo_inflate_head (fd, size_bytes, bytes, HEAD_BYTES, &plain_bytes);
  *compressed = head.n_bytes > 0;
  if (!*compressed)
    {
      head.n_bytes = MAX (pread (fd, bytes, HEAD_BYTES, 0), 0);
      head.n_end = MAX (pread (fd, end, END_BYTES, MAX (size_bytes - END_BYTES, 0)), 0);
    }
  bytes[head.n_bytes] = '\0';
  head.is_text = is_text (bytes, head.n_bytes);
  if (head.n_bytes == 0)
    return KYMO_KNOWN_EMPTY;
  if (*compressed)
    return recognize_gzip (&head, path);
  known = recognize_head (&head, path);
  return known == KYMO_KNOWN_TAR && has_anchor (fd, size_bytes) ? KYMO_KNOWN_CUBE : known;
}

/**
 * kymo_recognize:
 * @path: anything but a folder
 * @compressed: (out): whether what it is lies in it compressed by gzip
 * @code: (out): errno where it cannot be opened, else 0
 *
 * Returns: what it is; %KYMO_KNOWN_NOTHING where it cannot be opened
 */
KymoKnown
kymo_recognize (const char *path,
                gboolean   *compressed,
                int        *code)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  KymoKnown known = KYMO_KNOWN_NOTHING;
  struct stat info;

  *compressed = FALSE;
  *code = 0;
  if (fd < 0 || fstat (fd, &info) != 0)
    *code = errno;
  else if (S_ISREG (info.st_mode))
    known = recognize_file (fd, info.st_size, path, compressed);
  else
    known = S_ISCHR (info.st_mode) || S_ISBLK (info.st_mode) ? KYMO_KNOWN_DEVICE : KYMO_KNOWN_PIPE;
  if (fd >= 0)
    close (fd);
  /* open() of a socket fails with this error. */
  if (*code == ENXIO)
    {
      *code = 0;
      known = KYMO_KNOWN_PIPE;
    }
  return known;
}
