/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-work.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-remote-source-private.h"
#include "kymo-safe-text.h"

/* Most bytes that a command prints for a person. */
#define MOST_PRINTED (1 << 20)

/** Printed: by the command, by stream */
typedef struct
{
  GString *of[3];
} Printed;

static void
take_output (const KymoFrame *frame, gpointer data)
{
  Printed *printed = data;
  g_autoptr (GVariant) bytes = g_variant_lookup_value (frame->body, "bytes",
                                                       G_VARIANT_TYPE_BYTESTRING);
  guint32 stream = 0;
  gsize n;
  const char *text;

  if (frame->type != KYMO_FRAME_OUTPUT || bytes == NULL
      || !g_variant_lookup (frame->body, "stream", "u", &stream) || stream < 1 || stream > 2)
    return;
  text = g_variant_get_fixed_array (bytes, &n, 1);
  if (printed->of[stream]->len + n <= MOST_PRINTED)
    g_string_append_len (printed->of[stream], text, n);
}

/* The last line of what it complained of, without the name of the program. */
static void
set_complaint (GString *words, GError **error)
{
  static const char program[] = "kymo-cli: ";
  char *line;

  kymo_safe_text_clean (words, "\n");
  g_strchomp (words->str);
  line = strrchr (words->str, '\n');
  line = line != NULL ? line + 1 : words->str;
  if (g_str_has_prefix (line, program))
    line += strlen (program);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_WRITE, *line != '\0' ? line
                       : _("The command on the other machine failed and did not say why"));
}

/**
 * kymo_remote_source_work:
 * @words: (array zero-terminated=1): a command line of kymo-cli without its name; paths are those
 *   of the other machine, also "/~/…"
 * @job: for cancelling
 *
 * Has the kymo-cli beside the server do a command.
 *
 * Returns: (transfer full) (nullable): what it printed; %NULL with what it complained of
 */
char *
kymo_remote_source_work (KymoRemoteSource *source, const char *const *words, KymoJob *job,
                         GError **error)
{
  g_autoptr (KymoRemoteLine) line = kymo_remote_source_ref_line (source);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) complaints = g_string_new (NULL);
  Printed printed = { { NULL, out, complaints } };
  g_autoptr (KymoFrame) done = NULL;
  GVariantDict body;
  gint32 status = 1;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "words", "^aay", words);
  done = kymo_remote_link_ask (line->link, KYMO_FRAME_WORK, g_variant_dict_end (&body), NULL,
                               take_output, &printed, kymo_job_peek_cancellable (job), error);
  if (done == NULL)
    return NULL;
  g_variant_lookup (done->body, "status", "i", &status);
  if (status != 0)
    {
      set_complaint (complaints, error);
      return NULL;
    }
  kymo_safe_text_clean (out, "\n");
  return g_string_free (g_steal_pointer (&out), FALSE);
}
