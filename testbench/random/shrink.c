#include "shrink.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 4096, ROUNDS = 8 };

struct lines {
    const char *at[MAX_LINES + 1]; /* in the text; the last is its end */
    uint32_t n;
};

static void split(const char *text, struct lines *l)
{
    l->n = 0;
    while (*text != '\0' && l->n < MAX_LINES) {
        l->at[l->n++] = text;
        text = strchr(text, '\n');
        if (text == NULL) {
            break;
        }
        text++;
    }
    l->at[l->n] = text == NULL ? l->at[l->n - 1] + strlen(l->at[l->n - 1]) : text;
}

/* An instruction that may go: not the program's frame, not what keeps it valid. */
static bool removable(const struct lines *l, uint32_t i)
{
    const char *s = l->at[i];
    size_t n = (size_t)(l->at[i + 1] - s);

    return s[0] == '\t' && s[1] != '.' && (n < 5 || memcmp(s + n - 4, "//=\n", 4) != 0);
}

/* The program without n removable lines from line first on, in out; where it
 * stopped. */
static uint32_t without(const struct gen_program *p, const struct lines *l,
                        uint32_t first, uint32_t n, struct gen_program *out)
{
    uint32_t i = first;
    size_t len = (size_t)(l->at[first] - p->text);

    memcpy(out->text, p->text, len);
    for (; i < l->n; i++) {
        size_t k = (size_t)(l->at[i + 1] - l->at[i]);

        if (n > 0 && removable(l, i)) {
            n--;
            continue;
        }
        if (n == 0) {
            k = strlen(l->at[i]);
            memcpy(out->text + len, l->at[i], k);
            len += k;
            break;
        }
        memcpy(out->text + len, l->at[i], k);
        len += k;
    }
    out->text[len] = '\0';
    out->n = (uint32_t)len;
    return i;
}

static bool pass(struct trial *t, struct gen_program *p, uint32_t preset,
                 enum verdict v, uint32_t chunk, struct gen_program *room)
{
    struct lines *l = malloc(sizeof(*l));
    bool smaller = false;

    if (l == NULL) {
        return false;
    }
    split(p->text, l);
    for (uint32_t i = 0; i < l->n;) {
        uint32_t end;

        if (!removable(l, i)) {
            i++;
            continue;
        }
        *room = *p;
        end = without(p, l, i, chunk, room);
        if (trial_run(t, room, preset) == v) {
            *p = *room;
            split(p->text, l);
            smaller = true;
        } else {
            i = end;
        }
    }
    free(l);
    return smaller;
}

/* One block, if that is enough. */
static void one_block(struct trial *t, struct gen_program *p, uint32_t preset,
                      enum verdict v, struct gen_program *room)
{
    *room = *p;
    room->grid[0] = room->grid[1] = 1;
    room->n_blocks = 1;
    if (trial_run(t, room, preset) == v) {
        *p = *room;
    }
}

void shrink(struct trial *t, struct gen_program *p, uint32_t preset, enum verdict v)
{
    struct gen_program *room = malloc(sizeof(*room));

    if (room == NULL) {
        return;
    }
    one_block(t, p, preset, v, room);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        bool smaller = false;

        for (uint32_t chunk = 32; chunk > 0; chunk /= 2) {
            smaller = pass(t, p, preset, v, chunk, room) || smaller;
        }
        if (!smaller) {
            break;
        }
    }
    free(room);
    (void)trial_run(t, p, preset); /* for the reason */
}
