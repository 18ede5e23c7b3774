/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of where the threads of this process are.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define KYMO_SAMPLE_USUAL_HZ 100u
#define KYMO_SAMPLE_MOST_HZ 1000u

#pragma GCC visibility push (hidden)

bool kymo_sample_turn (uint32_t hz);

#pragma GCC visibility pop
