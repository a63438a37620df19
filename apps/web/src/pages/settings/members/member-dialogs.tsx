import type { IssuedLink, Responsibilities, Responsibility, Role, User } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { countOf } from '../../../lib/count-text.ts';
import { dayAndTime } from '../../../lib/time/dates.ts';
import { Options } from '../../../ui/forms/choices.tsx';
import { ConfirmDialog } from '../../../ui/forms/confirm.tsx';
import { CloseDialog } from '../../../ui/forms/form.tsx';
import { OnceDialog } from '../../../ui/forms/once-dialog.tsx';
import { Loaded } from '../../../ui/forms/page-body.tsx';
import { ListRow } from '../../../ui/forms/table.tsx';
import { toast } from '../../../ui/toast.tsx';
import { isLocalAddress } from '../keys/snippets.ts';
import { ROLE_LABELS } from './users-list.ts';

export interface MemberAction {
  name: 'role' | 'reset' | 'factors' | 'sign-out' | 'disable' | 'enable' | 'responsibilities';
  user: User;
}

interface MemberDialogProps extends MemberAction {
  onAction: (action: MemberAction | null) => void;
  onChanged: () => Promise<void>;
}

export function MemberDialog({ name, user, onAction, onChanged }: MemberDialogProps) {
  const account = { user, onChanged, onClose: () => onAction(null) };
  const disabled = async (isMuchLeft: boolean) => {
    await onChanged();
    onAction(isMuchLeft ? { name: 'responsibilities', user: { ...user, disabledAt: '' } } : null);
  };
  if (name === 'role') return <RoleDialog {...account} />;
  if (name === 'reset') return <ResetDialog {...account} />;
  if (name === 'disable') return <DisableDialog {...account} onDisabled={disabled} />;
  if (name === 'responsibilities') return <ResponsibilitiesDialog {...account} />;
  const { operation, done, ...question } = QUESTIONS[name](user.name);
  return (
    <ConfirmDialog
      {...question}
      onAct={async () => {
        await request(operation, { userId: user.id });
        await onChanged();
        toast(done);
      }}
      onClose={account.onClose}
    />
  );
}

const QUESTIONS = {
  'sign-out': (name: string) => ({
    title: `Sign out ${name} everywhere?`,
    description: `All sessions of ${name} end and all their access tokens are revoked immediately and permanently. The account stays enabled with the same password: create a reset link if that has leaked, too.`,
    submitLabel: 'Sign out everywhere',
    isDestructive: true,
    operation: 'POST /users/{userId}/sign-out' as const,
    done: `${name} signed out everywhere.`,
  }),
  factors: (name: string) => ({
    title: `Remove the second factors of ${name}?`,
    description: `If ${name} has lost them. The password alone signs in again, so make sure who asks.`,
    submitLabel: 'Remove second factors',
    isDestructive: true,
    operation: 'DELETE /users/{userId}/factors' as const,
    done: `The second factors of ${name} are removed.`,
  }),
  enable: (name: string) => ({
    title: `Enable ${name}?`,
    description: `${name} can sign in with the same password and is in the same Hubs as before. Sessions and access tokens don’t come back.`,
    submitLabel: 'Enable account',
    isDestructive: false,
    operation: 'POST /users/{userId}/reactivation' as const,
    done: `${name} enabled.`,
  }),
};

interface AccountDialogProps {
  user: User;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

function RoleDialog({ user: { id, name, role: current }, onChanged, onClose }: AccountDialogProps) {
  const [role, setRole] = useState<Role>(current);
  const change = async () => {
    if (role === current) throw new Error(`${name} already has the role ${ROLE_LABELS[current]}. Choose another one.`);
    await request('PATCH /users/{userId}', { userId: id, body: { role } });
    await onChanged();
    toast(`${name} now has the role ${ROLE_LABELS[role]}.`);
  };
  return (
    <ConfirmDialog
      title={`Change role of ${name}`}
      description="The change applies immediately, and unused password reset links for this account stop working."
      submitLabel="Change role"
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

function ResetDialog({ user: { id, name }, onClose }: AccountDialogProps) {
  const [issued, setIssued] = useState<IssuedLink | null>(null);
  if (issued) {
    return (
      <LinkOnceDialog
        title={`Reset link for ${name}`}
        description={`Anyone who opens the link can choose a new password for ${name} and is signed in.`}
        link={issued.link}
        expiresAt={issued.expiresAt}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={`Create a reset link for ${name}?`}
      description="The link can be used once, expires after 24 hours and replaces any earlier link. The current password works until the link is used; then all sessions end."
      submitLabel="Create link"
      givesSecret
      onAct={async () => setIssued(await request('POST /users/{userId}/password-reset', { userId: id }))}
      // The dialog with the link replaces this one.
      onDone={() => {}}
      onClose={onClose}
    />
  );
}

interface LinkOnceDialogProps {
  title: string;
  description: ComponentChildren;
  link: string;
  expiresAt: string | null;
  isMailed?: boolean;
  onClose: () => void;
}

export function LinkOnceDialog(props: LinkOnceDialogProps) {
  const { link, expiresAt, isMailed = false, ...dialog } = props;
  const end = expiresAt === null ? '' : ` and expires ${dayAndTime(expiresAt)}`;
  return (
    <OnceDialog
      {...dialog}
      noun="link"
      secret={link}
      care={`Can be used once${end}. ${isMailed ? 'Hub also sends one by e-mail.' : 'Share it yourself; Hub doesn’t send it by e-mail.'}${isLocalAddress(link.split(' ').at(-1) ?? '') ? ' It works only on this computer.' : ''}`}
      loss="You can create another."
    />
  );
}

interface DisableDialogProps extends AccountDialogProps {
  /** `isMuchLeft`: the user still has keys or open to-dos. */
  onDisabled: (isMuchLeft: boolean) => Promise<void>;
}

function DisableDialog({ user: { id, name }, onDisabled, onClose }: DisableDialogProps) {
  const load = (signal: AbortSignal) => request('GET /users/{userId}/responsibilities', { userId: id, signal });
  const { state, value } = useResource(load, { key: id, topics: [] });
  const total = value ? totalOf(value) : null;
  return (
    <ConfirmDialog
      title={`Disable ${name}?`}
      description={`${name} is signed out immediately, and their access tokens and open links stop working. Their posts stay. You can enable the account again.`}
      submitLabel="Disable account"
      isDestructive
      onAct={async () => {
        await request('POST /users/{userId}/deactivation', { userId: id });
        toast(`${name} disabled.`);
      }}
      onDone={() => void onDisabled(total !== null && total.keys + total.openTodos > 0)}
      onClose={onClose}
    >
      {total && <RemainingItems name={name} total={total} />}
      {state.status === 'failed' && <p class="help">Couldn’t load their keys and to-dos. {state.text}</p>}
    </ConfirmDialog>
  );
}

function totalOf({ items }: Responsibilities) {
  return {
    hubs: items.filter(({ isMember }) => isMember).length,
    keys: items.reduce((sum, { keys }) => sum + keys, 0),
    openTodos: items.reduce((sum, { openTodos }) => sum + openTodos, 0),
  };
}

function RemainingItems({ name, total }: { name: string; total: ReturnType<typeof totalOf> }) {
  const { keys, openTodos, hubs } = total;
  if (keys + openTodos + hubs === 0) return <p class="help">{name} has no keys, open to-dos or Hubs.</p>;
  return (
    <ul class="responsibilities">
      {keys > 0 && (
        <li>
          <b>{countOf(keys, 'key')}</b> issued by {name}:{' '}
          {keys === 1 ? 'it keeps working and is flagged' : 'they keep working and are flagged'}.
        </li>
      )}
      {openTodos > 0 && (
        <li>
          <b>{countOf(openTodos, 'open to-do')}</b>: assigned to {name} until someone takes{' '}
          {openTodos === 1 ? 'it' : 'them'} over.
        </li>
      )}
      {hubs > 0 && (
        <li>
          <b>{countOf(hubs, 'Hub')}</b>: {hubs === 1 ? 'the membership is' : 'the memberships are'} kept in case you
          enable the account.
        </li>
      )}
    </ul>
  );
}

function ResponsibilitiesDialog({ user, onClose }: AccountDialogProps) {
  const { id, name, disabledAt } = user;
  const load = (signal: AbortSignal) => request('GET /users/{userId}/responsibilities', { userId: id, signal });
  const { state, reload } = useResource(load, { key: id, topics: ['users', 'keys', 'hubs'] });
  return (
    <CloseDialog
      title={`${name}’s keys and to-dos`}
      description={
        disabledAt !== null
          ? 'Keys keep working: rotate them so that an active member is responsible for them. To-dos stay open until someone takes them over.'
          : 'All of it stays if you disable the account.'
      }
      onClose={onClose}
    >
      <Loaded state={state} onRetry={reload}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No Hubs, keys or open to-dos.</p>
          ) : (
            <ul class="sessions">
              {items.map((holding) => (
                <ResponsibilityRow key={holding.hubId} holding={holding} userId={id} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </CloseDialog>
  );
}

function ResponsibilityRow({ holding, userId }: { holding: Responsibility; userId: string }) {
  const { hubs } = useWorkspace();
  const { hubId, hubName, isMember, keys, openTodos } = holding;
  const canRead = hubs.find(hubId)?.isMember ?? false;
  return (
    <ListRow name={hubName} sub={isMember ? 'Member' : 'No longer a member'}>
      <span class="links">
        {keys > 0 && <a href={`/settings/keys?hub=${hubId}&issuer=${userId}`}>{countOf(keys, 'key')}</a>}
        {openTodos > 0 &&
          (canRead ? (
            <a href={`/hubs/${hubId}/todos?assignee=${userId}`}>{countOf(openTodos, 'open to-do')}</a>
          ) : (
            <a href={`/settings/hubs?hub=${hubId}`} title="You’re not a member of this Hub. Add yourself to see them.">
              {countOf(openTodos, 'open to-do')} (join this Hub to see)
            </a>
          ))}
      </span>
    </ListRow>
  );
}
