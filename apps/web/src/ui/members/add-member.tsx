import UserPlus from 'icon:user-plus';
import type { Member, User, UserRef } from '@hub/contract';
import { useRef, useState } from 'preact/hooks';
import { allPages, request } from '../../data/request.ts';
import { UserPicker } from './user-picker.tsx';

/** Returns the users who can be added to a Hub, sorted by name. For admins. */
export async function usersToAdd(members: readonly Member[]): Promise<User[]> {
  const ids = new Set(members.map(({ id }) => id));
  const users = await allPages('GET /people', {});
  const others = users.filter(({ id, disabledAt }) => disabledAt === null && !ids.has(id));
  return others.sort((one, other) => one.name.localeCompare(other.name));
}

/** @throws ApiError or NoResponse. */
export async function addMember(hubId: string, personId: string): Promise<void> {
  await request('POST /hubs/{hubId}/members', { hubId, body: { personId } });
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
        <UserPlus /> Add a member
      </button>
      {isOpen && button.current && (
        <UserPicker
          users={users ?? NOBODY}
          text={textFor(users)}
          label="Add a member"
          chosen={null}
          others={[]}
          opener={button.current}
          onChoose={(_, user) => {
            if (user) void onAdd(user);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function textFor(users: readonly User[] | null): string {
  if (users === null) return 'Loading…';
  return users.length === 0 ? 'Everyone is already a member.' : 'No matching members';
}
