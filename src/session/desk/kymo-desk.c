/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk.h. Which key is which member is a table; what a value may be
 * goes by its type. Keys and groups that are not known are left out, and values that
 * are not, so that an older program reads a newer file of the same version.
 *
 * Invariant: what is written can be read. A value that a reader would refuse is
 * not written. Values by themselves are of kymo-desk-keys.c, what is chosen in parts
 * and views of kymo-desk-places.c.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "kymo-desk.h"

#include <string.h>

#include "kymo-bookmarks.h"
#include "kymo-desk-comparison.h"
#include "kymo-desk-keys.h"
#include "kymo-desk-places.h"
#include "kymo-error.h"
#include "kymo-id-set.h"
#include "kymo-row-order.h"
#include "kymo-session-messages.h"

#define HEAD "Kymo Desk"
#define EACH_NOTE "Bookmark %u"

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
  gboolean  (*check) (const char *text);   /* or NULL: any text */
} Field;

#define FIELD(group, key, type, member, most) \
  { group, key, type, G_STRUCT_OFFSET (KymoDesk, member), most, NULL }
#define CHECKED(group, key, member, most, check) \
  { group, key, FIELD_TEXT, G_STRUCT_OFFSET (KymoDesk, member), most, check }

static gboolean
is_order (const char *text)
{
  KymoRowOrder order;

  return kymo_row_order_parse (text, &order, NULL);
}

/* "all", "none", a kind of groups, or their numbers. */
static gboolean
is_fold (const char *text)
{
  g_autoptr (KymoIdSet) numbers = NULL;

  if (!g_ascii_isdigit (*text))
    return g_ascii_isalpha (*text) && strlen (text) <= KYMO_DESK_SHORT_MOST;
  numbers = kymo_id_set_parse (text, NULL);
  return numbers != NULL;
}

static gboolean
is_message_lines (const char *text)
{
  KymoMessageLines lines;

  return kymo_message_lines_from_string (text, &lines);
}

static gboolean
is_color_by (const char *text)
{
  KymoColorBy by;

  return kymo_color_by_parse (text, &by);
}

static const Field fields[] = {
  FIELD ("Run", "title", FIELD_TEXT, title, KYMO_DESK_TEXT_MOST),
  FIELD ("Run", "uri", FIELD_TEXT, uri, KYMO_DESK_LONG_MOST),
  FIELD ("Run", "beside", FIELD_TEXT, beside, KYMO_DESK_LONG_MOST),
  FIELD ("Run", "stamp", FIELD_TEXT, stamp, KYMO_DESK_SHORT_MOST),
  FIELD ("Run", "locations", FIELD_NUMBER, n_locations, 0),
  FIELD ("Run", "time", FIELD_SPAN, full, 0),
  FIELD ("Views", "layout", FIELD_TEXT, layout, KYMO_DESK_TEXT_MOST),
  FIELD ("Views", "view", FIELD_TEXT, view, KYMO_DESK_SHORT_MOST),
  FIELD ("Views", "search", FIELD_TEXT, search, KYMO_DESK_TEXT_MOST),
  FIELD ("Views", "sidebar", FIELD_FLAG, panes[KYMO_DESK_SIDEBAR], 0),
  FIELD ("Views", "legend", FIELD_FLAG, panes[KYMO_DESK_LEGEND], 0),
  FIELD ("Views", "details", FIELD_FLAG, panes[KYMO_DESK_DETAILS], 0),
  FIELD ("Shown", "range", FIELD_SPAN, range, 0),
  FIELD ("Shown", "hidden", FIELD_NAMES, hidden, KYMO_DESK_TEXT_MOST),
  FIELD ("Shown", "locations", FIELD_LOCATIONS, locations, KYMO_DESK_LIST_MOST),
  FIELD ("Shown", "by-cluster", FIELD_FLAG, by_class, 0),
  FIELD ("Shown", "extrapolate", FIELD_FLAG, extrapolates, 0),
  FIELD ("Shown", "pinned", FIELD_LOCATIONS, pinned, KYMO_DESK_LIST_MOST),
  CHECKED ("Shown", "order", order, KYMO_DESK_TEXT_MOST, is_order),
  FIELD ("Shown", "order-range", FIELD_SPAN, order_span, 0),
  CHECKED ("Shown", "fold", fold, KYMO_DESK_LIST_MOST, is_fold),
  FIELD ("Shown", "least", FIELD_NUMBER, least_ns, 0),
  FIELD ("Shown", "line", FIELD_TEXT, line, KYMO_DESK_TEXT_MOST),
  FIELD ("Shown", "metrics", FIELD_TEXT, metrics, KYMO_DESK_TEXT_MOST),
  CHECKED ("Shown", "messages", messages, KYMO_DESK_SHORT_MOST, is_message_lines),
  FIELD ("Shown", "messages-by-bytes", FIELD_FLAG, by_bytes, 0),
  FIELD ("Shown", "messages-least-bytes", FIELD_NUMBER, least_bytes, 0),
  FIELD ("Shown", "messages-tag", FIELD_NUMBER, message_tag, 0),
  FIELD ("Chosen", "selection", FIELD_SPAN, selection, 0),
  FIELD ("Chosen", "block-location", FIELD_NUMBER, block_location, 0),
  FIELD ("Chosen", "block-time", FIELD_TIME, block_time_ns, 0),
  FIELD ("Chosen", "marker-a", FIELD_TIME, markers[0], 0),
  FIELD ("Chosen", "marker-b", FIELD_TIME, markers[1], 0),
  FIELD ("Chosen", "function", FIELD_TEXT, function, KYMO_DESK_TEXT_MOST),
  FIELD ("Chosen", "thread", FIELD_TEXT, thread, KYMO_DESK_SHORT_MOST),
  FIELD ("Colours", "palette", FIELD_TEXT, palette, KYMO_DESK_SHORT_MOST),
  CHECKED ("Colours", "by", color_by, KYMO_DESK_SHORT_MOST, is_color_by),
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

/**
 * kymo_desk_new:
 *
 * Returns: (transfer full): a desk with nothing set
 */
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
  desk->places = g_ptr_array_new_with_free_func (kymo_desk_place_free);
  desk->left_out = g_ptr_array_new_with_free_func (g_free);
  return desk;
}

/**
 * kymo_desk_free:
 *
 * Frees the desk with its texts, notes, parts and comparison, and drops its reference of the
 * palette; it must not be %NULL.
 */
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
  g_ptr_array_unref (desk->places);
  g_ptr_array_unref (desk->left_out);
  g_free (desk->file);
  g_clear_pointer (&desk->comparison, kymo_desk_comparison_free);
  g_free (desk);
}

/**
 * kymo_desk_add_note:
 * @span: stretch of time that it is about
 * @name: (nullable): %NULL = empty
 * @note: (nullable): %NULL = empty
 * @locations: (nullable): a list in words; %NULL = all
 *
 * Adds a bookmark. The texts are copied.
 */
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

/* -- what is left out ------------------------------------------------------ */

/**
 * kymo_desk_leave_out:
 * @why: (transfer full): names the value and what is wrong with it
 *
 * Notes the message of @why for kymo_desk_dup_left_out(), and frees @why.
 */
void
kymo_desk_leave_out (KymoDesk *desk, GError *why)
{
  g_ptr_array_add (desk->left_out, g_strdup (why->message));
  g_error_free (why);
}

/**
 * kymo_desk_dup_left_out:
 *
 * Returns: (transfer full) (nullable): a translated sentence with the name of the file, the
 *   reason of the first value that was left out, and how many more there are; %NULL where
 *   nothing was left out
 */
char *
kymo_desk_dup_left_out (const KymoDesk *desk)
{
  g_autofree char *name = desk->file != NULL ? g_strdup_printf (_("“%s”"), desk->file)
                                             : g_strdup (_("The kept desk"));
  guint more = desk->left_out->len - 1;
  const char *why;

  if (desk->left_out->len == 0)
    return NULL;
  why = desk->left_out->pdata[0];
  if (more == 0)
    return g_strdup_printf (_("%s is used without what this Kymo does not know: %s"), name, why);
  return g_strdup_printf (
    ngettext ("%s is used without what this Kymo does not know: %s, and %u more",
              "%s is used without what this Kymo does not know: %s, and %u more", more),
    name, why, more);
}

/* -- reading -------------------------------------------------------------- */

static gboolean
read_checked (GKeyFile *file, const Field *field, char **text, GError **error)
{
  g_autofree char *found = NULL;

  if (!kymo_desk_read_text (file, field->group, field->key, field->most, &found, error))
    return FALSE;
  if (found != NULL && field->check != NULL && !field->check (found))
    return kymo_desk_refuse (error, _("%s of [%s] is nothing that it could be"),
                             field->key, field->group);
  if (found != NULL)
    *text = g_steal_pointer (&found);
  return TRUE;
}

static gboolean
read_field (KymoDesk *desk, GKeyFile *file, const Field *field, GError **error)
{
  void *place = member (desk, field);

  switch (field->type)
    {
    case FIELD_FLAG:
      return kymo_desk_read_flag (file, field->group, field->key, place, error);
    case FIELD_NUMBER:
      return kymo_desk_read_number (file, field->group, field->key, 0, place, error);
    case FIELD_TIME:
      return kymo_desk_read_number (file, field->group, field->key, G_MININT64 / 4, place,
                          error);
    case FIELD_SPAN:
      return kymo_desk_read_span (file, field->group, field->key, place, error);
    case FIELD_NAMES:
      return kymo_desk_read_names (file, field->group, field->key, field->most, place,
                                   error);
    case FIELD_LOCATIONS:
      return kymo_desk_read_locations (file, field->group, field->key, place, error);
    case FIELD_TEXT:
    default:
      return read_checked (file, field, place, error);
    }
}

/* A bookmark is kept without the words that it cannot have, but not without its time. */
static void
read_note (KymoDesk *desk, GKeyFile *file, const char *group)
{
  g_autofree char *name = NULL, *note = NULL, *locations = NULL;
  KymoSpan span = { KYMO_DESK_NONE, KYMO_DESK_NONE };
  GError *why = NULL;

  if (!kymo_desk_read_text (file, group, "name", KYMO_DESK_TEXT_MOST, &name, &why))
    kymo_desk_leave_out (desk, g_steal_pointer (&why));
  if (!kymo_desk_read_text (file, group, "note", KYMO_DESK_LONG_MOST, &note, &why))
    kymo_desk_leave_out (desk, g_steal_pointer (&why));
  if (!kymo_desk_read_locations (file, group, "locations", &locations, &why))
    kymo_desk_leave_out (desk, g_steal_pointer (&why));
  if (kymo_desk_read_span (file, group, "time", &span, &why)
      && span.begin_ns == KYMO_DESK_NONE)
    kymo_desk_refuse (&why, _("[%s] has no stretch of time"), group);
  if (why != NULL)
    kymo_desk_leave_out (desk, why);
  else
    kymo_desk_add_note (desk, span, name, note, locations);
}

static void
read_notes (KymoDesk *desk, GKeyFile *file)
{
  for (guint i = 1; i <= KYMO_BOOKMARKS_MOST; i++)
    {
      g_autofree char *group = g_strdup_printf (EACH_NOTE, i);

      if (!g_key_file_has_group (file, group))
        break;
      read_note (desk, file, group);
    }
}

static void
read_colors (KymoDesk *desk, GKeyFile *file)
{
  if (g_key_file_has_key (file, "Colours", "base", NULL))
    desk->colors = kymo_palette_read (file, desk->left_out);
}

static void
read_values (KymoDesk *desk, GKeyFile *file)
{
  GError *why = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (!read_field (desk, file, &fields[i], &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
  for (guint i = 0; i < KYMO_N_OPTIONS; i++)
    if (!kymo_desk_read_text (file, "Profile", kymo_session_options[i], KYMO_DESK_TEXT_MOST,
                              &desk->options[i], &why))
      kymo_desk_leave_out (desk, g_steal_pointer (&why));
  kymo_desk_read_places (desk, file);
  read_colors (desk, file);
  read_notes (desk, file);
}

/* Checks the group and version that every desk has; without them a file is no desk. */
static gboolean
check_head (GKeyFile *file, const char *text, gsize length, GError **error)
{
  gint64 version = 0;

  if (length > KYMO_DESK_FILE_MOST)
    return kymo_desk_refuse (error, _("it is larger than 8 MiB"));
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL)
      || !g_key_file_has_group (file, HEAD))
    return kymo_desk_refuse (error, _("it does not begin with [%s]"), HEAD);
  if (!kymo_desk_read_number (file, HEAD, "version", 1, &version, error))
    return FALSE;
  return version == KYMO_DESK_VERSION
         || kymo_desk_refuse (error, _("version %" PRId64 " is of another Kymo"), version);
}

/**
 * kymo_desk_parse:
 * @text: content of a file
 * @length: of @text, in bytes
 *
 * Returns: (transfer full) (nullable): the desk, without values that are out of bounds (see
 *   %KymoDesk.left_out); %NULL with %KYMO_ERROR_UNREADABLE and a sentence if it is no desk
 */
KymoDesk *
kymo_desk_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (KymoDesk) desk = kymo_desk_new ();
  g_autoptr (GError) why = NULL;

  if (!check_head (file, text, length, &why) || !kymo_desk_read_comparison (desk, file, &why))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("it is no desk of Kymo: %s"), why->message);
      return NULL;
    }
  read_values (desk, file);
  return g_steal_pointer (&desk);
}

/* -- writing -------------------------------------------------------------- */

/* The parts of a desk that are written: fewer where the file would be too long. */
typedef struct
{
  gboolean hidden, colors, places;
  guint    n_notes;
} Part;

/* Writes a text that a reader would accept; other texts are left out. */
static void
write_checked (GKeyFile *file, const Field *field, const char *text)
{
  if (text != NULL && (field->check == NULL || field->check (text)))
    kymo_desk_write_text (file, field->group, field->key, field->most, text);
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
      kymo_desk_write_number (file, field->group, field->key, 0, *(const gint64 *) place);
      break;
    case FIELD_TIME:
      kymo_desk_write_number (file, field->group, field->key, G_MININT64 / 4,
                              *(const gint64 *) place);
      break;
    case FIELD_SPAN:
      kymo_desk_write_span (file, field->group, field->key, *(const KymoSpan *) place);
      break;
    case FIELD_NAMES:
      if (part->hidden)
        kymo_desk_write_names (file, field->group, field->key, field->most,
                               *(char ***) place);
      break;
    case FIELD_LOCATIONS:
      kymo_desk_write_locations (file, field->group, field->key, *(char *const *) place);
      break;
    case FIELD_TEXT:
    default:
      write_checked (file, field, *(char *const *) place);
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

      if (!kymo_desk_is_span (note->span))
        continue;
      kymo_desk_write_words (file, group, "name", KYMO_DESK_TEXT_MOST, note->name);
      kymo_desk_write_words (file, group, "note", KYMO_DESK_LONG_MOST, note->note);
      kymo_desk_write_span (file, group, "time", note->span);
      kymo_desk_write_locations (file, group, "locations", note->locations);
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
    kymo_desk_write_text (file, "Profile", kymo_session_options[i], KYMO_DESK_TEXT_MOST,
                          desk->options[i]);
  if (part->places)
    kymo_desk_write_places (desk, file);
  kymo_desk_write_comparison (desk, file);
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
 * colours, then without what is chosen in parts, then with the first half of the
 * notes, a quarter, ...
 *
 * Returns: (transfer full): the content of a file
 */
char *
kymo_desk_to_text (const KymoDesk *desk)
{
  Part part = { TRUE, TRUE, TRUE, MIN (desk->notes->len, KYMO_BOOKMARKS_MOST) };

  while (TRUE)
    {
      gsize length;
      g_autofree char *text = part_to_text (desk, &part, &length);

      if (length <= KYMO_DESK_FILE_MOST
          || (!part.hidden && !part.colors && !part.places && part.n_notes == 0))
        return g_steal_pointer (&text);
      if (part.hidden)
        part.hidden = FALSE;
      else if (part.colors)
        part.colors = FALSE;
      else if (part.places)
        part.places = FALSE;
      else
        part.n_notes /= 2;
    }
}
