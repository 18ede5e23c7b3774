/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands in the file that the programs of the file case read, however often it is rewritten.
 */
#pragma once

#include <stdint.h>

/* The word of 8 bytes number `i`. */
static inline uint64_t
table_word (uint64_t i)
{
  return (i + 1) * 0x9e3779b97f4a7c15u;
}
