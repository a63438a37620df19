import { type CompletableOption, type Place, quoted } from './places.ts';

/** Bash 3.2 and later, which macOS still has. */
export function bashCompletion(places: Place[]): string {
  const paths = places.filter((place) => place.path !== '').map((place) => quoted(place.path));
  return `# Completion of hubctl for bash.
_hubctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place="" words="" word IFS
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [ "$word" = "--" ] && return
    case "\${place:+$place }$word" in
      ${paths.join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  IFS=$'\\n'
  case "$place $previous" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${places.map((place) => `    ${quoted(place.path)}) words=${quoted(nextWords(place).join(' '))} ;;`).join('\n')}
  esac
  IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _hubctl hubctl
`;
}

function nextWords(place: Place): string[] {
  return [...place.words.map((word) => word.name), ...place.options.flatMap((option) => option.flags)];
}

function valueCases(place: Place): string[] {
  return place.options.flatMap((option) => {
    const reply = replyFor(option);
    if (reply === undefined) return [];
    const patterns = option.flags.map((flag) => quoted(`${place.path} ${flag}`));
    return [`    ${patterns.join('|')}) ${reply} return ;;`];
  });
}

function replyFor({ value }: CompletableOption): string | undefined {
  if (value === undefined) return undefined;
  if (value === 'file') return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"));';
  if (value === 'folder') return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current"));';
  if (value === 'any') return '';
  return `IFS=$' \\t\\n'; COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$current"));`;
}
