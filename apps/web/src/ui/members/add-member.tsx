import type { Member, User, UserRef } from '@hub/contract';
import { UserPlus } from 'icons';
import type { ComponentChildren } from 'preact';
import { useWorkspace } from '../../data/live/workspace.ts';
import { allPages, request } from '../../data/request.ts';
import { byName } from '../../lib/names.ts';
import { Avatar } from '../avatars/avatar.tsx';
import { Opener } from '../button.tsx';
import { ListRow } from '../forms/table.tsx';
import { UserPicker } from './user-picker.tsx';

/** Returns the users who can be added to a Hub, sorted by name. For admins. */
export async function usersToAdd(members: readonly Member[]): Promise<User[]> {
  const ids = new Set(members.map(({ id }) => id));
  const users = await allPages('GET /users', {});
  const others = users.filter(({ id, disabledAt }) => disabledAt === null && !ids.has(id));
  return others.sort(byName);
}

/** @throws ApiError or NoResponse. */
export async function addMember(hubId: string, userId: string): Promise<void> {
  await request('POST /hubs/{hubId}/members', { hubId, body: { userId } });
}

const NOBODY: readonly User[] = [];

/** A button that opens a list of users to add; `users` is null until they are loaded. */
export function AddMember(props: { users: readonly User[] | null; onAdd: (user: UserRef) => Promise<void> }) {
  const { users, onAdd } = props;
  return (
    <Opener
      class="btn"
      renderPopover={(opened) => (
        <UserPicker
          {...opened}
          users={users ?? NOBODY}
          text={textFor(users)}
          label="Add a member"
          chosen={null}
          others={[]}
          onChoose={(_, user) => {
            if (user) void onAdd(user);
          }}
        />
      )}
    >
      <UserPlus /> Add a member
    </Opener>
  );
}

function textFor(users: readonly User[] | null): string {
  if (users === null) return 'Loading…';
  return users.length === 0 ? 'Everyone is already a member.' : 'No matching members';
}

/** A member of a Hub in a list, and what can be done. */
export function MemberRow({ member, children }: { member: Member; children?: ComponentChildren }) {
  const { id, name, email, role, disabledAt } = member;
  return (
    <ListRow
      image={<Avatar id={id} name={name} kind="user" size="m" />}
      name={<bdi>{name}</bdi>}
      isYou={id === useWorkspace().me.value.id}
      sub={`${email}${role === 'member' ? '' : `, ${role}`}${disabledAt === null ? '' : ', account disabled'}`}
    >
      {children}
    </ListRow>
  );
}
