import type { ApiKey, Item } from '@hub/contract';
import { toast } from '../../../ui/toast.tsx';
import { IssueKeyDialog } from './issue-key-dialog.tsx';
import { RotateDialog } from './key-change.tsx';
import {
  afterReplacement,
  afterRevocation,
  afterRotation,
  type KeyAction,
  type OlderOutcome,
} from './key-commands.tsx';
import { KeyOnceDialog } from './key-once-dialog.tsx';
import { RemovePostsDialog } from './remove-posts-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

interface KeyActionsProps {
  action: KeyAction | null;
  onAction: (action: KeyAction | null) => void;
  /** Called after a change, with the key from the response if it contains one. */
  onChanged: (key: ApiKey | null) => void;
  isAdmin: boolean;
  /** The post that the user came from: removal starts there. */
  post?: Item;
}

/** Shows the dialog of the current action and moves on to the next one. */
export function KeyActions({ action, onAction, onChanged, isAdmin, post }: KeyActionsProps) {
  const close = () => onAction(null);
  const offerRemoval = (key: ApiKey, outcome: OlderOutcome): KeyAction | null =>
    isAdmin && key.postCount > 0 ? { kind: 'remove', key, outcome } : null;
  switch (action?.kind) {
    case undefined:
      return null;
    case 'issue': {
      const { kind, ...preset } = action;
      const revokeOld: KeyAction | null = preset.instead
        ? { kind: 'revoke', key: preset.instead, how: 'revoke' }
        : null;
      return <IssueKeyDialog {...preset} onClose={close} onStored={() => onAction(revokeOld)} />;
    }
    case 'rotate': {
      const { key, isForExpiry = false } = action;
      return (
        <RotateDialog
          key={key.id}
          apiKey={key}
          isForExpiry={isForExpiry}
          onClose={close}
          onRotated={(issued, overlapEnd) => {
            onChanged(null);
            onAction({
              kind: 'once',
              issued,
              title: `${key.name} rotated`,
              next: afterRotation(overlapEnd),
              after: null,
            });
          }}
          onFound={onChanged}
        />
      );
    }
    case 'revoke':
      return (
        <RevokeDialog
          key={action.key.id}
          apiKey={action.key}
          how={action.how}
          onClose={close}
          onRevoked={(key, older) => {
            onChanged(key);
            toast(afterRevocation(key, older), { isError: older.left.length > 0 });
            onAction(key.successorId === null ? offerRemoval(key, older) : null);
          }}
          onReplaced={(issued, old, older) => {
            onChanged(old);
            onAction({
              kind: 'once',
              issued,
              title: `${old.name} replaced`,
              next: afterReplacement(older),
              after: offerRemoval(old, older),
            });
          }}
          onFound={onChanged}
        />
      );
    case 'once': {
      const { issued, title, next, after } = action;
      return <KeyOnceDialog title={title} issued={issued} next={next} onClose={() => onAction(after)} />;
    }
    case 'remove':
      return (
        <RemovePostsDialog
          key={action.key.id}
          apiKey={action.key}
          outcome={action.outcome}
          post={post}
          onClose={close}
        />
      );
  }
}
