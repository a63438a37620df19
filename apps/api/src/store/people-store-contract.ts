import { describe, expect, test } from 'bun:test';
import { newInvitation, newLink, newPerson, newSession, newToken } from '../testing/people-records.ts';
import { hubRecord, testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, refuses, storeSubject } from '../testing/store-subject.ts';
import type { PersonRecord } from './people-store.ts';

/** What every adapter promises of people. Run it from a test file of the adapter. */
export function describePeopleStore(name: string, open: OpenStoreUnderTest): void {
  describe(`people in the store on ${name}`, () => {
    const subject = storeSubject(open);
    const create = async (over: Partial<PersonRecord> = {}, hubIds: string[] = []): Promise<PersonRecord> =>
      subject.people.create(newPerson(over, hubIds));
    const changeOf = ({ id }: PersonRecord, mayTouchOwners = true) => ({
      personId: id,
      mayTouchOwners,
      audit: testAudit({ action: 'person.changed' }),
    });

    test('somebody who was created is found by id, and for signing in by e-mail address', async () => {
      const { person, ...rest } = newPerson();
      expect(await subject.people.create({ person, ...rest })).toEqual(person);
      expect(await subject.people.find(person.id)).toEqual(person);
      expect(await subject.people.findForSignIn(person.email)).toEqual({ person, passwordHash: rest.passwordHash });
      expect(await subject.people.findPasswordHash(person.id)).toBe(rest.passwordHash);
    });

    test('who is not there is not found', async () => {
      expect(await subject.people.find('usr_none')).toBeNull();
      expect(await subject.people.findForSignIn('none@example.org')).toBeNull();
      expect(await subject.people.findPasswordHash('usr_none')).toBeNull();
      expect(await subject.people.change({ ...changeOf(newPerson().person), name: 'x' })).toBeNull();
      expect(await subject.people.disable({ ...changeOf(newPerson().person), at: 5 })).toBeNull();
      expect(await subject.people.enable(changeOf(newPerson().person))).toBeNull();
    });

    test('of two accounts for one e-mail address at once one is made, and the other leaves nothing', async () => {
      const [first, second] = [newPerson(), newPerson()];
      second.person.email = first.person.email;
      const [, refused] = await Promise.all([subject.people.create(first), failure(subject.people.create(second))]);
      expect(refused).toMatchObject({ code: 'conflict' });
      expect(await subject.people.list({ limit: 10 })).toEqual([first.person]);
    });

    test('the list is newest first, page by page', async () => {
      const people = [await create(), await create(), await create()].reverse();
      expect(await subject.people.list({ limit: 10 })).toEqual(people);
      expect(await subject.people.list({ limit: 1, before: people[0]?.id })).toEqual(people.slice(1, 2));
    });

    test('belongs to the Hubs that were named, but for those that are gone', async () => {
      const [live, deleted] = [hubRecord(), hubRecord()];
      for (const hub of [live, deleted]) await subject.store.hubs.create(hub, testAudit());
      await subject.store.hubs.delete({ hubId: deleted.id, audit: testAudit() });
      const person = await create({}, [live.id, deleted.id, 'hub_none']);
      expect(await subject.store.memberships.listHubIds(person.id)).toEqual([live.id]);
      expect(subject.eventsOf(live.id).map(({ event }) => event)).toEqual(['member.added']);
    });

    test('a change takes the name, the role or both, and one that changes nothing writes nothing', async () => {
      const person = await create();
      expect(await subject.people.change({ ...changeOf(person), name: 'Grace' })).toEqual({ ...person, name: 'Grace' });
      const entries = await subject.auditCount();
      await subject.people.change({ ...changeOf(person), name: 'Grace', role: 'member' });
      expect(await subject.auditCount()).toBe(entries);
      await subject.people.change({ ...changeOf(person), role: 'admin' });
      expect(await subject.people.find(person.id)).toEqual({ ...person, name: 'Grace', role: 'admin' });
    });

    describe('owners', () => {
      test('there is one from the first on, and he who is the only one cannot go', async () => {
        expect(await subject.people.hasOwner()).toBe(false);
        const owner = await create({ role: 'owner' });
        expect(await subject.people.hasOwner()).toBe(true);
        await refuses(subject.people.change({ ...changeOf(owner), role: 'admin' }), 'conflict');
        await refuses(subject.people.disable({ ...changeOf(owner), at: 5 }), 'conflict');
        expect(await subject.people.find(owner.id)).toEqual(owner);
      });

      test('of two who go at once one stays', async () => {
        const owners = [await create({ role: 'owner' }), await create({ role: 'owner' })];
        const gone = await Promise.all(
          owners.map((owner) => failure(subject.people.change({ ...changeOf(owner), role: 'member' }))),
        );
        expect(gone.filter((error) => error === null)).toHaveLength(1);
        expect(await subject.people.hasOwner()).toBe(true);
      });

      test('one who is disabled does not count', async () => {
        const [first, second] = [await create({ role: 'owner' }), await create({ role: 'owner' })];
        await subject.people.disable({ ...changeOf(first), at: 5 });
        await refuses(subject.people.disable({ ...changeOf(second), at: 5 }), 'conflict');
      });

      test('are changed, disabled, enabled and given a reset link by none but owners', async () => {
        const owner = await create({ role: 'owner' });
        await create({ role: 'owner' });
        const change = changeOf(owner, false);
        await refuses(subject.people.change({ ...change, name: 'x' }), 'forbidden');
        await refuses(subject.people.disable({ ...change, at: 5 }), 'forbidden');
        await refuses(subject.people.enable(change), 'forbidden');
        await refuses(subject.people.createLink(newLink('password_reset', { personId: owner.id }, false)), 'forbidden');
      });
    });

    describe('disabling', () => {
      test('ends all sessions and tokens for good, keeps its first time, and can be undone', async () => {
        const created = await create();
        const [session, token] = [newSession(created.id), newToken(created.id)];
        const person = { ...created, lastSeenAt: session.session.createdAt };
        const passwordHash = `hash of ${person.id}`;
        await subject.people.createSession({ ...session, passwordHash, audit: testAudit() });
        await subject.people.createToken(token);
        expect(await subject.people.disable({ ...changeOf(person), at: 5 })).toEqual({ ...person, disabledAt: 5 });
        const entries = await subject.auditCount();
        expect(await subject.people.disable({ ...changeOf(person), at: 6 })).toMatchObject({ disabledAt: 5 });
        expect(await subject.auditCount()).toBe(entries);

        expect(await subject.people.enable(changeOf(person))).toEqual(person);
        expect(await subject.people.findCredential(session.tokenHash, 'session')).toBeNull();
        expect(await subject.people.findCredential(token.tokenHash, 'token')).toBeNull();
        expect(await subject.people.listSessions({ personId: person.id, now: 0, limit: 10 })).toEqual([]);
        expect(await subject.people.listTokens({ personId: person.id, limit: 10 })).toEqual([]);
      });

      test('ends the links that the person has made, and those to set a password for him', async () => {
        const admin = await create({ role: 'admin' });
        const createdBy = { kind: 'person', id: admin.id, name: admin.name } as const;
        const links = [
          newInvitation('new@example.org', { createdBy }),
          newLink('password_reset', { personId: (await create()).id, createdBy }),
          newLink('password_reset', { personId: admin.id }),
        ];
        const kept = newInvitation('other@example.org');
        for (const link of [...links, kept]) await subject.people.createLink(link);
        await subject.people.disable({ ...changeOf(admin), at: 5 });
        for (const { tokenHash } of links) expect(await subject.people.findLink(tokenHash)).toBeNull();
        expect(await subject.people.findLink(kept.tokenHash)).not.toBeNull();
      });
    });

    test('a lower role ends the links that the person has made; a new role those to set a password for him', async () => {
      const admin = await create({ role: 'admin' });
      const createdBy = { kind: 'person', id: admin.id, name: admin.name } as const;
      const made = newInvitation('new@example.org', { createdBy });
      const reset = newLink('password_reset', { personId: admin.id });
      for (const link of [made, reset]) await subject.people.createLink(link);
      await subject.people.change({ ...changeOf(admin), role: 'owner' });
      expect(await subject.people.findLink(reset.tokenHash)).toBeNull();
      expect(await subject.people.findLink(made.tokenHash)).not.toBeNull();
      await create({ role: 'owner' });
      await subject.people.change({ ...changeOf(admin), role: 'member' });
      expect(await subject.people.findLink(made.tokenHash)).toBeNull();
    });

    test('live views are judged again after disabling, enabling and a new role, and not after a new name', async () => {
      const person = await create();
      const rights = (write: () => Promise<unknown>) => subject.changesRights(write);
      expect(await rights(() => subject.people.change({ ...changeOf(person), role: 'admin' }))).toBe(true);
      expect(await rights(() => subject.people.disable({ ...changeOf(person), at: 5 }))).toBe(true);
      expect(await rights(() => subject.people.enable(changeOf(person)))).toBe(true);
      expect(await rights(() => subject.people.change({ ...changeOf(person), name: 'Grace' }))).toBe(false);
    });

    test('each change is one transaction: of one that fails inside, nothing is kept', async () => {
      const person = await create();
      const audit = await subject.takenAudit();
      const change = { ...changeOf(person), audit };
      const refused = newPerson();
      for (const write of [
        () => subject.people.create({ ...refused, audit }),
        () => subject.people.change({ ...change, name: 'Grace', role: 'owner' }),
        () => subject.people.disable({ ...change, at: 5 }),
      ]) {
        expect(await failure(write())).toBeInstanceOf(Error);
      }
      expect(await subject.people.list({ limit: 10 })).toEqual([person]);
    });
  });
}
