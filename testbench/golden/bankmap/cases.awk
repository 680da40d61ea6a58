# cases.awk - the cases of shared-memory-cases.csv and coalescing-cases.csv as patterns
# that "smwave bankmap" reads: the lanes' offsets follow from the name of the case.
#
#   awk -f cases.awk CASES.csv >PATTERNS.csv

# The element that lane t of case c touches.
function element(c, t) {
    if (c ~ /^stride[0-9]+/) {
        sub(/^stride/, "", c)
        return t * (c + 0)
    }
    if (c ~ /^offset[0-9]+$/) {
        sub(/^offset/, "", c)
        return t + c
    }
    if (c ~ /^alt_w0_w[0-9]+$/) {
        sub(/^alt_w0_w/, "", c)
        return t % 2 * c
    }
    if (c ~ /^double_[0-9]+tid$/) {
        sub(/^double_/, "", c)
        return t * (c + 0)
    }
    if (c ~ /^(char|short|double|float4)(_tid)?$/) {
        return t
    }
    if (c == "char_4tid") {
        return 4 * t
    }
    if (c == "same_word" || c == "same") {
        return 0
    }
    if (c == "one_word_per_half") {
        return int(t / 16)
    }
    if (c == "pairs") {
        return int(t / 2)
    }
    if (c == "quads") {
        return int(t / 4)
    }
    if (c == "alt_w0_w1") {
        return t % 2
    }
    if (c == "swap_pairs") {
        return t % 2 ? t - 1 : t + 1
    }
    if (c == "reverse") {
        return 31 - t
    }
    if (c == "figF1_misaligned") {
        return 33 + t
    }
    print "unknown case " c >"/dev/stderr"
    failed = 1
    exit 1
}

BEGIN { FS = "," }

# A quoted pattern may hold commas: it goes, the width is what follows.
{ sub(/\r$/, ""); gsub(/"[^"]*"/, "-") }

FNR == 1 {
    for (i = 1; i <= NF; i++) {
        if ($i == "access_bytes") {
            width = i
        }
    }
    printf "name,width_bytes,active_mask"
    for (t = 0; t < 32; t++) {
        printf ",lane%d", t
    }
    printf "\n"
    next
}

{
    printf "%s,%d,ffffffff", $1, $width
    for (t = 0; t < 32; t++) {
        printf ",%d", element($1, t) * $width
    }
    printf "\n"
    n++
}

END { exit failed || n == 0 }
