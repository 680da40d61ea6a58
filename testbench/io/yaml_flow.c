#include "io/yaml_flow.h"

#include <string.h>

/* A plain scalar inside [] or {} may not hold what ends it there. */
static bool stays_plain(const struct yaml_node *n)
{
    return !n->quoted && n->text[0] != '\0' &&
           strpbrk(n->text, ",[]{}\n#\"'") == NULL && strstr(n->text, ": ") == NULL &&
           n->text[strlen(n->text) - 1] != ':';
}

static void quote(const char *text, struct text *out)
{
    text_add(out, "\"");
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\') {
            text_add(out, "\\%c", *p);
        } else if (*p < 0x20 || *p == 0x7f) {
            text_add(out, "\\x%02x", *p);
        } else {
            text_add_bytes(out, p, 1);
        }
    }
    text_add(out, "\"");
}

static void scalar(const struct yaml_node *n, struct text *out)
{
    if (stays_plain(n)) {
        text_add_bytes(out, n->text, strlen(n->text));
    } else {
        quote(n->text, out);
    }
}

void yaml_flow(const struct yaml_node *n, struct text *out)
{
    if (n->kind == YAML_SCALAR) {
        scalar(n, out);
        return;
    }
    text_add_bytes(out, n->kind == YAML_MAP ? "{" : "[", 1);
    for (const struct yaml_node *c = n->first; c != NULL; c = c->next) {
        if (n->kind == YAML_MAP) {
            scalar(c->key, out);
            text_add_bytes(out, ": ", 2);
        }
        yaml_flow(c, out);
        text_add_bytes(out, ", ", c->next == NULL ? 0 : 2);
    }
    text_add_bytes(out, n->kind == YAML_MAP ? "}" : "]", 1);
}
