/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: files of profiles. The first byte says of what form the others are:
 * text of TAU, its XML, a packed profile, gprof, mpiP.
 */
#include "config.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "fuzz-mutate.h"
#include "kymo-decimal.h"
#include "kymo-formats.h"
#include "kymo-tau-profile.h"
#include "kymo-tau-profile-text.h"
#include "kymo-tau-profile-xml.h"

#define FORMS 5
#define XML 1
#define PACKED 2
#define MEMORY_LIMIT (G_GINT64_CONSTANT (64) << 20)

/* -- the form of an input --------------------------------------------------- */

/* XML is split before each tag, the other forms into lines. */
static gsize
split (const guint8 *data,
       gsize         size,
       gsize         at)
{
  const guint8 *tag;

  if (at == 0)
    return 1;
  if (*(data - at) % FORMS != XML)
    return fuzz_split_line (data, size, at);
  tag = memchr (data + 1, '<', size - 1);
  return tag != NULL ? (gsize) (tag - data) : size;
}

static gsize
change (guint8     *piece,
        gsize       size,
        gsize       room,
        gsize       at,
        FuzzRandom *random)
{
  return at > 0 && *(piece - at) % FORMS == PACKED ? LLVMFuzzerMutate (piece, size, room)
    : fuzz_change_line (piece, size, room, at, random);
}

static const FuzzGrammar grammar = { split, change };
FUZZ_GRAMMAR (grammar)

/* -- what holds ------------------------------------------------------------- */

/* Rows ascend, and nothing points beyond a table. */
static void
check_data (const KymoProfileData *data)
{
  for (guint l = 0; l < data->n_locations; l++)
    {
      fuzz_require (data->first[l] <= data->first[l + 1]);
      for (guint64 r = data->first[l]; r < data->first[l + 1]; r++)
        fuzz_require (data->event[r] < data->events->len
                      && (r == data->first[l] || data->event[r - 1] < data->event[r]));
      for (guint64 r = data->user_first[l]; r < data->user_first[l + 1]; r++)
        fuzz_require (data->user_rows[r].event < data->user_names->len);
    }
  for (guint i = 0; i < data->events->len; i++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent, i);

      fuzz_require (g_utf8_validate (event->name, -1, NULL)
                    && g_utf8_validate (event->shown, -1, NULL)
                    && g_utf8_validate (event->groups, -1, NULL));
      fuzz_require (event->n_parts > 0 && event->first_part + event->n_parts <= data->parts->len);
      fuzz_require (event->parent == KYMO_NO_EVENT || event->parent < data->events->len);
      for (guint k = 0; k < event->n_parts; k++)
        fuzz_require (g_array_index (data->parts, guint32, event->first_part + k)
                      < data->events->len);
    }
}

static void
check_profiles (GPtrArray *profiles)
{
  fuzz_require (profiles->len > 0);
  for (guint i = 0; i < profiles->len; i++)
    check_data (g_ptr_array_index (profiles, i));
}

static void
check_run (KymoRun *run,
           GError  *error)
{
  fuzz_require ((run == NULL) == (error != NULL));
  if (run == NULL)
    return;
  fuzz_report (run->report);
  check_profiles (run->profiles);
  fuzz_require (((KymoProfileData *) run->profiles->pdata[0])->n_locations
                == run->locations->len);
  kymo_run_unref (run);
}

static void
read_text (const char *text,
           gsize       size)
{
  KymoProfileBuilder *builder = kymo_profile_builder_new (1);
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (GPtrArray) profiles = NULL;
  KymoTauProfileText profile = {
    .name = "profile.0.0.0", .text = text, .length = size, .report = report, .begin = TRUE,
    .users = TRUE,
  };

  g_free (kymo_tau_profile_text_dup_metric (text, size));
  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  profile.part = kymo_profile_builder_add_part (builder);
  if (!kymo_tau_profile_text_read (&profile))
    fuzz_require (fuzz_told (report, KYMO_SEVERITY_LOST) > 0);
  fuzz_report (report);
  profiles = kymo_profile_builder_finish (builder, 1);
  check_profiles (profiles);
}

static void
read_xml (const char *text,
          gsize       size)
{
  KymoTauXmlReading reading = { .name = "snapshot.0.0.0", .text = text, .length = size };
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (GPtrArray) profiles = NULL;
  KymoOpenOptions options = { .n_threads = 1, .memory_limit_bytes = MEMORY_LIMIT };
  KymoTauReading profile = { NULL, &options, NULL, report };
  KymoProfileBuilder *builder;
  KymoTauXmlFile look;

  kymo_tau_xml_file_init (&look);
  kymo_tau_xml_file_look (&look, text, size);
  builder = kymo_tau_profile_builder_new (&profile, 1, look.metrics);
  reading.report = report;
  reading.part = kymo_profile_builder_add_part (builder);
  reading.metrics = look.metrics;
  kymo_tau_xml_read (&reading);
  fuzz_report (report);
  fuzz_require (kymo_profile_builder_fill_steps (builder));
  profiles = kymo_profile_builder_finish (builder, 1);
  check_profiles (profiles);
  kymo_tau_xml_file_clear (&look);
}

static void
read_packed (const guint8 *data,
             gsize         size)
{
  const char *path = fuzz_file (data, size);
  g_autofree char *folder = g_path_get_dirname (path), *file = g_path_get_basename (path);
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (GError) error = NULL;
  KymoOpenOptions options = { .n_threads = 1, .memory_limit_bytes = MEMORY_LIMIT };
  KymoTauProfileFiles files = { .form = KYMO_TAU_PACKED, .folder = folder, .file = file };
  KymoTauReading reading = { &files, &options, NULL, report };
  KymoRun *run = kymo_tau_profile_read_packed (&reading, &error);

  check_run (run, error);
}

static void
read_format (const KymoFormat *format,
             const guint8     *data,
             gsize             size)
{
  KymoOpenOptions options = { .n_threads = 1, .memory_limit_bytes = MEMORY_LIMIT };
  g_autoptr (GError) error = NULL;
  KymoRun *run = format->read (fuzz_file (data, size), &options, NULL, &error);

  check_run (run, error);
}

/* The fast way to a number says the same as strtod(), bit for bit. */
static void
check_numbers (const char *text,
               gsize       size)
{
  const char *end = text + size;

  for (const char *p = text; p < end; p++)
    {
      const char *fast = p, *slow = p;
      double a = 0, b = 0;
      gboolean is_a, is_b;

      if (p > text && !kymo_decimal_is_end (p - 1, end))
        continue;
      while (slow < end && (*slow == ' ' || *slow == '\t'))
        slow++;
      is_a = kymo_decimal_scan (&fast, end, &a);
      is_b = kymo_decimal_scan_slowly (&slow, end, &b);
      fuzz_require (is_a == is_b && (!is_a || (fast == slow && memcmp (&a, &b, sizeof a) == 0)));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = NULL;

  if (size == 0)
    return 0;
  text = g_malloc (size);
  memcpy (text, data + 1, size - 1);
  text[size - 1] = '\0';
  switch (data[0] % FORMS)
    {
    case 0:
      read_text (text, size - 1);
      check_numbers (text, size - 1);
      break;
    case XML:
      read_xml (text, size - 1);
      break;
    case PACKED:
      read_packed (data + 1, size - 1);
      break;
    case 3:
      read_format (&kymo_format_gprof, data + 1, size - 1);
      break;
    default:
      read_format (&kymo_format_mpip, data + 1, size - 1);
      break;
    }
  return 0;
}
