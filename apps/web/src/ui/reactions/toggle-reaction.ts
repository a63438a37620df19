import type { Message } from '@hub/contract';
import { signal } from '@preact/signals';
import type { Workspace } from '../../data/live/workspace.ts';
import { errorMessage, request } from '../../data/request.ts';
import { toast } from '../toast.tsx';
import type { PendingReactions } from './pending-reactions.ts';
import { keepRecent } from './recent-emoji.ts';

const NONE: PendingReactions = new Map();
const pending = signal<ReadonlyMap<string, PendingReactions>>(new Map());

/** Returns the user's toggles of reactions to a message that the server has not confirmed yet. */
export function pendingOf(messageId: string): PendingReactions {
  return pending.value.get(messageId) ?? NONE;
}

/**
 * Adds or removes a reaction. The change is shown immediately, and reverted if the request fails. The last of several
 * clicks wins.
 */
export async function setReaction(
  { items }: Pick<Workspace, 'items'>,
  { id }: Pick<Message, 'id'>,
  { emoji, isOn }: { emoji: string; isOn: boolean },
): Promise<void> {
  const isUnderWay = pendingOf(id).has(emoji);
  setPending(id, emoji, isOn);
  if (isOn) keepRecent(emoji);
  if (isUnderWay) return;
  try {
    for (let sent: boolean | undefined; sent !== pendingOf(id).get(emoji); ) {
      sent = pendingOf(id).get(emoji) === true;
      const operation = `${sent ? 'PUT' : 'DELETE'} /messages/{messageId}/reactions/{emoji}` as const;
      await items.applyResponseOf(() => request(operation, { messageId: id, emoji }));
    }
  } catch (error) {
    toast(`Couldn’t ${isOn ? 'add' : 'remove'} your ${emoji}. ${errorMessage(error)}`, { isBad: true });
  } finally {
    setPending(id, emoji, undefined);
  }
}

function setPending(id: string, emoji: string, isOn: boolean | undefined): void {
  const ofMessage = new Map(pending.peek().get(id));
  if (isOn === undefined) ofMessage.delete(emoji);
  else ofMessage.set(emoji, isOn);
  const all = new Map(pending.peek());
  if (ofMessage.size === 0) all.delete(id);
  else all.set(id, ofMessage);
  pending.value = all;
}
