/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pages of the guide, in the order and the groups of index.md, and what is found in them. Main
 * thread only; pages belong to their guide and never change.
 */
#pragma once

#include <cmark.h>
#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoGuidePage:
 * @id: name of the file without its folder and its end
 * @url: of the file, as index.md links to it
 * @path: of the file, absolute; its links and pictures are relative to its folder
 * @group: heading of index.md that the page stands below
 * @headings: plain text of the headings below the title
 * @texts: plain text of each paragraph and piece of code
 */
typedef struct
{
  char       *id, *url, *path, *title, *group;
  cmark_node *document;
  GPtrArray  *headings, *texts;        /* of char* */
} KymoGuidePage;

typedef struct _KymoGuide KymoGuide;

KymoGuide     *kymo_guide_new         (const char          *folder,
                                       GError             **error);
void           kymo_guide_free        (KymoGuide           *guide);
GPtrArray     *kymo_guide_peek_pages  (const KymoGuide     *guide);
const KymoGuidePage *kymo_guide_find  (const KymoGuide     *guide,
                                       const char          *id);
const KymoGuidePage *kymo_guide_find_path (const KymoGuide *guide,
                                       const char          *path);
char           *kymo_guide_dup_path   (const KymoGuidePage *page,
                                       const char          *url);
char         **kymo_guide_split_words (const char          *text);
gsize          kymo_guide_match       (const char          *text,
                                       const char          *word);
GPtrArray     *kymo_guide_search      (const KymoGuide     *guide,
                                       char               **words);
char          *kymo_guide_dup_excerpt (const KymoGuidePage *page,
                                       char               **words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoGuide, kymo_guide_free)

G_END_DECLS
