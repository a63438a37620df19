import type { Member, User, UserRef } from '@hub/contract';
import { UserPlus } from 'icons';
import { allPages, request } from '../../data/request.ts';
import { byName } from '../../lib/names.ts';
import { Opener } from '../opener.tsx';
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
export function AddMember({
  users,
  onAdd,
}: {
  users: readonly User[] | null;
  onAdd: (user: UserRef) => Promise<void>;
}) {
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
