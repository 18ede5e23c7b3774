/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes an OTF2 otf2_archive, through the library of that format, after a script on the
 * standard input: a line is a word and fields with tabs between them.
 *
 *   clock RESOLUTION OFFSET LENGTH REALTIME
 *   node ID NAME CLASS PARENT             -1 = none, here and below
 *   process ID NAME TYPE NODE CREATOR     a location group
 *   location ID NAME TYPE PROCESS [COUNT]         of events, if not the true one
 *   creator NAME
 *   region ID NAME ROLE PARADIGM [FILE LINE]
 *   context ID REGION PARENT
 *   group ID NAME TYPE PARADIGM FLAGS MEMBER,MEMBER,…
 *   comm ID NAME GROUP [PARENT]
 *   intercomm ID NAME GROUP GROUP
 *   window ID NAME COMM
 *   member ID NAME MODE TYPE UNIT [BASE EXPONENT]
 *   class ID OCCURRENCE MEMBER,…
 *   instance ID CLASS LOCATION
 *   parameter ID NAME TYPE
 *   paradigm ID NAME                      of I/O
 *   file ID NAME NODE
 *   folder ID NAME NODE
 *   handle ID NAME FILE PARADIGM FLAGS COMM PARENT
 *   marker-kind ID GROUP CATEGORY SEVERITY
 *   marker TIME DURATION KIND SCOPE ABOUT TEXT
 *   topology ID NAME COMM DIMENSION
 *   offset LOCATION TIME OFFSET           of its clock
 *   regions LOCATION ID,ID,…              its otf2_numbers of regions, 0, 1, … are these
 *   e LOCATION TIME EVENT FIELD…          see write_event()
 *
 * Usage: write-otf2 FOLDER [NAME] < script, or
 *        write-otf2 FOLDER --many LOCATIONS EVENTS: calls and messages by the million
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write-otf2.h"

static OTF2_FlushType
before_flush (void             *data,
              OTF2_FileType     type,
              OTF2_LocationRef  location,
              void             *caller,
              bool              final)
{
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = { before_flush, NULL };

/* Events need no definitions, so strings are written when all else is known: those of
   events first, see write_definitions(). */
static OTF2_StringRef
string_of (OTF2_GlobalDefWriter *defs,
           const char           *text)
{
  guint n = g_hash_table_size (otf2_numbers);
  guint known = otf2_number_of (text);

  if (known == n)
    otf2_check (OTF2_GlobalDefWriter_WriteString (defs, known, text), "string");
  return known;
}

#define S(i) string_of (defs, fields[i])

static void
write_group (OTF2_GlobalDefWriter *defs,
             char                **fields)
{
  g_autofree guint64 *members = NULL;
  guint n = otf2_parse_list (fields[6], &members);

  otf2_check (OTF2_GlobalDefWriter_WriteGroup (defs, N (1), S (2), N (3), N (4), N (5), n,
                                               (const uint64_t *) members), "group");
}

static void
write_class (OTF2_GlobalDefWriter *defs,
             char                **fields)
{
  g_autofree guint64 *members = NULL;
  guint n = otf2_parse_list (fields[3], &members);
  OTF2_MetricMemberRef refs[255];

  for (guint i = 0; i < n && i < 255; i++)
    refs[i] = members[i];
  otf2_check (OTF2_GlobalDefWriter_WriteMetricClass (defs, N (1), n, refs, N (2),
                                                     OTF2_RECORDER_KIND_CPU), "class");
}

static void
write_location (OTF2_GlobalDefWriter *defs,
                char                **fields)
{
  uint64_t n = fields[5] != NULL ? N (5) : otf2_count_events (N (1));

  otf2_check (OTF2_GlobalDefWriter_WriteLocation (defs, N (1), S (2), N (3), n, N (4)),
              "location");
}

static void
write_io_definition (OTF2_GlobalDefWriter *defs,
                     char                **fields)
{
  const char *what = fields[0];

  if (strcmp (what, "parameter") == 0)
    OTF2_GlobalDefWriter_WriteParameter (defs, N (1), S (2), N (3));
  else if (strcmp (what, "paradigm") == 0)
    OTF2_GlobalDefWriter_WriteIoParadigm (defs, N (1), S (2), S (2),
                                          OTF2_IO_PARADIGM_CLASS_SERIAL,
                                          OTF2_IO_PARADIGM_FLAG_OS, 0, NULL, NULL, NULL);
  else if (strcmp (what, "file") == 0)
    OTF2_GlobalDefWriter_WriteIoRegularFile (defs, N (1), S (2), N (3));
  else if (strcmp (what, "folder") == 0)
    OTF2_GlobalDefWriter_WriteIoDirectory (defs, N (1), S (2), N (3));
  else if (strcmp (what, "handle") == 0)
    OTF2_GlobalDefWriter_WriteIoHandle (defs, N (1), S (2), N (3), N (4), N (5), N (6), N (7));
  else if (strcmp (what, "topology") == 0)
    {
      OTF2_CartDimensionRef dimension = N (4);

      OTF2_GlobalDefWriter_WriteCartDimension (defs, dimension, S (2), 2,
                                               OTF2_CART_PERIODIC_FALSE);
      OTF2_GlobalDefWriter_WriteCartTopology (defs, N (1), S (2), N (3), 1, &dimension);
    }
}

static void
write_definition (OTF2_GlobalDefWriter *defs,
                  char                **fields)
{
  const char *what = fields[0];

  if (strcmp (what, "clock") == 0)
    OTF2_GlobalDefWriter_WriteClockProperties (defs, N (1), N (2), N (3), N (4));
  else if (strcmp (what, "node") == 0)
    OTF2_GlobalDefWriter_WriteSystemTreeNode (defs, N (1), S (2), S (3), N (4));
  else if (strcmp (what, "process") == 0)
    OTF2_GlobalDefWriter_WriteLocationGroup (defs, N (1), S (2), N (3), N (4), N (5));
  else if (strcmp (what, "creator") == 0)
    OTF2_Archive_SetCreator (otf2_archive, fields[1]);
  else if (strcmp (what, "location") == 0)
    write_location (defs, fields);
  else if (strcmp (what, "region") == 0)
    OTF2_GlobalDefWriter_WriteRegion (defs, N (1), S (2), S (2), string_of (defs, ""), N (3), N (4),
                                      0, string_of (defs, fields[5] != NULL ? fields[5] : ""),
                                      fields[5] != NULL ? N (6) : 0, 0);
  else if (strcmp (what, "context") == 0)
    OTF2_GlobalDefWriter_WriteCallingContext (defs, N (1), N (2), -1, N (3));
  else if (strcmp (what, "group") == 0)
    write_group (defs, fields);
  else if (strcmp (what, "comm") == 0)
    OTF2_GlobalDefWriter_WriteComm (defs, N (1), S (2), N (3),
                                    fields[4] != NULL ? N (4) : OTF2_UNDEFINED_COMM, 0);
  else if (strcmp (what, "intercomm") == 0)
    OTF2_GlobalDefWriter_WriteInterComm (defs, N (1), S (2), N (3), N (4), -1, 0);
  else if (strcmp (what, "window") == 0)
    OTF2_GlobalDefWriter_WriteRmaWin (defs, N (1), S (2), N (3), 0);
  else if (strcmp (what, "member") == 0)
    {
      gboolean scaled = fields[6] != NULL;

      OTF2_GlobalDefWriter_WriteMetricMember (defs, N (1), S (2), string_of (defs, ""), 0, N (3),
                                              N (4), scaled ? N (6) : OTF2_BASE_DECIMAL,
                                              scaled ? (gint64) N (7) : 0, S (5));
    }
  else if (strcmp (what, "class") == 0)
    write_class (defs, fields);
  else if (strcmp (what, "instance") == 0)
    OTF2_GlobalDefWriter_WriteMetricInstance (defs, N (1), N (2), N (3), OTF2_SCOPE_LOCATION,
                                              N (3));
  else
    write_io_definition (defs, fields);
}

static void
write_local (OTF2_DefWriter *defs,
             guint64         location,
             char          **fields)
{
  if (strcmp (fields[0], "offset") == 0 && N (1) == location)
    OTF2_DefWriter_WriteClockOffset (defs, N (2), (gint64) N (3), 0);
  else if (strcmp (fields[0], "regions") == 0 && N (1) == location)
    {
      g_autofree guint64 *ids = NULL;
      guint n = otf2_parse_list (fields[2], &ids);
      OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array (n, (const uint64_t *) ids, false);

      OTF2_DefWriter_WriteMappingTable (defs, OTF2_MAPPING_REGION, map);
      OTF2_IdMap_Free (map);
    }
}

static void
write_definitions (GPtrArray *lines)
{
  OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter (otf2_archive);

  GHashTableIter iter;
  gpointer text, known;

  g_hash_table_iter_init (&iter, otf2_numbers);
  while (g_hash_table_iter_next (&iter, &text, &known))
    otf2_check (OTF2_GlobalDefWriter_WriteString (defs, GPOINTER_TO_UINT (known) - 1, text),
                "string");
  string_of (defs, "");
  for (guint i = 0; i < lines->len; i++)
    write_definition (defs, lines->pdata[i]);
  OTF2_Archive_OpenDefFiles (otf2_archive);
  for (guint i = 0; i < lines->len; i++)
    {
      char **fields = lines->pdata[i];
      OTF2_DefWriter *local;

      if (strcmp (fields[0], "location") != 0)
        continue;
      local = OTF2_Archive_GetDefWriter (otf2_archive, N (1));
      for (guint j = 0; j < lines->len; j++)
        write_local (local, N (1), lines->pdata[j]);
      OTF2_Archive_CloseDefWriter (otf2_archive, local);
    }
  OTF2_Archive_CloseDefFiles (otf2_archive);
  OTF2_Archive_CloseGlobalDefWriter (otf2_archive, defs);
}

static void
add_line (GPtrArray  *lines,
          const char *format,
          ...) G_GNUC_PRINTF (2, 3);

static void
add_line (GPtrArray  *lines,
          const char *format,
          ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (lines, g_strsplit (text, "\t", -1));
}

/* Each location calls a function that computes and one that sends to the next one or
   receives from the one before, by turns: six events. */
static void
write_many (GPtrArray *lines,
            guint      n_locations,
            guint64    n_events)
{
  guint64 rounds = n_events / n_locations / 6;
  g_autoptr (GString) all = g_string_new ("0");

  add_line (lines, "clock\t1000000000\t0\t%" G_GUINT64_FORMAT "\t-1", rounds * 60);
  add_line (lines, "node\t0\tmachine\tmachine\t-1");
  add_line (lines, "region\t0\tmain\t1\t1");
  add_line (lines, "region\t1\tcompute\t1\t1");
  add_line (lines, "region\t2\tMPI_Sendrecv\t1\t4");
  for (guint i = 0; i < n_locations; i++)
    {
      OTF2_EvtWriter *w = otf2_writer_of (i);

      add_line (lines, "process\t%u\tprocess %u\t1\t0\t-1", i, i);
      for (guint64 r = 0, t = i; r < rounds; r++, t += 60)
        {
          OTF2_EvtWriter_Enter (w, NULL, t, 1);
          OTF2_EvtWriter_Leave (w, NULL, t + 20 + r % 7, 1);
          OTF2_EvtWriter_Enter (w, NULL, t + 30, 2);
          OTF2_EvtWriter_MpiSend (w, NULL, t + 31, (i + 1) % n_locations, 0, r % 3, 8 * (r % 100));
          OTF2_EvtWriter_MpiRecv (w, NULL, t + 45, (i + n_locations - 1) % n_locations, 0, r % 3,
                                  8 * (r % 100));
          OTF2_EvtWriter_Leave (w, NULL, t + 50, 2);
        }
      add_line (lines, "location\t%u\tthread\t1\t%u", i, i);
      if (i > 0)
        g_string_append_printf (all, ",%u", i);
      OTF2_EvtWriter_GetNumberOfEvents (w, &(uint64_t) { 0 });
    }
  add_line (lines, "group\t0\tlocations\t4\t4\t0\t%s", all->str);
  add_line (lines, "group\t1\tworld\t5\t4\t0\t%s", all->str);
  add_line (lines, "comm\t0\tMPI_COMM_WORLD\t1");
}

static void
read_script (GPtrArray *lines)
{
  g_autofree char *line = NULL;
  gsize size = 0;
  ssize_t n;

  while ((n = getline (&line, &size, stdin)) > 0)
    {
      char **fields = g_strsplit (g_strchomp (line), "\t", -1);

      if (fields[0] != NULL && strcmp (fields[0], "e") == 0)
        otf2_write_event (fields);
      else if (fields[0] != NULL && g_str_has_prefix (fields[0], "marker"))
        otf2_write_marker (fields);
      else if (fields[0] != NULL && *fields[0] != '\0')
        {
          g_ptr_array_add (lines, fields);
          continue;
        }
      g_strfreev (fields);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  gboolean many = argc == 5 && strcmp (argv[2], "--many") == 0;

  if (argc != 2 && argc != 3 && !many)
    {
      fprintf (stderr, "Usage: write-otf2 FOLDER [NAME] < script\n");
      return 2;
    }
  otf2_archive = OTF2_Archive_Open (argv[1], argc == 3 ? argv[2] : "traces", OTF2_FILEMODE_WRITE,
                                    1 << 20, 1 << 20, OTF2_SUBSTRATE_POSIX,
                                    OTF2_COMPRESSION_NONE);
  if (otf2_archive == NULL)
    return 1;
  otf2_check (OTF2_Archive_SetFlushCallbacks (otf2_archive, &flush, NULL), "flush");
  otf2_check (OTF2_Archive_SetSerialCollectiveCallbacks (otf2_archive), "collectives");
  otf2_check (OTF2_Archive_SetCreator (otf2_archive, "write-otf2"), "creator");
  otf2_open_events ();
  otf2_numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (many)
    write_many (lines, otf2_number (argv[3]), otf2_number (argv[4]));
  else
    read_script (lines);
  write_definitions (lines);
  otf2_close_events ();
  otf2_check (OTF2_Archive_Close (otf2_archive), "close");
  g_hash_table_unref (otf2_numbers);
  return 0;
}
