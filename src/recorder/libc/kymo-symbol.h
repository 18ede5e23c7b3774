/* kymo-symbol.h: names of functions by addresses, from symbol tables of files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For the end of a run, by one thread. Symbols that a program does not export are
 * in its file alone, where dladdr () does not look. A file stays mapped until
 * another one is asked for, or kymo_symbol_end (); in all there are only so many
 * symbols looked at that it takes a fraction of a second.
 */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool kymo_symbol_find (const char *path, uint64_t address, char *name, size_t size);
void kymo_symbol_end (void);
