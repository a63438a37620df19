import type { Invitation } from '@hub/contract';
import { useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { When } from '../../item-text/when.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { useRowFocus } from '../use-row-focus.ts';
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
          lead="The link stops working immediately. You can invite the same address again."
          act="Withdraw invitation"
          isBad
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
    <li data-row-id={id}>
      <span>
        <b>{email}</b>
        <span class="help">
          {ROLE_LABELS[role]}
          {names.length > 0 && <> in {names.join(', ')}</>}, by {createdBy.name}. Expires <When at={expiresAt} />.
        </span>
      </span>
      <button
        class="btn is-small"
        type="button"
        data-row-focus
        aria-label={`Withdraw the invitation for ${email}`}
        onClick={onWithdraw}
      >
        Withdraw
      </button>
    </li>
  );
}
