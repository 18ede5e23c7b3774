/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutations that keep the form of an input: it is seen as a row of pieces (lines, records),
 * and pieces are dropped, repeated, moved, changed, or taken from another input. So most
 * inputs get past the first look of a reader, and what is tried is what records do to each
 * other. One in four mutations is libFuzzer's own, for what no grammar thinks of.
 *
 * A target with a grammar has one FUZZ_GRAMMAR() line. Single-threaded.
 */
#pragma once

#include <glib.h>

/** FuzzRandom: a row of numbers that depends on its seed alone */
typedef struct
{
  guint64 state;
} FuzzRandom;

/**
 * FuzzGrammar:
 * @split: how many of the first bytes are one piece, at least 1 and at most @size; @at is
 *   their place in the input, which begins at @data - @at
 * @change: changes a piece in its place, which has room for @room bytes, and returns its
 *   new size; the input begins at @piece - @at
 * @look: (nullable): is given the whole input before it is split, and later its pieces are
 *   changed
 */
typedef struct
{
  gsize (*split)  (const guint8 *data,
                   gsize         size,
                   gsize         at);
  gsize (*change) (guint8       *piece,
                   gsize         size,
                   gsize         room,
                   gsize         at,
                   FuzzRandom   *random);
  void  (*look)   (const guint8 *data,
                   gsize         size);
} FuzzGrammar;

/* Before a file of an input that holds several: its number, and its length in two bytes,
   the lower one first. The last file may be cut. */
#define FUZZ_FILE_HEAD 3

/**
 * FuzzFiles:
 * @n_files: numbers of files are less
 * @grammar_of: of a file by its number; %NULL: bytes without a form
 */
typedef struct
{
  guint               n_files;
  const FuzzGrammar *(*grammar_of) (guint number);
} FuzzFiles;

gsize   LLVMFuzzerMutate          (guint8            *data,
                                   gsize              size,
                                   gsize              room);
gsize   LLVMFuzzerCustomMutator   (guint8            *data,
                                   gsize              size,
                                   gsize              room,
                                   guint              seed);
gsize   LLVMFuzzerCustomCrossOver (const guint8      *a,
                                   gsize              a_size,
                                   const guint8      *b,
                                   gsize              b_size,
                                   guint8            *out,
                                   gsize              room,
                                   guint              seed);

guint   fuzz_below                (FuzzRandom        *random,
                                   guint              n);
gint64  fuzz_number               (FuzzRandom        *random,
                                   gint64             old);
gsize   fuzz_mutate               (const FuzzGrammar *grammar,
                                   guint8            *data,
                                   gsize              size,
                                   gsize              room,
                                   FuzzRandom        *random);
gsize   fuzz_cross_over           (const FuzzGrammar *grammar,
                                   const guint8      *a,
                                   gsize              a_size,
                                   const guint8      *b,
                                   gsize              b_size,
                                   guint8            *out,
                                   gsize              room,
                                   FuzzRandom        *random);
gsize   fuzz_split_file           (const guint8      *data,
                                   gsize              size,
                                   gsize              at);
gsize   fuzz_mutate_files         (const FuzzFiles   *files,
                                   guint8            *data,
                                   gsize              size,
                                   gsize              room,
                                   FuzzRandom        *random);
gsize   fuzz_cross_files          (const FuzzFiles   *files,
                                   const guint8      *a,
                                   gsize              a_size,
                                   const guint8      *b,
                                   gsize              b_size,
                                   guint8            *out,
                                   gsize              room,
                                   FuzzRandom        *random);
gsize   fuzz_split_line           (const guint8      *data,
                                   gsize              size,
                                   gsize              at);
gsize   fuzz_change_line          (guint8            *piece,
                                   gsize              size,
                                   gsize              room,
                                   gsize              at,
                                   FuzzRandom        *random);
void    fuzz_change_field         (guint8            *field,
                                   guint              n_bytes,
                                   gboolean           big_endian,
                                   FuzzRandom        *random);

/** FUZZ_GRAMMAR: makes libFuzzer mutate and cross inputs by a #FuzzGrammar */
#define FUZZ_GRAMMAR(grammar)                                                 \
  gsize                                                                       \
  LLVMFuzzerCustomMutator (guint8 *data, gsize size, gsize room, guint seed)  \
  {                                                                           \
    FuzzRandom random = { seed };                                             \
                                                                              \
    return fuzz_mutate (&(grammar), data, size, room, &random);               \
  }                                                                           \
                                                                              \
  gsize                                                                       \
  LLVMFuzzerCustomCrossOver (const guint8 *a, gsize a_size, const guint8 *b,  \
                             gsize b_size, guint8 *out, gsize room, guint seed) \
  {                                                                           \
    FuzzRandom random = { seed };                                             \
                                                                              \
    return fuzz_cross_over (&(grammar), a, a_size, b, b_size, out, room, &random); \
  }

/** FUZZ_FILES: the same for inputs of several files, by a #FuzzFiles */
#define FUZZ_FILES(files)                                                     \
  gsize                                                                       \
  LLVMFuzzerCustomMutator (guint8 *data, gsize size, gsize room, guint seed)  \
  {                                                                           \
    FuzzRandom random = { seed };                                             \
                                                                              \
    return fuzz_mutate_files (&(files), data, size, room, &random);           \
  }                                                                           \
                                                                              \
  gsize                                                                       \
  LLVMFuzzerCustomCrossOver (const guint8 *a, gsize a_size, const guint8 *b,  \
                             gsize b_size, guint8 *out, gsize room, guint seed) \
  {                                                                           \
    FuzzRandom random = { seed };                                             \
                                                                              \
    return fuzz_cross_files (&(files), a, a_size, b, b_size, out, room, &random); \
  }

/** FUZZ_LINES: a #FuzzGrammar of lines of words */
#define FUZZ_LINES { fuzz_split_line, fuzz_change_line }
