/* track_open.c - of track.h, what comes before the run: what there is to listen to. */
#include "track/track_priv.h"

#include "gpu/observe.h"
#include <stdlib.h>
#include <string.h>

/* "sm7" and the like: name is a word and a number. */
static bool is_numbered(const char *name, const char *word)
{
    size_t n = strlen(word);

    return strncmp(name, word, n) == 0 && name[n] != '\0' &&
           strspn(name + n, "0123456789") == strlen(name + n);
}

static void take(struct track *r, struct sim_probe *p, enum track_kind kind, bool in_sm)
{
    struct track_probe *is = &r->probe[p->id];

    is->kind = (uint8_t)kind;
    is->sm = in_sm ? r->n_sms : 0;
    sim_probe_keep(p);
}

static void take_warp(struct track *r, struct sim_module *m)
{
    uint8_t warp = (uint8_t)strtoul(m->name + strlen("warp"), NULL, 10);

    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        const struct sim_probe_desc *d = p->desc;

        r->probe[p->id].warp = warp;
        if (d->kind == SIM_PROBE_STATE && strcmp(d->name, "state") == 0) {
            r->state_desc = d;
            for (r->idle = 0; r->idle + 1u < d->n_names; r->idle++) {
                if (strcmp(d->names[r->idle], "idle") == 0) {
                    break;
                }
            }
            r->sm[r->n_sms - 1].warp[warp].state = r->idle;
            take(r, p, TRACK_WARP_STATE, true);
        } else if (strcmp(d->name, "pc") == 0) {
            take(r, p, TRACK_WARP_PC, true);
        }
    }
}

/* For the timeline: every curve, and the events that it shows. */
static void take_others(struct track *r, struct sim_module *m, bool in_sm)
{
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        const struct sim_probe_desc *d = p->desc;

        if (d->kind == SIM_PROBE_LEVEL || d->kind == SIM_PROBE_RATE) {
            take(r, p, TRACK_COUNTER, in_sm);
        } else if (d->kind == SIM_PROBE_EVENT && strcmp(d->name, "release") == 0) {
            take(r, p, TRACK_EVENT, in_sm);
        }
    }
}

/* Units that note where lines have been, while they are observed. */
static void take_unit(struct track *r, struct sim_module *m)
{
    static const char *const units[] = {"lsu", "l1", "l2"};

    for (uint32_t i = 0; i < ARRAY_LEN(units); i++) {
        if (strcmp(m->name, units[i]) == 0 && m->probes != NULL) {
            take(r, m->probes, TRACK_OTHER, false);
        }
    }
}

static void take_probes(struct track *r, struct sim_module *m, bool in_sm)
{
    if (r->plan.why) {
        take_unit(r, m);
    }
    if (in_sm && is_numbered(m->name, "warp")) {
        take_warp(r, m);
    } else if (r->plan.timeline) {
        take_others(r, m, in_sm);
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        take_probes(r, c, in_sm);
    }
}

static void take_sm(struct track *r, struct sim_module *m)
{
    r->sm = tb_realloc(r->sm, (r->n_sms + 1) * sizeof(r->sm[0]));
    r->sm[r->n_sms] = (struct track_sm){.module = m, .last = {TRACK_NONE, TRACK_NONE}};
    for (uint32_t i = 0; i < SM_MAX_WARPS; i++) {
        r->sm[r->n_sms].warp[i].block = TRACK_NONE;
        r->sm[r->n_sms].warp[i].inst = TRACK_NONE;
    }
    r->n_sms++;
    r->clock = m->clock;
    take_probes(r, m, true);
}

static uint32_t config_number(const struct smw_config *c, const char *key)
{
    char text[64] = "";

    smw_config_show(c, key, text, sizeof(text));
    return (uint32_t)strtoul(text, NULL, 10);
}

struct track *track_open(struct smw_device *d, const struct smw_config *c,
                         const struct track_plan *p, struct smw_err *e)
{
    struct track *r = tb_alloc(sizeof(*r));

    r->device = d;
    r->plan = *p;
    r->cut = TRACK_NEVER;
    r->wave_cycles = config_number(c, "sm.smem.interval");
    r->schedulers = config_number(c, "sm.schedulers");
    r->issue_interval = config_number(c, "sm.issue_interval");
    r->barrier_latency = config_number(c, "sm.barrier_latency");
    r->n_probes = sim_number(smw_sim(d));
    r->probe = tb_alloc((r->n_probes + 1) * sizeof(r->probe[0]));
    for (struct sim_module *m = smw_root(d)->first; m != NULL; m = m->next) {
        if (is_numbered(m->name, "sm")) {
            take_sm(r, m);
        } else {
            take_probes(r, m, false);
        }
    }
    if (r->n_sms == 0 || r->state_desc == NULL || r->wave_cycles == 0 ||
        r->state_desc->n_names > TRACK_STATES) {
        track_close(r);
        err_set(e, SMW_ERR_INTERNAL, "--pipeline: the warps were not found");
        return NULL;
    }
    track_listen(r);
    return r;
}

void track_close(struct track *r)
{
    if (r == NULL) {
        return;
    }
    for (uint32_t i = 0; i < r->n_sms; i++) {
        for (uint32_t k = 0; k < SM_MAX_WARPS; k++) {
            free(r->sm[i].warp[k].open);
        }
    }
    free(r->sm);
    free(r->probe);
    free(r->inst.at);
    free(r->wait.at);
    free(r->access.at);
    free(r->sample.at);
    free(r->block.at);
    free(r);
}
