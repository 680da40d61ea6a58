#include "run/launch_schema.h"

#include "io/file.h"
#include "run/launch_keys.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes: what the tables of keys call the value of a key ---- */

#define WHOLE   "^[+]?(0[xX][0-9a-fA-F]+|[0-9]+)$"
#define INTEGER "^[+-]?(0[xX][0-9a-fA-F]+|[0-9]+)$"
#define NUMBER                                                                         \
    "^[+-]?([0-9]+|0[xX][0-9a-fA-F.]+([pP][+-]?[0-9]+)?"                               \
    "|([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"                                  \
    "|[.]?(inf|Inf|INF|nan|NaN|NAN))$"
#define NAME "^[A-Za-z_][A-Za-z0-9_]*$"
#define LIST "'type': 'array', 'minItems': "
#define MAP  "'type': 'object', 'additionalProperties': "

/* JSON with ' for ". A number in quotes is one to the reader, so it is a string
 * here. */
static const struct {
    const char *name, *json;
} shapes[] = {
    {"text", "{'type': 'string', 'minLength': 1}"},
    {"code", "{'anyOf': [{'$ref': '#/$defs/text'}, {" LIST "1,"
             " 'items': {'$ref': '#/$defs/text'}}]}"},
    {"codes", "{" LIST "0, 'items': {'$ref': '#/$defs/code'}}"},
    {"boolean", "{'type': 'boolean'}"},
    {"whole", "{'type': ['integer', 'string'], 'minimum': 0, 'pattern': '" WHOLE "'}"},
    {"positive",
     "{'type': ['integer', 'string'], 'minimum': 1, 'pattern': '" WHOLE "'}"},
    {"word", "{'type': ['integer', 'string'], 'minimum': 0, 'maximum': 4294967295,"
             " 'pattern': '" WHOLE "'}"},
    {"count", "{'type': ['integer', 'string'], 'minimum': 1, 'maximum': 4294967296,"
              " 'pattern': '" WHOLE "'}"},
    {"integer", "{'type': ['integer', 'string'], 'pattern': '" INTEGER "'}"},
    {"number", "{'type': ['number', 'string'], 'pattern': '" NUMBER "'}"},
    {"tolerance",
     "{'type': ['number', 'string'], 'minimum': 0, 'pattern': '" NUMBER "'}"},
    {"bank_mode", "{'enum': [4, 8, '4', '8']}"},
    {"timescale", "{'enum': ['ps', 'cycle']}"},
    {"hash", "{'type': ['string', 'integer'], 'minimum': 1000000000000000,"
             " 'maximum': 9999999999999999, 'pattern': '^[0-9a-fA-F]{16}$'}"},
    {"iota", "{" LIST "2, 'maxItems': 2, 'items': {'$ref': '#/$defs/number'}}"},
    {"form", "{'anyOf': [{'const': 'zero'}, {'$ref': '#/$defs/form_map'}]}"},
    {"equals", "{'anyOf': [{'const': 'zero'}, {'$ref': '#/$defs/equals_map'}]}"},
    {"symbol", "{'anyOf': [{'const': 'zero'}, {'$ref': '#/$defs/symbol_map'}]}"},
    {"extent", "{'anyOf': [{'$ref': '#/$defs/word'}, {" LIST "1, 'maxItems': 3,"
               " 'items': {'$ref': '#/$defs/word'}}]}"},
    {"repeated_launches", "{'description': 'launches whose numbers may be expressions',"
                          " " LIST "0, 'items': {'type': 'object', 'anyOf':"
                          " [{'required': ['kernel', 'grid', 'block']},"
                          " {'required': ['repeat', 'launches']}]}}"},
    {"buffers",
     "{" MAP "{'$ref': '#/$defs/buffer'}, 'propertyNames': {'pattern': '" NAME "',"
     " 'not': {'enum': ['nan', 'inf']}}}"},
    {"textures",
     "{" MAP "{'$ref': '#/$defs/texture'}, 'propertyNames': {'pattern': '" NAME "',"
     " 'not': {'enum': ['nan', 'inf']}}}"},
    {"texture_channels", "{'enum': [1, 2, 4, '1', '2', '4']}"},
    {"texture_address",
     "{'anyOf': [{'$ref': '#/$defs/texture_mode'}, {" LIST "1, 'maxItems': 3,"
     " 'items': {'$ref': '#/$defs/texture_mode'}}]}"},
    {"texture_border",
     "{" LIST "0, 'maxItems': 4, 'items': {'$ref': '#/$defs/number'}}"},
    {"symbols", "{" MAP "{'$ref': '#/$defs/symbol'}}"},
    {"launches", "{" LIST "1, 'items': {'anyOf': [{'$ref': '#/$defs/launch'},"
                 " {'$ref': '#/$defs/repeated'}]}}"},
    {"expects", "{" LIST "0, 'items': {'$ref': '#/$defs/expectation'}}"},
    {"typed", "{" MAP "{'anyOf': [{'$ref': '#/$defs/number'},"
              " {'$ref': '#/$defs/expression'}]}, 'minProperties': 1,"
              " 'maxProperties': 1, 'propertyNames': {'$ref': '#/$defs/type'}}"},
    {"expression", "{'description': 'of the variable of a repeat: i * 64 + 1',"
                   " 'type': 'string', 'minLength': 1}"},
    {"raw", "{'type': 'object', 'additionalProperties': false, 'required': ['raw'],"
            " 'properties': {'raw': {'description': 'the bytes of the parameter, two"
            " hexadecimal digits each', 'type': ['string', 'integer'],"
            " 'pattern': '^([0-9a-fA-F]{2})+$'}}}"},
    {"buffer_name", "{'type': 'string', 'pattern': '" NAME "'}"},
    {"member",
     "{'anyOf': [{'$ref': '#/$defs/buffer_name'}, {'$ref': '#/$defs/typed'}]}"},
    {"argument",
     "{'description': 'a buffer, a number, {TYPE: number}, or the members of a "
     "structure, [{TYPE: number}, buffer ...], zero or {raw: HEX}',"
     " 'anyOf': [{'$ref': '#/$defs/number'}, {'$ref': '#/$defs/member'},"
     " {'$ref': '#/$defs/raw'}, {'$ref': '#/$defs/expression'},"
     " {" LIST "0, 'items': {'$ref': '#/$defs/member'}}]}"},
    {"arguments", "{" LIST "0, 'items': {'$ref': '#/$defs/argument'}}"},
    {"formats", "{'type': 'string', 'pattern': "
                "'^(none|(vcd|fst|vcd[.]gz)(,(vcd|fst|vcd[.]gz))*)$'}"},
    {"scope",
     "{'anyOf': [{'type': 'string'}, {" LIST "1, 'items': {'type': 'string'}}]}"},
    {"cycles", "{'type': ['integer', 'string'], 'minimum': 0,"
               " 'pattern': '^[+]?(0[xX][0-9a-fA-F]+|[0-9]+) *(cycles?)?$'}"},
    {"point",
     "{'description': 'a cycle, block=3, block=(1,0,0), kernel=NAME, kernel=2, "
     "pc=FILE:LINE, pc=KERNEL+0x18, conflict>=8, barrier or race; for on also "
     "deadlock, fault and end',"
     " 'type': ['integer', 'string'], 'minimum': 0, 'pattern': "
     "'^((cycle=)?[+]?(0[xX][0-9a-fA-F]+|[0-9]+) *(cycles?)?|block=.+|kernel=.+"
     "|pc=.+[:+].+|conflict(>=.+)?|barrier|race|deadlock|fault|end)$'}"},
};

/* What holds between the keys of a map. */
static const struct {
    const char *map, *json;
} rules[] = {
    {"buffer", "{'if': {'properties': {'type': {'not': {'enum':"
               " ['f32', 'f64', 'f16', 'bf16', 'e4m3', 'e5m2']}}}},"
               " 'then': {'properties': {'init': {'properties':"
               " {'fill': {'$ref': '#/$defs/integer'}}}}}}"},
    {"form_map", "{'minProperties': 1, 'maxProperties': 1}"},
    {"equals_map", "{'minProperties': 1, 'maxProperties': 1}"},
    {"symbol_map", "{'oneOf': [{'required': ['fill']}, {'required': ['iota']},"
                   " {'required': ['file']}, {'required': ['random']}]}"},
    {"random", "{'not': {'anyOf': [{'required': ['mask', 'modulo']},"
               " {'required': ['mask', 'uniform']}, {'required': ['mask', 'normal']},"
               " {'required': ['modulo', 'uniform']},"
               " {'required': ['modulo', 'normal']},"
               " {'required': ['uniform', 'normal']}]},"
               " 'dependentRequired': {'offset': ['modulo']}}"},
    {"expectation",
     "{'allOf': [{'oneOf': [{'required': ['buffer']}, {'required': ['symbol']}]},"
     " {'oneOf': [{'required': ['equals']}, {'required': ['fnv1a']},"
     " {'required': ['sum']}]},"
     " {'not': {'required': ['buffer', 'type']}},"
     " {'not': {'required': ['fnv1a', 'tolerance']}},"
     " {'not': {'required': ['fnv1a', 'relative']}},"
     " {'not': {'required': ['fnv1a', 'ulp']}}, {'not': {'required': ['sum', "
     "'ulp']}}]}"},
};

/* The tables above are JSON, or the program is wrong. */
static json_t *parse(const char *quoted)
{
    char *text = tb_strdup(quoted);
    json_error_t error;
    json_t *j;

    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    j = json_loads(text, 0, &error);
    free(text);
    return j;
}

/* ---- maps ---- */

static json_t *reference(const char *shape)
{
    return json_pack("{s:s+}", "$ref", "#/$defs/", shape);
}

static void add_keys(json_t *properties, json_t *required, const struct value_key *keys,
                     uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        json_t *o = json_object();

        json_object_set_new(o, "description", json_string(keys[i].doc));
        json_object_update_new(o, reference(keys[i].shape));
        json_object_set_new(properties, keys[i].name, o);
        if (keys[i].required) {
            json_array_append_new(required, json_string(keys[i].name));
        }
    }
}

static void add_rules(json_t *map, const char *name)
{
    for (uint32_t i = 0; i < ARRAY_LEN(rules); i++) {
        if (strcmp(rules[i].map, name) == 0) {
            json_object_update_new(map, parse(rules[i].json));
        }
    }
}

static json_t *map_of(const char *name, const char *doc, const struct value_key *keys,
                      uint32_t n)
{
    json_t *map = json_object(), *properties = json_object(), *required = json_array();

    add_keys(properties, required, keys, n);
    if (doc != NULL) {
        json_object_set_new(map, "description", json_string(doc));
    }
    json_object_set_new(map, "type", json_string("object"));
    json_object_set_new(map, "additionalProperties", json_false());
    json_object_set_new(map, "required", required);
    json_object_set_new(map, "properties", properties);
    add_rules(map, name);
    return map;
}

/* One of some words. */
static json_t *words(const char *const *name, uint32_t n)
{
    json_t *a = json_array();

    for (uint32_t i = 0; i < n; i++) {
        json_array_append_new(a, json_string(name[i]));
    }
    return json_pack("{s:o}", "enum", a);
}

static json_t *type_words(void)
{
    const char *name[VALUE_TYPES];

    for (uint32_t i = 0; i < VALUE_TYPES; i++) {
        name[i] = value_type_name((enum value_type)i);
    }
    return words(name, VALUE_TYPES);
}

static void define_words(json_t *defs)
{
    const struct {
        const char *name;
        const char *const *words;
        uint32_t n;
    } all[] = {
        {"cache_config", launch_cache_names, LAUNCH_CACHE_NAMES},
        {"texture_kind", launch_texture_kinds, LAUNCH_TEXTURE_KINDS},
        {"texture_dims", launch_texture_dims, LAUNCH_TEXTURE_DIMS},
        {"texture_layout", launch_texture_layouts, LAUNCH_TEXTURE_LAYOUTS},
        {"texture_filter", launch_texture_filters, LAUNCH_TEXTURE_FILTERS},
        {"texture_mode", launch_texture_modes, LAUNCH_TEXTURE_MODES},
    };

    for (uint32_t i = 0; i < ARRAY_LEN(all); i++) {
        json_object_set_new(defs, all[i].name, words(all[i].words, all[i].n));
    }
}

static json_t *definitions(void)
{
    static const struct value_key type = {
        "type", "type", "of its elements, if not the one the PTX declares", false};
    json_t *defs = json_object(), *symbol;

    for (uint32_t i = 0; i < ARRAY_LEN(shapes); i++) {
        json_object_set_new(defs, shapes[i].name, parse(shapes[i].json));
    }
    json_object_set_new(defs, "type", type_words());
    define_words(defs);
    json_object_set_new(defs, "random",
                        map_of("random", NULL, value_random_keys, VALUE_RANDOM_KEYS));
    json_object_set_new(defs, "form_map",
                        map_of("form_map", NULL, value_form_keys, VALUE_FORM_KEYS));
    symbol = map_of("symbol_map", NULL, value_form_keys, VALUE_FORM_KEYS);
    add_keys(json_object_get(symbol, "properties"), NULL, &type, 1);
    json_object_set_new(defs, "symbol_map", symbol);
    for (uint32_t i = LAUNCH_FILE + 1; i < LAUNCH_MAPS; i++) {
        const struct launch_map_keys *m = &launch_maps[i];

        json_object_set_new(defs, m->name, map_of(m->name, m->doc, m->keys, m->n));
    }
    return defs;
}

char *launch_schema(void)
{
    const struct launch_map_keys *m = &launch_maps[LAUNCH_FILE];
    json_t *root = json_object();
    char *text;

    json_object_set_new(root, "$schema",
                        json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(root, "title", json_string("smwave launch file"));
    json_object_update_new(root, map_of(m->name, m->doc, m->keys, m->n));
    json_object_set_new(root, "$defs", definitions());
    text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    return text != NULL ? text : tb_strdup("");
}
