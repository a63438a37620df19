import { beforeEach, describe, expect, test } from 'bun:test';
import { newInvitation, newLink, newPerson, newSession } from '../testing/people-records.ts';
import { hubRecord, testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, refuses, storeSubject } from '../testing/store-subject.ts';
import type { NewPerson } from './people-store.ts';

/** What every adapter promises of links that work once. Run it from a test file of the adapter. */
export function describeLinkStore(name: string, open: OpenStoreUnderTest): void {
  describe(`links in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let known: NewPerson;
    beforeEach(async () => {
      known = newPerson();
      await subject.people.create(known);
    });
    const made = async (link: ReturnType<typeof newLink>) => {
      await subject.people.createLink(link);
      return link;
    };
    const redeem = ({ tokenHash }: { tokenHash: Uint8Array }, newcomer = newPerson()) =>
      subject.people.redeemForPerson({
        linkTokenHash: tokenHash,
        newPerson: newcomer,
        session: newSession(newcomer.person.id),
      });
    const isThere = async ({ tokenHash }: { tokenHash: Uint8Array }) =>
      (await subject.people.findLink(tokenHash)) !== null;

    test('a link is found by the hash of its token as it was given', async () => {
      const { link, tokenHash } = await made(newInvitation('new@example.org', { hubIds: ['hub_1', 'hub_2'] }));
      expect(await subject.people.findLink(tokenHash)).toEqual(link);
      expect(await subject.people.findLink(new Uint8Array(32))).toBeNull();
    });

    test('a new one takes the place of the former of its kind, person and e-mail address, and of no other', async () => {
      const other = newPerson();
      await subject.people.create(other);
      const kept = [
        await made(newInvitation('else@example.org')),
        await made(newLink('password_reset', { personId: other.person.id })),
      ];
      for (const make of [
        () => newLink('setup'),
        () => newInvitation('new@example.org'),
        () => newLink('password_reset', { personId: known.person.id }),
      ]) {
        const [former, next] = [await made(make()), await made(make())];
        expect([await isThere(former), await isThere(next)]).toEqual([false, true]);
      }
      for (const link of kept) expect(await isThere(link)).toBe(true);
    });

    test('none is made that would be of no use', async () => {
      await refuses(made(newInvitation(known.person.email)), 'conflict');
      await refuses(made(newLink('password_reset', { personId: 'usr_none' })), 'not_found');
      const change = { personId: known.person.id, mayTouchOwners: true, audit: testAudit() };
      await subject.people.disable({ ...change, at: 5 });
      await refuses(made(newLink('password_reset', { personId: known.person.id })), 'conflict');
      await subject.people.create(newPerson({ role: 'owner' }));
      await refuses(made(newLink('setup')), 'conflict');
    });

    test('an account ends the invitations for its e-mail address, an owner the set-up links', async () => {
      const [invitation, setup] = [await made(newInvitation('new@example.org')), await made(newLink('setup'))];
      await subject.people.create(newPerson({ email: 'new@example.org' }));
      expect([await isThere(invitation), await isThere(setup)]).toEqual([false, true]);
      const change = { personId: known.person.id, mayTouchOwners: true, audit: testAudit() };
      await subject.people.change({ ...change, role: 'owner' });
      expect(await isThere(setup)).toBe(false);
    });

    test('the list of invitations is newest first, page by page, and without those that have ended', async () => {
      await made(newLink('setup'));
      const first = await made(newInvitation('a@example.org', { expiresAt: 500 }));
      const second = await made(newInvitation('b@example.org'));
      const ids = async (page: Parameters<typeof subject.people.listInvitations>[0]) =>
        (await subject.people.listInvitations(page)).map(({ id }) => id);
      expect(await ids({ limit: 10, now: 499 })).toEqual([second.link.id, first.link.id]);
      expect(await ids({ limit: 10, now: 500 })).toEqual([second.link.id]);
      expect(await ids({ limit: 10, now: 0, before: second.link.id })).toEqual([first.link.id]);
      expect(await ids({ limit: 1, now: 0 })).toEqual([second.link.id]);
    });

    test('an invitation is withdrawn once, and no other link, nor one that has ended', async () => {
      const [open, ended] = [newInvitation('a@example.org'), newInvitation('b@example.org', { expiresAt: 500 })];
      const setup = newLink('setup');
      for (const link of [open, ended, setup]) await made(link);
      const withdraw = (linkId: string) =>
        subject.people.withdrawInvitation({ linkId, now: 500, audit: testAudit({ action: 'invitation.withdrawn' }) });
      const entries = await subject.auditCount();
      for (const { link } of [ended, setup]) expect(await withdraw(link.id)).toBeNull();
      expect(await withdraw(open.link.id)).toEqual(open.link);
      expect(await withdraw(open.link.id)).toBeNull();
      expect(await subject.auditCount()).toBe(entries + 1);
      expect(await isThere(open)).toBe(false);
    });

    test('a set-up makes the owner, his Hub, the name of the workspace and his session in one step', async () => {
      const setup = await made(newLink('setup'));
      const owner = newPerson({ role: 'owner' });
      const session = newSession(owner.person.id);
      const hub = hubRecord();
      const created = await subject.people.redeemForPerson({
        linkTokenHash: setup.tokenHash,
        newPerson: owner,
        session,
        hub: { hub, audit: testAudit() },
        workspaceName: 'Example Ltd',
      });
      expect(created).toEqual(owner.person);
      expect(await subject.store.memberships.listHubIds(owner.person.id)).toEqual([hub.id]);
      expect(await subject.store.workspace()).toMatchObject({ name: 'Example Ltd' });
      expect(await subject.people.findCredential(session.tokenHash, 'session')).toMatchObject({
        person: { ...owner.person, lastSeenAt: session.session.createdAt },
      });
      expect(await isThere(setup)).toBe(false);
    });

    test('of two who redeem one link at once one succeeds, and the other leaves nothing', async () => {
      const link = await made(newInvitation('new@example.org'));
      const [first, second] = [newPerson(), newPerson()];
      const [, refused] = await Promise.all([redeem(link, first), failure(redeem(link, second))]);
      expect(refused).toMatchObject({ code: 'not_found' });
      expect(await subject.people.find(second.person.id)).toBeNull();
    });

    test('a redemption that is refused leaves the link as it was', async () => {
      const link = await made(newInvitation('new@example.org'));
      const taken = newPerson({ email: known.person.email });
      await refuses(redeem(link, taken), 'conflict');
      expect(await isThere(link)).toBe(true);
    });

    test('a reset sets the password, and ends all sessions but the new one', async () => {
      const { id } = known.person;
      const [former, next] = [newSession(id), newSession(id)];
      await subject.people.createSession({ ...former, passwordHash: known.passwordHash, audit: testAudit() });
      const reset = await made(newLink('password_reset', { personId: id }));
      const redeemReset = () =>
        subject.people.redeemForPassword({
          linkTokenHash: reset.tokenHash,
          personId: id,
          passwordHash: 'new',
          session: next,
          audit: testAudit({ action: 'password.reset' }),
        });
      expect(await subject.changesRights(redeemReset)).toBe(true);
      expect(await subject.people.findPasswordHash(id)).toBe('new');
      const sessions = await subject.people.listSessions({ personId: id, now: 0, limit: 10 });
      expect(sessions).toEqual([next.session]);
      await refuses(redeemReset(), 'not_found');
    });

    test('pruning removes links from their end on, and never a set-up link', async () => {
      const ended = await made(newInvitation('a@example.org', { expiresAt: 500 }));
      const going = await made(newInvitation('b@example.org', { expiresAt: 501 }));
      const setup = await made(newLink('setup'));
      await subject.people.prune(500);
      expect([await isThere(ended), await isThere(going), await isThere(setup)]).toEqual([false, true, true]);
    });
  });
}
