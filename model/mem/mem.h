/*
 * mem.h - the transactions of the memory system and who owns them.
 *
 *   mem_req    one memory instruction of one warp; made by the SM at issue, owned by
 *              whoever took it last, comes back to the SM with its data (loads) or as
 *              an acknowledgement (stores)
 *   mem_copy   what an asynchronous copy has besides its request, which is a load of
 *              global memory first and then a store to shared memory
 *   mem_wave   one pass of a shared-memory request through the banks; the last pass of
 *              a request owns it
 *   mem_line   one request for one 128-byte line of global or local memory, from the
 *              LSU through L1, interconnect and L2 and back
 *   mem_burst  one DRAM access of an L2 slice
 *
 * Data moves with the transaction: d[word][lane] in a request (see isa/uop.h), bytes of
 * the line in a mem_line.
 */
#ifndef MEM_MEM_H
#define MEM_MEM_H

#include "base/divide.h"
#include "comp/comp.h"
#include "isa/uop.h"
#include "mem/rules_banks.h"

#include <string.h>

#define MEM_LINE    128u /* bytes of a line everywhere */
#define MEM_SECTOR  32u  /* bytes of a sector */
#define MEM_SECTORS (MEM_LINE / MEM_SECTOR)
#define MEM_UNIT    256u /* bytes that always lie in one memory partition */

/* Line addresses with this bit lie in local memory (interleaved by lane, private to an
 * SM), without it in global memory. */
#define MEM_LOCAL_BIT (1ull << 62)

/* SPEC PART-1: how memory is dealt to partitions, a unit to each in turn. */
struct mem_parts {
    struct divisor n;
    uint32_t unit_bits; /* of the bytes of a unit: MEM_UNIT, or two of these */
};

/* unit: MEM_UNIT bytes, or twice as many. */
static inline struct mem_parts mem_parts_of(uint32_t n, uint32_t unit)
{
    return (struct mem_parts){divisor_of(n), attr_lowest_bit(unit)};
}

/* Where a byte lies, without MEM_LOCAL_BIT, when the bytes of a unit follow one
 * another: one of two MEM_UNITs has every other one of four. */
static inline uint64_t mem_part_order(uint64_t a, const struct mem_parts *p)
{
    const uint64_t low = MEM_UNIT, high = 2 * MEM_UNIT;

    if (LIKELY((1u << p->unit_bits) == MEM_UNIT)) {
        return a;
    }
    return (a & ~(low | high)) | (a & high) / 2 | (a & low) * 2;
}

/* The address inside its partition, the same for every interleaving: the k-th group of
 * n units puts one unit into each, k units from the beginning. */
static inline uint64_t mem_part_addr(uint64_t addr, const struct mem_parts *p)
{
    const uint64_t a = mem_part_order(addr & ~MEM_LOCAL_BIT, p);

    return (addr & MEM_LOCAL_BIT) | quotient(&p->n, a >> p->unit_bits) << p->unit_bits |
           (a & ((1u << p->unit_bits) - 1));
}

/* SMs 2 i and 2 i + 1 are a TPC, and TPC i is in GPC i mod n_gpcs: which GPC an SM is
 * in, and how many SMs of it come before. That the SMs of an H100 are numbered so is
 * measured. */
enum { MEM_TPC_SMS = 2 };
static inline uint32_t mem_gpc(uint32_t sm, uint32_t n_gpcs)
{
    return sm / MEM_TPC_SMS % n_gpcs;
}

static inline uint32_t mem_place_in_gpc(uint32_t sm, uint32_t n_gpcs)
{
    return sm / MEM_TPC_SMS / n_gpcs * MEM_TPC_SMS + sm % MEM_TPC_SMS;
}

/* A drain accesses nothing: it follows the stores of a block to the LSU, which answers
 * it when it has sent them on. */
enum mem_op { MEM_LOAD, MEM_STORE, MEM_ATOM, MEM_RED, MEM_DRAIN };

/* Where a request has been: SM cycles, 0 if it never was there. */
enum mem_at { MEM_AT_ISSUE, MEM_AT_LSU, MEM_AT_BANKS, MEM_AT_SERVED, MEM_N_AT };

/* Where a line has been, while the LSU, the L1 and the slices are observed: when the
 * LSU sent it, it left the L1 downwards, came to the slice, had a fetch begun for it,
 * had the bytes, was answered by the slice, and was taken by the L1; 0: it was not. */
enum mem_seen {
    MEM_SEEN_SENT,
    MEM_SEEN_L1,
    MEM_SEEN_L2,
    MEM_SEEN_FETCH,
    MEM_SEEN_FILLED,
    MEM_SEEN_ANSWER,
    MEM_SEEN_UP,
    MEM_N_SEEN
};

struct mem_req { /* a line that the whole way needs, one for the SM, then the lanes */
    struct sim_txn txn;
    const struct isa_uop *uop;
    uint64_t base;      /* bytes: shared: start of the block's memory in the array;
                           local: line address of the warp's first line */
    uint32_t mask;      /* lanes that take part */
    uint8_t op;         /* enum mem_op */
    uint8_t space;      /* enum isa_space: SHARED, GLOBAL, LOCAL or CONST */
    uint8_t size;       /* bytes of one element: 1 2 4 8 */
    uint8_t vec;        /* elements per lane: 1 2 4 */
    uint8_t words;      /* 32-bit words per lane in d: vec * max(1, size / 4) */
    uint8_t launch;     /* index of the resident launch that counts it */
    uint8_t warp;       /* warp slot of the SM */
    uint8_t slot;       /* block slot of the SM */
    bool bypass_l1;     /* .cg .cv .volatile: read at the point of coherence */
    bool read_only : 1; /* .nc: the kernel writes nothing there */
    bool polled : 1;    /* shared: the SM handed it over, and looks for its answer */
    uint8_t bank_mode;  /* shared: bytes of a bank word: 4, 8, 16 */
    uint8_t block_warp; /* its warp, counted in the block */
    uint32_t pending; /* LSU: lines not back yet, +1 while lines are still to be sent */
    uint32_t pass;    /* crossbar: passes sent before it stepped aside ... */
    sim_cycle_t retry_at; /* ... and when it may go on */
    sim_cycle_t at[MEM_N_AT];
    uint64_t block; /* linear index of its block in the grid */
    uint32_t id;    /* warp instructions issued by this SM before it, for traces */
    uint32_t pc;
    uint32_t frame_slot, frame_pred; /* register frame of the warp at issue */
    struct tex_work *texture; /* of space TEXTURE: owned; the texels and their bytes */
    struct mem_copy *copy; /* owned; of an asynchronous copy (its uop is one) alone */
    struct {               /* of space CLUSTER: */
        uint64_t block;    /* linear index of the block that is meant */
        uint8_t from, to;  /* SMs */
        bool lost;         /* there is no such block */
    } away;
    sim_time_t seen[MEM_N_SEEN];               /* of the line that came back last */
    ATTR_ALIGNED(64) uint64_t addr[ISA_LANES]; /* byte address in its space */
    /* data; of atomics b, then for cas c, one word or two each; on the way back the old
     * value. A load or store of a word a lane may end behind the first row. */
    uint32_t d[4][ISA_LANES];
};

enum { MEM_REQ_WORD = offsetof(struct mem_req, d[1]) }; /* bytes of such a one */

/* A copy by cp.async; the request has its addresses in global memory, at first. */
struct mem_copy {
    struct sim_txn txn;
    struct mem_copy *next;     /* of its warp, begun later */
    uint32_t mask;             /* lanes, also those that read nothing */
    uint32_t number;           /* of its warp's, from 0 on */
    uint32_t group[ISA_LANES]; /* of each lane's, from 0 on */
    uint32_t to[ISA_LANES];    /* address in shared memory */
    uint8_t bytes[ISA_LANES];  /* read; the others of the copy become zeros */
    uint64_t base;             /* mem_req.base of the store */
    uint32_t some;             /* lanes that read anything */
    bool past_l1;             /* all of them 16 bytes, .cg: not through the L1's data */
    uint64_t from[ISA_LANES]; /* address in global memory */
};

/* An empty request; its lanes' addresses and data, and what few have, stay as they
 * were. */
static inline void mem_req_clear(struct mem_req *r)
{
    memset((char *)r + sizeof(r->txn), 0,
           offsetof(struct mem_req, texture) - sizeof(r->txn));
}

static inline bool mem_is_copy(const struct mem_req *r)
{
    return r->uop != NULL && r->uop->kind == ISA_K_COPY;
}

/* Of a bulk copy (SPEC BULK-2), also what it tells mbarriers. */
static inline bool mem_is_bulk(const struct mem_req *r)
{
    return r->uop != NULL && (r->uop->kind == ISA_K_BULK || r->uop->kind == ISA_K_TX);
}

_Static_assert(offsetof(struct mem_req, retry_at) == 64, "what all need is a line");
_Static_assert(offsetof(struct mem_req, texture) == 128, "the SM needs another");
_Static_assert(MEM_REQ_WORD % 64 == 0, "of whole lines");

/* Operand b (k = 0) or c (k = 1) of an atomic's lane. */
static inline uint64_t mem_atom_operand(const struct mem_req *r, uint32_t k,
                                        uint32_t lane)
{
    if (r->size == 8) {
        return r->d[2 * k][lane] | (uint64_t)r->d[2 * k + 1][lane] << 32;
    }
    return r->d[k][lane];
}

struct mem_wave {
    struct sim_txn txn;
    struct mem_req *req;
    uint32_t lanes[4]; /* lanes whose i-th 32-bit word this pass serves */
    uint32_t late;     /* last: cycles the conflict adds to the latency at least */
    struct bank_set crowded; /* banks in conflict, for observers; set if they watch */
    uint8_t kind;            /* enum rules_pass */
    uint8_t order; /* stores: lanes write in ascending order of lane XOR this */
    bool last;     /* owns req */
    bool conflict; /* of req, in some bank; for observers */
};

struct mem_atom { /* the lanes of one line that take part in an atomic instruction */
    struct sim_txn txn;
    uint32_t mask;
    uint8_t sub;  /* enum isa_sub */
    uint8_t type; /* enum isa_type */
    uint8_t size; /* 4 or 8 (2 for 16-bit cas) */
    bool joined;  /* the lanes of a word are one (SPEC PTX-3) */
    uint8_t offset[ISA_LANES];
    uint64_t b[ISA_LANES], c[ISA_LANES];
    uint64_t old[ISA_LANES]; /* filled by the L2 slice */
};

enum { MEM_TEXELS = UINT8_MAX, MEM_EARLY = UINT8_MAX - 1 };

struct mem_line { /* a cache line of the host, the data, and what few have */
    struct sim_txn txn;
    uint64_t addr;     /* of the line, a multiple of MEM_LINE */
    uint64_t bytes[2]; /* bit i: byte i of the line is written, or wanted and not yet
                          in data */
    uint32_t lanes;    /* of the request that this line serves */
    uint16_t entry;    /* LSU: which request; L1: which MSHR, once it is on its way */
    uint8_t op;        /* enum mem_op */
    uint8_t sectors; /* wanted (loads) or touched (stores, atomics), bit i: sector i */
    uint8_t launch;
    uint8_t sm;                /* where the answer goes */
    bool bypass_l1, read_only; /* as in mem_req */
    bool from_l1;              /* the L1's own: fill or write-back; no LSU entry */
    bool ack : 1;              /* store: answer expected */
    bool straight : 1;         /* its words are those of the lanes in order, one word of
                                  each; see rules_lines */
    uint8_t fills;             /* L1: fills under way that it waits for */
    uint8_t piece; /* local: which 32-bit piece of the lanes' accesses; MEM_TEXELS: a
                      texture's; MEM_EARLY: its bytes were moved before it left
                      (SPEC IDEAL-2); else 0 */
    uint8_t data[MEM_LINE];
    struct mem_atom *atom; /* of an atomic: owned */
    sim_time_t seen[MEM_N_SEEN];
};

_Static_assert(offsetof(struct mem_line, data) == 64, "data begins a line");

static inline bool mem_is_texture(const struct mem_line *t)
{
    return t->piece == MEM_TEXELS;
}

static inline bool mem_is_early(const struct mem_line *t)
{
    return t->piece == MEM_EARLY;
}

struct mem_burst {
    struct sim_txn txn;
    uint64_t addr; /* a multiple of the burst size */
    bool write;
    uint8_t launch;
    uint32_t tag; /* the L2's: which miss */
    /* the channel's, from arrival on */
    uint8_t bank, check; /* of its pseudo-channel; its check burst in the row */
    int64_t row;
    sim_cycle_t at; /* arrival */
    uint64_t seq;   /* bursts of the channel that arrived before it */
};

/* What the rules made of a request: raised for whoever reports by instruction. */
struct mem_planned {
    uint64_t addr[ISA_LANES]; /* as in mem_req; meaningful where in mask */
    uint64_t base; /* shared: of the kernel's variables in the array, bytes */
    uint64_t block;
    sim_cycle_t cycle;
    uint32_t pc, mask, sm;
    uint32_t wavefronts, ideal, degree; /* shared */
    uint32_t requests, sectors, lines;  /* global; constant: requests only */
    uint8_t op, space, bytes, bank_mode, launch;
    uint8_t warp, block_warp; /* slot of the SM; number in the block */
    bool in_l1;
};

/* Lists that a module keeps of lines and of requests, oldest first; zeroed: empty. The
 * one taken is the first of a list that is not empty. */
#define MEM_LIST(list, record)                                                         \
    struct list {                                                                      \
        struct record *first, *last;                                                   \
    };                                                                                 \
                                                                                       \
    static inline void list##_append(struct list *l, struct record *t)                 \
    {                                                                                  \
        t->txn.next = NULL;                                                            \
        if (l->first == NULL) {                                                        \
            l->first = t;                                                              \
        } else {                                                                       \
            l->last->txn.next = &t->txn;                                               \
        }                                                                              \
        l->last = t;                                                                   \
    }                                                                                  \
                                                                                       \
    static inline struct record *list##_take(struct list *l)                           \
    {                                                                                  \
        struct record *t = l->first;                                                   \
                                                                                       \
        l->first = (struct record *)(void *)t->txn.next;                               \
        return t;                                                                      \
    }

MEM_LIST(mem_lines, mem_line)
MEM_LIST(mem_reqs, mem_req)
#undef MEM_LIST

/* Has the head of the queue arrived by now, the receiver's cycle? As sim_peek() says,
 * for one who has the cycle at hand. One that arrives later will wake its receiver. */
static inline bool mem_has_arrived(const struct sim_in *i, sim_cycle_t now)
{
    return i->head != NULL && i->head->ready <= now;
}

/* That head, which has arrived. */
static inline void *mem_first(const struct sim_in *i)
{
    return i->head;
}

/* The part of *p that the request says. */
void mem_planned_of(struct mem_planned *p, const struct mem_req *r, uint32_t sm,
                    sim_cycle_t cycle);

extern const struct sim_proto mem_req_proto, mem_wave_proto, mem_line_proto,
    mem_burst_proto;

static inline bool mem_byte_is_set(const uint64_t bytes[2], uint32_t i)
{
    return (bytes[i / 64] >> (i % 64) & 1u) != 0;
}

/* Bits n of a byte mask from byte at on; n <= 64, at + n <= 128. */
static inline void mem_byte_set(uint64_t bytes[2], uint32_t at, uint32_t n)
{
    uint64_t m = n >= 64 ? ~0ull : (1ull << n) - 1;

    bytes[at / 64] |= m << (at % 64);
    if (at % 64 + n > 64) {
        bytes[1] |= m >> (64 - at % 64);
    }
}

/* The bytes of sectors. */
static inline void mem_sector_bytes(uint32_t sectors, uint64_t bytes[2])
{
    for (uint32_t h = 0; h < 2; h++) {
        bytes[h] = ((sectors >> 2 * h & 1u) != 0 ? (uint64_t)UINT32_MAX : 0) |
                   ((sectors >> 2 * h & 2u) != 0 ? (uint64_t)UINT32_MAX << 32 : 0);
    }
}

/* How many sectors: a digit for each of the 16 sets. */
static inline uint32_t mem_sector_count(uint32_t sectors)
{
    return (uint32_t)(0x4332322132212110u >> 4 * sectors) & 0xf;
}

/* Places that a request takes in a slice's queue, at most all (SPEC QUEUE-1): one, and
 * per_sector for each sector of data that it brings. */
static inline uint32_t mem_places(const struct mem_line *t, uint32_t per_sector,
                                  uint32_t queue)
{
    uint32_t n =
        1 + (t->op == MEM_LOAD ? 0 : per_sector * mem_sector_count(t->sectors));

    return n < queue ? n : queue;
}

/* Sectors whose bytes are all set in the mask. */
uint32_t mem_full_sectors(const uint64_t bytes[2]);

/* Copy the bytes of the mask. */
void mem_copy_bytes(uint8_t *dst, const uint8_t *src, const uint64_t bytes[2]);

#endif /* MEM_MEM_H */
