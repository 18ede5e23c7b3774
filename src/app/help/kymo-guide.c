/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-guide.h. All pages are read when the guide is made: they are a few hundred kilobytes.
 */
#include "config.h"

#include "kymo-guide.h"

#include <string.h>

#define EXCERPT_CHARS 90
/* How well a word fits: in the title, at the begin of a word there, in a heading, in the text. */
#define FIT_TITLE 40
#define FIT_TITLE_BEGIN 80
#define FIT_HEADING 12
#define FIT_MOST_TEXT 10

struct _KymoGuide
{
  char      *folder;
  GPtrArray *pages;                    /* of KymoGuidePage, owned */
};

static void
page_free (gpointer data)
{
  KymoGuidePage *page = data;

  g_free (page->id);
  g_free (page->url);
  g_free (page->path);
  g_free (page->title);
  g_free (page->group);
  g_clear_pointer (&page->document, cmark_node_free);
  g_ptr_array_unref (page->headings);
  g_ptr_array_unref (page->texts);
  g_free (page);
}

/* -- reading -------------------------------------------------------------- */

static cmark_node *
parse_file (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  return cmark_parse_document (text, length, CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8);
}

/* Without any markup. */
static char *
dup_plain (cmark_node *node)
{
  cmark_iter *iter = cmark_iter_new (node);
  GString *text = g_string_new (NULL);

  while (cmark_iter_next (iter) != CMARK_EVENT_DONE)
    {
      cmark_node *at = cmark_iter_get_node (iter);

      if (cmark_iter_get_event_type (iter) != CMARK_EVENT_ENTER)
        continue;
      if (cmark_node_get_literal (at) != NULL)
        g_string_append (text, cmark_node_get_literal (at));
      else if (cmark_node_get_type (at) == CMARK_NODE_SOFTBREAK
               || cmark_node_get_type (at) == CMARK_NODE_LINEBREAK)
        g_string_append_c (text, ' ');
    }
  cmark_iter_free (iter);
  return g_string_free (text, FALSE);
}

/* The first heading is the title. */
static void
collect_texts (KymoGuidePage *page)
{
  cmark_iter *iter = cmark_iter_new (page->document);

  while (cmark_iter_next (iter) != CMARK_EVENT_DONE)
    {
      cmark_node *node = cmark_iter_get_node (iter);
      cmark_node_type type = cmark_node_get_type (node);

      if (cmark_iter_get_event_type (iter) != CMARK_EVENT_ENTER)
        continue;
      if (type == CMARK_NODE_HEADING && page->title == NULL)
        page->title = dup_plain (node);
      else if (type == CMARK_NODE_HEADING)
        g_ptr_array_add (page->headings, dup_plain (node));
      else if (type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_CODE_BLOCK)
        g_ptr_array_add (page->texts, dup_plain (node));
    }
  cmark_iter_free (iter);
}

static gboolean
add_page (KymoGuide *guide, const char *url, const char *group, GError **error)
{
  KymoGuidePage *page = g_new0 (KymoGuidePage, 1);
  g_autofree char *file = g_path_get_basename (url);

  page->headings = g_ptr_array_new_with_free_func (g_free);
  page->texts = g_ptr_array_new_with_free_func (g_free);
  page->id = g_strndup (file, strlen (file) - strlen (".md"));
  page->url = g_strdup (url);
  page->path = g_canonicalize_filename (url, guide->folder);
  page->group = g_strdup (group);
  g_ptr_array_add (guide->pages, page);
  page->document = parse_file (page->path, error);
  if (page->document == NULL)
    return FALSE;
  collect_texts (page);
  if (page->title == NULL)
    page->title = g_strdup (page->id);
  return TRUE;
}

/* Pages are the links of the index to its folder and those below, groups the headings above. */
static gboolean
read_index (KymoGuide *guide, cmark_node *index, GError **error)
{
  cmark_iter *iter = cmark_iter_new (index);
  g_autofree char *group = g_strdup ("");
  gboolean read = TRUE;

  while (read && cmark_iter_next (iter) != CMARK_EVENT_DONE)
    {
      cmark_node *node = cmark_iter_get_node (iter);
      cmark_node_type type = cmark_node_get_type (node);

      if (cmark_iter_get_event_type (iter) != CMARK_EVENT_ENTER)
        continue;
      if (type == CMARK_NODE_HEADING)
        {
          g_free (group);
          group = dup_plain (node);
        }
      else if (type == CMARK_NODE_LINK && g_str_has_suffix (cmark_node_get_url (node), ".md")
               && !g_str_has_prefix (cmark_node_get_url (node), "..")
               && strstr (cmark_node_get_url (node), "://") == NULL)
        read = add_page (guide, cmark_node_get_url (node), group, error);
    }
  cmark_iter_free (iter);
  return read;
}

/**
 * kymo_guide_new:
 * @folder: of index.md, which lists the pages
 *
 * Returns: (transfer full) (nullable): the guide; %NULL with @error where a page cannot be read
 */
KymoGuide *
kymo_guide_new (const char *folder, GError **error)
{
  g_autoptr (KymoGuide) guide = g_new0 (KymoGuide, 1);
  g_autofree char *path = g_build_filename (folder, "index.md", NULL);
  cmark_node *index;
  gboolean read;

  guide->folder = g_strdup (folder);
  guide->pages = g_ptr_array_new_with_free_func (page_free);
  index = parse_file (path, error);
  if (index == NULL)
    return NULL;
  read = read_index (guide, index, error);
  cmark_node_free (index);
  return read ? g_steal_pointer (&guide) : NULL;
}

/** kymo_guide_free: @guide: (transfer full): freed with its pages */
void
kymo_guide_free (KymoGuide *guide)
{
  g_free (guide->folder);
  g_ptr_array_unref (guide->pages);
  g_free (guide);
}

/** kymo_guide_peek_pages: Returns: (transfer none): all #KymoGuidePage in their order */
GPtrArray *
kymo_guide_peek_pages (const KymoGuide *guide)
{
  return guide->pages;
}

/**
 * kymo_guide_find:
 * @id: (nullable): of a page
 *
 * Returns: (transfer none) (nullable): the page, %NULL where there is none of this name
 */
const KymoGuidePage *
kymo_guide_find (const KymoGuide *guide, const char *id)
{
  for (guint i = 0; i < guide->pages->len; i++)
    {
      const KymoGuidePage *page = guide->pages->pdata[i];

      if (g_strcmp0 (page->id, id) == 0)
        return page;
    }
  return NULL;
}

/**
 * kymo_guide_find_path:
 * @path: absolute and canonical
 *
 * Returns: (transfer none) (nullable): the page of this file, %NULL where it is of no page
 */
const KymoGuidePage *
kymo_guide_find_path (const KymoGuide *guide, const char *path)
{
  for (guint i = 0; i < guide->pages->len; i++)
    {
      const KymoGuidePage *page = guide->pages->pdata[i];

      if (g_str_equal (page->path, path))
        return page;
    }
  return NULL;
}

/**
 * kymo_guide_dup_path:
 * @url: relative, as @page links to a file or shows a picture; a place inside the file is left out
 *
 * Returns: (transfer full): absolute path of the file, which need not exist
 */
char *
kymo_guide_dup_path (const KymoGuidePage *page, const char *url)
{
  g_autofree char *folder = g_path_get_dirname (page->path);
  g_autofree char *plain = g_strndup (url, strcspn (url, "#"));

  return g_canonicalize_filename (plain, folder);
}

/* -- searching ------------------------------------------------------------ */

/**
 * kymo_guide_split_words:
 * @text: what was typed
 *
 * Returns: (transfer full): its words in small letters; none for blanks alone
 */
char **
kymo_guide_split_words (const char *text)
{
  g_autofree char *small = g_utf8_strdown (text, -1);
  g_auto (GStrv) parts = g_strsplit_set (small, " \t", -1);
  GStrvBuilder *words = g_strv_builder_new ();
  char **result;

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_strv_builder_add (words, parts[i]);
  result = g_strv_builder_end (words);
  g_strv_builder_unref (words);
  return result;
}

/**
 * kymo_guide_match:
 * @word: in small letters
 *
 * Returns: how many bytes of @text are @word in letters of any size; 0: it does not begin so
 */
gsize
kymo_guide_match (const char *text, const char *word)
{
  const char *at = text;

  for (; *word != '\0'; at = g_utf8_next_char (at), word = g_utf8_next_char (word))
    if (*at == '\0' || g_unichar_tolower (g_utf8_get_char (at)) != g_utf8_get_char (word))
      return 0;
  return at - text;
}

/* (nullable): where the word is first, and whether a word of the text begins there */
static const char *
find_word (const char *text, const char *word, gboolean *begins)
{
  gboolean begin = TRUE;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      if (kymo_guide_match (at, word) > 0)
        {
          *begins = begin;
          return at;
        }
      begin = !g_unichar_isalnum (g_utf8_get_char (at));
    }
  return NULL;
}

static int
count_in (GPtrArray *texts, const char *word)
{
  gboolean begins;
  int n = 0;

  for (guint i = 0; i < texts->len; i++)
    for (const char *at = texts->pdata[i]; (at = find_word (at, word, &begins)) != NULL; n++)
      at = g_utf8_next_char (at);
  return n;
}

/* 0: a word is nowhere in the page */
static int
fit_of (const KymoGuidePage *page, char **words)
{
  int fit = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean begins = FALSE;
      int of_word = MIN (count_in (page->texts, words[i]), FIT_MOST_TEXT)
                    + FIT_HEADING * count_in (page->headings, words[i]);

      if (find_word (page->title, words[i], &begins) != NULL)
        of_word += begins ? FIT_TITLE_BEGIN : FIT_TITLE;
      if (of_word == 0)
        return 0;
      fit += of_word;
    }
  return fit;
}

typedef struct
{
  const KymoGuidePage *page;
  int fit;
} Hit;

static int
compare_hits (gconstpointer a, gconstpointer b)
{
  return ((const Hit *) b)->fit - ((const Hit *) a)->fit;
}

/**
 * kymo_guide_search:
 * @words: of kymo_guide_split_words(); none finds every page
 *
 * Returns: (transfer container): the pages that have all words, the best fit first; among equals
 * in the order of the guide
 */
GPtrArray *
kymo_guide_search (const KymoGuide *guide, char **words)
{
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < guide->pages->len; i++)
    {
      Hit hit = { guide->pages->pdata[i], fit_of (guide->pages->pdata[i], words) };

      if (hit.fit > 0 || words[0] == NULL)
        g_array_append_val (hits, hit);
    }
  g_array_sort (hits, compare_hits);
  for (guint i = 0; i < hits->len; i++)
    g_ptr_array_add (found, (gpointer) g_array_index (hits, Hit, i).page);
  return found;
}

/* About as many characters round a place, cut between words. */
static char *
dup_around (const char *text, const char *place)
{
  glong before = g_utf8_pointer_to_offset (text, place);
  const char *from = text, *to;
  g_autofree char *part = NULL;

  if (before > EXCERPT_CHARS / 3)
    {
      from = g_utf8_offset_to_pointer (text, before - EXCERPT_CHARS / 3);
      while (from < place && *from != ' ')
        from = g_utf8_next_char (from);
    }
  to = from;
  for (guint i = 0; i < EXCERPT_CHARS && *to != '\0'; i++)
    to = g_utf8_next_char (to);
  part = g_strndup (from, to - from);
  g_strdelimit (part, "\n", ' ');
  return g_strconcat (from > text ? "…" : "", g_strstrip (part), *to != '\0' ? "…" : "", NULL);
}

/**
 * kymo_guide_dup_excerpt:
 * @words: of kymo_guide_split_words()
 *
 * Returns: (transfer full) (nullable): some of the text of @page round the first of the words in
 * it; %NULL where only titles have them
 */
char *
kymo_guide_dup_excerpt (const KymoGuidePage *page, char **words)
{
  gboolean begins;

  for (guint w = 0; words[w] != NULL; w++)
    for (guint i = 0; i < page->texts->len; i++)
      {
        const char *place = find_word (page->texts->pdata[i], words[w], &begins);

        if (place != NULL)
          return dup_around (page->texts->pdata[i], place);
      }
  return NULL;
}
