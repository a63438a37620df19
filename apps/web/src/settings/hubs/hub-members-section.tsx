import type { Hub, Member, UserRef } from '@hub/contract';
import { useState } from 'preact/hooks';
import { errorMessage } from '../../api/request.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { AddMember, addMember, usersToAdd } from '../../members/add-member.tsx';
import { membersOf } from '../../members/members.ts';

import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Problem } from '../problem.tsx';
import { useFresh } from '../use-fresh.ts';
import { useRowFocus } from '../use-row-focus.ts';
import { HubMemberRow } from './hub-member-row.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';

interface HubMembersSectionProps {
  hub: Hub;
  onChanged: () => Promise<void>;
}

/** Who reads the Hub. Admins add and remove people, and everybody may leave. */
export function HubMembersSection({ hub, onChanged }: HubMembersSectionProps) {
  const { me, hubs } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const { state, reload } = useFresh(() => loadMembers(hub.id, isAdmin), ['hubs', 'people'], hub.id);
  const [removed, setRemoved] = useState<Member | null>(null);
  useRowFocus({ subject: removed, isOpen: removed !== null, list: state });
  const [failure, setError] = useState('');
  const changed = async () => {
    await Promise.all([reload(), onChanged(), hubs.load()]);
  };
  /** Who has left it may not ask for its members. */
  const left = async (personId: string) => {
    const isClosed = !isAdmin && personId === me.peek().id;
    await (isClosed ? Promise.all([onChanged(), hubs.load()]) : changed());
  };
  const add = async ({ id, name }: UserRef) => {
    setError('');
    try {
      await addMember(hub.id, id);
      await changed();
      toast(id === me.peek().id ? `You belong to ${hub.name} now.` : `${name} belongs to ${hub.name} now.`);
    } catch (error) {
      setError(`${name} was not added. ${errorMessage(error)}`);
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
        {state.status === 'failed' && <ErrorNotice text={state.text} onAgain={reload} />}
        {state.status === 'ready' && (
          <>
            <ul class="sessions">
              {state.value.members.map((member) => (
                <HubMemberRow key={member.id} member={member} onRemove={() => setRemoved(member)} />
              ))}
            </ul>
            {state.value.members.length === 0 && <p>Nobody belongs to it, so nobody reads it.</p>}
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

/** Those who belong to it, and those who could. */
async function loadMembers(hubId: string, isAdmin: boolean) {
  const members = await membersOf(hubId);
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
        You manage this Hub and do not read it. You can add yourself; the audit log and the Hub’s members see that you
        did.
      </span>
      <button class="btn is-small" type="button" aria-disabled={isBusy} onClick={() => void join()}>
        Add me to {hub.name}
      </button>
    </div>
  );
}
