/* kymo-env-mask.h: no secret reaches a file of ours
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names with TOKEN, KEY, PASS or SECRET in them, in capitals or not, have
 * secret values. Rather too much is hidden than too little.
 */

#pragma once

#include "kymo-node-text.h"

#define KYMO_ENV_MASK "***"

bool kymo_env_is_secret (KymoNodeWord name);
void kymo_env_mask (KymoNodeText *out, KymoNodeWord text);
