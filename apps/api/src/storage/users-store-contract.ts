import { describe, expect, test } from 'bun:test';
import { newUser } from '../../test/support/store-records.ts';
import { type OpenStoreUnderTest, storeSubject } from '../../test/support/store-subject.ts';
import { insertUser, updateUser } from '../../test/support/store-writes.ts';
import type { UserChanges, UserRecord } from './users-store.ts';

/** Describes what every adapter promises about users. Call it from the adapter's test file. */
export function describeUserStore(name: string, open: OpenStoreUnderTest): void {
  describe(`users in the store on ${name}`, () => {
    const subject = storeSubject(open);
    const create = (over: Partial<UserRecord> = {}): Promise<UserRecord> => insertUser(subject.store, newUser(over));
    const update = ({ id }: UserRecord, changes: UserChanges) => updateUser(subject.store, id, changes);

    test('a new user is found by id and, for signing in, by e-mail address', async () => {
      const { user, ...rest } = newUser();
      await insertUser(subject.store, { user, ...rest });
      expect(await subject.users.find(user.id)).toEqual(user);
      expect(await subject.users.findForSignIn(user.email)).toEqual({ user, passwordHash: rest.passwordHash });
      expect(await subject.users.findPasswordHash(user.id)).toBe(rest.passwordHash);
    });

    test('an unknown user is not found', async () => {
      expect(await subject.users.find('usr_none')).toBeNull();
      expect(await subject.users.findForSignIn('none@example.org')).toBeNull();
      expect(await subject.users.findPasswordHash('usr_none')).toBeNull();
    });

    test('the list is newest first, page by page', async () => {
      const users = [await create(), await create(), await create()].reverse();
      expect(await subject.users.list({ limit: 10 })).toEqual(users);
      expect(await subject.users.list({ limit: 1, before: users[0]?.id })).toEqual(users.slice(1, 2));
    });

    test('an update changes what it names of this user, and nothing else', async () => {
      const [user, other] = [await create(), await create()];
      await update(user, { name: 'Grace', passwordHash: 'new' });
      await update(user, { role: 'admin', disabledAt: 5, lastSeenAt: 4 });
      const changed = { ...user, name: 'Grace', role: 'admin', disabledAt: 5, lastSeenAt: 4 } as const;
      expect(await subject.users.list({ limit: 10 })).toEqual([other, changed]);
      expect(await subject.users.findPasswordHash(user.id)).toBe('new');
    });

    test('there is an owner as long as one is not disabled', async () => {
      expect(await subject.users.hasOwner()).toBe(false);
      const first = await create({ role: 'owner' });
      expect([await subject.users.hasOwner(), await subject.users.hasOwner(first.id)]).toEqual([true, false]);
      const second = await create({ role: 'owner' });
      expect(await subject.users.hasOwner(first.id)).toBe(true);
      await update(second, { disabledAt: 5 });
      expect([await subject.users.hasOwner(first.id), await subject.users.hasOwner(second.id)]).toEqual([false, true]);
      await update(first, { role: 'admin' });
      expect(await subject.users.hasOwner()).toBe(false);
    });

    test('rights change when a user is disabled, enabled or given a new role, but not when they are renamed', async () => {
      const user = await create();
      const changesRights = (changes: UserChanges) => subject.changesRights(() => update(user, changes));
      expect(await changesRights({ role: 'admin' })).toBe(true);
      expect(await changesRights({ disabledAt: 5 })).toBe(true);
      expect(await changesRights({ disabledAt: null })).toBe(true);
      expect(await changesRights({ name: 'Grace' })).toBe(false);
    });
  });
}
