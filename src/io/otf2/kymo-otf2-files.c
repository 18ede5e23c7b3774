/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-otf2-files.h"

#include <fcntl.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-order.h"

#define SUFFIX ".otf2"
#define MAX_TOLD 8

/* Anchor files have some hundred bytes; properties may be longer. */
#define MAX_ANCHOR (16 << 20)
/* From the magic to the texts: formats and version, two sizes of chunks, substrate
   and compression, two counts. */
#define HEAD_BYTES 39
/* Most bytes before the end of the creator, which stands behind the short name of the machine. */
#define CREATOR_BYTES 1024
#define N_TEXTS 3
#define LITTLE_ENDIAN_MARK 0x42
#define BIG_ENDIAN_MARK 0x23
#define MIN_CHUNK (256 << 10)
#define MAX_CHUNK (16 << 20)

static gboolean
is_anchor (const char *path)
{
  return g_str_has_suffix (path, SUFFIX) && g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/**
 * kymo_otf2_files_base:
 * @anchor: path of the anchor file
 *
 * Returns: (transfer full): name of the archive: the file's name without its suffix
 */
char *
kymo_otf2_files_base (const char *anchor)
{
  char *base = g_path_get_basename (anchor);

  if (g_str_has_suffix (base, SUFFIX))
    base[strlen (base) - strlen (SUFFIX)] = '\0';
  return base;
}

/**
 * kymo_otf2_files_title:
 * @anchor: path of the anchor file
 *
 * Returns: (transfer full): a name for people; tools call every archive "traces", so that the
 *   name of the folder tells more
 */
char *
kymo_otf2_files_title (const char *anchor)
{
  g_autofree char *base = kymo_otf2_files_base (anchor);
  g_autofree char *folder = g_path_get_dirname (anchor);
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);

  return strcmp (base, "traces") == 0 ? g_filename_display_basename (whole)
    : g_filename_display_name (base);
}

/* The anchor beside a file or a folder of its archive: NAME.otf2 beside NAME.def or
   NAME, or beside the folder that a file of a location lies in. */
static char *
find_beside (const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  g_autofree char *beside = g_strconcat (whole, SUFFIX, NULL);
  g_autofree char *above = g_strconcat (folder, SUFFIX, NULL);
  char *dot = strrchr (whole, '.');

  if (is_anchor (beside))
    return g_steal_pointer (&beside);
  if (dot == NULL || strchr (dot, '/') != NULL
      || (strcmp (dot, ".def") != 0 && strcmp (dot, ".evt") != 0 && strcmp (dot, ".snap") != 0))
    return NULL;
  if (is_anchor (above))
    return g_steal_pointer (&above);
  *dot = '\0';
  g_free (beside);
  beside = g_strconcat (whole, SUFFIX, NULL);
  return is_anchor (beside) ? g_steal_pointer (&beside) : NULL;
}

/* (transfer container): names of anchors in a folder */
static GPtrArray *
list_anchors (const char *folder,
              const char *base)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *own = kymo_otf2_files_base (name);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (is_anchor (path) && (base == NULL || strcmp (own, base) == 0))
        g_ptr_array_add (names, g_steal_pointer (&own));
    }
  g_ptr_array_sort (names, kymo_compare_strings);
  return names;
}

static void
set_ambiguous (const char  *folder,
               GPtrArray   *names,
               GError     **error)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < names->len && i < MAX_TOLD; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", (char *) names->pdata[i]);
  if (names->len > MAX_TOLD)
    g_string_append (list, ", …");
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS,
               _("“%s” holds several runs: %s; name one with --base, or one of its files"), folder,
               list->str);
}

/**
 * kymo_otf2_files_find:
 * @path: a folder, an anchor or any other file of an archive
 * @base: (nullable): name of the archive where a folder holds several
 * @error: %KYMO_ERROR_FOREIGN where there is none
 *
 * Returns: (transfer full) (nullable): path of the anchor
 */
char *
kymo_otf2_files_find (const char  *path,
                      const char  *base,
                      GError     **error)
{
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *beside = NULL;
  g_autofree char *file = NULL;

  if (is_anchor (path))
    return g_strdup (path);
  names = list_anchors (path, base);
  if (names->len > 1)
    {
      set_ambiguous (path, names, error);
      return NULL;
    }
  if (names->len == 1)
    {
      file = g_strconcat (names->pdata[0], SUFFIX, NULL);
      return g_build_filename (path, file, NULL);
    }
  beside = find_beside (path);
  if (beside == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_FOREIGN, _("“%s” holds no OTF2 archive"), path);
  return g_steal_pointer (&beside);
}

/**
 * kymo_otf2_files_list:
 * @anchor: the anchor file
 *
 * Returns: (transfer full) (element-type utf8): the files that an archive is read from,
 *   relative to the anchor's folder: it, the definitions, the markers where there are any,
 *   and those of each location
 */
GPtrArray *
kymo_otf2_files_list (const char *anchor)
{
  g_autofree char *folder = g_path_get_dirname (anchor);
  g_autofree char *base = kymo_otf2_files_base (anchor);
  g_autofree char *markers = kymo_otf2_files_markers (anchor);
  g_autofree char *inner = g_build_filename (folder, base, NULL);
  g_autoptr (GDir) dir = g_dir_open (inner, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".evt") || g_str_has_suffix (name, ".def"))
      g_ptr_array_add (names, g_build_filename (base, name, NULL));
  g_ptr_array_sort (names, kymo_compare_strings);
  g_ptr_array_add (names, g_path_get_basename (anchor));
  g_ptr_array_add (names, g_strconcat (base, ".def", NULL));
  if (g_file_test (markers, G_FILE_TEST_EXISTS))
    g_ptr_array_add (names, g_path_get_basename (markers));
  return names;
}

/**
 * kymo_otf2_files_markers:
 * @anchor: path of the anchor file
 *
 * Returns: (transfer full): path of the file with the markers of an archive, which need not
 *   be there
 */
char *
kymo_otf2_files_markers (const char *anchor)
{
  g_autofree char *folder = g_path_get_dirname (anchor);
  g_autofree char *base = kymo_otf2_files_base (anchor);
  g_autofree char *name = g_strconcat (base, ".marker", NULL);

  return g_build_filename (folder, name, NULL);
}

/**
 * kymo_otf2_files_bar:
 * @anchor: the anchor file
 * @name: of a file, relative to the anchor's folder
 *
 * The library opens files itself, and would wait at a FIFO without end. To be asked right
 * before it does: a file that is replaced in between still gets through.
 *
 * Returns: (transfer full) (nullable): why the library must not open the file; %NULL where
 *   it may, or where there is no such file
 */
GError *
kymo_otf2_files_bar (const char *anchor,
                     const char *name)
{
  g_autofree char *folder = g_path_get_dirname (anchor);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GError *why = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    kymo_input_check (path, &why);
  return why;
}

/* The unread rest of the anchor file. */
typedef struct
{
  const guint8 *at;
  gsize         n;
  gboolean      big_endian;
} Rest;

static guint64
read_number (const Rest *rest,
             guint       offset,
             guint       n_bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < n_bytes; i++)
    value = value << 8 | rest->at[offset + (rest->big_endian ? i : n_bytes - 1 - i)];
  return value;
}

/* Skips a text with its end. FALSE where there is none. */
static gboolean
skip_text (Rest *rest)
{
  const guint8 *end = memchr (rest->at, '\0', rest->n);

  if (end == NULL)
    return FALSE;
  rest->n -= end + 1 - rest->at;
  rest->at = end + 1;
  return TRUE;
}

static gboolean
is_chunk (guint64 size)
{
  return size >= MIN_CHUNK && size <= MAX_CHUNK;
}

static gboolean
is_sound (Rest *rest)
{
  guint8 form;

  if (rest->n < 2 + sizeof "OTF2"
      || (rest->at[1] != LITTLE_ENDIAN_MARK && rest->at[1] != BIG_ENDIAN_MARK))
    return FALSE;
  rest->big_endian = rest->at[1] == BIG_ENDIAN_MARK;
  rest->at += 2;
  rest->n -= 2;
  if (strncmp ((const char *) rest->at, "OTF2", rest->n) != 0 || !skip_text (rest)
      || rest->n < HEAD_BYTES)
    return FALSE;
  form = rest->at[0];
  if (!is_chunk (read_number (rest, 5, 8)) || !is_chunk (read_number (rest, 13, 8)))
    return FALSE;
  rest->at += HEAD_BYTES;
  rest->n -= HEAD_BYTES;
  for (guint i = 0; i < N_TEXTS; i++)
    if (!skip_text (rest))
      return FALSE;
  /* A property has two texts. */
  return form < 2 || (rest->n >= 4 && read_number (rest, 0, 4) <= (rest->n - 4) / 2);
}

/**
 * kymo_otf2_files_check:
 * @anchor: the anchor file
 *
 * Whether sizes and counts in the anchor file can be: the library allocates by them
 * before it looks whether there is so much.
 *
 * Returns: %FALSE and an error where they cannot
 */
gboolean
kymo_otf2_files_check (const char  *anchor,
                       GError     **error)
{
  g_autofree char *bytes = NULL;
  g_autoptr (GError) why = NULL;
  Rest rest = { 0 };
  gsize n;

  if (!kymo_input_load (anchor, MAX_ANCHOR, &bytes, &n, &why)
      && why->code != KYMO_ERROR_LIMIT)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  if (bytes != NULL)
    rest = (Rest) { (const guint8 *) bytes, n };
  if (bytes != NULL && is_sound (&rest))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("“%s” cannot be read as the anchor of an OTF2 archive"), anchor);
  return FALSE;
}

/* The anchor stands for the archive. */
static KymoPart
otf2_part (const char  *folder,
           const char  *name,
           char       **base)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (!is_anchor (path))
    return KYMO_PART_NONE;
  *base = kymo_otf2_files_base (name);
  return KYMO_PART_BOTH;
}

/* TAU, Kymo and its recorder write archives beside profiles of TAU; other tools know nothing of
   these. */
static gboolean
is_of_other_tool (const char *anchor)
{
  guint8 bytes[CREATOR_BYTES];
  Rest rest = { bytes, kymo_input_read_head (AT_FDCWD, anchor, bytes, sizeof bytes) };
  const char *creator;

  if (rest.n < 2)
    return FALSE;
  rest.at += 2;
  rest.n -= 2;
  if (!skip_text (&rest) || rest.n < HEAD_BYTES)
    return FALSE;
  rest.at += HEAD_BYTES;
  rest.n -= HEAD_BYTES;
  if (!skip_text (&rest))
    return FALSE;
  creator = (const char *) rest.at;
  return skip_text (&rest) && !g_str_has_prefix (creator, "TAU")
    && !g_str_has_prefix (creator, "Kymo") && !g_str_has_prefix (creator, "kymo-record");
}

const KymoFormat kymo_format_otf2 =
{
  .id = "otf2",
  .kind = KYMO_FORMAT_TRACE,
  .tool = "OTF2",
  .label = N_("OTF2 archive"),
  .globs = KYMO_FORMAT_WORDS ("*.otf2"),
  .types = KYMO_FORMAT_WORDS ("application/x-otf2"),
  .read = kymo_otf2_read,
  .part = otf2_part,
  .is_alone = is_of_other_tool,
};
