import { characterEntities } from 'character-entities';
import shortcodes from 'emojibase-data/en/shortcodes/github.json';

/** Characters by name. The list is long, so pages load it only when some text needs it. */
export interface NamedCharacters {
  /** All named character references of HTML, without `&` and `;`. */
  entities: Readonly<Record<string, string>>;
  /** The emoji of GitHub's shortcodes, without colons. */
  emoji: ReadonlyMap<string, string>;
}

const PRESENTATION = '\u{fe0f}';

let emoji: ReadonlyMap<string, string> | undefined;

export const namedCharacters: NamedCharacters = {
  entities: characterEntities,
  // Created when a text first needs them, so that programs that import this start faster.
  get emoji() {
    emoji ??= new Map(
      Object.entries(shortcodes as Record<string, string | string[]>).flatMap(([code, names]) =>
        [names].flat().map((name) => [name, emojiOf(code)] as const),
      ),
    );
    return emoji;
  },
};

/** Returns the characters of `1F44B-1F3FB`, in emoji presentation. */
function emojiOf(code: string): string {
  const emoji = String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)));
  return /^\p{Emoji_Presentation}|\u{fe0f}/u.test(emoji) ? emoji : emoji + PRESENTATION;
}
