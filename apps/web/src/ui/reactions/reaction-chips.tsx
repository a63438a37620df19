import SmilePlus from 'icon:smile-plus';
import type { Message } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import { withPending } from './pending-reactions.ts';
import { pendingOf, setReaction } from './toggle-reaction.ts';
import { whoReacted } from './who-reacted.ts';

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
      {reactions.map(({ emoji, personIds }) => {
        const isMine = personIds.includes(myId);
        const who = whoReacted(personIds, { myId, members });
        return (
          <button
            key={emoji}
            class="chip"
            type="button"
            aria-pressed={isMine}
            aria-label={`${emoji}, ${personIds.length}: ${who}`}
            title={who}
            onClick={() => void setReaction(workspace, message, { emoji, isOn: !isMine })}
          >
            <span class="e" aria-hidden="true">
              {emoji}
            </span>
            {personIds.length}
          </button>
        );
      })}
      <button
        class="chip is-add"
        type="button"
        aria-label="Add reaction"
        data-tip="Add reaction"
        onClick={({ currentTarget }) => onAdd(currentTarget)}
      >
        <SmilePlus />
      </button>
    </div>
  );
}
