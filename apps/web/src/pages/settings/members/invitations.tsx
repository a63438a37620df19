import type { Invitation, IssuedInvitation, Role } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { byName } from '../../../lib/names.ts';
import { Checkbox, toggled } from '../../../ui/forms/choices.tsx';
import { ConfirmDialog, FormDialog, TextField } from '../../../ui/forms/form.tsx';
import { ListRow, RowButton } from '../../../ui/forms/table.tsx';
import { useRowFocus } from '../../../ui/forms/use-row-focus.ts';
import { When } from '../../../ui/items/when.tsx';
import { toast } from '../../../ui/toast.tsx';
import { LinkOnceDialog, RoleChoice } from './member-dialogs.tsx';
import { ROLE_LABELS } from './users-list.ts';

interface InvitationsSectionProps {
  invitations: readonly Invitation[];
  onChanged: () => Promise<void>;
}

/** Invitations that have not been accepted yet. */
export function InvitationsSection({ invitations, onChanged }: InvitationsSectionProps) {
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null);
  useRowFocus({ subject: withdrawn, isOpen: withdrawn !== null, list: invitations });
  return (
    <>
      {invitations.length > 0 && (
        <section class="settings-section invitations" aria-labelledby="open-invitations">
          <h2 class="hub-head" id="open-invitations">
            Open invitations <span class="num">{invitations.length}</span>
          </h2>
          <ul class="sessions">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} onWithdraw={() => setWithdrawn(invitation)} />
            ))}
          </ul>
        </section>
      )}
      {withdrawn && (
        <ConfirmDialog
          title={`Withdraw the invitation for ${withdrawn.email}?`}
          description="The link stops working immediately. You can invite the same address again."
          submitLabel="Withdraw invitation"
          isDestructive
          onAct={async () => {
            await request('DELETE /invitations/{invitationId}', { invitationId: withdrawn.id });
            await onChanged();
            toast(`Invitation for ${withdrawn.email} withdrawn.`);
          }}
          onClose={() => setWithdrawn(null)}
        />
      )}
    </>
  );
}

function InvitationRow({ invitation, onWithdraw }: { invitation: Invitation; onWithdraw: () => void }) {
  const { hubs } = useWorkspace();
  const { id, email, role, hubIds, createdBy, expiresAt } = invitation;
  const names = hubIds.flatMap((id) => hubs.find(id)?.name ?? []);
  return (
    <ListRow
      id={id}
      name={email}
      sub={
        <>
          {ROLE_LABELS[role]}
          {names.length > 0 && <> in {names.join(', ')}</>}, by {createdBy.name}. Expires <When at={expiresAt} />.
        </>
      }
    >
      <RowButton label={`Withdraw the invitation for ${email}`} onClick={onWithdraw}>
        Withdraw
      </RowButton>
    </ListRow>
  );
}

/** Asks for the e-mail address, role and Hubs of a new member, then shows the invitation link once. */
export function InviteDialog({ onInvited, onClose }: { onInvited: () => Promise<void>; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [hubIds, setHubIds] = useState<readonly string[]>([]);
  const [issued, setIssued] = useState<IssuedInvitation | null>(null);
  if (issued) {
    return (
      <LinkOnceDialog
        title={`Invitation for ${issued.email}`}
        description="Anyone who opens the link can create this account and choose its name and password."
        link={issued.link}
        expiresAt={issued.expiresAt}
        onClose={onClose}
      />
    );
  }
  const invite = async () => {
    if (email.trim() === '') throw new Error('Enter an e-mail address.');
    const body = { email: email.trim(), role, hubIds: [...hubIds] };
    setIssued(await request('POST /invitations', { body }));
    await onInvited();
  };
  return (
    <FormDialog
      title="Invite a member"
      description="You get a link that can be used once and expires after 7 days. Any open invitation for the same address is replaced."
      submitLabel="Create link"
      givesSecret
      isSticky={email.trim() !== ''}
      onSubmit={invite}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label="E-mail address"
            type="email"
            maxLength={LIMITS.emailCodePoints}
            placeholder="name@example.org"
            autofocus
            value={email}
            error={error}
            onValue={setEmail}
          />
          <RoleChoice chosen={role} onChoose={setRole} />
          <HubChoice chosen={hubIds} onChoose={setHubIds} />
        </>
      )}
    </FormDialog>
  );
}

/** Selects Hubs. */
function HubChoice(props: { chosen: readonly string[]; onChoose: (hubIds: readonly string[]) => void }) {
  const { chosen, onChoose } = props;
  const { hubs } = useWorkspace();
  const all = hubs.all.value.toSorted(byName);
  if (all.length === 0) return null;
  return (
    <fieldset class="options">
      <legend>
        Hubs{' '}
        <span class="help">
          {chosen.length === 0 ? 'None yet; you can add them later' : `${chosen.length} selected`}
        </span>
      </legend>
      <div class="choices-list" role="group" aria-label="Hubs">
        {all.map(({ id, name }) => (
          <Checkbox key={id} isOn={chosen.includes(id)} onChange={(isOn) => onChoose(toggled(chosen, id, isOn))}>
            {name}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
