/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file is read, changed and written anew as a whole, beside its place. Files are not trusted:
 * what is too long or has no rule is passed over.
 */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "kymo-acknowledged.h"
#include "kymo-error.h"
#include "kymo-input.h"
#include "kymo-place.h"

#define HEAD "Kymo Acknowledged"
#define GROUP "Finding %u"
#define VERSION 1
#define FILE_MOST (8 << 20)
#define RULE_MOST 256
#define LOCATIONS_MOST (1 << 20)

static void
acknowledgement_free (gpointer data)
{
  KymoAcknowledgement *one = data;

  g_free (one->rule);
  g_free (one->locations);
  g_free (one->note);
  g_free (one->when);
  g_free (one);
}

static KymoAcknowledgement *
acknowledgement_new (const char *rule, const char *locations, const char *note, const char *when)
{
  KymoAcknowledgement *one = g_new0 (KymoAcknowledgement, 1);
  g_autofree char *cut = g_strndup (note != NULL ? note : "", KYMO_ACKNOWLEDGED_NOTE_MOST);

  one->rule = g_strdup (rule);
  one->locations = g_strdup (locations);
  one->note = g_utf8_make_valid (cut, -1);
  one->when = g_strdup (when);
  return one;
}

static char *
dup_path (const char *key)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  g_autofree char *name = g_strdup_printf ("%.32s.ini", hash);

  return g_build_filename (g_get_user_data_dir (), "kymo", "acknowledged", name, NULL);
}

/**
 * kymo_acknowledged_dup_key:
 *
 * Returns: (transfer full) (nullable): what tells the run apart, its folder and its name; %NULL if
 *   it lies in no files
 */
char *
kymo_acknowledged_dup_key (KymoSource *source)
{
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (source);
  g_autofree char *full = facts != NULL && facts->path != NULL ? kymo_place_dup_full (facts->path)
                                                               : NULL;

  return full != NULL ? g_strconcat (full, "\n", facts->title, NULL) : NULL;
}

/* -- reading ----------------------------------------------------------------------- */

/* (transfer full) (nullable): the text of a key, if it is there and no longer than @most. */
static char *
read_text (GKeyFile *file, const char *group, const char *key, gsize most)
{
  g_autofree char *text = g_key_file_get_string (file, group, key, NULL);

  return text != NULL && strlen (text) <= most ? g_steal_pointer (&text) : NULL;
}

/* FALSE behind the last one. */
static gboolean
read_one (GKeyFile *file, guint number, GPtrArray *list)
{
  g_autofree char *group = g_strdup_printf (GROUP, number);
  g_autofree char *rule = NULL, *locations = NULL, *note = NULL, *when = NULL;
  g_autoptr (KymoIdSet) ids = NULL;

  if (!g_key_file_has_group (file, group))
    return FALSE;
  rule = read_text (file, group, "rule", RULE_MOST);
  locations = read_text (file, group, "locations", LOCATIONS_MOST);
  note = read_text (file, group, "note", KYMO_ACKNOWLEDGED_NOTE_MOST);
  when = read_text (file, group, "when", RULE_MOST);
  ids = locations != NULL ? kymo_id_set_parse (locations, NULL) : NULL;
  if (rule != NULL && (locations != NULL) == (ids != NULL))
    g_ptr_array_add (list, acknowledgement_new (rule, locations, note, when));
  return TRUE;
}

/**
 * kymo_acknowledged_load:
 * @key: of the run, from kymo_acknowledged_dup_key()
 *
 * Returns: (transfer full) (element-type KymoAcknowledgement): the causes that are acknowledged,
 *   the oldest first; empty if there are none or their file is damaged
 */
GPtrArray *
kymo_acknowledged_load (const char *key)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (acknowledgement_free);
  g_autofree char *path = dup_path (key);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return list;
  if (!kymo_input_load_key_file (file, path, FILE_MOST, G_KEY_FILE_NONE, &error)
      || g_key_file_get_integer (file, HEAD, "version", &error) != VERSION)
    {
      g_info ("%s: %s", path, error != NULL ? error->message : "another version");
      return list;
    }
  for (guint i = 1; i <= KYMO_ACKNOWLEDGED_MOST && read_one (file, i, list); i++)
    ;
  return list;
}

/* -- writing ----------------------------------------------------------------------- */

static gboolean
save_list (const char *key, GPtrArray *list, GError **error)
{
  g_autofree char *path = dup_path (key), *folder = g_path_get_dirname (path), *text = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (list->len == 0)
    return g_unlink (path) == 0 || errno == ENOENT
      || (g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot delete “%s”: %s"), path,
                       g_strerror (errno)), FALSE);
  g_key_file_set_integer (file, HEAD, "version", VERSION);
  for (guint i = 0; i < list->len; i++)
    {
      const KymoAcknowledgement *one = list->pdata[i];
      g_autofree char *group = g_strdup_printf (GROUP, i + 1);

      g_key_file_set_string (file, group, "rule", one->rule);
      if (one->locations != NULL)
        g_key_file_set_string (file, group, "locations", one->locations);
      g_key_file_set_string (file, group, "note", one->note);
      if (one->when != NULL)
        g_key_file_set_string (file, group, "when", one->when);
    }
  text = g_key_file_to_data (file, NULL, NULL);
  if (g_mkdir_with_parents (folder, 0700) == 0)
    return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot make the folder “%s”: %s"), folder,
               g_strerror (errno));
  return FALSE;
}

static gboolean
is_same (const KymoAcknowledgement *one, const char *rule, const char *locations)
{
  return strcmp (one->rule, rule) == 0 && g_strcmp0 (one->locations, locations) == 0;
}

static void
drop_same (GPtrArray *list, const char *rule, const char *locations)
{
  for (guint i = list->len; i > 0; i--)
    if (is_same (list->pdata[i - 1], rule, locations))
      g_ptr_array_remove_index (list, i - 1);
}

/**
 * kymo_acknowledged_add:
 * @key: of the run
 * @rule: name of the diagnosis, at most 256 bytes
 * @locations: (nullable): from kymo_acknowledged_dup_locations()
 * @note: (nullable): why it is known; %NULL keeps the note that there is
 *
 * Acknowledges a cause, or gives it another note.
 *
 * Returns: FALSE with an error if the file cannot be written; nothing has changed then
 */
gboolean
kymo_acknowledged_add (const char *key, const char *rule, const char *locations, const char *note,
                       GError **error)
{
  g_autoptr (GPtrArray) list = kymo_acknowledged_load (key);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *when = g_date_time_format_iso8601 (now), *kept = NULL;

  for (guint i = 0; note == NULL && kept == NULL && i < list->len; i++)
    if (is_same (list->pdata[i], rule, locations))
      kept = g_strdup (((KymoAcknowledgement *) list->pdata[i])->note);
  drop_same (list, rule, locations);
  g_ptr_array_add (list, acknowledgement_new (rule, locations, note != NULL ? note : kept,
                                              when));
  while (list->len > KYMO_ACKNOWLEDGED_MOST)
    g_ptr_array_remove_index (list, 0);
  return save_list (key, list, error);
}

/**
 * kymo_acknowledged_remove:
 * @key: of the run
 * @rule: name of the diagnosis
 * @locations: (nullable): from kymo_acknowledged_dup_locations()
 *
 * Lets a cause be told again; nothing happens if it is not acknowledged.
 *
 * Returns: FALSE with an error if the file cannot be written; nothing has changed then
 */
gboolean
kymo_acknowledged_remove (const char *key, const char *rule, const char *locations, GError **error)
{
  g_autoptr (GPtrArray) list = kymo_acknowledged_load (key);
  guint before = list->len;

  drop_same (list, rule, locations);
  return list->len == before || save_list (key, list, error);
}

/* -- parting an answer ------------------------------------------------------------- */

/**
 * kymo_acknowledged_dup_locations:
 * @findings: the list of an answer
 * @row: of it
 *
 * Returns: (transfer full) (nullable): the rows that the evidence names, as "0-3,7"; %NULL if it
 *   names none
 */
char *
kymo_acknowledged_dup_locations (const KymoTable *findings, guint row)
{
  const guint *offsets;
  const KymoTable *locations = kymo_table_peek_nested (findings, "locations", &offsets);
  guint n = offsets[row + 1] - offsets[row];
  g_autofree gint64 *ids = g_new (gint64, n + 1);
  g_autoptr (KymoIdSet) set = NULL;

  for (guint i = 0; i < n; i++)
    ids[i] = kymo_table_get_int (locations, "location", offsets[row] + i);
  set = n > 0 ? kymo_id_set_new_list (ids, n) : NULL;
  return set != NULL ? kymo_id_set_to_text (set) : NULL;
}

static const KymoAcknowledgement *
find_acknowledgement (GPtrArray *list, const KymoTable *findings, guint row)
{
  g_autofree char *locations = kymo_acknowledged_dup_locations (findings, row);
  const char *rule = kymo_table_get_string (findings, "id", row);

  for (guint i = 0; i < list->len; i++)
    if (is_same (list->pdata[i], rule, locations))
      return list->pdata[i];
  return NULL;
}

static KymoTable *
copy_columns (const KymoTable *from)
{
  KymoTable *to = kymo_table_new (kymo_table_get_style (from));

  for (guint c = 0; c < kymo_table_get_n_columns (from); c++)
    {
      const char *name = kymo_table_get_column_name (from, c);
      KymoColumnType type = kymo_table_get_column_type (from, c);

      if (type == KYMO_COLUMN_TABLE)
        kymo_table_add_nested (to, name, copy_columns (kymo_table_peek_nested (from, name, NULL)));
      else
        kymo_table_add_column (to, name, type, 1);
    }
  return to;
}

static void
copy_row (const KymoTable *from, guint row, KymoTable *to)
{
  for (guint c = 0; c < kymo_table_get_n_columns (from); c++)
    {
      const char *name = kymo_table_get_column_name (from, c);
      KymoColumnType type = kymo_table_get_column_type (from, c);

      if (type == KYMO_COLUMN_INT)
        kymo_table_append_int (to, c, kymo_table_get_int (from, name, row));
      else if (type == KYMO_COLUMN_DOUBLE)
        kymo_table_append_double (to, c, kymo_table_get_double (from, name, row));
      else if (type == KYMO_COLUMN_BOOL)
        kymo_table_append_bool (to, c, kymo_table_get_bool (from, name, row));
      else if (type == KYMO_COLUMN_STRING)
        kymo_table_append_string (to, c, kymo_table_get_string (from, name, row));
      else
        {
          const guint *offsets;
          const KymoTable *nested = kymo_table_peek_nested (from, name, &offsets);

          for (guint i = offsets[row]; i < offsets[row + 1]; i++)
            copy_row (nested, i, kymo_table_peek_nested (to, name, NULL));
          kymo_table_end_nested (to, c);
        }
    }
}

static void
part_findings (const KymoTable *findings, GPtrArray *list, KymoTable *answer)
{
  KymoTable *told = copy_columns (findings), *quiet = copy_columns (findings);
  guint note = kymo_table_add_column (quiet, "note", KYMO_COLUMN_STRING, 1);
  guint when = kymo_table_add_column (quiet, "when", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < kymo_table_get_n_rows (findings); i++)
    {
      const KymoAcknowledgement *one = find_acknowledgement (list, findings, i);

      copy_row (findings, i, one != NULL ? quiet : told);
      if (one == NULL)
        continue;
      kymo_table_append_string (quiet, note, one->note);
      kymo_table_append_string (quiet, when, one->when);
    }
  kymo_table_set_table (answer, "findings", told);
  kymo_table_set_table (answer, "acknowledged", quiet);
}

/**
 * kymo_acknowledged_part:
 * @answer: of kymo_findings_new()
 * @list: (element-type KymoAcknowledgement): from kymo_acknowledged_load()
 *
 * Returns: (transfer full): the same answer, whose findings that are acknowledged stand in a list
 *   of their own, "acknowledged", with note and when
 */
KymoTable *
kymo_acknowledged_part (const KymoTable *answer, GPtrArray *list)
{
  KymoTable *parted = kymo_table_new (KYMO_STYLE_OBJECT);

  for (guint c = 0; c < kymo_table_get_n_columns (answer); c++)
    {
      const char *name = kymo_table_get_column_name (answer, c);
      KymoColumnType type = kymo_table_get_column_type (answer, c);
      KymoTable *nested = type == KYMO_COLUMN_TABLE ? kymo_table_peek_nested (answer, name, NULL)
                                                    : NULL;

      if (strcmp (name, "findings") == 0)
        part_findings (nested, list, parted);
      else if (nested != NULL)
        kymo_table_set_table (parted, name, kymo_table_ref (nested));
      else if (type == KYMO_COLUMN_INT)
        kymo_table_set_int (parted, name, kymo_table_get_int (answer, name, 0));
      else if (type == KYMO_COLUMN_DOUBLE)
        kymo_table_set_double (parted, name, kymo_table_get_double (answer, name, 0));
      else if (type == KYMO_COLUMN_BOOL)
        kymo_table_set_bool (parted, name, kymo_table_get_bool (answer, name, 0));
      else
        kymo_table_set_string (parted, name, kymo_table_get_string (answer, name, 0));
    }
  return parted;
}
