import type { Member } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Avatar } from '../avatars/avatar.tsx';
import { ListRow } from '../forms/table.tsx';

/** A member of a Hub in a list, and what can be done. */
export function MemberRow({ member, children }: { member: Member; children?: ComponentChildren }) {
  const { id, name, email, role, disabledAt } = member;
  return (
    <ListRow
      id={id}
      image={<Avatar id={id} name={name} kind="user" size="m" />}
      name={<bdi>{name}</bdi>}
      isYou={id === useWorkspace().me.value.id}
      sub={`${email}${role === 'member' ? '' : `, ${role}`}${disabledAt === null ? '' : ', account disabled'}`}
    >
      {children}
    </ListRow>
  );
}
