# vcd.awk - what a waveform shows, counted.
#
#   awk -f vcd.awk run.vcd
#
# A line "LAUNCH PATH COUNT" for every event, LAUNCH counting kernel_start events from 1
# and PATH without the numbers of SMs and other arrays ("gpu.sm.smem.xbar.wavefront"); all
# events of an array are summed, and launch 0 is what happened before the first start.
# Further lines of that form:
#   gpu.sm.warps            warps that came to life: warpNN.state left "idle"
#   gpu.sm.blocks.up, .down changes of the number of resident blocks
#   gpu.sm.smem.banks       banks of an SM (launch 0)
#   gpu.sm.insts_per_64, gpu.sm.smem.xbar.conflicts_per_64
#                           what the windows of 64 cycles sum up to (launch 0)

function path_of(name,    i, path, part) {
    for (i = 1; i <= depth; i++) {
        part = scope[i]
        if (part ~ /^(sm|sched|warp|bank|part)[0-9]+$/) {
            sub(/[0-9]+$/, "", part)
        }
        path = path part "."
    }
    return path name
}

function binary(text,    i, v) {
    for (i = 1; i <= length(text); i++) {
        v = 2 * v + (substr(text, i, 1) == "1")
    }
    return v
}

function level(id, now,    path, d) {
    path = level_of[id]
    d = now - last[id]
    last[id] = now
    if (path == "gpu.sm.blocks" && d > 0) {
        count[launch, path ".up"] += d
    } else if (path == "gpu.sm.blocks") {
        count[launch, path ".down"] -= d
    } else if (path == "gpu.sm.warp.state" && d > 0 && now == d) {
        count[launch, "gpu.sm.warps"]++
    }
}

# A rate is shown at the end of a window, and stays for as many as have the same. The last
# window may be shorter, and is shown at the end of the dump. An edge may be 1 ps off.
function rate(id, now) {
    if (rate_value[id] > 0) {
        count[0, rate_of[id]] += rate_value[id] * \
            int((time - rate_time[id]) / window + 0.99)
    }
    rate_value[id] = now
    rate_time[id] = time
}

BEGIN { launch = 0 }

$1 == "$scope" { scope[++depth] = $3; next }
$1 == "$upscope" { depth--; next }
$1 == "$var" {
    path = path_of($5)
    if ($2 == "event") {
        event[$4] = path
        count[0, path] += 0
    } else if (path ~ /_per_64$/) {
        rate_of[$4] = path
        rate_value[$4] = 0
        count[0, path] += 0
    } else if (path == "gpu.cycle") {
        cycle = $4
    } else if (path ~ /^gpu\.(sm\.blocks|sm\.warp\.state|sm\.smem\.bank\.busy)$/) {
        level_of[$4] = path
        last[$4] = 0
        if (path == "gpu.sm.smem.bank.busy") {
            count[0, "gpu.sm.smem.banks"]++
        }
    }
    next
}
$1 == "$enddefinitions" { body = 1; next }
!body || /^\$/ { next }
/^#/ { time = substr($0, 2) + 0; next }
/^b/ {
    if ($2 in level_of) {
        level($2, binary(substr($1, 2)))
    } else if ($2 in rate_of) {
        rate($2, binary(substr($1, 2)))
    } else if ($2 == cycle && window == 0 && binary(substr($1, 2)) == 64) {
        window = time
    }
    next
}
/^[01]/ {
    id = substr($1, 2)
    if (id in event) {
        if (event[id] == "gpu.dispatcher.kernel_start") {
            launch++
        }
        count[launch, event[id]]++
    } else if (id in level_of) {
        level(id, substr($1, 1, 1) + 0)
    }
}

END {
    for (id in rate_of) {
        if (rate_time[id] == time) {
            count[0, rate_of[id]] += rate_value[id]
        }
        rate(id, 0)
    }
    for (key in count) {
        split(key, part, SUBSEP)
        print part[1], part[2], count[key]
    }
}
