import type { ApiKey } from '@hub/contract';
import { toast } from '../../ui/toast.tsx';
import { IssueKeyDialog } from '../issue-key/issue-key-dialog.tsx';
import { KeyOnceDialog } from '../issue-key/key-once-dialog.tsx';
import type { KeyAction, OlderOutcome } from './actions.ts';
import { exactText } from './key-times.ts';
import { stillWorks } from './older-keys.ts';
import { RemovePostsDialog } from './remove-posts-dialog.tsx';
import { overlapEnd, RotateDialog } from './rotate-dialog.tsx';
import { StopKeyDialog } from './stop-key-dialog.tsx';

interface KeyActionsProps {
  action: KeyAction | null;
  /** What comes next; `null` for nothing. */
  onAction: (action: KeyAction | null) => void;
  /** The answer to what was done, if it tells of a key as it is now. */
  onChanged: (key: ApiKey | null) => void;
  /** Removing posts is for admins. */
  isAdmin: boolean;
}

function nextAfterReplacement({ endedCount, left }: OlderOutcome): string {
  const stopped =
    endedCount === 0
      ? 'The old key has stopped: its program gets 401 until it has this one.'
      : `The old key and ${endedCount === 1 ? 'the one' : 'those'} before it have stopped: their programs get 401 until they have this one.`;
  return [stopped, 'Copy it and put it in the place of the old one now.', ...left.map(leftText)].join(' ');
}

/** What of its keys is stopped, and what is not. Somebody may have rotated it meanwhile: then its program goes on. */
function afterRevocation({ name, successorId }: ApiKey, { endedCount, left }: OlderOutcome): string {
  const also = endedCount === 0 ? '' : endedCount === 1 ? ' and its previous key' : ' and its previous keys';
  const stopped =
    successorId === null
      ? `${name}${also} ${endedCount === 0 ? 'is' : 'are'} revoked.`
      : `The previous key of ${name} has ended. Its successor works on.`;
  return [stopped, ...left.map(leftText)].join(' ');
}

const leftText = (key: ApiKey) => stillWorks(key, 'still works');

function nextAfterRotation(old: ApiKey): string {
  return `The old key works until ${exactText(overlapEnd(old))}. Copy this one and put it in its place by then.`;
}

/** The dialog of what somebody is about to do, and what follows from it. */
export function KeyActions({ action, onAction, onChanged, isAdmin }: KeyActionsProps) {
  const close = () => onAction(null);
  const afterStop = (key: ApiKey, older: OlderOutcome): KeyAction | null =>
    isAdmin && key.postCount > 0 ? { kind: 'remove', key, stopped: older } : null;
  switch (action?.kind) {
    case undefined:
      return null;
    case 'issue':
      return (
        <IssueKeyDialog
          {...(action.hubId === undefined ? {} : { hubId: action.hubId })}
          {...(action.instead === undefined ? {} : { instead: action.instead })}
          onClose={close}
          onStored={() =>
            onAction(action.instead === undefined ? null : { kind: 'stop', key: action.instead, how: 'revoke' })
          }
        />
      );
    case 'rotate':
      return (
        <RotateDialog
          key={action.key.id}
          apiKey={action.key}
          isForExpiry={action.isForExpiry ?? false}
          onClose={close}
          onRotated={(issued) => {
            onChanged(null);
            onAction({
              kind: 'once',
              issued,
              title: `${action.key.name} is rotated`,
              next: nextAfterRotation(action.key),
              after: null,
            });
          }}
          onFound={onChanged}
        />
      );
    case 'stop':
      return (
        <StopKeyDialog
          key={action.key.id}
          apiKey={action.key}
          how={action.how}
          onClose={close}
          onStopped={(key, older) => {
            onChanged(key);
            toast(afterRevocation(key, older), { isBad: older.left.length > 0 });
            onAction(key.successorId === null ? afterStop(key, older) : null);
          }}
          onReplaced={(issued, old, older) => {
            onChanged(old);
            onAction({
              kind: 'once',
              issued,
              title: `${old.name} is replaced`,
              next: nextAfterReplacement(older),
              after: afterStop(old, older),
            });
          }}
          onFound={onChanged}
        />
      );
    case 'once':
      return (
        <KeyOnceDialog
          title={action.title}
          issued={action.issued}
          hubName={action.issued.hubName}
          next={action.next}
          onClose={() => onAction(action.after)}
        />
      );
    case 'remove':
      return <RemovePostsDialog key={action.key.id} apiKey={action.key} stopped={action.stopped} onClose={close} />;
  }
}
