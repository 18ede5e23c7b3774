/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: what a client reads of a recorded job: values of a second, and the lines of its
 * actions. All counts are bounded, texts are what a label may show, and ranges are in order.
 */
#include "config.h"

#include <string.h>

#include "fuzz.h"
#include "kymo-job-line.h"
#include "kymo-stream-values.h"

static void
check_text (const char *text)
{
  fuzz_require (text != NULL && g_utf8_validate (text, -1, NULL));
  for (const char *at = text; *at != '\0'; at++)
    fuzz_require ((guchar) *at >= 32 && *at != 127);
}

static void
check_values (const guint8 *data,
              gsize         size)
{
  g_autofree KymoStreamValues *values = g_new (KymoStreamValues, 1);
  gboolean read = kymo_stream_values_parse (values, (const char *) data, size);

  fuzz_require (read == (values->second >= 0));
  fuzz_require (values->n_values <= KYMO_STREAM_MOST_VALUES);
  fuzz_require (values->n_idlest <= KYMO_STREAM_MOST_EXTREMES);
  fuzz_require (values->n_busiest <= KYMO_STREAM_MOST_EXTREMES);
  for (guint i = 0; i < values->n_values; i++)
    {
      const KymoStreamValue *value = &values->values[i];
      g_autofree char *shown = kymo_stream_value_format (value, value->most);

      fuzz_require (value->n > 0 && value->name[0] != '\0');
      fuzz_require (memchr (value->name, 0, sizeof value->name) != NULL);
      fuzz_require (memchr (value->unit, 0, sizeof value->unit) != NULL);
      fuzz_require (kymo_stream_values_find (values, value->name) != NULL);
    }
}

static void
check_argument (const KymoJobArgument *argument)
{
  fuzz_require (argument->key[0] != '\0');
  if (argument->type == KYMO_JOB_CHOICE)
    {
      fuzz_require (argument->words != NULL && argument->words[0] != NULL);
      check_text (argument->word);
      for (guint i = 0; argument->words[i] != NULL; i++)
        check_text (argument->words[i]);
    }
  else if (argument->type == KYMO_JOB_REAL)
    fuzz_require (argument->least_real <= argument->most_real
                  && argument->now_real - argument->now_real == 0);
  else
    fuzz_require (argument->least <= argument->most);
}

static void
check_action (const char *const *fields)
{
  g_autoptr (KymoJobAction) action = kymo_job_action_parse (fields);

  if (action == NULL)
    return;
  check_text (action->name);
  check_text (action->title);
  if (action->reason != NULL)
    check_text (action->reason);
  for (guint i = 0; i < action->arguments->len; i++)
    check_argument (action->arguments->pdata[i]);
}

static void
check_line (const char *line,
            gsize       n_bytes)
{
  g_auto (GStrv) owned = kymo_job_line_split (line, n_bytes);
  const char *const *fields = (const char *const *) owned;
  g_autoptr (KymoJobInfo) info = kymo_job_info_parse (fields);
  g_autoptr (KymoJobOrder) order = kymo_job_order_parse (fields);

  check_action (fields);
  if (info != NULL)
    {
      fuzz_require (info->n_ranks > 0 && info->pid > 0);
      check_text (info->program);
    }
  if (order != NULL)
    check_text (order->sentence);
}

/* What a request says is read as it was meant. */
static void
check_request (const guint8 *data,
               gsize         size)
{
  g_autofree char *bytes = g_strndup ((const char *) data, size);
  g_autofree char *text = g_utf8_make_valid (bytes, -1);
  const char *const fields[] = { text, "b%c", NULL };
  g_autofree char *line = kymo_job_line_join (fields);
  g_auto (GStrv) again = kymo_job_line_split (line, strlen (line) - 1);

  fuzz_require (strchr (line, '\n') == line + strlen (line) - 1);
  if (strlen (line) > KYMO_JOB_MOST_LINE)
    return;
  fuzz_require (g_strv_length (again) == 2 && strcmp (again[1], "b%25c") == 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const char *at = (const char *) data, *end = at + size;

  check_values (data, size);
  check_request (data, size);
  while (at < end)
    {
      const char *newline = memchr (at, '\n', end - at);
      gsize n_bytes = (newline != NULL ? newline : end) - at;

      check_line (at, n_bytes);
      at += n_bytes + 1;
    }
  return 0;
}
