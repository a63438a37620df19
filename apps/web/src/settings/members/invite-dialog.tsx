import type { IssuedInvitation, Role } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkOnceDialog } from '../link-once-dialog.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';
import { HubChoice } from './hub-choice.tsx';
import { RoleChoice } from './role-choice.tsx';

interface InviteDialogProps {
  onInvited: () => Promise<void>;
  onClose: () => void;
}

/** Whom, in which role and into which Hubs; then the link, once. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const id = useId();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [hubIds, setHubIds] = useState<readonly string[]>([]);
  const [issued, setIssued] = useState<IssuedInvitation | null>(null);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (email.trim() === '') throw new Error('Type the e-mail address of whom you invite.');
    const body = { email: email.trim(), role, hubIds };
    setIssued(await request<IssuedInvitation>('POST', '/invitations', { body }));
    await onInvited();
  });
  if (issued) {
    return (
      <LinkOnceDialog
        title={`Invitation for ${issued.email}`}
        lead="Whoever opens it makes the account, with a name and a password of their own."
        link={issued.link}
        expiresAt={issued.expiresAt}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title="Invite somebody"
      lead="You get a link that works once, for 7 days. It takes the place of an open invitation for the same address."
      onClose={onClose}
      isSticky={email.trim() !== ''}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form={id} aria-disabled={isBusy}>
            Make the link
          </button>
        </>
      }
    >
      <form id={id} class="confirm" onSubmit={submit} noValidate>
        <div class="field">
          <label for={`${id}-email`}>E-mail address</label>
          <input
            id={`${id}-email`}
            type="email"
            autocomplete="off"
            placeholder="name@example.org"
            autofocus
            value={email}
            aria-invalid={error !== ''}
            aria-describedby={`${id}-error`}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Problem id={`${id}-error`} text={error} />
        </div>
        <RoleChoice chosen={role} onChoose={setRole} />
        <HubChoice chosen={hubIds} onChoose={setHubIds} />
      </form>
    </Dialog>
  );
}
