/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"

static void
entry_free (gpointer data)
{
  KymoRemoteEntry *entry = data;

  g_free (entry->name);
  g_free (entry->path);
  g_free (entry->what);
  g_free (entry);
}

/** kymo_remote_listing_free: @listing: (nullable): with its entries */
void
kymo_remote_listing_free (KymoRemoteListing *listing)
{
  if (listing == NULL)
    return;
  g_free (listing->path);
  g_clear_pointer (&listing->entries, g_ptr_array_unref);
  g_free (listing);
}

/* (transfer full) (nullable): what the server tells; NULL where that is nothing to show. */
static KymoRemoteEntry *
read_entry (GVariant *body)
{
  KymoRemoteEntry *entry = g_new0 (KymoRemoteEntry, 1);
  const char *kind = "";

  entry->bytes = -1;
  g_variant_lookup (body, "kind", "&s", &kind);
  g_variant_lookup (body, "name", "s", &entry->name);
  g_variant_lookup (body, "path", "^ay", &entry->path);
  g_variant_lookup (body, "what", "s", &entry->what);
  g_variant_lookup (body, "bytes", "x", &entry->bytes);
  g_variant_lookup (body, "at-least", "b", &entry->at_least);
  g_variant_lookup (body, "time", "x", &entry->time_s);
  entry->is_run = strcmp (kind, "run") == 0;
  /* Another version may list things of other kinds. */
  if (entry->name != NULL && entry->path != NULL && entry->path[0] == '/'
      && (entry->is_run || strcmp (kind, "folder") == 0))
    return entry;
  entry_free (entry);
  return NULL;
}

static KymoRemoteListing *
read_listing (GVariant *body, GError **error)
{
  g_autoptr (KymoRemoteListing) listing = g_new0 (KymoRemoteListing, 1);
  g_autoptr (GVariant) entries = g_variant_lookup_value (body, "entries",
                                                         G_VARIANT_TYPE ("aa{sv}"));

  listing->entries = g_ptr_array_new_with_free_func (entry_free);
  g_variant_lookup (body, "path", "^ay", &listing->path);
  g_variant_lookup (body, "at-least", "b", &listing->at_least);
  if (entries == NULL || listing->path == NULL || listing->path[0] != '/')
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                           _("The server does not tell what the folder holds"));
      return NULL;
    }
  for (gsize i = 0; i < g_variant_n_children (entries); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (entries, i);
      KymoRemoteEntry *entry = read_entry (child);

      if (entry != NULL)
        g_ptr_array_add (listing->entries, entry);
    }
  return g_steal_pointer (&listing);
}

/**
 * kymo_remote_list:
 * @path: of a folder there; "/~" is the user's
 * @cancellable: (nullable): ends the waiting
 *
 * Blocks until the server has looked through the folder, some seconds at most.
 *
 * Returns: (transfer full) (nullable): what lies in the folder; %NULL with the reason
 */
KymoRemoteListing *
kymo_remote_list (KymoRemoteLink *link, const char *path, GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (KymoFrame) frame = NULL;
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "path", "^ay", path);
  frame = kymo_remote_link_ask (link, KYMO_FRAME_LIST, g_variant_dict_end (&body), NULL, NULL,
                                NULL, cancellable, error);
  return frame != NULL ? read_listing (frame->body, error) : NULL;
}
