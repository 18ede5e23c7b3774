/* kymo-heap.h: what the wrappers of allocations tell the recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wrappers are a library of their own, which is loaded with --memory alone:
 * without it a program's allocations take the way that they always take.
 */

#pragma once

#include <stddef.h>

/* Weak in the library of the wrappers: without the recorder they do nothing else. */
void kymo_record_allocated (void *block, size_t bytes, const void *caller);
size_t kymo_record_freed (void *block, const void **caller);
