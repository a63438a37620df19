import { describe, expect, test } from 'bun:test';
import { itemQuery, newItem } from '../testing/item-records.ts';
import { itemSubject } from '../testing/item-subject.ts';
import { newKey, newPost, testAudit } from '../testing/store-records.ts';
import { failure, type OpenStoreUnderTest, rejectsWith } from '../testing/store-subject.ts';
import { insertKey, insertPost, updateHub } from '../testing/store-writes.ts';
import { newUser } from '../testing/users-records.ts';

/** Describes what every adapter promises about items and their changes. Call it from the adapter's test file. */
export function describeItemStore(name: string, open: OpenStoreUnderTest): void {
  describe(`items in the store on ${name}`, () => {
    const { subject, ids, create, reply, find, remove, react, convert, events } = itemSubject(open);

    describe('an item', () => {
      test('is found as it was written, with the names of the users involved', async () => {
        const given = newItem(ids.hubId, ids.ada, {
          kind: 'todo',
          title: 'T',
          dueAt: 5,
          priority: 'LOW',
          assigneeId: ids.bob,
        });
        const made = await subject.store.items.create(given);
        expect(made).toMatchObject({
          ...given,
          seq: 3,
          authorKind: 'person',
          authorName: 'Ada Lovelace',
          assigneeName: 'Bob Kahn',
          status: 'open',
          version: 1,
          deletedAt: null,
          reactions: [],
          repliers: [],
          mentions: [],
        });
        expect(await find(given.id)).toEqual(made);
        expect(await subject.store.items.find('msg_unknown')).toBeNull();
        expect(events()).toEqual(['member.added', 'member.added', 'todo.created']);
      });

      test('has its key as its origin, or no origin if a user wrote it', async () => {
        const key = await insertKey(subject.store, newKey(ids.hubId));
        const post = newPost(key);
        await insertPost(subject.store, post);
        const own = await create();
        expect(await find(post.id)).toMatchObject({
          authorKind: 'bot',
          authorName: 'Bot',
          keyName: 'ci',
          keyId: key.id,
        });
        expect(await subject.store.items.findOrigin(post.id)).toEqual({
          keyId: key.id,
          address: post.address,
          requestId: post.requestId,
        });
        expect(await subject.store.items.findOrigin(own.id)).toBeNull();
        expect(await subject.store.items.findOrigin('msg_unknown')).toBeNull();
      });

      test('cannot be created or changed in a deleted Hub', async () => {
        const made = await create();
        const taken = await create({ id: `${made.id}2` });
        await updateHub(subject.store, ids.hubId, { deletedAt: 1 });
        const before = [events(), await find(made.id), await find(taken.id)];
        const change = { itemId: made.id, at: 200, personId: ids.ada, changes: { body: 'x' } };
        await rejectsWith(create(), 'not_found');
        await rejectsWith(reply(made), 'not_found');
        await rejectsWith(subject.store.items.change(change), 'not_found');
        await rejectsWith(react(made.id, ids.ada), 'not_found');
        await rejectsWith(convert(made.id), 'not_found');
        await rejectsWith(remove(taken.id), 'not_found');
        expect([events(), await find(made.id), await find(taken.id)]).toEqual(before);
      });

      test('rejects every change after its deletion', async () => {
        const { id } = await create();
        await remove(id);
        await rejectsWith(
          subject.store.items.change({ itemId: id, at: 300, personId: ids.ada, changes: { body: 'x' } }),
          'not_found',
        );
        await rejectsWith(react(id, ids.ada), 'not_found');
        await rejectsWith(convert(id), 'not_found');
        await rejectsWith(create({ kind: 'reply', parentId: id }), 'not_found');
        await rejectsWith(remove('msg_unknown'), 'not_found');
      });
    });

    describe('a change', () => {
      const change = (itemId: string, changes: object, baseVersion?: number) =>
        subject.store.items.change({ itemId, at: 200, personId: ids.bob, changes, baseVersion });

      test('raises the version, and is an edit only if it changes the text', async () => {
        const { id } = await create({ kind: 'todo', title: 'T' });
        expect(await change(id, { dueAt: 7, priority: 'LOW' })).toMatchObject({ dueAt: 7, version: 2, editedAt: null });
        const done = await change(id, { status: 'done', assigneeId: ids.ada });
        expect(done).toMatchObject({ finishedAt: 200, finishedById: ids.bob, finishedByName: 'Bob Kahn' });
        expect(done).toMatchObject({ version: 3, editedAt: null });
        const opened = await change(id, { status: 'open' });
        expect(opened).toMatchObject({ version: 4, editedAt: null, finishedAt: null, finishedById: null });
        expect(await change(id, { title: 'U', dueAt: null })).toMatchObject({ title: 'U', version: 5, editedAt: 200 });
      });

      test('of any field is rejected if it is based on an older version', async () => {
        const { id } = await create({ kind: 'todo', title: 'T' });
        const others = [{ status: 'done' }, { assigneeId: ids.ada }, { dueAt: 7 }, { priority: 'LOW' }, { body: 'x' }];
        for (const [index, other] of others.entries()) {
          const base = index + 1;
          const changed = await change(id, other, base);
          expect(changed.version).toBe(base + 1);
          await rejectsWith(change(id, { status: 'open', assigneeId: null }, base), 'conflict');
          expect(await find(id)).toEqual(changed);
        }
      });

      test('that changes nothing writes no event, but is a conflict if it is based on another version', async () => {
        const made = await create({ body: 'x' });
        const before = events();
        expect(await change(made.id, { body: 'x', blocks: null })).toEqual(made);
        await rejectsWith(change(made.id, { body: 'y' }, 2), 'conflict');
        // The conflict is reported even if the change has no effect.
        await rejectsWith(change(made.id, { body: 'x' }, 2), 'conflict');
        expect([events(), await find(made.id)]).toEqual([before, made]);
      });

      test('of the assignee is rejected unless the new assignee is an active member', async () => {
        const made = await create({ kind: 'todo', title: 'T' });
        const stranger = (await subject.users.create(newUser())).id;
        await subject.users.disable({ personId: ids.bob, mayTouchOwners: true, at: 1, audit: testAudit() });
        for (const assigneeId of [stranger, ids.bob, 'usr_unknown'])
          await rejectsWith(change(made.id, { assigneeId }), 'invalid');
        await rejectsWith(create({ kind: 'todo', title: 'T', assigneeId: stranger }), 'invalid');
        await rejectsWith(convert((await create()).id, { assigneeId: stranger }), 'invalid');
        expect(await find(made.id)).toEqual(made);
      });

      test('is rejected if a simultaneous change is based on the same version and comes first', async () => {
        const { id } = await create();
        const outcomes = await Promise.allSettled([change(id, { body: 'a' }, 1), change(id, { body: 'b' }, 1)]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
        expect(await find(id)).toMatchObject({ body: 'a', version: 2 });
      });

      test('is recorded for the search index if it concerns an indexed field or is a deletion', async () => {
        const made = await create({ kind: 'todo', title: 'T' });
        const other = await create();
        await change(made.id, { priority: 'HIGH' });
        expect(subject.touchedRanks()).toEqual([]);
        await change(made.id, { body: 'new words' });
        await change(made.id, { status: 'done' });
        await remove(other.id);
        expect(subject.touchedRanks()).toEqual([made.rank, made.rank, other.rank]);
      });
    });

    describe('a deletion', () => {
      test('removes the item from its list and writes its audit entry, once', async () => {
        const { id } = await create();
        const entries = await subject.auditCount();
        const deleted = await remove(id, 200);
        expect(deleted).toMatchObject({ id, deletedAt: 200 });
        expect(await remove(id, 300)).toEqual(deleted);
        expect(await find(id)).toEqual(deleted);
        expect((await subject.store.items.list(itemQuery([ids.hubId]))).items).toEqual([]);
        expect(await subject.auditCount()).toBe(entries + 1);
        expect(events().filter((event) => event === 'message.deleted')).toHaveLength(1);
      });

      test('changes nothing if its audit entry cannot be written', async () => {
        const made = await create();
        const before = events();
        const audit = await subject.unwritableAudit();
        expect(await failure(subject.store.items.delete({ itemId: made.id, at: 200, audit }))).toBeInstanceOf(Error);
        expect([events(), await find(made.id)]).toEqual([before, made]);
        expect((await subject.store.totals(0)).items).toBe(1);
      });

      test('of a message leaves it in the list until its last reply is deleted', async () => {
        const parent = await create();
        const child = await reply(parent);
        await remove(parent.id);
        const list = async () => (await subject.store.items.list(itemQuery([ids.hubId]))).items.map(({ id }) => id);
        expect(await list()).toEqual([parent.id]);
        await remove(child.id);
        expect(await list()).toEqual([]);
      });
    });
  });
}
