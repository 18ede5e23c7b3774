/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kmers: rank 0 reads a table from begin to end, as if it were sequences of bases, two bits each:
 * a header says how long the block behind it is. It opens and closes the table in each round, and
 * sends the blocks to the ranks in turn, which check their sums and count k-mers by spaced seeds;
 * MPI_Reduce brings the counts. The table lies on the NFS server of KYMO_SUITE_NFS, or is a local
 * file. rounds: batches of blocks; bytes: of the largest block; work: seeds.
 */
#include <stdint.h>

#include "suite.h"
#include "table-file.h"
#include "table.h"

#define N_BLOCKS 48             /* of a round */
#define HEADER_WORDS 4
#define LEAST_WORDS 32
#define N_COUNTERS 1024
#define BASES_OF_WORD 32

typedef struct
{
  long first, n_words;          /* place in the table */
} Block;

/* The sum of the words of a block must be what every table has there. */
static void
check_block (const Block    *block,
             const uint64_t *words)
{
  uint64_t n = (uint64_t) block->n_words, places = n * (uint64_t) block->first + n * (n + 1) / 2;
  uint64_t sum = 0;

  for (long i = 0; i < block->n_words; i++)
    sum += words[i];
  if (sum != table_word (places - 1))
    fail ("the sum of a block is wrong");
}

/* Reads the block at word `*next`, whose header says its size, and goes on behind it; the next of
 * the last block is the first. */
static void
read_block (Suite    *suite,
            Table    *table,
            long     *next,
            Block    *block,
            uint64_t *words)
{
  long most = suite->bytes / (long) sizeof (uint64_t);
  double begin = MPI_Wtime ();
  uint64_t header[HEADER_WORDS];

  if (*next + HEADER_WORDS + most > table->n_words)
    *next = 0;
  read_words (table, *next, HEADER_WORDS, header);
  block->first = *next + HEADER_WORDS;
  block->n_words = LEAST_WORDS + (long) ((header[0] >> 32) % (uint64_t) (most - LEAST_WORDS + 1));
  read_words (table, block->first, block->n_words, words);
  *next = block->first + block->n_words;
  suite->signal += MPI_Wtime () - begin;
}

/* Counts, for each seed, what stands at its bases, wherever it is laid on the block. */
static void
count_kmers (const Suite    *suite,
             const Block    *block,
             const uint64_t *words,
             long           *counts)
{
  for (long seed = 0; seed < suite->work; seed++)
    {
      uint64_t pattern = table_word ((uint64_t) seed) | 3, window = 0;

      for (long i = 0; i < block->n_words; i++)
        for (int base = 0; base < BASES_OF_WORD; base++)
          {
            window = window << 2 | (words[i] >> 2 * base & 3);
            counts[((window & pattern) * 0xff51afd7ed558ccdu >> 32) % N_COUNTERS]++;
          }
    }
}

/* Rank 0 keeps the last block of each turn; the bases it has read. */
static long
deal_blocks (Suite    *suite,
             Table    *table,
             long     *next,
             uint64_t *words,
             long     *counts)
{
  long n_bases = 0;

  open_table (suite, table);
  for (long i = 0; i < N_BLOCKS; i++)
    {
      int to = (int) ((i + 1) % suite->size);
      Block block;

      read_block (suite, table, next, &block, words);
      check_block (&block, words);
      n_bases += block.n_words * BASES_OF_WORD;
      if (to == 0)
        {
          count_kmers (suite, &block, words, counts);
          continue;
        }
      MPI_Send (&block, 2, MPI_LONG, to, TAG, MPI_COMM_WORLD);
      MPI_Send (words, (int) block.n_words, MPI_UINT64_T, to, TAG + 1, MPI_COMM_WORLD);
    }
  close_table (table);
  return n_bases;
}

static void
take_blocks (const Suite *suite,
             uint64_t    *words,
             long        *counts)
{
  for (long i = suite->rank - 1; i < N_BLOCKS; i += suite->size)
    {
      Block block;

      MPI_Recv (&block, 2, MPI_LONG, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv (words, (int) block.n_words, MPI_UINT64_T, 0, TAG + 1, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
      check_block (&block, words);
      count_kmers (suite, &block, words, counts);
    }
}

static void
run_kmers (Suite *suite)
{
  uint64_t *words = allocate (suite->bytes);
  Table table = { 0 };
  long next = 0;

  for (long round = 0; round < suite->rounds; round++)
    {
      long counts[N_COUNTERS] = { 0 }, all[N_COUNTERS] = { 0 }, n_bases = 0, sum = 0;

      if (suite->rank == 0)
        n_bases = deal_blocks (suite, &table, &next, words, counts);
      else
        take_blocks (suite, words, counts);
      MPI_Reduce (counts, all, N_COUNTERS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
      for (int i = 0; i < N_COUNTERS; i++)
        sum += all[i];
      if (suite->rank == 0 && sum != n_bases * suite->work)
        fail ("not all k-mers were counted");
    }
  leave_table (&table);
  free (words);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_kmers);
}
