import { describe, expect, test } from 'bun:test';
import { itemQuery, newItem, newKey, newPost } from '@hub/testkit/storage/store-records';
import { itemSubject, type OpenStoreUnderTest } from '@hub/testkit/storage/store-subject';
import { insertItem, insertKey, insertPost } from '@hub/testkit/storage/store-writes';
import type { ItemContent, ItemRecord, ItemUpdate } from '../items.ts';

/** Describes what every adapter promises about items and their changes. */
export function describeItems(open: OpenStoreUnderTest): void {
  describe('items', () => {
    const { subject, ids, create, reply, find, remove, events } = itemSubject(open);
    const update = (item: ItemRecord, changes: ItemUpdate, at = 200) =>
      subject.store.transaction(({ items }) => items.update(item, changes, at));

    describe('an item', () => {
      test('is found as it was written, with the names of the users involved', async () => {
        const given = newItem(ids.hubId, ids.ada, {
          kind: 'todo',
          title: 'T',
          dueAt: 5,
          priority: 'LOW',
          assigneeId: ids.bob,
        });
        const made = await insertItem(subject.store, given);
        expect(made).toMatchObject({
          ...given,
          seq: 3,
          authorKind: 'user',
          authorName: 'Ada Lovelace',
          assigneeName: 'Bob Kahn',
          status: 'open',
          version: 1,
          deletedAt: null,
          deletedById: null,
          reactions: [],
          repliers: [],
          mentions: [],
        });
        expect(await find(given.id)).toEqual(made);
        expect(await subject.store.items.find('msg_unknown')).toBeNull();
        expect(await events()).toEqual(['member.added', 'member.added', 'todo.created']);
      });

      test('that was posted has all that the post contains', async () => {
        const key = await insertKey(subject.store, newKey(ids.hubId));
        const content: Record<keyof ItemContent, string | number> = {
          title: 'Title',
          body: 'Body',
          blocks: '[]',
          dueAt: 5,
          priority: 'LOW',
        };
        const post = newPost(key, { kind: 'todo', ...(content as ItemContent) });
        await insertPost(subject.store, post);
        expect(await find(post.id)).toMatchObject(content);
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
    });

    describe('an update', () => {
      test('changes the given fields and keeps the others', async () => {
        const made = await create({ kind: 'todo', title: 'T', assigneeId: ids.bob });
        const other = await create();
        const edit = { title: 'U', body: null, editedAt: 5, editedByKind: 'user', editedById: ids.bob } as const;
        const completion = { status: 'done', finishedAt: 6, finishedById: ids.ada } as const;
        await update(made, { ...edit, ...completion, version: 2 });
        const names = { editedByName: 'Bob Kahn', finishedByName: 'Ada Lovelace' };
        expect(await find(made.id)).toEqual({ ...made, ...edit, ...completion, ...names, version: 2 });
        await update(made, { assigneeId: null, finishedById: null });
        expect(await find(made.id)).toMatchObject({ title: 'U', assigneeName: null, finishedByName: null });
        expect(await find(other.id)).toEqual(other);
      });
    });

    describe('a deleted item', () => {
      const listed = async () => (await subject.store.items.list(itemQuery([ids.hubId]))).items.map(({ id }) => id);

      test('is found, but not listed; a message stays in the list until its last reply is deleted', async () => {
        const [lone, parent] = [await create(), await create()];
        const child = await reply(parent);
        for (const { id } of [lone, parent]) await remove(id, 200);
        expect(await find(lone.id)).toEqual({ ...lone, deletedAt: 200 });
        expect(await listed()).toEqual([parent.id]);
        await remove(child.id);
        expect(await listed()).toEqual([]);
      });

      test('is no longer restored with a removal that it has left', async () => {
        const key = await insertKey(subject.store, newKey(ids.hubId));
        const [kept, left] = [newPost(key), newPost(key)];
        for (const post of [kept, left]) await insertPost(subject.store, post);
        const globalSeqs = [(await find(kept.id)).globalSeq, (await find(left.id)).globalSeq];
        const removal = { removalId: 'rmv_1', keyId: key.id, at: 5 };
        await subject.store.transaction((tx) => tx.removals.deletePosts(removal, globalSeqs));
        const leave = (id: string) => subject.store.transaction((tx) => tx.items.leaveRemoval(id));
        expect([await leave(left.id), await leave(left.id)]).toEqual([true, false]);
        await subject.store.transaction((tx) => tx.removals.restorePosts(removal, 10));
        expect(await listed()).toEqual([kept.id]);
      });
    });

    describe('replies', () => {
      test('name the writers of a thread: who started it, and who wrote the newest replies, deleted or not', async () => {
        const writers = async (message: { id: string }, max: number) =>
          (await subject.store.transaction(({ items }) => items.listThreadWriters(message.id, max))).toSorted();
        const parent = await create();
        const { id } = await reply(parent, { authorId: ids.bob });
        await remove(id);
        expect(await writers(parent, 1)).toEqual([ids.ada, ids.bob].toSorted());
        await reply(parent);
        expect(await writers(parent, 1)).toEqual([ids.ada]);
        expect(await writers(parent, 2)).toEqual([ids.ada, ids.bob].toSorted());
        const post = newPost(await insertKey(subject.store, newKey(ids.hubId)));
        await insertPost(subject.store, post);
        expect(await writers(post, 1)).toEqual([]);
      });
    });

    test('reactions are grouped by emoji, oldest first, and removed one by one', async () => {
      const { id: itemId } = await create();
      const given = [
        { itemId, emoji: '👍', userId: ids.bob },
        { itemId, emoji: '🎉', userId: ids.bob },
        { itemId, emoji: '👍', userId: ids.ada },
      ];
      for (const [at, reaction] of given.entries()) {
        await subject.store.transaction(({ items }) => items.insertReaction({ ...reaction, at }));
      }
      const party = { emoji: '🎉', userIds: [ids.bob] };
      expect((await find(itemId)).reactions).toEqual([{ emoji: '👍', userIds: [ids.bob, ids.ada] }, party]);
      await subject.store.transaction(({ items }) => items.deleteReaction({ itemId, emoji: '👍', userId: ids.bob }));
      expect((await find(itemId)).reactions).toEqual([party, { emoji: '👍', userIds: [ids.ada] }]);
    });
  });
}
