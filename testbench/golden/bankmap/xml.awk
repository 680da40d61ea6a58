# xml.awk - is this well-formed XML, of the kind smwave writes? Elements nest and close,
# attributes are quoted and named once, < and & stand for themselves nowhere, every byte
# is printable ASCII. Exit 1 and the reason if not.

{
    if ($0 ~ /[^ -~]/) {
        bad("a byte that is not printable")
    }
    text = text $0 "\n"
}

function bad(why) {
    print "xml: " why >"/dev/stderr"
    failed = 1
    exit 1
}

# Attributes of a tag: name="value" ...
function attributes(s,    seen, name) {
    while (s !~ /^[ \n]*$/) {
        if (!match(s, /^[ \n]+[a-zA-Z:_-]+="[^"<]*"/)) {
            bad("attributes: " s)
        }
        name = substr(s, 1, RLENGTH)
        references(name)
        sub(/=.*/, "", name)
        gsub(/[ \n]/, "", name)
        if (name in seen) {
            bad("twice: " name)
        }
        seen[name] = 1
        s = substr(s, RLENGTH + 1)
        match("", /x/)
    }
}

function references(s) {
    gsub(/&(amp|lt|gt|quot|apos);/, "", s)
    if (s ~ /&/) {
        bad("an & alone: " s)
    }
}

function tag(s,    name) {
    if (s ~ /^\//) {
        name = substr(s, 2)
        if (depth == 0 || open[depth] != name) {
            bad("</" name "> closes " (depth ? open[depth] : "nothing"))
        }
        depth--
        return
    }
    if (depth == 0 && elements > 0) {
        bad("a second root")
    }
    elements++
    match(s, /^[a-zA-Z]+/)
    if (RLENGTH < 1) {
        bad("no tag: <" s ">")
    }
    name = substr(s, 1, RLENGTH)
    s = substr(s, RLENGTH + 1)
    if (s ~ /\/$/) {
        attributes(substr(s, 1, length(s) - 1))
    } else {
        attributes(s)
        open[++depth] = name
    }
}

END {
    if (failed) {
        exit 1
    }
    sub(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, "", text)
    n = split(text, part, "<")
    if (part[1] != "") {
        bad("text before the root")
    }
    for (i = 2; i <= n; i++) {
        end = index(part[i], ">")
        if (end == 0) {
            bad("< without >: " part[i])
        }
        tag(substr(part[i], 1, end - 1))
        rest = substr(part[i], end + 1)
        references(rest)
        if (depth == 0 && rest !~ /^[ \n]*$/) {
            bad("text outside the root: " rest)
        }
    }
    if (depth != 0 || elements < 10) {
        bad("it ends inside " open[depth])
    }
}
