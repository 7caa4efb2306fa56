#compdef hermes
# Completes hermes in zsh. Made by: hermes completions zsh
_hermes() {
    local -a found
    found=("${(@f)$("$words[1]" completions zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    case $found[1] in
        :files) _files ;;
        :folders) _files -/ ;;
        ?*) _describe hermes found ;;
    esac
}
# In a folder of $fpath this file is the function itself; else it is sourced.
if [[ $funcstack[1] == _hermes ]]; then _hermes "$@"; else compdef _hermes hermes; fi
