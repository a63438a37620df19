import type { Hub, Member, UserRef } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { membersOf } from '../../../data/members/members.ts';
import { errorMessage, request } from '../../../data/request.ts';
import { navigate } from '../../../lib/router/location.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Problem, useTask } from '../../../ui/forms/form.tsx';
import { Loaded, Section } from '../../../ui/forms/page-body.tsx';
import { RowButton } from '../../../ui/forms/table.tsx';
import { useRowFocus } from '../../../ui/forms/use-row-focus.ts';
import { AddMember, addMember, usersToAdd } from '../../../ui/members/add-member.tsx';
import { MemberRow } from '../../../ui/members/member-row.tsx';
import { toast } from '../../../ui/toast.tsx';

/** Members of a Hub. Admins add and remove members; every member can leave. */
export function HubMembersSection({ hub, onChanged }: { hub: Hub; onChanged: () => Promise<void> }) {
  const { me, hubs } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const { state, reload } = useResource((signal) => loadMembers(hub.id, isAdmin, signal), {
    key: hub.id,
    topics: ['hubs', 'users'],
  });
  const [removed, setRemoved] = useState<Member | null>(null);
  useRowFocus({ subject: removed, isOpen: removed !== null, list: state });
  const [failure, setError] = useState('');
  const changed = async () => {
    await Promise.all([reload(), onChanged(), hubs.load()]);
  };
  /** Reloads after a removal. A member who has left can no longer load the list of members. */
  const left = async (userId: string) => {
    const isClosed = !isAdmin && userId === me.peek().id;
    await (isClosed ? Promise.all([onChanged(), hubs.load()]) : changed());
  };
  const add = async ({ id, name }: UserRef) => {
    setError('');
    try {
      await addMember(hub.id, id);
      await changed();
      toast(id === me.peek().id ? `You joined ${hub.name}.` : `${name} added to ${hub.name}.`);
    } catch (error) {
      setError(`Couldn’t add ${name}. ${errorMessage(error)}`);
    }
  };
  return (
    <>
      <Section
        id="hub-members"
        title={<>Members {state.status === 'ready' && <span class="num">{state.value.members.length}</span>}</>}
      >
        {isAdmin && !hub.isMember && <JoinBanner hub={hub} onJoin={() => add(me.peek())} />}
        <Loaded state={state} onRetry={reload}>
          {({ members, others }) => (
            <>
              <ul class="sessions">
                {members.map((member) => (
                  <HubMemberRow key={member.id} member={member} onRemove={() => setRemoved(member)} />
                ))}
              </ul>
              {members.length === 0 && <p>No members yet, so nobody can read this Hub.</p>}
              {isAdmin && <AddMember users={others} onAdd={add} />}
            </>
          )}
        </Loaded>
        <Problem text={failure} />
      </Section>
      {removed && (
        <RemoveMemberDialog
          hub={hub}
          member={removed}
          onRemoved={() => left(removed.id)}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  );
}

/** Loads the members of a Hub, and for admins also the users who can be added. */
async function loadMembers(hubId: string, isAdmin: boolean, signal: AbortSignal) {
  const members = await membersOf(hubId, signal);
  return { members, others: isAdmin ? await usersToAdd(members) : [] };
}

function JoinBanner({ hub, onJoin }: { hub: Hub; onJoin: () => Promise<void> }) {
  const { run, isBusy } = useTask();
  return (
    <div class="banner">
      <div class="grow">
        You manage this Hub but aren’t a member. If you add yourself, members and the audit log will show it.
        <p class="actions">
          <Button
            variant="is-small"
            label={`Add me to ${hub.name}`}
            aria-disabled={isBusy}
            onClick={() => void run(onJoin)}
          />
        </p>
      </div>
    </div>
  );
}

function HubMemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const me = useWorkspace().me.value;
  const isMe = member.id === me.id;
  return (
    <MemberRow member={member}>
      {(isMe || me.role !== 'member') && (
        <RowButton label={isMe ? 'Leave this Hub' : `Remove ${member.name}`} onClick={onRemove}>
          {isMe ? 'Leave' : 'Remove'}
        </RowButton>
      )}
    </MemberRow>
  );
}

interface RemoveMemberDialogProps {
  hub: Hub;
  member: Member;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

/** Asks for confirmation before a member is removed or the user leaves the Hub. */
function RemoveMemberDialog({ hub, member: { id, name }, onRemoved, onClose }: RemoveMemberDialogProps) {
  const me = useWorkspace().me.value;
  const isMe = id === me.id;
  const wayBack = me.role === 'member' ? 'An admin can add you again.' : 'You can add yourself again.';
  return (
    <ConfirmDialog
      title={isMe ? `Leave ${hub.name}?` : `Remove ${name} from ${hub.name}?`}
      description={
        isMe
          ? `You lose access immediately. Your to-dos stay assigned to you. ${wayBack}`
          : `${name} loses access immediately. Their to-dos stay assigned and their keys keep working. You can add them again.`
      }
      submitLabel={isMe ? 'Leave Hub' : 'Remove member'}
      isDestructive
      onAct={async () => {
        await request('DELETE /hubs/{hubId}/members/{userId}', { hubId: hub.id, userId: id });
        // A member who has left can no longer load anything from this Hub, so the page closes first.
        if (isMe && me.role === 'member') navigate('/settings/hubs');
        await onRemoved();
        toast(isMe ? `You left ${hub.name}.` : `${name} removed from ${hub.name}.`);
      }}
      onClose={onClose}
    />
  );
}
