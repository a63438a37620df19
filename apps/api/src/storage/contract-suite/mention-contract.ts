import { describe, expect, test } from 'bun:test';
import { newKey, newPost } from '@hub/testkit/storage/store-records';
import { itemSubject, type OpenStoreUnderTest } from '@hub/testkit/storage/store-subject';
import { insertKey, insertPost, markRead } from '@hub/testkit/storage/store-writes';
import type { Repositories } from '../repositories.ts';

/** Describes what every adapter promises about mentions, replies to a user, and which of them the user has read. */
export function describeMentions(open: OpenStoreUnderTest): void {
  describe('mentions and replies to a user', () => {
    const { subject, ids, create, find, reply, remove } = itemSubject(open);
    const { ada, bob } = { ada: () => ids.ada, bob: () => ids.bob };
    const change = <T>(work: (mentions: Repositories['mentions']) => Promise<T>) =>
      subject.store.transaction(({ mentions }) => work(mentions));
    const unread = (userId: string, limit = 100) =>
      subject.store.mentions.unreadIds({ userId, hubId: ids.hubId, limit });
    const listed = async (userId: string) => {
      const page = await subject.store.items.listMentioning({ userId, hubIds: [ids.hubId], limit: 100 });
      return page.items.map(({ id }) => (page.unreadIds.includes(id) ? id : `${id} read`));
    };
    const markHub = (userId: string, kind?: 'message' | 'note' | 'todo') =>
      markRead(subject.store, { hubId: ids.hubId, userId, seq: 1_000, kind });

    test('are items that mention the user, and replies in threads they started or wrote in, each listed once', async () => {
      const begun = await create({ authorId: bob() });
      const foreign = await create();
      const response = await reply(begun, { body: 'and @Bob' });
      const elsewhere = await reply(foreign);
      const joined = await reply(foreign, { authorId: bob() });
      const further = await reply(foreign);
      const named = await create({ body: '@Bob Kahn' });
      expect(await listed(bob())).toEqual([named.id, further.id, response.id]);
      expect(await unread(bob())).toEqual([named.id, further.id, response.id]);
      expect(await unread(bob(), 2)).toEqual([named.id, further.id]);
      expect(await listed(ada())).toEqual([joined.id]);
      expect(await subject.store.mentions.threadParticipants(further.id)).toEqual([bob()]);
      expect(await subject.store.mentions.threadParticipants(elsewhere.id)).toEqual([]);
    });

    test('are marked as read, except replies, when the read mark of their kind or of the whole Hub moves past them', async () => {
      const kinds = ['message', 'note', 'todo'] as const;
      const [message, note, todo] = await Promise.all(
        kinds.map((kind) => create({ kind, title: kind === 'message' ? null : 'T', body: '@Bob' })),
      );
      if (!message || !note || !todo) throw new Error('Expected three items');
      const response = await reply(message, { body: '@Bob' });
      const lastMention = await create({ body: '@Bob' });
      const left = async () => (await unread(bob())).toSorted();
      await markRead(subject.store, {
        hubId: ids.hubId,
        userId: bob(),
        seq: response.seq,
        kind: 'message',
      });
      expect(await left()).toEqual([note.id, todo.id, response.id, lastMention.id].toSorted());
      await markHub(bob(), 'note');
      expect(await left()).toEqual([todo.id, response.id, lastMention.id].toSorted());
      await markHub(bob());
      expect(await left()).toEqual([response.id]);
    });

    test('are marked as read one by one, up to a given globalSeq, or in a thread up to a given event', async () => {
      const parent = await create({ authorId: bob() });
      const [one, two, three] = [await reply(parent), await reply(parent), await reply(parent)];
      const named = await create({ body: '@Bob' });
      const thread = { userId: bob(), hubId: ids.hubId, messageId: parent.id, seq: one.seq };
      await change((mentions) => mentions.markThreadRead(thread));
      expect(await unread(bob())).toEqual([named.id, three.id, two.id]);
      await change((mentions) => mentions.markThreadRead({ ...thread, hubId: 'hub_unknown', seq: 1_000 }));
      await change((mentions) => mentions.markThreadRead({ ...thread, messageId: named.id, seq: named.seq }));
      await change((mentions) => mentions.markRead({ userId: bob(), itemIds: [three.id, one.id, 'msg_unknown'] }));
      await change((mentions) => mentions.markRead({ userId: ada(), itemIds: [two.id] }));
      expect(await unread(bob())).toEqual([two.id]);
      await change((mentions) => mentions.markReadUpTo({ userId: bob(), globalSeq: one.globalSeq }));
      expect(await unread(bob())).toEqual([two.id]);
      await change((mentions) => mentions.markReadUpTo({ userId: bob(), globalSeq: three.globalSeq }));
      expect(await unread(bob())).toEqual([]);
    });

    test('become unread again one by one, except those in other Hubs and of the user', async () => {
      const parent = await create({ authorId: bob() });
      const [one, two] = [await reply(parent), await reply(parent)];
      const own = await create({ authorId: bob(), body: '@Bob' });
      await change((mentions) => mentions.markHub({ userId: bob(), hubId: ids.hubId }));
      const itemIds = [one.id, own.id, 'msg_unknown'];
      await change((mentions) => mentions.markUnread({ userId: bob(), hubId: 'hub_unknown', itemIds: [two.id] }));
      await change((mentions) => mentions.markUnread({ userId: ada(), hubId: ids.hubId, itemIds: [two.id] }));
      expect(await unread(bob())).toEqual([]);
      await change((mentions) => mentions.markUnread({ userId: bob(), hubId: ids.hubId, itemIds }));
      expect(await unread(bob())).toEqual([one.id]);
    });

    test('say why an item concerns a user, until they are deleted', async () => {
      const parent = await create({ authorId: bob() });
      const item = await reply(parent, { body: '@Bob, @Ada' });
      const isBobs = ({ userId }: { userId: string }) => userId === bob();
      const mentionsOf = async () => (await change((mentions) => mentions.list(item.id))).filter(isBobs);
      const mention = { userId: bob(), itemId: item.id };
      expect(await mentionsOf()).toEqual([{ userId: bob(), isNamed: true, hasResponse: true }]);
      expect(await change((mentions) => mentions.findGlobalSeq(mention))).toBe(item.globalSeq);
      await change((mentions) => mentions.setNamed({ ...mention, isNamed: false }));
      expect(await mentionsOf()).toEqual([{ userId: bob(), isNamed: false, hasResponse: true }]);
      expect((await find(item.id)).mentions).toEqual([ada()]);
      await change((mentions) => mentions.delete(item, bob()));
      expect(await mentionsOf()).toEqual([]);
      expect(await change((mentions) => mentions.findGlobalSeq(mention))).toBeNull();
      expect(await listed(bob())).toEqual([]);
    });

    test('disappear when their item is deleted, and come back when it is restored', async () => {
      const key = await insertKey(subject.store, newKey(ids.hubId));
      const post = newPost(key, { body: '@Bob' });
      await insertPost(subject.store, post);
      const named = await create({ body: '@Bob' });
      await remove(named.id);
      expect(await unread(bob())).toEqual([post.id]);
      const range = { keyId: key.id, hubId: ids.hubId, fromAt: null, toAt: null };
      const globalSeqs = await subject.store.removals.postGlobalSeqs(range);
      const removal = { removalId: 'rmv_1', keyId: key.id, at: 5 };
      await subject.store.transaction((tx) => tx.removals.deletePosts(removal, globalSeqs));
      expect(await unread(bob())).toEqual([]);
      await subject.store.transaction((tx) => tx.removals.restorePosts({ ...removal, at: 6 }, 10));
      expect(await unread(bob())).toEqual([post.id]);
    });

    test('are reported after the commit for users whose unread mentions or replies changed', async () => {
      const parent = await create({ authorId: bob() });
      const unreadChangesOf = (write: () => Promise<unknown>) => subject.notifiedUnreadBy(write);
      const bobOnly = [{ userId: bob(), hubId: ids.hubId }];
      let response = parent;
      expect(
        await unreadChangesOf(async () => {
          response = await reply(parent);
        }),
      ).toEqual(bobOnly);
      const readThread = () =>
        change((mentions) =>
          mentions.markThreadRead({ userId: bob(), hubId: ids.hubId, messageId: parent.id, seq: response.seq }),
        );
      expect(await unreadChangesOf(readThread)).toEqual(bobOnly);
      expect(await unreadChangesOf(readThread)).toEqual([]);
      expect(await unreadChangesOf(() => create({ body: '@Ada, nobody else' }))).toEqual([]);
      expect(await unreadChangesOf(() => create({ body: '@Bob' }))).toEqual(bobOnly);
      expect(await unreadChangesOf(() => markHub(bob()))).toEqual(bobOnly);
    });
  });
}
