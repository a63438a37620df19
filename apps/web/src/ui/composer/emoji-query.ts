import { SHORTCODE_START } from '@hub/contract/markdown/shortcodes';
import { inTone, type Tone } from '../reactions/emoji.ts';
import type { Query } from './name-query.ts';

/** In characters: the length of the longest shortcode that the server reads. */
const MAX = 60;
/** In characters. Shorter text is more likely to be an emoticon, such as `:D`. */
const MIN = 2;
const SHOWN = 6;
const BEFORE_CARET = new RegExp(`${SHORTCODE_START}:([a-z0-9_+\\-]{${MIN},${MAX}})$`, 'iv');
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Returns the emoji shortcode being typed at the caret, or null. */
export function emojiQuery(text: string, caret: number): Query | null {
  const before = text.slice(Math.max(0, caret - MAX - 2), caret);
  const query = BEFORE_CARET.exec(before)?.[1];
  return query === undefined ? null : { from: caret - query.length - 1, query: query.toLowerCase() };
}

/**
 * Returns the emoji with a shortcode that starts with the query, then those with a word in it that does. Recently used
 * emoji and short names come first.
 */
export function matchingEmoji(
  names: ReadonlyMap<string, string>,
  query: string,
  recent: readonly string[],
): { id: string; name: string; emoji: string }[] {
  const found: { name: string; emoji: string; rank: number }[] = [];
  for (const [name, emoji] of names) {
    const isStart = name.startsWith(query);
    if (!isStart && !name.includes(`_${query}`)) continue;
    const rank = name === query ? 0 : isStart && recent.includes(emoji) ? 1 : isStart ? 2 : 3;
    found.push({ name, emoji, rank });
  }
  found.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  const one = new Map(found.map((each) => [each.emoji, each] as const).reverse());
  return found
    .filter((each) => one.get(each.emoji) === each)
    .slice(0, SHOWN)
    .map(({ name, emoji }) => ({ id: name, name: `:${name}:`, emoji }));
}

/** Returns the emoji in this skin tone, if it supports one. */
export function inChosenTone(emoji: string, tone: Tone): string {
  const toned = inTone({ text: emoji, hasTones: true }, tone);
  return EMOJI.test(toned) ? toned : emoji;
}
