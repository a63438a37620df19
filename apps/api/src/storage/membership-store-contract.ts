import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { newItem, newKey, newUser } from '../../test/support/store-records.ts';
import {
  deleteMember,
  insertHub,
  insertItem,
  insertKey,
  insertMember,
  insertUser,
  updateHub,
} from '../../test/support/store-writes.ts';
import type { HubRecord } from './hub-store.ts';
import type { KeyListing } from './key-store.ts';
import type { Store } from './store.ts';
import type { StoreUnderTest } from './store-contract.ts';

/** Describes what every adapter promises about memberships. */
export function describeMembershipStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`memberships on ${name}`, () => {
    let subject: StoreUnderTest;
    let store: Store;
    let hub: HubRecord;
    let key: KeyListing;

    beforeEach(async () => {
      subject = await open();
      store = subject.store;
      hub = await insertHub(store);
      key = await insertKey(store, newKey(hub.id));
    });
    afterEach(() => subject.dispose());

    const createUser = () => insertUser(store, newUser());
    const join = async () => {
      const user = await createUser();
      await insertMember(store, hub.id, user.id);
      return user;
    };
    const eventNames = () => subject.eventsOf(hub.id).map(({ seq, event }) => `${seq} ${event}`);
    test('adding a user twice at the same time creates one membership and one event', async () => {
      const { id } = await createUser();
      const add = () => insertMember(store, hub.id, id);
      const [one, other] = await Promise.all([add(), add()]);
      expect(one).toEqual(other);
      expect(await store.memberships.find(hub.id, id)).toEqual(one);
      expect(eventNames()).toEqual(['1 member.added']);
    });

    test('a removed user is no longer a member, and keeps the to-dos assigned to them', async () => {
      const { id: personId } = await join();
      const { id } = await insertItem(
        store,
        newItem(hub.id, 'usr_other', { kind: 'todo', title: 'Renew', assigneeId: personId }),
      );
      await deleteMember(store, hub.id, personId);
      expect(await store.memberships.find(hub.id, personId)).toBeNull();
      expect(await store.items.find(id)).toMatchObject({ assigneeId: personId });
    });

    describe('lists', () => {
      test('of the members of a Hub show the newest account first, page by page', async () => {
        const [first, second, third] = [await join(), await join(), await join()];
        const other = await insertHub(store);
        await insertMember(store, other.id, first.id);
        const ids = async (page: { limit: number; before?: string; hubId?: string }) =>
          (await store.memberships.listMembers({ hubId: hub.id, ...page })).map(({ user }) => user.id);
        expect(await ids({ limit: 10 })).toEqual([third.id, second.id, first.id]);
        expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
        expect(await ids({ limit: 2, before: second.id })).toEqual([first.id]);
        expect(await ids({ limit: 10, hubId: other.id })).toEqual([first.id]);
        const [newest] = await store.memberships.listMembers({ hubId: hub.id, limit: 1 });
        expect(newest).toMatchObject({ hubId: hub.id, user: third });
      });

      test("of a user's Hubs contain the live ones they are a member of", async () => {
        const user = await join();
        const made = await insertHub(store);
        await insertMember(store, made.id, user.id);
        const deleted = await insertHub(store);
        await insertMember(store, deleted.id, user.id);
        await insertHub(store);
        await updateHub(store, deleted.id, { deletedAt: 1 });
        expect((await store.memberships.listHubIds(user.id)).sort()).toEqual([hub.id, made.id].sort());
        const listed = await store.hubs.list({ limit: 10, filter: 'live', memberId: user.id });
        expect(listed.map(({ id }) => id)).toEqual([made.id, hub.id]);
        const older = await store.hubs.list({ limit: 10, filter: 'live', memberId: user.id, before: made.id });
        expect(older.map(({ id }) => id)).toEqual([hub.id]);
      });

      test("of keys can be limited to a user's live Hubs, newest first, page by page", async () => {
        const user = await join();
        const other = await insertHub(store);
        await insertMember(store, other.id, user.id);
        const foreign = await insertHub(store);
        const [second] = [await insertKey(store, newKey(other.id)), await insertKey(store, newKey(foreign.id))];
        const third = await insertKey(store, newKey(hub.id));
        const ids = async (page: { limit: number; before?: string }) =>
          (await store.keys.list({ ...page, memberId: user.id })).map(({ id }) => id);
        expect(await ids({ limit: 10 })).toEqual([third.id, second.id, key.id]);
        expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
        expect(await ids({ limit: 2, before: second.id })).toEqual([key.id]);
        await updateHub(store, other.id, { deletedAt: 1 });
        expect(await ids({ limit: 10 })).toEqual([third.id, key.id]);
      });
    });
  });
}
