import type { ApiKey } from '@hub/contract';
import { toast } from '../../ui/toast.tsx';
import { IssueKeyDialog } from '../issue-key/issue-key-dialog.tsx';
import { KeyOnceDialog } from '../issue-key/key-once-dialog.tsx';
import type { Deed } from './deeds.ts';
import { RemovePostsDialog } from './remove-posts-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
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

/** The dialog of what somebody is about to do, and what follows from it. */
export function KeyDeeds({ deed, onDeed, onChanged, isAdmin }: KeyDeedsProps) {
  const close = () => onDeed(null);
  const afterStop = (key: ApiKey): Deed | null => (isAdmin ? { kind: 'remove', key, isStopped: true } : null);
  switch (deed?.kind) {
    case undefined:
      return null;
    case 'issue':
      return <IssueKeyDialog {...(deed.hubId === undefined ? {} : { hubId: deed.hubId })} onClose={close} />;
    case 'rotate':
      return (
        <RotateDialog
          key={deed.key.id}
          apiKey={deed.key}
          isForExpiry={deed.isForExpiry ?? false}
          onClose={close}
          onRotated={(issued) => {
            onChanged(null);
            onDeed({ kind: 'once', issued, title: `${deed.key.name} is rotated`, after: null });
          }}
        />
      );
    case 'stop':
      return (
        <StopKeyDialog
          key={deed.key.id}
          apiKey={deed.key}
          how={deed.how}
          onClose={close}
          onStopped={(key) => {
            onChanged(key);
            toast(deed.how === 'end' ? `The previous key of ${key.name} has ended.` : `${key.name} is revoked.`);
            onDeed(deed.how === 'end' ? null : afterStop(key));
          }}
          onReplaced={(issued) => {
            onChanged(null);
            const after = afterStop(deed.key);
            onDeed({ kind: 'once', issued, title: `${deed.key.name} is replaced`, after });
          }}
        />
      );
    case 'once':
      return (
        <KeyOnceDialog
          title={deed.title}
          issued={deed.issued}
          hubName={deed.issued.hubName}
          onClose={() => onDeed(deed.after)}
        />
      );
    case 'remove':
      return <RemovePostsDialog key={deed.key.id} apiKey={deed.key} isStopped={deed.isStopped} onClose={close} />;
  }
}
