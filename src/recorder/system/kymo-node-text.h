/* kymo-node-text.h: words and numbers in the files of the kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything here works on bytes of known length, needs no memory and never
 * fails but by saying so. Any thread may call.
 */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of somebody else; not terminated. */
typedef struct
{
  const char *at;
  size_t length;
} KymoNodeWord;

/* Text that grows in memory of the caller and is always terminated. */
typedef struct
{
  char *data;
  size_t size;
  size_t length;
  bool cut;                     /* something did not fit */
} KymoNodeText;

KymoNodeWord kymo_node_word (const char *at, size_t length);
bool kymo_node_next_line (KymoNodeWord *rest, KymoNodeWord *line);
bool kymo_node_next_word (KymoNodeWord *rest, KymoNodeWord *word);
bool kymo_node_next_field (KymoNodeWord *rest, char separator, KymoNodeWord *field);
bool kymo_node_word_is (KymoNodeWord word, const char *text);
bool kymo_node_word_begins (KymoNodeWord word, const char *text);
bool kymo_node_word_copy (KymoNodeWord word, char *copy, size_t size);
bool kymo_node_number (KymoNodeWord word, uint64_t *number);
unsigned kymo_node_numbers (KymoNodeWord line, uint64_t *numbers, unsigned most);

void kymo_node_text_init (KymoNodeText *text, char *data, size_t size);
void kymo_node_text_add (KymoNodeText *text, const char *bytes, size_t length);
void kymo_node_text_printf (KymoNodeText *text, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
