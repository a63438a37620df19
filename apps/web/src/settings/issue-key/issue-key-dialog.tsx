import type { IssuedKey } from '@hub/contract';
import { useState } from 'preact/hooks';
import { IssueKeyForm } from './issue-key-form.tsx';
import { KeyOnceDialog } from './key-once-dialog.tsx';

interface IssueKeyDialogProps {
  /** The Hub that is chosen at first. */
  hubId?: string;
  onClose: () => void;
}

/** Issues a key, then shows it, once. */
export function IssueKeyDialog({ hubId, onClose }: IssueKeyDialogProps) {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  if (issued === null) {
    return <IssueKeyForm {...(hubId === undefined ? {} : { hubId })} onClose={onClose} onIssued={setIssued} />;
  }
  return (
    <KeyOnceDialog
      title={`Copy the key for ${issued.name}`}
      issued={issued}
      hubName={issued.hubName}
      onClose={onClose}
    />
  );
}
