/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parser of expressions: recursive descent, one function for each strength of binding, with
 * bounds for depth and size, so that no text makes it recurse or grow without end.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-rule-expression-private.h"
#include "kymo-units.h"

typedef struct
{
  const char         *p;
  KymoRuleExpression *made;
  guint               depth;
  GError            **error;
} Parser;

static gboolean parse_either (Parser *parser,
                              guint  *node);

static gboolean
refuse_text (Parser     *parser,
             const char *why)
{
  g_autofree char *valid = g_utf8_make_valid (parser->made->text, -1);
  g_autofree char *shown = kymo_elide_middle (valid, 60);

  g_set_error (parser->error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is no expression: %s"), shown,
               why);
  return FALSE;
}

static gboolean
add_node (Parser             *parser,
          const KymoRuleNode *node,
          guint              *index)
{
  if (parser->made->nodes->len == KYMO_RULE_MOST_NODES)
    return refuse_text (parser, _("it is too long"));
  *index = parser->made->nodes->len;
  g_array_append_val (parser->made->nodes, *node);
  return TRUE;
}

static void
skip_space (Parser *parser)
{
  while (g_ascii_isspace (*parser->p))
    parser->p++;
}

static gboolean
starts_name (char c)
{
  return g_ascii_isalpha (c) || c == '_';
}

static gboolean
continues_name (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '-';
}

/* Takes @word if the text goes on with it; a word of letters must end there. */
static gboolean
accept_word (Parser     *parser,
             const char *word)
{
  gsize length = strlen (word);

  skip_space (parser);
  if (strncmp (parser->p, word, length) != 0
      || (starts_name (*word) && continues_name (parser->p[length])))
    return FALSE;
  parser->p += length;
  return TRUE;
}

static const struct
{
  const char  *name;
  double       factor;
  KymoRuleType type;
} units[] = {
  { "ns", 1, { .time = 1 } },
  { "us", 1e3, { .time = 1 } },
  { "ms", 1e6, { .time = 1 } },
  { "s", 1e9, { .time = 1 } },
  { "min", 60e9, { .time = 1 } },
  { "B", 1, { .bytes = 1 } },
  { "KiB", 1024, { .bytes = 1 } },
  { "MiB", 1048576, { .bytes = 1 } },
  { "GiB", 1073741824, { .bytes = 1 } },
};

/* Reads a number with an optional unit behind it. */
static const char *
read_number (const char   *text,
             double       *number,
             KymoRuleType *type)
{
  char *end;
  const char *p;

  *type = (KymoRuleType) { 0 };
  *number = g_ascii_strtod (text, &end);
  if (end == text || !isfinite (*number) || !(g_ascii_isdigit (*text) || *text == '.'))
    return NULL;
  for (p = end; *p == ' ';)
    p++;
  if (*p == '%')
    {
      *number /= 100;
      end = (char *) p + 1;
    }
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      gsize length = strlen (units[i].name);

      if (strncmp (p, units[i].name, length) == 0 && !continues_name (p[length]))
        {
          *number *= units[i].factor;
          *type = units[i].type;
          end = (char *) p + length;
          break;
        }
    }
  if (end[0] == '/' && end[1] == 's' && !continues_name (end[2]))
    {
      *number /= 1e9;
      type->time--;
      end += 2;
    }
  return continues_name (*end) ? NULL : end;
}

/**
 * kymo_rule_number_parse:
 * @text: a number with an optional unit: 20 %, 10 ms, 4 KiB, 1000/s, 50 MiB/s
 * @number: (out): in ns, bytes or their ratio
 * @type: (out): its dimension
 *
 * Returns: whether the whole text is such a number
 */
gboolean
kymo_rule_number_parse (const char   *text,
                        double       *number,
                        KymoRuleType *type)
{
  const char *end = read_number (text, number, type);

  return end != NULL && *end == '\0';
}

static gboolean
take_number (Parser *parser,
             guint  *node)
{
  KymoRuleNode made = { NODE_NUMBER };
  const char *end = read_number (parser->p, &made.number, &made.type);

  if (end == NULL)
    return refuse_text (parser, _("a number has no unit that is known"));
  parser->p = end;
  return add_node (parser, &made, node);
}

/* The name at this place, kept once for all its uses; %NULL if there is none. */
static const char *
take_name (Parser *parser)
{
  GPtrArray *names = parser->made->names;
  const char *begin;
  char *name;

  skip_space (parser);
  begin = parser->p;
  if (!starts_name (*begin))
    return NULL;
  while (continues_name (*parser->p))
    parser->p++;
  name = g_strndup (begin, parser->p - begin);
  for (guint i = 0; i < names->len; i++)
    if (strcmp (names->pdata[i], name) == 0)
      {
        g_free (name);
        return names->pdata[i];
      }
  g_ptr_array_add (names, name);
  return name;
}

static const struct
{
  const char      *name;
  KymoRuleNodeKind kind;
} functions[] = {
  { "ref", NODE_REF }, { "exceeds", NODE_EXCEEDS }, { "beyond", NODE_BEYOND },
  { "known", NODE_KNOWN },
  { "log2", NODE_LOG2 }, { "min", NODE_MIN }, { "max", NODE_MAX }, { "first", NODE_FIRST },
};

/* What stands between the brackets of a function. */
static gboolean
take_arguments (Parser       *parser,
                KymoRuleNode *made)
{
  if (made->kind >= NODE_REF && made->kind <= NODE_KNOWN)
    {
      made->name = take_name (parser);
      if (made->name == NULL)
        return refuse_text (parser, _("ref, exceeds, beyond and known are of a metric's name"));
    }
  else if (!parse_either (parser, &made->left))
    return FALSE;
  if (made->kind == NODE_MIN || made->kind == NODE_MAX || made->kind == NODE_FIRST)
    {
      if (!accept_word (parser, ","))
        return refuse_text (parser, _("min, max and first are of two values"));
      if (!parse_either (parser, &made->right))
        return FALSE;
    }
  return accept_word (parser, ")") || refuse_text (parser, _("a bracket is not closed"));
}

static gboolean
take_function_or_name (Parser *parser,
                       guint  *node)
{
  KymoRuleNode made = { NODE_NAME };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      const char *begin = parser->p;

      if (accept_word (parser, functions[i].name))
        {
          if (accept_word (parser, "("))
            {
              made.kind = functions[i].kind;
              return take_arguments (parser, &made) && add_node (parser, &made, node);
            }
          parser->p = begin;
        }
    }
  made.name = take_name (parser);
  return made.name != NULL ? add_node (parser, &made, node)
    : refuse_text (parser, *parser->p == '\0' ? _("it ends too early")
                   : _("a number or a name is missing"));
}

static gboolean
parse_bracket (Parser *parser,
               guint  *node)
{
  return parse_either (parser, node)
    && (accept_word (parser, ")") || refuse_text (parser, _("a bracket is not closed")));
}

static gboolean
parse_signed (Parser *parser,
              guint  *node)
{
  KymoRuleNode made = { NODE_NEGATE };
  gboolean good;

  if (++parser->depth > KYMO_RULE_MOST_DEPTH)
    return refuse_text (parser, _("too many brackets are inside each other"));
  if (accept_word (parser, "not"))
    {
      made.kind = NODE_NOT;
      good = parse_signed (parser, &made.left) && add_node (parser, &made, node);
    }
  else if (accept_word (parser, "-"))
    good = parse_signed (parser, &made.left) && add_node (parser, &made, node);
  else if (accept_word (parser, "("))
    good = parse_bracket (parser, node);
  else if (g_ascii_isdigit (*parser->p) || *parser->p == '.')
    good = take_number (parser, node);
  else
    good = take_function_or_name (parser, node);
  parser->depth--;
  return good;
}

/** Sign: an operator between two operands; those of one array bind equally */
typedef struct
{
  const char      *text;
  KymoRuleNodeKind kind;
} Sign;

static const Sign products[] = { { "*", NODE_MULTIPLY }, { "/", NODE_DIVIDE }, { NULL } };
static const Sign sums[] = { { "+", NODE_ADD }, { "-", NODE_SUBTRACT }, { NULL } };
static const Sign comparisons[] = {
  { "<=", NODE_LESS_OR_EQUAL }, { ">=", NODE_MORE_OR_EQUAL }, { "<", NODE_LESS },
  { ">", NODE_MORE }, { NULL }
};
static const Sign both[] = { { "and", NODE_AND }, { NULL } };
static const Sign either[] = { { "or", NODE_OR }, { NULL } };

static const Sign *
accept_sign (Parser     *parser,
             const Sign *signs)
{
  for (guint i = 0; signs[i].text != NULL; i++)
    if (accept_word (parser, signs[i].text))
      return &signs[i];
  return NULL;
}

/* Operands that @tighter parses, with @signs between them. */
static gboolean
parse_row (Parser     *parser,
           const Sign *signs,
           gboolean    (*tighter) (Parser *, guint *),
           guint      *node)
{
  const Sign *sign;

  if (!tighter (parser, node))
    return FALSE;
  while ((sign = accept_sign (parser, signs)) != NULL)
    {
      KymoRuleNode made = { sign->kind, .left = *node };

      if (!tighter (parser, &made.right) || !add_node (parser, &made, node))
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_product (Parser *parser,
               guint  *node)
{
  return parse_row (parser, products, parse_signed, node);
}

static gboolean
parse_sum (Parser *parser,
           guint  *node)
{
  return parse_row (parser, sums, parse_product, node);
}

static gboolean
parse_comparison (Parser *parser,
                  guint  *node)
{
  return parse_row (parser, comparisons, parse_sum, node);
}

static gboolean
parse_both (Parser *parser,
            guint  *node)
{
  return parse_row (parser, both, parse_comparison, node);
}

static gboolean
parse_either (Parser *parser,
              guint  *node)
{
  return parse_row (parser, either, parse_both, node);
}

/**
 * kymo_rule_expression_new:
 * @text: the expression
 *
 * Names are looked up later, by kymo_rule_expression_check().
 *
 * Returns: (transfer full) (nullable): the expression, or a usage error that says what is wrong
 */
KymoRuleExpression *
kymo_rule_expression_new (const char  *text,
                          GError     **error)
{
  g_autoptr (KymoRuleExpression) made = g_new0 (KymoRuleExpression, 1);
  Parser parser = { .p = text, .made = made, .error = error };
  guint root;

  made->text = g_strdup (text);
  made->names = g_ptr_array_new_with_free_func (g_free);
  made->nodes = g_array_new (FALSE, FALSE, sizeof (KymoRuleNode));
  if (!parse_either (&parser, &root))
    return NULL;
  skip_space (&parser);
  if (*parser.p != '\0')
    {
      refuse_text (&parser, _("an operator is missing"));
      return NULL;
    }
  return g_steal_pointer (&made);
}

/**
 * kymo_rule_expression_free:
 *
 * Frees @expression. %NULL is ignored.
 */
void
kymo_rule_expression_free (KymoRuleExpression *expression)
{
  if (expression == NULL)
    return;
  g_free (expression->text);
  g_ptr_array_unref (expression->names);
  g_array_unref (expression->nodes);
  g_free (expression);
}
