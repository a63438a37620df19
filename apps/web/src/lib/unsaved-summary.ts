/** Describes a user's unsent messages and drafts in this browser: "1 unsent message and 2 drafts", or an empty string. */
export function unsavedPhrase({ unsent, draft }: Record<'unsent' | 'draft', number>): string {
  const messages = unsent === 0 ? '' : `${unsent} unsent ${unsent === 1 ? 'message' : 'messages'}`;
  const drafts = draft === 0 ? '' : `${draft} ${draft === 1 ? 'draft' : 'drafts'}`;
  return [messages, drafts].filter((part) => part !== '').join(' and ');
}

/** Returns a summary of unsent messages and drafts, counted by their storage keys. */
export function unsavedSummary(names: readonly string[]): string {
  const count = (start: string) => names.filter((name) => name.startsWith(start)).length;
  const phrase = unsavedPhrase({ unsent: count('hub.outbox.'), draft: count('hub.draft.') });
  return phrase === ''
    ? 'You have no unsent messages or drafts.'
    : `Saved in this browser until you’re back: ${phrase}.`;
}
