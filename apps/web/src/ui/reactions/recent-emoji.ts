import { signal } from '@preact/signals';
import { TONES, type Tone } from './emoji.ts';

const RECENT_KEY = 'hub.emoji.recent';
const TONE_KEY = 'hub.emoji.tone';
const MAX = 16;
/** The defaults for a user who has not reacted yet. */
const DEFAULTS = ['👍', '✅', '👀', '🎉', '❤️', '🙏', '🚀', '😄'];

/** Returns the emoji that were last used in this browser, most recent first. */
export function recentEmoji(): readonly string[] {
  const kept = (localStorage.getItem(RECENT_KEY) ?? '').split(' ').filter(Boolean);
  return [...kept, ...DEFAULTS.filter((emoji) => !kept.includes(emoji))].slice(0, MAX);
}

export function keepRecent(emoji: string): void {
  const others = (localStorage.getItem(RECENT_KEY) ?? '').split(' ').filter((other) => other && other !== emoji);
  localStorage.setItem(RECENT_KEY, [emoji, ...others].slice(0, MAX).join(' '));
}

/** The skin tone selected in this browser. */
export const tone = signal<Tone>(TONES.find((known) => known === localStorage.getItem(TONE_KEY)) ?? '');

export function setTone(chosen: Tone): void {
  tone.value = chosen;
  localStorage.setItem(TONE_KEY, chosen);
}
