import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { BunPlugin } from 'bun';

const ENGLISH = join(dirname(createRequire(import.meta.url).resolve('emojibase-data/package.json')), 'en');

interface Emoji {
  hexcode: string;
  unicode: string;
  label: string;
  tags?: string[];
  group?: number;
  order?: number;
}

const PRESENTATION = '\u{fe0f}';
/** The reactions that the server accepts (apps/api/src/workspace/items/react-to-message.ts). */
const ACCEPTED = /^\p{RGI_Emoji}$/v;
const TONES = ['🏻', '🏼', '🏽', '🏾', '🏿'];
/** The group of skin tones and hair components. */
const COMPONENTS = 2;

/**
 * `import groups from 'emoji:en'`: the emoji that can be reactions, by group. Each line contains the emoji, its name,
 * search words, whether it has skin tones and its shortcodes (separated by spaces), separated by tabs.
 */
export const emojiPlugin: BunPlugin = {
  name: 'emoji',
  setup(build) {
    build.onResolve({ filter: /^emoji:en$/ }, ({ path }) => ({ path, namespace: 'emoji' }));
    build.onLoad({ filter: /.*/, namespace: 'emoji' }, () => ({
      loader: 'js',
      contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(emojiGroups()))});`,
    }));
  },
};

function emojiGroups(): { name: string; lines: string }[] {
  const { groups } = read<{ groups: { message: string; order: number }[] }>('messages.json');
  // Those that texts can contain (packages/contract/src/markdown/named-characters.ts).
  const shortcodes = read<Record<string, string | string[]>>('shortcodes/github.json');
  const emoji = read<Emoji[]>('compact.json').toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
  return groups
    .filter(({ order }) => order !== COMPONENTS)
    .map(({ message, order }) => ({
      name: `${message.charAt(0).toUpperCase()}${message.slice(1)}`,
      lines: emoji
        .filter(({ group }) => group === order)
        .flatMap((each) => lineOf(each, [shortcodes[each.hexcode] ?? []].flat()))
        .join('\n'),
    }));
}

function lineOf({ unicode, label, tags = [] }: Emoji, shortcodes: readonly string[]): string[] {
  const bare = unicode.replaceAll(PRESENTATION, '');
  const spelling = [unicode, bare, `${bare}${PRESENTATION}`].find((text) => ACCEPTED.test(text));
  if (spelling === undefined) return [];
  const words = tags.filter((tag) => !label.includes(tag)).join(' ');
  const codes = shortcodes.length === 0 ? '' : `\t${shortcodes.join(' ')}`;
  return [`${spelling}\t${label}\t${words}\t${hasTones(spelling) ? 1 : ''}${codes}`];
}

/** Returns whether the emoji stays valid with every skin tone. The pages insert the tone after the first character. */
function hasTones(emoji: string): boolean {
  const [first = '', ...rest] = emoji;
  const others = rest.join('').replace(new RegExp(`^${PRESENTATION}`), '');
  return TONES.every((tone) => ACCEPTED.test(`${first}${tone}${others}`));
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(ENGLISH, name), 'utf8')) as T;
}
