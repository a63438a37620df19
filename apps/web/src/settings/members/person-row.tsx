import Ban from 'icon:ban';
import Ellipsis from 'icon:ellipsis';
import History from 'icon:history';
import Link from 'icon:link';
import Shield from 'icon:shield';
import User from 'icon:user';
import UserCheck from 'icon:user-check';
import UserX from 'icon:user-x';
import type { Person } from '@hub/contract';
import { useState } from 'preact/hooks';
import { Face } from '../../faces/face.tsx';
import { navigate } from '../../router/location.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { When } from '../../words/when.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { AS_CELL, AS_ROW } from '../table-roles.ts';
import { mayAct, ROLE_WORDS } from './people-list.ts';

/** What can be done to somebody. */
export type Deed = 'role' | 'reset' | 'disable' | 'enable' | 'holdings';

interface PersonRowProps {
  person: Person;
  isOnlyOwner: boolean;
  onDeed: (deed: Deed) => void;
}

export function PersonRow({ person, isOnlyOwner, onDeed }: PersonRowProps) {
  const me = useWorkspace().me.value;
  const { id, name, email, role, disabledAt, lastSeenAt } = person;
  return (
    <tr class={disabledAt === null ? '' : 'is-quiet'} data-row-id={id} {...AS_ROW}>
      <td class="t-name" {...AS_CELL}>
        <span class="name">
          <Face id={id} name={name} kind="person" size="m" />
          <span>
            <b>
              <bdi>{name}</bdi>
              {id === me.id && <span class="you"> (you)</span>}
            </b>
            <span class="sub">{email}</span>
          </span>
        </span>
      </td>
      <td class="t-state" {...AS_CELL}>
        {ROLE_WORDS[role]}
        {isOnlyOwner && <span class="sub">The only owner: one must be left</span>}
        {disabledAt !== null && (
          <span class="sub with-time">
            <span class="state is-over">
              <Ban /> Disabled
            </span>{' '}
            <When at={disabledAt} />
          </span>
        )}
      </td>
      {me.role !== 'member' && (
        <td class="t-used" {...AS_CELL}>
          <span class="seen">Last seen: </span>
          {lastSeenAt === null ? 'Never' : <When at={lastSeenAt} />}
        </td>
      )}
      {me.role !== 'member' && (
        <td class="t-act" {...AS_CELL}>
          <PersonMenu person={person} onDeed={onDeed} />
        </td>
      )}
    </tr>
  );
}

function PersonMenu({ person, onDeed }: { person: Person; onDeed: (deed: Deed) => void }) {
  const me = useWorkspace().me.value;
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const label = `What to do with ${person.name}`;
  return (
    <div class="acts">
      <button
        class="icon-btn"
        type="button"
        aria-label={label}
        data-row-focus
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onClick={({ currentTarget }) => setOpener(currentTarget)}
      >
        <Ellipsis />
      </button>
      {opener && <Menu label={label} opener={opener} onClose={() => setOpener(null)} items={itemsFor()} />}
    </div>
  );

  function itemsFor(): MenuItem[] {
    const { name, disabledAt } = person;
    const whose = disabledAt === null ? `What hangs on ${name}` : `What ${name} left behind`;
    const holdings: MenuItem = { label: whose, icon: <History />, run: () => onDeed('holdings') };
    if (person.id === me.id) {
      return [{ label: 'Your profile', icon: <User />, run: () => navigate('/settings/profile') }, holdings];
    }
    if (!mayAct(me, person)) return [holdings];
    const role: MenuItem = { label: 'Change the role', icon: <Shield />, run: () => onDeed('role') };
    if (disabledAt !== null) {
      return [{ label: 'Enable again', icon: <UserCheck />, run: () => onDeed('enable') }, holdings, role];
    }
    return [
      role,
      { label: 'Make a reset link', icon: <Link />, run: () => onDeed('reset') },
      holdings,
      { label: 'Disable', icon: <UserX />, isBad: true, isNewGroup: true, run: () => onDeed('disable') },
    ];
  }
}
