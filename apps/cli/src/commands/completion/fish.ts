export const FISH_COMPLETION = `# Completion of hubctl for fish.
function __hubctl_reply
    set -l words (commandline -opc)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -l current (commandline -ct)
    for reply in ($program __complete fish $words[2..-1] "$current" 2>/dev/null)
        switch $reply
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current"
            case '*'
                printf '%s\\n' $reply
        end
    end
end
complete -c hubctl -f -a '(__hubctl_reply)'
`;
