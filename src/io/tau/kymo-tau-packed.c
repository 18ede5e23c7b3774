/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packed profiles (.ppk), as ParaProf writes them: gzip of big-endian numbers and
 * strings. All is read into memory, up to the limit that runs have; counts are checked
 * against the bytes that are left.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-bytes.h"
#include "kymo-error.h"
#include "kymo-inflate.h"
#include "kymo-tau-profile.h"
#include "kymo-tau-profile-text.h"

#define COOKIE "\0P\0P\0K"
#define COOKIE_BYTES 6
#define LOWEST_VERSION 1
/* A number of four bytes may stand for a long name, and come as often as it likes. */
#define MAX_GROUPS 64
#define MAX_GROUPS_BYTES 4096

/* The bytes, and how far they are read; `bad` once something did not fit. */
typedef struct
{
  const guint8 *p, *end;
  gboolean      bad;
} Bytes;

typedef struct
{
  KymoTauReading *reading;
  Bytes      bytes;
  GPtrArray *facts;             /* char *: key and value in turn */
  GPtrArray *metrics;           /* char * */
  GPtrArray *groups;            /* char * */
  GArray    *events, *users;    /* guint32: numbers in the part */
  gint64     n_wild;            /* rows whose figures cannot be added up */
} Packed;

static const guint8 *
take_tau_packed (Bytes *bytes,
                 gsize  n)
{
  const guint8 *p = bytes->p;

  if (bytes->bad || (gsize) (bytes->end - p) < n)
    {
      bytes->bad = TRUE;
      return NULL;
    }
  bytes->p += n;
  return p;
}

static gint32
take_int (Bytes *bytes)
{
  const guint8 *p = take_tau_packed (bytes, 4);

  return p != NULL ? kymo_get_32 (p, TRUE) : 0;
}

static double
take_double (Bytes *bytes)
{
  const guint8 *p = take_tau_packed (bytes, 8);

  return p != NULL ? kymo_get_double (p, TRUE) : 0;
}

/* Reads a count of things, each of which takes at least this number of bytes in the file. */
static guint
take_count (Bytes *bytes,
            gsize  least)
{
  gint32 n = take_int (bytes);

  if (n < 0 || (gsize) n > (gsize) (bytes->end - bytes->p) / least)
    bytes->bad = TRUE;
  return bytes->bad ? 0 : n;
}

/* A string of Java: its UTF-8 is ours but for NUL and what lies beyond the basic plane,
   which a reader of names can do without. */
static char *
take_string (Bytes *bytes)
{
  const guint8 *n = take_tau_packed (bytes, 2);
  const guint8 *p = n != NULL ? take_tau_packed (bytes, n[0] << 8 | n[1]) : NULL;

  return p != NULL ? g_strndup ((const char *) p, n[0] << 8 | n[1]) : g_strdup ("");
}

static void
take_facts (Bytes     *bytes,
            GPtrArray *facts)
{
  guint n = take_count (bytes, 4);

  for (guint i = 0; i < 2 * n && !bytes->bad; i++)
    {
      g_autofree char *text = take_string (bytes);

      if (facts != NULL)
        g_ptr_array_add (facts, g_steal_pointer (&text));
    }
}

/* Reads the header: facts of the run and of each thread. */
static void
read_header (Packed *packed)
{
  Bytes *bytes = &packed->bytes;
  guint length = take_count (bytes, 1), n;
  Bytes header = { bytes->p, bytes->p + length, bytes->bad };

  take_tau_packed (bytes, length);
  take_int (&header);
  take_facts (&header, packed->facts);
  n = take_count (&header, 16);
  for (guint i = 0; i < n && !header.bad; i++)
    {
      take_tau_packed (&header, 12);
      take_facts (&header, i == 0 ? packed->facts : NULL);
    }
}

static GPtrArray *
read_strings (Bytes *bytes)
{
  GPtrArray *strings = g_ptr_array_new_with_free_func (g_free);
  guint n = take_count (bytes, 2);

  for (guint i = 0; i < n && !bytes->bad; i++)
    g_ptr_array_add (strings, take_string (bytes));
  return strings;
}

/* The next group of a function, its k-th. Tells whether it is the one that marks paths. */
static gboolean
take_group (Packed  *packed,
            guint    k,
            GString *groups)
{
  gint32 group = take_int (&packed->bytes);
  const char *name;

  if (group < 0 || group >= (gint32) packed->groups->len)
    return FALSE;
  name = packed->groups->pdata[group];
  if (g_str_equal (name, "TAU_CALLPATH"))
    return TRUE;
  if (k < MAX_GROUPS && groups->len + strlen (name) < MAX_GROUPS_BYTES)
    g_string_append_printf (groups, "%s%s", groups->len > 0 ? "|" : "", name);
  return FALSE;
}

static void
read_functions (Packed          *packed,
                KymoProfilePart *part)
{
  Bytes *bytes = &packed->bytes;
  guint n = take_count (bytes, 6);

  for (guint i = 0; i < n && !bytes->bad; i++)
    {
      g_autofree char *name = take_string (bytes);
      g_autoptr (GString) groups = g_string_new (NULL);
      guint n_groups = take_count (bytes, 4);
      const char *list;
      gsize length;
      guint32 flags, number;
      gboolean is_path = FALSE;

      for (guint k = 0; k < n_groups && !bytes->bad; k++)
        is_path |= take_group (packed, k, groups);
      list = groups->str;
      length = groups->len;
      flags = kymo_tau_profile_flags (name, strlen (name), &list, &length);
      number = kymo_profile_part_event (part, name, strlen (name), list, length,
                                        flags | (is_path ? KYMO_PROFILE_PATH : 0));
      g_array_append_val (packed->events, number);
    }
}

static void
read_user_events (Packed          *packed,
                  KymoProfilePart *part)
{
  g_autoptr (GPtrArray) names = read_strings (&packed->bytes);

  for (guint i = 0; i < names->len; i++)
    {
      guint32 number = kymo_profile_part_user_event (part, names->pdata[i],
                                                     strlen (names->pdata[i]));

      g_array_append_val (packed->users, number);
    }
}

/* Figures of one thread; what has a number that is not defined makes all bad. */
static void
read_thread (Packed          *packed,
             KymoProfilePart *part)
{
  Bytes *bytes = &packed->bytes;
  double values[2 * KYMO_MAX_PROFILE_METRICS] = { 0 };
  guint n_metrics = packed->metrics->len;
  guint n = take_count (bytes, 20 + 16 * n_metrics);

  for (guint i = 0; i < n && !bytes->bad; i++)
    {
      guint32 id = take_int (bytes);
      double counts[2];

      counts[0] = take_double (bytes);
      counts[1] = take_double (bytes);
      for (guint m = 0; m < 2 * n_metrics; m++)
        values[m] = take_double (bytes);
      if (id >= packed->events->len)
        bytes->bad = TRUE;
      else if (!kymo_profile_are_figures (counts, G_N_ELEMENTS (counts))
               || !kymo_profile_are_figures (values, 2 * n_metrics))
        packed->n_wild++;
      else if (!bytes->bad)
        kymo_profile_part_add_all (part, g_array_index (packed->events, guint32, id), counts[0],
                                   counts[1], values);
    }
  n = take_count (bytes, 40);
  for (guint i = 0; i < n && !bytes->bad; i++)
    {
      guint32 id = take_int (bytes);
      KymoUserEventRow row = { .n = take_int (bytes) };

      row.min = take_double (bytes);
      row.max = take_double (bytes);
      row.mean = take_double (bytes);
      row.sum_squares = take_double (bytes);
      if (id >= packed->users->len)
        bytes->bad = TRUE;
      else if (!kymo_profile_check_user (&row))
        packed->n_wild++;
      else if (!bytes->bad)
        {
          row.event = g_array_index (packed->users, guint32, id);
          kymo_profile_part_add_user (part, &row);
        }
    }
}

/* The inflated bytes of the file. */
static GByteArray *
inflate (KymoTauReading *reading,
         const char     *path,
         GError        **error)
{
  gint64 most_bytes = reading->options->memory_limit_bytes;
  g_autoptr (KymoInflate) stream = kymo_inflate_open (path, error);
  GByteArray *bytes;
  guint8 buffer[64 << 10];
  gsize n;

  if (stream == NULL)
    return NULL;
  bytes = g_byte_array_new ();
  while ((n = kymo_inflate_read (stream, buffer, sizeof buffer, reading->job)) > 0)
    {
      if ((gint64) (bytes->len + n) > MIN (most_bytes, G_MAXINT32))
        {
          g_byte_array_unref (bytes);
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
                       _("“%s” needs more memory than the limit allows"), path);
          return NULL;
        }
      g_byte_array_append (bytes, buffer, n);
    }
  if (kymo_inflate_get_end (stream) != KYMO_INFLATE_END)
    kymo_report_add (reading->report, reading->files->file, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The compressed data of the packed profile are cut off or damaged"));
  return bytes;
}

/* Cookie and versions. */
static gboolean
read_begin (Bytes *bytes)
{
  const guint8 *cookie = take_tau_packed (bytes, COOKIE_BYTES);

  if (cookie == NULL || memcmp (cookie, COOKIE, COOKIE_BYTES) != 0)
    return FALSE;
  take_int (bytes);
  return take_int (bytes) == LOWEST_VERSION && !bytes->bad;
}

/* Where each thread's figures begin, to sort the threads. */
typedef struct
{
  KymoProfileThread thread;
  guint             place;
} Order;

static gint
compare_orders (gconstpointer a,
                gconstpointer b)
{
  return kymo_profile_thread_compare (&((const Order *) a)->thread, &((const Order *) b)->thread);
}

/* Skips the figures of one thread. */
static void
skip_thread (const Packed *packed,
             Bytes        *bytes)
{
  gsize row = 20 + 16 * packed->metrics->len;

  take_tau_packed (bytes, take_count (bytes, row) * row);
  take_tau_packed (bytes, (gsize) take_count (bytes, 40) * 40);
}

/* Skips the figures of all threads, and notes which there are, in their order: as many as
   are whole, and the first of what is listed twice. */
static GArray *
list_threads (Packed *packed,
              Bytes   bytes,
              guint  *n_told,
              guint  *n_listed)
{
  GArray *orders = g_array_new (FALSE, FALSE, sizeof (Order));
  guint n = 0;

  *n_told = take_count (&bytes, 20);
  for (guint i = 0; i < *n_told && !bytes.bad; i++)
    {
      Order order = { .place = i };

      order.thread.node = take_int (&bytes);
      order.thread.context = take_int (&bytes);
      order.thread.thread = take_int (&bytes);
      skip_thread (packed, &bytes);
      if (!bytes.bad && MIN (order.thread.node, MIN (order.thread.context,
                                                     order.thread.thread)) >= 0)
        g_array_append_val (orders, order);
      else
        break;
    }
  *n_listed = orders->len;
  g_array_sort (orders, compare_orders);
  for (guint i = 0; i < orders->len; i++)
    {
      Order *all = (Order *) orders->data;

      if (n == 0 || compare_orders (&all[n - 1], &all[i]) != 0)
        all[n++] = all[i];
      else
        all[n - 1].place = MIN (all[n - 1].place, all[i].place);
    }
  g_array_set_size (orders, n);
  return orders;
}

/* Tells how many are whole. */
static guint
read_threads (Packed          *packed,
              KymoProfilePart *part,
              GArray          *orders,
              guint            n_listed)
{
  g_autofree guint *location = g_new (guint, n_listed + 1);
  guint n = 0;

  memset (location, 0xff, (n_listed + 1) * sizeof (guint));
  for (guint i = 0; i < orders->len; i++)
    location[g_array_index (orders, Order, i).place] = i;
  take_int (&packed->bytes);
  for (guint i = 0; i < n_listed && !packed->bytes.bad && !kymo_profile_part_is_full (part); i++)
    {
      take_tau_packed (&packed->bytes, 12);
      if (location[i] == G_MAXUINT)
        {
          skip_thread (packed, &packed->bytes);
          n++;
          continue;
        }
      kymo_profile_part_begin (part, location[i], 0);
      read_thread (packed, part);
      n += !packed->bytes.bad;
    }
  return n;
}

static void
tell_tau_packed (const Packed *packed,
                 guint         n_told,
                 guint         n_listed,
                 guint         n_read,
                 guint         n_kept)
{
  KymoTauReading *reading = packed->reading;

  if (n_read < n_told)
    kymo_report_add (reading->report, reading->files->file, KYMO_SEVERITY_LOST,
                     n_told - n_read, -1,
                     N_("The packed profile is cut off or damaged; figures at its end are "
                        "missing"));
  if (packed->n_wild > 0)
    kymo_report_add (reading->report, reading->files->file, KYMO_SEVERITY_LOST,
                     packed->n_wild, -1,
                     N_("Rows with a figure that is no finite number, or is beyond 10^18, were "
                        "left out"));
  if (n_kept < n_listed)
    kymo_report_add (reading->report, reading->files->file, KYMO_SEVERITY_LOST,
                     n_listed - n_kept, -1,
                     N_("Threads are listed twice in the packed profile; the first counts"));
}

/* A run of the threads that were begun. */
static KymoRun *
make_run (Packed              *packed,
          KymoProfileBuilder  *builder,
          GArray              *orders,
          GError             **error)
{
  g_autoptr (GArray) kept = kymo_profile_builder_keep_begun (builder);
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (KymoProfileThread));
  GPtrArray *profiles;

  for (guint i = 0; i < kept->len; i++)
    g_array_append_val (threads, g_array_index (orders, Order,
                                                g_array_index (kept, guint, i)).thread);
  profiles = kymo_tau_profile_make (packed->reading, builder, error);
  return profiles != NULL ? kymo_profile_run_new ("tau-profile", threads, profiles) : NULL;
}

/* The tables and figures; the first that does not fit ends the reading. */
static KymoRun *
read_tables (Packed  *packed,
             GError **error)
{
  KymoTauReading *reading = packed->reading;
  g_autoptr (GArray) orders = NULL;
  KymoProfileBuilder *builder;
  KymoProfilePart *part;
  Bytes ahead;
  guint n_told, n_listed, n_read;

  read_header (packed);
  packed->metrics = read_strings (&packed->bytes);
  if (packed->bytes.bad || packed->metrics->len > KYMO_MAX_PROFILE_METRICS)
    return NULL;
  packed->groups = read_strings (&packed->bytes);
  /* Names are read twice: how many locations there are stands behind them. */
  ahead = packed->bytes;
  for (guint n = take_count (&ahead, 6); n > 0 && !ahead.bad; n--)
    {
      g_free (take_string (&ahead));
      take_tau_packed (&ahead, 4 * (gsize) take_count (&ahead, 4));
    }
  g_ptr_array_unref (read_strings (&ahead));
  orders = list_threads (packed, ahead, &n_told, &n_listed);
  if (orders->len == 0)
    return NULL;
  builder = kymo_tau_profile_builder_new (reading, orders->len, packed->metrics);
  part = kymo_profile_builder_add_part (builder);
  read_functions (packed, part);
  read_user_events (packed, part);
  n_read = read_threads (packed, part, orders, n_listed);
  tell_tau_packed (packed, n_told, n_listed, n_read, orders->len);
  return make_run (packed, builder, orders, error);
}

/**
 * kymo_tau_profile_read_packed:
 *
 * Reads a packed profile (.ppk). Sets %KYMO_ERROR_UNREADABLE or another error of reading.
 *
 * Returns: (transfer full) (nullable): the run, not sealed
 */
KymoRun *
kymo_tau_profile_read_packed (KymoTauReading  *reading,
                              GError         **error)
{
  g_autofree char *path = g_build_filename (reading->files->folder, reading->files->file, NULL);
  g_autoptr (GByteArray) bytes = inflate (reading, path, error);
  Packed packed = { .reading = reading };
  KymoRun *run = NULL;

  if (bytes == NULL)
    return NULL;
  /* A file may be empty: then there are no bytes to point at. */
  packed.bytes.p = bytes->data;
  packed.bytes.end = bytes->len > 0 ? bytes->data + bytes->len : NULL;
  packed.facts = g_ptr_array_new_with_free_func (g_free);
  packed.events = g_array_new (FALSE, FALSE, sizeof (guint32));
  packed.users = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (read_begin (&packed.bytes))
    run = read_tables (&packed, error);
  if (run == NULL && (error == NULL || *error == NULL))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("“%s” is no packed profile of TAU that can be read"), path);
  if (run != NULL)
    kymo_profile_run_add_list (run, packed.facts);
  g_ptr_array_unref (packed.facts);
  g_clear_pointer (&packed.metrics, g_ptr_array_unref);
  g_clear_pointer (&packed.groups, g_ptr_array_unref);
  g_array_unref (packed.events);
  g_array_unref (packed.users);
  return run;
}
