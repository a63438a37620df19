import type { IssuedLink, Role, User } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { dayAndTime } from '../../../lib/time/format.ts';
import { Options } from '../../../ui/forms/choices.tsx';
import { ConfirmDialog } from '../../../ui/forms/form-dialog.tsx';
import { OnceDialog } from '../../../ui/once-dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ROLE_LABELS } from './users-list.ts';

interface AccountDialogProps {
  user: User;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function RoleDialog({ user: { id, name, role: current }, onChanged, onClose }: AccountDialogProps) {
  const [role, setRole] = useState<Role>(current);
  const change = async () => {
    if (role === current) throw new Error(`${name} already has the role ${ROLE_LABELS[current]}. Choose another one.`);
    await request('PATCH /people/{personId}', { personId: id, body: { role } });
    await onChanged();
    toast(`${name} now has the role ${ROLE_LABELS[role]}.`);
  };
  return (
    <ConfirmDialog
      title={`Change role of ${name}`}
      lead="The change applies immediately, and unused password reset links for this account stop working."
      act="Change role"
      onAct={change}
      onClose={onClose}
    >
      <RoleChoice chosen={role} onChoose={setRole} />
    </ConfirmDialog>
  );
}

const PERMISSIONS: Record<Role, string> = {
  owner: 'Can do everything admins can, and add, change and disable owners.',
  admin: 'Can manage Hubs, members, keys and the workspace, and read the Hubs they’re added to.',
  member: 'Can read and post in the Hubs they’re added to.',
};

/** Selects a role. Only owners can choose the owner role. */
export function RoleChoice({ chosen, onChoose }: { chosen: Role; onChoose: (role: Role) => void }) {
  const isOwner = useWorkspace().me.value.role === 'owner';
  const options = (['member', 'admin', 'owner'] as const).map((role) => {
    const isDisabled = role === 'owner' && !isOwner;
    const help = isDisabled ? 'Only owners can add an owner. Ask one of them.' : PERMISSIONS[role];
    const label = (
      <>
        <b>{ROLE_LABELS[role]}</b>
        <span class="help">{help}</span>
      </>
    );
    return { value: role, label, isDisabled };
  });
  return <Options<Role> legend="Role" options={options} chosen={chosen} onChoose={onChoose} />;
}

/** Creates a password-reset link for a user and shows it once. */
export function ResetDialog({ user: { id, name }, onClose }: Omit<AccountDialogProps, 'onChanged'>) {
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

export function EnableDialog({ user: { id, name }, onChanged, onClose }: AccountDialogProps) {
  return (
    <ConfirmDialog
      title={`Enable ${name}?`}
      lead={`${name} can sign in with the same password and is in the same Hubs as before. Sessions and access tokens don’t come back.`}
      act="Enable account"
      onAct={async () => {
        await request('POST /people/{personId}/reactivation', { personId: id });
        await onChanged();
        toast(`${name} enabled.`);
      }}
      onClose={onClose}
    />
  );
}

interface LinkOnceDialogProps {
  title: string;
  /** Says who the link is for and what it does. */
  lead: string;
  link: string;
  expiresAt: string | null;
  onClose: () => void;
}

/** Shows a link that can be used once. */
export function LinkOnceDialog({ title, lead, link, expiresAt, onClose }: LinkOnceDialogProps) {
  const end = expiresAt === null ? '' : ` and expires ${dayAndTime(expiresAt)}`;
  return (
    <OnceDialog
      noun="link"
      secret={link}
      text={{
        title,
        lead,
        care: `Can be used once${end}. Share it yourself; Hub doesn’t send it by e-mail.`,
        loss: 'You can create another.',
      }}
      onClose={onClose}
    />
  );
}
