/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fuzz-mutate.h"

#include <string.h>

/* Inputs with more pieces are mutated in their first ones. */
#define MOST_PIECES 4096
#define MOST_AT_ONCE 8

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static guint64
next_random (FuzzRandom *random)
{
  guint64 z = random->state += 0x9e3779b97f4a7c15u;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/**
 * fuzz_below:
 *
 * Returns: a number from 0 to @n - 1; 0 where @n is 0
 */
guint
fuzz_below (FuzzRandom *random,
            guint       n)
{
  return n > 0 ? next_random (random) % n : 0;
}

/**
 * fuzz_number:
 * @old: a number of an input
 *
 * Returns: another one, mostly near @old, else one at which readers often go wrong
 */
gint64
fuzz_number (FuzzRandom *random,
             gint64      old)
{
  static const gint64 edges[] =
  {
    0, 1, -1, 2, 3, 7, 8, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536, 1000000,
    G_MAXINT32, G_MININT32, G_MAXUINT32, G_GINT64_CONSTANT (9007199254740992), G_MAXINT64 / 1000,
    G_MAXINT64, G_MININT64,
  };
  gint64 spread = (gint64) 1 << fuzz_below (random, 20);

  switch (fuzz_below (random, 4))
    {
    case 0:
      return edges[fuzz_below (random, G_N_ELEMENTS (edges))];
    case 1:
      return (gint64) ((guint64) old + 1 - 2 * fuzz_below (random, 2));
    case 2:
      return fuzz_below (random, 16);
    default:
      return (gint64) ((guint64) old + fuzz_below (random, 2 * spread) - spread);
    }
}

/**
 * fuzz_change_field:
 * @n_bytes: 1, 2, 4 or 8
 */
void
fuzz_change_field (guint8     *field,
                   guint       n_bytes,
                   gboolean    big_endian,
                   FuzzRandom *random)
{
  guint64 value = 0;

  for (guint i = 0; i < n_bytes; i++)
    value |= (guint64) field[i] << 8 * (big_endian ? n_bytes - 1 - i : i);
  value = fuzz_number (random, value);
  for (guint i = 0; i < n_bytes; i++)
    field[i] = value >> 8 * (big_endian ? n_bytes - 1 - i : i);
}

/* Puts @n_new bytes in the place of @n_old; returns the new size, the old one where they do
   not fit. */
static gsize
replace (guint8       *data,
         gsize         size,
         gsize         room,
         gsize         at,
         gsize         n_old,
         const guint8 *fresh,
         gsize         n_new)
{
  if (size - n_old + n_new > room)
    return size;
  memmove (data + at + n_new, data + at + n_old, size - at - n_old);
  memcpy (data + at, fresh, n_new);
  return size - n_old + n_new;
}

/* -- lines of words --------------------------------------------------------- */

/** fuzz_split_line: up to its newline */
gsize
fuzz_split_line (const guint8 *data,
                 gsize         size,
                 gsize         at)
{
  const guint8 *newline = memchr (data, '\n', size);

  return newline != NULL ? (gsize) (newline + 1 - data) : size;
}

static gboolean
is_word (guint8 c)
{
  return c > ' ' && c != '"' && c != '<' && c != '>' && c != '=';
}

/* Any one of the words of a line; FALSE where it has none. */
static gboolean
choose_word (const guint8 *line,
             gsize         size,
             FuzzRandom   *random,
             gsize        *begin,
             gsize        *n)
{
  guint n_words = 0;

  for (gsize i = 0; i < size; i++)
    if (is_word (line[i]) && (i == 0 || !is_word (line[i - 1]))
        && fuzz_below (random, ++n_words) == 0)
      *begin = i;
  for (*n = 0; n_words > 0 && *begin + *n < size && is_word (line[*begin + *n]); ++*n)
    ;
  return n_words > 0;
}

static gsize
change_word (guint8     *line,
             gsize       size,
             gsize       room,
             gsize       begin,
             gsize       n,
             FuzzRandom *random)
{
  g_autofree char *word = g_strndup ((const char *) line + begin, n);
  g_autofree char *twice = NULL;
  g_autofree char *number = NULL;

  switch (fuzz_below (random, 8))
    {
    case 0:
      return replace (line, size, room, begin, MIN (n + 1, size - begin), line, 0);
    case 1:
      twice = g_strconcat (word, " ", word, NULL);
      return replace (line, size, room, begin, n, (guint8 *) twice, strlen (twice));
    default:
      number = g_strdup_printf (fuzz_below (random, 16) == 0 ? "%" G_GINT64_FORMAT ".5e3"
                                : "%" G_GINT64_FORMAT,
                                fuzz_number (random, g_ascii_strtoll (word, NULL, 10)));
      return replace (line, size, room, begin, n, (guint8 *) number, strlen (number));
    }
}

/** fuzz_change_line: of its words mostly one, else any bytes but the newline */
gsize
fuzz_change_line (guint8     *piece,
                  gsize       size,
                  gsize       room,
                  gsize       at,
                  FuzzRandom *random)
{
  gsize begin = 0, n, line = size - (size > 0 && piece[size - 1] == '\n');
  gsize end = size - line, changed;

  if (fuzz_below (random, 4) > 0 && choose_word (piece, line, random, &begin, &n))
    return change_word (piece, size, room, begin, n, random);
  if (line == 0)
    return size;
  changed = LLVMFuzzerMutate (piece, line, room - end);
  if (end > 0)
    piece[changed] = '\n';
  return changed + end;
}

/* -- pieces ----------------------------------------------------------------- */

typedef struct
{
  guint n;
  gsize begin[MOST_PIECES + 1];         /* of piece n: the end */
} Pieces;

static void
split (const FuzzGrammar *grammar,
       const guint8      *data,
       gsize              size,
       Pieces            *pieces)
{
  gsize at = 0;

  if (grammar->look != NULL)
    grammar->look (data, size);
  for (pieces->n = 0; at < size && pieces->n < MOST_PIECES; pieces->n++)
    {
      pieces->begin[pieces->n] = at;
      at += grammar->split (data + at, size - at, at);
    }
  pieces->begin[pieces->n] = at;
}

/* A few pieces that follow each other. */
static void
choose_range (const Pieces *pieces,
              FuzzRandom   *random,
              gsize        *begin,
              gsize        *n_bytes)
{
  guint first = fuzz_below (random, pieces->n);
  guint n = 1 + fuzz_below (random, fuzz_below (random, 2) ? 1 : MOST_AT_ONCE);

  *begin = pieces->begin[first];
  *n_bytes = pieces->begin[MIN (first + n, pieces->n)] - *begin;
}

static gsize
choose_border (const Pieces *pieces,
               FuzzRandom   *random)
{
  return pieces->begin[fuzz_below (random, pieces->n + 1)];
}

static gsize
change_piece (const FuzzGrammar *grammar,
              const Pieces      *pieces,
              guint8            *data,
              gsize              size,
              gsize              room,
              FuzzRandom        *random)
{
  guint i = fuzz_below (random, pieces->n);
  gsize begin = pieces->begin[i], n = pieces->begin[i + 1] - begin;
  gsize rest = size - begin - n, changed;
  g_autofree guint8 *behind = g_memdup2 (data + begin + n, rest);

  changed = grammar->change (data + begin, n, room - begin - rest, begin, random);
  if (rest > 0)
    memcpy (data + begin + changed, behind, rest);
  return begin + changed + rest;
}

static gsize
mutate_once (const FuzzGrammar *grammar,
             guint8            *data,
             gsize              size,
             gsize              room,
             FuzzRandom        *random)
{
  static Pieces kept;
  Pieces *pieces = &kept;
  g_autofree guint8 *copy = NULL;
  gsize begin, n, to;

  split (grammar, data, size, pieces);
  choose_range (pieces, random, &begin, &n);
  switch (fuzz_below (random, 8))
    {
    case 0:                     /* drop */
      return n < size ? replace (data, size, room, begin, n, data, 0) : size;
    case 1:                     /* repeat, or copy to another place */
    case 2:
      copy = g_memdup2 (data + begin, n);
      return replace (data, size, room, choose_border (pieces, random), 0, copy, n);
    case 3:                     /* copy over another place */
      copy = g_memdup2 (data + begin, n);
      to = choose_border (pieces, random);
      return replace (data, size, room, to, MIN (n, size - to), copy, n);
    default:
      return change_piece (grammar, pieces, data, size, room, random);
    }
}

/**
 * fuzz_mutate:
 * @size: of the input, at most @room
 *
 * Returns: the size of what the input became
 */
gsize
fuzz_mutate (const FuzzGrammar *grammar,
             guint8            *data,
             gsize              size,
             gsize              room,
             FuzzRandom        *random)
{
  if (size == 0 || size > room || fuzz_below (random, 4) == 0)
    return LLVMFuzzerMutate (data, size, room);
  for (guint i = 1 + fuzz_below (random, 3); i > 0 && size > 0; i--)
    size = mutate_once (grammar, data, size, room, random);
  return size;
}

/**
 * fuzz_cross_over:
 * @out: (out caller-allocates): @room bytes
 *
 * The first input with a few pieces of the second one, or the begin of the first one with
 * the end of the second one.
 *
 * Returns: the size of it
 */
gsize
fuzz_cross_over (const FuzzGrammar *grammar,
                 const guint8      *a,
                 gsize              a_size,
                 const guint8      *b,
                 gsize              b_size,
                 guint8            *out,
                 gsize              room,
                 FuzzRandom        *random)
{
  static Pieces kept_a, kept_b;
  Pieces *of_a = &kept_a, *of_b = &kept_b;
  gsize size = MIN (a_size, room), begin, n, to;

  memcpy (out, a, size);
  if (size == 0 || b_size == 0)
    return size;
  split (grammar, out, size, of_a);
  split (grammar, b, b_size, of_b);
  to = choose_border (of_a, random);
  if (fuzz_below (random, 4) == 0)
    {
      begin = choose_border (of_b, random);
      return replace (out, size, room, to, size - to, b + begin, b_size - begin);
    }
  choose_range (of_b, random, &begin, &n);
  return replace (out, size, room, to, fuzz_below (random, 2) ? MIN (n, size - to) : 0,
                  b + begin, n);
}

/* -- several files ---------------------------------------------------------- */

/** fuzz_split_file: a file with its head */
gsize
fuzz_split_file (const guint8 *data,
                 gsize         size,
                 gsize         at)
{
  return size < FUZZ_FILE_HEAD ? size
    : MIN (size, FUZZ_FILE_HEAD + (data[1] | (gsize) data[2] << 8));
}

static void
set_length (guint8 *file,
            gsize   n)
{
  file[1] = n & 0xff;
  file[2] = n >> 8;
}

static gsize
keep_file (guint8     *piece,
           gsize       size,
           gsize       room,
           gsize       at,
           FuzzRandom *random)
{
  return size;
}

/* Of files as a whole: they are dropped, repeated, put in another order. */
static const FuzzGrammar whole_files = { fuzz_split_file, keep_file };

/* Any one of the files; returns its place. */
static gsize
choose_file (const guint8 *data,
             gsize         size,
             FuzzRandom   *random,
             gsize        *n)
{
  static Pieces kept;
  guint i;

  split (&whole_files, data, size, &kept);
  i = fuzz_below (random, kept.n);
  *n = kept.begin[i + 1] - kept.begin[i];
  return kept.begin[i];
}

/* Within its place, which has room for @room bytes; its length is set right. */
static gsize
mutate_file (const FuzzFiles *files,
             guint8          *file,
             gsize            size,
             gsize            room,
             FuzzRandom      *random)
{
  const FuzzGrammar *grammar;
  gsize n;

  if (size <= FUZZ_FILE_HEAD)
    return size;
  if (fuzz_below (random, 32) == 0)
    file[0] = fuzz_below (random, files->n_files);
  grammar = files->grammar_of (file[0] % files->n_files);
  room = MIN (room, FUZZ_FILE_HEAD + G_MAXUINT16) - FUZZ_FILE_HEAD;
  size = MIN (size - FUZZ_FILE_HEAD, room);
  n = grammar == NULL ? LLVMFuzzerMutate (file + FUZZ_FILE_HEAD, size, room)
    : fuzz_mutate (grammar, file + FUZZ_FILE_HEAD, size, room, random);
  set_length (file, n);
  return FUZZ_FILE_HEAD + n;
}

/**
 * fuzz_mutate_files:
 *
 * Mostly within one of the files.
 *
 * Returns: the size of what the input became
 */
gsize
fuzz_mutate_files (const FuzzFiles *files,
                   guint8          *data,
                   gsize            size,
                   gsize            room,
                   FuzzRandom      *random)
{
  g_autofree guint8 *behind = NULL;
  gsize at, n, rest;

  if (size < FUZZ_FILE_HEAD || size > room || fuzz_below (random, 8) == 0)
    return fuzz_mutate (&whole_files, data, size, room, random);
  at = choose_file (data, size, random, &n);
  rest = size - at - n;
  behind = g_memdup2 (data + at + n, rest);
  n = mutate_file (files, data + at, n, room - at - rest, random);
  if (rest > 0)
    memcpy (data + at + n, behind, rest);
  return at + n + rest;
}

/**
 * fuzz_cross_files:
 * @out: (out caller-allocates): @room bytes
 *
 * Mostly a file of the first input with pieces of one of the second.
 *
 * Returns: the size of what came of it
 */
gsize
fuzz_cross_files (const FuzzFiles *files,
                  const guint8    *a,
                  gsize            a_size,
                  const guint8    *b,
                  gsize            b_size,
                  guint8          *out,
                  gsize            room,
                  FuzzRandom      *random)
{
  gsize at, from, n, m, rest, made;
  const FuzzGrammar *grammar;

  if (a_size < FUZZ_FILE_HEAD || b_size < FUZZ_FILE_HEAD || a_size > room
      || fuzz_below (random, 4) == 0)
    return fuzz_cross_over (&whole_files, a, a_size, b, b_size, out, room, random);
  at = choose_file (a, a_size, random, &n);
  from = choose_file (b, b_size, random, &m);
  grammar = n > FUZZ_FILE_HEAD ? files->grammar_of (a[at] % files->n_files) : NULL;
  if (grammar == NULL || m <= FUZZ_FILE_HEAD)
    return fuzz_cross_over (&whole_files, a, a_size, b, b_size, out, room, random);
  rest = a_size - at - n;
  memcpy (out, a, at + FUZZ_FILE_HEAD);
  made = fuzz_cross_over (grammar, a + at + FUZZ_FILE_HEAD, n - FUZZ_FILE_HEAD,
                          b + from + FUZZ_FILE_HEAD, m - FUZZ_FILE_HEAD,
                          out + at + FUZZ_FILE_HEAD,
                          MIN (room - at - rest - FUZZ_FILE_HEAD, G_MAXUINT16), random);
  set_length (out + at, made);
  memcpy (out + at + FUZZ_FILE_HEAD + made, a + at + n, rest);
  return at + FUZZ_FILE_HEAD + made + rest;
}
