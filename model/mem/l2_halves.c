#include "mem/l2_halves.h"

/* GPCs of even number are one half, of which every slice has a part. */
static uint8_t half_of(const struct mem_line *t)
{
    return (uint8_t)(1u << (mem_gpc(t->sm, 2)));
}

/* Where the line of t is at home: by the parity of its piece's number, such that the
 * first piece of device memory is near SM 0. */
static uint8_t home_of(const struct mem_line *t)
{
    const int ones =
        __builtin_popcountll((t->addr ^ ISA_GLOBAL_BASE) / L2_HALVES_PIECE);

    return (uint8_t)(1u << (ones & 1));
}

void l2_halves_init(struct l2_halves *h, const struct sim_module *scope,
                    uint32_t latency, uint32_t interval, uint32_t read_interval)
{
    h->scope = scope;
    h->latency = latency;
    h->interval = interval;
    h->read_interval = read_interval != 0 ? read_interval : interval;
    h->era = 1;
    sim_event_init(&h->arrived, scope->sim, scope->clock, "far");
}

void l2_halves_forget(struct l2_halves *h)
{
    h->era++;
}

/* The halves that can read the line of the tag, that of t, without asking the other. */
static uint8_t copies_of(const struct l2_halves *h, const struct l2_tag *tag,
                         const struct mem_line *t)
{
    return tag->era == h->era ? tag->copies : home_of(t);
}

bool l2_halves_read(struct l2_halves *h, struct l2_tag *tag, const struct mem_line *t)
{
    uint8_t had;

    if (h->latency == 0 || tag == NULL) {
        return false;
    }
    had = copies_of(h, tag, t);
    tag->era = h->era;
    if (t->op >= MEM_ATOM) { /* done at home */
        tag->copies = home_of(t);
        return half_of(t) != home_of(t);
    }
    tag->copies = had | half_of(t);
    return (had & half_of(t)) == 0;
}

void l2_halves_store(const struct l2_halves *h, struct l2_tag *tag,
                     const struct mem_line *t)
{
    tag->copies = home_of(t) | half_of(t);
    tag->era = h->era;
}

bool l2_halves_crosses(const struct l2_halves *h, const struct mem_line *t)
{
    return h->latency != 0 && half_of(t) != home_of(t);
}

sim_cycle_t l2_halves_free_at(const struct l2_halves *h, const struct mem_line *t)
{
    return l2_halves_crosses(h, t) ? h->link_at : 0;
}

/* Of a line's time on the link, in hundredths: a fifth for the header, one for each
 * sector, and some for the mask of a sector that is stored in part. */
static uint32_t hundredths(const struct mem_line *t)
{
    uint32_t n = mem_sector_count(t->sectors);
    uint32_t whole =
        t->op == MEM_STORE ? mem_sector_count(mem_full_sectors(t->bytes)) : n;

    return 20 + 20 * n + 3 * (n - whole);
}

sim_cycle_t l2_halves_use_link(struct l2_halves *h, const struct mem_line *t)
{
    sim_cycle_t now = sim_here(h->scope);
    const uint32_t line = t->op == MEM_STORE ? h->interval : h->read_interval;
    sim_cycle_t at = h->link_at;

    if (now > at) {
        at = now;
        h->link_part = 0;
    }
    h->link_part += line * hundredths(t);
    h->link_at = at + h->link_part / 100;
    h->link_part %= 100;
    return at;
}

void l2_halves_send(struct l2_halves *h, struct mem_line *t)
{
    t->txn.ready = l2_halves_use_link(h, t) + h->latency;
    if (h->lines.first == NULL) {
        sim_notify_at(&h->arrived, t->txn.ready);
    }
    mem_lines_append(&h->lines, t);
}

struct mem_line *l2_halves_take(struct l2_halves *h, sim_cycle_t now)
{
    struct mem_line *t = h->lines.first;

    if (t == NULL) {
        return NULL;
    }
    if (t->txn.ready > now) {
        sim_notify_at(&h->arrived, t->txn.ready);
        return NULL;
    }
    return mem_lines_take(&h->lines);
}
