import type { IssuedInvitation, Role } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
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

/** Asks for the e-mail address, role and Hubs of a new member, then shows the invitation link once. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const id = useId();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [hubIds, setHubIds] = useState<readonly string[]>([]);
  const [issued, setIssued] = useState<IssuedInvitation | null>(null);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (email.trim() === '') throw new Error('Enter an e-mail address.');
    const body = { email: email.trim(), role, hubIds: [...hubIds] };
    setIssued(await request('POST /invitations', { body }));
    await onInvited();
  });
  if (issued) {
    return (
      <LinkOnceDialog
        title={`Invitation for ${issued.email}`}
        lead="Anyone who opens the link can create this account and choose its name and password."
        link={issued.link}
        expiresAt={issued.expiresAt}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title="Invite a member"
      lead="You get a link that can be used once and expires after 7 days. Any open invitation for the same address is replaced."
      onClose={onClose}
      isSticky={email.trim() !== ''}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form={id} aria-disabled={isBusy}>
            Create link
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
