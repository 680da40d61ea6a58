# complete.zsh DIRECTORY - what zsh offers behind each line of the input, words a line each,
# and behind them a line "==": an interactive zsh of its own is typed at, whose compadd also
# says what it was given.
zmodload zsh/zpty
export SMWAVE_COMPLETIONS=$1
zpty z zsh -f -i

ask() # COMMAND - run it there and wait for it
{
    zpty -w z "$1; print -r -- DO''NE"
    local line
    while zpty -r z line; do
        [[ $line == *DONE* ]] && return
    done
}

ask 'PROMPT= RPROMPT= ; unsetopt zle_bracketed_paste 2>/dev/null; stty -echo'
ask 'fpath=($SMWAVE_COMPLETIONS $fpath); autoload -U compinit; compinit -u -D'
ask 'zstyle ":completion:*" list-prompt ""; zstyle ":completion:*" insert-tab false; LISTMAX=1000000'
ask 'compadd() {
    local -a hits
    local suffix= i
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    for ((i = 1; i < $#; i++)); do
        [[ ${@[i]} == -- || ${@[i]} == - ]] && break
        [[ ${@[i]} == -S ]] && suffix=${@[i+1]}
        [[ ${@[i]} == -S?* ]] && suffix=${${@[i]}#-S}
    done
    builtin compadd -A hits "$@"
    for i in $hits; do print -r -- "WORD:$IPREFIX$i$suffix:" ; done
    builtin compadd "$@"
}'
ask 'finish() { print -r -- EN"D"; comppostfuncs=(finish) }; comppostfuncs=(finish)'
ask 'bindkey "^I" complete-word'
while IFS= read -r typed; do
    zpty -w -n z "$typed"$'\t'
    while zpty -r z line; do
        line=${line//$'\r'/}
        while [[ $line == *WORD:*:* ]]; do
            line=${line#*WORD:}
            print -r -- "${line%%:*}"
            line=${line#*:}
        done
        [[ $line == *END* ]] && break
    done
    print -r -- '=='
    zpty -w -n z $'\C-u' # what stands there now goes
done
zpty -d z
