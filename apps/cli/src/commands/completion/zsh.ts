export const ZSH_COMPLETION = `#compdef hubctl
# Completion of hubctl for zsh.
_hubctl() {
  local reply program="\${(Q)words[1]}"
  local -a candidates
  while IFS= read -r reply; do
    case "$reply" in
      :files) _files; return ;;
      :folders) _files -/; return ;;
    esac
    reply="\${reply//:/\\\\:}"
    candidates+=("\${reply/$'\\t'/:}")
  done < <("\${program/#\\~/$HOME}" __complete zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe hubctl candidates
}
if [[ "$funcstack[1]" == "_hubctl" ]]; then
  _hubctl "$@"
else
  compdef _hubctl hubctl
fi
`;
