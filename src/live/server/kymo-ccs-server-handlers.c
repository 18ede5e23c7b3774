/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a CCS server says to a whole request, as the program did whose
 * recording it offers; and, on demand, what goes wrong with it.
 */
#include "config.h"

#include "kymo-ccs-server-private.h"

#include <string.h>

#define HEADER_BYTES 4
#define HUGE_BYTES 0x7fffffff
/* the version of the machine layer that the recorded programs told */
#define ARCH_MAJOR 10
#define ARCH_MINOR 11
/* more processes are not told of: a reply has its bounds too */
#define MAX_PROCESSES 65536

static void
append_be32 (GByteArray *bytes,
             guint32     value)
{
  guint32 be = GUINT32_TO_BE (value);

  g_byte_array_append (bytes, (const guint8 *) &be, sizeof be);
}

static void
append_payload (GByteArray   *bytes,
                gconstpointer payload,
                gsize         n)
{
  append_be32 (bytes, n);
  if (n > 0)
    g_byte_array_append (bytes, payload, n);
}

/* PEs are told as the machine tells them: of each process. */
static void
say_info (KymoCcsServer *server,
          GByteArray    *bytes)
{
  guint n_pes = kymo_ccs_tape_get_n_pes (server->tape);
  guint n = MIN (kymo_ccs_tape_get_processes (server->tape), MAX_PROCESSES);

  append_be32 (bytes, 4 * (n + 1));
  append_be32 (bytes, n);
  for (guint i = 0; i < n; i++)
    append_be32 (bytes, n_pes / n + (i < n_pes % n ? 1 : 0));
}

static gboolean
is_big_endian (KymoCcsServer *server)
{
  return kymo_ccs_tape_get_form (server->tape)->big_endian
         != (server->faults.number[KYMO_CCS_FAULT_SWAP] != 0);
}

static void
say_arch (KymoCcsServer *server,
          GByteArray    *bytes)
{
  gboolean wide = kymo_ccs_tape_get_word_bits (server->tape) != 32;
  guint8 arch[8] = { ARCH_MAJOR, ARCH_MINOR, wide ? 2 : 1, is_big_endian (server) ? 2 : 1,
                     4, wide ? 8 : 4, 8, 1 };

  if (server->faults.number[KYMO_CCS_FAULT_NO_ARCH] != 0)
    append_be32 (bytes, 0);
  else
    append_payload (bytes, arch, sizeof arch);
}

static GBytes *
make_nothing (const KymoStreamForm *form)
{
  static const guint8 zero[4] = { 0 }, share[1] = { 255 };
  union { double number; guint64 bits; } none = { .number = -13.37 };
  guint64 bits;

  switch (form->kind)
    {
    case KYMO_STREAM_DOUBLES:
      bits = form->big_endian ? GUINT64_TO_BE (none.bits) : GUINT64_TO_LE (none.bits);
      return g_bytes_new (&bits, sizeof bits);
    case KYMO_STREAM_SHARES:
      return g_bytes_new_static (share, sizeof share);
    case KYMO_STREAM_DETAIL:
    default:
      return g_bytes_new_static (zero, sizeof zero);
    }
}

/* The next block that is due and was not stolen, or what says that there is
   none. */
static GBytes *
take_block (KymoCcsServer *server,
            gboolean      *is_block)
{
  const KymoStreamForm *form = kymo_ccs_tape_get_form (server->tape);
  gint64 now_us = g_get_monotonic_time ();
  g_autoptr (GBytes) taken = kymo_ccs_tape_take (server->tape, now_us);
  g_autoptr (GBytes) told = NULL;

  while (taken != NULL
         && kymo_ccs_faults_fall_on (&server->faults, KYMO_CCS_FAULT_STEAL,
                                     kymo_ccs_tape_get_n_taken (server->tape)))
    {
      g_bytes_unref (taken);
      taken = kymo_ccs_tape_take (server->tape, now_us);
    }
  *is_block = taken != NULL;
  told = taken == NULL ? make_nothing (form)
                       : kymo_ccs_faults_spoil (&server->faults, form,
                                                kymo_ccs_tape_get_n_taken (server->tape), taken);
  if (server->faults.number[KYMO_CCS_FAULT_SWAP] != 0)
    return kymo_ccs_faults_swap (form, told);
  return g_steal_pointer (&told);
}

static void
set_length (GByteArray *bytes,
            gsize       at,
            guint32     length)
{
  guint32 be = GUINT32_TO_BE (length);

  memcpy (bytes->data + at, &be, sizeof be);
}

/* `at`: where the length stands in the reply. */
static void
break_block (KymoCcsServer *server,
             KymoCcsReply  *reply,
             gsize          at)
{
  const KymoCcsFaults *faults = &server->faults;
  gint64 index = kymo_ccs_tape_get_n_taken (server->tape);

  if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_HALF, index))
    g_byte_array_set_size (reply->bytes, reply->bytes->len / 2);
  else if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_HANG, index))
    {
      g_byte_array_set_size (reply->bytes, at + HEADER_BYTES);
      reply->after = KYMO_CCS_AFTER_HOLD;
    }
  else if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_HUGE, index))
    {
      set_length (reply->bytes, at, HUGE_BYTES);
      reply->after = KYMO_CCS_AFTER_HOLD;
    }
  else if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_NEGATIVE, index))
    set_length (reply->bytes, at, G_MAXUINT32);
  else if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_DRIP, index))
    reply->drip = TRUE;
}

static void
say_stream (KymoCcsServer *server,
            KymoCcsReply  *reply)
{
  const KymoCcsFaults *faults = &server->faults;
  gsize at = reply->bytes->len;
  gint64 index = ++server->n_asked;
  gboolean is_block;

  reply->late_ms = faults->number[KYMO_CCS_FAULT_LATE];
  if (index <= faults->number[KYMO_CCS_FAULT_START])
    append_be32 (reply->bytes, 0);
  else if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_RESET, index)
           || kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_CLOSE, index))
    {
      g_byte_array_set_size (reply->bytes, 0);
      if (kymo_ccs_faults_fall_on (faults, KYMO_CCS_FAULT_RESET, index))
        reply->after = KYMO_CCS_AFTER_RESET;
    }
  else
    {
      g_autoptr (GBytes) payload = take_block (server, &is_block);

      append_payload (reply->bytes, g_bytes_get_data (payload, NULL),
                      g_bytes_get_size (payload));
      if (is_block)
        break_block (server, reply, at);
    }
}

/**
 * kymo_ccs_server_answer:
 * @request: a whole one, and one that is allowed
 * @reply: what is to be said; its bytes hold the hash of an authenticated
 *   reply already, or nothing
 *
 * A handler that is not known gets length 0, a PE that there is not no byte.
 */
void
kymo_ccs_server_answer (KymoCcsServer              *server,
                        const KymoCcsServerRequest *request,
                        KymoCcsReply               *reply)
{
  const KymoStreamForm *form = kymo_ccs_tape_get_form (server->tape);

  if (!kymo_ccs_server_request_is_to (request, kymo_ccs_tape_get_n_pes (server->tape)))
    g_byte_array_set_size (reply->bytes, 0);
  else if (strcmp (request->handler, "debug/converse/arch") == 0)
    say_arch (server, reply->bytes);
  else if (strcmp (request->handler, "ccs_getinfo") == 0)
    say_info (server, reply->bytes);
  else if (server->faults.number[KYMO_CCS_FAULT_NO_STREAM] == 0
           && strcmp (request->handler, kymo_stream_kind_get_handler (form->kind)) == 0)
    say_stream (server, reply);
  else
    append_be32 (reply->bytes, 0);
}
