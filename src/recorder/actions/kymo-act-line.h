/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of the protocol of actions (docs/formats/actions.md), and the values in them. What comes
 * from a client is not trusted. No memory is allocated, and nothing here knows of the recorder.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KYMO_ACT_MOST_LINE 4096         /* bytes of a line of a client, without its end */
#define KYMO_ACT_MOST_FIELDS 16
#define KYMO_ACT_MOST_NAME 64           /* bytes of a name with its 0 */
#define KYMO_ACT_MOST_WORDS 400         /* bytes of a sentence with its 0 */

/* A line that is being written. What does not fit is cut; `is_cut` says so. */
typedef struct
{
  char bytes[8192];
  size_t n;
  bool is_cut;
} KymoActLine;

#pragma GCC visibility push (hidden)

int  kymo_act_line_split   (char          *line,
                            size_t         n_bytes,
                            char         **fields);
const char *
     kymo_act_line_value   (char *const   *fields,
                            int            n_fields,
                            const char    *key);
void kymo_act_line_begin   (KymoActLine   *line,
                            const char    *word);
void kymo_act_line_add     (KymoActLine   *line,
                            const char    *field);
void kymo_act_line_open    (KymoActLine   *line);
void kymo_act_line_piece   (KymoActLine   *line,
                            const char    *text,
                            const char    *separators);
void kymo_act_line_end     (KymoActLine   *line);
bool kymo_act_parse_ranks  (const char    *text,
                            uint32_t       most,
                            uint8_t       *set,
                            uint32_t      *n_ranks);
bool kymo_act_parse_integer (const char   *text,
                            int64_t        least,
                            int64_t        most,
                            int64_t       *value);
bool kymo_act_parse_real   (const char    *text,
                            double         least,
                            double         most,
                            double        *value);

#pragma GCC visibility pop
