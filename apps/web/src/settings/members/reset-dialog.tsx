import type { IssuedLink, User } from '@hub/contract';
import { useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { LinkOnceDialog } from '../link-once-dialog.tsx';

/** A link with which somebody chooses a new password. */
export function ResetDialog({ user: { id, name }, onClose }: { user: User; onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedLink | null>(null);
  if (issued) {
    return (
      <LinkOnceDialog
        title={`Reset link for ${name}`}
        lead={`Whoever opens it chooses a new password for ${name}, and is signed in.`}
        link={issued.link}
        expiresAt={issued.expiresAt}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={`Make a reset link for ${name}?`}
      lead="It works once, for 24 hours, and takes the place of a former one. The present password works until the link is used; then every session ends."
      keep="Cancel"
      act="Make the link"
      onAct={async () => setIssued(await request<IssuedLink>('POST', path`/people/${id}/password-reset`))}
      // The link stands in its place then.
      onDone={() => {}}
      onClose={onClose}
    />
  );
}
