import { signal } from '@preact/signals';
import { keepRecentIn, readStored, recentIn, writeStored } from '../../lib/stored.ts';
import { TONES, type Tone } from './emoji.ts';

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
