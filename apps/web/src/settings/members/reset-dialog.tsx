import type { IssuedLink, User } from '@hub/contract';
import { useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { LinkOnceDialog } from '../link-once-dialog.tsx';

/** Creates a password-reset link for a user and shows it once. */
export function ResetDialog({ user: { id, name }, onClose }: { user: User; onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedLink | null>(null);
  if (issued) {
    return (
      <LinkOnceDialog
        title={`Reset link for ${name}`}
        lead={`Anyone who opens the link can choose a new password for ${name} and is signed in.`}
        link={issued.link}
        expiresAt={issued.expiresAt}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={`Create a reset link for ${name}?`}
      lead="The link can be used once, expires after 24 hours and replaces any earlier link. The current password works until the link is used; then all sessions end."
      act="Create link"
      onAct={async () => setIssued(await request('POST /people/{personId}/password-reset', { personId: id }))}
      // The dialog with the link replaces this one.
      onDone={() => {}}
      onClose={onClose}
    />
  );
}
