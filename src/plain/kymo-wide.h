/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KYMO_WIDE before a function whose loops pay for wide registers: it is made
 * twice, and the machine chooses when the program starts. What clang 14 makes
 * of it does not link, and sanitizers are not ready when the choice is made.
 */
#pragma once

#if defined (__x86_64__) && !defined (__clang__) \
  && !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
#define KYMO_WIDE __attribute__ ((target_clones ("avx2", "default")))
#else
#define KYMO_WIDE
#endif
