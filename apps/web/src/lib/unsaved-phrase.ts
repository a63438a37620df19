/** Describes a user's unsent messages and drafts in this browser: "1 unsent message and 2 drafts", or an empty string. */
export function unsavedPhrase({ unsent, draft }: Record<'unsent' | 'draft', number>): string {
  const messages = unsent === 0 ? '' : `${unsent} unsent ${unsent === 1 ? 'message' : 'messages'}`;
  const drafts = draft === 0 ? '' : `${draft} ${draft === 1 ? 'draft' : 'drafts'}`;
  return [messages, drafts].filter((part) => part !== '').join(' and ');
}
