# Completes hermes in fish. Made by: hermes completions fish
function __hermes_words
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] completions fish -- $words[2..-1] 2>/dev/null)
    switch "$found[1]"
        case :files
            __fish_complete_path (commandline -ct)
        case :folders
            __fish_complete_directories (commandline -ct)
        case '?*'
            printf '%s\n' $found
    end
end
complete -c hermes -f -a '(__hermes_words)'
