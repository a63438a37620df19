import type { ApiKey, IssuedKey } from '@hub/contract';
import { useState } from 'preact/hooks';
import { IssueKeyForm } from './issue-key-form.tsx';
import { KeyOnceDialog } from './key-once-dialog.tsx';

interface IssueKeyDialogProps {
  /** The Hub that is chosen at first. */
  hubId?: string;
  /** A key that may create more than it does: this one is to come in its place. */
  instead?: ApiKey;
  onClose: () => void;
  /** What comes after a key was issued and shown, if that is not that it closes. */
  onStored?: () => void;
}

/** Issues a key, then shows it, once. */
export function IssueKeyDialog({ hubId, instead, onClose, onStored = onClose }: IssueKeyDialogProps) {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  if (issued === null) {
    const first = { ...(hubId === undefined ? {} : { hubId }), ...(instead === undefined ? {} : { instead }) };
    return <IssueKeyForm {...first} onClose={onClose} onIssued={setIssued} />;
  }
  return (
    <KeyOnceDialog
      title={`Copy the key for ${issued.name}`}
      issued={issued}
      hubName={issued.hubName}
      {...(instead === undefined ? {} : { next: nextAfter(instead) })}
      onClose={onStored}
    />
  );
}

function nextAfter({ name, hint }: ApiKey): string {
  return `${name} (${hint}) may still create more. Put this key in its place; it can be revoked as the next step.`;
}
