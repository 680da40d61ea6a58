# complete.bash FILE LINE [broken] - what bash offers behind LINE, a word a line; broken: if
# it breaks words at = and :, as it does unless told otherwise.
source "$1"
[ -n "${3-}" ] || COMP_WORDBREAKS=${COMP_WORDBREAKS//[=:]/}
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
read -ra COMP_WORDS <<<"$COMP_LINE"
[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_smwave smwave "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
