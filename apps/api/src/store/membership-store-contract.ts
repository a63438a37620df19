import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Refusal } from '../errors.ts';
import { newPerson } from '../testing/people-records.ts';
import { hubRecord, newKey, newPost, testAudit, testIds } from '../testing/store-records.ts';
import type { ItemRowKind, NewItem } from './item-store.ts';
import type { HubRecord, KeyListing, Store } from './store.ts';
import type { StoreUnderTest } from './store-contract.ts';

/** What every adapter promises of memberships and of the marks up to which members have read. */
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
      key = await store.keys.issue(newKey(hub.id));
    });
    afterEach(() => subject.dispose());

    const createPerson = () => store.people.create(newPerson());
    const change = (personId: string, { hubId = hub.id, at = 5 } = {}) => ({
      hubId,
      personId,
      at,
      audit: testAudit({ action: 'member.added', hubId }),
    });
    const join = async () => {
      const person = await createPerson();
      await store.memberships.add(change(person.id));
      return person;
    };
    const eventNames = () => subject.eventsOf(hub.id).map(({ seq, event }) => `${seq} ${event}`);
    const post = (kind: 'message' | 'note' | 'todo' = 'message', of = key) =>
      store.posts.create(newPost(of, { kind, id: testIds(kind === 'message' ? 'msg' : kind) }));
    const write = (authorId: string, kind: ItemRowKind = 'message', over: Partial<NewItem> = {}) =>
      store.items.create({
        id: testIds('msg'),
        kind,
        hubId: hub.id,
        createdAt: 1,
        authorId,
        title: null,
        body: 'Hello',
        dueAt: null,
        priority: null,
        assigneeId: null,
        parentId: null,
        sourceId: null,
        ...over,
      });
    const unread = async (personId: string, limit = 100) => {
      const membership = await store.memberships.find(hub.id, personId);
      return membership && store.memberships.countUnread(membership, limit);
    };
    const audited = async () => (await store.audit.list({ limit: 100 })).map(({ action }) => action);

    describe('adding', () => {
      test('makes a member, with an event that names the person and an audit entry', async () => {
        const person = await createPerson();
        const made = await store.memberships.add(change(person.id, { at: 77 }));
        expect(made).toMatchObject({ hubId: hub.id, personId: person.id, joinedAt: 77, readSeq: 1 });
        expect(await store.memberships.find(hub.id, person.id)).toEqual(made);
        expect(store.events.read(hub.id, 0, 10)).toMatchObject([
          { seq: 1, at: 77, event: 'member.added', itemId: null, data: { id: person.id, name: person.name } },
        ]);
        expect((await audited())[0]).toBe('member.added');
      });

      test('a member again gives the same, without another event or audit entry', async () => {
        const person = await createPerson();
        const made = await store.memberships.add(change(person.id));
        await post();
        const entries = await audited();
        expect(await store.memberships.add(change(person.id, { at: 99 }))).toEqual(made);
        expect(eventNames()).toEqual(['1 member.added', '2 message.created']);
        expect(await audited()).toEqual(entries);
      });

      test('twice at once makes one member and one event', async () => {
        const person = await createPerson();
        const add = () => store.memberships.add(change(person.id));
        const [one, other] = await Promise.all([add(), add()]);
        expect(one).toEqual(other as NonNullable<typeof other>);
        expect(eventNames()).toEqual(['1 member.added']);
      });

      test('an unknown person, or to an unknown or a deleted Hub, is null and leaves no trace', async () => {
        const person = await createPerson();
        const deleted = await store.hubs.create(hubRecord(), testAudit(), null);
        await store.hubs.delete({ hubId: deleted.id, audit: testAudit() });
        const entries = await audited();
        expect(await store.memberships.add(change('usr_unknown'))).toBeNull();
        expect(await store.memberships.add(change(person.id, { hubId: 'hub_unknown' }))).toBeNull();
        expect(await store.memberships.add(change(person.id, { hubId: deleted.id }))).toBeNull();
        expect(await audited()).toEqual(entries);
        expect(eventNames()).toEqual([]);
      });

      test('somebody who is disabled is a conflict; who was a member before stays one', async () => {
        const [member, other] = [await join(), await createPerson()];
        for (const { id: personId } of [member, other]) {
          await store.people.disable({ personId, mayTouchOwners: true, at: 6, audit: testAudit() });
        }
        const refused = await failure(store.memberships.add(change(other.id)));
        expect((refused as Refusal).code).toBe('conflict');
        expect(await store.memberships.add(change(member.id))).toMatchObject({ personId: member.id, joinedAt: 5 });
        expect(eventNames()).toEqual(['1 member.added']);
      });

      test('is one transaction: if the audit entry cannot be written, nothing is kept', async () => {
        const person = await createPerson();
        const { id } = (await store.audit.list({ limit: 1 }))[0] ?? testAudit();
        const audit = testAudit({ id });
        expect(await failure(store.memberships.add({ ...change(person.id), audit }))).toBeInstanceOf(Error);
        expect(await store.memberships.find(hub.id, person.id)).toBeNull();
        const member = await join();
        expect(await failure(store.memberships.remove({ ...change(member.id), audit }))).toBeInstanceOf(Error);
        expect(await store.memberships.find(hub.id, member.id)).not.toBeNull();
        expect(eventNames()).toEqual(['1 member.added']);
      });
    });

    describe('removing', () => {
      test('ends the membership, with an event and an audit entry, once', async () => {
        const person = await join();
        const removal = () => ({ ...change(person.id), audit: testAudit({ action: 'member.removed' }) });
        expect(await store.memberships.remove(removal())).toBe(true);
        expect(await store.memberships.find(hub.id, person.id)).toBeNull();
        expect(store.events.read(hub.id, 1, 10)).toMatchObject([
          { seq: 2, event: 'member.removed', data: { id: person.id, name: person.name } },
        ]);
        expect((await audited())[0]).toBe('member.removed');
        const entries = await audited();
        expect(await store.memberships.remove(removal())).toBe(false);
        expect(await store.memberships.remove(change('usr_unknown'))).toBe(false);
        expect(await audited()).toEqual(entries);
        expect(eventNames()).toEqual(['1 member.added', '2 member.removed']);
      });

      test('leaves the open to-dos of the person assigned', async () => {
        const person = await join();
        const { id } = await write('usr_other', 'todo', { title: 'Renew', assigneeId: person.id });
        await store.memberships.remove(change(person.id));
        expect(await store.items.find(id)).toMatchObject({ assigneeId: person.id });
      });
    });

    describe('lists', () => {
      test('of members are the newest account first, page by page, and of one Hub', async () => {
        const [first, second, third] = [await join(), await join(), await join()];
        const other = await store.hubs.create(hubRecord(), testAudit(), null);
        await store.memberships.add(change(first.id, { hubId: other.id }));
        const ids = async (page: { limit: number; before?: string; hubId?: string }) =>
          (await store.memberships.listMembers({ hubId: hub.id, ...page })).map(({ person }) => person.id);
        expect(await ids({ limit: 10 })).toEqual([third.id, second.id, first.id]);
        expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
        expect(await ids({ limit: 2, before: second.id })).toEqual([first.id]);
        expect(await ids({ limit: 10, hubId: other.id })).toEqual([first.id]);
        const [newest] = await store.memberships.listMembers({ hubId: hub.id, limit: 1 });
        expect(newest).toMatchObject({ hubId: hub.id, joinedAt: 5, person: third });
      });

      test("of a person's Hubs hold the live ones that he belongs to, also those that he made", async () => {
        const person = await join();
        const made = await store.hubs.create(hubRecord(), testAudit(), person.id);
        const deleted = await store.hubs.create(hubRecord(), testAudit(), person.id);
        await store.hubs.create(hubRecord(), testAudit(), null);
        await store.hubs.delete({ hubId: deleted.id, audit: testAudit() });
        expect((await store.memberships.listHubIds(person.id)).sort()).toEqual([hub.id, made.id].sort());
        const listed = await store.hubs.list({ limit: 10, filter: 'live', memberId: person.id });
        expect(listed.map(({ id }) => id)).toEqual([made.id, hub.id]);
        const older = await store.hubs.list({ limit: 10, filter: 'live', memberId: person.id, before: made.id });
        expect(older.map(({ id }) => id)).toEqual([hub.id]);
      });

      test("of keys can be kept to a person's live Hubs, newest first, page by page", async () => {
        const person = await join();
        const other = await store.hubs.create(hubRecord(), testAudit(), person.id);
        const foreign = await store.hubs.create(hubRecord(), testAudit(), null);
        const [second] = [await store.keys.issue(newKey(other.id)), await store.keys.issue(newKey(foreign.id))];
        const third = await store.keys.issue(newKey(hub.id));
        const ids = async (page: { limit: number; before?: string }) =>
          (await store.keys.list({ ...page, memberId: person.id })).map(({ id }) => id);
        expect(await ids({ limit: 10 })).toEqual([third.id, second.id, key.id]);
        expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
        expect(await ids({ limit: 2, before: second.id })).toEqual([key.id]);
        await store.hubs.delete({ hubId: other.id, audit: testAudit() });
        expect(await ids({ limit: 10 })).toEqual([third.id, key.id]);
      });
    });

    describe('the mark', () => {
      test('of a new member stands at the present: nothing old is unread, all that follows is', async () => {
        for (const kind of ['message', 'note', 'todo'] as const) await post(kind);
        const person = await join();
        expect(await store.memberships.find(hub.id, person.id)).toMatchObject({ readSeq: 4 });
        expect(await unread(person.id)).toBe(0);
        for (const kind of ['message', 'note', 'todo'] as const) await post(kind);
        expect(await unread(person.id)).toBe(3);
      });

      test('of somebody who comes back stands at the present again', async () => {
        const person = await join();
        await store.memberships.remove(change(person.id));
        await post();
        await store.memberships.add(change(person.id));
        expect(await unread(person.id)).toBe(0);
      });

      test('moves forward only, and not beyond the newest event', async () => {
        const person = await join();
        for (let n = 0; n < 3; n += 1) await post();
        const mark = (seq: number) => store.memberships.markRead({ hubId: hub.id, personId: person.id, seq });
        expect(await mark(3)).toMatchObject({ readSeq: 3 });
        expect(await mark(2)).toMatchObject({ readSeq: 3 });
        expect(await mark(0)).toMatchObject({ readSeq: 3 });
        expect(await unread(person.id)).toBe(1);
        expect(await mark(1_000)).toMatchObject({ readSeq: 4 });
        expect(await unread(person.id)).toBe(0);
        await post();
        expect(await unread(person.id)).toBe(1);
      });

      test('is null for who does not belong to the Hub, and in a deleted Hub', async () => {
        const [member, other] = [await join(), await createPerson()];
        const mark = (personId: string, hubId = hub.id) => store.memberships.markRead({ hubId, personId, seq: 1 });
        expect(await mark(other.id)).toBeNull();
        expect(await mark(member.id, 'hub_unknown')).toBeNull();
        await store.hubs.delete({ hubId: hub.id, audit: testAudit() });
        expect(await mark(member.id)).toBeNull();
      });

      test('leaves unread exactly what came after the number, wherever it is set', async () => {
        const [walker, jumper] = [await join(), await join()];
        const other = await store.hubs.create(hubRecord(), testAudit(), null);
        const otherKey = await store.keys.issue(newKey(other.id));
        const [first] = [await write('usr_other')];
        const kinds = ['message', 'note', 'todo'] as const;
        for (let n = 0; n < 40; n += 1) {
          await post(kinds[(n * 7) % 3]);
          if (n % 3 === 0) await post('message', otherKey);
          if (n % 4 === 0) await store.hubs.change({ hubId: hub.id, name: `Hub ${n}`, audit: testAudit() });
          if (n % 5 === 0) await write('usr_other', 'reply', { parentId: first?.id ?? null });
        }
        const counted = subject.itemsOf(hub.id).filter(({ kind }) => kind !== 'reply');
        const newest = subject.eventsOf(hub.id).at(-1)?.seq ?? 0;
        const unreadAfter = async (personId: string, seq: number) => {
          await store.memberships.markRead({ hubId: hub.id, personId, seq });
          return `${seq}: ${await unread(personId)}`;
        };
        const expected = (seq: number) => `${seq}: ${counted.filter((item) => item.seq > seq).length}`;
        for (let seq = 2; seq <= newest; seq += 1) expect(await unreadAfter(walker.id, seq)).toBe(expected(seq));
        for (const seq of [9, 10, 31, 50, newest - 1]) expect(await unreadAfter(jumper.id, seq)).toBe(expected(seq));
      });
    });

    describe('unread', () => {
      test("are items of others: not one's own, not what was deleted, no replies, nothing of another Hub", async () => {
        const [person, other] = [await join(), await join()];
        const elsewhere = await store.hubs.create(hubRecord(), testAudit(), null);
        await post('message', await store.keys.issue(newKey(elsewhere.id)));
        await write(person.id);
        expect(await unread(person.id)).toBe(0);
        const message = await write(other.id);
        await write(other.id, 'reply', { parentId: message.id });
        expect(await unread(person.id)).toBe(1);
        await store.items.delete({ itemId: message.id, at: 9, audit: testAudit() });
        expect(await unread(person.id)).toBe(0);
        expect(await unread(other.id)).toBe(1);
      });

      test('are counted up to the limit', async () => {
        const person = await join();
        for (const kind of ['message', 'note', 'message', 'todo', 'todo'] as const) await post(kind);
        expect(await unread(person.id, 5)).toBe(5);
        expect(await unread(person.id, 4)).toBe(4);
        expect(await unread(person.id, 1)).toBe(1);
      });
    });
  });
}

/** As in store-contract.ts. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
}
