import { beforeEach, describe, expect, test } from 'bun:test';
import { newSession, newToken, newUser } from '../../test/support/store-records.ts';
import { type OpenStoreUnderTest, storeSubject } from '../../test/support/store-subject.ts';
import { insertSession, insertToken, insertUser } from '../../test/support/store-writes.ts';
import type { Repositories } from './repositories.ts';
import type { UserRecord } from './users-store.ts';

/**
 * Describes what every adapter promises about sessions and personal tokens. Call it from the adapter's test file.
 */
export function describeCredentialStore(name: string, open: OpenStoreUnderTest): void {
  describe(`sessions and tokens in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let owner: UserRecord;
    beforeEach(async () => {
      owner = await insertUser(subject.store, newUser());
    });
    const begun = async (over: Parameters<typeof newSession>[1] = {}, personId = owner.id) => {
      const session = newSession(personId, over);
      await insertSession(subject.store, session);
      return session;
    };
    const made = async (over: Parameters<typeof newToken>[1] = {}, personId = owner.id) => {
      const token = newToken(personId, over);
      await insertToken(subject.store, token);
      return token;
    };
    const tokens = () => subject.users.listTokens({ personId: owner.id, limit: 10 });
    const sessions = async (now = 0) =>
      (await subject.users.listSessions({ personId: owner.id, now, limit: 10 })).map(({ id }) => id);
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
      const page = { personId: owner.id, limit: 1 };
      expect(await subject.users.listSessions({ ...page, now: 0 })).toEqual([second.session]);
      expect(await subject.users.listSessions({ ...page, now: 0, before: second.session.id })).toEqual([first.session]);

      const [old, young] = [await made(), await made()];
      expect(await tokens()).toEqual([young.token, old.token]);
      expect(await subject.users.listTokens({ ...page, before: young.token.id })).toEqual([old.token]);
    });

    test('counts the tokens of a user that have not expired', async () => {
      for (const expiresAt of [null, 500, 501]) await made({ expiresAt });
      await made({}, (await insertUser(subject.store, newUser())).id);
      expect(await subject.store.transaction((tx) => tx.tokens.countValid(owner.id, 500))).toBe(2);
    });

    test('an update changes what it names of this session or token', async () => {
      const { session } = await begun();
      const { token } = await made();
      const used = { lastUsedAt: 400, expiresAt: 1_400, address: '192.0.2.9' };
      expect(await subject.users.passwordGivenAt(session.id)).toBe(session.createdAt);
      await subject.store.transaction(async (tx) => {
        await tx.sessions.update(session.id, used);
        await tx.sessions.update(session.id, { confirmedAt: 300 });
        await tx.tokens.update(token.id, { lastUsedAt: 400, lastUsedAddress: '192.0.2.9' });
      });
      const page = { personId: owner.id, limit: 10 };
      expect(await subject.users.listSessions({ ...page, now: 0 })).toEqual([{ ...session, ...used }]);
      expect(await subject.users.passwordGivenAt(session.id)).toBe(300);
      expect(await subject.users.passwordGivenAt('ses_none')).toBeNull();
      expect(await tokens()).toEqual([{ ...token, lastUsedAt: 400, lastUsedAddress: '192.0.2.9' }]);
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

    test('deletes sessions as soon as they have expired', async () => {
      const [ended, going] = [await begun({ expiresAt: 500 }), await begun({ expiresAt: 501 })];
      await subject.store.transaction((tx) => tx.sessions.deleteExpired(500));
      expect(await sessions(0)).toEqual([going.session.id]);
      expect(await subject.users.findCredentialById(ended.session.id, 'session')).toBeNull();
    });
  });
}
