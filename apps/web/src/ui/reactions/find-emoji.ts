import type { Emoji } from './emoji.ts';

export interface EmojiGroup {
  name: string;
  emoji: readonly Emoji[];
}

const MAX_FOUND = 96;

/** Loads all emoji that can be a reaction, on demand because the data is large. */
export async function loadEmoji(): Promise<readonly EmojiGroup[]> {
  const { default: groups } = await import('emoji:en');
  return groups.map(({ name, lines }) => ({ name, emoji: lines.split('\n').map(readLine) }));
}

export function readLine(line: string): Emoji {
  const [text = '', name = '', keywords = '', tones] = line.split('\t');
  return { text, name, keywords, hasTones: tones === '1' };
}

/** Returns the emoji that match all words of the query: by whole name first, then by the start of words. */
export function findEmoji(groups: readonly EmojiGroup[], query: string): Emoji[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = groups
    .flatMap(({ emoji }) => emoji)
    .map((emoji) => ({ emoji, rank: rankOf(emoji, wanted) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY);
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_FOUND)
    .map(({ emoji }) => emoji);
}

function rankOf({ text, name, keywords }: Emoji, wanted: readonly string[]): number {
  if (wanted.length === 1 && wanted[0] === text) return 0;
  const whole = wanted.join(' ');
  const called = name.toLowerCase();
  if (called === whole) return 0;
  if (called.startsWith(whole)) return 1;
  if (wanted.every((word) => hasWord(called, word))) return 2;
  return wanted.every((word) => hasWord(`${called} ${keywords.toLowerCase()}`, word)) ? 3 : Number.POSITIVE_INFINITY;
}

function hasWord(text: string, beginning: string): boolean {
  return text.startsWith(beginning) || text.includes(` ${beginning}`) || text.includes(`-${beginning}`);
}
