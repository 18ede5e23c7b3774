/* kymo-env-ini.h: writes groups, keys and values as a key file of GLib reads them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The form is in docs/formats/environment.md. A writer is large and belongs to
 * one thread; the caller gives the memory. Texts are masked on their way.
 */

#pragma once

#include "kymo-node-text.h"

#define KYMO_ENV_INI_BYTES (1 << 20)
#define KYMO_ENV_TEXT_BYTES 4096
#define KYMO_ENV_MOST_ITEMS 1024

/* Told each line once more: NAME is `GROUP.KEY`, VALUE as in the file. */
typedef void (*KymoEnvTold) (const char *name, const char *value, void *data);

typedef struct
{
  KymoNodeText ini;
  KymoNodeText value;            /* of the line that is being written */
  KymoEnvTold told;             /* or NULL */
  void *told_data;
  unsigned cut;                 /* values left out or shortened */
  unsigned items;               /* of the list that is being written */
  char group[256];              /* as it stands in names of properties */
  char key[256];
  char ini_bytes[KYMO_ENV_INI_BYTES];
  char value_bytes[8 * KYMO_ENV_TEXT_BYTES];
} KymoEnvIni;

void kymo_env_ini_init (KymoEnvIni *ini, KymoEnvTold told, void *told_data);
void kymo_env_ini_group (KymoEnvIni *ini, const char *group, const char *short_name);
void kymo_env_ini_text (KymoEnvIni *ini, const char *key, const char *text);
void kymo_env_ini_word (KymoEnvIni *ini, const char *key, KymoNodeWord text);
void kymo_env_ini_printf (KymoEnvIni *ini, const char *key, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
void kymo_env_ini_list (KymoEnvIni *ini, const char *key);
void kymo_env_ini_item (KymoEnvIni *ini, const char *text);
void kymo_env_ini_item_word (KymoEnvIni *ini, KymoNodeWord text);
void kymo_env_ini_end_list (KymoEnvIni *ini);
