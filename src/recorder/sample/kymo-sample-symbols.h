/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions by address, from the symbol tables of the program and its libraries. One thread adds
 * to them; finding is safe in a signal handler.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define KYMO_SAMPLE_NO_REGION UINT32_MAX        /* no function is known there */
#define KYMO_SAMPLE_LATER (UINT32_MAX - 1)      /* one that is not defined yet: it will be */
#define KYMO_SAMPLE_OURS (UINT32_MAX - 2)       /* a function of the recorder */

#pragma GCC visibility push (hidden)

uint32_t kymo_sample_find   (uintptr_t at,
                             bool     *is_wanted);
void     kymo_sample_look   (void);
void     kymo_sample_define (void);

#pragma GCC visibility pop
