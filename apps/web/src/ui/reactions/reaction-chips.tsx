import type { Message } from '@hub/contract';
import { signal, useComputed } from '@preact/signals';
import { SmilePlus } from 'icons';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import { errorMessage, request } from '../../data/request.ts';
import { hasNoHover } from '../../lib/widths.ts';
import { toast } from '../toast.tsx';
import { type PendingReactions, whoReacted, withPending } from './reactions.ts';

const NONE: PendingReactions = new Map();
const pending = signal<ReadonlyMap<string, PendingReactions>>(new Map());

/** Returns the user's toggles of reactions to a message that the server has not confirmed yet. */
function pendingOf(messageId: string): PendingReactions {
  return pending.value.get(messageId) ?? NONE;
}

/** Adds or removes a reaction, shown at once and reverted on failure. The last of several clicks wins. */
export async function setReaction(
  { items }: Pick<Workspace, 'items'>,
  { id }: Pick<Message, 'id'>,
  { emoji, isOn }: { emoji: string; isOn: boolean },
): Promise<void> {
  const isUnderWay = pendingOf(id).has(emoji);
  setPending(id, emoji, isOn);
  if (isOn) void import('./emoji.ts').then(({ keepRecent }) => keepRecent(emoji)).catch(() => {});
  if (isUnderWay) return;
  try {
    for (let isOn: boolean | undefined; isOn !== pendingOf(id).get(emoji); ) {
      isOn = pendingOf(id).get(emoji) === true;
      const operation = `${isOn ? 'PUT' : 'DELETE'} /messages/{messageId}/reactions/{emoji}` as const;
      await items.applyResponseOf(() => request(operation, { messageId: id, emoji }));
    }
  } catch (error) {
    toast(`Couldn’t ${isOn ? 'add' : 'remove'} your ${emoji}. ${errorMessage(error)}`, { isError: true });
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

interface ReactionChipsProps {
  message: Message;
  /** Opens the emoji picker beside this button. */
  onAdd: (opener: HTMLElement) => void;
}

/** The reactions to a message. A click adds or removes the user's own. */
export function ReactionChips({ message, onAdd }: ReactionChipsProps) {
  const workspace = useWorkspace();
  const members = useAllMembers(message.hubId);
  const myId = workspace.me.value.id;
  const pending = useComputed(() => pendingOf(message.id)).value;
  const reactions = withPending(message, pending, myId);
  if (reactions.length === 0) return null;
  return (
    <div class="chips">
      {reactions.map(({ emoji, userIds }) => {
        const isMine = userIds.includes(myId);
        const who = whoReacted(userIds, { myId, members });
        return (
          <button
            key={emoji}
            class="chip"
            type="button"
            aria-pressed={isMine}
            aria-label={`${emoji}, ${userIds.length}: ${who}`}
            data-tip={who}
            onClick={() => void setReaction(workspace, message, { emoji, isOn: !isMine })}
          >
            <span class="e" aria-hidden="true">
              {emoji}
            </span>
            {userIds.length}
          </button>
        );
      })}
      {/* Elsewhere, the tools of the row have it. */}
      {hasNoHover() && (
        <button
          class="chip is-add"
          type="button"
          aria-label="Add reaction"
          onClick={({ currentTarget }) => onAdd(currentTarget)}
        >
          <SmilePlus />
        </button>
      )}
    </div>
  );
}
