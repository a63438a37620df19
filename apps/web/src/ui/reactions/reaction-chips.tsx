import type { Message } from '@hub/contract';
import { SmilePlus } from 'icons';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import { request } from '../../data/request.ts';
import { hasNoHover } from '../../lib/widths.ts';
import { orToast } from '../toast.tsx';
import { whoReacted, withReaction } from './reactions.ts';

/** Adds or removes a reaction, shown at once and reverted on failure. */
export async function setReaction(
  { items, me }: Pick<Workspace, 'items' | 'me'>,
  { id: messageId }: Pick<Message, 'id'>,
  { emoji, isOn }: { emoji: string; isOn: boolean },
): Promise<void> {
  if (isOn) void import('./emoji.ts').then(({ keepRecent }) => keepRecent(emoji)).catch(() => {});
  const reaction = { emoji, userId: me.peek().id, isOn };
  const operation = `${isOn ? 'PUT' : 'DELETE'} /messages/{messageId}/reactions/{emoji}` as const;
  await orToast(`Couldn’t ${isOn ? 'add' : 'remove'} your ${emoji}.`, () =>
    items.change<Message>(
      messageId,
      (message) => ({ ...message, reactions: withReaction(message, reaction) }),
      () => request(operation, { messageId, emoji }),
    ),
  );
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
  const { reactions } = message;
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
