#include "driver/driver.h"
#include <stdio.h>
#include <string.h>

CUresult cu_log_of(unsigned n, const CUjit_option *option, void **value,
                   struct cu_log *out)
{
    *out = (struct cu_log){0};
    if (n > 0 && (option == NULL || value == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < n; i++) {
        if ((unsigned)option[i] >= CU_JIT_NUM_OPTIONS) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        switch (option[i]) { /* others say how to optimise: nothing does here */
        case CU_JIT_ERROR_LOG_BUFFER: out->text = value[i]; break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            out->room = (size_t)(uintptr_t)value[i];
            out->size_at = &value[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER: out->info = value[i]; break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: out->info_at = &value[i]; break;
        case CU_JIT_WALL_TIME: out->time_at = &value[i]; break;
        default: break;
        }
    }
    return CUDA_SUCCESS;
}

void cu_log_write(const struct cu_log *log, const struct smw_err *e)
{
    char line[2048] = "";
    size_t n;

    if (e != NULL && e->message[0] != '\0') {
        int at = e->file[0] == '\0'
                     ? 0
                     : snprintf(line, sizeof(line), "%s:%u: ", e->file, e->line);

        snprintf(line + at, sizeof(line) - (size_t)at, "%s%s%s", e->message,
                 e->hint[0] != '\0' ? "; " : "", e->hint);
    }
    n = strlen(line);
    if (log->room == 0 || log->text == NULL) {
        n = 0;
    } else {
        n = n < log->room - 1 ? n : log->room - 1;
        memcpy(log->text, line, n);
        log->text[n] = '\0';
    }
    if (log->size_at != NULL) {
        *log->size_at = (void *)(uintptr_t)n;
    }
    if (log->info_at != NULL) { /* nothing to tell */
        if (log->info != NULL && *log->info_at != NULL) {
            log->info[0] = '\0';
        }
        *log->info_at = NULL;
    }
    if (log->time_at != NULL) { /* of a model no time of compiling is known: 0.0f */
        *log->time_at = NULL;
    }
}
