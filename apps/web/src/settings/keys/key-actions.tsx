import type { ApiKey } from '@hub/contract';
import { toast } from '../../ui/toast.tsx';
import { IssueKeyDialog } from '../issue-key/issue-key-dialog.tsx';
import { KeyOnceDialog } from '../issue-key/key-once-dialog.tsx';
import type { KeyAction, OlderOutcome } from './actions.ts';
import { exactText } from './key-times.ts';
import { stillWorks } from './older-keys.ts';
import { RemovePostsDialog } from './remove-posts-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { overlapEnd, RotateDialog } from './rotate-dialog.tsx';

interface KeyActionsProps {
  action: KeyAction | null;
  /** Opens the next dialog; `null` closes it. */
  onAction: (action: KeyAction | null) => void;
  /** Called after a change, with the key from the response if it contains one. */
  onChanged: (key: ApiKey | null) => void;
  /** Only admins can remove posts. */
  isAdmin: boolean;
}

function nextAfterReplacement({ revokedCount, left }: OlderOutcome): string {
  const summary =
    revokedCount === 0
      ? 'The old key no longer works: its program gets 401 until it has the new key.'
      : `The old key and its previous ${revokedCount === 1 ? 'key' : 'keys'} no longer work: their programs get 401 until they have the new key.`;
  return [summary, 'Copy it and replace the old key now.', ...left.map(leftText)].join(' ');
}

/**
 * Says which keys were revoked and which still work. If someone else rotated the key in the meantime, its successor
 * keeps working.
 */
function afterRevocation({ name, successorId }: ApiKey, { revokedCount, left }: OlderOutcome): string {
  const also = revokedCount === 0 ? '' : revokedCount === 1 ? ' and its previous key' : ' and its previous keys';
  const summary =
    successorId === null
      ? `${name}${also} ${revokedCount === 0 ? 'was' : 'were'} revoked.`
      : `The previous key of ${name} was revoked. The new key keeps working.`;
  return [summary, ...left.map(leftText)].join(' ');
}

const leftText = (key: ApiKey) => stillWorks(key, 'still works');

function nextAfterRotation(old: ApiKey): string {
  return `The old key works until ${exactText(overlapEnd(old))}. Copy the new key and switch to it before then.`;
}

/** Shows the dialog of the current action and moves on to the next one. */
export function KeyActions({ action, onAction, onChanged, isAdmin }: KeyActionsProps) {
  const close = () => onAction(null);
  const offerRemoval = (key: ApiKey, older: OlderOutcome): KeyAction | null =>
    isAdmin && key.postCount > 0 ? { kind: 'remove', key, outcome: older } : null;
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
            onAction(action.instead === undefined ? null : { kind: 'revoke', key: action.instead, how: 'revoke' })
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
              title: `${action.key.name} rotated`,
              next: nextAfterRotation(action.key),
              after: null,
            });
          }}
          onFound={onChanged}
        />
      );
    case 'revoke':
      return (
        <RevokeKeyDialog
          key={action.key.id}
          apiKey={action.key}
          how={action.how}
          onClose={close}
          onRevoked={(key, older) => {
            onChanged(key);
            toast(afterRevocation(key, older), { isBad: older.left.length > 0 });
            onAction(key.successorId === null ? offerRemoval(key, older) : null);
          }}
          onReplaced={(issued, old, older) => {
            onChanged(old);
            onAction({
              kind: 'once',
              issued,
              title: `${old.name} replaced`,
              next: nextAfterReplacement(older),
              after: offerRemoval(old, older),
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
      return <RemovePostsDialog key={action.key.id} apiKey={action.key} outcome={action.outcome} onClose={close} />;
  }
}
