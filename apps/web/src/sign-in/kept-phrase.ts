import type { KeptKind } from '../session/unsaved-text.ts';

/** How much of somebody's words is in this browser alone: "1 message that was not sent and 2 drafts"; empty if nothing is. */
export function keptPhrase({ unsent, draft }: Record<KeptKind, number>): string {
  const messages = unsent === 0 ? '' : `${unsent} ${unsent === 1 ? 'message that was' : 'messages that were'} not sent`;
  const drafts = draft === 0 ? '' : `${draft} ${draft === 1 ? 'draft' : 'drafts'}`;
  return [messages, drafts].filter((part) => part !== '').join(' and ');
}
