/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: entries are in the order of their sides, and sides have no gaps. The
 * comparison is made anew whenever that changes; runs stay in memory.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-compare-page.h"
#include "kymo-compare-reading.h"
#include "kymo-desk-comparison.h"
#include "kymo-desk-store.h"
#include "kymo-settings.h"

struct _KymoComparePage
{
  KymoPage         parent_instance;

  GPtrArray       *entries;        /* KymoCompareEntry */
  GtkWidget       *lines;          /* banners over the view, or NULL */
  GtkWidget       *reading;        /* the face while runs are read */
  KymoCompareView *view;           /* or NULL */
  guint            last_side;      /* of what was added last */
  KymoDesk        *pending;        /* to be restored once all is read, or NULL */
  guint            n_dropped;      /* that were too many, and not told of yet */
};

G_DEFINE_FINAL_TYPE (KymoComparePage, kymo_compare_page, KYMO_TYPE_PAGE)

static KymoCompareEntry *
entry_at (KymoComparePage *self, guint i)
{
  return g_ptr_array_index (self->entries, i);
}

/* -- words ---------------------------------------------------------------- */

static char *
dup_folder (const char *path)
{
  g_autofree char *valid = g_utf8_make_valid (path, -1);

  return g_path_get_basename (valid);
}

/* What the run calls itself; where another one has that name, its file or folder. */
static char *
dup_title (KymoComparePage *self, guint which)
{
  KymoCompareEntry *entry = entry_at (self, which);
  g_autofree char *title = entry->name != NULL ? g_strdup (entry->name)
                           : entry->source != NULL ? kymo_source_dup_title (entry->source)
                                                 : dup_folder (entry->path);

  for (guint i = 0; i < self->entries->len && entry->name == NULL; i++)
    if (i != which && entry_at (self, i)->source != NULL)
      {
        g_autofree char *other = kymo_source_dup_title (entry_at (self, i)->source);

        if (g_str_equal (title, other))
          return dup_folder (entry->path);
      }
  return g_steal_pointer (&title);
}

static guint
count_sides (KymoComparePage *self)
{
  return self->entries->len > 0
         ? entry_at (self, self->entries->len - 1)->side + 1 : 0;
}

static void
take_words (KymoComparePage *self)
{
  guint n_sides = count_sides (self), last = 0;
  g_autofree char *a = NULL, *b = NULL, *title = NULL, *subtitle = NULL;

  if (self->entries->len < 2)
    return;
  while (last + 1 < self->entries->len && entry_at (self, last)->side != n_sides - 1)
    last++;
  a = dup_title (self, 0);
  b = dup_title (self, last);
  title = n_sides > 2
    /* Translators: one run compared with so many others */
    ? g_strdup_printf (g_dngettext (NULL, "%s against %u other", "%s against %u others",
                                    n_sides - 1), a, n_sides - 1)
    /* Translators: two runs that are compared */
    : g_strdup_printf (_("%s against %s"), a, b);
  if (entry_at (self, 0)->info != NULL && entry_at (self, last)->info != NULL)
    {
      g_autofree char *one = kymo_compare_entry_dup_detail (entry_at (self, 0));
      g_autofree char *other = kymo_compare_entry_dup_detail (entry_at (self, last));

      subtitle = n_sides > 2 ? g_strdup (one)
                             : g_strdup_printf (_("%s against %s"), one, other);
    }
  kymo_page_set_words (KYMO_PAGE (self), title, subtitle != NULL ? subtitle : "");
}

/* -- the comparison ------------------------------------------------------- */

static int
compare_sides (gconstpointer a, gconstpointer b)
{
  const KymoCompareEntry *x = *(KymoCompareEntry *const *) a;
  const KymoCompareEntry *y = *(KymoCompareEntry *const *) b;

  if (x->side != y->side)
    return x->side < y->side ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

/* In the order of sides; those that are left over are numbered anew. */
static void
put_in_order (KymoComparePage *self)
{
  guint side = 0, before = 0;

  for (guint i = 0; i < self->entries->len; i++)
    entry_at (self, i)->order = i;
  g_ptr_array_sort (self->entries, compare_sides);
  for (guint i = 0; i < self->entries->len; i++)
    {
      guint own = entry_at (self, i)->side;

      if (i > 0 && own != before)
        side++;
      before = own;
      entry_at (self, i)->side = side;
    }
}

static void arrange_compare_page (KymoComparePage *self, const char *what, guint run, guint side);

static void
on_message (KymoPage *self, const char *message)
{
  kymo_page_say (self, message);
}

/* The colours of the preferences, also when these change. */
static void
apply_palette (KymoCompareView *view)
{
  KymoSession *session = kymo_compare_view_peek_session (view);

  if (kymo_settings_peek () == NULL)
    return;
  kymo_page_apply_palette (session);
  kymo_follow (kymo_settings_peek (), "changed::palette", kymo_page_apply_palette, session);
}

static GtkWidget *
new_view (KymoComparePage *self)
{
  guint n = self->entries->len;
  g_autofree KymoSource **sources = g_new0 (KymoSource *, n);
  g_autofree guint *sides = g_new0 (guint, n);
  g_autofree KymoCompareRun *runs = g_new0 (KymoCompareRun, n);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (KymoComparison) comparison = NULL;

  for (guint i = 0; i < n; i++)
    {
      KymoCompareEntry *entry = entry_at (self, i);

      sources[i] = entry->source;
      sides[i] = entry->side;
      g_ptr_array_add (words, dup_title (self, i));
      g_ptr_array_add (words, kymo_compare_entry_dup_detail (entry));
      runs[i] = (KymoCompareRun) { words->pdata[2 * i], words->pdata[2 * i + 1],
                                   entry->path, entry->stretch };
    }
  comparison = kymo_comparison_new (sources, sides, n);
  return kymo_compare_view_new (comparison, runs);
}

/* Once, when all its runs are read. */
static void
restore_desk (KymoComparePage *self)
{
  g_autoptr (KymoDesk) desk = g_steal_pointer (&self->pending);
  g_autofree guint *from = g_new (guint, self->entries->len);
  g_auto (GStrv) left_out = NULL;

  if (desk == NULL)
    return;
  for (guint i = 0; i < self->entries->len; i++)
    from[i] = entry_at (self, i)->kept;
  left_out = kymo_compare_view_restore (self->view, desk, from);
  if (left_out[0] != NULL)
    {
      g_autofree char *list = g_strjoinv (", ", left_out);
      g_autofree char *words = g_strdup_printf (_("The runs have not all of this desk: %s"),
                                                list);

      kymo_page_say (KYMO_PAGE (self), words);
    }
}

static void
show_view (KymoComparePage *self)
{
  GtkWidget *view;
  KymoCompareView *old = self->view;

  put_in_order (self);
  view = new_view (self);
  self->view = KYMO_COMPARE_VIEW (view);
  apply_palette (self->view);
  if (old != NULL)
    kymo_compare_view_take_place (self->view, old);
  kymo_page_drop_face (KYMO_PAGE (self), "comparison");
  kymo_page_add_face (KYMO_PAGE (self), "comparison", view);
  kymo_page_show_face (KYMO_PAGE (self), "comparison");
  kymo_follow (view, "message", on_message, self);
  kymo_follow (view, "arrange", arrange_compare_page, self);
  if (self->lines != NULL)
    gtk_box_remove (GTK_BOX (self), self->lines);
  self->lines = kymo_compare_entries_build_lines (self->entries);
  gtk_box_prepend (GTK_BOX (self), self->lines);
  take_words (self);
  restore_desk (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    kymo_compare_view_focus (self->view);
}

/* Runs are compared once nothing is read any more and nothing failed. */
static void
review_compare_page (KymoComparePage *self)
{
  kymo_compare_reading_show (self->reading, self->entries);
  if (kymo_compare_entries_are_read (self->entries))
    show_view (self);
  else
    {
      kymo_page_show_face (KYMO_PAGE (self), "reading");
      take_words (self);
    }
  kymo_page_tell_changed (KYMO_PAGE (self));
}

/* -- sides ---------------------------------------------------------------- */

static void
exchange (KymoComparePage *self, guint one, guint other)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (entry_at (self, i)->side == one)
      entry_at (self, i)->side = other;
    else if (entry_at (self, i)->side == other)
      entry_at (self, i)->side = one;
}

static gboolean
still_two_sides (KymoComparePage *self)
{
  for (guint i = 1; i < self->entries->len; i++)
    if (entry_at (self, i)->side != entry_at (self, 0)->side)
      return TRUE;
  return FALSE;
}

static void
arrange_compare_page (KymoComparePage *self, const char *what, guint run, guint side)
{
  guint own;

  if (run >= self->entries->len)
    return;
  if (g_str_equal (what, "add"))
    {
      g_signal_emit_by_name (self, "add-run");
      return;
    }
  own = entry_at (self, run)->side;
  if (g_str_equal (what, "swap"))
    exchange (self, 0, side);
  else if (g_str_equal (what, "first"))
    exchange (self, 0, own);
  else if (g_str_equal (what, "repeat"))
    entry_at (self, run)->side = side;
  else if (g_str_equal (what, "apart"))
    entry_at (self, run)->side = count_sides (self);
  else if (self->entries->len > 2)
    g_ptr_array_remove_index (self->entries, run);
  if (!still_two_sides (self))
    {
      kymo_page_say (KYMO_PAGE (self), _("Repeats of one run alone are no comparison"));
      if (g_str_equal (what, "repeat"))
        entry_at (self, run)->side = own;
      else
        entry_at (self, self->entries->len - 1)->side++;
    }
  show_view (self);
  kymo_page_tell_changed (KYMO_PAGE (self));
}

/* -- reading -------------------------------------------------------------- */

static void
on_read (gpointer data)
{
  review_compare_page (data);
}

/* Once, for all that were too many. */
static void
tell_dropped (KymoComparePage *self)
{
  g_autofree char *words = g_strdup_printf (
    g_dngettext (NULL, "%u run is left out: no more than %u are compared at once",
                 "%u runs are left out: no more than %u are compared at once",
                 self->n_dropped), self->n_dropped, KYMO_MOST_RUNS);

  if (self->n_dropped > 0)
    kymo_page_say (KYMO_PAGE (self), words);
  self->n_dropped = 0;
}

/**
 * kymo_compare_page_start:
 *
 * Reads the runs that are not read yet, on worker threads, and shows the comparison once all of
 * them are. Until then, and where a run cannot be read, the page shows the progress or the error
 * of each run.
 */
void
kymo_compare_page_start (KymoComparePage *self)
{
  tell_dropped (self);
  put_in_order (self);
  for (guint i = 0; i < self->entries->len; i++)
    kymo_compare_entry_read (entry_at (self, i), G_OBJECT (self), on_read);
  review_compare_page (self);
}

/** kymo_compare_page_keep_apart: where runs were left out, two sides stay */
void
kymo_compare_page_keep_apart (KymoComparePage *self)
{
  put_in_order (self);
  if (self->entries->len >= 2 && !still_two_sides (self))
    entry_at (self, self->entries->len - 1)->side++;
}

/* The person leaves out what cannot be read. */
static void
on_leave_out (KymoComparePage *self)
{
  for (guint i = self->entries->len; i-- > 0;)
    if (entry_at (self, i)->error != NULL)
      g_ptr_array_remove_index (self->entries, i);
  kymo_compare_page_keep_apart (self);
  review_compare_page (self);
}

static void
on_stop (KymoComparePage *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    kymo_compare_entry_stop (entry_at (self, i));
}

/**
 * kymo_compare_page_add:
 * @source: (nullable): the run, where a tab has it
 * @side: that it repeats, or %KYMO_COMPARE_APART
 */
void
kymo_compare_page_add (KymoComparePage *self, const char *path, KymoSource *source,
                       guint side)
{
  kymo_compare_page_add_kept (self, path, source, side, G_MAXUINT);
}

/** kymo_compare_page_add_kept: @kept: which run it is of the desk that is taken */
void
kymo_compare_page_add_kept (KymoComparePage *self, const char *path, KymoSource *source,
                            guint side, guint kept)
{
  KymoCompareEntry *entry;

  if (self->entries->len >= KYMO_MOST_RUNS)
    {
      self->n_dropped++;
      return;
    }
  put_in_order (self);
  self->last_side = MIN (side, count_sides (self));
  entry = kymo_compare_entry_new (path, source, self->last_side);
  entry->kept = kept;
  g_ptr_array_add (self->entries, entry);
  put_in_order (self);
  take_words (self);
}

/**
 * kymo_compare_page_take_stretch:
 * @name: of the stretch
 * @stretch: in the time of the run, not empty
 *
 * Compares a stretch alone of the run that was added last.
 */
void
kymo_compare_page_take_stretch (KymoComparePage *self, const char *name, KymoSpan stretch)
{
  KymoCompareEntry *entry = entry_at (self, self->entries->len - 1);

  g_free (entry->name);
  entry->name = g_strdup (name);
  entry->stretch = stretch;
}

/** kymo_compare_page_take_desk: @desk: (transfer full): for when its runs are read */
void
kymo_compare_page_take_desk (KymoComparePage *self, KymoDesk *desk)
{
  g_clear_pointer (&self->pending, kymo_desk_free);
  self->pending = desk;
}

/** kymo_compare_page_dup_desk: (nullable): none while runs are read, or one could not be */
KymoDesk *
kymo_compare_page_dup_desk (KymoComparePage *self, const char *desk_path)
{
  GSettings *settings = kymo_settings_peek ();
  KymoDesk *desk;

  if (self->view == NULL || !kymo_compare_entries_are_read (self->entries))
    return NULL;
  desk = kymo_desk_new ();
  kymo_compare_view_keep (self->view, desk);
  for (guint i = 0; i < self->entries->len; i++)
    {
      KymoDeskRun *run = desk->comparison->runs->pdata[i];

      kymo_desk_locate (entry_at (self, i)->path, desk_path, &run->uri, &run->beside);
      run->stretch = entry_at (self, i)->stretch;
      if (entry_at (self, i)->name != NULL)
        {
          g_free (run->title);
          run->title = g_strdup (entry_at (self, i)->name);
        }
    }
  if (settings != NULL)
    desk->palette = g_settings_get_string (settings, "palette");
  return desk;
}

/** kymo_compare_page_get_n: how many runs */
guint
kymo_compare_page_get_n (KymoComparePage *self)
{
  return self->entries->len;
}

/**
 * kymo_compare_page_get_last_side:
 *
 * Returns: the side of the run that was added last; 0 is A
 */
guint
kymo_compare_page_get_last_side (KymoComparePage *self)
{
  return self->last_side;
}

/** kymo_compare_page_has: whether a run of that path is in it */
gboolean
kymo_compare_page_has (KymoComparePage *self, const char *path)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (g_str_equal (entry_at (self, i)->path, path))
      return TRUE;
  return FALSE;
}

/**
 * kymo_compare_page_peek_view:
 *
 * Returns: (transfer none) (nullable): the comparison; %NULL until all runs are read. Other sides
 * or runs make another view.
 */
KymoCompareView *
kymo_compare_page_peek_view (KymoComparePage *self)
{
  return self->view;
}

/* -- the page ------------------------------------------------------------- */

static const char *
kymo_compare_page_get_path (KymoPage *page)
{
  return NULL;
}

static gboolean
kymo_compare_page_is_loading (KymoPage *page)
{
  KymoComparePage *self = KYMO_COMPARE_PAGE (page);

  for (guint i = 0; i < self->entries->len; i++)
    if (entry_at (self, i)->job != NULL)
      return TRUE;
  return FALSE;
}

/* All anew, also what came from a tab. */
static void
kymo_compare_page_reload (KymoPage *page)
{
  KymoComparePage *self = KYMO_COMPARE_PAGE (page);

  if (kymo_compare_page_is_loading (page))
    return;
  for (guint i = 0; i < self->entries->len; i++)
    kymo_compare_entry_forget (entry_at (self, i));
  kymo_compare_page_start (self);
}

static void
kymo_compare_page_closed (KymoPage *page)
{
  on_stop (KYMO_COMPARE_PAGE (page));
}

static gboolean
kymo_compare_page_knows (KymoPage *page, const char *command)
{
  KymoComparePage *self = KYMO_COMPARE_PAGE (page);

  return self->view != NULL && !kymo_compare_page_is_loading (page)
         && kymo_compare_view_knows (command);
}

static void
kymo_compare_page_command (KymoPage *page, const char *command)
{
  kymo_compare_view_command (KYMO_COMPARE_PAGE (page)->view, command);
}

static void
kymo_compare_page_dispose (GObject *object)
{
  KymoComparePage *self = KYMO_COMPARE_PAGE (object);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->pending, kymo_desk_free);
  self->view = NULL;
  G_OBJECT_CLASS (kymo_compare_page_parent_class)->dispose (object);
}

static void
kymo_compare_page_class_init (KymoComparePageClass *klass)
{
  KymoPageClass *page_class = KYMO_PAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_compare_page_dispose;
  page_class->get_path = kymo_compare_page_get_path;
  page_class->is_loading = kymo_compare_page_is_loading;
  page_class->reload = kymo_compare_page_reload;
  page_class->stop = kymo_compare_page_closed;
  page_class->knows = kymo_compare_page_knows;
  page_class->command = kymo_compare_page_command;
  kymo_signal_new ("add-run", KYMO_TYPE_COMPARE_PAGE, 0);
}

static void
kymo_compare_page_init (KymoComparePage *self)
{
  self->entries = g_ptr_array_new_with_free_func (kymo_compare_entry_free);
  self->reading = kymo_compare_reading_new ();
  kymo_page_set_words (KYMO_PAGE (self), _("Comparison"), "");
  kymo_page_add_face (KYMO_PAGE (self), "reading", self->reading);
  kymo_follow (self->reading, "leave-out", on_leave_out, self);
  kymo_follow (self->reading, "stop", on_stop, self);
}

/** kymo_compare_page_new: without runs yet */
GtkWidget *
kymo_compare_page_new (void)
{
  return g_object_new (KYMO_TYPE_COMPARE_PAGE, NULL);
}
