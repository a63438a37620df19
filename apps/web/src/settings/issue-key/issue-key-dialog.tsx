import type { ApiKey, IssuedKey } from '@hub/contract';
import { useState } from 'preact/hooks';
import { IssueKeyForm } from './issue-key-form.tsx';
import { KeyOnceDialog } from './key-once-dialog.tsx';

interface IssueKeyDialogProps {
  /** The preselected Hub. */
  hubId?: string;
  /** A key with permissions it does not use; the new key replaces it. */
  instead?: ApiKey;
  onClose: () => void;
  /** Called once the key has been issued and shown. By default, the dialog closes. */
  onStored?: () => void;
}

/** Issues a key, then shows it once. */
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
  const old = `The old key, ${name} (${hint}), still works and has more permissions than this one.`;
  return `${old} Switch to the new key, then revoke the old one in the next step.`;
}
