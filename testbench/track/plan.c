/* plan.c - a plan of track.h in words, for another process. */
#include "track/track.h"

#include "base/err.h"
#include "io/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool track_plan_text(const struct track_plan *p, char *buf, size_t size)
{
    const int n = snprintf(buf, size, "%s%s%sfrom=%" PRIu64 ",max=%" PRIu64,
                           !p->pipeline                ? ""
                           : p->lane == TRACK_BY_BLOCK ? "pipeline=block,"
                                                       : "pipeline=warp,",
                           p->timeline ? "timeline," : "", p->blocks ? "blocks," : "",
                           p->from, p->max);

    return n >= 0 && (size_t)n < size;
}

static bool number_of(const char *word, const char *key, uint64_t most, uint64_t *out)
{
    const size_t n = strlen(key);

    return strncmp(word, key, n) == 0 && num_u64(word + n, out) == NUM_OK &&
           *out <= most;
}

static bool take(struct track_plan *p, const char *word)
{
    if (strcmp(word, "pipeline=warp") == 0 || strcmp(word, "pipeline=block") == 0) {
        p->pipeline = true;
        p->lane = strstr(word, "block") != NULL ? TRACK_BY_BLOCK : TRACK_BY_WARP;
    } else if (strcmp(word, "timeline") == 0) {
        p->timeline = true;
    } else if (strcmp(word, "blocks") == 0) {
        p->blocks = true;
    } else {
        return number_of(word, "from=", UINT64_MAX, &p->from) ||
               (number_of(word, "max=", TRACK_MOST_INSTS, &p->max) && p->max > 0);
    }
    return true;
}

bool track_plan_parse(struct track_plan *p, const char *text, struct smw_err *e)
{
    *p = (struct track_plan){.max = TRACK_MAX_INSTS};
    while (*text != '\0') {
        char word[64];
        const size_t n = strcspn(text, ",");

        (void)snprintf(word, sizeof(word), "%.*s", (int)(n < 63 ? n : 63), text);
        if (!take(p, word)) {
            return err_set(e, SMW_ERR_USAGE,
                           "SMWAVE_TRACK: '%s' is none of pipeline=warp, "
                           "pipeline=block, timeline, blocks, from=CYCLE and max=N",
                           word);
        }
        text += n + (text[n] == ',');
    }
    return true;
}
