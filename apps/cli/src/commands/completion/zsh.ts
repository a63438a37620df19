import { type CompletableOption, type Place, quoted } from './places.ts';

export function zshCompletion(places: Place[]): string {
  const paths = places.filter((place) => place.path !== '').map((place) => quoted(place.path));
  return `#compdef hubctl
# Completion of hubctl for zsh.
_hubctl() {
  local place="" word previous="\${words[CURRENT-1]}"
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == "--" ]] && return
    case "\${place:+$place }$word" in
      ${paths.join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place $previous" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${places.map(placeCase).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* || \${#commands} -eq 0 ]]; then
    _describe -o option options
  else
    _describe command commands
  fi
}
if [[ "$funcstack[1]" == "_hubctl" ]]; then
  _hubctl "$@"
else
  compdef _hubctl hubctl
fi
`;
}

function placeCase({ path, words, options }: Place): string {
  const described = (name: string, description: string) => quoted(description === '' ? name : `${name}:${description}`);
  const commands = words.map((word) => described(word.name, word.description));
  const flags = options.flatMap((option) => option.flags.map((flag) => described(flag, option.description)));
  return `    ${quoted(path)})
      commands=(${commands.join(' ')})
      options=(${flags.join(' ')}) ;;`;
}

function valueCases(place: Place): string[] {
  return place.options.flatMap((option) => {
    const action = actionFor(option);
    if (action === undefined) return [];
    const patterns = option.flags.map((flag) => quoted(`${place.path} ${flag}`));
    return [`    ${patterns.join('|')}) ${action}return ;;`];
  });
}

function actionFor({ value }: CompletableOption): string | undefined {
  if (value === undefined) return undefined;
  if (value === 'file') return '_files; ';
  if (value === 'folder') return '_files -/; ';
  if (value === 'any') return '';
  return `compadd -- ${value.join(' ')}; `;
}
