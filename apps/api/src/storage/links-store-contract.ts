import { beforeEach, describe, expect, test } from 'bun:test';
import { type NewLink, newInvitation, newLink, newUser } from '../../test/support/store-records.ts';
import { type OpenStoreUnderTest, storeSubject } from '../../test/support/store-subject.ts';
import { insertLink, insertUser } from '../../test/support/store-writes.ts';
import { userActor } from '../context/actor.ts';
import type { Repositories } from './repositories.ts';
import type { UserRecord } from './users-store.ts';

/** Describes what every adapter promises about one-time links. Call it from the adapter's test file. */
export function describeLinkStore(name: string, open: OpenStoreUnderTest): void {
  describe(`links in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let known: UserRecord;
    beforeEach(async () => {
      known = await insertUser(subject.store, newUser());
    });
    const made = async (link: NewLink) => {
      await insertLink(subject.store, link);
      return link;
    };
    const exists = async ({ tokenHash }: NewLink) => (await subject.users.findLink(tokenHash)) !== null;
    const change = (work: (links: Repositories['links']) => Promise<void>) =>
      subject.store.transaction(({ links }) => work(links));

    test('finds a link, as it was created, by the hash of its token or by its id', async () => {
      const { link, tokenHash } = await made(newInvitation('new@example.org', { hubIds: ['hub_1', 'hub_2'] }));
      const findById = (id: string) => subject.store.transaction(({ links }) => links.find(id));
      expect([await subject.users.findLink(tokenHash), await findById(link.id)]).toEqual([link, link]);
      expect([await subject.users.findLink(new Uint8Array(32)), await findById('lnk_none')]).toEqual([null, null]);
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

    test('deletes one link, or those of a kind for one address or user', async () => {
      const other = await insertUser(subject.store, newUser());
      const kept = [
        await made(newInvitation('else@example.org')),
        await made(newLink('password_reset', { personId: other.id })),
      ];
      const [one, invitation, reset, setup] = [
        await made(newInvitation('one@example.org')),
        await made(newInvitation('new@example.org')),
        await made(newLink('password_reset', { personId: known.id })),
        await made(newLink('setup')),
      ];
      await change((links) => links.delete(one.link.id));
      await change((links) => links.deleteMatching({ kind: 'invitation', email: 'new@example.org' }));
      await change((links) => links.deleteMatching({ kind: 'password_reset', personId: known.id }));
      await change((links) => links.deleteMatching({ kind: 'setup' }));
      for (const link of [one, invitation, reset, setup]) expect(await exists(link)).toBe(false);
      for (const link of kept) expect(await exists(link)).toBe(true);
    });

    test('deletes the invitations and reset links that a user has created', async () => {
      const createdBy = userActor(known);
      const links = [
        await made(newInvitation('new@example.org', { createdBy })),
        await made(newLink('password_reset', { personId: known.id, createdBy })),
      ];
      const kept = [await made(newInvitation('other@example.org')), await made(newLink('setup'))];
      await change((each) => each.deleteCreatedBy(known.id));
      for (const link of links) expect(await exists(link)).toBe(false);
      for (const link of kept) expect(await exists(link)).toBe(true);
    });

    test('deletes links as soon as they have expired, but never a setup link', async () => {
      const ended = await made(newInvitation('a@example.org', { expiresAt: 500 }));
      const going = await made(newInvitation('b@example.org', { expiresAt: 501 }));
      const setup = await made(newLink('setup'));
      await change((links) => links.deleteExpired(500));
      expect([await exists(ended), await exists(going), await exists(setup)]).toEqual([false, true, true]);
    });
  });
}
