import { beforeEach, describe, expect, test } from 'bun:test';
import { testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, rejectsWith, storeSubject } from '../testing/store-subject.ts';
import { newLink, newSession, newToken, newUser } from '../testing/users-records.ts';
import type { NewSession, NewUser } from './users-store.ts';

/**
 * Describes what every adapter promises about sessions and personal tokens. Call it from the adapter's test file.
 */
export function describeCredentialStore(name: string, open: OpenStoreUnderTest): void {
  describe(`sessions and tokens in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let owner: NewUser;
    beforeEach(async () => {
      owner = newUser();
      await subject.users.create(owner);
    });
    const begin = (session: NewSession, passwordHash = owner.passwordHash) =>
      subject.users.createSession({ ...session, passwordHash, audit: testAudit() });
    const begun = async (over: Parameters<typeof newSession>[1] = {}) => {
      const session = newSession(owner.user.id, over);
      await begin(session);
      return session;
    };
    const tokens = () => subject.users.listTokens({ personId: owner.user.id, limit: 10 });
    const sessions = async (now = 0) =>
      (await subject.users.listSessions({ personId: owner.user.id, now, limit: 10 })).map(({ id }) => id);
    const disable = () =>
      subject.users.disable({ personId: owner.user.id, mayTouchOwners: true, at: 5, audit: testAudit() });

    test('finds a session and its user by the hash of its token or by its id', async () => {
      const { session, tokenHash } = await begun();
      const user = { ...owner.user, lastSeenAt: session.createdAt };
      const credential = { kind: 'session', id: session.id, expiresAt: 1_000, user } as const;
      expect(await subject.users.findCredential(tokenHash, 'session')).toEqual(credential);
      expect(await subject.users.findCredentialById(session.id, 'session')).toEqual(credential);
      expect(await subject.users.findCredential(tokenHash, 'token')).toBeNull();
      expect(await subject.users.findCredential(new Uint8Array(32), 'session')).toBeNull();
      expect(await subject.users.findCredentialById(session.id, 'token')).toBeNull();
    });

    test('finds a token and its user by its hash or by its id', async () => {
      const { token, tokenHash, audit } = newToken(owner.user.id, { expiresAt: 700 });
      await subject.users.createToken({ token, tokenHash, audit });
      const credential = { kind: 'token', id: token.id, expiresAt: 700, user: owner.user } as const;
      expect(await subject.users.findCredential(tokenHash, 'token')).toEqual(credential);
      expect(await subject.users.findCredentialById(token.id, 'token')).toEqual(credential);
      expect(await subject.users.findCredential(tokenHash, 'session')).toBeNull();
      expect(await tokens()).toEqual([token]);
    });

    test("ends the request's session when the user signs in again", async () => {
      const former = await begun();
      const next = newSession(owner.user.id);
      const replace = () => begin({ ...next, endsTokenHash: former.tokenHash });
      expect(await subject.changesRights(replace)).toBe(true);
      expect(await sessions()).toEqual([next.session.id]);
    });

    test('rejects a new session if the password has changed or the user is disabled', async () => {
      await rejectsWith(begin(newSession(owner.user.id), 'the hash of before'), 'unauthenticated');
      await disable();
      await rejectsWith(begin(newSession(owner.user.id)), 'unauthenticated');
      await rejectsWith(subject.users.createToken(newToken(owner.user.id)), 'unauthenticated');
      expect([await sessions(), await tokens()]).toEqual([[], []]);
    });

    test("lists one user's sessions and tokens newest first, page by page, without expired sessions", async () => {
      const other = newUser();
      await subject.users.create(other);
      await begin(newSession(other.user.id), other.passwordHash);
      await subject.users.createToken(newToken(other.user.id));
      const first = await begun({ expiresAt: 500 });
      const second = await begun();
      expect(await sessions(499)).toEqual([second.session.id, first.session.id]);
      expect(await sessions(500)).toEqual([second.session.id]);
      const page = { personId: owner.user.id, limit: 1 };
      expect(await subject.users.listSessions({ ...page, now: 0 })).toEqual([second.session]);
      expect(await subject.users.listSessions({ ...page, now: 0, before: second.session.id })).toEqual([first.session]);

      const [old, young] = [newToken(owner.user.id), newToken(owner.user.id)];
      for (const token of [old, young]) await subject.users.createToken(token);
      expect(await tokens()).toEqual([young.token, old.token]);
      expect(await subject.users.listTokens({ ...page, before: young.token.id })).toEqual([old.token]);
    });

    test('ends a session or revokes a token once, only for its own user, and reports changed rights', async () => {
      const { session } = await begun();
      const { token, ...rest } = newToken(owner.user.id);
      await subject.users.createToken({ token, ...rest });
      const end = (personId: string) =>
        subject.users.endSession({ personId, sessionId: session.id, audit: testAudit() });
      const revoke = (personId: string) =>
        subject.users.revokeToken({ personId, tokenId: token.id, audit: testAudit() });
      const before = await subject.auditCount();
      expect([await end('usr_other'), await revoke('usr_other')]).toEqual([null, null]);
      expect(await subject.auditCount()).toBe(before);

      expect(await subject.changesRights(async () => expect(await end(owner.user.id)).toEqual(session))).toBe(true);
      expect(await subject.changesRights(async () => expect(await revoke(owner.user.id)).toEqual(token))).toBe(true);
      expect(await subject.auditCount()).toBe(before + 2);
      expect([await end(owner.user.id), await revoke(owner.user.id)]).toEqual([null, null]);
    });

    test('ends all other sessions and all reset links when the password changes, but keeps the tokens', async () => {
      await begun();
      const reset = newLink('password_reset', { personId: owner.user.id });
      await subject.users.createLink(reset);
      const { token, ...rest } = newToken(owner.user.id);
      await subject.users.createToken({ token, ...rest });
      const session = newSession(owner.user.id);
      const change = { personId: owner.user.id, passwordHash: 'new', session, audit: testAudit() };
      const write = () => subject.users.changePassword({ ...change, formerHash: owner.passwordHash });
      expect(await subject.changesRights(write)).toBe(true);
      expect(await subject.users.findPasswordHash(owner.user.id)).toBe('new');
      expect(await sessions()).toEqual([session.session.id]);
      expect(await subject.users.findLink(reset.tokenHash)).toBeNull();
      expect(await tokens()).toEqual([token]);
    });

    test('accepts only one of two simultaneous password changes', async () => {
      const change = (passwordHash: string) =>
        subject.users.changePassword({
          personId: owner.user.id,
          formerHash: owner.passwordHash,
          passwordHash,
          session: newSession(owner.user.id),
          audit: testAudit(),
        });
      const [, second] = await Promise.all([change('one'), failure(change('two'))]);
      expect(second).toMatchObject({ code: 'conflict' });
      expect(await subject.users.findPasswordHash(owner.user.id)).toBe('one');
      expect(await sessions()).toHaveLength(1);
    });

    test('extends a session when it is used and updates the last-seen time, but never moves a time back', async () => {
      const { session, tokenHash } = await begun();
      const { token, ...rest } = newToken(owner.user.id);
      await subject.users.createToken({ token, ...rest });
      const use = { personId: owner.user.id, address: '192.0.2.9' };
      const recordUse = (at: number, expiresAt: number) =>
        subject.users.saveUse([
          { ...use, kind: 'session', id: session.id, at, expiresAt },
          { ...use, kind: 'token', id: token.id, at, expiresAt: null },
        ]);
      await recordUse(400, 1_400);
      await recordUse(300, 1_300);
      const used = { lastUsedAt: 400, expiresAt: 1_400, address: '192.0.2.9' };
      const page = { personId: owner.user.id, limit: 10 };
      expect(await subject.users.listSessions({ ...page, now: 0 })).toEqual([{ ...session, ...used }]);
      expect(await tokens()).toEqual([{ ...token, lastUsedAt: 400, lastUsedAddress: '192.0.2.9' }]);
      expect(await subject.users.findCredential(tokenHash, 'session')).toMatchObject({
        expiresAt: 1_400,
        user: { lastSeenAt: 400 },
      });
    });

    test('does not revive an ended session when its usage is saved late', async () => {
      const { session, tokenHash } = await begun();
      await subject.users.endSession({ personId: owner.user.id, sessionId: session.id, audit: testAudit() });
      const late = { personId: owner.user.id, at: 400, address: 'x', expiresAt: 9_000 };
      await subject.users.saveUse([{ ...late, kind: 'session', id: session.id }]);
      expect(await subject.users.findCredential(tokenHash, 'session')).toBeNull();
    });

    test('prunes sessions as soon as they have expired, but never tokens', async () => {
      const [ended, going] = [await begun({ expiresAt: 500 }), await begun({ expiresAt: 501 })];
      await subject.users.createToken(newToken(owner.user.id, { expiresAt: 400 }));
      await subject.users.prune(500);
      expect(await sessions(0)).toEqual([going.session.id]);
      expect(await subject.users.findCredentialById(ended.session.id, 'session')).toBeNull();
      expect(await tokens()).toHaveLength(1);
    });
  });
}
