/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-stream-settings.h"

#include "kymo-condition.h"
#include "kymo-settings.h"

#define MOST_TARGETS 10
#define DEFAULT_KEPT_MIB 32

/* -- what was chosen ------------------------------------------------------ */

/** kymo_attach_choice_new: members may be NULL: empty */
KymoAttachChoice *
kymo_attach_choice_new (const char *address, const char *through,
                        const char *key_file, const char *names)
{
  KymoAttachChoice *choice = g_new0 (KymoAttachChoice, 1);

  choice->address = g_strdup (address != NULL ? address : "");
  choice->through = g_strdup (through != NULL ? through : "");
  choice->key_file = g_strdup (key_file != NULL ? key_file : "");
  choice->names = g_strdup (names != NULL ? names : "");
  return choice;
}

/**
 * kymo_attach_choice_free:
 * @choice: (nullable): %NULL does nothing
 *
 * Frees the choice and its strings.
 */
void
kymo_attach_choice_free (KymoAttachChoice *choice)
{
  if (choice == NULL)
    return;
  g_free (choice->address);
  g_free (choice->through);
  g_free (choice->key_file);
  g_free (choice->names);
  g_free (choice);
}

/** kymo_attach_choice_parse: %NULL and a sentence where it is no target */
KymoCcsTarget *
kymo_attach_choice_parse (const KymoAttachChoice *choice, GError **error)
{
  g_autofree char *through = g_strstrip (g_strdup (choice->through));

  return kymo_ccs_target_parse (choice->address,
                                *through != 0 ? through : NULL,
                                *choice->key_file != 0 ? choice->key_file
                                                       : NULL, error);
}

/* -- targets -------------------------------------------------------------- */

/**
 * kymo_stream_settings_dup_targets:
 *
 * Returns: (transfer full) (element-type KymoAttachChoice): the jobs that were attached to last,
 * newest first, at most 10; empty without a schema
 */
GPtrArray *
kymo_stream_settings_dup_targets (void)
{
  GPtrArray *targets = g_ptr_array_new_with_free_func (
    (GDestroyNotify) kymo_attach_choice_free);
  GSettings *settings = kymo_settings_peek ();
  g_autoptr (GVariant) list = NULL;
  const char *address, *through, *key_file, *names;
  GVariantIter iter;

  if (settings == NULL)
    return targets;
  list = g_settings_get_value (settings, "attach-targets");
  g_variant_iter_init (&iter, list);
  while (targets->len < MOST_TARGETS
         && g_variant_iter_next (&iter, "(&s&s&s&s)", &address, &through,
                                 &key_file, &names))
    {
      g_autofree char *key_path = kymo_settings_decode_path (key_file);
      g_autofree char *names_path = kymo_settings_decode_path (names);

      g_ptr_array_add (targets, kymo_attach_choice_new (address, through,
                                                        key_path, names_path));
    }
  return targets;
}

static GVariant *
pack_target (const KymoAttachChoice *choice)
{
  g_autofree char *address = g_utf8_make_valid (choice->address, -1);
  g_autofree char *through = g_utf8_make_valid (choice->through, -1);
  g_autofree char *key_file = kymo_settings_encode_path (choice->key_file);
  g_autofree char *names = kymo_settings_encode_path (choice->names);

  return g_variant_new ("(ssss)", address, through, key_file, names);
}

/**
 * kymo_stream_settings_add_target: becomes the newest; the same address by the
 * same way is kept once
 */
void
kymo_stream_settings_add_target (const KymoAttachChoice *choice)
{
  g_autoptr (GPtrArray) old = kymo_stream_settings_dup_targets ();
  GVariantBuilder builder;
  guint n = 1;

  if (kymo_settings_peek () == NULL)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ssss)"));
  g_variant_builder_add_value (&builder, pack_target (choice));
  for (guint i = 0; i < old->len && n < MOST_TARGETS; i++)
    {
      const KymoAttachChoice *other = old->pdata[i];

      if (g_strcmp0 (other->address, choice->address) == 0
          && g_strcmp0 (other->through, choice->through) == 0)
        continue;
      g_variant_builder_add_value (&builder, pack_target (other));
      n++;
    }
  g_settings_set_value (kymo_settings_peek (), "attach-targets",
                        g_variant_builder_end (&builder));
}

/* -- conditions ----------------------------------------------------------- */

/** kymo_stream_settings_dup_conditions: one that cannot be read is left out */
GPtrArray *
kymo_stream_settings_dup_conditions (void)
{
  GPtrArray *conditions = g_ptr_array_new_with_free_func (
    (GDestroyNotify) kymo_condition_free);
  GSettings *settings = kymo_settings_peek ();
  g_auto (GStrv) words = NULL;

  if (settings == NULL)
    return conditions;
  words = g_settings_get_strv (settings, "stream-conditions");
  for (guint i = 0; words[i] != NULL; i++)
    {
      KymoCondition *condition = kymo_condition_parse (words[i], NULL);

      if (condition != NULL)
        g_ptr_array_add (conditions, condition);
    }
  return conditions;
}

/** kymo_stream_settings_set_conditions: @conditions: #KymoCondition */
void
kymo_stream_settings_set_conditions (GPtrArray *conditions)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;

  if (kymo_settings_peek () == NULL)
    return;
  for (guint i = 0; i < conditions->len; i++)
    {
      g_autofree char *text = kymo_condition_to_string (conditions->pdata[i]);

      g_strv_builder_add (builder, text);
    }
  words = g_strv_builder_end (builder);
  g_settings_set_strv (kymo_settings_peek (), "stream-conditions",
                       (const char *const *) words);
}

/* -- preferences ---------------------------------------------------------- */

/**
 * kymo_stream_settings_get_kept_bytes:
 *
 * Returns: bytes of memory for the part of a stream that can still be saved; 32 MiB without a
 * schema
 */
gsize
kymo_stream_settings_get_kept_bytes (void)
{
  GSettings *settings = kymo_settings_peek ();
  gsize mib = settings != NULL ? g_settings_get_int (settings, "stream-kept")
                               : DEFAULT_KEPT_MIB;

  return mib << 20;
}

static gboolean
get_boolean (const char *key)
{
  GSettings *settings = kymo_settings_peek ();

  return settings == NULL || g_settings_get_boolean (settings, key);
}

/** kymo_stream_settings_get_notifies: alarms are told on the desktop */
gboolean
kymo_stream_settings_get_notifies (void)
{
  return get_boolean ("stream-notifications");
}

/** kymo_stream_settings_get_asks: before a stream is closed unsaved */
gboolean
kymo_stream_settings_get_asks (void)
{
  return get_boolean ("stream-ask-unsaved");
}
