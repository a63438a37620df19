import { beforeEach, describe, expect, test } from 'bun:test';
import { hubRecord, testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, rejectsWith, storeSubject } from '../testing/store-subject.ts';
import { newInvitation, newLink, newSession, newUser } from '../testing/users-records.ts';
import type { NewUser } from './users-store.ts';

/** Describes what every adapter promises about one-time links. Call it from the adapter's test file. */
export function describeLinkStore(name: string, open: OpenStoreUnderTest): void {
  describe(`links in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let known: NewUser;
    beforeEach(async () => {
      known = newUser();
      await subject.users.create(known);
    });
    const made = async (link: ReturnType<typeof newLink>) => {
      await subject.users.createLink(link);
      return link;
    };
    const redeem = ({ tokenHash }: { tokenHash: Uint8Array }, newcomer = newUser()) =>
      subject.users.redeemForUser({
        linkTokenHash: tokenHash,
        newUser: newcomer,
        session: newSession(newcomer.user.id),
      });
    const exists = async ({ tokenHash }: { tokenHash: Uint8Array }) =>
      (await subject.users.findLink(tokenHash)) !== null;

    test('finds a link, as it was created, by the hash of its token', async () => {
      const { link, tokenHash } = await made(newInvitation('new@example.org', { hubIds: ['hub_1', 'hub_2'] }));
      expect(await subject.users.findLink(tokenHash)).toEqual(link);
      expect(await subject.users.findLink(new Uint8Array(32))).toBeNull();
    });

    test('replaces the previous link of the same kind for the same user and e-mail address, and no other', async () => {
      const other = newUser();
      await subject.users.create(other);
      const kept = [
        await made(newInvitation('else@example.org')),
        await made(newLink('password_reset', { personId: other.user.id })),
      ];
      for (const make of [
        () => newLink('setup'),
        () => newInvitation('new@example.org'),
        () => newLink('password_reset', { personId: known.user.id }),
      ]) {
        const [former, next] = [await made(make()), await made(make())];
        expect([await exists(former), await exists(next)]).toEqual([false, true]);
      }
      for (const link of kept) expect(await exists(link)).toBe(true);
    });

    test('rejects the creation of links that could not be used', async () => {
      await rejectsWith(made(newInvitation(known.user.email)), 'conflict');
      await rejectsWith(made(newLink('password_reset', { personId: 'usr_none' })), 'not_found');
      const change = { personId: known.user.id, mayTouchOwners: true, audit: testAudit() };
      await subject.users.disable({ ...change, at: 5 });
      await rejectsWith(made(newLink('password_reset', { personId: known.user.id })), 'conflict');
      await subject.users.create(newUser({ role: 'owner' }));
      await rejectsWith(made(newLink('setup')), 'conflict');
    });

    test('ends the invitations for the e-mail address of a new account, and setup links once there is an owner', async () => {
      const [invitation, setup] = [await made(newInvitation('new@example.org')), await made(newLink('setup'))];
      await subject.users.create(newUser({ email: 'new@example.org' }));
      expect([await exists(invitation), await exists(setup)]).toEqual([false, true]);
      const change = { personId: known.user.id, mayTouchOwners: true, audit: testAudit() };
      await subject.users.change({ ...change, role: 'owner' });
      expect(await exists(setup)).toBe(false);
    });

    test('lists pending invitations newest first, page by page', async () => {
      await made(newLink('setup'));
      const first = await made(newInvitation('a@example.org', { expiresAt: 500 }));
      const second = await made(newInvitation('b@example.org'));
      const ids = async (page: Parameters<typeof subject.users.listInvitations>[0]) =>
        (await subject.users.listInvitations(page)).map(({ id }) => id);
      expect(await ids({ limit: 10, now: 499 })).toEqual([second.link.id, first.link.id]);
      expect(await ids({ limit: 10, now: 500 })).toEqual([second.link.id]);
      expect(await ids({ limit: 10, now: 0, before: second.link.id })).toEqual([first.link.id]);
      expect(await ids({ limit: 1, now: 0 })).toEqual([second.link.id]);
    });

    test('withdraws a pending invitation once, but neither an expired one nor another kind of link', async () => {
      const [open, ended] = [newInvitation('a@example.org'), newInvitation('b@example.org', { expiresAt: 500 })];
      const setup = newLink('setup');
      for (const link of [open, ended, setup]) await made(link);
      const withdraw = (linkId: string) =>
        subject.users.withdrawInvitation({ linkId, now: 500, audit: testAudit({ action: 'invitation.withdrawn' }) });
      const entries = await subject.auditCount();
      for (const { link } of [ended, setup]) expect(await withdraw(link.id)).toBeNull();
      expect(await withdraw(open.link.id)).toEqual(open.link);
      expect(await withdraw(open.link.id)).toBeNull();
      expect(await subject.auditCount()).toBe(entries + 1);
      expect(await exists(open)).toBe(false);
    });

    test('creates the owner, their Hub, the workspace name and their session in one step at setup', async () => {
      const setup = await made(newLink('setup'));
      const owner = newUser({ role: 'owner' });
      const session = newSession(owner.user.id);
      const hub = hubRecord();
      const created = await subject.users.redeemForUser({
        linkTokenHash: setup.tokenHash,
        newUser: owner,
        session,
        hub: { hub, audit: testAudit() },
        workspaceName: 'Example Ltd',
      });
      expect(created).toEqual(owner.user);
      expect(await subject.store.memberships.listHubIds(owner.user.id)).toEqual([hub.id]);
      expect(await subject.store.workspace.find()).toMatchObject({ name: 'Example Ltd' });
      expect(await subject.users.findCredential(session.tokenHash, 'session')).toMatchObject({
        user: { ...owner.user, lastSeenAt: session.session.createdAt },
      });
      expect(await exists(setup)).toBe(false);
    });

    test('redeems a link once when two users try at the same time, and keeps nothing from the other attempt', async () => {
      const link = await made(newInvitation('new@example.org'));
      const [first, second] = [newUser(), newUser()];
      const [, rejected] = await Promise.all([redeem(link, first), failure(redeem(link, second))]);
      expect(rejected).toMatchObject({ code: 'not_found' });
      expect(await subject.users.find(second.user.id)).toBeNull();
    });

    test('keeps the link when redeeming it is rejected', async () => {
      const link = await made(newInvitation('new@example.org'));
      const taken = newUser({ email: known.user.email });
      await rejectsWith(redeem(link, taken), 'conflict');
      expect(await exists(link)).toBe(true);
    });

    test('sets the password with a reset link, and ends all sessions but the new one', async () => {
      const { id } = known.user;
      const [former, next] = [newSession(id), newSession(id)];
      await subject.users.createSession({ ...former, passwordHash: known.passwordHash, audit: testAudit() });
      const reset = await made(newLink('password_reset', { personId: id }));
      const redeemReset = () =>
        subject.users.redeemForPassword({
          linkTokenHash: reset.tokenHash,
          personId: id,
          passwordHash: 'new',
          session: next,
          audit: testAudit({ action: 'password.reset' }),
        });
      expect(await subject.changesRights(redeemReset)).toBe(true);
      expect(await subject.users.findPasswordHash(id)).toBe('new');
      const sessions = await subject.users.listSessions({ personId: id, now: 0, limit: 10 });
      expect(sessions).toEqual([next.session]);
      await rejectsWith(redeemReset(), 'not_found');
    });

    test('prunes links as soon as they have expired, but never a setup link', async () => {
      const ended = await made(newInvitation('a@example.org', { expiresAt: 500 }));
      const going = await made(newInvitation('b@example.org', { expiresAt: 501 }));
      const setup = await made(newLink('setup'));
      await subject.users.prune(500);
      expect([await exists(ended), await exists(going), await exists(setup)]).toEqual([false, true, true]);
    });
  });
}
