import type { Hub, Member, UserRef } from '@hub/contract';
import { useState } from 'preact/hooks';
import { errorMessage } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { AddMember, addMember, usersToAdd } from '../../members/add-member.tsx';
import { membersOf } from '../../members/members.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Problem } from '../problem.tsx';
import { useRowFocus } from '../use-row-focus.ts';
import { HubMemberRow } from './hub-member-row.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';

interface HubMembersSectionProps {
  hub: Hub;
  onChanged: () => Promise<void>;
}

/** Members of a Hub. Admins add and remove members; every member can leave. */
export function HubMembersSection({ hub, onChanged }: HubMembersSectionProps) {
  const { me, hubs } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const { state, reload } = useResource((signal) => loadMembers(hub.id, isAdmin, signal), {
    key: hub.id,
    topics: ['hubs', 'people'],
  });
  const [removed, setRemoved] = useState<Member | null>(null);
  useRowFocus({ subject: removed, isOpen: removed !== null, list: state });
  const [failure, setError] = useState('');
  const changed = async () => {
    await Promise.all([reload(), onChanged(), hubs.load()]);
  };
  /** Reloads after a removal. A member who has left can no longer load the list of members. */
  const left = async (personId: string) => {
    const isClosed = !isAdmin && personId === me.peek().id;
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
      <section class="settings-section" aria-labelledby="hub-members">
        <h2 id="hub-members">
          Members {state.status === 'ready' && <span class="num">{state.value.members.length}</span>}
        </h2>
        {isAdmin && !hub.isMember && <JoinBanner hub={hub} onJoin={() => add(me.peek())} />}
        {state.status === 'loading' && <Loading />}
        {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={reload} />}
        {state.status === 'ready' && (
          <>
            <ul class="sessions">
              {state.value.members.map((member) => (
                <HubMemberRow key={member.id} member={member} onRemove={() => setRemoved(member)} />
              ))}
            </ul>
            {state.value.members.length === 0 && <p>No members yet, so nobody can read this Hub.</p>}
            {isAdmin && <AddMember users={state.value.others} onAdd={add} />}
          </>
        )}
        <Problem id="hub-members-error" text={failure} />
      </section>
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
  const [isBusy, setBusy] = useState(false);
  const join = async () => {
    if (isBusy) return;
    setBusy(true);
    await onJoin();
    setBusy(false);
  };
  return (
    <div class="banner">
      <span class="grow">
        You manage this Hub but aren’t a member. If you add yourself, members and the audit log will show it.
      </span>
      <button class="btn is-small" type="button" aria-disabled={isBusy} onClick={() => void join()}>
        Add me to {hub.name}
      </button>
    </div>
  );
}
