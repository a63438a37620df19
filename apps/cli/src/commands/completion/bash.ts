/** Completion for Bash 3.2, which macOS still ships, and later. */
export const BASH_COMPLETION = `# Completion of hubctl for bash.
_hubctl() {
  local reply program="\${COMP_WORDS[0]}" current="\${COMP_WORDS[COMP_CWORD]}" IFS=$'\\n'
  COMPREPLY=()
  while IFS= read -r reply; do
    case "$reply" in
      :files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
      :folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
      *) COMPREPLY+=("$reply") ;;
    esac
  done < <("\${program/#\\~/$HOME}" __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _hubctl hubctl
`;
