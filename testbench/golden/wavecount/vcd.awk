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

BEGIN { launch = 0 }

$1 == "$scope" { scope[++depth] = $3; next }
$1 == "$upscope" { depth--; next }
$1 == "$var" {
    path = path_of($5)
    if ($2 == "event") {
        event[$4] = path
        count[0, path] += 0
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
!body || /^[#$]/ { next }
/^b/ {
    if ($2 in level_of) {
        level($2, binary(substr($1, 2)))
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
    for (key in count) {
        split(key, part, SUBSEP)
        print part[1], part[2], count[key]
    }
}
