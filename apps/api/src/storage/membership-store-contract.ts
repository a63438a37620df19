import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { perKind } from '@hub/contract';
import type { AppError } from '../errors.ts';
import { newItem } from '../testing/item-records.ts';
import { hubRecord, newKey, newPost, testAudit, testIds } from '../testing/store-records.ts';
import { insertKey, insertPost } from '../testing/store-writes.ts';
import { newUser } from '../testing/users-records.ts';
import type { HubRecord } from './records.ts';
import type { KeyListing, Store } from './store.ts';
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
      hub = await store.hubs.create(hubRecord(), testAudit(), null);
      key = await insertKey(store, newKey(hub.id));
    });
    afterEach(() => subject.dispose());

    const createUser = () => store.users.create(newUser());
    const change = (personId: string, { hubId = hub.id, at = 5 } = {}) => ({
      hubId,
      personId,
      at,
      audit: testAudit({ action: 'member.added', hubId }),
    });
    const join = async () => {
      const user = await createUser();
      await store.memberships.add(change(user.id));
      return user;
    };
    const eventNames = () => subject.eventsOf(hub.id).map(({ seq, event }) => `${seq} ${event}`);
    const post = (kind: 'message' | 'note' | 'todo' = 'message', of = key) =>
      insertPost(store, newPost(of, { kind, id: testIds(kind === 'message' ? 'msg' : kind) }));
    const audited = async () => (await store.audit.list({ limit: 100 })).map(({ action }) => action);

    describe('adding', () => {
      test('creates a membership, an audit entry and an event that names the user', async () => {
        const user = await createUser();
        const made = await store.memberships.add(change(user.id, { at: 77 }));
        expect(made).toMatchObject({ hubId: hub.id, personId: user.id, joinedAt: 77, readSeqs: perKind(() => 1) });
        expect(await store.memberships.find(hub.id, user.id)).toEqual(made);
        expect(store.events.read(hub.id, 0, 10)).toMatchObject([
          { seq: 1, at: 77, event: 'member.added', itemId: null, data: { id: user.id, name: user.name } },
        ]);
        expect((await audited())[0]).toBe('member.added');
      });

      test('a member again returns the same membership, without another event or audit entry', async () => {
        const user = await createUser();
        const made = await store.memberships.add(change(user.id));
        await post();
        const entries = await audited();
        expect(await store.memberships.add(change(user.id, { at: 99 }))).toEqual(made);
        expect(eventNames()).toEqual(['1 member.added', '2 message.created']);
        expect(await audited()).toEqual(entries);
      });

      test('a user twice at the same time creates one membership and one event', async () => {
        const user = await createUser();
        const add = () => store.memberships.add(change(user.id));
        const [one, other] = await Promise.all([add(), add()]);
        expect(one).toEqual(other as NonNullable<typeof other>);
        expect(eventNames()).toEqual(['1 member.added']);
      });

      test('an unknown user, or a user to an unknown or deleted Hub, returns null and changes nothing', async () => {
        const user = await createUser();
        const deleted = await store.hubs.create(hubRecord(), testAudit(), null);
        await store.hubs.delete({ hubId: deleted.id, audit: testAudit() });
        const entries = await audited();
        expect(await store.memberships.add(change('usr_unknown'))).toBeNull();
        expect(await store.memberships.add(change(user.id, { hubId: 'hub_unknown' }))).toBeNull();
        expect(await store.memberships.add(change(user.id, { hubId: deleted.id }))).toBeNull();
        expect(await audited()).toEqual(entries);
        expect(eventNames()).toEqual([]);
      });

      test('a disabled user is a conflict, unless they are already a member', async () => {
        const [member, other] = [await join(), await createUser()];
        for (const { id: personId } of [member, other]) {
          await store.users.disable({ personId, mayTouchOwners: true, at: 6, audit: testAudit() });
        }
        const rejected = await failure(store.memberships.add(change(other.id)));
        expect((rejected as AppError).code).toBe('conflict');
        expect(await store.memberships.add(change(member.id))).toMatchObject({ personId: member.id, joinedAt: 5 });
        expect(eventNames()).toEqual(['1 member.added']);
      });

      test('is one transaction: nothing is kept if the audit entry cannot be written', async () => {
        const user = await createUser();
        const { id } = (await store.audit.list({ limit: 1 }))[0] ?? testAudit();
        const audit = testAudit({ id });
        expect(await failure(store.memberships.add({ ...change(user.id), audit }))).toBeInstanceOf(Error);
        expect(await store.memberships.find(hub.id, user.id)).toBeNull();
        const member = await join();
        expect(await failure(store.memberships.remove({ ...change(member.id), audit }))).toBeInstanceOf(Error);
        expect(await store.memberships.find(hub.id, member.id)).not.toBeNull();
        expect(eventNames()).toEqual(['1 member.added']);
      });
    });

    describe('removing', () => {
      test('ends the membership once, with an event and an audit entry', async () => {
        const user = await join();
        const removal = () => ({ ...change(user.id), audit: testAudit({ action: 'member.removed' }) });
        expect(await store.memberships.remove(removal())).toBe(true);
        expect(await store.memberships.find(hub.id, user.id)).toBeNull();
        expect(store.events.read(hub.id, 1, 10)).toMatchObject([
          { seq: 2, event: 'member.removed', data: { id: user.id, name: user.name } },
        ]);
        expect((await audited())[0]).toBe('member.removed');
        const entries = await audited();
        expect(await store.memberships.remove(removal())).toBe(false);
        expect(await store.memberships.remove(change('usr_unknown'))).toBe(false);
        expect(await audited()).toEqual(entries);
        expect(eventNames()).toEqual(['1 member.added', '2 member.removed']);
      });

      test('a user leaves their open to-dos assigned to them', async () => {
        const user = await join();
        const { id } = await store.items.create(
          newItem(hub.id, 'usr_other', { kind: 'todo', title: 'Renew', assigneeId: user.id }),
        );
        await store.memberships.remove(change(user.id));
        expect(await store.items.find(id)).toMatchObject({ assigneeId: user.id });
      });
    });

    describe('lists', () => {
      test('of the members of a Hub show the newest account first, page by page', async () => {
        const [first, second, third] = [await join(), await join(), await join()];
        const other = await store.hubs.create(hubRecord(), testAudit(), null);
        await store.memberships.add(change(first.id, { hubId: other.id }));
        const ids = async (page: { limit: number; before?: string; hubId?: string }) =>
          (await store.memberships.listMembers({ hubId: hub.id, ...page })).map(({ user }) => user.id);
        expect(await ids({ limit: 10 })).toEqual([third.id, second.id, first.id]);
        expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
        expect(await ids({ limit: 2, before: second.id })).toEqual([first.id]);
        expect(await ids({ limit: 10, hubId: other.id })).toEqual([first.id]);
        const [newest] = await store.memberships.listMembers({ hubId: hub.id, limit: 1 });
        expect(newest).toMatchObject({ hubId: hub.id, joinedAt: 5, user: third });
      });

      test("of a user's Hubs contain the live ones they are a member of, including those they created", async () => {
        const user = await join();
        const made = await store.hubs.create(hubRecord(), testAudit(), user.id);
        const deleted = await store.hubs.create(hubRecord(), testAudit(), user.id);
        await store.hubs.create(hubRecord(), testAudit(), null);
        await store.hubs.delete({ hubId: deleted.id, audit: testAudit() });
        expect((await store.memberships.listHubIds(user.id)).sort()).toEqual([hub.id, made.id].sort());
        const listed = await store.hubs.list({ limit: 10, filter: 'live', memberId: user.id });
        expect(listed.map(({ id }) => id)).toEqual([made.id, hub.id]);
        const older = await store.hubs.list({ limit: 10, filter: 'live', memberId: user.id, before: made.id });
        expect(older.map(({ id }) => id)).toEqual([hub.id]);
      });

      test("of keys can be limited to a user's live Hubs, newest first, page by page", async () => {
        const user = await join();
        const other = await store.hubs.create(hubRecord(), testAudit(), user.id);
        const foreign = await store.hubs.create(hubRecord(), testAudit(), null);
        const [second] = [await insertKey(store, newKey(other.id)), await insertKey(store, newKey(foreign.id))];
        const third = await insertKey(store, newKey(hub.id));
        const ids = async (page: { limit: number; before?: string }) =>
          (await store.keys.list({ ...page, memberId: user.id })).map(({ id }) => id);
        expect(await ids({ limit: 10 })).toEqual([third.id, second.id, key.id]);
        expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
        expect(await ids({ limit: 2, before: second.id })).toEqual([key.id]);
        await store.hubs.delete({ hubId: other.id, audit: testAudit() });
        expect(await ids({ limit: 10 })).toEqual([third.id, key.id]);
      });
    });
  });
}

/** See `failure` in store-contract.ts. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
}
