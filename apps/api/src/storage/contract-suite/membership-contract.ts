import { beforeEach, describe, expect, test } from 'bun:test';
import { perKind, type WireKind } from '@hub/contract';
import { newItem, newKey, newPost, newUser, testIds } from '@hub/testkit/storage/store-records';
import { type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import {
  deleteItem,
  deleteMember,
  insertHub,
  insertItem,
  insertKey,
  insertMember,
  insertPost,
  insertUser,
  markRead,
} from '@hub/testkit/storage/store-writes';
import type { HubRecord } from '../hubs.ts';
import type { ItemRowKind, NewItem } from '../items.ts';
import type { KeyListing } from '../keys.ts';

/** Describes what every adapter promises about memberships and read marks. */
export function describeMemberships(open: OpenStoreUnderTest): void {
  describe('memberships', () => {
    const subject = storeSubject(open);
    let hub: HubRecord;

    beforeEach(async () => {
      hub = await insertHub(subject.store);
    });

    const createUser = () => insertUser(subject.store, newUser());
    const join = async () => {
      const user = await createUser();
      await insertMember(subject.store, hub.id, user.id);
      return user;
    };
    const eventNames = async () => (await subject.eventsOf(hub.id)).map(({ seq, event }) => `${seq} ${event}`);
    test('adding a user twice at the same time creates one membership and one event', async () => {
      const { id } = await createUser();
      const add = () => insertMember(subject.store, hub.id, id);
      const [one, other] = await Promise.all([add(), add()]);
      expect(one).toEqual(other);
      expect(await subject.store.memberships.find(hub.id, id)).toEqual(one);
      expect(await eventNames()).toEqual(['1 member.added']);
    });

    test('a removed user is no longer a member, and keeps the to-dos assigned to them', async () => {
      const { id: userId } = await join();
      const { id } = await insertItem(
        subject.store,
        newItem(hub.id, 'usr_other', { kind: 'todo', title: 'Renew', assigneeId: userId }),
      );
      await deleteMember(subject.store, hub.id, userId);
      expect(await subject.store.memberships.find(hub.id, userId)).toBeNull();
      expect(await subject.store.items.find(id)).toMatchObject({ assigneeId: userId });
    });

    describe('lists', () => {});
  });

  describe('read marks', () => {
    const subject = storeSubject(open);
    let hub: HubRecord;
    let key: KeyListing;

    beforeEach(async () => {
      hub = await insertHub(subject.store);
      key = await insertKey(subject.store, newKey(hub.id));
    });

    const createUser = () => insertUser(subject.store, newUser());
    const join = async () => {
      const user = await createUser();
      await insertMember(subject.store, hub.id, user.id);
      return user;
    };
    const post = (kind: WireKind = 'message', of = key) =>
      insertPost(subject.store, newPost(of, { kind, id: testIds(kind === 'message' ? 'msg' : kind) }));
    const write = (authorId: string, kind: ItemRowKind = 'message', over: Partial<NewItem> = {}) =>
      insertItem(subject.store, newItem(hub.id, authorId, { kind, createdAt: 1, ...over }));
    const unread = async (userId: string, limit = 100) => {
      const membership = await subject.store.memberships.find(hub.id, userId);
      if (!membership) return null;
      const { message, note, todo } = await subject.store.memberships.countUnread(membership, limit);
      return Math.min(message + note + todo, limit);
    };

    describe('a read mark', () => {
      test('of a new member is at the newest event: nothing older is unread, everything later is', async () => {
        for (const kind of ['message', 'note', 'todo'] as const) await post(kind);
        const user = await join();
        expect(await subject.store.memberships.find(hub.id, user.id)).toMatchObject({ readSeqs: perKind(() => 4) });
        expect(await unread(user.id)).toBe(0);
        for (const kind of ['message', 'note', 'todo'] as const) await post(kind);
        expect(await unread(user.id)).toBe(3);
      });

      test('moves forward only, and not beyond the newest event', async () => {
        const user = await join();
        for (let n = 0; n < 3; n += 1) await post();
        const mark = (seq: number) => markRead(subject.store, { hubId: hub.id, userId: user.id, seq });
        expect(await mark(3)).toMatchObject({ readSeqs: perKind(() => 3) });
        expect(await mark(2)).toMatchObject({ readSeqs: perKind(() => 3) });
        expect(await mark(0)).toMatchObject({ readSeqs: perKind(() => 3) });
        expect(await unread(user.id)).toBe(1);
        expect(await mark(1_000)).toMatchObject({ readSeqs: perKind(() => 4) });
        expect(await unread(user.id)).toBe(0);
        await post();
        expect(await unread(user.id)).toBe(1);
      });

      test('moves back if asked to, and leaves exactly the items after it unread', async () => {
        const user = await join();
        for (const kind of ['message', 'note', 'message', 'message'] as const) await post(kind);
        const mark = (seq: number, kind?: WireKind) =>
          markRead(subject.store, { hubId: hub.id, userId: user.id, seq, kind, back: true });
        await mark(1_000);
        expect(await mark(3, 'message')).toMatchObject({ readSeqs: { message: 3, note: 5, todo: 5 }, readVersion: 2 });
        expect(await unread(user.id)).toBe(2);
        expect(await mark(4)).toMatchObject({ readSeqs: perKind(() => 4), readVersion: 3 });
        expect(await unread(user.id)).toBe(1);
        expect(await mark(0)).toMatchObject({ readSeqs: perKind(() => 0), readVersion: 4 });
        expect(await unread(user.id)).toBe(4);
      });

      test('for one kind moves independently, and setting the marks for all kinds moves none of them back', async () => {
        const user = await join();
        for (const kind of ['note', 'message', 'todo', 'message', 'note'] as const) await post(kind);
        const mark = (seq: number, kind?: WireKind) =>
          markRead(subject.store, { hubId: hub.id, userId: user.id, seq, kind });
        const left = async () => {
          const membership = await subject.store.memberships.find(hub.id, user.id);
          return membership && subject.store.memberships.countUnread(membership, 100);
        };
        expect(await mark(5, 'message')).toMatchObject({ readSeqs: { message: 5, note: 1, todo: 1 } });
        expect(await left()).toEqual({ message: 0, note: 2, todo: 1 });
        expect(await mark(5, 'note')).toMatchObject({ readSeqs: { message: 5, note: 5, todo: 1 } });
        expect(await left()).toEqual({ message: 0, note: 1, todo: 1 });
        expect(await mark(4)).toMatchObject({ readSeqs: { message: 5, note: 5, todo: 4 } });
        expect(await mark(2, 'todo')).toMatchObject({ readSeqs: { message: 5, note: 5, todo: 4 } });
        expect(await mark(1_000)).toMatchObject({ readSeqs: { message: 6, note: 6, todo: 6 } });
        expect(await left()).toEqual({ message: 0, note: 0, todo: 0 });
      });

      test('leaves exactly the later items unread, at any sequence number', async () => {
        const [walker, jumper, reader] = [await join(), await join(), await join()];
        const other = await insertHub(subject.store);
        const otherKey = await insertKey(subject.store, newKey(other.id));
        const [first] = [await write('usr_other')];
        const kinds = ['message', 'note', 'todo'] as const;
        const event = { hubId: hub.id, event: 'hub.changed', itemId: null, data: {} };
        for (let n = 0; n < 40; n += 1) {
          await post(kinds[(n * 7) % 3]);
          if (n % 3 === 0) await post('message', otherKey);
          if (n % 4 === 0) await subject.store.transaction(({ events }) => events.append({ ...event, at: n }));
          if (n % 5 === 0) await write('usr_other', 'reply', { parentId: first?.id ?? null });
        }
        const counted = (await subject.itemsOf(hub.id)).filter(({ kind }) => kind !== 'reply');
        const newest = (await subject.eventsOf(hub.id)).at(-1)?.seq ?? 0;
        const unreadAfter = async (userId: string, seq: number) => {
          await markRead(subject.store, { hubId: hub.id, userId, seq });
          return `${seq}: ${await unread(userId)}`;
        };
        const expected = (seq: number) => `${seq}: ${counted.filter((item) => item.seq > seq).length}`;
        for (let seq = 2; seq <= newest; seq += 1) expect(await unreadAfter(walker.id, seq)).toBe(expected(seq));
        for (const seq of [9, 10, 31, 50, newest - 1]) expect(await unreadAfter(jumper.id, seq)).toBe(expected(seq));
        for (const seq of [10, 31, newest - 1]) {
          for (const kind of kinds) {
            const mark = await markRead(subject.store, { hubId: hub.id, userId: reader.id, seq, kind });
            const left = counted.filter((item) => item.kind === kind && item.seq > seq).length;
            expect((await subject.store.memberships.countUnread(mark, 100))[kind]).toBe(left);
          }
        }
      });
    });

    describe('unread items', () => {
      test('are those by others in this Hub, except deleted items and replies', async () => {
        const [user, other] = [await join(), await join()];
        const elsewhere = await insertHub(subject.store);
        await post('message', await insertKey(subject.store, newKey(elsewhere.id)));
        await write(user.id);
        expect(await unread(user.id)).toBe(0);
        const message = await write(other.id);
        await write(other.id, 'reply', { parentId: message.id });
        expect(await unread(user.id)).toBe(1);
        await deleteItem(subject.store, message.id, 9);
        expect(await unread(user.id)).toBe(0);
        expect(await unread(other.id)).toBe(1);
      });
    });
  });
}
