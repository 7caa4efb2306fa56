# Completes hermes in bash. Made by: hermes completions bash
_hermes() {
    local IFS=$'\n'
    COMPREPLY=($("$1" completions bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    case ${COMPREPLY[0]} in
        :files) COMPREPLY=() && compopt -o default ;;
        :folders) COMPREPLY=() && compopt -o dirnames ;;
    esac
}
complete -F _hermes hermes
