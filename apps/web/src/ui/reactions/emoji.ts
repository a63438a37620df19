import { signal } from '@preact/signals';
import { keepRecentIn, readStored, recentIn, writeStored } from '../../lib/stored.ts';

export interface Emoji {
  text: string;
  name: string;
  /** Its names in text, with spaces: "heart eyes" for `:heart_eyes:`. */
  shortcodes: readonly string[];
  /** Search keywords, in addition to the name. */
  keywords: string;
  hasTones: boolean;
}

/** Skin tones: none, then the lightest to the darkest. */
export const TONES = ['', '🏻', '🏼', '🏽', '🏾', '🏿'] as const;
export type Tone = (typeof TONES)[number];

const PRESENTATION = '\u{fe0f}';

/** Returns the emoji in a skin tone, if it supports any: the tone follows its first code point. */
export function inTone({ text, hasTones }: Pick<Emoji, 'text' | 'hasTones'>, tone: Tone): string {
  if (!hasTones || tone === '') return text;
  const [first = '', ...rest] = text;
  return `${first}${tone}${rest.join('').replace(new RegExp(`^${PRESENTATION}`), '')}`;
}

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
  const [text = '', name = '', keywords = '', tones, shortcodes] = line.split('\t');
  return {
    text,
    name,
    shortcodes: shortcodes?.split(' ').map((code) => code.replaceAll('_', ' ')) ?? [],
    keywords,
    hasTones: tones === '1',
  };
}

/**
 * Returns the emoji that match all words of the query: those with exactly this name or shortcode first, then those whose
 * name starts with it, those with its words in their name, each with short names first, and last those found by keyword.
 */
export function findEmoji(groups: readonly EmojiGroup[], query: string): Emoji[] {
  const words = query
    .toLowerCase()
    .split(/[\s_:]+/)
    .filter(Boolean);
  if (words.length === 0) return [];
  const ranked = groups
    .flatMap(({ emoji }) => emoji)
    .map((emoji) => ({ emoji, ...rankOf(emoji, words) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY);
  return ranked
    .sort((one, other) => one.rank - other.rank || one.length - other.length)
    .slice(0, MAX_FOUND)
    .map(({ emoji }) => emoji);
}

interface Rank {
  /** Lower is better; infinite if the emoji does not match. */
  rank: number;
  /** The length of the name that matches. */
  length: number;
}

function rankOf({ text, name, shortcodes, keywords }: Emoji, query: readonly string[]): Rank {
  if (query.length === 1 && query[0] === text) return { rank: 0, length: 0 };
  const called = name.toLowerCase();
  const whole = query.join(' ');
  let best: Rank = { rank: Number.POSITIVE_INFINITY, length: 0 };
  for (const each of [called, ...shortcodes]) {
    const rank = nameRank(each, whole, query);
    if (rank < best.rank || (rank === best.rank && each.length < best.length)) best = { rank, length: each.length };
  }
  if (best.rank < Number.POSITIVE_INFINITY) return best;
  const words = `${called} ${keywords.toLowerCase()}`;
  return { rank: query.every((word) => hasWord(words, word)) ? 3 : Number.POSITIVE_INFINITY, length: 0 };
}

function nameRank(name: string, whole: string, words: readonly string[]): number {
  if (name === whole) return 0;
  if (name.startsWith(whole)) return 1;
  return words.every((word) => hasWord(name, word)) ? 2 : Number.POSITIVE_INFINITY;
}

function hasWord(text: string, beginning: string): boolean {
  return text.startsWith(beginning) || text.includes(` ${beginning}`) || text.includes(`-${beginning}`);
}

const RECENT_KEY = 'hub.emoji.recent';
const TONE_KEY = 'hub.emoji.tone';
const MAX = 16;
/** The defaults for a user who has not reacted yet. */
const DEFAULTS = ['👍', '✅', '👀', '🎉', '❤️', '🙏', '🚀', '😄'];

/** Returns the emoji that were last used in this browser, most recent first. */
export function recentEmoji(): readonly string[] {
  const recent = recentIn(RECENT_KEY, ' ');
  return [...recent, ...DEFAULTS.filter((emoji) => !recent.includes(emoji))].slice(0, MAX);
}

/** Returns whether any emoji has been used in this browser, not only suggested. */
export function hasRecentEmoji(): boolean {
  return recentIn(RECENT_KEY, ' ').length > 0;
}

export function keepRecent(emoji: string): void {
  keepRecentIn(RECENT_KEY, ' ', MAX, emoji);
}

/** The skin tone selected in this browser. */
export const tone = signal<Tone>(TONES.find((each) => each === readStored(TONE_KEY)) ?? '');

export function setTone(next: Tone): void {
  tone.value = next;
  writeStored(TONE_KEY, next);
}
