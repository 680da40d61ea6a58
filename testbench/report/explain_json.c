/* explain_json.c - explain_json() of explain.h. */
#include "report/explain.h"

#include "gpu/observe.h"
#include "report/advice.h"
#include "run/findings.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void set_number(json_t *o, const char *key, uint64_t v)
{
    json_object_set_new(o, key,
                        json_integer(v > INT64_MAX ? INT64_MAX : (json_int_t)v));
}

/* PTX and file names come from users: anything that is not UTF-8 becomes '?'. */
static void set_string(json_t *o, const char *key, const char *s)
{
    json_t *j = json_string(s);

    if (j == NULL) {
        char *copy = tb_strdup(s);

        for (char *p = copy; *p != '\0'; p++) {
            *p = (unsigned char)*p < 0x80 ? *p : '?';
        }
        j = json_string(copy);
        free(copy);
    }
    json_object_set_new(o, key, j);
}

static void set_place(json_t *o, const char *key, const char *file, uint32_t line)
{
    const char *slash = file == NULL ? NULL : strrchr(file, '/');
    json_t *place;

    if (file == NULL || line == 0) {
        return;
    }
    place = json_object();
    set_string(place, "file", slash == NULL ? file : slash + 1);
    set_number(place, "line", line);
    json_object_set_new(o, key, place);
}

static json_t *degrees(const struct explain_row *r)
{
    json_t *a = json_array();

    for (uint32_t d = 1; d <= EXPLAIN_MAX_DEGREE; d++) {
        if (r->degree[d] != 0) {
            json_t *o = json_object();

            set_number(o, "degree", d);
            set_number(o, "executions", r->degree[d]);
            json_array_append_new(a, o);
        }
    }
    return a;
}

static void set_inst(json_t *o, const struct explain *x, uint32_t launch, uint32_t pc)
{
    struct smw_inst inst;

    if (smw_inst(x->device, launch, pc, &inst)) {
        set_string(o, "instruction", inst.text);
        set_place(o, "ptx", inst.ptx_file, inst.ptx_line);
        set_place(o, "source", inst.file, inst.line);
        findings_set_inlined(o, &inst.inlined);
    }
}

static json_t *row_object(const struct explain *x, uint32_t launch,
                          const struct explain_row *r)
{
    json_t *o = json_object();

    set_string(o, "space", explain_space_name(r->space));
    set_string(o, "op", explain_op(r->op));
    set_number(o, "bytes", r->bytes);
    set_inst(o, x, launch, r->pc);
    set_number(o, "executions", r->executions);
    set_number(o, "requests", r->requests);
    switch ((enum explain_space)r->space) {
    case EXPLAIN_SHARED:
        set_number(o, "wavefronts", r->wavefronts);
        set_number(o, "ideal_wavefronts", r->ideal);
        set_number(o, "excess_wavefronts", r->wavefronts - r->ideal);
        set_number(o, "worst_degree", r->worst);
        json_object_set_new(o, "degrees", degrees(r));
        break;
    case EXPLAIN_GLOBAL:
    case EXPLAIN_LOCAL:
        set_number(o, "sectors", r->sectors);
        set_number(o, "ideal_sectors", r->ideal_sectors);
        set_number(o, "lines", r->lines);
        break;
    case EXPLAIN_CONST:
    case EXPLAIN_SPACES: break;
    }
    return o;
}

static json_t *lane_array(const struct explain *x, const struct mem_planned *p)
{
    struct explain_lane lane[ISA_LANES];
    json_t *a = json_array();
    bool shared = p->space == ISA_SP_SHARED;

    if (shared) {
        explain_lanes(x, p, lane);
    }
    for (uint32_t m = p->mask; m != 0; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        json_t *o = json_object();

        set_number(o, "lane", l);
        set_number(o, "address", p->addr[l]);
        if (shared) {
            set_number(o, "bank", lane[l].first_bank);
            set_number(o, "last_bank", lane[l].last_bank);
            set_number(o, "wavefront", lane[l].first_pass);
            set_number(o, "last_wavefront", lane[l].last_pass);
        }
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *case_object(const struct explain *x, uint32_t launch, uint32_t space,
                           const struct explain_case *c)
{
    const struct mem_planned *p = &c->p;
    json_t *o = json_object();

    set_string(o, "space", explain_space_name(space));
    set_inst(o, x, launch, p->pc);
    set_number(o, "excess", c->excess);
    set_number(o, "block", p->block);
    set_number(o, "warp", p->block_warp);
    set_number(o, "sm", p->sm);
    set_number(o, "cycle", p->cycle);
    if (space == EXPLAIN_SHARED) {
        set_number(o, "wavefronts", p->wavefronts);
        set_number(o, "ideal_wavefronts", p->ideal);
        set_number(o, "degree", p->degree);
    } else {
        set_number(o, "requests", p->requests);
        set_number(o, "sectors", p->sectors);
        set_number(o, "lines", p->lines);
    }
    json_object_set_new(o, "lanes", lane_array(x, p));
    return o;
}

/* Every instruction that issued or waited, in warp-cycles by reason. */
static json_t *stall_array(const struct explain *x, uint32_t launch)
{
    json_t *a = json_array();
    uint32_t n;
    const struct stalls *s = smw_stalls(x->device, launch, &n);

    for (uint32_t pc = 0; s != NULL && pc < n; pc++) {
        json_t *o;

        if (s[pc].n[STALL_SELECTED] + explain_waited(&s[pc]) == 0) {
            continue;
        }
        o = json_object();
        set_inst(o, x, launch, pc);
        for (uint32_t k = 0; k < STALL_N; k++) {
            if (s[pc].n[k] != 0) {
                set_number(o, explain_stall_name(k), s[pc].n[k]);
            }
        }
        json_array_append_new(a, o);
    }
    return a;
}

/* What the rules found, heaviest first. */
static json_t *advice_array(const struct advice *a, uint32_t launch)
{
    json_t *list = json_array();

    for (uint32_t k = 0; k < a->n; k++) {
        const struct advice_item *i = &a->at[k];
        json_t *o;

        if (i->launch != launch) {
            continue;
        }
        o = json_object();
        set_string(o, "rule", advice_rules[i->rule].id);
        set_string(o, "place", i->place);
        findings_set_inlined(o, &i->inlined);
        set_string(o, "what", i->what);
        set_string(o, "why", i->why);
        set_string(o, "fix", i->fix);
        set_number(o, "cycles", i->cycles);
        if (i->without != 0) {
            set_number(o, "cycles_without", i->without);
            set_string(o, "key", advice_rules[i->rule].key);
            set_string(o, "value", i->spared);
        }
        json_array_append_new(list, o);
    }
    return list;
}

struct json_t *explain_rules(void)
{
    json_t *list = json_array();

    for (uint32_t k = 0; k < ADVICE_RULES; k++) {
        const struct advice_rule *r = &advice_rules[k];
        json_t *o = json_object();

        set_string(o, "id", r->id);
        set_string(o, "name", r->name);
        set_string(o, "looks_at", r->looks);
        set_string(o, "advice", r->advice);
        if (r->key != NULL) {
            set_string(o, "key", r->key);
        }
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *launch_object(const struct explain *x, const struct advice *a,
                             uint32_t launch)
{
    const struct explain_launch *l = explain_of(x, launch);
    json_t *o = json_object(), *rows = json_array(), *worst = json_array();
    struct smw_result k;

    if (smw_result(x->device, launch, &k)) {
        set_string(o, "name", k.kernel);
        json_object_set_new(o, "complete", json_boolean(k.finished));
    }
    for (uint32_t s = 0; s < EXPLAIN_SPACES; s++) {
        const struct explain_row *r;
        uint32_t pc = 0;

        while ((r = explain_next(l, s, &pc)) != NULL) {
            json_array_append_new(rows, row_object(x, launch, r));
        }
        for (uint32_t i = 0; i < l->worst[s].n; i++) {
            json_array_append_new(worst, case_object(x, launch, s, &l->worst[s].at[i]));
        }
    }
    json_object_set_new(o, "instructions", rows);
    json_object_set_new(o, "stalls", stall_array(x, launch));
    json_object_set_new(o, "worst", worst);
    json_object_set_new(o, "advice", advice_array(a, launch));
    return o;
}

void explain_json(const struct explain *x, const struct advice *a, struct text *out)
{
    json_t *root = json_object(), *kernels = json_array();
    char *s;

    for (uint32_t i = 0; i < smw_results(x->device); i++) {
        json_array_append_new(kernels, launch_object(x, a, i));
    }
    set_number(root, "schema", 1);
    json_object_set_new(root, "kernels", kernels);
    json_object_set_new(root, "rules", explain_rules());
    s = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    text_add(out, "%s\n", s == NULL ? "" : s);
    free(s);
    json_decref(root);
}
