import type { ApiKey } from '@hub/contract';
import { toast } from '../../ui/toast.tsx';
import { IssueKeyDialog } from '../issue-key/issue-key-dialog.tsx';
import { KeyOnceDialog } from '../issue-key/key-once-dialog.tsx';
import type { Deed, OlderOutcome } from './deeds.ts';
import { exactWords } from './key-times.ts';
import { stillWorks } from './older-keys.ts';
import { RemovePostsDialog } from './remove-posts-dialog.tsx';
import { overlapEnd, RotateDialog } from './rotate-dialog.tsx';
import { StopKeyDialog } from './stop-key-dialog.tsx';

interface KeyDeedsProps {
  deed: Deed | null;
  /** What comes next; `null` for nothing. */
  onDeed: (deed: Deed | null) => void;
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
  return [stopped, 'Copy it and put it in the place of the old one now.', ...left.map(leftWords)].join(' ');
}

/** What of its keys is stopped, and what is not. Somebody may have rotated it meanwhile: then its program goes on. */
function afterRevocation({ name, successorId }: ApiKey, { endedCount, left }: OlderOutcome): string {
  const also = endedCount === 0 ? '' : endedCount === 1 ? ' and its previous key' : ' and its previous keys';
  const stopped =
    successorId === null
      ? `${name}${also} ${endedCount === 0 ? 'is' : 'are'} revoked.`
      : `The previous key of ${name} has ended. Its successor works on.`;
  return [stopped, ...left.map(leftWords)].join(' ');
}

const leftWords = (key: ApiKey) => stillWorks(key, 'still works');

function nextAfterRotation(old: ApiKey): string {
  return `The old key works until ${exactWords(overlapEnd(old))}. Copy this one and put it in its place by then.`;
}

/** The dialog of what somebody is about to do, and what follows from it. */
export function KeyDeeds({ deed, onDeed, onChanged, isAdmin }: KeyDeedsProps) {
  const close = () => onDeed(null);
  const afterStop = (key: ApiKey, older: OlderOutcome): Deed | null =>
    isAdmin && key.postCount > 0 ? { kind: 'remove', key, stopped: older } : null;
  switch (deed?.kind) {
    case undefined:
      return null;
    case 'issue':
      return (
        <IssueKeyDialog
          {...(deed.hubId === undefined ? {} : { hubId: deed.hubId })}
          {...(deed.instead === undefined ? {} : { instead: deed.instead })}
          onClose={close}
          onStored={() =>
            onDeed(deed.instead === undefined ? null : { kind: 'stop', key: deed.instead, how: 'revoke' })
          }
        />
      );
    case 'rotate':
      return (
        <RotateDialog
          key={deed.key.id}
          apiKey={deed.key}
          isForExpiry={deed.isForExpiry ?? false}
          onClose={close}
          onRotated={(issued) => {
            onChanged(null);
            onDeed({
              kind: 'once',
              issued,
              title: `${deed.key.name} is rotated`,
              next: nextAfterRotation(deed.key),
              after: null,
            });
          }}
          onFound={onChanged}
        />
      );
    case 'stop':
      return (
        <StopKeyDialog
          key={deed.key.id}
          apiKey={deed.key}
          how={deed.how}
          onClose={close}
          onStopped={(key, older) => {
            onChanged(key);
            toast(afterRevocation(key, older), { isBad: older.left.length > 0 });
            onDeed(key.successorId === null ? afterStop(key, older) : null);
          }}
          onReplaced={(issued, old, older) => {
            onChanged(old);
            onDeed({
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
          title={deed.title}
          issued={deed.issued}
          hubName={deed.issued.hubName}
          next={deed.next}
          onClose={() => onDeed(deed.after)}
        />
      );
    case 'remove':
      return <RemovePostsDialog key={deed.key.id} apiKey={deed.key} stopped={deed.stopped} onClose={close} />;
  }
}
