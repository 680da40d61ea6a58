/*
 * comp.h - what a model is made of: modules, ports, transactions, probes, hooks.
 *
 * Modules form the tree of scopes ("gpu.sm0.smem.bank07"). A module may have a process,
 * or be a scope that only groups probes. Children are kept in declaration order, which
 * is also the order of everything observed.
 *
 * Ports are registered both ways. What is sent at a sender's edge can be taken at the
 * receiver's next edge at the earliest (strictly later in time, also when the edges of
 * two clocks coincide), plus the link's latency. A credit freed by a take can be used
 * at the sender's next edge, strictly later. So the order in which processes run at one
 * instant cannot matter. A port has exactly one sender and one receiver.
 *
 *   sender:   if (!sim_out_ready(o)) { sim_out_wait(o); return; }   o->space wakes it
 *             sim_send(o, t);                                      t is the peer's now
 *   receiver: while ((t = sim_take(i)) != NULL) { ... }            i->arrived wakes it
 *
 * in->arrived is pending exactly while the head of the queue is under way: it is
 * re-armed from the new head at every take (but see sim_in_polls()). A receiver that
 * leaves an arrived head in the queue wakes itself (or waits for another event):
 * arrived is not repeated for it, nor triggered for what arrives behind it.
 */
#ifndef COMP_COMP_H
#define COMP_COMP_H

#include "engine/sim.h"

/* ---- modules ---- */

struct sim_module {
    struct sim *sim;
    struct sim_clock *clock; /* the parent's unless set at init */
    bool watched; /* some probe of its own is; else it may leave all of them alone */
    bool awaited; /* sim_probe_await() */
    const char *name; /* lower snake case, unique among siblings */
    struct sim_module *parent, *first, *last, *next; /* children in declaration order */
    struct sim_probe *probes, *last_probe;           /* in declaration order */
    struct sim_in *ins;                              /* ports, in declaration order */
    struct sim_out *outs;
    void (*show)(void *ctx); /* NULL, or see sim_module_shows() */
    void *show_ctx;
    bool *looked; /* NULL, or see sim_module_looks() */
    bool showing; /* show is called to catch up, not because of a change */
    const struct sim_probe *stray; /* that it then showed otherwise; NULL: none */
    uint32_t order; /* depth-first declaration index; valid after sim_number() */
};

/* parent NULL: a root. clock NULL: the parent's. name is copied. Elaboration only. */
void sim_module_init(struct sim_module *m, struct sim *s, struct sim_module *parent,
                     struct sim_clock *clock, const char *name);

/* Number all modules and probes depth first, in declaration order whatever the order in
 * which they were built, and return the number of probes. The first run with a
 * watcher and the first record do it; call it to use the numbers. What is declared
 * later makes it to be done anew. */
uint32_t sim_number(struct sim *s);

/* Dotted path from the root into buf (size > 0, always terminated); returns buf. */
char *sim_path(const struct sim_module *m, char *buf, size_t size);

/* The clock's current cycle at this module. */
static inline sim_cycle_t sim_here(const struct sim_module *m)
{
    return sim_cycle(m->clock);
}

/* ---- transactions ---- */

struct sim_pool;

/* First member of every transaction type. */
struct sim_txn {
    struct sim_txn *next;  /* in a queue or the pool; the owner's to use meanwhile */
    struct sim_pool *pool; /* where it goes back to */
    sim_cycle_t ready;     /* receiver's cycle from which it can be taken */
};

struct sim_pool {
    struct sim *sim;
    const char *name;
    size_t size;           /* bytes of one transaction */
    struct sim_txn *free;  /* last in, first out */
    uint64_t live;         /* taken and not given back */
    uint64_t made;         /* ever created: the peak of live */
    char *fresh, *end;     /* the rest of a chunk, which nobody has touched */
    struct sim_pool *next; /* of the simulation */
};

void sim_pool_init(struct sim_pool *p, struct sim *s, const char *name, size_t size);

/* Never NULL. Contents beyond struct sim_txn are not cleared. When built with
 * AddressSanitizer, touching a transaction after giving it back is an error. */
static inline void *sim_pool_take(struct sim_pool *p);
static inline void sim_pool_give(void *txn);

/* Sum of live over all pools of the simulation: 0 at the end of a clean run. */
uint64_t sim_live_transactions(const struct sim *s);

/* ---- ports ---- */

/* What travels through a port; both ends must name the same protocol. */
struct sim_proto {
    const char *name;
    size_t size; /* of the transaction type */
};

/* Both begin with the cache line that every send and take touch; the event is another.
 * What holds one is aligned so too: sim_alloc() does, malloc() does not. */
typedef sim_cycle_t (*sim_open_fn)(void *self, const void *txn, sim_cycle_t ready);
typedef void (*sim_serve_fn)(void *self, void *txn, sim_cycle_t taken);

struct sim_in {
    ATTR_ALIGNED(64) struct sim_txn *head;
    struct sim_txn *tail;
    struct sim_out *peer;
    struct sim_clock *clock; /* the module's */
    sim_cycle_t last_ready;  /* of the youngest transaction ever sent */
    sim_time_t fresh_at;
    uint32_t held;            /* in the queue, arrived or under way */
    uint16_t fresh;           /* of held: sent at the time fresh_at */
    bool marks : 1;           /* see sim_in_mark() */
    bool polls : 1;           /* see sim_in_polls() */
    bool far;                 /* the peer is in another domain */
    sim_cycle_t *earliest;    /* NULL, or see sim_in_tell() */
    struct sim_event arrived; /* the head of the queue can be taken */
    uint64_t *mark;           /* if marks: the word and the bit of the set */
    uint64_t mark_bit;
    uint32_t capacity; /* credits given to the sender */
    sim_open_fn open;  /* NULL, or see sim_in_serves() */
    sim_serve_fn serve;
    void *server;
    struct sim_module *module;
    const char *name;
    const struct sim_proto *proto;
    struct sim_in *next; /* of the module */
};

enum { SIM_HANDED = 8 }; /* credits of what was handed over, on their way back */

struct sim_out {
    ATTR_ALIGNED(64) uint32_t credits; /* usable now */
    uint32_t returning;                /* usable from sender cycle returning_at on */
    sim_cycle_t returning_at;
    struct sim_clock *clock; /* the module's */
    struct sim_in *peer;
    uint32_t latency; /* receiver cycles from send to take, at least 1 */
    bool waiting;     /* space is owed for the next credit that returns */
    bool far;         /* the peer is in another domain */
    uint8_t handed;   /* of handed_at, a ring: the first one, ... */
    uint8_t n_handed; /* ... and how many */
    struct sim_module *module;
    const char *name;
    const struct sim_proto *proto;
    struct sim_event space;            /* a credit became usable after sim_out_wait() */
    sim_cycle_t handed_at[SIM_HANDED]; /* credits of what was served: usable then */
    sim_cycle_t open_at;               /* what sim_open() said last */
    struct sim_far *apart;             /* if far: credits on their way back */
    struct sim_out *next;              /* of the module */
};

_Static_assert(offsetof(struct sim_in, arrived) == 64 &&
                   offsetof(struct sim_out, space) == 64,
               "what sends and takes touch is a line");

void sim_in_init(struct sim_in *i, struct sim_module *m, const char *name,
                 const struct sim_proto *proto, uint32_t capacity);
void sim_out_init(struct sim_out *o, struct sim_module *m, const char *name,
                  const struct sim_proto *proto);

/* For a receiver with several ports: from now on, when a transaction becomes the head
 * of i's queue, *earliest is lowered to the cycle from which on it can be taken. So the
 * receiver looks at one number to know whether to look at its ports. It raises
 * *earliest itself. Before the run. */
void sim_in_tell(struct sim_in *i, sim_cycle_t *earliest);

/* For a receiver that looks at *earliest (sim_in_tell()) at the end of each of its
 * steps and wakes itself then: from now on a take does not re-arm i->arrived. Before
 * the run. */
void sim_in_polls(struct sim_in *i);

/* For a receiver that knows in advance when it takes what comes, and can serve it at
 * once. open(self, txn, ready): in which cycle would it take txn, if that came in the
 * receiver's cycle ready, the present or later, and nothing else before?
 * SIM_CYCLE_NONE: it cannot tell, or somebody looks. serve() does it: it leaves the
 * receiver as if it had taken txn in that cycle, and what follows from it is done or
 * has its time. What is served so is taken in the order in which it comes. Both ends
 * have the same clock. Before the run. */
void sim_in_serves(struct sim_in *i, sim_open_fn open, sim_serve_fn serve, void *self);

/* For a receiver with many ports: from now on, when something is sent to i's empty
 * queue, i is added to a set as member n (bit n % 64 of word n / 64). So the receiver
 * looks only at ports that hold something. It removes members itself. Before the
 * run. */
void sim_in_mark(struct sim_in *i, uint64_t *set, uint32_t n);

/* Connect; latency >= 1 in the receiver's cycles. Either end bound twice is a broken
 * contract. */
void sim_bind(struct sim_out *o, struct sim_in *i, uint32_t latency);

/* The same between the whole and a domain. Who runs the two (sim_run_domain()) must
 * keep this contract: when something is sent, the receiver must not be ahead of the
 * sender by latency cycles of its clock or more, for then it would come too late. The
 * sender knows of the credits that the receiver has returned up to the receiver's time.
 * A send that leaves fewer than `enough` credits ends the run of the sender's domain
 * after this instant (enough 0: no send does), and the sender must not go beyond the
 * receiver's time then. */
void sim_bind_domains(struct sim_out *o, struct sim_in *i, uint32_t latency,
                      uint32_t enough);

/* Every port of m and below is bound; else false and the path of the first that is not
 * into path (size > 0). */
bool sim_check_bound(const struct sim_module *m, char *path, size_t size);

/* A credit is usable at this edge. */
static inline bool sim_out_ready(struct sim_out *o);
/* Credits usable at this edge. */
static inline uint32_t sim_out_credits(struct sim_out *o);
/* The same in the sender's cycle, the present or later; who asks so does not go back.
 */
static inline bool sim_out_ready_at(struct sim_out *o, sim_cycle_t cycle);
/* The first cycle from that one on in which a credit is usable; SIM_CYCLE_NONE: it is
 * not known, for none is on its way back. */
static inline sim_cycle_t sim_out_credit_at(struct sim_out *o, sim_cycle_t cycle);
/* The same where none is usable, as has just been asked. */
static inline sim_cycle_t sim_out_comes_at(const struct sim_out *o);
/* Trigger space when the next credit becomes usable. Call at every exit where the
 * module keeps something for want of a credit. */
static inline void sim_out_wait(struct sim_out *o);
/* Hand t over; takable after the link's latency. Needs a credit. */
static inline void sim_send(struct sim_out *o, void *t);
/* The same, extra receiver cycles later. Arrivals on one port must not overtake. */
static inline void sim_send_later(struct sim_out *o, void *t, uint32_t extra);
/* The same in the sender's cycle, the present or later, whose sends are all known by
 * now. The credit is taken at once. Not between domains. */
void sim_send_at(struct sim_out *o, void *t, sim_cycle_t cycle);
/* The same for a transaction that takes so many places of the queue, at least 1, and
 * needs a credit for each. The receiver gives all but one back with sim_in_free(). Not
 * between domains. */
static inline void sim_send_wide(struct sim_out *o, void *t, uint32_t extra,
                                 uint32_t places);

/* In which cycle would the receiver take t, sent in the sender's cycle, the present or
 * later? SIM_CYCLE_NONE: it does not offer that (sim_in_serves()), something is in its
 * queue, or it cannot tell. Of t it needs what tells one kind from another. Else t can
 * be handed over, with nothing asked in between, and is served at once; its credit
 * comes back as if t had been taken in that cycle. */
static inline sim_cycle_t sim_open(struct sim_out *o, const void *t, sim_cycle_t cycle);
static inline void sim_hand(struct sim_out *o, void *t);
/* From a receiver that serves at once: the answer can be taken from the cycle ready on,
 * by who handed the question over, is at its step now, and polls. Needs a credit. */
static inline void sim_answer(struct sim_out *o, void *t, sim_cycle_t ready);

/* The oldest arrived transaction without taking it, NULL if there is none. */
static inline void *sim_peek(const struct sim_in *i);
/* Take it: the caller owns it, its credit travels back. */
static inline void *sim_take(struct sim_in *i);
/* The same of the head of i, of which the caller knows that it has arrived by now, the
 * receiver's cycle. */
static inline void *sim_take_head(struct sim_in *i, sim_cycle_t now);
/* Behind a take, at the same instant: what was taken had so many more places. */
static inline void sim_in_free(struct sim_in *i, uint32_t places);
/* Transactions in the queue, arrived or under way, without those sent at this very
 * instant: what was sent strictly earlier and has not been taken. For the receiver's
 * own process, after all its takes of the edge; then the order in which sender and
 * receiver run at one instant does not matter. */
uint32_t sim_in_level(const struct sim_in *i);

/* ---- probes: observation only ---- */

/* 0: a model that nobody can observe, built to measure what the others pay for it. */
#ifndef SIM_PROBES
#define SIM_PROBES 1
#endif

/* Does somebody observe the thing, a probe or a module's probes? */
#define SIM_WATCHED(thing) (SIM_PROBES && UNLIKELY((thing).watched))

enum sim_probe_kind {
    SIM_PROBE_BITS,  /* up to 64 bits, shown in hex (1 bit: a wire) */
    SIM_PROBE_UINT,  /* a number, shown in decimal */
    SIM_PROBE_LEVEL, /* a number worth drawing as a curve */
    SIM_PROBE_RATE,  /* a count that grows; shown is by how much in a window of
                        SIM_RATE_CYCLES of its module's clock, as a curve */
    SIM_PROBE_STATE, /* an enumeration: desc.names */
    SIM_PROBE_TEXT,  /* desc.text(ctx, value, buf, size) makes the string */
    SIM_PROBE_EVENT  /* happens; has no value. With a STATE probe as ctx it is a moment
                        of that, not seen by itself: until the next cycle of the module
                        the state is shown as what the event has as its initial value.
                        It is declared in front of the state */
};

/* A window; names of RATE probes say it: "insts_per_64". */
enum { SIM_RATE_CYCLES = 64 };

/* What else a probe is to who draws it. */
enum sim_probe_role {
    SIM_ROLE_PLAIN,
    SIM_ROLE_BAD,       /* what costs time or is wrong: it catches the eye */
    SIM_ROLE_BUSY,      /* one bit: a member of an array of scopes works. The array is
                           drawn as a mask of its members */
    SIM_ROLE_LANES,     /* a mask of lanes; how many they are says more than which */
    SIM_ROLE_PC,        /* an index into the program's instructions */
    SIM_ROLE_PER_CYCLE, /* RATE: read as a fraction of its window's cycles */
    SIM_N_ROLES
};

/* All that is known of a probe beside its value: those who observe have no lists of
 * their own, and a waveform has it in its header. Texts are one line without quotes. */
struct sim_probe_desc {
    const char *name;
    enum sim_probe_kind kind;
    uint32_t width;           /* bits, 1 to 64; ignored for TEXT and EVENT;
                                 RATE: of what is shown */
    const char *const *names; /* STATE: n_names strings */
    uint32_t n_names;
    /* TEXT: writes the text of value, always terminated. Called by the observer. */
    void (*text)(void *ctx, uint64_t value, char *buf, size_t size);
    const char *doc; /* one line */
    enum sim_probe_role role;
    /* A row's name where something else than the value is drawn: of a RATE, and where
     * LANES are counted. NULL: the probe's. */
    const char *label;
    /* The value is the size of the sibling module of that name: while it is 0 there is
     * none. NULL: it is no size. */
    const char *sizes;
    const char *unit; /* of a number, a word: "warps"; NULL: it has none */
    /* Views that have it beside the overview, which has all: "banks,memory". "warp" and
     * "bank" are views of one number: of a scope with that name and a number, they have
     * only what lies in theirs. NULL: none. */
    const char *views;
};

struct sim_probe {
    uint64_t value; /* as last set */
    uint64_t shown; /* if dirty: the value before this instant */
    struct sim *sim;
    uint32_t id;  /* depth-first declaration order; valid after sim_number() */
    bool watched; /* sim_probe_watch() */
    bool kept;    /* sim_probe_keep() */
    bool dirty;   /* changed in this instant */
    const struct sim_probe_desc *desc;
    void *ctx; /* for desc.text; of an EVENT: see there */
    struct sim_module *module;
    struct sim_probe *next; /* in the module */
};

/* desc must outlive the simulation. initial: the value at time 0. */
void sim_probe_init(struct sim_probe *p, struct sim_module *m,
                    const struct sim_probe_desc *desc, void *ctx, uint64_t initial);

/* show(ctx) sets every probe of m that shows state, none of events, to what m's state
 * says at the module's present; again and again is fine. m's own steps call it when
 * they have changed what it shows, at least while somebody observes; and it is called,
 * between instants, when somebody begins to. So m need not be watched from the
 * beginning: a probe has the values that it would have had. What show finds is to be
 * shown otherwise later, though no step of m's own would be due then, it notifies: a
 * step that only the watched need. A probe that m sets wherever its value changes,
 * watched or not, holds it and need not be shown. NULL: the probes of m are right only
 * while they are watched from the beginning. Elaboration only. */
void sim_module_shows(struct sim_module *m, void (*show)(void *ctx), void *ctx);

/* *looked becomes false whenever somebody begins to observe m, or to await it, or does
 * so no more: who asks rarely and remembers the answer there has to ask anew. At any
 * time, while other probes still are to follow. Elaboration only. */
void sim_module_looks(struct sim_module *m, bool *looked);

/* The first watched probe, in the order of modules, which its module would show
 * otherwise than it is; NULL: all agree with what was set. Between instants, or at the
 * end of one; for tests and builds that verify. */
const struct sim_probe *sim_find_stray(struct sim *s);

/* An observer wants to hear of p, whose module it may cost something. Between
 * instants; of a module that has no show, best before the run. */
void sim_probe_watch(struct sim_probe *p);

/* The same, and to the end of the run, whatever others do. */
void sim_probe_keep(struct sim_probe *p);

/* An observer will want to hear of p, later in the run: its module may keep what it
 * takes to show it. Until it is watched. */
void sim_probe_await(struct sim_probe *p);

/* Nobody wants to hear of p any more, but for who keeps it. */
void sim_probe_unwatch(struct sim_probe *p);

/* One predictable branch when nobody watches, nothing without SIM_PROBES. The last
 * value of an instant counts; one that is back at its old value did not change. Before
 * the first run, sets the initial value. */
static inline void sim_probe_set(struct sim_probe *p, uint64_t v);
/* For EVENT probes; several in one instant count once. */
static inline void sim_probe_fire(struct sim_probe *p);

/* Who watches: gets the watched probes that changed in an instant, in declaration
 * order, at its end. */
struct sim_watcher {
    void (*changed)(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n);
    void *ctx;
    struct sim_watcher *next;
};
void sim_watch(struct sim *s, struct sim_watcher *w);

/* ---- hooks: what checks and logs listen to ---- */

/* A record is copied when raised and delivered at the end of its instant, ordered by
 * (module declaration order, order of raising inside the module), before the probes'
 * watchers are told. One raised between runs is delivered with the next instant. Who
 * hears must neither raise nor notify. */
struct sim_hook {
    const char *name;
    struct sim *sim;
    struct sim_listener *listeners; /* NULL: raising costs one branch */
};

struct sim_listener {
    void (*heard)(void *ctx, sim_time_t now, const struct sim_module *from,
                  const void *record);
    void *ctx;
    struct sim_listener *next;
};

void sim_hook_init(struct sim_hook *h, struct sim *s, const char *name);
void sim_listen(struct sim_hook *h, struct sim_listener *l);
static inline bool sim_heard(const struct sim_hook *h)
{
    return UNLIKELY(h->listeners != NULL);
}
/* Only when sim_heard(h). record: size bytes, at most 512. Raised in a domain, it ends
 * that domain's run after the instant and waits at the border. */
void sim_raise(struct sim_hook *h, const struct sim_module *from, const void *record,
               size_t size);

/* Between runs, where there is no instant: those who listen hear of it at once. */
void sim_tell(struct sim_hook *h, const struct sim_module *from, const void *record);

/* ---- borders: between a domain and the whole ---- */

/* What one sends, returns or raises must not touch the other, which may be running in
 * another thread: it waits at the border. Both are called while neither runs.
 *
 * The domain is told what the whole has sent. */
void sim_border_enter(struct sim *domain);
/* The whole is told what the domain has sent; what it raised is delivered. */
void sim_border_leave(struct sim *domain);
/* At which time the first of the things that wait at the border for the domain arrives;
 * SIM_TIME_MAX: nothing waits. */
sim_time_t sim_border_next(const struct sim *domain);

#include "comp/comp_inline.h" /* inline functions; not part of the contract */

#endif /* COMP_COMP_H */
