#include "gpu/device_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- the queue ---- */

bool device_queue(struct smw_device *d, uint32_t stream, enum lane lane,
                  const struct task *what)
{
    if (d->turns.n == d->max_tasks) {
        uint32_t max = d->max_tasks == 0 ? 16 : 2 * d->max_tasks;
        struct task *grown = realloc(d->task, max * sizeof(grown[0]));

        if (grown == NULL) {
            return false;
        }
        d->task = grown;
        d->max_tasks = max;
    }
    d->task[d->turns.n] = *what;
    d->task[d->turns.n].ready_ps = device_ready(d);
    d->task[d->turns.n].in_graph = d->host.in_graph;
    return turns_add(&d->turns, stream, lane);
}

bool device_usable(const struct smw_device *d, struct smw_err *e)
{
    if (d->fault.kind == SMW_ERR_NONE) {
        return true;
    }
    (void)err_set(e, SMW_ERR_INPUT, "the device is unusable after a fault: %s",
                  d->fault.message);
    return err_code(e, d->fault.code);
}

static bool queue(struct smw_device *d, uint32_t stream, enum lane lane,
                  const struct task *what, struct smw_err *e)
{
    if (!device_usable(d, e)) {
        return false;
    }
    return device_queue(d, stream, lane, what) ||
           err_set(e, SMW_ERR_NOMEM, "no memory for what is queued in a stream");
}

/* ---- transfers: what is queued ---- */

static enum link_way way_of(const struct smw_transfer *t)
{
    switch (t->direction) {
    case SMW_UP:
    case SMW_FROM_PEER: return LINK_UP;
    case SMW_DOWN:
    case SMW_TO_PEER: return LINK_DOWN;
    case SMW_ON_DEVICE: break;
    }
    return LINK_DEVICE;
}

static enum lane lane_of(const struct smw_device *d, enum link_way way)
{
    if (way == LINK_DEVICE) {
        return LANE_DEVICE;
    }
    return way == LINK_DOWN && d->gpu.cfg.link.engines == 2 ? LANE_DOWN : LANE_UP;
}

static uint64_t layers(const struct smw_transfer *t)
{
    return t->depth == 0 ? 1 : t->depth;
}

/* From the first byte of the first to the last byte of the last of n things of so many
 * bytes, pitch apart, into *bytes. */
static bool span(uint64_t n, uint64_t pitch, const char *thing, const char *what,
                 uint64_t *bytes, struct smw_err *e)
{
    if (n <= 1) {
        return true;
    }
    if (pitch < *bytes) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s: %llu bytes from %s to %s are less than one has, %llu", what,
                       (unsigned long long)pitch, thing, thing,
                       (unsigned long long)*bytes);
    }
    if (n - 1 > (UINT64_MAX - *bytes) / pitch) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s: %llu %ss, %llu bytes apart, are more than an address can "
                       "name",
                       what, (unsigned long long)n, thing, (unsigned long long)pitch);
    }
    *bytes += (n - 1) * pitch;
    return true;
}

/* One end of a transfer. d NULL: in the host. */
static bool check_end(const struct smw_device *d, const char *what, uint64_t addr,
                      uint64_t pitch, uint64_t layer, const struct smw_transfer *t,
                      struct smw_err *e)
{
    uint64_t bytes = t->width;

    if (!span(t->height, pitch, "row", what, &bytes, e) ||
        !span(layers(t), layer, "layer", what, &bytes, e)) {
        return false;
    }
    if (d != NULL) {
        return device_has(d, what, addr, bytes, e);
    }
    return addr != 0 || err_set(e, SMW_ERR_INPUT, "%s: a null pointer", what);
}

static bool check_transfer(struct smw_device *d, const struct smw_transfer *t,
                           struct smw_err *e)
{
    const struct smw_device *from = d, *to = d;

    switch (t->direction) {
    case SMW_UP: from = NULL; break;
    case SMW_DOWN: to = NULL; break;
    case SMW_ON_DEVICE: break;
    case SMW_TO_PEER: to = t->peer; break;
    case SMW_FROM_PEER: from = t->peer; break;
    default:
        return err_set(e, SMW_ERR_INPUT, "copy: there is no direction %d",
                       (int)t->direction);
    }
    if ((t->direction == SMW_TO_PEER || t->direction == SMW_FROM_PEER) &&
        (t->peer == NULL || t->peer == d)) {
        return err_set(e, SMW_ERR_INPUT, "copy: the peer is %s",
                       t->peer == NULL ? "not named" : "the device itself");
    }
    return check_end(from, "copy from", t->src, t->src_pitch, t->src_layer, t, e) &&
           check_end(to, "copy to", t->dst, t->dst_pitch, t->dst_layer, t, e);
}

static struct transfer *new_transfer(struct smw_device *d)
{
    if (d->n_transfers == d->max_transfers) {
        uint32_t max = d->max_transfers == 0 ? 16 : 2 * d->max_transfers;
        struct transfer *grown = realloc(d->transfer, max * sizeof(grown[0]));

        if (grown == NULL) {
            return NULL;
        }
        d->transfer = grown;
        d->max_transfers = max;
    }
    return &d->transfer[d->n_transfers];
}

/* Nothing to move takes its turn all the same. */
static bool queue_nothing(struct smw_device *d, uint32_t stream, struct smw_err *e)
{
    return queue(d, stream, LANE_HOST, &(struct task){.kind = TASK_CALL}, e);
}

static bool queue_transfer(struct smw_device *d, const struct transfer *what,
                           struct smw_err *e)
{
    struct transfer *x = new_transfer(d);
    struct task task = {.kind = TASK_TRANSFER, .of = d->n_transfers};

    if (x == NULL) {
        return err_set(e, SMW_ERR_NOMEM, "no memory for a transfer");
    }
    *x = *what;
    x->item = d->turns.n;
    if (!queue(d, x->t.stream, lane_of(d, way_of(&x->t)), &task, e)) {
        return false;
    }
    d->n_transfers++;
    return true;
}

bool smw_queue_copy(struct smw_device *d, const struct smw_transfer *t,
                    struct smw_err *e)
{
    if (!err_given(d, "smw_queue_copy: the device", e) ||
        !err_given(t, "smw_queue_copy: the transfer", e)) {
        return false;
    }
    if (t->width == 0 || t->height == 0) {
        return queue_nothing(d, t->stream, e);
    }
    return check_transfer(d, t, e) && queue_transfer(d, &(struct transfer){.t = *t}, e);
}

bool smw_queue_fill(struct smw_device *d, uint32_t stream, uint64_t addr,
                    uint32_t value, uint32_t value_bytes, uint64_t width,
                    uint64_t height, uint64_t pitch, struct smw_err *e)
{
    struct transfer x = {.t = {.stream = stream,
                               .direction = SMW_ON_DEVICE,
                               .dst = addr,
                               .width = width,
                               .height = height,
                               .dst_pitch = pitch},
                         .value = value,
                         .value_bytes = value_bytes};

    if (!err_given(d, "smw_queue_fill: the device", e)) {
        return false;
    }
    if (value_bytes != 1 && value_bytes != 2 && value_bytes != 4) {
        return err_set(e, SMW_ERR_INPUT, "fill: a value of %u bytes, not of 1, 2 or 4",
                       value_bytes);
    }
    if (width == 0 || height == 0) {
        return queue_nothing(d, stream, e);
    }
    if (addr % value_bytes != 0 || width % value_bytes != 0 ||
        (height > 1 && pitch % value_bytes != 0)) {
        return err_set(e, SMW_ERR_INPUT,
                       "fill: address, width and pitch are no multiples of the value's "
                       "%u bytes",
                       value_bytes);
    }
    return check_end(d, "fill", addr, pitch, 0, &x.t, e) && queue_transfer(d, &x, e);
}

/* ---- transfers: their bytes ---- */

enum { PART = 4096 };

static void copy_row(struct smw_device *d, const struct smw_transfer *t, uint64_t dst,
                     uint64_t src)
{
    switch (t->direction) {
    case SMW_UP: device_give(d, dst, (const void *)(uintptr_t)src, t->width); break;
    case SMW_DOWN:
        memory_read(&d->gpu.memory, src, (void *)(uintptr_t)dst, t->width);
        break;
    case SMW_ON_DEVICE: device_copy(d, dst, d, src, t->width); break;
    case SMW_TO_PEER: device_copy(t->peer, dst, d, src, t->width); break;
    case SMW_FROM_PEER: device_copy(d, dst, t->peer, src, t->width); break;
    }
}

static void fill_row(struct smw_device *d, const struct transfer *x, uint64_t addr)
{
    uint8_t part[PART];

    for (uint32_t i = 0; i < PART; i++) { /* little-endian, as the device */
        part[i] = (uint8_t)(x->value >> 8 * (i % x->value_bytes));
    }
    for (uint64_t at = 0; at < x->t.width; at += PART) {
        uint64_t left = x->t.width - at;

        device_give(d, addr + at, part, left < PART ? left : PART);
    }
}

static void move_layer(struct smw_device *d, const struct transfer *x, uint64_t dst,
                       uint64_t src)
{
    for (uint64_t y = 0; y < x->t.height; y++) {
        if (x->value_bytes != 0) {
            fill_row(d, x, dst + y * x->t.dst_pitch);
        } else {
            copy_row(d, &x->t, dst + y * x->t.dst_pitch, src + y * x->t.src_pitch);
        }
    }
}

static void move_bytes(struct smw_device *d, const struct transfer *x)
{
    for (uint64_t z = 0; z < layers(&x->t); z++) {
        move_layer(d, x, x->t.dst + z * x->t.dst_layer, x->t.src + z * x->t.src_layer);
    }
}

uint64_t device_bytes(const struct transfer *x)
{
    return x->t.width * x->t.height * layers(&x->t);
}

/* ---- transfers: their time ---- */

/* A copy inside the device reads and writes each byte in the DRAM. */
static uint64_t link_bytes(const struct transfer *x)
{
    uint64_t bytes = device_bytes(x);

    return x->t.direction == SMW_ON_DEVICE && x->value_bytes == 0 ? 2 * bytes : bytes;
}

static bool under_way(const struct smw_device *d)
{
    return link_next(d->link) != SIM_TIME_MAX;
}

/* SPEC LINK-2: without a copy engine, one thing at a time, in the order of queueing. */
bool device_may_overlap(const struct smw_device *d, uint32_t item)
{
    if (d->gpu.cfg.link.engines != 0) {
        return true;
    }
    for (uint32_t lane = 0; lane < N_LANES; lane++) {
        uint32_t first = turns_first(&d->turns, lane);

        if (first != TURNS_NONE && first < item) {
            return false;
        }
    }
    return !under_way(d);
}

static void begin_transfer(struct smw_device *d, struct transfer *x)
{
    enum link_way way = way_of(&x->t);
    struct link_job job = {.way = way,
                           .pinned = x->t.pinned || way == LINK_DEVICE,
                           .cached = link_bytes(x) <= d->gpu.cfg.l2.size,
                           .more = device_host_time(d, x),
                           .bytes = link_bytes(x),
                           .stream = x->t.stream};

    x->started = true;
    x->start_ps = sim_now(d->gpu.sim);
    d->moving[way] = (uint32_t)(x - d->transfer);
    job.fixed = device_fixed_time(d, x);
    link_begin(d->link, &job);
}

void device_begin_transfers(struct smw_device *d)
{
    for (enum lane lane = LANE_UP; lane <= LANE_DEVICE; lane++) {
        uint32_t item = turns_first(&d->turns, lane);
        struct transfer *x;

        if (item == TURNS_NONE || !device_is_ready(d, item) ||
            !device_may_overlap(d, item) ||
            (d->gpu.cfg.link.engines == 0 && d->n_resident != 0)) {
            continue;
        }
        x = &d->transfer[d->task[item].of];
        if (link_ready(d->link, way_of(&x->t))) {
            turns_begin(&d->turns, lane);
            begin_transfer(d, x);
        }
    }
}

void device_end_transfers(struct smw_device *d)
{
    for (enum link_way way = 0; way < LINK_WAYS; way++) {
        if (link_done(d->link, way)) {
            struct transfer *x = &d->transfer[d->moving[way]];

            move_bytes(d, x);
            device_host_moved(d, x);
            x->finished = true;
            x->end_ps = sim_now(d->gpu.sim);
            device_over(d, x->item);
        }
    }
}

bool device_is_moving(const struct smw_device *d)
{
    return under_way(d);
}

/* ---- calls, marks, waits ---- */

bool smw_queue_call(struct smw_device *d, uint32_t stream, void (*fn)(void *arg),
                    void *arg, struct smw_err *e)
{
    struct task task = {.kind = TASK_CALL, .fn = fn, .arg = arg};

    if (fn == NULL) {
        return err_set(e, SMW_ERR_INPUT, "smw_queue_call: fn(): NULL");
    }
    return err_given(d, "smw_queue_call: the device", e) &&
           queue(d, stream, LANE_HOST, &task, e);
}

/* A mark is the number of its item, plus one. */
uint64_t smw_queue_mark(struct smw_device *d, uint32_t stream, struct smw_err *e)
{
    struct task task = {.kind = TASK_MARK};
    uint64_t mark;

    if (!err_given(d, "smw_queue_mark: the device", e)) {
        return 0;
    }
    mark = (uint64_t)d->turns.n + 1;
    return queue(d, stream, LANE_HOST, &task, e) ? mark : 0;
}

static bool is_mark(const struct smw_device *d, uint64_t mark)
{
    return d != NULL && mark > 0 && mark <= d->turns.n &&
           d->task[mark - 1].kind == TASK_MARK;
}

static bool check_mark(const struct smw_device *d, uint64_t mark, struct smw_err *e)
{
    return is_mark(d, mark) ||
           err_set(e, SMW_ERR_INPUT, "there is no mark %llu", (unsigned long long)mark);
}

bool smw_queue_wait(struct smw_device *d, uint32_t stream, uint64_t mark,
                    struct smw_err *e)
{
    struct task task = {.kind = TASK_WAIT, .of = (uint32_t)(mark - 1)};

    return err_given(d, "smw_queue_wait: the device", e) && check_mark(d, mark, e) &&
           queue(d, stream, LANE_HOST, &task, e);
}

void device_host_turns(struct smw_device *d)
{
    uint32_t item;

    while ((item = turns_first(&d->turns, LANE_HOST)) != TURNS_NONE &&
           device_is_ready(d, item)) {
        struct task *t = &d->task[item];

        turns_begin(&d->turns, LANE_HOST);
        if (t->kind == TASK_WAIT) {
            turns_park(&d->turns, item, t->of);
            continue;
        }
        if (t->kind == TASK_CALL && t->fn != NULL) {
            t->fn(t->arg);
        }
        t->at_ps = sim_now(d->gpu.sim);
        device_over(d, item);
    }
}

/* ---- what has been reached ---- */

bool smw_mark_reached(const struct smw_device *d, uint64_t mark, uint64_t *ps)
{
    if (!is_mark(d, mark) || !d->turns.item[mark - 1].finished) {
        return false;
    }
    if (ps != NULL) {
        *ps = d->task[mark - 1].at_ps;
    }
    return true;
}

bool smw_stream_idle(const struct smw_device *d, uint32_t stream)
{
    return d != NULL && turns_idle(&d->turns, stream);
}

bool smw_synchronize_stream(struct smw_device *d, uint32_t stream, struct smw_err *e)
{
    return err_given(d, "smw_synchronize_stream: the device", e) &&
           device_reach(d, &(struct goal){.kind = GOAL_STREAM, .stream = stream}, e);
}

bool smw_synchronize_mark(struct smw_device *d, uint64_t mark, struct smw_err *e)
{
    return err_given(d, "smw_synchronize_mark: the device", e) &&
           check_mark(d, mark, e) &&
           device_reach(d, &(struct goal){.kind = GOAL_MARK, .mark = mark}, e);
}

uint64_t smw_now_ps(const struct smw_device *d)
{
    return d == NULL ? 0 : sim_now(d->gpu.sim);
}

uint32_t smw_transfers(const struct smw_device *d)
{
    return d == NULL ? 0 : d->n_transfers;
}

bool smw_transferred(const struct smw_device *d, uint32_t i, struct smw_transferred *r)
{
    const struct transfer *x;

    if (d == NULL || i >= d->n_transfers || r == NULL) {
        return false;
    }
    x = &d->transfer[i];
    *r = (struct smw_transferred){.stream = x->t.stream,
                                  .direction = x->t.direction,
                                  .fill = x->value_bytes != 0,
                                  .pinned = x->t.pinned,
                                  .bytes = device_bytes(x),
                                  .dst = x->t.dst,
                                  .src = x->t.src,
                                  .started = x->started,
                                  .finished = x->finished,
                                  .start_ps = x->start_ps,
                                  .end_ps = x->end_ps};
    return true;
}
