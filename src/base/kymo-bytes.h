/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as bytes in a file or a reply, in either order and at any address. With an order that
 * the compiler knows each is a load.
 */
#pragma once

#include <glib.h>
#include <string.h>

/**
 * kymo_mix_bits:
 *
 * Returns: @key, mixed by the last steps of MurmurHash3 (A. Appleby, in the public domain):
 *   every bit of it changes about half of those of the result
 */
static inline guint64
kymo_mix_bits (guint64 key)
{
  key ^= key >> 33;
  key *= G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  key ^= key >> 33;
  key *= G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return key ^ key >> 33;
}

/**
 * kymo_get_16:
 * @bytes: 2 bytes
 * @big: whether the highest byte comes first
 *
 * Returns: the number that they are
 */
static inline guint16
kymo_get_16 (const guint8 *bytes,
             gboolean      big)
{
  guint16 value;

  memcpy (&value, bytes, sizeof value);
  return big ? GUINT16_FROM_BE (value) : GUINT16_FROM_LE (value);
}

/**
 * kymo_get_32:
 * @bytes: 4 bytes
 * @big: whether the highest byte comes first
 *
 * Returns: the number that they are
 */
static inline guint32
kymo_get_32 (const guint8 *bytes,
             gboolean      big)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return big ? GUINT32_FROM_BE (value) : GUINT32_FROM_LE (value);
}

/**
 * kymo_get_64:
 * @bytes: 8 bytes
 * @big: whether the highest byte comes first
 *
 * Returns: the number that they are
 */
static inline guint64
kymo_get_64 (const guint8 *bytes,
             gboolean      big)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return big ? GUINT64_FROM_BE (value) : GUINT64_FROM_LE (value);
}

/**
 * kymo_get_double:
 * @bytes: 8 bytes of an IEEE 754 double
 * @big: whether the highest byte comes first
 *
 * Returns: the number that they are, which may be no number
 */
static inline double
kymo_get_double (const guint8 *bytes,
                 gboolean      big)
{
  guint64 bits = kymo_get_64 (bytes, big);
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}
