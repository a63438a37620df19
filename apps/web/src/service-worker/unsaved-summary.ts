import { unsavedPhrase } from '../lib/unsaved-phrase.ts';

/** Returns a summary of unsent messages and drafts, counted by their storage keys. */
export function unsavedSummary(names: readonly string[]): string {
  const count = (start: string) => names.filter((name) => name.startsWith(start)).length;
  const phrase = unsavedPhrase({ unsent: count('hub.outbox.'), draft: count('hub.draft.') });
  return phrase === ''
    ? 'You have no unsent messages or drafts.'
    : `Saved in this browser until you’re back: ${phrase}.`;
}
