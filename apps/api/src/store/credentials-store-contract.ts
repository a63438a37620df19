import { beforeEach, describe, expect, test } from 'bun:test';
import { newLink, newPerson, newSession, newToken } from '../testing/people-records.ts';
import { testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, refuses, storeSubject } from '../testing/store-subject.ts';
import type { NewPerson, NewSession } from './people-store.ts';

/** What every adapter promises of sessions and personal tokens. Run it from a test file of the adapter. */
export function describeCredentialStore(name: string, open: OpenStoreUnderTest): void {
  describe(`sessions and tokens in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let owner: NewPerson;
    beforeEach(async () => {
      owner = newPerson();
      await subject.people.create(owner);
    });
    const begin = (session: NewSession, passwordHash = owner.passwordHash) =>
      subject.people.createSession({ ...session, passwordHash, audit: testAudit() });
    const begun = async (over: Parameters<typeof newSession>[1] = {}) => {
      const session = newSession(owner.person.id, over);
      await begin(session);
      return session;
    };
    const tokens = () => subject.people.listTokens({ personId: owner.person.id, limit: 10 });
    const sessions = async (now = 0) =>
      (await subject.people.listSessions({ personId: owner.person.id, now, limit: 10 })).map(({ id }) => id);
    const disable = () =>
      subject.people.disable({ personId: owner.person.id, mayTouchOwners: true, at: 5, audit: testAudit() });

    test('a session leads to its person, by the hash of its token and by its id', async () => {
      const { session, tokenHash } = await begun();
      const person = { ...owner.person, lastSeenAt: session.createdAt };
      const credential = { kind: 'session', id: session.id, expiresAt: 1_000, person } as const;
      expect(await subject.people.findCredential(tokenHash, 'session')).toEqual(credential);
      expect(await subject.people.findCredentialById(session.id, 'session')).toEqual(credential);
      expect(await subject.people.findCredential(tokenHash, 'token')).toBeNull();
      expect(await subject.people.findCredential(new Uint8Array(32), 'session')).toBeNull();
      expect(await subject.people.findCredentialById(session.id, 'token')).toBeNull();
    });

    test('a token leads to its person, by its hash and by its id', async () => {
      const { token, tokenHash, audit } = newToken(owner.person.id, { expiresAt: 700 });
      await subject.people.createToken({ token, tokenHash, audit });
      const credential = { kind: 'token', id: token.id, expiresAt: 700, person: owner.person } as const;
      expect(await subject.people.findCredential(tokenHash, 'token')).toEqual(credential);
      expect(await subject.people.findCredentialById(token.id, 'token')).toEqual(credential);
      expect(await subject.people.findCredential(tokenHash, 'session')).toBeNull();
      expect(await tokens()).toEqual([token]);
    });

    test('a session that begins ends the one that came with the request', async () => {
      const former = await begun();
      const next = newSession(owner.person.id);
      const replace = () => begin({ ...next, endsTokenHash: former.tokenHash });
      expect(await subject.changesRights(replace)).toBe(true);
      expect(await sessions()).toEqual([next.session.id]);
    });

    test('no session begins with a password that has just been changed, nor for somebody just disabled', async () => {
      await refuses(begin(newSession(owner.person.id), 'the hash of before'), 'unauthenticated');
      await disable();
      await refuses(begin(newSession(owner.person.id)), 'unauthenticated');
      await refuses(subject.people.createToken(newToken(owner.person.id)), 'unauthenticated');
      expect([await sessions(), await tokens()]).toEqual([[], []]);
    });

    test('lists are newest first, page by page, of one person, and without the sessions that have ended', async () => {
      const other = newPerson();
      await subject.people.create(other);
      await begin(newSession(other.person.id), other.passwordHash);
      await subject.people.createToken(newToken(other.person.id));
      const first = await begun({ expiresAt: 500 });
      const second = await begun();
      expect(await sessions(499)).toEqual([second.session.id, first.session.id]);
      expect(await sessions(500)).toEqual([second.session.id]);
      const page = { personId: owner.person.id, limit: 1 };
      expect(await subject.people.listSessions({ ...page, now: 0 })).toEqual([second.session]);
      expect(await subject.people.listSessions({ ...page, now: 0, before: second.session.id })).toEqual([
        first.session,
      ]);

      const [old, young] = [newToken(owner.person.id), newToken(owner.person.id)];
      for (const token of [old, young]) await subject.people.createToken(token);
      expect(await tokens()).toEqual([young.token, old.token]);
      expect(await subject.people.listTokens({ ...page, before: young.token.id })).toEqual([old.token]);
    });

    test('only its person ends a session or revokes a token, once, and live views are judged again', async () => {
      const { session } = await begun();
      const { token, ...rest } = newToken(owner.person.id);
      await subject.people.createToken({ token, ...rest });
      const end = (personId: string) =>
        subject.people.endSession({ personId, sessionId: session.id, audit: testAudit() });
      const revoke = (personId: string) =>
        subject.people.revokeToken({ personId, tokenId: token.id, audit: testAudit() });
      const before = await subject.auditCount();
      expect([await end('usr_other'), await revoke('usr_other')]).toEqual([null, null]);
      expect(await subject.auditCount()).toBe(before);

      expect(await subject.changesRights(async () => expect(await end(owner.person.id)).toEqual(session))).toBe(true);
      expect(await subject.changesRights(async () => expect(await revoke(owner.person.id)).toEqual(token))).toBe(true);
      expect(await subject.auditCount()).toBe(before + 2);
      expect([await end(owner.person.id), await revoke(owner.person.id)]).toEqual([null, null]);
    });

    test('a new password ends all sessions and reset links but the new session, and keeps the tokens', async () => {
      await begun();
      const reset = newLink('password_reset', { personId: owner.person.id });
      await subject.people.createLink(reset);
      const { token, ...rest } = newToken(owner.person.id);
      await subject.people.createToken({ token, ...rest });
      const session = newSession(owner.person.id);
      const change = { personId: owner.person.id, passwordHash: 'new', session, audit: testAudit() };
      const write = () => subject.people.changePassword({ ...change, formerHash: owner.passwordHash });
      expect(await subject.changesRights(write)).toBe(true);
      expect(await subject.people.findPasswordHash(owner.person.id)).toBe('new');
      expect(await sessions()).toEqual([session.session.id]);
      expect(await subject.people.findLink(reset.tokenHash)).toBeNull();
      expect(await tokens()).toEqual([token]);
    });

    test('of two changes of one password at once one is done', async () => {
      const change = (passwordHash: string) =>
        subject.people.changePassword({
          personId: owner.person.id,
          formerHash: owner.passwordHash,
          passwordHash,
          session: newSession(owner.person.id),
          audit: testAudit(),
        });
      const [, second] = await Promise.all([change('one'), failure(change('two'))]);
      expect(second).toMatchObject({ code: 'conflict' });
      expect(await subject.people.findPasswordHash(owner.person.id)).toBe('one');
      expect(await sessions()).toHaveLength(1);
    });

    test('use moves the end of a session and is seen at the person, never backwards', async () => {
      const { session, tokenHash } = await begun();
      const { token, ...rest } = newToken(owner.person.id);
      await subject.people.createToken({ token, ...rest });
      const use = { personId: owner.person.id, address: '192.0.2.9' };
      const note = (at: number, expiresAt: number) =>
        subject.people.noteUse([
          { ...use, kind: 'session', id: session.id, at, expiresAt },
          { ...use, kind: 'token', id: token.id, at, expiresAt: null },
        ]);
      await note(400, 1_400);
      await note(300, 1_300);
      const used = { lastUsedAt: 400, expiresAt: 1_400, address: '192.0.2.9' };
      const page = { personId: owner.person.id, limit: 10 };
      expect(await subject.people.listSessions({ ...page, now: 0 })).toEqual([{ ...session, ...used }]);
      expect(await tokens()).toEqual([{ ...token, lastUsedAt: 400, lastUsedAddress: '192.0.2.9' }]);
      expect(await subject.people.findCredential(tokenHash, 'session')).toMatchObject({
        expiresAt: 1_400,
        person: { lastSeenAt: 400 },
      });
    });

    test('use that is written down late brings nothing back that has ended', async () => {
      const { session, tokenHash } = await begun();
      await subject.people.endSession({ personId: owner.person.id, sessionId: session.id, audit: testAudit() });
      const late = { personId: owner.person.id, at: 400, address: 'x', expiresAt: 9_000 };
      await subject.people.noteUse([{ ...late, kind: 'session', id: session.id }]);
      expect(await subject.people.findCredential(tokenHash, 'session')).toBeNull();
    });

    test('pruning removes sessions from their end on, and no token', async () => {
      const [ended, going] = [await begun({ expiresAt: 500 }), await begun({ expiresAt: 501 })];
      await subject.people.createToken(newToken(owner.person.id, { expiresAt: 400 }));
      await subject.people.prune(500);
      expect(await sessions(0)).toEqual([going.session.id]);
      expect(await subject.people.findCredentialById(ended.session.id, 'session')).toBeNull();
      expect(await tokens()).toHaveLength(1);
    });
  });
}
