/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk.h. Which key is which member is a table; what a value may be
 * goes by its type. Keys and groups that are not known are left out, so that an
 * older program reads a newer file of the same version.
 *
 * Invariant: what is written can be read. A value that a reader would refuse is
 * not written.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-desk.h"

#include <string.h>

#include "kymo-bookmarks.h"
#include "kymo-error.h"
#include "kymo-id-set.h"

#define HEAD "Kymo Desk"
#define EACH_NOTE "Bookmark %u"

#define SHORT_MOST 256
#define TEXT_MOST KYMO_PALETTE_TEXT_MOST
#define LONG_MOST 65536
#define LIST_MOST (1 << 20)
#define NAMES_MOST 65536

typedef enum
{
  FIELD_TEXT,
  FIELD_FLAG,
  FIELD_NUMBER,                        /* from 0 */
  FIELD_TIME,
  FIELD_SPAN,                          /* KEY-begin and KEY-end */
  FIELD_NAMES,
  FIELD_LOCATIONS,
} FieldType;

typedef struct
{
  const char *group, *key;
  FieldType   type;
  gsize       offset;
  gsize       most;                    /* bytes of a text */
} Field;

#define FIELD(group, key, type, member, most) \
  { group, key, type, G_STRUCT_OFFSET (KymoDesk, member), most }

static const Field fields[] = {
  FIELD ("Run", "title", FIELD_TEXT, title, TEXT_MOST),
  FIELD ("Run", "uri", FIELD_TEXT, uri, LONG_MOST),
  FIELD ("Run", "beside", FIELD_TEXT, beside, LONG_MOST),
  FIELD ("Run", "stamp", FIELD_TEXT, stamp, SHORT_MOST),
  FIELD ("Run", "locations", FIELD_NUMBER, n_locations, 0),
  FIELD ("Run", "time", FIELD_SPAN, full, 0),
  FIELD ("Views", "layout", FIELD_TEXT, layout, TEXT_MOST),
  FIELD ("Views", "view", FIELD_TEXT, view, SHORT_MOST),
  FIELD ("Views", "search", FIELD_TEXT, search, TEXT_MOST),
  FIELD ("Views", "sidebar", FIELD_FLAG, panes[KYMO_DESK_SIDEBAR], 0),
  FIELD ("Views", "legend", FIELD_FLAG, panes[KYMO_DESK_LEGEND], 0),
  FIELD ("Views", "details", FIELD_FLAG, panes[KYMO_DESK_DETAILS], 0),
  FIELD ("Shown", "range", FIELD_SPAN, range, 0),
  FIELD ("Shown", "hidden", FIELD_NAMES, hidden, TEXT_MOST),
  FIELD ("Shown", "locations", FIELD_LOCATIONS, locations, LIST_MOST),
  FIELD ("Shown", "by-cluster", FIELD_FLAG, by_class, 0),
  FIELD ("Shown", "extrapolate", FIELD_FLAG, extrapolates, 0),
  FIELD ("Chosen", "selection", FIELD_SPAN, selection, 0),
  FIELD ("Chosen", "block-location", FIELD_NUMBER, block_location, 0),
  FIELD ("Chosen", "block-time", FIELD_TIME, block_time_ns, 0),
  FIELD ("Chosen", "marker-a", FIELD_TIME, markers[0], 0),
  FIELD ("Chosen", "marker-b", FIELD_TIME, markers[1], 0),
  FIELD ("Chosen", "function", FIELD_TEXT, function, TEXT_MOST),
  FIELD ("Chosen", "thread", FIELD_TEXT, thread, SHORT_MOST),
  FIELD ("Colours", "palette", FIELD_TEXT, palette, SHORT_MOST),
};

static void *
member (const KymoDesk *desk, const Field *field)
{
  return (char *) desk + field->offset;
}

/* -- values --------------------------------------------------------------- */

static void
note_free (gpointer data)
{
  KymoDeskNote *note = data;

  g_free (note->name);
  g_free (note->note);
  g_free (note->locations);
  g_free (note);
}

/** kymo_desk_new: with nothing set */
KymoDesk *
kymo_desk_new (void)
{
  static const KymoSpan none = { KYMO_DESK_NONE, KYMO_DESK_NONE };
  KymoDesk *desk = g_new0 (KymoDesk, 1);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].type == FIELD_FLAG)
      *(int *) member (desk, &fields[i]) = -1;
    else if (fields[i].type == FIELD_SPAN)
      *(KymoSpan *) member (desk, &fields[i]) = none;
    else if (fields[i].type == FIELD_NUMBER || fields[i].type == FIELD_TIME)
      *(gint64 *) member (desk, &fields[i]) = KYMO_DESK_NONE;
  desk->notes = g_ptr_array_new_with_free_func (note_free);
  return desk;
}

/** kymo_desk_free: */
void
kymo_desk_free (KymoDesk *desk)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].type == FIELD_TEXT || fields[i].type == FIELD_LOCATIONS)
      g_free (*(char **) member (desk, &fields[i]));
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    g_free (desk->options[i]);
  g_strfreev (desk->hidden);
  g_clear_pointer (&desk->colors, kymo_palette_unref);
  g_ptr_array_unref (desk->notes);
  g_free (desk);
}

/** kymo_desk_add_note: @name, @note, @locations: (nullable) */
void
kymo_desk_add_note (KymoDesk *desk, KymoSpan span, const char *name,
                    const char *note, const char *locations)
{
  KymoDeskNote *own = g_new0 (KymoDeskNote, 1);

  own->name = g_strdup (name != NULL ? name : "");
  own->note = g_strdup (note != NULL ? note : "");
  own->span = span;
  own->locations = g_strdup (locations);
  g_ptr_array_add (desk->notes, own);
}

/* -- reading -------------------------------------------------------------- */

static gboolean G_GNUC_PRINTF (2, 3)
refuse (GError **error, const char *format, ...)
{
  va_list arguments;
  g_autofree char *why = NULL, *valid = NULL;

  va_start (arguments, format);
  why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (why, -1);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("it is no desk of Kymo: %s"), valid);
  return FALSE;
}

/* Leaves @text where the key is not there. */
static gboolean
read_text (GKeyFile *file, const char *group, const char *key, gsize most,
           char **text, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *found = NULL;

  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  found = g_key_file_get_string (file, group, key, &why);
  if (found == NULL)
    return refuse (error, _("%s of [%s] is no text"), key, group);
  if (strlen (found) > most)
    return refuse (error, _("%s of [%s] is longer than %zu bytes"), key, group, most);
  g_free (*text);
  *text = g_steal_pointer (&found);
  return TRUE;
}

/* Times lie so that their differences are numbers, too. */
static gboolean
read_number (GKeyFile *file, const char *group, const char *key,
             gint64 least, gint64 *number, GError **error)
{
  g_autofree char *text = NULL;

  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  text = g_key_file_get_value (file, group, key, NULL);
  if (text == NULL
      || !g_ascii_string_to_signed (text, 10, least, G_MAXINT64 / 4, number, NULL))
    return refuse (error, _("%s of [%s] is no number that it could be"), key,
                   group);
  return TRUE;
}

static gboolean
read_span (GKeyFile *file, const char *group, const char *key, KymoSpan *span,
           GError **error)
{
  g_autofree char *begin = g_strconcat (key, "-begin", NULL);
  g_autofree char *end = g_strconcat (key, "-end", NULL);
  KymoSpan found = { KYMO_DESK_NONE, KYMO_DESK_NONE };

  if (!read_number (file, group, begin, G_MININT64 / 4, &found.begin_ns, error)
      || !read_number (file, group, end, G_MININT64 / 4, &found.end_ns, error))
    return FALSE;
  if ((found.begin_ns == KYMO_DESK_NONE) != (found.end_ns == KYMO_DESK_NONE)
      || found.end_ns < found.begin_ns)
    return refuse (error, _("%s of [%s] is no stretch of time"), key, group);
  *span = found;
  return TRUE;
}

static gboolean
read_flag (GKeyFile *file, const char *group, const char *key, int *flag,
           GError **error)
{
  g_autoptr (GError) why = NULL;
  gboolean found;

  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  found = g_key_file_get_boolean (file, group, key, &why);
  if (why != NULL)
    return refuse (error, _("%s of [%s] is neither true nor false"), key, group);
  *flag = found;
  return TRUE;
}

static gboolean
read_locations (GKeyFile *file, const char *group, const char *key,
                char **text, GError **error)
{
  g_autoptr (KymoIdSet) set = NULL;

  if (!read_text (file, group, key, LIST_MOST, text, error))
    return FALSE;
  if (*text == NULL)
    return TRUE;
  set = kymo_id_set_parse (*text, NULL);
  return set != NULL
         || refuse (error, _("%s of [%s] is no list as 0-15,32"), key, group);
}

static gboolean
read_names (GKeyFile *file, const Field *field, char ***names, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_auto (GStrv) found = NULL;
  gsize n;

  if (!g_key_file_has_key (file, field->group, field->key, NULL))
    return TRUE;
  found = g_key_file_get_string_list (file, field->group, field->key, &n, &why);
  if (why != NULL || n > NAMES_MOST)
    return refuse (error, _("%s of [%s] is no list of names, or too long"),
                   field->key, field->group);
  for (gsize i = 0; i < n; i++)
    if (strlen (found[i]) > field->most)
      return refuse (error, _("a name in %s of [%s] is longer than %zu bytes"),
                     field->key, field->group, field->most);
  *names = g_steal_pointer (&found);
  return TRUE;
}

static gboolean
read_field (KymoDesk *desk, GKeyFile *file, const Field *field, GError **error)
{
  void *place = member (desk, field);

  switch (field->type)
    {
    case FIELD_FLAG:
      return read_flag (file, field->group, field->key, place, error);
    case FIELD_NUMBER:
      return read_number (file, field->group, field->key, 0, place, error);
    case FIELD_TIME:
      return read_number (file, field->group, field->key, G_MININT64 / 4, place,
                          error);
    case FIELD_SPAN:
      return read_span (file, field->group, field->key, place, error);
    case FIELD_NAMES:
      return read_names (file, field, place, error);
    case FIELD_LOCATIONS:
      return read_locations (file, field->group, field->key, place, error);
    case FIELD_TEXT:
    default:
      return read_text (file, field->group, field->key, field->most, place,
                        error);
    }
}

static gboolean
read_note (KymoDesk *desk, GKeyFile *file, const char *group, GError **error)
{
  g_autofree char *name = NULL, *note = NULL, *locations = NULL;
  KymoSpan span;

  if (!read_text (file, group, "name", TEXT_MOST, &name, error)
      || !read_text (file, group, "note", LONG_MOST, &note, error)
      || !read_locations (file, group, "locations", &locations, error)
      || !read_span (file, group, "time", &span, error))
    return FALSE;
  if (span.begin_ns == KYMO_DESK_NONE)
    return refuse (error, _("[%s] has no stretch of time"), group);
  kymo_desk_add_note (desk, span, name, note, locations);
  return TRUE;
}

static gboolean
read_notes (KymoDesk *desk, GKeyFile *file, GError **error)
{
  for (guint i = 1; i <= KYMO_BOOKMARKS_MOST; i++)
    {
      g_autofree char *group = g_strdup_printf (EACH_NOTE, i);

      if (!g_key_file_has_group (file, group))
        break;
      if (!read_note (desk, file, group, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_all (KymoDesk *desk, GKeyFile *file, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (!read_field (desk, file, &fields[i], error))
      return FALSE;
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    if (!read_text (file, "Profile", kymo_session_options[i], TEXT_MOST,
                    &desk->options[i], error))
      return FALSE;
  if (g_key_file_has_key (file, "Colours", "base", NULL))
    {
      desk->colors = kymo_palette_read (file, error);
      if (desk->colors == NULL)
        return FALSE;
    }
  return read_notes (desk, file, error);
}

/**
 * kymo_desk_parse:
 * @text: content of a file
 *
 * Returns: (transfer full) (nullable): the desk, or %NULL and one sentence
 */
KymoDesk *
kymo_desk_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (KymoDesk) desk = NULL;
  gint64 version = 0;

  if (length > KYMO_DESK_FILE_MOST)
    {
      refuse (error, _("it is larger than 8 MiB"));
      return NULL;
    }
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL)
      || !g_key_file_has_group (file, HEAD))
    {
      refuse (error, _("it does not begin with [%s]"), HEAD);
      return NULL;
    }
  if (!read_number (file, HEAD, "version", 1, &version, error))
    return NULL;
  if (version != KYMO_DESK_VERSION)
    {
      refuse (error, _("version %" PRId64 " is of another Kymo"),
              version);
      return NULL;
    }
  desk = kymo_desk_new ();
  return read_all (desk, file, error) ? g_steal_pointer (&desk) : NULL;
}

/* -- writing -------------------------------------------------------------- */

/* What of a desk is written: less where a file would be too long. */
typedef struct
{
  gboolean hidden, colors;
  guint    n_notes;
} Part;

static gboolean
is_number (gint64 least, gint64 number)
{
  return number >= least && number <= G_MAXINT64 / 4;
}

static gboolean
is_span (KymoSpan span)
{
  return is_number (G_MININT64 / 4, span.begin_ns)
         && is_number (G_MININT64 / 4, span.end_ns) && span.end_ns >= span.begin_ns;
}

static void
write_text (GKeyFile *file, const char *group, const char *key, gsize most,
            const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid != NULL && strlen (valid) <= most)
    g_key_file_set_string (file, group, key, valid);
}

/* Words that are too long are cut behind a character. */
static void
write_words (GKeyFile *file, const char *group, const char *key, gsize most,
             const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (strlen (valid) > most)
    *g_utf8_find_prev_char (valid, valid + most + 1) = '\0';
  g_key_file_set_string (file, group, key, valid);
}

static void
write_locations (GKeyFile *file, const char *group, const char *text)
{
  g_autoptr (KymoIdSet) set = text != NULL ? kymo_id_set_parse (text, NULL) : NULL;

  if (set != NULL)
    write_text (file, group, "locations", LIST_MOST, text);
}

static void
write_span (GKeyFile *file, const char *group, const char *key, KymoSpan span)
{
  g_autofree char *begin = g_strconcat (key, "-begin", NULL);
  g_autofree char *end = g_strconcat (key, "-end", NULL);

  if (!is_span (span))
    return;
  g_key_file_set_int64 (file, group, begin, span.begin_ns);
  g_key_file_set_int64 (file, group, end, span.end_ns);
}

static void
write_number (GKeyFile *file, const Field *field, gint64 least, gint64 number)
{
  if (is_number (least, number))
    g_key_file_set_int64 (file, field->group, field->key, number);
}

static void
write_names (GKeyFile *file, const Field *field, char **names)
{
  g_autoptr (GPtrArray) valid = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; names != NULL && names[i] != NULL && valid->len < NAMES_MOST; i++)
    {
      g_autofree char *one = g_utf8_make_valid (names[i], -1);

      if (strlen (one) <= field->most)
        g_ptr_array_add (valid, g_steal_pointer (&one));
    }
  if (valid->len > 0)
    g_key_file_set_string_list (file, field->group, field->key,
                                (const char *const *) valid->pdata, valid->len);
}

static void
write_field (const KymoDesk *desk, const Part *part, GKeyFile *file, const Field *field)
{
  const void *place = member (desk, field);

  switch (field->type)
    {
    case FIELD_FLAG:
      if (*(const int *) place >= 0)
        g_key_file_set_boolean (file, field->group, field->key,
                                *(const int *) place);
      break;
    case FIELD_NUMBER:
      write_number (file, field, 0, *(const gint64 *) place);
      break;
    case FIELD_TIME:
      write_number (file, field, G_MININT64 / 4, *(const gint64 *) place);
      break;
    case FIELD_SPAN:
      write_span (file, field->group, field->key, *(const KymoSpan *) place);
      break;
    case FIELD_NAMES:
      if (part->hidden)
        write_names (file, field, *(char ***) place);
      break;
    case FIELD_LOCATIONS:
      write_locations (file, field->group, *(char *const *) place);
      break;
    case FIELD_TEXT:
    default:
      write_text (file, field->group, field->key, field->most, *(char *const *) place);
      break;
    }
}

/* Groups without a gap. */
static void
write_notes (const KymoDesk *desk, guint n, GKeyFile *file)
{
  guint n_written = 0;

  for (guint i = 0; i < n; i++)
    {
      const KymoDeskNote *note = desk->notes->pdata[i];
      g_autofree char *group = g_strdup_printf (EACH_NOTE, n_written + 1);

      if (!is_span (note->span))
        continue;
      write_words (file, group, "name", TEXT_MOST, note->name);
      write_words (file, group, "note", LONG_MOST, note->note);
      write_span (file, group, "time", note->span);
      write_locations (file, group, note->locations);
      n_written++;
    }
}

static char *
part_to_text (const KymoDesk *desk, const Part *part, gsize *length)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  g_key_file_set_integer (file, HEAD, "version", KYMO_DESK_VERSION);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    write_field (desk, part, file, &fields[i]);
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    write_text (file, "Profile", kymo_session_options[i], TEXT_MOST, desk->options[i]);
  if (desk->colors != NULL && part->colors)
    kymo_palette_write (desk->colors, file);
  write_notes (desk, part->n_notes, file);
  return g_key_file_to_data (file, length, NULL);
}

/**
 * kymo_desk_to_text:
 *
 * A value that is longer than a reader takes is left out, the words of a note are
 * cut. Where the whole is too long it is without hidden names, then without
 * colours, then with the first half of the notes, a quarter, ...
 *
 * Returns: (transfer full): the content of a file
 */
char *
kymo_desk_to_text (const KymoDesk *desk)
{
  Part part = { TRUE, TRUE, MIN (desk->notes->len, KYMO_BOOKMARKS_MOST) };

  while (TRUE)
    {
      gsize length;
      g_autofree char *text = part_to_text (desk, &part, &length);

      if (length <= KYMO_DESK_FILE_MOST
          || (!part.hidden && !part.colors && part.n_notes == 0))
        return g_steal_pointer (&text);
      if (part.hidden)
        part.hidden = FALSE;
      else if (part.colors)
        part.colors = FALSE;
      else
        part.n_notes /= 2;
    }
}
