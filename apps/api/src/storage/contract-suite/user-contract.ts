import { beforeEach, describe, expect, test } from 'bun:test';
import { named, newSession, newToken, newUser } from '@hub/testkit/storage/store-records';
import { type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import { insertSession, insertToken, insertUser, updateUser } from '@hub/testkit/storage/store-writes';
import type { Repositories } from '../repositories.ts';
import type { UserChanges, UserRecord } from '../users.ts';

/** Describes what every adapter promises about users, their sessions and tokens, and one-time links. */
export function describeUsers(open: OpenStoreUnderTest): void {
  describe('users', () => {
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

    test('no two users share a form of their names, and each form finds its user', async () => {
      const [ada, bob] = [await create(), await create()];
      for (const form of ['caselessName', 'skeletonName']) {
        const keys = { ...named('x'), [form]: ada.id };
        expect((await subject.users.findByName(keys, bob.id))?.id).toBe(ada.id);
        await expect(update(bob, keys)).rejects.toThrow();
      }
    });

    test('the list is newest first, page by page', async () => {
      const users = [await create(), await create(), await create()].reverse();
      expect(await subject.users.list({ limit: 10 })).toEqual(users);
      expect(await subject.users.list({ limit: 1, before: users[0]?.id })).toEqual(users.slice(1, 2));
    });

    test('an update changes what it names of this user, and nothing else', async () => {
      const [user, other] = [await create(), await create()];
      await update(user, { ...named('Grace'), passwordHash: 'new' });
      await update(user, { role: 'admin', disabledAt: 5 });
      for (const at of [3, 4, 2]) await subject.store.transaction(({ users }) => users.seen(user.id, at));
      const changed = { ...user, name: 'Grace', role: 'admin', disabledAt: 5, lastSeenAt: 4 } as const;
      expect(await subject.users.list({ limit: 10 })).toEqual([other, changed]);
      expect(await subject.users.findPasswordHash(user.id)).toBe('new');
    });

    test('rights change when a user is disabled, enabled or given a new role, but not when they are renamed', async () => {
      const user = await create();
      const changesRights = (changes: UserChanges) => subject.changesRights(() => update(user, changes));
      const changes = [{ role: 'admin' }, { disabledAt: 5 }, { disabledAt: null }] as const;
      for (const each of changes) expect(await changesRights(each)).toBe(true);
      expect(await changesRights(named('Grace'))).toBe(false);
    });
  });

  describe('sessions and tokens', () => {
    const subject = storeSubject(open);
    let owner: UserRecord;
    beforeEach(async () => {
      owner = await insertUser(subject.store, newUser());
    });
    const begun = async (over: Parameters<typeof newSession>[1] = {}, userId = owner.id) => {
      const session = newSession(userId, over);
      await insertSession(subject.store, session);
      return session;
    };
    const made = async (over: Parameters<typeof newToken>[1] = {}, userId = owner.id) => {
      const token = newToken(userId, over);
      await insertToken(subject.store, token);
      return token;
    };
    const tokens = () => subject.users.listTokens({ userId: owner.id, limit: 10 });
    const sessions = async (now = 0) =>
      (await subject.users.listSessions({ userId: owner.id, now, limit: 10 })).map(({ id }) => id);
    test('no session begins with a password that is being changed', async () => {
      for (let round = 0; round < 40; round += 1) {
        const user = await insertUser(subject.store, newUser());
        const before = await subject.users.findPasswordHash(user.id);
        const change = () =>
          subject.store.transaction(async (tx) => {
            await tx.users.update(user.id, { passwordHash: 'new' });
            await tx.sessions.deleteAllOf(user.id);
          });
        const signIn = () =>
          subject.store.transaction(async (tx) => {
            const { session, tokenHash } = newSession(user.id);
            const found = await tx.users.findForSignIn(user.email);
            if (found?.passwordHash === before) await tx.sessions.insert(session, tokenHash);
          });
        await Promise.all(round % 2 === 0 ? [signIn(), change(), signIn()] : [change(), signIn(), signIn()]);
        expect(await subject.users.listSessions({ userId: user.id, now: 0, limit: 10 })).toEqual([]);
      }
    });

    const changesRights = (work: (tx: Repositories) => Promise<void>) =>
      subject.changesRights(() => subject.store.transaction(work));

    test('finds a session and its user by the hash of its token or by its id', async () => {
      const { session, tokenHash } = await begun();
      const credential = { kind: 'session', id: session.id, expiresAt: 1_000, user: owner } as const;
      expect(await subject.users.findCredential(tokenHash, 'session')).toEqual(credential);
      expect(await subject.users.findCredentialById(session.id, 'session')).toEqual(credential);
      expect(await subject.users.findCredential(tokenHash, 'token')).toBeNull();
      expect(await subject.users.findCredential(new Uint8Array(32), 'session')).toBeNull();
      expect(await subject.users.findCredentialById(session.id, 'token')).toBeNull();
      expect(await subject.store.transaction((tx) => tx.sessions.find(session.id))).toEqual(session);
      expect(await subject.store.transaction((tx) => tx.sessions.find('ses_none'))).toBeNull();
    });

    test('finds a token and its user by its hash or by its id', async () => {
      const { token, tokenHash } = await made({ expiresAt: 700 });
      const credential = { kind: 'token', id: token.id, expiresAt: 700, user: owner } as const;
      expect(await subject.users.findCredential(tokenHash, 'token')).toEqual(credential);
      expect(await subject.users.findCredentialById(token.id, 'token')).toEqual(credential);
      expect(await subject.users.findCredential(tokenHash, 'session')).toBeNull();
      expect(await subject.store.transaction((tx) => tx.tokens.find(token.id))).toEqual(token);
      expect(await tokens()).toEqual([token]);
    });

    test("lists one user's sessions and tokens newest first, page by page, without expired sessions", async () => {
      const other = await insertUser(subject.store, newUser());
      await begun({}, other.id);
      await made({}, other.id);
      const first = await begun({ expiresAt: 500 });
      const second = await begun();
      expect(await sessions(499)).toEqual([second.session.id, first.session.id]);
      expect(await sessions(500)).toEqual([second.session.id]);
      const page = { userId: owner.id, limit: 1 };
      expect(await subject.users.listSessions({ ...page, now: 0 })).toEqual([second.session]);
      expect(await subject.users.listSessions({ ...page, now: 0, before: second.session.id })).toEqual([first.session]);

      const [old, young] = [await made(), await made()];
      expect(await tokens()).toEqual([young.token, old.token]);
      expect(await subject.users.listTokens({ ...page, before: young.token.id })).toEqual([old.token]);
    });

    test('deletes one session or token, and reports changed rights', async () => {
      const [byId, byHash, kept] = [await begun(), await begun(), await begun()];
      const [revoked, valid] = [await made(), await made()];
      expect(await changesRights((tx) => tx.sessions.delete(byId.session.id))).toBe(true);
      expect(await changesRights((tx) => tx.sessions.deleteByTokenHash(byHash.tokenHash))).toBe(true);
      expect(await changesRights((tx) => tx.tokens.delete(revoked.token.id))).toBe(true);
      expect(await sessions()).toEqual([kept.session.id]);
      expect(await tokens()).toEqual([valid.token]);
    });

    test('deletes all sessions or tokens of one user, and reports changed rights', async () => {
      const other = await insertUser(subject.store, newUser());
      const [session, token] = [await begun({}, other.id), await made({}, other.id)];
      await begun();
      await made();
      expect(await changesRights((tx) => tx.sessions.deleteAllOf(owner.id))).toBe(true);
      expect(await changesRights((tx) => tx.tokens.deleteAllOf(owner.id))).toBe(true);
      expect([await sessions(), await tokens()]).toEqual([[], []]);
      expect(await subject.users.findCredential(session.tokenHash, 'session')).not.toBeNull();
      expect(await subject.users.findCredential(token.tokenHash, 'token')).not.toBeNull();
    });
  });
}
