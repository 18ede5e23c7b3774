/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-narrow.h"

#include <string.h>

/* From splitmix64: each bit of a value changes half of those of its hash. */
#define MIX 0xbf58476d1ce4e5b9u

/**
 * kymo_narrow_count_bits:
 *
 * Returns: bits of the numbers from 0 to @most, at least 1
 */
guint
kymo_narrow_count_bits (guint64 most)
{
  return most > 1 ? 64 - __builtin_clzll (most) : 1;
}

/** kymo_narrow_count_words: Returns: words that @n_values numbers take; the product must fit */
gsize
kymo_narrow_count_words (gsize n_values, guint bits)
{
  return (n_values * bits + 63) / 64;
}

/**
 * kymo_narrow_pack:
 * @values: none has more than @bits bits
 * @bits: from 1 to 64
 *
 * Returns: (transfer full): kymo_narrow_count_words() words, for g_free()
 */
guint64 *
kymo_narrow_pack (const guint64 *values, gsize n_values, guint bits)
{
  guint64 *words = g_new (guint64, kymo_narrow_count_words (n_values, bits) + 1), word = 0;
  gsize at = 0;
  guint filled = 0;

  for (gsize i = 0; i < n_values; i++)
    {
      word |= values[i] << filled;
      filled += bits;
      if (filled < 64)
        continue;
      words[at++] = word;
      filled -= 64;
      /* What did not fit; a shift by all 64 bits is none in C. */
      word = filled > 0 ? values[i] >> (bits - filled) : 0;
    }
  words[at] = word;
  return words;
}

/**
 * kymo_narrow_unpack:
 * @words: kymo_narrow_count_words() of them
 * @bits: from 1 to 64
 * @values: (out caller-allocates): the numbers
 */
void
kymo_narrow_unpack (const guint64 *words, guint bits, guint64 *values, gsize n_values)
{
  guint64 mask = bits < 64 ? ((guint64) 1 << bits) - 1 : G_MAXUINT64;
  gsize at = 0;
  guint used = 0;

  for (gsize i = 0; i < n_values; i++)
    {
      guint64 value = words[at] >> used;

      used += bits;
      if (used >= 64)
        {
          at++;
          used -= 64;
          if (used > 0)
            value |= words[at] << (bits - used);
        }
      values[i] = value & mask;
    }
}

/* -- values that come again and again ---------------------------------------------------------- */

/* Twice as many places as values, a power of two; each has the number of a value and one, or 0. */
typedef struct
{
  guint32 *places;
  gsize    mask;
} Places;

static Places
places_new (gsize most)
{
  gsize n = 16;

  while (n < 2 * most)
    n *= 2;
  return (Places) { g_new0 (guint32, n), n - 1 };
}

static inline guint64
mix_bits (guint64 value)
{
  value = (value ^ value >> 30) * MIX;
  return value ^ value >> 27;
}

static guint64
hash_text (const char *text)
{
  gsize size = text != NULL ? strlen (text) : 0;
  guint64 hash = size + (text != NULL);

  for (; size >= 8; text += 8, size -= 8)
    {
      guint64 piece;

      memcpy (&piece, text, 8);
      hash = mix_bits (hash ^ piece);
    }
  for (; size > 0; text++, size--)
    hash = hash << 8 ^ hash >> 56 ^ (guchar) *text;
  return mix_bits (hash);
}

/**
 * kymo_narrow_number:
 * @most: of distinct values, less than 2^31
 * @numbers: (out caller-allocates): of each value, in the order in which they come first
 * @firsts: (out caller-allocates): where each distinct value comes first; @most of them
 *
 * Returns: number of distinct values; 0 if there are more than @most
 */
gsize
kymo_narrow_number (const guint64 *values, gsize n_values, gsize most, guint64 *numbers,
                    gsize *firsts)
{
  Places places = places_new (most);
  gsize n = 0;

  for (gsize i = 0; i < n_values; i++)
    {
      gsize at = mix_bits (values[i]) & places.mask;

      while (places.places[at] != 0 && values[firsts[places.places[at] - 1]] != values[i])
        at = (at + 1) & places.mask;
      if (places.places[at] == 0)
        {
          if (n == most)
            {
              n = 0;
              break;
            }
          firsts[n] = i;
          places.places[at] = ++n;
        }
      numbers[i] = places.places[at] - 1;
    }
  g_free (places.places);
  return n;
}

/**
 * kymo_narrow_number_texts:
 * @texts: some may be %NULL, which is a value, too
 *
 * Like kymo_narrow_number() for texts.
 *
 * Returns: number of distinct texts; 0 if there are more than @most
 */
gsize
kymo_narrow_number_texts (const char *const *texts, gsize n_texts, gsize most, guint64 *numbers,
                          gsize *firsts)
{
  g_autofree guint64 *hashes = g_new (guint64, MAX (n_texts, 1));
  gsize n;

  for (gsize i = 0; i < n_texts; i++)
    hashes[i] = hash_text (texts[i]);
  n = kymo_narrow_number (hashes, n_texts, most, numbers, firsts);
  /* Texts of the same hash by chance: not worth more than this. */
  for (gsize i = 0; n > 0 && i < n_texts; i++)
    if (g_strcmp0 (texts[i], texts[firsts[numbers[i]]]) != 0)
      return 0;
  return n;
}
