import UserPlus from 'icon:user-plus';
import type { Hub, Member, Person, PersonRef } from '@hub/contract';
import { useRef, useState } from 'preact/hooks';
import { allPages } from '../../api/all-pages.ts';
import { path, request, wordsOf } from '../../api/request.ts';
import { Loading } from '../../frame/loading.tsx';
import { Trouble } from '../../frame/trouble.tsx';
import { membersOf } from '../../members/members.ts';
import { PersonPicker } from '../../members/people-picker.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Fault } from '../fault.tsx';
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
  const [trouble, setTrouble] = useState('');
  const changed = async () => {
    await Promise.all([reload(), onChanged(), hubs.load()]);
  };
  /** Who has left it may not ask for its members. */
  const left = async (personId: string) => {
    const isClosed = !isAdmin && personId === me.peek().id;
    await (isClosed ? Promise.all([onChanged(), hubs.load()]) : changed());
  };
  const add = async ({ id, name }: PersonRef) => {
    setTrouble('');
    try {
      await request<Member>('POST', path`/hubs/${hub.id}/members`, { body: { personId: id } });
      await changed();
      toast(id === me.peek().id ? `You belong to ${hub.name} now.` : `${name} belongs to ${hub.name} now.`);
    } catch (error) {
      setTrouble(`${name} was not added. ${wordsOf(error)}`);
    }
  };
  return (
    <>
      <section class="own" aria-labelledby="hub-members">
        <h2 id="hub-members">
          Members {state.status === 'ready' && <span class="num">{state.value.members.length}</span>}
        </h2>
        {isAdmin && !hub.isMember && <JoinBanner hub={hub} onJoin={() => add(me.peek())} />}
        {state.status === 'loading' && <Loading />}
        {state.status === 'failed' && <Trouble words={state.words} onAgain={reload} />}
        {state.status === 'ready' && (
          <>
            <ul class="sessions">
              {state.value.members.map((member) => (
                <HubMemberRow key={member.id} member={member} onRemove={() => setRemoved(member)} />
              ))}
            </ul>
            {state.value.members.length === 0 && <p>Nobody belongs to it, so nobody reads it.</p>}
            {isAdmin && <AddMember people={state.value.others} onAdd={add} />}
          </>
        )}
        <Fault id="hub-members-fault" words={trouble} />
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
  const [members, people] = await Promise.all([membersOf(hubId), isAdmin ? allPages<Person>('/people') : []]);
  const ids = new Set(members.map(({ id }) => id));
  const others = people.filter(({ id, disabledAt }) => disabledAt === null && !ids.has(id));
  return { members, others: others.sort((one, other) => one.name.localeCompare(other.name)) };
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

function AddMember({ people, onAdd }: { people: readonly Person[]; onAdd: (person: PersonRef) => Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        class="btn"
        type="button"
        ref={button}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <UserPlus /> Add somebody
      </button>
      {isOpen && button.current && (
        <PersonPicker
          people={people}
          words={people.length === 0 ? 'Everybody belongs to it already.' : 'Nobody else has such a name.'}
          label="Whom to add"
          chosen={null}
          others={[]}
          opener={button.current}
          onChoose={(_, person) => {
            if (person) void onAdd(person);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
