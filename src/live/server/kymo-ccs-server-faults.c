/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-ccs-server-faults.h"

#include <string.h>

#include "kymo-error.h"

#define MAX_NUMBER 1000000
#define RECORD_BYTES 3
#define WRONG_RECORDS 60000
#define WRONG_BINS 40000

typedef struct
{
  const char *name;
  guint       number;           /* where none is given */
  const char *what;
} Fault;

static const Fault faults_known[KYMO_CCS_N_FAULTS] = {
  [KYMO_CCS_FAULT_START] = { "start", 3,
    "the first N requests for the stream get length 0, as before the program registers it" },
  [KYMO_CCS_FAULT_LATE] = { "late", 2000, "replies of the stream come N ms late" },
  [KYMO_CCS_FAULT_RESET] = { "reset", 3,
    "every Nth request for the stream is reset; no block is lost" },
  [KYMO_CCS_FAULT_CLOSE] = { "close", 3,
    "every Nth request for the stream is closed without a byte; no block is lost" },
  [KYMO_CCS_FAULT_HALF] = { "half", 3, "half of every Nth block, then closed" },
  [KYMO_CCS_FAULT_DRIP] = { "drip", 3, "of every Nth block one byte a second" },
  [KYMO_CCS_FAULT_HANG] = { "hang", 3, "of every Nth block the length alone, and never closed" },
  [KYMO_CCS_FAULT_HUGE] = { "huge", 3,
    "every Nth block says that it has 2 GB, and is never closed" },
  [KYMO_CCS_FAULT_NEGATIVE] = { "negative", 3, "every Nth block says that it has -1 bytes" },
  [KYMO_CCS_FAULT_GARBAGE] = { "garbage", 3, "random bytes in place of every Nth block" },
  [KYMO_CCS_FAULT_BINS] = { "bins", 3, "every Nth block says a wrong number of bins" },
  [KYMO_CCS_FAULT_RECORDS] = { "records", 3, "every Nth block has a bin of 60,000 records" },
  [KYMO_CCS_FAULT_STEAL] = { "steal", 3,
    "every Nth block is given to nobody, as if another client had taken it" },
  [KYMO_CCS_FAULT_REFUSE] = { "refuse", 2, "after the third block the port is closed for N s" },
  [KYMO_CCS_FAULT_SWAP] = { "swap", 1, "the stream in the other byte order; a good one" },
  [KYMO_CCS_FAULT_NO_ARCH] = { "no-arch", 1, "it does not say what machine it is" },
  [KYMO_CCS_FAULT_NO_STREAM] = { "no-stream", 1, "it offers no stream" },
};

static char *
join_names (void)
{
  const char *names[KYMO_CCS_N_FAULTS + 1] = { NULL };

  for (guint i = 0; i < KYMO_CCS_N_FAULTS; i++)
    names[i] = faults_known[i].name;
  return g_strjoinv (", ", (char **) names);
}

static gboolean
parse_one (const char     *text,
           KymoCcsFaults  *faults,
           GError        **error)
{
  g_auto (GStrv) words = g_strsplit (text, "=", 2);
  guint64 number;

  for (guint i = 0; i < KYMO_CCS_N_FAULTS; i++)
    if (strcmp (g_strstrip (words[0]), faults_known[i].name) == 0)
      {
        number = faults_known[i].number;
        if (words[1] != NULL && !g_ascii_string_to_unsigned (g_strstrip (words[1]), 10, 1,
                                                             MAX_NUMBER, &number, NULL))
          {
            g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         _("“%s” is no number for “%s”: a whole one from 1 is needed"), words[1],
                         words[0]);
            return FALSE;
          }
        faults->number[i] = number;
        return TRUE;
      }
  g_autofree char *names = join_names ();
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is nothing that can go wrong here; what can is %s"), words[0], names);
  return FALSE;
}

/**
 * kymo_ccs_faults_parse:
 * @text: (nullable): "half,late=500"
 * @faults: (out): what goes wrong
 * @error: %KYMO_ERROR_USAGE, one sentence
 *
 * Returns: %FALSE where @text is no list of faults
 */
gboolean
kymo_ccs_faults_parse (const char     *text,
                       KymoCcsFaults  *faults,
                       GError        **error)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_auto (GStrv) words = g_strsplit (valid, ",", -1);

  memset (faults, 0, sizeof *faults);
  for (guint i = 0; words[i] != NULL; i++)
    if (*g_strstrip (words[i]) != 0 && !parse_one (words[i], faults, error))
      return FALSE;
  return TRUE;
}

/**
 * kymo_ccs_faults_list:
 *
 * Returns: "name=number: what it does", one a line, the number being the one
 * that is taken where none is given; static
 */
const char *
kymo_ccs_faults_list (void)
{
  static char *list;

  if (g_once_init_enter (&list))
    {
      GString *text = g_string_new (NULL);

      for (guint i = 0; i < KYMO_CCS_N_FAULTS; i++)
        {
          const Fault *fault = &faults_known[i];

          g_string_append (text, fault->name);
          if (strstr (fault->what, "N") != NULL)
            g_string_append_printf (text, "=%u", fault->number);
          g_string_append_printf (text, ": %s%s", fault->what,
                                  i + 1 < KYMO_CCS_N_FAULTS ? "\n" : "");
        }
      g_once_init_leave (&list, g_string_free (text, FALSE));
    }
  return list;
}

/**
 * kymo_ccs_faults_fall_on:
 * @index: of a block or request, from 1
 *
 * Returns: whether a fault of every N-th falls on it
 */
gboolean
kymo_ccs_faults_fall_on (const KymoCcsFaults *faults,
                         KymoCcsFault         fault,
                         gint64               index)
{
  return faults->number[fault] != 0 && index % faults->number[fault] == 0;
}

/* The same bytes on every machine, other ones for every block. */
static GBytes *
make_garbage (gint64 index,
              gsize  n_bytes)
{
  guint8 *bytes = g_malloc (MAX (n_bytes, 1));
  GRand *rand = g_rand_new_with_seed ((guint32) index);

  for (gsize i = 0; i < n_bytes; i++)
    bytes[i] = g_rand_int (rand);
  g_rand_free (rand);
  return g_bytes_new_take (bytes, n_bytes);
}

static void
put_int (guint8               *at,
         guint                 n_bytes,
         guint32               value,
         const KymoStreamForm *form)
{
  for (guint i = 0; i < n_bytes; i++)
    at[i] = value >> 8 * (form->big_endian ? n_bytes - 1 - i : i);
}

/* Seven bins more than there are; streams that do not say how many they have
   get more than any program keeps. */
static GBytes *
make_wrong_bins (const KymoStreamForm *form,
                 GBytes               *payload)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 *wrong;

  if (form->kind != KYMO_STREAM_DETAIL || n_bytes < 8)
    {
      n_bytes = WRONG_BINS * (gsize) (form->kind == KYMO_STREAM_DOUBLES ? 8 : 1);
      return g_bytes_new_take (g_malloc0 (n_bytes), n_bytes);
    }
  wrong = g_memdup2 (bytes, n_bytes);
  put_int (wrong, 4, 1007, form);
  return g_bytes_new_take (wrong, n_bytes);
}

static GBytes *
make_wrong_records (const KymoStreamForm *form)
{
  gsize n_bytes = 10 + WRONG_RECORDS * RECORD_BYTES;
  guint8 *wrong = g_malloc0 (n_bytes);

  put_int (wrong, 4, 1, form);
  put_int (wrong + 4, 4, MAX (form->n_pes, 1), form);
  put_int (wrong + 8, 2, WRONG_RECORDS, form);
  for (guint i = 0; i < WRONG_RECORDS; i++)
    put_int (wrong + 10 + RECORD_BYTES * i, 2, i % 10000, form);
  return g_bytes_new_take (wrong, n_bytes);
}

/**
 * kymo_ccs_faults_spoil:
 * @index: of the block, from 1
 * @payload: of it
 *
 * Faults that lie in the payload, which is then another one.
 *
 * Returns: (transfer full): @payload, or the bytes that replace it
 */
GBytes *
kymo_ccs_faults_spoil (const KymoCcsFaults  *faults,
                       const KymoStreamForm *form,
                       gint64                index,
                       GBytes               *payload)
{
  if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_GARBAGE, index))
    return make_garbage (index, g_bytes_get_size (payload));
  if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_BINS, index))
    return make_wrong_bins (form, payload);
  if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_RECORDS, index))
    return make_wrong_records (form);
  return g_bytes_ref (payload);
}

static void
swap_bytes (guint8 *at,
            guint   n)
{
  for (guint i = 0; i < n / 2; i++)
    {
      guint8 first = at[i];

      at[i] = at[n - 1 - i];
      at[n - 1 - i] = first;
    }
}

/* Takes a number of 2 bytes as it is, and turns it round. */
static guint
take_u16 (guint8               *at,
          const KymoStreamForm *form)
{
  guint value = form->big_endian ? at[0] << 8 | at[1] : at[1] << 8 | at[0];

  swap_bytes (at, 2);
  return value;
}

/* Bins follow one another without a gap; a damaged block is turned round as
   far as it goes. */
static void
swap_detail (guint8               *bytes,
             gsize                 n_bytes,
             const KymoStreamForm *form)
{
  gsize at = 8;

  for (gsize i = 0; i + 4 <= MIN (n_bytes, 8); i += 4)
    swap_bytes (bytes + i, 4);
  while (at + 2 <= n_bytes)
    {
      guint n = take_u16 (bytes + at, form);

      at += 2;
      for (; n > 0 && at + RECORD_BYTES <= n_bytes; n--, at += RECORD_BYTES)
        swap_bytes (bytes + at, 2);
    }
}

/**
 * kymo_ccs_faults_swap:
 * @form: of @payload
 * @payload: a reply
 *
 * Returns: (transfer full): the reply of a program on a machine of the other
 * byte order
 */
GBytes *
kymo_ccs_faults_swap (const KymoStreamForm *form,
                      GBytes               *payload)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 *swapped;

  if (form->kind == KYMO_STREAM_SHARES || n_bytes == 0)
    return g_bytes_ref (payload);
  swapped = g_memdup2 (bytes, n_bytes);
  if (form->kind == KYMO_STREAM_DETAIL)
    swap_detail (swapped, n_bytes, form);
  else
    for (gsize at = 0; at + 8 <= n_bytes; at += 8)
      swap_bytes (swapped + at, 8);
  return g_bytes_new_take (swapped, n_bytes);
}
