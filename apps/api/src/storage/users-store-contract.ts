import { describe, expect, test } from 'bun:test';
import { hubRecord, testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, rejectsWith, storeSubject } from '../testing/store-subject.ts';
import { insertHub, updateHub } from '../testing/store-writes.ts';
import { newInvitation, newLink, newSession, newToken, newUser } from '../testing/users-records.ts';
import type { UserRecord } from './users-store.ts';

/** Describes what every adapter promises about users. Call it from the adapter's test file. */
export function describeUserStore(name: string, open: OpenStoreUnderTest): void {
  describe(`users in the store on ${name}`, () => {
    const subject = storeSubject(open);
    const create = async (over: Partial<UserRecord> = {}, hubIds: string[] = []): Promise<UserRecord> =>
      subject.users.create(newUser(over, hubIds));
    const changeOf = ({ id }: UserRecord, mayTouchOwners = true) => ({
      personId: id,
      mayTouchOwners,
      audit: testAudit({ action: 'person.changed' }),
    });

    test('a new user is found by id and, for signing in, by e-mail address', async () => {
      const { user, ...rest } = newUser();
      expect(await subject.users.create({ user, ...rest })).toEqual(user);
      expect(await subject.users.find(user.id)).toEqual(user);
      expect(await subject.users.findForSignIn(user.email)).toEqual({ user, passwordHash: rest.passwordHash });
      expect(await subject.users.findPasswordHash(user.id)).toBe(rest.passwordHash);
    });

    test('an unknown user is not found', async () => {
      expect(await subject.users.find('usr_none')).toBeNull();
      expect(await subject.users.findForSignIn('none@example.org')).toBeNull();
      expect(await subject.users.findPasswordHash('usr_none')).toBeNull();
      expect(await subject.users.change({ ...changeOf(newUser().user), name: 'x' })).toBeNull();
      expect(await subject.users.disable({ ...changeOf(newUser().user), at: 5 })).toBeNull();
      expect(await subject.users.enable(changeOf(newUser().user))).toBeNull();
    });

    test('only one of two accounts created simultaneously for the same e-mail address is kept', async () => {
      const [first, second] = [newUser(), newUser()];
      second.user.email = first.user.email;
      const [, rejected] = await Promise.all([subject.users.create(first), failure(subject.users.create(second))]);
      expect(rejected).toMatchObject({ code: 'conflict' });
      expect(await subject.users.list({ limit: 10 })).toEqual([first.user]);
    });

    test('the list is newest first, page by page', async () => {
      const users = [await create(), await create(), await create()].reverse();
      expect(await subject.users.list({ limit: 10 })).toEqual(users);
      expect(await subject.users.list({ limit: 1, before: users[0]?.id })).toEqual(users.slice(1, 2));
    });

    test('a new user is a member of the given Hubs, except deleted and unknown ones', async () => {
      const [live, deleted] = [hubRecord(), hubRecord()];
      for (const hub of [live, deleted]) await insertHub(subject.store, hub);
      await updateHub(subject.store, deleted.id, { deletedAt: 1 });
      const user = await create({}, [live.id, deleted.id, 'hub_none']);
      expect(await subject.store.memberships.listHubIds(user.id)).toEqual([live.id]);
      expect(subject.eventsOf(live.id).map(({ event }) => event)).toEqual(['member.added']);
    });

    test('a change sets the name, the role or both, and a change without effect writes nothing', async () => {
      const user = await create();
      expect(await subject.users.change({ ...changeOf(user), name: 'Grace' })).toEqual({ ...user, name: 'Grace' });
      const entries = await subject.auditCount();
      await subject.users.change({ ...changeOf(user), name: 'Grace', role: 'member' });
      expect(await subject.auditCount()).toBe(entries);
      await subject.users.change({ ...changeOf(user), role: 'admin' });
      expect(await subject.users.find(user.id)).toEqual({ ...user, name: 'Grace', role: 'admin' });
    });

    describe('owners', () => {
      test('exist once the first has been created, and the only owner cannot be demoted or disabled', async () => {
        expect(await subject.users.hasOwner()).toBe(false);
        const owner = await create({ role: 'owner' });
        expect(await subject.users.hasOwner()).toBe(true);
        await rejectsWith(subject.users.change({ ...changeOf(owner), role: 'admin' }), 'conflict');
        await rejectsWith(subject.users.disable({ ...changeOf(owner), at: 5 }), 'conflict');
        expect(await subject.users.find(owner.id)).toEqual(owner);
      });

      test('cannot all be demoted: only one of two simultaneous demotions succeeds', async () => {
        const owners = [await create({ role: 'owner' }), await create({ role: 'owner' })];
        const gone = await Promise.all(
          owners.map((owner) => failure(subject.users.change({ ...changeOf(owner), role: 'member' }))),
        );
        expect(gone.filter((error) => error === null)).toHaveLength(1);
        expect(await subject.users.hasOwner()).toBe(true);
      });

      test('do not count as remaining owners while they are disabled', async () => {
        const [first, second] = [await create({ role: 'owner' }), await create({ role: 'owner' })];
        await subject.users.disable({ ...changeOf(first), at: 5 });
        await rejectsWith(subject.users.disable({ ...changeOf(second), at: 5 }), 'conflict');
      });

      test('can only be changed, disabled, enabled or given a reset link by owners', async () => {
        const owner = await create({ role: 'owner' });
        await create({ role: 'owner' });
        const change = changeOf(owner, false);
        await rejectsWith(subject.users.change({ ...change, name: 'x' }), 'forbidden');
        await rejectsWith(subject.users.disable({ ...change, at: 5 }), 'forbidden');
        await rejectsWith(subject.users.enable(change), 'forbidden');
        await rejectsWith(
          subject.users.createLink(newLink('password_reset', { personId: owner.id }, false)),
          'forbidden',
        );
      });
    });

    describe('disabling', () => {
      test('ends all sessions and tokens permanently, keeps its original time when repeated, and can be undone', async () => {
        const created = await create();
        const [session, token] = [newSession(created.id), newToken(created.id)];
        const user = { ...created, lastSeenAt: session.session.createdAt };
        const passwordHash = `hash of ${user.id}`;
        await subject.users.createSession({ ...session, passwordHash, audit: testAudit() });
        await subject.users.createToken(token);
        expect(await subject.users.disable({ ...changeOf(user), at: 5 })).toEqual({ ...user, disabledAt: 5 });
        const entries = await subject.auditCount();
        expect(await subject.users.disable({ ...changeOf(user), at: 6 })).toMatchObject({ disabledAt: 5 });
        expect(await subject.auditCount()).toBe(entries);

        expect(await subject.users.enable(changeOf(user))).toEqual(user);
        expect(await subject.users.findCredential(session.tokenHash, 'session')).toBeNull();
        expect(await subject.users.findCredential(token.tokenHash, 'token')).toBeNull();
        expect(await subject.users.listSessions({ personId: user.id, now: 0, limit: 10 })).toEqual([]);
        expect(await subject.users.listTokens({ personId: user.id, limit: 10 })).toEqual([]);
      });

      test('ends the links created by the user and the password-reset links for the user', async () => {
        const admin = await create({ role: 'admin' });
        const createdBy = { kind: 'person', id: admin.id, name: admin.name } as const;
        const links = [
          newInvitation('new@example.org', { createdBy }),
          newLink('password_reset', { personId: (await create()).id, createdBy }),
          newLink('password_reset', { personId: admin.id }),
        ];
        const kept = newInvitation('other@example.org');
        for (const link of [...links, kept]) await subject.users.createLink(link);
        await subject.users.disable({ ...changeOf(admin), at: 5 });
        for (const { tokenHash } of links) expect(await subject.users.findLink(tokenHash)).toBeNull();
        expect(await subject.users.findLink(kept.tokenHash)).not.toBeNull();
      });
    });

    test('a lower role ends the links created by the user, and any new role ends the password-reset links for the user', async () => {
      const admin = await create({ role: 'admin' });
      const createdBy = { kind: 'person', id: admin.id, name: admin.name } as const;
      const made = newInvitation('new@example.org', { createdBy });
      const reset = newLink('password_reset', { personId: admin.id });
      for (const link of [made, reset]) await subject.users.createLink(link);
      await subject.users.change({ ...changeOf(admin), role: 'owner' });
      expect(await subject.users.findLink(reset.tokenHash)).toBeNull();
      expect(await subject.users.findLink(made.tokenHash)).not.toBeNull();
      await create({ role: 'owner' });
      await subject.users.change({ ...changeOf(admin), role: 'member' });
      expect(await subject.users.findLink(made.tokenHash)).toBeNull();
    });

    test('rights change when a user is disabled, enabled or given a new role, but not when they are renamed', async () => {
      const user = await create();
      const rights = (write: () => Promise<unknown>) => subject.changesRights(write);
      expect(await rights(() => subject.users.change({ ...changeOf(user), role: 'admin' }))).toBe(true);
      expect(await rights(() => subject.users.disable({ ...changeOf(user), at: 5 }))).toBe(true);
      expect(await rights(() => subject.users.enable(changeOf(user)))).toBe(true);
      expect(await rights(() => subject.users.change({ ...changeOf(user), name: 'Grace' }))).toBe(false);
    });

    test('each change is one transaction: if it fails, nothing is changed', async () => {
      const user = await create();
      const audit = await subject.unwritableAudit();
      const change = { ...changeOf(user), audit };
      const rejected = newUser();
      for (const write of [
        () => subject.users.create({ ...rejected, audit }),
        () => subject.users.change({ ...change, name: 'Grace', role: 'owner' }),
        () => subject.users.disable({ ...change, at: 5 }),
      ]) {
        expect(await failure(write())).toBeInstanceOf(Error);
      }
      expect(await subject.users.list({ limit: 10 })).toEqual([user]);
    });
  });
}
