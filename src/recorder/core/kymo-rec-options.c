/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-rec-options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_BUFFER (64u << 10)
#define MOST_BUFFER (1u << 30)
#define RING_LIMIT (256u << 20)

/* Digits with at most three behind a point, in thousandths; *rest is what follows. */
static bool
parse_thousandths (const char  *text,
                   uint64_t    *value,
                   const char **rest)
{
  const char *at = text;
  uint64_t sum = 0;
  int decimals = -1;

  for (; (*at >= '0' && *at <= '9') || (*at == '.' && decimals < 0); at++)
    {
      if (*at == '.')
        {
          decimals = 0;
          continue;
        }
      if (decimals >= 3)
        return false;
      if (sum > UINT64_MAX / 10000)
        return false;
      sum = sum * 10 + (uint64_t) (*at - '0');
      decimals += decimals >= 0;
    }
  if (at == text || (at == text + 1 && *text == '.'))
    return false;
  for (int i = decimals < 0 ? 0 : decimals; i < 3; i++)
    {
      if (sum > UINT64_MAX / 10)
        return false;
      sum *= 10;
    }
  *value = sum;
  *rest = at;
  return true;
}

static bool
scale_value (uint64_t  thousandths,
             uint64_t  unit,
             uint64_t *result)
{
  unsigned __int128 product = (unsigned __int128) thousandths * unit / 1000;

  if (product > INT64_MAX)
    return false;
  *result = (uint64_t) product;
  return true;
}

/**
 * kymo_rec_parse_bytes:
 * @text: such as 65536, 64K, 1.5M, 2G or 1T; units are powers of 1,024, a B may follow
 * @n_bytes: (out): the size in bytes
 *
 * Returns: FALSE if @text is no size
 */
bool
kymo_rec_parse_bytes (const char *text,
                      uint64_t   *n_bytes)
{
  static const char units[] = "KMGT";
  const char *rest;
  uint64_t value, unit = 1;

  if (!parse_thousandths (text, &value, &rest))
    return false;
  if (*rest != '\0' && *rest != 'B')
    {
      const char *found = strchr (units, *rest >= 'a' && *rest <= 'z' ? *rest - 32 : *rest);
      if (found == NULL || *found == '\0')
        return false;
      unit <<= 10 * (found - units + 1);
      rest++;
      rest += *rest == 'i';
    }
  rest += *rest == 'B';
  return *rest == '\0' && scale_value (value, unit, n_bytes);
}

/**
 * kymo_rec_parse_time:
 * @text: such as 250us, 12.5ms, 3s, 2m or 1h; digits alone are nanoseconds
 * @time_ns: (out): the time
 *
 * Returns: FALSE if @text is no time
 */
bool
kymo_rec_parse_time (const char *text,
                     uint64_t   *time_ns)
{
  static const struct
  {
    const char *name;
    uint64_t unit_ns;
  } units[] = {
    { "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
    { "m", 60000000000 }, { "min", 60000000000 }, { "h", 3600000000000 },
  };
  const char *rest;
  uint64_t value;

  if (!parse_thousandths (text, &value, &rest))
    return false;
  for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp (rest, units[i].name) == 0)
      return scale_value (value, units[i].unit_ns, time_ns);
  return false;
}

static void
copy_variable (const char *name,
               char       *to,
               size_t      n_bytes)
{
  const char *value = getenv (name);
  size_t length = value != NULL ? strlen (value) : 0;

  if (length >= n_bytes)
    length = 0;
  if (length > 0)
    memcpy (to, value, length);
  to[length] = '\0';
}

static bool
is_switched_on (const char *name)
{
  const char *value = getenv (name);

  return value != NULL && *value != '\0' && strcmp (value, "0") != 0;
}

/**
 * kymo_rec_options_read: reads the variables; what is missing or makes no sense has its default,
 * since the launcher has refused wrong values before.
 */
void
kymo_rec_options_read (KymoRecOptions *options)
{
  const char *text;

  memset (options, 0, sizeof *options);
  copy_variable ("KYMO_RECORD_DIR", options->folder, sizeof options->folder);
  copy_variable ("KYMO_RECORD_JOB", options->job, sizeof options->job);
  copy_variable ("KYMO_RECORD_LOCAL", options->local, sizeof options->local);
  copy_variable ("KYMO_RECORD_KEEP", options->keep, sizeof options->keep);
  if ((text = getenv ("KYMO_RECORD_MAIN")) != NULL)
    options->main_pid = atoi (text);
  if ((text = getenv ("KYMO_RECORD_BUFFER")) == NULL
      || !kymo_rec_parse_bytes (text, &options->buffer_bytes))
    options->buffer_bytes = 1 << 20;
  if (options->buffer_bytes < LEAST_BUFFER)
    options->buffer_bytes = LEAST_BUFFER;
  if (options->buffer_bytes > MOST_BUFFER)
    options->buffer_bytes = MOST_BUFFER;
  if ((text = getenv ("KYMO_RECORD_LAST")) == NULL
      || !kymo_rec_parse_time (text, &options->last_ns))
    options->last_ns = 0;
  if ((text = getenv ("KYMO_RECORD_LIMIT")) == NULL
      || !kymo_rec_parse_bytes (text, &options->limit_bytes))
    options->limit_bytes = options->last_ns != 0 ? RING_LIMIT : 0;
  if ((text = getenv ("KYMO_RECORD_PATIENCE")) == NULL
      || !kymo_rec_parse_time (text, &options->patience_ns))
    options->patience_ns = 10000000000u;
  if ((text = getenv ("KYMO_RECORD_SYSTEM")) == NULL
      || !kymo_rec_parse_time (text, &options->system_ns))
    options->system_ns = 1000000000;
  if ((text = getenv ("KYMO_RECORD_SAMPLE")) != NULL && atoi (text) > 0 && atoi (text) <= 1000)
    options->sample_hz = (uint32_t) atoi (text);
  options->live = is_switched_on ("KYMO_RECORD_LIVE");
  if (options->live && (text = getenv ("KYMO_RECORD_LIVE")) != NULL && atoi (text) > 1
      && atoi (text) <= UINT16_MAX)
    options->live_port = (uint16_t) atoi (text);
  options->on_request = options->live && is_switched_on ("KYMO_RECORD_ON_REQUEST");
  copy_variable ("KYMO_RECORD_LIVE_KEY", options->live_key, sizeof options->live_key);
  options->memory = is_switched_on ("KYMO_RECORD_MEMORY");
  options->quiet = is_switched_on ("KYMO_RECORD_QUIET");
  options->keep_raw = is_switched_on ("KYMO_RECORD_KEEP_RAW");
  options->tests = is_switched_on ("KYMO_RECORD_TESTS");
}
