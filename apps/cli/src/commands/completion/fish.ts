import { type CompletableOption, type Place, quoted } from './places.ts';

export function fishCompletion(places: Place[]): string {
  const paths = places.filter((place) => place.path !== '').map((place) => quoted(place.path));
  return `# Completion of hubctl for fish.
function __hubctl_place
    set -l place ''
    for word in (commandline -opc)[2..-1]
        test "$word" = "--"; and return 1
        set -l next (string trim -- "$place $word")
        if contains -- $next ${paths.join(' ')}
            set place $next
        end
    end
    test "$place" = "$argv[1]"
end
complete -c hubctl -f
${places.flatMap(placeLines).join('\n')}
`;
}

function placeLines(place: Place): string[] {
  const condition = `complete -c hubctl -n "__hubctl_place '${place.path}'"`;
  const words = place.words.map((word) => `${condition} -a ${quoted(word.name)}${description(word.description)}`);
  const options = place.options.map((option) => `${condition}${flagsOf(option)}${description(option.description)}`);
  return [...words, ...options];
}

function flagsOf({ flags, value }: CompletableOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`)).join('');
  if (value === undefined) return names;
  if (value === 'file') return `${names} -r -F`;
  if (value === 'folder') return `${names} -x -a '(__fish_complete_directories)'`;
  return value === 'any' ? `${names} -x` : `${names} -x -a ${quoted(value.join(' '))}`;
}

function description(text: string): string {
  return text === '' ? '' : ` -d ${quoted(text)}`;
}
